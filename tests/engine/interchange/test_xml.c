/* Rigs as XML: they are restored to the last bit, as is the text; mistakes are reported with their
 * position; hostile files do no harm; memory may run out anywhere. */
#include "sinew/xml.h"

#include "field_cases.h"
#include "fixture.h"
#include "make.h"
#include "minunit.h"
#include "network.h"
#include "owned.h"
#include "scarce.h"
#include "scratch.h"

#include <stdlib.h>

/* parses and compiles a text; NULL, with `error` filled, on failure */
static sinew_rig *rig_of(const char *text, size_t size) {
  OWNED(xml) *xml = sinew_xml_parse("test.xml", text, size, &error);
  if (!xml) return NULL;
  sinew_rig *rig = sinew_builder_compile(sinew_xml_builder(xml), &error);
  return rig;
}

/* moves every DOF of both rigs equally; whether all world matrices have the same bits */
static bool same_poses(const sinew_rig *a, const sinew_rig *b, uint32_t seed, int count) {
  OWNED(pose) *p = sinew_pose_create(a, &error), *q = sinew_pose_create(b, &error);
  bool same = p && q && sinew_rig_dof_count(a) == sinew_rig_dof_count(b);
  for (int k = 0; same && k < count; k++) {
    for (int i = 0; i < sinew_rig_dof_count(a); i++) {
      sinew_dof dof = sinew_rig_dof(a, i);
      sinew_dof_info info = sinew_rig_dof_info(a, dof);
      float value = make_between(&seed, info.min, info.max);
      sinew_pose_set(p, dof, value, NULL);
      sinew_pose_set(q, dof, value, NULL);
    }
    sinew_pose_eval(p, &error);
    sinew_pose_eval(q, &error);
    same = network_digest(p) == network_digest(q);
  }
  return same;
}

static bool comes_back(const sinew_rig *rig, uint32_t seed) {
  char *text = NULL, *again = NULL;
  size_t size, again_size;
  bool fine = sinew_xml_write(rig, NULL, &text, &size, &error) == SINEW_OK;
  OWNED(rig) *read = fine ? rig_of(text, size) : NULL;
  fine = read && sinew_xml_write(read, NULL, &again, &again_size, &error) == SINEW_OK &&
         size == again_size && memcmp(text, again, size) == 0 && same_poses(rig, read, seed, 5);
  sinew_text_free(text);
  sinew_text_free(again);
  return fine;
}

MU_TEST(random_rigs_are_restored_to_the_bit) {
  size_t before = sinew_live_blocks();
  for (int i = 0; i < mu_rounds(60); i++) {
    OWNED(rig) *rig = MU_MADE(network_make((uint32_t)i + 1, 1 + i % 12, 4 + i, 2 + i % 30));
    sinew_error_clear(&error);
    bool fine = comes_back(rig, (uint32_t)i);
    MU_CHECK_SAY(fine, "network %d: %s", i + 1, error.text);
  }
  MU_INT(sinew_live_blocks(), before);
}

/* --- a rig with everything that can be given */

static sinew_field *small_field(void) {
  case_seed(3);
  sinew_field_desc desc = sinew_default_field_desc(3);
  for (int i = 0; i < 3; i++) desc.axes[i] = (sinew_field_axis){ -90, 90, 5, false };
  float samples[60];
  case_path(&desc, 20, samples);
  return case_field(&desc, samples, 20);
}

