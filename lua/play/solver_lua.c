/* Inverse kinematics in Lua: sinew.solver(rig, { goals =, dofs = }), then solver:solve(pose). Goals
 * count from 1; the fields of a goal determine its kind. They also go by name, solver.foot =
 * target: the key under which a goal was given, or the name of its segment. A solver's owner is a
 * table: the rig at 1, and the number of each goal under its name (0 where several have that name).
 */
#include "base/text.h"
#include "lua/base/reserve.h"
#include "lua/math/options.h"
#include "lua/math/quat_matrix.h"
#include "lua/play/play_lua.h"
#include "lua/rig/lookup.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

typedef struct solver_lua {
  sinew_solver *solver; /* NULL: closed */
  si_program *program;
  const si_rig_lua *rig; /* the owner's */
  bool running;          /* it is running: a scripted component may try to use it */
} solver_lua;

static void check_idle(lua_State *L, const solver_lua *self) {
  if (self->running)
    luaL_error(L, "the solver is running: a scripted component cannot change or use it");
}

static solver_lua *open_solver(lua_State *L, solver_lua *self) {
  if (!self->solver) luaL_error(L, "the solver was closed");
  check_idle(L, self);
  return self;
}

static solver_lua *self_solver(lua_State *L) {
  return open_solver(L, si_lua_self(L, &si_solver_type));
}

static int solver_close(lua_State *L) {
  solver_lua *self = lua_touserdata(L, 1);
  check_idle(L, self);
  sinew_solver_destroy(self->solver);
  si_program_release(self->program);
  self->solver = NULL;
  self->program = NULL;
  return 0;
}

static si_lookup lookup(const solver_lua *self) {
  return (si_lookup){ self->rig, self->program->rig, "solver" };
}

/* --- goals */

/* the rotation of a quat or mat4 at `index`; returns false for anything else */
static bool read_turn(lua_State *L, int index, float *dest) {
  float turn[4], matrix[16];
  if (si_quat_read(L, index, turn)) return si_quat_to_mat4(turn, dest);
  if (!si_mat4_read(L, index, matrix)) return false;
  memcpy(dest, matrix, sizeof matrix);
  return true;
}

static const char *const wanted[SINEW_GOAL_KINDS] = { "target", "turn", "aim", "look_at",
                                                      "distance" };

/* sets a goal's target from the value at `index`, whose type depends on the goal's kind */
static bool read_target(lua_State *L, int index, sinew_goal *goal) {
  if (goal->kind == SINEW_GOAL_TURN) return read_turn(L, index, goal->frame);
  if (goal->kind == SINEW_GOAL_DISTANCE && lua_type(L, index) == LUA_TNUMBER) {
    goal->distance = (float)lua_tonumber(L, index);
    return true;
  }
  return si_vec3_read(L, index, goal->target);
}

static int target_misfit(lua_State *L, int number, sinew_goal_kind kind) {
  const char *expected = "a vec3 or a table of three numbers";
  if (kind == SINEW_GOAL_TURN) expected = "a quat or a mat4";
  if (kind == SINEW_GOAL_DISTANCE) expected = "a number";
  return luaL_error(L, "solver: goal %d: '%s' must be %s, not %s", number, wanted[kind], expected,
                    si_lua_typename(L, -1));
}

/* reads the numbers that may change during the solver's life from the table at `at` */
static void read_numbers(lua_State *L, int at, const char *who, int number, sinew_goal *goal) {
  si_raw_field(L, at, wanted[goal->kind]);
  if (!lua_isnil(L, -1) && !read_target(L, -1, goal)) target_misfit(L, number, goal->kind);
  lua_pop(L, 1);
  if (goal->kind == SINEW_GOAL_DISTANCE) si_option_vec3(L, at, who, "target", goal->target);
  si_option_vec3(L, at, who, "point", goal->point);
  si_option_vec3(L, at, who, "direction", goal->direction);
  si_option_vec3(L, at, who, "other_point", goal->other_point);
  goal->weight = si_option_number(L, at, who, "weight", goal->weight, NULL);
}

