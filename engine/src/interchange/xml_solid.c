/* Solids in XML, both ways:
 *
 *   <solid cell="0.002" mirror="true" fold="0.001">
 *     <point at="0 0.01 0" radius="0.02"/> ...
 *     <part blend="0.004" cut="true"><cone points="0 1"/> ...</part> ...
 *     <place at="0 1 0"/> ...
 *   </solid>
 *
 * What is 0, false or the identity is left out. A shape may have several solids, and a solid
 * several places: all are merged in this order. Points are numbered from 0. */
#include "interchange/xml_out.h"
#include "interchange/xml_read.h"

#include "base/alloc.h"
#include "shape/solid_internal.h"

#include <stdio.h>

/* --- writing */

static void put_numbers(si_text *out, const char *name, const float *numbers, size_t count) {
  static const float zero[3];
  if (memcmp(numbers, zero, count * sizeof *numbers) != 0)
    si_out_numbers(out, name, numbers, count);
}

static void put_flag(si_text *out, const char *name, bool value) {
  if (value) si_out_attribute(out, name, "true");
}

static void put_element(si_text *out, const sinew_solid_desc *d, const sinew_solid_element *e,
                        int indent) {
  si_text_format(out, "%*s<%s points=\"", indent, "", sinew_solid_kind_name(e->kind));
  for (int i = 0; i < e->count; i++)
    si_text_format(out, "%s%d", i ? " " : "", d->indices[e->first + i]);
  si_text_add(out, "\"");
  if (e->kind == SINEW_SOLID_TUBE) {
    put_numbers(out, "flat", &e->flat, 1);
    put_numbers(out, "across", e->across, 3);
  }
  if (e->kind == SINEW_SOLID_ELLIPSOID || e->kind == SINEW_SOLID_DRUM) {
    si_out_numbers(out, "radii", e->radii, 3);
    put_numbers(out, "turn", e->turn, 3);
  }
  si_text_add(out, "/>\n");
}

static void put_part(si_text *out, const sinew_solid_desc *d, const sinew_solid_part *part,
                     int indent) {
  const float smooth = (float)part->smooth;
  si_text_format(out, "%*s<part", indent, "");
  put_numbers(out, "blend", &part->blend, 1);
  put_numbers(out, "inner", &part->inner, 1);
  put_numbers(out, "smooth", &smooth, 1);
  put_flag(out, "cut", part->cut);
  si_text_add(out, ">\n");
  for (int i = 0; i < part->count; i++)
    put_element(out, d, &d->elements[part->first + i], indent + 2);
  si_text_format(out, "%*s</part>\n", indent, "");
}

/* a solid without its places and its closing tag */
static void put_recipe(si_text *out, const sinew_solid_desc *d, int indent) {
  si_text_format(out, "%*s<solid", indent, "");
  put_numbers(out, "cell", &d->cell, 1);
  put_flag(out, "mirror", d->mirror);
  put_numbers(out, "fold", &d->fold, 1);
  si_text_add(out, ">\n");
  for (int i = 0; i < d->point_count; i++) {
    si_text_format(out, "%*s<point", indent + 2, "");
    si_out_numbers(out, "at", d->points[i].at, 3);
    put_numbers(out, "radius", &d->points[i].radius, 1);
    si_text_add(out, "/>\n");
  }
  for (int i = 0; i < d->part_count; i++) put_part(out, d, &d->parts[i], indent + 2);
}

/* whether a recipe is written as this text; the reader shares such ones, so that the text must not
 * depend on whether they are one object */
static bool is_written(const sinew_solid_desc *d, int indent, const char *text, si_text *out) {
  si_text other = { 0 };
  put_recipe(&other, d, indent);
  bool same = !other.failed && strcmp(other.at, text) == 0;
  out->failed |= other.failed;
  si_free(other.at);
  return same;
}

/* the pieces of a solid from `first` on that have the same recipe, as one element; returns how
 * many */
