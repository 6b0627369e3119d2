/* What rigs and joint sets make: segments, DOFs, and a method for each kind of component. */
#include "lua/math/options.h"
#include "lua/rig/rig_lua.h"

#include <math.h>
#include <string.h>

si_rig_lua *si_maker_self(lua_State *L, sinew_joint_set *dest) {
  *dest = (sinew_joint_set){ 0 };
  if (si_lua_test(L, 1, &si_joint_set_type)) {
    const si_handle *set = si_handle_check(L, 1, &si_joint_set_type);
    dest->id = set->id;
    si_lua_push_owner(L, 1);
    return set->rig;
  }
  lua_pushvalue(L, 1);
  return si_rig_check(L, 1);
}

void si_maker_check(lua_State *L) {
  if (!si_lua_test(L, 1, &si_rig_type) && !si_lua_test(L, 1, &si_joint_set_type))
    si_lua_self_error(L, "rig or joint set");
}

bool si_joint_set_push(lua_State *L, int rig_index, const char *name) {
  const sinew_builder *b = si_rig_check(L, rig_index)->builder;
  sinew_joint_set found = sinew_builder_find_joint_set(b, name);
  if (found.id) si_handle_push(L, &si_joint_set_type, lua_absindex(L, rig_index), found.id, 0);
  return found.id;
}

/* the options at 3, or a new empty table there; pushes and returns the name for messages */
static const char *take_options(lua_State *L, const char *what, const char *const *names) {
  lua_settop(L, 3);
  if (lua_isnil(L, 3)) {
    lua_newtable(L);
    lua_replace(L, 3);
  }
  luaL_checktype(L, 3, LUA_TTABLE);
  const char *who = lua_pushfstring(L, "%s '%s'", what, lua_tostring(L, 2));
  si_options_check(L, 3, who, names, false);
  return who;
}

static int option_misfit(lua_State *L, const char *segment, const char *option,
                         const char *wanted) {
  const char *got = si_lua_found(L, -1);
  return luaL_error(L, "segment '%s': '%s' must be %s, not %s", segment, option, wanted, got);
}

/* four numbers are easily taken for an axis and degrees */
static void check_unit(lua_State *L, const char *segment, const char *option, const float q[4]) {
  double length = sqrt((double)q[0] * (double)q[0] + (double)q[1] * (double)q[1] +
                       (double)q[2] * (double)q[2] + (double)q[3] * (double)q[3]);
  if (fabs(length - 1) <= 0.01) return;
  luaL_error(L,
             "segment '%s': '%s' is no rotation: as a quat x, y, z, w it must have length 1, not "
             "%f; sinew.quat.axis({0, 1, 0}, 90) turns by 90 degrees about y",
             segment, option, length);
}

void si_rest_read(lua_State *L, int options, const char *name, float *rest) {
  float turn[16], q[4];
  si_raw_field(L, options, "rest");
  bool whole = !lua_isnil(L, -1);
  if (whole && !si_mat4_read(L, -1, rest))
    option_misfit(L, name, "rest", "a mat4 or a table of sixteen numbers");
  const char *word = "turn";
  si_raw_field(L, options, word);
  si_raw_field(L, options, "rotate"); /* the same */
  if (!lua_isnil(L, -1)) {
    if (!lua_isnil(L, -2))
      luaL_error(L, "segment '%s': 'rotate' and 'turn' are the same; give one", name);
    word = "rotate";
    lua_replace(L, -2);
  } else {
    lua_pop(L, 1);
  }
  bool turned = !lua_isnil(L, -1);
  if (turned && !si_mat4_read(L, -1, turn)) {
    if (!si_quat_read(L, -1, q)) option_misfit(L, name, word, "a quat or a mat4");
    check_unit(L, name, word, q);
    si_quat_to_mat4(q, turn);
  }
  if (turned) memcpy(rest, turn, 12 * sizeof(float));
  si_raw_field(L, options, "at");
  bool placed = !lua_isnil(L, -1);
  if (placed && !si_vec3_read(L, -1, rest + 12))
    option_misfit(L, name, "at", "a vec3 or a table of three numbers");
  if (whole && (turned || placed))
    luaL_error(L, "segment '%s': give 'rest', or 'at' and '%s', not both", name, word);
  lua_pop(L, 3);
}

float si_mass_check(lua_State *L, int index, const char *name) {
  float mass = (float)lua_tonumber(L, index);
  if (lua_type(L, index) != LUA_TNUMBER || !(mass >= 0) || isinf(mass))
    luaL_error(L, "segment '%s': 'mass' must be a number of kilograms, at least 0", name);
  return mass;
}

