/* Types of userdata: registering them, creating and checking their values, and errors that name the
 * types involved. A type is a constant table; its address is its identity. */
#ifndef SI_LUA_TYPE_H
#define SI_LUA_TYPE_H

#include "base/names.h"
#include "lua/base/compat.h"

#include <sinew/error.h>
#include <stddef.h>

/* A field of a userdata. Both functions find the userdata at 1 and the name at 2; `get` pushes a
 * value and returns 1, `set` finds the new value at 3 and returns 0. NULL: the field cannot be read
 * or written. */
typedef struct si_lua_field {
  const char *name;
  lua_CFunction get, set;
} si_lua_field;

/* A method without a function only reserves its name: a later layer supplies the function. */
typedef struct si_lua_type {
  const char *name;        /* name in messages: "vec3" */
  const luaL_Reg *methods; /* this and the next two end with an entry without a name; NULL: none */
  const luaL_Reg *meta;    /* operators, __tostring, __len ... */
  const si_lua_field *fields; /* methods of a type without fields and `index` are faster */
  /* For keys that are neither method nor field, with the same stack as `get` and `set`. `index`
   * pushes one value and returns 1, or pushes nothing and returns 0 if there is no such key;
   * `newindex` returns 1 if it has stored the value, else 0. NULL: no other keys. */
  int (*index)(lua_State *L);
  int (*newindex)(lua_State *L);
  /* Offers the names that `index` knows, for the message about an unknown one; the userdata is at
   * 1. The names must live until the call ends. NULL: none. */
  void (*offer)(lua_State *L, si_nearest *nearest);
  /* Frees what the userdata at 1 holds; may be called twice, and on zeroed bytes. It becomes __gc,
   * __close and the method `close`, which checks its argument. NULL: nothing to free. */
  lua_CFunction close;
  const char *key; /* kind of key in the message about an unknown one; NULL: "field" */
  /* What tells si_lua_open that a userdata was closed: a pointer at this offset that is NULL, or,
   * of a handle, one that the first pointer of the userdata points to. */
  size_t alive;
  bool handle;
} si_lua_type;

/* Creates the type's metatable in this Lua state; does nothing the second time. */
void si_lua_type_open(lua_State *L, const si_lua_type *type);

/* Supplies the function of a method for which the type's table has only the name. So a layer need
 * not know the layers that add to its types. */
void si_lua_type_supply(lua_State *L, const si_lua_type *type, const char *name,
                        lua_CFunction method);

/* Pushes a table of functions that can be called: it has `functions` (NULL: none) and the type's
 * methods, and calling it calls `construct`, with the table removed from the stack. An unknown name
 * in it is an error. Opens the type first. */
void si_lua_class_push(lua_State *L, const si_lua_type *type, lua_CFunction construct,
                       const luaL_Reg *functions);

/* Pushes a new userdata of zeroed bytes that already has the type, so that an error while filling
 * it frees what it holds. `owner` is the stack index of a value that it keeps alive, or 0. */
void *si_lua_new(lua_State *L, const si_lua_type *type, size_t size, int owner);

/* The userdata if it is of the type, else NULL. */
void *si_lua_test(lua_State *L, int index, const si_lua_type *type);
/* The same, but raises "vec3 expected, got number". */
void *si_lua_check(lua_State *L, int index, const si_lua_type *type);
/* The userdata that a method was called on, at 1. If the script wrote '.' instead of ':', the
 * message says so. */
void *si_lua_self(lua_State *L, const si_lua_type *type);

/* The userdata at `index`, to be used: raises if it is of another type, was closed, or if a
 * finalizer asks, since the function that it interrupted may be using it. What a function holds of
 * an object that it has opened stays, so long as it runs no script. */
void *si_lua_open(lua_State *L, int index, const si_lua_type *type);
/* The same for that which a method was called on. */
void *si_lua_open_self(lua_State *L, const si_lua_type *type);
/* The same for a userdata that is known to be of the type. */
void *si_lua_opened(lua_State *L, const void *userdata, const si_lua_type *type);

