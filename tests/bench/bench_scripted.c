/* Scripted joints against built-in ones: the same joint as a component of the engine, recorded from
 * its eval, and called in Lua. A figure is what 32 more of them cost, over 32.
 *
 * Under valgrind --tool=callgrind --instr-atstart=no each measurement is one dump, named after it;
 * tests/bench/scripted.sh makes a table of instructions from them. */
#include "bench.h"
#include "compile/rig_internal.h"
#include "lua/module/module.h"
#include "lua/play/play_lua.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#if defined __has_include && !defined __cppcheck__
#if __has_include(<valgrind/callgrind.h>)
#include <valgrind/callgrind.h>
#endif
#endif
#ifndef CALLGRIND_START_INSTRUMENTATION
#define CALLGRIND_START_INSTRUMENTATION
#define CALLGRIND_STOP_INSTRUMENTATION
#define CALLGRIND_DUMP_STATS_AT(name) (void)(name)
#define RUNNING_ON_VALGRIND           0
#endif

enum { copies = 32, people = 64, crowd = 1000, rounds = 64, most_outputs = 8 };

typedef struct subject {
  lua_State *L;
  si_program *program;
  const sinew_rig *rig;
  sinew_pose *pose;
  sinew_batch *batch;
  float *dofs, *worlds, *values;
  int dof_count;
  int people;
} subject;

static float dof_at(int i, int dof) { return (float)(i * 7 % 120 + 3 * dof); }

static void set_dofs(const subject *s, int i) {
  for (int k = 0; k < s->dof_count; k++)
    sinew_pose_set(s->pose, (sinew_dof){ (uint32_t)k + 1 }, dof_at(i, k), NULL);
}

static void run_pose(void *context, int times) {
  const subject *s = context;
  for (int i = 0; i < times; i++) {
    set_dofs(s, i);
    si_program_eval(s->L, s->program, s->pose, NULL);
  }
}

static void run_batch(void *context, int times) {
  const subject *s = context;
  for (int i = 0; i < times; i++) sinew_batch_eval(s->batch, s->dofs, s->people, s->worlds, NULL);
}

/* the first of the joints, which is called joint1; -1: there is none */
static int joint_in(const sinew_rig *rig) {
  for (uint32_t i = 0; i < rig->model.component_count; i++)
    if (strcmp(rig->model.components[i].name, "joint1") == 0) return (int)i;
  return -1;
}
static const sinew_node *joint_of(const subject *s) {
  return &s->rig->nodes[s->rig->node_of[joint_in(s->rig)]];
}

/* the engine's eval of a joint, called by itself */
static void run_alone(void *context, int times) {
  const subject *s = context;
  const sinew_node *node = joint_of(s);
  for (int i = 0; i < times; i++) {
    s->values[0] = dof_at(i, 0);
    node->eval(node, s->values);
  }
}

/* its tangent, which computes the value and the derivative by its first scalar */
static void run_rate(void *context, int times) {
  const subject *s = context;
  const sinew_node *node = joint_of(s);
  static const float one = 1;
  static const uint32_t column = 0;
  _Alignas(16) float dest[most_outputs][16];
  float *outputs[most_outputs];
  sinew_input_rates inputs[8] = { { 0, NULL, NULL } };
  sinew_rates rates = { 1, inputs, outputs };
  const sinew_component_class *cls = s->rig->model.components[joint_in(s->rig)].cls;
  uint32_t by = cls->inputs[0].kind != SINEW_SCALAR;
  inputs[by] = (sinew_input_rates){ 1, &column, &one };
  for (int i = 0; i < most_outputs; i++) outputs[i] = dest[i];
  for (int i = 0; i < times; i++) {
    s->values[0] = dof_at(i, 0);
    memset(dest, 0, node->output_count * sizeof *dest);
    cls->tangent(node, s->values, &rates, NULL);
  }
}

static void check_call(lua_State *L, int status) {
  if (status == LUA_OK) return;
  fprintf(stderr, "bench: %s\n", lua_tostring(L, -1));
  exit(1);
}

