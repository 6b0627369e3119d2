/* Inverse kinematics: how well it poses (bench_posing.c); one warm drag step of the human's hand
 * against plain evaluations of the rig; and what limits add to an iteration, on the human and on an
 * arm of seven DOFs with two cones and a dependency, against the same rigs without limits. */
#include "bench.h"
#include "bench_posing.h"
#include "bench_rigs.h"

#include <math.h>
#include <sinew/host.h>
#include <stdio.h>
#include <string.h>

enum { poses_in_a_round = 64, most_dofs = 256, arm_goals = 64 };

/* --- dragging */

typedef struct drag {
  sinew_pose *pose;
  sinew_solver *solver;
  sinew_goal goal;
  sinew_solve_options how;
  float centre[3];
  int step, dofs;
  long steps, missed, iterations, evaluations;
  float values[poses_in_a_round][most_dofs];
} drag;

static void run_plain(void *context, int times) {
  drag *d = context;
  for (int i = 0; i < times; i++) {
    sinew_pose_set_all(d->pose, d->values[i % poses_in_a_round], d->dofs, NULL);
    sinew_pose_eval(d->pose, NULL);
  }
  bench_keep(sinew_pose_worlds(d->pose));
}

/* along a circle of 20 cm, 1 cm per step */
static void run_drag(void *context, int times) {
  drag *d = context;
  for (int i = 0; i < times; i++) {
    float at = 0.05f * (float)(d->step++ % 126);
    d->goal.target[0] = d->centre[0] + 0.2f * sinf(at);
    d->goal.target[1] = d->centre[1] + 0.2f * (1 - cosf(at));
    sinew_solver_set_goal(d->solver, 0, &d->goal, NULL);
    sinew_solve_result r;
    sinew_solver_drag(d->solver, d->pose, &d->how, &r, NULL);
    d->steps++;
    d->missed += r.error > 1e-4f;
    d->iterations += r.iterations, d->evaluations += r.evaluations;
  }
  bench_keep(sinew_pose_worlds(d->pose));
}

static sinew_host *load(const char *path) {
  sinew_error error;
  sinew_host_desc desc = sinew_default_host_desc();
  desc.modules = "lua";
  sinew_host *host = sinew_host_create(&desc, &error);
  bench_check(host != NULL, &error);
  bench_check(sinew_host_load(host, path, &error) >= 0, &error);
  return host;
}

/* a solver for all DOFs that move the goals, except those whose names start with `but` */
static sinew_solver *solver_without(const sinew_rig *rig, const sinew_goal *goals, int count,
                                    const char *but) {
  sinew_error error;
  sinew_solver_desc desc = sinew_default_solver_desc();
  desc.goals = goals, desc.goal_count = count, desc.root = true;
  sinew_solver *all = sinew_solver_create(rig, &desc, &error);
  bench_check(all != NULL, &error);
  if (!but) return all;
  sinew_dof dofs[most_dofs];
  for (int i = 0; i < sinew_solver_dof_count(all); i++) {
    sinew_dof dof = sinew_solver_dof(all, i);
    if (strncmp(sinew_rig_dof_info(rig, dof).name, but, strlen(but)) != 0)
      dofs[desc.dof_count++] = dof;
  }
  sinew_solver_destroy(all);
  desc.dofs = dofs;
  sinew_solver *some = sinew_solver_create(rig, &desc, &error);
  bench_check(some != NULL, &error);
  return some;
}

static void bench_drag(void) {
  static drag d, plain;
  sinew_error error;
  sinew_host *host = load("rigs/human.lua");
  const sinew_rig *rig = sinew_host_rig(host);
  plain.pose = sinew_host_pose(host);
  plain.dofs = sinew_rig_dof_count(rig);
  for (int k = 0; k < poses_in_a_round; k++)
    for (int i = 0; i < plain.dofs && i < most_dofs; i++) {
      sinew_dof_info dof = sinew_rig_dof_info(rig, sinew_rig_dof(rig, i));
      plain.values[k][i] = dof.min + (dof.max - dof.min) * bench_random();
    }
  sinew_segment hand = sinew_rig_find_segment(rig, "carpus_r", &error);
  bench_check(hand.id != 0, &error);
  d.goal = sinew_default_goal(SINEW_GOAL_POINT, hand);
  d.solver = solver_without(rig, &d.goal, 1, "body.");
  d.pose = sinew_pose_create(rig, &error);
  bench_check(d.pose != NULL, &error);
  d.how = sinew_default_solve_options();
  /* starts with the hand held out in front */
  memcpy(d.goal.target, (float[]){ -0.25f, 1.1f, 0.35f }, sizeof d.goal.target);
  memcpy(d.centre, d.goal.target, sizeof d.centre);
  sinew_solver_set_goal(d.solver, 0, &d.goal, NULL);
  sinew_solver_solve(d.solver, d.pose, NULL, NULL, NULL);
  sinew_solver_press(d.solver, d.pose, NULL);
  double ns[2];
  bench_pair((const char *[]){ "human, a warm drag step of the hand by 1 cm",
                               "human, plain evaluation, in turn with it" },
             (void (*const[])(void *, int)){ run_drag, run_plain }, (void *[]){ &d, &plain }, ns);
  bench_ratio("warm drag step / plain evaluation", ns[0] / ns[1], 60);
  bench_ratio("iterations a drag step", (double)d.iterations / (double)d.steps, 0);
  bench_ratio("evaluations a drag step", (double)d.evaluations / (double)d.steps, 0);
  bench_ratio("drag steps that missed 0.1 mm, of all", (double)d.missed / (double)d.steps, 1e-9);
  sinew_solver_destroy(d.solver);
  sinew_pose_destroy(d.pose);
  sinew_host_destroy(host);
}

