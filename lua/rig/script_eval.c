/* Scripted components as the engine sees them: a class whose evaluation calls the script's function
 * and reads what it returns, in order or by name.
 *
 * While the engine evaluates, nothing here may raise: the jump would pass through the engine. So
 * tables are read raw, with keys that are there already. */
#include "lua/rig/script_lua.h"

#include "base/names.h"
#include "lua/base/reserve.h"
#include "lua/math/dual_lua.h"

#include <stdio.h>
#include <string.h>

/* where the script's part of the data starts: after that of a program */
static size_t own_at(const sinew_program *program) {
  return program ? (sinew_program_size(NULL, program) + 31) / 32 * 32 : 0;
}

si_script_node *si_script_node_of(const sinew_node *node) {
  return (si_script_node *)((uintptr_t)node->data + own_at(sinew_program_of(node)));
}

/* the program that a component runs; none where sinew.check_purity, which compares calls, was on
 * when the rig was compiled: until then its data stays as it is */
static const sinew_program *program_of(const si_instance *instance) {
  return instance && !instance->calls ? instance->program : NULL;
}

static bool node_pure(const sinew_setup *setup) {
  return program_of(sinew_setup_object(setup, "self")) != NULL;
}

static bool node_turns(const sinew_setup *setup) {
  const sinew_program *program = program_of(sinew_setup_object(setup, "self"));
  return program && sinew_program_turns(setup, program);
}

static size_t node_size(const sinew_setup *setup) {
  return own_at(program_of(sinew_setup_object(setup, "self"))) + sizeof(si_script_node);
}

/* a sum over what the recording depends on besides numbers */
static uint64_t shape_of(const sinew_setup *setup, const si_script *script) {
  uint64_t sum = SI_HASH_START;
  for (const sinew_param_desc *d = script->params; d->name; d++) {
    int count = 0;
    const char *text = "";
    if (d->type == SINEW_PARAM_TEXT) text = sinew_setup_text(setup, d->name);
    if (d->type == SINEW_PARAM_NUMBERS || d->type == SINEW_PARAM_VECTORS)
      sinew_setup_list(setup, d->name, &count);
    char number[32] = "";
    if (si_script_froze(script, (int)(d - script->params))) {
      snprintf(number, sizeof number, "%a", (double)*sinew_setup_numbers(setup, d->name));
      text = number;
    }
    if (!text) text = "";
    sum = si_hash(sum, text, strlen(text) + 1);
    sum = si_hash(sum, &count, sizeof count);
  }
  return sum;
}

/* texts and the lengths of lists are part of the program */
static bool fits_shape(sinew_setup *setup, si_instance *instance) {
  uint64_t shape = shape_of(setup, instance->script);
  if (!instance->shaped) instance->shape = shape;
  instance->shaped = true;
  if (instance->shape == shape) return true;
  sinew_setup_fail(setup, SINEW_ERR_VALUE,
                   "a text, a count, or the length of a list is part of its recorded program; to "
                   "change it, compile the rig again, or use record = false");
  return false;
}

/* the first component of a kind that runs in Lua although it need not */
static void node_review(const sinew_setup *setup, sinew_error *warnings) {
  const si_instance *instance = sinew_setup_object(setup, "self");
  if (!instance || !instance->refusal) return;
  for (int i = 0; i < (int)setup->component; i++) {
    sinew_setup other;
    if (sinew_setup_component(setup, i, &other) != &instance->script->cls) continue;
    const si_instance *before = sinew_setup_object(&other, "self");
    if (before && before->refusal && strcmp(before->refusal, instance->refusal) == 0) return;
  }
  sinew_error_add(warnings, SINEW_OK, "kind '%s' runs in Lua: %s", instance->script->name,
                  instance->refusal);
}

static void node_setup(sinew_setup *setup, void *data) {
  si_instance *instance = sinew_setup_object(setup, "self");
  if (!instance) {
    sinew_setup_fail(setup, SINEW_ERR_MISSING, "was not made by its script");
    return;
  }
  const sinew_program *program = program_of(instance);
  if (program && fits_shape(setup, instance)) sinew_program_setup(setup, program, data);
  *(si_script_node *)(void *)((char *)data + own_at(program)) = (si_script_node){
    .script = instance->script, .function = instance->script->function, .self = instance->view
  };
}

