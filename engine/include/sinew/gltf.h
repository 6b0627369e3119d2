/* Writes rigs as glTF 2.0 for other programs: segments as nodes with their shapes, motion as
 * animations, and what glTF cannot express in `extras` under the key "sinew" (lua/docs/gltf.md).
 *
 * The caller poses and evaluates, so any kind of motion can be written. A sinew_gltf belongs to one
 * thread at a time. */
#ifndef SINEW_GLTF_H
#define SINEW_GLTF_H

#include "sinew/mesh.h"
#include "sinew/pose.h"
#include "sinew/skin.h"

#ifdef __cplusplus
extern "C" {
#endif

#define SINEW_GLTF_TOLERANCE 1e-4f /* metres */

typedef struct sinew_gltf sinew_gltf;

/* Creates a scene whose nodes are posed like the evaluated pose, which is also the bind pose of its
 * skin. The rig must outlive it. Returns NULL, with `error` filled, when memory runs out, and for a
 * segment that is scaled or sheared (rotated and mirrored ones are fine). */
SINEW_API sinew_gltf *sinew_gltf_create(const sinew_pose *pose, sinew_error *error);
SINEW_API void sinew_gltf_destroy(sinew_gltf *gltf); /* NULL is allowed */

/* The shape of a segment; borrowed. A shape without triangles counts as none. */
SINEW_API void sinew_gltf_set_shape(sinew_gltf *gltf, sinew_segment segment, sinew_shape shape);
/* The display name of a DOF; copied. */
SINEW_API sinew_status sinew_gltf_set_label(sinew_gltf *gltf, sinew_dof dof, const char *label,
                                            sinew_error *error);
/* Whether all shapes become one mesh, bound to the segments by a skin, instead of one mesh for each
 * segment. The default is false. */
SINEW_API void sinew_gltf_set_skinned(sinew_gltf *gltf, bool skinned);
/* Writes a skin instead of the shapes: one mesh whose vertices follow up to four segments, those
 * with the largest weights, which sum to 1. `mesh` is what the skin was made of; both are borrowed.
 * Twist that is spread along bones is not written: glTF has none. Returns SINEW_ERR_CALL for a skin
 * of another rig or mesh. */
SINEW_API sinew_status sinew_gltf_set_skin(sinew_gltf *gltf, const sinew_skin *skin,
                                           sinew_shape mesh, sinew_error *error);
/* The tolerance for leaving out keys, in metres, above 0. At the time of each frame, no point of a
 * shape and no segment's origin is off by more than this. No orientation is off by more than 500
 * degrees per metre of it: 0.05 degrees for SINEW_GLTF_TOLERANCE, the default. */
SINEW_API sinew_status sinew_gltf_set_tolerance(sinew_gltf *gltf, float tolerance,
                                                sinew_error *error);

/* Begins an animation. Frames that are added from now on belong to it. */
SINEW_API sinew_status sinew_gltf_begin(sinew_gltf *gltf, const char *name, sinew_error *error);
/* Adds a frame: the segments of an evaluated pose of the rig. Times are in seconds, at least 0 and
 * ascending. */
SINEW_API sinew_status sinew_gltf_add(sinew_gltf *gltf, const sinew_pose *pose, float time,
                                      sinew_error *error);

/* What was written. */
typedef struct sinew_gltf_counts {
  int nodes, meshes, animations; /* an animation in which nothing moves is left out */
  int keys, samples;             /* keys of all channels; samples: before leaving keys out */
} sinew_gltf_counts;

/* The whole file: a .glb if `binary`, else a .gltf with its buffer inside. The same scene gives the
 * same bytes. Save it with sinew_file_write and free it with sinew_text_free. `counts` may be NULL.
 * Returns NULL, with `error` filled, when memory runs out. */
SINEW_API char *sinew_gltf_write(const sinew_gltf *gltf, bool binary, size_t *size,
                                 sinew_gltf_counts *counts, sinew_error *error);

#ifdef __cplusplus
}
#endif
#endif
