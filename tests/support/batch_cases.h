/* What the tests of the batch share: awkward DOFs, and poses one by one to compare with. */
#ifndef BATCH_CASES_H
#define BATCH_CASES_H

#include <sinew/sinew.h>

/* Whether this machine has so many lanes; where it has not, that is said loudly once. */
bool crowd_can(int lanes);

/* DOFs of `count` characters: inside their ranges, at their ends, beyond them, at rest, on whole
 * fives, and where a range is wide, huge. */
void crowd_dofs(const sinew_rig *rig, int count, uint32_t *seed, float *dest);

/* Evaluates with 4 and with 8 lanes, and with poses one by one. The largest difference of a
 * matrix's number x over 1 + |x|; INFINITY, which is printed, where status or message differ or
 * something was written beside the matrices. */
double crowd_off(const sinew_rig *rig, const float *dofs, int count, int threads);
/* The same for a batch that is there already. */
double crowd_batch_off(sinew_batch *batch, const float *dofs, int count);
/* The same as crowd_off with DOFs from crowd_dofs, for counts from 1 to 17, and `most`. */
double crowd_all_off(const sinew_rig *rig, int most, uint32_t *seed);

#endif
