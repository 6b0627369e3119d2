/* What the mathematical types share with the rest of the binding: opening them, axes, axis orders,
 * and trigonometric functions in degrees. Lua's own use radians, and its two-argument arctangent
 * has a different name in each Lua. */
#include "lua/math/math_lua.h"
#include "lua/math/dual_lua.h"
#include "lua/math/record.h"
#include "math/angle.h"

void si_lua_want_unit(lua_State *L, int index, float dest[3]) {
  float v[3];
  si_vec3_want(L, index, v);
  if (!si_vec_unit(v, dest)) luaL_argerror(L, index, "a vector of length 0 has no direction");
}

void si_lua_check_order(lua_State *L, int index, int dest[3]) {
  size_t length;
  const char *order = luaL_checklstring(L, index, &length);
  bool good = length == 3;
  for (int i = 0; good && i < 3; i++) {
    good = order[i] >= 'x' && order[i] <= 'z' && (i == 0 || order[i] != order[i - 1]);
    dest[i] = order[i] - 'x';
  }
  if (!good)
    luaL_argerror(
        L, index,
        lua_pushfstring(L, "axis order such as 'xyz' or 'zyz' expected, got '%s'", order));
}

static int degrees_sin(lua_State *L) {
  if (lua_isuserdata(L, 1)) return si_dual_sin(L);
  float s, c;
  si_sincos(si_lua_check_float(L, 1), &s, &c);
  return si_return_number(L, s);
}

static int degrees_cos(lua_State *L) {
  if (lua_isuserdata(L, 1)) return si_dual_cos(L);
  float s, c;
  si_sincos(si_lua_check_float(L, 1), &s, &c);
  return si_return_number(L, c);
}

static int degrees_tan(lua_State *L) {
  if (lua_isuserdata(L, 1)) return si_dual_tan(L);
  float s, c;
  si_sincos(si_lua_check_float(L, 1), &s, &c);
  return si_return_number(L, (double)s / c);
}

/* values slightly beyond 1 are rounding errors, and count as 1 */
static double cosine_argument(lua_State *L) {
  double x = luaL_checknumber(L, 1);
  if (!(fabs(x) <= 1 + 1e-5)) luaL_argerror(L, 1, "number from -1 to 1 expected");
  return x < -1 ? -1 : x > 1 ? 1 : x;
}

static int degrees_asin(lua_State *L) {
  if (lua_isuserdata(L, 1)) return si_dual_asin(L);
  return si_return_number(L, asin(cosine_argument(L)) / SI_DEG);
}

static int degrees_acos(lua_State *L) {
  if (lua_isuserdata(L, 1)) return si_dual_acos(L);
  return si_return_number(L, acos(cosine_argument(L)) / SI_DEG);
}

static int degrees_atan2(lua_State *L) {
  if (lua_isuserdata(L, 1) || lua_isuserdata(L, 2)) return si_dual_atan2(L);
  return si_return_number(L, atan2(luaL_checknumber(L, 1), luaL_checknumber(L, 2)) / SI_DEG);
}

void si_lua_open_degrees(lua_State *L) {
  static const luaL_Reg functions[] = {
    { "sin", degrees_sin },   { "cos", degrees_cos },   { "tan", degrees_tan },
    { "asin", degrees_asin }, { "acos", degrees_acos }, { "atan2", degrees_atan2 },
    { NULL, NULL },
  };
  luaL_setfuncs(L, functions, 0);
}

void si_lua_open_math(lua_State *L) {
  si_lua_open_vec3(L);
  si_lua_open_quat(L);
  si_lua_open_mat4(L);
  si_lua_open_buffer(L);
  si_lua_open_degrees(L);
  si_lua_open_dual(L);
  si_open_swaps(L);
  si_open_joined(L);
  si_open_solve(L);
}
