/* Growing texts, base64, and numbers as text. Numbers do not depend on the locale, and a float that
 * is written here reads back with the same bits. */
#ifndef SI_TEXT_H
#define SI_TEXT_H

#include "base/error_internal.h"

/* Starts as { 0 }. When memory runs out, `failed` is set and nothing more is added. */
typedef struct si_text {
  char *at; /* zero-terminated; free with si_free */
  size_t size, room;
  bool failed;
} si_text;

void si_text_add(si_text *text, const char *words);
void si_text_add_n(si_text *text, const char *words, size_t length);
void si_text_format(si_text *text, const char *format, ...) SINEW_PRINTF(2, 3);
/* The fewest digits that read back as the same float. */
void si_text_number(si_text *text, float number);
/* A JSON string with its quotes; invalid UTF-8 becomes U+FFFD. */
void si_text_quoted(si_text *text, const char *words);
/* The code of the UTF-8 character at `text`; returns its length in bytes, or 0 if it is invalid. */
size_t si_utf8_read(const char *text, uint32_t *dest);
/* Whether a character is no part of a text: a control character, one that turns the direction of
 * what follows it, so that it reads as something else, or none of Unicode's. */
bool si_is_control(uint32_t code);
/* Replaces what must not reach a terminal by '?', in place: si_is_control but line ends and
 * tabs, and bytes that are not UTF-8, such as a character that was cut. `text[length]` must exist;
 * it becomes the final zero. Returns the new length. */
size_t si_text_make_plain(char *text, size_t length);
/* Base64 (RFC 4648), padded to groups of four characters. */
void si_text_base64(si_text *text, const unsigned char *bytes, size_t size);
/* Returns the finished text, to be freed with sinew_text_free; NULL, with `error` filled, if it
 * failed. */
char *si_text_finish(si_text *text, size_t *size, sinew_error *error);

/* The ending of a noun after a count: "1 goal", "2 goals". */
static inline const char *si_plural(int count) { return count == 1 ? "" : "s"; }

/* The value of a base64 character, or -1. */
static inline int si_base64_digit(char c) {
  if (c >= 'A' && c <= 'Z') return c - 'A';
  if (c >= 'a' && c <= 'z') return c - 'a' + 26;
  if (c >= '0' && c <= '9') return c - '0' + 52;
  return c == '+' ? 62 : c == '/' ? 63 : -1;
}

/* Whether a file name ends with this lower-case ending, ignoring case. */
bool si_ends_with(const char *name, const char *ending);

enum { SI_NUMBER_TEXT = 40 };
/* Writes the shortest decimal text that reads back as the same number, which must be finite;
 * returns its length. */
int si_float_text(float value, char dest[SI_NUMBER_TEXT]);
int si_double_text(double value, char dest[SI_NUMBER_TEXT]);
/* Reads a decimal number of `length` bytes, correctly rounded; false if it is not one ("nan", "0x1"
 * and "1," are not). A number that is too large becomes infinite. */
bool si_text_float(const char *text, size_t length, float *dest);
bool si_text_double(const char *text, size_t length, double *dest);
/* Reads a number that starts at `*at` (sign, digits with or without a point, exponent) and moves
 * `*at` past it; false if there are no digits. A number that is too large becomes infinite. */
bool si_number_read(const char **at, const char *end, double *dest);
/* Converts `value`, from a file or a script, if it is a whole number from `low` to `high`. (A cast
 * is undefined for values that the integer cannot hold.) */
bool si_whole(double value, int64_t low, int64_t high, int64_t *dest);

#endif
