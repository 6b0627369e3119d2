/* Builds a reach cone: the planes of its slices [Wilhelms 2001, eq. 1 and 2], the visible point
 * (3.1, 3.2), smoothing by stereographic projection (eq. 8 to 10), and the checks that make every
 * query safe.
 *
 * In the tangent plane of the sphere at V, each step of smoothing is
 *   q(i+1/2) = (q(i) + q(i+1))/2 + a(k) (q(i+1) - q(i-1)) + a(k) (q(i) - q(i+2)).
 * Everything is computed in doubles on points rounded to floats, so that the checks apply to
 * exactly what is stored. */
#include "base/alloc.h"
#include "limits/cone_internal.h"
#include "base/budget_internal.h"
#include "base/error_internal.h"
#include "math/angle.h"

#include <float.h>
#include <stdio.h>

#define TURN      (2 * 3.14159265358979323846)
#define ON_AXIS   1e-6 /* sine of the angle below which a point has no azimuth about V */
#define COINCIDE  1e-7 /* radians between neighbours */
#define TOO_CLOSE 1e-6 /* radians between V or rest and an edge */
#define NARROW    5e-3 /* radians of a slice; below, rounding exceeds 1/50000 of the weights */

typedef struct knot {
  double p[3];
  double twist[2];
} knot;

typedef struct outline {
  knot *knots;
  int count;
  double visible[3], rest[3];
  double visible_twist[2];
  bool has_twist;
  const char *stage; /* "", or the step of smoothing, for messages */
} outline;

/* makes v unit, with every coordinate rounded to a float; false if it has no direction */
static bool round_unit(const double *v, double *dest) {
  if (!si_wide_unit(v, dest)) return false;
  for (int k = 0; k < 3; k++) dest[k] = (double)(float)dest[k];
  return true;
}

/* the signed azimuth about V from p to q, in (-pi, pi] */
static double sweep(const double *visible, const double *p, const double *q) {
  double a[3], b[3];
  si_wide_cross(visible, p, a);
  si_wide_cross(visible, q, b);
  return atan2(si_wide_triple(visible, p, q) * si_wide_length(visible), si_wide_dot(a, b));
}

/* every edge faces V, and the edges go round it once */
static sinew_status check_star(const outline *o, sinew_error *error) {
  double turns = 0;
  int bad = -1, over = -1;
  for (int i = 0; i < o->count; i++) {
    const double *p = o->knots[i].p, *q = o->knots[(i + 1) % o->count].p;
    double b[3], s[3];
    si_wide_cross(o->visible, p, s);
    if (si_wide_length(s) < ON_AXIS)
      return si_fail(error, SINEW_ERR_VALUE, "reach cone%s: point %d lies %s the visible point",
                     o->stage, i + 1, si_wide_dot(o->visible, p) > 0 ? "on" : "opposite to");
    si_wide_cross(p, q, b);
    if (si_wide_length(b) < COINCIDE)
      return si_fail(error, SINEW_ERR_VALUE, "reach cone%s: points %d and %d %s", o->stage, i + 1,
                     (i + 1) % o->count + 1,
                     si_wide_dot(p, q) > 0 ? "coincide"
                                           : "are opposite: no arc between them is shortest");
    if (bad < 0 && !(si_wide_dot(o->visible, b) > TOO_CLOSE * si_wide_length(b))) bad = i;
    turns += sweep(o->visible, p, q) / TURN;
    if (over < 0 && turns > 1 + 1e-6) over = i;
  }
  if (turns < -0.5)
    return si_fail(error, SINEW_ERR_VALUE,
                   "reach cone%s: the points run clockwise about the visible point (edge %d is the "
                   "first); seen from outside they must run counter-clockwise: reverse their order",
                   o->stage, bad + 1);
  if (bad >= 0)
    return si_fail(error, SINEW_ERR_VALUE,
                   "reach cone%s: edge %d (from point %d to point %d) does not run "
                   "counter-clockwise about the visible point (%.4g %.4g %.4g): the cone is not "
                   "star-shaped about it",
                   o->stage, bad + 1, bad + 1, (bad + 1) % o->count + 1, o->visible[0],
                   o->visible[1], o->visible[2]);
  if (turns > 1.5)
    return si_fail(
        error, SINEW_ERR_VALUE,
        "reach cone%s: the boundary winds %d times about the visible point; edge %d (from "
        "point %d to point %d) begins another turn",
        o->stage, (int)lround(turns), over + 1, over + 1, (over + 1) % o->count + 1);
  return SINEW_OK;
}

