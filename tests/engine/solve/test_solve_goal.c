/* Goals: residuals against plain formulas in doubles, rows of Jacobians against central differences
 * of the residuals, and awkward cases: rotations of 180 degrees, opposite directions, coinciding
 * points, straight limbs, feet in one place. */
#include "solve/solve_internal.h"

#include "compile/rig_internal.h"
#include "math/matrix.h"
#include "make.h"
#include "minunit.h"
#include "owned.h"

#include <stdlib.h>

enum { dofs = 8, most_rows = 3 };

/* a chain of six rotations and a slide, and a branch with one rotation */
static sinew_rig *make_branches(uint32_t *seed) {
  static const char *const names[dofs] = { "s0", "s1", "s2", "s3", "s4", "s5", "s6", "s7" };
  sinew_builder *b = sinew_builder_create("branches", NULL);
  for (int i = 0; i < dofs; i++) {
    float frame[16], axis[3];
    make_axis(seed, axis);
    make_frame(seed, MAKE_TURNED, frame);
    if (i == 3)
      make_lines(b, "dof d%d -180 180; translation c%d x=d%d", i, i, i);
    else
      make_lines(b, "dof d%d -180 180; rotation c%d angle=d%d axis=%.9g,%.9g,%.9g", i, i, i,
                 (double)axis[0], (double)axis[1], (double)axis[2]);
    /* the last one branches off in the middle */
    make_placed(b, names[i], i == 0 ? NULL : names[i == dofs - 1 ? 2 : i - 1], frame);
    make_lines(b, "drive s%d c%d", i, i);
  }
  sinew_rig *rig = make_rig(b, NULL);
  /* all have a mass except one */
  for (uint32_t i = 0; i < dofs; i++) {
    rig->model.segments[i].mass = i == 3 ? 0 : make_between(seed, 0.1f, 5);
    for (int k = 0; k < 3; k++) rig->model.segments[i].mass_at[k] = make_between(seed, -0.3f, 0.3f);
  }
  return rig;
}

typedef struct scene {
  sinew_rig *rig;
  sinew_pose *pose;
  sinew_tangent *tangent;
} scene;

static scene open_scene(uint32_t seed) {
  scene s = { .rig = make_branches(&seed) };
  s.pose = sinew_pose_create(s.rig, NULL);
  s.tangent = sinew_tangent_create(s.rig, NULL, NULL);
  for (int i = 0; i < dofs; i++)
    sinew_pose_set(s.pose, sinew_rig_dof(s.rig, i),
                   i == 3 ? make_between(&seed, -0.5f, 0.5f) : make_between(&seed, -100, 100),
                   NULL);
  sinew_pose_eval(s.pose, NULL);
  sinew_tangent_eval(s.tangent, s.pose, NULL);
  return s;
}

static void close_scene(scene *s) {
  sinew_tangent_destroy(s->tangent);
  sinew_pose_destroy(s->pose);
  sinew_rig_destroy(s->rig);
}

static sinew_goal random_goal(const scene *s, uint32_t *seed, sinew_goal_kind kind) {
  sinew_goal g = sinew_default_goal(kind, sinew_rig_segment(s->rig, dofs - 2));
  for (int k = 0; k < 3; k++) {
    g.point[k] = make_between(seed, -0.5f, 0.5f);
    g.target[k] = make_between(seed, -1, 1);
    g.other_point[k] = make_between(seed, -0.5f, 0.5f);
  }
  make_axis(seed, g.direction);
  make_frame(seed, MAKE_TURNED, g.frame);
  g.distance = make_between(seed, 0, 1);
  g.weight = make_between(seed, 0.1f, 4);
  if (kind == SINEW_GOAL_DISTANCE && make_index(seed, 2))
    g.other = sinew_rig_segment(s->rig, dofs - 1);
  if (kind == SINEW_GOAL_BALANCE && make_index(seed, 3))
    g.other = sinew_rig_segment(s->rig, make_index(seed, dofs));
  if (kind == SINEW_GOAL_POLE) {
    g.other = sinew_rig_segment(s->rig, make_index(seed, 5));
    g.end = sinew_rig_segment(s->rig, dofs - 1 - 2 * make_index(seed, 2));
    for (int k = 0; k < 3; k++) g.end_point[k] = make_between(seed, -0.5f, 0.5f);
  }
  return g;
}

/* the residual with one DOF moved */
static void residual_at(const scene *s, const sinew_goal *g, int dof, float by, double *rows) {
  sinew_dof d = sinew_rig_dof(s->rig, dof);
  float here = sinew_pose_get(s->pose, d);
  sinew_pose_set(s->pose, d, here + by, NULL);
  sinew_pose_eval(s->pose, NULL);
  si_goal_residual(g, s->pose, 0.3f, rows);
  sinew_pose_set(s->pose, d, here, NULL);
  sinew_pose_eval(s->pose, NULL);
}

