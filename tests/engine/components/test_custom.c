/* Component classes of a C program, through the public interface only: every kind of parameter,
 * lists, named outputs, holds, hints, peers, the tree, warnings, failures, and classes that are
 * refused. */
#include <sinew/sinew.h>

#include "make.h"
#include "minunit.h"
#include "owned.h"

/* spring: softens an angle, and clamps it to a limit */

typedef struct spring {
  float stiffness, limit;
  float axis[3], frame[16];
  int mode, list_count;
  float list_sum;
  const char *label;
} spring;

static size_t spring_size(const sinew_setup *setup) {
  (void)setup;
  return sizeof(spring);
}

static void spring_setup(sinew_setup *setup, void *data) {
  spring *s = data;
  s->stiffness = sinew_setup_number(setup, "stiffness");
  s->limit = sinew_setup_has(setup, "limit") ? sinew_setup_number(setup, "limit") : 1e9f;
  memcpy(s->axis, sinew_setup_numbers(setup, "axis"), sizeof s->axis);
  memcpy(s->frame, sinew_setup_numbers(setup, "frame"), sizeof s->frame);
  s->mode = sinew_setup_choice(setup, "mode");
  const float *list = sinew_setup_list(setup, "list", &s->list_count);
  for (int i = 0; i < s->list_count; i++) s->list_sum += list[i];
  s->label = sinew_setup_text(setup, "label");
  if (s->limit < 0)
    sinew_setup_fail(setup, SINEW_ERR_VALUE, "limit %g is below zero", (double)s->limit);
}

static void spring_eval(const sinew_node *node, float *values) {
  const spring *s = node->data;
  float wanted = *sinew_node_in(node, values, 0) / (1 + s->stiffness);
  float given = wanted > s->limit ? s->limit : wanted;
  *sinew_node_hold(node, values, 0) = given - wanted;
  *sinew_node_memo(node, values, 1) +=
      1; /* a hint may be kept between calls, but must not change the result */
  *sinew_node_out(node, values, 0) = given;
  *sinew_node_out(node, values, 1) = *(const float *)node->user;
  float *echo = sinew_node_out(node, values, 2);
  for (int i = 0; i < 3; i++) echo[i] = s->axis[i];
  memcpy(sinew_node_out(node, values, 3), s->frame, sizeof s->frame);
}

static const char *const modes[] = { "soft", "hard", NULL };
static const sinew_port_desc spring_in[] = { { "angle", SINEW_SCALAR, 0, 0, "deg", "bent" },
                                             { 0 } };
static const sinew_port_desc spring_out[] = {
  { "angle", SINEW_SCALAR, 0, 0, "deg", "softened" },
  { "extra", SINEW_SCALAR, 0, 0, "", "the user's number" },
  { "axis", SINEW_VECTOR, 0, 0, "", "as given" },
  { "frame", SINEW_MATRIX, 0, 0, "", "as given" },
  { 0 },
};
static const sinew_param_desc spring_params[] = {
  { .name = "stiffness",
    .type = SINEW_PARAM_NUMBER,
    .fallback = { 1 },
    .min = 0,
    .max = 10,
    .doc = "k" },
  { .name = "limit", .type = SINEW_PARAM_NUMBER, .doc = "never beyond" },
  { .name = "axis", .type = SINEW_PARAM_VECTOR, .fallback = { 1, 2, 3 }, .doc = "an axis" },
  { .name = "frame", .type = SINEW_PARAM_MATRIX, .doc = "a frame" },
  { .name = "mode", .type = SINEW_PARAM_CHOICE, .choices = modes, .doc = "how" },
  { .name = "list", .type = SINEW_PARAM_NUMBERS, .doc = "numbers" },
  { .name = "label", .type = SINEW_PARAM_TEXT, .doc = "a word" },
  { 0 },
};
static const sinew_hold_desc spring_holds[] = { { "angle", "the spring's limit" }, { 0 } };
static float user_number = 42;
static const sinew_component_class spring_class = {
  .class_size = sizeof(sinew_component_class),
  .name = "spring",
  .doc = "Softens.",
  .inputs = spring_in,
  .outputs = spring_out,
  .params = spring_params,
  .holds = spring_holds,
  .memo_count = 2,
  .size = spring_size,
  .setup = spring_setup,
  .eval = spring_eval,
  .user = &user_number,
};

static sinew_rig *spring_rig(const sinew_param *params, int count, sinew_error *error) {
  sinew_builder *b = sinew_builder_create("own", NULL);
  sinew_builder_add_class(b, &spring_class, NULL);
  sinew_add_dof(b, "d", NULL, -100, 100);
  sinew_add(b, "spring", "s", SINEW_WIRES(sinew_wire_name("angle", "d")), params, count);
  return make_rig(b, error);
}

MU_TEST(custom_component_evaluates_with_defaults_and_user_data) {
  OWNED(rig) *rig = spring_rig(NULL, 0, NULL);
  OWNED(pose) *pose = sinew_pose_create(rig, NULL);
  sinew_component s = sinew_rig_component(rig, 0);
  for (int i = 0; i < 5; i++) {
    sinew_pose_set(pose, sinew_rig_dof(rig, 0), (float)(10 * i), NULL);
    MU_INT(sinew_pose_eval(pose, NULL), SINEW_OK);
    MU_NEAR(*sinew_pose_value(pose, s, 0), 5 * i, 0);
  }
  MU_NEAR(*sinew_pose_value(pose, s, 1), 42, 0);
  MU_NEAR(sinew_pose_value(pose, s, 2)[2], 3, 0);
  MU_NEAR(dmat_off(dmat_identity(), sinew_pose_value(pose, s, 3)), 0, 0);
  MU_CHECK((uintptr_t)sinew_pose_value(pose, s, 3) % 32 == 0);
  MU_INT(sinew_pose_holds(pose, NULL, 0), 0);
  MU_CHECK(!sinew_rig_can_fail(rig));
}

