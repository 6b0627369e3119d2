/* Curves: functions of one scalar, used by maps and dependencies. A curve is immutable, so any
 * number of threads may read it at a time. */
#ifndef SINEW_CURVE_H
#define SINEW_CURVE_H

#include "sinew/error.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct sinew_curve sinew_curve;

typedef enum sinew_curve_kind {
  SINEW_CURVE_CONSTANT,   /* coefficients: one value */
  SINEW_CURVE_LINEAR,     /* a straight line through two points */
  SINEW_CURVE_PIECEWISE,  /* straight between two or more points */
  SINEW_CURVE_SPLINE,     /* natural cubic through two or more points */
  SINEW_CURVE_MONOTONE,   /* cubic Hermite with Fritsch-Carlson slopes: no overshoot */
  SINEW_CURVE_SIMM,       /* OpenSim's SimmSpline: third derivatives at the ends from four points */
  SINEW_CURVE_POLYNOMIAL, /* coefficients c0, c1, ... of c0 + c1 x + c2 x^2 ...; no points */
  SINEW_CURVE_KIND_COUNT
} sinew_curve_kind;

/* What a curve does outside its points. */
typedef enum sinew_outside {
  SINEW_OUTSIDE_DEFAULT, /* extend for simm, as OpenSim does; clamp for all others */
  SINEW_OUTSIDE_CLAMP,   /* keeps the end value */
  SINEW_OUTSIDE_EXTEND,  /* continues in a straight line with the end slope */
  SINEW_OUTSIDE_REPEAT   /* starts again, with period xn - x0 and no offset */
} sinew_outside;

typedef struct sinew_curve_desc {
  size_t size; /* filled by sinew_default_curve_desc */
  sinew_curve_kind kind;
  const float *points; /* x0 y0 x1 y1 ... with x rising */
  int point_count;
  const float *coefficients; /* constant and polynomial */
  int coefficient_count;     /* at most 32 */
  sinew_outside outside;
  float scale, offset; /* the result is offset + scale * f(x) */
} sinew_curve_desc;

/* Piecewise, clamped, scale 1, offset 0, no points. */
SINEW_API sinew_curve_desc sinew_default_curve_desc(void);

/* Returns NULL, with `error` filled, for points that are too few, out of order, duplicate or not
 * finite, and when memory runs out. The caller destroys the curve; components that it is given to
 * keep a copy. */
SINEW_API sinew_curve *sinew_curve_create(const sinew_curve_desc *desc, sinew_error *error);
SINEW_API void sinew_curve_destroy(sinew_curve *curve); /* NULL is allowed */

/* The value at x and, if `derivative` is not NULL, the slope. Where the slopes of the two sides
 * differ it is the right one, at the last point the left one. Outside a clamped curve the slope is
 * 0. An infinite x counts as the largest float; if the curve repeats, the value is then NaN. */
SINEW_API float sinew_curve_eval(const sinew_curve *curve, float x, float *derivative);

/* What the curve was made from. The pointers are valid as long as the curve. */
SINEW_API sinew_curve_desc sinew_curve_describe(const sinew_curve *curve);

/* "piecewise", "spline" ... and "clamp", "extend", "repeat". */
SINEW_API const char *sinew_curve_kind_name(sinew_curve_kind kind);
SINEW_API const char *sinew_outside_name(sinew_outside outside);

#ifdef __cplusplus
}
#endif
#endif
