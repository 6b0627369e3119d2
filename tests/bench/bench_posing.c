/* How well the solver poses the human: goals that are reachable, since they come from random values
 * of the DOFs that may move, in which nothing is held. (Where a limit holds something, no pose
 * without a hold may be the same: the clavicle follows the arm's raise before the cone.) */
#include "bench_posing.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

/* --- shared */

float posing_random(posing *p) {
  p->random = p->random * 1664525u + 1013904223u;
  return (float)(p->random >> 8) / 16777216.0f;
}

sinew_segment posing_segment(const posing *p, const char *name) {
  sinew_error error;
  sinew_segment segment = sinew_rig_find_segment(p->rig, name, &error);
  bench_check(segment.id != 0, &error);
  return segment;
}

bool posing_in_sets(const posing *p, sinew_dof dof, const char *sets) {
  const char *name = sinew_rig_dof_info(p->rig, dof).name;
  size_t length = strcspn(name, ".");
  for (const char *set = sets; *set; set += strspn(set, " ")) {
    size_t size = strcspn(set, " ");
    if (size == length && strncmp(set, name, size) == 0) return true;
    set += size;
  }
  return false;
}

/* leaves the other DOFs as they are */
static void posing_scatter_more(posing *p, sinew_pose *pose, const char *sets) {
  for (int i = 0; i < sinew_rig_dof_count(p->rig); i++) {
    sinew_dof dof = sinew_rig_dof(p->rig, i);
    sinew_dof_info info = sinew_rig_dof_info(p->rig, dof);
    if (!posing_in_sets(p, dof, sets)) continue;
    sinew_pose_set(pose, dof, info.min + (info.max - info.min) * posing_random(p), NULL);
  }
  sinew_pose_eval(pose, NULL);
}

void posing_scatter(posing *p, sinew_pose *pose, const char *sets) {
  sinew_pose_reset(pose);
  posing_scatter_more(p, pose, sets);
}

void posing_scatter_free(posing *p, sinew_pose *pose, const char *sets) {
  do posing_scatter(p, pose, sets);
  while (posing_held(pose));
}

sinew_goal posing_point(const sinew_pose *pose, sinew_segment segment) {
  sinew_goal goal = sinew_default_goal(SINEW_GOAL_POINT, segment);
  memcpy(goal.target, sinew_pose_world(pose, segment) + 12, sizeof goal.target);
  return goal;
}

sinew_goal posing_turn(const sinew_pose *pose, sinew_segment segment) {
  sinew_goal goal = sinew_default_goal(SINEW_GOAL_TURN, segment);
  memcpy(goal.frame, sinew_pose_world(pose, segment), sizeof goal.frame);
  return goal;
}

sinew_solver *posing_solver(const posing *p, const sinew_goal *goals, int count, const char *sets,
                            bool root) {
  sinew_error error;
  sinew_dof dofs[posing_dofs];
  sinew_solver_desc desc = sinew_default_solver_desc();
  desc.goals = goals, desc.goal_count = count, desc.root = root;
  sinew_solver *solver = sinew_solver_create(p->rig, &desc, &error);
  bench_check(solver != NULL, &error);
  if (!sets) return solver;
  for (int i = 0; i < sinew_solver_dof_count(solver); i++) {
    sinew_dof dof = sinew_solver_dof(solver, i);
    if (posing_in_sets(p, dof, sets)) dofs[desc.dof_count++] = dof;
  }
  sinew_solver_destroy(solver);
  desc.dofs = dofs;
  solver = sinew_solver_create(p->rig, &desc, &error);
  bench_check(solver != NULL, &error);
  return solver;
}

float posing_moved(const posing *p, const sinew_pose *pose, const float *values, const char *sets) {
  float most = 0;
  for (int i = 0; i < sinew_rig_dof_count(p->rig); i++) {
    sinew_dof dof = sinew_rig_dof(p->rig, i);
    sinew_dof_info info = sinew_rig_dof_info(p->rig, dof);
    float share = fabsf(sinew_pose_get(pose, dof) - values[i]) / (info.max - info.min);
    if ((!sets || posing_in_sets(p, dof, sets)) && share > most) most = share;
  }
  return most;
}

