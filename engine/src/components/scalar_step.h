/* One operation of the part of the fused program that depends on scalars alone: a map, dependency
 * or formula without the call of its eval. A class fills it in by `step`; compile/scalar_steps.c
 * runs it. */
#ifndef SI_SCALAR_STEP_H
#define SI_SCALAR_STEP_H

#include "math/curve_internal.h"

typedef enum si_scalar_kind {
  SI_BY_NODE,    /* calls the node's eval */
  SI_MAP,        /* a map whose curves share their points */
  SI_CURVES,     /* a map whose curves do not */
  SI_CURVE,      /* a single curve */
  SI_DEPENDENCY, /* a dependency whose curves are quick */
  SI_PLANE,      /* a formula that is linear in x and passive */
  SI_SHAPED,     /* a formula of another simple shape of x and passive */
  SI_SUM,        /* a formula that is a sum */
  SI_LIMIT       /* a formula that bounds x by quick bounds, which depend on passive */
} si_scalar_kind;

/* one operation; indices are into the value array */
typedef struct si_scalar {
  si_scalar_kind kind;
  uint32_t x, passive, dest, held;
  uint32_t count;   /* number of curves */
  const void *data; /* a table, the curves, a curve, bounds or a formula */
} si_scalar;

/* whether all of these curves are quick; NULL counts as quick */
static inline bool si_curves_quick(const sinew_curve *const *curves, uint32_t count) {
  for (uint32_t i = 0; i < count; i++)
    if (curves[i] && !curves[i]->quick) return false;
  return true;
}

#endif
