/* Skinning on the CPU: a mesh that follows a rig's segments. A skin belongs to one thread at a
 * time.
 *
 * A skin binds a mesh to a pose, usually the rest pose, at which the mesh is as it was given. With
 * M(s) = world(s) * bind(s)^-1, a vertex p moves to the weighted sum of M(s) p (linear blend
 * skinning). Or it is transformed by the normalised weighted sum of the M(s) as dual quaternions,
 * which preserves the volume at joints that twist. */
#ifndef SINEW_SKIN_H
#define SINEW_SKIN_H

#include "sinew/mesh.h"
#include "sinew/pose.h"

#ifdef __cplusplus
extern "C" {
#endif

#define SINEW_SKIN_WEIGHTS 8 /* segments that a vertex can follow, at most */

typedef struct sinew_skin sinew_skin;

typedef enum sinew_skin_method { SINEW_SKIN_LINEAR, SINEW_SKIN_DUAL_QUATERNION } sinew_skin_method;

/* Twist spread along a bone: from its segment's origin to the mean of its children's, t from 0 to
 * 1. The twist is the part of a rotation that is about the bone. If `source` is the segment itself,
 * vertices bound to it leave out 1 - t of its twist relative to its parent: an upper arm twists
 * evenly from shoulder to elbow. If `source` is a child, vertices bound to the segment take t of
 * the child's twist relative to it: a forearm of one segment follows its hand. */
typedef struct sinew_skin_twist {
  sinew_segment segment, source;
} sinew_skin_twist;

typedef struct sinew_skin_desc {
  size_t size;      /* filled by sinew_default_skin_desc */
  sinew_shape mesh; /* in the world, at the bind pose; copied */
  /* Weights of each vertex, `weight_count` of them (1 to SINEW_SKIN_WEIGHTS), and the segments that
   * they belong to, counted from 0. They are normalised to a sum of 1. NULL: automatic. */
  int weight_count;
  const uint32_t *segments;
  const float *weights;
  /* Automatic weights: at most four per vertex. A segment counts if its bone is less than `falloff`
   * metres farther from the vertex than the nearest bone, through the body: in a straight line that
   * stays inside the mesh, or from there along its edges. So limbs that touch keep to their own
   * bones. The bone is the segment's shape, in its own frame; if no segment has a shape, it is the
   * lines to its children. Then the weights are smoothed along the edges of the mesh `smoothing`
   * times. */
  const sinew_shape *shapes; /* one for each segment of the rig; NULL: none has one */
  float falloff;             /* metres */
  int smoothing;             /* 0 to 100 */
  const sinew_skin_twist *twists;
  int twist_count;
} sinew_skin_desc;

/* No mesh, automatic weights, a falloff of 0.06 m, smoothed five times, no twist. */
SINEW_API sinew_skin_desc sinew_default_skin_desc(void);

/* Twists for the long bones of a rig, each with itself as source: every driven segment that has a
 * parent and whose bone is at least a third as long as the longest. Fills up to `capacity`; returns
 * how many there are. `bind` must be evaluated. */
SINEW_API int sinew_skin_long_bones(const sinew_pose *bind, sinew_skin_twist *dest, int capacity);

/* Binds a mesh to an evaluated pose. The rig must outlive the skin. Returns NULL, with `error`
 * filled, for a mesh without vertices, a number that is not finite, weights that are negative or
 * all zero, an unknown segment, or when memory runs out. */
SINEW_API sinew_skin *sinew_skin_create(const sinew_pose *bind, const sinew_skin_desc *desc,
                                        sinew_error *error);
SINEW_API void sinew_skin_destroy(sinew_skin *skin); /* NULL is allowed */

/* Computes the mesh at an evaluated pose of the rig: three floats per vertex in the world, and
 * normals of length 1 unless `normals` is NULL. Allocates nothing; its working memory is in the
 * skin. Linear blend skinning transforms normals by the blended matrix. */
SINEW_API sinew_status sinew_skin_deform(sinew_skin *skin, const sinew_pose *pose,
                                         sinew_skin_method method, float *vertices, float *normals);

SINEW_API int sinew_skin_vertex_count(const sinew_skin *skin);
/* How many weights each vertex has, the weights, and the segments, from 0, that they belong to.
 * Unused ones are 0, at the end. Borrowed. */
SINEW_API int sinew_skin_weight_count(const sinew_skin *skin);
SINEW_API const float *sinew_skin_weights(const sinew_skin *skin);
SINEW_API const uint32_t *sinew_skin_segments(const sinew_skin *skin);

/* Finds the segments that have the names of a skinned glTF's joints: writes mesh->weight_count
 * numbers for each vertex to `dest`, for `segments` of a desc. Returns SINEW_ERR_NAME, with the
 * nearest names in `error`, if no segment has the name of a joint with a weight; SINEW_ERR_MISSING
 * if the mesh or one of its vertices has no weights. */
SINEW_API sinew_status sinew_skin_take_joints(const sinew_rig *rig, const sinew_mesh *mesh,
                                              uint32_t *dest, sinew_error *error);

/* Two limbs that are one piece of the mesh, although poses take them apart: `edges` lead from
 * vertices that mostly follow the one segment to vertices that mostly follow the other. */
typedef struct sinew_skin_fusion {
  sinew_segment first, second;
  int edges;
} sinew_skin_fusion;

/* Finds fused limbs by poses of random DOFs. `bind` and `desc` are those that the skin was made of.
 * Fills up to `capacity`, those with most edges first, and `count` with how many there are. */
SINEW_API sinew_status sinew_skin_find_fused(const sinew_skin *skin, const sinew_pose *bind,
                                             const sinew_skin_desc *desc, sinew_skin_fusion *dest,
                                             int capacity, int *count, sinew_error *error);

/* Makes a body for a rig that has none: the closed surface at `distance` metres around the bones of
 * an evaluated pose, on a grid of `cell` metres. Limbs that touch, while poses of random DOFs take
 * them apart, get a gap of a cell or two; fingers only where their bones are that far apart. Shapes
 * as in the desc. Free it with sinew_mesh_destroy. Returns NULL, with `error` filled, on failure.
 */
SINEW_API sinew_mesh *sinew_skin_envelope(const sinew_pose *bind, const sinew_shape *shapes,
                                          float distance, float cell, sinew_error *error);

#ifdef __cplusplus
}
#endif
#endif
