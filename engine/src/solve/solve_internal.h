/* What the parts of the solver share. The unknowns are the DOFs in units of their ranges; rows are
 * weighted residuals in metres. */
#ifndef SI_SOLVE_INTERNAL_H
#define SI_SOLVE_INTERNAL_H

#include "sinew/solve.h"
#include "sinew/tangent.h"

#include <math.h>

/* --- goals (solve_goal.c) */

/* The number of rows of a goal: 3, or 1 for a distance. */
int si_goal_rows(sinew_goal_kind kind);
/* False, with `error` filled, for an invalid goal. `index` is for the message. */
bool si_goal_check(const sinew_rig *rig, const sinew_goal *goal, int index, sinew_error *error);
/* Fills the weighted residuals of one goal; returns the unweighted error in metres or degrees. */
float si_goal_residual(const sinew_goal *goal, const sinew_pose *pose, float metres_per_radian,
                       double *rows);
/* The rows of the Jacobian for each column of the tangent, per unit of the DOF: row k of column c
 * is dest[c stride + k]. `spare` has 6 floats per column. */
void si_goal_jacobian(const sinew_goal *goal, const sinew_tangent *tangent, const sinew_pose *pose,
                      float metres_per_radian, float *dest, int stride, float *spare);

/* --- one step (solve_step.c) */

/* min |r + J d|^2 + lambda |d|^2 + posture |d - wish|^2 with low <= d <= high. */
typedef struct si_step {
  int rows, columns;
  const float *jacobian;    /* column by column, `rows` apart, in units of ranges */
  const double *residual;   /* rows */
  const double *low, *high; /* bounds of each unknown */
  const double *wish;       /* where posture wants it */
  double posture;
  /* working memory: */
  double *matrix;  /* smaller of rows and columns, squared */
  double *vector;  /* twice the rows + columns */
  double *gram;    /* columns squared */
  bool gram_known; /* set it to false for a new Jacobian, which recomputes it */
  bool *fixed;
} si_step;
/* Fills `d`; false if the matrix is numerically singular. */
bool si_step_solve(si_step *s, double lambda, double *d);

/* --- settling (solve_settle.c) */

/* A DOF that goes unchanged into a port where a component may hold it back. Those of one component
 * are adjacent, since it holds them together. */
typedef struct si_settle {
  uint32_t component;
  uint32_t column;  /* of the solver's DOFs */
  uint32_t in, out; /* in the value array; the value given is out if passed, else in + held */
  uint32_t hold;
  bool passed;
} si_settle;

/* Lists them; if `dest` is NULL, only counts them. `column_of` is the column of each DOF, or
 * UINT32_MAX. */
int si_settle_find(const sinew_rig *rig, const uint32_t *column_of, si_settle *dest);
/* The index of the first one of the next component. */
int si_settle_next(const si_settle *settles, int count, int at);
/* How far a DOF is beyond what the component lets through: given minus wanted. */
float si_settle_amount(const si_settle *settle, const float *values);

/* --- the solver itself: made in solve_make.c, used in solve.c */

struct sinew_solver {
  const sinew_rig *rig;
  sinew_tangent *tangent;
  sinew_goal *goals;
  sinew_dof *dofs;
  int goal_count, columns, rows, settle_count;
  si_settle *settles;
  float *asked_least, *asked_most; /* set by the caller; infinite: the whole range */
  float *least, *most;             /* that each DOF may take here */
  float *range;                    /* the width of the DOF's whole range, its unit */
  float *value;                    /* of each DOF now */
  float *best;
  float *start; /* of this round */
  float *jacobian, *spare;
  double *residual, *trial_residual, *low, *high, *wish, *step, *first_step, *promised, *matrix,
      *vector, *gram;
  bool *fixed;
  float
      *outward; /* the direction, in ranges, in which a DOF is at a limit inside the rig; 0: none */
};

#endif
