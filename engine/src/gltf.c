/* glTF 2.0 (Khronos, ISO/IEC 12113), as far as a mesh to draw needs it: the triangles of the meshes
 * that the nodes of the default scene reach. A vertex is moved by the product of the matrices from
 * the root to its node, a normal by the cofactors of that product; a skinned vertex instead by the
 * weighted sum of its joints' matrices, each with its inverse bind matrix, as the file poses them.
 */
#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "alloc.h"
#include "base64.h"
#include "frame.h"
#include "json.h"
#include "mesh.h"

enum { most_primitives = 16384 }; /* counted each time a node shows them */
static const float most_extent = 1e9f;

/* a list at the top, its items found by their number */
typedef struct table {
  const si_json_value **items;
  size_t count;
} table;

typedef struct buffer {
  const unsigned char *bytes;
  size_t size;
  unsigned char *owned; /* what was decoded */
  bool known;
} buffer;

typedef struct visit {
  CGLM_ALIGN_MAT float world[16];
  const si_json_value *node;
} visit;

typedef struct reader {
  const char *name;
  si_json json;
  const unsigned char *chunk; /* the binary one of a .glb */
  size_t chunk_size;
  table nodes, meshes, accessors, views, buffers, skins;
  buffer *loaded;     /* one for each buffer */
  visit *visits;      /* nodes reached; room for all, each is reached once */
  size_t *reached;    /* of each node: its visit and 1 */
  uint32_t *joint_of; /* of each node: its joint and 1 */
  uint32_t *joints;   /* of the skin in hand: the joint of each of its joints */
  float *joint_moves; /* 16 floats each: from the bind pose to where the joints stand */
  size_t skin_joints; /* 0: none is in hand */
  size_t visit_count, primitive_count;
  si_mesh_parts *dest;
  sinew_error *error;
} reader;

/* an accessor, with all it reaches inside its buffer */
typedef struct span {
  const unsigned char *bytes;
  size_t stride, count;
  uint32_t component;
} span;

enum { UBYTE = 5121, USHORT = 5123, UINT = 5125, FLOAT = 5126 };

static sinew_status fail(const reader *r, const si_json_value *at, const char *format, ...)
    SI_PRINTF(3, 4);

static sinew_status fail(const reader *r, const si_json_value *at, const char *format, ...) {
  char text[256];
  va_list args;
  va_start(args, format);
  vsnprintf(text, sizeof text, format, args);
  va_end(args);
  return si_fail(r->error, SINEW_ERR_FILE, "%s:%lu: %s", r->name, (unsigned long)at->line, text);
}

/* a whole number from 0; `missing` where it is not given, unless that is negative */
static sinew_status read_whole(const reader *r, const si_json_value *object, const char *key,
                               int64_t missing, uint32_t *dest) {
  const si_json_value *value = si_json_find(&r->json, object, key);
  if (!value && missing < 0) return fail(r, object, "'%s' is missing", key);
  double number = value ? value->number : (double)missing;
  if ((value && value->kind != SI_JSON_NUMBER) || !(number >= 0 && number <= UINT32_MAX) ||
      number != floor(number))
    return fail(r, value ? value : object, "'%s' must be a whole number", key);
  *dest = (uint32_t)number;
  return SINEW_OK;
}

/* the item of a table that `value` is the number of */
static sinew_status pick(const reader *r, const si_json_value *value, const table *from,
                         const char *what, uint32_t *dest) {
  if (value->kind != SI_JSON_NUMBER || !(value->number >= 0) ||
      value->number != floor(value->number))
    return fail(r, value, "the number of a %s must be a whole number", what);
  if (value->number >= (double)from->count)
    return fail(r, value, "there is no %s %.0f, there are %zu", what, value->number, from->count);
  *dest = (uint32_t)value->number;
  return SINEW_OK;
}

static sinew_status pick_member(const reader *r, const si_json_value *object, const char *key,
                                const table *from, const char *what, uint32_t *dest) {
  const si_json_value *value = si_json_find(&r->json, object, key);
  if (!value) return fail(r, object, "'%s' is missing", key);
  return pick(r, value, from, what, dest);
}

