/* Solving on an arm with every kind of limit: goals within reach are reached, others are approached
 * as near as a dense search comes, no limit is ever exceeded, and the same start gives the same
 * result. */
#include "asserts.h"
#include "fixture.h"
#include "limb.h"
#include "make.h"
#include "minunit.h"
#include "network.h"
#include "owned.h"
#include "scarce.h"
#include "slopes.h"

#include <sinew/sinew.h>

static sinew_solver *solver_of(const limb *l, const sinew_goal *goals, int count) {
  sinew_solver *s = sinew_solver_create(l->rig,
                                        &(sinew_solver_desc){ .size = sizeof(sinew_solver_desc),
                                                              .goals = goals,
                                                              .goal_count = count },
                                        &error);
  if (!s) printf("%s\n", error.text);
  return s;
}

static void at_random(const limb *l, uint32_t *seed) {
  slopes_pose_at_random(l->pose, seed);
  sinew_pose_eval(l->pose, NULL);
}

/* those about one point or direction */
enum { simple_kinds = SINEW_GOAL_DISTANCE + 1 };

/* a goal of this kind that the limb's current pose reaches */
static sinew_goal goal_here(const limb *l, uint32_t *seed, sinew_goal_kind kind) {
  static const float tip[3] = { 0.01f, 0, 0.08f };
  sinew_goal g = sinew_default_goal(kind, make_index(seed, 2) ? l->finger : l->hand);
  const float *m = sinew_pose_world(l->pose, g.segment);
  memcpy(g.point, tip, sizeof tip);
  float at[3], away[3], square = 0;
  for (int k = 0; k < 3; k++) {
    at[k] = m[k] * tip[0] + m[8 + k] * tip[2] + m[12 + k];
    away[k] = at[k] - sinew_pose_world(l->pose, l->upper)[12 + k];
    square += away[k] * away[k];
    g.target[k] = kind == SINEW_GOAL_AIM    ? m[4 + k]
                  : kind == SINEW_GOAL_LOOK ? at[k] + 0.7f * m[4 + k]
                                            : at[k];
  }
  memcpy(g.frame, m, sizeof g.frame);
  if (kind == SINEW_GOAL_DISTANCE) {
    g.other = l->upper;
    g.distance = sqrtf(square);
  }
  return g;
}

MU_TEST(reachable_goals_of_every_kind_are_reached) {
  OWNED_LIMB l = limb_open();
  MU_CHECK(l.pose);
  int tried[simple_kinds + 1] = { 0 }, missed[simple_kinds + 1] = { 0 };
  float worst;
  limb_evaluations(&worst);
  uint32_t seed = 31;
  for (int round = 0; round < mu_rounds(600); round++) {
    int kind = round % (simple_kinds + 1), count = 1;
    at_random(&l, &seed);
    sinew_goal goals[2] = { goal_here(&l, &seed, (sinew_goal_kind)(kind % simple_kinds)) };
    /* the last: a point and an orientation together */
    if (kind == simple_kinds) goals[count++] = goal_here(&l, &seed, SINEW_GOAL_TURN);
    sinew_solver *s = MU_MADE(solver_of(&l, goals, count));
    sinew_solve_options how = sinew_default_solve_options();
    how.iterations = 100;
    sinew_solve_result r;
    sinew_pose_reset(l.pose);
    MU_INT(sinew_solver_solve(s, l.pose, &how, &r, &error), SINEW_OK);
    sinew_solver_destroy(s);
    MU_CHECK_SAY(sinew_pose_verify(l.pose, &error) == SINEW_OK, "%s", error.text);
    for (int g = 0; g < count; g++) {
      bool metres = goals[g].kind == SINEW_GOAL_POINT || goals[g].kind == SINEW_GOAL_DISTANCE;
      float off = sinew_goal_error(&goals[g], l.pose);
      MU_CHECK(off <= (metres ? r.error : r.error_turn));
      if (r.end == SINEW_SOLVE_REACHED) MU_CHECK(off <= (metres ? 1e-4f : 0.1f));
    }
    tried[kind]++;
    missed[kind] += r.end != SINEW_SOLVE_REACHED;
  }
  int seen = limb_evaluations(&worst);
  MU_CHECK(seen > tried[0]);
  MU_CHECK_SAY(worst < 1e-3f, "outside by %g", (double)worst);
  for (int k = 0; k <= simple_kinds; k++)
    /* many goals are exactly on a limit; point and orientation together leave one DOF of seven */
    MU_CHECK_SAY(missed[k] * (k < simple_kinds ? 25 : 12) <= tried[k], "kind %d: %d of %d missed",
                 k, missed[k], tried[k]);
}

