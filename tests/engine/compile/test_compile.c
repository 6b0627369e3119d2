/* Compiling: every mistake has a message that names the component and the nearest correct name,
 * several at once; cycles; and the order of evaluation. */
#include "asserts.h"
#include "make.h"
#include "minunit.h"
#include "owned.h"

#include <stdlib.h>

static sinew_error found;

/* the message of compiling; "" if there is none */
static const char *told(sinew_builder *b) {
  sinew_rig *rig = make_rig(b, &found);
  sinew_rig_destroy(rig);
  return rig ? "" : found.text;
}

/* a knee: a map with two outputs in a joint set. Each test breaks it */
static const sinew_joint_set knee = { 1 };
static sinew_builder *good(void) {
  return make_lines(sinew_builder_create("leg", NULL),
                    "set knee; segment femur 0,0.9,0; segment tibia femur 0,-0.4,0\n"
                    "dof flexion 0 120\n"
                    "map bend x=flexion angle=line:0,0,120,-120 slide=line:0,0,120,-120\n"
                    "rotation turn angle=bend.angle axis=1,0,0");
}

/* lines that break the knee, the message, and the status if it is checked */
typedef struct mistake {
  const char *lines, *text;
  sinew_status status;
} mistake;

static void check_mistakes(const mistake *all, size_t count) {
  for (size_t i = 0; i < count; i++) {
    MU_TEXT(told(make_lines(good(), "set knee\n%s", all[i].lines)), all[i].text);
    if (all[i].status) MU_INT(found.status, all[i].status);
  }
}
#define MISTAKES(...)                                                                              \
  check_mistakes((const mistake[]){ __VA_ARGS__ },                                                 \
                 sizeof((const mistake[]){ __VA_ARGS__ }) / sizeof(mistake))

MU_TEST(a_good_rig_compiles) { MU_TEXT(told(good()), ""); }

/* mistakes in an input of the component 'part' */
#define INPUT(name) "component 'knee.part' input '" name "': "
#define FIRST       INPUT("first")

MU_TEST(unknown_names_on_wires_offer_the_nearest) {
  MISTAKES(
      { "euler part first=flexoin",
        FIRST "no DOF or component named 'flexoin' (did you mean 'flexion'?)", 0 },
      { "euler part first=knee.flexoin",
        FIRST "no DOF or component named 'knee.flexoin' (did you mean 'knee.flexion'?)", 0 },
      { "euler part first=bend.anlge",
        FIRST "component 'knee.bend' has no port named 'anlge' (did you mean 'angle'?)", 0 },
      { "euler part first=bend.zzzzz",
        FIRST "component 'knee.bend' has no port named 'zzzzz' (it has 'angle', 'slide')", 0 },
      { "euler part first=bned.angle",
        FIRST "no DOF or component named 'bned.angle' (did you mean 'bend'?)", 0 },
      { "euler part first=bend",
        FIRST "component 'knee.bend' has 2 outputs: name one of 'angle', 'slide'", 0 },
      { "euler part frist=flexion",
        "component 'knee.part': a euler has no input 'frist' (did you mean 'first'?)", 0 },
      { "rotatoin part angle=flexion",
        "component 'knee.part': no kind of component named 'rotatoin' (did you mean 'rotation'?)",
        SINEW_ERR_NAME },
      { "euler part first=", FIRST "is wired to a null id or an empty name", 0 },
      { "euler part first=flexion.x",
        FIRST "no DOF or component named 'flexion.x' (did you mean 'flexion'?)", 0 });
}

MU_TEST(names_resolve_inside_the_joint_set_first_and_then_in_full) {
  /* a member of the knee with the name of the joint set hip, but without such a port */
  sinew_builder *b = make_lines(NULL, "dof turn -1 1; set hip; dof flexion -1 1; set knee\n"
                                      "dof turn -1 1; translation hip\n"
                                      "euler e first=turn second=knee.turn third=hip.flexion\n"
                                      "euler f first=.turn second=.knee.turn\n"
                                      "set; euler o first=turn second=knee.turn");
  const sinew_dof outer = { 1 }, flexion = { 2 }, inner = { 3 };
  const sinew_component e = { 2 }, full = { 3 }, outside = { 4 };
  OWNED(rig) *rig = MU_MADE(make_rig(b, NULL));
  MU_INT(sinew_rig_input(rig, e, 0).dof.id, inner.id);
  MU_INT(sinew_rig_input(rig, e, 1).dof.id, inner.id);
  MU_INT(sinew_rig_input(rig, e, 2).dof.id, flexion.id);
  MU_INT(sinew_rig_input(rig, full, 0).dof.id, outer.id);
  MU_INT(sinew_rig_input(rig, full, 1).dof.id, inner.id);
  MU_INT(sinew_rig_input(rig, outside, 0).dof.id, outer.id);
  MU_INT(sinew_rig_input(rig, outside, 1).dof.id, inner.id);
}

