/* OpenSim files as files: losses are reported, mistakes name their line, hostile files do no harm,
 * memory that runs out leaks nothing; and the models that researchers use. */
#include "fuzz/fuzz_osim.h"
#include "fuzzed.h"
#include "minunit.h"
#include "osim_cases.h"
#include "owned.h"
#include "patient.h"
#include "scarce.h"
#include "scratch.h"
#include "sinew/host.h"

#include <unistd.h>

static sinew_error error;

static sinew_osim *parse(const char *text) {
  return sinew_osim_parse("a.osim", text, strlen(text), &error);
}

#define BODIES "<BodySet><objects><Body name=\"b\"/><Body name=\"c\"/></objects></BodySet>"
#define DOCUMENT(inner)                                                                            \
  "<OpenSimDocument Version=\"40000\">\n<Model name=\"m\">\n" inner "\n</Model></OpenSimDocument>"
#define PIN(name, parent, child, inner)                                                            \
  "<PinJoint name=\"" name "\"><socket_parent_frame>" parent                                       \
  "</socket_parent_frame><socket_child_frame>" child "</socket_child_frame>" inner "</PinJoint>"
#define JOINTS(inner) BODIES "\n<JointSet><objects>" inner "</objects></JointSet>"
#define AXIS(inner)                                                                                \
  JOINTS("<CustomJoint name=\"j\"><socket_parent_frame>/ground</socket_parent_frame>"              \
         "<socket_child_frame>b</socket_child_frame><SpatialTransform>"                            \
         "<TransformAxis name=\"rotation1\">" inner                                                \
         "</TransformAxis></SpatialTransform></CustomJoint>" PIN("k", "b", "c", ""))
#define OF_Q "<coordinates>q</coordinates>"

