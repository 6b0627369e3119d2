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

/* what a segment may be given; a tuning takes what follows `rotate` */
static const si_option segment_options[] = {
  SI_OPTION(si_segment_given, parent, VALUE),
  SI_OPTION(si_segment_given, shape, VALUE),
  SI_OPTION(si_segment_given, rotate, TURN),
  SI_OPTION(si_segment_given, turn, TURN),
  SI_OPTION(si_segment_given, rest, MAT4),
  SI_OPTION(si_segment_given, at, VEC3),
  SI_OPTION(si_segment_given, mass, NUMBER),
  SI_OPTION(si_segment_given, mass_at, VEC3),
  SI_OPTION_END,
};
enum { SHAPE = 1 << 1, ROTATE = 1 << 2, TURN = 1 << 3, REST = 1 << 4, AT = 1 << 5, MASS = 1 << 6 };
enum { MASS_AT = 1 << 7 };

void si_segment_read(lua_State *L, int index, const char *name, bool tunes, float *rest,
                     float *mass, float *mass_at, si_segment_given *dest) {
  const char *who = lua_pushfstring(L, "segment '%s'", name);
  const int skipped = tunes ? 3 : 0;
  *dest = (si_segment_given){ .mass = *mass };
  unsigned given = si_options_read(L, index, who, segment_options + skipped, dest) << skipped;
  const char *word = given & ROTATE ? "rotate" : "turn"; /* the same */
  if (given & ROTATE && given & TURN)
    luaL_error(L, "%s: 'rotate' and 'turn' are the same; give one", who);
  if (given & REST && given & (ROTATE | TURN | AT))
    luaL_error(L, "%s: give 'rest', or 'at' and '%s', not both", who, word);
  if (given & REST) memcpy(rest, dest->rest, 16 * sizeof *rest);
  if (given & (ROTATE | TURN))
    memcpy(rest, given & ROTATE ? dest->rotate : dest->turn, 12 * sizeof *rest);
  if (given & AT) memcpy(rest + 12, dest->at, sizeof dest->at);
  if (given & MASS) *mass = si_mass_check(L, dest->mass, name);
  if (given & MASS_AT && !(*mass > 0))
    luaL_error(L, "%s: 'mass_at' is the centre of its 'mass', which is missing", who);
  if (given & MASS_AT) memcpy(mass_at, dest->mass_at, sizeof dest->mass_at);
}

float si_mass_check(lua_State *L, float mass, const char *name) {
  if (!(mass >= 0) || isinf(mass))
    luaL_error(L, "segment '%s': 'mass' must be a number of kilograms, at least 0", name);
  return mass;
}

float si_stiffness_check(lua_State *L, float stiffness, const char *who) {
  if (!(stiffness > 0) || isinf(stiffness))
    luaL_error(L, "%s: 'stiffness' must be a number above 0", who);
  return stiffness;
}

/* the name of the parent at `index`, or NULL */
static const char *parent_name(lua_State *L, int index, const si_rig_lua *rig, const char *name) {
  if (!index) return NULL;
  if (lua_type(L, index) == LUA_TSTRING) return lua_tostring(L, index);
  if (!si_lua_test(L, index, &si_segment_type))
    luaL_error(L, "segment '%s': 'parent' must be a segment or its name, not %s", name,
               si_lua_typename(L, index));
  const si_handle *parent = si_handle_check(L, index, &si_segment_type);
  if (parent->rig != rig) luaL_error(L, "segment '%s': its parent is of another rig", name);
  return sinew_builder_segment_name(rig->builder, (sinew_segment){ parent->id });
}

/* pushes a handle; attaches the value at `at` to it as `note`, if it was given */
static int finish(lua_State *L, const si_lua_type *type, int owner, uint32_t id, const char *note,
                  int at) {
  si_rig_edited(lua_touserdata(L, owner));
  si_handle_push(L, type, owner, id, 0);
  if (!at) return 1;
  lua_pushvalue(L, at);
  si_note_set(L, -2, note);
  lua_pop(L, 1);
  return 1;
}

