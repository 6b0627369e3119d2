/* Euler angles of quaternions against plain products of axis rotations. */
#include "math/euler_order.h"
#include "field_cases.h"
#include "minunit.h"

static const char *const orders[] = { "xyz", "xzy", "yxz", "yzx", "zxy", "zyx",
                                      "xyx", "xzx", "yxy", "yzy", "zxz", "zyz" };
enum { ORDERS = 12 };

typedef struct matrix {
  double m[3][3];
} matrix;

static matrix product(matrix a, matrix b) {
  matrix c = { 0 };
  for (int i = 0; i < 3; i++)
    for (int j = 0; j < 3; j++)
      for (int k = 0; k < 3; k++) c.m[i][j] += a.m[i][k] * b.m[k][j];
  return c;
}

static matrix axis_rotation(char axis, double degrees) {
  double s = sin(degrees * acos(-1) / 180), c = cos(degrees * acos(-1) / 180);
  matrix x = { { { 1, 0, 0 }, { 0, c, -s }, { 0, s, c } } };
  matrix y = { { { c, 0, s }, { 0, 1, 0 }, { -s, 0, c } } };
  matrix z = { { { c, -s, 0 }, { s, c, 0 }, { 0, 0, 1 } } };
  return axis == 'x' ? x : axis == 'y' ? y : z;
}

/* the largest difference between rotating by the quaternion and by the product of rotations */
static double mismatch(const char *order, const double *q, const double *angles) {
  matrix r =
      product(product(axis_rotation(order[0], angles[0]), axis_rotation(order[1], angles[1])),
              axis_rotation(order[2], angles[2]));
  double worst = 0;
  for (int k = 0; k < 3; k++) {
    /* v + 2w(u x v) + 2u x (u x v) */
    double v[3] = { k == 0, k == 1, k == 2 }, c[3], cc[3];
    for (int i = 0; i < 3; i++) {
      int a = (i + 1) % 3, b = (i + 2) % 3;
      c[i] = q[a] * v[b] - q[b] * v[a];
    }
    for (int i = 0; i < 3; i++) {
      int a = (i + 1) % 3, b = (i + 2) % 3;
      cc[i] = q[a] * c[b] - q[b] * c[a];
    }
    for (int i = 0; i < 3; i++)
      worst = fmax(worst, fabs(v[i] + 2 * q[3] * c[i] + 2 * cc[i] - r.m[i][k]));
  }
  return worst;
}

static void random_quat(double *q) {
  double length = 0;
  do {
    length = 0;
    for (int i = 0; i < 4; i++) q[i] = (double)case_random(-1, 1), length += q[i] * q[i];
  } while (length < 0.01 || length > 1);
  for (int i = 0; i < 4; i++) q[i] /= sqrt(length);
}

MU_TEST(euler_angles_give_the_rotation_back_in_every_order) {
  case_seed(1);
  for (int o = 0; o < ORDERS; o++) {
    si_euler_order order;
    MU_CHECK(si_order_parse(orders[o], &order));
    for (int i = 0; i < mu_rounds(2000); i++) {
      double q[4], angles[3];
      random_quat(q);
      si_order_angles(&order, q, angles);
      MU_NEAR(mismatch(orders[o], q, angles), 0, 1e-12);
    }
  }
}

MU_TEST(euler_middle_angle_stays_in_its_range) {
  case_seed(2);
  for (int o = 0; o < ORDERS; o++) {
    si_euler_order order;
    si_order_parse(orders[o], &order);
    for (int i = 0; i < mu_rounds(2000); i++) {
      double q[4], angles[3];
      random_quat(q);
      si_order_angles(&order, q, angles);
      double low = orders[o][0] == orders[o][2] ? 0 : -90;
      MU_CHECK(angles[1] >= low && angles[1] <= low + 180);
      MU_CHECK(fabs(angles[0]) <= 180 && fabs(angles[2]) <= 180);
    }
  }
}

MU_TEST(euler_angles_are_right_at_and_near_singular_orientations) {
  static const double middles[] = { 0, 90, 180, -90 }, hairs[] = { 0, 1e-9, 1e-6, 1e-3 };
  case_seed(3);
  for (int o = 0; o < ORDERS; o++)
    for (int i = 0; i < 4; i++)
      for (int h = 0; h < 4; h++) {
        si_euler_order order;
        si_order_parse(orders[o], &order);
        const double given[3] = { (double)case_random(-180, 180), middles[i] + hairs[h],
                                  (double)case_random(-180, 180) };
        double q[4], angles[3];
        si_order_quat(&order, given, q);
        MU_NEAR(mismatch(orders[o], q, given), 0, 1e-12);
        si_order_angles(&order, q, angles);
        MU_NEAR(mismatch(orders[o], q, angles), 0, 2e-7);
      }
}

MU_TEST(euler_order_accepts_exactly_twelve) {
  static const char *const wrong[] = { "", "x", "xy", "xyzx", "xxy", "xyy", "XYZ", "xya", "xwz" };
  si_euler_order order;
  MU_CHECK(!si_order_parse(NULL, &order));
  for (int i = 0; i < 9; i++) MU_CHECK_SAY(!si_order_parse(wrong[i], &order), "%s", wrong[i]);
  int good = 0;
  for (char a = 'x'; a <= 'z'; a++)
    for (char b = 'x'; b <= 'z'; b++)
      for (char c = 'x'; c <= 'z'; c++)
        good += si_order_parse((const char[]){ a, b, c, 0 }, &order);
  MU_INT(good, 12);
}

MU_SUITE(euler_order)
