/* sinew test: compares a rig with its golden poses. */
#include "lua/command/command.h"

#include <sinew/golden.h>

#include <limits.h>
#include <string.h>

typedef struct call {
  const char *rig, *poses;
  bool update;
} call;

static const command_option options[] = {
  { "RIG", OPTION_ARGUMENT, .offset = offsetof(call, rig) },
  { "--poses FILE", OPTION_TEXT, .offset = offsetof(call, poses),
    "the golden poses; default: RIG.test.lua beside RIG.lua" },
  { "--update", OPTION_FLAG, .offset = offsetof(call, update),
    "writes the places that the rig has now; without a file, a first one" },
  { .name = NULL },
};

static void print_line(const char *line, void *user) {
  (void)user;
  command_print("%s\n", line);
}

static bool compare(sinew_host *host, const char *path) {
  sinew_error error;
  sinew_golden_result result;
  if (sinew_golden_run(host, path, print_line, NULL, &result, &error) < 0) {
    command_failed(&error);
    if (error.status == SINEW_ERR_FILE)
      command_tell("sinew: `sinew test RIG --update` writes a first file of poses\n");
    return false;
  }
  command_print("%d passed, %d failed\n", result.passed, result.failed);
  return result.failed == 0;
}

static bool update(sinew_host *host, const char *path) {
  sinew_error error;
  int count = sinew_golden_write(host, path, &error);
  if (count < 0) return command_failed(&error);
  command_print("%s: %d poses written\n", path, count);
  return true;
}

static int run(int argc, char **argv) {
  call c = { 0 };
  char path[PATH_MAX];
  if (!command_read(&command_test, options, argc, argv, &c)) return EXIT_CALL;
  int length = (int)strlen(c.rig) - (command_ends_with(c.rig, ".lua") ? 4 : 0);
  snprintf(path, sizeof path, "%.*s.test.lua", length, c.rig);
  sinew_host *host = command_open(c.rig);
  if (!host) return EXIT_RIG;
  const char *poses = c.poses ? c.poses : path;
  bool fine = c.update ? update(host, poses) : compare(host, poses);
  sinew_host_destroy(host);
  return fine ? EXIT_FINE : EXIT_RIG;
}

const command command_test = {
  .name = "test",
  .doc = "compares poses of a rig with those in RIG.test.lua: DOFs in, places out",
  .options = options,
  .example = "sinew test leg.lua --update && sinew test leg.lua",
  .run = run,
};
