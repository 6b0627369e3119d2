/* The fused program against the nodes one by one: over every rig of rigs/, step by step, with every
 * value asked for (test_network.c has random networks); and what lies aside is as of the last
 * evaluation. */
#include "fuse.h"

#include "each_rig.h"
#include "make.h"
#include "minunit.h"
#include "network.h"
#include "pose.h"

#include <float.h>

/* the largest difference of a value, over the size of what is compared */
static double apart(const float *a, const float *b, size_t count) {
  double off = 0, size = 1;
  for (size_t i = 0; i < count; i++) {
    off = fmax(off, fabs((double)a[i] - (double)b[i]));
    size = fmax(size, fabs((double)a[i]));
    if (isnan(a[i]) != isnan(b[i])) return INFINITY;
  }
  return off / size;
}

/* every output and every hold, or the world matrices alone */
static double poses_apart(const sinew_pose *a, const sinew_pose *b, bool values) {
  static const size_t numbers[] = { 1, 3, 16 };
  const sinew_rig *rig = sinew_pose_rig(a);
  double off =
      apart(sinew_pose_worlds(a), sinew_pose_worlds(b), 16 * (size_t)sinew_rig_segment_count(rig));
  for (int i = 0; values && i < sinew_rig_component_count(rig); i++) {
    sinew_component c = sinew_rig_component(rig, i);
    for (int k = 0; k < sinew_rig_component_info(rig, c).output_count; k++)
      off = fmax(off, apart(sinew_pose_value(a, c, k), sinew_pose_value(b, c, k),
                            numbers[sinew_rig_output_kind(rig, c, k)]));
  }
  if (!values) return off;
  static sinew_hold held[2][512];
  int count = sinew_pose_holds(a, held[0], 512);
  if (count != sinew_pose_holds(b, held[1], 512)) return INFINITY;
  for (int i = 0; i < count && i < 512; i++)
    off = fmax(off, apart(&held[0][i].amount, &held[1][i].amount, 1));
  return off;
}

/* a pose and its plain twin go through `steps` poses, with few or all DOFs moved */
static double largest_apart(const sinew_rig *rig, int steps, uint32_t *seed) {
  int dofs = sinew_rig_dof_count(rig);
  sinew_pose *fused = sinew_pose_create(rig, NULL), *plain = sinew_pose_create(rig, NULL);
  sinew_pose_set_plain(plain, true);
  double off = 0;
  for (int step = 0; step < steps; step++) {
    int moves = step % 3 ? 1 + make_index(seed, 3) : dofs;
    for (int k = 0; k < moves; k++) {
      sinew_dof dof = sinew_rig_dof(rig, moves == dofs ? k : make_index(seed, dofs));
      sinew_dof_info info = sinew_rig_dof_info(rig, dof);
      float reach = 0.1f * (info.max - info.min);
      float value = make_between(seed, info.min - reach, info.max + reach);
      sinew_pose_set(fused, dof, value, NULL);
      sinew_pose_set(plain, dof, value, NULL);
    }
    if (sinew_pose_eval(fused, NULL) != sinew_pose_eval(plain, NULL)) off = INFINITY;
    off = fmax(off, poses_apart(fused, plain, step % 2));
  }
  sinew_pose_destroy(fused);
  sinew_pose_destroy(plain);
  return off;
}

typedef struct seen {
  uint32_t seed;
  double off;
  int count;
} seen;

static void visit(const sinew_rig *rig, const char *name, void *context) {
  (void)name;
  seen *s = context;
  if (sinew_rig_can_fail(rig)) return;
  s->off = fmax(s->off, largest_apart(rig, mu_rounds(60), &s->seed));
  s->count++;
}

MU_TEST(fused_rigs_of_the_folder_give_what_their_nodes_give) {
  seen s = { .seed = 901 };
  sinew_error error;
  MU_CHECK(each_rig(visit, &s, &error) > 0 && s.count >= 6);
  MU_TEXT(error.text, "");
  MU_NEAR(s.off, 0, 1e-6);
}

