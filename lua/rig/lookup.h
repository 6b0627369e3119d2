/* Finds DOFs and segments of a compiled rig, by name or by handle, for poses and solvers. */
#ifndef SI_LUA_LOOKUP_H
#define SI_LUA_LOOKUP_H

#include "lua/rig/rig_lua.h"

typedef struct si_lookup {
  const si_rig_lua *owner; /* the rig to which handles must belong */
  const sinew_rig *rig;
  const char *what; /* what was made from it, for messages: "pose" */
} si_lookup;

/* Raises if a handle belongs to another rig, or to something added to the rig later. */
void si_lookup_check(lua_State *L, const si_lookup *in, const si_handle *handle,
                     const si_lua_type *type, int count);
/* The DOF that the value at `index` names or is a handle of; null for other values and, with
 * `error` filled, for an unknown name. */
sinew_dof si_lookup_dof(lua_State *L, int index, const si_lookup *in, sinew_error *error);
/* Raises if there is none. */
sinew_segment si_lookup_segment(lua_State *L, int index, const si_lookup *in);
/* The joint set that the value at `index` names or is a handle of; null for other values, and where
 * a DOF has that name. Raises for a name that is neither, with the nearest ones. */
sinew_joint_set si_lookup_joint_set(lua_State *L, int index, const si_lookup *in);
/* The DOFs of the list on top of the stack, in memory pushed below it; returns their count. A joint
 * set stands for those of its DOFs that are not listed before it. */
const sinew_dof *si_lookup_dofs(lua_State *L, const si_lookup *in, int *count);

#endif
