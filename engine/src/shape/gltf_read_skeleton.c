/* The nodes of a glTF file as bones: frames in the world with scale, shear and mirroring taken out.
 * The x axis keeps its direction, y is turned into the plane of both, z follows. */
#include "shape/gltf_read.h"

#include <math.h>
#include <string.h>

#include "base/alloc.h"
#include "base/file_internal.h"
#include "base/text.h"
#include "sinew/skeleton.h"

static void cross(const double a[3], const double b[3], double dest[3]) {
  for (int i = 0; i < 3; i++)
    dest[i] = a[(i + 1) % 3] * b[(i + 2) % 3] - a[(i + 2) % 3] * b[(i + 1) % 3];
}

/* brings v to length 1 after taking away its part along `a`, if that is given; false, with v as it
 * was, if nothing is left */
static bool straighten(double v[3], const double *a) {
  double along = a ? v[0] * a[0] + v[1] * a[1] + v[2] * a[2] : 0, square = 0, whole = 0, rest[3];
  for (int i = 0; i < 3; i++) {
    rest[i] = v[i] - (a ? along * a[i] : 0);
    square += rest[i] * rest[i];
    whole += v[i] * v[i];
  }
  if (!(square > 1e-12 * whole) || !(whole > 1e-24)) return false;
  for (int i = 0; i < 3; i++) v[i] = rest[i] / sqrt(square);
  return true;
}

/* some direction across a unit vector */
static void across(const double a[3], double dest[3]) {
  int least = 0;
  for (int i = 1; i < 3; i++)
    if (fabs(a[i]) < fabs(a[least])) least = i;
  for (int i = 0; i < 3; i++) dest[i] = i == least;
  straighten(dest, a);
}

static void make_rigid(const float *m, sinew_skeleton_node *dest) {
  double x[3] = { 0 }, y[3] = { 0 }, z[3] = { 0 }, last[3];
  double *const axes[] = { x, y, z };
  for (int c = 0; c < 3; c++) {
    double square = 0;
    for (int i = 0; i < 3; i++) {
      axes[c][i] = (double)m[4 * c + i];
      square += axes[c][i] * axes[c][i];
    }
    dest->scale[c] = (float)sqrt(square);
  }
  /* an axis of length 0 is made up from the others */
  bool has_y = straighten(y, NULL), has_z = straighten(z, NULL);
  memcpy(last, z, sizeof last);
  if (!straighten(x, NULL)) {
    x[0] = 1;
    x[1] = x[2] = 0;
    if (has_y && has_z) cross(y, z, x);
    if (has_y != has_z) across(has_y ? y : z, x);
    if (!straighten(x, NULL)) across(y, x); /* y along z */
  }
  if (!has_y && has_z) cross(z, x, y);
  if (!straighten(y, x)) across(x, y);
  cross(x, y, z);
  if (z[0] * last[0] + z[1] * last[1] + z[2] * last[2] < 0) dest->scale[2] = -dest->scale[2];
  for (int i = 0; i < 3; i++) {
    dest->world[i] = (float)x[i];
    dest->world[4 + i] = (float)y[i];
    dest->world[8 + i] = (float)z[i];
    dest->world[12 + i] = m[12 + i];
    dest->world[4 * i + 3] = 0;
  }
  dest->world[15] = 1;
}

/* notes which nodes are joints of a skin */
static sinew_status mark_joints(const si_gltf_reader *r) {
  for (size_t i = 0; i < r->skins.count; i++) {
    const si_json_value *list = si_json_find(&r->json, r->skins.items[i], "joints");
    if (!list || list->kind != SI_JSON_LIST || list->count == 0)
      return si_gltf_fail(r, r->skins.items[i], "skin %zu has no 'joints'", i);
    const si_json_value *value = si_json_first(list);
    for (uint32_t k = 0; k < list->count; k++, value = si_json_after(&r->json, value)) {
      uint32_t joint;
      sinew_status status = si_gltf_pick(r, value, &r->nodes, "node", &joint);
      if (status < 0) return status;
      r->joint_of[joint] = 1;
    }
  }
  return SINEW_OK;
}

