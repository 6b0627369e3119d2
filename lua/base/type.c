/* Types of userdata. A type's metatable is in the registry under the address of its constant
 * table, so that a check compares two metatables and no strings. A script never reaches the
 * metatable: methods live in a table of their own, and __metatable is false. */
#include "lua/base/type.h"

#include "base/text.h"
#include "lua/base/reserve.h"

#include <stdio.h>
#include <string.h>

enum { longest_words = 400, zeroed_at_once = 1 << 18 };

/* --- errors */

const char *si_lua_typename(lua_State *L, int index) {
  if (lua_type(L, index) == LUA_TUSERDATA && luaL_getmetafield(L, index, "__name")) {
    if (lua_type(L, -1) == LUA_TSTRING) return lua_tostring(L, -1);
    lua_pop(L, 1);
  }
  return luaL_typename(L, index);
}

const char *si_lua_found(lua_State *L, int index) {
  if (lua_type(L, index) != LUA_TTABLE) return si_lua_typename(L, index);
  int count = (int)lua_rawlen(L, index);
  if (index < 0) index = lua_gettop(L) + index + 1;
  for (int i = 1; i <= count; i++) {
    lua_rawgeti(L, index, i);
    if (lua_type(L, -1) != LUA_TNUMBER)
      return lua_pushfstring(L, "a table with a %s at %d", si_lua_typename(L, -1), i);
    lua_pop(L, 1);
  }
  if (count > 0) return lua_pushfstring(L, "a table of %d number%s", count, count == 1 ? "" : "s");
  lua_pushnil(L);
  if (!lua_next(L, index)) return "an empty table";
  if (lua_type(L, -2) != LUA_TSTRING) return "table";
  return lua_pushfstring(L, "a table with the field '%s'", lua_tostring(L, -2));
}

/* whether the running function was called as object:method(...) */
static bool called_as_method(lua_State *L) {
  lua_Debug call;
  if (!lua_getstack(L, 0, &call)) return false;
  lua_getinfo(L, "n", &call);
  return call.namewhat && strcmp(call.namewhat, "method") == 0;
}

static const char *const hint = "; a method is called with ':', not '.'";

int si_lua_type_error(lua_State *L, int index, const char *expected) {
  /* with v.add(w), w becomes the object and there is nothing to add */
  bool shifted = index == 2 && lua_isnone(L, 2) && lua_type(L, 1) == LUA_TUSERDATA;
  const char *words = shifted && !called_as_method(L) ? hint : "";
  const char *got = strstr(expected, "table") ? si_lua_found(L, index) : si_lua_typename(L, index);
  if (index < 0) return luaL_error(L, "%s expected, got %s", expected, got);
  return luaL_argerror(L, index, lua_pushfstring(L, "%s expected, got %s%s", expected, got, words));
}

int si_lua_operator_error(lua_State *L, const char *operator) {
  const char *event = strcmp(operator, "+") == 0   ? "__add"
                      : strcmp(operator, "-") == 0 ? "__sub"
                      : strcmp(operator, "*") == 0 ? "__mul"
                                                   : "__div";
  lua_settop(L, 2);
  if (luaL_getmetafield(L, 2, SI_LUA_EXPRESSION) && luaL_getmetafield(L, 2, event)) {
    lua_replace(L, 3);
    lua_insert(L, 1);
    lua_call(L, 2, 1);
    return 1;
  }
  lua_settop(L, 2);
  const char *a = si_lua_typename(L, 1), *b = si_lua_typename(L, 2);
  return luaL_error(L, "cannot apply '%s' to %s and %s", operator, a, b);
}

int si_lua_unknown(lua_State *L, const char *what, const char *kind, const si_nearest *nearest) {
  char words[longest_words];
  return luaL_error(L, "%s has no %s '%s'%s", what, kind, nearest->wanted,
                    si_nearest_words(nearest, words, sizeof words));
}

