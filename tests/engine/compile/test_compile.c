/* Compiling: every mistake in words that name the culprit and the nearest right thing, several at
 * once; cycles; and the order of evaluation. */
#include "make.h"
#include "minunit.h"
#include "owned.h"

#include <stdlib.h>

static sinew_error found;

/* what compiling says; "" when it is fine */
static const char *told(sinew_builder *b) {
  sinew_rig *rig = make_rig(b, &found);
  sinew_rig_destroy(rig);
  return rig ? "" : found.text;
}

/* a knee with a map of two ports in a joint set, to be spoilt by each test */
static sinew_joint_set knee;
static sinew_builder *good(void) {
  sinew_builder *b = sinew_builder_create("leg", NULL);
  knee = sinew_builder_add_joint_set(b, "knee", NULL, NULL);
  make_lines(b, "segment femur 0,0.9,0; segment tibia femur 0,-0.4,0");
  make_dof(b, knee, "flexion", 0, 120);
  OWNED(curve) *line = make_line(0, 0, 120, -120);
  make_part(b, knee, "map", "bend", "x=flexion",
            MAKE_PARAMS(sinew_param_curve("angle", line), sinew_param_curve("slide", line)));
  make_part(b, knee, "rotation", "turn", "angle=bend.angle",
            MAKE_PARAMS(sinew_param_vector("axis", 1, 0, 0)));
  return b;
}

static const char *wired(const char *kind, const char *wires) {
  sinew_builder *b = good();
  make_part(b, knee, kind, "part", wires, NULL, 0);
  return told(b);
}

MU_TEST(a_good_rig_compiles) { MU_TEXT(told(good()), ""); }

MU_TEST(unknown_names_on_wires_offer_the_nearest) {
  MU_TEXT(wired("euler", "first=flexoin"),
          "component 'knee.part' input 'first': no DOF or component "
          "named 'flexoin' (did you mean 'flexion'?)");
  MU_TEXT(wired("euler", "first=knee.flexoin"), "component 'knee.part' input 'first': no DOF or "
                                                "component named 'knee.flexoin' (did you mean "
                                                "'knee.flexion'?)");
  MU_TEXT(wired("euler", "first=bend.anlge"), "component 'knee.part' input 'first': component "
                                              "'knee.bend' has no port named 'anlge' (did you mean "
                                              "'angle'?)");
  MU_TEXT(wired("euler", "first=bend.zzzzz"), "component 'knee.part' input 'first': component "
                                              "'knee.bend' has no port named 'zzzzz' (it has "
                                              "'angle', 'slide')");
  MU_TEXT(wired("euler", "first=bned.angle"),
          "component 'knee.part' input 'first': no DOF or "
          "component named 'bned.angle' (did you mean 'bend'?)");
  MU_TEXT(wired("euler", "first=bend"),
          "component 'knee.part' input 'first': component 'knee.bend' "
          "has 2 outputs: name one of 'angle', 'slide'");
  MU_TEXT(wired("euler", "frist=flexion"),
          "component 'knee.part': a euler has no input 'frist' (did you mean 'first'?)");
  MU_TEXT(wired("rotatoin", "angle=flexion"), "component 'knee.part': no kind of component named "
                                              "'rotatoin' (did you mean 'rotation'?)");
  MU_INT(found.status, SINEW_ERR_NAME);
  MU_TEXT(wired("euler", "first="),
          "component 'knee.part' input 'first': no DOF or component named ''");
  MU_TEXT(wired("euler", "first=flexion.x"),
          "component 'knee.part' input 'first': no DOF or "
          "component named 'flexion.x' (did you mean 'flexion'?)");
}

