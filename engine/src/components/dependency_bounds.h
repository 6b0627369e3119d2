/* The dependency's constants, for its evaluation one by one and in lanes. */
#ifndef SI_DEPENDENCY_BOUNDS_H
#define SI_DEPENDENCY_BOUNDS_H

#include "curve.h"

typedef struct si_bounds {
  const sinew_curve *map, *offset, *lower, *upper;
} si_bounds;

#endif
