/* Writing XML: escaped attributes, lists of numbers wrapped at 100 columns, and base64. */
#ifndef SI_XML_OUT_H
#define SI_XML_OUT_H

#include "base/text.h"
#include "sinew/component.h"
#include "sinew/error.h"
#include "sinew/solid.h"

/* Text with &, <, >, " and control characters escaped; what XML does not allow becomes U+FFFD. */
void si_out_escaped(si_text *out, const char *words);
void si_out_escaped_n(si_text *out, const char *words, size_t size);
/* ` name="value"`, escaped; si_xml_fault must find nothing wrong with the value. */
void si_out_attribute(si_text *out, const char *name, const char *value);
/* ` name="1 2.5 3"`. */
void si_out_numbers(si_text *out, const char *name, const float *numbers, size_t count);
/* A rigid or other transform: nothing if it is the identity, ` at="1 2 3"` if it is a translation,
 * or all of it as the attribute `name`. */
void si_out_frame(si_text *out, const char *name, const float matrix[16]);
/* xml_solid.c: a solid as one or more elements, on lines indented by `indent`. */
void si_out_solid(si_text *out, const sinew_solid *solid, int indent);
/* xml_kind.c: a kind of recorded components, with the text of the program that most of them have.
 * False, with `error` filled, if it cannot be written. */
bool si_out_kind(si_text *out, const sinew_component_class *cls, const char *program,
                 sinew_error *error);
/* A program as an element on lines of its own; si_xml_fault must find nothing wrong with it. */
void si_out_program(si_text *out, const char *program, int indent);
/* Numbers as the content of an element, in groups of `each`: a short list follows its tag on the
 * same line; a long one gets lines indented by `indent`, and its closing tag is indented by two
 * less. */
void si_out_list(si_text *out, const float *numbers, size_t count, int each, int indent);
void si_out_indices(si_text *out, const uint32_t *numbers, size_t count, int indent);
void si_out_base64(si_text *out, const unsigned char *bytes, size_t size, int indent);
/* Why XML cannot hold a text ("is not UTF-8" ...), or NULL. */
const char *si_xml_fault(const char *text);

#endif
