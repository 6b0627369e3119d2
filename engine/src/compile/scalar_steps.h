/* The part of the fused program that depends on scalars alone, as a list of operations
 * (components/scalar_step.h). */
#ifndef SI_SCALAR_STEPS_H
#define SI_SCALAR_STEPS_H

#include "compile/rig_internal.h"
#include "components/scalar_step.h"

/* Copies constants from the components' data. Call it again after a live change. */
void si_scalars_refresh(sinew_rig *rig);
/* Runs the steps from `from` up to `to`, all of them early. */
void si_scalars_run(const sinew_rig *rig, uint32_t from, uint32_t to, float *values);

#endif
