/* Running a recording: the paths through a function, joining what they give, and why it cannot be
 * recorded. */
#include "lua/math/record.h"

#include "base/alloc.h"
#include "lua/base/reserve.h"

#include <math.h>
#include <stdarg.h>
#include <stdatomic.h>
#include <stdio.h>
#include <string.h>

static const char recording_key;

si_recording *si_recording_of(lua_State *L) {
  lua_rawgetp(L, LUA_REGISTRYINDEX, &recording_key);
  si_recording *r = lua_touserdata(L, -1);
  lua_pop(L, 1);
  return r;
}

static void *take(lua_State *L, si_recording *r, size_t bytes) {
  void *memory = si_arena_take(&r->arena, bytes);
  if (!memory) luaL_error(L, "out of memory");
  return memory;
}

void si_recording_begin(lua_State *L, si_recording *r) {
  si_graph_start(&r->graph, SI_GRAPH_MOST);
  lua_pushlightuserdata(L, r);
  lua_rawsetp(L, LUA_REGISTRYINDEX, &recording_key);
  si_swap_begin(L, r);
}

void si_recording_end(lua_State *L, si_recording *r) {
  si_swap_end(L, r);
  lua_pushnil(L);
  lua_rawsetp(L, LUA_REGISTRYINDEX, &recording_key);
  si_recording_free(r);
}

void si_recording_free(si_recording *r) {
  si_graph_free(&r->graph);
  si_arena_free(&r->arena);
  si_free(r->slots);
  si_free(r->params);
  si_free(r->curves);
  si_free(r->messages);
  *r = (si_recording){ 0 };
}

void si_recording_again(lua_State *L, si_recording *r) {
  r->dirty = true;
  si_swap_end_run(L);
  r->run = 0;
  si_graph_free(&r->graph);
  si_graph_start(&r->graph, SI_GRAPH_MOST);
  r->param_count = r->curve_count = r->message_count = 0;
  r->paths = NULL;
}

void si_recording_next_run(lua_State *L, si_recording *r) {
  static atomic_uint last_run;
  si_swap_end_run(L);
  do r->run = atomic_fetch_add(&last_run, 1) + 1;
  while (!r->run);
  r->slot_count = 0;
  r->fail = 0;
  r->graph.depth = 0;
  si_swap_start_run(L, r);
}

/* --- refusing */

static int call_path(lua_State *L);

size_t si_recording_where(lua_State *L, char *dest, size_t room) {
  const si_recording *r = si_recording_of(L);
  lua_Debug frame;
  for (int level = 0; lua_getstack(L, level, &frame); level++) {
    lua_getinfo(L, "Slf", &frame);
    bool outside = lua_tocfunction(L, -1) == call_path;
    lua_pop(L, 1);
    if (outside) break;
    if (frame.currentline <= 0) continue;
    int length = snprintf(dest, room, "%s:%d: ", frame.short_src, frame.currentline);
    return length < (int)room ? (size_t)length : room - 1;
  }
  return (size_t)snprintf(dest, room, "%s", r ? r->place : "");
}

int si_recording_refuse(lua_State *L, const char *format, ...) {
  si_recording *r = si_recording_of(L);
  char text[sizeof r->refusal];
  size_t used = r && r->paths ? si_recording_where(L, text, sizeof text)
                              : (size_t)snprintf(text, sizeof text, "%s", r ? r->place : "");
  va_list args;
  va_start(args, format);
  vsnprintf(text + used, sizeof text - used, format, args);
  va_end(args);
  if (r && !*r->refusal) memcpy(r->refusal, text, sizeof text);
  lua_pushstring(L, text);
  return lua_error(L);
}

void si_recording_work(lua_State *L, si_recording *r, uint32_t amount) {
  r->work += amount;
  if (r->work > SI_RECORD_WORK)
    si_recording_refuse(L,
                        "recording takes more than %d instructions; is there a loop without end "
                        "where a value stays the same?",
                        SI_RECORD_WORK);
}

#define NO_VALUE                                                                                   \
  "this takes no recorded value; use math, vec3, quat and mat4, or a built-in component beside "   \
  "this"

/* what Lua or a library says about a recorded value, which a plain number would not cause */
static const struct {
  const char *has, *also, *advice;
} causes[] = {
  { "stack overflow", "", "the calls are too deep" },
  { "'for' ", "number", "a loop whose count depends on a value; use a fixed count, or sinew.root" },
  { "recorded value", "", NO_VALUE },
  { "invalid value (", "'concat'", "a recorded value cannot become text; leave it out" },
  { "C-call boundary", "", "a coroutine cannot yield out of pcall while it is recorded" },
  { "cdata", "", NO_VALUE },
  { "struct", "", NO_VALUE },
};

