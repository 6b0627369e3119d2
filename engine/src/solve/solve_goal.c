/* Goals: their residuals and the rows of their Jacobians. The residuals are: for a point p - t; for
 * an orientation the rotation vector from the wanted frame, whose derivative is the segment's
 * rotation (exact at the goal); for a direction u the vector u x t / |u x t| times the angle
 * between them, whose derivative along the arc is the rotation of u; for a distance |p - q| - d. */
#include "solve/solve_internal.h"

#include "base/error_internal.h"
#include "math/matrix.h"
#include "compile/rig_internal.h"

int si_goal_rows(sinew_goal_kind kind) { return kind == SINEW_GOAL_DISTANCE ? 1 : 3; }

static bool is_angular(sinew_goal_kind kind) {
  return kind == SINEW_GOAL_TURN || kind == SINEW_GOAL_AIM || kind == SINEW_GOAL_LOOK;
}

sinew_goal sinew_default_goal(sinew_goal_kind kind, sinew_segment segment) {
  sinew_goal goal = { .kind = kind, .segment = segment, .direction = { 0, 1, 0 }, .weight = 1 };
  /* a caller's goal need not be aligned for cglm */
  for (int i = 0; i < 16; i += 5) goal.frame[i] = 1;
  return goal;
}

bool si_goal_check(const sinew_rig *rig, const sinew_goal *goal, int index, sinew_error *error) {
  uint32_t segments = rig->model.segment_count;
  if ((unsigned)goal->kind >= SINEW_GOAL_KINDS)
    return si_fail_false(error, SINEW_ERR_VALUE, "goal %d has an unknown kind", index + 1);
  if (!goal->segment.id || goal->segment.id > segments || goal->other.id > segments)
    return si_fail_false(error, SINEW_ERR_NAME, "the segment of goal %d does not belong to the rig",
                         index + 1);
  const char *name = rig->model.segments[goal->segment.id - 1].name;
  if (!si_finite(goal->point, 3) || !si_finite(goal->direction, 3) || !si_finite(goal->target, 3) ||
      !si_finite(goal->frame, 16) || !si_finite(goal->other_point, 3) ||
      !isfinite(goal->distance) || !isfinite(goal->weight))
    return si_fail_false(error, SINEW_ERR_NOT_FINITE,
                         "goal %d, on '%s', has a number that is not finite", index + 1, name);
  float unit[3];
  bool directed = goal->kind == SINEW_GOAL_AIM || goal->kind == SINEW_GOAL_LOOK;
  if (directed && !si_vec_unit(goal->direction, unit))
    return si_fail_false(error, SINEW_ERR_VALUE,
                         "goal %d, on '%s', needs a direction that is not zero", index + 1, name);
  if (goal->kind == SINEW_GOAL_AIM && !si_vec_unit(goal->target, unit))
    return si_fail_false(error, SINEW_ERR_VALUE, "goal %d, on '%s', needs a target direction",
                         index + 1, name);
  if (goal->kind == SINEW_GOAL_TURN && !si_mat_is_rigid(goal->frame, 1e-3f))
    return si_fail_false(error, SINEW_ERR_VALUE, "goal %d, on '%s', needs a rigid frame", index + 1,
                         name);
  if (goal->weight < 0 || goal->distance < 0)
    return si_fail_false(error, SINEW_ERR_VALUE, "goal %d, on '%s': %s must not be negative",
                         index + 1, name, goal->weight < 0 ? "its weight" : "its distance");
  return true;
}

/* a vector perpendicular to two unit vectors; its length is the angle between them in radians */
static float arc(const float *from, const float *to, float *dest) {
  float across[3], cosine = si_vec_dot(from, to);
  si_vec_cross(from, to, across);
  float sine = si_vec_length(across), angle = atan2f(sine, cosine);
  if (sine < 1e-7f) {
    /* parallel or opposite: any perpendicular axis will do */
    float other[3] = { fabsf(from[0]) < 0.6f, fabsf(from[0]) >= 0.6f, 0 };
    si_vec_cross(from, other, across);
    sine = si_vec_length(across);
    if (cosine > 0) angle = 0;
  }
  for (int k = 0; k < 3; k++) dest[k] = across[k] * (angle / sine);
  return angle;
}

/* the rotation vector from the rotation `from` to `to` */
static float rotation_between(const float *from, const float *to, float *dest) {
  CGLM_ALIGN_MAT float back[16], m[16];
  si_mat_rotation_part(from, back);
  si_mat_inverse_rigid(back, back);
  si_mat_rotation_part(to, m);
  si_mat_mul(m, back, m);
  float axis[3] = { m[6] - m[9], m[8] - m[2], m[1] - m[4] };
  float sine = si_vec_length(axis) / 2, cosine = (m[0] + m[5] + m[10] - 1) / 2;
  float angle = atan2f(sine, cosine);
  if (sine > 1e-4f) {
    for (int k = 0; k < 3; k++) dest[k] = axis[k] * (angle / (2 * sine));
    return angle;
  }
  if (cosine > 0) {
    for (int k = 0; k < 3; k++) dest[k] = axis[k] / 2;
    return angle;
  }
  /* 180 degrees: (M + 1) / 2 is the outer product of the axis with itself */
  int largest = m[0] > m[5] ? 0 : 1;
  if (!(m[5 * largest] > m[10])) largest = 2;
  float column[3] = { m[4 * largest], m[4 * largest + 1], m[4 * largest + 2] };
  column[largest] += 1;
  si_vec_unit(column, dest);
  for (int k = 0; k < 3; k++) dest[k] *= angle;
  return angle;
}

