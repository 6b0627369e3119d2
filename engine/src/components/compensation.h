/* The compensate component's constants, shared by poses and lanes. */
#ifndef SI_COMPENSATION_H
#define SI_COMPENSATION_H

#include <stdbool.h>

typedef struct si_compensation {
  _Alignas(16) float below[16]; /* rot(X) */
  float back[16];               /* its inverse */
  bool rotated;                 /* rot(X) is not the identity */
} si_compensation;

#endif
