/* Reading the declaration of a scripted component, and building subnetworks.
 *
 *   inputs  = { "angle", "frame: matrix" }      kinds: scalar (default), vector, matrix; or a
 *                                               unit: "angle: rad", in which eval gets it
 *   outputs = { "angle" }
 *   params  = { stiffness = 1 }                 defaults; their type is the parameter's
 *   eval    = function(self, angle, frame) ... return angle end, or
 *   build   = function(self, owner, angle, frame) ... return port, ... end
 *   mirror  = { stiffness = "same" }            for sinew.mirror: rules by parameter, or a function
 *                                               from parameters to those of the other side */
#include "lua/math/options.h"
#include "lua/rig/script_lua.h"

#include <stdlib.h>
#include <string.h>

/* stack indices of the declaration's fields */
enum { at_name = 2, at_function, at_inputs, at_outputs, at_params };

/* all memory that a declaration needs: measured first, then laid out in one block */
typedef struct layout {
  lua_State *L;
  char *base; /* NULL while measuring */
  size_t used, room;
} layout;

static void *lay(layout *l, size_t bytes, size_t align) {
  size_t at = (l->used + align - 1) / align * align;
  l->used = at + bytes;
  if (l->base && l->used > l->room)
    luaL_error(l->L, "sinew.component: its tables changed while being read");
  return l->base ? l->base + at : NULL;
}

static const char *lay_text(layout *l, const char *text, size_t length) {
  char *copy = lay(l, length + 1, 1);
  if (copy) {
    memcpy(copy, text, length);
    copy[length] = '\0';
  }
  return copy;
}

static const char *name_of(lua_State *L) { return lua_tostring(L, at_name); }

static int wrong(lua_State *L, const char *what) {
  return luaL_error(L, "sinew.component '%s': %s", name_of(L), what);
}

/* pushes a field that is a table, or an empty table if it is missing */
static void push_table(lua_State *L, const char *field, const char *what) {
  si_raw_field(L, 1, field);
  if (lua_isnil(L, -1)) {
    lua_pop(L, 1);
    lua_newtable(L);
  } else if (!lua_istable(L, -1)) {
    const char *got = si_lua_typename(L, -1);
    wrong(L, lua_pushfstring(L, "'%s' must be a table of %s, not %s", field, what, got));
  }
}

static int list_length(lua_State *L, int list, const char *field) {
  size_t count = lua_rawlen(L, list);
  if (count > SI_SCRIPT_PORTS)
    wrong(L, lua_pushfstring(L, "more than %d %s", SI_SCRIPT_PORTS, field));
  return (int)count;
}

/* whether the declaration at 1 has `build` */
static bool builds(lua_State *L) {
  si_raw_field(L, 1, "build");
  bool found = !lua_isnil(L, -1);
  lua_pop(L, 1);
  return found;
}

/* splits "frame: matrix" into name and kind, "stroke: mm" into name and unit */
static sinew_port_desc read_port(layout *l, const char *text, const char *field) {
  lua_State *L = l->L;
  sinew_port_desc port = { .kind = SINEW_SCALAR, .unit = "", .doc = "" };
  const char *colon = strchr(text, ':');
  size_t length = colon ? (size_t)(colon - text) : strlen(text);
  if (colon) {
    const char *word = colon + 1 + strspn(colon + 1, " ");
    int kind = SINEW_SCALAR;
    const si_unit *unit = *word ? si_unit_find(word) : NULL;
    while (kind <= SINEW_MATRIX && strcmp(sinew_kind_name((sinew_kind)kind), word) != 0) kind++;
    if (kind > SINEW_MATRIX && !unit)
      wrong(L, lua_pushfstring(L,
                               "'%s' in '%s': the kind must be scalar, vector or matrix, or a "
                               "unit: %s",
                               text, field, si_unit_unknown_push(L, word)));
    if (unit && unit->size != 1 && (strcmp(field, "inputs") != 0 || builds(L)))
      wrong(L, lua_pushfstring(L, "'%s' in '%s': only inputs of an eval are converted; write %s",
                               text, field, unit->carried));
    if (unit)
      port.unit = unit->name;
    else
      port.kind = (sinew_kind)kind;
  }
  while (length && text[length - 1] == ' ') length--;
  lua_pushlstring(L, text, length);
  const char *fault = si_name_fault(lua_tostring(L, -1));
  if (fault) wrong(L, lua_pushfstring(L, "'%s' in '%s': the name %s", text, field, fault));
  lua_pop(L, 1);
  port.name = lay_text(l, text, length);
  return port;
}

