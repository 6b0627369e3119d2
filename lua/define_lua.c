/* Reading the declaration of a scripted component, and building subnetworks.
 *
 *   inputs  = { "angle", "frame: matrix" }      kinds: scalar (unless said), vector, matrix
 *   outputs = { "angle" }
 *   params  = { stiffness = 1 }                 defaults; their type is the parameter's
 *   eval    = function(self, angle, frame) ... return angle end, or
 *   build   = function(self, owner, angle, frame) ... return port, ... end
 *   mirror  = { stiffness = "same" }            for sinew.mirror: rules by parameter, or a function
 *                                               from parameters to those of the other side */
#include "script_lua.h"

#include <stdlib.h>
#include <string.h>

/* everything a declaration needs, measured and then laid into one block */
typedef struct layout {
  lua_State *L;
  char *base; /* NULL while measuring */
  size_t used;
} layout;

static void *lay(layout *l, size_t bytes, size_t align) {
  size_t at = (l->used + align - 1) / align * align;
  l->used = at + bytes;
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

static int list_length(lua_State *L, int table, const char *field) {
  lua_getfield(L, table, field);
  if (lua_isnil(L, -1)) {
    lua_pop(L, 1);
    return 0;
  }
  if (!lua_istable(L, -1))
    luaL_error(L, "sinew.component: '%s' must be a table of names, not %s", field,
               si_lua_typename(L, -1));
  size_t count = lua_rawlen(L, -1);
  if (count > 64) luaL_error(L, "sinew.component: more than 64 %s", field);
  lua_pop(L, 1);
  return (int)count;
}

/* "frame: matrix" into name and kind */
static sinew_port_desc read_port(layout *l, const char *text, const char *field) {
  static const char *const kinds[] = { "scalar", "vector", "matrix" };
  sinew_port_desc port = { .kind = SINEW_SCALAR, .unit = "", .doc = "" };
  const char *colon = strchr(text, ':');
  size_t length = colon ? (size_t)(colon - text) : strlen(text);
  if (colon) {
    const char *word = colon + 1 + strspn(colon + 1, " ");
    int kind = 0;
    while (kind < 3 && strcmp(kinds[kind], word) != 0) kind++;
    if (kind == 3)
      luaL_error(l->L, "sinew.component: '%s' in '%s': the kind must be scalar, vector or matrix",
                 text, field);
    port.kind = (sinew_kind)kind;
  }
  while (length && text[length - 1] == ' ') length--;
  if (!length || memchr(text, '.', length))
    luaL_error(l->L, "sinew.component: '%s' in '%s' is no name for a port", text, field);
  port.name = lay_text(l, text, length);
  return port;
}

static sinew_port_desc *read_ports(layout *l, int table, const char *field, int count) {
  lua_State *L = l->L;
  sinew_port_desc *ports = lay(l, ((size_t)count + 1) * sizeof *ports, 16);
  lua_getfield(L, table, field);
  for (int i = 0; i < count; i++) {
    lua_rawgeti(L, -1, i + 1);
    if (lua_type(L, -1) != LUA_TSTRING)
      luaL_error(L, "sinew.component: '%s' must be a table of names, such as {\"angle\"}", field);
    sinew_port_desc port = read_port(l, lua_tostring(L, -1), field);
    if (ports) {
      ports[i] = port;
      for (int k = 0; k < i; k++)
        if (strcmp(ports[k].name, port.name) == 0)
          luaL_error(L, "sinew.component: '%s' stands twice in '%s'", port.name, field);
    }
    lua_pop(L, 1);
  }
  lua_pop(L, 1);
  if (ports) ports[count] = (sinew_port_desc){ 0 };
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
      luaL_error(L, "sinew.component: the default of '%s' cannot be a %s", name,
                 si_lua_typename(L, -1));
    }
  }
  return d;
}

static int compare(const void *a, const void *b) {
  return strcmp(((const sinew_param_desc *)a)->name, ((const sinew_param_desc *)b)->name);
}

