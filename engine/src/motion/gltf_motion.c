/* An animation of a glTF file (.glb, .gltf, .vrm) as motion: every node of the default scene is a
 * joint, and the animation is sampled evenly. Scales of nodes are taken into the places of the
 * nodes below, so that the joints are rigid. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/alloc.h"
#include "base/budget_internal.h"
#include "base/text.h"
#include "motion/motion_internal.h"
#include "shape/gltf_read.h"

enum { usual_rate = 30, most_channels = 1 << 16 };

typedef struct channel {
  const unsigned char *times, *values;
  size_t time_stride, value_stride, count;
  uint32_t node; /* index of its visit */
  int path;      /* 0: translation, 1: rotation, 2: scale */
  int mode;      /* 0: linear, 1: step, 2: cubic */
  size_t last;
} channel;

typedef struct work {
  si_gltf_reader r;
  channel *channels;
  size_t channel_count, channel_room;
  float (*trs)[10]; /* of each visit: place, turn, scale */
  float *worlds, *rigid;
  double end;
} work;

static const char *const paths[] = { "translation", "rotation", "scale" };

static float time_at(const channel *c, size_t i) {
  return si_gltf_float(c->times + i * c->time_stride);
}

static sinew_status read_channel(work *w, const si_gltf_table *samplers, const si_json_value *at) {
  si_gltf_reader *r = &w->r;
  const si_json *json = &r->json;
  const si_json_value *target = si_json_find(json, at, "target");
  const si_json_value *path = si_json_find(json, target, "path");
  channel c = { .path = -1 };
  for (int i = 0; i < 3; i++)
    if (si_json_is(path, paths[i])) c.path = i;
  if (c.path < 0 || !si_json_find(json, target, "node")) return SINEW_OK; /* morph weights */
  uint32_t node, sampler;
  sinew_status status;
  if ((status = si_gltf_pick_member(r, target, "node", &r->nodes, "node", &node)) < 0 ||
      (status = si_gltf_pick_member(r, at, "sampler", samplers, "sampler", &sampler)) < 0)
    return status;
  if (!r->reached[node]) return SINEW_OK;
  c.node = (uint32_t)r->reached[node] - 1;
  const si_json_value *s = samplers->items[sampler];
  const si_json_value *mode = si_json_find(json, s, "interpolation");
  c.mode = si_json_is(mode, "STEP") ? 1 : si_json_is(mode, "CUBICSPLINE") ? 2 : 0;
  si_gltf_span times, values;
  if ((status = si_gltf_accessor(r, s, "input", "SCALAR", &times)) < 0 ||
      (status = si_gltf_accessor(r, s, "output", c.path == 1 ? "VEC4" : "VEC3", &values)) < 0)
    return status;
  if (values.count != times.count * (c.mode == 2 ? 3 : 1))
    return si_gltf_fail(r, s, "a sampler has %zu times and %zu values", times.count, values.count);
  c.times = times.bytes, c.time_stride = times.stride, c.count = times.count;
  c.values = values.bytes, c.value_stride = values.stride;
  for (size_t i = 0; i < c.count; i++) {
    float time = time_at(&c, i);
    if (!(time >= 0 && time < 1e6f) || (i && time < time_at(&c, i - 1)))
      return si_gltf_fail(r, s, "the times of a sampler do not ascend from 0");
    w->end = fmax(w->end, (double)time);
  }
  const int parts = c.path == 1 ? 4 : 3;
  for (size_t i = 0; i < values.count; i++)
    for (int k = 0; k < parts; k++)
      if (!(fabsf(si_gltf_float(c.values + i * c.value_stride + 4 * (size_t)k)) <= SI_GLTF_EXTENT))
        return si_gltf_fail(r, s, "a value of a sampler is not finite");
  if (w->channel_count >= most_channels) return si_gltf_fail(r, at, "there are too many channels");
  if (!si_grow(&w->channels, &w->channel_room, w->channel_count + 1, sizeof *w->channels))
    return si_fail_memory(r->error);
  w->channels[w->channel_count++] = c;
  return SINEW_OK;
}

