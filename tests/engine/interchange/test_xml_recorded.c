/* Recorded components in XML: their programs and the tables of their kinds come back, and the rig
 * computes the same bits in poses, batches and derivatives; what is wrong is refused with its
 * place.
 */
#include "sinew/xml.h"

#include "base/alloc.h"
#include "batch_cases.h"
#include "field_cases.h"
#include "fixture.h"
#include "make.h"
#include "minunit.h"
#include "random_graph.h"
#include "scratch.h"

/* --- a class of a C program whose components run a program */

static size_t own_size(const sinew_setup *setup) {
  return sinew_program_size(setup, sinew_setup_object(setup, "own"));
}
static void own_setup(sinew_setup *setup, void *data) {
  sinew_program_setup(setup, sinew_setup_object(setup, "own"), data);
}

static const sinew_port_desc crank_in[] = {
  { "angle", SINEW_SCALAR, 0, 0, "deg", "of the \"crank\"" },
  { "extra", SINEW_SCALAR, SINEW_PORT_OPTIONAL, 1.5f, "m", "" },
  { "shift", SINEW_VECTOR, SINEW_PORT_OPTIONAL, 0, "m", NULL },
  { "frame", SINEW_MATRIX, 0, 0, NULL, "a frame" },
  { 0 },
};
static const sinew_port_desc crank_out[] = { { "stroke", SINEW_SCALAR, 0, 0, "m", "how far" },
                                             { "frame", SINEW_MATRIX, 0, 0, "", "moved" },
                                             { 0 } };
static const sinew_param_desc crank_params[] = {
  { .name = "throw",
    .type = SINEW_PARAM_NUMBER,
    .fallback = { 0.1f },
    .min = 0,
    .max = 2,
    .unit = "m",
    .doc = "its radius" },
  { .name = "bias", .type = SINEW_PARAM_NUMBER, .min = -INFINITY, .max = 3 },
  { .name = "on", .type = SINEW_PARAM_FLAG, .fallback = { 1 } },
  { .name = "axis", .type = SINEW_PARAM_VECTOR, .fallback = { 0, 0.7f, 1 }, .mirror = "axis" },
  { .name = "list", .type = SINEW_PARAM_NUMBERS, .flags = SINEW_PARAM_REQUIRED },
  { .name = "gain", .type = SINEW_PARAM_CURVE },
  { .name = "note", .type = SINEW_PARAM_TEXT },
  { .name = "at", .type = SINEW_PARAM_SEGMENT },
  { .name = "own", .type = SINEW_PARAM_OBJECT },
  { 0 },
};
static const sinew_hold_desc crank_holds[] = { { "stroke", "the cylinder & its end" }, { 0 } };

static sinew_component_class crank_class(void) {
  sinew_component_class cls = { .class_size = sizeof cls,
                                .name = "crank",
                                .doc = "Turns a <crank>.",
                                .inputs = crank_in,
                                .outputs = crank_out,
                                .params = crank_params,
                                .holds = crank_holds,
                                .size = own_size,
                                .setup = own_setup };
  sinew_program_fill_class(&cls);
  return cls;
}

static const char crank_text[] =
    "takes scalar scalar vector matrix\ngives scalar matrix hold\n"
    "input 0\ninput 1\nparam 0 throw\nparam 0 on\nparam 1 axis\nparam 1 list\ncurve 1 gain\n"
    "mul 1 6\nsin 8\nmul 9 3\nadd 10 7\nadd 11 2\nparam 0 bias\nmin 12 13\nsub 14 12\n"
    "input 5\ninput 6\ninput 7\ninput 8\ninput 9\ninput 10\ninput 11\ninput 12\ninput 13\n"
    "input 14\ninput 15\ninput 16\nadd 25 14\ninput 3\nmul 29 5\nadd 26 30\nmul 27 4\n"
    "number 1e30\nlt 33 1\n"
    "out 14 16 17 18 19 20 21 22 23 24 28 31 32 15\n"
    "fail 34\nmessage the angle & more: <far>\n";

static char *edited(const char *text, const char *old, const char *changed) {
  const char *at = strstr(text, old);
  size_t room = strlen(text) + strlen(changed) + 1;
  char *copy = at ? malloc(room) : NULL;
  if (copy) snprintf(copy, room, "%.*s%s%s", (int)(at - text), text, changed, at + strlen(old));
  return copy;
}

typedef struct made {
  sinew_component_class cls;
  sinew_rig *rig;
  sinew_program *programs[64];
} made;

