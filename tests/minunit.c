/* The runner's counters and printing; see minunit.h. */
#include "minunit.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>

int mu_passed;
int mu_failed;
bool mu_current_failed;
static const char *filter, *suite_now = "", *file_now = "";
void (*mu_after_failure)(void);

/* the names nearest to the filter, if it matches nothing: few differing letters first, then short
 * names */
enum { nearest_count = 3 };
static struct {
  const char *name;
  size_t off;
} nearest[nearest_count];

/* how many letters of `part` must change for it to occur in `name` */
static size_t letters_off(const char *part, const char *name) {
  enum { most = 128 };
  size_t above[most] = { 0 }, here[most], length = strlen(name), best;
  if (length >= most) length = most - 1;
  for (size_t i = 0; part[i]; i++) {
    here[0] = i + 1;
    for (size_t j = 0; j < length; j++) {
      here[j + 1] = above[j] + (part[i] != name[j]);
      if (above[j + 1] + 1 < here[j + 1]) here[j + 1] = above[j + 1] + 1;
      if (here[j] + 1 < here[j + 1]) here[j + 1] = here[j] + 1;
    }
    memcpy(above, here, (length + 1) * sizeof *above);
  }
  best = above[0];
  for (size_t j = 1; j <= length; j++)
    if (above[j] < best) best = above[j];
  return best;
}

static void offer_name(const char *name) {
  if (!filter) return;
  size_t off = 1000 * letters_off(filter, name) + strlen(name);
  for (int i = 0; i < nearest_count; i++) {
    if (nearest[i].name && strcmp(nearest[i].name, name) == 0) return;
    if (nearest[i].name && nearest[i].off <= off) continue;
    memmove(&nearest[i + 1], &nearest[i], (size_t)(nearest_count - 1 - i) * sizeof *nearest);
    nearest[i].name = name;
    nearest[i].off = off;
    return;
  }
}

void mu_suite(const char *name, void (*suite)(void)) {
  suite_now = name;
  file_now = "";
  offer_name(name);
  suite();
  suite_now = "";
}

void mu_file(const char *path) { file_now = path; }

/* whether the filter is a folder of the current file: "viewer" of "tests/viewer/test_graph.c" */
static bool in_folder(void) {
  const char *at = strstr(file_now, filter);
  size_t length = strlen(filter);
  return at && at > file_now && at[-1] == '/' && at[length] == '/';
}

void mu_filter(const char *part) { filter = part; }

int mu_rounds(int full) {
  if (!getenv("SINEW_TEST_QUICK")) return full;
  return full >= 20 ? full / 20 : 1;
}

bool mu_brief(void) { return getenv("SINEW_TEST_BRIEF") != NULL; }

/* "1/2" in SINEW_TEST_SHARE: every second test, starting with the second */
static bool in_share(void) {
  static int turn, share, shares;
  const char *said = getenv("SINEW_TEST_SHARE");
  if (!shares && (!said || sscanf(said, "%d/%d", &share, &shares) != 2 || shares < 1)) shares = 1;
  return turn++ % shares == share % shares;
}

void mu_run(const char *name, void (*test)(void)) {
  offer_name(name);
  if (filter && !strstr(name, filter) && strcmp(suite_now, filter) != 0 && !in_folder()) return;
  if (!in_share()) return;
  mu_current_failed = false;
  test();
  if (mu_current_failed) {
    mu_failed++;
    printf("FAILED %s\n", name);
    if (mu_after_failure) mu_after_failure();
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
  if (filter && mu_passed + mu_failed == 0) {
    printf("no suite is called '%s', and no test's name contains it; the nearest are", filter);
    for (int i = 0; i < nearest_count && nearest[i].name; i++)
      printf("%s %s", i ? "," : "", nearest[i].name);
    printf("\n");
  }
  printf("%d passed, %d failed\n", mu_passed, mu_failed);
  return mu_failed > 0 || mu_passed == 0;
}
