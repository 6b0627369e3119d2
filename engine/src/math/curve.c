/* Curves of one scalar [Shao 2003, 4.2]: their coefficients, value and derivative.
 *
 * Each interval has y = a + t (b + t (c + t d)) with t = x - x(i). Natural splines and OpenSim's
 * SimmSpline solve for the second derivatives M: inside,
 *   h(i-1) M(i-1) + 2 (h(i-1) + h(i)) M(i) + h(i) M(i+1) = 6 (slope(i) - slope(i-1)),
 * at the ends M = 0 for the natural one, and for simm (M(1) - M(0)) / h(0) = 6 f[x0,x1,x2,x3], the
 * third derivative of the cubic through the four end points (Forsythe, Malcolm and Moler). Monotone
 * slopes are those of Fritsch and Carlson (1980). Everything is computed in doubles and stored as
 * floats. */
#include "math/curve_internal.h"

#include "base/alloc.h"
#include "base/budget_internal.h"
#include "base/error_internal.h"

#include <float.h>
#include <math.h>
#include <string.h>

enum { most_points = 1 << 20, most_coefficients = 32 };
_Static_assert(offsetof(sinew_curve, low) == SI_CURVE_ALIGN, "the fill ends with a line");

static const char *const kind_names[] = { "constant", "linear", "piecewise", "spline",
                                          "monotone", "simm",   "polynomial" };
_Static_assert(sizeof kind_names / sizeof *kind_names == SINEW_CURVE_KIND_COUNT, "a name each");

const char *sinew_curve_kind_name(sinew_curve_kind kind) {
  return (unsigned)kind < SINEW_CURVE_KIND_COUNT ? kind_names[kind] : "unknown";
}

const char *sinew_outside_name(sinew_outside outside) {
  static const char *const names[] = { "default", "clamp", "extend", "repeat" };
  return (unsigned)outside < 4 ? names[outside] : "unknown";
}

sinew_curve_desc sinew_default_curve_desc(void) {
  return (sinew_curve_desc){ .size = sizeof(sinew_curve_desc),
                             .kind = SINEW_CURVE_PIECEWISE,
                             .scale = 1.0f };
}

static bool has_points(sinew_curve_kind kind) {
  return kind != SINEW_CURVE_CONSTANT && kind != SINEW_CURVE_POLYNOMIAL;
}

static size_t fours(size_t count) { return (count + 3) / 4 * 4; }

/* where the points or coefficients are stored as they were given */
static size_t given_at(const sinew_curve *c) {
  return c->rows_at ? c->rows_at + 4 * ((size_t)c->points + 1) : c->coefficients;
}

size_t si_curve_bytes(const sinew_curve *c) {
  size_t floats = given_at(c) + (c->points ? 2 * (size_t)c->points : c->coefficients);
  return sizeof *c + floats * sizeof(float);
}

static sinew_status check_desc(const sinew_curve_desc *d, sinew_error *error) {
  if ((unsigned)d->kind >= SINEW_CURVE_KIND_COUNT)
    return si_fail(error, SINEW_ERR_VALUE, "curve: unknown kind %d", (int)d->kind);
  const char *name = kind_names[d->kind];
  if ((unsigned)d->outside > SINEW_OUTSIDE_REPEAT)
    return si_fail(error, SINEW_ERR_VALUE, "%s curve: unknown rule %d for outside its points", name,
                   (int)d->outside);
  if (!isfinite(d->scale) || !isfinite(d->offset))
    return si_fail(error, SINEW_ERR_NOT_FINITE, "%s curve: scale and offset must be finite", name);

  if (!has_points(d->kind)) {
    if (d->point_count)
      return si_fail(error, SINEW_ERR_VALUE, "%s curve: takes coefficients, not points", name);
    int most = d->kind == SINEW_CURVE_CONSTANT ? 1 : most_coefficients;
    if (d->coefficient_count < 1 || d->coefficient_count > most || !d->coefficients)
      return si_fail(error, SINEW_ERR_VALUE, "%s curve: needs %s, has %d", name,
                     most > 1 ? "1 to 32 coefficients" : "one coefficient", d->coefficient_count);
    for (int i = 0; i < d->coefficient_count; i++)
      if (!isfinite(d->coefficients[i]))
        return si_fail(error, SINEW_ERR_NOT_FINITE, "%s curve: coefficient %d is %g", name, i + 1,
                       (double)d->coefficients[i]);
    return SINEW_OK;
  }
  if (d->coefficient_count)
    return si_fail(error, SINEW_ERR_VALUE, "%s curve: takes points, not coefficients", name);
  if (d->point_count < 2 || !d->points)
    return si_fail(error, SINEW_ERR_VALUE, "%s curve: needs at least two points, has %d", name,
                   d->point_count);
  if (d->kind == SINEW_CURVE_LINEAR && d->point_count != 2)
    return si_fail(error, SINEW_ERR_VALUE,
                   "linear curve: takes two points, has %d (did you mean 'piecewise'?)",
                   d->point_count);
  if (d->point_count > most_points)
    return si_fail(error, SINEW_ERR_LIMIT, "%s curve: %d points are more than %d", name,
                   d->point_count, most_points);
  for (int i = 0; i < d->point_count; i++) {
    const float *p = d->points + 2 * i;
    if (!isfinite(p[0]) || !isfinite(p[1]))
      return si_fail(error, SINEW_ERR_NOT_FINITE, "%s curve: point %d is (%g, %g)", name, i + 1,
                     (double)p[0], (double)p[1]);
    if (i > 0 && !(p[0] > p[-2]))
      return si_fail(error, SINEW_ERR_VALUE,
                     "%s curve: point %d at x = %g does not come after x = %g", name, i + 1,
                     (double)p[0], (double)p[-2]);
  }
  return SINEW_OK;
}

