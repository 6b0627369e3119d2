/* The dependency component's constants and value, shared with the fused program. */
#ifndef SI_DEPENDENCY_H
#define SI_DEPENDENCY_H

#include "math/curve_internal.h"

typedef struct si_bounds {
  const sinew_curve *map, *offset, *lower, *upper;
} si_bounds;

static inline float si_curve_value_one(const sinew_curve *c, float x, bool quick) {
  return quick ? si_curve_quick(c, x) : si_curve_value(c, x);
}

#define KERNEL_WIDTH 1
#include "math/kernels/number.h"

#include "components/kernels/dependency.h"

#include "math/kernels/end.h"

/* the value; the hold is by how much the bounds changed it */
static inline void si_dependency_eval(const si_bounds *b, float active, float passive, bool quick,
                                      float *dest, float *held) {
  float value = si_dependency_value_one(b, active, passive, quick);
  *dest = value;
  *held = b->map || b->offset ? 0 : value - passive;
}

#endif