MU_TEST(custom_component_reads_its_parameters_and_reports_its_holds) {
  static const float list[] = { 1, 2, 3 };
  float frame[16];
  uint32_t seed = 1;
  make_frame(&seed, MAKE_TURNED, frame);
  OWNED(rig) *rig = spring_rig(
      SINEW_PARAMS(sinew_param_number("stiffness", 3), sinew_param_number("limit", 10),
                   sinew_param_vector("axis", 7, 8, 9), sinew_param_matrix("frame", frame),
                   sinew_param_text("mode", "hard"), sinew_param_numbers("list", list, 3),
                   sinew_param_text("label", "left")),
      NULL);
  OWNED(pose) *pose = sinew_pose_create(rig, NULL);
  sinew_component s = sinew_rig_component(rig, 0);
  sinew_pose_set(pose, sinew_rig_dof(rig, 0), 60, NULL);
  MU_INT(sinew_pose_eval(pose, NULL), SINEW_OK);
  MU_NEAR(*sinew_pose_value(pose, s, 0), 10, 0);
  MU_NEAR(sinew_pose_value(pose, s, 2)[0], 7, 0);
  MU_NEAR(dmat_off(dmat_of(frame), sinew_pose_value(pose, s, 3)), 0, 0);
  sinew_hold hold;
  MU_INT(sinew_pose_holds(pose, &hold, 1), 1);
  MU_TEXT(hold.name, "s");
  MU_TEXT(hold.port, "angle");
  MU_TEXT(hold.doc, "the spring's limit");
  MU_INT(hold.component.id, s.id);
  MU_NEAR(hold.amount, -5, 1e-6);
  MU_INT(sinew_rig_component_info(rig, s).param_count, 7);
  MU_TEXT(sinew_rig_param(rig, s, 6)->text, "left");
}

MU_TEST(custom_component_is_checked_against_its_table) {
  sinew_error error;
  float scaled[16] = { 2, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1 };
  MU_REFUSED_AS(spring_rig(SINEW_PARAMS(sinew_param_number("stiffness", 11)), &error),
                "component 's' parameter 'stiffness': 11 is outside 0 to 10");
  MU_REFUSED_AS(spring_rig(SINEW_PARAMS(sinew_param_number("limit", -1)), &error),
                "component 's': limit -1 is below zero");
  MU_REFUSED_AS(spring_rig(SINEW_PARAMS(sinew_param_matrix("frame", scaled)), &error),
                "component 's' parameter 'frame': is not rigid");
  MU_CHECK(!spring_rig(SINEW_PARAMS(sinew_param_text("mode", "hrad")), &error));
  MU_TEXT(
      error.text,
      "component 's' parameter 'mode': 'hrad' is none of 'soft', 'hard' (did you mean 'hard'?)");
}

/* guard: fails on purpose */

static int guard_calls;
static sinew_status guard_try(const sinew_node *node, float *values, sinew_error *error) {
  float x = *sinew_node_in(node, values, 0), *m = sinew_node_out(node, values, 0);
  guard_calls++;
  for (int i = 0; i < 16; i++) m[i] = i % 5 == 0;
  m[12] = x;
  if (x > 10) return sinew_error_add(error, SINEW_ERR_SCRIPT, "%g is too much", (double)x);
  if (x > 5) return SINEW_ERR_SCRIPT; /* without a message */
  if (x < -5) m[13] = x < -10 ? NAN : INFINITY;
  return SINEW_OK;
}
static const sinew_port_desc guard_in[] = { { "x", SINEW_SCALAR, 0, 0, "", "" }, { 0 } };
static const sinew_port_desc guard_out[] = { { "m", SINEW_MATRIX, 0, 0, "", "" }, { 0 } };
static const sinew_component_class guard_class = { .class_size = sizeof(sinew_component_class),
                                                   .name = "guard",
                                                   .inputs = guard_in,
                                                   .outputs = guard_out,
                                                   .try_eval = guard_try };

/* the same class, marked as one that never fails */
static void rash_eval(const sinew_node *node, float *values) { guard_try(node, values, NULL); }
static const sinew_component_class rash_class = { .class_size = sizeof(sinew_component_class),
                                                  .name = "rash",
                                                  .inputs = guard_in,
                                                  .outputs = guard_out,
                                                  .eval = rash_eval };

