/* Reading a rig from XML into a builder: joint sets, segments with their shapes, DOFs, and the
 * order of the whole. What only compiling can check carries its place along as origin, so that
 * those messages tell it too. */
#include "interchange/xml_read.h"

#include "base/alloc.h"
#include "interchange/xml_words.h"

#include <stdio.h>

bool si_xml_fail_memory(si_xml_draft *r) {
  si_fail_memory(r->base.error);
  return false;
}

/* a long path is cut on its left, as Lua does */
const char *si_xml_origin(const si_xml_draft *r, const si_xml_node *node, char *dest) {
  size_t length = strlen(r->base.name);
  const char *tail = length > 60 ? r->base.name + length - 57 : r->base.name;
  snprintf(dest, SI_XML_ORIGIN, "%s%s:%u:%u", length > 60 ? "..." : "", tail, (unsigned)node->line,
           (unsigned)node->column);
  return dest;
}

bool si_xml_unknown(si_xml_draft *r, const si_xml_node *node, const si_xml_node *parent,
                    const si_nearest *near) {
  char words[400];
  return si_xml_fail(&r->base, node, SINEW_ERR_NAME, "'%.60s' has no element '%.60s'%s",
                     parent->name, node->name, si_nearest_words(near, words, sizeof words));
}

bool si_xml_no_text(si_xml_draft *r, const si_xml_node *node) {
  return !*node->text ||
         si_xml_fail(&r->base, node, SINEW_ERR_FILE, "'%.60s' holds no text", node->name);
}

bool si_xml_set(si_xml_draft *r, const si_xml_node *node, sinew_joint_set *dest) {
  const char *name = si_xml_attribute_of(node, "set");
  dest->id = name ? si_names_find(&r->sets, name) : 0;
  if (!name || dest->id) return true;
  char words[400];
  si_nearest near;
  si_nearest_start(&near, name);
  const sinew_builder *b = r->xml->builder;
  for (uint32_t i = 1; i <= (uint32_t)sinew_builder_counts(b).joint_sets; i++)
    si_nearest_offer(&near, sinew_builder_joint_set_name(b, (sinew_joint_set){ i }));
  return si_xml_fail(&r->base, node, SINEW_ERR_NAME, "'%.60s': no joint set named '%.100s'%s",
                     node->name, name, si_nearest_words(&near, words, sizeof words));
}

bool si_xml_source(si_xml_draft *r, const si_xml_node *node, const char *name, char *dest,
                   size_t room) {
  if ((size_t)snprintf(dest, room, ".%s", name) < room) return true;
  return si_xml_fail(&r->base, node, SINEW_ERR_NAME, "'%.60s': the name '%.40s...' is too long",
                     node->name, name);
}

/* --- joint sets, segments, DOFs */

static bool read_joint_set(si_xml_draft *r, const si_xml_node *node) {
  static const char *const attributes[] = { "name", NULL };
  char origin[SI_XML_ORIGIN];
  const char *name;
  if (!si_xml_expect(&r->base, node, attributes) || !si_xml_want(&r->base, node, "name", &name) ||
      !si_xml_expect_empty(&r->base, node))
    return false;
  sinew_joint_set set = sinew_builder_add_joint_set(r->xml->builder, name,
                                                    si_xml_origin(r, node, origin), r->base.error);
  if (!set.id) return false;
  /* the tree's text, which outlives the table */
  return si_names_add(&r->sets, name, set.id) || si_xml_fail_memory(r);
}

