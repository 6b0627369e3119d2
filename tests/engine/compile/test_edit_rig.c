/* Other changes on a compiled rig: rest frames, ranges, constants, objects, and parameters that
 * depend on each other. Each is compared to the bit with a rig compiled with the same values. */
#include "field_cases.h"
#include "make.h"
#include "minunit.h"
#include "network.h"
#include "owned.h"
#include "scarce.h"

enum { segments = 4 };

typedef struct stand {
  float rest[segments][16];
  float min, max, start;
  float angle, place[3];
} stand;

static stand random_stand(uint32_t *seed) {
  stand s = { .min = make_between(seed, -90, -30), .max = make_between(seed, 30, 90) };
  s.start = make_between(seed, -20, 20);
  s.angle = make_between(seed, -180, 180);
  for (int i = 0; i < 3; i++) s.place[i] = make_between(seed, -1, 1);
  for (int i = 0; i < segments; i++) make_frame(seed, make_index(seed, MAKE_FRAMES), s.rest[i]);
  return s;
}

/* a, b, c in a chain: c keeps its orientation against b and a; no DOF moves 'still' and 'moved' */
static sinew_builder *describe(const stand *s) {
  static const char *const names[] = { "a", "b", "c", "d" };
  static const char *const parents[] = { NULL, "a", "b", "c" };
  sinew_builder *b = sinew_builder_create("stand", NULL);
  sinew_segment made[segments];
  for (int i = 0; i < segments; i++) made[i] = make_placed(b, names[i], parents[i], s->rest[i]);
  sinew_dof_desc dof = sinew_default_dof_desc();
  dof.name = "x", dof.min = s->min, dof.max = s->max, dof.rest = s->start, dof.rest_given = true;
  sinew_builder_add_dof(b, &dof, NULL);
  sinew_add_dof(b, "y", NULL, -90, 90);
  sinew_add(b, "rotation", "r", SINEW_WIRES(sinew_wire_name("angle", "x")),
            SINEW_PARAMS(sinew_param_vector("axis", 1, 2, 0)));
  sinew_add(b, "euler", "u",
            SINEW_WIRES(sinew_wire_name("first", "y"), sinew_wire_name("second", "x")), SINEW_NONE);
  sinew_add(b, "compensate", "ca", SINEW_WIRES(sinew_wire_name("matrix", "r")),
            SINEW_PARAMS(sinew_param_text("segment", "c"), sinew_param_text("ancestor", "a")));
  sinew_add(b, "compensate", "cb", SINEW_WIRES(sinew_wire_name("matrix", "u")),
            SINEW_PARAMS(sinew_param_text("segment", "c"), sinew_param_text("ancestor", "b")));
  sinew_add(b, "multiply", "c",
            SINEW_WIRES(sinew_wire_name("matrix", "cb"), sinew_wire_name("matrix", "ca")),
            SINEW_NONE);
  sinew_component still = sinew_add(b, "rotation", "still", SINEW_NONE,
                                    SINEW_PARAMS(sinew_param_vector("axis", 0, 1, 1)));
  sinew_component moved = sinew_add(b, "translation", "moved", SINEW_NONE, SINEW_NONE);
  sinew_wire angle = { .input = "angle", .constant = { s->angle } };
  sinew_wire place = { .input = "vector", .constant = { s->place[0], s->place[1], s->place[2] } };
  sinew_builder_connect(b, still, &angle, NULL);
  sinew_builder_connect(b, moved, &place, NULL);
  sinew_add(b, "multiply", "d",
            SINEW_WIRES(sinew_wire_name("matrix", "moved"), sinew_wire_name("matrix", "still"),
                        sinew_wire_name("matrix", "r")),
            SINEW_NONE);
  sinew_builder_drive(b, made[0], "r", NULL, NULL);
  sinew_builder_drive(b, made[1], "u", NULL, NULL);
  sinew_builder_drive(b, made[2], "c", NULL, NULL);
  sinew_builder_drive(b, made[3], "d", NULL, NULL);
  return b;
}

