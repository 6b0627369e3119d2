/* Reach cones: what a bone's direction may be, as a polygon of great-circle arcs on the unit
 * sphere, and how far the bone may twist at each place in it (Wilhelms and Van Gelder 2001).
 *
 * The polygon is star-shaped about a visible point V: every boundary point is seen from V inside
 * the cone. It may be concave and larger than a hemisphere; -V is always outside. Directions are
 * unit vectors (to 1e-3), angles are degrees. A cone is immutable, one block of memory without
 * pointers in it, and may be asked from any number of threads. Queries allocate nothing. */
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
  const float (*points)[3]; /* counter-clockwise seen from outside; any length but zero */
  int count;
  float rest[3]; /* the bone's rest direction; inside the cone, not on its boundary */
  sinew_cone_visible visible_from;
  float visible[3];
  /* Twist limits, a pair (min, max) for each point and one at V. With only one of the two given it
   * serves for both: V takes the mean of the points, or the points take what V has. With neither,
   * the twist is free. */
  const float (*twist)[2]; /* `count` pairs or NULL */
  bool has_visible_twist;
  float visible_twist[2];
  int smooth; /* steps of subdivision, each doubling the points */
} sinew_cone_desc;

/* No points, no rest direction, the visible point at rest, free twist, no smoothing. */
SINEW_API sinew_cone_desc sinew_default_cone_desc(void);

/* Makes a cone; `*dest` belongs to the caller. The desc is copied. A cone that is not star-shaped
 * about its visible point fails with its first bad edge named, counted from 1: edge k runs from
 * point k to the next. So does one that stops to be valid after a step of smoothing. */
SINEW_API sinew_status sinew_cone_create(const sinew_cone_desc *desc, sinew_cone **dest,
                                         sinew_error *error);

typedef struct sinew_cone_ellipse {
  float rest[3];    /* the axis of the cone, its visible point too */
  float right[3];   /* azimuth 0: any direction not along `rest`, made perpendicular to it */
  float degrees[4]; /* half angles at azimuth 0, 90, 180, 270, each above 0 and below 180 */
  int points;       /* at least 3; a multiple of 4 meets the half angles exactly */
  bool has_twist;
  float twist[2]; /* the same everywhere */
} sinew_cone_ellipse;

/* Four quarters of ellipses about an axis, with the angle off the axis as radius. Azimuths run
 * counter-clockwise seen from outside: 90 is rest x right. Equal half angles make a round cone. */
SINEW_API sinew_status sinew_cone_create_ellipse(const sinew_cone_ellipse *ellipse,
                                                 sinew_cone **dest, sinew_error *error);

/* NULL is allowed. */
SINEW_API void sinew_cone_destroy(sinew_cone *cone);

/* The block's size. A copy of these bytes at an address aligned to 32 is a cone too. */
SINEW_API size_t sinew_cone_bytes(const sinew_cone *cone);

/* The points after smoothing, as many as slices and edges. `index` counts from 0. */
SINEW_API int sinew_cone_count(const sinew_cone *cone);
SINEW_API void sinew_cone_point(const sinew_cone *cone, int index, float dest[3]);
SINEW_API void sinew_cone_visible_point(const sinew_cone *cone, float dest[3]);
SINEW_API void sinew_cone_rest(const sinew_cone *cone, float dest[3]);

/* The limits at a point, or at V for index -1: (min, max). False when the twist is free. */
SINEW_API bool sinew_cone_point_twist(const sinew_cone *cone, int index, float dest[2]);

/* The solid angle of the cone in steradians. */
SINEW_API float sinew_cone_area(const sinew_cone *cone);

/* In these, `hint` holds the slice that was found last, or anything; NULL is allowed. It is set to
 * the slice found. It makes a query near the last one faster and never changes its result. */

/* Whether `direction` is in the cone or on its boundary. */
SINEW_API bool sinew_cone_inside(const sinew_cone *cone, const float direction[3], int *hint);

/* The first place where the shorter great circle from `from`, inside, to `to`, outside, leaves the
 * cone. True when it does; `dest` is then on the boundary, and inside. False when `to` is inside:
 * `dest` is `to`. Where `to` is opposite to `from` the way goes towards the first point. A `from`
 * that is outside is itself the result. */
SINEW_API bool sinew_cone_exit(const sinew_cone *cone, const float from[3], const float to[3],
                               int *hint, float dest[3]);

/* Brings `direction` into the cone: itself when inside, else the exit on the way from the rest
 * direction. True when it was held back. The result is inside, so that holding it again changes
 * nothing. */
SINEW_API bool sinew_cone_hold(const sinew_cone *cone, const float direction[3], int *hint,
                               float dest[3]);

/* The twist limits at `direction`, (min, max); outside the cone, those of the boundary there. False
 * when the twist is free. */
SINEW_API bool sinew_cone_twist(const sinew_cone *cone, const float direction[3], int *hint,
                                float dest[2]);

/* Fitting a cone to motion. */

#define SINEW_FIT_SECTORS 24

typedef struct sinew_cone_fit {
  const float (*samples)[4]; /* a joint's turns from rest, quaternions (x y z w) of any length */
  int count;
  float rest[3];
  /* How the rig makes the swing; the twist is what is left. With `two_axes` false it is the
   * shortest arc, else Rot(axes[0], a) Rot(axes[1], b) with the angles nearest 0. */
  bool two_axes;
  float axes[2][3];
  float share;     /* of the samples to hold, above 0.5 up to 1 */
  float tolerance; /* degrees that the boundary may stand off the samples' outline */
  float cell;      /* degrees, the grain of what counts as visited */
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
  bool rest_extended; /* the rest direction or its zero twist lay outside what was measured */
} sinew_cone_fit_report;

/* No samples, shortest-arc swing, share 0.99, tolerance 2, cell 5. */
SINEW_API sinew_cone_fit sinew_default_cone_fit(void);

/* The cone of few points, star-shaped and with twist limits, that holds a share of the samples. The
 * rest direction with zero twist is always in it. `report` may be NULL. Fails on fewer than three
 * samples, on directions that lie on one great circle (a hinge: its limit is an interval) and on
 * those that leave no room for a boundary. */
SINEW_API sinew_status sinew_cone_create_fit(const sinew_cone_fit *fit, sinew_cone **dest,
                                             sinew_cone_fit_report *report, sinew_error *error);

#ifdef __cplusplus
}
#endif
#endif
