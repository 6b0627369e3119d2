/* The number type of a kernel.
 *
 * A kernel holds a formula once, over a number type NUM, for every program that evaluates it. A
 * file that uses it defines KERNEL_WIDTH, then includes this header, the kernel, and
 * math/kernels/end.h, separated by empty lines, so that no tool sorts them. KERNEL_WIDTH is
 *
 *   1             a float
 *   4             four floats of one pose: the rows of a matrix's column, or four scalars
 *   KERNEL_LANES  SI_WIDTH characters of a batch (math/lanes/lanes.h)
 *   KERNEL_DOUBLE a double
 *
 * OF(name) is the kernel's function for that type. A MASK is the result of a comparison. A kernel
 * that computes matrices computes one row: with four floats the lanes are the rows, and `row` is
 * not used. This header may be included many times in a file. */
#ifndef SI_KERNEL_NUMBER_H
#define SI_KERNEL_NUMBER_H

#include "math/vector.h"

#define KERNEL        static inline __attribute__((always_inline))
#define KERNEL_LANES  -1
#define KERNEL_DOUBLE -2

/* functions over four floats that kernels need, beyond math/vector.h */
KERNEL si_v4 si_all_four(float x) { return si_all(x); }
/* column j of a matrix: all of its rows */
KERNEL si_v4 si_entry_four(const float *matrix, int j, int row) {
  (void)row;
  return si_load(matrix + 4 * j);
}
/* the same over one float */
KERNEL float si_all_one(float x) { return x; }
KERNEL float si_pick_one(bool mask, float a, float b) { return mask ? a : b; }
KERNEL float si_clamp_one(float x, float low, float high) { return si_clamp(x, low, high); }
KERNEL float si_sqrt_one(float x) { return sqrtf(x); }
/* the same over one double */
KERNEL double si_all_wide(double x) { return x; }
KERNEL double si_pick_wide(bool mask, double a, double b) { return mask ? a : b; }
KERNEL double si_sqrt_wide(double x) { return sqrt(x); }
KERNEL double si_clamp_wide(double x, double low, double high) {
  x = x < low ? low : x;
  return x > high ? high : x;
}
/* a number of the value array */
KERNEL float si_value_one(const float *values, uint32_t at) { return values[at]; }
KERNEL void si_keep_one(float *values, uint32_t at, float x) { values[at] = x; }

#endif

#if KERNEL_WIDTH == 1
#define NUM      float
#define MASK     bool
#define OF(name) si_##name##_one
#elif KERNEL_WIDTH == 4
#define NUM      si_v4
#define MASK     si_i4
#define BITS     si_u4
#define OF(name) si_##name##_four
#elif KERNEL_WIDTH == KERNEL_LANES
#define NUM      lanes
#define MASK     lane_mask
#define BITS     lane_bits
#define OF(name) lane_##name
#elif KERNEL_WIDTH == KERNEL_DOUBLE
#define NUM      double
#define MASK     bool
#define OF(name) si_##name##_wide
#else
#error "KERNEL_WIDTH is 1, 4, KERNEL_LANES or KERNEL_DOUBLE"
#endif
