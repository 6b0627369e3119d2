/* Starting, asking and ending the process of a rig; see isolate.h. */
#if defined(__linux__)
#define _GNU_SOURCE
#endif
#include "lua/host/isolate/isolate.h"

#include "base/alloc.h"
#include "base/budget_internal.h"
#include "base/error_internal.h"
#include "base/platform.h"
#include "base/text.h"
#include "lua/host/isolate/isolate_report.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#if !defined(_WIN32)

#include <errno.h>
#include <fcntl.h>
#include <sched.h>
#include <signal.h>
#include <spawn.h>
#include <sys/mman.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

extern char **environ;

enum {
  most_printed = 1 << 20,  /* bytes of a script's print for each load */
  look_for = 200000,       /* nanoseconds for which an answer is looked for before sleeping:
                              longer than it takes to wake the other process */
  grace = 500000000,       /* nanoseconds that the process has more than its script */
  wake_within = 1000000000 /* nanoseconds to take a message */
};

struct si_isolate {
  pid_t pid; /* 0: it has ended and is reaped */
  int socket;
  si_isolate_shared *shared;
  double load_seconds, eval_seconds;
  uint64_t deadline; /* of the evaluation in progress; 0: none */
  uint32_t asked;
  size_t printed;
  void (*print)(const char *text, size_t length, void *user);
  void *user;
  si_remote_kind **kinds;
  int kind_count;
  char why[200]; /* it ended; "": it runs */
};

static uint64_t in_seconds(double seconds) {
  return si_clock() + (uint64_t)(fmin(fmax(seconds, 0), 1e6) * 1e9);
}

/* --- its end */

static void describe(char *dest, size_t room, int status) {
  const char *signal_name = WIFSIGNALED(status) ? strsignal(WTERMSIG(status)) : NULL;
  if (WIFSIGNALED(status))
    snprintf(dest, room, "the rig's process ended (signal %d%s%s)", WTERMSIG(status),
             signal_name ? ", " : "", signal_name ? signal_name : "");
  else
    snprintf(dest, room, "the rig's process ended (exit code %d)", WEXITSTATUS(status));
}

/* whether it has ended; `status` -1: how is not known, as in a program that ignores SIGCHLD */
static bool reap(const si_isolate *p, int *status, int options) {
  for (;;) {
    pid_t got = waitpid(p->pid, status, options);
    if (got == p->pid) return true;
    if (got < 0 && errno == EINTR) continue;
    *status = -1;
    return got < 0;
  }
}

static void note_end(si_isolate *p, int status) {
  if (status == -1)
    snprintf(p->why, sizeof p->why, "the rig's process ended");
  else
    describe(p->why, sizeof p->why, status);
}

/* ends the process, unless it has ended by itself; `why` NULL: says how it ended */
static void end(si_isolate *p, const char *why) {
  int status = -1;
  bool ended = !p->pid;
  /* the connection closes a moment before the process is gone */
  for (int i = 0; !ended && !why && i < 1000; i++) {
    ended = reap(p, &status, WNOHANG);
    if (!ended) usleep(i < 20 ? 100 : 1000);
  }
  if (!ended) {
    kill(p->pid, SIGKILL);
    reap(p, &status, 0);
  }
  if (!p->why[0] && why)
    snprintf(p->why, sizeof p->why, "%s", why);
  else if (!p->why[0])
    note_end(p, status);
  p->pid = 0;
}

const char *si_isolate_ended(si_isolate *p) {
  int status;
  if (p->pid && reap(p, &status, WNOHANG)) {
    note_end(p, status);
    p->pid = 0;
  }
  return p->pid ? NULL : p->why;
}

long si_isolate_number(const si_isolate *p) { return (long)p->pid; }

static sinew_status fail_ended(si_isolate *p, sinew_error *error) {
  return si_fail(error, SINEW_ERR_SCRIPT, "%s", p->why);
}

void si_isolate_close(si_isolate *p) {
  if (!p) return;
  for (int i = 0; i < p->kind_count; i++) {
    p->kinds[i]->process = NULL;
    si_remote_kind_release(p->kinds[i]);
  }
  si_free(p->kinds);
  if (p->pid) end(p, "closed");
  if (p->socket >= 0) close(p->socket);
  if (p->shared) munmap(p->shared, sizeof *p->shared);
  si_free(p);
}

/* --- its start */

/* a descriptor above those that the process will have */
static int moved_up(int file) {
  if (file < 0) return -1;
  int high = fcntl(file, F_DUPFD_CLOEXEC, 16);
  close(file);
  return high;
}

