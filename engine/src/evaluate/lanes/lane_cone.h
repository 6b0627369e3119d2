/* The cone in lanes. A lane falls back to the component's own evaluation if its direction is too
 * near a border for floats, if it meets its slice's edge at a grazing angle, or if the fast solver
 * finds no pair of angles. */
#ifndef SI_LANE_CONE_H
#define SI_LANE_CONE_H

#include "components/cone_joint.h"
#include "evaluate/lanes/lane_matrix.h"
#include "evaluate/lanes/lane_single.h"

typedef struct lane_wish {
  lane_frame swing;
  lanes angles[2];
  lanes direction[3];
  lanes twist;
} lane_wish;

LANE_INLINE lanes lane_dot(const float *a, const lanes *b) {
  return a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
}

/* the bone's direction after a swing */
LANE_INLINE void lane_bone(const joint *j, const lane_frame *swing, lanes direction[3]) {
  const float *bone = j->swing.bone;
#pragma GCC unroll 3
  for (int r = 0; r < 3; r++)
    direction[r] = swing->m[0][r] * bone[0] + swing->m[1][r] * bone[1] + swing->m[2][r] * bone[2];
}

/* the swing of both rotations, and the bone's direction after it */
LANE_INLINE void lane_swing(const joint *j, const lanes angles[2], lane_frame *swing,
                            lanes direction[3]) {
  lane_frame first, second;
  lanes sine, cosine;
  lane_sincos_any(angles[0] - j->swing.rest[0], &sine, &cosine);
  lane_rotation_matrix(part(j, j->rotation_at[0]), angles[0], cosine, sine, &first);
  lane_sincos_any(angles[1] - j->swing.rest[1], &sine, &cosine);
  lane_rotation_matrix(part(j, j->rotation_at[1]), angles[1], cosine, sine, &second);
  lane_frame_mul(&first, &second, swing);
  lane_bone(j, swing, direction);
}

/* lanes whose direction is not a unit vector, as when the swing scales */
LANE_INLINE lane_mask lane_not_unit(const lanes *d) {
  lanes square = d[0] * d[0] + d[1] * d[1] + d[2] * d[2] - 1.0f;
  return (square > 1e-6f) | (square < -1e-6f) | (square != square);
}

static void lane_cone_wish(const joint *j, const sinew_node *node, si_worker *w, lane_wish *dest) {
  dest->twist = lane_in(node, w, in_twist);
  if (j->rotations) {
    for (uint32_t i = 0; i < 2; i++)
      dest->angles[i] = lane_clamp(lane_in(node, w, in_angle1 + i), lane_all(j->swing.min[i]),
                                   lane_all(j->swing.max[i]));
    lane_swing(j, dest->angles, &dest->swing, dest->direction);
    return;
  }
  dest->angles[0] = dest->angles[1] = lane_all(0);
  lane_frame_load(w->values, node->ports[in_swing], &dest->swing);
  lane_bone(j, &dest->swing, dest->direction);
}

/* The slice of each lane: its index, and the normal B(i) of its boundary. */
typedef struct lane_slice {
  lanes edge[3];
  lane_mask index;
} lane_slice;

/* Finds the slices; returns the lanes whose slice is certain in spite of rounding. S(i+1) is the
 * next slice's S(i), so every border is tested once. */
LANE_INLINE lane_mask lane_cone_find(const sinew_cone *cone, const lanes *d, lane_slice *dest) {
  const si_cone_slice *s = si_cone_slices(cone);
  lane_mask index = lane_none(), found = lane_none(), number = lane_none();
  lanes here = s[0].x[0] * d[0] + s[0].y[0] * d[1] + s[0].z[0] * d[2], first = here;
  lanes x = lane_all(0), y = lane_all(0), z = lane_all(0);
  for (int i = 0; i < cone->count; i++) {
    lanes next = first;
    if (i + 1 < cone->count)
      next = s[i + 1].x[0] * d[0] + s[i + 1].y[0] * d[1] + s[i + 1].z[0] * d[2];
    lane_mask in = (here > SI_CONE_MARGIN) & (next < -SI_CONE_MARGIN);
    index |= in & number;
    found |= in;
    x = lane_pick(in, lane_all(s[i].x[2]), x);
    y = lane_pick(in, lane_all(s[i].y[2]), y);
    z = lane_pick(in, lane_all(s[i].z[2]), z);
    here = next;
    number += 1;
  }
  dest->edge[0] = x, dest->edge[1] = y, dest->edge[2] = z;
  dest->index = index;
  return found;
}

LANE_INLINE lanes lane_dot_lanes(const lanes *a, const lanes *b) {
  return a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
}

