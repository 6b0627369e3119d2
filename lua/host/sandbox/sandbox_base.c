/* The base library of a sandbox: Lua's own, without files, bytecode, finalizers and addresses, and
 * with protected calls that cannot catch the error that stops a script. */
#include "lua/host/sandbox/sandbox_core.h"

#include <lualib.h>
#include <string.h>

/* registry keys: the set of the script's metatables, and the thread that scans it */
static const char metatables_key = 0;
static const char scanner_key = 0;

void si_sandbox_open_standard(lua_State *L, const char *name, lua_CFunction open) {
  lua_pushcfunction(L, open);
  lua_pushstring(L, name);
  lua_call(L, 1, 1);
}

void si_sandbox_drop(lua_State *L, const char *const *names) {
  for (; *names; names++) {
    lua_pushnil(L);
    lua_setfield(L, -2, *names);
  }
}

const char *si_sandbox_tostring(lua_State *L, int index, size_t *length) {
  index = lua_absindex(L, index);
  if (luaL_callmeta(L, index, "__tostring")) {
    if (!lua_isstring(L, -1)) luaL_error(L, "'__tostring' must return a string");
    return lua_tolstring(L, -1, length);
  }
  switch (lua_type(L, index)) {
  case LUA_TSTRING:
  case LUA_TNUMBER: lua_pushvalue(L, index); break;
  case LUA_TBOOLEAN: lua_pushstring(L, lua_toboolean(L, index) ? "true" : "false"); break;
  default: {
    int kind = luaL_getmetafield(L, index, "__name");
    if (kind == LUA_TSTRING) break;
    if (kind != LUA_TNIL) lua_pop(L, 1);
    lua_pushstring(L, luaL_typename(L, index));
  }
  }
  return lua_tolstring(L, -1, length);
}

static int base_tostring(lua_State *L) {
  luaL_checkany(L, 1);
  si_sandbox_tostring(L, 1, NULL);
  return 1;
}

/* upvalue: Lua's own, which reads each character */
static int base_tonumber(lua_State *L) {
  if (lua_type(L, 1) == LUA_TSTRING) si_spend(L, lua_rawlen(L, 1) / 8);
  return lua_tocfunction(L, lua_upvalueindex(1))(L);
}

static int base_print(lua_State *L) {
  si_sandbox *sandbox = si_sandbox_inside(L);
  int count = lua_gettop(L);
  luaL_Buffer line;
  luaL_buffinit(L, &line);
  for (int i = 1; i <= count; i++) {
    size_t length;
    si_sandbox_tostring(L, i, &length);
    si_spend(L, 100 + length);
    if (i > 1) {
      /* the buffer must be on top of the stack */
      lua_pushliteral(L, "\t");
      lua_insert(L, -2);
      lua_concat(L, 2);
    }
    luaL_addvalue(&line);
  }
  luaL_pushresult(&line);
  if (!sandbox->desc.print) return 0;
  size_t length;
  const char *text = lua_tolstring(L, -1, &length);
  char *plain = lua_newuserdatauv(L, length + 1, 0);
  length = si_sandbox_plain(plain, length + 1, text, length);
  if (sandbox->silent) return 0;
  sandbox->printed += length + 1;
  sandbox->silent = sandbox->printed > SI_MOST_PRINTED;
  if (sandbox->silent) {
    static const char last[] = "(the script printed 1 MB: what it prints from here on is left out)";
    sandbox->desc.print(last, sizeof last - 1, sandbox->desc.user);
  } else {
    sandbox->desc.print(plain, length, sandbox->desc.user);
  }
  return 0;
}

static void note_metatable(lua_State *L, int index) {
  si_sandbox *sandbox = si_sandbox_inside(L);
  lua_rawgetp(L, LUA_REGISTRYINDEX, &metatables_key);
  lua_pushvalue(L, index);
  if (lua_rawget(L, -2) == LUA_TNIL) {
    lua_pushvalue(L, index);
    lua_pushboolean(L, 1);
    sandbox->most_keys = SIZE_MAX; /* a script cannot choose these keys */
    lua_rawset(L, -4);
    sandbox->most_keys = SI_MOST_KEYS;
  }
  lua_pop(L, 2);
}

static void refuse_field(lua_State *L, const char *name, const char *what) {
  lua_pushstring(L, name);
  if (lua_rawget(L, 2) != LUA_TNIL)
    luaL_error(L, "%s (%s in a metatable) are not available in a rig script", what, name);
  lua_pop(L, 1);
}

static int base_setmetatable(lua_State *L) {
  luaL_checktype(L, 1, LUA_TTABLE);
  luaL_argexpected(L, lua_isnil(L, 2) || lua_istable(L, 2), 2, "nil or table");
  if (luaL_getmetafield(L, 1, "__metatable") != LUA_TNIL)
    return luaL_error(L, "cannot change a protected metatable");
  if (lua_istable(L, 2)) {
    refuse_field(L, "__gc", "finalizers");
    refuse_field(L, "__mode", "weak tables");
    note_metatable(L, 2);
  }
  lua_settop(L, 2);
  lua_setmetatable(L, 1);
  return 1;
}