/* central differences at two widths, extrapolated; by_cost: of half the sum of squares, in row 0 */
static void slope(const scene *s, const sinew_goal *g, int dof, bool by_cost, double *dest) {
  float widths[2] = { dof == 3 ? 0.02f : 1, dof == 3 ? 0.01f : 0.5f };
  double found[2][most_rows] = { { 0 } };
  for (int w = 0; w < 2; w++) {
    double low[most_rows] = { 0 }, high[most_rows] = { 0 };
    residual_at(s, g, dof, -widths[w], low);
    residual_at(s, g, dof, widths[w], high);
    if (by_cost) {
      double a = 0, b = 0;
      for (int k = 0; k < most_rows; k++) a += low[k] * low[k] / 2, b += high[k] * high[k] / 2;
      memset(low, 0, sizeof low), memset(high, 0, sizeof high);
      low[0] = a, high[0] = b;
    }
    for (int k = 0; k < most_rows; k++) found[w][k] = (high[k] - low[k]) / (2 * (double)widths[w]);
  }
  for (int k = 0; k < most_rows; k++) dest[k] = (4 * found[1][k] - found[0][k]) / 3;
}

static void rows_here(const scene *s, const sinew_goal *g, float *rows) {
  float spare[6 * dofs];
  memset(rows, 0, dofs * most_rows * sizeof *rows);
  si_goal_jacobian(g, s->tangent, s->pose, 0.3f, rows, most_rows, spare);
}

MU_TEST(rows_of_points_and_distances_agree_with_differences) {
  uint32_t seed = 21;
  for (int round = 0; round < mu_rounds(200); round++) {
    scene s = open_scene(seed + (uint32_t)round);
    sinew_goal_kind kind = round % 2 ? SINEW_GOAL_POINT : SINEW_GOAL_DISTANCE;
    sinew_goal g = random_goal(&s, &seed, kind);
    float rows[dofs * most_rows];
    rows_here(&s, &g, rows);
    for (int c = 0; c < dofs; c++) {
      double d[most_rows];
      slope(&s, &g, c, false, d);
      for (int k = 0; k < si_goal_rows(kind); k++)
        MU_NEAR(rows[c * most_rows + k], d[k], c == 3 ? 2e-3 : 4e-5);
    }
    close_scene(&s);
  }
}

/* exact at the goal: so the target is very close to the current state */
MU_TEST(rows_of_rotations_and_directions_agree_with_differences_at_the_goal) {
  uint32_t seed = 22;
  for (int round = 0; round < mu_rounds(300); round++) {
    scene s = open_scene(seed + (uint32_t)round);
    sinew_goal_kind kind = (sinew_goal_kind)(SINEW_GOAL_TURN + round % 3);
    sinew_goal g = random_goal(&s, &seed, kind);
    const float *m = sinew_pose_world(s.pose, g.segment);
    float at[3], way[3], axis[3];
    si_mat_point(m, g.point, at);
    si_mat_direction(m, g.direction, way);
    make_axis(&seed, axis);
    si_vec_unit(axis, axis);
    CGLM_ALIGN_MAT float turn[16], frame[16];
    si_mat_turn(axis, 0.02f, turn);
    si_mat_copy(m, frame);
    si_mat_mul(turn, frame, frame);
    si_mat_copy(frame, g.frame);
    si_mat_direction(turn, way, g.target);
    for (int k = 0; k < 3 && kind == SINEW_GOAL_LOOK; k++) g.target[k] += at[k];
    MU_NEAR(sinew_goal_error(&g, s.pose), 0.01, 0.0101);
    float rows[dofs * most_rows];
    rows_here(&s, &g, rows);
    for (int c = 0; c < dofs; c++) {
      double d[most_rows];
      slope(&s, &g, c, false, d);
      for (int k = 0; k < 3; k++) MU_NEAR(rows[c * most_rows + k], d[k], c == 3 ? 5e-3 : 6e-5);
    }
    close_scene(&s);
  }
}

/* the gradient of the total cost is exact everywhere except at 180 degrees, and for a pole, whose
 * rows are those of the angle */
MU_TEST(cost_gradient_of_every_goal_agrees_with_differences) {
  uint32_t seed = 23;
  int far = 0;
  for (int round = 0; round < mu_rounds(400); round++) {
    scene s = open_scene(seed + (uint32_t)round);
    sinew_goal_kind kind = (sinew_goal_kind)(round % SINEW_GOAL_KINDS);
    if (kind == SINEW_GOAL_POLE) kind = SINEW_GOAL_LOOK;
    sinew_goal g = random_goal(&s, &seed, kind);
    float rows[dofs * most_rows];
    double r[most_rows] = { 0 };
    rows_here(&s, &g, rows);
    float off = si_goal_residual(&g, s.pose, 0.3f, r);
    bool turns = kind >= SINEW_GOAL_TURN && kind <= SINEW_GOAL_LOOK;
    far += turns && off > 120;
    if (turns && off > 170) {
      close_scene(&s);
      continue;
    }
    for (int c = 0; c < dofs; c++) {
      double d[most_rows], sum = 0;
      for (int k = 0; k < most_rows; k++) sum += (double)rows[c * most_rows + k] * r[k];
      slope(&s, &g, c, true, d);
      MU_CHECK_SAY(fabs(sum - d[0]) <= (c == 3 ? 1e-2 : 2e-4),
                   "kind %d, DOF %d at %g degrees: %g, by differences %g", kind, c, (double)off,
                   sum, d[0]);
    }
    close_scene(&s);
  }
  MU_CHECK(far > mu_rounds(20));
}

