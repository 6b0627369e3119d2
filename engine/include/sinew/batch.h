/* The batch: many characters of one rig in one call, several at once in the lanes of the machine's
 * vectors, and spread over threads. A batch holds no characters: DOFs go in, world matrices come
 * out. What comes out is what poses give, to 1e-6, and does not depend on the number of threads or
 * on what was evaluated before. */
#ifndef SINEW_BATCH_H
#define SINEW_BATCH_H

#include "sinew/rig.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct sinew_batch sinew_batch;

typedef struct sinew_batch_desc {
  int threads; /* that share the work, the calling one included: 1 to 256 */
  int lanes;   /* characters at once: 4 (SSE2, NEON), 8 (AVX2), or 0 for what is best here */
} sinew_batch_desc;

/* One thread, the best lanes. */
SINEW_API sinew_batch_desc sinew_default_batch_desc(void);

/* NULL when memory or threads are out, or for lanes that this machine does not have. `desc` may be
 * NULL. The rig must outlive it. Where a component of the rig can fail, as scripted ones can, the
 * calling thread does all the work. */
SINEW_API sinew_batch *sinew_batch_create(const sinew_rig *rig, const sinew_batch_desc *desc,
                                          sinew_error *error);
SINEW_API void sinew_batch_destroy(sinew_batch *batch); /* NULL is allowed */
SINEW_API const sinew_rig *sinew_batch_rig(const sinew_batch *batch);
/* How many characters are evaluated at once, and by which instructions: "SSE2", "AVX2", "NEON". */
SINEW_API int sinew_batch_lanes(const sinew_batch *batch);
SINEW_API const char *sinew_batch_instructions(const sinew_batch *batch);
SINEW_API int sinew_batch_threads(const sinew_batch *batch);

/* Evaluates `count` characters. `dofs` holds all DOFs of the first in the rig's order, then those
 * of the second, and so on; `worlds` gets all world matrices in the same way, 16 floats a segment,
 * which is quickest where it is aligned to 32 bytes.
 * Nothing is allocated, and one batch serves one call at a time. SINEW_CLAMPED when a DOF's range
 * held it.
 *
 * Where a DOF is not finite, a component fails or a matrix overflows, the error names the first
 * such character. Characters that failed stand undriven, all others as they should. */
SINEW_API sinew_status sinew_batch_eval(sinew_batch *batch, const float *dofs, int count,
                                        float *worlds, sinew_error *error);

#ifdef __cplusplus
}
#endif
#endif
