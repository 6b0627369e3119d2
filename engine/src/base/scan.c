/* See scan.h. */
#include "base/budget_internal.h"
#include "base/scan.h"

#include <math.h>
#include <string.h>

#include "base/alloc.h"
#include "base/text.h"

si_scan si_scan_start(const char *name, const void *text, size_t size, sinew_error *error) {
  si_scan scan = {
    .name = name, .at = text, .end = (const char *)text + size, .line = 1, .error = error
  };
  if (size >= 3 && memcmp(text, "\xef\xbb\xbf", 3) == 0) scan.at += 3;
  scan.line_at = scan.at;
  return scan;
}

static bool is_blank(char c) {
  return c == ' ' || c == '\t' || c == '\v' || c == '\f' || c == '\0';
}
static bool ends_line(const si_scan *scan) {
  return scan->at == scan->end || *scan->at == '\n' || *scan->at == '\r' ||
         (scan->comments && *scan->at == '#');
}

/* the bytes of a backslash and the end of its line, or 0 */
static int join_at(const si_scan *scan) {
  const ptrdiff_t left = scan->end - scan->at;
  if (!scan->joined_lines || left < 2 || *scan->at != '\\') return 0;
  if (scan->at[1] == '\r' && left > 2 && scan->at[2] == '\n') return 3;
  return scan->at[1] == '\n' ? 2 : 0;
}

bool si_scan_line_done(si_scan *scan) {
  for (int join = 0; scan->at < scan->end; scan->at += join ? join : 1) {
    join = join_at(scan);
    if (join) scan->line++;
    if (!join && !is_blank(*scan->at)) break;
  }
  return ends_line(scan);
}

bool si_scan_word(si_scan *scan, si_word *dest) {
  if (si_scan_line_done(scan)) return false;
  const char *start = scan->at;
  while (!ends_line(scan) && !is_blank(*scan->at) && !join_at(scan) && scan->at - start < (1 << 20))
    scan->at++;
  *dest = (si_word){ start, (int)(scan->at - start) };
  return true;
}

bool si_scan_line(si_scan *scan) {
  while (scan->at < scan->end && *scan->at != '\n' && *scan->at != '\r') scan->at++;
  if (scan->at == scan->end || !si_work(4 + (size_t)(scan->at - scan->line_at) / 2)) return false;
  if (*scan->at == '\r' && scan->end - scan->at > 1 && scan->at[1] == '\n') scan->at++;
  scan->line_at = ++scan->at;
  scan->line++;
  return scan->at < scan->end;
}

bool si_scan_any(si_scan *scan, si_word *dest) {
  while (!si_scan_word(scan, dest))
    if (!si_scan_line(scan)) return false;
  return true;
}

si_word si_scan_rest(si_scan *scan) {
  si_scan_line_done(scan);
  const char *start = scan->at, *last = scan->at;
  for (; !ends_line(scan) && scan->at - start < (1 << 20); scan->at++)
    if (!is_blank(*scan->at)) last = scan->at + 1;
  return (si_word){ start, (int)(last - start) };
}

sinew_status si_scan_value(const si_scan *scan, si_word word, const char *what, double *dest) {
  const char *at = word.at, *end = word.at + word.length;
  if (!si_number_read(&at, end, dest) || at != end)
    return si_scan_fail(scan, "'%.*s' where %s is expected", SI_SHOWN(word), what);
  if (!(fabs(*dest) <= SI_SCAN_MOST))
    return si_scan_fail(scan, "%s is %.*s, which is not within +-%g", what, SI_SHOWN(word),
                        SI_SCAN_MOST);
  return SINEW_OK;
}

sinew_status si_scan_number(si_scan *scan, const char *what, double *dest) {
  si_word word;
  if (!si_scan_word(scan, &word))
    return si_scan_fail(scan, "the line ends where %s is expected", what);
  return si_scan_value(scan, word, what, dest);
}

sinew_status si_scan_whole(si_scan *scan, const char *what, long low, long high, long *dest) {
  double value;
  sinew_status status = si_scan_number(scan, what, &value);
  if (status != SINEW_OK) return status;
  int64_t whole;
  if (!si_whole(value, low, high, &whole))
    return si_scan_fail(scan, "%s is %g, must be a whole number from %ld to %ld", what, value, low,
                        high);
  *dest = (long)whole;
  return SINEW_OK;
}

static int lower(int c) { return c >= 'A' && c <= 'Z' ? c - 'A' + 'a' : c; }

bool si_word_is(si_word word, const char *text) {
  if (strlen(text) != (size_t)word.length) return false;
  for (int i = 0; i < word.length; i++)
    if (lower((unsigned char)word.at[i]) != lower((unsigned char)text[i])) return false;
  return true;
}

char *si_word_copy(si_word word) {
  char *copy = si_alloc((size_t)word.length + 1);
  if (copy) memcpy(copy, word.at, (size_t)word.length);
  return copy;
}