MU_TEST(names_resolve_inside_the_joint_set_first_and_then_in_full) {
  sinew_builder *b = sinew_builder_create("n", NULL);
  sinew_joint_set hip = sinew_builder_add_joint_set(b, "hip", NULL, NULL);
  sinew_joint_set set = sinew_builder_add_joint_set(b, "knee", NULL, NULL);
  sinew_dof outer = make_dof(b, MAKE_NO_SET, "turn", -1, 1);
  sinew_dof inner = make_dof(b, set, "turn", -1, 1);
  sinew_dof flexion = make_dof(b, hip, "flexion", -1, 1);
  /* a member of the knee that looks like the joint set hip, but has no such port */
  make_part(b, set, "translation", "hip", NULL, NULL, 0);
  sinew_component e =
      make_part(b, set, "euler", "e", "first=turn second=knee.turn third=hip.flexion", NULL, 0);
  sinew_component full = make_part(b, set, "euler", "f", "first=.turn second=.knee.turn", NULL, 0);
  sinew_component outside =
      make_part(b, MAKE_NO_SET, "euler", "o", "first=turn second=knee.turn", NULL, 0);
  OWNED(rig) *rig = MU_MADE(make_rig(b, NULL));
  MU_INT(sinew_rig_input(rig, e, 0).dof.id, inner.id);
  MU_INT(sinew_rig_input(rig, e, 1).dof.id, inner.id);
  MU_INT(sinew_rig_input(rig, e, 2).dof.id, flexion.id);
  MU_INT(sinew_rig_input(rig, full, 0).dof.id, outer.id);
  MU_INT(sinew_rig_input(rig, full, 1).dof.id, inner.id);
  MU_INT(sinew_rig_input(rig, outside, 0).dof.id, outer.id);
  MU_INT(sinew_rig_input(rig, outside, 1).dof.id, inner.id);
}

MU_TEST(wrong_kinds_on_wires_are_told) {
  MU_TEXT(wired("multiply", "matrix=flexion"),
          "component 'knee.part' input 'matrix': 'flexion' is a scalar, a matrix is wanted");
  MU_INT(found.status, SINEW_ERR_TYPE);
  MU_TEXT(wired("euler", "first=turn"),
          "component 'knee.part' input 'first': 'turn' is a matrix, a scalar is wanted");
  MU_TEXT(wired("translation", "vector=bend.angle"),
          "component 'knee.part' input 'vector': 'bend.angle' is a scalar, a vector is wanted");
}

MU_TEST(missing_and_doubled_inputs_are_told) {
  MU_TEXT(wired("multiply", ""),
          "component 'knee.part' input 'matrix': is not wired (a matrix: the "
          "matrices, in the order of the product)");
  MU_INT(found.status, SINEW_ERR_MISSING);
  MU_TEXT(wired("euler", "first=flexion first=bend.angle"),
          "component 'knee.part' input 'first': is wired twice");
}

MU_TEST(constants_must_be_finite_and_rigid) {
  MU_TEXT(wired("euler", "first=#nan"),
          "component 'knee.part' input 'first': the constant is not finite");
  MU_INT(found.status, SINEW_ERR_NOT_FINITE);
  MU_TEXT(wired("euler", "first=#inf"),
          "component 'knee.part' input 'first': the constant is not finite");
  MU_TEXT(wired("multiply", "matrix=#1"),
          "component 'knee.part' input 'matrix': the constant matrix is not rigid");
}

MU_TEST(doubled_and_bad_names_are_told) {
  sinew_builder *b = good();
  make_segment(b, "tibia", NULL, 0, 0, 0);
  MU_TEXT(told(b), "segment 'tibia': there is already a segment of that name");
  b = good();
  make_dof(b, knee, "turn", 0, 1);
  MU_TEXT(told(b), "component 'knee.turn': there is already a DOF of that name");
  b = good();
  sinew_builder_add_joint_set(b, "knee", "here", NULL);
  MU_TEXT(told(b), "here: joint set 'knee': there is already a joint set of that name");
  b = good();
  make_dof(b, knee, "a.b", 0, 1);
  MU_TEXT(told(b), "DOF 'knee.a.b': its name has a dot");
  b = good();
  make_segment(b, NULL, NULL, 0, 0, 0);
  MU_TEXT(told(b), "segment '': its name is empty");
  b = good();
  make_part(b, knee, "euler", "e\x1b", NULL, NULL, 0);
  MU_TEXT(told(b), "component 'knee.e?': its name has a control character");
}

