/* World transforms in lanes, computed from the segments' products and matrices and written straight
 * to the caller's buffer. */
#ifndef SI_LANE_TREE_H
#define SI_LANE_TREE_H

#include "evaluate/lanes/lane_turn.h"

/* dest = rest * T for a segment whose matrix is stored in the value array; see plain_local */
LANE_INLINE void lane_driven(const si_lane_segment *s, const float *rest, const float *values,
                             lane_frame *dest) {
  lane_frame driven, before;
  lane_frame_load(values, s->local, &driven);
  if (s->rotated) {
    lane_frame_all(rest, &before);
    lane_frame_mul(&before, &driven, dest);
    return;
  }
  *dest = driven;
#pragma GCC unroll 3
  for (int r = 0; r < 3; r++) dest->m[3][r] += rest[12 + r];
}

/* dest = parent * rest for a segment that nothing drives; often rest is just a translation */
LANE_INLINE void lane_undriven(const si_lane_segment *s, const float *rest,
                               const lane_frame *parent, lane_frame *dest) {
  lane_frame before;
  lane_frame_all(rest, &before);
  if (s->rotated) {
    lane_frame_mul(parent, &before, dest);
    return;
  }
  *dest = *parent;
#pragma GCC unroll 3
  for (int r = 0; r < 3; r++)
    dest->m[3][r] = (parent->m[0][r] * rest[12] + parent->m[1][r] * rest[13]) +
                    (parent->m[2][r] * rest[14] + parent->m[3][r]);
}

/* writes two columns to every lane's row */
LANE_INLINE void lane_put_columns(const lanes a[3], const lanes b[3], float last,
                                  float *const *outs, size_t at) {
  lanes v[4] = { a[0], a[1], a[2], lane_all(0) }, u[4] = { b[0], b[1], b[2], lane_all(last) };
  lane_transpose(v);
  lane_transpose(u);
#pragma GCC unroll 4
  for (int i = 0; i < 4; i++) {
#if SI_WIDTH == 8 && defined SI_HAS_SHUFFLE
    lanes low = __builtin_shufflevector(v[i], u[i], 0, 1, 2, 3, 8, 9, 10, 11);
    lanes high = __builtin_shufflevector(v[i], u[i], 4, 5, 6, 7, 12, 13, 14, 15);
    memcpy(outs[i] + at, &low, sizeof low);
    memcpy(outs[i + 4] + at, &high, sizeof high);
#else
    for (int k = 0; k < SI_WIDTH; k += 4) {
      memcpy(outs[i + k] + at, (const float *)&v[i] + k, 4 * sizeof(float));
      memcpy(outs[i + k] + at + 4, (const float *)&u[i] + k, 4 * sizeof(float));
    }
#endif
  }
}

LANE_INLINE void lane_put_out(const lane_frame *f, float *const *outs, size_t at) {
  lane_put_columns(f->m[0], f->m[1], 0, outs, at);
  lane_put_columns(f->m[2], f->m[3], 1, outs, at + 8);
}

/* dest = a * b, column by column; each column is written to the caller's buffer as it is
 * computed */
LANE_INLINE void lane_world(const lane_frame *a, const lane_frame *b, lane_frame *dest,
                            float *const *outs, size_t at) {
#pragma GCC unroll 4
  for (int c = 0; c < 4; c++) {
#pragma GCC unroll 3
    for (int r = 0; r < 3; r++) {
      lanes x = a->m[0][r], y = a->m[1][r], z = a->m[2][r];
      if (c < 3)
        dest->m[c][r] = lane_mix(x, b->m[c][0], y, b->m[c][1], z, b->m[c][2]);
      else
        dest->m[c][r] = lane_point(x, b->m[c][0], y, b->m[c][1], z, b->m[c][2], a->m[3][r]);
    }
    if (c % 2) lane_put_columns(dest->m[c - 1], dest->m[c], c == 3, outs, at + 4 * (size_t)(c - 1));
  }
}

/* An infinity or a NaN times zero is a NaN, and the sum stays NaN. A bad matrix makes those of all
 * descendants bad, so it is enough to test segments without children. A sum that overflows is taken
 * for a bad matrix here; the pose that evaluates the lane again decides. */
LANE_INLINE lanes lane_unsound(const lane_frame *f) {
  lanes total = lane_all(0);
#pragma GCC unroll 4
  for (int c = 0; c < 4; c++) total += (f->m[c][0] + f->m[c][1]) + f->m[c][2];
  return total * 0.0f;
}

/* Segments are in the rig's own order, in which parents also come first, so that the caller's rows
 * are written from start to end. Returns the lanes whose matrices are not finite. */
static unsigned lane_tree(const sinew_batch *batch, si_worker *w, float *const *to) {
  const sinew_rig *rig = batch->rig;
  const float *values = w->values;
  lane_frame *worlds = (lane_frame *)(void *)w->worlds, local;
  lanes unsound = lane_all(0);
  float *outs[SI_WIDTH]; /* a copy: stores might alias the original */
  for (int k = 0; k < SI_WIDTH; k++) outs[k] = to[k];
  for (uint32_t i = 0; i < rig->model.segment_count; i++) {
    const si_lane_segment *s = &batch->segments[i];
    const float *rest = rig->rest + 16 * (size_t)s->slot;
    bool root = s->parent == SI_NONE, driven = s->local != SI_NONE;
    /* cppcheck-suppress uninitvar ; it is filled below */
    lane_frame *here = worlds + s->here, *own = root ? here : &local;
    const lane_frame *parent = root ? NULL : worlds + s->parent;
    if (s->product != SI_NONE)
      lane_product(batch, s->product, w, own);
    else if (driven)
      lane_driven(s, rest, values, own);
    else if (root)
      lane_frame_all(rest, own);
    else
      lane_undriven(s, rest, parent, here);
    if (root || !driven)
      lane_put_out(here, outs, 16 * (size_t)i);
    else
      lane_world(parent, own, here, outs, 16 * (size_t)i);
    if (s->last) unsound += lane_unsound(here);
  }
  return lane_which(~(unsound == 0.0f));
}

#endif