bool si_recording_has_place(const char *text) {
  for (const char *c = strchr(text, ':'); c; c = strchr(c + 1, ':')) {
    size_t digits = strspn(c + 1, "0123456789");
    if (digits > 0 && c[1 + digits] == ':' && c[2 + digits] == ' ') return true;
  }
  return false;
}

bool si_recording_note_cause(si_recording *r, const char *text) {
  const char *advice = NULL;
  for (size_t i = 0; i < sizeof causes / sizeof *causes && !advice; i++)
    if (strstr(text, causes[i].has) && strstr(text, causes[i].also)) advice = causes[i].advice;
  /* Lua 5.1 does not tell when a table is read by a recorded key */
  if (!advice && LUA_VERSION_NUM == 501 && strstr(text, "nil value") && !strstr(text, "call"))
    advice = "was a table read by a recorded key? Use comparisons or a curve parameter";
  if (advice && !*r->refusal)
    snprintf(r->refusal, sizeof r->refusal, "%.150s%.300s (%s)",
             si_recording_has_place(text) ? "" : r->where, text, advice);
  return advice != NULL;
}

/* --- branches */

bool si_recording_decide(lua_State *L, si_recording *r, si_value condition) {
  double literal;
  if (!condition) {
    r->graph.full = true;
    si_recorded_push_number(L, 0); /* which says so */
  }
  if (si_graph_literal(&r->graph, condition, &literal)) return literal != 0;
  for (const si_paths *p = r->paths; p; p = p->outer)
    for (int i = 0; i < p->at; i++)
      if (p->branches[i].condition == condition) return p->branches[i].taken;
  si_paths *p = r->paths;
  if (!p) luaL_error(L, "a recorded value is compared outside of a recording");
  if (p->at < p->count) {
    if (p->branches[p->at].condition != condition)
      si_recording_refuse(L, "the branches differ between two calls with the same inputs; eval "
                             "must not keep anything");
    return p->branches[p->at++].taken;
  }
  if (p->count == SI_RECORD_BRANCHES)
    si_recording_refuse(
        L,
        "more than %d branches in one call; is this a loop whose count depends on "
        "a value? Use a fixed count, %% to wrap an angle, sinew.root for a search, or "
        "sinew.join(f) for a part",
        SI_RECORD_BRANCHES);
  p->branches[p->count++] = (si_branch){ .condition = condition, .taken = true };
  p->at = p->count;
  return true;
}

/* --- leaves */

void si_leaf_take(lua_State *L, si_recording *r, const si_recorded *value, si_leaf *dest) {
  if (dest->results == SI_RECORD_RESULTS) luaL_error(L, "more than %d results", SI_RECORD_RESULTS);
  if (!dest->v) dest->v = take(L, r, SI_RECORD_RESULTS * 16 * sizeof *dest->v);
  dest->shape[dest->results++] = (uint8_t)value->count;
  memcpy(dest->v + dest->numbers, value->v, (size_t)value->count * sizeof *value->v);
  dest->numbers += value->count;
}

/* the first number of each result is not a number where there is none */
static si_leaf spoiled(si_recording *r, const si_leaf *leaf, si_value condition, bool when_true) {
  si_leaf made = *leaf;
  si_value none = si_rec_number(r, NAN);
  for (int i = 0, at = 0; i < leaf->results; at += leaf->shape[i++])
    made.v[at] = si_rec3(r, SI_G_SELECT, condition, when_true ? none : leaf->v[at],
                         when_true ? leaf->v[at] : none);
  return made;
}

static si_leaf join(lua_State *L, si_recording *r, si_value condition, const si_leaf *yes,
                    const si_leaf *no) {
  si_leaf made;
  if (yes->raised || no->raised) {
    made = yes->raised && no->raised ? *no
                                     : spoiled(r, yes->raised ? no : yes, condition, yes->raised);
    made.raised = yes->raised && no->raised;
  } else {
    made = *no;
    if (yes->results != no->results || memcmp(yes->shape, no->shape, (size_t)no->results) != 0)
      si_recording_refuse(L,
                          "the results are of other kinds, or of another number, on another path");
    for (int i = 0; i < no->numbers; i++)
      made.v[i] = si_rec3(r, SI_G_SELECT, condition, yes->v[i], no->v[i]);
  }
  made.fail = si_rec3(r, SI_G_SELECT, condition, yes->fail, no->fail);
  return made;
}

/* --- paths */

typedef struct job {
  si_recording *r;
  si_record_call call;
  void *user;
  si_leaf *dest;
} job;

/* the arguments are from 1 on, the job on top */
static int call_path(lua_State *L) {
  job *j = lua_touserdata(L, -1);
  lua_pop(L, 1);
  j->call(L, j->r, j->user, j->dest);
  return 0;
}

