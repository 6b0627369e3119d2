/* Collects the bones of a character, simplifies them for each level, and uploads them to the
 * GPU. */
#include "draw/crowd_mesh.h"
#include <sinew/mesh.h>

#include <math.h>
#include <raymath.h>
#include <rlgl.h>
#include <stdlib.h>
#include <string.h>

enum { most_vertices = 65536 };

/* a part that is being collected */
typedef struct part_data {
  float *positions, *normals, *segments;
  unsigned short *indices;
  int vertices, vertex_room, corners, corner_room;
} part_data;

/* a bone as triangles; vertices may be shared */
typedef struct bone {
  float *positions, *normals; /* for each vertex */
  uint32_t *triangles;
  int *known; /* for each vertex: its index in the part; -1: not added yet */
  int vertices, count;
} bone;

static bool grow(void *array, size_t size, int room) {
  void **at = array, *grown = realloc(*at, size * (size_t)room);
  if (grown) *at = grown;
  return grown != NULL;
}

static bool room_for_triangle(part_data *g) {
  if (g->vertices + 3 > g->vertex_room) {
    int room = 2 * g->vertex_room + 1024;
    if (!grow(&g->positions, 3 * sizeof(float), room) ||
        !grow(&g->normals, 3 * sizeof(float), room) || !grow(&g->segments, sizeof(float), room))
      return false;
    g->vertex_room = room;
  }
  if (g->corners + 3 > g->corner_room) {
    int room = 2 * g->corner_room + 3072;
    if (!grow(&g->indices, sizeof *g->indices, room)) return false;
    g->corner_room = room;
  }
  return true;
}

static void free_part_data(part_data *g) {
  free(g->positions);
  free(g->normals);
  free(g->segments);
  free(g->indices);
  *g = (part_data){ 0 };
}

static unsigned upload_floats(const float *numbers, int count, int each, int attribute) {
  unsigned id = rlLoadVertexBuffer(numbers, count * each * (int)sizeof *numbers, false);
  rlSetVertexAttribute((unsigned)attribute, each, RL_FLOAT, false, 0, 0);
  rlEnableVertexAttribute((unsigned)attribute);
  return id;
}

/* uploads the collected vertices as a part */
static bool finish_part(crowd_mesh *mesh, part_data *g) {
  if (!g->corners) return true;
  if (!grow(&mesh->parts, sizeof *mesh->parts, mesh->part_count + 1)) return false;
  crowd_part *part = &mesh->parts[mesh->part_count++];
  part->array = rlLoadVertexArray();
  part->corners = g->corners;
  rlEnableVertexArray(part->array);
  part->buffers[0] = upload_floats(g->positions, g->vertices, 3, CROWD_AT_POSITION);
  part->buffers[1] = upload_floats(g->normals, g->vertices, 3, CROWD_AT_NORMAL);
  part->buffers[2] = upload_floats(g->segments, g->vertices, 1, CROWD_AT_SEGMENT);
  part->buffers[3] =
      rlLoadVertexBufferElement(g->indices, g->corners * (int)sizeof *g->indices, false);
  rlDisableVertexArray();
  mesh->triangles += g->corners / 3;
  g->vertices = g->corners = 0;
  return true;
}

static bool add_bone(crowd_mesh *mesh, part_data *g, bone *b, int segment) {
  for (int i = 0; i < b->vertices; i++) b->known[i] = -1;
  for (int c = 0; c < 3 * b->count; c++) {
    if (c % 3 == 0) {
      if (g->vertices + 3 > most_vertices) {
        if (!finish_part(mesh, g)) return false;
        for (int i = 0; i < b->vertices; i++) b->known[i] = -1;
      }
      if (!room_for_triangle(g)) return false;
    }
    int *known = &b->known[b->triangles[c]];
    if (*known < 0) {
      *known = g->vertices++;
      memcpy(g->positions + 3 * *known, b->positions + 3 * b->triangles[c], 3 * sizeof(float));
      memcpy(g->normals + 3 * *known, b->normals + 3 * b->triangles[c], 3 * sizeof(float));
      g->segments[*known] = (float)segment;
    }
    g->indices[g->corners++] = (unsigned short)*known;
  }
  return true;
}

/* merges vertices with equal position and normal */
static bool share_corners(bone *b) {
  uint32_t room = 16;
  while (room < 2 * (uint32_t)b->vertices) room *= 2;
  int *table = malloc(room * sizeof *table);
  if (!table) return false;
  memset(table, -1, room * sizeof *table);
  int count = 0;
  for (int c = 0; c < 3 * b->count; c++) {
    const float *p = b->positions + 3 * c, *n = b->normals + 3 * c;
    uint32_t bits[6], hash = 2166136261u;
    memcpy(bits, p, 12);
    memcpy(bits + 3, n, 12);
    for (int i = 0; i < 6; i++) {
      hash = (hash ^ bits[i]) * 16777619u;
      hash ^= hash >> 15;
    }
    uint32_t at = hash & (room - 1);
    while (table[at] >= 0 && (memcmp(b->positions + 3 * table[at], p, 12) != 0 ||
                              memcmp(b->normals + 3 * table[at], n, 12) != 0))
      at = (at + 1) & (room - 1);
    if (table[at] < 0) {
      table[at] = count;
      memmove(b->positions + 3 * count, p, 12);
      memmove(b->normals + 3 * count, n, 12);
      count++;
    }
    b->triangles[c] = (uint32_t)table[at];
  }
  b->vertices = count;
  free(table);
  return true;
}

