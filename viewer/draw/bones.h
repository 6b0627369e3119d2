/* The bones of a rig as meshes on the GPU. Those of solids come from other threads: a coarse mesh
 * at once, the fine one later. */
#ifndef VIEWER_BONES_H
#define VIEWER_BONES_H

#include "draw/bone_maker.h"
#include "plain/side.h"

#include <raylib.h>
#include <sinew/host.h>

typedef struct bone {
  Mesh mesh;       /* with unshared vertices */
  Mesh low;        /* with few triangles; none if its vertex count is 0 */
  BoundingBox box; /* of the mesh, in the segment's frame */
  uint64_t print;  /* hash of the shape; 0: none */
  bool there;
  bool fine; /* else a better mesh is being made */
  body_side side;
} bone;

typedef struct bones {
  bone *list; /* one for each segment */
  int count;
  uint32_t version; /* changes whenever a mesh does */
  bool sides;       /* some bones are of the left and some of the right */
  bone_maker *maker;
} bones;

/* `low` also makes meshes with few triangles. Returns false if memory or threads run out. */
bool bones_start(bones *b, bool low);
void bones_end(bones *b);

/* Takes the shapes of the host's rig, and keeps meshes that did not change. Each solid has a mesh
 * to show when it returns. */
void bones_load(bones *b, sinew_host *host);
/* Takes the meshes that are finished; true if there was one. */
bool bones_poll(bones *b);
/* Waits for all of them. Returns false, with `error` filled, if one could not be made. */
bool bones_finish(bones *b, sinew_error *error);

#endif
