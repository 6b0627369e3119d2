/* A small test runner in the style of MinUnit. A test is a function; a failing check prints both
 * values and leaves the test. The counters are extern, so that a failing test in any file makes the
 * run fail. Every comparison of floats names its tolerance. */
#ifndef MINUNIT_H
#define MINUNIT_H

#include <math.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>

extern int mu_passed;
extern int mu_failed;
extern bool mu_current_failed;
/* Called after a test that failed, to clean up; may be NULL. */
extern void (*mu_after_failure)(void);

/* Runs one test, unless the name filter or SINEW_TEST_SHARE excludes it. SINEW_TEST_SHARE splits
 * the tests among several runs: "0/2" and "1/2" together are all of them. */
void mu_run(const char *name, void (*test)(void));
/* Runs a suite; its name is a filter for all its tests. */
void mu_suite(const char *name, void (*suite)(void));
/* Sets the file of the tests that follow; its folders are names for the filter. */
void mu_file(const char *path);
/* Runs only tests whose name contains `part`, and all tests of the suite or folder of that name;
 * NULL runs all. */
void mu_filter(const char *part);
/* How often a test with random cases repeats: `full` times, or a twentieth of that (at least once)
 * if SINEW_TEST_QUICK is set, as it is under valgrind. */
int mu_rounds(int full);
/* Reports a failed check; arguments as for printf. Returns false. */
bool mu_fail(const char *file, int line, const char *format, ...)
    __attribute__((format(printf, 3, 4)));
/* Prints that a test was skipped, and why. */
void mu_skip(const char *name, const char *why);
/* Prints `N passed, N failed`, and the nearest names if the filter matched nothing; returns the
 * exit code for main. */
int mu_report(void);

/* Whether SINEW_TEST_BRIEF is set, as it is under valgrind: slow tests are left out. */
bool mu_brief(void);

/* The tests of one file, in source order. */
typedef struct mu_test {
  const char *name;
  void (*run)(void);
  bool slow;
  struct mu_test *next;
} mu_test;
static mu_test *mu_first, **mu_last __attribute__((unused)) = &mu_first;

/* Defines a test and registers it for its file before main starts. A slow one takes long, and runs
 * code that shorter ones run as well. */
#define MU_TEST(name)      MU_TEST_OF(name, false)
#define MU_SLOW_TEST(name) MU_TEST_OF(name, true)
#define MU_TEST_OF(name, slow)                                                                     \
  static void name(void);                                                                          \
  __attribute__((constructor)) static void mu_add_##name(void) {                                   \
    static mu_test self = { #name, name, slow, NULL };                                             \
    *mu_last = &self;                                                                              \
    mu_last = &self.next;                                                                          \
  }                                                                                                \
  static void name(void)
#define MU_RUN(name) mu_run(#name, name)
/* Runs the tests of this file. */
#define MU_RUN_FILE()                                                                              \
  mu_file(__FILE__);                                                                               \
  for (const mu_test *test = mu_first; test; test = test->next)                                    \
    if (!test->slow || !mu_brief()) mu_run(test->name, test->run)
/* Ends a test file: void suite_<name>(void) runs its tests. */
#define MU_SUITE(name)                                                                             \
  void suite_##name(void) { MU_RUN_FILE(); }

#define MU_CHECK(cond) MU_CHECK_SAY(cond, "%s is false", #cond)

/* like MU_CHECK, with a printf text that names the case */
#define MU_CHECK_SAY(cond, ...)                                                                    \
  do {                                                                                             \
    if (!(cond)) {                                                                                 \
      mu_fail(__FILE__, __LINE__, __VA_ARGS__);                                                    \
      return;                                                                                      \
    }                                                                                              \
  } while (0)

/* A pointer that must not be NULL, as in `OWNED(rig) *rig = MU_MADE(make_rig(b, NULL));`;
 * MU_MADE_OR prints a text if it is. */
#define MU_MADE(pointer) MU_MADE_OR(pointer, "it is NULL")
#define MU_MADE_OR(pointer, text)                                                                  \
  ({                                                                                               \
    __auto_type mu_made = (pointer);                                                               \
    MU_CHECK_SAY(mu_made, "%s: %s", #pointer, text);                                               \
    mu_made;                                                                                       \
  })

/* A call that succeeds, one that fails with a status, and one that returns NULL or false. The
 * message is in `error`, and contains this text or, with `_AS`, equals it. */
#define MU_OK(call) MU_CHECK_SAY((call) == SINEW_OK, "%s: %s", #call, error.text)
#define MU_FAILS(call, status, part)                                                               \
  do {                                                                                             \
    MU_INT(call, status);                                                                          \
    MU_HAS(error.text, part);                                                                      \
  } while (0)
#define MU_REFUSED(call, part)                                                                     \
  do {                                                                                             \
    MU_CHECK(!(call));                                                                             \
    MU_HAS(error.text, part);                                                                      \
  } while (0)

#define MU_FAILS_AS(call, status, whole)                                                           \
  do {                                                                                             \
    MU_INT(call, status);                                                                          \
    MU_TEXT(error.text, whole);                                                                    \
  } while (0)
#define MU_REFUSED_AS(call, whole)                                                                 \
  do {                                                                                             \
    MU_CHECK(!(call));                                                                             \
    MU_TEXT(error.text, whole);                                                                    \
  } while (0)

#define MU_NEAR(actual, expected, tolerance)                                                       \
  do {                                                                                             \
    double mu_a = (double)(actual), mu_e = (double)(expected);                                     \
    MU_CHECK_SAY(fabs(mu_a - mu_e) <= (double)(tolerance), "%s is %.9g, expected %.9g within %g",  \
                 #actual, mu_a, mu_e, (double)(tolerance));                                        \
  } while (0)

#define MU_INT(actual, expected)                                                                   \
  do {                                                                                             \
    long long mu_a = (long long)(actual), mu_e = (long long)(expected);                            \
    MU_CHECK_SAY(mu_a == mu_e, "%s is %lld, expected %lld", #actual, mu_a, mu_e);                  \
  } while (0)

#define MU_TEXT(actual, expected)                                                                  \
  do {                                                                                             \
    const char *mu_a = (actual), *mu_e = (expected);                                               \
    MU_CHECK_SAY(mu_a != NULL && strcmp(mu_a, mu_e) == 0, "%s is\n    %s\n  expected\n    %s",     \
                 #actual, mu_a ? mu_a : "(null)", mu_e);                                           \
  } while (0)

#define MU_HAS(text, part)                                                                         \
  do {                                                                                             \
    const char *mu_a = (text), *mu_e = (part);                                                     \
    MU_CHECK_SAY(mu_a != NULL && strstr(mu_a, mu_e), "%s is\n    %s\n  which lacks\n    %s",       \
                 #text, mu_a ? mu_a : "(null)", mu_e);                                             \
  } while (0)

#endif