static double width(const float *p, int i) { return (double)p[2 * i + 2] - (double)p[2 * i]; }
static double slope(const float *p, int i) {
  return ((double)p[2 * i + 3] - (double)p[2 * i + 1]) / width(p, i);
}

/* the third derivative of the cubic through four points from `p` on */
static double third_derivative(const float *p) {
  double first[3], second[2];
  for (int i = 0; i < 3; i++) first[i] = slope(p, i);
  for (int i = 0; i < 2; i++)
    second[i] = (first[i + 1] - first[i]) / ((double)p[2 * i + 4] - (double)p[2 * i]);
  return 6.0 * (second[1] - second[0]) / ((double)p[6] - (double)p[0]);
}

/* computes second derivatives at n points into m; `ratio` is scratch of n */
static void solve_spline(const float *p, int n, bool simm, double *m, double *ratio) {
  double first = 0, last = 0;
  if (simm && n > 3) {
    first = third_derivative(p) * width(p, 0);
    last = third_derivative(p + 2 * (n - 4)) * width(p, n - 2);
  }
  /* first row: M0 = 0, or M1 - M0 = first */
  ratio[0] = simm ? -1.0 : 0.0;
  m[0] = simm ? -first : 0.0;
  for (int i = 1; i < n - 1; i++) {
    double below = width(p, i - 1), above = width(p, i);
    double pivot = 2.0 * (below + above) - below * ratio[i - 1];
    ratio[i] = above / pivot;
    m[i] = (6.0 * (slope(p, i) - slope(p, i - 1)) - below * m[i - 1]) / pivot;
  }
  if (simm)
    m[n - 1] = (last + m[n - 2]) / (1.0 + ratio[n - 2]);
  else
    m[n - 1] = 0.0;
  for (int i = n - 2; i >= 0; i--) m[i] -= ratio[i] * m[i + 1];
}

static void spline_cubics(const float *p, int n, const double *m, double *cubics) {
  for (int i = 0; i < n - 1; i++) {
    double h = width(p, i), *c = cubics + 4 * i;
    c[0] = p[2 * i + 1];
    c[1] = slope(p, i) - h * (2.0 * m[i] + m[i + 1]) / 6.0;
    c[2] = m[i] / 2.0;
    c[3] = (m[i + 1] - m[i]) / (6.0 * h);
  }
}

/* computes slopes at n points so that the curve is monotone wherever the points are */
static void monotone_slopes(const float *p, int n, double *at) {
  at[0] = slope(p, 0);
  at[n - 1] = slope(p, n - 2);
  for (int i = 1; i < n - 1; i++) {
    double below = slope(p, i - 1), above = slope(p, i);
    at[i] = below * above <= 0 ? 0 : (below + above) / 2;
  }
  for (int i = 0; i < n - 1; i++) {
    double s = slope(p, i);
    if (s == 0) {
      at[i] = at[i + 1] = 0;
      continue;
    }
    double a = at[i] / s, b = at[i + 1] / s, square = a * a + b * b;
    if (square > 9) {
      double scale = 3 / sqrt(square);
      at[i] = scale * a * s;
      at[i + 1] = scale * b * s;
    }
  }
}

static void hermite_cubics(const float *p, int n, const double *at, double *cubics) {
  for (int i = 0; i < n - 1; i++) {
    double h = width(p, i), s = slope(p, i), *c = cubics + 4 * i;
    c[0] = p[2 * i + 1];
    c[1] = at[i];
    c[2] = (3 * s - 2 * at[i] - at[i + 1]) / h;
    c[3] = (at[i] + at[i + 1] - 2 * s) / (h * h);
  }
}