static sinew_status fail(sinew_error *error, const char *format, const char *text) {
  sinew_error_clear(error);
  error->status = SINEW_ERR_SCRIPT;
  error->count = error->shown = 1;
  error->length = snprintf(error->text, sizeof error->text, format, text);
  if (error->length >= (int)sizeof error->text) error->length = (int)sizeof error->text - 1;
  return SINEW_ERR_SCRIPT;
}

static size_t bytes_of(sinew_kind kind) {
  return (kind == SINEW_SCALAR ? 1 : kind == SINEW_VECTOR ? 3 : 16) * sizeof(float);
}

/* the floats of the userdata on top of the stack; NULL if it was collected */
static float *floats_of(lua_State *L, sinew_kind kind) {
  return kind == SINEW_VECTOR ? si_vec3_test(L, -1) : si_mat4_test(L, -1);
}

/* the weak table is at `live` */
static void push_input(lua_State *L, const si_script *script, int live, int i, const float *value) {
  sinew_kind kind = script->inputs[i].kind;
  if (kind == SINEW_SCALAR) {
    lua_pushnumber(L, *value * script->more[i].scale);
    return;
  }
  lua_rawgeti(L, live, script->userdata[i]);
  float *dest = floats_of(L, kind);
  if (dest) memcpy(dest, value, bytes_of(kind));
}

/* saves the inputs' userdata, for a nested call of the same kind */
static void copy_inputs(lua_State *L, const si_script *script, int live, float (*copies)[16],
                        bool back) {
  for (int i = 0; i < script->input_count; i++) {
    sinew_kind kind = script->inputs[i].kind;
    if (kind == SINEW_SCALAR) continue;
    lua_rawgeti(L, live, script->userdata[i]);
    float *floats = floats_of(L, kind);
    if (floats) memcpy(back ? floats : copies[i], back ? copies[i] : floats, bytes_of(kind));
    lua_pop(L, 1);
  }
}

static bool read_output(lua_State *L, int index, sinew_kind kind, float *dest) {
  switch (kind) {
  case SINEW_VECTOR: return si_vec3_read(L, index, dest);
  case SINEW_MATRIX: return si_mat4_read(L, index, dest);
  default:
    if (lua_type(L, index) != LUA_TNUMBER) return false;
    *dest = (float)lua_tonumber(L, index);
    return true;
  }
}

/* the name of an output that does not fit; allocates nothing */
static const char *called(lua_State *L, int index) {
  static const si_lua_type *const types[] = { &si_vec3_type, &si_quat_type, &si_mat4_type,
                                              &si_buffer_type, &si_curve_type };
  for (size_t i = 0; i < sizeof types / sizeof *types; i++)
    if (si_lua_test(L, index, types[i])) return types[i]->name;
  return luaL_typename(L, index);
}

static bool affine(const float *m) { return m[3] == 0 && m[7] == 0 && m[11] == 0 && m[15] == 1; }

/* reads one output from the value at `index` */
static sinew_status take_output(lua_State *L, int index, const sinew_port_desc *port, float *dest,
                                sinew_error *error) {
  static const char *const wanted[] = { "number", "vec3", "mat4" };
  char text[256];
  if (!read_output(L, index, port->kind, dest)) {
    snprintf(text, sizeof text, "output '%s' must be a %s, not %s", port->name, wanted[port->kind],
             called(L, index));
    return fail(error, "%s", text);
  }
  if (port->kind == SINEW_MATRIX && !affine(dest))
    return fail(error, "output '%s' must be an affine matrix: its last row is not 0 0 0 1",
                port->name);
  return SINEW_OK;
}

/* results start at `first`, one for each output in order */
static sinew_status take_in_order(lua_State *L, const sinew_node *node, const si_script *script,
                                  int first, float *values, sinew_error *error) {
  for (int i = 0; i < script->output_count; i++) {
    sinew_status status = take_output(L, first + i, &script->outputs[i],
                                      sinew_node_out(node, values, (uint32_t)i), error);
    if (status < 0) return status;
  }
  return SINEW_OK;
}

