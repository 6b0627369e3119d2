/* The operations of a tape (math/tape.h), over NUM (math/kernels/number.h). CONST is the type of
 * its constants. Every width gives the same bits; doubles are for parameters and checks.
 *
 * With TAPE_EVAL, its storage class, there is tape_eval as well, for which the including file has
 * tape_take and tape_give; likewise TAPE_FILL. */

static void OF(tape_run)(const si_tape_op *op, const CONST *k, const si_tape_aids *aids, NUM *r);
static void OF(tape_rate)(const si_tape_op *op, const CONST *k, const si_tape_aids *aids, NUM *r,
                          NUM *d);
static void OF(tape_clear)(NUM *d, uint32_t count);
static void OF(tape_solve)(int count, NUM (*j)[3], const NUM *right, NUM *dest);

/* Newton's method inside a bracket, which halves where a step leaves it. Where f does not change
 * its sign, this ends at b. A lane that has settled stays as it is. */
static __attribute__((noinline)) void OF(tape_root)(const si_tape_op *op, const CONST *k,
                                                    const si_tape_aids *aids, NUM *r) {
  const CONST half = (CONST)0.5, near = sizeof(CONST) == 4 ? (CONST)1.2e-7 : (CONST)2.3e-16;
  _Alignas(sizeof(NUM) > 16 ? sizeof(NUM) : 16) NUM d[aids->registers];
  NUM low = r[op->a], high = r[op->b];
  NUM scale = OF(tape_abs)(low) + OF(tape_abs)(high);
  r[op->c] = low;
  OF(tape_run)(op + 1, k, aids, r);
  NUM sign = OF(pick)(r[op->k] < (CONST)0, OF(all)(-1), OF(all)(1));
  NUM settled = OF(pick)(r[op->k] == (CONST)0, OF(all)(1), OF(all)(0));
  NUM x = OF(pick)(settled != (CONST)0, low, half * (low + high));
  for (int step = 0; step < (int)op->m && OF(tape_some)(settled == (CONST)0); step++) {
    r[op->c] = x;
    OF(tape_run)(op + 1, k, aids, r);
    OF(tape_clear)(d, aids->registers);
    d[op->c] = OF(all)(1);
    OF(tape_rate)(op + 1, k, aids, r, d);
    NUM f = r[op->k] * sign, next = x - r[op->k] / d[op->k];
    NUM from = OF(pick)(f >= (CONST)0, x, low), to = OF(pick)(f >= (CONST)0, high, x);
    next = OF(pick)(next >= from, next, half * (from + to)); /* also if it is NaN */
    next = OF(pick)(next <= to, next, half * (from + to));
    next = OF(pick)(f == (CONST)0, x, next);
    NUM moved = OF(tape_abs)(next - x);
    low = OF(pick)(settled != (CONST)0, low, from);
    high = OF(pick)(settled != (CONST)0, high, to);
    x = OF(pick)(settled != (CONST)0, x, next);
    settled = OF(pick)(moved <= near * scale, OF(all)(1), settled);
  }
  r[op->dest] = x;
}

static __attribute__((noinline)) void OF(tape_newton)(const si_tape_op *op, const CONST *k,
                                                      const si_tape_aids *aids, NUM *r) {
  const CONST near = sizeof(CONST) == 4 ? (CONST)1.2e-7 : (CONST)2.3e-16;
  _Alignas(sizeof(NUM) > 16 ? sizeof(NUM) : 16) NUM d[aids->registers];
  NUM j[3][3], right[3] = { OF(all)(0) }, move[3], x[3], settled = OF(all)(0);
  int count = op->b;
  for (int i = 0; i < count; i++) x[i] = r[op->a + i];
  for (int step = 0; step < (int)op->m && OF(tape_some)(settled == (CONST)0); step++) {
    for (int i = 0; i < count; i++) r[op->c + i] = x[i];
    OF(tape_run)(op + 1, k, aids, r);
    for (int i = 0; i < count; i++) {
      OF(tape_clear)(d, aids->registers);
      d[op->c + i] = OF(all)(1);
      OF(tape_rate)(op + 1, k, aids, r, d);
      for (int row = 0; row < count; row++) j[i][row] = d[op->k + row];
    }
    for (int row = 0; row < count; row++) right[row] = -r[op->k + row];
    OF(tape_solve)(count, j, right, move);
    NUM most = OF(all)(0), size = OF(all)(0), finite = OF(all)(0);
    for (int i = 0; i < count; i++) {
      NUM far = OF(tape_abs)(move[i]), at = OF(tape_abs)(x[i]);
      finite += move[i] - move[i];
      most = OF(pick)(far > most, far, most);
      size = OF(pick)(at > size, at, size);
    }
    /* where the system is singular it stays where it is */
    settled = OF(pick)(finite == (CONST)0, settled, OF(all)(1));
    for (int i = 0; i < count; i++) x[i] = OF(pick)(settled != (CONST)0, x[i], x[i] + move[i]);
    settled = OF(pick)(most <= near * size, OF(all)(1), settled);
  }
  for (int i = 0; i < count; i++) r[op->dest + i] = x[i];
}

