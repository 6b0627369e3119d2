/* Reading a rig from XML into a builder: joint sets, segments with their shapes, DOFs. Each item
 * gets its line and column as origin, so that errors found while compiling name them too. */
#include "interchange/xml_read.h"

#include "base/alloc.h"
#include "base/budget_internal.h"

#include <stdio.h>
#include <stdlib.h>

/* what the file says, else its own line; a long path loses its beginning, as in Lua */
const char *si_xml_origin(const si_xml_reader *r, const si_xml_node *node, char *dest) {
  const char *written = si_xml_attribute_of(node, "origin");
  if (written) {
    snprintf(dest, SI_XML_ORIGIN, "%s", written);
    return dest;
  }
  size_t length = strlen(r->name);
  const char *tail = length > 60 ? r->name + length - 57 : r->name;
  snprintf(dest, SI_XML_ORIGIN, "%s%s:%u:%u", length > 60 ? "..." : "", tail, (unsigned)node->line,
           (unsigned)node->column);
  return dest;
}

bool si_xml_unknown(si_xml_reader *r, const si_xml_node *node, const si_xml_node *parent,
                    const si_nearest *near) {
  char words[400];
  return si_xml_fail(r, node, SINEW_ERR_NAME, "'%.60s' has no element '%.60s'%s", parent->name,
                     node->name, si_nearest_words(near, words, sizeof words));
}

bool si_xml_no_text(si_xml_reader *r, const si_xml_node *node) {
  return !*node->text ||
         si_xml_fail(r, node, SINEW_ERR_FILE, "unexpected text in '%.60s'", node->name);
}

bool si_xml_keep(si_xml_reader *r, const char *text, char **dest) {
  *dest = si_arena_text(&r->xml->texts, text, strlen(text));
  return *dest || si_xml_fail_memory(r);
}

bool si_xml_set(si_xml_reader *r, const si_xml_node *node, sinew_joint_set *dest) {
  const char *name = si_xml_attribute_of(node, "set");
  dest->id = name ? si_names_find(&r->sets, name) : 0;
  if (!name || dest->id) return true;
  char words[400];
  si_nearest near;
  si_nearest_start(&near, name);
  const sinew_builder *b = r->xml->builder;
  for (uint32_t i = 1; i <= (uint32_t)sinew_builder_counts(b).joint_sets; i++)
    si_nearest_offer(&near, sinew_builder_joint_set_name(b, (sinew_joint_set){ i }));
  return si_xml_fail(r, node, SINEW_ERR_NAME, "'%.60s': no joint set named '%.100s'%s", node->name,
                     name, si_nearest_words(&near, words, sizeof words));
}

bool si_xml_source(si_xml_reader *r, const si_xml_node *node, const char *name, char *dest,
                   size_t room) {
  if ((size_t)snprintf(dest, room, ".%s", name) < room) return true;
  return si_xml_fail(r, node, SINEW_ERR_NAME, "'%.60s': the name '%.40s...' is too long",
                     node->name, name);
}

/* --- joint sets, segments, DOFs */

static bool read_joint_set(si_xml_reader *r, const si_xml_node *node) {
  char origin[SI_XML_ORIGIN];
  const char *name = si_xml_attribute_of(node, "name");
  if (!si_xml_expect_empty(r, node)) return false;
  sinew_joint_set set =
      sinew_builder_add_joint_set(r->xml->builder, name, si_xml_origin(r, node, origin), r->error);
  if (!set.id) return false;
  /* the name belongs to the tree, which outlives the table */
  return si_names_add(&r->sets, name, set.id) || si_xml_fail_memory(r);
}

