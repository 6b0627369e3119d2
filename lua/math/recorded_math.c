/* The functions of numbers that scripts use, for recorded ones: those of `math`, which has angles
 * in radians, of the module and of sinew.dual, which have degrees. Each has what it replaces as its
 * first upvalue, and calls that if nothing is recorded. */
#include "lua/math/recorded_parts.h"

#include <math.h>
#include <string.h>

#define DEGREES (180 / 3.14159265358979323846)

bool si_recorded_any(lua_State *L) {
  for (int i = lua_gettop(L); i > 0; i--)
    if (si_recorded_test(L, i)) return true;
  return false;
}

int si_recorded_call_plain(lua_State *L) {
  lua_pushvalue(L, lua_upvalueindex(1));
  lua_insert(L, 1);
  lua_call(L, lua_gettop(L) - 1, LUA_MULTRET);
  return lua_gettop(L);
}

static si_value number(si_recording *r, double x) { return si_rec_number(r, x); }
static si_value times(si_recording *r, si_value x, double k) {
  return si_rec_mul(r, x, number(r, k));
}

/* --- of one number */

static si_value of_sqrt(si_recording *r, si_value x) { return si_rec1(r, SI_G_SQRT, x); }
static si_value of_abs(si_recording *r, si_value x) { return si_rec1(r, SI_G_ABS, x); }
static si_value of_exp(si_recording *r, si_value x) { return si_rec1(r, SI_G_EXP, x); }
static si_value of_log(si_recording *r, si_value x) { return si_rec1(r, SI_G_LOG, x); }
static si_value of_log10(si_recording *r, si_value x) {
  return si_rec_div(r, si_rec1(r, SI_G_LOG, x), number(r, log(10)));
}
static si_value of_floor(si_recording *r, si_value x) { return si_rec1(r, SI_G_FLOOR, x); }
static si_value of_ceil(si_recording *r, si_value x) {
  return si_rec1(r, SI_G_NEGATE, of_floor(r, si_rec1(r, SI_G_NEGATE, x)));
}
static si_value of_trunc(si_recording *r, si_value x) {
  si_value below = si_rec2(r, SI_G_LESS, x, number(r, 0));
  return si_rec3(r, SI_G_SELECT, below, of_ceil(r, x), of_floor(r, x));
}
static si_value of_deg(si_recording *r, si_value x) { return times(r, x, DEGREES); }
static si_value of_rad(si_recording *r, si_value x) { return times(r, x, 1 / DEGREES); }

static si_value of_tan(si_recording *r, si_value x) {
  return si_rec_div(r, si_rec_sin(r, x), si_rec_cos(r, x));
}
/* the other side of a right triangle: sqrt(1 - x^2) */
static si_value beside(si_recording *r, si_value x) {
  si_value one = number(r, 1);
  return of_sqrt(r, si_rec_mul(r, si_rec_sub(r, one, x), si_rec_add(r, one, x)));
}
static si_value of_asin(si_recording *r, si_value x) {
  return si_rec2(r, SI_G_ATAN2, x, beside(r, x));
}
static si_value of_acos(si_recording *r, si_value x) {
  return si_rec2(r, SI_G_ATAN2, beside(r, x), x);
}
/* allows rounding slightly beyond 1 */
static si_value cosine(si_recording *r, si_value x) {
  si_value inside = si_rec2(r, SI_G_LEAST, of_abs(r, x), number(r, 1 + 1e-5));
  x = si_rec2(r, SI_G_MIN, si_rec2(r, SI_G_MAX, x, number(r, -1)), number(r, 1));
  return si_rec3(r, SI_G_SELECT, inside, x, number(r, NAN));
}
static si_value of_asin_near(si_recording *r, si_value x) { return of_asin(r, cosine(r, x)); }
static si_value of_acos_near(si_recording *r, si_value x) { return of_acos(r, cosine(r, x)); }

