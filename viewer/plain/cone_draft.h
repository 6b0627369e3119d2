/* The boundary of a cone component while it is edited: read from the component's parameters,
 * changed point by point, and written back to parameters. The engine may refuse it. */
#ifndef VIEWER_CONE_DRAFT_H
#define VIEWER_CONE_DRAFT_H

#include <sinew/rig.h>

typedef enum draft_twist { DRAFT_FREE, DRAFT_ONE, DRAFT_EACH } draft_twist;

typedef struct cone_draft {
  /* given as an ellipse: half angles at azimuth 0, 90, 180, 270 from `right`, or one for all. The
   * points are computed from it. */
  bool ellipse, round;
  float angles[4], right[3];
  float given_count; /* its parameter `count`; 0: not given */
  int count, room;
  float (*points)[3]; /* as they were given, of any length */
  float (*twist)[2];  /* a pair for each point, if `mode` is DRAFT_EACH */
  draft_twist mode;
  float all[2]; /* the pair of DRAFT_ONE */
  bool has_visible, has_visible_twist, has_smooth;
  float rest[3], visible[3], visible_twist[2];
  int smooth;
} cone_draft;

enum { cone_draft_params = 8 };

/* Reads the component; false if memory runs out. `dest` is zeroed or was read before. */
bool cone_draft_read(const sinew_rig *rig, sinew_component component, cone_draft *dest);
void cone_draft_free(cone_draft *d);
/* All of its parameters, also those that were not given; they point into the draft. */
void cone_draft_write(const cone_draft *d, sinew_param dest[cone_draft_params]);

/* How many handles its boundary has: points, or the ends of an ellipse's half angles. */
int cone_draft_handles(const cone_draft *d);
/* The unit direction of a handle. Moves it: of an ellipse as far as its azimuth goes, all of them
 * if there is one angle for all. */
void cone_draft_handle(const cone_draft *d, int index, float dest[3]);
void cone_draft_pull(cone_draft *d, int index, const float direction[3]);

/* The visible point, of unit length. */
void cone_draft_visible(const cone_draft *d, float dest[3]);
/* Inserts a point on the edge that starts at point `edge`, at a fraction of its length;
 * interpolates its twist limits. Returns its index, or -1 if memory runs out. */
int cone_draft_insert(cone_draft *d, int edge, float share);
/* The edge whose slice contains a direction, or else the nearest: a point is inserted there. */
int cone_draft_edge(const cone_draft *d, const float direction[3]);
void cone_draft_remove(cone_draft *d, int index);
/* The normalised sum of the points: [Wilhelms 2001]'s provisional visible point. */
void cone_draft_sum(const cone_draft *d, float dest[3]);
/* Changes how the twist is limited, keeping the present limits as far as possible. Returns false if
 * memory runs out. */
bool cone_draft_mode(cone_draft *d, draft_twist mode);
/* Replaces the points by those of a finished cone, after ellipse and smoothing. Returns false if
 * memory runs out. */
bool cone_draft_bake(cone_draft *d, const sinew_cone *cone);

#endif
