/* Surface nets have one vertex in each cell, so two sheets that pass through one cell are glued
 * together there: an edge with four triangles, or a vertex with two fans. The edge gets two
 * middles, one for each sheet, and the vertex becomes several. */
#include "shape/solid_net.h"

#include <math.h>
#include <string.h>

#include "base/alloc.h"
#include "base/budget_internal.h"
#include "sinew/mesh.h"

enum { most_edges = 4096, most_fan = 64 };

bool si_net_vertex(si_net *net, const float p[3], bool doubtful) {
  size_t count = (size_t)net->vertex_count + 1;
  if (!si_grow(&net->vertices, &net->vertex_room, 3 * count, sizeof *net->vertices) ||
      !si_grow(&net->doubtful, &net->doubt_room, count, sizeof *net->doubtful))
    return false;
  memcpy(net->vertices + 3 * (count - 1), p, 3 * sizeof *p);
  net->doubtful[count - 1] = doubtful;
  net->vertex_count++;
  return true;
}

static bool add_triangle(si_net *net, uint32_t a, uint32_t b, uint32_t c) {
  size_t count = 3 * (size_t)net->triangle_count;
  if (!si_grow(&net->triangles, &net->triangle_room, count + 3, sizeof *net->triangles))
    return false;
  const uint32_t corners[3] = { a, b, c };
  memcpy(net->triangles + count, corners, sizeof corners);
  net->triangle_count++;
  return true;
}

static float distance2(const si_net *net, int a, int b) {
  float sum = 0;
  for (int k = 0; k < 3; k++) {
    float d = net->vertices[3 * a + k] - net->vertices[3 * b + k];
    sum += d * d;
  }
  return sum;
}

bool si_net_quad(si_net *net, const int q[4]) {
  const uint32_t c[4] = { (uint32_t)q[0], (uint32_t)q[1], (uint32_t)q[2], (uint32_t)q[3] };
  if (distance2(net, q[0], q[2]) <= distance2(net, q[1], q[3]))
    return add_triangle(net, c[0], c[1], c[2]) && add_triangle(net, c[0], c[2], c[3]);
  return add_triangle(net, c[0], c[1], c[3]) && add_triangle(net, c[1], c[2], c[3]);
}

void si_net_free(si_net *net) {
  si_free(net->vertices);
  si_free(net->doubtful);
  si_free(net->triangles);
}

/* --- the triangles near doubtful vertices */

typedef struct suspects {
  int *triangles; /* those with a doubtful corner */
  size_t room;
  int count;
} suspects;

static bool find_suspects(const si_net *net, suspects *s) {
  s->count = 0;
  for (int t = 0; t < net->triangle_count; t++) {
    const uint32_t *c = net->triangles + 3 * t;
    if (!net->doubtful[c[0]] && !net->doubtful[c[1]] && !net->doubtful[c[2]]) continue;
    if (!si_grow(&s->triangles, &s->room, (size_t)s->count + 1, sizeof *s->triangles)) return false;
    s->triangles[s->count++] = t;
  }
  return true;
}

/* the suspects at vertex v; at most `most_fan` */
static int fan_of(const si_net *net, const suspects *s, uint32_t v, int *dest) {
  int count = 0;
  for (int i = 0; i < s->count && count < most_fan; i++) {
    const uint32_t *c = net->triangles + 3 * s->triangles[i];
    if (c[0] == v || c[1] == v || c[2] == v) dest[count++] = s->triangles[i];
  }
  return count;
}

/* of a triangle: the corner from which the edge v w goes forwards (v first) or backwards; -1: none
 */
static int edge_in(const uint32_t *c, uint32_t v, uint32_t w, bool *forward) {
  for (int k = 0; k < 3; k++) {
    uint32_t a = c[k], b = c[(k + 1) % 3];
    *forward = a == v && b == w;
    if (*forward || (a == w && b == v)) return k;
  }
  return -1;
}

/* --- edges with more than two triangles */

typedef struct side { /* a triangle at an edge */
  int triangle, corner;
  bool forward, taken;
  float angle; /* about the edge, counter-clockwise seen from its end */
} side;

static int sides_of(const si_net *net, const int *fan, int fan_count, uint32_t v, uint32_t w,
                    side *dest) {
  int count = 0;
  for (int i = 0; i < fan_count; i++) {
    bool forward;
    int corner = edge_in(net->triangles + 3 * fan[i], v, w, &forward);
    if (corner >= 0) dest[count++] = (side){ fan[i], corner, forward, false, 0 };
  }
  return count;
}

