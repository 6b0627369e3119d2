/* The XML format as a schema (XSD 1.0), from the classes' tables: names, kinds, ranges and choices.
 * What a schema cannot say (that wires lead somewhere, that lists are in threes) is left to the
 * reader and to compiling. */
#include "sinew/xml.h"

#include "base/number.h"
#include "interchange/xml_out.h"
#include "interchange/xml_words.h"

#include <stdio.h>

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

static const char skeleton[] =
    "  <xs:complexType name=\"shape\">\n"
    "    <xs:sequence minOccurs=\"0\">\n"
    "      <xs:element name=\"vertices\" type=\"numbers\"/>\n"
    "      <xs:element name=\"normals\" type=\"numbers\"/>\n"
    "      <xs:element name=\"triangles\" type=\"indices\"/>\n"
    "    </xs:sequence>\n"
    "    <xs:attribute name=\"file\" type=\"xs:string\"/>\n"
    "    <xs:attribute name=\"mirrored\" type=\"xs:boolean\"/>\n"
    "  </xs:complexType>\n"
    "  <xs:complexType name=\"joint_set\">\n"
    "    <xs:attribute name=\"name\" type=\"name\" use=\"required\"/>\n"
    "  </xs:complexType>\n"
    "  <xs:complexType name=\"segment\">\n"
    "    <xs:sequence><xs:element name=\"shape\" type=\"shape\" minOccurs=\"0\"/></xs:sequence>\n"
    "    <xs:attribute name=\"name\" type=\"name\" use=\"required\"/>\n"
    "    <xs:attribute name=\"parent\" type=\"name\"/>\n"
    "    <xs:attribute name=\"set\" type=\"name\"/>\n"
    "    <xs:attribute name=\"at\" type=\"vector\"/>\n"
    "    <xs:attribute name=\"rest\" type=\"matrix\"/>\n"
    "    <xs:attribute name=\"driver\" type=\"source\"/>\n"
    "  </xs:complexType>\n"
    "  <xs:complexType name=\"dof\">\n"
    "    <xs:attribute name=\"name\" type=\"name\" use=\"required\"/>\n"
    "    <xs:attribute name=\"set\" type=\"name\"/>\n"
    "    <xs:attribute name=\"min\" type=\"number\" default=\"-180\"/>\n"
    "    <xs:attribute name=\"max\" type=\"number\" default=\"180\"/>\n"
    "    <xs:attribute name=\"rest\" type=\"number\"/>\n"
    "    <xs:attribute name=\"unit\" type=\"xs:string\" default=\"deg\"/>\n"
    "    <xs:attribute name=\"label\" type=\"xs:string\"/>\n"
    "  </xs:complexType>\n";

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
    "    </xs:keyref>\n";

static void attribute(si_text *out, int indent, const char *name, const char *type, bool required) {
  si_text_format(out, "%*s<xs:attribute name=\"%s\" type=\"%s\"%s/>\n", indent, "", name, type,
                 required ? " use=\"required\"" : "");
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
    si_text_format(out, "      <xs:enumeration value=\"%s\"/>\n", word(i));
  si_text_add(out, "    </xs:restriction>\n  </xs:simpleType>\n");
}

static const char *kind_word(int i) { return sinew_curve_kind_name((sinew_curve_kind)i); }
static const char *outside_word(int i) { return sinew_outside_name((sinew_outside)i); }

/* what an element of each type of parameter has as content (NULL: none) and as value */
typedef struct shape_of_type {
  const char *content, *value;
} shape_of_type;

static shape_of_type shape_of(sinew_param_type type) {
  switch (type) {
  case SINEW_PARAM_NUMBER: return (shape_of_type){ NULL, "number" };
  case SINEW_PARAM_FLAG: return (shape_of_type){ NULL, "xs:boolean" };
  case SINEW_PARAM_VECTOR: return (shape_of_type){ NULL, "vector" };
  case SINEW_PARAM_MATRIX: return (shape_of_type){ "matrix", NULL };
  case SINEW_PARAM_NUMBERS: return (shape_of_type){ "numbers", "number" };
  case SINEW_PARAM_VECTORS: return (shape_of_type){ "numbers", "vector" };
  case SINEW_PARAM_CURVE: return (shape_of_type){ "numbers", NULL };
  case SINEW_PARAM_OBJECT: return (shape_of_type){ "xs:base64Binary", NULL };
  case SINEW_PARAM_SEGMENT: return (shape_of_type){ NULL, "name" };
  default: return (shape_of_type){ NULL, "xs:string" };
  }
}