bool posing_held(const sinew_pose *pose) { return sinew_pose_holds(pose, NULL, 0) > 0; }

/* what many solves add up to */
typedef struct tally {
  int solves, reached, unheld;
  long evaluations, iterations, starts;
} tally;

/* solves; whether every goal is within tolerance is measured on the pose, not believed */
static bool solve(posing *p, sinew_solver *solver, const sinew_solve_options *options, tally *t) {
  sinew_error error;
  sinew_solve_result result;
  bench_check(sinew_solver_solve(solver, p->pose, options, &result, &error) >= 0, &error);
  bool reached = true;
  for (int i = 0; i < sinew_solver_goal_count(solver); i++) {
    sinew_goal goal = sinew_solver_goal(solver, i);
    bool turn = goal.kind == SINEW_GOAL_TURN || goal.kind == SINEW_GOAL_AIM ||
                goal.kind == SINEW_GOAL_LOOK || goal.kind == SINEW_GOAL_POLE;
    float most = turn ? options->tolerance_turn : options->tolerance;
    reached = reached && sinew_goal_error(&goal, p->pose) <= 1.01f * most;
  }
  t->solves++, t->reached += reached, t->unheld += !posing_held(p->pose);
  t->evaluations += result.evaluations, t->iterations += result.iterations;
  t->starts += result.starts;
  return reached;
}

static void report(const char *name, const tally *t, int at_least, double most_evaluations) {
  char text[96];
  snprintf(text, sizeof text, "%s: reached", name);
  bench_of(text, t->reached, t->solves, at_least);
  snprintf(text, sizeof text, "%s: without an active hold", name);
  bench_of(text, t->unheld, t->solves, t->solves);
  snprintf(text, sizeof text, "%s: evaluations a goal", name);
  bench_ratio(text, (double)t->evaluations / t->solves, most_evaluations);
  snprintf(text, sizeof text, "%s: iterations a goal", name);
  bench_ratio(text, (double)t->iterations / t->solves, 0);
}

/* --- one limb */

typedef struct limb {
  const char *name, *segment, *sets;
  int local, escaped, turned; /* at least so many of 500; 0: no bound */
  double evaluations;         /* at most, with escapes; 0: no bound */
} limb;

static const limb limbs[] = {
  { "arm", "carpus_r", "right_shoulder right_elbow right_wrist", 450, 500, 492, 15 },
  { "leg", "calcaneus_r", "right_hip right_knee right_ankle", 0, 0, 0, 0 },
  { "left", "carpus_l", "left_shoulder left_elbow left_wrist", 0, 0, 0, 0 },
  { "finger", "distal_index_r", "right_shoulder right_elbow right_wrist right_hand", 0, 0, 0, 0 },
  { "trunk", "carpus_r", "lumbar thoracic right_shoulder right_elbow right_wrist", 0, 0, 0, 0 },
};
enum { limb_count = sizeof limbs / sizeof *limbs };

static void bench_limb(posing *p, const limb *l) {
  static const char *const ways[] = { "local", "escapes", "and turn" };
  int at_least[] = { l->local, l->escaped, l->turned };
  sinew_segment segment = posing_segment(p, l->segment);
  for (int way = 0; way < 3; way++) {
    sinew_goal goals[2] = { posing_point(p->model, segment), posing_turn(p->model, segment) };
    int goal_count = way == 2 ? 2 : 1;
    sinew_solver *solver = posing_solver(p, goals, goal_count, l->sets, false);
    sinew_solve_options options = sinew_default_solve_options();
    if (way < 2) options.escapes = way == 1, options.restarts = false;
    tally t = { 0 };
    char name[64];
    p->random = 1;
    sinew_pose_reset(p->pose);
    for (int g = 0; g < (bench_smoke() ? 5 : 500); g++) {
      posing_scatter_free(p, p->model, l->sets);
      goals[0] = posing_point(p->model, segment), goals[1] = posing_turn(p->model, segment);
      for (int i = 0; i < goal_count; i++) sinew_solver_set_goal(solver, i, &goals[i], NULL);
      solve(p, solver, &options, &t);
    }
    snprintf(name, sizeof name, "%s, %s", l->name, ways[way]);
    report(name, &t, at_least[way], way == 1 ? l->evaluations : 0);
    sinew_solver_destroy(solver);
  }
}

