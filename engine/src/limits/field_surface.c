/* Builds a field from a closed surface [Engell 2012, 3.4]. The distance of a node is that to the
 * nearest point of the surface, or of one of its periodic images along the axes that wrap; the sign
 * comes from the winding number. The nearest point need not be feasible by the interpolated
 * distance. So the point stored at a node is that point moved inwards until it is feasible, or else
 * the nearest feasible node. */
#include "limits/field_surface.h"

#include "base/budget_internal.h"

#include <math.h>
#include <string.h>

typedef struct scratch {
  si_surface_tree *tree;
  uint32_t *work; /* for each node: winding number, then nearest node; then scratch */
  uint8_t *marks; /* for each node */
  float *points, *boxes;
  double low[3], high[3]; /* bounds of the surface */
} scratch;

static void scratch_free(scratch *s) {
  si_surface_tree_destroy(s->tree);
  si_free(s->work);
  si_free(s->marks);
  si_free(s->points);
  si_free(s->boxes);
}

static sinew_status check_size(const si_grid *grid, const sinew_surface *surface, scratch *s,
                               sinew_error *error) {
  for (int i = 0; i < 3; i++) {
    s->low[i] = INFINITY, s->high[i] = -INFINITY;
    for (size_t k = 0; k < surface->triangle_count * 3; k++) {
      double x = (double)surface->vertices[3 * (size_t)surface->triangles[k] + (size_t)i];
      s->low[i] = fmin(s->low[i], x);
      s->high[i] = fmax(s->high[i], x);
    }
    double wide = s->high[i] - s->low[i];
    if (grid->wrap[i] && wide > 1.5 * (double)grid->period[i])
      return si_fail(error, SINEW_ERR_VALUE,
                     "field: the surface is %.6g degrees wide on axis %d, which wraps after %g",
                     wide, i + 1, (double)grid->period[i]);
  }
  return SINEW_OK;
}

/* the nearest point of the surface to a node, among the images that can be nearest */
static uint32_t nearest(const si_grid *grid, const scratch *s, const double *node, uint32_t guess,
                        double *square, double *dest) {
  int from[3], to[3];
  for (int i = 0; i < 3; i++) {
    double period = (double)grid->period[i];
    from[i] = to[i] = 0;
    if (!grid->wrap[i]) continue;
    /* moved by so many periods, the node is within half a period of the surface's bounds */
    from[i] = (int)ceil((s->low[i] - 0.5 * period - node[i]) / period);
    to[i] = (int)floor((s->high[i] + 0.5 * period - node[i]) / period);
  }
  for (int x = from[0]; x <= to[0]; x++)
    for (int y = from[1]; y <= to[1]; y++)
      for (int z = from[2]; z <= to[2]; z++) {
        const int turns[3] = { x, y, z };
        double place[3], best = *square, found[3];
        for (int i = 0; i < 3; i++) place[i] = node[i] + turns[i] * (double)grid->period[i];
        guess = si_surface_tree_nearest(s->tree, place, guess, &best, found);
        if (best >= *square) continue;
        *square = best;
        for (int i = 0; i < 3; i++) dest[i] = found[i] - turns[i] * (double)grid->period[i];
      }
  return guess;
}

/* clamps to the range, and moves into the first period of an axis that wraps */
static void bring_in(const si_grid *grid, const double *place, float *dest) {
  for (int i = 0; i < 3; i++) {
    double x = place[i], low = (double)grid->min[i], high = (double)grid->max[i];
    if (grid->wrap[i]) x -= (high - low) * floor((x - low) / (high - low));
    dest[i] = (float)fmin(fmax(x, low), high);
  }
}

/* false: stopped */
static bool measure(sinew_field *field, const scratch *s) {
  const si_grid *grid = &field->grid;
  const int32_t *windings = (const int32_t *)s->work;
  int at[3] = { 0, 0, 0 };
  uint32_t guess = 0;
  for (uint32_t k = 0; k < grid->nodes; k++) {
    double node[3], square = INFINITY, point[3] = { 0, 0, 0 };
    if (!si_work(2)) return false;
    for (int i = 0; i < 3; i++) node[i] = (double)si_grid_place(grid, i, at[i]);
    guess = nearest(grid, s, node, guess, &square, point);
    field->phi[k] = (float)(windings[k] ? -sqrt(square) : sqrt(square));
    bring_in(grid, point, field->nearest + 3 * (size_t)k);
    for (int i = 0; i < 3 && ++at[i] == grid->resolution[i]; i++) at[i] = 0;
  }
  return true;
}

/* moves the nearest point of an outer node inwards until it is feasible; false if it never is */
static bool push_inwards(const sinew_field *field, const int *at, float *point) {
  const si_grid *grid = &field->grid;
  const float strides = 8;
  float way[3], start[3], length = 0;
  if (sinew_field_lookup(field, point, NULL) <= field->epsilon) return true;
  for (int i = 0; i < 3; i++) {
    start[i] = point[i];
    way[i] = si_grid_delta(grid, i, si_grid_place(grid, i, at[i]), point[i]);
    length += way[i] * way[i];
  }
  if (!(length > 0)) return false;
  length = grid->smallest / (strides * sqrtf(length));
  for (float k = 1; k <= strides; k++) {
    double moved[3];
    for (int i = 0; i < 3; i++) moved[i] = (double)(start[i] + k * length * way[i]);
    bring_in(grid, moved, point);
    if (sinew_field_lookup(field, point, NULL) <= field->epsilon) return true;
  }
  return false;
}

