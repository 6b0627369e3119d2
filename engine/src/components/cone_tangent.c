/* The derivative of a reach cone. A direction inside moves freely. One outside moves its exit along
 * the boundary, and the two angles or the shortest arc follow. A clamped twist moves with its
 * limit. Exactly on the boundary, at a limit and at the end of a rotation's range everything counts
 * as free. */
#include "components/cone_joint.h"
#include "math/rate.h"

/* the part of the derivative that does not depend on the direction in which the inputs move */
typedef struct bearing {
  CGLM_ALIGN_MAT float wanted[16], swing[16]; /* the swing before and after clamping */
  CGLM_ALIGN_MAT float twisted[16],
      by_twist[16]; /* Rot(rest, twist), and the derivative of swing Rot per degree of twist */
  CGLM_ALIGN_MAT float by_wanted[2][16], by_angle[2][16]; /* derivatives of both swings */
  float angles[2];                                        /* the resulting angles */
  float aim[3], given[3];                                 /* the bone after both swings */
  float exit[3][3];                                       /* the derivative of `given` by `aim` */
  float limit[3];                                         /* gradient of the active limit */
  bool inside, solved, twist_held;
} bearing;

/* the derivatives of the outputs: transform, twist and angles */
typedef struct course {
  CGLM_ALIGN_MAT float transform[16];
  float twist, angles[2];
} course;

static void swing_rates(const joint *j, const float *angles, float by_angle[2][16]) {
  CGLM_ALIGN_MAT float first[16], second[16];
  si_rotation_eval(part(j, j->rotation_at[0]), angles[0], first);
  si_rotation_eval(part(j, j->rotation_at[1]), angles[1], second);
  si_rotation_rate(part(j, j->rotation_at[0]), angles[0], by_angle[0]);
  si_rotation_rate(part(j, j->rotation_at[1]), angles[1], by_angle[1]);
  si_rate_before(by_angle[0], second, by_angle[0]);
  si_rate_after(first, by_angle[1], by_angle[1]);
}

static void take_bearing(const sinew_node *node, const float *values, bearing *b) {
  const joint *j = node->data;
  const sinew_cone *cone = part(j, j->cone_at);
  const uint32_t *out = node->ports + node->input_count;
  float inputs[2];
  if (j->rotations) {
    for (int i = 0; i < 2; i++) {
      inputs[i] = si_clamp(*sinew_node_in(node, values, in_angle1 + (uint32_t)i), j->swing.min[i],
                           j->swing.max[i]);
      b->angles[i] = values[out[out_angle1 + i]];
    }
    make_swing(j, inputs, b->wanted);
    swing_rates(j, inputs, b->by_wanted);
  } else {
    si_mat_copy(sinew_node_in(node, values, in_swing), b->wanted);
  }
  make_direction(j, b->wanted, b->aim);
  memcpy(b->given, b->aim, sizeof b->given);
  si_mat_copy(b->wanted, b->swing);
  float hold = values[node->hold + held_twist];
  b->inside = values[out[out_inside]] != 0;
  b->twist_held = hold != 0;
  if (!b->inside || b->twist_held) {
    si_v4 dots;
    int slice = si_cone_find(cone, b->aim, -1, &dots);
    if (!b->inside) {
      slice = si_cone_exit_rest(cone, b->aim, si_cone_beyond_doubt(dots) ? slice : -1, b->given);
      si_cone_exit_rate(cone, b->aim, slice, b->exit);
      float solved[2];
      b->solved = j->rotations && si_swing_solve(&j->swing, b->given, inputs, solved);
      if (b->solved) {
        make_swing(j, b->angles, b->swing);
        swing_rates(j, b->angles, b->by_angle);
      } else {
        si_swing_correct(b->wanted, b->aim, b->given, b->swing);
      }
    }
    if (b->twist_held) si_cone_limit_rate(cone, b->given, slice, hold < 0, b->limit);
  }
  if (!j->twists) return;
  si_mat_turn(j->swing.bone, values[out[out_twist]], b->twisted);
  memset(b->by_twist, 0, sizeof b->by_twist);
  for (int k = 0; k < 3; k++) si_vec_cross(j->swing.bone, b->twisted + 4 * k, b->by_twist + 4 * k);
  si_rate_after(b->swing, b->by_twist, b->by_twist);
  for (int k = 0; k < 16; k++) b->by_twist[k] *= (float)SI_DEG;
}

/* the swing moves by `swing`, the angles of its rotations by `angles`, the twist by `twist` */
static void follow(const joint *j, const bearing *b, const float *swing, const float *angles,
                   float twist, course *dest) {
  float aim[3], given[3];
  si_mat_direction(swing, j->swing.bone, aim);
  float along = si_vec_dot(aim, b->aim); /* a swing that scales was made unit */
  for (int k = 0; k < 3; k++) aim[k] -= along * b->aim[k];
  memcpy(given, aim, sizeof given);
  si_mat_copy(swing, dest->transform);
  for (int i = 0; i < 2; i++) dest->angles[i] = angles[i];
  if (!b->inside) {
    for (int k = 0; k < 3; k++)
      given[k] = b->exit[0][k] * aim[0] + b->exit[1][k] * aim[1] + b->exit[2][k] * aim[2];
    if (b->solved) {
      si_swing_rate(&j->swing, b->angles, given, angles, dest->angles);
      memset(dest->transform, 0, sizeof dest->transform);
      for (int i = 0; i < 2; i++) si_rate_add(dest->angles[i], b->by_angle[i], dest->transform);
    } else {
      si_swing_correct_rate(b->wanted, b->aim, b->given, swing, aim, given, dest->transform);
    }
  }
  dest->twist = b->twist_held ? si_vec_dot(b->limit, given) : twist;
  if (!j->twists) return;
  si_rate_before(dest->transform, b->twisted, dest->transform);
  si_rate_add(dest->twist, b->by_twist, dest->transform);
}

static void add_course(const sinew_rates *rates, uint32_t column, float scale, const course *c) {
  si_rate_add(scale, c->transform, rates->outputs[out_transform] + 16 * (size_t)column);
  rates->outputs[out_twist][column] += scale * c->twist;
  for (int i = 0; i < 2; i++) rates->outputs[out_angle1 + i][column] += scale * c->angles[i];
}

sinew_status si_cone_tangent(const sinew_node *node, const float *values, const sinew_rates *rates,
                             sinew_error *error) {
  (void)error;
  static const CGLM_ALIGN_MAT float still[16];
  const joint *j = node->data;
  bearing b;
  course c;
  take_bearing(node, values, &b);
  for (uint32_t i = in_twist; i <= in_angle2; i++) {
    const sinew_input_rates *in = &rates->inputs[i];
    /* an angle beyond its range stays at the end */
    if (!in->count || (i != in_twist && values[node->hold + held_angle1 + i - in_angle1] != 0))
      continue;
    const float angles[2] = { i == in_angle1, i == in_angle2 };
    follow(j, &b, i == in_twist ? still : b.by_wanted[i - in_angle1], angles, i == in_twist, &c);
    for (uint32_t k = 0; k < in->count; k++) add_course(rates, in->columns[k], in->rates[k], &c);
  }
  const sinew_input_rates *swing = &rates->inputs[in_swing];
  for (uint32_t k = 0; k < swing->count; k++) {
    follow(j, &b, swing->rates + 16 * (size_t)k, (const float[]){ 0, 0 }, 0, &c);
    add_course(rates, swing->columns[k], 1, &c);
  }
  return SINEW_OK;
}