static sinew_status read_table(const reader *r, const char *key, table *dest) {
  const si_json_value *list = si_json_find(&r->json, r->json.values, key);
  if (!list) return SINEW_OK;
  if (list->kind != SI_JSON_LIST) return fail(r, list, "'%s' must be a list", key);
  dest->items = si_alloc_array((size_t)list->count + 1, sizeof *dest->items);
  if (!dest->items) return si_fail_memory(r->error);
  const si_json_value *value = si_json_first(list);
  for (; dest->count < list->count; value = si_json_after(&r->json, value)) {
    if (value->kind != SI_JSON_OBJECT) return fail(r, value, "'%s' must hold objects", key);
    dest->items[dest->count++] = value;
  }
  return SINEW_OK;
}

/* base64 as it stands in JSON, where '/' may be written "\/" */
static sinew_status decode(const reader *r, const si_json_value *uri, const char *at, buffer *b) {
  const char *end = uri->text + uri->text_length;
  b->owned = si_alloc((size_t)(end - at) / 4 * 3 + 4);
  if (!b->owned) return si_fail_memory(r->error);
  b->bytes = b->owned;
  uint32_t bits = 0, filled = 0;
  for (; at < end && *at != '='; at++) {
    if (*at == '\\' && end - at > 1 && at[1] == '/') at++;
    int digit = si_base64_digit(*at);
    if (digit < 0) return fail(r, uri, "the data of a buffer is not base64");
    bits = bits << 6 | (uint32_t)digit;
    filled += 6;
    if (filled < 8) continue;
    filled -= 8;
    b->owned[b->size++] = (unsigned char)(bits >> filled);
  }
  for (; at < end; at++)
    if (*at != '=') return fail(r, uri, "the data of a buffer goes on behind its end");
  return SINEW_OK;
}

static sinew_status open_buffer(const reader *r, uint32_t index) {
  buffer *b = &r->loaded[index];
  if (b->known) return SINEW_OK;
  const si_json_value *object = r->buffers.items[index];
  const si_json_value *uri = si_json_find(&r->json, object, "uri");
  uint32_t length;
  sinew_status status = read_whole(r, object, "byteLength", -1, &length);
  if (status < 0) return status;
  if (!uri) {
    if (index > 0 || !r->chunk) return fail(r, object, "buffer %u has no data", index);
    b->bytes = r->chunk;
    b->size = r->chunk_size;
  } else {
    if (uri->kind != SI_JSON_STRING) return fail(r, uri, "'uri' must be a string");
    const char *text = uri->text, *comma;
    if (uri->text_length < 5 || memcmp(text, "data:", 5) != 0)
      return fail(r, uri,
                  "the buffer '%.*s' is a file of its own, which is not read; "
                  "save it as .glb or with its buffers inside",
                  (int)(uri->text_length < 60 ? uri->text_length : 60), text);
    comma = memchr(text, ',', uri->text_length);
    if (!comma || comma - text < 7 || memcmp(comma - 7, ";base64", 7) != 0)
      return fail(r, uri, "the data of a buffer is not base64");
    status = decode(r, uri, comma + 1, b);
    if (status < 0) return status;
  }
  if (b->size < length)
    return fail(r, object, "buffer %u has %zu bytes, its byteLength is %u", index, b->size, length);
  b->size = length;
  b->known = true;
  return SINEW_OK;
}

