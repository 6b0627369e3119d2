/* The pose's block. */
#ifndef SI_POSE_H
#define SI_POSE_H

#include "rig.h"
#include "sinew/pose.h"

struct sinew_pose {
  const sinew_rig *rig;
  float *values;   /* the rig's value array; DOFs first */
  float *world;    /* 16 floats a segment, in the rig's order */
  float *held;     /* for each DOF: what it was given minus what was wanted */
  float *good;     /* the last good values: all of them where good_whole, else the DOFs alone */
  uint64_t *marks; /* dirty nodes, then dirty slots of the tree */
  uint64_t *moved; /* DOFs that changed since the last evaluation */
  uint32_t moved_count;
  uint32_t revision;
  bool fresh; /* everything must be evaluated */
  bool good_whole;
};

size_t si_pose_bytes(const sinew_rig *rig);

#endif