static void made_free(made *m) {
  sinew_rig_destroy(m->rig);
  for (int i = 0; i < 64; i++) sinew_program_release(m->programs[i]);
}

/* three cranks, two of which have the same program */
static bool make_cranks(made *m) {
  *m = (made){ .cls = crank_class() };
  static const float points[] = { -90, 0.1f, 0, 0.2f, 90, 0.7f };
  static const float list[] = { 1, 0.75f };
  FREED char *other = edited(crank_text, "sin 8", "cos 8");
  sinew_builder *b =
      make_lines(NULL, "dof bend -90 90; dof more 0 2; segment base;"
                       "segment arm base 0,0.1,0; segment hand arm 0.3,0,0;"
                       "segment tip hand 0.1,0,0; rotation turn angle=bend axis=0,1,0;");
  sinew_builder_add_class(b, &m->cls, &error);
  OWNED(curve) *gain = make_curve(SINEW_CURVE_SPLINE, SINEW_OUTSIDE_EXTEND, points, 3);
  static const char *const names[] = { "first", "second", "third" }, *const wires[] = {
    "angle=bend frame=turn", "angle=more extra=bend frame=first.frame",
    "angle=first.stroke frame=turn"
  };
  for (int i = 0; i < 3; i++) {
    m->programs[i + 1] = sinew_program_create(i == 1 ? other : crank_text, &error);
    make_part(b, MAKE_NO_SET, "crank", names[i], wires[i],
              SINEW_PARAMS(sinew_param_number("throw", 0.1f + (float)i / 3),
                           sinew_param_number("bias", 2.7f), sinew_param_numbers("list", list, 2),
                           sinew_param_flag("on", i != 1), sinew_param_curve("gain", gain),
                           sinew_param_text("note", "<a>\n"), sinew_param_text("at", "hand"),
                           sinew_param_object("own", &sinew_program_object, m->programs[i + 1])));
    char output[32];
    snprintf(output, sizeof output, "%s.frame", names[i]);
    sinew_builder_drive(b, (sinew_segment){ (uint32_t)i + 2 }, output, NULL, &error);
  }
  m->rig = make_rig(b, NULL);
  return m->rig != NULL;
}

/* --- the same bits */

enum { characters = 21, most_floats = 1 << 14 };

static bool same_numbers(const float *a, const float *b, size_t count) {
  return memcmp(a, b, count * sizeof *a) == 0;
}

/* poses with their holds and messages, which name the line of the second, and derivatives */
static bool same_poses(const sinew_rig *a, const sinew_rig *b, uint32_t seed, int count) {
  OWNED(pose) *p = sinew_pose_create(a, NULL), *q = sinew_pose_create(b, NULL);
  OWNED(tangent) *s = sinew_tangent_create(a, NULL, NULL);
  OWNED(tangent) *t = sinew_tangent_create(b, NULL, NULL);
  bool same = p && q && s && t;
  for (int k = 0; same && k < count; k++) {
    for (int i = 0; i < sinew_rig_dof_count(a); i++) {
      sinew_dof_info info = sinew_rig_dof_info(a, sinew_rig_dof(a, i));
      float value = make_between(&seed, info.min, info.max);
      sinew_pose_set(p, sinew_rig_dof(a, i), value, NULL);
      sinew_pose_set(q, sinew_rig_dof(b, i), value, NULL);
    }
    sinew_error why[2];
    sinew_error_clear(&why[0]);
    sinew_error_clear(&why[1]);
    sinew_status status = sinew_pose_eval(p, &why[0]);
    same = sinew_pose_eval(q, &why[1]) == status && strstr(why[1].text, why[0].text) &&
           same_numbers(sinew_pose_worlds(p), sinew_pose_worlds(q),
                        16 * (size_t)sinew_rig_segment_count(a));
    sinew_hold holds[2][16];
    int held = sinew_pose_holds(p, holds[0], 16);
    same = same && sinew_pose_holds(q, holds[1], 16) == held;
    for (int i = 0; same && i < held && i < 16; i++)
      same = holds[0][i].amount == holds[1][i].amount && !strcmp(holds[0][i].doc, holds[1][i].doc);
    if (status < 0 || !same) continue;
    status = sinew_tangent_eval(s, p, NULL);
    same = sinew_tangent_eval(t, q, NULL) == status;
    for (int i = 0; status >= 0 && same && i < sinew_rig_segment_count(a); i++)
      for (int c = 0; same && c < sinew_tangent_columns(s); c++) {
        float x[16], y[16];
        sinew_tangent_world(s, sinew_rig_segment(a, i), c, x);
        sinew_tangent_world(t, sinew_rig_segment(b, i), c, y);
        same = same_numbers(x, y, 16);
      }
  }
  return same;
}

