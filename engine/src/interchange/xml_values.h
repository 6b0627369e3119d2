/* Values in an XML file: an element's attributes and content as parameters. Each function reports
 * the first mistake with its place and gives false. */
#ifndef SI_XML_VALUES_H
#define SI_XML_VALUES_H

#include "sinew/component.h"
#include "interchange/xml_tree.h"

typedef struct si_xml_reader {
  const char *name; /* of the file, for messages */
  si_xml_tree tree;
  sinew_error *error;
} si_xml_reader;

/* "knee.xml:12:5: ..." and false. */
bool si_xml_fail(si_xml_reader *r, const si_xml_node *node, sinew_status status, const char *format,
                 ...) SI_PRINTF(4, 5);

/* Whether all attributes are among `names`, which a NULL ends. */
bool si_xml_expect(si_xml_reader *r, const si_xml_node *node, const char *const *names);
/* Whether nothing but white space and no element stands in it. */
bool si_xml_expect_empty(si_xml_reader *r, const si_xml_node *node);
/* An attribute that must be there. */
bool si_xml_want(si_xml_reader *r, const si_xml_node *node, const char *attribute,
                 const char **dest);
/* An attribute of at most `most` numbers, at least one; `count` gets how many. */
bool si_xml_numbers(si_xml_reader *r, const si_xml_node *node, const char *attribute, float *dest,
                    int most, int *count);
/* One number that has a default. */
bool si_xml_number(si_xml_reader *r, const si_xml_node *node, const char *attribute, float *dest);
/* "true", "false", "1" or "0". */
bool si_xml_flag(si_xml_reader *r, const si_xml_node *node, const char *attribute, bool *dest);
/* Numbers in the content, in a block for the caller to free; the count is a multiple of `each`. */
bool si_xml_list(si_xml_reader *r, const si_xml_node *node, size_t each, float **dest,
                 size_t *count);
/* Whole numbers below `below`, in threes. */
bool si_xml_indices(si_xml_reader *r, const si_xml_node *node, size_t below, uint32_t **dest,
                    size_t *count);
/* The name of a file, relative and below the folder of the XML file; NULL where there is none. */
bool si_xml_file(si_xml_reader *r, const si_xml_node *node, const char **dest);
/* Base64 content. */
bool si_xml_bytes(si_xml_reader *r, const si_xml_node *node, unsigned char **dest, size_t *size);

/* The parameter of that type in an element; `named` lets an attribute `name` stand beside. What it
 * points to is freed by si_xml_param_free, texts are the tree's. A file for an object is left in
 * `file`, with no object. */
bool si_xml_param(si_xml_reader *r, const si_xml_node *node, sinew_param_type type, bool named,
                  sinew_param *dest, const char **file);
void si_xml_param_free(sinew_param *param);

#endif
