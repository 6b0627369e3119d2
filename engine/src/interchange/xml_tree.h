/* XML as a flat array of elements in the order of the text: an element is followed by its children,
 * and `next` is the index after the last of them. Safe for untrusted files: document types and
 * entities are refused, nothing outside the text is read, and depth and counts are limited. UTF-8
 * only; namespaces are ignored. */
#ifndef SI_XML_TREE_H
#define SI_XML_TREE_H

#include "base/arena.h"
#include "base/error_internal.h"

enum {
  SI_XML_DEPTH = 64,
  SI_XML_NODES = 1 << 21,
  SI_XML_ATTRIBUTES = 64 /* of one element */
};

typedef struct si_xml_attribute {
  const char *name, *value;
} si_xml_attribute;

typedef struct si_xml_node {
  const char *name;
  const char *text; /* its own text, joined; "" if it is only white space */
  const si_xml_attribute *attributes;
  uint32_t attribute_count, child_count;
  uint32_t line, column; /* from 1; the column counts bytes */
  uint32_t next;         /* index of the element after this one and its children */
} si_xml_node;

typedef struct si_xml_tree {
  si_xml_node *nodes; /* the first is the root */
  size_t count, room;
  si_arena arena; /* holds names, texts and attributes */
} si_xml_tree;

/* Reads a text; messages start with `name`, line and column. The caller frees the tree, also after
 * a failure. */
sinew_status si_xml_tree_read(const char *name, const char *text, size_t size, si_xml_tree *dest,
                              sinew_error *error);
void si_xml_tree_free(si_xml_tree *tree);

/* The first child of an element that has children, and the next sibling. */
static inline const si_xml_node *si_xml_first(const si_xml_node *parent) { return parent + 1; }
static inline const si_xml_node *si_xml_after(const si_xml_tree *tree, const si_xml_node *node) {
  return tree->nodes + node->next;
}
/* An attribute's value, or NULL. */
const char *si_xml_attribute_of(const si_xml_node *node, const char *name);

#endif
