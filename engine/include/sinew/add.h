/* Short calls that describe a rig: bones, joints, and any component with its wires.
 *
 *   sinew_builder *b = sinew_builder_create("crane", NULL);
 *   sinew_segment base = sinew_add_bone(b, SINEW_ROOT, "base", (sinew_vec3){ 0, 0.8f, 0 });
 *   sinew_segment boom = sinew_add_bone(b, base, "boom", (sinew_vec3){ 0, 0.4f, 0 });
 *   sinew_add_hinge(b, base, "crane.pan", SINEW_Y, -180, 180);
 *   sinew_add_hinge(b, boom, "crane.lift", SINEW_X, -75, 20);
 *   sinew_rig *rig = sinew_builder_finish(b, &error);
 *
 * None of them needs a check: what goes wrong is noted in the builder, the call returns a null id,
 * calls with a null id are skipped, and sinew_builder_finish reports everything. A NULL builder is
 * allowed, so that only sinew_builder_finish need be checked. They are the calls of sinew/builder.h
 * with fewer words; both kinds can be mixed. A builder belongs to one thread at a time.
 *
 * A name may be full: "crane.pan" is the DOF "pan" of the joint set "crane", which is created if
 * there is none. A joint's DOF and components without a set in their name go to the bone's set, and
 * a bone without a set goes to that of its first joint. */
#ifndef SINEW_ADD_H
#define SINEW_ADD_H

#include "sinew/builder.h"

#ifdef __cplusplus
extern "C" {
#endif

/* Adds a bone at a place in its parent's frame, in metres, or with a whole rest frame (16 floats,
 * rigid, column-major). "arm.boom" is the bone "boom" in the joint set "arm". A mass is given by
 * sinew_builder_set_mass, the stiffness of a DOF below by sinew_builder_set_stiffness. */
SINEW_API sinew_segment sinew_add_bone(sinew_builder *builder, sinew_segment parent,
                                       const char *name, sinew_vec3 at);
SINEW_API sinew_segment sinew_add_bone_frame(sinew_builder *builder, sinew_segment parent,
                                             const char *name, const float frame[16]);

/* Adds a DOF that moves nothing yet. `unit` NULL is "deg". */
SINEW_API sinew_dof sinew_add_dof(sinew_builder *builder, const char *name, const char *unit,
                                  float min, float max);

/* Adds a joint with one DOF to a bone: a rotation about an axis through the bone's origin, in
 * degrees, or a movement along an axis, in metres. The axis is in the bone's rest frame, of any
 * length above 0. Several joints of one bone are multiplied in the order of the calls, so that each
 * one moves with those before it. */
SINEW_API sinew_dof sinew_add_hinge(sinew_builder *builder, sinew_segment bone, const char *name,
                                    sinew_vec3 axis, float min, float max);
SINEW_API sinew_dof sinew_add_slider(sinew_builder *builder, sinew_segment bone, const char *name,
                                     sinew_vec3 axis, float min, float max);

/* The DOFs of a ball joint. */
typedef struct sinew_ball {
  sinew_dof swing1, swing2, twist;
} sinew_ball;

/* Adds a ball joint: two swings that a round reach cone limits to `cone` degrees off `along`, the
 * direction of the bone at rest, and a twist about the bone. `name` is that of its joint set, so
 * that the DOFs of "hip" are "hip.swing1", "hip.swing2" and "hip.twist". swing1 is about the first
 * of x, y, z that is farthest from `along`, made perpendicular to it, and swing2 about along x
 * that. `cone` is above 0 and below 180. */
SINEW_API sinew_ball sinew_add_ball(sinew_builder *builder, sinew_segment bone, const char *name,
                                    sinew_vec3 along, float cone, float twist_min, float twist_max);

/* Adds any component: its kind, a name or NULL, wires and parameters, such as
 *
 *   sinew_add(b, "rotation", "turn", SINEW_WIRES(sinew_wire_dof("angle", pan)),
 *             SINEW_PARAMS(sinew_param_vector("axis", 0, 1, 0)));
 *
 * and SINEW_NONE for none of either. */
SINEW_API sinew_component sinew_add(sinew_builder *builder, const char *kind, const char *name,
                                    const sinew_wire *wires, int wire_count,
                                    const sinew_param *params, int param_count);
#define SINEW_NONE NULL, 0
#define SINEW_WIRES(...)                                                                           \
  (const sinew_wire[]){ __VA_ARGS__ },                                                             \
      (int)(sizeof((const sinew_wire[]){ __VA_ARGS__ }) / sizeof(sinew_wire))
#define SINEW_PARAMS(...)                                                                          \
  (const sinew_param[]){ __VA_ARGS__ },                                                            \
      (int)(sizeof((const sinew_param[]){ __VA_ARGS__ }) / sizeof(sinew_param))

/* Moves a bone by a component's matrix output; NULL: its only output. */
SINEW_API void sinew_add_driver(sinew_builder *builder, sinew_segment bone,
                                sinew_component component, const char *output);

#ifdef __cplusplus
}
#endif
#endif
