/* Recording scripted components: `eval` becomes the text of a program (sinew/program.h), once for
 * each kind and shape of parameters (texts, and how long lists are). */
#ifndef SI_RECORD_LUA_H
#define SI_RECORD_LUA_H

#include "lua/math/record.h"
#include "lua/rig/script_lua.h"

/* Pushes the program's text, or nil and why there is none: eval with the plain parameters in the
 * table at `self`. */
bool si_record_push(lua_State *L, si_script *script, int self);
/* Gives an instance its program, or notes why it has none. */
void si_record_instance(lua_State *L, si_instance *instance);
/* Compares the program with so many calls of the function at `function`, with the parameters at
 * `self`; false, with what differs in `why`, if they give other results. */
bool si_record_check(lua_State *L, const si_script *script, int function, int self,
                     const sinew_program *program, int trials, char *why, size_t room);

#endif