/* two segments: one driven by the guard, one by a rotation on another DOF after it */
static sinew_rig *guard_rig(const char *kind) {
  sinew_builder *b = sinew_builder_create("own", NULL);
  sinew_builder_add_class(b, &guard_class, NULL);
  sinew_builder_add_class(b, &rash_class, NULL);
  sinew_segment a = sinew_add_bone(b, SINEW_ROOT, "a", (sinew_vec3){ 1, 0, 0 }),
                c = make_segment(b, "c", "a", 0, 1, 0);
  make_lines(b, "dof x -100 100; dof y -100 100; dof unused -100 100");
  sinew_add_dof(b, "unused too", NULL, -100, 100);
  sinew_component_desc d = { .size = sizeof d, .kind = kind, .name = "g", .origin = "own.c:7" };
  d.wires = (const sinew_wire[]){ { .input = "x", .from = "x" } }, d.wire_count = 1;
  sinew_builder_add_component(b, &d, NULL);
  sinew_add(b, "rotation", "r", SINEW_WIRES(sinew_wire_name("angle", "y")),
            SINEW_PARAMS(sinew_param_vector("axis", 0, 0, 1)));
  sinew_builder_drive(b, a, "g", NULL, NULL);
  sinew_builder_drive(b, c, "r", NULL, NULL);
  return make_rig(b, NULL);
}

static void check_failures(const char *kind, bool says) {
  OWNED(rig) *rig = guard_rig(kind);
  MU_INT(sinew_rig_can_fail(rig), says);
  OWNED(pose) *pose = sinew_pose_create(rig, NULL), *fresh = sinew_pose_create(rig, NULL);
  sinew_dof x = sinew_rig_dof(rig, 0), y = sinew_rig_dof(rig, 1);
  sinew_segment a = sinew_rig_segment(rig, 0), c = sinew_rig_segment(rig, 1);
  sinew_error error;

  /* before the first success: undriven */
  sinew_pose_set(fresh, x, -20, NULL);
  MU_INT(sinew_pose_eval(fresh, &error), SINEW_ERR_NOT_FINITE);
  MU_NEAR(dmat_off(dmat_move(1, 0, 0), sinew_pose_world(fresh, a)), 0, 0);
  MU_NEAR(dmat_off(dmat_identity(), sinew_pose_local(fresh, a)), 0, 0);
  MU_NEAR(dmat_off(dmat_identity(), sinew_pose_local(fresh, c)), 0, 0);

  sinew_pose_set(pose, x, 2, NULL);
  sinew_pose_set(pose, y, 30, NULL);
  MU_INT(sinew_pose_eval(pose, &error), SINEW_OK);
  float worlds[32], locals[2][16];
  memcpy(worlds, sinew_pose_worlds(pose), sizeof worlds);
  memcpy(locals[0], sinew_pose_local(pose, a), sizeof locals[0]);
  memcpy(locals[1], sinew_pose_local(pose, c), sizeof locals[1]);

  struct {
    float x;
    sinew_status status;
    const char *text;
  } cases[] = {
    { -7, SINEW_ERR_NOT_FINITE, "gave a value that is not finite" },
    { -20, SINEW_ERR_NOT_FINITE, "gave a value that is not finite" },
    { 20, SINEW_ERR_SCRIPT, "20 is too much" },
    { 7, SINEW_ERR_SCRIPT, "failed" },
  };
  for (int all = 0; all < 2; all++)
    for (int i = 0; i < (says ? 4 : 2); i++) {
      char text[128];
      snprintf(text, sizeof text, "own.c:7: component 'g' (%s): %s", kind, cases[i].text);
      sinew_pose_set(pose, x, cases[i].x, NULL);
      if (all) sinew_pose_set(pose, y, (float)i, NULL);
      for (int again = 0; again < 2; again++) {
        MU_INT(sinew_pose_eval(pose, &error), cases[i].status);
        MU_TEXT(error.text, text);
        MU_INT(sinew_pose_eval(pose, NULL), cases[i].status);
      }
      MU_NEAR(sinew_pose_get(pose, x), cases[i].x, 0);
      MU_CHECK(memcmp(worlds, sinew_pose_worlds(pose), sizeof worlds) == 0);
      MU_CHECK(memcmp(locals[0], sinew_pose_local(pose, a), sizeof locals[0]) == 0);
      MU_CHECK(memcmp(locals[1], sinew_pose_local(pose, c), sizeof locals[1]) == 0);
    }
  /* and continues as if nothing had happened */
  sinew_pose_set(pose, x, 3, NULL);
  sinew_pose_set(pose, y, 40, NULL);
  MU_INT(sinew_pose_eval(pose, &error), SINEW_OK);
  sinew_pose_set_all(fresh, sinew_pose_dofs(pose), 4, NULL);
  MU_INT(sinew_pose_eval(fresh, &error), SINEW_OK);
  MU_CHECK(memcmp(sinew_pose_worlds(fresh), sinew_pose_worlds(pose), sizeof worlds) == 0);
}

MU_TEST(failure_keeps_the_last_good_transforms) { check_failures("guard", true); }
MU_TEST(an_infinite_output_is_found_in_a_class_that_never_fails) { check_failures("rash", false); }

MU_TEST(a_constant_output_must_be_finite_when_compiled) {
  sinew_builder *b = sinew_builder_create("own", NULL);
  sinew_builder_add_class(b, &rash_class, NULL);
  sinew_add(b, "rash", "r", SINEW_WIRES(sinew_wire_number("x", -20)), SINEW_NONE);
  sinew_error error;
  MU_REFUSED_AS(make_rig(b, &error), "component 'r' (rash): gives a value that is not finite");
}

