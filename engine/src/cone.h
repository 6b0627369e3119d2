/* A reach cone in memory, and the fast path of finding a direction's slice.
 *
 * With S(i) = V x P(i) and B(i) = P(i) x P(i+1), each made unit, slice i holds the directions with
 * S(i).L >= 0 and S(i+1).L < 0, and L is inside where B(i).L >= 0 (seed 001, 3.3).
 *
 * Which slice a direction on a border belongs to is decided by si_cone_search alone. A hint is
 * believed only where L stands off both borders by more than rounding can amount to: there the
 * search would find the same slice, so that the hint cannot change the result. */
#ifndef SI_CONE_H
#define SI_CONE_H

#include "frame.h"
#include "sinew/cone.h"
#include "wide.h"

#define SI_CONE_MARGIN 1e-6f
#define SI_CONE_STRIDE 8 /* coordinates are padded to this many */

/* lanes: S(i), -S(i+1), B(i) made unit, and in the fourth their lengths before that */
typedef struct si_cone_slice {
  float x[4], y[4], z[4];
} si_cone_slice;

/* the slices follow, then the points as x, y, z arrays of `stride`, then pairs of twist limits */
struct sinew_cone {
  _Alignas(32) uint32_t bytes;
  int count;
  int stride;
  int quadrant[5]; /* the first point in each quarter of azimuth */
  int rest_slice;
  bool rest_is_visible;
  bool has_twist;
  bool narrow; /* some slices are: weights need doubles */
  float visible[3];
  float rest[3];
  float azimuth[2][3]; /* the directions of azimuth 0 (the first point's) and 90 */
  float visible_twist[2];
};

/* bytes of a cone of `count` points */
static inline size_t si_cone_size(int count) {
  size_t n = (size_t)count, stride = (n + SI_CONE_STRIDE - 1) / SI_CONE_STRIDE * SI_CONE_STRIDE;
  return sizeof(sinew_cone) + n * (sizeof(si_cone_slice) + 2 * sizeof(float)) +
         3 * stride * sizeof(float);
}
static inline const si_cone_slice *si_cone_slices(const sinew_cone *cone) {
  return (const si_cone_slice *)(const void *)(cone + 1);
}
static inline const float *si_cone_coords(const sinew_cone *cone, int axis) {
  return (const float *)(const void *)(si_cone_slices(cone) + cone->count) + axis * cone->stride;
}
static inline const float *si_cone_twists(const sinew_cone *cone, int index) {
  return si_cone_coords(cone, 3) + 2 * index;
}
static inline int si_cone_next(const sinew_cone *cone, int index) {
  return index + 1 < cone->count ? index + 1 : 0;
}

static inline si_v4 si_cone_dots(const si_cone_slice *slice, const float *direction) {
  return si_load(slice->x) * si_all(direction[0]) + si_load(slice->y) * si_all(direction[1]) +
         si_load(slice->z) * si_all(direction[2]);
}

/* whether the dots say that the direction is in the slice, whatever rounding has done */
static inline bool si_cone_beyond_doubt(si_v4 dots) {
  return dots[0] > SI_CONE_MARGIN && dots[1] > SI_CONE_MARGIN;
}

/* the slice of `direction` the long way, with its dots */
int si_cone_search(const sinew_cone *cone, const float *direction, int hint, si_v4 *dots);

/* the slice of `direction`; dots[2] >= 0 says inside */
static inline int si_cone_find(const sinew_cone *cone, const float *direction, int hint,
                               si_v4 *dots) {
  if ((unsigned)hint < (unsigned)cone->count) {
    *dots = si_cone_dots(si_cone_slices(cone) + hint, direction);
    if (si_cone_beyond_doubt(*dots)) return hint;
  }
  return si_cone_search(cone, direction, hint, dots);
}

/* the first exit on the way from the rest direction to one that is outside; `slice` is that of
 * `direction`, or -1 where it is not known; returns the slice of the exit */
int si_cone_exit_rest(const sinew_cone *cone, const float *direction, int slice, float dest[3]);

/* weights of point `slice`, the next point and V at `direction`; not negative, and their sum is 1
 */
void si_cone_weights(const sinew_cone *cone, const float *direction, int slice, float dest[3]);

/* twist limits at `direction` in `slice`; false when the twist is free */
bool si_cone_limits(const sinew_cone *cone, const float *direction, int slice, float dest[2]);

#endif