static sinew_status read_accessor(const reader *r, const si_json_value *object, const char *key,
                                  const char *type, span *dest) {
  uint32_t index, view_index, buffer_index, offset, count, view_offset, length, stride;
  sinew_status status = pick_member(r, object, key, &r->accessors, "accessor", &index);
  if (status < 0) return status;
  const si_json_value *a = r->accessors.items[index];
  if (si_json_find(&r->json, a, "sparse"))
    return fail(r, a, "accessor %u is sparse, which is not read", index);
  if (!si_json_is(si_json_find(&r->json, a, "type"), type))
    return fail(r, a, "accessor %u of '%s' must be a %s", index, key, type);
  const size_t parts = type[0] == 'S' ? 1 : type[0] == 'M' ? 16 : (size_t)(type[3] - '0');
  if ((status = pick_member(r, a, "bufferView", &r->views, "bufferView", &view_index)) < 0 ||
      (status = read_whole(r, a, "byteOffset", 0, &offset)) < 0 ||
      (status = read_whole(r, a, "count", -1, &count)) < 0 ||
      (status = read_whole(r, a, "componentType", -1, &dest->component)) < 0)
    return status;
  size_t size = dest->component == UBYTE ? 1 : dest->component == USHORT ? 2 : 4;
  const bool whole = size < 4 || (dest->component == UINT && parts == 1);
  const bool real = dest->component == FLOAT;
  /* numbers and joints are whole, weights may be, all else is not */
  const bool joints = key[0] == 'J', weights = key[0] == 'W';
  if (parts == 1 || joints ? !whole : weights ? !whole && !real : !real)
    return fail(r, a, "accessor %u of '%s' has components of type %u", index, key, dest->component);
  size *= parts;
  const si_json_value *v = r->views.items[view_index];
  if ((status = pick_member(r, v, "buffer", &r->buffers, "buffer", &buffer_index)) < 0 ||
      (status = read_whole(r, v, "byteOffset", 0, &view_offset)) < 0 ||
      (status = read_whole(r, v, "byteLength", -1, &length)) < 0 ||
      (status = read_whole(r, v, "byteStride", (int64_t)size, &stride)) < 0 ||
      (status = open_buffer(r, buffer_index)) < 0)
    return status;
  const buffer *b = &r->loaded[buffer_index];
  if (stride < size || stride > 252)
    return fail(r, v, "bufferView %u has a byteStride of %u", view_index, stride);
  /* all of these are below 2^32, so that 64 bits hold the sums */
  if ((uint64_t)view_offset + length > b->size)
    return fail(r, v, "bufferView %u reaches past the end of buffer %u", view_index, buffer_index);
  if (count == 0) return fail(r, a, "accessor %u is empty", index);
  if ((uint64_t)offset + (uint64_t)(count - 1) * stride + size > length)
    return fail(r, a, "accessor %u reaches past the end of bufferView %u", index, view_index);
  dest->bytes = b->bytes + view_offset + offset;
  dest->stride = stride;
  dest->count = count;
  return SINEW_OK;
}

static uint32_t little(const unsigned char *bytes, int count) {
  uint32_t value = 0;
  for (int i = 0; i < count; i++) value |= (uint32_t)bytes[i] << 8 * i;
  return value;
}

static void read_vec3(const span *s, size_t i, float dest[3]) {
  for (int k = 0; k < 3; k++) {
    uint32_t bits = little(s->bytes + i * s->stride + 4 * k, 4);
    memcpy(&dest[k], &bits, sizeof bits);
  }
}

static int component_size(const span *s) {
  return s->component == UBYTE ? 1 : s->component == USHORT ? 2 : 4;
}

static uint32_t read_index(const span *s, size_t i) {
  return little(s->bytes + i * s->stride, component_size(s));
}

static float read_float(const unsigned char *bytes) {
  uint32_t bits = little(bytes, 4);
  float value;
  memcpy(&value, &bits, sizeof value);
  return value;
}

/* moves a normal by the cofactors of m and makes it one long; zero where that cannot be */
static void move_normal(const float *m, const float n[3], bool mirrored, float *dest) {
  double sum[3], square = 0;
  for (int i = 0; i < 3; i++) {
    sum[i] = 0;
    for (int j = 0; j < 3; j++) {
      int i1 = (i + 1) % 3, i2 = (i + 2) % 3, j1 = (j + 1) % 3, j2 = (j + 2) % 3;
      sum[i] +=
          ((double)m[4 * j1 + i1] * m[4 * j2 + i2] - (double)m[4 * j2 + i1] * m[4 * j1 + i2]) *
          n[j];
    }
    square += sum[i] * sum[i];
  }
  double length = (mirrored ? -1 : 1) * sqrt(square);
  bool good = square > 0 && isfinite(square);
  for (int i = 0; i < 3; i++) dest[i] = good ? (float)(sum[i] / length) : 0;
}