static void fill(subject *s, int threads, int characters) {
  sinew_error error;
  s->rig = s->program->rig;
  s->people = characters;
  s->dof_count = sinew_rig_dof_count(s->rig);
  s->pose = sinew_pose_create(s->rig, &error);
  bench_check(s->pose != NULL, &error);
  sinew_batch_desc desc = sinew_default_batch_desc();
  desc.threads = threads;
  s->batch = sinew_batch_create(s->rig, &desc, &error);
  bench_check(s->batch != NULL, &error);
  size_t segments = (size_t)sinew_rig_segment_count(s->rig) + 1;
  s->dofs = calloc((size_t)characters * (size_t)s->dof_count, sizeof *s->dofs);
  s->worlds = calloc((size_t)characters * segments * 16, sizeof *s->worlds);
  s->values = aligned_alloc(64, (s->rig->value_count * sizeof(float) + 127) / 64 * 64);
  memcpy(s->values, s->rig->initial, s->rig->value_count * sizeof(float));
  for (int k = 1; k < s->dof_count; k++) s->values[k] = dof_at(10, k);
  for (int i = 0; i < characters; i++)
    for (int k = 0; k < s->dof_count; k++) s->dofs[i * s->dof_count + k] = dof_at(i, k);
  run_pose(s, 1);
}

static subject open(lua_State *L, const char *joint, const char *way, int count) {
  subject s = { .L = L };
  lua_getfield(L, LUA_REGISTRYINDEX, "scripted_rig");
  lua_pushstring(L, joint);
  lua_pushstring(L, way);
  lua_pushinteger(L, count);
  check_call(L, lua_pcall(L, 3, 1, 0));
  s.program = si_rig_program(L, si_rig_check(L, -1));
  fill(&s, 1, people);
  return s;
}

static void release(subject *s) {
  sinew_batch_destroy(s->batch);
  sinew_pose_destroy(s->pose);
  free(s->dofs);
  free(s->worlds);
  free(s->values);
}

/* one run for callgrind, or a time in ns */
static double measure(const char *name, void (*run)(void *context, int times), subject *s) {
  if (!RUNNING_ON_VALGRIND) return bench_time(name, run, s);
  int times = run == run_batch ? 1 : rounds;
  run(s, times);
  CALLGRIND_START_INSTRUMENTATION;
  run(s, times);
  CALLGRIND_STOP_INSTRUMENTATION;
  CALLGRIND_DUMP_STATS_AT(name);
  return 0;
}

/* what one more joint with its bone costs, by the difference of rigs with many and with one */
static double one_more(const char *joint, const char *way, const char *how,
                       void (*run)(void *context, int times), subject *one, subject *many) {
  char name[2][96];
  snprintf(name[0], sizeof name[0], "%s %s %s 1", joint, way, how);
  snprintf(name[1], sizeof name[1], "%s %s %s %d", joint, way, how, copies + 1);
  double least = measure(name[0], run, one), most = measure(name[1], run, many);
  return (most - least) / copies / (run == run_batch ? people : 1);
}

typedef struct cost {
  double alone, rate, pose, batch;
} cost;

static cost measure_way(lua_State *L, const char *joint, const char *way) {
  subject one = open(L, joint, way, 1), many = open(L, joint, way, copies + 1);
  bool alone = strcmp(way, "built-in") == 0 || strcmp(way, "recorded") == 0;
  char name[96];
  snprintf(name, sizeof name, "%s %s alone", joint, way);
  cost c = { .alone = alone ? measure(name, run_alone, &one) : 0 };
  snprintf(name, sizeof name, "%s %s with its derivative", joint, way);
  if (alone) c.rate = measure(name, run_rate, &one);
  c.pose = one_more(joint, way, "pose", run_pose, &one, &many);
  c.batch = one_more(joint, way, "batch", run_batch, &one, &many);
  release(&one);
  release(&many);
  lua_settop(L, 0);
  return c;
}

static void ratio(const char *joint, const char *what, double value, double bound) {
  char name[128];
  snprintf(name, sizeof name, "%s: %s", joint, what);
  if (!RUNNING_ON_VALGRIND) bench_ratio(name, value, bound);
}

