/* rig:tune { components =, segments =, dofs = }: changes values of a rig that a script has made,
 * in the syntax of the script. Everything else is unchanged.
 *
 *   components  by full name: parameters, and constants given to inputs, in a list by position
 *   segments    by name: at, turn, rest, mass, mass_at
 *   dofs        by full name: min, max, rest, stiffness */
#include "lua/base/reserve.h"
#include "lua/math/options.h"
#include "lua/rig/rig_lua.h"

#include <stdlib.h>
#include <string.h>

typedef struct tuning {
  lua_State *L;
  si_rig_lua *rig;
  si_tuned_note *note; /* NULL: not called */
  void *user;
} tuning;

static void tell(const tuning *t, si_tuned_kind kind, const char *name, const char *param) {
  if (t->note) t->note(t->L, kind, name, param, t->user);
}

static int compare(const void *a, const void *b) {
  return strcmp(*(const char *const *)a, *(const char *const *)b);
}

/* the sorted keys of the table at `table`, in memory left on the stack: the first error must not
 * depend on Lua's hashing */
static const char **sorted_keys(lua_State *L, int table, const char *who, int *count) {
  int room = 0;
  lua_newtable(L); /* keeps the keys alive */
  int keep = lua_gettop(L);
  for (lua_pushnil(L); lua_next(L, table); lua_pop(L, 1)) {
    if (lua_type(L, -2) != LUA_TSTRING)
      luaL_error(L, "%s: its keys must be names, not %s", who, si_lua_typename(L, -2));
    lua_pushvalue(L, -2);
    lua_rawseti(L, keep, ++room);
  }
  const char **keys = lua_newuserdatauv(L, ((size_t)room + 1) * sizeof *keys, 0);
  for (int i = 0; i < room; i++) {
    lua_rawgeti(L, keep, i + 1);
    keys[i] = lua_tostring(L, -1);
    lua_pop(L, 1);
  }
  qsort(keys, (size_t)room, sizeof *keys, compare);
  *count = room;
  return keys;
}

/* a tuning is data: a metatable could change the rig during the call */
static void want_table(lua_State *L, int index, const char *who) {
  if (!lua_istable(L, index))
    luaL_error(L, "%s must be a table, not %s", who, si_lua_typename(L, index));
  if (lua_getmetatable(L, index)) luaL_error(L, "%s must be a plain table, without metatable", who);
}

static bool is_param(const sinew_component_class *cls, const si_handle *c, const char *name) {
  return sinew_class_find_param(cls, name) || (cls->named && si_component_output(c, name) >= 0);
}

/* the value on top of the stack as the constant of the n-th wire to an input, from 1 */
static void tune_wire(const tuning *t, sinew_component id, const sinew_port_desc *input, int n,
                      const char *who) {
  lua_State *L = t->L;
  sinew_builder *b = t->rig->builder;
  sinew_wire wire = { .input = input->name };
  bool fits = false, list = input->flags & SINEW_PORT_LIST;
  if (input->kind == SINEW_SCALAR) {
    fits = lua_type(L, -1) == LUA_TNUMBER;
    wire.constant[0] = (float)lua_tonumber(L, -1);
  } else {
    fits = input->kind == SINEW_VECTOR ? si_vec3_read(L, -1, wire.constant)
                                       : si_mat4_read(L, -1, wire.constant);
  }
  static const char *const constants[] = { "number", "vec3", "mat4" };
  if (!fits)
    luaL_error(L, "%s: input '%s' takes %s in a tuning, not %s", who, input->name,
               constants[input->kind], si_lua_typename(L, -1));
  int at = 0, count = sinew_builder_wire_count(b, id);
  for (; at < count; at++)
    if (strcmp(sinew_builder_wire(b, id, at).input, input->name) == 0 && --n == 0) break;
  sinew_error error;
  if (at == count && list) {
    luaL_error(L, "%s: input '%s' has no such wire; a tuning adds none", who, input->name);
  } else if (at == count) {
    if (sinew_builder_connect(b, id, &wire, &error) < 0) si_raise(L, &error);
  } else if (sinew_builder_wire(b, id, at).from) {
    luaL_error(L, "%s: input '%s' is wired; a tuning changes constants only", who, input->name);
  } else {
    if (sinew_builder_set_constant(b, id, at, wire.constant, &error) < 0) si_raise(L, &error);
  }
}

