/* Recording scripted components: `eval` becomes the text of a program (sinew/program.h), once for
 * each kind and shape of parameters (texts, how long lists are, and counts). */
#ifndef SI_RECORD_LUA_H
#define SI_RECORD_LUA_H

#include "lua/math/record.h"
#include "lua/rig/script_lua.h"

/* Pushes the program's text, or nil and why there is none: eval with the plain parameters in the
 * table at `self`. */
bool si_record_push(lua_State *L, si_script *script, int self);
/* Gives an instance its program, or notes why it has none. */
void si_record_instance(lua_State *L, si_instance *instance);
/* Writes where the function at `index` is defined, "knee.lua:12: ". */
void si_record_place(lua_State *L, int index, char *dest, size_t room);
/* Compares the program with so many calls of the function at `function`, with the parameters at
 * `self`; false, with what differs in `why`, if they give other results. */
bool si_record_check(lua_State *L, const si_script *script, int function, int self,
                     const sinew_program *program, int trials, char *why, size_t room);

#endif
