/* Meshes to draw, from files of a user's own: Wavefront OBJ and glTF 2.0. */
#ifndef SINEW_MESH_H
#define SINEW_MESH_H

#include "sinew/error.h"

#ifdef __cplusplus
extern "C" {
#endif

#define SINEW_MESH_VERTICES  (1 << 20) /* the most of them */
#define SINEW_MESH_TRIANGLES (1 << 21)
#define SINEW_MESH_NAME      64         /* bytes of a joint's name with its zero */
#define SINEW_MESH_BYTES     (64 << 20) /* of a file */

/* Three floats a vertex and a normal of length 1 for each, three indices from 0 a triangle. All of
 * it is one block, for sinew_mesh_destroy; the numbers may be changed. */
typedef struct sinew_mesh {
  float *vertices, *normals;
  uint32_t *triangles;
  int vertex_count, triangle_count;
  /* Of a skinned glTF: so many weights a vertex (4, or 0 where there are none), the joints from 0
   * they are for, and how many joints there are. All weights of a vertex that follows none are 0.
   */
  int weight_count, joint_count;
  uint32_t *joints;
  float *weights;
  const char *joint_names; /* SINEW_MESH_NAME bytes each; see sinew_mesh_joint_name */
} sinew_mesh;

/* A mesh to draw a segment with, in its own frame: three floats a vertex and a normal, three
 * indices from 0 a triangle, counter-clockwise seen from outside. */
typedef struct sinew_shape {
  const float *vertices, *normals;
  const uint32_t *triangles;
  int vertex_count, triangle_count;
} sinew_shape;

/* Reads a mesh by its ending: .obj, .glb or .gltf with its buffers inside as data: URIs. Of a glTF
 * all triangles of the default scene, placed as its nodes say, skinned ones as their joints stand;
 * lines, points, materials, animations and more than four weights a vertex are passed over. Normals
 * that are not there are made smooth. NULL, with `error` filled, where it cannot be understood or
 * is too large. */
SINEW_API sinew_mesh *sinew_mesh_load(const char *path, sinew_error *error);
/* The same from memory; `name` stands for the path, and its ending says what it is. */
SINEW_API sinew_mesh *sinew_mesh_parse(const char *name, const void *bytes, size_t size,
                                       sinew_error *error);
/* The name of a joint's node, from 0; "" where it has none. */
SINEW_API const char *sinew_mesh_joint_name(const sinew_mesh *mesh, int joint);
SINEW_API void sinew_mesh_destroy(sinew_mesh *mesh); /* NULL is allowed */

#ifdef __cplusplus
}
#endif
#endif
