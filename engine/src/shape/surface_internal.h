/* The data of a surface: triangles in angle space, and queries for fields. */
#ifndef SI_SURFACE_INTERNAL_H
#define SI_SURFACE_INTERNAL_H

#include "base/alloc.h"
#include "base/error_internal.h"
#include "sinew/surface.h"

enum { SI_SURFACE_LIMIT = 1 << 22 }; /* the most vertices, and the most triangles */

struct sinew_surface {
  size_t vertex_count, triangle_count;
  float *vertices;
  uint32_t *triangles;
  uint32_t *lines; /* of each triangle in its file; 0: made without one */
};

/* surface.c: `lines` may be NULL. Indices and coordinates have been checked. */
sinew_surface *si_surface_make(const float *vertices, size_t vertex_count,
                               const uint32_t *triangles, const uint32_t *lines,
                               size_t triangle_count, sinew_error *error);

/* polygon.c: cuts a polygon of `count` corners into count - 2 triangles, three places in it each.
 * False where it is concave and has more than SI_POLYGON_LIMIT corners. */
enum { SI_POLYGON_LIMIT = 64 };
bool si_polygon_cut(const float *vertices, const uint32_t *corners, uint32_t count, uint32_t *dest);

/* surface_tree.c: the nearest point of a surface, and where lines cross it */
typedef struct si_surface_tree si_surface_tree;
/* NULL when memory runs out. The surface must outlive it. */
si_surface_tree *si_surface_tree_create(const sinew_surface *surface);
void si_surface_tree_destroy(si_surface_tree *tree);
size_t si_surface_tree_bytes(size_t triangle_count);
/* Finds a point of the surface nearer to `place` than the square root of *best; then lowers *best,
 * fills `dest` and gives the triangle. Else gives `guess`, which may also speed the search up:
 * the triangle of a place near by. */
uint32_t si_surface_tree_nearest(const si_surface_tree *tree, const double place[3], uint32_t guess,
                                 double *best, double dest[3]);
/* Where a line first crosses a triangle: 1 if it leaves there, in the direction of the normal, -1
 * if it enters, 0 if it crosses none. `at` is then how far along it is, from 0 to 1. Triangles with
 * a corner at `from` do not count. */
int si_surface_tree_cross(const si_surface_tree *tree, const float from[3], const float way[3],
                          float *at);

#endif
