/* map (one-to-many): one scalar in, any number of named scalars out, each through its own curve
 * [Shao 2003, 4.2]. */
#include "components/map.h"
#include "components/scalar_step.h"

#include "components/catalog.h"
#include "math/rate.h"

enum { most_knots = 64 }; /* larger maps use their curves: a table would double the data */

static size_t round_up(size_t bytes) { return (bytes + 15) / 16 * 16; }
static uint32_t fours(uint32_t count) { return (count + 3) / 4 * 4; }

static size_t size(const sinew_setup *setup) {
  uint32_t count = (uint32_t)sinew_setup_named_count(setup), most = 0;
  for (uint32_t i = 0; i < count; i++) {
    uint32_t points = sinew_setup_named(setup, (int)i)->curve->points;
    most = points > most && points <= most_knots ? points : most;
  }
  size_t tables = fours(most) + 4 * ((size_t)most + 1) * fours(count);
  return round_up(count * sizeof(const sinew_curve *)) + sizeof(si_map_table) +
         tables * sizeof(float);
}

static bool alike(const sinew_curve *a, const sinew_curve *b) {
  return b->points && b->points <= most_knots && b->points == a->points &&
         b->outside == a->outside && b->outside != SINEW_OUTSIDE_REPEAT &&
         memcmp(si_curve_knots(a), si_curve_knots(b), a->points * sizeof(float)) == 0;
}

static void share(const sinew_curve *const *curves, uint32_t count, si_map_table *s) {
  for (uint32_t i = 0; i < count; i++)
    if (!alike(curves[0], curves[i])) return;
  s->knots = curves[0]->points;
  s->lanes = fours(count);
  s->clamps = curves[0]->outside == SINEW_OUTSIDE_CLAMP;
  s->low = curves[0]->low, s->high = curves[0]->high;
  s->straight = true;
  memcpy(s->data, si_curve_knots(curves[0]), fours(s->knots) * sizeof(float));
  for (uint32_t i = 0; i < count; i++) {
    const sinew_curve *c = curves[i];
    s->straight &= c->kind == SINEW_CURVE_LINEAR || c->kind == SINEW_CURVE_PIECEWISE;
    float *table = s->data + fours(s->knots) + i;
    for (uint32_t k = 0; k < 4 * (s->knots - 1); k++)
      table[(4 + k) * s->lanes] = si_curve_cubics(c)[k];
    for (uint32_t end = 0; end < 2; end++) {
      float *beyond = table + (end ? 4 * s->knots * s->lanes : 0);
      beyond[0] = c->end_value[end];
      beyond[s->lanes] = s->clamps ? 0 : c->end_slope[end];
    }
  }
}

static void setup(sinew_setup *setup, void *data) {
  const sinew_curve **curves = data;
  int count = sinew_setup_named_count(setup);
  if (count == 0)
    sinew_setup_fail(setup, SINEW_ERR_MISSING, "has no output; name at least one curve");
  for (int i = 0; i < count; i++) curves[i] = sinew_setup_named(setup, i)->curve;
  if (count > 0)
    share(curves, (uint32_t)count,
          (si_map_table *)(uintptr_t)si_map_table_of(data, (uint32_t)count));
}

static void eval(const sinew_node *node, float *values) {
  const sinew_curve *const *curves = node->data;
  const si_map_table *m = si_map_table_of(node->data, node->output_count);
  float x = *sinew_node_in(node, values, 0);
  if (m->knots) {
    si_map_eval(m, x, sinew_node_out(node, values, 0));
    return;
  }
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

static void step(const sinew_node *node, si_scalar *dest) {
  const si_map_table *table = si_map_table_of(node->data, node->output_count);
  const sinew_curve *const *curves = node->data;
  bool simple = si_curves_quick(curves, node->output_count);
  if (!table->knots && !simple) return;
  dest->x = node->ports[0];
  dest->dest = node->ports[node->input_count];
  if (simple && node->output_count == 1) {
    dest->kind = SI_CURVE;
    dest->data = curves[0];
    return;
  }
  dest->kind = table->knots ? SI_MAP : SI_CURVES;
  dest->data = table->knots ? (const void *)table : node->data;
  dest->count = node->output_count;
}

static const sinew_port_desc inputs[] = {
  { "x", SINEW_SCALAR, 0, 0, "", "what every curve is a function of" },
  { 0 },
};

static const sinew_param_desc named = { .name = "curve",
                                        .type = SINEW_PARAM_CURVE,
                                        .doc = "the curve of the output of that name" };

const sinew_component_class si_map = {
  .class_size = sizeof(sinew_component_class),
  .name = "map",
  .doc = "Maps one scalar to any number of named scalars, each by its own curve.",
  .inputs = inputs,
  .named = &named,
  .size = size,
  .setup = setup,
  .eval = eval,
  .tangent = tangent,
  .without = SINEW_WITHOUT_VERIFY | SINEW_WITHOUT_MIRROR,
  .drawing = SINEW_DRAWN_NOT,
  .color = 0x2e7874,
  .kernel = SI_KERNEL_MAP,
  .step = step,
};
