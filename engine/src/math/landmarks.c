/* The rotation is B. Horn's (1987): the unit quaternion that maximises q' N q for a matrix N of
 * sums of products is the eigenvector of its largest eigenvalue, here by Jacobi's rotations. */
#include "math/landmarks.h"

#include "math/wide.h"

#include <string.h>

static void mean_of(const si_place *list, int count, si_place dest) {
  dest[0] = dest[1] = dest[2] = 0;
  for (int i = 0; i < count; i++)
    for (int k = 0; k < 3; k++) dest[k] += list[i][k] / count;
}

static void minus(const double *a, const double *b, si_place dest) {
  for (int k = 0; k < 3; k++) dest[k] = a[k] - b[k];
}

/* makes n diagonal by rotations in the planes p q; the columns of `v` become its eigenvectors */
static void jacobi(double n[4][4], double v[4][4]) {
  memset(v, 0, 16 * sizeof(double));
  for (int i = 0; i < 4; i++) v[i][i] = 1;
  for (int sweep = 0; sweep < 20; sweep++)
    for (int p = 0; p < 3; p++)
      for (int q = p + 1; q < 4; q++) {
        if (n[p][q] == 0) continue;
        double theta = (n[q][q] - n[p][p]) / (2 * n[p][q]);
        double t = (theta < 0 ? -1 : 1) / (fabs(theta) + sqrt(theta * theta + 1));
        double c = 1 / sqrt(t * t + 1), s = t * c;
        for (int k = 0; k < 4; k++) {
          double a = n[k][p], b = n[k][q], e = v[k][p], f = v[k][q];
          n[k][p] = c * a - s * b;
          n[k][q] = s * a + c * b;
          v[k][p] = c * e - s * f;
          v[k][q] = s * e + c * f;
        }
        for (int k = 0; k < 4; k++) {
          double a = n[p][k], b = n[q][k];
          n[p][k] = c * a - s * b;
          n[q][k] = s * a + c * b;
        }
      }
}

/* the quaternion w x y z of the best rotation from s, the sums of from' * to about their means */
static void best_rotation(const double s[3][3], double q[4]) {
  double n[4][4] = { { s[0][0] + s[1][1] + s[2][2], s[1][2] - s[2][1], s[2][0] - s[0][2],
                       s[0][1] - s[1][0] },
                     { 0, s[0][0] - s[1][1] - s[2][2], s[0][1] + s[1][0], s[2][0] + s[0][2] },
                     { 0, 0, s[1][1] - s[0][0] - s[2][2], s[1][2] + s[2][1] },
                     { 0, 0, 0, s[2][2] - s[0][0] - s[1][1] } };
  double v[4][4];
  for (int i = 0; i < 4; i++)
    for (int k = 0; k < i; k++) n[i][k] = n[k][i];
  jacobi(n, v);
  int best = 0;
  for (int i = 1; i < 4; i++)
    if (n[i][i] > n[best][best]) best = i;
  for (int i = 0; i < 4; i++) q[i] = v[i][best];
}

/* the shortest rotation from one direction to another; any half turn if they are opposite */
static void shortest_rotation(const double *a, const double *b, double q[4]) {
  double u[3], v[3], axis[3];
  q[0] = 1;
  q[1] = q[2] = q[3] = 0;
  if (!si_wide_unit(a, u) || !si_wide_unit(b, v)) return;
  si_wide_cross(u, v, axis);
  double w = 1 + si_wide_dot(u, v);
  if (w < 1e-9) {
    const double x[3] = { 1, 0, 0 }, y[3] = { 0, 1, 0 };
    si_wide_cross(u, fabs(u[0]) < 0.8 ? x : y, axis);
    w = 0;
  }
  double size = sqrt(w * w + si_wide_dot(axis, axis));
  q[0] = w / size;
  for (int k = 0; k < 3; k++) q[k + 1] = axis[k] / size;
}

