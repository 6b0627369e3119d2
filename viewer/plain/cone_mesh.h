/* A reach cone as triangles on the unit sphere, for drawing. */
#ifndef VIEWER_CONE_MESH_H
#define VIEWER_CONE_MESH_H

#include <sinew/cone.h>

enum { cone_mesh_most_slices = 720 }; /* a cone with more points is drawn with fewer */

typedef struct cone_mesh {
  int vertex_count; /* three per triangle, counter-clockwise seen from outside */
  float *places;    /* three floats per vertex, of unit length: also its normal */
  /* two floats per vertex: the width of the twist range in degrees, -1 if free; index of the
   * slice */
  float *values;
  /* two floats per vertex: from the visible point (0) to the boundary (1); along the edge */
  float *inner;
  float narrowest, widest; /* narrowest and widest twist range; both -1 if the twist is free */
} cone_mesh;

/* Divides each slice along great circles from the visible point. Returns false if memory runs
 * out. */
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
