/* Quaternions and matrices: see quat_matrix.h. Euler angles are computed in two steps: the first
 * two from the row and column that the other rotations leave unchanged, the third from what is left
 * after undoing the first, which is also well defined in gimbal lock. */
#include "lua/math/quat_matrix.h"
#include "lua/math/math_lua.h"
#include "math/angle.h"
#include "math/matrix.h"

static void half_turn(float degrees, double *sine, double *cosine) {
  double half = fmod(degrees, 720.0) / 2;
  *sine = sin(half * SI_DEG);
  *cosine = cos(half * SI_DEG);
  if (fabs(half) == 90 || fabs(half) == 270) *cosine = 0;
  if (fabs(half) == 180) *sine = 0;
}

static void store(const double q[4], float dest[4]) {
  for (int i = 0; i < 4; i++) dest[i] = (float)q[i];
}

static void mul(const double a[4], const double b[4], double dest[4]) {
  const double q[4] = { a[3] * b[0] + a[0] * b[3] + a[1] * b[2] - a[2] * b[1],
                        a[3] * b[1] - a[0] * b[2] + a[1] * b[3] + a[2] * b[0],
                        a[3] * b[2] + a[0] * b[1] - a[1] * b[0] + a[2] * b[3],
                        a[3] * b[3] - a[0] * b[0] - a[1] * b[1] - a[2] * b[2] };
  memcpy(dest, q, sizeof q);
}

static bool unit(const float q[4], double dest[4]) {
  double length = 0;
  for (int i = 0; i < 4; i++) length += (double)q[i] * q[i];
  length = sqrt(length);
  if (!(length > 0) || !isfinite(length)) return false;
  for (int i = 0; i < 4; i++) dest[i] = q[i] / length;
  return true;
}

void si_quat_from_axis(const float axis[3], float degrees, float dest[4]) {
  double s, c;
  half_turn(degrees, &s, &c);
  store((const double[]){ s * axis[0], s * axis[1], s * axis[2], c }, dest);
}

void si_quat_from_euler(const int order[3], const float degrees[3], float dest[4]) {
  double product[4] = { 0, 0, 0, 1 };
  for (int i = 0; i < 3; i++) {
    double q[4] = { 0 };
    half_turn(degrees[i], &q[order[i]], &q[3]);
    mul(product, q, product);
  }
  store(product, dest);
}

void si_quat_between(const float from[3], const float to[3], float dest[4]) {
  double a[3], b[3], q[4], p = 0, r = 0, length = 0;
  /* normalized in doubles, so that opposite directions are exactly opposite */
  for (int i = 0; i < 3; i++) {
    p += (double)from[i] * from[i];
    r += (double)to[i] * to[i];
  }
  for (int i = 0; i < 3; i++) {
    a[i] = from[i] / sqrt(p);
    b[i] = to[i] / sqrt(r);
  }
  q[0] = a[1] * b[2] - a[2] * b[1];
  q[1] = a[2] * b[0] - a[0] * b[2];
  q[2] = a[0] * b[1] - a[1] * b[0];
  q[3] = 1 + a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
  if (q[3] < 1e-14) {
    /* 180 degrees about an axis perpendicular to both, and to the coordinate axis farthest from
     * them */
    int far = fabs(a[0]) < fabs(a[1]) ? 0 : 1;
    if (fabs(a[2]) < fabs(a[far])) far = 2;
    int u = (far + 1) % 3, v = (far + 2) % 3;
    q[far] = 0;
    q[u] = a[v];
    q[v] = -a[u];
    q[3] = 0;
  }
  for (int i = 0; i < 4; i++) length += q[i] * q[i];
  for (int i = 0; i < 4; i++) q[i] /= sqrt(length);
  store(q, dest);
}

void si_quat_mul(const float a[4], const float b[4], float dest[4]) {
  double p[4], q[4];
  for (int i = 0; i < 4; i++) {
    p[i] = a[i];
    q[i] = b[i];
  }
  mul(p, q, p);
  store(p, dest);
}