void si_raw_field(lua_State *L, int table, const char *name) {
  table = lua_absindex(L, table);
  luaL_checktype(L, table, LUA_TTABLE);
  lua_pushstring(L, name);
  lua_rawget(L, table);
}

void si_lua_offer_keys(lua_State *L, int table, si_nearest *nearest) {
  table = lua_absindex(L, table);
  if (!lua_istable(L, table)) return;
  for (lua_pushnil(L); lua_next(L, table); lua_pop(L, 1))
    if (lua_type(L, -2) == LUA_TSTRING) si_nearest_offer(nearest, lua_tostring(L, -2));
}

static void offer_functions(si_nearest *nearest, const luaL_Reg *functions) {
  for (; functions && functions->name; functions++) si_nearest_offer(nearest, functions->name);
}

float si_lua_value_float(lua_State *L) {
  if (!lua_isnumber(L, 3)) {
    const char *got = si_lua_typename(L, 3);
    luaL_error(L, "[%s]: number expected, got %s", luaL_tolstring(L, 2, NULL), got);
  }
  return (float)lua_tonumber(L, 3);
}

lua_Integer si_lua_check_int(lua_State *L, int index, lua_Integer low, lua_Integer high) {
  lua_Number number = luaL_checknumber(L, index);
  int64_t whole;
  if (!si_whole((double)number, low, high, &whole)) {
    char words[longest_words];
    snprintf(words, sizeof words, "whole number from %lld to %lld expected, got %.9g",
             (long long)low, (long long)high, (double)number);
    luaL_argerror(L, index, words);
  }
  return (lua_Integer)whole;
}

static const char internal_key = 0;

/* pushes the set of internal files, by name */
static void push_internal(lua_State *L) {
  if (lua_rawgetp(L, LUA_REGISTRYINDEX, &internal_key) != LUA_TNIL) return;
  lua_pop(L, 1);
  lua_newtable(L);
  lua_pushvalue(L, -1);
  lua_rawsetp(L, LUA_REGISTRYINDEX, &internal_key);
}

void si_lua_internal(lua_State *L) {
  lua_Debug frame;
  if (!lua_getstack(L, 1, &frame)) return;
  lua_getinfo(L, "S", &frame);
  push_internal(L);
  lua_pushboolean(L, 1);
  lua_setfield(L, -2, frame.short_src);
  lua_pop(L, 1);
}

/* whether a file is a helper that makes parts of a rig for its caller */
static bool is_helper(const char *source) {
  static const char *const files[] = { "sinew/chain.lua", "sinew/limb.lua", "sinew/mirror.lua",
                                       "sinew/mirror_copy.lua", "sinew/skeleton.lua" };
  size_t length = strlen(source);
  for (size_t i = 0; i < sizeof files / sizeof *files; i++) {
    const char *end = source + length - strlen(files[i]);
    /* in a folder, or inside the binary: "@sinew/chain.lua" */
    if (end > source && strchr("/\\@", end[-1]) && strcmp(end, files[i]) == 0) return true;
  }
  return false;
}

/* whether the function at a level of the stack is of an internal file */
static bool is_internal(lua_State *L, int level) {
  lua_Debug frame;
  if (!lua_getstack(L, level, &frame)) return false;
  lua_getinfo(L, "S", &frame);
  if (is_helper(frame.source)) return true;
  push_internal(L);
  lua_getfield(L, -1, frame.short_src);
  bool found = lua_toboolean(L, -1);
  lua_pop(L, 2);
  return found;
}

/* the level of the innermost function of a script, for luaL_where */
static int script_level(lua_State *L, int level) {
  lua_Debug frame;
  int inside = level;
  while (lua_getstack(L, inside, &frame)) {
    lua_getinfo(L, "l", &frame);
    if (frame.currentline > 0 && !is_internal(L, inside)) return inside;
    inside++;
  }
  return level;
}

