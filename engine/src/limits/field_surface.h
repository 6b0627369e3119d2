/* What building a field from a surface shares between its files. */
#ifndef SI_FIELD_SURFACE_H
#define SI_FIELD_SURFACE_H

#include "limits/field_internal.h"
#include "shape/surface_internal.h"

/* field_inside.c: adds to each node how often the surface, and its images round the axes that wrap,
 * wind around it. The surface is closed, starts at `low` and is at most two turns wide. */
void si_field_windings(const si_grid *grid, const sinew_surface *surface, const double low[3],
                       int32_t *windings);

#endif
