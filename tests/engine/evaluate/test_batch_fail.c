/* Failures in a batch: DOFs and components that fail, memory and threads that run out, wrong calls;
 * and live changes of the rig. */
#include "asserts.h"
#include "batch_cases.h"
#include "field_cases.h"
#include "make.h"
#include "minunit.h"
#include "network.h"
#include "owned.h"

#include <float.h>
#include <stdlib.h>

static sinew_error error;

/* two rotations, a translation without limits, and an undriven segment */
static sinew_rig *plain_rig(void) {
  return make_text("segment s 0,1,0; segment t s 0,1,0; segment u t 1,0,0; dof bend -90 90\n"
                   "dof turn -90 90; dof slide %.9g %.9g; rotation r angle=bend axis=1,0,0\n"
                   "rotation q angle=turn axis=0,1,1; multiply m matrix=r matrix=q\n"
                   "translation move x=slide y=#0.5; multiply twice matrix=move matrix=move\n"
                   "drive s m; drive t twice",
                   (double)(-FLT_MAX), (double)FLT_MAX);
}

enum { crowd = 211 };

MU_TEST(batch_fails_one_character_where_a_dof_is_not_finite) {
  static const float wrong[] = { NAN, INFINITY, -INFINITY };
  uint32_t seed = 7300;
  for (int round = 0; round < mu_rounds(60); round++) {
    int dofs = 1 + make_index(&seed, 9);
    OWNED(rig) *rig = network_make(make_random(&seed), dofs, 40, 12);
    FREED float *values = malloc((size_t)(crowd * dofs) * sizeof *values);
    crowd_dofs(rig, crowd, &seed, values);
    int first = crowd, dof = 0;
    for (int k = 1 + make_index(&seed, 4); k > 0; k--) {
      int at = make_index(&seed, crowd), which = make_index(&seed, dofs);
      values[at * dofs + which] = wrong[make_index(&seed, 3)];
    }
    for (int i = crowd * dofs; i-- > 0;)
      if (!isfinite(values[i])) first = i / dofs, dof = i % dofs;
    double off = crowd_off(rig, values, crowd, 1 + make_index(&seed, 7));
    /* the expected message, in full */
    OWNED(batch) *batch = sinew_batch_create(rig, NULL, NULL);
    FREED float *worlds =
        malloc((size_t)(crowd * 16 * sinew_rig_segment_count(rig)) * sizeof *worlds);
    sinew_status status = sinew_batch_eval(batch, values, crowd, worlds, &error);
    char expected[128];
    snprintf(expected, sizeof expected, "character %d: DOF 'd%d': %g is not finite", first + 1, dof,
             (double)values[first * dofs + dof]);
    MU_INT(status, SINEW_ERR_NOT_FINITE);
    MU_TEXT(error.text, expected);
    MU_NEAR(off, 0, 1e-6);
  }
}

MU_TEST(batch_fails_one_character_where_a_matrix_overflows) {
  uint32_t seed = 7301;
  OWNED(rig) *rig = plain_rig();
  double off = 0;
  bool failed = true;
  for (int round = 0; round < mu_rounds(40); round++) {
    float values[3 * crowd], worlds[3 * 16 * crowd];
    crowd_dofs(rig, crowd, &seed, values);
    for (int i = 0; i < crowd; i++) values[3 * i + 2] = make_between(&seed, -1, 1);
    /* 2 * 1e38 is finite, 2 * 3e38 is not */
    for (int k = 0; k < 5; k++) values[3 * make_index(&seed, crowd) + 2] = 1e38f;
    for (int k = 0; k < 3; k++) values[3 * make_index(&seed, crowd) + 2] = 3e38f;
    for (int threads = 1; threads <= 7; threads += 3)
      off = fmax(off, crowd_off(rig, values, crowd, threads));
    OWNED(batch) *batch = sinew_batch_create(rig, NULL, NULL);
    failed &= sinew_batch_eval(batch, values, crowd, worlds, &error) == SINEW_ERR_NOT_FINITE;
  }
  MU_NEAR(off, 0, 1e-6);
  MU_CHECK(failed);
  MU_HAS(error.text, "component 'twice' (multiply): gave a value that is not finite");
}

