/* The lane type: SI_WIDTH characters side by side in one vector, and its arithmetic. Kernels are
 * written once over it; the including file sets the width (block_four.c, block_eight.c). Operations
 * that the compiler's vector extension lacks are in this file only. Eight lanes always mean AVX2,
 * even if __AVX__ is not defined: not every compiler sets it inside a file. */
#ifndef SI_LANES_H
#define SI_LANES_H

#include "math/angle.h"
#include "math/matrix.h"

typedef float lanes __attribute__((vector_size(4 * SI_WIDTH), may_alias));
typedef int32_t lane_mask __attribute__((vector_size(4 * SI_WIDTH), may_alias));
typedef uint32_t lane_bits __attribute__((vector_size(4 * SI_WIDTH), may_alias));

#define LANE_INLINE static inline __attribute__((always_inline))

#if SI_WIDTH == 8
#define LANE_ALL(x) ((lanes){ x, x, x, x, x, x, x, x })
#elif SI_WIDTH == 4
#define LANE_ALL(x) ((lanes){ x, x, x, x })
#else
#error "SI_WIDTH is 4 or 8"
#endif

LANE_INLINE lanes lane_all(float x) { return LANE_ALL(x); }
LANE_INLINE lane_mask lane_none(void) { return (lane_mask){ 0 }; }
LANE_INLINE lanes lane_load(const float *p) { return *(const lanes *)(const void *)p; }
LANE_INLINE void lane_store(float *p, lanes v) { *(lanes *)(void *)p = v; }

/* a number of the value array, in which each is stored for all lanes */
LANE_INLINE lanes lane_value(const float *values, uint32_t at) {
  return lane_load(values + (size_t)at * SI_WIDTH);
}
LANE_INLINE void lane_keep(float *values, uint32_t at, lanes x) {
  lane_store(values + (size_t)at * SI_WIDTH, x);
}

/* a where the mask is set, else b */
LANE_INLINE lanes lane_pick(lane_mask mask, lanes a, lanes b) {
#if SI_WIDTH == 8
  return __builtin_ia32_blendvps256(b, a, (lanes)mask);
#else
  return (lanes)(((lane_mask)a & mask) | ((lane_mask)b & ~mask));
#endif
}

/* x clamped to low and high; a NaN stays NaN */
LANE_INLINE lanes lane_clamp(lanes x, lanes low, lanes high) {
#if SI_WIDTH == 8
  return __builtin_ia32_minps256(high, __builtin_ia32_maxps256(low, x));
#elif defined __SSE__
  return __builtin_ia32_minps(high, __builtin_ia32_maxps(low, x));
#else
  x = lane_pick(x < low, low, x);
  return lane_pick(x > high, high, x);
#endif
}

LANE_INLINE lanes lane_abs(lanes x) { return (lanes)((lane_mask)x & (lane_none() + INT32_MAX)); }
/* the greater one; b if either is a NaN */
LANE_INLINE lanes lane_max(lanes a, lanes b) {
#if SI_WIDTH == 8
  return __builtin_ia32_maxps256(a, b);
#elif defined __SSE__
  return __builtin_ia32_maxps(a, b);
#else
  return lane_pick(a > b, a, b);
#endif
}
/* exchanges a and b where the mask is set */
LANE_INLINE void lane_swap(lane_mask mask, lanes *a, lanes *b) {
#if SI_WIDTH == 8
  lanes old = *a;
  *a = lane_pick(mask, *b, *a);
  *b = lane_pick(mask, old, *b);
#else
  lane_mask both = ((lane_mask)*a ^ (lane_mask)*b) & mask;
  *a = (lanes)((lane_mask)*a ^ both);
  *b = (lanes)((lane_mask)*b ^ both);
#endif
}

LANE_INLINE lanes lane_sqrt(lanes x) {
#if SI_WIDTH == 8
  return __builtin_ia32_sqrtps256(x);
#elif defined __SSE__
  return __builtin_ia32_sqrtps(x);
#else
  for (int i = 0; i < SI_WIDTH; i++) x[i] = sqrtf(x[i]);
  return x;
#endif
}

/* The k-th of an array aligned to 16 bytes, in all lanes. Without a broadcast load, this loads the
 * aligned four that contains it and shuffles. */
LANE_INLINE lanes lane_at(const float *p, int k) {
#if SI_WIDTH == 4 && !defined __clang__
  return __builtin_shuffle((lanes)si_load(p + k / 4 * 4),
                           (lane_mask){ k % 4, k % 4, k % 4, k % 4 });
#else
  return lane_all(p[k]);
#endif
}
/* entry (row, j) of a matrix, in all lanes */
LANE_INLINE lanes lane_entry(const float *matrix, int j, int row) {
  return lane_at(matrix, 4 * j + row);
}
/* x a + y b + z c, and with t added, in the order of si_frame_direction and si_frame_point */
LANE_INLINE lanes lane_mix(lanes x, lanes a, lanes y, lanes b, lanes z, lanes c) {
  return x * a + y * b + z * c;
}
LANE_INLINE lanes lane_point(lanes x, lanes a, lanes y, lanes b, lanes z, lanes c, lanes t) {
  return (x * a + y * b) + (z * c + t);
}