static sinew_component named(const sinew_rig *rig, const char *name) {
  return sinew_rig_find_component(rig, name, NULL);
}

static int input_of(const sinew_rig *rig, const char *component, const char *input) {
  char name[64];
  for (int i = 0;; i++) {
    sinew_rig_input_name(rig, named(rig, component), i, name, sizeof name);
    if (strcmp(name, input) == 0) return i;
  }
}

/* brings the rig to `s` by live changes */
static sinew_status bring(sinew_rig *rig, const stand *s, sinew_error *e) {
  sinew_status status = SINEW_OK;
  for (int i = 0; i < segments && status >= 0; i++)
    status = sinew_rig_set_rest(rig, sinew_rig_segment(rig, i), s->rest[i], e);
  if (status >= 0)
    status = sinew_rig_set_dof_range(rig, sinew_rig_dof(rig, 0), s->min, s->max, s->start, e);
  if (status >= 0)
    status = sinew_rig_set_constant(rig, named(rig, "still"), input_of(rig, "still", "angle"),
                                    &s->angle, e);
  if (status >= 0)
    status = sinew_rig_set_constant(rig, named(rig, "moved"), input_of(rig, "moved", "vector"),
                                    s->place, e);
  return status;
}

static bool same_as_compiled(const sinew_pose *pose, const stand *s) {
  OWNED(rig) *plain = make_rig(describe(s), NULL);
  OWNED(pose) *expected = sinew_pose_create(plain, NULL);
  sinew_pose_set_all(expected, sinew_pose_dofs(pose), 2, NULL);
  sinew_pose_eval(expected, NULL);
  size_t bytes = 16 * segments * sizeof(float);
  bool same = memcmp(sinew_pose_worlds(pose), sinew_pose_worlds(expected), bytes) == 0;
  return same;
}

MU_TEST(edited_rest_frames_and_ranges_equal_a_compiled_rig) {
  uint32_t seed = 70;
  stand s = random_stand(&seed);
  OWNED(rig) *rig = make_rig(describe(&s), NULL);
  OWNED(pose) *pose = sinew_pose_create(rig, NULL);
  for (int round = 0; round < mu_rounds(200); round++) {
    uint32_t revision = sinew_rig_revision(rig);
    s = random_stand(&seed);
    sinew_error error;
    MU_CHECK_SAY(bring(rig, &s, &error) == SINEW_OK, "%s", error.text);
    MU_INT(sinew_rig_revision(rig), revision + segments + 3);
    if (round % 3) sinew_pose_set(pose, sinew_rig_dof(rig, 0), make_between(&seed, -99, 99), NULL);
    sinew_pose_set(pose, sinew_rig_dof(rig, 1), make_between(&seed, -90, 90), NULL);
    MU_INT(sinew_pose_eval(pose, NULL), SINEW_OK);
    MU_CHECK_SAY(same_as_compiled(pose, &s), "round %d: they differ", round);
    MU_INT(sinew_pose_verify(pose, NULL), SINEW_OK);
    sinew_pose *late = sinew_pose_create(rig, NULL);
    MU_NEAR(sinew_pose_get(late, sinew_rig_dof(rig, 0)), s.start, 0);
    MU_INT(sinew_pose_eval(late, NULL), SINEW_OK);
    bool same = same_as_compiled(late, &s);
    sinew_pose_destroy(late);
    MU_CHECK_SAY(same, "round %d: a new pose differs", round);
    int angle = input_of(rig, "still", "angle");
    MU_NEAR(*sinew_rig_constant(rig, named(rig, "still"), angle), s.angle, 0);
    MU_INT(memcmp(sinew_rig_segment_info(rig, sinew_rig_segment(rig, 2)).rest, s.rest[2], 64), 0);
  }
}

