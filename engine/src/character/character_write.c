/* A character with motion as .glb: the source's JSON with its buffers joined into one, and an
 * animation of the joints as translations, rotations and, where they change, scales.
 *
 * A frame's local transforms are taken against the parents as the file will have them, so that what
 * one joint cannot express is not passed on to those below. */
#include "character/character_edit.h"

#include <math.h>
#include <string.h>

#include "base/alloc.h"

typedef struct trs {
  float place[3], turn[4], scale[3];
} trs;

struct sinew_character_take {
  const sinew_character *c;
  char *name;
  float *times, *worlds; /* worlds: of all nodes, frame by frame */
  size_t frames, time_room, world_room;
};

sinew_character_take *sinew_character_take_create(const sinew_character *c, const char *name,
                                                  sinew_error *error) {
  sinew_error_clear(error);
  if (!SI_EXPECT(c && name)) return si_fail_null(error, SINEW_ERR_CALL, "character: no name");
  if (!c->drives)
    return si_fail_null(error, SINEW_ERR_MISSING, "the character is not bound to a rig");
  sinew_character_take *take = si_alloc(sizeof *take);
  if (!take || !(take->name = si_strdup(name))) {
    si_free(take);
    return si_memory_null(error);
  }
  take->c = c;
  return take;
}

void sinew_character_take_destroy(sinew_character_take *take) {
  if (!take) return;
  si_free(take->name);
  si_free(take->times);
  si_free(take->worlds);
  si_free(take);
}

sinew_status sinew_character_take_add(sinew_character_take *take, const sinew_pose *pose,
                                      float time, sinew_error *error) {
  sinew_error_clear(error);
  if (!SI_EXPECT(take && pose &&
                 (size_t)sinew_rig_segment_count(sinew_pose_rig(pose)) == take->c->segment_count))
    return si_fail(error, SINEW_ERR_CALL, "character: the pose is of another rig");
  if (!(time >= 0 && time < 1e6f) || (take->frames && time <= take->times[take->frames - 1]))
    return si_fail(error, SINEW_ERR_VALUE, "character: the time %g does not ascend", (double)time);
  const size_t floats = 16 * take->c->node_count;
  if (!si_grow(&take->times, &take->time_room, take->frames + 1, sizeof *take->times) ||
      !si_grow(&take->worlds, &take->world_room, (take->frames + 1) * floats, sizeof *take->worlds))
    return si_fail_memory(error);
  take->times[take->frames] = time;
  sinew_character_worlds(take->c, sinew_pose_worlds(pose), take->worlds + take->frames * floats);
  take->frames++;
  return SINEW_OK;
}

sinew_character_write_desc sinew_default_character_write_desc(void) {
  return (sinew_character_write_desc){ .size = sizeof(sinew_character_write_desc),
                                       .tolerance = 1e-5f };
}

/* --- transforms */

/* what glTF can express of a matrix; returns the part that it cannot, as a share of its size */
static float split(const float *m, trs *dest) {
  float x[3], y[3], z[3], turn[9], worst = 0;
  for (int k = 0; k < 3; k++) {
    dest->place[k] = m[12 + k];
    dest->scale[k] = si_vec_length(m + 4 * k);
  }
  si_vec_cross(m, m + 4, z);
  if (si_vec_dot(z, m + 8) < 0) dest->scale[0] = -dest->scale[0];
  for (int k = 0; k < 3; k++) {
    x[k] = dest->scale[0] != 0 ? m[k] / dest->scale[0] : k == 0;
    y[k] = dest->scale[1] > 0 ? m[4 + k] / dest->scale[1] : k == 1;
  }
  si_vec_cross(x, y, z);
  if (!si_vec_unit(z, z)) z[0] = 0, z[1] = 0, z[2] = 1;
  si_vec_cross(z, x, y);
  memcpy(turn, x, sizeof x);
  memcpy(turn + 3, y, sizeof y);
  memcpy(turn + 6, z, sizeof z);
  for (int c = 0; c < 3; c++)
    for (int k = 0; k < 3; k++)
      worst = fmaxf(worst, fabsf(m[4 * c + k] - turn[3 * c + k] * dest->scale[c]) /
                               fmaxf(1e-9f, fabsf(dest->scale[c])));
  CGLM_ALIGN_MAT mat4 rotation = GLM_MAT4_IDENTITY_INIT;
  CGLM_ALIGN(16) versor q;
  for (int c = 0; c < 3; c++)
    for (int k = 0; k < 3; k++) rotation[c][k] = turn[3 * c + k];
  glm_mat4_quat(rotation, q);
  glm_quat_normalize(q);
  memcpy(dest->turn, q, sizeof dest->turn);
  return worst;
}

