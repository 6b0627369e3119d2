/* Asking a reach cone: which slice (seed 001, 3.3), where a path first leaves (3.4), and the
 * weights of the twist limits (3.6, with the erratum in DESIGN.md).
 *
 * A path from L0 to L lies in the plane through the origin with the normal N = L0 x L. Going round
 * V it crosses the slices in order, and where N.V > 0 it passes P(j) on the side of V as long as
 * N.P(j) < 0. So the slice of the first exit is found with one dot product for each slice passed,
 * and the exit is where the plane meets that slice's edge. Sides are decided in doubles. */
#include "alloc.h"
#include "cone.h"

#define RADIAL   1e-13 /* |N.V| / |N| below which a path runs through V or -V */
#define OPPOSITE 1e-6  /* |L0 x L| below which no plane follows from L0 and L */
#define BLOCK    SI_CONE_STRIDE

static void point(const sinew_cone *cone, int index, double *dest) {
  for (int k = 0; k < 3; k++) dest[k] = (double)si_cone_coords(cone, k)[index];
}

static int quarter_of(bool x, bool y) { return y ? (x ? 0 : 1) : (x ? 3 : 2); }

/* the last point of the direction's quarter of azimuth that it has passed, or the one before:
 * within a quarter the sign of S(j).L goes from + to - once */
static int search_slice(const sinew_cone *cone, const float *d) {
  const si_cone_slice *slices = si_cone_slices(cone);
  int q = quarter_of(si_vec_dot(cone->azimuth[0], d) >= 0, si_vec_dot(cone->azimuth[1], d) >= 0);
  int low = cone->quadrant[q], high = cone->quadrant[q + 1];
  while (low < high) {
    int middle = (low + high) / 2;
    const si_cone_slice *s = slices + middle;
    if (s->x[0] * d[0] + s->y[0] * d[1] + s->z[0] * d[2] >= 0)
      low = middle + 1;
    else
      high = middle;
  }
  return low > 0 ? low - 1 : cone->count - 1;
}

int si_cone_search(const sinew_cone *cone, const float *direction, int hint, float dots[4]) {
  const si_cone_slice *slices = si_cone_slices(cone);
  if ((unsigned)hint < (unsigned)cone->count) {
    /* a neighbour, where the direction stands clear of its borders as it must for the hint */
    int next = si_cone_next(cone, hint), last = hint > 0 ? hint - 1 : cone->count - 1;
    si_cone_dots(slices + next, direction, dots);
    if (dots[0] > SI_CONE_MARGIN && dots[1] > SI_CONE_MARGIN) return next;
    si_cone_dots(slices + last, direction, dots);
    if (dots[0] > SI_CONE_MARGIN && dots[1] > SI_CONE_MARGIN) return last;
  }
  int slice = search_slice(cone, direction);
  si_cone_dots(slices + slice, direction, dots);
  return slice;
}

/* the slice decided in doubles; with `side` = V x L, S(j).L is -P(j).side */
static int search_exact(const sinew_cone *cone, const double *visible, const double *l) {
  double side[3], e[2][3], p[3];
  si_wide_cross(visible, l, side);
  si_wide(cone->azimuth[0], e[0]);
  si_wide(cone->azimuth[1], e[1]);
  int q = quarter_of(si_wide_dot(e[0], l) >= 0, si_wide_dot(e[1], l) >= 0);
  int low = cone->quadrant[q], high = cone->quadrant[q + 1];
  while (low < high) {
    int middle = (low + high) / 2;
    point(cone, middle, p);
    if (si_wide_dot(p, side) <= 0)
      low = middle + 1;
    else
      high = middle;
  }
  int slice = low > 0 ? low - 1 : cone->count - 1, next = si_cone_next(cone, slice);
  /* the stored frame is rounded: a point on the border of two quarters may have been missed */
  point(cone, slice, p);
  if (si_wide_dot(p, side) > 0) return slice > 0 ? slice - 1 : cone->count - 1;
  point(cone, next, p);
  return si_wide_dot(p, side) < 0 ? next : slice;
}

/* From point `first` on, upwards or downwards by `step`, how many of `count` points the path passes
 * on the side of V. `n` is the path's unit normal, turned so that n.V > 0. A block of points that
 * is clear of the plane by more than rounding in floats is taken in one go. */
