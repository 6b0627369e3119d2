/* Motion as points in angle space: orientations become Euler angles, and gaps are filled. */
#ifndef SI_FIELD_SAMPLES_H
#define SI_FIELD_SAMPLES_H

#include "limits/field_internal.h"

typedef struct si_samples {
  float *points; /* axis_count floats each, inside the ranges */
  size_t count, capacity;
  size_t limit;                     /* the most points that memory allows */
  size_t given, beyond;             /* beyond: of the given ones, those outside the ranges */
  size_t beyond_clip, beyond_place; /* of the first one beyond, counted from 1 */
  int beyond_axis;
} si_samples;

/* Reads all clips. The caller frees the points, also on failure. */
sinew_status si_samples_collect(const sinew_field_desc *desc, const si_grid *grid,
                                const sinew_field_motion *motion, si_samples *samples,
                                sinew_error *error);

#endif