int si_lua_raise_outside(lua_State *L) {
  if (lua_type(L, -1) != LUA_TSTRING) return lua_error(L);
  const char *text = lua_tostring(L, -1), *rest = NULL;
  push_internal(L);
  for (lua_pushnil(L); lua_next(L, -2); lua_pop(L, 1)) {
    size_t length;
    const char *name = lua_tolstring(L, -2, &length);
    if (strncmp(text, name, length) != 0 || text[length] != ':') continue;
    size_t digits = strspn(text + length + 1, "0123456789");
    if (digits && strncmp(text + length + 1 + digits, ": ", 2) == 0)
      rest = text + length + 1 + digits + 2;
  }
  lua_pop(L, 1);
  if (!rest) return lua_error(L);
  luaL_where(L, script_level(L, 1));
  lua_pushstring(L, rest);
  lua_concat(L, 2);
  return lua_error(L);
}

const char *si_where_push(lua_State *L) {
  luaL_where(L, is_internal(L, 1) ? script_level(L, 1) : 1);
  size_t length;
  const char *where = lua_tolstring(L, -1, &length);
  if (length >= 2)
    lua_pushlstring(L, where, length - 2); /* without ": " */
  else
    lua_pushliteral(L, "");
  lua_remove(L, -2);
  return lua_tostring(L, -1);
}

/* whether the first line starts with a position in a script, such as "knee.lua:12: " */
static bool has_position(const char *text) {
  for (; *text && *text != '\n'; text++) {
    size_t digits = *text == ':' ? strspn(text + 1, "0123456789") : 0;
    if (digits && strncmp(text + 1 + digits, ": ", 2) == 0) return true;
  }
  return false;
}

static bool starts_with_position(const char *text) {
  const char *end = strstr(text, ": ");
  const char *digits = end;
  while (digits && digits > text && digits[-1] >= '0' && digits[-1] <= '9') digits--;
  return digits && digits < end && digits > text && digits[-1] == ':';
}

int si_raise(lua_State *L, const sinew_error *error) {
  if (!has_position(error->text)) return luaL_error(L, "%s", error->text);
  lua_pushstring(L, error->text);
  return lua_error(L);
}

/* --- creating and checking */

void *si_lua_new(lua_State *L, const si_lua_type *type, size_t size, int owner) {
  if (owner) owner = lua_absindex(L, owner);
  void *userdata = lua_newuserdatauv(L, size, owner ? 1 : 0);
  for (size_t done = 0; done < size; done += zeroed_at_once) {
    size_t left = size - done;
    if (done) si_lua_spend(L, zeroed_at_once / 64);
    memset((char *)userdata + done, 0, left < zeroed_at_once ? left : zeroed_at_once);
  }
  lua_rawgetp(L, LUA_REGISTRYINDEX, type);
  lua_setmetatable(L, -2);
  if (owner) si_lua_set_owner(L, -1, owner);
  return userdata;
}

void *si_lua_test(lua_State *L, int index, const si_lua_type *type) {
  void *userdata = lua_touserdata(L, index);
  if (!userdata || !lua_getmetatable(L, index)) return NULL;
  lua_rawgetp(L, LUA_REGISTRYINDEX, type);
  bool same = lua_rawequal(L, -1, -2);
  lua_pop(L, 2);
  return same ? userdata : NULL;
}

void *si_lua_check(lua_State *L, int index, const si_lua_type *type) {
  void *userdata = si_lua_test(L, index, type);
  if (!userdata) si_lua_type_error(L, index, type->name);
  return userdata;
}

int si_lua_self_error(lua_State *L, const char *expected) {
  const char *words = called_as_method(L) ? "" : hint, *got = si_lua_typename(L, 1);
  return luaL_argerror(L, 1, lua_pushfstring(L, "%s expected, got %s%s", expected, got, words));
}

void *si_lua_self(lua_State *L, const si_lua_type *type) {
  void *userdata = si_lua_test(L, 1, type);
  if (!userdata) si_lua_self_error(L, type->name);
  return userdata;
}

