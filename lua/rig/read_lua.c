/* Reading a rig back in Lua: what belongs to a joint set, what drives a segment, the wires and
 * parameters of a component. Helpers that copy, mirror, draw or print rigs use this. */
#include "lua/rig/script_lua.h"

#include <string.h>

/* the joint set of that id, or nil; the rig is at `rig_index` */
static int push_set(lua_State *L, int rig_index, sinew_joint_set set) {
  if (set.id)
    si_handle_push(L, &si_joint_set_type, rig_index, set.id, 0);
  else
    lua_pushnil(L);
  return 1;
}

/* pushes a DOF, a port, or nil for a null source */
static void push_source(lua_State *L, int rig_index, sinew_source source) {
  if (source.dof.id)
    si_handle_push(L, &si_dof_type, rig_index, source.dof.id, 0);
  else if (source.component.id)
    si_handle_push(L, &si_port_type, rig_index, source.component.id, (uint32_t)source.output);
  else
    lua_pushnil(L);
}

/* pushes the rig of the handle at 1 and returns its index */
static int push_rig(lua_State *L) {
  si_lua_push_owner(L, 1);
  return lua_gettop(L);
}

int si_segment_joint_set(lua_State *L) {
  const si_handle *s = si_handle_check(L, 1, &si_segment_type);
  sinew_segment id = { s->id };
  return push_set(L, push_rig(L), sinew_builder_segment_joint_set(s->rig->builder, id));
}

int si_dof_joint_set(lua_State *L) {
  const si_handle *d = si_handle_check(L, 1, &si_dof_type);
  sinew_dof id = { d->id };
  return push_set(L, push_rig(L), sinew_builder_dof_info(d->rig->builder, id).joint_set);
}

int si_component_joint_set(lua_State *L) {
  const si_handle *c = si_handle_check(L, 1, &si_component_type);
  sinew_component id = { c->id };
  return push_set(L, push_rig(L), sinew_builder_component_joint_set(c->rig->builder, id));
}

int si_segment_driver(lua_State *L) {
  const si_handle *s = si_handle_check(L, 1, &si_segment_type);
  int rig = push_rig(L);
  push_source(L, rig, sinew_builder_segment_driver(s->rig->builder, (sinew_segment){ s->id }));
  return 1;
}

/* whether a component was made in the set, or a segment is moved by one of its components */
static bool segment_is_in(const sinew_builder *b, uint32_t segment, uint32_t set) {
  sinew_segment id = { segment };
  if (sinew_builder_segment_joint_set(b, id).id == set) return true;
  sinew_component driver = sinew_builder_segment_driver(b, id).component;
  return driver.id && sinew_builder_component_joint_set(b, driver).id == set;
}

static bool dof_is_in(const sinew_builder *b, uint32_t dof, uint32_t set) {
  return sinew_builder_dof_info(b, (sinew_dof){ dof }).joint_set.id == set;
}

static bool component_is_in(const sinew_builder *b, uint32_t component, uint32_t set) {
  return sinew_builder_component_joint_set(b, (sinew_component){ component }).id == set;
}

/* pushes a list of those of `count` items that are in the joint set at 1 */
static int push_members(lua_State *L, const si_lua_type *type, int count,
                        bool (*is_in)(const sinew_builder *b, uint32_t id, uint32_t set)) {
  const si_handle *set = si_handle_check(L, 1, &si_joint_set_type);
  int rig = push_rig(L), found = 0;
  lua_newtable(L);
  for (uint32_t id = 1; id <= (uint32_t)count; id++) {
    if (!is_in(set->rig->builder, id, set->id)) continue;
    si_handle_push(L, type, rig, id, 0);
    lua_rawseti(L, -2, ++found);
  }
  return 1;
}

static sinew_counts counts(lua_State *L) {
  return sinew_builder_counts(si_handle_check(L, 1, &si_joint_set_type)->rig->builder);
}