static void join(const trs *t, float *dest) {
  const float *q = t->turn;
  const float x = q[0], y = q[1], z = q[2], w = q[3];
  const float turn[9] = {
    1 - 2 * (y * y + z * z), 2 * (x * y + z * w),     2 * (x * z - y * w),
    2 * (x * y - z * w),     1 - 2 * (x * x + z * z), 2 * (y * z + x * w),
    2 * (x * z + y * w),     2 * (y * z - x * w),     1 - 2 * (x * x + y * y)
  };
  si_mat_identity(dest);
  for (int c = 0; c < 3; c++) {
    for (int k = 0; k < 3; k++) dest[4 * c + k] = turn[3 * c + k] * t->scale[c];
    dest[12 + c] = t->place[c];
  }
}

/* --- the animation */

enum { PLACE = 1, TURN = 2, SCALE = 4 };

typedef struct writer {
  const sinew_character *c;
  si_gltf_reader r; /* the character's, with an error of its own */
  const sinew_character_take *const *takes;
  int take_count;
  const sinew_character_write_desc *desc;
  trs *rests;             /* of the nodes in the file */
  unsigned char *animate; /* of each node: whether a take has a channel for it */
  bool *sheared;
  /* of one take */
  const sinew_character_take *take;
  trs *frames;           /* node by node, frame by frame */
  unsigned char *moved;  /* flags: channels of each node */
  unsigned char *varies; /* the same, for those with more than one key */
  si_text json, bin;
  uint32_t views, accessors; /* in the file so far */
  sinew_character_written written;
  double sum;
  size_t measured;
} writer;

/* whether a joint has a driven one above it */
static bool hangs(const sinew_character *c, size_t node) {
  int at = c->nodes[node].parent;
  while (at >= 0 && !c->drives[at].driven) at = c->nodes[at].parent;
  return at >= 0;
}

static sinew_status one_frame(writer *w, size_t frame, float *worlds, const trs *binds) {
  const sinew_character *c = w->c;
  const float *wanted = w->take->worlds + frame * 16 * c->node_count;
  for (size_t i = 0; i < c->node_count; i++) {
    const int parent = c->nodes[i].parent;
    CGLM_ALIGN_MAT float local[16], inverse[16];
    trs *t = &w->frames[i * w->take->frames + frame];
    const float *goal = wanted + 16 * i;
    si_mat_copy(goal, local);
    if (parent >= 0 && si_affine_inverse(worlds + 16 * (size_t)parent, inverse))
      si_affine_mul(inverse, goal, local);
    if (split(local, t) > 1e-3f) w->sheared[i] = true;
    if (w->desc->rotations_only && (!c->drives[i].driven || hangs(c, i))) {
      memcpy(t->place, binds[i].place, sizeof t->place);
      memcpy(t->scale, binds[i].scale, sizeof t->scale);
      if (!c->drives[i].driven) memcpy(t->turn, binds[i].turn, sizeof t->turn);
    }
    for (int k = 0; k < 3; k++) /* rounding is no change of scale */
      if (fabsf(t->scale[k] - w->rests[i].scale[k]) <= 1e-4f * fabsf(w->rests[i].scale[k]))
        t->scale[k] = w->rests[i].scale[k];
    const float *before = frame ? (t - 1)->turn : w->rests[i].turn;
    float dot = 0;
    for (int k = 0; k < 4; k++) dot += before[k] * t->turn[k];
    for (int k = 0; k < 4 && dot < 0; k++) t->turn[k] = -t->turn[k];
    join(t, local);
    if (parent >= 0)
      si_affine_mul(worlds + 16 * (size_t)parent, local, worlds + 16 * i);
    else
      si_mat_copy(local, worlds + 16 * i);
    float off = 0;
    for (int k = 12; k < 15; k++) off = hypotf(off, worlds[16 * i + (size_t)k] - goal[k]);
    if (!si_finite(worlds + 16 * i, 16) || !isfinite(off))
      return si_fail(w->r.error, SINEW_ERR_VALUE, "%s: joint '%s' is not finite at %g s of '%s'",
                     c->name, c->nodes[i].name, (double)w->take->times[frame], w->take->name);
    if (!c->drives[i].driven) continue;
    w->sum += (double)off;
    w->measured++;
    if (off >= w->written.worst) {
      w->written.worst = off;
      w->written.worst_node = (int)i;
    }
  }
  return SINEW_OK;
}

