/* Writing XML: see xml_out.h. */
#include "interchange/xml_out.h"

#include "base/text.h"

#include <stdio.h>
#include <string.h>

enum { columns = 100 };

static bool is_allowed(uint32_t code) {
  return (code >= 32 || code == '\t' || code == '\n' || code == '\r') && code != 0xfffe &&
         code != 0xffff;
}

static void add_reference(si_text *out, uint32_t code) {
  switch (code) {
  case '&': si_text_add(out, "&amp;"); break;
  case '<': si_text_add(out, "&lt;"); break;
  case '>': si_text_add(out, "&gt;"); break;
  case '"': si_text_add(out, "&quot;"); break;
  default: si_text_format(out, "&#%u;", (unsigned)code); break;
  }
}

void si_out_escaped_n(si_text *out, const char *words, size_t size) {
  for (const char *end = words + size; words < end;) {
    uint32_t code = 0;
    const size_t length = si_utf8_read(words, &code);
    if (!length || !is_allowed(code))
      si_text_add(out, "\xef\xbf\xbd");
    else if (code < 32 || (code >= 127 && code < 0xa0) || strchr("&<>\"", *words))
      add_reference(out, code);
    else
      si_text_add_n(out, words, length);
    words += length ? length : 1;
  }
}

void si_out_escaped(si_text *out, const char *words) { si_out_escaped_n(out, words, strlen(words)); }

void si_out_attribute(si_text *out, const char *name, const char *value) {
  si_text_format(out, " %s=\"", name);
  si_out_escaped(out, value);
  si_text_add(out, "\"");
}

void si_out_numbers(si_text *out, const char *name, const float *numbers, size_t count) {
  char text[SI_NUMBER_TEXT];
  si_text_format(out, " %s=\"", name);
  for (size_t i = 0; i < count; i++) {
    if (i) si_text_add(out, " ");
    si_text_add_n(out, text, (size_t)si_float_text(numbers[i], text));
  }
  si_text_add(out, "\"");
}

void si_out_frame(si_text *out, const char *name, const float matrix[16]) {
  static const float zero[3];
  const float *m = matrix;
  const float moved[16] = { 1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, m[12], m[13], m[14], 1 };
  if (memcmp(moved, m, sizeof moved) != 0)
    si_out_numbers(out, name, m, 16);
  else if (memcmp(m + 12, zero, sizeof zero) != 0)
    si_out_numbers(out, "at", m + 12, 3);
}

/* a list that is being written: words form groups, groups form lines */
typedef struct list {
  si_text *out;
  int indent, each;
  size_t line; /* where the current line starts */
  size_t count;
} list;

static void new_line(list *l) {
  si_text_format(l->out, "\n%*s", l->indent, "");
  l->line = l->out->size - (size_t)l->indent;
}

/* adds a word; lines break only between groups */
static void add_word(list *l, const char *word, size_t length) {
  bool starts = l->count % (size_t)l->each == 0;
  size_t used = l->out->size - l->line;
  if (l->count == 0 || (starts && used + (length + 1) * (size_t)l->each + 1 > columns))
    new_line(l);
  else
    si_text_add(l->out, starts && l->each > 1 ? "  " : " ");
  si_text_add_n(l->out, word, length);
  l->count++;
}

static void end_list(list *l) {
  if (l->count) si_text_format(l->out, "\n%*s", l->indent - 2, "");
}

/* puts a short list on the line of its element by removing the line breaks around it */
static void join_short(si_text *out, size_t from) {
  if (out->failed || out->size - from > columns) return;
  char *text = out->at + from;
  size_t size = out->size - from, first = 0;
  while (first < size && (text[first] == '\n' || text[first] == ' ')) first++;
  size_t last = size;
  while (last > first && (text[last - 1] == '\n' || text[last - 1] == ' ')) last--;
  if (last - first > 72 || memchr(text + first, '\n', last - first)) return;
  memmove(text, text + first, last - first);
  out->size = from + last - first;
}

void si_out_list(si_text *out, const float *numbers, size_t count, int each, int indent) {
  char text[SI_NUMBER_TEXT];
  size_t from = out->size;
  list l = { .out = out, .indent = indent, .each = each };
  for (size_t i = 0; i < count; i++) add_word(&l, text, (size_t)si_float_text(numbers[i], text));
  end_list(&l);
  join_short(out, from);
}

void si_out_indices(si_text *out, const uint32_t *numbers, size_t count, int indent) {
  char text[16];
  list l = { .out = out, .indent = indent, .each = 3 };
  for (size_t i = 0; i < count; i++)
    add_word(&l, text, (size_t)snprintf(text, sizeof text, "%u", (unsigned)numbers[i]));
  end_list(&l);
}

void si_out_base64(si_text *out, const unsigned char *bytes, size_t size, int indent) {
  enum { each = 57 }; /* bytes per line, 76 characters */
  for (size_t i = 0; i < size; i += each) {
    si_text_format(out, "\n%*s", indent, "");
    si_text_base64(out, bytes + i, size - i < each ? size - i : each);
  }
  si_text_format(out, "\n%*s", indent - 2, "");
}

const char *si_xml_fault(const char *text) {
  while (*text) {
    uint32_t code;
    const size_t length = si_utf8_read(text, &code);
    if (!length) return "is not UTF-8";
    if (!is_allowed(code)) return "has a character that XML does not allow";
    text += length;
  }
  return NULL;
}
