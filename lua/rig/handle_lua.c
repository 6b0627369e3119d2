/* Handles: joint sets, segments, DOFs and ports. */
#include "lua/math/quat_matrix.h"
#include "lua/rig/rig_lua.h"

#include <stdio.h>
#include <string.h>

si_handle *si_handle_check(lua_State *L, int index, const si_lua_type *type) {
  return si_lua_open(L, index, type);
}

void si_handle_push(lua_State *L, const si_lua_type *type, int rig_index, uint32_t id,
                    uint32_t output) {
  si_rig_lua *rig = lua_touserdata(L, rig_index);
  si_handle *handle = si_lua_new(L, type, sizeof *handle, rig_index);
  *handle = (si_handle){ rig, id, output };
}

bool si_handle_closed_push(lua_State *L, const si_lua_type *type) {
  const si_handle *handle = si_lua_check(L, 1, type);
  if (handle->rig->builder) return false;
  lua_pushfstring(L, "%s (its rig was closed)", type->name);
  return true;
}

/* every access creates a new handle, so handles of the same thing must compare equal */
int si_handle_equal(lua_State *L) {
  static const si_lua_type *const types[] = { &si_joint_set_type, &si_segment_type, &si_dof_type,
                                              &si_component_type, &si_port_type };
  const si_handle *a = NULL, *b = NULL;
  for (size_t i = 0; i < sizeof types / sizeof *types && !(a && b); i++) {
    a = si_lua_test(L, 1, types[i]);
    b = si_lua_test(L, 2, types[i]);
  }
  return si_return_boolean(L,
                           a && b && a->rig == b->rig && a->id == b->id && a->output == b->output);
}

/* notes: what a script attaches to a handle for those who show the rig (a segment's shape, a DOF's
 * label). They live in the rig's owner table, under "segment:3". */
static void push_notes(lua_State *L, int handle_index, const char *type) {
  const si_handle *handle = lua_touserdata(L, handle_index);
  si_lua_push_owner(L, handle_index); /* the rig */
  si_lua_push_owner(L, -1);           /* its table */
  lua_pushfstring(L, "%s:%d", type, (int)handle->id);
  lua_pushvalue(L, -1);
  lua_rawget(L, -3);
  if (lua_isnil(L, -1)) {
    lua_pop(L, 1);
    lua_newtable(L);
    lua_pushvalue(L, -2);
    lua_pushvalue(L, -2);
    lua_rawset(L, -5);
  }
  lua_replace(L, -4);
  lua_pop(L, 2);
}

static const si_lua_type *type_of(lua_State *L, int index) {
  static const si_lua_type *const types[] = { &si_joint_set_type, &si_segment_type, &si_dof_type,
                                              &si_component_type };
  for (size_t i = 0; i < sizeof types / sizeof *types; i++)
    if (si_lua_test(L, index, types[i])) return types[i];
  return NULL;
}

void si_note_set(lua_State *L, int handle_index, const char *key) {
  handle_index = lua_absindex(L, handle_index);
  push_notes(L, handle_index, type_of(L, handle_index)->name);
  lua_pushvalue(L, -2);
  lua_setfield(L, -2, key);
  lua_pop(L, 1);
}

void si_note_push(lua_State *L, int handle_index, const char *key) {
  handle_index = lua_absindex(L, handle_index);
  push_notes(L, handle_index, type_of(L, handle_index)->name);
  lua_getfield(L, -1, key);
  lua_remove(L, -2);
}

/* handle:note(key) returns the value; handle:note(key, value) attaches it and returns the handle */
int si_handle_note(lua_State *L) {
  const si_lua_type *type = type_of(L, 1);
  if (!type) return si_lua_self_error(L, "joint set, segment, DOF or component");
  si_handle_check(L, 1, type);
  const char *key = luaL_checkstring(L, 2);
  if (lua_isnone(L, 3)) {
    si_note_push(L, 1, key);
    return 1;
  }
  lua_settop(L, 3);
  si_note_set(L, 1, key);
  return si_lua_done(L);
}

