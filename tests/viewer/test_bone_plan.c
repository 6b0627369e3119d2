/* Plain bones: what is drawn for segments without shapes, and that it depends on proportions
 * alone. */
#include "make.h"
#include "minunit.h"

#include "plain/bone_plan.h"
#include "plain/space.h"

#include <stdlib.h>

enum { most = 16 };

/* joints by their positions in the world; all frames are upright */
typedef struct joints {
  int parents[most];
  float at[most][3];
  plan_look looks[most];
  int count;
} joints;

static bone_plan plan_of(const joints *j, float scale) {
  float worlds[16 * most];
  bone_plan plan;
  for (int i = 0; i < j->count; i++) {
    space_identity(worlds + 16 * i);
    for (int k = 0; k < 3; k++) worlds[16 * i + 12 + k] = scale * j->at[i][k];
  }
  plan_rig rig = { j->count, j->parents, worlds, NULL, j->looks };
  if (!bone_plan_make(&rig, &plan)) plan = (bone_plan){ 0 };
  return plan;
}

static int count_of(const bone_plan *plan, plan_kind kind, int segment) {
  int count = 0;
  for (int i = 0; i < plan->count; i++)
    count += plan->parts[i].kind == kind && plan->parts[i].segment == segment;
  return count;
}

static const plan_part *part_of(const bone_plan *plan, plan_kind kind, int segment) {
  static const plan_part none = { .segment = -1 };
  for (int i = 0; i < plan->count; i++)
    if (plan->parts[i].kind == kind && plan->parts[i].segment == segment) return &plan->parts[i];
  return &none;
}

static float length_of(const plan_part *part) { return space_distance(part->from, part->to); }

/* hip, knee, ankle, and a patella beside the knee */
static const joints leg = {
  { -1, 0, 1, 1 },
  { { 0, 0.95f, 0 }, { 0, 0.9f, 0 }, { 0, 0.48f, 0 }, { 0, 0.5f, 0.05f } },
  { PLAN_PLAIN },
  4
};

MU_TEST(a_watch_and_an_excavator_look_alike) {
  static const float scales[] = { 0.05f / 0.95f, 1, 5 / 0.95f, 1000 };
  bone_plan one = plan_of(&leg, 1);
  for (size_t s = 0; s < sizeof scales / sizeof *scales; s++) {
    bone_plan other = plan_of(&leg, scales[s]);
    MU_INT(other.count, one.count);
    MU_NEAR(other.size, scales[s] * one.size, 1e-5f * scales[s]);
    for (int i = 0; i < one.count && i < other.count; i++) {
      MU_INT(other.parts[i].kind, one.parts[i].kind);
      MU_INT(other.parts[i].segment, one.parts[i].segment);
      MU_NEAR(other.parts[i].radius, scales[s] * one.parts[i].radius, 1e-5f * scales[s]);
      for (int k = 0; k < 3; k++) {
        MU_NEAR(other.parts[i].from[k], scales[s] * one.parts[i].from[k], 1e-5f * scales[s]);
        MU_NEAR(other.parts[i].to[k], scales[s] * one.parts[i].to[k], 1e-5f * scales[s]);
      }
    }
    bone_plan_free(&other);
  }
  bone_plan_free(&one);
}

MU_TEST(a_bone_leads_to_the_child_and_is_8_percent_wide) {
  bone_plan plan = plan_of(&leg, 1);
  const plan_part *thigh = part_of(&plan, PLAN_BONE, 1);
  MU_INT(count_of(&plan, PLAN_BONE, 1), 1);
  MU_NEAR(thigh->to[1], -0.42, 1e-6);
  MU_NEAR(2 * thigh->radius, 0.08 * 0.42, 1e-6);
  MU_NEAR(part_of(&plan, PLAN_BALL, 1)->radius, 0.25 * 0.05, 1e-6); /* hip and pelvis are close */
  MU_NEAR(part_of(&plan, PLAN_BALL, 2)->radius, 0.015 * plan.size, 1e-6);
  bone_plan_free(&plan);
}

