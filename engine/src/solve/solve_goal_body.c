/* Goals about a body: which way a limb bends, what stays above a plane, where the centre of mass
 * is.
 *
 * pole: u is the unit vector from one end of the limb to the other, a and b are the vectors from
 * its start to the point and to the target, without their parts along u. The residual is |a| phi,
 * where phi is the angle from b to a about u; its derivative takes the factor |a| as constant. A
 * straight limb has no side, so there is nothing to do.
 *
 * above: the height over the plane where it is negative, else 0.
 *
 * balance: everything is projected along the direction `up`. v leads from the nearest point q of
 * the line between the feet to the centre of mass c. The residual is the part of v beyond the
 * allowed distance d, v (1 - d / |v|), or 0 where c is nearer than that. */
#include "solve/goal_internal.h"

#include "compile/rig_internal.h"

static const double no_side = 1e-4; /* metres: a point so near to the axis of a pole is on it */

/* si_goal_point in doubles */
static void wide_point(const sinew_pose *pose, sinew_segment segment, const float *point,
                       double *dest) {
  float place[3];
  si_goal_point(pose, segment, point, place);
  si_wide(place, dest);
}

/* Adds `rows` rows of matrix * (the velocity of a point of the segment) to `dest`. `spare` has 3
 * floats per column. */
static void add_rows(const sinew_tangent *tangent, sinew_segment segment, const float *point,
                     int rows, const double *matrix, float *dest, int stride, float *spare) {
  const uint32_t *columns;
  int count = sinew_tangent_reach(tangent, segment, &columns);
  sinew_tangent_point(tangent, segment, point, spare, 3);
  for (int i = 0; i < count; i++) {
    double v[3];
    si_wide(spare + 3 * (size_t)columns[i], v);
    float *row = dest + (size_t)columns[i] * (size_t)stride;
    for (int k = 0; k < rows; k++) row[k] += (float)si_wide_dot(matrix + 3 * (size_t)k, v);
  }
}

static void clear(const sinew_tangent *tangent, int rows, float *dest, int stride) {
  for (int c = 0; c < sinew_tangent_columns(tangent); c++)
    memset(dest + (size_t)c * (size_t)stride, 0, (size_t)rows * sizeof *dest);
}

/* --- pole */

/* A vector from the start of the limb: its part along the axis, and the length and the direction
 * of the part across it. */
typedef struct arm {
  double along, across, unit[3];
} arm;

typedef struct pole {
  double axis[3], length; /* from the start to the end of the limb */
  arm point, target;
  double angle; /* from the target to the point, about the axis */
} pole;

static bool arm_of(const double *from, const double *to, const double *axis, arm *dest) {
  double side[3];
  for (int k = 0; k < 3; k++) side[k] = to[k] - from[k];
  dest->along = si_wide_dot(side, axis);
  for (int k = 0; k < 3; k++) side[k] -= dest->along * axis[k];
  dest->across = si_wide_length(side);
  return dest->across >= no_side && si_wide_unit(side, dest->unit);
}

/* false where the angle means nothing: the ends of the limb coincide, or the point or the target is
 * on the line between them */
static bool pole_of(const sinew_goal *goal, const sinew_pose *pose, pole *dest) {
  double start[3], end[3], point[3], target[3], normal[3];
  wide_point(pose, goal->other, goal->other_point, start);
  wide_point(pose, goal->end, goal->end_point, end);
  wide_point(pose, goal->segment, goal->point, point);
  si_wide(goal->target, target);
  for (int k = 0; k < 3; k++) dest->axis[k] = end[k] - start[k];
  dest->length = si_wide_length(dest->axis);
  if (dest->length < no_side || !si_wide_unit(dest->axis, dest->axis)) return false;
  if (!arm_of(start, point, dest->axis, &dest->point) ||
      !arm_of(start, target, dest->axis, &dest->target))
    return false;
  si_wide_cross(dest->target.unit, dest->point.unit, normal);
  dest->angle =
      atan2(si_wide_dot(normal, dest->axis), si_wide_dot(dest->target.unit, dest->point.unit));
  return true;
}

/* What a radian is worth, in metres: the length of the point's arm. It does not grow beyond a share
 * of the limb, or else straightening the limb would pay more than turning it. */
static double pole_worth(const pole *p) { return fmin(p->point.across, 0.15 * p->length); }

static double pole_residual(const sinew_goal *goal, const sinew_pose *pose, double *dest) {
  pole p;
  dest[0] = 0;
  if (!pole_of(goal, pose, &p)) return 0;
  dest[0] = pole_worth(&p) * p.angle;
  return fabs(p.angle);
}

