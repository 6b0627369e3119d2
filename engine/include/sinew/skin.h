/* Skinning: a mesh that follows a rig's segments, worked out on the CPU.
 *
 * A skin binds a mesh to a pose, usually the rest pose: there the mesh stands as it was given. With
 * M(s) = world(s) * bind(s)^-1, a vertex goes to the weighted sum of M(s) p (linear blend), or by
 * the normalised weighted sum of the M(s) as dual quaternions, which keeps the volume at joints
 * that twist. */
#ifndef SINEW_SKIN_H
#define SINEW_SKIN_H

#include "sinew/mesh.h"
#include "sinew/pose.h"

#ifdef __cplusplus
extern "C" {
#endif

#define SINEW_SKIN_WEIGHTS 8 /* the most segments that a vertex follows */

typedef struct sinew_skin sinew_skin;

typedef enum sinew_skin_method { SINEW_SKIN_LINEAR, SINEW_SKIN_DUAL_QUATERNION } sinew_skin_method;

/* Twist spread along a bone: from its segment's origin to the mean of its children's, t from 0
 * to 1. The twist is that part of a turn which is about the bone. With `source` the segment itself:
 * what is bound to it leaves out 1 - t of its own twist against its parent, so that an upper arm
 * twists evenly from shoulder to elbow. With `source` a child: what is bound to the segment takes t
 * of the child's twist against it, as a forearm of one segment does from its hand. */
typedef struct sinew_skin_twist {
  sinew_segment segment, source;
} sinew_skin_twist;

typedef struct sinew_skin_desc {
  sinew_shape mesh; /* in the world, as it is at the bind pose; copied */
  /* Weights of each vertex, `weight_count` of them (1 to SINEW_SKIN_WEIGHTS), and the segments they
   * are for, counted from 0. They are brought to a sum of 1. NULL: automatic. */
  int weight_count;
  const uint32_t *segments;
  const float *weights;
  /* Automatic weights: at most four a vertex. A segment counts where the vertex is less than
   * `falloff` metres farther from its bone than from the nearest one; the bone is its shape, in its
   * own frame, or where no segment has one the lines to its children. Then the weights are evened
   * out over the edges of the mesh `smoothing` times. */
  const sinew_shape *shapes; /* one for each segment of the rig; NULL: none has one */
  float falloff;             /* metres */
  int smoothing;             /* 0 to 100 */
  const sinew_skin_twist *twists;
  int twist_count;
} sinew_skin_desc;

/* No mesh, automatic weights, a falloff of 0.06 m, smoothed five times, no twist. */
SINEW_API sinew_skin_desc sinew_default_skin_desc(void);

/* The long bones of a rig as twists of their own: every driven segment that has a parent and whose
 * bone is at least a third as long as the longest. Fills up to `capacity`; returns how many there
 * are. `bind` is evaluated. */
SINEW_API int sinew_skin_long_bones(const sinew_pose *bind, sinew_skin_twist *dest, int capacity);

/* Binds a mesh to an evaluated pose; the rig must outlive it. NULL, with `error` filled, for a mesh
 * without vertices, a number that is not finite, weights that are negative or all zero, a segment
 * that is not there, or when memory is out. */
SINEW_API sinew_skin *sinew_skin_create(const sinew_pose *bind, const sinew_skin_desc *desc,
                                        sinew_error *error);
SINEW_API void sinew_skin_destroy(sinew_skin *skin); /* NULL is allowed */

/* The mesh at an evaluated pose of the rig: three floats a vertex in the world, and normals of
 * length 1 unless `normals` is NULL. Allocates nothing; keeps what it works with in the skin, so
 * that one skin is for one thread at a time. Linear normals go by the blended matrix. */
SINEW_API sinew_status sinew_skin_deform(sinew_skin *skin, const sinew_pose *pose,
                                         sinew_skin_method method, float *vertices, float *normals);

SINEW_API int sinew_skin_vertex_count(const sinew_skin *skin);
/* How many weights each vertex has, those weights, and the segments from 0 they are for; unused
 * ones are 0 at the end. Borrowed. */
SINEW_API int sinew_skin_weight_count(const sinew_skin *skin);
SINEW_API const float *sinew_skin_weights(const sinew_skin *skin);
SINEW_API const uint32_t *sinew_skin_segments(const sinew_skin *skin);

/* The segments that the joints of a skinned glTF are, by their names: mesh->weight_count numbers
 * for each vertex into `dest`, for a desc's `segments`. SINEW_ERR_NAME where a joint with weight is
 * no segment, with the nearest names; SINEW_ERR_MISSING where the mesh has no weights, or a vertex
 * none. */
SINEW_API sinew_status sinew_skin_take_joints(const sinew_rig *rig, const sinew_mesh *mesh,
                                              uint32_t *dest, sinew_error *error);

/* A body for a rig that has none: the closed surface at `distance` metres around the bones of an
 * evaluated pose, on a grid of `cell` metres. Shapes as in the desc. For sinew_mesh_destroy. */
SINEW_API sinew_mesh *sinew_skin_envelope(const sinew_pose *bind, const sinew_shape *shapes,
                                          float distance, float cell, sinew_error *error);

#ifdef __cplusplus
}
#endif
#endif