/* a class of the program: every kind of value as input and output; a pose accepts all its values */
static int strange;
static void mingle(const sinew_node *node, float *values) {
  float k = *sinew_node_in(node, values, 0) / 90;
  strange += !isfinite(k);
  const float *v = sinew_node_in(node, values, 1), *m = sinew_node_in(node, values, 2);
  float *dest = sinew_node_out(node, values, 2);
  *sinew_node_out(node, values, 0) = 10 * k;
  for (int i = 0; i < 3; i++) sinew_node_out(node, values, 1)[i] = k * v[i] + m[12 + i];
  memcpy(dest, m, 16 * sizeof *dest);
  dest[12] += k;
}

/* and one that may fail: with a message of two lines, or by an output that is not finite */
static sinew_status grumble(const sinew_node *node, float *values, sinew_error *why) {
  float x = *sinew_node_in(node, values, 0);
  *sinew_node_out(node, values, 0) = x < -50 ? NAN : x;
  if (x <= 50) return SINEW_OK;
  sinew_error_add(why, SINEW_ERR_SCRIPT, "%g is too much", (double)x);
  return sinew_error_add(why, SINEW_ERR_SCRIPT, "by %g", (double)(x - 50));
}

static const sinew_port_desc mingle_in[] = { { "x", SINEW_SCALAR, 0, 0, "", "" },
                                             { "v", SINEW_VECTOR, 0, 0, "", "" },
                                             { "m", SINEW_MATRIX, 0, 0, "", "" },
                                             { 0 } };
static const sinew_port_desc mingle_out[] = { { "x", SINEW_SCALAR, 0, 0, "", "" },
                                              { "v", SINEW_VECTOR, 0, 0, "", "" },
                                              { "m", SINEW_MATRIX, 0, 0, "", "" },
                                              { 0 } };
static const sinew_port_desc scalar_in[] = { { "x", SINEW_SCALAR, 0, 0, "", "" }, { 0 } };
static const sinew_component_class mingle_class = { .class_size = sizeof(sinew_component_class),
                                                    .name = "mingle",
                                                    .doc = "",
                                                    .inputs = mingle_in,
                                                    .outputs = mingle_out,
                                                    .eval = mingle };
static const sinew_component_class grumble_class = { .class_size = sizeof(sinew_component_class),
                                                     .name = "grumble",
                                                     .doc = "",
                                                     .inputs = scalar_in,
                                                     .outputs = scalar_in,
                                                     .try_eval = grumble };

static sinew_rig *custom_rig(bool fails) {
  sinew_builder *b = sinew_builder_create("custom", NULL);
  sinew_builder_add_class(b, &mingle_class, NULL);
  sinew_builder_add_class(b, &grumble_class, NULL);
  sinew_segment s = sinew_add_bone(b, SINEW_ROOT, "s", (sinew_vec3){ 0, 1, 0 }),
                t = make_segment(b, "t", "s", 0, 1, 0);
  sinew_segment u = make_segment(b, "u", "t", 0, 1, 0);
  make_lines(b, "dof a -90 90; dof b -90 90");
  if (fails) sinew_add(b, "grumble", "g", SINEW_WIRES(sinew_wire_name("x", "a")), SINEW_NONE);
  if (fails) sinew_add(b, "grumble", "fixed", SINEW_WIRES(sinew_wire_number("x", 4)), SINEW_NONE);
  if (fails) sinew_add(b, "grumble", "unread", SINEW_WIRES(sinew_wire_name("x", "b")), SINEW_NONE);
  sinew_add(b, "rotation", "r", SINEW_WIRES(sinew_wire_name("angle", "b")),
            SINEW_PARAMS(sinew_param_vector("axis", 1, 2, 0)));
  make_part(b, MAKE_NO_SET, "mingle", "one", fails ? "x=g v=#3 m=r" : "x=a v=#3 m=r", NULL, 0);
  make_lines(b, "mingle two x=one.x v=one.v m=one.m; translation v vector=two.v");
  make_part(b, MAKE_NO_SET, "rotation", "q", fails ? "angle=fixed" : "angle=two.x",
            SINEW_PARAMS(sinew_param_vector("axis", 0, 1, 0)));
  sinew_builder_drive(b, s, "two.m", NULL, NULL);
  sinew_builder_drive(b, t, "v", NULL, NULL);
  sinew_builder_drive(b, u, "q", NULL, NULL);
  return make_rig(b, NULL);
}

