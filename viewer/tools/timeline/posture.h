/* The pose as a document: the DOFs that a person has set and that no keyframe has. */
#ifndef VIEWER_POSTURE_H
#define VIEWER_POSTURE_H

#include "state/state.h"

#include <sinew/clip.h>

/* The DOFs that have a channel in the clip are as the clip has them: they are not unsaved. */
void pose_keyed(state *st, const sinew_clip *clip);

#endif
