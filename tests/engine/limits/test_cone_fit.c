/* Fitting reach cones to motion: cones are recovered from samples, outliers do not matter, and what
 * cannot be fitted is refused. */
#include "cone_cases.h"
#include "fixture.h"
#include "limits/cone_outline.h"
#include "owned.h"
#include "math/angle.h"
#include "scarce.h"

static void quat_mul(const double *p, const double *q, double *dest) {
  double r[4] = { p[3] * q[0] + p[0] * q[3] + p[1] * q[2] - p[2] * q[1],
                  p[3] * q[1] - p[0] * q[2] + p[1] * q[3] + p[2] * q[0],
                  p[3] * q[2] + p[0] * q[1] - p[1] * q[0] + p[2] * q[3],
                  p[3] * q[3] - p[0] * q[0] - p[1] * q[1] - p[2] * q[2] };
  memcpy(dest, r, sizeof r);
}

static void quat_about(const double *axis, double radians, double *dest) {
  for (int k = 0; k < 3; k++) dest[k] = axis[k] * sin(radians / 2);
  dest[3] = cos(radians / 2);
}

/* the shortest arc from `rest` to `d`, after a twist about `rest` */
static void sample_at(const double *rest, const double *d, double twist, float *dest) {
  double axis[3], arc[4], spin[4], q[4];
  cross3(rest, d, axis);
  if (length3(axis) > 1e-9) unit3(axis, axis);
  quat_about(axis, angle3(rest, d), arc);
  quat_about(rest, twist * CASE_PI / 180, spin);
  quat_mul(arc, spin, q);
  for (int k = 0; k < 4; k++) dest[k] = (float)q[k];
}

/* directions uniform over the cone, twists uniform between limits that depend on the direction */
static void draw(dice *d, const sinew_cone *cone, const double *rest, int count, float (*dest)[4]) {
  for (int i = 0; i < count;) {
    double l[3];
    float lf[3], limits[2] = { -30, 50 };
    roll_unit(d, l);
    narrow3(l, lf);
    if (!sinew_cone_inside(cone, lf, NULL)) continue;
    sinew_cone_twist(cone, lf, NULL, limits);
    sample_at(rest, l, roll(d, (double)limits[0], (double)limits[1]), dest[i++]);
  }
}

/* whether a sample is inside the cone and its twist limits, by the public functions only */
static bool holds(const sinew_cone *cone, const float *sample, double slack) {
  double q[4] = { (double)sample[0], (double)sample[1], (double)sample[2], (double)sample[3] };
  float rest[3], limits[2], d[3];
  double r[3], t[3], v[3];
  sinew_cone_rest(cone, rest);
  widen3(rest, r);
  cross3(q, r, t);
  for (int k = 0; k < 3; k++) t[k] *= 2;
  cross3(q, t, v);
  for (int k = 0; k < 3; k++) d[k] = (float)(r[k] + q[3] * t[k] + v[k]);
  if (!sinew_cone_inside(cone, d, NULL)) return false;
  double twist = 2 * atan2(dot3(q, r), q[3]) * 180 / CASE_PI;
  sinew_cone_twist(cone, d, NULL, limits);
  for (int turn = -2; turn <= 2; turn++)
    if (twist + 360 * turn >= (double)limits[0] - slack &&
        twist + 360 * turn <= (double)limits[1] + slack)
      return true;
  return false;
}

static float samples[12000][4];
static sinew_cone_fit_report report; /* of the last fit */

/* a plan for the first `count` samples, in a block without room for more */
static sinew_cone_fit plan(int count, const double *rest) {
  static float(*block)[4];
  free(block);
  block = malloc((size_t)count * sizeof *block);
  memcpy(block, samples, (size_t)count * sizeof *block);
  sinew_cone_fit fit = sinew_default_cone_fit();
  fit.samples = (const float(*)[4])block;
  fit.count = count;
  narrow3(rest, fit.rest);
  return fit;
}

/* fits a plan; gives the cone and its report */
static sinew_cone *fitted(const sinew_cone_fit *fit) {
  return sinew_cone_create_fit(fit, &report, &error);
}

/* directions uniform over a disc of this radius in radians about `middle`, twists uniform between
 * two limits */
