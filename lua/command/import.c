/* sinew import: an OpenSim model as a rig script. */
#include "lua/command/command.h"

#include <sinew/file.h>
#include <sinew/osim.h>
#include <stdio.h>
#include <string.h>

static bool save(const char *path, const char *text) {
  sinew_error error;
  if (sinew_file_write(path, text, strlen(text), &error) >= 0) return true;
  fprintf(stderr, "sinew: %s\n", error.text);
  return false;
}

static void tell_losses(const sinew_osim *osim) {
  const char *line = sinew_osim_losses(osim);
  if (*line) fprintf(stderr, "not carried over:\n");
  for (size_t length; *line; line += length + 1) {
    length = strcspn(line, "\n");
    fprintf(stderr, "  %.*s\n", (int)length, line);
  }
}

static int run(int argc, char **argv) {
  const char *path = NULL, *out = NULL, *markers = NULL;
  bool quiet = false;
  for (int i = 0; i < argc; i++) {
    bool takes = strcmp(argv[i], "-o") == 0 || strcmp(argv[i], "--markers") == 0;
    if (takes && i + 1 == argc)
      return command_misused(&command_import, "'%s' wants a file", argv[i]);
    if (strcmp(argv[i], "-o") == 0)
      out = argv[++i];
    else if (takes)
      markers = argv[++i];
    else if (strcmp(argv[i], "--quiet") == 0)
      quiet = true;
    else if (argv[i][0] == '-')
      return command_misused(&command_import, "no option '%s'", argv[i]);
    else if (path)
      return command_misused(&command_import, "one model only, not also '%s'", argv[i]);
    else
      path = argv[i];
  }
  if (!path) return command_misused(&command_import, "which model?");
  sinew_error error;
  sinew_osim *osim = sinew_osim_read(path, &error);
  if (!osim) {
    fprintf(stderr, "sinew: %s\n", error.text);
    return EXIT_RIG;
  }
  int code = EXIT_FINE;
  if (!out)
    fputs(sinew_osim_script(osim), stdout);
  else if (!save(out, sinew_osim_script(osim)))
    code = EXIT_CALL;
  if (markers && !save(markers, sinew_osim_markers(osim))) code = EXIT_CALL;
  if (!quiet) tell_losses(osim);
  sinew_osim_destroy(osim);
  return code;
}

const command command_import = {
  .name = "import",
  .usage = "MODEL.osim [-o RIG.lua] [--markers FILE.lua] [--quiet]",
  .doc = "writes an OpenSim model as a rig script, and tells what is not carried over",
  .help = "  -o RIG.lua         where to, instead of to standard output\n"
          "  --markers FILE     also writes the markers: which segment, and where on it\n"
          "  --quiet            does not list what is not carried over\n\n"
          "The other commands and the viewer take a .osim as it is.\n",
  .run = run,
};
