/* Curves in lanes, and the components made of them: map and dependency. */
#ifndef SI_LANE_CURVE_H
#define SI_LANE_CURVE_H

#include "components/dependency.h"
#include "components/map.h"
#include "evaluate/lanes/lane_matrix.h"

enum { lane_few_points = 8 }; /* up to so many points, every interval is computed */

#define KERNEL_WIDTH KERNEL_LANES
#include "math/kernels/number.h"

#include "math/kernels/cubic.h"

#include "math/kernels/end.h"

/* a curve with few points that does not repeat: computes every row's cubic, and picks the right
 * one */
LANE_INLINE lanes lane_few(const sinew_curve *c, lanes x) {
  bool straight = c->kind == SINEW_CURVE_LINEAR || c->kind == SINEW_CURVE_PIECEWISE;
  x = lane_clamp(x, lane_all(c->low), lane_all(c->high));
  /* a curve that clamps needs no row below the first interval */
  uint32_t i = c->outside == SINEW_OUTSIDE_CLAMP;
  lanes value = lane_curve_row(c, i, straight || i == 0, x);
  for (i++; i < c->points; i++)
    value = lane_pick(x >= c->data[i], lane_curve_row(c, i, straight, x), value);
  return lane_pick(x >= c->data[i], lane_curve_row(c, i, true, x), value);
}

/* a function of its own, so that its callers need not save registers for it */
static __attribute__((noinline)) void lane_curve_each(const sinew_curve *c, float *x) {
  for (int i = 0; i < SI_WIDTH; i++) x[i] = si_curve_value(c, x[i]);
}

LANE_INLINE lanes lane_curve(const sinew_curve *c, lanes x) {
  if (!c->points)
    return lane_curve_polynomial(c, lane_clamp(x, lane_all(c->low), lane_all(c->high)));
  if (c->points <= lane_few_points && c->outside != SINEW_OUTSIDE_REPEAT) return lane_few(c, x);
  _Alignas(4 * SI_WIDTH) float each[SI_WIDTH];
  lane_store(each, x);
  lane_curve_each(c, each);
  return lane_load(each);
}

/* si_map_eval in lanes: finds the row of cubics of each lane's interval, then computes four curves
 * at a time */
LANE_INLINE void lane_map_shared(const si_map_table *s, lanes x, uint32_t count, float *dest) {
  const float *knots = s->data, *rows[SI_WIDTH];
  const float *cubics = s->data + (s->knots + 3) / 4 * 4;
  x = lane_clamp(x, lane_all(s->low), lane_all(s->high));
  /* how many of the points are at or below x */
  lane_mask last = lane_none(), interval = lane_none() - (x >= knots[0]);
  for (uint32_t i = 1; i < s->knots; i++) last -= x >= knots[i];
  interval += last;
  _Alignas(4 * SI_WIDTH) float from[SI_WIDTH];
  for (int i = 0; i < SI_WIDTH; i++) {
    rows[i] = cubics + 4 * (size_t)interval[i] * s->lanes;
    from[i] = knots[last[i]];
  }
  lanes t = x - lane_load(from);
  for (uint32_t i = 0; i < count; i += 4) {
    lanes a[4], b[4], c[4], d[4];
    lane_take_four(rows, i, a);
    lane_take_four(rows, s->lanes + i, b);
    if (!s->straight) {
      lane_take_four(rows, 2 * (size_t)s->lanes + i, c);
      lane_take_four(rows, 3 * (size_t)s->lanes + i, d);
    }
    for (uint32_t k = 0; k < 4 && i + k < count; k++) {
      lanes value = s->straight ? lane_line(a[k], b[k], t) : lane_cubic(a[k], b[k], c[k], d[k], t);
      lane_store(dest + (size_t)(i + k) * SI_WIDTH, value);
    }
  }
}

/* Two straight pieces, as in most maps: one comparison for all curves. */
LANE_INLINE void lane_map_bent(const si_map_table *s, lanes x, uint32_t count, float *dest) {
  const float *knots = s->data, *low = s->data + 4 + 4 * s->lanes;
  const float *high = low + 4 * s->lanes;
  x = lane_clamp(x, lane_all(knots[0]), lane_all(knots[2]));
  lane_mask above = x >= knots[1];
  lanes t = x - lane_pick(above, lane_all(knots[1]), lane_all(knots[0]));
  for (uint32_t i = 0; i < count; i++) {
    lanes a = lane_pick(above, lane_all(high[i]), lane_all(low[i]));
    lanes b = lane_pick(above, lane_all(high[s->lanes + i]), lane_all(low[s->lanes + i]));
    lane_store(dest + (size_t)i * SI_WIDTH, lane_line(a, b, t));
  }
}

static void lane_map(const sinew_node *node, si_worker *w) {
  const sinew_curve *const *curves = node->data;
  const si_map_table *s = si_map_table_of(node->data, node->output_count);
  lanes x = lane_in(node, w, 0);
  float *dest = w->values + (size_t)node->ports[node->input_count] * SI_WIDTH;
  if (s->knots == 3 && s->straight && s->clamps)
    lane_map_bent(s, x, node->output_count, dest);
  else if (s->knots > lane_few_points || (s->knots && node->output_count > 2))
    lane_map_shared(s, x, node->output_count, dest);
  else
    for (uint32_t i = 0; i < node->output_count; i++)
      lane_out(node, w, i, lane_curve(curves[i], x));
}

LANE_INLINE lanes lane_curve_value(const sinew_curve *c, lanes x, bool quick) {
  (void)quick;
  return lane_curve(c, x);
}

#define KERNEL_WIDTH KERNEL_LANES
#include "math/kernels/number.h"

#include "components/kernels/dependency.h"

#include "math/kernels/end.h"

static void lane_dependency(const sinew_node *node, si_worker *w) {
  lanes active = lane_in(node, w, 0), passive = lane_in(node, w, 1);
  lane_out(node, w, 0, lane_dependency_value(node->data, active, passive, false));
}

#endif