static int walk(const sinew_cone *cone, const double *n, int first, int count, int step) {
  const float *x = si_cone_coords(cone, 0), *y = si_cone_coords(cone, 1);
  const float *z = si_cone_coords(cone, 2);
  float nx = (float)n[0], ny = (float)n[1], nz = (float)n[2];
  int gone = 0, j = first;
  while (gone < count) {
    int start = step > 0 ? j : j - BLOCK + 1;
    if (gone + BLOCK <= count && start >= 0 && start + BLOCK <= cone->count) {
      float most = -2;
      for (int k = 0; k < BLOCK; k++) {
        float side = x[start + k] * nx + y[start + k] * ny + z[start + k] * nz;
        most = side > most ? side : most;
      }
      if (most < -SI_CONE_MARGIN) {
        gone += BLOCK;
        j = (j + step * BLOCK + cone->count) % cone->count;
        continue;
      }
    }
    for (int k = 0; k < BLOCK && gone < count; k++, gone++) {
      if ((double)x[j] * n[0] + (double)y[j] * n[1] + (double)z[j] * n[2] >= 0) return gone;
      j += step;
      if (j < 0) j = cone->count - 1;
      if (j == cone->count) j = 0;
    }
  }
  return gone;
}

/* where the path's plane meets the edge of `slice`, held between the path's ends */
static void meet_edge(const sinew_cone *cone, const double *n, const double *from, const double *to,
                      int slice, float *dest) {
  double p[3], q[3], x[3];
  point(cone, slice, p);
  point(cone, si_cone_next(cone, slice), q);
  double a = si_wide_dot(n, p), b = si_wide_dot(n, q), t = a != b ? a / (a - b) : 1;
  t = t > 0 ? (t < 1 ? t : 1) : 0;
  for (int k = 0; k < 3; k++) x[k] = p[k] + t * (q[k] - p[k]);
  if (si_wide_triple(n, from, x) < 0) memcpy(x, from, sizeof x);
  if (si_wide_triple(n, to, x) > 0) memcpy(x, to, sizeof x);
  double size = sqrt(si_wide_dot(x, x));
  for (int k = 0; k < 3; k++) dest[k] = (float)(x[k] / size);
}

/* `to_slice` is the slice of `to`, or -1 where it is not known beyond doubt */
static int exit_path(const sinew_cone *cone, const double *from, int from_slice, const double *to,
                     int to_slice, const double *normal, float *dest) {
  double v[3], n[3];
  si_wide(cone->visible, v);
  double turn = si_wide_dot(normal, v),
         scale = (turn < 0 ? -1 : 1) / sqrt(si_wide_dot(normal, normal));
  for (int k = 0; k < 3; k++) n[k] = normal[k] * scale;
  if (to_slice < 0) to_slice = search_exact(cone, v, to);
  int slice = to_slice, step = turn < 0 ? -1 : 1;
  if (fabs(turn * scale) < RADIAL) {
    /* over V or straight outwards it leaves in the slice of its end, over -V in that of its start
     */
    double ahead = si_wide_triple(normal, from, v) * step * scale;
    double behind = -si_wide_triple(normal, to, v) * step * scale;
    if (ahead < RADIAL && behind < RADIAL) slice = from_slice;
  } else if (from_slice != to_slice) {
    int count = (step * (to_slice - from_slice) + cone->count) % cone->count;
    int first = step > 0 ? si_cone_next(cone, from_slice) : from_slice;
    slice = from_slice + step * walk(cone, n, first, count, step);
    slice = (slice + cone->count) % cone->count;
  }
  for (int k = 0; k < 3; k++) n[k] *= step;
  meet_edge(cone, n, from, to, slice, dest);
  return slice;
}

/* the way from `from` to a direction that is outside */
static int exit_slice(const sinew_cone *cone, const double *from, int from_slice,
                      const float *direction, int to_slice, float *dest) {
  double to[3], n[3];
  si_wide(direction, to);
  si_wide_cross(from, to, n);
  if (!(si_wide_dot(n, n) < OPPOSITE * OPPOSITE))
    return exit_path(cone, from, from_slice, to, to_slice, n, dest);
  if (si_wide_dot(from, to) > 0) {
    /* too near to tell the way: the start is on the boundary */
    for (int k = 0; k < 3; k++) dest[k] = (float)from[k];
    return from_slice;
  }
  /* opposite: towards the first point that gives a way */
  for (int i = 0; i < cone->count; i++) {
    point(cone, i, to);
    si_wide_cross(from, to, n);
    if (si_wide_dot(n, n) >= OPPOSITE * OPPOSITE) break;
  }
  return exit_path(cone, from, from_slice, to, -1, n, dest);
}

