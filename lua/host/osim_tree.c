/* See osim_tree.h. The parser is expat, with the engine's memory under it. */
#include "osim_tree.h"

#include "alloc.h"

#include <expat.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

enum { block_bytes = 1 << 16, head_bytes = SI_ALIGN };

struct si_osim_block {
  struct si_osim_block *before;
};

void *si_osim_take(si_osim_arena *arena, size_t bytes) {
  if (bytes > SI_OSIM_BYTES) return NULL;
  bytes = (bytes + 15) / 16 * 16;
  if (arena->used + bytes > arena->room) {
    size_t room = bytes > block_bytes ? bytes : block_bytes;
    struct si_osim_block *block = si_alloc(head_bytes + room);
    if (!block) return NULL;
    block->before = arena->blocks;
    arena->blocks = block;
    arena->used = 0;
    arena->room = room;
  }
  void *place = (char *)arena->blocks + head_bytes + arena->used;
  arena->used += bytes;
  return place;
}

char *si_osim_keep(si_osim_arena *arena, const char *text, size_t length) {
  char *copy = si_osim_take(arena, length + 1);
  if (copy) memcpy(copy, text, length);
  return copy;
}

void si_osim_tree_free(si_osim_tree *tree) {
  for (struct si_osim_block *block = tree->arena.blocks, *before; block; block = before) {
    before = block->before;
    si_free(block);
  }
  *tree = (si_osim_tree){ 0 };
}

si_osim_node *si_osim_child(const si_osim_node *node, const char *tag) {
  si_osim_node *child = node ? node->child : NULL;
  while (child && strcmp(child->tag, tag) != 0) child = child->next;
  return child;
}

/* the engine's memory for expat; the size stands before each block */
static void *expat_alloc(size_t bytes) {
  if (bytes > SIZE_MAX / 2) return NULL;
  char *block = si_alloc(head_bytes + bytes);
  if (!block) return NULL;
  memcpy(block, &bytes, sizeof bytes);
  return block + head_bytes;
}

static void expat_free(void *place) {
  if (place) si_free((char *)place - head_bytes);
}

static void *expat_realloc(void *place, size_t bytes) {
  size_t old = 0;
  if (place) memcpy(&old, (char *)place - head_bytes, sizeof old);
  void *fresh = expat_alloc(bytes);
  if (!fresh) return NULL;
  if (place) memcpy(fresh, place, old < bytes ? old : bytes);
  expat_free(place);
  return fresh;
}

typedef struct reader {
  si_osim_tree *tree;
  XML_Parser parser;
  const char *path;
  sinew_error *error;
  sinew_status status;
  si_osim_node *open;
  unsigned depth, nodes;
  char *text; /* of the element that is open, while there is none inside it */
  size_t text_size, text_room;
} reader;

static void stop(reader *r, sinew_status status, const char *format, ...) {
  if (r->status != SINEW_OK) return;
  char words[256];
  va_list args;
  va_start(args, format);
  vsnprintf(words, sizeof words, format, args);
  va_end(args);
  r->status = si_fail(r->error, status, "%s:%lu:%lu: %s", r->path,
                      (unsigned long)XML_GetCurrentLineNumber(r->parser),
                      (unsigned long)XML_GetCurrentColumnNumber(r->parser) + 1, words);
  XML_StopParser(r->parser, XML_FALSE);
}

static void stop_memory(reader *r) {
  if (r->status != SINEW_OK) return;
  r->status = si_fail_memory(r->error);
  XML_StopParser(r->parser, XML_FALSE);
}

static const char *keep_trimmed(reader *r, const char *text, size_t length) {
  while (length > 0 && strchr(" \t\r\n", text[length - 1])) length--;
  while (length > 0 && strchr(" \t\r\n", *text)) text++, length--;
  return length == 0 ? "" : si_osim_keep(&r->tree->arena, text, length);
}