/* a segment driven by `count` turns in one product, and one by a single turn; an euler that
 * nothing reads lies aside */
static sinew_rig *turns_rig(int count, float range) {
  sinew_builder *b = sinew_builder_create("turns", NULL);
  sinew_segment s = make_segment(b, "s", NULL, 0, 0, 0), t = make_segment(b, "t", "s", 0, 1, 0);
  char name[32], wires[256] = "", from[64];
  for (int i = 0; i < count; i++) {
    snprintf(name, sizeof name, "d%d", i);
    make_dof(b, MAKE_NO_SET, name, -range, range);
    snprintf(from, sizeof from, "angle=d%d", i);
    snprintf(name, sizeof name, "r%d", i);
    make_part(
        b, MAKE_NO_SET, "rotation", name, from,
        MAKE_PARAMS(sinew_param_vector("axis", (float)(i % 3 == 0), (float)(i % 3 == 1), 0.3f),
                    sinew_param_vector("centre", 0.1f, 0, 0.2f)));
    snprintf(from, sizeof from, "%smatrix=r%d", i ? " " : "", i);
    strcat(wires, from);
  }
  make_part(b, MAKE_NO_SET, "multiply", "m", wires, NULL, 0);
  make_part(b, MAKE_NO_SET, "rotation", "alone", "angle=d0",
            MAKE_PARAMS(sinew_param_vector("axis", 0, 0, 1),
                        sinew_param_numbers("angles", ((const float[]){ -20, 0, 20 }), 3)));
  make_part(b, MAKE_NO_SET, "euler", "dead", "first=d0", NULL, 0);
  sinew_builder_drive(b, s, "m", NULL, NULL);
  sinew_builder_drive(b, t, "alone", NULL, NULL);
  return make_rig(b, NULL);
}

MU_TEST(every_number_of_turns_and_any_angle_is_fused) {
  uint32_t seed = 902;
  for (int count = 1; count <= 9; count++) {
    sinew_rig *rig = turns_rig(count, count % 2 ? 1e9f : 300);
    MU_CHECK(rig);
    MU_INT(rig->fused->turn_count, count + 1);
    MU_INT(rig->fused->step_count, 2);
    double off = largest_apart(rig, 40, &seed);
    sinew_rig_destroy(rig);
    MU_NEAR(off, 0, 1e-6);
  }
}

MU_TEST(values_left_aside_are_those_of_the_last_evaluation) {
  sinew_rig *rig = turns_rig(3, 90);
  sinew_pose *pose = sinew_pose_create(rig, NULL);
  sinew_dof d = sinew_rig_dof(rig, 0);
  sinew_component r0 = sinew_rig_find_component(rig, "r0", NULL);
  sinew_component dead = sinew_rig_find_component(rig, "dead", NULL);
  sinew_pose_set(pose, d, 40, NULL);
  sinew_pose_eval(pose, NULL);
  float turn[16], euler[16];
  memcpy(turn, sinew_pose_value(pose, r0, 0), sizeof turn);
  memcpy(euler, sinew_pose_value(pose, dead, 0), sizeof euler);
  dmat about = dmat_mul(dmat_turn((const float[]){ 1, 0, 0.3f }, 40), dmat_move(-0.1, 0, -0.2));
  MU_NEAR(dmat_off(dmat_mul(dmat_move(0.1, 0, 0.2), about), turn), 0, 1e-6);
  MU_NEAR(euler[5], cos(40 * 3.14159265358979 / 180), 1e-6);
  MU_INT(sinew_pose_holds(pose, NULL, 0), 1); /* 'alone' goes to 20 */
  /* set, but not evaluated; and asked for the first time after that */
  for (int asked = 0; asked < 2; asked++) {
    sinew_pose_set(pose, d, 10, NULL);
    MU_CHECK(memcmp(turn, sinew_pose_value(pose, r0, 0), sizeof turn) == 0);
    MU_CHECK(memcmp(euler, sinew_pose_value(pose, dead, 0), sizeof euler) == 0);
    MU_INT(sinew_pose_holds(pose, NULL, 0), 1);
    MU_NEAR(sinew_pose_get(pose, d), 10, 0);
    sinew_pose_eval(pose, NULL);
    sinew_pose_set(pose, d, 40, NULL);
    sinew_pose_eval(pose, NULL);
  }
  sinew_pose_set(pose, d, 10, NULL);
  sinew_pose_eval(pose, NULL);
  MU_NEAR(sinew_pose_value(pose, dead, 0)[5], cos(10 * 3.14159265358979 / 180), 1e-6);
  MU_INT(sinew_pose_holds(pose, NULL, 0), 0);
  sinew_pose_destroy(pose);
  sinew_rig_destroy(rig);
}