/* the rest direction is inside; `*dest` is the slice that contains it */
static sinew_status check_rest(const outline *o, int *dest, sinew_error *error) {
  double on_axis[3];
  *dest = 0;
  si_wide_cross(o->visible, o->rest, on_axis);
  if (si_wide_length(on_axis) < 1e-12 && si_wide_dot(o->visible, o->rest) > 0) return SINEW_OK;
  for (int i = 0; i < o->count; i++) {
    const double *p = o->knots[i].p, *q = o->knots[(i + 1) % o->count].p;
    double b[3];
    if (si_wide_triple(o->visible, p, o->rest) < 0 || si_wide_triple(o->visible, q, o->rest) > 0)
      continue;
    si_wide_cross(p, q, b);
    double off = si_wide_dot(b, o->rest) / si_wide_length(b);
    *dest = i;
    if (off > TOO_CLOSE) return SINEW_OK;
    return si_fail(error, SINEW_ERR_VALUE,
                   "reach cone%s: the rest direction (%.4g %.4g %.4g) is %s edge %d (from point %d "
                   "to point %d); it must be inside",
                   o->stage, o->rest[0], o->rest[1], o->rest[2],
                   off < -COINCIDE ? "outside, beyond" : "on the boundary, at", i + 1, i + 1,
                   (i + 1) % o->count + 1);
  }
  return si_fail(error, SINEW_ERR_VALUE,
                 "reach cone%s: the rest direction is opposite to the visible point", o->stage);
}

static sinew_status check_twist_pair(const float *pair, const char *where, sinew_error *error) {
  if (!si_finite(pair, 2))
    return si_fail(error, SINEW_ERR_NOT_FINITE, "reach cone: the twist limits of %s are not finite",
                   where);
  if (pair[0] > pair[1])
    return si_fail(error, SINEW_ERR_VALUE,
                   "reach cone: the twist limits of %s: min %g is above max %g", where,
                   (double)pair[0], (double)pair[1]);
  return SINEW_OK;
}

/* one step: k points become 2k; a new point's twist limits are the mean of its neighbours' */
static void subdivide(outline *o, knot *spare) {
  static const double table[] = { .1667, .1036, .0850, .0773, .0700, .0625 };
  int k = o->count;
  double alpha = table[k < 8 ? k - 3 : 5];
  /* stereographic projection from -V, equation (8) for r = 1, minus V: vectors in the tangent
   * plane */
  for (int i = 0; i < k; i++) {
    const double *p = o->knots[i].p;
    double mu = 2 / (1 + si_wide_dot(o->visible, p));
    for (int c = 0; c < 3; c++)
      spare[i].p[c] = mu * p[c] - (1 - mu) * o->visible[c] - o->visible[c];
  }
  for (int i = k - 1; i >= 0; i--) {
    const double *before = spare[(i + k - 1) % k].p, *here = spare[i].p;
    const double *next = spare[(i + 1) % k].p, *after = spare[(i + 2) % k].p;
    double q[3], p[3];
    for (int c = 0; c < 3; c++)
      q[c] = (here[c] + next[c]) / 2 + alpha * (next[c] - before[c]) + alpha * (here[c] - after[c]);
    /* and back, equation (9) */
    double mu = 4 / (4 + si_wide_dot(q, q));
    for (int c = 0; c < 3; c++) p[c] = mu * (q[c] + o->visible[c]) - (1 - mu) * o->visible[c];
    knot fresh = { .twist = { 0, 0 } };
    round_unit(p, fresh.p);
    const double *t = o->knots[i].twist, *u = o->knots[i + 1 < k ? 2 * i + 2 : 0].twist;
    for (int c = 0; c < 2; c++) fresh.twist[c] = (t[c] + u[c]) / 2;
    o->knots[2 * i + 1] = fresh;
    if (i > 0) o->knots[2 * i] = o->knots[i];
  }
  o->count = 2 * k;
}

