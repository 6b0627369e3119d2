/* Fuzzes the Lua module by random programs: see api_make.lua, which makes them, and api_play.lua,
 * in which they run. Built once for each Lua.
 * See budget.c for those that run in budgets.
 *   fuzz-api [PROGRAMS] [SEED]
 *   fuzz-api [--seconds N] [--calls N] [--seed S] [--jobs N] [--findings N] [--folder DIR]
 *            [--module FILE]
 *   fuzz-api --run FILE     one program, as saved by a finding
 * ./dev fuzz api builds it by clang with all sanitizers that clang.txt leaves, without it by gcc.
 * Each program has a Lua state of its own; a child process runs many of them. When it dies, the
 * program is reduced to the statements that are needed, printed and saved, and the fuzzer goes on.
 * The exit code is 1 after a finding. */
#include <ctype.h>
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <lauxlib.h>
#include <limits.h>
#include <lua.h>
#include <lualib.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/time.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#ifdef FUZZ_BUDGETS
#include "lua/base/reserve.h"
#include "lua/module/module.h"

#include <sinew/budget.h>
#endif

enum {
  most_jobs = 64,
  most_seconds = 30,      /* of processor time, that a program may take */
  large_block = 48 << 20, /* is refused, so that wild numbers do not fill the memory */
  of_a_child = 400        /* programs of one process */
};

/* --- failing allocations: the sanitizer's functions are called through these */

static long until_failure; /* allocations of this process; 0: none fails */

static bool refuse(size_t bytes) {
  if (bytes > large_block) return true;
  return until_failure > 0 && --until_failure == 0;
}
/* the next definition after this program's */
static void *next(void **known, const char *name) {
  if (!*known) *known = dlsym(RTLD_NEXT, name);
  return *known;
}
void *malloc(size_t bytes) {
  static void *known;
  void *(*real)(size_t) = (void *(*)(size_t))next(&known, "malloc");
  return refuse(bytes) ? NULL : real(bytes);
}
void *realloc(void *block, size_t bytes) {
  static void *known;
  void *(*real)(void *, size_t) = (void *(*)(void *, size_t))next(&known, "realloc");
  return refuse(bytes) ? NULL : real(block, bytes);
}
void *aligned_alloc(size_t align, size_t bytes) {
  static void *known;
  void *(*real)(size_t, size_t) = (void *(*)(size_t, size_t))next(&known, "aligned_alloc");
  return refuse(bytes) ? NULL : real(align, bytes);
}

/* leaks are looked for where the engine's own count says that there are some */
const char *__asan_default_options(void);
const char *__asan_default_options(void) {
  return "leak_check_at_exit=0:allocator_may_return_null=1";
}
__attribute__((weak)) int __lsan_do_recoverable_leak_check(void);

/* --- running programs */

/* what parent and child share */
typedef struct shared {
  _Atomic uint32_t seed[most_jobs]; /* of the program that each child runs */
  _Atomic long programs;
  _Atomic double calls, fine; /* all, and those that raised nothing */
} shared;

static shared *common;
static lua_CFunction open_module;
static char folder[PATH_MAX], root[PATH_MAX], player[PATH_MAX];
static lua_State *maker; /* makes programs */
static bool stopping;

