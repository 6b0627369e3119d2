/* Applying a tuning file; see tuned.h. */
#include "lua/host/tuned.h"

#include "base/error_internal.h"
#include "base/file_internal.h"

#include <stdio.h>
#include <string.h>

static bool same_text(const char *a, const char *b) { return a && b ? strcmp(a, b) == 0 : a == b; }

const si_tuned *si_tuned_find(const si_tuned_list *list, si_tuned_kind kind, const char *name,
                              const char *param) {
  for (size_t i = 0; i < list->count; i++) {
    const si_tuned *t = &list->items[i];
    if (t->kind == kind && strcmp(t->name, name) == 0 && same_text(t->param, param)) return t;
  }
  return NULL;
}

bool si_tuned_add(si_tuned_list *list, si_tuned_kind kind, const char *name, const char *param) {
  if (si_tuned_find(list, kind, name, param)) return true;
  if (!si_grow((void **)&list->items, &list->room, list->count + 1, sizeof *list->items))
    return false;
  si_tuned t = { .kind = kind, .name = si_strdup(name), .param = si_strdup(param) };
  if (!t.name || (param && !t.param)) {
    si_free(t.name);
    si_free(t.param);
    return false;
  }
  list->items[list->count++] = t;
  return true;
}

void si_tuned_free(si_tuned_list *list) {
  for (size_t i = 0; i < list->count; i++) {
    si_free(list->items[i].name);
    si_free(list->items[i].param);
  }
  si_free(list->items);
  *list = (si_tuned_list){ 0 };
}

char *si_tuned_path(const char *rig_path) {
  size_t length = strlen(rig_path), room = length + sizeof ".tuning.lua";
  if (length > 4 && strcmp(rig_path + length - 4, ".lua") == 0) length -= 4;
  char *path = si_alloc(room);
  if (path) snprintf(path, room, "%.*s.tuning.lua", (int)length, rig_path);
  return path;
}

static void note(lua_State *L, si_tuned_kind kind, const char *name, const char *param,
                 void *user) {
  if (!si_tuned_add(user, kind, name, param)) luaL_error(L, "out of memory");
}

/* Lua: applies the tuning at 2 to the rig at 1, and adds entries to the list at 3 */
static int apply(lua_State *L) {
  if (!si_lua_test(L, 1, &si_rig_type)) return 0; /* compiling will report the error */
  si_tune(L, 1, 2, note, lua_touserdata(L, 3));
  return 0;
}

sinew_status si_tuned_apply(si_sandbox *sandbox, const char *path, si_tuned_list *dest,
                            sinew_error *error) {
  sinew_status status = si_sandbox_load_more(sandbox, path, "table", error);
  if (status < 0) return status;
  lua_State *L = si_sandbox_state(sandbox);
  lua_pushcfunction(L, apply);
  si_sandbox_push_result(sandbox);
  si_sandbox_push_more(sandbox);
  lua_pushlightuserdata(L, dest);
  status = si_sandbox_call(sandbox, 3, 0, error);
  if (status < 0) si_tuned_blame(path, true, error);
  return status;
}

static bool in_name(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_';
}

/* finds a whole word in the text, or NULL */
static const char *find_word(const char *text, const char *word, size_t length) {
  for (const char *at = text; *at; at++)
    if (strncmp(at, word, length) == 0 && !in_name(at[length]) && (at == text || !in_name(at[-1])))
      return at;
  return NULL;
}

/* A message quotes names, for example a component before its parameter. Finds the last of them in
 * the tuning. */
static const char *find_culprit(const char *text, const char *message) {
  const char *end = strstr(message, " (did you mean"), *found = NULL;
  for (const char *open = strchr(message, '\''); open && (!end || open < end);) {
    const char *close = strchr(open + 1, '\'');
    if (!close) break;
    size_t length = (size_t)(close - open - 1);
    const char *at = length ? find_word(found ? found : text, open + 1, length) : NULL;
    if (at) found = at;
    open = strchr(close + 1, '\'');
  }
  return found;
}

void si_tuned_blame(const char *path, bool sure, sinew_error *error) {
  unsigned char *text = NULL;
  size_t size;
  const char *slash = strrchr(path, '/');
  /* Lua's own messages already contain the line */
  if (strstr(error->text, slash ? slash + 1 : path)) return;
  bool read = si_file_read(path, 1 << 20, &text, &size, NULL) >= 0;
  const char *at = read ? find_culprit((const char *)text, error->text) : NULL;
  int line = 1;
  for (const char *c = (const char *)text; at && c < at; c++) line += *c == '\n';
  sinew_error why = *error;
  if (at)
    si_fail(error, why.status, "%s:%d: %s", path, line, why.text);
  else if (sure)
    si_fail(error, why.status, "%s: %s", path, why.text);
  si_free(text);
}