MU_TEST(residuals_of_rotations_are_rotation_vectors) {
  uint32_t seed = 24;
  scene s = open_scene(9);
  for (int round = 0; round < mu_rounds(2000); round++) {
    sinew_goal g = sinew_default_goal(SINEW_GOAL_TURN, sinew_rig_segment(s.rig, 4));
    float axis[3], spread = powf(10, make_between(&seed, -4, 2.2553f));
    if (round % 5 == 0) spread = 180 - powf(10, make_between(&seed, -4, 1));
    make_axis(&seed, axis);
    si_vec_unit(axis, axis);
    /* the segment is rotated by `spread` about `axis` from the goal */
    CGLM_ALIGN_MAT float back[16], frame[16];
    si_mat_turn(axis, -spread, back);
    si_mat_copy(sinew_pose_world(s.pose, g.segment), frame);
    si_mat_mul(back, frame, frame);
    si_mat_copy(frame, g.frame);
    double r[3];
    float off = si_goal_residual(&g, s.pose, 1, r);
    MU_NEAR(off, spread, 2e-3);
    double along = 0, length = sqrt(r[0] * r[0] + r[1] * r[1] + r[2] * r[2]);
    for (int k = 0; k < 3; k++) along += r[k] * (double)axis[k];
    MU_NEAR(length * 180 / M_PI, spread, 2e-3);
    /* at 180 degrees both directions are right; near it floats cannot tell them apart */
    if (spread < 179) MU_NEAR(along * 180 / M_PI, spread, 5e-3);
    if (spread >= 179) MU_NEAR(fabs(along) * 180 / M_PI, spread, 0.2);
  }
  close_scene(&s);
}

MU_TEST(residuals_at_180_degrees_are_finite) {
  scene s = open_scene(10);
  sinew_segment segment = sinew_rig_segment(s.rig, 4);
  const float *m = sinew_pose_world(s.pose, segment);
  static const float axes[][3] = { { 1, 0, 0 },
                                   { 0, 1, 0 },
                                   { 0, 0, 1 },
                                   { 0.6f, 0.8f, 0 },
                                   { 0.57735027f, 0.57735027f, -0.57735027f } };
  for (size_t i = 0; i < sizeof axes / sizeof *axes; i++) {
    sinew_goal g = sinew_default_goal(SINEW_GOAL_TURN, segment);
    CGLM_ALIGN_MAT float turn[16], frame[16];
    si_mat_turn(axes[i], 180, turn);
    si_mat_copy(m, frame);
    si_mat_mul(turn, frame, frame);
    si_mat_copy(frame, g.frame);
    double r[3], along = 0;
    MU_NEAR(si_goal_residual(&g, s.pose, 1, r), 180, 1e-2);
    for (int k = 0; k < 3; k++) along += r[k] * (double)axes[i][k];
    MU_NEAR(fabs(along), M_PI, 2e-3);

    g = sinew_default_goal(SINEW_GOAL_AIM, segment);
    memcpy(g.direction, axes[i], sizeof axes[i]);
    si_mat_direction(m, axes[i], g.target);
    for (int k = 0; k < 3; k++) g.target[k] *= -3;
    MU_NEAR(si_goal_residual(&g, s.pose, 1, r), 180, 1e-2);
    MU_NEAR(sqrt(r[0] * r[0] + r[1] * r[1] + r[2] * r[2]), M_PI, 1e-3);
    /* parallel to each other */
    for (int k = 0; k < 3; k++) g.target[k] = -g.target[k];
    MU_NEAR(si_goal_residual(&g, s.pose, 1, r), 0, 0.05);
  }
  close_scene(&s);
}

MU_TEST(coinciding_points_give_finite_rows) {
  scene s = open_scene(11);
  sinew_segment segment = sinew_rig_segment(s.rig, 5);
  float rows[dofs * most_rows];
  double r[3];
  sinew_goal g = sinew_default_goal(SINEW_GOAL_DISTANCE, segment);
  si_mat_point(sinew_pose_world(s.pose, segment), g.point, g.target);
  g.distance = 0.2f;
  MU_NEAR(si_goal_residual(&g, s.pose, 1, r), 0.2, 1e-6);
  rows_here(&s, &g, rows);
  float largest = 0;
  for (int i = 0; i < dofs * most_rows; i++) {
    MU_CHECK(isfinite(rows[i]));
    largest = fmaxf(largest, fabsf(rows[i]));
  }
  MU_CHECK(largest > 1e-4f); /* the gradient is not zero */
  /* looking at the point from which it looks: the error is zero, and everything is finite */
  sinew_goal look = sinew_default_goal(SINEW_GOAL_LOOK, segment);
  memcpy(look.target, g.target, sizeof g.target);
  MU_NEAR(si_goal_residual(&look, s.pose, 1, r), 0, 0.05);
  rows_here(&s, &look, rows);
  for (int i = 0; i < dofs * most_rows; i++) MU_CHECK(isfinite(rows[i]));
  close_scene(&s);
}

/* --- poles, planes and the balance */

static void wide_place(const scene *s, sinew_segment segment, const float *point, double *dest) {
  float at[3];
  si_mat_point(sinew_pose_world(s->pose, segment), point, at);
  si_wide(at, dest);
}

