/* Every kind of curve against a slow oracle: splines against one dense system in doubles,
 * derivatives against differences, ends, the three rules outside, and bad input. */
#include <sinew/curve.h>

#include "make.h"
#include "math/curve_internal.h"
#include "minunit.h"
#include "owned.h"

#include <float.h>

enum { most = 12 };

/* Gaussian elimination with pivoting; the solution ends up in the last column */
static void solve(int n, double *a) {
  int w = n + 1;
  for (int k = 0; k < n; k++) {
    int best = k;
    for (int i = k + 1; i < n; i++)
      if (fabs(a[i * w + k]) > fabs(a[best * w + k])) best = i;
    for (int j = 0; j < w; j++) {
      double t = a[k * w + j];
      a[k * w + j] = a[best * w + j], a[best * w + j] = t;
    }
    for (int i = 0; i < n; i++) {
      double f = i == k ? 0 : a[i * w + k] / a[k * w + k];
      for (int j = k; j < w && f != 0; j++) a[i * w + j] -= f * a[k * w + j];
    }
  }
  for (int i = 0; i < n; i++) a[i * w + n] /= a[i * w + i];
}

/* six times the leading coefficient of the cubic through four points */
static double third_of_four(const float *p) {
  double a[4 * 5];
  for (int i = 0; i < 4; i++) {
    double x = (double)p[2 * i] - (double)p[0];
    for (int k = 0; k < 4; k++) a[i * 5 + k] = pow(x, k);
    a[i * 5 + 4] = (double)p[2 * i + 1];
  }
  solve(4, a);
  return 6 * a[3 * 5 + 4];
}

/* all 4 (n - 1) coefficients of a cubic spline from its conditions, by one dense system */
static void dense_spline(const float *p, int n, bool simm, double *dest) {
  int size = 4 * (n - 1), w = size + 1, row = 0;
  static double a[4 * most * (4 * most + 1)];
  memset(a, 0, sizeof a);
  for (int i = 0; i < n - 1; i++) {
    double h = (double)p[2 * i + 2] - (double)p[2 * i];
    a[row * w + 4 * i] = 1, a[row++ * w + size] = (double)p[2 * i + 1];
    for (int k = 0; k < 4; k++) a[row * w + 4 * i + k] = pow(h, k);
    a[row++ * w + size] = (double)p[2 * i + 3];
    if (i == n - 2) continue;
    for (int k = 1; k < 4; k++) a[row * w + 4 * i + k] = k * pow(h, k - 1);
    a[row++ * w + 4 * i + 5] = -1;
    for (int k = 2; k < 4; k++) a[row * w + 4 * i + k] = k * (k - 1) * pow(h, k - 2);
    a[row++ * w + 4 * i + 6] = -2;
  }
  double h = (double)p[2 * n - 2] - (double)p[2 * n - 4];
  if (simm) {
    a[row * w + 3] = 6, a[row++ * w + size] = n > 3 ? third_of_four(p) : 0;
    a[row * w + size - 1] = 6, a[row++ * w + size] = n > 3 ? third_of_four(p + 2 * n - 8) : 0;
  } else {
    a[row++ * w + 2] = 2;
    a[row * w + size - 2] = 2, a[row * w + size - 1] = 6 * h;
  }
  solve(size, a);
  for (int i = 0; i < size; i++) dest[i] = a[i * w + size];
}

static int random_points(uint32_t *seed, float *p) {
  int n = 3 + make_index(seed, most - 3);
  float x = make_between(seed, -50, 0);
  for (int i = 0; i < n; i++) {
    p[2 * i] = x;
    p[2 * i + 1] = make_between(seed, -3, 3);
    x += make_between(seed, 2, 20);
  }
  return n;
}

