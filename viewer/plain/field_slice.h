/* A cut through a distance field along two of its angles, as a picture. */
#ifndef VIEWER_FIELD_SLICE_H
#define VIEWER_FIELD_SLICE_H

#include <sinew/field.h>

/* An angle wrapped or clamped into the range of its axis. */
float field_axis_held(const sinew_field *field, int axis, float angle);
/* The position of an angle in the range of its axis, from 0 to 1. */
float field_axis_share(const sinew_field *field, int axis, float angle);

/* Distances less epsilon, `width` times `height` of them, first row at the top: `across` grows to
 * the right and `up` upwards over their whole ranges; the other angles are as given. */
void field_slice(const sinew_field *field, int across, int up, const float *angles, int width,
                 int height, float *dest);
/* RGBA of such distances: the feasible region, its border one sample soft, and lines every `step`
 * degrees outside of it. */
void field_slice_colors(const float *distances, int width, int height, float step, uint8_t *dest);

#endif
