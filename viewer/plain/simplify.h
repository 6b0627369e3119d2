/* Makes a mesh with fewer triangles, to be seen from a distance. */
#ifndef VIEWER_SIMPLIFY_H
#define VIEWER_SIMPLIFY_H

#include <stdbool.h>
#include <stdint.h>

/* Collapses edges, the cheapest first, while the result stays within the tolerance of the planes of
 * the original triangles. Vertices at the same position count as one; they move but keep their
 * indices. The remaining triangles come first; at least `least` remain, if there were as many.
 * Returns their count; -1, with nothing changed, if memory runs out. */
int simplify(float *vertices, int vertex_count, uint32_t *triangles, int triangle_count,
             float tolerance, int least);

#endif
