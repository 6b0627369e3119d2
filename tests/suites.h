/* Every suite of C tests: tests/test_<name>.c defines void suite_<name>(void). */
SUITE(frame)
SUITE(error)
SUITE(names)
SUITE(curve)
SUITE(rotation)
SUITE(compensate)
SUITE(components)
SUITE(compile)
