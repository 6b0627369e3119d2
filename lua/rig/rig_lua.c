/* The rig in Lua: sinew.rig "name". It is a builder until a pose or something else needs it
 * compiled; after an edit it is compiled again. */
#include "lua/rig/rig_lua.h"
#include "base/text.h"
#include "lua/base/reserve.h"

#include <stdlib.h>
#include <string.h>

void si_program_release(si_program *program) {
  if (!program || --program->refs > 0) return;
  sinew_rig_destroy(program->rig);
  si_free(program);
}

void si_rig_edited(si_rig_lua *rig) {
  si_program_release(rig->program);
  rig->program = NULL;
}

si_rig_lua *si_rig_check(lua_State *L, int index) { return si_lua_open(L, index, &si_rig_type); }

sinew_builder *si_rig_change(lua_State *L, const si_rig_lua *rig) {
  if (rig->busy)
    luaL_error(L,
               "rig '%s' is being %s: a script that runs meanwhile cannot change, compile or "
               "close it",
               sinew_builder_name(rig->builder), rig->busy);
  return rig->builder;
}

/* raises an error with the rig's name and one line for each mistake */
static int raise_mistakes(lua_State *L, const si_rig_lua *rig, const sinew_error *error) {
  if (error->count < 2) return si_raise(L, error);
  return luaL_error(L, "rig '%s' has %d mistakes:\n%s", sinew_builder_name(rig->builder),
                    error->count, error->text);
}

/* rough memory use of compiling */
static size_t compiled_bytes(const sinew_builder *builder) {
  sinew_counts n = sinew_builder_counts(builder);
  return 256 * ((size_t)n.segments + (size_t)n.dofs + (size_t)n.components);
}

/* runs what scripts declare, and compiles the rig at 1 */
static int compile(lua_State *L) {
  si_rig_lua *rig = lua_touserdata(L, 1);
  si_expression_review(L, rig);
  si_lua_reserve(L, compiled_bytes(rig->builder));
  si_script_record_all(L, rig->builder);
  sinew_error error;
  si_program *program = si_alloc(sizeof *program);
  if (!program) luaL_error(L, "out of memory");
  program->refs = 1;
  program->rig = sinew_builder_compile(rig->builder, &error);
  if (!program->rig) {
    si_free(program);
    raise_mistakes(L, rig, &error);
  }
  rig->program = program;
  return 0;
}

si_program *si_rig_program(lua_State *L, si_rig_lua *rig) {
  if (rig->program) return rig->program;
  si_rig_change(L, rig);
  si_lua_run_busy(L, &rig->busy, "compiled", compile, rig);
  return rig->program;
}

static int rig_new(lua_State *L) {
  const char *name = luaL_checkstring(L, 1);
  sinew_error error;
  lua_newtable(L); /* holds shapes and notes by segment, DOF and so on */
  si_rig_lua *rig = si_lua_new(L, &si_rig_type, sizeof *rig, lua_gettop(L));
  rig->builder = sinew_builder_create(name, &error);
  if (!rig->builder) return si_raise(L, &error);
  return 1;
}

static int rig_close(lua_State *L) {
  si_rig_lua *rig = lua_touserdata(L, 1);
  if (rig->builder) si_rig_change(L, rig);
  sinew_builder_destroy(rig->builder);
  si_program_release(rig->program);
  rig->builder = NULL;
  rig->program = NULL;
  return 0;
}

static si_rig_lua *self_rig(lua_State *L) { return si_lua_open_self(L, &si_rig_type); }

static int rig_joint_set(lua_State *L) {
  si_rig_lua *rig = self_rig(L);
  const char *name = luaL_checkstring(L, 2);
  sinew_error error;
  sinew_joint_set set =
      sinew_builder_add_joint_set(si_rig_change(L, rig), name, si_where_push(L), &error);
  if (!set.id) return si_raise(L, &error);
  si_rig_edited(rig);
  si_handle_push(L, &si_joint_set_type, 1, set.id, 0);
  return 1;
}

static int rig_compile(lua_State *L) {
  si_rig_program(L, self_rig(L));
  return si_lua_done(L);
}

static int rig_warnings(lua_State *L) {
  return si_return_string(L, sinew_rig_warnings(si_rig_program(L, si_rig_check(L, 1))->rig));
}

static int rig_name(lua_State *L) {
  return si_return_string(L, sinew_builder_name(si_rig_check(L, 1)->builder));
}

static int rig_binding(lua_State *L) {
  return si_return_string(L, sinew_builder_binding(si_rig_check(L, 1)->builder));
}

/* rig.binding = text or nil */
static int rig_set_binding(lua_State *L) {
  si_rig_lua *rig = si_rig_check(L, 1);
  const char *text = lua_isnil(L, 3) ? NULL : luaL_checkstring(L, 3);
  if (sinew_builder_set_binding(si_rig_change(L, rig), text) < 0)
    return luaL_error(L, "out of memory");
  si_rig_edited(rig);
  return 0;
}