MU_TEST(wrong_inputs_are_reported) {
  MISTAKES({ "multiply part matrix=flexion",
             INPUT("matrix") "'flexion' is a scalar, a matrix is wanted", SINEW_ERR_TYPE },
           { "euler part first=turn", FIRST "'turn' is a matrix, a scalar is wanted", 0 },
           { "translation part vector=bend.angle",
             INPUT("vector") "'bend.angle' is a scalar, a vector is wanted", 0 },
           { "multiply part",
             INPUT("matrix") "is not wired (a matrix: the matrices, in the order of the product)",
             SINEW_ERR_MISSING },
           { "euler part first=flexion first=bend.angle", FIRST "is wired twice", 0 },
           { "euler part first=#nan", FIRST "the constant is not finite", SINEW_ERR_NOT_FINITE },
           { "euler part first=#inf", FIRST "the constant is not finite", 0 },
           { "multiply part matrix=#1", INPUT("matrix") "the constant matrix is not rigid", 0 });
}

MU_TEST(duplicate_and_bad_names_are_reported) {
  MISTAKES({ "segment tibia", "segment 'tibia': there is already a segment of that name", 0 },
           { "dof turn 0 1", "component 'knee.turn': there is already a DOF of that name", 0 },
           { "dof a.b 0 1", "DOF 'knee.a.b': its name has a dot", 0 },
           { "segment", "segment '': its name is empty", 0 },
           { "euler e\x1b", "component 'knee.e?': its name has a control character", 0 });
  sinew_builder *b = good();
  sinew_builder_add_joint_set(b, "knee", "here", NULL);
  MU_TEXT(told(b), "here: joint set 'knee': there is already a joint set of that name");
}

MU_TEST(a_parent_must_exist_and_not_be_the_segment_itself) {
  MISTAKES({ "segment foot tiba", "segment 'foot': no segment named 'tiba' (did you mean 'tibia'?)",
             SINEW_ERR_TREE },
           { "segment foot foot", "segment 'foot' is its own parent", 0 },
           { "segment toes foot; segment foot tibia",
             "segment 'toes': its parent 'foot' comes later; add parents first", SINEW_ERR_TREE },
           /* segments below a broken one are not reported too */
           { "segment foot tiba; compensate c matrix=turn ancestor=tibia segment=foot",
             "segment 'foot': no segment named 'tiba' (did you mean 'tibia'?)", 0 });
}

MU_TEST(rest_frames_must_be_finite_and_rigid) {
  float m[16] = { 1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1 };
  for (int i = 0; i < 16; i++) {
    float old = m[i];
    m[i] = i % 2 ? NAN : INFINITY;
    sinew_builder *b = good();
    sinew_add_bone_frame(b, SINEW_ROOT, "foot", m);
    MU_TEXT(told(b), "segment 'foot': its rest frame is not finite");
    m[i] = old + 0.5f;
    b = good();
    sinew_add_bone_frame(b, SINEW_ROOT, "foot", m);
    if (i < 12 || i == 15)
      MU_TEXT(
          told(b),
          "segment 'foot': its rest frame is not rigid (it may only rotate, mirror and translate)");
    else
      MU_TEXT(told(b), "");
    m[i] = old;
  }
}

MU_TEST(dofs_must_be_finite_and_in_order) {
  MISTAKES({ "set; dof d 10 5 7", "DOF 'd': min 10 is above max 5", 0 },
           { "set; dof d 0 5 7", "DOF 'd': rest 7 is outside 0 to 5", 0 },
           { "set; dof d nan 5 0", "DOF 'd': min nan, max 5 and rest 0 must be finite", 0 },
           { "set; dof d 0 inf 0", "DOF 'd': min 0, max inf and rest 0 must be finite", 0 },
           { "set; dof d 0 5 nan", "DOF 'd': min 0, max 5 and rest nan must be finite", 0 },
           { "set; dof d 5 5 5", "", 0 });
}

