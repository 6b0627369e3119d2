/* dependency: an active scalar sets, shifts or bounds a passive one [Shao 2003, 4.5]. The formula
 * is in components/kernels/dependency.h; this file has its derivative, its checks and its table. */
#include "components/dependency.h"

#include "base/error_internal.h"
#include "components/catalog.h"
#include "components/scalar_step.h"
#include "math/rate.h"

static size_t size(const sinew_setup *setup) {
  (void)setup;
  return sizeof(si_bounds);
}

static bool crossed_at(sinew_setup *setup, const si_bounds *b, float a) {
  float low = sinew_curve_eval(b->lower, a, NULL), high = sinew_curve_eval(b->upper, a, NULL);
  if (low <= high) return false;
  sinew_setup_fail(setup, SINEW_ERR_VALUE,
                   "at active = %g the lower bound %g is above the upper bound %g", (double)a,
                   (double)low, (double)high);
  return true;
}

/* reports bounds that cross at a point of their curves as a mistake. Two constants have no points,
 * so they are compared at 0 */
static void check_crossing(sinew_setup *setup, const si_bounds *b) {
  sinew_curve_desc lower = sinew_curve_describe(b->lower), upper = sinew_curve_describe(b->upper);
  bool crossed = false;
  for (int i = 0; i < lower.point_count && !crossed; i++)
    crossed = crossed_at(setup, b, lower.points[2 * i]);
  for (int i = 0; i < upper.point_count && !crossed; i++)
    crossed = crossed_at(setup, b, upper.points[2 * i]);
  if (lower.kind == SINEW_CURVE_CONSTANT && upper.kind == SINEW_CURVE_CONSTANT)
    crossed_at(setup, b, 0);
}

static void setup(sinew_setup *setup, void *data) {
  si_bounds *b = data;
  b->map = sinew_setup_curve(setup, "map");
  b->offset = sinew_setup_curve(setup, "offset");
  b->lower = sinew_setup_curve(setup, "lower");
  b->upper = sinew_setup_curve(setup, "upper");
  int ways = (b->map != NULL) + (b->offset != NULL) + (b->lower || b->upper);
  if (ways != 1)
    sinew_setup_fail(setup, ways ? SINEW_ERR_VALUE : SINEW_ERR_MISSING,
                     "takes one of 'map', 'offset', or 'lower' and 'upper'");
  if (!b->map && !sinew_setup_wired(setup, "passive"))
    sinew_setup_fail(setup, SINEW_ERR_MISSING,
                     "input 'passive' is not wired (only 'map' can do without)");
  if (b->lower && b->upper) check_crossing(setup, b);
}

static void eval(const sinew_node *node, float *values) {
  const si_bounds *b = node->data;
  si_dependency_eval(b, *sinew_node_in(node, values, 0), *sinew_node_in(node, values, 1), false,
                     sinew_node_out(node, values, 0), sinew_node_hold(node, values, 0));
}

/* A value exactly on its bound counts as free. If the bounds meet or cross, the value follows their
 * middle */
static sinew_status tangent(const sinew_node *node, const float *values, const sinew_rates *rates,
                            sinew_error *error) {
  (void)error;
  const si_bounds *b = node->data;
  float a = *sinew_node_in(node, values, 0), held = values[node->hold], by_active = 0, low, high;
  float slopes[2] = { 0, 0 };
  bool follows = false;
  if (b->map || b->offset) {
    sinew_curve_eval(b->map ? b->map : b->offset, a, &by_active);
    follows = b->offset != NULL;
  } else {
    low = b->lower ? sinew_curve_eval(b->lower, a, &slopes[0]) : -INFINITY;
    high = b->upper ? sinew_curve_eval(b->upper, a, &slopes[1]) : INFINITY;
    if (low >= high)
      by_active = 0.5f * (slopes[0] + slopes[1]);
    else if (held != 0)
      by_active = slopes[held < 0];
    else
      follows = true;
  }
  si_rate_pass(rates, 0, by_active, 0);
  if (follows) si_rate_pass(rates, 1, 1, 0);
  return SINEW_OK;
}

/* the value may be beyond a bound only if the bounds cross; then it must be their middle */
static bool verify(const sinew_node *node, const float *values, sinew_error *why) {
  const si_bounds *b = node->data;
  float a = *sinew_node_in(node, values, 0), given = values[node->ports[node->input_count]];
  float low = b->lower ? sinew_curve_eval(b->lower, a, NULL) : given;
  float high = b->upper ? sinew_curve_eval(b->upper, a, NULL) : given;
  if (low > high || (given >= low && given <= high)) return true;
  si_fail(why, SINEW_ERR_VALUE, "%g is outside %g to %g", (double)given, (double)low, (double)high);
  return false;
}

static void step(const sinew_node *node, si_scalar *dest) {
  const si_bounds *b = node->data;
  const sinew_curve *const curves[] = { b->map, b->offset, b->lower, b->upper };
  if (!si_curves_quick(curves, 4)) return;
  dest->x = node->ports[0];
  dest->passive = node->ports[1];
  dest->dest = node->ports[node->input_count];
  dest->held = node->hold;
  dest->kind = SI_DEPENDENCY;
  dest->data = b;
}

static const sinew_port_desc inputs[] = {
  { "active", SINEW_SCALAR, SINEW_PORT_BOUNDING, 0, "", "what the curves are functions of" },
  { "passive", SINEW_SCALAR, SINEW_PORT_OPTIONAL | SINEW_PORT_PASSED, 0, "",
    "what is bounded or shifted" },
  { 0 },
};

static const sinew_port_desc outputs[] = {
  { "value", SINEW_SCALAR, SINEW_PORT_PASSED, 0, "", "the passive value after its curves" },
  { 0 },
};

static const sinew_param_desc params[] = {
  { "map", SINEW_PARAM_CURVE, .doc = "the value itself, whatever the passive one is" },
  { "offset", SINEW_PARAM_CURVE, .doc = "added to the passive value" },
  { "lower", SINEW_PARAM_CURVE, SINEW_PARAM_BOUND, .doc = "lower bound of the passive value" },
  { "upper", SINEW_PARAM_CURVE, SINEW_PARAM_BOUND, .doc = "upper bound of the passive value" },
  { 0 },
};

static const sinew_hold_desc holds[] = { { "passive", "the bound that depends on 'active'" },
                                         { 0 } };

const sinew_component_class si_dependency = {
  .class_size = sizeof(sinew_component_class),
  .name = "dependency",
  .doc = "Lets an active scalar set, shift or bound a passive one.",
  .inputs = inputs,
  .outputs = outputs,
  .params = params,
  .holds = holds,
  .size = size,
  .setup = setup,
  .eval = eval,
  .tangent = tangent,
  .verify = verify,
  .without = SINEW_WITHOUT_MIRROR,
  .drawing = SINEW_DRAWN_NOT,
  .color = 0x8c7632,
  .kernel = SI_KERNEL_DEPENDENCY,
  .step = step,
};
