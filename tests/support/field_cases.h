/* Shared by the tests of fields: random numbers, motions, slow oracles, and failing memory. */
#ifndef FIELD_CASES_H
#define FIELD_CASES_H

#include "limits/field_internal.h"

void case_seed(uint32_t seed);
/* uniform from low to high */
float case_random(float low, float high);
int case_pick(int low, int high);

/* A smooth closed path of `count` points on `axes` angles, inside the middle 80% of the grid. */
void case_path(const sinew_field_desc *desc, int count, float *dest);
/* A desc with random ranges, resolutions and wraps; at most `nodes` nodes. */
sinew_field_desc case_desc(int axes, int nodes);
/* A field from angles as they are, without gap filling. */
sinew_field *case_field(const sinew_field_desc *desc, const float *samples, size_t count);
/* The angles of a node. */
void case_node(const si_grid *grid, uint32_t node, double *dest);
/* The distance of two points, the shorter way around axes that wrap. */
double case_distance(const si_grid *grid, const double *a, const double *b);
/* Distance from a point to the nearest of all samples. */
double case_nearest(const si_grid *grid, const double *place, const float *samples, size_t count);

/* Runs `make` with the first, the second ... allocation failing until it returns true. False if
 * something leaked, or it never succeeded. */
bool case_survives_failing_memory(bool (*make)(void *context), void *context);

#endif
