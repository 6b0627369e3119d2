/* Affine matrices in lanes: three columns and the translation, three rows each. In the value array
 * they are stored like those of one character, 16 numbers each, but the last row is not written. */
#ifndef SI_LANE_FRAME_H
#define SI_LANE_FRAME_H

#include "math/lanes/lanes.h"

typedef struct lane_frame {
  lanes m[4][3];
} lane_frame;

LANE_INLINE void lane_frame_load(const float *values, uint32_t at, lane_frame *dest) {
#pragma GCC unroll 4
  for (uint32_t c = 0; c < 4; c++)
#pragma GCC unroll 3
    for (uint32_t r = 0; r < 3; r++)
      dest->m[c][r] = lane_load(values + (size_t)(at + 4 * c + r) * SI_WIDTH);
}
LANE_INLINE void lane_frame_store(const lane_frame *f, float *values, uint32_t at) {
#pragma GCC unroll 4
  for (uint32_t c = 0; c < 4; c++)
#pragma GCC unroll 3
    for (uint32_t r = 0; r < 3; r++)
      lane_store(values + (size_t)(at + 4 * c + r) * SI_WIDTH, f->m[c][r]);
}

/* the same matrix in all lanes */
LANE_INLINE void lane_frame_all(const float *matrix, lane_frame *dest) {
#pragma GCC unroll 4
  for (int c = 0; c < 4; c++)
#pragma GCC unroll 3
    for (int r = 0; r < 3; r++) dest->m[c][r] = lane_all(matrix[4 * c + r]);
}

/* dest = a * b, like si_frame_mul; dest may be a. Row by row, since a row of a and of the result
 * fit into registers. */
LANE_INLINE void lane_frame_mul(const lane_frame *a, const lane_frame *b, lane_frame *dest) {
#pragma GCC unroll 3
  for (int r = 0; r < 3; r++) {
    lanes x = a->m[0][r], y = a->m[1][r], z = a->m[2][r], t = a->m[3][r];
#pragma GCC unroll 3
    for (int c = 0; c < 3; c++)
      dest->m[c][r] = lane_mix(x, b->m[c][0], y, b->m[c][1], z, b->m[c][2]);
    dest->m[3][r] = lane_point(x, b->m[3][0], y, b->m[3][1], z, b->m[3][2], t);
  }
}
/* the same for the rotation parts alone */
LANE_INLINE void lane_frame_turn_by(const lane_frame *a, const lane_frame *b, lane_frame *dest) {
#pragma GCC unroll 3
  for (int r = 0; r < 3; r++) {
    lanes x = a->m[0][r], y = a->m[1][r], z = a->m[2][r];
#pragma GCC unroll 3
    for (int c = 0; c < 3; c++)
      dest->m[c][r] = lane_mix(x, b->m[c][0], y, b->m[c][1], z, b->m[c][2]);
  }
}

/* the rotation part of a matrix p + cos q + sin x, in columns of four numbers */
LANE_INLINE void lane_frame_rotated(const float *p, const float *q, const float *x, lanes cosine,
                                    lanes sine, lane_frame *dest) {
#pragma GCC unroll 3
  for (int c = 0; c < 3; c++)
#pragma GCC unroll 3
    for (int r = 0; r < 3; r++) dest->m[c][r] = lane_rotated(p, q, x, c, r, cosine, sine);
}

#endif
