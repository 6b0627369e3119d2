/* A Lua 5.4 state for untrusted scripts. Whatever a script does, each entry ends with a result
 * or with a message within its budget of instructions, time and memory; the script reaches no file
 * but the Lua texts of its own folder and of the module folders it was given, and nothing of the
 * process. One sandbox holds one script: a reload makes a new sandbox. Not for several threads at
 * once, though each sandbox may live on a thread of its own. */
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
  si_sandbox_budget load; /* the whole of si_sandbox_load_* */
  si_sandbox_budget eval; /* each bracket of si_sandbox_begin/_end, each si_sandbox_call */
  size_t memory;          /* bytes, of Lua and of the engine's objects the script made */
  size_t text;            /* bytes of the longest string and of the longest source file */

  const si_sandbox_module *modules;
  size_t module_count;
  const char *const *folders; /* where `require` looks after the script's own folder */
  size_t folder_count;

  /* Takes what the script prints: one call for each `print`, no line end, control characters
   * replaced. NULL drops it. */
  void (*print)(const char *text, size_t length, void *user);
  /* Nanoseconds that never run backwards; NULL is the machine's monotonic clock. */
  uint64_t (*clock)(void *user);
  void *user;
} si_sandbox_desc;

/* At most five seconds and 100 million instructions to load, one second and 10 million for an
 * evaluation, 128 MB, strings of 1 MB. */
si_sandbox_desc si_default_sandbox_desc(void);

/* NULL, with `error` filled, when memory is out. The desc is copied, but for `user`. */
si_sandbox *si_sandbox_create(const si_sandbox_desc *desc, sinew_error *error);
/* NULL is allowed. Never waits for a script: no script has finalizers. */
void si_sandbox_destroy(si_sandbox *sandbox);

/* Runs the script at `path` and keeps the one value it returns; a script that returns nothing has
 * failed. A byte-order mark and a first line with `#` are skipped. */
sinew_status si_sandbox_load_file(si_sandbox *sandbox, const char *path, sinew_error *error);
/* The same for a string; messages use `name` as the file. `require` then finds the
 * modules and module folders only. */
sinew_status si_sandbox_load_text(si_sandbox *sandbox, const char *name, const char *text,
                                  size_t length, sinew_error *error);
/* The same for a file that is not a script: `make` is called in the state with its path, its bytes
 * (a light userdata) and their number, and what it returns is the result. */
sinew_status si_sandbox_load_data(si_sandbox *sandbox, const char *path, size_t limit,
                                  lua_CFunction make, sinew_error *error);
/* Lists a file that such a text was made of, as one of the script's files. */
sinew_status si_sandbox_add_file(si_sandbox *sandbox, const si_watch_file *file,
                                 sinew_error *error);
/* Pushes what the script returned on the stack of si_sandbox_state; nil before it was loaded. */
void si_sandbox_push_result(si_sandbox *sandbox);

/* Runs one more file of the script, with a budget of its own, and keeps what it returns until the
 * next such; `returns` names that in the message when there is nothing. Then pushes it. */
sinew_status si_sandbox_load_more(si_sandbox *sandbox, const char *path, const char *returns,
                                  sinew_error *error);
void si_sandbox_push_more(si_sandbox *sandbox);

/* The state, to push arguments and read results. Its slot 1 belongs to the sandbox. Outside of a
 * protected call use only functions of the Lua API that raise no errors. */
lua_State *si_sandbox_state(si_sandbox *sandbox);
/* The sandbox a state (or a coroutine of it) belongs to, or NULL for a plain state. */
si_sandbox *si_sandbox_of(lua_State *L);

/* As lua_pcall: the function and its `arguments` are on the stack, and go. On success `results`
 * values are there; else none, and `error` says what happened. */
sinew_status si_sandbox_call(si_sandbox *sandbox, int arguments, int results, sinew_error *error);

/* A bracket around work that enters the state by lua_pcall of its own, such as one evaluation of a
 * pose with scripted components, or one call of a component where a C program evaluates: the whole
 * of it has one budget. A few stores; they nest, and the inner ones count for the outermost. */
void si_sandbox_begin(si_sandbox *sandbox);
void si_sandbox_end(si_sandbox *sandbox);
/* The same from a state that is known to have a sandbox. */
void si_sandbox_enter(lua_State *L);
void si_sandbox_leave(lua_State *L);
/* Whether the script was stopped since the outermost si_sandbox_begin or load. */
bool si_sandbox_killed(const si_sandbox *sandbox);

/* Charges work done in C for the script; raises the kill when the budget is used up. For module
 * functions that loop over what a script chose. A plain state is left alone. */
void si_sandbox_spend(lua_State *L, size_t units);

/* The same before so many bytes are taken outside of Lua: raises too when the script may not hold
 * them. */
void si_sandbox_reserve(lua_State *L, size_t bytes);

/* Reads a file of at most `limit` bytes in the script's own folder, or below it, for the script;
 * it is then one of the script's files. Pushes its path, which is given back, and a userdata that
 * holds `bytes`. Raises when it is not there, leads out of the folder or is too large. */
const char *si_sandbox_read_data(lua_State *L, const char *name, size_t length, size_t limit,
                                 const void **bytes, size_t *size);

/* Pushes the table of the modules that were required, by name. */
void si_sandbox_push_loaded(lua_State *L);

/* Fills `error` from the error value on top of the stack, and pops it. Runs no script code. */
sinew_status si_sandbox_take_error(si_sandbox *sandbox, int lua_status, sinew_error *error);
/* The calls that led to the last error, one a line; "" where there is none. */
const char *si_sandbox_traceback(const si_sandbox *sandbox);

/* The files the script is made of, in the order they were met: the script, then what it required,
 * also those that failed or were missing. Each with the stamp it had when it was read. */
size_t si_sandbox_file_count(const si_sandbox *sandbox);
const si_watch_file *si_sandbox_file(const si_sandbox *sandbox, size_t index);

/* Bytes that the state and the engine's objects of the script hold now. */
size_t si_sandbox_memory(const si_sandbox *sandbox);

#endif
