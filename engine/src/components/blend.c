/* blend: interpolates between two rigid matrices a and b, by a weight w from 0 to 1.
 *
 * The rotation takes the shorter way at a constant rate (slerp), the translation a straight line:
 *
 *   rot = rot(a) S,  S = exp(w log R),  R = rot(a)^T rot(b)
 *   translation = (1 - w) a + w b
 *
 * If R is a rotation by 180 degrees both ways are equally short, and the result jumps from one to
 * the other as R passes it; everywhere else it is continuous. At 180 degrees exactly, the axis is
 * the one whose first nonzero component is positive.
 *
 * The derivative is written with body rates, the vectors o of rot' = rot [o]x. Let u be the axis
 * and 2h the angle of R, and k = sin(w h) / sin(h). With o(R) = o(b) - R^T o(a), the body rate of S
 * is
 *
 *   w' 2h u + w (u.o) u + k (cos((1 - w) h) (o - (u.o) u) + sin((1 - w) h) u x o),  o = o(R),
 *
 * and the body rate of the result is that of S plus S^T o(a). */
#include "components/catalog.h"

#include "math/rate.h"
#include "math/wide.h"

enum { in_a, in_b, in_weight };

/* the rotation from a to b, and the part of it that the weight takes */
typedef struct between {
  double r[3][3], s[3][3]; /* R and S, rows first */
  double u[3], h, k;       /* axis of R, zero where R is the identity; half its angle; k above */
} between;

static double held_weight(const sinew_node *node, const float *values) {
  return (double)si_clamp(*sinew_node_in(node, values, in_weight), 0, 1);
}

/* the vector part of a rotation's quaternion; returns its scalar part. Starts from the largest
 * component */
static double quaternion(double r[3][3], double v[3]) {
  double trace = r[0][0] + r[1][1] + r[2][2];
  int i = r[1][1] > r[0][0] ? 1 : 0;
  if (r[2][2] > r[i][i]) i = 2;
  int j = (i + 1) % 3, k = (i + 2) % 3;
  double s, length;
  if (trace > r[i][i]) {
    s = 1 + trace;
    for (int n = 0; n < 3; n++) v[n] = r[(n + 2) % 3][(n + 1) % 3] - r[(n + 1) % 3][(n + 2) % 3];
  } else {
    v[i] = 1 + r[i][i] - r[j][j] - r[k][k];
    v[j] = r[j][i] + r[i][j];
    v[k] = r[k][i] + r[i][k];
    s = r[k][j] - r[j][k];
  }
  length = sqrt(v[0] * v[0] + v[1] * v[1] + v[2] * v[2] + s * s);
  bool back = s < 0;
  if (s == 0) {
    /* 180 degrees: the first component of the axis that is not 0 is positive */
    int first = 0;
    while (first < 2 && v[first] == 0) first++;
    back = v[first] < 0;
  }
  if (back) length = -length;
  for (int n = 0; n < 3; n++) v[n] /= length;
  return s / length;
}

static void find_between(const float *a, const float *b, double w, between *dest) {
  for (int i = 0; i < 3; i++)
    for (int j = 0; j < 3; j++) {
      dest->r[i][j] = 0;
      for (int n = 0; n < 3; n++) dest->r[i][j] += (double)a[4 * i + n] * (double)b[4 * j + n];
    }
  double v[3], scalar = quaternion(dest->r, v);
  double sine = sqrt(v[0] * v[0] + v[1] * v[1] + v[2] * v[2]), h = atan2(sine, scalar);
  dest->h = h;
  /* below 1e-4 the series is exact to the last bit */
  dest->k = h < 1e-4 ? w * (1 + (1 - w * w) * h * h / 6) : sin(w * h) / sine;
  for (int n = 0; n < 3; n++) dest->u[n] = sine > 0 ? v[n] / sine : 0;
  double c = cos(w * h), x = dest->k * v[0], y = dest->k * v[1], z = dest->k * v[2];
  const double s[3][3] = {
    { 1 - 2 * (y * y + z * z), 2 * (x * y - c * z), 2 * (x * z + c * y) },
    { 2 * (x * y + c * z), 1 - 2 * (x * x + z * z), 2 * (y * z - c * x) },
    { 2 * (x * z - c * y), 2 * (y * z + c * x), 1 - 2 * (x * x + y * y) },
  };
  memcpy(dest->s, s, sizeof s);
}

static void eval(const sinew_node *node, float *values) {
  const float *a = sinew_node_in(node, values, in_a), *b = sinew_node_in(node, values, in_b);
  float *dest = sinew_node_out(node, values, 0), wanted = *sinew_node_in(node, values, in_weight);
  double w = held_weight(node, values);
  between m;
  find_between(a, b, w, &m);
  for (int col = 0; col < 3; col++)
    for (int row = 0; row < 3; row++)
      dest[4 * col + row] =
          (float)((double)a[row] * m.s[0][col] + (double)a[4 + row] * m.s[1][col] +
                  (double)a[8 + row] * m.s[2][col]);
  for (int i = 12; i < 15; i++) dest[i] = (float)((1 - w) * (double)a[i] + w * (double)b[i]);
  dest[3] = dest[7] = dest[11] = 0, dest[15] = 1;
  *sinew_node_hold(node, values, 0) = (float)w - wanted;
}

