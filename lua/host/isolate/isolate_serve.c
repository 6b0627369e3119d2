/* The process of a rig: loads it in a host of its own, confined, tells of it, and then answers what
 * is asked about its scripted components. */
#include "lua/host/isolate/isolate.h"

#include "sinew/host.h"

#include <stdio.h>
#include <string.h>

#if !defined(_WIN32)

#include "base/alloc.h"
#include "base/error_internal.h"
#include "base/platform.h"
#include "lua/host/host_internal.h"
#include "lua/host/isolate/isolate_kind.h"
#include "lua/host/tuned.h"
#include "lua/rig/script_lua.h"
#include "lua/rig/xml_lua.h"

#include <sched.h>
#include <signal.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <unistd.h>

enum {
  most_descriptors = 1024,
  look_for = 400000,      /* nanoseconds for which a question is looked for before sleeping */
  seconds_more = 10,      /* of processor time that one question may take at most, and its budget */
  beside_script = 1 << 29 /* bytes for the program and for what it compiles */
};

typedef struct served {
  si_isolate_shared *shared;
  sinew_host *host;
  const si_instance **instances; /* of each component; NULL: it is no scripted one */
  int component_count;
  uint32_t done; /* evaluations answered */
  double seconds;
  uint64_t limited; /* when the processor time was last limited */
  uint32_t ports[2 * SI_SCRIPT_PORTS];
  sinew_mark marks[SINEW_MARKS];
} served;

static bool send_bare(uint32_t kind, const si_wire *message) {
  return si_message_send(SI_ISOLATE_SOCKET, kind, message, 0);
}

#if defined(SINEW_CHECK_SCHEDULE) && !defined(NDEBUG)
/* in builds for tests, a script ends its process in the ways in which a fault does */
static void trap(const char *text, size_t length) {
  static const char words[] = "end this process: ";
  size_t n = sizeof words - 1;
  if (length <= n || memcmp(text, words, n) != 0) return;
  if (length == n + 5 && memcmp(text + n, "fault", 5) == 0) raise(SIGSEGV);
  if (length == n + 5 && memcmp(text + n, "abort", 5) == 0) abort();
  if (length == n + 4 && memcmp(text + n, "exit", 4) == 0) _exit(7);
  if (length == n + 4 && memcmp(text + n, "hang", 4) == 0)
    for (;;) sleep(1);
  if (length == n + 5 && memcmp(text + n, "close", 5) == 0) {
    close(SI_ISOLATE_SOCKET);
    sleep(5);
  }
  if (length == n + 4 && memcmp(text + n, "talk", 4) == 0)
    for (si_wire words_again = { (unsigned char *)(uintptr_t)text, length, length, false };;)
      send_bare(SI_MESSAGE_PRINT, &words_again);
  if (length == n + 8 && memcmp(text + n, "nonsense", 8) == 0)
    if (write(SI_ISOLATE_SOCKET, "nonsense, of which there is more than enough", 40) > 0) sleep(5);
}
#else
static void trap(const char *text, size_t length) { (void)text, (void)length; }
#endif

static void print(const char *text, size_t length, void *user) {
  (void)user;
  trap(text, length);
  si_wire message = { .at = NULL };
  si_wire_bytes(&message, text, length);
  send_bare(SI_MESSAGE_PRINT, &message);
  si_wire_free(&message);
}

/* a question that takes far more processor time than its budget ends the process: the program that
 * asked may be gone */
static void limit_time(served *s, double seconds) {
  struct rusage used;
  uint64_t now = si_clock();
  if (s->limited && now - s->limited < 1000000000u) return;
  s->limited = now;
  if (getrusage(RUSAGE_SELF, &used) != 0) return;
  double most = (double)used.ru_utime.tv_sec + (double)used.ru_stime.tv_sec + 2 * seconds;
  struct rlimit limit = { (rlim_t)most + seconds_more, RLIM_INFINITY };
  if (getrlimit(RLIMIT_CPU, &limit) != 0) return;
  limit.rlim_cur = (rlim_t)most + seconds_more;
  if (limit.rlim_cur > limit.rlim_max) limit.rlim_cur = limit.rlim_max;
  setrlimit(RLIMIT_CPU, &limit);
}

/* --- the report */

