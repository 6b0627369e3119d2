/* The builder: what was added can be read back, parameters can be replaced, objects are counted. */
#include "make.h"
#include "minunit.h"
#include "owned.h"

#include <math.h>

MU_TEST(builder_reads_back_what_was_added) {
  OWNED(builder) *b = sinew_builder_create("leg", NULL);
  sinew_joint_set knee = sinew_builder_add_joint_set(b, "knee", NULL, NULL);
  sinew_segment femur = sinew_add_bone(b, SINEW_ROOT, "femur", (sinew_vec3){ 0, 0.9f, 0 });
  sinew_segment tibia = make_segment(b, "tibia", "femur", 0, -0.4f, 0);
  sinew_dof flexion = make_dof(b, knee, "flexion", 5, 120);
  sinew_curve *line = make_line(0, 0, 1, 1);
  sinew_component bend =
      make_part(b, knee, "map", "bend", "x=flexion",
                SINEW_PARAMS(sinew_param_curve("angle", line), sinew_param_curve("slide", line)));
  sinew_curve_destroy(line);
  sinew_component odd = make_part(b, knee, "oddity", NULL, NULL, NULL, 0);
  MU_TEXT(sinew_builder_name(b), "leg");
  sinew_counts counts = sinew_builder_counts(b);
  MU_INT(counts.joint_sets, 1);
  MU_INT(counts.segments, 2);
  MU_INT(counts.dofs, 1);
  MU_INT(counts.components, 2);
  MU_TEXT(sinew_builder_joint_set_name(b, knee), "knee");
  MU_TEXT(sinew_builder_segment_name(b, tibia), "tibia");
  MU_TEXT(sinew_builder_segment_parent(b, tibia), "femur");
  MU_CHECK(!sinew_builder_segment_parent(b, femur));
  MU_NEAR(sinew_builder_segment_rest(b, femur)[13], 0.9f, 0);
  sinew_dof_info info = sinew_builder_dof_info(b, flexion);
  MU_TEXT(info.name, "knee.flexion");
  MU_NEAR(info.rest, 5, 0);
  MU_TEXT(sinew_builder_component_name(b, bend), "knee.bend");
  MU_TEXT(sinew_builder_component_kind(b, odd), "oddity");
  MU_TEXT(sinew_builder_component_name(b, odd), "knee.oddity1");
  MU_INT(sinew_builder_output_count(b, bend), 2);
  MU_INT(sinew_builder_output_count(b, odd), 0);
  char name[16];
  sinew_builder_output_name(b, bend, 1, name, sizeof name);
  MU_TEXT(name, "slide");
  MU_INT(sinew_builder_output_kind(b, bend, 1), SINEW_SCALAR);
  MU_CHECK(sinew_builder_param(b, bend, "angle")->curve && !sinew_builder_param(b, bend, "angel"));
  MU_CHECK(sinew_builder_class(b, "rotation") && !sinew_builder_class(b, "oddity"));
}

MU_TEST(masses_and_stiffness_are_read_back_and_checked) {
  static const float at[3] = { 0, -0.2f, 0.01f }, far[3] = { 0, INFINITY, 0 };
  float centre[3];
  OWNED(builder) *b = sinew_builder_create("leg", NULL);
  sinew_segment_desc desc = sinew_default_segment_desc();
  desc.name = "femur", desc.mass = 9.5f, desc.mass_at[1] = -0.1f;
  sinew_segment femur = sinew_builder_add_segment(b, &desc, NULL);
  sinew_segment tibia = make_segment(b, "tibia", "femur", 0, -0.4f, 0);
  sinew_dof_desc bend = sinew_default_dof_desc();
  bend.name = "bend", bend.stiffness = 4;
  sinew_dof dof = sinew_builder_add_dof(b, &bend, NULL);
  MU_NEAR(sinew_builder_segment_mass(b, femur, centre), 9.5, 0);
  MU_NEAR(centre[1], -0.1f, 0);
  MU_NEAR(sinew_builder_segment_mass(b, tibia, NULL), 0, 0);
  MU_NEAR(sinew_builder_dof_info(b, dof).stiffness, 4, 0);
  MU_INT(sinew_builder_set_mass(b, tibia, 3, at, NULL), SINEW_OK);
  MU_INT(sinew_builder_set_mass(b, femur, 10, NULL, NULL), SINEW_OK); /* its centre stays */
  MU_INT(sinew_builder_set_stiffness(b, dof, 7, NULL), SINEW_OK);
  sinew_error error;
  OWNED(rig) *rig = MU_MADE(sinew_builder_compile(b, &error));
  sinew_segment_info info = sinew_rig_segment_info(rig, femur);
  MU_CHECK(info.mass == 10 && info.mass_at[1] == -0.1f);
  info = sinew_rig_segment_info(rig, tibia);
  MU_CHECK(info.mass == 3 && memcmp(info.mass_at, at, sizeof at) == 0);
  MU_NEAR(sinew_rig_dof_info(rig, dof).stiffness, 7, 0);

  sinew_builder_set_mass(b, femur, -1, NULL, NULL);
  sinew_builder_set_mass(b, tibia, 1, far, NULL);
  sinew_builder_set_stiffness(b, dof, NAN, NULL);
  MU_CHECK(!sinew_builder_compile(b, &error));
  MU_INT(error.count, 3);
  MU_HAS(error.text, "segment 'femur': its mass -1 must not be negative");
  MU_HAS(error.text, "segment 'tibia': its mass and the centre of it must be finite");
  MU_HAS(error.text, "DOF 'bend': its stiffness nan must be finite and above 0");
}