MU_TEST(a_component_that_can_fail_is_not_run_when_nothing_changed) {
  OWNED(rig) *rig = guard_rig("guard");
  OWNED(pose) *pose = sinew_pose_create(rig, NULL);
  guard_calls = 0;
  sinew_pose_eval(pose, NULL);
  MU_INT(guard_calls, 1);
  sinew_pose_eval(pose, NULL);
  sinew_pose_set(pose, sinew_rig_dof(rig, 1), 5, NULL);
  sinew_pose_eval(pose, NULL);
  MU_INT(guard_calls, 1);
  sinew_pose_set(pose, sinew_rig_dof(rig, 0), 1, NULL);
  sinew_pose_eval(pose, NULL);
  MU_INT(guard_calls, 2);
}

/* gains: a list of inputs with an output for each, multiplied by the gain of a peer spring */

typedef struct gains {
  float gain;
} gains;
static size_t gains_size(const sinew_setup *setup) {
  (void)setup;
  return sizeof(gains);
}
static void gains_setup(sinew_setup *setup, void *data) {
  sinew_setup peer;
  const sinew_component_class *cls;
  gains *g = data;
  g->gain = 1;
  if (!sinew_setup_peer(setup, "of", &peer, &cls)) return;
  if (cls != &spring_class)
    sinew_setup_fail(setup, SINEW_ERR_TYPE, "'of' is a %s, a spring is wanted", cls->name);
  else
    g->gain = sinew_setup_number(&peer, "stiffness");
  if (g->gain == 9) sinew_setup_fail(setup, SINEW_ERR_VALUE, "a gain of 9 is unlucky");
}
static void gains_eval(const sinew_node *node, float *values) {
  const gains *g = node->data;
  for (uint32_t i = 0; i < node->output_count; i++)
    *sinew_node_out(node, values, i) = g->gain * *sinew_node_in(node, values, i);
}
static void gains_review(const sinew_setup *setup, sinew_error *warnings) {
  int springs = 0;
  for (int i = 0; i < sinew_setup_component_count(setup); i++) {
    sinew_setup other;
    springs += sinew_setup_component(setup, i, &other) == &spring_class;
  }
  if (springs > 1)
    sinew_error_add(warnings, SINEW_OK, "%d springs, and %d wires", springs,
                    sinew_setup_wired(setup, "x"));
}
static const sinew_port_desc gains_in[] = { { "x", SINEW_SCALAR, SINEW_PORT_LIST, 0, "", NULL },
                                            { 0 } };
static const sinew_port_desc gains_out[] = { { "y", SINEW_SCALAR, SINEW_PORT_LIST, 0, "", NULL },
                                             { 0 } };
static const sinew_param_desc gains_params[] = { { .name = "of", .type = SINEW_PARAM_COMPONENT },
                                                 { 0 } };
static const sinew_component_class gains_class = {
  .class_size = sizeof(sinew_component_class),
  .name = "gains",
  .inputs = gains_in,
  .outputs = gains_out,
  .params = gains_params,
  .size = gains_size,
  .setup = gains_setup,
  .review = gains_review,
  .eval = gains_eval,
};

static sinew_builder *gains_builder(const char *of) {
  sinew_builder *b = sinew_builder_create("own", NULL);
  sinew_builder_add_class(b, &spring_class, NULL);
  sinew_builder_add_class(b, &gains_class, NULL);
  make_lines(b,
             "set set; dof d -100 100; spring s angle=d stiffness=3\n"
             "gains g x=d x=#2 x=s.angle of=%s; euler e first=g.y3",
             of);
  return b;
}

MU_TEST(custom_components_may_have_output_lists_and_peers) {
  sinew_rig *rig = MU_MADE(make_rig(gains_builder("s"), NULL));
  sinew_pose *pose = sinew_pose_create(rig, NULL);
  sinew_component s = sinew_rig_component(rig, 0), g = sinew_rig_component(rig, 1);
  MU_INT(sinew_rig_component_info(rig, g).output_count, 3);
  char name[8];
  sinew_rig_output_name(rig, g, 1, name, sizeof name);
  MU_TEXT(name, "y2");
  sinew_pose_set(pose, sinew_rig_dof(rig, 0), 8, NULL);
  sinew_pose_eval(pose, NULL);
  MU_NEAR(*sinew_pose_value(pose, g, 0), 24, 0);
  MU_NEAR(*sinew_pose_value(pose, g, 1), 6, 0);
  MU_NEAR(*sinew_pose_value(pose, g, 2), 6, 0);

  /* changing a parameter of the spring reaches the component that names it */
  sinew_error error;
  sinew_param stiffness = sinew_param_number("stiffness", 1);
  MU_INT(sinew_rig_set_param(rig, s, &stiffness, &error), SINEW_OK);
  sinew_pose_eval(pose, NULL);
  MU_NEAR(*sinew_pose_value(pose, g, 0), 8, 0);
  MU_NEAR(*sinew_pose_value(pose, g, 2), 4, 0);
  /* the component may refuse the change, and then nothing has changed anywhere */
  stiffness = sinew_param_number("stiffness", 9);
  MU_FAILS_AS(sinew_rig_set_param(rig, s, &stiffness, &error), SINEW_ERR_VALUE,
              "component 'set.g': a gain of 9 is unlucky");
  MU_NEAR(sinew_rig_param(rig, s, 0)->number[0], 1, 0);
  sinew_pose_set(pose, sinew_rig_dof(rig, 0), 10, NULL);
  sinew_pose_eval(pose, NULL);
  MU_NEAR(*sinew_pose_value(pose, g, 2), 5, 0);
  sinew_pose_destroy(pose);
  sinew_rig_destroy(rig);

  MU_REFUSED_AS(make_rig(gains_builder("e"), &error),
                "component 'set.g': 'of' is a euler, a spring is wanted");
  MU_CHECK(!make_rig(gains_builder("set.z"), &error));
  MU_HAS(error.text,
         "component 'set.g' parameter 'of': no component named 'set.z' (did you mean 'set.s'");
  sinew_builder *b = gains_builder("set.s");
  sinew_add(b, "gains", "h", SINEW_NONE, SINEW_NONE);
  MU_REFUSED_AS(make_rig(b, &error), "component 'h' input 'x': is not wired (a scalar)");
}