/* the angle of a pole in radians, and what a radian is worth: the length of the point's arm, at
 * most 0.15 of the limb's. Computed by turning everything into a frame whose z axis is the limb's
 */
static double plain_pole(const scene *s, const sinew_goal *g, double *worth) {
  double start[3], end[3], point[3], target[3], x[3], y[3], z[3];
  wide_place(s, g->other, g->other_point, start);
  wide_place(s, g->end, g->end_point, end);
  wide_place(s, g->segment, g->point, point);
  si_wide(g->target, target);
  for (int k = 0; k < 3; k++) z[k] = end[k] - start[k], point[k] -= start[k], target[k] -= start[k];
  double length = si_wide_length(z);
  si_wide_unit(z, z);
  const double any[3] = { fabs(z[0]) < 0.6, fabs(z[0]) >= 0.6, 0 };
  si_wide_cross(any, z, x);
  si_wide_unit(x, x);
  si_wide_cross(z, x, y);
  *worth = fmin(hypot(si_wide_dot(point, x), si_wide_dot(point, y)), 0.15 * length);
  double angle = atan2(si_wide_dot(point, y), si_wide_dot(point, x)) -
                 atan2(si_wide_dot(target, y), si_wide_dot(target, x));
  return remainder(angle, 2 * M_PI);
}

static double plain_pole_at(const scene *s, const sinew_goal *g, int dof, float by) {
  sinew_dof d = sinew_rig_dof(s->rig, dof);
  float here = sinew_pose_get(s->pose, d);
  double worth;
  sinew_pose_set(s->pose, d, here + by, NULL);
  sinew_pose_eval(s->pose, NULL);
  double angle = plain_pole(s, g, &worth);
  sinew_pose_set(s->pose, d, here, NULL);
  sinew_pose_eval(s->pose, NULL);
  return angle;
}

MU_TEST(rows_of_poles_are_those_of_the_angle) {
  uint32_t seed = 25;
  int checked = 0;
  for (int round = 0; round < mu_rounds(300); round++) {
    scene s = open_scene(seed + (uint32_t)round);
    sinew_goal g = random_goal(&s, &seed, SINEW_GOAL_POLE);
    float rows[dofs * most_rows];
    double r[most_rows], worth, angle = plain_pole(&s, &g, &worth);
    MU_NEAR(si_goal_residual(&g, s.pose, 0.3f, r), fabs(angle) * 180 / M_PI, 1e-3);
    MU_NEAR(r[0], sqrt((double)g.weight) * worth * angle, 1e-5);
    rows_here(&s, &g, rows);
    for (int c = 0; c < dofs; c++) {
      double found[2], largest = 0;
      float widths[2] = { c == 3 ? 0.004f : 0.4f, c == 3 ? 0.002f : 0.2f };
      for (int w = 0; w < 2; w++) {
        double by = plain_pole_at(&s, &g, c, widths[w]) - plain_pole_at(&s, &g, c, -widths[w]);
        found[w] = remainder(by, 2 * M_PI) / (2 * (double)widths[w]);
        largest = fmax(largest, fabs(found[w]));
      }
      /* near the axis it is too curved for differences of this width */
      if (fabs(found[0] - found[1]) > 1e-3 * largest + 1e-4) continue;
      double d = sqrt((double)g.weight) * worth * (4 * found[1] - found[0]) / 3;
      MU_CHECK_SAY(fabs((double)rows[c * most_rows] - d) <= (c == 3 ? 1e-2 : 2e-4) + 2e-3 * fabs(d),
                   "round %d, DOF %d: %g, by differences %g", round, c, (double)rows[c * most_rows],
                   d);
      checked++;
    }
    close_scene(&s);
  }
  MU_CHECK(checked > mu_rounds(300) * dofs * 8 / 10);
}

MU_TEST(rows_of_planes_agree_with_differences_below_them_and_are_zero_above) {
  uint32_t seed = 26;
  int below = 0;
  for (int round = 0; round < mu_rounds(200); round++) {
    scene s = open_scene(seed + (uint32_t)round);
    sinew_goal g = random_goal(&s, &seed, SINEW_GOAL_ABOVE);
    float rows[dofs * most_rows], gaps[dofs], spare[6 * dofs];
    double r[most_rows] = { 0 }, at[3], height = 0, length = (double)si_vec_length(g.direction);
    wide_place(&s, g.segment, g.point, at);
    for (int k = 0; k < 3; k++)
      height += (double)g.direction[k] / length * (at[k] - (double)g.target[k]);
    double gap = height - (double)g.distance;
    MU_NEAR(si_goal_gap(&g, s.pose), gap, 2e-6);
    MU_NEAR(si_goal_residual(&g, s.pose, 0.3f, r), fmax(-gap, 0), 2e-6);
    MU_NEAR(r[0], sqrt((double)g.weight) * fmin(gap, 0), 4e-6);
    rows_here(&s, &g, rows);
    si_goal_gap_jacobian(&g, s.tangent, s.pose, gaps, 1, spare);
    below += gap < 0;
    for (int c = 0; c < dofs; c++)
      MU_NEAR(rows[c * most_rows], gap < 0 ? sqrtf(g.weight) * gaps[c] : 0, 1e-6);
    /* far below another plane of the same direction the residual is the gap */
    g.distance += 10;
    for (int c = 0; c < dofs; c++) {
      double d[most_rows];
      slope(&s, &g, c, false, d);
      MU_NEAR(sqrtf(g.weight) * gaps[c], d[0], c == 3 ? 2e-3 : 4e-5);
    }
    close_scene(&s);
  }
  MU_CHECK(below > mu_rounds(20) && below < mu_rounds(200));
}

