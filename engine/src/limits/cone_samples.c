/* The samples of a cone fit: splits quaternions into the bone's direction and its twist, cuts the
 * circle of twists, and sorts and drops samples. */
#include "base/alloc.h"
#include "base/budget_internal.h"
#include "limits/cone_fit.h"
#include "base/error_internal.h"
#include "math/angle.h"
#include "math/swing.h"

/* v rotated by the quaternion (x y z w) */
static void turn(const double *q, const double *v, double *dest) {
  double a[3], b[3];
  si_wide_cross(q, v, a);
  for (int k = 0; k < 3; k++) a[k] += q[3] * v[k];
  si_wide_cross(q, a, b);
  for (int k = 0; k < 3; k++) dest[k] = v[k] + 2 * b[k];
}

static void multiply(const double *p, const double *q, double *dest) {
  double v[3];
  si_wide_cross(p, q, v);
  double w = p[3] * q[3] - si_wide_dot(p, q);
  for (int k = 0; k < 3; k++) dest[k] = p[3] * q[k] + q[3] * p[k] + v[k];
  dest[3] = w;
}

/* divides the swing of two axes out of q, which leaves the twist; false if they cannot reach it */
static bool take_swing_out(const si_swing *swing, const float *direction, double *q) {
  float angles[2];
  if (!si_swing_solve(swing, direction, (float[]){ 0, 0 }, angles)) return false;
  for (int i = 0; i < 2; i++) {
    double half = (double)angles[i] * SI_DEG / 2, s = -sin(half), back[4], left[4];
    for (int k = 0; k < 3; k++) back[k] = s * swing->unit_axis[i][k];
    back[3] = cos(half);
    multiply(back, q, left);
    memcpy(q, left, sizeof left);
  }
  return true;
}

static sinew_status read_samples(si_fitting *f, sinew_error *error) {
  const sinew_cone_fit *fit = f->fit;
  si_swing swing = { .min = { -180, -180 }, .max = { 180, 180 } };
  memcpy(swing.axis, fit->axes, sizeof swing.axis);
  for (int k = 0; k < 3; k++) swing.bone[k] = (float)f->rest[k];
  if (fit->two_axes) si_swing_prepare(&swing);
  for (int i = 0; i < f->count; i++) {
    const float *given = fit->samples[i];
    double q[4], size = 0, d[3];
    if (!si_work(50)) return si_fail_memory(error);
    if (!si_finite(given, 4))
      return si_fail(error, SINEW_ERR_NOT_FINITE, "cone fit: sample %d is not finite", i + 1);
    for (int k = 0; k < 4; k++) size += (double)given[k] * (double)given[k];
    if (!(size > 0))
      return si_fail(error, SINEW_ERR_VALUE,
                     "cone fit: sample %d is not a rotation: its length is zero", i + 1);
    for (int k = 0; k < 4; k++) q[k] = (double)given[k] / sqrt(size);
    turn(q, f->rest, d);
    si_fit_sample *s = f->samples + i;
    for (int k = 0; k < 3; k++) s->direction[k] = (float)d[k];
    /* the shortest arc has no rotation about the bone, so that of q is the twist */
    if (fit->two_axes && !take_swing_out(&swing, s->direction, q))
      return si_fail(error, SINEW_ERR_VALUE,
                     "cone fit: the two axes cannot swing the bone to the direction of sample %d",
                     i + 1);
    double twist = 2 * atan2(si_wide_dot(q, f->rest), q[3]) / SI_DEG;
    s->twist = (float)(twist - 360 * round(twist / 360));
  }
  for (int k = 0; k < 3; k++) f->samples[f->count].direction[k] = (float)f->rest[k];
  return SINEW_OK;
}

/* cuts the circle of twists in the middle of its widest gap, on the far side of 0 */
static void unwrap_twists(si_fitting *f) {
  bool taken[360] = { false };
  for (int i = 0; i <= f->count; i++) taken[((int)floorf(f->samples[i].twist) + 720) % 360] = true;
  int widest = 0, cut = 180;
  for (int start = 0; start < 360; start++) {
    int gap = 0;
    while (gap < 360 && !taken[(start + gap) % 360]) gap++;
    if (gap > widest) {
      widest = gap;
      cut = (start + gap / 2) % 360;
    }
  }
  for (int i = 0; i <= f->count; i++) {
    float x = f->samples[i].twist;
    while (x < (float)(cut - 360)) x += 360;
    while (x >= (float)cut) x -= 360;
    f->samples[i].twist = x;
  }
}

sinew_status si_fit_read(si_fitting *f, sinew_error *error) {
  sinew_status status = read_samples(f, error);
  if (status == SINEW_OK) unwrap_twists(f);
  return status;
}

typedef struct heap {
  char *items;
  size_t size; /* of one item */
  bool (*before)(const void *a, const void *b);
} heap;

static void swap(const heap *h, int i, int j) {
  for (size_t k = 0; k < h->size; k++) {
    char kept = h->items[(size_t)i * h->size + k];
    h->items[(size_t)i * h->size + k] = h->items[(size_t)j * h->size + k];
    h->items[(size_t)j * h->size + k] = kept;
  }
}

static void sift(const heap *h, int root, int count) {
  for (int child; (child = 2 * root + 1) < count; root = child) {
    const char *left = h->items + (size_t)child * h->size;
    if (child + 1 < count && h->before(left, left + h->size)) child++;
    if (!h->before(h->items + (size_t)root * h->size, h->items + (size_t)child * h->size)) break;
    swap(h, root, child);
  }
}

void si_fit_sort(void *items, int count, size_t size, bool (*before)(const void *, const void *)) {
  enum { step = 30 }; /* units of a step, most of whose time is for the swaps */
  heap h = { items, size, before };
  for (int i = count / 2 - 1; i >= 0; i--) {
    if (!si_work(step / 3)) return;
    sift(&h, i, count);
  }
  for (int end = count - 1; end > 0; end--) {
    if (!si_work(step)) return;
    swap(&h, 0, end);
    sift(&h, 0, end);
  }
}

void si_fit_drop(const si_fit_lists *lists, int budget) {
  enum { look_ahead = 16 };
  while (budget > 0) {
    double best = 0;
    int best_list = -1, best_k = 0;
    for (int i = 0; i < lists->count; i++) {
      int left = lists->sizes[i] - lists->dropped[i];
      for (int k = 1; k <= look_ahead && k <= left && k <= budget; k++) {
        double gain = lists->gain(lists->context, i, lists->dropped[i], k) / k;
        if (gain > best) {
          best = gain;
          best_list = i;
          best_k = k;
        }
      }
    }
    if (best_list < 0) return;
    lists->dropped[best_list] += best_k;
    budget -= best_k;
  }
}
