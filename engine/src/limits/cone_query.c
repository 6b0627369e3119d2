/* Queries of a reach cone: the slice of a direction [Wilhelms 2001, 3.3], the first exit of a path
 * (eq. 3 and 4), and the weights of the twist limits (eq. 6 and 7; eq. 6 has an erratum, see
 * PAPERS.md).
 *
 * A path from L0 to L lies in the plane through the origin with the normal N = L0 x L. It crosses
 * the slices in order around V, and if N.V > 0 it passes P(j) on the side of V as long as N.P(j) <
 * 0. So one dot product for each slice passed finds the slice of the first exit, and the exit is
 * where the plane meets that slice's edge. Sides are decided in doubles. */
#include "base/alloc.h"
#include "limits/cone_internal.h"

#define RADIAL   1e-13 /* |N.V| / |N| below which a path runs through V or -V */
#define OPPOSITE 1e-6  /* |L0 x L| below which L0 and L do not define a plane */
#define BLOCK    SI_CONE_STRIDE

static void point(const sinew_cone *cone, int index, double *dest) {
  for (int k = 0; k < 3; k++) dest[k] = (double)si_cone_coords(cone, k)[index];
}

/* Finds the last point in the direction's sector of azimuth that the direction has passed, or the
 * last one before the sector. Within a sector the sign of S(j).L changes once, from + to -. Only
 * points in that sector are tested, so rounding matters only if the direction is that near to a
 * border. */
int si_cone_search(const sinew_cone *cone, const float *direction, si_v4 *dots) {
  const si_cone_slice *slices = si_cone_slices(cone);
  int sector = si_cone_sector(si_vec_dot(cone->azimuth[0], direction),
                              si_vec_dot(cone->azimuth[1], direction));
  int low = cone->sector[sector], high = cone->sector[sector + 1];
  while (low < high) {
    int middle = (low + high) / 2;
    if (si_cone_dots(slices + middle, direction)[0] >= 0)
      low = middle + 1;
    else
      high = middle;
  }
  int slice = low > 0 ? low - 1 : cone->count - 1;
  *dots = si_cone_dots(slices + slice, direction);
  return slice;
}

/* the slice, decided in doubles; with `side` = V x L, S(j).L is -P(j).side */
static int search_exact(const sinew_cone *cone, const double *visible, const double *l) {
  double side[3], e[2][3], p[3];
  si_wide_cross(visible, l, side);
  si_wide(cone->azimuth[0], e[0]);
  si_wide(cone->azimuth[1], e[1]);
  /* from `side`, since the stored azimuth frame is not exactly perpendicular to V */
  int sector = si_cone_sector((float)si_wide_dot(e[1], side), (float)-si_wide_dot(e[0], side));
  int low = cone->sector[sector], high = cone->sector[sector + 1];
  while (low < high) {
    int middle = (low + high) / 2;
    point(cone, middle, p);
    if (si_wide_dot(p, side) <= 0)
      low = middle + 1;
    else
      high = middle;
  }
  int slice = low > 0 ? low - 1 : cone->count - 1, next = si_cone_next(cone, slice);
  /* rounding may have missed a point on the border of two sectors */
  point(cone, slice, p);
  if (si_wide_dot(p, side) > 0) return slice > 0 ? slice - 1 : cone->count - 1;
  point(cone, next, p);
  return si_wide_dot(p, side) < 0 ? next : slice;
}

/* Starting at point `first`, upwards or downwards by `step`, counts how many of `count` points the
 * path passes on the side of V. `normal` is that of the path; for a downward path V is on its other
 * side. A block of points that is farther from the plane than rounding in floats is skipped at
 * once. */
