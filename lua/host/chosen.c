/* See chosen.h. */
#include "lua/host/chosen.h"

#include "base/alloc.h"
#include "base/error_internal.h"
#include "lua/rig/rig_options.h"

#include <string.h>

/* --- what was chosen */

static size_t name_length(const char *text) { return strcspn(text, "="); }

bool si_chosen_add(si_chosen *chosen, const char *text) {
  size_t length = name_length(text);
  char *copy = si_strdup(text);
  if (!copy) return false;
  for (size_t i = 0; i < chosen->count; i++)
    if (name_length(chosen->texts[i]) == length && memcmp(chosen->texts[i], text, length) == 0) {
      si_free(chosen->texts[i]);
      chosen->texts[i] = copy;
      return true;
    }
  if (!si_grow((void **)&chosen->texts, &chosen->room, chosen->count + 1, sizeof *chosen->texts)) {
    si_free(copy);
    return false;
  }
  chosen->texts[chosen->count++] = copy;
  return true;
}

bool si_chosen_copy(si_chosen *dest, const si_chosen *from) {
  *dest = (si_chosen){ 0 };
  for (size_t i = 0; i < from->count; i++)
    if (!si_chosen_add(dest, from->texts[i])) {
      si_chosen_free(dest);
      return false;
    }
  return true;
}

void si_chosen_free(si_chosen *chosen) {
  for (size_t i = 0; i < chosen->count; i++) si_free(chosen->texts[i]);
  si_free(chosen->texts);
  *chosen = (si_chosen){ 0 };
}

/* --- around a script */

/* Lua: the choices at 1 */
static int begin(lua_State *L) {
  const si_chosen *chosen = lua_touserdata(L, 1);
  lua_newtable(L);
  for (size_t i = 0; i < chosen->count; i++) {
    const char *text = chosen->texts[i];
    size_t length = name_length(text);
    if (!text[length] || !length) return luaL_error(L, "option '%s': NAME=VALUE is expected", text);
    lua_pushlstring(L, text, length);
    lua_pushstring(L, text + length + 1);
    lua_rawset(L, -3);
  }
  si_options_begin(L, true);
  return 0;
}

sinew_status si_chosen_begin(si_sandbox *sandbox, const si_chosen *chosen, sinew_error *error) {
  lua_State *L = si_sandbox_state(sandbox);
  lua_pushcfunction(L, begin);
  lua_pushlightuserdata(L, (void *)(uintptr_t)chosen);
  return si_sandbox_call(sandbox, 1, 0, error);
}

/* Copies a field of the table on top of the stack behind the others; NULL where it is missing. With
 * no block, only counts. */
static const char *copied(lua_State *L, const char *field, char *block, size_t *used) {
  lua_getfield(L, -1, field);
  const char *text = lua_tostring(L, -1), *copy = NULL;
  if (text) {
    size_t size = strlen(text) + 1;
    if (block) copy = memcpy(block + *used, text, size);
    *used += size;
  }
  lua_pop(L, 1);
  return copy;
}

static void read_list(lua_State *L, si_declared *dest, size_t *used) {
  *used = 0;
  for (int i = 0; i < dest->count; i++) {
    lua_rawgeti(L, -1, i + 1);
    lua_getfield(L, -1, "kind");
    bool number = strcmp(lua_tostring(L, -1), "number") == 0;
    lua_pop(L, 1);
    sinew_host_option option = { .number = number };
    option.name = copied(L, "name", dest->block, used);
    option.value = copied(L, "value", dest->block, used);
    option.initial = copied(L, "initial", dest->block, used);
    option.allowed = copied(L, "allowed", dest->block, used);
    option.doc = copied(L, "doc", dest->block, used);
    if (dest->block) dest->options[i] = option;
    lua_pop(L, 1);
  }
}

/* Lua: what the script declared, into the list at 1 */
static int finish(lua_State *L) {
  si_declared *dest = lua_touserdata(L, 1);
  size_t size;
  si_options_finish(L);
  dest->count = (int)lua_rawlen(L, -1);
  read_list(L, dest, &size);
  dest->options = si_alloc_array((size_t)dest->count + 1, sizeof *dest->options);
  dest->block = si_alloc(size + 1);
  if (!dest->options || !dest->block) {
    si_declared_free(dest);
    return luaL_error(L, "out of memory");
  }
  read_list(L, dest, &size);
  return 0;
}

sinew_status si_chosen_finish(si_sandbox *sandbox, si_declared *dest, sinew_error *error) {
  lua_State *L = si_sandbox_state(sandbox);
  lua_pushcfunction(L, finish);
  lua_pushlightuserdata(L, dest);
  return si_sandbox_call(sandbox, 1, 0, error);
}

void si_declared_free(si_declared *declared) {
  si_free(declared->options);
  si_free(declared->block);
  *declared = (si_declared){ 0 };
}
