/* Runs tapes on floats and doubles; lanes of a batch are in evaluate/lanes/lane_tape.h. */
#include "math/tape.h"

#include "base/alloc.h"
#include "math/angle.h"
#include "math/matrix.h"

#include <string.h>

/* --- what the operations need of a float; the same bits as in lanes */

static inline float si_tape_abs_one(float x) { return fabsf(x); }
static inline bool si_tape_some_one(bool mask) { return mask; }
static inline void si_tape_sincos_one(float x, float *sine, float *cosine) {
  si_sincos(x, sine, cosine);
}
static inline float si_tape_atan2_one(float y, float x) { return si_atan2(y, x); }
static inline float si_tape_exp_one(float x) { return expf(x); }
static inline float si_tape_log_one(float x) { return logf(x); }
static inline float si_tape_pow_one(float x, float y) { return powf(x, y); }
static inline float si_tape_floor_one(float x) { return floorf(x); }
static inline float si_tape_curve_one(const sinew_curve *c, float x) {
  return si_curve_value(c, x);
}
static inline float si_tape_slope_one(const sinew_curve *c, float x) {
  return si_curve_slope(c, x);
}
static inline float si_tape_bend_one(const sinew_curve *c, float x) { return si_curve_bend(c, x); }

/* --- and of a double; curves have floats */

static inline double si_tape_abs_wide(double x) { return fabs(x); }
static inline bool si_tape_some_wide(bool mask) { return mask; }
static inline void si_tape_sincos_wide(double x, double *sine, double *cosine) {
  *sine = sin(x * SI_DEG);
  *cosine = cos(x * SI_DEG);
}
static inline double si_tape_atan2_wide(double y, double x) { return atan2(y, x) / SI_DEG; }
static inline double si_tape_exp_wide(double x) { return exp(x); }
static inline double si_tape_log_wide(double x) { return log(x); }
static inline double si_tape_pow_wide(double x, double y) { return pow(x, y); }
static inline double si_tape_floor_wide(double x) { return floor(x); }
static inline double si_tape_curve_wide(const sinew_curve *c, double x) {
  return (double)si_curve_value(c, (float)x);
}
static inline double si_tape_slope_wide(const sinew_curve *c, double x) {
  return (double)si_tape_slope_one(c, (float)x);
}
static inline double si_tape_bend_wide(const sinew_curve *c, double x) {
  return (double)si_curve_bend(c, (float)x);
}

/* --- between a component's ports and registers */

static inline void si_tape_take_one(const si_tape_bound *t, const sinew_node *node,
                                    const float *values, float *r) {
  const uint32_t *ports = node->ports;
  const si_tape_move *m = t->loads, *end = t->loads_end;
  for (; m < t->loads_of_four; m++) r[m->reg] = values[ports[m->port]];
  for (; m < end; m++) si_store(r + m->reg, si_load(values + ports[m->port] + m->offset));
}

static inline void si_tape_give_one(const si_tape_bound *t, const sinew_node *node, const float *r,
                                    float *values) {
  const si_i4 rows = { -1, -1, -1, 0 };
  const si_v4 one = { 0, 0, 0, 1 };
  const uint32_t *ports = node->ports + node->input_count;
  const si_tape_move *m = t->stores, *end = t->stores_end;
  for (; m < t->stores_of_four; m++) values[ports[m->port]] = r[m->reg];
  for (; m < end; m++) {
    if (m->kind == SI_MOVE_HOLD) {
      values[node->hold + m->port] = r[m->reg];
      continue;
    }
    float *to = values + ports[m->port] + m->offset;
    if (m->kind == SI_MOVE_MATRIX) {
      si_mat_copy(r + m->reg, to);
      continue;
    }
    si_v4 column = (si_v4)((si_i4)si_load(r + m->reg) & rows);
    if (m->kind == SI_MOVE_LAST) column += one;
    si_store(to, column);
  }
}

/* --- floats, with derivatives in one direction and in four */

#define CONST       float
#define RATE_NUMBER float

#define TAPE_EVAL    /* extern */
#define TAPE_FILL    /* extern */
#define KERNEL_WIDTH 1
#include "math/kernels/number.h"

#include "math/kernels/tape.h"
#undef TAPE_EVAL
#undef TAPE_FILL

