/* The tables of the XML format; see xml_words.h. */
#include "interchange/xml_words.h"

#define NEEDED(name, type)                                                                         \
  { name, type, true, NULL }
#define OPTIONAL(name, type)                                                                       \
  { name, type, false, NULL }
#define DEFAULT(name, type, fallback)                                                              \
  { name, type, false, fallback }
#define END                                                                                        \
  { NULL, NULL, false, NULL }

static const si_xml_word joint_set_words[] = { NEEDED("name", "name"), END };

static const si_xml_word segment_words[] = {
  NEEDED("name", "name"),          OPTIONAL("parent", "name"),
  OPTIONAL("set", "name"),         OPTIONAL("at", "vector"),
  OPTIONAL("rest", "matrix"),      OPTIONAL("driver", "source"),
  OPTIONAL("mass", "number"),      OPTIONAL("mass_at", "vector"),
  OPTIONAL("origin", "xs:string"), END
};

static const si_xml_word dof_words[] = {
  NEEDED("name", "name"),           OPTIONAL("set", "name"),
  DEFAULT("min", "number", "-180"), DEFAULT("max", "number", "180"),
  OPTIONAL("rest", "number"),       DEFAULT("unit", "xs:string", "deg"),
  OPTIONAL("label", "xs:string"),   OPTIONAL("stiffness", "number"),
  OPTIONAL("origin", "xs:string"),  END
};

const si_xml_word si_xml_component_words[] = { OPTIONAL("name", "name"), OPTIONAL("set", "name"),
                                               OPTIONAL("origin", "xs:string"), END };

const si_xml_word si_xml_script_words[] = {
  OPTIONAL("name", "name"), OPTIONAL("set", "name"),         NEEDED("module", "xs:string"),
  NEEDED("kind", "name"),   OPTIONAL("origin", "xs:string"), END
};

const si_xml_word si_xml_recorded_words[] = { OPTIONAL("name", "name"), OPTIONAL("set", "name"),
                                              NEEDED("kind", "name"),
                                              OPTIONAL("origin", "xs:string"), END };

static const si_xml_word kind_words[] = { NEEDED("name", "name"), OPTIONAL("doc", "xs:string"),
                                          END };

static const si_xml_word kind_input_words[] = { NEEDED("name", "name"),
                                                NEEDED("kind", "port_kind"),
                                                OPTIONAL("unit", "xs:string"),
                                                OPTIONAL("doc", "xs:string"),
                                                DEFAULT("optional", "xs:boolean", "false"),
                                                DEFAULT("default", "number", "0"),
                                                END };

static const si_xml_word kind_output_words[] = { NEEDED("name", "name"),
                                                 NEEDED("kind", "port_kind"),
                                                 OPTIONAL("unit", "xs:string"),
                                                 OPTIONAL("doc", "xs:string"), END };

static const si_xml_word kind_parameter_words[] = { NEEDED("name", "name"),
                                                    NEEDED("type", "parameter_type"),
                                                    OPTIONAL("unit", "xs:string"),
                                                    OPTIONAL("doc", "xs:string"),
                                                    DEFAULT("required", "xs:boolean", "false"),
                                                    OPTIONAL("min", "number"),
                                                    OPTIONAL("max", "number"),
                                                    OPTIONAL("default", "numbers"),
                                                    OPTIONAL("mirror", "xs:string"),
                                                    END };

static const si_xml_word kind_hold_words[] = { NEEDED("port", "name"), OPTIONAL("doc", "xs:string"),
                                               END };

static const si_xml_word no_words[] = { END };

const si_xml_list_words si_xml_kind_parts[SI_XML_KIND_PARTS] = {
  [SI_XML_KIND_INPUT] = { "kind_input", "input", kind_input_words },
  [SI_XML_KIND_OUTPUT] = { "kind_output", "output", kind_output_words },
  [SI_XML_KIND_PARAMETER] = { "kind_parameter", "parameter", kind_parameter_words },
  [SI_XML_KIND_HOLD] = { "kind_hold", "hold", kind_hold_words },
  [SI_XML_KIND_PROGRAM] = { NULL, SI_XML_PROGRAM, no_words },
};

const char *si_xml_type_word(sinew_param_type type) {
  static const char *const words[SINEW_PARAM_NONE] = {
    [SINEW_PARAM_NUMBER] = "number",   [SINEW_PARAM_FLAG] = "flag",
    [SINEW_PARAM_VECTOR] = "vector",   [SINEW_PARAM_MATRIX] = "matrix",
    [SINEW_PARAM_NUMBERS] = "numbers", [SINEW_PARAM_VECTORS] = "vectors",
    [SINEW_PARAM_SEGMENT] = "segment", [SINEW_PARAM_COMPONENT] = "component",
    [SINEW_PARAM_TEXT] = "text",       [SINEW_PARAM_CURVE] = "curve",
  };
  return (unsigned)type < SINEW_PARAM_NONE ? words[type] : NULL;
}

