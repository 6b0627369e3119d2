/* The operations of a tape (math/tape.h), over NUM (math/kernels/number.h). CONST is the type of
 * its constants. Every width gives the same bits; doubles are for parameters and checks.
 *
 * Dispatch is by addresses of labels, which takes fewer instructions than a switch. */

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
  NUM low = r[op->a], high = r[op->b], d[SI_TAPE_REGISTERS];
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
  NUM d[SI_TAPE_REGISTERS], j[3][3], right[3] = { OF(all)(0) }, move[3], x[3], settled = OF(all)(0);
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
#define TAPE_LABEL(name) (&&at_##name),
  static const void *const labels[] = { SI_TAPE_OPS(TAPE_LABEL) };
#undef TAPE_LABEL
  goto *labels[op->code];
at_END:
  return;
at_LOAD:
  SET(OF(all)(K(0)));
  NEXT;
at_COPY:
  SET(A);
  NEXT;
at_LINE:
  SET(OF(all)(K(0)) + K(1) * A);
  NEXT;
at_PLANE:
  SET(OF(all)(K(0)) + K(1) * A + K(2) * B);
  NEXT;
at_ADD:
  SET(A + K(0) * B);
  NEXT;
at_SUM:
  SET(A + B);
  NEXT;
at_DIFF:
  SET(A - B);
  NEXT;
at_MULTIPLY:
  SET(A * B);
  NEXT;
at_MADD:
  SET(A * B + C);
  NEXT;
at_MSUB:
  SET(A * B - C);
  NEXT;
at_NMADD:
  SET(C - A * B);
  NEXT;
at_DIVIDE:
  SET(A / B);
  NEXT;
at_OVER:
  SET(OF(all)(K(0)) / A);
  NEXT;
at_MIN:
  SET(OF(pick)(B < A, B, A));
  NEXT;
at_MAX:
  SET(OF(pick)(B > A, B, A));
  NEXT;
at_CLAMP:
  SET(OF(clamp)(A, OF(all)(K(0)), OF(all)(K(1))));
  NEXT;
at_ABS:
  SET(OF(tape_abs)(A));
  NEXT;
at_SQRT:
  SET(OF(sqrt)(A));
  NEXT;
at_SINCOS:
  OF(tape_sincos)(A, &r[op->dest], &r[op->dest + 1]);
  NEXT;
at_ATAN2:
  SET(OF(tape_atan2)(A, B));
  NEXT;
at_EXP:
  SET(OF(tape_exp)(A));
  NEXT;
at_LOG:
  SET(OF(tape_log)(A));
  NEXT;
at_POW:
  SET(OF(tape_pow)(A, B));
  NEXT;
at_FLOOR:
  SET(OF(tape_floor)(A));
  NEXT;
at_LESS:
  SET(TRUE(A < B));
  NEXT;
at_LEAST:
  SET(TRUE(A <= B));
  NEXT;
at_EQUAL:
  SET(TRUE(A == B));
  NEXT;
at_BELOW:
  SET(TRUE(A < K(0)));
  NEXT;
at_ABOVE:
  SET(TRUE(A > K(0)));
  NEXT;
at_SELECT:
  SET(OF(pick)(A != (CONST)0, B, C));
  NEXT;
at_CURVE:
  SET(OF(tape_curve)(aids->curves[op->n], A));
  NEXT;
at_V_LOAD:
  EACH(KV(0));
  NEXT;
at_V_COPY:
  EACH(V(op->a));
  NEXT;
at_V_GATHER : {
  NUM x = A, y = B, z = C;
  r[op->dest] = x;
  r[op->dest + 1] = y;
  r[op->dest + 2] = z;
}
  NEXT;
at_V_LINE:
  EACH(KV(0) + KV(1) * A);
  NEXT;
at_V_PLANE:
  EACH(KV(0) + KV(1) * A + KV(2) * B);
  NEXT;
at_V_ADD:
  EACH(V(op->c) + (KV(0) * A + KV(1) * B));
  NEXT;
at_V_PLANE_IF : {
  MASK first = C != (CONST)0;
  EACH(KV_IF(first, 0) + KV_IF(first, 1) * A + KV_IF(first, 2) * B);
}
  NEXT;
at_V_SELECT : {
  MASK first = A != (CONST)0;
  EACH(V_PICK(first, V(op->b), V(op->c)));
}
  NEXT;
at_V_SUM:
  EACH(V(op->a) + V(op->b));
  NEXT;
at_V_DIFF:
  EACH(V(op->a) - V(op->b));
  NEXT;
at_V_SCALE:
  EACH(V(op->a) * B);
  NEXT;
at_V_MADD:
  EACH(V(op->a) * B + V(op->c));
  NEXT;
at_V_MULTIPLY:
  EACH(V(op->a) * V(op->b));
  NEXT;
at_M_PLANE : {
  const CONST *c = k + op->k;
  NUM a = A, b = B;
  _Pragma("GCC unroll 4") COLUMNS(KM(0) + KM(1) * a + KM(2) * b);
}
  NEXT;
at_M_PLANE_IF : {
  NUM a = A, b = B;
  MASK first = C != (CONST)0;
#if KERNEL_WIDTH == 1 || KERNEL_WIDTH == KERNEL_DOUBLE
  const CONST *c = k + op->k + (first ? 0 : 48);
  _Pragma("GCC unroll 4") COLUMNS(KM(0) + KM(1) * a + KM(2) * b);
#else
  const CONST *c = k + op->k;
  COLUMNS(OF(pick)(first, KM(0), KM(3)) + OF(pick)(first, KM(1), KM(4)) * a +
          OF(pick)(first, KM(2), KM(5)) * b);
#endif
}
  NEXT;
at_ROOT:
  OF(tape_root)(op, k, aids, r);
  op += op->n;
  NEXT;
at_NEWTON:
  OF(tape_newton)(op, k, aids, r);
  op += op->n;
  NEXT;
at_CONTACT:
  OF(tape_contact)(op, aids, r);
  NEXT;
}
#undef EACH
#undef V
#undef KV
#undef KV_IF
#undef V_PICK
#undef COLUMNS
#undef KM
#undef A
#undef B
#undef C
#undef K
#undef SET
#undef TRUE
#undef NEXT
