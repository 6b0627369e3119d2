/* What the files of the host share, and what the process of a rig needs of it. */
#ifndef SI_HOST_INTERNAL_H
#define SI_HOST_INTERNAL_H

#include "lua/base/watch.h"
#include "lua/host/load.h"

#include <pthread.h>
#include <stdatomic.h>

/* A load that has begun and not ended: `make` runs here or on a thread of its own. */
typedef struct si_loading {
  const sinew_host *host;
  pthread_t thread;
  atomic_bool done;
  char *path;
  si_chosen chosen;
  si_load load;
  sinew_status status;
  sinew_error error;
  char ended[200]; /* why the rig's process ended, if that is why it is loaded */
} si_loading;

struct sinew_host {
  sinew_host_desc desc; /* its texts are the host's */
  char *path;
  si_chosen chosen;
  si_load good;
  bool loaded; /* `good` is the rig of `path`; else there is none, or an empty one */
  si_watch *watch;
  si_loading *loading; /* in the background; NULL: none */
  int interrupted;     /* loads in a row that were given up since a file was saved again */
  /* how often the rig's process was started again in the last seconds; since when, when last, and
   * for which DOFs */
  int restarts;
  double restarting_since, restarted_at;
  uint64_t restart_dofs;
  /* unlimited: they count and can be cancelled. That of loads is apart, since the host evaluates
   * while one runs in the background. */
  sinew_budget *budget, *load_budget;
  atomic_bool loads; /* whether `load_budget` is in use */
};

/* What runs from here on counts as the host's, so that sinew_host_cancel stops it. */
sinew_budget *si_host_enter(const sinew_host *host);
/* Gives up the load in the background, if there is one. */
void si_loading_give_up(sinew_host *host);

/* The sandbox of the rig, NULL before the first good load; and what is watched, also after a load
 * that failed. */
si_sandbox *si_host_sandbox(const sinew_host *host);
const si_watch *si_host_watch(const sinew_host *host);
/* The process in which the script runs; NULL: in this one. */
si_isolate *si_host_process(const sinew_host *host);

#endif
