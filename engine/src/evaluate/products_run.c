/* Runs products of two and three rotations, four at a time or one alone, with bit-identical
 * results. compile/products_of_four.h has their constants. */
#include "evaluate/fused_run.h"

#include "components/rotation.h"

#define KERNEL_WIDTH 4
#include "math/kernels/number.h"

#include "evaluate/kernels/product.h"

#include "math/kernels/end.h"

/* the angles from rest of the n-th rotations of four products, clamped to their ranges */
static inline si_v4 turns_by(const si_quad *q, uint32_t n, const float *values) {
  const uint32_t *at = q->angle[n];
  si_v4 wanted = { values[at[0]], values[at[1]], values[at[2]], values[at[3]] };
  return si_rotation_angle_four(wanted, si_load(q->low[n]), si_load(q->high[n])) -
         si_load(q->rest[n]);
}

/* cosines and sines of angles of any size */
static __attribute__((noinline)) void turn_far(si_v4 *angles, uint32_t turns, si_v4 *c, si_v4 *s) {
  for (uint32_t n = 0; n < turns; n++) {
    if (si_turns_far(angles[n])) angles[n] = si_unwind(angles[n]);
    si_sincos_four(angles[n], &s[n], &c[n]);
  }
}

static inline __attribute__((always_inline)) bool run(const si_quad *q, uint32_t turns,
                                                      float *values) {
  si_v4 angles[SI_QUAD_TURNS], c[SI_QUAD_TURNS], s[SI_QUAD_TURNS], out[4][4], sum = si_all(0);
  const si_v4 eighth = si_all(45);
  si_i4 near = { -1, -1, -1, -1 };
#pragma GCC unroll 3
  for (uint32_t n = 0; n < turns; n++) {
    angles[n] = turns_by(q, n, values);
    near &= (angles[n] <= eighth) & (angles[n] >= -eighth);
  }
  /* in a chain of many joints most angles are small, and then no range reduction is needed */
  if (si_any(~near))
    turn_far(angles, turns, c, s);
  else
#pragma GCC unroll 3
    for (uint32_t n = 0; n < turns; n++) si_sincos_near_four(angles[n], &s[n], &c[n]);
#pragma GCC unroll 3
  for (uint32_t n = 1; n < turns; n++)
    si_rotate_columns_four(&c[n], &s[n], si_load(q->phase[n][0]), -si_load(q->phase[n][1]));
#pragma GCC unroll 3
  for (int row = 0; row < 3; row++) {
    si_product_constants_four k = { .cosine = si_load(q->last[0]), .sine = si_load(q->last[1]) };
    si_v4 m[4];
#pragma GCC unroll 4
    for (int j = 0; j < 4; j++) {
      const float(*first)[4] = q->first[row][j];
      k.p[j] = si_load(first[0]), k.q[j] = si_load(first[1]), k.x[j] = si_load(first[2]);
    }
#pragma GCC unroll 3
    for (uint32_t n = 1; n < turns; n++) {
      const float(*between)[4] = q->link[n];
#pragma GCC unroll 3
      for (int i = 0; i < 3; i++) k.link[n].v[i] = si_load(between[i]);
      k.link[n].cosine = si_load(between[3]), k.link[n].sine = si_load(between[4]);
    }
    si_product_row_four(k, turns, c, s, m);
    /* a NaN angle or an overflow reaches the translation */
    sum += m[3] * si_all(0);
#pragma GCC unroll 4
    for (int j = 0; j < 4; j++) out[j][row] = m[j];
  }
#pragma GCC unroll 4
  for (int j = 0; j < 4; j++) {
    si_v4 columns[4];
    si_transpose_four(out[j][0], out[j][1], out[j][2], si_all(j == 3), columns);
#pragma GCC unroll 4
    for (int i = 0; i < 4; i++) si_store(values + q->at[i] + 4 * j, columns[i]);
  }
  return sum[0] + sum[1] + sum[2] + sum[3] == 0;
}

bool si_quad_run(const si_quad *quad, uint32_t turns, float *values) {
  return turns == 2 ? run(quad, 2, values) : run(quad, 3, values);
}

/* One product: a register holds a column, so the lanes are the rows. */
static inline __attribute__((always_inline)) bool
run_one(const si_quad *q, uint32_t lane, uint32_t turns, const si_turn *first, float *values) {
  si_product_constants_four k = { .cosine = si_all(q->last[0][lane]),
                                  .sine = si_all(q->last[1][lane]) };
  si_v4 degrees = si_all(0), c, s, cosines[SI_QUAD_TURNS], sines[SI_QUAD_TURNS], m[4];
#pragma GCC unroll 3
  for (uint32_t n = 0; n < turns; n++)
    degrees[n] =
        si_rotation_angle_one(values[q->angle[n][lane]], q->low[n][lane], q->high[n][lane]) -
        q->rest[n][lane];
  if (si_turns_far(degrees)) degrees = si_unwind(degrees);
  si_sincos_four(degrees, &s, &c);
  cosines[0] = SI_LANE(c, 0), sines[0] = SI_LANE(s, 0);
#pragma GCC unroll 4
  for (int j = 0; j < 4; j++) {
    k.p[j] = si_load(first->p + 4 * j);
    k.q[j] = si_load(first->q + 4 * j);
    k.x[j] = si_load(first->x + 4 * j);
  }
#pragma GCC unroll 3
  for (uint32_t n = 1; n < turns; n++) {
    const float(*between)[4] = q->link[n];
    cosines[n] = si_all(c[n]), sines[n] = si_all(s[n]);
    si_rotate_columns_four(&cosines[n], &sines[n], si_all(q->phase[n][0][lane]),
                           -si_all(q->phase[n][1][lane]));
#pragma GCC unroll 3
    for (int i = 0; i < 3; i++) k.link[n].v[i] = si_all(between[i][lane]);
    k.link[n].cosine = si_all(between[3][lane]), k.link[n].sine = si_all(between[4][lane]);
  }
  si_product_row_four(k, turns, cosines, sines, m);
  /* sums of zeros may be -0 in the last row, so it is set to 0 */
  const si_i4 upper = { -1, -1, -1, 0 };
#pragma GCC unroll 3
  for (int j = 0; j < 3; j++) si_store(values + q->at[lane] + 4 * j, (si_v4)((si_i4)m[j] & upper));
  si_store(values + q->at[lane] + 12, m[3]);
  si_v4 sum = m[3] * si_all(0);
  return sum[0] + sum[1] + sum[2] == 0;
}

/* the number of rotations is a constant in each call, so that the loops unroll */
bool si_quad_run_one(const si_quad *q, uint32_t lane, uint32_t turns, const si_turn *first,
                     float *values) {
  return turns == 2 ? run_one(q, lane, 2, first, values) : run_one(q, lane, 3, first, values);
}
