/* Runs the helper that binds characters in a Lua state of its own; the rig reaches it as XML, so that
 * its script stays in the sandbox. */
#include "lua/base/compat.h"
#include "lua/module/module.h"

#include "base/alloc.h"
#include "base/error_internal.h"

#include <sinew/bind.h>

#include <string.h>

typedef struct job {
  const char *xml, *character, *map, *script;
  sinew_status status;
  sinew_error *error;
} job;

/* Lua: runs the job, a light userdata at 1 */
static int run(lua_State *L) {
  job *j = lua_touserdata(L, 1);
  luaL_openlibs(L);
  luaL_requiref(L, "sinew", luaopen_sinew, 0);
  lua_getglobal(L, "require");
  lua_pushliteral(L, "sinew.bind.command");
  lua_call(L, 1, 1);
  lua_pushstring(L, j->xml);
  lua_pushstring(L, j->character);
  if (j->map)
    lua_pushstring(L, j->map);
  else
    lua_pushnil(L);
  lua_pushstring(L, j->script);
  lua_call(L, 4, 2);
  if (!lua_toboolean(L, -2))
    j->status = si_fail(j->error, SINEW_ERR_FILE, "%s", lua_tostring(L, -1));
  return 0;
}

sinew_status sinew_bind(sinew_host *host, const char *character, const char *map,
                        const char *script, sinew_error *error) {
  sinew_error own;
  if (!error) error = &own;
  sinew_error_clear(error);
  if (!SI_EXPECT(host && sinew_host_rig(host) && character && script))
    return si_fail(error, SINEW_ERR_CALL, "bind: no rig, character or script");
  const size_t length = strlen(script);
  char *xml = si_alloc(length + 5);
  lua_State *L = xml ? luaL_newstate() : NULL;
  if (!L) {
    si_free(xml);
    return si_fail_memory(error);
  }
  const bool lua = length > 4 && strcmp(script + length - 4, ".lua") == 0;
  memcpy(xml, script, length);
  memcpy(xml + length - (lua ? 4 : 0), ".xml", 5);
  job j = { .xml = xml, .character = character, .map = map, .script = script, .error = error };
  j.status = sinew_host_save_xml(host, xml, false, error);
  if (j.status >= 0) {
    lua_pushcfunction(L, run);
    lua_pushlightuserdata(L, &j);
    if (lua_pcall(L, 1, 0, 0) != LUA_OK)
      j.status = si_fail(error, SINEW_ERR_SCRIPT, "bind: %s", lua_tostring(L, -1));
    if (j.status < 0) remove(xml);
  }
  lua_close(L);
  si_free(xml);
  return j.status < 0 ? j.status : SINEW_OK;
}
