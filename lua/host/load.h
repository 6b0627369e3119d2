/* One load of a rig: the Lua state or the process in which its script runs, and what came of it. A
 * load belongs to nobody else while it is made, so it can be made on a thread of its own. */
#ifndef SI_LOAD_H
#define SI_LOAD_H

#include "lua/host/chosen.h"
#include "lua/host/isolate/isolate.h"
#include "lua/host/isolate/isolate_report.h"
#include "lua/host/sandbox/sandbox.h"
#include "lua/host/shape.h"
#include "lua/host/tuned.h"
#include "sinew/host.h"

typedef struct si_load {
  si_sandbox *sandbox;
  si_program *program;
  sinew_pose *pose;
  si_shapes shapes;
  char *tuning; /* the path; NULL: none */
  bool tuned;   /* the file exists */
  si_tuned_list changed;
  si_declared options;
  si_isolate *process; /* where the script runs; NULL: in `sandbox` */
  si_report report;    /* that the process gave; it keeps the texts of `options` */
} si_load;

/* Fills `l`, which is zeroed: runs the script and compiles its rig, whose pose is not evaluated
 * yet. `l` is to be dropped also after a failure; until then it knows the files that were read. */
sinew_status si_load_make(si_load *l, const sinew_host_desc *desc, const char *path,
                          const si_chosen *chosen, sinew_error *error);
/* The same for a rig without bones. */
sinew_status si_load_empty(si_load *l, const sinew_host_desc *desc, sinew_error *error);
/* Evaluates a pose of its rig, within the budget of an evaluation. */
sinew_status si_load_eval(si_load *l, sinew_pose *pose, sinew_error *error);
void si_load_drop(si_load *l);

#endif
