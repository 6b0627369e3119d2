/* Inverse kinematics: finds the DOFs at which points, orientations, directions and distances of a
 * pose reach their targets, or come as near as the rig can.
 *
 * A solver is created for one rig, some of its DOFs and some goals. It may be used any number of
 * times with other targets; solving allocates nothing. It moves DOFs only inside their ranges, and
 * the rig enforces its limits for all values of its DOFs, so every pose on the way is valid. The
 * same start and targets give the same result. A solver belongs to one thread at a time. */
#ifndef SINEW_SOLVE_H
#define SINEW_SOLVE_H

#include "sinew/pose.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef enum sinew_goal_kind {
  SINEW_GOAL_POINT, /* moves `point` of the segment to `target` */
  SINEW_GOAL_TURN,  /* orients the segment like `frame` */
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
  float direction[3]; /* in the segment's coordinates; of any length above 0 */
  float target[3];    /* in the world */
  float frame[16];    /* its rotation is the wanted one */
  sinew_segment other;
  float other_point[3];
  float distance; /* metres, at least 0 */
  float weight;   /* of its squared error; 0: ignored */
} sinew_goal;

/* Weight 1, `frame` the identity, everything else zero. */
SINEW_API sinew_goal sinew_default_goal(sinew_goal_kind kind, sinew_segment segment);

typedef struct sinew_solver_desc {
  size_t size;           /* filled by sinew_default_solver_desc */
  const sinew_dof *dofs; /* that may be moved; NULL: all that move a goal's segment */
  int dof_count;
  const sinew_goal *goals;
  int goal_count;
} sinew_solver_desc;

/* No goals, all DOFs that move one. */
SINEW_API sinew_solver_desc sinew_default_solver_desc(void);

typedef struct sinew_solver sinew_solver;

/* Returns NULL, with `error` filled, for an id that does not belong to the rig, an invalid goal (a
 * direction of length 0, a number that is not finite), no goals, or when memory runs out. The rig
 * must outlive it. */
SINEW_API sinew_solver *sinew_solver_create(const sinew_rig *rig, const sinew_solver_desc *desc,
                                            sinew_error *error);
SINEW_API void sinew_solver_destroy(sinew_solver *solver); /* NULL is allowed */

SINEW_API int sinew_solver_dof_count(const sinew_solver *solver);
SINEW_API sinew_dof sinew_solver_dof(const sinew_solver *solver, int index);
SINEW_API int sinew_solver_goal_count(const sinew_solver *solver);
SINEW_API sinew_goal sinew_solver_goal(const sinew_solver *solver, int index);
/* Changes the target, point, weight ... of a goal. Its kind and segments stay. */
SINEW_API sinew_status sinew_solver_set_goal(sinew_solver *solver, int index,
                                             const sinew_goal *goal, sinew_error *error);
/* Limits a DOF in this solver to a part of its range, or to all of it (-INFINITY, INFINITY).
 * Solving starts by clamping the DOF to these limits. */
SINEW_API sinew_status sinew_solver_set_range(sinew_solver *solver, int index, float min, float max,
                                              sinew_error *error);

typedef struct sinew_solve_options {
  size_t size;             /* filled by sinew_default_solve_options */
  int iterations;          /* at most, over all starts; each computes one Jacobian */
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

/* Solves, starting from the pose as it is. The pose becomes the best one found, evaluated.
 * `options` NULL takes the defaults; `result` may be NULL. Fails if an option is invalid (then
 * nothing has changed) or the pose cannot be evaluated (then the pose is the best one until
 * then). */
SINEW_API sinew_status sinew_solver_solve(sinew_solver *solver, sinew_pose *pose,
                                          const sinew_solve_options *options,
                                          sinew_solve_result *result, sinew_error *error);

/* The shortest way to pull a bone: a solver with one goal, the bone's origin, and a call that moves
 * the pose towards a target in the world. It goes on from where the pose is, as dragging needs it:
 * at most 15 iterations and no restarts. Returns how far the bone is from the target, in metres;
 * infinity if the pose cannot be evaluated. */
SINEW_API sinew_solver *sinew_reach_create(const sinew_rig *rig, sinew_segment bone,
                                           sinew_error *error);
SINEW_API float sinew_reach(sinew_solver *solver, sinew_pose *pose, sinew_vec3 target);

/* The error of a goal at an evaluated pose: metres, or degrees for directions and orientations. */
SINEW_API float sinew_goal_error(const sinew_goal *goal, const sinew_pose *pose);

#ifdef __cplusplus
}
#endif
#endif
