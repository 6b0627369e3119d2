/* Derivatives of the rigs against differences of evaluated poses (test_network.c has random
 * networks); requested parts, mistakes, and memory that runs out. */
#include <sinew/sinew.h>

#include "asserts.h"
#include "fixture.h"
#include "make.h"
#include "minunit.h"
#include "network.h"
#include "owned.h"
#include "patient.h"
#include "scarce.h"
#include "sinew/host.h"
#include "slopes.h"

#define CLOSE 1e-3

/* --- the rigs */

static const char *rig_path;
static float rig_parts;

static void derivatives_of_a_rig_agree_with_differences(void) {
  sinew_host_desc desc = patient_host_desc();
  desc.modules = "lua";
  OWNED(host) *host = MU_MADE(sinew_host_create(&desc, &error));
  sinew_status status = sinew_host_load(host, rig_path, &error);
  slopes_result r = { 0 };
  if (status >= 0) r = slopes_at_random(sinew_host_rig(host), 11, mu_rounds(20), rig_parts);
  MU_CHECK_SAY(status >= 0, "%s", error.text);
  MU_CHECK_SAY(r.worst <= CLOSE, "%s", r.where);
  MU_CHECK_SAY(r.skipped * 8 < r.compared, "%d skipped of %d", r.skipped, r.compared);
}

static void run_rigs(void) {
  /* a field has a kink at every cell face, so it takes shorter steps */
  static const struct {
    const char *folder, *name;
    float parts;
  } rigs[] = {
    { "rigs", "human", 150 },          { "rigs", "shoulder", 150 },
    { "rigs", "shoulder_paper", 150 }, { "rigs", "shoulder_scripted", 150 },
    { "rigs", "creature", 150 },       { "rigs", "knee", 150 },
    { "rigs", "spine", 150 },          { "rigs", "field", 2000 },
    { "rigs", "reach", 150 },          { "tests/lua/rigs", "dual", 150 },
  };
  for (size_t i = 0; i < sizeof rigs / sizeof *rigs; i++) {
    char path[64], name[64];
    snprintf(path, sizeof path, "%s/%s.lua", rigs[i].folder, rigs[i].name);
    snprintf(name, sizeof name, "derivatives_of_%s_agree_with_differences", rigs[i].name);
    rig_path = path;
    rig_parts = rigs[i].parts;
    mu_run(name, derivatives_of_a_rig_agree_with_differences);
  }
}

/* --- requested parts */

static sinew_segment segment_of(const sinew_rig *rig, int i) { return sinew_rig_segment(rig, i); }

/* compares every derivative of a part with that of the whole; columns[c] is the whole's column */
static bool same_part(const sinew_tangent *whole, const sinew_tangent *part, sinew_segment s,
                      const int *columns) {
  const uint32_t *reached = NULL;
  int count = sinew_tangent_reach(part, s, &reached), at = 0;
  for (int c = 0; c < sinew_tangent_columns(part); c++) {
    float a[16], b[16];
    sinew_tangent_world(whole, s, columns[c], a);
    sinew_tangent_world(part, s, c, b);
    if (memcmp(a, b, sizeof a) != 0) return false;
    bool reaches = at < count && reached[at] == (uint32_t)c, moves = false;
    for (int i = 0; i < 16; i++) moves |= a[i] != 0;
    if (moves && !reaches) return false;
    at += reaches;
  }
  return at == count;
}

MU_TEST(requested_derivatives_equal_those_of_the_whole) {
  for (int round = 0; round < mu_rounds(30); round++) {
    uint32_t seed = 300 + (uint32_t)round;
    OWNED(rig) *rig = MU_MADE(network_make(seed, 8, 50, 16));
    int segments = sinew_rig_segment_count(rig), dofs = sinew_rig_dof_count(rig);
    sinew_dof wanted[4];
    int columns[4], picked = 0;
    /* in reverse, so that the columns are not in the rig's order */
    for (int i = dofs - 1; i >= 0 && picked < 4; i -= 1 + make_index(&seed, 2)) {
      wanted[picked] = sinew_rig_dof(rig, i);
      columns[picked++] = i;
    }
    sinew_segment few[2] = { segment_of(rig, make_index(&seed, segments)),
                             segment_of(rig, make_index(&seed, segments)) };
    sinew_output output = { sinew_rig_component(rig, 30), 0 };
    OWNED(tangent) *whole = sinew_tangent_create(rig, NULL, &error);
    OWNED(tangent) *part =
        sinew_tangent_create(rig,
                             &(sinew_tangent_desc){ .size = sizeof(sinew_tangent_desc),
                                                    .dofs = wanted,
                                                    .dof_count = picked,
                                                    .segments = few,
                                                    .segment_count = 2,
                                                    .outputs = &output,
                                                    .output_count = 1 },
                             &error);
    OWNED(pose) *pose = sinew_pose_create(rig, &error);
    MU_CHECK(whole && part && pose);
    slopes_pose_at_random(pose, &seed);
    MU_INT(sinew_tangent_eval(whole, pose, &error), SINEW_OK);
    MU_INT(sinew_tangent_eval(part, pose, &error), SINEW_OK);
    MU_INT(sinew_tangent_columns(part), picked);
    for (int i = 0; i < 2; i++) MU_CHECK(same_part(whole, part, few[i], columns));
    for (int c = 0; c < picked; c++) {
      MU_INT(sinew_tangent_dof(part, c).id, wanted[c].id);
      const float *a = sinew_tangent_value(whole, output.component, 0, columns[c]);
      const float *b = sinew_tangent_value(part, output.component, 0, c);
      MU_CHECK(!a == !b && (!a || *a == *b));
    }
    MU_INT(sinew_tangent_dof(part, picked).id, 0);
  }
}

