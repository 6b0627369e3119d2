/* Loading scripts and their data. `require` finds C modules by name, and Lua files in the script's
 * folder and the module folders only. A name is words joined by dots, so it cannot contain "..".
 * Symbolic links are resolved, and the result must still be inside the folder. Helpers that no
 * folder has come from inside the binary. */
#include "lua/host/sandbox/sandbox_core.h"

#include "base/alloc.h"
#include "base/file_internal.h"
#include "base/names.h"
#include "lua/base/helpers.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

enum { most_files = 1000 };

static const char loaded_key = 0;
static const char loading_mark = 0;

/* the index of a file in the list; a new one counts as missing until it is read */
static size_t note_file(lua_State *L, const char *path) {
  si_sandbox *sandbox = si_sandbox_inside(L);
  for (size_t i = 0; i < sandbox->file_count; i++)
    if (strcmp(sandbox->files[i].path, path) == 0) return i;
  if (sandbox->file_count >= most_files)
    luaL_error(L, "the script uses more than %d files, including missing ones", most_files);
  char *copy = si_strdup(path);
  if (!copy || !si_grow((void **)&sandbox->files, &sandbox->file_capacity, sandbox->file_count + 1,
                        sizeof *sandbox->files)) {
    si_free(copy);
    luaL_error(L, "out of memory");
  }
  sandbox->files[sandbox->file_count].path = copy;
  return sandbox->file_count++;
}

/* skips the byte-order mark, and the first line if it begins with '#', but not its newline */
static void skip_preamble(const char **text, size_t *length) {
  if (*length >= 3 && memcmp(*text, "\xEF\xBB\xBF", 3) == 0) {
    *text += 3;
    *length -= 3;
  }
  if (*length == 0 || **text != '#') return;
  const char *end = memchr(*text, '\n', *length);
  size_t line = end ? (size_t)(end - *text) : *length;
  *text += line;
  *length -= line;
}

/* reads `size` bytes and the stamp; false if the file has changed meanwhile */
static bool read_open(FILE *file, char *dest, size_t size, si_file_info *stamp) {
  *stamp = si_file_look_at(file);
  if (stamp->size != (int64_t)size || fread(dest, 1, size, file) != size) return false;
  if (size <= SI_WATCH_COMPARED) stamp->content = si_hash(SI_HASH_START, dest, size);
  return true;
}

bool si_sandbox_read_bytes(lua_State *L, const char *path, size_t limit, char **dest,
                           size_t *size) {
  si_sandbox *sandbox = si_sandbox_inside(L);
  size_t index = note_file(L, path);
  errno = 0;
  si_file_info about = si_file_look(path);
  if (!about.exists) {
    lua_pushfstring(L, "cannot open '%s': %s", path, strerror(errno));
    return false;
  }
  /* also of what cannot be read, or it would be tried again at once */
  sandbox->files[index].stamp = about;
  if (!about.regular) {
    lua_pushfstring(L, "'%s' is not a file", path);
    return false;
  }
  if ((uint64_t)about.size > (uint64_t)limit) {
    lua_pushfstring(L, "'%s' is too large for a script: more than %d bytes", path, (int)limit);
    return false;
  }
  /* allocate before opening the file: an allocation error would skip the close */
  *size = (size_t)about.size;
  *dest = lua_newuserdatauv(L, *size + 1, 0);
  si_spend(L, *size / 16);
  FILE *file = si_file_open(path);
  bool whole = file && read_open(file, *dest, *size, &sandbox->files[index].stamp);
  int reason = errno;
  if (file) fclose(file);
  if (!whole)
    lua_pushfstring(L, "cannot read '%s': %s", path,
                    file ? "it is being written" : strerror(reason));
  return whole;
}

bool si_sandbox_read(lua_State *L, const char *path, const char **text, size_t *length) {
  char *bytes;
  if (!si_sandbox_read_bytes(L, path, si_sandbox_inside(L)->desc.text, &bytes, length))
    return false;
  *text = bytes;
  skip_preamble(text, length);
  if (*length > 0 && (*text)[0] == LUA_SIGNATURE[0]) {
    lua_pushfstring(L, "'%s' is bytecode; only source text can be loaded", path);
    return false;
  }
  return true;
}