/* memory of a fixed size, which the other side cannot cut */
static int make_memory(void) {
#if defined(__linux__)
  int file = memfd_create("sinew rig", MFD_CLOEXEC | MFD_ALLOW_SEALING);
  bool fine = file >= 0 && ftruncate(file, (off_t)sizeof(si_isolate_shared)) == 0 &&
              fcntl(file, F_ADD_SEALS, F_SEAL_SHRINK | F_SEAL_GROW | F_SEAL_SEAL) == 0;
#else
  char name[64];
  static atomic_uint number;
  snprintf(name, sizeof name, "/sinew.%ld.%u", si_process(), atomic_fetch_add(&number, 1));
  int file = shm_open(name, O_RDWR | O_CREAT | O_EXCL, 0600);
  if (file >= 0) shm_unlink(name);
  bool fine = file >= 0 && ftruncate(file, (off_t)sizeof(si_isolate_shared)) == 0;
#endif
  if (fine || file < 0) return moved_up(file);
  close(file);
  return -1;
}

static bool keeps(const char *variable) {
  static const char *const names[] = { "ASAN_OPTIONS=", "UBSAN_OPTIONS=", "LD_LIBRARY_PATH=",
                                       "DYLD_LIBRARY_PATH=" };
  for (size_t i = 0; i < sizeof names / sizeof *names; i++)
    if (strncmp(variable, names[i], strlen(names[i])) == 0) return true;
  return false;
}

/* the process gets little of the environment: it has no business with the rest */
static char **make_environment(void) {
  size_t count = 0, kept = 0;
  while (environ && environ[count]) count++;
  char **copy = si_alloc_array(count + 1, sizeof *copy);
  for (size_t i = 0; copy && i < count; i++)
    if (keeps(environ[i])) copy[kept++] = environ[i];
  return copy;
}

/* runs the program; errno or 0 */
static int spawn(si_isolate *p, const char *program, int theirs, int memory) {
  static char name[] = "sinew", argument[] = SI_ISOLATE_ARGUMENT;
  char *const arguments[] = { name, argument, NULL };
  char **environment = make_environment();
  if (!environment) return ENOMEM;
  posix_spawn_file_actions_t files;
  int wrong = posix_spawn_file_actions_init(&files);
  if (wrong) {
    si_free(environment);
    return wrong;
  }
  wrong = posix_spawn_file_actions_addopen(&files, 0, "/dev/null", O_RDONLY, 0);
  if (!wrong) wrong = posix_spawn_file_actions_addopen(&files, 1, "/dev/null", O_WRONLY, 0);
#if !defined(__SANITIZE_ADDRESS__) /* which reports there */
  if (!wrong) wrong = posix_spawn_file_actions_addopen(&files, 2, "/dev/null", O_WRONLY, 0);
#endif
  if (!wrong) wrong = posix_spawn_file_actions_adddup2(&files, theirs, SI_ISOLATE_SOCKET);
  if (!wrong) wrong = posix_spawn_file_actions_adddup2(&files, memory, SI_ISOLATE_MEMORY);
  pid_t pid = 0;
  if (!wrong) wrong = posix_spawnp(&pid, program, &files, NULL, arguments, environment);
  if (!wrong) p->pid = pid;
  posix_spawn_file_actions_destroy(&files);
  si_free(environment);
  return wrong;
}

static si_isolate *start(const sinew_host_desc *desc, sinew_error *error) {
  si_isolate *p = si_alloc(sizeof *p);
  if (!p) return si_memory_null(error);
  *p = (si_isolate){ .socket = -1,
                     .load_seconds = desc->load_seconds,
                     .eval_seconds = desc->eval_seconds,
                     .print = desc->print,
                     .user = desc->user };
  int pair[2] = { -1, -1 }, wrong = 0, memory = make_memory();
  if (memory < 0 || socketpair(AF_UNIX, SOCK_STREAM, 0, pair) != 0) wrong = errno;
  p->socket = moved_up(pair[0]);
  int theirs = moved_up(pair[1]);
  if (!wrong && (p->socket < 0 || theirs < 0)) wrong = errno;
#if defined(SO_NOSIGPIPE)
  if (!wrong) setsockopt(p->socket, SOL_SOCKET, SO_NOSIGPIPE, &(int){ 1 }, sizeof(int));
#endif
  if (!wrong) {
    void *shared = mmap(NULL, sizeof *p->shared, PROT_READ | PROT_WRITE, MAP_SHARED, memory, 0);
    if (shared == MAP_FAILED)
      wrong = errno;
    else
      p->shared = shared;
  }
  if (!wrong) wrong = spawn(p, desc->isolate, theirs, memory);
  if (theirs >= 0) close(theirs);
  if (memory >= 0) close(memory);
  if (!wrong) return p;
  si_fail(error, SINEW_ERR_CALL, "'%s' cannot be started as the rig's process: %s", desc->isolate,
          strerror(wrong));
  si_isolate_close(p);
  return NULL;
}