bool si_quat_slerp(const float a[4], const float b[4], float t, float dest[4]) {
  double p[4], q[4], dot = 0, apart = 0, along = 0, length = 0;
  if (!unit(a, p) || !unit(b, q)) return false;
  for (int i = 0; i < 4; i++) dot += p[i] * q[i];
  for (int i = 0; i < 4; i++) {
    if (dot < 0) q[i] = -q[i];
    apart += (p[i] - q[i]) * (p[i] - q[i]);
    along += (p[i] + q[i]) * (p[i] + q[i]);
  }
  double angle = 2 * atan2(sqrt(apart), sqrt(along)), s = sin(angle);
  double u = 1 - t, v = t;
  if (s > 1e-9) {
    u = sin((1 - (double)t) * angle) / s;
    v = sin(t * angle) / s;
  }
  for (int i = 0; i < 4; i++) p[i] = u * p[i] + v * q[i];
  for (int i = 0; i < 4; i++) length += p[i] * p[i];
  for (int i = 0; i < 4; i++) p[i] /= sqrt(length);
  store(p, dest);
  return true;
}

bool si_quat_unit(const float q[4], float dest[4]) {
  double p[4];
  if (!unit(q, p)) return false;
  store(p, dest);
  return true;
}

bool si_quat_rotate(const float q[4], const float v[3], float dest[3]) {
  double p[4], x = v[0], y = v[1], z = v[2];
  if (!unit(q, p)) return false;
  /* v + 2 u x (u x v + w v), u the vector part */
  double a = p[1] * z - p[2] * y + p[3] * x;
  double b = p[2] * x - p[0] * z + p[3] * y;
  double c = p[0] * y - p[1] * x + p[3] * z;
  dest[0] = (float)(x + 2 * (p[1] * c - p[2] * b));
  dest[1] = (float)(y + 2 * (p[2] * a - p[0] * c));
  dest[2] = (float)(z + 2 * (p[0] * b - p[1] * a));
  return true;
}

bool si_quat_to_mat4(const float q[4], float dest[16]) {
  double p[4];
  if (!unit(q, p)) return false;
  double x = p[0], y = p[1], z = p[2], w = p[3];
  const double m[16] = { 1 - 2 * (y * y + z * z),
                         2 * (x * y + w * z),
                         2 * (x * z - w * y),
                         0,
                         2 * (x * y - w * z),
                         1 - 2 * (x * x + z * z),
                         2 * (y * z + w * x),
                         0,
                         2 * (x * z + w * y),
                         2 * (y * z - w * x),
                         1 - 2 * (x * x + y * y),
                         0,
                         0,
                         0,
                         0,
                         1 };
  for (int i = 0; i < 16; i++) dest[i] = (float)m[i];
  return true;
}

/* r[row][column] with columns of unit length */
static bool rotation_of(const float m[16], double r[3][3]) {
  for (int c = 0; c < 3; c++) {
    double x = m[4 * c], y = m[4 * c + 1], z = m[4 * c + 2], length = sqrt(x * x + y * y + z * z);
    if (!(length > 0) || !isfinite(length)) return false;
    r[0][c] = x / length;
    r[1][c] = y / length;
    r[2][c] = z / length;
  }
  for (int c = 0; c < 3; c++) {
    int d = (c + 1) % 3;
    double dot = r[0][c] * r[0][d] + r[1][c] * r[1][d] + r[2][c] * r[2][d];
    if (fabs(dot) > 1e-3) return false;
  }
  double determinant = 0;
  for (int c = 0; c < 3; c++) {
    int d = (c + 1) % 3, e = (c + 2) % 3;
    determinant += r[0][c] * (r[1][d] * r[2][e] - r[1][e] * r[2][d]);
  }
  return determinant > 0;
}

bool si_quat_from_mat4(const float m[16], float dest[4]) {
  double r[3][3], q[4], length = 0;
  if (!rotation_of(m, r)) return false;
  /* starts from the largest of the four, so that no division is by a small number */
  double trace = r[0][0] + r[1][1] + r[2][2];
  int i = r[0][0] > r[1][1] ? 0 : 1;
  if (r[2][2] > r[i][i]) i = 2;
  if (trace > r[i][i]) {
    q[0] = r[2][1] - r[1][2];
    q[1] = r[0][2] - r[2][0];
    q[2] = r[1][0] - r[0][1];
    q[3] = 1 + trace;
  } else {
    int j = (i + 1) % 3, k = (i + 2) % 3;
    q[i] = 1 + r[i][i] - r[j][j] - r[k][k];
    q[j] = r[i][j] + r[j][i];
    q[k] = r[i][k] + r[k][i];
    q[3] = r[k][j] - r[j][k];
  }
  for (int n = 0; n < 4; n++) length += q[n] * q[n];
  length = q[3] < 0 ? -sqrt(length) : sqrt(length);
  for (int n = 0; n < 4; n++) q[n] /= length;
  store(q, dest);
  return true;
}