static sinew_port_desc *read_ports(layout *l, int list, const char *field, int count) {
  lua_State *L = l->L;
  sinew_port_desc *ports = lay(l, ((size_t)count + 1) * sizeof *ports, 16);
  for (int i = 0; i < count; i++) {
    lua_rawgeti(L, list, i + 1);
    if (lua_type(L, -1) != LUA_TSTRING)
      wrong(L, lua_pushfstring(L, "'%s' must be a table of names, such as {\"angle\"}", field));
    sinew_port_desc port = read_port(l, lua_tostring(L, -1), field);
    lua_pop(L, 1);
    if (!ports) continue;
    ports[i] = port;
    for (int k = 0; k < i; k++)
      if (strcmp(ports[k].name, port.name) == 0)
        wrong(L, lua_pushfstring(L, "duplicate '%s' in '%s'", port.name, field));
  }
  return ports;
}

/* the descriptor of a parameter whose default is on top of the stack */
static sinew_param_desc param_of(lua_State *L, const char *name) {
  sinew_param_desc d = { .name = name, .unit = "", .doc = "a parameter of the script's" };
  switch (lua_type(L, -1)) {
  case LUA_TNUMBER:
    d.type = SINEW_PARAM_NUMBER;
    d.fallback[0] = (float)lua_tonumber(L, -1);
    break;
  case LUA_TBOOLEAN:
    d.type = SINEW_PARAM_FLAG;
    d.fallback[0] = (float)lua_toboolean(L, -1);
    break;
  case LUA_TSTRING: d.type = SINEW_PARAM_TEXT; break;
  default:
    if (si_curve_test(L, -1))
      d.type = SINEW_PARAM_CURVE;
    else if (si_mat4_test(L, -1))
      d.type = SINEW_PARAM_MATRIX;
    else if (si_vec3_read(L, -1, d.fallback))
      d.type = SINEW_PARAM_VECTOR;
    else if (lua_istable(L, -1)) {
      float vector[3];
      lua_rawgeti(L, -1, 1);
      d.type = si_vec3_read(L, -1, vector) ? SINEW_PARAM_VECTORS : SINEW_PARAM_NUMBERS;
      lua_pop(L, 1);
    } else {
      const char *got = si_lua_typename(L, -1);
      wrong(L, lua_pushfstring(L, "the default of '%s' cannot be a %s", name, got));
    }
  }
  return d;
}

static int compare(const void *a, const void *b) {
  return strcmp(((const sinew_param_desc *)a)->name, ((const sinew_param_desc *)b)->name);
}

static sinew_param_desc *read_params(layout *l, const sinew_port_desc *inputs) {
  lua_State *L = l->L;
  size_t count = 0, at = 0;
  lua_pushnil(L);
  while (lua_next(L, at_params)) lua_pop(L, 1), count++;
  sinew_param_desc *params = lay(l, (count + 2) * sizeof *params, 16);
  lua_pushnil(L);
  while (lua_next(L, at_params)) {
    if (lua_type(L, -2) != LUA_TSTRING)
      wrong(L, "'params' must be given by name, such as { stiffness = 1 }");
    size_t length;
    const char *name = lua_tolstring(L, -2, &length);
    if (strcmp(name, "self") == 0 || strcmp(name, "name") == 0)
      wrong(L, lua_pushfstring(L, "a parameter cannot be named '%s'", name));
    for (const sinew_port_desc *p = inputs; p && p->name; p++)
      if (strcmp(p->name, name) == 0)
        wrong(L, lua_pushfstring(L, "'%s' is both an input and a parameter", name));
    const char *copy = lay_text(l, name, length);
    sinew_param_desc d = param_of(L, copy ? copy : name);
    if (params && at < count) params[at++] = d;
    lua_pop(L, 1);
  }
  if (!params) return NULL;
  qsort(params, at, sizeof *params, compare);
  params[at] = (sinew_param_desc){ .name = "self",
                                   .type = SINEW_PARAM_OBJECT,
                                   .unit = "the script's own",
                                   .doc = "the instance in Lua" };
  return params;
}