static bool differs(const float *a, const float *b, int count, float tolerance) {
  for (int k = 0; k < count; k++)
    if (fabsf(a[k] - b[k]) > tolerance) return true;
  return false;
}

static sinew_status make_frames(writer *w) {
  const sinew_character *c = w->c;
  const size_t frames = w->take->frames;
  float *worlds = si_alloc_array(c->node_count, 16 * sizeof *worlds);
  trs *binds = si_alloc_array(c->node_count, sizeof *binds);
  w->frames = si_alloc_array(c->node_count * frames, sizeof *w->frames);
  bool fine = worlds && binds && w->frames;
  sinew_status status = fine ? SINEW_OK : si_fail_memory(w->r.error);
  for (size_t i = 0; fine && i < c->node_count; i++) split(c->nodes[i].local, &binds[i]);
  for (size_t f = 0; status >= 0 && f < frames; f++) status = one_frame(w, f, worlds, binds);
  fine = status >= 0;
  bool any = false;
  for (size_t i = 0; fine && i < c->node_count; i++) {
    w->moved[i] = w->varies[i] = 0;
    const trs *first = &w->frames[i * frames], *rest = &w->rests[i];
    /* a length in the node's own units: its parent may be scaled */
    float unit = w->desc->tolerance;
    if (c->nodes[i].parent >= 0)
      unit /= fmaxf(1e-6f, si_vec_length(c->nodes[c->nodes[i].parent].bind));
    for (size_t f = 0; f < frames; f++) {
      const trs *t = first + f;
      const float angle = 4 * w->desc->tolerance;
      w->moved[i] |= (unsigned char)((differs(t->place, rest->place, 3, unit) ? PLACE : 0) |
                                     (differs(t->turn, rest->turn, 4, angle) ? TURN : 0) |
                                     (differs(t->scale, rest->scale, 3, 1e-4f) ? SCALE : 0));
      w->varies[i] |= (unsigned char)((differs(t->place, first->place, 3, unit) ? PLACE : 0) |
                                      (differs(t->turn, first->turn, 4, angle) ? TURN : 0) |
                                      (differs(t->scale, first->scale, 3, 1e-4f) ? SCALE : 0));
    }
    any = any || w->moved[i];
  }
  /* an animation needs a channel, also one that stands as the file does */
  for (size_t i = 0; fine && !any && i < c->node_count; i++)
    if (c->drives[i].driven) {
      w->moved[i] = TURN;
      any = true;
    }
  for (size_t i = 0; fine && i < c->node_count; i++) w->animate[i] |= w->moved[i];
  si_free(worlds);
  si_free(binds);
  return status;
}

/* --- the binary chunk */

static void pad(si_text *bin) {
  while (bin->size % 4 && !bin->failed) si_text_add_n(bin, "\0", 1);
}

static void put_floats(si_text *bin, const float *values, size_t count) {
  for (size_t i = 0; i < count; i++) {
    uint32_t bits;
    memcpy(&bits, &values[i], sizeof bits);
    const char bytes[4] = { (char)bits, (char)(bits >> 8), (char)(bits >> 16), (char)(bits >> 24) };
    si_text_add_n(bin, bytes, 4);
  }
}

