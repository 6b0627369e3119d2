/* Flood fills over the nodes of a grid: the sign of the distances and the connected parts.
 *
 * Sign [Engell 2012, 3.3]: unsigned distances to samples never cross zero, so the flood needs a
 * barrier: the nodes within half a cell's diagonal of a sample. It starts at the ends of the axes
 * that do not wrap; if all wrap, at the node farthest from all samples. Nodes that it cannot reach
 * are inside. Barrier nodes keep their positive distance. */
#include <math.h>
#include <string.h>

#include "limits/field_internal.h"

enum { OPEN, WALL, SEEN };

static bool step(const si_grid *grid, const int *at, int axis, int way, uint32_t node,
                 uint32_t *dest) {
  const int last = grid->resolution[axis] - 1;
  const uint32_t stride = grid->stride[axis], span = (uint32_t)last * stride;
  if (way > 0) {
    if (at[axis] == last && !grid->wrap[axis]) return false;
    *dest = at[axis] == last ? node - span : node + stride;
  } else {
    if (at[axis] == 0 && !grid->wrap[axis]) return false;
    *dest = at[axis] == 0 ? node + span : node - stride;
  }
  return true;
}

/* marks every open node that can be reached from the `count` nodes in `work`, which are marked
 * already */
static void flood(const si_grid *grid, uint32_t *work, uint32_t count, uint8_t *marks) {
  while (count > 0) {
    uint32_t node = work[--count], next;
    int at[SI_AXES];
    si_grid_indices(grid, node, at);
    for (int axis = 0; axis < grid->axis_count; axis++)
      for (int way = -1; way <= 1; way += 2)
        if (step(grid, at, axis, way, node, &next) && marks[next] == OPEN) {
          marks[next] = SEEN;
          work[count++] = next;
        }
  }
}

static bool at_an_end(const si_grid *grid, uint32_t node) {
  int at[SI_AXES];
  si_grid_indices(grid, node, at);
  for (int i = 0; i < grid->axis_count; i++)
    if (!grid->wrap[i] && (at[i] == 0 || at[i] == grid->resolution[i] - 1)) return true;
  return false;
}

uint32_t si_field_sign(const si_grid *grid, float *phi, uint32_t *work, uint8_t *marks) {
  /* a little more than half a diagonal, so that rounding leaves no hole */
  const float wall = grid->half_diagonal * (1 + 1e-5f);
  uint32_t started = 0, farthest = 0, inside = 0;
  bool all_wrap = true;
  for (int i = 0; i < grid->axis_count; i++) all_wrap &= grid->wrap[i];
  for (uint32_t i = 0; i < grid->nodes; i++) {
    marks[i] = phi[i] <= wall ? WALL : OPEN;
    if (phi[i] > phi[farthest]) farthest = i;
  }
  for (uint32_t i = 0; i < grid->nodes; i++)
    if (marks[i] == OPEN && (all_wrap ? i == farthest : at_an_end(grid, i))) {
      marks[i] = SEEN;
      work[started++] = i;
    }
  flood(grid, work, started, marks);
  for (uint32_t i = 0; i < grid->nodes; i++)
    if (marks[i] == OPEN) {
      phi[i] = -phi[i];
      inside++;
    }
  return inside;
}

int si_field_parts(const si_grid *grid, const float *phi, float level, uint32_t *work,
                   uint8_t *marks, uint32_t *node_count) {
  uint32_t feasible = 0;
  int parts = 0;
  for (uint32_t i = 0; i < grid->nodes; i++) {
    marks[i] = phi[i] <= level ? OPEN : WALL;
    feasible += marks[i] == OPEN;
  }
  for (uint32_t i = 0; i < grid->nodes; i++) {
    if (marks[i] != OPEN) continue;
    marks[i] = SEEN;
    work[0] = i;
    flood(grid, work, 1, marks);
    parts++;
  }
  *node_count = feasible;
  return parts;
}
