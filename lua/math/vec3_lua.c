/* vec3: three floats, a point or a direction.
 *
 * The rule for vec3, quat and mat4: operators return a new value; methods named by a verb change
 * the object and return it; methods named by a noun leave it unchanged. Those that return a
 * userdata take one as an optional last argument to write to. So a + b makes a vec3, a:add(b)
 * changes a, a:cross(b) makes a vec3, a:cross(b, c) writes to c. A table is accepted in place of a
 * vec3: {1, 2, 3} or {x = 1, y = 2, z = 3}. NaN and infinities are allowed here; a rig refuses
 * them. */
#include "lua/base/floats.h"
#include "lua/math/dual_lua.h"
#include "lua/math/quat_matrix.h"
#include "math/angle.h"
#include "math/matrix.h"

static const si_floats kind;
SI_FLOATS_FUNCTIONS
SI_FLOATS_COORDINATES

/* --- methods named by a verb: each ends with the object on top */

/* v + w, or v + s w */
static int add(lua_State *L) {
  float *v = si_floats_self(L, &kind), w[3];
  si_floats_want(L, 2, &kind, w);
  float s = (float)luaL_optnumber(L, 3, 1);
  for (int i = 0; i < 3; i++) v[i] += s * w[i];
  return si_lua_done(L);
}

static int sub(lua_State *L) {
  float *v = si_floats_self(L, &kind), w[3];
  si_floats_want(L, 2, &kind, w);
  for (int i = 0; i < 3; i++) v[i] -= w[i];
  return si_lua_done(L);
}

/* a factor for each coordinate, from a number or a vec3 */
static bool read_factors(lua_State *L, int index, float dest[3]) {
  if (lua_type(L, index) != LUA_TNUMBER) return si_floats_read(L, index, &kind, dest);
  dest[0] = dest[1] = dest[2] = (float)lua_tonumber(L, index);
  return true;
}

static void want_factors(lua_State *L, int index, float dest[3]) {
  if (!read_factors(L, index, dest))
    si_lua_type_error(L, index, "number, vec3 or a table of three numbers");
}

static int mul(lua_State *L) {
  float *v = si_floats_self(L, &kind), w[3];
  want_factors(L, 2, w);
  for (int i = 0; i < 3; i++) v[i] *= w[i];
  return si_lua_done(L);
}

static int divide(lua_State *L) {
  float *v = si_floats_self(L, &kind), w[3];
  want_factors(L, 2, w);
  for (int i = 0; i < 3; i++) v[i] /= w[i];
  return si_lua_done(L);
}

static int negate(lua_State *L) {
  float *v = si_floats_self(L, &kind);
  for (int i = 0; i < 3; i++) v[i] = -v[i];
  return si_lua_done(L);
}

static void unit_of(lua_State *L, const float *v, float *dest) {
  if (si_vec_unit(v, dest)) return;
  char x[SI_NUMBER_TEXT], y[SI_NUMBER_TEXT], z[SI_NUMBER_TEXT];
  si_lua_format(x, v[0]);
  si_lua_format(y, v[1]);
  si_lua_format(z, v[2]);
  luaL_error(L, "vec3(%s, %s, %s) has no direction", x, y, z);
}

static int normalize(lua_State *L) {
  float *v = si_floats_self(L, &kind);
  unit_of(L, v, v);
  return si_lua_done(L);
}

/* v becomes q * v */
static int rotate(lua_State *L) {
  float *v = si_floats_self(L, &kind), q[4];
  si_quat_want(L, 2, q);
  if (!si_quat_rotate(q, v, v)) return luaL_error(L, "a quat of length 0 is not a rotation");
  return si_lua_done(L);
}

/* v becomes m * v, as a point */
static int transform(lua_State *L) {
  float *v = si_floats_self(L, &kind);
  si_mat4_point(si_mat4_check(L, 2), v, v);
  return si_lua_done(L);
}

/* --- methods named by a noun */

static int dot(lua_State *L) {
  const float *v = si_floats_self(L, &kind);
  float w[3];
  si_floats_want(L, 2, &kind, w);
  return si_return_number(L, si_vec_dot(v, w));
}

static int cross(lua_State *L) {
  const float *v = si_floats_self(L, &kind);
  float w[3];
  si_floats_want(L, 2, &kind, w);
  si_vec_cross(v, w, si_floats_dest(L, 3, &kind));
  return 1;
}

