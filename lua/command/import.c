/* sinew import: an OpenSim model as a rig script. */
#include "lua/command/command.h"

#include <sinew/file.h>
#include <sinew/osim.h>
#include <string.h>

static bool save(const char *path, const char *text) {
  sinew_error error;
  return sinew_file_write(path, text, strlen(text), &error) >= 0 || command_failed(&error);
}

static void print_losses(const sinew_osim *osim) {
  const char *line = sinew_osim_losses(osim);
  if (*line) command_tell("not imported:\n");
  for (size_t length; *line; line += length + 1) {
    length = strcspn(line, "\n");
    command_tell("  %.*s\n", (int)length, line);
  }
}

typedef struct call {
  const char *model, *out, *markers;
  bool quiet;
} call;

static const command_option options[] = {
  { "MODEL.osim", OPTION_ARGUMENT, .offset = offsetof(call, model) },
  { "-o RIG.lua", OPTION_TEXT, .offset = offsetof(call, out),
    "the file to write; default: standard output" },
  { "--markers FILE.lua", OPTION_TEXT, .offset = offsetof(call, markers),
    "also writes the markers: each one's segment and its position on it" },
  { "--quiet", OPTION_FLAG, .offset = offsetof(call, quiet), "does not list what is not imported" },
  { .name = NULL },
};

static int run(int argc, char **argv) {
  call c = { 0 };
  sinew_error error;
  if (!command_read(&command_import, options, argc, argv, &c)) return EXIT_CALL;
  if (c.out && c.markers && strcmp(c.out, c.markers) == 0)
    return command_misused(&command_import, "'%s' would be written twice", c.out);
  sinew_osim *osim = sinew_osim_read(c.model, &error);
  if (!osim) {
    command_failed(&error);
    return EXIT_RIG;
  }
  int code = EXIT_FINE;
  if (!c.out)
    fputs(sinew_osim_script(osim), stdout);
  else if (!save(c.out, sinew_osim_script(osim)))
    code = EXIT_CALL;
  if (c.markers && !save(c.markers, sinew_osim_markers(osim))) code = EXIT_CALL;
  if (!c.quiet) print_losses(osim);
  sinew_osim_destroy(osim);
  return code;
}

const command command_import = {
  .name = "import",
  .doc = "converts an OpenSim model to a rig script, and lists what is not imported",
  .options = options,
  .help = "The other commands and the viewer can open a .osim file directly.\n",
  .example = "sinew import gait.osim -o gait.lua",
  .run = run,
};
