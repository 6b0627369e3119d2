/* Runs every script of tests/lua/hostile in a small sandbox. The first line of each says
 * `-- expect: part of the message`, a second line may change its limits; a script that returns a
 * function means the function. Whatever they try, there is a message, and afterwards nothing is
 * left in memory. */
#include "hostile.h"
#include "minunit.h"

#define FOLDER "tests/lua/hostile"

static hostile_list scripts;
static const char *current;

MU_TEST(run_current) {
  char path[512], expected[256];
  snprintf(path, sizeof path, FOLDER "/%s", current);
  si_sandbox_desc desc = hostile_desc();
  MU_CHECK_SAY(hostile_head(path, expected, sizeof expected, &desc),
               "%s has no first line '-- expect: ...'", path);
  size_t before = sinew_live_bytes();
  sinew_error error;
  sinew_error_clear(&error);
  si_sandbox *sandbox = si_sandbox_create(&desc, &error);
  MU_CHECK(sandbox);
  sinew_status status = si_sandbox_load_file(sandbox, path, &error);
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
  MU_CHECK_SAY(status < 0, "%s ended well", path);
  MU_CHECK_SAY(strstr(error.text, expected), "%s says\n    %s\n  without\n    %s", path, error.text,
               expected);
  MU_CHECK_SAY(held <= desc.memory + (64 << 20), "%s held %zu bytes", path, held);
  MU_INT(top, 1);
  MU_INT(sinew_live_bytes() - before, 0);
}

MU_TEST(hostile_scripts_are_there) { MU_CHECK(scripts.count >= 60); }

void suite_sandbox_hostile(void) {
  hostile_find(&scripts, FOLDER);
  MU_RUN(hostile_scripts_are_there);
  /* one in twenty under valgrind */
  int step = scripts.count ? scripts.count / mu_rounds(scripts.count) : 1;
  for (int i = 0; i < scripts.count; i += step) {
    char name[hostile_name + 16];
    snprintf(name, sizeof name, "hostile_%.*s", hostile_name, scripts.names[i]);
    current = scripts.names[i];
    mu_run(name, run_current);
  }
}