/* the body rate of a rotation matrix, from its derivative */
static void body_rate(const float *m, const float *rate, double *dest) {
  for (int n = 0; n < 3; n++) {
    const float *p = m + 4 * ((n + 2) % 3), *q = m + 4 * ((n + 1) % 3);
    const float *dp = rate + 4 * ((n + 2) % 3), *dq = rate + 4 * ((n + 1) % 3);
    dest[n] = 0;
    for (int i = 0; i < 3; i++)
      dest[n] += 0.5 * ((double)p[i] * (double)dq[i] - (double)q[i] * (double)dp[i]);
  }
}

/* dest += sign * m^T v */
static void add_back(const double m[3][3], const double *v, double sign, double *dest) {
  for (int i = 0; i < 3; i++) dest[i] += sign * (m[0][i] * v[0] + m[1][i] * v[1] + m[2][i] * v[2]);
}

/* dest += the body rate of S that a body rate of R causes */
static void add_between(const between *m, double w, const double *o, double *dest) {
  const double *u = m->u;
  double along = u[0] * o[0] + u[1] * o[1] + u[2] * o[2];
  double c = m->k * cos((1 - w) * m->h), s = m->k * sin((1 - w) * m->h);
  for (int i = 0; i < 3; i++) {
    int j = (i + 1) % 3, k = (i + 2) % 3;
    dest[i] += w * along * u[i] + c * (o[i] - along * u[i]) + s * (u[j] * o[k] - u[k] * o[j]);
  }
}

/* dest += the derivative of the result, from its body rate and velocity */
static void add_rate(const float *result, const double *o, const double *velocity, float *dest) {
  for (int row = 0; row < 3; row++) {
    for (int col = 0; col < 3; col++) {
      int j = (col + 1) % 3, k = (col + 2) % 3;
      dest[4 * col + row] +=
          (float)((double)result[4 * j + row] * o[k] - (double)result[4 * k + row] * o[j]);
    }
    dest[12 + row] += (float)velocity[row];
  }
}

static sinew_status tangent(const sinew_node *node, const float *values, const sinew_rates *rates,
                            sinew_error *error) {
  (void)error;
  const float *a = sinew_node_in(node, values, in_a), *b = sinew_node_in(node, values, in_b);
  const float *result = values + node->ports[node->input_count];
  double w = held_weight(node, values);
  between m;
  find_between(a, b, w, &m);
  for (uint32_t input = 0; input < node->input_count; input++) {
    /* a weight that is clamped does not change the result */
    if (input == in_weight && values[node->hold] != 0) continue;
    const sinew_input_rates *in = &rates->inputs[input];
    for (uint32_t n = 0; n < in->count; n++) {
      double o[3] = { 0 }, r[3] = { 0 }, own[3], velocity[3];
      if (input == in_weight) {
        double rate = (double)in->rates[n];
        for (int i = 0; i < 3; i++) {
          o[i] = 2 * m.h * rate * m.u[i];
          velocity[i] = rate * ((double)b[12 + i] - (double)a[12 + i]);
        }
      } else {
        const float *rate = in->rates + 16 * (size_t)n;
        body_rate(input == in_a ? a : b, rate, own);
        if (input == in_a) {
          add_back(m.r, own, -1, r);
          add_back(m.s, own, 1, o);
        } else {
          memcpy(r, own, sizeof r);
        }
        add_between(&m, w, r, o);
        for (int i = 0; i < 3; i++)
          velocity[i] = (input == in_a ? 1 - w : w) * (double)rate[12 + i];
      }
      add_rate(result, o, velocity, rates->outputs[0] + 16 * (size_t)in->columns[n]);
    }
  }
  return SINEW_OK;
}

static const sinew_port_desc inputs[] = {
  { "a", SINEW_MATRIX, 0, 0, "", "the result at weight 0; a rotation and a translation only" },
  { "b", SINEW_MATRIX, 0, 0, "", "the result at weight 1; a rotation and a translation only" },
  { "weight", SINEW_SCALAR, SINEW_PORT_OPTIONAL, 0.5f, "", "how much of 'b', from 0 to 1" },
  { 0 },
};

static const sinew_port_desc outputs[] = {
  { "transform", SINEW_MATRIX, 0, 0, "", "the blend of the two" },
  { 0 },
};

static const sinew_hold_desc holds[] = { { "weight", "the range from 0 to 1" }, { 0 } };

const sinew_component_class si_blend = {
  .class_size = sizeof(sinew_component_class),
  .name = "blend",
  .doc = "Blends two matrices: the rotation along the shorter arc at a constant rate, the "
         "translation in a straight line. Rotations 180 degrees apart have two such arcs.",
  .inputs = inputs,
  .outputs = outputs,
  .holds = holds,
  .eval = eval,
  .tangent = tangent,
  .without = SINEW_WITHOUT_LANES | SINEW_WITHOUT_VERIFY | SINEW_WITHOUT_MIRROR,
  .drawing = SINEW_DRAWN_NOT,
  .color = 0x9a6a3c,
};
