/* Curves in Lua: sinew.spline { {0, 0}, {40, -0.004}, outside = "extend", scale = 1, offset = 0 },
 * and the same for linear, piecewise, monotone and simm; sinew.constant(3); sinew.polynomial {1, 0,
 * 2}. A curve is called like a function: `local y, slope = curve(12)`. */
#include "lua/base/reserve.h"
#include "lua/math/options.h"

#include <math.h>
#include <string.h>

typedef struct curve_lua {
  sinew_curve *curve;
  bool outside_said; /* the script said what it does outside its points */
} curve_lua;

static const sinew_curve *open_curve(lua_State *L, const curve_lua *self) {
  return ((const curve_lua *)si_lua_opened(L, self, &si_curve_type))->curve;
}

static const sinew_curve *self_curve(lua_State *L) {
  return open_curve(L, si_lua_self(L, &si_curve_type));
}

const sinew_curve *si_curve_test(lua_State *L, int index) {
  const curve_lua *found = si_lua_test(L, index, &si_curve_type);
  return found ? open_curve(L, found) : NULL;
}

static int push_curve(lua_State *L, const sinew_curve_desc *desc) {
  sinew_error error;
  curve_lua *made = si_lua_new(L, &si_curve_type, sizeof *made, 0);
  made->curve = sinew_curve_create(desc, &error);
  if (!made->curve) return si_raise(L, &error);
  return 1;
}

void si_curve_push_copy(lua_State *L, const sinew_curve *curve) {
  sinew_curve_desc desc = sinew_curve_describe(curve);
  push_curve(L, &desc);
}

/* point i of the table at 1 */
static void read_point(lua_State *L, int i, const char *kind, float dest[2]) {
  lua_rawgeti(L, 1, i);
  bool pair = lua_istable(L, -1) && lua_rawlen(L, -1) == 2;
  for (int k = 0; pair && k < 2; k++) {
    lua_rawgeti(L, -1, k + 1);
    pair = lua_type(L, -1) == LUA_TNUMBER;
    dest[k] = (float)lua_tonumber(L, -1);
    lua_pop(L, 1);
  }
  if (!pair) luaL_error(L, "%s curve: point %d must be a pair of numbers, such as {0, 1}", kind, i);
  lua_pop(L, 1);
}

static float read_coefficient(lua_State *L, int i) {
  lua_rawgeti(L, 1, i);
  if (lua_type(L, -1) != LUA_TNUMBER)
    luaL_error(L, "polynomial curve: coefficient %d must be a number, not %s", i,
               si_lua_typename(L, -1));
  float value = (float)lua_tonumber(L, -1);
  lua_pop(L, 1);
  return value;
}

/* upvalue 1: the kind */
static int make_curve(lua_State *L) {
  sinew_curve_desc desc = sinew_default_curve_desc();
  desc.kind = (sinew_curve_kind)lua_tointeger(L, lua_upvalueindex(1));
  const char *kind = sinew_curve_kind_name(desc.kind);
  float constant;
  if (desc.kind == SINEW_CURVE_CONSTANT) {
    constant = (float)luaL_checknumber(L, 1);
    desc.coefficients = &constant;
    desc.coefficient_count = 1;
    return push_curve(L, &desc);
  }
  if (!lua_istable(L, 1))
    return luaL_error(L, "%s curve: a table of %s expected, not %s", kind,
                      desc.kind == SINEW_CURVE_POLYNOMIAL ? "coefficients" : "points",
                      si_lua_typename(L, 1));
  /* in the order of sinew_outside, after its default */
  static const char *const outsides[] = { "clamp", "extend", "repeat", NULL };
  typedef struct given {
    float scale, offset;
    int outside;
  } given;
  static const si_option options[] = {
    SI_OPTION(given, scale, NUMBER),
    SI_OPTION(given, offset, NUMBER),
    SI_OPTION_CHOICE(given, outside, outsides),
    SI_OPTION_END_OF_LIST,
  };
  given g = { .scale = 1, .outside = SINEW_OUTSIDE_DEFAULT - SINEW_OUTSIDE_CLAMP };
  si_options_read(L, 1, lua_pushfstring(L, "%s curve", kind), options, &g);
  desc.scale = g.scale;
  desc.offset = g.offset;
  desc.outside = (sinew_outside)(SINEW_OUTSIDE_CLAMP + g.outside);
  size_t count = lua_rawlen(L, 1);
  if (count > 1 << 20) return luaL_error(L, "%s curve: too many points", kind);
  float *numbers = lua_newuserdatauv(L, (2 * count + 1) * sizeof *numbers, 0);
  for (size_t i = 0; i < count; i++) {
    if (desc.kind == SINEW_CURVE_POLYNOMIAL)
      numbers[i] = read_coefficient(L, (int)i + 1);
    else
      read_point(L, (int)i + 1, kind, numbers + 2 * i);
  }
  if (desc.kind == SINEW_CURVE_POLYNOMIAL) {
    desc.coefficients = numbers;
    desc.coefficient_count = (int)count;
  } else {
    desc.points = numbers;
    desc.point_count = (int)count;
  }
  push_curve(L, &desc);
  ((curve_lua *)lua_touserdata(L, -1))->outside_said = desc.outside != SINEW_OUTSIDE_DEFAULT;
  return 1;
}

