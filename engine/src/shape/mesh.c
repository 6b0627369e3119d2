/* Meshes from files. A missing normal is the sum of the normals of the triangles at its vertex,
 * weighted by area. */
#include "shape/mesh_internal.h"

#include <math.h>
#include <string.h>

#include "base/alloc.h"
#include "base/budget_internal.h"
#include "base/file_internal.h"
#include "base/text.h"
#include "math/wide.h"
#include "sinew/surface.h"

sinew_status si_mesh_add(si_mesh_parts *p, const char *name, size_t vertices, size_t triangles,
                         sinew_error *error) {
  if (vertices > SINEW_MESH_VERTICES - p->vertex_count)
    return si_fail(error, SINEW_ERR_LIMIT, "%s: has more than %d vertices", name,
                   SINEW_MESH_VERTICES);
  if (triangles > SINEW_MESH_TRIANGLES - p->triangle_count)
    return si_fail(error, SINEW_ERR_LIMIT, "%s: has more than %d triangles", name,
                   SINEW_MESH_TRIANGLES);
  size_t numbers = 3 * (p->vertex_count + vertices), corners = 3 * (p->triangle_count + triangles);
  if (!si_grow(&p->vertices, &p->vertex_room, numbers, sizeof *p->vertices) ||
      !si_grow(&p->normals, &p->normal_room, numbers, sizeof *p->normals) ||
      !si_grow(&p->triangles, &p->triangle_room, corners, sizeof *p->triangles))
    return si_fail_memory(error);
  p->vertex_count += vertices;
  p->triangle_count += triangles;
  return SINEW_OK;
}

/* the normal of a triangle; its length is twice the area */
static void triangle_normal(const float *a, const float *b, const float *c, double dest[3]) {
  double u[3], v[3];
  for (int i = 0; i < 3; i++) {
    u[i] = (double)b[i] - a[i];
    v[i] = (double)c[i] - a[i];
  }
  si_wide_cross(u, v, dest);
}

static bool is_zero(const float *n) { return n[0] == 0 && n[1] == 0 && n[2] == 0; }

static sinew_status fill_normals(si_mesh_parts *p, sinew_error *error) {
  double *sums = si_alloc_array(3 * p->vertex_count, sizeof *sums);
  sinew_status status = sums ? SINEW_OK : si_fail_memory(error);
  for (size_t i = 0; status >= 0 && i < p->triangle_count; i++) {
    if (i % 256 == 0 && !si_work(1024)) status = si_fail_memory(error);
    const uint32_t *t = p->triangles + 3 * i;
    double normal[3];
    triangle_normal(p->vertices + 3 * t[0], p->vertices + 3 * t[1], p->vertices + 3 * t[2], normal);
    for (int k = 0; k < 3; k++)
      for (int j = 0; j < 3; j++) sums[3 * t[k] + j] += normal[j];
  }
  for (size_t i = 0; status >= 0 && i < p->vertex_count; i++) {
    float *n = p->normals + 3 * i;
    if (i % 1024 == 0 && !si_work(1024)) status = si_fail_memory(error);
    const double *s = sums + 3 * i;
    if (!is_zero(n)) continue;
    double length = sqrt(s[0] * s[0] + s[1] * s[1] + s[2] * s[2]);
    if (length > 0)
      for (int j = 0; j < 3; j++) n[j] = (float)(s[j] / length);
    else
      n[1] = 1; /* no triangle, or only degenerate ones */
  }
  si_free(sums);
  return status;
}

sinew_mesh *si_mesh_make(size_t vertices, size_t triangles, bool occlusion, sinew_error *error) {
  sinew_mesh *mesh =
      si_alloc(sizeof *mesh + (6 * vertices + 3 * triangles) * 4 + (occlusion ? vertices : 0));
  if (!mesh) return si_memory_null(error);
  mesh->vertices = (void *)(mesh + 1);
  mesh->normals = mesh->vertices + 3 * vertices;
  mesh->triangles = (void *)(mesh->normals + 3 * vertices);
  mesh->occlusion = occlusion ? (void *)(mesh->triangles + 3 * triangles) : NULL;
  mesh->vertex_count = (int)vertices;
  mesh->triangle_count = (int)triangles;
  return mesh;
}

