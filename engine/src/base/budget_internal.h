/* Budgets inside the engine: what spends from them, and their state, which the sandbox embeds. */
#ifndef SI_BUDGET_INTERNAL_H
#define SI_BUDGET_INTERNAL_H

#include "sinew/budget.h"

#include <stdatomic.h>

/* Why a budget has stopped. */
typedef enum si_stop {
  SI_STOP_NONE,
  SI_STOP_CANCEL,
  SI_STOP_WORK,
  SI_STOP_TIME,
  SI_STOP_MEMORY
} si_stop;

struct sinew_budget {
  int64_t work; /* what is allowed */
  size_t memory;
  uint64_t nanoseconds; /* UINT64_MAX: any */
  /* Called where it is refused on the thread that is in it, and where it holds more than
   * `filling`. It may not spend. */
  void (*look)(void *user);
  size_t filling;
  uint64_t (*clock)(void *user); /* NULL: the system's */
  void *user;
  uint32_t number; /* of the blocks that were allocated in it */
  sinew_budget *outer;

  _Atomic int64_t spent;
  _Atomic int64_t look_at;   /* the next look at the clock */
  _Atomic uint64_t deadline; /* 0 before the first look */
  _Atomic ptrdiff_t held, most;
  _Atomic int stop; /* an si_stop */
  atomic_bool cancelled;
  _Atomic(const char *) step;
  _Atomic(const char *) stopped_in; /* the step in which it stopped */
  _Atomic int32_t done;             /* of 1000000; -1: unknown */
};

/* For one that is embedded elsewhere: allows what the desc says. */
void si_budget_init(sinew_budget *budget, const sinew_budget_desc *desc);

/* Spends for loops whose length a caller chooses; false: stop as if memory had run out. Spend ahead
 * of the work, a thousand units or so at a time. A unit is about 10 ns. */
bool si_work(size_t units);
/* The same for a given budget and those around it. */
bool si_budget_spend(sinew_budget *budget, size_t units);
/* Looks at the clock, too. */
bool si_budget_check(sinew_budget *budget);
/* Stops it; false if it has stopped already. */
bool si_budget_stop(sinew_budget *budget, si_stop why);
/* Why this budget, or one around it, has stopped. */
si_stop si_budget_stopped(const sinew_budget *budget);
/* Adds to the bytes that are held. */
void si_budget_hold(sinew_budget *budget, ptrdiff_t bytes);

/* Whether work on this thread has to end; for loops that spend elsewhere. */
bool si_stopped(void);
/* Whether a status says that memory has run out or that a budget has stopped: a failure of the
 * machine, not of the file that is read. */
bool si_is_lack(sinew_status status);
/* Says why work on this thread has to end: a budget, or no memory. */
sinew_status si_fail_stopped(sinew_error *error);

/* Names what runs, for messages and progress bars, until si_step_end with the returned name. The
 * text is a literal. */
const char *si_step_begin(const char *name);
void si_step_end(const char *before);
/* How much of the step is done. */
void si_step_done(size_t done, size_t all);

/* The budget of this thread, for threads that it starts; those set it for themselves as helpers. */
sinew_budget *si_budget_current(void);
void si_budget_help(sinew_budget *budget);

enum { SI_BUDGET_PIECE = 1 << 18 }; /* bytes of a new block that are zeroed without a look */

/* alloc.c: the number of the budget that a new block belongs to, or 0 if the bytes are refused. The
 * work for what is beyond the first piece is not spent yet. */
bool si_budget_take(size_t bytes, uint32_t *number);
void si_budget_give_back(size_t bytes, uint32_t number);

#endif