static double determinant(const float *m) {
  double sum = 0;
  for (int i = 0; i < 3; i++)
    sum += m[i] * ((double)m[4 + (i + 1) % 3] * m[8 + (i + 2) % 3] -
                   (double)m[4 + (i + 2) % 3] * m[8 + (i + 1) % 3]);
  return sum;
}

/* four joints and weights of a vertex; whole weights are parts of the largest number there is */
static sinew_status read_weights(const reader *r, const si_json_value *at, const span *joints,
                                 const span *weights, size_t i, uint32_t *joint, float *weight) {
  const int size = component_size(joints), part = component_size(weights);
  double sum = 0;
  for (int k = 0; k < 4; k++) {
    const unsigned char *from = weights->bytes + i * weights->stride + (size_t)(part * k);
    joint[k] = little(joints->bytes + i * joints->stride + (size_t)(size * k), size);
    weight[k] =
        part == 4 ? read_float(from) : (float)little(from, part) / (part == 1 ? 255.0f : 65535.0f);
    if (!(weight[k] >= 0 && weight[k] <= most_extent))
      return fail(r, at, "vertex %zu has a weight of %g", i, (double)weight[k]);
    if (weight[k] > 0 && joint[k] >= r->skin_joints)
      return fail(r, at, "vertex %zu follows joint %u of its skin, there are %zu", i, joint[k],
                  r->skin_joints);
    if (weight[k] == 0) joint[k] = 0;
    sum += (double)weight[k];
  }
  if (!(sum > 1e-6)) return fail(r, at, "vertex %zu of a skin has no weight", i);
  for (int k = 0; k < 4; k++) weight[k] = (float)((double)weight[k] / sum);
  return SINEW_OK;
}

/* keeps the weights of a vertex and gives the matrix that brings it to where its joints stand */
static sinew_status follow_joints(const reader *r, const si_json_value *at, const span *joints,
                                  const span *weights, size_t first, size_t i, float *dest) {
  si_mesh_parts *p = r->dest;
  uint32_t *joint = p->joints + 4 * (first + i);
  float *weight = p->weights + 4 * (first + i);
  sinew_status status = read_weights(r, at, joints, weights, i, joint, weight);
  if (status < 0) return status;
  memset(dest, 0, 16 * sizeof *dest);
  for (int k = 0; k < 4; k++) {
    if (weight[k] == 0) continue;
    for (int e = 0; e < 16; e++) dest[e] += weight[k] * r->joint_moves[16 * (size_t)joint[k] + e];
    joint[k] = r->joints[joint[k]];
  }
  return SINEW_OK;
}

static bool grow_weights(si_mesh_parts *p) {
  void *j = p->joints, *w = p->weights;
  bool grown = si_grow(&j, &p->joint_room, 4 * p->vertex_count, sizeof(uint32_t)) &&
               si_grow(&w, &p->weight_room, 4 * p->vertex_count, sizeof(float));
  p->joints = j;
  p->weights = w;
  return grown;
}

