/* The elements of an OpenSim file as a linked tree, with their name attribute and, if they have no
 * children, their text. Everything is in one arena, and pointers are valid until the tree is
 * freed. */
#ifndef SI_OSIM_TREE_H
#define SI_OSIM_TREE_H

#include "base/arena.h"
#include "base/error_internal.h"

#include <string.h>

enum { SI_OSIM_BYTES = 64 << 20 };

typedef struct si_osim_node {
  const char *tag;
  const char *name; /* the attribute; "" if there is none */
  const char *file; /* the attribute, if its content is in another file; else "" */
  const char *text; /* trimmed; "" if there is none, or if the element has children */
  struct si_osim_node *parent, *child, *last, *next;
  unsigned line;
  bool seen; /* something has read it */
} si_osim_node;

typedef struct si_osim_tree {
  si_arena arena;
  si_osim_node *root;
  const char *version; /* the root's attribute Version; "" if there is none */
} si_osim_tree;

/* Parses `size` bytes with the limits and messages of xml_tree.h. The caller frees the tree, also
 * after a failure. */
sinew_status si_osim_tree_read(si_osim_tree *tree, const char *path, const void *bytes, size_t size,
                               sinew_error *error);
void si_osim_tree_free(si_osim_tree *tree);

/* The first child with that tag, or NULL; `node` may be NULL. Marks nothing as seen. */
si_osim_node *si_osim_child(const si_osim_node *node, const char *tag);
static inline bool si_osim_is(const si_osim_node *node, const char *tag) {
  return strcmp(node->tag, tag) == 0;
}

#endif