static bool read_mesh(si_xml_draft *r, const si_xml_node *node, sinew_shape *dest) {
  static const char *const parts[] = { "vertices", "normals", "triangles" };
  static const char *const none[] = { NULL };
  float *vertices = NULL, *normals = NULL;
  uint32_t *triangles = NULL;
  size_t vertex_count = 0, normal_count = 0, index_count = 0;
  const si_xml_node *part = si_xml_first(node);
  bool fine = si_xml_no_text(r, node);
  for (uint32_t i = 0; fine && i < 3; i++, part = si_xml_after(&r->base.tree, part)) {
    if (i >= node->child_count || !si_xml_is(part, parts[i]))
      fine = si_xml_fail(&r->base, node, SINEW_ERR_MISSING,
                         "a shape has 'vertices', 'normals' and 'triangles', in this order");
    fine = fine && si_xml_expect(&r->base, part, none);
    if (fine && part->child_count) fine = si_xml_expect_empty(&r->base, part);
    if (fine && i == 0) fine = si_xml_list(&r->base, part, 3, &vertices, &vertex_count);
    if (fine && i == 1) fine = si_xml_list(&r->base, part, 3, &normals, &normal_count);
    if (fine && i == 2)
      fine = si_xml_indices(&r->base, part, vertex_count / 3, &triangles, &index_count);
  }
  if (fine && node->child_count > 3)
    fine = si_xml_fail(&r->base, part, SINEW_ERR_NAME, "a shape has no second '%.60s'", part->name);
  if (fine && normal_count != vertex_count)
    fine = si_xml_fail(&r->base, node, SINEW_ERR_VALUE, "a shape of %zu vertices has %zu normals",
                       vertex_count / 3, normal_count / 3);
  if (fine && (vertex_count / 3 > SINEW_MESH_VERTICES || index_count / 3 > SINEW_MESH_TRIANGLES))
    fine = si_xml_fail(&r->base, node, SINEW_ERR_LIMIT,
                       "a shape has more than %d vertices or %d "
                       "triangles",
                       SINEW_MESH_VERTICES, SINEW_MESH_TRIANGLES);
  /* freed with the rest, whatever happened */
  *dest = (sinew_shape){ vertices, normals, triangles, (int)(vertex_count / 3),
                         (int)(index_count / 3) };
  return fine;
}

static bool read_shape(si_xml_draft *r, const si_xml_node *node, sinew_xml_shape *dest) {
  static const char *const attributes[] = { "file", "mirrored", NULL };
  const char *file;
  if (!si_xml_expect(&r->base, node, attributes) || !si_xml_file(&r->base, node, &file))
    return false;
  if (si_xml_attribute_of(node, "mirrored") &&
      !si_xml_flag(&r->base, node, "mirrored", &dest->mirrored))
    return false;
  if (!file && dest->mirrored)
    return si_xml_fail(&r->base, node, SINEW_ERR_VALUE, "only a shape in a file can be mirrored");
  if (!file) return read_mesh(r, node, &dest->mesh);
  dest->file = si_strdup(file);
  return dest->file ? si_xml_expect_empty(&r->base, node) : si_xml_fail_memory(r);
}

static bool read_rest(si_xml_draft *r, const si_xml_node *node, float *rest) {
  bool at = si_xml_attribute_of(node, "at"), whole = si_xml_attribute_of(node, "rest");
  int count = 0, wanted = whole ? 16 : 3;
  if (at && whole)
    return si_xml_fail(&r->base, node, SINEW_ERR_VALUE, "give 'rest' or 'at', not both");
  if (!at && !whole) return true;
  if (!si_xml_numbers(&r->base, node, whole ? "rest" : "at", whole ? rest : rest + 12, wanted,
                      &count))
    return false;
  return count == wanted ||
         si_xml_fail(&r->base, node, SINEW_ERR_VALUE, "'%s' of a segment has %d numbers, not %d",
                     whole ? "rest" : "at", count, wanted);
}