int si_handle_notes(lua_State *L) {
  push_notes(L, 1, type_of(L, 1)->name);
  lua_newtable(L);
  for (lua_pushnil(L); lua_next(L, -3); lua_pop(L, 1)) {
    lua_pushvalue(L, -2);
    lua_pushvalue(L, -2);
    lua_rawset(L, -5);
  }
  return 1;
}

static int set_name(lua_State *L) {
  const si_handle *set = si_handle_check(L, 1, &si_joint_set_type);
  return si_return_string(
      L, sinew_builder_joint_set_name(set->rig->builder, (sinew_joint_set){ set->id }));
}

static int set_tostring(lua_State *L) {
  if (si_handle_closed_push(L, &si_joint_set_type)) return 1;
  set_name(L);
  lua_pushfstring(L, "joint set '%s'", lua_tostring(L, -1));
  return 1;
}

static const char *segment_name_of(const si_handle *s) {
  return sinew_builder_segment_name(s->rig->builder, (sinew_segment){ s->id });
}

static int segment_name(lua_State *L) {
  return si_return_string(L, segment_name_of(si_handle_check(L, 1, &si_segment_type)));
}

static int segment_tostring(lua_State *L) {
  if (si_handle_closed_push(L, &si_segment_type)) return 1;
  segment_name(L);
  lua_pushfstring(L, "segment '%s'", lua_tostring(L, -1));
  return 1;
}

static int segment_rest(lua_State *L) {
  const si_handle *s = si_handle_check(L, 1, &si_segment_type);
  const float *rest = sinew_builder_segment_rest(s->rig->builder, (sinew_segment){ s->id });
  memcpy(si_mat4_push(L), rest, 16 * sizeof(float));
  return 1;
}

static int segment_at(lua_State *L) {
  const si_handle *s = si_handle_check(L, 1, &si_segment_type);
  const float *rest = sinew_builder_segment_rest(s->rig->builder, (sinew_segment){ s->id });
  memcpy(si_vec3_push(L), rest + 12, 3 * sizeof(float));
  return 1;
}

/* nil for a rest frame that mirrors */
static int segment_rotate(lua_State *L) {
  const si_handle *s = si_handle_check(L, 1, &si_segment_type);
  float q[4];
  if (!si_quat_from_mat4(sinew_builder_segment_rest(s->rig->builder, (sinew_segment){ s->id }), q))
    return 0;
  memcpy(si_quat_push(L), q, sizeof q);
  return 1;
}

static int segment_parent(lua_State *L) {
  const si_handle *s = si_handle_check(L, 1, &si_segment_type);
  return si_return_string(L,
                          sinew_builder_segment_parent(s->rig->builder, (sinew_segment){ s->id }));
}

static int segment_shape(lua_State *L) {
  si_handle_check(L, 1, &si_segment_type);
  si_note_push(L, 1, "shape");
  return 1;
}

/* a number that is 0 where nothing was given, which is nil */
static int push_positive(lua_State *L, float value) {
  if (value > 0)
    lua_pushnumber(L, value);
  else
    lua_pushnil(L);
  return 1;
}

static int segment_mass(lua_State *L) {
  const si_handle *s = si_handle_check(L, 1, &si_segment_type);
  float mass = sinew_builder_segment_mass(s->rig->builder, (sinew_segment){ s->id }, NULL);
  return push_positive(L, mass);
}

static int segment_mass_at(lua_State *L) {
  const si_handle *s = si_handle_check(L, 1, &si_segment_type);
  float at[3];
  if (sinew_builder_segment_mass(s->rig->builder, (sinew_segment){ s->id }, at) > 0)
    memcpy(si_vec3_push(L), at, sizeof at);
  else
    lua_pushnil(L);
  return 1;
}

static int put_mass(lua_State *L, const si_handle *s, float mass, const float *at) {
  sinew_error error;
  sinew_segment segment = { s->id };
  if (sinew_builder_set_mass(si_rig_change(L, s->rig), segment, mass, at, &error) < 0)
    return si_raise(L, &error);
  si_rig_edited(s->rig);
  return 0;
}

