/* Mutated rigs in XML: each is refused with a message or gives a builder; if that compiles, the rig
 * is evaluated, written, and reads back as the same text. The fuzzer uses it and, for a few inputs,
 * the tests. */
#ifndef FUZZ_XML_H
#define FUZZ_XML_H

#include "fuzz_frame.h"
#include "sinew/pose.h"
#include "sinew/xml.h"

static const char fuzz_xml_knee[] =
    "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n"
    "<rig version=\"1\" name=\"knee\" length=\"m\" angle=\"deg\">\n"
    "  <joint_sets><joint_set name=\"knee\"/></joint_sets>\n"
    "  <segments>\n"
    "    <segment name=\"femur\" at=\"0 0.9 0\"><shape><vertices>0 0 0  1 0 0  0 1 0</vertices>"
    "<normals>0 0 1  0 0 1  0 0 1</normals><triangles>0 1 2</triangles></shape></segment>\n"
    "    <segment name=\"tibia\" parent=\"femur\" set=\"knee\" driver=\"knee.all\" "
    "rest=\"1 0 0 0 0 1 0 0 0 0 1 0 0 -0.4 0 1\"><shape file=\"a/b.obj\" mirrored=\"true\"/>"
    "</segment>\n"
    "  </segments>\n"
    "  <dofs><dof name=\"flexion\" set=\"knee\" min=\"0\" max=\"120\" rest=\"0\" unit=\"deg\" "
    "label=\"bend &amp; &#60;\"/></dofs>\n"
    "  <components>\n"
    "    <map name=\"bend\" set=\"knee\"><x from=\"knee.flexion\"/>"
    "<curve name=\"angle\" kind=\"linear\" outside=\"extend\">0 0  120 -120</curve>"
    "<curve name=\"y\" kind=\"spline\" scale=\"2\" offset=\"-1e-3\">0 0 40 -4 120 -12</curve>"
    "</map>\n"
    "    <translation name=\"move\" set=\"knee\"><y from=\"knee.bend.y\"/><x value=\"0.5\"/>"
    "</translation>\n"
    "    <rotation name=\"turn\" set=\"knee\"><angle from=\"knee.bend.angle\"/>"
    "<axis value=\"1 0 0.08\"/><angles>-120 -60 0</angles><centres>0 0 0  0 0.1 0</centres>"
    "</rotation>\n"
    "    <multiply name=\"all\" set=\"knee\"><matrix from=\"knee.move\"/>"
    "<matrix from=\"knee.turn\"/></multiply>\n"
    "  </components>\n"
    "</rig>\n";

static const char fuzz_xml_limits[] =
    "<rig version='1' name='limits'><segments><segment name='a'/><segment name='b' parent='a' "
    "driver='c.transform'/></segments><dofs><dof name='x'/><dof name='y' min='-9' max='9'/></dofs>"
    "<components><euler name='e'><first from='x'/><second from='y'/><order value='zyx'/></euler>"
    "<cone name='c'><swing from='e'/><twist from='y'/><rest value='0 0 1'/><ellipse value='40'/>"
    "<right value='1 0 0'/><twist_limits>-10 10</twist_limits>"
    "</cone><dependency name='d'><active from='x'/>"
    "<passive from='y'/><lower kind='piecewise'>-180 -9 180 0</lower>"
    "<upper kind='constant'>5</upper></dependency><slide name='s'><frame from='e'/>"
    "<lift from='d'/><radii>1 2 3</radii><axis value='0 1 0'/><pair1>1 0 0 0 0 1</pair1>"
    "<orientation>1 0 0 0 0 1 0 0 0 0 1 0 0 0 0 1</orientation></slide>"
    "<compensate name='k'><matrix from='e'/><ancestor segment='a'/><segment segment='b'/>"
    "</compensate></components></rig>";

static const char fuzz_xml_scripted[] =
    "<rig version='1' name='s'><dofs><dof name='x'/></dofs><components>"
    "<script name='t' module='own.spring' kind='spring'><input name='angle' from='x'/>"
    "<input name='v' value='1 2 3'/><number name='n' value='0.1'/><flag name='f' value='true'/>"
    "<vector name='w' value='0 1 0'/><numbers name='l'>1 2</numbers><vectors name='m'>1 2 3"
    "</vectors><matrix name='r'>1 0 0 0 0 1 0 0 0 0 1 0 0 0 0 1</matrix><text name='q' value='a'/>"
    "<curve name='c' kind='polynomial'>1 2 3</curve></script><field name='g'><angle from='x'/>"
    "<field>U0lORVdGTEQBAAAAAQAAAAAAAAABAAAAAAA0QgAAAAAAAAAAAAC0wgAAtEIDAAAAAAAAAAAAoEIA\n"
    "ACBBAACMQgAAIMEAACDBAACgQWUTYsX6WWbh</field></field><field><angle from='x'/>"
    "<field file='g.field'/></field></components></rig>";

