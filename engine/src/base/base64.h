/* Base64 (RFC 4648), as files hold bytes in text. */
#ifndef SI_BASE64_H
#define SI_BASE64_H

#include "base/text.h"

/* What a letter stands for, or -1. */
static inline int si_base64_digit(char c) {
  if (c >= 'A' && c <= 'Z') return c - 'A';
  if (c >= 'a' && c <= 'z') return c - 'a' + 26;
  if (c >= '0' && c <= '9') return c - '0' + 52;
  return c == '+' ? 62 : c == '/' ? 63 : -1;
}

/* Adds bytes to a text, padded to whole groups of four letters. */
void si_base64_add(si_text *text, const unsigned char *bytes, size_t size);

#endif
