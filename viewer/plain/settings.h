/* What the window remembers from one run to the next: lines `name = value` of a file in the user's
 * folder of configurations. */
#ifndef VIEWER_SETTINGS_H
#define VIEWER_SETTINGS_H

#include <sinew/error.h>
#include <stdbool.h>

enum { most_settings = 64 };

typedef struct settings {
  struct {
    char name[48], value[80];
  } lines[most_settings];
  int count;
  bool changed; /* since the file was read or written */
} settings;

/* $SINEW_SETTINGS, or sinew/viewer below $XDG_CONFIG_HOME or ~/.config. False if there is no such
 * folder. */
bool settings_path(char *dest, int capacity);
/* A file that cannot be read counts as empty, and lines without a name are left out. */
void settings_read(settings *s, const char *path);
/* Writes the file anew, all of it or nothing, and makes its folder; false if that fails. */
bool settings_write(settings *s, const char *path, sinew_error *error);

const char *settings_text(const settings *s, const char *name, const char *otherwise);
float settings_number(const settings *s, const char *name, float otherwise);
/* Names are one word; a value that is too long is cut. */
void settings_set(settings *s, const char *name, const char *value);
void settings_set_number(settings *s, const char *name, float value);

#endif
