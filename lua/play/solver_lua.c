/* Inverse kinematics in Lua: sinew.solver(pose, { goals =, dofs = }), then solver:solve(pose).
 * Goals count from 1; the fields of a goal determine its kind (goal_lua.c). They also go by name,
 * solver.foot = target. A solver's owner is a table: the rig at 1, and the number of each goal
 * under its name (0 where several have that name). */
#include "base/text.h"
#include "lua/base/reserve.h"
#include "lua/math/options.h"
#include "lua/play/solver_lua.h"

#include <math.h>
#include <string.h>

typedef si_solver_lua solver_lua;

static void check_idle(lua_State *L, const solver_lua *self) {
  if (self->running)
    luaL_error(L, "the solver is running: a scripted component cannot change or use it");
}

static solver_lua *open_solver(lua_State *L, solver_lua *self) {
  si_lua_opened(L, self, &si_solver_type);
  check_idle(L, self);
  return self;
}

static solver_lua *self_solver(lua_State *L) {
  return open_solver(L, si_lua_self(L, &si_solver_type));
}

si_solver_lua *si_solver_check(lua_State *L, int index) {
  return open_solver(L, si_lua_check(L, index, &si_solver_type));
}

static int solver_close(lua_State *L) {
  solver_lua *self = lua_touserdata(L, 1);
  check_idle(L, self);
  si_crowd_share_free(&self->share);
  sinew_solver_destroy(self->solver);
  si_program_release(self->program);
  self->solver = NULL;
  self->program = NULL;
  return 0;
}

static si_lookup lookup(const solver_lua *self) {
  return (si_lookup){ self->rig, self->program->rig, "solver" };
}

/* --- creating */

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

/* Sets the stiffness of the DOF or of all DOFs of the joint set at `index`. A set is the same as
 * its DOFs, as far as the solver moves them; it must move one. */
static void set_stiffness(lua_State *L, int index, const solver_lua *self, float stiffness) {
  sinew_error error;
  si_lookup in = lookup(self);
  sinew_joint_set set = si_lookup_joint_set(L, index, &in);
  int first = 0, last = sinew_solver_dof_count(self->solver) - 1, found = 0;
  if (!set.id) first = last = want_column(L, index, self);
  for (int i = first; i <= last; i++) {
    sinew_dof dof = sinew_solver_dof(self->solver, i);
    if (set.id && sinew_rig_dof_info(in.rig, dof).joint_set.id != set.id) continue;
    if (sinew_solver_set_stiffness(self->solver, i, stiffness, &error) < 0) si_raise(L, &error);
    found++;
  }
  if (!found)
    luaL_error(L, "the solver does not move a DOF of joint set '%s'",
               sinew_rig_joint_set_name(in.rig, set));
}

/* stiffness = { right_arm = 3, ["lumbar.bend"] = 100 }: joint sets first, so that a DOF may differ
 * from its set */
static void read_stiffness(lua_State *L, int table, const solver_lua *self) {
  si_lookup in = lookup(self);
  for (int pass = 0; pass < 2; pass++)
    for (lua_pushnil(L); lua_next(L, table); lua_pop(L, 1)) {
      int key = lua_gettop(L) - 1;
      if (lua_type(L, -1) != LUA_TNUMBER || lua_type(L, key) == LUA_TNUMBER)
        luaL_error(L, "solver: 'stiffness' must be a table of numbers by DOF or joint set");
      bool set = si_lookup_joint_set(L, key, &in).id != 0;
      if (set == (pass == 0)) set_stiffness(L, key, self, (float)lua_tonumber(L, -1));
    }
}

/* the options of a solver; tables are on the stack */
typedef struct solver_options {
  int goals, dofs, stiffness;
  bool root;
} solver_options;

static solver_options read_options(lua_State *L, int index) {
  static const si_option options[] = {
    SI_OPTION_OF(solver_options, goals, LUA_TTABLE, "a list of tables"),
    SI_OPTION_OF(solver_options, dofs, LUA_TTABLE, "a list of DOFs, joint sets or their names"),
    SI_OPTION_OF(solver_options, stiffness, LUA_TTABLE, "a table of numbers by DOF or joint set"),
    SI_OPTION(solver_options, root, FLAG),
    SI_OPTION_END,
  };
  solver_options o = { 0 };
  si_options_read(L, index, "solver", options, &o);
  if (!o.goals) luaL_error(L, "solver: 'goals' must be a list of tables");
  if (o.root && o.dofs)
    luaL_error(L, "solver: give 'root', or 'dofs' with those of the root, not both");
  return o;
}

