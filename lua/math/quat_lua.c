/* quat: a rotation as x, y, z, w, the scalar last. Operators return new quats, methods named by a
 * verb change the object and return it, methods named by a noun leave it unchanged and take a
 * userdata to write to (see vec3_lua.c). Methods that rotate something accept a quat of any length
 * except 0; q and -q are the same rotation. */
#include "lua/base/floats.h"
#include "lua/math/math_lua.h"
#include "lua/math/quat_matrix.h"
#include "math/angle.h"
#include "math/matrix.h"

static const si_floats kind;
SI_FLOATS_FUNCTIONS
SI_FLOATS_COORDINATES

static int no_turn(lua_State *L) {
  return luaL_error(L, "a quat of length 0, or not finite, is not a rotation");
}

/* quat.axis(axis, degrees) */
static int from_axis(lua_State *L) {
  float axis[3];
  si_lua_want_unit(L, 1, axis);
  float degrees = si_lua_check_float(L, 2);
  si_quat_from_axis(axis, degrees, si_floats_push(L, &kind));
  return 1;
}

/* quat.euler(order, a, b, c): 'xyz' is Rx Ry Rz */
static int from_euler(lua_State *L) {
  int order[3];
  float degrees[3];
  si_lua_check_order(L, 1, order);
  for (int i = 0; i < 3; i++) degrees[i] = si_lua_check_float(L, 2 + i);
  si_quat_from_euler(order, degrees, si_floats_push(L, &kind));
  return 1;
}

/* quat.between(from, to): the shortest rotation */
static int from_between(lua_State *L) {
  float from[3], to[3];
  si_lua_want_unit(L, 1, from);
  si_lua_want_unit(L, 2, to);
  si_quat_between(from, to, si_floats_push(L, &kind));
  return 1;
}

/* --- methods named by a verb */

/* q becomes q * r, or s q for a number */
static int mul(lua_State *L) {
  float *q = si_floats_self(L, &kind), r[4];
  if (lua_type(L, 2) == LUA_TNUMBER) {
    float s = (float)lua_tonumber(L, 2);
    for (int i = 0; i < 4; i++) q[i] *= s;
  } else {
    if (!si_floats_read(L, 2, &kind, r))
      return si_lua_type_error(L, 2, "number, quat or a table of four numbers");
    si_quat_mul(q, r, q);
  }
  return si_lua_done(L);
}

static int add(lua_State *L) {
  float *q = si_floats_self(L, &kind), r[4];
  si_floats_want(L, 2, &kind, r);
  float s = (float)luaL_optnumber(L, 3, 1);
  for (int i = 0; i < 4; i++) q[i] += s * r[i];
  return si_lua_done(L);
}

static int negate(lua_State *L) {
  float *q = si_floats_self(L, &kind);
  for (int i = 0; i < 4; i++) q[i] = -q[i];
  return si_lua_done(L);
}

static int normalize(lua_State *L) {
  float *q = si_floats_self(L, &kind);
  return si_quat_unit(q, q) ? si_lua_done(L) : no_turn(L);
}

/* the conjugate divided by the squared length */
static bool inverse_of(const float *q, float *dest) {
  double square = 0;
  for (int i = 0; i < 4; i++) square += (double)q[i] * q[i];
  if (!(square > 0) || !isfinite(square)) return false;
  for (int i = 0; i < 4; i++) dest[i] = (float)((i < 3 ? -q[i] : q[i]) / square);
  return true;
}

static int invert(lua_State *L) {
  float *q = si_floats_self(L, &kind);
  return inverse_of(q, q) ? si_lua_done(L) : no_turn(L);
}

/* --- methods named by a noun */

static int inverse(lua_State *L) {
  float q[4];
  if (!inverse_of(si_floats_self(L, &kind), q)) return no_turn(L);
  memcpy(si_floats_dest(L, 2, &kind), q, sizeof q);
  return 1;
}

static int unit(lua_State *L) {
  float q[4];
  if (!si_quat_unit(si_floats_self(L, &kind), q)) return no_turn(L);
  memcpy(si_floats_dest(L, 2, &kind), q, sizeof q);
  return 1;
}

static int dot(lua_State *L) {
  const float *q = si_floats_self(L, &kind);
  float r[4];
  si_floats_want(L, 2, &kind, r);
  return si_return_number(L, q[0] * r[0] + q[1] * r[1] + q[2] * r[2] + q[3] * r[3]);
}

static int length(lua_State *L) {
  const float *q = si_floats_self(L, &kind);
  double square = 0;
  for (int i = 0; i < 4; i++) square += (double)q[i] * q[i];
  return si_return_number(L, sqrt(square));
}

/* the angle in degrees of a rotation whose vector part has this length */
static double degrees_of(double x, double y, double z, double w) {
  return 2 * atan2(sqrt(x * x + y * y + z * z), fabs(w)) / SI_DEG;
}

/* the angle in degrees between this rotation and another, or of this rotation; 0 to 180 */
static int angle(lua_State *L) {
  float q[4], r[4];
  memcpy(q, si_floats_self(L, &kind), sizeof q);
  if (!lua_isnoneornil(L, 2)) {
    si_floats_want(L, 2, &kind, r);
    if (!inverse_of(q, q)) return no_turn(L);
    si_quat_mul(q, r, q);
  }
  if (!si_quat_unit(q, q)) return no_turn(L);
  return si_return_number(L, degrees_of(q[0], q[1], q[2], q[3]));
}