static sinew_param_desc *read_params(layout *l, int table) {
  lua_State *L = l->L;
  lua_getfield(L, table, "params");
  if (!lua_isnil(L, -1) && !lua_istable(L, -1))
    luaL_error(L, "sinew.component: 'params' must be a table of defaults");
  size_t count = 0;
  if (lua_istable(L, -1)) {
    lua_pushnil(L);
    while (lua_next(L, -2)) lua_pop(L, 1), count++;
  }
  sinew_param_desc *params = lay(l, (count + 2) * sizeof *params, 16);
  size_t at = 0;
  if (lua_istable(L, -1)) {
    lua_pushnil(L);
    while (lua_next(L, -2)) {
      if (lua_type(L, -2) != LUA_TSTRING)
        luaL_error(L, "sinew.component: 'params' are given by name, such as { stiffness = 1 }");
      size_t length;
      const char *name = lua_tolstring(L, -2, &length);
      if (strcmp(name, "self") == 0 || strcmp(name, "name") == 0)
        luaL_error(L, "sinew.component: a parameter cannot be called '%s'", name);
      const char *copy = lay_text(l, name, length);
      sinew_param_desc d = param_of(L, copy ? copy : name);
      if (params) params[at++] = d;
      lua_pop(L, 1);
    }
  }
  lua_pop(L, 1);
  if (params) {
    qsort(params, at, sizeof *params, compare);
    params[at++] = (sinew_param_desc){ .name = "self",
                                       .type = SINEW_PARAM_OBJECT,
                                       .unit = "the script's own",
                                       .doc = "the instance in Lua" };
    params[at] = (sinew_param_desc){ 0 };
  }
  return params;
}

static void check_fields(lua_State *L) {
  static const char *const names[] = { "name", "inputs", "outputs", "params",
                                       "eval", "build",  "mirror" };
  lua_pushnil(L);
  while (lua_next(L, 1)) {
    lua_pop(L, 1);
    si_nearest nearest;
    const char *key = lua_type(L, -1) == LUA_TSTRING ? lua_tostring(L, -1) : "?";
    bool known = false;
    si_nearest_start(&nearest, key);
    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
      known |= strcmp(key, names[i]) == 0;
      si_nearest_offer(&nearest, names[i]);
    }
    if (!known) si_lua_unknown(L, "sinew.component", "field", &nearest);
  }
}

