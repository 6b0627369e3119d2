/* The helper modules of lua/sinew, which are inside the binary. `require` finds them after the
 * files on package.path. The environment variable SINEW_LUA names a folder that is used instead. */
#ifndef SI_LUA_HELPERS_H
#define SI_LUA_HELPERS_H

#include "lua/base/compat.h"

#include <sinew/base.h>

typedef struct si_helper {
  const char *name; /* as in require: "sinew.mirror" */
  const char *text;
  size_t size;
} si_helper;

/* lua/helpers.sh writes them; a build with SINEW_NO_HELPERS has none */
extern const si_helper si_helpers[];
extern const size_t si_helper_count;

/* NULL if there is none of that name. */
const si_helper *si_helper_find(const char *name);

/* Pushes the name of a helper's chunk, as in "@sinew/mirror.lua". */
const char *si_helper_push_chunk(lua_State *L, const si_helper *helper);

/* Lua: runs the helper named at 1 and returns its value. */
int si_helper_run(lua_State *L);

/* Lets `require` of this state find the helpers. Does nothing without the library `package`. */
void si_helpers_open(lua_State *L);

#endif
