/* Derivatives the slow way, to check the engine's against: central differences of evaluated poses
 * at two widths, extrapolated. Where the two disagree there is a kink or a jump, and nothing is
 * compared. */
#ifndef SLOPES_H
#define SLOPES_H

#include <sinew/sinew.h>

typedef struct slopes_result {
  int compared, skipped;
  double worst;    /* relative to the largest entry of the matrix or value, or `floor` */
  char where[160]; /* of the worst */
} slopes_result;

/* Every DOF, segment and component output of a pose; a step is one of so many `parts` of a DOF's
 * range, and DOFs too near to an end of it are left out. False when something failed, which is
 * printed. */
bool slopes_compare(sinew_pose *pose, const sinew_tangent *tangent, float parts,
                    slopes_result *result);

/* The same at `rounds` random poses of a rig; `worst` is infinite when something failed. */
slopes_result slopes_at_random(const sinew_rig *rig, uint32_t seed, int rounds, float parts);

/* Every DOF between its ends, at random. */
void slopes_pose_at_random(sinew_pose *pose, uint32_t *seed);

#endif
