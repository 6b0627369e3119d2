/* The cost of Lua: a scripted component against a bare call of its function, a rig evaluated from
 * Lua against the same rig in C, a thousand poses set in one call against one by one, and a
 * thousand humans evaluated in one call from Lua against the same call in C. */
#include "bench.h"
#include "lua/module/module.h"
#include "lua/play/play_lua.h"

#include <stdio.h>
#include <stdlib.h>

enum { scripted = 64, rounds = 64, crowd = 1000, dofs = 19 };

static const char setup[] =
    "package.path = 'lua/?.lua;lua/?/init.lua;rigs/?.lua;' .. package.path\n"
    "local sinew = require 'sinew'\n"
    /* components that all read the same DOF */
    "function spring_eval(self, angle) return angle / (1 + self.stiffness) end\n"
    "function spring_rig(count)\n"
    "  local Spring = sinew.component { name = 'spring', inputs = { 'angle' },\n"
    "    outputs = { 'angle' }, params = { stiffness = 1 }, eval = spring_eval, record = false }\n"
    "  local rig = sinew.rig 'springs'\n"
    "  local x = rig:dof 'x'\n"
    "  for i = 1, count do rig:add(Spring { x, stiffness = i }) end\n"
    "  return rig\n"
    "end\n"
    /* limbs of fifteen segments on one root, as bench_body makes them */
    "function body_rig(segments, rotations)\n"
    "  local rig = sinew.rig 'body'\n"
    "  for i = 0, segments - 1 do\n"
    "    local set = rig:joint_set('j' .. i)\n"
    "    local parent = i > 0 and 's' .. (i % 15 > 0 and i - 1 or 0) or nil\n"
    "    local bone = rig:segment('s' .. i, { parent = parent, at = { 0, 0.1, 0.005 } })\n"
    "    local factors = {}\n"
    "    for r = 1, rotations do\n"
    "      local axis = { 0.05, 0.07, 0.03 }\n"
    "      axis[(r - 1) % 3 + 1] = 1\n"
    "      factors[r] = set:rotation { set:dof('q' .. r, { min = -90, max = 90 }), axis = axis,\n"
    "        centre = { 0, 0.005, -0.01 } }\n"
    "    end\n"
    "    bone:drive(set:multiply(factors))\n"
    "  end\n"
    "  return rig\n"
    "end\n"
    "function move(pose, buffers, times)\n"
    "  local count = #buffers\n"
    "  for i = 1, times do\n"
    "    pose:set(buffers[i % count + 1])\n"
    "    pose:eval()\n"
    "  end\n"
    "end\n"
    /* two sets of values, so that every DOF moves each time */
    "function crowd_values(characters, dofs)\n"
    "  local both = {}\n"
    "  for k = 1, 2 do\n"
    "    local buffer = sinew.buffer(characters * dofs)\n"
    "    local buffers, tables, names = {}, {}, {}\n"
    "    for i = 1, #buffer do buffer[i] = (i * 7 + k * 13) % 90 end\n"
    "    for c = 1, characters do\n"
    "      buffers[c] = buffer:copy((c - 1) * dofs + 1, c * dofs)\n"
    "      tables[c] = buffers[c]:table()\n"
    "    end\n"
    "    for d = 1, dofs do names[d] = 'j' .. d - 1 .. '.q1' end\n"
    "    both[k] = { all = buffer, buffers = buffers, tables = tables, names = names }\n"
    "  end\n"
    "  return both\n"
    "end\n"
    "function poses_of(rig, count)\n"
    "  local poses = {}\n"
    "  for c = 1, count do poses[c] = rig:pose() end\n"
    "  return poses\n"
    "end\n"
    "function human_rig() return dofile 'rigs/human.lua' end\n"
    "function pose_crowd(crowd, values, worlds, times)\n"
    "  for i = 1, times do crowd:pose(values[i % #values + 1], worlds) end\n"
    "end\n"
    "ways = {}\n"
    "function ways.once(target, both, times)\n"
    "  for i = 1, times do target:set(both[i % 2 + 1].all) end\n"
    "end\n"
    "function ways.buffers(poses, both, times)\n"
    "  for i = 1, times do\n"
    "    local values = both[i % 2 + 1].buffers\n"
    "    for c = 1, #poses do poses[c]:set(values[c]) end\n"
    "  end\n"
    "end\n"
    "function ways.tables(poses, both, times)\n"
    "  for i = 1, times do\n"
    "    local values = both[i % 2 + 1].tables\n"
    "    for c = 1, #poses do poses[c]:set(values[c]) end\n"
    "  end\n"
    "end\n"
    "function ways.names(poses, both, times)\n"
    "  for i = 1, times do\n"
    "    local values, names = both[i % 2 + 1].tables, both[1].names\n"
    "    for c = 1, #poses do\n"
    "      local pose, mine = poses[c], values[c]\n"
    "      for d = 1, #names do pose[names[d]] = mine[d] end\n"
    "    end\n"
    "  end\n"
    "end\n";

