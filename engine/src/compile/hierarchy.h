/* The tree of segments in depth-first order, and the pass from local to world transforms. */
#ifndef SI_HIERARCHY_H
#define SI_HIERARCHY_H

#include "compile/rig_internal.h"

void si_tree_carve(const si_model *model, si_carver *carver, sinew_rig *rig);
/* Lays out the slots; false when memory runs out. Does not need the program. */
bool si_tree_fill(sinew_rig *rig);
/* Records where each driven segment's matrix is stored; needs the program. */
void si_tree_join(sinew_rig *rig);

/* Copies a segment's rest frame from the model, where it has changed. */
void si_tree_place(sinew_rig *rig, uint32_t segment);

/* World matrices of the slots from `from` up to `to`, parents before children. The first function
 * reads the values of the fused program, the second those of the nodes. */
void si_tree_world(const sinew_rig *rig, const float *values, float *dest, uint32_t from,
                   uint32_t to);
void si_tree_world_plain(const sinew_rig *rig, const float *values, float *dest, uint32_t from,
                         uint32_t to);

#endif
