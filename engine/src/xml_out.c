/* Writing XML: see xml_out.h. */
#include "xml_out.h"

#include "alloc.h"
#include "number.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

enum { columns = 100 };

static void add(si_out *out, const char *text, size_t length) {
  if (out->failed || !si_grow((void **)&out->text, &out->room, out->size + length + 1, 1)) {
    out->failed = true;
    return;
  }
  memcpy(out->text + out->size, text, length);
  out->size += length;
}

void si_out_add(si_out *out, const char *text) { add(out, text, strlen(text)); }

void si_out_format(si_out *out, const char *format, ...) {
  char text[1024];
  va_list args;
  va_start(args, format);
  int length = vsnprintf(text, sizeof text, format, args);
  va_end(args);
  if (SI_EXPECT(length >= 0 && (size_t)length < sizeof text)) add(out, text, (size_t)length);
}

void si_out_attribute(si_out *out, const char *name, const char *value) {
  si_out_format(out, " %s=\"", name);
  for (const char *at = value; *at;) {
    size_t plain = strcspn(at, "&<>\"\t\n\r");
    add(out, at, plain);
    at += plain;
    switch (*at) {
    case '\0': continue;
    case '&': si_out_add(out, "&amp;"); break;
    case '<': si_out_add(out, "&lt;"); break;
    case '>': si_out_add(out, "&gt;"); break;
    case '"': si_out_add(out, "&quot;"); break;
    default: si_out_format(out, "&#%d;", *at); break;
    }
    at++;
  }
  si_out_add(out, "\"");
}

void si_out_numbers(si_out *out, const char *name, const float *numbers, size_t count) {
  char text[SI_NUMBER_TEXT];
  si_out_format(out, " %s=\"", name);
  for (size_t i = 0; i < count; i++) {
    if (i) si_out_add(out, " ");
    add(out, text, (size_t)si_float_text(numbers[i], text));
  }
  si_out_add(out, "\"");
}

/* a list that is being written: its words are collected into groups, groups into lines */
typedef struct list {
  si_out *out;
  int indent, each;
  size_t line; /* where the line began */
  size_t count;
} list;

static void new_line(list *l) {
  si_out_format(l->out, "\n%*s", l->indent, "");
  l->line = l->out->size - (size_t)l->indent;
}

/* one word; a group is never broken */
static void add_word(list *l, const char *word, size_t length) {
  bool starts = l->count % (size_t)l->each == 0;
  size_t used = l->out->size - l->line;
  if (l->count == 0 || (starts && used + (length + 1) * (size_t)l->each + 1 > columns))
    new_line(l);
  else
    si_out_add(l->out, starts && l->each > 1 ? "  " : " ");
  add(l->out, word, length);
  l->count++;
}

static void end_list(list *l) {
  if (l->count) si_out_format(l->out, "\n%*s", l->indent - 2, "");
}

/* a short list stands in one line with its element: the line breaks of the other way are undone */
static void join_short(si_out *out, size_t from) {
  if (out->failed || out->size - from > columns) return;
  char *text = out->text + from;
  size_t size = out->size - from, first = 0;
  while (first < size && (text[first] == '\n' || text[first] == ' ')) first++;
  size_t last = size;
  while (last > first && (text[last - 1] == '\n' || text[last - 1] == ' ')) last--;
  if (last - first > 72 || memchr(text + first, '\n', last - first)) return;
  memmove(text, text + first, last - first);
  out->size = from + last - first;
}

void si_out_list(si_out *out, const float *numbers, size_t count, int each, int indent) {
  char text[SI_NUMBER_TEXT];
  size_t from = out->size;
  list l = { .out = out, .indent = indent, .each = each };
  for (size_t i = 0; i < count; i++) add_word(&l, text, (size_t)si_float_text(numbers[i], text));
  end_list(&l);
  join_short(out, from);
}

void si_out_indices(si_out *out, const uint32_t *numbers, size_t count, int indent) {
  char text[16];
  list l = { .out = out, .indent = indent, .each = 3 };
  for (size_t i = 0; i < count; i++)
    add_word(&l, text, (size_t)snprintf(text, sizeof text, "%u", (unsigned)numbers[i]));
  end_list(&l);
}

void si_out_base64(si_out *out, const unsigned char *bytes, size_t size, int indent) {
  static const char digits[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
  for (size_t i = 0; i < size; i += 3) {
    uint32_t three = (uint32_t)bytes[i] << 16;
    if (i + 1 < size) three |= (uint32_t)bytes[i + 1] << 8;
    if (i + 2 < size) three |= bytes[i + 2];
    char four[4] = { digits[three >> 18], digits[three >> 12 & 63],
                     i + 1 < size ? digits[three >> 6 & 63] : '=',
                     i + 2 < size ? digits[three & 63] : '=' };
    if (i % 57 == 0) si_out_format(out, "\n%*s", indent, "");
    add(out, four, 4);
  }
  si_out_format(out, "\n%*s", indent - 2, "");
}

sinew_status si_out_take(si_out *out, char **dest, size_t *size, sinew_error *error) {
  if (!out->failed) add(out, "", 1);
  if (out->failed) {
    si_free(out->text);
    *out = (si_out){ 0 };
    return si_fail_memory(error);
  }
  *dest = out->text;
  *size = out->size - 1;
  *out = (si_out){ 0 };
  return SINEW_OK;
}

const char *si_xml_fault(const char *text) {
  static const uint32_t least[] = { 0, 0, 0x80, 0x800, 0x10000 };
  const unsigned char *at = (const unsigned char *)text;
  while (*at) {
    int length = *at < 0x80 ? 1 : *at >> 5 == 6 ? 2 : *at >> 4 == 14 ? 3 : *at >> 3 == 30 ? 4 : 0;
    if (!length) return "is not UTF-8";
    uint32_t letter = length == 1 ? *at : *at & (0x7fu >> length);
    for (int i = 1; i < length; i++) {
      if ((at[i] & 0xc0) != 0x80) return "is not UTF-8";
      letter = letter << 6 | (at[i] & 0x3f);
    }
    if (letter < least[length] || letter > 0x10ffff || (letter >= 0xd800 && letter < 0xe000))
      return "is not UTF-8";
    bool allowed = letter == '\t' || letter == '\n' || letter == '\r' || letter >= 32;
    if (!allowed || letter == 0xfffe || letter == 0xffff)
      return "has a character that XML does not allow";
    at += length;
  }
  return NULL;
}
