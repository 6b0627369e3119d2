/* What the files of skinning share. */
#ifndef SI_SKIN_INTERNAL_H
#define SI_SKIN_INTERNAL_H

#include "base/alloc.h"
#include "base/error_internal.h"
#include "math/vector.h"
#include "shape/surface_internal.h"
#include "sinew/skin.h"

enum { SI_SKIN_AUTOMATIC = 4 }; /* automatic weights of a vertex, at most */

/* skin_bones.c: the bones of an evaluated pose, in the world, for distance queries */
typedef struct si_bone {
  sinew_surface *surface; /* the shape; NULL: lines */
  si_surface_tree *tree;
  const float *from; /* lines start here; NULL: there is no bone */
  const float *to;   /* the ends of the lines; none: the bone is a point */
  int to_count;
  float low[3], high[3];
} si_bone;

typedef struct si_bones {
  si_bone *list; /* one for each segment */
  int count;
  float *points;
} si_bones;

/* `shapes` may be NULL. */
sinew_status si_bones_make(const sinew_pose *bind, const sinew_shape *shapes, si_bones *dest,
                           sinew_error *error);
void si_bones_free(si_bones *bones);
/* The distance to a bone if it is less than `limit`, else `limit`. */
float si_bone_distance(const si_bone *bone, const float *place, float limit);
/* The mean position of a segment's children, in the world; false if it has none. */
bool si_bone_end(const sinew_pose *bind, int segment, float *dest);

/* skin_weights.c: SI_SKIN_AUTOMATIC segments and weights per vertex. */
sinew_status si_skin_automatic(const sinew_pose *bind, const sinew_skin_desc *desc,
                               uint32_t *segments, float *weights, sinew_error *error);

#endif
