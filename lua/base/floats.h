/* What vec3, quat and mat4 have in common: userdata of a few floats. Functions that end a
 * metamethod or method return its number of results. */
#ifndef SI_LUA_FLOATS_H
#define SI_LUA_FLOATS_H

#include "base/text.h"
#include "lua/base/type.h"

#include <stdint.h>

typedef struct si_floats {
  const si_lua_type *type;
  const char *expected; /* "vec3 or a table of three numbers" */
  int count;
  size_t align;         /* of the floats, a power of two, at least 8 */
  const float *initial; /* of one made without arguments */
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

/* Reads from `low` to `high` numbers that stand in a table by position, and nothing after them.
 * Returns how many, 0 where it is not so. dest may be half written then. */
int si_lua_read_list(lua_State *L, int index, int low, int high, float *dest);

/* The arguments of a constructor from `first` on: none, `count` numbers, or what read takes. */
void si_floats_arguments(lua_State *L, int first, const si_floats *kind, float *dest);

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
/* method near(other, tolerance); either sign where `double_cover` */
int si_floats_near(lua_State *L, const si_floats *kind, bool double_cover);
/* "name(1, 2, 3)" */
int si_floats_tostring(lua_State *L, const si_floats *kind);

/* "%.9g", and "nan" for every NaN. Returns the length. */
int si_lua_format(char dest[SI_NUMBER_TEXT], float number);

#endif
