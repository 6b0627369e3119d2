/* Wrong and hostile XML files: each is refused with its position and the nearest correct name, and
 * nothing leaks. */
#include "sinew/xml.h"

#include "fuzz/fuzz_xml.h"
#include "fuzzed.h"
#include "interchange/xml_tree.h"
#include "minunit.h"
#include "owned.h"

#include <stdlib.h>

static sinew_error error;

/* the message of parsing and compiling a text; "" if both succeed */
static const char *told(const char *text, size_t size) {
  size_t before = sinew_live_blocks();
  sinew_xml *xml = sinew_xml_parse("t.xml", text, size, &error);
  if (xml) {
    OWNED(rig) *rig = sinew_builder_compile(sinew_xml_builder(xml), &error);
    if (rig) sinew_error_clear(&error);
    sinew_xml_destroy(xml);
  }
  return sinew_live_blocks() == before ? error.text : "it leaks";
}

typedef struct wrong {
  const char *text, *message;
} wrong;

#define RIG(inside) "<rig version='1' name='r'>" inside "</rig>"
#define PARTS(inside)                                                                              \
  RIG("<segments><segment name='a'/></segments><dofs><dof name='d'/></dofs><components>" inside    \
      "</components>")
#define SHAPE(inside)                                                                              \
  RIG("<segments><segment name='a'><shape>" inside "</shape></segment></segments>")

static void check_all(const wrong *all, size_t count) {
  for (size_t i = 0; i < count; i++) {
    const char *message = told(all[i].text, strlen(all[i].text));
    MU_CHECK_SAY(strstr(message, all[i].message), "%s\n  says\n    %s\n  without\n    %s",
                 all[i].text, message, all[i].message);
  }
}

MU_TEST(a_plain_rig_is_accepted) {
  const char *text =
      PARTS("<map name='m'><x from='d'/><curve name='y' kind='linear'>0 0 1 1"
            "</curve></map><rotation><angle from='m'/><axis value='0 1 0'/></rotation>");
  MU_TEXT(told(text, strlen(text)), "");
  const char *commented = "\xef\xbb\xbf<?xml version='1.0' encoding='utf-8'?>\n<!-- a -->\n"
                          "<rig version='1' name='r' length='m' angle='deg' "
                          "xmlns:xsi='http://www.w3.org/2001/XMLSchema-instance' "
                          "xsi:noNamespaceSchemaLocation='sinew.xsd'><?own pi?><segments>"
                          "<!-- b --><segment name='a&#x20;&amp;'/></segments></rig>\n";
  MU_TEXT(told(commented, strlen(commented)), "");
}

