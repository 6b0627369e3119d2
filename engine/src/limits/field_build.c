/* Builds a field around motion [Engell 2012, 3.1 to 3.3]: samples, exact distances to them, signs
 * by a flood fill from outside, and the nearest feasible sample of every node. */
#include <math.h>
#include <string.h>

#include "base/budget_internal.h"
#include "limits/field_internal.h"
#include "limits/field_samples.h"

typedef struct scratch {
  si_samples samples;
  float *boxes;      /* for the search of distances */
  uint32_t *nearest; /* for each node: its nearest sample; later scratch of the flood fills */
  uint8_t *marks;    /* for each node */
} scratch;

static void scratch_free(scratch *s) {
  si_free(s->samples.points);
  si_free(s->boxes);
  si_free(s->nearest);
  si_free(s->marks);
}

/* what is left of the memory limit, in samples; while the array grows, the old and the new one both
 * exist */
static sinew_status check_limit(const sinew_field_desc *desc, const si_grid *grid, size_t *samples,
                                sinew_error *error) {
  const size_t limit = si_field_limit(desc->memory_limit);
  const size_t field = si_field_size(grid), nodes = grid->nodes;
  const size_t needed = field + nodes * (sizeof(uint32_t) + 1);
  if (needed > limit)
    return si_fail(error, SINEW_ERR_LIMIT,
                   "field: %zu nodes take %zu bytes and %zu while building, the limit is %zu; take "
                   "fewer nodes or raise the limit",
                   nodes, field, needed, limit);
  size_t each = 3 * (size_t)grid->axis_count * sizeof(float) + sizeof(uint32_t);
  size_t left = (limit - needed) / each;
  *samples = left < UINT32_MAX / 2 ? left : UINT32_MAX / 2;
  return SINEW_OK;
}

static void keep_nearest(sinew_field *field, const float *points, const uint32_t *nearest) {
  const size_t n = (size_t)field->grid.axis_count;
  for (uint32_t node = 0; node < field->grid.nodes; node++)
    memcpy(field->nearest + node * n, points + nearest[node] * n, n * sizeof(float));
}

/* moves the samples that are feasible by lookup to the front; returns how many there are */
static uint32_t sift(const sinew_field *field, float *points, uint32_t count) {
  const size_t n = (size_t)field->grid.axis_count;
  uint32_t kept = 0;
  for (uint32_t i = 0; i < count; i++)
    if (sinew_field_lookup(field, points + i * n, NULL) <= field->accept)
      memmove(points + kept++ * n, points + i * n, n * sizeof(float));
  return kept;
}

static void warn_of_samples(const sinew_field *field, const si_samples *samples, uint32_t feasible,
                            sinew_error *warnings) {
  const si_grid *grid = &field->grid;
  if (samples->beyond > 0) {
    int i = samples->beyond_axis - 1;
    si_add(
        warnings, SINEW_OK,
        "%zu of %zu samples lie outside the range and are left out, the first is clip %zu sample "
        "%zu, beyond axis %d's %g to %g",
        samples->beyond, samples->given, samples->beyond_clip, samples->beyond_place, i + 1,
        (double)grid->min[i], (double)grid->max[i]);
  }
  if (field->epsilon < grid->half_diagonal * (1 - 1e-4f))
    si_add(warnings, SINEW_OK,
           "epsilon %g is less than half a cell's diagonal, %g: samples may be infeasible",
           (double)field->epsilon, (double)grid->half_diagonal);
  if (feasible == 0)
    si_add(warnings, SINEW_OK, "no sample is feasible: epsilon %g is too small for the cells",
           (double)field->epsilon);
}

void si_field_review(sinew_field *field, uint32_t *work, uint8_t *marks,
                     sinew_field_report *report) {
  uint32_t feasible;
  field->components =
      si_field_parts(&field->grid, field->phi, field->accept, work, marks, &feasible);
  if (!report) return;
  report->bytes = field->bytes;
  report->nodes = field->grid.nodes;
  report->feasible_nodes = feasible;
  report->components = field->components;
  if (field->components > 1)
    si_add(
        &report->warnings, SINEW_OK,
        "the feasible set falls apart into %d parts: join the clips, sample more densely or take "
        "larger cells",
        field->components);
}

