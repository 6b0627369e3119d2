/* The library functions that the sandbox replaces give the same results as Lua's own: the same
 * script of random calls runs in a plain state and in a sandbox. */
#include "lua/host/sandbox/sandbox.h"
#include "minunit.h"

#include <lauxlib.h>
#include <lualib.h>

#define SCRIPT "tests/lua/host/same_as_lua.lua"

static void find_first_difference(const char *expected, const char *actual) {
  for (int line = 1;; line++) {
    size_t a = strcspn(expected, "\n"), b = strcspn(actual, "\n");
    if (a != b || memcmp(expected, actual, a) != 0) {
      mu_fail(__FILE__, __LINE__, "line %d is\n    %.*s\n  expected\n    %.*s", line, (int)b,
              actual, (int)a, expected);
      return;
    }
    if (!expected[a] || !actual[b]) return;
    expected += a + 1;
    actual += b + 1;
  }
}

MU_SLOW_TEST(sandbox_libraries_give_the_results_of_lua) {
  lua_State *plain = MU_MADE(luaL_newstate());
  luaL_openlibs(plain);
  bool ran = luaL_dofile(plain, SCRIPT) == LUA_OK;
  if (!ran) printf("%s\n", lua_tostring(plain, -1));

  si_sandbox_desc desc = si_default_sandbox_desc();
  desc.load.seconds = 600;
  desc.text = 8 << 20;
  sinew_error error;
  sinew_error_clear(&error);
  si_sandbox *sandbox = si_sandbox_create(&desc, &error);
  sinew_status status = si_sandbox_load_file(sandbox, SCRIPT, &error);
  if (status < 0) printf("%s\n", error.text);
  if (ran && status == SINEW_OK) {
    si_sandbox_push_result(sandbox);
    find_first_difference(lua_tostring(plain, -1), lua_tostring(si_sandbox_state(sandbox), -1));
  }
  si_sandbox_destroy(sandbox);
  lua_close(plain);
  MU_CHECK(ran);
  MU_INT(status, SINEW_OK);
}

MU_SUITE(sandbox_same)
