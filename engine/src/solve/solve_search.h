/* One call of the solver, shared by single solves (solve.c) and drags (solve_drag.c). The unknowns
 * x are the DOFs in units of their ranges. Each step d from `base` minimises
 *
 *   1/2 |r + J d|^2 + 1/2 d'Cd + 1/2 sum s_i (lambda d_i^2 + mu (x_i + d_i - pull_to_i)^2)
 *
 * with residuals r, their derivatives J, the goals' curvature C, stiffness s, damping lambda and
 * pull mu, inside the ranges and the cuts of all limits that were met so far. */
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
  double total;     /* of `base`: cost and pull */
  double lambda;    /* damping */
  double pull;      /* mu of the first steps */
  double longest;   /* step of a DOF, in ranges */
  double most_step; /* from s->frame, in ranges; 0: no limit */
  float stiffest;   /* columns above are kept still */
  int free_count;   /* of s->free */
  int slow_steps;   /* with little gain before it counts as stuck */
  bool careful;     /* after it was stuck: cuts may not exclude the pose where a step begins */
  bool centring;    /* the pull depends on how far the goals are, see solve_descend.c */
  bool in_place;    /* see restoring_step in solve_step.c */
  uint32_t random;
  /* of the step that was chosen last */
  bool has_curvature; /* s->curvature counts */
  bool curved;        /* and is part of the model */
  bool indefinite;    /* the model had no minimum */
  double damping;     /* lambda */
  double shift;       /* added for every DOF, to make the model convex; 0: not needed */
} si_search;

/* --- a call (solve.c) */

/* Checks the options, reads ranges and DOFs, and makes sure that nothing is held, if possible
 * without moving what the goals are about. The anchor and the frame are the pose then. */
sinew_status si_search_begin(si_search *search);
/* Evaluates the pose and fills the result. */
sinew_status si_search_finish(si_search *search, sinew_status status);
/* Whether it has taken longer than the options allow. */
bool si_search_late(const si_search *search);
/* Goes down from elsewhere: from halfway between `from` and the middle of the ranges, their middle,
 * or other places in them. */
enum { si_escapes = 16, si_drag_escapes = 4 };
sinew_status si_search_escape(si_search *search, const double *from, int which, int iterations);

/* --- the goals at a pose (solve_model.c) */

void si_search_set(const si_search *search, int column, float value); /* inside its range */
void si_search_put(const si_search *search, const double *dofs);      /* all of them, in ranges */
bool si_search_still(const si_search *search, int column); /* too stiff to move at this stage */
float si_search_rest(const si_search *search, int column); /* where the posture term pulls */
sinew_status si_search_eval(const si_search *search);
/* Fills the residuals and the errors of the result; returns half the sum of squares, posture
 * included. */
double si_search_cost(const si_search *search, double *rows);
/* The part of the cost that only guides the steps: stiffness times the distance from
 * where it pulls. */
double si_search_pull(const si_search *search, double mu);
bool si_search_reached(const si_search *search);
/* Notes the pose if it is the best one so far, and returns to that. */
void si_search_keep(si_search *search, double cost);
void si_search_put_best(const si_search *search);
sinew_status si_search_jacobian(const si_search *search);
/* Whether every goal that is off can be moved by a free column. */
bool si_search_can_move(const si_search *search);
/* Fill s->gram, the lower half of J'J for the free columns, and s->curvature. */
void si_search_gram(const si_search *search);
void si_search_curvature(si_search *search);
/* The cost that the model predicts for s->step. */
double si_search_model(const si_search *search, double mu);

/* --- steps (solve_step.c) */

/* The bounds of a step from `base`, and which columns it may move. */
void si_search_bounds(si_search *search);
/* A step that ends inside all limits. `*found` says whether there is one; then the pose is there.
 */
sinew_status si_search_step(si_search *search, double lambda, double mu, bool *found);
/* Brings a pose in which something is held to one in which nothing is. What the limits let through
 * stays as it is where that is possible; else by the least change, or on the way to rest. Limits
 * that hold there too are ignored. */
sinew_status si_search_free(si_search *search);

/* --- solve_descend.c */

/* Goes down from the pose to the nearest minimum inside the limits. In the first `pulls` steps DOFs
 * are pulled as well. The result says why it ended. */
sinew_status si_search_descend(si_search *search, int iterations, int pulls);

#endif