MU_TEST(every_iteration_is_inside_limits_and_never_worse) {
  OWNED_LIMB l = limb_open();
  uint32_t seed = 32;
  for (int round = 0; round < mu_rounds(40); round++) {
    at_random(&l, &seed);
    sinew_goal g = goal_here(&l, &seed, SINEW_GOAL_POINT);
    for (int k = 0; k < 3 && round % 2; k++) g.target[k] += make_between(&seed, -0.5f, 0.5f);
    OWNED(solver) *s = solver_of(&l, &g, 1);
    sinew_solve_options how = sinew_default_solve_options();
    how.iterations = 1;
    how.restarts = false;
    at_random(&l, &seed);
    float last = INFINITY;
    for (int i = 0; i < 40; i++) {
      sinew_solve_result r;
      MU_INT(sinew_solver_solve(s, l.pose, &how, &r, &error), SINEW_OK);
      MU_CHECK_SAY(sinew_pose_verify(l.pose, &error) == SINEW_OK, "%s", error.text);
      MU_CHECK_SAY(r.cost <= last, "step %d: %g after %g", i, (double)r.cost, (double)last);
      MU_CHECK(r.iterations <= 1);
      last = r.cost;
    }
  }
}

/* --- out of reach */

static float distance_to(const limb *l, const float *target) {
  const float *at = sinew_pose_world(l->pose, l->hand) + 12;
  return sqrtf((at[0] - target[0]) * (at[0] - target[0]) +
               (at[1] - target[1]) * (at[1] - target[1]) +
               (at[2] - target[2]) * (at[2] - target[2]));
}

MU_TEST(goals_out_of_reach_end_as_near_as_a_dense_search) {
  OWNED_LIMB l = limb_open();
  const int searched[3] = { LIMB_LIFT, LIMB_SIDE, LIMB_ELBOW };
  sinew_dof dofs[3];
  float low[3], high[3];
  for (int i = 0; i < 3; i++) {
    dofs[i] = sinew_rig_dof(l.rig, searched[i]);
    low[i] = sinew_rig_dof_info(l.rig, dofs[i]).min,
    high[i] = sinew_rig_dof_info(l.rig, dofs[i]).max;
  }
  sinew_goal g = sinew_default_goal(SINEW_GOAL_POINT, l.hand);
  OWNED(solver) *s =
      MU_MADE(sinew_solver_create(l.rig,
                                  &(sinew_solver_desc){ .size = sizeof(sinew_solver_desc),
                                                        .dofs = dofs,
                                                        .dof_count = 3,
                                                        .goals = &g,
                                                        .goal_count = 1 },
                                  &error));
  uint32_t seed = 33;
  /* first one grid for all goals: the nearest point for each */
  enum { grid = 45 };
  int goals = mu_rounds(24);
  float targets[24][3], nearest[24], by_solver[24];
  for (int i = 0; i < goals; i++) {
    nearest[i] = INFINITY;
    float way[3];
    make_axis(&seed, way);
    float scale = make_between(&seed, 0.1f, 1);
    for (int k = 0; k < 3; k++) targets[i][k] = way[k] * scale + (k == 1 ? 1.2f : 0);
  }
  sinew_pose_reset(l.pose);
  for (int n = 0; n < grid * grid * grid; n++) {
    const int at[3] = { n % grid, n / grid % grid, n / grid / grid };
    for (int k = 0; k < 3; k++)
      sinew_pose_set(l.pose, dofs[k],
                     low[k] + (high[k] - low[k]) * (float)at[k] / (float)(grid - 1), NULL);
    sinew_pose_eval(l.pose, NULL);
    for (int i = 0; i < goals; i++) nearest[i] = fminf(nearest[i], distance_to(&l, targets[i]));
  }
  int far = 0;
  for (int i = 0; i < goals; i++) {
    sinew_solve_result r;
    memcpy(g.target, targets[i], sizeof g.target);
    MU_INT(sinew_solver_set_goal(s, 0, &g, &error), SINEW_OK);
    sinew_solve_options how = sinew_default_solve_options();
    how.iterations = 200; /* a few starts, each run to its end */
    sinew_pose_reset(l.pose);
    MU_INT(sinew_solver_solve(s, l.pose, &how, &r, &error), SINEW_OK);
    by_solver[i] = distance_to(&l, targets[i]);
    MU_CHECK_SAY(by_solver[i] <= nearest[i] * 1.001f + 1e-4f, "goal %d: %g, the grid comes to %g",
                 i, (double)by_solver[i], (double)nearest[i]);
    MU_CHECK(r.end != SINEW_SOLVE_REACHED || by_solver[i] <= 1e-4f);
    far += nearest[i] > 0.05f;
  }
  MU_CHECK(far * 2 > goals);
}

