/* What the parts of the solver share. The unknowns are the DOFs in units of their ranges; rows are
 * weighted residuals in metres. */
#ifndef SI_SOLVE_INTERNAL_H
#define SI_SOLVE_INTERNAL_H

#include "sinew/solve.h"
#include "sinew/tangent.h"

#include <math.h>

/* --- goals (solve_goal.c) */

/* Rows that a goal takes: 3, or 1 for a distance. */
int si_goal_rows(sinew_goal_kind kind);
/* False, with `error` filled, for a goal that cannot be. `index` is for the message. */
bool si_goal_check(const sinew_rig *rig, const sinew_goal *goal, int index, sinew_error *error);
/* Weighted residuals of one goal; the plain error in metres or degrees is returned. */
float si_goal_residual(const sinew_goal *goal, const sinew_pose *pose, float metres_per_radian,
                       double *rows);
/* The same rows of the Jacobian by each column of the tangent, per unit of the DOF: row k of column
 * c at dest[c * stride + k]. `spare` holds 6 floats a column. */
void si_goal_jacobian(const sinew_goal *goal, const sinew_tangent *tangent, const sinew_pose *pose,
                      float metres_per_radian, float *dest, int stride, float *spare);

/* --- one step (solve_step.c) */

/* min |r + J d|^2 + lambda |d|^2 + posture |d - wish|^2 with low <= d <= high. */
typedef struct si_step {
  int rows, columns;
  const float *jacobian;    /* column by column, `rows` apart, in units of ranges */
  const double *residual;   /* rows */
  const double *low, *high; /* how far each unknown may go */
  const double *wish;       /* where posture wants it */
  double posture;
  /* room: */
  double *matrix;  /* smaller of rows and columns, squared */
  double *vector;  /* twice the rows + columns */
  double *gram;    /* columns squared */
  bool gram_known; /* false at first: for another Jacobian it is taken anew */
  bool *fixed;
} si_step;
/* Fills `d`; false when numbers are beyond it. */
bool si_step_solve(si_step *s, double lambda, double *d);

/* --- settling (solve_settle.c) */

/* A DOF that goes straight into a port where a component may hold it back. Those of one component
 * stand together: it holds them as one. */
typedef struct si_settle {
  uint32_t component;
  uint32_t column;  /* of the solver's DOFs */
  uint32_t in, out; /* places in the value array: given is out where passed, else in + held */
  uint32_t hold;
  bool passed;
} si_settle;

/* Lists them; with NULL for `dest` only counts. `column_of` is the column of each DOF, or
 * UINT32_MAX. */
int si_settle_find(const sinew_rig *rig, const uint32_t *column_of, si_settle *dest);
/* Where the next component's begin. */
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
  float *asked_least, *asked_most; /* by the caller; infinite: all of the range */
  float *least, *most;             /* that each DOF may take here */
  float *range;                    /* the DOF's whole range: its unit */
  float *value;                    /* of each DOF now */
  float *best;
  float *start; /* of this round */
  float *jacobian, *spare;
  double *residual, *trial_residual, *low, *high, *wish, *step, *first_step, *promised, *matrix,
      *vector, *gram;
  bool *fixed;
  float
      *outward; /* the way, in ranges, in which a DOF is at a limit inside the rig; 0: it is not */
};

#endif
