/* What the parts of the solver share. The unknowns are the DOFs in units of their ranges; rows are
 * weighted residuals in metres. */
#ifndef SI_SOLVE_INTERNAL_H
#define SI_SOLVE_INTERNAL_H

#include "sinew/solve.h"
#include "sinew/tangent.h"

#include <math.h>

/* --- goals (solve_goal.c) */

/* The number of rows of a goal: 3 or 1. */
int si_goal_rows(sinew_goal_kind kind);
/* Whether its error is in degrees; else it is in metres. */
bool si_goal_angular(sinew_goal_kind kind);
/* Whether some segment has a mass. */
bool si_rig_has_mass(const sinew_rig *rig);
/* Whether the movement of the segment moves one of the goals: those that they name, and for the
 * balance all that have a mass. */
bool si_goals_watch(const sinew_rig *rig, const sinew_goal *goals, int count,
                    sinew_segment segment);
/* False, with `error` filled, for an invalid goal. `index` is for the message. */
bool si_goal_check(const sinew_rig *rig, const sinew_goal *goal, int index, sinew_error *error);
/* Fills the weighted residuals of one goal; returns the unweighted error in metres or degrees. */
float si_goal_residual(const sinew_goal *goal, const sinew_pose *pose, float metres_per_radian,
                       double *rows);
/* The rows of the Jacobian for each column of the tangent, per unit of the DOF: row k of column c
 * is dest[c stride + k]. `spare` has 6 floats per column. */
void si_goal_jacobian(const sinew_goal *goal, const sinew_tangent *tangent, const sinew_pose *pose,
                      float metres_per_radian, float *dest, int stride, float *spare);
/* Of SINEW_GOAL_ABOVE: how far the point is above the plane and the distance, in metres, and its
 * derivative per unit of the DOF, one number per column, on both sides of the plane and without the
 * weight. */
float si_goal_gap(const sinew_goal *goal, const sinew_pose *pose);
void si_goal_gap_jacobian(const sinew_goal *goal, const sinew_tangent *tangent,
                          const sinew_pose *pose, float *dest, int stride, float *spare);

/* --- a quadratic program (solve_qp.c) */

/* min 1/2 d'Hd + g'd with low <= d <= high and cuts[k] . d <= cut_most[k]. */
typedef struct si_qp {
  int n, cut_count;
  double *matrix;         /* H, row by row, lower half; overwritten */
  const double *gradient; /* g */
  const double *low, *high;
  const double *cuts; /* n numbers each */
  const double *cut_most;
  /* working memory: */
  double *basis, *r;  /* n * n each */
  double *multiplier; /* n + 1 */
  double *vector;     /* 3 n */
  int *active;        /* n + 1 */
  bool indefinite;    /* the matrix is not positive definite */
} si_qp;
/* Fills `d`; false if no d satisfies all constraints, or the matrix is not positive definite. */
bool si_qp_solve(si_qp *q, double *d);

/* --- limits inside the rig (solve_limits.c) */

/* One or more holds of a component that are one limit: those with the same reason. Or a goal that
 * keeps a point above a plane. */
typedef struct si_limit {
  int goal; /* -1: a component's */
  uint32_t node;
  uint32_t hold, count; /* the first of its holds, and how many */
  bool turn;            /* a rotation: its hold is computed here, since products do not store it */
  bool ignored;         /* held where the solve began, and could not be satisfied */
} si_limit;

enum { si_cuts_a_limit = 3, si_most_cuts = 48 };

/* A half space of feasible DOFs, normal . x <= most, with x in units of ranges. */
typedef struct si_cut {
  double most;
  int limit; /* that it is a linear model of */
} si_cut;

/* Lists the limits in nodes that are reached, then the goals; only counts them if `dest` is NULL.
 */
int si_limits_find(const sinew_rig *rig, const sinew_solver_desc *desc, const bool *reached,
                   si_limit *dest);
/* Fills solver->held with the limits that hold something, except ignored ones; returns how many. */
int si_limits_check(sinew_solver *solver, const sinew_pose *pose);
/* Adds cuts for the limits in solver->held at the evaluated pose. No cut excludes `inside`, DOFs at
 * which nothing is held (or NULL): far outside, a linear model may. Returns the largest distance to
 * a limit, in ranges, or -1 on failure. */
double si_limits_cut(sinew_solver *solver, sinew_pose *pose, const double *inside,
                     sinew_error *error);
/* Adds to solver->matrix and ->gradient, for the free columns, the squares of what is missing until
 * every limit in solver->held lets its inputs through as they are. Where that is reached, the pose
 * is the same, and nothing is held. */
sinew_status si_limits_settle(sinew_solver *solver, const sinew_pose *pose, int free_count,
                              sinew_error *error);
/* Drops cuts that are further than this from the DOFs. */
void si_cuts_drop(sinew_solver *solver, const double *x, double further);

/* --- the solver itself: made in solve_make.c, used in solve.c and solve_drag.c */

struct sinew_solver {
  const sinew_rig *rig;
  sinew_tangent *tangent, *limit_tangent; /* the second is NULL without limits */
  sinew_goal *goals, *kept_goals;
  float *scale; /* of each goal's residuals, by its priority */
  sinew_dof *dofs;
  int goal_count, columns, rows, limit_count;
  bool lazy_limits; /* some limit is not part of the fused program */
  si_limit *limits;
  int *held; /* limits that hold something */
  int held_count;
  si_cut *cuts;
  double *cut_normals;
  int cut_count;
  float *asked_least, *asked_most; /* set by the caller; infinite: the whole range */
  float *least, *most;             /* that each DOF may take here */
  float *range;                    /* the width of the DOF's whole range, its unit */
  float *stiffness;
  int *moved;   /* how many segments each DOF moves */
  float *value; /* of each DOF now */
  float *best;
  float *jacobian, *spare, *rate;
  double *residual, *trial_residual;
  double *x, *base;   /* DOFs in ranges: now, where a step begins */
  double *anchor;     /* where the solve or the drag began */
  double *pull_to;    /* where the first steps pull */
  double *low, *high; /* bounds of a step */
  double *step;
  int *free; /* columns that a step may move */
  /* of the quadratic program, for the free columns */
  double *gram, *curvature, *matrix, *gradient, *free_low, *free_high, *free_step, *free_cuts,
      *free_most;
  double *basis, *r, *multiplier, *vector;
  int *active;
  /* of a drag */
  bool pressed, walking;
  double *press, *frame, *way, *start, *start_aside;
  float *tried_target; /* of each goal, where an escape was last looked for */
  double lambda;
};

#endif
