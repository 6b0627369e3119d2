/* Automatic weights. With d(s) the distance of a vertex to the bone of segment s and d the least of
 * them, its weight is (1 - (d(s) - d) / falloff)^2 if d(s) - d is within the falloff, else 0. It is
 * 1 for the nearest bone and continuous. Each round of smoothing moves a vertex's weights halfway
 * to the mean of its neighbours along edges; vertices at the same position count as one. If there
 * are too many weights, the largest dropped weight is subtracted from all that stay, so the result
 * is continuous and does not depend on the order of segments. */
#include "skin/skin_internal.h"

#include "base/arena.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { SLOTS = 8 }; /* weights of a vertex while they are smoothed */

typedef struct slots {
  float weights[SLOTS];
  uint32_t segments[SLOTS];
  int count;
} slots;

typedef struct sorted {
  float place[3];
  uint32_t vertex;
} sorted;

typedef struct work {
  slots *now, *next;
  uint32_t *first; /* for each vertex: the first one at the same position */
  sorted *order;
  uint32_t *starts, *neighbours; /* of each vertex */
  float *sums;                   /* of each segment */
  uint32_t *touched;
  si_arena arena; /* holds all of the above */
} work;

static int by_place(const void *a, const void *b) {
  const sorted *x = a, *y = b;
  for (int k = 0; k < 3; k++)
    if (x->place[k] != y->place[k]) return x->place[k] < y->place[k] ? -1 : 1;
  return x->vertex < y->vertex ? -1 : x->vertex > y->vertex;
}

static void join_places(const sinew_shape *mesh, work *w) {
  const size_t count = (size_t)mesh->vertex_count;
  for (size_t i = 0; i < count; i++) {
    memcpy(w->order[i].place, mesh->vertices + 3 * i, 3 * sizeof(float));
    w->order[i].vertex = (uint32_t)i;
  }
  qsort(w->order, count, sizeof *w->order, by_place);
  uint32_t first = 0;
  for (size_t i = 0; i < count; i++) {
    const float *p = w->order[i].place, *q = i ? w->order[i - 1].place : NULL;
    if (!q || p[0] != q[0] || p[1] != q[1] || p[2] != q[2]) first = w->order[i].vertex;
    w->first[w->order[i].vertex] = first;
  }
}

/* the neighbours of each vertex, once for each triangle that they share */
static void list_neighbours(const sinew_shape *mesh, work *w) {
  const size_t corners = 3 * (size_t)mesh->triangle_count;
  for (size_t i = 0; i < corners; i++) w->starts[w->first[mesh->triangles[i]] + 1] += 2;
  for (size_t i = 0; i < (size_t)mesh->vertex_count; i++) w->starts[i + 1] += w->starts[i];
  for (size_t i = 0; i < corners; i++) {
    uint32_t at = w->first[mesh->triangles[i]];
    for (size_t k = 1; k < 3; k++)
      w->neighbours[w->starts[at]++] = w->first[mesh->triangles[i / 3 * 3 + (i + k) % 3]];
  }
  /* each start has been advanced to the next one */
  memmove(w->starts + 1, w->starts, (size_t)mesh->vertex_count * sizeof *w->starts);
  w->starts[0] = 0;
}