/* --- posture, ranges, weights */

/* three rotations in a plane, with links of 0.3 m */
static sinew_rig *make_planar(void) {
  return make_text("dof a -170 170; dof b -170 170; dof c -170 170\n"
                   "segment s0; segment s1 s0 0.3,0,0; segment s2 s1 0.3,0,0\n"
                   "rotation r0 angle=a axis=0,0,1; drive s0 r0\n"
                   "rotation r1 angle=b axis=0,0,1; drive s1 r1\n"
                   "rotation r2 angle=c axis=0,0,1; drive s2 r2");
}

MU_TEST(posture_chooses_among_poses_that_reach_the_goals) {
  OWNED(rig) *rig = make_planar();
  OWNED(pose) *pose = sinew_pose_create(rig, &error);
  sinew_goal g = sinew_default_goal(SINEW_GOAL_POINT, sinew_rig_segment(rig, 2));
  g.point[0] = 0.3f;
  g.target[0] = 0.45f, g.target[1] = 0.3f;
  OWNED(solver) *s = sinew_solver_create(
      rig, &(sinew_solver_desc){ .size = sizeof(sinew_solver_desc), .goals = &g, .goal_count = 1 },
      &error);
  const float rest[3] = { 70, -30, -60 };
  sinew_solve_options how = sinew_default_solve_options();
  how.posture = 1e-5f;
  how.rest = rest;
  how.iterations = 200;
  sinew_solve_result r;
  sinew_pose_set_all(pose, (float[]){ 20, 40, -80 }, 3, NULL);
  MU_INT(sinew_solver_solve(s, pose, &how, &r, &error), SINEW_OK);
  MU_CHECK_SAY(r.error < 2e-3f, "%g off", (double)r.error);
  /* of all poses that come about as near, none is nearer to rest: over a dense grid of two angles;
   * the third follows */
  float best = INFINITY, mine = 0;
  for (int i = 0; i < 3; i++) {
    float away = (sinew_pose_get(pose, sinew_rig_dof(rig, i)) - rest[i]) / 340;
    mine += how.posture * away * away;
  }
  mine = mine / 2 + r.error * r.error / 2;
  MU_NEAR(r.cost, mine, 1e-8);
  const int step = mu_rounds(20) > 1 ? 2 : 10;
  for (int a = -170; a <= 170; a += step / 2)
    for (int b = -170; b <= 170; b += step)
      for (int c = -170; c <= 170; c += step) {
        double x = 0, y = 0, turn = 0, cost = 0;
        const double angles[3] = { a, b, c };
        for (int k = 0; k < 3; k++) {
          turn += angles[k] * M_PI / 180;
          x += 0.3 * cos(turn), y += 0.3 * sin(turn);
          cost += 1e-5 * pow((angles[k] - (double)rest[k]) / 340, 2);
        }
        x -= 0.45, y -= 0.3;
        best = fminf(best, (float)((cost + x * x + y * y) / 2));
      }
  MU_CHECK_SAY(mine <= best * 1.01f, "cost %g, a grid finds %g", (double)mine, (double)best);
}

/* a body on a ground that stays, with two arms; returns how many DOFs a goal of one hand takes */
static int dofs_for_a_hand(bool massive, bool root, float *stiffness) {
  sinew_builder *b = sinew_builder_create("two", NULL);
  sinew_segment ground = sinew_add_bone(b, SINEW_ROOT, "ground", (sinew_vec3){ 0, 0, 0 });
  sinew_segment body = sinew_add_bone(b, ground, "body", (sinew_vec3){ 0, 1, 0 }), hand = { 0 };
  sinew_add_slider(b, body, "lift", SINEW_Y, -1, 1);
  for (int side = 0; side < 2; side++) {
    char name[16];
    float x = side ? 0.2f : -0.2f;
    snprintf(name, sizeof name, "arm%d", side);
    hand = sinew_add_bone(b, body, name, (sinew_vec3){ x, 0, 0 });
    sinew_dof bend = sinew_add_hinge(b, hand, name, SINEW_Z, -90, 90);
    if (side) sinew_builder_set_stiffness(b, bend, 7, NULL);
    if (massive) sinew_builder_set_mass(b, hand, 3, NULL, NULL);
  }
  OWNED(rig) *rig = make_rig(b, NULL);
  sinew_goal goal = sinew_default_goal(SINEW_GOAL_POINT, hand);
  goal.point[0] = 0.5f;
  sinew_solver_desc desc = sinew_default_solver_desc();
  desc.goals = &goal, desc.goal_count = 1, desc.root = root;
  OWNED(solver) *solver = sinew_solver_create(rig, &desc, &error);
  int count = solver ? sinew_solver_dof_count(solver) : -1;
  for (int i = 0; i < count; i++)
    if (sinew_solver_dof(solver, i).id == 3) *stiffness = sinew_solver_stiffness(solver, i);
  return count;
}

