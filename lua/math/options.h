/* Reads a table of named options. Every reader raises a message that starts with `who` if a value
 * does not fit. */
#ifndef SI_LUA_OPTIONS_H
#define SI_LUA_OPTIONS_H

#include "lua/math/math_lua.h"

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
  SI_OPTION_AXIS, /* a float[3], also given as "x", "-z" and so on */
  SI_OPTION_MAT4,
  SI_OPTION_TURN, /* a float[16]: the rotation of a quat, or a mat4 */
  SI_OPTION_ROWS, /* an si_rows of `low` numbers each, in memory that is left on the stack */
  SI_OPTION_VALUE /* an int: where on the stack the value is left; 0: it is missing. Handles are
                      such values: they are looked at when all options are read. */
} si_option_kind;

/* A list of vectors or other rows of numbers, given flat or nested. */
typedef struct si_rows {
  float *at; /* NULL: missing */
  size_t count;
} si_rows;

typedef struct si_option {
  const char *name; /* NULL: the end */
  si_option_kind kind;
  size_t offset;
  int low, high;            /* low of a VALUE: its type in Lua; 0: any */
  const char *const *words; /* ends with NULL */
  const char *wanted;       /* the type of a VALUE in messages: "a table of names" */
  unsigned only;            /* for the caller: what the option is for */
} si_option;

/* A field of a struct that is called as its option, and one that is an int or a word. */
#define SI_OPTION(type, field, sort)                                                               \
  { .name = #field, .kind = SI_OPTION_##sort, .offset = offsetof(type, field) }
/* the same for a field of the struct `part` in it */
#define SI_OPTION_IN(type, part, field, sort)                                                      \
  { .name = #field, .kind = SI_OPTION_##sort, .offset = offsetof(type, part.field) }
#define SI_OPTION_RANGE(type, field, least, most)                                                  \
  {                                                                                                \
    .name = #field, .kind = SI_OPTION_INT, .offset = offsetof(type, field), .low = (least),        \
    .high = (most)                                                                                 \
  }
#define SI_OPTION_CHOICE(type, field, list)                                                        \
  { .name = #field, .kind = SI_OPTION_WORD, .offset = offsetof(type, field), .words = (list) }
#define SI_OPTION_LIST(type, field, width)                                                         \
  { .name = #field, .kind = SI_OPTION_ROWS, .offset = offsetof(type, field), .low = (width) }
#define SI_OPTION_OF(type, field, lua_type, words_for_it)                                          \
  {                                                                                                \
    .name = #field, .kind = SI_OPTION_VALUE, .offset = offsetof(type, field), .low = (lua_type),   \
    .wanted = (words_for_it)                                                                       \
  }
#define SI_OPTION_END                                                                              \
  { .name = NULL }
/* the same for a table that is a list as well */
#define SI_OPTION_END_OF_LIST                                                                      \
  { .name = NULL, .low = 1 }

/* Reads the table at `index` into `dest`, which has the defaults; nil and none leave it as it is.
 * Raises for other values, other names, and for what does not fit. A bit for each option that is
 * given, in the order of `options`, of which there are 32 at most. No script runs meanwhile, but
 * for finalizers, which can use no handles. */
unsigned si_options_read(lua_State *L, int index, const char *who, const si_option *options,
                         void *dest);

/* Returns false, with dest unchanged, if the option is missing. */
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
