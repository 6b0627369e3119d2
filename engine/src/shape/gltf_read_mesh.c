/* The triangles of a glTF file. A vertex is moved by the product of the matrices from the root to
 * its node, a normal by the cofactors of that product; a skinned vertex instead by the weighted sum
 * of its joints' matrices, each with its inverse bind matrix, as the file poses them. */
#include "shape/gltf_read.h"

#include <math.h>
#include <string.h>

#include "base/alloc.h"
#include "base/budget_internal.h"

enum { most_primitives = 16384 }; /* counted for each node that uses them */

static void read_vec3(const si_gltf_span *s, size_t i, float dest[3]) {
  for (int k = 0; k < 3; k++) {
    uint32_t bits = si_gltf_little(s->bytes + i * s->stride + 4 * k, 4);
    memcpy(&dest[k], &bits, sizeof bits);
  }
}

static uint32_t read_index(const si_gltf_span *s, size_t i) {
  return si_gltf_little(s->bytes + i * s->stride, si_gltf_component_size(s));
}

/* transforms a normal by the cofactors of m and normalizes it; zero if that is not possible */
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

/* the four joints and weights of a vertex; integer weights are normalized to 0..1 */
static sinew_status read_weights(const si_gltf_reader *r, const si_json_value *at,
                                 const si_gltf_span *joints, const si_gltf_span *weights, size_t i,
                                 uint32_t *joint, float *weight) {
  const int size = si_gltf_component_size(joints), part = si_gltf_component_size(weights);
  double sum = 0;
  for (int k = 0; k < 4; k++) {
    const unsigned char *from = weights->bytes + i * weights->stride + (size_t)(part * k);
    joint[k] = si_gltf_little(joints->bytes + i * joints->stride + (size_t)(size * k), size);
    weight[k] = part == 4 ? si_gltf_float(from)
                          : (float)si_gltf_little(from, part) / (part == 1 ? 255.0f : 65535.0f);
    if (!(weight[k] >= 0 && weight[k] <= SI_GLTF_EXTENT))
      return si_gltf_fail(r, at, "vertex %zu has a weight of %g", i, (double)weight[k]);
    if (weight[k] > 0 && joint[k] >= r->skin_joints)
      return si_gltf_fail(r, at, "vertex %zu follows joint %u of its skin, there are %zu", i,
                          joint[k], r->skin_joints);
    if (weight[k] == 0) joint[k] = 0;
    sum += (double)weight[k];
  }
  if (!(sum > 1e-6)) return si_gltf_fail(r, at, "vertex %zu of a skin has no weight", i);
  for (int k = 0; k < 4; k++) weight[k] = (float)((double)weight[k] / sum);
  return SINEW_OK;
}

/* stores the weights of a vertex and computes its blended matrix */
static sinew_status follow_joints(const si_gltf_reader *r, const si_json_value *at,
                                  const si_gltf_span *joints, const si_gltf_span *weights,
                                  size_t first, size_t i, float *dest) {
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
  return si_grow(&p->joints, &p->joint_room, 4 * p->vertex_count, sizeof *p->joints) &&
         si_grow(&p->weights, &p->weight_room, 4 * p->vertex_count, sizeof *p->weights);
}

/* a primitive while it is read */
typedef struct primitive {
  const si_json_value *at;
  si_gltf_span places, normals, indices, joints, weights;
  bool has_normals, has_indices, skinned;
  bool mirrored;              /* its triangles get the opposite winding */
  size_t first, first_corner; /* its first vertex and corner in the mesh */
} primitive;

static sinew_status read_spans(si_gltf_reader *r, const si_json_value *attributes, primitive *p) {
  p->has_normals = si_json_find(&r->json, attributes, "NORMAL");
  p->has_indices = si_json_find(&r->json, p->at, "indices");
  p->skinned = r->skin_joints && si_json_find(&r->json, attributes, "JOINTS_0");
  sinew_status status = si_gltf_accessor(r, attributes, "POSITION", "VEC3", &p->places);
  if (status >= 0 && p->has_normals)
    status = si_gltf_accessor(r, attributes, "NORMAL", "VEC3", &p->normals);
  if (status >= 0 && p->has_indices)
    status = si_gltf_accessor(r, p->at, "indices", "SCALAR", &p->indices);
  if (status >= 0 && p->skinned)
    status = si_gltf_accessor(r, attributes, "JOINTS_0", "VEC4", &p->joints);
  if (status >= 0 && p->skinned)
    status = si_gltf_accessor(r, attributes, "WEIGHTS_0", "VEC4", &p->weights);
  if (status < 0) return status;
  const size_t count = p->places.count;
  if (p->skinned && (p->joints.count != count || p->weights.count != count))
    return si_gltf_fail(r, p->at, "a primitive has %zu positions, %zu joints and %zu weights",
                        count, p->joints.count, p->weights.count);
  if (p->has_normals && p->normals.count != count)
    return si_gltf_fail(r, p->at, "a primitive has %zu positions and %zu normals", count,
                        p->normals.count);
  return SINEW_OK;
}

