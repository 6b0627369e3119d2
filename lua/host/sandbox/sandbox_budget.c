/* The budget of a sandbox: a count hook that stays installed, and charges from the library
 * functions. A look compares instructions, clock and memory with their limits. A script that
 * exceeds one is killed: every protected call of the script raises the error again on the way out,
 * and from then on the hook runs at every instruction.
 *
 * The garbage collector runs only inside a look. Collecting tables with weak keys takes quadratic
 * time and cannot be interrupted. A script can put `__mode` into a metatable at any time, so every
 * metatable is checked right before the collector runs. */
#include "lua/host/sandbox/sandbox_core.h"

#include "base/alloc.h"
#include "base/error_internal.h"

#include <stdarg.h>
#include <stdio.h>

enum {
  look_every = 20000,         /* instructions between checks of the clock, inside C */
  least_garbage = 256 * 1024, /* bytes between two collections */
  least_step = 32 * 1024      /* bytes between two steps of one */
};

static void on_count(lua_State *L, lua_Debug *activation);

void si_budget_hook(si_sandbox *sandbox, lua_State *L) {
  int count = sandbox->killed || sandbox->armed ? 1 : sandbox->step;
  if (lua_gethookcount(L) != count) lua_sethook(L, on_count, LUA_MASKCOUNT, count);
}

void si_budget_arm(si_sandbox *sandbox) {
  if (sandbox->armed || !sandbox->running) return;
  sandbox->armed = true;
  lua_sethook(sandbox->running, on_count, LUA_MASKCOUNT, 1);
}

void si_budget_start(si_sandbox *sandbox, const si_sandbox_budget *allowed, const char *entry) {
  sandbox->budget.work = allowed->instructions;
  sandbox->budget.nanoseconds = (uint64_t)(allowed->seconds * 1e9);
  sinew_budget_renew(&sandbox->budget);
  sandbox->unseen = look_every;
  sandbox->entry = entry;
  sandbox->traced = NULL;
  sandbox->most_keys = SI_MOST_KEYS;
  if (sandbox->killed || sandbox->armed) {
    sandbox->killed = sandbox->armed = false;
    sandbox->running = sandbox->L;
    si_budget_hook(sandbox, sandbox->L);
  }
}

static void begin(si_sandbox *sandbox, const si_sandbox_budget *allowed, const char *entry) {
  if (sandbox->depth++ > 0) return;
  si_budget_start(sandbox, allowed, entry);
  sandbox->outer = sinew_budget_enter(&sandbox->budget);
}

void si_sandbox_begin(si_sandbox *sandbox) {
  begin(sandbox, &sandbox->desc.eval, "one evaluation");
}

void si_sandbox_begin_load(si_sandbox *sandbox) { begin(sandbox, &sandbox->desc.load, "loading"); }

void si_sandbox_end(si_sandbox *sandbox) {
  if (--sandbox->depth == 0) sinew_budget_leave(sandbox->outer);
}

void si_sandbox_enter(lua_State *L) { si_sandbox_begin(si_sandbox_inside(L)); }
void si_sandbox_leave(lua_State *L) { si_sandbox_end(si_sandbox_inside(L)); }

bool si_sandbox_killed(const si_sandbox *sandbox) { return sandbox->killed; }

size_t si_sandbox_memory(const si_sandbox *sandbox) {
  return sinew_budget_used(&sandbox->budget).memory;
}

static void raise_kill(lua_State *L, si_sandbox *sandbox) {
  si_budget_hook(sandbox, L);
  lua_checkstack(L, 1);
  lua_pushstring(L, sandbox->kill_text);
  lua_error(L);
}

static void note_kill_list(si_sandbox *sandbox, lua_State *L, const char *format, va_list args) {
  sandbox->killed = true;
  if (si_budget_stopped(&sandbox->budget) == SI_STOP_NONE) /* the engine stops as well */
    si_budget_stop(&sandbox->budget, SI_STOP_MEMORY);
  size_t room = sizeof sandbox->kill_text;
  int length = si_sandbox_where(L, 0, sandbox->kill_text, room);
  vsnprintf(sandbox->kill_text + length, room - (size_t)length, format, args);
  si_budget_hook(sandbox, L);
}

static void note_kill(si_sandbox *sandbox, lua_State *L, const char *format, ...)
    SINEW_PRINTF(3, 4);

static void note_kill(si_sandbox *sandbox, lua_State *L, const char *format, ...) {
  va_list args;
  va_start(args, format);
  note_kill_list(sandbox, L, format, args);
  va_end(args);
}

/* Whether a metatable of the script makes tables weak; with `strip`, removes that. Uses its own
 * stack and allocates nothing, so the allocator may call it. */
static bool find_weak(si_sandbox *sandbox, bool strip) {
  lua_State *S = sandbox->scanner; /* the set of metatables, "__mode" */
  bool found = false;
  lua_pushnil(S);
  while (lua_next(S, 1)) {
    lua_pop(S, 1);
    lua_pushvalue(S, 2);
    if (lua_rawget(S, 3) != LUA_TNIL) {
      found = true;
      if (strip) {
        lua_pushvalue(S, 2);
        lua_pushnil(S);
        lua_rawset(S, 3);
      }
    }
    lua_pop(S, 1);
  }
  return found;
}

void si_budget_defuse(si_sandbox *sandbox) {
  if (sandbox->scanner) find_weak(sandbox, true);
}

void si_budget_refuse(si_sandbox *sandbox, const char *format, ...) {
  si_budget_defuse(sandbox);
  if (!sandbox->running || sandbox->killed) return;
  va_list args;
  va_start(args, format);
  note_kill_list(sandbox, sandbox->running, format, args);
  va_end(args);
}