static void check_call(lua_State *L, int status) {
  if (status == LUA_OK) return;
  fprintf(stderr, "bench: %s\n", lua_tostring(L, -1));
  exit(1);
}

static lua_State *open_state(void) {
  lua_State *L = luaL_newstate();
  luaL_openlibs(L);
  luaL_requiref(L, "sinew", luaopen_sinew, 0);
  lua_pop(L, 1);
  check_call(L, luaL_dostring(L, setup));
  return L;
}

/* pushes the result of a global function with up to two number arguments (0: none) */
static void push_made(lua_State *L, const char *name, int a, int b) {
  lua_getglobal(L, name);
  lua_pushinteger(L, a);
  lua_pushinteger(L, b);
  check_call(L, lua_pcall(L, 2, 1, 0));
}

typedef struct springs {
  lua_State *L;
  si_program *program;
  sinew_pose *pose;
  int function, self; /* their indices on the stack */
} springs;

static void run_bare(void *context, int times) {
  const springs *s = context;
  lua_State *L = s->L;
  double sum = 0;
  for (int i = 0; i < times; i++) {
    lua_pushvalue(L, s->function);
    lua_pushvalue(L, s->self);
    lua_pushnumber(L, i & 63);
    lua_pcall(L, 2, 1, 0);
    sum += lua_tonumber(L, -1);
    lua_pop(L, 1);
  }
  bench_keep(&sum);
}

static void run_springs(void *context, int times) {
  const springs *s = context;
  for (int i = 0; i < times; i += scripted) {
    sinew_pose_set(s->pose, (sinew_dof){ 1 }, (float)(i / scripted % 63 + 1), NULL);
    si_program_eval(s->L, s->program, s->pose, NULL);
  }
}

static void run_springs_in_c(void *context, int times) {
  const springs *s = context;
  for (int i = 0; i < times; i += scripted) {
    sinew_pose_set(s->pose, (sinew_dof){ 1 }, (float)(i / scripted % 63 + 1), NULL);
    sinew_pose_eval(s->pose, NULL);
  }
}

static void bench_scripted(lua_State *L) {
  sinew_error error;
  push_made(L, "spring_rig", scripted, 0);
  si_program *program = si_rig_program(L, si_rig_check(L, -1));
  springs s = { .L = L, .program = program, .pose = sinew_pose_create(program->rig, &error) };
  bench_check(s.pose != NULL, &error);
  bench_check(sinew_pose_eval(s.pose, &error) >= 0, &error);
  lua_getglobal(L, "spring_eval");
  s.function = lua_gettop(L);
  lua_newtable(L);
  lua_pushinteger(L, 1);
  lua_setfield(L, -2, "stiffness");
  s.self = lua_gettop(L);
  double bare = bench_time("bare lua_pcall, one scalar in, one out", run_bare, &s);
  double component = bench_time("scripted component, one scalar in, one out", run_springs, &s);
  bench_time("scripted component, evaluated by a C program", run_springs_in_c, &s);
  bench_ratio("scripted component / bare lua_pcall", component / bare, 1.5);
  sinew_pose_destroy(s.pose);
  lua_settop(L, 0);
}

typedef struct body {
  lua_State *L;
  sinew_pose *pose;
  const float *values[rounds];
  int count;
} body;

static void run_body_in_c(void *context, int times) {
  const body *b = context;
  for (int i = 0; i < times; i++) {
    sinew_pose_set_all(b->pose, b->values[i % rounds], b->count, NULL);
    sinew_pose_eval(b->pose, NULL);
  }
}

/* move, a pose and the buffers are at the stack indices 2, 3 and 4 */
static void run_body_in_lua(void *context, int times) {
  lua_State *L = ((body *)context)->L;
  for (int i = 2; i <= 4; i++) lua_pushvalue(L, i);
  lua_pushinteger(L, times);
  check_call(L, lua_pcall(L, 3, 0, 0));
}

static void bench_human(lua_State *L) {
  sinew_error error;
  push_made(L, "body_rig", 75, 2);
  si_program *program = si_rig_program(L, si_rig_check(L, 1));
  body b = { .L = L, .count = sinew_rig_dof_count(program->rig) };
  b.pose = sinew_pose_create(program->rig, &error);
  bench_check(b.pose != NULL, &error);
  lua_getglobal(L, "move");
  lua_getfield(L, 1, "pose");
  lua_pushvalue(L, 1);
  check_call(L, lua_pcall(L, 1, 1, 0));
  lua_newtable(L);
  for (int k = 0; k < rounds; k++) {
    float *values = si_buffer_push(L, (size_t)b.count);
    for (int i = 0; i < b.count; i++) values[i] = 180 * bench_random() - 90;
    b.values[k] = values;
    lua_rawseti(L, 4, k + 1);
  }
  double in_c = bench_time("body75 set and evaluated in C", run_body_in_c, &b);
  double in_lua = bench_time("body75 by pose:set(buffer), pose:eval()", run_body_in_lua, &b);
  bench_ratio("body75 from Lua / from C", in_lua / in_c, 1.2);
  sinew_pose_destroy(b.pose);
  lua_settop(L, 0);
}

