/* Every suite of C tests: tests/test_<name>.c defines void suite_<name>(void). */
SUITE(frame)
SUITE(lua_type)