int si_set_segments(lua_State *L) {
  return push_members(L, &si_segment_type, counts(L).segments, segment_is_in);
}
int si_set_dofs(lua_State *L) { return push_members(L, &si_dof_type, counts(L).dofs, dof_is_in); }
int si_set_components(lua_State *L) {
  return push_members(L, &si_component_type, counts(L).components, component_is_in);
}

int si_handle_rig(lua_State *L) {
  si_lua_push_owner(L, 1);
  si_rig_check(L, -1);
  return 1;
}

static sinew_kind input_kind(const sinew_component_class *cls, const char *input) {
  const sinew_port_desc *desc = cls ? sinew_class_find_input(cls, input) : NULL;
  return desc ? desc->kind : SINEW_SCALAR;
}

static void push_constant(lua_State *L, sinew_kind kind, const sinew_wire *wire) {
  if (kind == SINEW_SCALAR)
    lua_pushnumber(L, wire->constant[0]);
  else
    memcpy(kind == SINEW_VECTOR ? si_vec3_push(L) : si_mat4_push(L), wire->constant,
           (kind == SINEW_VECTOR ? 3 : 16) * sizeof(float));
}

/* component.inputs: { { name =, kind =, source = a DOF, a port or a constant }, ... } as wired */
int si_component_inputs(lua_State *L) {
  const si_handle *c = si_handle_check(L, 1, &si_component_type);
  const sinew_builder *b = c->rig->builder;
  sinew_component id = { c->id };
  const sinew_component_class *cls = sinew_builder_class(b, sinew_builder_component_kind(b, id));
  int rig = push_rig(L), count = sinew_builder_wire_count(b, id);
  lua_createtable(L, count, 0);
  for (int i = 0; i < count; i++) {
    sinew_wire wire = sinew_builder_wire(b, id, i);
    sinew_kind kind = input_kind(cls, wire.input);
    lua_createtable(L, 0, 3);
    lua_pushstring(L, wire.input);
    lua_setfield(L, -2, "name");
    lua_pushstring(L, sinew_kind_name(kind));
    lua_setfield(L, -2, "kind");
    if (wire.from)
      push_source(L, rig, sinew_builder_wire_source(b, id, i));
    else
      push_constant(L, kind, &wire);
    lua_setfield(L, -2, "source");
    lua_rawseti(L, -2, i + 1);
  }
  return 1;
}

/* the instance behind a scripted component, or NULL */
static si_instance *instance_of(const si_handle *c) {
  const sinew_param *self =
      sinew_builder_param(c->rig->builder, (sinew_component){ c->id }, "self");
  return self && self->object_class == &si_script_object ? self->object : NULL;
}

/* component.params: the given values, by name; for a scripted component also its defaults */
int si_component_params(lua_State *L) {
  const si_handle *c = si_handle_check(L, 1, &si_component_type);
  const si_instance *instance = instance_of(c);
  const sinew_param *param;
  lua_newtable(L);
  if (instance) {
    si_script_get(L, instance->self);
    for (lua_pushnil(L); lua_next(L, -2); lua_pop(L, 1)) {
      lua_pushvalue(L, -2);
      lua_pushvalue(L, -2);
      lua_rawset(L, -6);
    }
    lua_pop(L, 1);
    return 1;
  }
  for (int i = 0;
       (param = sinew_builder_param_at(c->rig->builder, (sinew_component){ c->id }, i)) != NULL;
       i++) {
    si_param_push(L, param);
    lua_setfield(L, -2, param->name);
  }
  return 1;
}

/* component.definition: the kind made by a script with sinew.component; nil for a built-in kind */
int si_component_definition(lua_State *L) {
  const si_instance *instance = instance_of(si_handle_check(L, 1, &si_component_type));
  if (instance)
    si_script_push(L, instance->script);
  else
    lua_pushnil(L);
  return 1;
}
