/* Tapes: what runs of a graph (math/graph.h), or of a formula (math/formula_code.h).
 *
 * A tape is a list of operations on registers, each of which is written once. One executor, written
 * over the number type (math/kernels/tape.h), runs it for a pose, for lanes of a batch, and in
 * doubles; another gives derivatives, from the registers of a run and the derivatives of the
 * inputs.
 *
 * Operations read constants. A component's constants are computed from its parameters, in doubles,
 * by a tape of its own, whenever a parameter changes; in a pose they cost nothing.
 *
 * A vector is four registers, aligned. It holds a column of a matrix, or a vector; its last number
 * is not used, except in a matrix of sixteen registers. The others may be used as scalars too. */
#ifndef SI_TAPE_H
#define SI_TAPE_H

#include "math/contact.h"
#include "math/curve_internal.h"
#include "math/graph.h"
#include "sinew/component.h"

enum {
  SI_TAPE_REGISTERS = 6144, /* most registers */
  SI_TAPE_FEW = 256,        /* with up to so many, an evaluation takes a small frame */
  SI_TAPE_CONSTANTS = 16384 /* most constants */
};

/* a, b, c: registers; k0, k1 ...: the constants from `k` on; d: where the result goes. Names in
 * capitals are vectors. */
#define SI_TAPE_OPS(OP)                                                                            \
  OP(END)                                                                                          \
  OP(LOAD)     /* k0 */                                                                            \
  OP(COPY)     /* a */                                                                             \
  OP(LINE)     /* k0 + k1 a */                                                                     \
  OP(PLANE)    /* k0 + k1 a + k2 b */                                                              \
  OP(ADD)      /* a + k0 b */                                                                      \
  OP(SUM)      /* a + b */                                                                         \
  OP(DIFF)     /* a - b */                                                                         \
  OP(MULTIPLY) /* a b */                                                                           \
  OP(MADD)     /* a b + c */                                                                       \
  OP(MSUB)     /* a b - c */                                                                       \
  OP(NMADD)    /* c - a b */                                                                       \
  OP(DIVIDE)   /* a / b */                                                                         \
  OP(OVER)     /* k0 / a */                                                                        \
  OP(MIN)                                                                                          \
  OP(MAX)                                                                                          \
  OP(CLAMP) /* a between k0 and k1 */                                                              \
  OP(ABS)                                                                                          \
  OP(SQRT)                                                                                         \
  OP(SINCOS) /* the sine of a; the cosine goes to d + 1 */                                         \
  OP(ATAN2)                                                                                        \
  OP(EXP)                                                                                          \
  OP(LOG)                                                                                          \
  OP(POW)                                                                                          \
  OP(FLOOR)                                                                                        \
  OP(LESS)  /* a < b, as 1 or 0 */                                                                 \
  OP(LEAST) /* a <= b */                                                                           \
  OP(EQUAL)                                                                                        \
  OP(BELOW)      /* a < k0 */                                                                      \
  OP(ABOVE)      /* a > k0 */                                                                      \
  OP(SELECT)     /* a ? b : c */                                                                   \
  OP(CURVE)      /* curve n at a */                                                                \
  OP(SLOPE)      /* its derivative there */                                                        \
  OP(V_LOAD)     /* K0, the first four constants */                                                \
  OP(V_COPY)     /* A */                                                                           \
  OP(V_GATHER)   /* a, b, c as a vector */                                                         \
  OP(V_LINE)     /* K0 + K1 a */                                                                   \
  OP(V_PLANE)    /* K0 + K1 a + K2 b */                                                            \
  OP(V_ADD)      /* C + K0 a + K1 b */                                                             \
  OP(V_PLANE_IF) /* as V_PLANE; its constants follow for c = 0 */                                  \
  OP(V_SELECT)   /* a ? B : C */                                                                   \
  OP(V_SUM)      /* A + B */                                                                       \
  OP(V_DIFF)     /* A - B */                                                                       \
  OP(V_SCALE)    /* A b */                                                                         \
  OP(V_MADD)     /* A b + C */                                                                     \
  OP(V_NMADD)    /* C - A b */                                                                     \
  OP(V_MULTIPLY) /* A B, each number by its own */                                                 \
  OP(V_AFFINE)   /* K0 + K1 A, each number by its own */                                           \
  OP(V_DIVIDE)   /* A / b */                                                                       \
  OP(V_CROSS)    /* A x B */                                                                       \
  OP(DOT)        /* A . B, a number */                                                             \
  OP(M_PLANE)    /* a matrix of four columns: K0 + K1 a + K2 b, sixteen constants each */          \
  OP(M_PLANE_IF) /* the same; its constants follow for c = 0 */                                    \
  OP(ROOT)    /* the zero of register k between a and b: the next n operations compute it from the \
                 unknown, register c, in at most m steps */                                        \
  OP(NEWTON)  /* the zeros of registers k on from those of a on, likewise: b of them, unknowns     \
                 from c on */                                                                      \
  OP(CONTACT) /* si_circle_contact of five registers from a on, in window n: cosine, sine, rest */

typedef enum si_tape_code {
#define SI_TAPE_CODE(name) SI_TAPE_##name,
  SI_TAPE_OPS(SI_TAPE_CODE)
#undef SI_TAPE_CODE
      SI_TAPE_CODES
} si_tape_code;

typedef struct si_tape_op {
  uint16_t code, dest;
  uint16_t a, b, c;
  uint16_t k, n, m;
} si_tape_op;

/* what operations need besides constants */
typedef struct si_tape_aids {
  const sinew_curve *const *curves;
  const si_window *windows;
  uint32_t registers; /* of the tape */
} si_tape_aids;