MU_TEST(osim_mistakes_are_reported_with_line_and_name) {
  static const struct {
    const char *text, *message;
  } rows[] = {
    { "", "a.osim:1:1: no element found" },
    { "<a><b></a>", "a.osim:1:9: mismatched tag" },
    { "not xml", "a.osim:1:1: syntax error" },
    { "<?xml version=\"1.0\" encoding=\"x-unknown\"?><a/>",
      "the encoding is 'x-unknown'; only UTF-8 is supported" },
    { "<a/>", "a.osim:1: not an OpenSim model: its root is <a>" },
    { "<OpenSimDocument Version=\"40000\"/>", "no <Model> element" },
    { "<OpenSimDocument>\n<Model/></OpenSimDocument>", "version '' is too old" },
    { "<OpenSimDocument Version=\"10901\"><Model/></OpenSimDocument>",
      "version '10901' is too old: save the model with OpenSim 3 or 4" },
    { DOCUMENT("<length_units>feet</length_units>"), "a.osim:3: unsupported length unit 'feet'" },
    { DOCUMENT("<BodySet><objects><Body name=\"b\"/>\n<Body name=\"b\"/></objects></BodySet>"),
      "a.osim:4: there are two bodies called 'b'" },
    { DOCUMENT(JOINTS(PIN("j", "/ground", "/bodyset/x", ""))),
      "a.osim:4: joint 'j': its child_frame '/bodyset/x' is not a frame of the model" },
    { DOCUMENT(JOINTS("<PinJoint name=\"j\"/>")), "joint 'j': its parent_frame '' is not a frame" },
    { DOCUMENT("<BodySet><objects><Body name=\"b\"><Joint><PinJoint name=\"j\">\n<parent_body>x"
               "</parent_body></PinJoint></Joint></Body></objects></BodySet>"),
      "a.osim:4: joint 'j': no body named 'x'" },
    { DOCUMENT(JOINTS(PIN("j", "f", "b",
                          "<frames><PhysicalOffsetFrame name=\"f\"><socket_parent>g"
                          "</socket_parent></PhysicalOffsetFrame><PhysicalOffsetFrame name=\"g\">"
                          "<socket_parent>../f</socket_parent></PhysicalOffsetFrame></frames>"))),
      "is its own parent" },
    { DOCUMENT(JOINTS(PIN("j", "f", "b",
                          "<frames><PhysicalOffsetFrame name=\"f\"><translation>1 2</translation>"
                          "</PhysicalOffsetFrame></frames>"))),
      "'translation' has 2 numbers, expected 3" },
    { DOCUMENT(JOINTS(PIN("j", "f", "b", "<frames><PhysicalOffsetFrame name=\"f\"/></frames>"))),
      "frame 'f' has no parent" },
    { DOCUMENT(JOINTS(PIN("j", "/ground", "b",
                          "<coordinates><Coordinate name=\"q\"><range>1 x2</range></Coordinate>"
                          "</coordinates>"))),
      "'range': 'x2' is not a finite number" },
    { DOCUMENT(JOINTS(PIN("j", "/ground", "b",
                          "<coordinates><Coordinate name=\"q\"><range>2 1</range><clamped>true"
                          "</clamped></Coordinate></coordinates>"))),
      "coordinate 'q': its range is reversed: 2 to 1" },
    { DOCUMENT(JOINTS(PIN("j", "/ground", "b",
                          "<coordinates><Coordinate name=\"q\"><clamped>yes</clamped>"
                          "</Coordinate></coordinates>"))),
      "'clamped' is 'yes', not true or false" },
    { DOCUMENT(JOINTS("<EllipsoidJoint name=\"j\"><socket_parent_frame>/ground"
                      "</socket_parent_frame><socket_child_frame>b</socket_child_frame>"
                      "</EllipsoidJoint>")),
      "joint 'j': its radii must be above 0" },
    { DOCUMENT(AXIS(OF_Q "<axis>0 0 0</axis>")), "joint 'j': the axis of 'rotation1' has no" },
    { DOCUMENT(AXIS("<coordinates>q r</coordinates>")), "has several coordinates and no function" },
    { DOCUMENT(AXIS("<coordinates>a b c d e f g</coordinates>")), "more than 6 coordinates" },
    { DOCUMENT(AXIS(OF_Q "<SimmSpline><x>0 1</x></SimmSpline>")), "a SimmSpline has no 'y'" },
    { DOCUMENT(AXIS(OF_Q "<SimmSpline><x>0 1</x><y>1 2 3</y></SimmSpline>")),
      "a SimmSpline has 2 numbers in 'x' and 3 in 'y'" },
    { DOCUMENT(AXIS(OF_Q "<SimmSpline><x>1 1</x><y>1 2</y></SimmSpline>")),
      "a SimmSpline has fewer than two points" },
    { DOCUMENT(AXIS(OF_Q "<MultiplierFunction/>")), "a MultiplierFunction has no function" },
    { DOCUMENT(AXIS(OF_Q "<PolynomialFunction><coefficients>1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16 "
                         "17 18 19 20 21 22 23 24 25 26 27 28 29 30 31 32 33</coefficients>"
                         "</PolynomialFunction>")),
      "a polynomial has more than 32 coefficients" },
    { DOCUMENT(AXIS(OF_Q "<LinearFunction><coefficients>1e39 0</coefficients></LinearFunction>")),
      "a.osim: contains a number that is too large" },
    { DOCUMENT("<ConstraintSet><objects><CoordinateCouplerConstraint name=\"k\"/></objects>"
               "</ConstraintSet>"),
      "constraint 'k' does not say which coordinates it couples" },
    { DOCUMENT(
          "<ConstraintSet><objects><CoordinateCouplerConstraint name=\"k\">"
          "<independent_coordinate_names>x</independent_coordinate_names>"
          "<dependent_coordinate_name>y</dependent_coordinate_name></CoordinateCouplerConstraint>"
          "</objects></ConstraintSet>"),
      "no coordinate named 'x'" },
    { DOCUMENT("<MarkerSet><objects><Marker name=\"M\"/></objects></MarkerSet>"),
      "marker 'M': no body or frame named ''" },
  };
  for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
    sinew_osim *osim = parse(rows[i].text);
    MU_CHECK_SAY(!osim, "row %zu is taken, expected %s", i, rows[i].message);
    MU_INT(error.count, 1);
    MU_HAS(error.text, rows[i].message);
  }
  MU_REFUSED(sinew_osim_read("/nonexistent/x.osim", &error), "/nonexistent/x.osim: cannot open: ");
}

