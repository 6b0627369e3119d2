/* Runs every case of tests/lua/hostile_rigs in the host: each is refused with a message, the
 * previous rig stays, and nothing leaks. */
#include "hostile.h"
#include "minunit.h"
#include "sinew/host.h"

#define FOLDER "tests/lua/hostile_rigs"
#define GOOD   FOLDER "/good/good.lua"

static hostile_list rigs;
static const hostile_case *current;

static void run_current(void) {
  sinew_host_desc desc = sinew_default_host_desc();
  desc.load_seconds = current->limits.load.seconds;
  desc.eval_seconds = current->limits.eval.seconds;
  desc.load_instructions = current->limits.load.instructions;
  desc.eval_instructions = current->limits.eval.instructions;
  desc.memory = current->limits.memory;

  size_t before = sinew_live_bytes();
  sinew_error error;
  sinew_error_clear(&error);
  sinew_host *host = MU_MADE(sinew_host_create(&desc, &error));
  sinew_status good = sinew_host_load(host, GOOD, &error);
  MU_TEXT(error.text, "");
  MU_CHECK(good >= 0);
  const sinew_rig *rig = sinew_host_rig(host);
  sinew_status status = sinew_host_load(host, current->path, &error);
  MU_CHECK_SAY(status < 0, "%s ended well", current->where);
  MU_CHECK_SAY(strstr(error.text, current->expected), "%s says\n    %s\n  without\n    %s",
               current->where, error.text, current->expected);
  MU_CHECK(sinew_host_rig(host) == rig);
  MU_CHECK(sinew_host_eval(host, sinew_host_pose(host), &error) >= 0);
  sinew_host_destroy(host);
  MU_INT(sinew_live_bytes() - before, 0);
}

MU_TEST(hostile_rigs_are_found) {
  MU_TEXT(rigs.wrong, "");
  MU_CHECK(rigs.count >= 64);
}

void suite_host_hostile(void) {
  hostile_open(&rigs, FOLDER, "hostile_rig_");
  MU_RUN_FILE();
  hostile_run(&rigs, run_current, &current);
  hostile_close();
}
