/* The table entry of a kind of goal, for the files that have the kinds. */
#ifndef SI_GOAL_INTERNAL_H
#define SI_GOAL_INTERNAL_H

#include "math/matrix.h"
#include "solve/solve_internal.h"

/* The functions leave out the goal's weight. */
typedef struct si_goal_class {
  int rows;
  bool angular;  /* the error is an angle */
  bool radians;  /* so are the residuals */
  bool directed; /* needs a direction */
  /* fills the residuals, in metres or radians; returns the error in metres or radians */
  double (*residual)(const sinew_goal *goal, const sinew_pose *pose, double *dest);
  /* the derivative of the residuals; see si_goal_jacobian */
  void (*jacobian)(const sinew_goal *goal, const sinew_tangent *tangent, const sinew_pose *pose,
                   float *dest, int stride, float *spare);
} si_goal_class;

extern const si_goal_class si_goal_pole, si_goal_above, si_goal_balance;

/* a point of a segment, in the world */
static inline void si_goal_point(const sinew_pose *pose, sinew_segment segment, const float *point,
                                 float *dest) {
  si_mat_point(sinew_pose_world(pose, segment), point, dest);
}

#endif