static const char fuzz_xml_learnt[] =
    "<rig version='1' name='l'><dofs><dof name='x'/></dofs><components><field><angle from='x'/>"
    "<field>U0lORVdGTEQBAAAAAQAAAAAAAAABAAAAAAA0QgAAAAAAAAAAAAC0wgAAtEIDAAAAAAAAAAAAoEIA\n"
    "ACBBAACMQgAAIMEAACDBAACgQWUTYsX6WWbh</field></field></components></rig>";

static const char fuzz_xml_solid[] =
    "<rig version='1' name='s'><segments><segment name='a'><shape><solid cell='0.01' fold='0.001' "
    "mirror='true'><point at='0 0 0' radius='0.1'/><point at='0 1 0' radius='0.2'/>"
    "<point at='-1 1 0'/><part blend='0.01' inner='0.02' smooth='1'><wedge points='0 1 2'/>"
    "<cone points='0 1'/><ball points='2'/></part><part cut='true'><tube points='0 1 2' flat='2' "
    "across='0 0 1'/><drum points='1' radii='1 2 3' turn='0 20 0'/>"
    "<ellipsoid points='2' radii='0.1 0.2 0.3'/></part><place at='0 1 0'/>"
    "<place matrix='-1 0 0 0 0 1 0 0 0 0 1 0 0 0 0 1'/></solid>"
    "<solid><point at='1 2 3' radius='1'/><part><ball points='0'/></part></solid></shape>"
    "</segment></segments></rig>";

static const char fuzz_xml_recorded[] =
    "<rig version='2' name='p'><segments><segment name='a' driver='k.m'/></segments>"
    "<dofs><dof name='x'/><dof name='y'/></dofs><kinds><kind name='crank' doc='turns'>"
    "<input name='angle' kind='scalar' unit='deg'/><input name='extra' kind='scalar' "
    "optional='true' default='2'/><input name='v' kind='vector' optional='true'/>"
    "<output name='m' kind='matrix'/><output name='stroke' kind='scalar' doc='d'/>"
    "<parameter name='throw' type='number' min='0' max='3' default='1'/>"
    "<parameter name='list' type='numbers' required='true'/><parameter name='gain' type='curve'/>"
    "<parameter name='axis' type='vector' default='0 1 0' mirror='axis'/>"
    "<hold port='stroke' doc='its end'/><program>\ntakes scalar scalar vector\n"
    "gives matrix scalar hold\ninput 0\ninput 1\ninput 3\nparam 0 throw\nparam 1 list\n"
    "param 2 axis\ncurve 1 gain\nsin 1\ncos 1\nmul 8 4\nadd 10 7\nmin 11 5\nsub 12 11\n"
    "neg 8\nnumber 0\nnumber 1\nlt 2 1\nselect 17 11 12\natan2 3 6\nunknown 0 0\nmul 20 20\n"
    "sub 21 4\nroot 0 0 1 8 15 4 22\nadd 18 23\nout 9 8 15 14 9 15 15 15 16 24 19 2 12 13\n"
    "fail 17\nmessage too far\n</program></kind><kind name='same'>"
    "<input name='x' kind='scalar'/><output name='y' kind='scalar'/></kind></kinds><components>"
    "<recorded name='k' kind='crank'><input name='angle' from='x'/><input name='v' value='1 2 3'/>"
    "<number name='throw' value='0.5'/><numbers name='list'>1 2</numbers>"
    "<curve name='gain' kind='linear'>0 0 1 1</curve></recorded><recorded kind='same'>"
    "<input name='x' from='k.stroke'/><program>takes scalar\ngives scalar\ninput 0\nout 1"
    "</program></recorded></components></rig>";

/* words of the format, inserted anywhere or in place of a number */
static inline size_t fuzz_xml_word(uint32_t *state, unsigned char *bytes, size_t size,
                                   size_t room) {
  /* clang-format off */
  static const char *const words[] = {
    "<", "/>", "</", ">", "\"", "'", "=", "&", "&amp;", "&#0;", "&#x10FFFF;", "<!--", "-->",
    "<![CDATA[", "]]>", "<!DOCTYPE r [<!ENTITY a 'b'>]>", "&a;", "<?pi?>", " name='a'",
    " set='knee'", " value='1'", " from='x'", "<shape/>", "<solid>", "<place/>", "<part>",
    "<ball points='1'/>", " smooth='3'", "<rotation>", "</rotation>", "<matrix value='1'/>",
    "\nadd 1 2", "\nparam 0 throw", "\nout 1", "<program>", "<kind name='k'/>", "<hold port='v'/>",
    " optional='true'", " type='flag'", "1e39", "-1e-46", "nan", "99999999999", "0", "-1", "1",
    "1e38", " ", ".", "\xc3\xbc", "\xff", "\xef\xbb\xbf", "\r\n"
  };
  /* clang-format on */
  const char *word = words[fuzz_below(state, sizeof words / sizeof *words)];
  size_t at = fuzz_below(state, size + 1), cut = 0;
  if (fuzz_random(state) % 2) {
    while (at < size && !fuzz_digits(bytes, size, at)) at++;
    cut = fuzz_digits(bytes, size, at);
  }
  return fuzz_put_word(bytes, size, room, at, cut, word);
}