#define RATE                  float
#define RATE_QUAD             1
#define RATE_OF(name)         si_##name##_one
#define RATE_ALL(x)           ((float)(x))
#define RATE_PICK(mask, a, b) ((mask) ? (a) : (b))
#define RATE_FINITE(x)        ((x) - (x) == 0 ? (x) : 0)
#include "math/kernels/tape_rate.h"
#undef RATE
#undef RATE_OF
#undef RATE_ALL
#undef RATE_FINITE

static inline si_v4 pick_rates(bool mask, si_v4 a, si_v4 b) { return mask ? a : b; }
#undef RATE_PICK
#undef RATE_QUAD
#define RATE_QUAD             0
#define RATE_PICK(mask, a, b) pick_rates(mask, a, b)
#define RATE                  si_v4
#define RATE_OF(name)         si_##name##_four
#define RATE_ALL(x)           si_all(x)
#define RATE_FINITE(x)        si_pick_four((x) - (x) == 0, x, si_all(0))
#include "math/kernels/tape_rate.h"
#undef RATE
#undef RATE_OF
#undef RATE_ALL
#undef RATE_FINITE

#include "math/kernels/end.h"
#undef CONST
#undef RATE_NUMBER

/* --- doubles */

#define CONST       double
#define RATE_NUMBER double

#define KERNEL_WIDTH KERNEL_DOUBLE
#include "math/kernels/number.h"

#include "math/kernels/tape.h"

#undef RATE_PICK
#define RATE_PICK(mask, a, b) ((mask) ? (a) : (b))
#define RATE                  double
#define RATE_OF(name)         si_##name##_wide
#define RATE_ALL(x)           ((double)(x))
#define RATE_FINITE(x)        ((x) - (x) == 0 ? (x) : 0)
#include "math/kernels/tape_rate.h"

#include "math/kernels/end.h"

void si_tape_bind(const si_tape *tape, const float *k, const sinew_curve *const *curves,
                  const si_window *windows, si_tape_bound *dest) {
  *dest = (si_tape_bound){ .ops = tape->ops,
                           .k = k,
                           .loads = tape->loads,
                           .loads_of_four = tape->loads + tape->load_ones,
                           .loads_end = tape->loads + tape->load_count,
                           .stores = tape->stores,
                           .stores_of_four = tape->stores + tape->store_ones,
                           .stores_end = tape->stores + tape->store_count,
                           .aids = { curves, windows, tape->registers } };
}
void si_tape_take(const si_tape_bound *t, const sinew_node *node, const float *values, float *r) {
  si_tape_take_one(t, node, values, r);
}
void si_tape_run(const si_tape_op *op, const float *k, const si_tape_aids *aids, float *r) {
  si_tape_run_one(op, k, aids, r);
}
void si_tape_rate(const si_tape_op *op, const float *k, const si_tape_aids *aids, float *r,
                  float *d) {
  si_tape_rate_one(op, k, aids, r, d);
}
void si_tape_rates(const si_tape_op *op, const float *k, const si_tape_aids *aids, float *r,
                   si_v4 *d) {
  si_tape_rate_four(op, k, aids, r, d);
}
void si_tape_run_exact(const si_tape_op *op, const double *k, const si_tape_aids *aids, double *r) {
  si_tape_run_wide(op, k, aids, r);
}
void si_tape_rate_exact(const si_tape_op *op, const double *k, const si_tape_aids *aids, double *r,
                        double *d) {
  si_tape_rate_wide(op, k, aids, r, d);
}

void si_tape_contact_rate(const double p[5], double cosine, double sine, double gap,
                          const double by[5], double dest[3]) {
  double cosine2 = cosine * cosine - sine * sine, sine2 = 2 * cosine * sine;
  double change = by[0] + by[1] * cosine + by[2] * sine + by[3] * cosine2 + by[4] * sine2;
  double slope = p[2] * cosine - p[1] * sine + 2 * (p[4] * cosine2 - p[3] * sine2);
  double size = fabs(p[1]) + fabs(p[2]) + fabs(p[3]) + fabs(p[4]), turn = 0;
  if (fabs(gap) <= SI_TOUCH) {
    turn = -change / slope;
  } else if (fabs(slope) <= 1e-4 * size) {
    /* it comes closest here, where the slope is 0: so does the slope's change */
    double bend = -p[1] * cosine - p[2] * sine - 4 * (p[3] * cosine2 + p[4] * sine2);
    turn = -(by[2] * cosine - by[1] * sine + 2 * (by[4] * cosine2 - by[3] * sine2)) / bend;
  } /* else it rests at an end of the window */
  if (!isfinite(turn)) turn = 0;
  dest[0] = -sine * turn;
  dest[1] = cosine * turn;
  dest[2] = fabs(gap) <= SI_TOUCH ? 0 : change + slope * turn;
}