/* a table of objects inside another */
static sinew_status read_list(si_gltf_reader *r, const si_json_value *object, const char *key,
                              si_gltf_table *dest) {
  const si_json_value *list = si_json_find(&r->json, object, key);
  if (!list || list->kind != SI_JSON_LIST)
    return si_gltf_fail(r, object, "an animation has no '%s'", key);
  dest->items = si_arena_take(&r->arena, ((size_t)list->count + 1) * sizeof *dest->items);
  if (!dest->items) return si_fail_memory(r->error);
  const si_json_value *value = si_json_first(list);
  for (dest->count = 0; dest->count < list->count; value = si_json_after(&r->json, value))
    dest->items[dest->count++] = value;
  return SINEW_OK;
}

static sinew_status choose(si_gltf_reader *r, const char *name, const si_json_value **dest) {
  si_gltf_table all = { NULL, 0 };
  sinew_status status = si_gltf_table_read(r, "animations", &all);
  if (status < 0) return status;
  if (!all.count) return si_gltf_fail(r, r->json.values, "the file has no animations");
  *dest = name ? NULL : all.items[0];
  char known[256] = "";
  for (size_t i = 0; i < all.count && !*dest; i++) {
    const si_json_value *value = si_json_find(&r->json, all.items[i], "name");
    char text[128] = "";
    if (value && value->kind == SI_JSON_STRING &&
        !si_json_plain(value->text, value->text_length, text, sizeof text))
      text[0] = '\0';
    if (strcmp(text, name) == 0) *dest = all.items[i];
    size_t used = strlen(known);
    snprintf(known + used, sizeof known - used, "%s'%.60s'", i ? ", " : "", text);
  }
  return *dest ? SINEW_OK
               : si_gltf_fail(r, r->json.values, "there is no animation '%.60s'; there are %s",
                              name, known);
}

static void normalize(float q[4]) {
  double square = 0;
  for (int k = 0; k < 4; k++) square += (double)q[k] * q[k];
  if (!(square > 0)) q[0] = q[1] = q[2] = 0, q[3] = 1, square = 1;
  for (int k = 0; k < 4; k++) q[k] = (float)(q[k] / sqrt(square));
}

static void sample(channel *c, float time, float *dest) {
  const int parts = c->path == 1 ? 4 : 3;
  while (c->last + 1 < c->count && time_at(c, c->last + 1) <= time) c->last++;
  const size_t a = c->last, b = a + 1 < c->count ? a + 1 : a, step = c->mode == 2 ? 3 : 1;
  const size_t middle = c->mode == 2;
  const float from = time_at(c, a), length = time_at(c, b) - from;
  const float u = length > 0 && c->mode != 1 ? fminf(1, fmaxf(0, (time - from) / length)) : 0;
#define VALUE(key, part, k)                                                                        \
  si_gltf_float(c->values + ((key)*step + (part)) * c->value_stride + 4 * (size_t)(k))
  float dot = 0, side = 1;
  for (int k = 0; k < parts; k++) dot += VALUE(a, middle, k) * VALUE(b, middle, k);
  if (c->path == 1 && c->mode == 0 && dot < 0) side = -1;
  for (int k = 0; k < parts; k++) {
    const float x = VALUE(a, middle, k), y = side * VALUE(b, middle, k);
    dest[k] = x + u * (y - x);
    if (c->mode == 2 && length > 0) { /* Hermite, tangents around each value */
      const float out = length * VALUE(a, 2, k), in = length * VALUE(b, 0, k);
      const float u2 = u * u, u3 = u2 * u;
      dest[k] = (2 * u3 - 3 * u2 + 1) * x + (u3 - 2 * u2 + u) * out + (3 * u2 - 2 * u3) * y +
                (u3 - u2) * in;
    }
  }
#undef VALUE
  if (c->path != 1) return;
  if (c->mode == 0) { /* slerp: nlerp is off by up to a degree over wide steps */
    float cosine = fminf(1, fabsf(dot)), half = acosf(cosine), sine = sinf(half);
    for (int k = 0; k < 4 && sine > 1e-4f; k++) {
      const float x = si_gltf_float(c->values + a * c->value_stride + 4 * (size_t)k);
      const float y = side * si_gltf_float(c->values + b * c->value_stride + 4 * (size_t)k);
      dest[k] = (sinf((1 - u) * half) * x + sinf(u * half) * y) / sine;
    }
  }
  normalize(dest);
}

