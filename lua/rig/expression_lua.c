/* Expressions in Lua: what operators make of DOFs, ports and components. The work is done in Lua,
 * by lua/sinew/expression.lua and wiring.lua, which are loaded when they are first needed. An
 * expression is a userdata that keeps a table of theirs. */
#include "lua/rig/rig_lua.h"

#include <string.h>

static const char language_key = 0;
static const char rigs_key =
    0; /* weak: from the address of a rig with expressions to its userdata */

static int core_wrap(lua_State *L) {
  luaL_checktype(L, 1, LUA_TTABLE);
  si_lua_new(L, &si_expression_type, 1, 1);
  return 1;
}

/* the table of an expression; nil for anything else */
static int core_node(lua_State *L) {
  if (si_lua_test(L, 1, &si_expression_type))
    si_lua_push_owner(L, 1);
  else
    lua_pushnil(L);
  return 1;
}

/* what the two modules note about a rig */
static int core_book(lua_State *L) {
  static const char *const lists[] = { "made", "curves", "limits", "warnings" };
  const si_rig_lua *rig = si_rig_check(L, 1);
  si_lua_push_owner(L, 1);
  if (luaL_getsubtable(L, -1, "expressions")) return 1;
  for (size_t i = 0; i < sizeof lists / sizeof *lists; i++) {
    lua_newtable(L);
    lua_setfield(L, -2, lists[i]);
  }
  if (lua_rawgetp(L, LUA_REGISTRYINDEX, &rigs_key) == LUA_TNIL) {
    lua_newtable(L);
    lua_newtable(L);
    lua_pushliteral(L, "v");
    lua_setfield(L, -2, "__mode");
    lua_setmetatable(L, -2);
    lua_pushvalue(L, -1);
    lua_rawsetp(L, LUA_REGISTRYINDEX, &rigs_key);
  }
  lua_pushvalue(L, 1);
  lua_rawsetp(L, -2, rig);
  lua_settop(L, 3);
  return 1;
}

/* taken(rig, "knee.turn"): whether a DOF or component has that name */
static int core_taken(lua_State *L) {
  const sinew_builder *b = si_rig_check(L, 1)->builder;
  size_t length;
  const char *name = luaL_checklstring(L, 2, &length);
  if (strlen(name) != length) return luaL_error(L, "the name '%s' goes on after a byte 0", name);
  sinew_source found = sinew_builder_find(b, name);
  return si_return_boolean(L, found.dof.id || found.component.id);
}

static int core_where(lua_State *L) {
  si_where_push(L);
  return 1;
}

static int core_internal(lua_State *L) {
  si_lua_internal(L);
  return 0;
}

static int core_outside_said(lua_State *L) {
  return si_return_boolean(L, si_curve_outside_said(L, 1));
}

/* pushes the table of functions that lua/sinew/expression.lua gives */
static void push_language(lua_State *L) {
  static const luaL_Reg core[] = { { "wrap", core_wrap },
                                   { "node", core_node },
                                   { "book", core_book },
                                   { "taken", core_taken },
                                   { "where", core_where },
                                   { "internal", core_internal },
                                   { "outside_said", core_outside_said },
                                   { NULL, NULL } };
  luaL_checkstack(L, 8, "an expression");
  if (lua_rawgetp(L, LUA_REGISTRYINDEX, &language_key) != LUA_TNIL) return;
  lua_pop(L, 1);
  lua_getglobal(L, "require");
  lua_pushstring(L, "sinew.expression");
  lua_call(L, 1, 1);
  lua_getfield(L, -1, "open");
  lua_newtable(L);
  luaL_setfuncs(L, core, 0);
  lua_call(L, 1, 1);
  lua_remove(L, -2);
  lua_pushvalue(L, -1);
  lua_rawsetp(L, LUA_REGISTRYINDEX, &language_key);
}

int si_expression_call(lua_State *L, const char *name, int arguments) {
  int base = lua_gettop(L) - arguments;
  push_language(L);
  lua_getfield(L, -1, name);
  lua_remove(L, -2);
  lua_insert(L, base + 1);
  if (lua_pcall(L, arguments, 1, 0) != LUA_OK) return si_lua_raise_outside(L);
  return 1;
}

