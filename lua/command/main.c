/* sinew: evaluates, checks and explains rigs from the command line. */
#include "lua/command/command.h"

#include "base/names.h"
#include "base/platform.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

static const command *const commands[] = {
#define COMMAND(name) &command_##name,
#include "lua/command/commands_list.h"
#undef COMMAND
};
enum { command_count = sizeof commands / sizeof *commands };

static void print_help(const command *c) {
  command_print_usage(c, stdout);
  command_print("\n%s\n", c->doc);
  if (c->options && c->options[0].name) command_print("\n");
  if (c->options) command_print_options(c->options, 2);
  if (c->help) command_print("\n%s", c->help);
  if (c->more_help) c->more_help();
  command_print("\nexample: %s\n", c->example);
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
      "\nEvery command takes --tuning FILE, a table of values that replace those of the rig. The\n"
      "default is RIG.tuning.lua beside RIG.lua, if there is one; --tuning none ignores it.\n"
      "--option NAME=VALUE chooses an option of the rig, any number of them; check lists them.\n"
      "--isolate runs the rig's script in a process of its own, which can only compute and read\n"
      "the rig's folder.\n"
      "\nSee `sinew COMMAND --help`, which also shows an example. Exit codes: 0 success, 1 an "
      "error in a file, 2 an error in "
      "the arguments.\n");
  return code;
}

static int unknown_command(const char *typed) {
  si_nearest nearest;
  char words[200];
  si_nearest_start(&nearest, typed);
  for (int i = 0; i < command_count; i++) si_nearest_offer(&nearest, commands[i]->name);
  command_tell("sinew: unknown command '%s'%s; see `sinew --help`\n", typed,
               si_nearest_words(&nearest, words, sizeof words));
  return EXIT_CALL;
}

/* removes `--tuning FILE`, `--tuning none`, `--option NAME=VALUE` and `--isolate`, which every
 * command accepts, from the arguments. `options` has room for all arguments. Returns a message if
 * one is wrong, or NULL. */
static const char *take_common(int *argc, char **argv, const char **options) {
  int kept = 0;
  for (int i = 0; i < *argc; i++) {
    bool tuning = strcmp(argv[i], "--tuning") == 0, option = strcmp(argv[i], "--option") == 0;
    if (strcmp(argv[i], "--isolate") == 0) {
      command_isolate = true;
      continue;
    }
    if (!tuning && !option) {
      argv[kept++] = argv[i];
      continue;
    }
    bool missing = ++i == *argc;
    if (tuning && (missing || !*argv[i])) return "'--tuning' expects a file or 'none'";
    if (option && (missing || !strchr(argv[i], '='))) return "'--option' expects NAME=VALUE";
    if (option)
      options[command_option_count++] = argv[i];
    else
      command_tuning = strcmp(argv[i], "none") == 0 ? "" : argv[i];
  }
  *argc = kept;
  return NULL;
}

static int run(int argc, char **argv) {
  if (argc < 2) return usage(stderr, EXIT_CALL);
  bool help = is_help(argv[1]) || strcmp(argv[1], "help") == 0;
  if (help && argc == 2) return usage(stdout, EXIT_FINE);
  if (strcmp(argv[1], "--version") == 0) {
    command_print("sinew %s\n", sinew_version());
    return EXIT_FINE;
  }
  const char *name = help ? argv[2] : argv[1];
  const command *found = NULL;
  for (int i = 0; i < command_count; i++)
    if (strcmp(name, commands[i]->name) == 0) found = commands[i];
  if (!found) return unknown_command(name);
  for (int i = 2; i < argc; i++) help |= is_help(argv[i]);
  if (!help) {
    argc -= 2;
    const char **options = calloc((size_t)argc + 1, sizeof *options);
    if (!options) return command_out_of_memory(), EXIT_CALL;
    command_options = options;
    const char *wrong = take_common(&argc, argv + 2, options);
    int code = wrong ? command_misused(found, "%s", wrong) : found->run(argc, argv + 2);
    free(options);
    return code;
  }
  print_help(found);
  return EXIT_FINE;
}

int main(int argc, char **argv) {
  int served = sinew_host_serve(argc, argv);
  if (served >= 0) return served;
  si_broken_pipe_is_error(true); /* what is to be written is written though nobody reads the rest */
  int code = run(argc, argv);
  if (fflush(stdout) != 0 || ferror(stdout)) {
    /* who reads only the first lines, as `head` does, expects no message */
    if (errno != EPIPE) command_tell("sinew: cannot write the output: %s\n", strerror(errno));
    return code ? code : EXIT_CALL;
  }
  return code;
}
