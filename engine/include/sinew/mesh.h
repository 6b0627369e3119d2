/* Meshes to draw, from the user's files (Wavefront OBJ and glTF 2.0) or made of solids
 * (sinew/solid.h). Several threads may load meshes at a time, and read one mesh as long as none
 * changes it. */
#ifndef SINEW_MESH_H
#define SINEW_MESH_H

#include "sinew/error.h"

#ifdef __cplusplus
extern "C" {
#endif

#define SINEW_MESH_VERTICES  (1 << 20) /* at most */
#define SINEW_MESH_TRIANGLES (1 << 21)
#define SINEW_MESH_NAME      64         /* bytes of a joint's name including the terminating zero */
#define SINEW_MESH_BYTES     (64 << 20) /* of a file */

/* Three floats per vertex, and as many for its normal of length 1; three indices from 0 per
 * triangle. All of it is one block, freed by sinew_mesh_destroy. The numbers may be changed. */
typedef struct sinew_mesh {
  float *vertices, *normals;
  uint32_t *triangles;
  int vertex_count, triangle_count;
  /* For a skinned glTF: the number of weights per vertex (4, or 0 if there are none), the joints,
   * from 0, that they belong to, and the number of joints. All weights of a vertex that follows no
   * joint are 0. */
  int weight_count, joint_count;
  uint32_t *joints;
  float *weights;
  const char *joint_names; /* SINEW_MESH_NAME bytes each; see sinew_mesh_joint_name */
  /* For the mesh of a solid: how open each vertex is to light from around, 0 to 255. Else NULL. */
  uint8_t *occlusion;
} sinew_mesh;

/* A mesh to draw a segment with, in the segment's frame: three floats per vertex and per normal,
 * three indices from 0 per triangle, counter-clockwise seen from outside. */
typedef struct sinew_shape {
  const float *vertices, *normals;
  const uint32_t *triangles;
  int vertex_count, triangle_count;
} sinew_shape;

/* Reads a mesh. The extension says the format: .obj, .glb, or .gltf with its buffers inside as
 * data: URIs. Of a glTF it reads all triangles of the default scene, transformed by their nodes,
 * skinned ones by their joints. Lines, points, materials, animations and more than four weights per
 * vertex are ignored. Missing normals are computed, smooth. Returns NULL, with `error` filled, if
 * the file cannot be parsed or is too large. */
SINEW_API sinew_mesh *sinew_mesh_load(const char *path, sinew_error *error);
/* The same from memory; `name` replaces the path, and its extension says the format. */
SINEW_API sinew_mesh *sinew_mesh_parse(const char *name, const void *bytes, size_t size,
                                       sinew_error *error);
/* The name of a joint's node, from 0; "" if it has none. */
SINEW_API const char *sinew_mesh_joint_name(const sinew_mesh *mesh, int joint);
SINEW_API void sinew_mesh_destroy(sinew_mesh *mesh); /* NULL is allowed */

/* Collapses edges, the cheapest first, while the result stays within `tolerance` of the planes of
 * the original triangles. Vertices at the same position count as one; they move but keep their
 * indices. The remaining triangles come first; at least `least` remain, if there were as many.
 * Returns their count; -1, with nothing changed, if memory runs out. */
SINEW_API int sinew_mesh_simplify(float *vertices, int vertex_count, uint32_t *triangles,
                                  int triangle_count, float tolerance, int least);

#ifdef __cplusplus
}
#endif
#endif