MU_TEST(wires_and_drivers_are_read_back_as_the_compiler_reads_them) {
  OWNED(builder) *b = sinew_builder_create("w", NULL);
  sinew_joint_set knee = sinew_builder_add_joint_set(b, "knee", NULL, NULL);
  sinew_dof outer = sinew_add_dof(b, "flexion", NULL, 0, 1);
  sinew_dof inner = make_dof(b, knee, "flexion", 0, 1);
  sinew_curve *line = make_line(0, 0, 1, 1);
  sinew_component bend =
      make_part(b, knee, "map", "bend", "x=flexion",
                SINEW_PARAMS(sinew_param_curve("angle", line), sinew_param_curve("slide", line)));
  sinew_curve_destroy(line);
  sinew_component turn = make_part(b, knee, "rotation", "turn", "angle=bend.slide",
                                   SINEW_PARAMS(sinew_param_vector("axis", 1, 0, 0)));
  sinew_component far = make_part(b, knee, "rotation", "far", "angle=.flexion",
                                  SINEW_PARAMS(sinew_param_vector("axis", 1, 0, 0)));
  sinew_component wrong = make_part(b, knee, "rotation", "wrong", "angle=bend",
                                    SINEW_PARAMS(sinew_param_vector("axis", 1, 0, 0)));
  sinew_wire constant = { .input = "z", .constant = { 2.5f } };
  sinew_component moved = sinew_add(b, "translation", "moved", SINEW_NONE, SINEW_NONE);
  sinew_builder_connect(b, moved, &constant, NULL);
  sinew_segment femur = sinew_add_bone(b, SINEW_ROOT, "femur", (sinew_vec3){ 0, 0, 0 });
  sinew_segment tibia = make_segment(b, "tibia", "femur", 0, 0, 0);
  sinew_builder_drive(b, tibia, "knee.turn.transform", NULL, NULL);

  MU_INT(sinew_builder_wire_count(b, bend), 1);
  MU_TEXT(sinew_builder_wire(b, bend, 0).input, "x");
  MU_INT(sinew_builder_wire_source(b, bend, 0).dof.id, inner.id);
  sinew_source source = sinew_builder_wire_source(b, turn, 0);
  MU_INT(source.component.id, bend.id);
  MU_INT(source.output, 1);
  MU_INT(sinew_builder_wire_source(b, far, 0).dof.id, outer.id);
  source = sinew_builder_wire_source(b, wrong, 0);
  MU_CHECK(!source.dof.id && !source.component.id);
  MU_INT(sinew_builder_wire_count(b, moved), 1);
  MU_CHECK(!sinew_builder_wire(b, moved, 0).from);
  MU_NEAR(sinew_builder_wire(b, moved, 0).constant[0], 2.5f, 0);
  source = sinew_builder_wire_source(b, moved, 0);
  MU_CHECK(!source.dof.id && !source.component.id);
  MU_INT(sinew_builder_segment_driver(b, tibia).component.id, turn.id);
  MU_INT(sinew_builder_segment_driver(b, femur).component.id, 0);
  MU_INT(sinew_builder_component_joint_set(b, turn).id, knee.id);
  MU_INT(sinew_builder_component_joint_set(b, moved).id, 0);
  MU_INT(sinew_builder_segment_joint_set(b, tibia).id, 0);
  MU_TEXT(sinew_builder_param_at(b, bend, 1)->name, "slide");
  MU_CHECK(!sinew_builder_param_at(b, bend, 2) && !sinew_builder_param_at(b, bend, -1));
}

MU_TEST(parameters_are_replaced_and_added_before_compiling) {
  sinew_builder *b = sinew_builder_create("p", NULL);
  sinew_add_dof(b, "d", NULL, -90, 90);
  sinew_component r = sinew_add(b, "rotation", "r", SINEW_WIRES(sinew_wire_name("angle", "d")),
                                SINEW_PARAMS(sinew_param_vector("axis", 0, 0, 0)));
  sinew_error error;
  MU_CHECK(!sinew_builder_compile(b, &error));
  sinew_param axis = sinew_param_vector("axis", 0, 0, 2), rest = sinew_param_number("rest", 30);
  MU_INT(sinew_builder_set_param(b, r, &axis, NULL), SINEW_OK);
  MU_INT(sinew_builder_set_param(b, r, &rest, NULL), SINEW_OK);
  OWNED(rig) *rig = MU_MADE(make_rig(b, NULL));
  MU_INT(sinew_rig_component_info(rig, r).param_count, 2);
  MU_NEAR(sinew_rig_param(rig, r, 0)->number[2], 2, 0);
  MU_CHECK(sinew_rig_find_param(rig, r, "axis") == sinew_rig_param(rig, r, 0));
  MU_CHECK(sinew_rig_find_param(rig, r, "rest") == sinew_rig_param(rig, r, 1));
  MU_CHECK(!sinew_rig_find_param(rig, r, "limits"));
}

