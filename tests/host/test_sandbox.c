/* What the sandbox gives to honest scripts and to its host: results, messages with file and line, a
 * budget for each call, and memory that is freed. */
#include "base/alloc.h"
#include "lua/host/sandbox/sandbox.h"
#include "asserts.h"
#include "fixture.h"
#include "minunit.h"
#include "scarce.h"

#include <lauxlib.h>
#include <stdlib.h>

static si_sandbox *sandbox_with(const si_sandbox_desc *desc, const char *text) {
  sinew_error_clear(&error);
  si_sandbox *sandbox = si_sandbox_create(desc, &error);
  if (sandbox) si_sandbox_load_text(sandbox, "rig.lua", text, strlen(text), &error);
  return sandbox;
}

static si_sandbox *sandbox_of(const char *text) {
  si_sandbox_desc desc = si_default_sandbox_desc();
  desc.load = (si_sandbox_budget){ 2000000, 600 };
  return sandbox_with(&desc, text);
}

/* loads a script that fails, and keeps the message */
static void fail(const char *text) { si_sandbox_destroy(sandbox_of(text)); }

MU_TEST(sandbox_runs_honest_scripts) {
  si_sandbox_desc desc = si_default_sandbox_desc();
  desc.memory = 8 << 20;
  desc.load.seconds = 600;
  sinew_error_clear(&error);
  si_sandbox *sandbox = MU_MADE(si_sandbox_create(&desc, &error));
  si_sandbox_load_file(sandbox, "tests/lua/host/works.lua", &error);
  MU_TEXT(error.text, "");
  lua_State *L = si_sandbox_state(sandbox);
  si_sandbox_push_result(sandbox);
  MU_CHECK(lua_istable(L, -1));
  lua_getfield(L, -1, "answer");
  MU_INT(lua_tointeger(L, -1), 42);
  MU_INT(si_sandbox_file_count(sandbox), 1);
  MU_TEXT(si_sandbox_file(sandbox, 0)->path, "tests/lua/host/works.lua");
  MU_CHECK(si_sandbox_file(sandbox, 0)->stamp.exists);
  si_sandbox_destroy(sandbox);
}

MU_TEST(sandbox_has_only_these_globals) {
  si_sandbox *sandbox = sandbox_of("local names = {}\n"
                                   "for name in pairs(_G) do names[#names + 1] = name end\n"
                                   "for _, library in ipairs {'string', 'debug', 'math'} do\n"
                                   "  for name in pairs(_G[library]) do\n"
                                   "    if library ~= 'math' or name:find 'rand' then\n"
                                   "      names[#names + 1] = library .. '.' .. name\n"
                                   "    end\n"
                                   "  end\n"
                                   "end\n"
                                   "table.sort(names)\n"
                                   "return table.concat(names, ' ')");
  si_sandbox_push_result(sandbox);
  MU_TEXT(lua_tostring(si_sandbox_state(sandbox), -1),
          "_G _VERSION assert collectgarbage coroutine debug debug.traceback error getmetatable "
          "ipairs load math math.random math.randomseed next pairs pcall print rawequal rawget "
          "rawlen rawset require select setmetatable string string.byte string.char string.find "
          "string.format string.gmatch string.gsub string.len string.lower string.match "
          "string.rep string.reverse string.sub string.upper table tonumber tostring type utf8 "
          "xpcall");
  si_sandbox_destroy(sandbox);
}

MU_TEST(sandbox_errors_carry_file_and_line) {
  fail("local a = {}\nlocal b = a.x.y\nreturn b");
  MU_TEXT(error.text, "rig.lua:2: attempt to index a nil value (field 'x')");
  MU_INT(error.status, SINEW_ERR_SCRIPT);
  fail("return 1 +\n\n\n)");
  MU_TEXT(error.text, "rig.lua:4: unexpected symbol near ')'");
  fail("error({})");
  MU_TEXT(error.text, "rig.lua:1: the script raised a table, not a string");
  fail("local x = 1");
  MU_TEXT(error.text, "rig.lua: the script returns nothing: it must end by returning its rig");
  fail("\n\nwhile true do end");
  MU_TEXT(error.text, "rig.lua:3: stopped: loading took more than 2000000 instructions");
  MU_INT(error.status, SINEW_ERR_LIMIT);
}

