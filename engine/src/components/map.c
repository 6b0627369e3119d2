/* map (one-to-many): one scalar in, any number of named scalars out, each through a curve of its
 * own (seed 000, 4.2). */
#include "catalog.h"
#include "curve.h"
#include "rate.h"

static size_t size(const sinew_setup *setup) {
  return (size_t)sinew_setup_named_count(setup) * sizeof(const sinew_curve *);
}

static void setup(sinew_setup *setup, void *data) {
  const sinew_curve **curves = data;
  int count = sinew_setup_named_count(setup);
  if (count == 0)
    sinew_setup_fail(setup, SINEW_ERR_MISSING, "has no output; name at least one curve");
  for (int i = 0; i < count; i++) curves[i] = sinew_setup_named(setup, i)->curve;
}

static void eval(const sinew_node *node, float *values) {
  const sinew_curve *const *curves = node->data;
  float x = *sinew_node_in(node, values, 0);
  for (uint32_t i = 0; i < node->output_count; i++)
    *sinew_node_out(node, values, i) = si_curve_value(curves[i], x);
}

static sinew_status tangent(const sinew_node *node, const float *values, const sinew_rates *rates,
                            sinew_error *error) {
  (void)error;
  const sinew_curve *const *curves = node->data;
  float x = *sinew_node_in(node, values, 0), slope;
  for (uint32_t i = 0; i < node->output_count; i++) {
    sinew_curve_eval(curves[i], x, &slope);
    si_rate_pass(rates, 0, slope, i);
  }
  return SINEW_OK;
}

static const sinew_port_desc inputs[] = {
  { "x", SINEW_SCALAR, 0, 0, "", "what every curve is a function of" },
  { 0 },
};

static const sinew_param_desc named = { .name = "curve",
                                        .type = SINEW_PARAM_CURVE,
                                        .doc = "the curve of the output of that name" };

const sinew_component_class si_map = {
  .name = "map",
  .doc = "One scalar to any number of named scalars, each through its own curve.",
  .inputs = inputs,
  .named = &named,
  .size = size,
  .setup = setup,
  .eval = eval,
  .tangent = tangent,
};
