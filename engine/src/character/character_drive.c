/* Following a rig. With the place S of the rig in the character's world, and the bind pose of both,
 *
 *   world(joint) = S * segment * inverse(segment at bind) * inverse(S) * bind(joint),
 *
 * where all but the first two are constants. What a joint does beside that, see sinew/character.h.
 */
#include "character/character_internal.h"

#include <math.h>
#include <string.h>

#include "base/alloc.h"
#include "base/file_internal.h"

/* --- reading a binding */

typedef struct binder {
  sinew_character *c;
  const sinew_rig *rig;
  const sinew_pose *pose; /* the bind pose of the rig */
  si_json json;
  si_character_drive *drives;
  CGLM_ALIGN_MAT float place[16], inverse[16];
  sinew_error *error;
} binder;

#define bad(b, at, ...)                                                                            \
  si_fail_at((b)->error, SINEW_ERR_VALUE, "binding", (at)->line, 0, __VA_ARGS__)

static sinew_status find_segment(const binder *b, const si_json_value *object, const char *key,
                                 uint32_t *dest) {
  const si_json_value *value = si_json_find(&b->json, object, key);
  char name[256];
  *dest = 0;
  if (!value) return SINEW_OK;
  if (value->kind != SI_JSON_STRING ||
      !si_json_plain(value->text, value->text_length, name, sizeof name))
    return bad(b, value, "'%s' must be the name of a segment", key);
  *dest = sinew_rig_find_segment(b->rig, name, b->error).id;
  return *dest ? SINEW_OK : SINEW_ERR_NAME;
}

static sinew_status find_joint(const binder *b, const si_json_value *object, const char *key,
                               int *dest) {
  const si_json_value *value = si_json_find(&b->json, object, key);
  char name[SI_CHARACTER_NAME];
  *dest = -1;
  if (!value) return SINEW_OK;
  if (value->kind != SI_JSON_STRING ||
      !si_json_plain(value->text, value->text_length, name, sizeof name))
    return bad(b, value, "'%s' must be the name of a joint", key);
  *dest = sinew_character_find(b->c, name, b->error);
  return *dest >= 0 ? SINEW_OK : SINEW_ERR_NAME;
}

/* inverse(segment at bind) * inverse(S) * bind */
static void constant(const binder *b, uint32_t segment, const float *bind, float *dest) {
  CGLM_ALIGN_MAT float inverse[16];
  si_mat_inverse_rigid(sinew_pose_world(b->pose, (sinew_segment){ segment }), inverse);
  si_affine_mul(inverse, b->inverse, dest);
  si_affine_mul(dest, bind, dest);
}

static sinew_status read_joint(binder *b, const si_json_value *value) {
  char name[SI_CHARACTER_NAME];
  if (value->kind != SI_JSON_OBJECT ||
      !si_json_plain(value->key, value->key_length, name, sizeof name))
    return bad(b, value, "a joint must be an object such as { \"segment\": \"pelvis\" }");
  int node = sinew_character_find(b->c, name, b->error);
  if (node < 0) return SINEW_ERR_NAME;
  si_character_drive *d = &b->drives[node];
  const si_json_value *share = si_json_find(&b->json, value, "share");
  sinew_status status;
  if ((status = find_segment(b, value, "segment", &d->segment)) < 0 ||
      (status = find_segment(b, value, "toward", &d->toward_segment)) < 0 ||
      (status = find_segment(b, value, "at", &d->at_segment)) < 0 ||
      (status = find_segment(b, value, "near", &d->near_segment)) < 0 ||
      (status = find_joint(b, value, "aim", &d->aim)) < 0 ||
      (status = find_joint(b, value, "twist", &d->twist)) < 0)
    return status;
  if (share && share->kind != SI_JSON_NUMBER)
    return bad(b, share, "joint '%s': 'share' must be a number", name);
  d->share = share ? (float)share->number : 0.5f;
  const bool twist = d->twist >= 0;
  if (twist == (d->segment > 0) || (twist && (d->toward_segment || d->at_segment || d->aim < 0)))
    return bad(b, value, "joint '%s' needs a 'segment', or a 'twist' with an 'aim'", name);
  if (!(d->share >= -1 && d->share <= 1))
    return bad(b, value, "joint '%s': 'share' must be from -1 to 1", name);
  d->driven = true;
  const float *bind = b->c->nodes[node].bind;
  if (twist) return SINEW_OK;
  if (!d->at_segment) d->at_segment = d->segment;
  constant(b, d->segment, bind, d->turn);
  constant(b, d->at_segment, bind, d->at);
  if (d->toward_segment) constant(b, d->toward_segment, bind, d->toward);
  if (d->near_segment) {
    CGLM_ALIGN_MAT float near[16];
    constant(b, d->near_segment, bind, near);
    memcpy(d->near, near + 12, sizeof d->near);
  }
  return si_finite(d->turn, 16) && si_finite(d->at, 16)
             ? SINEW_OK
             : bad(b, value, "joint '%s' cannot be bound: its frame is not finite", name);
}

