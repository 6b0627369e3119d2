/* Shared by vec3, quat and mat4: userdata of a few floats. Functions that end a metamethod or a
 * method return its number of results. */
#ifndef SI_LUA_FLOATS_H
#define SI_LUA_FLOATS_H

#include "base/text.h"
#include "lua/base/type.h"

#include <stdint.h>

typedef struct si_floats {
  const si_lua_type *type;
  const char *expected; /* "vec3 or a table of three numbers" */
  int count;
  size_t align;         /* alignment of the floats, a power of two, at least 8 */
  const float *initial; /* value of one made without arguments */
  bool double_cover;    /* a value and its negative compare as near */
} si_floats;

/* the floats inside a userdata of `size` + si_floats_slack(align) bytes */
static inline float *si_floats_in(void *userdata, size_t align) {
  return (float *)(((uintptr_t)userdata + align - 1) & ~(uintptr_t)(align - 1));
}
static inline size_t si_floats_slack(size_t align) { return align - 8; }

float *si_floats_push(lua_State *L, const si_floats *kind);
float *si_floats_test(lua_State *L, int index, const si_floats *kind);
float *si_floats_check(lua_State *L, int index, const si_floats *kind);
float *si_floats_self(lua_State *L, const si_floats *kind);
float *si_floats_dest(lua_State *L, int index, const si_floats *kind);
bool si_floats_read(lua_State *L, int index, const si_floats *kind, float *dest);
void si_floats_want(lua_State *L, int index, const si_floats *kind, float *dest);

/* Reads `low` to `high` numbers from the list part of a table that has nothing else. Returns their
 * count, or 0 for any other table; dest may be partly written then. */
int si_lua_read_list(lua_State *L, int index, int low, int high, float *dest);

int si_floats_construct(lua_State *L, const si_floats *kind);
int si_floats_set(lua_State *L, const si_floats *kind);
int si_floats_copy(lua_State *L, const si_floats *kind);
int si_floats_get_letter(lua_State *L, const si_floats *kind);
int si_floats_set_letter(lua_State *L, const si_floats *kind);
int si_floats_index(lua_State *L, const si_floats *kind);
int si_floats_newindex(lua_State *L, const si_floats *kind);
int si_floats_eq(lua_State *L, const si_floats *kind);
int si_floats_len(lua_State *L, const si_floats *kind);
int si_floats_unpack(lua_State *L, const si_floats *kind);
int si_floats_near(lua_State *L, const si_floats *kind);
/* "name(1, 2, 3)" */
int si_floats_tostring(lua_State *L, const si_floats *kind);

/* What vec3, quat and mat4 define in the same way, each in its own file after declaring `kind`:
 * functions with the kind as a constant, their rows in the tables of methods and metamethods, and
 * the functions that other files call. */
#define SI_FLOATS_FUNCTIONS                                                                        \
  static int construct(lua_State *L) { return si_floats_construct(L, &kind); }                     \
  static int set(lua_State *L) { return si_floats_set(L, &kind); }                                 \
  static int copy(lua_State *L) { return si_floats_copy(L, &kind); }                               \
  static int near(lua_State *L) { return si_floats_near(L, &kind); }                               \
  static int unpack(lua_State *L) { return si_floats_unpack(L, &kind); }                           \
  static int op_eq(lua_State *L) { return si_floats_eq(L, &kind); }                                \
  static int op_len(lua_State *L) { return si_floats_len(L, &kind); }                              \
  static int get_number(lua_State *L) { return si_floats_index(L, &kind); }                        \
  static int set_number(lua_State *L) { return si_floats_newindex(L, &kind); }
#define SI_FLOATS_METHODS                                                                          \
  { "set", set }, { "copy", copy }, { "near", near }, { "unpack", unpack }
#define SI_FLOATS_META                                                                             \
  { "__eq", op_eq }, { "__len", op_len }
#define SI_FLOATS_PUBLIC(name, count)                                                              \
  float *si_##name##_push(lua_State *L) { return si_floats_push(L, &kind); }                       \
  float *si_##name##_test(lua_State *L, int index) { return si_floats_test(L, index, &kind); }     \
  float *si_##name##_check(lua_State *L, int index) { return si_floats_check(L, index, &kind); }   \
  float *si_##name##_dest(lua_State *L, int index) { return si_floats_dest(L, index, &kind); }     \
  bool si_##name##_read(lua_State *L, int index, float dest[count]) {                              \
    return si_floats_read(L, index, &kind, dest);                                                  \
  }                                                                                                \
  void si_##name##_want(lua_State *L, int index, float dest[count]) {                              \
    si_floats_want(L, index, &kind, dest);                                                         \
  }
/* The same for types with coordinates x, y, z, and w. */
#define SI_FLOATS_COORDINATES                                                                      \
  static int op_tostring(lua_State *L) { return si_floats_tostring(L, &kind); }                    \
  static int get_letter(lua_State *L) { return si_floats_get_letter(L, &kind); }                   \
  static int set_letter(lua_State *L) { return si_floats_set_letter(L, &kind); }

/* "%.9g", and "nan" for every NaN. Returns the length. */
int si_lua_format(char dest[SI_NUMBER_TEXT], float number);

#endif
