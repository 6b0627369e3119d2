/* Every suite of C tests: tests/test_<name>.c defines void suite_<name>(void). */
SUITE(frame)
SUITE(sandbox)
SUITE(sandbox_require)
SUITE(sandbox_same)
SUITE(sandbox_hostile)
SUITE(watch)