static void store(const double *v, float *dest) {
  for (int k = 0; k < 3; k++) dest[k] = (float)v[k];
}

static void store_unit_cross(const double *a, const double *b, double sign, si_cone_slice *slice,
                             int lane) {
  double n[3];
  si_wide_cross(a, b, n);
  double size = si_wide_length(n), scale = sign / size;
  float *sizes[3] = { slice->x + 3, slice->y + 3, slice->z + 3 };
  *sizes[lane] = (float)size;
  slice->x[lane] = (float)(n[0] * scale);
  slice->y[lane] = (float)(n[1] * scale);
  slice->z[lane] = (float)(n[2] * scale);
}

/* the azimuth frame starts at the first point; points are in order, so each sector is a contiguous
 * run */
static void store_sectors(const outline *o, sinew_cone *cone) {
  double e[2][3], up = si_wide_dot(o->visible, o->knots[0].p);
  for (int k = 0; k < 3; k++) e[0][k] = o->knots[0].p[k] - up * o->visible[k];
  double size = si_wide_length(e[0]);
  for (int k = 0; k < 3; k++) e[0][k] /= size;
  si_wide_cross(o->visible, e[0], e[1]);
  store(e[0], cone->azimuth[0]);
  store(e[1], cone->azimuth[1]);
  int sector = 0;
  for (int i = 1; i < o->count; i++) {
    const double *p = o->knots[i].p;
    int here = si_cone_sector((float)si_wide_dot(p, e[0]), (float)si_wide_dot(p, e[1]));
    while (sector < here) cone->sector[++sector] = i;
  }
  while (sector < SI_CONE_SECTORS) cone->sector[++sector] = o->count;
}

/* the greatest cosine between V and a point of the edge from p to q */
static double nearest_cosine(const double *v, const double *p, const double *q) {
  double b[3], foot[3], best = fmax(si_wide_dot(v, p), si_wide_dot(v, q));
  si_wide_cross(p, q, b);
  double up = si_wide_dot(b, v) / si_wide_dot(b, b);
  for (int k = 0; k < 3; k++) foot[k] = v[k] - up * b[k];
  bool over = si_wide_triple(b, p, foot) >= 0 && si_wide_triple(b, q, foot) <= 0;
  return over ? si_wide_length(foot) : best;
}

