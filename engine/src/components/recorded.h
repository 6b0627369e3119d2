/* A program and the data of a component that runs one, shared with the lanes. */
#ifndef SI_RECORDED_H
#define SI_RECORDED_H

#include "math/tape.h"
#include "sinew/program.h"

struct sinew_program {
  int refs; /* changed atomically */
  char *text;
  si_graph_text graph;
  si_tapes tapes;
};

/* The data: this, the windows, then the constants of the tapes. */
typedef struct si_program_data {
  const sinew_program *program; /* NULL: the component is evaluated by try_eval */
  const si_tape_op *ops;
  const si_tape_move *loads, *stores;
  uint32_t load_count, store_count;
  si_tape_aids aids;
  uint32_t constants; /* where those of the pose's tape start, in floats from here */
  uint32_t fail;      /* likewise those of the tape that says why there is no result */
} si_program_data;

static inline const float *si_program_constants(const si_program_data *d) {
  return (const float *)(const void *)d + d->constants;
}

#endif
