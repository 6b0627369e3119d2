/* The batch's kernels with eight lanes, for AVX2. Headers whose code must run on every machine are
 * included before AVX2 is enabled, the kernels after. */
#include "evaluate/batch_internal.h"
#include "components/catalog.h"
#include "components/cone_joint.h"
#include "components/frames.h"
#include "components/recorded.h"
#include "components/rotation.h"
#include "components/slide_glide.h"
#include "math/matrix.h"

#ifdef __x86_64__
#ifdef __clang__
#pragma clang attribute push(__attribute__((target("avx2"))), apply_to = function)
#else
#pragma GCC push_options
#pragma GCC target("avx2")
#endif

#define SI_WIDTH 8
#include "evaluate/lanes/block.h"

#ifdef __clang__
#pragma clang attribute pop
#else
#pragma GCC pop_options
#endif
const si_lane_set si_lanes_eight = { "AVX2", 8, block_kernel, block_run };
#else
const si_lane_set si_lanes_eight = { .width = 0 };
#endif
