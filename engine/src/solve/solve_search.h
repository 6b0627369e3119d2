/* One call of the solver: shared by single solves (solve.c) and drags (solve_drag.c). */
#ifndef SI_SOLVE_SEARCH_H
#define SI_SOLVE_SEARCH_H

#include "solve/solve_internal.h"

typedef struct si_search {
  sinew_solver *s;
  sinew_pose *pose;
  const sinew_solve_options *o;
  sinew_solve_result *result;
  sinew_error *error;
  double started;
  double best_cost; /* of s->best */
  double lambda;    /* damping */
  double most_step; /* from s->frame, in ranges; 0: no limit */
  float stiffest;   /* columns above are kept still */
  int free_count;   /* of s->free */
  int slow_steps;   /* with little gain before it counts as stuck */
  bool careful;     /* after it was stuck: cuts may not exclude the pose where a step begins */
  bool in_place;    /* see restoring_step in solve.c */
  uint32_t random;
} si_search;

/* Checks the options, reads ranges and DOFs, and makes sure that nothing is held. The anchor and
 * the frame are the pose then. */
sinew_status si_search_begin(si_search *search);
/* Evaluates the pose and fills the result. */
sinew_status si_search_finish(si_search *search, sinew_status status);
/* Goes down from the pose to the nearest minimum inside the limits. In the first `pulls` steps DOFs
 * are pulled to the anchor as well. The result says why it ended. */
sinew_status si_search_descend(si_search *search, int iterations, int pulls);
/* The same, from elsewhere: halfway from `from` to the middle of the ranges, their middle, a
 * quarter or three quarters of them. */
enum { si_escapes = 4 };
sinew_status si_search_escape(si_search *search, const double *from, int which, int iterations);
/* Changes the pose until nothing is held. */
sinew_status si_search_free(si_search *search);
/* Sets the DOFs, in ranges. */
void si_search_put(const si_search *search, const double *dofs);

#endif
