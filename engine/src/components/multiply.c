/* multiply: matrices in list order, A1 * A2 * ... * An (seed 000, 4.1). The last one listed acts
 * first. */
#include "catalog.h"
#include "frame.h"

static void eval(const sinew_node *node, float *values) {
  float *dest = sinew_node_out(node, values, 0);
  const float *first = sinew_node_in(node, values, 0);
  if (node->input_count == 1) {
    si_mat_copy(first, dest);
    return;
  }
  si_mat_mul(first, sinew_node_in(node, values, 1), dest);
  for (uint32_t i = 2; i < node->input_count; i++)
    si_mat_mul(dest, sinew_node_in(node, values, i), dest);
}

static const sinew_port_desc inputs[] = {
  { "matrix", SINEW_MATRIX, SINEW_PORT_LIST, 0, "", "the matrices, in the order of the product" },
  { 0 },
};

static const sinew_port_desc outputs[] = {
  { "transform", SINEW_MATRIX, 0, 0, "", "their product" },
  { 0 },
};

const sinew_component_class si_multiply = {
  .name = "multiply",
  .doc = "Multiplies matrices in list order; the last one listed acts first.",
  .inputs = inputs,
  .outputs = outputs,
  .eval = eval,
};