static sinew_mesh *finish(const si_mesh_parts *p, sinew_error *error) {
  const size_t numbers = 3 * p->vertex_count, corners = 3 * p->triangle_count;
  const size_t weights = p->joint_count ? 4 * p->vertex_count : 0;
  sinew_mesh *mesh = si_alloc(sizeof *mesh + (2 * numbers + corners + 2 * weights) * 4 +
                              p->joint_count * SINEW_MESH_NAME);
  if (!mesh) return si_memory_null(error);
  mesh->vertices = (void *)(mesh + 1);
  mesh->normals = mesh->vertices + numbers;
  mesh->triangles = (void *)(mesh->normals + numbers);
  mesh->vertex_count = (int)p->vertex_count;
  mesh->triangle_count = (int)p->triangle_count;
  memcpy(mesh->vertices, p->vertices, numbers * sizeof(float));
  memcpy(mesh->normals, p->normals, numbers * sizeof(float));
  memcpy(mesh->triangles, p->triangles, corners * sizeof(uint32_t));
  if (!p->joint_count) return mesh;
  const size_t given = p->joint_room < weights ? p->joint_room : weights;
  mesh->weight_count = 4;
  mesh->joint_count = (int)p->joint_count;
  mesh->joints = mesh->triangles + corners;
  mesh->weights = (void *)(mesh->joints + weights);
  char *names = (char *)(mesh->weights + weights);
  mesh->joint_names = names;
  if (given) memcpy(mesh->joints, p->joints, given * sizeof(uint32_t));
  if (given) memcpy(mesh->weights, p->weights, given * sizeof(float));
  memcpy(names, p->names, p->joint_count * SINEW_MESH_NAME);
  return mesh;
}

static sinew_status take_surface(const char *name, const sinew_surface *s, si_mesh_parts *dest,
                                 sinew_error *error) {
  size_t vertices = sinew_surface_vertex_count(s), triangles = sinew_surface_triangle_count(s);
  sinew_status status = si_mesh_add(dest, name, vertices, triangles, error);
  if (status < 0) return status;
  memcpy(dest->vertices, sinew_surface_vertices(s), 3 * vertices * sizeof(float));
  memcpy(dest->triangles, sinew_surface_triangles(s), 3 * triangles * sizeof(uint32_t));
  return SINEW_OK;
}

static sinew_status read_obj(const char *name, const char *text, size_t size, si_mesh_parts *dest,
                             sinew_error *error) {
  sinew_surface *s = sinew_surface_parse_obj(name, text, size, error);
  if (!s) return si_stopped() ? si_fail_memory(error) : SINEW_ERR_FILE;
  sinew_status status = take_surface(name, s, dest, error);
  sinew_surface_destroy(s);
  return status;
}

static void parts_free(si_mesh_parts *parts) {
  si_free(parts->vertices);
  si_free(parts->normals);
  si_free(parts->triangles);
  si_free(parts->joints);
  si_free(parts->weights);
  si_free(parts->names);
}

sinew_mesh *si_mesh_of_surface(const char *name, const sinew_surface *surface, sinew_error *error) {
  si_mesh_parts parts = { 0 };
  sinew_status status = take_surface(name, surface, &parts, error);
  if (status == SINEW_OK) status = fill_normals(&parts, error);
  sinew_mesh *mesh = status == SINEW_OK ? finish(&parts, error) : NULL;
  parts_free(&parts);
  return mesh;
}

sinew_mesh *sinew_mesh_parse(const char *name, const void *bytes, size_t size, sinew_error *error) {
  sinew_error_clear(error);
  if (!SI_EXPECT(name && (bytes || size == 0)))
    return si_fail_null(error, SINEW_ERR_CALL, "mesh: no name or no bytes");
  if (size > SINEW_MESH_BYTES)
    return si_fail_null(error, SINEW_ERR_LIMIT, "%s: has more than %d bytes", name,
                        SINEW_MESH_BYTES);
  si_mesh_parts parts = { 0 };
  sinew_status status;
  const char *step = si_step_begin("reading a mesh");
  if (si_ends_with(name, ".obj"))
    status = read_obj(name, bytes, size, &parts, error);
  else if (si_ends_with(name, ".glb") || si_ends_with(name, ".gltf"))
    status = si_gltf_read(name, bytes, size, si_ends_with(name, ".glb"), &parts, error);
  else
    status = si_fail(error, SINEW_ERR_FILE, "%s: a mesh file ends with .obj, .glb or .gltf", name);
  if (status == SINEW_OK && parts.triangle_count == 0)
    status = si_fail(error, SINEW_ERR_FILE, "%s: has no triangles in its scene", name);
  if (status == SINEW_OK) status = fill_normals(&parts, error);
  sinew_mesh *mesh = status == SINEW_OK ? finish(&parts, error) : NULL;
  parts_free(&parts);
  si_step_end(step);
  return mesh;
}

sinew_mesh *sinew_mesh_load(const char *path, sinew_error *error) {
  unsigned char *bytes;
  size_t size;
  sinew_error_clear(error);
  if (!SI_EXPECT(path)) return si_fail_null(error, SINEW_ERR_CALL, "mesh: no path");
  if (si_file_read(path, SINEW_MESH_BYTES, &bytes, &size, error) != SINEW_OK) return NULL;
  sinew_mesh *mesh = sinew_mesh_parse(path, bytes, size, error);
  si_free(bytes);
  return mesh;
}

const char *sinew_mesh_joint_name(const sinew_mesh *mesh, int joint) {
  if (!SI_EXPECT(mesh && joint >= 0 && joint < mesh->joint_count)) return "";
  return mesh->joint_names + (size_t)joint * SINEW_MESH_NAME;
}

void sinew_mesh_destroy(sinew_mesh *mesh) { si_free(mesh); }
