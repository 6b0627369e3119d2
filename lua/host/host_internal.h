/* What the process of a rig needs of its host. */
#ifndef SI_HOST_INTERNAL_H
#define SI_HOST_INTERNAL_H

#include "lua/host/sandbox/sandbox.h"
#include "sinew/host.h"

/* The sandbox of the rig, NULL before the first good load; and what is watched, also after a load
 * that failed. */
si_sandbox *si_host_sandbox(const sinew_host *host);
const si_watch *si_host_watch(const sinew_host *host);
/* The process in which the script runs; NULL: in this one. */
struct si_isolate;
struct si_isolate *si_host_process(const sinew_host *host);

#endif