/* stores the nearest feasible node at the marked nodes instead */
static sinew_status keep_nodes(sinew_field *field, scratch *s, uint32_t feasible,
                               sinew_error *error) {
  const si_grid *grid = &field->grid;
  s->points = si_alloc_array(feasible, 3 * sizeof(float));
  s->boxes = si_alloc_array(si_nearest_scratch(grid, feasible), sizeof(float));
  if (!s->points || !s->boxes) return si_fail_memory(error);
  uint32_t count = 0;
  int at[3] = { 0, 0, 0 };
  for (uint32_t k = 0; k < grid->nodes; k++) {
    if (field->phi[k] <= field->epsilon) {
      for (int i = 0; i < 3; i++)
        s->points[3 * (size_t)count + (size_t)i] = si_grid_place(grid, i, at[i]);
      count++;
    }
    for (int i = 0; i < 3 && ++at[i] == grid->resolution[i]; i++) at[i] = 0;
  }
  if (!si_nearest_points(grid, s->points, count, s->boxes, s->work, NULL))
    return si_fail_memory(error);
  for (uint32_t k = 0; k < grid->nodes; k++)
    if (s->marks[k])
      memcpy(field->nearest + 3 * (size_t)k, s->points + 3 * (size_t)s->work[k], 3 * sizeof(float));
  return SINEW_OK;
}

static sinew_status settle_places(sinew_field *field, scratch *s, sinew_error *error) {
  const si_grid *grid = &field->grid;
  uint32_t feasible = 0, stuck = 0;
  int at[3] = { 0, 0, 0 };
  for (uint32_t k = 0; k < grid->nodes; k++) {
    float *place = field->nearest + 3 * (size_t)k;
    bool here = field->phi[k] <= field->epsilon;
    if (k % 64 == 0 && !si_work(1024)) return si_fail_memory(error);
    if (here)
      for (int i = 0; i < 3; i++) place[i] = si_grid_place(grid, i, at[i]);
    s->marks[k] = !here && !push_inwards(field, at, place);
    stuck += s->marks[k];
    feasible += here;
    for (int i = 0; i < 3 && ++at[i] == grid->resolution[i]; i++) at[i] = 0;
  }
  if (feasible == 0)
    return si_fail(error, SINEW_ERR_VALUE,
                   "field: no node lies inside the surface; it is outside the ranges, or thinner "
                   "than a cell (%g x %g x %g degrees)",
                   (double)grid->cell[0], (double)grid->cell[1], (double)grid->cell[2]);
  return stuck > 0 ? keep_nodes(field, s, feasible, error) : SINEW_OK;
}

static sinew_status check_limit(const sinew_field_desc *desc, const si_grid *grid,
                                const sinew_surface *surface, sinew_error *error) {
  const size_t limit = si_field_limit(desc->memory_limit), nodes = grid->nodes;
  /* the nearest nodes are searched for after the tree is freed */
  size_t tree = si_surface_tree_bytes(surface->triangle_count);
  size_t places = (3 * nodes + si_nearest_scratch(grid, grid->nodes)) * sizeof(float);
  size_t field = si_field_size(grid);
  size_t needed = field + nodes * (sizeof(uint32_t) + 1) + (tree > places ? tree : places);
  if (needed <= limit) return SINEW_OK;
  return si_fail(error, SINEW_ERR_LIMIT,
                 "field: %zu nodes take %zu bytes and %zu while building, the limit is %zu; take "
                 "fewer nodes or raise the limit",
                 nodes, field, needed, limit);
}

static sinew_status build(const sinew_surface *surface, sinew_field *field, scratch *s,
                          sinew_field_report *report, sinew_error *error) {
  const si_grid *grid = &field->grid;
  s->tree = si_surface_tree_create(surface);
  s->work = si_alloc_array(grid->nodes, sizeof(uint32_t));
  s->marks = si_alloc_array(grid->nodes, 1);
  if (!s->tree || !s->work || !s->marks) return si_fail_memory(error);
  if (!si_field_windings(grid, surface, s->low, (int32_t *)s->work) || !measure(field, s))
    return si_fail_memory(error);
  si_surface_tree_destroy(s->tree);
  s->tree = NULL;
  sinew_status status = settle_places(field, s, error);
  if (status != SINEW_OK) return status;
  if (report)
    for (uint32_t k = 0; k < grid->nodes; k++) report->inside_nodes += field->phi[k] < 0;
  si_field_review(field, s->work, s->marks, report);
  return SINEW_OK;
}

sinew_field *sinew_field_from_surface(const sinew_field_desc *desc, const sinew_surface *surface,
                                      sinew_field_report *report, sinew_error *error) {
  si_grid grid;
  scratch s = { 0 };
  if (!SI_EXPECT(desc && surface)) {
    si_fail(error, SINEW_ERR_CALL, "field: no desc or no surface");
    return NULL;
  }
  if (report) {
    memset(report, 0, offsetof(sinew_field_report, warnings));
    sinew_error_clear(&report->warnings);
  }
  sinew_field_desc whole = sinew_default_field_desc(0);
  if (!SI_TAKE_DESC(field_desc, desc, &whole, error)) return NULL;
  if (!si_field_check(desc, &grid, error)) return NULL;
  if (grid.axis_count != 3) {
    si_fail(error, SINEW_ERR_VALUE, "field: a surface has three angles, the desc has %d axes",
            grid.axis_count);
    return NULL;
  }
  if (check_limit(desc, &grid, surface, error) != SINEW_OK ||
      sinew_surface_check(surface, error) != SINEW_OK ||
      check_size(&grid, surface, &s, error) != SINEW_OK)
    return NULL;
  sinew_field *field =
      si_field_create(&grid, desc->orders, desc->epsilon < 0 ? 0 : desc->epsilon, error);
  if (!field) return NULL;
  field->sculpted = true;
  sinew_status status = build(surface, field, &s, report, error);
  scratch_free(&s);
  if (status == SINEW_OK) return field;
  sinew_field_release(field);
  return NULL;
}
