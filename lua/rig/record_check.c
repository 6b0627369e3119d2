/* Comparing a recording with the function itself, at some inputs: a table with recorded keys, say,
 * shows in nothing else. Both are computed in doubles, but Lua's vectors are floats. A jump may be
 * on another side of an input for that reason, so an input or two that differ are allowed. Where an
 * equation has no solution, anything may come out, so with equations one that agrees is enough. */
#include "lua/rig/record_lua.h"

#include "math/matrix.h"
#include "math/tape.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

typedef struct trial {
  double *inputs, *outs, *params;
  const sinew_curve **curves;
  si_graph_text graph;
  si_tapes tapes;
  int raises; /* how often eval raised where the program has results: out of range, or always */
  char raised[200]; /* what it said last */
} trial;

static int trial_close(lua_State *L) {
  trial *t = lua_touserdata(L, 1);
  si_tapes_free(&t->tapes);
  si_graph_text_free(&t->graph);
  memset(t, 0, sizeof *t);
  return 0;
}
static const si_lua_type trial_type = { .name = "trial", .close = trial_close };

/* from -1 to 1, always the same */
static double random_of(uint32_t *seed) {
  *seed = *seed * 1664525u + 1013904223u;
  return (double)(*seed >> 8) / 8388608.0 - 1;
}

/* an input of some size, as floats: 0, 1, -1, 2 and 3 first, which may be keys of lists */
static void choose_input(int n, sinew_kind kind, uint32_t *seed, float *dest) {
  static const double sizes[] = { 0.01, 1, 1, 10, 90, 180 };
  static const float first[] = { 0, 1, -1, 2, 3 };
  double size = sizes[n % 6];
  if (kind == SINEW_MATRIX) {
    const float axis[3] = { (float)random_of(seed), (float)random_of(seed), 0.5f };
    CGLM_ALIGN_MAT float turn[16];
    float unit[3] = { 0, 0, 1 };
    si_vec_unit(axis, unit);
    si_mat_turn(unit, n ? (float)(170 * random_of(seed)) : 0, turn);
    for (int i = 12; i < 15; i++) turn[i] = n ? (float)random_of(seed) : 0;
    memcpy(dest, turn, sizeof turn);
  } else {
    for (int i = 0; i < (kind == SINEW_VECTOR ? 3 : 1); i++)
      dest[i] = n < 5 ? first[n] : (float)(size * random_of(seed));
  }
}

/* pushes inputs for a call, and puts them into the flat list */
static void push_inputs(lua_State *L, const si_script *script, int n, double *flat) {
  uint32_t seed = 7 + 131 * (uint32_t)n;
  for (int i = 0; i < script->input_count; i++) {
    sinew_kind kind = script->inputs[i].kind;
    float value[16];
    choose_input(n, kind, &seed, value);
    int count = kind == SINEW_SCALAR ? 1 : kind == SINEW_VECTOR ? 3 : 16;
    for (int k = 0; k < count; k++)
      if (kind != SINEW_MATRIX || k % 4 != 3) *flat++ = (double)value[k];
    if (kind == SINEW_SCALAR)
      lua_pushnumber(L, (double)value[0] * script->more[i].scale);
    else
      memcpy(kind == SINEW_VECTOR ? si_vec3_push(L) : si_mat4_push(L), value,
             (size_t)count * sizeof *value);
  }
}

/* the numbers of the parameters that the program reads; those in the table at `self` */
static void read_params(lua_State *L, const si_graph_desc *d, int self, trial *t) {
  for (uint32_t i = 0; i < d->param_count; i++) {
    int top = lua_gettop(L), entry = (int)d->params[i].entry;
    si_raw_field(L, self, d->params[i].name);
    if (lua_isboolean(L, -1)) {
      t->params[i] = lua_toboolean(L, -1);
    } else if (lua_type(L, -1) == LUA_TNUMBER) {
      t->params[i] = (double)lua_tonumber(L, -1);
    } else {
      const float *vector = si_vec3_test(L, -1), *matrix = si_mat4_test(L, -1);
      if (!vector && !matrix) {
        lua_rawgeti(L, -1, entry + 1);
        t->params[i] = (double)lua_tonumber(L, -1);
        lua_pop(L, 1);
        lua_rawgeti(L, -1, entry / 3 + 1);
        vector = si_vec3_test(L, -1);
        entry %= 3;
      }
      if (vector || matrix) t->params[i] = (double)(vector ? vector : matrix)[entry];
    }
    lua_settop(L, top);
  }
  for (uint32_t i = 0; i < d->curve_count; i++) {
    si_raw_field(L, self, d->curves[i]);
    t->curves[i] = si_curve_test(L, -1); /* which the table keeps */
    lua_pop(L, 1);
  }
}

/* where eval gives what is not finite, a pose refuses it */
static bool near(double a, double b) {
  if (!isfinite(a)) return true;
  return fabs(a - b) <= 1e-4 * (1 + fabs(a));
}

/* compares the value at `index` with the program's numbers */
static bool agrees(lua_State *L, int index, sinew_kind kind, const double *outs) {
  float value[16];
  if (kind == SINEW_SCALAR) return near((double)lua_tonumber(L, index), outs[0]);
  if (kind == SINEW_VECTOR ? !si_vec3_read(L, index, value) : !si_mat4_read(L, index, value))
    return false;
  for (int k = 0, n = 0; k < (kind == SINEW_VECTOR ? 3 : 16); k++)
    if (kind == SINEW_VECTOR || k % 4 != 3)
      if (!near((double)value[k], outs[n++])) return false;
  return true;
}