MU_TEST(setting_all_dofs_is_setting_each) {
  uint32_t seed = 905;
  for (int dofs = 1; dofs < 14; dofs++) {
    sinew_rig *rig = network_make(make_random(&seed), dofs, 30, 10);
    sinew_pose *whole = sinew_pose_create(rig, NULL), *each = sinew_pose_create(rig, NULL);
    for (int step = 0; step < 40; step++) {
      float values[14];
      sinew_status expected = SINEW_OK;
      memcpy(values, sinew_pose_dofs(whole), (size_t)dofs * sizeof(float));
      for (int i = 0; i < dofs; i++) {
        if (make_index(&seed, 3) < step % 4) values[i] = make_between(&seed, -140, 140);
        if (make_index(&seed, 20) == 0) values[i] = make_index(&seed, 2) ? -0.0f : FLT_MAX;
        if (sinew_pose_set(each, sinew_rig_dof(rig, i), values[i], NULL) == SINEW_CLAMPED)
          expected = SINEW_CLAMPED;
      }
      MU_INT(sinew_pose_set_all(whole, values, dofs, NULL), expected);
      MU_CHECK(memcmp(sinew_pose_dofs(whole), sinew_pose_dofs(each), (size_t)dofs * 4) == 0);
      MU_CHECK(memcmp(whole->held, each->held, (size_t)dofs * 4) == 0);
      sinew_pose_eval(whole, NULL);
      sinew_pose_eval(each, NULL);
      MU_CHECK(network_same(whole, each));
      values[make_index(&seed, dofs)] = NAN;
      MU_INT(sinew_pose_set_all(whole, values, dofs, NULL), SINEW_ERR_NOT_FINITE);
      MU_CHECK(memcmp(sinew_pose_dofs(whole), sinew_pose_dofs(each), (size_t)dofs * 4) == 0);
    }
    sinew_pose_destroy(whole);
    sinew_pose_destroy(each);
    sinew_rig_destroy(rig);
  }
}

static sinew_status grumble(const sinew_node *node, float *values, sinew_error *error) {
  (void)error;
  float x = *sinew_node_in(node, values, 0);
  *sinew_node_out(node, values, 0) = x;
  return x > 50 ? SINEW_ERR_SCRIPT : SINEW_OK;
}

