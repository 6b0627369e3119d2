/* The rotation component: one angle about an axis, with a centre for each interval of angles
 * [Shao 2003, 4.4, eq. 1].
 *
 * Let M(i) rotate by b(i) = clamp(a - a(i-1), 0, a(i) - a(i-1)) about the centre c(i). With
 * P(a) = M(n) ... M(1), the product of the paper's equation (1), the component gives
 * R(a) = P(a) P(r)^-1, which is the identity at the rest angle r. All M have the same axis, so
 * R(a) rotates by a - r, and within interval i translates by Rot(a - r) d(i) + c(i) with a constant
 * d(i). This file computes the constants; the formula is in components/kernels/rotation.h and
 * math/kernels/matrix.h. */
#include "components/rotation.h"

#include "base/alloc.h"
#include "math/rate.h"

#include <float.h>

static void axis_turn(const double *x, double degrees, double m[3][3]) {
  double s = sin(degrees * SI_DEG), c = cos(degrees * SI_DEG);
  for (int i = 0; i < 3; i++)
    for (int j = 0; j < 3; j++) m[i][j] = (1 - c) * x[i] * x[j] + (i == j) * c;
  for (int i = 0; i < 3; i++) {
    m[(i + 1) % 3][i] += s * x[(i + 2) % 3];
    m[i][(i + 1) % 3] -= s * x[(i + 2) % 3];
  }
}

static void apply(double m[3][3], const double *v, double *dest) {
  double r[3];
  for (int i = 0; i < 3; i++) r[i] = m[i][0] * v[0] + m[i][1] * v[1] + m[i][2] * v[2];
  for (int i = 0; i < 3; i++) dest[i] = r[i];
}

/* rotates the point t by `degrees` about centre c */
static void turn_point(const double *x, double degrees, const float *c, double *t) {
  double m[3][3], v[3];
  axis_turn(x, degrees, m);
  for (int i = 0; i < 3; i++) v[i] = t[i] - (double)c[i];
  apply(m, v, v);
  for (int i = 0; i < 3; i++) t[i] = v[i] + (double)c[i];
}

static int interval_count(const sinew_setup *setup) {
  int angles;
  sinew_setup_list(setup, "angles", &angles);
  return angles > 2 ? angles - 1 : 1;
}

size_t si_rotation_bytes(const sinew_setup *setup) {
  return sinew_turn_bytes(interval_count(setup));
}

size_t sinew_turn_bytes(int intervals) {
  return sizeof(sinew_turn) + (size_t)intervals * (sizeof(sinew_turn_move) + sizeof(float));
}

static bool check_angles(sinew_setup *setup, const float *angles, int count) {
  if (sinew_setup_has(setup, "angles") && count < 2) {
    sinew_setup_fail(setup, SINEW_ERR_VALUE, "'angles' needs at least two, has %d", count);
    return false;
  }
  for (int i = 1; i < count; i++)
    if (!(angles[i] > angles[i - 1])) {
      sinew_setup_fail(setup, SINEW_ERR_VALUE, "'angles' must rise: angle %d is %g after %g", i + 1,
                       (double)angles[i], (double)angles[i - 1]);
      return false;
    }
  return true;
}

/* the centres: one for each interval, or a single one for all; NULL if there is a mistake */
static const float *check_centres(sinew_setup *setup, int intervals, bool *each) {
  int count;
  const float *centres = sinew_setup_list(setup, "centres", &count);
  *each = sinew_setup_has(setup, "centres");
  if (*each && sinew_setup_has(setup, "centre")) {
    sinew_setup_fail(setup, SINEW_ERR_VALUE, "takes 'centre' or 'centres', not both");
    return NULL;
  }
  if (*each && count != intervals) {
    sinew_setup_fail(setup, SINEW_ERR_VALUE, "has %d centres for %d interval%s", count, intervals,
                     intervals == 1 ? "" : "s");
    return NULL;
  }
  return *each ? centres : sinew_setup_numbers(setup, "centre");
}

/* x is exactly antisymmetric, so that kernels can derive one half of the matrix from the other */
static void fill_columns(si_rotation_data *h, const double *x) {
  for (int col = 0; col < 3; col++)
    for (int row = 0; row < 3; row++) {
      double p = x[row] * x[col];
      h->p[4 * col + row] = (float)p;
      h->q[4 * col + row] = (float)((row == col) - p);
    }
  for (int k = 0; k < 3; k++) {
    int a = (k + 1) % 3, b = (k + 2) % 3;
    h->x[4 * a + b] = (float)x[k];
    h->x[4 * b + a] = -(float)x[k];
  }
}

