/* See osim_tree.h. The engine's xml_tree.h parses the file; it is the only private header beyond
 * base and math that is used outside of the engine. The functions here turn its flat list of
 * elements into a linked tree. */
#include "lua/osim/osim_tree.h"

#include "base/alloc.h"
#include "interchange/xml_tree.h"

void si_osim_tree_free(si_osim_tree *tree) {
  si_arena_free(&tree->arena);
  *tree = (si_osim_tree){ 0 };
}

si_osim_node *si_osim_child(const si_osim_node *node, const char *tag) {
  si_osim_node *child = node ? node->child : NULL;
  while (child && strcmp(child->tag, tag) != 0) child = child->next;
  return child;
}

/* trims white space around a text of the arena; copies it only if its end is cut off */
static const char *trimmed(si_arena *arena, const char *text) {
  static const char blanks[] = " \t\r\n";
  text += strspn(text, blanks);
  size_t whole = strlen(text), length = whole;
  while (length > 0 && strchr(blanks, text[length - 1])) length--;
  return length == whole ? text : si_arena_text(arena, text, length);
}

static const char *attribute(si_arena *arena, const si_xml_node *node, const char *name) {
  const char *value = si_xml_attribute_of(node, name);
  return value ? trimmed(arena, value) : "";
}

static bool copy_node(si_arena *arena, const si_xml_node *from, si_osim_node *node) {
  node->tag = from->name;
  node->line = from->line;
  node->name = attribute(arena, from, "name");
  node->file = attribute(arena, from, "file");
  node->text = from->child_count ? "" : trimmed(arena, from->text);
  return node->name && node->file && node->text;
}

static void hang(si_osim_node *parent, si_osim_node *node) {
  node->parent = parent;
  if (!parent) return;
  if (parent->last)
    parent->last->next = node;
  else
    parent->child = node;
  parent->last = node;
}

/* false when memory runs out */
static bool link_nodes(si_osim_tree *tree, const si_xml_tree *xml) {
  si_osim_node *nodes = si_arena_take(&tree->arena, xml->count * sizeof *nodes), *open = NULL;
  if (!nodes) return false;
  for (size_t i = 0; i < xml->count; i++) {
    if (!copy_node(&tree->arena, &xml->nodes[i], &nodes[i])) return false;
    while (open && xml->nodes[open - nodes].next <= i) open = open->parent;
    hang(open, &nodes[i]);
    open = &nodes[i];
  }
  tree->root = nodes;
  tree->version = attribute(&tree->arena, xml->nodes, "Version");
  return tree->version != NULL;
}

sinew_status si_osim_tree_read(si_osim_tree *tree, const char *path, const void *bytes, size_t size,
                               sinew_error *error) {
  *tree = (si_osim_tree){ .version = "" };
  if (size > SI_OSIM_BYTES)
    return si_fail(error, SINEW_ERR_LIMIT, "%s: more than %d bytes", path, SI_OSIM_BYTES);
  si_xml_tree xml;
  sinew_status status = si_xml_tree_read(path, bytes, size, &xml, error);
  /* keeps names and texts, frees the flat list */
  tree->arena = xml.arena;
  xml.arena = (si_arena){ 0 };
  if (status == SINEW_OK && !link_nodes(tree, &xml)) status = si_fail_memory(error);
  si_xml_tree_free(&xml);
  return status;
}