MU_TEST(parents_must_be_known_earlier_and_another) {
  sinew_builder *b = good();
  make_segment(b, "foot", "tiba", 0, 0, 0);
  MU_TEXT(told(b), "segment 'foot': no segment named 'tiba' (did you mean 'tibia'?)");
  MU_INT(found.status, SINEW_ERR_TREE);
  b = good();
  make_segment(b, "foot", "foot", 0, 0, 0);
  MU_TEXT(told(b), "segment 'foot' is its own parent");
  b = good();
  make_lines(b, "segment toes foot; segment foot tibia");
  MU_TEXT(told(b), "segment 'toes': its parent 'foot' comes later; add parents first");
  MU_INT(found.status, SINEW_ERR_TREE);
}

MU_TEST(rest_frames_must_be_finite_and_rigid) {
  float m[16] = { 1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1 };
  for (int i = 0; i < 16; i++) {
    float old = m[i];
    m[i] = i % 2 ? NAN : INFINITY;
    sinew_builder *b = good();
    make_placed(b, "foot", NULL, m);
    MU_TEXT(told(b), "segment 'foot': its rest frame is not finite");
    m[i] = old + 0.5f;
    b = good();
    make_placed(b, "foot", NULL, m);
    if (i < 12 || i == 15)
      MU_TEXT(told(b),
              "segment 'foot': its rest frame is not rigid (it must only turn, mirror and move)");
    else
      MU_TEXT(told(b), "");
    m[i] = old;
  }
}

MU_TEST(dofs_must_be_finite_and_in_order) {
  struct {
    float min, max, rest;
    const char *text;
  } cases[] = {
    { 10, 5, 7, "DOF 'd': min 10 is above max 5" },
    { 0, 5, 7, "DOF 'd': rest 7 is outside 0 to 5" },
    { NAN, 5, 0, "DOF 'd': min nan, max 5 and rest 0 must be finite" },
    { 0, INFINITY, 0, "DOF 'd': min 0, max inf and rest 0 must be finite" },
    { 0, 5, NAN, "DOF 'd': min 0, max 5 and rest nan must be finite" },
    { 5, 5, 5, "" },
  };
  for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
    sinew_builder *b = sinew_builder_create("d", NULL);
    sinew_dof_desc d = { .name = "d", .min = cases[i].min, .max = cases[i].max };
    d.rest = cases[i].rest, d.rest_given = true;
    sinew_builder_add_dof(b, &d, NULL);
    MU_TEXT(told(b), cases[i].text);
  }
}

MU_TEST(dof_rest_is_zero_or_the_nearest_end) {
  static const float ranges[][3] = { { -5, 5, 0 }, { 2, 5, 2 }, { -5, -2, -2 }, { 0, 1, 0 } };
  for (int i = 0; i < 4; i++) {
    sinew_builder *b = sinew_builder_create("d", NULL);
    sinew_dof dof = make_dof(b, MAKE_NO_SET, "d", ranges[i][0], ranges[i][1]);
    OWNED(rig) *rig = make_rig(b, NULL);
    MU_NEAR(sinew_rig_dof_info(rig, dof).rest, ranges[i][2], 0);
    MU_TEXT(sinew_rig_dof_info(rig, dof).unit, "deg");
  }
}

static const char *with_params(const char *kind, const char *wires, const sinew_param *params,
                               int count) {
  sinew_builder *b = good();
  make_part(b, knee, kind, "part", wires, params, count);
  return told(b);
}