/* the value on top of the stack as a constant for an input; for a list, a table of them by their
 * position */
static void tune_constant(const tuning *t, sinew_component id, const sinew_port_desc *input,
                          const char *who) {
  lua_State *L = t->L;
  if (!(input->flags & SINEW_PORT_LIST)) {
    tune_wire(t, id, input, 1, who);
    return;
  }
  if (!lua_istable(L, -1))
    luaL_error(L, "%s: input '%s' takes a table of constants by position in a tuning, not %s", who,
               input->name, si_lua_typename(L, -1));
  int count = sinew_builder_wire_count(t->rig->builder, id);
  for (lua_pushnil(L); lua_next(L, -2); lua_pop(L, 1)) {
    double n = lua_type(L, -2) == LUA_TNUMBER ? lua_tonumber(L, -2) : 0;
    if (!(n >= 1 && n <= count)) n = count + 1;
    tune_wire(t, id, input, (int)n, who);
  }
}

/* the table of one component on top of the stack */
static void tune_component(const tuning *t, uint32_t id) {
  lua_State *L = t->L;
  si_handle c = { .rig = t->rig, .id = id };
  sinew_component component = { id };
  const char *name = sinew_builder_component_name(t->rig->builder, component);
  const char *kind = sinew_builder_component_kind(t->rig->builder, component);
  const sinew_component_class *cls = sinew_builder_class(t->rig->builder, kind);
  int table = lua_gettop(L), count;
  const char *who = lua_pushfstring(L, "%s '%s'", kind, name);
  const char **keys = sorted_keys(L, table, who, &count);
  for (int i = 0; i < count; i++) {
    const sinew_port_desc *input = sinew_class_find_input(cls, keys[i]);
    lua_pushstring(L, keys[i]);
    lua_rawget(L, table);
    if (input && !is_param(cls, &c, keys[i]))
      tune_constant(t, component, input, who);
    else
      si_component_put(L, &c, keys[i], -1);
    lua_pop(L, 1);
    tell(t, SI_TUNED_COMPONENT, name, keys[i]);
  }
  lua_settop(L, table);
}

static void tune_segment(const tuning *t, uint32_t id) {
  lua_State *L = t->L;
  si_segment_given given;
  sinew_segment segment = { id };
  const char *name = sinew_builder_segment_name(t->rig->builder, segment);
  float rest[16], at[3], mass = sinew_builder_segment_mass(t->rig->builder, segment, at);
  memcpy(rest, sinew_builder_segment_rest(t->rig->builder, segment), sizeof rest);
  int table = lua_gettop(L);
  si_segment_read(L, table, name, true, rest, &mass, at, &given);
  sinew_error error;
  if (sinew_builder_set_rest(si_rig_change(L, t->rig), segment, rest, &error) < 0 ||
      sinew_builder_set_mass(si_rig_change(L, t->rig), segment, mass, at, &error) < 0)
    si_raise(L, &error);
  tell(t, SI_TUNED_SEGMENT, name, NULL);
  lua_settop(L, table);
}

/* a rest value that is not given is clamped into the new range */
static void tune_dof(const tuning *t, uint32_t id) {
  static const si_option options[] = {
    SI_OPTION(sinew_dof_info, min, NUMBER),
    SI_OPTION(sinew_dof_info, max, NUMBER),
    SI_OPTION(sinew_dof_info, rest, NUMBER),
    SI_OPTION(sinew_dof_info, stiffness, NUMBER),
    SI_OPTION_END,
  };
  lua_State *L = t->L;
  sinew_dof dof = { id };
  sinew_dof_info d = sinew_builder_dof_info(t->rig->builder, dof);
  int table = lua_gettop(L);
  const char *who = lua_pushfstring(L, "DOF '%s'", d.name);
  unsigned given = si_options_read(L, table, who, options, &d);
  if (!(given & 4) && d.rest > d.max) d.rest = d.max;
  if (!(given & 4) && d.rest < d.min) d.rest = d.min;
  if (given & 8) si_stiffness_check(L, d.stiffness, who);
  sinew_error error;
  if (sinew_builder_set_dof_range(si_rig_change(L, t->rig), dof, d.min, d.max, d.rest, &error) <
          0 ||
      sinew_builder_set_stiffness(si_rig_change(L, t->rig), dof, d.stiffness, &error) < 0)
    si_raise(L, &error);
  tell(t, SI_TUNED_DOF, d.name, NULL);
  lua_settop(L, table);
}