MU_TEST(a_failure_leaves_what_lies_aside_as_it_was) {
  static const sinew_port_desc in[] = { { "x", SINEW_SCALAR, 0, 0, "", "" }, { 0 } };
  static const sinew_port_desc out[] = { { "y", SINEW_SCALAR, 0, 0, "", "" }, { 0 } };
  static const sinew_component_class cls = {
    .name = "grumble", .doc = "", .inputs = in, .outputs = out, .try_eval = grumble
  };
  sinew_builder *b = sinew_builder_create("grumbling", NULL);
  sinew_builder_add_class(b, &cls, NULL);
  sinew_segment s = make_segment(b, "s", NULL, 0, 0, 0);
  make_dof(b, MAKE_NO_SET, "a", -90, 90);
  make_dof(b, MAKE_NO_SET, "b", -90, 90);
  make_part(b, MAKE_NO_SET, "grumble", "g", "x=a", NULL, 0);
  make_part(b, MAKE_NO_SET, "rotation", "r1", "angle=g",
            MAKE_PARAMS(sinew_param_vector("axis", 1, 0, 0)));
  make_part(b, MAKE_NO_SET, "rotation", "r2", "angle=b",
            MAKE_PARAMS(sinew_param_vector("axis", 0, 1, 0)));
  make_part(b, MAKE_NO_SET, "multiply", "m", "matrix=r1 matrix=r2", NULL, 0);
  sinew_builder_drive(b, s, "m", NULL, NULL);
  sinew_rig *rig = make_rig(b, NULL);
  sinew_pose *pose = sinew_pose_create(rig, NULL), *expected = sinew_pose_create(rig, NULL);
  sinew_pose_set_all(pose, (const float[]){ 20, 30 }, 2, NULL);
  sinew_pose_set_all(expected, (const float[]){ 20, 30 }, 2, NULL);
  MU_INT(sinew_pose_eval(expected, NULL), SINEW_OK);
  for (int asked = 0; asked < 2; asked++) {
    MU_INT(sinew_pose_eval(pose, NULL), SINEW_OK);
    if (asked) MU_CHECK(network_same(pose, expected));
    sinew_pose_set_all(pose, (const float[]){ 60, 70 }, 2, NULL);
    MU_INT(sinew_pose_eval(pose, NULL), SINEW_ERR_SCRIPT);
    MU_CHECK(network_same(pose, expected));
    sinew_pose_set_all(pose, (const float[]){ 20, 30 }, 2, NULL);
  }
  sinew_pose_destroy(pose);
  sinew_pose_destroy(expected);
  sinew_rig_destroy(rig);
}

MU_TEST(repeating_steps_changes_nothing) {
  uint32_t seed = 906;
  for (int round = 0; round < mu_rounds(40); round++) {
    sinew_rig *rig = network_make(make_random(&seed), 6, 80, 20);
    sinew_pose *pose = sinew_pose_create(rig, NULL), *same = sinew_pose_create(rig, NULL);
    for (int i = 0; i < 6; i++) {
      float value = make_between(&seed, -90, 90);
      sinew_pose_set(pose, sinew_rig_dof(rig, i), value, NULL);
      sinew_pose_set(same, sinew_rig_dof(rig, i), value, NULL);
    }
    MU_INT(sinew_pose_eval(pose, NULL), SINEW_OK);
    MU_INT(sinew_pose_eval(same, NULL), SINEW_OK);
    int steps = sinew_rig_step_count(rig), turns = 0;
    for (int i = 0; i < steps; i++) {
      turns += sinew_rig_step(rig, i).turns;
      MU_INT(sinew_pose_repeat_steps(pose, i, 1 + make_index(&seed, steps - i + 1), NULL),
             SINEW_OK);
    }
    MU_INT(turns, rig->fused->turn_count);
    MU_CHECK(network_same(pose, same));
    /* constant components are no steps, and all others are steps, joined or unused */
    MU_CHECK(sinew_rig_unused_count(rig) >= 0);
    MU_CHECK(steps + sinew_rig_unused_count(rig) <= sinew_rig_component_count(rig));
    sinew_pose_destroy(pose);
    sinew_pose_destroy(same);
    sinew_rig_destroy(rig);
  }
}

void suite_fuse(void) {
  MU_RUN(repeating_steps_changes_nothing);
  MU_RUN(fused_rigs_of_the_folder_give_what_their_nodes_give);
  MU_RUN(every_number_of_turns_and_any_angle_is_fused);
  MU_RUN(values_left_aside_are_those_of_the_last_evaluation);
  MU_RUN(setting_all_dofs_is_setting_each);
  MU_RUN(a_failure_leaves_what_lies_aside_as_it_was);
}