MU_TEST(rows_of_points_directions_and_rotations_agree_with_the_world_matrix) {
  uint32_t seed = 4;
  OWNED(rig) *rig = network_make(17, 6, 40, 12);
  OWNED(pose) *pose = sinew_pose_create(rig, &error);
  OWNED(tangent) *t = sinew_tangent_create(rig, NULL, &error);
  slopes_pose_at_random(pose, &seed);
  MU_INT(sinew_tangent_eval(t, pose, &error), SINEW_OK);
  enum { stride = 5 };
  float rows[3][6 * stride];
  for (int i = 0; i < sinew_rig_segment_count(rig); i++) {
    sinew_segment s = sinew_rig_segment(rig, i);
    const float local[3] = { 0.3f, -0.2f, 0.5f }, *m = sinew_pose_world(pose, s);
    for (int k = 0; k < 6 * stride; k++) rows[0][k] = 77;
    sinew_tangent_point(t, s, local, rows[0], stride);
    sinew_tangent_direction(t, s, local, rows[1], stride);
    sinew_tangent_turn(t, s, rows[2], stride);
    for (int c = 0; c < 6; c++) {
      float d[16];
      sinew_tangent_world(t, s, c, d);
      const float *spin = rows[2] + c * stride;
      for (int k = 0; k < 3; k++) {
        float turned = d[k] * local[0] + d[4 + k] * local[1] + d[8 + k] * local[2];
        MU_NEAR(rows[1][c * stride + k], turned, 1e-5);
        MU_NEAR(rows[0][c * stride + k], turned + d[12 + k], 1e-5);
        /* every axis of the segment moves by spin x axis */
        int a = (k + 1) % 3, b = (k + 2) % 3;
        for (int column = 0; column < 12; column += 4)
          MU_NEAR(spin[a] * m[column + b] - spin[b] * m[column + a], d[column + k], 2e-6);
      }
      /* floats between the rows are not written */
      for (int k = 3; k < stride; k++) MU_NEAR(rows[0][c * stride + k], 77, 0);
    }
  }
}

MU_TEST(a_product_may_depend_on_more_than_64_dofs) {
  sinew_builder *b = sinew_builder_create("many", NULL);
  char wires[80 * 16] = "", one[32];
  for (int i = 0; i < 80; i++) {
    char dof[16], name[16];
    snprintf(dof, sizeof dof, "d%d", i);
    snprintf(name, sizeof name, "r%d", i);
    sinew_add_dof(b, dof, NULL, -90, 90);
    snprintf(one, sizeof one, "angle=%s", dof);
    make_part(b, MAKE_NO_SET, "rotation", name, one,
              SINEW_PARAMS(sinew_param_vector("axis", i % 3 == 0, i % 3 == 1, i % 3 == 2),
                           sinew_param_vector("centre", 0, 0.1f, 0)));
    snprintf(wires + strlen(wires), sizeof wires - strlen(wires), "matrix=%s ", name);
  }
  make_part(b, MAKE_NO_SET, "multiply", "all", wires, NULL, 0);
  sinew_segment bone = sinew_add_bone(b, SINEW_ROOT, "bone", (sinew_vec3){ 0, 0, 0 });
  sinew_builder_drive(b, bone, "all", NULL, &error);
  OWNED(rig) *rig = MU_MADE(make_rig(b, NULL));
  slopes_result r = slopes_at_random(rig, 3, 1, 150);
  MU_CHECK_SAY(r.worst <= CLOSE, "%s", r.where);
  MU_CHECK(r.compared > 5000);
}