static bool read_segment(si_xml_draft *r, const si_xml_node *node) {
  static const char *const attributes[] = { "name", "parent", "set", "at", "rest", "driver", NULL };
  char origin[SI_XML_ORIGIN], driver[512];
  sinew_xml *xml = r->xml;
  sinew_segment_desc desc = sinew_default_segment_desc();
  const char *from = si_xml_attribute_of(node, "driver");
  if (!si_xml_expect(&r->base, node, attributes) || !si_xml_no_text(r, node) ||
      !si_xml_want(&r->base, node, "name", &desc.name) || !si_xml_set(r, node, &desc.joint_set) ||
      !read_rest(r, node, desc.rest) ||
      (from && !si_xml_source(r, node, from, driver, sizeof driver)))
    return false;
  desc.parent = si_xml_attribute_of(node, "parent");
  desc.origin = si_xml_origin(r, node, origin);
  if (!si_grow((void **)&xml->shapes, &xml->shape_room, xml->shape_count + 1, sizeof *xml->shapes))
    return si_xml_fail_memory(r);
  sinew_segment segment = sinew_builder_add_segment(xml->builder, &desc, r->base.error);
  if (!segment.id) return false;
  sinew_xml_shape *shape = &xml->shapes[xml->shape_count++];
  if (from &&
      sinew_builder_drive(xml->builder, segment, driver, desc.origin, r->base.error) != SINEW_OK)
    return false;
  if (!node->child_count) return true;
  const si_xml_node *child = si_xml_first(node);
  si_nearest near;
  si_nearest_start(&near, child->name);
  si_nearest_offer(&near, "shape");
  if (!si_xml_is(child, "shape")) return si_xml_unknown(r, child, node, &near);
  if (node->child_count > 1)
    return si_xml_fail(&r->base, si_xml_after(&r->base.tree, child), SINEW_ERR_NAME,
                       "a segment has one shape and nothing else");
  return read_shape(r, child, shape);
}

static bool read_dof(si_xml_draft *r, const si_xml_node *node) {
  static const char *const attributes[] = { "name", "set",  "min",   "max",
                                            "rest", "unit", "label", NULL };
  char origin[SI_XML_ORIGIN];
  sinew_xml *xml = r->xml;
  sinew_dof_desc desc = sinew_default_dof_desc();
  const char *label = si_xml_attribute_of(node, "label");
  if (!si_xml_expect(&r->base, node, attributes) || !si_xml_expect_empty(&r->base, node) ||
      !si_xml_want(&r->base, node, "name", &desc.name) || !si_xml_set(r, node, &desc.joint_set) ||
      !si_xml_number(&r->base, node, "min", &desc.min) ||
      !si_xml_number(&r->base, node, "max", &desc.max) ||
      !si_xml_number(&r->base, node, "rest", &desc.rest))
    return false;
  desc.rest_given = si_xml_attribute_of(node, "rest") != NULL;
  desc.unit = si_xml_attribute_of(node, "unit");
  desc.origin = si_xml_origin(r, node, origin);
  if (!si_grow((void **)&xml->labels, &xml->label_room, xml->label_count + 1, sizeof *xml->labels))
    return si_xml_fail_memory(r);
  if (!sinew_builder_add_dof(xml->builder, &desc, r->base.error).id) return false;
  char **kept = &xml->labels[xml->label_count++];
  if (label) *kept = si_strdup(label);
  return !label || *kept || si_xml_fail_memory(r);
}

/* --- the whole */

static bool read_list(si_xml_draft *r, const si_xml_node *list, int which) {
  static bool (*const read_one[])(si_xml_draft *, const si_xml_node *) = { read_joint_set,
                                                                           read_segment, read_dof,
                                                                           si_xml_component };
  static const char *const none[] = { NULL };
  if (!si_xml_expect(&r->base, list, none) || !si_xml_no_text(r, list)) return false;
  if (list->child_count > SINEW_XML_ITEMS)
    return si_xml_fail(&r->base, list, SINEW_ERR_LIMIT, "there are %u %s, more than %d",
                       (unsigned)list->child_count, list->name, SINEW_XML_ITEMS);
  const si_xml_node *item = si_xml_first(list);
  for (uint32_t i = 0; i < list->child_count; i++, item = si_xml_after(&r->base.tree, item)) {
    if (which < 3 && !si_xml_is(item, si_xml_items[which])) {
      si_nearest near;
      si_nearest_start(&near, item->name);
      si_nearest_offer(&near, si_xml_items[which]);
      return si_xml_unknown(r, item, list, &near);
    }
    if (!read_one[which](r, item)) return false;
  }
  return true;
}

