/* Batches of solves: the same bits as one solver that solves one character after the other, with
 * any number of threads; characters that fail; memory that runs out. */
#include "asserts.h"
#include "limb.h"
#include "make.h"
#include "minunit.h"
#include "owned.h"
#include "scarce.h"

#include <string.h>

static sinew_error error;

enum { dofs = 7, characters = 40, stride = dofs + 2, goal_count = 2 };

/* an arm that cannot fail: a cone at the shoulder, a bound of the elbow, two angles of the wrist */
static sinew_rig *make_arm(void) {
  return make_text(
      "dof lift -80 80; dof side -80 80; dof twist -90 90; dof elbow 0 150\n"
      "dof flex -70 70; dof sway -30 30; dof idle -1 1\n"
      "rotation lifting angle=lift axis=1,0,0; rotation siding angle=side axis=0,1,0\n"
      "rotation twisting angle=twist axis=0,0,1\n"
      "multiply shoulder matrix=lifting matrix=siding matrix=twisting\n"
      "dependency bounded active=lift passive=elbow upper=piecewise:-60,140,60,50\n"
      "rotation bending angle=bounded axis=-1,0,0\n"
      "rotation flexing angle=flex axis=1,0,0; rotation swaying angle=sway axis=0,1,0\n"
      "multiply wrist matrix=flexing matrix=swaying\n"
      "segment upper; segment lower upper 0,0,0.3; segment hand lower 0,0,0.25\n"
      "drive upper shoulder; drive lower bending; drive hand wrist");
}

typedef struct crowd {
  float values[characters * stride];
  sinew_goal goals[characters * goal_count];
  sinew_solve_result results[characters];
} crowd;

static sinew_segment segment_of(const sinew_rig *rig, const char *name) {
  return sinew_rig_find_segment(rig, name, NULL);
}

/* starts at random, with the hand at a point and the forearm in a direction; some cannot be
 * reached */
static void fill(const sinew_rig *rig, uint32_t seed, crowd *dest) {
  memset(dest, 0, sizeof *dest);
  for (int i = 0; i < characters; i++) {
    float *values = dest->values + i * stride;
    for (int d = 0; d < stride; d++) {
      sinew_dof_info info = { .max = 9 };
      if (d < dofs) info = sinew_rig_dof_info(rig, sinew_rig_dof(rig, d));
      values[d] = make_between(&seed, info.min, info.max);
    }
    sinew_goal *goals = dest->goals + i * goal_count;
    goals[0] = sinew_default_goal(SINEW_GOAL_POINT, segment_of(rig, "hand"));
    goals[1] = sinew_default_goal(SINEW_GOAL_AIM, segment_of(rig, "lower"));
    for (int k = 0; k < 3; k++) goals[0].target[k] = make_between(&seed, -0.4f, 0.4f);
    make_axis(&seed, goals[1].target);
    goals[1].weight = i % 3 ? 0.01f : 0;
  }
}

static sinew_solver_desc desc_of(const crowd *c) {
  sinew_solver_desc desc = sinew_default_solver_desc();
  desc.goals = c->goals;
  desc.goal_count = goal_count;
  return desc;
}

/* each character by a solver and a pose of its own */
static void solve_alone(const sinew_rig *rig, const sinew_solve_options *how, float least,
                        crowd *c) {
  for (int i = 0; i < characters; i++) {
    OWNED(pose) *pose = sinew_pose_create(rig, NULL);
    sinew_solver_desc desc = desc_of(c);
    desc.goals += i * goal_count;
    OWNED(solver) *s = sinew_solver_create(rig, &desc, NULL);
    sinew_solver_set_range(s, 0, least, INFINITY, NULL);
    sinew_pose_set_all(pose, c->values + i * stride, dofs, NULL);
    sinew_solver_solve(s, pose, how, &c->results[i], NULL);
    memcpy(c->values + i * stride, sinew_pose_dofs(pose), dofs * sizeof(float));
  }
}

static bool same(const crowd *a, const crowd *b) {
  for (int i = 0; i < characters; i++) {
    const sinew_solve_result *x = &a->results[i], *y = &b->results[i];
    if (x->end != y->end || x->iterations != y->iterations || x->evaluations != y->evaluations ||
        x->starts != y->starts || memcmp(&x->error, &y->error, 3 * sizeof(float)) != 0)
      return false;
  }
  return memcmp(a->values, b->values, sizeof a->values) == 0;
}

