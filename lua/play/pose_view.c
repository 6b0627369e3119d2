/* The DOFs of one joint set in a pose: pose.knee.flexion = 60. A view is made when it is first
 * asked for and kept by its pose, so that reading and setting allocate nothing. */
#include "lua/play/play_lua.h"

#include <stdio.h>
#include <string.h>

typedef struct view {
  sinew_joint_set set; /* of the pose's compiled rig; the pose is the owner */
} view;

static const char *set_name(const sinew_rig *rig, const view *self) {
  return sinew_rig_joint_set_name(rig, self->set);
}

/* the DOF of the view at 1 whose name is at 2, null for an unknown one */
static sinew_dof find(lua_State *L, const sinew_rig *rig) {
  const view *self = lua_touserdata(L, 1);
  char name[256]; /* longer than any full name */
  if (lua_type(L, 2) != LUA_TSTRING) return (sinew_dof){ 0 };
  snprintf(name, sizeof name, "%s.%s", set_name(rig, self), lua_tostring(L, 2));
  return sinew_rig_find_dof(rig, name, NULL);
}

static int unknown(lua_State *L, const sinew_rig *rig) {
  const view *self = lua_touserdata(L, 1);
  const char *set = set_name(rig, self);
  if (lua_type(L, 2) != LUA_TSTRING)
    return luaL_error(L, "joint set '%s': the name of a DOF is expected, not a %s", set,
                      si_lua_typename(L, 2));
  si_nearest nearest;
  si_nearest_start(&nearest, lua_tostring(L, 2));
  for (int i = 0; i < sinew_rig_dof_count(rig); i++) {
    sinew_dof_info dof = sinew_rig_dof_info(rig, sinew_rig_dof(rig, i));
    if (dof.joint_set.id == self->set.id) si_nearest_offer(&nearest, strchr(dof.name, '.') + 1);
  }
  return si_lua_unknown(L, lua_pushfstring(L, "joint set '%s'", set), "DOF", &nearest);
}

static int view_index(lua_State *L) {
  si_lua_push_owner(L, 1);
  const sinew_pose *pose = si_pose_open(L, -1);
  const sinew_rig *rig = sinew_pose_rig(pose);
  sinew_dof dof = find(L, rig);
  return dof.id ? si_return_number(L, sinew_pose_get(pose, dof)) : unknown(L, rig);
}

static int view_newindex(lua_State *L) {
  si_lua_push_owner(L, 1);
  const sinew_rig *rig = sinew_pose_rig(si_pose_open(L, -1));
  sinew_dof dof = find(L, rig);
  if (!dof.id) return unknown(L, rig);
  float value = si_pose_value_check(L, rig, dof, 3);
  sinew_pose_set(si_pose_change(L, -1), dof, value, NULL);
  return 1;
}

static int view_tostring(lua_State *L) {
  const view *self = si_lua_check(L, 1, &si_pose_view_type);
  si_lua_push_owner(L, 1);
  const sinew_rig *rig = sinew_pose_rig(si_pose_open(L, -1));
  lua_pushfstring(L, "joint set '%s' of a pose", set_name(rig, self));
  return 1;
}

static const luaL_Reg meta[] = { { "__tostring", view_tostring }, { NULL, NULL } };
const si_lua_type si_pose_view_type = {
  .name = "joint set of a pose", .meta = meta, .index = view_index, .newindex = view_newindex
};

bool si_pose_view_push(lua_State *L, const sinew_rig *rig, int keep) {
  lua_pushvalue(L, 2);
  lua_rawget(L, keep);
  if (!lua_isnil(L, -1)) return true;
  lua_pop(L, 1);
  for (int i = 0; i < sinew_rig_joint_set_count(rig); i++) {
    sinew_joint_set set = sinew_rig_joint_set(rig, i);
    if (strcmp(sinew_rig_joint_set_name(rig, set), lua_tostring(L, 2)) != 0) continue;
    view *made = si_lua_new(L, &si_pose_view_type, sizeof *made, 1);
    made->set = set;
    lua_pushvalue(L, 2);
    lua_pushvalue(L, -2);
    lua_rawset(L, keep);
    return true;
  }
  return false;
}
