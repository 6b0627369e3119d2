/* A rig's script in a process of its own. This side starts the process, gives it the path, and gets
 * a report of the rig; afterwards it asks the process to evaluate the components that could not be
 * recorded, to draw, to verify, and to take changed parameters. Whatever the process does, each
 * call returns in time; when it crashes, hangs or sends what is no answer, it is ended, and all
 * further calls fail with why.
 *
 * Values of an evaluation lie in memory that both share: the inputs of the component, its outputs,
 * its holds, with room for a matrix each (the holds lie one after the other). */
#ifndef SI_ISOLATE_H
#define SI_ISOLATE_H

#include "lua/host/isolate/isolate_wire.h"
#include "sinew/host.h"

#include <stdatomic.h>

enum {
  SI_ISOLATE_PORT = 16, /* floats of a port */
  SI_ISOLATE_VALUES = 2 * 64 * SI_ISOLATE_PORT + 128
};

typedef struct si_isolate si_isolate;
struct si_report;

/* Starts the process of the desc's `isolate` and loads the rig in it. Fills `dest` with its report,
 * to be freed by si_report_free in any case; NULL, with `error` filled, if the load failed. */
si_isolate *si_isolate_load(const sinew_host_desc *desc, const char *path,
                            const char *const *options, int option_count, struct si_report *dest,
                            sinew_error *error);
/* Ends the process. NULL is allowed. */
void si_isolate_close(si_isolate *process);
/* Why the process has ended: "the rig's process ended (signal 11, Segmentation fault)"; NULL while
 * it runs. */
const char *si_isolate_ended(si_isolate *process);
long si_isolate_number(const si_isolate *process); /* of the process; 0: it has ended */

/* One evaluation of the rig, in which all components share the desc's `eval_seconds`. */
void si_isolate_begin(si_isolate *process);
void si_isolate_end(si_isolate *process);
/* The shared values; NULL when the process has ended. */
float *si_isolate_values(si_isolate *process);
/* Evaluates a component, or asks it to verify: `error` says what is wrong. */
sinew_status si_isolate_eval(si_isolate *process, uint32_t component, sinew_error *error);
sinew_status si_isolate_verify(si_isolate *process, uint32_t component, sinew_error *error);
/* What a component draws, with its inputs in the shared values. */
sinew_status si_isolate_draw(si_isolate *process, uint32_t component, sinew_mark *dest, int *count,
                             sinew_error *error);
/* Changes parameters of a scripted component there. */
sinew_status si_isolate_params(si_isolate *process, uint32_t component, const sinew_param *params,
                               int count, sinew_error *error);

/* --- between both sides */

#define SI_ISOLATE_ARGUMENT "--rig-process" /* the only argument of the process */

enum {
  SI_ISOLATE_SOCKET = 3, /* descriptors of the process: the connection, and the shared memory */
  SI_ISOLATE_MEMORY = 4
};

/* kinds of message */
enum {
  SI_MESSAGE_LOAD = 1,
  SI_MESSAGE_EVAL,
  SI_MESSAGE_VERIFY,
  SI_MESSAGE_DRAW,
  SI_MESSAGE_PARAMS,
  SI_MESSAGE_ANSWER, /* the last for each of the above */
  SI_MESSAGE_PRINT,
  SI_MESSAGE_WAKE /* look at the shared memory */
};

/* Evaluations go through this memory alone while both sides are awake: a side that waits looks at
 * it for a short while, then says that it sleeps, and is woken by a message. */
typedef struct si_isolate_shared {
  _Atomic uint32_t asked, answered; /* numbers of evaluations */
  _Atomic uint32_t child_sleeps, parent_sleeps;
  uint32_t component;
  int32_t status;
  _Alignas(64) float values[SI_ISOLATE_VALUES];
  char text[SINEW_ERROR_TEXT]; /* what is wrong */
} si_isolate_shared;

/* Sends a message, or waits for one, until `deadline` of si_clock; 0: without end. Receiving gives
 * 1, 0 when time is up, and -1 when the other side is gone or sends nonsense. The bytes are the
 * caller's, to be freed with si_wire_free. */
bool si_message_send(int socket, uint32_t kind, const si_wire *message, uint64_t deadline);
int si_message_receive(int socket, uint32_t *kind, si_wire *dest, uint64_t deadline);

/* The report of a host's rig as its process sends it; also for tests. */
sinew_status si_isolate_tell(sinew_host *host, si_wire *dest, sinew_error *error);

/* Limits what this process may do from now on: no new files, programs, processes, connections or
 * executable memory, and of files only reading those in the given folders. `memory` is the most
 * that it may use, 0: any. False, with `error` filled, if the system refuses. */
bool si_confine(const char *const *folders, int count, size_t memory, sinew_error *error);

#endif
