/* Vectors in doubles, for geometry that must decide a side or lose no digits. */
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
static inline double si_wide_length(const double *v) { return sqrt(si_wide_dot(v, v)); }

/* false, and dest untouched, for a vector that is zero or not finite; any other has a direction,
 * also where its square is beyond what a double holds */
static inline bool si_wide_unit(const double *v, double *dest) {
  double x = v[0], y = v[1], z = v[2], length = si_wide_length(v);
  if (!(length > 1e-140 && length < 1e140)) {
    double most = fmax(fmax(fabs(x), fabs(y)), fabs(z));
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
