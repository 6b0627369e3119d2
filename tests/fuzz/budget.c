/* fuzz-budget: fuzz-api with the module linked in, so that programs run in budgets, which stop work
 * anywhere. Takes the same arguments; Lua 5.4 only. */
#define FUZZ_BUDGETS
#include "api.c"