/* what it points to is pushed */
static void fill_desc(lua_State *L, const solver_lua *self, const solver_options *o, int source,
                      int owner, si_goals *goals, sinew_solver_desc *desc) {
  si_lookup in = lookup(self);
  *goals = si_goals_read(L, o->goals, &in, self->program, source, owner);
  desc->goals = goals->goals;
  desc->goal_count = goals->total;
  desc->root = o->root;
  if (!o->dofs) return;
  lua_pushvalue(L, o->dofs);
  desc->dofs = si_lookup_dofs(L, &in, &desc->dof_count);
}

/* the memory that a solver may take: most of it is the derivatives, up to 16 numbers for each DOF
 * and component */
static size_t solver_bytes(const sinew_rig *rig, const sinew_solver_desc *desc) {
  size_t dofs = desc->dofs ? (size_t)desc->dof_count : (size_t)sinew_rig_dof_count(rig);
  size_t parts = (size_t)sinew_rig_component_count(rig) + (size_t)sinew_rig_segment_count(rig) +
                 4 * (size_t)desc->goal_count;
  return dofs * (parts * 16 * sizeof(float) + dofs * 5 * sizeof(double));
}

/* sinew.solver(rig or pose, { goals = { ... }, dofs =, root =, stiffness = }) */
static int solver_new(lua_State *L) {
  if (!si_lua_test(L, 1, &si_pose_type) && !si_lua_test(L, 1, &si_rig_type))
    return si_lua_type_error(L, 1, "rig or pose");
  luaL_checktype(L, 2, LUA_TTABLE);
  lua_settop(L, 2);
  sinew_solver_desc desc = sinew_default_solver_desc();
  sinew_error error;
  si_goals goals;
  const solver_options o = read_options(L, 2);
  lua_pushvalue(L, 1);
  const int source = lua_gettop(L); /* where pins are taken from */
  si_program *program = si_lua_test(L, 1, &si_pose_type) ? si_pose_program(L, 1) : NULL;
  if (!program) {
    program = si_rig_program(L, si_rig_check(L, 1));
    lua_pushvalue(L, 1);
  }
  int rig = lua_gettop(L), owner = rig + 1;
  lua_newtable(L);
  lua_pushvalue(L, rig);
  lua_rawseti(L, owner, 1);
  solver_lua *self = si_lua_new(L, &si_solver_type, sizeof *self, owner);
  int at = lua_gettop(L);
  self->rig = lua_touserdata(L, rig);
  self->program = program;
  program->refs++;
  fill_desc(L, self, &o, source, owner, &goals, &desc);
  self->goal_count = goals.count;
  self->turns = goals.turns;
  si_lua_reserve(L, solver_bytes(program->rig, &desc));
  size_t before = sinew_live_bytes();
  self->solver = sinew_solver_create(program->rig, &desc, &error);
  if (!self->solver) return si_raise(L, &error);
  self->bytes = sinew_live_bytes() - before;
  si_lua_weigh(L, self->bytes);
  if (o.stiffness) read_stiffness(L, o.stiffness, self);
  lua_pushvalue(L, at);
  return 1;
}

/* --- changing goals, ranges and stiffness */

/* the goal whose name is at `name`, or -1 */
static int find_goal(lua_State *L, int solver, int name) {
  si_lua_push_owner(L, solver);
  lua_pushvalue(L, name);
  lua_rawget(L, -2);
  int number = lua_isnil(L, -1) ? -1 : (int)lua_tointeger(L, -1);
  lua_pop(L, 2);
  if (number == 0)
    luaL_error(L,
               "solver: several goals are on '%s'; give them names: goals = { place = { ... }, "
               "turn = { ... } }",
               lua_tostring(L, name));
  return number < 0 ? -1 : number - 1;
}

/* the names of goals, in no particular order */
static void offer_goals(lua_State *L, si_nearest *nearest) {
  si_lua_push_owner(L, 1);
  si_lua_offer_keys(L, -1, nearest);
  lua_pop(L, 1);
}