static sinew_status add_primitive(const reader *r, const si_json_value *primitive,
                                  const float *world) {
  const si_json_value *attributes = si_json_find(&r->json, primitive, "attributes");
  uint32_t mode;
  span places, normals = { 0 }, indices = { 0 }, joints = { 0 }, weights = { 0 };
  sinew_status status = read_whole(r, primitive, "mode", 4, &mode);
  if (status < 0 || mode != 4) return status;
  if (!attributes || attributes->kind != SI_JSON_OBJECT)
    return fail(r, primitive, "a primitive has no 'attributes'");
  bool has_normals = si_json_find(&r->json, attributes, "NORMAL");
  bool has_indices = si_json_find(&r->json, primitive, "indices");
  status = read_accessor(r, attributes, "POSITION", "VEC3", &places);
  if (status >= 0 && has_normals) status = read_accessor(r, attributes, "NORMAL", "VEC3", &normals);
  if (status >= 0 && has_indices)
    status = read_accessor(r, primitive, "indices", "SCALAR", &indices);
  const bool skinned = r->skin_joints && si_json_find(&r->json, attributes, "JOINTS_0");
  if (status >= 0 && skinned) status = read_accessor(r, attributes, "JOINTS_0", "VEC4", &joints);
  if (status >= 0 && skinned) status = read_accessor(r, attributes, "WEIGHTS_0", "VEC4", &weights);
  if (status < 0) return status;
  if (skinned && (joints.count != places.count || weights.count != places.count))
    return fail(r, primitive, "a primitive has %zu positions, %zu joints and %zu weights",
                places.count, joints.count, weights.count);
  if (has_normals && normals.count != places.count)
    return fail(r, primitive, "a primitive has %zu positions and %zu normals", places.count,
                normals.count);
  const size_t corners = has_indices ? indices.count : places.count;
  if (corners % 3 != 0) return fail(r, primitive, "%zu corners are no triangles", corners);
  si_mesh_parts *p = r->dest;
  const size_t first = p->vertex_count, first_corner = 3 * p->triangle_count;
  status = si_mesh_add(p, r->name, places.count, corners / 3, r->error);
  if (status < 0) return status;
  if (skinned && !grow_weights(p)) return si_fail_memory(r->error);
  const bool mirrored = !skinned && determinant(world) < 0;
  float blend[16];
  for (size_t i = 0; i < places.count; i++) {
    float from[3], *to = p->vertices + 3 * (first + i);
    if (skinned) {
      status = follow_joints(r, primitive, &joints, &weights, first, i, blend);
      if (status < 0) return status;
      world = blend;
    }
    read_vec3(&places, i, from);
    for (int k = 0; k < 3; k++) {
      to[k] = world[k] * from[0] + world[4 + k] * from[1] + world[8 + k] * from[2] + world[12 + k];
      if (!(fabsf(to[k]) <= most_extent))
        return fail(r, primitive, "a coordinate of vertex %zu is not within +-%g", i,
                    (double)most_extent);
    }
    if (!has_normals) continue;
    read_vec3(&normals, i, from);
    move_normal(world, from, mirrored, p->normals + 3 * (first + i));
  }
  for (size_t i = 0; i < corners; i++) {
    /* a mirrored triangle is walked the other way round */
    size_t place = mirrored && i % 3 > 0 ? i / 3 * 3 + 3 - i % 3 : i;
    uint32_t index = has_indices ? read_index(&indices, i) : (uint32_t)i;
    if (index >= places.count)
      return fail(r, primitive, "a triangle has vertex %u, there are %zu", index, places.count);
    p->triangles[first_corner + place] = (uint32_t)first + index;
  }
  return SINEW_OK;
}

static sinew_status add_mesh(reader *r, const si_json_value *mesh, const float *world) {
  const si_json_value *list = si_json_find(&r->json, mesh, "primitives");
  if (!list || list->kind != SI_JSON_LIST) return fail(r, mesh, "a mesh has no 'primitives'");
  const si_json_value *value = si_json_first(list);
  for (uint32_t i = 0; i < list->count; i++, value = si_json_after(&r->json, value)) {
    if (++r->primitive_count > most_primitives)
      return fail(r, value, "the scene shows more than %d primitives", most_primitives);
    sinew_status status = add_primitive(r, value, world);
    if (status < 0) return status;
  }
  return SINEW_OK;
}

/* so many numbers into `dest`, which is left alone where there are none */
static sinew_status read_numbers(const reader *r, const si_json_value *node, const char *key,
                                 uint32_t count, float *dest) {
  const si_json_value *list = si_json_find(&r->json, node, key);
  if (!list) return SINEW_OK;
  if (list->kind != SI_JSON_LIST || list->count != count)
    return fail(r, list, "'%s' must be a list of %u numbers", key, count);
  for (uint32_t i = 0; i < count; i++) {
    const si_json_value *value = si_json_first(list) + i; /* numbers have nothing in them */
    if (value->kind != SI_JSON_NUMBER || !(fabs(value->number) <= (double)most_extent))
      return fail(r, list, "'%s' must be a list of %u numbers", key, count);
    dest[i] = (float)value->number;
  }
  return SINEW_OK;
}

