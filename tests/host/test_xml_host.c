/* Rigs in XML in the script host: loaded instead of a script, watched with all their files, with
 * scripted components from the sandbox, and written again. */
#include "fixture.h"
#include "minunit.h"
#include "patient.h"
#include "scarce.h"
#include "scratch.h"
#include "sinew/host.h"

#include <fcntl.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

#define DOOR(middle)                                                                               \
  "<rig version='1' name='door'>\n"                                                                \
  "<joint_sets><joint_set name='hinge'/></joint_sets>\n"                                           \
  "<segments><segment name='frame'/>\n"                                                            \
  "<segment name='leaf' parent='frame' at='1 0 0' driver='hinge.swing'>" middle "</segment>\n"     \
  "</segments>\n"                                                                                  \
  "<dofs><dof name='turn' set='hinge' min='-90' max='90' label='open'/></dofs>\n"                  \
  "<components><rotation name='swing' set='hinge'><angle from='hinge.turn'/>"                      \
  "<axis value='0 1 0'/></rotation></components>\n"                                                \
  "</rig>\n"
#define SCRIPTED(module, parameters)                                                               \
  "<rig version='1' name='soft'><segments><segment name='leaf' driver='swing'><shape><solid>"      \
  "<point at='0 1 0' radius='0.1'/><part><ball points='0'/></part><place at='1 0 0'/><place/>"     \
  "</solid></shape></segment></segments>"                                                          \
  "<dofs><dof name='turn' min='-90' max='90'/></dofs><components>"                                 \
  "<script name='soft' module='" module                                                            \
  "' kind='spring'><input name='angle' from='turn'/>" parameters                                   \
  "</script><rotation name='swing'><angle from='soft'/><axis value='0 1 0'/>"                      \
  "</rotation></components></rig>"
#define SPRING(eval)                                                                               \
  "local sinew = require 'sinew'\n"                                                                \
  "return sinew.component { name = 'spring', inputs = { 'angle' }, outputs = { 'angle' },\n"       \
  "  params = { stiffness = 1 }, record = false, eval = function(self, angle) " eval " end }\n"

static sinew_host *host;
static double now;
static long ticks;
static size_t blocks_before;

static void save(const char *name, const char *text) {
  scratch_text(name, text);
  ticks += 1000;
  struct timespec times[2] = { { 1000, ticks }, { 1000, ticks } };
  utimensat(AT_FDCWD, scratch_path(name), times, 0);
}

static sinew_status load(const char *name) {
  return sinew_host_load(host, scratch_path(name), &error);
}

static int64_t load_work = 1000000;

static bool begin(void) {
  blocks_before = sinew_live_blocks();
  if (!scratch_open()) return false;
  sinew_host_desc desc = patient_host_desc();
  desc.load_seconds = desc.eval_seconds =
      600; /* instructions are the limit, not the machine's speed */
  desc.load_instructions = load_work;
  desc.eval_instructions = 1000000;
  desc.memory = 16 << 20;
  now = 100;
  host = sinew_host_create(&desc, &error);
  return host != NULL;
}

#define END()                                                                                      \
  do {                                                                                             \
    sinew_host_destroy(host);                                                                      \
    scratch_close();                                                                               \
    MU_INT(sinew_live_blocks() - blocks_before, 0);                                                \
  } while (0)

static sinew_host_news settle(void) {
  for (int i = 0; i < 40; i++) {
    now += 0.0625;
    sinew_host_news news = sinew_host_poll(host, now, &error);
    if (news == SINEW_HOST_RELOADED || news == SINEW_HOST_FAILED) return news;
  }
  return SINEW_HOST_SAME;
}

/* the sine of the leaf's angle about Y with its DOF set to `turn` */
static double leaf_sine(const char *dof, float turn) {
  const sinew_rig *rig = sinew_host_rig(host);
  sinew_pose *pose = sinew_host_pose(host);
  sinew_pose_set(pose, sinew_rig_find_dof(rig, dof, NULL), turn, NULL);
  if (sinew_host_eval(host, pose, &error) < 0) return NAN;
  return (double)sinew_pose_world(pose, sinew_rig_find_segment(rig, "leaf", NULL))[8];
}

