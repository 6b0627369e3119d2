/* Poses in Lua: pose["knee.flexion"] = 45, then pose:world "tibia". What is read is evaluated first
 * where something has moved. */
#include "binding.h"
#include "reserve.h"

#include <stdio.h>
#include <string.h>

typedef struct pose_lua {
  sinew_pose *pose;
  si_program *program;
} pose_lua;

sinew_status si_pose_eval(lua_State *L, sinew_pose *pose, sinew_error *error) {
  bool scripted = sinew_rig_can_fail(sinew_pose_rig(pose));
  if (scripted) si_script_enter(L);
  sinew_status status = sinew_pose_eval(pose, error);
  if (scripted) si_script_leave(L);
  return status;
}

int si_numbers_push(lua_State *L, int index, const float *numbers, size_t count) {
  size_t room;
  float *buffer = si_buffer_test(L, index, &room);
  if (buffer) {
    if (room < count)
      return luaL_error(L, "the buffer holds %d numbers, %d are needed", (int)room, (int)count);
    memcpy(buffer, numbers, count * sizeof *numbers);
    lua_pushvalue(L, index);
    return 1;
  }
  if (lua_isnoneornil(L, index))
    lua_createtable(L, (int)count, 0);
  else if (lua_istable(L, index))
    lua_pushvalue(L, index);
  else
    return si_lua_type_error(L, index, "table or buffer");
  for (size_t i = 0; i < count; i++) {
    lua_pushnumber(L, numbers[i]);
    lua_rawseti(L, -2, (int)i + 1);
  }
  return 1;
}

static pose_lua *self_pose(lua_State *L) {
  pose_lua *self = si_lua_self(L, &si_pose_type);
  if (!self->pose) luaL_error(L, "the pose was closed");
  return self;
}

int si_rig_pose(lua_State *L) {
  si_lua_self(L, &si_rig_type);
  si_rig_lua *rig = si_rig_check(L, 1);
  si_program *program = si_rig_program(L, rig);
  si_lua_reserve(L, sinew_rig_pose_bytes(program->rig));
  sinew_error error;
  pose_lua *self = si_lua_new(L, &si_pose_type, sizeof *self, 1);
  self->pose = sinew_pose_create(program->rig, &error);
  if (!self->pose) return si_raise(L, &error);
  self->program = program;
  program->refs++;
  return 1;
}

static int pose_close(lua_State *L) {
  pose_lua *self = lua_touserdata(L, 1);
  sinew_pose_destroy(self->pose);
  si_program_release(self->program);
  *self = (pose_lua){ NULL, NULL };
  return 0;
}

static void evaluate(lua_State *L, const pose_lua *self) {
  sinew_error error;
  if (si_pose_eval(L, self->pose, &error) < 0) si_raise(L, &error);
}

/* the DOF that the value at `index` names or is a handle of; null, with nothing raised, for others
 */
static sinew_dof dof_at(lua_State *L, int index, const sinew_rig *rig, sinew_error *error) {
  if (lua_type(L, index) == LUA_TSTRING)
    return sinew_rig_find_dof(rig, lua_tostring(L, index), error);
  const si_handle *handle = si_lua_test(L, index, &si_dof_type);
  if (handle && (int)handle->id <= sinew_rig_dof_count(rig)) return (sinew_dof){ handle->id };
  sinew_error_clear(error);
  return (sinew_dof){ 0 };
}

static int pose_index(lua_State *L) {
  const pose_lua *self = lua_touserdata(L, 1);
  if (!self->pose) return luaL_error(L, "the pose was closed");
  sinew_dof dof = dof_at(L, 2, self->program->rig, NULL);
  if (!dof.id) return 0;
  lua_pushnumber(L, sinew_pose_get(self->pose, dof));
  return 1;
}

static void set_dof(lua_State *L, const pose_lua *self, sinew_dof dof, int value) {
  sinew_error error;
  if (lua_type(L, value) != LUA_TNUMBER)
    luaL_error(L, "DOF '%s': a number is wanted, not %s",
               sinew_rig_dof_info(self->program->rig, dof).name, si_lua_typename(L, value));
  if (sinew_pose_set(self->pose, dof, (float)lua_tonumber(L, value), &error) < 0)
    si_raise(L, &error);
}