/* the current state, as far as the kind of goal needs it: the point, the unit direction and the
 * unit direction to the target, the other point of a distance */
typedef struct place {
  float point[3], direction[3], wanted[3], other[3];
} place;

static place place_of(const sinew_goal *goal, const sinew_pose *pose) {
  place p = { 0 };
  const float *m = sinew_pose_world(pose, goal->segment);
  bool look = goal->kind == SINEW_GOAL_LOOK;
  si_mat_point(m, goal->point, p.point);
  if (goal->kind == SINEW_GOAL_DISTANCE) {
    memcpy(p.other, goal->target, sizeof p.other);
    if (goal->other.id)
      si_mat_point(sinew_pose_world(pose, goal->other), goal->other_point, p.other);
  } else if (look || goal->kind == SINEW_GOAL_AIM) {
    si_mat_direction(m, goal->direction, p.direction);
    si_vec_unit(p.direction, p.direction);
    for (int k = 0; k < 3; k++) p.wanted[k] = goal->target[k] - (look ? p.point[k] : 0);
    if (!si_vec_unit(p.wanted, p.wanted)) memcpy(p.wanted, p.direction, sizeof p.wanted);
  }
  return p;
}

float si_goal_residual(const sinew_goal *goal, const sinew_pose *pose, float metres_per_radian,
                       double *rows) {
  double weight = sqrt((double)goal->weight);
  float r[3] = { 0 }, off;
  place p = place_of(goal, pose);
  switch (goal->kind) {
  case SINEW_GOAL_POINT:
    for (int k = 0; k < 3; k++) r[k] = p.point[k] - goal->target[k];
    off = si_vec_length(r);
    break;
  case SINEW_GOAL_DISTANCE:
    for (int k = 0; k < 3; k++) r[k] = p.point[k] - p.other[k];
    r[0] = si_vec_length(r) - goal->distance;
    off = fabsf(r[0]);
    break;
  case SINEW_GOAL_TURN:
    off = rotation_between(goal->frame, sinew_pose_world(pose, goal->segment), r);
    break;
  default: off = arc(p.wanted, p.direction, r); break;
  }
  bool angular = is_angular(goal->kind);
  for (int k = 0; k < si_goal_rows(goal->kind); k++)
    rows[k] = weight * (double)(angular ? r[k] * metres_per_radian : r[k]);
  return angular ? off * (float)(180 / M_PI) : off;
}

/* the rotation vector of a unit vector u that moves by v: u x v */
static void rotation_of(const float *u, const float *v, float *dest) { si_vec_cross(u, v, dest); }

void si_goal_jacobian(const sinew_goal *goal, const sinew_tangent *tangent, const sinew_pose *pose,
                      float metres_per_radian, float *dest, int stride, float *spare) {
  int columns = sinew_tangent_columns(tangent);
  float weight = sqrtf(goal->weight);
  place p = place_of(goal, pose);
  if (goal->kind == SINEW_GOAL_POINT) {
    sinew_tangent_point(tangent, goal->segment, goal->point, dest, stride);
  } else if (goal->kind == SINEW_GOAL_TURN) {
    sinew_tangent_turn(tangent, goal->segment, dest, stride);
    weight *= metres_per_radian;
  } else if (goal->kind == SINEW_GOAL_DISTANCE) {
    float way[3];
    for (int k = 0; k < 3; k++) way[k] = p.point[k] - p.other[k];
    if (!si_vec_unit(way, way)) way[0] = 1; /* the points coincide: any direction will do */
    memset(spare, 0, (size_t)columns * 6 * sizeof *spare);
    sinew_tangent_point(tangent, goal->segment, goal->point, spare, 6);
    if (goal->other.id) sinew_tangent_point(tangent, goal->other, goal->other_point, spare + 3, 6);
    for (int c = 0; c < columns; c++) {
      const float *v = spare + (size_t)6 * (size_t)c;
      dest[(size_t)c * (size_t)stride] = weight * (si_vec_dot(way, v) - si_vec_dot(way, v + 3));
    }
    return;
  } else {
    /* the direction rotates; for a look goal the wanted direction does too, as the point moves */
    float away[3];
    for (int k = 0; k < 3; k++) away[k] = goal->target[k] - p.point[k];
    float distance = fmaxf(si_vec_length(away), 1e-6f);
    sinew_tangent_direction(tangent, goal->segment, goal->direction, spare, 6);
    if (goal->kind == SINEW_GOAL_LOOK)
      sinew_tangent_point(tangent, goal->segment, goal->point, spare + 3, 6);
    float length = si_vec_length(goal->direction);
    for (int c = 0; c < columns; c++) {
      float *v = spare + (size_t)6 * (size_t)c, by_point[3] = { 0 };
      for (int k = 0; k < 3; k++) v[k] /= length;
      rotation_of(p.direction, v, v);
      if (goal->kind == SINEW_GOAL_LOOK) rotation_of(p.wanted, v + 3, by_point);
      float *row = dest + (size_t)c * (size_t)stride;
      for (int k = 0; k < 3; k++)
        row[k] = weight * metres_per_radian * (v[k] + by_point[k] / distance);
    }
    return;
  }
  for (int c = 0; c < columns; c++)
    for (int k = 0; k < 3; k++) dest[(size_t)c * (size_t)stride + (size_t)k] *= weight;
}

float sinew_goal_error(const sinew_goal *goal, const sinew_pose *pose) {
  double rows[3];
  sinew_error error;
  if (!SI_EXPECT(goal && pose)) return 0;
  if (!SI_EXPECT(si_goal_check(sinew_pose_rig(pose), goal, 0, &error))) return 0;
  return si_goal_residual(goal, pose, 1, rows);
}