const si_xml_word si_xml_shape_words[] = { OPTIONAL("file", "xs:string"),
                                           OPTIONAL("mirrored", "xs:boolean"), END };

const si_xml_word si_xml_solid_words[] = { DEFAULT("cell", "number", "0"),
                                           DEFAULT("mirror", "xs:boolean", "false"),
                                           DEFAULT("fold", "number", "0"), END };

const si_xml_word si_xml_point_words[] = { NEEDED("at", "vector"), DEFAULT("radius", "number", "0"),
                                           END };

const si_xml_word si_xml_part_words[] = { DEFAULT("blend", "number", "0"),
                                          DEFAULT("inner", "number", "0"),
                                          DEFAULT("smooth", "xs:nonNegativeInteger", "0"),
                                          DEFAULT("cut", "xs:boolean", "false"), END };

const si_xml_word si_xml_place_words[] = { OPTIONAL("at", "vector"), OPTIONAL("matrix", "matrix"),
                                           END };

static const si_xml_word joining_words[] = { NEEDED("points", "indices"), END };

static const si_xml_word tube_words[] = { NEEDED("points", "indices"),
                                          DEFAULT("flat", "number", "0"),
                                          DEFAULT("across", "vector", "0 0 0"), END };

static const si_xml_word round_words[] = { NEEDED("points", "indices"), NEEDED("radii", "vector"),
                                           DEFAULT("turn", "vector", "0 0 0"), END };

const si_xml_word *const si_xml_element_words[SINEW_SOLID_KIND_COUNT] = {
  [SINEW_SOLID_BALL] = joining_words,    [SINEW_SOLID_CONE] = joining_words,
  [SINEW_SOLID_WEDGE] = joining_words,   [SINEW_SOLID_TUBE] = tube_words,
  [SINEW_SOLID_ELLIPSOID] = round_words, [SINEW_SOLID_DRUM] = round_words,
};

const si_xml_word si_xml_wire_words[] = { NEEDED("name", "name"), OPTIONAL("from", "source"),
                                          OPTIONAL("value", "numbers"), END };

const si_xml_list_words si_xml_lists[SI_XML_LISTS] = {
  [SI_XML_JOINT_SETS] = { "joint_sets", "joint_set", joint_set_words },
  [SI_XML_SEGMENTS] = { "segments", "segment", segment_words },
  [SI_XML_DOFS] = { "dofs", "dof", dof_words },
  [SI_XML_KINDS] = { "kinds", "kind", kind_words },
  [SI_XML_COMPONENTS] = { "components", NULL, NULL },
};

const si_xml_value si_xml_values[SINEW_PARAM_NONE] = {
  [SINEW_PARAM_NUMBER] = { "number", NULL, "number", "value", 1 },
  [SINEW_PARAM_FLAG] = { "flag", NULL, "xs:boolean", "value", 0 },
  [SINEW_PARAM_VECTOR] = { "vector", NULL, "vector", "value", 3 },
  [SINEW_PARAM_MATRIX] = { "matrix", "matrix", NULL, "value", 4 },
  [SINEW_PARAM_NUMBERS] = { "numbers", "numbers", "number", "value", 1 },
  [SINEW_PARAM_VECTORS] = { "vectors", "numbers", "vector", "value", 3 },
  [SINEW_PARAM_CHOICE] = { "text", NULL, "xs:string", "value", 0 },
  [SINEW_PARAM_SEGMENT] = { "text", NULL, "name", "segment", 0 },
  [SINEW_PARAM_COMPONENT] = { "text", NULL, "xs:string", "component", 0 },
  [SINEW_PARAM_TEXT] = { "text", NULL, "xs:string", "value", 0 },
  [SINEW_PARAM_CURVE] = { "curve", "numbers", NULL, "value", 0 },
  [SINEW_PARAM_OBJECT] = { "text", "xs:base64Binary", NULL, "value", 0 },
};

void si_xml_param_words(sinew_param_type type, bool named, si_xml_word *dest) {
  const si_xml_value *v = &si_xml_values[type];
  if (named) *dest++ = (si_xml_word)NEEDED("name", "name");
  if (v->value) *dest++ = (si_xml_word){ v->attribute, v->value, .required = !v->content };
  if (type == SINEW_PARAM_OBJECT) *dest++ = (si_xml_word)OPTIONAL("file", "xs:string");
  if (type == SINEW_PARAM_CURVE) {
    *dest++ = (si_xml_word)NEEDED("kind", "curve_kind");
    *dest++ = (si_xml_word)OPTIONAL("outside", "curve_outside");
    *dest++ = (si_xml_word)OPTIONAL("scale", "number");
    *dest++ = (si_xml_word)OPTIONAL("offset", "number");
  }
  *dest = (si_xml_word)END;
}