MU_TEST(unknown_names_are_reported_with_the_nearest) {
  static const wrong all[] = {
    { "<rigg/>", "t.xml:1:1: not a rig: the root element is 'rigg', expected 'rig'" },
    { "<rig name='r'/>", "t.xml:1:1: 'rig' needs the attribute 'version'" },
    { "<rig version='1'/>", "'rig' needs the attribute 'name'" },
    { "<rig version='3' name='r'/>",
      "unsupported rig version 3; this program reads versions 1 to 2" },
    { "<rig version='0' name='r'/>", "unsupported rig version 0" },
    { "<rig version='01' name='r'/>", "version 01" },
    { "<rig version='1' name='r' lenght='m'/>",
      "'rig' has no attribute 'lenght' (did you mean 'length'?)" },
    { "<rig version='1' name='r' length='cm'/>", "'length' is 'cm'; only 'm' is supported" },
    { "<rig version='1' name='r' angle='rad'/>", "'angle' is 'rad'; only 'deg' is supported" },
    { RIG("\n  <segment/>"),
      "t.xml:2:3: 'rig' has no element 'segment' (did you mean 'segments'?)" },
    { RIG("<segments/><segments/>"), "'segments' is out of order" },
    { RIG("<dofs/><segments/>"), "'segments' is out of order: the order is joint_sets" },
    { RIG("words"), "unexpected text in 'rig'" },
    { RIG("<segments>words</segments>"), "unexpected text in 'segments'" },
    { RIG("<segments><bone/></segments>"), "'segments' has no element 'bone'" },
    { RIG("<segments><segment/></segments>"), "'segment' needs the attribute 'name'" },
    { RIG("<segments><segment name='a' parnt='b'/></segments>"), "(did you mean 'parent'?)" },
    { RIG("<segments><segment name='a'><shap/></segment></segments>"),
      "'segment' has no element 'shap' (did you mean 'shape'?)" },
    { RIG("<segments><segment name='a' parent='b'/></segments>"),
      "t.xml:1:37: segment 'a': no segment named 'b'" },
    { RIG("<segments><segment name='a' driver='b.c'/></segments>"), "t.xml:1:37: " },
    { RIG("<segments><segment name='a'/><segment name='a'/></segments>"), "t.xml:1:56: " },
    { RIG("<joint_sets><joint_set name='knee'/></joint_sets><dofs><dof name='d' "
          "set='kne'/></dofs>"),
      "'dof': no joint set named 'kne' (did you mean 'knee'?)" },
    { RIG("<joint_sets><joint_set name='a.b'/></joint_sets>"), "has a dot" },
    { PARTS("<rotaton/>"), "unknown kind of component 'rotaton' (did you mean 'rotation'?)" },
    { PARTS("<rotation><axiss value='0 1 0'/></rotation>"),
      "'rotation' has no element 'axiss' (did you mean 'axis'?)" },
    { PARTS("<rotation><axis valeu='0 1 0'/></rotation>"), "(did you mean 'value'?)" },
    { PARTS("<rotation><angle form='d'/></rotation>"), "(did you mean 'from'?)" },
    { PARTS("<rotation><angle from='e'/><axis value='0 1 0'/></rotation>"), "'e'" },
    { PARTS("<map><x from='d'/><curve name='y' kind='liner'>0 0 1 1</curve></map>"),
      "'curve' has no kind 'liner' (did you mean 'linear'?)" },
    { PARTS("<map><x from='d'/><curve name='y' kind='linear' outside='clam'>0 0 1 1</curve></map>"),
      "(did you mean 'clamp'?)" },
    { PARTS("<map><x from='d'/><curve name='y' kind='linear' outside='default'>0 0 1 1</curve>"
            "</map>"),
      "'curve' has no outside 'default'" },
    { PARTS("<script name='s'/>"), "'script' needs the attribute 'module'" },
    { PARTS("<script module='m'/>"), "'script' needs the attribute 'kind'" },
    { PARTS("<script module='m' kind='rotation'/>"), "the kind 'rotation' is built in" },
    { PARTS("<script module='m' kind='k'><numbr name='n' value='1'/></script>"),
      "(did you mean 'number'" },
    { PARTS("<script module='m' kind='k'><number value='1'/></script>"),
      "needs the attribute 'name'" },
    { PARTS("<script module='m' kind='k'/>"), "t.xml:1:" },
  };
  check_all(all, sizeof all / sizeof *all);
}