static sinew_goal_kind kind_of(lua_State *L, int at, const char *who) {
  int found = -1;
  for (int k = SINEW_GOAL_KINDS - 1; k >= 0; k--) {
    si_raw_field(L, at, wanted[k]);
    bool there = !lua_isnil(L, -1);
    lua_pop(L, 1);
    if (!there || (k == SINEW_GOAL_POINT && found == SINEW_GOAL_DISTANCE)) continue;
    if (found >= 0)
      luaL_error(L, "%s has both '%s' and '%s': use two goals", who, wanted[k], wanted[found]);
    found = k;
  }
  if (found < 0)
    luaL_error(L, "%s needs one of 'target', 'turn', 'aim', 'look_at' or 'distance'", who);
  return (sinew_goal_kind)found;
}

/* reads the table on top of the stack as a goal */
static sinew_goal read_goal(lua_State *L, const solver_lua *self, int number) {
  static const char *const names[] = { "segment", "point",    "target",      "weight",
                                       "turn",    "look_at",  "aim",         "direction",
                                       "other",   "distance", "other_point", NULL };
  int at = lua_gettop(L);
  const char *who = lua_pushfstring(L, "solver: goal %d", number);
  si_lookup in = lookup(self);
  if (!lua_istable(L, at)) luaL_error(L, "%s must be a table", who);
  si_options_check(L, at, who, names, false);
  si_raw_field(L, at, "segment");
  if (lua_isnil(L, -1)) luaL_error(L, "%s: 'segment' is missing", who);
  sinew_goal goal =
      sinew_default_goal(kind_of(L, at, who), si_lookup_segment(L, lua_gettop(L), &in));
  si_raw_field(L, at, "other");
  if (!lua_isnil(L, -1)) {
    if (goal.kind != SINEW_GOAL_DISTANCE)
      luaL_error(L, "%s: 'other' is only allowed with 'distance'", who);
    goal.other = si_lookup_segment(L, lua_gettop(L), &in);
  }
  lua_pop(L, 2);
  read_numbers(L, at, who, number, &goal);
  lua_settop(L, at);
  return goal;
}

/* --- creating */

static int compare(const void *a, const void *b) {
  return strcmp(*(const char *const *)a, *(const char *const *)b);
}

/* the names in the table of goals, sorted, in memory that is pushed */
static const char **read_names(lua_State *L, int list, int listed, int *count) {
  int keys = 0, found = 0;
  for (lua_pushnil(L); lua_next(L, list); lua_pop(L, 1)) keys++;
  const char **names = lua_newuserdatauv(L, ((size_t)keys + 1) * sizeof *names, 0);
  for (lua_pushnil(L); lua_next(L, list); lua_pop(L, 1)) {
    if (lua_type(L, -2) == LUA_TSTRING)
      names[found++] = lua_tostring(L, -2);
    else if (lua_type(L, -2) != LUA_TNUMBER ||
             !(lua_tonumber(L, -2) >= 1 && lua_tonumber(L, -2) <= listed))
      luaL_error(L, "solver: goals are given in order, without gaps, or by name");
  }
  qsort(names, (size_t)found, sizeof *names, compare);
  *count = found;
  return names;
}

/* whether a solver has a method or field of that name */
static bool is_own_key(const char *name) {
  for (const luaL_Reg *m = si_solver_type.methods; m->name; m++)
    if (strcmp(m->name, name) == 0) return true;
  return strcmp(name, "close") == 0 || strcmp(name, "dofs") == 0;
}

/* notes in the table at `owner` by which names goals are known: those given, then segments */
static void name_goals(lua_State *L, int owner, const sinew_rig *rig, const sinew_solver_desc *desc,
                       const char *const *names, int named) {
  int listed = desc->goal_count - named;
  for (int i = 0; i < named; i++) {
    if (is_own_key(names[i]))
      luaL_error(L, "solver: a goal cannot be called '%s', which solvers have already", names[i]);
    lua_pushinteger(L, listed + i + 1);
    lua_setfield(L, owner, names[i]);
  }
  for (int g = 0; g < listed; g++) {
    const char *name = sinew_rig_segment_info(rig, desc->goals[g].segment).name;
    lua_getfield(L, owner, name);
    int known = (int)lua_tointeger(L, -1);
    bool taken = !lua_isnil(L, -1);
    lua_pop(L, 1);
    if (taken && known > listed) continue;
    lua_pushinteger(L, taken ? 0 : g + 1);
    lua_setfield(L, owner, name);
  }
}