/* in doubles, so that huge and tiny vectors can be normalized */
static double length_of(double x, double y, double z) { return sqrt(x * x + y * y + z * z); }

static int length(lua_State *L) {
  const float *v = si_floats_self(L, &kind);
  return si_return_number(L, length_of(v[0], v[1], v[2]));
}

static int distance(lua_State *L) {
  const float *v = si_floats_self(L, &kind);
  float w[3];
  si_floats_want(L, 2, &kind, w);
  return si_return_number(L,
                          length_of((double)v[0] - w[0], (double)v[1] - w[1], (double)v[2] - w[2]));
}

/* degrees between two directions, 0 to 180 */
static int angle(lua_State *L) {
  const float *v = si_floats_self(L, &kind);
  float w[3], a[3], b[3];
  si_floats_want(L, 2, &kind, w);
  unit_of(L, v, a);
  unit_of(L, w, b);
  /* between the sum and the difference of unit vectors: exact near 0 and near 180 too */
  double apart = length_of((double)a[0] - b[0], (double)a[1] - b[1], (double)a[2] - b[2]);
  double along = length_of((double)a[0] + b[0], (double)a[1] + b[1], (double)a[2] + b[2]);
  return si_return_number(L, 2 * atan2(apart, along) / SI_DEG);
}

static int unit(lua_State *L) {
  float v[3];
  unit_of(L, si_floats_self(L, &kind), v);
  memcpy(si_floats_dest(L, 2, &kind), v, sizeof v);
  return 1;
}

static int lerp(lua_State *L) {
  const float *v = si_floats_self(L, &kind);
  float w[3];
  si_floats_want(L, 2, &kind, w);
  float t = si_lua_check_float(L, 3);
  float *dest = si_floats_dest(L, 4, &kind);
  /* exact at both ends */
  for (int i = 0; i < 3; i++) dest[i] = (1 - t) * v[i] + t * w[i];
  return 1;
}

/* --- operators */

static bool read_vector(lua_State *L, int index, float dest[3]) {
  return si_floats_read(L, index, &kind, dest);
}

#define OPERATOR(name, op, read_left, read_right)                                                  \
  static int op_##name(lua_State *L) {                                                             \
    float a[3], b[3];                                                                              \
    if (!read_left(L, 1, a) || !read_right(L, 2, b)) return si_dual_operator(L, #op);              \
    float *dest = si_floats_push(L, &kind);                                                        \
    for (int i = 0; i < 3; i++) dest[i] = a[i] op b[i];                                            \
    return 1;                                                                                      \
  }
OPERATOR(add, +, read_vector, read_vector)
OPERATOR(sub, -, read_vector, read_vector)
OPERATOR(mul, *, read_factors, read_factors)
OPERATOR(div, /, read_vector, read_factors)

static int op_negate(lua_State *L) {
  const float *v = si_floats_self(L, &kind);
  float *dest = si_floats_push(L, &kind);
  for (int i = 0; i < 3; i++) dest[i] = -v[i];
  return 1;
}

static const luaL_Reg methods[] = {
  SI_FLOATS_METHODS,
  { "add", add },
  { "sub", sub },
  { "mul", mul },
  { "div", divide },
  { "negate", negate },
  { "normalize", normalize },
  { "rotate", rotate },
  { "transform", transform },
  { "dot", dot },
  { "cross", cross },
  { "length", length },
  { "distance", distance },
  { "angle", angle },
  { "unit", unit },
  { "lerp", lerp },
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
  { NULL, NULL, NULL },
};

const si_lua_type si_vec3_type = { .name = "vec3",
                                   .methods = methods,
                                   .meta = meta,
                                   .fields = fields,
                                   .index = get_number,
                                   .newindex = set_number };

static const si_floats kind = { .type = &si_vec3_type,
                                .expected = "vec3 or a table of three numbers",
                                .count = 3,
                                .align = 16,
                                .initial = (const float[]){ 0, 0, 0 } };

SI_FLOATS_PUBLIC(vec3, 3)

void si_lua_open_vec3(lua_State *L) {
  si_lua_class_push(L, &si_vec3_type, construct, NULL);
  lua_setfield(L, -2, "vec3");
}
