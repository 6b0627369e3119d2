/* A bare body as plain numbers: each segment has rotations about centres of their own, one DOF
 * each, without limits. Sinew's rig is made from it, and the models of the other libraries in
 * tests/peers. The numbers are the same in every run. */
#ifndef BENCH_BODY_H
#define BENCH_BODY_H

#include <sinew/sinew.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef struct body {
  int segments, rotations; /* rotations per segment */
  int *parent;             /* always before its children; -1: the root */
  float (*offset)[3];      /* from the parent's origin, at rest */
  /* of every rotation, segment by segment. They are in the segment's frame at zero angles: a
   * segment's transform is its parent's times offset times, for each rotation, T(centre) R(axis,
   * angle) T(-centre) */
  float (*axis)[3]; /* unit length */
  float (*centre)[3];
} body;

enum { body_range = 90 }; /* the range of every DOF is -reach to reach, in degrees */

/* Limbs of `limb` segments on one root. If `limb` equals the number of segments, one chain. */
body body_make(int segments, int rotations, int limb);
void body_free(body *b);
/* The DOFs are in the order of the rotations. */
sinew_rig *body_rig(const body *b);

#ifdef __cplusplus
}
#endif
#endif
