/* The bones of segments without a shape, as plain/bone_plan.h lays them out. */
#ifndef VIEWER_PLAIN_BONES_H
#define VIEWER_PLAIN_BONES_H

#include "plain/bone_plan.h"

#include <raylib.h>
#include <sinew/rig.h>

/* A mesh on the GPU for each segment, in its frame, with unshared vertices; without any for those
 * that are not plain. The caller unloads them and frees the list. NULL if that fails. */
Mesh *plain_bones_make(const sinew_rig *rig, const plan_look *looks);

#endif
