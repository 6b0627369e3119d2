/* One source for Lua 5.4 and LuaJIT: the functions that LuaJIT's 5.1 API lacks, under their 5.4
 * names, and the owner of a userdata, which the two keep in different places. */
#ifndef SI_LUA_COMPAT_H
#define SI_LUA_COMPAT_H

#include <lauxlib.h>
#include <lua.h>
#include <lualib.h>
#include <stdbool.h>
#if LUA_VERSION_NUM == 501
#include <luajit.h>
#endif

#if LUA_VERSION_NUM != 501 && LUA_VERSION_NUM < 504
#error "Sinew's Lua module builds for Lua 5.4 and for LuaJIT"
#endif

/* Raises unless the running Lua is the one that this was built for. Called first in every function
 * that `require` calls. */
void si_lua_check_version(lua_State *L);

/* The functions that only some Luas have are weak in the module, so that the wrong Lua loads it and
 * si_lua_check_version can say what is wrong. Otherwise the message would be "undefined symbol". */
#if defined(SINEW_MODULE) && defined(__ELF__)
#pragma weak luaL_setfuncs
#if LUA_VERSION_NUM == 501
#pragma weak luaJIT_setmode
#pragma weak luaL_loadbuffer
#pragma weak luaL_loadfile
#pragma weak lua_call
#pragma weak lua_getfenv
#pragma weak lua_insert
#pragma weak lua_newuserdata
#pragma weak lua_objlen
#pragma weak lua_pcall
#pragma weak lua_remove
#pragma weak lua_replace
#pragma weak lua_setfenv
#pragma weak lua_tointeger
#pragma weak lua_tonumber
#else
#pragma weak luaL_checkversion_
#pragma weak luaL_getsubtable
#pragma weak luaL_loadbufferx
#pragma weak luaL_loadfilex
#pragma weak luaL_tolstring
#pragma weak lua_absindex
#pragma weak lua_callk
#pragma weak lua_copy
#pragma weak lua_getglobal
#pragma weak lua_getiuservalue
#pragma weak lua_isinteger
#pragma weak lua_newuserdatauv
#pragma weak lua_pcallk
#pragma weak lua_rawgetp
#pragma weak lua_rawlen
#pragma weak lua_rawsetp
#pragma weak lua_rotate
#pragma weak lua_setiuservalue
#pragma weak lua_stringtonumber
#pragma weak lua_tointegerx
#pragma weak lua_tonumberx
#endif
#endif

/* Keeps `owner` alive for as long as the userdata lives. On Lua 5.4 the userdata needs a user
 * value; si_lua_new in type.h gives it one. Allocates. */
void si_lua_set_owner(lua_State *L, int userdata, int owner);
/* Pushes the owner, or nil. */
void si_lua_push_owner(lua_State *L, int userdata);

/* Stops the collector; whether it ran, which the other function wants. */
bool si_lua_gc_pause(lua_State *L);
void si_lua_gc_resume(lua_State *L, bool ran);

#if LUA_VERSION_NUM == 501

#ifndef LUA_OK
#define LUA_OK 0
#endif

#define lua_newuserdatauv(L, size, uservalues) lua_newuserdata(L, size)
#define lua_rawlen(L, i)                       lua_objlen(L, i)
#define lua_pushglobaltable(L)                 lua_pushvalue(L, LUA_GLOBALSINDEX)

#define lua_absindex     si_lua_absindex
#define lua_isinteger    si_lua_isinteger
#define lua_geti         si_lua_geti
#define lua_seti         si_lua_seti
#define lua_rawgetp      si_lua_rawgetp
#define lua_rawsetp      si_lua_rawsetp
#define luaL_tolstring   si_lua_tolstring
#define luaL_getsubtable si_lua_getsubtable
#define luaL_requiref    si_lua_requiref

/* As in Lua 5.4, except for what they return: the 5.1 API's own getters return nothing, so call
 * lua_type after lua_getfield, lua_rawget or lua_rawgeti. Those defined here return the type. */
int lua_absindex(lua_State *L, int index);
/* A number without a fraction: LuaJIT has no integer type. */
int lua_isinteger(lua_State *L, int index);
int lua_geti(lua_State *L, int index, lua_Integer n);
void lua_seti(lua_State *L, int index, lua_Integer n);
int lua_rawgetp(lua_State *L, int index, const void *key);
void lua_rawsetp(lua_State *L, int index, const void *key);
const char *luaL_tolstring(lua_State *L, int index, size_t *length);
int luaL_getsubtable(lua_State *L, int index, const char *name);
void luaL_requiref(lua_State *L, const char *name, lua_CFunction open, int global);

#endif
#endif
