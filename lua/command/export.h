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

extern const export_format export_glb, export_gltf, export_vrm;

/* A clip to export: the name of its animation, and the times to sample, increasing. */
typedef struct export_clip {
  sinew_clip *clip;
  char name[256];
  float *times;
  size_t count;
} export_clip;
/* Opens a clip for a pose: `fps` samples a second or, with 0, `finer` for each of its frames and,
 * if that is more than one, one at each key and just before a key that a held value jumps to. Names
 * the channels that the rig has no DOF for; returns false, with a message printed, if there are no
 * others. */
bool export_clip_open(const char *path, sinew_pose *pose, float fps, int finer, export_clip *dest);
void export_clip_close(export_clip *clip);

/* How the character of a rig is written. */
typedef struct export_character {
  const char *file;             /* NULL: the file that was bound */
  const command_list *clips;    /* two lists */
  bool rotations, alone, posed; /* posed: without a clip, the pose is written as one */
  float fps, tolerance;         /* 0: not given */
} export_character;
/* Whether `path` is the file of the rig's character; prints a message then. */
bool export_over_character(const sinew_host *host, const char *path);
int export_write_character(sinew_host *host, const char *path, const export_character *options);

#endif
