/* Mirroring a pose across the plane x = 0: which DOF is the counterpart of which, and whether its
 * value changes sign. Names tell the pairs; the signs come from the rig itself, by comparing what a
 * DOF moves with the mirror image of what its counterpart moves. */
#ifndef VIEWER_MIRROR_POSE_H
#define VIEWER_MIRROR_POSE_H

#include <sinew/host.h>

typedef struct mirror_dof {
  int other; /* index of the counterpart: the DOF itself if it has no side */
  float
      sign; /* of the difference from rest; 0: no value of the counterpart gives the mirror image */
} mirror_dof;

/* Fills one for each DOF; false if poses of the rig cannot be evaluated. */
bool mirror_learn(sinew_host *host, mirror_dof *dest);
/* The values of the mirrored pose, from those of a pose. Returns how many DOFs that are not at rest
 * have no mirror image: they keep their values. */
int mirror_values(const sinew_rig *rig, const mirror_dof *mirror, const float *values, float *dest);

#endif