static void local_matrix(const float *t, float *dest) {
  const float x = t[3], y = t[4], z = t[5], w = t[6];
  const float turn[9] = {
    1 - 2 * (y * y + z * z), 2 * (x * y + z * w),     2 * (x * z - y * w),
    2 * (x * y - z * w),     1 - 2 * (x * x + z * z), 2 * (y * z + x * w),
    2 * (x * z + y * w),     2 * (y * z - x * w),     1 - 2 * (x * x + y * y)
  };
  si_mat_identity(dest);
  for (int c = 0; c < 3; c++) {
    for (int k = 0; k < 3; k++) dest[4 * c + k] = turn[3 * c + k] * t[7 + c];
    dest[12 + c] = t[c];
  }
}

/* the axes at right angles and of length 1; x keeps its direction */
static void make_rigid(const float *m, float *dest) {
  float x[3], y[3], z[3];
  si_mat_identity(dest);
  memcpy(dest + 12, m + 12, 3 * sizeof *dest);
  if (!si_vec_unit(m, x)) return;
  si_vec_cross(x, m + 4, z);
  if (!si_vec_unit(z, z)) return;
  si_vec_cross(z, x, y);
  memcpy(dest, x, sizeof x);
  memcpy(dest + 4, y, sizeof y);
  memcpy(dest + 8, z, sizeof z);
}

/* the rigid local transforms of all visits; places and angles about z, y, x if `values` */
static void pose_nodes(work *w, float *values, float (*places)[3]) {
  for (size_t i = 0; i < w->r.visit_count; i++) {
    const size_t parent = w->r.visits[i].parent;
    CGLM_ALIGN_MAT float local[16], inverse[16];
    local_matrix(w->trs[i], local);
    if (parent)
      si_mat_mul(w->worlds + 16 * (parent - 1), local, w->worlds + 16 * i);
    else
      si_mat_copy(local, w->worlds + 16 * i);
    make_rigid(w->worlds + 16 * i, w->rigid + 16 * i);
    si_mat_copy(w->rigid + 16 * i, local);
    if (parent) {
      si_mat_inverse_rigid(w->rigid + 16 * (parent - 1), inverse);
      si_mat_mul(inverse, w->rigid + 16 * i, local);
    }
    if (places) memcpy(places[i], local + 12, sizeof places[i]);
    if (!values) continue;
    float *v = values + 6 * i;
    memcpy(v, local + 12, 3 * sizeof *v);
    const float deg = 57.29577951f, flat = hypotf(local[0], local[1]);
    v[3] = flat > 1e-6f ? atan2f(local[1], local[0]) * deg : 0;
    v[4] = atan2f(-local[2], flat) * deg;
    v[5] = (flat > 1e-6f ? atan2f(local[6], local[10]) : atan2f(-local[9], local[5])) * deg;
  }
}

static sinew_status add_joints(work *w, const si_scan *scan, sinew_motion *m) {
  float(*places)[3] = si_alloc_array(w->r.visit_count, sizeof *places);
  if (!places) return si_fail_memory(w->r.error);
  pose_nodes(w, NULL, places);
  sinew_status status = SINEW_OK;
  for (size_t i = 0; i < w->r.visit_count && status == SINEW_OK; i++) {
    const si_json_value *name = si_json_find(&w->r.json, w->r.visits[i].node, "name");
    char text[256];
    if (!name || name->kind != SI_JSON_STRING ||
        !si_json_plain(name->text, name->text_length, text, sizeof text))
      snprintf(text, sizeof text, "node %zu", i);
    si_motion_joint *j;
    status = si_motion_add_joint(m, si_strdup(text), (int)w->r.visits[i].parent - 1, &j, scan);
    if (status != SINEW_OK) break;
    memcpy(j->offset, places[i], sizeof j->offset);
    j->replace = true;
    j->channel_count = 6;
    static const unsigned char kinds[6] = { 0, 1, 2, 5, 4, 3 };
    for (int k = 0; k < 6; k++) j->kinds[k] = kinds[k], j->places[k] = (unsigned char)k;
    m->width += 6;
  }
  si_free(places);
  return status;
}

