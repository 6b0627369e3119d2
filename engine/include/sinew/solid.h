/* Solids: smooth shapes from balls that are joined by cones, wedges, tubes and sheets, blended
 * together, cut, and turned into a triangle mesh only when somebody asks for one.
 *
 * A solid is a distance field f(p): negative inside, 0 on the surface, in metres. Parts are applied
 * in order: each is added (smin(f, d, k)) or cut away (-smin(-f, d, k)), where smin is the smooth
 * minimum min(a, b) - h^2 k / 4 with h = max(0, 1 - |a - b| / k), so edges are rounded over a width
 * of about k. A solid is immutable and reference counted; any number of threads may read, retain
 * and release it, and make meshes of it. */
#ifndef SINEW_SOLID_H
#define SINEW_SOLID_H

#include "sinew/mesh.h"

#ifdef __cplusplus
extern "C" {
#endif

#define SINEW_SOLID_ELEMENTS 1024 /* of all parts of one desc, at most */
#define SINEW_SOLID_CELLS    (1 << 23)

typedef struct sinew_solid sinew_solid;

/* A landmark: a ball in metres. */
typedef struct sinew_solid_point {
  float at[3], radius;
} sinew_solid_point;

typedef enum sinew_solid_kind {
  SINEW_SOLID_BALL,      /* one point */
  SINEW_SOLID_CONE,      /* two points: the convex hull of both balls */
  SINEW_SOLID_WEDGE,     /* three points: a triangle, as thick as the radii at its corners */
  SINEW_SOLID_TUBE,      /* two or more points: along a Catmull-Rom curve through them */
  SINEW_SOLID_ELLIPSOID, /* one point, its centre; `radii` and `turn` */
  SINEW_SOLID_DRUM, /* the same: an elliptic cylinder along y with a waist, as a vertebral body */
  SINEW_SOLID_KIND_COUNT
} sinew_solid_kind;

/* "ball", "cone" ...; NULL for a number that is none. */
SINEW_API const char *sinew_solid_kind_name(sinew_solid_kind kind);

typedef struct sinew_solid_element {
  sinew_solid_kind kind;
  int first, count; /* its points: a range of desc.indices */
  float flat;       /* tube: width along `across` as a multiple of the radius; 0 or 1: round */
  float across[3];
  float radii[3]; /* ellipsoid, drum: half widths in its own frame */
  float turn[3];  /* ellipsoid, drum: rotation vector in degrees */
} sinew_solid_element;

typedef struct sinew_solid_part {
  int first, count; /* its elements: a range of desc.elements */
  float blend;      /* k towards what is there, metres; 0: a sharp edge */
  float inner;      /* k among the elements of the part */
  int smooth;       /* how often the part's wedges are Loop-subdivided, 0 to 3 */
  bool cut;         /* cut away instead of added */
} sinew_solid_part;

typedef struct sinew_solid_desc {
  size_t size; /* filled by sinew_default_solid_desc */
  const sinew_solid_point *points;
  const int *indices; /* of points, from 0 */
  const sinew_solid_element *elements;
  const sinew_solid_part *parts;
  int point_count, index_count, element_count, part_count;
  bool mirror; /* symmetric across x = 0; everything is described at x <= 0 */
  float fold;  /* how softly the halves meet, metres */
  float cell;  /* size of the grid's cells, metres; 0: 1/64 of the size */
} sinew_solid_desc;

/* No parts, not mirrored, the default cell. */
SINEW_API sinew_solid_desc sinew_default_solid_desc(void);

/* Copies everything. Returns NULL, with `error` filled, for a desc without parts to add, indices
 * out of range, numbers that are not finite, or too many elements. The reference count is 1. */
SINEW_API sinew_solid *sinew_solid_create(const sinew_solid_desc *desc, sinew_error *error);
SINEW_API sinew_solid *sinew_solid_retain(sinew_solid *solid); /* NULL is allowed */
SINEW_API void sinew_solid_release(sinew_solid *solid);        /* NULL is allowed */

/* A new solid that shares the fields of the old one, transformed by a column-major matrix, which
 * may mirror. NULL, with `error` filled, if the matrix has no inverse. */
SINEW_API sinew_solid *sinew_solid_placed(const sinew_solid *solid, const float matrix[16],
                                          sinew_error *error);
/* Several solids side by side in one; they are not blended. */
SINEW_API sinew_solid *sinew_solid_merge(const sinew_solid *const *solids, int count,
                                         sinew_error *error);

/* What a solid is made of, from 0: a desc and the matrix that places it (may be NULL). Creating,
 * placing and merging them again gives an equal solid. The arrays belong to the solid; pieces of
 * the same field have the same ones, also in several solids. */
SINEW_API int sinew_solid_piece_count(const sinew_solid *solid);
SINEW_API sinew_solid_desc sinew_solid_piece(const sinew_solid *solid, int index,
                                             float dest_matrix[16]);

/* The distance from a point to the surface in metres, negative inside. Blends make it a little
 * smaller than the true one; exact only where scaling is uniform. */
SINEW_API float sinew_solid_distance(const sinew_solid *solid, const float point[3]);
/* A hash of everything that shapes its meshes; equal solids have equal ones. Never 0. */
SINEW_API uint64_t sinew_solid_hash(const sinew_solid *solid);

typedef enum sinew_solid_level {
  SINEW_SOLID_FINE,   /* the desc's cell */
  SINEW_SOLID_LOW,    /* made of the fine one, with few triangles, to move it on a slow renderer */
  SINEW_SOLID_COARSE, /* large cells: made at once, to be replaced */
  SINEW_SOLID_LEVEL_COUNT
} sinew_solid_level;

typedef struct sinew_solid_options {
  size_t size; /* filled by sinew_default_solid_options */
  sinew_solid_level level;
  float cell; /* replaces the desc's cell, metres; 0: not */
  /* A folder that keeps finished meshes, or NULL. It is created where needed and holds at most
   * `cache_bytes`; the oldest files go first. A file that cannot be read is made again. */
  const char *cache;
  size_t cache_bytes; /* 0: 64 MiB */
  /* Only a mesh that was made before, by this solid or into the cache; else NULL, with the status
   * SINEW_ERR_LIMIT. */
  bool made_before;
} sinew_solid_options;

/* Fine, no cache. */
SINEW_API sinew_solid_options sinew_default_solid_options(void);

/* Writes the folder for such meshes in this user's cache: $XDG_CACHE_HOME/sinew, or .cache/sinew in
 * the home folder (Library/Caches/sinew on macOS). Returns `dest`, or NULL if there is none. */
SINEW_API const char *sinew_solid_cache_folder(char *dest, size_t capacity);

/* Makes the mesh, to be freed by sinew_mesh_destroy: closed, every edge with two triangles, with
 * `occlusion`. `options` NULL: the defaults. NULL, with `error` filled, if memory runs out, or if
 * there are more than SINEW_SOLID_CELLS cells or no surface at all. */
SINEW_API sinew_mesh *sinew_solid_mesh(const sinew_solid *solid, const sinew_solid_options *options,
                                       sinew_error *error);

#ifdef __cplusplus
}
#endif
#endif
