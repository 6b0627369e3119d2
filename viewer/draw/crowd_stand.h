/* How a character stands: the boxes of its bones, the lowest of them, and the DOF that lifts it. */
#ifndef VIEWER_CROWD_STAND_H
#define VIEWER_CROWD_STAND_H

#include "draw/scene.h"
#include "plain/crowd_motion.h"

typedef struct crowd_stand {
  int segments;
  float *boxes; /* of each bone: centre and half size; NAN for bones that are not drawn */
  int *low;     /* bones that are near the ground at rest */
  int low_count;
  float size;    /* height at rest, or its largest side where that is flat */
  float ground;  /* the lowest point at rest */
  bool stands;   /* on the ground, and has a DOF that lifts it */
  int lift;      /* that DOF, from 0 */
  float lift_by; /* metres for a change by 1 */
} crowd_stand;

/* Reads boxes and DOFs, evaluating a pose of its own at rest; DOFs that move the body sideways are
 * held at rest in the motion, so that nobody leaves its place. False, with `error` filled, when
 * memory is out or the rest pose cannot be evaluated. */
bool crowd_stand_make(crowd_stand *dest, const scene *s, sinew_host *host, crowd_motion *motion,
                      sinew_error *error);
void crowd_stand_free(crowd_stand *stand);

/* How much a character with these world matrices must be raised to stand as high as at rest. */
float crowd_stand_raise(const crowd_stand *stand, const float *worlds);
/* Extends the box by the character, raised by `raise`. */
void crowd_stand_cover(const crowd_stand *stand, const float *worlds, float raise,
                       BoundingBox *box);

#endif
