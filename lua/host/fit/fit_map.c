/* Reading maps for fitting; see fit_map.h. A JSON file is converted to the table that a script
 * would return, and both are read the same way. The map keeps the sandbox, since Lua owns the
 * strings. */
#include "sinew/fit_map.h"

#include "base/alloc.h"
#include "base/error_internal.h"
#include "base/json.h"
#include "lua/host/sandbox/sandbox.h"
#include "lua/math/options.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

struct sinew_fit_map {
  si_sandbox *sandbox;
  sinew_map map;
  sinew_map_point *points;
  sinew_map_link *links;
  const char **still;
};

enum { most_bytes = 1 << 20, most_points = 4096 };

/* --- JSON to a table */

static void push_text(lua_State *L, const char *text, uint32_t length) {
  char plain[1024];
  if (!si_json_plain(text, length, plain, sizeof plain))
    luaL_error(L, "a string is too long, or not a string");
  lua_pushstring(L, plain);
}

static void push_value(lua_State *L, const si_json *json, const si_json_value *value) {
  luaL_checkstack(L, 4, "the file is nested too deeply");
  switch (value->kind) {
  case SI_JSON_NUMBER: lua_pushnumber(L, value->number); return;
  case SI_JSON_STRING: push_text(L, value->text, value->text_length); return;
  case SI_JSON_TRUE:
  case SI_JSON_FALSE: lua_pushboolean(L, value->kind == SI_JSON_TRUE); return;
  case SI_JSON_NULL: lua_pushnil(L); return;
  default: break;
  }
  lua_newtable(L);
  const si_json_value *item = si_json_first(value);
  for (uint32_t i = 0; i < value->count; i++, item = si_json_after(json, item)) {
    if (value->kind == SI_JSON_OBJECT) push_text(L, item->key, item->key_length);
    push_value(L, json, item); /* at most SI_JSON_DEPTH deep */
    if (value->kind == SI_JSON_OBJECT)
      lua_rawset(L, -3);
    else
      lua_rawseti(L, -2, (int)i + 1);
  }
}

static int json_close(lua_State *L) {
  si_json_free(lua_touserdata(L, 1));
  return 0;
}
static const si_lua_type json_type = { .name = "JSON", .close = json_close };

/* Lua: the path at 1, the bytes at 2 and their number at 3 */
static int make_table(lua_State *L) {
  sinew_error error;
  si_lua_type_open(L, &json_type);
  si_json *json = si_lua_new(L, &json_type, sizeof *json, 0);
  if (si_json_read(lua_tostring(L, 1), lua_touserdata(L, 2), (size_t)lua_tonumber(L, 3), 1 << 16,
                   json, &error) < 0)
    return luaL_error(L, "%s", error.text);
  push_value(L, json, json->values);
  return 1;
}

/* --- the table */

static int by_source(const void *a, const void *b) {
  const sinew_map_point *x = a, *y = b;
  return strcmp(x->source, y->source);
}

/* reads the value on top of the stack; the point's name is below it */
static void read_point(lua_State *L, sinew_map_point *dest) {
  static const si_option options[] = {
    SI_OPTION(sinew_map_point, segment, TEXT),
    SI_OPTION(sinew_map_point, point, VEC3),
    SI_OPTION(sinew_map_point, weight, NUMBER),
    SI_OPTION_END,
  };
  if (lua_type(L, -2) != LUA_TSTRING)
    luaL_error(L, "'points' must be a table with joint or marker names as keys");
  *dest = (sinew_map_point){ .source = lua_tostring(L, -2), .weight = 1 };
  if (lua_type(L, -1) == LUA_TSTRING) {
    dest->segment = lua_tostring(L, -1);
    return;
  }
  if (!lua_istable(L, -1))
    luaL_error(L, "point '%s' must be a segment's name or a table", dest->source);
  int at = lua_gettop(L);
  const char *who = lua_pushfstring(L, "point '%s'", dest->source);
  si_options_read(L, at, who, options, dest);
  if (!dest->segment) luaL_error(L, "%s: 'segment' is missing", who);
  if (!(dest->weight >= 0) || isinf(dest->weight))
    luaL_error(L, "%s: 'weight' must not be negative", who);
  lua_pop(L, 1);
}

static void read_points(lua_State *L, int table, sinew_fit_map *self) {
  if (!table || !lua_istable(L, table))
    luaL_error(L, "'points' must be a table of joints or markers");
  int count = 0;
  for (lua_pushnil(L); lua_next(L, table); lua_pop(L, 1)) count++;
  if (count < 1 || count > most_points)
    luaL_error(L, "a map needs 1 to %d points, not %d", most_points, count);
  self->points = si_alloc_array((size_t)count, sizeof *self->points);
  if (!self->points) luaL_error(L, "out of memory");
  for (lua_pushnil(L); lua_next(L, table); lua_pop(L, 1))
    read_point(L, &self->points[self->map.point_count++]);
  qsort(self->points, (size_t)count, sizeof *self->points, by_source);
  self->map.points = self->points;
}

static bool has_point(const sinew_fit_map *self, const char *source) {
  sinew_map_point key = { .source = source };
  return bsearch(&key, self->points, (size_t)self->map.point_count, sizeof key, by_source) != NULL;
}