static void measure_angles(const si_net *net, uint32_t v, uint32_t w, side *sides, int count) {
  double axis[3], x[3] = { 0, 0, 0 }, y[3], length = 0;
  const float *from = net->vertices + 3 * v, *to = net->vertices + 3 * w;
  for (int k = 0; k < 3; k++) {
    axis[k] = (double)to[k] - (double)from[k];
    length += axis[k] * axis[k];
  }
  length = sqrt(length) > 0 ? sqrt(length) : 1;
  int thin = 0;
  for (int k = 0; k < 3; k++) {
    axis[k] /= length;
    if (fabs(axis[k]) < fabs(axis[thin])) thin = k;
  }
  x[thin] = 1;
  for (int k = 0; k < 3; k++)
    y[k] = axis[(k + 1) % 3] * x[(k + 2) % 3] - axis[(k + 2) % 3] * x[(k + 1) % 3];
  for (int k = 0; k < 3; k++)
    x[k] = y[(k + 1) % 3] * axis[(k + 2) % 3] - y[(k + 2) % 3] * axis[(k + 1) % 3];
  for (int i = 0; i < count; i++) {
    const uint32_t *c = net->triangles + 3 * sides[i].triangle;
    const float *third = net->vertices + 3 * c[(sides[i].corner + 2) % 3];
    double u = 0, h = 0;
    for (int k = 0; k < 3; k++) {
      double d = (double)third[k] - (double)from[k];
      u += d * x[k];
      h += d * y[k];
    }
    sides[i].angle = (float)atan2(h, u);
  }
}

/* The triangle that encloses the inside together with a forward one: the next backward one,
 * clockwise. */
static int partner(const side *sides, int count, int of) {
  int best = -1;
  float least = 1e9f;
  for (int i = 0; i < count; i++) {
    if (sides[i].forward || sides[i].taken) continue;
    float turn = sides[of].angle - sides[i].angle;
    if (turn < 0) turn += 6.2831853f;
    if (turn < least) {
      least = turn;
      best = i;
    }
  }
  return best;
}

/* splits a triangle at the middle of its edge */
static bool split_side(si_net *net, const side *s, uint32_t middle) {
  uint32_t *c = net->triangles + 3 * s->triangle;
  const uint32_t a = c[s->corner], b = c[(s->corner + 1) % 3], third = c[(s->corner + 2) % 3];
  c[0] = a;
  c[1] = middle;
  c[2] = third;
  return add_triangle(net, middle, b, third);
}

/* one pair of sides gets a middle of its own, moved a little towards its triangles */
static bool split_pair(si_net *net, uint32_t v, uint32_t w, const side *one, const side *two) {
  float p[3];
  const side *both[2] = { one, two };
  for (int k = 0; k < 3; k++) {
    float edge = 0.5f * (net->vertices[3 * v + k] + net->vertices[3 * w + k]), third = 0;
    for (int i = 0; i < 2; i++)
      third +=
          0.5f *
          net->vertices[3 * net->triangles[3 * both[i]->triangle + (both[i]->corner + 2) % 3] + k];
    p[k] = edge + 0.1f * (third - edge);
  }
  uint32_t middle = (uint32_t)net->vertex_count;
  return si_net_vertex(net, p, true) && split_side(net, one, middle) &&
         split_side(net, two, middle);
}

static bool split_edge(si_net *net, uint32_t v, uint32_t w, side *sides, int count) {
  measure_angles(net, v, w, sides, count);
  for (int i = 0; i < count; i++) {
    int other = sides[i].forward ? partner(sides, count, i) : -1;
    if (other < 0) continue;
    sides[other].taken = true;
    if (!split_pair(net, v, w, &sides[i], &sides[other])) return false;
  }
  return true;
}

/* splits the first such edge; *changed: there was one */
static bool split_first_edge(si_net *net, suspects *s, bool *changed) {
  *changed = false;
  if (!find_suspects(net, s)) return false;
  for (int i = 0; i < s->count; i++)
    for (int k = 0; k < 3; k++) {
      const uint32_t *c = net->triangles + 3 * s->triangles[i];
      uint32_t v = c[k], w = c[(k + 1) % 3];
      if (!net->doubtful[v] || !net->doubtful[w]) continue;
      int fan[most_fan], fan_count = fan_of(net, s, v, fan);
      side sides[most_fan];
      int count = sides_of(net, fan, fan_count, v, w, sides);
      if (count <= 2) continue;
      if (!split_edge(net, v, w, sides, count)) return false;
      *changed = true;
      return true;
    }
  return true;
}

/* --- vertices with several fans */

/* whether two triangles at v share another vertex */
static bool are_neighbours(const uint32_t *a, const uint32_t *b, uint32_t v) {
  for (int i = 0; i < 3; i++)
    for (int k = 0; k < 3; k++)
      if (a[i] == b[k] && a[i] != v) return true;
  return false;
}

/* marks with `mark` all triangles of the fan that hang together with `first` */
static void mark_fan(const si_net *net, const int *fan, int count, int first, uint32_t v, int mark,
                     int *marks) {
  int queue[most_fan], ready = 0, waiting = 0;
  marks[first] = mark;
  queue[waiting++] = first;
  while (ready < waiting) {
    int at = queue[ready++];
    for (int i = 0; i < count; i++) {
      if (marks[i] >= 0 ||
          !are_neighbours(net->triangles + 3 * fan[at], net->triangles + 3 * fan[i], v))
        continue;
      marks[i] = mark;
      queue[waiting++] = i;
    }
  }
}

