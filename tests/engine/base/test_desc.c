/* Every desc and options struct: one that was made without its default function is refused, as is
 * one of a newer version; one of an older version takes the defaults of the fields that it lacks.
 * The headers are read to find structs that are missing here. */
#include "make.h"
#include "minunit.h"
#include "owned.h"
#include "sinew/calibrate.h"
#include "sinew/host.h"
#include "sinew/limits.h"

#include <dirent.h>

static sinew_error error;
static char tried[1024]; /* "dof_desc segment_desc ..." */

/* what a call says, "" where it succeeds */
static const char *said(void) { return error.count ? error.text : ""; }

static void compare(const char *type, const char *text, const char *expected) {
  if (!strstr(text, expected) || (!*expected && *text))
    mu_fail(__FILE__, __LINE__, "%s: '%s', expected '%s'", type, text, expected);
}

/* `call` uses `d`, a struct of that type, and fills the error */
#define TRY(type, defaults, call)                                                                  \
  do {                                                                                             \
    sinew_##type d;                                                                                \
    char usual[SINEW_ERROR_TEXT];                                                                  \
    strcat(strcat(tried, #type), " ");                                                             \
    memset(&d, 0, sizeof d);                                                                       \
    sinew_error_clear(&error);                                                                     \
    call;                                                                                          \
    compare(#type, said(), "sinew_" #type ": not made by sinew_default_" #type "()");              \
    MU_INT(error.status, SINEW_ERR_CALL);                                                          \
    d = defaults;                                                                                  \
    MU_INT(d.size, sizeof d);                                                                      \
    d.size = sizeof d + 8;                                                                         \
    call;                                                                                          \
    compare(#type, said(), "the program was built with a newer version");                          \
    MU_INT(error.status, SINEW_ERR_CALL);                                                          \
    d = defaults;                                                                                  \
    sinew_error_clear(&error);                                                                     \
    call;                                                                                          \
    snprintf(usual, sizeof usual, "%s", said());                                                   \
    /* nothing but its size is known: the rest must not be read */                                 \
    memset(&d, 0xff, sizeof d);                                                                    \
    d.size = sizeof d.size;                                                                        \
    sinew_error_clear(&error);                                                                     \
    call;                                                                                          \
    compare(#type, said(), usual);                                                                 \
  } while (0)

static sinew_solid *make_ball(float radius) {
  const sinew_solid_point point = { { 0, 0, 0 }, radius };
  const sinew_solid_element element = { .kind = SINEW_SOLID_BALL, .count = 1 };
  const sinew_solid_part part = { .count = 1 };
  sinew_solid_desc desc = sinew_default_solid_desc();
  desc.points = &point, desc.indices = &(const int){ 0 };
  desc.elements = &element, desc.parts = &part;
  desc.point_count = desc.index_count = desc.element_count = desc.part_count = 1;
  return sinew_solid_create(&desc, NULL);
}

static void try_all(sinew_builder *b, sinew_rig *rig, sinew_pose *pose, const sinew_motion *motion,
                    sinew_solver *solver) {
  sinew_limit_samples samples = { 0 };
  sinew_limits_report report;
  sinew_field_desc line = sinew_default_field_desc(1);
  char *text = NULL;
  size_t size;
  sinew_solid *solid = make_ball(0.1f);
  static const char nodes[] = "{\"asset\":{\"version\":\"2.0\"},\"scenes\":[{\"nodes\":[0]}],"
                              "\"nodes\":[{\"name\":\"a\"}]}";
  sinew_character *figure = sinew_character_parse("a.gltf", nodes, sizeof nodes - 1, NULL);
  TRY(character_write_desc, sinew_default_character_write_desc(),
      sinew_text_free(sinew_character_write(figure, NULL, 0, &d, &size, NULL, &error)));
  TRY(segment_desc, sinew_default_segment_desc(), sinew_builder_add_segment(b, &d, &error));
  TRY(dof_desc, sinew_default_dof_desc(), sinew_builder_add_dof(b, &d, &error));
  TRY(component_desc, sinew_default_component_desc(), sinew_builder_add_component(b, &d, &error));
  TRY(batch_desc, sinew_default_batch_desc(),
      sinew_batch_destroy(sinew_batch_create(rig, &d, &error)));
  TRY(cone_desc, sinew_default_cone_desc(), sinew_cone_create(&d, &error));
  TRY(cone_ellipse, sinew_default_cone_ellipse(), sinew_cone_create_ellipse(&d, &error));
  TRY(cone_fit, sinew_default_cone_fit(), sinew_cone_create_fit(&d, NULL, &error));
  TRY(curve_desc, sinew_default_curve_desc(), sinew_curve_create(&d, &error));
  TRY(field_desc, sinew_default_field_desc(0), sinew_field_memory(&d, &error));
  TRY(field_motion, sinew_default_field_motion(), sinew_field_from_motion(&line, &d, NULL, &error));
  TRY(fit_desc, sinew_default_fit_desc(),
      sinew_fit_destroy(sinew_fit_create(rig, motion, &d, &error)));
  TRY(mjcf_desc, sinew_default_mjcf_desc(),
      sinew_text_free(sinew_mjcf_format(rig, &d, &size, NULL, &error)));
  TRY(motion_options, sinew_default_motion_options(),
      sinew_motion_parse("a.bvh", "", 0, NULL, 0, &d, &error));
  TRY(skin_desc, sinew_default_skin_desc(), sinew_skin_create(pose, &d, &error));
  TRY(solid_desc, sinew_default_solid_desc(), sinew_solid_release(sinew_solid_create(&d, &error)));
  TRY(solid_options, sinew_default_solid_options(),
      sinew_mesh_destroy(sinew_solid_mesh(solid, &d, &error)));
  TRY(budget_desc, sinew_default_budget_desc(),
      sinew_budget_destroy(sinew_budget_create(&d, &error)));
  TRY(solver_desc, sinew_default_solver_desc(), sinew_solver_create(rig, &d, &error));
  TRY(solve_options, sinew_default_solve_options(),
      sinew_solver_solve(solver, pose, &d, NULL, &error));
  TRY(tangent_desc, sinew_default_tangent_desc(),
      sinew_tangent_destroy(sinew_tangent_create(rig, &d, &error)));
  TRY(xml_desc, sinew_default_xml_desc(),
      (text = NULL, sinew_xml_write(rig, &d, &text, &size, &error), sinew_text_free(text)));
  TRY(host_desc, sinew_default_host_desc(), sinew_host_destroy(sinew_host_create(&d, &error)));
  TRY(limits_options, sinew_default_limits_options(),
      sinew_limits_cone(&samples, &d, &size, &report, &error));
  TRY(calibrate_options, sinew_default_calibrate_options(),
      sinew_calibrate(NULL, motion, NULL, NULL, 0, &d, NULL, NULL, &error));
  sinew_solid_release(solid);
  sinew_character_destroy(figure);
}

/* the structs of a folder's headers that have a default function and were not tried */
static int find_missing(const char *folder) {
  DIR *dir = opendir(folder);
  int found = 0;
  for (struct dirent *entry; dir && (entry = readdir(dir));) {
    static char text[1 << 16];
    char path[512];
    snprintf(path, sizeof path, "%s/%s", folder, entry->d_name);
    FILE *file = strstr(path, ".h") ? fopen(path, "r") : NULL;
    if (!file) continue;
    text[fread(text, 1, sizeof text - 1, file)] = '\0';
    fclose(file);
    const char *mark = "sinew_default_";
    for (char *at = text; (at = strstr(at, mark)); at++) {
      char *name = at + strlen(mark), word[64];
      size_t length = strspn(name, "abcdefghijklmnopqrstuvwxyz_");
      if (name[length] != '(' || strncmp(name, "goal(", 5) == 0) continue; /* goals are an array */
      snprintf(word, sizeof word, "%.*s ", (int)length, name);
      if (!strstr(tried, word)) mu_fail(__FILE__, __LINE__, "%s is not tried", word);
      found++;
    }
  }
  if (dir) closedir(dir);
  return found;
}

MU_TEST(every_desc_says_by_its_size_which_version_made_it) {
  static const char bvh[] = "HIERARCHY\nROOT a\n{\nOFFSET 0 0 0\nCHANNELS 3 Xrotation Yrotation "
                            "Zrotation\nEnd Site\n{\nOFFSET 0 1 0\n}\n}\nMOTION\nFrames: 1\n"
                            "Frame Time: 0.1\n0 0 0\n";
  OWNED(builder) *b = sinew_builder_create("b", NULL);
  OWNED(rig) *rig = MU_MADE(make_text("dof x -90 90; segment a; rotation r angle=x axis=1,0,0; "
                                      "segment b a 0,1,0; drive a r"));
  OWNED(pose) *pose = MU_MADE(sinew_pose_create(rig, NULL));
  OWNED(motion) *motion =
      MU_MADE(sinew_motion_parse("a.bvh", bvh, sizeof bvh - 1, NULL, 0, NULL, NULL));
  sinew_goal goal = sinew_default_goal(SINEW_GOAL_POINT, sinew_rig_segment(rig, 1));
  sinew_solver_desc desc = sinew_default_solver_desc();
  desc.goals = &goal, desc.goal_count = 1;
  OWNED(solver) *solver = MU_MADE(sinew_solver_create(rig, &desc, NULL));
  sinew_pose_eval(pose, NULL);
  tried[0] = '\0';
  try_all(b, rig, pose, motion, solver);
  MU_CHECK(find_missing("engine/include/sinew") + find_missing("lua/include/sinew") >= 21);
}

static void twice(const sinew_node *node, float *values) {
  *sinew_node_out(node, values, 0) = 2 * *sinew_node_in(node, values, 0);
}

MU_TEST(a_class_of_an_older_version_lives_as_long_as_its_rigs) {
  static const sinew_port_desc in[] = { { .name = "x" }, { 0 } };
  static const sinew_port_desc out[] = { { .name = "y" }, { 0 } };
  const sinew_component_class now = {
    .class_size = sizeof now, .name = "twice", .inputs = in, .outputs = out, .eval = twice
  };
  /* as a program built before the last entries were there would have it */
  size_t known = offsetof(sinew_component_class, turn);
  FREED size_t *block = malloc(known); /* it starts with its size */
  memcpy(block, &now, known);
  const sinew_component_class *old = (const void *)block;
  OWNED(builder) *refusing = sinew_builder_create("r", NULL);
  *block = 0;
  MU_FAILS_AS(sinew_builder_add_class(refusing, old, &error), SINEW_ERR_CALL,
              "sinew_component_class: needs .class_size = sizeof(sinew_component_class)");
  *block = sizeof now + 1;
  MU_FAILS(sinew_builder_add_class(refusing, old, &error), SINEW_ERR_CALL, "with a newer version");
  sinew_builder *b = make_lines(NULL, "dof x -90 90");
  *block = known;
  MU_INT(sinew_builder_add_class(b, old, &error), SINEW_OK);
  MU_INT(sinew_builder_add_class(b, old, &error), SINEW_OK);
  make_lines(b, "twice t x=x; twice u x=t");
  OWNED(rig) *rig = MU_MADE(make_rig(b, NULL));
  OWNED(pose) *pose = MU_MADE(sinew_pose_create(rig, NULL));
  sinew_pose_set(pose, sinew_rig_dof(rig, 0), 10, NULL);
  MU_INT(sinew_pose_eval(pose, NULL), SINEW_OK);
  MU_NEAR(*sinew_pose_value(pose, sinew_rig_component(rig, 1), 0), 40, 0);
  MU_TEXT(sinew_rig_component_info(rig, sinew_rig_component(rig, 1)).component_class->name,
          "twice");
}

MU_TEST(a_constant_is_refused_where_a_wire_is) {
  OWNED(builder) *b = make_lines(NULL, "dof x -90 90; translation t x=x y=#2");
  const float value[16] = { 3 };
  const sinew_component t = { 1 };
  MU_FAILS_AS(sinew_builder_set_constant(b, t, 0, value, &error), SINEW_ERR_VALUE,
              "component 't' input 'x': is wired to 'x', so it has no constant");
  MU_INT(sinew_builder_set_constant(b, t, 1, value, &error), SINEW_OK);
  MU_INT(error.count, 0);
  MU_NEAR(sinew_builder_wire(b, t, 1).constant[0], 3, 0);
}

MU_SUITE(desc)