MU_TEST(wrong_values_are_reported) {
  static const wrong all[] = {
    { RIG("<segments><segment name='a' at='1 2'/></segments>"),
      "'at' of 'segment' has 2 numbers, not 3" },
    { RIG("<segments><segment name='a' at='1 2 3 4'/></segments>"), "more than 3 numbers" },
    { RIG("<segments><segment name='a' at=''/></segments>"), "'at' of 'segment' has no numbers" },
    { RIG("<segments><segment name='a' at='1 2 3' rest='1'/></segments>"), "not both" },
    { RIG("<segments><segment name='a' at='1 nan 3'/></segments>"),
      "number 2 of 'at' of 'segment' ('nan') is not a number" },
    { RIG("<segments><segment name='a' at='1 2 inf'/></segments>"), "('inf') is not a number" },
    { RIG("<segments><segment name='a' at='1 2 1e39'/></segments>"),
      "('1e39') is too large for a float" },
    { RIG("<segments><segment name='a' at='1 2 -1e999999999'/></segments>"), "too large" },
    { RIG("<segments><segment name='a' at='0x1 2 3'/></segments>"), "('0x1') is not a number" },
    { RIG("<segments><segment name='a' at='1,2,3'/></segments>"), "('1,2,3') is not a number" },
    { RIG("<segments><segment name='a' rest='2 0 0 0 0 2 0 0 0 0 2 0 0 0 0 1'/></segments>"),
      "segment 'a'" },
    { RIG("<segments><segment name='a' mass='-1'/></segments>"),
      "segment 'a': its mass -1 must not be negative" },
    { RIG("<segments><segment name='a' mass_at='0 1 0'/></segments>"),
      "t.xml:1:37: 'mass_at' of 'segment' needs a 'mass'" },
    { RIG("<segments><segment name='a' mass='1' mass_at='0 1'/></segments>"), "not 3" },
    { RIG("<segments><segment name='a' mas='1'/></segments>"), "(did you mean 'mass'" },
    { RIG("<dofs><dof name='d' stiffness='-2'/></dofs>"),
      "DOF 'd': its stiffness -2 must be finite and above 0" },
    { RIG("<dofs><dof name='d' stifness='2'/></dofs>"), "(did you mean 'stiffness'?)" },
    { RIG("<dofs><dof name='d' min='1' max='-1'/></dofs>"), "t.xml:1:33: " },
    { RIG("<dofs><dof name='d' min=''/></dofs>"), "has no numbers" },
    { RIG("<dofs><dof name='d'>x</dof></dofs>"), "unexpected text in 'dof'" },
    { PARTS("<rotation><axis/></rotation>"), "'axis' needs the attribute 'value'" },
    { PARTS("<rotation><axis value='0 1'/></rotation>"), "has 2 numbers, not 3" },
    { PARTS("<rotation><axis value='0 0 0'/><angle from='d'/></rotation>"), "axis" },
    { PARTS("<rotation><angle from='d' value='1'/></rotation>"), "give 'from' or 'value'" },
    { PARTS("<rotation><angle/></rotation>"), "'angle' needs 'from' or 'value'" },
    { PARTS("<rotation><angle value='1 2 3'/></rotation>"), "has 3 numbers, not 1" },
    { PARTS("<rotation><angle from='d'/><axis value='1 0 0'/><angles>1 x</angles></rotation>"),
      "number 2 of the list 'angles' ('x') is not a number" },
    { PARTS("<rotation><angle from='d'/><axis value='1 0 0'/><centres>1 2</centres></rotation>"),
      "'centres' has 2 numbers, not a multiple of 3" },
    { PARTS("<cone><provisional value='yes'/></cone>"), "is 'yes', not true or false" },
    { PARTS("<slide><orientation>1 2 3</orientation></slide>"), "not a multiple of 16" },
    { PARTS("<slide><orientation/></slide>"), "'orientation' has 0 numbers, not 16" },
    { PARTS("<map><x from='d'/><curve name='y' kind='linear'>0 0 1</curve></map>"),
      "'curve' has 3 numbers, not a multiple of 2" },
    { PARTS("<map><x from='d'/><curve name='y' kind='spline'>1 0 0 0</curve></map>"), "t.xml:1:" },
    { PARTS("<map><x from='d'/><curve name='y' kind='linear'>0 0<b/></curve></map>"),
      "'curve' has no element 'b'" },
    { PARTS("<field><angle from='d'/><field>****</field></field>"), "is not base64" },
    { PARTS("<field><angle from='d'/><field>QUJ</field></field>"), "is incomplete" },
    { PARTS("<field><angle from='d'/><field>QUJD</field></field>"), "t.xml:1:" },
    { PARTS("<field><angle from='d'/><field file='../x.field'/></field>"),
      "the file name '../x.field' is not allowed" },
    { PARTS("<field><angle from='d'/><field file='/etc/passwd'/></field>"), "is not allowed" },
    { PARTS("<field><angle from='d'/><field file='a/./b'/></field>"), "is not allowed" },
    { PARTS("<field><angle from='d'/><field file='a\\b'/></field>"), "is not allowed" },
    { PARTS("<field><angle from='d'/><field file='x.field'>QUJD</field></field>"),
      "unexpected text" },
    { PARTS("<field><angle from='d'/><field file='x.field'/></field>"), "no object is given" },
    { SHAPE(""), "a shape has 'vertices', 'normals' and 'triangles'" },
    { SHAPE("<vertices>0 0 0</vertices><normals>0 0 1</normals>"), "in this order" },
    { SHAPE("<normals/><vertices/><triangles/>"), "in this order" },
    { SHAPE("<vertices>0 0 0</vertices><normals/><triangles/>"), "1 vertices but 0 normals" },
    { SHAPE("<vertices>0 0 0</vertices><normals>0 0 1</normals><triangles>0 0 1</triangles>"),
      "number 3 of the list 'triangles' ('1') is not the index of a vertex" },
    { SHAPE("<vertices>0 0 0</vertices><normals>0 0 1</normals><triangles>0 0 -1</triangles>"),
      "is not a whole number" },
    { SHAPE("<vertices>0 0 0</vertices><normals>0 0 1</normals>"
            "<triangles>0 0 99999999999999999999</triangles>"),
      "is not the index of a vertex" },
    { SHAPE("<vertices/><normals/><triangles/><more/>"), "unexpected 'more'" },
    { RIG("<segments><segment name='a'><shape mirrored='true'><vertices/><normals/><triangles/>"
          "</shape></segment></segments>"),
      "only a shape in a file can be mirrored" },
    { RIG("<segments><segment name='a'><shape file='..'/></segment></segments>"), "not allowed" },
  };
  check_all(all, sizeof all / sizeof *all);
}

