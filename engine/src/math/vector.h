/* Four floats in one register, and vectors of three floats. */
#ifndef SI_VECTOR_H
#define SI_VECTOR_H

#include <math.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include "math/wide.h"

/* four floats at once; loads and stores are aligned to 16 bytes */
typedef float si_v4 __attribute__((vector_size(16), may_alias));
typedef int32_t si_i4 __attribute__((vector_size(16), may_alias));
typedef uint32_t si_u4 __attribute__((vector_size(16), may_alias));
static inline si_v4 si_load(const float *p) { return *(const si_v4 *)(const void *)p; }
static inline void si_store(float *p, si_v4 v) { *(si_v4 *)(void *)p = v; }
static inline si_v4 si_all(float x) { return (si_v4){ x, x, x, x }; }
#if defined __has_builtin
#if __has_builtin(__builtin_shufflevector)
#define SI_HAS_SHUFFLE
#endif
#endif
/* the i-th of four, in all four lanes; as an integer shuffle, which needs no copy */
#ifdef SI_HAS_SHUFFLE
#define SI_LANE(v, i) ((si_v4)__builtin_shufflevector((si_i4)(v), (si_i4)(v), i, i, i, i))
#else
#define SI_LANE(v, i) si_all((v)[i])
#endif

/* a where the mask is set, else b; without a branch, since a misprediction costs more than both */
static inline si_v4 si_pick_four(si_i4 mask, si_v4 a, si_v4 b) {
  return (si_v4)(((si_i4)a & mask) | ((si_i4)b & ~mask));
}

/* exchanges a and b where the mask is set */
static inline void si_swap_four(si_i4 mask, si_v4 *a, si_v4 *b) {
  si_i4 both = ((si_i4)*a ^ (si_i4)*b) & mask;
  *a = (si_v4)((si_i4)*a ^ both);
  *b = (si_v4)((si_i4)*b ^ both);
}

/* x clamped to low and high, by two selects without a branch; a NaN stays NaN */
static inline float si_clamp(float x, float low, float high) {
  x = x < low ? low : x;
  return x > high ? high : x;
}
/* the same for four */
static inline si_v4 si_clamp_four(si_v4 x, si_v4 low, si_v4 high) {
#ifdef __SSE__
  return __builtin_ia32_minps(high, __builtin_ia32_maxps(low, x));
#else
  x = si_pick_four(x < low, low, x);
  return si_pick_four(x > high, high, x);
#endif
}
/* whether any lane of a mask is set */
static inline bool si_any(si_i4 mask) {
#ifdef __SSE__
  return __builtin_ia32_movmskps((si_v4)mask) != 0;
#else
  typedef int64_t two __attribute__((vector_size(16)));
  two halves = (two)mask;
  return (halves[0] | halves[1]) != 0;
#endif
}

/* the number of lanes that are set in a mask; the set ones must come first */
static inline uint32_t si_leading(si_i4 mask) {
#ifdef __SSE__
  static const uint8_t counts[16] = { [1] = 1, [3] = 2, [7] = 3, [15] = 4 };
  return counts[__builtin_ia32_movmskps((si_v4)mask) & 15];
#else
  return (uint32_t) - (mask[0] + mask[1] + mask[2] + mask[3]);
#endif
}

/* transposes four rows to four columns */
static inline void si_transpose_four(si_v4 a, si_v4 b, si_v4 c, si_v4 d, si_v4 dest[4]) {
#ifdef SI_HAS_SHUFFLE
  si_v4 ab = __builtin_shufflevector(a, b, 0, 4, 1, 5);
  si_v4 cd = __builtin_shufflevector(c, d, 0, 4, 1, 5);
  dest[0] = __builtin_shufflevector(ab, cd, 0, 1, 4, 5);
  dest[1] = __builtin_shufflevector(ab, cd, 2, 3, 6, 7);
  ab = __builtin_shufflevector(a, b, 2, 6, 3, 7), cd = __builtin_shufflevector(c, d, 2, 6, 3, 7);
  dest[2] = __builtin_shufflevector(ab, cd, 0, 1, 4, 5);
  dest[3] = __builtin_shufflevector(ab, cd, 2, 3, 6, 7);
#else
  for (int i = 0; i < 4; i++) dest[i] = (si_v4){ a[i], b[i], c[i], d[i] };
#endif
}

/* the cross product of the first three; the same bits as si_vec_cross */
static inline si_v4 si_cross_four(si_v4 a, si_v4 b) {
#ifdef SI_HAS_SHUFFLE
  si_v4 c =
      a * __builtin_shufflevector(b, b, 1, 2, 0, 3) - __builtin_shufflevector(a, a, 1, 2, 0, 3) * b;
  return __builtin_shufflevector(c, c, 1, 2, 0, 3);
#else
  return (si_v4){ a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0],
                  0 };
#endif
}

static inline float si_vec_dot(const float *a, const float *b) {
  return a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
}
static inline void si_vec_cross(const float *a, const float *b, float *dest) {
  float x = a[1] * b[2] - a[2] * b[1], y = a[2] * b[0] - a[0] * b[2], z = a[0] * b[1] - a[1] * b[0];
  dest[0] = x, dest[1] = y, dest[2] = z;
}
static inline float si_vec_length(const float *v) { return sqrtf(si_vec_dot(v, v)); }
/* see si_wide_unit */
static inline bool si_vec_unit(const float *v, float *dest) {
  double unit[3];
  si_wide(v, unit);
  if (!si_wide_unit(unit, unit)) return false;
  for (int k = 0; k < 3; k++) dest[k] = (float)unit[k];
  return true;
}

static inline bool si_finite(const float *values, size_t count) {
  for (size_t i = 0; i < count; i++)
    if (!isfinite(values[i])) return false;
  return true;
}

#endif
