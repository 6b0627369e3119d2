/* Creating a sandbox, loading a script, calling it, and destroying the sandbox. */
#include "lua/host/sandbox/sandbox_core.h"

#include "base/alloc.h"
#include "base/error_internal.h"

#include <string.h>

static const char owner_key = 0;
static const char result_key = 0;
static const char more_key = 0;

enum { handler_slot = 1 };

si_sandbox_desc si_default_sandbox_desc(void) {
  return (si_sandbox_desc){
    .load = { 100000000, 5 },
    .eval = { 10000000, 1 },
    .memory = 128 << 20,
    .text = 1 << 20,
  };
}

lua_State *si_sandbox_state(si_sandbox *sandbox) { return sandbox->L; }

si_sandbox *si_sandbox_of(lua_State *L) {
  lua_rawgetp(L, LUA_REGISTRYINDEX, &owner_key);
  si_sandbox *sandbox = lua_touserdata(L, -1);
  lua_pop(L, 1);
  return sandbox;
}

size_t si_sandbox_file_count(const si_sandbox *sandbox) { return sandbox->file_count; }

const si_watch_file *si_sandbox_file(const si_sandbox *sandbox, size_t index) {
  return SI_EXPECT(index < sandbox->file_count) ? &sandbox->files[index] : NULL;
}

static int open_all(lua_State *L) {
  lua_pushlightuserdata(L, si_sandbox_inside(L));
  lua_rawsetp(L, LUA_REGISTRYINDEX, &owner_key);
  si_sandbox_open_base(L);
  si_sandbox_open_coroutine(L);
  si_sandbox_open_string(L);
  si_sandbox_open_table(L);
  si_sandbox_open_require(L);
  return 0;
}

static bool copy_lists(si_sandbox *sandbox) {
  si_sandbox_desc *desc = &sandbox->desc;
  size_t modules = desc->module_count, folders = desc->folder_count;
  desc->module_count = desc->folder_count = 0;
  sandbox->modules = si_alloc_array(modules, sizeof *sandbox->modules);
  sandbox->folders = si_alloc_array(folders, sizeof *sandbox->folders);
  if (!sandbox->modules || !sandbox->folders) return false;
  for (; desc->module_count < modules; desc->module_count++) {
    const si_sandbox_module *given = &desc->modules[desc->module_count];
    si_sandbox_module *copy = &sandbox->modules[desc->module_count];
    *copy = (si_sandbox_module){ si_strdup(given->name), given->open };
    if (!copy->name) return false;
  }
  for (; desc->folder_count < folders; desc->folder_count++) {
    char **copy = &sandbox->folders[desc->folder_count];
    *copy = si_strdup(desc->folders[desc->folder_count]);
    if (!*copy) return false;
  }
  return true;
}

si_sandbox *si_sandbox_create(const si_sandbox_desc *desc, sinew_error *error) {
  si_sandbox *sandbox = si_alloc(sizeof *sandbox);
  if (!sandbox) {
    si_fail_memory(error);
    return NULL;
  }
  sandbox->desc = *desc;
  sandbox->collect_at = SIZE_MAX / 2; /* not before all libraries are open */
  sandbox->most_keys = SI_MOST_KEYS;
  si_budget_prepare(sandbox);
  si_pool_reset_step(sandbox);
  if (copy_lists(sandbox)) sandbox->L = lua_newstate(si_pool_realloc, sandbox);
  lua_State *L = sandbox->L;
  if (L) {
    *(si_sandbox **)lua_getextraspace(L) = sandbox;
    lua_gc(L, LUA_GCSTOP);
    sandbox->running = L;
    si_budget_start(sandbox, &desc->load, "loading");
    lua_pushcfunction(L, open_all);
    if (lua_pcall(L, 0, 0, 0) == LUA_OK) {
      lua_pushcfunction(L, si_sandbox_note_error);
      sandbox->collect_at = 0;
      si_budget_hook(sandbox, L);
      return sandbox;
    }
  }
  si_sandbox_destroy(sandbox);
  si_fail_memory(error);
  return NULL;
}

void si_sandbox_destroy(si_sandbox *sandbox) {
  if (!sandbox) return;
  if (sandbox->L) {
    sandbox->killed = true; /* stops immediately whatever still runs */
    si_budget_hook(sandbox, sandbox->L);
    lua_close(sandbox->L);
  }
  si_pool_clear(&sandbox->pool);
  for (size_t i = 0; i < sandbox->file_count; i++) si_free((void *)sandbox->files[i].path);
  si_free(sandbox->files);
  for (size_t i = 0; i < sandbox->desc.module_count; i++) si_free((void *)sandbox->modules[i].name);
  si_free(sandbox->modules);
  for (size_t i = 0; i < sandbox->desc.folder_count; i++) si_free(sandbox->folders[i]);
  si_free(sandbox->folders);
  si_free(sandbox->script_folder);
  si_free(sandbox);
}

typedef struct load_job {
  const char *name, *text; /* the text is NULL for a file */
  size_t length;
  lua_CFunction make;  /* NULL: a script */
  const char *returns; /* what the script must return */
  const void *key;     /* its key in the registry */
  sinew_status status;
} load_job;

/* pushes the value that `make` returns for the file */
static void make_of_file(lua_State *L, load_job *job) {
  char *bytes;
  size_t size;
  job->status = SINEW_ERR_FILE;
  if (!si_sandbox_read_bytes(L, job->name, job->length, &bytes, &size)) lua_error(L);
  lua_pushcfunction(L, job->make);
  lua_pushstring(L, job->name);
  lua_pushlightuserdata(L, bytes);
  lua_pushinteger(L, (lua_Integer)size);
  lua_call(L, 3, 1);
}