#define SOLID(inside) SHAPE("<solid>" inside "</solid>")
#define POINT         "<point at='0 0 0' radius='1'/>"
#define BALL          "<part><ball points='0'/></part>"
#define PART(inside)  SOLID(POINT "\n<point at='0 0 3'/><part>" inside "</part>")

MU_TEST(wrong_solids_are_reported) {
  static const wrong all[] = {
    { SOLID(""), "t.xml:1:62: solid: there is no part that adds anything" },
    { SOLID(POINT), "no part that adds anything" },
    { SOLID(BALL), "number 1 of 'points' of 'ball' ('0') is not the index of a point" },
    { SOLID(POINT "<part cut='true'><ball points='0'/></part>"), "no part that adds anything" },
    { SOLID(POINT BALL "words"), "unexpected text in 'solid'" },
    { SOLID(POINT "<part>words</part>"), "unexpected text in 'part'" },
    { SOLID(POINT BALL "<points/>"), "'solid' has no element 'points' (did you mean 'point'?)" },
    { SOLID(BALL POINT), "'point' is out of order: a solid has points, then parts, then places" },
    { SOLID(POINT "<place/>" BALL), "'part' is out of order" },
    { SOLID("<point/>" BALL), "'point' needs the attribute 'at'" },
    { SOLID("<point at='0 0'/>" BALL), "'at' of 'point' has 2 numbers, not 3" },
    { SOLID("<point at='0 0 0' raduis='1'/>"), "(did you mean 'radius'?)" },
    { SOLID("<point at='0 0 0' radius='-1'/>" BALL), "solid: point 1 has a number out of range" },
    { SOLID("<point at='0 1e9 0'/>" BALL), "solid: point 1 has a number out of range" },
    { SOLID("<point at='0 nan 0'/>" BALL), "('nan') is not a number" },
    { SOLID("<point at='0 0 0'><a/></point>" BALL), "'point' has no element 'a'" },
    { SOLID(POINT "<part/>"), "solid: part 1 has no elements" },
    { SOLID(POINT "<part blend='-1'><ball points='0'/></part>"), "a blend of 0 or more" },
    { SOLID(POINT "<part smooth='4'><ball points='0'/></part>"), "smooth is 0 to 3" },
    { SOLID(POINT "<part smooth='1.5'><ball points='0'/></part>"), "smooth is 0 to 3" },
    { SOLID(POINT "<part smooth='1e30'><ball points='0'/></part>"), "smooth is 0 to 3" },
    { SOLID(POINT "<part cut='yes'><ball points='0'/></part>"), "is 'yes', not true or false" },
    { PART("<bal points='0'/>"), "t.xml:2:26: 'part' has no element 'bal' (did you mean 'ball'?)" },
    { PART("<ball/>"), "'ball' needs the attribute 'points'" },
    { PART("<ball points=''/>"), "t.xml:2:26: solid: element 1 has 0 points" },
    { PART("<ball points='0 1'/>"), "solid: element 1 has 2 points" },
    { PART("<ball points='0'/><cone points='0'/>"), "t.xml:2:44: solid: element 2 has 1 points" },
    { PART("<wedge points='0 1'/>"), "has 2 points" },
    { PART("<tube points='0'/>"), "has 1 points" },
    { PART("<cone points='0 2'/>"),
      "number 2 of 'points' of 'cone' ('2') is not the index of a point" },
    { PART("<cone points='0 99999999999999999999'/>"), "is not the index of a point" },
    { PART("<cone points='0 -1'/>"), "('-1') is not a whole number" },
    { PART("<cone points='0 1.0'/>"), "('1.0') is not a whole number" },
    { PART("<cone points='0,1'/>"), "('0,1') is not a whole number" },
    { PART("<cone points='0 1' flat='2'/>"), "'cone' has no attribute 'flat'" },
    { PART("<tube points='0 1' flat='-2'/>"), "element 1 has a number out of range" },
    { PART("<tube points='0 1' flat='2' across='1 0'/>"), "has 2 numbers, not 3" },
    { PART("<drum points='0'/>"), "'drum' needs the attribute 'radii'" },
    { PART("<drum points='0' radii='1 2 0'/>"), "element 1 needs positive radii" },
    { PART("<ellipsoid points='0' radii='1 2 3' turn='0'/>"), "has 1 number, not 3" },
    { PART("<ball points='0'>1</ball>"), "unexpected text in 'ball'" },
    { PART("<ball points='0'><ball points='0'/></ball>"), "'ball' has no element 'ball'" },
    { SOLID(POINT BALL "<place at='0 1'/>"), "'at' of 'place' has 2 numbers, not 3" },
    { SOLID(POINT BALL "<place matrix='1 0 0'/>"), "'matrix' of 'place' has 3 numbers, not 16" },
    { SOLID(POINT BALL "<place matrix='1' at='0 0 0'/>"), "give 'matrix' or 'at', not both" },
    { SOLID(POINT BALL "<place matrix='1 0 0 0 0 0 0 0 0 0 1 0 0 0 0 1'/>"), "has no inverse" },
    { SOLID(POINT BALL "<place at='1e9 0 0'/>"), "has no inverse" },
    { SOLID(POINT BALL "<place to='1'/>"), "'place' has no attribute 'to'" },
    { SHAPE("<solid cel='1'>" POINT BALL "</solid>"), "(did you mean 'cell'?)" },
    { SHAPE("<solid cell='-1'>" POINT BALL "</solid>"), "fold and cell are lengths of 0 or more" },
    { SHAPE("<solid mirror='x'>" POINT BALL "</solid>"), "'mirror' of 'solid' is 'x'" },
    { SHAPE("<solid>" POINT BALL "</solid><vertices/>"), "unexpected 'vertices' in a shape of" },
    { SHAPE("<solid>" POINT BALL "</solid>words"), "unexpected text in 'shape'" },
    { SHAPE("<vertices/><solid/>"), "in this order, or 'solid' elements" },
    { SHAPE("<vertices/><normals/><triangles/><solid/>"), "unexpected 'solid' in a shape" },
    { RIG("<segments><segment name='a'><shape file='a.obj'><solid>" POINT BALL "</solid></shape>"
          "</segment></segments>"),
      "'shape' has no element 'solid'" },
    { RIG("<segments><segment name='a'><shape mirrored='true'><solid>" POINT BALL "</solid></shape>"
          "</segment></segments>"),
      "only a shape in a file can be mirrored" },
  };
  static const char good[] = PART("<cone points='0 1'/>");
  MU_TEXT(told(good, strlen(good)), "");
  check_all(all, sizeof all / sizeof *all);
}