/* The residual of a balance, in coordinates of the plane. The state says whether the centre is
 * inside, and which part of the line is the nearest. */
static int plain_balance(const scene *s, const sinew_goal *g, double *dest) {
  double up[3], x[3], y[3], mass = 0, centre[3] = { 0 }, feet[2][3];
  si_wide(g->direction, up);
  si_wide_unit(up, up);
  const double any[3] = { fabs(up[0]) < 0.6, fabs(up[0]) >= 0.6, 0 };
  si_wide_cross(any, up, x);
  si_wide_unit(x, x);
  si_wide_cross(up, x, y);
  for (uint32_t i = 0; i < dofs; i++) {
    const si_segment *segment = &s->rig->model.segments[i];
    double at[3];
    wide_place(s, (sinew_segment){ i + 1 }, segment->mass_at, at);
    mass += (double)segment->mass;
    for (int k = 0; k < 3; k++) centre[k] += (double)segment->mass * at[k];
  }
  for (int k = 0; k < 3; k++) centre[k] /= mass;
  wide_place(s, g->segment, g->point, feet[0]);
  wide_place(s, g->segment, g->point, feet[1]);
  if (g->other.id) wide_place(s, g->other, g->other_point, feet[1]);
  double cx = si_wide_dot(centre, x), cy = si_wide_dot(centre, y);
  double px = si_wide_dot(feet[0], x), py = si_wide_dot(feet[0], y);
  double wx = si_wide_dot(feet[1], x) - px, wy = si_wide_dot(feet[1], y) - py;
  double t = g->other.id ? ((cx - px) * wx + (cy - py) * wy) / (wx * wx + wy * wy) : 0;
  int state = t <= 0 ? 0 : t >= 1 ? 2 : 1;
  t = fmin(fmax(t, 0), 1);
  double vx = cx - px - t * wx, vy = cy - py - t * wy, length = hypot(vx, vy);
  double share = fmax(0, 1 - (double)g->distance / length);
  for (int k = 0; k < 3; k++) dest[k] = share * (vx * x[k] + vy * y[k]);
  return state + (share > 0 ? 3 : 0);
}

static int plain_balance_at(const scene *s, const sinew_goal *g, int dof, float by) {
  sinew_dof d = sinew_rig_dof(s->rig, dof);
  float here = sinew_pose_get(s->pose, d);
  double ignored[3];
  sinew_pose_set(s->pose, d, here + by, NULL);
  sinew_pose_eval(s->pose, NULL);
  int state = plain_balance(s, g, ignored);
  sinew_pose_set(s->pose, d, here, NULL);
  sinew_pose_eval(s->pose, NULL);
  return state;
}

MU_TEST(rows_of_balances_agree_with_differences) {
  uint32_t seed = 27;
  int seen[6] = { 0 }, kinks = 0;
  for (int round = 0; round < mu_rounds(400); round++) {
    scene s = open_scene(seed + (uint32_t)round);
    sinew_goal g = random_goal(&s, &seed, SINEW_GOAL_BALANCE);
    g.distance = round % 4 ? make_between(&seed, 0, 0.6f) : 0;
    float rows[dofs * most_rows];
    double r[most_rows], plain[most_rows];
    int state = plain_balance(&s, &g, plain);
    seen[state]++;
    float off = si_goal_residual(&g, s.pose, 0.3f, r);
    MU_NEAR(off, si_wide_length(plain), 3e-6);
    for (int k = 0; k < 3; k++) MU_NEAR(r[k], sqrt((double)g.weight) * plain[k], 6e-6);
    rows_here(&s, &g, rows);
    for (int c = 0; c < dofs; c++) {
      double d[most_rows];
      float width = c == 3 ? 0.02f : 1;
      if (plain_balance_at(&s, &g, c, width) != state ||
          plain_balance_at(&s, &g, c, -width) != state) {
        kinks++;
        continue;
      }
      slope(&s, &g, c, false, d);
      for (int k = 0; k < 3; k++)
        MU_CHECK_SAY(fabs((double)rows[c * most_rows + k] - d[k]) <= (c == 3 ? 4e-3 : 1e-4),
                     "round %d, state %d, DOF %d: %g, by differences %g", round, state, c,
                     (double)rows[c * most_rows + k], d[k]);
    }
    close_scene(&s);
  }
  for (int i = 3; i < 6; i++) MU_CHECK(seen[i] >= mu_rounds(20));
  MU_CHECK(seen[0] + seen[1] + seen[2] > 0 && kinks < mu_rounds(400) * dofs / 10);
}

static bool all_zero(const float *rows) {
  for (int i = 0; i < dofs * most_rows; i++)
    if (rows[i] != 0) return false;
  return true;
}