static bool same_crowds(const sinew_rig *a, const sinew_rig *b, uint32_t seed, int lanes) {
  static float dofs[most_floats], worlds[2][most_floats];
  sinew_batch_desc desc = { sizeof desc, lanes == 4 ? 2 : 1, lanes };
  OWNED(batch) *x = sinew_batch_create(a, &desc, NULL), *y = sinew_batch_create(b, &desc, NULL);
  size_t wanted = 16 * (size_t)sinew_rig_segment_count(a) * characters, at = 0;
  if (!x || !y || wanted > most_floats || sinew_batch_threads(y) != desc.threads) return false;
  for (int k = 0; k < characters; k++)
    for (int i = 0; i < sinew_rig_dof_count(a); i++) {
      sinew_dof_info info = sinew_rig_dof_info(a, sinew_rig_dof(a, i));
      dofs[at++] = make_between(&seed, info.min, info.max);
    }
  return sinew_batch_eval(x, dofs, characters, worlds[0], NULL) ==
             sinew_batch_eval(y, dofs, characters, worlds[1], NULL) &&
         same_numbers(worlds[0], worlds[1], wanted);
}

static bool same_rigs(const sinew_rig *a, const sinew_rig *b, uint32_t seed, int poses) {
  return sinew_rig_dof_count(a) == sinew_rig_dof_count(b) && same_poses(a, b, seed, poses) &&
         same_crowds(a, b, seed + 1, 4) && (!crowd_can(8) || same_crowds(a, b, seed + 2, 8));
}

static sinew_rig *rig_of(const char *text, size_t size) {
  OWNED(xml) *xml = sinew_xml_parse("test.xml", text, size, &error);
  return xml ? sinew_builder_compile(sinew_xml_builder(xml), &error) : NULL;
}

static sinew_xml_desc desc_of(const made *m) {
  sinew_xml_desc desc = sinew_default_xml_desc();
  desc.programs = m->programs;
  return desc;
}

/* writes, reads, compares, and writes the same text again */
static bool comes_back(const made *m, uint32_t seed, int poses) {
  sinew_xml_desc desc = desc_of(m);
  char *text = NULL, *again = NULL;
  size_t size, again_size;
  bool fine = sinew_xml_write(m->rig, &desc, &text, &size, &error) == SINEW_OK;
  OWNED(rig) *read = fine ? rig_of(text, size) : NULL;
  fine = read && sinew_xml_write(read, NULL, &again, &again_size, &error) == SINEW_OK &&
         size == again_size && memcmp(text, again, size) == 0 &&
         same_rigs(m->rig, read, seed, poses);
  sinew_text_free(text);
  sinew_text_free(again);
  return fine;
}

static void compare_tables(const sinew_component_class *a, const sinew_component_class *b) {
  MU_TEXT(b->name, a->name);
  MU_TEXT(b->doc, a->doc);
  for (int out = 0; out < 2; out++) {
    const sinew_port_desc *p = out ? a->outputs : a->inputs, *q = out ? b->outputs : b->inputs;
    for (; p->name; p++, q++) {
      MU_TEXT(q->name, p->name);
      MU_CHECK(q->kind == p->kind && q->flags == p->flags && q->fallback == p->fallback);
      MU_TEXT(q->unit, p->unit ? p->unit : "");
      MU_TEXT(q->doc, p->doc ? p->doc : "");
    }
    MU_CHECK(!q->name);
  }
  const sinew_param_desc *q = b->params;
  for (const sinew_param_desc *p = a->params; p->type != SINEW_PARAM_OBJECT; p++, q++) {
    MU_TEXT(q->name, p->name);
    MU_CHECK(q->type == p->type && q->flags == p->flags && q->min == p->min && q->max == p->max);
    MU_CHECK(memcmp(q->fallback, p->fallback, sizeof p->fallback) == 0);
    MU_TEXT(q->unit, p->unit ? p->unit : "");
    MU_TEXT(q->doc, p->doc ? p->doc : "");
    MU_TEXT(q->mirror ? q->mirror : "same", p->mirror ? p->mirror : "same");
  }
  MU_CHECK(q->type == SINEW_PARAM_OBJECT && !q[1].name);
  MU_TEXT(b->holds[0].port, a->holds[0].port);
  MU_TEXT(b->holds[0].doc, a->holds[0].doc);
  MU_CHECK(!b->holds[1].port);
}

