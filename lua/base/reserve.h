/* Permission for large allocations and long work outside of Lua. A host of untrusted scripts sets a
 * guard in the state; without a guard everything is allowed. */
#ifndef SI_RESERVE_H
#define SI_RESERVE_H

#include "lua/base/compat.h"

typedef struct si_lua_guard {
  /* Raises if the script may not allocate that many bytes more. */
  void (*reserve)(lua_State *L, size_t bytes);
  /* Raises if this much work, in instructions, exceeds the script's budget. */
  void (*spend)(lua_State *L, size_t units);
  /* Reads a file in or below the script's folder; pushes its path, which is also returned, and a
   * userdata that holds `bytes`. Raises if it may not be read. */
  const char *(*read)(lua_State *L, const char *name, size_t limit, const void **bytes,
                      size_t *size);
  /* Pushes the table of loaded modules, by name. */
  void (*push_loaded)(lua_State *L);
  /* Called around a call from the engine into a script. The script's budget starts here, unless an
   * outer pair or a running script has started it already. They do not raise. */
  void (*begin)(lua_State *L);
  void (*end)(lua_State *L);
} si_lua_guard;

/* Sets the guard of this Lua state; it must outlive the state. */
void si_lua_guard_set(lua_State *L, const si_lua_guard *guard);

/* The guard, or NULL in a state of trusted scripts. */
const si_lua_guard *si_lua_guard_of(lua_State *L);

/* Forbids scripts of this Lua state to access files through the module. Called by the host. */
void si_forbid_files(lua_State *L);
/* Raises if files are forbidden. */
void si_files_check(lua_State *L);

/* Called before the engine makes something whose size a script chose. */
void si_lua_reserve(lua_State *L, size_t bytes);

/* Called before the engine does work whose duration a script chose. */
void si_lua_spend(lua_State *L, size_t units);

/* The same inside of a loop, where it is at item `i` of `count`: spends `each` for an item, about
 * 1024 ahead. Reading or pushing a number takes one, a table 20 or more. */
static inline void si_lua_spend_each(lua_State *L, size_t i, size_t count, size_t each) {
  const size_t ahead = 1024 / each;
  if (i % ahead == 0) si_lua_spend(L, each * (count - i < ahead ? count - i : ahead));
}

/* Tells the garbage collector about memory that a userdata owns outside of Lua. */
void si_lua_weigh(lua_State *L, size_t bytes);

#endif
