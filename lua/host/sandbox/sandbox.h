/* A Lua 5.4 state for untrusted scripts. Whatever a script does, each entry ends with a result or a
 * message within its budget of instructions, time and memory. The script can read only the Lua
 * files in its own folder and in the given module folders, and can reach nothing else of the
 * process. A sandbox has one script; a reload creates a new sandbox. A sandbox belongs to one
 * thread at a time; several threads may each have one. */
#ifndef SI_SANDBOX_H
#define SI_SANDBOX_H

#include "lua/base/watch.h"
#include "sinew/error.h"

#include <lua.h>

typedef struct si_sandbox si_sandbox;

/* What one entry may use. Work done inside library functions counts as instructions too. */
typedef struct si_sandbox_budget {
  int64_t instructions;
  double seconds;
} si_sandbox_budget;

/* A C module that `require "<name>"` opens. */
typedef struct si_sandbox_module {
  const char *name;
  lua_CFunction open;
} si_sandbox_module;

typedef struct si_sandbox_desc {
  si_sandbox_budget load; /* for the whole of si_sandbox_load_* */
  si_sandbox_budget eval; /* for each pair of si_sandbox_begin/_end, and each si_sandbox_call */
  size_t memory;          /* bytes, of Lua and of the engine's objects the script made */
  size_t text;            /* bytes of the longest string and of the longest source file */

  const si_sandbox_module *modules;
  size_t module_count;
  const char *const *folders; /* where `require` looks after the script's own folder */
  size_t folder_count;

  /* Receives what the script prints: one call for each `print`, without a newline, control
   * characters and bytes that are not UTF-8 replaced; after 1 MB a last line says that no more
   * follows. NULL discards it. */
  void (*print)(const char *text, size_t length, void *user);
  /* A monotonic clock in nanoseconds; NULL: the system clock. */
  uint64_t (*clock)(void *user);
  void *user;
} si_sandbox_desc;

/* At most five seconds and 100 million instructions to load, one second and 10 million for an
 * evaluation, 128 MB, strings of 1 MB. */
si_sandbox_desc si_default_sandbox_desc(void);

/* NULL, with `error` filled, when memory runs out. The desc is copied, except what `user` points
 * to. */
si_sandbox *si_sandbox_create(const si_sandbox_desc *desc, sinew_error *error);
/* NULL is allowed. Runs no script code, since scripts cannot have finalizers. */
void si_sandbox_destroy(si_sandbox *sandbox);

/* Runs the script at `path` and keeps the one value that it returns. Fails if it returns nothing. A
 * byte-order mark and a first line that begins with `#` are skipped. */
sinew_status si_sandbox_load_file(si_sandbox *sandbox, const char *path, sinew_error *error);
/* The same for a string; messages use `name` as the file. `require` then finds only the C modules
 * and the module folders. */
sinew_status si_sandbox_load_text(si_sandbox *sandbox, const char *name, const char *text,
                                  size_t length, sinew_error *error);
/* The same for a file that is not a script: calls `make` in the state with the path, the bytes (a
 * light userdata) and their number; the result is what it returns. */
sinew_status si_sandbox_load_data(si_sandbox *sandbox, const char *path, size_t limit,
                                  lua_CFunction make, sinew_error *error);
/* Adds a file that such a text was made from to the script's files. */
sinew_status si_sandbox_add_file(si_sandbox *sandbox, const si_watch_file *file,
                                 sinew_error *error);
/* Pushes what the script returned on the stack of si_sandbox_state; nil before it was loaded. */
void si_sandbox_push_result(si_sandbox *sandbox);

/* Runs another file of the script, with its own budget, and pushes what it returns, which is kept
 * until the next such call. If it returns nothing, the message says that `returns` is missing. */
sinew_status si_sandbox_load_more(si_sandbox *sandbox, const char *path, const char *returns,
                                  sinew_error *error);
void si_sandbox_push_more(si_sandbox *sandbox);

/* The state, to push arguments and read results. Its slot 1 belongs to the sandbox. Outside of a
 * protected call, use only functions of the Lua API that do not raise errors. */
lua_State *si_sandbox_state(si_sandbox *sandbox);
/* The sandbox a state (or a coroutine of it) belongs to, or NULL for a plain state. */
si_sandbox *si_sandbox_of(lua_State *L);

/* Like lua_pcall: the function and its `arguments` are on the stack, and are popped. On success
 * pushes `results` values; on failure pushes nothing and fills `error`. */
sinew_status si_sandbox_call(si_sandbox *sandbox, int arguments, int results, sinew_error *error);

/* Begin and end a piece of work that shares one budget and calls lua_pcall by itself, such as an
 * evaluation of a pose with scripted components, or one call of a component if a C program
 * evaluates. Cheap: a few stores. They nest; inner ones use the budget of the outermost. */
void si_sandbox_begin(si_sandbox *sandbox);
void si_sandbox_end(si_sandbox *sandbox);
/* The same with the budget for loading, which si_sandbox_load_* and _call then use as well. */
void si_sandbox_begin_load(si_sandbox *sandbox);
/* The same, given a state that is known to have a sandbox. */
void si_sandbox_enter(lua_State *L);
void si_sandbox_leave(lua_State *L);
/* Whether the script was stopped since the outermost si_sandbox_begin or load. */
bool si_sandbox_killed(const si_sandbox *sandbox);

/* Charges work done in C to the script's budget; raises an error when it is used up. For module
 * functions whose loops depend on input of the script. Does nothing in a plain state. */
void si_sandbox_spend(lua_State *L, size_t units);

/* The same, before allocating `bytes` outside of Lua; also raises if that exceeds the script's
 * memory limit. */
void si_sandbox_reserve(lua_State *L, size_t bytes);

/* Reads a file of at most `limit` bytes in or below the script's folder, and adds it to the
 * script's files. Pushes its path, which is also returned, and a userdata that holds `bytes`.
 * Raises if it is missing, leads out of the folder or is too large. */
const char *si_sandbox_read_data(lua_State *L, const char *name, size_t length, size_t limit,
                                 const void **bytes, size_t *size);

/* Pushes the table of the modules that were required, by name. */
void si_sandbox_push_loaded(lua_State *L);

/* Fills `error` from the error value on top of the stack, and pops it. Runs no script code. */
sinew_status si_sandbox_take_error(si_sandbox *sandbox, int lua_status, sinew_error *error);
/* The traceback of the last error, one call per line; "" if there is none. */
const char *si_sandbox_traceback(const si_sandbox *sandbox);

/* The files of the script, in the order of loading: the script, then what it required, also those
 * that failed or were missing. Each with its stamp at the time it was read. */
size_t si_sandbox_file_count(const si_sandbox *sandbox);
const si_watch_file *si_sandbox_file(const si_sandbox *sandbox, size_t index);

/* The bytes that the state and the script's objects in the engine use now. */
size_t si_sandbox_memory(const si_sandbox *sandbox);

#endif