MU_TEST(malformed_xml_is_reported_with_line_and_column) {
  static const wrong all[] = {
    { "", "t.xml:1:1: no element found" },
    { "plain words", "t.xml:1:1: syntax error" },
    { "<rig version='1' name='r'>\n<segments>", "t.xml:2:11: no element found" },
    { "<rig version='1' name='r'>\n  <segments></dofs></rig>", "t.xml:2:15: mismatched tag" },
    { "<rig version='1' version='1' name='r'/>", "duplicate attribute" },
    { "<rig version='1' name='r'/><rig/>", "junk after document element" },
    { "<rig version='1' name='&undefined;'/>", "undefined entity" },
    { "<rig version='1' name='\x01'/>", "not well-formed" },
    { "<rig version='1' name='\xff'/>", "not well-formed" },
    { "<rig version='1' name='\xc0\x80'/>", "not well-formed" },
    { "\xff\xfe<\x00r\x00", "t.xml:1:1: is UTF-16; only UTF-8 is supported" },
    { "<?xml version='1.0' encoding='ISO-8859-1'?><rig version='1' name='\xe9'/>",
      "the encoding is 'ISO-8859-1'; only UTF-8 is supported" },
    { "<?xml version='1.0' encoding='UTF-16'?><rig/>", "the encoding is 'UTF-16'" },
    { "<?xml version='1.1'?><rig/>", "t.xml:1:" },
    { "<a xmlns='urn:x'/>", "not a rig" },
  };
  check_all(all, sizeof all / sizeof *all);
  MU_HAS(told("<rig version='1' name='\0'/>", 26), "not well-formed");
}

