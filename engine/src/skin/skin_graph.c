/* A mesh as a graph: its vertices joined where they are at the same position, as at a seam, and the
 * neighbours of each along edges. */
#include "skin/skin_internal.h"

#include <stdlib.h>
#include <string.h>

typedef struct sorted {
  float place[3];
  uint32_t vertex;
} sorted;

static int by_place(const void *a, const void *b) {
  const sorted *x = a, *y = b;
  for (int k = 0; k < 3; k++)
    if (x->place[k] != y->place[k]) return x->place[k] < y->place[k] ? -1 : 1;
  return x->vertex < y->vertex ? -1 : x->vertex > y->vertex;
}

static void join_places(const sinew_shape *mesh, sorted *order, uint32_t *dest) {
  const size_t count = (size_t)mesh->vertex_count;
  for (size_t i = 0; i < count; i++) {
    memcpy(order[i].place, mesh->vertices + 3 * i, 3 * sizeof(float));
    order[i].vertex = (uint32_t)i;
  }
  qsort(order, count, sizeof *order, by_place);
  uint32_t first = 0;
  for (size_t i = 0; i < count; i++) {
    const float *p = order[i].place, *q = i ? order[i - 1].place : NULL;
    if (!q || p[0] != q[0] || p[1] != q[1] || p[2] != q[2]) first = order[i].vertex;
    dest[order[i].vertex] = first;
  }
}

static void list_neighbours(const sinew_shape *mesh, si_graph *g) {
  const size_t corners = 3 * (size_t)mesh->triangle_count;
  for (size_t i = 0; i < corners; i++) g->starts[g->first[mesh->triangles[i]] + 1] += 2;
  for (size_t i = 0; i < (size_t)mesh->vertex_count; i++) g->starts[i + 1] += g->starts[i];
  for (size_t i = 0; i < corners; i++) {
    uint32_t at = g->first[mesh->triangles[i]];
    for (size_t k = 1; k < 3; k++)
      g->neighbours[g->starts[at]++] = g->first[mesh->triangles[i / 3 * 3 + (i + k) % 3]];
  }
  /* each start has been advanced to the next one */
  memmove(g->starts + 1, g->starts, (size_t)mesh->vertex_count * sizeof *g->starts);
  g->starts[0] = 0;
}

bool si_graph_make(const sinew_shape *mesh, si_arena *arena, si_graph *dest) {
  const size_t count = (size_t)mesh->vertex_count;
  sorted *order = si_alloc_array(count, sizeof *order);
  dest->first = si_arena_take(arena, count * sizeof *dest->first);
  dest->starts = si_arena_take(arena, (count + 2) * sizeof *dest->starts);
  dest->neighbours =
      si_arena_take(arena, (6 * (size_t)mesh->triangle_count + 1) * sizeof *dest->neighbours);
  bool ok = order && dest->first && dest->starts && dest->neighbours &&
            si_work(10 * count + 2 * (size_t)mesh->triangle_count);
  if (ok) {
    join_places(mesh, order, dest->first);
    list_neighbours(mesh, dest);
  }
  si_free(order);
  return ok;
}