MU_TEST(dofs_that_move_all_mass_move_only_when_asked) {
  float stiffness = 0;
  MU_INT(dofs_for_a_hand(true, false, &stiffness), 1);
  MU_NEAR(stiffness, 7, 0); /* as the rig says */
  MU_INT(dofs_for_a_hand(true, true, &stiffness), 2);
  MU_INT(dofs_for_a_hand(false, false, &stiffness), 2); /* the ground may be part of it */
}

/* a leg on a body that floats: all of it is on the way to the foot, and still the body stays; an
 * arm on a ball that moves all of it uses the ball */
MU_TEST(a_floating_body_moves_only_when_asked) {
  static const char *const names[] = { "x", "y", "z", "turn", "lean", "tilt" };
  static const sinew_vec3 axes[] = { { 1, 0, 0 }, { 0, 1, 0 }, { 0, 0, 1 },
                                     { 0, 1, 0 }, { 1, 0, 0 }, { 0, 0, 1 } };
  for (int first = 0; first < 6; first += 3) {
    sinew_builder *b = sinew_builder_create("leg", NULL);
    sinew_segment body = sinew_add_bone(b, SINEW_ROOT, "body", (sinew_vec3){ 0, 1, 0 });
    sinew_segment shin = sinew_add_bone(b, body, "shin", (sinew_vec3){ 0, -0.4f, 0 });
    sinew_segment foot = sinew_add_bone(b, shin, "foot", (sinew_vec3){ 0, -0.4f, 0 });
    for (int i = first; i < 3; i++) sinew_add_slider(b, body, names[i], axes[i], -1, 1);
    for (int i = 3; i < 6; i++) sinew_add_hinge(b, body, names[i], axes[i], -90, 90);
    sinew_add_hinge(b, shin, "knee", SINEW_X, 0, 140);
    OWNED(rig) *rig = MU_MADE(make_rig(b, NULL));
    sinew_goal goal = sinew_default_goal(SINEW_GOAL_POINT, foot);
    sinew_solver_desc desc = sinew_default_solver_desc();
    desc.goals = &goal, desc.goal_count = 1;
    OWNED(solver) *s = MU_MADE(sinew_solver_create(rig, &desc, &error));
    MU_INT(sinew_solver_dof_count(s), first ? 4 : 1);
    desc.root = true;
    OWNED(solver) *whole = MU_MADE(sinew_solver_create(rig, &desc, &error));
    MU_INT(sinew_solver_dof_count(whole), first ? 4 : 7);
    MU_CHECK(first || sinew_solver_stiffness(whole, 1) > 1000);
    /* a goal that nothing else moves */
    goal.segment = body;
    OWNED(solver) *moved = MU_MADE(sinew_solver_create(rig, &desc, &error));
    MU_INT(sinew_solver_dof_count(moved), first ? 3 : 6);
  }
}

