/* Poses: dependence on DOFs, clamping and holds, failures, threads. */
#include "make.h"
#include "minunit.h"
#include "network.h"
#include "owned.h"

#include "compile/rig_internal.h"

#include <float.h>
#include <pthread.h>

/* moves a few DOFs, sometimes all, sometimes beyond their range, sometimes to their current value
 */
static void stir(sinew_pose *pose, uint32_t *seed) {
  const sinew_rig *rig = sinew_pose_rig(pose);
  int dofs = sinew_rig_dof_count(rig), moves = make_index(seed, 6) ? 1 + make_index(seed, 3) : dofs;
  for (int k = 0; k < moves; k++) {
    sinew_dof dof = sinew_rig_dof(rig, moves == dofs ? k : make_index(seed, dofs));
    float value = make_between(seed, -150, 150);
    if (make_index(seed, 8) == 0) value = sinew_pose_get(pose, dof);
    if (make_index(seed, 8) == 0) value = 0;
    sinew_pose_set(pose, dof, value, NULL);
  }
  if (make_index(seed, 20) == 0) sinew_pose_reset(pose);
}

MU_TEST(component_does_not_change_with_a_dof_it_does_not_depend_on) {
  uint32_t seed = 300;
  for (int round = 0; round < mu_rounds(30); round++) {
    OWNED(rig) *rig = network_make(make_random(&seed), 6, 40, 10);
    OWNED(pose) *a = sinew_pose_create(rig, NULL), *b = sinew_pose_create(rig, NULL);
    for (int d = 0; d < 6; d++) {
      sinew_pose_set_all(b, sinew_pose_dofs(a), 6, NULL);
      sinew_pose_set(b, sinew_rig_dof(rig, d), make_between(&seed, -100, 100), NULL);
      sinew_pose_eval(a, NULL);
      sinew_pose_eval(b, NULL);
      for (int i = 0; i < 40; i++) {
        sinew_component c = sinew_rig_component(rig, i);
        if (sinew_rig_depends(rig, c, sinew_rig_dof(rig, d))) continue;
        MU_CHECK(*sinew_pose_value(a, c, 0) == *sinew_pose_value(b, c, 0));
      }
      for (int i = 0; i < 40; i++) { /* and a wire is a dependence */
        sinew_component c = sinew_rig_component(rig, i);
        for (int k = 0; k < sinew_rig_component_info(rig, c).input_count; k++) {
          sinew_source s = sinew_rig_input(rig, c, k);
          if (s.dof.id == (uint32_t)d + 1) MU_CHECK(sinew_rig_depends(rig, c, s.dof));
        }
      }
    }
  }
}

MU_TEST(sources_of_a_component_are_the_dofs_it_depends_on) {
  uint32_t seed = 301;
  bool nodes[40], dofs[6];
  for (int round = 0; round < mu_rounds(30); round++) {
    OWNED(rig) *rig = network_make(make_random(&seed), 6, 40, 10);
    for (int i = 0; i < 40; i++) {
      sinew_component c = sinew_rig_component(rig, i);
      memset(nodes, make_index(&seed, 2), sizeof nodes);
      si_rig_sources(rig, rig->node_of[c.id - 1], nodes, dofs);
      for (int d = 0; d < 6; d++) MU_INT(dofs[d], sinew_rig_depends(rig, c, sinew_rig_dof(rig, d)));
    }
  }
}