/* p + cos q + sin x for the translation Rot(a - r) d + c */
static void fill_move(si_rotation_interval *move, const double *x, const double *d,
                      const float *c) {
  double along = x[0] * d[0] + x[1] * d[1] + x[2] * d[2];
  double cross[3] = { x[1] * d[2] - x[2] * d[1], x[2] * d[0] - x[0] * d[2],
                      x[0] * d[1] - x[1] * d[0] };
  for (int i = 0; i < 3; i++) {
    move->p[i] = (float)(x[i] * along + (double)c[i]);
    move->q[i] = (float)(d[i] - x[i] * along);
    move->x[i] = (float)cross[i];
  }
  move->p[3] = 1;
}

void si_rotation_setup(sinew_setup *setup, void *data) {
  si_rotation_data *h = data;
  int count, n = interval_count(setup);
  const float *angles = sinew_setup_list(setup, "angles", &count);
  float unit[3];
  bool each, good = check_angles(setup, angles, count);
  const float *centres = check_centres(setup, n, &each);
  if (!si_vec_unit(sinew_setup_numbers(setup, "axis"), unit)) {
    sinew_setup_fail(setup, SINEW_ERR_VALUE, "'axis' is zero");
    good = false;
  }
  if (!good || !centres) return;
  h->low = count ? angles[0] : -FLT_MAX;
  h->high = count ? angles[count - 1] : FLT_MAX;
  h->rest = sinew_setup_has(setup, "rest") ? sinew_setup_number(setup, "rest")
                                           : si_clamp(0, h->low, h->high);
  if (h->rest < h->low || h->rest > h->high) {
    sinew_setup_fail(setup, SINEW_ERR_VALUE, "'rest' is %g, outside %g to %g", (double)h->rest,
                     (double)h->low, (double)h->high);
    return;
  }
  h->intervals = (uint32_t)n;
  h->ends_at = (uint32_t)(sizeof *h + (size_t)n * sizeof *h->moves);
  float *ends = (float *)(void *)((char *)h + h->ends_at);
  for (int i = 0; i < n; i++) ends[i] = count ? angles[i + 1] : FLT_MAX;
  memcpy(h->axis, unit, sizeof unit);

  /* in doubles and normalised again, since a float axis is off by 1e-8 */
  const float *given = sinew_setup_numbers(setup, "axis");
  double x[3], length = 0;
  for (int i = 0; i < 3; i++) length += (double)given[i] * (double)given[i];
  for (int i = 0; i < 3; i++) x[i] = (double)given[i] / sqrt(length);
  fill_columns(h, x);

  /* P(r)^-1 takes the origin to o; the cumulative products carry it on, interval by interval */
  double o[3] = { 0, 0, 0 };
  for (int i = n - 1; i >= 0; i--) {
    double from = count ? (double)angles[i] : (double)h->rest;
    double to = count ? (double)angles[i + 1] : (double)h->rest;
    double b = fmin(fmax((double)h->rest - from, 0), to - from);
    turn_point(x, -b, centres + (each ? 3 * i : 0), o);
  }
  for (int i = 0; i < n; i++) {
    const float *c = centres + (each ? 3 * i : 0);
    double from = count ? (double)angles[i] : (double)h->rest;
    double m[3][3], d[3];
    /* within interval i: t = Rot(a - from)(o - c) + c = Rot(a - r) Rot(r - from)(o - c) + c */
    for (int k = 0; k < 3; k++) d[k] = o[k] - (double)c[k];
    axis_turn(x, from - (double)h->rest, m);
    double back[3][3];
    for (int r = 0; r < 3; r++)
      for (int k = 0; k < 3; k++) back[r][k] = m[k][r];
    apply(back, d, d);
    fill_move(&h->moves[i], x, d, c);
    if (count) turn_point(x, (double)angles[i + 1] - (double)angles[i], c, o);
  }
}

