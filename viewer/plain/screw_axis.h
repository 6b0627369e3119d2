/* What one DOF turns a segment about, relative to its parent: the instantaneous axis, and the way
 * of the centre on it over the whole range (the knee of [Shao 2003], plate 1). */
#ifndef VIEWER_SCREW_AXIS_H
#define VIEWER_SCREW_AXIS_H

#include <sinew/host.h>

enum { screw_axis_steps = 48 };

typedef struct screw_axis {
  bool there; /* the DOF turns the segment at all */
  sinew_segment segment;
  sinew_dof dof;
  float axis[3], centre[3]; /* now, in the parent's frame */
  float way[screw_axis_steps + 1]
           [3]; /* the centre from the least value of the DOF to the largest */
  bool way_there[screw_axis_steps + 1]; /* it does not turn everywhere */
  /* its own: a pose to try values in, and the values that the way was made for */
  sinew_pose *trial;
  float *values;
} screw_axis;

/* Follows the host's pose: cheap while only the DOF itself moves. */
void screw_axis_update(screw_axis *t, sinew_host *host, sinew_segment segment, sinew_dof dof);
/* Before a rig is gone, and at the end. */
void screw_axis_reset(screw_axis *t);

#endif