static void read_desc(lua_State *L, int at, const solver_lua *self, int owner,
                      sinew_solver_desc *desc) {
  static const char *const names[] = { "goals", "dofs", NULL };
  si_lookup in = lookup(self);
  si_options_check(L, at, "solver", names, false);
  si_raw_field(L, at, "goals");
  if (!lua_istable(L, -1)) luaL_error(L, "solver: 'goals' must be a list of tables");
  int list = lua_gettop(L);
  int listed = (int)lua_rawlen(L, list), named;
  const char **goal_names = read_names(L, list, listed, &named);
  desc->goal_count = listed + named;
  if (desc->goal_count > 4096) luaL_error(L, "solver: more than 4096 goals");
  sinew_goal *goals = lua_newuserdatauv(L, ((size_t)desc->goal_count + 1) * sizeof *goals, 0);
  desc->goals = goals;
  for (int g = 0; g < desc->goal_count; g++) {
    if (g < listed)
      lua_rawgeti(L, list, g + 1);
    else
      si_raw_field(L, list, goal_names[g - listed]);
    goals[g] = read_goal(L, self, g + 1);
    lua_pop(L, 1);
  }
  name_goals(L, owner, self->program->rig, desc, goal_names, named);
  si_raw_field(L, at, "dofs");
  if (lua_isnil(L, -1)) return;
  if (!lua_istable(L, -1)) luaL_error(L, "solver: 'dofs' must be a list of DOFs or their names");
  desc->dofs = si_lookup_dofs(L, &in, &desc->dof_count);
}

/* sinew.solver(rig, { goals = { { segment =, target = } ... }, dofs = }) */
static int solver_new(lua_State *L) {
  luaL_checktype(L, 2, LUA_TTABLE);
  lua_settop(L, 2);
  si_rig_lua *rig = si_rig_check(L, 1);
  sinew_solver_desc desc = sinew_default_solver_desc();
  sinew_error error;
  lua_newtable(L);
  int owner = lua_gettop(L);
  lua_pushvalue(L, 1);
  lua_rawseti(L, owner, 1);
  solver_lua *self = si_lua_new(L, &si_solver_type, sizeof *self, owner);
  int at = lua_gettop(L);
  self->rig = rig;
  self->program = si_rig_program(L, rig);
  self->program->refs++;
  read_desc(L, 2, self, owner, &desc);
  /* most of it is the derivatives: up to 16 numbers for each DOF and component */
  const sinew_rig *compiled = self->program->rig;
  size_t dofs = desc.dofs ? (size_t)desc.dof_count : (size_t)sinew_rig_dof_count(compiled);
  size_t parts = (size_t)sinew_rig_component_count(compiled) +
                 (size_t)sinew_rig_segment_count(compiled) + 4 * (size_t)desc.goal_count;
  si_lua_reserve(L, dofs * parts * 16 * sizeof(float));
  size_t before = sinew_live_bytes();
  self->solver = sinew_solver_create(compiled, &desc, &error);
  if (!self->solver) return si_raise(L, &error);
  si_lua_weigh(L, sinew_live_bytes() - before);
  lua_pushvalue(L, at);
  return 1;
}

/* --- changing goals and ranges */

/* the goal whose name is at 2, or -1 */
static int find_goal(lua_State *L) {
  si_lua_push_owner(L, 1);
  lua_pushvalue(L, 2);
  lua_rawget(L, -2);
  int number = lua_isnil(L, -1) ? -1 : (int)lua_tointeger(L, -1);
  lua_pop(L, 2);
  if (number == 0)
    luaL_error(L,
               "solver: several goals are on '%s'; give them names: goals = { place = { ... }, "
               "turn = { ... } }",
               lua_tostring(L, 2));
  return number < 0 ? -1 : number - 1;
}