MU_TEST(dof_rest_is_zero_or_the_nearest_end) {
  static const float ranges[][3] = { { -5, 5, 0 }, { 2, 5, 2 }, { -5, -2, -2 }, { 0, 1, 0 } };
  for (int i = 0; i < 4; i++) {
    sinew_builder *b = sinew_builder_create("d", NULL);
    sinew_dof dof = sinew_add_dof(b, "d", NULL, ranges[i][0], ranges[i][1]);
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

MU_TEST(parameters_are_checked_against_their_tables) {
  MISTAKES(
      { "rotation part angle=flexion axis=0,1,0 centr=1",
        "component 'knee.part': a rotation has no parameter 'centr' (did you mean 'centre' or "
        "'centres'?)",
        0 },
      { "rotation part angle=flexion axis=1",
        "component 'knee.part' parameter 'axis': is a number, a vector is wanted", SINEW_ERR_TYPE },
      { "rotation part angle=flexion axis=0,1,0 axis=0,1,0",
        "component 'knee.part' parameter 'axis': is given twice", 0 },
      { "rotation part angle=flexion axis=0,1,0 rest=nan",
        "component 'knee.part' parameter 'rest': nan is not finite", 0 },
      { "map part x=flexion", "component 'knee.part': has no output; name at least one curve", 0 },
      { "map part x=flexion a.b=line:0,0,1,1",
        "component 'knee.part' parameter 'a.b': its name has a dot", 0 });
  sinew_param axis = sinew_param_vector("axis", 0, 1, 0);
  MU_TEXT(with_params("rotation", "angle=flexion",
                      SINEW_PARAMS(axis, sinew_param_numbers("angles", NULL, 3))),
          "component 'knee.part' parameter 'angles': a list of 3 items without numbers");
  MU_TEXT(with_params("euler", "", SINEW_PARAMS(sinew_param_text("order", NULL))),
          "component 'knee.part' parameter 'order': no text is given");
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
  MISTAKES(
      { "drive tibia knee.flexion",
        "segment 'tibia': 'knee.flexion' is a scalar, a matrix is wanted", 0 },
      { "drive tibia knee.turn; drive tibia knee.turn", "segment 'tibia': is driven twice", 0 });
  sinew_builder *b = good();
  sinew_builder_drive(b, (sinew_segment){ 2 }, "knee.trun", "leg.lua:9", NULL);
  MU_TEXT(told(b),
          "leg.lua:9: segment 'tibia': no DOF or component named 'knee.trun' (did you mean "
          "'knee.turn'?)");
}

MU_TEST(several_mistakes_are_reported_at_once_with_their_origins) {
  sinew_builder *b = good();
  sinew_component_desc d = {
    .size = sizeof d, .kind = "euler", .name = "e", .origin = "leg.lua:12"
  };
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

/* multiply components c0 .. c(n-1) in a ring, each wired to the next; returns the message of
 * compiling */
static const char *ring(int n) {
  sinew_builder *b = sinew_builder_create("c", NULL);
  for (int i = 0; i < n; i++) make_lines(b, "multiply c%d matrix=c%d", i, (i + 1) % n);
  return told(b);
}

MU_TEST(cycles_are_reported_in_the_direction_of_the_data) {
  MU_TEXT(ring(1), "component 'c0' is wired to itself");
  MU_INT(found.status, SINEW_ERR_CYCLE);
  MU_TEXT(ring(2), "components wait for each other: c0 -> c1 -> c0");
  MU_TEXT(ring(3), "components wait for each other: c0 -> c2 -> c1 -> c0");
  MU_TEXT(ring(12), "components wait for each other: c0 -> c11 -> c10 -> c9 -> c8 -> c7 "
                    "-> c6 -> c5 -> c4 -> c3 -> c2 -> c1 -> c0");
  MU_TEXT(ring(20000),
          "components wait for each other: c0 -> c19999 -> c19998 -> c19997 -> c19996 -> c19995 -> "
          "c19994 -> c19993 -> ... 19991 more ... -> c1 -> c0");
  MU_TEXT(told(make_lines(NULL, "multiply a0 matrix=a1; multiply a1 matrix=a0\n"
                                "multiply b0 matrix=b0")),
          "components wait for each other: a0 -> a1 -> a0\n"
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
    sinew_builder *b = make_lines(NULL, "dof d -1 1");
    for (int i = 0; i < n; i++) {
      /* each depends on up to two components of lower rank, which may be added in any order */
      int a = make_index(&seed, n), c = make_index(&seed, n);
      if (rank[a] < rank[i] && rank[c] < rank[i])
        make_lines(b, "dependency c%d active=c%d passive=c%d offset=line:0,0,1,1", i, a, c);
      else
        make_lines(b, "dependency c%d active=d passive=d offset=line:0,0,1,1", i);
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

MU_TEST(unnamed_components_skip_numbers_that_are_taken) {
  sinew_builder *b = sinew_builder_create("n", NULL);
  sinew_joint_set set = sinew_builder_add_joint_set(b, "set", NULL, NULL);
  make_part(b, set, "euler", "euler2", NULL, NULL, 0);
  static const char *const names[] = { "set.euler1", "set.euler3", "set.euler4" };
  for (int i = 0; i < 3; i++) {
    sinew_component c = make_part(b, set, "euler", NULL, NULL, NULL, 0);
    MU_TEXT(sinew_builder_component_name(b, c), names[i]);
  }
  MU_TEXT(sinew_builder_component_name(b, sinew_add(b, "euler", NULL, SINEW_NONE, SINEW_NONE)),
          "euler1");
  MU_TEXT(told(b), "");
}

MU_TEST(ids_of_a_builder_are_valid_for_each_of_its_rigs) {
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

MU_TEST(wrong_calls_reach_the_handler_and_do_nothing) {
  asserts_begin();
  OWNED(builder) *b = good();
  OWNED(rig) *rig = sinew_builder_compile(b, NULL);
  MU_INT(sinew_builder_drive(b, (sinew_segment){ 9 }, "x", NULL, NULL), SINEW_ERR_CALL);
  MU_INT(sinew_builder_connect(b, (sinew_component){ 0 }, &(sinew_wire){ 0 }, NULL),
         SINEW_ERR_CALL);
  sinew_dof_desc d = { .size = sizeof d, .name = "d", .joint_set = { 7 } };
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
  MU_INT(asserted, 14);
  asserts_end();
  sinew_builder_destroy(NULL);
  sinew_rig_destroy(NULL);
  sinew_pose_destroy(NULL);
}

MU_SUITE(compile)