static void put_files(si_wire *w, const sinew_host *host) {
  const si_watch *watch = si_host_watch(host);
  size_t count = si_watch_count(watch);
  si_wire_int(w, (int64_t)count);
  for (size_t i = 0; i < count; i++) {
    si_watch_file f = si_watch_at(watch, i);
    si_wire_text(w, f.path);
    si_wire_int(w, f.stamp.exists);
    si_wire_int(w, f.stamp.regular);
    si_wire_int(w, f.stamp.size);
    si_wire_int(w, f.stamp.modified);
    si_wire_int(w, f.stamp.changed);
    si_wire_int(w, (int64_t)f.stamp.inode);
    si_wire_int(w, (int64_t)f.stamp.device);
    si_wire_int(w, (int64_t)f.stamp.content);
    si_wire_int(w, f.optional);
  }
}

static void put_options(si_wire *w, const sinew_host *host) {
  int count = sinew_host_option_count(host);
  si_wire_int(w, count);
  for (int i = 0; i < count; i++) {
    sinew_host_option o = sinew_host_option_info(host, i);
    si_wire_text(w, o.name);
    si_wire_text(w, o.value);
    si_wire_text(w, o.initial);
    si_wire_text(w, o.allowed);
    si_wire_text(w, o.doc);
    si_wire_int(w, o.number);
  }
}

static void put_tuned(si_wire *w, const sinew_host *host) {
  const si_tuned_list *list = si_host_tuned(host);
  si_wire_int(w, (int64_t)list->count);
  for (size_t i = 0; i < list->count; i++) {
    si_wire_int(w, list->items[i].kind);
    si_wire_text(w, list->items[i].name);
    si_wire_text(w, list->items[i].param);
  }
}

typedef struct kinds {
  const si_script **scripts;
  const char **modules;
  int count, parts;
} kinds;

static int find_kind(const kinds *k, const si_script *script) {
  int i = 0;
  while (i < k->count && k->scripts[i] != script) i++;
  return i;
}

static bool find_kinds(const served *s, const char *const *modules, kinds *dest) {
  *dest = (kinds){ .scripts = NULL };
  dest->scripts = si_alloc_array((size_t)s->component_count + 1, sizeof *dest->scripts);
  dest->modules = si_alloc_array((size_t)s->component_count + 1, sizeof *dest->modules);
  if (!dest->scripts || !dest->modules) return false;
  for (int i = 0; i < s->component_count; i++) {
    if (!s->instances[i]) continue;
    dest->parts++;
    int at = find_kind(dest, s->instances[i]->script);
    if (at < dest->count) continue;
    dest->scripts[dest->count] = s->instances[i]->script;
    bool none = strcmp(modules[i], SI_XML_NO_MODULE) == 0;
    dest->modules[dest->count++] = none ? NULL : modules[i];
  }
  return true;
}

static void put_kinds(si_wire *w, const served *s, const char *const *modules) {
  kinds k;
  if (!find_kinds(s, modules, &k)) w->failed = true;
  si_wire_int(w, k.count);
  for (int i = 0; i < k.count; i++) si_wire_kind(w, &k.scripts[i]->cls, k.modules[i]);
  si_wire_int(w, k.parts);
  for (int i = 0; i < s->component_count && !w->failed; i++) {
    const si_instance *instance = s->instances[i];
    if (!instance) continue;
    bool recorded = instance->program && !instance->script->state->check_purity;
    si_wire_int(w, i + 1);
    si_wire_int(w, find_kind(&k, instance->script));
    si_wire_text(w, recorded ? sinew_program_text(instance->program) : NULL);
    si_wire_text(w, instance->refusal);
  }
  si_free(k.scripts);
  si_free(k.modules);
}

typedef struct report_job {
  served *s;
  si_wire *dest;
  sinew_status status;
  sinew_error *error;
} report_job;

/* Lua: writes the rig at 1 for the job at 2 */
static int put_rig(lua_State *L) {
  report_job *job = lua_touserdata(L, 2);
  served *s = job->s;
  sinew_rig *rig = sinew_host_rig(s->host);
  si_xml_extras *extras = si_xml_collect(L, 1, rig, true);
  for (int i = 0; i < extras->segment_count; i++)
    if (extras->shapes[i].file)
      extras->shapes[i] =
          (sinew_xml_shape){ .mesh = sinew_host_shape(s->host, sinew_rig_segment(rig, i)) };
  char *text;
  size_t size;
  /* the rig has had its budget; writing it has the limits of the process, and its parent's time */
  sinew_budget *before = sinew_budget_enter(NULL);
  job->status = sinew_xml_write(rig, &extras->desc, &text, &size, job->error);
  sinew_budget_leave(before);
  if (job->status < 0) return 0;
  si_wire_text_n(job->dest, text, size);
  sinew_text_free(text);
  si_wire_text(job->dest, sinew_rig_warnings(rig));
  put_options(job->dest, s->host);
  put_tuned(job->dest, s->host);
  put_kinds(job->dest, s, extras->desc.modules);
  return 0;
}

