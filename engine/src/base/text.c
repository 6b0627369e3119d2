/* See text.h. */
#include "base/text.h"

#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "base/alloc.h"
#include "base/number.h"

void si_text_add_n(si_text *text, const char *words, size_t length) {
  void *items = text->at;
  if (text->failed || !si_grow(&items, &text->room, text->size + length + 1, 1)) {
    text->failed = true;
    return;
  }
  text->at = items;
  memcpy(text->at + text->size, words, length);
  text->size += length;
  text->at[text->size] = '\0';
}

void si_text_add(si_text *text, const char *words) { si_text_add_n(text, words, strlen(words)); }

void si_text_format(si_text *text, const char *format, ...) {
  char words[512];
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
  int length = si_float_text(number, digits);
  si_text_add_n(text, digits, (size_t)length);
}

/* the bytes of the UTF-8 character at `s`, 0 where there is none */
static size_t character(const unsigned char *s) {
  static const uint32_t least[] = { 0, 0, 0x80, 0x800, 0x10000 };
  if (s[0] < 0x80) return 1;
  const size_t length = s[0] < 0xc0 ? 0 : s[0] < 0xe0 ? 2 : s[0] < 0xf0 ? 3 : s[0] < 0xf8 ? 4 : 0;
  uint32_t code = length ? s[0] & (0x7fu >> length) : 0;
  for (size_t i = 1; i < length; i++) {
    if ((s[i] & 0xc0) != 0x80) return 0;
    code = code << 6 | (s[i] & 0x3f);
  }
  const bool good = code >= least[length] && code <= 0x10ffff && (code < 0xd800 || code > 0xdfff);
  return good ? length : 0;
}

void si_text_quoted(si_text *text, const char *words) {
  si_text_add_n(text, "\"", 1);
  while (*words) {
    const unsigned char *at = (const unsigned char *)words;
    const size_t length = character(at);
    if (*at == '"' || *at == '\\')
      si_text_format(text, "\\%c", *at);
    else if (*at < 32)
      si_text_format(text, "\\u%04x", *at);
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
      /* digits past the seventeenth count for the size alone */
      if (mantissa < 1e16)
        mantissa = mantissa * 10 + (*at - '0'), scale -= fraction;
      else if (scale < 10000)
        scale += !fraction;
      digits = true;
    } else {
      break;
    }
    if (scale < -10000) scale = -10000;
  }
  if (!digits) return false;
  if (at < end && (*at == 'e' || *at == 'E')) {
    const char *tail = at + 1;
    int way = 1;
    if (tail < end && (*tail == '-' || *tail == '+')) way = *tail++ == '-' ? -1 : 1;
    if (is_digit(tail, end)) {
      for (at = tail; is_digit(at, end); at++)
        if (exponent < 10000) exponent = exponent * 10 + (*at - '0');
      exponent *= way;
    }
  }
  exponent += scale;
  /* powers of ten to 22 are exact, so that what was written with 9 digits is read back */
  if (mantissa > 0)
    mantissa = exponent < 0 ? mantissa / pow(10, -exponent) : mantissa * pow(10, exponent);
  *dest = sign * mantissa;
  *from = at;
  return true;
}
