/* Scripted components: sinew.component { name =, inputs =, outputs =, params =, eval = } gives a
 * kind of component; calling it with wires and parameters gives an instance, which a rig or joint
 * set adds. To the engine each is a class like any other, whose evaluation calls the script's
 * function with plain numbers and with math userdata that are made once and used again.
 *
 * With `build` in place of `eval`, the kind is a subnetwork: the function wires built-in components
 * when an instance is added, and nothing of Lua is left in the compiled rig. */
#include "script_lua.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const char state_key, reader_key;

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

static si_script_state *state_of(lua_State *L) {
  lua_rawgetp(L, LUA_REGISTRYINDEX, &state_key);
  si_script_state **anchor = lua_touserdata(L, -1);
  lua_pop(L, 1);
  return *anchor;
}

void si_script_enter(lua_State *L) { state_of(L)->L = L; }

void si_script_leave(lua_State *L) {
  si_script_state *state = state_of(L);
  state->L = state->main;
}

static void script_release(si_script *script) {
  if (--script->refs > 0) return;
  if (script->state->L) {
    luaL_unref(script->state->L, LUA_REGISTRYINDEX, script->function);
    luaL_unref(script->state->L, LUA_REGISTRYINDEX, script->defaults);
    luaL_unref(script->state->L, LUA_REGISTRYINDEX, script->mirror);
    for (int i = 0; i < script->input_count; i++)
      luaL_unref(script->state->L, LUA_REGISTRYINDEX, script->arguments[i]);
  }
  state_release(script->state);
  si_free(script);
}

static void instance_retain(void *object) { ((si_instance *)object)->refs++; }