/* the results are in the table at `at`, by name */
static sinew_status take_by_name(lua_State *L, const sinew_node *node, const si_script *script,
                                 int live, int at, float *values, sinew_error *error) {
  lua_rawgeti(L, live, script->parts);
  int parts = lua_gettop(L);
  for (int i = 0; i < script->output_count; i++) {
    const sinew_port_desc *port = &script->outputs[i];
    lua_rawgeti(L, parts, i + 1);
    lua_rawget(L, at);
    if (lua_isnil(L, -1))
      return fail(error, "the table it returned has no '%s', which is an output", port->name);
    sinew_status status =
        take_output(L, parts + 1, port, sinew_node_out(node, values, (uint32_t)i), error);
    if (status < 0) return status;
    lua_pop(L, 1);
  }
  return SINEW_OK;
}

/* the amount at `index`; what is not mentioned stays */
static sinew_status take_hold(lua_State *L, int index, const sinew_hold_desc *hold, double *dest,
                              sinew_error *error) {
  char text[256];
  if (lua_isnil(L, index)) return SINEW_OK;
  *dest = lua_tonumber(L, index);
  if (lua_type(L, index) == LUA_TNUMBER) return SINEW_OK;
  snprintf(text, sizeof text, "what it holds of '%s' must be a number, not %s", hold->port,
           called(L, index));
  return fail(error, "%s", text);
}

/* the amounts are in the table `holds` of the table at `at`, by name */
static sinew_status take_holds_by_name(lua_State *L, const si_script *script, int live, int at,
                                       double *held, sinew_error *error) {
  int names = script->output_count, left = 0;
  lua_rawgeti(L, live, script->parts);
  int parts = lua_gettop(L), table = parts + 1;
  lua_rawgeti(L, parts, names + script->hold_count + 1);
  lua_rawget(L, at);
  if (lua_isnil(L, table)) return SINEW_OK;
  if (!lua_istable(L, table))
    return fail(error, "'holds' in the table it returned must be a table, not %s",
                called(L, table));
  for (lua_pushnil(L); lua_next(L, table); lua_pop(L, 1)) left++;
  for (int i = 0; i < script->hold_count; i++) {
    lua_rawgeti(L, parts, names + 1 + i);
    lua_rawget(L, table);
    left -= !lua_isnil(L, -1);
    sinew_status status = take_hold(L, table + 1, &script->holds[i], &held[i], error);
    if (status < 0) return status;
    lua_pop(L, 1);
  }
  return left
             ? fail(error, "'holds' in the table it returned has %s", "a name that is not declared")
             : SINEW_OK;
}

/* writes what was held, in the units of the wires */
static sinew_status put_holds(const sinew_node *node, const si_script *script, const double *held,
                              float *values, sinew_error *error) {
  for (int i = 0; i < script->hold_count; i++) {
    float amount = (float)(held[i] / script->hold_scale[i]);
    if (!(amount - amount == 0))
      return fail(error, "what it holds of '%s' is not finite", script->holds[i].port);
    *sinew_node_hold(node, values, (uint32_t)i) = amount;
  }
  return SINEW_OK;
}

static sinew_status take_holds(lua_State *L, const sinew_node *node, const si_script *script,
                               int live, int first, bool by_name, double *held, float *values,
                               sinew_error *error) {
  sinew_status status = SINEW_OK;
  if (by_name) {
    status = take_holds_by_name(L, script, live, first, held, error);
  } else {
    int next = first + script->output_count;
    for (int i = 0; status >= 0 && i < script->hold_count; i++)
      status = take_hold(L, next + i, &script->holds[i], &held[i], error);
  }
  return status < 0 ? status : put_holds(node, script, held, values, error);
}

static sinew_status take_results(lua_State *L, const sinew_node *node, const si_script *script,
                                 int live, int first, double *held, float *values,
                                 sinew_error *error) {
  float read[16];
  sinew_kind kind = script->outputs[0].kind;
  /* a table may be a vector or matrix itself */
  bool by_name =
      lua_istable(L, first) && (kind == SINEW_SCALAR || !read_output(L, first, kind, read));
  sinew_status status = by_name ? take_by_name(L, node, script, live, first, values, error)
                                : take_in_order(L, node, script, first, values, error);
  if (status < 0 || !script->hold_count) return status;
  return take_holds(L, node, script, live, first, by_name, held, values, error);
}

