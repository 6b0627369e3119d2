/* Shared by the tests of the batch: awkward DOF values, and comparison with poses one by one. */
#ifndef BATCH_CASES_H
#define BATCH_CASES_H

#include <sinew/sinew.h>

/* Whether this machine has this many lanes; if not, says so once. */
bool crowd_can(int lanes);

/* DOFs of `count` characters: inside their ranges, at their ends, beyond them, at rest, at
 * multiples of five, and huge if a range is wide. */
void crowd_dofs(const sinew_rig *rig, int count, uint32_t *seed, float *dest);

/* Evaluates with 4 and 8 lanes, and with poses one by one. Returns the largest difference of a
 * number x of a matrix over 1 + |x|; INFINITY, with a message, if status or error differ or
 * something was written outside the matrices. */
double crowd_off(const sinew_rig *rig, const float *dofs, int count, int threads);
/* The same for an existing batch. */
double crowd_batch_off(sinew_batch *batch, const float *dofs, int count);
/* The same as crowd_off with DOFs from crowd_dofs, for 1 to 17 characters and for `most`. */
double crowd_all_off(const sinew_rig *rig, int most, uint32_t *seed);

#endif
