/* World transforms in lanes, from the segments' products and matrices straight to the caller. */
#ifndef SI_LANE_TREE_H
#define SI_LANE_TREE_H

#include "lane_turn.h"

/* dest = rest * T for a segment whose matrix stands in the value array; as plain_local has it */
LANE_INLINE void lane_driven(const si_slot *slot, const float *rest, const float *values,
                             lane_frame *dest) {
  lane_frame driven, before;
  lane_frame_load(values, slot->local, &driven);
  if (slot->turned) {
    lane_frame_all(rest, &before);
    lane_frame_mul(&before, &driven, dest);
    return;
  }
  *dest = driven;
#pragma GCC unroll 3
  for (int r = 0; r < 3; r++) dest->m[3][r] += rest[12 + r];
}

/* what nothing drives only moves with its parent, and where the rest frame is turned, turns by it
 */
LANE_INLINE void lane_undriven(const si_slot *slot, const float *rest, const lane_frame *parent,
                               lane_frame *dest) {
  lane_frame before;
  lane_frame_all(rest, &before);
  if (slot->turned) {
    lane_frame_mul(parent, &before, dest);
    return;
  }
  *dest = *parent;
#pragma GCC unroll 3
  for (int r = 0; r < 3; r++)
    dest->m[3][r] = (parent->m[0][r] * rest[12] + parent->m[1][r] * rest[13]) +
                    (parent->m[2][r] * rest[14] + parent->m[3][r]);
}

LANE_INLINE void lane_put_out(const lane_frame *f, float *const *outs, size_t at) {
#pragma GCC unroll 4
  for (int c = 0; c < 4; c++)
    lane_put_four(f->m[c][0], f->m[c][1], f->m[c][2], lane_all(c == 3), outs, at + 4 * (size_t)c);
}

/* An infinity or a NaN times zero is a NaN, and stays one; and whatever is above a segment shows in
 * its own matrix, so that it is enough to ask the last ones. */
LANE_INLINE lanes lane_unsound(const lane_frame *f) {
  lanes total = lane_all(0);
#pragma GCC unroll 4
  for (int c = 0; c < 4; c++)
#pragma GCC unroll 3
    for (int r = 0; r < 3; r++) total += f->m[c][r] * 0.0f;
  return total;
}

/* returns the lanes whose matrices are not finite */
static unsigned lane_tree(const sinew_batch *batch, si_worker *w, float *const *outs) {
  const sinew_rig *rig = batch->rig;
  const float *values = w->values;
  lane_frame *stack = (lane_frame *)(void *)w->stack, local;
  lanes unsound = lane_all(0);
  for (uint32_t i = 0; i < rig->model.segment_count; i++) {
    const si_slot *slot = &rig->slots[i];
    const float *rest = rig->rest + 16 * (size_t)i;
    lane_frame *here = stack + batch->depth[i];
    bool root = slot->parent == SI_NONE;
    if (batch->product[i] != SI_NONE)
      lane_product(rig, batch->kinds, batch->product[i], values, root ? here : &local);
    else if (slot->local != SI_NONE)
      lane_driven(slot, rest, values, root ? here : &local);
    else if (root)
      lane_frame_all(rest, here);
    if (!root && slot->local == SI_NONE)
      lane_undriven(slot, rest, here - 1, here);
    else if (!root)
      lane_frame_mul(here - 1, &local, here);
    if (slot->end == i + 1) unsound += lane_unsound(here);
    lane_put_out(here, outs, 16 * (size_t)slot->segment);
  }
  return lane_which(~(unsound == 0.0f));
}

#endif
