/* The derivatives of a tape's operations, over NUM (math/kernels/number.h) for the registers of a
 * run and RATE for their derivatives: of one direction, of four, or of one in each lane. The
 * including file defines RATE, RATE_NUMBER (its numbers), RATE_OF(name), RATE_ALL(x),
 * RATE_PICK(mask of NUM, a, b), RATE_FINITE(x): x, or 0 where it is not finite, and
 * RATE_QUAD: whether NUM and RATE are floats.
 *
 * Where two sides meet (min, max, abs, a bound) the derivative is that of the first argument, of x
 * for abs and bounds. Where there is none (the square root at 0) it is 0. A choice picks the
 * derivative of what was chosen, so that what was not may be anything. */

/* the solution of a small system with columns j, by Cramer's rule */
static void RATE_OF(tape_solve)(int count, RATE (*j)[3], const RATE *right, RATE *dest) {
  if (count == 1) {
    dest[0] = right[0] / j[0][0];
  } else if (count == 2) {
    RATE det = j[0][0] * j[1][1] - j[1][0] * j[0][1];
    dest[0] = (right[0] * j[1][1] - j[1][0] * right[1]) / det;
    dest[1] = (j[0][0] * right[1] - right[0] * j[0][1]) / det;
  } else {
    RATE cross[3][3]; /* of the other two columns */
    for (int i = 0; i < 3; i++) {
      const RATE *u = j[(i + 1) % 3], *v = j[(i + 2) % 3];
      for (int n = 0; n < 3; n++)
        cross[i][n] = u[(n + 1) % 3] * v[(n + 2) % 3] - u[(n + 2) % 3] * v[(n + 1) % 3];
    }
    RATE det = j[0][0] * cross[0][0] + j[0][1] * cross[0][1] + j[0][2] * cross[0][2];
    for (int i = 0; i < 3; i++)
      dest[i] = (right[0] * cross[i][0] + right[1] * cross[i][1] + right[2] * cross[i][2]) / det;
  }
}

/* the first `count` derivatives are 0 */
static void RATE_OF(tape_clear)(RATE *d, uint32_t count) {
  for (uint32_t i = 0; i < count; i++) d[i] = RATE_ALL(0);
}

static void RATE_OF(tape_contact_rates)(const si_tape_op *op, const NUM *r, RATE *d) {
  enum { directions = sizeof(RATE) / sizeof(RATE_NUMBER), lanes_of = sizeof(NUM) / sizeof(CONST) };
  for (int i = 0; i < (int)directions; i++) {
    int lane = (int)lanes_of == 1 ? 0 : i;
    double is[5], by[5], dest[3];
    for (int n = 0; n < 5; n++) {
      is[n] = (double)((const CONST *)&r[op->a + n])[lane];
      by[n] = (double)((const RATE_NUMBER *)&d[op->a + n])[i];
    }
    const CONST *cosine = (const CONST *)&r[op->dest], *sine = (const CONST *)&r[op->dest + 1];
    const CONST *gap = (const CONST *)&r[op->dest + 2];
    si_tape_contact_rate(is, (double)cosine[lane], (double)sine[lane], (double)gap[lane], by, dest);
    for (int n = 0; n < 3; n++) ((RATE_NUMBER *)&d[op->dest + n])[i] = (RATE_NUMBER)dest[n];
  }
}

static void RATE_OF(tape_rate)(const si_tape_op *op, const CONST *k, const si_tape_aids *aids,
                               NUM *r, RATE *d);

/* x with f(x, p) = 0 has dx = -(df/dp) / (df/dx). First the body runs again at x: an iteration
 * leaves the registers of its last step. */
