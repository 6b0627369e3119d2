/* The tuning of a rig by a file in the same folder: `human.tuning.lua` for `human.lua`. Applying it
 * records which of the rig's values it changed, so that they can be written back. */
#ifndef SI_TUNED_H
#define SI_TUNED_H

#include "lua/host/sandbox/sandbox.h"
#include "lua/rig/rig_lua.h"
#include "sinew/host.h"

typedef struct si_tuned {
  si_tuned_kind kind;
  char *name;
  char *param; /* of a component; NULL for others */
} si_tuned;

typedef struct si_tuned_list {
  si_tuned *items;
  size_t count, room;
} si_tuned_list;

/* Adds an entry, unless it exists; false when memory runs out. */
bool si_tuned_add(si_tuned_list *list, si_tuned_kind kind, const char *name, const char *param);
const si_tuned *si_tuned_find(const si_tuned_list *list, si_tuned_kind kind, const char *name,
                              const char *param);
void si_tuned_free(si_tuned_list *list);

/* The default path of a rig's tuning. The caller frees it; NULL when memory runs out. */
char *si_tuned_path(const char *rig_path);
/* Runs the file and tunes the rig that the sandbox's script returned. */
sinew_status si_tuned_apply(si_sandbox *sandbox, const char *path, si_tuned_list *dest,
                            sinew_error *error);
/* Puts file and line before a message about something that the tuning names. If no name is found,
 * but `sure` says that the tuning is the cause, puts only the file. */
void si_tuned_blame(const char *path, bool sure, sinew_error *error);

/* What the tuning of the current rig changed. */
const si_tuned_list *si_host_tuned(const sinew_host *host);

#endif
