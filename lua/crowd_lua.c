/* A crowd: many poses of one rig, set and read in one call each, with no garbage. Numbers come one
 * character after the other. */
#include "pose_lua.h"
#include "reserve.h"

#include "error.h"

#include <math.h>
#include <string.h>

typedef struct crowd_lua {
  int count;
  sinew_pose **poses; /* NULL: closed */
  si_program *program;
  si_progress progress;
} crowd_lua;

static crowd_lua *self_crowd(lua_State *L) {
  crowd_lua *self = si_lua_self(L, &si_crowd_type);
  if (!self->poses) luaL_error(L, "the crowd was closed");
  return self;
}

/* rig:crowd(n) */
int si_rig_crowd(lua_State *L) {
  si_lua_self(L, &si_rig_type);
  int count = (int)si_lua_check_int(L, 2, 1, 1 << 20);
  sinew_error error;
  crowd_lua *self = si_lua_new(L, &si_crowd_type, sizeof *self, 1);
  self->program = si_rig_program(L, si_rig_check(L, 1));
  self->program->refs++;
  si_lua_reserve(L, (size_t)count * sinew_rig_pose_bytes(self->program->rig));
  self->poses = si_alloc_array((size_t)count, sizeof(sinew_pose *));
  if (!self->poses) return luaL_error(L, "out of memory");
  for (self->count = 0; self->count < count; self->count++) {
    self->poses[self->count] = sinew_pose_create(self->program->rig, &error);
    if (!self->poses[self->count]) return si_raise(L, &error);
  }
  si_lua_weigh(L, (size_t)count * sinew_rig_pose_bytes(self->program->rig));
  return 1;
}

static int crowd_close(lua_State *L) {
  crowd_lua *self = lua_touserdata(L, 1);
  si_progress_check(L, &self->progress, "crowd");
  for (int i = 0; i < self->count; i++) sinew_pose_destroy(self->poses[i]);
  si_free(self->poses);
  si_program_release(self->program);
  *self = (crowd_lua){ 0 };
  return 0;
}

static void check_count(lua_State *L, const crowd_lua *self, size_t given, size_t each) {
  if (given != each * (size_t)self->count)
    luaL_error(L, "%d values are given for %d characters of %d DOFs", (int)given, self->count,
               (int)each);
}

static const char *dof_name(const crowd_lua *self, size_t dof) {
  return sinew_rig_dof_info(self->program->rig, (sinew_dof){ (uint32_t)dof + 1 }).name;
}

static int raise_infinite(lua_State *L, const crowd_lua *self, size_t at, size_t dofs,
                          double value) {
  return luaL_error(L, "character %d: DOF '%s': %f is not finite", (int)(at / dofs) + 1,
                    dof_name(self, at % dofs), value);
}

static bool set_buffer(lua_State *L, const crowd_lua *self, const float *values, size_t count) {
  size_t dofs = count / (size_t)self->count;
  for (size_t i = 0; i < count; i++)
    if (!isfinite(values[i])) raise_infinite(L, self, i, dofs, (double)values[i]);
  bool inside = true;
  for (int c = 0; c < self->count; c++)
    inside &=
        sinew_pose_set_all(self->poses[c], values + (size_t)c * dofs, (int)dofs, NULL) == SINEW_OK;
  return inside;
}

static bool set_table(lua_State *L, const crowd_lua *self, size_t count) {
  size_t dofs = count / (size_t)self->count;
  bool inside = true;
  for (int pass = 0; pass < 2; pass++)
    for (size_t i = 0; i < count; i++) {
      lua_rawgeti(L, 2, (int)i + 1);
      float value = (float)lua_tonumber(L, -1);
      sinew_dof dof = { (uint32_t)(i % dofs) + 1 };
      if (pass == 1)
        inside &= sinew_pose_set(self->poses[i / dofs], dof, value, NULL) == SINEW_OK;
      else if (lua_type(L, -1) != LUA_TNUMBER)
        luaL_error(L, "character %d: DOF '%s': a number is wanted, not %s", (int)(i / dofs) + 1,
                   dof_name(self, i % dofs), si_lua_typename(L, -1));
      else if (!isfinite(value))
        raise_infinite(L, self, i, dofs, (double)value);
      lua_pop(L, 1);
    }
  return inside;
}

/* crowd:set(values): a buffer or a flat table of all DOFs of all characters. All are set or, where
 * one is wrong, none. Gives true when all are inside their ranges, false when one was held. */
