/* The parts of a rig in Lua that XML needs besides the rig itself: shapes and labels from its
 * notes, the modules of scripted components, and their numbers with all digits that Lua has. */
#include "lua/base/reserve.h"
#include "lua/rig/script_lua.h"
#include "lua/rig/xml_lua.h"
#include "lua/shape/shape_lua.h"
#include "base/text.h"

#include <stdio.h>
#include <string.h>

static int extras_close(lua_State *L) {
  si_xml_extras *self = lua_touserdata(L, 1);
  for (int i = 0; self->owned && i < self->segment_count; i++) si_shape_free(&self->owned[i]);
  si_free(self->owned);
  self->owned = NULL;
  return 0;
}

static const si_lua_type extras_type = { .name = "XML extras", .close = extras_close };

/* memory that the table at `keep` holds */
static void *room_for(lua_State *L, int keep, size_t count, size_t size) {
  void *room = lua_newuserdatauv(L, (count + 1) * size, 0);
  memset(room, 0, (count + 1) * size);
  lua_rawseti(L, keep, (int)lua_rawlen(L, keep) + 1);
  return room;
}

static void collect_shapes(lua_State *L, si_xml_extras *e, int notes, const sinew_rig *rig) {
  for (int i = 0; i < e->segment_count; i++) {
    int top = lua_gettop(L);
    sinew_xml_shape *dest = &e->shapes[i];
    si_note_field(L, notes, si_segment_type.name, i + 1, "shape");
    if (lua_istable(L, top + 1)) {
      si_raw_field(L, top + 1, "mirrored");
      dest->mirrored = lua_toboolean(L, -1);
      si_raw_field(L, top + 1, "file");
      /* the note keeps the string alive */
      if (lua_type(L, -1) == LUA_TSTRING) dest->file = lua_tostring(L, -1);
      if (!dest->file) {
        dest->mirrored = false;
        dest->solid = si_shape_solid(L, top + 1); /* which the note keeps alive as well */
      }
      if (!dest->file && !dest->solid) {
        si_shape_read(L, top + 1, sinew_rig_segment_info(rig, sinew_rig_segment(rig, i)).name,
                      &e->owned[i]);
        dest->mesh = e->owned[i];
      }
    }
    lua_settop(L, top);
  }
}

static void collect_labels(lua_State *L, const char **labels, int notes, int count) {
  for (int i = 0; i < count; i++) {
    si_note_field(L, notes, si_dof_type.name, i + 1, "label");
    if (lua_type(L, -1) == LUA_TSTRING) labels[i] = lua_tostring(L, -1);
    lua_pop(L, 1);
  }
}

static void push_loaded(lua_State *L) {
  const si_lua_guard *guard = si_lua_guard_of(L);
  if (guard)
    guard->push_loaded(L);
  else
    lua_getfield(L, LUA_REGISTRYINDEX, "_LOADED");
}

/* the loaded module that returns the kind, the first by name; `loaded` keeps its name alive. NULL
 * if none does */
static const char *module_of(lua_State *L, int loaded, const si_script *script) {
  const char *found = NULL;
  for (lua_pushnil(L); lua_next(L, loaded); lua_pop(L, 1)) {
    if (lua_type(L, -2) != LUA_TSTRING) continue;
    const char *name = lua_tostring(L, -2);
    if (strcmp(name, "_G") == 0 || (found && strcmp(name, found) > 0)) continue;
    if (si_script_in(L, script->name) == script) found = name;
  }
  return found;
}

/* the program that a file can have instead of the script, or NULL: a file has no objects */
static sinew_program *program_of(const sinew_rig *rig, sinew_component component) {
  const si_instance *instance = si_instance_in(rig, component);
  int count = sinew_rig_component_info(rig, component).param_count;
  for (int i = 0; instance && i < count; i++) {
    const sinew_param *p = sinew_rig_param(rig, component, i);
    if (p->type == SINEW_PARAM_OBJECT && p->object_class != &si_script_object) return NULL;
  }
  return instance ? instance->program : NULL;
}

/* pushes a table of the kinds of which some component has no program, so that a file needs their
 * modules */
static void push_unrecorded(lua_State *L, const sinew_rig *rig) {
  lua_newtable(L);
  for (int i = 0; i < sinew_rig_component_count(rig); i++) {
    sinew_component id = sinew_rig_component(rig, i);
    const si_instance *instance = si_instance_in(rig, id);
    if (!instance || program_of(rig, id)) continue;
    lua_pushboolean(L, true);
    lua_rawsetp(L, -2, instance->script);
  }
}

static bool is_unrecorded(lua_State *L, int unrecorded, const si_script *script) {
  lua_rawgetp(L, unrecorded, script);
  bool found = lua_toboolean(L, -1);
  lua_pop(L, 1);
  return found;
}

static int homeless(lua_State *L, const char *component, const si_script *script) {
  return luaL_error(
      L,
      "component '%s': its kind '%s' is not defined in a module, and a file cannot hold "
      "what a script defines; move its sinew.component { ... } to a Lua file of its "
      "own that returns it, and require that",
      component, script->name);
}

