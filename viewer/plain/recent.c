/* One path per line in $XDG_STATE_HOME/sinew/recent, or below ~/.local/state. */
#include "plain/recent.h"

#include <limits.h>
#include <sinew/file.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

bool folders_make(char *path) {
  for (char *slash = strchr(path + 1, '/'); slash; slash = strchr(slash + 1, '/')) {
    *slash = '\0';
    mkdir(path, 0700);
    *slash = '/';
  }
  struct stat info;
  mkdir(path, 0700);
  return stat(path, &info) == 0 && S_ISDIR(info.st_mode);
}

bool user_folder(char *dest, size_t capacity) {
  const char *base = getenv("XDG_STATE_HOME"), *home = getenv("HOME");
  int length = -1;
  if (base && *base)
    length = snprintf(dest, capacity, "%s/sinew", base);
  else if (home && *home)
    length = snprintf(dest, capacity, "%s/.local/state/sinew", home);
  return length > 0 && (size_t)length < capacity && folders_make(dest);
}

static bool list_path(char *dest, size_t capacity) {
  size_t length = user_folder(dest, capacity - 8) ? strlen(dest) : 0;
  if (length) snprintf(dest + length, capacity - length, "/recent");
  return length != 0;
}

void recent_read(recent *r) {
  char path[PATH_MAX], line[PATH_MAX];
  r->count = 0;
  FILE *file = list_path(path, sizeof path) ? fopen(path, "r") : NULL;
  while (file && r->count < most_recent && fgets(line, sizeof line, file)) {
    line[strcspn(line, "\n")] = '\0';
    if (line[0] == '/' && (r->paths[r->count] = strdup(line))) r->count++;
  }
  if (file) fclose(file);
}

static bool write_list(const recent *r, sinew_error *error) {
  char path[PATH_MAX];
  size_t room = 1, used = 0;
  for (int i = 0; i < r->count; i++) room += strlen(r->paths[i]) + 1;
  char *text = malloc(room);
  if (!text || !list_path(path, sizeof path)) {
    free(text);
    snprintf(error->text, sizeof error->text, "there is no folder for it");
    return false;
  }
  for (int i = 0; i < r->count; i++)
    used += (size_t)snprintf(text + used, room - used, "%s\n", r->paths[i]);
  bool fine = sinew_file_write(path, text, used, error) >= 0;
  free(text);
  return fine;
}

bool recent_add(recent *r, const char *path, sinew_error *error) {
  char *full = realpath(path, NULL);
  if (!full) return true;
  int at = 0;
  while (at < r->count && strcmp(r->paths[at], full) != 0) at++;
  if (at < r->count)
    free(r->paths[at]);
  else if (r->count == most_recent)
    free(r->paths[at = most_recent - 1]);
  else
    at = r->count++;
  memmove(r->paths + 1, r->paths, (size_t)at * sizeof *r->paths);
  r->paths[0] = full;
  return write_list(r, error);
}

void recent_free(recent *r) {
  for (int i = 0; i < r->count; i++) free(r->paths[i]);
  r->count = 0;
}
