/* The nodes of a glTF 2.0 file (.glb, .gltf, .vrm): what a skeleton can be made of. Several threads
 * may load skeletons at a time. */
#ifndef SINEW_SKELETON_H
#define SINEW_SKELETON_H

#include "sinew/error.h"

#ifdef __cplusplus
extern "C" {
#endif

#define SINEW_SKELETON_NAME  256         /* bytes of a node's name including the terminating zero */
#define SINEW_SKELETON_NODES 65536       /* at most */
#define SINEW_SKELETON_BYTES (512 << 20) /* of a file */

typedef struct sinew_skeleton_node {
  char name[SINEW_SKELETON_NAME]; /* "" if it has none, or one that is too long */
  int parent;                     /* an earlier node; -1: a root */
  bool joint;                     /* of a skin */
  bool mesh;                      /* it shows one */
  /* Its frame in the world, column-major, rigid: position in metres, and the rotation without
   * scale, shear and mirroring. */
  float world[16];
  /* The lengths of its axes in the world, negative for the last of a mirrored one; 1 without a
   * scale. */
  float scale[3];
} sinew_skeleton_node;

/* One block, freed by sinew_skeleton_destroy. */
typedef struct sinew_skeleton {
  sinew_skeleton_node *nodes; /* of the default scene, parents first */
  int node_count;
  int meshes, skins, animations, cameras; /* in the file */
} sinew_skeleton;

/* Reads a file. Buffers are not read, so a .gltf may have them anywhere. Returns NULL, with file
 * and line in `error`, if it cannot be parsed or is too large. */
SINEW_API sinew_skeleton *sinew_skeleton_load(const char *path, sinew_error *error);
/* The same from memory; `name` replaces the path, and its extension says the format. */
SINEW_API sinew_skeleton *sinew_skeleton_parse(const char *name, const void *bytes, size_t size,
                                               sinew_error *error);
SINEW_API void sinew_skeleton_destroy(sinew_skeleton *scene); /* NULL is allowed */

#ifdef __cplusplus
}
#endif
#endif