/* the length of the list at `index`; 0: it is missing */
static int want_list(lua_State *L, int index, const char *name) {
  if (!index) return 0;
  if (!lua_istable(L, index)) luaL_error(L, "'%s' must be a list", name);
  int count = (int)lua_rawlen(L, index);
  if (count > most_points) luaL_error(L, "'%s' has more than %d entries", name, most_points);
  return count;
}

static const char *end_of_link(lua_State *L, const sinew_fit_map *self, int link, int end) {
  lua_rawgeti(L, -1, end);
  const char *name = lua_type(L, -1) == LUA_TSTRING ? lua_tostring(L, -1) : NULL;
  if (!name || !has_point(self, name))
    luaL_error(L, "link %d: '%s' is not a point of the map", link,
               name ? name : si_lua_typename(L, -1));
  lua_pop(L, 1);
  return name;
}

static void read_links(lua_State *L, int list, sinew_fit_map *self) {
  int count = want_list(L, list, "links");
  self->links = si_alloc_array((size_t)count + 1, sizeof *self->links);
  if (!self->links) luaL_error(L, "out of memory");
  for (int i = 0; i < count; i++) {
    lua_rawgeti(L, list, i + 1);
    if (!lua_istable(L, -1)) luaL_error(L, "link %d must be { from, to }", i + 1);
    self->links[i].from = end_of_link(L, self, i + 1, 1);
    self->links[i].to = end_of_link(L, self, i + 1, 2);
    lua_pop(L, 1);
  }
  self->map.links = self->links;
  self->map.link_count = count;
}

static void read_still(lua_State *L, int list, sinew_fit_map *self) {
  int count = want_list(L, list, "still");
  self->still = si_alloc_array((size_t)count + 1, sizeof *self->still);
  if (!self->still) luaL_error(L, "out of memory");
  for (int i = 0; i < count; i++) {
    lua_rawgeti(L, list, i + 1);
    if (lua_type(L, -1) != LUA_TSTRING)
      luaL_error(L, "'still' must be a list of names of DOFs and joint sets");
    self->still[i] = lua_tostring(L, -1);
    lua_pop(L, 1);
  }
  self->map.still = self->still;
  self->map.still_count = count;
}

/* Lua: the map's table at 1, the map at 2 */
static int read_map(lua_State *L) {
  static const char *const ups[] = { "y", "z", NULL };
  typedef struct given {
    float unit, posture;
    int up, points, links, still;
  } given;
  static const si_option options[] = {
    SI_OPTION(given, unit, NUMBER),
    SI_OPTION(given, posture, NUMBER),
    SI_OPTION_CHOICE(given, up, ups),
    SI_OPTION(given, points, VALUE),
    SI_OPTION(given, links, VALUE),
    SI_OPTION(given, still, VALUE),
    SI_OPTION_END,
  };
  given g = { .posture = sinew_default_fit_desc().posture };
  sinew_fit_map *self = lua_touserdata(L, 2);
  if (!lua_istable(L, 1)) luaL_error(L, "a map must be a table, not %s", si_lua_typename(L, 1));
  si_options_read(L, 1, "map", options, &g);
  self->map.unit = g.unit;
  self->map.posture = g.posture;
  if (!(self->map.unit >= 0) || isinf(self->map.unit))
    luaL_error(L, "map: 'unit' must be 0 or more");
  if (!(self->map.posture >= 0) || isinf(self->map.posture))
    luaL_error(L, "map: 'posture' must be 0 or more");
  self->map.z_up = g.up == 1;
  read_points(L, g.points, self);
  read_links(L, g.links, self);
  read_still(L, g.still, self);
  return 0;
}

static bool ends_with(const char *path, const char *ending) {
  size_t length = strlen(path), tail = strlen(ending);
  return length >= tail && strcmp(path + length - tail, ending) == 0;
}

static sinew_status load(sinew_fit_map *self, const char *path, sinew_error *error) {
  si_sandbox_desc desc = si_default_sandbox_desc();
  self->sandbox = si_sandbox_create(&desc, error);
  if (!self->sandbox) return SINEW_ERR_MEMORY;
  sinew_status status =
      ends_with(path, ".json")
          ? si_sandbox_load_data(self->sandbox, path, most_bytes, make_table, error)
          : si_sandbox_load_file(self->sandbox, path, error);
  if (status < 0) return status;
  lua_State *L = si_sandbox_state(self->sandbox);
  lua_pushcfunction(L, read_map);
  si_sandbox_push_result(self->sandbox);
  lua_pushlightuserdata(L, self);
  status = si_sandbox_call(self->sandbox, 2, 0, error);
  if (status >= 0) return status;
  sinew_error why = *error;
  return si_fail(error, why.status, "%s: %s", path, why.text);
}

sinew_fit_map *sinew_fit_map_load(const char *path, sinew_error *error) {
  sinew_error local;
  if (!error) error = &local;
  sinew_error_clear(error);
  sinew_fit_map *self = si_alloc(sizeof *self);
  if (!self) {
    si_fail_memory(error);
    return NULL;
  }
  *self = (sinew_fit_map){ 0 };
  if (load(self, path, error) >= 0) return self;
  sinew_fit_map_destroy(self);
  return NULL;
}

void sinew_fit_map_destroy(sinew_fit_map *self) {
  if (!self) return;
  si_sandbox_destroy(self->sandbox);
  si_free(self->points);
  si_free(self->links);
  si_free(self->still);
  si_free(self);
}

const sinew_map *sinew_fit_map_read(const sinew_fit_map *self) { return &self->map; }
