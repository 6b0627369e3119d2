/* Short ways to components that read where segments are: sinew.relative, sinew.distance,
 * segment:aim, segment:ik2; and to others that make a matrix of matrices: sinew.blend,
 * port:swing_twist. The component is in the joint set of the segment or port that it is made from.
 *
 * Each function builds the table of arguments that the kind of component takes. Whoever makes the
 * component must be at 1, see si_component_make. */
#include "lua/math/options.h"
#include "lua/rig/rig_lua.h"

#include <string.h>

/* puts what makes components at 1: the joint set, or the rig, of the handle there */
static void become_owner(lua_State *L, sinew_joint_set set) {
  si_lua_push_owner(L, 1);
  if (set.id) {
    si_handle_push(L, &si_joint_set_type, lua_gettop(L), set.id, 0);
    lua_remove(L, -2);
  }
  lua_replace(L, 1);
}

static void become_owner_of_segment(lua_State *L) {
  const si_handle *s = si_handle_check(L, 1, &si_segment_type);
  become_owner(L, sinew_builder_segment_joint_set(s->rig->builder, (sinew_segment){ s->id }));
}

static const char *segment_name(const si_handle *s) {
  return sinew_builder_segment_name(s->rig->builder, (sinew_segment){ s->id });
}

/* pushes a copy of the table at `options`; `name` is the component's unless the table has one */
static void copy_options(lua_State *L, int options, const char *name) {
  lua_newtable(L);
  if (name) {
    lua_pushstring(L, name);
    lua_setfield(L, -2, "name");
  }
  for (lua_pushnil(L); lua_next(L, options);) {
    lua_pushvalue(L, -2);
    lua_insert(L, -2);
    lua_rawset(L, -4);
  }
}

/* "x", "-z": the direction in place of its name, in a field of the table on top of the stack */
static void name_axis(lua_State *L, const char *who, const char *field) {
  int table = lua_gettop(L);
  float axis[3];
  si_raw_field(L, table, field);
  bool named = lua_type(L, -1) == LUA_TSTRING;
  lua_pop(L, 1);
  if (!named) return;
  si_option_axis(L, table, who, field, axis);
  memcpy(si_vec3_push(L), axis, sizeof axis);
  lua_setfield(L, table, field);
}

/* makes the component from the table on top of the stack, which it replaces */
static void make(lua_State *L, const char *kind) {
  si_component_make(L, sinew_catalog_find(kind), lua_gettop(L), NULL);
  lua_remove(L, -2);
}

/* pushes a port of the component at `index` */
static void push_port(lua_State *L, int index, int output) {
  const si_handle *c = lua_touserdata(L, index);
  index = lua_absindex(L, index);
  si_lua_push_owner(L, index);
  si_handle_push(L, &si_port_type, lua_gettop(L), c->id, (uint32_t)output);
  lua_remove(L, -2);
}

/* drives a segment by an output of a component */
static void drive(lua_State *L, const si_handle *segment, const si_handle *component, int output) {
  const sinew_builder *b = segment->rig->builder;
  char port[128];
  sinew_error error;
  sinew_builder_output_name(b, (sinew_component){ component->id }, output, port, sizeof port);
  const char *from = lua_pushfstring(
      L, ".%s.%s", sinew_builder_component_name(b, (sinew_component){ component->id }), port);
  if (sinew_builder_drive(si_rig_change(L, segment->rig), (sinew_segment){ segment->id }, from,
                          si_where_push(L), &error) < 0)
    si_raise(L, &error);
  lua_pop(L, 2);
  si_rig_edited(segment->rig);
}

static void want_table(lua_State *L, const char *what) {
  if (!lua_istable(L, 2))
    luaL_error(L, "%s { ... } expected: a table of inputs and parameters, not %s", what,
               si_lua_typename(L, 2));
  lua_settop(L, 2);
}

/* bone:aim { at =, point =, along =, up =, up_of = } drives the bone, and gives it */
int si_segment_aim(lua_State *L) {
  si_lua_self(L, &si_segment_type);
  const si_handle *segment = si_handle_check(L, 1, &si_segment_type);
  want_table(L, "aim");
  lua_pushvalue(L, 1); /* 3: stays, while the maker takes its place at 1 */
  const char *name = lua_pushfstring(L, "%s_aim", segment_name(segment));
  copy_options(L, 2, name);
  lua_pushvalue(L, 3);
  lua_setfield(L, -2, "segment");
  name_axis(L, "aim", "along");
  name_axis(L, "aim", "up");
  become_owner_of_segment(L);
  make(L, "aim");
  drive(L, segment, lua_touserdata(L, -1), 0);
  lua_pushvalue(L, 3);
  return 1;
}

/* the tip of a limb that was not told: where the only child of the lower segment begins */
static void find_tip(lua_State *L, const si_handle *lower) {
  const sinew_builder *b = lower->rig->builder;
  const float *tip = NULL;
  int children = 0;
  for (uint32_t i = 1; i <= (uint32_t)sinew_builder_counts(b).segments; i++) {
    const char *parent = sinew_builder_segment_parent(b, (sinew_segment){ i });
    if (!parent || strcmp(parent, segment_name(lower)) != 0) continue;
    tip = sinew_builder_segment_rest(b, (sinew_segment){ i });
    children++;
  }
  if (children != 1)
    luaL_error(L, "ik2: give 'tip', the point of '%s' that reaches the goal; it has %s",
               segment_name(lower),
               children ? "several children" : "no child, which would be that point");
  memcpy(si_vec3_push(L), tip + 12, 3 * sizeof *tip);
}

