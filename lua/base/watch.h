/* Watching a script's files by looking at them now and then: modification time in nanoseconds, size
 * and inode. Looking finds what watching an inode loses: editors that rename over, that delete and
 * create anew, that write in pieces. A change is reported once the files have been the same for two
 * looks; a missing or an empty file means that somebody is still writing. */
#ifndef SI_WATCH_H
#define SI_WATCH_H

#include "sinew/error.h"

typedef struct si_file_stamp {
  bool exists;
  int64_t modified; /* nanoseconds */
  int64_t size;
  uint64_t inode, device;
} si_file_stamp;

/* The stamp of a path, symbolic links followed, or of an open file. */
si_file_stamp si_file_stamp_of(const char *path);
si_file_stamp si_file_stamp_of_open(int descriptor);
bool si_file_stamp_same(const si_file_stamp *a, const si_file_stamp *b);

/* A file and the stamp it had when it was read. */
typedef struct si_watch_file {
  const char *path;
  si_file_stamp stamp;
  bool optional; /* when it goes, that is a change, and nobody waits for it */
} si_watch_file;

typedef struct si_watch si_watch;

typedef enum si_watch_news {
  SI_WATCH_SAME,    /* as they were read */
  SI_WATCH_WAITING, /* something changes; not yet at rest, or missing, or empty */
  SI_WATCH_CHANGED  /* read them again */
} si_watch_news;

/* Looks every `interval` seconds at the most; what keeps changing for `patience` seconds is taken
 * as it is. 0.05 and 1 are good values. NULL, with `error` filled, when memory is out. */
si_watch *si_watch_create(double interval, double patience, sinew_error *error);
void si_watch_destroy(si_watch *watch);

/* Replaces the files; copies the paths. A file that differs from its stamp already is news at the
 * next looks, so nothing saved while a script was being loaded gets lost. */
sinew_status si_watch_set(si_watch *watch, const si_watch_file *files, size_t count,
                          sinew_error *error);

/* What `now` (seconds of any clock that does not run backwards) brings. After CHANGED the files as
 * they are now count as read. */
si_watch_news si_watch_poll(si_watch *watch, double now);
/* The file that the last poll's news is about; NULL after SAME. Borrowed until the next set. */
const char *si_watch_path(const si_watch *watch);
/* Whether that file is missing or empty. */
bool si_watch_is_absent(const si_watch *watch);

#endif
