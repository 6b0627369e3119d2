/* Words of the XML format that the writer, the reader and the schema share. */
#ifndef SI_XML_WORDS_H
#define SI_XML_WORDS_H

#include "sinew/component.h"

/* Elements: `rig` holds these four in order, each a list. A component is an element named like its
 * kind, or SI_XML_SCRIPT with `module` and `kind`. In it stand its wires, elements named like the
 * input with `from` (a name in full) or `value`, and its parameters, elements named like the
 * parameter; a parameter with a name of the author's choosing is an element named like the class's
 * `named` with that name as an attribute. In a SI_XML_SCRIPT, wires are `input` with a name, and
 * parameters are named like their type with a name. */
#define SI_XML_RIG    "rig"
#define SI_XML_SCRIPT "script"
static const char *const si_xml_lists[] = { "joint_sets", "segments", "dofs", "components" };
static const char *const si_xml_items[] = { "joint_set", "segment", "dof" };

/* What a parameter's type is called in a SI_XML_SCRIPT, where words and names are texts. */
static inline const char *si_xml_type(sinew_param_type type) {
  switch (type) {
  case SINEW_PARAM_NUMBER: return "number";
  case SINEW_PARAM_FLAG: return "flag";
  case SINEW_PARAM_VECTOR: return "vector";
  case SINEW_PARAM_MATRIX: return "matrix";
  case SINEW_PARAM_NUMBERS: return "numbers";
  case SINEW_PARAM_VECTORS: return "vectors";
  case SINEW_PARAM_CURVE: return "curve";
  default: return "text";
  }
}

/* The attribute that holds a value which is a word or a name. */
static inline const char *si_xml_word(sinew_param_type type) {
  return type == SINEW_PARAM_SEGMENT     ? "segment"
         : type == SINEW_PARAM_COMPONENT ? "component"
                                         : "value";
}

#endif
