/* Files are read whole, in growing pieces (a pipe has no size to ask for), and written aside. */
#include "file.h"

#include <errno.h>
#include <stdatomic.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "alloc.h"

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

sinew_status si_file_write(const char *path, const void *bytes, size_t size, sinew_error *error) {
  static atomic_uint count;
  const size_t room = strlen(path) + 48;
  char *aside = si_alloc(room);
  if (!aside) return si_fail_memory(error);
  snprintf(aside, room, "%s.%ld-%u.new", path, (long)getpid(), atomic_fetch_add(&count, 1));
  errno = 0;
  FILE *file = fopen(aside, "wb");
  sinew_status status = SINEW_OK;
  if (!file) {
    status = fail(error, path, "write");
  } else {
    bool wrote = fwrite(bytes, 1, size, file) == size;
    if (fclose(file) != 0) wrote = false;
    if (!wrote || rename(aside, path) != 0) {
      status = fail(error, path, "write");
      remove(aside);
    }
  }
  si_free(aside);
  return status;
}
