/* Random reachable goals on the human rig, made by random DOFs: nearly all are solved to 1 mm from
 * rest within 50 iterations, and no result exceeds a limit. */
#include "make.h"
#include "minunit.h"
#include "owned.h"
#include "patient.h"
#include "sinew/host.h"

#include <sinew/sinew.h>

/* NULL, with `error` filled, if it does not load */
static sinew_host *load_human(sinew_error *error) {
  sinew_host_desc rules = patient_host_desc();
  rules.modules = "lua";
  sinew_host *host = sinew_host_create(&rules, error);
  if (host && sinew_host_load(host, "rigs/human.lua", error) >= 0) return host;
  sinew_host_destroy(host);
  return NULL;
}

static void check_reach(const char *name, bool root) {
  sinew_error error;
  OWNED(host) *host = MU_MADE(load_human(&error));
  const sinew_rig *rig = sinew_host_rig(host);
  sinew_segment segment = sinew_rig_find_segment(rig, name, &error);
  MU_CHECK_SAY(segment.id, "%s", error.text);
  sinew_goal goal = sinew_default_goal(SINEW_GOAL_POINT, segment);
  sinew_solver_desc desc = { .size = sizeof desc, .goals = &goal, .goal_count = 1, .root = root };
  OWNED(solver) *s = sinew_solver_create(rig, &desc, &error);
  OWNED(pose) *pose = sinew_pose_create(rig, &error);
  MU_CHECK(s && pose);
  /* the root's DOFs, which move the whole body, only on request */
  int count = sinew_solver_dof_count(s), carrying = 0;
  for (int i = 0; i < count; i++)
    carrying += strncmp(sinew_rig_dof_info(rig, sinew_solver_dof(s, i)).name, "body.", 5) == 0;
  MU_INT(carrying, root ? 6 : 0);
  MU_CHECK(count - carrying > 4);
  int tried = mu_rounds(200), solved = 0, outside = 0;
  uint32_t seed = 77;
  for (int i = 0; i < tried; i++) {
    sinew_pose_reset(pose);
    for (int k = 0; k < count; k++) {
      sinew_dof_info dof = sinew_rig_dof_info(rig, sinew_solver_dof(s, k));
      sinew_pose_set(pose, sinew_solver_dof(s, k), make_between(&seed, dof.min, dof.max), NULL);
    }
    sinew_pose_eval(pose, NULL);
    memcpy(goal.target, sinew_pose_world(pose, segment) + 12, sizeof goal.target);
    sinew_solver_set_goal(s, 0, &goal, NULL);
    sinew_pose_reset(pose);
    sinew_solve_result r;
    sinew_status status = sinew_solver_solve(s, pose, NULL, &r, &error);
    solved += status >= 0 && sinew_goal_error(&goal, pose) < 1e-3f;
    outside += sinew_pose_verify(pose, &error) != SINEW_OK || sinew_pose_holds(pose, NULL, 0) > 0;
  }
  MU_INT(outside, 0);
  MU_CHECK_SAY(solved * 100 >= tried * 99, "%s: %d of %d solved", name, solved, tried);
}

MU_TEST(human_reaches_random_goals_with_its_hand) { check_reach("carpus_r", false); }
MU_SLOW_TEST(human_reaches_random_goals_with_its_foot) { check_reach("talus_r", false); }
MU_SLOW_TEST(human_reaches_random_goals_with_its_head) { check_reach("skull", false); }
MU_SLOW_TEST(human_reaches_random_goals_with_its_hand_and_whole_body) {
  check_reach("carpus_l", true);
}
MU_TEST(human_reaches_random_goals_with_its_foot_and_whole_body) { check_reach("talus_l", true); }
MU_SLOW_TEST(human_reaches_random_goals_with_its_head_and_whole_body) {
  check_reach("skull", true);
}

MU_SUITE(solve_rigs)

/* --- the right hand from a random pose of the arm */

typedef struct hand {
  sinew_host *host;
  const sinew_rig *rig;
  sinew_pose *pose;
  sinew_solver *solver;
  sinew_goal goal;
  uint32_t seed;
} hand;

/* without a solver, and with `error` filled, if something fails */
static hand hand_open(sinew_error *error) {
  hand h = { .host = load_human(error), .seed = 5 };
  if (!h.host) return h;
  h.rig = sinew_host_rig(h.host);
  h.pose = sinew_pose_create(h.rig, error);
  h.goal = sinew_default_goal(SINEW_GOAL_POINT, sinew_rig_find_segment(h.rig, "carpus_r", error));
  sinew_solver_desc desc = sinew_default_solver_desc();
  desc.goals = &h.goal;
  desc.goal_count = 1;
  h.solver = h.pose ? sinew_solver_create(h.rig, &desc, error) : NULL;
  return h;
}

