/* See lookup.h. */
#include "lua/rig/lookup.h"

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

const sinew_dof *si_lookup_dofs(lua_State *L, const si_lookup *in, int *count) {
  sinew_error error;
  *count = (int)lua_rawlen(L, -1);
  sinew_dof *dest = lua_newuserdatauv(L, ((size_t)*count + 1) * sizeof *dest, 0);
  lua_insert(L, -2);
  for (int i = 0; i < *count; i++) {
    lua_rawgeti(L, -1, i + 1);
    dest[i] = si_lookup_dof(L, -1, in, &error);
    if (!dest[i].id && error.count) si_raise(L, &error);
    if (!dest[i].id) luaL_error(L, "'dofs' must be a list of DOFs or their names");
    lua_pop(L, 1);
  }
  return dest;
}
