/* Edge collapse by quadrics (M. Garland, P. Heckbert: Surface Simplification Using Quadric Error
 * Metrics, 1997). A vertex has the sum of the squared distances to the planes of the triangles that
 * were collapsed into it; the cost of an edge is the minimum of that sum for both ends. Planes are
 * not weighted, so the root of the sum is at least the largest distance. */
#include "sinew/mesh.h"

#include <math.h>
#include <string.h>

#include "base/alloc.h"
#include "base/budget_internal.h"

typedef struct quadric {
  double q[10]; /* the upper half of the sum of (n, d) (n, d)' */
} quadric;

typedef struct edge {
  float cost;
  uint32_t a, b;
  uint32_t age_a, age_b; /* versions of its ends when the cost was computed */
} edge;

typedef struct vertex {
  quadric quadric;
  uint32_t age;    /* incremented when it moves */
  int first, last; /* of the linked list of its corners; -1: none */
} vertex;

typedef struct work {
  float *v;
  uint32_t *t;
  int vertex_count, triangle_count;
  vertex *vertices;
  int *next;  /* for each corner: the next corner of its vertex */
  bool *dead; /* of a triangle */
  edge *heap;
  int heap_count;
  size_t heap_room;
  int living; /* triangles left */
  bool out;   /* memory ran out */
} work;

static void cross_of(const float *a, const float *b, const float *c, double *n) {
  double u[3], w[3];
  for (int i = 0; i < 3; i++) {
    u[i] = (double)b[i] - (double)a[i];
    w[i] = (double)c[i] - (double)a[i];
  }
  n[0] = u[1] * w[2] - u[2] * w[1];
  n[1] = u[2] * w[0] - u[0] * w[2];
  n[2] = u[0] * w[1] - u[1] * w[0];
}

static void add_plane(quadric *q, const double *n, const float *at) {
  double p[4] = { n[0], n[1], n[2], -(n[0] * at[0] + n[1] * at[1] + n[2] * at[2]) };
  int k = 0;
  for (int i = 0; i < 4; i++)
    for (int j = i; j < 4; j++) q->q[k++] += p[i] * p[j];
}

static double error_at(const quadric *a, const quadric *b, const float *at) {
  double p[4] = { at[0], at[1], at[2], 1 }, sum = 0;
  int k = 0;
  for (int i = 0; i < 4; i++)
    for (int j = i; j < 4; j++, k++) sum += (i == j ? 1 : 2) * (a->q[k] + b->q[k]) * p[i] * p[j];
  return sum > 0 ? sum : 0;
}

/* the minimum of the quadric, by Cramer's rule; false if it is not unique, or far away */
static bool least_place(const work *w, uint32_t a, uint32_t b, float *dest) {
  double q[10], m[3][3], length = 0, away = 0;
  for (int i = 0; i < 10; i++) q[i] = w->vertices[a].quadric.q[i] + w->vertices[b].quadric.q[i];
  const double rows[3][4] = { { q[0], q[1], q[2], -q[3] },
                              { q[1], q[4], q[5], -q[6] },
                              { q[2], q[5], q[7], -q[8] } };
  double det[4];
  for (int k = 0; k < 4; k++) {
    for (int i = 0; i < 3; i++)
      for (int j = 0; j < 3; j++) m[i][j] = rows[i][j == k ? 3 : j];
    det[k] = m[0][0] * (m[1][1] * m[2][2] - m[1][2] * m[2][1]) -
             m[0][1] * (m[1][0] * m[2][2] - m[1][2] * m[2][0]) +
             m[0][2] * (m[1][0] * m[2][1] - m[1][1] * m[2][0]);
  }
  if (!(fabs(det[3]) > 1e-4)) return false; /* for unit normals: nearly flat, or a ridge */
  for (int i = 0; i < 3; i++) {
    double p = (double)w->v[3 * a + i], r = (double)w->v[3 * b + i];
    dest[i] = (float)(det[i] / det[3]);
    length += (r - p) * (r - p);
    away += ((double)dest[i] - (p + r) / 2) * ((double)dest[i] - (p + r) / 2);
  }
  return away < length;
}