MU_TEST(segments_without_a_parent_are_separate_trees) {
  sinew_builder *b = sinew_builder_create("two trees", NULL);
  sinew_segment body = sinew_add_bone(b, SINEW_ROOT, "body", (sinew_vec3){ 1, 0, 0 });
  make_segment(b, "arm", "body", 0, 2, 0);
  sinew_add_bone(b, SINEW_ROOT, "ball", (sinew_vec3){ 0, 0, 5 });
  sinew_add_dof(b, "height", NULL, -9, 9);
  sinew_add(b, "translation", "rise", SINEW_WIRES(sinew_wire_name("y", "height")), SINEW_NONE);
  sinew_builder_drive(b, body, "rise", NULL, NULL);
  sinew_rig *rig = make_rig(b, NULL);
  sinew_pose *pose = sinew_pose_create(rig, NULL);
  sinew_pose_set(pose, sinew_rig_dof(rig, 0), 3, NULL);
  MU_INT(sinew_pose_eval(pose, NULL), SINEW_OK);
  static const float places[3][3] = { { 1, 3, 0 }, { 1, 5, 0 }, { 0, 0, 5 } };
  for (int i = 0; i < 3; i++)
    for (int k = 0; k < 3; k++)
      MU_NEAR(sinew_pose_world(pose, sinew_rig_segment(rig, i))[12 + k], places[i][k], 0);
  sinew_pose_destroy(pose);
  sinew_rig_destroy(rig);
}

/* a rotation on one DOF from 0 to 90, with this rest value */
static sinew_rig *hinge(float rest) {
  return make_text("set elbow; segment arm; dof flexion 0 90 %.9g\n"
                   "rotation turn angle=flexion axis=0,0,1 angles=0,60; drive arm elbow.turn",
                   (double)rest);
}

/* address sanitizer and valgrind see whether it reads the rig */
MU_TEST(a_pose_of_a_detached_rig_can_be_destroyed_after_it) {
  sinew_rig *rig = network_make(7, 3, 8, 4);
  sinew_pose *poses[3];
  for (int i = 0; i < 3; i++) poses[i] = sinew_pose_create(rig, NULL);
  sinew_rig_detach(rig);
  sinew_rig_destroy(rig);
  sinew_pose_destroy(poses[1]);
  sinew_pose_destroy(poses[2]);
  sinew_pose_destroy(poses[0]);
}

static char asserted[512];
static void keep_assertion(const char *expression, const char *file, int line) {
  (void)file, (void)line;
  snprintf(asserted, sizeof asserted, "%s", expression);
}

/* destroys a rig that is in use, and says what was reported */
static const char *too_early(sinew_rig *rig) {
  asserted[0] = '\0';
  sinew_set_assert_handler(keep_assertion);
  sinew_rig_destroy(rig);
  sinew_set_assert_handler(NULL);
  return asserted;
}

MU_TEST(a_rig_outlives_what_was_created_for_it) {
  sinew_rig *rig = hinge(0);
  sinew_pose *pose = sinew_pose_create(rig, NULL);
  sinew_pose_eval(pose, NULL);
  MU_TEXT(too_early(rig), "rig 'rig' is destroyed before its pose");
  sinew_batch *batch = sinew_batch_create(rig, NULL, NULL);
  MU_TEXT(too_early(rig), "rig 'rig' is destroyed before its batch and 2 more of its users");
  sinew_batch_destroy(batch);
  sinew_tangent *tangent = sinew_tangent_create(rig, NULL, NULL);
  MU_HAS(too_early(rig), "its solver or tangent and 1 more");
  sinew_tangent_destroy(tangent);
  sinew_goal goal = sinew_default_goal(SINEW_GOAL_POINT, sinew_rig_segment(rig, 0));
  sinew_solver_desc desc = sinew_default_solver_desc();
  desc.goals = &goal, desc.goal_count = 1;
  sinew_solver *solver = sinew_solver_create(rig, &desc, NULL);
  MU_HAS(too_early(rig), "its solver or tangent and 2 more");
  sinew_solver_destroy(solver);
  sinew_recording *recording = sinew_recording_create(rig, 30, NULL);
  MU_HAS(too_early(rig), "its recording and 1 more");
  sinew_recording_destroy(recording);
  sinew_gltf *gltf = sinew_gltf_create(pose, NULL);
  MU_HAS(too_early(rig), "its glTF scene and 1 more");
  sinew_gltf_destroy(gltf);
  const float vertices[] = { 0, 0, 0, 1, 0, 0, 0, 1, 0 }, normals[] = { 0, 0, 1, 0, 0, 1, 0, 0, 1 };
  const uint32_t triangles[] = { 0, 1, 2 };
  sinew_skin_desc bound = sinew_default_skin_desc();
  bound.mesh = (sinew_shape){ vertices, normals, triangles, 3, 1 };
  sinew_skin *skin = sinew_skin_create(pose, &bound, NULL);
  MU_HAS(too_early(rig), "its skin and 1 more");
  sinew_skin_destroy(skin);
  /* it is still whole */
  MU_INT(sinew_pose_set(pose, sinew_rig_dof(rig, 0), 30, NULL), SINEW_OK);
  MU_INT(sinew_pose_eval(pose, NULL), SINEW_OK);
  sinew_pose_destroy(pose);
  MU_TEXT(too_early(rig), "");
}

