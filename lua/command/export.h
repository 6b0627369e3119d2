/* The formats of `sinew export`: each is one entry of the table in export.c, chosen by the ending
 * of the file that is written. */
#ifndef SI_EXPORT_H
#define SI_EXPORT_H

#include "lua/command/command.h"

typedef struct export_format {
  const char *ending;            /* ".xml", lower case */
  const char *doc;               /* what is written, in one line */
  const command_option *options; /* end with an entry without a name */
  /* Writes the host's rig to `path` and returns an exit code. The arguments are those after RIG and
   * the file, for command_read. */
  int (*write)(sinew_host *host, const char *path, int argc, char **argv);
} export_format;

extern const export_format export_glb, export_gltf;

#endif
