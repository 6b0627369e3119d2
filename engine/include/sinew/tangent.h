/* Exact derivatives of a pose with respect to its DOFs, by forward mode through the network: for
 * each DOF only what it moves is visited, and for each component its derivative is worked out once
 * for all DOFs that reach it.
 *
 * Derivatives are per unit of the DOF as it is given: metres per degree, radians of turn per
 * degree, degrees per degree ... Where a value has a kink they are those of the side on which
 * nothing is held back: a rotation exactly at the end of its range, a direction exactly on a cone,
 * a value exactly on its bound and a DOF at the end of its own range move freely, while what is
 * beyond a limit is stuck to it and moves along it only. A curve at one of its points has the slope
 * to the right, at the last point to the left.
 *
 * A component class without a derivative of its own is differenced: centrally, or towards the
 * inside where the DOF is at an end of its range, by steps of 1/256 of that range. */
#ifndef SINEW_TANGENT_H
#define SINEW_TANGENT_H

#include "sinew/pose.h"

#ifdef __cplusplus
extern "C" {
#endif

/* Room and order of work for the derivatives of one rig's poses with respect to some DOFs. For one
 * thread at a time. */
typedef struct sinew_tangent sinew_tangent;

typedef struct sinew_output {
  sinew_component component;
  int output;
} sinew_output;

/* What to work out: less costs less. */
typedef struct sinew_tangent_desc {
  const sinew_dof *dofs; /* column by column; NULL: all of them, in the rig's order */
  int dof_count;
  const sinew_segment *segments; /* whose movement is asked for; NULL: all of them */
  int segment_count;
  const sinew_output *outputs; /* whose derivative is asked for; NULL: all, where segments is NULL
                                  too, else none */
  int output_count;
} sinew_tangent_desc;

/* NULL for `desc`: everything. An id that is none of the rig's, or a DOF that stands twice, is
 * refused. NULL, with `error` filled, then and when memory is out. The rig must outlive it. */
SINEW_API sinew_tangent *sinew_tangent_create(const sinew_rig *rig, const sinew_tangent_desc *desc,
                                              sinew_error *error);
SINEW_API void sinew_tangent_destroy(sinew_tangent *tangent); /* NULL is allowed */

/* How many DOFs it is for, and which one a column is; null past the end. */
SINEW_API int sinew_tangent_columns(const sinew_tangent *tangent);
SINEW_API sinew_dof sinew_tangent_dof(const sinew_tangent *tangent, int column);

/* Works the derivatives out at the pose, which is evaluated first where that is due, and must be of
 * the same rig. Allocates nothing. When it fails, because a component does or the matrix that
 * drives a segment is singular, what can be read below is not to be trusted. */
SINEW_API sinew_status sinew_tangent_eval(sinew_tangent *tangent, sinew_pose *pose,
                                          sinew_error *error);

/* What follows reads the last evaluation. The segment or output must be among those asked for. */

/* How many of the columns move the segment, and which, rising; borrowed. */
SINEW_API int sinew_tangent_reach(const sinew_tangent *tangent, sinew_segment segment,
                                  const uint32_t **columns);

/* The rows of a Jacobian: three numbers for each column, those of column c at dest + c * stride,
 * with a `stride` of at least 3; zeros where the DOF does not move the segment. Of a point of the
 * segment, in its own coordinates: how it moves in the world. */
SINEW_API void sinew_tangent_point(const sinew_tangent *tangent, sinew_segment segment,
                                   const float point[3], float *dest, int stride);
/* The same of a direction of the segment. */
SINEW_API void sinew_tangent_direction(const sinew_tangent *tangent, sinew_segment segment,
                                       const float direction[3], float *dest, int stride);
/* The same of its orientation: the vector about which it turns, in the world, as long as the turn
 * in radians. */
SINEW_API void sinew_tangent_turn(const sinew_tangent *tangent, sinew_segment segment, float *dest,
                                  int stride);

/* The derivative of a segment's world matrix by one column: 16 floats, the last row 0. */
SINEW_API void sinew_tangent_world(const sinew_tangent *tangent, sinew_segment segment, int column,
                                   float dest[16]);
/* The derivative of a component's output by one column: 1, 3 or 16 floats, borrowed; NULL where
 * the DOF does not reach the component. */
SINEW_API const float *sinew_tangent_value(const sinew_tangent *tangent, sinew_component component,
                                           int output, int column);

/* Whether a component's derivative comes by differences, since its class has none of its own. */
SINEW_API bool sinew_tangent_differenced(const sinew_rig *rig, sinew_component component);

#ifdef __cplusplus
}
#endif
#endif