static __attribute__((noinline)) void OF(tape_contact)(const si_tape_op *op,
                                                       const si_tape_aids *aids, NUM *r) {
  enum { lanes_of = sizeof(NUM) / sizeof(CONST) };
  for (int i = 0; i < (int)lanes_of; i++) {
    double in[5];
    for (int n = 0; n < 5; n++) in[n] = (double)((const CONST *)&r[op->a + n])[i];
    const si_circle circle = { in[0], in[1], in[2], in[3], in[4] };
    si_contact t = si_circle_contact(&circle, &aids->windows[op->n]);
    double over = 1 / (t.cosine * t.cosine + t.sine * t.sine);
    ((CONST *)&r[op->dest])[i] = (CONST)((t.cosine * t.cosine - t.sine * t.sine) * over);
    ((CONST *)&r[op->dest + 1])[i] = (CONST)(2 * t.cosine * t.sine * over);
    ((CONST *)&r[op->dest + 2])[i] = (CONST)t.gap;
  }
}

/* Vector operations: a float register holds a number, so four of them are loaded at once; else each
 * row is computed in turn. V: a vector of registers; KV: four constants. */
#if KERNEL_WIDTH == 1
#define EACH(expression)   si_store(r + op->dest, (expression))
#define V(x)               si_load(r + (x))
#define KV(j)              si_load(k + op->k + 4 * (j))
#define KV_IF(mask, j)     si_load(k + op->k + ((mask) ? 0 : 12) + 4 * (j))
#define V_PICK(mask, x, y) ((mask) ? (x) : (y))
#define CROSS(x, y)        si_cross_four(si_load(r + (x)), si_load(r + (y)))
#define COLUMNS(expression)                                                                        \
  for (int j = 0; j < 16; j += 4) si_store(r + op->dest + j, (expression))
#define KM(at) si_load(c + 16 * (at) + j)
#else
#define EACH(expression)                                                                           \
  for (int i = 0; i < 3; i++) r[op->dest + i] = (expression)
#define V(x)  r[(x) + i]
#define KV(j) OF(all)(k[op->k + 4 * (j) + i])
#define KV_IF(mask, j)                                                                             \
  OF(pick)(mask, OF(all)(k[op->k + 4 * (j) + i]), OF(all)(k[op->k + 12 + 4 * (j) + i]))
#define V_PICK(mask, x, y) OF(pick)(mask, x, y)
#define CROSS(x, y)                                                                                \
  (r[(x) + (i + 1) % 3] * r[(y) + (i + 2) % 3] - r[(x) + (i + 2) % 3] * r[(y) + (i + 1) % 3])
#define COLUMNS(expression)                                                                        \
  for (int j = 0; j < 15; j += 1 + (j % 4 == 2)) r[op->dest + j] = (expression)
#define KM(at) OF(all)(c[16 * (at) + j])
#endif

#define A       r[op->a]
#define B       r[op->b]
#define C       r[op->c]
#define K(i)    k[op->k + (i)]
#define SET(x)  r[op->dest] = (x)
#define TRUE(m) OF(pick)(m, OF(all)(1), OF(all)(0))
#define NEXT    goto *labels[(++op)->code]

static void OF(tape_run)(const si_tape_op *op, const CONST *restrict k, const si_tape_aids *aids,
                         NUM *restrict r) {
#define TAPE_END return
#include "math/kernels/tape_ops.h"
}

#ifdef TAPE_EVAL
/* A component's evaluation: inputs, operations, results. It is one function, since a call would
 * cost as much as three operations; and it is there with few registers, for a small frame. */
static __attribute__((noinline)) void OF(tape_eval_long)(const sinew_node *node, float *values) {
  _Alignas(sizeof(NUM) > 16 ? sizeof(NUM) : 16) NUM r[SI_TAPE_REGISTERS];
  const si_tape_bound *t = node->data;
  OF(tape_take)(t, node, values, r);
  OF(tape_run)(t->ops, t->k, &t->aids, r);
  OF(tape_give)(t, node, r, values);
}

TAPE_EVAL void OF(tape_eval)(const sinew_node *node, float *values) {
  const si_tape_bound *t = node->data;
  if (t->aids.registers > SI_TAPE_FEW) {
    OF(tape_eval_long)(node, values);
    return;
  }
  _Alignas(sizeof(NUM) > 16 ? sizeof(NUM) : 16) NUM r[SI_TAPE_FEW];
  const si_tape_op *op = t->ops;
  const CONST *k = t->k;
  const si_tape_aids *aids = &t->aids;
  OF(tape_take)(t, node, values, r);
#define TAPE_END                                                                                   \
  OF(tape_give)(t, node, r, values);                                                               \
  return
#include "math/kernels/tape_ops.h"
}
#endif
#ifdef TAPE_FILL
/* the same without results, for the derivatives that follow */
TAPE_FILL void OF(tape_fill)(const si_tape_bound *t, const sinew_node *node, const float *values,
                             NUM *restrict r) {
  const si_tape_op *op = t->ops;
  const CONST *k = t->k;
  const si_tape_aids *aids = &t->aids;
  OF(tape_take)(t, node, values, r);
#define TAPE_END return
#include "math/kernels/tape_ops.h"
}
#endif

#undef EACH
#undef V
#undef KV
#undef KV_IF
#undef V_PICK
#undef CROSS
#undef COLUMNS
#undef KM
#undef A
#undef B
#undef C
#undef K
#undef SET
#undef TRUE
#undef NEXT
