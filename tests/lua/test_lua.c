/* The Lua module inside a C program: runs the tests in Lua, so that the sanitizers and valgrind see
 * them; memory runs out at every possible point, in Lua and in the engine; and a C program
 * evaluates scripted components, also after their state is closed. */
#include "lua/module/module.h"
#include "lua/rig/rig_lua.h"
#include "fixture.h"
#include "minunit.h"

#include <stdlib.h>

static void open_libraries(lua_State *L) {
  luaL_openlibs(L);
  lua_getglobal(L, "package");
  lua_getfield(L, -1, "preload");
  lua_pushcfunction(L, luaopen_sinew);
  lua_setfield(L, -2, "sinew");
  lua_pushcfunction(L, luaopen_sinew_watcher);
  lua_setfield(L, -2, "sinew.watcher");
  lua_pushcfunction(L, luaopen_sinew_chosen);
  lua_setfield(L, -2, "sinew.chosen");
  lua_pop(L, 2);
}

static lua_State *open_state(void) {
  lua_State *L = luaL_newstate();
  open_libraries(L);
  return L;
}

/* runs run.lua; keeps its output in `printed` and its exit code in `code`. What runs by itself in
 * both Luas is run here in the long tests only, else the tests that call between Lua and C. */
static const char run_all[] =
    "package.path = 'lua/?.lua;lua/?/init.lua;tests/lua/?.lua;' .. package.path\n"
    "arg = { [0] = 'tests/lua/run.lua', not long and 'script_' or nil }\n"
    "printed = {}\n"
    "local say = print\n"
    "function print(...) printed[#printed + 1] = table.concat({...}, ' ') end\n"
    "function os.exit(status) code = status error('exit', 0) end\n"
    "pcall(dofile, arg[0])\n"
    "if code ~= 0 then say(table.concat(printed, '\\n')) end\n"
    "return code\n";

MU_SLOW_TEST(lua_tests_pass_in_a_c_program_without_leaks) {
  size_t before = sinew_live_blocks();
  lua_State *L = open_state();
  lua_pushboolean(L, getenv("SINEW_TEST_LONG") != NULL);
  lua_setglobal(L, "long");
  bool ran = luaL_dostring(L, run_all) == LUA_OK;
  bool passed = ran && lua_isinteger(L, -1) && lua_tointeger(L, -1) == 0;
  if (!ran) printf("%s\n", lua_tostring(L, -1));
  lua_close(L);
  MU_CHECK_SAY(passed, "the tests in Lua failed, see above");
  MU_INT(sinew_live_blocks(), before);
}

/* a rig with everything for which the binding allocates */
static const char everything[] =
    "local sinew = require 'sinew'\n"
    "local rig = sinew.rig 'all'\n"
    "local set = rig:joint_set 'set'\n"
    "local x = set:dof('x', { label = 'turn' })\n"
    "local curve = sinew.spline { {0, 0}, {1, 1}, {2, 0} }\n"
    "local map = set:map { x, a = curve, b = curve }\n"
    "local Kind = sinew.component { name = 'kind', inputs = { 'x', 'v: vector' },\n"
    "  outputs = { 'y', 'm: matrix' }, params = { k = 1, list = { 1, 2 }, at = { 1, 2, 3 } },\n"
    "  eval = function(self, a, v)\n"
    "    return { y = a * self.k + v.x, m = sinew.mat4.translation(a, 0, 0) }\n"
    "  end }\n"
    "local c = set:add(Kind { map.a, { 1, 2, 3 }, k = 2 })\n"
    "local Net = sinew.component { name = 'net', inputs = { 'x' }, outputs = { 'm: matrix' },\n"
    "  build = function(self, owner, a) return owner:rotation { a, axis = { 0, 0, 1 } } end }\n"
    "rig:segment('a', { shape = {} }):drive(set:multiply { c.m, set:add(Net { c.y }) })\n"
    "local pose = rig:pose()\n"
    "pose['set.x'] = 1\n"
    "local m = pose:world 'a'\n"
    "c.k = 3\n"
    "local crowd, v = rig:crowd(2, { threads = 2 }), sinew.buffer(32)\n"
    "local w = crowd:worlds()\n"
    "crowd:pose({ 0, 1 }, v)\n"
    "local h = pose:holds()\n"
    "return m[13] + w[13] + v[29] + pose:value(c.y)\n";

/* fails the allocation number `at`, counted from 1, and all after it; never for 0 */
typedef struct shortage {
  long count, at;
} shortage;

static bool short_of(shortage *s) { return ++s->count >= s->at && s->at; }

static void *lua_memory(void *user, void *block, size_t old, size_t size) {
  (void)old;
  if (size == 0) {
    free(block);
    return NULL;
  }
  if ((!block || size > old) && short_of(user)) return NULL;
  return realloc(block, size);
}

static void *engine_memory(size_t bytes, size_t align, void *user) {
  return short_of(user) ? NULL : aligned_alloc(align, (bytes + align - 1) / align * align);
}