static bool find_instances(served *s) {
  const sinew_rig *rig = sinew_host_rig(s->host);
  s->component_count = sinew_rig_component_count(rig);
  s->instances = si_alloc_array((size_t)s->component_count + 1, sizeof *s->instances);
  for (int i = 0; s->instances && i < s->component_count; i++)
    s->instances[i] = si_instance_in(rig, sinew_rig_component(rig, i));
  return s->instances != NULL;
}

static sinew_status put_loaded(served *s, si_wire *dest, sinew_error *error) {
  report_job job = { s, dest, SINEW_OK, error };
  si_sandbox *sandbox = si_host_sandbox(s->host);
  lua_State *L = si_sandbox_state(sandbox);
  lua_pushcfunction(L, put_rig);
  si_sandbox_push_result(sandbox);
  lua_pushlightuserdata(L, &job);
  sinew_status status = si_sandbox_call(sandbox, 2, 0, error);
  if (status < 0) return status;
  return dest->failed
             ? si_fail(error, SINEW_ERR_LIMIT, "the rig is too large for a process of its own")
             : job.status;
}

static void put_head(si_wire *w, sinew_status status, const sinew_error *error,
                     const sinew_host *host) {
  si_wire_int(w, status);
  si_wire_text(w, status < 0 ? error->text : "");
  if (host)
    put_files(w, host);
  else
    si_wire_int(w, 0);
}

sinew_status si_isolate_tell(sinew_host *host, si_wire *dest, sinew_error *error) {
  served *s = si_alloc(sizeof *s);
  sinew_status status = SINEW_ERR_MEMORY;
  if (s) s->host = host;
  put_head(dest, SINEW_OK, NULL, host);
  if (s && find_instances(s))
    status = put_loaded(s, dest, error);
  else
    si_fail_memory(error);
  if (s) si_free(s->instances);
  si_free(s);
  return status;
}

/* --- loading */

typedef struct wanted {
  sinew_host_desc desc;
  const char *path;
  const char *options[256];
} wanted;

static bool read_wanted(si_unwire *r, wanted *dest) {
  sinew_host_desc *d = &dest->desc;
  *d = sinew_default_host_desc();
  if (strcmp(si_unwire_name(r), sinew_version()) != 0 ||
      si_unwire_int(r, 0, INT64_MAX) != sizeof(si_isolate_shared))
    return false;
  dest->path = si_unwire_name(r);
  d->modules = si_unwire_text(r);
  d->tuning = si_unwire_text(r);
  d->load_seconds = si_unwire_number(r);
  d->eval_seconds = si_unwire_number(r);
  d->load_instructions = si_unwire_int(r, 0, INT64_MAX);
  d->eval_instructions = si_unwire_int(r, 0, INT64_MAX);
  d->memory = (size_t)si_unwire_int(r, 0, INT64_MAX);
  d->option_count = (int)si_unwire_int(r, 0, sizeof dest->options / sizeof *dest->options);
  for (int i = 0; i < d->option_count; i++) dest->options[i] = si_unwire_name(r);
  d->options = dest->options;
  d->print = print;
  return si_unwire_done(r);
}

/* the folder of the rig, what a link at its path leads to, the modules, and a tuning elsewhere */
static bool confine(const wanted *want, sinew_error *error) {
  char *real = si_path_real(want->path), *folder = si_strdup(want->path);
  if (!folder) return si_memory_false(error);
  char *slash = strrchr(folder, '/');
  if (slash) slash[slash == folder] = '\0';
  const char *all[] = { slash ? folder : ".", real, want->desc.modules, want->desc.tuning };
  const char *paths[4];
  int count = 0;
  for (int i = 0; i < 4; i++)
    if (all[i] && *all[i]) paths[count++] = all[i];
  size_t memory = want->desc.memory < SIZE_MAX / 8 ? 4 * want->desc.memory + beside_script : 0;
  bool fine = si_confine(paths, count, memory, error);
  free(real);
  si_free(folder);
  return fine;
}