MU_TEST(ranges_and_weights_are_respected) {
  OWNED(rig) *rig = make_planar();
  OWNED(pose) *pose = sinew_pose_create(rig, &error);
  sinew_segment last = sinew_rig_segment(rig, 2);
  sinew_goal goals[2] = { sinew_default_goal(SINEW_GOAL_POINT, last),
                          sinew_default_goal(SINEW_GOAL_POINT, last) };
  goals[0].target[0] = 0.5f, goals[1].target[1] = -0.4f;
  goals[1].weight = 0;
  OWNED(solver) *s = sinew_solver_create(
      rig,
      &(sinew_solver_desc){ .size = sizeof(sinew_solver_desc), .goals = goals, .goal_count = 2 },
      &error);
  MU_INT(sinew_solver_dof_count(s), 3); /* the last moves the segment, though not its origin */
  sinew_solve_result r;
  MU_INT(sinew_solver_solve(s, pose, NULL, &r, &error), SINEW_OK);
  MU_INT(r.end, SINEW_SOLVE_REACHED);
  MU_NEAR(sinew_goal_error(&goals[0], pose), 0, 1e-4);
  MU_CHECK(sinew_goal_error(&goals[1], pose) > 0.1f);
  /* the weighted mean of two targets, if it is within reach */
  goals[0].weight = 1, goals[1].weight = 3;
  for (int i = 0; i < 2; i++) MU_INT(sinew_solver_set_goal(s, i, &goals[i], &error), SINEW_OK);
  sinew_solver_solve(s, pose, NULL, &r, &error);
  MU_INT(r.end, SINEW_SOLVE_NEAREST);
  MU_NEAR(sinew_pose_world(pose, last)[12], 0.125, 1e-3);
  MU_NEAR(sinew_pose_world(pose, last)[13], -0.3, 1e-3);

  goals[0].weight = 1, goals[1].weight = 0;
  for (int i = 0; i < 2; i++) MU_INT(sinew_solver_set_goal(s, i, &goals[i], &error), SINEW_OK);
  float least, most;
  sinew_solver_range(s, 0, &least, &most);
  MU_CHECK(isinf(least) && isinf(most));
  MU_INT(sinew_solver_set_range(s, 0, 100, 110, &error), SINEW_OK);
  sinew_solver_range(s, 0, &least, &most);
  MU_CHECK(least == 100 && most == 110);
  sinew_pose_reset(pose);
  sinew_solver_solve(s, pose, NULL, &r, &error);
  float a = sinew_pose_get(pose, sinew_solver_dof(s, 0));
  MU_NEAR(a, 100, 1e-3); /* it starts outside, is clamped, and stays inside */
  MU_CHECK(r.error > 0.05f);
  MU_INT(sinew_solver_set_range(s, 0, -INFINITY, INFINITY, &error), SINEW_OK);
  sinew_solver_solve(s, pose, NULL, &r, &error);
  MU_INT(r.end, SINEW_SOLVE_REACHED);
  /* the rig changes while the solver exists */
  sinew_dof second = sinew_solver_dof(s, 1);
  MU_INT(sinew_rig_set_dof_range(rig, second, -5, 5, 0, &error), SINEW_OK);
  sinew_solver_solve(s, pose, NULL, &r, &error);
  MU_CHECK(fabsf(sinew_pose_get(pose, second)) <= 5 && r.end == SINEW_SOLVE_NEAREST);
  MU_INT(sinew_rig_set_dof_range(rig, second, -175, 175, 0, &error), SINEW_OK);
  sinew_solver_solve(s, pose, NULL, &r, &error);
  MU_INT(r.end, SINEW_SOLVE_REACHED);
}

/* an arm stretched towards its goal: every column is perpendicular to it, so no step helps at first
 */
MU_TEST(a_stretched_arm_bends_to_a_goal_inside) {
  OWNED(rig) *rig = make_planar();
  OWNED(pose) *pose = sinew_pose_create(rig, &error);
  sinew_goal g = sinew_default_goal(SINEW_GOAL_POINT, sinew_rig_segment(rig, 2));
  g.point[0] = 0.3f;
  g.target[0] = 0.35f;
  sinew_solver *s = sinew_solver_create(
      rig, &(sinew_solver_desc){ .size = sizeof(sinew_solver_desc), .goals = &g, .goal_count = 1 },
      &error);
  sinew_solve_result r;
  MU_INT(sinew_solver_solve(s, pose, NULL, &r, &error), SINEW_OK);
  MU_INT(r.end, SINEW_SOLVE_REACHED);
  /* and 180 degrees, where both directions are equally far */
  sinew_solver_destroy(s);
  g = sinew_default_goal(SINEW_GOAL_AIM, sinew_rig_segment(rig, 2));
  g.direction[0] = 1, g.direction[1] = 0;
  g.target[0] = -1;
  s = sinew_solver_create(
      rig, &(sinew_solver_desc){ .size = sizeof(sinew_solver_desc), .goals = &g, .goal_count = 1 },
      &error);
  sinew_pose_reset(pose);
  MU_INT(sinew_solver_solve(s, pose, NULL, &r, &error), SINEW_OK);
  MU_INT(r.end, SINEW_SOLVE_REACHED);
  sinew_solver_destroy(s);
}

/* --- repeatability, limits on work, failures */