static void engine_release(void *block, void *user) {
  (void)user;
  free(block);
}

static int open_and_run(lua_State *L) {
  open_libraries(L);
  if (luaL_loadstring(L, everything) != LUA_OK) return lua_error(L);
  lua_call(L, 0, 1);
  return 1;
}

/* whether the rig could be made and evaluated in a new state */
static bool run_everything(shortage *of_lua, double *result) {
  shortage none = { 0, 0 };
  lua_State *L = lua_newstate(lua_memory, &none);
  /* a collection in between could lose objects: Lua drops a finalizer that it has no memory to call
   */
  lua_gc(L, LUA_GCSTOP);
  if (of_lua) lua_setallocf(L, lua_memory, of_lua);
  lua_pushcfunction(L, open_and_run);
  bool ran = lua_pcall(L, 0, 1, 0) == LUA_OK;
  *result = lua_tonumber(L, -1);
  lua_setallocf(L, lua_memory, &none);
  lua_close(L);
  return ran;
}

MU_TEST(nothing_leaks_when_lua_runs_out_of_memory) {
  size_t before = sinew_live_blocks();
  double expected, result;
  MU_CHECK(run_everything(NULL, &expected));
  int step = 5000 / mu_rounds(5000), tries = 0;
  bool ran = false;
  for (long at = 1; !ran; at += step, tries++) {
    shortage lack = { 0, at };
    ran = run_everything(&lack, &result);
    MU_INT(sinew_live_blocks(), before);
  }
  MU_NEAR(result, expected, 0);
  MU_CHECK(tries > 20);
}

MU_SLOW_TEST(nothing_leaks_when_the_engine_runs_out_of_memory) {
  size_t before = sinew_live_blocks();
  double expected, result;
  MU_CHECK(run_everything(NULL, &expected));
  bool ran = false;
  int tries = 0;
  for (long at = 1; !ran; at++, tries++) {
    shortage lack = { 0, at };
    sinew_set_allocator(&(sinew_allocator){ engine_memory, engine_release, &lack });
    ran = run_everything(NULL, &result);
    sinew_set_allocator(NULL);
    MU_INT(sinew_live_blocks(), before);
  }
  MU_NEAR(result, expected, 0);
  MU_CHECK(tries > 20);
}

/* the program of the rig that the script at 1 returns, retained */
static int compile_script(lua_State *L) {
  si_program **dest = lua_touserdata(L, 2);
  if (luaL_dostring(L, lua_tostring(L, 1)) != LUA_OK) return lua_error(L);
  *dest = si_rig_program(L, si_rig_check(L, -1));
  (*dest)->refs++;
  lua_setglobal(L, "rig");
  return 0;
}

static si_program *compile(lua_State *L, const char *script) {
  si_program *program = NULL;
  lua_pushcfunction(L, compile_script);
  lua_pushstring(L, script);
  lua_pushlightuserdata(L, &program);
  if (lua_pcall(L, 2, 0, 0) != LUA_OK) printf("%s\n", lua_tostring(L, -1));
  return program;
}

static const char doubling[] =
    "local sinew = require 'sinew'\n"
    "local rig = sinew.rig 'doubling'\n"
    "local Double = sinew.component { name = 'double', inputs = { 'x' }, outputs = { 'y' },\n"
    "  record = false, eval = function(self, x) return 2 * x end }\n"
    "rig:segment 's':drive(rig:translation { rig:add(Double { rig:dof 'x' }) })\n"
    "return rig\n";

MU_TEST(a_c_program_evaluates_scripted_components) {
  lua_State *L = open_state();
  si_program *program = MU_MADE(compile(L, doubling));
  sinew_pose *pose = sinew_pose_create(program->rig, &error);
  int top = lua_gettop(L);
  for (int i = 0; i < 100; i++) {
    sinew_pose_set(pose, (sinew_dof){ 1 }, (float)i, NULL);
    MU_INT(sinew_pose_eval(pose, &error), SINEW_OK);
    MU_NEAR(sinew_pose_world(pose, (sinew_segment){ 1 })[12], 2 * i, 0);
    lua_gc(L, LUA_GCCOLLECT, 0);
  }
  MU_INT(lua_gettop(L), top);
  sinew_pose_destroy(pose);
  si_program_release(program);
  lua_close(L);
}

MU_TEST(evaluation_fails_with_a_message_after_the_lua_state_is_closed) {
  size_t before = sinew_live_blocks();
  lua_State *L = open_state();
  si_program *program = MU_MADE(compile(L, doubling));
  sinew_pose *pose = sinew_pose_create(program->rig, &error);
  sinew_pose_set(pose, (sinew_dof){ 1 }, 3, NULL);
  MU_INT(sinew_pose_eval(pose, &error), SINEW_OK);
  lua_close(L);
  sinew_pose_set(pose, (sinew_dof){ 1 }, 4, NULL);
  MU_INT(sinew_pose_eval(pose, &error), SINEW_ERR_SCRIPT);
  MU_HAS(error.text, "component 'double1' (double): its Lua state was closed");
  MU_NEAR(sinew_pose_world(pose, (sinew_segment){ 1 })[12], 6, 0);
  sinew_pose_destroy(pose);
  si_program_release(program);
  MU_INT(sinew_live_blocks(), before);
}

