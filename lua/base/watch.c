/* Checks files for changes; see watch.h. */
#include "lua/base/watch.h"

#include "base/alloc.h"
#include "base/error_internal.h"
#include "base/file_internal.h"
#include "base/names.h"

#include <string.h>

typedef struct watched {
  char *path;
  bool optional;
  si_file_info read; /* stamp when it was read */
  si_file_info seen; /* stamp at the last check */
  double compared;   /* time at which the content was compared last; 0: not yet */
  bool settled;      /* its times tell of every change from here on */
} watched;

struct si_watch {
  double interval, patience;
  watched *files;
  size_t count;
  double looked;  /* time of the last check */
  double started; /* time at which the pending change was first seen */
  bool has_looked, counting;
  si_watch_news news;
  const watched *about;
};

/* what is not known of one of them differs from nothing */
static bool agree(uint64_t a, uint64_t b) { return a == b || !a || !b; }

bool si_file_same(const si_file_info *a, const si_file_info *b) {
  return a->exists == b->exists && a->modified == b->modified && a->size == b->size &&
         a->inode == b->inode && a->device == b->device &&
         agree((uint64_t)a->changed, (uint64_t)b->changed) && agree(a->content, b->content);
}

si_watch *si_watch_create(double interval, double patience, sinew_error *error) {
  si_watch *watch = si_alloc(sizeof *watch);
  if (!watch) {
    si_fail_memory(error);
    return NULL;
  }
  watch->interval = interval;
  watch->patience = patience;
  return watch;
}

static void drop_files(watched *files, size_t count) {
  for (size_t i = 0; files && i < count; i++) si_free(files[i].path);
  si_free(files);
}

void si_watch_destroy(si_watch *watch) {
  if (!watch) return;
  drop_files(watch->files, watch->count);
  si_free(watch);
}

sinew_status si_watch_set(si_watch *watch, const si_watch_file *files, size_t count,
                          sinew_error *error) {
  watched *copies = si_alloc_array(count, sizeof *copies);
  bool whole = copies != NULL;
  for (size_t i = 0; whole && i < count; i++) {
    copies[i].path = si_strdup(files[i].path);
    copies[i].optional = files[i].optional;
    copies[i].read = copies[i].seen = files[i].stamp;
    whole = copies[i].path != NULL;
  }
  if (!whole) {
    drop_files(copies, count);
    return si_fail_memory(error);
  }
  drop_files(watch->files, watch->count);
  watch->files = copies;
  watch->count = count;
  watch->news = SI_WATCH_SAME;
  watch->about = NULL;
  watch->counting = false;
  return SINEW_OK;
}

size_t si_watch_count(const si_watch *watch) { return watch->count; }

si_watch_file si_watch_at(const si_watch *watch, size_t index) {
  const watched *file = &watch->files[index];
  return (si_watch_file){ file->path, file->read, file->optional };
}

/* do not wait for a file that was missing when it was read, or that is optional */
static bool is_absent(const watched *file) {
  if (!file->seen.exists) return file->read.exists && !file->optional;
  return file->seen.regular && file->seen.size == 0 && !si_file_same(&file->seen, &file->read);
}

static uint64_t content_of(const char *path) {
  unsigned char *bytes;
  size_t size;
  if (si_file_read(path, SI_WATCH_COMPARED, &bytes, &size, NULL) < 0) return 0;
  uint64_t content = si_hash(SI_HASH_START, bytes, size);
  si_free(bytes);
  return content;
}

/* Whether the times of a file are unknown or whole seconds, so that a change may not show. */
static bool is_coarse(const si_file_info *stamp) { return stamp->changed % 1000000000 == 0; }

/* Fills the content of a stamp. An edit in the same tick of the file system's clock as the reading
 * leaves size and times as they were: the content is compared once, a second later, and each second
 * where times are coarse. */
static void compare(watched *file, si_file_info *stamp, double now) {
  stamp->content = 0;
  if (!si_file_same(stamp, &file->seen)) {
    file->compared = 0;
    file->settled = false;
    return;
  }
  const bool coarse = is_coarse(&file->read);
  stamp->content = file->seen.content;
  if (file->settled || !(coarse || file->read.content) || stamp->size > SI_WATCH_COMPARED) return;
  if (!file->compared) file->compared = now;
  if (now - file->compared < 1) return;
  file->compared = now;
  file->settled = !coarse;
  stamp->content = stamp->regular ? content_of(file->path) : 0;
  if (!file->read.content) file->read.content = stamp->content;
}

static si_watch_news look(si_watch *watch, double now) {
  const watched *changed = NULL, *absent = NULL;
  bool moving = false;
  for (size_t i = 0; i < watch->count; i++) {
    watched *file = &watch->files[i];
    si_file_info stamp = si_file_look(file->path);
    compare(file, &stamp, now);
    if (!si_file_same(&stamp, &file->seen)) moving = true;
    file->seen = stamp;
    if (si_file_same(&stamp, &file->read)) continue;
    if (is_absent(file)) {
      if (!absent) absent = file;
    } else if (!changed) {
      changed = file;
    }
  }
  watch->about = absent ? absent : changed;
  if (!watch->about) return SI_WATCH_SAME;
  /* after `patience`, a missing file no longer delays the others */
  if (changed && !watch->counting) watch->started = now;
  watch->counting = changed != NULL;
  bool patient = now - watch->started < watch->patience;
  if (!changed || (patient && (moving || absent))) return SI_WATCH_WAITING;
  watch->about = changed;
  watch->counting = false;
  for (size_t i = 0; i < watch->count; i++) watch->files[i].read = watch->files[i].seen;
  return SI_WATCH_CHANGED;
}

si_watch_news si_watch_poll(si_watch *watch, double now) {
  bool due = !watch->has_looked || now - watch->looked >= watch->interval;
  if (!due) {
    if (watch->news == SI_WATCH_CHANGED) {
      watch->news = SI_WATCH_SAME;
      watch->about = NULL;
    }
    return watch->news;
  }
  watch->has_looked = true;
  watch->looked = now;
  return watch->news = look(watch, now);
}

const char *si_watch_path(const si_watch *watch) {
  return watch->about ? watch->about->path : NULL;
}

bool si_watch_is_absent(const si_watch *watch) { return watch->about && is_absent(watch->about); }
