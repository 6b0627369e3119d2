/* Reads a text line by line and word by word; errors name file and line. A line ends with LF, CR LF
 * or CR. */
#ifndef SI_SCAN_H
#define SI_SCAN_H

#include "base/error_internal.h"

typedef struct si_scan {
  const char *name, *at, *end;
  const char *line_at; /* the start of the line */
  unsigned long line;  /* from 1 */
  sinew_error *error;
  bool comments;     /* '#' starts a comment */
  bool joined_lines; /* a backslash at the end of a line continues it */
} si_scan;

typedef struct si_word {
  const char *at;
  int length;
} si_word;

/* Skips a byte order mark. */
si_scan si_scan_start(const char *name, const void *text, size_t size, sinew_error *error);
/* Fails with "name:line: " before the message. */
#define si_scan_fail(scan, ...) si_scan_fail_as(scan, SINEW_ERR_FILE, __VA_ARGS__)
#define si_scan_fail_as(scan, status, ...)                                                         \
  si_fail_at((scan)->error, status, (scan)->name, (scan)->line, 0, __VA_ARGS__)

/* The next word of this line; false at its end. */
bool si_scan_word(si_scan *scan, si_word *dest);
/* The next word of this line or a later one; false at the end of the text. */
bool si_scan_any(si_scan *scan, si_word *dest);
/* The rest of this line, trimmed. */
si_word si_scan_rest(si_scan *scan);
/* Moves to the next line; false at the end of the text, and where the budget has stopped, which the
 * reader says at its end. */
bool si_scan_line(si_scan *scan);
/* Whether nothing but blanks is left on this line. */
bool si_scan_line_done(si_scan *scan);

/* Reads a number within +-SI_SCAN_MOST from this line; `what` names it in messages. */
#define SI_SCAN_MOST 1e9
sinew_status si_scan_number(si_scan *scan, const char *what, double *dest);
/* The same for a word that was read already. */
sinew_status si_scan_value(const si_scan *scan, si_word word, const char *what, double *dest);
/* A whole number from `low` to `high`. */
sinew_status si_scan_whole(si_scan *scan, const char *what, long low, long high, long *dest);

/* Ignores case. */
bool si_word_is(si_word word, const char *text);
/* A copy for si_free, or NULL when memory runs out. */
char *si_word_copy(si_word word);
/* A word in a message, for "%.*s": its first 60 bytes. */
#define SI_SHOWN(word) ((word).length < 60 ? (word).length : 60), (word).at

#endif