/* bounds of 80, 70, 60 and 50 degrees in a chain: beyond each of them nothing moves */
MU_TEST(a_dof_held_by_one_of_several_bounds_can_move_back) {
  sinew_builder *b = make_lines(NULL, "dof d 0 100; dof e 0 1");
  char name[8], wires[48];
  for (int i = 0; i < 4; i++) {
    OWNED(curve) *bound = make_constant(80 - 10 * (float)i);
    snprintf(name, sizeof name, "b%d", i);
    if (i) snprintf(wires, sizeof wires, "active=e passive=b%d", i - 1);
    make_part(b, MAKE_NO_SET, "dependency", name, i ? wires : "active=e passive=d",
              SINEW_PARAMS(sinew_param_curve("upper", bound)));
  }
  sinew_add(b, "rotation", "r", SINEW_WIRES(sinew_wire_name("angle", "b3")),
            SINEW_PARAMS(sinew_param_vector("axis", 0, 0, 1)));
  sinew_segment s = sinew_add_bone(b, SINEW_ROOT, "s", (sinew_vec3){ 0, 0, 0 });
  sinew_builder_drive(b, s, "r", NULL, NULL);
  OWNED_LIMB l = { .rig = make_rig(b, NULL) };
  l.pose = sinew_pose_create(l.rig, NULL);
  sinew_goal goal = sinew_default_goal(SINEW_GOAL_POINT, s);
  goal.point[0] = 1;
  goal.target[0] = (float)cos(0.35), goal.target[1] = (float)sin(0.35);
  OWNED(solver) *solver = solver_of(&l, &goal, 1);
  sinew_pose_set(l.pose, sinew_rig_dof(l.rig, 0), 95, NULL);
  MU_INT(sinew_pose_eval(l.pose, NULL), SINEW_OK);
  sinew_solve_result r;
  sinew_solve_options dragged = sinew_default_solve_options();
  dragged.restarts = false;
  MU_INT(sinew_solver_solve(solver, l.pose, &dragged, &r, NULL), SINEW_OK);
  MU_NEAR(sinew_pose_get(l.pose, sinew_rig_dof(l.rig, 0)), 0.35 * 180 / 3.14159265, 0.1);
}

MU_TEST(the_same_start_and_goals_give_the_same_bits) {
  OWNED_LIMB l = limb_open();
  OWNED(pose) *other = sinew_pose_create(l.rig, NULL);
  uint32_t seed = 34;
  for (int round = 0; round < mu_rounds(20); round++) {
    at_random(&l, &seed);
    sinew_goal g = goal_here(&l, &seed, (sinew_goal_kind)(round % simple_kinds)), away = g;
    for (int k = 0; k < 3; k++) away.target[k] += 0.3f;
    OWNED(solver) *first = solver_of(&l, &g, 1), *second = solver_of(&l, &away, 1);
    /* the second was used for something else, and its pose was elsewhere */
    sinew_solver_solve(second, other, NULL, NULL, NULL);
    MU_INT(sinew_solver_set_goal(second, 0, &g, NULL), SINEW_OK);
    sinew_pose_reset(l.pose);
    sinew_pose_reset(other);
    sinew_solve_result a, b;
    sinew_solver_solve(first, l.pose, NULL, &a, NULL);
    sinew_solver_solve(second, other, NULL, &b, NULL);
    MU_CHECK(network_same(l.pose, other));
    MU_INT(a.iterations, b.iterations);
    MU_INT(a.evaluations, b.evaluations);
    MU_NEAR(a.cost, b.cost, 0);
  }
}

MU_TEST(iteration_and_time_limits_leave_the_best_pose) {
  OWNED_LIMB l = limb_open();
  uint32_t seed = 35;
  at_random(&l, &seed);
  sinew_goal g = goal_here(&l, &seed, SINEW_GOAL_POINT);
  g.target[2] += 2; /* far out of reach: it does not end early by itself */
  sinew_solver *s = solver_of(&l, &g, 1);
  sinew_solve_options how = sinew_default_solve_options();
  sinew_solve_result r;
  float last = INFINITY;
  how.restarts = how.escapes = false;
  for (int i = 0; i <= 30; i++) {
    how.iterations = i;
    sinew_pose_reset(l.pose);
    MU_INT(sinew_solver_solve(s, l.pose, &how, &r, &error), SINEW_OK);
    MU_CHECK(r.iterations <= i);
    MU_CHECK_SAY(r.cost <= last, "%d iterations: %g after %g", i, (double)r.cost, (double)last);
    MU_NEAR(r.error, sinew_goal_error(&g, l.pose), 0);
    if (i == 0) MU_INT(r.end, SINEW_SOLVE_ITERATIONS);
    if (i == 0) MU_NEAR(sinew_pose_get(l.pose, sinew_rig_dof(l.rig, LIMB_ELBOW)), 0, 0);
    last = r.cost;
  }
  how.restarts = how.escapes = true;
  for (int i = 0; i <= 100; i += 7) {
    how.iterations = i;
    sinew_pose_reset(l.pose);
    MU_INT(sinew_solver_solve(s, l.pose, &how, &r, &error), SINEW_OK);
    MU_CHECK(r.iterations <= i && (i < 30 || r.cost <= last * 1.001f));
  }
  how.iterations = 1000000;
  how.seconds = 1e-9;
  sinew_pose_reset(l.pose);
  MU_INT(sinew_solver_solve(s, l.pose, &how, &r, &error), SINEW_OK);
  MU_INT(r.end, SINEW_SOLVE_SECONDS);
  MU_CHECK(r.iterations <= 1);
  /* the goal is reached already: no iteration is needed */
  at_random(&l, &seed);
  g = goal_here(&l, &seed, SINEW_GOAL_POINT);
  sinew_solver_destroy(s);
  s = solver_of(&l, &g, 1);
  MU_INT(sinew_solver_solve(s, l.pose, NULL, &r, &error), SINEW_OK);
  MU_INT(r.end, SINEW_SOLVE_REACHED);
  /* what was held at the start has been let go by now */
  MU_INT(sinew_solver_solve(s, l.pose, NULL, &r, &error), SINEW_OK);
  MU_INT(r.iterations, 0);
  MU_TEXT(sinew_solve_end_name(SINEW_SOLVE_SECONDS), "seconds");
  MU_TEXT(sinew_solve_end_name((sinew_solve_end)17), "?");
  sinew_solver_destroy(s);
}