/* --- messages */

static const char stopped[] = "the rig's process was stopped";

static void print(si_isolate *p, si_wire *message) {
  if (!p->print || !message->size || p->printed >= most_printed) return;
  p->printed += message->size;
  /* room for the final zero, which the text need not have */
  if (!si_grow(&message->at, &message->room, message->size + 1, 1)) return;
  size_t length = si_text_make_plain((char *)message->at, message->size);
  p->print((const char *)message->at, length, p->user);
}

/* waits for the answer; takes over what is printed meanwhile. On failure the process has ended. */
static bool await(si_isolate *p, si_wire *dest, uint64_t deadline, const char *late) {
  for (;;) {
    uint32_t kind;
    int got = si_clock() < deadline ? si_message_receive(p->socket, &kind, dest, deadline) : 0;
    if (got == 1 && kind == SI_MESSAGE_ANSWER) return true;
    if (got == 1 && kind == SI_MESSAGE_PRINT) print(p, dest);
    if (got == 1) si_wire_free(dest);
    if (got == 1 && (kind == SI_MESSAGE_PRINT || kind == SI_MESSAGE_WAKE)) continue;
    end(p, got == 1       ? "the rig's process sent what is no answer, and was ended"
           : si_stopped() ? stopped
           : got == 0     ? late
                          : NULL);
    return false;
  }
}

static bool ask(si_isolate *p, uint32_t kind, const si_wire *question, si_wire *answer,
                double seconds) {
  char late[120];
  *answer = (si_wire){ .at = NULL };
  if (si_isolate_ended(p)) return false;
  uint64_t deadline = in_seconds(seconds) + grace;
  snprintf(late, sizeof late, "the rig's process did not answer in %.3g s, and was ended",
           seconds + grace * 1e-9);
  if (!si_message_send(p->socket, kind, question, deadline)) {
    end(p, question && question->failed ? "a message to the rig's process is too large" : NULL);
    return false;
  }
  return await(p, answer, deadline, late);
}

static void put_load(si_wire *w, const sinew_host_desc *desc, const char *path,
                     const char *const *options, int option_count) {
  si_wire_text(w, sinew_version());
  si_wire_int(w, sizeof(si_isolate_shared));
  si_wire_text(w, path);
  si_wire_text(w, desc->modules);
  si_wire_text(w, desc->tuning);
  si_wire_number(w, desc->load_seconds);
  si_wire_number(w, desc->eval_seconds);
  si_wire_int(w, desc->load_instructions);
  si_wire_int(w, desc->eval_instructions);
  si_wire_int(w, (int64_t)desc->memory);
  si_wire_int(w, option_count);
  for (int i = 0; i < option_count; i++) si_wire_text(w, options[i]);
}

/* the process now belongs to the report's kinds as well */
static bool give_kinds(si_isolate *p, const si_report *report) {
  p->kinds = si_alloc_array((size_t)report->kind_count + 1, sizeof *p->kinds);
  if (!p->kinds) return false;
  for (; p->kind_count < report->kind_count; p->kind_count++) {
    si_remote_kind *kind = report->kinds[p->kind_count];
    kind->cls.retain(&kind->cls);
    kind->process = p;
    p->kinds[p->kind_count] = kind;
  }
  return true;
}

si_isolate *si_isolate_load(const sinew_host_desc *desc, const char *path,
                            const char *const *options, int option_count, si_report *dest,
                            sinew_error *error) {
  *dest = (si_report){ .message = NULL };
  si_isolate *p = start(desc, error);
  if (!p) return NULL;
  si_wire question = { .at = NULL }, answer;
  put_load(&question, desc, path, options, option_count);
  /* compiling and reading meshes are not part of the script's time */
  bool came = ask(p, SI_MESSAGE_LOAD, &question, &answer, 2 * desc->load_seconds + 1);
  si_wire_free(&question);
  if (!came && si_stopped())
    si_fail_stopped(error);
  else if (!came)
    si_fail(error, SINEW_ERR_SCRIPT, "%s: %s", path, p->why);
  else if (!si_report_read(answer.at, answer.size, dest))
    si_fail(error, SINEW_ERR_SCRIPT, "%s: the rig's process sent a report that is wrong", path);
  else if (dest->error.status < 0)
    *error = dest->error;
  else if (give_kinds(p, dest))
    return p;
  else
    si_fail_memory(error);
  si_isolate_close(p);
  return NULL;
}