static void compare(lua_State *L, const char *joint, bool scalar, bool builtin) {
  cost none = { 0 };
  if (scalar) none = measure_way(L, joint, "none");
  cost ours = measure_way(L, joint, "recorded"), lua = measure_way(L, joint, "lua");
  ours.pose -= none.pose, lua.pose -= none.pose;
  ours.batch -= none.batch, lua.batch -= none.batch;
  ratio(joint, "recorded / Lua call, pose", ours.pose / lua.pose, 0.1);
  ratio(joint, "recorded / Lua call, batch", ours.batch / lua.batch, 1.0 / 30);
  ratio(joint, "value and derivative / value", ours.rate / ours.alone, 2.5);
  if (!builtin) return;
  cost theirs = measure_way(L, joint, "built-in");
  theirs.pose -= none.pose, theirs.batch -= none.batch;
  bool slides = strcmp(joint, "slide") == 0;
  ratio(joint, "recorded / built-in, alone", ours.alone / theirs.alone, slides ? 2.5 : 1.5);
  ratio(joint, "recorded / built-in, in a rig", ours.pose / theirs.pose, 2.5);
  ratio(joint, "recorded / built-in, batch", ours.batch / theirs.batch, 2.5);
}

/* every joint of scripted.lua's list */
static void compare_all(lua_State *L) {
  lua_getfield(L, LUA_REGISTRYINDEX, "scripted_list");
  int count = (int)lua_rawlen(L, -1);
  lua_settop(L, 0);
  for (int i = 1; i <= count; i++) {
    char name[32];
    lua_getfield(L, LUA_REGISTRYINDEX, "scripted_list");
    lua_rawgeti(L, -1, i);
    lua_getfield(L, -1, "name");
    lua_getfield(L, -2, "scalar");
    lua_getfield(L, -3, "builtin");
    bool scalar = lua_toboolean(L, -2), builtin = lua_toboolean(L, -1);
    snprintf(name, sizeof name, "%s", lua_tostring(L, -3));
    lua_settop(L, 0);
    compare(L, name, scalar, builtin);
  }
}

static void open_file(lua_State *L, const char *path, subject *dest) {
  *dest = (subject){ .L = L };
  check_call(L, luaL_loadfile(L, path));
  check_call(L, lua_pcall(L, 0, 1, 0));
  dest->program = si_rig_program(L, si_rig_check(L, -1));
}

/* the whole shoulder with its constraint in Lua, and with the engine's; and threads */
static void compare_rigs(lua_State *L) {
  subject scripted, builtin, one, two;
  open_file(L, "rigs/shoulder_scripted.lua", &scripted);
  open_file(L, "rigs/shoulder.lua", &builtin);
  fill(&scripted, 1, people);
  fill(&builtin, 1, people);
  double ns[2];
  ns[0] = measure("shoulder_scripted.lua", run_pose, &scripted);
  ns[1] = measure("shoulder.lua", run_pose, &builtin);
  ratio("shoulder_scripted.lua / shoulder.lua", "pose", ns[0] / ns[1], 1.3);
  release(&scripted);
  release(&builtin);
  if (RUNNING_ON_VALGRIND) return;
  open_file(L, "rigs/joints/snake.lua", &one);
  two = one;
  fill(&one, 1, crowd);
  fill(&two, 2, crowd);
  bench_pair_wall((const char *[]){ "a thousand snakes on two threads", "on one thread" },
                  (void (*const[])(void *, int)){ run_batch, run_batch }, (void *[]){ &two, &one },
                  ns);
  bench_ratio("scripted crowd, two threads / one", ns[0] / ns[1], 0.55);
  release(&one);
  release(&two);
}

void bench_scripted(void) {
  lua_State *L = luaL_newstate();
  luaL_openlibs(L);
  luaL_requiref(L, "sinew", luaopen_sinew, 0);
  lua_settop(L, 0);
  check_call(L, luaL_dostring(L, "package.path = 'lua/?.lua;lua/?/init.lua;rigs/?.lua;' .. "
                                 "package.path"));
  check_call(L, luaL_dofile(L, "tests/bench/scripted.lua"));
  lua_getfield(L, -1, "make");
  lua_setfield(L, LUA_REGISTRYINDEX, "scripted_rig");
  lua_getfield(L, -1, "list");
  lua_setfield(L, LUA_REGISTRYINDEX, "scripted_list");
  lua_settop(L, 0);
  compare_all(L);
  compare_rigs(L);
  lua_close(L);
}