/* the number of a message, from 1 on */
static uint32_t message_of(lua_State *L, si_recording *r, const char *text) {
  for (uint32_t i = 0; i < r->message_count; i++)
    if (strcmp(r->messages[i], text) == 0) return i + 1;
  if (!si_grow(&r->messages, &r->message_room, (size_t)r->message_count + 1, sizeof *r->messages))
    luaL_error(L, "out of memory");
  size_t length = strlen(text) < 400 ? strlen(text) : 400;
  char *copy = si_arena_text(&r->arena, text, length);
  if (!copy) luaL_error(L, "out of memory");
  for (char *c = copy; *c; c++)
    if ((unsigned char)*c < ' ') *c = ' ';
  r->messages[r->message_count++] = copy;
  return r->message_count;
}

/* notes where an error was raised, which is gone when it is caught */
static int note_where(lua_State *L) {
  si_recording *r = si_recording_of(L);
  si_recording_where(L, r->where, sizeof r->where);
  return 1;
}

/* the error on top of the stack as a text */
static const char *error_text(lua_State *L) {
  const si_recorded *value = si_recorded_test(L, -1);
  bool made = value && value->count == 0;
  if (made || lua_type(L, -1) != LUA_TSTRING) {
    lua_pushstring(L, made ? value->text : "an error that is no text");
    lua_replace(L, -2);
  }
  return lua_tostring(L, -1);
}

/* runs one path; the error is on top of the stack if it returns false */
static bool run_path(lua_State *L, si_recording *r, int arguments, job *j) {
  *j->dest = (si_leaf){ 0 };
  r->fail = 0;
  uint32_t depth = r->depth, loops = r->graph.depth;
  int texts = r->texts;
  r->texts = 0;
  si_recording_work(L, r, 100);
  luaL_checkstack(L, arguments + 8, "recording");
  int base = lua_gettop(L) - arguments;
  lua_pushcfunction(L, note_where);
  lua_pushcfunction(L, call_path);
  for (int i = 1; i <= arguments; i++) lua_pushvalue(L, base + i);
  lua_pushlightuserdata(L, j);
  int status = lua_pcall(L, arguments + 1, 0, base + arguments + 1);
  lua_remove(L, base + arguments + 1);
  r->depth = depth;
  r->graph.depth = loops;
  bool made_texts = r->texts > 0;
  r->texts = texts;
  if (status == LUA_OK && made_texts && !*r->refusal)
    snprintf(r->refusal, sizeof r->refusal, "%s%s", r->text_at, si_recording_no_text);
  if (status == LUA_OK && *r->refusal) { /* which the script has caught */
    lua_pushstring(L, r->refusal);
    return false;
  }
  if (status == LUA_OK) {
    j->dest->fail = r->fail ? r->fail : si_rec_number(r, 0);
    return true;
  }
  if (status == LUA_ERRMEM) lua_error(L);
  if (*r->refusal) return false;
  const char *text = error_text(L);
  if (si_recording_note_cause(r, text)) return false;
  *j->dest = (si_leaf){ .raised = true, .fail = si_rec_number(r, message_of(L, r, text)) };
  return false;
}

bool si_recording_enumerate(lua_State *L, si_recording *r, int arguments, si_record_call call,
                            void *user, si_leaf *dest) {
  si_paths paths = { .outer = r->paths };
  si_leaf leaf = { 0 };
  job j = { r, call, user, &leaf };
  int top = lua_gettop(L);
  for (int tried = 1;; tried++) {
    if (tried > SI_RECORD_PATHS || ++r->runs > SI_RECORD_RUNS) {
      r->paths = paths.outer;
      si_recording_refuse(L,
                          "more than %d paths through its branches, or %d in all; put branches "
                          "that do not depend on each other into functions, and call these "
                          "through sinew.join(f), or use sinew.root where it is a search",
                          SI_RECORD_PATHS, SI_RECORD_RUNS);
    }
    paths.at = 0;
    r->paths = &paths;
    bool ran = run_path(L, r, arguments, &j);
    /* an error may have left those of an inner call; every way out sets the outer ones again */
    /* cppcheck-suppress autoVariables */
    r->paths = &paths;
    if (!ran && *r->refusal) break;
    /* turns the last branch that was not, and joins what is complete */
    while (paths.count > 0) {
      si_branch *last = &paths.branches[paths.count - 1];
      if (last->taken) {
        last->when_true = leaf;
        last->taken = false;
        break;
      }
      leaf = join(L, r, last->condition, &last->when_true, &leaf);
      paths.count--;
    }
    if (paths.count == 0 && leaf.raised) break;
    if (paths.count == 0) {
      r->paths = paths.outer;
      lua_settop(L, top - arguments);
      *dest = leaf;
      return true;
    }
    lua_settop(L, top);
  }
  r->paths = paths.outer;
  lua_replace(L, top - arguments + 1);
  lua_settop(L, top - arguments + 1);
  return false;
}

