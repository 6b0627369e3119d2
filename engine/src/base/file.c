/* Files are read whole, in growing pieces (the size of a pipe is not known). They are written under
 * a temporary name and then renamed, so that a failure leaves the old file intact. */
#include "base/file_internal.h"

#include <errno.h>
#include <fcntl.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/alloc.h"

static sinew_status fail(sinew_error *error, const char *path, const char *what) {
  return si_fail(error, SINEW_ERR_FILE, "%s: cannot %s: %s", path, what,
                 errno ? strerror(errno) : "unknown reason");
}

static sinew_status read_all(FILE *file, const char *path, size_t limit, void **bytes, size_t *size,
                             sinew_error *error) {
  size_t capacity = 0;
  for (*size = 0;;) {
    if (*size > limit)
      return si_fail(error, SINEW_ERR_LIMIT, "%s: has more than %zu bytes", path, limit);
    if (!si_grow(bytes, &capacity, *size + 4096, 1)) return si_fail_memory(error);
    size_t got = fread((char *)*bytes + *size, 1, capacity - *size - 1, file);
    *size += got;
    if (got == 0) return ferror(file) ? fail(error, path, "read") : SINEW_OK;
  }
}

sinew_status si_file_read(const char *path, size_t limit, unsigned char **dest, size_t *size,
                          sinew_error *error) {
  errno = 0;
  FILE *file = fopen(path, "rb");
  if (!file) return fail(error, path, "open");
  void *bytes = NULL;
  sinew_status status = read_all(file, path, limit, &bytes, size, error);
  fclose(file);
  if (status == SINEW_OK) {
    ((char *)bytes)[*size] = '\0';
    *dest = bytes;
  } else {
    si_free(bytes);
  }
  return status;
}

/* A rename is durable once its folder is flushed too. Some systems cannot flush a folder: that is
 * ignored. */
static void sync_folder(char *path) {
  char *slash = strrchr(path, '/');
  if (slash) slash[slash == path] = '\0';
  int folder = open(slash ? path : ".", O_RDONLY);
  if (folder < 0) return;
  fsync(folder);
  close(folder);
}

static bool put_all(int file, const char *bytes, size_t size) {
  while (size > 0) {
    ssize_t put = write(file, bytes, size);
    if (put < 0 && errno == EINTR) continue;
    if (put <= 0) return false;
    bytes += put;
    size -= (size_t)put;
  }
  return true;
}

/* writes to a pipe or device, which cannot be replaced by renaming */
static bool write_through(const char *target, const void *bytes, size_t size) {
  int file = open(target, O_WRONLY);
  if (file < 0) return false;
  bool wrote = put_all(file, bytes, size);
  return close(file) == 0 && wrote;
}

/* writes `aside` and renames it to `target`; may cut the string `target` down to its folder */
static bool replace(char *target, const char *aside, const void *bytes, size_t size) {
  struct stat old;
  const bool there = stat(target, &old) == 0;
  if (there && !S_ISREG(old.st_mode)) return write_through(target, bytes, size);
  int file = open(aside, O_WRONLY | O_CREAT | O_EXCL, 0666);
  if (file < 0) return false;
  bool wrote = put_all(file, bytes, size) && fsync(file) == 0 &&
               (!there || fchmod(file, old.st_mode & 0777) == 0);
  int why = errno;
  if ((close(file) != 0 && wrote) || (wrote && rename(aside, target) != 0)) {
    wrote = false;
    why = errno;
  }
  if (wrote)
    sync_folder(target);
  else
    unlink(aside);
  errno = why;
  return wrote;
}

sinew_status sinew_file_write(const char *path, const void *bytes, size_t size,
                              sinew_error *error) {
  static atomic_uint count;
  if (!SI_EXPECT(path && (bytes || size == 0)))
    return si_fail(error, SINEW_ERR_CALL, "file: no path or nothing to write");
  char *linked = realpath(path, NULL);
  char *target = si_strdup(linked ? linked : path);
  const size_t room = target ? strlen(target) + 48 : 0;
  char *aside = target ? si_alloc(room) : NULL;
  free(linked);
  sinew_status status = SINEW_OK;
  if (aside) {
    snprintf(aside, room, "%s.%ld-%u.new", target, (long)getpid(), atomic_fetch_add(&count, 1));
    errno = 0;
    if (!replace(target, aside, bytes, size)) status = fail(error, path, "write");
  } else {
    status = si_fail_memory(error);
  }
  si_free(aside);
  si_free(target);
  return status;
}

void sinew_text_free(char *text) { si_free(text); }