#if LUA_VERSION_NUM == 501
/* LuaJIT lets nobody change its mode in a finalizer: this raises there, and else does nothing */
static void refuse_finalizer(lua_State *L, const si_lua_type *type) {
  (void)type;
  luaJIT_setmode(L, 0, LUAJIT_MODE_MASK);
}
static int ask_mode(lua_State *L) {
  refuse_finalizer(L, NULL);
  return 0;
}
static bool in_finalizer(lua_State *L) {
  if (!lua_checkstack(L, 2)) return true;
  lua_pushcfunction(L, ask_mode);
  bool refused = lua_pcall(L, 0, 0, 0) != LUA_OK;
  if (refused) lua_pop(L, 1);
  return refused;
}
#else
/* the collector answers nothing while it calls a finalizer, whatever thread asks */
static inline bool in_finalizer(lua_State *L) { return lua_gc(L, LUA_GCCOUNT) < 0; }
static void refuse_finalizer(lua_State *L, const si_lua_type *type) {
  if (in_finalizer(L))
    luaL_error(L, "a finalizer cannot use a %s: what it interrupted may be using it", type->name);
}
#endif

void *si_lua_opened(lua_State *L, const void *userdata, const si_lua_type *type) {
  void *const *alive = (const void *)((const char *)userdata + type->alive);
  if (type->handle && *alive) alive = *alive;
  if (!*alive)
    luaL_error(L, type->handle ? "the rig of this %s was closed" : "the %s was closed", type->name);
  refuse_finalizer(L, type);
  return (void *)(uintptr_t)userdata;
}

void *si_lua_open(lua_State *L, int index, const si_lua_type *type) {
  return si_lua_opened(L, si_lua_check(L, index, type), type);
}

void *si_lua_open_self(lua_State *L, const si_lua_type *type) {
  return si_lua_opened(L, si_lua_self(L, type), type);
}

void si_lua_run_busy(lua_State *L, const char **busy, const char *what, lua_CFunction run,
                     void *context) {
  luaL_checkstack(L, 4, what);
  lua_pushcfunction(L, run);
  lua_pushlightuserdata(L, context);
  *busy = what;
  int status = lua_pcall(L, 1, 0, 0);
  *busy = NULL;
  if (status == LUA_OK) return;
  if (status == LUA_ERRRUN && lua_type(L, -1) == LUA_TSTRING &&
      !starts_with_position(lua_tostring(L, -1))) {
    luaL_where(L, 1);
    lua_insert(L, -2);
    lua_concat(L, 2);
  }
  lua_error(L);
}

/* --- fields
 * A type with fields has one table with its methods and, as light userdata, its fields. It is the
 * first upvalue of the two functions below; the type is the second, its metatable's address the
 * third. They check the userdata, so that getters and setters need not. */

static const si_lua_type *type_of_upvalue(lua_State *L) {
  return lua_touserdata(L, lua_upvalueindex(2));
}

/* whether a value of the type itself is at 1; pushes its metatable, if it has one */
static inline bool is_self(lua_State *L) {
  return lua_getmetatable(L, 1) && lua_topointer(L, -1) == lua_touserdata(L, lua_upvalueindex(3)) &&
         lua_type(L, 1) == LUA_TUSERDATA;
}

static int unknown_key(lua_State *L, const si_lua_type *type) {
  if (lua_type(L, 2) != LUA_TSTRING) {
    const char *got = si_lua_typename(L, 2);
    if (lua_type(L, 2) != LUA_TNUMBER) return luaL_error(L, "%s has no %s keys", type->name, got);
    return luaL_error(L, "%s has no field %s", type->name, luaL_tolstring(L, 2, NULL));
  }
  /* uses the lists, not the table, whose order changes from run to run */
  si_nearest nearest;
  si_nearest_start(&nearest, lua_tostring(L, 2));
  for (const si_lua_field *field = type->fields; field && field->name; field++)
    si_nearest_offer(&nearest, field->name);
  offer_functions(&nearest, type->methods);
  if (type->close) si_nearest_offer(&nearest, "close");
  if (type->offer) type->offer(L, &nearest);
  return si_lua_unknown(L, type->name, type->key ? type->key : "field", &nearest);
}

