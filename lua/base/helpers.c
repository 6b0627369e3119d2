/* Helper modules from inside the binary, by a searcher of `require`; see helpers.h. */
#include "lua/base/helpers.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#ifdef SINEW_NO_HELPERS
const si_helper si_helpers[] = { { "", "", 0 } };
const size_t si_helper_count = 0;
#endif

const si_helper *si_helper_find(const char *name) {
  for (size_t i = 0; i < si_helper_count; i++)
    if (strcmp(si_helpers[i].name, name) == 0) return &si_helpers[i];
  return NULL;
}

const char *si_helper_push_chunk(lua_State *L, const si_helper *helper) {
  lua_pushfstring(L, "@%s.lua", luaL_gsub(L, helper->name, ".", "/"));
  lua_remove(L, -2);
  return lua_tostring(L, -1);
}

/* pushes the path of a helper in the folder that SINEW_LUA names; false if it is not there */
static bool push_path(lua_State *L, const char *name) {
  const char *folder = getenv("SINEW_LUA");
  if (!folder || !*folder) return false;
  lua_pushfstring(L, "%s/%s.lua", folder, luaL_gsub(L, name, ".", "/"));
  lua_remove(L, -2);
  FILE *file = fopen(lua_tostring(L, -1), "rb");
  if (file) return fclose(file) == 0;
  lua_pop(L, 1);
  return false;
}

/* Pushes the helper's chunk and where it is from, or raises; 0 if there is no such helper. */
static int load_helper(lua_State *L, const char *name) {
  const si_helper *helper = si_helper_find(name);
  int status;
  if (strncmp(name, "sinew.", 6) == 0 && push_path(L, name)) {
    status = luaL_loadfile(L, lua_tostring(L, -1));
  } else if (helper) {
    const char *chunk = si_helper_push_chunk(L, helper);
    status = luaL_loadbuffer(L, helper->text, helper->size, chunk);
  } else {
    return 0;
  }
  if (status != LUA_OK) lua_error(L);
  lua_insert(L, -2);
  return 2;
}

/* the searcher: the name is at 1 */
static int search(lua_State *L) {
  const char *name = luaL_checkstring(L, 1);
  if (load_helper(L, name)) return 2;
  if (strncmp(name, "sinew.", 6) != 0) return 0;
  lua_pushfstring(L, "%sno helper '%s' inside the module 'sinew'",
                  LUA_VERSION_NUM == 501 ? "\n\t" : "", name);
  return 1;
}

int si_helper_run(lua_State *L) {
  si_lua_check_version(L);
  const char *name = luaL_checkstring(L, 1);
  if (!load_helper(L, name)) return luaL_error(L, "no helper '%s'", name);
  lua_pop(L, 1);
  lua_pushvalue(L, 1);
  lua_call(L, 1, 1);
  return 1;
}

void si_helpers_open(lua_State *L) {
  static const char opened = 0;
  int top = lua_gettop(L);
  lua_rawgetp(L, LUA_REGISTRYINDEX, &opened);
  bool again = lua_toboolean(L, -1);
  luaL_getsubtable(L, LUA_REGISTRYINDEX, "_LOADED");
  lua_getfield(L, -1, "package");
  if (!again && lua_istable(L, -1)) {
    lua_getfield(L, -1, LUA_VERSION_NUM == 501 ? "loaders" : "searchers");
    if (lua_istable(L, -1)) {
      lua_pushcfunction(L, search);
      lua_rawseti(L, -2, (int)lua_rawlen(L, -2) + 1);
      lua_pushboolean(L, 1);
      lua_rawsetp(L, LUA_REGISTRYINDEX, &opened);
    }
  }
  lua_settop(L, top);
}
