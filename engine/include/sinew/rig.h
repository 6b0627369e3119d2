/* The compiled rig: const, shared by any number of poses. Everything that it was compiled from can
 * be read back. Any number of threads may read one rig and create poses of it at a time; a thread
 * may change or destroy it only while no other thread uses it or one of its poses. */
#ifndef SINEW_RIG_H
#define SINEW_RIG_H

#include "sinew/builder.h"
#include "sinew/cone.h"

#ifdef __cplusplus
extern "C" {
#endif

/* Destroy everything that was created for the rig first: poses, batches, tangents, solvers, skins,
 * recordings and glTF scenes. If something is left, it is reported to the assert handler, and the
 * rig stays. NULL is allowed. */
SINEW_API void sinew_rig_destroy(sinew_rig *rig);
/* For programs that replace a rig while others may still have poses of it: from now on these may
 * only be destroyed, at any time, and sinew_rig_destroy does not report them. */
SINEW_API void sinew_rig_detach(sinew_rig *rig);

SINEW_API const char *sinew_rig_name(const sinew_rig *rig);
SINEW_API int sinew_rig_segment_count(const sinew_rig *rig);
SINEW_API int sinew_rig_dof_count(const sinew_rig *rig);
SINEW_API int sinew_rig_component_count(const sinew_rig *rig);
SINEW_API int sinew_rig_joint_set_count(const sinew_rig *rig);
/* Bytes of the rig itself, and of each of its poses. */
SINEW_API size_t sinew_rig_bytes(const sinew_rig *rig);
SINEW_API size_t sinew_rig_pose_bytes(const sinew_rig *rig);
/* Whether some component can fail when it is evaluated (a scripted one). */
SINEW_API bool sinew_rig_can_fail(const sinew_rig *rig);

/* The n-th, from 0, in the order in which they were added; null past the end. */
SINEW_API sinew_segment sinew_rig_segment(const sinew_rig *rig, int index);
SINEW_API sinew_dof sinew_rig_dof(const sinew_rig *rig, int index);
SINEW_API sinew_component sinew_rig_component(const sinew_rig *rig, int index);
SINEW_API sinew_joint_set sinew_rig_joint_set(const sinew_rig *rig, int index);

/* By full name. Returns null, with the nearest names in `error`, if there is none. */
SINEW_API sinew_segment sinew_rig_find_segment(const sinew_rig *rig, const char *name,
                                               sinew_error *error);
SINEW_API sinew_dof sinew_rig_find_dof(const sinew_rig *rig, const char *name, sinew_error *error);
SINEW_API sinew_component sinew_rig_find_component(const sinew_rig *rig, const char *name,
                                                   sinew_error *error);

typedef struct sinew_segment_info {
  const char *name;
  sinew_segment parent;
  const float *rest; /* 16 floats */
  sinew_joint_set joint_set;
  sinew_component driver; /* null: undriven */
  int driver_output;
  float mass;           /* kg; 0: none given */
  const float *mass_at; /* its centre in the segment's frame, three floats */
  const char *origin;   /* NULL: unknown */
} sinew_segment_info;

typedef struct sinew_component_info {
  const char *name;
  const sinew_component_class *component_class;
  sinew_joint_set joint_set;
  const char *origin; /* NULL: unknown */
  int input_count, output_count, param_count;
} sinew_component_info;

/* An id that does not belong to this rig calls the assert handler. */
SINEW_API sinew_segment_info sinew_rig_segment_info(const sinew_rig *rig, sinew_segment segment);
SINEW_API sinew_dof_info sinew_rig_dof_info(const sinew_rig *rig, sinew_dof dof);
SINEW_API sinew_component_info sinew_rig_component_info(const sinew_rig *rig,
                                                        sinew_component component);
SINEW_API const char *sinew_rig_joint_set_name(const sinew_rig *rig, sinew_joint_set joint_set);
SINEW_API sinew_source sinew_rig_input(const sinew_rig *rig, sinew_component component, int input);
SINEW_API sinew_kind sinew_rig_output_kind(const sinew_rig *rig, sinew_component component,
                                           int output);
/* The output at which a scalar input comes out, changed only by a limit of the component
 * (SINEW_PORT_PASSED); -1 if there is none. */
SINEW_API int sinew_rig_passed_to(const sinew_rig *rig, sinew_component component, int input);
/* Writes the name of a port to `dest`, at most `capacity` bytes including the terminating zero. */
SINEW_API void sinew_rig_input_name(const sinew_rig *rig, sinew_component component, int input,
                                    char *dest, size_t capacity);
SINEW_API void sinew_rig_output_name(const sinew_rig *rig, sinew_component component, int output,
                                     char *dest, size_t capacity);
/* The parameters as they were given, from 0. Borrowed until one of them is changed. */
SINEW_API const sinew_param *sinew_rig_param(const sinew_rig *rig, sinew_component component,
                                             int index);
/* The parameter of that name, or NULL if it was not given. */
SINEW_API const sinew_param *sinew_rig_find_param(const sinew_rig *rig, sinew_component component,
                                                  const char *name);
/* Writes a parameter that is a formula (SINEW_PARAM_FORMULA) as its author would say it, with the
 * names of the inputs' sources: "65 - 55 fold". Names of the component's own joint set are short.
 * Returns false, with "" in `dest`, if there is no such formula or it does not fit. */
SINEW_API bool sinew_rig_formula(const sinew_rig *rig, sinew_component component, const char *param,
                                 char *dest, size_t capacity);
/* Whether the DOF can change any output of this component. */
SINEW_API bool sinew_rig_depends(const sinew_rig *rig, sinew_component component, sinew_dof dof);

/* The reach cone that a cone component made from its parameters; NULL for any other component.
 * Borrowed until one of them is changed. */
SINEW_API const sinew_cone *sinew_rig_cone(const sinew_rig *rig, sinew_component component);

/* The constant given to an input instead of a wire: 1, 3 or 16 numbers. NULL if it has a wire, or
 * neither. */
SINEW_API const float *sinew_rig_constant(const sinew_rig *rig, sinew_component component,
                                          int input);

/* The components in the order in which they are evaluated, from 0. */
SINEW_API sinew_component sinew_rig_order(const sinew_rig *rig, int index);

/* Warnings of the compiler, one per line; "" if there are none. Borrowed until the rig is
 * changed. */
SINEW_API const char *sinew_rig_warnings(const sinew_rig *rig);
/* How a character follows the rig (sinew_builder_set_binding); NULL: none is bound to it. */
SINEW_API const char *sinew_rig_binding(const sinew_rig *rig);

/* Changing a compiled rig. Each of these makes the same checks as compiling; on failure nothing has
 * changed. Poses take it into account from their next evaluation on. Do not call these while
 * another thread uses the rig or one of its poses. */

/* Sets one parameter, or several that only make sense together (a cone's points and their twist
 * limits). A value of type SINEW_PARAM_NONE removes the parameter. A parameter with a name of the
 * author's choosing keeps its type and cannot be added or removed. For scripted components, which
 * keep their parameters in a Lua table, see sinew_host_set_params. */
SINEW_API sinew_status sinew_rig_set_param(sinew_rig *rig, sinew_component component,
                                           const sinew_param *param, sinew_error *error);
SINEW_API sinew_status sinew_rig_set_params(sinew_rig *rig, sinew_component component,
                                            const sinew_param *params, int count,
                                            sinew_error *error);
/* Sets a segment's rest frame in its parent's frame: 16 floats, rigid. */
SINEW_API sinew_status sinew_rig_set_rest(sinew_rig *rig, sinew_segment segment,
                                          const float rest[16], sinew_error *error);
/* Sets a DOF's range and rest value. Values of poses that are now outside are clamped. A value that
 * the old range had clamped is clamped again from the value that was set. */
SINEW_API sinew_status sinew_rig_set_dof_range(sinew_rig *rig, sinew_dof dof, float min, float max,
                                               float rest, sinew_error *error);
/* Sets the constant of an input that has no wire: as many floats as its kind has. */
SINEW_API sinew_status sinew_rig_set_constant(sinew_rig *rig, sinew_component component, int input,
                                              const float *value, sinew_error *error);
/* The number of these changes so far. */
SINEW_API uint32_t sinew_rig_revision(const sinew_rig *rig);

#ifdef __cplusplus
}
#endif
#endif