/* the names of goals, in no particular order */
static void offer_goals(lua_State *L, si_nearest *nearest) {
  si_lua_push_owner(L, 1);
  si_lua_offer_keys(L, -1, nearest);
  lua_pop(L, 1);
}

/* the goal at 2, by its number or name */
static int want_goal(lua_State *L, const solver_lua *self) {
  if (lua_type(L, 2) != LUA_TSTRING)
    return (int)si_lua_check_int(L, 2, 1, sinew_solver_goal_count(self->solver)) - 1;
  int found = find_goal(L);
  if (found >= 0) return found;
  si_nearest nearest;
  si_nearest_start(&nearest, lua_tostring(L, 2));
  offer_goals(L, &nearest);
  return si_lua_unknown(L, "solver", "goal", &nearest);
}

static int change_goal(lua_State *L, const solver_lua *self, int index, const sinew_goal *goal) {
  sinew_error error;
  if (sinew_solver_set_goal(self->solver, index, goal, &error) < 0) return si_raise(L, &error);
  lua_settop(L, 1);
  return 1;
}

/* solver:target(i, target): a vec3, a quat or mat4 for a rotation, a number for a distance */
static int solver_target(lua_State *L) {
  const solver_lua *self = self_solver(L);
  int index = want_goal(L, self);
  sinew_goal goal = sinew_solver_goal(self->solver, index);
  lua_settop(L, 3);
  if (!read_target(L, 3, &goal)) return target_misfit(L, index + 1, goal.kind);
  return change_goal(L, self, index, &goal);
}

/* solver.foot = target */
static int solver_newindex(lua_State *L) {
  const solver_lua *self = open_solver(L, lua_touserdata(L, 1));
  int index = lua_type(L, 2) == LUA_TSTRING ? find_goal(L) : -1;
  if (index < 0) return 0;
  sinew_goal goal = sinew_solver_goal(self->solver, index);
  if (!read_target(L, 3, &goal)) return target_misfit(L, index + 1, goal.kind);
  change_goal(L, self, index, &goal);
  return 1;
}

/* solver.foot: the target as it was set: a number, a mat4 or a vec3 */
static int solver_index(lua_State *L) {
  const solver_lua *self = open_solver(L, lua_touserdata(L, 1));
  int index = lua_type(L, 2) == LUA_TSTRING ? find_goal(L) : -1;
  if (index < 0) return 0;
  sinew_goal goal = sinew_solver_goal(self->solver, index);
  if (goal.kind == SINEW_GOAL_DISTANCE) return si_return_number(L, goal.distance);
  if (goal.kind == SINEW_GOAL_TURN)
    memcpy(si_mat4_push(L), goal.frame, sizeof goal.frame);
  else
    memcpy(si_vec3_push(L), goal.target, sizeof goal.target);
  return 1;
}

/* solver:goal(i, { target =, weight =, point =, ... }) */
static int solver_goal(lua_State *L) {
  const solver_lua *self = self_solver(L);
  int index = want_goal(L, self);
  sinew_goal goal = sinew_solver_goal(self->solver, index);
  const char *const names[] = { wanted[goal.kind],
                                "point",
                                "direction",
                                "other_point",
                                "weight",
                                goal.kind == SINEW_GOAL_DISTANCE ? "target" : NULL,
                                NULL };
  luaL_checktype(L, 3, LUA_TTABLE);
  const char *who = lua_pushfstring(L, "solver: goal %d", index + 1);
  si_options_check(L, 3, who, names, false);
  read_numbers(L, 3, who, index + 1, &goal);
  return change_goal(L, self, index, &goal);
}

static int column_of(const sinew_solver *solver, sinew_dof dof) {
  for (int i = 0; i < sinew_solver_dof_count(solver); i++)
    if (sinew_solver_dof(solver, i).id == dof.id) return i;
  return -1;
}

static int want_column(lua_State *L, int index, const solver_lua *self) {
  sinew_error error;
  si_lookup in = lookup(self);
  sinew_dof dof = si_lookup_dof(L, index, &in, &error);
  if (!dof.id && error.count) return si_raise(L, &error);
  if (!dof.id) return si_lua_type_error(L, index, "DOF or its name");
  int column = column_of(self->solver, dof);
  if (column < 0)
    return luaL_error(L, "the solver does not move DOF '%s'", sinew_rig_dof_info(in.rig, dof).name);
  return column;
}

