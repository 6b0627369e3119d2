/* field: moves angles into the feasible region of a signed distance field [Engell 2012, 3.5]. */
#include "limits/field_internal.h"
#include "components/catalog.h"
#include "math/rate.h"

typedef struct limit {
  const sinew_field *field; /* kept alive by the rig, whose parameter it is */
} limit;

static size_t size(const sinew_setup *setup) {
  (void)setup;
  return sizeof(limit);
}

static void setup(sinew_setup *setup, void *data) {
  limit *l = data;
  const sinew_object_class *given = sinew_setup_object_class(setup, "field");
  if (given != &sinew_field_class) {
    sinew_setup_fail(setup, SINEW_ERR_TYPE, "'field' is a %s, expected a field",
                     given && given->name ? given->name : "nameless object");
    return;
  }
  l->field = sinew_setup_object(setup, "field");
  int wired = sinew_setup_wired(setup, "angle"), axes = sinew_field_axis_count(l->field);
  if (wired != axes)
    sinew_setup_fail(setup, SINEW_ERR_VALUE, "has %d angle%s for a field of %d ax%s", wired,
                     wired == 1 ? "" : "s", axes, axes == 1 ? "is" : "es");
}

static void eval(const sinew_node *node, float *values) {
  const limit *l = node->data;
  float wanted[SINEW_FIELD_AXES], given[SINEW_FIELD_AXES];
  for (uint32_t i = 0; i < node->input_count; i++) wanted[i] = *sinew_node_in(node, values, i);
  *sinew_node_out(node, values, 0) = sinew_field_feasible(l->field, wanted);
  *sinew_node_out(node, values, 1) = sinew_field_lookup(l->field, wanted, NULL);
  sinew_field_project(l->field, wanted, given);
  for (uint32_t i = 0; i < node->input_count; i++) {
    *sinew_node_out(node, values, 2 + i) = given[i];
    *sinew_node_hold(node, values, i) = given[i] - wanted[i];
  }
}

static sinew_status tangent(const sinew_node *node, const float *values, const sinew_rates *rates,
                            sinew_error *error) {
  (void)error;
  const sinew_field *field = ((const limit *)node->data)->field;
  float wanted[SI_AXES], gradient[SI_AXES], by[SI_AXES][SI_AXES];
  for (uint32_t i = 0; i < node->input_count; i++) wanted[i] = *sinew_node_in(node, values, i);
  si_field_distance_rate(field, wanted, gradient);
  si_field_project_rate(field, wanted, by);
  for (uint32_t i = 0; i < node->input_count; i++) {
    si_rate_pass(rates, i, gradient[i], 1);
    for (uint32_t k = 0; k < node->input_count; k++) si_rate_pass(rates, i, by[k][i], 2 + k);
  }
  return SINEW_OK;
}

/* the result must be feasible to half a cell */
static bool verify(const sinew_node *node, const float *values, sinew_error *why) {
  const sinew_field *field = ((const limit *)node->data)->field;
  float given[SINEW_FIELD_AXES], cell = 0;
  for (uint32_t i = 0; i < node->input_count; i++) {
    given[i] = values[node->ports[node->input_count + 2 + i]];
    sinew_field_axis axis = sinew_field_axis_info(field, (int)i);
    float wide = (axis.max - axis.min) / (float)(axis.resolution - !axis.wrap);
    if (wide > cell) cell = wide;
  }
  float over = sinew_field_lookup(field, given, NULL) - sinew_field_epsilon(field);
  if (over <= 0.5f * cell) return true;
  si_fail(why, SINEW_ERR_VALUE, "its angles are %g degrees outside the feasible region",
          (double)over);
  return false;
}

static const sinew_port_desc inputs[] = {
  { "angle", SINEW_SCALAR, SINEW_PORT_LIST | SINEW_PORT_PASSED, 0, "deg",
    "the angles, in the order of the axes" },
  { 0 },
};

static const sinew_port_desc outputs[] = {
  { "inside", SINEW_SCALAR, 0, 0, "", "1 if the angles were feasible, else 0" },
  { "distance", SINEW_SCALAR, 0, 0, "deg",
    "how far the angles were from the set; negative inside" },
  { "angle", SINEW_SCALAR, SINEW_PORT_LIST | SINEW_PORT_PASSED, 0, "deg",
    "the angles, moved to feasible ones" },
  { 0 },
};

static const sinew_param_desc params[] = {
  { "field", SINEW_PARAM_OBJECT, SINEW_PARAM_REQUIRED,
    .doc = "a field with as many axes as there are angles" },
  { 0 },
};

static const sinew_hold_desc holds[] = {
  { "angle1", "the field's feasible region" },
  { "angle2", "the field's feasible region" },
  { "angle3", "the field's feasible region" },
  { "angle4", "the field's feasible region" },
  { "angle5", "the field's feasible region" },
  { "angle6", "the field's feasible region" },
  { 0 },
};

const sinew_component_class si_field = {
  .class_size = sizeof(sinew_component_class),
  .name = "field",
  .doc = "Moves up to six angles into a region made from motion or sculpted.",
  .inputs = inputs,
  .outputs = outputs,
  .params = params,
  .holds = holds,
  .size = size,
  .setup = setup,
  .eval = eval,
  .tangent = tangent,
  .verify = verify,
  .without = SINEW_WITHOUT_LANES | SINEW_WITHOUT_MIRROR,
  .drawing = SINEW_DRAWN_FIELD,
  .color = 0x687c30,
};
