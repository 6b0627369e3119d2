/* The string library of a sandbox: searching under the budget, results within the limit of one
 * string, no bytecode, no addresses. */
#include "lua/host/sandbox/sandbox_core.h"
#include "lua/host/sandbox/sandbox_pattern.h"

#include <ctype.h>
#include <lualib.h>
#include <string.h>

static size_t longest(lua_State *L) { return si_sandbox_inside(L)->desc.text; }

static void check_size(lua_State *L, const char *function, size_t size) {
  if (size > longest(L))
    luaL_error(L, "string.%s: the result has more than %d bytes", function, (int)longest(L));
}

static int str_rep(lua_State *L) {
  size_t length, separator_length;
  const char *text = luaL_checklstring(L, 1, &length);
  lua_Integer count = luaL_checkinteger(L, 2);
  const char *separator = luaL_optlstring(L, 3, "", &separator_length);
  size_t each = length + separator_length;
  if (count <= 0 || each == 0) {
    lua_pushliteral(L, "");
    return 1;
  }
  if ((lua_Unsigned)count > (longest(L) + separator_length) / each) check_size(L, "rep", SIZE_MAX);
  size_t total = (size_t)count * each - separator_length;
  check_size(L, "rep", total);
  si_spend(L, total / 16);
  luaL_Buffer buffer;
  char *dest = luaL_buffinitsize(L, &buffer, total + separator_length);
  memcpy(dest, text, length);
  memcpy(dest + length, separator, separator_length);
  for (size_t done = each; done < total;) {
    size_t more = done < total - done ? done : total - done;
    memcpy(dest + done, dest, more);
    done += more;
  }
  luaL_pushresultsize(&buffer, total);
  return 1;
}

/* checks that no argument shows an address or exceeds the limit, then calls Lua's own function */
static int str_format(lua_State *L) {
  size_t length;
  const char *format = luaL_checklstring(L, 1, &length), *end = format + length;
  size_t total = length;
  int argument = 1, count = lua_gettop(L);
  for (const char *at = format; at < end; at++) {
    if (*at != '%') continue;
    if (++at < end && *at == '%') continue;
    argument++;
    total += 128;
    while (at < end && (strchr("-+ #0.", *at) || isdigit((unsigned char)*at))) at++;
    if (at >= end) break;
    if (*at == 'p') return luaL_error(L, "string.format: '%%p' is not available in a rig script");
    size_t argument_length = 0;
    if (*at == 's' && argument <= count) {
      si_sandbox_tostring(L, argument, &argument_length);
      lua_replace(L, argument);
    } else if (*at == 'q' && argument <= count && lua_type(L, argument) == LUA_TSTRING) {
      lua_tolstring(L, argument, &argument_length);
      argument_length *= 4;
    }
    total += argument_length;
    /* the digits of a large or long number take some microseconds */
    si_spend(L, (strchr("aAeEfFgG", *at) ? 60 : 20) + argument_length / 16);
    check_size(L, "format", total);
  }
  lua_pushvalue(L, lua_upvalueindex(1));
  lua_insert(L, 1);
  if (lua_pcall(L, count, 1, 0) == LUA_OK) return 1;
  /* raises its message with the line of the script */
  luaL_where(L, 1);
  luaL_gsub(L, lua_tostring(L, -2), "'?'", "'format'");
  lua_concat(L, 2);
  return lua_error(L);
}

/* The position, from 0, where a search begins; false if it is after the end of the text. */
static bool search_start(lua_State *L, int index, size_t length, size_t *start) {
  lua_Integer init = luaL_optinteger(L, index, 1);
  if (init < 0)
    init = init < -(lua_Integer)length ? 1 : (lua_Integer)length + init + 1;
  else if (init == 0)
    init = 1;
  *start = (size_t)init - 1;
  return *start <= length;
}