/* joins the source's buffers; `starts` receives where each begins */
static sinew_status join_buffers(writer *w, size_t *starts) {
  const si_gltf_reader *r = &w->r;
  for (uint32_t i = 0; i < r->views.count; i++) { /* loads what only other programs read */
    const unsigned char *bytes;
    size_t size;
    sinew_status status = si_gltf_view(r, i, &bytes, &size);
    if (status < 0) return status;
  }
  for (size_t i = 0; i < r->buffers.count; i++) {
    pad(&w->bin);
    starts[i] = w->bin.size;
    if (r->loaded[i].known)
      si_text_add_n(&w->bin, (const char *)r->loaded[i].bytes, r->loaded[i].size);
  }
  return SINEW_OK;
}

/* --- JSON */

static void put_views(writer *w, const size_t *starts, bool *first) {
  static const char *const own[] = { "buffer", "byteOffset", NULL };
  const si_json *json = &w->r.json;
  for (size_t i = 0; i < w->r.views.count; i++) {
    const si_json_value *view = w->r.views.items[i], *member = si_json_first(view);
    uint32_t buffer = 0, offset = 0;
    si_gltf_pick_member(&w->r, view, "buffer", &w->r.buffers, "buffer", &buffer);
    si_gltf_whole(&w->r, view, "byteOffset", 0, &offset);
    si_text_format(&w->json, "%s{\"buffer\":0,\"byteOffset\":%zu", *first ? "" : ",",
                   starts[buffer] + offset);
    *first = false;
    bool none = false;
    for (uint32_t k = 0; k < view->count; k++, member = si_json_after(json, member))
      if (!si_edit_is(member, own)) si_edit_copy(&w->json, json, member, &none);
    si_text_add(&w->json, "}");
  }
}

/* adds an accessor of floats with a view of its own to two growing lists */
static void add_accessor(writer *w, si_text *views, si_text *accessors, const float *values,
                         size_t count, int parts, bool bounds) {
  static const char *const types[] = { "", "SCALAR", "", "VEC3", "VEC4" };
  pad(&w->bin);
  si_text_format(views, "%s{\"buffer\":0,\"byteOffset\":%zu,\"byteLength\":%zu}",
                 w->views ? "," : "", w->bin.size, count * (size_t)parts * 4);
  si_text_format(accessors,
                 "%s{\"bufferView\":%u,\"componentType\":5126,\"count\":%zu,\"type\":\"%s\"",
                 w->accessors ? "," : "", w->views, count, types[parts]);
  if (bounds) {
    si_text_add(accessors, ",\"min\":[");
    si_text_number(accessors, values[0]);
    si_text_add(accessors, "],\"max\":[");
    si_text_number(accessors, values[count - 1]);
    si_text_add(accessors, "]");
  }
  si_text_add(accessors, "}");
  put_floats(&w->bin, values, count * (size_t)parts);
  w->views++;
  w->accessors++;
}