static sinew_status read_local(const reader *r, const si_json_value *node, float *dest) {
  float t[3] = { 0, 0, 0 }, q[4] = { 0, 0, 0, 1 }, s[3] = { 1, 1, 1 };
  si_mat_identity(dest);
  sinew_status status;
  if ((status = read_numbers(r, node, "matrix", 16, dest)) < 0 ||
      (status = read_numbers(r, node, "translation", 3, t)) < 0 ||
      (status = read_numbers(r, node, "rotation", 4, q)) < 0 ||
      (status = read_numbers(r, node, "scale", 3, s)) < 0)
    return status;
  if (si_json_find(&r->json, node, "matrix"))
    return dest[3] == 0 && dest[7] == 0 && dest[11] == 0 && dest[15] == 1
               ? SINEW_OK
               : fail(r, node, "the last row of a 'matrix' must be 0, 0, 0, 1");
  double square = 0;
  for (int i = 0; i < 4; i++) square += (double)q[i] * q[i];
  if (!(square > 1e-12)) return fail(r, node, "the 'rotation' of a node is zero");
  const double k = 2 / square, x = q[0], y = q[1], z = q[2], w = q[3];
  const double turn[9] = {
    1 - k * (y * y + z * z), k * (x * y + z * w),     k * (x * z - y * w),
    k * (x * y - z * w),     1 - k * (x * x + z * z), k * (y * z + x * w),
    k * (x * z + y * w),     k * (y * z - x * w),     1 - k * (x * x + y * y)
  };
  for (int column = 0; column < 3; column++)
    for (int row = 0; row < 3; row++)
      dest[4 * column + row] = (float)(turn[3 * column + row] * (double)s[column]);
  for (int row = 0; row < 3; row++) dest[12 + row] = t[row];
  return SINEW_OK;
}

/* puts the nodes of a list behind those to visit; each may be reached once, so that there are no
 * cycles and no more visits than nodes */
static sinew_status reach(reader *r, const si_json_value *list, const float *parent) {
  if (!list) return SINEW_OK;
  if (list->kind != SI_JSON_LIST) return fail(r, list, "nodes must be in a list");
  const si_json_value *value = si_json_first(list);
  for (uint32_t i = 0; i < list->count; i++, value = si_json_after(&r->json, value)) {
    uint32_t index;
    sinew_status status = pick(r, value, &r->nodes, "node", &index);
    if (status < 0) return status;
    if (r->reached[index])
      return fail(r, value, "node %u is reached twice, nodes must be a tree", index);
    visit *v = &r->visits[r->visit_count++];
    r->reached[index] = r->visit_count;
    CGLM_ALIGN_MAT float local[16];
    v->node = r->nodes.items[index];
    status = read_local(r, v->node, local);
    if (status < 0) return status;
    si_mat_mul(parent, local, v->world);
  }
  return SINEW_OK;
}

/* the number of the joint that a node is, with its name kept when it is new */
static sinew_status number_joint(const reader *r, uint32_t node, uint32_t *dest) {
  si_mesh_parts *p = r->dest;
  if (!r->joint_of[node]) {
    void *names = p->names;
    bool grown = si_grow(&names, &p->name_room, (p->joint_count + 1) * SINEW_MESH_NAME, 1);
    p->names = names;
    if (!grown) return si_fail_memory(r->error);
    const si_json_value *name = si_json_find(&r->json, r->nodes.items[node], "name");
    char *to = p->names + p->joint_count * SINEW_MESH_NAME;
    if (!name || name->kind != SI_JSON_STRING ||
        !si_json_plain(name->text, name->text_length, to, SINEW_MESH_NAME))
      to[0] = '\0';
    r->joint_of[node] = (uint32_t)++p->joint_count;
  }
  *dest = r->joint_of[node] - 1;
  return SINEW_OK;
}