MU_TEST(a_changed_range_applies_at_the_next_evaluation) {
  uint32_t seed = 71;
  stand s = random_stand(&seed);
  s.min = -40, s.max = 40, s.start = 0;
  OWNED(rig) *rig = make_rig(describe(&s), NULL);
  sinew_dof x = sinew_rig_dof(rig, 0);
  OWNED(pose) *pose = sinew_pose_create(rig, NULL);
  sinew_pose_set(pose, x, 30, NULL);
  sinew_pose_eval(pose, NULL);
  MU_INT(sinew_rig_set_dof_range(rig, x, -10, 20, 5, NULL), SINEW_OK);
  sinew_pose_eval(pose, NULL);
  MU_NEAR(sinew_pose_get(pose, x), 20, 0);
  sinew_hold hold;
  MU_INT(sinew_pose_holds(pose, &hold, 1), 1);
  MU_TEXT(hold.name, "x");
  MU_NEAR(hold.amount, -10, 0);
  MU_INT(sinew_rig_set_dof_range(rig, x, -10, 25, 5, NULL), SINEW_OK);
  sinew_pose_eval(pose, NULL);
  MU_NEAR(sinew_pose_get(pose, x), 25, 0);
  MU_INT(sinew_rig_set_dof_range(rig, x, -10, 60, 5, NULL), SINEW_OK);
  sinew_pose_eval(pose, NULL);
  MU_NEAR(sinew_pose_get(pose, x), 30, 0);
  MU_INT(sinew_pose_holds(pose, NULL, 0), 0);
  sinew_pose_reset(pose);
  MU_NEAR(sinew_pose_get(pose, x), 5, 0);
}

MU_TEST(invalid_live_changes_are_refused_and_change_nothing) {
  uint32_t seed = 72;
  stand s = random_stand(&seed);
  OWNED(rig) *rig = make_rig(describe(&s), NULL);
  OWNED(pose) *pose = sinew_pose_create(rig, NULL);
  sinew_pose_eval(pose, NULL);
  sinew_error error;
  float bad[16], scaled[16];
  memcpy(bad, s.rest[0], sizeof bad);
  memcpy(scaled, s.rest[0], sizeof scaled);
  bad[12] = NAN;
  for (int i = 0; i < 12; i++) scaled[i] *= 1.1f;
  uint32_t revision = sinew_rig_revision(rig);
  sinew_segment a = sinew_rig_segment(rig, 0);
  sinew_dof x = sinew_rig_dof(rig, 0);
  MU_FAILS_AS(sinew_rig_set_rest(rig, a, bad, &error), SINEW_ERR_NOT_FINITE,
              "segment 'a': its rest frame is not finite");
  MU_FAILS_AS(
      sinew_rig_set_rest(rig, a, scaled, &error), SINEW_ERR_VALUE,
      "segment 'a': its rest frame is not rigid (it may only rotate, mirror and translate)");
  MU_FAILS_AS(sinew_rig_set_dof_range(rig, x, 2, 1, 1, &error), SINEW_ERR_VALUE,
              "DOF 'x': min 2 is above max 1");
  MU_FAILS_AS(sinew_rig_set_dof_range(rig, x, 1, 2, 0, &error), SINEW_ERR_VALUE,
              "DOF 'x': rest 0 is outside 1 to 2");
  MU_INT(sinew_rig_set_dof_range(rig, x, -INFINITY, 2, 0, NULL), SINEW_ERR_NOT_FINITE);
  int angle = input_of(rig, "still", "angle");
  MU_INT(sinew_rig_set_constant(rig, named(rig, "still"), angle, bad + 12, &error),
         SINEW_ERR_NOT_FINITE);
  MU_TEXT(error.text, "component 'still' input 'angle': the constant is not finite");
  MU_FAILS_AS(sinew_rig_set_constant(rig, named(rig, "r"), 0, bad, &error), SINEW_ERR_VALUE,
              "component 'r' input 'angle': was not given a constant");
  MU_CHECK(!sinew_rig_constant(rig, named(rig, "r"), 0));
  sinew_param none = sinew_param_none("axis");
  MU_FAILS(sinew_rig_set_param(rig, named(rig, "r"), &none, &error), SINEW_ERR_MISSING,
           "component 'r' parameter 'axis': is missing");
  MU_INT(sinew_rig_revision(rig), revision);
  sinew_pose_set(pose, x, 1, NULL);
  sinew_pose_eval(pose, NULL);
  MU_CHECK(same_as_compiled(pose, &s));
}