int si_cone_exit_rest(const sinew_cone *cone, const float *direction, int slice, float dest[3]) {
  double from[3];
  si_wide(cone->rest, from);
  return exit_slice(cone, from, cone->rest_slice, direction, slice, dest);
}

void si_cone_weights(const sinew_cone *cone, const float *direction, int slice, float dest[3]) {
  double v[3], l[3], p[3], q[3], side[3];
  si_wide(cone->visible, v);
  si_wide(direction, l);
  point(cone, slice, p);
  point(cone, si_cone_next(cone, slice), q);
  si_wide_cross(l, v, side);
  double here = -si_wide_dot(q, side), next = si_wide_dot(p, side),
         middle = si_wide_triple(p, q, l);
  here = here > 0 ? here : 0;
  next = next > 0 ? next : 0;
  middle = middle > 0 ? middle : 0;
  double sum = here + next + middle;
  /* -V has no weights: the limits at V will do */
  if (!(sum > 0)) middle = sum = 1;
  dest[0] = (float)(here / sum);
  dest[1] = (float)(next / sum);
  dest[2] = (float)(middle / sum);
}

bool si_cone_limits(const sinew_cone *cone, const float *direction, int slice, float dest[2]) {
  if (!cone->has_twist) return false;
  float w[3];
  si_cone_weights(cone, direction, slice, w);
  const float *here = si_cone_twists(cone, slice);
  const float *next = si_cone_twists(cone, si_cone_next(cone, slice)), *at_v = cone->visible_twist;
  for (int k = 0; k < 2; k++) dest[k] = w[0] * here[k] + w[1] * next[k] + w[2] * at_v[k];
  return true;
}

/* the slice where no rounding can have decided it, else -1 */
static int beyond_doubt(int slice, const float *dots) {
  return dots[0] > SI_CONE_MARGIN && dots[1] > SI_CONE_MARGIN ? slice : -1;
}

bool sinew_cone_inside(const sinew_cone *cone, const float direction[3], int *hint) {
  if (!SI_EXPECT(cone && direction)) return false;
  float dots[4];
  int slice = si_cone_find(cone, direction, hint ? *hint : -1, dots);
  if (hint) *hint = slice;
  return dots[2] >= 0;
}

bool sinew_cone_exit(const sinew_cone *cone, const float from[3], const float to[3], int *hint,
                     float dest[3]) {
  if (!SI_EXPECT(cone && from && to && dest)) return false;
  float dots[4];
  double l[3], v[3], p[3], q[3], b[3];
  int slice = si_cone_find(cone, to, hint ? *hint : -1, dots);
  if (hint) *hint = slice;
  if (dots[2] >= 0) {
    memmove(dest, to, 3 * sizeof *dest);
    return false;
  }
  si_wide(from, l);
  si_wide(cone->visible, v);
  int start = search_exact(cone, v, l);
  point(cone, start, p);
  point(cone, si_cone_next(cone, start), q);
  si_wide_cross(p, q, b);
  if (si_wide_dot(b, l) < -(double)SI_CONE_MARGIN * sqrt(si_wide_dot(b, b))) {
    memmove(dest, from, 3 * sizeof *dest);
    return true;
  }
  slice = exit_slice(cone, l, start, to, beyond_doubt(slice, dots), dest);
  if (hint) *hint = slice;
  return true;
}

bool sinew_cone_hold(const sinew_cone *cone, const float direction[3], int *hint, float dest[3]) {
  if (!SI_EXPECT(cone && direction && dest)) return false;
  float dots[4];
  int slice = si_cone_find(cone, direction, hint ? *hint : -1, dots);
  bool outside = !(dots[2] >= 0);
  if (outside)
    slice = si_cone_exit_rest(cone, direction, beyond_doubt(slice, dots), dest);
  else
    memmove(dest, direction, 3 * sizeof *dest);
  if (hint) *hint = slice;
  return outside;
}

bool sinew_cone_twist(const sinew_cone *cone, const float direction[3], int *hint, float dest[2]) {
  if (!SI_EXPECT(cone && direction && dest)) return false;
  float dots[4];
  int slice = si_cone_find(cone, direction, hint ? *hint : -1, dots);
  if (hint) *hint = slice;
  return si_cone_limits(cone, direction, slice, dest);
}
