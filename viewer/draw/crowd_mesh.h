/* All bones of a character in one mesh for instanced drawing; each vertex has the number of its
 * segment. With a tolerance it has fewer triangles, for characters far away. */
#ifndef VIEWER_CROWD_MESH_H
#define VIEWER_CROWD_MESH_H

#include "draw/scene.h"

/* where a shader for it has its attributes */
enum { CROWD_AT_PLACE = 0, CROWD_AT_NORMAL = 2, CROWD_AT_SEGMENT = 6, CROWD_AT_CHARACTER = 7 };

typedef struct crowd_part {
  unsigned array;      /* of OpenGL: vertices */
  unsigned buffers[4]; /* places, normals, segments, indices */
  int corners;
} crowd_part;

typedef struct crowd_mesh {
  float tolerance;
  int fewest; /* triangles that a bone keeps */
  int triangles;
  crowd_part *parts; /* indices have 16 bits: each has at most 65536 vertices */
  int part_count;
} crowd_mesh;

/* Makes the meshes of several levels from the scene's first `count` segments. The tolerances of
 * `dest`, growing from 0, and its fewest triangles are given; bones smaller than half a tolerance
 * are left out. False when memory is out. */
bool crowd_mesh_make(crowd_mesh *dest, int levels, const scene *s, int count);
void crowd_mesh_free(crowd_mesh *mesh);

/* Draws as many characters as `places` has, a buffer of OpenGL with four floats for each. */
void crowd_mesh_draw(const crowd_mesh *mesh, unsigned places, int characters);

#endif