/* takes the skin of a node in hand: its joints, and world * inverse bind matrix of each */
static sinew_status open_skin(reader *r, const si_json_value *node) {
  uint32_t index;
  span bind = { 0 };
  sinew_status status = pick_member(r, node, "skin", &r->skins, "skin", &index);
  if (status < 0) return status;
  const si_json_value *object = r->skins.items[index];
  const si_json_value *list = si_json_find(&r->json, object, "joints");
  if (!list || list->kind != SI_JSON_LIST || list->count == 0)
    return fail(r, object, "skin %u has no 'joints'", index);
  const bool bound = si_json_find(&r->json, object, "inverseBindMatrices");
  if (bound) status = read_accessor(r, object, "inverseBindMatrices", "MAT4", &bind);
  if (status >= 0 && bound && bind.count < list->count)
    status =
        fail(r, object, "skin %u has %u joints and %zu matrices", index, list->count, bind.count);
  if (status < 0) return status;
  si_free(r->joints);
  si_free(r->joint_moves);
  r->joints = si_alloc_array(list->count, sizeof *r->joints);
  r->joint_moves = si_alloc_array(list->count, 16 * sizeof *r->joint_moves);
  if (!r->joints || !r->joint_moves) return si_fail_memory(r->error);
  const si_json_value *value = si_json_first(list);
  for (uint32_t i = 0; i < list->count; i++, value = si_json_after(&r->json, value)) {
    uint32_t joint;
    CGLM_ALIGN_MAT float inverse[16];
    if ((status = pick(r, value, &r->nodes, "node", &joint)) < 0 ||
        (status = number_joint(r, joint, &r->joints[i])) < 0)
      return status;
    if (!r->reached[joint]) return fail(r, value, "joint %u is not in the scene", joint);
    si_mat_identity(inverse);
    for (int e = 0; bound && e < 16; e++)
      inverse[e] = read_float(bind.bytes + i * bind.stride + (size_t)(4 * e));
    inverse[3] = inverse[7] = inverse[11] = 0, inverse[15] = 1;
    si_mat_mul(r->visits[r->reached[joint] - 1].world, inverse, r->joint_moves + 16 * (size_t)i);
  }
  r->skin_joints = list->count;
  return SINEW_OK;
}

static sinew_status read_scene(reader *r) {
  const si_json_value *root = r->json.values;
  table scenes = { NULL, 0 };
  uint32_t scene = 0;
  sinew_status status = read_table(r, "scenes", &scenes);
  if (status >= 0 && scenes.count == 0) status = fail(r, root, "there are no 'scenes'");
  const si_json_value *choice = si_json_find(&r->json, root, "scene");
  if (status >= 0 && choice) status = pick(r, choice, &scenes, "scene", &scene);
  CGLM_ALIGN_MAT float identity[16];
  si_mat_identity(identity);
  if (status >= 0)
    status = reach(r, si_json_find(&r->json, scenes.items[scene], "nodes"), identity);
  si_free(scenes.items);
  for (size_t i = 0; status >= 0 && i < r->visit_count; i++) {
    const visit *v = &r->visits[i];
    status = reach(r, si_json_find(&r->json, v->node, "children"), v->world);
  }
  for (size_t i = 0; status >= 0 && i < r->visit_count; i++) {
    const visit *v = &r->visits[i];
    uint32_t mesh;
    if (!si_json_find(&r->json, v->node, "mesh")) continue;
    r->skin_joints = 0;
    if (si_json_find(&r->json, v->node, "skin")) status = open_skin(r, v->node);
    if (status >= 0) status = pick_member(r, v->node, "mesh", &r->meshes, "mesh", &mesh);
    if (status >= 0) status = add_mesh(r, r->meshes.items[mesh], v->world);
  }
  return status;
}

