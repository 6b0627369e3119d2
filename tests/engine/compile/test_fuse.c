/* The fused program against the nodes one by one: every rig of rigs/, step by step, every value
 * (test_network.c has random networks). Values left aside are those of the last evaluation. */
#include "compile/fuse.h"

#include "batch_cases.h"
#include "each_rig.h"
#include "evaluate/pose_internal.h"
#include "make.h"
#include "minunit.h"
#include "network.h"
#include "owned.h"

#include <float.h>
#include <stdlib.h>

/* the largest difference of a value, relative to its size */
static double apart(const float *a, const float *b, size_t count) {
  double off = 0, size = 1;
  for (size_t i = 0; i < count; i++) {
    off = fmax(off, fabs((double)a[i] - (double)b[i]));
    size = fmax(size, fabs((double)a[i]));
    if (isnan(a[i]) != isnan(b[i])) return INFINITY;
  }
  return off / size;
}

/* every output and every hold, or only the world matrices */
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

/* takes a pose and its plain twin through `steps` poses, with few or all DOFs moved */
static double largest_apart(const sinew_rig *rig, int steps, uint32_t *seed) {
  int dofs = sinew_rig_dof_count(rig);
  OWNED(pose) *fused = sinew_pose_create(rig, NULL), *plain = sinew_pose_create(rig, NULL);
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

MU_SLOW_TEST(fused_program_equals_plain_program_for_every_rig_file) {
  seen s = { .seed = 901 };
  sinew_error error;
  MU_CHECK(each_rig(visit, &s, &error) > 0 && s.count >= 6);
  MU_TEXT(error.text, "");
  MU_NEAR(s.off, 0, 1e-6);
}

/* a segment driven by a product of `count` rotations, and one by a single rotation; an euler that
 * nothing reads is left aside */
static sinew_rig *turns_rig(int count, float range) {
  sinew_builder *b = make_lines(NULL, "segment s; segment t s 0,1,0");
  char wires[256] = "", *end = wires;
  for (int i = 0; i < count; i++) {
    make_lines(b, "dof d%d %.9g %.9g; rotation r%d angle=d%d axis=%d,%d,0.3 centre=0.1,0,0.2", i,
               (double)-range, (double)range, i, i, i % 3 == 0, i % 3 == 1);
    end += sprintf(end, " matrix=r%d", i);
  }
  make_lines(b,
             "multiply m%s; rotation alone angle=d0 axis=0,0,1 angles=-20,0,20\n"
             "euler dead first=d0; drive s m; drive t alone",
             wires);
  return make_rig(b, NULL);
}

MU_TEST(products_of_any_number_of_rotations_are_fused) {
  uint32_t seed = 902;
  for (int count = 1; count <= 9; count++) {
    OWNED(rig) *rig = MU_MADE(turns_rig(count, count % 2 ? 1e9f : 300));
    MU_INT(rig->fused->turn_count, count + 1);
    MU_INT(rig->fused->step_count, 2);
    double off = largest_apart(rig, 40, &seed);
    MU_NEAR(off, 0, 1e-6);
  }
}

/* products of two to four of a few rotations, so that most rotations have several readers */
static sinew_rig *shared_turns_rig(uint32_t *seed) {
  int rotations = 3 + make_index(seed, 6), products = 2 + make_index(seed, 5);
  sinew_builder *b = sinew_builder_create("shared", NULL);
  for (int i = 0; i < rotations; i++) {
    float axis[3];
    make_axis(seed, axis);
    make_lines(b, "dof d%d -90 90; rotation r%d angle=d%d axis=%.9g,%.9g,%.9g", i, i, i,
               (double)axis[0], (double)axis[1], (double)axis[2]);
  }
  for (int i = 0; i < products; i++) {
    char wires[128] = "matrix=r0", *end = wires + 9;
    for (int k = make_index(seed, 3); k >= 0; k--)
      end += sprintf(end, " matrix=r%d", make_index(seed, rotations));
    make_lines(b, "multiply m%d %s; segment m%d; drive m%d m%d", i, wires + (i % 2 ? 10 : 0), i, i,
               i);
  }
  return make_rig(b, NULL);
}

MU_TEST(rotations_shared_by_several_products_are_right) {
  uint32_t seed = 908;
  for (int round = 0; round < mu_rounds(200); round++) {
    OWNED(rig) *rig = MU_MADE(shared_turns_rig(&seed));
    double off = largest_apart(rig, 12, &seed);
    MU_NEAR(off, 0, 1e-6);
  }
}

/* `count` cones of two rotations each, which read DOFs, each other, or each other through a map.
 * Without a seed each twist reads that of the previous cone, with limits of 20, 60, 20, ... */
static sinew_rig *cones_rig(int count, uint32_t *seed) {
  static const char *const dofs[] = { "twist", "a", "b" };
  static const char *const outs[] = { "twist", "angle1", "angle2" };
  sinew_builder *b = make_lines(NULL, "dof twist -90 90; dof a -90 90; dof b -90 90\n"
                                      "rotation one angle=a axis=1,0,0\n"
                                      "rotation two angle=b axis=0,1,0");
  for (int i = 0; i < count; i++) {
    char wires[256], *end = wires;
    double most = seed ? (double)make_between(seed, 5, 80) : i % 2 ? 60 : 20;
    for (int k = 0; k < 3; k++) {
      int from = seed ? i - 1 - make_index(seed, 4) : k ? -1 : i - 1;
      if (from < 0) {
        end += sprintf(end, " %s=%s", outs[k], dofs[k]);
      } else if (seed && make_index(seed, 4) == 0) {
        make_lines(b, "map m%d%s x=c%d.%s y=line:0,0,2,1", i, outs[k], from, outs[k]);
        end += sprintf(end, " %s=m%d%s.y", outs[k], i, outs[k]);
      } else {
        end += sprintf(end, " %s=c%d.%s", outs[k], from, outs[k]);
      }
    }
    make_lines(b,
               "cone c%d%s rest=0,0,1 points=0.5,0,1,0,0.5,1,-0.5,0,1,0,-0.5,1"
               " twist_limits=%.9g,%.9g rotation1=one rotation2=two\n"
               "segment c%d; drive c%d c%d.transform",
               i, wires, -most, most, i, i, i);
  }
  return make_rig(b, NULL);
}

MU_TEST(cone_reads_the_limited_outputs_of_another_cone) {
  for (int count = 2; count < 40; count += 7) {
    OWNED(rig) *rig = cones_rig(count, NULL);
    OWNED(pose) *pose = sinew_pose_create(rig, NULL);
    for (int round = 0; round < 3; round++) {
      sinew_pose_set(pose, sinew_rig_dof(rig, 0), round == 1 ? 10 : 50, NULL);
      if (round == 0) sinew_pose_set(pose, sinew_rig_dof(rig, 1), 1, NULL);
      MU_INT(sinew_pose_eval(pose, NULL), SINEW_OK);
      for (int i = 0; i < count; i++) {
        char name[32];
        snprintf(name, sizeof name, "c%d", i);
        sinew_component c = sinew_rig_find_component(rig, name, NULL);
        MU_NEAR(*sinew_pose_value(pose, c, 1), round == 1 ? 10 : 20, 1e-5);
      }
    }
  }
}

MU_TEST(fused_program_equals_plain_program_for_cones_in_any_order) {
  uint32_t seed = 907, together = 0;
  for (int round = 0; round < mu_rounds(100); round++) {
    OWNED(rig) *rig = MU_MADE(cones_rig(1 + make_index(&seed, 40), &seed));
    for (uint32_t i = 0; i < rig->fused->group_runs; i++)
      together += rig->fused->groups[2 * i + 1] - rig->fused->groups[2 * i] > 1;
    double off = largest_apart(rig, 12, &seed), crowd = crowd_all_off(rig, 1, &seed);
    MU_NEAR(off, 0, 1e-6);
    MU_NEAR(crowd, 0, 1e-5);
  }
  MU_CHECK(together > 0);
}

static char found[256];
static void note_assertion(const char *expression, const char *file, int line) {
  (void)file, (void)line;
  snprintf(found, sizeof found, "%s", expression);
}

/* the message of the check; "" if it finds nothing */
static const char *schedule_fault(const sinew_rig *rig) {
  sinew_error error;
  sinew_error_clear(&error);
  found[0] = '\0';
  sinew_set_assert_handler(note_assertion);
  bool fine = si_schedule_check(rig, &error);
  sinew_set_assert_handler(NULL);
  return fine != !found[0] || strcmp(found, error.text) != 0 ? "the handler was not called" : found;
}

static void swap(uint32_t *a, uint32_t *b) {
  uint32_t kept = *a;
  *a = *b, *b = kept;
}

MU_TEST(the_check_finds_a_wrong_schedule) {
  OWNED(rig) *cones = cones_rig(3, NULL), *turns = turns_rig(3, 90);
  si_fused *f = cones->fused;
  MU_TEXT(schedule_fault(cones), "");
  MU_TEXT(schedule_fault(turns), "");
  /* merges the first two runs of cones */
  MU_INT(f->group_runs, 3);
  swap(&f->groups[1], &f->groups[3]);
  MU_TEXT(schedule_fault(cones),
          "no schedule in which 'c1' runs together with what it reads of 'c0'");
  swap(&f->groups[1], &f->groups[3]);
  /* two steps, then two nodes, in the wrong order */
  swap(&f->steps[1], &f->steps[2]);
  MU_TEXT(schedule_fault(cones), "no schedule in which 'c2' runs before what it reads of 'c1'");
  swap(&f->steps[1], &f->steps[2]);
  sinew_node *node = &cones->nodes[cones->node_of[2]], kept = node[1];
  node[1] = node[0], node[0] = kept;
  MU_TEXT(schedule_fault(cones), "no schedule in which 'c1' runs before what it reads of 'c0'");
  kept = node[1], node[1] = node[0], node[0] = kept;
  /* a DOF and a step with the wrong marks */
  swap(&f->marks[f->dof_first[0]], &f->marks[f->step_first[0]]);
  MU_TEXT(schedule_fault(cones), "no schedule in which 'c0' is not marked by a change of 'twist'");
  swap(&f->marks[f->dof_first[0]], &f->marks[f->step_first[0]]);
  /* a product in another's place, and one that reads a rotation left aside */
  swap(&turns->fused->product_at[0], &turns->fused->product_at[1]);
  MU_TEXT(schedule_fault(turns), "no schedule in which 's' is not marked by a change of 'alone'");
  swap(&turns->fused->product_at[0], &turns->fused->product_at[1]);
  const sinew_node *r0 = &turns->nodes[turns->node_of[0]];
  turns->fused->turn_angle[1] = r0->ports[r0->input_count];
  MU_TEXT(schedule_fault(turns), "no schedule in which 'm' reads what is left aside of 'r0'");
  turns->fused->product_at[0] = turns->fused->product_at[1];
  MU_TEXT(schedule_fault(turns), "no schedule in which 'm' writes over 'alone'");
}

MU_TEST(values_left_aside_are_those_of_the_last_evaluation) {
  OWNED(rig) *rig = turns_rig(3, 90);
  OWNED(pose) *pose = sinew_pose_create(rig, NULL);
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
  MU_INT(sinew_pose_holds(pose, NULL, 0), 1); /* 'alone' is set to 20 */
  /* set but not evaluated, and only then read for the first time */
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
}

MU_TEST(setting_all_dofs_equals_setting_each) {
  uint32_t seed = 905;
  for (int dofs = 1; dofs < 14; dofs++) {
    OWNED(rig) *rig = network_make(make_random(&seed), dofs, 30, 10);
    OWNED(pose) *whole = sinew_pose_create(rig, NULL), *each = sinew_pose_create(rig, NULL);
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
  }
}

static sinew_status grumble(const sinew_node *node, float *values, sinew_error *error) {
  (void)error;
  float x = *sinew_node_in(node, values, 0);
  *sinew_node_out(node, values, 0) = x;
  return x > 50 ? SINEW_ERR_SCRIPT : SINEW_OK;
}

static sinew_rig *grumbling_rig(void) {
  static const sinew_port_desc in[] = { { "x", SINEW_SCALAR, 0, 0, "", "" }, { 0 } };
  static const sinew_port_desc out[] = { { "y", SINEW_SCALAR, 0, 0, "", "" }, { 0 } };
  static const sinew_component_class cls = { .class_size = sizeof(sinew_component_class),
                                             .name = "grumble",
                                             .doc = "",
                                             .inputs = in,
                                             .outputs = out,
                                             .try_eval = grumble };
  sinew_builder *b = sinew_builder_create("grumbling", NULL);
  sinew_builder_add_class(b, &cls, NULL);
  make_lines(b, "segment s; dof a -90 90; dof b -90 90; grumble g x=a\n"
                "rotation r1 angle=g axis=1,0,0; rotation r2 angle=b axis=0,1,0\n"
                "multiply m matrix=r1 matrix=r2; drive s m");
  return make_rig(b, NULL);
}

MU_TEST(failure_leaves_values_set_aside_unchanged) {
  OWNED(rig) *rig = grumbling_rig();
  OWNED(pose) *pose = sinew_pose_create(rig, NULL), *expected = sinew_pose_create(rig, NULL);
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
}

/* Three changes in a row, which a pose sees only when it is evaluated. `asked`: whether the values
 * left aside were read before */
static void check_change_before_evaluation(sinew_rig *rig, bool asked) {
  sinew_component r1 = sinew_rig_find_component(rig, "r1", NULL);
  sinew_pose *poses[2], *expected = sinew_pose_create(rig, NULL);
  for (int k = 0; k < 2; k++) {
    poses[k] = sinew_pose_create(rig, NULL);
    sinew_pose_set_plain(poses[k], k);
  }
  for (int round = 0; round < 6; round++) {
    const float dofs[] = { 20 + (float)round, 30 };
    /* evaluated plain, so nothing is left aside */
    sinew_pose_set_plain(expected, true);
    sinew_pose_set_all(expected, dofs, 2, NULL);
    MU_INT(sinew_pose_eval(expected, NULL), SINEW_OK);
    for (int k = 0; k < 2; k++) {
      sinew_pose_set_all(poses[k], dofs, 2, NULL);
      MU_INT(sinew_pose_eval(poses[k], NULL), SINEW_OK);
      if (asked) MU_NEAR(poses_apart(poses[k], expected, true), 0, 1e-6);
    }
    float before[16];
    memcpy(before, sinew_pose_value(expected, r1, 0), sizeof before);
    for (int i = 0; i < 3; i++) {
      sinew_param axis = sinew_param_vector("axis", (float)(i == 0), (float)(round % 2), 1);
      MU_INT(sinew_rig_set_param(rig, r1, &axis, NULL), SINEW_OK);
    }
    for (int k = 0; k < 2; k++) {
      /* a failed evaluation leaves the last good one in place, with the old axis */
      if (round % 2) sinew_pose_set(poses[k], sinew_rig_dof(rig, 0), 60, NULL);
      if (round % 2) MU_INT(sinew_pose_eval(poses[k], NULL), SINEW_ERR_SCRIPT);
      MU_NEAR(poses_apart(poses[k], expected, true), 0, 1e-6);
      MU_NEAR(apart(sinew_pose_value(poses[k], r1, 0), before, 16), 0, 1e-6);
    }
    MU_INT(sinew_pose_eval(expected, NULL), SINEW_OK);
    MU_CHECK(apart(sinew_pose_value(expected, r1, 0), before, 16) > 0.01);
  }
  sinew_pose_destroy(expected);
  for (int k = 0; k < 2; k++) sinew_pose_destroy(poses[k]);
}

MU_TEST(a_change_of_the_rig_shows_at_the_next_evaluation) {
  OWNED(rig) *rig = grumbling_rig();
  for (int asked = 0; asked < 2; asked++) check_change_before_evaluation(rig, asked);
}

MU_TEST(reading_a_pose_fills_it_in_at_most_once) {
  OWNED(rig) *rig = turns_rig(3, 90);
  size_t bytes = sinew_rig_pose_bytes(rig);
  sinew_pose *pose = sinew_pose_create(rig, NULL), *kept = malloc(bytes);
  sinew_dof d = sinew_rig_dof(rig, 0);
  sinew_component r0 = sinew_rig_find_component(rig, "r0", NULL);
  sinew_pose_set(pose, d, 40, NULL);
  sinew_pose_eval(pose, NULL);
  for (int round = 0; round < 2; round++) {
    memcpy(kept, pose, bytes);
    sinew_pose_world(pose, sinew_rig_segment(rig, 0)), sinew_pose_worlds(pose);
    sinew_pose_get(pose, d), sinew_pose_dofs(pose), sinew_pose_rig(pose);
    if (round) sinew_pose_value(pose, r0, 0), sinew_pose_input(pose, r0, 0);
    if (round) sinew_pose_local(pose, sinew_rig_segment(rig, 0)), sinew_pose_holds(pose, NULL, 0);
    if (round) sinew_pose_verify(pose, NULL);
    MU_CHECK(memcmp(kept, pose, bytes) == 0);
    sinew_pose_value(pose, r0, 0); /* the first read fills in what was left aside */
  }
  free(kept);
  sinew_pose_destroy(pose);
}

MU_TEST(repeating_steps_changes_nothing) {
  uint32_t seed = 906;
  for (int round = 0; round < mu_rounds(40); round++) {
    OWNED(rig) *rig = network_make(make_random(&seed), 6, 80, 20);
    OWNED(pose) *pose = sinew_pose_create(rig, NULL), *same = sinew_pose_create(rig, NULL);
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
    /* constant components are not steps; all others are steps, fused or unused */
    MU_CHECK(sinew_rig_unused_count(rig) >= 0);
    MU_CHECK(steps + sinew_rig_unused_count(rig) <= sinew_rig_component_count(rig));
  }
}

MU_SUITE(fuse)