/* an arm along z that bends towards -y, at a shoulder that turns every way */
static sinew_rig *make_arm(void) {
  return make_text(
      "dof turn -180 180; dof bend 0 150; dof tilt -90 90; dof swing -90 90\n"
      "rotation turning angle=turn axis=0,0,1; rotation bending angle=bend axis=1,0,0\n"
      "rotation tilting angle=tilt axis=1,0,0; rotation swinging angle=swing axis=0,1,0\n"
      "multiply shoulder matrix=tilting matrix=swinging matrix=turning\n"
      "segment upper; segment lower upper 0,0,0.3; segment hand lower 0,0,0.25\n"
      "drive upper shoulder; drive lower bending");
}

static scene open_arm(float turn, float bend) {
  scene s = { .rig = make_arm() };
  s.pose = sinew_pose_create(s.rig, NULL);
  s.tangent = sinew_tangent_create(s.rig, NULL, NULL);
  sinew_pose_set(s.pose, sinew_rig_dof(s.rig, 0), turn, NULL);
  sinew_pose_set(s.pose, sinew_rig_dof(s.rig, 1), bend, NULL);
  sinew_pose_eval(s.pose, NULL);
  sinew_tangent_eval(s.tangent, s.pose, NULL);
  return s;
}

static sinew_goal elbow_goal(const scene *s, float x, float y, float z) {
  sinew_goal g = sinew_default_goal(SINEW_GOAL_POLE, sinew_rig_segment(s->rig, 1));
  g.other = sinew_rig_segment(s->rig, 0);
  g.end = sinew_rig_segment(s->rig, 2);
  g.target[0] = x, g.target[1] = y, g.target[2] = z;
  return g;
}

MU_TEST(a_pole_has_nothing_to_do_where_there_is_no_side) {
  float rows[dofs * most_rows];
  double r[3];
  /* a straight limb */
  scene s = open_arm(30, 0);
  sinew_goal g = elbow_goal(&s, 1, 0, 0);
  MU_NEAR(si_goal_residual(&g, s.pose, 1, r), 0, 0);
  MU_NEAR(r[0], 0, 0);
  rows_here(&s, &g, rows);
  MU_CHECK(all_zero(rows));
  close_scene(&s);
  /* a target on the axis, and ends that coincide */
  s = open_arm(30, 90);
  g = elbow_goal(&s, 0, 0, 0);
  const float *hand = sinew_pose_world(s.pose, g.end) + 12;
  for (int k = 0; k < 3; k++) g.target[k] = 1.7f * hand[k];
  MU_NEAR(si_goal_residual(&g, s.pose, 1, r), 0, 0);
  rows_here(&s, &g, rows);
  MU_CHECK(all_zero(rows));
  g = elbow_goal(&s, 1, 0, 0);
  g.end = g.other;
  MU_NEAR(si_goal_residual(&g, s.pose, 1, r), 0, 0);
  rows_here(&s, &g, rows);
  MU_CHECK(all_zero(rows));
  close_scene(&s);
}

MU_TEST(a_pole_on_the_opposite_side_is_180_degrees_off_and_has_a_slope) {
  scene s = open_arm(0, 90);
  float rows[dofs * most_rows];
  double r[3], worth = fmin(0.3 * 0.25 / hypot(0.3, 0.25), 0.15 * hypot(0.3, 0.25));
  sinew_goal g = elbow_goal(&s, 0, 0, 0);
  /* the elbow is at (0, 0, 0.3), the wrist at (0, -0.25, 0.3) */
  g.target[1] = -1;
  MU_NEAR(si_goal_residual(&g, s.pose, 1, r), 180, 1e-3);
  MU_NEAR(fabs(r[0]), M_PI * worth, 1e-5);
  rows_here(&s, &g, rows);
  /* turning it about z, in which the line to the wrist also turns */
  double d = plain_pole_at(&s, &g, 0, 0.05f) - plain_pole_at(&s, &g, 0, -0.05f);
  d = worth * remainder(d, 2 * M_PI) / 0.1;
  MU_CHECK(fabs(d) > 1e-3);
  MU_NEAR(rows[0], d, 1e-5);
  g.target[1] = 1, g.target[2] = 3;
  MU_NEAR(si_goal_residual(&g, s.pose, 1, r), 0, 1e-3);
  close_scene(&s);
}

MU_TEST(a_solver_turns_the_elbow_to_its_pole) {
  scene s = open_arm(40, 70);
  sinew_goal goals[2] = { sinew_default_goal(SINEW_GOAL_POINT, sinew_rig_segment(s.rig, 2)),
                          elbow_goal(&s, 2, 0, 0.4f) };
  goals[0].target[2] = 0.4f;
  OWNED(solver) *solver = sinew_solver_create(
      s.rig,
      &(sinew_solver_desc){ .size = sizeof(sinew_solver_desc), .goals = goals, .goal_count = 2 },
      NULL);
  sinew_solve_result result;
  MU_INT(sinew_solver_solve(solver, s.pose, NULL, &result, NULL), SINEW_OK);
  MU_INT(result.end, SINEW_SOLVE_REACHED);
  const float *elbow = sinew_pose_world(s.pose, goals[1].segment) + 12;
  MU_CHECK(elbow[0] > 0.1f && fabsf(elbow[1]) < 1e-3f);
  /* its segments stay */
  sinew_goal other = goals[1];
  other.end = other.other;
  MU_INT(sinew_solver_set_goal(solver, 1, &other, NULL), SINEW_ERR_VALUE);
  sinew_solver_destroy(solver);
  solver = NULL;
  close_scene(&s);
}

