/* Components in Lua: created from one table of wires and parameters, as the class's descriptors
 * say; their outputs are fields. */
#include "lua/rig/rig_lua.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* what was collected from the arguments, in memory owned by Lua */
typedef struct draft {
  lua_State *L;
  const si_rig_lua *rig;
  const sinew_component_class *cls;
  int keep;        /* index of the table that keeps strings and lists alive */
  const char *who; /* "rotation 'turn'" */
  sinew_wire *wires;
  sinew_param *params;
  int wire_count, param_count;
} draft;

static int input_count(const sinew_component_class *cls) {
  int n = 0;
  while (cls->inputs && cls->inputs[n].name) n++;
  return n;
}

/* Refuses an angle where a length belongs, and the other way round. The source is at `index`. A DOF
 * whose script did not say its unit may carry anything. */
static void check_unit(const draft *d, const sinew_port_desc *input, int index, const char *from) {
  const si_handle *dof = si_lua_test(d->L, index, &si_dof_type);
  if (!dof || !input->unit) return;
  si_note_push(d->L, index, "unit");
  const char *given = lua_tostring(d->L, -1);
  const si_unit *unit = si_unit_find(input->unit);
  const char *wanted = unit ? unit->carried : "";
  bool angle = given && strcmp(wanted, "deg") == 0 && strcmp(given, "m") == 0;
  bool length = given && strcmp(wanted, "m") == 0 && strcmp(given, "deg") == 0;
  if (angle || length)
    luaL_error(d->L, "%s: input '%s' takes %s (%s), but %s is %s (%s)", d->who, input->name,
               angle ? "an angle" : "a length", input->unit, from + (*from == '.'),
               angle ? "a length" : "an angle", given);
  lua_pop(d->L, 1);
}

/* one wire from the value on top of the stack, which is popped */
static void take_wire(draft *d, const sinew_port_desc *input) {
  lua_State *L = d->L;
  sinew_wire *wire = &d->wires[d->wire_count++];
  *wire = (sinew_wire){ .input = input->name };
  bool constant = false;
  if (si_source_push(L, lua_gettop(L), d->rig)) {
    wire->from = lua_tostring(L, -1);
    if (input->kind == SINEW_SCALAR) check_unit(d, input, lua_gettop(L) - 1, wire->from);
    lua_rawseti(L, d->keep, (int)lua_rawlen(L, d->keep) + 1);
  } else if (input->kind == SINEW_SCALAR && lua_type(L, -1) == LUA_TNUMBER) {
    wire->constant[0] = (float)lua_tonumber(L, -1);
    constant = true;
  } else if (input->kind == SINEW_VECTOR) {
    constant = si_vec3_read(L, -1, wire->constant);
  } else if (input->kind == SINEW_MATRIX) {
    constant = si_mat4_read(L, -1, wire->constant);
  }
  if (!wire->from && !constant) {
    static const char *const constants[] = { "number", "vec3", "mat4" };
    luaL_error(L, "%s: input '%s' expects a DOF, a port or a %s, not %s", d->who, input->name,
               constants[input->kind], si_lua_typename(L, -1));
  }
  lua_pop(L, 1);
}

static int unknown_argument(draft *d, const char *name) {
  si_nearest nearest;
  si_nearest_start(&nearest, name);
  for (int i = 0; i < input_count(d->cls); i++) si_nearest_offer(&nearest, d->cls->inputs[i].name);
  for (const sinew_param_desc *p = d->cls->params; p && p->name; p++)
    si_nearest_offer(&nearest, p->name);
  si_nearest_offer(&nearest, "name");
  return si_lua_unknown(d->L, d->who, "input or parameter", &nearest);
}

/* raises if the segment or component on top of the stack, given for a parameter, is of another rig,
 * since parameters keep only its name */
static void check_owner(const draft *d, const char *name) {
  const si_lua_type *const types[] = { &si_segment_type, &si_component_type };
  for (int i = 0; i < 2; i++) {
    const si_handle *given = si_lua_test(d->L, -1, types[i]);
    if (given && given->rig != d->rig)
      luaL_error(d->L, "%s: '%s' is a %s of another rig", d->who, name, types[i]->name);
  }
}