/* a long message keeps its start and its end, where a chain of errors has the cause */
static sinew_status call_failed(lua_State *L, const si_script *script, int live,
                                sinew_error *error) {
  enum { longest = 640, tail = 400 };
  size_t length;
  lua_rawgeti(L, live, script->function);
  bool collected = lua_isnil(L, -1);
  lua_pop(L, 1);
  if (collected) return fail(error, "%s", "its script was collected");
  if (lua_type(L, -1) != LUA_TSTRING)
    return fail(error, "raised a %s instead of a message", luaL_typename(L, -1));
  const char *text = lua_tolstring(L, -1, &length);
  char both[longest];
  if (length < longest) return fail(error, "%s", text);
  snprintf(both, sizeof both, "%.*s ... %s", longest - tail - 8, text, text + length - tail);
  return fail(error, "%s", both);
}

static sinew_status finish_call(lua_State *L, int live, bool ran, const sinew_node *node,
                                double *held, float *values, sinew_error *error) {
  const si_script *script = ((const si_script_node *)node->data)->script;
  sinew_status status = ran ? take_results(L, node, script, live, live + 1, held, values, error)
                            : call_failed(L, script, live, error);
  lua_settop(L, live);
  return status;
}

/* the weak list is at `live`, on top of the stack */
static sinew_status call(lua_State *L, int live, const sinew_node *node, float *values,
                         sinew_error *error) {
  const si_script_node *data = node->data;
  si_script *script = data->script;
  lua_rawgeti(L, live, data->function);
  lua_rawgeti(L, live, data->self);
  for (int i = 0; i < script->input_count; i++)
    push_input(L, script, live, i, sinew_node_in(node, values, (uint32_t)i));
  double held[2 * SI_SCRIPT_PORTS];
  for (int i = 0; i < script->hold_count; i++) held[i] = 0;
  si_script_call outer = script->state->call;
  script->state->call = (si_script_call){ script, held };
  script->running++;
  int results = script->output_count + script->hold_count;
  bool ran = lua_pcall(L, script->input_count + 1, results, 0) == LUA_OK;
  script->running--;
  script->state->call = outer;
  return finish_call(L, live, ran, node, held, values, error);
}

/* the same for scalars only, which need less checking */
static sinew_status call_scalars(lua_State *L, int live, const sinew_node *node, float *values,
                                 sinew_error *error) {
  const si_script_node *data = node->data;
  uint32_t inputs = node->input_count;
  lua_rawgeti(L, live, data->function);
  lua_rawgeti(L, live, data->self);
  for (uint32_t i = 0; i < inputs; i++) lua_pushnumber(L, values[node->ports[i]]);
  bool ran = lua_pcall(L, (int)inputs + 1, 1, 0) == LUA_OK;
  if (!ran || lua_type(L, -1) != LUA_TNUMBER)
    return finish_call(L, live, ran, node, NULL, values, error);
  values[node->ports[inputs]] = (float)lua_tonumber(L, -1);
  lua_pop(L, 1);
  return SINEW_OK;
}

static sinew_status call_inside(lua_State *L, int live, const sinew_node *node, float *values,
                                sinew_error *error) {
  const si_script *script = ((const si_script_node *)node->data)->script;
  float copies[SI_SCRIPT_PORTS][16];
  copy_inputs(L, script, live, copies, false);
  sinew_status status = call(L, live, node, values, error);
  copy_inputs(L, script, live, copies, true);
  return status;
}

/* a second evaluation must give the same bits, or the script keeps state between calls */
static sinew_status check_purity(lua_State *L, int live, const sinew_node *node, float *values,
                                 sinew_error *error) {
  const si_script *script = ((const si_script_node *)node->data)->script;
  float before[SI_SCRIPT_PORTS][16], held[2 * SI_SCRIPT_PORTS];
  size_t holds = (size_t)script->hold_count * sizeof *held;
  memcpy(held, sinew_node_hold(node, values, 0), holds);
  for (int i = 0; i < script->output_count; i++)
    memcpy(before[i], sinew_node_out(node, values, (uint32_t)i), bytes_of(script->outputs[i].kind));
  sinew_status status = call_inside(L, live, node, values, error);
  for (int i = 0; status >= 0 && i < script->output_count; i++)
    if (memcmp(before[i], sinew_node_out(node, values, (uint32_t)i),
               bytes_of(script->outputs[i].kind)) != 0)
      status = fail(error,
                    "output '%s' differs between two calls with the same inputs; "
                    "eval must not keep anything",
                    script->outputs[i].name);
  if (status >= 0 && memcmp(held, sinew_node_hold(node, values, 0), holds) != 0)
    status = fail(error, "%s",
                  "what it holds differs between two calls with the same inputs; "
                  "eval must not keep anything");
  return status;
}

