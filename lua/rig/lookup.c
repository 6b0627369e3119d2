/* See lookup.h. */
#include "lua/rig/lookup.h"

#include <string.h>

void si_lookup_check(lua_State *L, const si_lookup *in, const si_handle *handle,
                     const si_lua_type *type, int count) {
  if (handle->rig != in->owner) luaL_error(L, "the %s is of another rig", type->name);
  if ((int)handle->id > count)
    luaL_error(L, "the %s was added to the rig after this %s was created", type->name, in->what);
}

sinew_dof si_lookup_dof(lua_State *L, int index, const si_lookup *in, sinew_error *error) {
  if (lua_type(L, index) == LUA_TSTRING)
    return sinew_rig_find_dof(in->rig, lua_tostring(L, index), error);
  sinew_error_clear(error);
  const si_handle *handle = si_lua_test(L, index, &si_dof_type);
  if (!handle) return (sinew_dof){ 0 };
  si_lookup_check(L, in, handle, &si_dof_type, sinew_rig_dof_count(in->rig));
  return (sinew_dof){ handle->id };
}

sinew_segment si_lookup_segment(lua_State *L, int index, const si_lookup *in) {
  sinew_error error;
  const si_handle *handle = si_lua_test(L, index, &si_segment_type);
  if (handle) {
    si_lookup_check(L, in, handle, &si_segment_type, sinew_rig_segment_count(in->rig));
    return (sinew_segment){ handle->id };
  }
  if (lua_type(L, index) != LUA_TSTRING) si_lua_type_error(L, index, "segment or its name");
  sinew_segment found = sinew_rig_find_segment(in->rig, lua_tostring(L, index), &error);
  if (!found.id) si_raise(L, &error);
  return found;
}

sinew_joint_set si_lookup_joint_set(lua_State *L, int index, const si_lookup *in) {
  const si_handle *handle = si_lua_test(L, index, &si_joint_set_type);
  int sets = sinew_rig_joint_set_count(in->rig);
  if (handle) {
    si_lookup_check(L, in, handle, &si_joint_set_type, sets);
    return (sinew_joint_set){ handle->id };
  }
  if (lua_type(L, index) != LUA_TSTRING) return (sinew_joint_set){ 0 };
  const char *name = lua_tostring(L, index);
  if (sinew_rig_find_dof(in->rig, name, NULL).id) return (sinew_joint_set){ 0 };
  si_nearest nearest;
  si_nearest_start(&nearest, name);
  for (int i = 0; i < sets; i++) {
    sinew_joint_set set = sinew_rig_joint_set(in->rig, i);
    const char *known = sinew_rig_joint_set_name(in->rig, set);
    if (strcmp(known, name) == 0) return set;
    si_nearest_offer(&nearest, known);
  }
  for (int i = 0; i < sinew_rig_dof_count(in->rig); i++)
    si_nearest_offer(&nearest, sinew_rig_dof_info(in->rig, sinew_rig_dof(in->rig, i)).name);
  const char *rig = lua_pushfstring(L, "rig '%s'", sinew_rig_name(in->rig));
  si_lua_unknown(L, rig, "DOF or joint set", &nearest);
  return (sinew_joint_set){ 0 };
}

const sinew_dof *si_lookup_dofs(lua_State *L, const si_lookup *in, int *count) {
  sinew_error error;
  int items = (int)lua_rawlen(L, -1), dofs = sinew_rig_dof_count(in->rig);
  sinew_dof *dest = lua_newuserdatauv(L, ((size_t)items + (size_t)dofs + 1) * sizeof *dest, 0);
  lua_insert(L, -2);
  bool *listed = lua_newuserdatauv(L, (size_t)dofs + 1, 0); /* by id */
  memset(listed, 0, (size_t)dofs + 1);
  lua_insert(L, -2);
  *count = 0;
  for (int i = 0; i < items; i++) {
    lua_rawgeti(L, -1, i + 1);
    sinew_joint_set set = si_lookup_joint_set(L, lua_gettop(L), in);
    sinew_dof dof = { 0 };
    if (!set.id) dof = si_lookup_dof(L, -1, in, &error);
    if (!set.id && !dof.id)
      luaL_error(L, "'dofs' must be a list of DOFs, joint sets or their names");
    if (dof.id) dest[(*count)++] = dof, listed[dof.id] = true;
    for (int k = 0; set.id && k < dofs; k++) {
      dof = sinew_rig_dof(in->rig, k);
      if (sinew_rig_dof_info(in->rig, dof).joint_set.id != set.id || listed[dof.id]) continue;
      dest[(*count)++] = dof, listed[dof.id] = true;
    }
    lua_pop(L, 1);
  }
  lua_remove(L, -2);
  return dest;
}
