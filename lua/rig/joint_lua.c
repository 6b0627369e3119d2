/* Bones with their joints in one call: owner:bone(name, { hinge = ... }), segment:hinge { ... } and
 * the others. lua/sinew/joint.lua does the wiring. Here it is called so that a mistake leaves
 * nothing behind and names the author's line. And the DOFs of a segment as its fields, found in the
 * network from its driver, so that mirrored and loaded rigs have them too. */
#include "lua/rig/rig_lua.h"

#include <stdlib.h>
#include <string.h>

/* --- what joint.lua asks for */

/* find(rig, name): the DOF of that full name, true for a component, nil for neither */
static int core_find(lua_State *L) {
  const si_rig_lua *rig = si_rig_check(L, 1);
  sinew_source found = sinew_builder_find(rig->builder, luaL_checkstring(L, 2));
  if (found.dof.id)
    si_handle_push(L, &si_dof_type, 1, found.dof.id, 0);
  else if (found.component.id)
    lua_pushboolean(L, true);
  else
    lua_pushnil(L);
  return 1;
}

/* find_set(rig, name): the joint set of that name, or nil */
static int core_find_set(lua_State *L) {
  si_rig_check(L, 1);
  if (!si_joint_set_push(L, 1, luaL_checkstring(L, 2))) lua_pushnil(L);
  return 1;
}

/* find_segment(rig, name): the segment of that name, or nil */
static int core_find_segment(lua_State *L) {
  const sinew_builder *b = si_rig_check(L, 1)->builder;
  const char *name = luaL_checkstring(L, 2);
  for (uint32_t id = (uint32_t)sinew_builder_counts(b).segments; id > 0; id--)
    if (strcmp(sinew_builder_segment_name(b, (sinew_segment){ id }), name) == 0) {
      si_handle_push(L, &si_segment_type, 1, id, 0);
      return 1;
    }
  lua_pushnil(L);
  return 1;
}

/* unknown(who, what, word, words): raises with the nearest of the words */
static int core_unknown(lua_State *L) {
  si_nearest nearest;
  si_nearest_start(&nearest, luaL_tolstring(L, 3, NULL));
  luaL_checktype(L, 4, LUA_TTABLE);
  for (int i = 1; i <= (int)lua_rawlen(L, 4); i++) {
    lua_rawgeti(L, 4, i); /* the table keeps the text */
    si_nearest_offer(&nearest, luaL_checkstring(L, -1));
    lua_pop(L, 1);
  }
  return si_lua_unknown(L, luaL_checkstring(L, 1), luaL_checkstring(L, 2), &nearest);
}

/* internal(): errors and origins do not name the lines of the caller's file */
static int core_internal(lua_State *L) {
  si_lua_internal(L);
  return 0;
}

/* pushes joint.lua's functions, by name */
static void push_helpers(lua_State *L) {
  static const char helpers_key;
  static const luaL_Reg core[] = {
    { "find", core_find },
    { "find_set", core_find_set },
    { "find_segment", core_find_segment },
    { "unknown", core_unknown },
    { "internal", core_internal },
    { NULL, NULL },
  };
  if (lua_rawgetp(L, LUA_REGISTRYINDEX, &helpers_key) != LUA_TNIL) return;
  lua_pop(L, 1);
  lua_getglobal(L, "require");
  lua_pushliteral(L, "sinew.joint");
  lua_call(L, 1, 1);
  lua_newtable(L);
  luaL_setfuncs(L, core, 0);
  lua_call(L, 1, 1);
  lua_pushvalue(L, -1);
  lua_rawsetp(L, LUA_REGISTRYINDEX, &helpers_key);
}

/* --- calling it */

static void forget_notes(lua_State *L, int owner, const char *type, int from, int to) {
  for (int id = from + 1; id <= to; id++) {
    lua_pushfstring(L, "%s:%d", type, id);
    lua_pushnil(L);
    lua_rawset(L, owner);
  }
}

/* takes the ports of components above `last` out of the table on top of the stack */
static void forget_ports(lua_State *L, uint32_t last) {
  int table = lua_gettop(L);
  if (!lua_istable(L, table)) return;
  for (lua_pushnil(L); lua_next(L, table); lua_pop(L, 1)) {
    const si_handle *port = si_lua_test(L, -1, &si_port_type);
    if (!port || port->id <= last) continue;
    lua_pushvalue(L, -2);
    lua_pushnil(L);
    lua_rawset(L, table);
  }
}