/* every kind of curve, each with another rule outside, scale and offset */
static void add_curves(sinew_builder *b, sinew_joint_set set) {
  static const float points[] = { -20, 3, 0, 0.1f, 35, 7.25f, 80, -4, 90, 1e-7f };
  sinew_curve *curves[SINEW_CURVE_KIND_COUNT];
  sinew_param params[SINEW_CURVE_KIND_COUNT];
  for (int i = 0; i < SINEW_CURVE_KIND_COUNT; i++) {
    sinew_curve_desc d = sinew_default_curve_desc();
    bool constant = i == SINEW_CURVE_CONSTANT, polynomial = i == SINEW_CURVE_POLYNOMIAL;
    d.kind = (sinew_curve_kind)i;
    if (constant || polynomial)
      d.coefficients = points, d.coefficient_count = constant ? 1 : 4;
    else
      d.points = points, d.point_count = i == SINEW_CURVE_LINEAR ? 2 : 5;
    d.outside = (sinew_outside)(i % 4);
    d.scale = 1 + 0.1f * (float)(i % 3);
    d.offset = i % 2 ? -0.0f : 0.3f * (float)i;
    curves[i] = sinew_curve_create(&d, &error);
    /* names that XML must escape, and one equal to an input's name */
    static const char *const names[] = { "a&b", "<c>", "\"d\"", "x", "e f", "g'h", "\xc3\xbc" };
    const int odd = (int)(sizeof names / sizeof *names);
    params[i] = sinew_param_curve(i < odd ? names[i] : sinew_curve_kind_name(d.kind), curves[i]);
  }
  make_part(b, set, "map", "curves", "x=bend", params, SINEW_CURVE_KIND_COUNT);
  for (int i = 0; i < SINEW_CURVE_KIND_COUNT; i++) sinew_curve_destroy(curves[i]);
}

static sinew_rig *everything(void) {
  static const float angles[] = { -90, -10, 45.5f, 90 };
  static const float centres[] = { 0, 0.1f, 0, 0.2f, 0, 0, 0, 0, -0.3f };
  static const float points[] = { 1, -1, 0.5f, 1, 1, 0.25f, -1, 1, 0.5f, -1, -1, 0.3f };
  static const float ellipse[] = { 38, 42, 12, 30 };
  uint32_t seed = 9;
  float frame[16];
  make_frame(&seed, MAKE_TURNED, frame);
  sinew_builder *b = sinew_builder_create("all & <more>", &error);
  sinew_joint_set left = sinew_builder_add_joint_set(b, "left&side", NULL, &error);
  sinew_joint_set right = sinew_builder_add_joint_set(b, "right", NULL, &error);
  sinew_add_bone(b, SINEW_ROOT, "trunk", (sinew_vec3){ 0, 0, 0 });
  make_placed(b, "arm", "trunk", frame);
  sinew_segment_desc hand = sinew_default_segment_desc();
  hand.name = "hand";
  hand.parent = "arm";
  hand.joint_set = right;
  hand.rest[12] = -0.0f;
  hand.mass = 0.43f;
  hand.mass_at[1] = -0.07f;
  sinew_segment moved = sinew_builder_add_segment(b, &hand, &error);
  make_dof(b, left, "bend", -30, 120);
  sinew_dof_desc slide = {
    .size = sizeof slide, .name = "slide", .min = 0.1f, .max = 0.7f, .unit = "m"
  };
  slide.joint_set = right;
  slide.stiffness = 2.5f;
  sinew_builder_add_dof(b, &slide, &error);
  sinew_add_dof(b, "free", NULL, -1, 1);
  add_curves(b, left);
  make_part(b, left, "rotation", "turn", "angle=curves.<c>",
            SINEW_PARAMS(
                sinew_param_vector("axis", 1, 0, 0.08f), sinew_param_numbers("angles", angles, 4),
                sinew_param_vectors("centres", centres, 3), sinew_param_number("rest", 5)));
  make_part(b, right, "rotation", "turn", "angle=.left&side.bend",
            SINEW_PARAMS(sinew_param_vector("axis", 0, 1, 0)));
  make_part(b, right, "euler", "bent", "first=slide third=#12.5",
            SINEW_PARAMS(sinew_param_text("order", "zyz")));
  make_part(b, right, "translation", NULL, "x=slide y=#0.1", NULL, 0);
  make_part(b, right, "cone", "reach", "angle1=.left&side.bend angle2=slide twist=.free",
            SINEW_PARAMS(sinew_param_vector("rest", -1, 0, 0), sinew_param_number("ellipse", 40),
                         sinew_param_vector("right", 0, 1, 0),
                         sinew_param_text("rotation1", "turn"),
                         sinew_param_text("rotation2", "left&side.turn"),
                         sinew_param_flag("provisional", false)));
  make_part(b, right, "cone", "wide", "swing=turn",
            SINEW_PARAMS(sinew_param_vector("rest", 0, 0, 1),
                         sinew_param_vectors("points", points, 4),
                         sinew_param_number("smooth", 1)));
  make_part(b, right, "cone", "oval", "swing=turn",
            SINEW_PARAMS(sinew_param_vector("rest", -1, 0, 0),
                         sinew_param_numbers("ellipse", ellipse, 4),
                         sinew_param_vector("right", 0, 1, 0)));
  make_part(
      b, right, "compensate", "level", "matrix=reach.transform",
      SINEW_PARAMS(sinew_param_text("ancestor", "trunk"), sinew_param_text("segment", "hand")));
  sinew_field *field = small_field();
  make_part(b, right, "field", "learnt", "angle=.left&side.bend angle=.free angle=slide",
            SINEW_PARAMS(sinew_param_object("field", &sinew_field_class, field)));
  sinew_field_release(field);
  make_part(
      b, right, "multiply", "all",
      "matrix=level matrix=wide.transform matrix=bent matrix=translation1 matrix=oval.transform",
      NULL, 0);
  sinew_builder_drive(b, moved, "all", NULL, &error);
  return make_rig(b, NULL);
}

