/* Random reachable goals on the human rig, made by random DOFs: nearly all are solved to 1 mm from
 * rest within 50 iterations, and no result exceeds a limit. */
#include "make.h"
#include "minunit.h"
#include "owned.h"
#include "patient.h"
#include "sinew/host.h"

#include <sinew/sinew.h>

static void check_reach(const char *name, bool root) {
  sinew_error error;
  sinew_host_desc rules = patient_host_desc();
  rules.modules = "lua";
  OWNED(host) *host = MU_MADE(sinew_host_create(&rules, &error));
  MU_CHECK_SAY(sinew_host_load(host, "rigs/human.lua", &error) >= 0, "%s", error.text);
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
MU_TEST(human_reaches_random_goals_with_its_foot) { check_reach("talus_r", false); }
MU_TEST(human_reaches_random_goals_with_its_head) { check_reach("skull", false); }
MU_TEST(human_reaches_random_goals_with_its_hand_and_whole_body) { check_reach("carpus_l", true); }
MU_TEST(human_reaches_random_goals_with_its_foot_and_whole_body) { check_reach("talus_l", true); }
MU_TEST(human_reaches_random_goals_with_its_head_and_whole_body) { check_reach("skull", true); }

MU_SUITE(solve_rigs)
