/* One load of a rig; see load.h. */
#include "lua/host/load.h"

#include "base/alloc.h"
#include "base/error_internal.h"
#include "base/file_internal.h"
#include "base/platform.h"
#include "base/text.h"
#include "lua/base/reserve.h"
#include "lua/module/module.h"
#include "lua/play/play_lua.h"
#include "lua/rig/script_lua.h"
#include "lua/rig/xml_lua.h"
#include "sinew/osim.h"

#include <stdio.h>
#include <string.h>
#include <strings.h>

static const char *read_beside(lua_State *L, const char *name, size_t limit, const void **bytes,
                               size_t *size) {
  return si_sandbox_read_data(L, name, strlen(name), limit, bytes, size);
}

/* the module for untrusted scripts: no access to files, and a guard for large allocations */
static int open_module(lua_State *L) {
  si_forbid_files(L);
  static const si_lua_guard guard = { si_sandbox_reserve,     si_sandbox_spend, read_beside,
                                      si_sandbox_push_loaded, si_sandbox_enter, si_sandbox_leave };
  si_lua_guard_set(L, &guard);
  return luaopen_sinew(L);
}

/* frees poses before programs, and both before the Lua state that scripted components use */
void si_load_drop(si_load *l) {
  sinew_pose_destroy(l->pose);
  /* the program may have poses of its own, which it destroys when it hears of the reload */
  if (l->program) sinew_rig_detach(l->program->rig);
  si_program_release(l->program);
  si_shapes_free(&l->shapes);
  si_tuned_free(&l->changed);
  si_declared_free(&l->options);
  si_free(l->tuning);
  si_sandbox_destroy(l->sandbox);
  si_isolate_close(l->process);
  si_report_free(&l->report);
  *l = (si_load){ 0 };
}

static si_sandbox *make_sandbox(const sinew_host_desc *of, sinew_error *error) {
  static const si_sandbox_module modules[] = { { "sinew", open_module } };
  const char *const folders[] = { of->modules };
  si_sandbox_desc desc = si_default_sandbox_desc();
  desc.load.seconds = of->load_seconds;
  desc.load.instructions = of->load_instructions;
  desc.eval.seconds = of->eval_seconds;
  desc.eval.instructions = of->eval_instructions;
  desc.memory = of->memory;
  desc.modules = modules;
  desc.module_count = 1;
  desc.folders = folders;
  desc.folder_count = of->modules ? 1 : 0;
  desc.print = of->print;
  desc.user = of->user;
  return si_sandbox_create(&desc, error);
}

/* Lua: compiles the rig at 1 and stores its program, retained, in the load at 2 */
static int compile_result(lua_State *L) {
  si_load *l = lua_touserdata(L, 2);
  if (!si_lua_test(L, 1, &si_rig_type))
    return luaL_error(L, "a rig script must return its rig, not %s", si_lua_typename(L, 1));
  l->program = si_rig_program(L, si_rig_check(L, 1));
  l->program->refs++;
  si_shapes_read(L, 1, l->program->rig, &l->shapes);
  return 0;
}

static sinew_status compile(si_load *l, sinew_error *error) {
  lua_State *L = si_sandbox_state(l->sandbox);
  lua_pushcfunction(L, compile_result);
  si_sandbox_push_result(l->sandbox);
  lua_pushlightuserdata(L, l);
  return si_sandbox_call(l->sandbox, 2, 0, error);
}

/* puts the script's path before a message that names none of its files, such as error("text", 0) */
static void place(const si_sandbox *sandbox, const char *path, sinew_error *error) {
  for (size_t i = 0; i < si_sandbox_file_count(sandbox); i++) {
    const char *file = si_sandbox_file(sandbox, i)->path, *slash = strrchr(file, '/');
    /* Lua shortens long paths from the left */
    if (strstr(error->text, slash ? slash + 1 : file)) return;
  }
  sinew_error why = *error;
  si_fail(error, why.status, "%s: %s", path, why.text);
}