static void instance_release(void *object) {
  si_instance *instance = object;
  if (--instance->refs > 0) return;
  lua_State *L = instance->script->state->L;
  if (L) luaL_unref(L, LUA_REGISTRYINDEX, instance->self);
  script_release(instance->script);
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

static void push_input(lua_State *L, const si_script *script, int i, const float *value) {
  sinew_kind kind = script->inputs[i].kind;
  if (kind == SINEW_SCALAR) {
    lua_pushnumber(L, *value);
    return;
  }
  lua_rawgeti(L, LUA_REGISTRYINDEX, script->arguments[i]);
  if (kind == SINEW_VECTOR)
    memcpy(si_vec3_test(L, -1), value, 3 * sizeof(float));
  else
    memcpy(si_mat4_test(L, -1), value, 16 * sizeof(float));
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

static sinew_status read_one(lua_State *L, const sinew_node *node, const si_script *script, int i,
                             int index, float *values, sinew_error *error) {
  const sinew_port_desc *port = &script->outputs[i];
  float *dest = sinew_node_out(node, values, (uint32_t)i);
  if (read_output(L, index, port->kind, dest)) return SINEW_OK;
  char text[256];
  snprintf(text, sizeof text, "output '%s' must be a %s, not %s", port->name,
           sinew_kind_name(port->kind), luaL_typename(L, index));
  return fail(error, "%s", text);
}

typedef struct reading {
  const sinew_node *node;
  const si_script *script;
  float *values;
  sinew_error *error;
  sinew_status status;
  bool by_name;
} reading;

/* The outputs by name from the table at 1. Protected, since making a name may run out of memory,
 * and raw, since nothing of the script's may run here. */
static int read_by_name(lua_State *L) {
  reading *r = lua_touserdata(L, 2);
  for (int i = 0; i < r->script->output_count && r->status >= 0; i++) {
    lua_pushstring(L, r->script->outputs[i].name);
    lua_rawget(L, 1);
    if (i == 0) r->by_name = !lua_isnil(L, -1);
    if (!r->by_name) return 0;
    r->status = read_one(L, r->node, r->script, i, lua_gettop(L), r->values, r->error);
    lua_pop(L, 1);
  }
  return 0;
}

/* results stand from `first` on: one for each output in order, or one table of them by name */
static sinew_status read_outputs(lua_State *L, const sinew_node *node, const si_script *script,
                                 int first, float *values, sinew_error *error) {
  if (lua_istable(L, first)) {
    reading r = { node, script, values, error, SINEW_OK, false };
    lua_rawgetp(L, LUA_REGISTRYINDEX, &reader_key); /* LuaJIT would allocate a new one each time */
    lua_pushvalue(L, first);
    lua_pushlightuserdata(L, &r);
    if (lua_pcall(L, 2, 0, 0) != LUA_OK) return fail(error, "%s", "out of memory");
    if (r.by_name) return r.status;
  }
  sinew_status status = SINEW_OK;
  for (int i = 0; i < script->output_count && status >= 0; i++)
    status = read_one(L, node, script, i, first + i, values, error);
  return status;
}

static sinew_status call(lua_State *L, const sinew_node *node, float *values, sinew_error *error) {
  const si_instance *instance = *(si_instance *const *)node->data;
  const si_script *script = instance->script;
  int top = lua_gettop(L);
  lua_rawgeti(L, LUA_REGISTRYINDEX, script->function);
  lua_rawgeti(L, LUA_REGISTRYINDEX, instance->self);
  for (int i = 0; i < script->input_count; i++)
    push_input(L, script, i, sinew_node_in(node, values, (uint32_t)i));
  sinew_status status;
  if (lua_pcall(L, script->input_count + 1, script->output_count, 0) != LUA_OK) {
    const char *text = lua_type(L, -1) == LUA_TSTRING ? lua_tostring(L, -1) : NULL;
    status = text ? fail(error, "%s", text)
                  : fail(error, "raised a %s instead of a message", luaL_typename(L, -1));
  } else {
    status = read_outputs(L, node, script, top + 1, values, error);
  }
  lua_settop(L, top);
  return status;
}

/* a second evaluation must give the same bits, or the script keeps something between calls */
static sinew_status check_purity(lua_State *L, const sinew_node *node, float *values,
                                 sinew_error *error) {
  float before[16];
  const si_script *script = (*(si_instance *const *)node->data)->script;
  for (int i = 0; i < script->output_count; i++) {
    sinew_kind kind = script->outputs[i].kind;
    size_t bytes = (kind == SINEW_SCALAR ? 1 : kind == SINEW_VECTOR ? 3 : 16) * sizeof(float);
    float *output = sinew_node_out(node, values, (uint32_t)i);
    memcpy(before, output, bytes);
    sinew_status status = call(L, node, values, error);
    if (status < 0) return status;
    if (memcmp(before, output, bytes) != 0)
      return fail(error,
                  "output '%s' differs between two calls with the same inputs; "
                  "eval must not keep anything",
                  script->outputs[i].name);
  }
  return SINEW_OK;
}

static sinew_status node_eval(const sinew_node *node, float *values, sinew_error *error) {
  const si_script *script = (*(si_instance *const *)node->data)->script;
  lua_State *L = script->state->L;
  if (!L) return fail(error, "%s", "its Lua state was closed");
  if (!lua_checkstack(L, script->input_count + script->output_count + 8))
    return fail(error, "%s", "the Lua stack is full");
  sinew_status status = call(L, node, values, error);
  if (status >= 0 && script->state->check_purity) status = check_purity(L, node, values, error);
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

/* the script's side: kinds and instances */

static int script_close(lua_State *L) {
  si_script **self = lua_touserdata(L, 1);
  if (*self) script_release(*self);
  *self = NULL;
  return 0;
}

static int instance_close(lua_State *L) {
  si_instance **self = lua_touserdata(L, 1);
  if (*self) instance_release(*self);
  *self = NULL;
  return 0;
}

/* Spring { bend.angle, stiffness = 0.5 }: the kind at 1, the arguments at 2 */
static int script_call(lua_State *L) {
  si_script *script = *(si_script **)si_lua_self(L, &si_script_type);
  luaL_checktype(L, 2, LUA_TTABLE);
  lua_settop(L, 2);
  si_instance **anchor = si_lua_new(L, &si_instance_type, sizeof *anchor, 2);
  si_instance *instance = si_alloc(sizeof *instance);
  if (!instance) return luaL_error(L, "out of memory");
  instance->refs = 1;
  instance->script = script;
  instance->self = LUA_NOREF;
  script->refs++;
  *anchor = instance;
  /* self: the defaults, then what is given */
  lua_newtable(L);
  lua_rawgeti(L, LUA_REGISTRYINDEX, script->defaults);
  for (const sinew_param_desc *d = script->params; d->name; d++) {
    if (d->type == SINEW_PARAM_OBJECT) continue;
    lua_getfield(L, 2, d->name);
    if (lua_isnil(L, -1)) {
      lua_pop(L, 1);
      lua_getfield(L, -1, d->name);
    }
    lua_setfield(L, -3, d->name);
  }
  lua_pop(L, 1);
  instance->self = luaL_ref(L, LUA_REGISTRYINDEX);
  return 1;
}

const sinew_component_class *si_instance_read(lua_State *L, int index, void **dest_self) {
  si_instance **anchor = si_lua_test(L, index, &si_instance_type);
  if (!anchor || !*anchor) return NULL;
  *dest_self = *anchor;
  si_lua_push_owner(L, index);
  return &(*anchor)->script->cls;
}

void si_script_param_set(lua_State *L, const si_handle *component, const char *name, int value) {
  const sinew_param *self =
      sinew_builder_param(component->rig->builder, (sinew_component){ component->id }, "self");
  if (!self || self->object_class != &si_script_object) return;
  value = lua_absindex(L, value);
  lua_rawgeti(L, LUA_REGISTRYINDEX, ((si_instance *)self->object)->self);
  lua_pushvalue(L, value);
  lua_setfield(L, -2, name);
  lua_pop(L, 1);
}

static int script_tostring(lua_State *L) {
  const si_script *script = *(si_script **)si_lua_self(L, &si_script_type);
  lua_pushfstring(L, "%s '%s': %d inputs, %d outputs",
                  script->builds ? "subnetwork" : "component kind", script->name,
                  script->input_count, script->output_count);
  return 1;
}

void si_script_push(lua_State *L, si_script *script) {
  si_script **anchor = si_lua_new(L, &si_script_type, sizeof *anchor, 0);
  script->refs++;
  *anchor = script;
}

static int script_name(lua_State *L) {
  lua_pushstring(L, (*(si_script **)si_lua_self(L, &si_script_type))->name);
  return 1;
}

/* what the script says of mirroring: a function or a table of rules, or nil */
static int script_mirror(lua_State *L) {
  lua_rawgeti(L, LUA_REGISTRYINDEX, (*(si_script **)si_lua_self(L, &si_script_type))->mirror);
  return 1;
}

static int instance_tostring(lua_State *L) {
  const si_instance *instance = *(si_instance **)si_lua_self(L, &si_instance_type);
  lua_pushfstring(L, "instance of '%s', to be added to a rig", instance->script->name);
  return 1;
}

static int set_purity(lua_State *L) {
  luaL_checktype(L, 1, LUA_TBOOLEAN);
  state_of(L)->check_purity = lua_toboolean(L, 1);
  return 0;
}

static const luaL_Reg script_meta[] = { { "__call", script_call },
                                        { "__tostring", script_tostring },
                                        { NULL, NULL } };
static const si_lua_field script_fields[] = { { "name", script_name, NULL },
                                              { "mirror", script_mirror, NULL },
                                              { NULL, NULL, NULL } };
const si_lua_type si_script_type = {
  .name = "component kind", .meta = script_meta, .fields = script_fields, .close = script_close
};
static const luaL_Reg instance_meta[] = { { "__tostring", instance_tostring }, { NULL, NULL } };
const si_lua_type si_instance_type = { .name = "component instance",
                                       .meta = instance_meta,
                                       .close = instance_close };

si_script_state *si_script_state_of(lua_State *L) { return state_of(L); }

void si_open_script(lua_State *L) {
  si_lua_type_open(L, &state_type);
  si_lua_type_open(L, &si_script_type);
  si_lua_type_open(L, &si_instance_type);
  si_script_state **anchor = si_lua_new(L, &state_type, sizeof *anchor, 0);
  *anchor = si_alloc(sizeof **anchor);
  if (!*anchor) luaL_error(L, "out of memory");
  (*anchor)->refs = 1;
#if LUA_VERSION_NUM >= 504
  lua_rawgeti(L, LUA_REGISTRYINDEX, LUA_RIDX_MAINTHREAD);
  (*anchor)->main = lua_tothread(L, -1);
  lua_pop(L, 1);
#else
  (*anchor)->main = L;
#endif
  (*anchor)->L = (*anchor)->main;
  lua_rawsetp(L, LUA_REGISTRYINDEX, &state_key);
  lua_pushcfunction(L, read_by_name);
  lua_rawsetp(L, LUA_REGISTRYINDEX, &reader_key);
  lua_pushcfunction(L, si_script_define);
  lua_setfield(L, -2, "component");
  lua_pushcfunction(L, set_purity);
  lua_setfield(L, -2, "check_purity");
}