MU_TEST(custom_components_run_in_a_batch) {
  uint32_t seed = 7302;
  OWNED(rig) *rig = MU_MADE(custom_rig(false));
  strange = 0;
  double off = crowd_all_off(rig, 300, &seed);
  float values[] = { 10, 20, NAN, 30, 40, INFINITY, 50, 60 };
  off = fmax(off, crowd_off(rig, values, 4, 1));
  MU_NEAR(off, 0, 1e-6);
  MU_INT(strange, 0);
}

MU_TEST(batch_fails_one_character_where_a_component_fails) {
  uint32_t seed = 7303;
  OWNED(rig) *rig = MU_MADE(custom_rig(true));
  float values[2 * crowd], worlds[3 * 16 * crowd];
  double off = 0;
  for (int round = 0; round < mu_rounds(40); round++) {
    /* few characters fail, or none, or most */
    float most = round % 3 ? 51 : 90;
    for (int i = 0; i < 2 * crowd; i++) values[i] = make_between(&seed, -most, most);
    if (round % 5 == 0)
      for (int i = 0; i < 2 * crowd; i++) values[i] /= 2;
    off = fmax(off, crowd_off(rig, values, crowd, 3));
  }
  OWNED(batch) *batch = sinew_batch_create(
      rig, &(sinew_batch_desc){ .size = sizeof(sinew_batch_desc), .threads = 4 }, NULL);
  int threads = sinew_batch_threads(batch);
  for (int i = 0; i < 2 * crowd; i++) values[i] = 0;
  values[2 * 100] = 70, values[2 * 17] = 60, values[2 * 18] = -60;
  sinew_status status = sinew_batch_eval(batch, values, crowd, worlds, &error);
  char text[SINEW_ERROR_TEXT];
  snprintf(text, sizeof text, "%s", error.text);
  values[2 * 17] = 0;
  sinew_status next = sinew_batch_eval(batch, values, crowd, worlds, &error);
  MU_NEAR(off, 0, 1e-6);
  MU_INT(threads, 1);
  MU_INT(status, SINEW_ERR_SCRIPT);
  MU_TEXT(text, "character 18: component 'g' (grumble): 60 is too much\nby 10");
  MU_INT(next, SINEW_ERR_NOT_FINITE);
  MU_TEXT(error.text, "character 19: component 'g' (grumble): gave a value that is not finite");
}