/* a bit for each lane that is set in the mask; the first lane is the lowest bit */
LANE_INLINE unsigned lane_which(lane_mask mask) {
#if SI_WIDTH == 8
  return (unsigned)__builtin_ia32_movmskps256((lanes)mask);
#elif defined __SSE__
  return (unsigned)__builtin_ia32_movmskps((lanes)mask);
#else
  unsigned bits = 0;
  for (int i = 0; i < SI_WIDTH; i++) bits |= (unsigned)(mask[i] & 1) << i;
  return bits;
#endif
}

/* loops over the set bits of `bits`; the lowest one of `left` is the current lane */
#define LANE_EACH(left, bits) for (unsigned left = (bits); left; left &= left - 1)
LANE_INLINE int lane_first(unsigned bits) { return __builtin_ctz(bits); }

#define KERNEL_WIDTH KERNEL_LANES
#include "math/kernels/number.h"

#include "math/kernels/angle.h"
#include "math/kernels/matrix.h"

#include "math/kernels/end.h"

/* the lanes whose angles lane_sincos accepts */
LANE_INLINE lane_mask lane_small(lanes degrees) {
  return (degrees < SI_SINCOS_LIMIT) & (degrees > -SI_SINCOS_LIMIT);
}
/* sine and cosine of any angle; huge ones, which are rare, are reduced one by one */
LANE_INLINE void lane_sincos_any(lanes degrees, lanes *sine, lanes *cosine) {
  LANE_EACH(left, lane_which(~lane_small(degrees))) {
    int i = lane_first(left);
    degrees[i] = fmodf(degrees[i], 360.0f);
  }
  lane_sincos(degrees, sine, cosine);
}

/* Loads and stores of rows: each character's numbers are consecutive in memory. */
#if SI_WIDTH == 8
#define LANE_LOW_PAIRS  0, 8, 1, 9, 4, 12, 5, 13
#define LANE_HIGH_PAIRS 2, 10, 3, 11, 6, 14, 7, 15
#define LANE_LOW_HALF   0, 1, 8, 9, 4, 5, 12, 13
#define LANE_HIGH_HALF  2, 3, 10, 11, 6, 7, 14, 15
#else
#define LANE_LOW_PAIRS  0, 4, 1, 5
#define LANE_HIGH_PAIRS 2, 6, 3, 7
#define LANE_LOW_HALF   0, 1, 4, 5
#define LANE_HIGH_HALF  2, 3, 6, 7
#endif
#ifdef SI_HAS_SHUFFLE
#define LANE_SHUFFLE(a, b, ...) __builtin_shufflevector(a, b, __VA_ARGS__)
#else
#define LANE_SHUFFLE(a, b, ...) __builtin_shuffle(a, b, (lane_mask){ __VA_ARGS__ })
#endif

/* transposes within each four lanes */
LANE_INLINE void lane_transpose(lanes v[4]) {
  lanes a = LANE_SHUFFLE(v[0], v[1], LANE_LOW_PAIRS), b = LANE_SHUFFLE(v[0], v[1], LANE_HIGH_PAIRS);
  lanes c = LANE_SHUFFLE(v[2], v[3], LANE_LOW_PAIRS), d = LANE_SHUFFLE(v[2], v[3], LANE_HIGH_PAIRS);
  v[0] = LANE_SHUFFLE(a, c, LANE_LOW_HALF), v[1] = LANE_SHUFFLE(a, c, LANE_HIGH_HALF);
  v[2] = LANE_SHUFFLE(b, d, LANE_LOW_HALF), v[3] = LANE_SHUFFLE(b, d, LANE_HIGH_HALF);
}

/* four numbers from `low`, and with eight lanes four more from `high` */
LANE_INLINE lanes lane_halves(const float *low, const float *high) {
#if SI_WIDTH == 4
  (void)high;
  lanes v;
  memcpy(&v, low, sizeof v);
  return v;
#elif defined SI_HAS_SHUFFLE
  si_v4 a, b;
  memcpy(&a, low, sizeof a);
  memcpy(&b, high, sizeof b);
  return __builtin_shufflevector(a, b, 0, 1, 2, 3, 4, 5, 6, 7);
#else
  return (lanes){ low[0], low[1], low[2], low[3], high[0], high[1], high[2], high[3] };
#endif
}
LANE_INLINE void lane_take_four(const float *const *rows, size_t at, lanes dest[4]) {
#pragma GCC unroll 4
  for (int i = 0; i < 4; i++) dest[i] = lane_halves(rows[i] + at, rows[i + SI_WIDTH - 4] + at);
  lane_transpose(dest);
}

#endif
