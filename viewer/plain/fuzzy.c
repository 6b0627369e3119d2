#include "plain/fuzzy.h"

#include <ctype.h>
#include <string.h>

static bool same(char a, char b) { return tolower((unsigned char)a) == tolower((unsigned char)b); }

bool fuzzy_has(const char *text, const char *part) {
  size_t length = strlen(part);
  for (; *text; text++) {
    size_t i = 0;
    while (i < length && same(text[i], part[i])) i++;
    if (i == length) return true;
  }
  return length == 0;
}

static bool starts_word(const char *text, const char *at) {
  if (at == text || !isalnum((unsigned char)at[-1])) return true;
  return islower((unsigned char)at[-1]) && isupper((unsigned char)at[0]);
}

/* one word of the query: 0 if it is not in the text */
static int fit_word(const char *text, const char *word, size_t length) {
  int best = 0;
  for (const char *at = text; *at; at++) {
    size_t i = 0;
    while (i < length && at[i] && same(at[i], word[i])) i++;
    if (i < length) continue;
    int fit = 60;
    if (starts_word(text, at)) fit = isalnum((unsigned char)at[length]) ? 90 : 100;
    if (fit > best) best = fit;
  }
  if (best) return best;
  /* letter by letter, the first at the start of a word */
  const char *at = text;
  while (*at && !(same(*at, word[0]) && starts_word(text, at))) at++;
  size_t i = 0;
  for (; *at && i < length; at++) i += same(*at, word[i]);
  return i == length ? 20 : 0;
}

int fuzzy_fit(const char *text, const char *query) {
  int sum = 0, words = 0;
  for (const char *at = query; *at;) {
    at += strspn(at, " ");
    size_t length = strcspn(at, " ");
    if (!length) break;
    int fit = fit_word(text, at, length);
    if (!fit) return 0;
    sum += fit;
    words++;
    at += length;
  }
  int length = (int)strlen(text);
  return (words ? 10 * sum / words : 1000) - (length < 100 ? length : 100) + 100;
}
