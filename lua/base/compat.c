/* The functions of the 5.4 API that LuaJIT lacks, and the owner of a userdata. Lua 5.4 keeps the
 * owner in the first user value. LuaJIT keeps it in the environment, which must be a table there,
 * so the owner is its [1]. */
#include "lua/base/compat.h"

#include <stdint.h>

#if defined(SINEW_MODULE) && defined(__ELF__)
#define WEAK_FUNCTIONS
#endif

#if LUA_VERSION_NUM == 501

void si_lua_check_version(lua_State *L) {
#ifdef WEAK_FUNCTIONS
  if (!lua_setfenv)
    luaL_error(L, "this sinew module was built for LuaJIT, and this program runs another Lua; "
                  "take the one for Lua 5.4");
  if (!luaL_setfuncs) luaL_error(L, "this program runs Lua 5.1, and sinew needs LuaJIT or Lua 5.4");
#else
  (void)L;
#endif
}

void si_lua_set_owner(lua_State *L, int userdata, int owner) {
  userdata = lua_absindex(L, userdata);
  owner = lua_absindex(L, owner);
  lua_createtable(L, 1, 0);
  lua_pushvalue(L, owner);
  lua_rawseti(L, -2, 1);
  lua_setfenv(L, userdata);
}

void si_lua_push_owner(lua_State *L, int userdata) {
  lua_getfenv(L, userdata);
  lua_rawgeti(L, -1, 1);
  lua_remove(L, -2);
}

int lua_absindex(lua_State *L, int index) {
  return index > 0 || index <= LUA_REGISTRYINDEX ? index : lua_gettop(L) + index + 1;
}

int lua_isinteger(lua_State *L, int index) {
  return lua_type(L, index) == LUA_TNUMBER &&
         lua_tonumber(L, index) == (lua_Number)lua_tointeger(L, index);
}

int lua_geti(lua_State *L, int index, lua_Integer n) {
  index = lua_absindex(L, index);
  lua_pushinteger(L, n);
  lua_gettable(L, index);
  return lua_type(L, -1);
}

void lua_seti(lua_State *L, int index, lua_Integer n) {
  index = lua_absindex(L, index);
  lua_pushinteger(L, n);
  lua_insert(L, -2);
  lua_settable(L, index);
}

int lua_rawgetp(lua_State *L, int index, const void *key) {
  index = lua_absindex(L, index);
  lua_pushlightuserdata(L, (void *)(uintptr_t)key);
  lua_rawget(L, index);
  return lua_type(L, -1);
}

void lua_rawsetp(lua_State *L, int index, const void *key) {
  index = lua_absindex(L, index);
  lua_pushlightuserdata(L, (void *)(uintptr_t)key);
  lua_insert(L, -2);
  lua_rawset(L, index);
}

const char *luaL_tolstring(lua_State *L, int index, size_t *length) {
  index = lua_absindex(L, index);
  if (luaL_callmeta(L, index, "__tostring")) {
    if (!lua_isstring(L, -1)) luaL_error(L, "'__tostring' must return a string");
  } else if (lua_type(L, index) == LUA_TNUMBER || lua_type(L, index) == LUA_TSTRING) {
    lua_pushvalue(L, index);
  } else if (lua_isboolean(L, index)) {
    lua_pushstring(L, lua_toboolean(L, index) ? "true" : "false");
  } else if (lua_isnil(L, index)) {
    lua_pushliteral(L, "nil");
  } else {
    lua_pushfstring(L, "%s: %p", luaL_typename(L, index), lua_topointer(L, index));
  }
  return lua_tolstring(L, -1, length);
}

int luaL_getsubtable(lua_State *L, int index, const char *name) {
  index = lua_absindex(L, index);
  lua_getfield(L, index, name);
  if (lua_istable(L, -1)) return 1;
  lua_pop(L, 1);
  lua_newtable(L);
  lua_pushvalue(L, -1);
  lua_setfield(L, index, name);
  return 0;
}

void luaL_requiref(lua_State *L, const char *name, lua_CFunction open, int global) {
  luaL_getsubtable(L, LUA_REGISTRYINDEX, "_LOADED");
  lua_getfield(L, -1, name);
  if (!lua_toboolean(L, -1)) {
    lua_pop(L, 1);
    lua_pushcfunction(L, open);
    lua_pushstring(L, name);
    lua_call(L, 1, 1);
    lua_pushvalue(L, -1);
    lua_setfield(L, -3, name);
  }
  lua_remove(L, -2);
  if (global) {
    lua_pushvalue(L, -1);
    lua_setglobal(L, name);
  }
}

#else

void si_lua_check_version(lua_State *L) {
#ifdef WEAK_FUNCTIONS
  if (!lua_newuserdatauv)
    luaL_error(L, "this sinew module was built for Lua 5.4, and this program runs %s",
               luaL_getsubtable ? "Lua 5.2 or 5.3, which sinew does not support"
               : luaL_setfuncs  ? "LuaJIT; take the one for LuaJIT"
                                : "Lua 5.1, which sinew does not support");
#endif
  luaL_checkversion(L);
}

void si_lua_set_owner(lua_State *L, int userdata, int owner) {
  userdata = lua_absindex(L, userdata);
  lua_pushvalue(L, owner);
  lua_setiuservalue(L, userdata, 1);
}

void si_lua_push_owner(lua_State *L, int userdata) { lua_getiuservalue(L, userdata, 1); }

#endif

bool si_lua_gc_pause(lua_State *L) {
  bool ran = lua_gc(L, LUA_GCISRUNNING, 0) > 0;
  if (ran) lua_gc(L, LUA_GCSTOP, 0);
  return ran;
}

void si_lua_gc_resume(lua_State *L, bool ran) {
  if (ran) lua_gc(L, LUA_GCRESTART, 0);
}
