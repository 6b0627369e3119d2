/* Reach cones: the directions that a bone may have, as a polygon of great-circle arcs on the unit
 * sphere, and how far the bone may twist at each direction (Wilhelms and Van Gelder 2001).
 *
 * The polygon is star-shaped about a visible point V: the arc from V to any boundary point is
 * inside the cone. It may be concave and larger than a hemisphere; -V is always outside. Directions
 * are unit vectors (to 1e-3), angles are degrees. A cone is immutable, one block of memory without
 * pointers; any number of threads may query it. Queries allocate nothing. */
#ifndef SINEW_CONE_H
#define SINEW_CONE_H

#include "sinew/error.h"

#ifdef __cplusplus
extern "C" {
#endif

#define SINEW_CONE_MAX_POINTS 65536 /* after smoothing */

typedef struct sinew_cone sinew_cone;

/* Where the visible point comes from. */
typedef enum sinew_cone_visible {
  SINEW_VISIBLE_REST,  /* it is the rest direction */
  SINEW_VISIBLE_SUM,   /* provisional: the normalised sum of the points */
  SINEW_VISIBLE_GIVEN, /* `visible` */
} sinew_cone_visible;

typedef struct sinew_cone_desc {
  size_t size;              /* filled by sinew_default_cone_desc */
  const float (*points)[3]; /* counter-clockwise seen from outside; of any length above 0 */
  int count;
  float rest[3]; /* the bone's rest direction; inside the cone, not on its boundary */
  sinew_cone_visible visible_from;
  float visible[3];
  /* Twist limits, a pair (min, max) for each point and one at V. If only one of the two is given,
   * the other is derived: V takes the mean of the points, or all points take the limits of V. With
   * neither, the twist is free. */
  const float (*twist)[2]; /* `count` pairs or NULL */
  bool has_visible_twist;
  float visible_twist[2];
  int smooth; /* steps of subdivision, each doubling the points */
} sinew_cone_desc;

/* No points, no rest direction, the visible point at rest, free twist, no smoothing. */
SINEW_API sinew_cone_desc sinew_default_cone_desc(void);

/* Creates a cone, which belongs to the caller. The desc is copied. Returns NULL, with `error`
 * filled, if the cone is not star-shaped about its visible point, also after a step of smoothing.
 * The error names the first bad edge, counted from 1: edge k runs from point k to the next. */
SINEW_API sinew_cone *sinew_cone_create(const sinew_cone_desc *desc, sinew_error *error);

typedef struct sinew_cone_ellipse {
  size_t size;      /* filled by sinew_default_cone_ellipse */
  float rest[3];    /* the axis of the cone, also its visible point */
  float right[3];   /* azimuth 0: any direction not along `rest`, made perpendicular to it */
  float degrees[4]; /* half angles at azimuth 0, 90, 180, 270, each above 0 and below 180 */
  int points;       /* at least 3; with a multiple of 4 the half angles are exact */
  bool has_twist;
  float twist[2]; /* the same everywhere */
} sinew_cone_ellipse;

/* 24 points, no directions, half angles of 0, free twist. */
SINEW_API sinew_cone_ellipse sinew_default_cone_ellipse(void);

/* Four quarters of ellipses about an axis, with the angle off the axis as radius. Azimuths run
 * counter-clockwise seen from outside: 90 is rest x right. Equal half angles make a round cone. */
SINEW_API sinew_cone *sinew_cone_create_ellipse(const sinew_cone_ellipse *ellipse,
                                                sinew_error *error);

/* NULL is allowed. */
SINEW_API void sinew_cone_destroy(sinew_cone *cone);

/* The size of the block. A copy of these bytes, aligned to 32 bytes, is a cone too. */
SINEW_API size_t sinew_cone_bytes(const sinew_cone *cone);

/* The points after smoothing; there are as many slices and edges. `index` counts from 0. */
SINEW_API int sinew_cone_count(const sinew_cone *cone);
SINEW_API void sinew_cone_point(const sinew_cone *cone, int index, float dest[3]);
SINEW_API void sinew_cone_visible_point(const sinew_cone *cone, float dest[3]);
SINEW_API void sinew_cone_rest(const sinew_cone *cone, float dest[3]);

/* The twist limits at a point, or at V for index -1: (min, max). Returns false if the twist is
 * free. */
SINEW_API bool sinew_cone_point_twist(const sinew_cone *cone, int index, float dest[2]);

/* The solid angle of the cone in steradians. */
SINEW_API float sinew_cone_area(const sinew_cone *cone);

/* In these, `hint` is the slice that was found last, or any number; NULL is allowed. It is set to
 * the slice found. It makes a query near the last one faster and never changes the result. */

/* Whether `direction` is in the cone or on its boundary. */
SINEW_API bool sinew_cone_inside(const sinew_cone *cone, const float direction[3], int *hint);

/* The first point where the shorter great-circle arc from `from`, which is inside, to `to` leaves
 * the cone. Returns true if it leaves; `dest` is then on the boundary, and counts as inside.
 * Returns false if `to` is inside; `dest` is then `to`. If `to` is opposite to `from`, the arc goes
 * towards the first point. If `from` is outside, `dest` is `from`. */
SINEW_API bool sinew_cone_exit(const sinew_cone *cone, const float from[3], const float to[3],
                               int *hint, float dest[3]);

/* Clamps `direction` to the cone: itself if inside, else the exit point on the arc from the rest
 * direction. Returns true if it was held back. The result is inside, so clamping it again changes
 * nothing. */
SINEW_API bool sinew_cone_hold(const sinew_cone *cone, const float direction[3], int *hint,
                               float dest[3]);

/* The twist limits at `direction`, (min, max); outside the cone, those at the boundary in that
 * direction. Returns false if the twist is free. */
SINEW_API bool sinew_cone_twist(const sinew_cone *cone, const float direction[3], int *hint,
                                float dest[2]);

/* Fitting a cone to motion. */

#define SINEW_FIT_SECTORS 24

typedef struct sinew_cone_fit {
  size_t size;               /* filled by sinew_default_cone_fit */
  const float (*samples)[4]; /* a joint's rotations from rest, quaternions x y z w of any length */
  int count;
  float rest[3];
  /* How the rig makes the swing; the rest of the rotation is the twist. With `two_axes` false the
   * swing is the shortest arc, else Rot(axes[0], a) Rot(axes[1], b) with the angles nearest 0. */
  bool two_axes;
  float axes[2][3];
  float share;     /* share of the samples to contain, above 0.5, at most 1 */
  float tolerance; /* degrees that the boundary may differ from the samples' outline */
  float cell;      /* degrees, the size of a cell that counts as visited */
} sinew_cone_fit;

typedef struct sinew_cone_fit_report {
  int samples;
  int kept;          /* inside the cone and its twist limits */
  int outside_swing; /* direction outside the cone */
  int outside_twist; /* inside, but twisted too far */
  int points;
  float area;      /* of the cone, steradians */
  float hull_area; /* of the kept directions' convex hull; taken in the stereographic plane about V
                    * where they do not fit into a hemisphere */
  float unvisited; /* share of the cone's area without a kept sample in its cell */
  float sector_unvisited[SINEW_FIT_SECTORS]; /* the same by azimuth about V, from the first point
                                              * on; -1 for a sector without a whole cell */
  bool rest_extended; /* the rest direction or its zero twist was outside the samples */
} sinew_cone_fit_report;

/* No samples, shortest-arc swing, share 0.99, tolerance 2, cell 5. */
SINEW_API sinew_cone_fit sinew_default_cone_fit(void);

/* Creates a star-shaped cone of few points, with twist limits, that contains a share of the
 * samples. It always contains the rest direction with zero twist. `report` may be NULL. Returns
 * NULL, with `error` filled, on fewer than three samples, on directions that lie on one great
 * circle (a hinge: its limit is an interval) and on those that leave no room for a boundary. */
SINEW_API sinew_cone *sinew_cone_create_fit(const sinew_cone_fit *fit,
                                            sinew_cone_fit_report *report, sinew_error *error);

#ifdef __cplusplus
}
#endif
#endif
