/* Products of turns in lanes. */
#ifndef SI_LANE_TURN_H
#define SI_LANE_TURN_H

#include "batch.h"
#include "components/rotation.h"
#include "lane_frame.h"

/* the translation of a turn with several intervals, at an angle inside its range */
LANE_INLINE void lane_hinge_move(const si_hinge *h, lanes angle, lanes cosine, lanes sine,
                                 lanes dest[3]) {
  const float *ends = (const float *)(const void *)((const char *)h + h->ends_at);
  for (int r = 0; r < 3; r++) {
    const si_hinge_move *m = h->moves;
    dest[r] = m->p[r] + cosine * m->q[r] + sine * m->x[r];
    for (uint32_t i = 1; i < h->intervals; i++) {
      lanes here = m[i].p[r] + cosine * m[i].q[r] + sine * m[i].x[r];
      dest[r] = lane_pick(angle >= ends[i - 1], here, dest[r]);
    }
  }
}

/* a rotation by itself, whose angle is inside its range */
LANE_INLINE void lane_hinge(const si_hinge *h, lanes angle, lanes cosine, lanes sine,
                            lane_frame *dest) {
  lane_frame_turn(h->p, h->q, h->x, cosine, sine, 3, dest);
  lane_hinge_move(h, angle, cosine, sine, dest->m[3]);
}

typedef struct lane_turn {
  const si_turn *constants;
  lanes cosine, sine;
  lanes move[3];
  unsigned kind;
} lane_turn;

/* the translation of the turn `i` with several intervals; after its segment's rest transform */
static void lane_turn_far(const sinew_rig *rig, uint32_t i, lanes angle, lane_turn *t) {
  const si_fused *f = rig->fused;
  lanes move[3];
  lane_hinge_move(f->hinges[i], angle, t->cosine, t->sine, move);
  if (f->turn_slot[i] == SI_NONE) {
    memcpy(t->move, move, sizeof move);
    return;
  }
  const float *rest = rig->rest + 16 * (size_t)f->turn_slot[i];
  for (int r = 0; r < 3; r++)
    t->move[r] =
        (rest[r] * move[0] + rest[4 + r] * move[1]) + (rest[8 + r] * move[2] + rest[12 + r]);
}

LANE_INLINE void lane_turn_make(const sinew_rig *rig, const uint8_t *kinds, uint32_t i,
                                const float *values, lane_turn *dest) {
  const si_fused *f = rig->fused;
  const si_turn *t = &f->turns[i];
  lanes angle = lane_load(values + (size_t)f->turn_angle[i] * SI_WIDTH);
  angle = lane_clamp(angle, lane_all(f->low[i]), lane_all(f->high[i]));
  dest->constants = t;
  dest->kind = kinds[i];
  lane_sincos(angle - f->rest[i], &dest->sine, &dest->cosine);
  if (!(dest->kind & SI_TURN_MOVES)) return;
  if (__builtin_expect(f->hinges[i] != NULL, 0))
    lane_turn_far(rig, i, angle, dest);
  else
#pragma GCC unroll 3
    for (int r = 12; r < 15; r++)
      dest->move[r - 12] = t->p[r] + dest->cosine * t->q[r] + dest->sine * t->x[r];
}

LANE_INLINE void lane_turn_start(const lane_turn *t, lane_frame *dest) {
  unsigned axis = t->kind & SI_TURN_AXIS;
  lanes zero = lane_all(0);
  if (!axis) {
    const si_turn *k = t->constants;
    lane_frame_turn(k->p, k->q, k->x, t->cosine, t->sine, 3, dest);
  } else {
    unsigned k = axis - 1, a = axis % 3, b = (axis + 1) % 3;
    lanes sine = t->kind & SI_TURN_BACK ? -t->sine : t->sine;
    dest->m[k][k] = lane_all(1), dest->m[k][a] = dest->m[k][b] = zero;
    dest->m[a][k] = zero, dest->m[a][a] = t->cosine, dest->m[a][b] = sine;
    dest->m[b][k] = zero, dest->m[b][a] = -sine, dest->m[b][b] = t->cosine;
  }
#pragma GCC unroll 3
  for (int r = 0; r < 3; r++) dest->m[3][r] = t->kind & SI_TURN_MOVES ? t->move[r] : zero;
}

/* f = f * t */
LANE_INLINE void lane_turn_next(const lane_turn *t, lane_frame *f) {
  unsigned axis = t->kind & SI_TURN_AXIS;
  if (t->kind & SI_TURN_MOVES)
#pragma GCC unroll 3
    for (int r = 0; r < 3; r++)
      f->m[3][r] = (f->m[0][r] * t->move[0] + f->m[1][r] * t->move[1]) +
                   (f->m[2][r] * t->move[2] + f->m[3][r]);
  if (axis) {
    unsigned a = axis % 3, b = (axis + 1) % 3;
    lanes sine = t->kind & SI_TURN_BACK ? -t->sine : t->sine;
#pragma GCC unroll 3
    for (int r = 0; r < 3; r++) {
      lanes p = f->m[a][r], q = f->m[b][r];
      f->m[a][r] = p * t->cosine + q * sine;
      f->m[b][r] = q * t->cosine - p * sine;
    }
    return;
  }
  lane_frame turn, old = *f;
  const si_turn *k = t->constants;
  lane_frame_turn(k->p, k->q, k->x, t->cosine, t->sine, 3, &turn);
#pragma GCC unroll 3
  for (int c = 0; c < 3; c++)
#pragma GCC unroll 3
    for (int r = 0; r < 3; r++)
      f->m[c][r] =
          old.m[0][r] * turn.m[c][0] + old.m[1][r] * turn.m[c][1] + old.m[2][r] * turn.m[c][2];
}

static void lane_product(const sinew_rig *rig, const uint8_t *kinds, uint32_t product,
                         const float *values, lane_frame *dest) {
  const uint32_t *first = rig->fused->first_turn + product;
  lane_turn t;
  uint32_t i = first[0], end = first[1];
  lane_turn_make(rig, kinds, i, values, &t);
  lane_turn_start(&t, dest);
  for (i++; i < end; i++) {
    lane_turn_make(rig, kinds, i, values, &t);
    lane_turn_next(&t, dest);
  }
}

#endif
