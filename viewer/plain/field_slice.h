/* A cut through a distance field along two of its angles, as a picture. */
#ifndef VIEWER_FIELD_SLICE_H
#define VIEWER_FIELD_SLICE_H

#include <sinew/field.h>

/* An angle wrapped or clamped into the range of its axis. */
float field_axis_held(const sinew_field *field, int axis, float angle);
/* The position of an angle in the range of its axis, from 0 to 1. */
float field_axis_share(const sinew_field *field, int axis, float angle);

/* Distances minus epsilon, `width` times `height` of them, top row first: `across` increases to the
 * right and `up` upwards, each over its whole range; the other angles are as given. */
void field_slice(const sinew_field *field, int across, int up, const float *angles, int width,
                 int height, float *dest);
/* RGBA for such distances: the feasible region, with a border blended over one sample, and contour
 * lines every `step` degrees outside of it. */
void field_slice_colors(const float *distances, int width, int height, float step, uint8_t *dest);

#endif
