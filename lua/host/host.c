/* The script host: creates a sandbox with the Lua binding for each load, and watches the files. */
#include "sinew/host.h"

#include "base/alloc.h"
#include "base/error_internal.h"
#include "base/file_internal.h"
#include "base/platform.h"
#include "base/text.h"
#include "lua/base/reserve.h"
#include "lua/base/watch.h"
#include "lua/host/chosen.h"
#include "lua/host/host_internal.h"
#include "lua/host/isolate/isolate.h"
#include "lua/host/isolate/isolate_report.h"
#include "lua/host/sandbox/sandbox.h"
#include "lua/host/shape.h"
#include "lua/host/tuned.h"
#include "lua/module/module.h"
#include "lua/play/play_lua.h"
#include "lua/rig/script_lua.h"
#include "lua/rig/xml_lua.h"
#include "sinew/osim.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
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

/* one load of the script: its Lua state and its results */
typedef struct load {
  si_sandbox *sandbox;
  si_program *program;
  sinew_pose *pose;
  si_shapes shapes;
  char *tuning; /* the path; NULL: none */
  bool tuned;   /* the file exists */
  si_tuned_list changed;
  si_declared options;
  si_isolate *process; /* where the script runs; NULL: in `sandbox` */
  si_report report;    /* that the process gave; it keeps the texts of `options` */
} load;

struct sinew_host {
  sinew_host_desc desc;
  char *modules, *path, *cache, *isolate;
  char *tuning; /* as in the desc */
  si_chosen chosen;
  load good;
  si_watch *watch;
  /* how often the rig's process was started again in the last seconds; since when, when last, and
   * for which DOFs */
  int restarts;
  double restarting_since, restarted_at;
  uint64_t restart_dofs;
  sinew_budget *budget; /* unlimited: it counts and can be cancelled */
};
enum { RESTARTS = 3, RESTARTS_IN = 10 };

sinew_host_desc sinew_default_host_desc(void) {
  si_sandbox_desc d = si_default_sandbox_desc();
  return (sinew_host_desc){ .size = sizeof(sinew_host_desc),
                            .load_seconds = d.load.seconds,
                            .eval_seconds = d.eval.seconds,
                            .load_instructions = d.load.instructions,
                            .eval_instructions = d.eval.instructions,
                            .memory = d.memory };
}

/* frees poses before programs, and both before the Lua state that scripted components use */
static void drop(load *l) {
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
  *l = (load){ 0 };
}

sinew_host *sinew_host_create(const sinew_host_desc *desc, sinew_error *error) {
  sinew_error_clear(error);
  sinew_host_desc whole = sinew_default_host_desc();
  if (!SI_EXPECT(desc) || !SI_TAKE_DESC(host_desc, desc, &whole, error)) return NULL;
  sinew_host *host = si_alloc(sizeof *host);
  if (!host) {
    si_fail_memory(error);
    return NULL;
  }
  host->desc = *desc;
  host->modules = si_strdup(desc->modules);
  host->cache = si_strdup(desc->cache);
  host->tuning = si_strdup(desc->tuning);
  host->isolate = si_strdup(desc->isolate);
  host->desc.modules = host->modules;
  host->desc.tuning = host->tuning;
  host->desc.isolate = host->isolate;
  host->watch = si_watch_create(0.02, 1, error);
  sinew_budget_desc counting = sinew_default_budget_desc();
  host->budget = sinew_budget_create(&counting, error);
  bool chosen = true;
  for (int i = 0; i < desc->option_count; i++)
    chosen = chosen && si_chosen_add(&host->chosen, desc->options[i]);
  if (!host->watch || !host->budget || !chosen || (desc->modules && !host->modules) ||
      (desc->cache && !host->cache) || (desc->tuning && !host->tuning) ||
      (desc->isolate && !host->isolate)) {
    sinew_host_destroy(host);
    si_fail_memory(error);
    return NULL;
  }
  return host;
}

