/* Automatic weights. Their start is the distance through the body (skin_reach.c). Each round of
 * smoothing moves a vertex's weights halfway to the mean of its neighbours along edges; vertices at
 * the same position count as one. If there are too many weights, the largest dropped weight is
 * subtracted from all that stay, so the result is continuous and does not depend on the order of
 * segments. */
#include "skin/skin_internal.h"

#include <math.h>
#include <string.h>

typedef struct work {
  si_slots *now, *next;
  si_graph graph;
  float *sums; /* of each segment */
  uint32_t *touched;
  si_arena arena; /* holds all of the above */
} work;

void si_slots_insert(si_slots *s, int room, uint32_t segment, float weight, float *dropped) {
  int at = s->count;
  while (at > 0 && (s->weights[at - 1] < weight ||
                    (s->weights[at - 1] == weight && s->segments[at - 1] > segment)))
    at--;
  if (s->count == room) *dropped = fmaxf(*dropped, at < room ? s->weights[room - 1] : weight);
  if (at == room) return;
  for (int i = s->count < room ? s->count++ : room - 1; i > at; i--) {
    s->weights[i] = s->weights[i - 1];
    s->segments[i] = s->segments[i - 1];
  }
  s->weights[at] = weight, s->segments[at] = segment;
}

void si_slots_settle(si_slots *s, float dropped) {
  if (s->count && s->weights[0] > dropped) {
    for (int i = 0; i < s->count; i++) s->weights[i] -= dropped;
    while (s->count > 1 && !(s->weights[s->count - 1] > 0)) s->count--;
  }
  double sum = 0;
  for (int i = 0; i < s->count; i++) sum += (double)s->weights[i];
  for (int i = 0; i < s->count; i++) s->weights[i] = (float)((double)s->weights[i] / sum);
}

static void gather(work *w, const si_slots *from, float share, uint32_t *touched) {
  for (int i = 0; i < from->count; i++) {
    if (w->sums[from->segments[i]] == 0) w->touched[(*touched)++] = from->segments[i];
    w->sums[from->segments[i]] += share * from->weights[i];
  }
}

static void smooth(work *w, size_t v) {
  const uint32_t start = w->graph.starts[v], end = w->graph.starts[v + 1];
  uint32_t touched = 0;
  float dropped = 0;
  si_slots *dest = &w->next[v];
  *dest = w->now[v];
  if (start == end) return;
  gather(w, &w->now[v], 0.5f, &touched);
  for (uint32_t i = start; i < end; i++)
    gather(w, &w->now[w->graph.neighbours[i]], 0.5f / (float)(end - start), &touched);
  dest->count = 0;
  for (uint32_t i = 0; i < touched; i++) {
    si_slots_insert(dest, SI_SLOTS, w->touched[i], w->sums[w->touched[i]], &dropped);
    w->sums[w->touched[i]] = 0;
  }
  si_slots_settle(dest, dropped);
}

/* false: stopped */
static bool smooth_all(work *w, size_t count, int rounds) {
  for (int round = 0; round < rounds; round++) {
    for (size_t i = 0; i < count; i++) {
      if (w->graph.first[i] != i) continue;
      if (!si_work(10 + 4 * (size_t)(w->graph.starts[i + 1] - w->graph.starts[i]))) return false;
      smooth(w, i);
    }
    si_slots *swap = w->now;
    w->now = w->next;
    w->next = swap;
  }
  return true;
}

sinew_status si_skin_automatic(const sinew_pose *bind, const sinew_skin_desc *desc,
                               uint32_t *segments, float *weights, sinew_error *error) {
  const size_t count = (size_t)desc->mesh.vertex_count;
  const size_t segment_count = (size_t)sinew_rig_segment_count(sinew_pose_rig(bind));
  si_bones bones = { 0 };
  work w = { 0 };
  w.now = si_arena_take(&w.arena, count * sizeof *w.now);
  w.next = si_arena_take(&w.arena, count * sizeof *w.next);
  w.sums = si_arena_take(&w.arena, segment_count * sizeof *w.sums);
  w.touched = si_arena_take(&w.arena, segment_count * sizeof *w.touched);
  sinew_status status =
      w.now && w.next && w.sums && w.touched && si_graph_make(&desc->mesh, &w.arena, &w.graph)
          ? si_bones_make(bind, desc->shapes, &bones, error)
          : si_fail_memory(error);
  if (status >= 0) status = si_skin_reach(&bones, desc, &w.graph, w.now, error);
  if (status >= 0 && !(smooth_all(&w, count, desc->smoothing) && si_work(20 * count)))
    status = si_fail_memory(error);
  for (size_t i = 0; status >= 0 && i < count; i++) {
    const si_slots *from = &w.now[w.graph.first[i]];
    si_slots few = { .count = 0 };
    float dropped = 0;
    for (int k = 0; k < from->count; k++)
      si_slots_insert(&few, SI_SKIN_AUTOMATIC, from->segments[k], from->weights[k], &dropped);
    si_slots_settle(&few, dropped);
    for (int k = 0; k < few.count; k++) {
      segments[i * SI_SKIN_AUTOMATIC + (size_t)k] = few.segments[k];
      weights[i * SI_SKIN_AUTOMATIC + (size_t)k] = few.weights[k];
    }
  }
  si_bones_free(&bones);
  si_arena_free(&w.arena);
  return status;
}
