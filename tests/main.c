/* Runs every suite, or with an argument only the suite or folder of that name and the
 * tests whose name contains it. */
#include "minunit.h"
#include "scarce.h"
#include "sinew/host.h"

#define SUITE(name) void suite_##name(void);
#include "suites.h"
#undef SUITE

int main(int argc, char **argv) {
  int served = sinew_host_serve(argc, argv); /* the tests of rigs in a process of their own */
  if (served >= 0) return served;
  mu_after_failure = plenty_of_memory; /* the test may have left memory scarce */
  mu_filter(argc > 1 ? argv[1] : NULL);
#define SUITE(name) mu_suite(#name, suite_##name);
#include "suites.h"
#undef SUITE
  return mu_report();
}