/* moves every field to its stack index; returns whether it is a subnetwork */
static bool read_fields(lua_State *L) {
  static const char *const fields[] = { "name",  "inputs", "outputs", "params", "eval",
                                        "build", "mirror", "tangent", NULL };
  si_options_check(L, 1, "sinew.component", fields, false);
  si_raw_field(L, 1, "name");
  if (lua_type(L, at_name) != LUA_TSTRING)
    luaL_error(L, "sinew.component: 'name' must be a string, not %s", si_lua_typename(L, at_name));
  const char *fault = si_name_fault(name_of(L));
  if (fault) wrong(L, lua_pushfstring(L, "its name %s", fault));
  si_raw_field(L, 1, "eval");
  si_raw_field(L, 1, "build");
  bool builds = !lua_isnil(L, -1);
  if (builds && !lua_isnil(L, -2)) wrong(L, "give 'eval' or 'build', not both");
  lua_remove(L, builds ? -2 : -1);
  if (!lua_isfunction(L, at_function)) {
    const char *got = si_lua_typename(L, at_function);
    wrong(L, lua_pushfstring(L, "'eval' (or 'build') must be a function, not %s", got));
  }
  push_table(L, "inputs", "names");
  push_table(L, "outputs", "names");
  push_table(L, "params", "defaults");
  return builds;
}

/* tangent = "dual" means that eval accepts dual numbers */
static bool read_tangent(lua_State *L, bool builds) {
  si_raw_field(L, 1, "tangent");
  const char *word = lua_type(L, -1) == LUA_TSTRING ? lua_tostring(L, -1) : NULL;
  bool dual = word && strcmp(word, "dual") == 0;
  if (!lua_isnil(L, -1) && !dual && !(word && strcmp(word, "differences") == 0))
    wrong(L, "'tangent' must be 'dual' or 'differences'");
  if (dual && builds)
    wrong(L, "'tangent' is only allowed with 'eval': a subnetwork uses the derivatives of its "
             "components");
  lua_pop(L, 1);
  return dual;
}

/* lays everything out twice: first to measure, then into the script's block */
static void lay_script(layout *l, si_script *script, int inputs, int outputs) {
  l->used = 0;
  lay(l, sizeof *script, 16);
  size_t length;
  const char *name = lua_tolstring(l->L, at_name, &length);
  name = lay_text(l, name, length);
  int *userdata = lay(l, ((size_t)inputs + 1) * sizeof *userdata, 16);
  sinew_port_desc *in = read_ports(l, at_inputs, "inputs", inputs);
  sinew_port_desc *out = read_ports(l, at_outputs, "outputs", outputs);
  sinew_param_desc *params = read_params(l, in);
  if (!script) return;
  script->name = name;
  script->userdata = userdata;
  script->input_count = inputs;
  script->output_count = outputs;
  script->inputs = in;
  script->outputs = out;
  script->params = params;
}

/* pushes the Lua values that the kind needs: the names of its outputs, its function, its inputs'
 * userdata and the defaults; stores their slots in the kind */
static void push_parts(lua_State *L, si_script *script) {
  lua_newtable(L);
  script->parts = si_script_put(L);
  int parts = lua_gettop(L), next = 1;
  for (int i = 0; i < script->output_count; i++) {
    lua_pushstring(L, script->outputs[i].name);
    lua_rawseti(L, parts, next++);
  }
  lua_pushvalue(L, at_function);
  script->function = si_script_put(L);
  lua_rawseti(L, parts, next++);
  if (script->dual) {
    si_script_push_differentiate(L);
    script->differentiate = si_script_put(L);
    lua_rawseti(L, parts, next++);
  }
  for (int i = 0; i < script->input_count; i++) {
    if (script->inputs[i].kind == SINEW_SCALAR) continue;
    if (script->inputs[i].kind == SINEW_VECTOR)
      si_vec3_push(L);
    else
      si_mat4_push(L);
    script->userdata[i] = si_script_put(L);
    lua_rawseti(L, parts, next++);
  }
  lua_newtable(L);
  sinew_param read;
  for (const sinew_param_desc *d = script->params; d->name; d++) {
    if (d->type == SINEW_PARAM_OBJECT) continue;
    lua_pushstring(L, d->name);
    lua_rawget(L, at_params);
    int value = lua_gettop(L);
    lua_newtable(L);
    const char *who = lua_pushfstring(L, "sinew.component '%s'", script->name);
    si_param_read(L, value, who, d, d->name, value + 1, &read);
    si_script_push_value(L, value, &read);
    lua_setfield(L, value - 1, d->name);
    lua_settop(L, value - 1);
  }
  lua_setfield(L, parts, "defaults");
  si_raw_field(L, 1, "mirror");
  if (!lua_isnil(L, -1) && !lua_istable(L, -1) && !lua_isfunction(L, -1)) {
    const char *got = si_lua_typename(L, -1);
    wrong(L, lua_pushfstring(L, "'mirror' must be a table or a function, not %s", got));
  }
  lua_setfield(L, parts, "mirror");
}

