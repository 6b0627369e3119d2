/* See budget_internal.h. Each thread has a current budget, and budgets may be inside others: what
 * is spent is spent from all of them. Counts are atomic, since threads of a pool spend from the
 * same one. */
#include "base/budget_internal.h"

#include "base/alloc.h"
#include "base/error_internal.h"
#include "base/platform.h"

enum { look_every = 10000, whole = 1000000 };

static _Thread_local sinew_budget *current;
static _Thread_local bool helps; /* a thread of a pool, which works for another */
static atomic_uint last_number;

sinew_budget_desc sinew_default_budget_desc(void) {
  return (sinew_budget_desc){ .size = sizeof(sinew_budget_desc) };
}

void si_budget_init(sinew_budget *budget, const sinew_budget_desc *desc) {
  *budget = (sinew_budget){ .work = desc->work ? desc->work : INT64_MAX,
                            .memory = desc->memory ? desc->memory : SIZE_MAX / 2,
                            .nanoseconds = desc->seconds > 0 && desc->seconds < 1e9
                                               ? (uint64_t)(desc->seconds * 1e9)
                                               : UINT64_MAX };
  do budget->number = atomic_fetch_add(&last_number, 1) + 1;
  while (budget->number == 0);
  sinew_budget_renew(budget);
}

sinew_budget *sinew_budget_create(const sinew_budget_desc *desc, sinew_error *error) {
  sinew_error_clear(error);
  sinew_budget_desc known = sinew_default_budget_desc();
  if (!SI_EXPECT(desc) || !SI_TAKE_DESC(budget_desc, desc, &known, error)) return NULL;
  if (known.work < 0 || !(known.seconds >= 0))
    return si_fail_null(error, SINEW_ERR_VALUE, "budget: work and seconds must be 0 or more");
  sinew_budget *budget = si_alloc(sizeof *budget);
  if (!budget) return si_memory_null(error);
  si_budget_init(budget, &known);
  return budget;
}

void sinew_budget_destroy(sinew_budget *budget) { si_free(budget); }

static void put(_Atomic int64_t *dest, int64_t value) {
  atomic_store_explicit(dest, value, memory_order_relaxed);
}

void sinew_budget_renew(sinew_budget *budget) {
  if (!SI_EXPECT(budget)) return;
  put(&budget->spent, 0);
  put(&budget->look_at, budget->nanoseconds == UINT64_MAX ? INT64_MAX : 0);
  atomic_store_explicit(&budget->deadline, 0, memory_order_relaxed);
  atomic_store_explicit(&budget->most, budget->held, memory_order_relaxed);
  atomic_store_explicit(&budget->stop, SI_STOP_NONE, memory_order_relaxed);
  atomic_store_explicit(&budget->cancelled, false, memory_order_relaxed);
  atomic_store_explicit(&budget->step, NULL, memory_order_relaxed);
  atomic_store_explicit(&budget->stopped_in, NULL, memory_order_relaxed);
  atomic_store_explicit(&budget->done, -1, memory_order_relaxed);
}

sinew_budget *sinew_budget_enter(sinew_budget *budget) {
  sinew_budget *before = current;
  for (const sinew_budget *b = before; b; b = b->outer)
    if (b == budget) return before;
  if (budget) budget->outer = before;
  current = budget;
  return before;
}

void sinew_budget_leave(sinew_budget *before) {
  if (current && current != before) current->outer = NULL;
  current = before;
}

void sinew_budget_cancel(sinew_budget *budget) {
  if (!SI_EXPECT(budget)) return;
  atomic_store_explicit(&budget->cancelled, true, memory_order_relaxed);
}

sinew_budget *si_budget_current(void) { return current; }

void si_budget_help(sinew_budget *budget) {
  current = budget;
  helps = true;
}

bool si_budget_stop(sinew_budget *budget, si_stop why) {
  int none = SI_STOP_NONE;
  if (atomic_load_explicit(&budget->stop, memory_order_relaxed) != SI_STOP_NONE ||
      !atomic_compare_exchange_strong(&budget->stop, &none, why))
    return false;
  budget->stopped_in = budget->step;
  return true;
}

