/* Products of an affine matrix with a matrix of derivatives, whose last row is 0. */
#ifndef SI_RATE_H
#define SI_RATE_H

#include "math/matrix.h"
#include "sinew/component.h"

/* the first three terms of a column of a product */
static inline si_v4 si_rate_column(const si_v4 a[3], const float *b) {
  return a[0] * si_all(b[0]) + a[1] * si_all(b[1]) + a[2] * si_all(b[2]);
}

/* m * rate; dest may be either */
static inline void si_rate_after(const float *m, const float *rate, float *dest) {
  const si_v4 a[3] = { si_load(m), si_load(m + 4), si_load(m + 8) };
  si_v4 c[4];
#pragma GCC unroll 4
  for (int k = 0; k < 4; k++) c[k] = si_rate_column(a, rate + 4 * k);
#pragma GCC unroll 4
  for (int k = 0; k < 4; k++) si_store(dest + 4 * k, c[k]);
}

/* rate * m; dest may be either */
static inline void si_rate_before(const float *rate, const float *m, float *dest) {
  const si_v4 a[3] = { si_load(rate), si_load(rate + 4), si_load(rate + 8) };
  si_v4 last = si_load(rate + 12), c[4];
#pragma GCC unroll 4
  for (int k = 0; k < 4; k++) c[k] = si_rate_column(a, m + 4 * k);
  c[3] += last;
#pragma GCC unroll 4
  for (int k = 0; k < 4; k++) si_store(dest + 4 * k, c[k]);
}

/* dest += scale * rate, of a matrix */
static inline void si_rate_add(float scale, const float *rate, float *dest) {
#pragma GCC unroll 4
  for (int k = 0; k < 16; k += 4)
    si_store(dest + k, si_load(dest + k) + si_all(scale) * si_load(rate + k));
}

/* Adds the effect of a scalar input to the derivative of matrix output `output`, given its
 * derivative by that input. */
static inline void si_rate_spread(const sinew_rates *rates, uint32_t input, const float *by_input,
                                  uint32_t output) {
  const sinew_input_rates *in = &rates->inputs[input];
  for (uint32_t k = 0; k < in->count; k++)
    si_rate_add(in->rates[k], by_input, rates->outputs[output] + 16 * (size_t)in->columns[k]);
}
/* The same for a scalar output. */
static inline void si_rate_pass(const sinew_rates *rates, uint32_t input, float by_input,
                                uint32_t output) {
  const sinew_input_rates *in = &rates->inputs[input];
  for (uint32_t k = 0; k < in->count; k++)
    rates->outputs[output][in->columns[k]] += by_input * in->rates[k];
}

#endif