/* reads a field of the arguments: its name is `name`, its value on top of the stack, which is
 * popped */
static void take_field(draft *d, const char *name) {
  lua_State *L = d->L;
  const sinew_param_desc *param = sinew_class_find_param(d->cls, name);
  const sinew_port_desc *input = sinew_class_find_input(d->cls, name);
  /* if the class allows it, a curve with any other name is an output that the author named */
  bool named = d->cls->named && !param && (!input || si_curve_test(L, -1));
  if (param || named) {
    check_owner(d, name);
    si_param_read(L, -1, d->who, param ? param : d->cls->named, name, d->keep,
                  &d->params[d->param_count++]);
    lua_pop(L, 1);
  } else if (input && (input->flags & SINEW_PORT_LIST)) {
    luaL_error(L, "%s: '%s' must be a list, without names", d->who, name);
  } else if (input) {
    take_wire(d, input);
  } else {
    unknown_argument(d, name);
  }
}

static int compare(const void *a, const void *b) {
  return strcmp(*(const char *const *)a, *(const char *const *)b);
}

/* fields are read in the order of their names, so that the rig does not depend on Lua's hashing */
static void take_fields(draft *d, int arguments, int count, int positions) {
  lua_State *L = d->L;
  const char **names = lua_newuserdatauv(L, ((size_t)count + 1) * sizeof *names, 0);
  int found = 0;
  lua_pushnil(L);
  while (lua_next(L, arguments)) {
    lua_pop(L, 1);
    if (lua_type(L, -1) == LUA_TSTRING) {
      if (strcmp(lua_tostring(L, -1), "name") != 0) names[found++] = lua_tostring(L, -1);
    } else if (lua_type(L, -1) != LUA_TNUMBER ||
               !(lua_tonumber(L, -1) >= 1 && lua_tonumber(L, -1) <= positions)) {
      luaL_error(L, "%s: arguments must be given in order without gaps, or by name", d->who);
    }
  }
  qsort(names, (size_t)found, sizeof *names, compare);
  for (int i = 0; i < found; i++) {
    lua_pushstring(L, names[i]);
    lua_rawget(L, arguments);
    take_field(d, names[i]);
  }
  lua_pop(L, 1);
}

static void take_positions(draft *d, int arguments, int count) {
  lua_State *L = d->L;
  int inputs = input_count(d->cls);
  bool list = inputs && (d->cls->inputs[inputs - 1].flags & SINEW_PORT_LIST);
  for (int i = 1; i <= count; i++) {
    if (i > inputs && !list)
      luaL_error(L, "%s takes %d input%s, got %d", d->who, inputs, inputs == 1 ? "" : "s", count);
    lua_rawgeti(L, arguments, i);
    if (lua_isnil(L, -1)) {
      luaL_error(L, "%s: input '%s' is nil", d->who,
                 d->cls->inputs[i <= inputs ? i - 1 : inputs - 1].name);
    }
    take_wire(d, &d->cls->inputs[i <= inputs ? i - 1 : inputs - 1]);
  }
}

/* the table of arguments with expressions replaced by what carries them: itself, where it has none
 */
static int wire_expressions(lua_State *L, const sinew_component_class *cls, int arguments) {
  bool found = false;
  for (lua_pushnil(L); lua_next(L, arguments); lua_pop(L, 1)) found |= si_expression_test(L, -1);
  if (!found) return arguments;
  lua_pushvalue(L, 1);
  lua_pushstring(L, cls->name);
  lua_pushvalue(L, arguments);
  si_expression_call(L, "arguments", 3);
  return lua_gettop(L);
}