static bool load(served *s, si_wire *question) {
  sinew_error error;
  sinew_error_clear(&error);
  si_unwire r = { question->at, question->size, false };
  static wanted want;
  sinew_status status = SINEW_OK;
  si_wire loaded = { .at = NULL }, answer = { .at = NULL };
  if (s->host) return false;
  if (!read_wanted(&r, &want))
    status = si_fail(&error, SINEW_ERR_CALL,
                     "the rig's process is a program of another version of Sinew");
  s->seconds = want.desc.eval_seconds;
  limit_time(s, want.desc.load_seconds);
  if (status >= 0 && !confine(&want, &error)) status = SINEW_ERR_CALL;
  if (status >= 0 && !(s->host = sinew_host_create(&want.desc, &error))) status = error.status;
  if (status >= 0) status = sinew_host_load(s->host, want.path, &error);
  if (status >= 0) status = find_instances(s) ? SINEW_OK : si_fail_memory(&error);
  if (status >= 0 && (status = put_loaded(s, &loaded, &error)) < 0) {
    const sinew_error why = error;
    si_fail(&error, status, "%s: %s", want.path, why.text);
  }
  put_head(&answer, status, &error, s->host);
  if (status >= 0) si_wire_bytes(&answer, loaded.at, loaded.size);
  bool sent = send_bare(SI_MESSAGE_ANSWER, &answer);
  si_wire_free(&loaded);
  si_wire_free(&answer);
  return sent && status >= 0;
}

/* --- questions */

static const si_instance *instance_of(const served *s, int64_t component) {
  return s->host && component >= 1 && component <= s->component_count ? s->instances[component - 1]
                                                                      : NULL;
}

/* the node of a component whose values lie in the shared memory */
static sinew_node node_of(const served *s, const si_instance *instance, uint32_t component,
                          const si_script_node *data) {
  const si_script *script = instance->script;
  uint32_t inputs = (uint32_t)script->input_count, outputs = (uint32_t)script->output_count;
  return (sinew_node){ .data = data,
                       .ports = s->ports,
                       .input_count = inputs,
                       .output_count = outputs,
                       .hold = SI_ISOLATE_PORT * (inputs + outputs),
                       .component = component };
}

static si_script_node data_of(const si_instance *instance) {
  return (si_script_node){ .script = instance->script,
                           .function = instance->script->function,
                           .self = instance->view };
}

static void eval(served *s) {
  sinew_error error;
  sinew_error_clear(&error);
  si_isolate_shared *shared = s->shared;
  const si_instance *instance = instance_of(s, shared->component);
  sinew_status status = SINEW_ERR_CALL;
  if (instance) {
    si_script_node data = data_of(instance);
    sinew_node node = node_of(s, instance, shared->component, &data);
    status = instance->script->cls.try_eval(&node, shared->values, &error);
  } else {
    si_fail(&error, status, "there is no such component");
  }
  shared->status = status;
  if (status < 0) memcpy(shared->text, error.text, sizeof shared->text);
}

static void answer_eval(served *s, uint32_t asked) {
  limit_time(s, s->seconds);
  eval(s);
  s->done = asked;
  atomic_store(&s->shared->answered, asked);
  if (atomic_load(&s->shared->parent_sleeps)) send_bare(SI_MESSAGE_WAKE, NULL);
}

static sinew_status draw(served *s, const si_instance *instance, int *count, sinew_error *error) {
  const float *inputs[SI_SCRIPT_PORTS];
  for (int i = 0; i < instance->script->input_count; i++)
    inputs[i] = s->shared->values + (size_t)SI_ISOLATE_PORT * (size_t)i;
  return si_script_draw_at(instance, inputs, s->marks, count, error);
}

static void put_marks(si_wire *w, const served *s, int count) {
  si_wire_int(w, count);
  for (int i = 0; i < count; i++) {
    const sinew_mark *m = &s->marks[i];
    si_wire_int(w, m->kind);
    si_wire_int(w, m->color);
    si_wire_floats(w, m->at, 3);
    si_wire_floats(w, m->to, 3);
    si_wire_floats(w, m->size, 3);
    si_wire_floats(w, m->turn, 9);
    si_wire_text(w, m->text);
  }
}

static sinew_status set_params(served *s, uint32_t component, si_unwire *r, sinew_error *error) {
  int64_t count = si_unwire_int(r, 0, 512);
  sinew_param *params = si_alloc_array((size_t)count + 1, sizeof *params);
  si_unwire_room *room = si_alloc_array((size_t)count + 1, sizeof *room);
  sinew_status status = params && room ? SINEW_OK : si_fail_memory(error);
  for (int i = 0; status >= 0 && i < count; i++) si_unwire_param(r, &params[i], &room[i]);
  if (status >= 0)
    status = si_unwire_done(r) ? sinew_host_set_params(s->host, (sinew_component){ component },
                                                       params, (int)count, error)
                               : si_fail(error, SINEW_ERR_CALL, "the question is wrong");
  for (int i = 0; room && i < count; i++) si_unwire_param_free(&room[i]);
  si_free(params);
  si_free(room);
  return status;
}

