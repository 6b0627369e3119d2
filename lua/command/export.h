/* The formats of `sinew export`: each is one entry of the table in export.c, chosen by the ending
 * of the file that is written. */
#ifndef SI_EXPORT_H
#define SI_EXPORT_H

#include "lua/command/command.h"

typedef struct export_format {
  const char *ending;  /* ".xml", lower case */
  const char *doc;     /* what is written, in one line */
  const char *options; /* one line each, as in a command's help; "" for none */
  /* Writes the host's rig to `path`. `options` are the arguments left over after RIG and the file;
   * one that is unknown is a wrong call (command_misused). An exit code. */
  int (*write)(sinew_host *host, const char *path, int option_count, char **options);
} export_format;

extern const export_format export_glb, export_gltf;

#endif
