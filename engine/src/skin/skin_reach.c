/* Weights by distance through the body, so that limbs that touch do not take each other's flesh.
 *
 * A vertex sees a bone if the line to its nearest point stays inside the mesh: it crosses no
 * triangle, and farther on it leaves through one, not enters. In an open mesh it may meet none if
 * it starts inwards. A piece of the mesh that mostly sees none is a layer over another, as cloth:
 * there a line that starts inwards may enter. A bone that no vertex sees, as it is thicker than the
 * mesh, is seen by other lines that cross nothing, if no bone is nearer.
 *
 * What a vertex does not see it reaches along edges from one that does: its distance d(s) is the
 * least sum of edges and the last one's straight line (Dijkstra's algorithm). With d the least d(s)
 * of a vertex, its weight for segment s is (1 - (d(s) - d) / falloff)^2 if d(s) - d is within the
 * falloff, else 0. It is 1 for the nearest bone and continuous. Vertices from which no bone can be
 * reached take straight lines. */
#include "skin/skin_internal.h"

#include <math.h>
#include <string.h>

typedef enum seen { HIDDEN, OUTSIDE, BELOW, INSIDE } seen;

/* a bone that a vertex sees, or may see */
typedef struct sight {
  uint32_t vertex;
  float distance;
  seen how;
} sight;

typedef struct queue {
  uint32_t *heap; /* vertices; the nearest is at the top */
  uint32_t *at;   /* of each vertex: its place in the heap, from 1; 0: it is not there */
  uint32_t count;
} queue;

typedef struct reach {
  const si_bones *bones;
  const sinew_skin_desc *desc;
  const si_graph *graph;
  si_slots *dest;
  sinew_surface *surface;
  si_surface_tree *tree; /* NULL: the mesh has no triangles */
  float size;            /* of the mesh, from corner to corner */
  bool closed;           /* every edge has two triangles, or four */
  sight *sights;         /* ordered by segment after they are collected */
  uint32_t *owners;      /* the segment of each sight */
  size_t sight_count, sight_room, owner_room;
  float *least;   /* of each vertex */
  float *far;     /* of each vertex for the current bone */
  float *dropped; /* of each vertex */
  uint32_t *touched;
  float *straight; /* of each bone, for the current vertex */
  float *points;   /* the nearest of each bone */
  queue queue;
  si_arena arena;
} reach;

/* --- the queue of Dijkstra's algorithm */

static void put(queue *q, uint32_t place, uint32_t vertex) {
  q->heap[place] = vertex;
  q->at[vertex] = place + 1;
}

/* inserts a vertex, or moves it towards the top when it has become nearer */
static void queue_raise(queue *q, const float *far, uint32_t vertex) {
  uint32_t place = q->at[vertex] ? q->at[vertex] - 1 : q->count++;
  for (; place > 0 && far[vertex] < far[q->heap[(place - 1) / 2]]; place = (place - 1) / 2)
    put(q, place, q->heap[(place - 1) / 2]);
  put(q, place, vertex);
}

static uint32_t queue_take(queue *q, const float *far) {
  const uint32_t top = q->heap[0], last = q->heap[--q->count];
  q->at[top] = 0;
  if (q->count == 0) return top;
  uint32_t place = 0;
  for (uint32_t child = 1; child < q->count; child = 2 * place + 1) {
    if (child + 1 < q->count && far[q->heap[child + 1]] < far[q->heap[child]]) child++;
    if (!(far[q->heap[child]] < far[last])) break;
    put(q, place, q->heap[child]);
    place = child;
  }
  put(q, place, last);
  return top;
}

static float edge_length(const reach *r, uint32_t a, uint32_t b) {
  const float *p = r->desc->mesh.vertices + 3 * (size_t)a;
  const float *q = r->desc->mesh.vertices + 3 * (size_t)b;
  const float way[3] = { q[0] - p[0], q[1] - p[1], q[2] - p[2] };
  return si_vec_length(way);
}

/* Spreads distances along edges. With `least`, only where they are within the falloff of it; then
 * lists the vertices it gives one to. False: stopped. */