/* an animation of the take: channels and samplers */
static sinew_status put_animation(writer *w, si_text *views, si_text *accessors, si_text *out) {
  static const char *const paths[] = { "translation", "rotation", "scale" };
  const size_t frames = w->take->frames;
  const sinew_character *c = w->c;
  float *values = si_alloc_array(frames, 4 * sizeof *values);
  if (!values) return si_fail_memory(w->r.error);
  si_text samplers = { 0 };
  uint32_t times = UINT32_MAX, once = UINT32_MAX;
  int channels = 0;
  si_text_add(out, out->size ? ",{\"name\":" : "{\"name\":");
  si_text_quoted(out, w->take->name);
  si_text_add(out, ",\"channels\":[");
  for (size_t i = 0; i < c->node_count; i++)
    for (int p = 0; p < 3; p++) {
      if (!(w->moved[i] >> p & 1)) continue;
      const bool varies = w->varies[i] >> p & 1;
      const size_t count = varies ? frames : 1;
      const int parts = p == 1 ? 4 : 3;
      uint32_t *input = varies ? &times : &once;
      if (*input == UINT32_MAX) {
        *input = w->accessors;
        add_accessor(w, views, accessors, w->take->times, count, 1, true);
      }
      for (size_t f = 0; f < count; f++) {
        const trs *t = &w->frames[i * frames + f];
        const float *from = p == 0 ? t->place : p == 1 ? t->turn : t->scale;
        memcpy(values + (size_t)parts * f, from, (size_t)parts * sizeof *values);
      }
      si_text_format(out, "%s{\"sampler\":%d,\"target\":{\"node\":%u,\"path\":\"%s\"}}",
                     channels ? "," : "", channels, c->nodes[i].index, paths[p]);
      si_text_format(&samplers, "%s{\"input\":%u,\"output\":%u}", channels ? "," : "", *input,
                     w->accessors);
      add_accessor(w, views, accessors, values, count, parts, false);
      channels++;
      w->written.keys += (int)count;
    }
  w->written.channels += channels;
  si_text_add(out, "],\"samplers\":[");
  if (samplers.at) si_text_add_n(out, samplers.at, samplers.size);
  si_text_add(out, "]}");
  bool failed = samplers.failed;
  si_free(samplers.at);
  si_free(values);
  return failed ? si_fail_memory(w->r.error) : SINEW_OK;
}

static void put_trs(si_text *out, const trs *t, bool *first) {
  si_edit_key(out, "translation", first);
  si_edit_numbers(out, t->place, 3);
  si_edit_key(out, "rotation", first);
  si_edit_numbers(out, t->turn, 4);
  si_edit_key(out, "scale", first);
  si_edit_numbers(out, t->scale, 3);
}

static void put_nodes(writer *w, const si_json_value *list) {
  static const char *const shown[] = { "mesh", "skin", "weights", "camera", "extensions", NULL };
  static const char *const matrix[] = { "matrix", NULL };
  const si_json *json = &w->r.json;
  const si_json_value *node = si_json_first(list);
  si_text_add(&w->json, "[");
  for (uint32_t i = 0; i < list->count; i++, node = si_json_after(json, node)) {
    const size_t reached = w->r.reached[i];
    const bool as_trs = reached && w->animate[reached - 1] && si_json_find(json, node, "matrix");
    const si_json_value *member = si_json_first(node);
    bool first = true;
    si_text_add(&w->json, i ? ",{" : "{");
    for (uint32_t k = 0; k < node->count; k++, member = si_json_after(json, member)) {
      if (w->desc->clip_alone && si_edit_is(member, shown)) continue;
      if (as_trs && si_edit_is(member, matrix)) continue;
      si_edit_copy(&w->json, json, member, &first);
    }
    if (as_trs) put_trs(&w->json, &w->rests[reached - 1], &first);
    si_text_add(&w->json, "}");
  }
  si_text_add(&w->json, "]");
}

/* by its first bytes; PNG if these are unknown */
static const char *type_of(const sinew_character_image *image) {
  static const struct {
    const char *bytes, *type;
    size_t at, size;
  } kinds[] = { { "\xff\xd8\xff", "image/jpeg", 0, 3 },
                { "WEBP", "image/webp", 8, 4 },
                { "KTX 20", "image/ktx2", 1, 6 } };
  for (size_t i = 0; i < sizeof kinds / sizeof *kinds; i++)
    if (image->size >= kinds[i].at + kinds[i].size &&
        memcmp((const char *)image->bytes + kinds[i].at, kinds[i].bytes, kinds[i].size) == 0)
      return kinds[i].type;
  return "image/png";
}

