/* Table 1 of [Wilhelms 2001]: 10,000 random goals for the end of a chain of three segments, of
 * which half are too far away. The paper's price of limits is 1.34 times the time: 1.26 times the
 * iterations, each of which takes 1.06 times as long. */
#include "bench_posing.h"
#include "bench_rigs.h"

#include <math.h>
#include <stdio.h>
#include <string.h>
#include <time.h>

enum { goal_count = 10000, block = 100, rounds = 3, joints = 7 };
static const float tip[3] = { 0, 0, -0.18f }, length = 0.3f + 0.27f + 0.18f;

typedef struct chain {
  sinew_pose *pose;
  sinew_solver *solver;
  sinew_segment hand;
  long iterations, evaluations, reached;
  double ns;
} chain;

static float points[goal_count][3], frames[goal_count][16];

static double now(void) {
  struct timespec t;
  clock_gettime(CLOCK_THREAD_CPUTIME_ID, &t);
  return (double)t.tv_sec * 1e9 + (double)t.tv_nsec;
}

static sinew_goal goal_of(const chain *c, int g, sinew_goal_kind kind) {
  sinew_goal goal = sinew_default_goal(kind, c->hand);
  memcpy(goal.point, tip, sizeof tip);
  memcpy(goal.target, points[g], sizeof points[g]);
  memcpy(goal.frame, frames[g], sizeof frames[g]);
  return goal;
}

static void chain_open(chain *c, const sinew_rig *rig) {
  sinew_error error;
  c->hand = sinew_rig_find_segment(rig, "hand", &error);
  bench_check(c->hand.id != 0, &error);
  c->pose = sinew_pose_create(rig, &error);
  bench_check(c->pose != NULL, &error);
}

/* goals where the end of the chain is at random angles; every second is moved out of reach */
static void scatter_goals(posing *p, const chain *c, bool everywhere) {
  static const float spans[joints] = { 240, 240, 120, 140, 120, 120, 120 };
  const sinew_rig *rig = sinew_pose_rig(c->pose);
  p->random = 6;
  for (int g = 0; g < goal_count; g++) {
    for (int i = 0; i < joints; i++) {
      /* the elbow is the only one of no joint set, and the rig's fourth */
      sinew_dof dof = sinew_rig_dof(rig, i);
      sinew_dof_info info = sinew_rig_dof_info(rig, dof);
      float any = posing_random(p), wide = spans[i];
      float value = !everywhere         ? info.min + (info.max - info.min) * any
                    : info.joint_set.id ? wide * (any - 0.5f)
                                        : wide * any;
      sinew_pose_set(c->pose, dof, value, NULL);
    }
    sinew_pose_eval(c->pose, NULL);
    const float *m = sinew_pose_world(c->pose, c->hand);
    float size = 0, further = 1.05f + 0.5f * posing_random(p);
    memcpy(frames[g], m, sizeof frames[g]);
    for (int i = 0; i < 3; i++) {
      points[g][i] = m[12 + i] + m[8 + i] * tip[2];
      size += points[g][i] * points[g][i];
    }
    for (int i = 0; g % 2 && i < 3; i++) points[g][i] *= further * length / sqrtf(size);
  }
}

/* returns the time of one block of goals */
static double solve_block(chain *c, int first, int kinds, const sinew_solve_options *options) {
  double start = now();
  for (int g = first; g < first + block; g++) {
    sinew_solve_result result;
    for (int i = 0; i < kinds; i++) {
      sinew_goal goal = goal_of(c, g, i ? SINEW_GOAL_TURN : SINEW_GOAL_POINT);
      sinew_solver_set_goal(c->solver, i, &goal, NULL);
    }
    sinew_pose_reset(c->pose);
    sinew_solver_solve(c->solver, c->pose, options, &result, NULL);
    c->iterations += result.iterations, c->evaluations += result.evaluations;
    c->reached += result.end == SINEW_SOLVE_REACHED;
  }
  return now() - start;
}