MU_TEST(warnings_follow_live_changes) {
  uint32_t seed = 73;
  stand s = random_stand(&seed);
  OWNED(rig) *rig = make_rig(describe(&s), NULL);
  MU_TEXT(sinew_rig_warnings(rig), "");
  sinew_param other = sinew_param_text("ancestor", "a"), back = sinew_param_text("ancestor", "b");
  sinew_param wrong = sinew_param_text("ancestor", "d");
  MU_INT(sinew_rig_set_param(rig, named(rig, "cb"), &other, NULL), SINEW_OK);
  MU_HAS(sinew_rig_warnings(rig), "segment 'c' compensates 'a' but not 'b' in between");
  MU_INT(sinew_rig_set_param(rig, named(rig, "cb"), &wrong, NULL), SINEW_ERR_TREE);
  MU_HAS(sinew_rig_warnings(rig), "segment 'c' compensates 'a' but not 'b' in between");
  MU_INT(sinew_rig_set_param(rig, named(rig, "cb"), &back, NULL), SINEW_OK);
  MU_TEXT(sinew_rig_warnings(rig), "");
}

/* teller: outputs the number of the last component in a chain of components that name each other */

static size_t teller_size(const sinew_setup *setup) {
  (void)setup;
  return sizeof(float);
}
static void teller_setup(sinew_setup *setup, void *data) {
  sinew_setup at = *setup, next;
  const sinew_component_class *cls;
  while (sinew_setup_peer(&at, "next", &next, &cls)) at = next;
  *(float *)data = sinew_setup_number(&at, "k");
}
static void teller_eval(const sinew_node *node, float *values) {
  *sinew_node_out(node, values, 0) = *(const float *)node->data;
}
static const sinew_port_desc teller_out[] = { { "k", SINEW_SCALAR, 0, 0, "", "" }, { 0 } };
static const sinew_param_desc teller_params[] = { { .name = "k", .type = SINEW_PARAM_NUMBER },
                                                  { .name = "next", .type = SINEW_PARAM_COMPONENT },
                                                  { 0 } };
static const sinew_component_class teller = {
  .class_size = sizeof(sinew_component_class),
  .name = "teller",
  .outputs = teller_out,
  .params = teller_params,
  .size = teller_size,
  .setup = teller_setup,
  .eval = teller_eval,
};

MU_TEST(a_change_reaches_all_components_in_a_chain_of_names) {
  sinew_builder *b = sinew_builder_create("row", NULL);
  sinew_builder_add_class(b, &teller, NULL);
  enum { row = 6 };
  for (int i = 0; i < row; i++) {
    char name[8], next[8];
    snprintf(name, sizeof name, "t%d", i);
    snprintf(next, sizeof next, "t%d", i % 2 ? i - 1 : i + 3);
    /* t0 -> t3 -> t2 -> t5 -> t4, which has the number; t1 -> t0 */
    sinew_param params[] = { sinew_param_number("k", 1), sinew_param_text("next", next) };
    sinew_add(b, "teller", name, SINEW_NONE, params, i == 4 ? 1 : 2);
  }
  OWNED(rig) *rig = make_rig(b, NULL);
  OWNED(pose) *pose = sinew_pose_create(rig, NULL);
  sinew_param k = sinew_param_number("k", 7);
  MU_INT(sinew_rig_set_param(rig, named(rig, "t4"), &k, NULL), SINEW_OK);
  MU_INT(sinew_pose_eval(pose, NULL), SINEW_OK);
  for (int i = 0; i < row; i++)
    MU_NEAR(*sinew_pose_value(pose, sinew_rig_component(rig, i), 0), 7, 0);
}

