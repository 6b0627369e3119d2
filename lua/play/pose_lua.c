/* Poses in Lua: pose.knee.flexion = 45, or pose["knee.flexion"] = 45, then pose:world "tibia". What
 * is read is evaluated first where something has moved. A pose's owner is a table: the rig at 1,
 * and the views of joint sets by name.
 *
 * A failing evaluation raises once; until something moves again, reading gives the last good
 * transforms. */
#include "base/budget_internal.h"
#include "base/text.h"
#include "lua/base/reserve.h"
#include "lua/math/options.h"
#include "lua/math/quat_matrix.h"
#include "lua/play/play_lua.h"
#include "lua/rig/lookup.h"

#include <math.h>
#include <string.h>

typedef struct pose_lua {
  sinew_pose *pose; /* NULL: closed */
  si_program *program;
  const si_rig_lua *rig; /* the owner's */
  si_progress progress;
} pose_lua;

/* runs `work` on a pose, with scripted components running on this thread */
static sinew_status run(lua_State *L, si_program *program, sinew_pose *pose, si_pose_job *work,
                        void *context, sinew_error *error) {
  if (!si_work(2 * (size_t)sinew_rig_component_count(program->rig))) return si_fail_memory(error);
  if (!sinew_rig_can_fail(program->rig)) return work(pose, context, error);
  si_script_scope scope;
  if (!si_script_enter(L, &scope, error)) return SINEW_ERR_SCRIPT;
  program->running++;
  sinew_status status = work(pose, context, error);
  program->running--;
  si_script_leave(L, &scope);
  return status;
}

static sinew_status only_eval(sinew_pose *pose, void *context, sinew_error *error) {
  (void)context;
  return sinew_pose_eval(pose, error);
}

sinew_status si_program_eval(lua_State *L, si_program *program, sinew_pose *pose,
                             sinew_error *error) {
  return run(L, program, pose, only_eval, NULL, error);
}

/* derivatives at a pose that is evaluated already */
static sinew_status eval_tangent(sinew_pose *pose, void *context, sinew_error *error) {
  if (!si_work(50 * (size_t)sinew_rig_component_count(sinew_pose_rig(pose))))
    return si_fail_memory(error);
  return sinew_tangent_eval(context, pose, error);
}

void si_progress_check(lua_State *L, const si_progress *progress, const char *what) {
  if (progress->running)
    luaL_error(L, "the %s is being evaluated: a scripted component cannot change or evaluate it",
               what);
}

static pose_lua *open_pose(lua_State *L, pose_lua *self) {
  return si_lua_opened(L, self, &si_pose_type);
}

const sinew_pose *si_pose_open(lua_State *L, int index) {
  return open_pose(L, si_lua_check(L, index, &si_pose_type))->pose;
}

si_program *si_pose_program(lua_State *L, int index) {
  si_program *program = open_pose(L, si_lua_check(L, index, &si_pose_type))->program;
  si_lua_push_owner(L, index);
  lua_rawgeti(L, -1, 1);
  lua_remove(L, -2);
  return program;
}

static pose_lua *self_pose(lua_State *L) { return open_pose(L, si_lua_self(L, &si_pose_type)); }

/* called before a change: raises while the pose is being evaluated; later failures are reported
 * again */
static void start_change(lua_State *L, pose_lua *self) {
  si_progress_check(L, &self->progress, "pose");
  self->progress.failed = false;
}

sinew_pose *si_pose_change(lua_State *L, int index) {
  pose_lua *self = open_pose(L, si_lua_check(L, index, &si_pose_type));
  start_change(L, self);
  return self->pose;
}

const sinew_pose *si_pose_read(lua_State *L, int index) {
  return open_pose(L, si_lua_check(L, index, &si_pose_type))->pose;
}

