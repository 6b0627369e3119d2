/* The runner's counters and printing; see minunit.h. */
#include "minunit.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>

int mu_passed;
int mu_failed;
bool mu_current_failed;
static const char *filter;

void mu_filter(const char *part) { filter = part; }

int mu_rounds(int full) {
  if (!getenv("SINEW_TEST_QUICK")) return full;
  return full >= 20 ? full / 20 : 1;
}

/* "1/2" in SINEW_TEST_SHARE: every second test, from the second on */
static bool in_share(void) {
  static int turn, share, shares;
  const char *said = getenv("SINEW_TEST_SHARE");
  if (!shares && (!said || sscanf(said, "%d/%d", &share, &shares) != 2 || shares < 1)) shares = 1;
  return turn++ % shares == share % shares;
}

void mu_run(const char *name, void (*test)(void)) {
  if ((filter && !strstr(name, filter)) || !in_share()) return;
  mu_current_failed = false;
  test();
  if (mu_current_failed) {
    mu_failed++;
    printf("FAILED %s\n", name);
  } else {
    mu_passed++;
  }
  fflush(stdout);
}

bool mu_fail(const char *file, int line, const char *format, ...) {
  mu_current_failed = true;
  printf("%s:%d: ", file, line);
  va_list args;
  va_start(args, format);
  vprintf(format, args);
  va_end(args);
  printf("\n");
  return false;
}

void mu_skip(const char *name, const char *why) { printf("SKIPPED %s: %s\n", name, why); }

int mu_report(void) {
  if (filter && mu_passed + mu_failed == 0) printf("no test's name contains '%s'\n", filter);
  printf("%d passed, %d failed\n", mu_passed, mu_failed);
  return mu_failed > 0 || mu_passed == 0;
}