MU_TEST(a_rig_with_everything_is_restored) {
  OWNED(rig) *rig = MU_MADE(everything());
  sinew_error_clear(&error);
  bool fine = comes_back(rig, 4);
  char *text;
  size_t size;
  MU_INT(sinew_xml_write(rig, NULL, &text, &size, &error), SINEW_OK);
  OWNED(rig) *read = rig_of(text, size);
  sinew_text_free(text);
  MU_CHECK_SAY(fine && read, "%s", error.text);
  MU_TEXT(sinew_rig_name(read), "all & <more>");
  sinew_dof_info slide = sinew_rig_dof_info(read, sinew_rig_dof(read, 1));
  MU_TEXT(slide.name, "right.slide");
  MU_TEXT(slide.unit, "m");
  MU_CHECK(slide.min == 0.1f && slide.max == 0.7f && slide.rest == 0.1f);
  MU_CHECK(slide.stiffness == 2.5f &&
           sinew_rig_dof_info(read, sinew_rig_dof(read, 0)).stiffness == 0);
  sinew_segment_info hand = sinew_rig_segment_info(read, sinew_rig_segment(read, 2));
  MU_CHECK(hand.mass == 0.43f && hand.mass_at[0] == 0 && hand.mass_at[1] == -0.07f);
  MU_CHECK(sinew_rig_segment_info(read, sinew_rig_segment(read, 0)).mass == 0);
  for (int i = 0; i < sinew_rig_segment_count(rig); i++)
    MU_CHECK(memcmp(sinew_rig_segment_info(rig, sinew_rig_segment(rig, i)).rest,
                    sinew_rig_segment_info(read, sinew_rig_segment(read, i)).rest, 64) == 0);
  for (int i = 0; i < sinew_rig_component_count(rig); i++) {
    sinew_component id = sinew_rig_component(rig, i);
    sinew_component_info a = sinew_rig_component_info(rig, id);
    sinew_component_info c = sinew_rig_component_info(read, id);
    MU_TEXT(c.name, a.name);
    MU_CHECK(c.component_class == a.component_class && c.param_count == a.param_count);
    for (int k = 0; k < a.param_count; k++) {
      const sinew_param *p = sinew_rig_param(rig, id, k), *q = sinew_rig_param(read, id, k);
      MU_TEXT(q->name, p->name);
      MU_CHECK(q->type == p->type && q->count == p->count);
      MU_CHECK(memcmp(q->number, p->number, sizeof p->number) == 0);
    }
  }
}