/* --- limits */

typedef struct reach {
  sinew_pose *pose;
  sinew_solver *solver;
  sinew_goal goals[2];
  float points[arm_goals][3], frames[arm_goals][16];
  sinew_solve_options how;
  long iterations, evaluations;
} reach;

static void reach_make(reach *r, const sinew_rig *rig, const char *segment, const char *but) {
  sinew_error error;
  sinew_segment hand = sinew_rig_find_segment(rig, segment, &error);
  bench_check(hand.id != 0, &error);
  r->goals[0] = sinew_default_goal(SINEW_GOAL_POINT, hand);
  r->goals[1] = sinew_default_goal(SINEW_GOAL_TURN, hand);
  r->pose = sinew_pose_create(rig, &error);
  r->solver = solver_without(rig, r->goals, 2, but);
  r->how = sinew_default_solve_options();
  r->how.restarts = r->how.escapes = false;
}

static void run_reach(void *context, int times) {
  reach *r = context;
  for (int i = 0; i < times; i++)
    for (int g = 0; g < arm_goals; g++) {
      memcpy(r->goals[0].target, r->points[g], sizeof r->points[g]);
      memcpy(r->goals[1].frame, r->frames[g], sizeof r->frames[g]);
      for (int k = 0; k < 2; k++) sinew_solver_set_goal(r->solver, k, &r->goals[k], NULL);
      sinew_pose_reset(r->pose);
      sinew_solve_result result;
      sinew_solver_solve(r->solver, r->pose, &r->how, &result, NULL);
      r->iterations += result.iterations, r->evaluations += result.evaluations;
    }
}

/* goals for both rigs: the hand's position and orientation at random poses, `share` of the way from
 * rest */
static void bench_limits(const char *path, const char *segment, const char *but, float share,
                         double at_most) {
  static reach with, without;
  sinew_host *host = load(path);
  const sinew_rig *limited = sinew_host_rig(host);
  sinew_rig *freed = bench_without_limits(limited);
  reach_make(&with, limited, segment, but);
  reach_make(&without, freed, segment, but);
  for (int g = 0; g < arm_goals; g++) {
    for (int i = 0; i < sinew_solver_dof_count(with.solver); i++) {
      sinew_dof dof = sinew_solver_dof(with.solver, i);
      sinew_dof_info info = sinew_rig_dof_info(limited, dof);
      float any = info.min + (info.max - info.min) * bench_random();
      sinew_pose_set(with.pose, dof, info.rest + share * (any - info.rest), NULL);
    }
    sinew_pose_eval(with.pose, NULL);
    const float *m = sinew_pose_world(with.pose, with.goals[0].segment);
    memcpy(with.points[g], m + 12, sizeof with.points[g]);
    memcpy(with.frames[g], m, sizeof with.frames[g]);
  }
  memcpy(without.points, with.points, sizeof with.points);
  memcpy(without.frames, with.frames, sizeof with.frames);
  double ns[2], evaluations[2];
  char names[2][96], name[96];
  snprintf(names[0], sizeof names[0], "%s, 64 goals, %.0f%% of the ranges", path,
           (double)share * 100);
  snprintf(names[1], sizeof names[1], "the same rig without its limits, in turn with it");
  bench_pair((const char *[]){ names[0], names[1] },
             (void (*const[])(void *, int)){ run_reach, run_reach }, (void *[]){ &with, &without },
             ns);
  reach *both[2] = { &with, &without };
  for (int i = 0; i < 2; i++) {
    both[i]->iterations = both[i]->evaluations = 0;
    run_reach(both[i], 1);
    evaluations[i] = (double)both[i]->evaluations / (double)both[i]->iterations;
    ns[i] /= (double)both[i]->iterations;
  }
  snprintf(name, sizeof name, "an iteration with limits / without, at %.0f%%", (double)share * 100);
  bench_ratio(name, ns[0] / ns[1], at_most);
  bench_ratio("evaluations an iteration with limits", evaluations[0], 0);
  bench_ratio("evaluations an iteration without", evaluations[1], 0);
  for (int i = 0; i < 2; i++) sinew_solver_destroy(both[i]->solver);
  for (int i = 0; i < 2; i++) sinew_pose_destroy(both[i]->pose);
  sinew_rig_destroy(freed);
  sinew_host_destroy(host);
}

void bench_solve(void) {
  bench_posing(NULL);
  bench_drag();
  bench_limits("rigs/human.lua", "carpus_r", "body.", 0.4f, 1.06);
  bench_limits("rigs/human.lua", "carpus_r", "body.", 1, 0);
  bench_limits("tests/bench/rigs/arm.lua", "hand", NULL, 0.4f, 0);
}
