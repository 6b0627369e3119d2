/* The rotation component's constants and kernel, shared with components that evaluate a rotation
 * again at other angles. */
#ifndef SI_ROTATION_H
#define SI_ROTATION_H

#include "components/catalog.h"
#include "math/frame.h"

/* With common axis x the rotation part of R(a) is Rot(x, a - rest) = P + cos Q + sin X, and within
 * interval i its translation is Rot(x, a - rest) d(i) + c(i): every entry of the matrix is
 * p + cos q + sin x. */
typedef sinew_turn_move si_hinge_move;
typedef sinew_turn si_hinge;

size_t si_hinge_bytes(const sinew_setup *setup);
void si_hinge_setup(sinew_setup *setup, void *data);

/* the translation of the interval that an angle inside the range is in */
static inline const si_hinge_move *si_hinge_interval(const si_hinge *h, float angle) {
  uint32_t i = 0;
  const float *ends = (const float *)(const void *)((const char *)h + h->ends_at);
  while (i + 1 < h->intervals && angle >= ends[i]) i++;
  return &h->moves[i];
}

/* the matrix at an angle inside the range, of whose way from rest the cosine and sine are given */
static inline si_frame si_hinge_frame(const si_hinge *h, float angle, float cosine, float sine) {
  const si_hinge_move *m = si_hinge_interval(h, angle);
  si_v4 c = si_all(cosine), s = si_all(sine);
  return (si_frame){ si_load(h->p) + c * si_load(h->q) + s * si_load(h->x),
                     si_load(h->p + 4) + c * si_load(h->q + 4) + s * si_load(h->x + 4),
                     si_load(h->p + 8) + c * si_load(h->q + 8) + s * si_load(h->x + 8),
                     si_load(m->p) + c * si_load(m->q) + s * si_load(m->x) };
}
static inline void si_hinge_eval(const si_hinge *h, float angle, float *dest) {
  float s, c;
  si_sincos(angle - h->rest, &s, &c);
  si_frame_store(si_hinge_frame(h, angle, c, s), dest);
}

/* its derivative per degree; where the centre changes, that of the larger angles */
static inline void si_hinge_rate(const si_hinge *h, float angle, float *dest) {
  float s, c;
  si_sincos(angle - h->rest, &s, &c);
  const si_hinge_move *m = si_hinge_interval(h, angle);
  si_v4 by_q = si_all(-s * (float)SI_DEG), by_x = si_all(c * (float)SI_DEG);
#pragma GCC unroll 3
  for (int k = 0; k < 12; k += 4)
    si_store(dest + k, by_q * si_load(h->q + k) + by_x * si_load(h->x + k));
  si_store(dest + 12, by_q * si_load(m->q) + by_x * si_load(m->x));
}

#endif