MU_TEST(host_loads_a_rig_in_xml_and_watches_it) {
  MU_CHECK(begin());
  save("door.XML", DOOR("<shape><vertices>0 0 0 1 0 0 0 1 0</vertices><normals>0 0 1 0 0 1 0 0 1"
                        "</normals><triangles>0 1 2</triangles></shape>"));
  MU_CHECK_SAY(load("door.XML") == SINEW_OK, "%s", error.text);
  MU_NEAR(leaf_sine("hinge.turn", 30), 0.5, 1e-6);
  MU_TEXT(sinew_host_label(host, (sinew_dof){ 1 }), "open");
  sinew_shape shape = sinew_host_shape(host, (sinew_segment){ 2 });
  MU_INT(shape.vertex_count, 3);
  MU_INT(shape.triangles[2], 2);
  MU_INT(sinew_host_file_count(host), 1);
  MU_TEXT(sinew_host_file(host, 0), scratch_path("door.XML"));

  /* a mistake is reported with its position, the rig stays, and fixing the file reloads it */
  save("door.XML", "<rig version='1' name='door'>\n <segmens/></rig>");
  MU_INT(settle(), SINEW_HOST_FAILED);
  MU_HAS(error.text, "door.XML:2:2: 'rig' has no element 'segmens' (did you mean 'segments'?)");
  MU_NEAR(leaf_sine("hinge.turn", 30), 0.5, 1e-6);
  save("door.XML", DOOR("<!-- no shape -->"));
  MU_INT(settle(), SINEW_HOST_RELOADED);
  MU_INT(sinew_host_shape(host, (sinew_segment){ 2 }).vertex_count, 0);
  MU_NEAR(sinew_pose_get(sinew_host_pose(host), (sinew_dof){ 1 }), 30, 0);
  MU_FAILS(load("none.xml"), SINEW_ERR_FILE, "none.xml");
  END();
}

MU_TEST(host_loads_scripted_components_from_their_module) {
  MU_CHECK(begin());
  scratch_folder("parts");
  save("parts/spring.lua", SPRING("return angle / (1 + self.stiffness)"));
  save("soft.xml", SCRIPTED("parts.spring", "<number name='stiffness' value='2'/>"));
  MU_CHECK_SAY(load("soft.xml") == SINEW_OK, "%s", error.text);
  MU_NEAR(leaf_sine("turn", 90), 0.5, 1e-6);
  MU_INT(sinew_host_file_count(host), 2);
  /* the module is one of its files */
  save("parts/spring.lua", SPRING("return 0 * angle"));
  MU_INT(settle(), SINEW_HOST_RELOADED);
  MU_NEAR(leaf_sine("turn", 90), 0, 0);
  save("parts/spring.lua", SPRING("while true do end"));
  MU_INT(settle(), SINEW_HOST_FAILED);
  MU_HAS(error.text, "spring.lua:3: ");

  /* written, and loaded again */
  MU_INT(sinew_host_save_xml(host, scratch_path("again.xml"), false, &error), SINEW_OK);
  save("parts/spring.lua", SPRING("return angle / (1 + self.stiffness)"));
  MU_CHECK_SAY(load("again.xml") == SINEW_OK, "%s", error.text);
  MU_NEAR(leaf_sine("turn", 90), 0.5, 1e-6);
  END();
}

MU_TEST(host_refuses_bad_modules_and_modules_outside_the_folder) {
  static const struct {
    const char *module, *message;
  } cases[] = {
    { SCRIPTED("../spring", ""), "module name '../spring' is not allowed" },
    { SCRIPTED("/tmp/spring", ""), "is not allowed" },
    { SCRIPTED("", ""), "is not allowed" },
    { SCRIPTED("none", ""), "module 'none' not found" },
    { SCRIPTED("os", ""), "module 'os' not found" },
    { SCRIPTED("sinew", ""), "the module 'sinew' defines no component named 'spring'" },
    { SCRIPTED("number", ""), "the module 'number' defines no component" },
    { SCRIPTED("endless", ""), "stopped: loading took more than" },
    { SCRIPTED("broken", ""), "broken.lua:1: " },
    { SCRIPTED("fine", "<text name='stiffness' value='x'/>"),
      "parameter 'stiffness' must be a number" },
    { SCRIPTED("fine", "<number name='stifness' value='1'/>"), "(did you mean 'stiffness'?)" },
    { SCRIPTED("fine", "<text name='self' value='x'/>"), "'self'" },
    { SCRIPTED("fine", "<input name='angel' value='1'/>"), "'angel'" },
    { SCRIPTED("fine", "<input name='angle' value='1 2 3'/>"), "'angle'" },
  };
  MU_CHECK(begin());
  save("number.lua", "return 5");
  save("endless.lua", "while true do end");
  save("broken.lua", "return = 1");
  save("fine.lua", SPRING("return angle"));
  for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
    save("soft.xml", cases[i].module);
    sinew_status status = load("soft.xml");
    MU_CHECK_SAY(status < 0 && strstr(error.text, cases[i].message),
                 "case %zu says\n    %s\n  without\n    %s", i, status < 0 ? error.text : "nothing",
                 cases[i].message);
  }
  END();
}

