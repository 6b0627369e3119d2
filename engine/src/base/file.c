/* Files are read whole, in growing pieces (the size of a pipe is not known). They are written under
 * a temporary name and then renamed, so that a failure leaves the old file intact. A temporary file
 * whose writer was killed is removed by the next one that writes the same file. */
#include "base/file_internal.h"

#include <errno.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "base/alloc.h"
#include "base/platform.h"

static sinew_status fail(sinew_error *error, const char *path, const char *what) {
  return si_fail(error, SINEW_ERR_FILE, "%s: cannot %s: %s", path, what,
                 errno ? strerror(errno) : "unknown reason");
}

static sinew_status read_all(FILE *file, const char *path, size_t limit, void **bytes, size_t *size,
                             sinew_error *error) {
  size_t capacity = 0;
  const si_file_info info = si_file_look_at(file);
  const bool large = info.regular && (uint64_t)info.size > limit;
  for (*size = 0;;) {
    if (large || *size > limit)
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
  FILE *file = si_file_open(path);
  if (!file) return fail(error, path, "open");
  if (!si_file_await(file)) {
    const sinew_status status = fail(error, path, "read");
    fclose(file);
    return status;
  }
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

/* ".PROCESS-COUNT.new" fits behind so much of a file's name */
enum { most_name = 255 - 33 };

typedef struct stale {
  const char *name; /* of the file that is written, up to most_name of it */
  int length;
  const char *folder; /* with a final '/', or "" */
} stale;

/* Removes what a writer that was killed a minute ago or earlier left of the same file:
 * "name.PROCESS-COUNT.new". */
static void remove_stale(const char *name, void *user) {
  const stale *s = user;
  const size_t length = (size_t)s->length;
  long process = 0;
  if (strncmp(name, s->name, length) != 0) return;
  const char *at = name + length;
  while (*at) { /* once more for a temporary file of a temporary file */
    int end = 0;
    if (sscanf(at, ".%10ld-%*10[0-9].new%n", &process, &end) != 1 || end == 0) return;
    if (process <= 0 || si_process_runs(process)) return;
    at += end;
  }
  if (process == 0) return;
  const size_t room = strlen(s->folder) + strlen(name) + 1;
  char *path = si_alloc(room);
  if (!path) return;
  snprintf(path, room, "%s%s", s->folder, name);
  const si_file_info info = si_file_look(path);
  if (info.regular && info.modified / 1000000000 < (int64_t)time(NULL) - 60) si_file_remove(path);
  si_free(path);
}

/* how much of the target's name a temporary name starts with */
static int name_length(const char *target) {
  const char *slash = strrchr(target, '/');
  const size_t length = strlen(slash ? slash + 1 : target);
  return length < most_name ? (int)length : most_name;
}

static void clean_beside(const char *target) {
  char *folder = si_strdup(target);
  if (!folder) return;
  char *slash = strrchr(folder, '/');
  stale s = { .name = slash ? target + (slash + 1 - folder) : target, .folder = folder };
  s.length = name_length(target);
  *(slash ? slash + 1 : folder) = '\0';
  si_folder_list(slash ? folder : ".", remove_stale, &s);
  si_free(folder);
}

char *si_file_aside(const char *target) {
  clean_beside(target);
  static atomic_uint count;
  const char *slash = strrchr(target, '/');
  const size_t room = strlen(target) + 48;
  char *aside = si_alloc(room);
  if (!aside) return NULL;
  snprintf(aside, room, "%.*s%.*s.%ld-%u.new", slash ? (int)(slash + 1 - target) : 0, target,
           name_length(target), slash ? slash + 1 : target, si_process(),
           atomic_fetch_add(&count, 1));
  si_interrupt_hold(aside);
  return aside;
}

void si_file_aside_free(char *aside) {
  if (aside) si_interrupt_release(aside);
  si_free(aside);
}

sinew_status sinew_file_write(const char *path, const void *bytes, size_t size,
                              sinew_error *error) {
  if (!SI_EXPECT(path && (bytes || size == 0)))
    return si_fail(error, SINEW_ERR_CALL, "file: no path or nothing to write");
  errno = 0;
  char *linked = si_path_target(path);
  if (!linked && errno != ENOMEM) return fail(error, path, "write");
  char *target = linked ? si_strdup(linked) : NULL;
  char *aside = target ? si_file_aside(target) : NULL;
  free(linked);
  sinew_status status = SINEW_OK;
  if (aside) {
    errno = 0;
    if (!si_file_replace(target, aside, bytes, size)) status = fail(error, path, "write");
  } else {
    status = si_fail_memory(error);
  }
  si_file_aside_free(aside);
  si_free(target);
  return status;
}

int si_path_where(const char *folder, const char *path) {
  char *real_folder = si_path_real(folder), *real = si_path_real(path);
  int result = real_folder && real ? 1 : 0;
  size_t length = real_folder ? strlen(real_folder) : 0;
  bool root = length > 0 && real_folder[length - 1] == '/';
  if (result && !root && (strncmp(real, real_folder, length) != 0 || real[length] != '/'))
    result = -1;
  free(real_folder);
  free(real);
  return result;
}

void sinew_text_free(char *text) { si_free(text); }