int si_component_make(lua_State *L, const sinew_component_class *cls, int arguments, void *self) {
  sinew_error error;
  sinew_joint_set set;
  arguments = lua_absindex(L, arguments);
  luaL_checkstack(L, 24, "too much to hold for a component");
  arguments = wire_expressions(L, cls, arguments);
  si_rig_lua *rig = si_maker_self(L, &set);
  int owner = lua_gettop(L), positions = (int)lua_rawlen(L, arguments), fields = 0;
  lua_pushnil(L);
  while (lua_next(L, arguments)) lua_pop(L, 1), fields++;
  si_raw_field(L, arguments, "name");
  si_rig_check(L, owner); /* a metamethod may have closed it */
  if (!lua_isnil(L, -1) && lua_type(L, -1) != LUA_TSTRING)
    return luaL_error(L, "%s: 'name' must be a string, not %s", cls->name, si_lua_typename(L, -1));
  const char *name = lua_tostring(L, -1);
  const char *who = name ? lua_pushfstring(L, "%s '%s'", cls->name, name) : cls->name;
  lua_newtable(L);
  draft d = { .L = L, .rig = rig, .cls = cls, .keep = lua_gettop(L), .who = who };
  size_t room = (size_t)fields + (size_t)positions + 1;
  d.wires = lua_newuserdatauv(L, room * sizeof *d.wires, 0);
  d.params = lua_newuserdatauv(L, room * sizeof *d.params, 0);
  take_positions(&d, arguments, positions);
  take_fields(&d, arguments, fields, positions);
  if (self) d.params[d.param_count++] = sinew_param_object("self", &si_script_object, self);

  sinew_component_desc desc = { .size = sizeof desc,
                                .kind = cls->name,
                                .name = name,
                                .joint_set = set,
                                .wires = d.wires,
                                .wire_count = d.wire_count,
                                .params = d.params,
                                .param_count = d.param_count,
                                .origin = si_where_push(L) };
  const sinew_component_class *known = sinew_builder_class(rig->builder, cls->name);
  if (known && known != cls)
    return luaL_error(L, "the rig already has another kind of component named '%s'", cls->name);
  sinew_component component = sinew_builder_add_component(si_rig_change(L, rig), &desc, &error);
  if (!component.id) return si_raise(L, &error);
  /* only now: the component keeps a scripted class alive */
  if (!known && sinew_builder_add_class(rig->builder, cls, &error) < 0) return si_raise(L, &error);
  si_rig_edited(rig);
  si_handle_push(L, &si_component_type, owner, component.id, 0);
  return 1;
}

int si_component_output(const si_handle *c, const char *name) {
  sinew_component id = { c->id };
  int count = sinew_builder_output_count(c->rig->builder, id);
  for (int i = 0; i < count; i++) {
    char output[128];
    sinew_builder_output_name(c->rig->builder, id, i, output, sizeof output);
    if (strcmp(output, name) == 0) return i;
  }
  return -1;
}

static void push_port(lua_State *L, const si_handle *c, int output) {
  si_lua_push_owner(L, 1);
  si_handle_push(L, &si_port_type, lua_gettop(L), c->id, (uint32_t)output);
}

static const sinew_component_class *class_of(const si_handle *c) {
  return sinew_builder_class(
      c->rig->builder, sinew_builder_component_kind(c->rig->builder, (sinew_component){ c->id }));
}

static const sinew_param_desc *open_param(const sinew_component_class *cls, const char *name) {
  const sinew_param_desc *desc = sinew_class_find_param(cls, name);
  return desc && si_script_owns(desc) ? NULL : desc;
}

static void push_param(lua_State *L, const si_handle *c, const sinew_param_desc *desc,
                       const char *name) {
  const sinew_param *param = sinew_builder_param(c->rig->builder, (sinew_component){ c->id }, name);
  if (si_script_param_push(L, c, name)) return;
  if (param)
    si_param_push(L, param);
  else
    si_param_push_default(L, desc);
}

/* component.angle: the port of that name; otherwise component.axis: the parameter */
static int component_index(lua_State *L) {
  const si_handle *c = si_handle_check(L, 1, &si_component_type);
  if (lua_type(L, 2) != LUA_TSTRING) return 0;
  const char *name = lua_tostring(L, 2);
  int output = si_component_output(c, name);
  const sinew_param_desc *desc = output < 0 ? open_param(class_of(c), name) : NULL;
  if (output >= 0) push_port(L, c, output);
  if (desc) push_param(L, c, desc, name);
  return output >= 0 || desc;
}

