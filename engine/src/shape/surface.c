/* Surfaces as objects, and the check that they are closed: along each edge as many triangles run
 * one way as the other, which is what makes the winding number of a point whole. */
#include "shape/surface_internal.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

sinew_surface *si_surface_make(const float *vertices, size_t vertex_count,
                               const uint32_t *triangles, const uint32_t *lines,
                               size_t triangle_count, sinew_error *error) {
  si_carver carver = { 0 };
  for (;;) {
    sinew_surface *s = si_carve(&carver, 1, sizeof *s, SI_ALIGN);
    float *v = si_carve(&carver, 3 * vertex_count, sizeof *v, SI_ALIGN);
    uint32_t *t = si_carve(&carver, 3 * triangle_count, sizeof *t, SI_ALIGN);
    uint32_t *l = si_carve(&carver, triangle_count, sizeof *l, SI_ALIGN);
    if (s) {
      *s = (sinew_surface){ vertex_count, triangle_count, v, t, l };
      memcpy(v, vertices, 3 * vertex_count * sizeof *v);
      memcpy(t, triangles, 3 * triangle_count * sizeof *t);
      if (lines) memcpy(l, lines, triangle_count * sizeof *l);
      return s;
    }
    carver.base = si_alloc(carver.used);
    carver.used = 0;
    if (!carver.base) return si_memory_null(error);
  }
}

sinew_surface *sinew_surface_create(const float *vertices, size_t vertex_count,
                                    const uint32_t *triangles, size_t triangle_count,
                                    sinew_error *error) {
  if (!SI_EXPECT((vertices || !vertex_count) && (triangles || !triangle_count)))
    return si_fail_null(error, SINEW_ERR_CALL, "surface: no vertices or triangles");
  if (vertex_count == 0 || triangle_count == 0)
    return si_fail_null(error, SINEW_ERR_MISSING, "surface: has %zu vertices and %zu triangles",
                        vertex_count, triangle_count);
  if (vertex_count > SI_SURFACE_LIMIT || triangle_count > SI_SURFACE_LIMIT) {
    si_fail(error, SINEW_ERR_LIMIT, "surface: %zu vertices and %zu triangles; at most %d of each",
            vertex_count, triangle_count, SI_SURFACE_LIMIT);
    return NULL;
  }
  for (size_t i = 0; i < 3 * vertex_count; i++)
    if (!(fabsf(vertices[i]) <= SINEW_SURFACE_EXTENT))
      return si_fail_null(error, isfinite(vertices[i]) ? SINEW_ERR_VALUE : SINEW_ERR_NOT_FINITE,
                          "surface: vertex %zu has the coordinate %.9g, expected within +-%g",
                          i / 3 + 1, (double)vertices[i], (double)SINEW_SURFACE_EXTENT);
  for (size_t i = 0; i < 3 * triangle_count; i++)
    if (triangles[i] >= vertex_count)
      return si_fail_null(error, SINEW_ERR_VALUE, "surface: triangle %zu has vertex %lu of %zu",
                          i / 3 + 1, (unsigned long)triangles[i] + 1, vertex_count);
  return si_surface_make(vertices, vertex_count, triangles, NULL, triangle_count, error);
}

void sinew_surface_destroy(sinew_surface *surface) { si_free(surface); }

/* a half-edge is three times its triangle and its place in it */
static void ends(const sinew_surface *s, uint32_t half, uint32_t *from, uint32_t *to) {
  *from = s->triangles[half];
  *to = s->triangles[half % 3 == 2 ? half - 2 : half + 1];
}

static uint32_t low_end(const sinew_surface *s, uint32_t half) {
  uint32_t from, to;
  ends(s, half, &from, &to);
  return from < to ? from : to;
}

static uint32_t high_end(const sinew_surface *s, uint32_t half) {
  uint32_t from, to;
  ends(s, half, &from, &to);
  return from < to ? to : from;
}

/* sorts half-edges by one end, keeping the order of equals */
static void sort_by(const sinew_surface *s, uint32_t (*end)(const sinew_surface *, uint32_t),
                    uint32_t *counts, const uint32_t *from, uint32_t *dest) {
  const size_t halves = 3 * s->triangle_count;
  memset(counts, 0, (s->vertex_count + 1) * sizeof *counts);
  for (size_t i = 0; i < halves; i++) counts[end(s, (uint32_t)i) + 1]++;
  for (size_t i = 0; i < s->vertex_count; i++) counts[i + 1] += counts[i];
  for (size_t i = 0; i < halves; i++) {
    uint32_t half = from ? from[i] : (uint32_t)i;
    dest[counts[end(s, half)]++] = half;
  }
}