/* --- functions whose paths are joined */

static void call_function(lua_State *L, si_recording *r, void *user, si_leaf *dest) {
  (void)user;
  lua_call(L, lua_gettop(L) - 1, LUA_MULTRET);
  for (int i = 1; i <= lua_gettop(L); i++) {
    si_recorded value;
    if (!si_recorded_read(L, i, 0, &value))
      si_recording_refuse(L,
                          "a joined function must return numbers, vec3, quats or matrices, not %s",
                          si_recorded_typename(L, i));
    si_leaf_take(L, r, &value, dest);
  }
}

/* fails of a joined function are fails of its caller */
static void add_fail(si_recording *r, si_value before, si_value fail) {
  double none;
  r->fail = before;
  if (!fail) return;
  if (si_graph_literal(&r->graph, fail, &none) && none == 0) return;
  r->fail = fail;
  if (before) r->fail = si_rec3(r, SI_G_SELECT, before, before, fail);
}

void si_recording_join(lua_State *L, si_recording *r, int function, si_leaf *dest) {
  if (r->depth == SI_RECORD_DEPTH)
    si_recording_refuse(L, "more than %d joined functions inside each other", SI_RECORD_DEPTH);
  r->depth++;
  si_value before = r->fail;
  uint32_t made = r->slot_count;
  size_t bytes = made * sizeof *r->slots;
  void *slots = lua_newuserdatauv(L, bytes + 1, 0);
  if (made) memcpy(slots, r->slots, bytes);
  lua_insert(L, function);
  function++;
  bool joined =
      si_recording_enumerate(L, r, lua_gettop(L) - function + 1, call_function, NULL, dest);
  r->depth--;
  if (!joined) lua_error(L);
  if (made && memcmp(slots, r->slots, bytes) != 0)
    si_recording_refuse(L, "a function that is joined must not change vectors and matrices made "
                           "outside of it");
  lua_remove(L, function - 1);
  add_fail(r, before, dest->fail);
}

/* Lua: what sinew.join returns; upvalue 1: the function */
static int call_joined(lua_State *L) {
  si_recording *r = si_recording_of(L);
  lua_pushvalue(L, lua_upvalueindex(1));
  lua_insert(L, 1);
  if (!r) {
    lua_call(L, lua_gettop(L) - 1, LUA_MULTRET);
    return lua_gettop(L);
  }
  si_leaf leaf;
  si_recording_join(L, r, 1, &leaf);
  luaL_checkstack(L, leaf.results + 4, "results");
  for (int i = 0, at = 0; i < leaf.results; at += leaf.shape[i++]) {
    si_recorded value = { .count = leaf.shape[i] };
    memcpy(value.v, leaf.v + at, (size_t)value.count * sizeof *value.v);
    si_recorded_push(L, &value);
  }
  return leaf.results;
}

static int new_joined(lua_State *L) {
  luaL_checktype(L, 1, LUA_TFUNCTION);
  lua_settop(L, 1);
  lua_pushcclosure(L, call_joined, 1);
  return 1;
}

void si_open_joined(lua_State *L) {
  lua_pushcfunction(L, new_joined);
  lua_setfield(L, -2, "join");
}

/* --- parameters */

si_value si_recording_param(lua_State *L, si_recording *r, const char *name, uint32_t entry) {
  for (uint32_t i = 0; i < r->param_count; i++)
    if (r->params[i].entry == entry && strcmp(r->params[i].name, name) == 0)
      return si_graph_param(&r->graph, i);
  if (!si_grow(&r->params, &r->param_room, (size_t)r->param_count + 1, sizeof *r->params))
    luaL_error(L, "out of memory");
  r->params[r->param_count] = (si_graph_param_name){ name, entry };
  return si_graph_param(&r->graph, r->param_count++);
}

si_value si_recording_curve(lua_State *L, si_recording *r, si_graph_code code, const char *name,
                            si_value x) {
  for (uint32_t i = 0; i < r->curve_count; i++)
    if (strcmp(r->curves[i], name) == 0) return si_graph_curve(&r->graph, code, i, x);
  if (!si_grow(&r->curves, &r->curve_room, (size_t)r->curve_count + 1, sizeof *r->curves))
    luaL_error(L, "out of memory");
  r->curves[r->curve_count] = name;
  return si_graph_curve(&r->graph, code, r->curve_count++, x);
}
