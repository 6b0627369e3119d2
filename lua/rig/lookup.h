/* DOFs and segments of a compiled rig, by name or by handle, for what is made of one: poses and
 * solvers. */
#ifndef SI_LUA_LOOKUP_H
#define SI_LUA_LOOKUP_H

#include "lua/rig/rig_lua.h"

typedef struct si_lookup {
  const si_rig_lua *owner; /* that handles must be of */
  const sinew_rig *rig;
  const char *what; /* was made of it, for messages: "pose" */
} si_lookup;

/* Raises where a handle is of another rig, or of something added to it later. */
void si_lookup_check(lua_State *L, const si_lookup *in, const si_handle *handle,
                     const si_lua_type *type, int count);
/* The DOF that the value at `index` names or is a handle of; null for others, and, with `error`
 * filled, for an unknown name. */
sinew_dof si_lookup_dof(lua_State *L, int index, const si_lookup *in, sinew_error *error);
/* Raises where there is none. */
sinew_segment si_lookup_segment(lua_State *L, int index, const si_lookup *in);
/* The DOFs of the list on top of the stack, into memory pushed below it; their count. */
const sinew_dof *si_lookup_dofs(lua_State *L, const si_lookup *in, int *count);

#endif
