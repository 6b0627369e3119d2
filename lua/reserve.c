/* See reserve.h. The guard stands in the registry. */
#include "reserve.h"

#include <stdint.h>

static const char guard_key;

void si_lua_guard_set(lua_State *L, const si_lua_guard *guard) {
  lua_pushlightuserdata(L, (void *)(uintptr_t)guard);
  lua_rawsetp(L, LUA_REGISTRYINDEX, &guard_key);
}

void si_lua_reserve(lua_State *L, size_t bytes) {
  lua_rawgetp(L, LUA_REGISTRYINDEX, &guard_key);
  const si_lua_guard *guard = lua_touserdata(L, -1);
  lua_pop(L, 1);
  if (guard) guard->reserve(L, bytes);
}