/* --- evaluations */

void si_isolate_begin(si_isolate *p) { p->deadline = in_seconds(p->eval_seconds); }
void si_isolate_end(si_isolate *p) { p->deadline = 0; }

float *si_isolate_values(si_isolate *p) { return p->pid ? p->shared->values : NULL; }

static bool answered(const si_isolate *p) {
  return atomic_load_explicit(&p->shared->answered, memory_order_acquire) == p->asked;
}

static bool look(const si_isolate *p) {
  for (uint64_t until = si_clock() + look_for; !answered(p);) {
    for (int i = 0; i < 64 && !answered(p); i++) {
    }
    if (si_clock() >= until) return answered(p);
    sched_yield();
  }
  return true;
}

/* sleeps until the answer is there; false if the process has ended */
static bool sleep_for_answer(si_isolate *p, uint64_t deadline) {
  char late[120];
  snprintf(late, sizeof late, "the rig's process did not answer in %.3g s, and was ended",
           p->eval_seconds + grace * 1e-9);
  for (;;) {
    atomic_store(&p->shared->parent_sleeps, 1);
    if (answered(p)) break;
    uint32_t kind;
    si_wire message;
    int got = si_clock() < deadline ? si_message_receive(p->socket, &kind, &message, deadline) : 0;
    if (got == 1 && kind == SI_MESSAGE_PRINT) print(p, &message);
    if (got == 1) si_wire_free(&message);
    if (got == 1 && (kind == SI_MESSAGE_PRINT || kind == SI_MESSAGE_WAKE)) continue;
    end(p, got == 1       ? "the rig's process sent what is no answer, and was ended"
           : si_stopped() ? stopped
           : got == 0     ? late
                          : NULL);
    return false;
  }
  atomic_store(&p->shared->parent_sleeps, 0);
  return true;
}

sinew_status si_isolate_eval(si_isolate *p, uint32_t component, sinew_error *error) {
  if (!p->pid) return fail_ended(p, error);
  if (p->deadline && si_clock() > p->deadline)
    return si_fail(error, SINEW_ERR_SCRIPT, "stopped: one evaluation took more than %g seconds",
                   p->eval_seconds);
  si_isolate_shared *s = p->shared;
  uint64_t deadline = in_seconds(p->eval_seconds) + grace;
  s->component = component;
  p->asked++;
  atomic_store(&s->asked, p->asked);
  if (atomic_load(&s->child_sleeps) &&
      !si_message_send(p->socket, SI_MESSAGE_WAKE, NULL, si_clock() + wake_within)) {
    end(p, NULL);
    return fail_ended(p, error);
  }
  if (!look(p) && !sleep_for_answer(p, deadline)) return fail_ended(p, error);
  sinew_status status = (sinew_status)s->status;
  if (status >= 0) return SINEW_OK;
  char text[sizeof s->text];
  memcpy(text, s->text, sizeof text);
  text[sizeof text - 1] = '\0';
  si_text_make_plain(text, strlen(text));
  return si_fail(error, SINEW_ERR_SCRIPT, "%s", text);
}

/* --- the rest */

static bool send_question(si_isolate *p, uint32_t kind, const si_wire *question, si_unwire *r,
                          si_wire *answer, sinew_error *error) {
  bool came = ask(p, kind, question, answer, p->eval_seconds);
  *r = (si_unwire){ answer->at, answer->size, false };
  if (!came) {
    fail_ended(p, error);
    return false;
  }
  sinew_status status = (sinew_status)si_unwire_int(r, SINEW_ERR_CALL, SINEW_CLAMPED);
  const char *text = si_unwire_name(r);
  if (r->failed)
    si_fail(error, SINEW_ERR_SCRIPT, "the rig's process sent an answer that is wrong");
  else if (status < 0)
    si_fail(error, status, "%s", text);
  return !r->failed && status >= 0;
}

sinew_status si_isolate_verify(si_isolate *p, uint32_t component, sinew_error *error) {
  SI_OWN_ERROR(error);
  si_wire question = { .at = NULL }, answer;
  si_unwire r;
  si_wire_int(&question, component);
  bool fine = send_question(p, SI_MESSAGE_VERIFY, &question, &r, &answer, error);
  si_wire_free(&question);
  si_wire_free(&answer);
  return fine ? SINEW_OK : error->status;
}