void sinew_host_destroy(sinew_host *host) {
  if (!host) return;
  drop(&host->good);
  si_watch_destroy(host->watch);
  sinew_budget_destroy(host->budget);
  si_free(host->modules);
  si_free(host->cache);
  si_free(host->tuning);
  si_free(host->isolate);
  si_chosen_free(&host->chosen);
  si_free(host->path);
  si_free(host);
}

static si_sandbox *make_sandbox(const sinew_host *host, sinew_error *error) {
  static const si_sandbox_module modules[] = { { "sinew", open_module } };
  const char *const folders[] = { host->modules };
  si_sandbox_desc desc = si_default_sandbox_desc();
  desc.load.seconds = host->desc.load_seconds;
  desc.load.instructions = host->desc.load_instructions;
  desc.eval.seconds = host->desc.eval_seconds;
  desc.eval.instructions = host->desc.eval_instructions;
  desc.memory = host->desc.memory;
  desc.modules = modules;
  desc.module_count = 1;
  desc.folders = folders;
  desc.folder_count = host->modules ? 1 : 0;
  desc.print = host->desc.print;
  desc.user = host->desc.user;
  return si_sandbox_create(&desc, error);
}

/* Lua: compiles the rig at 1 and stores its program, retained, in the load at 2 */
static int compile_result(lua_State *L) {
  load *l = lua_touserdata(L, 2);
  if (!si_lua_test(L, 1, &si_rig_type))
    return luaL_error(L, "a rig script must return its rig, not %s", si_lua_typename(L, 1));
  l->program = si_rig_program(L, si_rig_check(L, 1));
  l->program->refs++;
  si_shapes_read(L, 1, l->program->rig, &l->shapes);
  return 0;
}

