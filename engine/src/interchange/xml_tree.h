/* XML as a flat list of elements in the order of the text: an element is followed by what is in it,
 * and `next` leads past that. For files by strangers: a document type or an entity is refused
 * before it can do anything, nothing outside the text is read, and depth and counts are bounded.
 * Only UTF-8 is read. Namespaces are not looked at. */
#ifndef SI_XML_TREE_H
#define SI_XML_TREE_H

#include "base/arena.h"
#include "base/error_internal.h"

enum {
  SI_XML_DEPTH = 64,
  SI_XML_NODES = 1 << 19,
  SI_XML_ATTRIBUTES = 64 /* of one element */
};

typedef struct si_xml_attribute {
  const char *name, *value;
} si_xml_attribute;

typedef struct si_xml_node {
  const char *name;
  const char *text; /* the text directly in it, in one piece; "" where it is only white space */
  const si_xml_attribute *attributes;
  uint32_t attribute_count, child_count;
  uint32_t line, column; /* from 1; the column counts bytes */
  uint32_t next;         /* the place of the element after this one and all in it */
} si_xml_node;

typedef struct si_xml_tree {
  si_xml_node *nodes; /* the first is the root */
  size_t count, room;
  si_arena arena; /* where names, texts and attributes are */
} si_xml_tree;

/* Reads a text; `name` stands before messages, with line and column. The tree is the caller's to
 * free, also after a failure. */
sinew_status si_xml_tree_read(const char *name, const char *text, size_t size, si_xml_tree *dest,
                              sinew_error *error);
void si_xml_tree_free(si_xml_tree *tree);

/* The first element in another that has some, and the one after `node` on the same level. */
static inline const si_xml_node *si_xml_first(const si_xml_node *parent) { return parent + 1; }
static inline const si_xml_node *si_xml_after(const si_xml_tree *tree, const si_xml_node *node) {
  return tree->nodes + node->next;
}
/* An attribute's value, or NULL. */
const char *si_xml_attribute_of(const si_xml_node *node, const char *name);

#endif
