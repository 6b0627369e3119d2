/* Filling a sinew_error: si_fail replaces its content, si_add appends a line. */
#ifndef SI_ERROR_INTERNAL_H
#define SI_ERROR_INTERNAL_H

#include "sinew/error.h"

/* At the start of a function that reads its own errors: empties `error`, and gives it a place where
 * the caller has none. */
#define SI_OWN_ERROR(error)                                                                        \
  sinew_error own_error;                                                                           \
  if (!(error)) (error) = &own_error;                                                              \
  sinew_error_clear(error)

/* Replaces the content of `error`, which may be NULL. Returns `status`, so that a function can
 * `return si_fail(...)`. */
sinew_status si_fail(sinew_error *error, sinew_status status, const char *format, ...)
    SINEW_PRINTF(3, 4);

/* For functions that return a pointer or a bool. */
#define si_fail_null(...)      (si_fail(__VA_ARGS__), NULL)
#define si_fail_false(...)     (si_fail(__VA_ARGS__), false)
#define si_memory_null(error)  (si_fail_memory(error), NULL)
#define si_memory_false(error) (si_fail_memory(error), false)
/* Puts "name:line:column: " before the message; a column of 0 is left out. */
sinew_status si_fail_at(sinew_error *error, sinew_status status, const char *name,
                        unsigned long line, unsigned long column, const char *format, ...)
    SINEW_PRINTF(6, 7);

/* Appends a message. */
#define si_add sinew_error_add

/* Whether the text is full, so that further messages are only counted. */
static inline bool si_error_full(const sinew_error *error) { return error->shown < error->count; }

/* Out of memory, or a budget that has stopped (base/budget_internal.h). */
sinew_status si_fail_memory(sinew_error *error);

/* Copies a struct that starts with its size, as the caller's version of Sinew knows it, over
 * `dest`, which has `known` bytes and the defaults; `given` NULL leaves the defaults. Returns
 * false, with `error` filled, for a size of 0 (`remedy` says how to make such a struct) and for one
 * that is larger than `known`. */
bool si_sized_take(const void *given, size_t known, const char *type, const char *remedy,
                   void *dest, sinew_error *error);

/* The same for a desc. On success `given` points to `dest`. */
#define SI_TAKE_DESC(type, given, dest, error)                                                     \
  (si_sized_take((given), sizeof *(dest), "sinew_" #type, "not made by sinew_default_" #type "()", \
                 (dest), (error)) &&                                                               \
   ((given) = (dest), true))

#endif
