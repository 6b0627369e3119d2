/* Exact derivatives of a pose with respect to its DOFs, by forward-mode differentiation of the
 * network. For each DOF only the components that it moves are visited, and each component's
 * derivative is computed once for all DOFs that reach it. A sinew_tangent belongs to one thread at
 * a time.
 *
 * Derivatives are per unit of the DOF: metres per degree, radians of rotation per degree, degrees
 * per degree ... Where a value has a kink, they are those of the side on which nothing is held
 * back: a rotation exactly at the end of its range, a direction exactly on a cone, a value exactly
 * on its bound and a DOF at the end of its own range move freely, while a value beyond a limit is
 * held to it and only moves along it. At a point of a curve it is the slope to the right, at the
 * last point to the left.
 *
 * If a component class has no derivative of its own, finite differences replace it: central ones,
 * or one-sided to the inside if the DOF is at an end of its range, with steps of 1/256 of that
 * range. */
#ifndef SINEW_TANGENT_H
#define SINEW_TANGENT_H

#include "sinew/pose.h"

#ifdef __cplusplus
extern "C" {
#endif

/* Memory and the plan for the derivatives of one rig's poses with respect to some DOFs. */
typedef struct sinew_tangent sinew_tangent;

typedef struct sinew_output {
  sinew_component component;
  int output;
} sinew_output;

/* What to compute: less takes less time. */
typedef struct sinew_tangent_desc {
  size_t size;           /* filled by sinew_default_tangent_desc */
  const sinew_dof *dofs; /* one for each column; NULL: all of them, in the rig's order */
  int dof_count;
  const sinew_segment *segments; /* whose movement is wanted; NULL: all of them */
  int segment_count;
  const sinew_output *outputs; /* whose derivative is wanted; NULL: all, if segments is NULL
                                  too, else none */
  int output_count;
} sinew_tangent_desc;

/* Everything. */
SINEW_API sinew_tangent_desc sinew_default_tangent_desc(void);

/* `desc` NULL means everything. Returns NULL, with `error` filled, for an id that does not belong
 * to the rig, a duplicate DOF, or when memory runs out. The rig must outlive it. */
SINEW_API sinew_tangent *sinew_tangent_create(const sinew_rig *rig, const sinew_tangent_desc *desc,
                                              sinew_error *error);
SINEW_API void sinew_tangent_destroy(sinew_tangent *tangent); /* NULL is allowed */

/* The number of columns, and the DOF of a column; null past the end. */
SINEW_API int sinew_tangent_columns(const sinew_tangent *tangent);
SINEW_API sinew_dof sinew_tangent_dof(const sinew_tangent *tangent, int column);

/* Computes the derivatives at the pose, which must be of the same rig and is evaluated first if
 * needed. Allocates nothing. Fails if a component fails or the matrix that drives a segment is
 * singular; the results below are then invalid. */
SINEW_API sinew_status sinew_tangent_eval(sinew_tangent *tangent, sinew_pose *pose,
                                          sinew_error *error);

/* The functions below read the last evaluation. The segment or output must be one that the desc
 * has. */

/* How many columns move the segment, and which, ascending; borrowed. */
SINEW_API int sinew_tangent_reach(const sinew_tangent *tangent, sinew_segment segment,
                                  const uint32_t **columns);

/* The rows of a Jacobian: three numbers for each column, those of column c at dest + c * stride,
 * with a `stride` of at least 3; zeros if the DOF does not move the segment. For a point of the
 * segment, in its own coordinates: its velocity in the world. */
SINEW_API void sinew_tangent_point(const sinew_tangent *tangent, sinew_segment segment,
                                   const float point[3], float *dest, int stride);
/* The same for a direction of the segment. */
SINEW_API void sinew_tangent_direction(const sinew_tangent *tangent, sinew_segment segment,
                                       const float direction[3], float *dest, int stride);
/* The same for its orientation: the rotation vector in the world, whose length is the angle in
 * radians. */
SINEW_API void sinew_tangent_turn(const sinew_tangent *tangent, sinew_segment segment, float *dest,
                                  int stride);

/* The derivative of a segment's world matrix by one column: 16 floats, the last row 0. */
SINEW_API void sinew_tangent_world(const sinew_tangent *tangent, sinew_segment segment, int column,
                                   float dest[16]);
/* The derivative of a component's output by one column: 1, 3 or 16 floats, borrowed. NULL if the
 * DOF does not reach the component. */
SINEW_API const float *sinew_tangent_value(const sinew_tangent *tangent, sinew_component component,
                                           int output, int column);

/* Whether a component's derivative comes from finite differences, since its class has none of its
 * own. */
SINEW_API bool sinew_tangent_differenced(const sinew_rig *rig, sinew_component component);

#ifdef __cplusplus
}
#endif
#endif
