/* Inverse kinematics: finds the DOFs at which points, orientations, directions and distances of a
 * pose reach their targets, or come as near as the rig can.
 *
 * A solver is created for one rig, some of its DOFs and some goals. It may be used any number of
 * times with other targets; solving allocates nothing. Ranges, bounds, cones, fields and all other
 * limits of the rig are constraints of every step: the pose moves along a limit and leaves it when
 * the goal does, and the returned pose has no active hold, unless the rig holds something in every
 * pose nearby. The same start and targets give the same result. A solver belongs to one thread at a
 * time. */
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
  SINEW_GOAL_POLE,     /* turns a limb about the line from `other_point` of `other` (the shoulder)
                          to `end_point` of `end` (the wrist), until `point` of the segment (the
                          elbow) is on the side of the world point `target` */
  SINEW_GOAL_ABOVE,    /* keeps `point` at least `distance` above the plane through `target` whose
                          normal is the world direction `direction` */
  SINEW_GOAL_BALANCE,  /* keeps the rig's centre of mass over its feet: seen along the world
                          direction `direction`, within `distance` of the line from `point` of the
                          segment to `other_point` of `other`; where `other` is null, of `point` */
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
  float distance;    /* metres, at least 0 */
  float weight;      /* of its squared error; 0: ignored */
  sinew_segment end; /* of a pole */
  float end_point[3];
  int priority; /* 0 to 3. A goal of a higher number gives way: of two that conflict, its squared
                   error counts 10,000 times less for each step */
} sinew_goal;

/* Weight 1, `frame` the identity, everything else zero. */
SINEW_API sinew_goal sinew_default_goal(sinew_goal_kind kind, sinew_segment segment);

typedef struct sinew_solver_desc {
  size_t size;           /* filled by sinew_default_solver_desc */
  const sinew_dof *dofs; /* that may be moved; NULL: all that move a goal's segment */
  int dof_count;
  const sinew_goal *goals;
  int goal_count;
  bool root; /* with `dofs` NULL: also DOFs that move the whole rig, or all of its mass. Without it
                they are used only where a goal's segment is moved by no other DOF */
} sinew_solver_desc;

/* No goals, all DOFs that move one except those that move the whole rig. */
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
/* The limits that were set; infinite where it is the whole range. */
SINEW_API void sinew_solver_range(const sinew_solver *solver, int index, float *dest_min,
                                  float *dest_max);

/* How much a DOF resists, relative to the others; above 0. A DOF of 100 moves a hundredth of what
 * one of 1 moves, and one above 30 moves only where the softer ones cannot reach the goals. At
 * first it is what the rig says (sinew_dof_desc), or else comes from what the DOF has to carry
 * along: 1 for a limb, hundreds for the trunk, thousands for the whole rig. */
SINEW_API float sinew_solver_stiffness(const sinew_solver *solver, int index);
SINEW_API sinew_status sinew_solver_set_stiffness(sinew_solver *solver, int index, float stiffness,
                                                  sinew_error *error);

/* Where the posture term pulls. */
typedef enum sinew_posture {
  SINEW_POSTURE_REST,  /* to `rest` of the options, or where it is NULL to the rig's rest pose */
  SINEW_POSTURE_START, /* to the pose in which the solve or the drag began */
} sinew_posture;

typedef struct sinew_solve_options {
  size_t size;             /* filled by sinew_default_solve_options */
  int iterations;          /* at most, over all starts; each computes one Jacobian */
  double seconds;          /* at most; 0: no limit */
  float tolerance;         /* metres that points and distances may be off */
  float tolerance_turn;    /* degrees that directions and orientations may be off */
  float posture;           /* weight of the DOFs' distances from `rest`, in units of their ranges */
  const float *rest;       /* one value for each DOF of the solver; NULL: the rig's rest values */
  bool restarts;           /* start again from random poses, in a fixed sequence, when escapes have
                              not helped; a drag never does */
  float metres_per_radian; /* what one radian of a direction or orientation is worth */
  bool escapes;            /* where it is stuck, try again from halfway to the middle of the ranges,
                              from their middle, and from a quarter of them to either side */
  sinew_posture towards;   /* where `posture` pulls */
  float most_step;         /* that a DOF may move in one call, in units of its range; 0: no limit */
} sinew_solve_options;

