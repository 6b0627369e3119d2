/* translation: three scalars or a vector to a matrix that moves. */
#include "catalog.h"
#include "frame.h"

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
  /* whichever is not wired is zero */
  for (uint32_t i = 0; i < 3; i++) dest[12 + i] = *sinew_node_in(node, values, i) + vector[i];
}

static const sinew_port_desc inputs[] = {
  { "x", SINEW_SCALAR, SINEW_PORT_OPTIONAL, 0, "m", "along the segment's x" },
  { "y", SINEW_SCALAR, SINEW_PORT_OPTIONAL, 0, "m", "along the segment's y" },
  { "z", SINEW_SCALAR, SINEW_PORT_OPTIONAL, 0, "m", "along the segment's z" },
  { "vector", SINEW_VECTOR, SINEW_PORT_OPTIONAL, 0, "m", "all three at once" },
  { 0 },
};

static const sinew_port_desc outputs[] = {
  { "transform", SINEW_MATRIX, 0, 0, "", "the movement" },
  { 0 },
};

const sinew_component_class si_translation = {
  .name = "translation",
  .doc = "Moves by three scalars or by a vector.",
  .inputs = inputs,
  .outputs = outputs,
  .setup = setup,
  .eval = eval,
};
