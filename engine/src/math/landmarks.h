/* Fitting landmarks to given places: the best similarity, and a smooth displacement for what
 * remains. */
#ifndef SI_LANDMARKS_H
#define SI_LANDMARKS_H

#include <stdbool.h>

typedef double si_place[3];

/* The rotation, uniform scale and translation that take points to targets with the least squares of
 * distances, as a column-major matrix. One point is only moved; two are turned the shortest way.
 * The scale is the ratio of both spreads; it is 1 where the points have none. */
void si_similarity(const si_place *from, const si_place *to, int count, double dest[16]);

/* A displacement that moves each point by what is asked for, and others smoothly along: a constant
 * and a multiple of the distance to each point (the biharmonic spline in space); the multiples add
 * up to 0. `weights` has room for count + 1, `work` for (count + 1)^2 numbers. False if two points
 * are in the same place. */
bool si_warp_make(const si_place *points, const si_place *moves, int count, si_place *weights,
                  double *work);
void si_warp_point(const si_place *points, const si_place *weights, int count, si_place dest);

#endif
