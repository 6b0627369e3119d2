/* The instantaneous axis about which a DOF rotates a segment, relative to its parent, and the path
 * of its centre over the whole range (the knee of [Shao 2003], plate 1). */
#ifndef VIEWER_SCREW_AXIS_H
#define VIEWER_SCREW_AXIS_H

#include <sinew/host.h>

enum { screw_axis_steps = 48 };

typedef struct screw_axis {
  bool there; /* the DOF rotates the segment here */
  sinew_segment segment;
  sinew_dof dof;
  float axis[3], centre[3];              /* at the current value, in the parent's frame */
  float path[screw_axis_steps + 1][3];   /* of the centre, from the DOF's minimum to its maximum */
  bool path_there[screw_axis_steps + 1]; /* whether the DOF rotates the segment there */
  /* a pose to try values in, and the DOFs for which the path was computed */
  sinew_pose *trial;
  float *values;
} screw_axis;

/* The axis at a value of the DOF, tried on a pose of its own: how many degrees a unit of the DOF
 * is; 0 if it does not rotate the segment there. */
float screw_axis_at(sinew_host *host, sinew_pose *trial, sinew_segment segment, sinew_dof dof,
                    float value, float axis[3], float centre[3]);
/* Follows the host's pose: cheap while only the DOF itself moves. */
void screw_axis_update(screw_axis *t, sinew_host *host, sinew_segment segment, sinew_dof dof);
/* Call it before the rig is destroyed, and at the end. */
void screw_axis_reset(screw_axis *t);

#endif
