/* Limbs that are one piece of a mesh although poses take them apart. At an edge from one segment to
 * another, the flesh is as thick as the edge is far from their bones; if a pose takes it three
 * times as far from the other bone, it is torn there. */
#include "skin/skin_internal.h"

#include <math.h>
#include <stdlib.h>

typedef struct found {
  sinew_skin_fusion *list;
  size_t count, room;
} found;

static bool torn(const si_trials *t, int of, int from, const float *place, float thick) {
  return si_trials_apart(t, of, from, place, 3 * thick) >= 3 * thick;
}

/* adds an edge to the pair; false when memory runs out */
static bool add(found *f, uint32_t first, uint32_t second) {
  const sinew_segment a = { 1 + (first < second ? first : second) };
  const sinew_segment b = { 1 + (first < second ? second : first) };
  size_t i = 0;
  while (i < f->count && !(f->list[i].first.id == a.id && f->list[i].second.id == b.id)) i++;
  if (i == f->count) {
    if (!si_grow(&f->list, &f->room, i + 1, sizeof *f->list)) return false;
    f->list[f->count++] = (sinew_skin_fusion){ a, b, 0 };
  }
  f->list[i].edges++;
  return true;
}

static bool look(const sinew_skin *skin, const sinew_shape *mesh, const si_graph *graph,
                 const si_trials *trials, found *dest) {
  const uint32_t *segments = sinew_skin_segments(skin);
  const size_t each = (size_t)sinew_skin_weight_count(skin);
  for (uint32_t v = 0; v < (uint32_t)mesh->vertex_count; v++) {
    if (graph->first[v] != v) continue;
    uint32_t last = v;
    for (uint32_t i = graph->starts[v]; i < graph->starts[v + 1]; i++) {
      const uint32_t next = graph->neighbours[i];
      const uint32_t a = segments[each * v], b = segments[each * next];
      if (!si_work(1 + dest->count / 4)) return false;
      if (next <= v || next == last || a == b) continue; /* each edge once */
      last = next;
      const float *p = mesh->vertices + 3 * (size_t)v, *q = mesh->vertices + 3 * (size_t)next;
      const float middle[3] = { (p[0] + q[0]) / 2, (p[1] + q[1]) / 2, (p[2] + q[2]) / 2 };
      const si_bone *bones = trials->bones->list;
      const float thick = fmaxf(si_bone_distance(&bones[a], middle, INFINITY),
                                si_bone_distance(&bones[b], middle, INFINITY));
      if (!(thick < INFINITY) || !(torn(trials, (int)a, (int)b, middle, thick) ||
                                   torn(trials, (int)b, (int)a, middle, thick)))
        continue;
      if (!add(dest, a, b)) return false;
    }
  }
  return true;
}

static int by_edges(const void *a, const void *b) {
  const sinew_skin_fusion *x = a, *y = b;
  if (x->edges != y->edges) return x->edges > y->edges ? -1 : 1;
  if (x->first.id != y->first.id) return x->first.id < y->first.id ? -1 : 1;
  return x->second.id < y->second.id ? -1 : x->second.id > y->second.id;
}

sinew_status sinew_skin_find_fused(const sinew_skin *skin, const sinew_pose *bind,
                                   const sinew_skin_desc *desc, sinew_skin_fusion *dest,
                                   int capacity, int *count, sinew_error *error) {
  sinew_error_clear(error);
  if (!SI_EXPECT(skin && bind && desc && count && (dest || capacity <= 0)))
    return si_fail(error, SINEW_ERR_CALL, "skin: no skin, pose or desc");
  sinew_skin_desc whole = sinew_default_skin_desc();
  if (!SI_TAKE_DESC(skin_desc, desc, &whole, error)) return SINEW_ERR_CALL;
  if (!SI_EXPECT(desc->mesh.vertex_count == sinew_skin_vertex_count(skin)))
    return si_fail(error, SINEW_ERR_CALL, "skin: the desc is of another skin");
  si_bones bones = { 0 };
  si_trials trials = { 0 };
  si_arena arena = { 0 };
  si_graph graph;
  found all = { 0 };
  sinew_status status = si_bones_make(bind, desc->shapes, &bones, error);
  if (status >= 0) status = si_trials_make(bind, &bones, &trials, error);
  if (status >= 0 && !(si_graph_make(&desc->mesh, &arena, &graph) &&
                       look(skin, &desc->mesh, &graph, &trials, &all)))
    status = si_fail_memory(error);
  *count = 0;
  if (status >= 0) {
    if (all.count) qsort(all.list, all.count, sizeof *all.list, by_edges);
    *count = (int)all.count;
    for (int i = 0; i < capacity && i < *count; i++) dest[i] = all.list[i];
  }
  si_free(all.list);
  si_arena_free(&arena);
  si_trials_free(&trials);
  si_bones_free(&bones);
  return status;
}
