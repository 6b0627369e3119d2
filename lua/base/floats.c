/* Userdata of a few floats: finding them inside the userdata, reading them from arguments and
 * tables, access by number and letter, comparing, printing. */
#include "lua/base/floats.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

enum { most_floats = 16 };

float *si_floats_push(lua_State *L, const si_floats *kind) {
  size_t size = (size_t)kind->count * sizeof(float);
  /* vec3 also has four floats */
  void *userdata =
      si_lua_new(L, kind->type, (size < 16 ? 16 : size) + si_floats_slack(kind->align), 0);
  float *floats = si_floats_in(userdata, kind->align);
  memcpy(floats, kind->initial, size);
  return floats;
}

float *si_floats_test(lua_State *L, int index, const si_floats *kind) {
  void *userdata = si_lua_test(L, index, kind->type);
  return userdata ? si_floats_in(userdata, kind->align) : NULL;
}

float *si_floats_check(lua_State *L, int index, const si_floats *kind) {
  return si_floats_in(si_lua_check(L, index, kind->type), kind->align);
}

float *si_floats_self(lua_State *L, const si_floats *kind) {
  return si_floats_in(si_lua_self(L, kind->type), kind->align);
}

float *si_floats_dest(lua_State *L, int index, const si_floats *kind) {
  if (lua_isnoneornil(L, index)) return si_floats_push(L, kind);
  float *floats = si_floats_check(L, index, kind);
  lua_pushvalue(L, index);
  return floats;
}

int si_lua_read_list(lua_State *L, int index, int low, int high, float *dest) {
  if (!lua_istable(L, index)) return 0;
  for (int i = 0; i <= high; i++) {
    lua_rawgeti(L, index, i + 1);
    int type = lua_type(L, -1);
    if (type == LUA_TNUMBER && i < high) dest[i] = (float)lua_tonumber(L, -1);
    lua_pop(L, 1);
    if (type == LUA_TNIL && i >= low) return i;
    if (type != LUA_TNUMBER) return 0;
  }
  return 0;
}

/* { x = 1, z = 2 }: missing letters are 0, any other key is an error */
static bool read_letters(lua_State *L, int index, int count, float *dest) {
  float read[4] = { 0 };
  bool any = false, good = true;
  index = lua_absindex(L, index);
  for (lua_pushnil(L); good && lua_next(L, index); lua_pop(L, 1)) {
    good =
        lua_type(L, -2) == LUA_TSTRING && lua_rawlen(L, -2) == 1 && lua_type(L, -1) == LUA_TNUMBER;
    if (!good) continue;
    char letter = *lua_tostring(L, -2);
    good = letter >= 'w' && letter <= 'z' && (count == 4 || letter != 'w');
    if (good) read[(letter - 'x') & 3] = (float)lua_tonumber(L, -1);
    any = true;
  }
  /* a loop that ended early has popped the value but not the key */
  if (!good) lua_pop(L, 1);
  if (!any || !good) return false;
  memcpy(dest, read, (size_t)count * sizeof(float));
  return true;
}

bool si_floats_read(lua_State *L, int index, const si_floats *kind, float *dest) {
  const float *floats = si_floats_test(L, index, kind);
  float read[most_floats];
  if (floats) {
    memmove(dest, floats, (size_t)kind->count * sizeof(float)); /* v:set(v) */
    return true;
  }
  if (!lua_istable(L, index)) return false;
  if (si_lua_read_list(L, index, kind->count, kind->count, read)) {
    memcpy(dest, read, (size_t)kind->count * sizeof(float));
    return true;
  }
  return kind->count <= 4 && read_letters(L, index, kind->count, dest);
}

void si_floats_want(lua_State *L, int index, const si_floats *kind, float *dest) {
  if (!si_floats_read(L, index, kind, dest)) si_lua_type_error(L, index, kind->expected);
}

static void read_arguments(lua_State *L, int first, const si_floats *kind, float *dest) {
  int given = lua_gettop(L) - first + 1;
  if (given <= 0) {
    memcpy(dest, kind->initial, (size_t)kind->count * sizeof(float));
  } else if (lua_type(L, first) != LUA_TNUMBER) {
    si_floats_want(L, first, kind, dest);
  } else {
    float read[most_floats];
    if (given != kind->count)
      luaL_error(L, "%s of %d numbers expected, got %d", kind->type->name, kind->count, given);
    for (int i = 0; i < kind->count; i++) read[i] = si_lua_check_float(L, first + i);
    memcpy(dest, read, (size_t)kind->count * sizeof(float));
  }
}