MU_TEST(every_catalog_name_is_valid_in_xml) {
  /* wires and parameters are child elements of one component, so a name must not be both */
  for (int i = 0; sinew_catalog(i); i++) {
    const sinew_component_class *cls = sinew_catalog(i);
    const char *names[128];
    int count = 0;
    for (const sinew_port_desc *p = cls->inputs; p && p->name; p++) names[count++] = p->name;
    for (const sinew_param_desc *p = cls->params; p && p->name; p++) names[count++] = p->name;
    if (cls->named) names[count++] = cls->named->name;
    names[count++] = cls->name;
    for (int k = 0; k < count; k++) {
      MU_CHECK_SAY(strspn(names[k], "abcdefghijklmnopqrstuvwxyz0123456789_") == strlen(names[k]),
                   "'%s' of %s", names[k], cls->name);
      for (int m = 0; m < k && k < count - 1; m++)
        MU_CHECK_SAY(strcmp(names[m], names[k]) != 0, "'%s' of %s stands for two", names[k],
                     cls->name);
    }
    MU_CHECK(strcmp(cls->name, "script") != 0);
  }
}

/* --- shapes, labels, files */

MU_TEST(shapes_and_labels_are_restored) {
  static const float vertices[] = { 0, 0.1f, 1e-20f, 1, 0, 0, 0, 1, 0, 0, 0, 1 };
  static const float normals[] = { 0, 0, 1, 0, 0, 1, 0, 0.6f, 0.8f, 1, 0, 0 };
  static const uint32_t triangles[] = { 0, 1, 2, 3, 2, 1 };
  sinew_xml_shape shapes[3] = { { .mesh = { vertices, normals, triangles, 4, 2 } },
                                { .file = "bones/arm & hand.obj", .mirrored = true } };
  const char *labels[3] = { "bend \"it\"\n", NULL, "" };
  sinew_xml_desc desc = { .size = sizeof desc, .shapes = shapes, .labels = labels };
  OWNED(rig) *rig = everything();
  char *text;
  size_t size;
  MU_INT(sinew_xml_write(rig, &desc, &text, &size, &error), SINEW_OK);
  OWNED(xml) *xml = MU_MADE_OR(sinew_xml_parse("test.xml", text, size, &error), error.text);
  sinew_xml_shape mesh = sinew_xml_shape_of(xml, (sinew_segment){ 1 });
  MU_CHECK(!mesh.file && mesh.mesh.vertex_count == 4 && mesh.mesh.triangle_count == 2);
  MU_CHECK(memcmp(mesh.mesh.vertices, vertices, sizeof vertices) == 0);
  MU_CHECK(memcmp(mesh.mesh.normals, normals, sizeof normals) == 0);
  MU_CHECK(memcmp(mesh.mesh.triangles, triangles, sizeof triangles) == 0);
  sinew_xml_shape file = sinew_xml_shape_of(xml, (sinew_segment){ 2 });
  MU_TEXT(file.file, "bones/arm & hand.obj");
  MU_CHECK(file.mirrored);
  sinew_xml_shape none = sinew_xml_shape_of(xml, (sinew_segment){ 3 });
  MU_CHECK(!none.file && !none.mesh.vertices);
  MU_TEXT(sinew_xml_label(xml, (sinew_dof){ 1 }), "bend \"it\"\n");
  MU_CHECK(!sinew_xml_label(xml, (sinew_dof){ 2 }));
  MU_TEXT(sinew_xml_label(xml, (sinew_dof){ 3 }), "");
  sinew_text_free(text);
}

MU_TEST(fields_may_be_in_separate_files) {
  MU_CHECK(scratch_open());
  OWNED(rig) *rig = everything();
  const char *path = scratch_path("rig.xml");
  MU_INT(sinew_xml_save(rig,
                        &(sinew_xml_desc){ .size = sizeof(sinew_xml_desc), .fields_beside = true },
                        path, &error),
         SINEW_OK);
  sinew_xml *xml = MU_MADE_OR(sinew_xml_load(path, &error), error.text);
  MU_TEXT(sinew_xml_file(xml, 0), "rig.1.field");
  MU_CHECK(!sinew_xml_file(xml, 1));
  sinew_rig *read = sinew_builder_compile(sinew_xml_builder(xml), &error);
  MU_CHECK_SAY(read && same_poses(rig, read, 8, 5), "%s", error.text);
  sinew_rig_destroy(read);
  sinew_xml_destroy(xml);
  remove(scratch_path("rig.1.field"));
  MU_REFUSED(sinew_xml_load(path, &error), "rig.1.field: cannot open");
  scratch_text("rig.1.field", "nonsense");
  MU_REFUSED(sinew_xml_load(path, &error), "rig.1.field");
  MU_CHECK(!sinew_xml_load(scratch_path("none.xml"), &error));
  MU_INT(error.status, SINEW_ERR_FILE);
  MU_INT(sinew_xml_save(rig, NULL, scratch_path("no/folder.xml"), &error), SINEW_ERR_FILE);
  scratch_close();
}

