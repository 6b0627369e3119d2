/* Acclaim motion: bones from an ASF file, frames from an AMC file.
 *
 * With C the rotation of a bone's `axis` and M that of its DOFs, the bone rotates by C M C^-1 about
 * its base, which is its parent's tip: direction * length. `axis a b c XYZ` is Rz(c) Ry(b) Rx(a):
 * the first letter is applied first, and so is the first DOF. Lengths are divided by the scale in
 * `:units`, which in the CMU database gives inches. Our joint is at the base of the bone. */
#include "motion/motion_internal.h"

#include <math.h>
#include <string.h>

#include "base/alloc.h"
#include "math/angle.h"
#include "math/matrix.h"
#include "base/budget_internal.h"
#include "base/names.h"

typedef struct bone {
  char *name;
  float direction[3]; /* of unit length, or zero */
  float length, axis[3];
  char order[3];
  int dof_count;
  unsigned char dofs[SI_CHANNELS];
  int parent;        /* a bone, or -1 */
  int joint;         /* in the motion, or -1 while it has none */
  bool placed, leaf; /* placed: it has a parent in the hierarchy */
  size_t frame;      /* the last frame with values for it, from 1 */
} bone;

typedef struct reader {
  si_scan scan;
  sinew_motion *motion;
  const sinew_motion_options *options;
  bone *bones; /* the root is the first */
  size_t count, room;
  si_names names; /* to the index of a bone, from 1 */
  double length_scale, to_degrees;
  bool has_bones, has_hierarchy;
} reader;

static const char *const dof_names[SI_CHANNELS] = { "tx", "ty", "tz", "rx", "ry", "rz" };

static sinew_status read_three(reader *r, const char *what, float dest[3]) {
  for (int i = 0; i < 3; i++) {
    double value;
    sinew_status status = si_scan_number(&r->scan, what, &value);
    if (status != SINEW_OK) return status;
    dest[i] = (float)value;
  }
  return SINEW_OK;
}

/* "XYZ": each letter once */
static sinew_status read_order(reader *r, char dest[3]) {
  si_word word;
  int seen = 0;
  if (!si_scan_word(&r->scan, &word)) {
    memcpy(dest, "\0\1\2", 3);
    return SINEW_OK;
  }
  for (int i = 0; i < 3 && word.length == 3; i++) {
    int axis = (word.at[i] | 32) - 'x';
    dest[i] = (char)axis;
    if (axis >= 0 && axis < 3) seen |= 1 << axis;
  }
  if (seen != 7)
    return si_scan_fail(&r->scan, "'%.*s' is not an order of axes such as XYZ", SI_SHOWN(word));
  return SINEW_OK;
}

static sinew_status read_dofs(reader *r, bone *b) {
  si_word word;
  for (b->dof_count = 0; si_scan_word(&r->scan, &word);) {
    unsigned char kind = 0;
    while (kind < SI_CHANNELS && !si_word_is(word, dof_names[kind])) kind++;
    if (kind == SI_CHANNELS)
      return si_scan_fail(&r->scan, "unknown DOF '%.*s'; expected tx ty tz rx ry rz",
                          SI_SHOWN(word));
    if (memchr(b->dofs, kind, (size_t)b->dof_count))
      return si_scan_fail(&r->scan, "duplicate DOF %s", dof_names[kind]);
    b->dofs[b->dof_count++] = kind;
  }
  return SINEW_OK;
}

static sinew_status add_bone(reader *r, bone **dest) {
  if (r->count >= SINEW_MOTION_JOINTS)
    return si_scan_fail_as(&r->scan, SINEW_ERR_LIMIT, "more than %d bones", SINEW_MOTION_JOINTS);
  if (!si_grow(&r->bones, &r->room, r->count + 1, sizeof *r->bones))
    return si_fail_memory(r->scan.error);
  *dest = &r->bones[r->count++];
  **dest = (bone){ .order = { 0, 1, 2 }, .parent = -1, .joint = -1, .leaf = true };
  return SINEW_OK;
}