void si_expression_review(lua_State *L, si_rig_lua *rig) {
  int top = lua_gettop(L);
  luaL_checkstack(L, 8, "a review");
  if (lua_rawgetp(L, LUA_REGISTRYINDEX, &rigs_key) != LUA_TNIL &&
      lua_rawgetp(L, -1, rig) != LUA_TNIL) {
    si_expression_call(L, "review", 1);
    if (sinew_builder_set_warnings(rig->builder, lua_tostring(L, -1)) < 0)
      luaL_error(L, "out of memory");
  }
  lua_settop(L, top);
}

/* calls a function of expression.lua with all arguments */
static int call(lua_State *L, const char *name) {
  return si_expression_call(L, name, lua_gettop(L));
}

bool si_expression_test(lua_State *L, int index) {
  return si_lua_test(L, index, &si_expression_type) != NULL;
}

#define CALL(function, name)                                                                       \
  int si_expression_##function(lua_State *L) { return call(L, name); }
CALL(add, "add")
CALL(sub, "sub")
CALL(mul, "mul")
CALL(div, "div")
CALL(pow, "pow")
CALL(compare, "compare")
CALL(curve, "curve")
CALL(linear, "linear")
CALL(piecewise, "piecewise")
CALL(spline, "spline")
CALL(monotone, "monotone")
CALL(simm, "simm")
CALL(polynomial, "polynomial")
CALL(limit, "limit")
CALL(named, "named")
/* curve(x): the metafield by which the layer of curves finds this one */
CALL(of_curve, "call")

int si_expression_negate(lua_State *L) {
  lua_settop(L, 1); /* Lua gives the operand twice */
  return call(L, "unm");
}

static int get_field(lua_State *L) { return call(L, "field"); }

static int expression_tostring(lua_State *L) {
  si_lua_check(L, 1, &si_expression_type);
  lua_settop(L, 1);
  return call(L, "tostring");
}

static const luaL_Reg methods[] = { SI_EXPRESSION_METHODS, { NULL, NULL } };
static const luaL_Reg meta[] = { SI_EXPRESSION_META,
                                 { "__tostring", expression_tostring },
                                 { NULL, NULL } };
static const si_lua_field fields[] = {
  { "min", get_field, NULL },  { "max", get_field, NULL }, { "unit", get_field, NULL },
  { "kind", get_field, NULL }, { "rig", get_field, NULL }, { NULL, NULL, NULL },
};
const si_lua_type si_expression_type = {
  .name = "expression", .methods = methods, .meta = meta, .fields = fields
};

#define FUNCTION(name)                                                                             \
  static int function_##name(lua_State *L) { return call(L, #name); }
FUNCTION(min)
FUNCTION(max)
FUNCTION(abs)
FUNCTION(clamp)
FUNCTION(mix)
FUNCTION(rotate)
FUNCTION(translate)

void si_open_expression(lua_State *L) {
  static const luaL_Reg functions[] = {
    { "min", function_min },
    { "max", function_max },
    { "abs", function_abs },
    { "clamp", function_clamp },
    { "mix", function_mix },
    { "rotate", function_rotate },
    { "translate", function_translate },
    { NULL, NULL },
  };
  static const si_lua_type *const types[] = { &si_dof_type, &si_port_type, &si_component_type,
                                              &si_expression_type };
  si_lua_type_open(L, &si_expression_type);
  luaL_setfuncs(L, functions, 0);
  /* LuaJIT compares values of two types only if both have the very same function */
  lua_pushcfunction(L, si_expression_compare);
  for (size_t i = 0; i < sizeof types / sizeof *types; i++) {
    lua_rawgetp(L, LUA_REGISTRYINDEX, types[i]);
    lua_pushvalue(L, -2);
    lua_setfield(L, -2, "__lt");
    lua_pushvalue(L, -2);
    lua_setfield(L, -2, "__le");
    lua_pop(L, 1);
  }
  lua_pop(L, 1);
}
