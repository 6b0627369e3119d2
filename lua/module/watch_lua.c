/* A watch over files for trusted scripts: require "sinew.watcher" returns a function that creates
 * one. It is not part of the module itself, so that a sandboxed rig has no access to files.
 *
 *   local watcher = require "sinew.watcher"(interval, patience)      seconds, see watch.h
 *   watcher:add(path)            call it before reading the file; returns whether it exists
 *   watcher:poll([now])          "same", "waiting" or "changed", and the path of the file */
#include "base/alloc.h"
#include "base/text.h"
#include "lua/base/type.h"
#include "lua/base/watch.h"
#include "lua/module/module.h"

#include <string.h>

typedef struct watcher {
  si_watch *watch;
  si_watch_file *files;
  size_t count, room;
  bool current; /* the watch has the present list of files */
} watcher;

static const si_lua_type watcher_type;

static int raise_memory(lua_State *L) { return luaL_error(L, "out of memory"); }

static double optional_seconds(lua_State *L, int index, double fallback) {
  double seconds = luaL_optnumber(L, index, fallback);
  if (!(seconds >= 0 && seconds < 1e9)) luaL_argerror(L, index, "seconds expected");
  return seconds;
}

static int watcher_new(lua_State *L) {
  double interval = optional_seconds(L, 1, 0.05), patience = optional_seconds(L, 2, 1);
  sinew_error error;
  watcher *self = si_lua_new(L, &watcher_type, sizeof *self, 0);
  self->watch = si_watch_create(interval, patience, &error);
  if (!self->watch) return raise_memory(L);
  return 1;
}

static watcher *check_watcher(lua_State *L) {
  watcher *self = si_lua_self(L, &watcher_type);
  if (!self->watch) luaL_error(L, "the watcher was closed");
  return self;
}

static int watcher_add(lua_State *L) {
  watcher *self = check_watcher(L);
  const char *path = luaL_checkstring(L, 2);
  if (self->count == self->room) {
    size_t room = 2 * self->room + 8;
    si_watch_file *files = si_alloc_array(room, sizeof *files);
    if (!files) return raise_memory(L);
    if (self->count) memcpy(files, self->files, self->count * sizeof *files);
    si_free(self->files);
    self->files = files;
    self->room = room;
  }
  si_watch_file file = { .path = si_strdup(path), .stamp = si_file_look(path) };
  if (!file.path) return raise_memory(L);
  self->files[self->count++] = file;
  self->current = false;
  return si_return_boolean(L, file.stamp.exists);
}

static double seconds_now(void) { return 1e-9 * (double)si_clock(); }

static int watcher_poll(lua_State *L) {
  static const char *const news[] = { "same", "waiting", "changed" };
  watcher *self = check_watcher(L);
  double now = lua_isnoneornil(L, 2) ? seconds_now() : luaL_checknumber(L, 2);
  sinew_error error;
  if (!self->current && si_watch_set(self->watch, self->files, self->count, &error) < 0)
    return si_raise(L, &error);
  self->current = true;
  lua_pushstring(L, news[si_watch_poll(self->watch, now)]);
  lua_pushstring(L, si_watch_path(self->watch)); /* nil for NULL */
  return 2;
}

static int watcher_close(lua_State *L) {
  watcher *self = lua_touserdata(L, 1);
  si_watch_destroy(self->watch);
  for (size_t i = 0; i < self->count; i++) si_free((char *)(uintptr_t)self->files[i].path);
  si_free(self->files);
  *self = (watcher){ NULL, NULL, 0, 0, false };
  return 0;
}

static int watcher_tostring(lua_State *L) {
  const watcher *self = si_lua_self(L, &watcher_type);
  lua_pushfstring(L, "watcher of %d file%s", (int)self->count, si_plural((int)self->count));
  return 1;
}

static const luaL_Reg methods[] = { { "add", watcher_add },
                                    { "poll", watcher_poll },
                                    { NULL, NULL } };
static const luaL_Reg meta[] = { { "__tostring", watcher_tostring }, { NULL, NULL } };
static const si_lua_type watcher_type = {
  .name = "watcher", .methods = methods, .meta = meta, .close = watcher_close
};

int luaopen_sinew_watcher(lua_State *L) {
  si_lua_check_version(L);
  si_lua_type_open(L, &watcher_type);
  lua_pushcfunction(L, watcher_new);
  return 1;
}
