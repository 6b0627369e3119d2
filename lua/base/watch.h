/* Watches a script's files by polling: times in nanoseconds, size, inode, and the content where
 * these cannot tell. Unlike watching an inode, this works with editors that replace the file,
 * delete and create it again, or write in pieces. A change is reported once the files have been the
 * same for two checks; a missing or empty file means that somebody is still writing. */
#ifndef SI_WATCH_H
#define SI_WATCH_H

#include "base/platform.h"
#include "sinew/error.h"

enum { SI_WATCH_COMPARED = 1 << 20 }; /* bytes; larger files are compared by their stamps alone */

/* Whether a file has not changed. */
bool si_file_same(const si_file_info *a, const si_file_info *b);

/* A file and the stamp it had when it was read. */
typedef struct si_watch_file {
  const char *path;
  si_file_info stamp;
  bool optional; /* if it is missing, that is a change, and nobody waits for it */
} si_watch_file;

typedef struct si_watch si_watch;

typedef enum si_watch_news {
  SI_WATCH_SAME,    /* nothing changed since they were read */
  SI_WATCH_WAITING, /* something is changing: not stable yet, missing, or empty */
  SI_WATCH_CHANGED  /* read them again */
} si_watch_news;

/* Checks every `interval` seconds at most; files that keep changing for `patience` seconds are
 * taken as they are. 0.05 and 1 are good values. NULL, with `error` filled, if memory runs out. */
si_watch *si_watch_create(double interval, double patience, sinew_error *error);
void si_watch_destroy(si_watch *watch);

/* Replaces the files; copies the paths. A file that already differs from its stamp counts as
 * changed, so that nothing saved during loading is missed. */
sinew_status si_watch_set(si_watch *watch, const si_watch_file *files, size_t count,
                          sinew_error *error);

/* The files, with their stamps when they were read. Borrowed until the next set. */
size_t si_watch_count(const si_watch *watch);
si_watch_file si_watch_at(const si_watch *watch, size_t index);

/* Checks at the time `now` (in seconds, of any monotonic clock). After CHANGED, the present state
 * of the files counts as read. */
si_watch_news si_watch_poll(si_watch *watch, double now);
/* The file that the last result is about; NULL after SAME. Borrowed until the next set. */
const char *si_watch_path(const si_watch *watch);
/* Whether that file is missing or empty. */
bool si_watch_is_absent(const si_watch *watch);

#endif
