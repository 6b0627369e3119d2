/* Programs in lanes: the operations of math/kernels/tape.h, with the same bits as for a float. */
#ifndef SI_LANE_TAPE_H
#define SI_LANE_TAPE_H

#include "components/recorded.h"
#include "evaluate/lanes/lane_curve.h"

LANE_INLINE lanes lane_tape_abs(lanes x) { return lane_abs(x); }
LANE_INLINE bool lane_tape_some(lane_mask mask) { return lane_which(mask) != 0; }
LANE_INLINE void lane_tape_sincos(lanes x, lanes *sine, lanes *cosine) {
  lane_sincos_any(x, sine, cosine);
}
LANE_INLINE lanes lane_tape_atan2(lanes y, lanes x) { return lane_atan2(y, x); }
LANE_INLINE lanes lane_tape_curve(const sinew_curve *c, lanes x) { return lane_curve(c, x); }

/* what has no vector form, one lane after the other */
#define LANE_TAPE_EACH(name, expression)                                                           \
  static __attribute__((noinline)) lanes name(lanes x) {                                           \
    for (int i = 0; i < SI_WIDTH; i++) x[i] = (expression);                                        \
    return x;                                                                                      \
  }
LANE_TAPE_EACH(lane_tape_exp, expf(x[i]))
LANE_TAPE_EACH(lane_tape_log, logf(x[i]))
LANE_TAPE_EACH(lane_tape_floor, floorf(x[i]))
#undef LANE_TAPE_EACH

static __attribute__((noinline)) lanes lane_tape_pow(lanes x, lanes y) {
  for (int i = 0; i < SI_WIDTH; i++) x[i] = powf(x[i], y[i]);
  return x;
}
static __attribute__((noinline)) lanes lane_tape_slope(const sinew_curve *c, lanes x) {
  for (int i = 0; i < SI_WIDTH; i++) {
    float slope = 0;
    sinew_curve_eval(c, x[i], &slope);
    x[i] = slope;
  }
  return x;
}
static __attribute__((noinline)) lanes lane_tape_bend(const sinew_curve *c, lanes x) {
  for (int i = 0; i < SI_WIDTH; i++) x[i] = si_curve_bend(c, x[i]);
  return x;
}

LANE_INLINE void lane_tape_take(const si_tape_bound *t, const sinew_node *node, const float *values,
                                lanes *r) {
  const si_tape_move *m = t->loads, *end = t->loads_end;
  for (; m < t->loads_of_four; m++)
    r[m->reg] = lane_load(values + (size_t)node->ports[m->port] * SI_WIDTH);
  for (; m < end; m++) {
    const float *from = values + (size_t)(node->ports[m->port] + m->offset) * SI_WIDTH;
    for (int row = 0; row < 3; row++) r[m->reg + row] = lane_load(from + row * SI_WIDTH);
  }
}

LANE_INLINE void lane_tape_give(const si_tape_bound *t, const sinew_node *node, const lanes *r,
                                float *values) {
  const uint32_t *ports = node->ports + node->input_count;
  const si_tape_move *m = t->stores, *end = t->stores_end;
  for (; m < t->stores_of_four; m++)
    lane_store(values + (size_t)ports[m->port] * SI_WIDTH, r[m->reg]);
  for (; m < end; m++) {
    if (m->kind == SI_MOVE_HOLD) continue;
    float *to = values + (size_t)(ports[m->port] + m->offset) * SI_WIDTH;
    for (uint32_t n = 0; n < si_move_numbers(m); n++) {
      uint32_t offset = si_move_offset(n);
      lane_store(to + offset * SI_WIDTH, r[m->reg + offset]);
    }
  }
}

#define TAPE_EVAL             static
#define CONST                 float
#define RATE_NUMBER           float
#define RATE                  lanes
#define RATE_OF(name)         lane_##name
#define RATE_ALL(x)           lane_all(x)
#define RATE_PICK(mask, a, b) lane_pick(mask, a, b)
#define RATE_QUAD             0
#define RATE_FINITE(x)        lane_pick((x) - (x) == 0.0f, x, lane_all(0))

#define KERNEL_WIDTH KERNEL_LANES
#include "math/kernels/number.h"

#include "math/kernels/tape.h"
#include "math/kernels/tape_rate.h"

#include "math/kernels/end.h"

#undef TAPE_EVAL
#undef CONST
#undef RATE_NUMBER
#undef RATE
#undef RATE_OF
#undef RATE_ALL
#undef RATE_PICK
#undef RATE_FINITE
#undef RATE_QUAD

static void lane_program(const sinew_node *node, si_worker *w) {
  const si_program_data *d = node->data;
  if (d->turn) {
    lane_turned(node, w,
                (const sinew_turn *)(const void *)((const float *)(const void *)d + d->turn));
    return;
  }
  lane_tape_eval(node, w->values);
}

#endif