/* lists of handles, in the order of creation; upvalues: the type, the count */
static int push_list(lua_State *L, const si_lua_type *type, int count) {
  lua_createtable(L, count, 0);
  for (int i = 0; i < count; i++) {
    si_lua_spend_each(L, (size_t)i, (size_t)count, 10);
    si_handle_push(L, type, 1, (uint32_t)i + 1, 0);
    lua_rawseti(L, -2, i + 1);
  }
  return 1;
}

static int rig_segments(lua_State *L) {
  return push_list(L, &si_segment_type, sinew_builder_counts(si_rig_check(L, 1)->builder).segments);
}
static int rig_dofs(lua_State *L) {
  return push_list(L, &si_dof_type, sinew_builder_counts(si_rig_check(L, 1)->builder).dofs);
}
static int rig_components(lua_State *L) {
  return push_list(L, &si_component_type,
                   sinew_builder_counts(si_rig_check(L, 1)->builder).components);
}
static int rig_joint_sets(lua_State *L) {
  return push_list(L, &si_joint_set_type,
                   sinew_builder_counts(si_rig_check(L, 1)->builder).joint_sets);
}

/* the names of everything in a rig, kind by kind; NULL after the last */
typedef struct named {
  const si_lua_type *type;
  const char *(*name)(const sinew_builder *builder, int i);
} named;

static const char *segment_at(const sinew_builder *b, int i) {
  if (i >= sinew_builder_counts(b).segments) return NULL;
  return sinew_builder_segment_name(b, (sinew_segment){ (uint32_t)i + 1 });
}
static const char *component_at(const sinew_builder *b, int i) {
  if (i >= sinew_builder_counts(b).components) return NULL;
  return sinew_builder_component_name(b, (sinew_component){ (uint32_t)i + 1 });
}
static const char *dof_at(const sinew_builder *b, int i) {
  if (i >= sinew_builder_counts(b).dofs) return NULL;
  return sinew_builder_dof_info(b, (sinew_dof){ (uint32_t)i + 1 }).name;
}
static const char *joint_set_at(const sinew_builder *b, int i) {
  if (i >= sinew_builder_counts(b).joint_sets) return NULL;
  return sinew_builder_joint_set_name(b, (sinew_joint_set){ (uint32_t)i + 1 });
}

/* rig:find "knee.flexion": the segment, component, DOF or joint set with that name, searched in
 * this order; raises with similar names */
static int rig_find(lua_State *L) {
  static const named things[] = { { &si_segment_type, segment_at },
                                  { &si_component_type, component_at },
                                  { &si_dof_type, dof_at },
                                  { &si_joint_set_type, joint_set_at } };
  const sinew_builder *b = self_rig(L)->builder;
  const char *wanted = luaL_checkstring(L, 2), *name;
  si_nearest nearest;
  si_nearest_start(&nearest, wanted);
  for (size_t k = 0; k < sizeof things / sizeof *things; k++)
    for (int i = 0; (name = things[k].name(b, i)) != NULL; i++) {
      if (strcmp(name, wanted) == 0) {
        si_handle_push(L, things[k].type, 1, (uint32_t)i + 1, 0);
        return 1;
      }
      si_nearest_offer(&nearest, name);
    }
  return si_lua_unknown(L, lua_pushfstring(L, "rig '%s'", sinew_builder_name(b)),
                        "segment, component, DOF or joint set", &nearest);
}

static int rig_tostring(lua_State *L) {
  const si_rig_lua *rig = si_lua_self(L, &si_rig_type);
  if (!rig->builder) {
    return si_return_string(L, "rig (closed)");
  }
  sinew_counts n = sinew_builder_counts(rig->builder);
  lua_pushfstring(L, "rig '%s': %d segment%s, %d DOF%s, %d component%s%s",
                  sinew_builder_name(rig->builder), n.segments, si_plural(n.segments), n.dofs,
                  si_plural(n.dofs), n.components, si_plural(n.components),
                  rig->program ? "" : ", not compiled yet");
  return 1;
}

static const luaL_Reg methods[] = { { "joint_set", rig_joint_set },
                                    { "compile", rig_compile },
                                    { "find", rig_find },
                                    { "tune", si_rig_tune },
                                    { "pose", NULL }, /* the play layer supplies these two */
                                    { "crowd", NULL },
                                    { "xml", si_rig_xml },
                                    { "save_xml", si_rig_save_xml },
                                    SI_MAKER_METHODS,
                                    { NULL, NULL } };
static const luaL_Reg meta[] = { { "__tostring", rig_tostring }, { NULL, NULL } };
static const si_lua_field fields[] = {
  { "name", rig_name, NULL },
  { "warnings", rig_warnings, NULL },
  { "binding", rig_binding, rig_set_binding },
  { "segments", rig_segments, NULL },
  { "dofs", rig_dofs, NULL },
  { "components", rig_components, NULL },
  { "joint_sets", rig_joint_sets, NULL },
  { NULL, NULL, NULL },
};
const si_lua_type si_rig_type = { .name = "rig",
                                  .methods = methods,
                                  .meta = meta,
                                  .fields = fields,
                                  .index = si_maker_index,
                                  .offer = si_maker_offer,
                                  .close = rig_close };

void si_open_rig(lua_State *L) {
  si_lua_type_open(L, &si_rig_type);
  lua_pushcfunction(L, rig_new);
  lua_setfield(L, -2, "rig");
}
