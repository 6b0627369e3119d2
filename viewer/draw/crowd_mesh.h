/* All bones of a character in one mesh for instanced drawing; each vertex has the index of its
 * segment. A mesh with a tolerance has fewer triangles, for distant characters. */
#ifndef VIEWER_CROWD_MESH_H
#define VIEWER_CROWD_MESH_H

#include "draw/scene.h"

/* locations of the shader's attributes */
enum { CROWD_AT_POSITION = 0, CROWD_AT_NORMAL = 2, CROWD_AT_SEGMENT = 6, CROWD_AT_CHARACTER = 7 };

typedef struct crowd_part {
  unsigned array;      /* vertex array object */
  unsigned buffers[4]; /* positions, normals, segments, indices */
  int corners;
} crowd_part;

typedef struct crowd_mesh {
  float tolerance;
  int fewest; /* a simplified bone keeps at least this many triangles */
  int triangles;
  crowd_part *parts; /* indices have 16 bits, so a part has at most 65536 vertices */
  int part_count;
} crowd_mesh;

/* Makes the meshes of several levels from the scene's first `count` segments. The caller sets the
 * tolerances of `dest`, rising from 0, and their `fewest`. Bones smaller than half a tolerance are
 * left out. Returns false if memory runs out. */
bool crowd_mesh_make(crowd_mesh *dest, int levels, const scene *s, int count);
void crowd_mesh_free(crowd_mesh *mesh);

/* Draws this many characters; `positions` is a vertex buffer with four floats for each. */
void crowd_mesh_draw(const crowd_mesh *mesh, unsigned positions, int characters);

#endif
