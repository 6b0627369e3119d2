/* Scripted components: sinew.component { name =, inputs =, outputs =, params =, eval = } gives a
 * kind of component; calling it with wires and parameters says what to add, and a rig or joint set
 * adds it. To the engine each is a class like any other, whose evaluation calls the script's
 * function with plain numbers and with math userdata that are made once and used again.
 *
 * With `build` in place of `eval`, the kind is a subnetwork: the function wires built-in components
 * when it is added, and nothing of Lua is left in the compiled rig. */
#include "lua/rig/record_lua.h"

#include "base/text.h"
#include "lua/base/reserve.h"

#include <string.h>

static const char state_key;

static void state_release(si_script_state *state) {
  if (--state->refs > 0) return;
  si_free(state->next_free);
  si_free(state);
}

static int state_close(lua_State *L) {
  si_script_state **anchor = lua_touserdata(L, 1);
  if (*anchor) {
    (*anchor)->L = NULL;
    state_release(*anchor);
    *anchor = NULL;
  }
  return 0;
}

static const si_lua_type state_type = { .name = "script state", .close = state_close };

/* NULL while the Lua state is being closed */
static si_script_state *state_of(lua_State *L) {
  lua_rawgetp(L, LUA_REGISTRYINDEX, &state_key);
  si_script_state **anchor = lua_touserdata(L, -1);
  lua_pop(L, 1);
  return *anchor;
}

si_script_state *si_script_state_of(lua_State *L) {
  si_script_state *state = state_of(L);
  if (!state) luaL_error(L, "the Lua state is being closed");
  return state;
}

bool si_script_enter(lua_State *L, si_script_scope *scope, sinew_error *error) {
  bool room = lua_checkstack(L, SI_SCRIPT_STACK);
  si_script_state *state = room ? state_of(L) : NULL;
  if (!state || state->depth >= SI_SCRIPT_DEPTH) {
    si_fail(error, SINEW_ERR_SCRIPT, "%s",
            !room    ? "the Lua stack is full, or memory is out"
            : !state ? "the Lua state is being closed"
                     : "too many evaluations inside each other");
    return false;
  }
  *scope = (si_script_scope){ state, state->L, state->live_at };
  lua_rawgeti(L, LUA_REGISTRYINDEX, state->live);
  state->depth++;
  state->L = L;
  state->live_at = lua_gettop(L);
  return true;
}

void si_script_leave(lua_State *L, const si_script_scope *scope) {
  lua_pop(L, 1);
  scope->state->depth--;
  scope->state->L = scope->before;
  scope->state->live_at = scope->live_at;
}

int si_script_put(lua_State *L) {
  si_script_state *state = si_script_state_of(L);
  int place = state->first_free;
  if (!place) {
    size_t needed = (size_t)state->taken + 2;
    if (!si_grow((void **)&state->next_free, &state->room, needed, sizeof *state->next_free))
      luaL_error(L, "out of memory");
    place = state->taken + 1;
  }
  lua_rawgeti(L, LUA_REGISTRYINDEX, state->live);
  lua_pushvalue(L, -2);
  lua_rawseti(L, -2, place);
  lua_pop(L, 1);
  if (place == state->first_free)
    state->first_free = state->next_free[place];
  else
    state->taken++;
  return place;
}

void si_script_get(lua_State *L, int place) {
  lua_rawgeti(L, LUA_REGISTRYINDEX, si_script_state_of(L)->live);
  lua_rawgeti(L, -1, place);
  lua_remove(L, -2);
}

/* its values are left to the collector */
static void free_place(si_script_state *state, int place) {
  if (!place) return;
  state->next_free[place] = state->first_free;
  state->first_free = place;
}

void si_script_release(si_script *script) {
  if (--script->refs > 0) return;
  free_place(script->state, script->function);
  free_place(script->state, script->parts);
  free_place(script->state, script->verify);
  free_place(script->state, script->draw);
  free_place(script->state, script->protect);
  for (int i = 0; i < script->input_count; i++) free_place(script->state, script->userdata[i]);
  state_release(script->state);
  si_free(script);
}

static void instance_retain(void *object) { ((si_instance *)object)->refs++; }

static void instance_release(void *object) {
  si_instance *instance = object;
  if (--instance->refs > 0) return;
  free_place(instance->script->state, instance->self);
  free_place(instance->script->state, instance->view);
  sinew_program_release(instance->program);
  si_free(instance->refusal);
  si_script_release(instance->script);
  si_free(instance);
}

