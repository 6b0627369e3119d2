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

static uint64_t clock_now(const si_sandbox *sandbox) {
  if (sandbox->desc.clock) return sandbox->desc.clock(sandbox->desc.user);
  return si_clock();
}

void si_budget_start(si_sandbox *sandbox, const si_sandbox_budget *budget, const char *entry) {
  sandbox->left = budget->instructions;
  sandbox->entry_instructions = budget->instructions;
  sandbox->deadline = 0;
  sandbox->allowance = (uint64_t)(budget->seconds * 1e9);
  sandbox->unseen = look_every;
  sandbox->entry = entry;
  sandbox->traced = NULL;
  sandbox->most_keys = SI_MOST_KEYS;
  sandbox->live_before = sinew_live_bytes();
  sandbox->held_before = sandbox->pool.held;
  if (sandbox->killed || sandbox->armed) {
    sandbox->killed = sandbox->armed = false;
    sandbox->running = sandbox->L;
    si_budget_hook(sandbox, sandbox->L);
  }
}

void si_sandbox_begin(si_sandbox *sandbox) {
  if (sandbox->depth++ > 0) return;
  si_budget_start(sandbox, &sandbox->desc.eval, "one evaluation");
  si_budget_enter(sandbox);
}

/* the engine memory of this script: its growth between begin and end, without the pool */
static size_t outside_now(const si_sandbox *sandbox) {
  int64_t growth = (int64_t)(sinew_live_bytes() - sandbox->live_before) -
                   (int64_t)(sandbox->pool.held - sandbox->held_before);
  int64_t outside = (int64_t)sandbox->outside + growth;
  return outside > 0 ? (size_t)outside : 0;
}

void si_sandbox_end(si_sandbox *sandbox) {
  if (--sandbox->depth > 0) return;
  sandbox->outside = outside_now(sandbox);
  si_quota_set(sandbox->outer_quota);
}

void si_sandbox_enter(lua_State *L) { si_sandbox_begin(si_sandbox_inside(L)); }
void si_sandbox_leave(lua_State *L) { si_sandbox_end(si_sandbox_inside(L)); }

bool si_sandbox_killed(const si_sandbox *sandbox) { return sandbox->killed; }

size_t si_sandbox_memory(const si_sandbox *sandbox) {
  return sandbox->pool.held + (sandbox->depth > 0 ? outside_now(sandbox) : sandbox->outside);
}

static void raise_kill(lua_State *L, si_sandbox *sandbox) {
  si_budget_hook(sandbox, L);
  lua_checkstack(L, 1);
  lua_pushstring(L, sandbox->kill_text);
  lua_error(L);
}

static void note_kill_list(si_sandbox *sandbox, lua_State *L, const char *format, va_list args) {
  sandbox->killed = true;
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
  if (sandbox->killed) {
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
  size_t held = sandbox->pool.held + outside_now(sandbox), most = sandbox->desc.memory;
  return bytes <= most && held <= most - bytes;
}

static void note_lack(lua_State *L, si_sandbox *sandbox, size_t bytes) {
  double held = (double)sandbox->pool.held + (double)outside_now(sandbox);
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

/* compares instructions and clock with their limits; true if the script is killed */
static bool look_at_work(lua_State *L, si_sandbox *sandbox) {
  sandbox->unseen = look_every;
  if (sandbox->killed) return true;
  uint64_t now = clock_now(sandbox);
  if (sandbox->deadline == 0) sandbox->deadline = now + sandbox->allowance;
  if (sandbox->left < 0)
    note_kill(sandbox, L, "stopped: %s took more than %lld instructions", sandbox->entry,
              (long long)sandbox->entry_instructions);
  else if (now > sandbox->deadline)
    note_kill(sandbox, L, "stopped: %s took more than %g seconds", sandbox->entry,
              (double)sandbox->allowance / 1e9);
  return sandbox->killed;
}

/* Charges work of the engine for the script. Allocations are treated like Lua's: above the limit,
 * the next instruction looks, and may collect garbage; only above twice the limit are they
 * refused. */
static bool quota_work(void *user, size_t units) {
  si_sandbox *sandbox = user;
  int64_t charge = units < INT64_MAX / 4 ? (int64_t)units : INT64_MAX / 4;
  if (sandbox->left >= 0) sandbox->left -= charge;
  sandbox->unseen -= charge < look_every ? charge : look_every + 1;
  if (sandbox->unseen >= 0 && sandbox->left >= 0) return !sandbox->killed;
  return !look_at_work(sandbox->running, sandbox);
}

static bool quota_take(void *user, size_t bytes) {
  si_sandbox *sandbox = user;
  if (!has_room(sandbox, bytes)) {
    size_t held = sandbox->pool.held + outside_now(sandbox), most = sandbox->desc.memory;
    si_budget_arm(sandbox);
    if (!sandbox->killed && (bytes > most || held > 2 * most - bytes))
      note_lack(sandbox->running, sandbox, bytes);
  }
  return quota_work(sandbox, 1 + bytes / 64);
}

void si_budget_enter(si_sandbox *sandbox) {
  sandbox->quota = (si_quota){ quota_take, quota_work, sandbox };
  sandbox->outer_quota = si_quota_set(&sandbox->quota);
}

void si_budget_look(lua_State *L) {
  si_sandbox *sandbox = si_sandbox_inside(L);
  sandbox->armed = false;
  if (look_at_work(L, sandbox)) raise_kill(L, sandbox);
  if (sandbox->pool.used >= sandbox->collect_at) collect_step(L, sandbox);
  hold_memory(L, sandbox, 0);
}

static void on_count(lua_State *L, lua_Debug *activation) {
  (void)activation;
  si_sandbox *sandbox = si_sandbox_inside(L);
  sandbox->running = L;
  sandbox->left -= lua_gethookcount(L);
  si_budget_look(L);
  si_budget_hook(sandbox, L);
}

void si_sandbox_spend(lua_State *L, size_t units) {
  if (si_sandbox_of(L)) si_spend(L, units < INT64_MAX / 2 ? units : INT64_MAX / 2);
}

void si_sandbox_reserve(lua_State *L, size_t bytes) {
  si_sandbox *sandbox = si_sandbox_of(L);
  if (!sandbox) return;
  hold_memory(L, sandbox, bytes);
  si_sandbox_spend(L, bytes / 16);
}