/* with limits and without in turn, block by block; of each block the fastest round counts */
static void compare(chain chains[2], const char *name, int kinds, double at_most) {
  sinew_solve_options options = sinew_default_solve_options();
  options.escapes = options.restarts = false;
  for (int i = 0; i < 2; i++) {
    sinew_error error;
    sinew_goal goals[2] = { goal_of(&chains[i], 0, SINEW_GOAL_POINT),
                            goal_of(&chains[i], 0, SINEW_GOAL_TURN) };
    sinew_solver_desc desc = sinew_default_solver_desc();
    desc.goals = goals, desc.goal_count = kinds, desc.root = true;
    chains[i].solver = sinew_solver_create(sinew_pose_rig(chains[i].pose), &desc, &error);
    bench_check(chains[i].solver != NULL, &error);
    chains[i].iterations = chains[i].evaluations = chains[i].reached = 0;
    chains[i].ns = 0;
  }
  int times = bench_smoke() ? 1 : rounds, goals = bench_smoke() ? block : goal_count;
  for (int first = 0; first < goals; first += block) {
    double least[2] = { INFINITY, INFINITY };
    for (int round = 0; round < times; round++)
      for (int i = 0; i < 2; i++)
        least[i] = fmin(least[i], solve_block(&chains[i], first, kinds, &options));
    for (int i = 0; i < 2; i++) chains[i].ns += least[i];
  }
  const chain *with = &chains[0], *without = &chains[1];
  double total = with->ns / without->ns;
  double more = (double)with->iterations / (double)without->iterations;
  char text[96];
  for (int i = 0; i < 2; i++) {
    const char *which = i ? "without limits" : "with limits";
    snprintf(text, sizeof text, "%s, %s: reached", name, which);
    bench_of(text, (int)chains[i].reached / times, goals, 0);
    snprintf(text, sizeof text, "%s, %s: microseconds a goal", name, which);
    bench_ratio(text, chains[i].ns * 1e-3 / goals, 0);
    snprintf(text, sizeof text, "%s, %s: iterations a goal", name, which);
    bench_ratio(text, (double)chains[i].iterations / times / goals, 0);
    snprintf(text, sizeof text, "%s, %s: evaluations a goal", name, which);
    bench_ratio(text, (double)chains[i].evaluations / times / goals, 0);
    sinew_solver_destroy(chains[i].solver);
  }
  snprintf(text, sizeof text, "%s: iterations with limits / without", name);
  bench_ratio(text, more, 0);
  snprintf(text, sizeof text, "%s: an iteration with limits / without", name);
  bench_ratio(text, total / more, 0);
  snprintf(text, sizeof text, "%s: time with limits / without", name);
  bench_ratio(text, total, at_most);
}

void bench_chain(posing *p) {
  sinew_error error;
  sinew_host_desc desc = sinew_default_host_desc();
  desc.modules = "lua";
  sinew_host *host = sinew_host_create(&desc, &error);
  bench_check(host != NULL, &error);
  bench_check(sinew_host_load(host, "tests/bench/rigs/chain.lua", &error) >= 0, &error);
  sinew_rig *freed = bench_without_limits(sinew_host_rig(host));
  sinew_dof elbow = sinew_rig_find_dof(freed, "elbow", &error);
  bench_check(elbow.id != 0, &error);
  bench_check(sinew_rig_set_dof_range(freed, elbow, -180, 180, 30, &error) >= 0, &error);
  chain chains[2] = { { 0 } };
  chain_open(&chains[0], sinew_host_rig(host));
  chain_open(&chains[1], freed);
  /* as in the paper, goals know nothing of the limits */
  scatter_goals(p, &chains[1], true);
  compare(chains, "table 1", 1, 1.34);
  compare(chains, "table 1, and turn", 2, 0);
  /* and near goals that the limits allow */
  scatter_goals(p, &chains[0], false);
  compare(chains, "table 1, inside", 1, 0);
  for (int i = 0; i < 2; i++) sinew_pose_destroy(chains[i].pose);
  sinew_rig_destroy(freed);
  sinew_host_destroy(host);
}