static int pose_newindex(lua_State *L) {
  const pose_lua *self = lua_touserdata(L, 1);
  if (!self->pose) return luaL_error(L, "the pose was closed");
  sinew_dof dof = dof_at(L, 2, self->program->rig, NULL);
  if (!dof.id) return 0;
  set_dof(L, self, dof, 3);
  return 1;
}

static void pose_offer(lua_State *L, si_nearest *nearest) {
  const pose_lua *self = lua_touserdata(L, 1);
  const sinew_rig *rig = self->program->rig;
  for (int i = 0; i < sinew_rig_dof_count(rig); i++)
    si_nearest_offer(nearest, sinew_rig_dof_info(rig, sinew_rig_dof(rig, i)).name);
}

/* pose:set(values): a buffer or a table of all DOFs in the rig's order, or a table by name. Gives
 * true when all are inside their ranges, false when one was held. */
static int pose_set(lua_State *L) {
  const pose_lua *self = self_pose(L);
  const sinew_rig *rig = self->program->rig;
  int count = sinew_rig_dof_count(rig);
  sinew_error error;
  size_t given;
  const float *buffer = si_buffer_test(L, 2, &given);
  sinew_status status = SINEW_OK;
  if (buffer) {
    status = sinew_pose_set_all(self->pose, buffer, (int)given, &error);
  } else if (lua_istable(L, 2) && lua_rawlen(L, 2) > 0) {
    if ((int)lua_rawlen(L, 2) != count)
      return luaL_error(L, "%d values are given for %d DOFs", (int)lua_rawlen(L, 2), count);
    for (int i = 0; i < count; i++) {
      lua_rawgeti(L, 2, i + 1);
      if (lua_type(L, -1) != LUA_TNUMBER)
        return luaL_error(L, "value %d must be a number, not %s", i + 1, si_lua_typename(L, -1));
      sinew_status one =
          sinew_pose_set(self->pose, sinew_rig_dof(rig, i), (float)lua_tonumber(L, -1), &error);
      if (one != SINEW_OK && status >= 0) status = one;
      lua_pop(L, 1);
    }
  } else if (lua_istable(L, 2)) {
    lua_pushnil(L);
    while (lua_next(L, 2)) {
      sinew_dof dof = dof_at(L, -2, rig, &error);
      if (!dof.id)
        return error.count ? si_raise(L, &error) : luaL_error(L, "DOFs are given by name");
      set_dof(L, self, dof, lua_gettop(L));
      lua_pop(L, 1);
    }
  } else {
    return si_lua_type_error(L, 2, "table or buffer");
  }
  if (status < 0) return si_raise(L, &error);
  lua_pushboolean(L, status == SINEW_OK);
  return 1;
}

/* pose:dofs([table or buffer]): all DOF values in the rig's order */
static int pose_dofs(lua_State *L) {
  const pose_lua *self = self_pose(L);
  return si_numbers_push(L, 2, sinew_pose_dofs(self->pose),
                         (size_t)sinew_rig_dof_count(self->program->rig));
}

static int pose_reset(lua_State *L) {
  sinew_pose_reset(self_pose(L)->pose);
  lua_settop(L, 1);
  return 1;
}

static int pose_eval(lua_State *L) {
  evaluate(L, self_pose(L));
  lua_settop(L, 1);
  return 1;
}

static sinew_segment segment_at(lua_State *L, int index, const sinew_rig *rig) {
  sinew_error error;
  const si_handle *handle = si_lua_test(L, index, &si_segment_type);
  if (handle && (int)handle->id <= sinew_rig_segment_count(rig))
    return (sinew_segment){ handle->id };
  sinew_segment found = sinew_rig_find_segment(rig, luaL_checkstring(L, index), &error);
  if (!found.id) si_raise(L, &error);
  return found;
}

/* pose:world(segment [, mat4]): its world matrix, in a new mat4 or in the one given */
static int pose_world(lua_State *L) {
  const pose_lua *self = self_pose(L);
  sinew_segment segment = segment_at(L, 2, self->program->rig);
  evaluate(L, self);
  memcpy(si_mat4_dest(L, 3), sinew_pose_world(self->pose, segment), 16 * sizeof(float));
  return 1;
}