/* the rare cases: a nested call of the same kind, or a second call to compare */
static sinew_status call_with_care(si_script_state *state, const sinew_node *node, float *values,
                                   sinew_error *error) {
  lua_State *L = state->L;
  sinew_status status = call_inside(L, state->live_at, node, values, error);
  if (status >= 0 && state->check_purity)
    status = check_purity(L, state->live_at, node, values, error);
  return status;
}

static inline sinew_status call_entered(si_script_state *state, const si_script *script,
                                        const sinew_node *node, float *values, sinew_error *error) {
  if (script->running || state->check_purity) return call_with_care(state, node, values, error);
  return script->scalars ? call_scalars(state->L, state->live_at, node, values, error)
                         : call(state->L, state->live_at, node, values, error);
}

/* if a C program evaluates, nobody has called enter; then there is nothing to leave on failure */
static sinew_status enter(si_script_state *state, sinew_error *error) {
  lua_State *L = state->L;
  if (!L) return fail(error, "%s", "its Lua state was closed");
  if (!lua_checkstack(L, SI_SCRIPT_STACK))
    return fail(error, "%s", "the Lua stack is full, or memory is out");
  lua_rawgeti(L, LUA_REGISTRYINDEX, state->live);
  state->live_at = lua_gettop(L);
  if (state->guard) state->guard->begin(L);
  return SINEW_OK;
}

static void leave(si_script_state *state) {
  if (state->guard) state->guard->end(state->L);
  state->live_at = 0;
  lua_pop(state->L, 1);
}

static sinew_status call_unentered(si_script_state *state, const si_script *script,
                                   const sinew_node *node, float *values, sinew_error *error) {
  sinew_status status = enter(state, error);
  if (status < 0) return status;
  status = call_entered(state, script, node, values, error);
  leave(state);
  return status;
}

static sinew_status node_eval(const sinew_node *node, float *values, sinew_error *error) {
  const si_script *script = ((const si_script_node *)node->data)->script;
  si_script_state *state = script->state;
  return state->live_at ? call_entered(state, script, node, values, error)
                        : call_unentered(state, script, node, values, error);
}

/* the same for scalars: called every frame, so it skips the general path */
static sinew_status node_eval_scalars(const sinew_node *node, float *values, sinew_error *error) {
  const si_script_state *state = ((const si_script_node *)node->data)->script->state;
  if (!state->live_at || state->check_purity) return node_eval(node, values, error);
  return call_scalars(state->L, state->live_at, node, values, error);
}

/* --- protected calls */

typedef struct protected_job {
  void (*run)(lua_State *L, void *job);
  void *job;
} protected_job;

static int run_protected(lua_State *L) {
  protected_job j = *(const protected_job *)lua_touserdata(L, 1);
  luaL_checkstack(L, SI_SCRIPT_STACK, "a call");
  lua_settop(L, 0);
  j.run(L, j.job);
  return 0;
}

void si_script_push_protect(lua_State *L) { lua_pushcfunction(L, run_protected); }

sinew_status si_script_protect(si_script *script, void (*run)(lua_State *L, void *job), void *job,
                               sinew_error *error) {
  si_script_state *state = script->state;
  bool entered = state->live_at != 0;
  sinew_status status = entered ? SINEW_OK : enter(state, error);
  if (status < 0) return status;
  lua_State *L = state->L;
  int live = state->live_at;
  protected_job j = { run, job };
  lua_rawgeti(L, live, script->protect);
  lua_pushlightuserdata(L, &j);
  if (lua_pcall(L, 1, 0, 0) != LUA_OK) status = call_failed(L, script, live, error);
  lua_settop(L, live);
  if (!entered) leave(state);
  return status;
}

/* --- derivatives by dual numbers: eval is called once for each direction */

typedef struct job {
  const sinew_node *node;
  const float *values;
  const sinew_rates *rates;
} job;

static int numbers_of(sinew_kind kind) {
  return kind == SINEW_SCALAR ? 1 : kind == SINEW_VECTOR ? 3 : 16;
}

