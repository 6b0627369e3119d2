/* Products of two and of three rotations, four at a time: a register holds the same entry of four
 * matrices, so that no shuffles are needed until they are stored.
 *
 * A rotation about any axis is a rotation about z in another frame. So a product of rotations is
 *   K0 Rz(t0) L0 Rz(t1) L1 Rz(t2) L2 Rz(k)
 * with constant K0, L and k. The constant transform between two axes is Rz(a) T(v) Rx(b) Rz(c).
 * Both Rz are added to the angles. That leaves L = T(v) Rx(b), which changes few columns. K0, the
 * first rotation and L0 are one matrix p + cos q + sin x that includes the segment's rest
 * transform. */
#ifndef SI_PRODUCTS_OF_FOUR_H
#define SI_PRODUCTS_OF_FOUR_H

#include "compile/fuse.h"

enum { SI_QUAD_TURNS = 3 }; /* the most rotations in a product that runs in fours */

typedef struct si_quad {
  _Alignas(16) float first[3][4][3][4]; /* p, q and x of each row's four entries; lanes last */
  float phase[SI_QUAD_TURNS][2][4];     /* cosine and sine of the constant added to each angle */
  float link[SI_QUAD_TURNS][5][4];      /* L after each rotation: v, then cosine and sine of b */
  float last[2][4];                     /* cosine and sine of k */
  float low[SI_QUAD_TURNS][4], high[SI_QUAD_TURNS][4], rest[SI_QUAD_TURNS][4];
  uint32_t angle[SI_QUAD_TURNS][4]; /* where the angles are stored in the value array */
  uint32_t at[4]; /* where the products are stored; unused lanes repeat the last one */
  bool works;     /* false if a rotation has several intervals: then its products run one by one */
} si_quad;

void si_quads_carve(const uint32_t *product_end, si_carver *carver, si_fused *fused);
/* Computes the constants. Call it again after a live change. */
void si_quads_refresh(sinew_rig *rig);
/* The first quad of the products with so many rotations. A quad is four consecutive products. */
static inline si_quad *si_quads_of(const si_fused *f, uint32_t turns) {
  return f->quads + (turns > 2 ? (f->product_end[1] - f->product_end[0] + 3) / 4 : 0);
}

#endif
