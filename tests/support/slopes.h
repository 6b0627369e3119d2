/* Slow derivatives, to check the engine's: central differences of evaluated poses at two widths,
 * extrapolated. If the two disagree there is a kink or a jump, and nothing is compared. */
#ifndef SLOPES_H
#define SLOPES_H

#include <sinew/sinew.h>

typedef struct slopes_result {
  int compared, skipped;
  double worst;    /* relative to the largest entry of the matrix or value, or to `floor` */
  char where[160]; /* of the worst */
} slopes_result;

/* Compares every DOF, segment and component output of a pose; a step is a DOF's range over `parts`,
 * and DOFs too near to an end of their range are left out. Returns false, with a message, on
 * failure. */
bool slopes_compare(sinew_pose *pose, const sinew_tangent *tangent, float parts,
                    slopes_result *result);

/* The same at `rounds` random poses of a rig; `worst` is infinite on failure. */
slopes_result slopes_at_random(const sinew_rig *rig, uint32_t seed, int rounds, float parts);

/* Sets every DOF to a random value between its ends. */
void slopes_pose_at_random(sinew_pose *pose, uint32_t *seed);

#endif
