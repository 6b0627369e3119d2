/* The module itself: require "sinew". */
#include "lua/module/module.h"

#include "lua/base/helpers.h"
#include "lua/base/reserve.h"
#include "lua/play/play_lua.h"
#include "lua/rig/rig_options.h"
#include "lua/shape/shape_lua.h"

#include <sinew/file.h>
#include <string.h>

/* sinew.mirror, sinew.shapes ...: helper modules in Lua, loaded when first used */
static int lazy_helper(lua_State *L) {
  static const char *const helpers[] = { "mirror", "chain",    "units",  "shapes", "watch",
                                         "limb",   "gait",     "spring", "lines",  "load",
                                         "scale",  "skeleton", "bind",   "bound" };
  const char *name = lua_tostring(L, 2);
  for (size_t i = 0; name && i < sizeof helpers / sizeof *helpers; i++) {
    if (strcmp(name, helpers[i]) != 0) continue;
    lua_getglobal(L, "require");
    lua_pushfstring(L, "sinew.%s", name);
    lua_call(L, 1, 1);
    lua_pushvalue(L, -1);
    lua_setfield(L, 1, name);
    return 1;
  }
  si_nearest nearest;
  si_nearest_start(&nearest, name ? name : "?");
  si_lua_offer_keys(L, 1, &nearest);
  for (size_t i = 0; i < sizeof helpers / sizeof *helpers; i++)
    si_nearest_offer(&nearest, helpers[i]);
  return si_lua_unknown(L, "sinew", "function", &nearest);
}

/* sinew.live_blocks(): how many blocks of memory the engine holds, and their bytes; for leak
 * tests */
static int live_blocks(lua_State *L) {
  lua_pushinteger(L, (lua_Integer)sinew_live_blocks());
  lua_pushinteger(L, (lua_Integer)sinew_live_bytes());
  return 2;
}

/* sinew.write_file(path, text): true, or nil and a message */
static int write_file(lua_State *L) {
  size_t size;
  const char *path = luaL_checkstring(L, 1), *text = luaL_checklstring(L, 2, &size);
  sinew_error error;
  si_files_check(L);
  if (sinew_file_write(path, text, size, &error) < 0) return si_return_failure(L, &error);
  return si_return_boolean(L, 1);
}

static int finish_options(lua_State *L) {
  si_options_finish(L);
  return 1;
}

/* Lua: calls the function at 2 with the options at 1 chosen for the rig script that it runs; its
 * result, and the list of what the script declared */
static int with_options(lua_State *L) {
  luaL_checktype(L, 1, LUA_TTABLE);
  lua_settop(L, 2);
  lua_pushvalue(L, 1);
  si_options_begin(L, false);
  lua_pushvalue(L, 2);
  int status = lua_pcall(L, 0, 1, 0);
  if (status == LUA_OK) {
    lua_pushcfunction(L, finish_options);
    status = lua_pcall(L, 0, 1, 0);
  }
  lua_pushvalue(L, 3); /* what there was before */
  si_options_restore(L);
  if (status != LUA_OK) return lua_error(L);
  return 2;
}

int luaopen_sinew_chosen(lua_State *L) {
  si_lua_check_version(L);
  lua_pushcfunction(L, with_options);
  return 1;
}

/* The parts that are modules of their own, for programs that find the module's file by rules of
 * their own, as LÖVE does in a game's folder. */
static void preload_parts(lua_State *L) {
  static const luaL_Reg parts[] = { { "sinew.watcher", luaopen_sinew_watcher },
                                    { "sinew.chosen", luaopen_sinew_chosen },
                                    { NULL, NULL } };
  int top = lua_gettop(L);
  luaL_getsubtable(L, LUA_REGISTRYINDEX, "_LOADED");
  lua_getfield(L, -1, "package");
  if (lua_istable(L, -1)) lua_getfield(L, -1, "preload");
  if (lua_istable(L, -1)) luaL_setfuncs(L, parts, 0);
  lua_settop(L, top);
}

int luaopen_sinew(lua_State *L) {
  si_lua_check_version(L);
  si_helpers_open(L);
  preload_parts(L);
  lua_newtable(L);
  lua_pushstring(L, sinew_version());
  lua_setfield(L, -2, "version");
  lua_pushcfunction(L, live_blocks);
  lua_setfield(L, -2, "live_blocks");
  lua_pushcfunction(L, write_file);
  lua_setfield(L, -2, "write_file");
  si_lua_open_math(L);
  si_open_script(L);
  si_open_makers(L);
  si_open_curve(L);
  si_open_handles(L);
  si_open_component(L);
  si_open_expression(L);
  si_open_frames(L);
  si_open_rig(L);
  si_open_pose(L);
  si_open_crowd(L);
  si_open_cone(L);
  si_open_field(L);
  si_open_xml(L);
  si_open_options(L);
  si_open_shape(L);
  si_open_mesh(L);
  si_open_solid(L);
  si_open_clip(L);
  si_open_motion(L);
  si_open_nodes(L);
  si_open_character(L);
  si_open_solver(L);
  si_open_catalog(L);
  lua_newtable(L);
  lua_pushcfunction(L, lazy_helper);
  lua_setfield(L, -2, "__index");
  lua_setmetatable(L, -2);
  return 1;
}