static void keep_note(void *object) { (void)object; }

MU_TEST(a_recorded_component_computes_the_same_bits_from_xml) {
  size_t before = sinew_live_blocks();
  made m;
  MU_CHECK(make_cranks(&m));
  sinew_error_clear(&error);
  bool fine = comes_back(&m, 3, 200);
  MU_CHECK_SAY(fine, "%s", error.text);
  /* programs are found as objects too */
  char *text;
  size_t size;
  MU_INT(sinew_xml_write(m.rig, NULL, &text, &size, &error), SINEW_OK);
  MU_HAS(text, "<rig version=\"2\"");
  MU_HAS(text, "<recorded name=\"second\" kind=\"crank\">");
  /* the kind has the program of the first and the third */
  const char *first = strstr(text, "<program>");
  const char *second = first ? strstr(first + 1, "<program>") : NULL;
  MU_CHECK(second && second > strstr(text, "name=\"second\"") && !strstr(second + 1, "<program>"));
  sinew_rig *read = rig_of(text, size);
  MU_CHECK_SAY(read, "%s", error.text);
  compare_tables(&m.cls,
                 sinew_rig_component_info(read, sinew_rig_component(read, 1)).component_class);
  MU_CHECK(!sinew_rig_can_fail(read) &&
           !sinew_tangent_differenced(read, sinew_rig_component(read, 1)));
  /* parameters stay live */
  MU_CHECK(same_rigs(m.rig, read, 5, 20));
  sinew_param throw = sinew_param_number("throw", 0.9f);
  MU_INT(sinew_rig_set_param(read, sinew_rig_component(read, 1), &throw, &error), SINEW_OK);
  MU_CHECK(!same_rigs(m.rig, read, 5, 20));
  MU_INT(sinew_rig_set_param(m.rig, sinew_rig_component(m.rig, 1), &throw, &error), SINEW_OK);
  MU_CHECK(same_rigs(m.rig, read, 5, 20));
  throw = sinew_param_number("throw", 2.5f);
  MU_FAILS(sinew_rig_set_param(read, sinew_rig_component(read, 1), &throw, &error), SINEW_ERR_VALUE,
           "2.5 is outside 0 to 2");
  static const sinew_object_class note = { "note", keep_note, keep_note };
  sinew_param self = sinew_param_object("self", &note, text);
  MU_FAILS(sinew_rig_set_param(read, sinew_rig_component(read, 1), &self, &error), SINEW_ERR_TYPE,
           "its 'self' is not a program");
  sinew_rig_destroy(read);
  sinew_text_free(text);
  made_free(&m);
  MU_INT(sinew_live_blocks(), before);
}

/* --- random programs */

static bool make_graphs(made *m, uint32_t *seed, int count) {
  static const sinew_port_desc in[] = {
    { .name = "a" }, { .name = "b" }, { .name = "c" }, { .name = "d" }, { 0 }
  };
  static const sinew_port_desc out[] = { { .name = "m", .kind = SINEW_MATRIX }, { 0 } };
  static const sinew_param_desc params[] = { { .name = "list", .type = SINEW_PARAM_NUMBERS },
                                             { .name = "own", .type = SINEW_PARAM_OBJECT },
                                             { 0 } };
  *m = (made){ .cls = { .class_size = sizeof m->cls,
                        .name = "graph",
                        .inputs = in,
                        .outputs = out,
                        .params = params,
                        .size = own_size,
                        .setup = own_setup } };
  sinew_program_fill_class(&m->cls);
  sinew_builder *b = make_lines(NULL, "dof a -4 4; dof b -4 4; dof c -4 4; dof d -4 4");
  sinew_builder_add_class(b, &m->cls, &error);
  for (int i = 0; i < count; i++) {
    random_graph graph;
    float list[graph_params];
    graph_random_make(seed, &graph);
    for (int k = 0; k < graph_params; k++) list[k] = (float)graph.params[k];
    char *text = graph_text(&graph), name[16];
    graph_random_free(&graph);
    m->programs[i] = sinew_program_create(text, &error);
    si_free(text);
    if (!m->programs[i]) return false;
    snprintf(name, sizeof name, "g%d", i);
    make_part(b, MAKE_NO_SET, "graph", name, "a=a b=b c=c d=d",
              SINEW_PARAMS(sinew_param_numbers("list", list, graph_params),
                           sinew_param_object("own", &sinew_program_object, m->programs[i])));
    make_segment(b, name, NULL, 0, 0, 0);
    sinew_builder_drive(b, (sinew_segment){ (uint32_t)i + 1 }, name, NULL, &error);
  }
  m->rig = make_rig(b, NULL);
  return m->rig != NULL;
}