/* a cone about +y with `count` points at `degrees` from it */
static void ring(int count, double degrees, float *dest) {
  for (int i = 0; i < count; i++) {
    double turn = -6.283185307179586 * i / count, off = degrees * 3.141592653589793 / 180;
    dest[3 * i] = (float)(sin(off) * cos(turn));
    dest[3 * i + 1] = (float)cos(off);
    dest[3 * i + 2] = (float)(sin(off) * sin(turn));
  }
}

static sinew_rig *cone_rig(const sinew_param *params, int count, sinew_error *error) {
  sinew_builder *b = sinew_builder_create("cone", NULL);
  sinew_segment s = sinew_add_bone(b, SINEW_ROOT, "s", (sinew_vec3){ 0, 0, 0 });
  make_lines(b, "dof x -180 180; dof twist -180 180; rotation r angle=x axis=1,0,0");
  sinew_add(b, "cone", "c",
            SINEW_WIRES(sinew_wire_name("swing", "r"), sinew_wire_name("twist", "twist")), params,
            count);
  sinew_builder_drive(b, s, "c.transform", NULL, NULL);
  return make_rig(b, error);
}

static bool same_cones(const sinew_rig *a, const sinew_rig *b, uint32_t *seed) {
  sinew_pose *of[2] = { sinew_pose_create(a, NULL), sinew_pose_create(b, NULL) };
  bool same = true;
  for (int i = 0; i < 50; i++) {
    float dofs[2] = { make_between(seed, -180, 180), make_between(seed, -180, 180) };
    for (int k = 0; k < 2; k++) {
      sinew_pose_set_all(of[k], dofs, 2, NULL);
      sinew_pose_eval(of[k], NULL);
    }
    same &= memcmp(sinew_pose_worlds(of[0]), sinew_pose_worlds(of[1]), 64) == 0;
  }
  for (int k = 0; k < 2; k++) sinew_pose_destroy(of[k]);
  return same;
}

MU_TEST(cone_parameters_that_depend_on_each_other_change_together) {
  uint32_t seed = 74;
  float four[12], six[18], limits[12] = { -10, 20, -30, 40, -50, 60, -7, 8, -9, 10, -11, 12 };
  ring(4, 40, four);
  ring(6, 70, six);
  sinew_param before[] = { sinew_param_vector("rest", 0, 1, 0),
                           sinew_param_vectors("points", four, 4),
                           sinew_param_numbers("twist_limits", limits, 8) };
  sinew_param after[] = { sinew_param_vector("rest", 0, 1, 0),
                          sinew_param_vectors("points", six, 6),
                          sinew_param_numbers("twist_limits", limits, 12),
                          sinew_param_number("smooth", 2) };
  sinew_param round_cone[] = { sinew_param_vector("rest", 0, 1, 0),
                               sinew_param_number("ellipse", 30),
                               sinew_param_vector("right", 1, 0, 0) };
  sinew_param to_round[] = { sinew_param_none("points"),
                             sinew_param_none("twist_limits"),
                             sinew_param_none("smooth"),
                             sinew_param_none("visible"),
                             round_cone[1],
                             round_cone[2] };
  OWNED(rig) *rig = cone_rig(before, 3, NULL), *other = cone_rig(after, 4, NULL);
  OWNED(rig) *third = cone_rig(round_cone, 3, NULL);
  sinew_component c = named(rig, "c");
  sinew_error error;
  MU_FAILS(sinew_rig_set_param(rig, c, &after[1], &error), SINEW_ERR_VALUE,
           "'twist_limits' needs min and max, or a pair for each of 6 points");
  MU_INT(sinew_rig_set_params(rig, c, after, 4, &error), SINEW_OK);
  MU_CHECK(same_cones(rig, other, &seed));
  MU_INT(sinew_rig_set_param(rig, c, &round_cone[1], &error), SINEW_ERR_VALUE);
  MU_INT(sinew_rig_set_params(rig, c, to_round, 6, &error), SINEW_OK);
  MU_CHECK(same_cones(rig, third, &seed));
  MU_INT(sinew_rig_component_info(rig, c).param_count, 3);
  MU_CHECK(!same_cones(rig, other, &seed));
}

