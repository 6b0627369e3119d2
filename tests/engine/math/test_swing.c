/* The two angles of a swing against an exhaustive search, and the shortest arc. */
#include "cone_cases.h"
#include "math/angle.h"
#include "math/matrix.h"
#include "math/swing.h"

static void spin(const double *axis, double degrees, const double *v, double *dest) {
  double a = degrees * CASE_PI / 180, side[3], along = dot3(axis, v) * (1 - cos(a));
  cross3(axis, v, side);
  double r[3];
  for (int k = 0; k < 3; k++) r[k] = v[k] * cos(a) + side[k] * sin(a) + axis[k] * along;
  memcpy(dest, r, sizeof r);
}

/* the bone's direction at these angles */
static void swung(const si_swing *s, double a, double b, double *dest) {
  double x1[3], x2[3], v[3];
  widen3(s->axis[0], x1), widen3(s->axis[1], x2), widen3(s->bone, v);
  unit3(x1, x1), unit3(x2, x2), unit3(v, v);
  spin(x2, b - (double)s->rest[1], v, v);
  spin(x1, a - (double)s->rest[0], v, dest);
}

static double missed(const si_swing *s, double a, double b, const double *target) {
  double f[3];
  swung(s, a, b, f);
  return angle3(f, target);
}

static bool solve(si_swing *s, const float *target, const float *inputs, float *dest) {
  si_swing_prepare(s);
  return si_swing_solve(s, target, inputs, dest);
}

static si_swing roll_swing(dice *d) {
  si_swing s = { .idle = false };
  double x[3];
  for (int i = 0; i < 2; i++) {
    roll_unit(d, x);
    narrow3(x, s.axis[i]);
    s.min[i] = (float)roll(d, -200, 0);
    s.max[i] = s.min[i] + (float)roll(d, 20, 500);
    s.rest[i] = roll_int(d, 2) ? 0 : (float)roll(d, -90, 90);
  }
  roll_unit(d, x);
  narrow3(x, s.bone);
  return s;
}

/* The nearest in-range solution by a grid over the ranges, with descent from every local minimum of
 * the grid. Returns the smallest squared distance to the inputs, or a huge one. */
static double oracle_distance(const si_swing *s, const double *target, const double *inputs) {
  enum { grid = 60 };
  double low[2], step[2], best = 1e30;
  static double miss[grid + 1][grid + 1];
  for (int i = 0; i < 2; i++) {
    low[i] = (double)s->min[i];
    step[i] = ((double)s->max[i] - low[i]) / grid;
  }
  for (int i = 0; i <= grid; i++)
    for (int j = 0; j <= grid; j++)
      miss[i][j] = missed(s, low[0] + i * step[0], low[1] + j * step[1], target);
  for (int i = 0; i <= grid; i++)
    for (int j = 0; j <= grid; j++) {
      bool lowest = true;
      for (int p = -1; p <= 1; p++)
        for (int q = -1; q <= 1; q++)
          if (i + p >= 0 && i + p <= grid && j + q >= 0 && j + q <= grid)
            lowest = lowest && miss[i][j] <= miss[i + p][j + q];
      if (!lowest) continue;
      double at[2] = { low[0] + i * step[0], low[1] + j * step[1] }, here = miss[i][j];
      double reach[2] = { step[0], step[1] };
      for (int round = 0; round < 200 && here > 1e-7; round++) {
        bool moved = false;
        for (int move = 0; move < 8; move++) {
          static const int way[8][2] = { { 1, 0 }, { -1, 0 }, { 0, 1 },  { 0, -1 },
                                         { 1, 1 }, { -1, 1 }, { 1, -1 }, { -1, -1 } };
          double a = at[0] + way[move][0] * reach[0], b = at[1] + way[move][1] * reach[1];
          a = fmax(low[0], fmin((double)s->max[0], a));
          b = fmax(low[1], fmin((double)s->max[1], b));
          double there = missed(s, a, b, target);
          if (there < here) here = there, at[0] = a, at[1] = b, moved = true;
        }
        if (!moved) reach[0] *= 0.5, reach[1] *= 0.5;
      }
      if (here > 1e-5) continue;
      double da = at[0] - inputs[0], db = at[1] - inputs[1];
      best = fmin(best, da * da + db * db);
    }
  return best;
}

MU_SLOW_TEST(swing_angles_reach_the_direction_they_came_from) {
  dice d = { 41 };
  for (int i = 0; i < 100000; i++) {
    si_swing s = roll_swing(&d);
    double t[3];
    float target[3], out[2], in[2];
    swung(&s, roll(&d, (double)s.min[0], (double)s.max[0]),
          roll(&d, (double)s.min[1], (double)s.max[1]), t);
    narrow3(t, target);
    for (int k = 0; k < 2; k++) in[k] = (float)roll(&d, -300, 300);
    MU_CHECK(solve(&s, target, in, out));
    for (int k = 0; k < 2; k++) MU_CHECK(out[k] >= s.min[k] && out[k] <= s.max[k]);
    MU_NEAR(missed(&s, (double)out[0], (double)out[1], t), 0, 4e-5);
  }
}