static int put_pieces(si_text *out, const sinew_solid *solid, int first, int indent) {
  static const float identity[16] = { 1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1 };
  float matrix[16];
  const sinew_solid_desc d = sinew_solid_piece(solid, first, matrix);
  const size_t from = out->size;
  int end = first + 1;
  put_recipe(out, &d, indent);
  for (; end < sinew_solid_piece_count(solid) && !out->failed; end++) {
    const sinew_solid_desc next = sinew_solid_piece(solid, end, NULL);
    if (next.points != d.points && !is_written(&next, indent, out->at + from, out)) break;
  }
  bool unplaced = end == first + 1 && memcmp(matrix, identity, sizeof matrix) == 0;
  for (int i = first; i < end && !unplaced; i++) {
    sinew_solid_piece(solid, i, matrix);
    si_text_format(out, "%*s<place", indent + 2, "");
    si_out_frame(out, "matrix", matrix);
    si_text_add(out, "/>\n");
  }
  si_text_format(out, "%*s</solid>\n", indent, "");
  return end - first;
}

void si_out_solid(si_text *out, const sinew_solid *solid, int indent) {
  for (int i = 0; i < sinew_solid_piece_count(solid) && !out->failed;)
    i += put_pieces(out, solid, i, indent);
}

/* --- reading: arrays are taken from the arena of the tree */

enum { POINT, PART, PLACE, CHILDREN };
static const char *const children[CHILDREN] = { "point", "part", "place" };

typedef struct reading {
  sinew_solid_desc desc; /* with what was read so far */
  sinew_solid_point *points;
  int *indices;
  sinew_solid_element *elements;
  sinew_solid_part *parts;
} reading;

static bool refuse(si_xml_reader *r, const si_xml_node *node, const sinew_error *why) {
  return si_xml_fail(r, node, why->status, "%s", why->text);
}

static bool read_point(si_xml_reader *r, const si_xml_node *node, reading *to) {
  sinew_solid_point *p = &to->points[to->desc.point_count];
  sinew_error why;
  if (!si_xml_expect(r, node, si_xml_point_words) || !si_xml_expect_empty(r, node) ||
      !si_xml_exactly(r, node, "at", p->at, 3) || !si_xml_number(r, node, "radius", &p->radius))
    return false;
  return si_solid_check_point(&to->desc, to->desc.point_count++, &why) >= 0 ||
         refuse(r, node, &why);
}

static bool optional_vector(si_xml_reader *r, const si_xml_node *node, const char *name,
                            float *dest) {
  return !si_xml_attribute_of(node, name) || si_xml_exactly(r, node, name, dest, 3);
}

static bool read_element(si_xml_reader *r, const si_xml_node *node, const si_xml_node *part,
                         reading *to) {
  sinew_solid_desc *d = &to->desc;
  sinew_solid_element *e = &to->elements[d->element_count];
  int kind = 0;
  sinew_error why;
  si_nearest near;
  si_nearest_start(&near, node->name);
  for (; kind < SINEW_SOLID_KIND_COUNT; kind++) {
    const char *name = sinew_solid_kind_name((sinew_solid_kind)kind);
    if (si_xml_is(node, name)) break;
    si_nearest_offer(&near, name);
  }
  if (kind == SINEW_SOLID_KIND_COUNT) return si_xml_unknown(r, node, part, &near);
  e->kind = (sinew_solid_kind)kind;
  e->first = d->index_count;
  if (!si_xml_expect(r, node, si_xml_element_words[kind]) || !si_xml_expect_empty(r, node) ||
      !si_xml_points(r, node, d->point_count, to->indices + e->first, &e->count) ||
      !si_xml_number(r, node, "flat", &e->flat) || !optional_vector(r, node, "across", e->across) ||
      !optional_vector(r, node, "radii", e->radii) || !optional_vector(r, node, "turn", e->turn))
    return false;
  d->index_count += e->count;
  return si_solid_check_element(d, d->element_count++, &why) >= 0 || refuse(r, node, &why);
}

static bool read_part(si_xml_reader *r, const si_xml_node *node, reading *to) {
  sinew_solid_part *p = &to->parts[to->desc.part_count];
  float smooth = 0;
  int64_t times = -1;
  sinew_error why;
  if (!si_xml_expect(r, node, si_xml_part_words) || !si_xml_no_text(r, node) ||
      !si_xml_number(r, node, "blend", &p->blend) || !si_xml_number(r, node, "inner", &p->inner) ||
      !si_xml_number(r, node, "smooth", &smooth) || !si_xml_flag(r, node, "cut", &p->cut))
    return false;
  p->smooth = si_whole((double)smooth, 0, 1000, &times) ? (int)times : -1;
  p->first = to->desc.element_count;
  p->count = (int)node->child_count;
  const si_xml_node *child = si_xml_first(node);
  for (int i = 0; i < p->count; i++, child = si_xml_after(&r->tree, child))
    if (!read_element(r, child, node, to)) return false;
  return si_solid_check_part(&to->desc, to->desc.part_count++, &why) >= 0 || refuse(r, node, &why);
}