MU_TEST(parameters_are_checked_by_their_tables) {
  sinew_param axis = sinew_param_vector("axis", 0, 1, 0);
  MU_TEXT(
      with_params("rotation", "angle=flexion", MAKE_PARAMS(axis, sinew_param_number("centr", 1))),
      "component 'knee.part': a rotation has no parameter 'centr' (did you mean 'centre' or "
      "'centres'?)");
  MU_TEXT(with_params("rotation", "angle=flexion", MAKE_PARAMS(sinew_param_number("axis", 1))),
          "component 'knee.part' parameter 'axis': is a number, a vector is wanted");
  MU_INT(found.status, SINEW_ERR_TYPE);
  MU_TEXT(with_params("rotation", "angle=flexion", MAKE_PARAMS(axis, axis)),
          "component 'knee.part' parameter 'axis': is given twice");
  MU_TEXT(
      with_params("rotation", "angle=flexion", MAKE_PARAMS(axis, sinew_param_number("rest", NAN))),
      "component 'knee.part' parameter 'rest': nan is not finite");
  MU_TEXT(with_params("rotation", "angle=flexion",
                      MAKE_PARAMS(axis, sinew_param_numbers("angles", NULL, 3))),
          "component 'knee.part' parameter 'angles': a list of 3 items without numbers");
  MU_TEXT(with_params("euler", "", MAKE_PARAMS(sinew_param_text("order", NULL))),
          "component 'knee.part' parameter 'order': no text is given");
  MU_TEXT(with_params("map", "x=flexion", NULL, 0),
          "component 'knee.part': has no output; name at least one curve");
  OWNED(curve) *line = make_line(0, 0, 1, 1);
  MU_TEXT(with_params("map", "x=flexion", MAKE_PARAMS(sinew_param_curve("a.b", line))),
          "component 'knee.part' parameter 'a.b': its name has a dot");
}

MU_TEST(too_many_parameters_are_refused) {
  enum { count = 5000 };
  static char names[count][16];
  FREED sinew_param *params = malloc(count * sizeof *params);
  OWNED(curve) *line = make_line(0, 0, 1, 1);
  for (int i = 0; i < count; i++) {
    snprintf(names[i], sizeof names[i], "p%d", i);
    params[i] = sinew_param_curve(names[i], line);
  }
  MU_TEXT(with_params("map", "x=flexion", params, count),
          "component 'knee.part': 5000 parameters are more than 4096");
  MU_TEXT(with_params("map", "x=flexion", params, 4096), "");
}

MU_TEST(segments_are_driven_by_one_matrix_that_exists) {
  sinew_builder *b = good();
  sinew_builder_drive(b, (sinew_segment){ 2 }, "knee.trun", "leg.lua:9", NULL);
  MU_TEXT(told(b),
          "leg.lua:9: segment 'tibia': no DOF or component named 'knee.trun' (did you mean "
          "'knee.turn'?)");
  b = good();
  sinew_builder_drive(b, (sinew_segment){ 2 }, "knee.flexion", NULL, NULL);
  MU_TEXT(told(b), "segment 'tibia': 'knee.flexion' is a scalar, a matrix is wanted");
  b = good();
  sinew_builder_drive(b, (sinew_segment){ 2 }, "knee.turn", NULL, NULL);
  sinew_builder_drive(b, (sinew_segment){ 2 }, "knee.turn", NULL, NULL);
  MU_TEXT(told(b), "segment 'tibia': is driven twice");
}

MU_TEST(several_mistakes_are_told_at_once_with_their_origins) {
  sinew_builder *b = good();
  sinew_component_desc d = { .kind = "euler", .name = "e", .origin = "leg.lua:12" };
  d.wires = (const sinew_wire[]){ { .input = "first", .from = "hop" } }, d.wire_count = 1;
  sinew_builder_add_component(b, &d, NULL);
  make_lines(b, "segment foot tiba; dof d 2 1; rotation r angle=knee.flexion axis=0,0,0\n"
                "multiply self matrix=self");
  MU_TEXT(told(b), "segment 'foot': no segment named 'tiba' (did you mean 'tibia'?)\n"
                   "DOF 'd': min 2 is above max 1\n"
                   "leg.lua:12: component 'e' input 'first': no DOF or component named 'hop'\n"
                   "component 'self' is wired to itself\n"
                   "component 'r': 'axis' is zero");
  MU_INT(found.count, 5);
  MU_INT(found.status, SINEW_ERR_TREE);
}

MU_TEST(a_broken_tree_is_not_blamed_on_those_who_ask_it) {
  sinew_builder *b = good();
  make_lines(b, "segment foot tiba\n"
                "compensate c matrix=knee.turn ancestor=tibia segment=foot");
  MU_TEXT(told(b), "segment 'foot': no segment named 'tiba' (did you mean 'tibia'?)");
}