/* one interval: o = c + Rot(-rest)(0 - c) and back again, so that d = -c */
bool sinew_turn_make(const float axis[3], const float centre[3], float rest, float low, float high,
                     sinew_turn *dest) {
  float unit[3];
  if (!SI_EXPECT(axis && centre && dest)) return false;
  if (!si_vec_unit(axis, unit) || !(rest >= low && rest <= high)) return false;
  double x[3], d[3], length = 0;
  memset(dest, 0, sinew_turn_bytes(1));
  for (int i = 0; i < 3; i++) length += (double)axis[i] * (double)axis[i];
  for (int i = 0; i < 3; i++) x[i] = (double)axis[i] / sqrt(length);
  for (int i = 0; i < 3; i++) d[i] = -(double)centre[i];
  memcpy(dest->axis, unit, sizeof unit);
  dest->rest = rest, dest->low = low, dest->high = high;
  dest->intervals = 1;
  dest->ends_at = (uint32_t)(sizeof *dest + sizeof *dest->moves);
  *(float *)(void *)((char *)dest + dest->ends_at) = high;
  fill_columns(dest, x);
  fill_move(&dest->moves[0], x, d, centre);
  return true;
}

void sinew_turn_eval(const sinew_turn *t, float angle, float dest[16]) {
  if (SI_EXPECT(t && dest)) si_rotation_eval(t, angle, dest);
}

static const sinew_turn *turn_of(const void *data) { return data; }

static void eval(const sinew_node *node, float *values) {
  const si_rotation_data *h = node->data;
  float wanted = *sinew_node_in(node, values, 0),
        angle = si_rotation_angle_one(wanted, h->low, h->high);
  *sinew_node_hold(node, values, 0) = angle - wanted;
  si_rotation_eval(h, angle, sinew_node_out(node, values, 0));
}

static sinew_status tangent(const sinew_node *node, const float *values, const sinew_rates *rates,
                            sinew_error *error) {
  (void)error;
  /* a clamped angle does not change the result */
  if (values[node->hold] != 0) return SINEW_OK;
  CGLM_ALIGN_MAT float by_angle[16];
  si_rotation_rate(node->data, *sinew_node_in(node, values, 0), by_angle);
  si_rate_spread(rates, 0, by_angle, 0);
  return SINEW_OK;
}

static const sinew_port_desc inputs[] = {
  { "angle", SINEW_SCALAR, 0, 0, "deg", "how far to rotate" },
  { 0 },
};

static const sinew_port_desc outputs[] = {
  { "transform", SINEW_MATRIX, 0, 0, "", "the rotation about its moving centre" },
  { 0 },
};

static const sinew_param_desc params[] = {
  { "axis", SINEW_PARAM_VECTOR, SINEW_PARAM_REQUIRED | SINEW_PARAM_AXIS, .mirror = "axis",
    .doc = "the axis, in the segment's rest frame; any length except zero" },
  { "angles", SINEW_PARAM_NUMBERS, SINEW_PARAM_RANGE, .unit = "deg",
    .doc = "increasing ends of the intervals, a0 to an; without them the angle is unlimited" },
  { "centre", SINEW_PARAM_VECTOR, SINEW_PARAM_CENTRE, .mirror = "point", .unit = "m",
    .doc = "the centre of all intervals; the segment's origin unless given" },
  { "centres", SINEW_PARAM_VECTORS, SINEW_PARAM_CENTRE, .mirror = "points", .unit = "m",
    .doc = "a centre for each interval" },
  { "rest", SINEW_PARAM_NUMBER, SINEW_PARAM_REST_ANGLE, .unit = "deg",
    .doc = "the angle that does not rotate; 0, or the end of the range nearest to it" },
  { 0 },
};

static const sinew_hold_desc holds[] = { { "angle", "the rotation's range" }, { 0 } };

const sinew_component_class si_rotation = {
  .class_size = sizeof(sinew_component_class),
  .name = "rotation",
  .doc = "Turns about one axis, with a centre of rotation for each interval of the angle.",
  .inputs = inputs,
  .outputs = outputs,
  .params = params,
  .holds = holds,
  .size = si_rotation_bytes,
  .setup = si_rotation_setup,
  .eval = eval,
  .tangent = tangent,
  .without = SINEW_WITHOUT_VERIFY,
  .drawing = SINEW_DRAWN_AXIS,
  .color = 0x3a60a0,
  .turn = turn_of,
  .kernel = SI_KERNEL_ROTATION,
};
