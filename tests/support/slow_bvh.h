/* A slow reader of BVH files without checks, for tests to compare with: words and doubles, and a
 * matrix for each offset, position and rotation. */
#ifndef SLOW_BVH_H
#define SLOW_BVH_H

#include "make.h"

enum { SLOW_JOINTS = 128 };

typedef struct slow_bvh {
  int joint_count, width, frame_count;
  struct {
    int parent, channel_count, first;
    double offset[3];
    int channels[6]; /* 0 to 2 positions, 3 to 5 rotations */
  } joints[SLOW_JOINTS];
  bool replace;
  double unit, values[];
} slow_bvh;

/* One block to free. `positions` must not be SINEW_POSITIONS_GUESS. */
slow_bvh *slow_bvh_read(const char *text, double unit, sinew_motion_positions positions);
dmat slow_bvh_world(const slow_bvh *bvh, int frame, int joint);

#endif