MU_TEST(osim_losses_name_everything_that_is_left_out) {
  OWNED(osim) *osim = parse(DOCUMENT(
      "<gravity>0 -9.8 0</gravity><BodySet><objects><Body name=\"b\"><mass>2</mass>"
      "<mass_center>0 0 0</mass_center><inertia>1 1 1 0 0 0</inertia><attached_geometry>"
      "<Mesh name=\"x\"><mesh_file>femur.vtp</mesh_file></Mesh></attached_geometry>"
      "<WrapObjectSet><objects><WrapSphere name=\"w\"/></objects></WrapObjectSet></Body>"
      "<Body name=\"alone\"/></objects><groups/></BodySet>"
      "<JointSet><objects>" PIN(
          "j", "/ground", "b",
          "<coordinates><Coordinate name=\"q\"><default_speed_value>3"
          "</default_speed_value><prescribed>true</prescribed>"
          "<prescribed_function><Sine/></prescribed_function><whim>7</whim>"
          "</Coordinate></coordinates>") "<CustomJoint "
                                         "name=\"l\"><socket_parent_frame>/ground</"
                                         "socket_parent_frame>"
                                         "<socket_child_frame>b</"
                                         "socket_child_frame><SpatialTransform>"
                                         "<TransformAxis "
                                         "name=\"rotation1\"><coordinates>q</coordinates><axis>1 0 "
                                         "0</axis>"
                                         "<GCVSpline><x>0 "
                                         "1</x></GCVSpline></TransformAxis></SpatialTransform></"
                                         "CustomJoint>"
                                         "<ScrewJoint "
                                         "name=\"s\"><socket_parent_frame>b</socket_parent_frame>"
                                         "<socket_child_frame>/ground</socket_child_frame></"
                                         "ScrewJoint></objects></JointSet>"
                                         "<ForceSet><objects><Thelen2003Muscle "
                                         "name=\"a\"/><Thelen2003Muscle name=\"b\"/>"
                                         "<BushingForce name=\"c\"/></objects></ForceSet>"
                                         "<ConstraintSet><objects><PointConstraint name=\"p\"/>"
                                         "<CoordinateCouplerConstraint "
                                         "name=\"off\"><isEnforced>false</isEnforced>"
                                         "</CoordinateCouplerConstraint></objects></ConstraintSet>"
                                         "<ContactGeometrySet><objects><ContactSphere "
                                         "name=\"s\"/></objects></ContactGeometrySet>"
                                         "<ProbeSet><objects><SystemEnergyProbe "
                                         "name=\"e\"/></objects></ProbeSet>"
                                         "<ControllerSet><objects/></ControllerSet><Unheard><of>1</"
                                         "of></Unheard>"));
  MU_CHECK_SAY(osim, "%s", error.text);
  static const char *const lines[] = {
    "functions, 0 instead: GCVSpline of joint 'l', rotation1\n",
    "joints, rigid instead: ScrewJoint 's'\n",
    "bodies without a joint; placed at the origin of the ground: alone\n",
    "joints that close a loop: CustomJoint 'l', ScrewJoint 's'\n",
    "motion outside the range (not clamped); clamped here: q\n",
    "masses and dynamics: 1 gravity, 1 inertia, 1 default_speed_value\n",
    "drawing: 1 Mesh\n",
    "wrapping surfaces: 1 WrapSphere\n",
    "motion prescribed for coordinates: 1 prescribed\n",
    "forces and muscles: 2 Thelen2003Muscle, 1 BushingForce\n",
    "constraints: 1 PointConstraint, 1 CoordinateCouplerConstraint\n",
    "contact geometry: 1 ContactSphere\n",
    "probes: 1 SystemEnergyProbe\n",
    "1 whim",
    "1 Unheard",
  };
  for (size_t i = 0; i < sizeof lines / sizeof *lines; i++)
    MU_HAS(sinew_osim_losses(osim), lines[i]);
  MU_CHECK(!strstr(sinew_osim_losses(osim), "controllers"));
  MU_HAS(sinew_osim_script(osim), "--   forces and muscles: 2 Thelen2003Muscle, 1 BushingForce\n");
}

MU_TEST(osim_masses_are_those_of_the_segments) {
#define MASSIVE(name, mass, at)                                                                    \
  "<Body name=\"" name "\"><mass>" mass "</mass><mass_center>" at "</mass_center></Body>"
  OWNED(osim) *osim = parse(DOCUMENT(
      "<BodySet><objects>" MASSIVE("a", "2.5", "0 -0.2 0.1") MASSIVE("b", "-3", "0 1 0")
          MASSIVE("c", "0", "0 1 0")
              MASSIVE("d", "1", "0 0 0") "</objects></BodySet>"
                                         "<JointSet><objects>" PIN("j", "/ground", "a",
                                                                   "") "</objects></JointSet>"));
  MU_CHECK_SAY(osim, "%s", error.text);
  MU_HAS(sinew_osim_script(osim), "mass = 2.5, mass_at = { 0, -0.2, 0.1 } })");
  MU_HAS(sinew_osim_script(osim), "mass = 1 })");
  MU_HAS(sinew_osim_losses(osim), "masses and dynamics: the mass of 'b', which is negative\n");
  MU_CHECK(!strstr(sinew_osim_losses(osim), "mass_center"));
}