#define FIELD                                                                                      \
  "local sinew = require 'sinew'\n"                                                                \
  "local rig = sinew.rig 'r'\n"                                                                    \
  "local dof = rig:dof('turn', { min = -90, max = 90 })\n"                                         \
  "local leaf = rig:segment('leaf', { shape = { file = 'leaf.obj' } })\n"                          \
  "local field = sinew.field { axes = { { min = -90, max = 90, resolution = 9 } },\n"              \
  "  samples = { { -10 }, { 0 }, { 20 } } }\n"                                                     \
  "leaf:drive(rig:rotation { rig:field { dof, field = field }.angle1, axis = { 0, 1, 0 } })\n"     \
  "return rig\n"

MU_TEST(host_writes_field_files_and_reads_only_from_the_folder) {
  MU_CHECK(begin());
  scratch_folder("other");
  save("leaf.obj", "v 0 0 0\nv 1 0 0\nv 0 2 0\nf 1 2 3\n");
  save("rig.lua", FIELD);
  MU_CHECK_SAY(load("rig.lua") == SINEW_OK, "%s", error.text);
  double before = leaf_sine("turn", 80);
  MU_INT(sinew_host_save_xml(host, scratch_path("rig.xml"), true, &error), SINEW_OK);
  MU_INT(sinew_host_save_xml(host, scratch_path("other/rig.xml"), false, &error), SINEW_OK);

  /* in the same folder the mesh stays a file; in another one it is embedded */
  MU_CHECK_SAY(load("rig.xml") == SINEW_OK, "%s", error.text);
  MU_NEAR(leaf_sine("turn", 80), before, 0);
  MU_INT(sinew_host_file_count(host), 3);
  MU_INT(sinew_host_shape(host, (sinew_segment){ 1 }).vertex_count, 3);
  MU_CHECK_SAY(load("other/rig.xml") == SINEW_OK, "%s", error.text);
  MU_NEAR(leaf_sine("turn", 80), before, 0);
  MU_INT(sinew_host_file_count(host), 1);
  MU_NEAR(sinew_host_shape(host, (sinew_segment){ 1 }).vertices[7], 2, 0);

  /* the files that it names are watched, and must be in its folder */
  MU_CHECK(load("rig.xml") == SINEW_OK);
  save("rig.1.field", "no field");
  MU_INT(settle(), SINEW_HOST_FAILED);
  MU_HAS(error.text, "rig.1.field");
  MU_INT(symlink("../outside.field", scratch_path("other/link.field")), 0);
  save("outside.field", "x");
  save("other/rig.xml", "<rig version='1' name='r'><dofs><dof name='d'/></dofs><components><field>"
                        "<angle from='d'/><field file='link.field'/></field></components></rig>");
  MU_CHECK(load("other/rig.xml") < 0);
  MU_HAS(error.text, "is outside of the folder");
  MU_INT(sinew_host_save_xml(host, scratch_path("no/rig.xml"), false, &error), SINEW_ERR_FILE);
  END();
}

