/* Writes the rig of a host as XML. */
#include "lua/host/host_internal.h"

#include "base/alloc.h"
#include "base/error_internal.h"
#include "base/platform.h"
#include "base/text.h"
#include "lua/rig/xml_lua.h"

#include <stdlib.h>
#include <string.h>

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
  const si_load *l = &job->host->good;
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
static sinew_status save_elsewhere(const si_load *l, const char *path, bool fields_beside,
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
  sinew_budget *before = si_host_enter(host);
  si_sandbox_begin_load(host->good.sandbox);
  sinew_status status = si_sandbox_call(host->good.sandbox, 2, 0, error);
  si_sandbox_end(host->good.sandbox);
  sinew_budget_leave(before);
  return status < 0 ? status : job.status;
}
