/* compensate: cancels an ancestor's turn of this segment and keeps the two joined (seed 000, 4.3).
 * With X the product of the rest transforms below the ancestor down to the segment's own,
 * C = rot(X)^-1 rot(A)^-1 rot(X), a pure turn about the segment's origin. */
#include "compensation.h"

#include "catalog.h"
#include "error.h"
#include "rate.h"

static size_t size(const sinew_setup *setup) {
  (void)setup;
  return sizeof(si_compensation);
}

/* whether `ancestor` stands above `segment` */
static bool stands_above(const sinew_setup *setup, sinew_segment ancestor, sinew_segment segment) {
  do segment = sinew_setup_parent(setup, segment);
  while (segment.id && segment.id != ancestor.id);
  return segment.id != 0;
}

static void setup(sinew_setup *setup, void *data) {
  si_compensation *f = data;
  sinew_segment segment = sinew_setup_segment(setup, "segment");
  sinew_segment ancestor = sinew_setup_segment(setup, "ancestor");
  if (!segment.id || !ancestor.id || !stands_above(setup, ancestor, segment)) {
    sinew_setup_fail(setup, SINEW_ERR_TREE, "'%s' is no ancestor of '%s'",
                     sinew_setup_text(setup, "ancestor"), sinew_setup_text(setup, "segment"));
    return;
  }
  CGLM_ALIGN_MAT float x[16], rest[16], unit[16];
  si_mat_identity(x);
  for (sinew_segment s = segment; s.id != ancestor.id; s = sinew_setup_parent(setup, s)) {
    si_mat_copy(sinew_setup_rest(setup, s), rest);
    si_mat_mul(rest, x, x);
  }
  si_mat_rotation_part(x, f->below);
  si_mat_inverse_rigid(f->below, f->back);
  si_mat_identity(unit);
  f->turned = memcmp(f->below, unit, sizeof unit) != 0;
}

static bool names(const sinew_setup *component, const char *param, const sinew_setup *setup,
                  sinew_segment segment) {
  return strcmp(sinew_setup_text(component, param), sinew_setup_segment_name(setup, segment)) == 0;
}

/* a driven segment in between that nothing compensates still turns this one */
static void review(const sinew_setup *setup, sinew_error *warnings) {
  sinew_segment segment = sinew_setup_segment(setup, "segment");
  sinew_segment ancestor = sinew_setup_segment(setup, "ancestor");
  if (!stands_above(setup, ancestor, segment)) return;
  sinew_segment between = sinew_setup_parent(setup, segment);
  for (; between.id != ancestor.id; between = sinew_setup_parent(setup, between)) {
    if (!sinew_setup_driven(setup, between)) continue;
    bool covered = false;
    for (int i = 0; i < sinew_setup_component_count(setup) && !covered; i++) {
      sinew_setup other;
      if (sinew_setup_component(setup, i, &other) != &si_compensate) continue;
      covered =
          names(&other, "segment", setup, segment) && names(&other, "ancestor", setup, between);
    }
    if (!covered)
      si_add(warnings, SINEW_OK,
             "segment '%s' compensates '%s' but not '%s' in between, so it still turns with both",
             sinew_setup_segment_name(setup, segment), sinew_setup_segment_name(setup, ancestor),
             sinew_setup_segment_name(setup, between));
  }
}

static void eval(const sinew_node *node, float *values) {
  const si_compensation *f = node->data;
  const float *a = sinew_node_in(node, values, 0);
  const si_v4 origin = { 0, 0, 0, 1 };
  si_v4 rows[4];
  si_transpose_four(si_load(a), si_load(a + 4), si_load(a + 8), si_all(0), rows);
  si_frame inverse = { rows[0], rows[1], rows[2], origin };
  if (f->turned)
    inverse = si_frame_mul(si_frame_load(f->back), si_frame_mul(inverse, si_frame_load(f->below)));
  si_frame_store(inverse, sinew_node_out(node, values, 0));
}

static sinew_status tangent(const sinew_node *node, const float *values, const sinew_rates *rates,
                            sinew_error *error) {
  (void)node, (void)values, (void)error;
  const si_compensation *f = node->data;
  const sinew_input_rates *in = &rates->inputs[0];
  for (uint32_t k = 0; k < in->count; k++) {
    const float *a = in->rates + 16 * (size_t)k;
    float *dest = rates->outputs[0] + 16 * (size_t)in->columns[k];
    for (int i = 0; i < 3; i++)
      for (int j = 0; j < 3; j++) dest[4 * i + j] = a[4 * j + i];
    if (!f->turned) continue;
    si_rate_before(dest, f->below, dest);
    si_rate_after(f->back, dest, dest);
  }
  return SINEW_OK;
}

static const sinew_port_desc inputs[] = {
  { "matrix", SINEW_MATRIX, 0, 0, "", "the ancestor's driven matrix" },
  { 0 },
};

static const sinew_port_desc outputs[] = {
  { "transform", SINEW_MATRIX, 0, 0, "", "what cancels the ancestor's turn" },
  { 0 },
};

static const sinew_param_desc params[] = {
  { .name = "ancestor",
    .type = SINEW_PARAM_SEGMENT,
    .flags = SINEW_PARAM_REQUIRED,
    .doc = "the segment whose turn is cancelled" },
  { .name = "segment",
    .type = SINEW_PARAM_SEGMENT,
    .flags = SINEW_PARAM_REQUIRED,
    .doc = "the segment that shall keep its orientation" },
  { 0 },
};

const sinew_component_class si_compensate = {
  .name = "compensate",
  .doc = "Cancels the turn that an ancestor passes on, and keeps the segment joined to its parent.",
  .inputs = inputs,
  .outputs = outputs,
  .params = params,
  .size = size,
  .setup = setup,
  .review = review,
  .eval = eval,
  .tangent = tangent,
  .without = SINEW_WITHOUT_VERIFY | SINEW_WITHOUT_MIRROR,
  .drawing = SINEW_DRAWN_NOT,
};
