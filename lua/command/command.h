/* The command `sinew`: a table of subcommands, and what they share. */
#ifndef SI_COMMAND_H
#define SI_COMMAND_H

#include <sinew/host.h>
#include <sinew/sinew.h>

/* Exit codes. */
enum { EXIT_FINE = 0, EXIT_RIG = 1, EXIT_CALL = 2 };

typedef struct command {
  const char *name;
  const char *usage;       /* what follows the name */
  const char *doc;         /* one line */
  const char *help;        /* options and examples, ended by a line end */
  void (*more_help)(void); /* prints what stands in tables; NULL: nothing */
  int (*run)(int argc, char **argv);
} command;

#define COMMAND(name) extern const command command_##name;
#include "lua/command/commands_list.h"
#undef COMMAND

/* What --tuning says; NULL: the rig's own. */
extern const char *command_tuning;
/* A rig, loaded from the script. NULL, with the error printed, when it is wrong. */
sinew_host *command_open(const char *path);
/* Arguments such as "knee.flexion=30" set on the host's pose; false, with a message, when one is no
 * DOF or no number. */
bool command_set_dof(sinew_host *host, const char *argument);
/* Whether an argument sets a DOF. */
bool command_is_dof(const char *argument);
/* Evaluates the host's pose; false with the error printed. */
bool command_eval_pose(sinew_host *host);
/* A mistake in the call: prints it and how the command is used; EXIT_CALL. */
int command_misused(const command *self, const char *format, ...)
    __attribute__((format(printf, 2, 3)));

/* Progress on standard error, when it is a terminal and the work takes more than a second. */
typedef struct progress {
  double started, shown;
  bool terminal;
} progress;
progress progress_start(void);
void progress_show(progress *p, const char *what, double done, double total);
void progress_end(progress *p);

#endif
