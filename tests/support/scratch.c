/* See scratch.h. */
#define _XOPEN_SOURCE 700 /* nftw */
#include "scratch.h"

#include <ftw.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static char folder[512];

const char *scratch_open(void) {
  const char *base = getenv("TMPDIR");
  snprintf(folder, sizeof folder, "%s/sinew-test-XXXXXX", base ? base : P_tmpdir);
  return mkdtemp(folder);
}

const char *scratch_path(const char *name) {
  static char paths[8][1024];
  static int next;
  next = (next + 1) % 8;
  snprintf(paths[next], sizeof paths[next], "%s/%s", folder, name);
  return paths[next];
}

void scratch_write(const char *name, const char *text, size_t length) {
  FILE *file = fopen(scratch_path(name), "wb");
  if (!file) return;
  fwrite(text, 1, length, file);
  fclose(file);
}

void scratch_text(const char *name, const char *text) { scratch_write(name, text, strlen(text)); }

void scratch_folder(const char *name) { mkdir(scratch_path(name), 0777); }

static int drop(const char *path, const struct stat *about, int kind, struct FTW *where) {
  (void)about, (void)kind, (void)where;
  return remove(path);
}

void scratch_close(void) { nftw(folder, drop, 16, FTW_DEPTH | FTW_PHYS); }