MU_TEST(evaluation_fails_with_a_message_after_the_script_is_collected) {
  lua_State *L = open_state();
  si_program *program = MU_MADE(compile(L, doubling));
  lua_pushnil(L);
  lua_setglobal(L, "rig");
  lua_gc(L, LUA_GCCOLLECT, 0);
  lua_gc(L, LUA_GCCOLLECT, 0);
  sinew_pose *pose = sinew_pose_create(program->rig, &error);
  MU_FAILS(sinew_pose_eval(pose, &error), SINEW_ERR_SCRIPT, "its script was collected");
  sinew_pose_destroy(pose);
  si_program_release(program);
  lua_close(L);
}

static const char sliding[] = "local rig = require 'sinew'.rig 'sliding'\n"
                              "rig:segment 's':drive(rig:translation {\n"
                              "  rig:dof('x', { min = -90, max = 90 }) })\n"
                              "return rig\n";

/* whether the DOFs of the two characters of the global `crowd` have these values, and the matrices
 * agree */
static bool crowd_is(lua_State *L, double first, double second) {
  bool ran = luaL_dostring(L, "local d, w = crowd:dofs(), crowd:worlds()\n"
                              "return d[1], d[2], w[13], w[29]\n") == LUA_OK;
  bool same = ran && lua_tonumber(L, -4) == first && lua_tonumber(L, -3) == second &&
              lua_tonumber(L, -2) == first && lua_tonumber(L, -1) == second;
  lua_settop(L, 0);
  return same;
}

MU_TEST(a_crowd_follows_ranges_that_a_c_program_changes) {
  lua_State *L = open_state();
  si_program *program = MU_MADE(compile(L, sliding));
  const sinew_dof x = { 1 };
  MU_INT(luaL_dostring(L, "crowd = rig:crowd(2)\n"
                          "return crowd:pose({ 20, 120 }, require 'sinew'.buffer(32))\n"),
         LUA_OK);
  MU_CHECK(lua_isboolean(L, -1) && !lua_toboolean(L, -1));
  lua_settop(L, 0);
  MU_CHECK(crowd_is(L, 20, 90));
  /* a value that was clamped returns to where it was wanted, as in a pose */
  MU_INT(sinew_rig_set_dof_range(program->rig, x, -90, 100, 0, &error), SINEW_OK);
  MU_CHECK(crowd_is(L, 20, 100));
  MU_INT(sinew_rig_set_dof_range(program->rig, x, -10, 10, 0, &error), SINEW_OK);
  MU_CHECK(crowd_is(L, 10, 10));
  MU_INT(sinew_rig_set_dof_range(program->rig, x, -500, 500, 0, &error), SINEW_OK);
  MU_CHECK(crowd_is(L, 20, 120));
  MU_INT(luaL_dostring(L, "return crowd:set { -400, 400 }\n"), LUA_OK);
  MU_CHECK(lua_toboolean(L, -1));
  si_program_release(program);
  lua_close(L);
}

static const char steep[] =
    "local sinew = require 'sinew'\n"
    "local rig = sinew.rig 'steep'\n"
    "local Kind = sinew.component { name = 'kind', inputs = { 'x' }, outputs = { 'y' },\n"
    "  eval = function(self, x) assert(x < 50, 'too steep') return x end }\n"
    "rig:segment 's':drive(rig:translation {\n"
    "  rig:add(Kind { rig:dof('x', { min = -90, max = 90 }) }) })\n"
    "return rig\n";

MU_TEST(a_failed_crowd_is_evaluated_again_when_a_range_changes) {
  lua_State *L = open_state();
  si_program *program = MU_MADE(compile(L, steep));
  MU_CHECK(luaL_dostring(L, "crowd = rig:crowd(2)\n"
                            "crowd:set { 20, 120 }\n"
                            "crowd:worlds()\n") != LUA_OK);
  MU_HAS(lua_tostring(L, -1), "too steep");
  MU_INT(luaL_dostring(L, "local w = crowd:worlds() return w[13], w[29]\n"), LUA_OK);
  MU_NEAR(lua_tonumber(L, -2), 20, 0);
  MU_NEAR(lua_tonumber(L, -1), 0, 0);
  MU_INT(sinew_rig_set_dof_range(program->rig, (sinew_dof){ 1 }, 0, 40, 0, &error), SINEW_OK);
  lua_settop(L, 0);
  MU_CHECK(crowd_is(L, 20, 40));
  si_program_release(program);
  lua_close(L);
}

MU_SUITE(lua)
