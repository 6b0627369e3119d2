/* What limits hold back in a pose, in words: to which value, which was wanted, and by what. The
 * calls only read their pose, so several threads may make them. */
#ifndef SINEW_EXPLAIN_H
#define SINEW_EXPLAIN_H

#include "sinew/pose.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct sinew_explained {
  /* The sentence: "hip.flexion is held to 95 (110 wanted) by the reach cone ('hip.reach',
   * hip.lua:50)". The following are parts of it. */
  char text[1024];
  char cause[640];           /* "its upper bound at hip.flexion = 110"; "the reach cone" */
  sinew_component component; /* that holds; null: the range of a DOF */
  sinew_dof dof;             /* whose value is held; null: another value is */
  double wanted, given;      /* that value; both 0 if it is not a single number */
} sinew_explained;

/* Explains the holds of an evaluated pose. Writes at most `capacity`, in the order of the holds,
 * and returns how many there are; `dest` may be NULL if `capacity` is 0. Allocates memory; returns
 * -1 if there is none. */
SINEW_API int sinew_pose_explain(const sinew_pose *pose, sinew_explained *dest, int capacity);

#ifdef __cplusplus
}
#endif
#endif
