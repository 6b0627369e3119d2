/* The error text: of limited size, one message per line. A message that does not fit is counted,
 * not cut. */
#include "base/budget_internal.h"
#include "base/error_internal.h"
#include "base/text.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

void sinew_error_clear(sinew_error *error) {
  if (!error) return;
  error->status = SINEW_OK;
  error->count = 0;
  error->shown = 0;
  error->length = 0;
  error->text[0] = '\0';
}

const char *sinew_status_name(sinew_status status) {
  switch (status) {
  case SINEW_OK: return "ok";
  case SINEW_CLAMPED: return "clamped";
  case SINEW_ERR_MEMORY: return "memory";
  case SINEW_ERR_NAME: return "name";
  case SINEW_ERR_TYPE: return "type";
  case SINEW_ERR_MISSING: return "missing";
  case SINEW_ERR_CYCLE: return "cycle";
  case SINEW_ERR_VALUE: return "value";
  case SINEW_ERR_NOT_FINITE: return "not finite";
  case SINEW_ERR_TREE: return "tree";
  case SINEW_ERR_LIMIT: return "limit";
  case SINEW_ERR_SCRIPT: return "script";
  case SINEW_ERR_FILE: return "file";
  case SINEW_ERR_CALL: return "call";
  case SINEW_ERR_CANCELLED: return "cancelled";
  }
  return "unknown";
}

static sinew_status add_line(sinew_error *error, sinew_status status, const char *format,
                             va_list args) {
  enum { tail = 48, room = SINEW_ERROR_TEXT - tail };
  if (!error) return status;
  if (error->count == 0) error->status = status;
  error->count++;

  char line[1024];
  int length = vsnprintf(line, sizeof line, format, args);
  if (length < 0) length = 0;
  if (length >= (int)sizeof line) length = (int)sizeof line - 1;
  length = (int)si_text_make_plain(line, (size_t)length); /* names may come from untrusted files */

  int at = error->length;
  bool fits = error->shown == error->count - 1 && at + 1 + length < room;
  if (fits) {
    if (at > 0) error->text[at++] = '\n';
    memcpy(error->text + at, line, (size_t)length);
    error->length = at + length;
    error->text[error->length] = '\0';
    error->shown++;
  } else {
    /* overwrites the previous remark */
    snprintf(error->text + at, tail, "\n(and %d more)", error->count - error->shown);
  }
  return status;
}

sinew_status si_fail(sinew_error *error, sinew_status status, const char *format, ...) {
  sinew_error_clear(error);
  va_list args;
  va_start(args, format);
  add_line(error, status, format, args);
  va_end(args);
  return status;
}

sinew_status si_fail_at(sinew_error *error, sinew_status status, const char *name,
                        unsigned long line, unsigned long column, const char *format, ...) {
  if (si_stopped()) return si_fail_memory(error); /* the text may seem to end too early */
  char text[1024];
  va_list args;
  va_start(args, format);
  vsnprintf(text, sizeof text, format, args);
  va_end(args);
  if (!column) return si_fail(error, status, "%s:%lu: %s", name, line, text);
  return si_fail(error, status, "%s:%lu:%lu: %s", name, line, column, text);
}

sinew_status sinew_error_add(sinew_error *error, sinew_status status, const char *format, ...) {
  va_list args;
  va_start(args, format);
  add_line(error, status, format, args);
  va_end(args);
  return status;
}

sinew_status si_fail_memory(sinew_error *error) { return si_fail_stopped(error); }

bool si_sized_take(const void *given, size_t known, const char *type, const char *remedy,
                   void *dest, sinew_error *error) {
  size_t size;
  if (!given) return true;
  memcpy(&size, given, sizeof size);
  if (size < sizeof size) return si_fail_false(error, SINEW_ERR_CALL, "%s: %s", type, remedy);
  if (size > known)
    return si_fail_false(error, SINEW_ERR_CALL,
                         "%s: has %zu bytes, and Sinew %s knows %zu of them: the program was built "
                         "with a newer version",
                         type, size, sinew_version(), known);
  memcpy(dest, given, size);
  memcpy(dest, &known, sizeof known);
  return true;
}
