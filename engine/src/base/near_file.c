/* The file that was meant; see near_file.h. */
#include "base/near_file.h"

#include "base/names.h"

#include <dirent.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

enum { most = 256, room = 256 }; /* files that are looked at, and the length of a path */

const char *si_near_file(const char *path, char *dest, size_t capacity) {
  char paths[most][room], folder[room];
  const char *slash = strrchr(path, '/');
  int length = slash ? (int)(slash - path) + 1 : 0;
  dest[0] = '\0';
  if (length >= room || access(path, F_OK) == 0) return dest;
  snprintf(folder, sizeof folder, "%.*s", length ? length : 1, length ? path : ".");
  DIR *files = opendir(folder);
  if (!files) return dest;
  si_nearest nearest;
  si_nearest_start(&nearest, path);
  int count = 0;
  for (struct dirent *file; count < most && (file = readdir(files));) {
    int written = snprintf(paths[count], room, "%.*s%s", length, path, file->d_name);
    if (written < room) si_nearest_offer(&nearest, paths[count++]);
  }
  closedir(files);
  return si_nearest_words(&nearest, dest, capacity);
}
