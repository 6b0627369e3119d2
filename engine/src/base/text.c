/* Growing texts, base64 and numbers. The C library rounds numbers correctly in both directions, but
 * its decimal point depends on the locale, so it is replaced here. */
#include "base/budget_internal.h"
#include "base/text.h"

#include <locale.h>
#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"

enum { longest_number = 400 }; /* digits of a number in a file */

void si_text_add_n(si_text *text, const char *words, size_t length) {
  if (text->failed || !si_work(1 + length / 64) ||
      !si_grow(&text->at, &text->room, text->size + length + 1, 1)) {
    text->failed = true;
    return;
  }
  memcpy(text->at + text->size, words, length);
  text->size += length;
  text->at[text->size] = '\0';
}

void si_text_add(si_text *text, const char *words) { si_text_add_n(text, words, strlen(words)); }

void si_text_format(si_text *text, const char *format, ...) {
  char words[512];
  si_work(8);
  va_list args;
  va_start(args, format);
  int length = vsnprintf(words, sizeof words, format, args);
  va_end(args);
  if (length < 0 || length >= (int)sizeof words)
    text->failed = true;
  else
    si_text_add_n(text, words, (size_t)length);
}

void si_text_number(si_text *text, float number) {
  char digits[SI_NUMBER_TEXT];
  si_work(20);
  int length = si_float_text(number, digits);
  si_text_add_n(text, digits, (size_t)length);
}

size_t si_utf8_read(const char *text, uint32_t *dest) {
  static const uint32_t least[] = { 0, 0, 0x80, 0x800, 0x10000 };
  const unsigned char *s = (const unsigned char *)text;
  uint32_t code = s[0];
  size_t length = 1;
  if (code >= 0x80) {
    length = code < 0xc0 ? 0 : code < 0xe0 ? 2 : code < 0xf0 ? 3 : code < 0xf8 ? 4 : 0;
    code = length ? code & (0x7fu >> length) : 0;
    for (size_t i = 1; i < length; i++) {
      if ((s[i] & 0xc0) != 0x80) return 0;
      code = code << 6 | (s[i] & 0x3f);
    }
    if (code < least[length] || code > 0x10ffff || (code >= 0xd800 && code < 0xe000)) return 0;
  }
  *dest = code;
  return length;
}

bool si_is_control(uint32_t code) {
  return code < 32 || (code >= 127 && code < 0xa0) || (code >= 0x202a && code <= 0x202e) ||
         (code >= 0x2066 && code <= 0x2069) || code == 0xfffe || code == 0xffff;
}

size_t si_text_make_plain(char *text, size_t length) {
  size_t put = 0;
  text[length] = '\0';
  for (size_t at = 0; at < length;) {
    uint32_t code;
    const size_t read = si_utf8_read(text + at, &code);
    const bool control = read && code != '\n' && code != '\t' && si_is_control(code);
    if (!read || control)
      text[put++] = '?';
    else
      memmove(text + put, text + at, read);
    if (read && !control) put += read;
    at += read ? read : 1;
  }
  text[put] = '\0';
  return put;
}

void si_text_quoted(si_text *text, const char *words) {
  si_text_add_n(text, "\"", 1);
  while (*words) {
    uint32_t code;
    const size_t length = si_utf8_read(words, &code);
    if (*words == '"' || *words == '\\')
      si_text_format(text, "\\%c", *words);
    else if (length && (code < 32 || (code >= 127 && code < 0xa0)))
      si_text_format(text, "\\u%04x", (unsigned)code);
    else if (length)
      si_text_add_n(text, words, length);
    else
      si_text_add(text, "\xef\xbf\xbd");
    words += length ? length : 1;
  }
  si_text_add_n(text, "\"", 1);
}

char *si_text_finish(si_text *text, size_t *size, sinew_error *error) {
  if (!text->at) si_text_add_n(text, "", 0);
  if (text->failed) {
    si_free(text->at);
    *text = (si_text){ 0 };
    si_fail_memory(error);
    return NULL;
  }
  if (size) *size = text->size;
  return text->at;
}

void si_text_base64(si_text *text, const unsigned char *bytes, size_t size) {
  static const char digits[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
  for (size_t i = 0; i < size; i += 3) {
    const size_t left = size - i;
    uint32_t three = (uint32_t)bytes[i] << 16;
    if (left > 1) three |= (uint32_t)bytes[i + 1] << 8;
    if (left > 2) three |= bytes[i + 2];
    const char four[4] = { digits[three >> 18], digits[three >> 12 & 63],
                           left > 1 ? digits[three >> 6 & 63] : '=',
                           left > 2 ? digits[three & 63] : '=' };
    si_text_add_n(text, four, 4);
  }
}

bool si_ends_with(const char *name, const char *ending) {
  const size_t length = strlen(name), tail = strlen(ending);
  if (length < tail) return false;
  for (size_t i = 0; i < tail; i++) {
    char c = name[length - tail + i];
    if (c >= 'A' && c <= 'Z') c = (char)(c - 'A' + 'a');
    if (c != ending[i]) return false;
  }
  return true;
}

/* --- numbers */

/* replaces the locale's decimal point in what printf wrote; returns the length */
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

/* copies a number with the locale's decimal point; false if it is not a number */
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
  char local[longest_number];
  if (!localise(text, length, local, sizeof local)) return false;
  *dest = strtof(local, NULL);
  return true;
}

bool si_text_double(const char *text, size_t length, double *dest) {
  char local[longest_number];
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

static bool is_digit(const char *at, const char *end) {
  return at < end && *at >= '0' && *at <= '9';
}

bool si_number_read(const char **from, const char *end, double *dest) {
  const char *at = *from;
  double sign = 1, mantissa = 0;
  int exponent = 0, scale = 0;
  bool digits = false;
  if (at < end && (*at == '-' || *at == '+')) sign = *at++ == '-' ? -1 : 1;
  for (bool fraction = false; at < end; at++) {
    if (*at == '.' && !fraction) {
      fraction = true;
    } else if (is_digit(at, end)) {
      /* digits after the seventeenth only count for the magnitude */
      if (mantissa < 1e16) {
        mantissa = mantissa * 10 + (*at - '0');
        scale -= fraction;
      } else if (scale < 10000) {
        scale += !fraction;
      }
      digits = true;
    } else {
      break;
    }
    if (scale < -10000) scale = -10000;
  }
  if (!digits) return false;
  if (at < end && (*at == 'e' || *at == 'E')) {
    const char *tail = at + 1;
    int direction = 1;
    if (tail < end && (*tail == '-' || *tail == '+')) direction = *tail++ == '-' ? -1 : 1;
    if (is_digit(tail, end)) {
      for (at = tail; is_digit(at, end); at++)
        if (exponent < 10000) exponent = exponent * 10 + (*at - '0');
      exponent *= direction;
    }
  }
  exponent += scale;
  /* powers of ten up to 22 are exact, so a float written with 9 digits reads back as itself */
  if (mantissa > 0)
    mantissa = exponent < 0 ? mantissa / pow(10, -exponent) : mantissa * pow(10, exponent);
  *dest = sign * mantissa;
  *from = at;
  return true;
}
