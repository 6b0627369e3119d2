/* The star-shaped outline of fewest points between two others. */
#ifndef SI_CONE_OUTLINE_H
#define SI_CONE_OUTLINE_H

typedef struct si_outline_point {
  int border; /* its azimuth is 2 pi border / count */
  double polar;
} si_outline_point;

/* `inner` holds, for `count` even azimuths about V, the polar angle (radians) below which the
 * outline must not come; it may stand off by `tolerance` more, and by none beyond `widest`. Writes
 * at most `count` points in order of azimuth and returns how many, at least three; -1 when memory
 * is out. */
int si_outline_fewest(const double *inner, int count, double tolerance, double widest,
                      si_outline_point *dest);

#endif
