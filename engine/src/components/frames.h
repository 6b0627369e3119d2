/* Constants and kernels of the components that read frames of other segments (relative, distance,
 * aim, ik2) and of swing_twist, shared with the lanes. */
#ifndef SI_FRAMES_H
#define SI_FRAMES_H

#include "components/path.h"

/* relative and distance */
typedef struct si_seen_data {
  si_path path;
  si_link links[];
} si_seen_data;

enum { SI_DISTANCE_POINT, SI_DISTANCE_TO_POINT };

/* The smallest rotation that takes a fixed direction c to another one d. It is a half turn about c,
 * then one about the direction h half way between both: (2 h h^T - 1) (2 c c^T - 1). */
typedef struct si_least {
  float from[3];    /* c, unit */
  float half[3][3]; /* columns of 2 c c^T - 1 */
  float side[3];    /* h if d is opposite to c: a unit vector across c */
} si_least;

enum { SI_AIM_POINT };

typedef struct si_aim_data {
  si_path at, up;
  uint32_t up_link; /* the first link of `up` */
  bool upright;     /* there is an up direction */
  si_least least;
  float up_given[3];          /* the direction that up keeps to, in the frame of `up`'s end */
  float across[3], upward[3]; /* across `along` and up, and across both */
  si_link links[];
} si_aim_data;

typedef struct si_swing_twist_data {
  si_least least;
  float e[3], f[3]; /* across the axis; axis, e and f are a right-handed frame */
} si_swing_twist_data;

enum { SI_IK2_GOAL, SI_IK2_UPPER = 0, SI_IK2_LOWER, SI_IK2_BEND, SI_IK2_REACH };

typedef struct si_ik2_data {
  si_path goal, pole;
  uint32_t pole_link;
  bool own_pole;     /* no pole was given: `pole_given` is in the upper bone's rest frame */
  float a, b;        /* lengths of both bones */
  float low, high;   /* how near and how far the tip may come */
  float soft;        /* over which the reach approaches `high` */
  float straight[3]; /* at rest: from the upper bone's origin to the tip, unit */
  float elbow[3];    /* and where the elbow points, across that */
  float pole_given[3];
  float bone[3], axis[3],
      side[3];        /* upper bone's direction, hinge axis, and across both, at rest */
  float cosine, sine; /* of the bend at rest */
  float hinge[3];     /* the axis in the lower bone's frame */
  si_link links[];
} si_ik2_data;

static inline float si_atan2_one(float y, float x) { return si_atan2(y, x); }

/* fills it for a unit direction */
void si_least_make(const double *from, si_least *dest);
/* a unit vector across a unit vector: the one for the axis that is least along it */
void si_across(const double *v, double *dest);

#define KERNEL_WIDTH 1
#include "math/kernels/number.h"

#include "components/kernels/frames.h"

#include "math/kernels/end.h"

#endif
