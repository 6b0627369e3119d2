/* A solver in Lua, for those that run one on other things than a pose. */
#ifndef SI_SOLVER_LUA_H
#define SI_SOLVER_LUA_H

#include "lua/play/goal_lua.h"

/* What a solver needs to solve a crowd; kept from call to call. */
typedef struct si_crowd_share {
  sinew_solve_batch *batch; /* NULL: no crowd was solved yet */
  sinew_goal *goals;        /* all goals of the first character, then of the second ... */
  sinew_solve_result *results;
  int threads, count; /* for which it was made */
} si_crowd_share;
void si_crowd_share_free(si_crowd_share *share);

typedef struct si_solver_lua {
  sinew_solver *solver; /* NULL: closed */
  si_program *program;
  const si_rig_lua *rig; /* the owner's */
  int goal_count;        /* as the script counts them */
  const int *turns;      /* of each goal, see si_goals */
  size_t bytes;          /* that the engine's solver takes */
  si_crowd_share share;
  bool running; /* it is running: a scripted component may try to use it */
} si_solver_lua;

/* The solver at `index`; raises for anything else, if it was closed, and while it is running. */
si_solver_lua *si_solver_check(lua_State *L, int index);
/* The goal that the value at `index` numbers or names, from 0, of the solver at `solver`. */
int si_solver_goal_check(lua_State *L, int index, int solver);

/* crowd:solve of crowd_lua.c, for the characters whose DOFs are given: solver at 2, targets at 3,
 * options at 4, result at 5; pushes the result. `running` is set meanwhile. */
typedef struct si_crowd_task {
  float *dofs; /* of all characters, one after the other */
  int count, threads;
  si_program *program;
  bool *running;
} si_crowd_task;
void si_crowd_solve(lua_State *L, const si_crowd_task *task);

/* The options of solving; `towards` and `rest`, which name what a solver has, are on the stack. */
typedef struct si_solve_given {
  sinew_solve_options options;
  int iterations, towards, rest;
  bool weighed;
} si_solve_given;

/* The table at `at`, or nil; and the options for a solver, for which what they point to is pushed.
 */
si_solve_given si_solve_options_read(lua_State *L, int at);
sinew_solve_options si_solve_options_take(lua_State *L, const si_solve_given *given,
                                          const si_solver_lua *self);
/* Sets the numbers of a result in the table on top of the stack. */
void si_solve_result_push(lua_State *L, const sinew_solve_result *result);

#endif