sinew_status si_load_eval(si_load *l, sinew_pose *pose, sinew_error *error) {
  if (l->process) {
    si_isolate_begin(l->process);
    sinew_status status = sinew_pose_eval(pose, error);
    si_isolate_end(l->process);
    return status;
  }
  si_sandbox_begin(l->sandbox);
  sinew_status status = si_program_eval(si_sandbox_state(l->sandbox), l->program, pose, error);
  si_sandbox_end(l->sandbox);
  return status;
}

/* Lua: makes a rig from XML: the path at 1, the bytes at 2, their number at 3 */
static int make_xml(lua_State *L) {
  size_t size = (size_t)lua_tointeger(L, 3);
  si_sandbox_spend(L, size / 16);
  lua_getglobal(L, "require");
  lua_pushvalue(L, 4);
  lua_pushliteral(L, "sinew"); /* also registers the types of the rig */
  lua_call(L, 1, 0);
  if (!si_xml_push_rig(L, lua_tostring(L, 1), "", lua_touserdata(L, 2), size, 4))
    return lua_error(L);
  return 1;
}

/* an OpenSim model is converted to a rig script; line numbers in messages are those of the
 * script */
static sinew_status load_osim(si_sandbox *sandbox, const char *path, sinew_error *error) {
  si_watch_file file = { .path = path, .stamp = si_file_look(path) };
  sinew_status status = si_sandbox_add_file(sandbox, &file, error);
  if (status < 0) return status;
  sinew_osim *osim = sinew_osim_read(path, error);
  if (!osim) return error->status;
  char name[PATH_MAX + 16];
  const char *script = sinew_osim_script(osim);
  snprintf(name, sizeof name, "%s (as Lua)", path);
  status = si_sandbox_load_text(sandbox, name, script, strlen(script), error);
  sinew_osim_destroy(osim);
  return status;
}

static sinew_status load_any(si_sandbox *sandbox, const char *path, sinew_error *error) {
  size_t length = strlen(path);
  if (length > 4 && strcasecmp(path + length - 4, ".xml") == 0)
    return si_sandbox_load_data(sandbox, path, SINEW_XML_BYTES, make_xml, error);
  if (length > 5 && strcasecmp(path + length - 5, ".osim") == 0)
    return load_osim(sandbox, path, error);
  return si_sandbox_load_file(sandbox, path, error);
}

/* the default tuning file may be missing; one that the desc names must exist */
static sinew_status find_tuning(const sinew_host_desc *desc, const char *path, si_load *l,
                                sinew_error *error) {
  if (desc->tuning && !*desc->tuning) return SINEW_OK;
  l->tuning = desc->tuning ? si_strdup(desc->tuning) : si_tuned_path(path);
  if (!l->tuning) return si_fail_memory(error);
  l->tuned = desc->tuning || si_file_is_named(l->tuning);
  if (desc->tuning || !l->tuned) return SINEW_OK;
  char *folder = si_strdup(path);
  if (!folder) return si_fail_memory(error);
  char *slash = strrchr(folder, '/');
  if (slash) slash[slash == folder] = '\0';
  const bool outside = si_path_where(slash ? folder : ".", l->tuning) < 0;
  si_free(folder);
  if (outside)
    return si_fail(error, SINEW_ERR_FILE, "%s: is a link out of the rig's folder and is not read",
                   l->tuning);
  return SINEW_OK;
}

/* the files that the process may name: below the rig's folder or the modules', and the tuning */
static bool is_own(const sinew_host_desc *desc, const char *path, const char *file,
                   const char *tuning) {
  if (strcmp(file, path) == 0 || (tuning && strcmp(file, tuning) == 0)) return true;
  if (desc->modules && si_path_where(desc->modules, file) > 0) return true;
  char *folder = si_strdup(path);
  char *slash = folder ? strrchr(folder, '/') : NULL;
  if (slash) slash[slash == folder] = '\0';
  const bool inside = folder && si_path_where(slash ? folder : ".", file) >= 0;
  si_free(folder);
  return inside;
}

static void keep_own_files(const sinew_host_desc *desc, const char *path, si_load *l) {
  int kept = 0;
  for (int i = 0; i < l->report.file_count; i++)
    if (is_own(desc, path, l->report.files[i].path, l->tuning))
      l->report.files[kept++] = l->report.files[i];
  l->report.file_count = kept;
}