static int pose_close(lua_State *L) {
  pose_lua *self = lua_touserdata(L, 1);
  si_progress_check(L, &self->progress, "pose");
  sinew_pose_destroy(self->pose);
  si_program_release(self->program);
  self->pose = NULL;
  self->program = NULL;
  return 0;
}

/* runs `work`, which leaves the pose evaluated, or raises */
static void work_on(lua_State *L, pose_lua *self, si_pose_job *work, void *context) {
  sinew_error error;
  open_pose(L, self);
  si_progress_check(L, &self->progress, "pose");
  self->progress.running = true;
  sinew_status status = run(L, self->program, self->pose, work, context, &error);
  self->progress = (si_progress){ .failed = status < 0, .revision = self->program->revision };
  if (status < 0) si_raise(L, &error);
}

static void evaluate(lua_State *L, pose_lua *self) { work_on(L, self, only_eval, NULL); }

void si_pose_work(lua_State *L, int index, const si_program *program, const char *what,
                  si_pose_job *work, void *context) {
  pose_lua *self = open_pose(L, si_lua_check(L, index, &si_pose_type));
  if (self->program != program)
    luaL_error(
        L, "the pose belongs to another rig than the %s, or was created before the rig was edited",
        what);
  work_on(L, self, work, context);
}

/* evaluates, unless the last evaluation failed and nothing has changed since */
static void refresh(lua_State *L, pose_lua *self) {
  if (!si_progress_stuck(&self->progress, self->program)) evaluate(L, self);
}

const sinew_pose *si_pose_evaluated(lua_State *L, int index) {
  pose_lua *self = open_pose(L, si_lua_check(L, index, &si_pose_type));
  refresh(L, self);
  return self->pose;
}

static si_lookup lookup(const pose_lua *self) {
  return (si_lookup){ self->rig, self->program->rig, "pose" };
}

static sinew_dof dof_at(lua_State *L, int index, const pose_lua *self, sinew_error *error) {
  si_lookup in = lookup(self);
  return si_lookup_dof(L, index, &in, error);
}

static int pose_index(lua_State *L) {
  const pose_lua *self = open_pose(L, lua_touserdata(L, 1));
  sinew_dof dof = dof_at(L, 2, self, NULL);
  if (dof.id) return si_return_number(L, sinew_pose_get(self->pose, dof));
  if (lua_type(L, 2) != LUA_TSTRING) return 0;
  si_lua_push_owner(L, 1);
  return si_pose_view_push(L, self->program->rig, lua_gettop(L));
}

float si_pose_value_check(lua_State *L, const sinew_rig *rig, sinew_dof dof, int index) {
  if (lua_type(L, index) != LUA_TNUMBER) {
    const char *got = si_lua_typename(L, index);
    luaL_error(L, "DOF '%s': number expected, got %s", sinew_rig_dof_info(rig, dof).name, got);
  }
  float value = (float)lua_tonumber(L, index);
  if (!isfinite(value))
    luaL_error(L, "DOF '%s': %f is not finite", sinew_rig_dof_info(rig, dof).name, (double)value);
  return value;
}

static int pose_newindex(lua_State *L) {
  pose_lua *self = open_pose(L, lua_touserdata(L, 1));
  sinew_dof dof = dof_at(L, 2, self, NULL);
  if (!dof.id) return 0;
  float value = si_pose_value_check(L, self->program->rig, dof, 3);
  start_change(L, self);
  sinew_pose_set(self->pose, dof, value, NULL);
  return 1;
}

static void pose_offer(lua_State *L, si_nearest *nearest) {
  const pose_lua *self = lua_touserdata(L, 1);
  const sinew_rig *rig = self->program->rig;
  for (int i = 0; i < sinew_rig_dof_count(rig); i++)
    si_nearest_offer(nearest, sinew_rig_dof_info(rig, sinew_rig_dof(rig, i)).name);
  for (int i = 0; i < sinew_rig_joint_set_count(rig); i++)
    si_nearest_offer(nearest, sinew_rig_joint_set_name(rig, sinew_rig_joint_set(rig, i)));
}

