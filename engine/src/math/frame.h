/* Maths over cglm: const-correct wrappers, affine matrices, and sine and cosine of degrees.
 *
 * A matrix here is 16 floats, column-major, aligned to 16 bytes, with (0 0 0 1) as its last row.
 * cglm's array functions drop const; the casts that this takes stand in this file only. */
#ifndef SI_FRAME_H
#define SI_FRAME_H

#include <cglm/cglm.h>
#include <stdbool.h>
#include <string.h>

#include "math/wide.h"

#define SI_DEG (3.14159265358979323846 / 180.0)

typedef vec4 *si_mat; /* a mat4 as a parameter, with its alignment */

static inline si_mat si_m(const float *m) { return (si_mat)(uintptr_t)m; }

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
/* the i-th of four, in all four places; as a shuffle of whole numbers, which needs no copy */
#ifdef SI_HAS_SHUFFLE
#define SI_LANE(v, i) ((si_v4)__builtin_shufflevector((si_i4)(v), (si_i4)(v), i, i, i, i))
#else
#define SI_LANE(v, i) si_all((v)[i])
#endif

/* a where the mask is set, else b; without a branch, since a wrong guess costs more than all of it
 */
static inline si_v4 si_pick_four(si_i4 mask, si_v4 a, si_v4 b) {
  return (si_v4)(((si_i4)a & mask) | ((si_i4)b & ~mask));
}

/* exchanges a and b where the mask is set */
static inline void si_swap_four(si_i4 mask, si_v4 *a, si_v4 *b) {
  si_i4 both = ((si_i4)*a ^ (si_i4)*b) & mask;
  *a = (si_v4)((si_i4)*a ^ both);
  *b = (si_v4)((si_i4)*b ^ both);
}

/* x held between low and high, one comparison after the other, so that it takes no branch; a NaN
 * stays one */
static inline float si_clamp(float x, float low, float high) {
  x = x < low ? low : x;
  return x > high ? high : x;
}
/* the same of four */
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

/* how many lanes of a mask are set, where those that are come first */
static inline uint32_t si_leading(si_i4 mask) {
#ifdef __SSE__
  static const uint8_t counts[16] = { [1] = 1, [3] = 2, [7] = 3, [15] = 4 };
  return counts[__builtin_ia32_movmskps((si_v4)mask) & 15];
#else
  return (uint32_t) - (mask[0] + mask[1] + mask[2] + mask[3]);
#endif
}

/* four columns from their four rows */
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

#define KERNEL_WIDTH 4
#include "math/kernels/number.h"

#include "math/kernels/angle.h"
#include "math/kernels/matrix.h"

#include "math/kernels/end.h"

/* whether one of these angles is too large for si_sincos_four */
static inline bool si_turns_far(si_v4 degrees) {
  const si_v4 limit = si_all(SI_SINCOS_LIMIT);
  return si_any(~((degrees < limit) & (degrees > -limit)));
}
/* the same directions by angles that are not */
static inline si_v4 si_unwind(si_v4 degrees) {
  for (int i = 0; i < 4; i++)
    if (!(fabsf(degrees[i]) < SI_SINCOS_LIMIT)) degrees[i] = fmodf(degrees[i], 360.0f);
  return degrees;
}

/* sine and cosine of any angle in degrees */
static inline void si_sincos(float degrees, float *sine, float *cosine) {
  if (!(fabsf(degrees) < SI_SINCOS_LIMIT)) degrees = fmodf(degrees, 360.0f);
  si_v4 s, c;
  si_sincos_four(si_all(degrees), &s, &c);
  *sine = s[0];
  *cosine = c[0];
}
static inline float si_atan2(float y, float x) { return si_atan2_four(si_all(y), si_all(x))[0]; }

