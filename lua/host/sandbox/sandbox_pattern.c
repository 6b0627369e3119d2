/* A matcher for Lua's patterns. It backtracks like Lua's own, with the same results, but charges
 * every step, so no pattern can exceed the script's budget. */
#include "lua/host/sandbox/sandbox_pattern.h"

#include "lua/host/sandbox/sandbox_core.h"

#include <ctype.h>
#include <string.h>

enum { deepest = 200, pay_every = 1024 };

typedef unsigned char byte;

void si_matcher_init(si_matcher *m, lua_State *L, const char *text, size_t text_length,
                     const char *pattern, size_t pattern_length) {
  m->L = L;
  m->text = text;
  m->text_end = text + text_length;
  m->pattern_end = pattern + pattern_length;
  m->unpaid = 0;
}

static void pay(si_matcher *m, int steps) {
  m->unpaid += steps;
  if (m->unpaid < pay_every) return;
  int due = m->unpaid;
  m->unpaid = 0;
  si_spend(m->L, (size_t)due);
}

/* where the single item that begins at `p` ends; a quantifier may follow */
static const char *item_end(si_matcher *m, const char *p) {
  char first = *p++;
  if (first == '%') {
    if (p == m->pattern_end) luaL_error(m->L, "malformed pattern (ends with '%%')");
    return p + 1;
  }
  if (first != '[') return p;
  if (p < m->pattern_end && *p == '^') p++;
  do { /* a ']' right at the start is an ordinary character */
    if (p == m->pattern_end) luaL_error(m->L, "malformed pattern (missing ']')");
    if (*p++ == '%' && p < m->pattern_end) p++;
  } while (p == m->pattern_end || *p != ']');
  return p + 1;
}

static bool in_class(int c, int class) {
  bool in;
  switch (tolower(class)) {
  case 'a': in = isalpha(c); break;
  case 'c': in = iscntrl(c); break;
  case 'd': in = isdigit(c); break;
  case 'g': in = isgraph(c); break;
  case 'l': in = islower(c); break;
  case 'p': in = ispunct(c); break;
  case 's': in = isspace(c); break;
  case 'u': in = isupper(c); break;
  case 'w': in = isalnum(c); break;
  case 'x': in = isxdigit(c); break;
  default: return class == c;
  }
  return isupper(class) ? !in : in;
}

/* `p` at the '[' and `last` at the ']' of a set */
static bool in_set(int c, const char *p, const char *last) {
  bool found = true;
  if (p[1] == '^') {
    found = false;
    p++;
  }
  while (++p < last) {
    if (*p == '%') {
      p++;
      if (in_class(c, (byte)*p)) return found;
    } else if (p[1] == '-' && p + 2 < last) {
      p += 2;
      if ((byte)p[-2] <= c && c <= (byte)*p) return found;
    } else if ((byte)*p == c) {
      return found;
    }
  }
  return !found;
}

static bool item_matches(si_matcher *m, const char *at, const char *p, const char *end) {
  if (at >= m->text_end) return false;
  int c = (byte)*at;
  switch (*p) {
  case '.': return true;
  case '%': return in_class(c, (byte)p[1]);
  case '[': pay(m, (int)((end - p) / 4)); return in_set(c, p, end - 1);
  default: return (byte)*p == c;
  }
}

/* %bxy, with `p` at x */
static const char *match_balance(si_matcher *m, const char *at, const char *p) {
  if (p + 1 >= m->pattern_end) luaL_error(m->L, "malformed pattern (missing arguments to '%%b')");
  if (at >= m->text_end || *at != *p) return NULL;
  char opens = p[0], closes = p[1];
  int nesting = 1;
  while (++at < m->text_end) {
    pay(m, 1);
    if (*at == closes) {
      if (--nesting == 0) return at + 1;
    } else if (*at == opens) {
      nesting++;
    }
  }
  return NULL;
}

static int capture_to_close(si_matcher *m) {
  for (int i = m->captures - 1; i >= 0; i--)
    if (m->capture[i].length == SI_CAPTURE_OPEN) return i;
  return luaL_error(m->L, "invalid pattern capture");
}

static const char *match(si_matcher *m, const char *at, const char *p);

static const char *begin_capture(si_matcher *m, const char *at, const char *p, ptrdiff_t mark) {
  if (m->captures >= SI_PATTERN_CAPTURES) luaL_error(m->L, "too many captures");
  m->capture[m->captures].start = at;
  m->capture[m->captures].length = mark;
  m->captures++;
  const char *end = match(m, at, p);
  if (!end) m->captures--;
  return end;
}

static const char *end_capture(si_matcher *m, const char *at, const char *p) {
  int index = capture_to_close(m);
  m->capture[index].length = at - m->capture[index].start;
  const char *end = match(m, at, p);
  if (!end) m->capture[index].length = SI_CAPTURE_OPEN;
  return end;
}

/* %1 to %9: repeats the text of a capture */
static const char *match_again(si_matcher *m, const char *at, int digit) {
  int index = digit - '1';
  if (index < 0 || index >= m->captures || m->capture[index].length == SI_CAPTURE_OPEN)
    luaL_error(m->L, "invalid capture index %%%d", index + 1);
  /* a position capture has no text; as in Lua, it never matches */
  ptrdiff_t length = m->capture[index].length;
  if (length < 0 || m->text_end - at < length) return NULL;
  pay(m, (int)(length / 16));
  return memcmp(m->capture[index].start, at, (size_t)length) == 0 ? at + length : NULL;
}