MU_TEST(custom_components_may_warn) {
  sinew_builder *b = gains_builder("s");
  sinew_add(b, "spring", "second", SINEW_WIRES(sinew_wire_name("angle", "set.d")), SINEW_NONE);
  OWNED(rig) *rig = make_rig(b, NULL);
  MU_TEXT(sinew_rig_warnings(rig), "2 springs, and 3 wires");
}

/* hinge: a rotation class of the program, which gives its constants to the fast path; chain: a
 * product class; both take the parameters of rotation and multiply */

static size_t hinge_size(const sinew_setup *setup) {
  (void)setup;
  return sinew_turn_bytes(1);
}
static void hinge_setup(sinew_setup *setup, void *data) {
  int count;
  const float *angles = sinew_setup_list(setup, "angles", &count);
  if (!sinew_turn_make(sinew_setup_numbers(setup, "axis"), sinew_setup_numbers(setup, "centre"),
                       sinew_setup_number(setup, "rest"), angles[0], angles[1], data))
    sinew_setup_fail(setup, SINEW_ERR_VALUE, "this is no hinge");
}
static int hinge_calls;
static void hinge_eval(const sinew_node *node, float *values) {
  const sinew_turn *t = node->data;
  float wanted = *sinew_node_in(node, values, 0);
  float given = fmaxf(t->low, fminf(wanted, t->high));
  hinge_calls++;
  *sinew_node_hold(node, values, 0) = given - wanted;
  sinew_turn_eval(t, given, sinew_node_out(node, values, 0));
}
static const sinew_turn *hinge_turn(const void *data) { return data; }
static const sinew_port_desc hinge_in[] = { { .name = "angle" }, { 0 } };
static const sinew_port_desc hinge_out[] = { { .name = "transform", .kind = SINEW_MATRIX }, { 0 } };
static const sinew_param_desc hinge_params[] = {
  { .name = "axis", .type = SINEW_PARAM_VECTOR },
  { .name = "centre", .type = SINEW_PARAM_VECTOR },
  { .name = "angles", .type = SINEW_PARAM_NUMBERS },
  { .name = "rest", .type = SINEW_PARAM_NUMBER },
  { 0 },
};
static const sinew_hold_desc hinge_holds[] = { { "angle", "its range" }, { 0 } };
static const sinew_component_class hinge_class = { .class_size = sizeof(sinew_component_class),
                                                   .name = "hinge",
                                                   .inputs = hinge_in,
                                                   .outputs = hinge_out,
                                                   .params = hinge_params,
                                                   .holds = hinge_holds,
                                                   .size = hinge_size,
                                                   .setup = hinge_setup,
                                                   .eval = hinge_eval,
                                                   .turn = hinge_turn };

static void chain_eval(const sinew_node *node, float *values) {
  float product[16], *dest = sinew_node_out(node, values, 0);
  memcpy(product, sinew_node_in(node, values, 0), sizeof product);
  for (uint32_t i = 1; i < node->input_count; i++) {
    const float *a = sinew_node_in(node, values, i);
    float next[16];
    for (int k = 0; k < 16; k++)
      next[k] = product[k % 4] * a[k / 4 * 4] + product[4 + k % 4] * a[k / 4 * 4 + 1] +
                product[8 + k % 4] * a[k / 4 * 4 + 2] + product[12 + k % 4] * a[k / 4 * 4 + 3];
    memcpy(product, next, sizeof product);
  }
  memcpy(dest, product, sizeof product);
}
static const sinew_port_desc chain_in[] = {
  { .name = "matrix", .kind = SINEW_MATRIX, .flags = SINEW_PORT_LIST }, { 0 }
};
static const sinew_component_class chain_class = { .class_size = sizeof(sinew_component_class),
                                                   .name = "chain",
                                                   .inputs = chain_in,
                                                   .outputs = hinge_out,
                                                   .eval = chain_eval,
                                                   .product = true };

/* a segment driven by a product of this many rotations, or by a single rotation */
static void add_turns(sinew_builder *b, const char *name, const char *rotation, const char *product,
                      int count) {
  char wires[128] = "", part[32], wire[32];
  uint32_t seed = 7;
  for (int i = 0; i < count; i++) {
    float axis[3], ends[] = { -70 - (float)i, 80 };
    make_axis(&seed, axis);
    snprintf(part, sizeof part, "%s_%d", name, i);
    snprintf(wire, sizeof wire, "angle=d%d", i);
    make_part(b, MAKE_NO_SET, rotation, part, wire,
              SINEW_PARAMS(sinew_param_vector("axis", axis[0], axis[1], axis[2]),
                           sinew_param_vector("centre", 0.1f * (float)i, 0.2f, -0.3f),
                           sinew_param_numbers("angles", ends, 2), sinew_param_number("rest", 12)));
    snprintf(wires + strlen(wires), sizeof wires - strlen(wires), "%smatrix=%s", i ? " " : "",
             part);
  }
  if (count > 1) make_part(b, MAKE_NO_SET, product, name, wires, NULL, 0);
  sinew_segment segment = sinew_add_bone(b, SINEW_ROOT, name, (sinew_vec3){ 0.5f, 0, 0 });
  snprintf(part, sizeof part, "%s%s", name, count > 1 ? "" : "_0");
  MU_INT(sinew_builder_drive(b, segment, part, NULL, NULL), SINEW_OK);
}