int si_floats_construct(lua_State *L, const si_floats *kind) {
  float read[most_floats];
  read_arguments(L, 1, kind, read);
  memcpy(si_floats_push(L, kind), read, (size_t)kind->count * sizeof(float));
  return 1;
}

int si_floats_set(lua_State *L, const si_floats *kind) {
  read_arguments(L, 2, kind, si_floats_self(L, kind));
  return si_lua_done(L);
}

int si_floats_copy(lua_State *L, const si_floats *kind) {
  const float *floats = si_floats_self(L, kind);
  memmove(si_floats_dest(L, 2, kind), floats, (size_t)kind->count * sizeof(float));
  return 1;
}

/* the float named by the letter or number at 2; the userdata at 1 was checked by the caller */
static float *letter(lua_State *L, const si_floats *kind) {
  return si_floats_in(lua_touserdata(L, 1), kind->align) + ((*lua_tostring(L, 2) - 'x') & 3);
}

static float *numbered(lua_State *L, const si_floats *kind) {
  if (lua_type(L, 2) != LUA_TNUMBER) return NULL;
  lua_Number key = lua_tonumber(L, 2);
  int i = key >= 1 && key <= kind->count ? (int)key : 0;
  if (i == 0 || i != key) {
    char text[SI_NUMBER_TEXT];
    si_lua_format(text, (float)key);
    luaL_error(L, "index %s of a %s is not in 1 to %d", text, kind->type->name, kind->count);
  }
  return si_floats_in(lua_touserdata(L, 1), kind->align) + i - 1;
}

int si_floats_get_letter(lua_State *L, const si_floats *kind) {
  return si_return_number(L, *letter(L, kind));
}

int si_floats_set_letter(lua_State *L, const si_floats *kind) {
  *letter(L, kind) = si_lua_value_float(L);
  return 0;
}

int si_floats_index(lua_State *L, const si_floats *kind) {
  const float *number = numbered(L, kind);
  if (!number) return 0;
  return si_return_number(L, *number);
}

int si_floats_newindex(lua_State *L, const si_floats *kind) {
  float *number = numbered(L, kind);
  if (!number) return 0;
  *number = si_lua_value_float(L);
  return 1;
}

int si_floats_eq(lua_State *L, const si_floats *kind) {
  const float *a = si_floats_test(L, 1, kind), *b = si_floats_test(L, 2, kind);
  bool equal = a && b;
  for (int i = 0; equal && i < kind->count; i++) equal = a[i] == b[i];
  return si_return_boolean(L, equal);
}

int si_floats_len(lua_State *L, const si_floats *kind) { return si_return_integer(L, kind->count); }

int si_floats_unpack(lua_State *L, const si_floats *kind) {
  const float *floats = si_floats_self(L, kind);
  luaL_checkstack(L, kind->count, kind->type->name);
  for (int i = 0; i < kind->count; i++) lua_pushnumber(L, floats[i]);
  return kind->count;
}

int si_floats_near(lua_State *L, const si_floats *kind) {
  const float *a = si_floats_self(L, kind);
  float b[most_floats];
  si_floats_want(L, 2, kind, b);
  float tolerance = (float)luaL_optnumber(L, 3, 1e-5);
  bool same = true, opposite = kind->double_cover;
  for (int i = 0; i < kind->count; i++) {
    if (!(fabsf(a[i] - b[i]) <= tolerance)) same = false;
    if (!(fabsf(a[i] + b[i]) <= tolerance)) opposite = false;
  }
  return si_return_boolean(L, same || opposite);
}

int si_lua_format(char dest[SI_NUMBER_TEXT], float number) {
  return snprintf(dest, SI_NUMBER_TEXT, isnan(number) ? "nan" : "%.9g", (double)number);
}

int si_floats_tostring(lua_State *L, const si_floats *kind) {
  const float *floats = si_floats_self(L, kind);
  char text[16 + 4 * SI_NUMBER_TEXT];
  int used = snprintf(text, sizeof text, "%s(", kind->type->name);
  for (int i = 0; i < kind->count; i++) {
    if (i > 0) used += snprintf(text + used, sizeof text - (size_t)used, ", ");
    used += si_lua_format(text + used, floats[i]);
  }
  text[used++] = ')';
  lua_pushlstring(L, text, (size_t)used);
  return 1;
}
