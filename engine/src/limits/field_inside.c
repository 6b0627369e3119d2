/* Which nodes of a grid are inside a closed surface: those with a nonzero winding number.
 *
 * Each row of nodes along the first axis is a ray. Every triangle that it crosses counts +1 or -1,
 * depending on its orientation along the ray. The sum over the crossings ahead of a node is its
 * winding number. Crossings are decided in integers, in units of 1/4096 of a degree, so they are
 * exact. A ray through an edge or a vertex is treated as if it were moved by (d, d^2) with an
 * infinitesimal d (simulation of simplicity): triangles that share an edge always agree, and no ray
 * slips between them. Angles stay below 2^16 degrees, so the products fit into 64 bits. */
#include <math.h>

#include "base/budget_internal.h"
#include "limits/field_surface.h"

typedef struct lattice {
  int64_t y, z;
} lattice;

static int64_t snap(double angle) { return (int64_t)floor(angle * 4096 + 0.5); }

/* twice the area of a, b, p */
static int64_t area(lattice a, lattice b, lattice p) {
  return (b.y - a.y) * (p.z - a.z) - (b.z - a.z) * (p.y - a.y);
}

/* the side of the line from a to b on which the point moved by (d, d^2) lies; 0 only if a is b */
static int side(lattice a, lattice b, lattice p) {
  int64_t s = area(a, b, p);
  if (s == 0) s = a.z - b.z;
  if (s == 0) s = b.y - a.y;
  return s > 0 ? 1 : s < 0 ? -1 : 0;
}

/* the first and last node of an axis between low and high; on an axis that wraps, nodes are counted
 * on beyond its ends */
static void span(const si_grid *grid, int axis, double low, double high, int64_t *first,
                 int64_t *last) {
  double cell = (double)grid->cell[axis], min = (double)grid->min[axis];
  *first = (int64_t)floor((low - min) / cell) - 1;
  *last = (int64_t)ceil((high - min) / cell) + 1;
  if (grid->wrap[axis]) return;
  if (*first < 0) *first = 0;
  if (*last > grid->resolution[axis] - 1) *last = grid->resolution[axis] - 1;
}

static double place(const si_grid *grid, int axis, int64_t index) {
  return (double)grid->min[axis] + (double)index * (double)grid->cell[axis];
}

static uint32_t offset(const si_grid *grid, int axis, int64_t index) {
  int64_t n = grid->resolution[axis];
  return (uint32_t)((index % n + n) % n) * grid->stride[axis];
}

/* adds to every node of the row that has the crossing ahead, but to none before the surface
 * starts */
static void add_ahead(const si_grid *grid, double start, double crossing, int way, int32_t *row) {
  int64_t first, last;
  span(grid, 0, start, crossing, &first, &last);
  for (int64_t i = first; i <= last && place(grid, 0, i) < crossing; i++)
    row[offset(grid, 0, i)] += way;
}

bool si_field_windings(const si_grid *grid, const sinew_surface *surface, const double low[3],
                       int32_t *windings) {
  for (size_t t = 0; t < surface->triangle_count; t++) {
    double x[3], least[2] = { INFINITY, INFINITY }, most[2] = { -INFINITY, -INFINITY };
    lattice v[3];
    for (int k = 0; k < 3; k++) {
      const float *vertex = surface->vertices + 3 * (size_t)surface->triangles[3 * t + (size_t)k];
      x[k] = (double)vertex[0];
      v[k] = (lattice){ snap((double)vertex[1]), snap((double)vertex[2]) };
      for (int i = 0; i < 2; i++) {
        least[i] = fmin(least[i], (double)vertex[i + 1]);
        most[i] = fmax(most[i], (double)vertex[i + 1]);
      }
    }
    int64_t y0, y1, z0, z1;
    span(grid, 1, least[0], most[0], &y0, &y1);
    span(grid, 2, least[1], most[1], &z0, &z1);
    if (!si_work(4)) return false;
    for (int64_t z = z0; z <= z1; z++) {
      if (!si_work(y0 <= y1 ? 2 * (size_t)(y1 - y0 + 1) : 1)) return false;
      for (int64_t y = y0; y <= y1; y++) {
        lattice p = { snap(place(grid, 1, y)), snap(place(grid, 2, z)) };
        int way = side(v[0], v[1], p);
        if (way == 0 || side(v[1], v[2], p) != way || side(v[2], v[0], p) != way) continue;
        double w0 = (double)area(v[1], v[2], p), w1 = (double)area(v[2], v[0], p),
               w2 = (double)area(v[0], v[1], p);
        double crossing = (w0 * x[0] + w1 * x[1] + w2 * x[2]) / (w0 + w1 + w2);
        add_ahead(grid, low[0], crossing, way, windings + offset(grid, 1, y) + offset(grid, 2, z));
        if (!si_work((size_t)grid->resolution[0] / 4)) return false;
      }
    }
  }
  return true;
}
