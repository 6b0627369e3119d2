/* The derivatives of a tape's operations, over NUM (math/kernels/number.h) for the registers of a
 * run and RATE for their derivatives: of one direction, of four, or of one in each lane. The
 * including file defines RATE, RATE_NUMBER (its numbers), RATE_OF(name), RATE_ALL(x),
 * RATE_PICK(mask of NUM, a, b), and RATE_FINITE(x): x, or 0 where it is not finite.
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
  RATE e[SI_TAPE_REGISTERS];
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
  RATE e[SI_TAPE_REGISTERS], j[3][3], right[3] = { RATE_ALL(0) }, step[3];
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

/* Vector operations, as in math/kernels/tape.h. RV: a vector of derivatives; NV: one of registers.
 */
#define RATE_EACH(expression)                                                                      \
  for (int i = 0; i < 3; i++) d[op->dest + i] = (expression)
#define RV(x) d[(x) + i]
#define NV(x) r[(x) + i]
#define RK(j) k[op->k + 4 * (j) + i]

static void RATE_OF(tape_rate)(const si_tape_op *op, const CONST *restrict k,
                               const si_tape_aids *aids, NUM *restrict r, RATE *restrict d) {
/* registers, their derivatives, and constants */
#define RA   r[op->a]
#define RB   r[op->b]
#define RC   (k + op->k)
#define DA   d[op->a]
#define DB   d[op->b]
#define DEST (d + op->dest)
  for (;; op++) {
    switch ((si_tape_code)op->code) {
    case SI_TAPE_END:
    case SI_TAPE_CODES: return;
    case SI_TAPE_LOAD:
    case SI_TAPE_FLOOR:
    case SI_TAPE_LESS:
    case SI_TAPE_LEAST:
    case SI_TAPE_EQUAL:
    case SI_TAPE_BELOW:
    case SI_TAPE_ABOVE: *DEST = RATE_ALL(0); break;
    case SI_TAPE_COPY: *DEST = DA; break;
    case SI_TAPE_LINE: *DEST = RC[1] * DA; break;
    case SI_TAPE_PLANE: *DEST = RC[1] * DA + RC[2] * DB; break;
    case SI_TAPE_ADD: *DEST = DA + RC[0] * DB; break;
    case SI_TAPE_SUM: *DEST = DA + DB; break;
    case SI_TAPE_DIFF: *DEST = DA - DB; break;
    case SI_TAPE_MULTIPLY: *DEST = DA * RB + RA * DB; break;
    case SI_TAPE_MADD: *DEST = (DA * RB + RA * DB) + d[op->c]; break;
    case SI_TAPE_MSUB: *DEST = (DA * RB + RA * DB) - d[op->c]; break;
    case SI_TAPE_NMADD: *DEST = d[op->c] - (DA * RB + RA * DB); break;
    case SI_TAPE_DIVIDE: *DEST = (DA - RA / RB * DB) / RB; break;
    case SI_TAPE_OVER: *DEST = -(r[op->dest] / RA) * DA; break;
    case SI_TAPE_MIN: *DEST = RATE_PICK(RB < RA, DB, DA); break;
    case SI_TAPE_MAX: *DEST = RATE_PICK(RB > RA, DB, DA); break;
    case SI_TAPE_CLAMP:
      *DEST = RATE_PICK(RA < RC[0], RATE_ALL(0), RATE_PICK(RA > RC[1], RATE_ALL(0), DA));
      break;
    case SI_TAPE_ABS: *DEST = RATE_PICK(RA < (CONST)0, -DA, DA); break;
    case SI_TAPE_SQRT:
      *DEST = RATE_PICK(r[op->dest] > (CONST)0, (CONST)0.5 * DA / r[op->dest], RATE_ALL(0));
      break;
    case SI_TAPE_SINCOS:
      DEST[0] = r[op->dest + 1] * (CONST)SI_DEG * DA;
      DEST[1] = -(r[op->dest] * (CONST)SI_DEG) * DA;
      break;
    case SI_TAPE_ATAN2: {
      RATE rate = (RB * DA - RA * DB) * (CONST)(1 / SI_DEG) / (RA * RA + RB * RB);
      *DEST = RATE_FINITE(rate);
      break;
    }
    case SI_TAPE_EXP: *DEST = r[op->dest] * DA; break;
    case SI_TAPE_LOG: *DEST = DA / RA; break;
    case SI_TAPE_POW: {
      /* by the exponent only where it moves: a base may be negative */
      RATE by_base = RB * OF(tape_pow)(RA, RB - OF(all)(1)) * DA;
      RATE by_power = r[op->dest] * OF(tape_log)(RA) * DB;
      *DEST = RATE_FINITE(by_base) + RATE_FINITE(by_power);
      break;
    }
    case SI_TAPE_SELECT: *DEST = RATE_PICK(RA != (CONST)0, DB, d[op->c]); break;
    case SI_TAPE_CURVE: *DEST = OF(tape_slope)(aids->curves[op->n], RA) * DA; break;
    case SI_TAPE_V_LOAD: RATE_EACH(RATE_ALL(0)); break;
    case SI_TAPE_V_COPY: RATE_EACH(RV(op->a)); break;
    case SI_TAPE_V_GATHER:
      DEST[0] = DA;
      DEST[1] = DB;
      DEST[2] = d[op->c];
      break;
    case SI_TAPE_V_LINE: RATE_EACH(RK(1) * DA); break;
    case SI_TAPE_V_PLANE: RATE_EACH(RK(1) * DA + RK(2) * DB); break;
    case SI_TAPE_V_ADD: RATE_EACH(RV(op->c) + (RK(0) * DA + RK(1) * DB)); break;
    case SI_TAPE_V_PLANE_IF: {
      MASK first = r[op->c] != (CONST)0;
      RATE_EACH(RATE_PICK(first, RK(1) * DA + RK(2) * DB, RK(4) * DA + RK(5) * DB));
      break;
    }
    case SI_TAPE_V_SELECT: RATE_EACH(RATE_PICK(RA != (CONST)0, RV(op->b), RV(op->c))); break;
    case SI_TAPE_V_SUM: RATE_EACH(RV(op->a) + RV(op->b)); break;
    case SI_TAPE_V_DIFF: RATE_EACH(RV(op->a) - RV(op->b)); break;
    case SI_TAPE_V_SCALE: RATE_EACH(RV(op->a) * RB + NV(op->a) * DB); break;
    case SI_TAPE_V_MADD: RATE_EACH((RV(op->a) * RB + NV(op->a) * DB) + RV(op->c)); break;
    case SI_TAPE_V_MULTIPLY: RATE_EACH(RV(op->a) * NV(op->b) + NV(op->a) * RV(op->b)); break;
    case SI_TAPE_M_PLANE: {
      /* also of the last row, whose constants are 0 */
      const RATE by_a = DA, by_b = DB;
      const CONST *m = RC + 16;
      for (int j = 0; j < 16; j++) DEST[j] = m[j] * by_a + m[16 + j] * by_b;
      break;
    }
    case SI_TAPE_M_PLANE_IF: {
      const RATE by_a = DA, by_b = DB;
      const CONST *m = RC + 16;
      MASK first = r[op->c] != (CONST)0;
      for (int j = 0; j < 16; j++)
        DEST[j] = RATE_PICK(first, m[j] * by_a + m[16 + j] * by_b,
                            m[48 + j] * by_a + m[64 + j] * by_b);
      break;
    }
    case SI_TAPE_ROOT:
      RATE_OF(tape_root_rate)(op, k, aids, r, d);
      op += op->n;
      break;
    case SI_TAPE_NEWTON:
      RATE_OF(tape_newton_rate)(op, k, aids, r, d);
      op += op->n;
      break;
    case SI_TAPE_CONTACT: RATE_OF(tape_contact_rates)(op, r, d); break;
    }
  }
#undef RA
#undef RB
#undef DA
#undef DB
#undef DEST
#undef RC
}
#undef RATE_EACH
#undef RV
#undef NV
#undef RK
