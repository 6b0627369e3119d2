/* Products of two and of three turns, four at a time: a register holds the same entry of four
 * matrices, so that nothing is shuffled until they are stored.
 *
 * Turning about any axis is turning about z in another frame. So a product of turns is
 *   K0 Rz(t0) L0 Rz(t1) L1 Rz(t2) L2 Rz(k)
 * with constant K0, L and k. What lies between two axes is itself Rz(a) T(v) Rx(b) Rz(c), of which
 * both Rz go into the angles; what is left of L is a move and an Rx, which mix few columns. K0, the
 * first turn and L0 are one matrix p + cos q + sin x, with the segment's rest transform in it. */
#ifndef SI_PRODUCTS_OF_FOUR_H
#define SI_PRODUCTS_OF_FOUR_H

#include "compile/fuse.h"

enum { SI_QUAD_TURNS = 3 }; /* the most in a product that is one of four */

typedef struct si_quad {
  _Alignas(16) float first[3][4][3][4]; /* p, q and x of each row's four entries; lanes last */
  float phase[SI_QUAD_TURNS][2][4];     /* cosine and sine of what is added to each angle */
  float link[SI_QUAD_TURNS][5][4];      /* after each turn: v, then cosine and sine of b */
  float last[2][4];                     /* cosine and sine of k */
  float low[SI_QUAD_TURNS][4], high[SI_QUAD_TURNS][4], rest[SI_QUAD_TURNS][4];
  uint32_t angle[SI_QUAD_TURNS][4]; /* where they stand in the value array */
  uint32_t at[4]; /* where the products go; the last one again in lanes too many */
  bool works;     /* no turn has several intervals */
} si_quad;

void si_quads_carve(const uint32_t *product_end, si_carver *carver, si_fused *fused);
/* Copies constants, after a live change too. */
void si_quads_refresh(sinew_rig *rig);
/* The first quad of products of so many turns; four products in order are one each. */
static inline si_quad *si_quads_of(const si_fused *f, uint32_t turns) {
  return f->quads + (turns > 2 ? (f->product_end[1] - f->product_end[0] + 3) / 4 : 0);
}

#endif
