/* sinew: evaluates, checks and explains rigs from the command line. */
#include "command.h"

#include <sinew/modules.h>

#include <errno.h>
#include <limits.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

static const command *const commands[] = {
#define COMMAND(name) &command_##name,
#include "commands_list.h"
#undef COMMAND
};
enum { command_count = sizeof commands / sizeof *commands };

/* what --tuning says; NULL: the rig's own */
static const char *tuning;

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
  desc.tuning = tuning;
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

static void print_help(const command *c) {
  printf("usage: sinew %s %s\n\n%s\n", c->name, c->usage, c->doc);
  if (*c->help || c->more_help) printf("\n%s", c->help);
  if (c->more_help) c->more_help();
}

static bool is_help(const char *argument) {
  return strcmp(argument, "--help") == 0 || strcmp(argument, "-h") == 0;
}

static int usage(FILE *to, int code) {
  fprintf(to, "usage: sinew COMMAND FILE ...\n\n");
  for (int i = 0; i < command_count; i++)
    fprintf(to, "  %-8s %s\n", commands[i]->name, commands[i]->doc);
  fprintf(
      to,
      "\nEvery command takes --tuning FILE, a table of other values for the rig; without it the\n"
      "file RIG.tuning.lua beside RIG.lua counts, where there is one, and with --tuning none\n"
      "nothing.\n"
      "\n`sinew COMMAND --help` says more. Exit codes: 0 fine, 1 the file is wrong, 2 the call "
      "is wrong.\n");
  return code;
}

/* letters of two words that agree, in order: enough to guess which of the commands was meant */
static const command *nearest_command(const char *typed) {
  const command *best = NULL;
  size_t best_score = 1;
  for (int i = 0; i < command_count; i++) {
    size_t score = 0;
    for (const char *a = typed, *b = commands[i]->name; *a && *b; b++)
      if (*a == *b) a++, score++;
    if (score > best_score) best = commands[i], best_score = score;
  }
  return best;
}

static int unknown_command(const char *typed) {
  const command *near = nearest_command(typed);
  fprintf(stderr, "sinew: no command '%s'", typed);
  if (near) fprintf(stderr, " (did you mean '%s'?)", near->name);
  fprintf(stderr, "; see `sinew --help`\n");
  return EXIT_CALL;
}

/* takes `--tuning FILE` or `--tuning none`, which every command has, out of the arguments */
static bool take_tuning(int *argc, char **argv) {
  int kept = 0;
  for (int i = 0; i < *argc; i++) {
    if (strcmp(argv[i], "--tuning") != 0) {
      argv[kept++] = argv[i];
      continue;
    }
    if (++i == *argc || !*argv[i]) return false;
    tuning = strcmp(argv[i], "none") == 0 ? "" : argv[i];
  }
  *argc = kept;
  return true;
}

static int run(int argc, char **argv) {
  if (argc < 2) return usage(stderr, EXIT_CALL);
  bool help = is_help(argv[1]) || strcmp(argv[1], "help") == 0;
  if (help && argc == 2) return usage(stdout, EXIT_FINE);
  if (strcmp(argv[1], "--version") == 0) return printf("sinew %s\n", sinew_version()), EXIT_FINE;
  const char *name = help ? argv[2] : argv[1];
  const command *found = NULL;
  for (int i = 0; i < command_count; i++)
    if (strcmp(name, commands[i]->name) == 0) found = commands[i];
  if (!found) return unknown_command(name);
  for (int i = 2; i < argc; i++) help |= is_help(argv[i]);
  if (!help) {
    argc -= 2;
    if (!take_tuning(&argc, argv + 2))
      return command_misused(found, "'--tuning' wants a file, or 'none'");
    return found->run(argc, argv + 2);
  }
  print_help(found);
  return EXIT_FINE;
}

int main(int argc, char **argv) {
  int code = run(argc, argv);
  if (fflush(stdout) != 0 || ferror(stdout)) {
    fprintf(stderr, "sinew: the output could not be written: %s\n", strerror(errno));
    return EXIT_CALL;
  }
  return code;
}