static void draw_disc(dice *d, int count, const double *rest, const double *middle, double size,
                      double low, double high) {
  for (int i = 0; i < count; i++) {
    double l[3];
    place(middle, size * sqrt(roll(d, 0, 1)), roll(d, 0, 7), l);
    sample_at(rest, l, low < high ? roll(d, low, high) : 0, samples[i]);
  }
}

MU_SLOW_TEST(fit_recovers_the_cone_of_its_samples) {
  dice d = { 71 };
  enum { n = 12000 };
  for (int round = 0; round < (mu_rounds(20) < 20 ? 1 : 6); round++) {
    /* smooth, concave or round, from small to more than a hemisphere */
    cone_case c = make_case(&d, CASE_ROUND, 12);
    double size = 0.3 + 0.35 * round, v[3];
    widen3(c.visible, v);
    unit3(v, v);
    for (int i = 0; i < 12; i++) {
      double p[3];
      place(v, size * (1 + 0.3 * sin(i * CASE_PI / 2 + round)), 2 * CASE_PI * i / 12, p);
      narrow3(p, c.points[i]);
    }
    OWNED(cone) *truth = MU_MADE(build_case(&c, NULL));
    draw(&d, truth, v, n, samples);
    sinew_cone_fit fit = plan(n, v);
    OWNED(cone) *found = MU_MADE_OR(fitted(&fit), error.text);
    int kept = 0;
    for (int i = 0; i < n; i++) kept += holds(found, samples[i], 1e-3);
    MU_INT(report.samples, n);
    MU_CHECK(report.kept >= n * 99 / 100);
    MU_CHECK(abs(report.kept - kept) <= 2);
    MU_INT(report.kept + report.outside_swing + report.outside_twist, n);
    MU_NEAR(report.area, sinew_cone_area(found), 0);
    MU_NEAR((double)report.area / (double)sinew_cone_area(truth), 1, 0.15);
    MU_INT(report.points, sinew_cone_count(found));
    MU_CHECK_SAY(report.points <= 50, "%d points", report.points);
    MU_CHECK(report.unvisited < 0.1f);
    MU_CHECK(!report.rest_extended);
    /* the twist was uniform between -30 and 50 everywhere */
    float limits[2];
    sinew_cone_twist(found, c.visible, NULL, limits);
    MU_NEAR(limits[0], -30, 3);
    MU_NEAR(limits[1], 50, 3);
    free(c.points);
  }
}

MU_SLOW_TEST(fit_uses_fewer_points_for_a_larger_tolerance) {
  dice d = { 72 };
  enum { n = 6000 };
  double rest[3] = { 0, 0, 1 };
  draw_disc(&d, n, rest, rest, 0.8, 0, 0);
  int last = 1000;
  float tolerances[] = { 0.5f, 2, 8, 20 };
  for (int i = 0; i < 4; i++) {
    sinew_cone_fit fit = plan(n, rest);
    fit.tolerance = tolerances[i];
    OWNED(cone) *found = MU_MADE_OR(fitted(&fit), error.text);
    MU_CHECK_SAY(report.points < last, "%d points at %g, %d before", report.points,
                 (double)fit.tolerance, last);
    MU_CHECK(report.kept >= n * 99 / 100);
    last = report.points;
  }
  MU_CHECK(last <= 5);
}

MU_TEST(fit_drops_the_given_share_of_outliers) {
  dice d = { 73 };
  enum { n = 4000, wild = 16 };
  double rest[3] = { 0.6, 0, 0.8 };
  for (int i = 0; i < n + wild; i++) {
    double l[3];
    place(rest, i < n ? 0.5 * sqrt(roll(&d, 0, 1)) : roll(&d, 1.2, 2.2), roll(&d, 0, 7), l);
    sample_at(rest, l, i % 250 == 7 ? 150 : roll(&d, -20, 20), samples[i]);
  }
  double round_area = 2 * CASE_PI * (1 - cos(0.5));
  for (int all = 0; all < 2; all++) {
    sinew_cone_fit fit = plan(n + wild, rest);
    if (all) fit.share = 1;
    OWNED(cone) *found = MU_MADE_OR(fitted(&fit), error.text);
    float limits[2];
    sinew_cone_twist(found, fit.rest, NULL, limits);
    if (all) {
      MU_INT(report.kept, n + wild);
      MU_CHECK((double)report.area > 1.5 * round_area);
      MU_CHECK(limits[1] > 100);
      MU_CHECK(report.unvisited > 0.3f);
    } else {
      MU_CHECK(report.kept >= (n + wild) * 99 / 100);
      MU_NEAR((double)report.area / round_area, 1, 0.25);
      MU_CHECK_SAY(limits[1] < 40, "twist up to %g", (double)limits[1]);
    }
  }
}

