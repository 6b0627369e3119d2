/* A crowd: many poses of one rig, set and read in one call each, with no garbage. Numbers come one
 * character after the other. */
#include "binding.h"
#include "reserve.h"

#include <stdlib.h>
#include <string.h>

typedef struct crowd_lua {
  int count;
  sinew_pose **poses;
  si_program *program;
} crowd_lua;

static crowd_lua *self_crowd(lua_State *L) {
  crowd_lua *self = si_lua_self(L, &si_crowd_type);
  if (!self->poses) luaL_error(L, "the crowd was closed");
  return self;
}

/* rig:crowd(n) */
int si_rig_crowd(lua_State *L) {
  si_lua_self(L, &si_rig_type);
  si_rig_lua *rig = si_rig_check(L, 1);
  int count = (int)si_lua_check_int(L, 2, 1, 1 << 20);
  si_program *program = si_rig_program(L, rig);
  si_lua_reserve(L, (size_t)count * sinew_rig_pose_bytes(program->rig));
  sinew_error error;
  crowd_lua *self = si_lua_new(L, &si_crowd_type, sizeof *self, 1);
  self->poses = si_alloc_array((size_t)count, sizeof(sinew_pose *));
  if (!self->poses) return luaL_error(L, "out of memory");
  self->program = program;
  program->refs++;
  for (self->count = 0; self->count < count; self->count++) {
    self->poses[self->count] = sinew_pose_create(program->rig, &error);
    if (!self->poses[self->count]) return si_raise(L, &error);
  }
  return 1;
}

static int crowd_close(lua_State *L) {
  crowd_lua *self = lua_touserdata(L, 1);
  for (int i = 0; i < self->count; i++) sinew_pose_destroy(self->poses[i]);
  si_free(self->poses);
  si_program_release(self->program);
  *self = (crowd_lua){ 0, NULL, NULL };
  return 0;
}

/* crowd:set(values): a buffer or a flat table of all DOFs of all characters */
static int crowd_set(lua_State *L) {
  const crowd_lua *self = self_crowd(L);
  const sinew_rig *rig = self->program->rig;
  int dofs = sinew_rig_dof_count(rig);
  size_t wanted = (size_t)dofs * (size_t)self->count, given;
  sinew_error error;
  const float *buffer = si_buffer_test(L, 2, &given);
  if (!buffer && !lua_istable(L, 2)) return si_lua_type_error(L, 2, "table or buffer");
  if (!buffer) given = lua_rawlen(L, 2);
  if (given != wanted)
    return luaL_error(L, "%d values are given for %d characters of %d DOFs", (int)given,
                      self->count, dofs);
  for (int c = 0; buffer && c < self->count; c++)
    if (sinew_pose_set_all(self->poses[c], buffer + (size_t)c * (size_t)dofs, dofs, &error) < 0)
      return luaL_error(L, "character %d: %s", c + 1, error.text);
  for (int i = 0; !buffer && i < (int)wanted; i++) {
    lua_rawgeti(L, 2, i + 1);
    if (lua_type(L, -1) != LUA_TNUMBER)
      return luaL_error(L, "value %d must be a number, not %s", i + 1, si_lua_typename(L, -1));
    if (sinew_pose_set(self->poses[i / dofs], sinew_rig_dof(rig, i % dofs),
                       (float)lua_tonumber(L, -1), &error) < 0)
      return luaL_error(L, "character %d: %s", i / dofs + 1, error.text);
    lua_pop(L, 1);
  }
  lua_settop(L, 1);
  return 1;
}

static void evaluate(lua_State *L, const crowd_lua *self) {
  sinew_error error;
  for (int c = 0; c < self->count; c++)
    if (si_pose_eval(L, self->poses[c], &error) < 0)
      luaL_error(L, "character %d: %s", c + 1, error.text);
}

static int crowd_eval(lua_State *L) {
  evaluate(L, self_crowd(L));
  lua_settop(L, 1);
  return 1;
}

/* crowd:worlds(buffer or table): fills it with all world matrices and gives it back */
static int crowd_worlds(lua_State *L) {
  const crowd_lua *self = self_crowd(L);
  size_t each = 16 * (size_t)sinew_rig_segment_count(self->program->rig), room;
  float *buffer = si_buffer_test(L, 2, &room);
  if (!buffer && !lua_istable(L, 2)) return si_lua_type_error(L, 2, "table or buffer");
  if (buffer && room < each * (size_t)self->count)
    return luaL_error(L, "the buffer holds %d numbers, %d are needed", (int)room,
                      (int)(each * (size_t)self->count));
  evaluate(L, self);
  for (int c = 0; c < self->count; c++) {
    const float *world = sinew_pose_worlds(self->poses[c]);
    if (buffer) {
      memcpy(buffer + each * (size_t)c, world, each * sizeof(float));
      continue;
    }
    for (size_t i = 0; i < each; i++) {
      lua_pushnumber(L, world[i]);
      lua_rawseti(L, 2, (int)(each * (size_t)c + i + 1));
    }
  }
  lua_settop(L, 2);
  return 1;
}

static int crowd_length(lua_State *L) {
  lua_pushinteger(L, self_crowd(L)->count);
  return 1;
}

static int crowd_tostring(lua_State *L) {
  const crowd_lua *self = si_lua_self(L, &si_crowd_type);
  if (!self->poses)
    lua_pushliteral(L, "crowd (closed)");
  else
    lua_pushfstring(L, "crowd of %d poses of rig '%s'", self->count,
                    sinew_rig_name(self->program->rig));
  return 1;
}

static const luaL_Reg methods[] = {
  { "set", crowd_set }, { "eval", crowd_eval }, { "worlds", crowd_worlds }, { NULL, NULL }
};
static const luaL_Reg meta[] = { { "__tostring", crowd_tostring },
                                 { "__len", crowd_length },
                                 { NULL, NULL } };
const si_lua_type si_crowd_type = {
  .name = "crowd", .methods = methods, .meta = meta, .close = crowd_close
};

void si_open_crowd(lua_State *L) { si_lua_type_open(L, &si_crowd_type); }