/* 100 iterations, no time limit, 0.1 mm, 0.1 degrees, no posture, restarts, 0.3 metres, escapes,
 * towards rest, no limit of a step. */
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

/* A drag: sinew_solver_press where the mouse button goes down, then set the goals and call
 * sinew_solver_drag once a frame. The pose moves on from where it is, by at most `most_step` of
 * each DOF's range (0.05 where the options have 0). DOFs that the goals leave free go back to the
 * pose of the press, so that a goal that returns to where it began brings that pose back. Where the
 * way to the goal is blocked, the solver looks for a way round aside and walks it in steps of the
 * same size. A drag without a press begins with its first frame. */
SINEW_API sinew_status sinew_solver_press(sinew_solver *solver, sinew_pose *pose,
                                          sinew_error *error);
SINEW_API sinew_status sinew_solver_drag(sinew_solver *solver, sinew_pose *pose,
                                         const sinew_solve_options *options,
                                         sinew_solve_result *result, sinew_error *error);

/* The shortest way to pull a bone: a solver with one goal, the bone's origin, and a call that moves
 * the pose towards a target in the world, as a frame of a drag. Returns how far the bone is from
 * the target, in metres; infinity if the pose cannot be evaluated. */
SINEW_API sinew_solver *sinew_reach_create(const sinew_rig *rig, sinew_segment bone,
                                           sinew_error *error);
SINEW_API float sinew_reach(sinew_solver *solver, sinew_pose *pose, sinew_vec3 target);

/* The error of a goal at an evaluated pose: metres, or degrees for directions and orientations. */
SINEW_API float sinew_goal_error(const sinew_goal *goal, const sinew_pose *pose);

/* Many characters of one rig, solved in one call by several threads. A batch belongs to one thread
 * at a time. */
typedef struct sinew_solve_batch sinew_solve_batch;

/* `threads`, including the calling one, share the work: 1 to 256, or 0 for as many as the machine
 * has. If a component of the rig can fail (sinew_rig_can_fail), as scripted ones can, the calling
 * thread does all of it. Returns NULL, with `error` filled, for a desc of which no solver can be
 * created, a number of threads that is not allowed, and when memory or threads run out. The rig
 * must outlive it. */
SINEW_API sinew_solve_batch *sinew_solve_batch_create(const sinew_rig *rig,
                                                      const sinew_solver_desc *desc, int threads,
                                                      sinew_error *error);
SINEW_API void sinew_solve_batch_destroy(sinew_solve_batch *batch); /* NULL is allowed */
SINEW_API int sinew_solve_batch_threads(const sinew_solve_batch *batch);
/* The solver whose ranges and stiffness count for all characters; borrowed. A run overwrites its
 * goals. Do not use it during a run. */
SINEW_API sinew_solver *sinew_solve_batch_solver(const sinew_solve_batch *batch);

/* Solves `count` characters. `dofs` holds the values of all DOFs of the rig, in its order, for each
 * character, `stride` floats apart: from where it starts, and then what was found. `goals` holds
 * all goals of the first character, then those of the second, and so on; their kinds and segments
 * are those of the desc. `options` NULL takes the defaults; their `seconds` are those of one
 * character. `results` has one for each character, or is NULL. Allocates nothing.
 *
 * Each character gets the same bits as when it is solved alone from the same start, with any number
 * of threads, unless `seconds` is set. A character fails where sinew_pose_set_all,
 * sinew_solver_set_goal or sinew_solver_solve would: its values stay as they were, and the errors
 * in its result are infinite. All others are solved as usual. The status and the error are those of
 * the first one that failed, counted from 1: "character 17: goal 2, on 'hand', needs a rigid
 * frame". */
SINEW_API sinew_status sinew_solve_batch_run(sinew_solve_batch *batch, float *dofs, int stride,
                                             const sinew_goal *goals, int count,
                                             const sinew_solve_options *options,
                                             sinew_solve_result *results, sinew_error *error);

#ifdef __cplusplus
}
#endif
#endif
