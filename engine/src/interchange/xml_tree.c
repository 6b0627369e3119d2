/* Reading XML with expat; see xml_tree.h. Expat gets the whole text at once, so that it never scans
 * a token twice, and allocates through the engine. */
#include "interchange/xml_tree.h"

#include "base/alloc.h"
#include "base/budget_internal.h"

#include <expat.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>
#include <strings.h>

typedef struct reader {
  XML_Parser parser;
  const char *name;
  si_xml_tree *tree;
  sinew_error *error;
  sinew_status status;
  uint32_t open[SI_XML_DEPTH]; /* indices of the open elements */
  size_t text_from[SI_XML_DEPTH];
  int depth;
  char *text; /* of all open elements, the innermost last */
  size_t text_size, text_room;
} reader;

/* --- memory: expat needs realloc, so each block stores its size */

enum { head = 16 };

static void *expat_alloc(size_t bytes) {
  unsigned char *block = bytes < SIZE_MAX - head ? si_alloc(head + bytes) : NULL;
  if (!block) return NULL;
  memcpy(block, &bytes, sizeof bytes);
  return block + head;
}

static void expat_free(void *block) {
  if (block) si_free((unsigned char *)block - head);
}

static void *expat_realloc(void *block, size_t bytes) {
  void *bigger = expat_alloc(bytes);
  if (!bigger || !block) return bigger;
  size_t before;
  memcpy(&before, (unsigned char *)block - head, sizeof before);
  memcpy(bigger, block, before < bytes ? before : bytes);
  expat_free(block);
  return bigger;
}

void si_xml_tree_free(si_xml_tree *tree) {
  si_arena_free(&tree->arena);
  si_free(tree->nodes);
  *tree = (si_xml_tree){ 0 };
}

/* --- callbacks of expat */

/* stops at the first error */
static void stop(reader *r, sinew_status status, const char *format, ...) SINEW_PRINTF(3, 4);
static void stop(reader *r, sinew_status status, const char *format, ...) {
  if (r->status != SINEW_OK) return;
  char text[512];
  va_list args;
  va_start(args, format);
  vsnprintf(text, sizeof text, format, args);
  va_end(args);
  r->status = si_fail(r->error, status, "%s:%lu:%lu: %s", r->name,
                      (unsigned long)XML_GetCurrentLineNumber(r->parser),
                      (unsigned long)XML_GetCurrentColumnNumber(r->parser) + 1, text);
  XML_StopParser(r->parser, XML_FALSE);
}

static void stop_memory(reader *r) {
  if (r->status != SINEW_OK) return;
  r->status = si_fail_memory(r->error);
  XML_StopParser(r->parser, XML_FALSE);
}

static void on_declaration(void *user, const char *version, const char *encoding, int standalone) {
  (void)version, (void)standalone;
  if (encoding && strcasecmp(encoding, "UTF-8") != 0 && strcasecmp(encoding, "US-ASCII") != 0)
    stop(user, SINEW_ERR_FILE, "the encoding is '%.40s'; only UTF-8 is supported", encoding);
}

static void on_doctype(void *user, const char *name, const char *system, const char *public_id,
                       int internal) {
  (void)name, (void)system, (void)public_id, (void)internal;
  stop(user, SINEW_ERR_FILE, "a document type (<!DOCTYPE>) and its entities are not allowed");
}

static void on_entity(void *user, const char *name, int parameter, const char *value, int length,
                      const char *base, const char *system, const char *public_id,
                      const char *notation) {
  (void)parameter, (void)value, (void)length, (void)base, (void)system, (void)public_id;
  (void)notation;
  stop(user, SINEW_ERR_FILE, "the entity '%.40s' is not allowed", name);
}

static bool take_attributes(reader *r, si_xml_node *node, const char **attributes) {
  uint32_t count = 0;
  while (attributes[2 * count]) count++;
  if (count > SI_XML_ATTRIBUTES) {
    stop(r, SINEW_ERR_LIMIT, "'%.40s' has more than %d attributes", node->name, SI_XML_ATTRIBUTES);
    return false;
  }
  si_xml_attribute *kept = count ? si_arena_take(&r->tree->arena, count * sizeof *kept) : NULL;
  bool fine = !count || kept;
  for (uint32_t i = 0; fine && i < count; i++) {
    const char *name = attributes[2 * i], *value = attributes[2 * i + 1];
    kept[i].name = si_arena_text(&r->tree->arena, name, strlen(name));
    kept[i].value = si_arena_text(&r->tree->arena, value, strlen(value));
    fine = kept[i].name && kept[i].value;
  }
  if (!fine) stop_memory(r);
  node->attributes = kept;
  node->attribute_count = count;
  return fine;
}

