/* translation: three scalars or a vector to a translation matrix. */
#include "components/catalog.h"
#include "math/rate.h"

static void setup(sinew_setup *setup, void *data) {
  (void)data;
  static const char *const axes[] = { "x", "y", "z" };
  for (int i = 0; i < 3 && sinew_setup_wired(setup, "vector"); i++)
    if (sinew_setup_wired(setup, axes[i]))
      sinew_setup_fail(setup, SINEW_ERR_VALUE, "takes a 'vector' or scalars, not 'vector' and '%s'",
                       axes[i]);
}

static void eval(const sinew_node *node, float *values) {
  float *dest = sinew_node_out(node, values, 0);
  const float *vector = sinew_node_in(node, values, 3);
  si_mat_identity(dest);
  /* inputs that are not wired are zero */
  for (uint32_t i = 0; i < 3; i++) dest[12 + i] = *sinew_node_in(node, values, i) + vector[i];
}

static sinew_status tangent(const sinew_node *node, const float *values, const sinew_rates *rates,
                            sinew_error *error) {
  (void)node, (void)values, (void)error;
  for (uint32_t i = 0; i < 4; i++) {
    const sinew_input_rates *in = &rates->inputs[i];
    for (uint32_t k = 0; k < in->count; k++) {
      float *dest = rates->outputs[0] + 16 * (size_t)in->columns[k] + 12;
      if (i < 3)
        dest[i] += in->rates[k];
      else
        si_store(dest, si_load(dest) + si_load(in->rates + 4 * (size_t)k));
    }
  }
  return SINEW_OK;
}

static const sinew_port_desc inputs[] = {
  { "x", SINEW_SCALAR, SINEW_PORT_OPTIONAL | SINEW_PORT_NEGATED, 0, "m", "along the segment's x" },
  { "y", SINEW_SCALAR, SINEW_PORT_OPTIONAL, 0, "m", "along the segment's y" },
  { "z", SINEW_SCALAR, SINEW_PORT_OPTIONAL, 0, "m", "along the segment's z" },
  { "vector", SINEW_VECTOR, SINEW_PORT_OPTIONAL, 0, "m", "all three at once" },
  { 0 },
};

static const sinew_port_desc outputs[] = {
  { "transform", SINEW_MATRIX, 0, 0, "", "the translation" },
  { 0 },
};

const sinew_component_class si_translation = {
  .class_size = sizeof(sinew_component_class),
  .name = "translation",
  .doc = "Translates by three scalars or by a vector.",
  .inputs = inputs,
  .outputs = outputs,
  .setup = setup,
  .eval = eval,
  .tangent = tangent,
  .without = SINEW_WITHOUT_VERIFY,
  .drawing = SINEW_DRAWN_NOT,
  .color = 0x327496,
  .kernel = SI_KERNEL_TRANSLATION,
};
