/* One step of the part of the fused program that depends on scalars alone: what a map or a
 * dependency does, without the call of its eval. A class fills it in by `step`;
 * compile/scalar_steps.c runs it. */
#ifndef SI_SCALAR_STEP_H
#define SI_SCALAR_STEP_H

#include "math/curve_internal.h"

typedef enum si_scalar_kind {
  SI_BY_NODE,   /* whatever the node does */
  SI_MAP,       /* curves that share their points */
  SI_CURVES,    /* curves that do not */
  SI_CURVE,     /* one curve */
  SI_DEPENDENCY /* a dependency whose curves are quick */
} si_scalar_kind;

/* one step; places are in the value array */
typedef struct si_scalar {
  si_scalar_kind kind;
  uint32_t x, passive, dest, held;
  uint32_t count;   /* of curves */
  const void *data; /* a table, the curves, a curve or bounds */
} si_scalar;

/* whether all of these curves are quick; NULL is none */
static inline bool si_curves_quick(const sinew_curve *const *curves, uint32_t count) {
  for (uint32_t i = 0; i < count; i++)
    if (curves[i] && !curves[i]->quick) return false;
  return true;
}

#endif
