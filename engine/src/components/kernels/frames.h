/* distance, aim, swing_twist and ik2, over NUM (math/kernels/number.h). They read and write the
 * value array, but no holds and no last row of matrices. A length below 1e-6 counts as 0. */

#define FRAMES_TINY 1e-12f /* the square of that length */

/* v of length 1, or `other` where it has none; its length */
KERNEL NUM OF(vec_unit)(const NUM v[3], const NUM other[3], NUM dest[3]) {
  NUM square = OF(vec_dot)(v, v);
  MASK none = square < FRAMES_TINY;
  NUM length = OF(sqrt)(OF(pick)(none, OF(all)(1), square));
#pragma GCC unroll 3
  for (int i = 0; i < 3; i++) dest[i] = OF(pick)(none, other[i], v[i] / length);
  return OF(pick)(none, OF(all)(0), length);
}
KERNEL void OF(vec_all)(const float *v, NUM dest[3]) {
#pragma GCC unroll 3
  for (int i = 0; i < 3; i++) dest[i] = OF(all)(v[i]);
}

/* h of si_least, for the unit direction d: the direction of c + d. Near the opposite of c its part
 * along c, 1 + c.d, would lose all digits, and is taken from its part across c. */
KERNEL void OF(least_half)(const si_least *l, const NUM d[3], NUM h[3]) {
  NUM c[3], sum[3], side[3];
  OF(vec_all)(l->from, c);
  OF(vec_all)(l->side, side);
  NUM along = OF(vec_dot)(c, d);
#pragma GCC unroll 3
  for (int i = 0; i < 3; i++) sum[i] = d[i] - c[i] * along;
  NUM rounded = OF(vec_dot)(c, sum);
#pragma GCC unroll 3
  for (int i = 0; i < 3; i++) sum[i] = sum[i] - c[i] * rounded;
  MASK back = along < 0.0f;
  NUM part = OF(pick)(back, OF(vec_dot)(sum, sum) / (1.0f - OF(pick)(back, along, OF(all)(0))),
                      along + 1.0f);
#pragma GCC unroll 3
  for (int i = 0; i < 3; i++) sum[i] = sum[i] + c[i] * part;
  OF(vec_unit)(sum, side, h);
}
/* column j of that rotation */
KERNEL void OF(least_column)(const si_least *l, const NUM h[3], int j, NUM dest[3]) {
  NUM w[3];
  OF(vec_all)(l->half[j], w);
  NUM twice = OF(vec_dot)(h, w) * 2.0f;
#pragma GCC unroll 3
  for (int i = 0; i < 3; i++) dest[i] = h[i] * twice - w[i];
}

KERNEL void OF(distance)(const sinew_node *node, float *values) {
  const si_seen_data *f = node->data;
  NUM p[3], q[3];
  OF(vec_load)(values, node->ports[SI_DISTANCE_POINT], p);
  OF(vec_load)(values, node->ports[SI_DISTANCE_TO_POINT], q);
  OF(path_map)(&f->path, f->links, node, values, true, p);
#pragma GCC unroll 3
  for (int i = 0; i < 3; i++) p[i] = p[i] - q[i];
  OF(keep)(values, node->ports[node->input_count], OF(sqrt)(OF(vec_dot)(p, p)));
}