/* the value's own type where the table narrows it: a range or choices */
static void put_narrowed(si_text *out, const sinew_param_desc *d, const char *base) {
  char low[SI_NUMBER_TEXT], high[SI_NUMBER_TEXT];
  si_text_format(out,
                 "            <xs:attribute name=\"%s\"%s>\n"
                 "              <xs:simpleType><xs:restriction base=\"%s\">\n",
                 si_xml_word(d->type), shape_of(d->type).content ? "" : " use=\"required\"", base);
  for (const char *const *word = d->choices; word && *word; word++)
    si_text_format(out, "                <xs:enumeration value=\"%s\"/>\n", *word);
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

static void put_attributes(si_text *out, const sinew_param_desc *d, bool named) {
  shape_of_type shape = shape_of(d->type);
  if (named) attribute(out, 12, "name", "name", true);
  bool ranged = d->min < d->max && shape.value && d->type <= SINEW_PARAM_NUMBERS;
  if (d->choices || ranged)
    put_narrowed(out, d, shape.value);
  else if (shape.value)
    attribute(out, 12, si_xml_word(d->type), shape.value, !shape.content);
  if (d->type == SINEW_PARAM_OBJECT) attribute(out, 12, "file", "xs:string", false);
  if (d->type != SINEW_PARAM_CURVE) return;
  attribute(out, 12, "kind", "curve_kind", true);
  attribute(out, 12, "outside", "curve_outside", false);
  attribute(out, 12, "scale", "number", false);
  attribute(out, 12, "offset", "number", false);
}

static void put_param(si_text *out, const sinew_param_desc *d, const char *element, bool named) {
  const char *content = shape_of(d->type).content;
  si_text_format(out, "      <xs:element name=\"%s\">\n", element);
  put_doc(out, 8, d->doc);
  si_text_add(out, "        <xs:complexType>\n");
  if (content)
    si_text_format(out, "          <xs:simpleContent><xs:extension base=\"%s\">\n", content);
  put_attributes(out, d, named);
  if (content) si_text_add(out, "          </xs:extension></xs:simpleContent>\n");
  si_text_add(out, "        </xs:complexType>\n      </xs:element>\n");
}

static void put_wire(si_text *out, const char *element, const char *value, const char *doc,
                     bool named) {
  si_text_format(out, "      <xs:element name=\"%s\">\n", element);
  put_doc(out, 8, doc);
  si_text_add(out, "        <xs:complexType>\n");
  if (named) attribute(out, 10, "name", "name", true);
  attribute(out, 10, "from", "source", false);
  attribute(out, 10, "value", value, false);
  si_text_add(out, "        </xs:complexType>\n      </xs:element>\n");
}

static void start_component(si_text *out, const char *kind, const char *doc) {
  si_text_format(out, "  <xs:complexType name=\"component_%s\">\n", kind);
  put_doc(out, 4, doc);
  si_text_add(out, "    <xs:choice minOccurs=\"0\" maxOccurs=\"unbounded\">\n");
}

static void end_component(si_text *out, bool script) {
  si_text_add(out, "    </xs:choice>\n");
  attribute(out, 4, "name", "name", false);
  attribute(out, 4, "set", "name", false);
  if (script) attribute(out, 4, "module", "xs:string", true);
  if (script) attribute(out, 4, "kind", "name", true);
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
  end_component(out, false);
}

static void put_script(si_text *out) {
  static const sinew_param_type types[] = { SINEW_PARAM_NUMBER,  SINEW_PARAM_FLAG,
                                            SINEW_PARAM_VECTOR,  SINEW_PARAM_MATRIX,
                                            SINEW_PARAM_NUMBERS, SINEW_PARAM_VECTORS,
                                            SINEW_PARAM_TEXT,    SINEW_PARAM_CURVE };
  start_component(out, SI_XML_SCRIPT, "A component that a module in Lua defines.");
  put_wire(out, "input", "numbers", "A wire by the input's name.", true);
  for (size_t i = 0; i < sizeof types / sizeof *types; i++)
    put_param(out, &(sinew_param_desc){ .type = types[i] }, si_xml_type(types[i]), true);
  end_component(out, true);
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
  for (int i = 0; i < 3; i++) put_list(out, si_xml_lists[i], si_xml_items[i]);
  si_text_format(out,
                 "        <xs:element name=\"%s\" minOccurs=\"0\"><xs:complexType>\n"
                 "          <xs:choice minOccurs=\"0\" maxOccurs=\"unbounded\">\n",
                 si_xml_lists[3]);
  for (int i = 0; sinew_catalog(i); i++)
    si_text_format(out, "            <xs:element name=\"%s\" type=\"component_%s\"/>\n",
                   sinew_catalog(i)->name, sinew_catalog(i)->name);
  si_text_add(out,
              "            <xs:element name=\"" SI_XML_SCRIPT "\" type=\"component_" SI_XML_SCRIPT
              "\"/>\n          </xs:choice>\n        </xs:complexType></xs:element>\n"
              "      </xs:sequence>\n");
  si_text_format(out,
                 "      <xs:attribute name=\"version\" use=\"required\">\n"
                 "        <xs:simpleType><xs:restriction base=\"xs:string\">"
                 "<xs:enumeration value=\"%d\"/></xs:restriction></xs:simpleType>\n"
                 "      </xs:attribute>\n",
                 SINEW_XML_VERSION);
  attribute(out, 6, "name", "xs:string", true);
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
  si_text_add(&out, skeleton);
  for (int i = 0; sinew_catalog(i); i++) put_class(&out, sinew_catalog(i));
  put_script(&out);
  put_rig(&out);
  si_text_add(&out, "</xs:schema>\n");
  *dest = si_text_finish(&out, size, error);
  return *dest ? SINEW_OK : SINEW_ERR_MEMORY;
}
