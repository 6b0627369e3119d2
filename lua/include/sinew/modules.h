/* Where a program finds the helper modules in Lua. May be called from several threads at a time, as
 * long as none changes the environment. */
#ifndef SINEW_MODULES_H
#define SINEW_MODULES_H

#include <sinew/base.h>

/* The folder that holds `sinew/mirror.lua` and so on: $SINEW_LUA, or else `lua` in the nearest
 * folder above the running program that has it. Writes to `dest` and returns it; NULL if there is
 * none. */
SINEW_API const char *sinew_module_folder(char *dest, size_t capacity);

#endif
