/* euler: three angles and an axis order to a matrix, in list order: 'xyz' is Rx Ry Rz. */
#include "components/euler_axes.h"

#include "components/catalog.h"
#include "math/rate.h"

static const char *const orders[] = { "xyz", "xzy", "yxz", "yzx", "zxy", "zyx", "xyx",
                                      "xzx", "yxy", "yzy", "zxz", "zyz", NULL };

static size_t size(const sinew_setup *setup) {
  (void)setup;
  return sizeof(si_euler_axes);
}

static void setup(sinew_setup *setup, void *data) {
  const char *order = orders[sinew_setup_choice(setup, "order")];
  for (int i = 0; i < 3; i++) ((si_euler_axes *)data)->axis[i] = order[i] - 'x';
}

/* m = m * rotation about a coordinate axis: two columns mix, the third stays */
static void turn(float *m, int axis, float cosine, float sine) {
  float *a = m + 4 * ((axis + 1) % 3), *b = m + 4 * ((axis + 2) % 3);
  si_v4 c = si_all(cosine), s = si_all(sine), p = si_load(a), q = si_load(b);
  si_store(a, c * p + s * q);
  si_store(b, c * q - s * p);
}

static void turn_all(const sinew_node *node, const float *values, si_v4 *cosine, si_v4 *sine) {
  si_v4 degrees = { *sinew_node_in(node, values, 0), *sinew_node_in(node, values, 1),
                    *sinew_node_in(node, values, 2), 0 };
  if (si_turns_far(degrees)) degrees = si_unwind(degrees);
  si_sincos_four(degrees, sine, cosine);
}

static void eval(const sinew_node *node, float *values) {
  const si_euler_axes *order = node->data;
  float *dest = sinew_node_out(node, values, 0);
  si_v4 c, s;
  turn_all(node, values, &c, &s);
  si_mat_identity(dest);
  for (int i = 0; i < 3; i++) turn(dest, order->axis[i], c[i], s[i]);
}

/* the derivative by the i-th angle is a rotation about the i-th axis as moved by the rotations
 * before it */
static sinew_status tangent(const sinew_node *node, const float *values, const sinew_rates *rates,
                            sinew_error *error) {
  (void)error;
  const si_euler_axes *order = node->data;
  const float *m = values + node->ports[node->input_count];
  CGLM_ALIGN_MAT float before[16], by_angle[16] = { 0 };
  si_v4 c, s;
  turn_all(node, values, &c, &s);
  si_mat_identity(before);
  for (uint32_t i = 0; i < 3; i++) {
    const float *axis = before + 4 * order->axis[i];
    for (int column = 0; column < 3; column++) {
      si_vec_cross(axis, m + 4 * column, by_angle + 4 * column);
      for (int k = 0; k < 3; k++) by_angle[4 * column + k] *= (float)SI_DEG;
    }
    si_rate_spread(rates, i, by_angle, 0);
    turn(before, order->axis[i], c[i], s[i]);
  }
  return SINEW_OK;
}

static const sinew_port_desc inputs[] = {
  { "first", SINEW_SCALAR, SINEW_PORT_OPTIONAL | SINEW_PORT_EULER, 0, "deg",
    "about the first axis of the order" },
  { "second", SINEW_SCALAR, SINEW_PORT_OPTIONAL | SINEW_PORT_EULER, 0, "deg",
    "about the second axis" },
  { "third", SINEW_SCALAR, SINEW_PORT_OPTIONAL | SINEW_PORT_EULER, 0, "deg",
    "about the third axis" },
  { 0 },
};

static const sinew_port_desc outputs[] = {
  { "transform", SINEW_MATRIX, 0, 0, "", "the rotation" },
  { 0 },
};

static const sinew_param_desc params[] = {
  { "order", SINEW_PARAM_CHOICE, .choices = orders,
    .doc = "the axes in the order of the product; the last one acts first" },
  { 0 },
};

const sinew_component_class si_euler = {
  .class_size = sizeof(sinew_component_class),
  .name = "euler",
  .doc = "Rotates by three angles in an axis order; 'xyz' is Rx Ry Rz.",
  .inputs = inputs,
  .outputs = outputs,
  .params = params,
  .size = size,
  .setup = setup,
  .eval = eval,
  .tangent = tangent,
  .without = SINEW_WITHOUT_VERIFY,
  .drawing = SINEW_DRAWN_NOT,
  .color = 0x5258a8,
  .kernel = SI_KERNEL_EULER,
};