static int walk(const sinew_cone *cone, const double *normal, int first, int count, int step) {
  const float *x = si_cone_coords(cone, 0), *y = si_cone_coords(cone, 1);
  const float *z = si_cone_coords(cone, 2);
  double scale = step / si_wide_length(normal);
  double n[3] = { normal[0] * scale, normal[1] * scale, normal[2] * scale };
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

/* the point where the path's plane meets the edge of `slice`, clamped to the path's ends */
static void meet_edge(const sinew_cone *cone, const double *normal, const double *from,
                      const double *to, int slice, float *dest) {
  double p[3], q[3], x[3];
  point(cone, slice, p);
  point(cone, si_cone_next(cone, slice), q);
  double a = si_wide_dot(normal, p), b = si_wide_dot(normal, q), t = a != b ? a / (a - b) : 1;
  t = t > 0 ? (t < 1 ? t : 1) : 0;
  for (int k = 0; k < 3; k++) x[k] = p[k] + t * (q[k] - p[k]);
  /* (N x from) . x and (N x to) . x for unit ends */
  double whole = si_wide_dot(from, to), after = si_wide_dot(from, x), before = si_wide_dot(to, x);
  if (before < whole * after) memcpy(x, from, sizeof x);
  if (whole * before > after) memcpy(x, to, sizeof x);
  double scale = 1 / si_wide_length(x);
  for (int k = 0; k < 3; k++) dest[k] = (float)(x[k] * scale);
}

/* `to_slice` is the slice of `to`, or -1 if it is not certain */
static int exit_path(const sinew_cone *cone, const double *from, int from_slice, const double *to,
                     int to_slice, const double *normal, float *dest) {
  double v[3];
  si_wide(cone->visible, v);
  if (to_slice < 0) to_slice = search_exact(cone, v, to);
  double turn = si_wide_dot(normal, v), size = si_wide_dot(normal, normal);
  int slice = to_slice, step = turn < 0 ? -1 : 1;
  if (turn * turn < RADIAL * RADIAL * size) {
    /* a path over V or straight outwards leaves in the slice of its end; one over -V in that of its
     * start */
    double ahead = si_wide_triple(normal, from, v), behind = -si_wide_triple(normal, to, v);
    double nothing = RADIAL * sqrt(size);
    if (ahead < nothing && behind < nothing) slice = from_slice;
  } else if (from_slice != to_slice) {
    int count = (step * (to_slice - from_slice) + cone->count) % cone->count;
    int first = step > 0 ? si_cone_next(cone, from_slice) : from_slice;
    slice = from_slice + step * walk(cone, normal, first, count, step);
    slice = (slice + cone->count) % cone->count;
  }
  meet_edge(cone, normal, from, to, slice, dest);
  return slice;
}

/* the exit of the path from `from` to a direction that is outside */
static int exit_slice(const sinew_cone *cone, const double *from, int from_slice,
                      const float *direction, int to_slice, float *dest) {
  double to[3], n[3];
  si_wide(direction, to);
  si_wide_cross(from, to, n);
  if (!(si_wide_dot(n, n) < OPPOSITE * OPPOSITE))
    return exit_path(cone, from, from_slice, to, to_slice, n, dest);
  if (si_wide_dot(from, to) > 0) {
    /* too close together to define a path: the start is on the boundary */
    for (int k = 0; k < 3; k++) dest[k] = (float)from[k];
    return from_slice;
  }
  /* opposite directions: take the path towards the first point that defines one */
  for (int i = 0; i < cone->count; i++) {
    point(cone, i, to);
    si_wide_cross(from, to, n);
    if (si_wide_dot(n, n) >= OPPOSITE * OPPOSITE) break;
  }
  return exit_path(cone, from, from_slice, to, -1, n, dest);
}

/* The exit straight outwards from V. Floats are precise enough if the edge is not met at a grazing
 * angle, the direction is not near -V, and its slice is certain */
static bool exit_outwards(const sinew_cone *cone, const float *direction, int slice, float *dest) {
  const float *v = cone->visible;
  const si_cone_slice *s = si_cone_slices(cone) + slice;
  float there = s->x[2] * direction[0] + s->y[2] * direction[1] + s->z[2] * direction[2];
  float at_v = s->x[2] * v[0] + s->y[2] * v[1] + s->z[2] * v[2], near = si_vec_dot(v, direction);
  if (!(at_v - there > 0.1f && near > -0.9f)) return false;
  /* B.L V and B.V L differ by a vector in the boundary's plane; this is its squared length, since
   * both are unit */
  float square = at_v * at_v + there * there - 2 * at_v * there * near;
  float scale = 1 / sqrtf(square);
  for (int k = 0; k < 3; k++) dest[k] = (at_v * direction[k] - there * v[k]) * scale;
  return true;
}

int si_cone_exit_rest(const sinew_cone *cone, const float *direction, int slice, float dest[3]) {
  if (cone->rest_is_visible && slice >= 0 && exit_outwards(cone, direction, slice, dest))
    return slice;
  double from[3];
  si_wide(cone->rest, from);
  return exit_slice(cone, from, cone->rest_slice, direction, slice, dest);
}

/* Moves an exit that rounding left outside, so that it passes the same inside test as every
 * direction: away from the edge, or if two edges meet at too sharp an angle for that, towards V,
 * from which the whole boundary is visible. Returns its slice. */
static int bring_inside(const sinew_cone *cone, int slice, float dest[3]) {
  si_v4 dots;
  double step = 3e-8, x[3];
  for (int tries = 0; tries < 40; tries++) {
    int found = si_cone_find(cone, dest, slice, &dots);
    if (!(dots[2] < 0)) return tries ? found : slice;
    const si_cone_slice *s = si_cone_slices(cone) + found;
    const float edge[3] = { s->x[2], s->y[2], s->z[2] };
    bool off = tries < 8;
    double far = off ? step - (double)dots[2] : fmin(step *= 2, 1);
    for (int k = 0; k < 3; k++)
      x[k] = (double)dest[k] + far * (double)(off ? edge[k] : cone->visible[k] - dest[k]);
    double scale = 1 / si_wide_length(x);
    for (int k = 0; k < 3; k++) dest[k] = (float)(x[k] * scale);
    slice = found;
  }
  return slice;
}

/* v(i), p(i) and -p(i+1) in doubles: in a narrow slice they are small differences */
static void measure_exactly(const sinew_cone *cone, const float *direction, int slice, float *here,
                            float *next, float *middle) {
  double v[3], l[3], p[3], q[3], side[3];
  si_wide(cone->visible, v);
  si_wide(direction, l);
  point(cone, slice, p);
  point(cone, si_cone_next(cone, slice), q);
  si_wide_cross(l, v, side);
  *here = (float)-si_wide_dot(q, side);
  *next = (float)si_wide_dot(p, side);
  *middle = (float)si_wide_triple(p, q, l);
}

void si_cone_weights(const sinew_cone *cone, const float *direction, int slice, float dest[3]) {
  const si_cone_slice *s = si_cone_slices(cone) + slice;
  float here, next, middle;
  if (cone->narrow) {
    measure_exactly(cone, direction, slice, &here, &next, &middle);
  } else {
    si_v4 dots = si_cone_dots(s, direction);
    here = dots[1] * s->y[3], next = dots[0] * s->x[3], middle = dots[2] * s->z[3];
  }
  here = here > 0 ? here : 0;
  next = next > 0 ? next : 0;
  middle = middle > 0 ? middle : 0;
  float sum = here + next + middle;
  /* -V has no weights: use the limits at V */
  if (!(sum > 0)) middle = sum = 1;
  float scale = 1 / sum;
  dest[0] = here * scale, dest[1] = next * scale, dest[2] = middle * scale;
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

bool sinew_cone_inside(const sinew_cone *cone, const float direction[3], int *hint) {
  if (!SI_EXPECT(cone && direction)) return false;
  si_v4 dots;
  int last = hint ? *hint : -1, slice = si_cone_find(cone, direction, last, &dots);
  /* no store if nothing changed: the next query would have to wait for it */
  if (hint && slice != last) *hint = slice;
  return dots[2] >= 0;
}

bool sinew_cone_exit(const sinew_cone *cone, const float from[3], const float to[3], int *hint,
                     float dest[3]) {
  if (!SI_EXPECT(cone && from && to && dest)) return false;
  si_v4 dots;
  double l[3], v[3], p[3], q[3], b[3];
  int slice = si_cone_find(cone, to, hint ? *hint : -1, &dots);
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
  slice = exit_slice(cone, l, start, to, si_cone_beyond_doubt(dots) ? slice : -1, dest);
  slice = bring_inside(cone, slice, dest);
  if (hint) *hint = slice;
  return true;
}

bool sinew_cone_hold(const sinew_cone *cone, const float direction[3], int *hint, float dest[3]) {
  if (!SI_EXPECT(cone && direction && dest)) return false;
  si_v4 dots;
  int slice = si_cone_find(cone, direction, hint ? *hint : -1, &dots);
  bool outside = !(dots[2] >= 0);
  if (outside) {
    slice = si_cone_exit_rest(cone, direction, si_cone_beyond_doubt(dots) ? slice : -1, dest);
    slice = bring_inside(cone, slice, dest);
  } else {
    memmove(dest, direction, 3 * sizeof *dest);
  }
  if (hint) *hint = slice;
  return outside;
}

bool sinew_cone_twist(const sinew_cone *cone, const float direction[3], int *hint, float dest[2]) {
  if (!SI_EXPECT(cone && direction && dest)) return false;
  si_v4 dots;
  int slice = si_cone_find(cone, direction, hint ? *hint : -1, &dots);
  if (hint) *hint = slice;
  return si_cone_limits(cone, direction, slice, dest);
}
