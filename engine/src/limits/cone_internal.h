/* A reach cone in memory, and the fast path of finding a direction's slice.
 *
 * With S(i) = V x P(i) and B(i) = P(i) x P(i+1), each made unit, slice i holds the directions with
 * S(i).L >= 0 and S(i+1).L < 0, and L is inside if B(i).L >= 0 [Wilhelms 2001, 3.3].
 *
 * si_cone_search alone decides to which slice a direction on a border belongs. A hint is used only
 * if L is farther from both borders than any rounding error. There the search would find the same
 * slice, so the hint cannot change the result. */
#ifndef SI_CONE_INTERNAL_H
#define SI_CONE_INTERNAL_H

#include "math/vector.h"
#include "sinew/component.h"
#include "sinew/cone.h"
#include "math/wide.h"

/* The cone component's joint without its limits: swing and twist as wanted. Benchmarks compare with
 * it to measure the cost of the limits. */
void si_cone_bare(const sinew_node *node, float *values);

#define SI_CONE_MARGIN  1e-6f
#define SI_CONE_STRIDE  8 /* the number of points is padded to a multiple of this */
#define SI_CONE_SECTORS 64

/* lanes: S(i), -S(i+1), B(i) made unit, and in the fourth their original lengths */
typedef struct si_cone_slice {
  float x[4], y[4], z[4];
} si_cone_slice;

/* followed by the slices, then the points as x, y, z arrays of `stride`, then pairs of twist
 * limits */
struct sinew_cone {
  _Alignas(32) uint32_t bytes;
  int count;
  int stride;
  int sector[SI_CONE_SECTORS + 1]; /* the first point in each sector of azimuth */
  int rest_slice;
  bool rest_is_visible;
  bool has_twist;
  bool narrow; /* some slices are narrow: their weights need doubles */
  float visible[3];
  float rest[3];
  float azimuth[2][3]; /* the directions of azimuth 0 (that of the first point) and 90 */
  float visible_twist[2];
  float sure_twist[2]; /* the twists that all limits allow; min > max if there are none */
  float sure_cosine;   /* directions nearer to V than this cosine are inside in every slice */
};

/* the sector of azimuth of (x, y). Sectors have equal widths in y / (|x| + |y|), which grows with
 * the azimuth within each quarter */
static inline int si_cone_sector(float x, float y) {
  float size = fabsf(x) + fabsf(y);
  if (!(size > 1e-30f && size < 1e30f)) return 0;
  /* from the signs, without a branch, since the quarter cannot be predicted */
  static const float base[4] = { 0, 4, 2, 2 }, side[4] = { 1, 1, -1, -1 };
  int quarter = 2 * (x < 0) + (y < 0);
  float at = base[quarter] + side[quarter] * (y / size);
  int sector = (int)(at * (SI_CONE_SECTORS / 4));
  return sector < SI_CONE_SECTORS ? sector : SI_CONE_SECTORS - 1;
}

/* size in bytes of a cone of `count` points */
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

/* whether the dot products show that the direction is in the slice, in spite of rounding */
static inline bool si_cone_beyond_doubt(si_v4 dots) {
  return dots[0] > SI_CONE_MARGIN && dots[1] > SI_CONE_MARGIN;
}

/* the slice of `direction` by a full search, and its dot products */
int si_cone_search(const sinew_cone *cone, const float *direction, si_v4 *dots);

/* the slice of `direction`; it is inside if dots[2] >= 0 */
static inline int si_cone_find(const sinew_cone *cone, const float *direction, int hint,
                               si_v4 *dots) {
  if ((unsigned)hint < (unsigned)cone->count) {
    *dots = si_cone_dots(si_cone_slices(cone) + hint, direction);
    if (si_cone_beyond_doubt(*dots)) return hint;
  }
  return si_cone_search(cone, direction, dots);
}

/* whether the direction is certainly in the slice and inside */
static inline bool si_cone_slice_holds(const si_cone_slice *slice, const float *direction) {
  const si_v4 least = { SI_CONE_MARGIN, SI_CONE_MARGIN, 0, -HUGE_VALF };
  return !si_any(~(si_cone_dots(slice, direction) >= least));
}

/* the first exit of the path from the rest direction to a direction outside; `slice` is that of
 * `direction`, or -1 if it is not known; returns the slice of the exit */
int si_cone_exit_rest(const sinew_cone *cone, const float *direction, int slice, float dest[3]);

/* weights of point `slice`, the next point and V at `direction`; not negative, and their sum is 1
 */
void si_cone_weights(const sinew_cone *cone, const float *direction, int slice, float dest[3]);

/* twist limits at `direction` in `slice`; false when the twist is free */
bool si_cone_limits(const sinew_cone *cone, const float *direction, int slice, float dest[2]);

/* Whether `direction` is in the largest round cone about V that is inside the boundary. Most poses
 * of a joint are, and then no slice needs to be found. */
static inline bool si_cone_surely_inside(const sinew_cone *cone, const float *direction) {
  return si_vec_dot(cone->visible, direction) > cone->sure_cosine;
}
/* the same for a twist: every limit allows it */
static inline bool si_cone_surely_twisted(const sinew_cone *cone, float twist) {
  return twist >= cone->sure_twist[0] && twist <= cone->sure_twist[1];
}

/* `twist` clamped to the limits there; a twist that all limits allow needs no weights */
static inline float si_cone_hold_twist(const sinew_cone *cone, const float *direction, int slice,
                                       float twist) {
  float limits[2];
  if (si_cone_surely_twisted(cone, twist)) return twist;
  return si_cone_limits(cone, direction, slice, limits) ? si_clamp(twist, limits[0], limits[1])
                                                        : twist;
}

/* Derivatives (cone_rate.c), at a direction and in the slices that the functions above have found.
 * The derivative of the exit by the direction, in columns; the exit moves along the boundary
 * only. */
void si_cone_exit_rate(const sinew_cone *cone, const float *direction, int slice, float dest[3][3]);
/* the gradient of the lower (0) or upper (1) twist limit */
void si_cone_limit_rate(const sinew_cone *cone, const float *direction, int slice, int which,
                        float dest[3]);

#endif