MU_TEST(random_programs_compute_the_same_bits_from_xml) {
  uint32_t seed = 77;
  for (int i = 0; i < mu_rounds(20); i++) {
    made m;
    bool fine = make_graphs(&m, &seed, 1 + i % 5);
    sinew_error_clear(&error);
    fine = fine && comes_back(&m, seed, 50);
    made_free(&m);
    MU_CHECK_SAY(fine, "round %d: %s", i, error.text);
  }
}

/* --- by module, by program */

static sinew_program *twice_program;
static size_t twice_size(const sinew_setup *setup) {
  return sinew_program_size(setup, twice_program);
}
static void twice_setup(sinew_setup *setup, void *data) {
  sinew_program_setup(setup, twice_program, data);
}

MU_TEST(a_class_is_written_by_module_where_a_component_has_no_program) {
  static const sinew_port_desc in[] = { { .name = "x" }, { 0 } },
                               out[] = { { .name = "y" }, { 0 } };
  sinew_component_class cls = { .class_size = sizeof cls,
                                .name = "twice",
                                .inputs = in,
                                .outputs = out,
                                .size = twice_size,
                                .setup = twice_setup };
  sinew_program_fill_class(&cls);
  twice_program =
      sinew_program_create("takes scalar\ngives scalar\ninput 0\nadd 1 1\nout 2", &error);
  sinew_builder *b = make_lines(NULL, "dof bend -90 90");
  sinew_builder_add_class(b, &cls, &error);
  make_lines(b, "twice one x=bend; twice two x=one");
  OWNED(rig) *rig = MU_MADE(make_rig(b, NULL));
  sinew_program *programs[] = { twice_program, NULL };
  const char *modules[] = { "own.twice", "own.twice" };
  sinew_xml_desc desc = sinew_default_xml_desc();
  char *text;
  size_t size;
  desc.programs = programs;
  MU_FAILS(sinew_xml_write(rig, &desc, &text, &size, &error), SINEW_ERR_NAME,
           "component 'one': its kind 'twice' is neither built in nor from a module");
  desc.modules = modules;
  MU_INT(sinew_xml_write(rig, &desc, &text, &size, &error), SINEW_OK);
  MU_HAS(text, "<rig version=\"1\"");
  MU_CHECK(strstr(text, "<script name=\"one\" module=\"own.twice\"") && !strstr(text, "kinds"));
  sinew_text_free(text);
  programs[1] = twice_program;
  MU_INT(sinew_xml_write(rig, &desc, &text, &size, &error), SINEW_OK);
  MU_CHECK(strstr(text, "<recorded name=\"two\" kind=\"twice\">") && !strstr(text, "own.twice"));
  sinew_text_free(text);
  sinew_program_release(twice_program);
}

/* two files may use one name for two kinds, and rigs do not depend on the order of their ends */
MU_TEST(kinds_of_two_files_do_not_interfere) {
  static const char format[] =
      "<rig version='2' name='r'><segments><segment name='s' driver='k.m'/></segments>"
      "<dofs><dof name='x'/></dofs><kinds><kind name='k'><input name='x' kind='scalar'/>"
      "<output name='m' kind='matrix'/><program>takes scalar\ngives matrix\ninput 0\nnumber %d\n"
      "mul 1 2\nnumber 0\nnumber 1\nout 5 4 4 4 5 4 4 4 5 3 4 4</program></kind>"
      "<kind name='unused'/></kinds><components><recorded name='k' kind='k'>"
      "<input name='x' from='x'/></recorded></components></rig>";
  size_t before = sinew_live_blocks();
  sinew_xml *xmls[2];
  sinew_rig *rigs[2];
  sinew_pose *poses[2];
  for (int i = 0; i < 2; i++) {
    char text[1024];
    int size = snprintf(text, sizeof text, format, i + 2);
    xmls[i] = MU_MADE_OR(sinew_xml_parse("t.xml", text, (size_t)size, &error), error.text);
    rigs[i] = MU_MADE_OR(sinew_builder_compile(sinew_xml_builder(xmls[i]), &error), error.text);
    poses[i] = MU_MADE(sinew_pose_create(rigs[i], &error));
  }
  sinew_xml_destroy(xmls[0]);
  for (int i = 0; i < 2; i++) {
    sinew_pose_set(poses[i], sinew_rig_dof(rigs[i], 0), 10, NULL);
    MU_INT(sinew_pose_eval(poses[i], &error), SINEW_OK);
    MU_NEAR(sinew_pose_world(poses[i], sinew_rig_segment(rigs[i], 0))[12], 10 * (i + 2), 0);
    MU_TEXT(
        sinew_rig_component_info(rigs[i], sinew_rig_component(rigs[i], 0)).component_class->name,
        "k");
    sinew_pose_destroy(poses[i]);
    sinew_rig_destroy(rigs[i]);
  }
  /* a builder keeps its classes without any component of theirs */
  sinew_builder *b = sinew_xml_take_builder(xmls[1]);
  sinew_xml_destroy(xmls[1]);
  MU_TEXT(sinew_builder_class(b, "unused")->name, "unused");
  sinew_builder_destroy(b);
  MU_INT(sinew_live_blocks(), before);
}