MU_TEST(entities_and_document_types_are_refused) {
  static const wrong all[] = {
    { "<!DOCTYPE rig><rig version='1' name='r'/>", "a document type (<!DOCTYPE>)" },
    { "<!DOCTYPE rig SYSTEM 'file:///etc/passwd'><rig/>", "a document type" },
    { "<!DOCTYPE rig [<!ENTITY a 'b'>]><rig version='1' name='&a;'/>", "a document type" },
    { "<!DOCTYPE rig [<!ENTITY x SYSTEM 'file:///etc/passwd'>]><rig>&x;</rig>", "a document type" },
    { "<!DOCTYPE rig [<!ENTITY % p SYSTEM 'http://x/'>%p;]><rig/>", "a document type" },
    { "<!DOCTYPE lolz [<!ENTITY a 'lol'><!ENTITY b '&a;&a;&a;&a;&a;&a;&a;&a;&a;&a;'>"
      "<!ENTITY c '&b;&b;&b;&b;&b;&b;&b;&b;&b;&b;'><!ENTITY d '&c;&c;&c;&c;&c;&c;&c;&c;&c;&c;'>]>"
      "<rig version='1' name='&d;'/>",
      "a document type" },
  };
  check_all(all, sizeof all / sizeof *all);
}

/* --- sizes */

/* `head`, then `count` times `piece`, then `tail` */
static char *repeated(const char *head, const char *piece, size_t count, const char *tail,
                      size_t *size) {
  size_t length = strlen(piece);
  char *text = malloc(strlen(head) + count * length + strlen(tail) + 1), *at = text;
  at += sprintf(at, "%s", head);
  for (size_t i = 0; i < count; i++, at += length) memcpy(at, piece, length);
  at += sprintf(at, "%s", tail);
  *size = (size_t)(at - text);
  return text;
}

static bool refused(const char *head, const char *piece, size_t count, const char *tail,
                    const char *message) {
  size_t size;
  FREED char *text = repeated(head, piece, count, tail, &size);
  const char *said = told(text, size);
  bool fine = strstr(said, message) != NULL;
  if (!fine) mu_fail(__FILE__, __LINE__, "says '%.200s' without '%s'", said, message);
  return fine;
}

