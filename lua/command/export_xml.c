/* sinew export RIG rig.xml: the whole rig as a text that gives it back exactly. */
#include "export.h"

#include <stdio.h>
#include <string.h>

static int write_xml(sinew_host *host, const char *path, int option_count, char **options) {
  bool beside = false;
  for (int i = 0; i < option_count; i++) {
    if (strcmp(options[i], "--fields-beside") != 0)
      return export_misused("no option '%s' for XML", options[i]);
    beside = true;
  }
  sinew_error error;
  if (sinew_host_save_xml(host, path, beside, &error) >= 0) return EXIT_FINE;
  fprintf(stderr, "sinew: %s\n", error.text);
  return EXIT_RIG;
}

const export_format export_xml = {
  .ending = ".xml",
  .doc = "the whole rig, exactly; a rig in XML can be opened like a script",
  .options = "             --fields-beside  writes each field to a file beside it: rig.1.field\n",
  .write = write_xml,
};
