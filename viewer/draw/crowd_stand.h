/* How a character stands: the boxes of its bones, its lowest point, and the DOF that lifts it. */
#ifndef VIEWER_CROWD_STAND_H
#define VIEWER_CROWD_STAND_H

#include "draw/scene.h"
#include "plain/crowd_motion.h"

typedef struct crowd_stand {
  int segments;
  float *boxes; /* for each bone: centre and half size; NAN if it is not drawn */
  int *low;     /* bones that are near the ground at rest */
  int low_count;
  float size;    /* height at rest, or the longest side of a flat rig */
  float ground;  /* the lowest point at rest */
  bool stands;   /* it is on the ground, and has a DOF that lifts it */
  int lift;      /* index of that DOF */
  float lift_by; /* metres per unit of that DOF */
} crowd_stand;

/* Reads boxes and DOFs from a rest pose of its own. Fixes DOFs that move the body sideways at rest
 * in the motion, so that every character keeps its position. Returns false, with `error` filled, if
 * memory runs out or the rest pose cannot be evaluated. */
bool crowd_stand_make(crowd_stand *dest, const scene *s, sinew_host *host, crowd_motion *motion,
                      sinew_error *error);
void crowd_stand_free(crowd_stand *stand);

/* How far a character with these world matrices must be raised to have its lowest point where it is
 * at rest. */
float crowd_stand_raise(const crowd_stand *stand, const float *worlds);
/* Extends the box by the character, raised by `raise`. */
void crowd_stand_cover(const crowd_stand *stand, const float *worlds, float raise,
                       BoundingBox *box);

#endif
