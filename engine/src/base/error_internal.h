/* Filling a sinew_error: the first mistake starts it, further ones are added line by line. */
#ifndef SI_ERROR_INTERNAL_H
#define SI_ERROR_INTERNAL_H

#include "sinew/error.h"

#if defined(__GNUC__)
#define SI_PRINTF(format_at, first_at) __attribute__((format(printf, format_at, first_at)))
#else
#define SI_PRINTF(format_at, first_at)
#endif

/* Empties `error` and puts this one mistake into it. Returns `status`, so that a function can
 * `return si_fail(...)`. `error` may be NULL. */
sinew_status si_fail(sinew_error *error, sinew_status status, const char *format, ...)
    SI_PRINTF(3, 4);

/* Adds a mistake to those already there. */
#define si_add sinew_error_add

/* Whether the text has no more room, so that looking for the right words is in vain. */
static inline bool si_error_full(const sinew_error *error) { return error->shown < error->count; }

/* Out of memory, always in the same words. */
sinew_status si_fail_memory(sinew_error *error);

#endif