MU_TEST(a_child_beside_a_bone_is_reached_by_dots) {
  bone_plan plan = plan_of(&leg, 1);
  const plan_part *dots = part_of(&plan, PLAN_DOTS, 1);
  MU_INT(count_of(&plan, PLAN_DOTS, 1), 1);
  /* from the thigh's bone, straight to the patella */
  MU_NEAR(dots->from[1], -0.4, 1e-6);
  MU_NEAR(dots->from[2], 0, 1e-6);
  MU_NEAR(dots->to[2], 0.05, 1e-6);
  /* which is as small as its offset, not as long as the thigh */
  MU_CHECK(length_of(part_of(&plan, PLAN_BONE, 3)) <= 0.05f);
  bone_plan_free(&plan);
}

MU_TEST(children_apart_have_a_bone_each) {
  joints hand = { { -1, 0, 0, 0 },
                  { { 0, 1, 0 }, { -0.03f, 0.9f, 0 }, { 0, 0.9f, 0 }, { 0.03f, 0.9f, 0 } },
                  { PLAN_PLAIN },
                  4 };
  bone_plan plan = plan_of(&hand, 1);
  MU_INT(count_of(&plan, PLAN_BONE, 0), 3);
  MU_INT(count_of(&plan, PLAN_DOTS, 0), 0);
  bone_plan_free(&plan);
}

MU_TEST(a_leaf_goes_on_as_it_was_reached) {
  joints chain = { { -1, 0 }, { { 0, 2, 0 }, { 0.3f, 2, 0.4f } }, { PLAN_PLAIN }, 2 };
  bone_plan plan = plan_of(&chain, 1);
  const plan_part *leaf = part_of(&plan, PLAN_BONE, 1);
  MU_NEAR(length_of(leaf), 0.9 * 0.5, 1e-5);
  MU_NEAR(leaf->to[0] / length_of(leaf), 0.6, 1e-5);
  MU_NEAR(leaf->to[2] / length_of(leaf), 0.8, 1e-5);
  bone_plan_free(&plan);
  /* beside a sibling with a longer bone it is longer */
  joints trunk = { { -1, 0, 0, 2 },
                   { { 0, 2, 0 }, { 0, 2.1f, 0 }, { 0.1f, 1.95f, 0 }, { 0.1f, 1.55f, 0 } },
                   { PLAN_PLAIN },
                   4 };
  plan = plan_of(&trunk, 1);
  MU_NEAR(length_of(part_of(&plan, PLAN_BONE, 1)), sqrt(0.9 * 0.1 * 0.4), 1e-5);
  bone_plan_free(&plan);
}

MU_TEST(a_leaf_is_turned_as_its_joint_is_at_rest) {
  static const int parents[] = { -1, 0 };
  static const plan_look looks[] = { PLAN_PLAIN, PLAN_PLAIN };
  float worlds[32], rests[32], turn[16];
  const float x[3] = { 1, 0, 0 };
  space_identity(worlds);
  space_identity(rests);
  space_identity(rests + 16);
  worlds[13] = 2;
  rests[16 + 13] = 0.5f; /* above its parent, and bent forwards by 90 degrees */
  space_turn(x, 90, turn);
  space_mul(worlds, rests + 16, worlds + 16);
  space_mul(worlds + 16, turn, worlds + 16);
  bone_plan plan;
  plan_rig rig = { 2, parents, worlds, rests, looks };
  MU_CHECK(bone_plan_make(&rig, &plan));
  const plan_part *leaf = part_of(&plan, PLAN_BONE, 1);
  float end[3];
  space_direction(worlds + 16, leaf->to, end);
  MU_NEAR(end[2], 0.45, 1e-5);
  MU_NEAR(leaf->to[1], 0.45, 1e-5); /* straight on in its own frame */
  bone_plan_free(&plan);
}

