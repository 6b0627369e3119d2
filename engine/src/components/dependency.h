/* The dependency component's constants and kernel, shared with the fused program. */
#ifndef SI_DEPENDENCY_H
#define SI_DEPENDENCY_H

#include "math/curve_internal.h"

typedef struct si_bounds {
  const sinew_curve *map, *offset, *lower, *upper;
} si_bounds;

/* the passive value between its bounds, in the middle where those cross; `quick` says that both
 * curves are */
static inline float si_bounds_hold(const si_bounds *b, float active, float passive, bool quick) {
  float (*value)(const sinew_curve *curve, float x) = quick ? si_curve_quick : si_curve_value;
  float low = b->lower ? value(b->lower, active) : -INFINITY;
  float high = b->upper ? value(b->upper, active) : INFINITY;
  if (low > high) low = high = 0.5f * (low + high);
  return si_clamp(passive, low, high);
}

#endif
