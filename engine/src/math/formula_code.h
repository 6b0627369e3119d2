/* Formulas: arithmetic on scalars x1, x2 ..., written as text and run as a short program.
 *
 *   65 - 55*x1      max(0, x1 + 0.5*x2)      x1*(1 - x2) + abs(x3)/2
 *
 * The text has numbers, inputs, + - * /, parentheses, and the functions min, max (of two or more)
 * and abs. Sums are kept as constant + weight * register until something else needs them, so that
 * a formula that is linear in one or two inputs is a single operation.
 *
 * A formula runs as a tape (math/tape.h), whose registers hold first the inputs, then constants,
 * then the result of each operation in turn. To add an operation: a code of the tape here, and its
 * name in `functions` of formula_code.c. */
#ifndef SI_FORMULA_CODE_H
#define SI_FORMULA_CODE_H

#include "base/text.h"
#include "math/tape.h"

enum {
  SI_FORMULA_INPUTS = 64,     /* most inputs */
  SI_FORMULA_REGISTERS = 256, /* most registers */
  SI_FORMULA_DEPTH = 50       /* most parentheses inside each other */
};

/* An operation while the formula is read: of these codes of a tape, with its constants. */
typedef enum si_op_code {
  SI_OP_PLANE = SI_TAPE_PLANE,
  SI_OP_LINE = SI_TAPE_LINE,
  SI_OP_ADD = SI_TAPE_ADD, /* a + k1 b */
  SI_OP_MULTIPLY = SI_TAPE_MULTIPLY,
  SI_OP_DIVIDE = SI_TAPE_DIVIDE,
  SI_OP_MIN = SI_TAPE_MIN,
  SI_OP_MAX = SI_TAPE_MAX,
  SI_OP_ABS = SI_TAPE_ABS,
  SI_OP_CLAMP = SI_TAPE_CLAMP /* a between k1 and k2 */
} si_op_code;

typedef struct si_op {
  uint16_t code, a, b;
  float k[3];
} si_op;

/* Formulas of a simple shape are evaluated without registers; the bits are the same, except that a
 * -0 may become 0, so a formula is always evaluated by its shape. With x and y the inputs at[0] and
 * at[1]: */
typedef enum si_formula_shape {
  SI_SHAPE_PLANE,   /* k0 + k1 x + k2 y */
  SI_SHAPE_CLAMPED, /* the same, clamped to m0 and m1 */
  SI_SHAPE_PAIR,    /* an operation on k0 + k1 x and m0 + m1 y */
  SI_SHAPE_SUM,     /* a constant and any number of inputs with weights */
  SI_SHAPE_PROGRAM  /* anything else */
} si_formula_shape;

/* A formula in one block without pointers: this, the constants of its tape, the tape. Its first
 * registers are the inputs. */
typedef struct si_formula_code {
  uint16_t inputs, loads, ops, registers, result; /* `loads` load constants before the `ops` */
  uint16_t shape, at[2], pair;                    /* pair: the operation of SI_SHAPE_PAIR */
  float k[3], m[2];
  uint16_t constants; /* floats before the tape */
  float data[];
} si_formula_code;

static inline const float *si_formula_constants(const si_formula_code *f) { return f->data; }
static inline const si_tape_op *si_formula_tape(const si_formula_code *f) {
  return (const si_tape_op *)(const void *)(f->data + f->constants);
}
static inline si_tape_aids si_formula_aids(const si_formula_code *f) {
  return (si_tape_aids){ .registers = f->registers };
}

/* A formula while it is read. */
typedef struct si_formula_draft {
  uint16_t inputs, constants, ops, result;
  float constant[SI_FORMULA_REGISTERS];
  si_op op[SI_FORMULA_REGISTERS];
} si_formula_draft;

/* Reads a formula of so many inputs. Fails with a message that quotes the text. */
sinew_status si_formula_parse(const char *text, uint32_t inputs, si_formula_draft *dest,
                              sinew_error *error);
/* The bytes that the finished formula takes; and makes it there, aligned to 4 bytes. Then its value
 * at inputs in the first registers, of which there is room for SI_FORMULA_REGISTERS, aligned to 16
 * bytes; and its derivative after that, given the inputs' in `d`. */
size_t si_formula_bytes(const si_formula_draft *draft);
void si_formula_make(const si_formula_draft *draft, si_formula_code *dest);
float si_formula_run(const si_formula_code *f, float *r);
si_v4 si_formula_rates(const si_formula_code *f, float *r, si_v4 *d);

/* Appends the text with names in place of x1, x2 ..., as an author would say it: "65 - 55 fold".
 * `name` gives the name of an input, from 0. */
void si_formula_say(const char *text, const char *(*name)(void *user, uint32_t input), void *user,
                    si_text *dest);

#define KERNEL_WIDTH 1
#include "math/kernels/number.h"

#include "math/kernels/formula.h"

#include "math/kernels/end.h"

#endif
