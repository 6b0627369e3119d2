/* The boundary of a field's feasible region as a closed surface, by marching tetrahedra.
 *
 * Every cell is split into the six tetrahedra around its diagonal from the lowest to the highest
 * corner (Kuhn). Neighbours then agree on their faces, so the surface is closed by construction. An
 * edge of a tetrahedron goes from a node to one that is higher by a mask of axes, 1 to 7, and
 * carries at most one vertex. The grid is surrounded by one more layer of nodes, slightly outside
 * and infeasible, which caps the region at the ends of the ranges. An axis that wraps is cut open
 * at the node where the fewest nodes are feasible, if possible none, and continues from there for
 * one period. */
#include <math.h>
#include <string.h>

#include "base/budget_internal.h"
#include "limits/field_internal.h"
#include "shape/surface_internal.h"

typedef struct march {
  const sinew_field *field;
  int start[3], count[3]; /* nodes including the caps: indices 0 and count - 1 are caps */
  float cap;              /* the value of a cap */
  uint32_t *edges;        /* two layers of nodes, seven edges each: its vertex plus 1, or 0 */
  float *vertices;
  size_t vertex_count, vertex_room;
  uint32_t *triangles;
  size_t triangle_count, triangle_room;
} march;

/* where an axis that wraps is best cut open */
static int opening(const sinew_field *field, int axis) {
  const si_grid *grid = &field->grid;
  const uint32_t places = (uint32_t)grid->resolution[axis];
  uint32_t feasible[SINEW_FIELD_RESOLUTION] = { 0 };
  int best = 0;
  for (uint32_t k = 0; k < grid->nodes; k++)
    feasible[k / grid->stride[axis] % places] += field->phi[k] <= field->epsilon;
  for (uint32_t i = 1; i < places; i++)
    if (feasible[i] < feasible[best]) best = (int)i;
  return best;
}

static float value(const march *m, const int *at) {
  const si_grid *grid = &m->field->grid;
  uint32_t node = 0;
  for (int i = 0; i < 3; i++) {
    if (at[i] == 0 || at[i] == m->count[i] - 1) return m->cap;
    node += (uint32_t)((m->start[i] + at[i] - 1) % grid->resolution[i]) * grid->stride[i];
  }
  return m->field->phi[node] - m->field->epsilon;
}

static double place(const march *m, int axis, int at) {
  const si_grid *grid = &m->field->grid;
  double hair = at == 0 ? 1 - 1e-3 : at == m->count[axis] - 1 ? -(1 - 1e-3) : 0;
  return (double)grid->min[axis] + (m->start[axis] + at - 1 + hair) * (double)grid->cell[axis];
}

/* the vertex on the edge from node `at` to the one higher by `mask` */
static bool vertex_on(march *m, const int *at, int mask, uint32_t *dest) {
  size_t node = (size_t)(at[2] % 2) * (size_t)m->count[1] + (size_t)at[1];
  uint32_t *slot = &m->edges[(node * (size_t)m->count[0] + (size_t)at[0]) * 7 + (size_t)mask - 1];
  if (*slot == 0) {
    const int to[3] = { at[0] + (mask & 1), at[1] + (mask >> 1 & 1), at[2] + (mask >> 2) };
    double a = (double)value(m, at), b = (double)value(m, to);
    /* keeps vertices apart from the nodes, and so from each other */
    double t = fmin(fmax(a / (a - b), 0.01), 0.99);
    void *items = m->vertices;
    bool grown = si_grow(&items, &m->vertex_room, 3 * m->vertex_count + 3, sizeof(float));
    m->vertices = items;
    if (!grown) return false;
    for (int i = 0; i < 3; i++) {
      double low = place(m, i, at[i]), high = place(m, i, to[i]);
      m->vertices[3 * m->vertex_count + (size_t)i] = (float)(low + t * (high - low));
    }
    *slot = (uint32_t)++m->vertex_count;
  }
  *dest = *slot - 1;
  return true;
}

static bool add_triangle(march *m, uint32_t a, uint32_t b, uint32_t c, bool flipped) {
  void *items = m->triangles;
  bool grown = si_grow(&items, &m->triangle_room, 3 * m->triangle_count + 3, sizeof(uint32_t));
  m->triangles = items;
  if (!grown) return false;
  uint32_t *t = m->triangles + 3 * m->triangle_count++;
  t[0] = a, t[1] = flipped ? c : b, t[2] = flipped ? b : c;
  return true;
}

