/* Numbers as text that give the same bits back, whatever locale the program has set. */
#ifndef SI_NUMBER_H
#define SI_NUMBER_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum { SI_NUMBER_TEXT = 40 };

/* Writes the shortest decimal text that reads back as the same float or double, which must be
 * finite; gives its length. */
int si_float_text(float value, char dest[SI_NUMBER_TEXT]);
int si_double_text(double value, char dest[SI_NUMBER_TEXT]);

/* Reads a decimal number of `length` bytes, correctly rounded; false where it is none ("nan", "0x1"
 * and "1," are none). One that is too large gives an infinity. */
bool si_text_float(const char *text, size_t length, float *dest);
bool si_text_double(const char *text, size_t length, double *dest);

/* Whether `value`, from a file or a script, is a whole number from `low` to `high`; then it is in
 * `dest`. A plain conversion is undefined for what the integer cannot hold. */
bool si_whole(double value, int64_t low, int64_t high, int64_t *dest);

#endif