static int get_field(lua_State *L) {
  lua_settop(L, 2);
  if (!is_self(L)) return si_lua_self_error(L, type_of_upvalue(L)->name);
  lua_pushvalue(L, 2);
  lua_rawget(L, lua_upvalueindex(1));
  if (lua_type(L, -1) == LUA_TFUNCTION) return 1;
  const si_lua_field *field = lua_touserdata(L, -1);
  lua_settop(L, 2);
  if (field && field->get) return field->get(L);
  const si_lua_type *type = type_of_upvalue(L);
  if (field) return luaL_error(L, "field '%s' of %s can only be set", field->name, type->name);
  if (type->index && type->index(L)) return 1;
  return unknown_key(L, type);
}

static int set_field(lua_State *L) {
  lua_settop(L, 3);
  const si_lua_type *type = type_of_upvalue(L);
  if (!is_self(L)) return si_lua_self_error(L, type->name);
  lua_pushvalue(L, 2);
  lua_rawget(L, lua_upvalueindex(1));
  const si_lua_field *field = lua_touserdata(L, -1);
  if (!field && lua_type(L, -1) == LUA_TFUNCTION)
    return luaL_error(L, "%s:%s cannot be replaced", type->name, lua_tostring(L, 2));
  lua_settop(L, 3);
  if (field && field->set) return field->set(L);
  if (!field && type->newindex && type->newindex(L)) return 0;
  lua_settop(L, 2);
  if (!field && !(type->index && type->index(L))) return unknown_key(L, type);
  return luaL_error(L, "field '%s' of %s cannot be set", luaL_tolstring(L, 2, NULL), type->name);
}

/* __index of the table of methods, if that table is the type's __index */
static int unknown_method(lua_State *L) { return unknown_key(L, type_of_upvalue(L)); }

static int nothing_to_set(lua_State *L) {
  const si_lua_type *type = type_of_upvalue(L);
  return luaL_error(L, "%s has no fields to set", type->name);
}

/* --- registering */

/* the method `close` and __close, which a script can call on anything; upvalue 1: the type. In a
 * finalizer of the script it does nothing, since the interrupted function may be using the object;
 * the collector frees it later. */
static int close_method(lua_State *L) {
  const si_lua_type *type = lua_touserdata(L, lua_upvalueindex(1));
  si_lua_self(L, type);
  return in_finalizer(L) ? 0 : type->close(L);
}

/* __gc, which no script reaches */
static int collect(lua_State *L) {
  const si_lua_type *type = lua_touserdata(L, lua_upvalueindex(1));
  return si_lua_test(L, 1, type) ? type->close(L) : 0;
}

/* sets `name` in the table on top to a function whose upvalue is the type */
static void set_closer(lua_State *L, const char *name, lua_CFunction function,
                       const si_lua_type *type) {
  lua_pushlightuserdata(L, (void *)(uintptr_t)type);
  lua_pushcclosure(L, function, 1);
  lua_setfield(L, -2, name);
}

static void set_methods(lua_State *L, const si_lua_type *type) {
  for (const luaL_Reg *method = type->methods; method && method->name; method++) {
    if (!method->func) continue; /* supplied by a later layer with si_lua_type_supply */
    lua_pushcfunction(L, method->func);
    lua_setfield(L, -2, method->name);
  }
  if (type->close) set_closer(L, "close", close_method, type);
}

/* sets `name` in the table on top to a function whose upvalues are the value at `names`, a type and
 * the address of that table */
