/* Lua source as text that grows: values that read back to the same bits. */
#ifndef SI_LUA_TEXT_H
#define SI_LUA_TEXT_H

#include "error.h"

#include <sinew/sinew.h>

typedef struct si_lua_text {
  char *bytes;
  size_t length, room;
  bool failed; /* memory is out: nothing more is added */
} si_lua_text;

void si_text_clear(si_lua_text *text);
void si_text_free(si_lua_text *text);
void si_text_add(si_lua_text *text, const char *format, ...) SI_PRINTF(2, 3);

/* The shortest decimal that reads back to the same float. */
void si_text_number(si_lua_text *text, float value);
/* {1, 2, 3} */
void si_text_numbers(si_lua_text *text, const float *numbers, size_t count);
/* A string in quotes, and a table's key: a plain name, or ["in brackets"]. */
void si_text_string(si_lua_text *text, const char *value);
void si_text_key(si_lua_text *text, const char *name);
void si_text_curve(si_lua_text *text, const sinew_curve *curve);
/* A parameter's value; `indent` spaces stand before further lines of a long list. Nothing for an
 * object, see si_text_has_words. */
void si_text_param(si_lua_text *text, const sinew_param *param, int indent);
/* A segment's options: `at` and `turn`, or `rest` where it is turned. */
void si_text_rest(si_lua_text *text, const float rest[16]);
bool si_text_has_words(const sinew_param *param);

#endif