static double seconds_now(void) {
  struct timespec t;
  clock_gettime(CLOCK_MONOTONIC, &t);
  return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

static _Noreturn void fatal(const char *what, const char *why) {
  fprintf(stderr, "fuzz-api: %s: %s\n", what, why);
  _exit(2);
}

/* fail(n): the n-th allocation from now on fails; 0: none */
static int fail_later(lua_State *L) {
  until_failure = (long)luaL_checknumber(L, 1);
  return 0;
}

/* limit(work, memory): what the engine may spend from now on; 0, 0: anything */
static int limit_work(lua_State *L) {
#ifdef FUZZ_BUDGETS
  static sinew_budget *budget, *before;
  if (budget) {
    sinew_budget_leave(before);
    sinew_budget_destroy(budget);
    budget = NULL;
  }
  sinew_budget_desc desc = sinew_default_budget_desc();
  desc.work = (int64_t)luaL_checknumber(L, 1);
  desc.memory = (size_t)luaL_checknumber(L, 2);
  sinew_error error;
  if (desc.work || desc.memory) budget = sinew_budget_create(&desc, &error);
  if (budget) before = sinew_budget_enter(budget);
#else
  luaL_checknumber(L, 1);
#endif
  return 0;
}

#ifdef FUZZ_BUDGETS
/* As a host's guard does: work in the binding raises where the budget is used up. */
static void spend(lua_State *L, size_t units) {
  if (!sinew_budget_spend((int64_t)units)) luaL_error(L, "stopped");
}
static void reserve(lua_State *L, size_t bytes) { spend(L, bytes / 64); }
static const char *read_none(lua_State *L, const char *name, size_t limit, const void **bytes,
                             size_t *size) {
  *bytes = NULL;
  *size = 0;
  luaL_error(L, "%s is not read, of at most %d bytes", name, (int)limit);
  return NULL;
}
static void push_loaded(lua_State *L) { luaL_getsubtable(L, LUA_REGISTRYINDEX, LUA_LOADED_TABLE); }
static void nothing(lua_State *L) { (void)L; }

static const si_lua_guard guard = { reserve, spend, read_none, push_loaded, nothing, nothing };
#endif

/* count(n, m): that many calls were made, m of which raised nothing */
static int count_calls(lua_State *L) {
  common->fine = common->fine + luaL_checknumber(L, 2);
  common->calls = common->calls + luaL_checknumber(L, 1);
  return 0;
}

static lua_State *new_state(void) {
  lua_State *L = luaL_newstate();
  if (!L) fatal("a Lua state", "out of memory");
  luaL_openlibs(L);
  lua_getglobal(L, "package");
  lua_pushfstring(L, "%s/lua/?.lua;%s/lua/?/init.lua;%s/tests/fuzz/?.lua", root, root, root);
  lua_setfield(L, -2, "path");
  lua_getfield(L, -1, "preload");
  lua_pushcfunction(L, open_module);
  lua_setfield(L, -2, "sinew");
  lua_pop(L, 2);
  return L;
}

/* blocks of the engine that are alive, as the state of the maker sees them */
static double live_blocks(void) {
  lua_getglobal(maker, "live_blocks");
  lua_call(maker, 0, 1);
  double blocks = lua_tonumber(maker, -1);
  lua_pop(maker, 1);
  return blocks;
}

static void limit_time(int seconds) {
  struct itimerval limit = { .it_value = { .tv_sec = seconds } };
  setitimer(ITIMER_PROF, &limit, NULL);
}

static void run_program(const char *text, size_t length) {
  double before = live_blocks();
  limit_time(most_seconds);
  lua_State *L = new_state();
  lua_pushcfunction(L, fail_later);
  lua_setglobal(L, "fail");
  lua_pushcfunction(L, limit_work);
  lua_setglobal(L, "limit");
#ifdef FUZZ_BUDGETS
  si_lua_guard_set(L, &guard);
#endif
  lua_pushcfunction(L, count_calls);
  lua_setglobal(L, "count");
  if (luaL_loadfile(L, player) || lua_pcall(L, 0, 0, 0)) fatal(player, lua_tostring(L, -1));
  if (luaL_loadbuffer(L, text, length, "=program")) fatal("the program", lua_tostring(L, -1));
  if (lua_pcall(L, 0, 0, 0)) fprintf(stderr, "program: %s\n", lua_tostring(L, -1));
  until_failure = 0;
  lua_pushcfunction(L, limit_work);
  lua_pushinteger(L, 0);
  lua_pushinteger(L, 0);
  lua_call(L, 2, 0);
  lua_close(L);
  limit_time(0);
  double after = live_blocks();
  if (after == before) return;
  fprintf(stderr, "SUMMARY: blocks of the engine leaked\n%g blocks\n", after - before);
  if (__lsan_do_recoverable_leak_check) __lsan_do_recoverable_leak_check();
  abort();
}

/* Programs write files, by what saves and bakes: they do it in a folder that is theirs alone. */
static void enter_scratch(const char *name, int number) {
  char path[PATH_MAX + 32];
  snprintf(path, sizeof path, "%.4000s/%s-%d", folder, name, number);
  if (mkdir(path, 0777) && errno != EEXIST) fatal(path, strerror(errno));
  if (chdir(path)) fatal(path, strerror(errno));
}

/* pushes the text of a program, of all its statements */
static const char *program_text(uint32_t seed, size_t *length) {
  lua_getglobal(maker, "program");
  lua_pushnumber(maker, seed);
  lua_call(maker, 1, 1);
  return lua_tolstring(maker, -1, length);
}

static void child(int job, uint32_t seed, const char *log) {
  int file = open(log, O_WRONLY | O_CREAT | O_TRUNC, 0600);
  if (file < 0) fatal(log, strerror(errno));
  dup2(file, 1);
  dup2(file, 2);
  enter_scratch("scratch", job);
  for (int i = 0; i < of_a_child; i++, seed++) {
    size_t length;
    common->seed[job] = seed;
    const char *text = program_text(seed, &length);
    run_program(text, length);
    lua_pop(maker, 1);
    common->programs++;
  }
  _exit(0);
}

/* --- findings */

/* what the log of a dead child says, in one line: pushes it */
static const char *push_signature(const char *log, int status) {
  lua_getglobal(maker, "signature");
  lua_pushstring(maker, log);
  lua_pushnumber(maker, WIFSIGNALED(status) ? WTERMSIG(status) : 0);
  lua_call(maker, 2, 1);
  return lua_tostring(maker, -1);
}

/* try(text): how a child that runs it dies, or nil */
static int try_text(lua_State *L) {
  size_t length;
  const char *text = luaL_checklstring(L, 1, &length),
             *log = lua_pushfstring(L, "%s/try.log", folder);
  fflush(NULL);
  pid_t id = fork();
  if (id < 0) return luaL_error(L, "fork: %s", strerror(errno));
  if (id == 0) {
    int file = open(log, O_WRONLY | O_CREAT | O_TRUNC, 0600);
    dup2(file, 1);
    dup2(file, 2);
    enter_scratch("scratch-try", 0);
    double calls = common->calls;
    run_program(text, length);
    common->calls = calls;
    _exit(0);
  }
  int status;
  while (waitpid(id, &status, 0) < 0 && errno == EINTR) continue;
  if (status == 0) return 0;
  push_signature(log, status);
  return 1;
}

/* reports what the program of a seed did; returns whether it is new */
static bool report(uint32_t seed, const char *log, int status, double seconds) {
  lua_getglobal(maker, "report");
  lua_pushnumber(maker, seed);
  push_signature(log, status);
  lua_pushstring(maker, log);
  lua_pushstring(maker, folder);
  lua_pushnumber(maker, seconds);
  lua_pushnumber(maker, common->calls);
  lua_call(maker, 6, 1);
  bool fresh = lua_toboolean(maker, -1);
  lua_pop(maker, 1);
  return fresh;
}

/* --- the main program */

static void stop(int which) {
  (void)which;
  stopping = true;
}

/* a folder, and those that it is in */
static void make_folders(const char *path) {
  char part[PATH_MAX];
  for (size_t i = 1; path[i - 1] && i < sizeof part; i++) {
    part[i - 1] = path[i - 1];
    part[i] = '\0';
    if (path[i] == '/' || !path[i]) mkdir(part, 0777);
  }
}

static void run_file(const char *path) {
  static char text[1 << 20];
  FILE *file = fopen(path, "rb");
  size_t length = file ? fread(text, 1, sizeof text, file) : 0;
  if (!file || fclose(file)) fatal(path, strerror(errno));
  enter_scratch("scratch-run", 0);
  run_program(text, length);
  printf("%s ran to its end\n", path);
  fflush(stdout);
  _exit(0);
}

#ifndef FUZZ_BUDGETS
static void load_module(const char *module) {
  void *library = dlopen(module, RTLD_NOW);
  if (!library) fatal(module, dlerror());
  *(void **)&open_module = dlsym(library, "luaopen_sinew");
  if (!open_module) fatal(module, dlerror());
}
#endif

static void open_all(void) {
  common = mmap(NULL, sizeof *common, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
  if (common == MAP_FAILED) fatal("memory to share", strerror(errno));
  maker = new_state();
  lua_pushcfunction(maker, try_text);
  lua_setglobal(maker, "try");
#ifdef FUZZ_BUDGETS
  lua_pushboolean(maker, true);
  lua_setglobal(maker, "budgets");
#endif
  lua_getglobal(maker, "require");
  lua_pushliteral(maker, "api_make");
  if (lua_pcall(maker, 1, 0, 0)) fatal("api_make.lua", lua_tostring(maker, -1));
}

typedef struct settings {
  double seconds, calls;
  uint32_t seed;
  int jobs;
  const char *run;
  long programs;
  int findings; /* after which to stop */
} settings;

/* runs children until time or calls are used up; returns the number of different findings */
static int fuzz(const settings *s) {
  pid_t ids[most_jobs] = { 0 };
  char logs[most_jobs][PATH_MAX + 32];
  uint32_t next_seed = s->seed, first[most_jobs] = { 0 };
  int findings = 0, running = 0;
  double start = seconds_now(), told = start;
  for (;;) {
    double now = seconds_now();
    bool done = stopping || now - start >= s->seconds || common->calls >= s->calls ||
                (s->programs && common->programs >= s->programs) || findings >= s->findings;
    if (done && !running) break;
    for (int j = 0; !done && j < s->jobs; j++) {
      if (ids[j]) continue;
      snprintf(logs[j], sizeof logs[j], "%.4000s/child-%d.log", folder, j);
      first[j] = next_seed;
      next_seed += of_a_child;
      fflush(NULL);
      ids[j] = fork();
      if (ids[j] == 0) child(j, first[j], logs[j]);
      running++;
    }
    if (now - told > 60) {
      told = now;
      printf("%.0f s: %.0f calls of %ld programs, %d findings\n", now - start, common->calls,
             common->programs, findings);
      fflush(stdout);
    }
    int status;
    pid_t ended = waitpid(-1, &status, WNOHANG);
    for (int j = 0; done && j < s->jobs; j++)
      if (ids[j] && ended != ids[j]) kill(ids[j], SIGKILL);
    if (ended <= 0) {
      usleep(20000);
      continue;
    }
    for (int j = 0; j < s->jobs; j++)
      if (ids[j] == ended) {
        ids[j] = 0;
        running--;
        if (status == 0 || (WIFSIGNALED(status) && WTERMSIG(status) == SIGKILL && done)) continue;
        if (WIFEXITED(status) && WEXITSTATUS(status) == 2)
          fatal("a child could not run, see", logs[j]);
        uint32_t seed = common->seed[j];
        findings += report(seed, logs[j], status, now - start);
      }
  }
  printf(
      "%.0f calls (%.0f %% raised nothing) of %ld programs from seed %u in %.0f s: %d finding%s\n",
      common->calls, 100 * common->fine / (common->calls + 1), common->programs, s->seed,
      seconds_now() - start, findings, findings == 1 ? "" : "s");
  return findings;
}

static int usage(const char *program) {
  fprintf(stderr,
          "usage: %s [--seconds N] [--calls N] [--seed S] [--jobs N] [--folder DIR]"
          " [--module FILE] | --run FILE\n",
          program);
  return 2;
}

int main(int argc, char **argv) {
  settings s = { .seconds = 1e9, .calls = 1e18, .seed = 1, .jobs = 1, .findings = 20 };
  const char *where = "build/fuzz", *module = NULL;
  int first = 1; /* as of the other fuzzers: how many, and the seed */
  if (argc > first && isdigit((unsigned char)*argv[first])) s.programs = atol(argv[first++]);
  if (argc > first && isdigit((unsigned char)*argv[first]))
    s.seed = (uint32_t)strtoul(argv[first++], NULL, 10);
  for (int i = first; i + 1 < argc; i += 2) {
    char *end = argv[i + 1];
    if (strcmp(argv[i], "--seconds") == 0)
      s.seconds = strtod(argv[i + 1], &end);
    else if (strcmp(argv[i], "--calls") == 0)
      s.calls = strtod(argv[i + 1], &end);
    else if (strcmp(argv[i], "--seed") == 0)
      s.seed = (uint32_t)strtoul(argv[i + 1], &end, 10);
    else if (strcmp(argv[i], "--findings") == 0)
      s.findings = (int)strtol(argv[i + 1], &end, 10);
    else if (strcmp(argv[i], "--jobs") == 0)
      s.jobs = (int)strtol(argv[i + 1], &end, 10);
    else if (strcmp(argv[i], "--folder") == 0)
      where = argv[i + 1], end += strlen(end);
    else if (strcmp(argv[i], "--module") == 0)
      module = argv[i + 1], end += strlen(end);
    else if (strcmp(argv[i], "--run") == 0)
      s.run = argv[i + 1], end += strlen(end);
    else
      return usage(argv[0]);
    if (*end || end == argv[i + 1]) return usage(argv[0]);
  }
  if ((argc - first) % 2 || s.jobs < 1 || s.jobs > most_jobs || s.seconds <= 0)
    return usage(argv[0]);
  if (s.seconds == 1e9 && s.calls == 1e18 && !s.programs) s.seconds = 60;
  make_folders(where);
  if (!realpath(where, folder)) fatal(where, strerror(errno));
  if (!realpath(".", root)) fatal(".", strerror(errno));
  snprintf(player, sizeof player, "%.4000s/tests/fuzz/api_play.lua", root);
#ifdef FUZZ_BUDGETS
  if (module) return usage(argv[0]);
  open_module = luaopen_sinew;
#else
  char path[PATH_MAX], beside[PATH_MAX + 32];
  const char *name = strrchr(argv[0], '/');
  snprintf(beside, sizeof beside, "%.*s../%s/sinew.so", name ? (int)(name + 1 - argv[0]) : 0,
           argv[0], LUA_VERSION_NUM == 501 ? "luajit" : "lua");
  if (!module) module = beside;
  char *full = realpath(module, path);
  load_module(full ? full : module);
#endif
  open_all();
  char file[PATH_MAX];
  if (s.run && !realpath(s.run, file)) fatal(s.run, strerror(errno));
  if (s.run) run_file(file);
  signal(SIGINT, stop);
  signal(SIGTERM, stop);
  int findings = fuzz(&s);
  fflush(stdout);
  _exit(findings ? 1 : 0); /* the maker's state is left as it is */
}