/* expressions know the ports that carry them, in the book that is kept in the rig's table */
static void forget_expressions(lua_State *L, int owner, uint32_t last) {
  int top = lua_gettop(L);
  lua_getfield(L, owner, "expressions");
  if (lua_istable(L, -1)) {
    lua_getfield(L, -1, "made");
    forget_ports(L, last);
    lua_getfield(L, top + 1, "limits");
    for (int i = 1; i <= (int)lua_rawlen(L, top + 3); i++) {
      lua_rawgeti(L, top + 3, i);
      lua_getfield(L, -1, "built");
      forget_ports(L, last);
      lua_pop(L, 2);
    }
  }
  lua_settop(L, top);
}

/* takes away what was added since `before`, and what was attached to it */
static void rewind_rig(lua_State *L, int rig_index, sinew_counts before) {
  si_rig_lua *rig = lua_touserdata(L, rig_index);
  if (!rig->builder) return;
  sinew_counts now = sinew_builder_counts(rig->builder);
  si_lua_push_owner(L, rig_index);
  int owner = lua_gettop(L);
  forget_notes(L, owner, si_joint_set_type.name, before.joint_sets, now.joint_sets);
  forget_notes(L, owner, si_segment_type.name, before.segments, now.segments);
  forget_notes(L, owner, si_dof_type.name, before.dofs, now.dofs);
  forget_notes(L, owner, si_component_type.name, before.components, now.components);
  for (int id = before.components + 1; id <= now.components; id++) {
    lua_pushnil(L); /* of a scripted component */
    lua_rawseti(L, owner, id);
  }
  forget_expressions(L, owner, (uint32_t)before.components);
  lua_pop(L, 1);
  sinew_builder_rewind(rig->builder, before);
  si_rig_edited(rig);
}

/* the message on top of the stack, with the author's line instead of that of the helper, whose file
 * is `file` */
static int raise_at_caller(lua_State *L, const char *file) {
  const char *text = lua_tostring(L, -1);
  if (!text) return lua_error(L);
  size_t length = strlen(file);
  if (strncmp(text, file, length) == 0 && text[length] == ':') {
    const char *rest = text + length + 1 + strspn(text + length + 1, "0123456789");
    if (strncmp(rest, ": ", 2) == 0) text = rest + 2;
  }
  sinew_error error = { .count = 1 };
  if (strlen(text) < sizeof error.text) {
    memcpy(error.text, text, strlen(text) + 1);
    return si_raise(L, &error); /* which has a place in front, unless there is one */
  }
  return lua_error(L);
}

/* pushes the rig of the maker or segment at 1 and gives its index */
static int push_rig(lua_State *L) {
  if (si_lua_test(L, 1, &si_rig_type))
    lua_pushvalue(L, 1);
  else
    si_lua_push_owner(L, 1);
  si_rig_check(L, -1);
  return lua_gettop(L);
}

/* joint.lua's function of that name on up to three arguments */
static int call_helper(lua_State *L, const char *name) {
  lua_settop(L, 3);
  int rig_index = push_rig(L);
  push_helpers(L);
  lua_getfield(L, -1, name);
  lua_Debug helper;
  lua_pushvalue(L, -1);
  lua_getinfo(L, ">S", &helper);
  for (int i = 1; i <= 3; i++) lua_pushvalue(L, i);
  sinew_counts before = sinew_builder_counts(si_rig_change(L, si_rig_check(L, rig_index)));
  bool done = lua_pcall(L, 3, 1, 0) == LUA_OK;
  if (done) return 1;
  rewind_rig(L, rig_index, before);
  return raise_at_caller(L, helper.short_src);
}

int si_make_bone(lua_State *L) {
  if (!si_lua_test(L, 1, &si_rig_type) && !si_lua_test(L, 1, &si_joint_set_type) &&
      !si_lua_test(L, 1, &si_segment_type))
    return si_lua_self_error(L, "rig, joint set or segment");
  luaL_checkstring(L, 2);
  return call_helper(L, "bone");
}

static int add_joint(lua_State *L, const char *kind) {
  si_lua_self(L, &si_segment_type);
  return call_helper(L, kind);
}