/* segment.mass = 3.2, or nil for none */
static int segment_set_mass(lua_State *L) {
  const si_handle *s = si_handle_check(L, 1, &si_segment_type);
  float mass = 0;
  if (!lua_isnil(L, 3))
    mass = si_mass_check(L, lua_type(L, 3) == LUA_TNUMBER ? (float)lua_tonumber(L, 3) : -1,
                         segment_name_of(s));
  return put_mass(L, s, mass, NULL);
}

/* segment.mass_at = { 0, -0.2, 0 }, before or after its mass */
static int segment_set_mass_at(lua_State *L) {
  const si_handle *s = si_handle_check(L, 1, &si_segment_type);
  float at[3], mass = sinew_builder_segment_mass(s->rig->builder, (sinew_segment){ s->id }, NULL);
  if (!si_vec3_read(L, 3, at))
    return luaL_error(L,
                      "segment '%s': 'mass_at' must be a vec3 or a table of three numbers, not %s",
                      segment_name_of(s), si_lua_typename(L, 3));
  return put_mass(L, s, mass, at);
}

static int segment_set_shape(lua_State *L) {
  si_handle_check(L, 1, &si_segment_type);
  si_note_set(L, 1, "shape");
  return 0;
}

/* segment:drive(source): a matrix port, a component with one output, or an expression; gives the
 * segment back */
static int segment_drive(lua_State *L) {
  si_lua_self(L, &si_segment_type);
  const si_handle *s = si_handle_check(L, 1, &si_segment_type);
  sinew_error error;
  lua_settop(L, 2);
  if (si_expression_test(L, 2) || si_lua_test(L, 2, &si_dof_type) || si_mat4_test(L, 2)) {
    lua_pushvalue(L, 1);
    lua_insert(L, 2);
    si_expression_call(L, "drive", 2);
  }
  if (!si_source_push(L, 2, s->rig))
    return si_lua_type_error(L, 2, "port, or component with one output,");
  const char *from = lua_tostring(L, -1);
  if (sinew_builder_drive(si_rig_change(L, s->rig), (sinew_segment){ s->id }, from,
                          si_where_push(L), &error) < 0)
    return si_raise(L, &error);
  si_rig_edited(s->rig);
  return si_lua_done(L);
}

static sinew_dof_info dof_info(lua_State *L) {
  const si_handle *d = si_handle_check(L, 1, &si_dof_type);
  return sinew_builder_dof_info(d->rig->builder, (sinew_dof){ d->id });
}

static int dof_name(lua_State *L) { return si_return_string(L, dof_info(L).name); }
static int dof_min(lua_State *L) { return si_return_number(L, dof_info(L).min); }
static int dof_max(lua_State *L) { return si_return_number(L, dof_info(L).max); }
static int dof_rest(lua_State *L) { return si_return_number(L, dof_info(L).rest); }
static int dof_unit(lua_State *L) { return si_return_string(L, dof_info(L).unit); }
static int dof_stiffness(lua_State *L) { return push_positive(L, dof_info(L).stiffness); }

static int dof_set_stiffness(lua_State *L) {
  const si_handle *d = si_handle_check(L, 1, &si_dof_type);
  sinew_error error;
  const char *who = lua_pushfstring(L, "DOF '%s'", dof_info(L).name);
  float stiffness = lua_type(L, 3) == LUA_TNUMBER ? (float)lua_tonumber(L, 3) : 0;
  if (!lua_isnil(L, 3)) si_stiffness_check(L, stiffness, who);
  if (sinew_builder_set_stiffness(si_rig_change(L, d->rig), (sinew_dof){ d->id }, stiffness,
                                  &error) < 0)
    return si_raise(L, &error);
  si_rig_edited(d->rig);
  return 0;
}

static int dof_label(lua_State *L) {
  si_handle_check(L, 1, &si_dof_type);
  si_note_push(L, 1, "label");
  return 1;
}