static inline void si_mat_copy(const float *m, float *dest) { memcpy(dest, m, 16 * sizeof(float)); }
static inline void si_mat_identity(float *dest) { glm_mat4_identity(si_m(dest)); }
/* an affine matrix in registers: four columns, named so that they stay there */
typedef struct si_frame {
  si_v4 x, y, z, t;
} si_frame;
static inline si_frame si_frame_load(const float *m) {
  return (si_frame){ si_load(m), si_load(m + 4), si_load(m + 8), si_load(m + 12) };
}
static inline void si_frame_store(si_frame f, float *dest) {
  si_store(dest, f.x), si_store(dest + 4, f.y), si_store(dest + 8, f.z), si_store(dest + 12, f.t);
}
static inline si_v4 si_frame_direction(si_frame a, si_v4 v) {
  return a.x * SI_LANE(v, 0) + a.y * SI_LANE(v, 1) + a.z * SI_LANE(v, 2);
}
/* the last two terms first: one step less on the way from a parent to its child */
static inline si_v4 si_frame_point(si_frame a, si_v4 v) {
  return (a.x * SI_LANE(v, 0) + a.y * SI_LANE(v, 1)) + (a.z * SI_LANE(v, 2) + a.t);
}
/* a * b; the last row of the product comes out of a's */
static inline si_frame si_frame_mul(si_frame a, si_frame b) {
  return (si_frame){ si_frame_direction(a, b.x), si_frame_direction(a, b.y),
                     si_frame_direction(a, b.z), si_frame_point(a, b.t) };
}
/* a * b for affine matrices; dest may be a or b */
static inline void si_mat_mul(const float *a, const float *b, float *dest) {
  si_frame_store(si_frame_mul(si_frame_load(a), si_frame_load(b)), dest);
}
/* the inverse of a rigid matrix, mirrored ones too: its rotation is orthonormal */
static inline void si_mat_inverse_rigid(const float *m, float *dest) {
  CGLM_ALIGN_MAT mat4 copy;
  si_mat_copy(m, copy[0]);
  glm_inv_tr(copy);
  si_mat_copy(copy[0], dest);
}
/* m with its translation set to zero */
static inline void si_mat_rotation_part(const float *m, float *dest) {
  si_mat_copy(m, dest);
  dest[12] = dest[13] = dest[14] = 0.0f;
}
static inline void si_mat_point(const float *m, const float *p, float *dest) {
  float x = p[0], y = p[1], z = p[2];
  for (int i = 0; i < 3; i++) dest[i] = m[i] * x + m[4 + i] * y + m[8 + i] * z + m[12 + i];
}
static inline void si_mat_direction(const float *m, const float *v, float *dest) {
  float x = v[0], y = v[1], z = v[2];
  for (int i = 0; i < 3; i++) dest[i] = m[i] * x + m[4 + i] * y + m[8 + i] * z;
}
/* turns by `degrees` about the unit `axis` through the origin */
static inline void si_mat_turn(const float *axis, float degrees, float *dest) {
  float s, c, x = axis[0], y = axis[1], z = axis[2];
  si_sincos(degrees, &s, &c);
  float t = 1.0f - c;
  const float m[16] = { t * x * x + c,
                        t * x * y + s * z,
                        t * x * z - s * y,
                        0,
                        t * x * y - s * z,
                        t * y * y + c,
                        t * y * z + s * x,
                        0,
                        t * x * z + s * y,
                        t * y * z - s * x,
                        t * z * z + c,
                        0,
                        0,
                        0,
                        0,
                        1 };
  si_mat_copy(m, dest);
}

static inline float si_vec_dot(const float *a, const float *b) {
  return a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
}
static inline void si_vec_cross(const float *a, const float *b, float *dest) {
  float x = a[1] * b[2] - a[2] * b[1], y = a[2] * b[0] - a[0] * b[2], z = a[0] * b[1] - a[1] * b[0];
  dest[0] = x, dest[1] = y, dest[2] = z;
}
static inline float si_vec_length(const float *v) { return sqrtf(si_vec_dot(v, v)); }
/* as si_wide_unit */
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

/* whether the upper 3x3 is orthonormal (a turn or a mirror) and the last row is 0 0 0 1 */
static inline bool si_mat_is_rigid(const float *m, float tolerance) {
  if (m[3] != 0 || m[7] != 0 || m[11] != 0 || m[15] != 1) return false;
  for (int i = 0; i < 3; i++)
    for (int j = i; j < 3; j++)
      if (!(fabsf(si_vec_dot(m + 4 * i, m + 4 * j) - (i == j)) <= tolerance)) return false;
  return true;
}

#endif