static sinew_status name_bone(reader *r, bone *b, si_word word) {
  if (b->name) return si_scan_fail(&r->scan, "a bone has two names");
  if (word.length == 0 || word.length > 200)
    return si_scan_fail(&r->scan, "a bone's name is %s", word.length ? "too long" : "missing");
  b->name = si_word_copy(word);
  if (!b->name) return si_fail_memory(r->scan.error);
  if (si_names_find(&r->names, b->name))
    return si_scan_fail(&r->scan, "duplicate bone '%s'", b->name);
  if (!si_names_add(&r->names, b->name, (uint32_t)(b - r->bones) + 1))
    return si_fail_memory(r->scan.error);
  return SINEW_OK;
}

/* pairs in brackets up to the end of the line; their values are ignored */
static sinew_status check_limits(reader *r) {
  si_word word = si_scan_rest(&r->scan);
  for (int i = 0; i < word.length; i++)
    if (!strchr("()+-.eEinfINF0123456789 \t,", word.at[i]))
      return si_scan_fail(&r->scan, "'%.*s' where limits such as (-90 90) are expected",
                          SI_SHOWN(word));
  return SINEW_OK;
}

static sinew_status read_bone_line(reader *r, bone *b, si_word word) {
  double value;
  sinew_status status;
  if (si_word_is(word, "name")) return name_bone(r, b, si_scan_rest(&r->scan));
  if (si_word_is(word, "direction")) {
    float unit[3];
    status = read_three(r, "a coordinate of a direction", b->direction);
    if (status == SINEW_OK && si_vec_unit(b->direction, unit))
      memcpy(b->direction, unit, sizeof unit);
    return status;
  }
  if (si_word_is(word, "length")) {
    status = si_scan_number(&r->scan, "the length of a bone", &value);
    b->length = (float)value;
    return status;
  }
  if (si_word_is(word, "axis")) {
    status = read_three(r, "an angle of an axis", b->axis);
    return status == SINEW_OK ? read_order(r, b->order) : status;
  }
  if (si_word_is(word, "dof")) return read_dofs(r, b);
  if (si_word_is(word, "limits") || word.at[0] == '(') return check_limits(r);
  if (si_word_is(word, "id") || si_word_is(word, "bodymass") || si_word_is(word, "cofmass"))
    return SINEW_OK;
  return si_scan_fail(&r->scan, "unknown property '%.*s' of a bone", SI_SHOWN(word));
}

/* one line of a section; `open` is the bone between its begin and end */
static sinew_status read_bone_data(reader *r, si_word word, int *open) {
  sinew_status status = SINEW_OK;
  bone *b = *open >= 0 ? &r->bones[*open] : NULL;
  if (!b && si_word_is(word, "begin")) {
    status = add_bone(r, &b);
    *open = (int)r->count - 1;
  } else if (b && si_word_is(word, "end")) {
    if (!b->name) return si_scan_fail(&r->scan, "a bone has no name");
    *open = -1;
  } else if (b) {
    status = read_bone_line(r, b, word);
  } else {
    status = si_scan_fail(&r->scan, "'%.*s' where 'begin' is expected", SI_SHOWN(word));
  }
  return status;
}

static sinew_status find_bone(reader *r, si_word word, uint32_t *dest) {
  *dest = si_names_find_n(&r->names, word.at, (size_t)word.length);
  if (*dest) return SINEW_OK;
  char wanted[64], words[400];
  si_nearest near;
  size_t length = word.length < 63 ? (size_t)word.length : 63;
  memcpy(wanted, word.at, length);
  wanted[length] = '\0';
  si_nearest_start(&near, wanted);
  for (size_t i = 0; i < r->count; i++) si_nearest_offer(&near, r->bones[i].name);
  return si_scan_fail(&r->scan, "no bone named '%s'%s", wanted,
                      si_nearest_words(&near, words, sizeof words));
}

