/* Defining a kind of scripted component, and building subnetworks.
 *
 *   doc     = "what it does"
 *   inputs  = { "angle (rad)", "frame (matrix)", "slack (m) = 0: how far it gives" }
 *   outputs = { "angle" }                       declare_lua.c has the grammar of both
 *   params  = { stiffness = 1 }                 defaults, or tables with more
 *   holds   = { angle = "its range" }           what it holds back, and by what
 *   verify  = function(self, inputs..., outputs...) return true or false, "why" end
 *   draw    = function(self, canvas, inputs...) canvas:line(a, b) end
 *   eval    = function(self, angle, frame) ... return angle end, or
 *   build   = function(self, owner, angle, frame) ... return port, ... end
 *   mirror  = { stiffness = "same" }            for sinew.mirror: rules by parameter, or a function
 *                                               from parameters to those of the other side */
#include "lua/math/options.h"
#include "lua/rig/declare_lua.h"

#include <string.h>

/* a declaration as it was given; what Lua has is on the stack */
typedef struct declaration {
  const char *who, *name, *doc;
  int inputs, outputs, params, holds; /* tables, also where none was given */
  int eval, build, verify, draw, mirror;
  int tangent; /* 1: eval accepts dual numbers */
  int record;  /* 1: it must be recorded; -1: it is not; 0: where it can be */
} declaration;

static int wrong(lua_State *L, const declaration *d, const char *what) {
  return luaL_error(L, "%s: %s", d->who, what);
}

/* the table at an index, or a new one where it is 0 */
static int table_at(lua_State *L, int index) {
  if (index) return index;
  lua_newtable(L);
  return lua_gettop(L);
}

static int list_length(lua_State *L, const declaration *d, int list, const char *field) {
  size_t count = lua_rawlen(L, list);
  if (count > SI_SCRIPT_PORTS)
    wrong(L, d, lua_pushfstring(L, "more than %d %s", SI_SCRIPT_PORTS, field));
  return (int)count;
}

/* what a subnetwork may not have, since its components have their own */
static void check_build(lua_State *L, const declaration *d) {
  const struct {
    const char *name;
    bool given;
  } only_eval[] = { { "holds", d->holds }, { "verify", d->verify }, { "draw", d->draw } };
  if (d->eval) wrong(L, d, "give 'eval' or 'build', not both");
  for (int i = 0; i < 3; i++)
    if (only_eval[i].given)
      wrong(L, d,
            lua_pushfstring(L,
                            "'%s' is only allowed with 'eval': the components of a "
                            "subnetwork have their own",
                            only_eval[i].name));
  if (d->tangent)
    wrong(L, d,
          "'tangent' is only allowed with 'eval': a subnetwork uses the derivatives of its "
          "components");
}

/* reads the table at 1 */
static declaration read_declaration(lua_State *L) {
  static const char *const tangents[] = { "differences", "dual", NULL };
  static const si_option options[] = {
    SI_OPTION(declaration, name, TEXT),
    SI_OPTION(declaration, doc, TEXT),
    SI_OPTION_OF(declaration, inputs, LUA_TTABLE, "a table of names"),
    SI_OPTION_OF(declaration, outputs, LUA_TTABLE, "a table of names"),
    SI_OPTION_OF(declaration, params, LUA_TTABLE, "a table of defaults"),
    SI_OPTION_OF(declaration, holds, LUA_TTABLE, "a table of ports and what holds them"),
    SI_OPTION(declaration, eval, VALUE),
    SI_OPTION(declaration, build, VALUE),
    SI_OPTION_OF(declaration, verify, LUA_TFUNCTION, "a function"),
    SI_OPTION_OF(declaration, draw, LUA_TFUNCTION, "a function"),
    SI_OPTION(declaration, mirror, VALUE),
    SI_OPTION_CHOICE(declaration, tangent, tangents),
    SI_OPTION_OF(declaration, record, LUA_TBOOLEAN, "true or false"),
    SI_OPTION_END,
  };
  declaration d = { .who = "sinew.component" };
  si_raw_field(L, 1, "name");
  if (lua_type(L, -1) == LUA_TSTRING)
    d.who = lua_pushfstring(L, "sinew.component '%s'", lua_tostring(L, -1));
  si_options_read(L, 1, d.who, options, &d);
  if (!d.name) luaL_error(L, "sinew.component: 'name' must be a string, not nil");
  const char *fault = si_name_fault(d.name);
  if (fault) wrong(L, &d, lua_pushfstring(L, "its name %s", fault));
  const int function = d.build ? d.build : d.eval;
  if (d.build) check_build(L, &d);
  if (!function || !lua_isfunction(L, function))
    wrong(L, &d,
          lua_pushfstring(L, "'eval' (or 'build') must be a function, not %s",
                          function ? si_lua_typename(L, function) : "nil"));
  if (d.mirror && !lua_istable(L, d.mirror) && !lua_isfunction(L, d.mirror)) {
    const char *got = si_lua_typename(L, d.mirror);
    wrong(L, &d, lua_pushfstring(L, "'mirror' must be a table or a function, not %s", got));
  }
  if (d.record) d.record = lua_toboolean(L, d.record) ? 1 : -1;
  d.inputs = table_at(L, d.inputs);
  d.outputs = table_at(L, d.outputs);
  d.params = table_at(L, d.params);
  d.holds = table_at(L, d.holds);
  return d;
}