int si_solver_goal_check(lua_State *L, int index, int solver) {
  const solver_lua *self = lua_touserdata(L, solver);
  if (lua_type(L, index) != LUA_TSTRING)
    return (int)si_lua_check_int(L, index, 1, self->goal_count) - 1;
  int found = find_goal(L, solver, index);
  if (found >= 0) return found;
  si_nearest nearest;
  si_nearest_start(&nearest, lua_tostring(L, index));
  si_lua_push_owner(L, solver);
  si_lua_offer_keys(L, -1, &nearest);
  return si_lua_unknown(L, "solver", "goal", &nearest);
}

/* the goal at 2, of the solver at 1 */
static int want_goal(lua_State *L) { return si_solver_goal_check(L, 2, 1); }

/* solver.hand: the goal of the name at 2, or -1 */
static int named_goal(lua_State *L) {
  return lua_type(L, 2) == LUA_TSTRING ? find_goal(L, 1, 2) : -1;
}

/* a goal, and the orientation that it has as a pin */
typedef struct goal_pair {
  int index, turn_at; /* turn_at: -1 if it has none */
  sinew_goal goal, turn;
} goal_pair;

static goal_pair pair_of(const solver_lua *self, int index) {
  goal_pair p = { .index = index, .turn_at = self->turns[index] };
  p.goal = sinew_solver_goal(self->solver, index);
  if (p.turn_at >= 0) p.turn = sinew_solver_goal(self->solver, p.turn_at);
  return p;
}

static sinew_goal *turn_of(goal_pair *p) { return p->turn_at < 0 ? NULL : &p->turn; }

static void change_goal(lua_State *L, const solver_lua *self, const goal_pair *p) {
  sinew_error error;
  if (sinew_solver_set_goal(self->solver, p->index, &p->goal, &error) < 0 ||
      (p->turn_at >= 0 && sinew_solver_set_goal(self->solver, p->turn_at, &p->turn, &error) < 0))
    si_raise(L, &error);
}

/* solver:target(i, target): a vec3, a quat or mat4 for a rotation, a number for a distance */
static int solver_target(lua_State *L) {
  const solver_lua *self = self_solver(L);
  goal_pair p = pair_of(self, want_goal(L));
  lua_settop(L, 3);
  si_goal_set(L, 3, p.index + 1, &p.goal, turn_of(&p));
  change_goal(L, self, &p);
  return si_lua_done(L);
}

/* solver.foot = target */
static int solver_newindex(lua_State *L) {
  const solver_lua *self = open_solver(L, lua_touserdata(L, 1));
  int index = named_goal(L);
  if (index < 0) return 0;
  goal_pair p = pair_of(self, index);
  si_goal_set(L, 3, index + 1, &p.goal, turn_of(&p));
  change_goal(L, self, &p);
  return 1;
}

/* solver.foot: the target as it was set: a number, a mat4 or a vec3 */
static int solver_index(lua_State *L) {
  const solver_lua *self = open_solver(L, lua_touserdata(L, 1));
  int index = named_goal(L);
  if (index < 0) return 0;
  goal_pair p = pair_of(self, index);
  si_goal_push(L, &p.goal, turn_of(&p));
  return 1;
}

