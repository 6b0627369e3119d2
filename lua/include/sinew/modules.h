/* Where a program finds helper modules in Lua that replace those inside it. May be called from
 * several threads at a time, as long as none changes the environment. */
#ifndef SINEW_MODULES_H
#define SINEW_MODULES_H

#include <sinew/base.h>

/* The folder that holds `sinew/mirror.lua` and so on: $SINEW_LUA, or else `lua` in the nearest
 * folder above the running program that has it. Writes to `dest` and returns it; NULL if there is
 * none, and the helpers inside the program are used. */
SINEW_API const char *sinew_module_folder(char *dest, size_t capacity);

#endif
