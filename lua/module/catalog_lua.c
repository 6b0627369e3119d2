/* The binding's tables as data, for tools that show or document them: sinew.catalog() lists the
 * kinds of component, sinew.types() the userdata types with their methods and fields,
 * sinew.type(value) returns the name of a value's type. */
#include "lua/math/dual_lua.h"
#include "lua/module/module.h"
#include "lua/play/play_lua.h"
#include "lua/shape/shape_lua.h"

#include <string.h>

static void text_field(lua_State *L, const char *name, const char *text) {
  if (!text || !*text) return;
  lua_pushstring(L, text);
  lua_setfield(L, -2, name);
}

static void flag_field(lua_State *L, const char *name, bool flag) {
  if (!flag) return;
  lua_pushboolean(L, 1);
  lua_setfield(L, -2, name);
}

static void number_field(lua_State *L, const char *name, float number) {
  lua_pushnumber(L, number);
  lua_setfield(L, -2, name);
}

static void push_ports(lua_State *L, const sinew_port_desc *ports) {
  lua_newtable(L);
  for (int i = 0; ports && ports[i].name; i++) {
    const sinew_port_desc *port = &ports[i];
    lua_createtable(L, 0, 8);
    text_field(L, "name", port->name);
    text_field(L, "kind", sinew_kind_name(port->kind));
    text_field(L, "unit", port->unit);
    text_field(L, "doc", port->doc);
    flag_field(L, "optional", port->flags & SINEW_PORT_OPTIONAL);
    flag_field(L, "list", port->flags & SINEW_PORT_LIST);
    flag_field(L, "negated", port->flags & SINEW_PORT_NEGATED);
    flag_field(L, "euler", port->flags & SINEW_PORT_EULER);
    if ((port->flags & SINEW_PORT_OPTIONAL) && port->kind == SINEW_SCALAR)
      number_field(L, "default", port->fallback);
    lua_rawseti(L, -2, i + 1);
  }
}

/* the value of a parameter that is not given; pushes nothing if there is none */
static void default_field(lua_State *L, const sinew_param_desc *d) {
  if (d->flags & SINEW_PARAM_REQUIRED) return;
  switch (d->type) {
  case SINEW_PARAM_NUMBER: lua_pushnumber(L, d->fallback[0]); break;
  case SINEW_PARAM_FLAG: lua_pushboolean(L, d->fallback[0] != 0); break;
  case SINEW_PARAM_VECTOR: memcpy(si_vec3_push(L), d->fallback, sizeof d->fallback); break;
  case SINEW_PARAM_CHOICE: lua_pushstring(L, d->choices ? d->choices[0] : ""); break;
  default: return;
  }
  lua_setfield(L, -2, "default");
}

static void push_param(lua_State *L, const sinew_param_desc *d) {
  lua_createtable(L, 0, 10);
  text_field(L, "name", d->name);
  text_field(L, "type", sinew_param_type_name(d->type));
  text_field(L, "unit", d->unit);
  text_field(L, "doc", d->doc);
  text_field(L, "mirror", d->mirror);
  text_field(L, "like", d->like);
  flag_field(L, "required", d->flags & SINEW_PARAM_REQUIRED);
  flag_field(L, "formula", d->flags & SINEW_PARAM_FORMULA);
  flag_field(L, "bound", d->flags & SINEW_PARAM_BOUND);
  default_field(L, d);
  if (d->min != 0 || d->max != 0) {
    number_field(L, "min", d->min);
    number_field(L, "max", d->max);
  }
  if (!d->choices) return;
  lua_newtable(L);
  for (int i = 0; d->choices[i]; i++) {
    lua_pushstring(L, d->choices[i]);
    lua_rawseti(L, -2, i + 1);
  }
  lua_setfield(L, -2, "choices");
}

static void push_params(lua_State *L, const sinew_param_desc *params) {
  lua_newtable(L);
  for (int i = 0; params && params[i].name; i++) {
    push_param(L, &params[i]);
    lua_rawseti(L, -2, i + 1);
  }
}

static void push_holds(lua_State *L, const sinew_hold_desc *holds) {
  lua_newtable(L);
  for (int i = 0; holds && holds[i].port; i++) {
    lua_createtable(L, 0, 2);
    text_field(L, "port", holds[i].port);
    text_field(L, "doc", holds[i].doc);
    lua_rawseti(L, -2, i + 1);
  }
}

/* sinew.catalog(): a list of { name =, doc =, inputs =, outputs =, params =, holds =, named = } */
static int catalog(lua_State *L) {
  const sinew_component_class *cls;
  lua_newtable(L);
  for (int i = 0; (cls = sinew_catalog(i)) != NULL; i++) {
    lua_createtable(L, 0, 7);
    text_field(L, "name", cls->name);
    text_field(L, "doc", cls->doc);
    push_ports(L, cls->inputs);
    lua_setfield(L, -2, "inputs");
    push_ports(L, cls->outputs);
    lua_setfield(L, -2, "outputs");
    push_params(L, cls->params);
    lua_setfield(L, -2, "params");
    push_holds(L, cls->holds);
    lua_setfield(L, -2, "holds");
    if (cls->named) {
      push_param(L, cls->named);
      lua_setfield(L, -2, "named");
    }
    lua_rawseti(L, -2, i + 1);
  }
  return 1;
}

/* sinew.types(): by name, { methods = { "add", ... }, fields = { { name =, writable = }, ... } } */
static int types(lua_State *L) {
  static const si_lua_type *const all[] = {
    &si_vec3_type,   &si_quat_type,       &si_mat4_type,    &si_buffer_type,    &si_curve_type,
    &si_rig_type,    &si_joint_set_type,  &si_segment_type, &si_dof_type,       &si_component_type,
    &si_port_type,   &si_expression_type, &si_script_type,  &si_pose_type,      &si_crowd_type,
    &si_cone_type,   &si_field_type,      &si_dual_type,    &si_clip_type,      &si_motion_type,
    &si_solver_type, &si_mesh_type,       &si_solid_type,   &si_pose_view_type, &si_canvas_type,
    &si_character_type,
  };
  lua_newtable(L);
  for (size_t t = 0; t < sizeof all / sizeof *all; t++) {
    int count = 0;
    lua_createtable(L, 0, 2);
    lua_newtable(L);
    for (const luaL_Reg *method = all[t]->methods; method && method->name; method++) {
      lua_pushstring(L, method->name);
      lua_rawseti(L, -2, ++count);
    }
    if (all[t]->close) {
      lua_pushliteral(L, "close");
      lua_rawseti(L, -2, ++count);
    }
    lua_setfield(L, -2, "methods");
    lua_newtable(L);
    count = 0;
    for (const si_lua_field *field = all[t]->fields; field && field->name; field++) {
      lua_createtable(L, 0, 2);
      text_field(L, "name", field->name);
      flag_field(L, "writable", field->set != NULL);
      lua_rawseti(L, -2, ++count);
    }
    lua_setfield(L, -2, "fields");
    lua_setfield(L, -2, all[t]->name);
  }
  return 1;
}

static int type_name(lua_State *L) {
  luaL_checkany(L, 1);
  return si_return_string(L, si_lua_typename(L, 1));
}

void si_open_catalog(lua_State *L) {
  static const luaL_Reg functions[] = {
    { "catalog", catalog }, { "types", types }, { "type", type_name }, { NULL, NULL }
  };
  luaL_setfuncs(L, functions, 0);
}
