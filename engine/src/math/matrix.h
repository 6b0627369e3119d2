/* Affine matrices: 16 floats, column-major, aligned to 16 bytes, with (0 0 0 1) as the last row.
 *
 * cglm's functions take arrays that are not const; only this file has the casts that this needs. */
#ifndef SI_MATRIX_H
#define SI_MATRIX_H

#include <cglm/cglm.h>

#include "math/angle.h"

#define KERNEL_WIDTH 4
#include "math/kernels/number.h"

#include "math/kernels/matrix.h"

#include "math/kernels/end.h"

typedef vec4 *si_mat; /* a mat4 as a parameter, with its alignment */

static inline si_mat si_m(const float *m) { return (si_mat)(uintptr_t)m; }

static inline void si_mat_copy(const float *m, float *dest) { memcpy(dest, m, 16 * sizeof(float)); }
static inline void si_mat_identity(float *dest) { glm_mat4_identity(si_m(dest)); }
/* an affine matrix in registers: four named columns, so that the compiler keeps them there */
typedef struct si_frame {
  si_v4 x, y, z, t;
} si_frame;
static inline si_frame si_frame_load(const float *m) {
  return (si_frame){ si_load(m), si_load(m + 4), si_load(m + 8), si_load(m + 12) };
}
static inline void si_frame_store(si_frame f, float *dest) {
  si_store(dest, f.x);
  si_store(dest + 4, f.y);
  si_store(dest + 8, f.z);
  si_store(dest + 12, f.t);
}
static inline si_v4 si_frame_direction(si_frame a, si_v4 v) {
  return a.x * SI_LANE(v, 0) + a.y * SI_LANE(v, 1) + a.z * SI_LANE(v, 2);
}
/* adds the last two terms first: a shorter dependency chain from a parent to its child */
static inline si_v4 si_frame_point(si_frame a, si_v4 v) {
  return (a.x * SI_LANE(v, 0) + a.y * SI_LANE(v, 1)) + (a.z * SI_LANE(v, 2) + a.t);
}
/* a * b; its last row is that of a */
static inline si_frame si_frame_mul(si_frame a, si_frame b) {
  return (si_frame){ si_frame_direction(a, b.x), si_frame_direction(a, b.y),
                     si_frame_direction(a, b.z), si_frame_point(a, b.t) };
}
/* a * b for affine matrices; dest may be a or b */
static inline void si_mat_mul(const float *a, const float *b, float *dest) {
  si_frame_store(si_frame_mul(si_frame_load(a), si_frame_load(b)), dest);
}
/* the inverse of a matrix whose upper 3x3 is orthonormal; it may mirror */
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
/* the rotation by `degrees` about the unit `axis` through the origin */
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

/* whether the upper 3x3 is orthonormal (a rotation or a mirror) and the last row is 0 0 0 1 */
static inline bool si_mat_is_rigid(const float *m, float tolerance) {
  if (m[3] != 0 || m[7] != 0 || m[11] != 0 || m[15] != 1) return false;
  for (int i = 0; i < 3; i++)
    for (int j = i; j < 3; j++)
      if (!(fabsf(si_vec_dot(m + 4 * i, m + 4 * j) - (i == j)) <= tolerance)) return false;
  return true;
}

#endif