MU_TEST(a_rig_with_programs_loads_without_a_host) {
  MU_CHECK(scratch_open());
  made m;
  MU_CHECK(make_cranks(&m));
  MU_INT(sinew_xml_save(m.rig, NULL, scratch_path("cranks.xml"), &error), SINEW_OK);
  OWNED(rig) *read = sinew_rig_load(scratch_path("cranks.xml"), &error);
  MU_CHECK_SAY(read && same_rigs(m.rig, read, 9, 20), "%s", error.text);
  made_free(&m);
  scratch_close();
}

/* --- mistakes */

typedef struct wrong {
  const char *text, *message;
} wrong;

#define KINDS(kinds, parts)                                                                        \
  "<rig version='2' name='r'><dofs><dof name='d'/></dofs>\n<kinds>" kinds                          \
  "</kinds>\n<components>" parts "</components></rig>"
#define PROGRAM "<program>takes scalar\ngives scalar\ninput 0\nout 1</program>"
#define PORTS   "<input name='x' kind='scalar'/><output name='y' kind='scalar'/>"
#define KIND    "<kind name='spring'>" PORTS PROGRAM "</kind>"
#define WIRE    "<input name='x' from='d'/>"
#define PARAM(attributes)                                                                          \
  KINDS("<kind name='k'>" PORTS "<parameter " attributes "/>" PROGRAM "</kind>",                   \
        "<recorded kind='k'>" WIRE "</recorded>")

