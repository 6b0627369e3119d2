/* The file that was meant; see near_file.h. */
#include "base/near_file.h"

#include "base/names.h"
#include "base/platform.h"

#include <stdio.h>
#include <string.h>

enum { most = 256, room = 256 }; /* files that are looked at, and the length of a path */

typedef struct looking {
  const char *path; /* that was asked for */
  int length;       /* of its folder, with the slash */
  char paths[most][room];
  int count;
  si_nearest nearest;
} looking;

static void offer(const char *name, void *user) {
  looking *l = user;
  if (l->count == most) return;
  int written = snprintf(l->paths[l->count], room, "%.*s%s", l->length, l->path, name);
  if (written < room) si_nearest_offer(&l->nearest, l->paths[l->count++]);
}

const char *si_near_file(const char *path, char *dest, size_t capacity) {
  const char *slash = strrchr(path, '/');
  looking l = { .path = path, .length = slash ? (int)(slash - path) + 1 : 0 };
  char folder[room];
  dest[0] = '\0';
  if (l.length >= room || si_file_look(path).exists) return dest;
  snprintf(folder, sizeof folder, "%.*s", l.length ? l.length : 1, l.length ? path : ".");
  si_nearest_start(&l.nearest, path);
  si_folder_list(folder, offer, &l);
  return l.count ? si_nearest_words(&l.nearest, dest, capacity) : dest;
}