static void RATE_OF(tape_root_rate)(const si_tape_op *op, const CONST *k, const si_tape_aids *aids,
                                    NUM *r, RATE *d) {
  _Alignas(sizeof(RATE) > 16 ? sizeof(RATE) : 16) RATE e[aids->registers];
  r[op->c] = r[op->dest];
  OF(tape_run)(op + 1, k, aids, r);
  RATE_OF(tape_clear)(e, aids->registers);
  e[op->c] = RATE_ALL(1);
  RATE_OF(tape_rate)(op + 1, k, aids, r, e);
  d[op->c] = RATE_ALL(0);
  RATE_OF(tape_rate)(op + 1, k, aids, r, d);
  RATE x = -d[op->k] / e[op->k];
  d[op->dest] = RATE_FINITE(x);
}

/* the same for several unknowns: J dx = -df/dp by Cramer's rule */
static void RATE_OF(tape_newton_rate)(const si_tape_op *op, const CONST *k,
                                      const si_tape_aids *aids, NUM *r, RATE *d) {
  _Alignas(sizeof(RATE) > 16 ? sizeof(RATE) : 16) RATE e[aids->registers];
  RATE j[3][3], right[3] = { RATE_ALL(0) }, step[3];
  int count = op->b;
  for (int i = 0; i < count; i++) r[op->c + i] = r[op->dest + i];
  OF(tape_run)(op + 1, k, aids, r);
  for (int i = 0; i < count; i++) {
    RATE_OF(tape_clear)(e, aids->registers);
    e[op->c + i] = RATE_ALL(1);
    RATE_OF(tape_rate)(op + 1, k, aids, r, e);
    for (int row = 0; row < count; row++) j[i][row] = e[op->k + row];
  }
  for (int i = 0; i < count; i++) d[op->c + i] = RATE_ALL(0);
  RATE_OF(tape_rate)(op + 1, k, aids, r, d);
  for (int row = 0; row < count; row++) right[row] = -d[op->k + row];
  RATE_OF(tape_solve)(count, j, right, step);
  for (int i = 0; i < count; i++) d[op->dest + i] = RATE_FINITE(step[i]);
}

/* Vector operations, as in math/kernels/tape.h. RV: a vector of derivatives; NV: one of registers;
 * RK: constants. A RATE_QUAD is a float beside floats, of which four are loaded at once. */
#if RATE_QUAD
#define RATE_EACH(expression)   si_store(d + op->dest, (expression))
#define RV(x)                   si_load(d + (x))
#define NV(x)                   si_load(r + (x))
#define RK(j)                   si_load(k + op->k + 4 * (j))
#define RM(at)                  si_load(RC + 16 * (at) + j)
#define RATE_ZERO               si_all(0)
#define RATE_V_PICK(mask, x, y) ((mask) ? (x) : (y))
#define RATE_CROSS(f, x, g, y)  si_cross_four(si_load((f) + (x)), si_load((g) + (y)))
#define RATE_COLUMNS(expression)                                                                   \
  for (int j = 0; j < 16; j += 4) si_store(d + op->dest + j, (expression))
#else
#define RATE_EACH(expression)                                                                      \
  for (int i = 0; i < 3; i++) d[op->dest + i] = (expression)
#define RV(x)                   d[(x) + i]
#define NV(x)                   r[(x) + i]
#define RK(j)                   k[op->k + 4 * (j) + i]
#define RM(at)                  RC[16 * (at) + j]
#define RATE_ZERO               RATE_ALL(0)
#define RATE_V_PICK(mask, x, y) RATE_PICK(mask, x, y)
#define RATE_CROSS(f, x, g, y)                                                                     \
  ((f)[(x) + (i + 1) % 3] * (g)[(y) + (i + 2) % 3] -                                               \
   (f)[(x) + (i + 2) % 3] * (g)[(y) + (i + 1) % 3])
#define RATE_COLUMNS(expression)                                                                   \
  for (int j = 0; j < 16; j++) d[op->dest + j] = (expression)
#endif

