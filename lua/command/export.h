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

/* The times to sample, increasing: at regular intervals and, unless a rate was given, at each key
 * and just before a key that a held value jumps to. Allocated by malloc. */
float *export_sample_times(const sinew_clip *clip, float fps, bool at_keys, size_t *count);

/* How the character of a rig is written. */
typedef struct export_character {
  const char *file, *clip; /* NULL: the file that was bound; no animation */
  bool rotations, alone;
  float fps, tolerance; /* 0: not given */
} export_character;
int export_write_character(sinew_host *host, const char *path, const export_character *options);

#endif