static sinew_status add_vertices(const si_gltf_reader *r, const primitive *p, const float *world) {
  si_mesh_parts *dest = r->dest;
  float blend[16];
  for (size_t i = 0; i < p->places.count; i++) {
    float from[3], *to = dest->vertices + 3 * (p->first + i);
    if (i % 256 == 0 && !si_work(256 * (p->skinned ? 8 : 3))) return si_fail_memory(r->error);
    if (p->skinned) {
      sinew_status status = follow_joints(r, p->at, &p->joints, &p->weights, p->first, i, blend);
      if (status < 0) return status;
      world = blend;
    }
    read_vec3(&p->places, i, from);
    for (int k = 0; k < 3; k++) {
      to[k] = world[k] * from[0] + world[4 + k] * from[1] + world[8 + k] * from[2] + world[12 + k];
      if (!(fabsf(to[k]) <= SI_GLTF_EXTENT))
        return si_gltf_fail(r, p->at, "a coordinate of vertex %zu is not within +-%g", i,
                            (double)SI_GLTF_EXTENT);
    }
    if (!p->has_normals) continue;
    read_vec3(&p->normals, i, from);
    move_normal(world, from, p->mirrored, dest->normals + 3 * (p->first + i));
  }
  return SINEW_OK;
}

static sinew_status add_corners(const si_gltf_reader *r, const primitive *p, size_t corners) {
  for (size_t i = 0; i < corners; i++) {
    if (i % 1024 == 0 && !si_work(256)) return si_fail_memory(r->error);
    size_t place = p->mirrored && i % 3 > 0 ? i / 3 * 3 + 3 - i % 3 : i;
    uint32_t index = p->has_indices ? read_index(&p->indices, i) : (uint32_t)i;
    if (index >= p->places.count)
      return si_gltf_fail(r, p->at, "a triangle has vertex %u, there are %zu", index,
                          p->places.count);
    r->dest->triangles[p->first_corner + place] = (uint32_t)p->first + index;
  }
  return SINEW_OK;
}

static sinew_status add_primitive(si_gltf_reader *r, const si_json_value *at, const float *world) {
  const si_json_value *attributes = si_json_find(&r->json, at, "attributes");
  si_mesh_parts *dest = r->dest;
  primitive p = { .at = at, .first = dest->vertex_count, .first_corner = 3 * dest->triangle_count };
  uint32_t mode;
  sinew_status status = si_gltf_whole(r, at, "mode", 4, &mode);
  if (status < 0 || mode != 4) return status;
  if (!attributes || attributes->kind != SI_JSON_OBJECT)
    return si_gltf_fail(r, at, "a primitive has no 'attributes'");
  status = read_spans(r, attributes, &p);
  if (status < 0) return status;
  const size_t corners = p.has_indices ? p.indices.count : p.places.count;
  if (corners % 3 != 0) return si_gltf_fail(r, at, "%zu corners are not a multiple of 3", corners);
  status = si_mesh_add(dest, r->name, p.places.count, corners / 3, r->error);
  if (status < 0) return status;
  if (p.skinned && !grow_weights(dest)) return si_fail_memory(r->error);
  p.mirrored = !p.skinned && determinant(world) < 0;
  status = add_vertices(r, &p, world);
  return status < 0 ? status : add_corners(r, &p, corners);
}

sinew_status si_gltf_add_mesh(si_gltf_reader *r, const si_json_value *mesh, const float *world) {
  const si_json_value *list = si_json_find(&r->json, mesh, "primitives");
  if (!list || list->kind != SI_JSON_LIST)
    return si_gltf_fail(r, mesh, "a mesh has no 'primitives'");
  const si_json_value *value = si_json_first(list);
  for (uint32_t i = 0; i < list->count; i++, value = si_json_after(&r->json, value)) {
    if (++r->primitive_count > most_primitives)
      return si_gltf_fail(r, value, "the scene has more than %d primitives", most_primitives);
    sinew_status status = add_primitive(r, value, world);
    if (status < 0) return status;
  }
  return SINEW_OK;
}