/* images in other files move into the buffer */
static void put_images(writer *w, const si_json_value *list, si_text *views) {
  static const char *const uri[] = { "uri", "mimeType", NULL };
  const si_json *json = &w->r.json;
  const si_json_value *image = si_json_first(list);
  si_text_add(&w->json, "[");
  for (uint32_t i = 0; i < list->count; i++, image = si_json_after(json, image)) {
    const sinew_character_image *have = &w->c->images[i];
    if (i) si_text_add(&w->json, ",");
    if (!have->bytes || !si_json_find(json, image, "uri")) {
      si_edit_put(&w->json, json, image);
      continue;
    }
    const si_json_value *member = si_json_first(image);
    const char *type = *have->type ? have->type : type_of(have);
    bool first = true;
    si_text_add(&w->json, "{");
    for (uint32_t k = 0; k < image->count; k++, member = si_json_after(json, member))
      if (!si_edit_is(member, uri)) si_edit_copy(&w->json, json, member, &first);
    si_edit_key(&w->json, "mimeType", &first);
    si_text_quoted(&w->json, type);
    si_edit_key(&w->json, "bufferView", &first);
    si_text_format(&w->json, "%u}", w->views);
    pad(&w->bin);
    si_text_format(views, "%s{\"buffer\":0,\"byteOffset\":%zu,\"byteLength\":%zu}",
                   w->views ? "," : "", w->bin.size, have->size);
    si_text_add_n(&w->bin, have->bytes, have->size);
    w->views++;
  }
  si_text_add(&w->json, "]");
}

static bool is_taken(const writer *w, const si_json_value *name) {
  for (int i = 0; i < w->take_count; i++)
    if (si_json_is(name, w->takes[i]->name)) return true;
  return false;
}

/* the source's animations but those of the same names, and the new ones */
static void put_animations(writer *w, const si_json_value *list, const si_text *own) {
  const si_json *json = &w->r.json;
  const si_json_value *value = list ? si_json_first(list) : NULL;
  bool first = true;
  si_text_add(&w->json, "[");
  for (uint32_t i = 0; list && i < list->count; i++, value = si_json_after(json, value)) {
    if (is_taken(w, si_json_find(json, value, "name"))) continue;
    si_edit_copy(&w->json, json, value, &first);
    w->written.animations++;
  }
  if (own->size) {
    if (!first) si_text_add(&w->json, ",");
    si_text_add_n(&w->json, own->at, own->size);
    w->written.animations += w->take_count;
  }
  si_text_add(&w->json, "]");
}

static void put_extras(writer *w, const si_json_value *extras) {
  static const char *const own[] = { "sinew", NULL };
  const si_json *json = &w->r.json;
  bool first = true;
  si_text_add(&w->json, "{");
  if (extras && extras->kind == SI_JSON_OBJECT) {
    const si_json_value *member = si_json_first(extras);
    for (uint32_t i = 0; i < extras->count; i++, member = si_json_after(json, member))
      if (!si_edit_is(member, own)) si_edit_copy(&w->json, json, member, &first);
  }
  si_edit_key(&w->json, "sinew", &first);
  si_character_put_extras(&w->json, w->c, w->desc);
  si_text_add(&w->json, "}");
}