MU_SLOW_TEST(a_batch_solves_each_character_as_if_it_were_alone) {
  OWNED(rig) *rig = make_arm();
  static crowd alone, together;
  sinew_solve_options how = sinew_default_solve_options();
  how.posture = 1e-4f;
  for (int round = 0; round < 3; round++) {
    const sinew_solve_options *options = round == 1 ? &how : NULL;
    float least = round == 2 ? -10 : -INFINITY;
    fill(rig, 50 + (uint32_t)round, &alone);
    solve_alone(rig, options, least, &alone);
    int reached = 0;
    for (int i = 0; i < characters; i++) reached += alone.results[i].end == SINEW_SOLVE_REACHED;
    MU_CHECK(round == 1 || (reached > 0 && reached < characters));
    static const int threads[] = { 1, 2, 5 };
    for (int t = 0; t < 3; t++) {
      fill(rig, 50 + (uint32_t)round, &together);
      sinew_solver_desc desc = desc_of(&together);
      OWNED(solve_batch) *b = MU_MADE(sinew_solve_batch_create(rig, &desc, threads[t], &error));
      MU_INT(sinew_solve_batch_threads(b), threads[t]);
      sinew_solver_set_range(sinew_solve_batch_solver(b), 0, least, INFINITY, NULL);
      /* the second time with threads that have solved something else */
      for (int again = 0; again < 2; again++) {
        fill(rig, 50 + (uint32_t)round, &together);
        MU_INT(sinew_solve_batch_run(b, together.values, stride, together.goals, characters,
                                     options, together.results, &error),
               SINEW_OK);
        MU_CHECK(same(&alone, &together));
      }
      /* without results, and of nobody */
      fill(rig, 50 + (uint32_t)round, &together);
      MU_INT(sinew_solve_batch_run(b, together.values, stride, together.goals, characters, options,
                                   NULL, NULL),
             SINEW_OK);
      MU_CHECK(memcmp(alone.values, together.values, sizeof alone.values) == 0);
      MU_INT(sinew_solve_batch_run(b, NULL, stride, NULL, 0, NULL, NULL, &error), SINEW_OK);
    }
  }
}

MU_TEST(a_batch_takes_as_many_threads_as_the_machine_has_or_one_where_a_component_can_fail) {
  OWNED(rig) *rig = make_arm();
  OWNED_LIMB l = limb_open();
  static crowd c;
  fill(rig, 60, &c);
  sinew_solver_desc desc = desc_of(&c);
  OWNED(solve_batch) *all = MU_MADE(sinew_solve_batch_create(rig, &desc, 0, &error));
  MU_CHECK(sinew_solve_batch_threads(all) >= 1);
  sinew_goal goal = sinew_default_goal(SINEW_GOAL_POINT, l.hand);
  desc.goals = &goal;
  desc.goal_count = 1;
  OWNED(solve_batch) *one = MU_MADE(sinew_solve_batch_create(l.rig, &desc, 5, &error));
  MU_INT(sinew_solve_batch_threads(one), 1);
  MU_REFUSED_AS(sinew_solve_batch_create(rig, &desc, -1, &error),
                "a batch has 1 to 256 threads, or 0 for as many as the machine has, not -1");
  MU_CHECK(!sinew_solve_batch_create(rig, &desc, 257, NULL));
  desc.goal_count = 0;
  MU_REFUSED_AS(sinew_solve_batch_create(rig, &desc, 2, &error), "a solver needs a goal");
  sinew_solve_batch_destroy(NULL);
}

MU_SLOW_TEST(the_first_character_that_fails_is_named_and_the_others_are_solved) {
  OWNED(rig) *rig = make_arm();
  static crowd good, bad, start;
  fill(rig, 61, &good);
  fill(rig, 61, &start);
  solve_alone(rig, NULL, -INFINITY, &good);
  for (int threads = 1; threads < 4; threads++) {
    fill(rig, 61, &bad);
    bad.goals[16 * goal_count + 1].target[2] = NAN;
    bad.goals[20 * goal_count].segment.id = 1;
    bad.values[30 * stride + 4] = INFINITY;
    sinew_solver_desc desc = desc_of(&start);
    OWNED(solve_batch) *b = MU_MADE(sinew_solve_batch_create(rig, &desc, threads, &error));
    MU_FAILS_AS(sinew_solve_batch_run(b, bad.values, stride, bad.goals, characters, NULL,
                                      bad.results, &error),
                SINEW_ERR_NOT_FINITE,
                "character 17: goal 2, on 'lower', has a number that is not finite");
    for (int i = 0; i < characters; i++) {
      bool failed = i == 16 || i == 20 || i == 30;
      const crowd *expected = failed ? &start : &good;
      if (i == 30) MU_CHECK(isinf(bad.values[i * stride + 4]));
      if (i == 30) bad.values[i * stride + 4] = start.values[i * stride + 4];
      MU_CHECK_SAY(memcmp(bad.values + i * stride, expected->values + i * stride,
                          stride * sizeof(float)) == 0,
                   "character %d with %d threads", i + 1, threads);
      MU_INT(isinf(bad.results[i].error) && isinf(bad.results[i].error_turn), failed);
    }
    bad.goals[16 * goal_count + 1].target[2] = 1;
    MU_FAILS_AS(
        sinew_solve_batch_run(b, bad.values, stride, bad.goals, characters, NULL, NULL, &error),
        SINEW_ERR_VALUE,
        "character 21: goal 1 keeps its kind and segments for as long as the solver");
    bad.goals[20 * goal_count] = start.goals[20 * goal_count];
    bad.values[30 * stride + 4] = NAN;
    MU_FAILS_AS(
        sinew_solve_batch_run(b, bad.values, stride, bad.goals, characters, NULL, NULL, &error),
        SINEW_ERR_NOT_FINITE, "character 31: DOF 'flex': nan is not finite");
  }
}