/* One tetrahedron of the cell at `at`: its corners are masks, each of which contains the one
 * before. Listing the inner corners and then the outer ones, in a right-handed order, makes each
 * triangle face outwards. */
static bool march_tetrahedron(march *m, const int *at, const float *values, const int masks[4],
                              bool mirrored) {
  int corners[4], inside = 0, outside = 0;
  for (int k = 0; k < 4; k++)
    if (values[masks[k]] <= 0) corners[inside++] = k;
  for (int k = 0; k < 4; k++)
    if (values[masks[k]] > 0) corners[inside + outside++] = k;
  if (inside == 0 || outside == 0) return true;
  bool flipped = mirrored;
  for (int i = 0; i < 4; i++)
    for (int k = i + 1; k < 4; k++) flipped ^= corners[i] > corners[k];
  uint32_t v[4];
  int count = 0;
  for (int i = 0; i < inside; i++)
    for (int o = inside; o < 4; o++) {
      int a = corners[i] < corners[o] ? corners[i] : corners[o], b = corners[i] + corners[o] - a;
      const int low[3] = { at[0] + (masks[a] & 1), at[1] + (masks[a] >> 1 & 1),
                           at[2] + (masks[a] >> 2) };
      if (!vertex_on(m, low, masks[b] - masks[a], &v[count++])) return false;
    }
  if (count == 3) return add_triangle(m, v[0], v[1], v[2], flipped);
  return add_triangle(m, v[0], v[1], v[3], flipped) && add_triangle(m, v[0], v[3], v[2], flipped);
}

static bool march_cell(march *m, const int *at) {
  /* the six paths from corner 0 to corner 7; the last three are odd permutations of the axes */
  static const int ways[6][2] = { { 1, 3 }, { 2, 6 }, { 4, 5 }, { 2, 3 }, { 1, 5 }, { 4, 6 } };
  float values[8];
  int inside = 0;
  for (int k = 0; k < 8; k++) {
    values[k] = value(m, (const int[3]){ at[0] + (k & 1), at[1] + (k >> 1 & 1), at[2] + (k >> 2) });
    inside += values[k] <= 0;
  }
  if (inside == 0 || inside == 8) return true;
  for (int k = 0; k < 6; k++) {
    const int masks[4] = { 0, ways[k][0], ways[k][1], 7 };
    if (!march_tetrahedron(m, at, values, masks, k >= 3)) return false;
  }
  return true;
}

static bool march_all(march *m) {
  const size_t layer = (size_t)m->count[0] * (size_t)m->count[1] * 7;
  m->edges = si_alloc_array(2 * layer, sizeof(uint32_t));
  if (!m->edges) return false;
  int at[3];
  for (at[2] = 0; at[2] + 1 < m->count[2]; at[2]++) {
    memset(m->edges + (size_t)((at[2] + 1) % 2) * layer, 0, layer * sizeof(uint32_t));
    for (at[1] = 0; at[1] + 1 < m->count[1]; at[1]++) {
      if (!si_work(8 * (size_t)m->count[0])) return false;
      for (at[0] = 0; at[0] + 1 < m->count[0]; at[0]++)
        if (!march_cell(m, at)) return false;
    }
  }
  return true;
}

sinew_surface *sinew_field_surface(const sinew_field *field, sinew_error *error) {
  if (!SI_EXPECT(field)) {
    si_fail(error, SINEW_ERR_CALL, "field: none given");
    return NULL;
  }
  const si_grid *grid = &field->grid;
  if (grid->axis_count != 3) {
    si_fail(error, SINEW_ERR_VALUE, "field: only one of three axes has a surface, this one has %d",
            grid->axis_count);
    return NULL;
  }
  march m = { .field = field, .cap = grid->smallest };
  for (int i = 0; i < 3; i++) {
    m.start[i] = grid->wrap[i] ? opening(field, i) : 0;
    m.count[i] = grid->resolution[i] + (grid->wrap[i] ? 3 : 2);
  }
  sinew_surface *surface = NULL;
  if (!march_all(&m))
    si_fail_memory(error);
  else if (m.triangle_count == 0)
    si_fail(error, SINEW_ERR_VALUE, "field: no node is feasible, there is no border to show");
  else
    surface =
        si_surface_make(m.vertices, m.vertex_count, m.triangles, NULL, m.triangle_count, error);
  si_free(m.edges);
  si_free(m.vertices);
  si_free(m.triangles);
  return surface;
}