MU_TEST(swing_takes_the_nearest_solution_in_range) {
  dice d = { 42 };
  int reached = 0, unreached = 0;
  for (int i = 0; i < mu_rounds(250); i++) {
    si_swing s = roll_swing(&d);
    double t[3], held[2];
    float target[3], out[2], in[2];
    roll_unit(&d, t);
    narrow3(t, target);
    for (int k = 0; k < 2; k++) {
      in[k] = (float)roll(&d, -300, 300);
      held[k] = (double)si_clamp(in[k], s.min[k], s.max[k]);
    }
    double expected = oracle_distance(&s, t, held);
    if (!solve(&s, target, in, out)) {
      unreached++;
      MU_CHECK_SAY(expected > 1e29, "a solution %g off was missed", sqrt(expected));
      continue;
    }
    reached++;
    double da = (double)out[0] - held[0], db = (double)out[1] - held[1];
    /* the search may miss a solution, but must not find a nearer one */
    MU_CHECK_SAY(sqrt(da * da + db * db) < sqrt(expected) + 0.05, "%g off, one %g off exists",
                 sqrt(da * da + db * db), sqrt(expected));
  }
  MU_CHECK(reached > mu_rounds(50) && unreached > mu_rounds(50));
}

MU_TEST(swing_stays_where_it_already_reaches) {
  dice d = { 43 };
  for (int i = 0; i < 20000; i++) {
    si_swing s = roll_swing(&d);
    float in[2], out[2], target[3];
    double t[3];
    for (int k = 0; k < 2; k++) in[k] = (float)roll(&d, (double)s.min[k], (double)s.max[k]);
    swung(&s, (double)in[0], (double)in[1], t);
    narrow3(t, target);
    MU_CHECK(solve(&s, target, in, out));
    MU_NEAR(missed(&s, (double)out[0], (double)out[1], t), 0, 2e-6);
    double da = (double)(out[0] - in[0]), db = (double)(out[1] - in[1]);
    /* where the two solutions nearly coincide, only half the digits of the angles are determined */
    MU_CHECK(sqrt(da * da + db * db) < 0.2);
  }
}

static si_swing plain(const float *x1, const float *x2, const float *bone) {
  si_swing s = { .min = { -180, -180 }, .max = { 180, 180 } };
  memcpy(s.axis[0], x1, sizeof s.axis[0]);
  memcpy(s.axis[1], x2, sizeof s.axis[1]);
  memcpy(s.bone, bone, sizeof s.bone);
  return s;
}

MU_TEST(swing_angle_without_effect_keeps_its_input) {
  /* the bone lies along the second axis */
  si_swing s = plain((float[]){ 1, 0, 0 }, (float[]){ 0, 0, 1 }, (float[]){ 0, 0, 1 });
  float out[2];
  MU_CHECK(solve(&s, (float[]){ 0, -0.6f, 0.8f }, (float[]){ 5, 77 }, out));
  MU_NEAR(out[0], atan2(0.6, 0.8) * 180 / CASE_PI, 1e-4);
  MU_NEAR(out[1], 77, 0);
  MU_CHECK(!solve(&s, (float[]){ 0.6f, 0, 0.8f }, (float[]){ 5, 77 }, out));
  /* the target lies along the first axis */
  s = plain((float[]){ 1, 0, 0 }, (float[]){ 0, 1, 0 }, (float[]){ 0, 0, 1 });
  MU_CHECK(solve(&s, (float[]){ 1, 0, 0 }, (float[]){ -33, 12 }, out));
  MU_NEAR(out[0], -33, 1e-5);
  MU_NEAR(out[1], 90, 0.05);
  MU_CHECK(solve(&s, (float[]){ -1, 0, 0 }, (float[]){ 33, 12 }, out));
  MU_NEAR(out[0], 33, 1e-5);
  MU_NEAR(out[1], -90, 0.05);
}

MU_TEST(swing_shifts_by_rest_angles_and_whole_turns) {
  si_swing s = plain((float[]){ 1, 0, 0 }, (float[]){ 0, 1, 0 }, (float[]){ 0, 0, 1 });
  s.rest[1] = 30;
  s.min[1] = 300, s.max[1] = 800;
  float out[2];
  /* 40 degrees about y are 70, 430 or 790 with this rest angle */
  const float target[3] = { sinf(40 * (float)SI_DEG), 0, cosf(40 * (float)SI_DEG) };
  MU_CHECK(solve(&s, target, (float[]){ 0, 350 }, out));
  MU_NEAR(out[1], 430, 1e-3);
  MU_CHECK(solve(&s, target, (float[]){ 0, 5000 }, out));
  MU_NEAR(out[1], 790, 1e-3);
  /* only the other solution remains: over the back, x by 180 and y by 140 */
  s.min[1] = 500, s.max[1] = 560;
  MU_CHECK(solve(&s, target, (float[]){ 0, 350 }, out));
  MU_NEAR(fabsf(out[0]), 180, 1e-3);
  MU_NEAR(out[1], 140 + 30 + 360, 1e-3);
  s.max[1] = 520;
  MU_CHECK(!solve(&s, target, (float[]){ 0, 350 }, out));
}