static sinew_cone *pack(const outline *o, int rest_slice) {
  size_t bytes = si_cone_size(o->count);
  size_t stride = ((size_t)o->count + SI_CONE_STRIDE - 1) / SI_CONE_STRIDE * SI_CONE_STRIDE;
  sinew_cone *cone = si_alloc(bytes);
  if (!cone) return NULL;
  cone->bytes = (uint32_t)bytes;
  cone->count = o->count;
  cone->stride = (int)stride;
  cone->rest_slice = rest_slice;
  cone->rest_is_visible = memcmp(o->visible, o->rest, sizeof o->rest) == 0;
  cone->has_twist = o->has_twist;
  store(o->visible, cone->visible);
  store(o->rest, cone->rest);
  store_sectors(o, cone);
  for (int c = 0; c < 2; c++)
    cone->sure_twist[c] = cone->visible_twist[c] = (float)o->visible_twist[c];

  double nearest = -1;
  si_cone_slice *slices = (si_cone_slice *)(void *)(cone + 1);
  float *coords = (float *)(void *)(slices + o->count), *twists = coords + 3 * stride;
  for (int i = 0; i < o->count; i++) {
    const knot *here = o->knots + i, *next = o->knots + (i + 1) % o->count;
    store_unit_cross(o->visible, here->p, 1, slices + i, 0);
    store_unit_cross(o->visible, next->p, -1, slices + i, 1);
    store_unit_cross(here->p, next->p, 1, slices + i, 2);
    for (int c = 0; c < 3; c++) coords[(size_t)c * stride + (size_t)i] = (float)here->p[c];
    for (int c = 0; c < 2; c++) twists[2 * i + c] = (float)here->twist[c];
    cone->sure_twist[0] = fmaxf(cone->sure_twist[0], twists[2 * i]);
    cone->sure_twist[1] = fminf(cone->sure_twist[1], twists[2 * i + 1]);
    nearest = fmax(nearest, nearest_cosine(o->visible, here->p, next->p));
    double volume = si_wide_triple(o->visible, here->p, next->p);
    double sizes = (double)(slices[i].x[3] < slices[i].y[3] ? slices[i].x[3] : slices[i].y[3]);
    if (volume < NARROW * sizes) cone->narrow = true;
  }
  cone->sure_cosine = (float)(nearest + 2e-6);
  cone->sure_twist[0] = o->has_twist ? cone->sure_twist[0] : -FLT_MAX;
  cone->sure_twist[1] = o->has_twist ? cone->sure_twist[1] : FLT_MAX;
  return cone;
}

static sinew_status read_direction(const float *v, const char *what, double *dest,
                                   sinew_error *error) {
  if (!si_finite(v, 3))
    return si_fail(error, SINEW_ERR_NOT_FINITE, "reach cone: the %s is not finite", what);
  if (!round_unit((double[]){ (double)v[0], (double)v[1], (double)v[2] }, dest))
    return si_fail(error, SINEW_ERR_VALUE, "reach cone: the %s has no direction: it is zero", what);
  return SINEW_OK;
}

static sinew_status read_twist(const sinew_cone_desc *desc, outline *o, sinew_error *error) {
  sinew_status status = SINEW_OK;
  o->has_twist = desc->twist || desc->has_visible_twist;
  if (desc->has_visible_twist)
    status = check_twist_pair(desc->visible_twist, "the visible point", error);
  if (status < 0 || !o->has_twist) return status;
  for (int i = 0; i < desc->count; i++) {
    const float *pair = desc->visible_twist;
    if (desc->twist) {
      char where[32];
      snprintf(where, sizeof where, "point %d", i + 1);
      pair = desc->twist[i];
      if ((status = check_twist_pair(pair, where, error)) < 0) return status;
    }
    for (int c = 0; c < 2; c++) {
      o->knots[i].twist[c] = (double)pair[c];
      o->visible_twist[c] += (double)pair[c] / desc->count;
    }
  }
  if (desc->has_visible_twist)
    for (int c = 0; c < 2; c++) o->visible_twist[c] = (double)desc->visible_twist[c];
  return SINEW_OK;
}

static sinew_status read_desc(const sinew_cone_desc *desc, outline *o, sinew_error *error) {
  double sum[3] = { 0, 0, 0 };
  sinew_status status;
  for (int i = 0; i < desc->count; i++) {
    char what[32];
    snprintf(what, sizeof what, "point %d", i + 1);
    if ((status = read_direction(desc->points[i], what, o->knots[i].p, error)) < 0) return status;
    for (int c = 0; c < 3; c++) sum[c] += o->knots[i].p[c];
  }
  o->count = desc->count;
  if ((status = read_direction(desc->rest, "rest direction", o->rest, error)) < 0) return status;
  memcpy(o->visible, o->rest, sizeof o->visible);
  if (desc->visible_from == SINEW_VISIBLE_GIVEN) {
    status = read_direction(desc->visible, "visible point", o->visible, error);
    if (status < 0) return status;
  }
  if (desc->visible_from == SINEW_VISIBLE_SUM &&
      (si_wide_length(sum) < 1e-6 || !round_unit(sum, o->visible)))
    return si_fail(
        error, SINEW_ERR_VALUE,
        "reach cone: the points add up to nothing, so that no visible point follows from "
        "them; give one");
  return read_twist(desc, o, error);
}

