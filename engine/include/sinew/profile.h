/* Profiling an evaluation step by step. A compiled rig runs fewer steps than it has components: a
 * product of rotations is one step, and components that nothing needs are not run. Any number of
 * threads may read a rig's steps; sinew_pose_repeat_steps needs the pose for one thread. */
#ifndef SINEW_PROFILE_H
#define SINEW_PROFILE_H

#include "sinew/pose.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct sinew_step {
  sinew_component component; /* that it evaluates */
  int turns;                 /* rotations that it multiplies; 0: not a product */
} sinew_step;

/* How many steps a whole evaluation takes, and the n-th from 0. */
SINEW_API int sinew_rig_step_count(const sinew_rig *rig);
SINEW_API sinew_step sinew_rig_step(const sinew_rig *rig, int index);
/* How many components are only evaluated when their values are read. */
SINEW_API int sinew_rig_unused_count(const sinew_rig *rig);

/* Repeats `count` steps of an evaluated pose, starting with step `first`, so that they can be
 * timed. Changes nothing but hints. Neighbours with the same number of turns run together, as in an
 * evaluation. The step after the last one computes all world transforms. */
SINEW_API sinew_status sinew_pose_repeat_steps(sinew_pose *pose, int first, int count,
                                               sinew_error *error);

#ifdef __cplusplus
}
#endif
#endif
