/* See reserve.h. The guard is kept in the registry. */
#include "lua/base/reserve.h"

#include <stdint.h>

static const char guard_key, files_key;

void si_lua_guard_set(lua_State *L, const si_lua_guard *guard) {
  lua_pushlightuserdata(L, (void *)(uintptr_t)guard);
  lua_rawsetp(L, LUA_REGISTRYINDEX, &guard_key);
}

const si_lua_guard *si_lua_guard_of(lua_State *L) {
  lua_rawgetp(L, LUA_REGISTRYINDEX, &guard_key);
  const si_lua_guard *guard = lua_touserdata(L, -1);
  lua_pop(L, 1);
  return guard;
}

void si_forbid_files(lua_State *L) {
  lua_pushboolean(L, 1);
  lua_rawsetp(L, LUA_REGISTRYINDEX, &files_key);
}

void si_files_check(lua_State *L) {
  lua_rawgetp(L, LUA_REGISTRYINDEX, &files_key);
  if (lua_toboolean(L, -1)) luaL_error(L, "a hosted script cannot access files");
  lua_pop(L, 1);
}

void si_lua_reserve(lua_State *L, size_t bytes) {
  const si_lua_guard *guard = si_lua_guard_of(L);
  if (guard) guard->reserve(L, bytes);
}

void si_lua_spend(lua_State *L, size_t units) {
  const si_lua_guard *guard = si_lua_guard_of(L);
  if (guard) guard->spend(L, units);
}

void si_lua_weigh(lua_State *L, size_t bytes) {
  if (si_lua_guard_of(L)) return; /* in a guarded state the host decides when to collect */
  if (bytes >= 1024) lua_gc(L, LUA_GCSTEP, bytes < 1 << 30 ? (int)(bytes / 1024) : 1 << 20);
}
