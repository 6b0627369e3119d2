/* What `require` loads. */
#ifndef SI_LUA_MODULE_H
#define SI_LUA_MODULE_H

#include "lua/base/compat.h"

#include <sinew/base.h>

/* require "sinew" */
SINEW_API int luaopen_sinew(lua_State *L);
/* require "sinew.watcher", which sinew.watch uses */
SINEW_API int luaopen_sinew_watcher(lua_State *L);
/* require "sinew.chosen", which sinew.load uses */
SINEW_API int luaopen_sinew_chosen(lua_State *L);

/* Adds sinew.catalog, sinew.types and sinew.type to the module's table. */
void si_open_catalog(lua_State *L);

#endif