static bool spread(reach *r, float *far, const float *least, uint32_t *touched) {
  while (r->queue.count) {
    const uint32_t v = queue_take(&r->queue, far);
    if (!si_work(4 + 2 * (size_t)(r->graph->starts[v + 1] - r->graph->starts[v]))) return false;
    for (uint32_t i = r->graph->starts[v]; i < r->graph->starts[v + 1]; i++) {
      const uint32_t next = r->graph->neighbours[i];
      const float length = far[v] + edge_length(r, v, next);
      if (!(length < far[next]) || (least && !(length < least[next] + r->desc->falloff))) continue;
      if (least && far[next] == INFINITY) r->touched[(*touched)++] = next;
      far[next] = length;
      queue_raise(&r->queue, far, next);
    }
  }
  return true;
}

/* --- what a vertex sees */

static seen see(const reach *r, size_t v, const float *point) {
  const float *place = r->desc->mesh.vertices + 3 * v, *normal = r->desc->mesh.normals + 3 * v;
  if (!r->tree) return INSIDE;
  float way[3], at;
  for (int k = 0; k < 3; k++) way[k] = point[k] - place[k];
  const float length = si_vec_length(way), farther = length + r->size;
  const float inwards = -si_vec_dot(way, normal) / (length + 1e-20f);
  if (!(length > 0)) return INSIDE;
  for (int k = 0; k < 3; k++) way[k] *= farther / length;
  const int crossed = si_surface_tree_cross(r->tree, place, way, &at);
  if (at * farther < 0.9999f * length) return crossed < 0 && inwards > 0.5f ? BELOW : HIDDEN;
  return crossed > 0 || (!crossed && !r->closed && inwards > 0.2f) ? INSIDE : OUTSIDE;
}

static bool note(reach *r, uint32_t segment, sight found) {
  if (!si_grow(&r->sights, &r->sight_room, r->sight_count + 1, sizeof *r->sights) ||
      !si_grow(&r->owners, &r->owner_room, r->sight_count + 1, sizeof *r->owners))
    return false;
  r->sights[r->sight_count] = found;
  r->owners[r->sight_count++] = segment;
  return true;
}

/* Notes the bones that a vertex sees within the falloff of the nearest of them. Bones are tried
 * from the nearest on; `guess` is the one nearest to the previous vertex, which limits the search.
 */
static bool look(reach *r, size_t v, int *guess) {
  const float *place = r->desc->mesh.vertices + 3 * v, falloff = r->desc->falloff;
  float limit = si_bone_distance(&r->bones->list[*guess], place, INFINITY) + falloff;
  float least = INFINITY;
  bool first = true;
  for (float reached = 0;;) {
    if (!si_work(4 + (size_t)r->bones->count)) return false;
    for (int i = 0; i < r->bones->count; i++)
      r->straight[i] = si_bone_nearest(&r->bones->list[i], place, limit, r->points + 3 * i);
    for (;;) {
      int next = -1;
      if (!si_work(4 + (size_t)r->bones->count / 8)) return false;
      for (int i = 0; i < r->bones->count; i++)
        if (r->straight[i] < limit && r->straight[i] >= 0 &&
            (next < 0 || r->straight[i] < r->straight[next]))
          next = i;
      if (next < 0 || !(r->straight[next] < least + falloff)) break;
      const float distance = r->straight[next];
      r->straight[next] = -1; /* done */
      if (distance < reached) continue;
      const seen how = see(r, v, r->points + 3 * next);
      const bool nearest = first;
      first = false;
      if (how == HIDDEN || (how == OUTSIDE && !nearest)) continue;
      if (!note(r, (uint32_t)next, (sight){ (uint32_t)v, distance, how })) return false;
      if (how != INSIDE) continue;
      if (least == INFINITY) *guess = next;
      least = fminf(least, distance);
    }
    if (least + falloff <= limit || limit == INFINITY) break;
    /* none was seen as near as the limit: farther bones, up to four times the distance */
    if (least == INFINITY && reached > 0) break;
    reached = limit;
    limit = least == INFINITY ? 4 * limit : least + falloff;
  }
  r->least[v] = least;
  return true;
}

/* marks the vertices of pieces of the mesh that mostly see no bone; uses the queue's memory */
static void find_layers(reach *r, bool *layered, bool *visited) {
  uint32_t *list = r->queue.heap;
  for (uint32_t v = 0; v < (uint32_t)r->desc->mesh.vertex_count; v++) {
    if (r->graph->first[v] != v || visited[v]) continue;
    uint32_t count = 0, blind = 0;
    visited[list[count++] = v] = true;
    for (uint32_t i = 0; i < count; i++) {
      blind += r->least[list[i]] == INFINITY;
      for (uint32_t k = r->graph->starts[list[i]]; k < r->graph->starts[list[i] + 1]; k++) {
        const uint32_t next = r->graph->neighbours[k];
        if (!visited[next]) visited[list[count++] = next] = true;
      }
    }
    for (uint32_t i = 0; i < count; i++) layered[list[i]] = 2 * blind > count;
  }
}

