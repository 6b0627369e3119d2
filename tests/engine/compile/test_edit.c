/* Parameters changed on a compiled rig: the result has the bits of a rig compiled with them, poses
 * notice, and a refused change has no effect. */
#include "make.h"
#include "minunit.h"
#include "network.h"
#include "owned.h"

static sinew_error error;

enum { parts = 5 };

typedef struct settings {
  float axis[3], angles[4], centres[9];
  int intervals;
  const char *order;
  sinew_curve *curve;
} settings;

static settings random_values(uint32_t *seed) {
  static const char *const orders[] = { "xyz", "zyx", "yxy" };
  settings v = { .intervals = 1 + make_index(seed, 3), .order = orders[make_index(seed, 3)] };
  make_axis(seed, v.axis);
  v.angles[0] = make_between(seed, -90, 0);
  for (int i = 1; i < 4; i++) v.angles[i] = v.angles[i - 1] + make_between(seed, 5, 60);
  for (int i = 0; i < 9; i++) v.centres[i] = make_between(seed, -1, 1);
  v.curve = make_line(0, make_between(seed, -10, 10), 90, make_between(seed, -90, 90));
  return v;
}

/* the parameters of each edited part, for these values */
static sinew_param param_of(const settings *v, int k) {
  switch (k) {
  case 0: return sinew_param_vector("axis", v->axis[0], v->axis[1], v->axis[2]);
  case 1: return sinew_param_text("order", v->order);
  case 2: return sinew_param_curve("angle", v->curve);
  case 3: return sinew_param_curve("offset", v->curve);
  default: return sinew_param_vector("centre", v->centres[0], v->centres[1], v->centres[2]);
  }
}

/* part 4 is wired to a constant: no DOF moves it */
static sinew_rig *rig_of(const settings *v) {
  sinew_builder *b = sinew_builder_create("edit", NULL);
  sinew_segment s[2] = { sinew_add_bone(b, SINEW_ROOT, "a", (sinew_vec3){ 0, 1, 0 }),
                         make_segment(b, "b", "a", 1, 0, 0) };
  make_lines(b, "dof d -90 90; dof e -90 90");
  sinew_param p[parts];
  for (int i = 0; i < parts; i++) p[i] = param_of(v, i);
  sinew_add(b, "rotation", "r", SINEW_WIRES(sinew_wire_name("angle", "dep")), &p[0], 1);
  sinew_add(b, "euler", "u",
            SINEW_WIRES(sinew_wire_name("first", "m.angle"), sinew_wire_name("second", "d")), &p[1],
            1);
  sinew_add(b, "map", "m", SINEW_WIRES(sinew_wire_name("x", "d")), &p[2], 1);
  sinew_add(b, "dependency", "dep",
            SINEW_WIRES(sinew_wire_name("active", "e"), sinew_wire_name("passive", "m.angle")),
            &p[3], 1);
  sinew_add(b, "rotation", "still", SINEW_WIRES(sinew_wire_number("angle", 30)),
            SINEW_PARAMS(sinew_param_vector("axis", 0, 1, 0), p[4]));
  sinew_add(b, "multiply", "all",
            SINEW_WIRES(sinew_wire_name("matrix", "still"), sinew_wire_name("matrix", "u")),
            SINEW_NONE);
  sinew_builder_drive(b, s[0], "r", NULL, NULL);
  sinew_builder_drive(b, s[1], "all", NULL, NULL);
  return make_rig(b, NULL);
}

static bool same_worlds(const sinew_pose *a, const sinew_pose *b) {
  return memcmp(sinew_pose_worlds(a), sinew_pose_worlds(b), 32 * sizeof(float)) == 0;
}

