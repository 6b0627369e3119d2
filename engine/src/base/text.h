/* Texts that grow, and numbers in them: the same in every locale, and back to the bit. */
#ifndef SI_TEXT_H
#define SI_TEXT_H

#include "base/error_internal.h"

/* Starts as { 0 }. Once memory is out nothing more is added, and `failed` says so. */
typedef struct si_text {
  char *at; /* with a zero behind it; si_free it */
  size_t size, room;
  bool failed;
} si_text;

void si_text_add(si_text *text, const char *words);
void si_text_add_n(si_text *text, const char *words, size_t length);
void si_text_format(si_text *text, const char *format, ...) SI_PRINTF(2, 3);
/* The fewest digits that read back as the same float. */
void si_text_number(si_text *text, float number);
/* As a string of JSON, quotes and all; bytes that are no UTF-8 become U+FFFD. */
void si_text_quoted(si_text *text, const char *words);
/* Gives the text away, to be freed by sinew_text_free; NULL, with `error` filled, where it failed.
 */
char *si_text_finish(si_text *text, size_t *size, sinew_error *error);

/* Reads a number that begins at `*at`: sign, digits with or without a point, exponent. Moves `*at`
 * behind what it took; false where there are no digits. Too large a number is an infinity. */
bool si_number_read(const char **at, const char *end, double *dest);

#endif