/* what this process does with a rig that it is sent may take as much as a load here */
static sinew_budget *make_budget(const sinew_host_desc *of, sinew_error *error) {
  sinew_budget_desc desc = sinew_default_budget_desc();
  desc.work = of->load_instructions;
  desc.memory = of->memory;
  desc.seconds = of->load_seconds;
  return sinew_budget_create(&desc, error);
}

/* compiles the rig of the report */
static sinew_status take_rig(si_load *l, const char *path, sinew_error *error) {
  sinew_rig *rig = si_report_compile(&l->report, path, &l->shapes, error);
  if (!rig) return error->status;
  l->program = si_alloc(sizeof *l->program);
  if (!l->program) {
    sinew_rig_destroy(rig);
    return si_fail_memory(error);
  }
  *l->program = (si_program){ .rig = rig, .refs = 1 };
  l->pose = sinew_pose_create(rig, error);
  return l->pose ? SINEW_OK : error->status;
}

/* the script runs in another process, and this one gets its rig */
static sinew_status load_elsewhere(const sinew_host_desc *desc, const char *path,
                                   const si_chosen *chosen, si_load *l, sinew_error *error) {
  l->process = si_isolate_load(desc, path, (const char *const *)chosen->texts, (int)chosen->count,
                               &l->report, error);
  keep_own_files(desc, path, l);
  if (!l->process) return error->status;
  l->changed = l->report.tuned;
  l->report.tuned = (si_tuned_list){ 0 };
  l->options = (si_declared){ .options = l->report.options, .count = l->report.option_count };
  l->report.options = NULL;
  l->shapes.budget = make_budget(desc, error);
  if (!l->shapes.budget) return error->status;
  sinew_budget *before = sinew_budget_enter(l->shapes.budget);
  sinew_status status = take_rig(l, path, error);
  sinew_budget_leave(before);
  return status;
}

/* everything but the first evaluation, which has a budget of its own */
static sinew_status make_rig(const char *path, const si_chosen *chosen, si_load *l,
                             sinew_error *error) {
  sinew_status status = si_chosen_begin(l->sandbox, chosen, error);
  if (status >= 0) status = load_any(l->sandbox, path, error);
  if (status >= 0) status = si_chosen_finish(l->sandbox, &l->options, error);
  if (status >= 0 && l->tuned) status = si_tuned_apply(l->sandbox, l->tuning, &l->changed, error);
  if (status >= 0) {
    status = compile(l, error);
    if (status < 0 && l->tuned) si_tuned_blame(l->tuning, false, error);
  }
  if (status < 0) {
    place(l->sandbox, path, error);
    return status;
  }
  l->pose = sinew_pose_create(l->program->rig, error);
  return l->pose ? SINEW_OK : error->status;
}

sinew_status si_load_make(si_load *l, const sinew_host_desc *desc, const char *path,
                          const si_chosen *chosen, sinew_error *error) {
  l->sandbox = desc->isolate ? NULL : make_sandbox(desc, error);
  if (!l->sandbox && !desc->isolate) return error->status;
  sinew_status status = find_tuning(desc, path, l, error);
  if (status < 0) return status;
  if (desc->isolate) return load_elsewhere(desc, path, chosen, l, error);
  si_sandbox_begin_load(l->sandbox);
  status = make_rig(path, chosen, l, error);
  si_sandbox_end(l->sandbox);
  return status;
}

sinew_status si_load_empty(si_load *l, const sinew_host_desc *desc, sinew_error *error) {
  static const char script[] = "return require 'sinew'.rig 'none'";
  l->sandbox = make_sandbox(desc, error);
  sinew_status status = l->sandbox ? SINEW_OK : error->status;
  if (status >= 0) status = si_sandbox_load_text(l->sandbox, "", script, strlen(script), error);
  if (status >= 0) status = compile(l, error);
  if (status >= 0 && !(l->pose = sinew_pose_create(l->program->rig, error))) status = error->status;
  if (status >= 0) status = si_load_eval(l, l->pose, error);
  if (status < 0) si_load_drop(l);
  return status;
}