/* a segment in a field that takes a vector is moved to the field for segments */
static void move_segment(lua_State *L, const char *field, const char *to) {
  si_raw_field(L, lua_gettop(L), field);
  if (si_lua_test(L, -1, &si_segment_type)) {
    lua_setfield(L, -2, to);
    lua_pushnil(L);
    lua_setfield(L, -2, field);
  } else {
    lua_pop(L, 1);
  }
}

/* upper:ik2 { lower =, tip =, goal =, pole =, soft = ... } drives both bones, and gives the
 * component */
int si_segment_ik2(lua_State *L) {
  si_lua_self(L, &si_segment_type);
  const si_handle *upper = si_handle_check(L, 1, &si_segment_type);
  want_table(L, "ik2");
  lua_pushvalue(L, 1); /* 3 */
  si_raw_field(L, 2, "lower");
  if (!si_lua_test(L, 4, &si_segment_type))
    return luaL_error(L, "ik2: 'lower' must be a segment, not %s", si_lua_typename(L, 4));
  const si_handle *lower = si_handle_check(L, 4, &si_segment_type);
  if (lower->rig != upper->rig) return luaL_error(L, "ik2: 'lower' is of another rig");
  const char *name = lua_pushfstring(L, "%s_ik2", segment_name(upper));
  copy_options(L, 2, name);
  lua_pushvalue(L, 3);
  lua_setfield(L, -2, "upper");
  si_raw_field(L, lua_gettop(L), "tip");
  bool told = !lua_isnil(L, -1);
  lua_pop(L, 1);
  if (!told) {
    find_tip(L, lower);
    lua_setfield(L, -2, "tip");
  }
  move_segment(L, "goal", "at");
  move_segment(L, "pole", "pole_at");
  become_owner_of_segment(L);
  make(L, "ik2");
  const si_handle *made = lua_touserdata(L, -1);
  drive(L, upper, made, 0);
  drive(L, lower, made, 1);
  return 1;
}

/* sinew.relative { of =, to = }: the port of the frame */
static int relative(lua_State *L) {
  luaL_checktype(L, 1, LUA_TTABLE);
  lua_settop(L, 1);
  lua_pushvalue(L, 1); /* 2: the options; the segment takes their place at 1 */
  si_raw_field(L, 2, "of");
  if (!si_lua_test(L, 3, &si_segment_type))
    return luaL_error(L, "relative: 'of' must be a segment, not %s", si_lua_typename(L, 3));
  lua_replace(L, 1);
  become_owner_of_segment(L);
  copy_options(L, 2, NULL);
  make(L, "relative");
  push_port(L, -1, 0);
  return 1;
}

/* sinew.distance(a, point_a, b, point_b): the port */
static int distance(lua_State *L) {
  static const char *const fields[] = { NULL, "point", "to", "to_point" };
  if (!si_lua_test(L, 1, &si_segment_type)) return si_lua_type_error(L, 1, "segment");
  if (!si_lua_test(L, 3, &si_segment_type)) return si_lua_type_error(L, 3, "segment");
  lua_settop(L, 4);
  lua_newtable(L);
  lua_pushvalue(L, 1);
  lua_setfield(L, -2, "of");
  for (int i = 1; i < 4; i++) {
    lua_pushvalue(L, i + 1);
    lua_setfield(L, -2, fields[i]);
  }
  become_owner_of_segment(L);
  make(L, "distance");
  push_port(L, -1, 0);
  return 1;
}

/* puts what makes components at 1, for the port or component there */
static bool become_owner_of_port(lua_State *L) {
  const si_lua_type *type = si_lua_test(L, 1, &si_port_type) ? &si_port_type : &si_component_type;
  if (!si_lua_test(L, 1, type)) return false;
  const si_handle *h = si_handle_check(L, 1, type);
  become_owner(L, sinew_builder_component_joint_set(h->rig->builder, (sinew_component){ h->id }));
  return true;
}

/* sinew.blend(a, b, weight): the port; a or b is a port, the other may be a matrix */
static int blend(lua_State *L) {
  lua_settop(L, 3);
  lua_newtable(L);
  for (int i = 1; i <= 3; i++) {
    lua_pushvalue(L, i);
    lua_rawseti(L, -2, i);
  }
  if (!become_owner_of_port(L)) {
    lua_pushvalue(L, 2);
    lua_replace(L, 1);
    if (!become_owner_of_port(L))
      return luaL_error(L, "blend: one of the two must be a port that gives a matrix");
  }
  make(L, "blend");
  push_port(L, -1, 0);
  return 1;
}

/* port:swing_twist(axis): the ports of swing, twist and angle */
int si_port_swing_twist(lua_State *L) {
  lua_settop(L, 2);
  lua_newtable(L);
  lua_pushvalue(L, 1);
  lua_rawseti(L, -2, 1);
  lua_pushvalue(L, 2);
  lua_setfield(L, -2, "axis");
  name_axis(L, "swing_twist", "axis");
  if (!become_owner_of_port(L)) return si_lua_self_error(L, "port or component");
  make(L, "swing_twist");
  int component = lua_gettop(L);
  for (int i = 0; i < 3; i++) push_port(L, component, i);
  return 3;
}

void si_open_frames(lua_State *L) {
  static const luaL_Reg functions[] = {
    { "relative", relative }, { "distance", distance }, { "blend", blend }, { NULL, NULL }
  };
  luaL_setfuncs(L, functions, 0);
}
