/* sinew: evaluates, checks and explains rigs from the command line. */
#include "lua/command/command.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>

static const command *const commands[] = {
#define COMMAND(name) &command_##name,
#include "lua/command/commands_list.h"
#undef COMMAND
};
enum { command_count = sizeof commands / sizeof *commands };

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
    command_tuning = strcmp(argv[i], "none") == 0 ? "" : argv[i];
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