static sinew_status read_hierarchy_line(reader *r, si_word word) {
  uint32_t parent, child;
  if (si_word_is(word, "begin") || si_word_is(word, "end")) return SINEW_OK;
  sinew_status status = find_bone(r, word, &parent);
  while (status == SINEW_OK && si_scan_word(&r->scan, &word)) {
    status = find_bone(r, word, &child);
    if (status != SINEW_OK) break;
    bone *b = &r->bones[child - 1];
    if (child == 1 || b->placed)
      return si_scan_fail(&r->scan, "bone '%.60s' %s", b->name,
                          child == 1 ? "has no parent" : "has two parents");
    b->parent = (int)parent - 1;
    b->placed = true;
    r->bones[parent - 1].leaf = false;
  }
  return status;
}

static sinew_status read_unit_line(reader *r, si_word word) {
  sinew_status status = SINEW_OK;
  si_word angle;
  if (si_word_is(word, "length")) {
    status = si_scan_number(&r->scan, "the length scale", &r->length_scale);
    if (status == SINEW_OK && !(r->length_scale >= 1e-6))
      return si_scan_fail(&r->scan, "the length scale is %g, must be above 0", r->length_scale);
  } else if (si_word_is(word, "angle")) {
    if (!si_scan_word(&r->scan, &angle) || !(si_word_is(angle, "deg") || si_word_is(angle, "rad")))
      return si_scan_fail(&r->scan, "the angle unit must be 'deg' or 'rad'");
    r->to_degrees = si_word_is(angle, "rad") ? 1 / SI_DEG : 1;
  }
  return status; /* mass and others are ignored */
}

static sinew_status read_root_line(reader *r, si_word word) {
  bone *root = &r->bones[0];
  if (si_word_is(word, "order")) return read_dofs(r, root);
  if (si_word_is(word, "axis")) return read_order(r, root->order);
  /* the root's position is stored as its direction, with a length of 1 */
  if (si_word_is(word, "position"))
    return read_three(r, "a coordinate of the root", root->direction);
  if (si_word_is(word, "orientation")) return read_three(r, "an angle of the root", root->axis);
  return si_scan_fail(&r->scan, "unknown property '%.*s' of the root", SI_SHOWN(word));
}

typedef enum section { NOWHERE, UNITS, ROOT, BONES, HIERARCHY, ELSEWHERE } section;

static section section_of(si_word word) {
  if (si_word_is(word, ":units")) return UNITS;
  if (si_word_is(word, ":root")) return ROOT;
  if (si_word_is(word, ":bonedata")) return BONES;
  if (si_word_is(word, ":hierarchy")) return HIERARCHY;
  return ELSEWHERE;
}

static sinew_status read_asf(reader *r) {
  si_word word;
  section at = NOWHERE;
  int open = -1;
  bone *root;
  sinew_status status = add_bone(r, &root);
  if (status == SINEW_OK) status = name_bone(r, root, (si_word){ "root", 4 });
  if (status == SINEW_OK) root->length = 1;
  while (status == SINEW_OK && si_scan_any(&r->scan, &word)) {
    if (word.at[0] == ':' && open < 0) {
      at = section_of(word);
      r->has_bones |= at == BONES;
      r->has_hierarchy |= at == HIERARCHY;
      si_scan_rest(&r->scan);
      continue;
    }
    switch (at) {
    case NOWHERE:
      return si_scan_fail(&r->scan, "'%.*s' where a section such as :units is expected",
                          SI_SHOWN(word));
    case UNITS: status = read_unit_line(r, word); break;
    case ROOT: status = read_root_line(r, word); break;
    case BONES: status = read_bone_data(r, word, &open); break;
    case HIERARCHY: status = read_hierarchy_line(r, word); break;
    case ELSEWHERE: break;
    }
    if (status == SINEW_OK && at != ELSEWHERE && at != UNITS && !si_scan_line_done(&r->scan) &&
        !si_word_is(word, "id") && !si_word_is(word, "bodymass") && !si_word_is(word, "cofmass"))
      return si_scan_fail(&r->scan, "unexpected words after '%.*s'", SI_SHOWN(word));
    si_scan_rest(&r->scan);
  }
  if (status == SINEW_OK && open >= 0) return si_scan_fail(&r->scan, "the text ends inside a bone");
  if (status == SINEW_OK && !(r->has_bones && r->has_hierarchy))
    return si_scan_fail(&r->scan, "the text has no %s section",
                        r->has_bones ? ":hierarchy" : ":bonedata");
  return status;
}

