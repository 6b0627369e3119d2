/* Adaptive sampling of motion [Engell 2012, fig. 2]: if neighbours are farther apart than half the
 * smallest cell, the motion between them is bisected: by slerp of quaternions for axes that are
 * Euler angles, linearly for plain ones. A jump of the angles, as at a singular orientation, never
 * closes, so bisection stops at a maximum depth. */
#include "limits/field_samples.h"

#include "base/budget_internal.h"

#include <math.h>
#include <string.h>

/* a sample in the form in which it is interpolated: a quaternion for each Euler order, numbers for
 * plain axes */
typedef struct key {
  double quat[SI_FIELD_ORDERS][4];
  double plain[SI_AXES];
  float angles[SI_AXES]; /* its point in the grid */
  int beyond;            /* the first axis, from 1, whose range it exceeds; 0: none */
} key;

typedef struct reader {
  const si_grid *grid;
  si_euler_order orders[SI_FIELD_ORDERS];
  bool turns[SI_FIELD_ORDERS]; /* whether axes 3i to 3i + 2 are Euler angles */
  int depth;
  si_samples *samples;
  size_t clip, place; /* counted from 1 */
} reader;

static bool is_plain(const reader *r, int axis) { return !r->turns[axis / 3]; }

static size_t floats_in_sample(const reader *r, bool quaternions) {
  size_t count = 0;
  for (int i = 0; i < r->grid->axis_count; i++) {
    if (is_plain(r, i) || !quaternions)
      count++;
    else if (i % 3 == 0)
      count += 4; /* a quaternion for three axes */
  }
  return count;
}

static sinew_status read_key(const reader *r, const float *sample, bool quaternions, key *dest,
                             sinew_error *error) {
  memset(dest, 0, sizeof *dest);
  for (size_t i = 0, n = floats_in_sample(r, quaternions); i < n; i++)
    if (!isfinite(sample[i]))
      return si_fail(error, SINEW_ERR_NOT_FINITE, "clip %zu sample %zu: number %zu is not finite",
                     r->clip, r->place, i + 1);
  for (int axis = 0; axis < r->grid->axis_count;) {
    if (is_plain(r, axis)) {
      /* clamped: far beyond any range gives the same result as just beyond it */
      dest->plain[axis++] = fmax(-1e6, fmin(1e6, (double)*sample++));
      continue;
    }
    double *q = dest->quat[axis / 3];
    if (quaternions) {
      double length = 0;
      for (int i = 0; i < 4; i++) {
        q[i] = (double)sample[i];
        length += q[i] * q[i];
      }
      length = sqrt(length);
      if (!(fabs(length - 1) < 0.05))
        return si_fail(error, SINEW_ERR_VALUE,
                       "clip %zu sample %zu: the quaternion (%.9g %.9g %.9g %.9g) has length %.6g, "
                       "expected 1",
                       r->clip, r->place, q[0], q[1], q[2], q[3], length);
      for (int i = 0; i < 4; i++) q[i] /= length;
      sample += 4;
    } else {
      const double angles[3] = { fmod((double)sample[0], 360), fmod((double)sample[1], 360),
                                 fmod((double)sample[2], 360) };
      si_order_quat(&r->orders[axis / 3], angles, q);
      sample += 3;
    }
    axis += 3;
  }
  return SINEW_OK;
}

static void halfway(const reader *r, const key *a, const key *b, key *dest) {
  for (int g = 0; g < SI_FIELD_ORDERS; g++) {
    if (!r->turns[g]) continue;
    /* in the middle of a great arc, slerp is the normalised sum */
    double dot = 0, length = 0, *q = dest->quat[g];
    for (int i = 0; i < 4; i++) dot += a->quat[g][i] * b->quat[g][i];
    for (int i = 0; i < 4; i++) {
      q[i] = a->quat[g][i] + (dot < 0 ? -b->quat[g][i] : b->quat[g][i]);
      length += q[i] * q[i];
    }
    length = sqrt(length);
    for (int i = 0; i < 4; i++) q[i] /= length;
  }
  for (int i = 0; i < r->grid->axis_count; i++) {
    double d = b->plain[i] - a->plain[i], period = (double)r->grid->period[i];
    if (period > 0) d = remainder(d, period);
    dest->plain[i] = a->plain[i] + 0.5 * d;
  }
}

