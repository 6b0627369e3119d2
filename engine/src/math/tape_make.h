/* What the files that make tapes share. */
#ifndef SI_TAPE_MAKE_H
#define SI_TAPE_MAKE_H

#include "math/tape.h"

enum {
  SI_AFFINE_TERMS = 4, /* most terms of a sum that is kept as one */
  SI_TAPE_DEPTH = 1200 /* most operations inside each other */
};

/* constant + sum of weight * atom; none of the atoms is such a sum */
typedef struct si_affine {
  uint32_t count;
  si_value constant;
  si_value atom[SI_AFFINE_TERMS], weight[SI_AFFINE_TERMS];
} si_affine;

/* A vector that was made, of these three values; or the sum of these products, which is a dot
 * product. `reg` is SI_TAPE_NONE if it is not worth it. */
typedef struct si_tape_pack {
  si_value of[3];
  bool dot;
  uint32_t reg;
} si_tape_pack;

enum { SI_TAPE_NONE = UINT16_MAX };

typedef struct si_tape_maker {
  si_graph *g;
  const si_graph_desc *desc;
  unsigned stage;     /* of the tape: 2 for a pose, 1 for parameters */
  bool plain;         /* without vectors besides those of inputs and results */
  const char *failed; /* why the tape cannot be made; NULL: it can */
  uint32_t depth;     /* of recursion */

  /* for each value */
  si_affine *affine;
  uint32_t *reg;  /* its register + 1; 0: none yet */
  uint32_t *uses; /* of the values of the graph as it was */
  uint32_t affine_room;

  si_tape_op *ops, *loads;
  uint32_t op_count, load_count;
  size_t op_room, load_room;
  uint32_t registers;
  si_value *constants; /* of each constant; 0: padding */
  uint32_t constant_count;
  size_t constant_room;
  si_tape_pack *packs;
  uint32_t pack_count;
  size_t pack_room;
  uint32_t (*windows)[2];
  uint32_t window_count;
  size_t window_room;
  uint32_t *input_reg; /* of each number of the inputs, or of the parameters */
  si_value *kept;      /* values with a register, in the order in which they got it */
  uint32_t kept_count;
  size_t kept_room;
} si_tape_maker;

extern const char si_tape_too_deep[]; /* a reason for si_tape_refuse */
/* whether inputs of this tape do not change a value */
static inline bool si_tape_constant_at(const si_tape_maker *m, si_value v) {
  const si_graph_node *n = si_graph_at(m->g, v);
  return n->stage < m->stage && !n->loops;
}

/* Makes room for what is kept of a value; false when memory is out. */
bool si_tape_room(si_tape_maker *m, si_value v);
/* A value as a sum. */
si_affine si_affine_of(si_tape_maker *m, si_value v);

/* The register of a value, whose operations are added if it has none yet. */
uint32_t si_tape_scalar(si_tape_maker *m, si_value v);
/* The registers of three values as a vector. */
uint32_t si_tape_vector(si_tape_maker *m, const si_value of[3]);
/* Those of a matrix, with its last row, or SI_TAPE_NONE if its columns are not sums of the same two
 * scalars. */
uint32_t si_tape_matrix(si_tape_maker *m, const si_value of[12]);

/* The sum of three products as a dot product, or SI_TAPE_NONE if their factors are no vectors. */
uint32_t si_tape_dot(si_tape_maker *m, const si_value products[3]);
/* The register of a product or quotient of one of a vector's numbers and something else, computed
 * together with those of the others if they are wanted too; else SI_TAPE_NONE. */
uint32_t si_tape_sibling(si_tape_maker *m, si_value v);
/* Forgets vectors that depend on the unknowns of an iteration that ends. */
void si_tape_forget(si_tape_maker *m, uint8_t loops);

/* Notes the register of a value, and returns it. */
uint32_t si_tape_keep(si_tape_maker *m, si_value v, uint32_t reg);
/* `count` registers, aligned if there are four or sixteen. */
uint32_t si_tape_fresh(si_tape_maker *m, uint32_t count);
/* Adds an operation and returns `op.dest`. */
uint32_t si_tape_emit(si_tape_maker *m, si_tape_op op);
/* Fails with a reason, which must be a literal. */
void si_tape_refuse(si_tape_maker *m, const char *why);
/* The index of new constants; a value of 0 is the number 0. `aligned`: to four. */
uint16_t si_tape_constants(si_tape_maker *m, const si_value *values, uint32_t count, bool aligned);

#endif
