/* Scripted components: sinew.component { name =, inputs =, outputs =, params =, eval = } gives a
 * kind of component; calling it with wires and parameters says what to add, and a rig or joint set
 * adds it. To the engine each is a class like any other, whose evaluation calls the script's
 * function with plain numbers and with math userdata that are made once and used again.
 *
 * With `build` in place of `eval`, the kind is a subnetwork: the function wires built-in components
 * when it is added, and nothing of Lua is left in the compiled rig.
 *
 * While the engine evaluates, nothing here may raise: the jump would pass through the engine. So
 * tables are read raw, with keys that are there already. */
#include "script_lua.h"

#include <stdio.h>
#include <string.h>

static const char state_key, live_key;

static void state_release(si_script_state *state) {
  if (--state->refs == 0) si_free(state);
}

static int state_close(lua_State *L) {
  si_script_state **anchor = lua_touserdata(L, 1);
  if (*anchor) {
    (*anchor)->L = (*anchor)->main = NULL;
    state_release(*anchor);
    *anchor = NULL;
  }
  return 0;
}

static const si_lua_type state_type = { .name = "script state", .close = state_close };

si_script_state *si_script_state_of(lua_State *L) {
  lua_rawgetp(L, LUA_REGISTRYINDEX, &state_key);
  si_script_state **anchor = lua_touserdata(L, -1);
  lua_pop(L, 1);
  if (!*anchor) luaL_error(L, "the Lua state is being closed");
  return *anchor;
}

lua_State *si_script_enter(lua_State *L) {
  si_script_state *state = si_script_state_of(L);
  lua_State *before = state->L;
  state->L = L;
  return before;
}

void si_script_leave(lua_State *L, lua_State *before) { si_script_state_of(L)->L = before; }

void si_script_put(lua_State *L, const void *key) {
  lua_rawgetp(L, LUA_REGISTRYINDEX, &live_key);
  lua_pushvalue(L, -2);
  lua_rawsetp(L, -2, key);
  lua_pop(L, 1);
}

void si_script_get(lua_State *L, const void *key) {
  lua_rawgetp(L, LUA_REGISTRYINDEX, &live_key);
  lua_rawgetp(L, -1, key);
  lua_remove(L, -2);
}

void si_script_release(si_script *script) {
  if (--script->refs > 0) return;
  state_release(script->state);
  si_free(script);
}

static void instance_retain(void *object) { ((si_instance *)object)->refs++; }

static void instance_release(void *object) {
  si_instance *instance = object;
  if (--instance->refs > 0) return;
  si_script_release(instance->script);
  si_free(instance);
}

const sinew_object_class si_script_object = { "script", instance_retain, instance_release };

/* the engine's side */

static size_t node_size(const sinew_setup *setup) {
  (void)setup;
  return sizeof(si_instance *);
}

