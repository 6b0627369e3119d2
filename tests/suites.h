/* Every suite of C tests: tests/test_<name>.c defines void suite_<name>(void). */
SUITE(frame)
SUITE(euler_order)
SUITE(field_build)
SUITE(field_query)
SUITE(field_file)
SUITE(surface)
SUITE(field_surface)