/* the rotation by three angles; the first axis of `order` is applied first */
static void turn_of(const float angles[3], const char order[3], double to_degrees, float dest[9]) {
  CGLM_ALIGN_MAT float whole[16], turn[16];
  si_mat_identity(whole);
  for (int i = 0; i < 3; i++) {
    const float axis[3] = { order[i] == 0, order[i] == 1, order[i] == 2 };
    si_mat_turn(axis, (float)(angles[(int)order[i]] * to_degrees), turn);
    si_mat_mul(turn, whole, whole);
  }
  for (int i = 0; i < 9; i++) dest[i] = whole[i / 3 * 4 + i % 3];
}

/* adds the joint of a bone whose parent has one, and an end if it has no children */
static sinew_status add_joints(reader *r, bone *b) {
  sinew_motion *m = r->motion;
  const bone *parent = b->parent >= 0 ? &r->bones[b->parent] : NULL;
  const bool root = !parent;
  si_motion_joint *joint;
  float tip[3];
  sinew_status status =
      si_motion_add_joint(m, si_strdup(b->name), root ? -1 : parent->joint, &joint, &r->scan);
  if (status != SINEW_OK) return status;
  b->joint = (int)m->joint_count - 1;
  /* children of the root start at its position */
  const bone *before = root ? b : parent;
  const bool stands = root || before->parent >= 0;
  for (int i = 0; i < 3; i++)
    joint->offset[i] = stands ? before->direction[i] * before->length * m->unit : 0;
  joint->turned = b->axis[0] != 0 || b->axis[1] != 0 || b->axis[2] != 0;
  turn_of(b->axis, b->order, r->to_degrees, joint->axes);
  joint->channel_count = b->dof_count;
  for (int i = 0; i < b->dof_count; i++) {
    joint->places[i] = (unsigned char)(b->dof_count - 1 - i);
    joint->kinds[i] = b->dofs[joint->places[i]];
  }
  m->width += (size_t)b->dof_count;
  if (!b->leaf || root) return SINEW_OK;
  for (int i = 0; i < 3; i++) tip[i] = b->direction[i] * b->length * m->unit;
  return si_motion_add_end(m, b->joint, tip, &r->scan);
}

/* adds parents before children, whatever the order of the file */
static sinew_status build(reader *r) {
  sinew_motion *m = r->motion;
  m->unit = r->options->unit > 0 ? r->options->unit : (float)(0.0254 / r->length_scale);
  size_t left = r->count;
  for (bool more = true; more && left > 0;) {
    more = false;
    for (size_t i = 0; i < r->count; i++) {
      bone *b = &r->bones[i];
      if (b->joint >= 0 || (i > 0 && !b->placed)) continue;
      if (b->parent >= 0 && r->bones[b->parent].joint < 0) continue;
      sinew_status status = add_joints(r, b);
      if (status != SINEW_OK) return status;
      more = true;
      left--;
    }
  }
  for (size_t i = 0; i < r->count; i++)
    if (r->bones[i].joint < 0)
      return si_fail(r->scan.error, SINEW_ERR_FILE, "%s: bone '%.60s' is not in the hierarchy",
                     r->scan.name, r->bones[i].name);
  if (m->width == 0)
    return si_fail(r->scan.error, SINEW_ERR_FILE, "%s: no bone has any dof", r->scan.name);
  return SINEW_OK;
}

static sinew_status end_frame(reader *r) {
  const size_t frame = r->motion->frame_count;
  for (size_t i = 0; frame > 0 && i < r->count; i++)
    if (r->bones[i].dof_count > 0 && r->bones[i].frame != frame)
      return si_scan_fail(&r->scan, "frame %zu has no values for bone '%.60s'", frame,
                          r->bones[i].name);
  return SINEW_OK;
}