static void on_start(void *user, const char *name, const char **attributes) {
  reader *r = user;
  si_xml_tree *tree = r->tree;
  if (r->status != SINEW_OK) return;
  if (r->depth >= SI_XML_DEPTH)
    return stop(r, SINEW_ERR_LIMIT, "elements are more than %d deep", SI_XML_DEPTH);
  if (tree->count >= SI_XML_NODES)
    return stop(r, SINEW_ERR_LIMIT, "there are more than %d elements", SI_XML_NODES);
  if (!si_work(40) || !si_grow(&tree->nodes, &tree->room, tree->count + 1, sizeof *tree->nodes))
    return stop_memory(r);
  si_xml_node *node = &tree->nodes[tree->count];
  *node = (si_xml_node){ .name = si_arena_text(&tree->arena, name, strlen(name)),
                         .text = "",
                         .line = (uint32_t)XML_GetCurrentLineNumber(r->parser),
                         .column = (uint32_t)XML_GetCurrentColumnNumber(r->parser) + 1 };
  if (!node->name) return stop_memory(r);
  if (!take_attributes(r, node, attributes)) return;
  if (r->depth) tree->nodes[r->open[r->depth - 1]].child_count++;
  r->open[r->depth] = (uint32_t)tree->count++;
  r->text_from[r->depth++] = r->text_size;
}

static void on_end(void *user, const char *name) {
  (void)name;
  reader *r = user;
  if (r->status != SINEW_OK) return;
  si_xml_node *node = &r->tree->nodes[r->open[--r->depth]];
  const char *text = r->text ? r->text + r->text_from[r->depth] : "";
  size_t length = r->text_size - r->text_from[r->depth], blank = 0;
  while (blank < length && strchr(" \t\r\n", text[blank])) blank++;
  if (blank < length) node->text = si_arena_text(&r->tree->arena, text, length);
  if (!node->text) return stop_memory(r);
  r->text_size = r->text_from[r->depth];
  node->next = (uint32_t)r->tree->count;
}

static void on_text(void *user, const char *text, int length) {
  reader *r = user;
  if (r->status != SINEW_OK || !r->depth) return;
  if (!si_work(2 + (size_t)length / 16) ||
      !si_grow(&r->text, &r->text_room, r->text_size + (size_t)length, 1))
    return stop_memory(r);
  memcpy(r->text + r->text_size, text, (size_t)length);
  r->text_size += (size_t)length;
}

static sinew_status parse(reader *r, const char *text, size_t size) {
  XML_SetUserData(r->parser, r);
  XML_SetXmlDeclHandler(r->parser, on_declaration);
  XML_SetStartDoctypeDeclHandler(r->parser, on_doctype);
  XML_SetEntityDeclHandler(r->parser, on_entity);
  XML_SetElementHandler(r->parser, on_start, on_end);
  XML_SetCharacterDataHandler(r->parser, on_text);
  enum XML_Status status = XML_Parse(r->parser, text, (int)size, XML_TRUE);
  if (r->status != SINEW_OK || status == XML_STATUS_OK) return r->status;
  enum XML_Error why = XML_GetErrorCode(r->parser);
  if (why == XML_ERROR_NO_MEMORY) return si_fail_memory(r->error);
  stop(r, SINEW_ERR_FILE, "%s", XML_ErrorString(why));
  return r->status;
}

sinew_status si_xml_tree_read(const char *name, const char *text, size_t size, si_xml_tree *dest,
                              sinew_error *error) {
  static const XML_Memory_Handling_Suite memory = { expat_alloc, expat_realloc, expat_free };
  *dest = (si_xml_tree){ 0 };
  if (size > INT32_MAX) return si_fail(error, SINEW_ERR_LIMIT, "%s: is too large", name);
  if (size >= 2 && (memcmp(text, "\xff\xfe", 2) == 0 || memcmp(text, "\xfe\xff", 2) == 0))
    return si_fail(error, SINEW_ERR_FILE, "%s:1:1: is UTF-16; only UTF-8 is supported", name);
  reader r = { .name = name, .tree = dest, .error = error };
  if (!si_work(size / 16)) return si_fail_memory(error);
  r.parser = XML_ParserCreate_MM("UTF-8", &memory, NULL);
  if (!r.parser) return si_fail_memory(error);
  sinew_status status = parse(&r, text, size);
  XML_ParserFree(r.parser);
  si_free(r.text);
  return status;
}

const char *si_xml_attribute_of(const si_xml_node *node, const char *name) {
  for (uint32_t i = 0; i < node->attribute_count; i++)
    if (strcmp(node->attributes[i].name, name) == 0) return node->attributes[i].value;
  return NULL;
}
