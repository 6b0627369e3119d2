/* Dual numbers, vectors and matrices: a value and its rate, how fast it changes. What is computed
 * of them carries the rate along, so that a script's function gives its exact derivative. */
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

/* A dual, or a plain number, vec3, mat4 or table of three or sixteen numbers or duals, which do not
 * move. False for anything else. Raises nothing. */
bool si_dual_read(lua_State *L, int index, si_dual *dest);
/* Pushes a dual, or a plain value where it does not move. */
int si_dual_push(lua_State *L, const si_dual *dual);

/* For an operator of vec3 or mat4 that does not take what it was given: does it where one of the
 * two is a dual, else raises. */
int si_dual_operator(lua_State *L, const char *operator);

/* The functions of angles in degrees, on numbers and duals. */
int si_dual_sin(lua_State *L);
int si_dual_cos(lua_State *L);
int si_dual_tan(lua_State *L);
int si_dual_asin(lua_State *L);
int si_dual_acos(lua_State *L);
int si_dual_atan2(lua_State *L);

#endif
