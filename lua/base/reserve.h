/* Permission for large allocations outside of Lua. A host of untrusted scripts sets a
 * guard in the state; elsewhere asking is free. */
#ifndef SI_RESERVE_H
#define SI_RESERVE_H

#include "lua/base/compat.h"

typedef struct si_lua_guard {
  /* Raises where the script may not have so many bytes more, or the work of filling them. */
  void (*reserve)(lua_State *L, size_t bytes);
  /* Raises where so much work, about as many instructions, is beyond the script's budget. */
  void (*spend)(lua_State *L, size_t units);
  /* Reads a file in the script's own folder, or below it; pushes its path, which is given back, and
   * what holds `bytes`. Raises where it may not be read. */
  const char *(*read)(lua_State *L, const char *name, size_t limit, const void **bytes,
                      size_t *size);
  /* Pushes the table of loaded modules, by name. */
  void (*push_loaded)(lua_State *L);
  /* Around a call of a script by the engine. The script's budget starts with it, unless a bracket
   * or a script is around it already. Raise nothing. */
  void (*begin)(lua_State *L);
  void (*end)(lua_State *L);
} si_lua_guard;

/* Sets the guard of this Lua state; it must outlive the state. */
void si_lua_guard_set(lua_State *L, const si_lua_guard *guard);

/* The guard, or NULL in a state of trusted scripts. */
const si_lua_guard *si_lua_guard_of(lua_State *L);

/* From now on this Lua state's scripts reach no files through the module; the host says so. */
void si_forbid_files(lua_State *L);
/* Raises where files are forbidden. */
void si_files_check(lua_State *L);

/* Called before the engine makes something whose size a script chose. */
void si_lua_reserve(lua_State *L, size_t bytes);

/* Called before the engine does something that may take as long as a script chose. */
void si_lua_spend(lua_State *L, size_t units);

/* Tells the collector of memory that hangs on a userdata and that it cannot see. */
void si_lua_weigh(lua_State *L, size_t bytes);

#endif