/* The setters go through their input twice, so that either all of it is set or nothing. */

static bool set_list(lua_State *L, pose_lua *self) {
  const sinew_rig *rig = self->program->rig;
  int count = sinew_rig_dof_count(rig);
  if ((int)lua_rawlen(L, 2) != count)
    luaL_error(L, "got %d value%s for %d DOF%s", (int)lua_rawlen(L, 2),
               si_plural((int)lua_rawlen(L, 2)), count, si_plural(count));
  bool inside = true;
  for (int pass = 0; pass < 2; pass++)
    for (int i = 0; i < count; i++) {
      sinew_dof dof = { (uint32_t)i + 1 };
      si_lua_spend_each(L, (size_t)i, (size_t)count, 1);
      lua_rawgeti(L, 2, i + 1);
      if (pass == 0)
        si_pose_value_check(L, rig, dof, -1);
      else
        inside &= sinew_pose_set(self->pose, dof, (float)lua_tonumber(L, -1), NULL) == SINEW_OK;
      lua_pop(L, 1);
    }
  return inside;
}

static bool set_named(lua_State *L, pose_lua *self) {
  enum { at_once = 16, cost = 12 };
  bool inside = true;
  sinew_error error;
  for (int pass = 0, read = 0; pass < 2; pass++) {
    lua_pushnil(L);
    while (lua_next(L, 2)) {
      if (++read % at_once == 0) si_lua_spend(L, (size_t)at_once * cost);
      sinew_dof dof = dof_at(L, -2, self, &error);
      if (!dof.id && error.count) si_raise(L, &error);
      if (!dof.id) luaL_error(L, "DOFs must be given in order, or by name or handle");
      if (pass == 0)
        si_pose_value_check(L, self->program->rig, dof, -1);
      else
        inside &= sinew_pose_set(self->pose, dof, (float)lua_tonumber(L, -1), NULL) == SINEW_OK;
      lua_pop(L, 1);
    }
  }
  return inside;
}

/* pose:set(values): a buffer or a table of all DOFs in the rig's order, or a table by name. Returns
 * true if all are inside their ranges, false if one was held. */
static int pose_set(lua_State *L) {
  pose_lua *self = self_pose(L);
  start_change(L, self);
  sinew_error error;
  size_t given;
  bool inside;
  const float *buffer = si_buffer_test(L, 2, &given);
  if (buffer) {
    si_lua_spend(L, given / 2);
    sinew_status status = sinew_pose_set_all(self->pose, buffer, (int)given, &error);
    if (status < 0) return si_raise(L, &error);
    inside = status == SINEW_OK;
  } else if (!lua_istable(L, 2)) {
    return si_lua_type_error(L, 2, "table or buffer");
  } else {
    inside = lua_rawlen(L, 2) > 0 ? set_list(L, self) : set_named(L, self);
  }
  return si_return_boolean(L, inside);
}

/* rig:pose(values?) */
static int rig_pose(lua_State *L) {
  si_lua_self(L, &si_rig_type);
  lua_settop(L, 2);
  sinew_error error;
  lua_newtable(L);
  lua_pushvalue(L, 1);
  lua_rawseti(L, -2, 1);
  pose_lua *self = si_lua_new(L, &si_pose_type, sizeof *self, lua_gettop(L));
  si_rig_lua *rig = si_rig_check(L, 1);
  self->rig = rig;
  self->program = si_rig_program(L, rig);
  self->program->refs++;
  si_lua_reserve(L, sinew_rig_pose_bytes(self->program->rig));
  self->pose = sinew_pose_create(self->program->rig, &error);
  if (!self->pose) return si_raise(L, &error);
  si_lua_weigh(L, sinew_rig_pose_bytes(self->program->rig));
  if (lua_isnoneornil(L, 2)) return 1;
  lua_pushcfunction(L, pose_set);
  lua_pushvalue(L, -2);
  lua_pushvalue(L, 2);
  lua_call(L, 2, 0);
  return 1;
}

