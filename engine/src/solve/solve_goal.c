/* Goals: what all kinds share, and the kinds that are about one point or direction. The residuals
 * are: for a point p - t; for an orientation the rotation vector from the wanted frame, whose
 * derivative is the segment's rotation (exact at the goal); for a direction u the vector u x t /
 * |u x t| times the angle between them, whose derivative along the arc is the rotation of u; for a
 * distance |p - q| - d. solve_goal_body.c has the others. */
#include "solve/goal_internal.h"

#include "base/error_internal.h"
#include "compile/rig_internal.h"

sinew_goal sinew_default_goal(sinew_goal_kind kind, sinew_segment segment) {
  sinew_goal goal = { .kind = kind, .segment = segment, .direction = { 0, 1, 0 }, .weight = 1 };
  /* a caller's goal need not be aligned for cglm */
  for (int i = 0; i < 16; i += 5) goal.frame[i] = 1;
  return goal;
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

/* --- point */

static double point_residual(const sinew_goal *goal, const sinew_pose *pose, double *dest) {
  float at[3];
  si_goal_point(pose, goal->segment, goal->point, at);
  for (int k = 0; k < 3; k++) dest[k] = (double)(at[k] - goal->target[k]);
  return si_wide_length(dest);
}

static void point_jacobian(const sinew_goal *goal, const sinew_tangent *tangent,
                           const sinew_pose *pose, float *dest, int stride, float *spare) {
  (void)pose, (void)spare;
  sinew_tangent_point(tangent, goal->segment, goal->point, dest, stride);
}

static const si_goal_class point = { .rows = 3,
                                     .residual = point_residual,
                                     .jacobian = point_jacobian };

/* --- turn */

static double turn_residual(const sinew_goal *goal, const sinew_pose *pose, double *dest) {
  float r[3], off = rotation_between(goal->frame, sinew_pose_world(pose, goal->segment), r);
  si_wide(r, dest);
  return (double)off;
}

static void turn_jacobian(const sinew_goal *goal, const sinew_tangent *tangent,
                          const sinew_pose *pose, float *dest, int stride, float *spare) {
  (void)pose, (void)spare;
  sinew_tangent_turn(tangent, goal->segment, dest, stride);
}

static const si_goal_class turn = {
  .rows = 3, .angular = true, .radians = true, .residual = turn_residual, .jacobian = turn_jacobian
};

/* --- aim and look */

/* the point, the unit direction, and the unit direction in which the target is */
typedef struct sight {
  float point[3], direction[3], wanted[3];
} sight;

static sight sight_of(const sinew_goal *goal, const sinew_pose *pose) {
  sight p = { 0 };
  bool look = goal->kind == SINEW_GOAL_LOOK;
  si_goal_point(pose, goal->segment, goal->point, p.point);
  si_mat_direction(sinew_pose_world(pose, goal->segment), goal->direction, p.direction);
  si_vec_unit(p.direction, p.direction);
  for (int k = 0; k < 3; k++) p.wanted[k] = goal->target[k] - (look ? p.point[k] : 0);
  if (!si_vec_unit(p.wanted, p.wanted)) memcpy(p.wanted, p.direction, sizeof p.wanted);
  return p;
}

static double sight_residual(const sinew_goal *goal, const sinew_pose *pose, double *dest) {
  sight p = sight_of(goal, pose);
  float r[3], off = arc(p.wanted, p.direction, r);
  si_wide(r, dest);
  return (double)off;
}

/* the direction rotates; for a look goal the wanted direction does too, as the point moves. The
 * rotation vector of a unit vector u that moves by v is u x v. */
static void sight_jacobian(const sinew_goal *goal, const sinew_tangent *tangent,
                           const sinew_pose *pose, float *dest, int stride, float *spare) {
  sight p = sight_of(goal, pose);
  bool look = goal->kind == SINEW_GOAL_LOOK;
  float away[3], length = si_vec_length(goal->direction);
  for (int k = 0; k < 3; k++) away[k] = goal->target[k] - p.point[k];
  float distance = fmaxf(si_vec_length(away), 1e-6f);
  sinew_tangent_direction(tangent, goal->segment, goal->direction, spare, 6);
  if (look) sinew_tangent_point(tangent, goal->segment, goal->point, spare + 3, 6);
  for (int c = 0; c < sinew_tangent_columns(tangent); c++) {
    float *v = spare + (size_t)6 * (size_t)c, by_point[3] = { 0 };
    for (int k = 0; k < 3; k++) v[k] /= length;
    si_vec_cross(p.direction, v, v);
    if (look) si_vec_cross(p.wanted, v + 3, by_point);
    float *row = dest + (size_t)c * (size_t)stride;
    for (int k = 0; k < 3; k++) row[k] = v[k] + by_point[k] / distance;
  }
}

static const si_goal_class aimed = { .rows = 3,
                                     .angular = true,
                                     .radians = true,
                                     .directed = true,
                                     .residual = sight_residual,
                                     .jacobian = sight_jacobian };

/* --- distance */

static void between(const sinew_goal *goal, const sinew_pose *pose, float *dest) {
  float at[3], other[3];
  si_goal_point(pose, goal->segment, goal->point, at);
  if (goal->other.id)
    si_goal_point(pose, goal->other, goal->other_point, other);
  else
    memcpy(other, goal->target, sizeof other);
  for (int k = 0; k < 3; k++) dest[k] = at[k] - other[k];
}

static double distance_residual(const sinew_goal *goal, const sinew_pose *pose, double *dest) {
  float way[3];
  between(goal, pose, way);
  dest[0] = (double)(si_vec_length(way) - goal->distance);
  return fabs(dest[0]);
}

static void distance_jacobian(const sinew_goal *goal, const sinew_tangent *tangent,
                              const sinew_pose *pose, float *dest, int stride, float *spare) {
  float way[3];
  between(goal, pose, way);
  if (!si_vec_unit(way, way)) way[0] = 1; /* the points coincide: any direction will do */
  memset(spare, 0, (size_t)sinew_tangent_columns(tangent) * 6 * sizeof *spare);
  sinew_tangent_point(tangent, goal->segment, goal->point, spare, 6);
  if (goal->other.id) sinew_tangent_point(tangent, goal->other, goal->other_point, spare + 3, 6);
  for (int c = 0; c < sinew_tangent_columns(tangent); c++) {
    const float *v = spare + (size_t)6 * (size_t)c;
    dest[(size_t)c * (size_t)stride] = si_vec_dot(way, v) - si_vec_dot(way, v + 3);
  }
}

static const si_goal_class apart = { .rows = 1,
                                     .residual = distance_residual,
                                     .jacobian = distance_jacobian };

/* --- all kinds */

static const si_goal_class *const classes[SINEW_GOAL_KINDS] = {
  [SINEW_GOAL_POINT] = &point,         [SINEW_GOAL_TURN] = &turn,
  [SINEW_GOAL_AIM] = &aimed,           [SINEW_GOAL_LOOK] = &aimed,
  [SINEW_GOAL_DISTANCE] = &apart,      [SINEW_GOAL_POLE] = &si_goal_pole,
  [SINEW_GOAL_ABOVE] = &si_goal_above, [SINEW_GOAL_BALANCE] = &si_goal_balance,
};

int si_goal_rows(sinew_goal_kind kind) { return classes[kind]->rows; }
bool si_goal_angular(sinew_goal_kind kind) { return classes[kind]->angular; }

bool si_rig_has_mass(const sinew_rig *rig) {
  for (uint32_t i = 0; i < rig->model.segment_count; i++)
    if (rig->model.segments[i].mass > 0) return true;
  return false;
}

bool si_goals_watch(const sinew_rig *rig, const sinew_goal *goals, int count,
                    sinew_segment segment) {
  bool massed = rig->model.segments[segment.id - 1].mass > 0;
  for (int g = 0; g < count; g++) {
    const sinew_goal *goal = &goals[g];
    if (goal->segment.id == segment.id || goal->other.id == segment.id ||
        goal->end.id == segment.id || (massed && goal->kind == SINEW_GOAL_BALANCE))
      return true;
  }
  return false;
}

bool si_goal_check(const sinew_rig *rig, const sinew_goal *goal, int index, sinew_error *error) {
  uint32_t segments = rig->model.segment_count;
  if ((unsigned)goal->kind >= SINEW_GOAL_KINDS)
    return si_fail_false(error, SINEW_ERR_VALUE, "goal %d has an unknown kind", index + 1);
  if (!goal->segment.id || goal->segment.id > segments || goal->other.id > segments ||
      goal->end.id > segments)
    return si_fail_false(error, SINEW_ERR_NAME, "the segment of goal %d does not belong to the rig",
                         index + 1);
  const char *name = rig->model.segments[goal->segment.id - 1].name;
  if (!si_finite(goal->point, 3) || !si_finite(goal->direction, 3) || !si_finite(goal->target, 3) ||
      !si_finite(goal->frame, 16) || !si_finite(goal->other_point, 3) ||
      !si_finite(goal->end_point, 3) || !isfinite(goal->distance) || !isfinite(goal->weight))
    return si_fail_false(error, SINEW_ERR_NOT_FINITE,
                         "goal %d, on '%s', has a number that is not finite", index + 1, name);
  float unit[3];
  if (classes[goal->kind]->directed && !si_vec_unit(goal->direction, unit))
    return si_fail_false(error, SINEW_ERR_VALUE,
                         "goal %d, on '%s', needs a direction that is not zero", index + 1, name);
  if (goal->kind == SINEW_GOAL_AIM && !si_vec_unit(goal->target, unit))
    return si_fail_false(error, SINEW_ERR_VALUE, "goal %d, on '%s', needs a target direction",
                         index + 1, name);
  if (goal->kind == SINEW_GOAL_TURN && !si_mat_is_rigid(goal->frame, 1e-3f))
    return si_fail_false(error, SINEW_ERR_VALUE, "goal %d, on '%s', needs a rigid frame", index + 1,
                         name);
  if (goal->kind == SINEW_GOAL_POLE && (!goal->other.id || !goal->end.id))
    return si_fail_false(error, SINEW_ERR_VALUE,
                         "goal %d, on '%s', needs the two ends of its limb, 'other' and 'end'",
                         index + 1, name);
  if (goal->kind == SINEW_GOAL_BALANCE && !si_rig_has_mass(rig))
    return si_fail_false(error, SINEW_ERR_VALUE,
                         "goal %d keeps the balance, but no segment of the rig has a mass",
                         index + 1);
  if (goal->priority < 0 || goal->priority > 3)
    return si_fail_false(error, SINEW_ERR_VALUE, "goal %d, on '%s': its priority must be 0 to 3",
                         index + 1, name);
  if (goal->weight < 0 || goal->distance < 0)
    return si_fail_false(error, SINEW_ERR_VALUE, "goal %d, on '%s': %s must not be negative",
                         index + 1, name, goal->weight < 0 ? "its weight" : "its distance");
  return true;
}

float si_goal_residual(const sinew_goal *goal, const sinew_pose *pose, float metres_per_radian,
                       double *rows) {
  const si_goal_class *class = classes[goal->kind];
  double off = class->residual(goal, pose, rows);
  double scale = sqrt((double)goal->weight) * (class->radians ? (double)metres_per_radian : 1);
  for (int k = 0; k < class->rows; k++) rows[k] *= scale;
  return (float)(class->angular ? off * (180 / M_PI) : off);
}

void si_goal_jacobian(const sinew_goal *goal, const sinew_tangent *tangent, const sinew_pose *pose,
                      float metres_per_radian, float *dest, int stride, float *spare) {
  const si_goal_class *class = classes[goal->kind];
  float scale = sqrtf(goal->weight) * (class->radians ? metres_per_radian : 1);
  class->jacobian(goal, tangent, pose, dest, stride, spare);
  for (int c = 0; c < sinew_tangent_columns(tangent); c++)
    for (int k = 0; k < class->rows; k++) dest[(size_t)c * (size_t)stride + (size_t)k] *= scale;
}

float sinew_goal_error(const sinew_goal *goal, const sinew_pose *pose) {
  double rows[3];
  sinew_error error;
  if (!SI_EXPECT(goal && pose)) return 0;
  if (!SI_EXPECT(si_goal_check(sinew_pose_rig(pose), goal, 0, &error))) return 0;
  return si_goal_residual(goal, pose, 1, rows);
}
