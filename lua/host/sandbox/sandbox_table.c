/* The table library of a sandbox. It respects metamethods as Lua's own does, and charges every
 * element, so a table with a false length runs into the budget. */
#include "lua/host/sandbox/sandbox_core.h"

#include <lualib.h>

static int concat(lua_State *L) {
  si_sandbox *sandbox = si_sandbox_inside(L);
  luaL_checktype(L, 1, LUA_TTABLE);
  size_t separator_length, total = 0;
  const char *separator = luaL_optlstring(L, 2, "", &separator_length);
  lua_Integer first = luaL_optinteger(L, 3, 1);
  lua_Integer last = luaL_opt(L, luaL_checkinteger, 4, luaL_len(L, 1));
  luaL_Buffer buffer;
  luaL_buffinit(L, &buffer);
  for (lua_Integer i = first; i <= last; i++) {
    lua_geti(L, 1, i);
    if (!lua_isstring(L, -1))
      return luaL_error(L, "invalid value (at index %I) in table for 'concat'", (LUAI_UACINT)i);
    size_t length;
    lua_tolstring(L, -1, &length);
    total += length + (i < last ? separator_length : 0);
    if (total > sandbox->desc.text)
      return luaL_error(L, "table.concat: the result has more than %d bytes",
                        (int)sandbox->desc.text);
    si_spend(L, 2 + length / 16);
    luaL_addvalue(&buffer);
    if (i < last) luaL_addlstring(&buffer, separator, separator_length);
    if (i == LUA_MAXINTEGER) break;
  }
  luaL_pushresult(&buffer);
  return 1;
}

static int insert(lua_State *L) {
  luaL_checktype(L, 1, LUA_TTABLE);
  lua_Integer end = (lua_Integer)((lua_Unsigned)luaL_len(L, 1) + 1), at = end;
  si_spend(L, 1);
  switch (lua_gettop(L)) {
  case 2: break;
  case 3:
    at = luaL_checkinteger(L, 2);
    luaL_argcheck(L, (lua_Unsigned)at - 1u < (lua_Unsigned)end, 2, "position out of bounds");
    for (lua_Integer i = end; i > at; i--) {
      si_spend(L, 2);
      lua_geti(L, 1, i - 1);
      lua_seti(L, 1, i);
    }
    break;
  default: return luaL_error(L, "wrong number of arguments to 'insert'");
  }
  lua_seti(L, 1, at);
  return 0;
}

static int take_out(lua_State *L) {
  luaL_checktype(L, 1, LUA_TTABLE);
  lua_Integer size = luaL_len(L, 1), at = luaL_optinteger(L, 2, size);
  if (at != size)
    luaL_argcheck(L, (lua_Unsigned)at - 1u <= (lua_Unsigned)size, 2, "position out of bounds");
  si_spend(L, 1);
  lua_geti(L, 1, at);
  for (; at < size; at++) {
    si_spend(L, 2);
    lua_geti(L, 1, at + 1);
    lua_seti(L, 1, at);
  }
  lua_pushnil(L);
  lua_seti(L, 1, at);
  return 1;
}

static int move(lua_State *L) {
  luaL_checktype(L, 1, LUA_TTABLE);
  lua_Integer first = luaL_checkinteger(L, 2), last = luaL_checkinteger(L, 3);
  lua_Integer target = luaL_checkinteger(L, 4);
  int dest = lua_isnoneornil(L, 5) ? 1 : 5;
  luaL_checktype(L, dest, LUA_TTABLE);
  if (last >= first) {
    luaL_argcheck(L, first > 0 || last < LUA_MAXINTEGER + first, 3, "too many elements to move");
    lua_Integer count = last - first + 1;
    luaL_argcheck(L, target <= LUA_MAXINTEGER - count + 1, 4, "destination wrap around");
    bool upwards = target > last || target <= first || (dest != 1 && !lua_rawequal(L, 1, dest));
    for (lua_Integer i = 0; i < count; i++) {
      lua_Integer k = upwards ? i : count - 1 - i;
      si_spend(L, 2);
      lua_geti(L, 1, first + k);
      lua_seti(L, dest, target + k);
    }
  }
  lua_pushvalue(L, dest);
  return 1;
}