/* a table of results has its holds in `holds`, and self has the method `hold` */
static void check_hold_names(lua_State *L, const declaration *d, const sinew_port_desc *outputs,
                             const sinew_param_desc *params) {
  for (; outputs->name; outputs++)
    if (strcmp(outputs->name, "holds") == 0)
      wrong(L, d, "an output of a kind with 'holds' cannot be named 'holds'");
  for (; params->name; params++)
    if (strcmp(params->name, "hold") == 0)
      wrong(L, d, "a parameter of a kind with 'holds' cannot be named 'hold'");
}

/* lays everything out twice: first to measure, then into the script's block */
static void lay_script(si_layout *l, const declaration *d, si_script *script, int inputs,
                       int outputs) {
  l->used = 0;
  si_lay(l, sizeof *script, 16);
  const char *name = si_lay_text(l, d->name, strlen(d->name));
  const char *doc = d->doc ? si_lay_text(l, d->doc, strlen(d->doc)) : "a scripted component";
  int *userdata = si_lay(l, ((size_t)inputs + 1) * sizeof *userdata, 16);
  si_port_more measured[SI_SCRIPT_PORTS + 1];
  si_port_more *more = si_lay(l, ((size_t)inputs + 1) * sizeof *more, 16);
  sinew_port_desc *in = si_declare_ports(l, d->inputs, inputs, more ? more : measured);
  sinew_port_desc *out = si_declare_ports(l, d->outputs, outputs, NULL);
  sinew_param_desc *params = si_declare_params(l, d->params, in);
  int hold_count;
  sinew_hold_desc *holds = si_declare_holds(l, d->holds, in, out, &hold_count);
  double *scale = si_lay(l, ((size_t)hold_count + 1) * sizeof *scale, 16);
  if (!script) return;
  if (hold_count) check_hold_names(l->L, d, out, params);
  si_declare_check(l, in, more, params);
  script->name = name;
  script->doc = doc;
  script->userdata = userdata;
  script->input_count = inputs;
  script->output_count = outputs;
  script->hold_count = hold_count;
  script->inputs = in;
  script->outputs = out;
  script->params = params;
  script->holds = holds;
  script->more = more;
  script->hold_scale = scale;
  for (int i = 0; i < hold_count; i++) {
    scale[i] = 1;
    for (int k = 0; k < inputs; k++)
      if (strcmp(in[k].name, holds[i].port) == 0) scale[i] = more[k].scale;
  }
}

/* puts the function at an index, 0: there is none, into the parts, and its slot into `dest` */
static int put_function(lua_State *L, int index, int parts, int next, int *dest) {
  if (!index) return next;
  lua_pushvalue(L, index);
  *dest = si_script_put(L);
  lua_rawseti(L, parts, next);
  return next + 1;
}

/* pushes the Lua values that the kind needs: the names of its outputs and holds, the word "holds",
 * its function, its inputs' userdata and the defaults; stores their slots in the kind */
