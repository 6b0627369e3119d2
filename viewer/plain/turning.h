/* What one DOF turns a segment about, relative to its parent: the instantaneous axis, and the way
 * of the centre on it over the whole range (the knee of seed 000, plate 1). */
#ifndef VIEWER_TURNING_H
#define VIEWER_TURNING_H

#include <sinew/host.h>

enum { turning_steps = 48 };

typedef struct turning {
  bool there; /* the DOF turns the segment at all */
  sinew_segment segment;
  sinew_dof dof;
  float axis[3], centre[3];          /* now, in the parent's frame */
  float way[turning_steps + 1][3];   /* the centre from the least value of the DOF to the largest */
  bool way_there[turning_steps + 1]; /* it does not turn everywhere */
  /* its own: a pose to try values in, and the values that the way was made for */
  sinew_pose *trial;
  float *values;
} turning;

/* Follows the host's pose: cheap while only the DOF itself moves. */
void turning_update(turning *t, sinew_host *host, sinew_segment segment, sinew_dof dof);
/* Before a rig is gone, and at the end. */
void turning_reset(turning *t);

#endif
