/* The XML format as a schema (XSD 1.0), generated from the tables of the format and of the
 * component classes. What a schema cannot express (that the source of a wire exists, that numbers
 * come in threes) is checked by the reader and by compiling. */
#include "sinew/xml.h"

#include "base/text.h"
#include "interchange/xml_out.h"
#include "interchange/xml_words.h"

#include <string.h>

static const char head[] =
    "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n"
    "<!-- Rigs of Sinew as XML; `./dev docs` writes this file from the components' tables. -->\n"
    "<xs:schema xmlns:xs=\"http://www.w3.org/2001/XMLSchema\">\n"
    "  <xs:simpleType name=\"number\">\n"
    "    <xs:restriction base=\"xs:float\">\n"
    "      <xs:pattern value=\"[+\\-]?([0-9]+(\\.[0-9]*)?|\\.[0-9]+)([eE][+\\-]?[0-9]+)?\"/>\n"
    "    </xs:restriction>\n"
    "  </xs:simpleType>\n"
    "  <xs:simpleType name=\"numbers\"><xs:list itemType=\"number\"/></xs:simpleType>\n"
    "  <xs:simpleType name=\"vector\">\n"
    "    <xs:restriction base=\"numbers\"><xs:length value=\"3\"/></xs:restriction>\n"
    "  </xs:simpleType>\n"
    "  <xs:simpleType name=\"matrix\">\n"
    "    <xs:restriction base=\"numbers\"><xs:length value=\"16\"/></xs:restriction>\n"
    "  </xs:simpleType>\n"
    "  <xs:simpleType name=\"indices\"><xs:list itemType=\"xs:nonNegativeInteger\"/>"
    "</xs:simpleType>\n"
    "  <xs:simpleType name=\"name\">\n"
    "    <xs:restriction base=\"xs:string\"><xs:pattern value=\"[^.]+\"/></xs:restriction>\n"
    "  </xs:simpleType>\n"
    "  <xs:simpleType name=\"source\">\n"
    "    <xs:restriction base=\"xs:string\">"
    "<xs:pattern value=\"[^.]+(\\.[^.]+){0,2}\"/></xs:restriction>\n"
    "  </xs:simpleType>\n";

static const char keys[] =
    "    <xs:key name=\"joint_set_names\">\n"
    "      <xs:selector xpath=\"joint_sets/joint_set\"/><xs:field xpath=\"@name\"/>\n"
    "    </xs:key>\n"
    "    <xs:keyref name=\"of_a_joint_set\" refer=\"joint_set_names\">\n"
    "      <xs:selector xpath=\"segments/segment|dofs/dof|components/*\"/>"
    "<xs:field xpath=\"@set\"/>\n"
    "    </xs:keyref>\n"
    "    <xs:key name=\"segment_names\">\n"
    "      <xs:selector xpath=\"segments/segment\"/><xs:field xpath=\"@name\"/>\n"
    "    </xs:key>\n"
    "    <xs:keyref name=\"parents\" refer=\"segment_names\">\n"
    "      <xs:selector xpath=\"segments/segment\"/><xs:field xpath=\"@parent\"/>\n"
    "    </xs:keyref>\n"
    "    <xs:key name=\"kind_names\">\n"
    "      <xs:selector xpath=\"kinds/kind\"/><xs:field xpath=\"@name\"/>\n"
    "    </xs:key>\n"
    "    <xs:keyref name=\"of_a_kind\" refer=\"kind_names\">\n"
    "      <xs:selector xpath=\"components/recorded\"/><xs:field xpath=\"@kind\"/>\n"
    "    </xs:keyref>\n";

static const char shape_content[] =
    "    <xs:choice minOccurs=\"0\">\n"
    "      <xs:sequence>\n"
    "        <xs:element name=\"vertices\" type=\"numbers\"/>\n"
    "        <xs:element name=\"normals\" type=\"numbers\"/>\n"
    "        <xs:element name=\"triangles\" type=\"indices\"/>\n"
    "      </xs:sequence>\n"
    "      <xs:element name=\"solid\" type=\"solid\" maxOccurs=\"unbounded\"/>\n"
    "    </xs:choice>\n";

static const char solid_content[] =
    "    <xs:annotation><xs:documentation>A smooth shape of balls that are joined, blended and "
    "cut; "
    "engine/include/sinew/solid.h explains its numbers. Points are counted from 0. Without a place "
    "it is where it is described.</xs:documentation></xs:annotation>\n"
    "    <xs:sequence>\n"
    "      <xs:element name=\"point\" type=\"solid_point\" maxOccurs=\"unbounded\"/>\n"
    "      <xs:element name=\"part\" type=\"solid_part\" maxOccurs=\"unbounded\"/>\n"
    "      <xs:element name=\"place\" type=\"solid_place\" minOccurs=\"0\" "
    "maxOccurs=\"unbounded\"/>\n"
    "    </xs:sequence>\n";