static si_value sin_rad(si_recording *r, si_value x) { return si_rec_sin(r, of_deg(r, x)); }
static si_value cos_rad(si_recording *r, si_value x) { return si_rec_cos(r, of_deg(r, x)); }
static si_value tan_rad(si_recording *r, si_value x) { return of_tan(r, of_deg(r, x)); }
static si_value asin_rad(si_recording *r, si_value x) { return of_rad(r, of_asin(r, x)); }
static si_value acos_rad(si_recording *r, si_value x) { return of_rad(r, of_acos(r, x)); }

/* (e^x +- e^-x) / 2 */
static si_value half_sum(si_recording *r, si_value x, si_graph_code code) {
  si_value back = of_exp(r, si_rec1(r, SI_G_NEGATE, x));
  return times(r, si_rec2(r, code, of_exp(r, x), back), 0.5);
}
static si_value of_sinh(si_recording *r, si_value x) { return half_sum(r, x, SI_G_SUB); }
static si_value of_cosh(si_recording *r, si_value x) { return half_sum(r, x, SI_G_ADD); }
/* 1 - 2 / (e^2x + 1), which also has its ends where e^2x is too large for a float */
static si_value of_tanh(si_recording *r, si_value x) {
  si_value grown = si_rec_add(r, of_exp(r, times(r, x, 2)), number(r, 1));
  return si_rec_sub(r, number(r, 1), si_rec_div(r, number(r, 2), grown));
}

static int unary(lua_State *L, si_value (*f)(si_recording *, si_value)) {
  if (!si_recorded_any(L)) return si_recorded_call_plain(L);
  si_value x = si_recorded_want(L, 1, 1).v[0];
  return si_recorded_push_number(L, f(si_recording_of(L), x));
}
#define UNARY(name)                                                                                \
  static int do_##name(lua_State *L) { return unary(L, name); }
/* clang-format off */
UNARY(of_sqrt) UNARY(of_abs) UNARY(of_exp) UNARY(of_log) UNARY(of_log10) UNARY(of_floor)
UNARY(of_ceil) UNARY(of_deg) UNARY(of_rad) UNARY(of_tan) UNARY(of_asin_near)
UNARY(of_acos_near) UNARY(sin_rad) UNARY(cos_rad) UNARY(tan_rad) UNARY(asin_rad)
UNARY(acos_rad) UNARY(of_sinh) UNARY(of_cosh) UNARY(of_tanh) UNARY(si_rec_sin)
UNARY(si_rec_cos)
/* clang-format on */
#undef UNARY

    /* --- of several */

    static int do_atan2(lua_State *L) {
  if (!si_recorded_any(L)) return si_recorded_call_plain(L);
  si_value y = si_recorded_want(L, 1, 1).v[0], x = si_recorded_want(L, 2, 1).v[0];
  return si_recorded_push_number(L, si_rec2(si_recording_of(L), SI_G_ATAN2, y, x));
}

/* math.atan2(y, x), and math.atan(y [, x]), which takes y alone in Lua 5.1 */
static int do_atan_of(lua_State *L, bool both) {
  if (!si_recorded_any(L)) return si_recorded_call_plain(L);
  si_recording *r = si_recording_of(L);
  si_value y = si_recorded_want(L, 1, 1).v[0];
  si_value x = both ? si_recorded_want(L, 2, 1).v[0] : number(r, 1);
  return si_recorded_push_number(L, of_rad(r, si_rec2(r, SI_G_ATAN2, y, x)));
}
static int do_atan2_rad(lua_State *L) { return do_atan_of(L, true); }
static int do_atan_rad(lua_State *L) {
  return do_atan_of(L, LUA_VERSION_NUM >= 503 && !lua_isnoneornil(L, 2));
}

static int do_log(lua_State *L) {
  if (!si_recorded_any(L)) return si_recorded_call_plain(L);
  si_recording *r = si_recording_of(L);
  si_value x = of_log(r, si_recorded_want(L, 1, 1).v[0]);
  if (!lua_isnoneornil(L, 2)) x = si_rec_div(r, x, of_log(r, si_recorded_want(L, 2, 1).v[0]));
  return si_recorded_push_number(L, x);
}