static sinew_field *small_field(float width) {
  float path[400];
  sinew_field_desc desc = sinew_default_field_desc(2);
  for (int i = 0; i < 200; i++) {
    double turn = 6.283185307179586 * i / 200;
    path[2 * i] = width * (float)cos(turn), path[2 * i + 1] = 40 * (float)sin(turn);
  }
  return case_field(&desc, path, 200);
}

MU_TEST(a_field_is_replaced_live_and_the_old_one_released) {
  size_t blocks = sinew_live_blocks();
  sinew_field *wide = small_field(120), *thin = small_field(20);
  sinew_builder *b = make_lines(NULL, "dof x -180 180; dof y -180 180");
  sinew_component f = sinew_add(
      b, "field", "f", SINEW_WIRES(sinew_wire_name("angle", "x"), sinew_wire_name("angle", "y")),
      SINEW_PARAMS(sinew_param_object("field", &sinew_field_class, wide)));
  sinew_rig *rig = make_rig(b, NULL);
  sinew_pose *pose = sinew_pose_create(rig, NULL);
  sinew_pose_set(pose, sinew_rig_dof(rig, 0), 90, NULL);
  sinew_pose_eval(pose, NULL);
  MU_INT(sinew_pose_holds(pose, NULL, 0), 0);
  sinew_field_release(wide);
  sinew_param param = sinew_param_object("field", &sinew_field_class, thin);
  MU_INT(sinew_rig_set_param(rig, f, &param, NULL), SINEW_OK);
  MU_INT(sinew_rig_set_param(rig, f, &param, NULL), SINEW_OK); /* for itself */
  sinew_field_release(thin);
  sinew_pose_eval(pose, NULL);
  MU_CHECK(sinew_pose_holds(pose, NULL, 0) > 0);
  MU_CHECK(*sinew_pose_value(pose, f, 2) < 60);
  sinew_pose_destroy(pose);
  sinew_rig_destroy(rig);
  MU_INT(sinew_live_blocks(), blocks);
}

MU_TEST(a_change_has_no_effect_when_memory_runs_out) {
  uint32_t seed = 75;
  stand s = random_stand(&seed), next = random_stand(&seed);
  int refused = 0;
  for (long allowed = 0;; allowed++) {
    scarce_memory(1 << 20);
    sinew_rig *rig = make_rig(describe(&s), NULL);
    sinew_pose *pose = sinew_pose_create(rig, NULL);
    sinew_error error;
    scarce_memory(allowed);
    sinew_status status = sinew_rig_set_rest(rig, sinew_rig_segment(rig, 2), next.rest[2], &error);
    scarce_memory(1 << 20);
    sinew_pose_set(pose, sinew_rig_dof(rig, 1), 33, NULL);
    sinew_pose_eval(pose, NULL);
    stand want = s;
    if (status == SINEW_OK) memcpy(want.rest[2], next.rest[2], 64);
    bool right = same_as_compiled(pose, &want);
    sinew_pose_destroy(pose);
    sinew_rig_destroy(rig);
    bool whole = sinew_live_blocks() == 0;
    plenty_of_memory();
    MU_CHECK_SAY(right && whole, "allowed %ld: status %d, right %d", allowed, status, right);
    if (status == SINEW_OK) break;
    MU_INT(status, SINEW_ERR_MEMORY);
    refused++;
  }
  MU_CHECK(refused > 3);
}

MU_SUITE(edit_rig)