static int dof_set_label(lua_State *L) {
  si_handle_check(L, 1, &si_dof_type);
  si_note_set(L, 1, "label");
  return 0;
}

static int dof_tostring(lua_State *L) {
  if (si_handle_closed_push(L, &si_dof_type)) return 1;
  sinew_dof_info d = dof_info(L);
  char text[320];
  snprintf(text, sizeof text, "DOF '%s': %g to %g %s, rest %g", d.name, (double)d.min,
           (double)d.max, d.unit, (double)d.rest);
  return si_return_string(L, text);
}

static int port_name(lua_State *L) {
  const si_handle *p = si_handle_check(L, 1, &si_port_type);
  char name[128];
  sinew_builder_output_name(p->rig->builder, (sinew_component){ p->id }, (int)p->output, name,
                            sizeof name);
  return si_return_string(L, name);
}

static int port_component(lua_State *L) {
  const si_handle *p = si_handle_check(L, 1, &si_port_type);
  si_lua_push_owner(L, 1);
  si_handle_push(L, &si_component_type, lua_gettop(L), p->id, 0);
  return 1;
}

static int port_kind(lua_State *L) {
  const si_handle *p = si_handle_check(L, 1, &si_port_type);
  lua_pushstring(L, sinew_kind_name(sinew_builder_output_kind(
                        p->rig->builder, (sinew_component){ p->id }, (int)p->output)));
  return 1;
}

static int port_tostring(lua_State *L) {
  if (si_handle_closed_push(L, &si_port_type)) return 1;
  const si_handle *p = si_handle_check(L, 1, &si_port_type);
  port_kind(L);
  port_name(L);
  lua_pushfstring(L, "%s port '%s.%s'", lua_tostring(L, -2),
                  sinew_builder_component_name(p->rig->builder, (sinew_component){ p->id }),
                  lua_tostring(L, -1));
  return 1;
}

bool si_source_push(lua_State *L, int index, const si_rig_lua *rig) {
  /* a subnetwork returns a table of outputs; a table with one output stands for that output */
  if (lua_istable(L, index) && lua_rawlen(L, index) == 1) {
    lua_rawgeti(L, index, 1);
    bool found = !lua_istable(L, -1) && si_source_push(L, lua_gettop(L), rig);
    lua_remove(L, found ? -2 : -1);
    return found;
  }
  const si_handle *h;
  const si_lua_type *type = &si_dof_type;
  if (!(h = si_lua_test(L, index, type)) &&
      !(h = si_lua_test(L, index, type = &si_component_type)) &&
      !(h = si_lua_test(L, index, type = &si_port_type)))
    return false;
  if (h->rig != rig) luaL_error(L, "cannot wire a %s of another rig", type->name);
  const sinew_builder *b = rig->builder;
  if (type == &si_dof_type) {
    lua_pushfstring(L, ".%s", sinew_builder_dof_info(b, (sinew_dof){ h->id }).name);
    return true;
  }
  const char *name = sinew_builder_component_name(b, (sinew_component){ h->id });
  if (type == &si_component_type) {
    int outputs = sinew_builder_output_count(b, (sinew_component){ h->id });
    if (outputs != 1)
      luaL_error(L, "component '%s' has %d outputs: name one, such as bend.angle", name, outputs);
    lua_pushfstring(L, ".%s", name);
    return true;
  }
  char output[128];
  sinew_builder_output_name(b, (sinew_component){ h->id }, (int)h->output, output, sizeof output);
  lua_pushfstring(L, ".%s.%s", name, output);
  return true;
}

static const luaL_Reg set_methods[] = { SI_MAKER_METHODS,
                                        { "note", si_handle_note },
                                        { NULL, NULL } };
static const luaL_Reg set_meta[] = { { "__tostring", set_tostring },
                                     { "__eq", si_handle_equal },
                                     { NULL, NULL } };
static const si_lua_field set_fields[] = { { "name", set_name, NULL },
                                           { "rig", si_handle_rig, NULL },
                                           { "segments", si_set_segments, NULL },
                                           { "dofs", si_set_dofs, NULL },
                                           { "components", si_set_components, NULL },
                                           { "notes", si_handle_notes, NULL },
                                           { NULL, NULL, NULL } };