MU_TEST(a_failed_evaluation_leaves_the_best_pose_so_far) {
  OWNED_LIMB l = limb_open();
  sinew_goal g = sinew_default_goal(SINEW_GOAL_POINT, l.hand);
  sinew_pose_set_all(l.pose, (float[]){ 10, 5, 0, 80, 0, 0, 0 }, LIMB_DOFS, NULL);
  sinew_pose_eval(l.pose, NULL);
  memcpy(g.target, sinew_pose_world(l.pose, l.hand) + 12, sizeof g.target);
  OWNED(solver) *s = solver_of(&l, &g, 1);
  sinew_pose_reset(l.pose);
  sinew_pose_eval(l.pose, NULL);
  float before = sinew_goal_error(&g, l.pose);
  limb_fail_above(40);
  sinew_solve_result r;
  sinew_status status = sinew_solver_solve(s, l.pose, NULL, &r, &error);
  limb_fail_above(INFINITY);
  MU_FAILS(status, SINEW_ERR_SCRIPT, "the elbow hurts");
  MU_CHECK(sinew_pose_get(l.pose, sinew_rig_dof(l.rig, LIMB_ELBOW)) <= 40);
  MU_CHECK(sinew_goal_error(&g, l.pose) <= before);
  MU_INT(sinew_solver_solve(s, l.pose, NULL, &r, &error), SINEW_OK);
  MU_INT(r.end, SINEW_SOLVE_REACHED);
}

/* --- mistakes and memory */

MU_TEST(invalid_solvers_are_refused) {
  OWNED_LIMB l = limb_open();
  sinew_goal g = sinew_default_goal(SINEW_GOAL_POINT, l.lower);
  size_t before = sinew_live_blocks();
  sinew_solver_desc desc = { .size = sizeof desc, .goals = &g };
  MU_REFUSED_AS(sinew_solver_create(l.rig, &desc, &error), "a solver needs a goal");
  desc.goal_count = 1;
  const sinew_dof twice[] = { { 2 }, { 1 }, { 2 } }, none[] = { { 1 }, { 99 } };
  desc.dofs = twice, desc.dof_count = 3;
  MU_REFUSED_AS(sinew_solver_create(l.rig, &desc, &error), "duplicate DOF 'side'");
  desc.dofs = none, desc.dof_count = 2;
  MU_REFUSED_AS(sinew_solver_create(l.rig, &desc, &error),
                "DOF 2 of the solver does not belong to the rig");
  desc.dof_count = 0;
  MU_CHECK(!sinew_solver_create(l.rig, &desc, NULL));
  sinew_rig *still = make_text("segment stone; dof idle 0 1");
  sinew_goal on_stone = sinew_default_goal(SINEW_GOAL_POINT, sinew_rig_segment(still, 0));
  MU_REFUSED_AS(sinew_solver_create(still,
                                    &(sinew_solver_desc){ .size = sizeof(sinew_solver_desc),
                                                          .goals = &on_stone,
                                                          .goal_count = 1 },
                                    &error),
                "no DOF moves what the goals are about");
  sinew_rig_destroy(still);
  MU_INT(sinew_live_blocks(), before);
}