/* the key's angles, each moved by whole turns into its range */
static void place(const reader *r, key *k) {
  const si_grid *grid = r->grid;
  double angles[SI_AXES];
  for (int g = 0; g < SI_FIELD_ORDERS; g++)
    if (r->turns[g]) si_order_angles(&r->orders[g], k->quat[g], angles + 3 * g);
  k->beyond = 0;
  for (int i = 0; i < grid->axis_count; i++) {
    double low = (double)grid->min[i], high = (double)grid->max[i];
    double room = 1e-4 * (double)grid->cell[i], angle = is_plain(r, i) ? k->plain[i] : angles[i];
    double period = grid->wrap[i] ? (double)grid->period[i] : is_plain(r, i) ? 0 : 360;
    if (period > 0) angle -= period * floor((angle - low + room) / period);
    if (angle >= low - room && angle <= high + room) {
      angle = fmin(fmax(angle, low), high);
      if (grid->wrap[i] && (float)angle >= grid->max[i]) angle = low;
    } else if (k->beyond == 0) {
      k->beyond = i + 1;
    }
    k->angles[i] = (float)angle;
  }
}

static float apart(const si_grid *grid, const float *a, const float *b) {
  float sum = 0;
  for (int i = 0; i < grid->axis_count; i++) {
    float d = si_grid_delta(grid, i, a[i], b[i]);
    sum += d * d;
  }
  return sqrtf(sum);
}

static sinew_status put(const reader *r, const key *k, sinew_error *error) {
  si_samples *s = r->samples;
  const size_t n = (size_t)r->grid->axis_count;
  if (k->beyond) return SINEW_OK;
  if (s->count >= s->limit)
    return si_fail(error, SINEW_ERR_LIMIT,
                   "field: clip %zu sample %zu: more than %zu samples after filling gaps, which is "
                   "all that the memory limit leaves; raise the limit or take larger cells",
                   r->clip, r->place, s->limit);
  void *items = s->points;
  bool grown = si_grow(&items, &s->capacity, (s->count + 1) * n, sizeof(float));
  s->points = items;
  if (!grown) return si_fail_memory(error);
  memcpy(s->points + s->count++ * n, k->angles, n * sizeof(float));
  return SINEW_OK;
}

/* adds the points strictly between a and b */
static sinew_status fill(const reader *r, const key *a, const key *b, int depth,
                         sinew_error *error) {
  if (depth == 0 || apart(r->grid, a->angles, b->angles) <= 0.5f * r->grid->smallest)
    return SINEW_OK;
  if (!si_work(12)) return si_fail_memory(error);
  key middle = { 0 };
  halfway(r, a, b, &middle);
  place(r, &middle);
  sinew_status status = fill(r, a, &middle, depth - 1, error);
  if (status == SINEW_OK) status = put(r, &middle, error);
  if (status == SINEW_OK) status = fill(r, &middle, b, depth - 1, error);
  return status;
}

static sinew_status collect(reader *r, const sinew_field_motion *motion, sinew_error *error) {
  const size_t floats = floats_in_sample(r, motion->quaternions);
  key now, before = { 0 };
  bool follows = false;
  for (size_t c = 0; c < motion->clip_count; c++) {
    const sinew_field_clip *clip = &motion->clips[c];
    r->clip = c + 1;
    follows &= motion->join;
    for (size_t i = 0; i < clip->count; i++) {
      r->place = i + 1;
      sinew_status status =
          read_key(r, clip->samples + i * floats, motion->quaternions, &now, error);
      if (status != SINEW_OK) return status;
      place(r, &now);
      if (follows) status = fill(r, &before, &now, r->depth, error);
      if (status == SINEW_OK) status = put(r, &now, error);
      if (status != SINEW_OK) return status;
      if (now.beyond && r->samples->beyond++ == 0) {
        r->samples->beyond_clip = r->clip, r->samples->beyond_place = r->place;
        r->samples->beyond_axis = now.beyond;
      }
      before = now;
      follows = true;
      r->samples->given++;
    }
  }
  return SINEW_OK;
}

sinew_status si_samples_collect(const sinew_field_desc *desc, const si_grid *grid,
                                const sinew_field_motion *motion, si_samples *samples,
                                sinew_error *error) {
  reader r = { .grid = grid, .samples = samples, .depth = motion->depth < 0 ? 12 : motion->depth };
  for (int i = 0; i < SI_FIELD_ORDERS; i++)
    r.turns[i] = si_order_parse(desc->orders[i], &r.orders[i]);
  if (r.depth > 20)
    return si_fail(error, SINEW_ERR_VALUE, "field: depth %d is not between 0 and 20", r.depth);
  if (motion->quaternions && !r.turns[0] && !r.turns[1])
    return si_fail(error, SINEW_ERR_MISSING,
                   "field: quaternions need an Euler order for the axes, such as 'zyz'");
  return collect(&r, motion, error);
}
