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
      "the rig's folder. --load-seconds N lets it take longer to load (5).\n"
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

/* removes the options of `common` and `--isolate`, which every command accepts, from the arguments.
 * `options` has room for all arguments. Returns a message if one is wrong, or NULL. */
static const char *take_common(int *argc, char **argv, const char **options) {
  static const char *const common[] = { "--tuning", "--option", "--load-seconds" };
  static const char *const expected[] = { "'--tuning' expects a file or 'none'",
                                          "'--option' expects NAME=VALUE",
                                          "'--load-seconds' expects a positive number" };
  int kept = 0;
  for (int i = 0; i < *argc; i++) {
    int which = 0;
    while (which < 3 && strcmp(argv[i], common[which]) != 0) which++;
    if (strcmp(argv[i], "--isolate") == 0) {
      command_isolate = true;
      continue;
    }
    if (which == 3) {
      argv[kept++] = argv[i];
      continue;
    }
    const char *value = ++i < *argc ? argv[i] : "";
    char *end;
    bool fine = which == 0   ? *value != '\0'
                : which == 1 ? strchr(value, '=') != NULL
                             : strtod(value, &end) > 0 && !*end;
    if (!fine) return expected[which];
    if (which == 0) command_tuning = strcmp(value, "none") == 0 ? "" : value;
    if (which == 1) options[command_option_count++] = value;
    if (which == 2) command_load_seconds = value;
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
  si_interrupt_tell("sinew");
  /* what is to be written is written though nobody reads the rest */
  si_failed_write_is_error(true);
  int code = run(argc, argv);
  if (fflush(stdout) != 0 || ferror(stdout)) {
    /* who reads only the first lines, as `head` does, expects no message */
    if (errno != EPIPE) command_tell("sinew: cannot write the output: %s\n", strerror(errno));
    return code ? code : EXIT_CALL;
  }
  return code;
}