static void check_spline(sinew_curve_kind kind) {
  uint32_t seed = 11;
  for (int round = 0; round < mu_rounds(400); round++) {
    float p[2 * most];
    double cubics[4 * most];
    int n = random_points(&seed, p);
    dense_spline(p, n, kind == SINEW_CURVE_SIMM, cubics);
    OWNED(curve) *c = make_curve(kind, SINEW_OUTSIDE_CLAMP, p, n);
    double off = 0, rate_off = 0;
    for (int i = 0; i < n - 1; i++)
      for (int k = 0; k <= 16; k++) {
        float x = p[2 * i] + (p[2 * i + 2] - p[2 * i]) * (float)k / 17, rate;
        double t = (double)x - (double)p[2 * i], *q = cubics + 4 * i;
        double y = (double)sinew_curve_eval(c, x, &rate);
        off = fmax(off, fabs(y - (q[0] + t * (q[1] + t * (q[2] + t * q[3])))));
        rate_off = fmax(rate_off, fabs((double)rate - (q[1] + t * (2 * q[2] + 3 * t * q[3]))));
      }
    MU_NEAR(off, 0, 1e-4);
    MU_NEAR(rate_off, 0, 1e-4);
  }
}

MU_TEST(spline_agrees_with_a_dense_system) { check_spline(SINEW_CURVE_SPLINE); }
MU_TEST(simm_agrees_with_a_dense_system) { check_spline(SINEW_CURVE_SIMM); }

MU_TEST(simm_meets_opensim_check_values) {
  static const float points[] = { -2.0944f,  -0.4226f,   -1.22173f, -0.4082f,   -0.523599f,
                                  -0.399f,   -0.349066f, -0.3976f,  -0.174533f, -0.3966f,
                                  0.159149f, -0.395264f, 2.0944f,   -0.396f };
  static const double check[][2] = {
    { -2.3, -0.425756793 }, { -1.5, -0.412795467 }, { -1.0, -0.404800040 }, { 0, -0.395820696 }
  };
  OWNED(curve) *c = make_curve(SINEW_CURVE_SIMM, SINEW_OUTSIDE_DEFAULT, points, 7);
  MU_INT(sinew_curve_describe(c).outside, SINEW_OUTSIDE_EXTEND);
  for (int i = 0; i < 4; i++)
    MU_NEAR(sinew_curve_eval(c, (float)check[i][0], NULL), check[i][1], 1e-6);
}

MU_TEST(simm_through_a_cubic_is_that_cubic) {
  float p[2 * 6];
  for (int i = 0; i < 6; i++) {
    float x = (float)(i * i) / 5 - 2;
    p[2 * i] = x, p[2 * i + 1] = 1 - x + 0.5f * x * x - 0.25f * x * x * x;
  }
  OWNED(curve) *c = make_curve(SINEW_CURVE_SIMM, SINEW_OUTSIDE_DEFAULT, p, 6);
  for (float x = -2; x < 3; x += 0.07f) {
    float rate;
    MU_NEAR(sinew_curve_eval(c, x, &rate), 1 - x + 0.5f * x * x - 0.25f * x * x * x, 2e-6);
    MU_NEAR(rate, -1 + x - 0.75f * x * x, 4e-6);
  }
}

MU_TEST(two_points_give_a_straight_line_in_every_kind) {
  static const float p[] = { 1, 10, 3, 4 };
  for (int kind = SINEW_CURVE_LINEAR; kind < SINEW_CURVE_KIND_COUNT; kind++) {
    if (kind == SINEW_CURVE_POLYNOMIAL) continue; /* it has no points */
    OWNED(curve) *c = MU_MADE(make_curve((sinew_curve_kind)kind, SINEW_OUTSIDE_CLAMP, p, 2));
    float rate;
    MU_NEAR(sinew_curve_eval(c, 1.5f, &rate), 8.5, 1e-6);
    MU_NEAR(rate, -3, 1e-6);
  }
}

MU_TEST(piecewise_is_linear_interpolation) {
  uint32_t seed = 3;
  for (int round = 0; round < mu_rounds(300); round++) {
    float p[2 * most];
    int n = random_points(&seed, p);
    OWNED(curve) *c = make_curve(SINEW_CURVE_PIECEWISE, SINEW_OUTSIDE_DEFAULT, p, n);
    for (int k = 0; k < 40; k++) {
      float x = make_between(&seed, p[0] - 5, p[2 * n - 2] + 5), rate,
            y = sinew_curve_eval(c, x, &rate);
      int i = 0;
      while (i < n - 2 && x >= p[2 * i + 2]) i++;
      double inside = fmin(fmax((double)x, (double)p[0]), (double)p[2 * n - 2]);
      double slope =
          ((double)p[2 * i + 3] - (double)p[2 * i + 1]) / ((double)p[2 * i + 2] - (double)p[2 * i]);
      MU_NEAR(y, (double)p[2 * i + 1] + slope * (inside - (double)p[2 * i]), 1e-5);
      MU_NEAR(rate, inside == (double)x ? slope : 0, 1e-5);
    }
  }
}