static int finish_pcall(lua_State *L, int status, lua_KContext kept) {
  si_budget_pass_on(L);
  if (status != LUA_OK && status != LUA_YIELD) {
    lua_pushboolean(L, 0);
    lua_pushvalue(L, -2);
    return 2;
  }
  return lua_gettop(L) - (int)kept;
}

static int base_pcall(lua_State *L) {
  luaL_checkany(L, 1);
  lua_pushboolean(L, 1);
  lua_insert(L, 1);
  int status = lua_pcallk(L, lua_gettop(L) - 2, LUA_MULTRET, 0, 0, finish_pcall);
  return finish_pcall(L, status, 0);
}

/* Wraps a script's message handler: if the hook called it directly, nothing could stop it. */
static int on_error(lua_State *L) {
  if (si_budget_over(L)) return 1;
  lua_settop(L, 1);
  lua_pushvalue(L, lua_upvalueindex(1));
  lua_insert(L, 1);
  lua_call(L, 1, 1);
  return 1;
}

static int base_xpcall(lua_State *L) {
  luaL_checktype(L, 2, LUA_TFUNCTION);
  int arguments = lua_gettop(L) - 2;
  lua_pushvalue(L, 2);
  lua_pushcclosure(L, on_error, 1);
  lua_replace(L, 2); /* function, handler, arguments */
  lua_pushboolean(L, 1);
  lua_pushvalue(L, 1);
  lua_rotate(L, 3, 2); /* function, handler, true, function, arguments */
  int status = lua_pcallk(L, arguments, LUA_MULTRET, 2, 2, finish_pcall);
  return finish_pcall(L, status, 2);
}

typedef struct pieces {
  const char *at;
  size_t left;
} pieces;

/* feeds the compiler in small pieces: it takes quadratic time for long chains of `and` */
static const char *next_piece(lua_State *L, void *user, size_t *size) {
  enum { piece = 512 };
  pieces *text = user;
  const char *start = text->at;
  *size = text->left < piece ? text->left : piece;
  text->at += *size;
  text->left -= *size;
  if (*size) {
    si_budget_spend(&si_sandbox_inside(L)->budget, *size);
    si_budget_look(L);
  }
  return *size ? start : NULL;
}

/* The compiler takes quadratic time for labels, gotos and breaks, and cannot be interrupted
 * then. */
static bool jumps_too_much(const char *text, size_t length) {
  enum { most = 20000 };
  int count = 0;
  for (size_t i = 0; i + 2 <= length; i++) {
    const char *at = text + i;
    size_t left = length - i;
    if ((at[0] == ':' && at[1] == ':') || (left >= 4 && memcmp(at, "goto", 4) == 0) ||
        (left >= 5 && memcmp(at, "break", 5) == 0))
      count++;
  }
  return count > most;
}

int si_sandbox_compile(lua_State *L, const char *text, size_t length, const char *chunk_name) {
  if (jumps_too_much(text, length)) {
    lua_pushliteral(L, "too many labels, gotos and breaks in one text");
    return LUA_ERRSYNTAX;
  }
  si_sandbox *sandbox = si_sandbox_inside(L);
  pieces all = { text, length };
  sandbox->most_keys = SI_MOST_CONSTANTS;
  int status = lua_load(L, next_piece, &all, chunk_name, "t");
  sandbox->most_keys = SI_MOST_KEYS;
  if (si_budget_over(L)) si_budget_pass_on(L);
  return status;
}

/* joins the pieces that a reader function returns */
static void gather(lua_State *L) {
  size_t limit = si_sandbox_inside(L)->desc.text, total = 0;
  luaL_Buffer all;
  luaL_buffinit(L, &all);
  for (;;) {
    si_spend(L, 100);
    lua_pushvalue(L, 1);
    lua_call(L, 0, 1);
    size_t length = 0;
    if (lua_isnil(L, -1)) break;
    if (lua_type(L, -1) != LUA_TSTRING) luaL_error(L, "reader function must return a string");
    lua_tolstring(L, -1, &length);
    if (length == 0) break;
    total += length;
    if (total > limit) luaL_error(L, "load: text longer than %d bytes", (int)limit);
    luaL_addvalue(&all);
  }
  lua_pop(L, 1);
  luaL_pushresult(&all);
  lua_replace(L, 1);
}