static sinew_status compile(load *l, sinew_error *error) {
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

static void carry_dofs(const sinew_pose *from, sinew_pose *to) {
  if (!from) return;
  const sinew_rig *old = sinew_pose_rig(from), *fresh = sinew_pose_rig(to);
  for (int i = 0; i < sinew_rig_dof_count(fresh); i++) {
    sinew_dof dof = sinew_rig_dof(fresh, i);
    sinew_dof before = sinew_rig_find_dof(old, sinew_rig_dof_info(fresh, dof).name, NULL);
    if (before.id) sinew_pose_set(to, dof, sinew_pose_get(from, before), NULL);
  }
}

/* what runs from here on counts as the host's, so that sinew_host_cancel stops it */
static sinew_budget *enter(const sinew_host *host) {
  sinew_budget_renew(host->budget);
  return sinew_budget_enter(host->budget);
}

static sinew_status evaluate(load *l, sinew_pose *pose, sinew_error *error) {
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
static sinew_status find_tuning(const sinew_host *host, const char *path, load *l,
                                sinew_error *error) {
  if (host->tuning && !*host->tuning) return SINEW_OK;
  l->tuning = host->tuning ? si_strdup(host->tuning) : si_tuned_path(path);
  if (!l->tuning) return si_fail_memory(error);
  l->tuned = host->tuning || si_file_look(l->tuning).exists;
  if (host->tuning || !l->tuned) return SINEW_OK;
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
static bool is_own(const sinew_host *host, const char *path, const char *file, const char *tuning) {
  if (strcmp(file, path) == 0 || (tuning && strcmp(file, tuning) == 0)) return true;
  if (host->modules && si_path_where(host->modules, file) > 0) return true;
  char *folder = si_strdup(path);
  char *slash = folder ? strrchr(folder, '/') : NULL;
  if (slash) slash[slash == folder] = '\0';
  const bool inside = folder && si_path_where(slash ? folder : ".", file) >= 0;
  si_free(folder);
  return inside;
}

static void keep_own_files(const sinew_host *host, const char *path, load *l) {
  int kept = 0;
  for (int i = 0; i < l->report.file_count; i++)
    if (is_own(host, path, l->report.files[i].path, l->tuning))
      l->report.files[kept++] = l->report.files[i];
  l->report.file_count = kept;
}

/* the script runs in another process, and this one gets its rig */
static sinew_status load_elsewhere(const sinew_host *host, const char *path, load *l,
                                   sinew_error *error) {
  l->process = si_isolate_load(&host->desc, path, (const char *const *)host->chosen.texts,
                               (int)host->chosen.count, &l->report, error);
  keep_own_files(host, path, l);
  if (!l->process) return error->status;
  l->changed = l->report.tuned;
  l->report.tuned = (si_tuned_list){ 0 };
  l->options = (si_declared){ .options = l->report.options, .count = l->report.option_count };
  l->report.options = NULL;
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

/* everything but the first evaluation, which has a budget of its own */
static sinew_status make_rig(const sinew_host *host, const char *path, load *l,
                             sinew_error *error) {
  sinew_status status = si_chosen_begin(l->sandbox, &host->chosen, error);
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

static sinew_status load_aside(const sinew_host *host, const char *path, load *l,
                               sinew_error *error) {
  l->sandbox = host->isolate ? NULL : make_sandbox(host, error);
  if (!l->sandbox && !host->isolate) return SINEW_ERR_MEMORY;
  sinew_status status = find_tuning(host, path, l, error);
  if (status < 0) return status;
  sinew_budget *before = enter(host);
  if (host->isolate) {
    status = load_elsewhere(host, path, l, error);
  } else {
    si_sandbox_begin_load(l->sandbox);
    status = make_rig(host, path, l, error);
    si_sandbox_end(l->sandbox);
  }
  if (status >= 0) {
    carry_dofs(host->good.pose, l->pose);
    status = evaluate(l, l->pose, error);
  }
  sinew_budget_leave(before);
  return status;
}

/* a process that crashed while it loaded could not tell its files: then what is known of before */
static size_t add_known(const sinew_host *host, const char *path, si_watch_file *dest) {
  size_t count = host->path && strcmp(host->path, path) == 0 ? si_watch_count(host->watch) : 0;
  for (size_t i = 0; dest && i < count; i++) {
    dest[i] = si_watch_at(host->watch, i);
    dest[i].stamp = si_file_look(dest[i].path);
  }
  if (dest && !count) *dest = (si_watch_file){ path, si_file_look(path), false };
  return count ? count : 1;
}

/* watches every file of this load, also after a failure: an edit of any of them may fix the rig */
static sinew_status watch_files(sinew_host *host, const char *path, const load *l,
                                sinew_error *error) {
  const bool unknown = !l->sandbox && !l->report.file_count;
  size_t count = unknown      ? add_known(host, path, NULL)
                 : l->sandbox ? si_sandbox_file_count(l->sandbox)
                              : (size_t)l->report.file_count;
  si_watch_file *files = si_alloc_array(count + 1, sizeof *files);
  if (!files) return si_fail_memory(error);
  if (unknown) add_known(host, path, files);
  bool own = l->tuning && !host->tuning, met = false;
  for (size_t i = 0; i < count; i++) {
    if (!unknown) files[i] = l->sandbox ? *si_sandbox_file(l->sandbox, i) : l->report.files[i];
    files[i].optional = own && strcmp(files[i].path, l->tuning) == 0;
    met |= files[i].optional;
  }
  /* also watch the tuning if it does not exist yet, or if the script failed before it was read */
  if (own && !met) files[count++] = (si_watch_file){ l->tuning, si_file_look(l->tuning), true };
  sinew_status status = si_watch_set(host->watch, files, count, error);
  si_free(files);
  return status;
}

sinew_status sinew_host_load(sinew_host *host, const char *path, sinew_error *error) {
  sinew_error local;
  if (!error) error = &local;
  sinew_error_clear(error);
  if (!SI_EXPECT(host && path)) return SINEW_ERR_CALL;
  if (si_ends_with(path, ".glb") || si_ends_with(path, ".gltf") || si_ends_with(path, ".vrm"))
    return si_fail(error, SINEW_ERR_FILE,
                   "%s: is a character and no rig; `sinew bind rigs/human.lua %s -o hero.lua` "
                   "writes a rig that it follows",
                   path, path);
  char *copy = si_strdup(path);
  if (!copy) return si_fail_memory(error);
  if (host->path && strcmp(host->path, path) != 0) si_chosen_free(&host->chosen);
  load l = { 0 };
  sinew_status status = load_aside(host, path, &l, error);
  sinew_error watching;
  sinew_status watched =
      l.sandbox || host->isolate ? watch_files(host, path, &l, &watching) : SINEW_OK;
  if (status >= 0 && watched < 0) {
    status = watched;
    *error = watching;
  }
  si_free(host->path);
  host->path = copy;
  if (status < 0) {
    drop(&l);
    return status;
  }
  drop(&host->good);
  host->good = l;
  host->restarts = 0;
  return SINEW_OK;
}

sinew_status sinew_host_wait(sinew_host *host, sinew_error *error) {
  sinew_error local;
  if (!error) error = &local;
  sinew_error_clear(error);
  if (!SI_EXPECT(host)) return SINEW_ERR_CALL;
  if (host->good.program) return SINEW_OK;
  static const char script[] = "return require 'sinew'.rig 'none'";
  load l = { .sandbox = make_sandbox(host, error) };
  sinew_status status = l.sandbox ? SINEW_OK : SINEW_ERR_MEMORY;
  if (status >= 0) status = si_sandbox_load_text(l.sandbox, "", script, strlen(script), error);
  if (status >= 0) status = compile(&l, error);
  if (status >= 0 && !(l.pose = sinew_pose_create(l.program->rig, error)))
    status = SINEW_ERR_MEMORY;
  if (status >= 0) status = evaluate(&l, l.pose, error);
  if (status < 0)
    drop(&l);
  else
    host->good = l;
  return status;
}

int sinew_host_option_count(const sinew_host *host) { return host->good.options.count; }

sinew_host_option sinew_host_option_info(const sinew_host *host, int index) {
  if (!SI_EXPECT(host && index >= 0 && index < host->good.options.count))
    return (sinew_host_option){ 0 };
  return host->good.options.options[index];
}

sinew_status sinew_host_choose(sinew_host *host, const char *name, const char *value,
                               sinew_error *error) {
  sinew_error_clear(error);
  if (!SI_EXPECT(host && name && value && host->path)) return SINEW_ERR_CALL;
  si_chosen before = host->chosen, changed;
  size_t size = strlen(name) + strlen(value) + 2;
  char *text = si_alloc(size), *path = si_strdup(host->path);
  if (text) snprintf(text, size, "%s=%s", name, value);
  bool copied = text && path && si_chosen_copy(&changed, &before);
  if (copied && !si_chosen_add(&changed, text)) {
    si_chosen_free(&changed);
    copied = false;
  }
  sinew_status status = SINEW_ERR_MEMORY;
  if (copied) {
    host->chosen = changed;
    status = sinew_host_load(host, path, error);
    si_chosen_free(status < 0 ? &host->chosen : &before);
    if (status < 0) host->chosen = before;
  } else {
    si_fail_memory(error);
  }
  si_free(text);
  si_free(path);
  return status;
}

static void tell_absent(const char *path, sinew_error *error) {
  errno = 0;
  const bool there = si_file_look(path).exists;
  if (there)
    si_fail(error, SINEW_ERR_FILE, "%s: file is empty", path);
  else
    si_fail(error, SINEW_ERR_FILE, "%s: cannot open: %s", path,
            errno ? strerror(errno) : "it is not there");
}

/* a sum over the DOFs of the pose */
static uint64_t dofs_of(const sinew_pose *pose) {
  uint64_t sum = 14695981039346656037u;
  const unsigned char *bytes = (const unsigned char *)sinew_pose_dofs(pose);
  size_t size = sizeof(float) * (size_t)sinew_rig_dof_count(sinew_pose_rig(pose));
  for (size_t i = 0; i < size; i++) sum = (sum ^ bytes[i]) * 1099511628211u;
  return sum;
}

/* Whether to start the rig's process again. What ends all the time is tried again when a DOF has
 * moved, since an evaluation may be what ends it. */
static bool may_restart(sinew_host *host, double now) {
  uint64_t dofs = dofs_of(host->good.pose);
  if (host->restarts > RESTARTS) {
    if (dofs == host->restart_dofs || now - host->restarted_at < 1) return false;
    host->restarts = RESTARTS - 1; /* once */
  } else if (host->restarts && now - host->restarting_since > RESTARTS_IN) {
    host->restarts = 0;
  }
  if (!host->restarts) host->restarting_since = now;
  host->restarted_at = now;
  host->restart_dofs = dofs;
  return true;
}

static sinew_host_news restart(sinew_host *host, const char *ended, double now,
                               sinew_error *error) {
  if (!may_restart(host, now)) return SINEW_HOST_SAME;
  char why[200];
  snprintf(why, sizeof why, "%s", ended);
  int restarts = host->restarts + 1;
  if (restarts > RESTARTS) {
    host->restarts = restarts;
    si_fail(error, SINEW_ERR_SCRIPT,
            "%s: %s %d times; it is started again when a DOF or a file changes", host->path, why,
            restarts);
    return SINEW_HOST_FAILED;
  }
  char *path = si_strdup(host->path);
  sinew_error wrong;
  sinew_status status = path ? sinew_host_load(host, path, &wrong) : si_fail_memory(&wrong);
  si_free(path);
  host->restarts = restarts;
  if (status < 0)
    si_fail(error, status, "%s", wrong.text);
  else
    si_fail(error, SINEW_ERR_SCRIPT, "%s: %s, and was started again", host->path, why);
  return status < 0 ? SINEW_HOST_FAILED : SINEW_HOST_RELOADED;
}

sinew_host_news sinew_host_poll(sinew_host *host, double now, sinew_error *error) {
  sinew_error_clear(error);
  if (!SI_EXPECT(host) || !host->path) return SINEW_HOST_SAME;
  const char *ended = host->good.process ? si_isolate_ended(host->good.process) : NULL;
  switch (si_watch_poll(host->watch, now)) {
  case SI_WATCH_SAME: return ended ? restart(host, ended, now, error) : SINEW_HOST_SAME;
  case SI_WATCH_WAITING:
    if (si_watch_is_absent(host->watch)) tell_absent(si_watch_path(host->watch), error);
    return SINEW_HOST_WAITING;
  case SI_WATCH_CHANGED: break;
  }
  char *path = si_strdup(host->path);
  if (!path) {
    si_fail_memory(error);
    return SINEW_HOST_FAILED;
  }
  sinew_status status = sinew_host_load(host, path, error);
  si_free(path);
  return status < 0 ? SINEW_HOST_FAILED : SINEW_HOST_RELOADED;
}

sinew_rig *sinew_host_rig(const sinew_host *host) {
  return host->good.program ? host->good.program->rig : NULL;
}

sinew_pose *sinew_host_pose(const sinew_host *host) { return host->good.pose; }

sinew_status sinew_host_eval(sinew_host *host, sinew_pose *pose, sinew_error *error) {
  if (!SI_EXPECT(host && pose && host->good.program &&
                 sinew_pose_rig(pose) == host->good.program->rig))
    return SINEW_ERR_CALL;
  sinew_budget *before = enter(host);
  sinew_status status = evaluate(&host->good, pose, error);
  sinew_budget_leave(before);
  return status;
}

void sinew_host_cancel(sinew_host *host) {
  if (SI_EXPECT(host)) sinew_budget_cancel(host->budget);
}

sinew_budget_use sinew_host_progress(const sinew_host *host) {
  if (!SI_EXPECT(host)) return (sinew_budget_use){ .fraction = -1 };
  return sinew_budget_used(host->budget);
}

int sinew_host_recorded(const sinew_host *host, sinew_component component, const char **why) {
  if (!SI_EXPECT(host && component.id && why && host->good.program)) return -1;
  if (host->good.process) {
    const si_remote_part *part = si_remote_part_in(host->good.program->rig, component);
    *why = !part || part->program ? NULL : part->refusal ? part->refusal : "";
    return part && part->program ? sinew_program_operations(part->program) : -1;
  }
  const si_instance *instance = si_instance_in(host->good.program->rig, component);
  *why = !instance || instance->program ? NULL : instance->refusal ? instance->refusal : "";
  return instance && instance->program ? sinew_program_operations(instance->program) : -1;
}

/* the inputs of a scripted component, as its process expects them */
static sinew_status draw_elsewhere(si_isolate *process, const sinew_pose *pose,
                                   sinew_component component, sinew_mark *dest, int *count,
                                   sinew_error *error) {
  const sinew_rig *rig = sinew_pose_rig(pose);
  const sinew_component_class *cls = sinew_rig_component_info(rig, component).component_class;
  *count = 0;
  if (!si_remote_part_in(rig, component) || cls->drawing != SINEW_DRAWN_MARKS) return SINEW_OK;
  float *values = si_isolate_values(process);
  for (int i = 0; values && cls->inputs[i].name; i++, values += SI_ISOLATE_PORT) {
    sinew_kind kind = cls->inputs[i].kind;
    size_t floats = kind == SINEW_SCALAR ? 1 : kind == SINEW_VECTOR ? 3 : 16;
    memcpy(values, sinew_pose_input(pose, component, i), floats * sizeof *values);
  }
  return si_isolate_draw(process, component.id, dest, count, error);
}

sinew_status sinew_host_draw(sinew_host *host, const sinew_pose *pose, sinew_component component,
                             sinew_mark *dest, int *count, sinew_error *error) {
  sinew_error_clear(error);
  if (!SI_EXPECT(host && pose && component.id && dest && count && host->good.program &&
                 sinew_pose_rig(pose) == host->good.program->rig))
    return SINEW_ERR_CALL;
  sinew_error why;
  si_isolate *process = host->good.process;
  sinew_budget *before = enter(host);
  sinew_status status = process ? draw_elsewhere(process, pose, component, dest, count, &why)
                                : si_script_draw(pose, component, dest, count, &why);
  sinew_budget_leave(before);
  if (status < 0)
    si_fail(error, status, "component '%s': draw: %s",
            sinew_rig_component_info(host->good.program->rig, component).name, why.text);
  return status;
}

typedef struct save_job {
  sinew_host *host;
  const char *path;
  bool fields_beside, same_folder;
  sinew_error *error;
  sinew_status status;
} save_job;

/* Lua: writes the rig at 1 for the job at 2 */
static int save_xml(lua_State *L) {
  save_job *job = lua_touserdata(L, 2);
  const load *l = &job->host->good;
  si_xml_extras *extras = si_xml_collect(L, 1, l->program->rig, false);
  extras->desc.fields_beside = job->fields_beside;
  for (int i = 0; !job->same_folder && i < extras->segment_count; i++)
    if (extras->shapes[i].file)
      extras->shapes[i] = (sinew_xml_shape){ .mesh = l->shapes.shapes[i] };
  job->status = sinew_xml_save(l->program->rig, &extras->desc, job->path, job->error);
  return 0;
}

/* the resolved folder of a path, for free(); NULL if there is none */
static char *real_folder(const char *path) {
  const char *slash = strrchr(path, '/');
  char *folder = si_strdup(slash ? path : "./");
  if (folder && slash) folder[slash - path + 1] = '\0';
  char *real = folder ? si_path_real(folder) : NULL;
  si_free(folder);
  return real;
}

static bool share_folder(const char *a, const char *b) {
  char *first = real_folder(a), *second = real_folder(b);
  bool same = first && second && strcmp(first, second) == 0;
  free(first);
  free(second);
  return same;
}

/* the rig as it came from its process: what has neither a program nor a module cannot be written */
static sinew_status save_elsewhere(const load *l, const char *path, bool fields_beside,
                                   sinew_error *error) {
  const sinew_rig *rig = l->program->rig;
  const si_shapes *s = &l->shapes;
  size_t segments = (size_t)s->segment_count, parts = (size_t)sinew_rig_component_count(rig);
  sinew_xml_shape *shapes = si_alloc_array(segments + 1, sizeof *shapes);
  const char **modules = si_alloc_array(parts + 1, sizeof *modules);
  sinew_program **programs = si_alloc_array(parts + 1, sizeof *programs);
  sinew_xml_desc desc = sinew_default_xml_desc();
  desc.shapes = shapes;
  desc.labels = (const char *const *)s->labels;
  desc.modules = modules;
  desc.programs = programs;
  desc.fields_beside = fields_beside;
  for (size_t i = 0; shapes && i < segments; i++) {
    shapes[i] = (sinew_xml_shape){ .solid = s->solids[i] };
    if (!s->solids[i]) shapes[i].mesh = s->shapes[i];
  }
  for (size_t i = 0; modules && programs && i < parts; i++) {
    const si_remote_part *part = si_remote_part_in(rig, sinew_rig_component(rig, (int)i));
    if (part) modules[i] = part->kind->module;
    if (part) programs[i] = part->program;
  }
  sinew_status status = shapes && modules && programs ? sinew_xml_save(rig, &desc, path, error)
                                                      : si_fail_memory(error);
  si_free(shapes);
  si_free(modules);
  si_free(programs);
  return status;
}

sinew_status sinew_host_save_xml(sinew_host *host, const char *path, bool fields_beside,
                                 sinew_error *error) {
  sinew_error_clear(error);
  if (!SI_EXPECT(host && path && host->good.program)) return SINEW_ERR_CALL;
  if (host->good.process) return save_elsewhere(&host->good, path, fields_beside, error);
  save_job job = { .host = host,
                   .path = path,
                   .fields_beside = fields_beside,
                   .same_folder = share_folder(path, host->path),
                   .error = error };
  lua_State *L = si_sandbox_state(host->good.sandbox);
  lua_pushcfunction(L, save_xml);
  si_sandbox_push_result(host->good.sandbox);
  lua_pushlightuserdata(L, &job);
  sinew_budget *before = enter(host);
  si_sandbox_begin_load(host->good.sandbox);
  sinew_status status = si_sandbox_call(host->good.sandbox, 2, 0, error);
  si_sandbox_end(host->good.sandbox);
  sinew_budget_leave(before);
  return status < 0 ? status : job.status;
}

typedef struct param_job {
  uint32_t component;
  const sinew_param *params;
  int count;
} param_job;

/* the rig at 1, the job at 2 */
static int put_script_params(lua_State *L) {
  const param_job *job = lua_touserdata(L, 2);
  si_handle c = { .rig = si_rig_check(L, 1), .id = job->component };
  for (int i = 0; i < job->count; i++) {
    si_param_push(L, &job->params[i]);
    si_script_param_set(L, &c, &job->params[i], -1);
    lua_pop(L, 1);
  }
  return 0;
}

sinew_status sinew_host_set_params(sinew_host *host, sinew_component component,
                                   const sinew_param *params, int count, sinew_error *error) {
  if (!SI_EXPECT(host && host->good.program)) return SINEW_ERR_CALL;
  si_program *program = host->good.program;
  sinew_component_info info = sinew_rig_component_info(program->rig, component);
  bool scripted = info.component_class && info.component_class->try_eval;
  for (int i = 0; scripted && i < count; i++)
    if (params[i].type == SINEW_PARAM_NONE)
      return si_fail(error, SINEW_ERR_VALUE,
                     "component '%s': cannot remove parameter '%s' of a scripted component",
                     info.name, params[i].name);
  si_isolate *process = host->good.process;
  sinew_status status = scripted && process
                            ? si_isolate_params(process, component.id, params, count, error)
                            : SINEW_OK;
  if (status >= 0) status = sinew_rig_set_params(program->rig, component, params, count, error);
  if (status < 0) return status;
  program->revision++;
  if (!scripted || process) return SINEW_OK;
  param_job job = { component.id, params, count };
  lua_State *L = si_sandbox_state(host->good.sandbox);
  lua_pushcfunction(L, put_script_params);
  si_sandbox_push_result(host->good.sandbox);
  lua_pushlightuserdata(L, &job);
  return si_sandbox_call(host->good.sandbox, 2, 0, error);
}

const char *sinew_host_tuning(const sinew_host *host) { return host->good.tuning; }
const si_tuned_list *si_host_tuned(const sinew_host *host) { return &host->good.changed; }

const char *sinew_host_path(const sinew_host *host) { return host->path; }

si_sandbox *si_host_sandbox(const sinew_host *host) { return host->good.sandbox; }
si_isolate *si_host_process(const sinew_host *host) { return host->good.process; }
const si_watch *si_host_watch(const sinew_host *host) { return host->watch; }

int sinew_host_file_count(const sinew_host *host) {
  const si_report *report = &host->good.report;
  int count = report->file_count;
  /* the last may be a tuning that does not exist yet */
  if (count && report->files[count - 1].optional && !report->files[count - 1].stamp.exists) count--;
  if (host->good.process) return count;
  return host->good.sandbox ? (int)si_sandbox_file_count(host->good.sandbox) : 0;
}

const char *sinew_host_file(const sinew_host *host, int index) {
  if (!SI_EXPECT(index >= 0 && index < sinew_host_file_count(host))) return "";
  return host->good.process ? host->good.report.files[index].path
                            : si_sandbox_file(host->good.sandbox, (size_t)index)->path;
}

/* makes a segment's mesh within the budget of a load */
static sinew_status make_shape(sinew_host *host, int index, sinew_error *error) {
  si_sandbox *sandbox = host->good.sandbox;
  sinew_budget *before = enter(host);
  if (sandbox) si_sandbox_begin_load(sandbox);
  sinew_status status = si_shapes_make(&host->good.shapes, index, host->cache, error);
  if (sandbox) si_sandbox_end(sandbox);
  sinew_budget_leave(before);
  return status;
}

sinew_shape sinew_host_shape(sinew_host *host, sinew_segment segment) {
  si_shapes *s = &host->good.shapes;
  if (!SI_EXPECT(segment.id && (int)segment.id <= s->segment_count))
    return (sinew_shape){ NULL, NULL, NULL, 0, 0 };
  make_shape(host, (int)segment.id - 1, NULL);
  return s->shapes[segment.id - 1];
}

sinew_solid *sinew_host_solid(const sinew_host *host, sinew_segment segment) {
  const si_shapes *s = &host->good.shapes;
  if (!SI_EXPECT(segment.id && (int)segment.id <= s->segment_count)) return NULL;
  return s->solids[segment.id - 1];
}

sinew_status sinew_host_make_shapes(sinew_host *host, sinew_error *error) {
  si_shapes *s = &host->good.shapes;
  for (int i = 0; i < s->segment_count; i++) {
    sinew_status status = make_shape(host, i, error);
    if (status < 0) return status;
  }
  return SINEW_OK;
}

const char *sinew_host_label(const sinew_host *host, sinew_dof dof) {
  const si_shapes *s = &host->good.shapes;
  if (!SI_EXPECT(dof.id && (int)dof.id <= s->dof_count)) return NULL;
  return s->labels[dof.id - 1];
}
