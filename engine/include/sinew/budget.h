/* A budget: how much work, memory and time a piece of work may take, and a way to stop it from
 * another thread. What Sinew does on a thread between sinew_budget_enter and sinew_budget_leave
 * spends from it: compiling, curves, cones, fields, solids, meshes, skins, solving, fitting,
 * reading and writing files. Threads that Sinew starts meanwhile spend from it as well.
 *
 *   sinew_budget *before = sinew_budget_enter(budget);
 *   sinew_rig *rig = sinew_builder_compile(builder, &error);
 *   sinew_budget_leave(before);
 *
 * When it is used up, what runs stops soon and fails: with SINEW_ERR_LIMIT, or SINEW_ERR_CANCELLED
 * after sinew_budget_cancel, and a text that says what was allowed and what it was doing. Nothing
 * else is different from a failure for lack of memory. A budget that has stopped refuses all
 * further work, until sinew_budget_renew.
 *
 * Work is counted in units of about 10 ns, as about one instruction of a Lua script takes. The same
 * calls with the same values cost the same units on each machine. Evaluating a pose costs nothing.
 */
#ifndef SINEW_BUDGET_H
#define SINEW_BUDGET_H

#include "sinew/error.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct sinew_budget sinew_budget;

/* What is allowed; 0 allows any amount. */
typedef struct sinew_budget_desc {
  size_t size;    /* filled by sinew_default_budget_desc */
  int64_t work;   /* units */
  size_t memory;  /* bytes that are held at a time, of those that were allocated in the budget */
  double seconds; /* since the first work */
} sinew_budget_desc;

/* Any amount of everything: a budget that only counts and can be cancelled. */
SINEW_API sinew_budget_desc sinew_default_budget_desc(void);

/* NULL, with `error` filled, for a negative value and when memory runs out. */
SINEW_API sinew_budget *sinew_budget_create(const sinew_budget_desc *desc, sinew_error *error);
/* NULL is allowed. No thread may be in the budget, or use it otherwise. */
SINEW_API void sinew_budget_destroy(sinew_budget *budget);

/* From now on this thread spends from the budget; NULL: from none. Returns the one before, for
 * sinew_budget_leave. A budget inside another spends from both. One thread at a time may be in a
 * budget; entering it again on that thread changes nothing. */
SINEW_API sinew_budget *sinew_budget_enter(sinew_budget *budget);
SINEW_API void sinew_budget_leave(sinew_budget *before);

/* Stops the work in the budget. Any thread may call this, at any time. */
SINEW_API void sinew_budget_cancel(sinew_budget *budget);
/* Starts again: nothing is spent or cancelled. Blocks that are held stay counted. */
SINEW_API void sinew_budget_renew(sinew_budget *budget);

/* What was spent so far. */
typedef struct sinew_budget_use {
  int64_t work;
  size_t memory, most_memory; /* bytes held now, and at most since the start */
  const char *step;           /* what runs now, as "compiling"; NULL: nothing that is named */
  float fraction;             /* how much of this step is done, 0 to 1; -1 where it is not known */
} sinew_budget_use;

/* Any thread may ask, as for a progress bar. */
SINEW_API sinew_budget_use sinew_budget_used(const sinew_budget *budget);
/* SINEW_OK; SINEW_ERR_LIMIT when it is used up; SINEW_ERR_CANCELLED. */
SINEW_API sinew_status sinew_budget_status(const sinew_budget *budget);

/* Spends `units`, for work of a program's own in between, such as a custom component. False when it
 * must stop: a budget that this thread is in is used up or cancelled. */
SINEW_API bool sinew_budget_spend(int64_t units);

#ifdef __cplusplus
}
#endif
#endif