typedef struct way {
  lua_State *L;
  const char *name;
  int target; /* a crowd, or a table of poses */
} way;

/* the values are at the stack index 4 */
static void run_way(void *context, int times) {
  const way *w = context;
  lua_State *L = w->L;
  lua_getglobal(L, "ways");
  lua_getfield(L, -1, w->name);
  lua_remove(L, -2);
  lua_pushvalue(L, w->target);
  lua_pushvalue(L, 4);
  lua_pushinteger(L, times);
  check_call(L, lua_pcall(L, 3, 0, 0));
}

static void bench_crowd(lua_State *L) {
  push_made(L, "body_rig", dofs, 1);
  lua_getfield(L, 1, "crowd");
  lua_pushvalue(L, 1);
  lua_pushinteger(L, crowd);
  check_call(L, lua_pcall(L, 2, 1, 0));
  lua_getglobal(L, "poses_of");
  lua_pushvalue(L, 1);
  lua_pushinteger(L, crowd);
  check_call(L, lua_pcall(L, 2, 1, 0));
  push_made(L, "crowd_values", crowd, dofs);
  double once =
      bench_time("1000 poses of 19 DOFs, crowd:set(buffer)", run_way, &(way){ L, "once", 2 });
  double buffers =
      bench_time("the same, pose:set(buffer) for each", run_way, &(way){ L, "buffers", 3 });
  double tables =
      bench_time("the same, pose:set(table) for each", run_way, &(way){ L, "tables", 3 });
  double names =
      bench_time("the same, pose[name] = value for each", run_way, &(way){ L, "names", 3 });
  bench_ratio("crowd:set / pose:set(table) one by one", once / tables, 0.2);
  bench_ratio("crowd:set / pose[name] = value one by one", once / names, 0.2);
  bench_ratio("crowd:set / pose:set(buffer) one by one", once / buffers, 0);
  lua_settop(L, 0);
}

typedef struct humans {
  lua_State *L;
  sinew_batch *batch;
  const float *values[2];
  float *worlds;
} humans;

static void run_humans_in_c(void *context, int times) {
  const humans *h = context;
  for (int i = 0; i < times; i++)
    sinew_batch_eval(h->batch, h->values[i % 2], crowd, h->worlds, NULL);
}

/* pose_crowd, a crowd, the values and a buffer for the matrices are at the stack indices 2 to 5 */
static void run_humans_in_lua(void *context, int times) {
  lua_State *L = ((humans *)context)->L;
  for (int i = 2; i <= 5; i++) lua_pushvalue(L, i);
  lua_pushinteger(L, times);
  check_call(L, lua_pcall(L, 4, 0, 0));
}

/* random values for every DOF of every human */
static const float *push_anywhere(lua_State *L, const sinew_rig *rig) {
  int count = sinew_rig_dof_count(rig);
  float *values = si_buffer_push(L, (size_t)crowd * (size_t)count);
  for (int i = 0; i < crowd * count; i++) {
    sinew_dof_info info = sinew_rig_dof_info(rig, sinew_rig_dof(rig, i % count));
    values[i] = info.min + (info.max - info.min) * bench_random();
  }
  return values;
}

static void bench_humans(lua_State *L) {
  sinew_error error;
  humans h = { .L = L };
  double ns[2];
  push_made(L, "human_rig", 0, 0);
  const sinew_rig *rig = si_rig_program(L, si_rig_check(L, 1))->rig;
  lua_getglobal(L, "pose_crowd");
  lua_getfield(L, 1, "crowd");
  lua_pushvalue(L, 1);
  lua_pushinteger(L, crowd);
  check_call(L, lua_pcall(L, 2, 1, 0));
  lua_newtable(L);
  for (int k = 0; k < 2; k++) {
    h.values[k] = push_anywhere(L, rig);
    lua_rawseti(L, 4, k + 1);
  }
  h.worlds = si_buffer_push(L, (size_t)crowd * 16 * (size_t)sinew_rig_segment_count(rig));
  h.batch = sinew_batch_create(rig, NULL, &error);
  bench_check(h.batch != NULL, &error);
  bench_pair(
      (const char *[]){ "1000 humans, crowd:pose(values, worlds)", "the same in C, one batch" },
      (void (*const[])(void *, int)){ run_humans_in_lua, run_humans_in_c }, (void *[]){ &h, &h },
      ns);
  bench_ratio("1000 humans from Lua / from C", ns[0] / ns[1], 1.1);
  sinew_batch_destroy(h.batch);
  lua_settop(L, 0);
}

void bench_lua(void) {
  lua_State *L = open_state();
  bench_scripted(L);
  bench_human(L);
  bench_crowd(L);
  bench_humans(L);
  lua_close(L);
}
