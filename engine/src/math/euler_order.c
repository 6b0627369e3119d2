/* With R = R_i(a) R_j(b) R_k(c) and e = +1 for a cyclic order of axes, -1 for the others:
 *   i != k: R[i][k] = e sin b, R[j][k] = -e sin a cos b, R[k][k] = cos a cos b,
 *           R[i][j] = -e cos b sin c, R[i][i] = cos b cos c
 *   i == k, l the third axis: R[i][i] = cos b, R[j][i] = sin a sin b, R[l][i] = -e cos a sin b,
 *           R[i][j] = sin b sin c, R[i][l] = e sin b cos c
 * The middle angle is the arctangent of its sine and cosine, which keeps all digits near the
 * singularities. */
#include "math/euler_order.h"

#include <math.h>
#include <stddef.h>
#include <string.h>

#define RADIAN 57.295779513082320877

bool si_order_parse(const char *order, si_euler_order *dest) {
  if (!order || strlen(order) != 3) return false;
  si_euler_order read;
  for (int i = 0; i < 3; i++) {
    if (order[i] < 'x' || order[i] > 'z') return false;
    read.axis[i] = order[i] - 'x';
    if (i > 0 && read.axis[i] == read.axis[i - 1]) return false;
  }
  read.proper = read.axis[0] == read.axis[2];
  *dest = read;
  return true;
}

static void to_matrix(const double q[4], double m[3][3]) {
  double x = q[0], y = q[1], z = q[2], w = q[3];
  m[0][0] = 1 - 2 * (y * y + z * z), m[0][1] = 2 * (x * y - z * w), m[0][2] = 2 * (x * z + y * w);
  m[1][0] = 2 * (x * y + z * w), m[1][1] = 1 - 2 * (x * x + z * z), m[1][2] = 2 * (y * z - x * w);
  m[2][0] = 2 * (x * z - y * w), m[2][1] = 2 * (y * z + x * w), m[2][2] = 1 - 2 * (x * x + y * y);
}

void si_order_angles(const si_euler_order *order, const double quat[4], double dest[3]) {
  const double singular = 1e-7;
  int i = order->axis[0], j = order->axis[1], k = order->proper ? 3 - i - j : order->axis[2];
  double e = (j - i + 3) % 3 == 1 ? 1 : -1, m[3][3], a, b, c = 0;
  to_matrix(quat, m);
  if (order->proper) {
    double sine = hypot(m[i][j], m[i][k]);
    b = atan2(sine, m[i][i]);
    if (sine > singular) {
      a = atan2(m[j][i], -e * m[k][i]);
      c = atan2(m[i][j], e * m[i][k]);
    } else {
      a = atan2(e * m[k][j], m[j][j]);
    }
  } else {
    double cosine = hypot(m[i][i], m[i][j]);
    b = atan2(e * m[i][k], cosine);
    if (cosine > singular) {
      a = atan2(-e * m[j][k], m[k][k]);
      c = atan2(-e * m[i][j], m[i][i]);
    } else {
      a = atan2(e * m[k][j], m[j][j]);
    }
  }
  dest[0] = a * RADIAN, dest[1] = b * RADIAN, dest[2] = c * RADIAN;
}

void si_order_quat(const si_euler_order *order, const double angles[3], double dest[4]) {
  double q[4] = { 0, 0, 0, 1 };
  for (int i = 0; i < 3; i++) {
    double half = angles[i] / (2 * RADIAN), t[4] = { 0, 0, 0, cos(half) };
    t[order->axis[i]] = sin(half);
    const double product[4] = { q[3] * t[0] + q[0] * t[3] + q[1] * t[2] - q[2] * t[1],
                                q[3] * t[1] - q[0] * t[2] + q[1] * t[3] + q[2] * t[0],
                                q[3] * t[2] + q[0] * t[1] - q[1] * t[0] + q[2] * t[3],
                                q[3] * t[3] - q[0] * t[0] - q[1] * t[1] - q[2] * t[2] };
    memcpy(q, product, sizeof q);
  }
  memcpy(dest, q, sizeof q);
}