KERNEL void OF(aim)(const sinew_node *node, float *values) {
  const si_aim_data *f = node->data;
  uint32_t dest = node->ports[node->input_count];
  NUM p[3], d[3], h[3], from[3];
  OF(vec_load)(values, node->ports[SI_AIM_POINT], p);
  OF(path_map)(&f->at, f->links, node, values, true, p);
  OF(vec_all)(f->least.from, from);
  OF(vec_unit)(p, from, d);
  OF(least_half)(&f->least, d, h);
  NUM r[3], raw[3], across[3] = { d[0], d[1], d[2] }, upward[3] = { d[0], d[1], d[2] };
  MASK plain = d[0] == d[0];
  if (f->upright) {
    OF(vec_all)(f->up_given, r);
    OF(path_map)(&f->up, f->links + f->up_link, node, values, false, r);
    OF(vec_cross)(d, r, raw);
    plain = OF(vec_unit)(raw, r, across) < 1e-6f;
    OF(vec_cross)(across, d, upward);
  }
#pragma GCC unroll 3
  for (int j = 0; j < 3; j++) {
    NUM column[3];
    OF(least_column)(&f->least, h, j, column);
#pragma GCC unroll 3
    for (uint32_t i = 0; i < 3; i++) {
      if (f->upright)
        column[i] =
            OF(pick)(plain, column[i],
                     d[i] * f->least.from[j] + across[i] * f->across[j] + upward[i] * f->upward[j]);
      OF(keep)(values, dest + 4 * (uint32_t)j + i, column[i]);
    }
  }
#pragma GCC unroll 3
  for (uint32_t i = 0; i < 3; i++) OF(keep)(values, dest + 12 + i, OF(all)(0));
}

/* the swing takes the axis where the matrix takes it; the twist is what the matrix does to e before
 * that */
KERNEL void OF(swing_twist)(const sinew_node *node, float *values) {
  const si_swing_twist_data *f = node->data;
  uint32_t m = node->ports[0], swing = node->ports[1];
  NUM b[3], re[3], h[3], column[3], c = OF(all)(0), s = OF(all)(0), apart[3], sum[3];
  OF(vec_all)(f->least.from, b);
  OF(vec_all)(f->e, re);
  OF(driven_map)(values, m, false, false, b);
  OF(driven_map)(values, m, false, false, re);
  OF(least_half)(&f->least, b, h);
#pragma GCC unroll 3
  for (int j = 0; j < 3; j++) {
    OF(least_column)(&f->least, h, j, column);
    NUM along = OF(vec_dot)(column, re);
    c = c + along * f->e[j], s = s + along * f->f[j];
#pragma GCC unroll 3
    for (uint32_t i = 0; i < 3; i++) OF(keep)(values, swing + 4 * (uint32_t)j + i, column[i]);
  }
#pragma GCC unroll 3
  for (uint32_t i = 0; i < 3; i++) {
    OF(keep)(values, swing + 12 + i, OF(value)(values, m + 12 + i));
    apart[i] = b[i] - OF(all)(f->least.from[i]), sum[i] = b[i] + OF(all)(f->least.from[i]);
  }
  OF(keep)(values, node->ports[2], OF(atan2)(s, c));
  OF(keep)
  (values, node->ports[3],
   OF(atan2)(OF(sqrt)(OF(vec_dot)(apart, apart)), OF(sqrt)(OF(vec_dot)(sum, sum))) * 2.0f);
}

/* the reach that is given for the one that is wanted */
KERNEL NUM OF(ik2_reach)(const si_ik2_data *f, NUM wanted) {
  NUM over = wanted - OF(all)(f->high - f->soft),
      given = OF(clamp)(wanted, OF(all)(f->low), OF(all)(f->high));
  if (f->soft > 0) {
    MASK near = over > 0.0f;
    NUM past = OF(pick)(near, over, OF(all)(0));
    given = OF(pick)(near, OF(all)(f->high) - f->soft * f->soft / (past + f->soft), given);
    given = OF(clamp)(given, OF(all)(f->low), OF(all)(f->high));
  }
  return given;
}

/* cosine and sine of the bend at which the tip is this far away; from the distances to the two ends
 * of the range, which keeps all digits near a straight limb */
KERNEL void OF(ik2_bend)(const si_ik2_data *f, NUM reach, NUM *cosine, NUM *sine) {
  float sum = f->a + f->b, apart = fabsf(f->a - f->b), twice = 0.5f / (f->a * f->b);
  NUM folded = (sum - reach) * (sum + reach) * twice,
      open = (reach - apart) * (reach + apart) * twice;
  folded = OF(clamp)(folded, OF(all)(0), OF(all)(2));
  open = OF(clamp)(open, OF(all)(0), OF(all)(2));
  *cosine = (open - folded) * 0.5f;
  *sine = OF(sqrt)(folded * open);
}

