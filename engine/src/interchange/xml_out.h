/* What XML needs of a growing text: attributes with escapes, lists of numbers in lines of a hundred
 * columns, bytes. */
#ifndef SI_XML_OUT_H
#define SI_XML_OUT_H

#include "base/text.h"

/* ` name="value"`, escaped; the value must have no fault by si_xml_fault. */
void si_out_attribute(si_text *out, const char *name, const char *value);
/* ` name="1 2.5 3"`. */
void si_out_numbers(si_text *out, const char *name, const float *numbers, size_t count);
/* Numbers as the content of an element, `each` to a group: a few right behind its tag, more of them
 * in lines of their own that are indented by `indent`, and the closing tag by two less. */
void si_out_list(si_text *out, const float *numbers, size_t count, int each, int indent);
void si_out_indices(si_text *out, const uint32_t *numbers, size_t count, int indent);
void si_out_base64(si_text *out, const unsigned char *bytes, size_t size, int indent);
/* Why a text cannot stand in XML ("is not UTF-8" ...), or NULL. */
const char *si_xml_fault(const char *text);

#endif