static sinew_status read_document(reader *r) {
  const si_json_value *root = r->json.values;
  const si_json_value *version =
      si_json_find(&r->json, si_json_find(&r->json, root, "asset"), "version");
  if (!version || version->kind != SI_JSON_STRING || version->text_length < 2 ||
      memcmp(version->text, "2.", 2) != 0)
    return fail(r, version ? version : root,
                "this is no glTF 2.0: its 'asset' says no such version");
  const si_json_value *needed = si_json_find(&r->json, root, "extensionsRequired");
  if (needed && needed->kind == SI_JSON_LIST && needed->count > 0) {
    const si_json_value *first = si_json_first(needed);
    int length = first->kind != SI_JSON_STRING ? 0 : (int)first->text_length;
    return fail(r, first, "it needs the extension '%.*s', which is not read",
                length < 60 ? length : 60, length ? first->text : "");
  }
  sinew_status status;
  if ((status = read_table(r, "nodes", &r->nodes)) < 0 ||
      (status = read_table(r, "meshes", &r->meshes)) < 0 ||
      (status = read_table(r, "accessors", &r->accessors)) < 0 ||
      (status = read_table(r, "bufferViews", &r->views)) < 0 ||
      (status = read_table(r, "buffers", &r->buffers)) < 0 ||
      (status = read_table(r, "skins", &r->skins)) < 0)
    return status;
  r->loaded = si_alloc_array(r->buffers.count + 1, sizeof *r->loaded);
  r->visits = si_alloc_array(r->nodes.count + 1, sizeof *r->visits);
  r->reached = si_alloc_array(r->nodes.count + 1, sizeof *r->reached);
  r->joint_of = si_alloc_array(r->nodes.count + 1, sizeof *r->joint_of);
  if (!r->loaded || !r->visits || !r->reached || !r->joint_of) return si_fail_memory(r->error);
  return read_scene(r);
}

/* the two chunks of a .glb */
static sinew_status open_glb(reader *r, const unsigned char *bytes, size_t size, const char **text,
                             size_t *length) {
  if (size < 20 || memcmp(bytes, "glTF", 4) != 0)
    return si_fail(r->error, SINEW_ERR_FILE, "%s: is no .glb file", r->name);
  if (little(bytes + 4, 4) != 2)
    return si_fail(r->error, SINEW_ERR_FILE, "%s: is glTF of version %u, only 2 is read", r->name,
                   little(bytes + 4, 4));
  if (little(bytes + 8, 4) != size)
    return si_fail(r->error, SINEW_ERR_FILE, "%s: has %zu bytes, its head says %u", r->name, size,
                   little(bytes + 8, 4));
  *length = little(bytes + 12, 4);
  if (memcmp(bytes + 16, "JSON", 4) != 0 || *length > size - 20)
    return si_fail(r->error, SINEW_ERR_FILE, "%s: its first chunk is no JSON, or cut off", r->name);
  *text = (const char *)bytes + 20;
  const unsigned char *rest = bytes + 20 + *length;
  size_t left = size - 20 - *length;
  if (left < 8 || memcmp(rest + 4, "BIN\0", 4) != 0) return SINEW_OK;
  if (little(rest, 4) > left - 8)
    return si_fail(r->error, SINEW_ERR_FILE, "%s: its binary chunk is cut off", r->name);
  r->chunk = rest + 8;
  r->chunk_size = little(rest, 4);
  return SINEW_OK;
}

sinew_status si_gltf_read(const char *name, const unsigned char *bytes, size_t size, bool binary,
                          si_mesh_parts *dest, sinew_error *error) {
  reader r = { .name = name, .dest = dest, .error = error };
  const char *text = (const char *)bytes;
  size_t length = size;
  sinew_status status = binary ? open_glb(&r, bytes, size, &text, &length) : SINEW_OK;
  if (status >= 0) status = si_json_read(name, text, length, SI_JSON_VALUES, &r.json, error);
  if (status < 0) return status;
  status = read_document(&r);
  for (size_t i = 0; r.loaded && i < r.buffers.count; i++) si_free(r.loaded[i].owned);
  si_free(r.loaded);
  si_free(r.visits);
  si_free(r.reached);
  si_free(r.joint_of);
  si_free(r.joints);
  si_free(r.joint_moves);
  si_free(r.skins.items);
  si_free(r.nodes.items);
  si_free(r.meshes.items);
  si_free(r.accessors.items);
  si_free(r.views.items);
  si_free(r.buffers.items);
  si_json_free(&r.json);
  return status;
}
