/* Runs every case of tests/lua/hostile in a small sandbox; if a script returns a function, it is
 * called too. Every case must fail with a message and leak nothing. */
#include "hostile.h"
#include "minunit.h"

static hostile_list scripts;
static const hostile_case *current;

static void run_current(void) {
  size_t before = sinew_live_bytes();
  sinew_error error;
  sinew_error_clear(&error);
  si_sandbox *sandbox = MU_MADE(si_sandbox_create(&current->limits, &error));
  sinew_status status = si_sandbox_load_file(sandbox, current->path, &error);
  if (status == SINEW_OK) {
    lua_State *L = si_sandbox_state(sandbox);
    si_sandbox_push_result(sandbox);
    if (lua_isfunction(L, -1))
      status = si_sandbox_call(sandbox, 0, 1, &error);
    else
      lua_pop(L, 1);
  }
  size_t held = si_sandbox_memory(sandbox);
  int top = lua_gettop(si_sandbox_state(sandbox));
  si_sandbox_destroy(sandbox);
  MU_CHECK_SAY(status < 0, "%s ended well", current->where);
  MU_CHECK_SAY(strstr(error.text, current->expected), "%s says\n    %s\n  without\n    %s",
               current->where, error.text, current->expected);
  MU_CHECK_SAY(held <= current->limits.memory + (64 << 20), "%s held %zu bytes", current->where,
               held);
  MU_INT(top, 1);
  MU_INT(sinew_live_bytes() - before, 0);
}

MU_TEST(hostile_scripts_are_found) {
  MU_TEXT(scripts.wrong, "");
  MU_CHECK(scripts.count >= 171);
}

void suite_sandbox_hostile(void) {
  hostile_open(&scripts, "tests/lua/hostile", "hostile_");
  MU_RUN_FILE();
  hostile_run(&scripts, run_current, &current);
  hostile_close();
}