int si_script_define(lua_State *L) {
  luaL_checktype(L, 1, LUA_TTABLE);
  lua_settop(L, 1);
  luaL_checkstack(L, 24, "a declaration");
  bool builds = read_fields(L), dual = read_tangent(L, builds);
  int inputs = list_length(L, at_inputs, "inputs"), outputs = list_length(L, at_outputs, "outputs");
  if (!outputs) return wrong(L, "'outputs' needs at least one name");
  si_script_state *state = si_script_state_of(L);

  lua_newtable(L); /* the owner's place, for the parts */
  int owner = lua_gettop(L);
  si_script **anchor = si_lua_new(L, &si_script_type, sizeof *anchor, owner);
  layout l = { .L = L };
  lay_script(&l, NULL, inputs, outputs);
  l.room = l.used;
  l.base = si_alloc(l.room);
  if (!l.base) return luaL_error(L, "out of memory");
  si_script *script = *anchor = (si_script *)(void *)l.base;
  script->refs = 1;
  script->state = state;
  state->refs++;
  script->builds = builds;
  script->dual = dual;
  lay_script(&l, script, inputs, outputs);
  si_script_class(script);
  push_parts(L, script);
  lua_rawseti(L, owner, 1);
  return 1;
}

/* --- the parameters of an instance */

void si_script_push_value(lua_State *L, int index, const sinew_param *param) {
  /* numbers stay Lua numbers: floats would round them */
  if (param->type == SINEW_PARAM_NUMBER || param->type == SINEW_PARAM_FLAG ||
      param->type == SINEW_PARAM_TEXT)
    lua_pushvalue(L, index);
  else
    si_param_push(L, param);
}

/* __index of a table of parameters: nothing is nil in it by mistake */
static int unknown_param(lua_State *L) {
  si_nearest nearest;
  si_nearest_start(&nearest, luaL_tolstring(L, 2, NULL));
  si_lua_offer_keys(L, 1, &nearest);
  return si_lua_unknown(L, "self", "parameter", &nearest);
}

/* __newindex of what `eval` sees */
static int keep_nothing(lua_State *L) {
  return luaL_error(
      L,
      "self.%s cannot be set: eval keeps nothing, so that the same inputs always give "
      "the same outputs; use a local variable, or an input for what changes",
      luaL_tolstring(L, 2, NULL));
}

void si_script_push_view(lua_State *L) {
  lua_newtable(L);
  lua_createtable(L, 0, 3);
  lua_pushvalue(L, -3);
  lua_setfield(L, -2, "__index");
  lua_pushcfunction(L, keep_nothing);
  lua_setfield(L, -2, "__newindex");
  lua_pushboolean(L, 0);
  lua_setfield(L, -2, "__metatable");
  lua_setmetatable(L, -2);
}

void si_script_push_self(lua_State *L, const si_script *script, int arguments, const char *who) {
  luaL_checkstack(L, 12, "parameters");
  lua_newtable(L);
  int self = lua_gettop(L);
  si_script_get(L, script->parts);
  lua_getfield(L, -1, "defaults");
  lua_remove(L, -2);
  for (const sinew_param_desc *d = script->params; d->name; d++) {
    if (d->type == SINEW_PARAM_OBJECT) continue;
    lua_pushstring(L, d->name);
    lua_rawget(L, arguments);
    if (lua_isnil(L, -1)) {
      lua_pop(L, 1);
      lua_getfield(L, self + 1, d->name);
    }
    sinew_param read;
    lua_newtable(L);
    si_param_read(L, -2, who, d, d->name, lua_gettop(L), &read);
    si_script_push_value(L, -2, &read);
    lua_setfield(L, self, d->name);
    lua_pop(L, 2);
  }
  lua_settop(L, self);
  lua_createtable(L, 0, 2);
  lua_pushcfunction(L, unknown_param);
  lua_setfield(L, -2, "__index");
  lua_pushboolean(L, 0);
  lua_setfield(L, -2, "__metatable");
  lua_setmetatable(L, self);
}