MU_TEST(swing_at_the_ends_of_the_ranges_is_in_range) {
  dice d = { 44 };
  for (int i = 0; i < 20000; i++) {
    si_swing s = roll_swing(&d);
    double t[3];
    float target[3], out[2];
    swung(&s, (double)(i & 1 ? s.min[0] : s.max[0]), (double)(i & 2 ? s.min[1] : s.max[1]), t);
    narrow3(t, target);
    MU_CHECK(solve(&s, target, (float[]){ 0, 0 }, out));
    MU_NEAR(missed(&s, (double)out[0], (double)out[1], t), 0, 4e-5);
  }
}

MU_TEST(swing_keeps_its_precision_where_solutions_coincide) {
  /* the target at the limit of what can be reached: both solutions coincide */
  dice d = { 45 };
  for (int i = 0; i < 20000; i++) {
    si_swing s = roll_swing(&d);
    for (int k = 0; k < 2; k++) s.min[k] = -400, s.max[k] = 400;
    double x1[3], x2[3], v[3], side[3], t[3];
    widen3(s.axis[0], x1), widen3(s.axis[1], x2), widen3(s.bone, v);
    /* b that lifts the bone highest over x1 */
    cross3(x2, v, side);
    double along = dot3(x2, v),
           off[3] = { v[0] - along * x2[0], v[1] - along * x2[1], v[2] - along * x2[2] };
    double b = atan2(dot3(x1, side), dot3(x1, off)) * 180 / CASE_PI + (double)s.rest[1];
    swung(&s, roll(&d, -180, 180), b, t);
    float target[3], out[2];
    narrow3(t, target);
    MU_CHECK(solve(&s, target, (float[]){ 0, 0 }, out));
    MU_NEAR(missed(&s, (double)out[0], (double)out[1], t), 0, 2e-6);
  }
}

MU_TEST(swing_about_parallel_axes_shares_the_angle) {
  for (int sign = -1; sign <= 1; sign += 2) {
    si_swing s = plain((float[]){ 0, 0, 1 }, (float[]){ 0, 0, (float)sign }, (float[]){ 1, 0, 0 });
    float out[2];
    const float target[3] = { cosf(50 * (float)SI_DEG), sinf(50 * (float)SI_DEG), 0 };
    MU_CHECK(solve(&s, target, (float[]){ 0, 0 }, out));
    MU_NEAR(out[0], 25, 1e-3);
    MU_NEAR(out[1], 25 * sign, 1e-3);
    s.max[0] = 10;
    MU_CHECK(solve(&s, target, (float[]){ 0, 0 }, out));
    MU_NEAR(out[0], 10, 1e-3);
    MU_NEAR(out[1], 40 * sign, 1e-3);
    s.min[1] = -20, s.max[1] = 20;
    MU_CHECK(!solve(&s, target, (float[]){ 0, 0 }, out));
    MU_CHECK(!solve(&s, (float[]){ 0, 0.6f, 0.8f }, (float[]){ 0, 0 }, out));
  }
}

MU_TEST(swing_is_corrected_by_the_shortest_arc_about_the_moved_origin) {
  dice d = { 46 };
  for (int i = 0; i < 20000; i++) {
    CGLM_ALIGN_MAT float m[16], out[16];
    double a[3], b[3], axis[3];
    float from[3], to[3], unit[3], turned[3];
    roll_unit(&d, a);
    roll_unit(&d, b);
    roll_unit(&d, axis);
    if (i % 4 == 0)
      for (int k = 0; k < 3; k++) b[k] = -a[k] + (i % 8 ? 0 : roll(&d, -1e-6, 1e-6));
    if (i % 4 == 1) memcpy(b, a, sizeof b);
    unit3(b, b);
    narrow3(a, from), narrow3(b, to), narrow3(axis, unit);
    si_mat_turn(unit, (float)roll(&d, -180, 180), m);
    m[12] = 3, m[13] = -4, m[14] = 5;
    si_swing_correct(m, from, to, out);
    MU_CHECK(si_mat_is_rigid(out, 1e-5f));
    for (int k = 12; k < 16; k++) MU_NEAR(out[k], m[k], 0);
    /* out = R m with R taking `from` to `to`, and no rotation is shorter */
    CGLM_ALIGN_MAT float inverse[16], r[16];
    si_mat_rotation_part(m, inverse);
    si_mat_inverse_rigid(inverse, inverse);
    si_mat_rotation_part(out, r);
    si_mat_mul(r, inverse, r);
    si_mat_direction(r, from, turned);
    double td[3], bd[3];
    widen3(turned, td), widen3(to, bd);
    MU_NEAR(angle3(td, bd), 0, 2e-6);
    double trace = (double)(r[0] + r[5] + r[10]);
    MU_NEAR((trace - 1) / 2, dot3(a, b), 1e-5);
  }
}

MU_SUITE(swing)