static sinew_status build(const sinew_field_motion *motion, const sinew_field_desc *desc,
                          sinew_field *field, scratch *s, sinew_field_report *report,
                          sinew_error *error) {
  const si_grid *grid = &field->grid;
  sinew_status status = si_samples_collect(desc, grid, motion, &s->samples, error);
  if (status != SINEW_OK) return status;
  const si_samples *samples = &s->samples;
  if (samples->given == 0) return si_fail(error, SINEW_ERR_MISSING, "field: no samples given");
  if (samples->count == 0)
    return si_fail(error, SINEW_ERR_VALUE,
                   "field: none of the %zu samples lies inside the range; the first is beyond axis "
                   "%d's %g to %g",
                   samples->given, samples->beyond_axis,
                   (double)grid->min[samples->beyond_axis - 1],
                   (double)grid->max[samples->beyond_axis - 1]);
  uint32_t count = (uint32_t)samples->count;
  s->boxes = si_alloc_array(si_nearest_scratch(grid, count), sizeof(float));
  s->nearest = si_alloc_array(grid->nodes, sizeof(uint32_t));
  s->marks = si_alloc_array(grid->nodes, 1);
  if (!s->boxes || !s->nearest || !s->marks) return si_fail_memory(error);

  if (!si_nearest_points(grid, samples->points, count, s->boxes, s->nearest, field->phi))
    return si_fail_memory(error);
  keep_nearest(field, samples->points, s->nearest);
  if (!si_work(10 * (size_t)grid->nodes)) return si_fail_memory(error);
  uint32_t inside = si_field_sign(grid, field->phi, s->nearest, s->marks);
  /* with a small epsilon some samples are infeasible by lookup: project only to feasible ones */
  uint32_t feasible = sift(field, samples->points, count);
  if (feasible > 0 && feasible < count) {
    if (!si_nearest_points(grid, samples->points, feasible, s->boxes, s->nearest, NULL))
      return si_fail_memory(error);
    keep_nearest(field, samples->points, s->nearest);
  }
  if (report) {
    report->samples_given = samples->given;
    report->samples_used = samples->count;
    report->samples_beyond = samples->beyond;
    report->inside_nodes = inside;
    warn_of_samples(field, samples, feasible, &report->warnings);
  }
  si_field_review(field, s->nearest, s->marks, report);
  return SINEW_OK;
}

sinew_field *sinew_field_from_motion(const sinew_field_desc *desc, const sinew_field_motion *motion,
                                     sinew_field_report *report, sinew_error *error) {
  si_grid grid;
  scratch s = { 0 };
  if (!SI_EXPECT(desc && motion)) {
    si_fail(error, SINEW_ERR_CALL, "field: no desc or no motion");
    return NULL;
  }
  if (report) {
    memset(report, 0, offsetof(sinew_field_report, warnings));
    sinew_error_clear(&report->warnings);
  }
  sinew_field_desc whole = sinew_default_field_desc(0);
  sinew_field_motion all = sinew_default_field_motion();
  if (!SI_TAKE_DESC(field_desc, desc, &whole, error) ||
      !SI_TAKE_DESC(field_motion, motion, &all, error))
    return NULL;
  if (!si_field_check(desc, &grid, error)) return NULL;
  if (check_limit(desc, &grid, &s.samples.limit, error) != SINEW_OK) return NULL;
  float epsilon = desc->epsilon < 0 ? grid.half_diagonal : desc->epsilon;
  sinew_field *field = si_field_create(&grid, desc->orders, epsilon, error);
  if (!field) return NULL;
  sinew_status status = build(motion, desc, field, &s, report, error);
  scratch_free(&s);
  if (status == SINEW_OK) return field;
  sinew_field_release(field);
  return NULL;
}
