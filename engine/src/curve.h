/* Curves as the engine keeps them: one block without pointers into itself, so that a copy is a
 * memcpy. Every curve with points becomes a cubic for each interval; scale and offset are folded
 * in. */
#ifndef SI_CURVE_H
#define SI_CURVE_H

#include "sinew/curve.h"

struct sinew_curve {
  sinew_curve_kind kind;
  sinew_outside outside; /* never the default */
  uint32_t points;       /* 0 for constants and polynomials */
  uint32_t coefficients; /* of a constant or polynomial, as given */
  float scale, offset;
  float end_slope[2]; /* for extension below and above */
  float end_value[2];
  float data[]; /* points: x | cubics, 4 each | x y as given;  else: coefficients, folded | as given
                 */
};

size_t si_curve_bytes(const sinew_curve *curve);

static inline const float *si_curve_knots(const sinew_curve *c) { return c->data; }
static inline const float *si_curve_cubics(const sinew_curve *c) { return c->data + c->points; }

/* The last of `count` rising numbers that is not above x, or the first; halved without branches,
 * since on random poses every wrong guess would cost more than the halving. */
static inline uint32_t si_last_below(const float *rising, uint32_t count, float x) {
  uint32_t at = 0;
  while (count > 1) {
    uint32_t half = count / 2;
    at += half & -(uint32_t)(x >= rising[at + half]);
    count -= half;
  }
  return at;
}

/* The interval [x(i), x(i+1)] of x, with x(0) <= x <= x(n-1); the last point belongs to the last.
 */
static inline uint32_t si_curve_interval(const sinew_curve *c, float x) {
  return si_last_below(si_curve_knots(c), c->points - 1, x);
}

/* the value alone, for the hot path: inside its points at once, elsewhere by the full rules */
static inline float si_curve_value(const sinew_curve *c, float x) {
  if (c->points) {
    const float *knots = si_curve_knots(c);
    if (x >= knots[0] && x < knots[c->points - 1]) {
      uint32_t i = si_curve_interval(c, x);
      const float *cubic = si_curve_cubics(c) + 4 * (size_t)i;
      float t = x - knots[i];
      return cubic[0] + t * (cubic[1] + t * (cubic[2] + t * cubic[3]));
    }
  }
  return sinew_curve_eval(c, x, NULL);
}

#endif