bool si_mat4_angles(const float m[16], const int order[3], float dest[3]) {
  double r[3][3];
  if (!rotation_of(m, r)) return false;
  /* i, j are the first two axes, k the remaining one; the sign says whether i j k is
   * right-handed */
  int i = order[0], j = order[1], k = 3 - i - j;
  bool returns = order[2] == i;
  double sign = (j - i + 3) % 3 == 1 ? 1 : -1, a, b, c, clear;
  if (returns) {
    clear = hypot(r[j][i], r[k][i]);
    b = atan2(clear, r[i][i]);
    a = atan2(r[j][i], -sign * r[k][i]);
  } else {
    clear = hypot(r[j][k], r[k][k]);
    b = atan2(sign * r[i][k], clear);
    a = atan2(-sign * r[j][k], r[k][k]);
  }
  if (clear < 1e-6) a = atan2(sign * r[k][j], r[j][j]);
  /* after undoing the first rotation, row j is row j of the third */
  double s = sign * sin(a), t = cos(a);
  double left[3];
  for (int n = 0; n < 3; n++) left[n] = t * r[j][n] + s * r[k][n];
  c = atan2(returns ? -sign * left[k] : sign * left[i], left[j]);
  dest[0] = (float)(a / SI_DEG);
  dest[1] = (float)(b / SI_DEG);
  dest[2] = (float)(c / SI_DEG);
  return true;
}

void si_mat4_point(const float m[16], const float p[3], float dest[3]) {
  float w = m[3] * p[0] + m[7] * p[1] + m[11] * p[2] + m[15];
  si_mat_point(m, p, dest);
  if (w != 1)
    for (int i = 0; i < 3; i++) dest[i] /= w;
}

/* from the 2x2 minors of the upper two and of the lower two rows */
bool si_mat4_inverse(const float m[16], float *dest, double *determinant) {
  double a[16], size = 1;
  for (int i = 0; i < 16; i++) a[i] = m[i];
  for (int c = 0; c < 4; c++) {
    const double *v = a + 4 * c;
    size *= sqrt(v[0] * v[0] + v[1] * v[1] + v[2] * v[2] + v[3] * v[3]);
  }
  /* pairs of columns 01 02 03 12 13 23 */
  static const int left[6] = { 0, 0, 0, 1, 1, 2 }, right[6] = { 1, 2, 3, 2, 3, 3 };
  double s[6], t[6];
  for (int i = 0; i < 6; i++) {
    const double *u = a + 4 * left[i], *v = a + 4 * right[i];
    s[i] = u[0] * v[1] - v[0] * u[1];
    t[i] = u[2] * v[3] - v[2] * u[3];
  }
  double d = s[0] * t[5] - s[1] * t[4] + s[2] * t[3] + s[3] * t[2] - s[4] * t[1] + s[5] * t[0];
  if (determinant) *determinant = d;
  if (!dest) return true;
  if (!(fabs(d) > 1e-12 * size) || !isfinite(d)) return false;
  for (int r = 0; r < 4; r++) {
    /* row r of the inverse is made of the three columns other than r; adding 0 turns -0 to 0 */
    int i = r == 0 ? 1 : 0, j = r < 2 ? 2 : 1, k = r < 3 ? 3 : 2;
    int ij = i == 0 ? j - 1 : i + j, ik = i == 0 ? k - 1 : i + k, jk = j == 0 ? k - 1 : j + k;
    const double *u = a + 4 * i, *v = a + 4 * j, *w = a + 4 * k;
    double sign = r % 2 ? -1 / d : 1 / d;
    dest[r] = (float)(sign * (u[1] * t[jk] - v[1] * t[ik] + w[1] * t[ij]) + 0);
    dest[4 + r] = (float)(-sign * (u[0] * t[jk] - v[0] * t[ik] + w[0] * t[ij]) + 0);
    dest[8 + r] = (float)(sign * (u[3] * s[jk] - v[3] * s[ik] + w[3] * s[ij]) + 0);
    dest[12 + r] = (float)(-sign * (u[2] * s[jk] - v[2] * s[ik] + w[2] * s[ij]) + 0);
  }
  return true;
}
