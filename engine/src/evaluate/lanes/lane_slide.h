/* The slide in lanes, in doubles. This handles lanes that touch within 90 degrees (the first
 * quarter of a side), with at most one root on either side, where two steps of Halley's method find
 * the root. All other lanes fall back to the component's own evaluation. */
#ifndef SI_LANE_SLIDE_H
#define SI_LANE_SLIDE_H

#include "components/slide_glide.h"
#include "evaluate/lanes/lane_matrix.h"
#include "evaluate/lanes/lane_single.h"
#include "math/lanes/wides.h"

typedef struct wide_circle {
  wides a, b, c, d, e;
} wide_circle;

LANE_INLINE wide_vec wide_same(si_dvec v) {
  return (wide_vec){ wide_all(v.x), wide_all(v.y), wide_all(v.z) };
}
LANE_INLINE wide_vec wide_apply(const wide_vec *columns, wides x, wides y, wides z) {
  return wide_sum(wide_sum(wide_times(x, columns[0]), wide_times(y, columns[1])),
                  wide_times(z, columns[2]));
}
LANE_INLINE wide_vec wide_apply_same(const si_dvec *columns, wides x, wides y, wides z) {
  const wide_vec same[3] = { wide_same(columns[0]), wide_same(columns[1]), wide_same(columns[2]) };
  return wide_apply(same, x, y, z);
}

/* the value, and a step of Halley's method; returns the lanes that had converged before it */
LANE_INLINE wide_mask wide_leap(const wides *q, wides *at) {
  wides x = *at, xx = x * x;
  wides f = (q[0] + q[1] * x) + xx * (q[2] + q[3] * x + q[4] * xx);
  wides f1 = (q[1] + 2.0 * q[2] * x) + x * x * (3.0 * q[3] + 4.0 * q[4] * x);
  wides f2 = q[2] + 3.0 * q[3] * x + 6.0 * q[4] * x * x;
  *at = x - f * f1 / (f1 * f1 - f * f2);
  return wide_abs(f) < 1e-5 * wide_abs(f1);
}

/* where the polygon of coefficients crosses zero; it does so once */
LANE_INLINE wides wide_crossing(const wides *s, const wide_mask *below) {
  wides first = s[0], step = s[0], at = wide_all(0);
#pragma GCC unroll 4
  for (int i = 0; i < 4; i++) {
    wide_mask here = below[i] ^ below[i + 1];
    first = wide_pick(here, s[i], first);
    step = wide_pick(here, s[i] - s[i + 1], step);
    at = wide_pick(here, wide_all(i), at);
  }
  return (at + first / step) * 0.25;
}

/* first_root on the first quarter of a side: INFINITY if there is none; clears in `*sure` the lanes
 * that it cannot decide */
LANE_INLINE wides wide_root(const wide_circle *k, int side, double from, double length,
                            wide_mask *sure) {
  wides b = k->b, c = side ? -k->c : k->c, d = k->d, e = side ? -k->e : k->e, q[5], s[5];
  q[0] = k->a + b + d, q[1] = 2.0 * c + 4.0 * e, q[2] = 2.0 * k->a - 6.0 * d;
  q[3] = 2.0 * c - 4.0 * e, q[4] = k->a - b + d;
  if (from != 0)
    for (int i = 0; i < 4; i++)
      for (int j = 3; j >= i; j--) q[j] += from * q[j + 1];
  double square = length * length;
  q[1] *= length, q[2] *= square, q[3] *= square * length, q[4] *= square * square;
  s[0] = q[0];
  s[1] = q[0] + 0.25 * q[1];
  s[2] = q[0] + 0.5 * q[1] + (1.0 / 6) * q[2];
  s[3] = (q[0] + 0.75 * q[1]) + (0.5 * q[2] + 0.25 * q[3]);
  s[4] = (q[0] + q[1]) + (q[2] + q[3]) + q[4];
  wide_mask below[5], changes = { 0 };
#pragma GCC unroll 5
  for (int i = 0; i < 5; i++) {
    below[i] = s[i] < 0.0;
    if (i) changes -= below[i] ^ below[i - 1];
  }
  wide_mask none = (changes == 0) & (s[0] != 0.0), one = (changes == 1) & (s[0] != 0.0);
  if (!wide_which(one)) {
    *sure &= none;
    return wide_all(HUGE_VAL);
  }
  wides guess = -q[0] * q[1] / (q[1] * q[1] - q[0] * q[2]);
  wide_mask near = (guess > 0.0) & (guess < 1.0);
  if (wide_which(one & ~near)) guess = wide_pick(near, guess, wide_crossing(s, below));
  wide_leap(q, &guess);
  wide_mask there = wide_leap(q, &guess) & (guess >= 0.0) & (guess <= 1.0);
  *sure &= none | (one & there);
  return wide_pick(one, from + length * guess, wide_all(HUGE_VAL));
}

