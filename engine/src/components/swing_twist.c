/* swing_twist: takes a rigid matrix M apart into a twist about an axis a, then a swing:
 *
 *   M = swing * (rotation by `twist` about a)
 *
 * The swing is the smallest rotation that takes a to where M takes it, with M's translation. The
 * twist is from -180 to 180 degrees and jumps between the two. If M takes a to the opposite
 * direction any axis across a would do; a fixed one is taken, and near it swing and twist change
 * fast. Everywhere else both are continuous. */
#include "components/frames.h"

#include "components/catalog.h"

static size_t size(const sinew_setup *setup) {
  (void)setup;
  return sizeof(si_swing_twist_data);
}

static void setup(sinew_setup *setup, void *data) {
  si_swing_twist_data *d = data;
  double axis[3], e[3], f[3];
  si_wide(sinew_setup_numbers(setup, "axis"), axis);
  if (!si_wide_unit(axis, axis)) {
    sinew_setup_fail(setup, SINEW_ERR_VALUE, "'axis' has no length");
    return;
  }
  si_across(axis, e);
  si_wide_cross(axis, e, f);
  si_least_make(axis, &d->least);
  for (int i = 0; i < 3; i++) d->e[i] = (float)e[i], d->f[i] = (float)f[i];
}

static void eval(const sinew_node *node, float *values) {
  float *dest = sinew_node_out(node, values, 0);
  si_swing_twist_one(node, values);
  dest[3] = dest[7] = dest[11] = 0, dest[15] = 1;
}

static void turn(const float *m, const float *v, double *dest) {
  for (int i = 0; i < 3; i++)
    dest[i] = (double)m[i] * (double)v[0] + (double)m[4 + i] * (double)v[1] +
              (double)m[8 + i] * (double)v[2];
}

/* With h half way between a and b = M a, the swing takes e to e - 2 h (h.e), f likewise; so
 * cos(twist) = Se.Me and sin(twist) = Sf.Me. */
static sinew_status tangent(const sinew_node *node, const float *values, const sinew_rates *rates,
                            sinew_error *error) {
  (void)error;
  const si_swing_twist_data *d = node->data;
  const float *m = sinew_node_in(node, values, 0);
  const sinew_input_rates *in = &rates->inputs[0];
  double a[3], b[3], e[3], f[3], me[3], h[3], sum[3], apart[3];
  si_wide(d->least.from, a), si_wide(d->e, e), si_wide(d->f, f);
  turn(m, d->least.from, b), turn(m, d->e, me);
  for (int i = 0; i < 3; i++) sum[i] = a[i] + b[i], apart[i] = b[i] - a[i];
  double half = si_wide_length(sum), far = si_wide_length(apart), se_me = 0, sf_me = 0;
  bool opposite = half < 1e-6;
  if (opposite || !si_wide_unit(sum, h)) si_wide(d->least.side, h);
  double he = si_wide_dot(h, e), hf = si_wide_dot(h, f), h_me = si_wide_dot(h, me);
  se_me = si_wide_dot(e, me) - 2 * he * h_me, sf_me = si_wide_dot(f, me) - 2 * hf * h_me;
  for (uint32_t k = 0; k < in->count; k++) {
    const float *rate = in->rates + 16 * (size_t)k;
    float *swing = rates->outputs[0] + 16 * (size_t)in->columns[k];
    double b_rate[3], me_rate[3], h_rate[3], along;
    turn(rate, d->least.from, b_rate), turn(rate, d->e, me_rate);
    along = si_wide_dot(h, b_rate);
    for (int i = 0; i < 3; i++) h_rate[i] = opposite ? 0 : (b_rate[i] - along * h[i]) / half;
    for (int j = 0; j < 3; j++) {
      double w[3], one, two;
      si_wide(d->least.half[j], w);
      one = si_wide_dot(h, w), two = si_wide_dot(h_rate, w);
      for (int i = 0; i < 3; i++) swing[4 * j + i] += (float)(2 * (h_rate[i] * one + h[i] * two));
      swing[12 + j] += rate[12 + j];
    }
    double moved = si_wide_dot(h_rate, me) + si_wide_dot(h, me_rate);
    double c = si_wide_dot(e, me_rate) - 2 * (si_wide_dot(h_rate, e) * h_me + he * moved);
    double s = si_wide_dot(f, me_rate) - 2 * (si_wide_dot(h_rate, f) * h_me + hf * moved);
    rates->outputs[1][in->columns[k]] += (float)((se_me * s - sf_me * c) / SI_DEG);
    /* the angle is 2 atan2(|b - a|, |b + a|), with a kink where the swing is none or opposite */
    double angle = 0;
    if (far > 1e-6 && !opposite)
      angle =
          2 * (half * si_wide_dot(apart, b_rate) / far - far * along) / (half * half + far * far);
    rates->outputs[2][in->columns[k]] += (float)(angle / SI_DEG);
  }
  return SINEW_OK;
}

static const sinew_port_desc inputs[] = {
  { "matrix", SINEW_MATRIX, 0, 0, "", "what is taken apart; rotates and moves only" },
  { 0 },
};

static const sinew_port_desc outputs[] = {
  { "swing", SINEW_MATRIX, 0, 0, "", "the swing, with the matrix's translation" },
  { "twist", SINEW_SCALAR, 0, 0, "deg", "the rotation about the axis before it, -180 to 180" },
  { "angle", SINEW_SCALAR, 0, 0, "deg", "how far the swing tilts the axis, 0 to 180" },
  { 0 },
};

static const sinew_param_desc params[] = {
  { "axis", SINEW_PARAM_VECTOR, SINEW_PARAM_REQUIRED, .doc = "the axis of the twist",
    .mirror = "axis" },
  { 0 },
};

const sinew_component_class si_swing_twist = {
  .class_size = sizeof(sinew_component_class),
  .name = "swing_twist",
  .doc =
      "Takes a matrix apart into a twist about an axis, followed by a swing, the smallest rotation "
      "that tilts the axis: matrix = swing * twist. The twist jumps between -180 and 180, and "
      "swing and twist jump where the axis is tilted by 180 degrees.",
  .inputs = inputs,
  .outputs = outputs,
  .params = params,
  .size = size,
  .setup = setup,
  .eval = eval,
  .tangent = tangent,
  .without = SINEW_WITHOUT_VERIFY,
  .drawing = SINEW_DRAWN_NOT,
  .color = 0x7a3c9a,
  .kernel = SI_KERNEL_SWING_TWIST,
};