MU_TEST(invalid_changes_and_options_are_refused) {
  OWNED_LIMB l = limb_open();
  sinew_goal g = sinew_default_goal(SINEW_GOAL_POINT, l.lower), bad = g;
  OWNED(solver) *s = solver_of(&l, &g, 1);
  bad.kind = SINEW_GOAL_DISTANCE;
  MU_FAILS_AS(sinew_solver_set_goal(s, 0, &bad, &error), SINEW_ERR_VALUE,
              "goal 1 keeps its kind and segments for as long as the solver");
  bad = g, bad.segment = l.hand;
  MU_INT(sinew_solver_set_goal(s, 0, &bad, &error), SINEW_ERR_VALUE);
  bad = g, bad.target[0] = NAN;
  MU_INT(sinew_solver_set_goal(s, 0, &bad, &error), SINEW_ERR_NOT_FINITE);
  MU_NEAR(sinew_solver_goal(s, 0).target[0], 0, 0);
  MU_FAILS_AS(sinew_solver_set_range(s, 0, 500, 600, &error), SINEW_ERR_VALUE,
              "DOF 'lift': nothing of 500 to 600 is in its range");
  MU_INT(sinew_solver_set_range(s, 0, NAN, 10, &error), SINEW_ERR_VALUE);
  MU_INT(sinew_solver_set_range(s, 0, 20, 10, NULL), SINEW_ERR_VALUE);

  sinew_solve_options how = sinew_default_solve_options();
  const float rest[LIMB_DOFS] = { NAN };
  float *const floats[] = { &how.tolerance, &how.tolerance_turn, &how.posture,
                            &how.metres_per_radian };
  static const char *const names[] = { "tolerance", "tolerance_turn", "posture",
                                       "metres_per_radian" };
  for (int i = 0; i < 4; i++) {
    how = sinew_default_solve_options();
    *floats[i] = -1;
    char text[96];
    snprintf(text, sizeof text, "the solver's option '%s' cannot be that", names[i]);
    MU_FAILS_AS(sinew_solver_solve(s, l.pose, &how, NULL, &error), SINEW_ERR_VALUE, text);
    *floats[i] = NAN;
    MU_INT(sinew_solver_solve(s, l.pose, &how, NULL, &error), SINEW_ERR_VALUE);
  }
  how = sinew_default_solve_options();
  how.iterations = -1;
  MU_INT(sinew_solver_solve(s, l.pose, &how, NULL, &error), SINEW_ERR_VALUE);
  how = sinew_default_solve_options();
  how.seconds = NAN;
  MU_INT(sinew_solver_solve(s, l.pose, &how, NULL, &error), SINEW_ERR_VALUE);
  how = sinew_default_solve_options();
  how.rest = rest;
  MU_INT(sinew_solver_solve(s, l.pose, &how, NULL, &error), SINEW_ERR_VALUE);

  /* a caller's bugs */
  OWNED_LIMB other = limb_open();
  asserts_begin();
  sinew_status status = sinew_solver_solve(s, other.pose, NULL, NULL, &error);
  sinew_solver_set_goal(s, 1, &g, &error);
  sinew_solver_set_range(s, 99, 0, 1, &error);
  uint32_t dof = sinew_solver_dof(s, 99).id, segment = sinew_solver_goal(s, -1).segment.id;
  asserts_end();
  MU_INT(status, SINEW_ERR_CALL);
  MU_INT(asserted, 5);
  MU_INT(dof + segment, 0);
  sinew_solver_destroy(NULL);
}

MU_TEST(solvers_survive_failing_memory_and_allocate_only_when_created) {
  uint32_t seed = 36;
  scarce_memory(1000000);
  limb l = limb_open();
  at_random(&l, &seed);
  sinew_goal goals[2] = { goal_here(&l, &seed, SINEW_GOAL_DISTANCE),
                          goal_here(&l, &seed, SINEW_GOAL_TURN) };
  size_t before = sinew_live_blocks();
  sinew_solver *s = NULL;
  int failures = 0;
  for (; failures < 100 && !s; failures++) {
    scarce_memory(failures);
    s = sinew_solver_create(
        l.rig,
        &(sinew_solver_desc){ .size = sizeof(sinew_solver_desc), .goals = goals, .goal_count = 2 },
        &error);
    if (!s && (sinew_live_blocks() != before || error.status != SINEW_ERR_MEMORY)) break;
  }
  scarce_memory(0);
  sinew_solve_result r = { 0 };
  sinew_pose_reset(l.pose);
  sinew_status status = s ? sinew_solver_solve(s, l.pose, NULL, &r, &error) : SINEW_ERR_MEMORY;
  if (s) sinew_solver_set_goal(s, 0, &goals[0], &error);
  sinew_solver_destroy(s);
  size_t left = sinew_live_blocks();
  limb_close(&l);
  plenty_of_memory();
  MU_INT(status, SINEW_OK);
  MU_INT(left, before);
  MU_CHECK(failures > 4 && r.iterations > 1);
}

MU_SUITE(solve)
