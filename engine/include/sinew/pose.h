/* The pose: one character's DOF values and the transforms evaluated from them. Poses of one rig are
 * independent; where no component can fail they may be evaluated on different threads. Setting and
 * evaluating allocate nothing.
 *
 * What is read of a pose, other than its DOFs, is what the last good evaluation gave, whatever has
 * been set or changed on the rig since. The values of some components are only computed when one is
 * asked for: the first call of sinew_pose_value, _input, _local, _holds or _verify after an
 * evaluation writes to the pose, although it takes it as const. After that call, and for all other
 * readers at any time, any number of threads may read one pose as long as none sets or evaluates
 * it. */
#ifndef SINEW_POSE_H
#define SINEW_POSE_H

#include "sinew/rig.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct sinew_pose sinew_pose;

/* Every DOF at rest. NULL when memory is out. The rig must outlive every use of the pose but its
 * destruction. */
SINEW_API sinew_pose *sinew_pose_create(const sinew_rig *rig, sinew_error *error);
SINEW_API void sinew_pose_destroy(sinew_pose *pose); /* NULL is allowed */
SINEW_API const sinew_rig *sinew_pose_rig(const sinew_pose *pose);

/* Sets a DOF. SINEW_CLAMPED when its range held it; SINEW_ERR_NOT_FINITE, and nothing changed, for
 * a NaN or an infinity. */
SINEW_API sinew_status sinew_pose_set(sinew_pose *pose, sinew_dof dof, float value,
                                      sinew_error *error);
/* Sets all DOFs in the rig's order; `count` must be the rig's. All or, when one is not finite,
 * none. */
SINEW_API sinew_status sinew_pose_set_all(sinew_pose *pose, const float *values, int count,
                                          sinew_error *error);
/* The value in force, inside its range. */
SINEW_API float sinew_pose_get(const sinew_pose *pose, sinew_dof dof);
/* All DOF values in the rig's order. */
SINEW_API const float *sinew_pose_dofs(const sinew_pose *pose);
/* Every DOF back to rest. */
SINEW_API void sinew_pose_reset(sinew_pose *pose);

/* Recomputes what is downstream of the DOFs that changed, then the world transforms. On failure the
 * pose keeps its last good transforms (before the first success: segments that a DOF moves stand
 * undriven). */
SINEW_API sinew_status sinew_pose_eval(sinew_pose *pose, sinew_error *error);

/* For debugging: evaluates component by component, as the rig's author wired them, instead of the
 * fused program, which gives the same to 1e-6 (unless told otherwise: fused). */
SINEW_API void sinew_pose_set_plain(sinew_pose *pose, bool plain);

/* World matrices after the last good evaluation: one segment's, or all in the rig's order, 16
 * floats each. Borrowed. */
SINEW_API const float *sinew_pose_world(const sinew_pose *pose, sinew_segment segment);
SINEW_API const float *sinew_pose_worlds(const sinew_pose *pose);
/* The driven matrix of a segment: the identity where it is undriven. */
SINEW_API const float *sinew_pose_local(const sinew_pose *pose, sinew_segment segment);
/* The value of a component's output: 1, 3 or 16 floats. */
SINEW_API const float *sinew_pose_value(const sinew_pose *pose, sinew_component component,
                                        int output);
/* The value that arrives at a component's input. */
SINEW_API const float *sinew_pose_input(const sinew_pose *pose, sinew_component component,
                                        int input);

/* Checks an evaluated pose the slow way, for tests and tools: every value finite, every world matrix
 * rigid, every component's own promise kept. The error names the first that is not. */
SINEW_API sinew_status sinew_pose_verify(const sinew_pose *pose, sinew_error *error);

/* Something that is being held back: by a DOF's own range, or by a component. */
typedef struct sinew_hold {
  sinew_dof dof;             /* null where a component holds */
  sinew_component component; /* null where a DOF's range holds */
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
