/* Inside of solids (sinew/solid.h). A desc becomes a `recipe`: a list of primitives, ordered by
 * part and element. A solid is a list of recipes, each placed by a matrix. */
#ifndef SI_SOLID_INTERNAL_H
#define SI_SOLID_INTERNAL_H

#include <math.h>
#include <pthread.h>
#include <stdatomic.h>

#include "base/error_internal.h"
#include "base/names.h"
#include "shape/mesh_internal.h"
#include "sinew/solid.h"

typedef enum si_prim_kind {
  SI_PRIM_BALL,  /* a, ra */
  SI_PRIM_CONE,  /* a, ra to a + b, rb: exact round cone */
  SI_PRIM_LINE,  /* the same points: distance to the line, less the radius at its nearest point */
  SI_PRIM_FLAT,  /* a line that is `flat` times wider along c */
  SI_PRIM_WEDGE, /* a, b, c with their radii */
  SI_PRIM_ELLIPSOID, /* centre a, half widths b, rotation m into its frame */
  SI_PRIM_DRUM
} si_prim_kind;

/* A primitive. Lines, cones and wedges hold b (and c) relative to a. */
typedef struct si_prim {
  float a[3], ra, b[3], rb, c[3], rc;
  float m[9]; /* rows: axes of the ellipsoid's or the drum's frame */
  float flat;
  float inverse;         /* 1 / |b|^2 of a line */
  float steep;           /* how much the distance changes at most per metre */
  float middle[3], size; /* the distance from a point is at least that to the middle, less size */
  uint8_t kind;
  uint16_t element, part;
} si_prim;

/* A compiled desc. Its hash identifies it in the cache. */
typedef struct si_recipe {
  atomic_int references;
  sinew_solid_desc desc; /* as it was given, with arrays of its own */
  si_prim *prims;
  const sinew_solid_part *parts; /* the desc's */
  int prim_count, part_count;
  bool mirror;
  float fold, cell;
  float low[3], high[3]; /* contains everything that was added */
  uint64_t hash;
  pthread_mutex_t lock;                      /* of `made` */
  sinew_mesh *made[SINEW_SOLID_LEVEL_COUNT]; /* with the desc's cell; NULL: not yet */
} si_recipe;

typedef struct si_piece {
  si_recipe *recipe;
  float matrix[16], inverse[16];
  float scale; /* how much longer a length becomes; exact if the matrix scales uniformly */
  bool mirrors;
} si_piece;

struct sinew_solid {
  atomic_int references;
  int count;
  si_piece pieces[];
};

enum {
  SI_SOLID_VERSION = 1, /* of the meshes: counts up when the code makes other ones */
  SI_SOLID_PRIMS = 8192 /* of one recipe, at most */
};

static inline float si_length3(const float *v) {
  return sqrtf(v[0] * v[0] + v[1] * v[1] + v[2] * v[2]);
}

/* solid_make.c. The checks fill `error`: of a point, an element (whose points were checked), a
 * part, and the whole. The recipe has one reference. */
sinew_status si_solid_check_point(const sinew_solid_desc *desc, int index, sinew_error *error);
sinew_status si_solid_check_element(const sinew_solid_desc *desc, int index, sinew_error *error);
sinew_status si_solid_check_part(const sinew_solid_desc *desc, int index, sinew_error *error);
sinew_status si_recipe_check(const sinew_solid_desc *desc, sinew_error *error);
si_recipe *si_recipe_create(const sinew_solid_desc *desc, sinew_error *error);
void si_recipe_release(si_recipe *recipe);
/* Bounds a primitive by a ball; flat ones and ellipsoids, whose distance is smaller than the true
 * one, have no bound. */
void si_prim_bound(si_prim *prim);
/* whether all are finite and below 10 km */
bool si_all_small(const float *numbers, int count);

/* solid_sheet.c: triangles of landmarks, subdivided */
typedef struct si_sheet {
  sinew_solid_point *points;
  int (*triangles)[3];
  int *sources; /* of each point: the index that it was added by */
  int point_count, triangle_count;
  size_t point_room, triangle_room, source_room;
} si_sheet;
/* Adds a triangle of three of these points; false if memory runs out. */
bool si_sheet_add(si_sheet *sheet, const sinew_solid_point *points, const int *corners);
/* One step of Loop's scheme. The outline stays where it is. */
bool si_sheet_subdivide(si_sheet *sheet);
void si_sheet_free(si_sheet *sheet);

/* solid_field.c: the distance at a point. With `list`, only of those primitives, ascending. */
float si_recipe_distance(const si_recipe *recipe, const float point[3]);
float si_recipe_distance_of(const si_recipe *recipe, const uint16_t *list, int count,
                            const float point[3]);
/* Puts into `dest` those of a list (NULL: all) that can matter within `reach` of `point`, and
 * returns their number; the distance there is between both bounds. */
int si_recipe_narrow(const si_recipe *recipe, const uint16_t *list, int count, const float point[3],
                     float reach, uint16_t *dest, float bounds[2]);

/* solid_mesh.c: a mesh in the recipe's own frame */
sinew_mesh *si_recipe_mesh(const si_recipe *recipe, float cell, float tolerance,
                           sinew_error *error);

/* A mesh with fewer triangles. */
sinew_mesh *si_mesh_fewer(const sinew_mesh *mesh, float tolerance, sinew_error *error);

/* solid_cache.c. NULL without an error where there is no such file, or a bad one. */
sinew_mesh *si_solid_cache_load(const char *folder, uint64_t key);
void si_solid_cache_save(const char *folder, uint64_t key, const sinew_mesh *mesh, size_t most);

#endif
