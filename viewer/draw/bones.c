/* Meshes by segment: from the script's lists, from solids, and plain ones for segments without a
 * shape. */
#include "draw/bones.h"
#include "draw/plain_bones.h"

#include <limits.h>
#include <stdlib.h>
#include <string.h>

bool bones_start(bones *b, bool low) {
  char folder[PATH_MAX];
  *b = (bones){ .maker = bone_maker_create(sinew_solid_cache_folder(folder, sizeof folder), low) };
  return b->maker != NULL;
}

static void unload(bone *list, int count) {
  for (int i = 0; i < count; i++) {
    if (list[i].there) UnloadMesh(list[i].mesh);
    if (list[i].low.vertexCount) UnloadMesh(list[i].low);
  }
  free(list);
}

void bones_end(bones *b) {
  bone_maker_destroy(b->maker);
  unload(b->list, b->count);
  *b = (bones){ 0 };
}

/* a hash of a shape, never 0: bones that a reload does not change keep their mesh */
static uint64_t print_of(const sinew_shape *shape) {
  uint64_t hash = 14695981039346656037u;
  const uint32_t *words[3] = { (const uint32_t *)(const void *)shape->vertices,
                               (const uint32_t *)(const void *)shape->normals, shape->triangles };
  int counts[3] = { 3 * shape->vertex_count, 3 * shape->vertex_count, 3 * shape->triangle_count };
  for (int part = 0; part < 3; part++)
    for (int i = 0; i < counts[part]; i++) hash = (hash ^ words[part][i]) * 1099511628211u;
  return hash ? hash : 1;
}

/* reuses an old mesh of the same shape */
static bool take_old(bone *old, int count, int first, uint64_t print, bone *dest) {
  for (int k = 0; k < count; k++) {
    bone *b = &old[(first + k) % count];
    if (!b->there || b->print != print) continue;
    *dest = *b;
    b->there = false;
    b->low = (Mesh){ 0 };
    return true;
  }
  return false;
}

/* unshared vertices, since raylib's indices have 16 bits; `open` may be NULL */
static Mesh mesh_of(const sinew_shape *shape, const uint8_t *open) {
  Mesh mesh = { .vertexCount = 3 * shape->triangle_count, .triangleCount = shape->triangle_count };
  mesh.vertices = MemAlloc((unsigned)mesh.vertexCount * 3 * (unsigned)sizeof(float));
  mesh.normals = MemAlloc((unsigned)mesh.vertexCount * 3 * (unsigned)sizeof(float));
  if (open) mesh.colors = MemAlloc((unsigned)mesh.vertexCount * 4);
  for (int i = 0; i < mesh.vertexCount; i++) {
    const uint32_t v = shape->triangles[i];
    memcpy(mesh.vertices + 3 * i, shape->vertices + 3 * v, 3 * sizeof(float));
    memcpy(mesh.normals + 3 * i, shape->normals + 3 * v, 3 * sizeof(float));
    if (open) memset(mesh.colors + 4 * i, open[v], 4);
  }
  UploadMesh(&mesh, false);
  return mesh;
}

static void put_mesh(bone *b, Mesh mesh) {
  if (b->there) UnloadMesh(b->mesh);
  b->there = true;
  b->mesh = mesh;
  b->box = GetMeshBoundingBox(mesh);
}

bool bones_poll(bones *b) {
  bone_made made;
  bool any = false;
  while (bone_maker_take(b->maker, &made)) {
    const sinew_mesh *m = made.mesh;
    sinew_shape shape = { m->vertices, m->normals, m->triangles, m->vertex_count,
                          m->triangle_count };
    bone *dest = &b->list[made.number];
    Mesh mesh = mesh_of(&shape, m->occlusion);
    if (made.level == SINEW_SOLID_LOW)
      dest->low = mesh;
    else
      put_mesh(dest, mesh);
    dest->fine |= made.level == SINEW_SOLID_FINE;
    sinew_mesh_destroy(made.mesh);
    any = true;
  }
  if (any) b->version++;
  return any;
}

bool bones_finish(bones *b, sinew_error *error) {
  bone_maker_wait(b->maker, true);
  bones_poll(b);
  return !bone_maker_wrong(b->maker, error);
}

static void find_sides(bones *b, const sinew_rig *rig) {
  bool left = false, right = false;
  for (int i = 0; i < b->count; i++) {
    body_side of = side_of_name(sinew_rig_segment_info(rig, sinew_rig_segment(rig, i)).name);
    b->list[i].side = of;
    left |= of == SIDE_LEFT;
    right |= of == SIDE_RIGHT;
  }
  b->sides = left && right;
}

/* takes the shape of a segment; what it looks like otherwise is up to the caller */
static plan_look load_bone(bones *b, sinew_host *host, int i, bone *old, int old_count) {
  sinew_segment segment = sinew_rig_segment(sinew_host_rig(host), i);
  sinew_solid *solid = sinew_host_solid(host, segment);
  sinew_shape shape = { 0 };
  if (!solid) shape = sinew_host_shape(host, segment);
  if (!solid && !shape.vertices) return PLAN_PLAIN;
  if (!solid && shape.triangle_count == 0) return PLAN_HIDDEN;
  bone *dest = &b->list[i];
  uint64_t print = solid ? sinew_solid_hash(solid) : print_of(&shape);
  bool kept = take_old(old, old_count, i, print, dest);
  dest->print = print;
  if (solid && !(kept && dest->fine)) bone_maker_ask(b->maker, i, solid);
  if (!solid && !kept) put_mesh(dest, mesh_of(&shape, NULL));
  return PLAN_SHAPED;
}

void bones_load(bones *b, sinew_host *host) {
  const sinew_rig *rig = sinew_host_rig(host);
  if (!rig) return;
  bone *old = b->list;
  int old_count = b->count, count = sinew_rig_segment_count(rig);
  bone_maker_forget(b->maker);
  b->list = calloc((size_t)count + 1, sizeof *b->list);
  b->count = b->list ? count : 0;
  plan_look *looks = calloc((size_t)count + 1, sizeof *looks);
  for (int i = 0; looks && i < b->count; i++) looks[i] = load_bone(b, host, i, old, old_count);
  Mesh *plain = looks ? plain_bones_make(rig, looks) : NULL;
  for (int i = 0; plain && i < b->count; i++)
    if (plain[i].vertexCount) put_mesh(&b->list[i], plain[i]);
  free(plain);
  free(looks);
  unload(old, old_count);
  find_sides(b, rig);
  bone_maker_wait(b->maker, false);
  bones_poll(b);
  b->version++;
}