/* Fritsch and Carlson's conditions, checked from outside */
MU_TEST(monotone_never_overshoots_and_has_fritsch_carlson_slopes) {
  uint32_t seed = 5;
  for (int round = 0; round < mu_rounds(400); round++) {
    float p[2 * most], at[most];
    int n = random_points(&seed, p);
    if (round % 3 == 0) p[2 * (n / 2) + 1] = p[2 * (n / 2) - 1]; /* a flat piece */
    OWNED(curve) *c = make_curve(SINEW_CURVE_MONOTONE, SINEW_OUTSIDE_CLAMP, p, n);
    for (int i = 0; i < n; i++) sinew_curve_eval(c, p[2 * i], &at[i]);
    for (int i = 0; i < n - 1; i++) {
      float low = fminf(p[2 * i + 1], p[2 * i + 3]), high = fmaxf(p[2 * i + 1], p[2 * i + 3]);
      float sign = p[2 * i + 3] > p[2 * i + 1] ? 1.0f : -1.0f, before = p[2 * i + 1];
      for (int k = 0; k <= 20; k++) {
        float x = p[2 * i] + (p[2 * i + 2] - p[2 * i]) * (float)k / 20,
              y = sinew_curve_eval(c, x, NULL);
        MU_CHECK_SAY(y >= low - 2e-6f && y <= high + 2e-6f, "overshoots: %g", (double)y);
        MU_CHECK_SAY((y - before) * sign >= -2e-6f, "turns back at %g", (double)x);
        before = y;
      }
      double s =
          ((double)p[2 * i + 3] - (double)p[2 * i + 1]) / ((double)p[2 * i + 2] - (double)p[2 * i]);
      if (s == 0) {
        MU_NEAR(at[i], 0, 1e-6);
        MU_NEAR(at[i + 1], 0, 1e-6);
      } else {
        double a = (double)at[i] / s, b = (double)at[i + 1] / s;
        MU_CHECK(a * a + b * b < 9 * (1 + 1e-3) + 1e-3 / fabs(s));
      }
    }
  }
  /* away from the limiter the slope is the mean of the neighbouring secants; at an end, the one
   * secant */
  static const float gentle[] = { 0, 0, 1, 1, 2, 3, 4, 5 };
  OWNED(curve) *c = make_curve(SINEW_CURVE_MONOTONE, SINEW_OUTSIDE_CLAMP, gentle, 4);
  static const double slopes[] = { 1, 1.5, 1.5, 1 };
  for (int i = 0; i < 4; i++) {
    float rate;
    sinew_curve_eval(c, gentle[2 * i], &rate);
    MU_NEAR(rate, slopes[i], 1e-6);
  }
}

MU_TEST(every_kind_goes_through_its_points_exactly) {
  uint32_t seed = 21;
  for (int round = 0; round < mu_rounds(200); round++) {
    float p[2 * most];
    int n = random_points(&seed, p);
    for (int kind = SINEW_CURVE_PIECEWISE; kind < SINEW_CURVE_KIND_COUNT; kind++)
      if (kind != SINEW_CURVE_POLYNOMIAL)
        for (int outside = SINEW_OUTSIDE_CLAMP; outside <= SINEW_OUTSIDE_REPEAT; outside++) {
          OWNED(curve) *c = make_curve((sinew_curve_kind)kind, (sinew_outside)outside, p, n);
          for (int i = 0; i < n; i++) MU_NEAR(sinew_curve_eval(c, p[2 * i], NULL), p[2 * i + 1], 0);
        }
  }
}