#define BONES                                                                                      \
  "local sinew = require 'sinew'\n"                                                                \
  "local rig = sinew.rig 'r'\n"                                                                    \
  "local bone = sinew.solid { points = { { 0, 0, 0, 0.02 }, { 0, 0.0907, 0, 0.0123 },\n"           \
  "    { 0.03, 0.05, 0, 0.01, 0.014, 0.018, 0, 20, 0 } },\n"                                       \
  "  parts = { { k = 4.5, { kind = 'tube', 1, 2 } }, { cut = true, { kind = 'drum', 3 } } },\n"    \
  "  cell = 2, scale = 0.001 }\n"                                                                  \
  "rig:segment('right', { shape = { solid = bone } })\n"                                           \
  "rig:segment('left', { shape = { solid = bone:mirrored() } })\n"                                 \
  "local both = sinew.solid.merge { bone, bone:placed(sinew.mat4.translation { 0, 1, 0 }) }\n"     \
  "rig:segment('both', { shape = { solid = both } })\n"                                            \
  "rig:segment 'none'\n"                                                                           \
  "return rig\n"

MU_TEST(host_writes_and_reads_solids_as_they_are) {
  enum { count = 4 };
  uint64_t hashes[count] = { 0 };
  load_work = 10000000; /* meshes are made within it as well */
  MU_CHECK(begin());
  load_work = 1000000;
  save("rig.lua", BONES);
  MU_CHECK_SAY(load("rig.lua") == SINEW_OK, "%s", error.text);
  for (uint32_t i = 0; i < count - 1; i++)
    hashes[i] = sinew_solid_hash(sinew_host_solid(host, (sinew_segment){ i + 1 }));
  MU_INT(sinew_host_save_xml(host, scratch_path("rig.xml"), false, &error), SINEW_OK);
  struct stat file;
  MU_CHECK(stat(scratch_path("rig.xml"), &file) == 0 && file.st_size < 2500);
  MU_CHECK_SAY(load("rig.xml") == SINEW_OK, "%s", error.text);
  for (uint32_t i = 0; i < count - 1; i++)
    MU_CHECK(sinew_solid_hash(sinew_host_solid(host, (sinew_segment){ i + 1 })) == hashes[i]);
  MU_CHECK(!sinew_host_solid(host, (sinew_segment){ count }));
  MU_CHECK(sinew_host_shape(host, (sinew_segment){ 2 }).triangle_count > 100);
  /* both sides share what they are made of, so its mesh is made once */
  MU_CHECK(sinew_solid_piece(sinew_host_solid(host, (sinew_segment){ 1 }), 0, NULL).points ==
           sinew_solid_piece(sinew_host_solid(host, (sinew_segment){ 2 }), 0, NULL).points);
  /* without Lua */
  OWNED(xml) *xml = MU_MADE_OR(sinew_xml_load(scratch_path("rig.xml"), &error), error.text);
  MU_CHECK(sinew_solid_hash(sinew_xml_shape_of(xml, (sinew_segment){ 3 }).solid) == hashes[2]);
  save("wrong.xml", DOOR("<shape><solid>\n<points/></solid></shape>"));
  MU_REFUSED(load("wrong.xml") >= 0, "wrong.xml:5:1: 'solid' has no element 'points'");
  sinew_xml_destroy(xml);
  xml = NULL;
  END();
}

/* a small file that becomes many primitives */
MU_TEST(host_counts_the_work_that_solids_in_xml_make) {
  MU_CHECK(begin());
  size_t used = 0;
  char *text = malloc(1 << 20);
  used += (size_t)sprintf(text, "<rig version='1' name='r'><segments>");
  for (int i = 0; i < 60; i++) {
    used += (size_t)sprintf(text + used,
                            "<segment name='%d'><shape><solid cell='%d'><point at='0 0 0' "
                            "radius='1'/><point at='1 0 0'/><point at='0 1 0'/><part smooth='3'>",
                            i, i + 1);
    for (int k = 0; k < 120; k++) used += (size_t)sprintf(text + used, "<wedge points='0 1 2'/>");
    used += (size_t)sprintf(text + used, "</part></solid></shape></segment>");
  }
  used += (size_t)sprintf(text + used, "</segments></rig>");
  scratch_write("big.xml", text, used);
  free(text);
  sinew_status status = load("big.xml");
  MU_CHECK_SAY(status < 0 && strstr(error.text, "took more than 1000000 instr"), "%s", error.text);
  END();
}

