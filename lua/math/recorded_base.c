/* Functions of Lua's base library, and of `string` and `os`, for recorded values. Texts may be made
 * of them only to become messages of errors: what a text says cannot be part of a program. So each
 * text that was made must be used up by `error` or `assert`, or its path is refused. */
#include "lua/math/recorded_parts.h"

#include <stdio.h>
#include <string.h>

const char si_recording_no_text[] =
    "a recorded value cannot become text ('..', tostring, print, string.format), except in the "
    "message of error or assert; leave it out";

static int no_text(lua_State *L) { return si_recording_refuse(L, "%s", si_recording_no_text); }

int si_recorded_text(lua_State *L, int used) {
  si_recording *r = si_recording_of(L);
  size_t length;
  const char *text = lua_tolstring(L, -1, &length);
  const char *copy = si_arena_text(&r->arena, text, length < 400 ? length : 400);
  if (!copy) return luaL_error(L, "out of memory");
  r->texts += 1 - used;
  si_recording_where(L, r->text_at, sizeof r->text_at);
  return si_recorded_push(L, &(si_recorded){ .text = copy });
}

/* the words of a value in a message; counts the texts that are used up */
static const char *words_of(lua_State *L, int index, int *used) {
  const si_recorded *value = si_recorded_test(L, index);
  if (!value) return lua_tostring(L, index);
  *used += value->count == 0;
  return value->count == 0 ? value->text : "...";
}

int si_recorded_concat(lua_State *L) {
  int used = 0;
  for (int i = 1; i <= 2; i++)
    if (!si_recorded_test(L, i) && !lua_isstring(L, i))
      return luaL_error(L, "attempt to concatenate a %s value", luaL_typename(L, i));
  const char *a = words_of(L, 1, &used), *b = words_of(L, 2, &used);
  lua_pushfstring(L, "%s%s", a, b);
  return si_recorded_text(L, used);
}

static int do_tostring(lua_State *L) {
  int used = 0;
  if (!si_recorded_any(L)) return si_recorded_call_plain(L);
  lua_pushstring(L, words_of(L, 1, &used));
  return si_recorded_text(L, used);
}

/* string.format: what stands for a recorded value is "..." */
static int do_format(lua_State *L) {
  if (!si_recorded_any(L)) return si_recorded_call_plain(L);
  if (si_recorded_test(L, 1)) return no_text(L);
  const char *format = luaL_checkstring(L, 1);
  int count = lua_gettop(L), next = 2, used = 0;
  lua_pushliteral(L, "");
  while (*format) {
    size_t plain = strcspn(format, "%"), directive = 0;
    if (!plain)
      directive = format[1] == '%' ? 2 : 1 + strcspn(format + 1, "aAcdeEfgGiopqsuxX%") + 1;
    size_t length = directive && directive <= strlen(format) ? directive : plain ? plain : 1;
    bool takes = directive > 0 && format[1] != '%';
    if (takes && next <= count && si_recorded_test(L, next)) {
      lua_pushstring(L, words_of(L, next, &used));
    } else if (directive) {
      lua_pushvalue(L, lua_upvalueindex(1));
      lua_pushlstring(L, format, length);
      if (takes && next <= count) lua_pushvalue(L, next);
      lua_call(L, takes && next <= count ? 2 : 1, 1);
    } else {
      lua_pushlstring(L, format, length);
    }
    next += takes;
    format += length;
    lua_concat(L, 2);
  }
  return si_recorded_text(L, used);
}

/* print has an effect at each evaluation, so eval stays in Lua */
static int do_print(lua_State *L) {
  if (!si_recorded_any(L)) return si_recorded_call_plain(L);
  return no_text(L);
}

/* --- errors */

static int do_error(lua_State *L) {
  const si_recorded *value = lua_gettop(L) ? si_recorded_test(L, 1) : NULL;
  if (!value || value->count) return si_recorded_call_plain(L);
  int level = (int)luaL_optinteger(L, 2, 1);
  if (level > 0)
    luaL_where(L, level);
  else
    lua_pushliteral(L, "");
  lua_pushstring(L, value->text);
  lua_concat(L, 2);
  return lua_error(L);
}

static int do_assert(lua_State *L) {
  const si_recorded *value = lua_gettop(L) > 1 ? si_recorded_test(L, 2) : NULL;
  if (!value || value->count) return si_recorded_call_plain(L);
  si_recording_of(L)->texts--;
  if (lua_toboolean(L, 1)) return lua_gettop(L);
  lua_pushstring(L, value->text);
  return lua_error(L);
}

/* pcall and xpcall: what cannot be recorded is no error that a script may catch */
static int do_protect(lua_State *L) {
  int count = si_recorded_call_plain(L);
  si_recording *r = si_recording_of(L);
  if (!r || lua_toboolean(L, 1)) return count;
  bool refused = *r->refusal != '\0';
  if (!refused && lua_type(L, 2) == LUA_TSTRING)
    refused = si_recording_note_cause(r, lua_tostring(L, 2));
  if (!refused) return count;
  lua_pushstring(L, r->refusal);
  return lua_error(L);
}

/* --- types and other things that ask no metamethod */

static int do_type(lua_State *L) {
  const si_recorded *value = lua_gettop(L) ? si_recorded_test(L, 1) : NULL;
  if (!value) return si_recorded_call_plain(L);
  const char *name = value->count == 1 ? "number" : value->count == 0 ? "string" : "userdata";
  return si_return_string(L, name);
}

static int do_tonumber(lua_State *L) {
  const si_recorded *value = lua_gettop(L) ? si_recorded_test(L, 1) : NULL;
  if (!value) return si_recorded_call_plain(L);
  if (value->count == 0) return no_text(L);
  if (value->count != 1) lua_pushnil(L);
  lua_pushvalue(L, value->count == 1 ? 1 : -1);
  return 1;
}

static int do_rawequal(lua_State *L) {
  if (!si_recorded_any(L)) return si_recorded_call_plain(L);
  return si_recording_refuse(L, "rawequal of a recorded value cannot be recorded; use < and >");
}

static int no_clock(lua_State *L) {
  return si_recording_refuse(L, "the time cannot be recorded: eval must give the same outputs for "
                                "the same inputs; use an input");
}

const luaL_Reg si_recorded_base[] = {
  { "type", do_type },   { "tonumber", do_tonumber }, { "rawequal", do_rawequal },
  { "error", do_error }, { "tostring", do_tostring }, { "assert", do_assert },
  { "print", do_print }, { "pcall", do_protect },     { "xpcall", do_protect },
  { NULL, NULL },
};
const luaL_Reg si_recorded_string[] = { { "format", do_format }, { NULL, NULL } };
const luaL_Reg si_recorded_os[] = {
  { "time", no_clock }, { "clock", no_clock }, { "date", no_clock }, { NULL, NULL }
};