#define BYTES(list, number) ((size_t)(number) * sizeof *(list))

static bool same_recipe(const sinew_solid_desc *a, const sinew_solid_desc *b) {
#define SAME(list, number)                                                                         \
  (a->number == b->number && memcmp(a->list, b->list, BYTES(a->list, a->number)) == 0)
  return SAME(points, point_count) && SAME(indices, index_count) && SAME(elements, element_count) &&
         SAME(parts, part_count) && a->mirror == b->mirror && a->fold == b->fold &&
         a->cell == b->cell;
#undef SAME
}

/* of what was read; equal recipes have equal ones */
static void write_hash(const sinew_solid_desc *d, char dest[17]) {
  uint64_t hash = si_hash(1, d->points, BYTES(d->points, d->point_count));
  hash = si_hash(hash, d->elements, BYTES(d->elements, d->element_count));
  hash = si_hash(hash, d->indices, BYTES(d->indices, d->index_count));
  hash = si_hash(hash, d->parts, BYTES(d->parts, d->part_count));
  snprintf(dest, 17, "%016llx", (unsigned long long)hash);
}

/* makes the recipe, or finds the equal one that was made before; borrowed */
static bool make_recipe(si_xml_reader *r, const si_xml_node *node, const sinew_solid_desc *desc,
                        const sinew_solid **dest) {
  sinew_error why;
  char hash[17];
  write_hash(desc, hash);
  uint32_t before = si_names_find(&r->recipe_hashes, hash);
  *dest = before ? r->recipes[before - 1] : NULL;
  if (before && same_recipe(&(*dest)->pieces[0].recipe->desc, desc)) return true;
  sinew_solid *made = sinew_solid_create(desc, &why);
  if (!made) return refuse(r, node, &why);
  char *kept = si_arena_text(&r->tree.arena, hash, sizeof hash - 1);
  if (!kept || !si_grow(&r->recipes, &r->recipe_room, r->recipe_count + 1, sizeof made) ||
      !si_names_add(&r->recipe_hashes, kept, (uint32_t)r->recipe_count + 1)) {
    sinew_solid_release(made);
    return si_xml_fail_memory(r);
  }
  *dest = r->recipes[r->recipe_count++] = made;
  r->prim_count += (size_t)made->pieces[0].recipe->prim_count;
  return r->prim_count <= SI_XML_PRIMS ||
         si_xml_fail(r, node, SINEW_ERR_LIMIT, "the solids have more than %d primitives together",
                     SI_XML_PRIMS);
}

void si_xml_solids_free(si_xml_reader *r) {
  for (size_t i = 0; i < r->recipe_count; i++) sinew_solid_release(r->recipes[i]);
  si_free(r->recipes);
  si_names_free(&r->recipe_hashes);
}

/* counts the children of a solid by kind, and checks their order */
static bool count_children(si_xml_reader *r, const si_xml_node *node, int counts[CHILDREN]) {
  const si_xml_node *child = si_xml_first(node);
  int last = POINT;
  for (uint32_t i = 0; i < node->child_count; i++, child = si_xml_after(&r->tree, child)) {
    int kind = 0;
    si_nearest near;
    si_nearest_start(&near, child->name);
    while (kind < CHILDREN && !si_xml_is(child, children[kind]))
      si_nearest_offer(&near, children[kind++]);
    if (kind == CHILDREN) return si_xml_unknown(r, child, node, &near);
    if (kind < last)
      return si_xml_fail(r, child, SINEW_ERR_FILE,
                         "'%s' is out of order: a solid has points, then parts, then places",
                         children[kind]);
    last = kind;
    counts[kind]++;
  }
  return true;
}

