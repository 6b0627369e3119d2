/* What the subcommands share: see command.h. */
#include "lua/command/command.h"

#include <sinew/modules.h>

#include <errno.h>
#include <limits.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

const char *command_tuning;

static void print_text(const char *text, size_t length, void *user) {
  (void)user;
  fprintf(stderr, "%.*s\n", (int)length, text);
}

sinew_host *command_open(const char *path) {
  char folder[PATH_MAX + 32];
  sinew_error error;
  sinew_host_desc desc = sinew_default_host_desc();
  desc.modules = sinew_module_folder(folder, sizeof folder);
  desc.print = print_text;
  desc.tuning = command_tuning;
  sinew_host *host = sinew_host_create(&desc, &error);
  if (host && sinew_host_load(host, path, &error) >= 0) return host;
  fprintf(stderr, "sinew: %s\n", error.text);
  sinew_host_destroy(host);
  return NULL;
}

bool command_is_dof(const char *argument) {
  const char *equals = strchr(argument, '=');
  return argument[0] != '-' && equals && !memchr(argument, '/', (size_t)(equals - argument));
}

bool command_set_dof(sinew_host *host, const char *argument) {
  char name[256];
  sinew_error error;
  const char *equals = strchr(argument, '=');
  snprintf(name, sizeof name, "%.*s", (int)(equals - argument), argument);
  char *end;
  errno = 0;
  float value = strtof(equals + 1, &end);
  sinew_dof dof = sinew_rig_find_dof(sinew_host_rig(host), name, &error);
  if (!dof.id) {
    fprintf(stderr, "sinew: %s\n", error.text);
    return false;
  }
  if (end == equals + 1 || *end) {
    fprintf(stderr, "sinew: '%s': '%s' is no number\n", name, equals + 1);
    return false;
  }
  if (sinew_pose_set(sinew_host_pose(host), dof, value, &error) < 0) {
    fprintf(stderr, "sinew: %s\n", error.text);
    return false;
  }
  return true;
}

bool command_eval_pose(sinew_host *host) {
  sinew_error error;
  if (sinew_host_eval(host, sinew_host_pose(host), &error) >= 0) return true;
  fprintf(stderr, "sinew: %s\n", error.text);
  return false;
}

int command_misused(const command *self, const char *format, ...) {
  va_list args;
  fprintf(stderr, "sinew %s: ", self->name);
  va_start(args, format);
  vfprintf(stderr, format, args);
  va_end(args);
  fprintf(stderr, "\nusage: sinew %s %s\n", self->name, self->usage);
  return EXIT_CALL;
}

static double seconds(void) {
  struct timespec t;
  clock_gettime(CLOCK_MONOTONIC, &t);
  return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

progress progress_start(void) {
  return (progress){ .started = seconds(), .terminal = isatty(STDERR_FILENO) };
}

void progress_show(progress *p, const char *what, double done, double total) {
  double now = seconds();
  if (!p->terminal || now - p->started < 1 || now - p->shown < 0.1) return;
  double left = done > 0 ? (now - p->started) * (total - done) / done : 0;
  fprintf(stderr, "\r%s %3.0f%%, %.0f s left  ", what, 100 * done / total, left);
  p->shown = now;
}

void progress_end(progress *p) {
  if (p->shown > 0) fprintf(stderr, "\r%40s\r", "");
}