/* the best position for both ends of an edge; returns its cost */
static double best_place(const work *w, uint32_t a, uint32_t b, float *dest) {
  const float *p = w->v + 3 * a, *q = w->v + 3 * b;
  double least = INFINITY;
  for (int k = 0; k < 3; k++) {
    float at[3], part = 0.5f * (float)k;
    for (int i = 0; i < 3; i++) at[i] = p[i] + (q[i] - p[i]) * part;
    double cost = error_at(&w->vertices[a].quadric, &w->vertices[b].quadric, at);
    if (cost >= least) continue;
    least = cost;
    memcpy(dest, at, sizeof at);
  }
  float at[3];
  if (least_place(w, a, b, at)) {
    double cost = error_at(&w->vertices[a].quadric, &w->vertices[b].quadric, at);
    if (cost < least) {
      least = cost;
      memcpy(dest, at, sizeof at);
    }
  }
  return least;
}

/* --- the heap: the cheapest edge on top */

static bool less(const edge *a, const edge *b) {
  if (a->cost != b->cost) return a->cost < b->cost;
  /* a total order, so that results are the same everywhere */
  return a->a != b->a ? a->a < b->a : a->b < b->b;
}

static void push(work *w, uint32_t a, uint32_t b) {
  float place[3];
  if (!si_work(20) ||
      !si_grow(&w->heap, &w->heap_room, (size_t)w->heap_count + 1, sizeof *w->heap)) {
    w->out = true;
    return;
  }
  edge e = { (float)sqrt(best_place(w, a, b, place)), a, b, w->vertices[a].age,
             w->vertices[b].age };
  int i = w->heap_count++;
  for (; i && less(&e, &w->heap[(i - 1) / 2]); i = (i - 1) / 2) w->heap[i] = w->heap[(i - 1) / 2];
  w->heap[i] = e;
}

static edge pop(work *w) {
  edge top = w->heap[0], e = w->heap[--w->heap_count];
  int i = 0;
  for (int child; (child = 2 * i + 1) < w->heap_count; i = child) {
    if (child + 1 < w->heap_count && less(&w->heap[child + 1], &w->heap[child])) child++;
    if (!less(&w->heap[child], &e)) break;
    w->heap[i] = w->heap[child];
  }
  w->heap[i] = e;
  return top;
}

/* --- preparing */

static uint32_t hash_of(const float *p) {
  uint32_t bits[3], h = 2166136261u;
  memcpy(bits, p, sizeof bits);
  for (int i = 0; i < 3; i++) {
    h = (h ^ bits[i]) * 16777619u;
    h ^= h >> 15;
  }
  return h;
}

/* merges vertices at the same position; false if memory runs out */
static bool weld(work *w) {
  uint32_t room = 16;
  while (room < 2 * (uint32_t)w->vertex_count) room *= 2;
  int *table = si_alloc_array(room, sizeof *table);
  uint32_t *same = si_alloc_array((size_t)w->vertex_count, sizeof *same);
  if (table && same) {
    memset(table, -1, room * sizeof *table);
    for (int i = 0; i < w->vertex_count; i++) {
      uint32_t at = hash_of(w->v + 3 * i) & (room - 1);
      while (table[at] >= 0 && memcmp(w->v + 3 * i, w->v + 3 * table[at], 3 * sizeof(float)) != 0)
        at = (at + 1) & (room - 1);
      if (table[at] < 0) table[at] = i;
      same[i] = (uint32_t)table[at];
    }
    for (int c = 0; c < 3 * w->triangle_count; c++) w->t[c] = same[w->t[c]];
  }
  bool ok = table && same;
  si_free(table);
  si_free(same);
  return ok;
}

static void link_corner(work *w, int corner) {
  uint32_t v = w->t[corner];
  w->next[corner] = -1;
  if (w->vertices[v].first < 0)
    w->vertices[v].first = corner;
  else
    w->next[w->vertices[v].last] = corner;
  w->vertices[v].last = corner;
}

static void add_triangle(work *w, int t) {
  const uint32_t *c = w->t + 3 * t;
  w->dead[t] = c[0] == c[1] || c[1] == c[2] || c[2] == c[0];
  if (w->dead[t]) return;
  w->living++;
  for (int k = 0; k < 3; k++) link_corner(w, 3 * t + k);
  double n[3];
  cross_of(w->v + 3 * c[0], w->v + 3 * c[1], w->v + 3 * c[2], n);
  double length = sqrt(n[0] * n[0] + n[1] * n[1] + n[2] * n[2]);
  if (!(length > 0)) return;
  for (int i = 0; i < 3; i++) n[i] /= length;
  for (int k = 0; k < 3; k++) add_plane(&w->vertices[c[k]].quadric, n, w->v + 3 * c[k]);
}

