/* The options of a hosted rig script: what was chosen, as "name=value", and what it declared. */
#ifndef SI_CHOSEN_H
#define SI_CHOSEN_H

#include "lua/host/sandbox/sandbox.h"
#include "sinew/host.h"

/* What was chosen; the texts are its own. */
typedef struct si_chosen {
  char **texts;
  size_t count, room;
} si_chosen;

/* Chooses "name=value" instead of what was chosen for that name; false when memory runs out. */
bool si_chosen_add(si_chosen *chosen, const char *text);
/* A copy of all; false when memory runs out. */
bool si_chosen_copy(si_chosen *dest, const si_chosen *from);
void si_chosen_free(si_chosen *chosen);

/* What a script declared, with all texts in one block. */
typedef struct si_declared {
  sinew_host_option *options;
  char *block;
  int count;
} si_declared;

/* Before the script runs. */
sinew_status si_chosen_begin(si_sandbox *sandbox, const si_chosen *chosen, sinew_error *error);
/* After it has run; fails for a choice that it did not declare. */
sinew_status si_chosen_finish(si_sandbox *sandbox, si_declared *dest, sinew_error *error);
void si_declared_free(si_declared *declared);

#endif
