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

/* sin x = x + x z (s0 + s1 z + s2 z^2) and cos x = 1 - z/2 + z^2 (c0 + c1 z + c2 z^2), z = x^2: the
 * polynomials of least maximum error on [-pi/4, pi/4], 1.8e-9 and 1e-10 */
#define SI_SIN_0 -1.66666507e-1f
#define SI_SIN_1 8.33197866e-3f
#define SI_SIN_2 -1.94956362e-4f
#define SI_COS_0 4.16666469e-2f
#define SI_COS_1 -1.38873675e-3f
#define SI_COS_2 2.44384516e-5f

/* sine and cosine of an angle in degrees; exact at multiples of 90, elsewhere to 1.2e-7. Without
 * branches but for huge angles: on random poses every wrong guess would cost more than the sine */
static inline void si_sincos(float degrees, float *sine, float *cosine) {
  if (!(fabsf(degrees) < 4194304.0f)) degrees = fmodf(degrees, 360.0f);
  /* adding 1.5 * 2^23 rounds to a whole number, which then stands in the low bits */
  union {
    float f;
    uint32_t u;
  } turns = { degrees * (1.0f / 90.0f) + 12582912.0f }, s, c, sin_is, cos_is;
  uint32_t quarter = turns.u;
  float x = (degrees - (turns.f - 12582912.0f) * 90.0f) * (float)SI_DEG, z = x * x;
  /* both side by side; not by Horner: this is shorter to wait for */
  si_v4 t = (si_v4){ SI_SIN_0, SI_COS_0 } + (si_v4){ SI_SIN_1, SI_COS_1 } * si_all(z);
  t += si_all(z * z) * (si_v4){ SI_SIN_2, SI_COS_2 };
  t = (si_v4){ x, 1.0f + z * -0.5f } + (si_v4){ z * x, z * z } * t;
  s.f = t[0];
  c.f = t[1];
  uint32_t odd = -(quarter & 1);
  sin_is.u = ((s.u & ~odd) | (c.u & odd)) ^ (quarter & 2) << 30;
  cos_is.u = ((c.u & ~odd) | (s.u & odd)) ^ ((quarter + 1) & 2) << 30;
  *sine = sin_is.f;
  *cosine = cos_is.f;
}

/* a where the mask is set, else b: as no branch, since a wrong guess would cost more than all of it
 */
static inline si_v4 si_pick(si_i4 mask, si_v4 a, si_v4 b) {
  return (si_v4)(((si_i4)a & mask) | ((si_i4)b & ~mask));
}

/* x held between low and high; a NaN stays one */
static inline si_v4 si_clamp_four(si_v4 x, si_v4 low, si_v4 high) {
#ifdef __SSE__
  return __builtin_ia32_minps(high, __builtin_ia32_maxps(low, x));
#else
  x = si_pick(x < low, low, x);
  return si_pick(x > high, high, x);
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

/* sine and cosine on [-pi/4, pi/4], as si_sincos has them */
static inline void si_series_four(si_v4 x, si_v4 *sine, si_v4 *cosine) {
  si_v4 z = x * x, zz = z * z, s, c;
  s = (si_all(SI_SIN_0) + si_all(SI_SIN_1) * z) + zz * si_all(SI_SIN_2);
  c = (si_all(SI_COS_0) + si_all(SI_COS_1) * z) + zz * si_all(SI_COS_2);
  *sine = x + z * x * s;
  *cosine = (si_all(1.0f) + z * si_all(-0.5f)) + zz * c;
}

/* si_sincos of four angles from -45 to 45 degrees, to the bit */
static inline void si_sincos_near(si_v4 degrees, si_v4 *sine, si_v4 *cosine) {
  si_series_four(degrees * si_all((float)SI_DEG), sine, cosine);
}

/* whether si_sincos_four knows these angles */
static inline bool si_turns_far(si_v4 degrees) {
  const si_v4 limit = si_all(4194304.0f);
  return si_any(~((degrees < limit) & (degrees > -limit)));
}
/* huge angles, brought to where it does, as si_sincos does */
static inline si_v4 si_unwind(si_v4 degrees) {
  for (int i = 0; i < 4; i++)
    if (!(fabsf(degrees[i]) < 4194304.0f)) degrees[i] = fmodf(degrees[i], 360.0f);
  return degrees;
}

/* si_sincos of four angles below 4194304 degrees, to the bit */
static inline void si_sincos_four(si_v4 degrees, si_v4 *sine, si_v4 *cosine) {
  si_v4 turns = degrees * si_all(1.0f / 90.0f) + si_all(12582912.0f), s, c;
  si_series_four((degrees - (turns - si_all(12582912.0f)) * si_all(90.0f)) * si_all((float)SI_DEG),
                 &s, &c);
  si_u4 quarter = (si_u4)turns;
  si_i4 odd = -(si_i4)(quarter & 1);
  *sine = (si_v4)((si_u4)si_pick(odd, c, s) ^ (quarter & 2) << 30);
  *cosine = (si_v4)((si_u4)si_pick(odd, s, c) ^ ((quarter + 1) & 2) << 30);
}

/* the angles of four (x, y) in degrees, -180 to 180, to 2e-5; 0 for (0, 0). The polynomial (least
 * maximum error, 5e-9) needs to cover an eighth of a turn only; what it is added to or taken from
 * is found meanwhile */
static inline si_v4 si_atan2_four(si_v4 y, si_v4 x) {
  const si_i4 sign = { INT32_MIN, INT32_MIN, INT32_MIN, INT32_MIN };
  si_v4 ax = (si_v4)((si_i4)x & ~sign), ay = (si_v4)((si_i4)y & ~sign);
  si_i4 steep = ay > ax, back = x < si_all(0);
  si_v4 small = si_pick(steep, ax, ay), large = si_pick(steep, ay, ax);
  si_i4 high = small > large * si_all(0.414213562f);
  si_v4 over = si_pick(high, small - large, small), under = si_pick(high, small + large, large);
  si_v4 t = over / si_pick(under > si_all(0), under, si_all(1)), z = t * t;
  si_v4 base = si_pick(high, si_all(45), si_all(0));
  base = si_pick(steep, si_all(90) - base, base);
  base = si_pick(back, si_all(180) - base, base);
  si_v4 p = (si_all(-0.333327567f) + z * si_all(0.199718792f)) +
            z * z * (si_all(-0.138244527f) + z * si_all(0.0790259532f));
  si_v4 degrees = (t + t * z * p) * si_all((float)(1 / SI_DEG));
  degrees = base + (si_v4)((si_i4)degrees ^ ((steep ^ back) & sign));
  return (si_v4)((si_i4)degrees | ((si_i4)y & sign));
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

/* one after the other, so that it takes no branch; a NaN stays one */
static inline float si_clamp(float x, float low, float high) {
  x = x < low ? low : x;
  return x > high ? high : x;
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