static const char segment_content[] =
    "    <xs:sequence><xs:element name=\"shape\" type=\"shape\" minOccurs=\"0\"/></xs:sequence>\n";

static const char kind_content[] =
    "    <xs:annotation><xs:documentation>What the components of a kind take and give. Its program "
    "is that of those that have none of their own; engine/include/sinew/program.h explains it."
    "</xs:documentation></xs:annotation>\n"
    "    <xs:sequence>\n"
    "      <xs:element name=\"input\" type=\"kind_input\" minOccurs=\"0\" "
    "maxOccurs=\"unbounded\"/>\n"
    "      <xs:element name=\"output\" type=\"kind_output\" minOccurs=\"0\" "
    "maxOccurs=\"unbounded\"/>\n"
    "      <xs:element name=\"parameter\" type=\"kind_parameter\" minOccurs=\"0\" "
    "maxOccurs=\"unbounded\"/>\n"
    "      <xs:element name=\"hold\" type=\"kind_hold\" minOccurs=\"0\" "
    "maxOccurs=\"unbounded\"/>\n"
    "      <xs:element name=\"program\" type=\"xs:string\" minOccurs=\"0\"/>\n"
    "    </xs:sequence>\n";

static void put_attribute(si_text *out, int indent, const si_xml_word *word) {
  si_text_format(out, "%*s<xs:attribute name=\"%s\" type=\"%s\"", indent, "", word->name,
                 word->type);
  if (word->required) si_text_add(out, " use=\"required\"");
  if (word->fallback) si_text_format(out, " default=\"%s\"", word->fallback);
  si_text_add(out, "/>\n");
}

static void put_attributes(si_text *out, int indent, const si_xml_word *words) {
  for (; words->name; words++) put_attribute(out, indent, words);
}

static void put_type(si_text *out, const char *name, const char *content,
                     const si_xml_word *words) {
  si_text_format(out, "  <xs:complexType name=\"%s\">\n", name);
  si_text_add(out, content);
  put_attributes(out, 4, words);
  si_text_add(out, "  </xs:complexType>\n");
}

static void put_solid(si_text *out) {
  put_type(out, "solid_point", "", si_xml_point_words);
  put_type(out, "solid_place", "", si_xml_place_words);
  si_text_add(out, "  <xs:complexType name=\"solid_part\">\n"
                   "    <xs:choice maxOccurs=\"unbounded\">\n");
  for (int i = 0; i < SINEW_SOLID_KIND_COUNT; i++) {
    si_text_format(out, "      <xs:element name=\"%s\"><xs:complexType>\n",
                   sinew_solid_kind_name((sinew_solid_kind)i));
    put_attributes(out, 8, si_xml_element_words[i]);
    si_text_add(out, "      </xs:complexType></xs:element>\n");
  }
  si_text_add(out, "    </xs:choice>\n");
  put_attributes(out, 4, si_xml_part_words);
  si_text_add(out, "  </xs:complexType>\n");
  put_type(out, "solid", solid_content, si_xml_solid_words);
}

static void put_doc(si_text *out, int indent, const char *doc) {
  if (!doc || !*doc) return;
  si_text_format(out, "%*s<xs:annotation><xs:documentation>", indent, "");
  for (; *doc; doc++) {
    char letter[2] = { *doc, 0 };
    si_text_add(out, *doc == '<' ? "&lt;" : *doc == '&' ? "&amp;" : letter);
  }
  si_text_add(out, "</xs:documentation></xs:annotation>\n");
}

static void put_words(si_text *out, const char *name, const char *(*word)(int), int first,
                      int end) {
  si_text_format(out, "  <xs:simpleType name=\"%s\">\n    <xs:restriction base=\"xs:string\">\n",
                 name);
  for (int i = first; i < end; i++)
    if (word(i)) si_text_format(out, "      <xs:enumeration value=\"%s\"/>\n", word(i));
  si_text_add(out, "    </xs:restriction>\n  </xs:simpleType>\n");
}

static const char *kind_word(int i) { return sinew_curve_kind_name((sinew_curve_kind)i); }
static const char *port_word(int i) { return sinew_kind_name((sinew_kind)i); }
static const char *type_word(int i) { return si_xml_type_word((sinew_param_type)i); }
static const char *outside_word(int i) { return sinew_outside_name((sinew_outside)i); }

