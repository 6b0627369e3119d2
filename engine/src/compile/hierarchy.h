/* The tree of segments in depth-first order, and the pass from local to world transforms. */
#ifndef SI_HIERARCHY_H
#define SI_HIERARCHY_H

#include "compile/rig_internal.h"

void si_tree_carve(const si_model *model, si_carver *carver, sinew_rig *rig);
/* Lays the slots out; false when memory is out. Needs no program. */
bool si_tree_fill(sinew_rig *rig);
/* Notes where each driven segment's matrix stands; needs the program. */
void si_tree_join(sinew_rig *rig);

/* Takes over a segment's rest frame, which has changed in the model. */
void si_tree_place(sinew_rig *rig, uint32_t segment);

/* World matrices of the slots from `from` up to `to`, parents before children; from what the fused
 * program left in the value array, or from the nodes' own values. */
void si_tree_world(const sinew_rig *rig, const float *values, float *dest, uint32_t from,
                   uint32_t to);
void si_tree_world_plain(const sinew_rig *rig, const float *values, float *dest, uint32_t from,
                         uint32_t to);

#endif
