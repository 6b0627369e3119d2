/* Loop's subdivision of the triangles of a part (C. Loop, 1987), for positions and radii alike.
 * Points and edges of the outline stay, so that a tube along it keeps covering the rim. */
#include "shape/solid_internal.h"

#include <string.h>

#include "base/alloc.h"

static int point_of(si_sheet *s, const sinew_solid_point *points, int index) {
  for (int i = 0; i < s->point_count; i++)
    if (s->sources[i] == index) return i;
  size_t count = (size_t)s->point_count + 1;
  if (!si_grow(&s->points, &s->point_room, count, sizeof *s->points) ||
      !si_grow(&s->sources, &s->source_room, count, sizeof *s->sources))
    return -1;
  s->points[s->point_count] = points[index];
  s->sources[s->point_count] = index;
  return s->point_count++;
}

bool si_sheet_add(si_sheet *s, const sinew_solid_point *points, const int *corners) {
  int made[3];
  for (int k = 0; k < 3; k++)
    if ((made[k] = point_of(s, points, corners[k])) < 0) return false;
  if (!si_grow(&s->triangles, &s->triangle_room, (size_t)s->triangle_count + 1,
               sizeof *s->triangles))
    return false;
  memcpy(s->triangles[s->triangle_count++], made, sizeof made);
  return true;
}

void si_sheet_free(si_sheet *s) {
  si_free(s->points);
  si_free(s->triangles);
  si_free(s->sources);
}

typedef struct edge {
  int a, b, count; /* how many triangles it has; 1: of the outline */
  int opposite[2];
} edge;

/* the edge between two points, new or known */
static int edge_of(edge *edges, int *count, int a, int b, int opposite) {
  int low = a < b ? a : b, high = a < b ? b : a, e = 0;
  while (e < *count && (edges[e].a != low || edges[e].b != high)) e++;
  if (e == *count) {
    edges[e] = (edge){ .a = low, .b = high };
    (*count)++;
  }
  if (edges[e].count < 2) edges[e].opposite[edges[e].count] = opposite;
  edges[e].count++;
  return e;
}

static void add_weighted(sinew_solid_point *dest, const sinew_solid_point *from, float weight) {
  for (int k = 0; k < 3; k++) dest->at[k] += weight * from->at[k];
  dest->radius += weight * from->radius;
}

/* the new place of an old point: inside, 1 - n w of it and w of each of its n neighbours */
static sinew_solid_point moved(const si_sheet *s, int v, const edge *edges, int edge_count) {
  int neighbours = 0;
  bool outline = false;
  sinew_solid_point sum = { { 0, 0, 0 }, 0 };
  for (int e = 0; e < edge_count; e++) {
    if (edges[e].a != v && edges[e].b != v) continue;
    outline |= edges[e].count != 2;
    neighbours++;
    add_weighted(&sum, &s->points[edges[e].a == v ? edges[e].b : edges[e].a], 1);
  }
  if (outline || neighbours < 3) return s->points[v];
  float weight = neighbours == 3 ? 3.0f / 16 : 3.0f / (8 * (float)neighbours);
  sinew_solid_point dest = { { 0, 0, 0 }, 0 };
  add_weighted(&dest, &s->points[v], 1 - (float)neighbours * weight);
  add_weighted(&dest, &sum, weight);
  return dest;
}

static sinew_solid_point middle(const si_sheet *s, const edge *e) {
  sinew_solid_point dest = { { 0, 0, 0 }, 0 };
  float end = e->count == 2 ? 0.375f : 0.5f;
  add_weighted(&dest, &s->points[e->a], end);
  add_weighted(&dest, &s->points[e->b], end);
  for (int k = 0; k < 2 && e->count == 2; k++)
    add_weighted(&dest, &s->points[e->opposite[k]], 0.125f);
  return dest;
}

bool si_sheet_subdivide(si_sheet *s) {
  size_t corners = 3 * (size_t)s->triangle_count;
  edge *edges = si_alloc_array(corners + 1, sizeof *edges);
  int *of = si_alloc_array(corners + 1, sizeof *of), edge_count = 0;
  int(*triangles)[3] = si_alloc_array(4 * (size_t)s->triangle_count + 1, sizeof *triangles);
  for (int t = 0; edges && of && t < s->triangle_count; t++)
    for (int k = 0; k < 3; k++) {
      const int *c = s->triangles[t];
      of[3 * t + k] = edge_of(edges, &edge_count, c[k], c[(k + 1) % 3], c[(k + 2) % 3]);
    }
  size_t room = (size_t)(s->point_count + edge_count) + 1;
  sinew_solid_point *points = si_alloc_array(room, sizeof *points);
  bool good = edges && of && triangles && points;
  for (int v = 0; good && v < s->point_count; v++) points[v] = moved(s, v, edges, edge_count);
  for (int e = 0; good && e < edge_count; e++) points[s->point_count + e] = middle(s, &edges[e]);
  for (int t = 0; good && t < s->triangle_count; t++) {
    const int *c = s->triangles[t];
    int m[3];
    for (int k = 0; k < 3; k++) m[k] = s->point_count + of[3 * t + k];
    const int four[4][3] = {
      { c[0], m[0], m[2] }, { m[0], c[1], m[1] }, { m[2], m[1], c[2] }, { m[0], m[1], m[2] }
    };
    memcpy(triangles[4 * t], four, sizeof four);
  }
  if (good) {
    si_free(s->points);
    si_free(s->triangles);
    s->points = points;
    s->triangles = triangles;
    s->point_count += edge_count;
    s->triangle_count *= 4;
    s->point_room = room;
    s->triangle_room = (size_t)s->triangle_count;
  } else {
    si_free(points);
    si_free(triangles);
  }
  si_free(edges);
  si_free(of);
  return good;
}