/* pose:dofs([table or buffer]): all DOF values in the rig's order */
static int pose_dofs(lua_State *L) {
  const pose_lua *self = self_pose(L);
  return si_numbers_push(L, 2, sinew_pose_dofs(self->pose),
                         (size_t)sinew_rig_dof_count(self->program->rig));
}

static int pose_reset(lua_State *L) {
  pose_lua *self = self_pose(L);
  start_change(L, self);
  sinew_pose_reset(self->pose);
  return si_lua_done(L);
}

static int pose_eval(lua_State *L) {
  evaluate(L, self_pose(L));
  return si_lua_done(L);
}

static sinew_segment segment_at(lua_State *L, int index, const pose_lua *self) {
  si_lookup in = lookup(self);
  return si_lookup_segment(L, index, &in);
}

/* pose:world(segment [, mat4]): its world matrix, in a new mat4 or in the one given */
static int pose_world(lua_State *L) {
  pose_lua *self = self_pose(L);
  sinew_segment segment = segment_at(L, 2, self);
  float *dest = si_mat4_dest(L, 3);
  refresh(L, self);
  memcpy(dest, sinew_pose_world(self->pose, segment), 16 * sizeof(float));
  return 1;
}

/* pose:position(segment [, vec3]): where its origin is in the world */
static int pose_position(lua_State *L) {
  pose_lua *self = self_pose(L);
  sinew_segment segment = segment_at(L, 2, self);
  float *dest = si_vec3_dest(L, 3);
  refresh(L, self);
  memcpy(dest, sinew_pose_world(self->pose, segment) + 12, 3 * sizeof(float));
  return 1;
}

/* pose:frame(segment, from [, mat4]): its matrix in the frame of another segment */
static int pose_frame(lua_State *L) {
  pose_lua *self = self_pose(L);
  sinew_segment segment = segment_at(L, 2, self), from = segment_at(L, 3, self);
  float *dest = si_mat4_dest(L, 4), back[16];
  refresh(L, self);
  if (!si_mat4_inverse(sinew_pose_world(self->pose, from), back, NULL))
    return luaL_error(L, "segment '%s' is flattened: nothing has a frame in it",
                      sinew_rig_segment_info(self->program->rig, from).name);
  const float *world = sinew_pose_world(self->pose, segment);
  for (int i = 0; i < 16; i++) {
    double sum = 0;
    for (int k = 0; k < 4; k++) sum += (double)back[i % 4 + 4 * k] * (double)world[k + i / 4 * 4];
    dest[i] = (float)sum;
  }
  return 1;
}

/* pose:driven(segment [, mat4]): the matrix that drives it */
static int pose_driven(lua_State *L) {
  pose_lua *self = self_pose(L);
  sinew_segment segment = segment_at(L, 2, self);
  float *dest = si_mat4_dest(L, 3);
  refresh(L, self);
  memcpy(dest, sinew_pose_local(self->pose, segment), 16 * sizeof(float));
  return 1;
}

/* pose:worlds([table or buffer]): all world matrices, 16 numbers each, in the rig's order */
static int pose_worlds(lua_State *L) {
  pose_lua *self = self_pose(L);
  refresh(L, self);
  return si_numbers_push(L, 2, sinew_pose_worlds(self->pose),
                         16 * (size_t)sinew_rig_segment_count(self->program->rig));
}