MU_TEST(hosted_script_can_read_xml_but_not_write_it) {
  MU_CHECK(begin());
  scratch_folder("sub");
  save("sub/door.xml", DOOR("<shape file='leaf.obj'/>"));
  save("sub/leaf.obj", "v 0 0 0\nv 1 0 0\nv 0 2 0\nf 1 2 3\n");
  save("rig.lua", "local rig = assert(require 'sinew'.load_xml 'sub/door.xml')\n"
                  "assert(rig:xml():find 'sub/leaf.obj') return rig");
  MU_CHECK_SAY(load("rig.lua") == SINEW_OK, "%s", error.text);
  MU_INT(sinew_host_file_count(host), 3);
  MU_NEAR(leaf_sine("hinge.turn", 30), 0.5, 1e-6);
  save("rig.lua", "return require 'sinew'.load_xml '../door.xml'");
  MU_CHECK(load("rig.lua") < 0);
  MU_HAS(error.text, "is not allowed");
  save("rig.lua", "local rig = require 'sinew'.rig 'r' rig:save_xml 'out.xml' return rig");
  MU_CHECK(load("rig.lua") < 0);
  MU_HAS(error.text, "a hosted script cannot access files");
  MU_CHECK(access(scratch_path("out.xml"), F_OK) != 0);
  save("rig.lua", "return assert(require 'sinew'.parse_xml('<rig/>', 'own'))");
  MU_CHECK(load("rig.lua") < 0);
  MU_HAS(error.text, "own:1:1: 'rig' needs the attribute 'version'");
  END();
}

MU_TEST(host_refuses_to_save_a_kind_without_a_module) {
  MU_CHECK(begin());
  save("rig.lua", "local sinew = require 'sinew'\n"
                  "local Own = sinew.component { name = 'own', inputs = { 'a' }, outputs = { 'a' },"
                  " record = false, eval = function(_, a) return a end }\n"
                  "local rig = sinew.rig 'r'\nrig:add(Own { rig:dof 'd', name = 'mine' })\n"
                  "return rig");
  MU_INT(load("rig.lua"), SINEW_OK);
  MU_CHECK(sinew_host_save_xml(host, scratch_path("rig.xml"), false, &error) < 0);
  MU_HAS(error.text, "component 'mine': its kind 'own' is not defined in a module");
  MU_HAS(error.text, "move its sinew.component { ... } to a Lua file of its own");
  MU_CHECK(access(scratch_path("rig.xml"), F_OK) != 0);
  END();
}

MU_TEST(host_refuses_large_and_hostile_xml) {
  MU_CHECK(begin());
  save("good.xml", DOOR(""));
  MU_INT(load("good.xml"), SINEW_OK);
  /* a valid file that needs far more than the script's memory */
  size_t room = 6 << 20, used;
  char *text = malloc(room + 256);
  used = (size_t)sprintf(text, "<rig version='1' name='r'><segments><segment name='a'><shape>"
                               "<vertices>");
  while (used < room) used += (size_t)sprintf(text + used, "1 2 3 ");
  used += (size_t)sprintf(text + used, "</vertices><normals/><triangles/></shape></segment>"
                                       "</segments></rig>");
  scratch_write("big.xml", text, used);
  free(text);
  sinew_status status = load("big.xml");
  MU_CHECK_SAY(status < 0 && strstr(error.text, "memory"), "%s", error.text);
  save("bomb.xml", "<!DOCTYPE a [<!ENTITY b 'c'>]><rig/>");
  MU_CHECK(load("bomb.xml") < 0);
  MU_HAS(error.text, "bomb.xml:1:13: a document type (<!DOCTYPE>)");
  MU_TEXT(sinew_rig_name(sinew_host_rig(host)), "door");
  END();
}

MU_TEST(host_survives_every_failing_allocation_with_xml) {
  size_t before = sinew_live_blocks();
  MU_CHECK(scratch_open());
  save("spring.lua", SPRING("return angle"));
  save("rig.xml", SCRIPTED("spring", "<number name='stiffness' value='2'/>"));
  sinew_host_desc desc = patient_host_desc();
  bool done =
      patient_host_survives(&desc, scratch_path("rig.xml"), scratch_path("out.xml"), &error);
  scratch_close();
  MU_CHECK_SAY(done, "%s", error.text);
  MU_INT(sinew_live_blocks() - before, 0);
}

MU_SUITE(xml_host)
