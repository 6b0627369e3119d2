/* The rigs opened last, kept in the user's state folder from one run to the next. */
#ifndef VIEWER_RECENT_H
#define VIEWER_RECENT_H

#include <sinew/error.h>
#include <stdbool.h>
#include <stddef.h>

enum { most_recent = 12 };

typedef struct recent {
  char *paths[most_recent]; /* absolute, the last opened first */
  int count;
} recent;

/* Reads the list; an unreadable file counts as empty. */
void recent_read(recent *r);
/* Puts a path in front and writes the list; false if that fails. */
bool recent_add(recent *r, const char *path, sinew_error *error);
void recent_free(recent *r);

/* The folder for the viewer's own files, created if needed; false if there is none. */
bool user_folder(char *dest, size_t capacity);
/* Makes every folder of a path that is not there; false if it is no folder then. */
bool folders_make(char *path);

#endif