static void run_script(lua_State *L, load_job *job) {
  if (!job->text) {
    job->status = SINEW_ERR_FILE;
    if (!si_sandbox_read(L, job->name, &job->text, &job->length)) lua_error(L);
  }
  job->status = SINEW_ERR_SCRIPT;
  const char *chunk = lua_pushfstring(L, "@%s", job->name);
  if (si_sandbox_compile(L, job->text, job->length, chunk) != LUA_OK) lua_error(L);
  lua_call(L, 0, 1);
}

static int load_script(lua_State *L) {
  load_job *job = lua_touserdata(L, 1);
  if (job->make)
    make_of_file(L, job);
  else
    run_script(L, job);
  if (lua_isnil(L, -1)) {
    lua_pushfstring(L, "%s: the script returns nothing: it must end by returning its %s", job->name,
                    job->returns);
    return lua_error(L);
  }
  lua_rawsetp(L, LUA_REGISTRYINDEX, job->key);
  return 0;
}

/* like lua_pcall; also fails if the work of the engine used up the budget at the very end */
static int call(si_sandbox *sandbox, int arguments, int results) {
  lua_State *L = sandbox->L;
  int status = lua_pcall(L, arguments, results, handler_slot);
  if (status != LUA_OK || !si_budget_over(L)) return status;
  lua_pop(L, results);
  lua_pushnil(L);
  return LUA_ERRRUN;
}

static sinew_status run(si_sandbox *sandbox, load_job *job, sinew_error *error) {
  lua_State *L = sandbox->L;
  si_sandbox_begin_load(sandbox);
  lua_pushcfunction(L, load_script);
  lua_pushlightuserdata(L, job);
  sinew_status status = SINEW_OK;
  int lua_status = call(sandbox, 1, 0);
  if (lua_status != LUA_OK) {
    status = si_sandbox_take_error(sandbox, lua_status, error);
    if (status == SINEW_ERR_SCRIPT && job->status == SINEW_ERR_FILE) {
      status = SINEW_ERR_FILE;
      if (error) error->status = status;
    }
  }
  si_sandbox_end(sandbox);
  return status;
}

static sinew_status load(si_sandbox *sandbox, load_job *job, sinew_error *error) {
  if (!SI_EXPECT(!sandbox->loaded))
    return si_fail(error, SINEW_ERR_CALL, "a sandbox holds one script");
  sandbox->loaded = true;
  job->returns = "rig";
  job->key = &result_key;
  return run(sandbox, job, error);
}

sinew_status si_sandbox_load_more(si_sandbox *sandbox, const char *path, const char *returns,
                                  sinew_error *error) {
  load_job job = { .name = path, .returns = returns, .key = &more_key };
  return run(sandbox, &job, error);
}

void si_sandbox_push_more(si_sandbox *sandbox) {
  lua_rawgetp(sandbox->L, LUA_REGISTRYINDEX, &more_key);
}

/* sets the script's folder, where its modules and data are */
static sinew_status set_folder(si_sandbox *sandbox, const char *path, sinew_error *error) {
  const char *slash = strrchr(path, '/');
  if (sandbox->script_folder) return SINEW_OK;
  char *folder = si_strdup(slash ? path : ".");
  if (!folder) return si_fail_memory(error);
  if (slash) folder[slash == path ? 1 : slash - path] = '\0';
  sandbox->script_folder = folder;
  return SINEW_OK;
}

sinew_status si_sandbox_load_file(si_sandbox *sandbox, const char *path, sinew_error *error) {
  sinew_status status = set_folder(sandbox, path, error);
  load_job job = { .name = path };
  return status < 0 ? status : load(sandbox, &job, error);
}

sinew_status si_sandbox_load_data(si_sandbox *sandbox, const char *path, size_t limit,
                                  lua_CFunction make, sinew_error *error) {
  sinew_status status = set_folder(sandbox, path, error);
  load_job job = { .name = path, .length = limit, .make = make };
  return status < 0 ? status : load(sandbox, &job, error);
}

sinew_status si_sandbox_load_text(si_sandbox *sandbox, const char *name, const char *text,
                                  size_t length, sinew_error *error) {
  load_job job = { .name = name, .text = text, .length = length };
  return load(sandbox, &job, error);
}

sinew_status si_sandbox_add_file(si_sandbox *sandbox, const si_watch_file *file,
                                 sinew_error *error) {
  char *copy = si_strdup(file->path);
  if (!copy || !si_grow((void **)&sandbox->files, &sandbox->file_capacity, sandbox->file_count + 1,
                        sizeof *sandbox->files)) {
    si_free(copy);
    return si_fail_memory(error);
  }
  sandbox->files[sandbox->file_count] = *file;
  sandbox->files[sandbox->file_count++].path = copy;
  return SINEW_OK;
}

void si_sandbox_push_result(si_sandbox *sandbox) {
  lua_rawgetp(sandbox->L, LUA_REGISTRYINDEX, &result_key);
}

sinew_status si_sandbox_call(si_sandbox *sandbox, int arguments, int results, sinew_error *error) {
  si_sandbox_begin(sandbox);
  int lua_status = call(sandbox, arguments, results);
  sinew_status status = SINEW_OK;
  if (lua_status != LUA_OK) status = si_sandbox_take_error(sandbox, lua_status, error);
  si_sandbox_end(sandbox);
  return status;
}
