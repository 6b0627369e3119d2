/* Writes values as Lua source that reads back to the same bits. */
#ifndef SI_LUA_TEXT_H
#define SI_LUA_TEXT_H

#include "base/text.h"

#include <sinew/sinew.h>

/* The shortest decimal that reads back to the same float. */
void si_print_number(si_text *text, float value);
/* {1, 2, 3} */
void si_print_numbers(si_text *text, const float *numbers, size_t count);
/* A string in quotes, a table's key: a plain name, or ["in brackets"], and a table's field:
 * body.pelvis, or body["L5/S1"]. */
void si_print_string(si_text *text, const char *value);
void si_print_key(si_text *text, const char *name);
void si_print_field(si_text *text, const char *table, const char *name);
/* A parameter's value; further lines of a long list start with `indent` spaces. Writes nothing for
 * an object, see si_print_has_words. */
void si_print_param(si_text *text, const sinew_param *param, int indent);
/* A segment's options: `at` and `turn` if it is only translated, else `rest`. */
void si_print_rest(si_text *text, const float rest[16]);
bool si_print_has_words(const sinew_param *param);

#endif