/* A number, or a vector of four, that goes from an input to a register or from a register to a
 * result. */
typedef struct si_tape_move {
  uint16_t reg, port; /* the index of the input, output or hold */
  uint8_t offset;     /* of the number in the port, as floats of the value array */
  uint16_t number;    /* of the first one among the numbers of all inputs or results */
  uint8_t kind;       /* SI_MOVE_... */
} si_tape_move;

enum {
  SI_MOVE_ONE,
  SI_MOVE_COLUMN,
  SI_MOVE_LAST,   /* the fourth column of a matrix */
  SI_MOVE_MATRIX, /* sixteen numbers, with its last row */
  SI_MOVE_HOLD
};

/* the numbers of a move: how many, and where number i is in its registers */
static inline uint32_t si_move_numbers(const si_tape_move *m) {
  return m->kind == SI_MOVE_MATRIX                              ? 12
         : m->kind == SI_MOVE_COLUMN || m->kind == SI_MOVE_LAST ? 3
                                                                : 1;
}
static inline uint32_t si_move_offset(uint32_t i) { return i / 3 * 4 + i % 3; }

/* A constant: a literal, or a result of the tape of parameters. */
typedef struct si_tape_constant {
  double literal;
  uint32_t result; /* 0: the literal; else from 1 */
} si_tape_constant;

typedef struct si_tape {
  si_tape_op *ops; /* ended by END */
  uint32_t op_count, registers;
  si_tape_move *loads, *stores; /* SI_MOVE_ONE first */
  uint32_t load_count, store_count;
  uint32_t load_ones, store_ones; /* how many of them are SI_MOVE_ONE */
  si_tape_constant *constants;
  uint32_t constant_count; /* a multiple of four */
  uint32_t (*windows)[2];  /* of each contact: the constants that are its ends */
  uint32_t window_count;
  uint16_t *results; /* registers of the numbers of a tape of parameters */
  uint32_t result_count;
} si_tape;

/* A graph as it runs: the tape of a pose, the tape of its parameters, and one that says why there
 * is no result. `params.loads` number the parameters of the graph's desc. */
typedef struct si_tapes {
  si_tape pose, params, fail;
  si_arena arena;
} si_tapes;

/* Makes the tapes. `text` is used up: values are added to its graph. Free them also after a
 * failure. */
sinew_status si_tapes_make(si_graph_text *text, si_tapes *dest, sinew_error *error);
void si_tapes_free(si_tapes *tapes);

/* Runs a tape of parameters on these values and fills `dest`. */
sinew_status si_tape_params(const si_tape *tape, const double *params,
                            const sinew_curve *const *curves, double *dest, sinew_error *error);
/* Fills the constants of a tape, given the results of the tape of parameters. */
void si_tape_fill(const si_tape *tape, const double *results, float *dest);
void si_tape_fill_exact(const si_tape *tape, const double *results, double *dest);
/* Sets the windows of its contacts; false if one is empty or not within -180 to 180. */
bool si_tape_windows(const si_tape *tape, const double *results, si_window *dest);
extern const char si_tape_window_fault[]; /* a message for that */

/* A tape between the ports of a component: what the component's data starts with. The moves of
 * single numbers come first. */
typedef struct si_tape_bound {
  const si_tape_op *ops;
  const float *k;
  const si_tape_move *loads, *loads_of_four, *loads_end;
  const si_tape_move *stores, *stores_of_four, *stores_end;
  si_tape_aids aids;
} si_tape_bound;

void si_tape_bind(const si_tape *tape, const float *k, const sinew_curve *const *curves,
                  const si_window *windows, si_tape_bound *dest);
/* Evaluates a component: takes its inputs from the value array and gives its results. */
void si_tape_eval_one(const sinew_node *node, float *values);
/* Takes the inputs and fills the registers of a run. */
void si_tape_fill_one(const si_tape_bound *tape, const sinew_node *node, const float *values,
                      float *r);
/* The inputs alone. */
void si_tape_take(const si_tape_bound *tape, const sinew_node *node, const float *values, float *r);

/* The executors; see math/kernels/tape.h. Registers are aligned to 16 bytes. A derivative follows a
 * run with the same registers, which it may change inside iterations; `d` has the derivatives of
 * the inputs, in one direction or in four. */
void si_tape_run(const si_tape_op *op, const float *k, const si_tape_aids *aids, float *r);
void si_tape_rate(const si_tape_op *op, const float *k, const si_tape_aids *aids, float *r,
                  float *d);
void si_tape_rates(const si_tape_op *op, const float *k, const si_tape_aids *aids, float *r,
                   si_v4 *d);
/* the same in doubles */
void si_tape_run_exact(const si_tape_op *op, const double *k, const si_tape_aids *aids, double *r);
void si_tape_rate_exact(const si_tape_op *op, const double *k, const si_tape_aids *aids, double *r,
                        double *d);

/* Runs tapes in doubles, for tests and tools: `params` are the numbers of the graph's desc,
 * `inputs` and `outs` those of its ports. `fail` is 0 or the number of a message. */
sinew_status si_tapes_exact(const si_tapes *tapes, const double *params,
                            const sinew_curve *const *curves, const double *inputs, double *outs,
                            uint32_t *fail, sinew_error *error);

/* The derivative of a contact, given its five coefficients, the result, and the coefficients'
 * derivatives. */
void si_tape_contact_rate(const double coefficients[5], double cosine, double sine, double gap,
                          const double rates[5], double dest[3]);

#endif