int si_script_define(lua_State *L) {
  luaL_checktype(L, 1, LUA_TTABLE);
  lua_settop(L, 1);
  check_fields(L);
  lua_getfield(L, 1, "name");
  if (lua_type(L, 2) != LUA_TSTRING)
    return luaL_error(L, "sinew.component: 'name' must be a string");
  lua_getfield(L, 1, "build");
  bool builds = !lua_isnil(L, 3);
  if (!builds) lua_getfield(L, 1, "eval"), lua_replace(L, 3);
  if (!lua_isfunction(L, 3))
    return luaL_error(L, "sinew.component '%s': 'eval' (or 'build') must be a function, not %s",
                      lua_tostring(L, 2), si_lua_typename(L, 3));
  lua_getfield(L, 1, "mirror");
  if (!lua_isnil(L, -1) && !lua_istable(L, -1) && !lua_isfunction(L, -1))
    return luaL_error(L, "sinew.component '%s': 'mirror' must be a table or a function, not %s",
                      lua_tostring(L, 2), si_lua_typename(L, -1));
  int inputs = list_length(L, 1, "inputs"), outputs = list_length(L, 1, "outputs");
  if (!outputs)
    return luaL_error(L, "sinew.component '%s': it needs 'outputs', at least one",
                      lua_tostring(L, 2));

  si_script **anchor = si_lua_new(L, &si_script_type, sizeof *anchor, 0);
  layout l = { .L = L };
  for (int pass = 0; pass < 2; pass++) {
    l.used = 0;
    si_script *script = lay(&l, sizeof *script, 16);
    size_t length;
    const char *name = lua_tolstring(L, 2, &length);
    name = lay_text(&l, name, length);
    int *arguments = lay(&l, ((size_t)inputs + 1) * sizeof *arguments, 16);
    sinew_port_desc *in = read_ports(&l, 1, "inputs", inputs);
    sinew_port_desc *out = read_ports(&l, 1, "outputs", outputs);
    sinew_param_desc *params = read_params(&l, 1);
    if (pass == 0) {
      /* a half-made one must be harmless to release: zeroed, its references set below */
      l.base = si_alloc(l.used);
      if (!l.base) return luaL_error(L, "out of memory");
      continue;
    }
    script->refs = 1;
    script->state = si_script_state_of(L);
    script->state->refs++;
    script->name = name;
    script->builds = builds;
    script->function = script->defaults = script->mirror = LUA_NOREF;
    script->arguments = arguments;
    script->input_count = inputs;
    script->output_count = outputs;
    script->inputs = in;
    script->outputs = out;
    script->params = params;
    for (int i = 0; i < inputs; i++) arguments[i] = LUA_NOREF;
    si_script_class(script);
    *anchor = script;
  }
  si_script *script = *anchor;
  lua_pushvalue(L, 3);
  script->function = luaL_ref(L, LUA_REGISTRYINDEX);
  lua_getfield(L, 1, "params");
  if (lua_isnil(L, -1)) lua_newtable(L), lua_replace(L, -2);
  script->defaults = luaL_ref(L, LUA_REGISTRYINDEX);
  lua_getfield(L, 1, "mirror");
  script->mirror = luaL_ref(L, LUA_REGISTRYINDEX); /* a reference to nil reads nil */
  for (int i = 0; i < inputs; i++) {
    if (script->inputs[i].kind == SINEW_SCALAR) continue;
    if (script->inputs[i].kind == SINEW_VECTOR)
      si_vec3_push(L);
    else
      si_mat4_push(L);
    script->arguments[i] = luaL_ref(L, LUA_REGISTRYINDEX);
  }
  return 1;
}

/* the value wired to input i: by position or by name in the arguments */
static void push_argument(lua_State *L, const si_script *script, int arguments, int i) {
  lua_rawgeti(L, arguments, i + 1);
  if (!lua_isnil(L, -1)) return;
  lua_pop(L, 1);
  lua_getfield(L, arguments, script->inputs[i].name);
  if (lua_isnil(L, -1))
    luaL_error(L, "subnetwork '%s': input '%s' is not wired", script->name, script->inputs[i].name);
}

int si_script_build(lua_State *L, const si_instance *instance, int arguments) {
  const si_script *script = instance->script;
  luaL_checkstack(L, script->input_count + script->output_count + 8, "too many ports");
  int top = lua_gettop(L);
  lua_rawgeti(L, LUA_REGISTRYINDEX, script->function);
  lua_rawgeti(L, LUA_REGISTRYINDEX, instance->self);
  lua_pushvalue(L, 1);
  for (int i = 0; i < script->input_count; i++) push_argument(L, script, arguments, i);
  lua_call(L, script->input_count + 2, script->output_count);
  lua_createtable(L, script->output_count, script->output_count);
  bool by_name = lua_istable(L, top + 1) && lua_rawlen(L, top + 1) == 0;
  for (int i = 0; i < script->output_count; i++) {
    const char *name = script->outputs[i].name;
    if (by_name)
      lua_getfield(L, top + 1, name);
    else
      lua_pushvalue(L, top + 1 + i);
    if (!si_lua_test(L, -1, &si_port_type) && !si_lua_test(L, -1, &si_component_type) &&
        !si_lua_test(L, -1, &si_dof_type))
      return luaL_error(L, "subnetwork '%s': output '%s' must be a port, not %s", script->name,
                        name, si_lua_typename(L, -1));
    lua_pushvalue(L, -1);
    lua_setfield(L, -3, name);
    lua_rawseti(L, -2, i + 1);
  }
  return 1;
}
