/* Statuses and the error text. A function that can fail because of a rig author's mistake, a file
 * or the machine takes a nullable `sinew_error *` and fills it with words ready to print. */
#ifndef SINEW_ERROR_H
#define SINEW_ERROR_H

#include "sinew/base.h"

#ifdef __cplusplus
extern "C" {
#endif

/* Zero is fine, above zero is fine with a remark, below zero has failed. */
typedef enum sinew_status {
  SINEW_OK = 0,
  SINEW_CLAMPED = 1, /* a value was held inside its range */

  SINEW_ERR_MEMORY = -1,     /* an allocation failed */
  SINEW_ERR_NAME = -2,       /* an unknown, doubled or malformed name */
  SINEW_ERR_TYPE = -3,       /* a wire or parameter of the wrong kind */
  SINEW_ERR_MISSING = -4,    /* a required input or parameter is not given */
  SINEW_ERR_CYCLE = -5,      /* components that wait for each other */
  SINEW_ERR_VALUE = -6,      /* a value outside what is allowed: zero axis, unordered angles ... */
  SINEW_ERR_NOT_FINITE = -7, /* a NaN or an infinity */
  SINEW_ERR_TREE = -8,       /* a parent that is unknown, later, or the segment itself */
  SINEW_ERR_LIMIT = -9,      /* more than the engine or the caller allows */
  SINEW_ERR_SCRIPT = -10,    /* a scripted or custom component failed */
  SINEW_ERR_FILE = -11,      /* a file could not be read, written or understood */
  SINEW_ERR_CALL = -12       /* a caller's bug, after an assert handler that returned */
} sinew_status;

#define SINEW_ERROR_TEXT 4096

/* Holds one or several mistakes, one a line, no line end after the last. `status` is that of the
 * first; `count` counts all, `shown` those that fitted into `text` (a last line says how many did
 * not). A plain value: nothing to free. */
typedef struct sinew_error {
  sinew_status status;
  int count;
  int shown;
  int length; /* bytes of the shown lines */
  char text[SINEW_ERROR_TEXT];
} sinew_error;

/* Empties an error, also one that was never initialised. NULL is allowed. */
SINEW_API void sinew_error_clear(sinew_error *error);

/* Adds a mistake in printf's words, for a component or a host of one's own; returns `status`. NULL
 * is allowed. */
SINEW_API sinew_status sinew_error_add(sinew_error *error, sinew_status status, const char *format,
                                       ...) __attribute__((format(printf, 3, 4)));

/* A short name for a status, such as "cycle". Never NULL. */
SINEW_API const char *sinew_status_name(sinew_status status);

#ifdef __cplusplus
}
#endif
#endif