/* solver:range(dof [, min, max]): limits a DOF in this solver; without numbers, restores its own
 * range */
static int solver_range(lua_State *L) {
  const solver_lua *self = self_solver(L);
  int column = want_column(L, 2, self);
  float min = lua_isnoneornil(L, 3) ? -INFINITY : si_lua_check_float(L, 3);
  float max = lua_isnoneornil(L, 4) ? INFINITY : si_lua_check_float(L, 4);
  sinew_error error;
  if (sinew_solver_set_range(self->solver, column, min, max, &error) < 0)
    return si_raise(L, &error);
  lua_settop(L, 1);
  return 1;
}

/* --- solving */

/* rest = a number for each of the solver's DOFs, in order or by name */
static const float *read_rest(lua_State *L, int at, const solver_lua *self) {
  si_raw_field(L, at, "rest");
  if (lua_isnil(L, -1)) return NULL;
  if (!lua_istable(L, -1)) luaL_error(L, "solve: 'rest' must be a table of numbers");
  int table = lua_gettop(L), count = sinew_solver_dof_count(self->solver);
  float *rest = lua_newuserdatauv(L, ((size_t)count + 1) * sizeof *rest, 0);
  for (int i = 0; i < count; i++)
    rest[i] = sinew_rig_dof_info(self->program->rig, sinew_solver_dof(self->solver, i)).rest;
  size_t listed = lua_rawlen(L, table);
  if (listed && (int)listed != count)
    luaL_error(L, "solve: 'rest' has %d value%s for %d DOF%s", (int)listed, si_plural((int)listed),
               count, si_plural(count));
  for (lua_pushnil(L); lua_next(L, table); lua_pop(L, 1)) {
    int64_t column = 0; /* counted from 1 */
    if (lua_type(L, -2) == LUA_TNUMBER)
      si_whole((double)lua_tonumber(L, -2), 1, count, &column);
    else
      column = want_column(L, lua_gettop(L) - 1, self) + 1;
    if (column < 1 || lua_type(L, -1) != LUA_TNUMBER)
      luaL_error(L, "solve: 'rest' must be a number for each DOF, in order or by name");
    rest[column - 1] = (float)lua_tonumber(L, -1);
  }
  return rest;
}

static sinew_solve_options read_options(lua_State *L, int at, const solver_lua *self) {
  static const char *const names[] = { "iterations",        "seconds",  "tolerance",
                                       "tolerance_turn",    "posture",  "rest",
                                       "metres_per_radian", "restarts", NULL };
  sinew_solve_options o = sinew_default_solve_options();
  if (lua_isnil(L, at)) return o;
  luaL_checktype(L, at, LUA_TTABLE);
  si_options_check(L, at, "solve", names, false);
  o.iterations = si_option_int(L, at, "solve", "iterations", 0, 1000000, o.iterations);
  o.seconds = (double)si_option_number(L, at, "solve", "seconds", 0, NULL);
  o.tolerance = si_option_number(L, at, "solve", "tolerance", o.tolerance, NULL);
  o.tolerance_turn = si_option_number(L, at, "solve", "tolerance_turn", o.tolerance_turn, NULL);
  o.posture = si_option_number(L, at, "solve", "posture", o.posture, NULL);
  o.metres_per_radian =
      si_option_number(L, at, "solve", "metres_per_radian", o.metres_per_radian, NULL);
  o.restarts = si_option_flag(L, at, "solve", "restarts", o.restarts);
  o.rest = read_rest(L, at, self);
  return o;
}

typedef struct solving {
  solver_lua *self;
  const sinew_solve_options *options;
  sinew_solve_result result;
} solving;

static sinew_status solve_work(sinew_pose *pose, void *context, sinew_error *error) {
  solving *s = context;
  s->self->running = true;
  sinew_status status = sinew_solver_solve(s->self->solver, pose, s->options, &s->result, error);
  s->self->running = false;
  return status;
}

