#include "plain/side.h"

#include <ctype.h>
#include <string.h>
#include <strings.h>

/* a whole word, or a letter that begins or ends the name */
static body_side side_of_word(const char *word, size_t length, int at_end) {
  if (length == 4 && strncasecmp(word, "left", 4) == 0) return SIDE_LEFT;
  if (length == 5 && strncasecmp(word, "right", 5) == 0) return SIDE_RIGHT;
  if (length != 1 || !at_end) return SIDE_NONE;
  if (tolower((unsigned char)*word) == 'l') return SIDE_LEFT;
  return tolower((unsigned char)*word) == 'r' ? SIDE_RIGHT : SIDE_NONE;
}

body_side side_of_name(const char *name) {
  static const char between[] = "_. -";
  body_side found = SIDE_NONE;
  for (const char *word = name; *word && !found;) {
    size_t length = strcspn(word, between), gap = strspn(word + length, between);
    int alone = word == name && !word[length]; /* a bone called "L" is no side */
    found = side_of_word(word, length, !alone && (word == name || !word[length]));
    word += length + gap;
  }
  return found;
}