MU_TEST(sandbox_keeps_the_traceback_apart) {
  si_sandbox *sandbox = sandbox_of("local function inner() error 'low' end\n"
                                   "local function outer() inner() end\n"
                                   "outer()");
  MU_TEXT(error.text, "rig.lua:1: low");
  MU_HAS(si_sandbox_traceback(sandbox), "rig.lua:1: in upvalue 'inner'");
  MU_HAS(si_sandbox_traceback(sandbox), "rig.lua:2: in local 'outer'");
  si_sandbox_destroy(sandbox);
}

MU_TEST(sandbox_does_not_run_script_code_to_print_an_error) {
  fail("error(setmetatable({}, {__tostring = function() while true do end end, __name = 'x'}))");
  MU_TEXT(error.text, "rig.lua:1: the script raised a table, not a string");
  fail("error('\\27[31mred\\0 more\\127')");
  MU_TEXT(error.text, "rig.lua:1: ?[31mred? more?");
}

/* each reading of the clock advances it by a millisecond */
static uint64_t stepping_clock(void *user) { return *(uint64_t *)user += 1000000; }

MU_TEST(sandbox_stops_at_the_time_limit) {
  uint64_t now = 0;
  si_sandbox_desc desc = si_default_sandbox_desc();
  desc.load.seconds = 0.25;
  desc.clock = stepping_clock;
  desc.user = &now;
  si_sandbox *sandbox = sandbox_with(&desc, "while true do end");
  MU_TEXT(error.text, "rig.lua:1: stopped: loading took more than 0.25 seconds");
  MU_CHECK(now >= 250000000 && now < 260000000);
  si_sandbox_destroy(sandbox);
}

MU_TEST(sandbox_gives_each_evaluation_its_own_budget) {
  si_sandbox_desc desc = si_default_sandbox_desc();
  desc.eval = (si_sandbox_budget){ 200000, 600 };
  si_sandbox *sandbox = sandbox_with(&desc, "return function(n) for i = 1, n do end return n end");
  MU_TEXT(error.text, "");
  lua_State *L = si_sandbox_state(sandbox);
  for (int i = 0; i < 40; i++) {
    bool endless = i % 4 == 3;
    si_sandbox_push_result(sandbox);
    lua_pushinteger(L, endless ? 1 << 30 : 100000);
    sinew_status status = si_sandbox_call(sandbox, 1, 1, &error);
    MU_INT(status, endless ? SINEW_ERR_LIMIT : SINEW_OK);
    if (endless) MU_HAS(error.text, "one evaluation took more than 200000 instructions");
    if (!endless) lua_pop(L, 1);
    MU_INT(lua_gettop(L), 1);
  }
  si_sandbox_destroy(sandbox);
}

MU_TEST(sandbox_calls_in_a_bracket_share_one_budget) {
  si_sandbox_desc desc = si_default_sandbox_desc();
  desc.eval = (si_sandbox_budget){ 200000, 600 };
  si_sandbox *sandbox = sandbox_with(&desc, "return function() for i = 1, 50000 do end end");
  lua_State *L = si_sandbox_state(sandbox);
  for (int frame = 0; frame < 3; frame++) {
    int done = 0;
    si_sandbox_begin(sandbox);
    for (int i = 0; i < 20; i++) {
      si_sandbox_push_result(sandbox);
      /* as a component would: with its own protected call */
      if (lua_pcall(L, 0, 0, 0) == LUA_OK)
        done++;
      else
        si_sandbox_take_error(sandbox, LUA_ERRRUN, &error);
    }
    MU_CHECK(si_sandbox_killed(sandbox));
    si_sandbox_end(sandbox);
    MU_CHECK(done >= 2 && done <= 4);
    MU_INT(error.status, SINEW_ERR_LIMIT);
  }
  si_sandbox_begin(sandbox);
  MU_CHECK(!si_sandbox_killed(sandbox));
  si_sandbox_end(sandbox);
  si_sandbox_destroy(sandbox);
}