static void RATE_OF(tape_rate)(const si_tape_op *op, const CONST *restrict k,
                               const si_tape_aids *aids, NUM *restrict r, RATE *restrict d) {
/* registers, their derivatives, and constants */
#define RA               r[op->a]
#define RB               r[op->b]
#define RC               (k + op->k)
#define DA               d[op->a]
#define DB               d[op->b]
#define DEST             (d + op->dest)
#define NEXT             goto *labels[(++op)->code]
#define TAPE_LABEL(name) (&&at_##name),
  static const void *const labels[] = { SI_TAPE_OPS(TAPE_LABEL) };
#undef TAPE_LABEL
  goto *labels[op->code];
at_END:
  return;
at_LOAD:
at_FLOOR:
at_LESS:
at_LEAST:
at_EQUAL:
at_BELOW:
at_ABOVE:
  *DEST = RATE_ALL(0);
  NEXT;
at_COPY:
  *DEST = DA;
  NEXT;
at_LINE:
  *DEST = RC[1] * DA;
  NEXT;
at_PLANE:
  *DEST = RC[1] * DA + RC[2] * DB;
  NEXT;
at_ADD:
  *DEST = DA + RC[0] * DB;
  NEXT;
at_SUM:
  *DEST = DA + DB;
  NEXT;
at_DIFF:
  *DEST = DA - DB;
  NEXT;
at_MULTIPLY:
  *DEST = DA * RB + RA * DB;
  NEXT;
at_MADD:
  *DEST = (DA * RB + RA * DB) + d[op->c];
  NEXT;
at_MSUB:
  *DEST = (DA * RB + RA * DB) - d[op->c];
  NEXT;
at_NMADD:
  *DEST = d[op->c] - (DA * RB + RA * DB);
  NEXT;
at_DIVIDE:
  *DEST = (DA - RA / RB * DB) / RB;
  NEXT;
at_OVER:
  *DEST = -(r[op->dest] / RA) * DA;
  NEXT;
at_MIN:
  *DEST = RATE_PICK(RB < RA, DB, DA);
  NEXT;
at_MAX:
  *DEST = RATE_PICK(RB > RA, DB, DA);
  NEXT;
at_CLAMP:
  *DEST = RATE_PICK(RA < RC[0], RATE_ALL(0), RATE_PICK(RA > RC[1], RATE_ALL(0), DA));
  NEXT;
at_ABS:
  *DEST = RATE_PICK(RA < (CONST)0, -DA, DA);
  NEXT;
at_SQRT:
  *DEST = RATE_PICK(r[op->dest] > (CONST)0, (CONST)0.5 * DA / r[op->dest], RATE_ALL(0));
  NEXT;
at_SINCOS:
  DEST[0] = r[op->dest + 1] * (CONST)SI_DEG * DA;
  DEST[1] = -(r[op->dest] * (CONST)SI_DEG) * DA;
  NEXT;
at_ATAN2 : {
  RATE rate = (RB * DA - RA * DB) * (CONST)(1 / SI_DEG) / (RA * RA + RB * RB);
  *DEST = RATE_FINITE(rate);
}
  NEXT;
at_EXP:
  *DEST = r[op->dest] * DA;
  NEXT;
at_LOG:
  *DEST = DA / RA;
  NEXT;
at_POW : {
  /* by the exponent only where it moves: a base may be negative */
  RATE by_base = RB * OF(tape_pow)(RA, RB - OF(all)(1)) * DA;
  RATE by_power = r[op->dest] * OF(tape_log)(RA) * DB;
  *DEST = RATE_FINITE(by_base) + RATE_FINITE(by_power);
}
  NEXT;
at_SELECT:
  *DEST = RATE_PICK(RA != (CONST)0, DB, d[op->c]);
  NEXT;
at_CURVE:
  *DEST = OF(tape_slope)(aids->curves[op->n], RA) * DA;
  NEXT;
at_SLOPE:
  *DEST = OF(tape_bend)(aids->curves[op->n], RA) * DA;
  NEXT;
at_V_LOAD:
  RATE_EACH(RATE_ZERO);
  NEXT;
at_V_COPY:
  RATE_EACH(RV(op->a));
  NEXT;
at_V_GATHER:
  DEST[0] = DA;
  DEST[1] = DB;
  DEST[2] = d[op->c];
  NEXT;
at_V_LINE:
  RATE_EACH(RK(1) * DA);
  NEXT;
at_V_PLANE:
  RATE_EACH(RK(1) * DA + RK(2) * DB);
  NEXT;
at_V_ADD:
  RATE_EACH(RV(op->c) + (RK(0) * DA + RK(1) * DB));
  NEXT;
at_V_PLANE_IF : {
  MASK first = r[op->c] != (CONST)0;
  RATE_EACH(RATE_V_PICK(first, RK(1) * DA + RK(2) * DB, RK(4) * DA + RK(5) * DB));
}
  NEXT;
at_V_SELECT:
  RATE_EACH(RATE_V_PICK(RA != (CONST)0, RV(op->b), RV(op->c)));
  NEXT;
at_V_SUM:
  RATE_EACH(RV(op->a) + RV(op->b));
  NEXT;
at_V_DIFF:
  RATE_EACH(RV(op->a) - RV(op->b));
  NEXT;
at_V_SCALE:
  RATE_EACH(RV(op->a) * RB + NV(op->a) * DB);
  NEXT;
at_V_MADD:
  RATE_EACH((RV(op->a) * RB + NV(op->a) * DB) + RV(op->c));
  NEXT;
at_V_NMADD:
  RATE_EACH(RV(op->c) - (RV(op->a) * RB + NV(op->a) * DB));
  NEXT;
at_V_AFFINE:
  RATE_EACH(RK(1) * RV(op->a));
  NEXT;
at_V_DIVIDE:
  RATE_EACH((RV(op->a) - NV(op->dest) * DB) / RB);
  NEXT;
at_V_CROSS:
  RATE_EACH(RATE_CROSS(d, op->a, r, op->b) + RATE_CROSS(r, op->a, d, op->b));
  NEXT;
at_DOT : {
  const NUM *x = r + op->a, *y = r + op->b;
  const RATE *dx = d + op->a, *dy = d + op->b;
  *DEST = ((dx[0] * y[0] + x[0] * dy[0]) + (dx[1] * y[1] + x[1] * dy[1])) +
          (dx[2] * y[2] + x[2] * dy[2]);
}
  NEXT;
at_V_MULTIPLY:
  RATE_EACH(RV(op->a) * NV(op->b) + NV(op->a) * RV(op->b));
  NEXT;
at_M_PLANE : {
  /* also of the last row, whose constants are 0 */
  const RATE by_a = DA, by_b = DB;
  RATE_COLUMNS(RM(1) * by_a + RM(2) * by_b);
}
  NEXT;
at_M_PLANE_IF : {
  const RATE by_a = DA, by_b = DB;
  MASK first = r[op->c] != (CONST)0;
  RATE_COLUMNS(RATE_V_PICK(first, RM(1) * by_a + RM(2) * by_b, RM(4) * by_a + RM(5) * by_b));
}
  NEXT;
at_ROOT:
  RATE_OF(tape_root_rate)(op, k, aids, r, d);
  op += op->n;
  NEXT;
at_NEWTON:
  RATE_OF(tape_newton_rate)(op, k, aids, r, d);
  op += op->n;
  NEXT;
at_CONTACT:
  RATE_OF(tape_contact_rates)(op, r, d);
  NEXT;
#undef RA
#undef RB
#undef DA
#undef DB
#undef DEST
#undef RC
#undef NEXT
}
#undef RATE_EACH
#undef RATE_COLUMNS
#undef RATE_CROSS
#undef RATE_ZERO
#undef RATE_V_PICK
#undef RV
#undef NV
#undef RK
#undef RM