/* multiplies c0 .. c(n-1), each wired to the next, the last to the first */
static sinew_builder *ring(sinew_builder *b, const char *stem, int n) {
  for (int i = 0; i < n; i++) {
    char name[64], wires[64];
    snprintf(name, sizeof name, "%s%d", stem, i);
    snprintf(wires, sizeof wires, "matrix=%s%d", stem, (i + 1) % n);
    make_part(b, MAKE_NO_SET, "multiply", name, wires, NULL, 0);
  }
  return b;
}

MU_TEST(cycles_name_their_components_in_the_way_of_the_data) {
  sinew_builder *b = sinew_builder_create("c", NULL);
  MU_TEXT(told(ring(b, "c", 1)), "component 'c0' is wired to itself");
  MU_INT(found.status, SINEW_ERR_CYCLE);
  b = sinew_builder_create("c", NULL);
  MU_TEXT(told(ring(b, "c", 2)), "components wait for each other: c0 -> c1 -> c0");
  b = sinew_builder_create("c", NULL);
  MU_TEXT(told(ring(b, "c", 3)), "components wait for each other: c0 -> c2 -> c1 -> c0");
  b = sinew_builder_create("c", NULL);
  MU_TEXT(told(ring(b, "c", 12)),
          "components wait for each other: c0 -> c11 -> c10 -> c9 -> c8 -> c7 "
          "-> c6 -> c5 -> c4 -> c3 -> c2 -> c1 -> c0");
  b = sinew_builder_create("c", NULL);
  MU_TEXT(told(ring(b, "c", 20000)),
          "components wait for each other: c0 -> c19999 -> c19998 -> c19997 -> c19996 -> c19995 -> "
          "c19994 -> c19993 -> ... 19991 more ... -> c1 -> c0");
  b = sinew_builder_create("c", NULL);
  ring(b, "a", 2);
  MU_TEXT(told(ring(b, "b", 1)), "components wait for each other: a0 -> a1 -> a0\n"
                                 "component 'b0' is wired to itself");
}

MU_TEST(order_of_evaluation_follows_the_wires) {
  uint32_t seed = 31;
  for (int round = 0; round < mu_rounds(60); round++) {
    enum { n = 40 };
    int rank[n];
    for (int i = 0; i < n; i++) rank[i] = i;
    for (int i = n - 1; i > 0; i--) {
      int j = make_index(&seed, i + 1), t = rank[i];
      rank[i] = rank[j], rank[j] = t;
    }
    sinew_builder *b = sinew_builder_create("o", NULL);
    make_dof(b, MAKE_NO_SET, "d", -1, 1);
    for (int i = 0; i < n; i++) {
      char name[16], wires[64] = "first=d second=d";
      snprintf(name, sizeof name, "c%d", i);
      /* a dependency on up to two components of lower rank, which may stand anywhere */
      int a = make_index(&seed, n), c = make_index(&seed, n);
      if (rank[a] < rank[i] && rank[c] < rank[i])
        snprintf(wires, sizeof wires, "active=c%d passive=c%d", a, c);
      else
        snprintf(wires, sizeof wires, "active=d passive=d");
      OWNED(curve) *line = make_line(0, 0, 1, 1);
      make_part(b, MAKE_NO_SET, "dependency", name, wires,
                MAKE_PARAMS(sinew_param_curve("offset", line)));
    }
    OWNED(rig) *rig = MU_MADE(make_rig(b, NULL));
    int place[n] = { 0 };
    for (int i = 0; i < n; i++) place[sinew_rig_order(rig, i).id - 1] = i + 1;
    for (int i = 0; i < n; i++) {
      MU_CHECK(place[i] > 0);
      for (int k = 0; k < 2; k++) {
        sinew_source s = sinew_rig_input(rig, (sinew_component){ (uint32_t)i + 1 }, k);
        if (s.component.id) MU_CHECK(place[s.component.id - 1] < place[i]);
      }
    }
    MU_INT(sinew_rig_order(rig, n).id, 0);
  }
}