/* the attribute of a value with a range or choices */
static void put_narrowed(si_text *out, const sinew_param_desc *d, const si_xml_word *word) {
  char low[SI_NUMBER_TEXT], high[SI_NUMBER_TEXT];
  si_text_format(out,
                 "            <xs:attribute name=\"%s\"%s>\n"
                 "              <xs:simpleType><xs:restriction base=\"%s\">\n",
                 word->name, word->required ? " use=\"required\"" : "", word->type);
  for (const char *const *choice = d->choices; choice && *choice; choice++)
    si_text_format(out, "                <xs:enumeration value=\"%s\"/>\n", *choice);
  if (!d->choices) {
    si_float_text(d->min, low);
    si_float_text(d->max, high);
    si_text_format(out,
                   "                <xs:minInclusive value=\"%s\"/>"
                   "<xs:maxInclusive value=\"%s\"/>\n",
                   low, high);
  }
  si_text_add(out, "              </xs:restriction></xs:simpleType>\n"
                   "            </xs:attribute>\n");
}

static void put_param_attributes(si_text *out, const sinew_param_desc *d, bool named) {
  si_xml_word words[SI_XML_PARAM_WORDS];
  const si_xml_value *v = &si_xml_values[d->type];
  bool narrowed = d->choices || (d->min < d->max && v->each == 1);
  si_xml_param_words(d->type, named, words);
  for (const si_xml_word *word = words; word->name; word++)
    if (narrowed && word->type == v->value)
      put_narrowed(out, d, word);
    else
      put_attribute(out, 12, word);
}

static void put_param(si_text *out, const sinew_param_desc *d, const char *element, bool named) {
  const char *content = si_xml_values[d->type].content;
  si_text_format(out, "      <xs:element name=\"%s\">\n", element);
  put_doc(out, 8, d->doc);
  si_text_add(out, "        <xs:complexType>\n");
  if (content)
    si_text_format(out, "          <xs:simpleContent><xs:extension base=\"%s\">\n", content);
  put_param_attributes(out, d, named);
  if (content) si_text_add(out, "          </xs:extension></xs:simpleContent>\n");
  si_text_add(out, "        </xs:complexType>\n      </xs:element>\n");
}

static void put_wire(si_text *out, const char *element, const char *value, const char *doc,
                     bool named) {
  si_text_format(out, "      <xs:element name=\"%s\">\n", element);
  put_doc(out, 8, doc);
  si_text_add(out, "        <xs:complexType>\n");
  for (const si_xml_word *word = si_xml_wire_words + !named; word->name; word++)
    put_attribute(out, 10,
                  strcmp(word->name, "value") ? word
                                              : &(si_xml_word){ .name = "value", .type = value });
  si_text_add(out, "        </xs:complexType>\n      </xs:element>\n");
}

static void start_component(si_text *out, const char *kind, const char *doc) {
  si_text_format(out, "  <xs:complexType name=\"component_%s\">\n", kind);
  put_doc(out, 4, doc);
  si_text_add(out, "    <xs:choice minOccurs=\"0\" maxOccurs=\"unbounded\">\n");
}

static void end_component(si_text *out, const si_xml_word *words) {
  si_text_add(out, "    </xs:choice>\n");
  put_attributes(out, 4, words);
  si_text_add(out, "  </xs:complexType>\n");
}

static void put_class(si_text *out, const sinew_component_class *cls) {
  static const char *const values[] = { "number", "vector", "matrix" };
  start_component(out, cls->name, cls->doc);
  for (const sinew_port_desc *p = cls->inputs; p && p->name; p++)
    put_wire(out, p->name, values[p->kind], p->doc, false);
  for (const sinew_param_desc *p = cls->params; p && p->name; p++)
    put_param(out, p, p->name, false);
  if (cls->named) put_param(out, cls->named, cls->named->name, true);
  end_component(out, si_xml_component_words);
}

/* a component of a module, or one with a program */
static void put_foreign(si_text *out, const char *element, const char *doc,
                        const si_xml_word *words) {
  start_component(out, element, doc);
  put_wire(out, "input", "numbers", "A wire by the input's name.", true);
  for (sinew_param_type type = SINEW_PARAM_NUMBER; type <= SINEW_PARAM_CURVE; type++)
    if (type < SINEW_PARAM_CHOICE || type >= SINEW_PARAM_TEXT)
      put_param(out, &(sinew_param_desc){ .type = type }, si_xml_values[type].word, true);
  if (words == si_xml_recorded_words)
    si_text_add(out, "      <xs:element name=\"" SI_XML_PROGRAM "\" type=\"xs:string\"/>\n");
  end_component(out, words);
}

