/* A product of rotations, row by row, over NUM (math/kernels/number.h):
 *   K0 Rz(t0) L0 Rz(t1) L1 Rz(t2) L2 Rz(k), with L(n) = T(v) Rx(b),
 * as compile/products_of_four.h factors it. The including file decides what a lane is: a row of one
 * product, one of four products, or one of 4 or 8 characters. */

/* the constants of one row */
typedef struct OF(product_constants) {
  NUM p[4], q[4], x[4]; /* K0 Rz(t0) L0 is p + cos(t0) q + sin(t0) x */
  struct {
    NUM v[3], cosine, sine; /* of L: v, and cosine and sine of b */
  } link[SI_QUAD_TURNS];    /* of each rotation but the first */
  NUM cosine, sine;         /* of k */
} OF(product_constants);

/* m = a row of the product of `turns` rotations; cosines and sines are those of t0, t1 and t2 */
KERNEL void OF(product_row)(OF(product_constants) k, uint32_t turns, const NUM *cosines,
                            const NUM *sines, NUM m[4]) {
#pragma GCC unroll 4
  for (int j = 0; j < 4; j++)
    m[j] = OF(rotated_entry)(k.p[j], k.q[j], k.x[j], cosines[0], sines[0]);
#pragma GCC unroll 3
  for (uint32_t n = 1; n < turns; n++) {
    OF(rotate_columns)(&m[0], &m[1], cosines[n], sines[n]);
    m[3] += m[0] * k.link[n].v[0] + m[1] * k.link[n].v[1] + m[2] * k.link[n].v[2];
    OF(rotate_columns)(&m[1], &m[2], k.link[n].cosine, k.link[n].sine);
  }
  OF(rotate_columns)(&m[0], &m[1], k.cosine, k.sine);
}