static void say_where(const sinew_surface *s, uint32_t half, char *dest, size_t room) {
  uint32_t triangle = half / 3;
  if (s->lines[triangle])
    snprintf(dest, room, "the face on line %lu", (unsigned long)s->lines[triangle]);
  else
    snprintf(dest, room, "triangle %lu", (unsigned long)triangle + 1);
}

static void say_edge(const sinew_surface *s, const uint32_t *halves, size_t count,
                     sinew_error *error) {
  unsigned long a = low_end(s, halves[0]) + 1ul, b = high_end(s, halves[0]) + 1ul;
  char one[64], two[64];
  say_where(s, halves[0], one, sizeof one);
  if (count == 1) {
    si_add(error, SINEW_ERR_VALUE,
           "surface: the edge between vertices %lu and %lu is open: only %s has it", a, b, one);
    return;
  }
  say_where(s, halves[1], two, sizeof two);
  if (count == 2)
    si_add(error, SINEW_ERR_VALUE,
           "surface: %s and %s run the same way along the edge between vertices %lu and %lu: turn "
           "one over",
           one, two, a, b);
  else
    si_add(error, SINEW_ERR_VALUE,
           "surface: the edge between vertices %lu and %lu is shared by %zu faces that do not pair "
           "up, among them %s and %s",
           a, b, count, one, two);
}

static size_t check_edges(const sinew_surface *s, const uint32_t *sorted, sinew_error *error) {
  enum { told = 20 };
  const size_t halves = 3 * s->triangle_count;
  size_t bad = 0, next;
  for (size_t i = 0; i < halves; i = next) {
    uint32_t low = low_end(s, sorted[i]), high = high_end(s, sorted[i]), from, to;
    ptrdiff_t balance = 0;
    for (next = i; next < halves; next++) {
      if (low_end(s, sorted[next]) != low || high_end(s, sorted[next]) != high) break;
      ends(s, sorted[next], &from, &to);
      balance += from < to ? 1 : from > to ? -1 : 0;
    }
    if (balance != 0 && bad++ < told) say_edge(s, sorted + i, next - i, error);
  }
  if (bad > told)
    si_add(error, SINEW_ERR_VALUE, "surface: and %zu more edges that are open or do not pair up",
           bad - told);
  return bad;
}

sinew_status sinew_surface_check(const sinew_surface *surface, sinew_error *error) {
  if (!SI_EXPECT(surface)) return si_fail(error, SINEW_ERR_CALL, "surface: none given");
  const size_t halves = 3 * surface->triangle_count;
  uint32_t *counts = si_alloc_array(surface->vertex_count + 1, sizeof *counts);
  uint32_t *by_high = si_alloc_array(halves, sizeof *by_high);
  uint32_t *sorted = si_alloc_array(halves, sizeof *sorted);
  sinew_status status = SINEW_OK;
  sinew_error_clear(error);
  if (!counts || !by_high || !sorted) {
    status = si_fail_memory(error);
  } else {
    sort_by(surface, high_end, counts, NULL, by_high);
    sort_by(surface, low_end, counts, by_high, sorted);
    if (check_edges(surface, sorted, error) > 0) status = SINEW_ERR_VALUE;
  }
  si_free(counts);
  si_free(by_high);
  si_free(sorted);
  return status;
}

size_t sinew_surface_vertex_count(const sinew_surface *surface) {
  return SI_EXPECT(surface) ? surface->vertex_count : 0;
}

size_t sinew_surface_triangle_count(const sinew_surface *surface) {
  if (!SI_EXPECT(surface)) return 0;
  return surface->triangle_count;
}
const float *sinew_surface_vertices(const sinew_surface *surface) {
  return SI_EXPECT(surface) ? surface->vertices : NULL;
}

const uint32_t *sinew_surface_triangles(const sinew_surface *surface) {
  return SI_EXPECT(surface) ? surface->triangles : NULL;
}