/* what concerns two joints: both must be known */
static sinew_status finish_joint(binder *b, size_t node) {
  si_character_drive *d = &b->drives[node];
  const si_character_node *nodes = b->c->nodes;
  if (!d->driven) return SINEW_OK;
  const int asked[2] = { d->aim, d->twist };
  for (int k = 0; k < 2; k++)
    if (asked[k] >= 0 && !b->drives[asked[k]].segment)
      return si_fail(b->error, SINEW_ERR_VALUE,
                     "binding: joint '%s' refers to '%s', which the rig does not drive",
                     nodes[node].name, nodes[asked[k]].name);
  if (d->twist >= 0) {
    int above = nodes[node].parent;
    while (above >= 0 && !b->drives[above].segment) above = nodes[above].parent;
    if (above < 0)
      return si_fail(b->error, SINEW_ERR_VALUE,
                     "binding: the twist joint '%s' hangs on no joint "
                     "that the rig drives",
                     nodes[node].name);
    d->reference = above;
    return SINEW_OK;
  }
  CGLM_ALIGN_MAT float inverse[16];
  if (d->aim < 0) return SINEW_OK;
  if (!si_affine_inverse(nodes[node].bind, inverse))
    return si_fail(b->error, SINEW_ERR_VALUE, "binding: the frame of joint '%s' has no inverse",
                   nodes[node].name);
  si_mat_point(inverse, nodes[d->aim].bind + 12, d->aim_at);
  return SINEW_OK;
}

static sinew_status read_place(binder *b, const si_json_value *root) {
  const si_json_value *list = si_json_find(&b->json, root, "place");
  if (!list || list->kind != SI_JSON_LIST || list->count != 16)
    return bad(b, root, "'place' must be a list of 16 numbers");
  for (uint32_t i = 0; i < 16; i++) {
    const si_json_value *value = si_json_first(list) + i;
    if (value->kind != SI_JSON_NUMBER || !(fabs(value->number) <= (double)SI_GLTF_EXTENT))
      return bad(b, list, "'place' must be a list of 16 numbers");
    b->place[i] = (float)value->number;
  }
  return si_affine_inverse(b->place, b->inverse)
             ? SINEW_OK
             : bad(b, list, "'place' must be a matrix that has an inverse");
}

static sinew_status read_pose(binder *b, const si_json_value *root, sinew_pose *pose) {
  const si_json_value *list = si_json_find(&b->json, root, "pose");
  char name[256];
  if (list && list->kind != SI_JSON_OBJECT && list->count)
    return bad(b, list, "'pose' must be an object of DOFs");
  const si_json_value *value = list ? si_json_first(list) : NULL;
  for (uint32_t i = 0; list && i < list->count; i++, value = si_json_after(&b->json, value)) {
    if (value->kind != SI_JSON_NUMBER ||
        !si_json_plain(value->key, value->key_length, name, sizeof name))
      return bad(b, value, "'pose' must hold numbers");
    sinew_dof dof = sinew_rig_find_dof(b->rig, name, b->error);
    if (!dof.id) return SINEW_ERR_NAME;
    sinew_status status = sinew_pose_set(pose, dof, (float)value->number, b->error);
    if (status < 0) return status;
  }
  return sinew_pose_eval(pose, b->error);
}