/* solver:solve(pose [, options [, result]]): moves the pose's DOFs; the result goes into the given
 * table, or into a new one */
static int solver_solve(lua_State *L) {
  solver_lua *self = self_solver(L);
  lua_settop(L, 4);
  if (!lua_isnil(L, 4)) luaL_checktype(L, 4, LUA_TTABLE);
  sinew_solve_options options = read_options(L, 3, self);
  si_lua_spend(L, (size_t)options.iterations *
                      ((size_t)sinew_rig_component_count(self->program->rig) + 1));
  solving work = { .self = self, .options = &options };
  si_pose_work(L, 2, self->program, "solver", solve_work, &work);
  if (lua_isnil(L, 4))
    lua_createtable(L, 0, 8);
  else
    lua_pushvalue(L, 4);
  const sinew_solve_result *r = &work.result;
  const si_named_number numbers[] = { { "iterations", r->iterations },
                                      { "evaluations", r->evaluations },
                                      { "starts", r->starts },
                                      { "error", (double)r->error },
                                      { "error_turn", (double)r->error_turn },
                                      { "cost", (double)r->cost },
                                      { NULL, 0 } };
  si_set_numbers(L, numbers);
  lua_pushboolean(L, r->end == SINEW_SOLVE_REACHED);
  lua_setfield(L, -2, "reached");
  lua_pushstring(L, sinew_solve_end_name(r->end));
  lua_setfield(L, -2, "reason");
  return 1;
}

typedef struct measuring {
  sinew_goal goal;
  float off;
} measuring;

static sinew_status measure_work(sinew_pose *pose, void *context, sinew_error *error) {
  measuring *m = context;
  sinew_status status = sinew_pose_eval(pose, error);
  if (status >= 0) m->off = sinew_goal_error(&m->goal, pose);
  return status;
}

/* solver:error(i, pose): the error of goal i in that pose, in metres or degrees */
static int solver_error(lua_State *L) {
  const solver_lua *self = self_solver(L);
  measuring work = { .goal = sinew_solver_goal(self->solver, want_goal(L, self)) };
  si_pose_work(L, 3, self->program, "solver", measure_work, &work);
  return si_return_number(L, work.off);
}

static int solver_dofs(lua_State *L) {
  const solver_lua *self = open_solver(L, lua_touserdata(L, 1));
  int count = sinew_solver_dof_count(self->solver);
  lua_createtable(L, count, 0);
  for (int i = 0; i < count; i++) {
    sinew_dof dof = sinew_solver_dof(self->solver, i);
    lua_pushstring(L, sinew_rig_dof_info(self->program->rig, dof).name);
    lua_rawseti(L, -2, i + 1);
  }
  return 1;
}

static int solver_tostring(lua_State *L) {
  const solver_lua *self = si_lua_check(L, 1, &si_solver_type);
  if (!self->solver) return si_return_string(L, "solver (closed)");
  const int goals = sinew_solver_goal_count(self->solver);
  const int dofs = sinew_solver_dof_count(self->solver);
  lua_pushfstring(L, "solver of rig '%s': %d goal%s, %d DOF%s", sinew_rig_name(self->program->rig),
                  goals, si_plural(goals), dofs, si_plural(dofs));
  return 1;
}

static const luaL_Reg methods[] = { { "solve", solver_solve }, { "target", solver_target },
                                    { "goal", solver_goal },   { "range", solver_range },
                                    { "error", solver_error }, { NULL, NULL } };
static const luaL_Reg meta[] = { { "__tostring", solver_tostring }, { NULL, NULL } };
static const si_lua_field fields[] = { { "dofs", solver_dofs, NULL }, { NULL, NULL, NULL } };
const si_lua_type si_solver_type = { .name = "solver",
                                     .methods = methods,
                                     .meta = meta,
                                     .fields = fields,
                                     .index = solver_index,
                                     .newindex = solver_newindex,
                                     .offer = offer_goals,
                                     .close = solver_close,
                                     .key = "goal, field or method" };

void si_open_solver(lua_State *L) {
  si_lua_type_open(L, &si_solver_type);
  lua_pushcfunction(L, solver_new);
  lua_setfield(L, -2, "solver");
}
