/* Inverse kinematics: the DOFs for which points, orientations, directions and distances of a pose
 * are where they are wanted, or as near as the rig can come.
 *
 * A solver is made for one rig, some of its DOFs and some goals, and may be used any number of
 * times with other targets; solving allocates nothing. It moves DOFs only inside their ranges, and
 * a rig holds its own limits whatever its DOFs are, so every pose on the way is a legal one. The
 * same start and targets give the same result. For one thread at a time. */
#ifndef SINEW_SOLVE_H
#define SINEW_SOLVE_H

#include "sinew/pose.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef enum sinew_goal_kind {
  SINEW_GOAL_POINT, /* `point` of the segment at `target` */
  SINEW_GOAL_TURN,  /* the segment oriented like `frame` */
  SINEW_GOAL_AIM,   /* `direction` of the segment along the world direction `target` */
  SINEW_GOAL_LOOK,  /* `direction`, from `point` of the segment, towards the world point `target` */
  SINEW_GOAL_DISTANCE, /* `point` of the segment `distance` away from `other_point` of `other`, or,
                          where `other` is null, from `target` */
  SINEW_GOAL_KINDS
} sinew_goal_kind;

typedef struct sinew_goal {
  sinew_goal_kind kind;
  sinew_segment segment;
  float point[3];     /* in the segment's coordinates */
  float direction[3]; /* likewise; need not be of length 1 */
  float target[3];    /* in the world */
  float frame[16];    /* its rotation is the wanted one */
  sinew_segment other;
  float other_point[3];
  float distance; /* metres, at least 0 */
  float weight;   /* of its squared error; 0: not asked for at the moment */
} sinew_goal;

/* Of weight 1, everything else zero, the frame the identity. */
SINEW_API sinew_goal sinew_default_goal(sinew_goal_kind kind, sinew_segment segment);

typedef struct sinew_solver_desc {
  const sinew_dof *dofs; /* that may be moved; NULL: all that move a goal's segment */
  int dof_count;
  const sinew_goal *goals;
  int goal_count;
} sinew_solver_desc;

typedef struct sinew_solver sinew_solver;

/* NULL, with `error` filled, for an id that is none of the rig's, a goal that cannot be (a
 * direction without length, a number that is not finite), no goals, or when memory is out. The rig
 * must outlive it. */
SINEW_API sinew_solver *sinew_solver_create(const sinew_rig *rig, const sinew_solver_desc *desc,
                                            sinew_error *error);
SINEW_API void sinew_solver_destroy(sinew_solver *solver); /* NULL is allowed */

SINEW_API int sinew_solver_dof_count(const sinew_solver *solver);
SINEW_API sinew_dof sinew_solver_dof(const sinew_solver *solver, int index);
SINEW_API int sinew_solver_goal_count(const sinew_solver *solver);
SINEW_API sinew_goal sinew_solver_goal(const sinew_solver *solver, int index);
/* Another target, point, weight ... of a goal; its kind and segments stay. */
SINEW_API sinew_status sinew_solver_set_goal(sinew_solver *solver, int index,
                                             const sinew_goal *goal, sinew_error *error);
/* The values that a DOF may take in this solver: less than its range, or all of it
 * (-INFINITY, INFINITY). Solving begins by bringing it in. */
SINEW_API sinew_status sinew_solver_set_range(sinew_solver *solver, int index, float min, float max,
                                              sinew_error *error);

typedef struct sinew_solve_options {
  int iterations;          /* at most, all starts together; an iteration takes one Jacobian */
  double seconds;          /* at most; 0: no limit */
  float tolerance;         /* metres that points and distances may be off */
  float tolerance_turn;    /* degrees that directions and orientations may be off */
  float posture;           /* weight of the DOFs' distances from `rest`, in units of their ranges */
  const float *rest;       /* one value for each DOF of the solver; NULL: the rig's rest values */
  bool restarts;           /* start again from elsewhere when it is stuck: for a single solution;
                              without, the pose moves on from where it is: for dragging */
  float metres_per_radian; /* what one radian of a direction or orientation is worth */
} sinew_solve_options;

/* 50 iterations, no time limit, 0.1 mm, 0.1 degrees, no posture, restarts, 0.3 metres. */
SINEW_API sinew_solve_options sinew_default_solve_options(void);

typedef enum sinew_solve_end {
  SINEW_SOLVE_REACHED, /* every goal is within tolerance */
  SINEW_SOLVE_NEAREST, /* no step from here comes nearer */
  SINEW_SOLVE_ITERATIONS,
  SINEW_SOLVE_SECONDS
} sinew_solve_end;

/* "reached", "nearest", "iterations" or "seconds". */
SINEW_API const char *sinew_solve_end_name(sinew_solve_end end);

typedef struct sinew_solve_result {
  sinew_solve_end end;
  int iterations, evaluations, starts;
  float error;      /* the worst of points and distances, in metres */
  float error_turn; /* the worst of directions and orientations, in degrees */
  float cost;       /* half the weighted sum of squares, posture included */
} sinew_solve_result;

/* Solves from the pose as it is, and leaves the best pose found, evaluated, in it. NULL for
 * `options` takes the defaults; `result` may be NULL. Fails when an option cannot be (then
 * nothing has changed) or the pose cannot be evaluated; the best pose until then is left. */
SINEW_API sinew_status sinew_solver_solve(sinew_solver *solver, sinew_pose *pose,
                                          const sinew_solve_options *options,
                                          sinew_solve_result *result, sinew_error *error);

/* How far a goal is off at an evaluated pose: metres, or degrees for directions and orientations.
 */
SINEW_API float sinew_goal_error(const sinew_goal *goal, const sinew_pose *pose);

#ifdef __cplusplus
}
#endif
#endif