MU_TEST(edited_rig_equals_rig_compiled_with_the_same_parameters) {
  uint32_t seed = 50;
  settings v = random_values(&seed);
  OWNED(rig) *rig = rig_of(&v);
  OWNED(pose) *pose = sinew_pose_create(rig, NULL);
  const char *name = sinew_rig_component_info(rig, sinew_rig_component(rig, 0)).name;
  for (int round = 0; round < mu_rounds(200); round++) {
    int part = make_index(&seed, parts);
    settings next = random_values(&seed), mixed = v;
    if (part == 0) memcpy(mixed.axis, next.axis, sizeof mixed.axis);
    if (part == 1) mixed.order = next.order;
    if (part == 4) memcpy(mixed.centres, next.centres, sizeof mixed.centres);
    sinew_param param = param_of(&next, part);
    MU_INT(sinew_rig_set_param(rig, sinew_rig_component(rig, part), &param, &error), SINEW_OK);
    /* two parts use the curve: change both */
    if (part == 2 || part == 3) {
      param = param_of(&next, 5 - part);
      MU_INT(sinew_rig_set_param(rig, sinew_rig_component(rig, 5 - part), &param, &error),
             SINEW_OK);
      sinew_curve_destroy(v.curve);
      mixed.curve = next.curve;
    } else {
      sinew_curve_destroy(next.curve);
    }
    v = mixed;
    if (round % 2) sinew_pose_set(pose, sinew_rig_dof(rig, 0), make_between(&seed, -90, 90), NULL);
    MU_INT(sinew_pose_eval(pose, NULL), SINEW_OK);

    OWNED(rig) *plain = rig_of(&v);
    OWNED(pose) *expected = sinew_pose_create(plain, NULL), *late = sinew_pose_create(rig, NULL);
    sinew_pose_set_all(expected, sinew_pose_dofs(pose), 2, NULL);
    sinew_pose_set_all(late, sinew_pose_dofs(pose), 2, NULL);
    MU_INT(sinew_pose_eval(expected, NULL), SINEW_OK);
    MU_INT(sinew_pose_eval(late, NULL), SINEW_OK);
    bool same =
        same_worlds(pose, expected) && same_worlds(late, expected) && network_same(pose, late);
    MU_CHECK_SAY(same, "round %d, part %d: they differ", round, part);
  }
  MU_CHECK(sinew_rig_component_info(rig, sinew_rig_component(rig, 0)).name == name);
  MU_TEXT(name, "r");
  sinew_curve_destroy(v.curve);
}

MU_TEST(a_parameter_not_given_before_can_be_given) {
  uint32_t seed = 51;
  settings v = random_values(&seed);
  OWNED(rig) *rig = rig_of(&v);
  sinew_component r = sinew_rig_component(rig, 0);
  OWNED(pose) *pose = sinew_pose_create(rig, NULL);
  sinew_pose_set(pose, sinew_rig_dof(rig, 0), 77, NULL);
  sinew_pose_eval(pose, NULL);
  MU_INT(sinew_pose_holds(pose, NULL, 0), 0);
  sinew_param angles = sinew_param_numbers("angles", (const float[]){ 200, 210 }, 2);
  MU_INT(sinew_rig_set_param(rig, r, &angles, NULL), SINEW_OK);
  MU_INT(sinew_pose_eval(pose, NULL), SINEW_OK);
  MU_INT(sinew_pose_holds(pose, NULL, 0), 1);
  MU_INT(sinew_rig_component_info(rig, r).param_count, 2);
  MU_INT(sinew_rig_param(rig, r, 1)->count, 2);
  sinew_curve_destroy(v.curve);
}

MU_TEST(a_refused_edit_changes_nothing) {
  uint32_t seed = 52;
  settings v = random_values(&seed);
  OWNED(rig) *rig = rig_of(&v);
  OWNED(pose) *pose = sinew_pose_create(rig, NULL), *before = sinew_pose_create(rig, NULL);
  sinew_pose_eval(before, NULL);
  struct {
    int part;
    sinew_param param;
    sinew_status status;
    const char *text;
  } cases[] = {
    { 0, sinew_param_vector("axis", 0, 0, 0), SINEW_ERR_VALUE, "component 'r': 'axis' is zero" },
    { 0, sinew_param_vector("axis", 0, NAN, 0), SINEW_ERR_NOT_FINITE,
      "component 'r' parameter 'axis': number 2 is nan, not finite" },
    { 0, sinew_param_number("axis", 1), SINEW_ERR_TYPE,
      "component 'r' parameter 'axis': is a number, a vector is wanted" },
    { 0, sinew_param_number("axes", 1), SINEW_ERR_NAME,
      "component 'r': a rotation has no parameter 'axes' (did you mean 'axis'?)" },
    { 2, sinew_param_number("angle", 1), SINEW_ERR_TYPE,
      "component 'm' parameter 'angle': is a number, a curve is wanted" },
    { 2, sinew_param_curve("another", v.curve), SINEW_ERR_NAME,
      "component 'm': an output 'another' cannot be added to a compiled rig" },
    { 3, sinew_param_curve("map", v.curve), SINEW_ERR_VALUE,
      "component 'dep': takes one of 'map', 'offset', or 'lower' and 'upper'" },
  };
  size_t bytes = sinew_live_bytes();
  for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
    sinew_component c = sinew_rig_component(rig, cases[i].part);
    int count = sinew_rig_component_info(rig, c).param_count;
    MU_INT(sinew_rig_set_param(rig, c, &cases[i].param, &error), cases[i].status);
    MU_TEXT(error.text, cases[i].text);
    MU_INT(sinew_rig_set_param(rig, c, &cases[i].param, NULL), cases[i].status);
    MU_INT(sinew_rig_component_info(rig, c).param_count, count);
    MU_INT(sinew_live_bytes(), bytes);
    sinew_pose_reset(pose);
    sinew_pose_set(pose, sinew_rig_dof(rig, 0), 1, NULL);
    sinew_pose_eval(pose, NULL);
    sinew_pose_reset(pose);
    MU_INT(sinew_pose_eval(pose, NULL), SINEW_OK);
    MU_CHECK(network_same(pose, before));
  }
  sinew_curve_destroy(v.curve);
}

