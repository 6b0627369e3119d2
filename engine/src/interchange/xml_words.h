/* The vocabulary of the XML format, shared by the writer, the reader and the schema.
 *
 * A `rig` holds five lists in order. A component is an element named after its kind, or
 * SI_XML_SCRIPT with `module` and `kind`, or SI_XML_RECORDED with the `kind` of one in the list of
 * kinds. It contains its wires, elements named after the input with `from` (a full name) or
 * `value`, and its parameters, elements named after the parameter. A parameter that the author
 * named is an element named like the class's `named`, with that name as an attribute. In a
 * SI_XML_SCRIPT and a SI_XML_RECORDED, wires are `input` elements and parameters are elements named
 * after their type, both with a name.
 *
 * A `kind` has `input`s, `output`s, `parameter`s and `hold`s, in this order, and may end with the
 * SI_XML_PROGRAM of those components that have none of their own. */
#ifndef SI_XML_WORDS_H
#define SI_XML_WORDS_H

#include "sinew/component.h"
#include "sinew/solid.h"

#define SI_XML_RIG      "rig"
#define SI_XML_SCRIPT   "script"
#define SI_XML_RECORDED "recorded"
#define SI_XML_PROGRAM  "program"
/* the object parameter of a component that a file describes by its program */
#define SI_XML_SELF     "self"

/* an attribute; tables of them end with a NULL name */
typedef struct si_xml_word {
  const char *name, *type; /* type: in the schema */
  bool required;
  const char *fallback; /* the default in the schema, or NULL */
} si_xml_word;

/* a kind of list with its items; components have the attributes of si_xml_component_words */
typedef struct si_xml_list_words {
  const char *list, *item;
  const si_xml_word *words;
} si_xml_list_words;

enum {
  SI_XML_JOINT_SETS,
  SI_XML_SEGMENTS,
  SI_XML_DOFS,
  SI_XML_KINDS,
  SI_XML_COMPONENTS,
  SI_XML_LISTS
};
extern const si_xml_list_words si_xml_lists[SI_XML_LISTS];
extern const si_xml_word si_xml_shape_words[];
/* A solid is `point`s, then `part`s, which hold elements named after their kind, then any number of
 * `place`s; without one it is where it is described. */
extern const si_xml_word si_xml_solid_words[], si_xml_point_words[], si_xml_part_words[];
extern const si_xml_word si_xml_place_words[];
extern const si_xml_word *const si_xml_element_words[SINEW_SOLID_KIND_COUNT];
extern const si_xml_word si_xml_script_words[], si_xml_component_words[], si_xml_recorded_words[];
/* the parts of a kind, in order; a program has no attributes */
enum {
  SI_XML_KIND_INPUT,
  SI_XML_KIND_OUTPUT,
  SI_XML_KIND_PARAMETER,
  SI_XML_KIND_HOLD,
  SI_XML_KIND_PROGRAM,
  SI_XML_KIND_PARTS
};
extern const si_xml_list_words si_xml_kind_parts[SI_XML_KIND_PARTS];
/* the word for the type of a kind's parameter; NULL: it has none */
const char *si_xml_type_word(sinew_param_type type);
/* of a wire in a SI_XML_SCRIPT; without the name in other components */
extern const si_xml_word si_xml_wire_words[];

/* how the value of a parameter is written */
typedef struct si_xml_value {
  const char *word;      /* the element in a SI_XML_SCRIPT, where choices and names are texts */
  const char *content;   /* the schema type of the element's content; NULL: it is empty */
  const char *value;     /* the schema type of the attribute; NULL: there is none */
  const char *attribute; /* which attribute that is */
  int each;              /* numbers in the attribute, or in a group of the content */
} si_xml_value;
extern const si_xml_value si_xml_values[SINEW_PARAM_NONE];

/* The attributes of a parameter, at most SI_XML_PARAM_WORDS with the NULL at the end; `named` adds
 * the name that its author chose. */
enum { SI_XML_PARAM_WORDS = 6 };
void si_xml_param_words(sinew_param_type type, bool named, si_xml_word *dest);

#endif