/* room for all that the parts from `part` on contain */
static bool take_room(si_xml_reader *r, const si_xml_node *part, const int counts[CHILDREN],
                      reading *to) {
  size_t elements = 0, indices = 0;
  for (int i = 0; i < counts[PART]; i++, part = si_xml_after(&r->tree, part)) {
    const si_xml_node *element = si_xml_first(part);
    elements += part->child_count;
    for (uint32_t k = 0; k < part->child_count; k++, element = si_xml_after(&r->tree, element)) {
      const char *points = si_xml_attribute_of(element, "points");
      indices += points ? strlen(points) / 2 + 1 : 0;
    }
  }
  si_arena *arena = &r->tree.arena;
  to->desc.points = to->points =
      si_arena_take(arena, ((size_t)counts[POINT] + 1) * sizeof *to->points);
  to->desc.indices = to->indices = si_arena_take(arena, (indices + 1) * sizeof *to->indices);
  to->desc.elements = to->elements = si_arena_take(arena, (elements + 1) * sizeof *to->elements);
  to->desc.parts = to->parts = si_arena_take(arena, ((size_t)counts[PART] + 1) * sizeof *to->parts);
  return (to->points && to->indices && to->elements && to->parts) || si_xml_fail_memory(r);
}

/* the solid of one place */
static bool read_place(si_xml_reader *r, const si_xml_node *node, const sinew_solid *recipe,
                       sinew_solid **dest) {
  float matrix[16] = { [0] = 1, [5] = 1, [10] = 1, [15] = 1 };
  sinew_error why;
  if (!si_xml_expect(r, node, si_xml_place_words) || !si_xml_expect_empty(r, node) ||
      !si_xml_frame(r, node, "matrix", matrix))
    return false;
  *dest = sinew_solid_placed(recipe, matrix, &why);
  return *dest || refuse(r, node, &why);
}

/* appends the pieces of a solid to `dest`; what is there counts even on failure */
static bool read_solid(si_xml_reader *r, const si_xml_node *node, sinew_solid **dest, int *count) {
  reading to = { .desc = sinew_default_solid_desc() };
  int counts[CHILDREN] = { 0 };
  const sinew_solid *recipe;
  if (!si_xml_expect(r, node, si_xml_solid_words) || !si_xml_no_text(r, node) ||
      !si_xml_number(r, node, "cell", &to.desc.cell) ||
      !si_xml_number(r, node, "fold", &to.desc.fold) ||
      !si_xml_flag(r, node, "mirror", &to.desc.mirror) || !count_children(r, node, counts))
    return false;
  if (counts[PLACE] > SINEW_SOLID_ELEMENTS - *count || *count == SINEW_SOLID_ELEMENTS)
    return si_xml_fail(r, node, SINEW_ERR_LIMIT, "a shape has more than %d solids and places",
                       SINEW_SOLID_ELEMENTS);
  const si_xml_node *first = node->child_count ? si_xml_first(node) : NULL, *child = first;
  for (int i = 0; i < counts[POINT]; i++) child = si_xml_after(&r->tree, child);
  if (!take_room(r, child, counts, &to)) return false;
  child = first;
  for (int i = 0; i < counts[POINT]; i++, child = si_xml_after(&r->tree, child))
    if (!read_point(r, child, &to)) return false;
  for (int i = 0; i < counts[PART]; i++, child = si_xml_after(&r->tree, child))
    if (!read_part(r, child, &to)) return false;
  if (!make_recipe(r, node, &to.desc, &recipe)) return false;
  for (int i = 0; i < counts[PLACE]; i++, child = si_xml_after(&r->tree, child)) {
    if (!read_place(r, child, recipe, &dest[*count])) return false;
    ++*count;
  }
  if (!counts[PLACE]) dest[(*count)++] = sinew_solid_retain((sinew_solid *)(uintptr_t)recipe);
  return true;
}

bool si_xml_solid(si_xml_reader *r, const si_xml_node *shape, sinew_solid **dest) {
  sinew_solid *pieces[SINEW_SOLID_ELEMENTS];
  int count = 0;
  sinew_error why;
  bool fine = si_xml_no_text(r, shape);
  const si_xml_node *child = si_xml_first(shape);
  for (uint32_t i = 0; fine && i < shape->child_count; i++, child = si_xml_after(&r->tree, child)) {
    if (!si_xml_is(child, "solid"))
      fine = si_xml_fail(r, child, SINEW_ERR_NAME, "unexpected '%.60s' in a shape of solids",
                         child->name);
    fine = fine && read_solid(r, child, pieces, &count);
  }
  if (fine && count == 1) *dest = sinew_solid_retain(pieces[0]);
  if (fine && count > 1) {
    *dest = sinew_solid_merge((const sinew_solid *const *)pieces, count, &why);
    fine = *dest || refuse(r, shape, &why);
  }
  for (int i = 0; i < count; i++) sinew_solid_release(pieces[i]);
  return fine;
}