MU_TEST(wrong_kinds_and_programs_are_reported) {
  static const wrong all[] = {
    { KINDS(KIND, "<recorded kind='spring'>" WIRE "</recorded>"), "" },
    { KINDS(KIND "<kind name='unused'/>", ""), "" },
    { KINDS("<kind name='spring'>" PORTS "</kind>",
            "<recorded kind='spring'>" WIRE PROGRAM "</recorded>"),
      "" },
    { "<rig version='1' name='r'><kinds/></rig>",
      "t.xml:1:27: a rig with 'kinds' is of version 2, not 1" },
    { "<rig version='2' name='r'><components/><kinds/></rig>",
      "'kinds' is out of order: the order is joint_sets, segments, dofs, kinds, components" },
    { KINDS(KIND, "<recorded kind='sprong'/>"),
      "t.xml:6:13: no kind named 'sprong' in 'kinds' (did you mean 'spring'?)" },
    { KINDS("", "<recorded kind='rotation'/>"),
      "the kind 'rotation' is built in: write <rotation>" },
    { KINDS("", "<recorded/>"), "'recorded' needs the attribute 'kind'" },
    { KINDS("", "<recordd kind='k'/>"), "(did you mean 'recorded'?)" },
    { KINDS(KIND, "<script module='m' kind='spring'/>"),
      "the kind 'spring' is in 'kinds': write <recorded>" },
    { KINDS(KIND, "<recorded kind='spring' module='m'/>"), "'recorded' has no attribute 'module'" },
    { KINDS(KIND, "<recorded kind='spring'><progam/></recorded>"), "(did you mean 'program'?)" },
    { KINDS(KIND, "<recorded kind='spring'>" PROGRAM PROGRAM "</recorded>"),
      "a component has at most one program" },
    { KINDS("<kind name='k'>" PORTS "</kind>", "\n<recorded kind='k'/>"),
      "t.xml:4:1: neither the component nor its kind 'k' has a program" },
    { KINDS(KIND, "<recorded kind='spring'>\n  <program>\n    takes scalar\n    gives scalar\n"
                  "    inptu 0\n    out 1\n  </program></recorded>"),
      "t.xml:7:3: program:3: 'inptu' is no operation" },
    { KINDS(KIND, "<recorded kind='spring'><program/></recorded>"),
      "'out' with the results expected" },
    { KINDS(KIND, "<recorded kind='spring'><program a='1'/></recorded>"),
      "'program' has no attribute 'a'" },
    { KINDS(KIND, "<recorded kind='spring'><program><a/></program></recorded>"),
      "'program' has no element 'a'" },
    { KINDS(KIND, "<recorded kind='spring'>" WIRE
                  "<program>takes vector\ngives scalar\ninput 0\nout 1</program></recorded>"),
      "its program has other ports than its kind" },
    { KINDS(KIND, "<recorded kind='spring'>" WIRE
                  "<program>takes scalar\ngives scalar\nparam 0 q\nout 1</program></recorded>"),
      "its program reads number 1 of parameter 'q', which it has not" },
    { KINDS(KIND, "\n<recorded kind='spring'/>"), "t.xml:7:1: component 'spring1'" },
    { KINDS(KIND, "<recorded kind='spring'><input name='z' from='d'/></recorded>"), "'z'" },
    { KINDS(KIND, "<recorded kind='spring'><input name='x' value='1 2 3'/></recorded>"),
      "'value' of 'input' has 3 numbers, not 1" },
    { KINDS(KIND, "<recorded kind='spring'>" WIRE "<number name='q' value='1'/></recorded>"),
      "a spring has no parameter 'q'" },
    { KINDS(KIND, "<recorded kind='spring'>" WIRE "<text name='self' value='a'/></recorded>"),
      "a parameter cannot be named 'self'" },
    { KINDS(KIND "\n" KIND, ""), "t.xml:6:1: duplicate kind 'spring'" },
    { KINDS("<kind name='rotation'/>", ""), "the kind 'rotation' is built in" },
    { KINDS("<kind/>", ""), "'kind' needs the attribute 'name'" },
    { KINDS("<kind name='a.b'/>", ""), "component class 'a.b': its name has a dot" },
    { KINDS("<kind name=''/>", ""), "its name is empty" },
    { KINDS("<kind name='k'>words</kind>", ""), "unexpected text in 'kind'" },
    { KINDS("<kinds/>", ""), "(did you mean 'kind'?)" },
    { KINDS("<kind name='k'>\n<imput/></kind>", ""),
      "t.xml:3:1: 'kind' has no element 'imput' (did you mean 'input'" },
    { KINDS("<kind name='k'><output name='y' kind='scalar'/><input name='x' kind='scalar'/></kind>",
            ""),
      "'input' is out of order: a kind has inputs" },
    { KINDS("<kind name='k'>" PROGRAM PROGRAM "</kind>", ""), "has more than one program" },
    { KINDS("<kind name='k'><program>out</program></kind>", ""), "t.xml:2:23: program:2: " },
    { KINDS("<kind name='k'><input name='x'/></kind>", ""), "'input' needs the attribute 'kind'" },
    { KINDS("<kind name='k'><input name='x' kind='scalr'/></kind>", ""),
      "'input' has no kind 'scalr' (did you mean 'scalar'?)" },
    { KINDS("<kind name='k'><input name='x' kind='scalar'/><input name='x' kind='scalar'/></kind>",
            ""),
      "input 'x': is a duplicate" },
    { KINDS("<kind name='k'><input name='x' kind='scalar' default='1'/></kind>", ""),
      "input 'x': only an optional scalar has a 'default'" },
    { KINDS("<kind name='k'><input name='x' kind='vector' optional='true' default='1'/></kind>",
            ""),
      "only an optional scalar" },
    { KINDS("<kind name='k'><output name='x' kind='scalar' optional='true'/></kind>", ""),
      "'output' has no attribute 'optional'" },
    { KINDS("<kind name='k'><output name='stroke' kind='scalar'/><hold port='strok'/></kind>", ""),
      "kind 'k': no input or output named 'strok' (did you mean 'stroke'?)" },
    { PARAM("name='p' type='number' min='1' default='3'"), "" },
    { PARAM("name='p'"), "'parameter' needs the attribute 'type'" },
    { PARAM("name='p' type='numbr'"), "'parameter' has no type 'numbr' (did you mean 'number'" },
    { PARAM("name='p' type='object'"), "'parameter' has no type 'object'" },
    { PARAM("name='self' type='number'"), "a parameter cannot be named 'self'" },
    { PARAM("name='p' type='number' min='2' max='1'"), "'min' must be less than 'max'" },
    { PARAM("name='p' type='vector' default='1'"), "has 1 number, not 3" },
    { PARAM("name='p' type='curve' default='1'"), "a curve has no 'default'" },
    { PARAM("name='p' type='numbers' required='true'"), "'p'" },
  };
  for (size_t i = 0; i < sizeof all / sizeof *all; i++) {
    size_t before = sinew_live_blocks();
    sinew_error_clear(&error);
    sinew_xml *xml = sinew_xml_parse("t.xml", all[i].text, strlen(all[i].text), &error);
    if (xml) sinew_rig_destroy(sinew_builder_compile(sinew_xml_builder(xml), &error));
    sinew_xml_destroy(xml);
    MU_CHECK_SAY(strstr(error.text, all[i].message) && (*all[i].message || !*error.text),
                 "%s\n  says\n    %s\n  without\n    %s", all[i].text, error.text, all[i].message);
    MU_INT(sinew_live_blocks(), before);
  }
}