static void set_closure(lua_State *L, const char *name, lua_CFunction function, int names,
                        const si_lua_type *type) {
  lua_pushvalue(L, names);
  lua_pushlightuserdata(L, (void *)(uintptr_t)type);
  lua_pushlightuserdata(L, (void *)(uintptr_t)lua_topointer(L, -3));
  lua_pushcclosure(L, function, 3);
  lua_setfield(L, -2, name);
}

static void hide_metatable(lua_State *L) {
  lua_pushboolean(L, 0);
  lua_setfield(L, -2, "__metatable");
}

void si_lua_type_open(lua_State *L, const si_lua_type *type) {
  luaL_checkstack(L, 8, "a type");
  if (lua_rawgetp(L, LUA_REGISTRYINDEX, type) != LUA_TNIL) {
    lua_pop(L, 1);
    return;
  }
  lua_pop(L, 1);
  lua_newtable(L);
  int names = lua_gettop(L);
  set_methods(L, type);
  for (const si_lua_field *field = type->fields; field && field->name; field++) {
    lua_pushlightuserdata(L, (void *)(uintptr_t)field);
    lua_setfield(L, names, field->name);
  }

  lua_newtable(L); /* the metatable */
  hide_metatable(L);
  lua_pushstring(L, type->name);
  lua_setfield(L, -2, "__name");
  if (type->fields || type->index) {
    set_closure(L, "__index", get_field, names, type);
    set_closure(L, "__newindex", set_field, names, type);
  } else {
    lua_newtable(L); /* the methods' own metatable */
    hide_metatable(L);
    set_closure(L, "__index", unknown_method, names, type);
    lua_setmetatable(L, names);
    lua_pushvalue(L, names);
    lua_setfield(L, -2, "__index");
    set_closure(L, "__newindex", nothing_to_set, names, type);
  }
  if (type->close) {
    set_closer(L, "__gc", collect, type);
    set_closer(L, "__close", close_method, type);
  }
  if (type->meta) luaL_setfuncs(L, type->meta, 0);
  lua_rawsetp(L, LUA_REGISTRYINDEX, type);
  lua_pop(L, 1);
}

void si_lua_type_supply(lua_State *L, const si_lua_type *type, const char *name,
                        lua_CFunction method) {
  lua_rawgetp(L, LUA_REGISTRYINDEX, type);
  lua_getfield(L, -1, "__index");
  lua_getupvalue(L, -1, 1); /* the names that get_field looks up */
  lua_pushcfunction(L, method);
  lua_setfield(L, -2, name);
  lua_pop(L, 3);
}

/* --- classes */

/* __call of a class; its first upvalue is the constructor */
static int call_class(lua_State *L) {
  luaL_checkany(L, 1);
  lua_remove(L, 1);
  lua_CFunction construct = lua_tocfunction(L, lua_upvalueindex(1));
  return construct(L);
}

static int unknown_function(lua_State *L) {
  const luaL_Reg *functions = lua_touserdata(L, lua_upvalueindex(1));
  const si_lua_type *type = type_of_upvalue(L);
  si_nearest nearest;
  si_nearest_start(&nearest, luaL_tolstring(L, 2, NULL));
  offer_functions(&nearest, functions);
  offer_functions(&nearest, type->methods);
  return si_lua_unknown(L, type->name, "function", &nearest);
}

void si_lua_class_push(lua_State *L, const si_lua_type *type, lua_CFunction construct,
                       const luaL_Reg *functions) {
  si_lua_type_open(L, type);
  lua_newtable(L);
  set_methods(L, type);
  if (functions) luaL_setfuncs(L, functions, 0);
  lua_pushlightuserdata(L, (void *)(uintptr_t)functions);
  int names = lua_gettop(L);
  lua_newtable(L);
  hide_metatable(L);
  lua_pushcfunction(L, construct);
  lua_pushcclosure(L, call_class, 1);
  lua_setfield(L, -2, "__call");
  set_closure(L, "__index", unknown_function, names, type);
  lua_setmetatable(L, names - 1);
  lua_pop(L, 1);
}