MU_TEST(derivative_agrees_with_differences) {
  uint32_t seed = 9;
  for (int round = 0; round < mu_rounds(200); round++) {
    float p[2 * most];
    int n = random_points(&seed, p);
    for (int kind = SINEW_CURVE_PIECEWISE; kind < SINEW_CURVE_KIND_COUNT; kind++)
      if (kind != SINEW_CURVE_POLYNOMIAL)
        for (int outside = SINEW_OUTSIDE_CLAMP; outside <= SINEW_OUTSIDE_REPEAT; outside++) {
          OWNED(curve) *c = make_curve((sinew_curve_kind)kind, (sinew_outside)outside, p, n);
          float span = p[2 * n - 2] - p[0];
          for (int k = 0; k < 10; k++) {
            float x = make_between(&seed, p[0] - span, p[2 * n - 2] + span), h = 0.015625f, rate;
            sinew_curve_eval(c, x, &rate);
            bool near_point = false; /* differences across a corner are meaningless */
            for (int i = 0; i < n; i++)
              for (int turn = -1; turn <= 1; turn++)
                near_point |= fabsf(x - p[2 * i] - (float)turn * span) < 2 * h;
            if (near_point) continue;
            double up = (double)sinew_curve_eval(c, x + h, NULL),
                   down = (double)sinew_curve_eval(c, x - h, NULL);
            MU_NEAR(rate, (up - down) / (2 * (double)h), 1e-3);
            float above, below;
            sinew_curve_eval(c, x + h, &above);
            sinew_curve_eval(c, x - h, &below);
            double bend = ((double)above - (double)below) / (2 * (double)h);
            MU_NEAR(si_curve_bend(c, x), bend, 1e-2 + 1e-3 * fabs(bend));
          }
        }
  }
}

MU_TEST(derivative_at_a_corner_is_right_sided_and_left_sided_at_the_end) {
  static const float p[] = { 0, 0, 1, 1, 2, 4 };
  OWNED(curve) *c = make_curve(SINEW_CURVE_PIECEWISE, SINEW_OUTSIDE_CLAMP, p, 3);
  static const double slopes[] = { 1, 3, 3 };
  for (int i = 0; i < 3; i++) {
    float rate;
    sinew_curve_eval(c, (float)i, &rate);
    MU_NEAR(rate, slopes[i], 0);
  }
  float rate = 7;
  MU_NEAR(sinew_curve_eval(c, nextafterf(2, 3), &rate), 4, 0);
  MU_NEAR(rate, 0, 0);
}

MU_TEST(outside_clamps_extends_or_repeats) {
  static const float p[] = { 10, 1, 20, 5, 40, 2 };
  for (int kind = SINEW_CURVE_PIECEWISE; kind < SINEW_CURVE_KIND_COUNT; kind++) {
    if (kind == SINEW_CURVE_POLYNOMIAL) continue; /* it has no points */
    OWNED(curve) *clamp = make_curve((sinew_curve_kind)kind, SINEW_OUTSIDE_CLAMP, p, 3);
    OWNED(curve) *extend = make_curve((sinew_curve_kind)kind, SINEW_OUTSIDE_EXTEND, p, 3);
    OWNED(curve) *repeat = make_curve((sinew_curve_kind)kind, SINEW_OUTSIDE_REPEAT, p, 3);
    float first, last, rate;
    sinew_curve_eval(clamp, 10, &first);
    sinew_curve_eval(clamp, 40, &last);
    MU_NEAR(sinew_curve_eval(clamp, -1e30f, &rate), 1, 0);
    MU_NEAR(sinew_curve_eval(clamp, FLT_MAX, &rate), 2, 0);
    MU_NEAR(rate, 0, 0);
    MU_NEAR(sinew_curve_eval(extend, 3, &rate), 1 - 7 * first, 1e-5);
    MU_NEAR(rate, first, 1e-6);
    MU_NEAR(sinew_curve_eval(extend, 52, &rate), 2 + 12 * last, 1e-5);
    MU_NEAR(rate, last, 1e-6);
    for (int turn = -5; turn <= 5; turn++)
      for (float x = 10; x < 40; x += 1.25f) {
        if (turn == 1 && x == 10) continue; /* the last point itself is not outside */
        float want_rate, want = sinew_curve_eval(clamp, x, &want_rate);
        MU_NEAR(sinew_curve_eval(repeat, x + 30 * (float)turn, &rate), want, 0);
        MU_NEAR(rate, want_rate, 0);
      }
    MU_NEAR(sinew_curve_eval(repeat, 40, NULL), 2, 0);
    MU_NEAR(sinew_curve_eval(repeat, 70, NULL), 1, 0);
    for (float x = 1e3f; x < FLT_MAX / 4; x *= 11) {
      float up = sinew_curve_eval(repeat, x, NULL), down = sinew_curve_eval(repeat, -x, NULL);
      MU_CHECK(up >= 0.9f && up <= 6 && down >= 0.9f && down <= 6);
    }
  }
}