const sinew_object_class si_script_object = { "script", instance_retain, instance_release };

bool si_script_owns(const sinew_param_desc *desc) {
  return desc->type == SINEW_PARAM_OBJECT && strcmp(desc->name, "self") == 0;
}

static si_script *open_script(lua_State *L, int index) {
  return *(si_script **)si_lua_open(L, index, &si_script_type);
}

/* pushes another reference to the kind, in case the script that is run closes its own */
static void hold_script(lua_State *L, si_script *script) {
  si_script **hold = si_lua_new(L, &si_instance_type, sizeof *hold, 0);
  *hold = script;
  script->refs++;
}

static int script_close(lua_State *L) {
  si_script **self = lua_touserdata(L, 1);
  if (*self) si_script_release(*self);
  *self = NULL;
  return 0;
}

/* Spring { bend.angle, stiffness = 0.5 }: the kind at 1, the arguments at 2 */
static int script_call(lua_State *L) {
  si_script *script = open_script(L, 1);
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

/* the C object that builders and rigs hold, in a userdata that frees it unless they took it over */
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

/* pushes a holder with a new instance, and what `eval` sees of its parameters */
static holder *new_instance(lua_State *L, si_script *script, int arguments) {
  holder *held = si_lua_new(L, &holder_type, sizeof *held, 0);
  held->instance = si_alloc(sizeof *held->instance);
  if (!held->instance) luaL_error(L, "out of memory");
  *held->instance = (si_instance){ .refs = 1, .script = script };
  script->refs++;
  si_script_push_self(L, script, arguments, script->name);
  held->instance->self = si_script_put(L);
  si_script_push_view(L, script);
  lua_remove(L, -2);
  held->instance->view = si_script_put(L);
  return held;
}

/* the rig, whose userdata is at `rig`, keeps the view of the parameters at `view`, by which these
 * live too, and the kind's parts */
static void keep_parts(lua_State *L, const si_script *script, int rig, int view, int component) {
  si_lua_push_owner(L, rig);
  lua_createtable(L, 2, 0);
  lua_pushvalue(L, view);
  lua_rawseti(L, -2, 1);
  si_script_get(L, script->parts);
  lua_rawseti(L, -2, 2);
  lua_rawseti(L, -2, component);
  lua_pop(L, 1);
}

void si_script_adopt(lua_State *L, si_script *script, int rig, sinew_component component,
                     int arguments) {
  sinew_error error;
  sinew_builder *builder = si_rig_change(L, si_rig_check(L, rig));
  int top = lua_gettop(L);
  const sinew_component_class *known = sinew_builder_class(builder, script->name);
  if (known && known != &script->cls)
    luaL_error(L, "the rig already has another kind of component named '%s'", script->name);
  if (sinew_builder_param(builder, component, "self"))
    luaL_error(L, "component '%s': a %s has no parameter 'self'",
               sinew_builder_component_name(builder, component), script->name);
  const holder *held = new_instance(L, script, arguments);
  sinew_param self = sinew_param_object("self", &si_script_object, held->instance);
  keep_parts(L, script, rig, lua_gettop(L), (int)component.id);
  if (sinew_builder_set_param(builder, component, &self, &error) < 0) si_raise(L, &error);
  if (!known && sinew_builder_add_class(builder, &script->cls, &error) < 0) si_raise(L, &error);
  lua_settop(L, top);
}

/* owner:add(Spring { bend.angle, stiffness = 0.5 }) */
int si_make_instance(lua_State *L) {
  si_maker_check(L);
  lua_settop(L, 2);
  si_script **anchor = si_lua_test(L, 2, &si_instance_type);
  if (!anchor) return si_lua_type_error(L, 2, "kind of component called with its inputs");
  si_script *script = *(si_script **)si_lua_opened(L, anchor, &si_instance_type);
  hold_script(L, script);
  si_lua_push_owner(L, 2);
  int pair = lua_gettop(L);
  lua_rawgeti(L, pair, 1);
  int arguments = lua_gettop(L);
  if (script->builds) return si_script_build(L, script, arguments);
  arguments = si_script_arguments(L, script, arguments);

  const holder *held = new_instance(L, script, arguments);
  int view = lua_gettop(L);
  si_component_make(L, &script->cls, arguments, held->instance);
  const si_handle *made = lua_touserdata(L, -1);
  si_lua_push_owner(L, -1);
  keep_parts(L, script, lua_gettop(L), view, (int)made->id);
  lua_pop(L, 1);
  return 1;
}

si_script *si_script_in(lua_State *L, const char *name) {
  si_script *const *anchor = si_lua_test(L, -1, &si_script_type);
  if (anchor) return *anchor && strcmp((*anchor)->name, name) == 0 ? *anchor : NULL;
  if (!lua_istable(L, -1)) return NULL;
  si_script *found = NULL;
  for (lua_pushnil(L); lua_next(L, -2); lua_pop(L, 1)) {
    anchor = lua_type(L, -2) == LUA_TSTRING ? si_lua_test(L, -1, &si_script_type) : NULL;
    if (anchor && *anchor && !(*anchor)->builds && strcmp((*anchor)->name, name) == 0)
      found = *anchor;
  }
  return found;
}

/* the object of a scripted component, or NULL for another */
static si_instance *instance_at(const sinew_builder *builder, uint32_t component) {
  const sinew_param *self = sinew_builder_param(builder, (sinew_component){ component }, "self");
  return self && self->object_class == &si_script_object ? self->object : NULL;
}
static const si_instance *instance_of(const si_handle *component) {
  return instance_at(component->rig->builder, component->id);
}

const si_instance *si_instance_in(const sinew_rig *rig, sinew_component component) {
  int count = sinew_rig_component_info(rig, component).param_count;
  for (int i = 0; i < count; i++) {
    const sinew_param *p = sinew_rig_param(rig, component, i);
    if (p->object_class == &si_script_object) return p->object;
  }
  return NULL;
}

/* a program reads parameters from the rig, which does not know the defaults of lists, matrices,
 * curves and texts: gives it those that were left out */
static void give_defaults(lua_State *L, sinew_builder *builder, sinew_component component,
                          const si_instance *instance) {
  int top = lua_gettop(L);
  sinew_error error;
  si_script_get(L, instance->self);
  for (const sinew_param_desc *d = instance->script->params; d->name; d++) {
    bool known = d->type == SINEW_PARAM_NUMBER || d->type == SINEW_PARAM_FLAG ||
                 d->type == SINEW_PARAM_VECTOR || d->type == SINEW_PARAM_OBJECT;
    if (known || sinew_builder_param(builder, component, d->name)) continue;
    si_raw_field(L, top + 1, d->name);
    if (!lua_isnil(L, -1) && (!lua_istable(L, -1) || lua_rawlen(L, -1) > 0)) {
      sinew_param read;
      lua_newtable(L);
      si_param_read(L, top + 2, instance->script->name, d, d->name, top + 3, &read);
      if (sinew_builder_set_param(builder, component, &read, &error) < 0) si_raise(L, &error);
    }
    lua_settop(L, top + 1);
  }
  lua_settop(L, top);
}

void si_script_record_all(lua_State *L, sinew_builder *builder) {
  int count = sinew_builder_counts(builder).components;
  for (int i = 0; i < count; i++) {
    si_instance *instance = instance_at(builder, (uint32_t)i + 1);
    if (!instance) continue;
    si_record_instance(L, instance);
    if (instance->program)
      give_defaults(L, builder, (sinew_component){ (uint32_t)i + 1 }, instance);
    if (instance->script->record > 0 && instance->refusal)
      luaL_error(L, "component '%s' has record = true, but cannot be recorded: %s",
                 sinew_builder_component_name(builder, (sinew_component){ (uint32_t)i + 1 }),
                 instance->refusal);
  }
}

void si_script_param_set(lua_State *L, const si_handle *component, const sinew_param *param,
                         int value) {
  const si_instance *instance = instance_of(component);
  if (!instance) return;
  value = lua_absindex(L, value);
  si_script_get(L, instance->self);
  lua_pushstring(L, param->name);
  si_script_push_value(L, value, param);
  lua_rawset(L, -3);
  lua_pop(L, 1);
}

bool si_script_param_push(lua_State *L, const si_handle *component, const char *name) {
  const si_instance *instance = instance_of(component);
  if (!instance) return false;
  si_script_get(L, instance->self);
  si_raw_field(L, -1, name);
  lua_remove(L, -2);
  return true;
}

void si_script_push(lua_State *L, si_script *script) {
  lua_newtable(L); /* the owner table, which keeps the kind's Lua values alive */
  si_script_get(L, script->parts);
  lua_rawseti(L, -2, 1);
  si_script **anchor = si_lua_new(L, &si_script_type, sizeof *anchor, lua_gettop(L));
  script->refs++;
  *anchor = script;
  lua_remove(L, -2);
}

static int script_name(lua_State *L) {
  si_script *script = open_script(L, 1);
  return si_return_string(L, script->name);
}

/* the kind's mirror rule: a function or a table of rules, or nil */
static int script_mirror(lua_State *L) {
  si_script *script = open_script(L, 1);
  si_script_get(L, script->parts);
  lua_getfield(L, -1, "mirror");
  return 1;
}

/* how its derivative is computed: "dual" or "differences" */
static int script_tangent(lua_State *L) {
  si_script *script = open_script(L, 1);
  return si_return_string(L, script->dual ? "dual" : "differences");
}

/* pushes the program that it is recorded as with default parameters, or nil and why not */
static bool push_recorded(lua_State *L) {
  si_script *script = open_script(L, 1);
  hold_script(L, script);
  si_script_get(L, script->parts);
  lua_getfield(L, -1, "defaults");
  return si_record_push(L, script, -1);
}
static int script_recorded(lua_State *L) { return si_return_boolean(L, push_recorded(L)); }
static int script_refusal(lua_State *L) {
  if (push_recorded(L)) lua_pushnil(L);
  return 1;
}
static int script_program(lua_State *L) {
  if (!push_recorded(L)) return si_return_string(L, NULL);
  return si_return_string(L, sinew_program_text(*(sinew_program **)lua_touserdata(L, -1)));
}

/* the names of its parameters that are segments */
static int script_segments(lua_State *L) {
  si_script *script = open_script(L, 1);
  lua_newtable(L);
  for (const sinew_param_desc *d = script->params; d->name; d++) {
    if (d->type != SINEW_PARAM_SEGMENT) continue;
    lua_pushstring(L, d->name);
    lua_rawseti(L, -2, (int)lua_rawlen(L, -2) + 1);
  }
  return 1;
}

static int script_tostring(lua_State *L) {
  si_script *const *self = si_lua_check(L, 1, &si_script_type);
  if (!*self)
    lua_pushliteral(L, "kind of component (closed)");
  else
    lua_pushfstring(L, "%s '%s': %d input%s, %d output%s",
                    (*self)->builds ? "subnetwork" : "kind of component", (*self)->name,
                    (*self)->input_count, si_plural((*self)->input_count), (*self)->output_count,
                    si_plural((*self)->output_count));
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

/* sinew.check_purity(true): evaluates every scripted component twice; returns the previous
 * setting */
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
static const si_lua_field script_fields[] = {
  { "name", script_name, NULL },         { "tangent", script_tangent, NULL },
  { "mirror", script_mirror, NULL },     { "recorded", script_recorded, NULL },
  { "refusal", script_refusal, NULL },   { "program", script_program, NULL },
  { "segments", script_segments, NULL }, { NULL, NULL, NULL }
};
const si_lua_type si_script_type = {
  .name = "kind of component", .meta = script_meta, .fields = script_fields, .close = script_close
};
static const luaL_Reg instance_meta[] = { { "__tostring", instance_tostring }, { NULL, NULL } };
const si_lua_type si_instance_type = { .name = "component to be added",
                                       .meta = instance_meta,
                                       .close = script_close };

/* the thread on which scripts run when a C program evaluates: the main thread, or on LuaJIT, which
 * cannot tell it, the thread that loaded the module, kept alive */
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
  si_lua_type_open(L, &si_canvas_type);
  if (lua_rawgetp(L, LUA_REGISTRYINDEX, &state_key) == LUA_TNIL) {
    si_script_state **anchor = si_lua_new(L, &state_type, sizeof *anchor, 0);
    *anchor = si_alloc(sizeof **anchor);
    if (!*anchor) luaL_error(L, "out of memory");
    (*anchor)->refs = 1;
    (*anchor)->L = main_thread(L);
    (*anchor)->guard = si_lua_guard_of(L);
    lua_newtable(L);
    lua_newtable(L);
    lua_pushliteral(L, "v");
    lua_setfield(L, -2, "__mode");
    lua_setmetatable(L, -2);
    (*anchor)->live = luaL_ref(L, LUA_REGISTRYINDEX);
    lua_rawsetp(L, LUA_REGISTRYINDEX, &state_key);
  }
  lua_pop(L, 1);
  lua_pushcfunction(L, si_script_define);
  lua_setfield(L, -2, "component");
  lua_pushcfunction(L, set_purity);
  lua_setfield(L, -2, "check_purity");
}