/* Calls `run` with `context` as its only argument. Raises what it raises, with the script's line,
 * after `*busy`, which is `what` meanwhile, is NULL again. */
void si_lua_run_busy(lua_State *L, const char **busy, const char *what, lua_CFunction run,
                     void *context);

/* Raises because the first argument of a method has none of the right types: "rig or joint set
 * expected, got table; a method is called with ':', not '.'". */
int si_lua_self_error(lua_State *L, const char *expected);

/* Ends a method that returns its object. */
static inline int si_lua_done(lua_State *L) {
  lua_settop(L, 1);
  return 1;
}

/* End a function that returns one value: `return si_return_number(L, x);` */
static inline int si_return_number(lua_State *L, lua_Number value) {
  lua_pushnumber(L, value);
  return 1;
}
static inline int si_return_integer(lua_State *L, lua_Integer value) {
  lua_pushinteger(L, value);
  return 1;
}
static inline int si_return_boolean(lua_State *L, bool value) {
  lua_pushboolean(L, value);
  return 1;
}
/* NULL returns nil. */
static inline int si_return_string(lua_State *L, const char *value) {
  lua_pushstring(L, value);
  return 1;
}
/* Ends a function that failed for a reason outside of the script: returns nil and the message. */
static inline int si_return_failure(lua_State *L, const sinew_error *error) {
  lua_pushnil(L);
  lua_pushstring(L, error->text);
  return 2;
}

/* The type of a value in messages: "vec3", "number", "no value". May push a string. */
const char *si_lua_typename(lua_State *L, int index);
/* The same after "must be a table of three numbers, not": of a table also what is in it, such as "a
 * table of 2 numbers" or "a table with a string at 2". */
const char *si_lua_found(lua_State *L, int index);
/* Raises "bad argument #2 to 'add' (vec3 expected, got number)", with a hint at ':' if that may be
 * the cause. For a negative index, which is not an argument: "vec3 expected, got number".
 * `expected` is the text before "expected". */
int si_lua_type_error(lua_State *L, int index, const char *expected);
/* Raises because an operator does not accept its operands: "cannot apply '+' to vec3 and
 * boolean". */
int si_lua_operator_error(lua_State *L, const char *operator);

/* A whole number in [low, high]; raises otherwise. A fraction is an error on both Luas. */
lua_Integer si_lua_check_int(lua_State *L, int index, lua_Integer low, lua_Integer high);
static inline float si_lua_check_float(lua_State *L, int index) {
  return (float)luaL_checknumber(L, index);
}

/* For a setter: the number at 3; raises "[x]: number expected, got string". */
float si_lua_value_float(lua_State *L);

/* Raises "<what> has no <kind> 'lenght' (did you mean 'length'?)". `nearest` was started with the
 * unknown name and offered the candidates. */
int si_lua_unknown(lua_State *L, const char *what, const char *kind, const si_nearest *nearest);
/* Pushes a field of a script's table without metamethods, which could close objects that the caller
 * uses. Raises if it is not a table. */
void si_raw_field(lua_State *L, int table, const char *name);
/* Offers every string key of a table, in no particular order; does nothing for other values. */
void si_lua_offer_keys(lua_State *L, int table, si_nearest *nearest);

/* Marks the Lua file of the function that called as internal: errors and origins name the line of
 * the script that called it instead. */
void si_lua_internal(lua_State *L);
/* Pushes the running script's file and line, "knee.lua:12", or "". Internal files do not count. */
const char *si_where_push(lua_State *L);
/* Raises the error on top of the stack. A text that names a line of an internal file gets the
 * script's instead. */
int si_lua_raise_outside(lua_State *L);

/* The metafield of values that an expression is made of. As a function of (x, curve) it gives the
 * curve of x; operators that do not know the other operand leave it to one that has this. */
#define SI_LUA_EXPRESSION "__expression"
/* Raises an error's text, preceded by the running script's file and line unless it has them. */
int si_raise(lua_State *L, const sinew_error *error);

#endif