static void push_parts(lua_State *L, const declaration *given, si_script *script) {
  lua_newtable(L);
  script->parts = si_script_put(L);
  int parts = lua_gettop(L), next = 1;
  for (int i = 0; i < script->output_count; i++) {
    lua_pushstring(L, script->outputs[i].name);
    lua_rawseti(L, parts, next++);
  }
  for (int i = 0; i < script->hold_count; i++) {
    lua_pushstring(L, script->holds[i].port);
    lua_rawseti(L, parts, next++);
  }
  lua_pushliteral(L, "holds");
  lua_rawseti(L, parts, next++);
  next = put_function(L, given->build ? given->build : given->eval, parts, next, &script->function);
  si_script_push_protect(L);
  script->protect = si_script_put(L);
  lua_rawseti(L, parts, next++);
  next = put_function(L, given->verify, parts, next, &script->verify);
  next = put_function(L, given->draw, parts, next, &script->draw);
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
    if (si_script_owns(d)) continue;
    lua_pushstring(L, d->name);
    lua_rawget(L, given->params);
    si_declare_push_default(L);
    lua_remove(L, -2);
    int value = lua_gettop(L);
    if (lua_isnil(L, value)) {
      lua_pop(L, 1);
      continue;
    }
    lua_newtable(L);
    const char *who = lua_pushfstring(L, "sinew.component '%s'", script->name);
    si_param_read(L, value, who, d, d->name, value + 1, &read);
    si_script_push_value(L, value, &read);
    lua_setfield(L, value - 1, d->name);
    lua_settop(L, value - 1);
  }
  lua_setfield(L, parts, "defaults");
  if (!given->mirror) return;
  lua_pushvalue(L, given->mirror);
  lua_setfield(L, parts, "mirror");
}

int si_script_define(lua_State *L) {
  luaL_checktype(L, 1, LUA_TTABLE);
  lua_settop(L, 1);
  luaL_checkstack(L, 24, "a declaration");
  const declaration d = read_declaration(L);
  const int inputs = list_length(L, &d, d.inputs, "inputs");
  const int outputs = list_length(L, &d, d.outputs, "outputs");
  if (!outputs) return wrong(L, &d, "'outputs' needs at least one name");
  si_script_state *state = si_script_state_of(L);

  lua_newtable(L); /* the owner's place, for the parts */
  int owner = lua_gettop(L);
  si_script **anchor = si_lua_new(L, &si_script_type, sizeof *anchor, owner);
  si_layout l = { .L = L, .who = d.who, .builds = d.build };
  lay_script(&l, &d, NULL, inputs, outputs);
  l.room = l.used;
  l.base = si_alloc(l.room);
  if (!l.base) return luaL_error(L, "out of memory");
  si_script *script = *anchor = (si_script *)(void *)l.base;
  script->refs = 1;
  script->state = state;
  state->refs++;
  script->builds = d.build;
  script->dual = d.tangent;
  script->record = d.record;
  lay_script(&l, &d, script, inputs, outputs);
  push_parts(L, &d, script);
  si_script_class(script);
  lua_rawseti(L, owner, 1);
  return 1;
}

/* --- the parameters of an instance */