MU_TEST(polynomials_and_constants_have_value_and_slope) {
  static const float c[] = { 2, -1, 0.5f, 0.125f };
  sinew_curve_desc d = sinew_default_curve_desc();
  d.kind = SINEW_CURVE_POLYNOMIAL, d.coefficients = c, d.coefficient_count = 4;
  d.scale = 3, d.offset = -7;
  sinew_curve *curve = sinew_curve_create(&d, NULL);
  for (double x = -4; x < 4; x += 0.37) {
    float rate;
    MU_NEAR(sinew_curve_eval(curve, (float)x, &rate),
            -7 + 3 * (2 - x + 0.5 * x * x + 0.125 * x * x * x), 1e-5);
    MU_NEAR(rate, 3 * (-1 + x + 0.375 * x * x), 1e-5);
  }
  sinew_curve_destroy(curve);
  curve = make_constant(4.5f);
  float rate = 1;
  MU_NEAR(sinew_curve_eval(curve, 1e30f, &rate), 4.5, 0);
  MU_NEAR(rate, 0, 0);
  sinew_curve_destroy(curve);
}

/* a curve's value by its definition: interval by interval, with the ends apart */
static float plain_value(const sinew_curve *c, float x) {
  if (!c->points) {
    float value = 0;
    for (uint32_t i = c->coefficients; i-- > 0;) value = value * x + c->data[c->rows_at + i];
    return value;
  }
  const float *knots = si_curve_knots(c), *cubic = si_curve_cubics(c);
  uint32_t last = c->points - 1;
  if (c->outside == SINEW_OUTSIDE_REPEAT && (x < knots[0] || x > knots[last])) {
    float period = knots[last] - knots[0], phase = fmodf(x - knots[0], period);
    x = knots[0] + (phase < 0 ? phase + period : phase);
    if (!(x < knots[last])) x = knots[0];
  }
  int end = x >= knots[last];
  if (end || x < knots[0]) {
    float beyond = c->outside == SINEW_OUTSIDE_CLAMP ? 0 : x - knots[end ? last : 0];
    return c->end_value[end] + c->end_slope[end] * beyond;
  }
  uint32_t i = 0;
  while (i + 1 < last && x >= knots[i + 1]) i++;
  float t = x - knots[i];
  cubic += 4 * (size_t)i;
  return cubic[0] + t * (cubic[1] + t * (cubic[2] + t * cubic[3]));
}

/* on the points, next to them, between and far beyond; with as many points as need one compare,
 * two, or a search */
MU_TEST(quick_and_plain_curve_values_have_the_same_bits) {
  uint32_t seed = 77;
  int quick = 0, slow = 0;
  for (int round = 0; round < mu_rounds(600); round++) {
    float numbers[2 * 20];
    sinew_curve_desc d = sinew_default_curve_desc();
    d.kind = (sinew_curve_kind)make_index(&seed, SINEW_CURVE_KIND_COUNT);
    d.outside = (sinew_outside)make_index(&seed, 4);
    d.scale = make_between(&seed, -2, 2), d.offset = make_between(&seed, -9, 9);
    bool points = d.kind != SINEW_CURVE_CONSTANT && d.kind != SINEW_CURVE_POLYNOMIAL;
    int count = d.kind == SINEW_CURVE_LINEAR ? 2 : 2 + make_index(&seed, 18);
    for (int i = 0; i < count; i++) {
      numbers[2 * i] = (i ? numbers[2 * i - 2] : -40) + make_between(&seed, 0.01f, 9);
      numbers[2 * i + 1] = make_between(&seed, -90, 90);
    }
    if (points)
      d.points = numbers, d.point_count = count;
    else
      d.coefficients = numbers,
      d.coefficient_count = d.kind == SINEW_CURVE_CONSTANT ? 1 : 1 + make_index(&seed, 8);
    OWNED(curve) *c = MU_MADE(sinew_curve_create(&d, NULL));
    quick += c->quick, slow += !c->quick;
    for (int k = 0; k < 60; k++) {
      float x = make_between(&seed, -80, 80), at = numbers[2 * make_index(&seed, count)];
      if (k % 3 == 0) x = k % 2 ? at : nextafterf(at, k % 4 ? FLT_MAX : -FLT_MAX);
      if (k == 59) x = make_index(&seed, 2) ? 1e6f : -1e6f;
      float value = si_curve_value(c, x), public = sinew_curve_eval(c, x, NULL);
      float expected = plain_value(c, x);
      MU_CHECK(memcmp(&value, &expected, sizeof value) == 0 || (value == 0 && expected == 0));
      MU_CHECK(memcmp(&value, &public, sizeof value) == 0);
    }
    MU_CHECK(isnan(si_curve_value(c, NAN)) || d.kind == SINEW_CURVE_CONSTANT);
  }
  MU_CHECK(quick > 0 && slow > 0); /* otherwise nothing was tested */
}

