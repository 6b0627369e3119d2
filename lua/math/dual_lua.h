/* Dual numbers, vectors and matrices: a value and its rate of change. Results of computations have
 * rates too, so that a script's function gives its exact derivative. */
#ifndef SI_DUAL_LUA_H
#define SI_DUAL_LUA_H

#include "lua/math/math_lua.h"

typedef struct si_dual {
  int count;  /* 1, 3 or 16: a number, a vec3, a mat4 */
  bool moves; /* it is a dual, not a plain value */
  double is[16], by[16];
} si_dual;

extern const si_lua_type si_dual_type;

void si_lua_open_dual(lua_State *L);

/* Reads a dual, or a plain number, vec3, mat4 or table of three or sixteen numbers or duals; plain
 * values have the rate 0. Returns false for anything else. Does not raise. */
bool si_dual_read(lua_State *L, int index, si_dual *dest);
/* Pushes a dual, or a plain value if it has no rate. */
int si_dual_push(lua_State *L, const si_dual *dual);

/* For an operator of vec3 or mat4 that does not accept its operands: applies it if one of them is a
 * dual, else raises. */
int si_dual_operator(lua_State *L, const char *operator);

/* Trigonometric functions in degrees, for numbers and duals. */
int si_dual_sin(lua_State *L);
int si_dual_cos(lua_State *L);
int si_dual_tan(lua_State *L);
int si_dual_asin(lua_State *L);
int si_dual_acos(lua_State *L);
int si_dual_atan2(lua_State *L);

#endif