static void *come_and_go(void *shared) {
  sinew_rig *rig = shared;
  for (int i = 0; i < 200; i++) {
    sinew_pose *pose = sinew_pose_create(rig, NULL);
    sinew_tangent *tangent = sinew_tangent_create(rig, NULL, NULL);
    sinew_pose_destroy(pose);
    sinew_tangent_destroy(tangent);
  }
  return NULL;
}

MU_TEST(users_of_a_rig_come_and_go_in_every_thread) {
  sinew_rig *rig = hinge(0);
  pthread_t threads[4];
  for (int i = 0; i < 4; i++) MU_INT(pthread_create(&threads[i], NULL, come_and_go, rig), 0);
  for (int i = 0; i < 4; i++) pthread_join(threads[i], NULL);
  MU_TEXT(too_early(rig), "");
}

/* with few of many DOFs moved, only the steps behind them run; their results are checked too */
MU_TEST(an_overflow_fails_though_few_dofs_moved) {
  sinew_builder *b = sinew_builder_create("far", NULL);
  char name[16];
  for (int i = 0; i < 8; i++) {
    snprintf(name, sizeof name, "d%d", i);
    sinew_add_dof(b, name, NULL, 0, 3e38f);
  }
  sinew_add(b, "translation", "t", SINEW_WIRES(sinew_wire_name("x", "d3")), SINEW_NONE);
  sinew_add(b, "translation", "u", SINEW_WIRES(sinew_wire_name("x", "d3")), SINEW_NONE);
  sinew_add(b, "multiply", "m",
            SINEW_WIRES(sinew_wire_name("matrix", "t"), sinew_wire_name("matrix", "u")),
            SINEW_NONE);
  sinew_builder_drive(b, sinew_add_bone(b, SINEW_ROOT, "s", (sinew_vec3){ 0, 0, 0 }), "m", NULL,
                      NULL);
  sinew_rig *rig = make_rig(b, NULL);
  MU_CHECK(rig);
  for (int plain = 0; plain < 2; plain++) {
    sinew_error error;
    sinew_pose *pose = sinew_pose_create(rig, NULL);
    sinew_pose_set_plain(pose, plain);
    sinew_dof dof = sinew_rig_dof(rig, 3);
    sinew_pose_set(pose, dof, 2, NULL);
    MU_INT(sinew_pose_eval(pose, &error), SINEW_OK);
    sinew_pose_set(pose, dof, 3e38f, NULL);
    MU_INT(sinew_pose_eval(pose, &error), SINEW_ERR_NOT_FINITE);
    MU_HAS(error.text, "component 'm' (multiply)");
    MU_NEAR(sinew_pose_worlds(pose)[12], 4, 0);
    sinew_pose_set(pose, dof, 1, NULL);
    MU_INT(sinew_pose_eval(pose, &error), SINEW_OK);
    MU_NEAR(sinew_pose_worlds(pose)[12], 2, 0);
    sinew_pose_destroy(pose);
  }
  sinew_rig_destroy(rig);
}