MU_TEST(fit_reports_the_hull_of_the_samples) {
  /* a square of directions, whose hull is four great circles */
  dice d = { 74 };
  enum { n = 3000 };
  double rest[3] = { 0, 0, 1 };
  for (int i = 0; i < n; i++) {
    double l[3] = { roll(&d, -0.5, 0.5), roll(&d, -0.5, 0.5), 1 };
    if (i < 4) l[0] = i % 2 ? 0.5 : -0.5, l[1] = i / 2 ? 0.5 : -0.5;
    unit3(l, l);
    sample_at(rest, l, 0, samples[i]);
  }
  sinew_cone_fit fit = plan(n, rest);
  fit.share = 1;
  OWNED(cone) *found = MU_MADE_OR(fitted(&fit), error.text);
  /* the solid angle of a square pyramid */
  double expected = 4 * asin(sin(atan(0.5)) * sin(atan(0.5)));
  MU_NEAR(report.hull_area, expected, 1e-4);
  MU_CHECK(report.area > report.hull_area * 0.99f && report.area < report.hull_area * 1.3f);
}

MU_TEST(fit_reports_directions_that_were_never_visited) {
  /* a half disc and the neighbourhood of the rest direction; the bay between them is never visited
   */
  dice d = { 75 };
  enum { n = 5000 };
  double rest[3] = { 0, 1, 0 };
  for (int i = 0; i < n; i++) {
    double l[3];
    bool rim = i % 4 == 0;
    place(rest, rim ? roll(&d, 0.95, 1.0) : 0.3 * sqrt(roll(&d, 0, 1)), roll(&d, 0, 7), l);
    sample_at(rest, l, 0, samples[i]);
  }
  sinew_cone_fit fit = plan(n, rest);
  OWNED(cone) *found = MU_MADE_OR(fitted(&fit), error.text);
  /* of a disc of 60 degrees, only 20 to 50: whole rings of cells */
  double expected = (cos(20 * SI_DEG) - cos(50 * SI_DEG)) / (1 - cos(60 * SI_DEG));
  MU_NEAR(report.unvisited, expected, 0.08);
  double sum = 0;
  for (int i = 0; i < SINEW_FIT_SECTORS; i++) {
    MU_CHECK(report.sector_unvisited[i] > 0.4f && report.sector_unvisited[i] < 1);
    sum += (double)report.sector_unvisited[i];
  }
  MU_NEAR(sum / SINEW_FIT_SECTORS, (double)report.unvisited, 0.05);
}

MU_TEST(fit_handles_twists_across_180_degrees) {
  dice d = { 76 };
  enum { n = 2000 };
  double rest[3] = { 0, 0, 1 };
  draw_disc(&d, n, rest, rest, 0.6, -10, 250);
  sinew_cone_fit fit = plan(n, rest);
  fit.share = 1;
  OWNED(cone) *found = MU_MADE_OR(fitted(&fit), error.text);
  MU_INT(report.kept, n);
  float limits[2];
  sinew_cone_twist(found, fit.rest, NULL, limits);
  MU_NEAR(limits[0], -10, 4);
  MU_NEAR(limits[1], 250, 4);
  for (int i = 0; i < n; i++) MU_CHECK(holds(found, samples[i], 1e-3));
}