/* makes one random change */
static sinew_status change(sinew_rig *rig, int kind, uint32_t *seed) {
  float axis[3], rest[16], constant = make_between(seed, -1, 1);
  make_axis(seed, axis);
  make_frame(seed, make_index(seed, MAKE_FRAMES), rest);
  if (make_index(seed, 2)) axis[0] = axis[1] = 0, axis[2] = make_index(seed, 2) ? -1 : 1;
  sinew_component r = sinew_rig_find_component(rig, kind == 1 ? "q" : "r", NULL);
  sinew_param params[] = { sinew_param_vector("axis", axis[0], axis[1], axis[2]),
                           sinew_param_numbers("angles", (const float[]){ -80, -20, 70 }, 3),
                           sinew_param_vectors("centres", rest, 2) };
  switch (kind) {
  case 0:
  case 1: return sinew_rig_set_param(rig, r, params, &error);
  case 2: return sinew_rig_set_params(rig, r, params, 3, &error);
  case 3:
    params[1] = sinew_param_none("angles"), params[2] = sinew_param_none("centres");
    return sinew_rig_set_params(rig, r, params, 3, &error);
  case 4: return sinew_rig_set_rest(rig, sinew_rig_segment(rig, make_index(seed, 3)), rest, &error);
  case 5:
    return sinew_rig_set_dof_range(rig, sinew_rig_dof(rig, make_index(seed, 2)),
                                   make_between(seed, -90, -10), make_between(seed, 10, 90), 5,
                                   &error);
  default:
    r = sinew_rig_find_component(rig, "move", NULL);
    return sinew_rig_set_constant(rig, r, 1, &constant, &error);
  }
}

MU_TEST(live_changes_reach_the_batch) {
  uint32_t seed = 7304;
  for (int lanes = 4; lanes <= 8; lanes += 4)
    for (int threads = 1; threads <= 2 && crowd_can(lanes); threads++) {
      OWNED(rig) *rig = plain_rig();
      OWNED(batch) *batch = sinew_batch_create(
          rig, &(sinew_batch_desc){ sizeof(sinew_batch_desc), threads, lanes }, NULL);
      double off = 0;
      bool changed = true;
      float values[3 * 40];
      for (int round = 0; round < mu_rounds(400); round++) {
        /* every kind of change occurs in quick runs too */
        changed &= change(rig, round % 7, &seed) == SINEW_OK;
        crowd_dofs(rig, 40, &seed, values);
        for (int i = 0; i < 40; i++) values[3 * i + 2] = make_between(&seed, -1, 1);
        off = fmax(off, crowd_batch_off(batch, values, 40));
      }
      MU_CHECK_SAY(changed, "%s", error.text);
      MU_NEAR(off, 0, 1e-6);
    }
}

/* constants that no DOF moves are computed when compiled, and again after a change */
MU_TEST(batch_uses_changed_constants) {
  OWNED(rig) *rig = make_text("segment s; segment t s 0,1,0; dof a -90 90; euler fixed first=#20\n"
                              "euler moving second=a; multiply both matrix=fixed matrix=moving\n"
                              "drive s fixed; drive t both");
  OWNED(batch) *batch = sinew_batch_create(rig, NULL, NULL);
  sinew_component fixed = sinew_rig_find_component(rig, "fixed", NULL);
  float values[9] = { 0, 10, 20, 30, -40, 50, 60, 70, 80 }, worlds[9 * 32], before = 0, after = 0;
  double off = 0;
  for (int i = 0; i < 5; i++) {
    float angle = 20 * (float)(i + 1);
    sinew_rig_set_constant(rig, fixed, 0, &angle, NULL);
    off = fmax(off, crowd_batch_off(batch, values, 9));
    before = after;
    sinew_batch_eval(batch, values, 9, worlds, NULL);
    after = worlds[5];
  }
  MU_NEAR(off, 0, 1e-6);
  MU_CHECK(before != after);
}

static bool make_batch(void *context) {
  sinew_batch *batch = sinew_batch_create(
      context, &(sinew_batch_desc){ .size = sizeof(sinew_batch_desc), .threads = 3 }, &error);
  if (batch) sinew_batch_destroy(batch);
  return batch || error.status != SINEW_ERR_MEMORY;
}

MU_TEST(a_batch_survives_failing_memory) {
  OWNED(rig) *rig = network_make(7305, 5, 40, 12);
  bool survives = case_survives_failing_memory(make_batch, rig);
  MU_CHECK(survives);
  MU_INT(error.status, SINEW_OK);
}

