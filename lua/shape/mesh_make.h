/* Builds triangle meshes: rings of points joined into closed tubes. Numbers are doubles, like those
 * of a script. What returns false was stopped by a budget, and has not filled all. */
#ifndef SI_MESH_MAKE_H
#define SI_MESH_MAKE_H

#include <stdbool.h>
#include <stdint.h>

/* Vertices as x y z, triangles as three vertex indices each, from 0, counter-clockwise seen from
 * outside. The arrays belong to the owner. */
typedef struct si_mesh {
  int vertex_count, triangle_count;
  bool has_normals; /* whether `normals` is filled; otherwise they are computed when needed */
  double *vertices, *normals;
  uint32_t *triangles;
} si_mesh;

/* The counts for a loft of this many rings and sides, with the two points that close its ends. */
static inline int64_t si_loft_vertices(int64_t rings, int64_t sides) { return rings * sides + 2; }
static inline int64_t si_loft_triangles(int64_t rings, int64_t sides) { return 2 * rings * sides; }

/* The triangles that join the rings; each ring is counter-clockwise seen from the next. The
 * vertices are the rings in order, then the points that close the first and the last. */
bool si_loft_join(int rings, int sides, uint32_t *triangles);

/* A sphere of rings about the y axis. `rings` may have a fraction, which makes the last polar cap
 * the larger one. */
bool si_ball_make(const double centre[3], const double radii[3], int sides, double rings,
                  si_mesh *dest);

typedef struct si_tube {
  const double *path;  /* x y z for each point */
  const double *sizes; /* for each point half widths across the path: along `up`, and sideways */
  int count;           /* number of points, two or more */
  int sides;
  double up[3];
  double cap; /* rounding of the ends, in units of the half width; 0: flat */
} si_tube;

int si_tube_rings(const si_tube *tube);
bool si_tube_make(const si_tube *tube, si_mesh *dest);

/* Points on a Catmull-Rom curve through `count` points, `steps` for each interval and the last one:
 * (count - 1) * steps + 1 points. */
bool si_smooth_path(const double *points, int count, int steps, double *dest);

/* Smooth unit normals, three numbers for each vertex: the mean of its triangles, weighted by area;
 * up if they cancel out. */
bool si_mesh_normals(const si_mesh *mesh, double *dest);

#endif