/* --- classes that are not built in */

static void double_it(const sinew_node *node, float *values) {
  *sinew_node_out(node, values, 0) = 2 * *sinew_node_in(node, values, 0);
}

static const sinew_component_class *twice(void) {
  static const sinew_port_desc in[] = { { .name = "angle" }, { 0 } };
  static const sinew_port_desc out[] = { { .name = "angle" }, { 0 } };
  static const sinew_param_desc params[] = { { .name = "note", .type = SINEW_PARAM_TEXT },
                                             { .name = "share", .type = SINEW_PARAM_NUMBER },
                                             { 0 } };
  static const sinew_component_class cls = { .class_size = sizeof(sinew_component_class),
                                             .name = "twice",
                                             .inputs = in,
                                             .outputs = out,
                                             .params = params,
                                             .eval = double_it };
  return &cls;
}

MU_TEST(a_custom_class_is_stored_by_its_module) {
  sinew_builder *b = sinew_builder_create("own", &error);
  sinew_builder_add_class(b, twice(), &error);
  sinew_add_dof(b, "bend", NULL, 0, 1);
  sinew_add(
      b, "twice", "more", SINEW_WIRES(sinew_wire_name("angle", "bend")),
      SINEW_PARAMS(sinew_param_text("note", " two\nlines "), sinew_param_number("share", 0.1f)));
  OWNED(rig) *rig = make_rig(b, NULL);
  char *text;
  size_t size;
  MU_FAILS(sinew_xml_write(rig, NULL, &text, &size, &error), SINEW_ERR_NAME,
           "component 'more': its kind 'twice' is neither built in");
  const char *modules[] = { "own.twice" };
  sinew_xml_number exact = { { 1 }, "share", "0.1" };
  sinew_xml_desc desc = {
    .size = sizeof desc, .modules = modules, .numbers = &exact, .number_count = 1
  };
  MU_INT(sinew_xml_write(rig, &desc, &text, &size, &error), SINEW_OK);
  OWNED(xml) *xml = MU_MADE_OR(sinew_xml_parse("own.xml", text, size, &error), error.text);
  const char *module;
  sinew_component id = sinew_xml_foreign(xml, 0, &module);
  MU_INT(id.id, 1);
  MU_TEXT(module, "own.twice");
  MU_INT(sinew_xml_foreign(xml, 1, NULL).id, 0);
  sinew_builder *read = sinew_xml_builder(xml);
  MU_TEXT(sinew_builder_component_kind(read, id), "twice");
  MU_TEXT(sinew_builder_param(read, id, "note")->text, " two\nlines ");
  MU_TEXT(sinew_builder_param(read, id, "share")->text, "0.1");
  MU_CHECK(!sinew_builder_compile(read, &error));
  sinew_builder_add_class(read, twice(), &error);
  OWNED(rig) *again = sinew_builder_compile(read, &error);
  MU_CHECK_SAY(again && same_poses(rig, again, 1, 3), "%s", error.text);
  sinew_text_free(text);
}