static sinew_status read_binding(binder *b, sinew_pose *pose) {
  const si_json_value *root = b->json.values;
  const si_json_value *joints = si_json_find(&b->json, root, "joints");
  sinew_status status = read_place(b, root);
  if (status >= 0) status = read_pose(b, root, pose);
  if (status >= 0 && (!joints || joints->kind != SI_JSON_OBJECT))
    status = bad(b, root, "'joints' must be an object");
  if (status < 0) return status;
  const si_json_value *value = si_json_first(joints);
  for (uint32_t i = 0; i < joints->count && status >= 0;
       i++, value = si_json_after(&b->json, value))
    status = read_joint(b, value);
  for (size_t i = 0; i < b->c->node_count && status >= 0; i++) status = finish_joint(b, i);
  return status;
}

sinew_status sinew_character_bind_text(sinew_character *c, const sinew_rig *rig, const char *text,
                                       sinew_error *error) {
  SI_OWN_ERROR(error);
  if (!SI_EXPECT(c && rig && text))
    return si_fail(error, SINEW_ERR_CALL, "character: no rig or no binding");
  binder b = { .c = c, .rig = rig, .error = error };
  sinew_pose *pose = sinew_pose_create(rig, error);
  if (!pose) return SINEW_ERR_MEMORY;
  b.pose = pose;
  b.drives = si_alloc_array(c->node_count, sizeof *b.drives);
  sinew_status status = b.drives ? SINEW_OK : si_fail_memory(error);
  for (size_t i = 0; status >= 0 && i < c->node_count; i++)
    b.drives[i].aim = b.drives[i].twist = -1;
  if (status >= 0)
    status = si_json_read("binding", text, strlen(text), SI_JSON_VALUES, &b.json, error);
  if (status >= 0) {
    status = read_binding(&b, pose);
    si_json_free(&b.json);
  }
  if (status >= 0) {
    si_free(c->drives);
    c->drives = b.drives;
    c->segment_count = (size_t)sinew_rig_segment_count(rig);
    si_mat_copy(b.place, c->place);
    status = SINEW_OK;
  } else {
    si_free(b.drives);
  }
  sinew_pose_destroy(pose);
  return status;
}

sinew_status sinew_character_bind(sinew_character *c, const sinew_rig *rig, sinew_error *error) {
  sinew_error_clear(error);
  if (!SI_EXPECT(c && rig)) return si_fail(error, SINEW_ERR_CALL, "character: no rig");
  const char *text = sinew_rig_binding(rig);
  if (!text)
    return si_fail(error, SINEW_ERR_MISSING,
                   "rig '%s' is bound to no character; `sinew bind` writes a rig that is",
                   sinew_rig_name(rig));
  return sinew_character_bind_text(c, rig, text, error);
}

char *sinew_character_file(const sinew_rig *rig, const char *script, sinew_error *error) {
  SI_OWN_ERROR(error);
  if (!SI_EXPECT(rig && script))
    return si_fail_null(error, SINEW_ERR_CALL, "character: no rig or no script");
  const char *text = sinew_rig_binding(rig);
  if (!text)
    return si_fail_null(error, SINEW_ERR_MISSING, "rig '%s' is bound to no character",
                        sinew_rig_name(rig));
  const char *slash = strrchr(script, '/');
  const size_t folder = slash ? (size_t)(slash - script) + 1 : 0;
  char name[1024] = "", *path = NULL;
  si_json json;
  if (si_json_read("binding", text, strlen(text), SI_JSON_VALUES, &json, error) < 0) return NULL;
  const si_json_value *file = si_json_find(&json, json.values, "file");
  if (!file || file->kind != SI_JSON_STRING ||
      !si_json_plain(file->text, file->text_length, name, sizeof name))
    si_fail_at(error, SINEW_ERR_VALUE, "binding", json.values->line, 0,
               "'file' must be the name of a character's file");
  else if (!(path = si_alloc(folder + strlen(name) + 1)))
    si_fail_memory(error);
  si_json_free(&json);
  if (!path) return NULL;
  memcpy(path, script, folder);
  path[folder] = '\0';
  char *home = si_strdup(folder ? path : ".");
  strcpy(path + folder, name);
  const bool outside = !home || si_path_where(home, path) < 0;
  if (outside)
    si_fail(error, SINEW_ERR_FILE, "%s: is not in the folder of the rig and is not read", path);
  si_free(home);
  if (!outside) return path;
  si_free(path);
  return NULL;
}