/* names of the segments: first those of our classes, then those of the program's own */
static sinew_rig *turns_rig(void) {
  static const char *const names[2][4] = { { "o1", "o2", "o3", "o5" }, { "p1", "p2", "p3", "p5" } };
  static const int counts[] = { 1, 2, 3, 5 };
  sinew_builder *b = sinew_builder_create("turns", NULL);
  sinew_builder_add_class(b, &hinge_class, NULL);
  sinew_builder_add_class(b, &chain_class, NULL);
  for (int i = 0; i < 5; i++) {
    char name[16];
    snprintf(name, sizeof name, "d%d", i);
    sinew_add_dof(b, name, NULL, -100, 100);
  }
  for (int own = 0; own < 2; own++)
    for (int i = 0; i < 4; i++)
      add_turns(b, names[own][i], own ? "hinge" : "rotation", own ? "chain" : "multiply",
                counts[i]);
  return make_rig(b, NULL);
}

MU_TEST(custom_rotations_are_fused_like_built_in_ones) {
  enum { segments = 8, half = 4, poses = 50 };
  OWNED(rig) *rig = turns_rig();
  int turns = 0;
  MU_INT(sinew_rig_step_count(rig), segments);
  for (int i = 0; i < segments; i++) turns += sinew_rig_step(rig, i).turns;
  MU_INT(turns, 2 * (1 + 2 + 3 + 5));
  MU_INT(sinew_rig_unused_count(rig), 0);
  OWNED(pose) *pose = sinew_pose_create(rig, NULL), *plain = sinew_pose_create(rig, NULL);
  OWNED(batch) *batch = sinew_batch_create(rig, NULL, NULL);
  sinew_pose_set_plain(plain, true);
  uint32_t seed = 3;
  float rows[poses][5];
  static float worlds[poses][segments][16];
  hinge_calls = 0;
  for (int n = 0; n < poses; n++) {
    for (int i = 0; i < 5; i++) {
      rows[n][i] = make_between(&seed, -100, 100);
      sinew_pose_set(pose, sinew_rig_dof(rig, i), rows[n][i], NULL);
    }
    MU_INT(sinew_pose_eval(pose, NULL), SINEW_OK);
    const float *world = sinew_pose_worlds(pose);
    MU_CHECK(memcmp(world, world + 16 * half, 16 * half * sizeof *world) == 0);
  }
  MU_INT(hinge_calls, 0);
  /* evaluated one by one, a single rotation has the same bits as fused; a product differs by
   * rounding */
  for (int i = 0; i < 5; i++)
    sinew_pose_set(plain, sinew_rig_dof(rig, i), rows[poses - 1][i], NULL);
  MU_INT(sinew_pose_eval(plain, NULL), SINEW_OK);
  MU_INT(hinge_calls, 11);
  for (int i = 0; i < segments; i++) {
    const float *a = sinew_pose_world(pose, sinew_rig_segment(rig, i));
    const float *b = sinew_pose_world(plain, sinew_rig_segment(rig, i));
    MU_NEAR(dmat_off(dmat_of(a), b), 0, i % half ? 1e-6 : 6e-8);
  }
  MU_INT(sinew_pose_holds(pose, NULL, 0), sinew_pose_holds(plain, NULL, 0));
  MU_INT(sinew_batch_eval(batch, &rows[0][0], poses, &worlds[0][0][0], NULL), SINEW_OK);
  for (int n = 0; n < poses; n++)
    MU_CHECK(memcmp(worlds[n][0], worlds[n][half], sizeof worlds[n] / 2) == 0);
}

MU_TEST(invalid_rotation_constants_are_refused) {
  _Alignas(16) char room[512];
  sinew_turn *t = (sinew_turn *)(void *)room;
  const float axis[3] = { 0, 0, 2 }, zero[3] = { 0, 0, 0 };
  MU_CHECK(sinew_turn_bytes(1) <= sizeof room);
  MU_CHECK(!sinew_turn_make(zero, zero, 0, -1, 1, t));
  MU_CHECK(!sinew_turn_make(axis, zero, 2, -1, 1, t));
  MU_CHECK(sinew_turn_make(axis, zero, 0, -1, 1, t));
  MU_NEAR(t->axis[2], 1, 0);
}

/* sum: evaluated in groups, and for several characters at once */