MU_TEST(fit_removes_the_swing_of_two_axes_from_the_twist) {
  dice d = { 77 };
  enum { n = 2000 };
  double rest[3] = { 0, 0, 1 }, x[3] = { 1, 0, 0 }, y[3] = { 0, 1, 0 };
  for (int i = 0; i < n; i++) {
    double a[4], b[4], t[4], q[4];
    quat_about(x, roll(&d, -0.9, 0.9), a);
    quat_about(y, roll(&d, -0.9, 0.9), b);
    quat_about(rest, roll(&d, -40, 15) * CASE_PI / 180, t);
    quat_mul(a, b, q);
    quat_mul(q, t, q);
    for (int k = 0; k < 4; k++) samples[i][k] = (float)(q[k] * (i % 2 ? 3 : -1));
  }
  sinew_cone_fit fit = plan(n, rest);
  fit.share = 1;
  float limits[2];
  for (int two = 0; two < 2; two++) {
    fit.two_axes = two;
    narrow3(x, fit.axes[0]);
    narrow3(y, fit.axes[1]);
    OWNED(cone) *found = MU_MADE_OR(fitted(&fit), error.text);
    MU_INT(report.kept, n);
    /* with the right swing the range is the same everywhere, with the wrong one wider in the
     * corners */
    float widest = 0;
    for (int i = 0; i < sinew_cone_count(found); i++) {
      sinew_cone_point_twist(found, i, limits);
      widest = fmaxf(widest, limits[1] - limits[0]);
    }
    MU_CHECK_SAY(two ? widest < 65 : widest > 65, "widest range %g", (double)widest);
  }
}

MU_TEST(fit_extends_to_the_rest_direction) {
  dice d = { 78 };
  enum { n = 1000 };
  double rest[3] = { 0, 0, 1 }, middle[3] = { 0.8, 0, 0.6 };
  draw_disc(&d, n, rest, middle, 0.3, 20, 40);
  sinew_cone_fit fit = plan(n, rest);
  OWNED(cone) *found = MU_MADE_OR(fitted(&fit), error.text);
  MU_CHECK(report.rest_extended);
  MU_CHECK(sinew_cone_inside(found, fit.rest, NULL));
  float limits[2];
  sinew_cone_twist(found, fit.rest, NULL, limits);
  MU_CHECK(limits[0] <= 0 && limits[1] >= 0);
}

MU_TEST(fit_of_three_samples_is_their_triangle) {
  double rest[3] = { 0, 0, 1 };
  for (int i = 0; i < 3; i++) {
    double l[3];
    place(rest, 0.5, 2 * CASE_PI * i / 3, l);
    sample_at(rest, l, 0, samples[i]);
  }
  sinew_cone_fit fit = plan(3, rest);
  OWNED(cone) *found = MU_MADE_OR(fitted(&fit), error.text);
  MU_INT(report.kept, 3);
  MU_CHECK(report.points >= 3 && report.points <= 8);
  MU_CHECK(report.hull_area > 0.2f && report.area > report.hull_area);
}

