/* A bare body as plain numbers, from which Sinew's rig is made and, for the comparison in
 * tests/peers, the model of every other library: each segment turns by rotations about centres of
 * their own, a DOF each, no limits. The same numbers in every run. */
#ifndef BENCH_BODY_H
#define BENCH_BODY_H

#include <sinew/sinew.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef struct body {
  int segments, rotations; /* `rotations` of each segment */
  int *parent;             /* always before its children; -1: the root */
  float (*offset)[3];      /* from the parent's origin, at rest */
  /* of every rotation, those of a segment after one another, in the frame in which the segment
   * stands when all of them are 0: the segment's place is its parent's times offset times, for
   * each rotation, T(centre) R(axis, angle) T(-centre) */
  float (*axis)[3]; /* of length 1 */
  float (*centre)[3];
} body;

enum { body_range = 90 }; /* degrees to either side */

/* Limbs of `limb` segments on one root; where `limb` is as many as all, one chain. */
body body_make(int segments, int rotations, int limb);
void body_free(body *b);
/* DOFs stand in the order of the rotations. */
sinew_rig *body_rig(const body *b);

#ifdef __cplusplus
}
#endif
#endif
