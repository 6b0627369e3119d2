/* Rigs as glTF 2.0 for other programs: segments as nodes with what they are drawn with, motion as
 * animations, and what glTF has no word for in `extras` under the key "sinew" (lua/docs/gltf.md).
 *
 * The caller poses and evaluates, so that any way to move a rig can be written. */
#ifndef SINEW_GLTF_H
#define SINEW_GLTF_H

#include "sinew/mesh.h"
#include "sinew/pose.h"

#ifdef __cplusplus
extern "C" {
#endif

#define SINEW_GLTF_TOLERANCE 1e-4f /* metres */

typedef struct sinew_gltf sinew_gltf;

/* A scene whose nodes stand as the evaluated pose does, which is the bind pose of its skin too. The
 * rig must outlive it. NULL when memory is out, and for a segment that is neither turned nor
 * mirrored but stretched. */
SINEW_API sinew_gltf *sinew_gltf_create(const sinew_pose *pose, sinew_error *error);
SINEW_API void sinew_gltf_destroy(sinew_gltf *gltf); /* NULL is allowed */

/* What a segment is drawn with; borrowed. A shape without triangles is none. */
SINEW_API void sinew_gltf_set_shape(sinew_gltf *gltf, sinew_segment segment, sinew_shape shape);
/* What a DOF is called where people read it; copied. */
SINEW_API sinew_status sinew_gltf_set_label(sinew_gltf *gltf, sinew_dof dof, const char *label,
                                            sinew_error *error);
/* Whether all shapes make one mesh that hangs on the segments by a skin, instead of a mesh for each
 * segment. False at first. */
SINEW_API void sinew_gltf_set_skinned(sinew_gltf *gltf, bool skinned);
/* How far in metres any point of a shape or origin of a segment may be, at the time of a frame,
 * from where the frame has it, so that keys can be left out; no segment is then turned off by more
 * than 500 degrees for each metre of it: 0.05 degrees for SINEW_GLTF_TOLERANCE, which stands at
 * first. Above 0. */
SINEW_API sinew_status sinew_gltf_set_tolerance(sinew_gltf *gltf, float tolerance,
                                                sinew_error *error);

/* Begins an animation; the frames that are added from now on are its. */
SINEW_API sinew_status sinew_gltf_begin(sinew_gltf *gltf, const char *name, sinew_error *error);
/* Adds a frame: where an evaluated pose of the rig has its segments. Times are seconds, from 0, and
 * rise. */
SINEW_API sinew_status sinew_gltf_add(sinew_gltf *gltf, const sinew_pose *pose, float time,
                                      sinew_error *error);

/* What was written. */
typedef struct sinew_gltf_counts {
  int nodes, meshes, animations; /* an animation in which nothing moves is left out */
  int keys, samples;             /* keys of all channels, and what frames would have given them */
} sinew_gltf_counts;

/* All of it as a file: binary as a .glb is, else as a .gltf is, with its buffer inside. The same
 * scene gives the same bytes. For sinew_file_write; freed by sinew_text_free. `counts` may be NULL.
 * NULL, with `error` filled, when memory is out. */
SINEW_API char *sinew_gltf_write(const sinew_gltf *gltf, bool binary, size_t *size,
                                 sinew_gltf_counts *counts, sinew_error *error);

#ifdef __cplusplus
}
#endif
#endif
