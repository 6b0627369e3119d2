/* Products of rotations in lanes. */
#ifndef SI_LANE_TURN_H
#define SI_LANE_TURN_H

#include "evaluate/batch_internal.h"
#include "components/rotation.h"
#include "math/lanes/lane_frame.h"

#define KERNEL_WIDTH KERNEL_LANES
#include "math/kernels/number.h"

#include "components/kernels/rotation.h"
#include "components/kernels/rotation_range.h"
#include "evaluate/kernels/product.h"

#include "math/kernels/end.h"

/* the translation of a rotation at an angle in its range */
LANE_INLINE void lane_rotation_translation(const si_rotation_data *h, lanes angle, lanes cosine,
                                           lanes sine, lanes dest[3]) {
  for (int r = 0; r < 3; r++) dest[r] = lane_rotation_move(h, r, angle, cosine, sine);
}

/* the three columns of a rotation about any axis: p + cos q is symmetric, sin x antisymmetric */
LANE_INLINE void lane_turn_pure(const float *p, const float *q, const float *x, lanes cosine,
                                lanes sine, lane_frame *dest) {
#pragma GCC unroll 3
  for (int k = 0; k < 3; k++) {
    int a = (k + 1) % 3, b = (k + 2) % 3, at = 4 * a + b;
    lanes here = lane_at(p, at), even = here - cosine * here, odd = sine * lane_at(x, at);
    dest->m[a][b] = even + odd;
    dest->m[b][a] = even - odd;
    dest->m[k][k] = lane_at(p, 5 * k) + cosine * lane_at(q, 5 * k);
  }
}

/* the matrix of a rotation component at an angle in its range */
LANE_INLINE void lane_rotation_matrix(const si_rotation_data *h, lanes angle, lanes cosine,
                                      lanes sine, lane_frame *dest) {
  lane_turn_pure(h->p, h->q, h->x, cosine, sine, dest);
  lane_rotation_translation(h, angle, cosine, sine, dest->m[3]);
}

/* the angle of a turn, clamped to its range */
LANE_INLINE lanes lane_turn_angle(const si_fused *f, uint32_t i, const float *values) {
  lanes angle = lane_load(values + (size_t)f->turn_angle[i] * SI_WIDTH);
  return lane_rotation_angle(angle, lane_all(f->low[i]), lane_all(f->high[i]));
}

/* Sines and cosines of four turns, which share the loads of their constants; the arrays are padded
 * to fours. Turns that are `free` have neither a range nor a rest angle. Returns the largest of
 * `most` and the absolute angles, ignoring NaNs, whose results are NaN in any case. */
LANE_INLINE lanes lane_turn_four(const si_fused *f, uint32_t i, bool free, const float *values,
                                 float *sincos, lanes most) {
#pragma GCC unroll 4
  for (int k = 0; k < SI_LANES; k++) {
    lanes angle = lane_load(values + (size_t)f->turn_angle[i + (uint32_t)k] * SI_WIDTH), s, c;
    if (!free)
      angle = lane_rotation_angle(angle, lane_at(f->low + i, k), lane_at(f->high + i, k)) -
              lane_at(f->rest + i, k);
    most = lane_max(lane_abs(angle), most);
    lane_sincos(angle, &s, &c);
    lane_store(sincos + 2 * k * SI_WIDTH, s);
    lane_store(sincos + (2 * k + 1) * SI_WIDTH, c);
  }
  return most;
}

/* Sines and cosines of all turns, in independent iterations. Fields that the loop reads are copied
 * to locals, since the compiler must assume that a store changes them. */
static void lane_turn_all(const si_fused *fused, const uint8_t *kinds, si_worker *w) {
  const si_fused f = *fused;
  const float *values = w->values;
  lanes most = lane_all(0);
  for (uint32_t i = 0; i < f.turn_slots; i += SI_LANES) {
    float *sincos = w->sincos + (size_t)(2 * i) * SI_WIDTH;
    if (kinds[i] & SI_TURN_FREE)
      most = lane_turn_four(&f, i, true, values, sincos, most);
    else
      most = lane_turn_four(&f, i, false, values, sincos, most);
  }
  if (!lane_which(~lane_small(most))) return;
  for (uint32_t i = 0; i < f.turn_count; i++) {
    float *dest = w->sincos + (size_t)(2 * i) * SI_WIDTH;
    lane_sincos_any(lane_turn_angle(&f, i, values) - f.rest[i], (lanes *)(void *)dest,
                    (lanes *)(void *)(dest + SI_WIDTH));
  }
}

/* the translation of turn `i` with several intervals, with its segment's rest transform applied */
static void lane_turn_far(const sinew_rig *rig, uint32_t i, const float *values, lanes cosine,
                          lanes sine, lanes dest[3]) {
  const si_fused *f = rig->fused;
  lanes move[3];
  lane_rotation_translation(f->rotations[i], lane_turn_angle(f, i, values), cosine, sine, move);
  if (f->turn_slot[i] == SI_NONE) {
    memcpy(dest, move, sizeof move);
    return;
  }
  const float *rest = rig->rest + 16 * (size_t)f->turn_slot[i];
  for (int r = 0; r < 3; r++)
    dest[r] = (rest[r] * move[0] + rest[4 + r] * move[1]) + (rest[8 + r] * move[2] + rest[12 + r]);
}

