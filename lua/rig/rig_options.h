/* Options of a rig script: what it declares by sinew.options, and what whoever runs it chose. Both
 * are in a table of the Lua state for as long as the script runs. */
#ifndef SI_RIG_OPTIONS_H
#define SI_RIG_OPTIONS_H

#include "lua/base/type.h"

/* Adds sinew.options to the module's table, which is on top of the stack. */
void si_open_options(lua_State *L);

/* Starts a script: pops a table of chosen values by name (`texts`: all of them are strings, as from
 * a command line) and pushes what was there before, for si_options_restore. */
void si_options_begin(lua_State *L, bool texts);
/* Ends it: pushes the list of what was declared, sorted by name for each declaration; each a table
 * of strings with name, value, initial, kind ("flag", "number" or "choice"), allowed
 * ("full|simple", "1 to 2", "true|false") and perhaps doc. Raises for a choice that nothing
 * declared. */
void si_options_finish(lua_State *L);
/* Pops what si_options_begin pushed, and puts it back. */
void si_options_restore(lua_State *L);

#endif
