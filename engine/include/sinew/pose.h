/* The pose: one character's DOF values and the transforms evaluated from them. Poses of one rig are
 * independent. If no component can fail (sinew_rig_can_fail), several threads may evaluate
 * different poses at a time. Setting and evaluating allocate nothing.
 *
 * Except for its DOFs, a pose reads as the last successful evaluation left it, whatever was set or
 * changed on the rig since. The values of some components are only computed on demand: the first
 * call of sinew_pose_value, _input, _local, _holds or _verify after an evaluation writes to the
 * pose, although it takes it as const. After that call, and with all other readers at any time, any
 * number of threads may read one pose as long as none sets or evaluates it. */
#ifndef SINEW_POSE_H
#define SINEW_POSE_H

#include "sinew/rig.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct sinew_pose sinew_pose;

/* Creates a pose with every DOF at rest. Returns NULL when memory runs out. The rig must outlive
 * the pose (see sinew_rig_destroy). */
SINEW_API sinew_pose *sinew_pose_create(const sinew_rig *rig, sinew_error *error);
SINEW_API void sinew_pose_destroy(sinew_pose *pose); /* NULL is allowed */
SINEW_API const sinew_rig *sinew_pose_rig(const sinew_pose *pose);

/* Sets a DOF. Returns SINEW_CLAMPED if the value was clamped to the DOF's range. Returns
 * SINEW_ERR_NOT_FINITE, and changes nothing, for a NaN or an infinity. */
SINEW_API sinew_status sinew_pose_set(sinew_pose *pose, sinew_dof dof, float value,
                                      sinew_error *error);
/* Sets all DOFs in the rig's order; `count` must be the rig's. If one value is not finite, none is
 * set. */
SINEW_API sinew_status sinew_pose_set_all(sinew_pose *pose, const float *values, int count,
                                          sinew_error *error);
/* The current value, inside its range. */
SINEW_API float sinew_pose_get(const sinew_pose *pose, sinew_dof dof);
/* All DOF values in the rig's order. */
SINEW_API const float *sinew_pose_dofs(const sinew_pose *pose);
/* Every DOF back to rest. */
SINEW_API void sinew_pose_reset(sinew_pose *pose);

/* Recomputes what is downstream of the DOFs that changed, then the world transforms. On failure the
 * pose keeps its last good transforms (before the first success, segments that a DOF moves are
 * placed as if undriven). */
SINEW_API sinew_status sinew_pose_eval(sinew_pose *pose, sinew_error *error);

/* For debugging: with `plain`, evaluates component by component, as the rig's author wired them,
 * instead of the fused program, which gives the same to 1e-6. The default is fused. */
SINEW_API void sinew_pose_set_plain(sinew_pose *pose, bool plain);

/* World matrices of the last good evaluation: of one segment, or of all in the rig's order, 16
 * floats each. Borrowed. */
SINEW_API const float *sinew_pose_world(const sinew_pose *pose, sinew_segment segment);
SINEW_API const float *sinew_pose_worlds(const sinew_pose *pose);
/* The matrix that drives a segment; the identity if it is undriven. */
SINEW_API const float *sinew_pose_local(const sinew_pose *pose, sinew_segment segment);
/* The value of a component's output: 1, 3 or 16 floats. */
SINEW_API const float *sinew_pose_value(const sinew_pose *pose, sinew_component component,
                                        int output);
/* The value that arrives at a component's input. */
SINEW_API const float *sinew_pose_input(const sinew_pose *pose, sinew_component component,
                                        int input);

/* Checks an evaluated pose thoroughly, for tests and tools: every value is finite, every world
 * matrix rigid, and every component's `verify` succeeds. The error names the first failure. */
SINEW_API sinew_status sinew_pose_verify(const sinew_pose *pose, sinew_error *error);

/* A value that is held back by a DOF's own range or by a component. */
typedef struct sinew_hold {
  sinew_dof dof;             /* null if a component holds */
  sinew_component component; /* null if a DOF's range holds */
  const char *name;          /* of the DOF or the component, in full */
  const char *port;          /* the component's port; "" for a DOF */
  const char *doc;           /* by what */
  float amount;              /* given minus wanted */
} sinew_hold;

/* Fills up to `capacity` holds; returns how many there are. */
SINEW_API int sinew_pose_holds(const sinew_pose *pose, sinew_hold *dest, int capacity);

#ifdef __cplusplus
}
#endif
#endif