/* the port at 2, or the only output of the component there */
static const si_handle *want_port(lua_State *L, const pose_lua *self) {
  const sinew_rig *rig = self->program->rig;
  const si_handle *port = si_lua_test(L, 2, &si_port_type);
  const si_lua_type *type = port ? &si_port_type : &si_component_type;
  if (si_expression_test(L, 2))
    luaL_error(L, "an expression has no value of its own in a pose; a bone tells the angles that "
                  "move it: pose:value(bone.held.flexion)");
  if (!port && !(port = si_lua_test(L, 2, type))) si_lua_type_error(L, 2, "port or component");
  si_lookup in = lookup(self);
  si_lookup_check(L, &in, port, type, sinew_rig_component_count(rig));
  sinew_component_info info = sinew_rig_component_info(rig, (sinew_component){ port->id });
  if (type == &si_component_type && info.output_count != 1)
    luaL_error(L, "component '%s' has %d outputs: name one, such as bend.angle", info.name,
               info.output_count);
  return port;
}

/* pose:value(port [, dest]): what a port carries: a number, a vec3 or a mat4 */
static int pose_value(lua_State *L) {
  pose_lua *self = self_pose(L);
  const si_handle *port = want_port(L, self);
  sinew_component component = { port->id };
  int output = (int)port->output;
  sinew_kind kind = sinew_rig_output_kind(self->program->rig, component, output);
  float *dest = NULL;
  if (kind == SINEW_VECTOR) dest = si_vec3_dest(L, 3);
  if (kind == SINEW_MATRIX) dest = si_mat4_dest(L, 3);
  refresh(L, self);
  const float *value = sinew_pose_value(self->pose, component, output);
  if (dest)
    memcpy(dest, value, (kind == SINEW_VECTOR ? 3 : 16) * sizeof(float));
  else
    lua_pushnumber(L, *value);
  return 1;
}