int si_segment_hinge(lua_State *L) { return add_joint(L, "hinge"); }
int si_segment_slider(lua_State *L) { return add_joint(L, "slider"); }
int si_segment_ball(lua_State *L) { return add_joint(L, "ball"); }
int si_segment_free(lua_State *L) { return add_joint(L, "free"); }

/* --- the DOFs that move a segment */

/* the components from which a segment's driver is computed, the nearest first */
typedef struct upstream {
  const sinew_builder *b;
  const uint32_t *ids;
  int count;
  uint32_t set, segment_set; /* joint sets of the driver and of the segment */
} upstream;

/* the segment is at 1; memory is pushed */
static upstream push_upstream(lua_State *L) {
  const si_handle *s = si_handle_check(L, 1, &si_segment_type);
  upstream u = { .b = s->rig->builder };
  size_t components = (size_t)sinew_builder_counts(u.b).components;
  uint32_t *ids = lua_newuserdatauv(L, (components + 1) * sizeof *ids, 0);
  bool *seen = lua_newuserdatauv(L, components + 1, 0);
  memset(seen, 0, components + 1);
  sinew_segment segment = { s->id };
  sinew_component driver = sinew_builder_segment_driver(u.b, segment).component;
  u.segment_set = sinew_builder_segment_joint_set(u.b, segment).id;
  u.ids = ids;
  if (!driver.id) return u;
  u.set = sinew_builder_component_joint_set(u.b, driver).id;
  ids[u.count++] = driver.id;
  seen[driver.id] = true;
  for (int i = 0; i < u.count; i++) {
    sinew_component c = { ids[i] };
    for (int w = 0; w < sinew_builder_wire_count(u.b, c); w++) {
      uint32_t from = sinew_builder_wire_source(u.b, c, w).component.id;
      if (!from || seen[from]) continue;
      seen[from] = true;
      ids[u.count++] = from;
    }
  }
  return u;
}

static const char *short_name(const sinew_dof_info *dof) {
  const char *dot = dof->joint_set.id ? strchr(dof->name, '.') : NULL;
  return dot ? dot + 1 : dof->name;
}

/* calls `visit` for each wire from a DOF until it returns true: first those of the driver's joint
 * set, then those of the segment's, then all */
static sinew_dof visit_dofs(const upstream *u, bool (*visit)(const sinew_dof_info *dof, void *user),
                            void *user) {
  for (int pass = 0; pass < 3; pass++)
    for (int i = 0; i < u->count; i++) {
      sinew_component c = { u->ids[i] };
      for (int w = 0; w < sinew_builder_wire_count(u->b, c); w++) {
        sinew_dof dof = sinew_builder_wire_source(u->b, c, w).dof;
        if (!dof.id) continue;
        sinew_dof_info info = sinew_builder_dof_info(u->b, dof);
        if (pass < 2 && info.joint_set.id != (pass == 0 ? u->set : u->segment_set)) continue;
        if (visit(&info, user)) return dof;
      }
    }
  return (sinew_dof){ 0 };
}

static bool is_called(const sinew_dof_info *dof, void *name) {
  return strcmp(short_name(dof), name) == 0;
}

static bool offer(const sinew_dof_info *dof, void *nearest) {
  si_nearest_offer(nearest, short_name(dof));
  return false;
}

static int unknown_key(lua_State *L, const upstream *u) {
  si_nearest nearest;
  si_nearest_start(&nearest, lua_tostring(L, 2));
  visit_dofs(u, offer, &nearest);
  for (const si_lua_field *f = si_segment_type.fields; f->name; f++)
    si_nearest_offer(&nearest, f->name);
  for (const luaL_Reg *m = si_segment_type.methods; m->name; m++)
    si_nearest_offer(&nearest, m->name);
  const si_handle *s = lua_touserdata(L, 1);
  const char *name = sinew_builder_segment_name(u->b, (sinew_segment){ s->id });
  return si_lua_unknown(L, lua_pushfstring(L, "segment '%s'", name), "DOF, field or method",
                        &nearest);
}

/* segment.flexion: the DOF of that name that moves it */
int si_segment_index(lua_State *L) {
  if (lua_type(L, 2) != LUA_TSTRING) return 0;
  upstream u = push_upstream(L);
  sinew_dof dof = visit_dofs(&u, is_called, (void *)(uintptr_t)lua_tostring(L, 2));
  if (!dof.id) return unknown_key(L, &u);
  si_lua_push_owner(L, 1);
  si_handle_push(L, &si_dof_type, lua_gettop(L), dof.id, 0);
  return 1;
}

