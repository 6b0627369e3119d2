/* Reading a marker map: a Lua file, run in a sandbox of its own. See sinew/marker_map.h. */
#include "sinew/marker_map.h"

#include "alloc.h"
#include "error.h"
#include "options.h"
#include "sandbox.h"

#include <lauxlib.h>
#include <stdlib.h>
#include <string.h>

typedef struct reading {
  const sinew_rig *rig;
  sinew_marker_map *dest;
  size_t room;
} reading;

static void add_marker(lua_State *L, reading *r, const char *name, int at) {
  static const char *const known[] = { "segment", "at", "weight", NULL };
  char who[128];
  sinew_error error;
  snprintf(who, sizeof who, "marker '%s'", name);
  if (!lua_istable(L, at)) luaL_error(L, "%s: a table such as { segment = 'femur' }", who);
  si_options_check(L, at, who, known, false);
  const char *segment = si_option_text(L, at, who, "segment");
  if (!segment) luaL_error(L, "%s: 'segment' is missing", who);
  sinew_marker m = { .segment = sinew_rig_find_segment(r->rig, segment, &error) };
  if (!m.segment.id) luaL_error(L, "%s: %s", who, error.text);
  si_option_vec3(L, at, who, "at", m.at);
  m.weight = si_option_number(L, at, who, "weight", 1, NULL);
  if (!(m.weight >= 0 && m.weight <= 1e6f)) luaL_error(L, "%s: the weight is 0 to 1000000", who);
  sinew_marker_map *map = r->dest;
  if (map->count == SINEW_MAP_MARKERS) luaL_error(L, "more than %d markers", SINEW_MAP_MARKERS);
  if (!si_grow((void **)&map->markers, &r->room, (size_t)map->count + 1, sizeof m) ||
      !(m.name = si_strdup(name)))
    luaL_error(L, "out of memory");
  map->markers[map->count++] = m;
}

/* what the file returned at 1, the reading at 2 */
static int read_map(lua_State *L) {
  static const char *const known[] = { "markers", NULL };
  reading *r = lua_touserdata(L, 2);
  if (!lua_istable(L, 1)) return luaL_error(L, "the map must return a table { markers = {...} }");
  si_options_check(L, 1, "map", known, false);
  lua_getfield(L, 1, "markers");
  if (!lua_istable(L, -1)) return luaL_error(L, "map: 'markers' must be a table, by their names");
  int table = lua_gettop(L);
  for (lua_pushnil(L); lua_next(L, table); lua_pop(L, 1)) {
    if (lua_type(L, -2) != LUA_TSTRING) return luaL_error(L, "map: markers go by their names");
    add_marker(L, r, lua_tostring(L, -2), lua_gettop(L));
  }
  if (r->dest->count == 0) return luaL_error(L, "map: there are no markers");
  return 0;
}

static int by_name(const void *a, const void *b) {
  return strcmp(((const sinew_marker *)a)->name, ((const sinew_marker *)b)->name);
}

sinew_status sinew_marker_map_load(const sinew_rig *rig, const char *path, sinew_marker_map *dest,
                                   sinew_error *error) {
  sinew_error mine;
  if (!error) error = &mine;
  *dest = (sinew_marker_map){ 0 };
  const si_sandbox_desc desc = si_default_sandbox_desc();
  si_sandbox *sandbox = si_sandbox_create(&desc, error);
  if (!sandbox) return SINEW_ERR_MEMORY;
  sinew_status status = si_sandbox_load_file(sandbox, path, error);
  if (status >= 0) {
    reading r = { .rig = rig, .dest = dest };
    lua_State *L = si_sandbox_state(sandbox);
    lua_pushcfunction(L, read_map);
    si_sandbox_push_result(sandbox);
    lua_pushlightuserdata(L, &r);
    status = si_sandbox_call(sandbox, 2, 0, error);
    if (status < 0) {
      const sinew_error why = *error;
      si_fail(error, why.status, "%s: %s", path, why.text);
    }
  }
  si_sandbox_destroy(sandbox);
  if (status < 0) {
    sinew_marker_map_free(dest);
    return status;
  }
  qsort(dest->markers, (size_t)dest->count, sizeof *dest->markers, by_name);
  return SINEW_OK;
}

void sinew_marker_map_free(sinew_marker_map *map) {
  for (int i = 0; i < map->count; i++) si_free(map->markers[i].name);
  si_free(map->markers);
  *map = (sinew_marker_map){ 0 };
}
