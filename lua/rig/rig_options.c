/* sinew.options { hands = true, spine = { "full", "simple" }, height = { 1.71, min = 1, max = 2 } }
 * gives the values to build with: the defaults, or what was chosen when the script was started. */
#include "lua/rig/rig_options.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* its address is the key of the state's table: given (by name, until declared), list, known, texts
 */
static const char state_key;

typedef enum option_kind { OPTION_FLAG, OPTION_NUMBER, OPTION_CHOICE } option_kind;
static const char *const kind_names[] = { "flag", "number", "choice" };

typedef struct declaration {
  const char *name, *doc;
  option_kind kind;
  double min, max; /* of a number */
  int at;          /* stack index of its table, or of the default itself */
  bool table;
} declaration;

static void new_state(lua_State *L, bool texts) {
  static const char *const parts[] = { "given", "list", "known" };
  lua_newtable(L);
  for (int i = 0; i < 3; i++) {
    lua_newtable(L);
    lua_setfield(L, -2, parts[i]);
  }
  lua_pushboolean(L, texts);
  lua_setfield(L, -2, "texts");
}

/* pushes the table of the script that runs; a new one where nobody started it with options */
static void push_state(lua_State *L) {
  if (lua_rawgetp(L, LUA_REGISTRYINDEX, &state_key) == LUA_TTABLE) return;
  lua_pop(L, 1);
  new_state(L, false);
}

/* --- declarations */

static double range_end(lua_State *L, const declaration *d, const char *field, double fallback) {
  si_raw_field(L, d->at, field);
  if (lua_isnil(L, -1)) {
    lua_pop(L, 1);
    return fallback;
  }
  if (lua_type(L, -1) != LUA_TNUMBER)
    luaL_error(L, "option '%s': '%s' must be a number", d->name, field);
  double number = lua_tonumber(L, -1);
  lua_pop(L, 1);
  return number;
}