/* the goal's direction, and the direction across it to which the elbow points; the wanted reach */
KERNEL NUM OF(ik2_plane)(const si_ik2_data *f, const sinew_node *node, const float *values,
                         NUM g[3], NUM n[3]) {
  NUM p[3], q[3], other[3], raw[3], backup[3];
  OF(vec_load)(values, node->ports[SI_IK2_GOAL], p);
  OF(path_map)(&f->goal, f->links, node, values, true, p);
  OF(vec_all)(f->straight, other);
  NUM wanted = OF(vec_unit)(p, other, g);
  OF(vec_all)(f->pole_given, q);
  if (!f->own_pole) OF(path_map)(&f->pole, f->links + f->pole_link, node, values, true, q);
  NUM along = OF(vec_dot)(g, q);
#pragma GCC unroll 3
  for (int i = 0; i < 3; i++) raw[i] = q[i] - g[i] * along;
  /* for a pole on the line to the goal: where the elbow is at rest, or else the limb */
  OF(vec_all)(f->elbow, backup);
  NUM lean = OF(vec_dot)(g, backup);
  MASK leans = lean * lean > 0.8f;
#pragma GCC unroll 3
  for (int i = 0; i < 3; i++) backup[i] = OF(pick)(leans, other[i], backup[i]);
  lean = OF(vec_dot)(g, backup);
#pragma GCC unroll 3
  for (int i = 0; i < 3; i++) backup[i] = backup[i] - g[i] * lean;
  OF(vec_unit)(backup, other, backup);
  OF(vec_unit)(raw, backup, n);
  return wanted;
}

/* returns the wanted reach */
KERNEL NUM OF(ik2)(const sinew_node *node, float *values) {
  const si_ik2_data *f = node->data;
  const uint32_t *out = node->ports + node->input_count;
  NUM g[3], n[3], axis[3], bone[3], side[3], c, s, zero = OF(all)(0);
  NUM wanted = OF(ik2_plane)(f, node, values, g, n), reach = OF(ik2_reach)(f, wanted);
  OF(ik2_bend)(f, reach, &c, &s);
  /* the elbow: its direction in the plane of goal and pole */
  NUM x = OF(all)(f->a) + f->b * c, y = f->b * s, square = x * x + y * y;
  MASK folded = square < FRAMES_TINY;
  NUM length = OF(sqrt)(OF(pick)(folded, OF(all)(1), square));
  NUM ca = OF(pick)(folded, zero, x / length), sa = OF(pick)(folded, OF(all)(1), y / length);
#pragma GCC unroll 3
  for (int i = 0; i < 3; i++) bone[i] = ca * g[i] + sa * n[i];
  OF(vec_cross)(n, g, axis);
  OF(vec_cross)(bone, axis, side);
  /* the lower bone turns about the hinge by the bend less that at rest */
  NUM cosine = c * f->cosine + s * f->sine, sine = s * f->cosine - c * f->sine;
#pragma GCC unroll 3
  for (int j = 0; j < 3; j++)
#pragma GCC unroll 3
    for (int i = 0; i < 3; i++) {
      uint32_t at = 4 * (uint32_t)j + (uint32_t)i;
      float both = f->hinge[i] * f->hinge[j];
      float cross = i == j ? 0 : (j - i + 3) % 3 == 1 ? -f->hinge[3 - i - j] : f->hinge[3 - i - j];
      OF(keep)
      (values, out[SI_IK2_UPPER] + at,
       bone[i] * f->bone[j] + axis[i] * f->axis[j] + side[i] * f->side[j]);
      OF(keep)
      (values, out[SI_IK2_LOWER] + at, OF(all)(both) + cosine * ((i == j) - both) + sine * cross);
    }
#pragma GCC unroll 3
  for (uint32_t i = 12; i < 15; i++) {
    OF(keep)(values, out[SI_IK2_UPPER] + i, zero);
    OF(keep)(values, out[SI_IK2_LOWER] + i, zero);
  }
  OF(keep)(values, out[SI_IK2_BEND], OF(atan2)(s, c));
  OF(keep)(values, out[SI_IK2_REACH], reach);
  return wanted;
}

#undef FRAMES_TINY
