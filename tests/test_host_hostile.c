/* Runs every rig of tests/lua/hostile_rigs in the host: each is refused with a message, the rig
 * that was there before goes on, and nothing is left in memory. */
#include "hostile.h"
#include "minunit.h"
#include "sinew/host.h"

#define FOLDER "tests/lua/hostile_rigs"
#define GOOD   FOLDER "/good/good.lua"

static hostile_list rigs;
static const char *current;

MU_TEST(run_current) {
  char path[512], expected[256];
  si_sandbox_desc limits = hostile_desc();
  snprintf(path, sizeof path, FOLDER "/%s", current);
  MU_CHECK_SAY(hostile_head(path, expected, sizeof expected, &limits),
               "%s has no first line '-- expect: ...'", path);
  sinew_host_desc desc = sinew_default_host_desc();
  desc.load_seconds = limits.load.seconds;
  desc.eval_seconds = limits.eval.seconds;
  desc.load_instructions = limits.load.instructions;
  desc.eval_instructions = limits.eval.instructions;
  desc.memory = limits.memory;

  size_t before = sinew_live_bytes();
  sinew_error error;
  sinew_error_clear(&error);
  sinew_host *host = sinew_host_create(&desc, &error);
  MU_CHECK(host);
  sinew_status good = sinew_host_load(host, GOOD, &error);
  MU_TEXT(error.text, "");
  MU_CHECK(good >= 0);
  const sinew_rig *rig = sinew_host_rig(host);
  sinew_status status = sinew_host_load(host, path, &error);
  MU_CHECK_SAY(status < 0, "%s ended well", path);
  MU_CHECK_SAY(strstr(error.text, expected), "%s says\n    %s\n  without\n    %s", path, error.text,
               expected);
  MU_CHECK(sinew_host_rig(host) == rig);
  MU_CHECK(sinew_host_eval(host, sinew_host_pose(host), &error) >= 0);
  sinew_host_destroy(host);
  MU_INT(sinew_live_bytes() - before, 0);
}

MU_TEST(hostile_rigs_are_there) { MU_CHECK(rigs.count >= 30); }

void suite_host_hostile(void) {
  hostile_find(&rigs, FOLDER);
  MU_RUN(hostile_rigs_are_there);
  int step = rigs.count / mu_rounds(rigs.count);
  for (int i = 0; i < rigs.count; i += step) {
    char name[hostile_name + 16];
    snprintf(name, sizeof name, "hostile_rig_%.*s", hostile_name, rigs.names[i]);
    current = rigs.names[i];
    mu_run(name, run_current);
  }
}
