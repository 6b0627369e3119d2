/* Doubles in lanes. A vector holds half as many doubles as there are lanes, so a block is computed
 * in two halves. */
#ifndef SI_WIDES_H
#define SI_WIDES_H

#include "math/lanes/lanes.h"

enum { wide_width = SI_WIDTH / 2 };

typedef double wides __attribute__((vector_size(4 * SI_WIDTH), may_alias));
typedef int64_t wide_mask __attribute__((vector_size(4 * SI_WIDTH), may_alias));
typedef float wide_floats __attribute__((vector_size(2 * SI_WIDTH), may_alias));

typedef struct wide_vec {
  wides x, y, z;
} wide_vec;

LANE_INLINE wides wide_all(double x) {
#if SI_WIDTH == 8
  return (wides){ x, x, x, x };
#else
  return (wides){ x, x };
#endif
}
LANE_INLINE wides wide_load(const float *p) {
  wide_floats v;
  memcpy(&v, p, sizeof v);
  return __builtin_convertvector(v, wides);
}
LANE_INLINE void wide_store(float *p, wides v) {
  wide_floats narrow = __builtin_convertvector(v, wide_floats);
  memcpy(p, &narrow, sizeof narrow);
}

LANE_INLINE wides wide_pick(wide_mask mask, wides a, wides b) {
#if SI_WIDTH == 8
  return __builtin_ia32_blendvpd256(b, a, (wides)mask);
#else
  return (wides)(((wide_mask)a & mask) | ((wide_mask)b & ~mask));
#endif
}
LANE_INLINE wides wide_abs(wides x) {
  const wide_mask sign = (wide_mask){ 0 } + INT64_MIN;
  return (wides)((wide_mask)x & ~sign);
}
LANE_INLINE wides wide_sqrt(wides x) {
#if SI_WIDTH == 8
  return __builtin_ia32_sqrtpd256(x);
#elif defined __SSE2__
  return __builtin_ia32_sqrtpd(x);
#else
  for (int i = 0; i < wide_width; i++) x[i] = sqrt(x[i]);
  return x;
#endif
}
LANE_INLINE unsigned wide_which(wide_mask mask) {
#if SI_WIDTH == 8
  return (unsigned)__builtin_ia32_movmskpd256((wides)mask);
#elif defined __SSE2__
  return (unsigned)__builtin_ia32_movmskpd((wides)mask);
#else
  unsigned bits = 0;
  for (int i = 0; i < wide_width; i++) bits |= (unsigned)(mask[i] & 1) << i;
  return bits;
#endif
}

LANE_INLINE wides wide_dot(wide_vec a, wide_vec b) { return a.x * b.x + a.y * b.y + a.z * b.z; }
LANE_INLINE wide_vec wide_sum(wide_vec a, wide_vec b) {
  return (wide_vec){ a.x + b.x, a.y + b.y, a.z + b.z };
}
LANE_INLINE wide_vec wide_minus(wide_vec a, wide_vec b) {
  return (wide_vec){ a.x - b.x, a.y - b.y, a.z - b.z };
}
LANE_INLINE wide_vec wide_times(wides k, wide_vec v) {
  return (wide_vec){ k * v.x, k * v.y, k * v.z };
}
LANE_INLINE wide_vec wide_cross(wide_vec a, wide_vec b) {
  return (wide_vec){ a.y * b.z - a.z * b.y, a.z * b.x - a.x * b.z, a.x * b.y - a.y * b.x };
}

#endif
