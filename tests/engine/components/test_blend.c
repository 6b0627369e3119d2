/* blend against a slow method without quaternions or angles: the rotation halfway between two is
 * the rotation nearest to their sum, and bisecting 50 times gives the blend at any weight. Also its
 * derivative and the awkward cases. */
#include "components/catalog.h"

#include "make.h"
#include "minunit.h"
#include "owned.h"
#include "slopes.h"

#include <math.h>

typedef struct rigid {
  double m[3][3], t[3]; /* column-major */
} rigid;

/* the rotation nearest to m: repeats X = (X + X^-T) / 2 until it converges */
static void nearest_rotation(double m[3][3]) {
  for (int round = 0; round < 60; round++) {
    double c[3][3], det = 0, change = 0;
    for (int i = 0; i < 3; i++)
      for (int j = 0; j < 3; j++) {
        int i1 = (i + 1) % 3, i2 = (i + 2) % 3, j1 = (j + 1) % 3, j2 = (j + 2) % 3;
        c[i][j] = m[i1][j1] * m[i2][j2] - m[i1][j2] * m[i2][j1];
      }
    for (int j = 0; j < 3; j++) det += m[0][j] * c[0][j];
    for (int i = 0; i < 3; i++)
      for (int j = 0; j < 3; j++) {
        double next = 0.5 * (m[i][j] + c[i][j] / det);
        change = fmax(change, fabs(next - m[i][j]));
        m[i][j] = next;
      }
    if (change < 1e-16) return;
  }
}

static rigid slow_blend(rigid a, rigid b, double w) {
  rigid dest;
  double low = 0, high = 1;
  w = fmax(0, fmin(w, 1));
  for (int i = 0; i < 3; i++) dest.t[i] = (1 - w) * a.t[i] + w * b.t[i];
  for (int step = 0; step < 50; step++) {
    double half[3][3], middle = 0.5 * (low + high);
    for (int i = 0; i < 9; i++) half[i / 3][i % 3] = a.m[i / 3][i % 3] + b.m[i / 3][i % 3];
    nearest_rotation(half);
    memcpy(w < middle ? b.m : a.m, half, sizeof half);
    *(w < middle ? &high : &low) = middle;
  }
  memcpy(dest.m, w - low < high - w ? a.m : b.m, sizeof dest.m);
  return dest;
}

/* applies a rotation by an angle in radians about a unit axis to m */
static void turn_by(const double *u, double angle, double m[3][3]) {
  double s = sin(angle), c = cos(angle), turn[3][3], dest[3][3] = { { 0 } };
  for (int i = 0; i < 3; i++)
    for (int j = 0; j < 3; j++) turn[j][i] = (1 - c) * u[i] * u[j] + (i == j) * c;
  for (int k = 0; k < 3; k++) {
    turn[k][(k + 1) % 3] += s * u[(k + 2) % 3];
    turn[(k + 1) % 3][k] -= s * u[(k + 2) % 3];
  }
  for (int col = 0; col < 3; col++)
    for (int row = 0; row < 3; row++)
      for (int n = 0; n < 3; n++) dest[col][row] += m[n][row] * turn[col][n];
  memcpy(m, dest, sizeof dest);
}

static void random_axis(uint32_t *seed, double *dest) {
  float axis[3];
  double length = 0;
  make_axis(seed, axis);
  for (int i = 0; i < 3; i++) length += (double)axis[i] * (double)axis[i];
  for (int i = 0; i < 3; i++) dest[i] = (double)axis[i] / sqrt(length);
}

static rigid random_rigid(uint32_t *seed) {
  rigid r = { { { 1, 0, 0 }, { 0, 1, 0 }, { 0, 0, 1 } }, { 0 } };
  double u[3];
  random_axis(seed, u);
  turn_by(u, (double)make_between(seed, -3, 3), r.m);
  for (int i = 0; i < 3; i++) r.t[i] = (double)make_between(seed, -1, 1);
  return r;
}

/* a node of two matrices and a weight, its output, and its hold */
enum { at_a = 0, at_b = 16, at_weight = 32, at_out = 48, at_hold = 64 };
static const uint32_t ports[] = { at_a, at_b, at_weight, at_out };
static const sinew_node node = { .ports = ports, .input_count = 3, .output_count = 1, .hold = 64 };

static void put(rigid r, float *dest) {
  for (int col = 0; col < 4; col++)
    for (int row = 0; row < 3; row++)
      dest[4 * col + row] = (float)(col < 3 ? r.m[col][row] : r.t[row]);
  dest[3] = dest[7] = dest[11] = 0, dest[15] = 1;
}

static void blend(rigid a, rigid b, float w, float *values) {
  put(a, values + at_a);
  put(b, values + at_b);
  values[at_weight] = w;
  si_blend.eval(&node, values);
}

