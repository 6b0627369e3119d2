/* A picture of a distance field in the space of its angles: a border surface for three angles, a
 * region for two, a bar for one, and for more a row of regions, cut at the current values. */
#ifndef VIEWER_FIELD_VIEW_H
#define VIEWER_FIELD_VIEW_H

#include "draw/primitives.h"
#include "ui/ui.h"

#include <sinew/field.h>

typedef struct field_view field_view;

/* Returns NULL if memory runs out or the field has no border surface. Retains the field. */
field_view *field_view_create(const sinew_field *field);
void field_view_destroy(field_view *v); /* NULL is allowed */
const sinew_field *field_view_field(const field_view *v);

typedef struct field_point {
  float wanted[SINEW_FIELD_AXES], given[SINEW_FIELD_AXES];
  bool held;
} field_point;

/* Renders what needs its own texture; call it outside of raylib's drawing modes. `pixels` is the
 * side length. */
void field_view_prepare(field_view *v, primitives *m, const field_point *point, int pixels);
/* The width of the picture for a height; then drawing it. A picture of three angles is rotated by
 * dragging. There is one name for each axis. */
float field_view_width(const field_view *v, float height);
void field_view_draw(field_view *v, ui *u, Rectangle r, const char *title, const char *const *names,
                     const field_point *point);

#endif