MU_TEST(osim_cycles_of_couplings_are_broken_and_reported) {
#define COUPLE(name, from, to)                                                                     \
  "<CoordinateCouplerConstraint name=\"" name "\"><coupled_coordinates_function><LinearFunction/>" \
  "</coupled_coordinates_function><independent_coordinate_names>" from                             \
  "</independent_coordinate_names><dependent_coordinate_name>" to                                  \
  "</dependent_coordinate_name></CoordinateCouplerConstraint>"
  OWNED(osim) *osim = parse(DOCUMENT(
      JOINTS(PIN("j", "/ground", "b", "<coordinates><Coordinate name=\"p\"/></coordinates>") PIN(
          "k", "b", "c",
          "<coordinates><Coordinate name=\"q\"/></coordinates>")) "<ConstraintSet><"
                                                                  "objects>" COUPLE("x", "p", "q")
                                                                      COUPLE("y", "q", "p")
                                                                          COUPLE("z", "q",
                                                                                 "q") "</"
                                                                                      "objects></"
                                                                                      "ConstraintS"
                                                                                      "et>"));
  MU_CHECK_SAY(osim, "%s", error.text);
  MU_HAS(sinew_osim_losses(osim), "circular couplings: that of 'p'\n");
  MU_HAS(sinew_osim_losses(osim), "constraints: 'z', a second coupling of 'q'\n");
  MU_HAS(sinew_osim_script(osim), "coordinate.q = coordinate.p -- coupled\n");
}

static bool loads(const char *text) {
  sinew_host_desc desc = patient_host_desc();
  OWNED(host) *host = sinew_host_create(&desc, &error);
  scratch_open();
  scratch_text("a.osim", text);
  bool fine = host && sinew_host_load(host, scratch_path("a.osim"), &error) >= 0;
  scratch_close();
  return fine;
}

MU_TEST(osim_names_are_quoted_shortened_and_made_unique) {
  static const char text[] = DOCUMENT(
      "<BodySet><objects><Body name=\"L5/S1\"/><Body name=\"a.b\"/><Body name=\"a_b\"/>"
      "<Body name=\"end\"/><Body name=\"sa&quot;y\\ &amp; &#10;\xc3\xa4\"/><Body name=\"\"/>"
      "<Body name=\"aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa"
      "\xc3\xa4\xc3\xa4\xc3\xa4 and more of it than any name may have, by far, and then some\"/>"
      "</objects></BodySet><JointSet><objects>" PIN("", "/ground", "L5/S1", "")
          PIN("joint", "L5/S1", "a.b", "<coordinates><Coordinate name=\"do\"/></coordinates>")
              PIN("joint", "a.b", "a_b", "<coordinates><Coordinate name=\"do\"/></coordinates>")
                  PIN("x", "a_b", "end", "") "</objects></JointSet>");
  OWNED(osim) *osim = MU_MADE_OR(parse(text), error.text);
  MU_HAS(sinew_osim_script(osim), "body[\"L5/S1\"] = rig:segment(\"L5/S1\"");
  MU_HAS(sinew_osim_script(osim), "body.a_b_2 = rig:segment(\"a_b_2\"");
  MU_HAS(sinew_osim_script(osim), "body[\"end\"] = rig:segment(\"end\"");
  MU_HAS(sinew_osim_script(osim), "rig:segment(\"sa\\\"y\\\\ & _\xc3\xa4\"");
  MU_HAS(sinew_osim_script(osim), "coordinate[\"do\"] = joint.joint_2:dof(\"do\"");
  MU_HAS(sinew_osim_script(osim), "coordinate.do_2 = joint.joint_3:dof(\"do_2\"");
  MU_HAS(sinew_osim_losses(osim), "names: body 'a.b' is 'a_b' here, body 'a_b' is 'a_b_2' here");
  MU_CHECK_SAY(loads(text), "%s", error.text);
}

MU_TEST(osim_texts_cannot_escape_comments_and_quotes) {
  static const char text[] =
      "<OpenSimDocument Version=\"40000\"><Model name=\"m&#10;error'a'&#13;error'b'\">"
      "<credits>me&#10;error'c'\n]]error'd'</credits><publications>--[[</publications>"
      "<BodySet><objects><Body name=\"b&#10;&quot;..error'e'..&quot;\"><attached_geometry><Mesh>"
      "<mesh_file>x&#10;error'f'</mesh_file></Mesh></attached_geometry></Body></objects></BodySet>"
      "<MarkerSet file=\"more&#10;error'g'.xml\"/></Model></OpenSimDocument>";
  OWNED(osim) *osim = MU_MADE_OR(parse(text), error.text);
  MU_HAS(sinew_osim_losses(osim), "files that are not read: more error'g'.xml\n");
  MU_CHECK_SAY(loads(text), "%s", error.text);
}