MU_SLOW_TEST(sandbox_collects_garbage_within_its_memory) {
  si_sandbox_desc desc = si_default_sandbox_desc();
  desc.memory = 2 << 20;
  desc.load.seconds = 600;
  si_sandbox *sandbox = sandbox_with(&desc, "local kept\n"
                                            "for i = 1, 200000 do kept = {i, {i}, 'x' .. i} end\n"
                                            "for i = 1, 300 do kept = ('x'):rep(200000) .. i end\n"
                                            "return #kept");
  MU_TEXT(error.text, "");
  MU_CHECK(si_sandbox_memory(sandbox) < 2 << 20);
  si_sandbox_destroy(sandbox);
}

static void *blocks[64];
static size_t block_count;

static int make_block(lua_State *L) {
  if (block_count < 64) blocks[block_count++] = si_alloc(1 << 20);
  lua_pushinteger(L, (lua_Integer)block_count);
  return 1;
}

static int open_engine(lua_State *L) {
  lua_pushcfunction(L, make_block);
  return 1;
}

MU_TEST(sandbox_counts_memory_of_engine_objects) {
  si_sandbox_module module = { "engine", open_engine };
  si_sandbox_desc desc = si_default_sandbox_desc();
  desc.memory = 8 << 20;
  desc.modules = &module;
  desc.module_count = 1;
  block_count = 0;
  si_sandbox *sandbox = sandbox_with(&desc, "local make = require 'engine'\n"
                                            "assert(require 'engine' == make)\n"
                                            "make()\n"
                                            "return make");
  MU_TEXT(error.text, "");
  size_t after_load = si_sandbox_memory(sandbox);
  MU_CHECK(after_load > 1 << 20);
  sinew_status status = SINEW_OK;
  int calls = 0;
  lua_State *L = si_sandbox_state(sandbox);
  luaL_loadstring(L, "local make = ... for i = 1, 3000 do if i == 1 then make() end end");
  for (; calls < 64 && status == SINEW_OK; calls++) {
    lua_pushvalue(L, -1);
    si_sandbox_push_result(sandbox);
    status = si_sandbox_call(sandbox, 1, 0, &error);
  }
  MU_FAILS(status, SINEW_ERR_LIMIT, "bytes of memory");
  MU_CHECK(calls > 3 && calls <= 8);
  while (block_count > 0) si_free(blocks[--block_count]);
  si_sandbox_destroy(sandbox);
}

static char printed[256];

static void keep_print(const char *text, size_t length, void *user) {
  (void)user;
  size_t used = strlen(printed);
  snprintf(printed + used, sizeof printed - used, "[%.*s]", (int)length, text);
}

MU_TEST(sandbox_print_goes_to_the_host) {
  si_sandbox_desc desc = si_default_sandbox_desc();
  desc.print = keep_print;
  printed[0] = '\0';
  si_sandbox_destroy(sandbox_with(
      &desc, "print('a', 1, nil, {}) print() print(setmetatable({}, {__tostring = function() "
             "return 'mine' end})) print '\\27[0m' return 1"));
  MU_TEXT(printed, "[a\t1\tnil\ttable][][mine][?[0m]");
}

static void keep_last_print(const char *text, size_t length, void *user) {
  ++*(int *)user;
  snprintf(printed, sizeof printed, "%.*s", (int)length, text);
}

MU_TEST(sandbox_print_ends_after_a_megabyte) {
  si_sandbox_desc desc = si_default_sandbox_desc();
  int count = 0;
  desc.print = keep_last_print;
  desc.user = &count;
  si_sandbox_destroy(
      sandbox_with(&desc, "local s = ('x'):rep(1023) for i = 1, 3000 do print(s) end return 1"));
  MU_INT(count, 1025);
  MU_TEXT(printed, "(the script printed 1 MB: what it prints from here on is left out)");
  MU_TEXT(error.text, "");
}