static void look_at_clock(sinew_budget *budget, int64_t spent) {
  put(&budget->look_at, spent + look_every);
  uint64_t now = budget->clock ? budget->clock(budget->user) : si_clock();
  uint64_t deadline = atomic_load_explicit(&budget->deadline, memory_order_relaxed);
  if (deadline == 0)
    atomic_store_explicit(&budget->deadline, now + budget->nanoseconds, memory_order_relaxed);
  else if (now > deadline)
    si_budget_stop(budget, SI_STOP_TIME);
}

static bool spend(sinew_budget *budget, size_t units) {
  int64_t charge = units < INT64_MAX / 4 ? (int64_t)units : INT64_MAX / 4;
  int64_t spent = atomic_load_explicit(&budget->spent, memory_order_relaxed);
  if (spent < INT64_MAX / 2)
    spent = charge + atomic_fetch_add_explicit(&budget->spent, charge, memory_order_relaxed);
  if (atomic_load_explicit(&budget->cancelled, memory_order_relaxed)) {
    si_budget_stop(budget, SI_STOP_CANCEL);
  } else if (spent > budget->work) {
    /* what is refused is not spent */
    if (si_budget_stop(budget, SI_STOP_WORK)) atomic_fetch_sub(&budget->spent, charge);
  } else if (spent >= atomic_load_explicit(&budget->look_at, memory_order_relaxed)) {
    look_at_clock(budget, spent);
  }
  return atomic_load_explicit(&budget->stop, memory_order_relaxed) == SI_STOP_NONE;
}

bool si_budget_spend(sinew_budget *budget, size_t units) {
  bool ok = true;
  for (sinew_budget *b = budget; b; b = b->outer) ok = spend(b, units) && ok;
  for (sinew_budget *b = budget; b && !ok && !helps; b = b->outer)
    if (b->look) b->look(b->user);
  return ok;
}

bool si_budget_check(sinew_budget *budget) {
  if (budget->nanoseconds != UINT64_MAX) put(&budget->look_at, 0);
  return si_budget_spend(budget, 0);
}

bool si_work(size_t units) { return !current || si_budget_spend(current, units); }

bool sinew_budget_spend(int64_t units) {
  if (!SI_EXPECT(units >= 0)) return false;
  return si_work((size_t)units);
}

si_stop si_budget_stopped(const sinew_budget *budget) {
  si_stop why = SI_STOP_NONE;
  for (; budget && why == SI_STOP_NONE; budget = budget->outer) why = (si_stop)budget->stop;
  return why;
}

bool si_stopped(void) { return current && si_budget_stopped(current) != SI_STOP_NONE; }

bool si_is_lack(sinew_status status) {
  return status == SINEW_ERR_MEMORY || (status < 0 && si_stopped());
}

static void hold(sinew_budget *budget, ptrdiff_t bytes) {
  ptrdiff_t held = bytes + atomic_fetch_add_explicit(&budget->held, bytes, memory_order_relaxed);
  ptrdiff_t most = atomic_load_explicit(&budget->most, memory_order_relaxed);
  while (held > most && !atomic_compare_exchange_weak(&budget->most, &most, held)) {
  }
}

void si_budget_hold(sinew_budget *budget, ptrdiff_t bytes) {
  for (; budget; budget = budget->outer) hold(budget, bytes);
}

static size_t held_by(const sinew_budget *budget) {
  ptrdiff_t held = atomic_load_explicit(&budget->held, memory_order_relaxed);
  return held > 0 ? (size_t)held : 0;
}