/* --- DOFs as limits leave them */

static bool same_source(sinew_source a, sinew_source b) {
  return a.dof.id == b.dof.id && a.component.id == b.component.id && a.output == b.output;
}

/* whether a component is the map by which sinew.mirror changes the sign of a scalar */
static bool negates(const sinew_builder *b, sinew_component c) {
  const sinew_component_class *cls = sinew_builder_class(b, sinew_builder_component_kind(b, c));
  if (!cls || !cls->named || sinew_builder_output_count(b, c) != 1) return false;
  char name[128];
  sinew_builder_output_name(b, c, 0, name, sizeof name);
  const sinew_param *param = sinew_builder_param(b, c, name);
  if (!param || !param->curve) return false;
  for (float x = -200; x <= 200; x += 100)
    if (sinew_curve_eval(param->curve, x, NULL) != -x) return false;
  return true;
}

/* where a source comes out of the next limit, and whether its sign changed on the way, `depth`
 * times at most: wires may go in circles before the rig is compiled; false: no limit is left */
static bool pass_limit(const upstream *u, sinew_source *source, bool *minus, int depth) {
  for (int i = 0; i < u->count; i++) {
    sinew_component c = { u->ids[i] };
    for (int w = 0; w < sinew_builder_wire_count(u->b, c); w++) {
      if (!same_source(sinew_builder_wire_source(u->b, c, w), *source)) continue;
      int output = sinew_builder_passed_to(u->b, c, w);
      sinew_source next = { .component = c, .output = output };
      if (output < 0 && depth > 0 && negates(u->b, c)) {
        bool turned = false;
        next.output = 0;
        if (!pass_limit(u, &next, &turned, depth - 1)) continue;
        *minus = *minus == turned;
      } else if (output < 0 || output >= sinew_builder_output_count(u->b, c)) {
        continue;
      }
      *source = next;
      return true;
    }
  }
  return false;
}

typedef struct held {
  lua_State *L;
  const upstream *u;
  int rig, table;
} held;

static bool add_held(const sinew_dof_info *dof, void *user) {
  const held *h = user;
  lua_State *L = h->L;
  lua_getfield(L, h->table, short_name(dof));
  bool there = !lua_isnil(L, -1);
  lua_pop(L, 1);
  if (there) return false;
  sinew_source at = { .dof = sinew_builder_find(h->u->b, dof->name).dof };
  bool minus = false;
  for (int left = h->u->count; left > 0 && pass_limit(h->u, &at, &minus, 4);) left--;
  if (minus) lua_pushcfunction(L, si_expression_negate);
  if (at.dof.id)
    si_handle_push(L, &si_dof_type, h->rig, at.dof.id, 0);
  else
    si_handle_push(L, &si_port_type, h->rig, at.component.id, (uint32_t)at.output);
  if (minus) lua_call(L, 1, 1);
  lua_setfield(L, h->table, short_name(dof));
  return false;
}

static int unknown_held(lua_State *L) {
  si_nearest nearest;
  si_nearest_start(&nearest, luaL_tolstring(L, 2, NULL));
  si_lua_offer_keys(L, 1, &nearest);
  const char *name = lua_tostring(L, lua_upvalueindex(1));
  return si_lua_unknown(L, lua_pushfstring(L, "segment '%s'", name), "DOF", &nearest);
}

/* segment.held.flexion: what carries the DOF's value past all limits on its way here: a port, on
 * the mirrored side perhaps minus a port, or the DOF itself where nothing limits it */
int si_segment_held(lua_State *L) {
  upstream u = push_upstream(L);
  si_lua_push_owner(L, 1);
  held h = { .L = L, .u = &u, .rig = lua_gettop(L), .table = lua_gettop(L) + 1 };
  lua_newtable(L);
  visit_dofs(&u, add_held, &h);
  lua_createtable(L, 0, 2);
  const si_handle *s = lua_touserdata(L, 1);
  lua_pushstring(L, sinew_builder_segment_name(u.b, (sinew_segment){ s->id }));
  lua_pushcclosure(L, unknown_held, 1);
  lua_setfield(L, -2, "__index");
  lua_setmetatable(L, -2);
  return 1;
}