/* Leaves out lines into other pieces, except below layers, and lines outside of the mesh to bones
 * that other vertices see. */
static bool choose_sights(reach *r) {
  const size_t count = (size_t)r->desc->mesh.vertex_count;
  bool *known = si_arena_take(&r->arena, (size_t)r->bones->count + 1);
  bool *layered = si_arena_take(&r->arena, count), *visited = si_arena_take(&r->arena, count);
  size_t kept = 0;
  if (!known || !layered || !visited || !si_work(10 * count + 2 * r->sight_count)) return false;
  find_layers(r, layered, visited);
  for (size_t i = 0; i < r->sight_count; i++) {
    sight *s = &r->sights[i];
    if (s->how == BELOW && layered[s->vertex]) s->how = INSIDE;
    if (s->how == INSIDE) r->least[s->vertex] = fminf(r->least[s->vertex], s->distance);
    known[r->owners[i]] |= s->how == INSIDE;
  }
  for (size_t i = 0; i < r->sight_count; i++) {
    const sight *s = &r->sights[i];
    if (s->how == BELOW || (s->how == OUTSIDE && known[r->owners[i]])) continue;
    r->least[s->vertex] = fminf(r->least[s->vertex], s->distance);
    r->owners[kept] = r->owners[i];
    r->sights[kept++] = *s;
  }
  r->sight_count = kept;
  return true;
}

/* orders the sights by segment; starts has one place for each and one more */
static bool order_sights(reach *r, uint32_t *starts) {
  sight *ordered = si_alloc_array(r->sight_count + 1, sizeof *ordered);
  if (!ordered) return false;
  for (size_t i = 0; i < r->sight_count; i++) starts[r->owners[i] + 1]++;
  for (int i = 0; i < r->bones->count; i++) starts[i + 1] += starts[i];
  for (size_t i = 0; i < r->sight_count; i++) ordered[starts[r->owners[i]]++] = r->sights[i];
  memmove(starts + 1, starts, (size_t)r->bones->count * sizeof *starts);
  starts[0] = 0;
  si_free(r->sights);
  r->sights = ordered;
  return true;
}

static void give(reach *r, uint32_t segment, uint32_t v, float distance) {
  const float within = 1 - (distance - r->least[v]) / r->desc->falloff;
  if (within > 0) si_slots_insert(&r->dest[v], SI_SLOTS, segment, within * within, &r->dropped[v]);
}

/* gives the weights of one segment to all that it reaches; false: stopped */
static bool reach_from(reach *r, uint32_t segment, const sight *sights, size_t count) {
  uint32_t touched = 0;
  if (!si_work(4 * count)) return false;
  for (size_t i = 0; i < count; i++) {
    if (!(sights[i].distance < r->least[sights[i].vertex] + r->desc->falloff)) continue;
    r->far[sights[i].vertex] = sights[i].distance;
    r->touched[touched++] = sights[i].vertex;
    queue_raise(&r->queue, r->far, sights[i].vertex);
  }
  if (!spread(r, r->far, r->least, &touched) || !si_work(4 * touched)) return false;
  for (uint32_t i = 0; i < touched; i++) {
    give(r, segment, r->touched[i], r->far[r->touched[i]]);
    r->far[r->touched[i]] = INFINITY;
  }
  return true;
}

/* straight lines, for a vertex that reaches no bone */
static void take_straight(reach *r, uint32_t v) {
  const float *place = r->desc->mesh.vertices + 3 * (size_t)v;
  float least = INFINITY;
  for (int i = 0; i < r->bones->count; i++) {
    r->straight[i] = si_bone_distance(&r->bones->list[i], place, least + r->desc->falloff);
    least = fminf(least, r->straight[i]);
  }
  r->least[v] = least;
  for (int i = 0; i < r->bones->count; i++) give(r, (uint32_t)i, v, r->straight[i]);
}