MU_TEST(a_leaf_does_not_go_through_the_ground) {
  float low = INFINITY;
  joints chain = { { -1, 0 }, { { 0, 1, 0 }, { 0, 0.3f, 0 } }, { PLAN_PLAIN }, 2 };
  bone_plan plan = plan_of(&chain, 1);
  MU_NEAR(part_of(&plan, PLAN_BONE, 1)->to[1], -0.3, 1e-5); /* ends on it */
  bone_plan_free(&plan);
  chain.at[1][1] = 0.1f; /* no room to stand: a foot, forwards */
  plan = plan_of(&chain, 1);
  const plan_part *foot = part_of(&plan, PLAN_BONE, 1);
  MU_NEAR(foot->to[1], 0, 1e-6);
  MU_CHECK(foot->to[2] > 0.3f);
  bone_plan_free(&plan);
  plan = plan_of(&leg, 1);
  for (int i = 0; i < plan.count; i++)
    low = fminf(low, leg.at[plan.parts[i].segment][1] + plan.parts[i].to[1]);
  MU_CHECK(low > -1e-5f);
  bone_plan_free(&plan);
}

MU_TEST(joints_at_one_place_share_a_ball) {
  joints chain = {
    { -1, 0, 1, 2 }, { { 0, 1, 0 }, { 0, 1, 0 }, { 0, 1, 0 }, { 0, 0.6f, 0 } }, { PLAN_PLAIN }, 4
  };
  bone_plan plan = plan_of(&chain, 1);
  int balls = 0, bones = 0;
  for (int i = 0; i < 4; i++) {
    balls += count_of(&plan, PLAN_BALL, i);
    bones += count_of(&plan, PLAN_BONE, i);
  }
  MU_INT(balls, 2);
  MU_INT(bones, 2); /* from the last of them to the leaf, and the leaf */
  MU_INT(count_of(&plan, PLAN_BONE, 2), 1);
  MU_NEAR(length_of(part_of(&plan, PLAN_BONE, 3)), 0.9 * 0.4, 1e-5);
  bone_plan_free(&plan);
}

MU_TEST(a_single_joint_has_a_bone_a_ball_and_a_plate) {
  static const float heights[] = { 0, 0.001f, 1, 300 };
  for (int i = 0; i < 4; i++) {
    joints one = { { -1 }, { { 0, heights[i], 0 } }, { PLAN_PLAIN }, 1 };
    bone_plan plan = plan_of(&one, 1);
    MU_INT(plan.count, 3);
    MU_NEAR(length_of(part_of(&plan, PLAN_BONE, 0)), 0.25 * (heights[i] > 0 ? heights[i] : 1),
            1e-4);
    MU_INT(count_of(&plan, PLAN_BALL, 0), 1);
    MU_INT(count_of(&plan, PLAN_PLATE, 0), 1);
    bone_plan_free(&plan);
  }
}

MU_TEST(a_root_on_the_ground_stands_on_its_plate) {
  joints lamp = {
    { -1, 0, 1 }, { { 0, 0.03f, 0 }, { 0, 0.3f, 0 }, { 0, 0.5f, 0.1f } }, { PLAN_PLAIN }, 3
  };
  bone_plan plan = plan_of(&lamp, 1);
  MU_NEAR(part_of(&plan, PLAN_PLATE, 0)->from[1], -0.03, 1e-6);
  MU_INT(count_of(&plan, PLAN_POST, 0), 1);
  MU_INT(count_of(&plan, PLAN_BONE, 0), 1);
  bone_plan_free(&plan);
  /* what stands there on two feet is not a part of the root */
  joints walker = { { -1, 0, 1, 1 },
                    { { 0, 0, 0 }, { 0, 1, 0 }, { -0.1f, 0.05f, 0 }, { 0.1f, 0.05f, 0 } },
                    { PLAN_PLAIN },
                    4 };
  plan = plan_of(&walker, 1);
  MU_INT(count_of(&plan, PLAN_BONE, 0), 0);
  MU_INT(count_of(&plan, PLAN_DOTS, 0), 1);
  bone_plan_free(&plan);
}