static const char *component_name(const sinew_builder *b, uint32_t id) {
  return sinew_builder_component_name(b, (sinew_component){ id });
}
static const char *segment_name(const sinew_builder *b, uint32_t id) {
  return sinew_builder_segment_name(b, (sinew_segment){ id });
}
static const char *dof_name(const sinew_builder *b, uint32_t id) {
  return sinew_builder_dof_info(b, (sinew_dof){ id }).name;
}

/* applies one of the three tables, which is at `entries`; 0: it is missing */
static void tune_all(const tuning *t, int entries, const char *field, const char *kind, int total,
                     const char *(*name)(const sinew_builder *b, uint32_t id),
                     void (*tune)(const tuning *t, uint32_t id)) {
  lua_State *L = t->L;
  int top = lua_gettop(L), count;
  if (!entries) return;
  const char *who = lua_pushfstring(L, "tuning: '%s'", field);
  want_table(L, entries, who);
  const char **keys = sorted_keys(L, entries, who, &count);
  for (int i = 0; i < count; i++) {
    si_lua_spend(L, 10 + (size_t)total / 2);
    uint32_t id = 1;
    while (id <= (uint32_t)total && strcmp(name(t->rig->builder, id), keys[i]) != 0) id++;
    if (id > (uint32_t)total) {
      si_nearest nearest;
      si_nearest_start(&nearest, keys[i]);
      for (uint32_t k = 1; k <= (uint32_t)total; k++)
        si_nearest_offer(&nearest, name(t->rig->builder, k));
      si_lua_unknown(L, lua_pushfstring(L, "rig '%s'", sinew_builder_name(t->rig->builder)), kind,
                     &nearest);
    }
    lua_pushstring(L, keys[i]);
    lua_rawget(L, entries);
    int entry = lua_gettop(L);
    want_table(L, entry, lua_pushfstring(L, "tuning: %s '%s'", kind, keys[i]));
    lua_settop(L, entry);
    tune(t, id);
    lua_settop(L, entry - 1);
  }
  lua_settop(L, top);
}

void si_tune(lua_State *L, int rig, int table, si_tuned_note *note, void *user) {
  typedef struct given {
    int components, segments, dofs;
  } given;
  static const si_option options[] = {
    SI_OPTION(given, components, VALUE),
    SI_OPTION(given, segments, VALUE),
    SI_OPTION(given, dofs, VALUE),
    SI_OPTION_END,
  };
  given g = { 0 };
  rig = lua_absindex(L, rig);
  table = lua_absindex(L, table);
  const int top = lua_gettop(L);
  luaL_checkstack(L, 40, "too deep to tune a rig");
  want_table(L, table, "a tuning");
  si_options_read(L, table, "tuning", options, &g);
  tuning t = { .L = L, .rig = si_rig_check(L, rig), .note = note, .user = user };
  sinew_counts n = sinew_builder_counts(si_rig_change(L, t.rig));
  si_rig_edited(t.rig);
  tune_all(&t, g.components, "components", "component", n.components, component_name,
           tune_component);
  tune_all(&t, g.segments, "segments", "segment", n.segments, segment_name, tune_segment);
  tune_all(&t, g.dofs, "dofs", "DOF", n.dofs, dof_name, tune_dof);
  lua_settop(L, top);
}

int si_rig_tune(lua_State *L) {
  si_lua_self(L, &si_rig_type);
  lua_settop(L, 2);
  si_tune(L, 1, 2, NULL, NULL);
  return si_lua_done(L);
}