static int sum_groups, sum_lanes;
static void sum_eval(const sinew_node *node, float *values) {
  *sinew_node_out(node, values, 0) =
      *sinew_node_in(node, values, 0) + 0.5f * *sinew_node_in(node, values, 1);
}
static void sum_eval_all(const sinew_node *nodes, const uint32_t *which, uint32_t count,
                         float *values) {
  sum_groups += count > 1;
  for (uint32_t i = 0; i < count; i++) sum_eval(&nodes[which[i]], values);
}
static void sum_eval_lanes(const sinew_node *node, float *values, uint32_t width) {
  const float *a = values + (size_t)node->ports[0] * width;
  const float *b = values + (size_t)node->ports[1] * width;
  float *dest = values + (size_t)node->ports[2] * width;
  sum_lanes++;
  for (uint32_t i = 0; i < width; i++) dest[i] = a[i] + 0.5f * b[i];
}
static const sinew_port_desc sum_in[] = { { .name = "a" }, { .name = "b" }, { 0 } };
static const sinew_port_desc sum_out[] = { { .name = "sum" }, { 0 } };
static const sinew_component_class sum_class = { .class_size = sizeof(sinew_component_class),
                                                 .name = "sum",
                                                 .inputs = sum_in,
                                                 .outputs = sum_out,
                                                 .eval = sum_eval,
                                                 .eval_all = sum_eval_all,
                                                 .eval_lanes = sum_eval_lanes };

MU_TEST(custom_components_are_evaluated_in_groups_and_in_lanes) {
  enum { poses = 20 };
  static const float ellipse[] = { 40 };
  sinew_builder *b = sinew_builder_create("sums", NULL);
  sinew_builder_add_class(b, &sum_class, NULL);
  sinew_add_dof(b, "d", NULL, -50, 50);
  sinew_add_dof(b, "e", NULL, -50, 50);
  sinew_add(b, "sum", "s1", SINEW_WIRES(sinew_wire_name("a", "d"), sinew_wire_name("b", "e")),
            SINEW_NONE);
  sinew_add(b, "rotation", "r1", SINEW_WIRES(sinew_wire_name("angle", "d")),
            SINEW_PARAMS(sinew_param_vector("axis", 1, 0, 0)));
  sinew_add(b, "rotation", "r2", SINEW_WIRES(sinew_wire_name("angle", "e")),
            SINEW_PARAMS(sinew_param_vector("axis", 0, 1, 0)));
  sinew_add(b, "cone", "c",
            SINEW_WIRES(sinew_wire_name("angle1", "d"), sinew_wire_name("angle2", "e"),
                        sinew_wire_name("twist", "e")),
            SINEW_PARAMS(sinew_param_vector("rest", 0, 0, 1), sinew_param_vector("right", 1, 0, 0),
                         sinew_param_numbers("ellipse", ellipse, 1),
                         sinew_param_text("rotation1", "r1"), sinew_param_text("rotation2", "r2")));
  sinew_add(b, "sum", "s2", SINEW_WIRES(sinew_wire_name("a", "e"), sinew_wire_name("b", "d")),
            SINEW_NONE);
  sinew_add(b, "sum", "s3",
            SINEW_WIRES(sinew_wire_name("a", "s1"), sinew_wire_name("b", "c.twist")), SINEW_NONE);
  sinew_add(b, "euler", "t",
            SINEW_WIRES(sinew_wire_name("first", "s1"), sinew_wire_name("second", "s2"),
                        sinew_wire_name("third", "s3")),
            SINEW_NONE);
  MU_INT(sinew_builder_drive(b, sinew_add_bone(b, SINEW_ROOT, "bone", (sinew_vec3){ 0, 0, 0 }), "t",
                             NULL, NULL),
         SINEW_OK);
  OWNED(rig) *rig = make_rig(b, NULL);
  OWNED(pose) *pose = sinew_pose_create(rig, NULL), *plain = sinew_pose_create(rig, NULL);
  OWNED(batch) *batch = sinew_batch_create(rig, NULL, NULL);
  sinew_pose_set_plain(plain, true);
  uint32_t seed = 5;
  float rows[poses][2];
  static float worlds[poses][16];
  for (int n = 0; n < poses; n++)
    for (int i = 0; i < 2; i++) rows[n][i] = make_between(&seed, -50, 50);
  sum_groups = sum_lanes = 0;
  MU_INT(sinew_batch_eval(batch, &rows[0][0], poses, &worlds[0][0], NULL), SINEW_OK);
  MU_CHECK(sum_lanes > 0);
  for (int n = 0; n < poses; n++) {
    for (int i = 0; i < 2; i++) {
      sinew_pose_set(pose, sinew_rig_dof(rig, i), rows[n][i], NULL);
      sinew_pose_set(plain, sinew_rig_dof(rig, i), rows[n][i], NULL);
    }
    MU_INT(sinew_pose_eval(pose, NULL), SINEW_OK);
    MU_INT(sinew_pose_eval(plain, NULL), SINEW_OK);
    MU_CHECK(memcmp(sinew_pose_worlds(pose), sinew_pose_worlds(plain), sizeof worlds[n]) == 0);
    MU_NEAR(dmat_off(dmat_of(worlds[n]), sinew_pose_worlds(pose)), 0, 1e-6);
  }
  MU_CHECK(sum_groups > 0);
}

/* idle: inputs may be left unwired */

