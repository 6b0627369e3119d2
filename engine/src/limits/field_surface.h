/* Declarations shared by the files that build a field from a surface. */
#ifndef SI_FIELD_SURFACE_H
#define SI_FIELD_SURFACE_H

#include "limits/field_internal.h"
#include "shape/surface_internal.h"

/* field_inside.c: adds to each node the winding number of the surface and of its periodic images
 * along the axes that wrap. The surface is closed, starts at `low` and is at most two periods
 * wide. False: stopped. */
bool si_field_windings(const si_grid *grid, const sinew_surface *surface, const double low[3],
                       int32_t *windings);

#endif