bool si_curve_outside_said(lua_State *L, int index) {
  const curve_lua *found = si_lua_check(L, index, &si_curve_type);
  return found->outside_said;
}

static int curve_eval(lua_State *L) {
  float slope;
  const sinew_curve *curve = self_curve(L);
  if (lua_type(L, 2) == LUA_TUSERDATA && luaL_getmetafield(L, 2, SI_LUA_EXPRESSION)) {
    lua_pushvalue(L, 2);
    lua_pushvalue(L, 1);
    lua_call(L, 2, 1);
    return 1;
  }
  lua_pushnumber(L, sinew_curve_eval(curve, (float)luaL_checknumber(L, 2), &slope));
  lua_pushnumber(L, slope);
  return 2;
}

static int curve_kind(lua_State *L) {
  return si_return_string(L, sinew_curve_kind_name(sinew_curve_describe(self_curve(L)).kind));
}

static int curve_points(lua_State *L) {
  sinew_curve_desc d = sinew_curve_describe(self_curve(L));
  lua_createtable(L, d.point_count, 0);
  for (int i = 0; i < d.point_count; i++) {
    si_lua_spend_each(L, (size_t)i, (size_t)d.point_count, 20);
    lua_createtable(L, 2, 0);
    for (int k = 0; k < 2; k++) {
      lua_pushnumber(L, d.points[2 * i + k]);
      lua_rawseti(L, -2, k + 1);
    }
    lua_rawseti(L, -2, i + 1);
  }
  return 1;
}

static int curve_coefficients(lua_State *L) {
  sinew_curve_desc d = sinew_curve_describe(self_curve(L));
  lua_createtable(L, d.coefficient_count, 0);
  for (int i = 0; i < d.coefficient_count; i++) {
    lua_pushnumber(L, d.coefficients[i]);
    lua_rawseti(L, -2, i + 1);
  }
  return 1;
}

static int curve_outside(lua_State *L) {
  return si_return_string(L, sinew_outside_name(sinew_curve_describe(self_curve(L)).outside));
}
static int curve_scale(lua_State *L) {
  return si_return_number(L, sinew_curve_describe(self_curve(L)).scale);
}
static int curve_offset(lua_State *L) {
  return si_return_number(L, sinew_curve_describe(self_curve(L)).offset);
}

static int curve_tostring(lua_State *L) {
  const curve_lua *self = si_lua_check(L, 1, &si_curve_type);
  if (!self->curve) {
    return si_return_string(L, "curve (closed)");
  }
  sinew_curve_desc d = sinew_curve_describe(self->curve);
  const char *kind = sinew_curve_kind_name(d.kind);
  if (d.point_count)
    lua_pushfstring(L, "%s curve of %d points, %s outside", kind, d.point_count,
                    sinew_outside_name(d.outside));
  else
    lua_pushfstring(L, "%s curve of %d coefficients", kind, d.coefficient_count);
  return 1;
}

static int curve_close(lua_State *L) {
  curve_lua *self = lua_touserdata(L, 1);
  sinew_curve_destroy(self->curve);
  self->curve = NULL;
  return 0;
}

static const luaL_Reg methods[] = { { "eval", curve_eval }, { NULL, NULL } };
static const luaL_Reg meta[] = { { "__call", curve_eval },
                                 { "__tostring", curve_tostring },
                                 { NULL, NULL } };
static const si_lua_field fields[] = { { "kind", curve_kind, NULL },
                                       { "points", curve_points, NULL },
                                       { "coefficients", curve_coefficients, NULL },
                                       { "outside", curve_outside, NULL },
                                       { "scale", curve_scale, NULL },
                                       { "offset", curve_offset, NULL },
                                       { NULL, NULL, NULL } };
const si_lua_type si_curve_type = {
  .name = "curve", .methods = methods, .meta = meta, .fields = fields, .close = curve_close
};

void si_open_curve(lua_State *L) {
  si_lua_type_open(L, &si_curve_type);
  for (int kind = 0; kind < SINEW_CURVE_KIND_COUNT; kind++) {
    lua_pushinteger(L, kind);
    lua_pushcclosure(L, make_curve, 1);
    lua_setfield(L, -2, sinew_curve_kind_name((sinew_curve_kind)kind));
  }
}
