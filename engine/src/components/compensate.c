/* compensate: cancels the rotation that this segment inherits from an ancestor, and keeps the two
 * joined [Shao 2003, 4.3]. With X the product of the rest transforms from below the ancestor down
 * to the segment's own, C = rot(X)^-1 rot(A)^-1 rot(X), a pure rotation about the segment's
 * origin. */
#include "components/compensation.h"

#include "base/alloc.h"
#include "base/error_internal.h"
#include "components/catalog.h"
#include "math/rate.h"

#include <stdlib.h>

static size_t size(const sinew_setup *setup) {
  (void)setup;
  return sizeof(si_compensation);
}

static void setup(sinew_setup *setup, void *data) {
  si_compensation *f = data;
  sinew_segment segment = sinew_setup_segment(setup, "segment");
  sinew_segment ancestor = sinew_setup_segment(setup, "ancestor"), s = segment;
  CGLM_ALIGN_MAT float x[16], rest[16], unit[16];
  si_mat_identity(x);
  for (; s.id && s.id != ancestor.id; s = sinew_setup_parent(setup, s)) {
    si_mat_copy(sinew_setup_rest(setup, s), rest);
    si_mat_mul(rest, x, x);
  }
  if (!s.id || segment.id == ancestor.id) {
    sinew_setup_fail(setup, SINEW_ERR_TREE, "'%s' is not an ancestor of '%s'",
                     sinew_setup_text(setup, "ancestor"), sinew_setup_text(setup, "segment"));
    return;
  }
  si_mat_rotation_part(x, f->below);
  si_mat_inverse_rigid(f->below, f->back);
  si_mat_identity(unit);
  f->rotated = memcmp(f->below, unit, sizeof unit) != 0;
}

/* the segment and the ancestor that a compensate component names */
typedef struct pair {
  uint32_t segment, ancestor;
} pair;

/* all pairs of a rig, shared by all reviews. Sorted by segment, then from the nearest ancestor up,
 * since parents come before their children */
typedef struct pairs {
  uint32_t count;
  pair list[]; /* with an empty one at the end */
} pairs;

static int by_segment(const void *a, const void *b) {
  const pair *p = a, *q = b;
  if (p->segment != q->segment) return p->segment < q->segment ? -1 : 1;
  return p->ancestor == q->ancestor ? 0 : p->ancestor > q->ancestor ? -1 : 1;
}

/* NULL when memory runs out */
static const pairs *pairs_of(const sinew_setup *setup) {
  int components = sinew_setup_component_count(setup);
  pairs *p = *setup->kept;
  if (p) return p;
  p = *setup->kept = si_alloc(sizeof *p + ((size_t)components + 1) * sizeof *p->list);
  for (int i = 0; p && i < components; i++) {
    sinew_setup other;
    if (sinew_setup_component(setup, i, &other) == &si_compensate)
      p->list[p->count++] = (pair){ sinew_setup_segment(&other, "segment").id,
                                    sinew_setup_segment(&other, "ancestor").id };
  }
  if (p) qsort(p->list, p->count, sizeof *p->list, by_segment);
  return p;
}

static const pair *first_of(const pairs *p, uint32_t segment) {
  uint32_t from = 0, to = p->count;
  while (from < to) {
    uint32_t middle = (from + to) / 2;
    if (p->list[middle].segment < segment)
      from = middle + 1;
    else
      to = middle;
  }
  return &p->list[from];
}

/* How many driven segments in between are not compensated. With `warnings`, also reports them;
 * `count` is their number */
static int uncovered(const sinew_setup *setup, const pairs *p, int count, sinew_error *warnings) {
  sinew_segment segment = sinew_setup_segment(setup, "segment");
  sinew_segment ancestor = sinew_setup_segment(setup, "ancestor"), between;
  const pair *at = first_of(p, segment.id);
  int found = 0;
  for (between = sinew_setup_parent(setup, segment); between.id && between.id != ancestor.id;
       between = sinew_setup_parent(setup, between)) {
    while (at->segment == segment.id && at->ancestor > between.id) at++;
    bool covered = at->segment == segment.id && at->ancestor == between.id;
    if (covered || !sinew_setup_driven(setup, between)) continue;
    found++;
    if (!warnings) continue;
    /* without room for more warnings they are only counted, and the last one reports how many */
    if (si_error_full(warnings) && found < count)
      warnings->count++;
    else
      si_add(warnings, SINEW_OK,
             "segment '%s' compensates '%s' but not '%s' in between, so it still rotates with both",
             sinew_setup_segment_name(setup, segment), sinew_setup_segment_name(setup, ancestor),
             sinew_setup_segment_name(setup, between));
  }
  return between.id ? found : 0; /* else it is not an ancestor, which setup reports */
}

/* warns of driven segments in between that are not compensated: they still rotate this one */
static void review(const sinew_setup *setup, sinew_error *warnings) {
  const pairs *p = pairs_of(setup);
  int count = p ? uncovered(setup, p, 0, NULL) : 0;
  if (!p)
    si_fail_memory(warnings);
  else if (count)
    uncovered(setup, p, count, warnings);
}

static void eval(const sinew_node *node, float *values) {
  const si_compensation *f = node->data;
  const float *a = sinew_node_in(node, values, 0);
  const si_v4 origin = { 0, 0, 0, 1 };
  si_v4 rows[4];
  si_transpose_four(si_load(a), si_load(a + 4), si_load(a + 8), si_all(0), rows);
  si_frame inverse = { rows[0], rows[1], rows[2], origin };
  if (f->rotated)
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
    if (!f->rotated) continue;
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
  { "transform", SINEW_MATRIX, 0, 0, "", "cancels the ancestor's rotation" },
  { 0 },
};

static const sinew_param_desc params[] = {
  { .name = "ancestor",
    .type = SINEW_PARAM_SEGMENT,
    .flags = SINEW_PARAM_REQUIRED,
    .doc = "the segment whose rotation is cancelled" },
  { .name = "segment",
    .type = SINEW_PARAM_SEGMENT,
    .flags = SINEW_PARAM_REQUIRED,
    .doc = "the segment that keeps its orientation" },
  { 0 },
};

const sinew_component_class si_compensate = {
  .class_size = sizeof(sinew_component_class),
  .name = "compensate",
  .doc = "Cancels the rotation of an ancestor, and keeps the segment joined to its parent.",
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
  .color = 0x704e96,
  .kernel = SI_KERNEL_COMPENSATE,
};