static void push_dual(lua_State *L, const job *j, const si_script *script, int i, uint32_t column) {
  const sinew_input_rates *in = &j->rates->inputs[i];
  sinew_kind kind = script->inputs[i].kind;
  const float *value = j->values + j->node->ports[i];
  size_t floats = kind == SINEW_SCALAR ? 1 : kind == SINEW_VECTOR ? 4 : 16;
  si_dual x = { .count = numbers_of(kind), .moves = true };
  double scale = script->more[i].scale;
  for (int n = 0; n < x.count; n++) x.is[n] = scale * (double)value[n];
  for (uint32_t k = 0; k < in->count; k++)
    if (in->columns[k] == column)
      for (int n = 0; n < x.count; n++) x.by[n] = scale * (double)in->rates[floats * k + (size_t)n];
  si_dual_push(L, &x);
}

static void take_rate(lua_State *L, int index, const sinew_port_desc *port, uint32_t column,
                      float *dest) {
  static const char *const wanted[] = { "number", "vec3", "mat4" };
  si_dual x;
  if (!si_dual_read(L, index, &x) || x.count != numbers_of(port->kind))
    luaL_error(L, "output '%s' must be a %s or its dual, not %s", port->name, wanted[port->kind],
               si_lua_typename(L, index));
  size_t floats = port->kind == SINEW_SCALAR ? 1 : port->kind == SINEW_VECTOR ? 4 : 16;
  for (int n = 0; n < x.count; n++) {
    float rate = (float)x.by[n];
    if (!(rate - rate == 0))
      luaL_error(L, "the derivative of output '%s' is not finite", port->name);
    dest[floats * column + (size_t)n] = rate;
  }
}

static void differentiate(lua_State *L, void *user) {
  const job *j = user;
  const si_script_node *data = j->node->data;
  const si_script *script = data->script;
  for (uint32_t c = 0; c < j->rates->count; c++) {
    si_script_get(L, data->function);
    si_script_get(L, data->self);
    for (int i = 0; i < script->input_count; i++) push_dual(L, j, script, i, c);
    lua_call(L, script->input_count + 1, script->output_count);
    si_dual first;
    bool by_name = lua_istable(L, 1) &&
                   (script->outputs[0].kind == SINEW_SCALAR || !si_dual_read(L, 1, &first));
    for (int i = 0; i < script->output_count; i++) {
      if (by_name) {
        lua_pushstring(L, script->outputs[i].name);
        lua_rawget(L, 1);
      }
      take_rate(L, by_name ? lua_gettop(L) : 1 + i, &script->outputs[i], c, j->rates->outputs[i]);
    }
    lua_settop(L, 0);
  }
}

static sinew_status node_tangent(const sinew_node *node, const float *values,
                                 const sinew_rates *rates, sinew_error *error) {
  si_script *script = ((const si_script_node *)node->data)->script;
  job j = { node, values, rates };
  si_script_call outer = script->state->call;
  script->state->call = (si_script_call){ script, NULL };
  sinew_status status = si_script_protect(script, differentiate, &j, error);
  script->state->call = outer;
  return status;
}

static void retain_class(const sinew_component_class *cls) { ((si_script *)cls->user)->refs++; }
static void release_class(const sinew_component_class *cls) { si_script_release(cls->user); }

void si_script_class(si_script *script) {
  script->scalars =
      script->output_count == 1 && script->outputs[0].kind == SINEW_SCALAR && !script->hold_count;
  for (int i = 0; i < script->input_count; i++)
    script->scalars &= script->inputs[i].kind == SINEW_SCALAR && script->more[i].scale == 1;
  script->cls =
      (sinew_component_class){ .class_size = sizeof(sinew_component_class),
                               .name = script->name,
                               .doc = script->doc,
                               .inputs = script->inputs,
                               .outputs = script->outputs,
                               .params = script->params,
                               .holds = script->hold_count ? script->holds : NULL,
                               .size = node_size,
                               .setup = node_setup,
                               .try_eval = script->scalars ? node_eval_scalars : node_eval,
                               .verify = script->verify ? si_script_verify : NULL,
                               .drawing = script->draw ? SINEW_DRAWN_MARKS : SINEW_DRAWN_UNSAID,
                               .review = node_review,
                               .pure = node_pure,
                               .turns = node_turns,
                               .try_tangent = script->dual ? node_tangent : NULL,
                               .user = script,
                               .retain = retain_class,
                               .release = release_class };
  sinew_program_fill_class(&script->cls);
}