/* axis (x if the angle is 0) and degrees, 0 to 180; takes a vec3 to write the axis to */
static int axis_angle(lua_State *L) {
  float q[4], axis[3] = { 1, 0, 0 };
  if (!si_quat_unit(si_floats_self(L, &kind), q)) return no_turn(L);
  if (q[3] < 0)
    for (int i = 0; i < 4; i++) q[i] = -q[i];
  si_vec_unit(q, axis);
  memcpy(si_vec3_dest(L, 2), axis, sizeof axis);
  lua_pushnumber(L, degrees_of(q[0], q[1], q[2], q[3]));
  return 2;
}

static int angles(lua_State *L) {
  const float *q = si_floats_self(L, &kind);
  float m[16], degrees[3];
  int order[3];
  si_lua_check_order(L, 2, order);
  if (!si_quat_to_mat4(q, m) || !si_mat4_angles(m, order, degrees)) return no_turn(L);
  for (int i = 0; i < 3; i++) lua_pushnumber(L, degrees[i]);
  return 3;
}

/* q:slerp(r, t): along the shorter arc */
static int slerp(lua_State *L) {
  const float *q = si_floats_self(L, &kind);
  float r[4];
  si_floats_want(L, 2, &kind, r);
  float t = si_lua_check_float(L, 3);
  float *dest = si_floats_dest(L, 4, &kind);
  return si_quat_slerp(q, r, t, dest) ? 1 : no_turn(L);
}

/* rotates a direction */
static int direction(lua_State *L) {
  const float *q = si_floats_self(L, &kind);
  float v[3];
  si_vec3_want(L, 2, v);
  return si_quat_rotate(q, v, si_vec3_dest(L, 3)) ? 1 : no_turn(L);
}

/* --- operators */

static int combine(lua_State *L, const char *operator, float sign) {
  float a[4], b[4];
  if (!si_floats_read(L, 1, &kind, a) || !si_floats_read(L, 2, &kind, b))
    return si_lua_operator_error(L, operator);
  float *dest = si_floats_push(L, &kind);
  for (int i = 0; i < 4; i++) dest[i] = a[i] + sign * b[i];
  return 1;
}

static int op_add(lua_State *L) { return combine(L, "+", 1); }
static int op_sub(lua_State *L) { return combine(L, "-", -1); }

static int scaled(lua_State *L, const float *q, float s) {
  float *dest = si_floats_push(L, &kind);
  for (int i = 0; i < 4; i++) dest[i] = s * q[i];
  return 1;
}

/* multiplies by a quat or a number, or rotates a vec3 */
static int op_mul(lua_State *L) {
  float a[4], b[4];
  const float *v = si_vec3_test(L, 2);
  if (lua_type(L, 1) == LUA_TNUMBER) {
    return scaled(L, si_floats_check(L, 2, &kind), (float)lua_tonumber(L, 1));
  } else if (!si_floats_read(L, 1, &kind, a)) {
    return si_lua_operator_error(L, "*");
  } else if (v) {
    return si_quat_rotate(a, v, si_vec3_push(L)) ? 1 : no_turn(L);
  } else if (lua_type(L, 2) == LUA_TNUMBER) {
    return scaled(L, a, (float)lua_tonumber(L, 2));
  } else if (!si_floats_read(L, 2, &kind, b)) {
    return si_lua_operator_error(L, "*");
  }
  si_quat_mul(a, b, si_floats_push(L, &kind));
  return 1;
}

static int op_div(lua_State *L) {
  const float *q = si_floats_test(L, 1, &kind);
  if (!q || lua_type(L, 2) != LUA_TNUMBER) return si_lua_operator_error(L, "/");
  return scaled(L, q, 1 / (float)lua_tonumber(L, 2));
}

static int op_negate(lua_State *L) { return scaled(L, si_floats_self(L, &kind), -1); }

static const luaL_Reg functions[] = {
  { "axis", from_axis },
  { "euler", from_euler },
  { "between", from_between },
  { NULL, NULL },
};

static const luaL_Reg methods[] = {
  SI_FLOATS_METHODS,
  { "mul", mul },
  { "add", add },
  { "negate", negate },
  { "normalize", normalize },
  { "invert", invert },
  { "inverse", inverse },
  { "unit", unit },
  { "dot", dot },
  { "length", length },
  { "angle", angle },
  { "axis_angle", axis_angle },
  { "angles", angles },
  { "slerp", slerp },
  { "direction", direction },
  { NULL, NULL },
};

static const luaL_Reg meta[] = {
  { "__add", op_add },    { "__sub", op_sub }, { "__mul", op_mul },           { "__div", op_div },
  { "__unm", op_negate }, SI_FLOATS_META,      { "__tostring", op_tostring }, { NULL, NULL },
};

static const si_lua_field fields[] = {
  { "x", get_letter, set_letter },
  { "y", get_letter, set_letter },
  { "z", get_letter, set_letter },
  { "w", get_letter, set_letter },
  { NULL, NULL, NULL },
};

const si_lua_type si_quat_type = { .name = "quat",
                                   .methods = methods,
                                   .meta = meta,
                                   .fields = fields,
                                   .index = get_number,
                                   .newindex = set_number };

static const si_floats kind = { .type = &si_quat_type,
                                .expected = "quat or a table of four numbers",
                                .count = 4,
                                .align = 16,
                                .initial = (const float[]){ 0, 0, 0, 1 },
                                .double_cover = true };

SI_FLOATS_PUBLIC(quat, 4)

void si_lua_open_quat(lua_State *L) {
  si_lua_class_push(L, &si_quat_type, construct, functions);
  lua_setfield(L, -2, "quat");
}