LANE_INLINE void lane_turn_move(const sinew_rig *rig, uint32_t i, const si_turn *t, unsigned kind,
                                const float *values, lanes cosine, lanes sine, lanes dest[3]) {
  if (__builtin_expect(kind & SI_TURN_FAR, 0))
    lane_turn_far(rig, i, values, cosine, sine, dest);
  else
#pragma GCC unroll 3
    for (int r = 0; r < 3; r++) dest[r] = lane_rotated(t->p, t->q, t->x, 3, r, cosine, sine);
}

LANE_INLINE void lane_turn_matrix(const si_turn *t, unsigned kind, lanes cosine, lanes sine,
                                  lane_frame *dest) {
  if (kind & SI_TURN_PURE)
    lane_turn_pure(t->p, t->q, t->x, cosine, sine, dest);
  else
    lane_frame_rotated(t->p, t->q, t->x, cosine, sine, dest);
}

/* A product of two or three rotations, row by row, which needs few registers. */
LANE_INLINE void lane_linked(const si_linked *l, uint32_t turns, const float *sincos,
                             lane_frame *dest) {
  lanes s[SI_QUAD_TURNS], c[SI_QUAD_TURNS];
#pragma GCC unroll 3
  for (uint32_t n = 0; n < turns; n++) {
    s[n] = lane_load(sincos + (size_t)(2 * n) * SI_WIDTH);
    c[n] = lane_load(sincos + (size_t)(2 * n + 1) * SI_WIDTH);
    if (n)
      lane_rotate_columns(&c[n], &s[n], lane_at(l->link[n - 1], 5), lane_at(l->link[n - 1], 6));
  }
#pragma GCC unroll 3
  for (int row = 0; row < 3; row++) {
    lane_product_constants k = { .cosine = lane_at(l->last, 0), .sine = lane_at(l->last, 1) };
    lanes m[4];
#pragma GCC unroll 4
    for (int j = 0; j < 4; j++) {
      k.p[j] = lane_at(l->first[row][0], j);
      k.q[j] = lane_at(l->first[row][1], j);
      k.x[j] = lane_at(l->first[row][2], j);
    }
#pragma GCC unroll 3
    for (uint32_t n = 1; n < turns; n++) {
      const float *link = l->link[n - 1];
      for (int i = 0; i < 3; i++) k.link[n].v[i] = lane_at(link, i);
      k.link[n].cosine = lane_at(link, 3), k.link[n].sine = lane_at(link, 4);
    }
    lane_product_row(k, turns, c, s, m);
#pragma GCC unroll 4
    for (int j = 0; j < 4; j++) dest->m[j][row] = m[j];
  }
}

/* separate functions, so that the compiler allocates registers for each alone */
static __attribute__((noinline)) void lane_two(const si_linked *l, const float *sincos,
                                               lane_frame *dest) {
  lane_linked(l, 2, sincos, dest);
}
static __attribute__((noinline)) void lane_three(const si_linked *l, const float *sincos,
                                                 lane_frame *dest) {
  lane_linked(l, 3, sincos, dest);
}

/* dest = the matrix of the turn */
static void lane_turn_one(const sinew_rig *rig, uint32_t i, unsigned kind, const si_worker *w,
                          lane_frame *dest) {
  const si_turn *t = &rig->fused->turns[i];
  lanes sine = lane_load(w->sincos + (size_t)(2 * i) * SI_WIDTH);
  lanes cosine = lane_load(w->sincos + (size_t)(2 * i + 1) * SI_WIDTH);
  lane_turn_matrix(t, kind, cosine, sine, dest);
  if (kind & SI_TURN_MOVES)
    lane_turn_move(rig, i, t, kind, w->values, cosine, sine, dest->m[3]);
  else
    dest->m[3][0] = dest->m[3][1] = dest->m[3][2] = lane_all(0);
}

/* dest = dest * the matrix of the turn */
static void lane_turn_next(const sinew_rig *rig, uint32_t i, unsigned kind, const si_worker *w,
                           lane_frame *dest) {
  lane_frame turn;
  lane_turn_one(rig, i, kind, w, &turn);
  lane_frame_mul(dest, &turn, dest);
}

static __attribute__((noinline)) void lane_product_any(const sinew_batch *batch, uint32_t product,
                                                       const si_worker *w, lane_frame *dest) {
  const sinew_rig *rig = batch->rig;
  const uint32_t *first = rig->fused->first_turn + product;
  lane_turn_one(rig, first[0], batch->kinds[first[0]], w, dest);
  for (uint32_t i = first[0] + 1; i < first[1]; i++)
    lane_turn_next(rig, i, batch->kinds[i], w, dest);
}

LANE_INLINE void lane_product(const sinew_batch *batch, uint32_t product, const si_worker *w,
                              lane_frame *dest) {
  const si_linked *l = &batch->linked[product];
  const float *sincos = w->sincos + (size_t)l->sincos * SI_WIDTH;
  if (l->turns == 3)
    lane_three(l, sincos, dest);
  else if (l->turns == 2)
    lane_two(l, sincos, dest);
  else
    lane_product_any(batch, product, w, dest);
}

#endif