static void hand_close(hand *h) {
  sinew_solver_destroy(h->solver);
  sinew_pose_destroy(h->pose);
  sinew_host_destroy(h->host);
}

/* the arm at random, so that something is held, or not; returns where the hand is */
static void hand_scatter(hand *h, bool held, float *place) {
  do {
    sinew_pose_reset(h->pose);
    for (int i = 0; i < sinew_rig_dof_count(h->rig); i++) {
      sinew_dof_info dof = sinew_rig_dof_info(h->rig, sinew_rig_dof(h->rig, i));
      if (strncmp(dof.name, "right_shoulder.", 15) == 0 ||
          strncmp(dof.name, "right_elbow.", 12) == 0)
        sinew_pose_set(h->pose, sinew_rig_dof(h->rig, i), make_between(&h->seed, dof.min, dof.max),
                       NULL);
    }
    sinew_pose_eval(h->pose, NULL);
  } while ((sinew_pose_holds(h->pose, NULL, 0) > 0) != held);
  memcpy(place, sinew_pose_world(h->pose, h->goal.segment) + 12, 3 * sizeof *place);
}

MU_TEST(a_press_frees_a_held_pose_and_leaves_the_hand_in_place) {
  sinew_error error;
  hand h = hand_open(&error);
  MU_CHECK_SAY(h.solver, "%s", error.text);
  int tried = mu_rounds(100), stays = 0;
  for (int i = 0; i < tried; i++) {
    hand_scatter(&h, true, h.goal.target);
    sinew_solver_set_goal(h.solver, 0, &h.goal, NULL);
    MU_INT(sinew_solver_press(h.solver, h.pose, NULL), SINEW_OK);
    MU_INT(sinew_pose_holds(h.pose, NULL, 0), 0);
    stays += sinew_goal_error(&h.goal, h.pose) < 2e-4f;
  }
  /* the clavicle follows the arm's raise before the cone, so a few places need a hold */
  MU_CHECK_SAY(stays * 100 >= tried * 95, "%d of %d", stays, tried);
  hand_close(&h);
}

MU_TEST(a_goal_nearby_moves_no_dof_far) {
  sinew_error error;
  hand h = hand_open(&error);
  MU_CHECK_SAY(h.solver, "%s", error.text);
  float most = 0, before[256];
  for (int i = 0; i < mu_rounds(100); i++) {
    hand_scatter(&h, false, h.goal.target);
    int count = sinew_rig_dof_count(h.rig);
    memcpy(before, sinew_pose_dofs(h.pose), (size_t)count * sizeof *before);
    h.goal.target[i % 3] += 0.01f;
    sinew_solver_set_goal(h.solver, 0, &h.goal, NULL);
    sinew_solve_result r;
    sinew_solver_solve(h.solver, h.pose, NULL, &r, NULL);
    if (r.end != SINEW_SOLVE_REACHED || r.starts > 1) continue;
    for (int k = 0; k < count; k++) {
      sinew_dof_info dof = sinew_rig_dof_info(h.rig, sinew_rig_dof(h.rig, k));
      float by = fabsf(sinew_pose_dofs(h.pose)[k] - before[k]) / (dof.max - dof.min);
      most = fmaxf(most, by);
    }
  }
  MU_CHECK_SAY(most < 0.1f, "a DOF moved by %g of its range", (double)most);
  hand_close(&h);
}

MU_TEST(a_goal_far_out_of_reach_is_approached_in_few_iterations) {
  sinew_error error;
  hand h = hand_open(&error);
  MU_CHECK_SAY(h.solver, "%s", error.text);
  sinew_solve_options local = sinew_default_solve_options();
  local.restarts = local.escapes = false;
  long iterations = 0;
  int tried = mu_rounds(50);
  for (int i = 0; i < tried; i++) {
    float place[3];
    hand_scatter(&h, false, place);
    const float *shoulder =
        sinew_pose_world(h.pose, sinew_rig_find_segment(h.rig, "humerus_r", NULL)) + 12;
    float away =
        hypotf(hypotf(place[0] - shoulder[0], place[1] - shoulder[1]), place[2] - shoulder[2]);
    for (int k = 0; k < 3; k++)
      h.goal.target[k] = shoulder[k] + 3 / away * (place[k] - shoulder[k]);
    sinew_solver_set_goal(h.solver, 0, &h.goal, NULL);
    sinew_solve_result r;
    MU_INT(sinew_solver_solve(h.solver, h.pose, &local, &r, NULL), SINEW_OK);
    MU_INT(r.end, SINEW_SOLVE_NEAREST);
    MU_INT(sinew_pose_holds(h.pose, NULL, 0), 0);
    iterations += r.iterations;
  }
  MU_CHECK_SAY(iterations < 36L * tried, "%g iterations a goal",
               (double)iterations / (double)tried);
  hand_close(&h);
}
