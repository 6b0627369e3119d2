/* Formulas in lanes. */
#ifndef SI_LANE_FORMULA_H
#define SI_LANE_FORMULA_H

#include "components/formula.h"
#include "evaluate/lanes/lane_tape.h"

#define KERNEL_WIDTH KERNEL_LANES
#include "math/kernels/number.h"

#include "components/kernels/formula.h"
#include "math/kernels/formula.h"

#include "math/kernels/end.h"

/* a function of its own, so that its callers need not save registers for it */
static __attribute__((noinline)) lanes
lane_formula_long(const si_formula_code *f, const sinew_node *node, const si_worker *w) {
  lanes r[SI_FORMULA_REGISTERS];
  for (uint32_t i = 0; i < f->inputs; i++) r[i] = lane_in(node, w, i);
  si_tape_aids aids = si_formula_aids(f);
  lane_tape_run(si_formula_tape(f), si_formula_constants(f), &aids, r);
  return r[f->result];
}

LANE_INLINE lanes lane_formula_value(const si_formula_code *f, const sinew_node *node,
                                     const si_worker *w) {
  if (f->shape < SI_SHAPE_SUM)
    return lane_formula_shaped(f, lane_in(node, w, f->at[0]), lane_in(node, w, f->at[1]));
  if (f->shape == SI_SHAPE_PROGRAM) return lane_formula_long(f, node, w);
  const float *k = si_formula_constants(f);
  const si_tape_op *op = si_formula_tape(f) + f->loads, *end = op + f->ops;
  lanes value = lane_formula_plane(k + op->k, lane_in(node, w, op->a), lane_in(node, w, op->b));
  while (++op < end) value += k[op->k] * lane_in(node, w, op->b);
  return value;
}

static void lane_formula(const sinew_node *node, si_worker *w) {
  const si_formula_data *d = node->data;
  if (d->value) {
    lane_out(node, w, 0, lane_formula_value(si_formula_at(d, d->value), node, w));
    return;
  }
  lanes low, high;
  if (d->quick) {
    lanes by = lane_in(node, w, d->by);
    low = lane_all(d->quick_low[0]) + d->quick_low[1] * by;
    high = lane_all(d->quick_high[0]) + d->quick_high[1] * by;
  } else {
    const si_formula_code *f = si_formula_at(d, d->low), *g = si_formula_at(d, d->high);
    low = f ? lane_formula_value(f, node, w) : lane_all(-INFINITY);
    high = g ? lane_formula_value(g, node, w) : lane_all(INFINITY);
  }
  lane_out(node, w, 0, lane_formula_held(lane_in(node, w, 0), low, high));
}

#endif