MU_TEST(unnamed_components_are_numbered_around_what_is_taken) {
  sinew_builder *b = sinew_builder_create("n", NULL);
  sinew_joint_set set = sinew_builder_add_joint_set(b, "set", NULL, NULL);
  make_part(b, set, "euler", "euler2", NULL, NULL, 0);
  static const char *const names[] = { "set.euler1", "set.euler3", "set.euler4" };
  for (int i = 0; i < 3; i++) {
    sinew_component c = make_part(b, set, "euler", NULL, NULL, NULL, 0);
    MU_TEXT(sinew_builder_component_name(b, c), names[i]);
  }
  MU_TEXT(sinew_builder_component_name(b, make_part(b, MAKE_NO_SET, "euler", NULL, NULL, NULL, 0)),
          "euler1");
  MU_TEXT(told(b), "");
}

MU_TEST(ids_of_a_builder_stay_right_for_each_of_its_rigs) {
  sinew_builder *b = good();
  OWNED(rig) *first = sinew_builder_compile(b, NULL);
  sinew_component late = make_part(b, knee, "translation", "late", "y=bend.slide", NULL, 0);
  OWNED(rig) *second = sinew_builder_compile(b, NULL);
  sinew_builder_destroy(b);
  MU_INT(sinew_rig_component_count(first), 2);
  MU_INT(sinew_rig_component_count(second), 3);
  MU_TEXT(sinew_rig_component_info(second, late).name, "knee.late");
  MU_TEXT(sinew_rig_name(first), "leg");
  MU_TEXT(sinew_rig_joint_set_name(first, knee), "knee");
  MU_INT(sinew_rig_find_component(second, "knee.late", NULL).id, late.id);
  sinew_error error;
  MU_INT(sinew_rig_find_dof(first, "knee.flexoin", &error).id, 0);
  MU_TEXT(error.text, "no DOF named 'knee.flexoin' (did you mean 'knee.flexion'?)");
  MU_INT(sinew_rig_find_segment(first, "tibja", &error).id, 0);
  MU_TEXT(error.text, "no segment named 'tibja' (did you mean 'tibia'?)");
  MU_CHECK(sinew_rig_depends(second, late, sinew_rig_dof(second, 0)));
  MU_INT(sinew_rig_segment(first, 2).id, 0);
  MU_INT(sinew_rig_segment(first, -1).id, 0);
}

static int assertions;
static void count_assertion(const char *expression, const char *file, int line) {
  (void)expression, (void)file, (void)line;
  assertions++;
}

MU_TEST(callers_bugs_reach_the_handler_and_do_nothing) {
  sinew_set_assert_handler(count_assertion);
  assertions = 0;
  OWNED(builder) *b = good();
  OWNED(rig) *rig = sinew_builder_compile(b, NULL);
  MU_INT(sinew_builder_drive(b, (sinew_segment){ 9 }, "x", NULL, NULL), SINEW_ERR_CALL);
  MU_INT(sinew_builder_connect(b, (sinew_component){ 0 }, &(sinew_wire){ 0 }, NULL),
         SINEW_ERR_CALL);
  sinew_dof_desc d = { .name = "d", .joint_set = { 7 } };
  MU_INT(sinew_builder_add_dof(b, &d, NULL).id, 0);
  MU_TEXT(sinew_rig_segment_info(rig, (sinew_segment){ 3 }).name, "");
  MU_TEXT(sinew_rig_component_info(rig, (sinew_component){ 3 }).name, "");
  MU_CHECK(!sinew_rig_param(rig, (sinew_component){ 1 }, 2));
  MU_CHECK(!sinew_rig_find_param(rig, (sinew_component){ 1 }, NULL));
  MU_CHECK(!sinew_rig_find_param(rig, (sinew_component){ 3 }, "axis"));
  MU_CHECK(!sinew_catalog_find(NULL) && !sinew_class_find_param(NULL, "axis"));
  MU_CHECK(!sinew_class_find_input(sinew_catalog(0), NULL));
  char name[8] = "keep";
  sinew_rig_output_name(rig, (sinew_component){ 1 }, 5, name, sizeof name);
  MU_TEXT(name, "");
  MU_CHECK(!sinew_builder_compile(NULL, NULL));
  MU_CHECK(!sinew_pose_create(NULL, NULL));
  MU_INT(assertions, 14);
  sinew_set_assert_handler(NULL);
  sinew_builder_destroy(NULL);
  sinew_rig_destroy(NULL);
  sinew_pose_destroy(NULL);
}

MU_SUITE(compile)