MU_TEST(setting_a_dof_clamps_and_reports_it) {
  OWNED(rig) *rig = hinge(10);
  OWNED(pose) *pose = sinew_pose_create(rig, NULL);
  sinew_dof d = sinew_rig_dof(rig, 0);
  sinew_hold holds[3];
  MU_NEAR(sinew_pose_get(pose, d), 10, 0);
  MU_INT(sinew_pose_set(pose, d, 45, NULL), SINEW_OK);
  MU_INT(sinew_pose_set(pose, d, 90, NULL), SINEW_OK);
  MU_INT(sinew_pose_set(pose, d, 95, NULL), SINEW_CLAMPED);
  MU_NEAR(sinew_pose_get(pose, d), 90, 0);
  MU_INT(sinew_pose_eval(pose, NULL), SINEW_OK);
  MU_INT(sinew_pose_holds(pose, holds, 3), 2);
  MU_TEXT(holds[0].name, "elbow.flexion");
  MU_INT(holds[0].dof.id, d.id);
  MU_INT(holds[0].component.id, 0);
  MU_NEAR(holds[0].amount, -5, 0);
  MU_TEXT(holds[1].name, "elbow.turn");
  MU_TEXT(holds[1].port, "angle");
  MU_TEXT(holds[1].doc, "the rotation's range");
  MU_NEAR(holds[1].amount, -30, 0);
  MU_INT(sinew_pose_holds(pose, holds, 1), 2);
  MU_INT(sinew_pose_set(pose, d, -FLT_MAX, NULL), SINEW_CLAMPED);
  MU_NEAR(sinew_pose_get(pose, d), 0, 0);
  sinew_pose_reset(pose);
  MU_NEAR(sinew_pose_get(pose, d), 10, 0);
  sinew_pose_eval(pose, NULL);
  MU_INT(sinew_pose_holds(pose, holds, 3), 0);
  MU_CHECK(sinew_pose_rig(pose) == rig);
}

MU_TEST(pose_refuses_values_that_are_not_finite) {
  OWNED(rig) *rig = hinge(0);
  OWNED(pose) *pose = sinew_pose_create(rig, NULL);
  sinew_dof d = sinew_rig_dof(rig, 0);
  sinew_error error;
  sinew_pose_set(pose, d, 30, NULL);
  static const float bad[] = { NAN, INFINITY, -INFINITY };
  static const char *const texts[] = { "DOF 'elbow.flexion': nan is not finite",
                                       "DOF 'elbow.flexion': inf is not finite",
                                       "DOF 'elbow.flexion': -inf is not finite" };
  for (int i = 0; i < 3; i++) {
    MU_FAILS_AS(sinew_pose_set(pose, d, bad[i], &error), SINEW_ERR_NOT_FINITE, texts[i]);
    MU_INT(sinew_pose_set_all(pose, &bad[i], 1, NULL), SINEW_ERR_NOT_FINITE);
    MU_NEAR(sinew_pose_get(pose, d), 30, 0);
  }
  MU_FAILS_AS(sinew_pose_set_all(pose, bad, 2, &error), SINEW_ERR_VALUE, "got 2 values for 1 DOF");
  MU_INT(sinew_pose_set_all(pose, bad, -1, NULL), SINEW_ERR_VALUE);
}

MU_TEST(all_dofs_are_set_or_none) {
  OWNED(rig) *rig = network_make(5, 4, 10, 5);
  OWNED(pose) *pose = sinew_pose_create(rig, NULL);
  const float before[] = { 11, 12, 13, 14 }, bad[] = { 15, 16, NAN, 18 },
              high[] = { 15, 16, 17, 1e9f };
  MU_INT(sinew_pose_set_all(pose, before, 4, NULL), SINEW_OK);
  MU_INT(sinew_pose_set_all(pose, bad, 4, NULL), SINEW_ERR_NOT_FINITE);
  MU_CHECK(memcmp(sinew_pose_dofs(pose), before, sizeof before) == 0);
  MU_INT(sinew_pose_set_all(pose, high, 4, NULL), SINEW_CLAMPED);
  MU_NEAR(sinew_pose_dofs(pose)[3], sinew_rig_dof_info(rig, sinew_rig_dof(rig, 3)).max, 0);
}