MU_TEST(osim_documents_with_entities_or_too_deep_are_refused) {
  static char deep[8192];
  MU_CHECK(!parse("<!DOCTYPE a [<!ENTITY b \"c\"><!ENTITY d \"&b;&b;\">]><a>&d;</a>"));
  MU_HAS(error.text, "a.osim:1:13: a document type (<!DOCTYPE>) and its entities are not allowed");
  MU_CHECK(!parse("<a>&undefined;</a>"));
  for (int i = 0; i < 100; i++) memcpy(deep + 3 * i, "<a>", 3);
  MU_REFUSED(parse(deep), "elements are more than 64 deep");
  static const char wide[] = "\xff\xfe<\0a\0/\0>\0";
  MU_REFUSED(sinew_osim_parse("a.osim", wide, sizeof wide - 1, &error),
             "a.osim:1:1: is UTF-16; only UTF-8 is supported");
  MU_REFUSED(sinew_osim_parse("a.osim", deep, ((size_t)64 << 20) + 1, &error),
             "a.osim: more than 67108864 bytes");
}

MU_TEST(osim_counts_are_bounded) {
  static char text[1 << 20];
  size_t used =
      (size_t)sprintf(text, "<OpenSimDocument Version=\"40000\"><Model><BodySet><objects>");
  for (int i = 0; i < 9000; i++) used += (size_t)sprintf(text + used, "<Body name=\"b%d\"/>", i);
  sprintf(text + used, "</objects></BodySet></Model></OpenSimDocument>");
  MU_REFUSED(parse(text), "there are more than 8192 bodies");
  /* the largest number allowed, all with the same name */
  used = (size_t)sprintf(text, "<OpenSimDocument Version=\"40000\"><Model><MarkerSet><objects>");
  for (int i = 0; i < 16384; i++)
    used += (size_t)sprintf(text + used, "<Marker name=\"m\"><body>ground</body></Marker>");
  sprintf(text + used, "</objects></MarkerSet></Model></OpenSimDocument>");
  OWNED(osim) *osim = MU_MADE_OR(parse(text), error.text);
  MU_INT(sinew_osim_marker_count(osim), 16384);
  MU_HAS(sinew_osim_markers(osim), "m_16384 = { segment = \"ground\"");
}

MU_TEST(osim_import_survives_failing_memory) {
  const char *const texts[] = { fuzz_osim_old, fuzz_osim_new };
  for (int i = 0; i < 2; i++) {
    bool done = false;
    for (long allowed = 0; !done && allowed < 2000; allowed++) {
      scarce_memory(allowed);
      sinew_osim *osim = parse(texts[i]);
      done = osim != NULL;
      bool memory = error.status == SINEW_ERR_MEMORY;
      sinew_osim_destroy(osim);
      size_t left = sinew_live_blocks();
      plenty_of_memory();
      MU_INT(left, 0);
      MU_CHECK_SAY(done || memory, "%s", error.text);
    }
    MU_CHECK(done);
  }
}

MU_TEST(osim_models_are_reloaded_when_they_are_saved) {
  static const char first[] = DOCUMENT(JOINTS(PIN("j", "/ground", "b", "")));
  static const char second[] =
      DOCUMENT(JOINTS(PIN("j", "/ground", "b", "") PIN("k", "b", "c", "")));
  sinew_host_desc desc = patient_host_desc();
  OWNED(host) *host = sinew_host_create(&desc, &error);
  scratch_open();
  scratch_text("a.osim", first);
  MU_CHECK_SAY(sinew_host_load(host, scratch_path("a.osim"), &error) == SINEW_OK, "%s", error.text);
  MU_INT(sinew_rig_dof_count(sinew_host_rig(host)), 1);
  MU_INT(sinew_host_file_count(host), 1);
  scratch_text("a.osim", second);
  sinew_host_news news = SINEW_HOST_SAME;
  for (double now = 1; now < 9 && news != SINEW_HOST_RELOADED; now += 0.5)
    news = sinew_host_poll(host, now, &error);
  MU_INT(news, SINEW_HOST_RELOADED);
  MU_INT(sinew_rig_dof_count(sinew_host_rig(host)), 2);
  scratch_text("a.osim", "<broken>");
  for (double now = 10; now < 19 && news != SINEW_HOST_FAILED; now += 0.5)
    news = sinew_host_poll(host, now, &error);
  MU_INT(news, SINEW_HOST_FAILED);
  MU_HAS(error.text, "a.osim:1:9: no element found");
  MU_INT(sinew_rig_dof_count(sinew_host_rig(host)), 2);
  scratch_close();
}

FUZZED(osim, 2000)

MU_SUITE(osim_file)
