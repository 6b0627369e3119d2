#include "plain/side.h"

#include <ctype.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

const char *name_own(const char *full) {
  const char *dot = strrchr(full, '.');
  return dot ? dot + 1 : full;
}

void names_free(const char **names, int count) {
  for (int i = 0; names && i < count; i++) free((char *)names[i]);
  free(names);
}

/* what is between the words of a name */
static bool is_between(char c) { return c == '_' || c == '.' || c == ' ' || c == ':' || c == '-'; }

static const char *skip_between(const char *at) {
  while (is_between(*at)) at++;
  return at;
}

typedef struct word {
  const char *start;
  size_t length;
  bool end; /* the first or the last of its name */
} word;

/* the next word of a name: up to an underscore, a point, a space, or a capital after a small
 * letter; `at` is moved behind it. Without one its length is 0. */
static word next_word(const char *name, const char **at) {
  word w = { skip_between(*at), 0, false };
  while (w.start[w.length] && !is_between(w.start[w.length])) {
    w.length++;
    if (islower((unsigned char)w.start[w.length - 1]) && isupper((unsigned char)w.start[w.length]))
      break;
  }
  *at = w.start + w.length;
  bool last = !*skip_between(*at), first = w.start == skip_between(name);
  w.end = first || last;
  return w;
}

/* a whole word, or a letter: at an end of the name, or a capital */
static body_side side_of_word(const word *w, bool alone) {
  if (w->length == 4 && strncasecmp(w->start, "left", 4) == 0) return SIDE_LEFT;
  if (w->length == 5 && strncasecmp(w->start, "right", 5) == 0) return SIDE_RIGHT;
  char letter = *w->start;
  if (w->length != 1 || alone || (!w->end && !isupper((unsigned char)letter))) return SIDE_NONE;
  if (toupper((unsigned char)letter) == 'L') return SIDE_LEFT;
  return toupper((unsigned char)letter) == 'R' ? SIDE_RIGHT : SIDE_NONE;
}

/* the word that says the side, if any */
static body_side find_side(const char *name, word *dest) {
  const char *at = name, *rest = name;
  next_word(name, &rest);
  bool alone = !*skip_between(rest); /* a bone called "L" is of no side */
  for (*dest = next_word(name, &at); dest->length; *dest = next_word(name, &at)) {
    body_side side = side_of_word(dest, alone);
    if (side) return side;
  }
  return SIDE_NONE;
}

body_side side_of_name(const char *name) {
  word w;
  return find_side(name, &w);
}

/* a letter in the case of another */
static char like(char letter, char other) {
  return (char)(isupper((unsigned char)other) ? toupper((unsigned char)letter)
                                              : tolower((unsigned char)letter));
}

bool side_other(const char *name, char *dest, size_t capacity) {
  word w;
  body_side side = find_side(name, &w);
  snprintf(dest, capacity, "%s", name);
  if (!side) return false;
  const char *whole = side == SIDE_LEFT ? "right" : "left";
  char turned[8] = "";
  for (size_t i = 0; i < (w.length == 1 ? 1 : strlen(whole)); i++)
    turned[i] = like(whole[i], i ? w.start[1] : *w.start);
  snprintf(dest, capacity, "%.*s%s%s", (int)(w.start - name), name, turned, w.start + w.length);
  return true;
}

/* whether a word says a side that is known: "left", or a letter wherever it stands */
static bool says(const word *w, body_side known) {
  const word end = { w->start, w->length, true };
  return known && side_of_word(&end, false) == known;
}

/* Makes the first letter a capital, also a Greek or Cyrillic one, or a Latin one with an accent. */
static void capitalize(char *text) {
  unsigned char *b = (unsigned char *)text;
  int code = (b[0] & 0xE0) == 0xC0 && b[1] ? (b[0] & 31) << 6 | (b[1] & 63) : 0;
  if (!code) b[0] = (unsigned char)toupper(b[0]);
  bool even = (code > 0x100 && code < 0x138) || (code > 0x14A && code < 0x178);
  bool odd = (code > 0x139 && code < 0x149) || (code > 0x179 && code < 0x17F);
  if ((code >= 0xE0 && code < 0xFF && code != 0xF7) || (code >= 0x3B1 && code < 0x3CA) ||
      (code >= 0x430 && code < 0x450))
    code -= 32;
  else if (code >= 0x450 && code < 0x460)
    code -= 80;
  else if (even ? code != 0x131 && code & 1 : odd && !(code & 1))
    code--;
  else
    return;
  b[0] = (unsigned char)(0xC0 | code >> 6);
  b[1] = (unsigned char)(0x80 | (code & 63));
}

void name_text_beside(const char *name, body_side known, char *dest, size_t capacity) {
  word said;
  body_side side = known ? SIDE_NONE : find_side(name, &said);
  size_t used = 0;
  const char *at = name;
  dest[0] = '\0';
  if (side) used += (size_t)snprintf(dest, capacity, side == SIDE_LEFT ? "Left" : "Right");
  for (word w = next_word(name, &at); w.length && used + w.length + 2 < capacity;
       w = next_word(name, &at)) {
    if (side && w.start == said.start) continue; /* it stands first */
    if (says(&w, known)) continue;
    /* L1 and MCP stay, LowerLeg becomes two words */
    bool kept = w.length < 2 || !islower((unsigned char)w.start[w.length - 1]);
    if (used) dest[used++] = ' ';
    for (size_t i = 0; i < w.length; i++)
      dest[used + i] = (char)(kept || i ? w.start[i] : tolower((unsigned char)w.start[i]));
    used += w.length;
    dest[used] = '\0';
  }
  capitalize(dest);
  if (!used && known) name_text_beside(name, SIDE_NONE, dest, capacity);
}

void name_text(const char *name, char *dest, size_t capacity) {
  name_text_beside(name, SIDE_NONE, dest, capacity);
}
