/* Runs the helpers that bind characters and plant feet in a Lua state of their own; the rig reaches
 * them as XML, in a temporary file beside the one that it becomes, so that its script stays in the
 * sandbox. */
#include "lua/base/compat.h"
#include "lua/module/module.h"

#include "base/alloc.h"
#include "base/budget_internal.h"
#include "base/file_internal.h"
#include "base/platform.h"
#include "base/text.h"

#include <sinew/bind.h>
#include <sinew/xml.h>

#include <string.h>

enum { count_every = 1000 }; /* instructions */

typedef struct job {
  const char *helper;
  const char *arguments[5]; /* NULL: nil */
  sinew_status status;
  sinew_error *error;
} job;

/* the scripts here are ours, but what they do is counted, and can be stopped */
static void spend(lua_State *L, lua_Debug *activation) {
  (void)activation;
  sinew_error error;
  if (si_work(count_every)) return;
  si_fail_memory(&error);
  luaL_error(L, "%s", error.text);
}

/* Lua: runs the job, a light userdata at 1 */
static int run(lua_State *L) {
  job *j = lua_touserdata(L, 1);
  luaL_openlibs(L);
  luaL_requiref(L, "sinew", luaopen_sinew, 0);
  lua_getglobal(L, "require");
  lua_pushstring(L, j->helper);
  lua_call(L, 1, 1);
  for (int i = 0; i < 5; i++) lua_pushstring(L, j->arguments[i]);
  lua_call(L, 5, 2);
  if (!lua_toboolean(L, -2))
    j->status = si_fail(j->error, SINEW_ERR_FILE, "%s", lua_tostring(L, -1));
  return 0;
}

static sinew_status run_job(job *j) {
  lua_State *L = luaL_newstate();
  if (!L) return si_fail_memory(j->error);
  if (si_budget_current()) lua_sethook(L, spend, LUA_MASKCOUNT, count_every);
  lua_pushcfunction(L, run);
  lua_pushlightuserdata(L, j);
  if (lua_pcall(L, 1, 0, 0) != LUA_OK)
    j->status = si_fail(j->error, SINEW_ERR_SCRIPT, "bind: %s", lua_tostring(L, -1));
  lua_close(L);
  return j->status;
}

sinew_status sinew_bind(sinew_host *host, const char *character, const char *map,
                        const char *script, sinew_error *error) {
  SI_OWN_ERROR(error);
  if (!SI_EXPECT(host && sinew_host_rig(host) && character && script))
    return si_fail(error, SINEW_ERR_CALL, "bind: no rig, character or script");
  const size_t length = strlen(script);
  char *xml = si_alloc(length + 5);
  if (!xml) return si_fail_memory(error);
  const bool lua = length > 4 && strcmp(script + length - 4, ".lua") == 0;
  memcpy(xml, script, length);
  memcpy(xml + length - (lua ? 4 : 0), ".xml", 5);
  char *whole = si_file_aside(xml);
  job j = { .helper = "sinew.bind.command",
            .arguments = { whole, character, map, script, xml },
            .error = error };
  j.status = whole ? sinew_host_save_xml(host, whole, false, error) : si_fail_memory(error);
  if (j.status >= 0) {
    run_job(&j);
    si_file_remove(whole);
  }
  si_file_aside_free(whole);
  si_free(xml);
  return j.status < 0 ? j.status : SINEW_OK;
}

sinew_status sinew_match_motion(sinew_host *host, const char *motion, const char *map,
                                sinew_error *error) {
  SI_OWN_ERROR(error);
  if (!SI_EXPECT(host && sinew_host_rig(host) && motion && map))
    return si_fail(error, SINEW_ERR_CALL, "bind: no rig, motion or map");
  const sinew_rig *rig = sinew_host_rig(host);
  si_text names = { 0 };
  for (int i = 0; i < sinew_rig_segment_count(rig); i++)
    si_text_format(&names, "%s\n", sinew_rig_segment_info(rig, sinew_rig_segment(rig, i)).name);
  job j = { .helper = "sinew.bind.motion", .arguments = { names.at, motion, map }, .error = error };
  sinew_status status = names.failed ? si_fail_memory(error) : run_job(&j);
  si_free(names.at);
  return status < 0 ? status : SINEW_OK;
}

sinew_status sinew_plant(sinew_host *host, sinew_host *from, const char *clip, const char *planted,
                         sinew_error *error) {
  SI_OWN_ERROR(error);
  if (!SI_EXPECT(host && sinew_host_rig(host) && clip && planted))
    return si_fail(error, SINEW_ERR_CALL, "plant: no rig or clip");
  char *xml[2] = { NULL, NULL };
  size_t size;
  sinew_status status = sinew_xml_write(sinew_host_rig(host), NULL, &xml[0], &size, error);
  if (status >= 0 && from)
    status = sinew_xml_write(sinew_host_rig(from), NULL, &xml[1], &size, error);
  job j = { .helper = "sinew.bind.planted",
            .arguments = { xml[0], xml[1], clip, planted },
            .error = error };
  if (status >= 0) status = run_job(&j);
  for (int i = 0; i < 2; i++) sinew_text_free(xml[i]);
  return status < 0 ? status : SINEW_OK;
}