static int find_plain(lua_State *L, const char *text, size_t length, size_t start, const char *part,
                      size_t part_length) {
  const char *at = text + start, *end = text + length;
  size_t unpaid = 0;
  for (; (size_t)(end - at) >= part_length; at++) {
    if (part_length > 0) {
      const char *first = memchr(at, part[0], (size_t)(end - at) - part_length + 1);
      if (!first) break;
      unpaid += 1 + (size_t)(first - at) / 16 + part_length / 16;
      at = first;
      if (unpaid > 1024) {
        si_spend(L, unpaid);
        unpaid = 0;
      }
    }
    if (memcmp(at, part, part_length) == 0) {
      lua_pushinteger(L, at - text + 1);
      lua_pushinteger(L, at - text + (ptrdiff_t)part_length);
      return 2;
    }
  }
  si_spend(L, unpaid + 1 + (size_t)(end - text) / 16);
  luaL_pushfail(L);
  return 1;
}

static bool has_specials(const char *pattern, size_t length) {
  for (size_t i = 0; i < length; i++)
    if (pattern[i] != '\0' && strchr("^$*+?.([%-", pattern[i])) return true;
  return false;
}

static int search(lua_State *L, bool find) {
  size_t length, pattern_length, start;
  const char *text = luaL_checklstring(L, 1, &length);
  const char *pattern = luaL_checklstring(L, 2, &pattern_length);
  if (!search_start(L, 3, length, &start)) {
    luaL_pushfail(L);
    return 1;
  }
  if (find && (lua_toboolean(L, 4) || !has_specials(pattern, pattern_length)))
    return find_plain(L, text, length, start, pattern, pattern_length);

  bool anchored = pattern_length > 0 && *pattern == '^';
  if (anchored) {
    pattern++;
    pattern_length--;
  }
  si_matcher m;
  si_matcher_init(&m, L, text, length, pattern, pattern_length);
  for (const char *at = text + start; at <= m.text_end; at++) {
    const char *end = si_matcher_try(&m, at, pattern);
    if (end) {
      if (!find) return si_matcher_push_all(&m, at, end);
      lua_pushinteger(L, at - text + 1);
      lua_pushinteger(L, end - text);
      return 2 + si_matcher_push_all(&m, NULL, NULL);
    }
    if (anchored) break;
  }
  luaL_pushfail(L);
  return 1;
}

static int str_find(lua_State *L) { return search(L, true); }
static int str_match(lua_State *L) { return search(L, false); }

/* upvalues: text, pattern, next position, end of the last match (-1: none) */
static int next_match(lua_State *L) {
  size_t length, pattern_length;
  const char *text = lua_tolstring(L, lua_upvalueindex(1), &length);
  const char *pattern = lua_tolstring(L, lua_upvalueindex(2), &pattern_length);
  size_t start = (size_t)lua_tointeger(L, lua_upvalueindex(3));
  lua_Integer last = lua_tointeger(L, lua_upvalueindex(4));
  si_matcher m;
  si_matcher_init(&m, L, text, length, pattern, pattern_length);
  for (; start <= length; start++) {
    const char *end = si_matcher_try(&m, text + start, pattern);
    if (!end || end - text == last) continue;
    lua_pushinteger(L, end - text);
    lua_pushvalue(L, -1);
    lua_replace(L, lua_upvalueindex(3));
    lua_replace(L, lua_upvalueindex(4));
    return si_matcher_push_all(&m, text + start, end);
  }
  return 0;
}

static int str_gmatch(lua_State *L) {
  size_t length, start;
  luaL_checklstring(L, 1, &length);
  luaL_checkstring(L, 2);
  if (!search_start(L, 3, length, &start)) start = length + 1;
  lua_settop(L, 2);
  lua_pushinteger(L, (lua_Integer)start);
  lua_pushinteger(L, -1);
  lua_pushcclosure(L, next_match, 4);
  return 1;
}

typedef struct output {
  luaL_Buffer buffer;
  size_t size;
} output;

static void add(lua_State *L, output *out, const char *text, size_t length) {
  out->size += length;
  check_size(L, "gsub", out->size);
  luaL_addlstring(&out->buffer, text, length);
}

/* adds the value on top */
static void add_top(lua_State *L, output *out) {
  size_t length;
  lua_tolstring(L, -1, &length);
  out->size += length;
  check_size(L, "gsub", out->size);
  luaL_addvalue(&out->buffer);
}