static void put_list(si_text *out, const char *list, const char *item) {
  si_text_format(out,
                 "        <xs:element name=\"%s\" minOccurs=\"0\"><xs:complexType>"
                 "<xs:sequence>\n"
                 "          <xs:element name=\"%s\" type=\"%s\" minOccurs=\"0\" "
                 "maxOccurs=\"unbounded\"/>\n"
                 "        </xs:sequence></xs:complexType></xs:element>\n",
                 list, item, item);
}

static void put_rig(si_text *out) {
  si_text_add(out, "  <xs:element name=\"" SI_XML_RIG "\">\n    <xs:complexType>\n"
                   "      <xs:sequence>\n");
  for (int i = 0; i < SI_XML_COMPONENTS; i++)
    put_list(out, si_xml_lists[i].list, si_xml_lists[i].item);
  si_text_format(out,
                 "        <xs:element name=\"%s\" minOccurs=\"0\"><xs:complexType>\n"
                 "          <xs:choice minOccurs=\"0\" maxOccurs=\"unbounded\">\n",
                 si_xml_lists[SI_XML_COMPONENTS].list);
  for (int i = 0; sinew_catalog(i); i++)
    si_text_format(out, "            <xs:element name=\"%s\" type=\"component_%s\"/>\n",
                   sinew_catalog(i)->name, sinew_catalog(i)->name);
  si_text_add(out,
              "            <xs:element name=\"" SI_XML_SCRIPT "\" type=\"component_" SI_XML_SCRIPT
              "\"/>\n            <xs:element name=\"" SI_XML_RECORDED
              "\" type=\"component_" SI_XML_RECORDED
              "\"/>\n          </xs:choice>\n        </xs:complexType></xs:element>\n"
              "      </xs:sequence>\n");
  si_text_add(out, "      <xs:attribute name=\"version\" use=\"required\">\n"
                   "        <xs:simpleType><xs:restriction base=\"xs:string\">");
  for (int i = 1; i <= SINEW_XML_VERSION; i++)
    si_text_format(out, "<xs:enumeration value=\"%d\"/>", i);
  si_text_add(out, "</xs:restriction></xs:simpleType>\n      </xs:attribute>\n");
  put_attribute(out, 6, &(si_xml_word){ .name = "name", .type = "xs:string", .required = true });
  si_text_add(out, "      <xs:attribute name=\"binding\" type=\"xs:string\"/>\n");
  si_text_add(out, "      <xs:attribute name=\"length\" type=\"xs:string\" fixed=\"m\"/>\n"
                   "      <xs:attribute name=\"angle\" type=\"xs:string\" fixed=\"deg\"/>\n"
                   "    </xs:complexType>\n");
  si_text_add(out, keys);
  si_text_add(out, "  </xs:element>\n");
}

sinew_status sinew_xml_schema(char **dest, size_t *size, sinew_error *error) {
  sinew_error_clear(error);
  si_text out = { 0 };
  si_text_add(&out, head);
  put_words(&out, "curve_kind", kind_word, 0, SINEW_CURVE_KIND_COUNT);
  put_words(&out, "curve_outside", outside_word, SINEW_OUTSIDE_CLAMP, SINEW_OUTSIDE_REPEAT + 1);
  put_solid(&out);
  put_type(&out, "shape", shape_content, si_xml_shape_words);
  put_words(&out, "port_kind", port_word, 0, SINEW_MATRIX + 1);
  put_words(&out, "parameter_type", type_word, 0, SINEW_PARAM_NONE);
  for (int i = 0; i < SI_XML_KIND_PROGRAM; i++)
    put_type(&out, si_xml_kind_parts[i].list, "", si_xml_kind_parts[i].words);
  for (int i = 0; i < SI_XML_COMPONENTS; i++)
    put_type(&out, si_xml_lists[i].item,
             i == SI_XML_SEGMENTS ? segment_content
             : i == SI_XML_KINDS  ? kind_content
                                  : "",
             si_xml_lists[i].words);
  for (int i = 0; sinew_catalog(i); i++) put_class(&out, sinew_catalog(i));
  put_foreign(&out, SI_XML_SCRIPT, "A component that a module in Lua defines.",
              si_xml_script_words);
  put_foreign(&out, SI_XML_RECORDED, "A component of one of the kinds, which runs a program.",
              si_xml_recorded_words);
  put_rig(&out);
  si_text_add(&out, "</xs:schema>\n");
  *dest = si_text_finish(&out, size, error);
  return *dest ? SINEW_OK : SINEW_ERR_MEMORY;
}
