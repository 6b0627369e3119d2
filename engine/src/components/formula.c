/* formula: one scalar computed from others by arithmetic, "0.5*x1 + x2", or held between bounds
 * that are computed so. The text is read by math/formula_code.c and run as a tape, math/tape.h. */
#include "components/formula.h"

#include "base/error_internal.h"
#include "components/catalog.h"
#include "components/scalar_step.h"
#include "math/rate.h"

enum { texts = 3 };
static const char *const text_names[texts] = { "text", "min", "max" };

static size_t padded_head(void) { return (sizeof(si_formula_data) + 15) / 16 * 16; }

static bool parse(const sinew_setup *setup, int which, si_formula_draft *dest, sinew_error *error) {
  const char *text = sinew_setup_text(setup, text_names[which]);
  return text && si_formula_parse(text, (uint32_t)sinew_setup_wired(setup, "x"), dest, error) >= 0;
}

static size_t size(const sinew_setup *setup) {
  size_t bytes = padded_head();
  for (int i = 0; i < texts; i++) {
    si_formula_draft draft;
    if (parse(setup, i, &draft, NULL)) bytes += si_formula_bytes(&draft);
  }
  return bytes;
}

/* k0 + k1 x(by), for a bound of at most one input, which both bounds must share */
static bool quick_bound(const si_formula_code *f, uint32_t *by, bool *found, float k[2]) {
  if (!f) return true;
  if (f->shape != SI_SHAPE_PLANE || f->k[2] != 0) return false;
  k[0] = f->k[0], k[1] = f->k[1];
  if (k[1] == 0) return true;
  if (*found && *by != f->at[0]) return false;
  *by = f->at[0];
  return *found = true;
}

static void set_bounds(sinew_setup *setup, si_formula_data *d) {
  const si_formula_code *low = si_formula_at(d, d->low), *high = si_formula_at(d, d->high);
  bool found = false;
  d->quick_low[0] = -INFINITY, d->quick_high[0] = INFINITY;
  d->quick = quick_bound(low, &d->by, &found, d->quick_low) &&
             quick_bound(high, &d->by, &found, d->quick_high);
  if (d->quick && !found && d->quick_low[0] > d->quick_high[0])
    sinew_setup_fail(setup, SINEW_ERR_VALUE, "'min' %g is above 'max' %g", (double)d->quick_low[0],
                     (double)d->quick_high[0]);
}

static void setup(sinew_setup *setup, void *data) {
  si_formula_data *d = data;
  uint32_t *const places[texts] = { &d->value, &d->low, &d->high };
  size_t at = padded_head();
  bool sound = true;
  for (int i = 0; i < texts; i++) {
    si_formula_draft draft;
    sinew_error error;
    if (!sinew_setup_text(setup, text_names[i])) continue;
    if (!parse(setup, i, &draft, &error)) {
      sinew_setup_fail(setup, SINEW_ERR_VALUE, "parameter '%s' %s", text_names[i], error.text);
      sound = false;
      continue;
    }
    *places[i] = (uint32_t)at;
    si_formula_make(&draft, (si_formula_code *)(void *)((char *)data + at));
    at += si_formula_bytes(&draft);
  }
  if (!sound) return;
  if (!d->value == !(d->low || d->high))
    sinew_setup_fail(setup, d->value ? SINEW_ERR_VALUE : SINEW_ERR_MISSING,
                     "takes 'text', or 'min' and 'max', which bound x1");
  else if (!d->value)
    set_bounds(setup, d);
}

static float run(const si_formula_code *f, const sinew_node *node, const float *values) {
  _Alignas(16) float r[SI_FORMULA_REGISTERS];
  if (f->shape < SI_SHAPE_SUM)
    return si_formula_shaped_one(f, *sinew_node_in(node, values, f->at[0]),
                                 *sinew_node_in(node, values, f->at[1]));
  if (f->shape == SI_SHAPE_SUM) return si_formula_sum(f, node, values);
  for (uint32_t i = 0; i < f->inputs; i++) r[i] = *sinew_node_in(node, values, i);
  return si_formula_run(f, r);
}

static float bound(const si_formula_code *f, const sinew_node *node, const float *values,
                   float none) {
  return f ? run(f, node, values) : none;
}

static void eval(const sinew_node *node, float *values) {
  const si_formula_data *d = node->data;
  float *dest = sinew_node_out(node, values, 0), *held = sinew_node_hold(node, values, 0);
  float x = *sinew_node_in(node, values, 0);
  if (d->value) {
    *dest = run(si_formula_at(d, d->value), node, values);
    *held = 0;
  } else if (d->quick) {
    si_formula_limit(d, x, *sinew_node_in(node, values, d->by), dest, held);
  } else {
    float low = bound(si_formula_at(d, d->low), node, values, -INFINITY);
    float high = bound(si_formula_at(d, d->high), node, values, INFINITY);
    *dest = si_formula_held_one(x, low, high);
    *held = *dest - x;
  }
}

