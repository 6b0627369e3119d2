/* The test that fails on purpose. */
#include "minunit.h"

MU_SLOW_TEST(this_one_fails) { MU_NEAR(0.25, 0.5, 0.125); }

MU_SUITE(second_file)