static void idle_eval(const sinew_node *node, float *values) {
  const float *vector = sinew_node_in(node, values, 1);
  *sinew_node_out(node, values, 0) = *sinew_node_in(node, values, 0) + vector[0] + vector[2];
  memcpy(sinew_node_out(node, values, 1), sinew_node_in(node, values, 2), 16 * sizeof(float));
}
static const sinew_port_desc idle_in[] = {
  { "s", SINEW_SCALAR, SINEW_PORT_OPTIONAL, 2.5f, "", "" },
  { "v", SINEW_VECTOR, SINEW_PORT_OPTIONAL, 0, "", "" },
  { "m", SINEW_MATRIX, SINEW_PORT_OPTIONAL, 0, "", "" },
  { 0 },
};
static const sinew_port_desc idle_out[] = {
  { "s", SINEW_SCALAR, 0, 0, "", "" },
  { "m", SINEW_MATRIX, 0, 0, "", "" },
  { 0 },
};
static const sinew_component_class idle_class = { .class_size = sizeof(sinew_component_class),
                                                  .name = "idle",
                                                  .inputs = idle_in,
                                                  .outputs = idle_out,
                                                  .eval = idle_eval };

MU_TEST(unwired_inputs_read_their_fallback) {
  sinew_builder *b = sinew_builder_create("own", NULL);
  sinew_builder_add_class(b, &idle_class, NULL);
  sinew_component alone = sinew_add(b, "idle", "i", SINEW_NONE, SINEW_NONE);
  sinew_component given =
      sinew_add(b, "idle", "j", SINEW_WIRES(sinew_wire_number("s", 4)), SINEW_NONE);
  sinew_wire wire = { .input = "v", .constant = { 1, 20, 300 } };
  sinew_builder_connect(b, given, &wire, NULL);
  OWNED(rig) *rig = make_rig(b, NULL);
  OWNED(pose) *pose = sinew_pose_create(rig, NULL);
  sinew_pose_eval(pose, NULL);
  MU_NEAR(*sinew_pose_value(pose, alone, 0), 2.5, 0);
  MU_NEAR(*sinew_pose_input(pose, alone, 0), 2.5, 0);
  MU_NEAR(dmat_off(dmat_identity(), sinew_pose_value(pose, alone, 1)), 0, 0);
  MU_NEAR(*sinew_pose_value(pose, given, 0), 305, 0);
}

static void no_eval(const sinew_node *node, float *values) { (void)node, (void)values; }

static const char *refused(sinew_component_class cls) {
  cls.class_size = sizeof cls;
  static sinew_error e;
  cls.eval = no_eval;
  OWNED(builder) *b = sinew_builder_create("own", NULL);
  sinew_status status = sinew_builder_add_class(b, &cls, &e);
  return status < 0 ? e.text : "accepted";
}

MU_TEST(invalid_classes_are_refused) {
  static const sinew_port_desc twice[] = { { .name = "a" }, { .name = "a" }, { 0 } };
  static const sinew_port_desc early[] = { { .name = "a", .flags = SINEW_PORT_LIST },
                                           { .name = "b" },
                                           { 0 } };
  static const sinew_port_desc dotted[] = { { .name = "a.b" }, { 0 } };
  static const sinew_port_desc listed[] = { { .name = "a", .flags = SINEW_PORT_LIST }, { 0 } };
  static const sinew_param_desc wordless[] = { { .name = "c", .type = SINEW_PARAM_CHOICE }, { 0 } };
  static const sinew_param_desc curve = { .name = "curve", .type = SINEW_PARAM_CURVE };
  MU_TEXT(refused((sinew_component_class){ .name = "plain" }), "accepted");
  MU_TEXT(refused((sinew_component_class){ .name = "euler" }),
          "component class 'euler' is there already");
  MU_TEXT(refused((sinew_component_class){ .name = "a.b" }),
          "component class 'a.b': its name has a dot");
  MU_TEXT(refused((sinew_component_class){ .name = "c", .inputs = twice }),
          "component class 'c' input 'a': is a duplicate");
  MU_TEXT(refused((sinew_component_class){ .name = "c", .outputs = dotted }),
          "component class 'c' output 'a.b': its name has a dot");
  MU_TEXT(refused((sinew_component_class){ .name = "c", .inputs = early }),
          "component class 'c' input 'a': a list must come last");
  MU_TEXT(refused((sinew_component_class){ .name = "c", .outputs = listed }),
          "component class 'c' output 'a': a list of outputs needs a list of inputs");
  MU_TEXT(refused((sinew_component_class){
              .name = "c", .inputs = listed, .outputs = listed, .named = &curve }),
          "component class 'c' output 'a': a list and named outputs exclude each other");
  MU_TEXT(refused((sinew_component_class){ .name = "c", .params = wordless }),
          "component class 'c' parameter 'c': a choice without words");
  MU_TEXT(refused((sinew_component_class){ .name = "c", .turn = hinge_turn, .inputs = hinge_in }),
          "component class 'c' entry 'turn': it needs one scalar input and one matrix output");
  MU_TEXT(refused((sinew_component_class){
              .name = "c", .product = true, .inputs = hinge_in, .outputs = hinge_out }),
          "component class 'c' entry 'product': it needs a list of matrices as input and one "
          "matrix output");
}

MU_TEST(adding_a_class_twice_keeps_one) {
  OWNED(builder) *b = sinew_builder_create("own", NULL);
  sinew_error error;
  MU_INT(sinew_builder_add_class(b, &spring_class, &error), SINEW_OK);
  MU_INT(sinew_builder_add_class(b, &spring_class, &error), SINEW_OK);
  sinew_component_class other = spring_class;
  MU_INT(sinew_builder_add_class(b, &other, &error), SINEW_ERR_NAME);
}

MU_SUITE(custom)
