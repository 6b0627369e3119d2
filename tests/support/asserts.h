/* Counts what a caller did wrong: the calls of the assert handler between begin and end. */
#ifndef TESTS_ASSERTS_H
#define TESTS_ASSERTS_H

#include "sinew/base.h"

#include <stddef.h>

static int asserted;

static void count_assertion(const char *expression, const char *file, int line) {
  (void)expression, (void)file, (void)line;
  asserted++;
}

static inline void asserts_begin(void) {
  asserted = 0;
  sinew_set_assert_handler(count_assertion);
}

static inline void asserts_end(void) { sinew_set_assert_handler(NULL); }

#endif
