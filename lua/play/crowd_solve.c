/* crowd:solve(solver, { hand = targets }): one solve for each character, on the crowd's threads. */
#include "lua/base/reserve.h"
#include "lua/math/options.h"
#include "lua/play/solver_lua.h"

#include <math.h>
#include <string.h>

void si_crowd_share_free(si_crowd_share *share) {
  sinew_solve_batch_destroy(share->batch);
  si_free(share->goals);
  si_free(share->results);
  *share = (si_crowd_share){ .batch = NULL };
}

/* the desc of a solver, with its goals and DOFs in memory that is pushed */
static sinew_solver_desc describe(lua_State *L, const sinew_solver *solver) {
  sinew_solver_desc desc = sinew_default_solver_desc();
  desc.goal_count = sinew_solver_goal_count(solver);
  desc.dof_count = sinew_solver_dof_count(solver);
  sinew_goal *goals = lua_newuserdatauv(L, (size_t)desc.goal_count * sizeof *goals, 0);
  sinew_dof *dofs = lua_newuserdatauv(L, (size_t)desc.dof_count * sizeof *dofs, 0);
  for (int i = 0; i < desc.goal_count; i++) goals[i] = sinew_solver_goal(solver, i);
  for (int i = 0; i < desc.dof_count; i++) dofs[i] = sinew_solver_dof(solver, i);
  desc.goals = goals;
  desc.dofs = dofs;
  return desc;
}

/* makes what is missing for this crowd */
static void prepare(lua_State *L, si_solver_lua *self, const si_crowd_task *task) {
  si_crowd_share *share = &self->share;
  if (share->batch && share->threads == task->threads && share->count == task->count) return;
  sinew_error error;
  const sinew_rig *rig = self->program->rig;
  size_t goals = (size_t)task->count * (size_t)sinew_solver_goal_count(self->solver);
  size_t before = sinew_live_bytes();
  si_crowd_share_free(share);
  si_lua_reserve(L, (size_t)task->threads * (self->bytes + sinew_rig_pose_bytes(rig)) +
                        goals * sizeof *share->goals +
                        (size_t)task->count * sizeof *share->results);
  sinew_solver_desc desc = describe(L, self->solver);
  share->goals = si_alloc_array(goals, sizeof *share->goals);
  share->results = si_alloc_array((size_t)task->count, sizeof *share->results);
  if (!share->goals || !share->results) luaL_error(L, "out of memory");
  share->batch = sinew_solve_batch_create(rig, &desc, task->threads, &error);
  if (!share->batch) si_raise(L, &error);
  share->threads = task->threads;
  share->count = task->count;
  si_lua_weigh(L, sinew_live_bytes() - before);
}

/* goals, ranges and stiffness as the solver has them now */
static void copy_settings(const si_solver_lua *self, int count) {
  const si_crowd_share *share = &self->share;
  sinew_solver *dest = sinew_solve_batch_solver(share->batch);
  int goals = sinew_solver_goal_count(self->solver);
  for (int i = 0; i < sinew_solver_dof_count(self->solver); i++) {
    float min, max;
    sinew_solver_range(self->solver, i, &min, &max);
    sinew_solver_set_range(dest, i, min, max, NULL);
    sinew_solver_set_stiffness(dest, i, sinew_solver_stiffness(self->solver, i), NULL);
  }
  for (int g = 0; g < goals; g++) {
    sinew_goal goal = sinew_solver_goal(self->solver, g);
    for (int c = 0; c < count; c++) share->goals[(size_t)c * (size_t)goals + (size_t)g] = goal;
  }
}

/* --- targets */

/* the numbers of the buffer or flat table at `index`; NULL for a table with one value for each
 * character */
static const float *numbers_at(lua_State *L, int index, int characters, size_t *count) {
  const float *buffer = si_buffer_test(L, index, count);
  if (buffer) return buffer;
  if (!lua_istable(L, index)) si_lua_type_error(L, index, "table or buffer");
  *count = lua_rawlen(L, index);
  if (*count == (size_t)characters) return NULL;
  float *numbers = lua_newuserdatauv(L, (*count + 1) * sizeof *numbers, 0);
  for (size_t i = 0; i < *count; i++) {
    lua_rawgeti(L, index, (int)i + 1);
    if (lua_type(L, -1) != LUA_TNUMBER)
      luaL_error(L, "crowd:solve: %d targets for %d characters", (int)*count, characters);
    numbers[i] = (float)lua_tonumber(L, -1);
    lua_pop(L, 1);
  }
  return numbers;
}