/* sets each vertex normal to the mean normal of its triangles, weighted by area */
static void smooth_normals(bone *b) {
  memset(b->normals, 0, (size_t)b->vertices * 12);
  for (int t = 0; t < b->count; t++) {
    Vector3 p[3];
    for (int k = 0; k < 3; k++) memcpy(&p[k], b->positions + 3 * b->triangles[3 * t + k], 12);
    Vector3 n = Vector3CrossProduct(Vector3Subtract(p[1], p[0]), Vector3Subtract(p[2], p[0]));
    const float add[3] = { n.x, n.y, n.z };
    for (int k = 0; k < 9; k++) b->normals[3 * b->triangles[3 * t + k / 3] + k % 3] += add[k % 3];
  }
  for (int i = 0; i < b->vertices; i++) {
    Vector3 n;
    memcpy(&n, b->normals + 3 * i, 12);
    n = Vector3Normalize(n);
    memcpy(b->normals + 3 * i, &n, 12);
  }
}

static bool copy_bone(bone *b, const Mesh *from) {
  size_t corners = (size_t)from->vertexCount;
  *b = (bone){ .vertices = from->vertexCount, .count = from->vertexCount / 3 };
  b->positions = malloc(corners * 12 + 1);
  b->normals = malloc(corners * 12 + 1);
  b->triangles = malloc(corners * sizeof *b->triangles + 1);
  b->known = malloc(corners * sizeof *b->known + 1);
  if (!b->positions || !b->normals || !b->triangles || !b->known) return false;
  memcpy(b->positions, from->vertices, corners * 12);
  memcpy(b->normals, from->normals, corners * 12);
  for (uint32_t i = 0; i < corners; i++) b->triangles[i] = i;
  return true;
}

static void free_bone(bone *b) {
  free(b->positions);
  free(b->normals);
  free(b->triangles);
  free(b->known);
}

static bool make_coarse(bone *b, const crowd_mesh *to) {
  int left = sinew_mesh_simplify(b->positions, b->vertices, b->triangles, b->count, to->tolerance,
                                 to->fewest);
  if (left < 0) return false;
  b->count = left;
  smooth_normals(b);
  return true;
}

/* adds a bone to every level, each simplified from the level before */
static bool add_to_levels(crowd_mesh *dest, part_data *g, int levels, const Mesh *from,
                          int segment) {
  BoundingBox box = GetMeshBoundingBox(*from);
  float size = Vector3Distance(box.min, box.max);
  bone b;
  bool ok = copy_bone(&b, from) && share_corners(&b);
  for (int i = 0; ok && i < levels && 2 * size > dest[i].tolerance; i++)
    ok = (dest[i].tolerance <= 0 || make_coarse(&b, &dest[i])) &&
         add_bone(&dest[i], &g[i], &b, segment);
  free_bone(&b);
  return ok;
}

bool crowd_mesh_make(crowd_mesh *dest, int levels, const scene *s, int count) {
  part_data *g = calloc((size_t)levels, sizeof *g);
  bool ok = g != NULL;
  for (int i = 0; ok && i < count; i++) {
    const Mesh *from = scene_mesh(s, i);
    if (from) ok = add_to_levels(dest, g, levels, from, i);
  }
  for (int i = 0; g && i < levels; i++) {
    ok = ok && finish_part(&dest[i], &g[i]);
    free_part_data(&g[i]);
  }
  free(g);
  return ok;
}

void crowd_mesh_free(crowd_mesh *mesh) {
  for (int i = 0; i < mesh->part_count; i++) {
    rlUnloadVertexArray(mesh->parts[i].array);
    for (int k = 0; k < 4; k++) rlUnloadVertexBuffer(mesh->parts[i].buffers[k]);
  }
  free(mesh->parts);
  *mesh = (crowd_mesh){ 0 };
}

void crowd_mesh_draw(const crowd_mesh *mesh, unsigned positions, int characters) {
  if (!characters) return;
  for (int i = 0; i < mesh->part_count; i++) {
    rlEnableVertexArray(mesh->parts[i].array);
    rlEnableVertexBuffer(positions);
    rlSetVertexAttribute(CROWD_AT_CHARACTER, 4, RL_FLOAT, false, 0, 0);
    rlEnableVertexAttribute(CROWD_AT_CHARACTER);
    rlSetVertexAttributeDivisor(CROWD_AT_CHARACTER, 1);
    rlDrawVertexArrayElementsInstanced(0, mesh->parts[i].corners, NULL, characters);
  }
  rlDisableVertexBuffer();
  rlDisableVertexArray();
}