bool si_budget_take(size_t bytes, uint32_t *number) {
  *number = 0;
  if (!current) return true;
  bool ok = si_work(1 + (bytes < SI_BUDGET_PIECE ? bytes : SI_BUDGET_PIECE) / 64);
  for (sinew_budget *b = current; b; b = b->outer) {
    size_t held = held_by(b);
    if (b->look && !helps && held + bytes > b->filling) b->look(b->user);
    if (bytes <= b->memory && held <= b->memory - bytes) continue;
    si_budget_stop(b, SI_STOP_MEMORY);
    ok = false;
  }
  if (!ok) return false;
  si_budget_hold(current, (ptrdiff_t)bytes);
  *number = current->number;
  return true;
}

/* a block is given back to the budget that it came from, if that is current or around it */
void si_budget_give_back(size_t bytes, uint32_t number) {
  sinew_budget *budget = current;
  while (budget && budget->number != number) budget = budget->outer;
  if (budget) si_budget_hold(budget, -(ptrdiff_t)bytes);
}

sinew_budget_use sinew_budget_used(const sinew_budget *budget) {
  if (!SI_EXPECT(budget)) return (sinew_budget_use){ .fraction = -1 };
  ptrdiff_t most = atomic_load_explicit(&budget->most, memory_order_relaxed);
  int32_t done = atomic_load_explicit(&budget->done, memory_order_relaxed);
  return (sinew_budget_use){
    .work = atomic_load_explicit(&budget->spent, memory_order_relaxed),
    .memory = held_by(budget),
    .most_memory = most > 0 ? (size_t)most : 0,
    .step = atomic_load_explicit(&budget->step, memory_order_acquire),
    .fraction = done < 0 ? -1 : (float)done / whole,
  };
}

sinew_status sinew_budget_status(const sinew_budget *budget) {
  if (!SI_EXPECT(budget)) return SINEW_ERR_CALL;
  switch ((si_stop)budget->stop) {
  case SI_STOP_NONE: return budget->cancelled ? SINEW_ERR_CANCELLED : SINEW_OK;
  case SI_STOP_CANCEL: return SINEW_ERR_CANCELLED;
  case SI_STOP_WORK:
  case SI_STOP_TIME:
  case SI_STOP_MEMORY: break;
  }
  return SINEW_ERR_LIMIT;
}

static void name_step(const char *name) {
  for (sinew_budget *b = current; b; b = b->outer) {
    atomic_store_explicit(&b->done, -1, memory_order_relaxed);
    atomic_store_explicit(&b->step, name, memory_order_release);
  }
}

const char *si_step_begin(const char *name) {
  if (!current || helps) return NULL;
  const char *before = current->step;
  name_step(name);
  return before;
}

void si_step_end(const char *before) {
  if (current && !helps) name_step(before);
}

void si_step_done(size_t done, size_t all) {
  if (!current || helps || all == 0) return;
  int32_t part = (int32_t)((double)(done < all ? done : all) / (double)all * whole);
  for (sinew_budget *b = current; b; b = b->outer)
    atomic_store_explicit(&b->done, part, memory_order_relaxed);
}

sinew_status si_fail_stopped(sinew_error *error) {
  const sinew_budget *b = current;
  while (b && b->stop == SI_STOP_NONE) b = b->outer;
  if (!b) return si_fail(error, SINEW_ERR_MEMORY, "out of memory");
  const char *step = b->stopped_in, *during = step ? " while " : "";
  if (!step) step = "";
  switch ((si_stop)b->stop) {
  case SI_STOP_NONE:
  case SI_STOP_CANCEL: break;
  case SI_STOP_WORK:
    return si_fail(error, SINEW_ERR_LIMIT, "stopped: the work allowed (%lld) is used up%s%s",
                   (long long)b->work, during, step);
  case SI_STOP_TIME:
    return si_fail(error, SINEW_ERR_LIMIT, "stopped: the time allowed (%g s) is used up%s%s",
                   (double)b->nanoseconds / 1e9, during, step);
  case SI_STOP_MEMORY:
    return si_fail(error, SINEW_ERR_LIMIT,
                   "stopped: the memory allowed (%.1f million bytes) is used up%s%s",
                   (double)b->memory / 1e6, during, step);
  }
  return si_fail(error, SINEW_ERR_CANCELLED, "cancelled%s%s", during, step);
}
