/* Converts errors of a sandbox to text, without running code of the script. */
#include "lua/host/sandbox/sandbox_core.h"

#include "base/error_internal.h"
#include "base/text.h"

#include <stdio.h>
#include <string.h>

const char *si_sandbox_traceback(const si_sandbox *sandbox) { return sandbox->traceback; }

size_t si_sandbox_plain(char *dest, size_t room, const char *text, size_t length) {
  size_t count = length < room - 1 ? length : room - 1;
  memcpy(dest, text, count);
  return si_text_make_plain(dest, count);
}

int si_sandbox_where(lua_State *L, int level, char *dest, size_t room) {
  lua_Debug at;
  dest[0] = '\0';
  for (int last = level + 20; level < last && lua_getstack(L, level, &at); level++) {
    lua_getinfo(L, "Sl", &at);
    if (at.currentline > 0) return snprintf(dest, room, "%s:%d: ", at.short_src, at.currentline);
  }
  return 0;
}

/* Only the top levels: finding a level takes time proportional to its depth. */
void si_sandbox_trace(lua_State *L, lua_State *of, const char *message, int level) {
  enum { most = 22 };
  luaL_Buffer text;
  luaL_buffinit(L, &text);
  if (message) {
    luaL_addstring(&text, message);
    luaL_addchar(&text, '\n');
  }
  luaL_addstring(&text, "stack traceback:");
  lua_Debug at;
  for (int shown = 0; lua_getstack(of, level, &at); level++, shown++) {
    if (shown == most) {
      luaL_addstring(&text, "\n\t...");
      break;
    }
    lua_getinfo(of, "Slnt", &at);
    if (at.currentline > 0)
      lua_pushfstring(L, "\n\t%s:%d: in ", at.short_src, at.currentline);
    else
      lua_pushfstring(L, "\n\t%s: in ", at.short_src);
    luaL_addvalue(&text);
    if (*at.namewhat)
      lua_pushfstring(L, "%s '%s'", at.namewhat, at.name);
    else if (*at.what == 'm')
      lua_pushliteral(L, "main chunk");
    else if (*at.what == 'C')
      lua_pushliteral(L, "?");
    else
      lua_pushfstring(L, "function <%s:%d>", at.short_src, at.linedefined);
    luaL_addvalue(&text);
    if (at.istailcall) luaL_addstring(&text, "\n\t(...tail calls...)");
  }
  luaL_pushresult(&text);
}

int si_sandbox_note_error(lua_State *L) {
  si_sandbox *sandbox = si_sandbox_inside(L);
  lua_settop(L, 1);
  if (lua_type(L, 1) == LUA_TNUMBER) {
    lua_tostring(L, 1);
  } else if (lua_type(L, 1) != LUA_TSTRING) {
    char where[LUA_IDSIZE + 32];
    si_sandbox_where(L, 1, where, sizeof where);
    lua_pushfstring(L, "%sthe script raised a %s, not a string", where, luaL_typename(L, 1));
    lua_replace(L, 1);
  }
  const char *text = lua_tostring(L, 1);
  if (sandbox->traced == text) return 1; /* raised again while unwinding */
  size_t length;
  si_sandbox_trace(L, L, NULL, 1);
  const char *trace = lua_tolstring(L, -1, &length);
  si_sandbox_plain(sandbox->traceback, sizeof sandbox->traceback, trace, length);
  sandbox->traced = text;
  lua_settop(L, 1);
  return 1;
}

/* appends what a rig script has, if the error is that it lacks a library of Lua */
static void add_missing(char *dest, size_t room, const char *message) {
  static const char *const names[] = { "global 'io'",     "global 'os'",       "global 'package'",
                                       "global 'dofile'", "global 'loadfile'", "global 'arg'",
                                       "field 'getinfo'", "field 'sethook'",   "global 'ffi'" };
  for (size_t i = 0; i < sizeof names / sizeof *names; i++)
    if (strstr(message, names[i]))
      snprintf(dest, room,
               ": a rig script runs in a sandbox, which has no files, programs or clock; it has "
               "require (for Lua files in its folder), sinew, string, table, math, utf8, coroutine "
               "and print");
}

sinew_status si_sandbox_take_error(si_sandbox *sandbox, int lua_status, sinew_error *error) {
  lua_State *L = sandbox->L;
  char plain[1000];
  size_t length = 0;
  const char *text = lua_type(L, -1) == LUA_TSTRING ? lua_tolstring(L, -1, &length) : NULL;
  sinew_status status = SINEW_ERR_SCRIPT;
  if (si_budget_over(L)) {
    bool cancelled = si_budget_stopped(&sandbox->budget) == SI_STOP_CANCEL;
    status = cancelled ? SINEW_ERR_CANCELLED : SINEW_ERR_LIMIT;
    si_sandbox_plain(plain, sizeof plain, sandbox->kill_text, strlen(sandbox->kill_text));
  } else if (lua_status == LUA_ERRMEM) {
    status = SINEW_ERR_MEMORY;
    snprintf(plain, sizeof plain, "out of memory");
  } else if (text) {
    length = si_sandbox_plain(plain, sizeof plain, text, length);
    add_missing(plain + length, sizeof plain - length, plain);
  } else {
    snprintf(plain, sizeof plain, "the script raised a %s, not a string", luaL_typename(L, -1));
  }
  lua_pop(L, 1);
  return si_fail(error, status, "%s", plain);
}
