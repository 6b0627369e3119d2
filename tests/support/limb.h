/* An arm with every kind of limit inside it, for the tests of solving: a cone at the shoulder, a
 * dependency that bounds the elbow by the shoulder's lift, a field at the wrist, and a finger whose
 * curve is constant in its middle. A guard in its network checks every evaluation. */
#ifndef LIMB_H
#define LIMB_H

#include <sinew/sinew.h>

enum { LIMB_LIFT, LIMB_SIDE, LIMB_TWIST, LIMB_ELBOW, LIMB_FLEX, LIMB_SWAY, LIMB_CURL, LIMB_DOFS };

typedef struct limb {
  sinew_rig *rig;
  sinew_pose *pose;
  sinew_segment upper, lower, hand, finger;
} limb;

limb limb_open(void);
void limb_close(limb *l);
/* closed where its scope ends, after the solvers that came later */
#define OWNED_LIMB __attribute__((cleanup(limb_close))) limb
/* How many evaluations the guard has seen since it was last asked, and by how much one of them was
 * worst outside the cone or above the elbow's bound. */
int limb_evaluations(float *worst);
/* From now on evaluations fail if the elbow is bent by more than this; INFINITY: never. */
void limb_fail_above(float elbow);

#endif