/* offers the names of all outputs, which stay on the stack until the call ends */
static void offer_outputs(lua_State *L, const si_handle *c, si_nearest *nearest) {
  sinew_component id = { c->id };
  int count = sinew_builder_output_count(c->rig->builder, id);
  char(*names)[128] = lua_newuserdatauv(L, ((size_t)count + 1) * sizeof *names, 0);
  for (int i = 0; i < count; i++) {
    sinew_builder_output_name(c->rig->builder, id, i, names[i], sizeof names[i]);
    si_nearest_offer(nearest, names[i]);
  }
}

static void offer_params(const sinew_component_class *cls, si_nearest *nearest) {
  for (const sinew_param_desc *p = cls->params; p && p->name; p++)
    if (open_param(cls, p->name)) si_nearest_offer(nearest, p->name);
}

static void component_offer(lua_State *L, si_nearest *nearest) {
  const si_handle *c = si_handle_check(L, 1, &si_component_type);
  offer_outputs(L, c, nearest);
  offer_params(class_of(c), nearest);
}

static const si_handle *self_component(lua_State *L) {
  return si_lua_open_self(L, &si_component_type);
}

static const char *who_push(lua_State *L, const si_handle *c) {
  sinew_component id = { c->id };
  return lua_pushfstring(L, "%s '%s'", sinew_builder_component_kind(c->rig->builder, id),
                         sinew_builder_component_name(c->rig->builder, id));
}

/* component:port "kind": the port of that name, even if there is a field of the same name */
static int component_port(lua_State *L) {
  const si_handle *c = self_component(L);
  const char *name = luaL_checkstring(L, 2);
  int output = si_component_output(c, name);
  if (output < 0) {
    si_nearest nearest;
    si_nearest_start(&nearest, name);
    offer_outputs(L, c, &nearest);
    return si_lua_unknown(L, who_push(L, c), "port", &nearest);
  }
  push_port(L, c, output);
  return 1;
}

/* the descriptor of a parameter, or of a named output; raises for an unknown name */
static const sinew_param_desc *want_param(lua_State *L, const si_handle *c, const char *name) {
  const sinew_component_class *cls = class_of(c);
  const sinew_param_desc *desc = open_param(cls, name);
  if (!desc && cls->named && si_component_output(c, name) >= 0) desc = cls->named;
  if (desc) return desc;
  si_nearest nearest;
  si_nearest_start(&nearest, name);
  offer_params(cls, &nearest);
  if (cls->named) offer_outputs(L, c, &nearest);
  si_lua_unknown(L, who_push(L, c), "parameter", &nearest);
  return NULL;
}

/* `false` removes a parameter, unless it is a flag; parameters of scripts cannot be removed */
static bool takes_away(lua_State *L, int value, const sinew_param_desc *desc,
                       const sinew_component_class *cls) {
  return lua_isboolean(L, value) && !lua_toboolean(L, value) && desc->type != SINEW_PARAM_FLAG &&
         desc != cls->named && !cls->try_eval;
}

void si_component_put(lua_State *L, const si_handle *c, const char *name, int value) {
  sinew_component id = { c->id };
  value = lua_absindex(L, value);
  int top = lua_gettop(L);
  const sinew_param_desc *desc = want_param(L, c, name);
  si_program *program = c->rig->program;
  sinew_error error;
  sinew_param param = sinew_param_none(name);
  const char *who = who_push(L, c);
  lua_newtable(L);
  if (!takes_away(L, value, desc, class_of(c)))
    si_param_read(L, value, who, desc, name, lua_gettop(L), &param);
  si_rig_change(L, c->rig);
  if (program && program->running)
    luaL_error(L, "%s: '%s' cannot be set while the rig is evaluated", who, name);
  if (program && sinew_rig_set_param(program->rig, id, &param, &error) < 0) si_raise(L, &error);
  if (program) program->revision++;
  if (sinew_builder_set_param(c->rig->builder, id, &param, &error) < 0) si_raise(L, &error);
  si_script_param_set(L, c, &param, value);
  lua_settop(L, top);
}

