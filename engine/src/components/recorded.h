/* A program and the data of a component that runs one, shared with the lanes. */
#ifndef SI_RECORDED_H
#define SI_RECORDED_H

#include "math/tape.h"
#include "sinew/program.h"

/* A program that may be a rotation: the sine and cosine of its input, which may be clamped, and a
 * matrix that is a sum of them, which a comparison may choose. Each is the index of an operation,
 * -1: there is none. */
typedef struct si_program_shape {
  int clamp, choice, plane;
} si_program_shape;

struct sinew_program {
  int refs; /* changed atomically */
  char *text;
  si_graph_text graph;
  si_tapes tapes;
  si_program_shape shape;
};

/* The data: this, the windows, then the constants of the tapes. */
typedef struct si_program_data {
  si_tape_bound tape;
  const sinew_program *program; /* NULL: the component is evaluated by try_eval */
  uint32_t fail; /* where the constants of the tape start that says why there is no result, in
                    floats from here */
  uint32_t turn; /* likewise the constants of a rotation; 0: it is none */
} si_program_data;

/* The shape of a program with this tape. */
si_program_shape si_program_shape_of(const si_tape *tape);
/* Fills the constants of the rotation that a program with a shape is, given the constants of its
 * tape; false if it is none. `dest` has sinew_turn_bytes(2) bytes, or is NULL. */
bool si_program_turn(const sinew_program *program, const float *k, sinew_turn *dest);

#endif