/* the tangent of half the angle that brings the point to the ellipsoid */
LANE_INLINE wides wide_settle(const glide *g, int which, wide_vec m, wide_vec u, wide_vec v,
                              wide_mask *sure) {
  wides uu = wide_dot(u, u), vv = wide_dot(v, v);
  wide_circle k = { wide_dot(m, m) - 1.0 + 0.5 * (uu + vv), 2.0 * wide_dot(m, u),
                    2.0 * wide_dot(m, v), 0.5 * (uu - vv), wide_dot(u, v) };
  wides turning = wide_abs(k.b) + wide_abs(k.c) + wide_abs(k.d) + wide_abs(k.e);
  *sure &= turning > 1e-6 * (k.a + 1.0);
  wides nearest[2];
  for (int side = 0; side < 2; side++) {
    const si_stretch *stretch = &g->windows[which].side[side];
    nearest[side] = wide_all(HUGE_VAL);
    if (stretch->length[0] > 0)
      nearest[side] = wide_root(&k, side, stretch->from[0], stretch->length[0], sure);
  }
  wide_mask second = nearest[1] < nearest[0] - 1e-6;
  *sure &= second | (nearest[0] < HUGE_VAL);
  return wide_pick(second, -nearest[1], nearest[0]);
}

/* `turns`, from the tangents of half the angles */
LANE_INLINE void wide_turns(wide_vec x, wides first, wide_vec n, wides second, float *dest) {
  wides ss = first * second, w = 1.0 - ss * wide_dot(x, n);
  wide_vec q = wide_sum(wide_times(ss, wide_cross(x, n)),
                        wide_sum(wide_times(second, n), wide_times(first, x)));
  wides k = 2.0 / (w * w + wide_dot(q, q));
  wide_vec p = wide_times(k, q);
  wides xx = p.x * q.x, yy = p.y * q.y, zz = p.z * q.z, xy = p.x * q.y, yz = p.y * q.z;
  wides zx = p.z * q.x;
  p = wide_times(w, p);
  const wides m[3][3] = { { 1.0 - yy - zz, xy + p.z, zx - p.y },
                          { xy - p.z, 1.0 - zz - xx, yz + p.x },
                          { zx + p.y, yz - p.x, 1.0 - xx - yy } };
  for (int c = 0; c < 3; c++)
    for (int r = 0; r < 3; r++) wide_store(dest + (4 * c + r) * SI_WIDTH, m[c][r]);
  for (int r = 12; r < 15; r++) wide_store(dest + r * SI_WIDTH, wide_all(0));
}

LANE_INLINE wides wide_blend(const double *range, const float *input) {
  wides x = range[0] + range[1] * wide_load(input);
  x = wide_pick(x < 0.0, wide_all(0), x);
  return wide_pick(x > 1.0, wide_all(1), x);
}

