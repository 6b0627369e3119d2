/* The data of a recording. */
#ifndef SI_RECORDING_INTERNAL_H
#define SI_RECORDING_INTERNAL_H

#include "compile/rig_internal.h"
#include "sinew/recording.h"

/* a segment in its parent's frame: position, and rotation as Rz Rx Ry */
typedef struct si_placing {
  float place[3], angles[3]; /* metres; degrees about z, x, y */
} si_placing;

struct sinew_recording {
  const sinew_rig *rig;
  si_watcher watcher;
  float rate;
  size_t segments, dofs, frames;
  si_placing *placings; /* frame by frame */
  float *values;        /* of the DOFs, frame by frame */
  size_t placing_room, value_room;
};

#endif
