/* Internals of a signed distance field [Engell 2012]: the grid, the distances at its nodes, and the
 * nearest feasible point of each node. One block, never changed once it is built. */
#ifndef SI_FIELD_INTERNAL_H
#define SI_FIELD_INTERNAL_H

#include <stdatomic.h>

#include "base/alloc.h"
#include "base/error_internal.h"
#include "math/euler_order.h"
#include "sinew/field.h"

enum { SI_AXES = SINEW_FIELD_AXES, SI_FIELD_ORDERS = 2 };

typedef struct si_grid {
  int axis_count;
  int resolution[SI_AXES];
  bool wrap[SI_AXES];
  float min[SI_AXES], max[SI_AXES];
  float cell[SI_AXES], scale[SI_AXES]; /* degrees per cell, and its inverse */
  float period[SI_AXES];               /* max - min where the axis wraps, else 0 */
  uint32_t stride[SI_AXES];
  uint32_t nodes;
  float half_diagonal, smallest; /* of a cell; the shortest side of a cell */
} si_grid;

struct sinew_field {
  atomic_uint owners;
  si_grid grid;
  char orders[SI_FIELD_ORDERS][4]; /* "" for plain axes */
  float epsilon, accept;           /* accept: epsilon plus room for rounding */
  bool sculpted;
  int components;
  size_t bytes;
  float *phi;     /* distance at each node */
  float *nearest; /* nodes * axis_count: a feasible point */
};

/* field_query.c: derivatives of sinew_field_lookup at any angles, which are 0 beyond a range, and
 * of sinew_field_project: dest[i][k] is that of angle i by angle k. */
void si_field_distance_rate(const sinew_field *field, const float *angles, float *dest);
void si_field_project_rate(const sinew_field *field, const float *angles,
                           float dest[SI_AXES][SI_AXES]);

/* field_object.c */
bool si_field_check(const sinew_field_desc *desc, si_grid *dest, sinew_error *error);
size_t si_field_size(const si_grid *grid);
size_t si_field_limit(size_t wanted);
/* NULL, with `error` filled, when memory runs out. */
sinew_field *si_field_create(const si_grid *grid, const char *const orders[SI_FIELD_ORDERS],
                             float epsilon, sinew_error *error);

static inline float si_grid_place(const si_grid *grid, int axis, int index) {
  return index == grid->resolution[axis] - 1 && !grid->wrap[axis]
             ? grid->max[axis]
             : grid->min[axis] + (float)index * grid->cell[axis];
}
/* b - a on an axis, the shorter way round if it wraps */
static inline float si_grid_delta(const si_grid *grid, int axis, float a, float b) {
  float d = b - a, period = grid->period[axis];
  if (period > 0) {
    if (d > 0.5f * period) d -= period;
    if (d < -0.5f * period) d += period;
  }
  return d;
}
/* the node's index on each axis */
static inline void si_grid_indices(const si_grid *grid, uint32_t node, int *dest) {
  for (int i = 0; i < grid->axis_count; i++) {
    dest[i] = (int)(node % (uint32_t)grid->resolution[i]);
    node /= (uint32_t)grid->resolution[i];
  }
}

/* field_distance.c: for each node, which of the `count` points (axis_count floats each, inside the
 * ranges, `count` at least 1) is the nearest, and its distance (unless NULL); exact. The points are
 * reordered first. `scratch` is room for si_nearest_scratch floats. False if the budget has
 * stopped. */
size_t si_nearest_scratch(const si_grid *grid, uint32_t count);
bool si_nearest_points(const si_grid *grid, float *points, uint32_t count, float *scratch,
                       uint32_t *nearest, float *distance);

/* field_fill.c: signs and connected parts; `work` has room for grid->nodes numbers, `marks` for as
 * many bytes. */
/* Negates the distance of every node that is not reached from outside; returns how many. */
uint32_t si_field_sign(const si_grid *grid, float *phi, uint32_t *work, uint8_t *marks);
/* Counts the connected parts of the nodes with phi <= level, and those nodes. */
int si_field_parts(const si_grid *grid, const float *phi, float level, uint32_t *work,
                   uint8_t *marks, uint32_t *node_count);

/* field_build.c: the last step of both ways to build a field */
void si_field_review(sinew_field *field, uint32_t *work, uint8_t *marks,
                     sinew_field_report *report);

#endif