static int crowd_set(lua_State *L) {
  crowd_lua *self = self_crowd(L);
  si_progress_check(L, &self->progress, "crowd");
  size_t dofs = (size_t)sinew_rig_dof_count(self->program->rig), given;
  const float *buffer = si_buffer_test(L, 2, &given);
  if (!buffer && !lua_istable(L, 2)) return si_lua_type_error(L, 2, "table or buffer");
  if (!buffer) given = lua_rawlen(L, 2);
  check_count(L, self, given, dofs);
  bool inside = buffer ? set_buffer(L, self, buffer, given) : set_table(L, self, given);
  self->progress.failed = false;
  lua_pushboolean(L, inside);
  return 1;
}

static int crowd_reset(lua_State *L) {
  crowd_lua *self = self_crowd(L);
  si_progress_check(L, &self->progress, "crowd");
  for (int c = 0; c < self->count; c++) sinew_pose_reset(self->poses[c]);
  self->progress.failed = false;
  lua_settop(L, 1);
  return 1;
}

/* evaluates every character; the first that fails is raised when all have had their turn */
static void evaluate(lua_State *L, crowd_lua *self) {
  sinew_error error, first;
  int failed = -1;
  si_progress_check(L, &self->progress, "crowd");
  self->progress.running = true;
  for (int c = 0; c < self->count; c++)
    if (si_program_eval(L, self->program, self->poses[c], &error) < 0 && failed < 0)
      failed = c, first = error;
  self->progress = (si_progress){ .failed = failed >= 0, .revision = self->program->revision };
  if (failed < 0) return;
  si_fail(&error, first.status, "character %d: %s", failed + 1, first.text);
  si_raise(L, &error);
}

static void refresh(lua_State *L, crowd_lua *self) {
  if (!si_progress_stuck(&self->progress, self->program)) evaluate(L, self);
}

static int crowd_eval(lua_State *L) {
  evaluate(L, self_crowd(L));
  lua_settop(L, 1);
  return 1;
}

/* pushes the table or buffer at 2, or a new table, and fills it with `each` numbers of every
 * character */
static int push_all(lua_State *L, const crowd_lua *self,
                    const float *(*numbers)(const sinew_pose *), size_t each) {
  size_t room, needed = each * (size_t)self->count;
  lua_settop(L, 2);
  float *buffer = si_buffer_test(L, 2, &room);
  if (buffer && room < needed)
    return luaL_error(L, "the buffer holds %d numbers, %d are needed", (int)room, (int)needed);
  if (lua_isnil(L, 2)) {
    lua_createtable(L, (int)needed, 0);
    lua_replace(L, 2);
  }
  for (int c = 0; c < self->count; c++) {
    const float *from = numbers(self->poses[c]);
    if (buffer) memcpy(buffer + each * (size_t)c, from, each * sizeof(float));
    for (size_t i = 0; !buffer && i < each; i++) {
      lua_pushnumber(L, from[i]);
      lua_rawseti(L, 2, (int)(each * (size_t)c + i + 1));
    }
  }
  return 1;
}

static void check_dest(lua_State *L) {
  size_t room;
  if (!lua_isnoneornil(L, 2) && !lua_istable(L, 2) && !si_buffer_test(L, 2, &room))
    si_lua_type_error(L, 2, "table or buffer");
}

/* crowd:worlds([table or buffer]): all world matrices of all characters */
static int crowd_worlds(lua_State *L) {
  crowd_lua *self = self_crowd(L);
  check_dest(L);
  refresh(L, self);
  return push_all(L, self, sinew_pose_worlds,
                  16 * (size_t)sinew_rig_segment_count(self->program->rig));
}

/* crowd:dofs([table or buffer]): all DOF values of all characters */
static int crowd_dofs(lua_State *L) {
  const crowd_lua *self = self_crowd(L);
  check_dest(L);
  return push_all(L, self, sinew_pose_dofs, (size_t)sinew_rig_dof_count(self->program->rig));
}

static int crowd_length(lua_State *L) {
  lua_pushinteger(L, self_crowd(L)->count);
  return 1;
}

static int crowd_tostring(lua_State *L) {
  const crowd_lua *self = si_lua_check(L, 1, &si_crowd_type);
  if (!self->poses)
    lua_pushliteral(L, "crowd (closed)");
  else
    lua_pushfstring(L, "crowd of %d poses of rig '%s'", self->count,
                    sinew_rig_name(self->program->rig));
  return 1;
}

static const luaL_Reg methods[] = { { "set", crowd_set },       { "dofs", crowd_dofs },
                                    { "reset", crowd_reset },   { "eval", crowd_eval },
                                    { "worlds", crowd_worlds }, { NULL, NULL } };
static const luaL_Reg meta[] = { { "__tostring", crowd_tostring },
                                 { "__len", crowd_length },
                                 { NULL, NULL } };
const si_lua_type si_crowd_type = {
  .name = "crowd", .methods = methods, .meta = meta, .close = crowd_close
};

void si_open_crowd(lua_State *L) { si_lua_type_open(L, &si_crowd_type); }
