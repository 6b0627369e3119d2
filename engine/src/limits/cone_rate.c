/* Derivatives of a reach cone's effect on a direction.
 *
 * The path from rest F to L exits through the edge from P to Q at X = a Q - b P, made unit, with a
 * = L.(P x F) and b = L.(Q x F): before normalising it is linear in L. A twist limit is the mean of
 * three with weights linear in the direction, each clamped at 0 (cone_query.c). */
#include "limits/cone_internal.h"

#define OPPOSITE 1e-6 /* as in cone_query.c: the two directions do not define a path */

void si_cone_exit_rate(const sinew_cone *cone, const float *direction, int slice,
                       float dest[3][3]) {
  double f[3], l[3], p[3], q[3], by_a[3], by_b[3], n[3], y[3];
  int next = si_cone_next(cone, slice);
  memset(dest, 0, 9 * sizeof(float));
  si_wide(cone->rest, f);
  si_wide(direction, l);
  for (int k = 0; k < 3; k++) {
    p[k] = (double)si_cone_coords(cone, k)[slice];
    q[k] = (double)si_cone_coords(cone, k)[next];
  }
  si_wide_cross(f, l, n);
  if (si_wide_dot(n, n) < OPPOSITE * OPPOSITE) return;
  si_wide_cross(p, f, by_a);
  si_wide_cross(q, f, by_b);
  double a = si_wide_dot(l, by_a), b = si_wide_dot(l, by_b);
  /* an exit at an end of the edge stays there */
  if (a == b || a / (a - b) < 0 || a / (a - b) > 1) return;
  double sign = a > b ? 1 : -1;
  for (int k = 0; k < 3; k++) y[k] = sign * (a * q[k] - b * p[k]);
  double scale = 1 / si_wide_length(y);
  for (int k = 0; k < 3; k++) y[k] *= scale;
  for (int column = 0; column < 3; column++) {
    double move[3], along;
    for (int k = 0; k < 3; k++)
      move[k] = sign * scale * (by_a[column] * q[k] - by_b[column] * p[k]);
    along = si_wide_dot(move, y);
    for (int k = 0; k < 3; k++) dest[column][k] = (float)(move[k] - along * y[k]);
  }
}

void si_cone_limit_rate(const sinew_cone *cone, const float *direction, int slice, int which,
                        float dest[3]) {
  const si_cone_slice *s = si_cone_slices(cone) + slice;
  si_v4 dots = si_cone_dots(s, direction);
  /* lanes: the weight of the next point, of this point, and of V */
  const float size[3] = { s->x[3], s->y[3], s->z[3] };
  const float limits[3] = { si_cone_twists(cone, si_cone_next(cone, slice))[which],
                            si_cone_twists(cone, slice)[which], cone->visible_twist[which] };
  float sum = 0, mean = 0;
  for (int i = 0; i < 3; i++) {
    float weight = dots[i] > 0 ? dots[i] * size[i] : 0;
    sum += weight;
    mean += weight * limits[i];
  }
  dest[0] = dest[1] = dest[2] = 0;
  if (!(sum > 0)) return;
  mean /= sum;
  for (int i = 0; i < 3; i++) {
    if (!(dots[i] > 0)) continue;
    float pull = size[i] * (limits[i] - mean) / sum;
    dest[0] += pull * s->x[i], dest[1] += pull * s->y[i], dest[2] += pull * s->z[i];
  }
}