static sinew_status build(const sinew_cone_desc *desc, outline *o, knot *spare, sinew_cone **dest,
                          sinew_error *error) {
  int rest_slice = 0;
  char stage[64];
  sinew_status status = read_desc(desc, o, error);
  if (status < 0) return status;
  for (int step = 0; step <= desc->smooth; step++) {
    if (!si_work((size_t)o->count * 15)) return si_fail_memory(error);
    if (step > 0) {
      subdivide(o, spare);
      snprintf(stage, sizeof stage, " after step %d of %d of smoothing", step, desc->smooth);
      o->stage = stage;
    }
    if ((status = check_star(o, error)) < 0) return status;
    if ((status = check_rest(o, &rest_slice, error)) < 0) return status;
  }
  *dest = pack(o, rest_slice);
  return *dest ? SINEW_OK : si_fail_memory(error);
}

sinew_cone_desc sinew_default_cone_desc(void) {
  return (sinew_cone_desc){ .size = sizeof(sinew_cone_desc) };
}

sinew_cone_ellipse sinew_default_cone_ellipse(void) {
  return (sinew_cone_ellipse){ .size = sizeof(sinew_cone_ellipse), .points = 24 };
}

sinew_cone *sinew_cone_create(const sinew_cone_desc *desc, sinew_error *error) {
  sinew_cone_desc whole = sinew_default_cone_desc();
  if (!SI_EXPECT(desc) || !SI_TAKE_DESC(cone_desc, desc, &whole, error)) return NULL;
  if (desc->count < 3 || !desc->points)
    return si_fail_null(error, SINEW_ERR_VALUE,
                        "reach cone: at least three points are needed, not %d",
                        desc->points ? desc->count : 0);
  if (desc->smooth < 0)
    return si_fail_null(error, SINEW_ERR_VALUE,
                        "reach cone: %d steps of smoothing; 0 or more are needed", desc->smooth);
  if (desc->smooth > 16 || desc->count > SINEW_CONE_MAX_POINTS >> desc->smooth)
    return si_fail_null(error, SINEW_ERR_LIMIT,
                        "reach cone: %d points and %d steps of smoothing make more than %d points",
                        desc->count, desc->smooth, SINEW_CONE_MAX_POINTS);
  size_t most = (size_t)desc->count << desc->smooth;
  knot *knots = si_alloc_array(2 * most, sizeof(knot));
  if (!knots) return si_memory_null(error);
  outline o = { .knots = knots, .stage = "" };
  sinew_cone *cone = NULL;
  build(desc, &o, knots + most, &cone, error);
  si_free(knots);
  return cone;
}