/* --- the trunk stays where the arm is enough */

static void bench_spine(posing *p) {
  static const char *const spine = "lumbar thoracic cervical head";
  sinew_segment hand = posing_segment(p, "carpus_r");
  sinew_goal goal = posing_point(p->model, hand);
  sinew_solver *solver = posing_solver(p, &goal, 1, NULL, false);
  sinew_solve_options options = sinew_default_solve_options();
  int upright = 0, rooted = 0;
  float most = 0;
  tally t = { 0 };
  p->random = 2;
  sinew_pose_reset(p->pose);
  memcpy(p->before, sinew_pose_dofs(p->pose), sizeof(float) * (size_t)sinew_rig_dof_count(p->rig));
  for (int g = 0; g < (bench_smoke() ? 5 : 200); g++) {
    posing_scatter_free(p, p->model, limbs[0].sets);
    goal = posing_point(p->model, hand);
    sinew_solver_set_goal(solver, 0, &goal, NULL);
    sinew_pose_reset(p->pose);
    solve(p, solver, &options, &t);
    float bent = posing_moved(p, p->pose, p->before, spine);
    upright += bent < 0.01f, rooted += posing_moved(p, p->pose, p->before, "body") == 0;
    if (bent > most) most = bent;
  }
  report("spine", &t, t.solves, 0);
  bench_of("spine: every DOF of it below 1% of its range", upright, t.solves, t.solves);
  bench_ratio("spine: largest movement of a DOF of it, in its range", (double)most, 0);
  bench_of("spine: root DOFs stay at rest", rooted, t.solves, t.solves);
  sinew_solver_destroy(solver);
}

/* --- both feet pinned, the pelvis lower, a hand and the gaze */

enum { most_goals = 10 };

/* A variant: how far the pelvis goes down and back, and the goals that it adds. Straight down is
 * out of reach with flat feet: the ankles bend by 13 degrees only, so that a squat goes back, and
 * much of it is out of balance. Hands are not too far below the face, where the neck would not let
 * the man see them. */
typedef struct stance {
  const char *name;
  float lower, back;
  bool above, balance;
} stance;

static const stance stances[] = {
  { "feet", 0.3f, 0.36f, false, false },
  { "feet, knees above", 0.3f, 0.36f, true, false },
  { "feet, balanced", 0.1f, 0.18f, false, true },
};

enum { pelvis_goal = 4, hand_goal = 5, gaze_goal = 6 };