const si_lua_type si_joint_set_type = { .name = "joint set",
                                        .methods = set_methods,
                                        .meta = set_meta,
                                        .fields = set_fields,
                                        .handle = true,
                                        .index = si_maker_index,
                                        .offer = si_maker_offer };

static const luaL_Reg segment_methods[] = {
  { "drive", segment_drive },      { "bone", si_make_bone },
  { "hinge", si_segment_hinge },   { "ball", si_segment_ball },
  { "slider", si_segment_slider }, { "free", si_segment_free },
  { "aim", si_segment_aim },       { "ik2", si_segment_ik2 },
  { "note", si_handle_note },      { NULL, NULL }
};
static const luaL_Reg segment_meta[] = { { "__tostring", segment_tostring },
                                         { "__eq", si_handle_equal },
                                         { NULL, NULL } };
static const si_lua_field segment_fields[] = { { "name", segment_name, NULL },
                                               { "parent", segment_parent, NULL },
                                               { "at", segment_at, NULL },
                                               { "rotate", segment_rotate, NULL },
                                               { "rest", segment_rest, NULL },
                                               { "shape", segment_shape, segment_set_shape },
                                               { "rig", si_handle_rig, NULL },
                                               { "joint_set", si_segment_joint_set, NULL },
                                               { "driver", si_segment_driver, NULL },
                                               { "held", si_segment_held, NULL },
                                               { "mass", segment_mass, segment_set_mass },
                                               { "mass_at", segment_mass_at, segment_set_mass_at },
                                               { "notes", si_handle_notes, NULL },
                                               { NULL, NULL, NULL } };
const si_lua_type si_segment_type = { .name = "segment",
                                      .methods = segment_methods,
                                      .meta = segment_meta,
                                      .fields = segment_fields,
                                      .handle = true,
                                      .index = si_segment_index };

static const luaL_Reg dof_methods[] = { { "note", si_handle_note },
                                        SI_EXPRESSION_METHODS,
                                        { NULL, NULL } };
static const luaL_Reg dof_meta[] = {
  SI_EXPRESSION_META, { "__tostring", dof_tostring }, { "__eq", si_handle_equal }, { NULL, NULL }
};
static const si_lua_field dof_fields[] = {
  { "name", dof_name, NULL },
  { "min", dof_min, NULL },
  { "max", dof_max, NULL },
  { "rest", dof_rest, NULL },
  { "unit", dof_unit, NULL },
  { "label", dof_label, dof_set_label },
  { "rig", si_handle_rig, NULL },
  { "joint_set", si_dof_joint_set, NULL },
  { "stiffness", dof_stiffness, dof_set_stiffness },
  { "notes", si_handle_notes, NULL },
  { NULL, NULL, NULL },
};
const si_lua_type si_dof_type = {
  .name = "DOF", .methods = dof_methods, .meta = dof_meta, .fields = dof_fields, .handle = true
};

static const luaL_Reg port_methods[] = { SI_EXPRESSION_METHODS,
                                         { "swing_twist", si_port_swing_twist },
                                         { NULL, NULL } };
static const luaL_Reg port_meta[] = {
  SI_EXPRESSION_META, { "__tostring", port_tostring }, { "__eq", si_handle_equal }, { NULL, NULL }
};
static const si_lua_field port_fields[] = { { "name", port_name, NULL },
                                            { "component", port_component, NULL },
                                            { "kind", port_kind, NULL },
                                            { NULL, NULL, NULL } };
const si_lua_type si_port_type = {
  .name = "port", .methods = port_methods, .meta = port_meta, .fields = port_fields, .handle = true
};

void si_open_handles(lua_State *L) {
  si_lua_type_open(L, &si_joint_set_type);
  si_lua_type_open(L, &si_segment_type);
  si_lua_type_open(L, &si_dof_type);
  si_lua_type_open(L, &si_port_type);
}
