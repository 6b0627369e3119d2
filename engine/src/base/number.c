/* Numbers as text. The C library rounds correctly in both directions; what it makes of the decimal
 * point depends on the locale, so that is put in and taken out here. */
#include "base/number.h"

#include <locale.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { longest = 400 }; /* digits of a number that somebody wrote */

/* what stands between the digits of a number that printf wrote is the locale's point */
static int plain_point(char *text) {
  char *from = text, *to = text;
  while (*from) {
    bool plain = (*from >= '0' && *from <= '9') || *from == '-' || *from == '+' || *from == 'e';
    if (plain) {
      *to++ = *from++;
      continue;
    }
    *to++ = '.';
    while (*from && !(*from >= '0' && *from <= '9')) from++;
  }
  *to = '\0';
  return (int)(to - text);
}

int si_float_text(float value, char dest[SI_NUMBER_TEXT]) {
  for (int digits = 6; digits <= 9; digits++) {
    snprintf(dest, SI_NUMBER_TEXT, "%.*g", digits, (double)value);
    if (strtof(dest, NULL) == value) break;
  }
  return plain_point(dest);
}

int si_double_text(double value, char dest[SI_NUMBER_TEXT]) {
  for (int digits = 15; digits <= 17; digits++) {
    snprintf(dest, SI_NUMBER_TEXT, "%.*g", digits, value);
    if (strtod(dest, NULL) == value) break;
  }
  return plain_point(dest);
}

static size_t digits_at(const char *text, size_t length, size_t at) {
  size_t count = 0;
  while (at + count < length && text[at + count] >= '0' && text[at + count] <= '9') count++;
  return count;
}

/* the number with the locale's point in `dest`; false where it is none */
static bool localise(const char *text, size_t length, char *dest, size_t room) {
  const char *point = localeconv()->decimal_point;
  size_t at = length && (*text == '-' || *text == '+');
  size_t whole = digits_at(text, length, at), part = 0, dot = length;
  at += whole;
  if (at < length && text[at] == '.') {
    dot = at++;
    part = digits_at(text, length, at);
    at += part;
  }
  if (whole + part == 0) return false;
  if (at < length && (text[at] == 'e' || text[at] == 'E')) {
    at++;
    if (at < length && (text[at] == '-' || text[at] == '+')) at++;
    size_t digits = digits_at(text, length, at);
    if (!digits) return false;
    at += digits;
  }
  if (at != length || length + strlen(point) + 1 > room) return false;
  snprintf(dest, room, "%.*s%s%.*s", (int)dot, text, dot < length ? point : "",
           dot < length ? (int)(length - dot - 1) : 0, dot < length ? text + dot + 1 : "");
  return true;
}

bool si_text_float(const char *text, size_t length, float *dest) {
  char local[longest];
  if (!localise(text, length, local, sizeof local)) return false;
  *dest = strtof(local, NULL);
  return true;
}

bool si_text_double(const char *text, size_t length, double *dest) {
  char local[longest];
  if (!localise(text, length, local, sizeof local)) return false;
  *dest = strtod(local, NULL);
  return true;
}

bool si_whole(double value, int64_t low, int64_t high, int64_t *dest) {
  /* 2^63 is the first that is too large: the greatest int64_t rounds up to it */
  if (!(value >= (double)low && value <= (double)high && value < 0x1p63) || value != floor(value))
    return false;
  *dest = (int64_t)value;
  return true;
}