/* how many remaining triangles have both vertices; one of them in `t` */
static int shared(const work *w, uint32_t a, uint32_t b, int *t) {
  int count = 0;
  size_t corners = 0;
  for (int c = w->vertices[a].first; c >= 0; c = w->next[c], corners++) {
    const uint32_t *at = w->t + 3 * (c / 3);
    if (w->dead[c / 3] || (at[0] != b && at[1] != b && at[2] != b)) continue;
    count++;
    *t = c / 3;
  }
  if (corners > 64) si_work(corners / 2); /* many at one vertex; each_edge stops */
  return count;
}

/* keeps a border in place: adds a plane through it, perpendicular to its triangle */
static void keep_border(work *w, uint32_t a, uint32_t b, int t) {
  double n[3], m[3], along[3];
  const uint32_t *c = w->t + 3 * t;
  cross_of(w->v + 3 * c[0], w->v + 3 * c[1], w->v + 3 * c[2], n);
  for (int i = 0; i < 3; i++) along[i] = (double)w->v[3 * b + i] - (double)w->v[3 * a + i];
  for (int i = 0; i < 3; i++)
    m[i] = n[(i + 1) % 3] * along[(i + 2) % 3] - n[(i + 2) % 3] * along[(i + 1) % 3];
  double length = sqrt(m[0] * m[0] + m[1] * m[1] + m[2] * m[2]);
  if (!(length > 0)) return;
  for (int i = 0; i < 3; i++) m[i] /= length;
  add_plane(&w->vertices[a].quadric, m, w->v + 3 * a);
  add_plane(&w->vertices[b].quadric, m, w->v + 3 * b);
}

/* visits each edge of the remaining triangles; an edge of two triangles comes twice */
static void each_edge(work *w, void (*call)(work *w, uint32_t a, uint32_t b)) {
  for (int c = 0; c < 3 * w->triangle_count && !w->out; c++) {
    if (c % 64 == 0 && !si_work(64 * 3)) w->out = true;
    if (!w->dead[c / 3]) call(w, w->t[c], w->t[c % 3 == 2 ? c - 2 : c + 1]);
  }
}

static void look_for_border(work *w, uint32_t a, uint32_t b) {
  int t = 0;
  if (shared(w, a, b, &t) == 1) keep_border(w, a, b, t);
}

/* once for an edge of two triangles; always at a border, or where three triangles meet */
static void push_first(work *w, uint32_t a, uint32_t b) {
  int t = 0;
  if (a < b || shared(w, a, b, &t) != 2) push(w, a, b);
}

/* --- collapsing */

/* whether a triangle of `a`, without those of `b`, would flip if `a` moved */
static bool turns_over(const work *w, uint32_t a, uint32_t b, const float *place) {
  for (int c = w->vertices[a].first; c >= 0; c = w->next[c]) {
    const uint32_t *at = w->t + 3 * (c / 3);
    if (w->dead[c / 3] || at[0] == b || at[1] == b || at[2] == b) continue;
    const float *p[3], *q[3];
    for (int k = 0; k < 3; k++) p[k] = q[k] = w->v + 3 * at[k];
    q[c % 3] = place;
    double before[3], after[3];
    cross_of(p[0], p[1], p[2], before);
    cross_of(q[0], q[1], q[2], after);
    double dot = 0, one = 0, two = 0;
    for (int i = 0; i < 3; i++) {
      dot += before[i] * after[i];
      one += before[i] * before[i];
      two += after[i] * after[i];
    }
    if (dot < 0.1 * sqrt(one * two) || !(two > 0)) return true;
  }
  return false;
}

/* Whether collapsing keeps the surface a surface: every common neighbour of both ends must be the
 * third corner of a triangle at the edge, else sheets would be glued together (Dey et al., 1999).
 */
static bool keeps_surface(const work *w, uint32_t a, uint32_t b) {
  int common = 0, faces = 0;
  for (int c = w->vertices[a].first; c >= 0; c = w->next[c]) {
    if (w->dead[c / 3]) continue;
    const uint32_t *at = w->t + 3 * (c / 3);
    faces += at[0] == b || at[1] == b || at[2] == b;
    /* in a closed fan, each neighbour follows `a` in one triangle */
    uint32_t neighbour = at[(c % 3 + 1) % 3];
    int t = 0;
    if (neighbour != b && shared(w, b, neighbour, &t) > 0) common++;
    if (si_stopped()) return false;
  }
  return common <= faces;
}