MU_TEST(an_infinite_x_is_treated_as_the_largest_float) {
  static const float points[] = { -1, 4, 0, 5, 2, 9 }, flat[] = { 0, 3, 1, 3 };
  static const float coefficients[] = { 7, 0, 0, 0, 0, 0 };
  sinew_curve_desc d = sinew_default_curve_desc();
  d.points = points, d.point_count = 3, d.outside = SINEW_OUTSIDE_EXTEND;
  for (int round = 0; round < 4; round++) {
    if (round == 1) d.points = flat, d.point_count = 2;
    if (round == 2)
      d.kind = SINEW_CURVE_CONSTANT, d.coefficients = coefficients, d.coefficient_count = 1,
      d.points = NULL, d.point_count = 0;
    if (round == 3) d.kind = SINEW_CURVE_POLYNOMIAL, d.coefficient_count = 6;
    OWNED(curve) *c = MU_MADE(sinew_curve_create(&d, NULL));
    for (int sign = -1; sign <= 1; sign += 2) {
      float x = (float)sign * INFINITY, rate;
      float value = sinew_curve_eval(c, x, &rate), quick = si_curve_value(c, x);
      MU_CHECK(value == sinew_curve_eval(c, (float)sign * FLT_MAX, NULL) && quick == value);
      if (round == 0) MU_CHECK(value * (float)sign > 1e38f && rate == (sign < 0 ? 1 : 2));
      if (round == 1) MU_CHECK(value == 3 && rate == 0);
      if (round > 1) MU_CHECK(value == 7);
    }
  }
}

MU_TEST(scale_and_offset_act_on_the_result) {
  uint32_t seed = 2;
  for (int kind = SINEW_CURVE_PIECEWISE; kind < SINEW_CURVE_KIND_COUNT; kind++)
    if (kind != SINEW_CURVE_POLYNOMIAL)
      for (int outside = SINEW_OUTSIDE_CLAMP; outside <= SINEW_OUTSIDE_REPEAT; outside++) {
        float p[2 * most];
        sinew_curve_desc d = sinew_default_curve_desc();
        d.kind = (sinew_curve_kind)kind, d.outside = (sinew_outside)outside;
        d.points = p, d.point_count = random_points(&seed, p);
        OWNED(curve) *plain = sinew_curve_create(&d, NULL);
        d.scale = -2.5f, d.offset = 0.75f;
        OWNED(curve) *scaled = sinew_curve_create(&d, NULL);
        for (float x = -80; x < 200; x += 3.3f) {
          float a, b, y = sinew_curve_eval(plain, x, &a);
          MU_NEAR(sinew_curve_eval(scaled, x, &b), 0.75 - 2.5 * (double)y, 2e-4);
          MU_NEAR(b, -2.5 * (double)a, 1e-4);
        }
      }
}

MU_TEST(curve_describe_returns_what_was_given) {
  static const float p[] = { 0, 1, 2, 3 };
  sinew_curve_desc d = sinew_default_curve_desc();
  d.points = p, d.point_count = 2, d.outside = SINEW_OUTSIDE_REPEAT, d.scale = 2, d.offset = 3;
  OWNED(curve) *c = sinew_curve_create(&d, NULL);
  sinew_curve_desc back = sinew_curve_describe(c);
  MU_INT(back.kind, SINEW_CURVE_PIECEWISE);
  MU_INT(back.outside, SINEW_OUTSIDE_REPEAT);
  MU_INT(back.point_count, 2);
  MU_CHECK(back.points != p && memcmp(back.points, p, sizeof p) == 0);
  MU_NEAR(back.scale, 2, 0);
  MU_NEAR(back.offset, 3, 0);
  MU_TEXT(sinew_curve_kind_name(SINEW_CURVE_SIMM), "simm");
  MU_TEXT(sinew_curve_kind_name((sinew_curve_kind)77), "unknown");
  MU_TEXT(sinew_outside_name(SINEW_OUTSIDE_EXTEND), "extend");
}