void si_mass_read(lua_State *L, int options, const char *name, float *mass, float *at) {
  const char *who = lua_pushfstring(L, "segment '%s'", name);
  si_raw_field(L, options, "mass");
  if (!lua_isnil(L, -1)) *mass = si_mass_check(L, -1, name);
  if (si_option_vec3(L, options, who, "mass_at", at) && !(*mass > 0))
    luaL_error(L, "%s: 'mass_at' is the centre of its 'mass', which is missing", who);
  lua_pop(L, 2);
}

float si_stiffness_check(lua_State *L, int index, const char *who) {
  float stiffness = (float)lua_tonumber(L, index);
  if (lua_type(L, index) != LUA_TNUMBER || !(stiffness > 0) || isinf(stiffness))
    luaL_error(L, "%s: 'stiffness' must be a number above 0", who);
  return stiffness;
}

float si_stiffness_read(lua_State *L, int options, const char *who, float fallback) {
  si_raw_field(L, options, "stiffness");
  float stiffness = lua_isnil(L, -1) ? fallback : si_stiffness_check(L, -1, who);
  lua_pop(L, 1);
  return stiffness;
}

/* the name of the parent at the top of the stack, or NULL */
static const char *read_parent(lua_State *L, const si_rig_lua *rig, const char *name) {
  if (lua_type(L, -1) == LUA_TSTRING) return lua_tostring(L, -1);
  if (lua_isnil(L, -1)) return NULL;
  if (!si_lua_test(L, -1, &si_segment_type))
    luaL_error(L, "segment '%s': 'parent' must be a segment or its name, not %s", name,
               si_lua_typename(L, -1));
  const si_handle *parent = si_handle_check(L, -1, &si_segment_type);
  if (parent->rig != rig) luaL_error(L, "segment '%s': its parent is of another rig", name);
  return sinew_builder_segment_name(rig->builder, (sinew_segment){ parent->id });
}

/* pushes a handle; attaches the option `note` of the table at 3 to it */
static int finish(lua_State *L, const si_lua_type *type, int owner, uint32_t id, const char *note) {
  si_rig_edited(lua_touserdata(L, owner));
  si_handle_push(L, type, owner, id, 0);
  si_raw_field(L, 3, note);
  if (!lua_isnil(L, -1)) si_note_set(L, -2, note);
  lua_pop(L, 1);
  return 1;
}

int si_make_segment(lua_State *L) {
  static const char *const names[] = { "parent", "at",   "rotate",  "turn", "rest",
                                       "shape",  "mass", "mass_at", NULL };
  sinew_error error;
  sinew_segment_desc desc = sinew_default_segment_desc();
  si_maker_check(L);
  desc.name = luaL_checkstring(L, 2);
  take_options(L, "segment", names);
  si_rig_lua *rig = si_maker_self(L, &desc.joint_set);
  int owner = lua_gettop(L);
  si_rest_read(L, 3, desc.name, desc.rest);
  si_mass_read(L, 3, desc.name, &desc.mass, desc.mass_at);
  si_raw_field(L, 3, "parent");
  si_rig_check(L, owner); /* reading the options may run a script, which may close the rig */
  desc.parent = read_parent(L, rig, desc.name);
  desc.origin = si_where_push(L);
  sinew_segment segment = sinew_builder_add_segment(si_rig_change(L, rig), &desc, &error);
  if (!segment.id) return si_raise(L, &error);
  return finish(L, &si_segment_type, owner, segment.id, "shape");
}

/* "knee.flexion" at 2 becomes "flexion" of joint set knee, which is made where there is none */
static void split_name(lua_State *L) {
  const char *full = luaL_checkstring(L, 2), *dot = strchr(full, '.');
  if (!dot || dot == full || !dot[1]) return;
  sinew_joint_set set;
  sinew_error error;
  si_rig_lua *rig = si_maker_self(L, &set);
  int owner = lua_gettop(L);
  lua_pushlstring(L, full, (size_t)(dot - full));
  const char *name = lua_tostring(L, -1);
  if (!si_joint_set_push(L, owner, name)) {
    set = sinew_builder_add_joint_set(si_rig_change(L, rig), name, si_where_push(L), &error);
    if (!set.id) si_raise(L, &error);
    si_handle_push(L, &si_joint_set_type, owner, set.id, 0);
  }
  lua_replace(L, 1);
  lua_pushstring(L, dot + 1);
  lua_replace(L, 2);
  lua_settop(L, owner - 1);
}

/* dof(name, min, max [, options]) is dof(name, { min =, max =, ... }) */
static void take_range(lua_State *L) {
  if (lua_type(L, 3) != LUA_TNUMBER) return;
  if (lua_type(L, 4) != LUA_TNUMBER)
    luaL_error(L, "DOF '%s': min and max are expected, then options", lua_tostring(L, 2));
  lua_newtable(L);
  int options = lua_gettop(L);
  if (lua_istable(L, 5))
    for (lua_pushnil(L); lua_next(L, 5); lua_pop(L, 1)) {
      lua_pushvalue(L, -2);
      lua_pushvalue(L, -2);
      lua_rawset(L, options);
    }
  lua_pushvalue(L, 3);
  lua_setfield(L, options, "min");
  lua_pushvalue(L, 4);
  lua_setfield(L, options, "max");
  lua_replace(L, 3);
}