static void take_mark(si_unwire *r, sinew_mark *dest) {
  *dest = (sinew_mark){ .kind = (sinew_mark_kind)si_unwire_int(r, 0, SINEW_MARK_TEXT) };
  dest->color = (uint32_t)si_unwire_int(r, 0, SINEW_MARK_COLOR | 0xffffff);
  si_unwire_floats(r, dest->at, 3);
  si_unwire_floats(r, dest->to, 3);
  si_unwire_floats(r, dest->size, 3);
  si_unwire_floats(r, dest->turn, 9);
  snprintf(dest->text, sizeof dest->text, "%s", si_unwire_name(r));
  for (int i = 0; i < 3; i++)
    if (dest->size[i] < 0) r->failed = true;
  if (dest->kind != SINEW_MARK_DISC && dest->kind != SINEW_MARK_CONE) return;
  double length = 0;
  for (int i = 0; i < 3; i++) length += (double)dest->to[i] * (double)dest->to[i];
  if (!(length > 0.99 && length < 1.01)) r->failed = true;
}

sinew_status si_isolate_draw(si_isolate *p, uint32_t component, sinew_mark *dest, int *count,
                             sinew_error *error) {
  SI_OWN_ERROR(error);
  si_wire question = { .at = NULL }, answer;
  si_unwire r;
  *count = 0;
  si_wire_int(&question, component);
  bool fine = send_question(p, SI_MESSAGE_DRAW, &question, &r, &answer, error);
  int marks = fine ? (int)si_unwire_int(&r, 0, SINEW_MARKS) : 0;
  for (int i = 0; i < marks; i++) take_mark(&r, &dest[i]);
  if (fine && !si_unwire_done(&r)) {
    fine = false;
    si_fail(error, SINEW_ERR_SCRIPT, "the rig's process sent an answer that is wrong");
  }
  si_wire_free(&question);
  si_wire_free(&answer);
  if (!fine) return error->status;
  *count = marks;
  return SINEW_OK;
}

sinew_status si_isolate_params(si_isolate *p, uint32_t component, const sinew_param *params,
                               int count, sinew_error *error) {
  SI_OWN_ERROR(error);
  si_wire question = { .at = NULL }, answer;
  si_unwire r;
  si_wire_int(&question, component);
  si_wire_int(&question, count);
  for (int i = 0; i < count; i++) {
    if (params[i].type == SINEW_PARAM_OBJECT) {
      si_wire_free(&question);
      return si_fail(error, SINEW_ERR_TYPE,
                     "parameter '%s' is an object, which a rig in a process of its own cannot be "
                     "given",
                     params[i].name);
    }
    si_wire_param(&question, &params[i]);
  }
  bool fine = send_question(p, SI_MESSAGE_PARAMS, &question, &r, &answer, error);
  si_wire_free(&question);
  si_wire_free(&answer);
  return fine ? SINEW_OK : error->status;
}

#else /* Windows has neither fork and rlimits nor anything that they could be replaced by */

si_isolate *si_isolate_load(const sinew_host_desc *desc, const char *path,
                            const char *const *options, int option_count, si_report *dest,
                            sinew_error *error) {
  (void)desc, (void)options, (void)option_count;
  *dest = (si_report){ .message = NULL };
  return si_fail_null(error, SINEW_ERR_CALL,
                      "%s: a rig in a process of its own is not available on Windows", path);
}

void si_isolate_close(si_isolate *process) { (void)process; }
const char *si_isolate_ended(si_isolate *process) { return process ? "" : NULL; }
long si_isolate_number(const si_isolate *process) { return process ? 0 : 0; }
void si_isolate_begin(si_isolate *process) { (void)process; }
void si_isolate_end(si_isolate *process) { (void)process; }
float *si_isolate_values(si_isolate *process) { return process ? NULL : NULL; }

static sinew_status not_here(sinew_error *error) {
  return si_fail(error, SINEW_ERR_CALL, "there is no process of the rig");
}

sinew_status si_isolate_eval(si_isolate *process, uint32_t component, sinew_error *error) {
  (void)process, (void)component;
  return not_here(error);
}
sinew_status si_isolate_verify(si_isolate *process, uint32_t component, sinew_error *error) {
  (void)process, (void)component;
  return not_here(error);
}
sinew_status si_isolate_draw(si_isolate *process, uint32_t component, sinew_mark *dest, int *count,
                             sinew_error *error) {
  (void)process, (void)component, (void)dest;
  *count = 0;
  return not_here(error);
}
sinew_status si_isolate_params(si_isolate *process, uint32_t component, const sinew_param *params,
                               int count, sinew_error *error) {
  (void)process, (void)component, (void)params, (void)count;
  return not_here(error);
}

#endif
