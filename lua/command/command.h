/* The command `sinew`: a table of subcommands, and what they share. */
#ifndef SI_COMMAND_H
#define SI_COMMAND_H

#include <sinew/host.h>
#include <sinew/sinew.h>

#include <stddef.h>
#include <stdio.h>

/* Exit codes. */
enum { EXIT_FINE = 0, EXIT_RIG = 1, EXIT_CALL = 2 };

/* The kind of an option or argument, and the C type it is stored as. */
typedef enum option_kind {
  OPTION_ARGUMENT, /* const char *: an argument without a dash, always required */
  OPTION_DOFS,     /* command_list of arguments such as knee.flexion=30 */
  OPTION_FLAG,     /* bool; takes no value */
  OPTION_TEXT,     /* const char * */
  OPTION_LIST,     /* command_list of the values of an option that may be repeated */
  OPTION_CHOICE,   /* int: the index of the word in the option's name, "--as cone|field" */
  OPTION_FLOAT,    /* a number in [low, high] */
  OPTION_DOUBLE,
  OPTION_INT, /* a whole number in [low, high] */
  OPTION_INT64,
} option_kind;

typedef struct command_option {
  const char *name; /* followed by the name of its value in the help: "--unit METRES" */
  option_kind kind;
  size_t offset;   /* offset of the member in which command_read stores it */
  const char *doc; /* may have several lines; NULL: only the usage line shows it */
  double low, high;
  bool required;
  const char *with;    /* other options, parted by spaces, of which it needs one */
  const char *without; /* and those that contradict it */
} command_option;

typedef struct command {
  const char *name;
  const char *usage;             /* what follows the name; NULL: generated from the options */
  const char *doc;               /* one line */
  const command_option *options; /* end with an entry without a name; NULL: `run` reads argv */
  const char *example;           /* a call that works in the project's folder */
  const char *help;              /* printed below the options; NULL: nothing */
  void (*more_help)(void);       /* prints more help; NULL: nothing */
  int (*run)(int argc, char **argv);
} command;

#define COMMAND(name) extern const command command_##name;
#include "lua/command/commands_list.h"
#undef COMMAND

/* The value of --tuning; NULL: the file beside the rig. */
extern const char *command_tuning;
/* --isolate: the script runs in a process of its own. */
extern bool command_isolate;
/* The value of --load-seconds, a positive number; NULL: the default. */
extern const char *command_load_seconds;
/* The values of --option, "name=value". */
extern const char *const *command_options;
extern int command_option_count;
/* Loads a rig. NULL, with the error printed, when that fails. */
sinew_host *command_open(const char *path);
/* Lists the options of the rig, a line each, each line with `indent` in front. */
void command_list_options(const sinew_host *host, const char *indent);
/* Print to standard output and error what may be shown in a terminal: names come from files, and
 * may have bytes that are no UTF-8 and control characters, which become '?'. */
void command_print(const char *format, ...) SINEW_PRINTF(1, 2);
void command_tell(const char *format, ...) SINEW_PRINTF(1, 2);
/* Prints an error; returns false. */
bool command_failed(const sinew_error *error);
bool command_out_of_memory(void);
bool command_ends_with(const char *path, const char *ending);

/* The values of an option that may be repeated; they point into argv. */
typedef struct command_list {
  const command_option *options, *option;
  char **argv;
  int argc, count;
} command_list;
char *command_item(const command_list *list, int n);

/* Reads the arguments into the members named in `options`. Returns false, with a message and the
 * usage printed, if one is unknown, invalid or missing. */
bool command_read(const command *self, const command_option *options, int argc, char **argv,
                  void *dest);
/* Whether the options of a motion file suit its format; prints what does not, and the usage. */
bool command_source(const command *self, const char *path, const sinew_motion_options *source);
/* Sets the DOFs of the host's pose and evaluates it. EXIT_CALL for a bad DOF or number, EXIT_RIG
 * for a failed evaluation; the error is printed. */
int command_pose(sinew_host *host, const command_list *dofs);
/* Prints what is wrong with the arguments, and the usage; returns EXIT_CALL. */
int command_misused(const command *self, const char *format, ...) SINEW_PRINTF(2, 3);
void command_print_usage(const command *self, FILE *to);
void command_print_options(const command_option *options, int indent);

/* Progress on standard error, when it is a terminal and the work takes more than a second. */
typedef struct progress {
  double started, shown;
  bool terminal;
} progress;
progress progress_start(void);
void progress_show(progress *p, const char *what, double done, double total);
void progress_end(progress *p);

#endif
