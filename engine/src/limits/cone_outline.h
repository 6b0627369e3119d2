/* The star-shaped outline of fewest points between two others. */
#ifndef SI_CONE_OUTLINE_H
#define SI_CONE_OUTLINE_H

typedef struct si_outline_point {
  int border; /* its azimuth is 2 pi border / count */
  double polar;
} si_outline_point;

/* `inner` holds, for `count` equally spaced azimuths about V, the least polar angle (radians) of
 * the outline. The outline may exceed it by up to `tolerance`, but not exceed `widest`. Writes at
 * most `count` points in order of azimuth and returns how many, at least three; -1 when memory is
 * out. */
int si_outline_fewest(const double *inner, int count, double tolerance, double widest,
                      si_outline_point *dest);

#endif