LANE_INLINE void wide_put(wide_vec v, float *dest) {
  wide_store(dest, v.x);
  wide_store(dest + SI_WIDTH, v.y);
  wide_store(dest + 2 * SI_WIDTH, v.z);
}

/* computes one half of the lanes, from `values` on; returns the lanes that fall back */
static unsigned lane_slide_half(const sinew_node *node, float *values) {
  const glide *g = node->data;
  const uint32_t *ports = node->ports;
  const float *f = values + (size_t)ports[0] * SI_WIDTH;
  float *out[6];
  for (int i = 0; i < 6; i++) out[i] = values + (size_t)ports[node->input_count + i] * SI_WIDTH;
  wide_mask sure = (wide_mask){ 0 } - 1;
  wide_vec columns[4];
  for (int c = 0; c < 4; c++)
    columns[c] = wide_apply_same(g->shape, wide_load(f + (4 * c) * SI_WIDTH),
                                 wide_load(f + (4 * c + 1) * SI_WIDTH),
                                 wide_load(f + (4 * c + 2) * SI_WIDTH));
  wide_vec pivot = wide_sum(columns[3], wide_same(g->offset));
  wides l = wide_blend(g->lift, values + (size_t)ports[1] * SI_WIDTH);
  wides r = wide_blend(g->rotation, values + (size_t)ports[2] * SI_WIDTH);
  wide_vec p1 = wide_apply_same(g->firsts, (1.0 - r) * l, (1.0 - r) * (1.0 - l), r);
  wide_vec p2 = wide_apply_same(g->seconds, (1.0 - r) * l, (1.0 - r) * (1.0 - l), r);

  wide_vec x = wide_same(g->axis), along = wide_times(wide_dot(x, p1), x);
  wide_vec across = wide_cross(x, p1), off = wide_minus(p1, along);
  wide_vec m = wide_sum(wide_apply(columns, along.x, along.y, along.z), pivot);
  wides first = wide_settle(g, 0, m, wide_apply(columns, off.x, off.y, off.z),
                            wide_apply(columns, across.x, across.y, across.z), &sure);

  wides n = 1.0 / (1.0 + first * first), s = 2.0 * first * n, t = 2.0 * first * first * n;
  wide_vec turned =
      wide_sum(p1, wide_sum(wide_times(s, across), wide_times(t, wide_minus(along, p1))));
  wide_vec along2 = wide_times(wide_dot(x, p2), x);
  wide_vec point = wide_sum(
      p2, wide_sum(wide_times(s, wide_cross(x, p2)), wide_times(t, wide_minus(along2, p2))));
  wides square = wide_dot(p1, p1);
  sure &= square > 1e-18;
  wides unit = 1.0 / wide_sqrt(square);
  turned = wide_times(unit, turned);
  along2 = wide_times(wide_dot(turned, point), turned);
  across = wide_cross(turned, point), off = wide_minus(point, along2);
  m = wide_sum(wide_apply(columns, along2.x, along2.y, along2.z), pivot);
  wides second = wide_settle(g, 1, m, wide_apply(columns, off.x, off.y, off.z),
                             wide_apply(columns, across.x, across.y, across.z), &sure);

  wide_turns(x, first, wide_times(unit, p1), second, out[0]);
  wide_store(out[1], first);
  wide_store(out[2], second);
  wide_store(out[3], wide_all(1));
  wide_put(p1, out[4]);
  wide_put(p2, out[5]);
  return wide_which(~sure);
}

static void lane_slide(const sinew_node *node, si_worker *w) {
  unsigned left = lane_slide_half(node, w->values);
  left |= lane_slide_half(node, w->values + wide_width) << wide_width;
  /* the angles, from the tangents of their halves */
  for (uint32_t i = 1; i < 3; i++) {
    float *at = w->values + (size_t)node->ports[node->input_count + i] * SI_WIDTH;
    lane_store(at, 2.0f * lane_atan2(lane_load(at), lane_all(1)));
  }
  if (left) lane_eval_single(node, w, left);
}

#endif