static bool take_memory(reach *r) {
  const size_t count = (size_t)r->desc->mesh.vertex_count;
  r->least = si_arena_take(&r->arena, count * sizeof(float));
  r->far = si_arena_take(&r->arena, count * sizeof(float));
  r->dropped = si_arena_take(&r->arena, count * sizeof(float));
  r->touched = si_arena_take(&r->arena, count * sizeof(uint32_t));
  r->queue.heap = si_arena_take(&r->arena, count * sizeof(uint32_t));
  r->queue.at = si_arena_take(&r->arena, count * sizeof(uint32_t));
  r->straight = si_arena_take(&r->arena, (size_t)r->bones->count * sizeof(float));
  r->points = si_arena_take(&r->arena, 3 * (size_t)r->bones->count * sizeof(float));
  return r->points && r->least && r->far && r->dropped && r->touched && r->queue.heap &&
         r->queue.at && r->straight;
}

/* stopped: false */
static bool is_closed(const si_graph *g, size_t count) {
  for (size_t v = 0; v < count; v++)
    for (uint32_t i = g->starts[v]; i < g->starts[v + 1]; i++) {
      int same = 0;
      if (!si_work(1 + (size_t)(g->starts[v + 1] - g->starts[v]) / 8)) return false;
      for (uint32_t k = g->starts[v]; k < g->starts[v + 1]; k++)
        same += g->neighbours[k] == g->neighbours[i];
      if (same % 2) return false;
    }
  return true;
}

static float size_of(const sinew_shape *mesh) {
  float low[3] = { INFINITY, INFINITY, INFINITY }, high[3] = { -INFINITY, -INFINITY, -INFINITY };
  for (size_t i = 0; i < 3 * (size_t)mesh->vertex_count; i++) {
    low[i % 3] = fminf(low[i % 3], mesh->vertices[i]);
    high[i % 3] = fmaxf(high[i % 3], mesh->vertices[i]);
  }
  const float across[3] = { high[0] - low[0], high[1] - low[1], high[2] - low[2] };
  return si_vec_length(across);
}

static bool make_tree(reach *r, sinew_error *error) {
  const sinew_shape *mesh = &r->desc->mesh;
  if (mesh->triangle_count == 0) return true;
  r->surface = sinew_surface_create(mesh->vertices, (size_t)mesh->vertex_count, mesh->triangles,
                                    (size_t)mesh->triangle_count, error);
  r->tree = r->surface ? si_surface_tree_create(r->surface) : NULL;
  r->size = size_of(mesh);
  r->closed = is_closed(r->graph, (size_t)mesh->vertex_count);
  return r->tree && !si_stopped();
}

static bool reach_all(reach *r) {
  const size_t count = (size_t)r->desc->mesh.vertex_count;
  uint32_t *starts = si_arena_take(&r->arena, ((size_t)r->bones->count + 2) * sizeof *starts);
  int guess = 0;
  if (!starts) return false;
  for (size_t v = 0; v < count; v++) {
    r->far[v] = r->least[v] = INFINITY;
    if (r->graph->first[v] != v) continue;
    if (!look(r, v, &guess)) return false;
  }
  if (!choose_sights(r)) return false;
  for (size_t v = 0; v < count; v++)
    if (r->least[v] < INFINITY) queue_raise(&r->queue, r->least, (uint32_t)v);
  if (!spread(r, r->least, NULL, NULL) || !order_sights(r, starts)) return false;
  for (int i = 0; i < r->bones->count; i++)
    if (!reach_from(r, (uint32_t)i, r->sights + starts[i], starts[i + 1] - starts[i])) return false;
  for (size_t v = 0; v < count; v++) {
    if (r->graph->first[v] != v) continue;
    if (!si_work(5)) return false;
    if (r->dest[v].count == 0) take_straight(r, (uint32_t)v);
    si_slots_settle(&r->dest[v], r->dropped[v]);
  }
  return true;
}

sinew_status si_skin_reach(const si_bones *bones, const sinew_skin_desc *desc,
                           const si_graph *graph, si_slots *dest, sinew_error *error) {
  reach r = { .bones = bones, .desc = desc, .graph = graph, .dest = dest };
  bool ok = take_memory(&r) && make_tree(&r, error) && reach_all(&r);
  si_surface_tree_destroy(r.tree);
  sinew_surface_destroy(r.surface);
  si_free(r.sights);
  si_free(r.owners);
  si_arena_free(&r.arena);
  return ok ? SINEW_OK : si_fail_memory(error);
}
