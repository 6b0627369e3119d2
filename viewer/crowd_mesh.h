/* All bones of a character in one mesh, each vertex with the number of its segment: what is drawn
 * many times at once. With a tolerance it has fewer triangles, for a distance. */
#ifndef VIEWER_CROWD_MESH_H
#define VIEWER_CROWD_MESH_H

#include "scene.h"

/* where a shader for it has its attributes */
enum { CROWD_AT_PLACE = 0, CROWD_AT_NORMAL = 2, CROWD_AT_SEGMENT = 6, CROWD_AT_CHARACTER = 7 };

typedef struct crowd_part {
  unsigned array;      /* of OpenGL: vertices */
  unsigned buffers[4]; /* places, normals, segments, indices */
  int corners;
} crowd_part;

typedef struct crowd_mesh {
  float tolerance;
  int triangles;
  crowd_part *parts; /* indices have 16 bits: each has at most 65536 vertices */
  int part_count;
} crowd_mesh;

/* Of the segments that the scene has loaded, `count` of them; bones that are no larger than the
 * tolerance are left out. False when memory is out. */
bool crowd_mesh_make(crowd_mesh *dest, const scene *s, int count, float tolerance);
void crowd_mesh_free(crowd_mesh *mesh);

/* Draws as many characters as `places` has, a buffer of OpenGL with four floats for each. */
void crowd_mesh_draw(const crowd_mesh *mesh, unsigned places, int characters);

#endif
