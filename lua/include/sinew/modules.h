/* Where a program finds the helper modules in Lua. */
#ifndef SINEW_MODULES_H
#define SINEW_MODULES_H

#include <sinew/base.h>

/* The folder that holds `sinew/mirror.lua` and so on: $SINEW_LUA, or `lua` in the first folder
 * above the running program that has it. Writes into `dest`; NULL where there is none. */
SINEW_API const char *sinew_module_folder(char *dest, size_t capacity);

#endif