/* component:set("axis", {0, 1, 0}): on a compiled rig, effective from the next evaluation on */
static int component_set(lua_State *L) {
  const si_handle *c = self_component(L);
  const char *name = luaL_checkstring(L, 2);
  luaL_checkany(L, 3);
  lua_settop(L, 3);
  si_component_put(L, c, name, 3);
  return si_lua_done(L);
}

/* component:param "axis": its value, else the default, else nil */
static int component_param(lua_State *L) {
  const si_handle *c = self_component(L);
  const char *name = luaL_checkstring(L, 2);
  push_param(L, c, want_param(L, c, name), name);
  return 1;
}

static int component_newindex(lua_State *L) {
  const si_handle *c = si_handle_check(L, 1, &si_component_type);
  if (lua_type(L, 2) != LUA_TSTRING) return 0;
  const sinew_component_class *cls = class_of(c);
  const char *name = lua_tostring(L, 2);
  bool output = si_component_output(c, name) >= 0;
  if (!open_param(cls, name) && !(cls->named && output)) {
    if (output)
      luaL_error(L, "port '%s' is an output of %s: it cannot be set", name, who_push(L, c));
    return 0;
  }
  component_set(L);
  return 1;
}

static int component_name(lua_State *L) {
  const si_handle *c = si_handle_check(L, 1, &si_component_type);
  return si_return_string(
      L, sinew_builder_component_name(c->rig->builder, (sinew_component){ c->id }));
}

static int component_kind(lua_State *L) {
  const si_handle *c = si_handle_check(L, 1, &si_component_type);
  return si_return_string(
      L, sinew_builder_component_kind(c->rig->builder, (sinew_component){ c->id }));
}

static int component_outputs(lua_State *L) {
  const si_handle *c = si_handle_check(L, 1, &si_component_type);
  int count = sinew_builder_output_count(c->rig->builder, (sinew_component){ c->id });
  si_lua_push_owner(L, 1);
  int rig = lua_gettop(L);
  lua_createtable(L, count, 0);
  for (int i = 0; i < count; i++) {
    si_handle_push(L, &si_port_type, rig, c->id, (uint32_t)i);
    lua_rawseti(L, -2, i + 1);
  }
  return 1;
}

static int component_tostring(lua_State *L) {
  if (si_handle_closed_push(L, &si_component_type)) return 1;
  who_push(L, si_handle_check(L, 1, &si_component_type));
  return 1;
}

static const luaL_Reg methods[] = {
  { "set", component_set },   { "param", component_param },
  { "port", component_port }, { "swing_twist", si_port_swing_twist },
  { "note", si_handle_note }, { NULL, NULL }
};
static const luaL_Reg meta[] = { SI_EXPRESSION_META,
                                 { "__tostring", component_tostring },
                                 { "__eq", si_handle_equal },
                                 { NULL, NULL } };
static const si_lua_field fields[] = {
  { "name", component_name, NULL },        { "kind", component_kind, NULL },
  { "inputs", si_component_inputs, NULL }, { "outputs", component_outputs, NULL },
  { "params", si_component_params, NULL }, { "definition", si_component_definition, NULL },
  { "rig", si_handle_rig, NULL },          { "joint_set", si_component_joint_set, NULL },
  { "notes", si_handle_notes, NULL },      { NULL, NULL, NULL }
};
const si_lua_type si_component_type = { .name = "component",
                                        .methods = methods,
                                        .meta = meta,
                                        .fields = fields,
                                        .index = component_index,
                                        .newindex = component_newindex,
                                        .offer = component_offer,
                                        .key = "port, parameter or method",
                                        .handle = true };

void si_open_component(lua_State *L) { si_lua_type_open(L, &si_component_type); }
