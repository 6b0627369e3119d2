/* An OpenSim file's elements, linked: with their name attribute and, where nothing is inside them,
 * their text. Everything lives in one arena and stays where it is until the tree is freed. */
#ifndef SI_OSIM_TREE_H
#define SI_OSIM_TREE_H

#include "base/arena.h"
#include "base/error_internal.h"

#include <string.h>

enum { SI_OSIM_BYTES = 64 << 20 };

typedef struct si_osim_node {
  const char *tag;
  const char *name; /* the attribute; "" where there is none */
  const char *file; /* the attribute, where its content is in another file; "" mostly */
  const char *text; /* without white space around it; "" where there is none, or elements inside */
  struct si_osim_node *parent, *child, *last, *next;
  unsigned line;
  bool seen; /* something was made of it */
} si_osim_node;

typedef struct si_osim_tree {
  si_arena arena;
  si_osim_node *root;
  const char *version; /* the root's attribute Version; "" where there is none */
} si_osim_tree;

/* Reads `size` bytes as xml_tree.h does, with its bounds and messages. The tree is the caller's to
 * free, also after a failure. */
sinew_status si_osim_tree_read(si_osim_tree *tree, const char *path, const void *bytes, size_t size,
                               sinew_error *error);
void si_osim_tree_free(si_osim_tree *tree);

/* The first child of that tag, or NULL, also where `node` is NULL; neither is marked as seen. */
si_osim_node *si_osim_child(const si_osim_node *node, const char *tag);
static inline bool si_osim_is(const si_osim_node *node, const char *tag) {
  return strcmp(node->tag, tag) == 0;
}

#endif