/* the root object, with `views` and `accessors` of the animation */
static sinew_status put_root(writer *w, const size_t *starts, si_text *views, si_text *accessors,
                             const si_text *animation) {
  static const char *const ours[] = { "buffers", "bufferViews", "accessors", "animations",
                                      "nodes",   "images",      "extras",    NULL };
  static const char *const shown[] = { "meshes",     "skins",          "materials",
                                       "textures",   "samplers",       "cameras",
                                       "extensions", "extensionsUsed", "extensionsRequired",
                                       NULL };
  const si_json *json = &w->r.json;
  const si_json_value *root = json->values, *member = si_json_first(root);
  const bool alone = w->desc->clip_alone, extras = w->desc->dofs || w->desc->limits;
  const si_json_value *old = si_json_find(json, root, "extras");
  const si_json_value *nodes = si_json_find(json, root, "nodes");
  const si_json_value *images = si_json_find(json, root, "images");
  const si_json_value *animations = alone ? NULL : si_json_find(json, root, "animations");
  const si_json_value *list = si_json_find(json, root, "accessors");
  bool first = true;
  si_text_add(&w->json, "{");
  for (uint32_t i = 0; i < root->count; i++, member = si_json_after(json, member))
    if (!si_edit_is(member, ours) && !(alone && si_edit_is(member, shown)))
      si_edit_copy(&w->json, json, member, &first);
  si_edit_key(&w->json, "nodes", &first);
  put_nodes(w, nodes);
  if (images && images->kind == SI_JSON_LIST && images->count && !alone) {
    si_edit_key(&w->json, "images", &first);
    put_images(w, images, views);
  }
  if (extras || (old && !alone)) {
    si_edit_key(&w->json, "extras", &first);
    if (extras)
      put_extras(w, old);
    else
      si_edit_put(&w->json, json, old);
  }
  if (animation->size || (animations && animations->count)) {
    si_edit_key(&w->json, "animations", &first);
    put_animations(w, animations, animation);
  }
  if (w->accessors) {
    bool none = true;
    si_edit_key(&w->json, "accessors", &first);
    si_text_add(&w->json, "[");
    const si_json_value *value = list ? si_json_first(list) : NULL;
    for (uint32_t i = 0; list && !alone && i < list->count; i++, value = si_json_after(json, value))
      si_edit_copy(&w->json, json, value, &none);
    if (accessors->at) si_text_add_n(&w->json, accessors->at, accessors->size);
    si_text_add(&w->json, "]");
  }
  if (w->views) {
    bool none = true;
    si_edit_key(&w->json, "bufferViews", &first);
    si_text_add(&w->json, "[");
    if (!alone) put_views(w, starts, &none);
    if (views->at) si_text_add_n(&w->json, views->at, views->size);
    si_text_add(&w->json, "]");
    pad(&w->bin);
    si_edit_key(&w->json, "buffers", &first);
    si_text_format(&w->json, "[{\"byteLength\":%zu}]", w->bin.size);
  }
  si_text_add(&w->json, "}");
  return SINEW_OK;
}

static void put_word(si_text *out, size_t value) {
  const char bytes[4] = { (char)value, (char)(value >> 8), (char)(value >> 16),
                          (char)(value >> 24) };
  si_text_add_n(out, bytes, 4);
}

static char *put_glb(writer *w, size_t *size, sinew_error *error) {
  while (w->json.size % 4 && !w->json.failed) si_text_add(&w->json, " ");
  pad(&w->bin);
  if (w->json.size > UINT32_MAX - 64 || w->bin.size > UINT32_MAX - 64 - w->json.size)
    return si_fail_null(error, SINEW_ERR_LIMIT, "%s: is too large for a .glb", w->c->name);
  si_text out = { 0 };
  out.failed = w->json.failed || w->bin.failed;
  si_text_add(&out, "glTF");
  put_word(&out, 2);
  put_word(&out, 20 + w->json.size + (w->bin.size ? 8 + w->bin.size : 0));
  put_word(&out, w->json.size);
  si_text_add(&out, "JSON");
  if (!out.failed) si_text_add_n(&out, w->json.at, w->json.size);
  if (w->bin.size) {
    put_word(&out, w->bin.size);
    si_text_add_n(&out, "BIN", 4);
    if (!out.failed) si_text_add_n(&out, w->bin.at, w->bin.size);
  }
  return si_text_finish(&out, size, error);
}

