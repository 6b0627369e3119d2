/* relative: the frame of one segment as seen from another, in the current pose:
 * world(to)^-1 world(of). It is the product over the path between the two (model/path.h), so it
 * needs no world matrices and moves only with what lies between them. */
#include "components/frames.h"

#include "components/catalog.h"

static size_t size(const sinew_setup *setup) {
  return sizeof(si_seen_data) + (si_path_of(setup, "of", NULL).count + 1) * sizeof(si_link);
}

static void setup(sinew_setup *setup, void *data) {
  si_seen_data *f = data;
  f->path = si_path_of(setup, "of", f->links);
}

static void eval(const sinew_node *node, float *values) {
  const si_seen_data *f = node->data;
  si_frame_store(si_path_frame(&f->path, f->links, node, values), sinew_node_out(node, values, 0));
}

/* from left to right with the product so far: d(P A) = dP A + P dA */
static sinew_status tangent(const sinew_node *node, const float *values, const sinew_rates *rates,
                            sinew_error *error) {
  (void)error;
  const si_seen_data *f = node->data;
  const si_path *path = &f->path;
  CGLM_ALIGN_MAT float product[16], factor[16], moved[16];
  si_mat_copy(f->links[0].m, product);
  for (uint32_t i = 0; i < path->count; i++) {
    const float *d = sinew_node_in(node, values, path->first + i), *link = f->links[i + 1].m;
    const sinew_input_rates *in = &rates->inputs[path->first + i];
    si_frame_store(si_path_factor(path, i, d), factor);
    si_mat_mul(factor, link, factor);
    for (uint32_t c = 0; c < rates->count; c++) {
      float *rate = rates->outputs[0] + 16 * (size_t)c;
      si_rate_before(rate, factor, rate);
    }
    for (uint32_t k = 0; k < in->count; k++) {
      si_path_factor_rate(path, i, d, in->rates + 16 * (size_t)k, moved);
      si_rate_after(product, moved, moved);
      si_rate_before(moved, link, moved);
      si_rate_add(1, moved, rates->outputs[0] + 16 * (size_t)in->columns[k]);
    }
    si_mat_mul(product, factor, product);
  }
  return SINEW_OK;
}

static const sinew_port_desc outputs[] = {
  { "frame", SINEW_MATRIX, 0, 0, "", "the frame of 'of' in the frame of 'to'" },
  { 0 },
};

static const sinew_param_desc params[] = {
  { "of", SINEW_PARAM_SEGMENT, SINEW_PARAM_REQUIRED | SINEW_PARAM_PATH,
    .doc = "the segment that is seen" },
  { "to", SINEW_PARAM_SEGMENT, SINEW_PARAM_REQUIRED | SINEW_PARAM_FROM,
    .doc = "the segment from which it is seen" },
  { 0 },
};

const sinew_component_class si_relative = {
  .class_size = sizeof(sinew_component_class),
  .name = "relative",
  .doc = "The frame of one segment seen from another, in the current pose. What moves the segments "
         "between the two must rotate and move only.",
  .outputs = outputs,
  .params = params,
  .size = size,
  .setup = setup,
  .eval = eval,
  .tangent = tangent,
  .without = SINEW_WITHOUT_VERIFY | SINEW_WITHOUT_MIRROR,
  .drawing = SINEW_DRAWN_NOT,
  .color = 0x3c7a9a,
  .kernel = SI_KERNEL_RELATIVE,
};