/* With m = axis x unit / across of the point and n the same of the target, and a start, end and
 * axis that move by ds, de and du = (de - ds) / length, up to a part along the axis, the angle
 * changes by m . (dp - ds - along du) - n . (-ds - along du). */
static void pole_jacobian(const sinew_goal *goal, const sinew_tangent *tangent,
                          const sinew_pose *pose, float *dest, int stride, float *spare) {
  pole p;
  clear(tangent, 1, dest, stride);
  if (!pole_of(goal, pose, &p)) return;
  double by_point[3], by_end[3], by_start[3], m[3], n[3];
  si_wide_cross(p.axis, p.point.unit, m);
  si_wide_cross(p.axis, p.target.unit, n);
  for (int k = 0; k < 3; k++) {
    m[k] *= pole_worth(&p) / p.point.across;
    n[k] *= pole_worth(&p) / p.target.across;
    by_point[k] = m[k];
    by_end[k] = (n[k] * p.target.along - m[k] * p.point.along) / p.length;
    by_start[k] = n[k] - m[k] - by_end[k];
  }
  add_rows(tangent, goal->segment, goal->point, 1, by_point, dest, stride, spare);
  add_rows(tangent, goal->end, goal->end_point, 1, by_end, dest, stride, spare);
  add_rows(tangent, goal->other, goal->other_point, 1, by_start, dest, stride, spare);
}

const si_goal_class si_goal_pole = {
  .rows = 1, .angular = true, .residual = pole_residual, .jacobian = pole_jacobian
};

/* --- above */

static double gap_of(const sinew_goal *goal, const sinew_pose *pose) {
  double at[3], target[3], normal[3];
  wide_point(pose, goal->segment, goal->point, at);
  si_wide(goal->target, target);
  si_wide(goal->direction, normal);
  si_wide_unit(normal, normal);
  for (int k = 0; k < 3; k++) at[k] -= target[k];
  return si_wide_dot(normal, at) - (double)goal->distance;
}

float si_goal_gap(const sinew_goal *goal, const sinew_pose *pose) {
  return (float)gap_of(goal, pose);
}

void si_goal_gap_jacobian(const sinew_goal *goal, const sinew_tangent *tangent,
                          const sinew_pose *pose, float *dest, int stride, float *spare) {
  (void)pose;
  double normal[3];
  si_wide(goal->direction, normal);
  si_wide_unit(normal, normal);
  clear(tangent, 1, dest, stride);
  add_rows(tangent, goal->segment, goal->point, 1, normal, dest, stride, spare);
}

static double above_residual(const sinew_goal *goal, const sinew_pose *pose, double *dest) {
  dest[0] = fmin(gap_of(goal, pose), 0);
  return -dest[0];
}

static void above_jacobian(const sinew_goal *goal, const sinew_tangent *tangent,
                           const sinew_pose *pose, float *dest, int stride, float *spare) {
  if (gap_of(goal, pose) < 0)
    si_goal_gap_jacobian(goal, tangent, pose, dest, stride, spare);
  else
    clear(tangent, 1, dest, stride);
}

const si_goal_class si_goal_above = {
  .rows = 1, .directed = true, .residual = above_residual, .jacobian = above_jacobian
};

/* --- balance */

typedef struct balance {
  double up[3];
  double feet[3],
      square;   /* from the point to the other point, seen along `up`; its length squared */
  double along; /* where the nearest point is: 0 at the point, 1 at the other point */
  bool between; /* the nearest point is neither of the two */
  double off[3], length; /* from the nearest point to the centre of mass */
  double mass;           /* of the whole rig */
} balance;

static void flatten(const double *up, double *v) {
  double height = si_wide_dot(up, v);
  for (int k = 0; k < 3; k++) v[k] -= height * up[k];
}

static balance balance_of(const sinew_goal *goal, const sinew_pose *pose) {
  const si_model *model = &sinew_pose_rig(pose)->model;
  balance b = { 0 };
  double foot[3];
  si_wide(goal->direction, b.up);
  si_wide_unit(b.up, b.up);
  for (uint32_t i = 0; i < model->segment_count; i++) {
    const si_segment *s = &model->segments[i];
    if (!(s->mass > 0)) continue;
    double at[3];
    wide_point(pose, (sinew_segment){ i + 1 }, s->mass_at, at);
    for (int k = 0; k < 3; k++) b.off[k] += (double)s->mass * at[k];
    b.mass += (double)s->mass;
  }
  wide_point(pose, goal->segment, goal->point, foot);
  for (int k = 0; k < 3; k++) b.off[k] = b.off[k] / b.mass - foot[k];
  flatten(b.up, b.off);
  if (goal->other.id) {
    wide_point(pose, goal->other, goal->other_point, b.feet);
    for (int k = 0; k < 3; k++) b.feet[k] -= foot[k];
    flatten(b.up, b.feet);
    b.square = si_wide_dot(b.feet, b.feet);
    if (b.square > 1e-12) b.along = fmin(fmax(si_wide_dot(b.off, b.feet) / b.square, 0), 1);
    b.between = b.along > 0 && b.along < 1;
  }
  for (int k = 0; k < 3; k++) b.off[k] -= b.along * b.feet[k];
  b.length = si_wide_length(b.off);
  return b;
}

