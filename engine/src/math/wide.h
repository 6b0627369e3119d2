/* Vectors in doubles, for geometry that must decide a side exactly or keep all digits. */
#ifndef SI_WIDE_H
#define SI_WIDE_H

#include <math.h>
#include <stdbool.h>

static inline void si_wide(const float *v, double *dest) {
  for (int k = 0; k < 3; k++) dest[k] = (double)v[k];
}
static inline double si_wide_dot(const double *a, const double *b) {
  return a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
}
/* dest is neither a nor b */
static inline void si_wide_cross(const double *a, const double *b, double *dest) {
  dest[0] = a[1] * b[2] - a[2] * b[1];
  dest[1] = a[2] * b[0] - a[0] * b[2];
  dest[2] = a[0] * b[1] - a[1] * b[0];
}
/* (a x b) . c */
static inline double si_wide_triple(const double *a, const double *b, const double *c) {
  double n[3];
  si_wide_cross(a, b, n);
  return si_wide_dot(n, c);
}
/* the distance between two points */
static inline double si_wide_distance(const float *a, const float *b) {
  double x = (double)a[0] - b[0], y = (double)a[1] - b[1], z = (double)a[2] - b[2];
  return sqrt(x * x + y * y + z * z);
}
/* the quaternion x y z w of a column-major rotation, by its largest component (Shepperd, 1978) */
static inline void si_wide_quat(const double *m, double *dest) {
  const double trace = m[0] + m[4] + m[8];
  const double xy = m[1] + m[3], xz = m[2] + m[6], yz = m[5] + m[7];
  const double wx = m[5] - m[7], wy = m[6] - m[2], wz = m[1] - m[3];
  const double rows[4][4] = { { 1 + 2 * m[0] - trace, xy, xz, wx },
                              { xy, 1 + 2 * m[4] - trace, yz, wy },
                              { xz, yz, 1 + 2 * m[8] - trace, wz },
                              { wx, wy, wz, 1 + trace } };
  int best = 3;
  double sum = 0;
  for (int i = 0; i < 3; i++)
    if (rows[i][i] > rows[best][best]) best = i;
  for (int i = 0; i < 4; i++) sum += rows[best][i] * rows[best][i];
  for (int i = 0; i < 4; i++) dest[i] = rows[best][i] / sqrt(sum);
}
static inline double si_wide_length(const double *v) { return sqrt(si_wide_dot(v, v)); }

/* false, with dest unchanged, for a vector that is zero or not finite; any other is normalised,
 * even if its square would overflow a double */
static inline bool si_wide_unit(const double *v, double *dest) {
  double x = v[0], y = v[1], z = v[2], length = si_wide_length(v);
  if (!(length > 1e-140 && length < 1e140)) {
    double most = fmax(fmax(fabs(x), fabs(y)), fabs(z));
    if (!(most > 0)) return false;
    x /= most, y /= most, z /= most;
    length = sqrt(x * x + y * y + z * z);
    if (!(length > 0) || !isfinite(length)) return false;
  }
  dest[0] = x / length, dest[1] = y / length, dest[2] = z / length;
  return true;
}

/* signed solid angle of the triangle a b c of unit vectors (Van Oosterom and Strackee) */
static inline double si_wide_solid_angle(const double *a, const double *b, const double *c) {
  return 2 * atan2(si_wide_triple(a, b, c),
                   1 + si_wide_dot(a, b) + si_wide_dot(b, c) + si_wide_dot(c, a));
}

#endif