/* --- constants */

static double constant(const si_tape_constant *c, const double *results) {
  return c->result ? results[c->result - 1] : c->literal;
}

void si_tape_fill(const si_tape *tape, const double *results, float *dest) {
  for (uint32_t i = 0; i < tape->constant_count; i++)
    dest[i] = (float)constant(&tape->constants[i], results) + 0.0f; /* no -0 */
}

void si_tape_fill_exact(const si_tape *tape, const double *results, double *dest) {
  for (uint32_t i = 0; i < tape->constant_count; i++)
    dest[i] = constant(&tape->constants[i], results);
}

bool si_tape_windows(const si_tape *tape, const double *results, si_window *dest) {
  for (uint32_t i = 0; i < tape->window_count; i++) {
    double low = constant(&tape->constants[tape->windows[i][0]], results);
    double high = constant(&tape->constants[tape->windows[i][1]], results);
    if (!(low < high && low >= -180 && high <= 180)) return false;
    si_window_set(&dest[i], low, high);
  }
  return true;
}

/* runs a tape in doubles; `results` are those of the tape of parameters, NULL for that tape itself
 */
static sinew_status run_exact(const si_tape *tape, const double *results, const double *inputs,
                              const sinew_curve *const *curves, double *block, sinew_error *error) {
  si_window *windows = si_alloc_array(tape->window_count + 1, sizeof *windows);
  double *k = block + tape->registers;
  sinew_status status = SINEW_OK;
  if (!windows) {
    status = si_fail_memory(error);
  } else if (!si_tape_windows(tape, results, windows)) {
    status = si_fail(error, SINEW_ERR_VALUE, "%s", si_tape_window_fault);
  } else {
    si_tape_fill_exact(tape, results, k);
    for (uint32_t i = 0; i < tape->load_count; i++)
      for (uint32_t n = 0; n < si_move_numbers(&tape->loads[i]); n++)
        block[tape->loads[i].reg + n] = inputs[tape->loads[i].number + n];
    si_tape_run_exact(tape->ops, k, &(si_tape_aids){ curves, windows, tape->registers }, block);
  }
  si_free(windows);
  return status;
}

static double *block_for(const si_tape *tape) {
  return si_alloc_array((size_t)tape->registers + tape->constant_count + 4, sizeof(double));
}

const char si_tape_window_fault[] = "the window of a contact is empty, or not within -180 to 180";

sinew_status si_tape_params(const si_tape *tape, const double *params,
                            const sinew_curve *const *curves, double *dest, sinew_error *error) {
  double *block = block_for(tape);
  if (!block) return si_fail_memory(error);
  sinew_status status = run_exact(tape, NULL, params, curves, block, error);
  for (uint32_t i = 0; status >= 0 && i < tape->result_count; i++)
    dest[i] = block[tape->results[i]];
  si_free(block);
  return status;
}

sinew_status si_tapes_exact(const si_tapes *tapes, const double *params,
                            const sinew_curve *const *curves, const double *inputs, double *outs,
                            uint32_t *fail, sinew_error *error) {
  double *results = si_alloc_array((size_t)tapes->params.result_count + 1, sizeof *results);
  sinew_status status = results ? si_tape_params(&tapes->params, params, curves, results, error)
                                : si_fail_memory(error);
  const si_tape *const both[] = { &tapes->pose, &tapes->fail };
  *fail = 0;
  for (int which = 0; which < 2 && status >= 0; which++) {
    const si_tape *tape = both[which];
    double *block = tape->ops ? block_for(tape) : NULL;
    if (tape->ops) status = block ? SINEW_OK : si_fail_memory(error);
    if (block) status = run_exact(tape, results, inputs, curves, block, error);
    for (uint32_t i = 0; block && status >= 0 && i < tape->store_count; i++) {
      const si_tape_move *m = &tape->stores[i];
      for (uint32_t n = 0; n < si_move_numbers(m); n++)
        if (which == 0) outs[m->number + n] = block[m->reg + si_move_offset(n)];
      if (which == 1) *fail = (uint32_t)block[m->reg];
    }
    si_free(block);
  }
  si_free(results);
  return status;
}