MU_TEST(a_shape_of_nothing_is_written_and_read) {
  OWNED(builder) *b = sinew_builder_create("r", NULL);
  sinew_add_bone(b, SINEW_ROOT, "unseen", (sinew_vec3){ 0, 0, 0 });
  sinew_add_bone(b, SINEW_ROOT, "plain", (sinew_vec3){ 0, 0, 0 });
  OWNED(rig) *rig = MU_MADE_OR(sinew_builder_compile(b, &error), error.text);
  const float nothing = 0;
  const sinew_xml_shape shapes[] = { { .mesh = { .vertices = &nothing } }, { .file = NULL } };
  sinew_xml_desc desc = sinew_default_xml_desc();
  desc.shapes = shapes;
  char *text;
  size_t size;
  MU_OK(sinew_xml_write(rig, &desc, &text, &size, &error));
  OWNED(xml) *xml = MU_MADE_OR(sinew_xml_parse("r.xml", text, size, &error), error.text);
  sinew_text_free(text);
  sinew_xml_shape unseen = sinew_xml_shape_of(xml, (sinew_segment){ 1 });
  MU_CHECK(unseen.mesh.vertices);
  MU_INT(unseen.mesh.vertex_count, 0);
  MU_CHECK(!sinew_xml_shape_of(xml, (sinew_segment){ 2 }).mesh.vertices);
}

MU_TEST(where_an_author_made_each_part_is_written_on_request) {
  OWNED(builder) *b = sinew_builder_create("r", NULL);
  sinew_segment_desc bone = sinew_default_segment_desc();
  bone.name = "bone";
  bone.origin = "knee.lua:12";
  sinew_builder_add_segment(b, &bone, NULL);
  sinew_dof_desc dof = sinew_default_dof_desc();
  dof.name = "d";
  dof.origin = "knee.lua:13";
  sinew_builder_add_dof(b, &dof, NULL);
  sinew_component_desc turn = sinew_default_component_desc();
  const sinew_wire wire = sinew_wire_name("angle", "d");
  const sinew_param axis = sinew_param_vector("axis", 1, 0, 0);
  turn = (sinew_component_desc){ .size = turn.size,
                                 .kind = "rotation",
                                 .name = "turn",
                                 .wires = &wire,
                                 .wire_count = 1,
                                 .params = &axis,
                                 .param_count = 1,
                                 .origin = "knee.lua:14" };
  sinew_builder_add_component(b, &turn, NULL);
  OWNED(rig) *rig = MU_MADE_OR(sinew_builder_compile(b, &error), error.text);
  sinew_xml_desc desc = sinew_default_xml_desc();
  for (int i = 0; i < 2; i++) {
    char *text;
    size_t size;
    desc.origins = i == 1;
    MU_OK(sinew_xml_write(rig, &desc, &text, &size, &error));
    MU_INT(strstr(text, "knee.lua") != NULL, i == 1);
    OWNED(xml) *xml = MU_MADE_OR(sinew_xml_parse("r.xml", text, size, &error), error.text);
    sinew_text_free(text);
    OWNED(rig) *again =
        MU_MADE_OR(sinew_builder_compile(sinew_xml_builder(xml), &error), error.text);
    if (!i) continue;
    MU_TEXT(sinew_rig_segment_info(again, (sinew_segment){ 1 }).origin, "knee.lua:12");
    MU_TEXT(sinew_rig_dof_info(again, (sinew_dof){ 1 }).origin, "knee.lua:13");
    MU_TEXT(sinew_rig_component_info(again, (sinew_component){ 1 }).origin, "knee.lua:14");
  }
}

MU_TEST(a_name_that_is_not_utf8_is_refused_when_writing) {
  static const char *const wrong[] = { "\xff",         "a\xc3",        "\xc0\x80",
                                       "\xed\xa0\x80", "\xef\xbf\xbf", "\xf4\x90\x80\x80",
                                       "\xe2\x82" };
  for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++) {
    sinew_builder *b = sinew_builder_create(wrong[i], &error);
    OWNED(rig) *rig = make_rig(b, NULL);
    char *text;
    size_t size;
    sinew_status status = sinew_xml_write(rig, NULL, &text, &size, &error);
    MU_FAILS(status, SINEW_ERR_NAME, "so it cannot be written");
  }
}

/* --- memory */

typedef struct scarcity {
  const sinew_rig *rig;
  const char *text;
  size_t size;
} scarcity;

static bool write_scarcely(void *context) {
  const scarcity *s = context;
  char *text;
  size_t size;
  if (sinew_xml_write(s->rig, NULL, &text, &size, &error) != SINEW_OK) return false;
  sinew_text_free(text);
  return true;
}

