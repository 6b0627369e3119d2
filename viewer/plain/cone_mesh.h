/* A reach cone as triangles on the unit sphere: what the viewer draws of it. */
#ifndef VIEWER_CONE_MESH_H
#define VIEWER_CONE_MESH_H

#include <sinew/cone.h>

enum { cone_mesh_most_slices = 720 }; /* of a cone with more points, some are skipped */

typedef struct cone_mesh {
  int vertex_count; /* three for each triangle, counter-clockwise seen from outside */
  float *places;    /* three floats a vertex, unit: its own normal */
  float *values;    /* two floats: how wide the twist range is in degrees, -1 where it is free; the
                       slice, from 0 */
  float *inner;     /* two floats: from the visible point (0) to the boundary (1); along the edge */
  float narrowest, widest; /* twist ranges; both -1 when the twist is free */
} cone_mesh;

/* Each slice is cut along great circles from the visible point. False when memory is out. */
bool cone_mesh_make(const sinew_cone *cone, cone_mesh *dest);
void cone_mesh_free(cone_mesh *mesh);

/* The colour of a twist range, red, green and blue from 0 to 1: from dark red for the narrowest
 * (share 0) to light blue for the widest (share 1), brighter all the way, linear between stops. */
enum { cone_mesh_stop_count = 4 };
extern const float cone_mesh_stops[cone_mesh_stop_count][3];
void cone_mesh_shade(float share, float dest[3]);

/* The boundary as a closed line of unit directions, three floats each, arcs cut finely: their
 * count, and the line in `*dest`, which the caller frees; 0 when memory is out. */
int cone_mesh_outline(const sinew_cone *cone, float **dest);

#endif