/* pushes what a target of that many numbers is, and gives its floats; NULL for a number */
static float *push_value(lua_State *L, size_t width) {
  switch (width) {
  case 1: lua_pushnil(L); return NULL;
  case 3: return si_vec3_push(L);
  case 4: return si_quat_push(L);
  default: return si_mat4_push(L);
  }
}

/* the targets at `index` of one goal, for all characters */
static void read_targets(lua_State *L, const si_solver_lua *self, int goal, int index, int count) {
  int top = lua_gettop(L), total = sinew_solver_goal_count(self->solver);
  size_t given, characters = (size_t)count;
  const float *numbers = numbers_at(L, index, count, &given);
  size_t width = numbers ? given / characters : 1;
  if (given != width * characters || (width != 1 && width != 3 && width != 4 && width != 16))
    luaL_error(L, "crowd:solve: goal %d: %d numbers for %d characters; each has 1, 3, 4 or 16",
               goal + 1, (int)given, count);
  float *scratch = numbers ? push_value(L, width) : NULL;
  int value = lua_gettop(L);
  for (int c = 0; c < count; c++) {
    sinew_goal *goals = self->share.goals + (size_t)c * (size_t)total;
    int turn = self->turns[goal];
    si_lua_spend_each(L, (size_t)c, characters, 5);
    if (scratch)
      memcpy(scratch, numbers + (size_t)c * width, width * sizeof *scratch);
    else if (numbers)
      lua_pushnumber(L, numbers[c]);
    else
      lua_rawgeti(L, index, c + 1);
    si_goal_set(L, scratch ? value : -1, goal + 1, &goals[goal], turn < 0 ? NULL : &goals[turn]);
    if (!scratch) lua_pop(L, 1);
  }
  lua_settop(L, top);
}

/* --- solving */

static sinew_status run(lua_State *L, si_solver_lua *self, const si_crowd_task *task,
                        const sinew_solve_options *options, sinew_error *error) {
  bool scripted = sinew_rig_can_fail(self->program->rig);
  si_script_scope scope;
  if (scripted && !si_script_enter(L, &scope, error)) si_raise(L, error);
  self->program->running++;
  self->running = *task->running = true;
  sinew_status status =
      sinew_solve_batch_run(self->share.batch, task->dofs, sinew_rig_dof_count(self->program->rig),
                            self->share.goals, task->count, options, self->share.results, error);
  self->running = *task->running = false;
  self->program->running--;
  if (scripted) si_script_leave(L, &scope);
  return status;
}

/* what all results come to, into the table on top of the stack */
static void push_results(lua_State *L, const sinew_solve_result *results, int count) {
  sinew_solve_result sum = { .error = 0 };
  int reached = 0, missed = 0;
  lua_newtable(L);
  for (int c = 0; c < count; c++) {
    const sinew_solve_result *r = &results[c];
    sum.iterations += r->iterations;
    sum.evaluations += r->evaluations;
    sum.starts += r->starts;
    sum.cost += r->cost;
    sum.error = fmaxf(sum.error, r->error);
    sum.error_turn = fmaxf(sum.error_turn, r->error_turn);
    reached += r->end == SINEW_SOLVE_REACHED;
    if (r->end == SINEW_SOLVE_REACHED) continue;
    lua_pushinteger(L, c + 1);
    lua_rawseti(L, -2, ++missed);
  }
  lua_setfield(L, -2, "missed");
  si_solve_result_push(L, &sum);
  lua_pushinteger(L, reached);
  lua_setfield(L, -2, "reached");
}

void si_crowd_solve(lua_State *L, const si_crowd_task *task) {
  sinew_error error;
  lua_settop(L, 5);
  const si_solve_given given = si_solve_options_read(L, 4);
  si_solver_lua *self = si_solver_check(L, 2);
  if (self->program != task->program)
    luaL_error(
        L,
        "the solver belongs to another rig than the crowd, or was made before the rig was edited");
  if (!lua_isnil(L, 3)) luaL_checktype(L, 3, LUA_TTABLE);
  if (!lua_isnil(L, 5)) luaL_checktype(L, 5, LUA_TTABLE);
  sinew_solve_options options = si_solve_options_take(L, &given, self);
  prepare(L, self, task);
  copy_settings(self, task->count);
  if (!lua_isnil(L, 3))
    for (lua_pushnil(L); lua_next(L, 3); lua_pop(L, 1)) {
      int value = lua_gettop(L);
      read_targets(L, self, si_solver_goal_check(L, value - 1, 2), value, task->count);
    }
  sinew_status status = run(L, self, task, &options, &error);
  if (lua_isnil(L, 5))
    lua_createtable(L, 0, 8);
  else
    lua_pushvalue(L, 5);
  push_results(L, self->share.results, task->count);
  if (status < 0) si_raise(L, &error);
}