void si_script_push_value(lua_State *L, int index, const sinew_param *param) {
  /* numbers stay Lua numbers: floats would round them */
  if (param->type == SINEW_PARAM_NUMBER || param->type == SINEW_PARAM_FLAG)
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
int si_script_keep_nothing(lua_State *L) {
  return luaL_error(
      L,
      "self.%s cannot be set: eval keeps nothing, so that the same inputs always give "
      "the same outputs; use a local variable, or an input for what changes",
      luaL_tolstring(L, 2, NULL));
}

/* self:hold("length", amount), inside `eval` */
static int hold(lua_State *L) {
  const si_script_call *call = &si_script_state_of(L)->call;
  const char *port = luaL_checkstring(L, 2);
  if (!call->script) return luaL_error(L, "self:hold can only be called inside eval");
  si_nearest nearest;
  si_nearest_start(&nearest, port);
  for (int i = 0; i < call->script->hold_count; i++) {
    si_nearest_offer(&nearest, call->script->holds[i].port);
    if (strcmp(call->script->holds[i].port, port) != 0) continue;
    if (!call->held) return 0; /* a derivative, whose amounts are dual numbers */
    if (lua_type(L, 3) != LUA_TNUMBER)
      return luaL_error(L, "self:hold: the amount of '%s' must be a number, not %s", port,
                        si_lua_typename(L, 3));
    call->held[i] = lua_tonumber(L, 3);
    return 0;
  }
  return si_lua_unknown(L, "self", "hold", &nearest);
}

void si_script_push_view(lua_State *L, const si_script *script) {
  lua_newtable(L);
  if (script->hold_count) {
    lua_pushcfunction(L, hold);
    lua_setfield(L, -2, "hold");
  }
  lua_createtable(L, 0, 3);
  lua_pushvalue(L, -3);
  lua_setfield(L, -2, "__index");
  lua_pushcfunction(L, si_script_keep_nothing);
  lua_setfield(L, -2, "__newindex");
  lua_pushboolean(L, 0);
  lua_setfield(L, -2, "__metatable");
  lua_setmetatable(L, -2);
}

/* for a subnetwork; the engine checks the parameters of components */
static void check_range(lua_State *L, const char *who, const sinew_param_desc *d,
                        const sinew_param *given) {
  bool list = given->type == SINEW_PARAM_NUMBERS;
  const float *numbers = list ? given->numbers : given->number;
  for (int i = 0; d->min < d->max && i < (list ? given->count : 1); i++)
    if (numbers[i] < d->min || numbers[i] > d->max)
      luaL_error(L, "%s: parameter '%s': %f is outside its range", who, d->name,
                 (lua_Number)numbers[i]);
}

void si_script_push_self(lua_State *L, const si_script *script, int arguments, const char *who) {
  luaL_checkstack(L, 12, "parameters");
  lua_newtable(L);
  int self = lua_gettop(L);
  si_script_get(L, script->parts);
  lua_getfield(L, -1, "defaults");
  lua_remove(L, -2);
  for (const sinew_param_desc *d = script->params; d->name; d++) {
    if (si_script_owns(d)) continue;
    lua_pushstring(L, d->name);
    lua_rawget(L, arguments);
    if (lua_isnil(L, -1)) {
      lua_pop(L, 1);
      lua_getfield(L, self + 1, d->name);
      if (lua_isnil(L, -1)) luaL_error(L, "%s: parameter '%s' is not given", who, d->name);
    }
    sinew_param read;
    lua_newtable(L);
    si_param_read(L, -2, who, d, d->name, lua_gettop(L), &read);
    if (script->builds) check_range(L, who, d, &read);
    /* `build` gets the segment itself */
    if (script->builds && d->type == SINEW_PARAM_SEGMENT)
      lua_pushvalue(L, -2);
    else
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
      if (si_script_owns(d)) continue;
      known |= strcmp(d->name, key) == 0;
      si_nearest_offer(&nearest, d->name);
    }
    if (!known)
      si_lua_unknown(L, lua_pushfstring(L, "subnetwork '%s'", script->name), "input or parameter",
                     &nearest);
  }
}

void si_script_push_fallback(lua_State *L, const si_script *script, int i) {
  const si_port_more *more = &script->more[i];
  if (script->inputs[i].kind == SINEW_SCALAR)
    lua_pushnumber(L, (lua_Number)script->inputs[i].fallback);
  else if (script->inputs[i].kind == SINEW_VECTOR)
    memcpy(si_vec3_push(L), more->fallback, sizeof more->fallback);
  else
    si_mat4_push(L);
}

/* the value wired to input i: by position or by name in the arguments */
static void push_argument(lua_State *L, const si_script *script, int arguments, int i) {
  lua_rawgeti(L, arguments, i + 1);
  if (lua_isnil(L, -1)) {
    lua_pop(L, 1);
    lua_pushstring(L, script->inputs[i].name);
    lua_rawget(L, arguments);
  }
  const si_port_more *more = &script->more[i];
  if (!lua_isnil(L, -1)) {
    if (more->segment && !si_lua_test(L, -1, &si_segment_type))
      luaL_error(L, "subnetwork '%s': input '%s' must be a segment, not %s", script->name,
                 script->inputs[i].name, si_lua_typename(L, -1));
    return;
  }
  if (!more->optional)
    luaL_error(L, "subnetwork '%s': input '%s' is not wired", script->name, script->inputs[i].name);
  lua_pop(L, 1);
  si_script_push_fallback(L, script, i);
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