static bool answer(served *s, uint32_t kind, const si_wire *question) {
  sinew_error error;
  sinew_error_clear(&error);
  si_unwire r = { question->at, question->size, false };
  uint32_t component = (uint32_t)si_unwire_int(&r, 0, UINT32_MAX);
  const si_instance *instance = instance_of(s, component);
  sinew_status status = SINEW_OK;
  int marks = 0;
  limit_time(s, s->seconds);
  if (r.failed || !instance) {
    status = si_fail(&error, SINEW_ERR_CALL, "there is no such component");
  } else if (kind == SI_MESSAGE_VERIFY) {
    si_script_node data = data_of(instance);
    sinew_node node = node_of(s, instance, component, &data);
    if (instance->script->verify && !si_script_verify(&node, s->shared->values, &error))
      status = error.status < 0 ? error.status : SINEW_ERR_SCRIPT;
  } else if (kind == SI_MESSAGE_DRAW) {
    status = draw(s, instance, &marks, &error);
  } else if (kind == SI_MESSAGE_PARAMS) {
    status = set_params(s, component, &r, &error);
  } else {
    return false;
  }
  si_wire w = { .at = NULL };
  si_wire_int(&w, status);
  si_wire_text(&w, status < 0 ? error.text : "");
  if (kind == SI_MESSAGE_DRAW && status >= 0) put_marks(&w, s, marks);
  bool sent = send_bare(SI_MESSAGE_ANSWER, &w);
  si_wire_free(&w);
  return sent;
}

/* looks for an evaluation for a short while; whether there is one */
static bool find_eval(const served *s, uint32_t *asked) {
  for (uint64_t until = si_clock() + look_for;;) {
    for (int i = 0; i < 64; i++) {
      *asked = atomic_load_explicit(&s->shared->asked, memory_order_acquire);
      if (*asked != s->done) return true;
    }
    if (si_clock() >= until) return false;
    sched_yield();
  }
}

static bool serve_one(served *s) {
  uint32_t asked, kind;
  if (!find_eval(s, &asked)) {
    atomic_store(&s->shared->child_sleeps, 1);
    asked = atomic_load(&s->shared->asked);
  }
  if (asked != s->done) {
    atomic_store(&s->shared->child_sleeps, 0);
    answer_eval(s, asked);
    return true;
  }
  si_wire message;
  int got = si_message_receive(SI_ISOLATE_SOCKET, &kind, &message, 0);
  atomic_store(&s->shared->child_sleeps, 0);
  bool fine =
      got == 1 && (kind == SI_MESSAGE_WAKE ||
                   (kind == SI_MESSAGE_LOAD ? load(s, &message) : answer(s, kind, &message)));
  if (got == 1) si_wire_free(&message);
  return fine;
}

static int serve(void) {
  struct stat about;
  if (fstat(SI_ISOLATE_SOCKET, &about) != 0 || !S_ISSOCK(about.st_mode)) {
    fprintf(stderr, "sinew: %s is for programs that load a rig in a process of its own\n",
            SI_ISOLATE_ARGUMENT);
    return 2;
  }
  served *s = si_alloc(sizeof *s);
  void *shared =
      mmap(NULL, sizeof *s->shared, PROT_READ | PROT_WRITE, MAP_SHARED, SI_ISOLATE_MEMORY, 0);
  if (!s || shared == MAP_FAILED) return 1;
  s->shared = shared;
  for (uint32_t i = 0; i < 2 * SI_SCRIPT_PORTS; i++) s->ports[i] = SI_ISOLATE_PORT * i;
  /* what the program that started this one had open */
  for (int file = SI_ISOLATE_MEMORY; file < most_descriptors; file++) close(file);
  while (serve_one(s)) {
  }
  return 0;
}

int sinew_host_serve(int argc, char **argv) {
  if (argc != 2 || strcmp(argv[1], SI_ISOLATE_ARGUMENT) != 0) return -1;
  _exit(serve()); /* nothing of it is to be cleaned up: that could fail, too */
}

#else

int sinew_host_serve(int argc, char **argv) {
  if (argc != 2 || strcmp(argv[1], SI_ISOLATE_ARGUMENT) != 0) return -1;
  fprintf(stderr, "sinew: %s is not available on Windows\n", SI_ISOLATE_ARGUMENT);
  return 2;
}

#endif