/* --- subnetworks */

/* arguments must be inputs, in order or by name, or parameters */
static void check_arguments(lua_State *L, const si_script *script, int arguments) {
  int positions = (int)lua_rawlen(L, arguments);
  if (positions > script->input_count)
    luaL_error(L, "subnetwork '%s' takes %d input%s, got %d", script->name, script->input_count,
               script->input_count == 1 ? "" : "s", positions);
  lua_pushnil(L);
  while (lua_next(L, arguments)) {
    lua_pop(L, 1);
    if (lua_type(L, -1) != LUA_TSTRING) continue;
    const char *key = lua_tostring(L, -1);
    bool known = false;
    si_nearest nearest;
    si_nearest_start(&nearest, key);
    for (int i = 0; i < script->input_count; i++) {
      known |= strcmp(script->inputs[i].name, key) == 0;
      si_nearest_offer(&nearest, script->inputs[i].name);
    }
    for (const sinew_param_desc *d = script->params; d->name; d++) {
      if (d->type == SINEW_PARAM_OBJECT) continue;
      known |= strcmp(d->name, key) == 0;
      si_nearest_offer(&nearest, d->name);
    }
    if (!known)
      si_lua_unknown(L, lua_pushfstring(L, "subnetwork '%s'", script->name), "input or parameter",
                     &nearest);
  }
}

/* the value wired to input i: by position or by name in the arguments */
static void push_argument(lua_State *L, const si_script *script, int arguments, int i) {
  lua_rawgeti(L, arguments, i + 1);
  if (!lua_isnil(L, -1)) return;
  lua_pop(L, 1);
  lua_pushstring(L, script->inputs[i].name);
  lua_rawget(L, arguments);
  if (lua_isnil(L, -1))
    luaL_error(L, "subnetwork '%s': input '%s' is not wired", script->name, script->inputs[i].name);
}

/* __index of a subnetwork's outputs; upvalue 1: its name */
static int unknown_output(lua_State *L) {
  if (lua_type(L, 2) != LUA_TSTRING) {
    lua_pushnil(L);
    return 1;
  }
  si_nearest nearest;
  si_nearest_start(&nearest, lua_tostring(L, 2));
  si_lua_offer_keys(L, 1, &nearest);
  return si_lua_unknown(L,
                        lua_pushfstring(L, "subnetwork '%s'", lua_tostring(L, lua_upvalueindex(1))),
                        "output", &nearest);
}

/* output i of the results from `first` on: in order, or by name or index in one table */
static void push_output(lua_State *L, const si_script *script, int first, int i) {
  const char *name = script->outputs[i].name;
  if (lua_istable(L, first)) {
    lua_pushstring(L, name);
    lua_rawget(L, first);
    if (lua_isnil(L, -1)) {
      lua_pop(L, 1);
      lua_rawgeti(L, first, i + 1);
    }
  } else {
    lua_pushvalue(L, first + i);
  }
  if (!si_lua_test(L, -1, &si_port_type) && !si_lua_test(L, -1, &si_component_type) &&
      !si_lua_test(L, -1, &si_dof_type) && !si_expression_test(L, -1))
    luaL_error(L, "subnetwork '%s': output '%s' must be a port, not %s", script->name, name,
               si_lua_typename(L, -1));
}

int si_script_build(lua_State *L, const si_script *script, int arguments) {
  luaL_checkstack(L, script->input_count + script->output_count + 16, "too many ports");
  check_arguments(L, script, arguments);
  int first = lua_gettop(L) + 1;
  si_script_get(L, script->function);
  si_script_push_self(L, script, arguments, lua_pushfstring(L, "subnetwork '%s'", script->name));
  lua_remove(L, -2);
  lua_pushvalue(L, 1);
  for (int i = 0; i < script->input_count; i++) push_argument(L, script, arguments, i);
  lua_call(L, script->input_count + 2, script->output_count);
  lua_createtable(L, script->output_count, script->output_count);
  for (int i = 0; i < script->output_count; i++) {
    push_output(L, script, first, i);
    lua_pushvalue(L, -1);
    lua_setfield(L, -3, script->outputs[i].name);
    lua_rawseti(L, -2, i + 1);
  }
  lua_createtable(L, 0, 1);
  lua_pushstring(L, script->name);
  lua_pushcclosure(L, unknown_output, 1);
  lua_setfield(L, -2, "__index");
  lua_setmetatable(L, -2);
  return 1;
}
