/* The script host: its life, and what it tells of the rig that it has. Loading is in loading.c. */
#include "lua/host/host_internal.h"

#include "base/alloc.h"
#include "base/error_internal.h"
#include "lua/play/play_lua.h"
#include "lua/rig/script_lua.h"

#include <string.h>

sinew_host_desc sinew_default_host_desc(void) {
  si_sandbox_desc d = si_default_sandbox_desc();
  return (sinew_host_desc){ .size = sizeof(sinew_host_desc),
                            .load_seconds = d.load.seconds,
                            .eval_seconds = d.eval.seconds,
                            .load_instructions = d.load.instructions,
                            .eval_instructions = d.eval.instructions,
                            .memory = d.memory };
}

void sinew_host_desc_load_time(sinew_host_desc *desc, double seconds) {
  const sinew_host_desc normal = sinew_default_host_desc();
  if (!SI_EXPECT(desc && seconds > 0)) return;
  const double most = 1e7; /* so that no clock overflows */
  desc->load_seconds = seconds < most ? seconds : most;
  desc->load_instructions =
      (int64_t)((double)normal.load_instructions * desc->load_seconds / normal.load_seconds);
}

/* a copy of a text of the desc; false when memory runs out */
static bool keep(const char **text) {
  if (!*text) return true;
  *text = si_strdup(*text);
  return *text != NULL;
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
  sinew_budget_desc counting = sinew_default_budget_desc();
  bool fine = keep(&host->desc.modules) & keep(&host->desc.cache) & keep(&host->desc.tuning) &
              keep(&host->desc.isolate);
  for (int i = 0; fine && i < desc->option_count; i++)
    fine = si_chosen_add(&host->chosen, desc->options[i]);
  host->watch = si_watch_create(0.02, 1, error);
  host->budget = sinew_budget_create(&counting, error);
  host->load_budget = sinew_budget_create(&counting, error);
  if (fine && host->watch && host->budget && host->load_budget) return host;
  sinew_host_destroy(host);
  si_fail_memory(error);
  return NULL;
}

void sinew_host_destroy(sinew_host *host) {
  if (!host) return;
  si_loading_give_up(host);
  si_load_drop(&host->good);
  si_watch_destroy(host->watch);
  sinew_budget_destroy(host->budget);
  sinew_budget_destroy(host->load_budget);
  si_free((char *)host->desc.modules);
  si_free((char *)host->desc.cache);
  si_free((char *)host->desc.tuning);
  si_free((char *)host->desc.isolate);
  si_chosen_free(&host->chosen);
  si_free(host->path);
  si_free(host);
}

int sinew_host_option_count(const sinew_host *host) { return host->good.options.count; }

sinew_host_option sinew_host_option_info(const sinew_host *host, int index) {
  if (!SI_EXPECT(host && index >= 0 && index < host->good.options.count))
    return (sinew_host_option){ 0 };
  return host->good.options.options[index];
}

sinew_rig *sinew_host_rig(const sinew_host *host) {
  return host->good.program ? host->good.program->rig : NULL;
}

sinew_pose *sinew_host_pose(const sinew_host *host) { return host->good.pose; }

sinew_budget *si_host_enter(const sinew_host *host) {
  sinew_budget_renew(host->budget);
  return sinew_budget_enter(host->budget);
}

sinew_status sinew_host_eval(sinew_host *host, sinew_pose *pose, sinew_error *error) {
  if (!SI_EXPECT(host && pose && host->good.program &&
                 sinew_pose_rig(pose) == host->good.program->rig))
    return SINEW_ERR_CALL;
  sinew_budget *before = si_host_enter(host);
  sinew_status status = si_load_eval(&host->good, pose, error);
  sinew_budget_leave(before);
  return status;
}

void sinew_host_cancel(sinew_host *host) {
  if (!SI_EXPECT(host)) return;
  sinew_budget_cancel(host->budget);
  sinew_budget_cancel(host->load_budget);
}

sinew_budget_use sinew_host_progress(const sinew_host *host) {
  if (!SI_EXPECT(host)) return (sinew_budget_use){ .fraction = -1 };
  return sinew_budget_used(atomic_load(&host->loads) ? host->load_budget : host->budget);
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
  sinew_budget *before = si_host_enter(host);
  sinew_status status = process ? draw_elsewhere(process, pose, component, dest, count, &why)
                                : si_script_draw(pose, component, dest, count, &why);
  sinew_budget_leave(before);
  if (status < 0)
    si_fail(error, status, "component '%s': draw: %s",
            sinew_rig_component_info(host->good.program->rig, component).name, why.text);
  return status;
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
  sinew_budget *before = si_host_enter(host);
  if (sandbox) si_sandbox_begin_load(sandbox);
  sinew_status status = si_shapes_make(&host->good.shapes, index, host->desc.cache, error);
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
