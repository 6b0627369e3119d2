/* Reads a table of named options. Every reader raises a message that starts with `who` if a value
 * does not fit, and returns its fallback if the option is missing. */
#ifndef SI_LUA_OPTIONS_H
#define SI_LUA_OPTIONS_H

#include "lua/math/math_lua.h"

/* Raises if the table at `index` has a key that is not among `names` (terminated by NULL);
 * `positions` allows numbers as keys. */
void si_options_check(lua_State *L, int index, const char *who, const char *const *names,
                      bool positions);

/* A table of options as a struct: what each is called, and where it goes. A function reads all of
 * them before it opens any object, so that nothing that is held can change meanwhile. */
typedef enum si_option_kind {
  SI_OPTION_NUMBER, /* a float */
  SI_OPTION_DOUBLE,
  SI_OPTION_INT, /* an int from `low` to `high` */
  SI_OPTION_FLAG,
  SI_OPTION_TEXT, /* a const char *, which the table keeps */
  SI_OPTION_WORD, /* an int (or an enum): the place of the text in `words` */
  SI_OPTION_VEC3,
  SI_OPTION_OTHER /* its reader is elsewhere; only its name is known */
} si_option_kind;

typedef struct si_option {
  const char *name; /* NULL: the end */
  si_option_kind kind;
  size_t offset;
  int low, high;
  const char *const *words; /* ends with NULL */
} si_option;

/* A field of a struct that is called as its option, and one that is an int or a word. */
#define SI_OPTION(type, field, sort)                                                               \
  { .name = #field, .kind = SI_OPTION_##sort, .offset = offsetof(type, field) }
#define SI_OPTION_RANGE(type, field, least, most)                                                  \
  {                                                                                                \
    .name = #field, .kind = SI_OPTION_INT, .offset = offsetof(type, field), .low = (least),        \
    .high = (most)                                                                                 \
  }
#define SI_OPTION_CHOICE(type, field, list)                                                        \
  { .name = #field, .kind = SI_OPTION_WORD, .offset = offsetof(type, field), .words = (list) }
#define SI_OPTION_END                                                                              \
  { .name = NULL }

/* Reads the table at `index` into `dest`, which has the defaults; nil and none leave it as it is.
 * Raises for other values, other names, and for what does not fit. A bit for each option that is
 * given, in the order of `options`. */
unsigned si_options_read(lua_State *L, int index, const char *who, const si_option *options,
                         void *dest);

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