/* pushes a number as text with all its digits; integers and floats stay different */
static const char *push_number_text(lua_State *L, int index) {
  char text[SI_NUMBER_TEXT + 2];
#if LUA_VERSION_NUM >= 504
  if (lua_isinteger(L, index)) return lua_pushfstring(L, "%I", lua_tointeger(L, index));
#endif
  int length = si_double_text(lua_tonumber(L, index), text);
  if (!strpbrk(text, ".e") && LUA_VERSION_NUM >= 504) snprintf(text + length, 3, ".0");
  lua_pushstring(L, text);
  return lua_tostring(L, -1);
}

/* writes the numbers of one component to `dest`; returns how many */
static int collect_numbers(lua_State *L, const sinew_rig *rig, sinew_component component,
                           const si_instance *instance, int keep, sinew_xml_number *dest) {
  int count = sinew_rig_component_info(rig, component).param_count, found = 0;
  si_script_get(L, instance->self);
  int self = lua_gettop(L);
  for (int i = 0; lua_istable(L, self) && i < count; i++) {
    const sinew_param *p = sinew_rig_param(rig, component, i);
    if (p->type != SINEW_PARAM_NUMBER) continue;
    si_raw_field(L, self, p->name);
    if (lua_type(L, -1) == LUA_TNUMBER) {
      dest[found++] = (sinew_xml_number){ component, p->name, push_number_text(L, -1) };
      lua_rawseti(L, keep, (int)lua_rawlen(L, keep) + 1);
    }
    lua_pop(L, 1);
  }
  lua_pop(L, 1);
  return found;
}

static void collect_scripts(lua_State *L, si_xml_extras *e, const sinew_rig *rig, int keep,
                            bool elsewhere, const char **modules, sinew_program **programs) {
  int count = sinew_rig_component_count(rig), numbers = 0;
  for (int i = 0; i < count; i++) {
    sinew_component id = sinew_rig_component(rig, i);
    if (si_instance_in(rig, id)) numbers += sinew_rig_component_info(rig, id).param_count;
  }
  sinew_xml_number *exact = room_for(L, keep, (size_t)numbers, sizeof *exact);
  push_loaded(L);
  int loaded = lua_gettop(L), unrecorded = loaded + 1;
  push_unrecorded(L, rig);
  const si_script *last = NULL;
  const char *module = NULL;
  for (int i = 0; i < count; i++) {
    sinew_component id = sinew_rig_component(rig, i);
    const si_instance *instance = si_instance_in(rig, id);
    if (!instance) continue;
    if (instance->script != last) module = module_of(L, loaded, instance->script);
    last = instance->script;
    if (!module && !elsewhere && is_unrecorded(L, unrecorded, instance->script))
      homeless(L, sinew_rig_component_info(rig, id).name, instance->script);
    modules[i] = module || !elsewhere ? module : SI_XML_NO_MODULE;
    programs[i] = elsewhere ? NULL : program_of(rig, id);
    e->desc.number_count +=
        collect_numbers(L, rig, id, instance, keep, exact + e->desc.number_count);
  }
  e->desc.numbers = exact;
  lua_pop(L, 2);
}

si_xml_extras *si_xml_collect(lua_State *L, int rig_index, const sinew_rig *rig, bool elsewhere) {
  luaL_checkstack(L, 24, "too deep to write a rig");
  rig_index = lua_absindex(L, rig_index);
  si_lua_type_open(L, &extras_type);
  lua_newtable(L); /* keeps alive what the desc points to */
  int keep = lua_gettop(L);
  si_xml_extras *e = si_lua_new(L, &extras_type, sizeof *e, keep);
  int self = lua_gettop(L), dofs = sinew_rig_dof_count(rig);
  e->segment_count = sinew_rig_segment_count(rig);
  e->shapes = room_for(L, keep, (size_t)e->segment_count, sizeof *e->shapes);
  const char **labels = room_for(L, keep, (size_t)dofs, sizeof *labels);
  const char **modules = room_for(L, keep, (size_t)sinew_rig_component_count(rig), sizeof *modules);
  sinew_program **programs =
      room_for(L, keep, (size_t)sinew_rig_component_count(rig), sizeof *programs);
  e->owned = si_alloc_array((size_t)e->segment_count + 1, sizeof *e->owned);
  if (!e->owned) luaL_error(L, "out of memory");
  e->desc = (sinew_xml_desc){ .size = sizeof e->desc,
                              .shapes = e->shapes,
                              .labels = labels,
                              .modules = modules,
                              .programs = programs,
                              .origins = elsewhere,
                              .without_objects = elsewhere };
  si_lua_push_owner(L, rig_index);
  int notes = lua_gettop(L);
  collect_shapes(L, e, notes, rig);
  collect_labels(L, labels, notes, dofs);
  collect_scripts(L, e, rig, keep, elsewhere, modules, programs);
  lua_settop(L, self);
  lua_remove(L, keep); /* the userdata owns it */
  return e;
}