/* exit_outwards in lanes; returns the lanes for which floats are precise enough */
LANE_INLINE lane_mask lane_cone_exit(const sinew_cone *cone, const lane_slice *s, const lanes *d,
                                     lanes there, lanes dest[3]) {
  const float *v = cone->visible;
  lanes at_v = s->edge[0] * v[0] + s->edge[1] * v[1] + s->edge[2] * v[2], near = lane_dot(v, d);
  lanes square = at_v * at_v + there * there - 2.0f * at_v * there * near;
  lanes scale = 1.0f / lane_sqrt(square);
#pragma GCC unroll 3
  for (int k = 0; k < 3; k++) dest[k] = (at_v * d[k] - there * v[k]) * scale;
  return (at_v - there > 0.1f) & (near > -0.9f);
}

LANE_INLINE lane_mask lane_below(lanes x, float most) { return (x < most) & (x > -most); }

/* the angle plus the multiple of 360 degrees that brings it nearest to the wanted one */
LANE_INLINE lanes lane_nearest(lanes angle, lanes wanted) {
  lanes far = wanted - angle, none = lane_all(0), turn = lane_all(360);
  return angle + (lane_pick(far > 180.0f, turn, none) - lane_pick(far < -180.0f, turn, none));
}

/* solve_quickly in lanes; returns the lanes for which it found angles, and writes those to
 * `angles` */
LANE_INLINE lane_mask lane_swing_solve(const si_swing *swing, const lanes *t, lanes angles[2]) {
  const si_quick_swing *q = &swing->quick;
  lanes on_t[4], on_g[3], g[3];
  const float *x1 = swing->axis[0];
#pragma GCC unroll 4
  for (int k = 0; k < 4; k++) on_t[k] = q->x[k] * t[0] + q->y[k] * t[1] + q->z[k] * t[2];
  lanes aim = on_t[3], cs = (aim - q->middle) * q->inverse_reach;
  lane_mask good = lane_below(cs, 0.995f) & lane_below(aim, 0.995f);
#pragma GCC unroll 2
  for (int i = 0; i < 2; i++) {
    lanes far = angles[i] - q->from[2 * i];
    good &= (far <= 360.0f) & (far >= -360.0f);
  }
  lanes ss = lane_sqrt(lane_pick(good, 1.0f - cs * cs, lane_all(0)));
  g[0] = t[1] * x1[2] - t[2] * x1[1];
  g[1] = t[2] * x1[0] - t[0] * x1[2];
  g[2] = t[0] * x1[1] - t[1] * x1[0];
#pragma GCC unroll 3
  for (int k = 0; k < 3; k++) on_g[k] = q->x[k] * g[0] + q->y[k] * g[1] + q->z[k] * g[2];
  lanes right = on_t[0] + cs * on_t[1] - aim * aim, up = on_g[0] + cs * on_g[1];
  lanes right_ss = ss * on_t[2], up_ss = ss * on_g[2];
  lanes a1 = lane_atan2(up + up_ss, right + right_ss) + q->from[0];
  lanes a2 = lane_atan2(up - up_ss, right - right_ss) + q->from[1];
  lanes spread = lane_atan2(ss, cs), b1 = spread + q->from[2], b2 = q->from[3] - spread;
  a1 = lane_nearest(a1, angles[0]), a2 = lane_nearest(a2, angles[0]);
  b1 = lane_nearest(b1, angles[1]), b2 = lane_nearest(b2, angles[1]);
  lanes da1 = angles[0] - a1, db1 = angles[1] - b1, da2 = angles[0] - a2, db2 = angles[1] - b2;
  lane_mask second = da2 * da2 + db2 * db2 < da1 * da1 + db1 * db1;
  angles[0] = lane_pick(second, a2, a1);
  angles[1] = lane_pick(second, b2, b1);
  return good & (angles[0] >= swing->min[0]) & (angles[0] <= swing->max[0]) &
         (angles[1] >= swing->min[1]) & (angles[1] <= swing->max[1]);
}