MU_TEST(an_edited_parameter_shows_in_the_next_derivatives) {
  OWNED(rig) *rig = make_text("dof d -90 90; rotation r angle=d axis=1,0,0");
  sinew_component part = sinew_rig_component(rig, 0);
  OWNED(pose) *pose = sinew_pose_create(rig, &error);
  OWNED(tangent) *t = sinew_tangent_create(rig, NULL, &error);
  MU_INT(sinew_tangent_eval(t, pose, &error), SINEW_OK);
  MU_NEAR(sinew_tangent_value(t, part, 0, 0)[6], 3.14159265 / 180, 1e-8);
  sinew_param axis = sinew_param_vector("axis", -1, 0, 0);
  MU_INT(sinew_rig_set_param(rig, part, &axis, &error), SINEW_OK);
  MU_INT(sinew_tangent_eval(t, pose, &error), SINEW_OK);
  MU_NEAR(sinew_tangent_value(t, part, 0, 0)[6], -3.14159265 / 180, 1e-8);
}

/* --- mistakes and memory */

MU_TEST(tangent_refuses_unknown_and_repeated_requests) {
  OWNED(rig) *rig = network_make(5, 4, 12, 4);
  const sinew_dof twice[] = { { 2 }, { 1 }, { 2 } }, none[] = { { 1 }, { 99 } };
  const sinew_segment stranger = { 77 };
  const sinew_output absent = { { 1 }, 50 };
  size_t before = sinew_live_blocks();
  MU_CHECK(!sinew_tangent_create(
      rig,
      &(sinew_tangent_desc){ .size = sizeof(sinew_tangent_desc), .dofs = twice, .dof_count = 3 },
      &error));
  MU_TEXT(error.text, "duplicate DOF 'd1'");
  MU_CHECK(!sinew_tangent_create(
      rig,
      &(sinew_tangent_desc){ .size = sizeof(sinew_tangent_desc), .dofs = none, .dof_count = 2 },
      &error));
  MU_TEXT(error.text, "DOF 2 of 2 does not belong to rig 'network'");
  MU_REFUSED_AS(sinew_tangent_create(rig,
                                     &(sinew_tangent_desc){ .size = sizeof(sinew_tangent_desc),
                                                            .segments = &stranger,
                                                            .segment_count = 1 },
                                     &error),
                "segment 1 of 1 does not belong to rig 'network'");
  MU_REFUSED_AS(sinew_tangent_create(rig,
                                     &(sinew_tangent_desc){ .size = sizeof(sinew_tangent_desc),
                                                            .outputs = &absent,
                                                            .output_count = 1 },
                                     &error),
                "output 1 of 1 does not belong to rig 'network'");
  MU_INT(sinew_live_blocks(), before);

  /* only what was requested can be read; a pose of another rig cannot be evaluated */
  OWNED(rig) *other = network_make(6, 4, 12, 4);
  OWNED(pose) *pose = sinew_pose_create(other, &error);
  sinew_segment first = sinew_rig_segment(rig, 0);
  OWNED(tangent) *t = sinew_tangent_create(
      rig,
      &(sinew_tangent_desc){
          .size = sizeof(sinew_tangent_desc), .segments = &first, .segment_count = 1 },
      &error);
  float row[12];
  asserts_begin();
  sinew_status status = sinew_tangent_eval(t, pose, &error);
  sinew_tangent_turn(t, sinew_rig_segment(rig, 1), row, 3);
  int reach = sinew_tangent_reach(t, stranger, NULL);
  asserts_end();
  MU_INT(status, SINEW_ERR_CALL);
  MU_INT(reach, 0);
  MU_INT(asserted, 3);
}

MU_TEST(derivatives_survive_failing_memory_and_allocate_only_when_created) {
  scarce_memory(100000);
  OWNED(rig) *rig = network_make(8, 5, 30, 8);
  OWNED(pose) *pose = sinew_pose_create(rig, &error);
  size_t before = sinew_live_blocks();
  OWNED(tangent) *t = NULL;
  int failures = 0;
  for (; failures < 100 && !t; failures++) {
    scarce_memory(failures);
    t = sinew_tangent_create(rig, NULL, &error);
    if (!t && (sinew_live_blocks() != before || error.status != SINEW_ERR_MEMORY)) break;
  }
  scarce_memory(0);
  sinew_status status = t ? sinew_tangent_eval(t, pose, &error) : SINEW_ERR_MEMORY;
  size_t held = sinew_live_blocks() - before;
  plenty_of_memory();
  MU_INT(status, SINEW_OK);
  MU_INT(held, 1);
  MU_CHECK(failures > 5);
}

void suite_tangent(void) {
  MU_RUN_FILE();
  run_rigs();
}