static sinew_status write_all(writer *w) {
  const sinew_character *c = w->c;
  size_t *starts = si_alloc_array(w->r.buffers.count + 1, sizeof *starts);
  si_text views = { 0 }, accessors = { 0 }, animation = { 0 };
  w->rests = si_alloc_array(c->node_count, sizeof *w->rests);
  w->moved = si_alloc_array(c->node_count, 1);
  w->varies = si_alloc_array(c->node_count, 1);
  w->animate = si_alloc_array(c->node_count, 1);
  w->sheared = si_alloc_array(c->node_count, sizeof *w->sheared);
  sinew_status status = starts && w->rests && w->moved && w->varies && w->animate && w->sheared
                            ? SINEW_OK
                            : si_fail_memory(w->r.error);
  for (size_t i = 0; status >= 0 && i < c->node_count; i++) {
    const si_json_value *node = w->r.visits[i].node;
    CGLM_ALIGN_MAT float local[16];
    trs *t = &w->rests[i];
    status = si_gltf_local(&w->r, node, local);
    split(local, t);
    if (si_json_find(&w->r.json, node, "matrix")) continue;
    /* as the file says it: a scale below 0 could be split otherwise */
    *t = (trs){ .turn = { 0, 0, 0, 1 }, .scale = { 1, 1, 1 } };
    si_gltf_numbers(&w->r, node, "translation", 3, t->place);
    si_gltf_numbers(&w->r, node, "rotation", 4, t->turn);
    si_gltf_numbers(&w->r, node, "scale", 3, t->scale);
  }
  if (status >= 0 && !w->desc->clip_alone) status = join_buffers(w, starts);
  w->views = w->desc->clip_alone ? 0 : (uint32_t)w->r.views.count;
  w->accessors = w->desc->clip_alone ? 0 : (uint32_t)w->r.accessors.count;
  for (int i = 0; status >= 0 && i < w->take_count; i++) {
    w->take = w->takes[i];
    status = make_frames(w);
    if (status >= 0) status = put_animation(w, &views, &accessors, &animation);
    si_free(w->frames);
    w->frames = NULL;
  }
  for (size_t i = 0; status >= 0 && i < c->node_count; i++) w->written.sheared += w->sheared[i];
  if (status >= 0) status = put_root(w, starts, &views, &accessors, &animation);
  if (status >= 0 && (views.failed || accessors.failed || animation.failed))
    status = si_fail_memory(w->r.error);
  si_free(views.at);
  si_free(accessors.at);
  si_free(animation.at);
  si_free(starts);
  return status;
}

/* what the caller may have got wrong */
static sinew_status check(const sinew_character *c, const sinew_character_take *const *takes,
                          int take_count, const sinew_character_write_desc *desc,
                          sinew_error *error) {
  for (int i = 0; i < take_count; i++) {
    if (!SI_EXPECT(takes[i] && takes[i]->c == c))
      return si_fail(error, SINEW_ERR_CALL, "character: a take is of another character");
    if (!takes[i]->frames)
      return si_fail(error, SINEW_ERR_VALUE, "character: the take '%s' has no frames",
                     takes[i]->name);
    for (int k = 0; k < i; k++)
      if (strcmp(takes[i]->name, takes[k]->name) == 0)
        return si_fail(error, SINEW_ERR_NAME, "character: there are two takes '%s'",
                       takes[i]->name);
  }
  for (int i = 0; desc->limits && i < desc->limit_count; i++)
    if (!SI_EXPECT(si_character_has(c, desc->limits[i].node) &&
                   si_character_has(c, desc->limits[i].parent)))
      return si_fail(error, SINEW_ERR_CALL, "character: a limit is of another character");
  return SINEW_OK;
}

char *sinew_character_write(const sinew_character *c, const sinew_character_take *const *takes,
                            int take_count, const sinew_character_write_desc *desc, size_t *size,
                            sinew_character_written *dest, sinew_error *error) {
  SI_OWN_ERROR(error);
  sinew_character_write_desc whole = sinew_default_character_write_desc();
  if (!SI_EXPECT(c && size && (takes || take_count == 0) && take_count >= 0))
    return si_fail_null(error, SINEW_ERR_CALL, "character: nothing to write");
  if (!SI_TAKE_DESC(character_write_desc, desc, &whole, error) ||
      check(c, takes, take_count, desc, error) < 0)
    return NULL;
  writer w = { .c = c, .r = c->reader, .takes = takes, .take_count = take_count, .desc = desc };
  w.r.error = error;
  char *file = write_all(&w) >= 0 ? put_glb(&w, size, error) : NULL;
  w.written.mean = w.measured ? (float)(w.sum / (double)w.measured) : 0;
  if (dest) *dest = w.written;
  si_free(w.json.at);
  si_free(w.bin.at);
  si_free(w.rests);
  si_free(w.frames);
  si_free(w.moved);
  si_free(w.varies);
  si_free(w.animate);
  si_free(w.sheared);
  return file;
}