/* adds weight times the derivative of a formula: four inputs at a time */
static void pass(const si_formula_code *f, const sinew_node *node, const float *values,
                 float weight, const sinew_rates *rates) {
  _Alignas(16) float r[SI_FORMULA_REGISTERS];
  si_v4 d[SI_FORMULA_REGISTERS];
  if (f->shape == SI_SHAPE_PLANE) {
    for (int i = 0; i < 2; i++)
      if (f->k[1 + i] != 0) si_rate_pass(rates, f->at[i], weight * f->k[1 + i], 0);
    return;
  }
  for (uint32_t i = 0; i < f->inputs; i++) r[i] = *sinew_node_in(node, values, i);
  si_formula_run(f, r);
  for (uint32_t first = 0; first < f->inputs; first += 4) {
    for (uint32_t i = 0; i < f->inputs; i++) {
      d[i] = si_all(0);
      if (i / 4 == first / 4) d[i][i % 4] = 1;
    }
    si_v4 by = si_formula_rates(f, r, d);
    for (uint32_t i = first; i < f->inputs && i < first + 4; i++)
      si_rate_pass(rates, i, weight * by[i % 4], 0);
  }
}

/* A value exactly on its bound counts as free. If the bounds meet or cross, the value follows their
 * middle */
static sinew_status tangent(const sinew_node *node, const float *values, const sinew_rates *rates,
                            sinew_error *error) {
  (void)error;
  const si_formula_data *d = node->data;
  const si_formula_code *low = si_formula_at(d, d->low), *high = si_formula_at(d, d->high);
  float held = values[node->hold];
  if (d->value)
    pass(si_formula_at(d, d->value), node, values, 1, rates);
  else if (low && high && run(low, node, values) >= run(high, node, values))
    pass(low, node, values, 0.5f, rates), pass(high, node, values, 0.5f, rates);
  else if (held != 0)
    pass(held < 0 ? high : low, node, values, 1, rates);
  else
    si_rate_pass(rates, 0, 1, 0);
  return SINEW_OK;
}

/* a limited value may be beyond a bound only if the bounds cross; then it must be their middle */
static bool verify(const sinew_node *node, const float *values, sinew_error *why) {
  const si_formula_data *d = node->data;
  float given = values[node->ports[node->input_count]];
  float low = bound(si_formula_at(d, d->low), node, values, given);
  float high = bound(si_formula_at(d, d->high), node, values, given);
  if (d->value || low > high || (given >= low && given <= high)) return true;
  si_fail(why, SINEW_ERR_VALUE, "%g is outside %g to %g", (double)given, (double)low, (double)high);
  return false;
}

static void step(const sinew_node *node, si_scalar *dest) {
  static const si_scalar_kind kinds[] = { [SI_SHAPE_PLANE] = SI_PLANE,
                                          [SI_SHAPE_CLAMPED] = SI_SHAPED,
                                          [SI_SHAPE_PAIR] = SI_SHAPED,
                                          [SI_SHAPE_SUM] = SI_SUM };
  const si_formula_data *d = node->data;
  const si_formula_code *f = si_formula_at(d, d->value);
  if (f ? f->shape > SI_SHAPE_SUM : !d->quick) return;
  dest->kind = f ? kinds[f->shape] : SI_LIMIT;
  dest->x = node->ports[f ? f->at[0] : 0];
  dest->passive = node->ports[f ? f->at[1] : d->by];
  dest->dest = node->ports[node->input_count];
  dest->held = node->hold;
  dest->data = !f ? (const void *)d : f->shape == SI_SHAPE_SUM ? (const void *)node : f;
}

static const sinew_port_desc inputs[] = {
  { "x", SINEW_SCALAR, SINEW_PORT_LIST | SINEW_PORT_PASSED, 0, "",
    "what the formula calls x1, x2 and so on" },
  { 0 },
};

static const sinew_port_desc outputs[] = {
  { "value", SINEW_SCALAR, SINEW_PORT_PASSED, 0, "",
    "the value of the formula, or x1 as it may be" },
  { 0 },
};

static const sinew_param_desc params[] = {
  { "text", SINEW_PARAM_TEXT, SINEW_PARAM_FORMULA,
    .doc = "the formula, such as \"0.5*x1 + 10\": numbers, x1, x2 ..., + - * /, parentheses, min, "
           "max, abs" },
  { "min", SINEW_PARAM_TEXT, SINEW_PARAM_FORMULA | SINEW_PARAM_BOUND,
    .doc = "instead of 'text': a formula below which x1 is held" },
  { "max", SINEW_PARAM_TEXT, SINEW_PARAM_FORMULA | SINEW_PARAM_BOUND,
    .doc = "instead of 'text': a formula above which x1 is held" },
  { 0 },
};

static const sinew_hold_desc holds[] = { { "x1", "its limit" }, { 0 } };

const sinew_component_class si_formula = {
  .class_size = sizeof(sinew_component_class),
  .name = "formula",
  .doc = "Computes a scalar from others by a formula, or holds one between two formulas.",
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
  .color = 0x5a6d9c,
  .kernel = SI_KERNEL_FORMULA,
  .step = step,
};