static sinew_status read_all(work *w, const char *name, const void *bytes, size_t size, bool binary,
                             const sinew_motion_options *options, sinew_motion *m,
                             sinew_error *error) {
  si_gltf_reader *r = &w->r;
  const si_scan scan = { .name = name, .error = error };
  const si_json_value *animation;
  si_gltf_table channels = { NULL, 0 }, samplers = { NULL, 0 };
  sinew_status status;
  if ((status = si_gltf_open(r, bytes, size, binary)) < 0 || (status = si_gltf_start(r)) < 0 ||
      (status = si_gltf_walk(r)) < 0 || (status = choose(r, options->animation, &animation)) < 0 ||
      (status = read_list(r, animation, "channels", &channels)) < 0 ||
      (status = read_list(r, animation, "samplers", &samplers)) < 0)
    return status;
  for (size_t i = 0; i < channels.count; i++)
    if ((status = read_channel(w, &samplers, channels.items[i])) < 0) return status;
  const size_t count = r->visit_count;
  w->trs = si_arena_take(&r->arena, (count + 1) * sizeof *w->trs);
  w->worlds = si_arena_take(&r->arena, (count + 1) * 16 * sizeof(float));
  w->rigid = si_arena_take(&r->arena, (count + 1) * 16 * sizeof(float));
  if (!w->trs || !w->worlds || !w->rigid) return si_fail_memory(error);
  for (size_t i = 0; i < count; i++) {
    CGLM_ALIGN_MAT float local[16];
    float *t = w->trs[i];
    const si_json_value *node = r->visits[i].node;
    t[6] = t[7] = t[8] = t[9] = 1;
    if ((status = si_gltf_local(r, node, local)) < 0) return status;
    if (si_json_find(&r->json, node, "matrix")) { /* such a node is not animated */
      CGLM_ALIGN_MAT mat4 rigid;
      CGLM_ALIGN(16) versor q;
      make_rigid(local, rigid[0]);
      glm_mat4_quat(rigid, q);
      memcpy(t, local + 12, 3 * sizeof *t);
      memcpy(t + 3, q, 4 * sizeof *t);
      for (int k = 0; k < 3; k++) t[7 + k] = si_vec_length(local + 4 * k);
    } else {
      si_gltf_numbers(r, node, "translation", 3, t);
      si_gltf_numbers(r, node, "rotation", 4, t + 3);
      si_gltf_numbers(r, node, "scale", 3, t + 7);
    }
    normalize(t + 3);
  }
  m->kind = SINEW_MOTION_SKELETON;
  m->format = "glTF";
  m->rate = options->rate > 0 ? options->rate : usual_rate;
  m->unit = options->unit > 0 ? options->unit : 1;
  status = add_joints(w, &scan, m);
  const size_t frames = (size_t)(w->end * (double)m->rate + 0.5) + 1;
  for (size_t f = 0; f < frames && status == SINEW_OK; f++) {
    float *values;
    if (!si_work(15 * count + 8 * w->channel_count)) return si_fail_memory(error);
    if ((status = si_motion_add_frame(m, &values, &scan)) != SINEW_OK) break;
    for (size_t i = 0; i < w->channel_count; i++) {
      static const int starts[] = { 0, 3, 7 };
      channel *c = &w->channels[i];
      sample(c, (float)((double)f / (double)m->rate), w->trs[c->node] + starts[c->path]);
    }
    pose_nodes(w, values, NULL);
    for (size_t i = 0; i < 6 * count; i++) {
      if (i % 6 < 3) values[i] *= m->unit;
      if (!isfinite(values[i]))
        return si_fail(error, SINEW_ERR_FILE, "%s: frame %zu is not finite", name, f);
    }
  }
  for (size_t i = 0; i < m->joint_count; i++)
    for (int k = 0; k < 3; k++) m->joints[i].offset[k] *= m->unit;
  return status;
}

sinew_status si_gltf_motion_read(const char *name, const void *bytes, size_t size, bool beside,
                                 const sinew_motion_options *options, sinew_motion *dest,
                                 sinew_error *error) {
  work w = { .r = { .name = name, .beside = beside, .error = error } };
  const bool binary = si_ends_with(name, ".glb") || si_ends_with(name, ".vrm");
  sinew_status status = read_all(&w, name, bytes, size, binary, options, dest, error);
  si_gltf_close(&w.r);
  si_free(w.channels);
  return status < 0 ? status : SINEW_OK;
}
