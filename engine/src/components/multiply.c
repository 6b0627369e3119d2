/* multiply: the product of matrices in list order, A1 * A2 * ... * An [Shao 2003, 4.1]. The last
 * one listed acts first. */
#include "components/catalog.h"
#include "math/rate.h"

static void eval(const sinew_node *node, float *values) {
  si_frame product = si_frame_load(sinew_node_in(node, values, 0));
  for (uint32_t i = 1; i < node->input_count; i++)
    product = si_frame_mul(product, si_frame_load(sinew_node_in(node, values, i)));
  si_frame_store(product, sinew_node_out(node, values, 0));
}

/* from left to right with the product so far: d(P A) = dP A + P dA */
static sinew_status tangent(const sinew_node *node, const float *values, const sinew_rates *rates,
                            sinew_error *error) {
  (void)error;
  CGLM_ALIGN_MAT float product[16], moved[16];
  float *out = rates->outputs[0];
  uint64_t touched = 0; /* columns with a derivative so far; with more than 64 columns, all */
  bool many = rates->count > 64;
  si_mat_identity(product);
  for (uint32_t i = 0; i < node->input_count; i++) {
    const float *factor = sinew_node_in(node, values, i);
    const sinew_input_rates *in = &rates->inputs[i];
    for (uint32_t c = 0; c < rates->count; c++) {
      float *rate = out + 16 * (size_t)c;
      if (many || (touched >> c & 1)) si_rate_before(rate, factor, rate);
    }
    for (uint32_t k = 0; k < in->count; k++) {
      si_rate_after(product, in->rates + 16 * (size_t)k, moved);
      si_rate_add(1, moved, out + 16 * (size_t)in->columns[k]);
      touched |= UINT64_C(1) << in->columns[k] % 64;
    }
    si_mat_mul(product, factor, product);
  }
  return SINEW_OK;
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
  .class_size = sizeof(sinew_component_class),
  .name = "multiply",
  .doc = "Multiplies matrices in list order; the last one listed acts first.",
  .inputs = inputs,
  .outputs = outputs,
  .eval = eval,
  .tangent = tangent,
  .without = SINEW_WITHOUT_VERIFY | SINEW_WITHOUT_MIRROR,
  .drawing = SINEW_DRAWN_NOT,
  .color = 0x5c6474,
  .product = true,
  .kernel = SI_KERNEL_MULTIPLY,
};