/* inserts a weight in descending order; equal weights are ordered by segment */
static void insert(slots *s, int room, uint32_t segment, float weight, float *dropped) {
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

/* subtracts the dropped weight from all, removes those that become 0, and normalizes the sum */
static void settle(slots *s, float dropped) {
  if (s->count && s->weights[0] > dropped) {
    for (int i = 0; i < s->count; i++) s->weights[i] -= dropped;
    while (s->count > 1 && !(s->weights[s->count - 1] > 0)) s->count--;
  }
  double sum = 0;
  for (int i = 0; i < s->count; i++) sum += (double)s->weights[i];
  for (int i = 0; i < s->count; i++) s->weights[i] = (float)((double)s->weights[i] / sum);
}

/* `guess` is the bone nearest to the previous vertex, which limits the search from the start */
static void first_weights(const si_bones *bones, const float *place, float falloff, int *guess,
                          float *far, slots *dest) {
  float least = si_bone_distance(&bones->list[*guess], place, INFINITY), dropped = 0;
  for (int i = 0; i < bones->count; i++) {
    far[i] = si_bone_distance(&bones->list[i], place, least + falloff);
    if (far[i] < least) {
      least = far[i];
      *guess = i;
    }
  }
  dest->count = 0;
  for (int i = 0; i < bones->count; i++) {
    float within = 1 - (far[i] - least) / falloff;
    if (within > 0) insert(dest, SLOTS, (uint32_t)i, within * within, &dropped);
  }
  settle(dest, dropped);
}

static void gather(work *w, const slots *from, float share, uint32_t *touched) {
  for (int i = 0; i < from->count; i++) {
    if (w->sums[from->segments[i]] == 0) w->touched[(*touched)++] = from->segments[i];
    w->sums[from->segments[i]] += share * from->weights[i];
  }
}

static void smooth(work *w, size_t v) {
  const uint32_t start = w->starts[v], end = w->starts[v + 1];
  uint32_t touched = 0;
  float dropped = 0;
  slots *dest = &w->next[v];
  *dest = w->now[v];
  if (start == end) return;
  gather(w, &w->now[v], 0.5f, &touched);
  for (uint32_t i = start; i < end; i++)
    gather(w, &w->now[w->neighbours[i]], 0.5f / (float)(end - start), &touched);
  dest->count = 0;
  for (uint32_t i = 0; i < touched; i++) {
    insert(dest, SLOTS, w->touched[i], w->sums[w->touched[i]], &dropped);
    w->sums[w->touched[i]] = 0;
  }
  settle(dest, dropped);
}

sinew_status si_skin_automatic(const sinew_pose *bind, const sinew_skin_desc *desc,
                               uint32_t *segments, float *weights, sinew_error *error) {
  const sinew_shape *mesh = &desc->mesh;
  const size_t count = (size_t)mesh->vertex_count;
  si_bones bones = { 0 };
  const size_t segment_count = (size_t)sinew_rig_segment_count(sinew_pose_rig(bind));
  work w = { 0 };
  w.now = si_arena_take(&w.arena, count * sizeof *w.now);
  w.next = si_arena_take(&w.arena, count * sizeof *w.next);
  w.first = si_arena_take(&w.arena, count * sizeof *w.first);
  w.order = si_arena_take(&w.arena, count * sizeof *w.order);
  w.starts = si_arena_take(&w.arena, (count + 2) * sizeof *w.starts);
  w.neighbours =
      si_arena_take(&w.arena, (6 * (size_t)mesh->triangle_count + 1) * sizeof *w.neighbours);
  w.sums = si_arena_take(&w.arena, segment_count * sizeof *w.sums);
  w.touched = si_arena_take(&w.arena, segment_count * sizeof *w.touched);
  sinew_status status =
      w.now && w.next && w.first && w.order && w.starts && w.neighbours && w.sums && w.touched
          ? si_bones_make(bind, desc->shapes, &bones, error)
          : si_fail_memory(error);
  if (status >= 0) {
    join_places(mesh, &w);
    list_neighbours(mesh, &w);
    int guess = 0;
    for (size_t i = 0; i < count; i++)
      if (w.first[i] == i)
        first_weights(&bones, mesh->vertices + 3 * i, desc->falloff, &guess, w.sums, &w.now[i]);
    memset(w.sums, 0, segment_count * sizeof(float));
    for (int round = 0; round < desc->smoothing; round++) {
      for (size_t i = 0; i < count; i++)
        if (w.first[i] == i) smooth(&w, i);
      slots *swap = w.now;
      w.now = w.next;
      w.next = swap;
    }
    for (size_t i = 0; i < count; i++) {
      const slots *from = &w.now[w.first[i]];
      slots few = { .count = 0 };
      float dropped = 0;
      for (int k = 0; k < from->count; k++)
        insert(&few, SI_SKIN_AUTOMATIC, from->segments[k], from->weights[k], &dropped);
      settle(&few, dropped);
      for (int k = 0; k < few.count; k++) {
        segments[i * SI_SKIN_AUTOMATIC + (size_t)k] = few.segments[k];
        weights[i * SI_SKIN_AUTOMATIC + (size_t)k] = few.weights[k];
      }
    }
  }
  si_bones_free(&bones);
  si_arena_free(&w.arena);
  return status;
}