MU_TEST(zero_and_minus_zero_are_one_value) {
  for (int k = 0; k < 2; k++) {
    OWNED(rig) *rig = hinge(k ? -0.0f : 0.0f);
    OWNED(pose) *pose = sinew_pose_create(rig, NULL);
    sinew_dof d = sinew_rig_dof(rig, 0);
    MU_CHECK(!signbit(sinew_pose_get(pose, d)));
    sinew_pose_set(pose, d, 5, NULL);
    sinew_pose_set(pose, d, -0.0f, NULL);
    MU_CHECK(!signbit(sinew_pose_get(pose, d)));
  }
}

MU_TEST(overflow_inside_the_network_keeps_the_last_good_transforms) {
  OWNED(rig) *rig = make_text("segment s; dof d %.9g %.9g; map m x=d y=polynomial:0,1,1\n"
                              "translation t x=m.y; drive s t",
                              -(double)FLT_MAX, (double)FLT_MAX);
  OWNED(pose) *pose = sinew_pose_create(rig, NULL);
  sinew_pose_set(pose, sinew_rig_dof(rig, 0), 3, NULL);
  MU_INT(sinew_pose_eval(pose, NULL), SINEW_OK);
  sinew_pose_set(pose, sinew_rig_dof(rig, 0), 1e30f, NULL);
  sinew_error error;
  MU_FAILS_AS(sinew_pose_eval(pose, &error), SINEW_ERR_NOT_FINITE,
              "component 'm' (map): gave a value that is not finite");
  MU_NEAR(sinew_pose_world(pose, sinew_rig_segment(rig, 0))[12], 12, 0);
  MU_NEAR(sinew_pose_local(pose, sinew_rig_segment(rig, 0))[12], 12, 0);
}

MU_TEST(an_empty_rig_and_one_without_dofs_evaluate) {
  OWNED(rig) *rig = make_rig(sinew_builder_create(NULL, NULL), NULL);
  OWNED(pose) *pose = sinew_pose_create(rig, NULL);
  MU_INT(sinew_pose_eval(pose, NULL), SINEW_OK);
  MU_INT(sinew_pose_set_all(pose, NULL, 0, NULL), SINEW_OK);
  MU_INT(sinew_pose_holds(pose, NULL, 0), 0);

  OWNED(rig) *still = make_text("segment s 1,0,0; translation t y=#2; drive s t");
  OWNED(pose) *moved = sinew_pose_create(still, NULL);
  MU_INT(sinew_pose_eval(moved, NULL), SINEW_OK);
  MU_NEAR(dmat_off(dmat_move(1, 2, 0), sinew_pose_world(moved, sinew_rig_segment(still, 0))), 0, 0);
}

enum { threads = 4 };

typedef struct worker {
  const sinew_rig *rig;
  uint32_t seed;
  int steps;
  uint64_t digest;
} worker;

static void *work(void *data) {
  worker *w = data;
  OWNED(pose) *pose = sinew_pose_create(w->rig, NULL);
  for (int i = 0; i < w->steps; i++) {
    stir(pose, &w->seed);
    sinew_pose_eval(pose, NULL);
    w->digest = w->digest * 31 + network_digest(pose);
  }
  return NULL;
}

MU_TEST(poses_evaluated_on_threads_equal_sequential_ones) {
  OWNED(rig) *rig = network_make(77, 12, 150, 80);
  MU_CHECK(!sinew_rig_can_fail(rig));
  worker serial[threads], parallel[threads];
  pthread_t ids[threads];
  for (int i = 0; i < threads; i++) {
    serial[i] = parallel[i] = (worker){ rig, (uint32_t)i * 999, mu_rounds(400), 0 };
    work(&serial[i]);
  }
  for (int i = 0; i < threads; i++) MU_INT(pthread_create(&ids[i], NULL, work, &parallel[i]), 0);
  for (int i = 0; i < threads; i++) pthread_join(ids[i], NULL);
  for (int i = 0; i < threads; i++) {
    MU_CHECK(serial[i].digest == parallel[i].digest);
    if (i) MU_CHECK(serial[i].digest != serial[0].digest);
  }
}

MU_SUITE(pose)
