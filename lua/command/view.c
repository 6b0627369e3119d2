/* sinew view: starts the viewer in the folder of this program, or else the one in PATH. */
#include "lua/command/command.h"

#include "base/platform.h"

#include <errno.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>

static int run(int argc, char **argv) {
  if (command_tuning)
    return command_misused(
        &command_view,
        "'--tuning' is not supported: the viewer reads the tuning file beside the rig");
  si_failed_write_is_error(false); /* the next program says so itself */
  char path[PATH_MAX + 16];
  char **line = calloc((size_t)(argc + 2 * command_option_count) + 5, sizeof *line);
  if (!line) return EXIT_RIG;
  int count = 1;
  for (int i = 0; i < argc; i++) line[count++] = argv[i];
  static char option[] = "--option", isolate[] = "--isolate", seconds[] = "--load-seconds";
  for (int i = 0; i < command_option_count; i++) {
    line[count++] = option;
    line[count++] = (char *)(uintptr_t)command_options[i];
  }
  if (command_isolate) line[count++] = isolate;
  if (command_load_seconds) {
    line[count++] = seconds;
    line[count] = (char *)(uintptr_t)command_load_seconds;
  }
  static char name[] = "sinew-viewer";
  char *slash = si_program_path(path, PATH_MAX) ? strrchr(path, '/') : NULL;
  if (slash) {
    snprintf(slash + 1, sizeof path - (size_t)(slash + 1 - path), "%s", name);
    line[0] = path;
    si_program_become(path, line);
  }
  line[0] = name;
  si_program_become(name, line);
  command_tell("sinew view: sinew-viewer cannot be started: %s\n", strerror(errno));
  free(line);
  return EXIT_CALL;
}

const command command_view = {
  .name = "view",
  .usage = "[RIG] [joint.dof=value ...] [options]",
  .doc = "opens a rig in the viewer",
  .help = "All arguments are passed to sinew-viewer; `sinew-viewer --help` lists its options.\n",
  .example = "sinew view rigs/human.lua right_knee.flexion=60",
  .run = run,
};