/* a list of words, each of letters, digits, '_' and '-' */
static void check_choices(lua_State *L, const declaration *d) {
  int count = (int)lua_rawlen(L, d->at);
  if (count < 2) luaL_error(L, "option '%s' needs two choices or more", d->name);
  for (int i = 1; i <= count; i++) {
    lua_rawgeti(L, d->at, i);
    size_t length = 0;
    const char *word = lua_type(L, -1) == LUA_TSTRING ? lua_tolstring(L, -1, &length) : "";
    if (!length ||
        strspn(word, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_-") != length)
      luaL_error(L, "option '%s': choice %d must be a word", d->name, i);
    lua_pop(L, 1);
  }
}

static void check_keys(lua_State *L, const declaration *d) {
  static const char *const known[] = { "doc", "min", "max" };
  for (lua_pushnil(L); lua_next(L, d->at); lua_pop(L, 1)) {
    if (lua_type(L, -2) != LUA_TSTRING) continue;
    const char *key = lua_tostring(L, -2);
    si_nearest nearest;
    si_nearest_start(&nearest, key);
    bool found = false;
    for (int i = 0; i < 3; i++) {
      found |= strcmp(key, known[i]) == 0 && (i == 0 || d->kind == OPTION_NUMBER);
      si_nearest_offer(&nearest, known[i]);
    }
    char who[96];
    snprintf(who, sizeof who, "option '%.60s'", d->name);
    if (!found) si_lua_unknown(L, who, "field", &nearest);
  }
}

/* the declaration on top of the stack */
static declaration read_declaration(lua_State *L, const char *name) {
  declaration d = { .name = name, .at = lua_gettop(L), .min = -HUGE_VAL, .max = HUGE_VAL };
  d.table = lua_istable(L, -1);
  if (d.table)
    lua_rawgeti(L, d.at, 1);
  else
    lua_pushvalue(L, d.at);
  switch (lua_type(L, -1)) {
  case LUA_TBOOLEAN: d.kind = OPTION_FLAG; break;
  case LUA_TNUMBER: d.kind = OPTION_NUMBER; break;
  case LUA_TSTRING: d.kind = OPTION_CHOICE; break;
  default:
    luaL_error(L, "option '%s' must be true or false, a number, or a list of words, not %s", name,
               si_lua_typename(L, -1));
  }
  if (d.kind == OPTION_CHOICE && !d.table)
    luaL_error(L, "option '%s': its choices are a list, such as { \"full\", \"simple\" }", name);
  double initial = lua_tonumber(L, -1);
  lua_pop(L, 1);
  if (!isfinite(initial)) luaL_error(L, "option '%s': its default is not finite", name);
  if (!d.table) return d;
  check_keys(L, &d);
  if (d.kind == OPTION_CHOICE) check_choices(L, &d);
  if (d.kind == OPTION_NUMBER) {
    d.min = range_end(L, &d, "min", d.min);
    d.max = range_end(L, &d, "max", d.max);
    if (!(d.min <= initial && initial <= d.max))
      luaL_error(L, "option '%s': %f is outside its range %f to %f", name, initial, d.min, d.max);
  }
  si_raw_field(L, d.at, "doc");
  if (!lua_isnil(L, -1) && lua_type(L, -1) != LUA_TSTRING)
    luaL_error(L, "option '%s': 'doc' must be a text", name);
  d.doc = lua_tostring(L, -1); /* kept by the declaration */
  lua_pop(L, 1);
  return d;
}

static void push_initial(lua_State *L, const declaration *d) {
  if (d->table)
    lua_rawgeti(L, d->at, 1);
  else
    lua_pushvalue(L, d->at);
}

/* --- choices */

static int wrong(lua_State *L, const declaration *d, const char *right) {
  const char *got = lua_type(L, -1) == LUA_TSTRING ? lua_pushfstring(L, "'%s'", lua_tostring(L, -1))
                                                   : si_lua_typename(L, -1);
  return luaL_error(L, "option '%s' is %s, not %s", d->name, right, got);
}

static bool equals(lua_State *L, const char *word) {
  return lua_type(L, -1) == LUA_TSTRING && strcmp(lua_tostring(L, -1), word) == 0;
}

static void check_choice(lua_State *L, const declaration *d) {
  if (lua_type(L, -1) != LUA_TSTRING) wrong(L, d, "one of its words");
  si_nearest nearest;
  char words[200];
  si_nearest_start(&nearest, lua_tostring(L, -1));
  luaL_Buffer list;
  int count = (int)lua_rawlen(L, d->at);
  for (int i = 1; i <= count; i++) {
    lua_rawgeti(L, d->at, i);
    bool same = lua_rawequal(L, -1, -2);
    si_nearest_offer(&nearest, lua_tostring(L, -1)); /* kept by the declaration */
    lua_pop(L, 1);
    if (same) return;
  }
  luaL_buffinit(L, &list);
  for (int i = 1; i <= count; i++) {
    if (i > 1) luaL_addstring(&list, ", ");
    lua_rawgeti(L, d->at, i);
    luaL_addvalue(&list);
  }
  luaL_pushresult(&list);
  luaL_error(L, "option '%s' has no choice '%s'%s; there are %s", d->name, nearest.wanted,
             si_nearest_words(&nearest, words, sizeof words), lua_tostring(L, -1));
}

/* Replaces the chosen value on top of the stack by one of the option's type. */
static void convert(lua_State *L, const declaration *d, bool texts) {
  if (d->kind == OPTION_FLAG) {
    bool yes = texts && equals(L, "true");
    if (!yes && !(texts && equals(L, "false")) && !lua_isboolean(L, -1))
      wrong(L, d, "true or false");
    if (!lua_isboolean(L, -1)) lua_pushboolean(L, yes);
  } else if (d->kind == OPTION_NUMBER) {
    if (lua_type(L, -1) != LUA_TNUMBER && !(texts && lua_isnumber(L, -1))) wrong(L, d, "a number");
    double number = lua_tonumber(L, -1);
    if (!isfinite(number) || number < d->min || number > d->max)
      luaL_error(L, "option '%s': %f is outside its range %f to %f", d->name, number, d->min,
                 d->max);
    lua_pushnumber(L, number);
  } else {
    check_choice(L, d);
  }
}

/* --- the list of what was declared */

static void push_text(lua_State *L, int index) {
  char text[32];
  if (lua_type(L, index) == LUA_TNUMBER) {
    snprintf(text, sizeof text, "%.9g", (double)lua_tonumber(L, index));
    lua_pushstring(L, text);
  } else if (lua_isboolean(L, index)) {
    lua_pushstring(L, lua_toboolean(L, index) ? "true" : "false");
  } else {
    lua_pushvalue(L, index);
  }
}

static void push_allowed(lua_State *L, const declaration *d) {
  if (d->kind == OPTION_FLAG) {
    lua_pushliteral(L, "true|false");
  } else if (d->kind == OPTION_NUMBER) {
    char text[80];
    bool low = isfinite(d->min), high = isfinite(d->max);
    if (low && high)
      snprintf(text, sizeof text, "%.9g to %.9g", d->min, d->max);
    else if (low || high)
      snprintf(text, sizeof text, "%.9g or %s", low ? d->min : d->max, low ? "more" : "less");
    else
      snprintf(text, sizeof text, "a number");
    lua_pushstring(L, text);
  } else {
    luaL_Buffer list;
    luaL_buffinit(L, &list);
    int count = (int)lua_rawlen(L, d->at);
    for (int i = 1; i <= count; i++) {
      if (i > 1) luaL_addstring(&list, "|");
      lua_rawgeti(L, d->at, i);
      luaL_addvalue(&list);
    }
    luaL_pushresult(&list);
  }
}

/* adds the option with the value on top of the stack to the list of the state at `state` */
static void enlist(lua_State *L, int state, const declaration *d) {
  int value = lua_gettop(L);
  lua_getfield(L, state, "list");
  lua_newtable(L);
  lua_pushstring(L, d->name);
  lua_setfield(L, -2, "name");
  lua_pushstring(L, kind_names[d->kind]);
  lua_setfield(L, -2, "kind");
  push_text(L, value);
  lua_setfield(L, -2, "value");
  push_initial(L, d);
  push_text(L, lua_gettop(L));
  lua_setfield(L, -3, "initial");
  lua_pop(L, 1);
  push_allowed(L, d);
  lua_setfield(L, -2, "allowed");
  if (d->doc) {
    lua_pushstring(L, d->doc);
    lua_setfield(L, -2, "doc");
  }
  lua_rawseti(L, -2, (int)lua_rawlen(L, -2) + 1);
  lua_pop(L, 1);
}

/* --- sinew.options */

static int by_name(const void *a, const void *b) {
  return strcmp(*(const char *const *)a, *(const char *const *)b);
}

/* the names of the table at 1, sorted, in memory pushed on the stack */
static const char **sorted_names(lua_State *L, int *count) {
  *count = 0;
  for (lua_pushnil(L); lua_next(L, 1); lua_pop(L, 1)) ++*count;
  const char **names = lua_newuserdatauv(L, ((size_t)*count + 1) * sizeof *names, 0);
  int n = 0;
  for (lua_pushnil(L); lua_next(L, 1); lua_pop(L, 1)) {
    const char *name = lua_type(L, -2) == LUA_TSTRING ? lua_tostring(L, -2) : NULL;
    const char *fault = name ? si_name_fault(name) : "is no name";
    if (!name) luaL_error(L, "sinew.options: options are given by name");
    char shown[SI_NAME_SHOWN];
    if (fault || strchr(name, '='))
      luaL_error(L, "option '%s' %s", si_name_show(name, shown), fault ? fault : "has a '='");
    names[n++] = name;
  }
  qsort(names, (size_t)n, sizeof *names, by_name);
  return names;
}

static int unknown_value(lua_State *L) {
  si_nearest nearest;
  si_nearest_start(&nearest, luaL_tolstring(L, 2, NULL));
  si_lua_offer_keys(L, 1, &nearest);
  return si_lua_unknown(L, "the rig", "option", &nearest);
}

/* pushes the value of one option, whose declaration is on top, and notes it */
static void take_option(lua_State *L, int state, const char *name) {
  declaration d = read_declaration(L, name);
  lua_getfield(L, state, "known");
  lua_getfield(L, -1, name);
  if (!lua_isnil(L, -1)) luaL_error(L, "option '%s' is declared already", name);
  lua_pop(L, 1);
  lua_pushboolean(L, true);
  lua_setfield(L, -2, name);
  lua_getfield(L, state, "texts");
  bool texts = lua_toboolean(L, -1);
  lua_getfield(L, state, "given");
  lua_getfield(L, -1, name);
  if (lua_isnil(L, -1)) {
    push_initial(L, &d);
  } else {
    convert(L, &d, texts);
    lua_pushnil(L);
    lua_setfield(L, d.at + 3, name); /* the table of what is given */
  }
  enlist(L, state, &d);
  lua_replace(L, d.at);
  lua_settop(L, d.at);
}

static int declare(lua_State *L) {
  luaL_checktype(L, 1, LUA_TTABLE);
  lua_settop(L, 1);
  push_state(L);
  lua_newtable(L); /* the values, at 3 */
  int count;
  const char **names = sorted_names(L, &count);
  for (int i = 0; i < count; i++) {
    lua_getfield(L, 1, names[i]);
    take_option(L, 2, names[i]);
    lua_setfield(L, 3, names[i]);
  }
  lua_settop(L, 3);
  lua_newtable(L);
  lua_pushcfunction(L, unknown_value);
  lua_setfield(L, -2, "__index");
  lua_pushboolean(L, false);
  lua_setfield(L, -2, "__metatable");
  lua_setmetatable(L, 3);
  return 1;
}

void si_open_options(lua_State *L) {
  lua_pushcfunction(L, declare);
  lua_setfield(L, -2, "options");
}

/* --- around a script */

void si_options_begin(lua_State *L, bool texts) {
  int given = lua_gettop(L);
  lua_rawgetp(L, LUA_REGISTRYINDEX, &state_key);
  new_state(L, texts);
  lua_newtable(L); /* a copy: what is declared is taken out of it */
  for (lua_pushnil(L); lua_next(L, given);) {
    lua_pushvalue(L, -2);
    lua_insert(L, -2);
    lua_rawset(L, -4);
  }
  lua_setfield(L, -2, "given");
  lua_rawsetp(L, LUA_REGISTRYINDEX, &state_key);
  lua_remove(L, given);
}

void si_options_finish(lua_State *L) {
  push_state(L);
  lua_getfield(L, -1, "given");
  lua_pushnil(L);
  if (lua_next(L, -2)) {
    lua_pop(L, 1);
    const char *name = luaL_tolstring(L, -1, NULL);
    lua_getfield(L, -4, "known");
    si_nearest nearest;
    si_nearest_start(&nearest, name);
    si_lua_offer_keys(L, -1, &nearest);
    lua_pushnil(L);
    if (!lua_next(L, -2)) luaL_error(L, "option '%s' is given, but the rig has no options", name);
    si_lua_unknown(L, "the rig", "option", &nearest);
  }
  lua_pop(L, 1);
  lua_getfield(L, -1, "list");
  lua_remove(L, -2);
}

void si_options_restore(lua_State *L) { lua_rawsetp(L, LUA_REGISTRYINDEX, &state_key); }