sinew_cone *sinew_cone_create_ellipse(const sinew_cone_ellipse *ellipse, sinew_error *error) {
  sinew_cone_ellipse whole = sinew_default_cone_ellipse();
  if (!SI_EXPECT(ellipse) || !SI_TAKE_DESC(cone_ellipse, ellipse, &whole, error)) return NULL;
  double axis[3], right[3], up[3];
  if (read_direction(ellipse->rest, "rest direction", axis, error) < 0 ||
      read_direction(ellipse->right, "direction of azimuth 0", right, error) < 0)
    return NULL;
  si_wide_cross(axis, right, up);
  double size = si_wide_length(up);
  if (size < ON_AXIS)
    return si_fail_null(error, SINEW_ERR_VALUE,
                        "reach cone: the direction of azimuth 0 lies along the rest direction");
  for (int k = 0; k < 3; k++) up[k] /= size;
  si_wide_cross(up, axis, right);
  for (int k = 0; k < 4; k++)
    if (!(ellipse->degrees[k] > 0 && ellipse->degrees[k] < 180))
      return si_fail_null(
          error, SINEW_ERR_VALUE,
          "reach cone: half angle %d is %g degrees; it must be above 0 and below 180", k + 1,
          (double)ellipse->degrees[k]);
  if (ellipse->points < 3 || ellipse->points > SINEW_CONE_MAX_POINTS)
    return si_fail_null(error, SINEW_ERR_VALUE,
                        "reach cone: an ellipse of %d points; 3 to %d are allowed", ellipse->points,
                        SINEW_CONE_MAX_POINTS);

  float(*points)[3] = si_alloc_array((size_t)ellipse->points, sizeof *points);
  if (!points) return si_memory_null(error);
  for (int i = 0; i < ellipse->points; i++) {
    double at = TURN * i / ellipse->points, x = cos(at), y = sin(at);
    x *= (double)ellipse->degrees[x >= 0 ? 0 : 2] * SI_DEG;
    y *= (double)ellipse->degrees[y >= 0 ? 1 : 3] * SI_DEG;
    double off = hypot(x, y), c = cos(off), s = sin(off) / off;
    for (int k = 0; k < 3; k++)
      points[i][k] = (float)(c * axis[k] + s * (x * right[k] + y * up[k]));
  }
  sinew_cone_desc desc = sinew_default_cone_desc();
  desc.points = (const float(*)[3])points;
  desc.count = ellipse->points;
  store(axis, desc.rest);
  desc.has_visible_twist = ellipse->has_twist;
  memcpy(desc.visible_twist, ellipse->twist, sizeof desc.visible_twist);
  sinew_cone *cone = sinew_cone_create(&desc, error);
  si_free(points);
  return cone;
}

void sinew_cone_destroy(sinew_cone *cone) { si_free(cone); }

size_t sinew_cone_bytes(const sinew_cone *cone) { return SI_EXPECT(cone) ? cone->bytes : 0; }
int sinew_cone_count(const sinew_cone *cone) { return SI_EXPECT(cone) ? cone->count : 0; }

void sinew_cone_point(const sinew_cone *cone, int index, float dest[3]) {
  if (!SI_EXPECT(cone && dest && index >= 0 && index < cone->count)) return;
  for (int k = 0; k < 3; k++) dest[k] = si_cone_coords(cone, k)[index];
}

void sinew_cone_visible_point(const sinew_cone *cone, float dest[3]) {
  if (SI_EXPECT(cone && dest)) memcpy(dest, cone->visible, sizeof cone->visible);
}

void sinew_cone_rest(const sinew_cone *cone, float dest[3]) {
  if (SI_EXPECT(cone && dest)) memcpy(dest, cone->rest, sizeof cone->rest);
}

bool sinew_cone_point_twist(const sinew_cone *cone, int index, float dest[2]) {
  if (!SI_EXPECT(cone && dest && index >= -1 && index < cone->count)) return false;
  memcpy(dest, index < 0 ? cone->visible_twist : si_cone_twists(cone, index), 2 * sizeof *dest);
  return cone->has_twist;
}

float sinew_cone_area(const sinew_cone *cone) {
  if (!SI_EXPECT(cone)) return 0;
  const float *x = si_cone_coords(cone, 0), *y = si_cone_coords(cone, 1);
  const float *z = si_cone_coords(cone, 2), *v = cone->visible;
  double sum = 0;
  for (int i = 0; i < cone->count; i++) {
    int j = si_cone_next(cone, i);
    sum += si_wide_solid_angle((double[]){ (double)v[0], (double)v[1], (double)v[2] },
                               (double[]){ (double)x[i], (double)y[i], (double)z[i] },
                               (double[]){ (double)x[j], (double)y[j], (double)z[j] });
  }
  return (float)sum;
}