MU_TEST(a_component_that_fails_fails_its_character_alone) {
  OWNED_LIMB l = limb_open();
  enum { count = 6 };
  float values[count * LIMB_DOFS] = { 0 };
  sinew_goal goals[count];
  sinew_solve_result results[count];
  for (int i = 0; i < count; i++) {
    goals[i] = sinew_default_goal(SINEW_GOAL_POINT, l.hand);
    goals[i].target[1] = 1.2f, goals[i].target[2] = i == 3 ? 0.35f : 0.55f;
    if (i == 3) values[i * LIMB_DOFS + LIMB_ELBOW] = 80;
  }
  sinew_solver_desc desc = sinew_default_solver_desc();
  desc.goals = goals;
  desc.goal_count = 1;
  OWNED(solve_batch) *b = MU_MADE(sinew_solve_batch_create(l.rig, &desc, 2, &error));
  limb_fail_above(60);
  sinew_status status =
      sinew_solve_batch_run(b, values, LIMB_DOFS, goals, count, NULL, results, &error);
  limb_fail_above(INFINITY);
  MU_INT(status, SINEW_ERR_SCRIPT);
  MU_CHECK_SAY(strncmp(error.text, "character 4: ", 13) == 0, "%s", error.text);
  for (int i = 0; i < count; i++) MU_INT(isinf(results[i].error), i == 3);
  MU_NEAR(values[3 * LIMB_DOFS + LIMB_ELBOW], 80, 0);
}

MU_TEST(batches_of_solves_survive_failing_memory_and_allocate_only_when_created) {
  static crowd c;
  scarce_memory(1000000);
  sinew_rig *rig = make_arm();
  fill(rig, 62, &c);
  sinew_solver_desc desc = desc_of(&c);
  size_t before = sinew_live_blocks();
  sinew_solve_batch *b = NULL;
  int failures = 0;
  for (; failures < 200 && !b; failures++) {
    scarce_memory(failures);
    b = sinew_solve_batch_create(rig, &desc, 3, &error);
    if (!b && (sinew_live_blocks() != before || error.status != SINEW_ERR_MEMORY)) break;
  }
  scarce_memory(0);
  sinew_status status = SINEW_ERR_MEMORY;
  if (b)
    status =
        sinew_solve_batch_run(b, c.values, stride, c.goals, characters, NULL, c.results, &error);
  sinew_solve_batch_destroy(b);
  size_t left = sinew_live_blocks();
  sinew_rig_destroy(rig);
  plenty_of_memory();
  MU_INT(status, SINEW_OK);
  MU_INT(left, before);
  MU_CHECK(failures > 10 && c.results[0].iterations > 0);
}

MU_TEST(a_stride_that_is_too_short_is_a_bug_of_the_caller) {
  OWNED(rig) *rig = make_arm();
  static crowd c;
  fill(rig, 63, &c);
  sinew_solver_desc desc = desc_of(&c);
  OWNED(solve_batch) *b = MU_MADE(sinew_solve_batch_create(rig, &desc, 1, &error));
  asserts_begin();
  sinew_status shortened =
      sinew_solve_batch_run(b, c.values, dofs - 1, c.goals, characters, NULL, NULL, &error);
  sinew_status negative = sinew_solve_batch_run(b, c.values, stride, c.goals, -1, NULL, NULL, NULL);
  sinew_status nowhere = sinew_solve_batch_run(b, NULL, stride, c.goals, 1, NULL, NULL, NULL);
  asserts_end();
  MU_INT(shortened, SINEW_ERR_CALL);
  MU_INT(negative, SINEW_ERR_CALL);
  MU_INT(nowhere, SINEW_ERR_CALL);
  MU_INT(asserted, 3);
}

MU_SUITE(solve_batch)
