/* The part of the fused program that depends on scalars alone, as a list of operations: what a map
 * or a dependency does, without the way through its node. */
#ifndef SI_SCALAR_STEPS_H
#define SI_SCALAR_STEPS_H

#include "compile/rig_internal.h"

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

/* Copies what it keeps of the components' data, after a live change too. */
void si_scalars_refresh(sinew_rig *rig);
/* The steps from `from` up to `to`, all of them early. */
void si_scalars_run(const sinew_rig *rig, uint32_t from, uint32_t to, float *values);

#endif
