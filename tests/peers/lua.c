/* body.lua on body75, in the Lua that this is built with: Lua 5.4, or LuaJIT with its compiler on.
 */
#include "peer.h"

#include <lauxlib.h>
#include <lua.h>
#include <lualib.h>
#include <stdio.h>
#include <stdlib.h>

#ifdef LUA_JITLIBNAME
#include <luajit.h>
#define PEER    "LuaJIT"
#define RELEASE LUAJIT_VERSION
#define CSV     "build/peers/luajit.csv"
#else
#define PEER    "Lua 5.4"
#define RELEASE LUA_RELEASE
#define CSV     "build/peers/lua.csv"
#endif

enum { run_at = 1, places_at = 2 };

static void check(lua_State *l, int status) {
  if (status == 0) return;
  fprintf(stderr, "peers: %s\n", lua_tostring(l, -1));
  exit(1);
}

static void run(void *context, int times) {
  lua_State *l = context;
  lua_pushvalue(l, run_at);
  lua_pushinteger(l, times);
  check(l, lua_pcall(l, 1, 0, 0));
}

static double number(lua_State *l, int kind, int segment) {
  lua_rawgeti(l, places_at, kind + 1);
  lua_rawgeti(l, -1, segment + 1);
  double value = lua_tonumber(l, -1);
  lua_pop(l, 2);
  return value;
}

static peer_place place(void *context, int segment) {
  peer_place p;
  for (int row = 0; row < 3; row++) {
    for (int col = 0; col < 3; col++) p.turn[row][col] = number(context, 3 * row + col, segment);
    p.at[row] = number(context, 9 + row, segment);
  }
  return p;
}

static void push_floats(lua_State *l, const float *values, int count) {
  lua_createtable(l, count, 0);
  for (int i = 0; i < count; i++) {
    lua_pushnumber(l, (double)values[i]);
    lua_rawseti(l, -2, i + 1);
  }
}

static void push_parents(lua_State *l, const body *b) {
  lua_createtable(l, b->segments, 0);
  for (int s = 0; s < b->segments; s++) {
    lua_pushinteger(l, b->parent[s] + 1);
    lua_rawseti(l, -2, s + 1);
  }
}

static void push_steps(lua_State *l) {
  lua_createtable(l, peer_steps, 0);
  for (int k = 0; k < peer_steps; k++) {
    lua_createtable(l, peer_turns, 0);
    for (int i = 0; i < peer_turns; i++) {
      lua_pushnumber(l, peer_angles(k)[i]);
      lua_rawseti(l, -2, i + 1);
    }
    lua_rawseti(l, -2, k + 1);
  }
}

int main(int argc, char **argv) {
  const body *b = peer_body();
  lua_State *l = luaL_newstate();
  luaL_openlibs(l);
  check(l, luaL_loadfile(l, "tests/peers/body.lua"));
  push_parents(l, b);
  push_floats(l, b->offset[0], 3 * b->segments);
  push_floats(l, b->axis[0], 3 * b->segments * b->rotations);
  push_floats(l, b->centre[0], 3 * b->segments * b->rotations);
  push_steps(l);
  check(l, lua_pcall(l, 5, 2, 0));
  printf("%s\n", RELEASE);
  const peer script = { PEER, 0, l, run, place };
  int code = peer_compare(CSV, &script, 1, argc, argv);
  lua_close(l);
  return code;
}