MU_TEST(sandbox_is_deterministic) {
  static const char text[] = "local t = {} for i = 1, 5 do t[i] = math.random(1000) end "
                             "return table.concat(t, ' ')";
  char first[64];
  for (int i = 0; i < 3; i++) {
    si_sandbox *sandbox = sandbox_of(text);
    si_sandbox_push_result(sandbox);
    const char *numbers = lua_tostring(si_sandbox_state(sandbox), -1);
    if (i == 0) snprintf(first, sizeof first, "%s", numbers);
    MU_TEXT(numbers, first);
    si_sandbox_destroy(sandbox);
  }
}

static int spend_all(lua_State *L) {
  si_sandbox_spend(L, SIZE_MAX);
  return 0;
}

MU_TEST(sandbox_is_found_from_its_lua_states) {
  si_sandbox *sandbox = sandbox_of("return coroutine.create(print)");
  lua_State *L = si_sandbox_state(sandbox), *plain = luaL_newstate();
  MU_CHECK(si_sandbox_of(L) == sandbox);
  si_sandbox_push_result(sandbox);
  MU_CHECK(si_sandbox_of(lua_tothread(L, -1)) == sandbox);
  MU_CHECK(!si_sandbox_of(plain));
  si_sandbox_spend(plain, SIZE_MAX);
  si_sandbox_begin(sandbox);
  si_sandbox_spend(L, 1000);
  MU_CHECK(!si_sandbox_killed(sandbox));
  lua_pushcfunction(L, spend_all);
  MU_INT(lua_pcall(L, 0, 0, 0), LUA_ERRRUN);
  MU_CHECK(si_sandbox_killed(sandbox));
  si_sandbox_end(sandbox);
  lua_close(plain);
  si_sandbox_destroy(sandbox);
  si_sandbox_destroy(NULL);
}

MU_TEST(sandbox_holds_one_script) {
  si_sandbox *sandbox = sandbox_of("return 1");
  asserts_begin();
  MU_INT(si_sandbox_load_text(sandbox, "again", "return 2", 8, &error), SINEW_ERR_CALL);
  MU_CHECK(!si_sandbox_file(sandbox, 5));
  asserts_end();
  MU_INT(asserted, 2);
  si_sandbox_destroy(sandbox);
}

static sinew_status load_and_call(sinew_error *into) {
  si_sandbox_desc desc = si_default_sandbox_desc();
  static const char *const folders[] = { "tests/lua" };
  desc.folders = folders;
  desc.folder_count = 1;
  si_sandbox *sandbox = si_sandbox_create(&desc, into);
  if (!sandbox) return into->status;
  static const char text[] = "local t = {} for i = 1, 2000 do t[i] = {i} end "
                             "local s = ('abc'):rep(1000):gsub('b', '%0%0') "
                             "return coroutine.wrap(function() return #s + #t end)";
  sinew_status status = si_sandbox_load_text(sandbox, "rig.lua", text, sizeof text - 1, into);
  if (status == SINEW_OK) {
    si_sandbox_push_result(sandbox);
    status = si_sandbox_call(sandbox, 0, 0, into);
  }
  si_sandbox_destroy(sandbox);
  return status;
}

MU_TEST(sandbox_survives_every_failing_allocation) {
  size_t blocks_before = sinew_live_blocks();
  sinew_status status = SINEW_ERR_MEMORY;
  long fails = 0;
  /* if every small block is a separate allocation, not all are tried */
  for (long n = 0; n < 1000000 && status != SINEW_OK; n += 1 + n / 100, fails++) {
    scarce_memory(n);
    sinew_error_clear(&error);
    status = load_and_call(&error);
    if (status != SINEW_OK && status != SINEW_ERR_MEMORY) break;
  }
  plenty_of_memory();
  MU_TEXT(error.text, "");
  MU_INT(status, SINEW_OK);
  MU_CHECK(fails > 20);
  MU_INT(sinew_live_blocks() - blocks_before, 0);
}

MU_TEST(sandbox_leaks_nothing_in_a_thousand_runs) {
  size_t before = sinew_live_bytes();
  for (int i = 0; i < 1000; i++) {
    si_sandbox *sandbox = sandbox_of(i % 2 ? "return {1, 2, {3}}" : "local t = {} error(t)");
    si_sandbox_destroy(sandbox);
  }
  MU_INT(sinew_live_bytes() - before, 0);
}

MU_SUITE(sandbox)