void si_budget_pass_on(lua_State *L) {
  si_sandbox *sandbox = si_sandbox_inside(L);
  if (si_budget_over(L)) {
    lua_settop(L, 0);
    raise_kill(L, sandbox);
  }
  if (sandbox->armed) si_budget_hook(sandbox, L);
}

static void check_metatables(lua_State *L, si_sandbox *sandbox) {
  if (!find_weak(sandbox, false)) return;
  note_kill(sandbox, L, "weak tables (__mode in a metatable) are not available");
  raise_kill(L, sandbox);
}

static void collect_later(si_sandbox *sandbox) {
  size_t used = sandbox->pool.used;
  sandbox->collect_at = used + (used > least_garbage ? used : least_garbage);
}

void si_budget_collect(lua_State *L) {
  si_sandbox *sandbox = si_sandbox_inside(L);
  check_metatables(L, sandbox);
  lua_gc(L, LUA_GCCOLLECT);
  collect_later(sandbox);
}

static void collect_step(lua_State *L, si_sandbox *sandbox) {
  check_metatables(L, sandbox);
  size_t behind = sandbox->pool.used - sandbox->collect_at + least_step;
  if (lua_gc(L, LUA_GCSTEP, (int)(behind / 256)))
    collect_later(sandbox);
  else
    sandbox->collect_at = sandbox->pool.used + least_step;
}

static bool has_room(const si_sandbox *sandbox, size_t bytes) {
  size_t held = si_sandbox_memory(sandbox), most = sandbox->desc.memory;
  return bytes <= most && held <= most - bytes;
}

static void note_lack(lua_State *L, si_sandbox *sandbox, size_t bytes) {
  double held = (double)si_sandbox_memory(sandbox);
  note_kill(sandbox, L, "stopped: the script needs %.1f million bytes of memory; it may hold %.1f",
            (held + (double)bytes) / 1e6, (double)sandbox->desc.memory / 1e6);
}

/* kills the script if `bytes` more would exceed its memory limit */
static void hold_memory(lua_State *L, si_sandbox *sandbox, size_t bytes) {
  if (has_room(sandbox, bytes)) return;
  si_budget_collect(L);
  if (has_room(sandbox, bytes)) return;
  note_lack(L, sandbox, bytes);
  raise_kill(L, sandbox);
}

bool si_budget_over(lua_State *L) {
  si_sandbox *sandbox = si_sandbox_inside(L);
  if (sandbox->killed) return true;
  const sinew_budget *budget = &sandbox->budget;
  si_stop why = si_budget_stopped(budget);
  if (why == SI_STOP_NONE) return false;
  const char *step = budget->stopped_in, *during = step ? " while " : "";
  if (!step) step = "";
  if (budget->stop == SI_STOP_WORK)
    note_kill(sandbox, L, "stopped: %s took more than %lld instructions%s%s", sandbox->entry,
              (long long)budget->work, during, step);
  else if (budget->stop == SI_STOP_TIME)
    note_kill(sandbox, L, "stopped: %s took more than %g seconds%s%s", sandbox->entry,
              (double)budget->nanoseconds / 1e9, during, step);
  else if (budget->stop == SI_STOP_MEMORY)
    note_kill(sandbox, L, "stopped: the script needs more than %.1f million bytes of memory%s%s",
              (double)sandbox->desc.memory / 1e6, during, step);
  else if (why == SI_STOP_CANCEL)
    note_kill(sandbox, L, "%s was cancelled%s%s", sandbox->entry, during, step);
  else
    note_kill(sandbox, L, "stopped: what %s may take with all else is used up%s%s", sandbox->entry,
              during, step);
  return true;
}

/* The engine has stopped, or holds more than the script may: the next instruction looks, and may
 * collect garbage. */
static void engine_stops(void *user) { si_budget_arm(user); }

static uint64_t clock_of_desc(void *user) {
  const si_sandbox_desc *desc = &((si_sandbox *)user)->desc;
  return desc->clock(desc->user);
}

void si_budget_prepare(si_sandbox *sandbox) {
  size_t memory = sandbox->desc.memory;
  sinew_budget_desc desc = sinew_default_budget_desc();
  desc.memory = memory + memory / 6;
  si_budget_init(&sandbox->budget, &desc);
  sandbox->budget.filling = memory;
  sandbox->budget.look = engine_stops;
  if (sandbox->desc.clock) sandbox->budget.clock = clock_of_desc;
  sandbox->budget.user = sandbox;
}

void si_budget_look(lua_State *L) {
  si_sandbox *sandbox = si_sandbox_inside(L);
  sandbox->armed = false;
  sandbox->unseen = look_every;
  si_budget_check(&sandbox->budget);
  if (si_budget_over(L)) raise_kill(L, sandbox);
  if (sandbox->pool.used >= sandbox->collect_at) collect_step(L, sandbox);
  hold_memory(L, sandbox, 0);
}

static void on_count(lua_State *L, lua_Debug *activation) {
  (void)activation;
  si_sandbox *sandbox = si_sandbox_inside(L);
  sandbox->running = L;
  si_budget_spend(&sandbox->budget, (size_t)lua_gethookcount(L));
  si_budget_look(L);
  si_budget_hook(sandbox, L);
}

void si_sandbox_spend(lua_State *L, size_t units) {
  if (si_sandbox_of(L)) si_spend(L, units < INT64_MAX / 2 ? units : INT64_MAX / 2);
}

void si_sandbox_reserve(lua_State *L, size_t bytes) {
  si_sandbox *sandbox = si_sandbox_of(L);
  if (sandbox) hold_memory(L, sandbox, bytes);
}