/* solver:goal(i, { target =, weight =, point =, ... }) */
static int solver_goal(lua_State *L) {
  const solver_lua *self = self_solver(L);
  goal_pair p = pair_of(self, want_goal(L));
  luaL_checktype(L, 3, LUA_TTABLE);
  si_goal_change(L, 3, p.index + 1, &p.goal, turn_of(&p));
  change_goal(L, self, &p);
  return si_lua_done(L);
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

/* solver:stiffness(dof or joint set, number), or solver:stiffness(dof), which gives it */
static int solver_stiffness(lua_State *L) {
  const solver_lua *self = self_solver(L);
  lua_settop(L, 3);
  if (lua_isnil(L, 3))
    return si_return_number(L, sinew_solver_stiffness(self->solver, want_column(L, 2, self)));
  set_stiffness(L, 2, self, si_lua_check_float(L, 3));
  return si_lua_done(L);
}

/* --- solving */

/* weight of the posture where only its aim was given: goals are met to some micrometres */
static const float usual_posture = 1e-5f;

static float *push_rest(lua_State *L, const solver_lua *self) {
  int count = sinew_solver_dof_count(self->solver);
  float *rest = lua_newuserdatauv(L, ((size_t)count + 1) * sizeof *rest, 0);
  for (int i = 0; i < count; i++)
    rest[i] = sinew_rig_dof_info(self->program->rig, sinew_solver_dof(self->solver, i)).rest;
  return rest;
}

/* a number for each of the solver's DOFs from the table on top of the stack, in order or by name */
static const float *read_rest(lua_State *L, const char *name, const solver_lua *self) {
  int table = lua_gettop(L), count = sinew_solver_dof_count(self->solver);
  float *rest = push_rest(L, self);
  size_t listed = lua_rawlen(L, table);
  if (listed && (int)listed != count)
    luaL_error(L, "solve: '%s' has %d value%s for %d DOF%s", name, (int)listed,
               si_plural((int)listed), count, si_plural(count));
  for (lua_pushnil(L); lua_next(L, table); lua_pop(L, 1)) {
    int64_t column = 0; /* counted from 1 */
    if (lua_type(L, -2) == LUA_TNUMBER)
      si_whole((double)lua_tonumber(L, -2), 1, count, &column);
    else
      column = want_column(L, lua_gettop(L) - 1, self) + 1;
    if (column < 1 || lua_type(L, -1) != LUA_TNUMBER)
      luaL_error(L, "solve: '%s' must be a number for each DOF, in order or by name", name);
    rest[column - 1] = (float)lua_tonumber(L, -1);
  }
  return rest;
}

/* the DOFs of the pose on top of the stack */
static const float *read_pose(lua_State *L, const solver_lua *self) {
  const sinew_pose *pose = si_pose_read(L, lua_gettop(L));
  float *rest = push_rest(L, self);
  if (sinew_pose_rig(pose) != self->program->rig)
    luaL_error(L, "solve: 'towards' is a pose of another rig");
  for (int i = 0; i < sinew_solver_dof_count(self->solver); i++)
    rest[i] = sinew_pose_get(pose, sinew_solver_dof(self->solver, i));
  return rest;
}

/* towards = "start", "rest", a pose or a table, at an index; 0: missing. What it points to is
 * pushed. */
static void read_towards(lua_State *L, int at, const char *name, const solver_lua *self,
                         sinew_solve_options *o) {
  if (!at) return;
  lua_pushvalue(L, at);
  const char *word = lua_type(L, -1) == LUA_TSTRING ? lua_tostring(L, -1) : NULL;
  o->towards = SINEW_POSTURE_REST;
  if (word && strcmp(word, "start") == 0)
    o->towards = SINEW_POSTURE_START;
  else if (lua_istable(L, -1))
    o->rest = read_rest(L, name, self);
  else if (si_lua_test(L, -1, &si_pose_type))
    o->rest = read_pose(L, self);
  else if (!word || strcmp(word, "rest") != 0)
    luaL_error(L, "solve: '%s' must be \"start\", \"rest\", a pose or a table of numbers, not %s",
               name, word ? lua_pushfstring(L, "\"%s\"", word) : si_lua_typename(L, -1));
}

#define SOLVE(field, sort) SI_OPTION_IN(si_solve_given, options, field, sort)
si_solve_given si_solve_options_read(lua_State *L, int at) {
  static const si_option options[] = {
    SOLVE(posture, NUMBER),
    SI_OPTION_RANGE(si_solve_given, iterations, 0, 1000000),
    SOLVE(seconds, DOUBLE),
    SOLVE(tolerance, NUMBER),
    SOLVE(tolerance_turn, NUMBER),
    SOLVE(metres_per_radian, NUMBER),
    SOLVE(restarts, FLAG),
    SOLVE(escapes, FLAG),
    SOLVE(most_step, NUMBER),
    SI_OPTION(si_solve_given, towards, VALUE),
    SI_OPTION(si_solve_given, rest, VALUE),
    SI_OPTION_END,
  };
  si_solve_given g = { .options = sinew_default_solve_options() };
  g.iterations = g.options.iterations;
  g.weighed = si_options_read(L, at, "solve", options, &g) & 1;
  g.options.iterations = g.iterations;
  if (g.towards && g.rest) luaL_error(L, "solve: 'rest' and 'towards' are the same; give one");
  return g;
}
#undef SOLVE

sinew_solve_options si_solve_options_take(lua_State *L, const si_solve_given *given,
                                          const solver_lua *self) {
  sinew_solve_options o = given->options;
  read_towards(L, given->towards, "towards", self, &o);
  read_towards(L, given->rest, "rest", self, &o);
  if (given->towards && !given->weighed) o.posture = usual_posture;
  return o;
}

typedef sinew_status solve_function(sinew_solver *solver, sinew_pose *pose,
                                    const sinew_solve_options *options, sinew_solve_result *result,
                                    sinew_error *error);

typedef struct solving {
  solver_lua *self;
  solve_function *solve;
  const sinew_solve_options *options;
  sinew_solve_result result;
} solving;

static sinew_status solve_work(sinew_pose *pose, void *context, sinew_error *error) {
  solving *s = context;
  s->self->running = true;
  sinew_status status = s->solve(s->self->solver, pose, s->options, &s->result, error);
  s->self->running = false;
  return status;
}

void si_solve_result_push(lua_State *L, const sinew_solve_result *r) {
  const si_named_number numbers[] = { { "iterations", r->iterations },
                                      { "evaluations", r->evaluations },
                                      { "starts", r->starts },
                                      { "error", (double)r->error },
                                      { "error_turn", (double)r->error_turn },
                                      { "cost", (double)r->cost },
                                      { NULL, 0 } };
  si_set_numbers(L, numbers);
}

/* solves or drags the pose at 2, with the options at 3; the result goes into the table at 4, or
 * into a new one */
static int move(lua_State *L, solve_function *solve) {
  si_lua_self(L, &si_solver_type);
  lua_settop(L, 4);
  if (!lua_isnil(L, 4)) luaL_checktype(L, 4, LUA_TTABLE);
  const si_solve_given given = si_solve_options_read(L, 3);
  solver_lua *self = self_solver(L);
  sinew_solve_options options = si_solve_options_take(L, &given, self);
  solving work = { .self = self, .solve = solve, .options = &options };
  si_pose_work(L, 2, self->program, "solver", solve_work, &work);
  if (lua_isnil(L, 4))
    lua_createtable(L, 0, 8);
  else
    lua_pushvalue(L, 4);
  si_solve_result_push(L, &work.result);
  lua_pushboolean(L, work.result.end == SINEW_SOLVE_REACHED);
  lua_setfield(L, -2, "reached");
  lua_pushstring(L, sinew_solve_end_name(work.result.end));
  lua_setfield(L, -2, "reason");
  return 1;
}

/* solver:solve(pose [, options [, result]]): moves the pose's DOFs */
static int solver_solve(lua_State *L) { return move(L, sinew_solver_solve); }
/* solver:drag(pose [, options [, result]]): a frame of a drag */
static int solver_drag(lua_State *L) { return move(L, sinew_solver_drag); }

static sinew_status press_work(sinew_pose *pose, void *context, sinew_error *error) {
  solver_lua *self = context;
  self->running = true;
  sinew_status status = sinew_solver_press(self->solver, pose, error);
  self->running = false;
  return status;
}

/* solver:press(pose): a drag begins */
static int solver_press(lua_State *L) {
  solver_lua *self = self_solver(L);
  si_lua_spend(L, (size_t)sinew_rig_component_count(self->program->rig) + 1);
  si_pose_work(L, 2, self->program, "solver", press_work, self);
  return si_lua_done(L);
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

/* solver:error(i, pose): the error of goal i in that pose, in metres or degrees; of a pin both */
static int solver_error(lua_State *L) {
  const solver_lua *self = self_solver(L);
  goal_pair p = pair_of(self, want_goal(L));
  measuring work = { .goal = p.goal };
  si_pose_work(L, 3, self->program, "solver", measure_work, &work);
  lua_pushnumber(L, work.off);
  if (p.turn_at < 0) return 1;
  work.goal = p.turn;
  si_pose_work(L, 3, self->program, "solver", measure_work, &work);
  lua_pushnumber(L, work.off);
  return 2;
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
  const int goals = self->goal_count;
  const int dofs = sinew_solver_dof_count(self->solver);
  lua_pushfstring(L, "solver of rig '%s': %d goal%s, %d DOF%s", sinew_rig_name(self->program->rig),
                  goals, si_plural(goals), dofs, si_plural(dofs));
  return 1;
}

static const luaL_Reg methods[] = {
  { "solve", solver_solve },         { "press", solver_press }, { "drag", solver_drag },
  { "target", solver_target },       { "goal", solver_goal },   { "range", solver_range },
  { "stiffness", solver_stiffness }, { "error", solver_error }, { NULL, NULL }
};
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
