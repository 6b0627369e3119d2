/* Rigs from XML: sinew.load_xml(path) and sinew.parse_xml(text). The module of a scripted component
 * provides its kind. */
#include "lua/rig/xml_lua.h"

#include "base/file_internal.h"
#include "lua/base/reserve.h"
#include "lua/math/options.h"
#include "lua/rig/script_lua.h"
#include "lua/shape/shape_lua.h"
#include "base/text.h"

#include <string.h>

/* freed even if a script raises an error */
typedef struct held {
  sinew_xml *xml;
  unsigned char *bytes; /* bytes of a file */
  char *text;           /* that was written */
  si_program *program;  /* of the rig that is written */
} held;

static int held_close(lua_State *L) {
  held *self = lua_touserdata(L, 1);
  sinew_xml_destroy(self->xml);
  si_free(self->bytes);
  sinew_text_free(self->text);
  si_program_release(self->program);
  *self = (held){ .xml = NULL };
  return 0;
}

static const si_lua_type held_type = { .name = "XML at hand", .close = held_close };

static bool refuse(lua_State *L, const char *message) {
  lua_pushstring(L, message);
  return false;
}

/* --- the scripted components of a rig that was read */

/* pushes a number from its text: Lua keeps more digits than a float, and integers separate */
static void push_number(lua_State *L, const sinew_param *param) {
  double number = (double)param->number[0];
#if LUA_VERSION_NUM >= 504
  if (param->text && lua_stringtonumber(L, param->text)) return;
#endif
  if (param->text) si_text_double(param->text, strlen(param->text), &number);
  lua_pushnumber(L, number);
}

/* pushes a table of a component's given parameters */
static void push_arguments(lua_State *L, const sinew_builder *builder, sinew_component component) {
  const sinew_param *param;
  lua_newtable(L);
  for (int i = 0; (param = sinew_builder_param_at(builder, component, i)) != NULL; i++) {
    if (param->type == SINEW_PARAM_NUMBER)
      push_number(L, param);
    else
      si_param_push(L, param);
    lua_setfield(L, -2, param->name);
  }
}

static void adopt_all(lua_State *L, const sinew_xml *xml, int rig, int require_index) {
  const char *module;
  sinew_component component;
  const sinew_builder *builder = si_rig_check(L, rig)->builder;
  for (int i = 0; (component = sinew_xml_foreign(xml, i, &module)).id; i++) {
    const char *kind = sinew_builder_component_kind(builder, component);
    lua_pushvalue(L, require_index);
    lua_pushstring(L, module);
    lua_call(L, 1, 1);
    si_script *script = si_script_in(L, kind);
    if (!script)
      luaL_error(L, "component '%s': the module '%s' defines no component named '%s'",
                 sinew_builder_component_name(builder, component), module, kind);
    push_arguments(L, builder, component);
    si_script_adopt(L, script, rig, component, lua_gettop(L));
    lua_pop(L, 2);
  }
}

/* --- shapes and labels */

static void push_shape(lua_State *L, const sinew_xml_shape *shape, const char *folder) {
  if (!shape->file && !shape->solid) {
    si_shape_push(L, &shape->mesh);
    return;
  }
  lua_createtable(L, 0, 2);
  if (!shape->file) {
    si_solid_push(L, shape->solid);
    lua_setfield(L, -2, "solid");
    return;
  }
  lua_pushfstring(L, "%s%s", folder, shape->file);
  lua_setfield(L, -2, "file");
  if (!shape->mirrored) return;
  lua_pushboolean(L, 1);
  lua_setfield(L, -2, "mirrored");
}

static void attach_all(lua_State *L, const sinew_xml *xml, int rig, const char *folder) {
  sinew_counts counts = sinew_builder_counts(si_rig_check(L, rig)->builder);
  for (uint32_t id = 1; id <= (uint32_t)counts.segments; id++) {
    sinew_xml_shape shape = sinew_xml_shape_of(xml, (sinew_segment){ id });
    if (!shape.file && !shape.solid && !shape.mesh.vertices) continue;
    si_handle_push(L, &si_segment_type, rig, id, 0);
    push_shape(L, &shape, folder);
    si_note_set(L, -2, "shape");
    lua_pop(L, 2);
  }
  for (uint32_t id = 1; id <= (uint32_t)counts.dofs; id++) {
    const char *label = sinew_xml_label(xml, (sinew_dof){ id });
    if (!label) continue;
    si_handle_push(L, &si_dof_type, rig, id, 0);
    lua_pushstring(L, label);
    si_note_set(L, -2, "label");
    lua_pop(L, 2);
  }
}

/* --- the whole */

/* reads a file through the state's guard, or directly if it has none; pushes what holds the bytes,
 * or a message */
static bool read_file(lua_State *L, const char *path, size_t limit, const void **bytes,
                      size_t *size) {
  const si_lua_guard *guard = si_lua_guard_of(L);
  if (guard) {
    guard->read(L, path, limit, bytes, size);
    lua_remove(L, -2);
    return true;
  }
  sinew_error error;
  held *file = si_lua_new(L, &held_type, sizeof *file, 0);
  if (si_file_read(path, limit, &file->bytes, size, &error) != SINEW_OK)
    return refuse(L, error.text);
  *bytes = file->bytes;
  return true;
}