/* a plan with one change is refused with this status and message */
#define REFUSED(state, part, change)                                                               \
  do {                                                                                             \
    sinew_cone_fit fit = plan(n, rest);                                                            \
    change;                                                                                        \
    sinew_error_clear(&error);                                                                     \
    MU_REFUSED(sinew_cone_create_fit(&fit, &report, &error), part);                                \
    MU_INT(error.status, SINEW_ERR_##state);                                                       \
  } while (0)

MU_TEST(cone_fit_refuses_directions_that_make_no_cone) {
  dice d = { 79 };
  enum { n = 3000 };
  double rest[3] = { 0, 0, 1 }, x[3] = { 1, 0, 0 };
  for (int i = 0; i < n; i++) {
    double q[4];
    quat_about(x, roll(&d, 0, 2), q);
    for (int k = 0; k < 4; k++) samples[i][k] = (float)q[k];
  }
  REFUSED(VALUE, "that is a hinge", );
  for (int i = 0; i < n; i++) memcpy(samples[i], samples[0], sizeof samples[0]);
  REFUSED(VALUE, "one great circle", );
  for (int i = 0; i < n; i++) {
    double l[3];
    roll_unit(&d, l);
    sample_at(rest, l, 0, samples[i]);
  }
  REFUSED(VALUE, "no room is left", fit.share = 1);
  REFUSED(VALUE, "at least three samples are needed, not 2", fit.count = 2);
  REFUSED(VALUE, "the share is 0.5", fit.share = 0.5f);
  REFUSED(VALUE, "the share is", fit.share = NAN);
  REFUSED(VALUE, "the tolerance is 0", fit.tolerance = 0);
  REFUSED(VALUE, "the cell is 0.01", fit.cell = 0.01f);
  REFUSED(VALUE, "rest direction", fit.rest[2] = 0);
  REFUSED(VALUE, "axis 1 is zero", fit.two_axes = true);
  REFUSED(VALUE, "cannot swing the bone to the direction of sample 1",
          (fit.two_axes = true, fit.axes[0][2] = fit.axes[1][2] = 1));
  samples[17][2] = INFINITY;
  REFUSED(NOT_FINITE, "sample 18 is not finite", );
  memset(samples[17], 0, sizeof samples[17]);
  REFUSED(VALUE, "sample 18 is not a rotation", );
}

MU_TEST(fit_survives_every_failing_allocation) {
  dice d = { 80 };
  enum { n = 60 };
  double rest[3] = { 0, 0, 1 };
  draw_disc(&d, n, rest, rest, 0.5, 0, 0);
  sinew_cone_fit fit = plan(n, rest);
  size_t before = sinew_live_bytes();
  int failed = 0;
  bool made = false;
  for (int tries = 0; !made && tries < 40; tries++) {
    scarce_memory(tries);
    OWNED(cone) *cone = sinew_cone_create_fit(&fit, NULL, &error);
    failed += !cone && error.status == SINEW_ERR_MEMORY;
    made = cone;
  }
  plenty_of_memory();
  MU_CHECK(made);
  MU_CHECK(failed >= 10);
  MU_INT(sinew_live_bytes(), before);
}

/* against all subsets of borders and levels, for few borders */
static bool edge_fits(const double *inner, int n, double tolerance, int p, double from, int q,
                      double to) {
  int gone = (q - p + n) % n;
  double w = 2 * CASE_PI / n, span = (gone ? gone : n) * w;
  if (span > 170 * CASE_PI / 180) return false;
  for (int k = 1; k < (gone ? gone : n); k++) {
    int at = (p + k) % n;
    double height = (sin(span - k * w) / tan(from) + sin(k * w) / tan(to)) / sin(span);
    double polar = atan2(1, height);
    if (polar < inner[at] - 1e-9 || polar > inner[at] + tolerance + 1e-9) return false;
  }
  return true;
}

static int fewest_by_force(const double *inner, int n, double tolerance) {
  int best = n;
  int total = 1;
  for (int i = 0; i < n; i++) total *= 4;
  for (int code = 0; code < total; code++) {
    int borders[8], count = 0, rest = code;
    double polars[8];
    for (int i = 0; i < n; i++, rest /= 4)
      if (rest % 4) borders[count] = i, polars[count++] = inner[i] + tolerance * (rest % 4 - 1) / 2;
    if (count < 3 || count >= best) continue;
    bool fits = true;
    for (int i = 0; i < count && fits; i++) {
      int j = (i + 1) % count;
      fits = edge_fits(inner, n, tolerance, borders[i], polars[i], borders[j], polars[j]);
    }
    if (fits) best = count;
  }
  return best;
}

MU_TEST(fit_outline_has_the_fewest_points_there_can_be) {
  dice d = { 81 };
  int fewer = 0;
  for (int round = 0; round < mu_rounds(60); round++) {
    enum { n = 8 };
    double inner[n], tolerance = roll(&d, 0.02, 0.4);
    si_outline_point points[n];
    for (int i = 0; i < n; i++) inner[i] = roll(&d, 0.6, round % 2 ? 0.9 : 1.6);
    int found = si_outline_fewest(inner, n, tolerance, 3, points);
    MU_INT(found, fewest_by_force(inner, n, tolerance));
    for (int i = 0; i < found; i++) {
      const si_outline_point *p = &points[i], *q = &points[(i + 1) % found];
      MU_CHECK(i == 0 || p->border > points[i - 1].border);
      MU_CHECK(edge_fits(inner, n, tolerance, p->border, p->polar, q->border, q->polar));
    }
    fewer += found < n;
  }
  MU_CHECK(fewer > mu_rounds(20));
}

MU_SUITE(cone_fit)
