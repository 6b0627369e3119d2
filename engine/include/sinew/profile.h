/* Looking at what an evaluation does, step by step. A compiled rig runs fewer steps than it has
 * components: a product of rotations is one step, and what nothing needs is none. */
#ifndef SINEW_PROFILE_H
#define SINEW_PROFILE_H

#include "sinew/pose.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct sinew_step {
  sinew_component component; /* whose work it does */
  int turns;                 /* rotations that it multiplies; 0: it is no product of them */
} sinew_step;

/* How many steps a whole evaluation takes, and the n-th from 0. */
SINEW_API int sinew_rig_step_count(const sinew_rig *rig);
SINEW_API sinew_step sinew_rig_step(const sinew_rig *rig, int index);
/* Components that take no part until their values are asked for. */
SINEW_API int sinew_rig_unused_count(const sinew_rig *rig);

/* Does `count` steps of an evaluated pose again from the n-th on, which changes nothing but hints;
 * neighbours with the same number of turns run together, as they do in an evaluation. One past the
 * last step stands for all world transforms. To be timed. */
SINEW_API sinew_status sinew_pose_repeat_steps(sinew_pose *pose, int first, int count,
                                               sinew_error *error);

#ifdef __cplusplus
}
#endif
#endif