static const char *refused(sinew_curve_desc d, sinew_status status) {
  static sinew_error e;
  OWNED(curve) *c = sinew_curve_create(&d, &e);
  bool right = !c && e.status == status && !sinew_curve_create(&d, NULL);
  return right ? e.text : "accepted, or with another status";
}

MU_TEST(bad_curves_are_refused_with_a_message) {
  static const float p[] = { 0, 1, 2, 3, 2, 5 }, back[] = { 0, 1, 2, 3, 1, 5 };
  static const float nan_y[] = { 0, 1, 2, NAN }, inf_x[] = { 0, 1, INFINITY, 2 };
  static const float steep[] = { 0, -3e38f, 1e-30f, 3e38f }, tall[] = { 0, 0, 1000, 3e38f };
  sinew_curve_desc d = sinew_default_curve_desc();
  MU_TEXT(refused(d, SINEW_ERR_VALUE), "piecewise curve: needs at least two points, has 0");
  d.points = p, d.point_count = 1;
  MU_TEXT(refused(d, SINEW_ERR_VALUE), "piecewise curve: needs at least two points, has 1");
  d.point_count = -4;
  MU_TEXT(refused(d, SINEW_ERR_VALUE), "piecewise curve: needs at least two points, has -4");
  d.point_count = 3;
  MU_TEXT(refused(d, SINEW_ERR_VALUE),
          "piecewise curve: point 3 at x = 2 does not come after x = 2");
  d.points = back, d.kind = SINEW_CURVE_SIMM;
  MU_TEXT(refused(d, SINEW_ERR_VALUE), "simm curve: point 3 at x = 1 does not come after x = 2");
  d.kind = SINEW_CURVE_LINEAR;
  MU_TEXT(refused(d, SINEW_ERR_VALUE),
          "linear curve: takes two points, has 3 (did you mean 'piecewise'?)");
  d.points = nan_y, d.point_count = 2;
  MU_TEXT(refused(d, SINEW_ERR_NOT_FINITE), "linear curve: point 2 is (2, nan)");
  d.points = inf_x;
  MU_TEXT(refused(d, SINEW_ERR_NOT_FINITE), "linear curve: point 2 is (inf, 2)");
  d.points = steep;
  MU_HAS(refused(d, SINEW_ERR_NOT_FINITE), "too steep or too large");
  d.points = tall, d.scale = 2;
  MU_HAS(refused(d, SINEW_ERR_NOT_FINITE), "too steep or too large");
  d.points = p, d.scale = NAN;
  MU_HAS(refused(d, SINEW_ERR_NOT_FINITE), "scale and offset must be finite");
  d.scale = 1, d.outside = (sinew_outside)9;
  MU_HAS(refused(d, SINEW_ERR_VALUE), "unknown rule 9");
  d.outside = SINEW_OUTSIDE_CLAMP, d.kind = (sinew_curve_kind)-1;
  MU_HAS(refused(d, SINEW_ERR_VALUE), "unknown kind -1");
  d.kind = SINEW_CURVE_SPLINE, d.coefficients = p, d.coefficient_count = 2;
  MU_TEXT(refused(d, SINEW_ERR_VALUE), "spline curve: takes points, not coefficients");
  d.kind = SINEW_CURVE_POLYNOMIAL;
  MU_TEXT(refused(d, SINEW_ERR_VALUE), "polynomial curve: takes coefficients, not points");
  d.point_count = 0, d.coefficient_count = 33;
  MU_TEXT(refused(d, SINEW_ERR_VALUE), "polynomial curve: needs 1 to 32 coefficients, has 33");
  d.kind = SINEW_CURVE_CONSTANT, d.coefficient_count = 2;
  MU_TEXT(refused(d, SINEW_ERR_VALUE), "constant curve: needs one coefficient, has 2");
  d.coefficients = nan_y + 3, d.coefficient_count = 1;
  MU_TEXT(refused(d, SINEW_ERR_NOT_FINITE), "constant curve: coefficient 1 is nan");
}

MU_SUITE(curve)
