/* The formula component's constants and value, shared with the fused program and the lanes. */
#ifndef SI_FORMULA_COMPONENT_H
#define SI_FORMULA_COMPONENT_H

#include "math/formula_code.h"
#include "sinew/component.h"

/* the data: this, then the formulas */
typedef struct si_formula_data {
  uint32_t value, low, high;         /* where they start, in bytes from here; 0: not given */
  bool quick;                        /* quick_low and quick_high are the bounds */
  uint32_t by;                       /* the input that both are functions of */
  float quick_low[2], quick_high[2]; /* each k0 + k1 x(by) */
} si_formula_data;

static inline const si_formula_code *si_formula_at(const si_formula_data *d, uint32_t at) {
  return at ? (const si_formula_code *)(const void *)((const char *)d + at) : NULL;
}

#define KERNEL_WIDTH 1
#include "math/kernels/number.h"

#include "components/kernels/formula.h"

#include "math/kernels/end.h"

/* the value of a formula of shape SI_SHAPE_SUM */
static inline float si_formula_sum(const si_formula_code *f, const sinew_node *node,
                                   const float *values) {
  const float *k = si_formula_constants(f);
  const si_tape_op *op = si_formula_tape(f) + f->loads, *end = op + f->ops;
  const uint32_t *ports = node->ports;
  float value = si_formula_plane_one(k + op->k, values[ports[op->a]], values[ports[op->b]]);
  while (++op < end) value += k[op->k] * values[ports[op->b]];
  return value;
}

/* the value; the hold is by how much the bounds changed it */
static inline void si_formula_limit(const si_formula_data *d, float x, float by, float *dest,
                                    float *held) {
  float low = d->quick_low[0] + d->quick_low[1] * by;
  float high = d->quick_high[0] + d->quick_high[1] * by;
  *dest = si_formula_held_one(x, low, high);
  *held = *dest - x;
}

#endif
