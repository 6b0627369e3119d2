/* What to draw for segments without a shape: which bones, dots, balls and plates, and how large.
 * All lengths come from the rig, so that a watch and an excavator look alike. */
#ifndef VIEWER_BONE_PLAN_H
#define VIEWER_BONE_PLAN_H

#include <stdbool.h>

typedef enum plan_look {
  PLAN_PLAIN,  /* without a shape: it gets parts */
  PLAN_SHAPED, /* drawn otherwise */
  PLAN_HIDDEN  /* not drawn: what hangs on it hangs on its parent */
} plan_look;

typedef enum plan_kind {
  PLAN_BONE,  /* from a joint towards a child, or what a leaf may look like; widest near `from` */
  PLAN_DOTS,  /* where a child does not start on a bone of its parent */
  PLAN_BALL,  /* a joint, at `from` */
  PLAN_PLATE, /* under a root, from its underside to its upper side */
  PLAN_POST   /* from a plate on the ground up to the root */
} plan_kind;

typedef struct plan_part {
  plan_kind kind;
  int segment; /* whose frame it is in */
  float from[3], to[3];
  float radius;
} plan_part;

typedef struct bone_plan {
  plan_part *parts; /* in the order of their segments */
  int count;
  float size; /* the largest extent of the rig */
} bone_plan;

/* A rig at rest. Matrices are 16 floats each, with +y up and the ground at y = 0. */
typedef struct plan_rig {
  int count;
  const int *parents; /* indices, -1 for a root */
  const float *worlds;
  const float *rests; /* in the parent's frame, before what drives them; NULL: unknown */
  const plan_look *looks;
} plan_rig;

/* False if memory runs out. */
bool bone_plan_make(const plan_rig *rig, bone_plan *dest);
void bone_plan_free(bone_plan *plan);

#endif
