/* Coroutines of a sandbox: each runs under the same hook, and a kill inside one is raised again in
 * the one that resumed it. */
#include "lua/host/sandbox/sandbox_core.h"

#include <lualib.h>

enum { deepest_close = 100 };

static lua_State *check_coroutine(lua_State *L) {
  lua_State *co = lua_tothread(L, 1);
  luaL_argexpected(L, co, 1, "coroutine");
  return co;
}

/* NULL when it may be resumed or closed */
static const char *busy_status(lua_State *L, lua_State *co) {
  lua_Debug at;
  if (co == L) return "running";
  if (lua_status(co) == LUA_OK && lua_getstack(co, 0, &at)) return "normal";
  return NULL;
}

static bool is_dead(lua_State *co) {
  return lua_status(co) != LUA_YIELD && (lua_status(co) != LUA_OK || lua_gettop(co) == 0);
}

/* returns the number of results on top of `L`, or -1 with the error value on top */
static int resume(lua_State *L, lua_State *co, int arguments) {
  si_sandbox *sandbox = si_sandbox_inside(L);
  const char *busy = busy_status(L, co);
  if (busy || is_dead(co)) {
    lua_pushfstring(L, "cannot resume %s coroutine", busy ? "non-suspended" : "dead");
    return -1;
  }
  if (!lua_checkstack(co, arguments)) {
    lua_pushliteral(L, "too many arguments to resume");
    return -1;
  }
  si_spend(L, 10);
  lua_xmove(L, co, arguments);
  si_budget_hook(sandbox, co);
  sandbox->running = co;
  int results = 0, status = lua_resume(co, L, arguments, &results);
  sandbox->running = L;
  si_budget_pass_on(L);
  if (status != LUA_OK && status != LUA_YIELD) {
    lua_xmove(co, L, 1);
    return -1;
  }
  if (!lua_checkstack(L, results + 1)) {
    lua_pop(co, results);
    lua_pushliteral(L, "too many results to resume");
    return -1;
  }
  lua_xmove(co, L, results);
  return results;
}

static int co_resume(lua_State *L) {
  lua_State *co = check_coroutine(L);
  int results = resume(L, co, lua_gettop(L) - 1);
  lua_pushboolean(L, results >= 0);
  if (results < 0) results = 1;
  lua_insert(L, -(results + 1));
  return results + 1;
}

/* runs the closing handlers of a coroutine, within a safe depth of the C stack */
static int close(lua_State *L, lua_State *co) {
  si_sandbox *sandbox = si_sandbox_inside(L);
  if (sandbox->close_depth >= deepest_close) return luaL_error(L, "C stack overflow");
  si_spend(L, 10);
  si_budget_hook(sandbox, co);
  sandbox->close_depth++;
  sandbox->running = co;
  int status = lua_resetthread(co);
  sandbox->running = L;
  sandbox->close_depth--;
  si_budget_pass_on(L);
  return status;
}

static int co_close(lua_State *L) {
  lua_State *co = check_coroutine(L);
  const char *busy = busy_status(L, co);
  if (busy) return luaL_error(L, "cannot close a %s coroutine", busy);
  int status = close(L, co);
  lua_pushboolean(L, status == LUA_OK);
  if (status == LUA_OK) return 1;
  lua_xmove(co, L, 1);
  return 2;
}

static int co_create(lua_State *L) {
  luaL_checktype(L, 1, LUA_TFUNCTION);
  si_spend(L, 1000); /* its hook counts from the start */
  lua_State *co = lua_newthread(L);
  lua_pushvalue(L, 1);
  lua_xmove(L, co, 1);
  return 1;
}

static int wrapped(lua_State *L) {
  lua_State *co = lua_tothread(L, lua_upvalueindex(1));
  int results = resume(L, co, lua_gettop(L));
  if (results >= 0) return results;
  int status = lua_status(co);
  if (status != LUA_OK && status != LUA_YIELD) {
    status = close(L, co);
    if (status != LUA_OK) lua_xmove(co, L, 1);
  }
  if (status != LUA_ERRMEM && lua_type(L, -1) == LUA_TSTRING) {
    luaL_where(L, 1);
    lua_insert(L, -2);
    lua_concat(L, 2);
  }
  return lua_error(L);
}

static int co_wrap(lua_State *L) {
  co_create(L);
  lua_pushcclosure(L, wrapped, 1);
  return 1;
}

void si_sandbox_open_coroutine(lua_State *L) {
  static const luaL_Reg ours[] = {
    { "close", co_close }, { "create", co_create }, { "resume", co_resume },
    { "wrap", co_wrap },   { NULL, NULL },
  };
  si_sandbox_open_standard(L, LUA_COLIBNAME, luaopen_coroutine);
  luaL_setfuncs(L, ours, 0);
  lua_setglobal(L, LUA_COLIBNAME);
}