static int stance_goals(const posing *p, const stance *s, sinew_goal *dest) {
  static const float up[3] = { 0, 1, 0 }, ahead[3] = { 0, 0, 1 };
  int count = 0;
  sinew_segment feet[2] = { posing_segment(p, "calcaneus_r"), posing_segment(p, "calcaneus_l") };
  for (int i = 0; i < 2; i++) dest[count++] = posing_point(p->pose, feet[i]);
  for (int i = 0; i < 2; i++) dest[count++] = posing_turn(p->pose, feet[i]);
  dest[count++] = posing_point(p->pose, posing_segment(p, "pelvis"));
  dest[pelvis_goal].target[1] -= s->lower;
  dest[pelvis_goal].target[2] -= s->back;
  dest[count++] = posing_point(p->pose, posing_segment(p, "carpus_r"));
  dest[count++] = sinew_default_goal(SINEW_GOAL_LOOK, posing_segment(p, "skull"));
  memcpy(dest[gaze_goal].direction, ahead, sizeof ahead);
  for (int i = 0; s->above && i < 2; i++) {
    sinew_goal *knee = &dest[count++];
    *knee = sinew_default_goal(SINEW_GOAL_ABOVE, posing_segment(p, i ? "tibia_l" : "tibia_r"));
    memcpy(knee->direction, up, sizeof up);
  }
  if (s->balance) {
    sinew_goal *balance = &dest[count++];
    *balance = sinew_default_goal(SINEW_GOAL_BALANCE, feet[0]);
    balance->other = feet[1];
    /* the middle of a sole; the calcaneus begins at the heel */
    balance->point[2] = balance->other_point[2] = 0.1f;
    balance->distance = 0.05f;
    memcpy(balance->direction, up, sizeof up);
  }
  return count;
}

/* Poses the model in the stance, without the hand and the gaze, and keeps its DOFs in `before`.
 * Without balance he stays upright, moved like the pelvis. */
static void stand(posing *p, const stance *s, const sinew_goal *goals, int count) {
  sinew_goal some[most_goals];
  int used = 0;
  for (int i = 0; i < count; i++)
    if (i != hand_goal && i != gaze_goal) some[used++] = goals[i];
  sinew_pose_reset(p->model);
  if (s->balance) {
    sinew_error error;
    sinew_solver *solver = posing_solver(p, some, used, NULL, true);
    bench_check(sinew_solver_solve(solver, p->model, NULL, NULL, &error) >= 0, &error);
    sinew_solver_destroy(solver);
  } else {
    sinew_pose_set(p->model, sinew_rig_find_dof(p->rig, "body.y", NULL), -s->lower, NULL);
    sinew_pose_set(p->model, sinew_rig_find_dof(p->rig, "body.z", NULL), -s->back, NULL);
  }
  memcpy(p->before, sinew_pose_dofs(p->model), sizeof(float) * (size_t)sinew_rig_dof_count(p->rig));
}

/* where the hand of a random arm is, of a man who stands like that and can turn to see it; a
 * balanced one still is with that arm */
static void stance_hand(posing *p, const sinew_goal *goals, int count, float *dest) {
  const float degrees = 57.29578f;
  for (;;) {
    float way[3], seen[3], off = 0;
    sinew_pose_set_all(p->model, p->before, sinew_rig_dof_count(p->rig), NULL);
    posing_scatter_more(p, p->model, limbs[0].sets);
    const float *hand = sinew_pose_world(p->model, goals[hand_goal].segment) + 12;
    const float *face = sinew_pose_world(p->model, goals[gaze_goal].segment);
    for (int i = 0; i < 3; i++) way[i] = hand[i] - face[12 + i];
    for (int i = 0; i < 3; i++)
      seen[i] = way[0] * face[4 * i] + way[1] * face[4 * i + 1] + way[2] * face[4 * i + 2];
    if (atan2f(seen[1], hypotf(seen[0], seen[2])) * degrees < -60) continue;
    for (int i = 0; i < count; i++)
      if (goals[i].kind == SINEW_GOAL_BALANCE) off = sinew_goal_error(&goals[i], p->model);
    if (off > 0) continue;
    memcpy(dest, hand, sizeof way);
    return;
  }
}