static inline void fuzz_xml_evaluate(const sinew_rig *rig) {
  sinew_error error;
  sinew_pose *pose = sinew_pose_create(rig, &error);
  if (!pose) abort();
  for (int i = 0; i < sinew_rig_dof_count(rig); i++)
    sinew_pose_set(pose, sinew_rig_dof(rig, i), 1e3f, NULL);
  sinew_pose_eval(pose, &error);
  sinew_pose_destroy(pose);
}

/* solids that are written and read again are the same */
static inline void fuzz_xml_solids(const sinew_rig *rig, const sinew_xml *xml) {
  sinew_error error;
  char *text;
  size_t size;
  const sinew_segment first = { 1 };
  sinew_xml_shape shape = sinew_xml_shape_of(xml, first);
  if (!shape.solid || sinew_rig_segment_count(rig) != 1) return;
  sinew_xml_desc desc = sinew_default_xml_desc();
  desc.shapes = &shape;
  if (sinew_xml_write(rig, &desc, &text, &size, &error) != SINEW_OK) abort();
  sinew_xml *again = sinew_xml_parse("again.xml", text, size, &error);
  if (!again ||
      sinew_solid_hash(sinew_xml_shape_of(again, first).solid) != sinew_solid_hash(shape.solid))
    abort();
  sinew_xml_destroy(again);
  sinew_text_free(text);
}

/* writing and reading again gives the same text */
static inline void fuzz_xml_again(const sinew_rig *rig) {
  sinew_error error;
  char *text, *again;
  size_t size, again_size;
  if (sinew_xml_write(rig, NULL, &text, &size, &error) != SINEW_OK) abort();
  sinew_xml *xml = sinew_xml_parse("again.xml", text, size, &error);
  if (!xml) abort();
  sinew_rig *read = sinew_builder_compile(sinew_xml_builder(xml), &error);
  if (!read || sinew_xml_write(read, NULL, &again, &again_size, &error) != SINEW_OK) abort();
  if (size != again_size || memcmp(text, again, size) != 0) abort();
  sinew_rig_destroy(read);
  sinew_xml_destroy(xml);
  sinew_text_free(text);
  sinew_text_free(again);
}

static inline size_t fuzz_xml_make(uint32_t *state, unsigned char *dest, int *form) {
  static const char *const texts[] = { fuzz_xml_knee,   fuzz_xml_limits, fuzz_xml_scripted,
                                       fuzz_xml_learnt, fuzz_xml_solid,  fuzz_xml_recorded };
  (void)form;
  size_t size = fuzz_start(texts[fuzz_random(state) % 6], dest);
  for (uint32_t left = fuzz_random(state) % 4; left > 0; left--)
    size = fuzz_random(state) % 2 ? fuzz_change(state, dest, size, FUZZ_ROOM)
                                  : fuzz_xml_word(state, dest, size, FUZZ_ROOM);
  return size;
}

static inline void *fuzz_xml_read(int form, const unsigned char *bytes, size_t size,
                                  sinew_error *error) {
  (void)form;
  return sinew_xml_parse("fuzz.xml", (const char *)bytes, size, error);
}

static inline bool fuzz_xml_use(void *object, uint32_t *state) {
  sinew_xml *xml = object;
  sinew_error error;
  sinew_rig *rig = sinew_builder_compile(sinew_xml_builder(xml), &error);
  (void)state;
  if (!rig && error.count == 0) abort();
  if (rig && sinew_rig_segment_count(rig)) fuzz_xml_solids(rig, xml);
  /* the rig does not depend on the builder */
  sinew_xml_destroy(xml);
  if (!rig) return false;
  fuzz_xml_evaluate(rig);
  fuzz_xml_again(rig);
  sinew_rig_destroy(rig);
  return true;
}

static const fuzz_kind fuzz_xml_kind = { .salt = 777,
                                         .make = fuzz_xml_make,
                                         .read = fuzz_xml_read,
                                         .use = fuzz_xml_use,
                                         .forms = 1,
                                         .word = fuzz_xml_word };

/* runs one input; returns 1 if it was accepted and compiled */
static inline long fuzz_xml(uint32_t seed) { return fuzz_one(&fuzz_xml_kind, seed); }

#endif
