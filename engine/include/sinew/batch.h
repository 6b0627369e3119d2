/* The batch: many characters of one rig in one call. Several go through the rig at once, each in a
 * lane of the machine's vectors, and threads share them. A batch keeps no characters: DOFs go in,
 * world matrices come out. They are what poses give, each number x to 1e-6 (1 + |x|), and do not
 * depend on the number of threads or on what was evaluated before. Use poses for a few characters,
 * for small changes, and to read anything but world matrices. */
#ifndef SINEW_BATCH_H
#define SINEW_BATCH_H

#include "sinew/rig.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct sinew_batch sinew_batch;

typedef struct sinew_batch_desc {
  int threads; /* that share the work, the calling one among them: 1 to 256 */
  int lanes;   /* 4 (SSE2, NEON), 8 (AVX2), or 0 for the most that this machine has */
} sinew_batch_desc;

/* One thread, the most lanes. */
SINEW_API sinew_batch_desc sinew_default_batch_desc(void);

/* NULL when memory or threads are out, for lanes that this machine does not have, and for a number
 * of threads that is not allowed. `desc` may be NULL, for the default. The rig must outlive the
 * batch; its changes show in the next evaluation. The threads sleep between evaluations, and end
 * when the batch is destroyed; a forked process must make a batch of its own.
 *
 * A host's own components are evaluated by all threads at once. Where one of them can fail
 * (sinew_rig_can_fail), as scripted ones can, the calling thread does all the work, and
 * sinew_batch_threads says 1. */
SINEW_API sinew_batch *sinew_batch_create(const sinew_rig *rig, const sinew_batch_desc *desc,
                                          sinew_error *error);
SINEW_API void sinew_batch_destroy(sinew_batch *batch); /* NULL is allowed */
SINEW_API const sinew_rig *sinew_batch_rig(const sinew_batch *batch);
/* How many characters go at once, and by which instructions: "SSE2", "AVX2", "NEON" or "portable".
 */
SINEW_API int sinew_batch_lanes(const sinew_batch *batch);
SINEW_API const char *sinew_batch_instructions(const sinew_batch *batch);
SINEW_API int sinew_batch_threads(const sinew_batch *batch);

/* Evaluates `count` characters. `dofs` holds all DOFs of the first in the rig's order, then those
 * of the second, and so on. `worlds` gets all world matrices in the same way: segments in the rig's
 * order, 16 floats each, column by column. Neither needs to be aligned, though `worlds` is filled
 * quickest at a multiple of 32 bytes; they may not overlap.
 * Allocates nothing; one batch serves one call at a time. SINEW_CLAMPED when the range of a DOF
 * held any character.
 *
 * A character fails where a pose would: a DOF is not finite, a component fails, a driven matrix is
 * too large. Its segments stand undriven, all other characters as they should, and the error names
 * the first that failed, counted from 1: "character 3: DOF 'knee.flexion': nan is not finite". */
SINEW_API sinew_status sinew_batch_eval(sinew_batch *batch, const float *dofs, int count,
                                        float *worlds, sinew_error *error);

#ifdef __cplusplus
}
#endif
#endif
