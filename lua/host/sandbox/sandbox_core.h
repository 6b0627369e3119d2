/* What the files of the sandbox share: its state, the budget, and what each library adds. */
#ifndef SI_SANDBOX_CORE_H
#define SI_SANDBOX_CORE_H

#include "base/alloc.h"
#include "base/budget_internal.h"
#include "base/error_internal.h"
#include "lua/host/sandbox/sandbox.h"

#include <lauxlib.h>

/* Lua's memory: small blocks come from pages by size, large ones are allocated one by one. */
#define SI_POOL_STEP 16
#if defined(__SANITIZE_ADDRESS__)
#define SI_POOL_CLASSES 1 /* every block separate, so that the sanitizer sees its bounds */
#define SI_POOL_MAX     0
#else
#define SI_POOL_CLASSES 32
#define SI_POOL_MAX     (SI_POOL_STEP * SI_POOL_CLASSES)
#endif
#define SI_HEAVY_CLASSES 11

/* How many bytes a script may print, from its load to the next. */
#define SI_MOST_PRINTED ((size_t)1 << 20)

/* How many keys a table may have outside its list part. */
#define SI_MOST_KEYS      ((size_t)16384)
#define SI_MOST_CONSTANTS ((size_t)32768) /* the compiler keeps its constants in such a table */

typedef struct si_pool_cell {
  struct si_pool_cell *next;
} si_pool_cell;

typedef struct si_pool {
  si_pool_cell *free[SI_POOL_CLASSES];
  si_pool_cell *pages;
  unsigned char *fresh, *fresh_end; /* the unused part of the newest page */
  size_t used;                      /* bytes that Lua holds */
  size_t held;                      /* bytes of pages and large blocks */
  int heavy[SI_HEAVY_CLASSES];      /* live blocks, by the work of one instruction on them */
} si_pool;

struct si_sandbox {
  lua_State *L;
  lua_State *running; /* the running coroutine */
  lua_State *scanner; /* a stack to check metatables, even from inside the allocator */
  si_sandbox_desc desc;
  si_pool pool;

  sinew_budget budget; /* of the current entry; also charged by the engine, from any thread */
  sinew_budget *outer; /* of this thread, outside of begin and end */
  int64_t unseen;      /* instructions until the next look, inside C */
  const char *entry;   /* "loading" or "one evaluation" */
  int depth;           /* depth of begin/end */
  int step;            /* instructions between two hooks */

  size_t collect_at; /* value of `used` at which the collector runs again */
  int close_depth;
  size_t most_keys;

  bool refused; /* the last block that Lua asked for, for lack of memory */
  bool armed;   /* the next instruction calls the hook */
  bool loaded;
  bool killed;
  bool silent; /* it printed too much */
  size_t printed;
  char kill_text[512];
  char traceback[4096];
  const char *traced; /* the error text that the traceback belongs to */

  si_sandbox_module *modules;
  char **folders;       /* as given */
  char *script_folder;  /* NULL for a text */
  si_watch_file *files; /* paths owned */
  size_t file_count, file_capacity;
};

/* The sandbox of a state that is known to have one. */
static inline si_sandbox *si_sandbox_inside(lua_State *L) {
  return *(si_sandbox **)lua_getextraspace(L);
}

/* sandbox_memory.c */
void *si_pool_realloc(void *user, void *block, size_t old_bytes, size_t bytes);
void si_pool_clear(si_pool *pool);

/* Computes the step from the live blocks. */
void si_pool_reset_step(si_sandbox *sandbox);

/* sandbox_budget.c */
void si_budget_prepare(si_sandbox *sandbox);
void si_budget_start(si_sandbox *sandbox, const si_sandbox_budget *budget, const char *entry);
/* Whether the script is stopped, by its budget or otherwise; notes why the first time. */
bool si_budget_over(lua_State *L);
/* Sets the hook of `L` to the sandbox's current step. */
void si_budget_hook(si_sandbox *sandbox, lua_State *L);
/* The next instruction calls the hook. Called from inside the allocator. */
void si_budget_arm(si_sandbox *sandbox);
/* Kills the script from inside the allocator, which then refuses the block. Does not raise. */
void si_budget_refuse(si_sandbox *sandbox, const char *format, ...) SINEW_PRINTF(2, 3);
/* Makes weak tables strong, since Lua will collect when an allocation fails. Called by the
 * allocator. */
void si_budget_defuse(si_sandbox *sandbox);
/* Checks every limit; raises if one is exceeded. */
void si_budget_look(lua_State *L);
/* Raises the error again if the script was killed. Call it after every protected call made for a
 * script. */
void si_budget_pass_on(lua_State *L);
/* Collects all garbage, unless a script has made a weak table. */
void si_budget_collect(lua_State *L);

static inline void si_spend(lua_State *L, size_t units) {
  si_sandbox *sandbox = si_sandbox_inside(L);
  sandbox->unseen -= (int64_t)units;
  bool ok = si_budget_spend(&sandbox->budget, units);
  if (!ok || sandbox->unseen < 0 || sandbox->armed) si_budget_look(L);
}

/* sandbox_base.c: each function adds to the globals and leaves the stack as it was */
void si_sandbox_open_base(lua_State *L);
void si_sandbox_open_coroutine(lua_State *L);
void si_sandbox_open_string(lua_State *L);
void si_sandbox_open_table(lua_State *L);
void si_sandbox_open_require(lua_State *L);
/* Opens a standard library and pushes its table, without storing it anywhere. */
void si_sandbox_open_standard(lua_State *L, const char *name, lua_CFunction open);
/* Removes each name of a NULL-terminated list from the table on top. */
void si_sandbox_drop(lua_State *L, const char *const *names);
/* Pushes the text of a value as `tostring` gives it, without addresses; may call __tostring. */
const char *si_sandbox_tostring(lua_State *L, int index, size_t *length);
/* Compiles a text; pushes the function or the message, as lua_load does. */
int si_sandbox_compile(lua_State *L, const char *text, size_t length, const char *chunk_name);

/* sandbox_error.c */
/* A message handler: keeps the traceback, and converts other error values to text. */
int si_sandbox_note_error(lua_State *L);
/* Pushes on `L` the message, if given, and the calls of `of` from `level` on. */
void si_sandbox_trace(lua_State *L, lua_State *of, const char *message, int level);
/* Writes "file:line: " of the nearest running script function from `level` on, or nothing; returns
 * its length. */
int si_sandbox_where(lua_State *L, int level, char *dest, size_t room);
/* Copies at most `room - 1` bytes of a text, control characters other than newline and tab
 * replaced. */
size_t si_sandbox_plain(char *dest, size_t room, const char *text, size_t length);

/* sandbox_require.c */
/* Reads a script into a userdata, which is pushed. `text` and `length` are without the byte-order
 * mark and a first `#` line. On failure pushes a message and returns false. */
bool si_sandbox_read(lua_State *L, const char *path, const char **text, size_t *length);
/* The same for any file of at most `limit` bytes. */
bool si_sandbox_read_bytes(lua_State *L, const char *path, size_t limit, char **dest, size_t *size);
#endif