/* a copy of v for one fan, moved a little towards it */
static bool copy_vertex(si_net *net, const int *fan, const int *marks, int count, int mark,
                        uint32_t v) {
  float p[3], mean[3] = { 0, 0, 0 };
  int corners = 0;
  for (int i = 0; i < count; i++)
    for (int k = 0; k < 3 && marks[i] == mark; k++, corners++)
      for (int j = 0; j < 3; j++) mean[j] += net->vertices[3 * net->triangles[3 * fan[i] + k] + j];
  for (int j = 0; j < 3; j++) {
    p[j] = net->vertices[3 * v + j];
    p[j] += 0.1f * (mean[j] / (float)corners - p[j]);
  }
  uint32_t copy = (uint32_t)net->vertex_count;
  if (!si_net_vertex(net, p, false)) return false;
  for (int i = 0; i < count; i++)
    for (int k = 0; k < 3 && marks[i] == mark; k++) {
      uint32_t *c = net->triangles + 3 * fan[i] + k;
      if (*c == v) *c = copy;
    }
  return true;
}

static bool split_vertices(si_net *net, suspects *s) {
  if (!find_suspects(net, s)) return false;
  const int known = net->vertex_count;
  for (int v = 0; v < known; v++) {
    if (!net->doubtful[v]) continue;
    int fan[most_fan], marks[most_fan], mark = 0;
    int count = fan_of(net, s, (uint32_t)v, fan);
    for (int i = 0; i < count; i++) marks[i] = -1;
    for (int i = 0; i < count; i++)
      if (marks[i] < 0) mark_fan(net, fan, count, i, (uint32_t)v, mark++, marks);
    for (int k = 1; k < mark; k++)
      if (!copy_vertex(net, fan, marks, count, k, (uint32_t)v)) return false;
  }
  return true;
}

/* --- hollows */

static int root_of(int *parents, int i) {
  while (parents[i] != i) i = parents[i] = parents[parents[i]];
  return i;
}

static void drop_hollows(si_net *net, int *parents, double *volumes) {
  for (int v = 0; v < net->vertex_count; v++) parents[v] = v;
  for (int t = 0; t < net->triangle_count; t++) {
    const uint32_t *c = net->triangles + 3 * t;
    int a = root_of(parents, (int)c[0]);
    parents[root_of(parents, (int)c[1])] = a;
    parents[root_of(parents, (int)c[2])] = a;
  }
  for (int t = 0; t < net->triangle_count; t++) {
    const uint32_t *c = net->triangles + 3 * t;
    double p[3][3];
    for (int i = 0; i < 3; i++)
      for (int k = 0; k < 3; k++) p[i][k] = (double)net->vertices[3 * c[i] + k];
    volumes[root_of(parents, (int)c[0])] += p[0][0] * (p[1][1] * p[2][2] - p[1][2] * p[2][1]) +
                                            p[0][1] * (p[1][2] * p[2][0] - p[1][0] * p[2][2]) +
                                            p[0][2] * (p[1][0] * p[2][1] - p[1][1] * p[2][0]);
  }
  int kept = 0;
  for (int t = 0; t < net->triangle_count; t++) {
    const uint32_t *c = net->triangles + 3 * t;
    if (volumes[root_of(parents, (int)c[0])] <= 0) continue;
    memmove(net->triangles + 3 * kept++, c, 3 * sizeof *c);
  }
  net->triangle_count = kept;
}

bool si_net_mend(si_net *net) {
  suspects s = { 0 };
  bool good = true, changed = true;
  for (int pass = 0; good && changed && pass < most_edges; pass++)
    good = si_work((size_t)net->triangle_count / 2) && split_first_edge(net, &s, &changed);
  good = good && split_vertices(net, &s);
  si_free(s.triangles);
  size_t count = (size_t)net->vertex_count + 1;
  int *parents = si_alloc_array(count, sizeof *parents);
  double *volumes = si_alloc_array(count, sizeof *volumes);
  good = good && parents && volumes;
  if (good) drop_hollows(net, parents, volumes);
  si_free(parents);
  si_free(volumes);
  return good;
}

bool si_net_simplify(si_net *net, float tolerance) {
  if (tolerance > 0) {
    int left = sinew_mesh_simplify(net->vertices, net->vertex_count, net->triangles,
                                   net->triangle_count, tolerance, 32);
    if (left < 0) return false;
    net->triangle_count = left;
  }
  int *places = si_alloc_array((size_t)net->vertex_count + 1, sizeof *places), count = 0;
  if (!places) return false;
  for (int i = 0; i < 3 * net->triangle_count; i++) places[net->triangles[i]] = 1;
  for (int v = 0; v < net->vertex_count; v++) {
    if (!places[v]) continue;
    memmove(net->vertices + 3 * count, net->vertices + 3 * v, 3 * sizeof *net->vertices);
    places[v] = count++;
  }
  for (int i = 0; i < 3 * net->triangle_count; i++)
    net->triangles[i] = (uint32_t)places[net->triangles[i]];
  net->vertex_count = count;
  si_free(places);
  return true;
}
