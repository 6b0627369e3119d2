/* The inside of a recording. */
#ifndef SI_RECORDING_INTERNAL_H
#define SI_RECORDING_INTERNAL_H

#include "sinew/recording.h"

/* of a segment in a frame: its place in its parent's frame, and its turn as Rz Rx Ry */
typedef struct si_placing {
  float place[3], angles[3]; /* metres; degrees about z, x, y */
} si_placing;

struct sinew_recording {
  const sinew_rig *rig;
  float rate;
  size_t segments, dofs, frames;
  si_placing *placings; /* frame by frame */
  float *values;        /* of the DOFs, likewise */
  size_t placing_room, value_room;
};

#endif
