/* A runner with one passing test here and one failing test in another file.
 * tests/e2e/test_runner.sh checks that the failure is counted across files and makes the run fail.
 */
#include "minunit.h"

void suite_second_file(void);

MU_TEST(this_one_passes) { MU_INT(1 + 1, 2); }

int main(int argc, char **argv) {
  mu_filter(argc > 1 ? argv[1] : NULL);
  MU_RUN(this_one_passes);
  mu_suite("second_file", suite_second_file);
  return mu_report();
}