static void straight_cubics(const float *p, int n, double *cubics) {
  for (int i = 0; i < n - 1; i++) {
    cubics[4 * i] = p[2 * i + 1];
    cubics[4 * i + 1] = slope(p, i);
  }
}

static void fill_points(sinew_curve *c, const sinew_curve_desc *d, double *cubics,
                        double *scratch) {
  int n = d->point_count;
  switch (d->kind) {
  case SINEW_CURVE_SPLINE:
  case SINEW_CURVE_SIMM:
    if (n == 2) {
      straight_cubics(d->points, n, cubics);
    } else {
      solve_spline(d->points, n, d->kind == SINEW_CURVE_SIMM, scratch, scratch + n);
      spline_cubics(d->points, n, scratch, cubics);
    }
    break;
  case SINEW_CURVE_MONOTONE:
    monotone_slopes(d->points, n, scratch);
    hermite_cubics(d->points, n, scratch, cubics);
    break;
  default: straight_cubics(d->points, n, cubics); break;
  }
  float *knots = c->data + 1, *below = c->data + c->rows_at, *folded = below + 4;
  float *beyond = folded + 4 * (n - 1), *given = c->data + given_at(c);
  c->data[0] = d->points[0];
  for (int i = 0; i < (int)fours((size_t)n); i++) knots[i] = i < n ? d->points[2 * i] : NAN;
  for (int i = 0; i < 4 * (n - 1); i++)
    folded[i] = (float)((double)d->scale * cubics[i] + (i % 4 ? 0.0 : (double)d->offset));
  memcpy(given, d->points, 2 * (size_t)n * sizeof(float));

  const double *tail = cubics + 4 * (n - 2);
  double h = width(d->points, n - 2);
  c->end_value[0] = folded[0];
  c->end_slope[0] = folded[1];
  c->end_value[1] = (float)((double)d->scale * d->points[2 * n - 1] + (double)d->offset);
  c->end_slope[1] = (float)((double)d->scale * (tail[1] + h * (2 * tail[2] + 3 * h * tail[3])));
  bool clamps = c->outside == SINEW_OUTSIDE_CLAMP;
  below[0] = c->end_value[0], below[1] = clamps ? 0 : c->end_slope[0];
  beyond[0] = c->end_value[1], beyond[1] = clamps ? 0 : c->end_slope[1];
  c->count = (uint32_t)n;
  c->low = clamps ? knots[0] : -FLT_MAX;
  c->high = clamps ? knots[n - 1] : FLT_MAX;
  c->quick = c->outside != SINEW_OUTSIDE_REPEAT;
}

static void fill_coefficients(sinew_curve *c, const sinew_curve_desc *d) {
  for (uint32_t i = 0; i < c->coefficients; i++) {
    c->data[c->rows_at + i] = d->scale * d->coefficients[i] + (i ? 0 : d->offset);
    c->data[given_at(c) + i] = d->coefficients[i];
  }
  c->quick = c->rows_at > 0;
  for (uint32_t i = 1; c->quick && i < c->rows_at; i++) c->data[i] = NAN;
  c->count = 1;
  c->low = -FLT_MAX, c->high = FLT_MAX;
}

static bool is_finite(const sinew_curve *c) {
  size_t floats = (si_curve_bytes(c) - sizeof *c) / sizeof(float);
  size_t filled = c->rows_at ? 1 + c->points : 0; /* NaNs from there to the rows */
  bool ok = true;
  for (int end = 0; end < 2; end++)
    ok &= isfinite(c->end_slope[end]) && isfinite(c->end_value[end]);
  for (size_t i = 0; i < filled; i++) ok &= isfinite(c->data[i]) != 0;
  for (size_t i = c->rows_at; i < floats; i++) ok &= isfinite(c->data[i]) != 0;
  return ok;
}