static int pick(lua_State *L, si_graph_code code) {
  if (!si_recorded_any(L)) return si_recorded_call_plain(L);
  si_value best = si_recorded_want(L, 1, 1).v[0];
  for (int i = 2; i <= lua_gettop(L); i++)
    best = si_rec2(si_recording_of(L), code, best, si_recorded_want(L, i, 1).v[0]);
  return si_recorded_push_number(L, best);
}
static int do_min(lua_State *L) { return pick(L, SI_G_MIN); }
static int do_max(lua_State *L) { return pick(L, SI_G_MAX); }

static int do_clamp(lua_State *L) {
  if (!si_recorded_any(L)) return si_recorded_call_plain(L);
  si_recording *r = si_recording_of(L);
  si_value x = si_recorded_want(L, 1, 1).v[0];
  x = si_rec2(r, SI_G_MAX, x, si_recorded_want(L, 2, 1).v[0]);
  return si_recorded_push_number(L, si_rec2(r, SI_G_MIN, x, si_recorded_want(L, 3, 1).v[0]));
}

/* sinew.mix: a + (b - a) t */
static int do_mix(lua_State *L) {
  if (!si_recorded_any(L)) return si_recorded_call_plain(L);
  si_recording *r = si_recording_of(L);
  si_value a = si_recorded_want(L, 1, 1).v[0], b = si_recorded_want(L, 2, 1).v[0];
  si_value t = si_recorded_want(L, 3, 1).v[0];
  return si_recorded_push_number(L, si_rec_add(r, a, si_rec_mul(r, si_rec_sub(r, b, a), t)));
}

static int do_pow(lua_State *L) {
  if (!si_recorded_any(L)) return si_recorded_call_plain(L);
  si_value x = si_recorded_want(L, 1, 1).v[0], y = si_recorded_want(L, 2, 1).v[0];
  return si_recorded_push_number(L, si_rec2(si_recording_of(L), SI_G_POW, x, y));
}

static int do_fmod(lua_State *L) {
  if (!si_recorded_any(L)) return si_recorded_call_plain(L);
  si_recording *r = si_recording_of(L);
  si_value x = si_recorded_want(L, 1, 1).v[0], y = si_recorded_want(L, 2, 1).v[0];
  si_value whole = of_trunc(r, si_rec_div(r, x, y));
  return si_recorded_push_number(L, si_rec_sub(r, x, si_rec_mul(r, y, whole)));
}

static int do_modf(lua_State *L) {
  if (!si_recorded_any(L)) return si_recorded_call_plain(L);
  si_recording *r = si_recording_of(L);
  si_value x = si_recorded_want(L, 1, 1).v[0], whole = of_trunc(r, x);
  si_recorded_push_number(L, whole);
  si_recorded_push_number(L, si_rec_sub(r, x, whole));
  return 2;
}

static int no_integer(lua_State *L) {
  if (!si_recorded_any(L)) return si_recorded_call_plain(L);
  return si_recording_refuse(L, "a recorded number has no integer form; use math.floor(x)");
}

static int no_random(lua_State *L) {
  return si_recording_refuse(L, "math.random cannot be recorded: eval must give the same outputs "
                                "for the same inputs; use an input");
}

/* --- types */

static int math_type(lua_State *L) {
  const si_recorded *value = lua_gettop(L) ? si_recorded_test(L, 1) : NULL;
  if (!value) return si_recorded_call_plain(L);
  return value->count == 1 ? si_return_string(L, "float") : (lua_pushnil(L), 1);
}

/* sinew.type */
static int type_name(lua_State *L) {
  const si_recorded *value = lua_gettop(L) ? si_recorded_test(L, 1) : NULL;
  if (!value) return si_recorded_call_plain(L);
  return si_return_string(L, si_recorded_typename(L, 1));
}

static int no_dual(lua_State *L) {
  return si_recording_refuse(L, "a dual cannot be made while eval is recorded: its derivative "
                                "follows from the recording");
}

static int dual_vec3(lua_State *L) {
  si_recorded v = { .count = 3 };
  for (int i = 0; i < 3; i++) v.v[i] = si_recorded_want(L, i + 1, 1).v[0];
  return si_recorded_push(L, &v);
}

