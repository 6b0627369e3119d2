/* Matrices and vectors of the viewer's own geometry: column-major, as in the engine, but without
 * alignment. */
#ifndef VIEWER_SPACE_H
#define VIEWER_SPACE_H

#include <math.h>
#include <string.h>

#define SPACE_DEG 0.0174532925f

static inline float space_dot(const float *a, const float *b) {
  return a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
}

/* dest may be a or b */
static inline void space_cross(const float *a, const float *b, float *dest) {
  float c[3] = { a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0] };
  memcpy(dest, c, sizeof c);
}

static inline float space_length(const float *v) { return sqrtf(space_dot(v, v)); }

static inline float space_distance(const float *a, const float *b) {
  const float d[3] = { a[0] - b[0], a[1] - b[1], a[2] - b[2] };
  return space_length(d);
}

/* a zero vector stays zero */
static inline void space_unit(float *v) {
  float length = space_length(v);
  for (int k = 0; k < 3 && length > 0; k++) v[k] /= length;
}

/* a unit vector perpendicular to a unit vector */
static inline void space_across(const float *v, float *dest) {
  const float lean[3] = { fabsf(v[0]) < 0.6f, fabsf(v[0]) >= 0.6f, 0 };
  space_cross(v, lean, dest);
  space_unit(dest);
}

static inline void space_identity(float *dest) {
  for (int i = 0; i < 16; i++) dest[i] = i % 5 == 0;
}

/* dest may be a or b */
static inline void space_mul(const float *a, const float *b, float *dest) {
  float m[16];
  for (int c = 0; c < 4; c++)
    for (int r = 0; r < 4; r++)
      m[4 * c + r] = a[r] * b[4 * c] + a[4 + r] * b[4 * c + 1] + a[8 + r] * b[4 * c + 2] +
                     a[12 + r] * b[4 * c + 3];
  memcpy(dest, m, sizeof m);
}

static inline void space_direction(const float *m, const float *v, float *dest) {
  float d[3];
  for (int r = 0; r < 3; r++) d[r] = m[r] * v[0] + m[4 + r] * v[1] + m[8 + r] * v[2];
  memcpy(dest, d, sizeof d);
}

static inline void space_point(const float *m, const float *p, float *dest) {
  space_direction(m, p, dest);
  for (int r = 0; r < 3; r++) dest[r] += m[12 + r];
}

/* inverse of a rigid matrix, mirrored or not */
static inline void space_inverse(const float *m, float *dest) {
  float t[16];
  space_identity(t);
  for (int c = 0; c < 3; c++) {
    for (int r = 0; r < 3; r++) t[4 * c + r] = m[4 * r + c];
    t[12 + c] = -space_dot(m + 4 * c, m + 12);
  }
  memcpy(dest, t, sizeof t);
}

/* a rotation by degrees about a unit axis */
static inline void space_turn(const float *x, float degrees, float *dest) {
  float s = sinf(degrees * SPACE_DEG), c = cosf(degrees * SPACE_DEG);
  space_identity(dest);
  for (int i = 0; i < 3; i++)
    for (int j = 0; j < 3; j++) dest[4 * j + i] = (1 - c) * x[i] * x[j] + (i == j ? c : 0);
  for (int i = 0; i < 3; i++) {
    dest[4 * i + (i + 1) % 3] += s * x[(i + 2) % 3];
    dest[4 * ((i + 1) % 3) + i] -= s * x[(i + 2) % 3];
  }
}

/* spherical interpolation from a to b */
static inline void space_slerp(const float *a, const float *b, float share, float *dest) {
  float n[3], on[3];
  space_cross(a, b, n);
  float angle = atan2f(space_length(n), space_dot(a, b)) * share;
  space_unit(n);
  space_cross(n, a, on);
  for (int k = 0; k < 3; k++) dest[k] = cosf(angle) * a[k] + sinf(angle) * on[k];
  space_unit(dest);
}

static inline float space_degrees_between(const float *a, const float *b) {
  float n[3];
  space_cross(a, b, n);
  return atan2f(space_length(n), space_dot(a, b)) / SPACE_DEG;
}

#endif
