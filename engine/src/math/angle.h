/* Angles in degrees: sine, cosine and arctangent of one number or of four. */
#ifndef SI_ANGLE_H
#define SI_ANGLE_H

#include "math/vector.h"

#define SI_DEG (3.14159265358979323846 / 180.0) /* radians in a degree */

#define KERNEL_WIDTH 4
#include "math/kernels/number.h"

#include "math/kernels/angle.h"

#include "math/kernels/end.h"

/* whether one of these angles is too large for si_sincos_four */
static inline bool si_turns_far(si_v4 degrees) {
  const si_v4 limit = si_all(SI_SINCOS_LIMIT);
  return si_any(~((degrees < limit) & (degrees > -limit)));
}
/* equivalent angles that are small enough for it */
static inline si_v4 si_unwind(si_v4 degrees) {
  for (int i = 0; i < 4; i++)
    if (!(fabsf(degrees[i]) < SI_SINCOS_LIMIT)) degrees[i] = fmodf(degrees[i], 360.0f);
  return degrees;
}

/* sine and cosine of any angle in degrees */
static inline void si_sincos(float degrees, float *sine, float *cosine) {
  if (!(fabsf(degrees) < SI_SINCOS_LIMIT)) degrees = fmodf(degrees, 360.0f);
  si_v4 s, c;
  si_sincos_four(si_all(degrees), &s, &c);
  *sine = s[0];
  *cosine = c[0];
}
static inline float si_atan2(float y, float x) { return si_atan2_four(si_all(y), si_all(x))[0]; }

#endif