static void node_setup(sinew_setup *setup, void *data) {
  si_instance *instance = sinew_setup_object(setup, "self");
  if (!instance) sinew_setup_fail(setup, SINEW_ERR_MISSING, "was not made by its script");
  *(si_instance **)data = instance;
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

/* the floats of the userdata on top of the stack, NULL where it has been collected */
static float *floats_of(lua_State *L, sinew_kind kind) {
  return kind == SINEW_VECTOR ? si_vec3_test(L, -1) : si_mat4_test(L, -1);
}

/* the weak table is at `live` */
static void push_input(lua_State *L, const si_script *script, int live, int i, const float *value) {
  sinew_kind kind = script->inputs[i].kind;
  if (kind == SINEW_SCALAR) {
    lua_pushnumber(L, *value);
    return;
  }
  lua_rawgetp(L, live, &script->userdata[i]);
  float *dest = floats_of(L, kind);
  if (dest) memcpy(dest, value, bytes_of(kind));
}

/* what the inputs' userdata hold, for a call inside a call of the same kind */
static void copy_inputs(lua_State *L, const si_script *script, int live, float (*copies)[16],
                        bool back) {
  for (int i = 0; i < script->input_count; i++) {
    sinew_kind kind = script->inputs[i].kind;
    if (kind == SINEW_SCALAR) continue;
    lua_rawgetp(L, live, &script->userdata[i]);
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

/* what an output is called that does not fit; nothing here allocates */
static const char *called(lua_State *L, int index) {
  static const si_lua_type *const types[] = { &si_vec3_type, &si_quat_type, &si_mat4_type,
                                              &si_buffer_type, &si_curve_type };
  for (size_t i = 0; i < sizeof types / sizeof *types; i++)
    if (si_lua_test(L, index, types[i])) return types[i]->name;
  return luaL_typename(L, index);
}

static bool affine(const float *m) { return m[3] == 0 && m[7] == 0 && m[11] == 0 && m[15] == 1; }

/* one output from the value at `index` */
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

/* results stand from `first` on: one for each output in order, or one table of them by name */
static sinew_status take_outputs(lua_State *L, const sinew_node *node, const si_script *script,
                                 int live, int first, float *values, sinew_error *error) {
  float read[16];
  bool by_name = lua_istable(L, first);
  /* a table may be a vector or matrix itself */
  if (by_name && script->outputs[0].kind != SINEW_SCALAR)
    by_name = !read_output(L, first, script->outputs[0].kind, read);
  int names = lua_gettop(L) + 1;
  if (by_name) lua_rawgetp(L, live, script->outputs);
  for (int i = 0; i < script->output_count; i++) {
    const sinew_port_desc *port = &script->outputs[i];
    int at = first + i;
    if (by_name) {
      lua_rawgeti(L, names, i + 1);
      lua_rawget(L, first);
      at = lua_gettop(L);
      if (lua_isnil(L, at))
        return fail(error, "the table it returned has no '%s', which is an output", port->name);
    }
    sinew_status status =
        take_output(L, at, port, sinew_node_out(node, values, (uint32_t)i), error);
    if (status < 0) return status;
    if (by_name) lua_pop(L, 1);
  }
  return SINEW_OK;
}

/* a long message keeps both ends: the last error of a chain of them is what helps */
static sinew_status call_failed(lua_State *L, sinew_error *error) {
  enum { longest = 640, tail = 400 };
  size_t length;
  if (lua_type(L, -1) == LUA_TSTRING) {
    const char *text = lua_tolstring(L, -1, &length);
    char both[longest];
    if (length < longest) return fail(error, "%s", text);
    snprintf(both, sizeof both, "%.*s ... %s", longest - tail - 8, text, text + length - tail);
    return fail(error, "%s", both);
  }
  return fail(error, "raised a %s instead of a message", luaL_typename(L, -1));
}

static sinew_status call(lua_State *L, const sinew_node *node, float *values, sinew_error *error) {
  const si_instance *instance = *(si_instance *const *)node->data;
  si_script *script = instance->script;
  int live = lua_gettop(L) + 1;
  lua_rawgetp(L, LUA_REGISTRYINDEX, &live_key);
  lua_rawgetp(L, live, script);
  lua_rawgetp(L, live, instance);
  for (int i = 0; i < script->input_count; i++)
    push_input(L, script, live, i, sinew_node_in(node, values, (uint32_t)i));
  sinew_status status;
  script->running++;
  if (lua_type(L, live + 1) != LUA_TFUNCTION)
    status = fail(error, "%s", "its script was collected");
  else if (lua_pcall(L, script->input_count + 1, script->output_count, 0) != LUA_OK)
    status = call_failed(L, error);
  else
    status = take_outputs(L, node, script, live, live + 1, values, error);
  script->running--;
  lua_settop(L, live - 1);
  return status;
}

static sinew_status call_inside(lua_State *L, const sinew_node *node, float *values,
                                sinew_error *error) {
  const si_script *script = (*(si_instance *const *)node->data)->script;
  float copies[SI_SCRIPT_PORTS][16];
  lua_rawgetp(L, LUA_REGISTRYINDEX, &live_key);
  int live = lua_gettop(L);
  copy_inputs(L, script, live, copies, false);
  sinew_status status = call(L, node, values, error);
  copy_inputs(L, script, live, copies, true);
  lua_pop(L, 1);
  return status;
}

static sinew_status call_once(lua_State *L, const sinew_node *node, float *values,
                              sinew_error *error) {
  bool inside = (*(si_instance *const *)node->data)->script->running > 0;
  return inside ? call_inside(L, node, values, error) : call(L, node, values, error);
}

/* a second evaluation must give the same bits, or the script keeps something between calls */
static sinew_status check_purity(lua_State *L, const sinew_node *node, float *values,
                                 sinew_error *error) {
  const si_script *script = (*(si_instance *const *)node->data)->script;
  float before[SI_SCRIPT_PORTS][16];
  for (int i = 0; i < script->output_count; i++)
    memcpy(before[i], sinew_node_out(node, values, (uint32_t)i), bytes_of(script->outputs[i].kind));
  sinew_status status = call_once(L, node, values, error);
  for (int i = 0; status >= 0 && i < script->output_count; i++)
    if (memcmp(before[i], sinew_node_out(node, values, (uint32_t)i),
               bytes_of(script->outputs[i].kind)) != 0)
      status = fail(error,
                    "output '%s' differs between two calls with the same inputs; "
                    "eval must not keep anything",
                    script->outputs[i].name);
  return status;
}

static sinew_status node_eval(const sinew_node *node, float *values, sinew_error *error) {
  const si_script *script = (*(si_instance *const *)node->data)->script;
  si_script_state *state = script->state;
  lua_State *L = state->L;
  if (!L) return fail(error, "%s", "its Lua state was closed");
  if (state->depth >= SI_SCRIPT_DEPTH)
    return fail(error, "%s", "too many evaluations inside each other");
  if (!lua_checkstack(L, script->input_count + script->output_count + 8))
    return fail(error, "%s", "the Lua stack is full");
  state->depth++;
  sinew_status status = call_once(L, node, values, error);
  if (status >= 0 && state->check_purity) status = check_purity(L, node, values, error);
  state->depth--;
  return status;
}

void si_script_class(si_script *script) {
  script->cls = (sinew_component_class){ .name = script->name,
                                         .doc = "a scripted component",
                                         .inputs = script->inputs,
                                         .outputs = script->outputs,
                                         .params = script->params,
                                         .size = node_size,
                                         .setup = node_setup,
                                         .try_eval = node_eval };
}

/* the script's side: kinds, and what is to be added of them */

static si_script *open_script(lua_State *L, si_script **anchor, const char *what) {
  if (!*anchor) luaL_error(L, "the %s was closed", what);
  return *anchor;
}

static int script_close(lua_State *L) {
  si_script **self = lua_touserdata(L, 1);
  if (*self) si_script_release(*self);
  *self = NULL;
  return 0;
}

/* Spring { bend.angle, stiffness = 0.5 }: the kind at 1, the arguments at 2 */
static int script_call(lua_State *L) {
  si_script *script = open_script(L, si_lua_check(L, 1, &si_script_type), "kind of component");
  if (!lua_istable(L, 2))
    return luaL_error(L, "%s { ... } expected: a table of inputs and parameters, not %s",
                      script->name, si_lua_typename(L, 2));
  lua_createtable(L, 2, 0);
  lua_pushvalue(L, 2);
  lua_rawseti(L, -2, 1);
  lua_pushvalue(L, 1);
  lua_rawseti(L, -2, 2);
  si_script **anchor = si_lua_new(L, &si_instance_type, sizeof *anchor, lua_gettop(L));
  *anchor = script;
  script->refs++;
  return 1;
}

/* the C object that builders and rigs keep, in a userdata that frees it unless they took it */
typedef struct holder {
  si_instance *instance;
} holder;

static int holder_close(lua_State *L) {
  holder *self = lua_touserdata(L, 1);
  if (self->instance) instance_release(self->instance);
  self->instance = NULL;
  return 0;
}

static const si_lua_type holder_type = { .name = "script instance", .close = holder_close };

/* owner:add(Spring { bend.angle, stiffness = 0.5 }) */
int si_make_instance(lua_State *L) {
  si_maker_check(L);
  lua_settop(L, 2);
  si_script **anchor = si_lua_test(L, 2, &si_instance_type);
  if (!anchor) return si_lua_type_error(L, 2, "kind of component called with its inputs");
  si_script *script = open_script(L, anchor, "component to be added");
  /* another hold on the kind, in case the script closes both of its own */
  si_script **hold = si_lua_new(L, &si_instance_type, sizeof *hold, 0);
  *hold = script;
  script->refs++;
  si_lua_push_owner(L, 2);
  int pair = lua_gettop(L);
  lua_rawgeti(L, pair, 1);
  int arguments = lua_gettop(L);
  if (script->builds) return si_script_build(L, script, arguments);

  holder *held = si_lua_new(L, &holder_type, sizeof *held, 0);
  held->instance = si_alloc(sizeof *held->instance);
  if (!held->instance) return luaL_error(L, "out of memory");
  *held->instance = (si_instance){ 1, script };
  script->refs++;
  si_script_push_self(L, script, arguments, script->name);
  si_script_put(L, held->instance);
  int self = lua_gettop(L);
  si_component_make(L, &script->cls, arguments, held->instance);
  /* the rig keeps the table of parameters and the kind's parts */
  si_rig_lua *rig = ((si_handle *)lua_touserdata(L, -1))->rig;
  si_lua_push_owner(L, -1);
  si_lua_push_owner(L, -1);
  lua_createtable(L, 2, 0);
  lua_pushvalue(L, self);
  lua_rawseti(L, -2, 1);
  si_script_get(L, script->outputs);
  lua_rawseti(L, -2, 2);
  lua_rawseti(L, -2, sinew_builder_counts(rig->builder).components);
  lua_pop(L, 2);
  return 1;
}

/* the object of a scripted component, or NULL for another */
static const si_instance *instance_of(const si_handle *component) {
  const sinew_param *self =
      sinew_builder_param(component->rig->builder, (sinew_component){ component->id }, "self");
  return self && self->object_class == &si_script_object ? self->object : NULL;
}

void si_script_param_set(lua_State *L, const si_handle *component, const sinew_param *param,
                         int value) {
  const si_instance *instance = instance_of(component);
  if (!instance) return;
  value = lua_absindex(L, value);
  si_script_get(L, instance);
  si_script_push_value(L, value, param);
  lua_setfield(L, -2, param->name);
  lua_pop(L, 1);
}

bool si_script_param_push(lua_State *L, const si_handle *component, const char *name) {
  const si_instance *instance = instance_of(component);
  if (!instance) return false;
  si_script_get(L, instance);
  lua_getfield(L, -1, name);
  lua_remove(L, -2);
  return true;
}

static int script_tostring(lua_State *L) {
  si_script *const *self = si_lua_check(L, 1, &si_script_type);
  if (!*self)
    lua_pushliteral(L, "kind of component (closed)");
  else
    lua_pushfstring(L, "%s '%s': %d inputs, %d outputs",
                    (*self)->builds ? "subnetwork" : "kind of component", (*self)->name,
                    (*self)->input_count, (*self)->output_count);
  return 1;
}

static int instance_tostring(lua_State *L) {
  si_script *const *self = si_lua_check(L, 1, &si_instance_type);
  if (!*self)
    lua_pushliteral(L, "component to be added (closed)");
  else
    lua_pushfstring(L, "'%s', to be added to a rig or joint set", (*self)->name);
  return 1;
}

/* sinew.check_purity(true): evaluates every scripted component twice; gives what was set before */
static int set_purity(lua_State *L) {
  luaL_checktype(L, 1, LUA_TBOOLEAN);
  si_script_state *state = si_script_state_of(L);
  lua_pushboolean(L, state->check_purity);
  state->check_purity = lua_toboolean(L, 1);
  return 1;
}

static const luaL_Reg script_meta[] = { { "__call", script_call },
                                        { "__tostring", script_tostring },
                                        { NULL, NULL } };
const si_lua_type si_script_type = { .name = "kind of component",
                                     .meta = script_meta,
                                     .close = script_close };
static const luaL_Reg instance_meta[] = { { "__tostring", instance_tostring }, { NULL, NULL } };
const si_lua_type si_instance_type = { .name = "component to be added",
                                       .meta = instance_meta,
                                       .close = script_close };

/* the thread on which scripts run when a C program evaluates: the main one, or on LuaJIT, which
 * does not tell it, the one that loaded the module, kept alive */
static lua_State *main_thread(lua_State *L) {
#if LUA_VERSION_NUM >= 504
  lua_rawgeti(L, LUA_REGISTRYINDEX, LUA_RIDX_MAINTHREAD);
  lua_State *thread = lua_tothread(L, -1);
  lua_pop(L, 1);
  return thread;
#else
  static const char thread_key;
  lua_pushthread(L);
  lua_rawsetp(L, LUA_REGISTRYINDEX, &thread_key);
  return L;
#endif
}

void si_open_script(lua_State *L) {
  si_lua_type_open(L, &state_type);
  si_lua_type_open(L, &holder_type);
  si_lua_type_open(L, &si_script_type);
  si_lua_type_open(L, &si_instance_type);
  if (lua_rawgetp(L, LUA_REGISTRYINDEX, &state_key) == LUA_TNIL) {
    si_script_state **anchor = si_lua_new(L, &state_type, sizeof *anchor, 0);
    *anchor = si_alloc(sizeof **anchor);
    if (!*anchor) luaL_error(L, "out of memory");
    (*anchor)->refs = 1;
    (*anchor)->L = (*anchor)->main = main_thread(L);
    lua_rawsetp(L, LUA_REGISTRYINDEX, &state_key);
    lua_newtable(L);
    lua_newtable(L);
    lua_pushliteral(L, "v");
    lua_setfield(L, -2, "__mode");
    lua_setmetatable(L, -2);
    lua_rawsetp(L, LUA_REGISTRYINDEX, &live_key);
  }
  lua_pop(L, 1);
  lua_pushcfunction(L, si_script_define);
  lua_setfield(L, -2, "component");
  lua_pushcfunction(L, set_purity);
  lua_setfield(L, -2, "check_purity");
}
