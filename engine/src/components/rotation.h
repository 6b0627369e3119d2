/* The rotation component's constants and value, for the programs and for components that evaluate a
 * rotation at angles of their own. */
#ifndef SI_ROTATION_H
#define SI_ROTATION_H

#include "components/catalog.h"
#include "math/angle.h"
#include "math/matrix.h"

/* With the axis u, the rotation part of R(a) is Rot(u, a - rest) = P + cos Q + sin X, where
 * P = u u^T, Q = I - P and X v = u x v (Rodrigues). Within interval i the translation is
 * Rot(u, a - rest) d(i) + c(i). So every entry of the matrix is p + cos q + sin x. */
typedef sinew_turn_move si_rotation_interval;
typedef sinew_turn si_rotation_data;

size_t si_rotation_bytes(const sinew_setup *setup);
void si_rotation_setup(sinew_setup *setup, void *data);

/* the ends of the intervals */
static inline const float *si_rotation_ends(const si_rotation_data *h) {
  return (const float *)(const void *)((const char *)h + h->ends_at);
}

#define KERNEL_WIDTH 4
#include "math/kernels/number.h"

#include "components/kernels/rotation.h"
#include "components/kernels/rotation_range.h"

#include "math/kernels/end.h"

#define KERNEL_WIDTH 1
#include "math/kernels/number.h"

#include "components/kernels/rotation_range.h"

#include "math/kernels/end.h"

/* The matrix at an angle in the range; cosine and sine are those of the angle minus the rest
 * angle. */
static inline si_frame si_rotation_frame(const si_rotation_data *h, float angle, float cosine,
                                         float sine) {
  si_v4 a = si_all(angle), c = si_all(cosine), s = si_all(sine);
  return (si_frame){ si_rotated_four(h->p, h->q, h->x, 0, 0, c, s),
                     si_rotated_four(h->p, h->q, h->x, 1, 0, c, s),
                     si_rotated_four(h->p, h->q, h->x, 2, 0, c, s),
                     si_rotation_move_four(h, 0, a, c, s) };
}
static inline void si_rotation_eval(const si_rotation_data *h, float angle, float *dest) {
  float s, c;
  si_sincos(angle - h->rest, &s, &c);
  si_frame_store(si_rotation_frame(h, angle, c, s), dest);
}

/* its derivative per degree; where the centre changes, that of the interval above */
static inline void si_rotation_rate(const si_rotation_data *h, float angle, float *dest) {
  float sine, cosine;
  si_sincos(angle - h->rest, &sine, &cosine);
  si_v4 s = si_all(sine * (float)SI_DEG), c = si_all(cosine * (float)SI_DEG);
#pragma GCC unroll 3
  for (int j = 0; j < 3; j++) si_store(dest + 4 * j, si_rotated_rate_four(h->q, h->x, j, 0, c, s));
  si_store(dest + 12, si_rotation_move_rate_four(h, 0, si_all(angle), c, s));
}

#endif