static bool give_files(lua_State *L, sinew_xml *xml, const char *folder) {
  const char *name;
  for (int i = 0; (name = sinew_xml_file(xml, i)) != NULL; i++) {
    const void *bytes;
    size_t size;
    sinew_error error;
    const char *path = lua_pushfstring(L, "%s%s", folder, name);
    if (!read_file(L, path, SINEW_XML_BYTES, &bytes, &size)) return false;
    si_lua_reserve(L, 2 * size);
    if (sinew_xml_give_file(xml, i, path, bytes, size, &error) != SINEW_OK)
      return refuse(L, error.text);
    lua_pop(L, 2);
  }
  return true;
}

bool si_xml_push_rig(lua_State *L, const char *name, const char *folder, const void *text,
                     size_t size, int require_index) {
  sinew_error error;
  luaL_checkstack(L, 24, "too deep to read a rig");
  require_index = lua_absindex(L, require_index);
  si_lua_reserve(L, 3 * size);
  held *self = si_lua_new(L, &held_type, sizeof *self, 0);
  self->xml = sinew_xml_parse(name, text, size, &error);
  if (!self->xml) return refuse(L, error.text);
  if (!give_files(L, self->xml, folder)) return false;
  lua_newtable(L); /* shapes and notes */
  si_rig_lua *rig = si_lua_new(L, &si_rig_type, sizeof *rig, lua_gettop(L));
  int index = lua_gettop(L);
  rig->builder = sinew_xml_take_builder(self->xml);
  adopt_all(L, self->xml, index, require_index);
  attach_all(L, self->xml, index, folder);
  lua_settop(L, index);
  sinew_xml_destroy(self->xml);
  self->xml = NULL;
  return true;
}

/* puts the function at `index`, or else the global `require`, there */
static void want_require(lua_State *L, int index) {
  lua_settop(L, index);
  if (lua_isnil(L, index)) {
    lua_getglobal(L, "require");
    lua_replace(L, index);
  } else {
    luaL_checktype(L, index, LUA_TFUNCTION);
  }
}

static int answer(lua_State *L, bool fine) {
  if (fine) return 1;
  lua_pushnil(L);
  lua_insert(L, -2);
  return 2;
}

/* sinew.load_xml(path [, require]): the rig, or nil and a message */
static int load_xml(lua_State *L) {
  size_t size;
  const void *bytes;
  const char *path = luaL_checkstring(L, 1);
  want_require(L, 2);
  const char *slash = strrchr(path, '/');
  lua_pushlstring(L, path, slash ? (size_t)(slash - path) + 1 : 0);
  const char *folder = lua_tostring(L, -1);
  if (!read_file(L, path, SINEW_XML_BYTES, &bytes, &size)) return answer(L, false);
  return answer(L, si_xml_push_rig(L, path, folder, bytes, size, 2));
}

/* sinew.parse_xml(text [, name [, require]]): the same for a text in memory */
static int parse_xml(lua_State *L) {
  size_t size;
  const char *text = luaL_checklstring(L, 1, &size), *name = luaL_optstring(L, 2, "xml");
  want_require(L, 3);
  return answer(L, si_xml_push_rig(L, name, "", text, size, 3));
}

/* sinew.xml_schema(): the format as XSD */
static int schema(lua_State *L) {
  size_t size;
  sinew_error error;
  lua_settop(L, 0);
  held *self = si_lua_new(L, &held_type, sizeof *self, 0);
  if (sinew_xml_schema(&self->text, &size, &error) != SINEW_OK) return si_raise(L, &error);
  lua_pushlstring(L, self->text, size);
  held_close(L);
  return 1;
}

/* compiles the rig at 1, and pushes a userdata that keeps it alive while it is written */
static held *hold_program(lua_State *L) {
  si_lua_self(L, &si_rig_type);
  held *self = si_lua_new(L, &held_type, sizeof *self, 0);
  self->program = si_rig_program(L, si_rig_check(L, 1));
  self->program->refs++;
  return self;
}

/* rig:xml(): its XML as a string */
int si_rig_xml(lua_State *L) {
  size_t size;
  sinew_error error;
  lua_settop(L, 1);
  held *self = hold_program(L);
  const sinew_rig *rig = self->program->rig;
  const si_xml_extras *extras = si_xml_collect(L, 1, rig, false);
  if (sinew_xml_write(rig, &extras->desc, &self->text, &size, &error) != SINEW_OK)
    return si_raise(L, &error);
  si_lua_reserve(L, size);
  lua_pushlstring(L, self->text, size);
  sinew_text_free(self->text);
  self->text = NULL;
  return 1;
}

/* rig:save_xml(path [, { fields = "beside" }]): true, or nil and a message */
int si_rig_save_xml(lua_State *L) {
  sinew_error error;
  si_lua_self(L, &si_rig_type);
  const char *path = luaL_checkstring(L, 2);
  si_files_check(L);
  lua_settop(L, 3);
  static const char *const places[] = { "inside", "beside", NULL };
  typedef struct given {
    int fields;
  } given;
  static const si_option options[] = { SI_OPTION_CHOICE(given, fields, places), SI_OPTION_END };
  given g = { 0 };
  si_options_read(L, 3, "save_xml", options, &g);
  const sinew_rig *rig = hold_program(L)->program->rig;
  si_xml_extras *extras = si_xml_collect(L, 1, rig, false);
  extras->desc.fields_beside = g.fields;
  if (sinew_xml_save(rig, &extras->desc, path, &error) != SINEW_OK)
    return answer(L, refuse(L, error.text));
  return si_return_boolean(L, 1);
}

void si_open_xml(lua_State *L) {
  static const luaL_Reg functions[] = {
    { "load_xml", load_xml }, { "parse_xml", parse_xml }, { "xml_schema", schema }, { NULL, NULL }
  };
  si_lua_type_open(L, &held_type);
  luaL_setfuncs(L, functions, 0);
}