static int base_load(lua_State *L) {
  bool has_env = !lua_isnone(L, 4);
  const char *mode = luaL_optstring(L, 3, "bt");
  lua_settop(L, 4);
  const char *name;
  if (lua_type(L, 1) == LUA_TSTRING) {
    name = luaL_optstring(L, 2, lua_tostring(L, 1));
  } else {
    luaL_checktype(L, 1, LUA_TFUNCTION);
    name = luaL_optstring(L, 2, "=(load)");
    gather(L);
  }
  size_t length;
  const char *text = lua_tolstring(L, 1, &length);
  if (!strchr(mode, 't')) {
    lua_pushnil(L);
    lua_pushliteral(L, "attempt to load a text chunk: only source text can be loaded here");
    return 2;
  }
  if (si_sandbox_compile(L, text, length, name) != LUA_OK) {
    lua_pushnil(L);
    lua_insert(L, -2);
    return 2;
  }
  if (has_env) {
    lua_pushvalue(L, 4);
    if (!lua_setupvalue(L, -2, 1)) lua_pop(L, 1);
  }
  return 1;
}

static int base_collectgarbage(lua_State *L) {
  static const char *const options[] = { "collect", "count", "step", NULL };
  si_sandbox *sandbox = si_sandbox_inside(L);
  if (luaL_checkoption(L, 1, "collect", options) == 1) {
    lua_pushnumber(L, (lua_Number)sandbox->pool.used / 1024);
  } else {
    si_spend(L, 1000 + sandbox->pool.used / 32);
    si_budget_collect(L);
    lua_pushinteger(L, 0);
  }
  return 1;
}

static int debug_traceback(lua_State *L) {
  lua_State *of = lua_isthread(L, 1) ? lua_tothread(L, 1) : L;
  int shift = of == L ? 0 : 1;
  if (!lua_isnoneornil(L, shift + 1) && !lua_isstring(L, shift + 1)) {
    lua_pushvalue(L, shift + 1);
    return 1;
  }
  int level = (int)luaL_optinteger(L, shift + 2, of == L ? 1 : 0);
  si_spend(L, 1000);
  luaL_argcheck(L, level >= 0 && level < 1000, shift + 2, "level out of range");
  luaL_checkstack(L, 20, NULL);
  si_sandbox_trace(L, of, lua_tostring(L, shift + 1), level);
  return 1;
}

/* a seed from the clock or an address would make results differ from run to run */
static int math_randomseed(lua_State *L) {
  lua_Integer seed = luaL_checkinteger(L, 1), more = luaL_optinteger(L, 2, 0);
  lua_pushvalue(L, lua_upvalueindex(1));
  lua_pushinteger(L, seed);
  lua_pushinteger(L, more);
  lua_call(L, 2, 0);
  return 0;
}

static void open_math(lua_State *L) {
  si_sandbox_open_standard(L, LUA_MATHLIBNAME, luaopen_math);
  lua_getfield(L, -1, "randomseed");
  lua_pushvalue(L, -1);
  lua_pushinteger(L, 1);
  lua_call(L, 1, 0);
  lua_pushcclosure(L, math_randomseed, 1);
  lua_setfield(L, -2, "randomseed");
  lua_setglobal(L, LUA_MATHLIBNAME);
}

static void open_scanner(lua_State *L) {
  /* the set has weak keys */
  lua_newtable(L);
  lua_newtable(L);
  lua_pushliteral(L, "k");
  lua_setfield(L, -2, "__mode");
  lua_setmetatable(L, -2);
  lua_pushvalue(L, -1);
  lua_rawsetp(L, LUA_REGISTRYINDEX, &metatables_key);

  lua_State *scanner = lua_newthread(L);
  lua_rawsetp(L, LUA_REGISTRYINDEX, &scanner_key);
  lua_xmove(L, scanner, 1);
  lua_pushliteral(scanner, "__mode");
  si_sandbox_inside(L)->scanner = scanner;
}

void si_sandbox_open_base(lua_State *L) {
  static const luaL_Reg ours[] = {
    { "collectgarbage", base_collectgarbage },
    { "load", base_load },
    { "pcall", base_pcall },
    { "print", base_print },
    { "setmetatable", base_setmetatable },
    { "tostring", base_tostring },
    { "xpcall", base_xpcall },
    { NULL, NULL },
  };
  static const char *const dropped[] = { "dofile", "loadfile", "warn", NULL };

  open_scanner(L);
  si_sandbox_open_standard(L, LUA_GNAME, luaopen_base);
  luaL_setfuncs(L, ours, 0);
  si_sandbox_drop(L, dropped);
  lua_getfield(L, -1, "tonumber");
  lua_pushcclosure(L, base_tonumber, 1);
  lua_setfield(L, -2, "tonumber");
  lua_pop(L, 1);

  lua_newtable(L);
  lua_pushcfunction(L, debug_traceback);
  lua_setfield(L, -2, "traceback");
  lua_setglobal(L, LUA_DBLIBNAME);

  open_math(L);
  si_sandbox_open_standard(L, LUA_UTF8LIBNAME, luaopen_utf8);
  lua_setglobal(L, LUA_UTF8LIBNAME);
}
