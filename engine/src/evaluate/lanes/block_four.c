/* The batch's kernels with four lanes: SSE2, NEON, or what the machine's baseline offers. */
#include "evaluate/batch_internal.h"

#define SI_WIDTH 4
#include "evaluate/lanes/block.h"

#if defined __aarch64__ || defined __ARM_NEON
#define NAME "NEON"
#elif defined __SSE2__
#define NAME "SSE2"
#else
#define NAME "portable"
#endif

const si_lane_set si_lanes_four = { NAME, 4, block_kernel, block_run };