int si_make_segment(lua_State *L) {
  sinew_error error;
  si_segment_given given;
  sinew_segment_desc desc = sinew_default_segment_desc();
  si_maker_check(L);
  desc.name = luaL_checkstring(L, 2);
  lua_settop(L, 3);
  si_segment_read(L, 3, desc.name, false, desc.rest, &desc.mass, desc.mass_at, &given);
  si_rig_lua *rig = si_maker_self(L, &desc.joint_set);
  int owner = lua_gettop(L);
  desc.parent = parent_name(L, given.parent, rig, desc.name);
  desc.origin = si_where_push(L);
  sinew_segment segment = sinew_builder_add_segment(si_rig_change(L, rig), &desc, &error);
  if (!segment.id) return si_raise(L, &error);
  return finish(L, &si_segment_type, owner, segment.id, "shape", given.shape);
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

/* min and max of dof(name, min, max [, options]), which it takes from the stack */
static bool take_range(lua_State *L, float *min, float *max) {
  if (lua_type(L, 3) != LUA_TNUMBER) return false;
  if (lua_type(L, 4) != LUA_TNUMBER)
    luaL_error(L, "DOF '%s': min and max are expected, then options", lua_tostring(L, 2));
  *min = (float)lua_tonumber(L, 3);
  *max = (float)lua_tonumber(L, 4);
  lua_remove(L, 4);
  lua_remove(L, 3);
  return true;
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
  typedef struct given {
    float min, max, rest, stiffness;
    const char *unit;
    int label;
  } given;
  static const si_option options[] = {
    SI_OPTION(given, min, NUMBER),
    SI_OPTION(given, max, NUMBER),
    SI_OPTION(given, rest, NUMBER),
    SI_OPTION(given, unit, TEXT),
    SI_OPTION(given, stiffness, NUMBER),
    SI_OPTION(given, label, VALUE),
    SI_OPTION_END,
  };
  enum { HAS_MIN = 1, HAS_MAX = 2, HAS_REST = 4, HAS_STIFFNESS = 16 };
  sinew_error error;
  sinew_dof_desc desc = sinew_default_dof_desc();
  si_maker_check(L);
  luaL_checkstring(L, 2);
  float min, max;
  const bool range = take_range(L, &min, &max);
  lua_settop(L, 3);
  const char *who = lua_pushfstring(L, "DOF '%s'", lua_tostring(L, 2));
  given g = { .min = desc.min, .max = desc.max };
  unsigned has = si_options_read(L, 3, who, options, &g);
  if (range) g.min = min, g.max = max, has |= HAS_MIN | HAS_MAX;
  const si_unit *unit = g.unit ? si_unit_find(g.unit) : NULL;
  if (g.unit && !unit) return luaL_error(L, "%s: %s", who, si_unit_unknown_push(L, g.unit));
  double size = unit ? unit->size : 1;
  desc.unit = unit ? unit->carried : g.unit;
  desc.min = has & HAS_MIN ? (float)(g.min * size) : g.min;
  desc.max = has & HAS_MAX ? (float)(g.max * size) : g.max;
  desc.rest = (float)(g.rest * size);
  desc.rest_given = has & HAS_REST;
  if (has & HAS_STIFFNESS) desc.stiffness = si_stiffness_check(L, g.stiffness, who);
  split_name(L);
  desc.name = lua_tostring(L, 2);
  si_rig_lua *rig = si_maker_self(L, &desc.joint_set);
  int owner = lua_gettop(L);
  desc.origin = si_where_push(L);
  sinew_dof dof = sinew_builder_add_dof(si_rig_change(L, rig), &desc, &error);
  if (!dof.id) return si_raise(L, &error);
  finish(L, &si_dof_type, owner, dof.id, "label", g.label);
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