static void add_template(lua_State *L, output *out, si_matcher *m, const char *start,
                         const char *end) {
  size_t length;
  const char *at = lua_tolstring(L, 3, &length), *stop = at + length;
  si_spend(L, 1 + length / 8);
  while (at < stop) {
    const char *escape = memchr(at, '%', (size_t)(stop - at));
    add(L, out, at, (size_t)((escape ? escape : stop) - at));
    if (!escape) return;
    char c = escape + 1 < stop ? escape[1] : '\0';
    if (c == '%') {
      add(L, out, "%", 1);
    } else if (c == '0') {
      add(L, out, start, (size_t)(end - start));
    } else if (isdigit((unsigned char)c)) {
      si_matcher_push(m, c - '1', start, end);
      add_top(L, out);
    } else {
      luaL_error(L, "invalid use of '%%' in replacement string");
    }
    at = escape + 2;
  }
}

/* whether the text was replaced */
static bool add_replacement(lua_State *L, output *out, si_matcher *m, const char *start,
                            const char *end) {
  switch (lua_type(L, 3)) {
  case LUA_TFUNCTION:
    lua_pushvalue(L, 3);
    lua_call(L, si_matcher_push_all(m, start, end), 1);
    break;
  case LUA_TTABLE:
    si_matcher_push(m, 0, start, end);
    lua_gettable(L, 3);
    break;
  default: add_template(L, out, m, start, end); return true;
  }
  if (!lua_toboolean(L, -1)) {
    lua_pop(L, 1);
    add(L, out, start, (size_t)(end - start));
    return false;
  }
  if (!lua_isstring(L, -1)) luaL_error(L, "invalid replacement value (a %s)", luaL_typename(L, -1));
  add_top(L, out);
  return true;
}

static int str_gsub(lua_State *L) {
  size_t length, pattern_length;
  const char *text = luaL_checklstring(L, 1, &length), *at = text, *last = NULL;
  const char *pattern = luaL_checklstring(L, 2, &pattern_length);
  int kind = lua_type(L, 3);
  luaL_argexpected(
      L, kind == LUA_TNUMBER || kind == LUA_TSTRING || kind == LUA_TFUNCTION || kind == LUA_TTABLE,
      3, "string/function/table");
  lua_Integer most = luaL_optinteger(L, 4, (lua_Integer)length + 1), count = 0;
  bool anchored = pattern_length > 0 && *pattern == '^', changed = false;
  if (anchored) {
    pattern++;
    pattern_length--;
  }
  si_matcher m;
  si_matcher_init(&m, L, text, length, pattern, pattern_length);
  output out = { .size = 0 };
  luaL_buffinit(L, &out.buffer);
  while (count < most) {
    const char *end = si_matcher_try(&m, at, pattern);
    if (end && end != last) {
      count++;
      changed |= add_replacement(L, &out, &m, at, end);
      at = last = end;
    } else if (at < m.text_end) {
      add(L, &out, at++, 1);
    } else {
      break;
    }
    if (anchored) break;
  }
  if (changed) {
    add(L, &out, at, (size_t)(m.text_end - at));
    luaL_pushresult(&out.buffer);
  } else {
    lua_pushvalue(L, 1);
  }
  lua_pushinteger(L, count);
  return 2;
}

void si_sandbox_open_string(lua_State *L) {
  static const luaL_Reg ours[] = {
    { "find", str_find },   { "gmatch", str_gmatch }, { "gsub", str_gsub },
    { "match", str_match }, { "rep", str_rep },       { NULL, NULL },
  };
  /* packed data is for files, which scripts cannot use */
  static const char *const dropped[] = { "dump", "pack", "packsize", "unpack", NULL };
  si_sandbox_open_standard(L, LUA_STRLIBNAME, luaopen_string);
  luaL_setfuncs(L, ours, 0);
  lua_getfield(L, -1, "format");
  lua_pushcclosure(L, str_format, 1);
  lua_setfield(L, -2, "format");
  si_sandbox_drop(L, dropped);
  lua_setglobal(L, LUA_STRLIBNAME);

  /* all strings share one metatable, so scripts must not get it */
  lua_pushliteral(L, "");
  lua_getmetatable(L, -1);
  lua_pushboolean(L, 0);
  lua_setfield(L, -2, "__metatable");
  lua_pop(L, 2);
}