static double off(rigid r, const float *m) {
  double worst = 0;
  for (int col = 0; col < 4; col++)
    for (int row = 0; row < 3; row++)
      worst = fmax(worst, fabs((double)m[4 * col + row] - (col < 3 ? r.m[col][row] : r.t[row])));
  return worst;
}

MU_TEST(blend_agrees_with_bisection) {
  uint32_t seed = 11;
  for (int round = 0; round < mu_rounds(2000); round++) {
    _Alignas(32) float values[80];
    rigid a = random_rigid(&seed), b = random_rigid(&seed);
    float w = make_between(&seed, -0.5f, 1.5f), given = fmaxf(0, fminf(w, 1));
    blend(a, b, w, values);
    MU_NEAR(off(slow_blend(a, b, (double)w), values + at_out), 0, 1e-6);
    MU_NEAR(values[at_hold], given - w, 0);
    MU_NEAR(values[at_out + 15], 1, 0);
  }
}

MU_TEST(blend_is_right_in_awkward_cases) {
  static const double angles[] = { 0,    1e-9, 1e-7, 1e-5, 0.9e-4, 1.1e-4, 3e-4,  1e-2,
                                   1.57, 2,    3,    3.1,  3.13,   3.141,  3.1415 };
  static const float weights[] = { 0, 1e-7f, 0.25f, 0.5f, 0.75f, 1 - 1e-6f, 1 };
  uint32_t seed = 12;
  for (size_t i = 0; i < sizeof angles / sizeof *angles; i++)
    for (size_t k = 0; k < sizeof weights / sizeof *weights; k++) {
      _Alignas(32) float values[80];
      rigid a = random_rigid(&seed), b = a;
      double u[3];
      random_axis(&seed, u);
      turn_by(u, angles[i], b.m);
      blend(a, b, weights[k], values);
      /* near 180 degrees rounding of the matrices moves the axis by the rounding over the distance
       * to 180 */
      double close = 1e-6 + 2e-7 / fmax(3.14159265 - angles[i], 1e-3);
      MU_NEAR(off(slow_blend(a, b, (double)weights[k]), values + at_out), 0, close);
      if (weights[k] == 0) MU_CHECK(memcmp(values + at_out, values + at_a, 16 * 4) == 0);
    }
}

/* exactly opposite: a quarter of the half turn, about the axis that the file documents */
MU_TEST(blend_of_opposite_rotations_takes_the_documented_axis) {
  static const float axes[][3] = { { 1, 0, 0 }, { 0, 1, 0 },  { 0, 0, 1 },
                                   { 1, 1, 0 }, { 1, -1, 0 }, { 0, 1, -1 } };
  for (size_t i = 0; i < sizeof axes / sizeof *axes; i++) {
    _Alignas(32) float values[80] = { 0 };
    rigid one = { { { 1, 0, 0 }, { 0, 1, 0 }, { 0, 0, 1 } }, { 0 } }, quarter = one;
    double u[3], length = sqrt((double)(axes[i][0] * axes[i][0] + axes[i][1] * axes[i][1] +
                                        axes[i][2] * axes[i][2]));
    for (int n = 0; n < 3; n++) u[n] = (double)axes[i][n] / length;
    turn_by(u, 0.785398163397448, quarter.m);
    put(one, values + at_a);
    for (int col = 0; col < 3; col++)
      for (int row = 0; row < 3; row++)
        values[at_b + 4 * col + row] = (float)(2 * u[col] * u[row] - (col == row));
    values[at_weight] = 0.25f;
    si_blend.eval(&node, values);
    MU_NEAR(off(quarter, values + at_out), 0, 1e-6);
  }
}

/* moves a matrix along a body rate o and a velocity v, by the factor `by` */
static rigid moved(rigid r, const double *o, const double *v, double by) {
  double length = sqrt(o[0] * o[0] + o[1] * o[1] + o[2] * o[2]);
  double u[3] = { o[0] / length, o[1] / length, o[2] / length };
  turn_by(u, by * length, r.m);
  for (int i = 0; i < 3; i++) r.t[i] += by * v[i];
  return r;
}

static void rate_of(rigid r, const double *o, const double *v, float *dest) {
  memset(dest, 0, 16 * sizeof *dest);
  for (int col = 0; col < 3; col++) {
    int j = (col + 1) % 3, k = (col + 2) % 3;
    for (int row = 0; row < 3; row++)
      dest[4 * col + row] = (float)(r.m[j][row] * o[k] - r.m[k][row] * o[j]);
    dest[12 + col] = (float)v[col];
  }
}