sinew_character *sinew_character_of_rig(const sinew_rig *rig, const char *script,
                                        sinew_error *error) {
  char *path = sinew_character_file(rig, script, error);
  sinew_character *c = path ? sinew_character_load(path, error) : NULL;
  si_free(path);
  if (!c || sinew_character_bind(c, rig, error) >= 0) return c;
  sinew_character_destroy(c);
  return NULL;
}

bool sinew_character_is_bound(const sinew_character *c) { return SI_EXPECT(c) && c->drives; }

int sinew_character_segment_count(const sinew_character *c) {
  return SI_EXPECT(c) && c->drives ? (int)c->segment_count : 0;
}

bool sinew_character_drives(const sinew_character *c, int node) {
  return SI_EXPECT(c && si_character_has(c, node)) && c->drives && c->drives[node].driven;
}

const float *sinew_character_place(const sinew_character *c) {
  return SI_EXPECT(c) && c->drives ? c->place : NULL;
}

/* --- evaluation */

/* the rotation in a * inverse(b) of two matrices that differ by one, as a quaternion */
static void turn_between(const float *a, const float *b, float dest[4]) {
  CGLM_ALIGN_MAT float inverse[16];
  float m[9];
  glm_quat_copy((versor){ 0, 0, 0, 1 }, dest);
  if (!si_affine_inverse(b, inverse)) return;
  for (int column = 0; column < 3; column++)
    for (int row = 0; row < 3; row++)
      m[3 * column + row] = a[row] * inverse[4 * column] + a[4 + row] * inverse[4 * column + 1] +
                            a[8 + row] * inverse[4 * column + 2];
  /* the largest of the four squares, for accuracy */
  const float squares[4] = { 1 + m[0] - m[4] - m[8], 1 - m[0] + m[4] - m[8], 1 - m[0] - m[4] + m[8],
                             1 + m[0] + m[4] + m[8] };
  int most = 3;
  for (int i = 0; i < 3; i++)
    if (squares[i] > squares[most]) most = i;
  const float xy = m[1] + m[3], yz = m[5] + m[7], zx = m[6] + m[2];
  const float wx = m[5] - m[7], wy = m[6] - m[2], wz = m[1] - m[3];
  const float rows[4][4] = { { squares[0], xy, zx, wx },
                             { xy, squares[1], yz, -wy },
                             { zx, yz, squares[2], wz },
                             { wx, -wy, wz, squares[3] } };
  float length = 0;
  for (int i = 0; i < 4; i++) length += rows[most][i] * rows[most][i];
  if (!(length > 0)) return;
  length = (rows[most][3] < 0 ? -1.0f : 1.0f) * sqrtf(length);
  for (int i = 0; i < 4; i++) dest[i] = rows[most][i] / length;
}

/* turns the axes of a matrix by a unit quaternion; its position stays */
static void turn_axes(const float q[4], float *m) {
  for (int column = 0; column < 12; column += 4) {
    float *v = m + column, t[3], u[3];
    si_vec_cross(q, v, t);
    for (int k = 0; k < 3; k++) t[k] = 2 * t[k];
    si_vec_cross(q, t, u);
    for (int k = 0; k < 3; k++) v[k] += q[3] * t[k] + u[k];
  }
}

/* `share` of a rotation */
static void part_of(const float q[4], float share, float dest[4]) {
  const float sine = si_vec_length(q), half = atan2f(sine, q[3]) * share;
  const float k = sine > 1e-12f ? sinf(half) / sine : 0;
  for (int i = 0; i < 3; i++) dest[i] = q[i] * k;
  dest[3] = cosf(half);
}

static const float *segment_at(const float *segments, uint32_t id) {
  return segments + 16 * ((size_t)id - 1);
}

static void placed(const sinew_character *c, const float *segments, const si_character_drive *d,
                   float dest[3]) {
  float inside[3];
  si_mat_point(segment_at(segments, d->at_segment), d->at + 12, inside);
  if (d->near_segment) {
    float other[3];
    si_mat_point(segment_at(segments, d->near_segment), d->near, other);
    for (int k = 0; k < 3; k++) inside[k] = (inside[k] + other[k]) / 2;
  }
  si_mat_point(c->place, inside, dest);
}