static bool read_mesh(si_xml_reader *r, const si_xml_node *node, sinew_shape *dest) {
  static const char *const parts[] = { "vertices", "normals", "triangles" };
  static const si_xml_word none = { .name = NULL };
  float *vertices = NULL, *normals = NULL;
  uint32_t *triangles = NULL;
  size_t vertex_count = 0, normal_count = 0, index_count = 0;
  const si_xml_node *part = si_xml_first(node);
  bool fine = si_xml_no_text(r, node);
  for (uint32_t i = 0; fine && i < 3; i++, part = si_xml_after(&r->tree, part)) {
    if (i >= node->child_count || !si_xml_is(part, parts[i]))
      fine = si_xml_fail(r, node, SINEW_ERR_MISSING,
                         "a shape has 'vertices', 'normals' and 'triangles', in this order, or "
                         "'solid' elements");
    fine = fine && si_xml_expect(r, part, &none);
    if (fine && part->child_count) fine = si_xml_expect_empty(r, part);
    if (fine && i == 0) fine = si_xml_list(r, part, 3, &vertices, &vertex_count);
    if (fine && i == 1) fine = si_xml_list(r, part, 3, &normals, &normal_count);
    if (fine && i == 2)
      fine = si_xml_triangles(r, part, vertex_count / 3, &triangles, &index_count);
  }
  if (fine && node->child_count > 3)
    fine = si_xml_fail(r, part, SINEW_ERR_NAME, "unexpected '%.60s' in a shape", part->name);
  if (fine && normal_count != vertex_count)
    fine = si_xml_fail(r, node, SINEW_ERR_VALUE, "a shape has %zu vertices but %zu normals",
                       vertex_count / 3, normal_count / 3);
  if (fine && (vertex_count / 3 > SINEW_MESH_VERTICES || index_count / 3 > SINEW_MESH_TRIANGLES))
    fine = si_xml_fail(r, node, SINEW_ERR_LIMIT,
                       "a shape has more than %d vertices or %d "
                       "triangles",
                       SINEW_MESH_VERTICES, SINEW_MESH_TRIANGLES);
  /* a shape of nothing is a shape: the segment is not seen */
  if (fine && !vertices && !(vertices = si_alloc(sizeof *vertices))) fine = si_xml_fail_memory(r);
  /* freed with the sinew_xml, also on failure */
  *dest = (sinew_shape){ vertices, normals, triangles, (int)(vertex_count / 3),
                         (int)(index_count / 3) };
  return fine;
}

static bool read_shape(si_xml_reader *r, const si_xml_node *node, sinew_xml_shape *dest) {
  const char *file;
  char *kept;
  if (!si_xml_expect(r, node, si_xml_shape_words) || !si_xml_file(r, node, &file)) return false;
  if (!si_xml_flag(r, node, "mirrored", &dest->mirrored)) return false;
  if (!file && dest->mirrored)
    return si_xml_fail(r, node, SINEW_ERR_VALUE, "only a shape in a file can be mirrored");
  if (!file && node->child_count && si_xml_is(si_xml_first(node), "solid"))
    return si_xml_solid(r, node, &dest->solid);
  if (!file) return read_mesh(r, node, &dest->mesh);
  if (!si_xml_keep(r, file, &kept)) return false;
  dest->file = kept;
  return si_xml_expect_empty(r, node);
}

static bool read_mass(si_xml_reader *r, const si_xml_node *node, sinew_segment_desc *dest) {
  if (!si_xml_number(r, node, "mass", &dest->mass)) return false;
  if (!si_xml_attribute_of(node, "mass_at")) return true;
  if (!si_xml_attribute_of(node, "mass"))
    return si_xml_fail(r, node, SINEW_ERR_MISSING, "'mass_at' of 'segment' needs a 'mass'");
  return si_xml_exactly(r, node, "mass_at", dest->mass_at, 3);
}