MU_TEST(balance_is_zero_inside_and_finite_where_the_feet_coincide) {
  uint32_t seed = 28;
  scene s = open_scene(13);
  sinew_goal g = random_goal(&s, &seed, SINEW_GOAL_BALANCE);
  float rows[dofs * most_rows], alone[dofs * most_rows];
  double r[3];
  g.other = (sinew_segment){ 0 };
  g.distance = 50;
  MU_NEAR(si_goal_residual(&g, s.pose, 1, r), 0, 0);
  MU_NEAR(si_wide_length(r), 0, 0);
  rows_here(&s, &g, rows);
  MU_CHECK(all_zero(rows));
  /* both feet in one place: as with one */
  g.distance = 0.05f;
  double one[3];
  float off = si_goal_residual(&g, s.pose, 1, one);
  rows_here(&s, &g, alone);
  MU_CHECK(off > 0.01f && !all_zero(alone));
  g.other = g.segment;
  memcpy(g.other_point, g.point, sizeof g.point);
  MU_NEAR(si_goal_residual(&g, s.pose, 1, r), off, 0);
  rows_here(&s, &g, rows);
  for (int i = 0; i < dofs * most_rows; i++) MU_NEAR(rows[i], alone[i], 1e-6);
  /* one above the other, seen along the direction */
  float up[3] = { 0 };
  si_vec_unit(g.direction, up);
  CGLM_ALIGN_MAT float back[16];
  si_mat_inverse_rigid(sinew_pose_world(s.pose, g.segment), back);
  si_mat_direction(back, up, g.other_point);
  for (int k = 0; k < 3; k++) g.other_point[k] += g.point[k];
  MU_NEAR(si_goal_residual(&g, s.pose, 1, r), off, 1e-5);
  rows_here(&s, &g, rows);
  for (int i = 0; i < dofs * most_rows; i++) MU_CHECK(isfinite(rows[i]));
  /* the foot is exactly under the centre, and no distance is allowed: there is a slope */
  g.other = (sinew_segment){ 0 };
  g.distance = 0;
  for (uint32_t i = 0; i < dofs; i++) {
    s.rig->model.segments[i].mass = i == 4;
    memset(s.rig->model.segments[i].mass_at, 0, sizeof(float[3]));
  }
  g.segment.id = 5;
  memset(g.point, 0, sizeof g.point);
  MU_NEAR(si_goal_residual(&g, s.pose, 1, r), 0, 0);
  rows_here(&s, &g, rows);
  MU_CHECK(all_zero(rows)); /* the foot moves with the only mass */
  g.segment.id = 2;
  si_mat_inverse_rigid(sinew_pose_world(s.pose, g.segment), back);
  si_mat_point(back, sinew_pose_world(s.pose, (sinew_segment){ 5 }) + 12, g.point);
  MU_NEAR(si_goal_residual(&g, s.pose, 1, r), 0, 1e-6);
  rows_here(&s, &g, rows);
  for (int i = 0; i < dofs * most_rows; i++) MU_CHECK(isfinite(rows[i]));
  MU_CHECK(!all_zero(rows));
  close_scene(&s);
}

MU_TEST(goals_watch_the_segments_that_they_name_and_for_the_balance_all_with_a_mass) {
  uint32_t seed = 29;
  scene s = open_scene(14);
  sinew_goal goals[2] = { sinew_default_goal(SINEW_GOAL_POLE, (sinew_segment){ 2 }),
                          sinew_default_goal(SINEW_GOAL_BALANCE, (sinew_segment){ 4 }) };
  goals[0].other.id = 1;
  goals[0].end.id = 6;
  for (uint32_t id = 1; id <= dofs; id++) {
    MU_INT(si_goals_watch(s.rig, goals, 1, (sinew_segment){ id }), id == 1 || id == 2 || id == 6);
    /* segment 4 has no mass, but is the foot */
    MU_INT(si_goals_watch(s.rig, goals + 1, 1, (sinew_segment){ id }), true);
    goals[1].segment.id = 5;
    MU_INT(si_goals_watch(s.rig, goals + 1, 1, (sinew_segment){ id }), id != 4);
    goals[1].segment.id = 4;
  }
  /* a solver for it moves and watches the whole rig */
  sinew_goal g = random_goal(&s, &seed, SINEW_GOAL_BALANCE);
  g.segment.id = 1;
  g.other.id = 0;
  OWNED(solver) *solver = sinew_solver_create(
      s.rig,
      &(sinew_solver_desc){ .size = sizeof(sinew_solver_desc), .goals = &g, .goal_count = 1 },
      NULL);
  MU_INT(sinew_solver_dof_count(solver), dofs);
  sinew_solve_result result;
  float before = sinew_goal_error(&g, s.pose);
  MU_INT(sinew_solver_solve(solver, s.pose, NULL, &result, NULL), SINEW_OK);
  MU_CHECK(result.error <= before && result.error_turn == 0);
  sinew_solver_destroy(solver);
  solver = NULL;
  close_scene(&s);
}