/* the least turn that points the node at its aim as in the bind pose */
static void aim(const sinew_character *c, const float *segments, const si_character_drive *d,
                float *m) {
  float goal[3], now[3], q[4];
  placed(c, segments, &c->drives[d->aim], goal);
  si_mat_direction(m, d->aim_at, now);
  for (int k = 0; k < 3; k++) goal[k] -= m[12 + k];
  const float lengths = si_vec_length(now) * si_vec_length(goal);
  if (!(lengths > 1e-12f)) return;
  si_vec_cross(now, goal, q);
  q[3] = lengths + si_vec_dot(now, goal);
  const float norm = sqrtf(si_vec_dot(q, q) + q[3] * q[3]);
  if (!(norm > 1e-6f * lengths)) return; /* exactly opposite */
  for (int k = 0; k < 4; k++) q[k] /= norm;
  turn_axes(q, m);
}

static void drive(const sinew_character *c, const float *segments, const si_character_drive *d,
                  float *dest) {
  si_mat_mul(segment_at(segments, d->segment), d->turn, dest);
  si_mat_mul(c->place, dest, dest);
  if (d->toward_segment) {
    CGLM_ALIGN_MAT float other[16];
    float whole[4], part[4];
    si_mat_mul(segment_at(segments, d->toward_segment), d->toward, other);
    si_mat_mul(c->place, other, other);
    turn_between(other, dest, whole);
    part_of(whole, d->share, part);
    turn_axes(part, dest);
  }
  if (d->at_segment != d->segment || d->near_segment) placed(c, segments, d, dest + 12);
  if (d->aim >= 0) aim(c, segments, d, dest);
}

/* rolls a joint that hangs on its parent */
static void twist(const sinew_character *c, const si_character_drive *d, const float *worlds,
                  float *dest) {
  const float *other = worlds + 16 * (size_t)d->twist, *own = worlds + 16 * (size_t)d->reference;
  const float *end = worlds + 16 * (size_t)d->aim;
  float a[4], b[4], axis[3], roll[4];
  turn_between(other, c->nodes[d->twist].bind, a);
  turn_between(own, c->nodes[d->reference].bind, b);
  for (int k = 0; k < 3; k++) axis[k] = end[12 + k] - own[12 + k];
  const float length = si_vec_length(axis);
  if (!(length > 1e-9f)) return;
  for (int k = 0; k < 3; k++) axis[k] /= length;
  /* a * inverse(b), of which only the part about the axis matters */
  float cross[3];
  si_vec_cross(b, a, cross);
  const float w = a[3] * b[3] + si_vec_dot(a, b);
  float along = 0;
  for (int k = 0; k < 3; k++) along += (b[3] * a[k] - a[3] * b[k] + cross[k]) * axis[k];
  float half = atan2f(along, w);
  const float pi = 3.14159265f;
  if (half > pi / 2) half -= pi;
  if (half < -pi / 2) half += pi;
  half *= d->share;
  for (int k = 0; k < 3; k++) roll[k] = axis[k] * sinf(half);
  roll[3] = cosf(half);
  turn_axes(roll, dest);
}

void sinew_character_worlds(const sinew_character *c, const float *segments, float *dest) {
  if (!SI_EXPECT(c && dest)) return;
  const si_character_drive *drives = segments ? c->drives : NULL;
  if (!drives) {
    for (size_t i = 0; i < c->node_count; i++) si_mat_copy(c->nodes[i].bind, dest + 16 * i);
    return;
  }
  for (size_t i = 0; i < c->node_count; i++)
    if (drives[i].segment) drive(c, segments, &drives[i], dest + 16 * i);
  for (size_t i = 0; i < c->node_count; i++) {
    const si_character_node *n = &c->nodes[i];
    if (drives[i].segment) continue;
    if (n->parent >= 0)
      si_mat_mul(dest + 16 * (size_t)n->parent, n->local, dest + 16 * i);
    else
      si_mat_copy(n->bind, dest + 16 * i);
    if (drives[i].driven) twist(c, &drives[i], dest, dest + 16 * i);
  }
}

void sinew_character_matrices(const sinew_character *c, const float *worlds, float *dest) {
  if (!SI_EXPECT(c && worlds && dest)) return;
  for (size_t i = 0; i < c->matrix_count; i++)
    si_mat_mul(worlds + 16 * (size_t)c->matrices[i].node, c->matrices[i].offset, dest + 16 * i);
}