static bool read_segment(si_xml_reader *r, const si_xml_node *node) {
  char origin[SI_XML_ORIGIN], driver[512];
  sinew_xml *xml = r->xml;
  sinew_segment_desc desc = sinew_default_segment_desc();
  const char *from = si_xml_attribute_of(node, "driver");
  if (!si_xml_no_text(r, node) || !si_xml_set(r, node, &desc.joint_set) ||
      !si_xml_frame(r, node, "rest", desc.rest) || !read_mass(r, node, &desc) ||
      (from && !si_xml_source(r, node, from, driver, sizeof driver)))
    return false;
  desc.name = si_xml_attribute_of(node, "name");
  desc.parent = si_xml_attribute_of(node, "parent");
  desc.origin = si_xml_origin(r, node, origin);
  if (!si_grow(&xml->shapes, &xml->shape_room, xml->shape_count + 1, sizeof *xml->shapes))
    return si_xml_fail_memory(r);
  sinew_segment segment = sinew_builder_add_segment(xml->builder, &desc, r->error);
  if (!segment.id) return false;
  sinew_xml_shape *shape = &xml->shapes[xml->shape_count++];
  if (from && sinew_builder_drive(xml->builder, segment, driver, desc.origin, r->error) != SINEW_OK)
    return false;
  if (!node->child_count) return true;
  const si_xml_node *child = si_xml_first(node);
  si_nearest near;
  si_nearest_start(&near, child->name);
  si_nearest_offer(&near, "shape");
  if (!si_xml_is(child, "shape")) return si_xml_unknown(r, child, node, &near);
  if (node->child_count > 1)
    return si_xml_fail(r, si_xml_after(&r->tree, child), SINEW_ERR_NAME,
                       "a segment has at most one shape and no other elements");
  return read_shape(r, child, shape);
}

static bool read_dof(si_xml_reader *r, const si_xml_node *node) {
  char origin[SI_XML_ORIGIN];
  sinew_xml *xml = r->xml;
  sinew_dof_desc desc = sinew_default_dof_desc();
  const char *label = si_xml_attribute_of(node, "label");
  if (!si_xml_expect_empty(r, node) || !si_xml_set(r, node, &desc.joint_set) ||
      !si_xml_number(r, node, "min", &desc.min) || !si_xml_number(r, node, "max", &desc.max) ||
      !si_xml_number(r, node, "rest", &desc.rest) ||
      !si_xml_number(r, node, "stiffness", &desc.stiffness))
    return false;
  desc.name = si_xml_attribute_of(node, "name");
  desc.rest_given = si_xml_attribute_of(node, "rest") != NULL;
  desc.unit = si_xml_attribute_of(node, "unit");
  desc.origin = si_xml_origin(r, node, origin);
  if (!si_grow(&xml->labels, &xml->label_room, xml->label_count + 1, sizeof *xml->labels))
    return si_xml_fail_memory(r);
  if (!sinew_builder_add_dof(xml->builder, &desc, r->error).id) return false;
  char **kept = &xml->labels[xml->label_count++];
  return !label || si_xml_keep(r, label, kept);
}

/* --- the whole */

static bool read_list(si_xml_reader *r, const si_xml_node *list, int which) {
  static bool (*const read_one[])(si_xml_reader *,
                                  const si_xml_node *) = { read_joint_set, read_segment, read_dof,
                                                           si_xml_read_kind, si_xml_component };
  static const si_xml_word none = { .name = NULL };
  const si_xml_list_words *words = &si_xml_lists[which];
  if (!si_xml_expect(r, list, &none) || !si_xml_no_text(r, list)) return false;
  if (list->child_count > SINEW_XML_ITEMS)
    return si_xml_fail(r, list, SINEW_ERR_LIMIT, "there are %u %s, more than %d",
                       (unsigned)list->child_count, list->name, SINEW_XML_ITEMS);
  const si_xml_node *item = si_xml_first(list);
  for (uint32_t i = 0; i < list->child_count; i++, item = si_xml_after(&r->tree, item)) {
    if (!si_work(80)) return si_xml_fail_memory(r);
    if (words->item && !si_xml_is(item, words->item)) {
      si_nearest near;
      si_nearest_start(&near, item->name);
      si_nearest_offer(&near, words->item);
      return si_xml_unknown(r, item, list, &near);
    }
    if (words->words && !si_xml_expect(r, item, words->words)) return false;
    if (!read_one[which](r, item)) return false;
  }
  return true;
}

static bool fixed(si_xml_reader *r, const si_xml_node *node, const char *attribute,
                  const char *wanted) {
  const char *given = si_xml_attribute_of(node, attribute);
  return !given || strcmp(given, wanted) == 0 ||
         si_xml_fail(r, node, SINEW_ERR_VALUE, "'%s' is '%.40s'; only '%s' is supported", attribute,
                     given, wanted);
}