sinew_curve *sinew_curve_create(const sinew_curve_desc *d, sinew_error *error) {
  sinew_error_clear(error);
  sinew_curve_desc whole = sinew_default_curve_desc();
  if (!SI_EXPECT(d) || !SI_TAKE_DESC(curve_desc, d, &whole, error)) return NULL;
  if (check_desc(d, error) != SINEW_OK) return NULL;
  sinew_curve head = {
    .kind = d->kind, .outside = d->outside, .scale = d->scale, .offset = d->offset
  };
  if (has_points(d->kind)) {
    head.points = (uint32_t)d->point_count;
    head.rows_at = 1 + (uint32_t)fours(head.points);
  } else
    head.coefficients = (uint32_t)d->coefficient_count;
  if (!head.points && head.coefficients <= 4) head.rows_at = 1 + 4;
  if (head.outside == SINEW_OUTSIDE_DEFAULT)
    head.outside = d->kind == SINEW_CURVE_SIMM ? SINEW_OUTSIDE_EXTEND : SINEW_OUTSIDE_CLAMP;

  sinew_curve *c = si_alloc(si_curve_bytes(&head));
  if (!c) return si_memory_null(error);
  *c = head;
  if (!si_work(6 * (size_t)head.points)) {
    si_free(c);
    return si_memory_null(error);
  }
  if (head.points) {
    size_t n = head.points;
    double *scratch = si_alloc_array(4 * (n - 1) + 2 * n, sizeof *scratch);
    if (!scratch) {
      si_free(c);
      return si_memory_null(error);
    }
    fill_points(c, d, scratch, scratch + 4 * (n - 1));
    si_free(scratch);
  } else {
    fill_coefficients(c, d);
  }
  if (!is_finite(c)) {
    si_free(c);
    si_fail(error, SINEW_ERR_NOT_FINITE, "%s curve: its %s are too %slarge for floats",
            kind_names[d->kind], head.points ? "points" : "coefficients",
            head.points ? "steep or too " : "");
    return NULL;
  }
  return c;
}

void sinew_curve_destroy(sinew_curve *curve) { si_free(curve); }

sinew_curve_desc sinew_curve_describe(const sinew_curve *c) {
  if (!SI_EXPECT(c)) return (sinew_curve_desc){ 0 };
  sinew_curve_desc d = {
    .size = sizeof d, .kind = c->kind, .outside = c->outside, .scale = c->scale, .offset = c->offset
  };
  if (c->points) {
    d.points = c->data + given_at(c);
    d.point_count = (int)c->points;
  } else {
    d.coefficients = c->data + given_at(c);
    d.coefficient_count = (int)c->coefficients;
  }
  return d;
}

static float polynomial_rate(const sinew_curve *c, float x) {
  float value = 0, rate = 0;
  for (uint32_t i = c->coefficients; i-- > 0;) {
    rate = rate * x + value;
    value = value * x + c->data[c->rows_at + i];
  }
  return rate;
}

/* the derivative of a curve with points; at the last point that of the interval before it */
static float points_rate(const sinew_curve *c, float x) {
  const float *knots = si_curve_knots(c), *rows = si_curve_rows(c);
  if (x < knots[0]) return rows[1];
  if (x > knots[c->points - 1]) return rows[4 * (size_t)c->points + 1];
  uint32_t i = si_curve_interval(c, x);
  const float *row = rows + 4 * ((size_t)i + 1);
  float t = x - knots[i];
  return row[1] + t * (2 * row[2] + t * 3 * row[3]);
}

/* x moved into the first period of a curve that repeats */
static float in_period(const sinew_curve *c, float x) {
  float first = si_curve_knots(c)[0], last = si_curve_knots(c)[c->points - 1];
  if (!(x < first || x > last)) return x;
  float period = last - first, phase = fmodf(x - first, period);
  if (phase < 0) phase += period;
  x = first + phase;
  return x < last ? x : first; /* rounding may reach the end, where the next period starts */
}

static float polynomial_bend(const sinew_curve *c, float x) {
  float bend = 0;
  for (uint32_t i = c->coefficients; i-- > 2;)
    bend = bend * x + (float)(i * (i - 1)) * c->data[c->rows_at + i];
  return bend;
}

float si_curve_bend(const sinew_curve *c, float x) {
  if (!c->points) return polynomial_bend(c, x);
  if (c->outside == SINEW_OUTSIDE_REPEAT) x = in_period(c, x);
  const float *knots = si_curve_knots(c);
  if (!(x >= knots[0] && x <= knots[c->points - 1])) return 0;
  uint32_t i = si_curve_interval(c, x);
  const float *row = si_curve_cubics(c) + 4 * (size_t)i;
  return 2 * row[2] + (x - knots[i]) * 6 * row[3];
}

float sinew_curve_eval(const sinew_curve *c, float x, float *derivative) {
  if (!SI_EXPECT(c)) return 0;
  if (c->points && c->outside == SINEW_OUTSIDE_REPEAT) x = in_period(c, x);
  if (derivative) *derivative = c->points ? points_rate(c, x) : polynomial_rate(c, x);
  return c->rows_at ? si_curve_quick(c, x)
                    : si_curve_polynomial_one(c, si_clamp(x, c->low, c->high));
}