MU_TEST(poles_and_turns_report_degrees_and_the_others_metres) {
  for (int k = 0; k < SINEW_GOAL_KINDS; k++) {
    sinew_goal_kind kind = (sinew_goal_kind)k;
    MU_INT(si_goal_angular(kind), kind == SINEW_GOAL_TURN || kind == SINEW_GOAL_AIM ||
                                      kind == SINEW_GOAL_LOOK || kind == SINEW_GOAL_POLE);
    bool one = kind == SINEW_GOAL_DISTANCE || kind == SINEW_GOAL_POLE || kind == SINEW_GOAL_ABOVE;
    MU_INT(si_goal_rows(kind), one ? 1 : 3);
  }
}

static const char *refusal(const sinew_rig *rig, sinew_goal goal) {
  static sinew_error error;
  OWNED(solver) *s = sinew_solver_create(
      rig,
      &(sinew_solver_desc){ .size = sizeof(sinew_solver_desc), .goals = &goal, .goal_count = 1 },
      &error);
  if (!s) return error.text;
  return "";
}

MU_TEST(invalid_goals_are_refused) {
  scene s = open_scene(12);
  sinew_segment segment = sinew_rig_segment(s.rig, 5);
  sinew_goal g = sinew_default_goal(SINEW_GOAL_POINT, segment), bad = g;
  MU_TEXT(refusal(s.rig, g), "");
  bad.kind = SINEW_GOAL_KINDS;
  MU_TEXT(refusal(s.rig, bad), "goal 1 has an unknown kind");
  bad = g, bad.segment.id = 0;
  MU_TEXT(refusal(s.rig, bad), "the segment of goal 1 does not belong to the rig");
  bad = g, bad.other.id = 99;
  MU_TEXT(refusal(s.rig, bad), "the segment of goal 1 does not belong to the rig");
  bad = g, bad.end.id = 99;
  MU_TEXT(refusal(s.rig, bad), "the segment of goal 1 does not belong to the rig");
  float *const numbers[] = { &bad.point[1], &bad.target[2],      &bad.direction[0], &bad.frame[7],
                             &bad.weight,   &bad.other_point[0], &bad.end_point[2], &bad.distance };
  for (size_t i = 0; i < sizeof numbers / sizeof *numbers; i++) {
    bad = g;
    *numbers[i] = i % 2 ? NAN : INFINITY;
    MU_TEXT(refusal(s.rig, bad), "goal 1, on 's5', has a number that is not finite");
  }
  bad = sinew_default_goal(SINEW_GOAL_AIM, segment);
  MU_TEXT(refusal(s.rig, bad), "goal 1, on 's5', needs a target direction");
  bad.target[0] = 1;
  MU_TEXT(refusal(s.rig, bad), "");
  memset(bad.direction, 0, sizeof bad.direction);
  MU_TEXT(refusal(s.rig, bad), "goal 1, on 's5', needs a direction that is not zero");
  bad = sinew_default_goal(SINEW_GOAL_TURN, segment);
  bad.frame[0] = 2;
  MU_TEXT(refusal(s.rig, bad), "goal 1, on 's5', needs a rigid frame");
  bad = g, bad.weight = -1;
  MU_TEXT(refusal(s.rig, bad), "goal 1, on 's5': its weight must not be negative");
  bad = g, bad.distance = -1;
  MU_TEXT(refusal(s.rig, bad), "goal 1, on 's5': its distance must not be negative");
  bad = g, bad.priority = 3;
  MU_TEXT(refusal(s.rig, bad), "");
  for (int priority = -1; priority < 5; priority += 5) {
    bad.priority = priority;
    MU_TEXT(refusal(s.rig, bad), "goal 1, on 's5': its priority must be 0 to 3");
  }
  bad = sinew_default_goal(SINEW_GOAL_POLE, segment);
  for (int i = 0; i < 3; i++) {
    bad.other.id = i == 1, bad.end.id = i == 2;
    MU_TEXT(refusal(s.rig, bad),
            "goal 1, on 's5', needs the two ends of its limb, 'other' and 'end'");
  }
  bad.other.id = 1;
  MU_TEXT(refusal(s.rig, bad), "");
  for (int i = 0; i < 2; i++) {
    bad = sinew_default_goal(i ? SINEW_GOAL_BALANCE : SINEW_GOAL_ABOVE, segment);
    MU_TEXT(refusal(s.rig, bad), "");
    memset(bad.direction, 0, sizeof bad.direction);
    MU_TEXT(refusal(s.rig, bad), "goal 1, on 's5', needs a direction that is not zero");
  }
  for (int i = 0; i < dofs; i++) s.rig->model.segments[i].mass = 0;
  bad = sinew_default_goal(SINEW_GOAL_BALANCE, segment);
  MU_TEXT(refusal(s.rig, bad), "goal 1 keeps the balance, but no segment of the rig has a mass");
  close_scene(&s);
}

MU_SUITE(solve_goal)