static void bench_stance(posing *p, const stance *s) {
  sinew_goal goals[most_goals];
  float metres = 0, degrees = 0, others = 0, gaze = 0, low = INFINITY, off[most_goals];
  int grounded = 0;
  char text[96];
  tally t = { 0 };
  sinew_pose_reset(p->pose);
  sinew_pose_eval(p->pose, NULL);
  int count = stance_goals(p, s, goals);
  sinew_solver *solver = posing_solver(p, goals, count, NULL, true);
  sinew_solve_options options = sinew_default_solve_options();
  options.tolerance = 5e-4f, options.tolerance_turn = 0.5f;
  stand(p, s, goals, count);
  p->random = 3;
  for (int g = 0; g < (bench_smoke() ? 2 : 100); g++) {
    stance_hand(p, goals, count, goals[hand_goal].target);
    memcpy(goals[gaze_goal].target, goals[hand_goal].target, sizeof goals[gaze_goal].target);
    for (int i = 0; i < count; i++) sinew_solver_set_goal(solver, i, &goals[i], NULL);
    sinew_pose_reset(p->pose);
    solve(p, solver, &options, &t);
    for (int i = 0; i < count; i++) off[i] = sinew_goal_error(&goals[i], p->pose);
    metres = fmaxf(metres, fmaxf(off[0], off[1]));
    degrees = fmaxf(degrees, fmaxf(off[2], off[3]));
    others = fmaxf(others, fmaxf(off[pelvis_goal], off[hand_goal]));
    gaze = fmaxf(gaze, off[gaze_goal]);
    grounded += fmaxf(off[0], off[1]) <= 5e-4f && fmaxf(off[2], off[3]) <= 0.5f;
    for (int i = 0; i < 2; i++)
      low = fminf(low, sinew_pose_world(p->pose, posing_segment(p, i ? "tibia_l" : "tibia_r"))[13]);
  }
  report(s->name, &t, t.solves, 0);
  snprintf(text, sizeof text, "%s: soles within 0.5 mm and 0.5 degrees", s->name);
  bench_of(text, grounded, t.solves, t.solves);
  snprintf(text, sizeof text, "%s: worst sole, mm", s->name);
  bench_ratio(text, (double)metres * 1e3, 0.5);
  snprintf(text, sizeof text, "%s: worst sole, degrees", s->name);
  bench_ratio(text, (double)degrees, 0.5);
  snprintf(text, sizeof text, "%s: worst of pelvis and hand, mm", s->name);
  bench_ratio(text, (double)others * 1e3, 0);
  snprintf(text, sizeof text, "%s: worst gaze, degrees", s->name);
  bench_ratio(text, (double)gaze, 0);
  snprintf(text, sizeof text, "%s: lowest knee, metres above the floor", s->name);
  bench_ratio(text, (double)low, 0);
  sinew_solver_destroy(solver);
}

static void bench_feet(posing *p) {
  for (size_t i = 0; i < sizeof stances / sizeof *stances; i++) bench_stance(p, &stances[i]);
}

void bench_posing(const char *word) {
  static const struct {
    const char *name;
    void (*run)(posing *p);
  } scenarios[] = { { "drag", bench_posing_drag }, { "spine", bench_spine },
                    { "feet", bench_feet },        { "return", bench_posing_return },
                    { "table1", bench_chain },     { "batch", bench_crowd } };
  sinew_error error;
  posing p = { 0 };
  sinew_host_desc desc = sinew_default_host_desc();
  desc.modules = "lua";
  p.host = sinew_host_create(&desc, &error);
  bench_check(p.host != NULL, &error);
  bench_check(sinew_host_load(p.host, "rigs/human.lua", &error) >= 0, &error);
  p.rig = sinew_host_rig(p.host);
  p.pose = sinew_pose_create(p.rig, &error);
  bench_check(p.pose != NULL, &error);
  p.model = sinew_pose_create(p.rig, &error);
  bench_check(p.model != NULL, &error);
  for (int i = 0; i < limb_count; i++)
    if (!word || strstr(limbs[i].name, word)) bench_limb(&p, &limbs[i]);
  for (size_t i = 0; i < sizeof scenarios / sizeof *scenarios; i++)
    if (!word || strstr(scenarios[i].name, word)) scenarios[i].run(&p);
  sinew_pose_destroy(p.model);
  sinew_pose_destroy(p.pose);
  sinew_host_destroy(p.host);
}