/* --- curves: parameters stay live, so a curve must be one */

static const char curves_key;

static void push_curves(lua_State *L) {
  if (lua_rawgetp(L, LUA_REGISTRYINDEX, &curves_key) != LUA_TNIL) return;
  lua_pop(L, 1);
  lua_newtable(L);
  lua_pushvalue(L, -1);
  lua_rawsetp(L, LUA_REGISTRYINDEX, &curves_key);
}

void si_recorded_curves_clear(lua_State *L) {
  lua_pushnil(L);
  lua_rawsetp(L, LUA_REGISTRYINDEX, &curves_key);
}

void si_recorded_curve_add(lua_State *L, int index, const char *name) {
  index = lua_absindex(L, index);
  push_curves(L);
  lua_pushvalue(L, index);
  lua_pushlightuserdata(L, (void *)(uintptr_t)name);
  lua_rawset(L, -3);
  lua_pop(L, 1);
}

static int call_curve(lua_State *L) {
  if (!si_recorded_any(L)) return si_recorded_call_plain(L);
  si_value x = si_recorded_want(L, 2, 1).v[0];
  push_curves(L);
  lua_pushvalue(L, 1);
  lua_rawget(L, -2);
  const char *name = lua_touserdata(L, -1);
  if (!name)
    return si_recording_refuse(L, "this curve is no parameter; declare it in params, and call "
                                  "self.name(x)");
  si_recording *r = si_recording_of(L);
  si_recorded_push_number(L, si_recording_curve(L, r, SI_G_CURVE, name, x));
  si_recorded_push_number(L, si_recording_curve(L, r, SI_G_SLOPE, name, x));
  return 2;
}
const luaL_Reg si_recorded_curve[] = { { "eval", call_curve }, { NULL, NULL } };

const luaL_Reg si_recorded_math[] = {
  { "sin", do_sin_rad },
  { "cos", do_cos_rad },
  { "tan", do_tan_rad },
  { "asin", do_asin_rad },
  { "acos", do_acos_rad },
  { "atan", do_atan_rad },
  { "atan2", LUA_VERSION_NUM >= 503 ? do_atan_rad : do_atan2_rad },
  { "sqrt", do_of_sqrt },
  { "abs", do_of_abs },
  { "min", do_min },
  { "max", do_max },
  { "floor", do_of_floor },
  { "ceil", do_of_ceil },
  { "exp", do_of_exp },
  { "log", do_log },
  { "log10", do_of_log10 },
  { "pow", do_pow },
  { "fmod", do_fmod },
  { "modf", do_modf },
  { "rad", do_of_rad },
  { "deg", do_of_deg },
  { "sinh", do_of_sinh },
  { "cosh", do_of_cosh },
  { "tanh", do_of_tanh },
  { "tointeger", no_integer },
  { "type", math_type },
  { "random", no_random },
  { NULL, NULL },
};
const luaL_Reg si_recorded_module[] = {
  { "sin", do_si_rec_sin },
  { "cos", do_si_rec_cos },
  { "tan", do_of_tan },
  { "asin", do_of_asin_near },
  { "acos", do_of_acos_near },
  { "atan2", do_atan2 },
  { "type", type_name },
  { "min", do_min },
  { "max", do_max },
  { "abs", do_of_abs },
  { "clamp", do_clamp },
  { "mix", do_mix },
  { "rotate", si_recorded_rotate },
  { "translate", si_recorded_translated },
  { NULL, NULL },
};
const luaL_Reg si_recorded_dual[] = {
  { "__call", no_dual }, { "sin", do_si_rec_sin },    { "cos", do_si_rec_cos },
  { "tan", do_of_tan },  { "asin", do_of_asin_near }, { "acos", do_of_acos_near },
  { "atan2", do_atan2 }, { "sqrt", do_of_sqrt },      { "exp", do_of_exp },
  { "log", do_of_log },  { "abs", do_of_abs },        { "min", do_min },
  { "max", do_max },     { "clamp", do_clamp },       { "vec3", dual_vec3 },
  { NULL, NULL },
};