/* pose:holds(): what is held back, as a list of { name =, port =, by =, amount = } */
static int pose_holds(lua_State *L) {
  pose_lua *self = self_pose(L);
  refresh(L, self);
  int count = sinew_pose_holds(self->pose, NULL, 0);
  sinew_hold *holds = lua_newuserdatauv(L, ((size_t)count + 1) * sizeof *holds, 0);
  sinew_pose_holds(self->pose, holds, count);
  lua_createtable(L, count, 0);
  for (int i = 0; i < count; i++) {
    si_lua_spend_each(L, (size_t)i, (size_t)count, 20);
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

/* pose:marks(component): what a scripted component draws, as a list of tables */
static int pose_marks(lua_State *L) {
  pose_lua *self = self_pose(L);
  const si_handle *c = si_lua_test(L, 2, &si_component_type);
  if (!c) return si_lua_type_error(L, 2, "component");
  si_lookup in = lookup(self);
  si_lookup_check(L, &in, c, &si_component_type, sinew_rig_component_count(self->program->rig));
  refresh(L, self);
  return si_marks_push(L, self->pose, (sinew_component){ c->id });
}

/* frees a tangent, also if an error was raised */
static int tangent_close(lua_State *L) {
  sinew_tangent **self = lua_touserdata(L, 1);
  sinew_tangent_destroy(*self);
  *self = NULL;
  return 0;
}
static const si_lua_type tangent_type = { .name = "tangent", .close = tangent_close };

static void push_rows(lua_State *L, const float *rows, int count) {
  lua_createtable(L, count, 0);
  for (int i = 0; i < count; i++) {
    si_lua_spend_each(L, (size_t)i, (size_t)count, 10);
    memcpy(si_vec3_push(L), rows + 3 * i, 3 * sizeof *rows);
    lua_rawseti(L, -2, i + 1);
  }
}

/* pose:jacobian(segment [, { point =, dofs = }]): for each DOF the velocity of the point and the
 * angular velocity of the segment in radians, both in the world and per unit of the DOF */
static int pose_jacobian(lua_State *L) {
  typedef struct given {
    float point[3];
    int dofs;
  } given;
  static const si_option options[] = {
    SI_OPTION(given, point, VEC3),
    SI_OPTION_OF(given, dofs, LUA_TTABLE, "a list of DOFs, joint sets or their names"),
    SI_OPTION_END,
  };
  given g = { .dofs = 0 };
  lua_settop(L, 3);
  si_options_read(L, 3, "pose:jacobian", options, &g);
  pose_lua *self = self_pose(L);
  sinew_segment segment = segment_at(L, 2, self);
  sinew_tangent_desc desc = { .size = sizeof desc, .segments = &segment, .segment_count = 1 };
  if (g.dofs) {
    si_lookup in = lookup(self);
    lua_pushvalue(L, g.dofs);
    desc.dofs = si_lookup_dofs(L, &in, &desc.dof_count);
  }
  sinew_error error;
  sinew_tangent **tangent = si_lua_new(L, &tangent_type, sizeof *tangent, 0);
  int holder = lua_gettop(L);
  evaluate(L, self);
  *tangent = sinew_tangent_create(self->program->rig, &desc, &error);
  if (!*tangent) return si_raise(L, &error);
  self->progress.running = true;
  sinew_status status = run(L, self->program, self->pose, eval_tangent, *tangent, &error);
  self->progress.running = false;
  if (status < 0) return si_raise(L, &error);
  int count = sinew_tangent_columns(*tangent);
  float *rows = lua_newuserdatauv(L, ((size_t)count + 1) * 3 * sizeof *rows, 0);
  sinew_tangent_point(*tangent, segment, g.point, rows, 3);
  push_rows(L, rows, count);
  sinew_tangent_turn(*tangent, segment, rows, 3);
  push_rows(L, rows, count);
  sinew_tangent_destroy(*tangent);
  *(sinew_tangent **)lua_touserdata(L, holder) = NULL;
  return 2;
}

static int pose_rig(lua_State *L) {
  self_pose(L);
  si_lua_push_owner(L, 1);
  lua_rawgeti(L, -1, 1);
  return 1;
}

static int pose_tostring(lua_State *L) {
  const pose_lua *self = si_lua_check(L, 1, &si_pose_type);
  if (!self->pose) return si_return_string(L, "pose (closed)");
  const sinew_rig *rig = self->program->rig;
  const int dofs = sinew_rig_dof_count(rig), segments = sinew_rig_segment_count(rig);
  lua_pushfstring(L, "pose of rig '%s': %d DOF%s, %d segment%s", sinew_rig_name(rig), dofs,
                  si_plural(dofs), segments, si_plural(segments));
  return 1;
}

static const luaL_Reg methods[] = {
  { "set", pose_set },     { "dofs", pose_dofs },      { "reset", pose_reset },
  { "eval", pose_eval },   { "world", pose_world },    { "position", pose_position },
  { "frame", pose_frame }, { "driven", pose_driven },  { "worlds", pose_worlds },
  { "value", pose_value }, { "holds", pose_holds },    { "jacobian", pose_jacobian },
  { "marks", pose_marks }, { "blend", si_pose_blend }, { "carry", si_pose_carry },
  { "put", si_pose_put },  { "pack", si_pose_pack },   { "unpack", si_pose_unpack },
  { NULL, NULL }
};
static const luaL_Reg meta[] = { { "__tostring", pose_tostring }, { NULL, NULL } };
static const si_lua_field fields[] = { { "rig", pose_rig, NULL }, { NULL, NULL, NULL } };
const si_lua_type si_pose_type = { .name = "pose",
                                   .methods = methods,
                                   .meta = meta,
                                   .fields = fields,
                                   .index = pose_index,
                                   .newindex = pose_newindex,
                                   .offer = pose_offer,
                                   .close = pose_close,
                                   .key = "DOF, joint set, field or method" };

void si_open_pose(lua_State *L) {
  si_lua_type_open(L, &tangent_type);
  si_lua_type_open(L, &si_pose_type);
  si_lua_type_open(L, &si_pose_view_type);
  si_lua_type_supply(L, &si_rig_type, "pose", rig_pose);
}
