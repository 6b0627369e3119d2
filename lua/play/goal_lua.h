/* Goals of a solver as scripts write them: { "carpus_r", target = { x, y, z } }. A pin is two goals
 * of the engine, a position and an orientation; the second one follows all first ones, so that the
 * numbers of goals are the same in messages of the engine. */
#ifndef SI_GOAL_LUA_H
#define SI_GOAL_LUA_H

#include "lua/play/play_lua.h"
#include "lua/rig/lookup.h"

/* The goals of a solver. `goals` is in memory that is pushed, `turns` in memory that the owner
 * keeps. */
typedef struct si_goals {
  sinew_goal *goals;
  int count;  /* as the script counts them */
  int total;  /* with the orientations of pins */
  int *turns; /* of each goal: the index of its orientation, or -1 */
} si_goals;

/* Reads the table of goals at `list`. Names are looked up in `in`. Pins are taken from the pose or,
 * at rest, from the rig at `source`, a pose of `program`. The table at `owner` gets the number of
 * each goal under its name, the key under which it was given, or the name of its segment (0 where
 * several have that name); and at 2 the memory of `turns`. */
si_goals si_goals_read(lua_State *L, int list, const si_lookup *in, const si_program *program,
                       int source, int owner);

/* Sets the target of a goal, whose number from 1 is for messages, from the value at `index`: what
 * stands behind `target`, `turn` and so on. For a pin a vec3, a quat, or a mat4 for both. `turn` is
 * its orientation, or NULL. Raises if it does not fit. */
void si_goal_set(lua_State *L, int index, int number, sinew_goal *goal, sinew_goal *turn);
/* Pushes what si_goal_set takes: a number, a vec3 or a mat4. */
void si_goal_push(lua_State *L, const sinew_goal *goal, const sinew_goal *turn);
/* Changes the numbers of a goal that the table at `index` has: target, point, weight ... */
void si_goal_change(lua_State *L, int index, int number, sinew_goal *goal, sinew_goal *turn);

#endif