static bool fixed(si_xml_draft *r, const si_xml_node *node, const char *attribute,
                  const char *wanted) {
  const char *given = si_xml_attribute_of(node, attribute);
  return !given || strcmp(given, wanted) == 0 ||
         si_xml_fail(&r->base, node, SINEW_ERR_VALUE, "'%s' is '%.40s'; only '%s' is read",
                     attribute, given, wanted);
}

static bool check_root(si_xml_draft *r, const si_xml_node *root) {
  static const char *const attributes[] = { "version", "name",      "length",
                                            "angle",   "xmlns:xsi", "xsi:noNamespaceSchemaLocation",
                                            NULL };
  char known[16];
  const char *version, *name;
  snprintf(known, sizeof known, "%d", SINEW_XML_VERSION);
  if (!si_xml_is(root, SI_XML_RIG))
    return si_xml_fail(&r->base, root, SINEW_ERR_NAME,
                       "this is no rig: the first element is '%.60s', not '" SI_XML_RIG "'",
                       root->name);
  if (!si_xml_want(&r->base, root, "version", &version)) return false;
  if (strcmp(version, known) != 0)
    return si_xml_fail(&r->base, root, SINEW_ERR_FILE,
                       "version '%.40s' of the format is not known; this program reads version %s",
                       version, known);
  return si_xml_expect(&r->base, root, attributes) && si_xml_no_text(r, root) &&
         si_xml_want(&r->base, root, "name", &name) && fixed(r, root, "length", "m") &&
         fixed(r, root, "angle", "deg");
}

static bool read_lists(si_xml_draft *r, const si_xml_node *root) {
  const si_xml_node *list = si_xml_first(root);
  int last = -1;
  for (uint32_t i = 0; i < root->child_count; i++, list = si_xml_after(&r->base.tree, list)) {
    int which = 0;
    si_nearest near;
    si_nearest_start(&near, list->name);
    while (which < 4 && !si_xml_is(list, si_xml_lists[which]))
      si_nearest_offer(&near, si_xml_lists[which++]);
    if (which == 4) return si_xml_unknown(r, list, root, &near);
    if (which <= last)
      return si_xml_fail(&r->base, list, SINEW_ERR_FILE,
                         "'%s' stands twice or too late: the order is %s, %s, %s, %s", list->name,
                         si_xml_lists[0], si_xml_lists[1], si_xml_lists[2], si_xml_lists[3]);
    last = which;
    if (!read_list(r, list, which)) return false;
  }
  return true;
}

sinew_xml *sinew_xml_parse(const char *name, const void *text, size_t size, sinew_error *error) {
  sinew_error local;
  if (!error) error = &local;
  sinew_error_clear(error);
  if (!SI_EXPECT(name && (text || !size))) return NULL;
  if (size > SINEW_XML_BYTES) {
    si_fail(error, SINEW_ERR_LIMIT, "%s: has more than %d bytes", name, SINEW_XML_BYTES);
    return NULL;
  }
  si_xml_draft r = { .base = { .name = name, .error = error } };
  bool fine = si_xml_tree_read(name, text, size, &r.base.tree, error) == SINEW_OK;
  const si_xml_node *root = r.base.tree.nodes;
  fine = fine && check_root(&r, root);
  r.xml = fine ? si_alloc(sizeof *r.xml) : NULL;
  if (fine && !r.xml) fine = si_xml_fail_memory(&r);
  if (fine) {
    r.xml->builder = sinew_builder_create(si_xml_attribute_of(root, "name"), error);
    fine = r.xml->builder && read_lists(&r, root);
  }
  si_names_free(&r.sets);
  si_xml_tree_free(&r.base.tree);
  if (fine) return r.xml;
  sinew_xml_destroy(r.xml);
  return NULL;
}