static sinew_status read_bone_values(reader *r, si_word word, float *frame) {
  uint32_t place;
  sinew_status status = find_bone(r, word, &place);
  if (status != SINEW_OK) return status;
  bone *b = &r->bones[place - 1];
  const si_motion_joint *joint = &r->motion->joints[b->joint];
  if (b->frame == r->motion->frame_count)
    return si_scan_fail(&r->scan, "frame %zu has bone '%.60s' twice", b->frame, b->name);
  b->frame = r->motion->frame_count;
  for (int i = 0; i < b->dof_count; i++) {
    double value;
    if (!si_scan_word(&r->scan, &word))
      return si_scan_fail(&r->scan, "bone '%.60s' has %d values, expected %d", b->name, i,
                          b->dof_count);
    status = si_scan_value(&r->scan, word, "a value of a bone", &value);
    if (status != SINEW_OK) return status;
    value *= b->dofs[i] < 3 ? (double)r->motion->unit : r->to_degrees;
    frame[joint->first + (size_t)i] = (float)value;
  }
  if (!si_scan_line_done(&r->scan))
    return si_scan_fail(&r->scan, "bone '%.60s' has more than %d values", b->name, b->dof_count);
  return SINEW_OK;
}

static sinew_status read_directive(reader *r, si_word word) {
  sinew_status status = SINEW_OK;
  double value;
  if (si_word_is(word, ":degrees")) r->to_degrees = 1;
  if (si_word_is(word, ":radians")) r->to_degrees = 1 / SI_DEG;
  if (si_word_is(word, ":samples-per-second")) {
    status = si_scan_number(&r->scan, "the number of samples", &value);
    if (status == SINEW_OK && !(value >= 1e-6 && value <= 1e6))
      return si_scan_fail(&r->scan, "%g samples a second are not from 1e-6 to 1e6", value);
    if (status == SINEW_OK) r->motion->rate = (float)value;
  }
  si_scan_rest(&r->scan);
  return status;
}

static sinew_status read_amc(reader *r) {
  si_word word;
  float *frame = NULL;
  sinew_status status = SINEW_OK;
  while (status == SINEW_OK && si_scan_any(&r->scan, &word)) {
    if (word.at[0] == ':' && !frame) {
      status = read_directive(r, word);
    } else if (word.at[0] >= '0' && word.at[0] <= '9' && si_scan_line_done(&r->scan)) {
      status = end_frame(r);
      if (status == SINEW_OK) status = si_motion_add_frame(r->motion, &frame, &r->scan);
    } else if (!frame) {
      status =
          si_scan_fail(&r->scan, "'%.*s' where the number of a frame is expected", SI_SHOWN(word));
    } else {
      status = read_bone_values(r, word, frame);
    }
  }
  return status == SINEW_OK ? end_frame(r) : status;
}

sinew_status si_acclaim_read(const char *asf_name, const void *asf, size_t asf_size,
                             const char *amc_name, const void *amc, size_t amc_size,
                             const sinew_motion_options *options, sinew_motion *dest,
                             sinew_error *error) {
  reader r = { .scan = si_scan_start(asf_name, asf, asf_size, error),
               .motion = dest,
               .options = options,
               .length_scale = 1,
               .to_degrees = 1 };
  dest->kind = SINEW_MOTION_SKELETON;
  dest->format = "AMC";
  dest->rate = options->rate > 0 ? options->rate : 120;
  r.scan.comments = true;
  sinew_status status = read_asf(&r);
  if (status == SINEW_OK) status = build(&r);
  if (status == SINEW_OK) {
    r.scan = si_scan_start(amc_name, amc, amc_size, error);
    r.scan.comments = true;
    status = read_amc(&r);
  }
  for (size_t i = 0; i < r.count; i++) si_free(r.bones[i].name);
  si_free(r.bones);
  si_names_free(&r.names);
  return si_stopped() ? si_fail_memory(error) : status;
}