/* whether there is a result for each output, from `first` on or in a table there: a pose refuses
 * what is missing, as the program does */
static bool complete(lua_State *L, const si_script *script, int first, bool by_name) {
  bool all = true;
  for (int i = 0; i < script->output_count && all; i++) {
    if (by_name) si_raw_field(L, first, script->outputs[i].name);
    all = !lua_isnil(L, by_name ? -1 : first + i);
    if (by_name) lua_pop(L, 1);
  }
  return all;
}

static bool all_finite(const double *numbers, uint32_t count) {
  for (uint32_t i = 0; i < count; i++)
    if (!isfinite(numbers[i])) return false;
  return true;
}

/* calls the function with the view of the parameters at `view`; false if an output differs, whose
 * name is `dest` then */
static bool compare(lua_State *L, const si_script *script, int function, int view, trial *t, int n,
                    const char **dest) {
  int top = lua_gettop(L);
  sinew_error error;
  uint32_t fail = 0;
  lua_pushvalue(L, function);
  lua_pushvalue(L, view);
  push_inputs(L, script, n, t->inputs);
  double held[2 * SI_SCRIPT_PORTS];
  si_script_call outer = script->state->call;
  script->state->call = (si_script_call){ (si_script *)(uintptr_t)script, held };
  int status = lua_pcall(L, script->input_count + 1, script->output_count, 0);
  script->state->call = outer;
  bool run =
      si_tapes_exact(&t->tapes, t->params, t->curves, t->inputs, t->outs, &fail, &error) >= 0;
  bool same = true;
  float read[16];
  sinew_kind first = script->outputs[0].kind;
  bool itself = status == LUA_OK && ((first == SINEW_VECTOR && si_vec3_read(L, top + 1, read)) ||
                                     (first == SINEW_MATRIX && si_mat4_read(L, top + 1, read)));
  bool by_name = status == LUA_OK && lua_istable(L, top + 1) && !itself;
  if (status == LUA_OK && run && !fail) {
    const double *outs = t->outs;
    for (int i = 0; same && i < script->output_count; i++) {
      if (by_name) si_raw_field(L, top + 1, script->outputs[i].name);
      same = agrees(L, by_name ? lua_gettop(L) : top + 1 + i, script->outputs[i].kind, outs);
      outs += si_port_numbers((uint8_t)script->outputs[i].kind);
      *dest = script->outputs[i].name;
    }
  } else if (status == LUA_OK && fail && complete(L, script, top + 1, by_name)) {
    *dest = script->outputs[0].name;
    same = false;
  } else if (status != LUA_OK && run && !fail && all_finite(t->outs, t->graph.desc.out_count)) {
    const char *text = lua_tostring(L, -1);
    snprintf(t->raised, sizeof t->raised, "%s", text ? text : "an error that is no text");
    t->raises++;
  }
  lua_settop(L, top);
  return same;
}

bool si_record_check(lua_State *L, const si_script *script, int function, int self,
                     const sinew_program *program, int trials, char *why, size_t room) {
  int top = lua_gettop(L), differ = 0, may_differ = trials < 8 ? 1 : 2;
  const char *output = "";
  sinew_error error;
  luaL_checkstack(L, SI_SCRIPT_STACK + 16, "recording");
  si_lua_type_open(L, &trial_type);
  trial *t = si_lua_new(L, &trial_type, sizeof *t, 0);
  bool made = si_graph_read(sinew_program_text(program), &t->graph, &error) >= 0 &&
              si_tapes_make(&t->graph, &t->tapes, &error) >= 0;
  if (made) {
    const si_graph_desc *d = &t->graph.desc;
    t->params = lua_newuserdatauv(L, (d->param_count + 1) * sizeof *t->params, 0);
    t->curves = lua_newuserdatauv(L, (d->curve_count + 1) * sizeof *t->curves, 0);
    t->inputs = lua_newuserdatauv(L, SI_GRAPH_NUMBERS * sizeof *t->inputs, 0);
    t->outs = lua_newuserdatauv(L, SI_GRAPH_NUMBERS * sizeof *t->outs, 0);
    memset(t->params, 0, (d->param_count + 1) * sizeof *t->params);
    read_params(L, d, self, t);
    lua_pushvalue(L, self);
    si_script_push_view(L, script);
    int view = lua_gettop(L);
    if (t->graph.graph.many_count) may_differ = trials - 1;
    for (int n = 0; n < trials && differ <= may_differ; n++)
      if (!compare(L, script, function, view, t, n, &output)) differ++;
  }
  bool good = made && differ <= may_differ && t->raises < trials;
  char place[160];
  si_record_place(L, function, place, sizeof place);
  if (!made)
    snprintf(why, room, "%s%.400s", place, error.text);
  else if (!good && t->raises == trials)
    snprintf(why, room, "%s%s (where the recording has a result)",
             si_recording_has_place(t->raised) ? "" : place, t->raised);
  else if (!good)
    snprintf(
        why, room,
        "%soutput '%s' of the recording differs from what eval gives; is a table read by a value, "
        "which a curve parameter could replace, or does eval depend on something else than its "
        "inputs and parameters?",
        place, output);
  lua_settop(L, top);
  return good;
}
