/* A text that grows, with what XML needs: escapes, attributes, lists of numbers in lines of a
 * hundred columns. Memory that runs out is remembered and told at the end. */
#ifndef SI_XML_OUT_H
#define SI_XML_OUT_H

#include "error.h"

typedef struct si_out {
  char *text;
  size_t size, room;
  bool failed;
} si_out;

void si_out_add(si_out *out, const char *text);
void si_out_format(si_out *out, const char *format, ...) SI_PRINTF(2, 3);
/* ` name="value"`, escaped; the value must have no fault by si_xml_fault. */
void si_out_attribute(si_out *out, const char *name, const char *value);
/* ` name="1 2.5 3"`. */
void si_out_numbers(si_out *out, const char *name, const float *numbers, size_t count);
/* Numbers as the content of an element, `each` to a group: a few right behind its tag, more of them
 * in lines of their own that are indented by `indent`, and the closing tag by two less. */
void si_out_list(si_out *out, const float *numbers, size_t count, int each, int indent);
void si_out_indices(si_out *out, const uint32_t *numbers, size_t count, int indent);
void si_out_base64(si_out *out, const unsigned char *bytes, size_t size, int indent);
/* Hands the text over, with a zero behind it. */
sinew_status si_out_take(si_out *out, char **dest, size_t *size, sinew_error *error);

/* Why a text cannot stand in XML ("is not UTF-8" ...), or NULL. */
const char *si_xml_fault(const char *text);

#endif