void si_similarity(const si_place *from, const si_place *to, int count, double dest[16]) {
  si_place a, b, u, v;
  double sums[3][3] = { { 0 } }, size = 0, other = 0, q[4] = { 1, 0, 0, 0 };
  mean_of(from, count, a);
  mean_of(to, count, b);
  for (int i = 0; i < count; i++) {
    minus(from[i], a, u);
    minus(to[i], b, v);
    size += si_wide_dot(u, u);
    other += si_wide_dot(v, v);
    for (int j = 0; j < 3; j++)
      for (int k = 0; k < 3; k++) sums[j][k] += u[j] * v[k];
  }
  if (count == 2) {
    minus(from[1], from[0], u);
    minus(to[1], to[0], v);
    shortest_rotation(u, v, q);
  } else if (count > 2) {
    best_rotation(sums, q);
  }
  const double scale = size > 1e-18 ? sqrt(other / size) : 1;
  const double w = q[0], x = q[1], y = q[2], z = q[3];
  const double rotation[3][3] = {
    { 1 - 2 * (y * y + z * z), 2 * (x * y + w * z), 2 * (x * z - w * y) },
    { 2 * (x * y - w * z), 1 - 2 * (x * x + z * z), 2 * (y * z + w * x) },
    { 2 * (x * z + w * y), 2 * (y * z - w * x), 1 - 2 * (x * x + y * y) }
  };
  memset(dest, 0, 16 * sizeof *dest);
  dest[15] = 1;
  for (int k = 0; k < 3; k++) {
    dest[12 + k] = b[k];
    for (int c = 0; c < 3; c++) {
      dest[4 * c + k] = scale * rotation[c][k];
      dest[12 + k] -= dest[4 * c + k] * a[c];
    }
  }
}

static double distance(const double *a, const double *b) {
  si_place d;
  minus(a, b, d);
  return si_wide_length(d);
}

/* solves m x = right by elimination with pivots; right becomes x */
static bool solve(double *m, si_place *right, int n) {
  for (int c = 0; c < n; c++) {
    int best = c;
    for (int r = c + 1; r < n; r++)
      if (fabs(m[r * n + c]) > fabs(m[best * n + c])) best = r;
    if (!(fabs(m[best * n + c]) > 1e-12)) return false;
    for (int k = 0; k < n; k++) {
      double held = m[c * n + k];
      m[c * n + k] = m[best * n + k];
      m[best * n + k] = held;
    }
    for (int k = 0; k < 3; k++) {
      double held = right[c][k];
      right[c][k] = right[best][k];
      right[best][k] = held;
    }
    for (int r = c + 1; r < n; r++) {
      double f = m[r * n + c] / m[c * n + c];
      for (int k = c; k < n; k++) m[r * n + k] -= f * m[c * n + k];
      for (int k = 0; k < 3; k++) right[r][k] -= f * right[c][k];
    }
  }
  for (int r = n - 1; r >= 0; r--)
    for (int k = 0; k < 3; k++) {
      for (int c = r + 1; c < n; c++) right[r][k] -= m[r * n + c] * right[c][k];
      right[r][k] /= m[r * n + r];
    }
  return true;
}

bool si_warp_make(const si_place *points, const si_place *moves, int count, si_place *weights,
                  double *work) {
  const int n = count + 1;
  for (int i = 0; i < count; i++) {
    for (int k = 0; k < count; k++) work[i * n + k] = distance(points[i], points[k]);
    work[i * n + count] = work[count * n + i] = 1;
    memcpy(weights[i], moves[i], sizeof weights[i]);
  }
  work[count * n + count] = 0;
  memset(weights[count], 0, sizeof weights[count]);
  return solve(work, weights, n);
}

void si_warp_point(const si_place *points, const si_place *weights, int count, si_place dest) {
  const si_place p = { dest[0], dest[1], dest[2] };
  for (int k = 0; k < 3; k++) dest[k] += weights[count][k];
  for (int i = 0; i < count; i++) {
    double d = distance(p, points[i]);
    for (int k = 0; k < 3; k++) dest[k] += d * weights[i][k];
  }
}