MU_SLOW_TEST(depth_counts_and_sizes_are_bounded) {
  const char *open = "<rig version='1' name='r'>";
  MU_CHECK(refused("", "<a>", 100000, "", "elements are more than 64 deep"));
  MU_CHECK(refused(open, "<a/>", 2100000, "</rig>", "there are more than 2097152 elements"));
  MU_CHECK(refused("<rig version='1' name='r'><segments>", "<segment name='a'/>", 262145,
                   "</segments></rig>", "there are 262145 segments, more than 262144"));
  MU_CHECK(refused("<rig version='1' name='r'><components><multiply>", "<matrix from='a'/>", 262145,
                   "</multiply></components></rig>", "there are more than 262144 wires"));
  MU_CHECK(refused("<rig version='1' name='r'><components><map>",
                   "<curve name='a' kind='constant'>1</curve>", 513, "</map></components></rig>",
                   "'map' has more than 512 parameters"));
  MU_CHECK(refused("<rig version='1' name='r'><segments><segment name='a' driver='", "x", 5000,
                   "'/></segments></rig>", "is too long"));
  MU_CHECK(refused("<rig version='1' name='r'><segments><segment name='", "x", 5000,
                   "'/></segments></rig>", "t.xml:1:37: segment 'xxx"));
  MU_CHECK(refused("<rig version='1' name='r'><segments><segment name='a' at='", "9", 5000,
                   "'/></segments></rig>", "is not a number"));
  /* attributes with unique names */
  size_t used = 0;
  static char many[4096];
  used += (size_t)sprintf(many, "<rig version='1' name='r'");
  for (int i = 0; i < 100; i++) used += (size_t)sprintf(many + used, " a%d=''", i);
  sprintf(many + used, "/>");
  MU_HAS(told(many, strlen(many)), "'rig' has more than 64 attributes");
  sinew_xml *xml = sinew_xml_parse("big.xml", many, SINEW_XML_BYTES + 1, &error);
  MU_REFUSED(xml, "big.xml: has more than");
}

MU_SLOW_TEST(sizes_of_solids_are_bounded) {
#define OPEN "<rig version='1' name='r'><segments><segment name='a'><shape>"
#define END  "</shape></segment></segments></rig>"
  MU_CHECK(refused(OPEN "<solid>" POINT "<part>", "<ball points='0'/>", 1025, "</part></solid>" END,
                   "t.xml:1:62: solid: has more than 1024 elements"));
  MU_CHECK(refused(OPEN "<solid>" POINT, BALL, 1025, "</solid>" END, "more than 1024 elements"));
  MU_CHECK(refused(OPEN "<solid>" POINT BALL, "<place/>", 1025, "</solid>" END,
                   "a shape has more than 1024 solids and places"));
  MU_CHECK(refused(OPEN, "<solid>" POINT BALL "</solid>", 1025, END,
                   "a shape has more than 1024 solids and places"));
  MU_CHECK(refused(OPEN "<solid>" POINT "<point at='3 0 0'/><part><tube points='0", " 1 0", 1100,
                   "'/></part></solid>" END, "solid: more than 8192 primitives"));
  /* triangles become 64 each */
  MU_CHECK(refused(OPEN "<solid>" POINT "<point at='3 0 0'/><point at='0 3 0'/><part smooth='3'>",
                   "<wedge points='0 1 2'/>", 129, "</part></solid>" END,
                   "solid: more than 8192 primitives"));
  /* each solid is small enough and different, but there are many */
  size_t used = 0;
  FREED char *text = malloc(1 << 20);
  used += (size_t)sprintf(text, OPEN);
  for (int i = 0; i < 140; i++) {
    used += (size_t)sprintf(text + used,
                            "<solid cell='%d'>" POINT "<point at='3 %d 0'/>"
                            "<part><tube points='0",
                            i + 1, i);
    for (int k = 0; k < 500; k++) used += (size_t)sprintf(text + used, " 1 0");
    used += (size_t)sprintf(text + used, "'/></part></solid>");
  }
  used += (size_t)sprintf(text + used, END);
  MU_HAS(told(text, used), "the solids have more than 524288 primitives together");
}

MU_TEST(every_prefix_of_a_file_is_refused) {
  const char *text =
      PARTS("<map name='m'><x from='d'/><curve name='y' kind='linear'>0 0 1 1"
            "</curve></map><rotation><angle from='m'/><axis value='0 1 0'/></rotation>");
  for (size_t size = 0; size < strlen(text); size++)
    MU_CHECK_SAY(*told(text, size), "the first %zu bytes are taken", size);
}

FUZZED(xml, 2000)

MU_SUITE(xml_wrong)
