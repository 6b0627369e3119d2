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

/* Two columns of a matrix that stands in memory go to every lane's row. With eight lanes a vector
 * takes one column of four lanes and the other column of the same four, which loads do for nothing,
 * so that no halves need to change places. */
LANE_INLINE void lane_put_columns(const lane_frame *f, int c, float *const *outs, size_t at) {
#if SI_WIDTH == 8
  const lanes last = { 0, 0, 0, 0, c == 2, c == 2, c == 2, c == 2 };
#pragma GCC unroll 2
  for (int k = 0; k < 8; k += 4) {
    lanes v[4] = { lane_halves((const float *)&f->m[c][0] + k, (const float *)&f->m[c + 1][0] + k),
                   lane_halves((const float *)&f->m[c][1] + k, (const float *)&f->m[c + 1][1] + k),
                   lane_halves((const float *)&f->m[c][2] + k, (const float *)&f->m[c + 1][2] + k),
                   last };
    lane_transpose(v);
#pragma GCC unroll 4
    for (int i = 0; i < 4; i++) memcpy(outs[k + i] + at + 4 * c, &v[i], sizeof v[i]);
  }
#else
#pragma GCC unroll 2
  for (int k = c; k < c + 2; k++) {
    lanes v[4] = { f->m[k][0], f->m[k][1], f->m[k][2], lane_all(k == 3) };
    lane_transpose(v);
#pragma GCC unroll 4
    for (int i = 0; i < 4; i++) memcpy(outs[i] + at + 4 * k, &v[i], sizeof v[i]);
  }
#endif
}

LANE_INLINE void lane_put_out(const lane_frame *f, float *const *outs, size_t at) {
  lane_put_columns(f, 0, outs, at);
  lane_put_columns(f, 2, outs, at);
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
    size_t at = 16 * (size_t)slot->segment;
    bool root = slot->parent == SI_NONE, driven = slot->local != SI_NONE;
    lane_frame *own = root ? here : &local;
    if (batch->product[i] != SI_NONE)
      lane_product(rig, batch->kinds, batch->product[i], w, own);
    else if (driven)
      lane_driven(slot, rest, values, own);
    else if (root)
      lane_frame_all(rest, own);
    else
      lane_undriven(slot, rest, here - 1, here);
    if (!root && driven) lane_frame_mul(here - 1, own, here);
    lane_put_out(here, outs, at);
    if (slot->end == i + 1) unsound += lane_unsound(here);
  }
  return lane_which(~(unsound == 0.0f));
}

#endif
