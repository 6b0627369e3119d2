/* Lua's patterns, matched under the budget of a sandbox. */
#ifndef SI_SANDBOX_PATTERN_H
#define SI_SANDBOX_PATTERN_H

#include <lua.h>

#include <stddef.h>

#define SI_PATTERN_CAPTURES 32 /* as many as Lua has */

typedef struct si_capture {
  const char *start;
  ptrdiff_t length; /* or one of the values below */
} si_capture;

enum { SI_CAPTURE_OPEN = -1, SI_CAPTURE_POSITION = -2 };

typedef struct si_matcher {
  lua_State *L;
  const char *text, *text_end;
  const char *pattern_end;
  int depth;    /* depth of nested matches */
  int unpaid;   /* steps not yet charged */
  int captures; /* captures begun so far */
  si_capture capture[SI_PATTERN_CAPTURES];
} si_matcher;

void si_matcher_init(si_matcher *m, lua_State *L, const char *text, size_t text_length,
                     const char *pattern, size_t pattern_length);
/* The end of the match of `pattern` (without its `^`) that begins at `at`, or NULL. Raises on a
 * malformed pattern and when the budget is used up. */
const char *si_matcher_try(si_matcher *m, const char *at, const char *pattern);
/* Pushes capture `index` (from 0); if the pattern has none, 0 is the whole match. */
void si_matcher_push(si_matcher *m, int index, const char *start, const char *end);
/* Pushes all captures, or the whole match if there are none and `start` is given. Returns how
 * many. */
int si_matcher_push_all(si_matcher *m, const char *start, const char *end);

#endif