MU_TEST(blend_derivative_agrees_with_bisection) {
  static const uint32_t column = 0;
  static const double angles[] = { 0, 1e-5, 0.5e-4, 2e-4, 0.3, 1.5, 2.5, 3.0 };
  uint32_t seed = 13;
  for (int round = 0; round < mu_rounds(400); round++) {
    _Alignas(32) float values[80], rates[3][16] = { { 0 } }, dest[16] = { 0 };
    rigid a = random_rigid(&seed), b = random_rigid(&seed);
    double o[2][3], v[2][3], u[3];
    if (round % 2) {
      b = a;
      random_axis(&seed, u);
      turn_by(u, angles[round / 2 % 8], b.m);
    }
    float w = round % 5 ? make_between(&seed, 0.05f, 0.95f) : round % 2 ? -0.25f : 1.25f;
    float dw = make_between(&seed, -1, 1);
    bool held = w < 0 || w > 1;
    for (int i = 0; i < 6; i++) {
      o[i / 3][i % 3] = (double)make_between(&seed, -1, 1);
      v[i / 3][i % 3] = (double)make_between(&seed, -1, 1);
    }
    blend(a, b, w, values);
    rate_of(a, o[0], v[0], rates[0]);
    rate_of(b, o[1], v[1], rates[1]);
    rates[2][0] = dw;
    const sinew_input_rates in[3] = { { 1, &column, rates[0] },
                                      { 1, &column, rates[1] },
                                      { 1, &column, rates[2] } };
    float *outputs[] = { dest };
    const sinew_rates all = { .count = 1, .inputs = in, .outputs = outputs };
    MU_INT(si_blend.tangent(&node, values, &all, NULL), SINEW_OK);
    const double step = 1e-4;
    rigid ends[2];
    for (int k = 0; k < 2; k++) {
      double by = k ? step : -step;
      ends[k] = slow_blend(moved(a, o[0], v[0], by), moved(b, o[1], v[1], by),
                           (double)w + by * (double)dw * !held);
    }
    rigid rate;
    for (int i = 0; i < 9; i++)
      rate.m[i / 3][i % 3] = (ends[1].m[i / 3][i % 3] - ends[0].m[i / 3][i % 3]) / (2 * step);
    for (int i = 0; i < 3; i++) rate.t[i] = (ends[1].t[i] - ends[0].t[i]) / (2 * step);
    MU_NEAR(off(rate, dest), 0, 2e-5);
  }
}

MU_TEST(blend_works_in_a_rig) {
  OWNED(builder) *b = sinew_builder_create("blend", NULL);
  sinew_add_dof(b, "w", NULL, -0.5f, 1.5f);
  sinew_add_dof(b, "p", NULL, -80, 80);
  sinew_add_dof(b, "q", NULL, -80, 80);
  sinew_add(b, "euler", "m",
            SINEW_WIRES(sinew_wire_name("first", "p"), sinew_wire_name("second", "q")), SINEW_NONE);
  sinew_add(b, "euler", "n",
            SINEW_WIRES(sinew_wire_name("second", "p"), sinew_wire_name("third", "q")), SINEW_NONE);
  sinew_add(b, "blend", "x",
            SINEW_WIRES(sinew_wire_name("a", "m"), sinew_wire_name("b", "n"),
                        sinew_wire_name("weight", "w")),
            SINEW_NONE);
  sinew_add(b, "blend", "y", SINEW_WIRES(sinew_wire_name("a", "m"), sinew_wire_name("b", "n")),
            SINEW_NONE);
  sinew_builder_drive(b, sinew_add_bone(b, SINEW_ROOT, "s", (sinew_vec3){ 0, 0, 0 }), "x", NULL,
                      NULL);
  sinew_builder_drive(b, make_segment(b, "t", "s", 0, 1, 0), "y", NULL, NULL);
  OWNED(rig) *rig = sinew_builder_compile(b, NULL);
  OWNED(pose) *pose = sinew_pose_create(rig, NULL);
  sinew_component x = sinew_rig_find_component(rig, "x", NULL);
  sinew_component y = sinew_rig_find_component(rig, "y", NULL);
  sinew_pose_set(pose, sinew_rig_dof(rig, 0), 0.5f, NULL);
  sinew_pose_set(pose, sinew_rig_dof(rig, 1), 30, NULL);
  MU_INT(sinew_pose_eval(pose, NULL), SINEW_OK);
  MU_CHECK(memcmp(sinew_pose_value(pose, x, 0), sinew_pose_value(pose, y, 0), 64) == 0);
  sinew_pose_set(pose, sinew_rig_dof(rig, 0), 1.25f, NULL);
  MU_INT(sinew_pose_eval(pose, NULL), SINEW_OK);
  sinew_hold hold;
  MU_INT(sinew_pose_holds(pose, &hold, 1), 1);
  MU_TEXT(hold.port, "weight");
  MU_NEAR(hold.amount, -0.25, 0);
  slopes_result r = slopes_at_random(rig, 5, 40, 2000);
  MU_CHECK(r.compared > 100);
  MU_CHECK_SAY(r.worst < 1e-3, "%g at %s", r.worst, r.where);
}

MU_SUITE(blend)