/* si_cone_limits in lanes, for a cone that is not narrow */
LANE_INLINE lanes lane_cone_twist(const sinew_cone *cone, const lane_slice *s, const lanes *d,
                                  lanes twist) {
  const lanes zero = lane_all(0), one = lane_all(1);
  const float *rows[SI_WIDTH];
  lanes sx[4], sy[4], sz[4]; /* of S(i), -S(i+1), B(i), and their lengths */
  for (int i = 0; i < SI_WIDTH; i++) rows[i] = si_cone_slices(cone)[s->index[i]].x;
  lane_take_four(rows, 0, sx);
  lane_take_four(rows, 4, sy);
  lane_take_four(rows, 8, sz);
  lanes here = (sx[1] * d[0] + sy[1] * d[1] + sz[1] * d[2]) * sy[3];
  lanes next = (sx[0] * d[0] + sy[0] * d[1] + sz[0] * d[2]) * sx[3];
  lanes middle = (sx[2] * d[0] + sy[2] * d[1] + sz[2] * d[2]) * sz[3];
  here = lane_pick(here > zero, here, zero);
  next = lane_pick(next > zero, next, zero);
  middle = lane_pick(middle > zero, middle, zero);
  lanes total = here + next + middle;
  lane_mask some = total > zero;
  middle = lane_pick(some, middle, one);
  lanes scale = 1.0f / lane_pick(some, total, one), limits[2][2];
  for (int i = 0; i < SI_WIDTH; i++) {
    const float *p = si_cone_twists(cone, s->index[i]);
    const float *q = si_cone_twists(cone, si_cone_next(cone, s->index[i]));
    limits[0][0][i] = p[0], limits[0][1][i] = p[1];
    limits[1][0][i] = q[0], limits[1][1][i] = q[1];
  }
  here *= scale, next *= scale, middle *= scale;
  lanes low = here * limits[0][0] + next * limits[1][0] + middle * cone->visible_twist[0];
  lanes high = here * limits[0][1] + next * limits[1][1] + middle * cone->visible_twist[1];
  return lane_clamp(twist, low, high);
}

/* Clamps swing and twist of the lanes that are not `fine`. Returns those whose swing was inside.
 * Clears in `*sure` the lanes that must fall back to the component. */
static lane_mask lane_cone_hold(const joint *j, lane_mask fine, lane_mask twisted, lane_wish *wish,
                                lane_mask *sure) {
  const sinew_cone *cone = part(j, j->cone_at);
  lane_slice slice;
  *sure &= fine | lane_cone_find(cone, wish->direction, &slice);
  lanes there = lane_dot_lanes(slice.edge, wish->direction);
  lane_mask outside = ~fine & ~(there >= 0.0f) & *sure;
  if (lane_which(outside)) {
    lanes target[3], angles[2] = { wish->angles[0], wish->angles[1] }, direction[3];
    lane_frame swing;
    lane_mask done = lane_cone_exit(cone, &slice, wish->direction, there, target);
    done &= lane_swing_solve(&j->swing, target, angles);
    *sure &= ~outside | done;
    for (int i = 0; i < 2; i++) wish->angles[i] = lane_pick(outside, angles[i], wish->angles[i]);
    lane_swing(j, wish->angles, &swing, direction);
    *sure &= ~outside | ~lane_not_unit(direction);
    for (int c = 0; c < 4; c++)
      for (int r = 0; r < 3; r++)
        wish->swing.m[c][r] = lane_pick(outside, swing.m[c][r], wish->swing.m[c][r]);
    for (int r = 0; r < 3; r++)
      wish->direction[r] = lane_pick(outside, direction[r], wish->direction[r]);
  }
  if (cone->has_twist && lane_which(~twisted & *sure)) {
    lanes held = lane_cone_twist(cone, &slice, wish->direction, wish->twist);
    wish->twist = lane_pick(twisted, wish->twist, held);
  }
  return ~outside;
}

static void lane_cone(const sinew_node *node, si_worker *w) {
  const joint *j = node->data;
  const sinew_cone *cone = part(j, j->cone_at);
  lane_wish wish;
  lane_cone_wish(j, node, w, &wish);
  lane_mask sure = ~lane_not_unit(wish.direction), inside = ~lane_none();
  lane_mask twisted = (wish.twist >= cone->sure_twist[0]) & (wish.twist <= cone->sure_twist[1]);
  lane_mask within = lane_dot(cone->visible, wish.direction) > cone->sure_cosine;
  /* whether the fast path works is the same for all lanes */
  bool quick = j->rotations && j->swing.quick.works && cone->rest_is_visible && !cone->narrow;
  if (!quick)
    sure &= within & twisted;
  else if (lane_which(~(within & twisted)))
    inside = lane_cone_hold(j, within & twisted, twisted, &wish, &sure);
  lane_frame turn;
  if (j->twists) {
    lanes sine, cosine;
    lane_sincos_any(wish.twist, &sine, &cosine);
    lane_frame_rotated(j->twist[0], j->twist[1], j->twist[2], cosine, sine, &turn);
    lane_frame_turn_by(&wish.swing, &turn, &wish.swing);
  }
  lane_out_frame(node, w, &wish.swing);
  lane_out(node, w, out_twist, wish.twist);
  lane_out(node, w, out_inside, lane_pick(inside, lane_all(1), lane_all(0)));
  lane_out(node, w, out_angle1, wish.angles[0]);
  lane_out(node, w, out_angle2, wish.angles[1]);
  unsigned left = lane_which(~sure);
  if (left) lane_eval_single(node, w, left);
}

#endif