/* tries as many items as possible, then fewer */
static const char *match_greedy(si_matcher *m, const char *at, const char *p, const char *end) {
  ptrdiff_t count = 0;
  while (item_matches(m, at + count, p, end)) {
    pay(m, 1);
    count++;
  }
  for (; count >= 0; count--) {
    const char *rest = match(m, at + count, end + 1);
    if (rest) return rest;
  }
  return NULL;
}

static const char *match_lazy(si_matcher *m, const char *at, const char *p, const char *end) {
  for (;;) {
    const char *rest = match(m, at, end + 1);
    if (rest) return rest;
    if (!item_matches(m, at, p, end)) return NULL;
    at++;
  }
}

static bool at_frontier(si_matcher *m, const char *at, const char *p, const char *end) {
  int before = at == m->text ? '\0' : (byte)at[-1];
  int here = at == m->text_end ? '\0' : (byte)*at;
  pay(m, (int)((end - p) / 4));
  return !in_set(before, p, end - 1) && in_set(here, p, end - 1);
}

/* The result of matching the first item of a pattern: STEP_ON continues with the text and pattern
 * after it, STEP_DONE has the result. */
typedef enum step { STEP_ON, STEP_DONE } step;

static step match_escape(si_matcher *m, const char **at, const char **p, const char **answer) {
  const char *end;
  switch ((*p)[1]) {
  case 'b':
    *answer = match_balance(m, *at, *p + 2);
    if (!*answer) return STEP_DONE;
    *at = *answer;
    *p += 4;
    return STEP_ON;
  case 'f':
    *p += 2;
    if (*p == m->pattern_end || **p != '[') luaL_error(m->L, "missing '[' after '%%f' in pattern");
    end = item_end(m, *p);
    *answer = NULL;
    if (!at_frontier(m, *at, *p, end)) return STEP_DONE;
    *p = end;
    return STEP_ON;
  default:
    *answer = match_again(m, *at, (byte)(*p)[1]);
    if (!*answer) return STEP_DONE;
    *at = *answer;
    *p += 2;
    return STEP_ON;
  }
}

static step match_item(si_matcher *m, const char **at, const char **p, const char **answer) {
  const char *end = item_end(m, *p);
  char quantifier = end < m->pattern_end ? *end : '\0';
  bool optional = quantifier == '*' || quantifier == '-' || quantifier == '?';
  *answer = NULL;
  if (!item_matches(m, *at, *p, end)) {
    *p = end + 1;
    return optional ? STEP_ON : STEP_DONE;
  }
  switch (quantifier) {
  case '*': *answer = match_greedy(m, *at, *p, end); return STEP_DONE;
  case '+': *answer = match_greedy(m, *at + 1, *p, end); return STEP_DONE;
  case '-': *answer = match_lazy(m, *at, *p, end); return STEP_DONE;
  case '?':
    *answer = match(m, *at + 1, end + 1);
    if (*answer) return STEP_DONE;
    *p = end + 1;
    return STEP_ON;
  default:
    ++*at;
    *p = end;
    return STEP_ON;
  }
}

static bool is_special_escape(const si_matcher *m, const char *p) {
  if (p + 1 >= m->pattern_end) return false;
  return p[1] == 'b' || p[1] == 'f' || isdigit((byte)p[1]);
}

static const char *match(si_matcher *m, const char *at, const char *p) {
  if (m->depth++ >= deepest) luaL_error(m->L, "pattern too complex");
  const char *answer = NULL;
  step next = STEP_ON;
  while (next == STEP_ON) {
    pay(m, 1);
    if (p == m->pattern_end) {
      answer = at;
      break;
    }
    if (*p == '(') {
      bool position = p + 1 < m->pattern_end && p[1] == ')';
      answer = position ? begin_capture(m, at, p + 2, SI_CAPTURE_POSITION)
                        : begin_capture(m, at, p + 1, SI_CAPTURE_OPEN);
      break;
    }
    if (*p == ')') {
      answer = end_capture(m, at, p + 1);
      break;
    }
    if (*p == '$' && p + 1 == m->pattern_end) {
      answer = at == m->text_end ? at : NULL;
      break;
    }
    next = *p == '%' && is_special_escape(m, p) ? match_escape(m, &at, &p, &answer)
                                                : match_item(m, &at, &p, &answer);
  }
  m->depth--;
  return answer;
}

const char *si_matcher_try(si_matcher *m, const char *at, const char *pattern) {
  m->captures = 0;
  m->depth = 0;
  return match(m, at, pattern);
}

void si_matcher_push(si_matcher *m, int index, const char *start, const char *end) {
  if (index >= m->captures) {
    if (index != 0) luaL_error(m->L, "invalid capture index %%%d", index + 1);
    lua_pushlstring(m->L, start, (size_t)(end - start));
    return;
  }
  const si_capture *capture = &m->capture[index];
  if (capture->length == SI_CAPTURE_POSITION)
    lua_pushinteger(m->L, capture->start - m->text + 1);
  else if (capture->length == SI_CAPTURE_OPEN)
    luaL_error(m->L, "unfinished capture");
  else
    lua_pushlstring(m->L, capture->start, (size_t)capture->length);
}

int si_matcher_push_all(si_matcher *m, const char *start, const char *end) {
  int count = m->captures == 0 && start ? 1 : m->captures;
  luaL_checkstack(m->L, count, "too many captures");
  for (int i = 0; i < count; i++) si_matcher_push(m, i, start, end);
  return count;
}