static int pack(lua_State *L) {
  int count = lua_gettop(L);
  si_spend(L, (size_t)count / 4);
  lua_createtable(L, count, 1);
  lua_insert(L, 1);
  for (int i = count; i >= 1; i--) lua_seti(L, 1, i);
  lua_pushinteger(L, count);
  lua_setfield(L, 1, "n");
  return 1;
}

static int unpack(lua_State *L) {
  lua_Integer first = luaL_optinteger(L, 2, 1);
  lua_Integer last = luaL_opt(L, luaL_checkinteger, 3, luaL_len(L, 1));
  if (first > last) return 0;
  lua_Unsigned count = (lua_Unsigned)last - (lua_Unsigned)first;
  if (count >= 1000000 || !lua_checkstack(L, (int)count + 1))
    return luaL_error(L, "too many results to unpack");
  for (lua_Unsigned i = 0; i <= count; i++) {
    si_spend(L, 1);
    lua_geti(L, 1, first + (lua_Integer)i);
  }
  return (int)count + 1;
}

/* whether the value at `a` sorts before the one at `b` */
static bool before(lua_State *L, int a, int b) {
  if (lua_isnil(L, 2)) {
    size_t weight = 4;
    if (lua_type(L, a) == LUA_TSTRING && lua_type(L, b) == LUA_TSTRING) {
      size_t length = lua_rawlen(L, a), other = lua_rawlen(L, b);
      weight += length < other ? length : other;
    }
    si_spend(L, weight);
    return lua_compare(L, a, b, LUA_OPLT);
  }
  si_spend(L, 4);
  lua_pushvalue(L, 2);
  lua_pushvalue(L, a);
  lua_pushvalue(L, b);
  lua_call(L, 2, 1);
  bool result = lua_toboolean(L, -1);
  lua_pop(L, 1);
  return result;
}

/* sifts the value on top down from `at` in the heap of the first `size` elements; pops it */
static void sink(lua_State *L, lua_Integer at, lua_Integer size) {
  int value = lua_gettop(L);
  for (;;) {
    lua_Integer child = 2 * at;
    if (child > size) break;
    lua_geti(L, 1, child);
    if (child < size) {
      lua_geti(L, 1, child + 1);
      if (before(L, value + 1, value + 2)) {
        child++;
        lua_replace(L, value + 1);
      } else {
        lua_pop(L, 1);
      }
    }
    if (!before(L, value, value + 1)) {
      lua_pop(L, 1);
      break;
    }
    lua_seti(L, 1, at);
    at = child;
  }
  lua_seti(L, 1, at);
}

/* Heapsort: n log n comparisons whatever the order function returns. */
static int sort(lua_State *L) {
  luaL_checktype(L, 1, LUA_TTABLE);
  lua_Integer size = luaL_len(L, 1);
  luaL_argcheck(L, size < 1 << 30, 1, "array too big");
  if (!lua_isnoneornil(L, 2)) luaL_checktype(L, 2, LUA_TFUNCTION);
  lua_settop(L, 2);
  for (lua_Integer at = size / 2; at >= 1; at--) {
    lua_geti(L, 1, at);
    sink(L, at, size);
  }
  for (lua_Integer end = size; end > 1; end--) {
    lua_geti(L, 1, 1);
    lua_geti(L, 1, end);
    lua_insert(L, -2);
    lua_seti(L, 1, end);
    sink(L, 1, end - 1);
  }
  return 0;
}

void si_sandbox_open_table(lua_State *L) {
  static const luaL_Reg functions[] = {
    { "concat", concat },   { "insert", insert }, { "move", move },     { "pack", pack },
    { "remove", take_out }, { "sort", sort },     { "unpack", unpack }, { NULL, NULL },
  };
  luaL_newlib(L, functions);
  lua_setglobal(L, LUA_TABLIBNAME);
}