/* a short file must not need much memory */
MU_TEST(shared_programs_are_limited) {
  enum { values = 20000, components = 600 };
  static char text[values * 24 + components * 64 + 1024];
  size_t at = (size_t)snprintf(text, sizeof text,
                               "<rig version='2' name='r'><kinds><kind name='k'><input name='x' "
                               "kind='scalar'/><output name='y' kind='scalar'/><program>takes "
                               "scalar\ngives scalar\ninput 0\n");
  for (int i = 1; i < values - 1; i++)
    at += (size_t)snprintf(text + at, 40, "max 1%*d\n", i < 7000 ? 12 : 6, i);
  at +=
      (size_t)snprintf(text + at, 80, "out %d\n</program></kind></kinds><components>", values - 2);
  for (int i = 0; i < components; i++)
    at += (size_t)snprintf(text + at, 64, "<recorded kind='k'/>");
  snprintf(text + at, 64, "</components></rig>");
  sinew_error_clear(&error);
  OWNED(xml) *xml = sinew_xml_parse("t.xml", text, strlen(text), &error);
  MU_CHECK(!xml);
  MU_HAS(error.text, "the programs of all components have more than 67108864 bytes");
}

MU_TEST(what_cannot_be_written_is_refused) {
  made m;
  MU_CHECK(make_cranks(&m));
  sinew_rig_destroy(m.rig);
  m.rig = NULL;
  static const struct {
    const char *doc, *name, *message;
  } all[] = { { "\xff", "crank", "kind 'crank': a doc of it is not UTF-8" } };
  for (size_t i = 0; i < sizeof all / sizeof *all; i++) {
    sinew_component_class cls = m.cls;
    cls.doc = all[i].doc;
    static const float list[] = { 1, 2 };
    sinew_builder *b = make_lines(NULL, "dof bend -90 90; rotation turn angle=bend axis=0,1,0");
    sinew_builder_add_class(b, &cls, &error);
    OWNED(curve) *gain = make_constant(1);
    make_part(b, MAKE_NO_SET, all[i].name, "c", "angle=bend frame=turn",
              SINEW_PARAMS(sinew_param_numbers("list", list, 2), sinew_param_curve("gain", gain),
                           sinew_param_object("own", &sinew_program_object, m.programs[1])));
    OWNED(rig) *rig = MU_MADE(make_rig(b, NULL));
    char *text;
    size_t size;
    MU_FAILS(sinew_xml_write(rig, NULL, &text, &size, &error), SINEW_ERR_NAME, all[i].message);
  }
  made_free(&m);
}

/* --- memory */

static bool write_scarcely(void *context) {
  const made *m = context;
  sinew_xml_desc desc = desc_of(m);
  char *text;
  size_t size;
  if (sinew_xml_write(m->rig, &desc, &text, &size, &error) != SINEW_OK) return false;
  sinew_text_free(text);
  return true;
}

static bool read_scarcely(void *context) {
  const char *text = context;
  sinew_rig *rig = rig_of(text, strlen(text));
  sinew_rig_destroy(rig);
  return rig != NULL;
}

MU_TEST(every_failing_allocation_is_survived) {
  made m;
  MU_CHECK(make_cranks(&m));
  char *text;
  size_t size;
  MU_INT(sinew_xml_write(m.rig, NULL, &text, &size, &error), SINEW_OK);
  MU_CHECK(case_survives_failing_memory(write_scarcely, &m));
  MU_CHECK(case_survives_failing_memory(read_scarcely, text));
  sinew_text_free(text);
  made_free(&m);
}

MU_SUITE(xml_recorded)
