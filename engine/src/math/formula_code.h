/* Formulas: arithmetic on scalars x1, x2 ..., written as text and run as a short program.
 *
 *   65 - 55*x1      max(0, x1 + 0.5*x2)      x1*(1 - x2) + abs(x3)/2
 *
 * The text has numbers, inputs, + - * /, parentheses, and the functions min, max (of two or more)
 * and abs. Sums are kept as constant + weight * register until something else needs them, so that
 * a formula that is linear in one or two inputs is a single operation.
 *
 * A register holds a number: first the inputs, then the constants, then the result of each
 * operation in turn. To add an operation: a code here, its value and derivative in
 * math/kernels/formula.h, and its name in `functions` of formula_code.c. */
#ifndef SI_FORMULA_CODE_H
#define SI_FORMULA_CODE_H

#include "base/text.h"
#include "math/vector.h"

enum {
  SI_FORMULA_INPUTS = 64,     /* most inputs */
  SI_FORMULA_REGISTERS = 256, /* most registers */
  SI_FORMULA_DEPTH = 50       /* most parentheses inside each other */
};

typedef enum si_op_code {
  SI_OP_PLANE,    /* k0 + k1 a + k2 b */
  SI_OP_LINE,     /* k0 + k1 a */
  SI_OP_ADD,      /* a + k1 b */
  SI_OP_MULTIPLY, /* a b */
  SI_OP_DIVIDE,   /* a / b */
  SI_OP_MIN,
  SI_OP_MAX,
  SI_OP_ABS,   /* of a */
  SI_OP_CLAMP, /* a between k1 and k2 */
  SI_OP_COUNT
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

/* A formula in one block without pointers: this, the constants, the operations. */
typedef struct si_formula_code {
  uint16_t inputs, constants, ops, result;
  uint16_t shape, at[2], pair; /* pair: the operation of SI_SHAPE_PAIR */
  float k[3], m[2];
  float data[];
} si_formula_code;

static inline const float *si_formula_constants(const si_formula_code *f) { return f->data; }
static inline const si_op *si_formula_ops(const si_formula_code *f) {
  return (const si_op *)(const void *)(f->data + f->constants);
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
/* The bytes that the finished formula takes; and makes it there, aligned to 4 bytes. */
size_t si_formula_bytes(const si_formula_draft *draft);
void si_formula_make(const si_formula_draft *draft, si_formula_code *dest);

/* Appends the text with names in place of x1, x2 ..., as an author would say it: "65 - 55 fold".
 * `name` gives the name of an input, from 0. */
void si_formula_say(const char *text, const char *(*name)(void *user, uint32_t input), void *user,
                    si_text *dest);

#define KERNEL_WIDTH 1
#include "math/kernels/number.h"

#include "math/kernels/formula.h"

#include "math/kernels/end.h"

#define KERNEL_WIDTH 4
#include "math/kernels/number.h"

#include "math/kernels/formula.h"

#include "math/kernels/end.h"

#endif