static int pose_local(lua_State *L) {
  const pose_lua *self = self_pose(L);
  sinew_segment segment = segment_at(L, 2, self->program->rig);
  evaluate(L, self);
  memcpy(si_mat4_dest(L, 3), sinew_pose_local(self->pose, segment), 16 * sizeof(float));
  return 1;
}

/* pose:worlds([table or buffer]): all world matrices, 16 numbers each, in the rig's order */
static int pose_worlds(lua_State *L) {
  const pose_lua *self = self_pose(L);
  evaluate(L, self);
  return si_numbers_push(L, 2, sinew_pose_worlds(self->pose),
                         16 * (size_t)sinew_rig_segment_count(self->program->rig));
}

/* pose:value(port): what a port carries: a number, a vec3 or a mat4 */
static int pose_value(lua_State *L) {
  const pose_lua *self = self_pose(L);
  const sinew_rig *rig = self->program->rig;
  const si_handle *port = si_lua_test(L, 2, &si_port_type);
  if (!port) port = si_lua_check(L, 2, &si_component_type);
  sinew_component component = { port->id };
  if ((int)port->id > sinew_rig_component_count(rig) ||
      (int)port->output >= sinew_rig_component_info(rig, component).output_count)
    return luaL_error(L, "the port is not of this pose's rig");
  evaluate(L, self);
  const float *value = sinew_pose_value(self->pose, component, (int)port->output);
  switch (sinew_rig_output_kind(rig, component, (int)port->output)) {
  case SINEW_SCALAR: lua_pushnumber(L, *value); break;
  case SINEW_VECTOR: memcpy(si_vec3_push(L), value, 3 * sizeof(float)); break;
  case SINEW_MATRIX: memcpy(si_mat4_push(L), value, 16 * sizeof(float)); break;
  }
  return 1;
}

/* pose:holds(): what is being held back, as { name =, port =, by =, amount = } */
static int pose_holds(lua_State *L) {
  const pose_lua *self = self_pose(L);
  evaluate(L, self);
  int count = sinew_pose_holds(self->pose, NULL, 0);
  sinew_hold *holds = lua_newuserdatauv(L, ((size_t)count + 1) * sizeof *holds, 0);
  sinew_pose_holds(self->pose, holds, count);
  lua_createtable(L, count, 0);
  for (int i = 0; i < count; i++) {
    lua_createtable(L, 0, 4);
    lua_pushstring(L, holds[i].name);
    lua_setfield(L, -2, "name");
    lua_pushstring(L, holds[i].port);
    lua_setfield(L, -2, "port");
    lua_pushstring(L, holds[i].doc);
    lua_setfield(L, -2, "by");
    lua_pushnumber(L, holds[i].amount);
    lua_setfield(L, -2, "amount");
    lua_rawseti(L, -2, i + 1);
  }
  return 1;
}

static int pose_rig(lua_State *L) {
  self_pose(L);
  si_lua_push_owner(L, 1);
  return 1;
}

static int pose_tostring(lua_State *L) {
  const pose_lua *self = si_lua_self(L, &si_pose_type);
  if (!self->pose)
    lua_pushliteral(L, "pose (closed)");
  else
    lua_pushfstring(L, "pose of rig '%s': %d DOFs, %d segments", sinew_rig_name(self->program->rig),
                    sinew_rig_dof_count(self->program->rig),
                    sinew_rig_segment_count(self->program->rig));
  return 1;
}

static const luaL_Reg methods[] = { { "set", pose_set },       { "dofs", pose_dofs },
                                    { "reset", pose_reset },   { "eval", pose_eval },
                                    { "world", pose_world },   { "local_", pose_local },
                                    { "worlds", pose_worlds }, { "value", pose_value },
                                    { "holds", pose_holds },   { NULL, NULL } };
static const luaL_Reg meta[] = { { "__tostring", pose_tostring }, { NULL, NULL } };
static const si_lua_field fields[] = { { "rig", pose_rig, NULL }, { NULL, NULL, NULL } };
const si_lua_type si_pose_type = { .name = "pose",
                                   .methods = methods,
                                   .meta = meta,
                                   .fields = fields,
                                   .index = pose_index,
                                   .newindex = pose_newindex,
                                   .offer = pose_offer,
                                   .close = pose_close };

void si_open_pose(lua_State *L) { si_lua_type_open(L, &si_pose_type); }