static sinew_status fill_node(const si_gltf_reader *r, size_t i, sinew_skeleton_node *dest) {
  const si_gltf_visit *v = &r->visits[i];
  const si_json_value *name = si_json_find(&r->json, v->node, "name");
  if (!name || name->kind != SI_JSON_STRING ||
      !si_json_plain(name->text, name->text_length, dest->name, SINEW_SKELETON_NAME))
    dest->name[0] = '\0';
  dest->parent = (int)v->parent - 1;
  dest->mesh = si_json_find(&r->json, v->node, "mesh") != NULL;
  for (int k = 0; k < 16; k++)
    if (!(fabsf(v->world[k]) <= SI_GLTF_EXTENT))
      return si_gltf_fail(r, v->node, "the frame of a node is not within +-%g",
                          (double)SI_GLTF_EXTENT);
  make_rigid(v->world, dest);
  return SINEW_OK;
}

static sinew_status count_items(si_gltf_reader *r, const char *key, int *dest) {
  si_gltf_table table = { NULL, 0 };
  sinew_status status = si_gltf_table_read(r, key, &table);
  *dest = (int)table.count;
  return status;
}

static sinew_status read_scene(si_gltf_reader *r, sinew_skeleton **dest) {
  sinew_skeleton counts = { .meshes = (int)r->meshes.count, .skins = (int)r->skins.count };
  sinew_status status = count_items(r, "animations", &counts.animations);
  if (status >= 0) status = count_items(r, "cameras", &counts.cameras);
  if (status >= 0) status = mark_joints(r);
  if (status < 0) return status;
  if (r->visit_count > SINEW_SKELETON_NODES)
    return si_fail(r->error, SINEW_ERR_LIMIT, "%s: has more than %d nodes", r->name,
                   SINEW_SKELETON_NODES);
  sinew_skeleton *scene = si_alloc(sizeof *scene + r->visit_count * sizeof *scene->nodes);
  if (!scene) return si_fail_memory(r->error);
  *scene = counts;
  scene->nodes = (void *)(scene + 1);
  scene->node_count = (int)r->visit_count;
  for (size_t i = 0; status >= 0 && i < r->visit_count; i++)
    status = fill_node(r, i, &scene->nodes[i]);
  for (size_t i = 0; i < r->nodes.count; i++)
    if (r->joint_of[i] && r->reached[i]) scene->nodes[r->reached[i] - 1].joint = true;
  if (status < 0)
    si_free(scene);
  else
    *dest = scene;
  return status;
}

sinew_skeleton *sinew_skeleton_parse(const char *name, const void *bytes, size_t size,
                                     sinew_error *error) {
  sinew_error_clear(error);
  if (!SI_EXPECT(name && (bytes || size == 0)))
    return si_fail_null(error, SINEW_ERR_CALL, "skeleton: no name or no bytes");
  bool binary = si_ends_with(name, ".glb") || si_ends_with(name, ".vrm");
  if (!binary && !si_ends_with(name, ".gltf"))
    return si_fail_null(error, SINEW_ERR_FILE, "%s: a skeleton ends with .glb, .gltf or .vrm",
                        name);
  if (size > SINEW_SKELETON_BYTES)
    return si_fail_null(error, SINEW_ERR_LIMIT, "%s: has more than %d bytes", name,
                        SINEW_SKELETON_BYTES);
  si_gltf_reader r = { .name = name, .error = error };
  sinew_skeleton *scene = NULL;
  sinew_status status = si_gltf_open(&r, bytes, size, binary);
  if (status >= 0) status = si_gltf_start(&r);
  if (status >= 0) status = si_gltf_walk(&r);
  if (status >= 0) read_scene(&r, &scene);
  si_gltf_close(&r);
  return scene;
}

sinew_skeleton *sinew_skeleton_load(const char *path, sinew_error *error) {
  unsigned char *bytes;
  size_t size;
  sinew_error_clear(error);
  if (!SI_EXPECT(path)) return si_fail_null(error, SINEW_ERR_CALL, "skeleton: no path");
  if (si_file_read(path, SINEW_SKELETON_BYTES, &bytes, &size, error) != SINEW_OK) return NULL;
  sinew_skeleton *scene = sinew_skeleton_parse(path, bytes, size, error);
  si_free(bytes);
  return scene;
}

void sinew_skeleton_destroy(sinew_skeleton *scene) { si_free(scene); }