static void on_start(void *user, const char *tag, const char **attributes) {
  reader *r = user;
  if (r->status != SINEW_OK) return;
  if (++r->depth > SI_OSIM_DEPTH) {
    stop(r, SINEW_ERR_LIMIT, "elements are nested more than %d deep", SI_OSIM_DEPTH);
    return;
  }
  if (++r->nodes > SI_OSIM_NODES) {
    stop(r, SINEW_ERR_LIMIT, "there are more than %d elements", SI_OSIM_NODES);
    return;
  }
  const char *name = "", *version = "", *file = "";
  for (; *attributes; attributes += 2) {
    if (strcmp(attributes[0], "name") == 0) name = attributes[1];
    if (strcmp(attributes[0], "Version") == 0) version = attributes[1];
    if (strcmp(attributes[0], "file") == 0) file = attributes[1];
  }
  si_osim_node *node = si_osim_take(&r->tree->arena, sizeof *node);
  if (!node || !(node->tag = si_osim_keep(&r->tree->arena, tag, strlen(tag))) ||
      !(node->name = keep_trimmed(r, name, strlen(name))) ||
      !(node->file = keep_trimmed(r, file, strlen(file)))) {
    stop_memory(r);
    return;
  }
  node->text = "";
  node->line = (unsigned)XML_GetCurrentLineNumber(r->parser);
  node->parent = r->open;
  if (!r->open) {
    r->tree->root = node;
    r->tree->version = keep_trimmed(r, version, strlen(version));
    if (!r->tree->version) stop_memory(r);
  } else if (r->open->last) {
    r->open->last->next = node;
  } else {
    r->open->child = node;
  }
  if (r->open) r->open->last = node;
  r->open = node;
  r->text_size = 0;
}

static void on_end(void *user, const char *tag) {
  reader *r = user;
  (void)tag;
  if (r->status != SINEW_OK) return;
  if (!r->open->child && !(r->open->text = keep_trimmed(r, r->text, r->text_size))) stop_memory(r);
  r->text_size = 0;
  r->open = r->open->parent;
  r->depth--;
}

static void on_text(void *user, const char *text, int length) {
  reader *r = user;
  if (r->status != SINEW_OK || !r->open || r->open->child) return;
  void *items = r->text;
  bool grown = si_grow(&items, &r->text_room, r->text_size + (size_t)length, 1);
  r->text = items;
  if (!grown) {
    stop_memory(r);
    return;
  }
  memcpy(r->text + r->text_size, text, (size_t)length);
  r->text_size += (size_t)length;
}

static void on_doctype(void *user, const char *name, const char *system, const char *public,
                       int internal) {
  (void)name, (void)system, (void)public, (void)internal;
  stop(user, SINEW_ERR_FILE, "a document type (<!DOCTYPE ...>) is not taken");
}

sinew_status si_osim_tree_read(si_osim_tree *tree, const char *path, const void *bytes, size_t size,
                               sinew_error *error) {
  static const XML_Memory_Handling_Suite memory = { expat_alloc, expat_realloc, expat_free };
  *tree = (si_osim_tree){ .version = "" };
  if (size > SI_OSIM_BYTES)
    return si_fail(error, SINEW_ERR_LIMIT, "%s: has more than %d bytes", path, SI_OSIM_BYTES);
  reader r = { .tree = tree, .path = path, .error = error };
  r.parser = XML_ParserCreate_MM(NULL, &memory, NULL);
  if (!r.parser) return si_fail_memory(error);
  XML_SetUserData(r.parser, &r);
  XML_SetElementHandler(r.parser, on_start, on_end);
  XML_SetCharacterDataHandler(r.parser, on_text);
  XML_SetStartDoctypeDeclHandler(r.parser, on_doctype);
  if (XML_Parse(r.parser, bytes, (int)size, XML_TRUE) != XML_STATUS_OK && r.status == SINEW_OK) {
    enum XML_Error why = XML_GetErrorCode(r.parser);
    if (why == XML_ERROR_NO_MEMORY)
      stop_memory(&r);
    else
      stop(&r, SINEW_ERR_FILE, "%s", XML_ErrorString(why));
  }
  XML_ParserFree(r.parser);
  si_free(r.text);
  if (r.status != SINEW_OK) si_osim_tree_free(tree);
  return r.status;
}
