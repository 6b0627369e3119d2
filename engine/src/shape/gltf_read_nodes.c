/* The nodes of a glTF file's default scene: their transforms and meshes. The skin of a node is
 * opened before its mesh is read. */
#include "shape/gltf_read.h"

#include <math.h>

#include "base/alloc.h"

sinew_status si_gltf_numbers(const si_gltf_reader *r, const si_json_value *node, const char *key,
                             uint32_t count, float *dest) {
  const si_json_value *list = si_json_find(&r->json, node, key);
  if (!list) return SINEW_OK;
  if (list->kind != SI_JSON_LIST || list->count != count)
    return si_gltf_fail(r, list, "'%s' must be a list of %u numbers", key, count);
  for (uint32_t i = 0; i < count; i++) {
    const si_json_value *value = si_json_first(list) + i; /* numbers have no items */
    if (value->kind != SI_JSON_NUMBER || !(fabs(value->number) <= (double)SI_GLTF_EXTENT))
      return si_gltf_fail(r, list, "'%s' must be a list of %u numbers", key, count);
    dest[i] = (float)value->number;
  }
  return SINEW_OK;
}

sinew_status si_gltf_local(const si_gltf_reader *r, const si_json_value *node, float *dest) {
  float t[3] = { 0, 0, 0 }, q[4] = { 0, 0, 0, 1 }, s[3] = { 1, 1, 1 };
  si_mat_identity(dest);
  sinew_status status;
  if ((status = si_gltf_numbers(r, node, "matrix", 16, dest)) < 0 ||
      (status = si_gltf_numbers(r, node, "translation", 3, t)) < 0 ||
      (status = si_gltf_numbers(r, node, "rotation", 4, q)) < 0 ||
      (status = si_gltf_numbers(r, node, "scale", 3, s)) < 0)
    return status;
  if (si_json_find(&r->json, node, "matrix"))
    return dest[3] == 0 && dest[7] == 0 && dest[11] == 0 && dest[15] == 1
               ? SINEW_OK
               : si_gltf_fail(r, node, "the last row of a 'matrix' must be 0, 0, 0, 1");
  double square = 0;
  for (int i = 0; i < 4; i++) square += (double)q[i] * q[i];
  if (!(square > 0)) return si_gltf_fail(r, node, "the 'rotation' of a node is zero");
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

/* appends the nodes of a list to the visits; each may be visited once, so there are no cycles */
static sinew_status reach(si_gltf_reader *r, const si_json_value *list, const float *parent,
                          size_t above) {
  if (!list) return SINEW_OK;
  if (list->kind != SI_JSON_LIST) return si_gltf_fail(r, list, "nodes must be in a list");
  const si_json_value *value = si_json_first(list);
  for (uint32_t i = 0; i < list->count; i++, value = si_json_after(&r->json, value)) {
    uint32_t index;
    sinew_status status = si_gltf_pick(r, value, &r->nodes, "node", &index);
    if (status < 0) return status;
    if (r->reached[index])
      return si_gltf_fail(r, value, "node %u is used twice, nodes must form a tree", index);
    si_gltf_visit *v = &r->visits[r->visit_count++];
    r->reached[index] = r->visit_count;
    CGLM_ALIGN_MAT float local[16];
    v->node = r->nodes.items[index];
    v->parent = above;
    status = si_gltf_local(r, v->node, local);
    if (status < 0) return status;
    si_mat_mul(parent, local, v->world);
  }
  return SINEW_OK;
}

/* the index of a node among the joints; a new joint is added with its name */
static sinew_status number_joint(const si_gltf_reader *r, uint32_t node, uint32_t *dest) {
  si_mesh_parts *p = r->dest;
  if (!r->joint_of[node]) {
    if (!si_grow(&p->names, &p->name_room, (p->joint_count + 1) * SINEW_MESH_NAME, 1))
      return si_fail_memory(r->error);
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

/* opens the skin of a node: its joints, and world * inverse bind matrix of each */
static sinew_status open_skin(si_gltf_reader *r, const si_json_value *node) {
  uint32_t index;
  si_gltf_span bind = { 0 };
  sinew_status status = si_gltf_pick_member(r, node, "skin", &r->skins, "skin", &index);
  if (status < 0) return status;
  const si_json_value *object = r->skins.items[index];
  const si_json_value *list = si_json_find(&r->json, object, "joints");
  if (!list || list->kind != SI_JSON_LIST || list->count == 0)
    return si_gltf_fail(r, object, "skin %u has no 'joints'", index);
  const bool bound = si_json_find(&r->json, object, "inverseBindMatrices");
  if (bound) status = si_gltf_accessor(r, object, "inverseBindMatrices", "MAT4", &bind);
  if (status >= 0 && bound && bind.count < list->count)
    status = si_gltf_fail(r, object, "skin %u has %u joints and %zu matrices", index, list->count,
                          bind.count);
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
    if ((status = si_gltf_pick(r, value, &r->nodes, "node", &joint)) < 0 ||
        (status = number_joint(r, joint, &r->joints[i])) < 0)
      return status;
    if (!r->reached[joint]) return si_gltf_fail(r, value, "joint %u is not in the scene", joint);
    si_mat_identity(inverse);
    for (int e = 0; bound && e < 16; e++)
      inverse[e] = si_gltf_float(bind.bytes + i * bind.stride + (size_t)(4 * e));
    inverse[3] = inverse[7] = inverse[11] = 0;
    inverse[15] = 1;
    si_mat_mul(r->visits[r->reached[joint] - 1].world, inverse, r->joint_moves + 16 * (size_t)i);
  }
  r->skin_joints = list->count;
  return SINEW_OK;
}

sinew_status si_gltf_walk(si_gltf_reader *r) {
  const si_json_value *root = r->json.values;
  si_gltf_table scenes = { NULL, 0 };
  uint32_t scene = 0;
  sinew_status status = si_gltf_table_read(r, "scenes", &scenes);
  if (status >= 0 && scenes.count == 0) status = si_gltf_fail(r, root, "there are no 'scenes'");
  const si_json_value *choice = si_json_find(&r->json, root, "scene");
  if (status >= 0 && choice) status = si_gltf_pick(r, choice, &scenes, "scene", &scene);
  CGLM_ALIGN_MAT float identity[16];
  si_mat_identity(identity);
  if (status >= 0)
    status = reach(r, si_json_find(&r->json, scenes.items[scene], "nodes"), identity, 0);
  for (size_t i = 0; status >= 0 && i < r->visit_count; i++) {
    const si_gltf_visit *v = &r->visits[i];
    status = reach(r, si_json_find(&r->json, v->node, "children"), v->world, i + 1);
  }
  return status;
}

sinew_status si_gltf_add_meshes(si_gltf_reader *r) {
  sinew_status status = SINEW_OK;
  for (size_t i = 0; status >= 0 && i < r->visit_count; i++) {
    const si_gltf_visit *v = &r->visits[i];
    uint32_t mesh;
    if (!si_json_find(&r->json, v->node, "mesh")) continue;
    r->skin_joints = 0;
    if (si_json_find(&r->json, v->node, "skin")) status = open_skin(r, v->node);
    if (status >= 0) status = si_gltf_pick_member(r, v->node, "mesh", &r->meshes, "mesh", &mesh);
    if (status >= 0) status = si_gltf_add_mesh(r, r->meshes.items[mesh], v->world);
  }
  return status;
}
