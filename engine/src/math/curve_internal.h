/* Curves in memory: one block without pointers into itself, so that a memcpy copies it. Every curve
 * with points becomes a cubic for each interval; scale and offset are folded in. */
#ifndef SI_CURVE_INTERNAL_H
#define SI_CURVE_INTERNAL_H

#include "math/vector.h"
#include "sinew/curve.h"

struct sinew_curve {
  sinew_curve_kind kind;
  sinew_outside outside; /* never the default */
  uint32_t points;       /* 0 for constants and polynomials */
  uint32_t coefficients; /* of a constant or polynomial, as given */
  float scale, offset;
  float end_slope[2]; /* slopes of the extension below and above */
  float end_value[2];
  uint32_t rows_at; /* index of the first cubic, that for x below the points; the last is for x
                       beyond */
  bool quick;       /* at most cubic and not repeating: si_curve_quick can evaluate it */
  uint32_t fill[4]; /* padding: in a rig, the data that evaluation reads starts a cache line */
  float low, high;  /* x is clamped to these: the ends, or without clamping the largest floats */
  uint32_t count;   /* of x values; a polynomial has one, which no x passes */
  /* the first x | x, padded to fours with NaNs | cubics, or coefficients, folded and padded to four
   * | x y or coefficients as given. With more than four coefficients, only these */
  float data[];
};

enum { SI_CURVE_ALIGN = 64 };

size_t si_curve_bytes(const sinew_curve *curve);

static inline const float *si_curve_knots(const sinew_curve *c) { return c->data + 1; }
/* the first row; from the count, which is in the same cache line */
static inline const float *si_curve_rows(const sinew_curve *c) {
  return c->data + 1 + (c->count + 3) / 4 * 4;
}
/* the rows of the intervals, 4 numbers each */
static inline const float *si_curve_cubics(const sinew_curve *c) {
  return c->data + c->rows_at + 4;
}

/* The last of `count` ascending numbers that is not above x, or the first. The binary search has no
 * branches: on random poses a misprediction costs more than a step. */
static inline uint32_t si_last_below(const float *rising, uint32_t count, float x) {
  uint32_t at = 0;
  while (count > 1) {
    uint32_t half = count / 2;
    at += half & -(uint32_t)(x >= rising[at + half]);
    count -= half;
  }
  return at;
}

/* The interval [x(i), x(i+1)] that contains x, with x(0) <= x <= x(n-1); the last point belongs to
 * the last interval. */
static inline uint32_t si_curve_interval(const sinew_curve *c, float x) {
  return si_last_below(si_curve_knots(c), c->points - 1, x);
}

/* how many of `count` ascending numbers are not above x; they are padded to fours with NaNs. If
 * there are few, all are compared at once */
static inline uint32_t si_passed(const float *rising, uint32_t count, float x) {
  si_v4 four;
  if (count > 8) return si_last_below(rising, count, x) + (x >= rising[0]);
  memcpy(&four, rising, sizeof four);
  uint32_t passed = si_leading(si_all(x) >= four);
  if (count <= 4) return passed;
  memcpy(&four, rising + 4, sizeof four);
  return passed + si_leading(si_all(x) >= four);
}

#define KERNEL_WIDTH 4
#include "math/kernels/number.h"

#include "math/kernels/cubic.h"

#include "math/kernels/end.h"

#define KERNEL_WIDTH 1
#include "math/kernels/number.h"

#include "math/kernels/cubic.h"

#include "math/kernels/end.h"

/* the value of a curve that is `quick`, without branches that depend on x */
static inline float si_curve_quick(const sinew_curve *c, float x) {
  x = si_clamp(x, c->low, c->high);
  return si_curve_row_one(c, si_passed(si_curve_knots(c), c->count, x), false, x);
}
/* the value of any curve; bit-identical to sinew_curve_eval */
static inline float si_curve_value(const sinew_curve *c, float x) {
  return c->quick ? si_curve_quick(c, x) : sinew_curve_eval(c, x, NULL);
}
/* the derivative that sinew_curve_eval gives; at the last point that of the interval before it */
static inline float si_curve_slope(const sinew_curve *c, float x) {
  float slope = 0;
  if (!c->quick || !c->points) {
    sinew_curve_eval(c, x, &slope);
    return slope;
  }
  uint32_t i = si_passed(si_curve_knots(c), c->count, x);
  i -= x == si_curve_knots(c)[c->points - 1];
  const float *row = si_curve_rows(c) + 4 * (size_t)i;
  float t = x - c->data[i];
  return row[1] + t * (2 * row[2] + t * 3 * row[3]);
}

/* the second derivative, on the same side */
float si_curve_bend(const sinew_curve *c, float x);

#endif
