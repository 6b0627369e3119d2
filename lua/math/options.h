/* Reads a table of named options. Every reader raises a message that starts with `who` if a value
 * does not fit, and returns its fallback if the option is missing. */
#ifndef SI_LUA_OPTIONS_H
#define SI_LUA_OPTIONS_H

#include "lua/math/math_lua.h"

/* Raises if the table at `index` has a key that is not among `names` (terminated by NULL);
 * `positions` allows numbers as keys. */
void si_options_check(lua_State *L, int index, const char *who, const char *const *names,
                      bool positions);

float si_option_number(lua_State *L, int index, const char *who, const char *name, float fallback,
                       bool *given);
int si_option_int(lua_State *L, int index, const char *who, const char *name, int low, int high,
                  int fallback);
bool si_option_flag(lua_State *L, int index, const char *who, const char *name, bool fallback);
const char *si_option_text(lua_State *L, int index, const char *who, const char *name);
/* Returns false, with dest unchanged, if the option is missing. */
bool si_option_vec3(lua_State *L, int index, const char *who, const char *name, float dest[3]);
/* The same for a direction, which may also be "x", "-z" and so on. */
bool si_option_axis(lua_State *L, int index, const char *who, const char *name, float dest[3]);
/* A list of vectors (`width` 3) or of other rows of numbers, flat or nested, in memory left on the
 * stack; NULL if the option is missing. */
float *si_option_rows(lua_State *L, int index, const char *who, const char *name, int width,
                      size_t *count);

/* Named numbers, to be set as fields of the table on top of the stack; terminated by an entry
 * without a name. */
typedef struct si_named_number {
  const char *name;
  double value;
} si_named_number;
void si_set_numbers(lua_State *L, const si_named_number *numbers);

#endif
