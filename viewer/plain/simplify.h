/* A mesh with fewer triangles, for what is seen from afar. */
#ifndef VIEWER_SIMPLIFY_H
#define VIEWER_SIMPLIFY_H

#include <stdbool.h>
#include <stdint.h>

/* Collapses edges, those that matter least first, while no plane of a triangle that was there is
 * left behind by more than the tolerance. Vertices at one place count as one; they move but keep
 * their numbers, and the triangles that stay come first: no fewer than `least`, where there were as
 * many. Returns how many stay; -1, with nothing changed, when memory is out. */
int simplify(float *vertices, int vertex_count, uint32_t *triangles, int triangle_count,
             float tolerance, int least);

#endif