/* words of letters, digits, '_' and '-', joined by dots */
static bool is_module_name(const char *name, size_t length) {
  if (length == 0 || length > 200) return false;
  bool in_word = false;
  for (size_t i = 0; i < length; i++) {
    char c = name[i];
    bool letter = (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') ||
                  c == '_' || c == '-';
    if (!letter && (c != '.' || !in_word)) return false;
    in_word = letter;
  }
  return in_word;
}

/* Whether `path` exists; raises if it is outside of `folder`. */
static bool is_inside(lua_State *L, const char *folder, const char *path) {
  int result = si_path_where(folder, path);
  if (result < 0) luaL_error(L, "'%s' is outside of the folder '%s'", path, folder);
  return result > 0;
}

/* words joined by '/', none of them '.' or '..' or empty */
static bool is_file_name(const char *name, size_t length) {
  if (length == 0 || length > 1000 || strlen(name) != length || strchr(name, '\\')) return false;
  for (const char *word = name;; word++) {
    size_t letters = strcspn(word, "/");
    if (letters == 0 || (letters <= 2 && strncmp(word, "..", letters) == 0)) return false;
    word += letters;
    if (!*word) return true;
  }
}

const char *si_sandbox_read_data(lua_State *L, const char *name, size_t length, size_t limit,
                                 const void **bytes, size_t *size) {
  const char *folder = si_sandbox_inside(L)->script_folder;
  if (!is_file_name(name, length))
    luaL_error(L, "the file name '%s' is not allowed: words joined by '/', as in 'bones/femur.obj'",
               name);
  if (!folder) luaL_error(L, "cannot read '%s': the script has no folder", name);
  const char *path = lua_pushfstring(L, "%s/%s", folder, name);
  char *dest;
  if (!is_inside(L, folder, path)) {
    note_file(L, path); /* so that a watch sees it appear */
    luaL_error(L, "no file '%s'", path);
  }
  if (!si_sandbox_read_bytes(L, path, limit, &dest, size)) luaL_error(L, "%s", lua_tostring(L, -1));
  *bytes = dest;
  return path;
}

/* Looks for the module in one folder: pushes its path, or adds the folder to the list of tried
 * paths on top. */
static bool find_in(lua_State *L, const char *folder, const char *name) {
  static const char *const endings[] = { ".lua", "/init.lua" };
  const char *file = luaL_gsub(L, name, ".", "/");
  for (int i = 0; i < 2; i++) {
    const char *path = lua_pushfstring(L, "%s/%s%s", folder, file, endings[i]);
    if (is_inside(L, folder, path)) {
      lua_replace(L, -3);
      lua_pop(L, 1);
      return true;
    }
    lua_pushfstring(L, "%s\n  no file '%s'", lua_tostring(L, -3), path);
    lua_replace(L, -4);
    lua_pop(L, 1);
  }
  lua_pop(L, 1);
  return false;
}

/* so that a watch sees the file appear */
static void note_missing(lua_State *L, const char *folder, const char *name) {
  note_file(L, lua_pushfstring(L, "%s/%s.lua", folder, luaL_gsub(L, name, ".", "/")));
  lua_pop(L, 2);
}

/* pushes the path of a module's Lua file; raises if there is none, unless it is a helper: NULL */
static const char *find_module(lua_State *L, const char *name) {
  si_sandbox *sandbox = si_sandbox_inside(L);
  lua_pushfstring(L, "module '%s' not found:", name);
  bool found = sandbox->script_folder && find_in(L, sandbox->script_folder, name);
  for (size_t i = 0; !found && i < sandbox->desc.folder_count; i++)
    found = find_in(L, sandbox->folders[i], name);
  if (!found && si_helper_find(name)) return NULL;
  if (!found) {
    if (sandbox->script_folder) note_missing(L, sandbox->script_folder, name);
    for (size_t i = 0; i < sandbox->desc.folder_count; i++)
      note_missing(L, sandbox->folders[i], name);
    luaL_error(L, "%s", lua_tostring(L, -1));
  }
  return lua_tostring(L, -1);
}

/* pushes the function that makes the module, and its arguments; returns how many */
static int push_loader(lua_State *L, const char *name) {
  si_sandbox *sandbox = si_sandbox_inside(L);
  for (size_t i = 0; i < sandbox->desc.module_count; i++) {
    if (strcmp(sandbox->modules[i].name, name) != 0) continue;
    lua_pushcfunction(L, sandbox->modules[i].open);
    lua_pushvalue(L, 1);
    return 1;
  }
  const char *path = find_module(L, name), *chunk, *text;
  size_t length;
  if (path) {
    if (!si_sandbox_read(L, path, &text, &length)) luaL_error(L, "%s", lua_tostring(L, -1));
    chunk = lua_pushfstring(L, "@%s", path);
  } else {
    const si_helper *helper = si_helper_find(name);
    text = helper->text;
    length = helper->size;
    chunk = si_helper_push_chunk(L, helper);
  }
  if (si_sandbox_compile(L, text, length, chunk) != LUA_OK) lua_error(L);
  lua_pushvalue(L, 1);
  lua_pushstring(L, chunk + 1);
  return 2;
}

static int base_require(lua_State *L) {
  size_t length;
  const char *name = luaL_checklstring(L, 1, &length);
  if (!is_module_name(name, length))
    return luaL_error(
        L, "module name '%s' is not allowed: words joined by dots, as in 'parts.spine'", name);
  lua_settop(L, 1);
  lua_rawgetp(L, LUA_REGISTRYINDEX, &loaded_key);
  if (lua_getfield(L, 2, name) != LUA_TNIL) {
    if (lua_touserdata(L, 3) == &loading_mark)
      return luaL_error(L, "module '%s' is required again while it is still being loaded", name);
    return 1;
  }
  si_spend(L, 1000);
  lua_pushcfunction(L, si_sandbox_note_error);
  int handler = lua_gettop(L), arguments = push_loader(L, name);
  lua_pushlightuserdata(L, (void *)&loading_mark);
  lua_setfield(L, 2, name);
  int status = lua_pcall(L, arguments, 1, handler);
  if (status != LUA_OK) {
    lua_pushnil(L);
    lua_setfield(L, 2, name);
    si_budget_pass_on(L);
    return lua_error(L);
  }
  if (lua_isnil(L, -1)) {
    lua_pop(L, 1);
    lua_pushboolean(L, 1);
  }
  lua_pushvalue(L, -1);
  lua_setfield(L, 2, name);
  return 1;
}

void si_sandbox_push_loaded(lua_State *L) { lua_rawgetp(L, LUA_REGISTRYINDEX, &loaded_key); }

void si_sandbox_open_require(lua_State *L) {
  lua_newtable(L);
  lua_rawsetp(L, LUA_REGISTRYINDEX, &loaded_key);
  lua_pushcfunction(L, base_require);
  lua_setglobal(L, "require");
}
