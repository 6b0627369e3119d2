/* Goals: residuals against plain formulas in doubles, rows of Jacobians against central differences
 * of the residuals, and awkward cases: rotations of 180 degrees, opposite directions, coinciding
 * points. */
#include "solve/solve_internal.h"

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
  return make_rig(b, NULL);
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

/* the gradient of the total cost is exact everywhere except at 180 degrees */
MU_TEST(cost_gradient_of_every_goal_agrees_with_differences) {
  uint32_t seed = 23;
  int far = 0;
  for (int round = 0; round < mu_rounds(400); round++) {
    scene s = open_scene(seed + (uint32_t)round);
    sinew_goal_kind kind = (sinew_goal_kind)(round % SINEW_GOAL_KINDS);
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
  float *const numbers[] = { &bad.point[1], &bad.target[2],      &bad.direction[0], &bad.frame[7],
                             &bad.weight,   &bad.other_point[0], &bad.distance };
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
  close_scene(&s);
}

MU_SUITE(solve_goal)