static int allocations;
static void *count_allocation(size_t bytes, size_t align, void *user) {
  (void)user;
  allocations++;
  return aligned_alloc(align, (bytes + align - 1) / align * align);
}
static void give_back(void *block, void *user) {
  (void)user;
  free(block);
}

MU_TEST(evaluating_a_batch_allocates_nothing) {
  static const sinew_allocator hooks = { count_allocation, give_back, NULL };
  uint32_t seed = 7306;
  OWNED(rig) *rig = plain_rig();
  OWNED(batch) *batch = sinew_batch_create(
      rig, &(sinew_batch_desc){ .size = sizeof(sinew_batch_desc), .threads = 3 }, NULL);
  static float values[3 * crowd], worlds[3 * 16 * crowd];
  crowd_dofs(rig, crowd, &seed, values);
  size_t bytes = sinew_live_bytes();
  allocations = 0;
  for (int round = 0; round < 4; round++) {
    /* nor after a change of the rig, nor when characters fail */
    if (round == 1) change(rig, 0, &seed);
    if (round == 2) values[7] = NAN;
    if (round == 3) values[7] = 0, values[3 * 11 + 2] = 3e38f;
    bytes = sinew_live_bytes();
    sinew_set_allocator(&hooks);
    sinew_batch_eval(batch, values, crowd, worlds, &error);
    sinew_set_allocator(NULL);
    MU_INT(sinew_live_bytes(), bytes);
  }
  MU_INT(allocations, 0);
}

MU_TEST(bad_calls_of_a_batch_are_refused) {
  OWNED(rig) *rig = plain_rig();
  enum { size = sizeof(sinew_batch_desc) };
  const sinew_batch_desc wrong[] = { { size, 1, 5 },   { size, 1, -4 }, { size, 1, 16 },
                                     { size, 0, 0 },   { size, -1, 0 }, { size, 257, 0 },
                                     { size, 1000, 4 } };
  static const char *const texts[] = {
    "5 lanes are not supported; use 4 or 8, or 0 for the best",
    "-4 lanes are not supported; use 4 or 8, or 0 for the best",
    "16 lanes are not supported; use 4 or 8, or 0 for the best",
    "a batch has 1 to 256 threads, not 0",
    "a batch has 1 to 256 threads, not -1",
    "a batch has 1 to 256 threads, not 257",
    "a batch has 1 to 256 threads, not 1000",
  };
  size_t blocks = sinew_live_blocks();
  for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++) {
    MU_CHECK(!sinew_batch_create(rig, &wrong[i], NULL));
    MU_CHECK(!sinew_batch_create(rig, &wrong[i], &error));
    MU_INT(error.status, SINEW_ERR_VALUE);
    MU_TEXT(error.text, texts[i]);
  }
  MU_INT(sinew_live_blocks(), blocks);
  OWNED(batch) *batch = sinew_batch_create(rig, NULL, &error);
  MU_INT(error.status, SINEW_OK);
  MU_INT(sinew_batch_threads(batch), 1);
  MU_CHECK(sinew_batch_rig(batch) == rig);
  MU_INT(sinew_batch_lanes(batch), crowd_can(8) ? 8 : 4);
  if (sinew_batch_lanes(batch) == 8) MU_TEXT(sinew_batch_instructions(batch), "AVX2");
  float values[3] = { 0, 0, 0 }, worlds[3 * 16] = { 7 };
  asserts_begin();
  MU_CHECK(!sinew_batch_create(NULL, NULL, &error));
  MU_INT(sinew_batch_eval(NULL, values, 1, worlds, NULL), SINEW_ERR_CALL);
  MU_INT(sinew_batch_eval(batch, values, -1, worlds, NULL), SINEW_ERR_CALL);
  MU_INT(sinew_batch_eval(batch, NULL, 1, worlds, NULL), SINEW_ERR_CALL);
  MU_INT(sinew_batch_eval(batch, values, 1, NULL, NULL), SINEW_ERR_CALL);
  asserts_end();
  MU_INT(asserted, 5);
  MU_INT(sinew_batch_eval(batch, NULL, 0, NULL, NULL), SINEW_OK);
  MU_INT(sinew_batch_eval(batch, values, 0, worlds, NULL), SINEW_OK);
  MU_NEAR(worlds[0], 7, 0);
  sinew_batch_destroy(NULL);
}