static bool check_root(si_xml_reader *r, const si_xml_node *root) {
  static const si_xml_word words[] = { { .name = "version", .required = true },
                                       { .name = "name", .required = true },
                                       { .name = "length" },
                                       { .name = "angle" },
                                       { .name = "binding" },
                                       { .name = "xmlns:xsi" },
                                       { .name = "xsi:noNamespaceSchemaLocation" },
                                       { .name = NULL } };
  const char *version = si_xml_attribute_of(root, "version");
  if (!si_xml_is(root, SI_XML_RIG))
    return si_xml_fail(r, root, SINEW_ERR_NAME,
                       "not a rig: the root element is '%.60s', expected '" SI_XML_RIG "'",
                       root->name);
  bool known = version && version[0] >= '1' && version[0] <= '0' + SINEW_XML_VERSION && !version[1];
  if (version && !known)
    return si_xml_fail(r, root, SINEW_ERR_FILE,
                       "unsupported rig version %.40s; this program reads versions 1 to %d%s",
                       version, SINEW_XML_VERSION,
                       strtol(version, NULL, 10) > SINEW_XML_VERSION
                           ? ": the file is from a newer version of Sinew"
                           : "");
  return si_xml_expect(r, root, words) && si_xml_no_text(r, root) &&
         fixed(r, root, "length", "m") && fixed(r, root, "angle", "deg");
}

static bool read_lists(si_xml_reader *r, const si_xml_node *root) {
  const si_xml_node *list = si_xml_first(root);
  int last = -1;
  for (uint32_t i = 0; i < root->child_count; i++, list = si_xml_after(&r->tree, list)) {
    int which = 0;
    si_nearest near;
    si_nearest_start(&near, list->name);
    while (which < SI_XML_LISTS && !si_xml_is(list, si_xml_lists[which].list))
      si_nearest_offer(&near, si_xml_lists[which++].list);
    if (which == SI_XML_LISTS) return si_xml_unknown(r, list, root, &near);
    if (which <= last)
      return si_xml_fail(
          r, list, SINEW_ERR_FILE,
          "'%s' is out of order: the order is joint_sets, segments, dofs, kinds, components",
          list->name);
    if (which == SI_XML_KINDS && strcmp(si_xml_attribute_of(root, "version"), "1") == 0)
      return si_xml_fail(r, list, SINEW_ERR_FILE, "a rig with '%s' is of version %d, not 1",
                         list->name, SINEW_XML_VERSION);
    last = which;
    if (!read_list(r, list, which)) return false;
  }
  return true;
}

sinew_xml *sinew_xml_parse(const char *name, const void *text, size_t size, sinew_error *error) {
  SI_OWN_ERROR(error);
  if (!SI_EXPECT(name && (text || !size))) return NULL;
  if (size > SINEW_XML_BYTES)
    return si_fail_null(error, SINEW_ERR_LIMIT, "%s: has more than %d bytes", name,
                        SINEW_XML_BYTES);
  si_xml_reader r = { .name = name, .error = error };
  bool fine = si_xml_tree_read(name, text, size, &r.tree, error) == SINEW_OK;
  const si_xml_node *root = r.tree.nodes;
  fine = fine && check_root(&r, root);
  r.xml = fine ? si_alloc(sizeof *r.xml) : NULL;
  if (fine && !r.xml) fine = si_xml_fail_memory(&r);
  if (fine) {
    r.xml->builder = sinew_builder_create(si_xml_attribute_of(root, "name"), error);
    fine = r.xml->builder && read_lists(&r, root);
    if (fine && sinew_builder_set_binding(r.xml->builder, si_xml_attribute_of(root, "binding")) < 0)
      fine = si_xml_fail_memory(&r);
  }
  si_names_free(&r.sets);
  si_xml_kinds_free(&r);
  si_xml_solids_free(&r);
  si_xml_tree_free(&r.tree);
  if (fine) return r.xml;
  sinew_xml_destroy(r.xml);
  return NULL;
}