static bool read_scarcely(void *context) {
  const scarcity *s = context;
  sinew_xml *xml = sinew_xml_parse("test.xml", s->text, s->size, &error);
  sinew_xml_destroy(xml);
  return xml != NULL;
}

MU_TEST(every_failing_allocation_is_survived) {
  static const char small[] =
      "<rig version='1' name='r'><joint_sets><joint_set name='s'/></joint_sets><segments>"
      "<segment name='a' at='1 2 3'><shape><vertices>0 0 0 1 0 0 0 1 0</vertices>"
      "<normals>0 0 1 0 0 1 0 0 1</normals><triangles>0 1 2</triangles></shape></segment>"
      "<segment name='b' parent='a' driver='s.m'><shape file='b.obj'/></segment></segments>"
      "<dofs><dof name='d' set='s' label='bend'/></dofs><components><map set='s' name='k'>"
      "<x from='s.d'/><curve name='y' kind='linear'>0 0 1 1</curve></map>"
      "<rotation set='s' name='m'><angle from='s.k.y'/><axis value='1 0 0'/>"
      "<angles>-90 90</angles></rotation><field name='f'><angle from='s.d'/>"
      "<field file='f.field'/></field><script module='own' kind='spring'>"
      "<input name='angle' from='s.d'/><text name='t' value='x'/></script></components></rig>";
  OWNED(rig) *rig = everything();
  scarcity s = { rig, small, sizeof small - 1 };
  MU_CHECK(case_survives_failing_memory(write_scarcely, &s));
  MU_CHECK(case_survives_failing_memory(read_scarcely, &s));
}

MU_TEST(a_rig_loads_in_one_call_or_says_why_not) {
  static const struct {
    const char *name, *text, *says;
  } wrong[] = {
    { "rig.lua", "return 1",
      "rig.lua: not XML, but a rig script; 'sinew export' writes it as XML" },
    { "a.txt", "\n hello", "a.txt: not XML" },
    { "empty.xml", "", "empty.xml:1:1: no element found" },
    { "b.xml", "<rigg/>", "not a rig: the root element is 'rigg', expected 'rig'" },
    { "c.xml", "<rig version='9' name='r'/>",
      "unsupported rig version 9; this program reads versions 1 to 2: the file is from a newer "
      "version of Sinew" },
    { "d.xml",
      "<rig version='1' name='r'><segments><segment name='a' driver='b'/></segments></rig>",
      "segment 'a': no DOF or component named 'b'" },
    { "e.xml",
      "<rig version='1' name='r'><components><script name='k' kind='bend' module='bends'/>"
      "</components></rig>",
      "component 'k' is scripted (module 'bends'); sinew_host_load loads rigs with scripts" },
  };
  MU_CHECK(scratch_open());
  for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++) {
    scratch_text(wrong[i].name, wrong[i].text);
    MU_REFUSED(sinew_rig_load(scratch_path(wrong[i].name), &error), wrong[i].says);
  }
  MU_REFUSED(sinew_rig_load(scratch_path("none.xml"), &error), "none.xml: cannot open: No such");
  scratch_text("good.xml", "<rig version='1' name='r'><dofs><dof name='x' min='0' max='1'/></dofs>"
                           "</rig>");
  OWNED(rig) *rig = MU_MADE_OR(sinew_rig_load(scratch_path("good.xml"), &error), error.text);
  MU_TEXT(sinew_rig_name(rig), "r");
  MU_INT(sinew_rig_dof_count(rig), 1);
  scratch_close();
}

MU_TEST(schema_is_written) {
  char *text;
  size_t size;
  MU_INT(sinew_xml_schema(&text, &size, &error), SINEW_OK);
  MU_INT(strlen(text), size);
  for (int i = 0; sinew_catalog(i); i++) {
    char element[128];
    snprintf(element, sizeof element, "<xs:element name=\"%s\" type=", sinew_catalog(i)->name);
    MU_HAS(text, element);
  }
  sinew_text_free(text);
}

MU_SUITE(xml)
