/* See text.h. */
#include "text.h"

#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "alloc.h"
#include "number.h"

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