static double balance_residual(const sinew_goal *goal, const sinew_pose *pose, double *dest) {
  balance b = balance_of(goal, pose);
  double beyond = fmax(b.length - (double)goal->distance, 0);
  for (int k = 0; k < 3; k++) dest[k] = beyond > 0 ? b.off[k] * (beyond / b.length) : 0;
  return beyond;
}

/* `spare` has 6 floats per column: the velocity of the centre of mass, and of what it is made of */
static void add_centre(const sinew_tangent *tangent, const si_model *model, double mass,
                       const double *matrix, float *dest, int stride, float *spare) {
  int columns = sinew_tangent_columns(tangent);
  float *centre = spare, *part = spare + 3 * (size_t)columns;
  memset(centre, 0, 3 * (size_t)columns * sizeof *centre);
  for (uint32_t i = 0; i < model->segment_count; i++) {
    const si_segment *s = &model->segments[i];
    if (!(s->mass > 0)) continue;
    double share = (double)s->mass / mass;
    const double scale[9] = { share, 0, 0, 0, share, 0, 0, 0, share };
    add_rows(tangent, (sinew_segment){ i + 1 }, s->mass_at, 3, scale, centre, 3, part);
  }
  for (int c = 0; c < columns; c++) {
    double v[3];
    si_wide(centre + 3 * (size_t)c, v);
    float *row = dest + (size_t)c * (size_t)stride;
    for (int k = 0; k < 3; k++) row[k] += (float)si_wide_dot(matrix + 3 * (size_t)k, v);
  }
}

/* Where q is between the feet, with w from foot p to foot o and t = `along`, the part of v = c - q
 * along w stays 0, and v changes by
 *   dv = (1 - w w' / w.w) (dc - (1 - t) dp - t do) - w (v.(do - dp)) / w.w
 * At a foot the same holds without its terms of w. The residual r = v (1 - d / |v|) changes by
 *   dr = ((1 - d / |v|) + (d / |v|) v v' / v.v) dv */
static void balance_jacobian(const sinew_goal *goal, const sinew_tangent *tangent,
                             const sinew_pose *pose, float *dest, int stride, float *spare) {
  balance b = balance_of(goal, pose);
  double share = goal->distance > 0 ? (double)goal->distance / b.length : 0;
  clear(tangent, 3, dest, stride);
  if (!(share < 1)) return;
  double scale[3][3], across[3][3], tilt[3][3] = { { 0 } };
  double by_centre[9], by_point[9], by_other[9];
  for (int i = 0; i < 3; i++)
    for (int k = 0; k < 3; k++) {
      double same = i == k, outward = share > 0 ? b.off[i] * b.off[k] / (b.length * b.length) : 0;
      scale[i][k] = (1 - share) * same + share * outward;
      across[i][k] = same - b.up[i] * b.up[k];
      if (!b.between) continue;
      across[i][k] -= b.feet[i] * b.feet[k] / b.square;
      tilt[i][k] = b.feet[i] * b.off[k] / b.square;
    }
  for (int i = 0; i < 3; i++)
    for (int k = 0; k < 3; k++) {
      double straight = 0, turned = 0;
      for (int j = 0; j < 3; j++) {
        straight += scale[i][j] * across[j][k];
        turned += scale[i][j] * tilt[j][k];
      }
      by_centre[3 * i + k] = straight;
      by_point[3 * i + k] = turned - (1 - b.along) * straight;
      by_other[3 * i + k] = -turned - b.along * straight;
    }
  add_centre(tangent, &sinew_pose_rig(pose)->model, b.mass, by_centre, dest, stride, spare);
  add_rows(tangent, goal->segment, goal->point, 3, by_point, dest, stride, spare);
  if (goal->other.id)
    add_rows(tangent, goal->other, goal->other_point, 3, by_other, dest, stride, spare);
}

const si_goal_class si_goal_balance = {
  .rows = 3, .directed = true, .residual = balance_residual, .jacobian = balance_jacobian
};
