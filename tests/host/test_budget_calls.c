/* Every function of the module whose work depends on its arguments, with arguments that make it
 * work: each is stopped soon after a part of its work is used up, and after a part of its memory.
 * The scripts of tests/lua/budget/ prepare the arguments and return the function that is measured;
 * the head of each says what it covers. Work is what the budget counts, not time; with
 * SINEW_BUDGET_FIGURES=1 the test prints the times as well. */
#include "hostile.h"
#include "minunit.h"
#include "model.h"
#include "scratch.h"

#include "base/platform.h"
#include "lua/base/reserve.h"
#include "lua/host/sandbox/sandbox_core.h"
#include "lua/module/module.h"

#include <sinew/sinew.h>

#include <lualib.h>
#include <stdlib.h>

static hostile_list calls;
static const hostile_case *current;

static const char *read_data(lua_State *L, const char *name, size_t limit, const void **bytes,
                             size_t *size) {
  return si_sandbox_read_data(L, name, strlen(name), limit, bytes, size);
}

static int open_module(lua_State *L) {
  si_forbid_files(L);
  static const si_lua_guard guard = { si_sandbox_reserve,     si_sandbox_spend, read_data,
                                      si_sandbox_push_loaded, si_sandbox_enter, si_sandbox_leave };
  si_lua_guard_set(L, &guard);
  return luaopen_sinew(L);
}

typedef struct outcome {
  sinew_status status;
  int64_t work;
  size_t before, most; /* bytes */
  double seconds;
  sinew_error error;
} outcome;

/* calls the function of the current case; 0 is without a limit */
static outcome call(int64_t work, size_t memory, double seconds) {
  static const si_sandbox_module modules[] = { { "sinew", open_module } };
  si_sandbox_desc desc = si_default_sandbox_desc();
  desc.load = (si_sandbox_budget){ INT64_MAX / 4, 600 };
  desc.eval = (si_sandbox_budget){ work ? work : INT64_MAX / 4, seconds > 0 ? seconds : 600 };
  desc.memory = desc.text = (size_t)4 << 30;
  desc.modules = modules;
  desc.module_count = 1;
  outcome o = { .status = SINEW_ERR_MEMORY };
  si_sandbox *sandbox = si_sandbox_create(&desc, &o.error);
  if (!sandbox) return o;
  o.status = si_sandbox_load_file(sandbox, current->path, &o.error);
  if (o.status >= 0) {
    lua_gc(sandbox->L, LUA_GCCOLLECT, 0);
    o.before = si_sandbox_memory(sandbox);
    if (memory) {
      sandbox->desc.memory = sandbox->budget.filling = o.before + memory;
      sandbox->budget.memory = (o.before + memory) / 6 * 7;
    }
    si_sandbox_push_result(sandbox);
    uint64_t start = si_clock_of_thread();
    o.status = si_sandbox_call(sandbox, 0, 0, &o.error);
    o.seconds = (double)(si_clock_of_thread() - start) / 1e9;
    sinew_budget_use used = sinew_budget_used(&sandbox->budget);
    o.work = used.work;
    o.most = used.most_memory;
  }
  si_sandbox_destroy(sandbox);
  return o;
}

static void run_current(void) {
  bool figures = getenv("SINEW_BUDGET_FIGURES");
  size_t bytes = sinew_live_bytes();
  outcome whole = call(0, 0, 0);
  MU_CHECK_SAY(whole.status >= 0, "%s: %s", current->where, whole.error.text);
  MU_CHECK_SAY(whole.work >= 100000, "%s: costs %lld units only", current->where,
               (long long)whole.work);
  outcome part = call(whole.work / 3, 0, 0);
  MU_CHECK_SAY(part.status == SINEW_ERR_LIMIT && strstr(part.error.text, "instructions"),
               "%s: is not stopped: %s", current->where, part.error.text);
  /* and not long before, as where much is spent at once */
  MU_CHECK_SAY(part.work >= whole.work / 4 && part.work <= whole.work / 2,
               "%s: spends %lld of %lld", current->where, (long long)part.work,
               (long long)whole.work / 3);
  size_t grown = whole.most - whole.before;
  outcome little = { .status = SINEW_OK };
  if (grown > 2 << 20) {
    little = call(0, grown / 2, 0);
    size_t allowed = little.before + grown / 2;
    /* or it collects garbage in time */
    bool stopped = little.status == SINEW_ERR_LIMIT && strstr(little.error.text, "memory");
    MU_CHECK_SAY(stopped || little.status >= 0, "%s: %s", current->where, little.error.text);
    MU_CHECK_SAY(little.most <= allowed + allowed / 5, "%s: holds %zu of %zu bytes", current->where,
                 little.most, allowed);
  }
  MU_INT(sinew_live_bytes(), bytes);
  if (!figures) return;
  outcome late = call(0, 0, whole.seconds / 3);
  printf("%-28s %8.1f ms %6.1f ns/unit; a third of the work: %4.2f of its time; of the time: %4.2f",
         current->name, whole.seconds * 1e3, whole.seconds * 1e9 / (double)whole.work,
         part.seconds / (whole.seconds / 3),
         late.status < 0 ? late.seconds / (whole.seconds / 3) : 9.99);
  printf("; %6.1f MB: %4.2f  %s\n", (double)grown / 1e6,
         little.most ? (double)little.most / (double)(little.before + grown / 2) : 0,
         part.error.text);
}

/* tests/lua/test_budget.lua compares the heads with what the module has */
MU_TEST(cases_of_the_budget_can_be_read) { MU_TEXT(calls.wrong, ""); }

void suite_budget_calls(void) {
  hostile_open(&calls, "tests/lua/budget", "budget_");
  model_tube tube = model_make_tube(200);
  size_t size;
  unsigned char *glb = model_make_glb(&tube, &size);
  scratch_write("model.glb", (const char *)glb, size);
  free(glb);
  model_free_tube(&tube);
  MU_RUN_FILE();
  hostile_run(&calls, run_current, &current);
  hostile_close();
}
