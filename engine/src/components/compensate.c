/* compensate: cancels the rotation that this segment inherits from an ancestor, and keeps the two
 * joined [Shao 2003, 4.3]. With X the product of the rest transforms from below the ancestor down
 * to the segment's own, C = rot(X)^-1 rot(A)^-1 rot(X), a pure rotation about the segment's
 * origin. */
#include "components/compensation.h"

#include "base/alloc.h"
#include "base/error_internal.h"
#include "components/catalog.h"
#include "math/rate.h"
#include "model/path.h"

#include <limits.h>
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
  if (segment.id == ancestor.id ||
      si_path_top(setup->model, segment.id, ancestor.id) != ancestor.id) {
    sinew_setup_fail(setup, SINEW_ERR_TREE, "'%s' is not an ancestor of '%s'",
                     sinew_setup_text(setup, "ancestor"), sinew_setup_text(setup, "segment"));
    return;
  }
  if (si_path_is_long(setup->model, ancestor.id, segment.id)) {
    si_path_rests(setup->model, ancestor.id, segment.id, x);
  } else {
    si_mat_identity(x);
    for (; s.id != ancestor.id; s = sinew_setup_parent(setup, s)) {
      si_mat_copy(sinew_setup_rest(setup, s), rest);
      si_mat_mul(rest, x, x);
    }
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

/* the segment and the ancestor that a component names, unless setup reports them */
static bool pair_of(const sinew_setup *setup, pair *dest) {
  uint32_t segment = sinew_setup_segment(setup, "segment").id;
  uint32_t ancestor = sinew_setup_segment(setup, "ancestor").id;
  *dest = (pair){ segment, ancestor };
  return segment && ancestor && segment != ancestor &&
         si_path_top(setup->model, segment, ancestor) == ancestor;
}

/* how many driven segments in between are not compensated */
static uint32_t uncovered(const sinew_setup *setup, const pairs *p, const pair *own) {
  uint32_t above = sinew_setup_parent(setup, (sinew_segment){ own->segment }).id, last = 0;
  uint32_t found = si_path_driven_count(setup->model, above, own->ancestor);
  const pair *at = first_of(p, own->segment);
  for (; at->segment == own->segment && at->ancestor > own->ancestor; last = at++->ancestor)
    found -= at->ancestor != last && at->ancestor != own->segment &&
             sinew_setup_driven(setup, (sinew_segment){ at->ancestor }) &&
             si_path_top(setup->model, above, at->ancestor) == at->ancestor;
  return found;
}

/* warns of driven segments in between that are not compensated: they still rotate this one */
static void review(const sinew_setup *setup, sinew_error *warnings) {
  const pairs *p = pairs_of(setup);
  pair own;
  if (!p) {
    si_fail_memory(warnings);
    return;
  }
  uint32_t left = pair_of(setup, &own) ? uncovered(setup, p, &own) : 0, between = own.segment;
  const pair *at = first_of(p, own.segment);
  while (left) {
    between = sinew_setup_parent(setup, (sinew_segment){ between }).id;
    between = si_path_driven(setup->model, between, own.ancestor);
    while (at->segment == own.segment && at->ancestor > between) at++;
    if (!between) return;
    if (at->segment == own.segment && at->ancestor == between) continue;
    /* without room for more warnings they are only counted, and the last one reports how many */
    if (si_error_full(warnings)) {
      uint32_t room = (uint32_t)(INT_MAX - 1 - warnings->count);
      warnings->count += (int)(left - 1 < room ? left - 1 : room);
      left = 1;
    }
    left--;
    si_add(warnings, SINEW_OK,
           "segment '%s' compensates '%s' but not '%s' in between, so it still rotates with both",
           sinew_setup_segment_name(setup, (sinew_segment){ own.segment }),
           sinew_setup_segment_name(setup, (sinew_segment){ own.ancestor }),
           sinew_setup_segment_name(setup, (sinew_segment){ between }));
  }
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
  { "ancestor", SINEW_PARAM_SEGMENT, SINEW_PARAM_REQUIRED,
    .doc = "the segment whose rotation is cancelled" },
  { "segment", SINEW_PARAM_SEGMENT, SINEW_PARAM_REQUIRED,
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