static void collapse(work *w, uint32_t a, uint32_t b, const float *place) {
  memcpy(w->v + 3 * a, place, 3 * sizeof *place);
  for (int i = 0; i < 10; i++) w->vertices[a].quadric.q[i] += w->vertices[b].quadric.q[i];
  w->vertices[a].age++;
  w->vertices[b].age++;
  for (int c = w->vertices[b].first; c >= 0; c = w->next[c]) {
    const uint32_t *at = w->t + 3 * (c / 3);
    bool dies = !w->dead[c / 3] && (at[0] == a || at[1] == a || at[2] == a);
    w->dead[c / 3] |= dies;
    w->living -= dies;
    w->t[c] = a;
  }
  /* appends the corners of b to those of a */
  if (w->vertices[b].first >= 0) {
    if (w->vertices[a].first < 0)
      w->vertices[a].first = w->vertices[b].first;
    else
      w->next[w->vertices[a].last] = w->vertices[b].first;
    w->vertices[a].last = w->vertices[b].last;
    w->vertices[b].first = w->vertices[b].last = -1;
  }
  for (int c = w->vertices[a].first; c >= 0; c = w->next[c])
    if (!w->dead[c / 3])
      for (int k = 1; k < 3; k++) push(w, a, w->t[c / 3 * 3 + (c % 3 + k) % 3]);
}

static void collapse_all(work *w, float tolerance, int least) {
  while (w->heap_count && !w->out) {
    int t;
    if (!si_work(30)) w->out = true;
    edge e = pop(w);
    if (e.cost > tolerance) return;
    if (e.age_a != w->vertices[e.a].age || e.age_b != w->vertices[e.b].age) continue;
    if (w->living - shared(w, e.a, e.b, &t) < least) continue;
    float place[3];
    best_place(w, e.a, e.b, place);
    if (keeps_surface(w, e.a, e.b) && !turns_over(w, e.a, e.b, place) &&
        !turns_over(w, e.b, e.a, place))
      collapse(w, e.a, e.b, place);
  }
}

static bool prepare(work *w) {
  size_t v = (size_t)w->vertex_count, t = (size_t)w->triangle_count;
  w->vertices = si_alloc_array(v, sizeof *w->vertices);
  w->next = si_alloc_array(3 * t, sizeof *w->next);
  w->dead = si_alloc_array(t, sizeof *w->dead);
  if (!w->vertices || !w->next || !w->dead || !weld(w)) return false;
  for (size_t i = 0; i < v; i++) w->vertices[i].first = w->vertices[i].last = -1;
  for (int i = 0; i < w->triangle_count; i++) add_triangle(w, i);
  each_edge(w, look_for_border);
  each_edge(w, push_first);
  return !w->out;
}

int sinew_mesh_simplify(float *vertices, int vertex_count, uint32_t *triangles, int triangle_count,
                        float tolerance, int least) {
  if (!SI_EXPECT((vertices || vertex_count < 1) && (triangles || triangle_count < 1))) return -1;
  if (vertex_count < 1 || triangle_count < 1) return 0;
  size_t places = 3 * (size_t)vertex_count, corners = 3 * (size_t)triangle_count;
  work w = { .vertex_count = vertex_count, .triangle_count = triangle_count };
  /* works on copies: nothing changes if memory runs out */
  w.v = si_alloc_array(places, sizeof *w.v);
  w.t = si_alloc_array(corners, sizeof *w.t);
  int left = -1;
  if (w.v && w.t) {
    memcpy(w.v, vertices, places * sizeof *w.v);
    memcpy(w.t, triangles, corners * sizeof *w.t);
    if (prepare(&w))
      collapse_all(&w, tolerance, least);
    else
      w.out = true;
    if (!w.out) {
      left = 0;
      memcpy(vertices, w.v, places * sizeof *w.v);
      for (int i = 0; i < triangle_count; i++)
        if (!w.dead[i]) memcpy(triangles + 3 * left++, w.t + 3 * i, 3 * sizeof *w.t);
    }
  }
  si_free(w.v);
  si_free(w.t);
  si_free(w.vertices);
  si_free(w.next);
  si_free(w.dead);
  si_free(w.heap);
  return left;
}