MU_TEST(batch_without_segments_reports_failures) {
  sinew_builder *b = sinew_builder_create("bare", NULL);
  sinew_add_dof(b, "a", NULL, -90, 90);
  OWNED(rig) *rig = make_rig(b, NULL);
  OWNED(batch) *batch = sinew_batch_create(rig, NULL, NULL);
  const float values[] = { 0, 1, NAN, 200 };
  MU_FAILS_AS(sinew_batch_eval(batch, values, 4, NULL, &error), SINEW_ERR_NOT_FINITE,
              "character 3: DOF 'a': nan is not finite");
  MU_INT(sinew_batch_eval(batch, values, 2, NULL, &error), SINEW_OK);
  MU_INT(sinew_batch_eval(batch, values + 3, 1, NULL, &error), SINEW_CLAMPED);
}

/* A product whose translation overflows at 90 degrees. If only compensate reads it, which uses just
 * the rotation, every way of evaluation succeeds; if it drives a segment, every way fails. */
MU_TEST(an_overflow_is_reported_alike_by_poses_and_batches) {
  for (int drives = 0; drives < 2; drives++) {
    sinew_builder *b = sinew_builder_create("far", NULL);
    sinew_segment s = sinew_add_bone(b, SINEW_ROOT, "s", (sinew_vec3){ 0, 1, 0 }),
                  t = make_segment(b, "t", "s", 0, 1, 0);
    sinew_add_dof(b, "d", NULL, -90, 90);
    for (int i = 0; i < 2; i++)
      sinew_add(b, "rotation", i ? "q" : "r", SINEW_WIRES(sinew_wire_name("angle", "d")),
                SINEW_PARAMS(sinew_param_vector("axis", 0, 0, 1),
                             sinew_param_vector("centre", 2e38f, 2e38f, 0)));
    sinew_add(b, "multiply", "m",
              SINEW_WIRES(sinew_wire_name("matrix", "r"), sinew_wire_name("matrix", "q")),
              SINEW_NONE);
    sinew_add(b, "compensate", "c", SINEW_WIRES(sinew_wire_name("matrix", "m")),
              SINEW_PARAMS(sinew_param_text("ancestor", "s"), sinew_param_text("segment", "t")));
    if (drives) sinew_builder_drive(b, s, "m", NULL, NULL);
    sinew_builder_drive(b, t, "c", NULL, NULL);
    sinew_rig *rig = make_rig(b, NULL);
    sinew_status right = drives ? SINEW_ERR_NOT_FINITE : SINEW_OK;
    const float at = 90;
    for (int plain = 0; plain < 2; plain++) {
      sinew_pose *pose = sinew_pose_create(rig, NULL);
      sinew_pose_set_plain(pose, plain);
      sinew_pose_set_all(pose, &at, 1, NULL);
      MU_INT(sinew_pose_eval(pose, NULL), right);
      sinew_pose_destroy(pose);
    }
    for (int lanes = 4; lanes <= 8; lanes += 4) {
      if (!crowd_can(lanes)) continue;
      float worlds[2 * 16];
      sinew_batch *batch =
          sinew_batch_create(rig, &(sinew_batch_desc){ sizeof(sinew_batch_desc), 1, lanes }, NULL);
      MU_INT(sinew_batch_eval(batch, &at, 1, worlds, NULL), right);
      sinew_batch_destroy(batch);
    }
    sinew_rig_destroy(rig);
  }
}

MU_SUITE(batch_fail)