/* fickle: its output is not finite if its parameter is negative */

static size_t fickle_size(const sinew_setup *setup) {
  (void)setup;
  return sizeof(float);
}
static void fickle_setup(sinew_setup *setup, void *data) {
  *(float *)data = sinew_setup_number(setup, "k");
}
static void fickle_eval(const sinew_node *node, float *values) {
  float *m = sinew_node_out(node, values, 0);
  for (int i = 0; i < 16; i++) m[i] = i % 5 == 0;
  m[12] = sqrtf(*(const float *)node->data);
}
static const sinew_port_desc fickle_out[] = { { "m", SINEW_MATRIX, 0, 0, "", "" }, { 0 } };
static const sinew_param_desc fickle_params[] = {
  { .name = "k", .type = SINEW_PARAM_NUMBER, .fallback = { 4 } }, { 0 }
};
static const sinew_component_class fickle = {
  .class_size = sizeof(sinew_component_class),
  .name = "fickle",
  .outputs = fickle_out,
  .params = fickle_params,
  .size = fickle_size,
  .setup = fickle_setup,
  .eval = fickle_eval,
};

MU_TEST(an_edit_that_fails_in_evaluation_keeps_the_last_good_transforms) {
  sinew_builder *b = sinew_builder_create("fickle", NULL);
  sinew_builder_add_class(b, &fickle, NULL);
  sinew_segment s = sinew_add_bone(b, SINEW_ROOT, "s", (sinew_vec3){ 0, 0, 0 });
  sinew_add_dof(b, "d", NULL, 0, 1);
  sinew_component f = sinew_add(b, "fickle", "f", SINEW_NONE, SINEW_NONE);
  make_lines(b, "translation t y=d; multiply m matrix=f matrix=t");
  sinew_builder_drive(b, s, "m", NULL, NULL);
  OWNED(rig) *rig = make_rig(b, NULL);
  OWNED(pose) *pose = sinew_pose_create(rig, NULL);
  sinew_pose_set(pose, sinew_rig_dof(rig, 0), 0.5f, NULL);
  MU_INT(sinew_pose_eval(pose, NULL), SINEW_OK);
  sinew_param k = sinew_param_number("k", -1);
  MU_INT(sinew_rig_set_param(rig, f, &k, NULL), SINEW_OK);
  sinew_pose_set(pose, sinew_rig_dof(rig, 0), 1, NULL);
  for (int again = 0; again < 3; again++) {
    MU_FAILS_AS(sinew_pose_eval(pose, &error), SINEW_ERR_NOT_FINITE,
                "component 'f' (fickle): gave a value that is not finite");
    MU_NEAR(dmat_off(dmat_move(2, 0.5, 0), sinew_pose_world(pose, s)), 0, 0);
    MU_NEAR(dmat_off(dmat_move(2, 0.5, 0), sinew_pose_local(pose, s)), 0, 0);
    MU_NEAR(sinew_pose_value(pose, f, 0)[12], 2, 0);
  }
  k = sinew_param_number("k", 9);
  MU_INT(sinew_rig_set_param(rig, f, &k, NULL), SINEW_OK);
  MU_INT(sinew_pose_eval(pose, NULL), SINEW_OK);
  MU_NEAR(dmat_off(dmat_move(3, 1, 0), sinew_pose_world(pose, s)), 0, 0);
}

MU_SUITE(edit)
