/* The batch: evaluates many characters of one rig in one call. Each lane of a SIMD vector holds one
 * character, and the batch's own threads share the work. A batch stores no characters: DOFs go in,
 * world matrices come out. Each number x equals that of a pose to 1e-6 (1 + |x|), and does not
 * depend on the number of threads or on earlier evaluations. Use poses for a few characters, for
 * small changes, and to read anything other than world matrices.
 *
 * A batch belongs to one thread at a time. Several batches may use one rig from several threads. */
#ifndef SINEW_BATCH_H
#define SINEW_BATCH_H

#include "sinew/rig.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct sinew_batch sinew_batch;

typedef struct sinew_batch_desc {
  size_t size; /* filled by sinew_default_batch_desc */
  int threads; /* that share the work, including the calling one: 1 to 256 */
  int lanes;   /* 4 (SSE2, NEON), 8 (AVX2), or 0 for the most that this machine supports */
} sinew_batch_desc;

/* One thread, the most lanes. */
SINEW_API sinew_batch_desc sinew_default_batch_desc(void);

/* Returns NULL, with `error` filled, when memory runs out or a thread cannot be started, for lanes
 * that this machine does not support, and for a number of threads that is not allowed. `desc` may
 * be NULL for the default. The rig must outlive the batch; changes of the rig take effect in the
 * next evaluation. The threads sleep between evaluations and end when the batch is destroyed. After
 * a fork, the child process must create its own batch.
 *
 * Custom components are evaluated by all threads at once. If a component can fail
 * (sinew_rig_can_fail), as scripted ones can, the calling thread does all the work, and
 * sinew_batch_threads returns 1. */
SINEW_API sinew_batch *sinew_batch_create(const sinew_rig *rig, const sinew_batch_desc *desc,
                                          sinew_error *error);
SINEW_API void sinew_batch_destroy(sinew_batch *batch); /* NULL is allowed */
SINEW_API const sinew_rig *sinew_batch_rig(const sinew_batch *batch);
/* How many characters are evaluated side by side, and with which instructions: "SSE2", "AVX2",
 * "NEON" or "portable". */
SINEW_API int sinew_batch_lanes(const sinew_batch *batch);
SINEW_API const char *sinew_batch_instructions(const sinew_batch *batch);
SINEW_API int sinew_batch_threads(const sinew_batch *batch);

/* Evaluates `count` characters. `dofs` holds all DOFs of the first in the rig's order, then those
 * of the second, and so on. `worlds` receives all world matrices in the same layout: segments in
 * the rig's order, 16 floats each, column-major. Neither needs to be aligned, though writing
 * `worlds` is fastest when it is aligned to 32 bytes. They must not overlap. Allocates nothing.
 * Returns SINEW_CLAMPED when a DOF of any character was clamped to its range.
 *
 * A character fails where a pose would: a DOF is not finite, a component fails, a driven matrix is
 * too large. Its segments are then placed as if undriven. All other characters are evaluated as
 * usual. The error names the first character that failed, counted from 1: "character 3: DOF
 * 'knee.flexion': nan is not finite". */
SINEW_API sinew_status sinew_batch_eval(sinew_batch *batch, const float *dofs, int count,
                                        float *worlds, sinew_error *error);

#ifdef __cplusplus
}
#endif
#endif
