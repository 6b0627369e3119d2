/* Statuses and the error text. A function that can fail because of a rig author's mistake, a file
 * or the machine takes a nullable `sinew_error *` and fills it with a message that is ready to
 * print. There is no global error: each thread passes its own. */
#ifndef SINEW_ERROR_H
#define SINEW_ERROR_H

#include "sinew/base.h"

#ifdef __cplusplus
extern "C" {
#endif

/* Zero is success, above zero is success with a remark, below zero is failure. */
typedef enum sinew_status {
  SINEW_OK = 0,
  SINEW_CLAMPED = 1, /* a value was clamped to its range */

  SINEW_ERR_MEMORY = -1,     /* an allocation failed */
  SINEW_ERR_NAME = -2,       /* an unknown, duplicate or malformed name */
  SINEW_ERR_TYPE = -3,       /* a wire or parameter of the wrong kind */
  SINEW_ERR_MISSING = -4,    /* a required input or parameter is not given */
  SINEW_ERR_CYCLE = -5,      /* components that depend on each other */
  SINEW_ERR_VALUE = -6,      /* a value outside what is allowed: zero axis, unordered angles ... */
  SINEW_ERR_NOT_FINITE = -7, /* a NaN or an infinity */
  SINEW_ERR_TREE = -8,       /* a parent that is unknown, later, or the segment itself */
  SINEW_ERR_LIMIT = -9,      /* more than the engine or the caller allows */
  SINEW_ERR_SCRIPT = -10,    /* a scripted or custom component failed */
  SINEW_ERR_FILE = -11,      /* a file could not be read, written or understood */
  SINEW_ERR_CALL = -12,      /* a mistake of the caller: after an assert handler that returned, or a
                                desc that was not made by its default function */
  SINEW_ERR_CANCELLED = -13  /* stopped by sinew_budget_cancel */
} sinew_status;

#define SINEW_ERROR_TEXT 4096

/* One or several mistakes, one per line, no newline after the last. `status` is that of the first.
 * `count` counts all mistakes, `shown` those that fit into `text` (a last line says how many did
 * not). A plain value: nothing to free. */
typedef struct sinew_error {
  sinew_status status;
  int count;
  int shown;
  int length; /* bytes of the shown lines */
  char text[SINEW_ERROR_TEXT];
} sinew_error;

/* Empties an error. It need not be initialised. NULL is allowed. */
SINEW_API void sinew_error_clear(sinew_error *error);

/* Adds a message in printf's format, for custom components and host programs. Returns `status`. A
 * NULL error is allowed. */
SINEW_API sinew_status sinew_error_add(sinew_error *error, sinew_status status, const char *format,
                                       ...) SINEW_PRINTF(3, 4);

/* A short name for a status, such as "cycle". Never NULL. */
SINEW_API const char *sinew_status_name(sinew_status status);

#ifdef __cplusplus
}
#endif
#endif