/* objects that count their references */

static void retain(void *object) { ++*(int *)object; }
static void release(void *object) { --*(int *)object; }
static const sinew_object_class token_class = { "token", retain, release };
static void eval(const sinew_node *node, float *values) { (void)node, (void)values; }
static const sinew_param_desc params[] = { { .name = "token", .type = SINEW_PARAM_OBJECT }, { 0 } };
static const sinew_component_class holder = {
  .class_size = sizeof(sinew_component_class), .name = "holder", .params = params, .eval = eval
};

MU_TEST(objects_are_held_once_by_each_builder_and_rig) {
  int one = 0, two = 0;
  sinew_builder *b = sinew_builder_create("o", NULL);
  sinew_builder_add_class(b, &holder, NULL);
  sinew_param token = sinew_param_object("token", &token_class, &one);
  sinew_component c = sinew_add(b, "holder", "h", SINEW_NONE, &token, 1);
  MU_INT(one, 1);
  sinew_rig *first = sinew_builder_compile(b, NULL);
  MU_INT(one, 2);
  token = sinew_param_object("token", &token_class, &two);
  MU_INT(sinew_builder_set_param(b, c, &token, NULL), SINEW_OK);
  MU_INT(one, 1);
  MU_INT(two, 1);
  sinew_rig *second = sinew_builder_compile(b, NULL);
  MU_INT(two, 2);
  MU_INT(sinew_rig_set_param(first, c, &token, NULL), SINEW_OK);
  MU_INT(one, 0);
  MU_INT(two, 3);
  sinew_builder_destroy(b);
  MU_INT(two, 2);
  sinew_rig_destroy(first);
  sinew_rig_destroy(second);
  MU_INT(two, 0);
}

MU_TEST(rewinding_takes_back_what_was_added_since) {
  int one = 0;
  sinew_builder *b = make_lines(NULL, "set knee; dof flexion 0 120; segment tibia; "
                                      "rotation - angle=flexion axis=1,0,0");
  sinew_counts before = sinew_builder_counts(b);
  for (int round = 0; round < 3; round++) {
    sinew_builder_add_class(b, &holder, NULL);
    make_lines(b, "set hip; dof flexion 0 120; segment femur tibia; "
                  "rotation turn angle=flexion axis=1,0,0");
    sinew_param token = sinew_param_object("token", &token_class, &one);
    make_part(b, MAKE_NO_SET, "holder", "h", NULL, &token, 1);
    MU_INT(one, 1);
    MU_INT((int)sinew_builder_find(b, "hip.flexion").dof.id, 2);
    MU_INT((int)sinew_builder_find(b, "hip.turn").component.id, 2);
    sinew_builder_rewind(b, before);
    MU_INT(one, 0);
    sinew_counts now = sinew_builder_counts(b);
    MU_CHECK(memcmp(&now, &before, sizeof now) == 0);
    MU_INT((int)sinew_builder_find(b, "hip.flexion").dof.id, 0);
    MU_INT((int)sinew_builder_find(b, "hip.turn").component.id, 0);
    MU_INT((int)sinew_builder_find(b, "knee.flexion").dof.id, 1);
    MU_INT((int)sinew_builder_find(b, "knee.rotation1").component.id, 1);
    MU_INT((int)sinew_builder_find(b, "knee.rotation\x01").component.id, 0);
  }
  /* unnamed components get names that are free */
  make_part(b, (sinew_joint_set){ 1 }, "rotation", NULL, "angle=flexion",
            SINEW_PARAMS(sinew_param_vector("axis", 1, 0, 0)));
  MU_TEXT(sinew_builder_component_name(b, (sinew_component){ 2 }), "knee.rotation2");
  sinew_rig *rig = make_rig(b, NULL);
  MU_CHECK(rig);
  sinew_rig_destroy(rig);
}

MU_TEST(an_object_without_a_class_is_reported) {
  int one = 0;
  sinew_builder *b = sinew_builder_create("o", NULL);
  sinew_builder_add_class(b, &holder, NULL);
  sinew_add(b, "holder", "h", SINEW_NONE, SINEW_PARAMS(sinew_param_object("token", NULL, &one)));
  sinew_error error;
  MU_REFUSED_AS(make_rig(b, &error), "component 'h' parameter 'token': no object is given");
}

MU_SUITE(builder)