MU_TEST(shaped_and_hidden_segments_have_no_parts) {
  joints rig = { { -1, 0, 1, 2 },
                 { { 0, 0, 0 }, { 0, 1, 0 }, { 0, 0.6f, 0 }, { 0, 0.4f, 0 } },
                 { PLAN_HIDDEN, PLAN_PLAIN, PLAN_SHAPED, PLAN_PLAIN },
                 4 };
  bone_plan plan = plan_of(&rig, 1);
  for (int i = 0; i < plan.count; i++)
    MU_CHECK(plan.parts[i].segment == 1 || plan.parts[i].segment == 3);
  MU_INT(count_of(&plan, PLAN_PLATE, 1), 1); /* the first that is seen is the root */
  MU_INT(count_of(&plan, PLAN_PLATE, 3), 0);
  MU_INT(count_of(&plan, PLAN_BONE, 1), 1); /* also towards a child with a shape */
  /* what is hidden between two segments does not part them */
  rig.looks[0] = rig.looks[3] = PLAN_PLAIN;
  rig.looks[1] = rig.looks[2] = PLAN_HIDDEN;
  bone_plan_free(&plan);
  plan = plan_of(&rig, 1);
  MU_NEAR(part_of(&plan, PLAN_BONE, 0)->to[1], 0.4, 1e-6);
  bone_plan_free(&plan);
}

static bool finite_plan(const bone_plan *plan) {
  bool fine = isfinite(plan->size) && plan->size > 0;
  for (int i = 0; i < plan->count; i++) {
    const plan_part *p = &plan->parts[i];
    fine &= isfinite(p->radius) && p->radius > 0;
    for (int k = 0; k < 3; k++) fine &= isfinite(p->from[k]) && isfinite(p->to[k]);
    if (p->kind == PLAN_BONE || p->kind == PLAN_PLATE) fine &= length_of(p) > 0;
  }
  return fine;
}

MU_TEST(any_rig_gives_finite_parts) {
  uint32_t seed = 3;
  for (int round = 0; round < mu_rounds(3000); round++) {
    int parents[most], count = 1 + (int)make_between(&seed, 0, most - 0.01f);
    plan_look looks[most];
    float worlds[16 * most], rests[16 * most], size = powf(10, make_between(&seed, -6, 6));
    for (int i = 0; i < count; i++) {
      parents[i] = (int)make_between(&seed, -1, (float)i) - (i == 0);
      if (parents[i] >= i) parents[i] = i - 1;
      looks[i] = (plan_look)(int)make_between(&seed, 0, 2.99f);
      make_frame(&seed, round % MAKE_FRAMES, worlds + 16 * i);
      make_frame(&seed, round % MAKE_FRAMES, rests + 16 * i);
      float choice = make_between(&seed, 0, 1);
      for (int k = 0; k < 3; k++) worlds[16 * i + 12 + k] *= size;
      if (choice < 0.2f && i) memcpy(worlds + 16 * i, worlds + 16 * (i - 1), 16 * sizeof *worlds);
      if (choice > 0.93f && choice < 0.94f) rests[16 * i + 5] = NAN;
      if (choice > 0.95f) worlds[16 * i + 13] = choice > 0.97f ? NAN : INFINITY;
    }
    bone_plan plan;
    plan_rig rig = { count, parents, worlds, round % 2 ? rests : NULL, looks };
    MU_CHECK(bone_plan_make(&rig, &plan));
    MU_CHECK(finite_plan(&plan));
    bone_plan_free(&plan);
  }
  bone_plan none;
  MU_CHECK(bone_plan_make(&(plan_rig){ 0 }, &none));
  MU_INT(none.count, 0);
  bone_plan_free(&none);
}

MU_SUITE(bone_plan)