static const si_unit units[] = {
  { "deg", "deg", 1 },  { "rad", "deg", 57.295779513082321 },
  { "m", "m", 1 },      { "cm", "m", 0.01 },
  { "mm", "m", 0.001 }, { "", "", 1 },
};
enum { unit_count = sizeof units / sizeof *units };

const si_unit *si_unit_find(const char *name) {
  for (int i = 0; i < unit_count; i++)
    if (strcmp(units[i].name, name) == 0) return &units[i];
  return NULL;
}

const char *si_unit_unknown_push(lua_State *L, const char *name) {
  char words[160];
  si_nearest nearest;
  si_nearest_start(&nearest, name);
  for (int i = 0; i < unit_count; i++)
    if (*units[i].name) si_nearest_offer(&nearest, units[i].name);
  return lua_pushfstring(L, "there is no unit '%s'%s; units are deg, rad, m, cm and mm", name,
                         si_nearest_words(&nearest, words, sizeof words));
}

int si_make_dof(lua_State *L) {
  static const char *const names[] = { "min", "max", "rest", "unit", "label", "stiffness", NULL };
  sinew_error error;
  sinew_dof_desc desc = sinew_default_dof_desc();
  si_maker_check(L);
  luaL_checkstring(L, 2);
  take_range(L);
  const char *who = take_options(L, "DOF", names);
  bool low, high;
  desc.min = si_option_number(L, 3, who, "min", desc.min, &low);
  desc.max = si_option_number(L, 3, who, "max", desc.max, &high);
  desc.rest = si_option_number(L, 3, who, "rest", 0, &desc.rest_given);
  desc.unit = si_option_text(L, 3, who, "unit");
  const si_unit *unit = desc.unit ? si_unit_find(desc.unit) : NULL;
  if (desc.unit && !unit) return luaL_error(L, "%s: %s", who, si_unit_unknown_push(L, desc.unit));
  double size = unit ? unit->size : 1;
  if (unit) desc.unit = unit->carried;
  if (low) desc.min = (float)(desc.min * size);
  if (high) desc.max = (float)(desc.max * size);
  desc.rest = (float)(desc.rest * size);
  desc.stiffness = si_stiffness_read(L, 3, who, 0);
  split_name(L);
  desc.name = lua_tostring(L, 2);
  si_rig_lua *rig = si_maker_self(L, &desc.joint_set);
  int owner = lua_gettop(L);
  desc.origin = si_where_push(L);
  sinew_dof dof = sinew_builder_add_dof(si_rig_change(L, rig), &desc, &error);
  if (!dof.id) return si_raise(L, &error);
  finish(L, &si_dof_type, owner, dof.id, "label");
  if (!desc.unit) return 1;
  lua_pushstring(L, desc.unit); /* said, not just the default: see check_unit of component_lua.c */
  si_note_set(L, -2, "unit");
  lua_pop(L, 1);
  return 1;
}

/* owner:rotation { ... }; upvalue 1: the class */
static int make_component(lua_State *L) {
  const sinew_component_class *cls = lua_touserdata(L, lua_upvalueindex(1));
  si_maker_check(L);
  if (!lua_istable(L, 2))
    return luaL_error(L, "%s { ... } expected: a table of inputs and parameters, not %s", cls->name,
                      si_lua_typename(L, 2));
  lua_settop(L, 2);
  return si_component_make(L, cls, 2, NULL);
}

/* address of the registry entry for the table of methods that create components */
static const char makers_key;

int si_maker_index(lua_State *L) {
  lua_rawgetp(L, LUA_REGISTRYINDEX, &makers_key);
  lua_pushvalue(L, 2);
  lua_rawget(L, -2);
  if (!lua_isnil(L, -1)) return 1;
  lua_pop(L, 2);
  return 0;
}

void si_maker_offer(lua_State *L, si_nearest *nearest) {
  (void)L;
  for (int i = 0; sinew_catalog(i); i++) si_nearest_offer(nearest, sinew_catalog(i)->name);
}

void si_open_makers(lua_State *L) {
  lua_newtable(L);
  for (int i = 0; sinew_catalog(i); i++) {
    lua_pushlightuserdata(L, (void *)(uintptr_t)sinew_catalog(i));
    lua_pushcclosure(L, make_component, 1);
    lua_setfield(L, -2, sinew_catalog(i)->name);
  }
  lua_rawsetp(L, LUA_REGISTRYINDEX, &makers_key);
}
