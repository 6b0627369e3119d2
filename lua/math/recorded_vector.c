/* Methods of recorded vec3 and quats, and those that all kinds have: what vec3_lua.c and quat_lua.c
 * compute, as operations of a graph. Where those raise because a vector has no direction, the
 * recorded result is not a number, which a pose refuses. */
#include "lua/math/recorded_parts.h"

#include <math.h>
#include <string.h>

static si_recording *of(lua_State *L) { return si_recording_of(L); }

/* --- shared parts */

int si_recorded_give(lua_State *L, int index, const si_recorded *value) {
  if (lua_isnoneornil(L, index)) return si_recorded_push(L, value);
  si_recorded *dest = si_recorded_test(L, index);
  if (dest && dest->count == value->count) {
    *dest = *value;
    lua_pushvalue(L, index);
    return 1;
  }
  if (!dest && lua_isuserdata(L, index))
    return si_recording_refuse(L, "a value that was made before eval was called cannot be written "
                                  "to; make one inside");
  const char *got = si_recorded_typename(L, index);
  return luaL_argerror(L, index, lua_pushfstring(L, "value to write to expected, got %s", got));
}

int si_recorded_store(lua_State *L, const si_recorded *value) {
  si_recorded *self = si_recorded_test(L, 1);
  if (!self)
    return si_recording_refuse(L, "a value that was made before eval was called cannot be changed; "
                                  "copy it first: v:copy()");
  *self = *value;
  return si_lua_done(L);
}

si_recorded si_recorded_vector(lua_State *L, int index) {
  si_recorded first;
  if (!si_recorded_read(L, index, 1, &first)) return si_recorded_want(L, index, 3);
  si_recorded v = { .count = 3 };
  for (int i = 0; i < 3; i++) v.v[i] = si_recorded_want(L, index + i, 1).v[0];
  return v;
}

si_value si_rec_sin(si_recording *r, si_value degrees) { return si_rec1(r, SI_G_SIN, degrees); }
si_value si_rec_cos(si_recording *r, si_value degrees) { return si_rec1(r, SI_G_COS, degrees); }

si_value si_rec_length(si_recording *r, const si_value *v, int count) {
  return si_rec1(r, SI_G_SQRT, si_rec_dot(r, v, 1, v, 1, count));
}

void si_rec_unit(si_recording *r, const si_value *v, int count, si_value *dest) {
  si_value length = si_rec_length(r, v, count);
  double literal;
  /* a literal unit vector stays as it is */
  if (length && si_graph_literal(&r->graph, length, &literal) && fabs(literal - 1) < 1e-12) {
    memmove(dest, v, (size_t)count * sizeof *v);
    return;
  }
  for (int i = 0; i < count; i++) dest[i] = si_rec_div(r, v[i], length);
}

void si_rec_cross(si_recording *r, const si_value *a, const si_value *b, si_value *dest) {
  si_value c[3];
  for (int i = 0; i < 3; i++) {
    int j = (i + 1) % 3, k = (i + 2) % 3;
    c[i] = si_rec_sub(r, si_rec_mul(r, a[j], b[k]), si_rec_mul(r, a[k], b[j]));
  }
  memcpy(dest, c, sizeof c);
}

static void lerp_of(si_recording *r, const si_value *a, const si_value *b, si_value u, si_value t,
                    int count, si_value *dest) {
  for (int i = 0; i < count; i++)
    dest[i] = si_rec_add(r, si_rec_mul(r, u, a[i]), si_rec_mul(r, t, b[i]));
}

/* lengths of a - b and a + b */
static void apart(si_recording *r, const si_value *a, const si_value *b, int count, si_value *less,
                  si_value *more) {
  si_value d[4], s[4];
  for (int i = 0; i < count; i++) {
    d[i] = si_rec_sub(r, a[i], b[i]);
    s[i] = si_rec_add(r, a[i], b[i]);
  }
  *less = si_rec_length(r, d, count);
  *more = si_rec_length(r, s, count);
}

static si_value twice(si_recording *r, si_value x) { return si_rec_mul(r, x, si_rec_number(r, 2)); }

/* --- quats */

void si_rec_quat_mul(si_recording *r, const si_value *a, const si_value *b, si_value *dest) {
  si_value q[4], c[3];
  si_rec_cross(r, a, b, c);
  for (int i = 0; i < 3; i++)
    q[i] = si_rec_add(r, si_rec_add(r, si_rec_mul(r, a[3], b[i]), si_rec_mul(r, a[i], b[3])), c[i]);
  q[3] = si_rec_sub(r, si_rec_mul(r, a[3], b[3]), si_rec_dot(r, a, 1, b, 1, 3));
  memcpy(dest, q, sizeof q);
}

/* v + 2 u x (u x v + w v), u the vector part of the unit quat */
void si_rec_rotate(si_recording *r, const si_value *q, const si_value *v, si_value *dest) {
  si_value p[4], a[3], b[3];
  si_rec_unit(r, q, 4, p);
  si_rec_cross(r, p, v, a);
  for (int i = 0; i < 3; i++) a[i] = si_rec_add(r, a[i], si_rec_mul(r, p[3], v[i]));
  si_rec_cross(r, p, a, b);
  for (int i = 0; i < 3; i++) dest[i] = si_rec_add(r, v[i], twice(r, b[i]));
}

void si_rec_quat_matrix(si_recording *r, const si_value *q, si_value *dest) {
  static const int axes[3][3] = { { 1, 0, 0 }, { 0, 1, 0 }, { 0, 0, 1 } };
  for (int c = 0; c < 3; c++) {
    si_value axis[3];
    for (int i = 0; i < 3; i++) axis[i] = si_rec_number(r, axes[c][i]);
    si_rec_rotate(r, q, axis, dest + 4 * c);
    dest[4 * c + 3] = si_rec_number(r, 0);
  }
}

static void quat_inverse(si_recording *r, const si_recorded *q, si_recorded *dest) {
  si_value square = si_rec_dot(r, q->v, 1, q->v, 1, 4);
  *dest = *q;
  for (int i = 0; i < 4; i++) {
    si_value x = i < 3 ? si_rec1(r, SI_G_NEGATE, q->v[i]) : q->v[i];
    dest->v[i] = si_rec_div(r, x, square);
  }
}

int si_recorded_quat_invert(lua_State *L, bool in_place) {
  si_recorded q = si_recorded_want(L, 1, 4);
  quat_inverse(of(L), &q, &q);
  return in_place ? si_recorded_store(L, &q) : si_recorded_give(L, 2, &q);
}

static si_value degrees_of(si_recording *r, const si_value *q) {
  return twice(r, si_rec2(r, SI_G_ATAN2, si_rec_length(r, q, 3), si_rec1(r, SI_G_ABS, q[3])));
}

static int axis_angle(lua_State *L) {
  si_recording *r = of(L);
  si_recorded q = si_recorded_want(L, 1, 4), axis = { .count = 3 };
  si_rec_unit(r, q.v, 4, q.v);
  si_value zero = si_rec_number(r, 0), back = si_rec2(r, SI_G_LESS, q.v[3], zero);
  si_value length = si_rec_length(r, q.v, 3), any = si_rec2(r, SI_G_LESS, zero, length);
  for (int i = 0; i < 3; i++) {
    si_value x = si_rec_div(r, q.v[i], length);
    x = si_rec3(r, SI_G_SELECT, back, si_rec1(r, SI_G_NEGATE, x), x);
    axis.v[i] = si_rec3(r, SI_G_SELECT, any, x, si_rec_number(r, i == 0));
  }
  si_recorded_give(L, 2, &axis);
  si_recorded_push_number(L, degrees_of(r, q.v));
  return 2;
}

static int slerp(lua_State *L) {
  si_recording *r = of(L);
  si_recorded a = si_recorded_want(L, 1, 4), b = si_recorded_want(L, 2, 4);
  si_value t = si_recorded_want(L, 3, 1).v[0], u = si_rec_sub(r, si_rec_number(r, 1), t);
  si_rec_unit(r, a.v, 4, a.v);
  si_rec_unit(r, b.v, 4, b.v);
  si_value back = si_rec2(r, SI_G_LESS, si_rec_dot(r, a.v, 1, b.v, 1, 4), si_rec_number(r, 0));
  for (int i = 0; i < 4; i++)
    b.v[i] = si_rec3(r, SI_G_SELECT, back, si_rec1(r, SI_G_NEGATE, b.v[i]), b.v[i]);
  si_value less, more;
  apart(r, a.v, b.v, 4, &less, &more);
  si_value angle = twice(r, si_rec2(r, SI_G_ATAN2, less, more)), s = si_rec_sin(r, angle);
  si_value far = si_rec2(r, SI_G_LESS, si_rec_number(r, 1e-9), s);
  si_value p = si_rec_div(r, si_rec_sin(r, si_rec_mul(r, u, angle)), s);
  si_value q = si_rec_div(r, si_rec_sin(r, si_rec_mul(r, t, angle)), s);
  lerp_of(r, a.v, b.v, si_rec3(r, SI_G_SELECT, far, p, u), si_rec3(r, SI_G_SELECT, far, q, t), 4,
          a.v);
  si_rec_unit(r, a.v, 4, a.v);
  return si_recorded_give(L, 4, &a);
}

/* quat.axis(axis, degrees) */
static int quat_axis(lua_State *L) {
  si_recording *r = of(L);
  si_recorded axis = si_recorded_want(L, 1, 3), q = { .count = 4 };
  si_value half = si_rec_mul(r, si_recorded_want(L, 2, 1).v[0], si_rec_number(r, 0.5));
  si_value s = si_rec_sin(r, half);
  si_rec_unit(r, axis.v, 3, axis.v);
  for (int i = 0; i < 3; i++) q.v[i] = si_rec_mul(r, s, axis.v[i]);
  q.v[3] = si_rec_cos(r, half);
  return si_recorded_push(L, &q);
}

static int quat_euler(lua_State *L) {
  si_recording *r = of(L);
  si_value zero = si_rec_number(r, 0);
  si_recorded q = { .count = 4, .v = { zero, zero, zero, si_rec_number(r, 1) } };
  int order[3];
  si_lua_check_order(L, 1, order);
  for (int i = 0; i < 3; i++) {
    si_value half = si_rec_mul(r, si_recorded_want(L, 2 + i, 1).v[0], si_rec_number(r, 0.5));
    si_value turn[4] = { zero, zero, zero, si_rec_cos(r, half) };
    turn[order[i]] = si_rec_sin(r, half);
    si_rec_quat_mul(r, q.v, turn, q.v);
  }
  return si_recorded_push(L, &q);
}

/* quat.between(from, to): the shortest rotation */
static int quat_between(lua_State *L) {
  si_recording *r = of(L);
  si_value a[3], b[3], size[3], zero = si_rec_number(r, 0);
  si_rec_unit(r, si_recorded_want(L, 1, 3).v, 3, a);
  si_rec_unit(r, si_recorded_want(L, 2, 3).v, 3, b);
  si_recorded q = { .count = 4 };
  si_rec_cross(r, a, b, q.v);
  q.v[3] = si_rec_add(r, si_rec_number(r, 1), si_rec_dot(r, a, 1, b, 1, 3));
  /* opposite directions: about an axis perpendicular to both, and to the coordinate axis farthest
   * from them */
  for (int i = 0; i < 3; i++) size[i] = si_rec1(r, SI_G_ABS, a[i]);
  si_value x = si_rec2(r, SI_G_LESS, size[0], size[1]);
  si_value z = si_rec2(r, SI_G_LESS, size[2], si_rec2(r, SI_G_MIN, size[0], size[1]));
  si_value opposite = si_rec2(r, SI_G_LESS, q.v[3], si_rec_number(r, 1e-14));
  const si_value far[3][3] = { { zero, a[2], si_rec1(r, SI_G_NEGATE, a[1]) },
                               { si_rec1(r, SI_G_NEGATE, a[2]), zero, a[0] },
                               { a[1], si_rec1(r, SI_G_NEGATE, a[0]), zero } };
  for (int i = 0; i < 4; i++) {
    si_value flat = zero;
    if (i < 3)
      flat =
          si_rec3(r, SI_G_SELECT, z, far[2][i], si_rec3(r, SI_G_SELECT, x, far[0][i], far[1][i]));
    q.v[i] = si_rec3(r, SI_G_SELECT, opposite, flat, q.v[i]);
  }
  si_rec_unit(r, q.v, 4, q.v);
  return si_recorded_push(L, &q);
}

/* --- methods that change the object */

/* v + w, or v + s w */
static int add(lua_State *L) {
  si_recording *r = of(L);
  si_recorded v = si_recorded_want(L, 1, 0), w = si_recorded_want(L, 2, v.count);
  si_value s = lua_isnoneornil(L, 3) ? si_rec_number(r, 1) : si_recorded_want(L, 3, 1).v[0];
  for (int i = 0; i < v.count; i++) v.v[i] = si_rec_add(r, v.v[i], si_rec_mul(r, s, w.v[i]));
  return si_recorded_store(L, &v);
}

static int sub(lua_State *L) {
  si_recorded v = si_recorded_want(L, 1, 0), w = si_recorded_want(L, 2, v.count);
  for (int i = 0; i < v.count; i++) v.v[i] = si_rec_sub(of(L), v.v[i], w.v[i]);
  return si_recorded_store(L, &v);
}

/* by a number or a vec3, or the product of quats or matrices */
static int mul(lua_State *L) {
  si_recording *r = of(L);
  si_recorded v = si_recorded_want(L, 1, 0), k, product;
  if (v.count != 16 && si_recorded_read(L, 2, 1, &k)) {
    for (int i = 0; i < v.count; i++) v.v[i] = si_rec_mul(r, v.v[i], k.v[0]);
    return si_recorded_store(L, &v);
  }
  k = si_recorded_want(L, 2, v.count);
  si_recorded_product(r, &v, &k, &product);
  return si_recorded_store(L, &product);
}

static int divide(lua_State *L) {
  si_recorded v = si_recorded_want(L, 1, 3), k;
  if (!si_recorded_read(L, 2, 1, &k)) k = si_recorded_want(L, 2, 3);
  for (int i = 0; i < 3; i++) v.v[i] = si_rec_div(of(L), v.v[i], k.v[k.count == 1 ? 0 : i]);
  return si_recorded_store(L, &v);
}

static int negate(lua_State *L) {
  si_recorded v = si_recorded_want(L, 1, 0);
  for (int i = 0; i < v.count; i++) v.v[i] = si_rec1(of(L), SI_G_NEGATE, v.v[i]);
  return si_recorded_store(L, &v);
}

static int normalize(lua_State *L) {
  si_recorded v = si_recorded_want(L, 1, 0);
  si_rec_unit(of(L), v.v, v.count, v.v);
  return si_recorded_store(L, &v);
}

/* a vec3 by a quat, or a matrix about an axis */
static int rotate(lua_State *L) {
  si_recorded v = si_recorded_want(L, 1, 0);
  if (v.count == 16) return si_recorded_turn_by(L);
  si_recorded q = si_recorded_want(L, 2, 4);
  si_rec_rotate(of(L), q.v, v.v, v.v);
  return si_recorded_store(L, &v);
}

static int transform(lua_State *L) {
  si_recorded v = si_recorded_want(L, 1, 3), m = si_recorded_want(L, 2, 16);
  si_rec_point(of(L), m.v, v.v, v.v);
  return si_recorded_store(L, &v);
}

/* the arguments of a constructor from `first` on */
static si_recorded arguments(lua_State *L, int first, int count) {
  si_recording *r = of(L);
  si_recorded value = { .count = count };
  int given = lua_gettop(L) - first + 1;
  if (given <= 0) {
    for (int i = 0; i < count; i++)
      value.v[i] = si_rec_number(r, count == 16 ? i % 5 == 0 : count == 4 && i == 3);
    return value;
  }
  si_recorded number;
  if (!si_recorded_read(L, first, 1, &number)) return si_recorded_want(L, first, count);
  if (given != count)
    luaL_error(L, "%s of %d numbers expected, got %d",
               count == 3   ? "vec3"
               : count == 4 ? "quat"
                            : "mat4",
               count, given);
  for (int i = 0; i < count; i++) value.v[i] = si_recorded_want(L, first + i, 1).v[0];
  return value;
}

static int set(lua_State *L) {
  si_recorded v = si_recorded_want(L, 1, 0);
  v = arguments(L, 2, v.count);
  return si_recorded_store(L, &v);
}

static int construct(lua_State *L, int count) {
  lua_remove(L, 1); /* the class */
  si_recorded v = arguments(L, 1, count);
  return si_recorded_push(L, &v);
}
static int new_vec3(lua_State *L) { return construct(L, 3); }
static int new_quat(lua_State *L) { return construct(L, 4); }

/* --- methods that leave it */

static int copy(lua_State *L) {
  si_recorded v = si_recorded_want(L, 1, 0);
  return si_recorded_give(L, 2, &v);
}

static int near(lua_State *L) {
  si_recording *r = of(L);
  si_recorded a = si_recorded_want(L, 1, 0), b = si_recorded_want(L, 2, a.count);
  si_value tolerance =
      lua_isnoneornil(L, 3) ? si_rec_number(r, 1e-5) : si_recorded_want(L, 3, 1).v[0];
  bool yes = false;
  for (int sign = 0; !yes && sign < (a.count == 4 ? 2 : 1); sign++) {
    si_value all = si_rec_number(r, 1);
    for (int i = 0; i < a.count; i++) {
      si_value d = si_rec2(r, sign ? SI_G_ADD : SI_G_SUB, a.v[i], b.v[i]);
      all = si_rec_mul(r, all, si_rec2(r, SI_G_LEAST, si_rec1(r, SI_G_ABS, d), tolerance));
    }
    yes = si_recording_decide(L, r, all);
  }
  return si_return_boolean(L, yes);
}

static int unpack(lua_State *L) {
  si_recorded v = si_recorded_want(L, 1, 0);
  luaL_checkstack(L, v.count + 4, "unpack");
  for (int i = 0; i < v.count; i++) si_recorded_push_number(L, v.v[i]);
  return v.count;
}

static int dot(lua_State *L) {
  si_recorded a = si_recorded_want(L, 1, 0), b = si_recorded_want(L, 2, a.count);
  return si_recorded_push_number(L, si_rec_dot(of(L), a.v, 1, b.v, 1, a.count));
}

static int cross(lua_State *L) {
  si_recorded a = si_recorded_want(L, 1, 3), b = si_recorded_want(L, 2, 3);
  si_rec_cross(of(L), a.v, b.v, a.v);
  return si_recorded_give(L, 3, &a);
}

static int length(lua_State *L) {
  si_recorded a = si_recorded_want(L, 1, 0);
  return si_recorded_push_number(L, si_rec_length(of(L), a.v, a.count));
}

static int distance(lua_State *L) {
  si_recorded a = si_recorded_want(L, 1, 3), b = si_recorded_want(L, 2, 3);
  for (int i = 0; i < 3; i++) a.v[i] = si_rec_sub(of(L), a.v[i], b.v[i]);
  return si_recorded_push_number(L, si_rec_length(of(L), a.v, 3));
}

/* degrees between two directions, or between this rotation and another, or of this rotation */
static int angle(lua_State *L) {
  si_recording *r = of(L);
  si_recorded a = si_recorded_want(L, 1, 0);
  if (a.count == 4) {
    if (!lua_isnoneornil(L, 2)) {
      si_recorded b = si_recorded_want(L, 2, 4);
      quat_inverse(r, &a, &a);
      si_rec_quat_mul(r, a.v, b.v, a.v);
    }
    si_rec_unit(r, a.v, 4, a.v);
    return si_recorded_push_number(L, degrees_of(r, a.v));
  }
  si_recorded b = si_recorded_want(L, 2, 3);
  si_rec_unit(r, a.v, 3, a.v);
  si_rec_unit(r, b.v, 3, b.v);
  si_value less, more;
  apart(r, a.v, b.v, 3, &less, &more);
  return si_recorded_push_number(L, twice(r, si_rec2(r, SI_G_ATAN2, less, more)));
}

static int unit(lua_State *L) {
  si_recorded a = si_recorded_want(L, 1, 0);
  si_rec_unit(of(L), a.v, a.count, a.v);
  return si_recorded_give(L, 2, &a);
}

static int lerp(lua_State *L) {
  si_recording *r = of(L);
  si_recorded a = si_recorded_want(L, 1, 3), b = si_recorded_want(L, 2, 3);
  si_value t = si_recorded_want(L, 3, 1).v[0];
  lerp_of(r, a.v, b.v, si_rec_sub(r, si_rec_number(r, 1), t), t, 3, a.v);
  return si_recorded_give(L, 4, &a);
}

/* a direction, by a quat or a matrix */
static int direction(lua_State *L) {
  si_recorded m = si_recorded_want(L, 1, 0), v = si_recorded_want(L, 2, 3);
  if (m.count == 4)
    si_rec_rotate(of(L), m.v, v.v, v.v);
  else
    si_rec_direction(of(L), m.v, v.v, v.v);
  return si_recorded_give(L, 3, &v);
}

static int rate(lua_State *L) {
  si_recorded v = si_recorded_want(L, 1, 0);
  for (int i = 0; i < v.count; i++) v.v[i] = si_rec_number(of(L), 0);
  return si_recorded_push(L, &v);
}

static int value(lua_State *L) {
  si_recorded v = si_recorded_want(L, 1, 0);
  return si_recorded_push(L, &v);
}

enum { vec3 = SI_OF_VEC3, quat = SI_OF_QUAT, mat4 = SI_OF_MAT4, all = vec3 | quat | mat4 };

const si_recorded_reg si_recorded_methods[] = {
  { "set", set, all },
  { "copy", copy, all },
  { "near", near, all },
  { "unpack", unpack, all },
  { "add", add, vec3 | quat },
  { "sub", sub, vec3 },
  { "mul", mul, all },
  { "div", divide, vec3 },
  { "negate", negate, vec3 | quat },
  { "normalize", normalize, vec3 | quat },
  { "rotate", rotate, vec3 | mat4 },
  { "transform", transform, vec3 },
  { "dot", dot, vec3 | quat },
  { "cross", cross, vec3 },
  { "length", length, vec3 | quat },
  { "distance", distance, vec3 },
  { "angle", angle, vec3 | quat },
  { "unit", unit, vec3 | quat },
  { "lerp", lerp, vec3 },
  { "invert", si_recorded_invert, quat | mat4 },
  { "inverse", si_recorded_inverse, quat | mat4 },
  { "axis_angle", axis_angle, quat },
  { "angles", si_recorded_angles, quat | mat4 },
  { "slerp", slerp, quat },
  { "direction", direction, quat | mat4 },
  { "premul", si_recorded_premul, mat4 },
  { "translate", si_recorded_translate, mat4 },
  { "transpose", si_recorded_transpose, mat4 },
  { "transposed", si_recorded_transposed, mat4 },
  { "determinant", si_recorded_determinant, mat4 },
  { "point", si_recorded_place, mat4 },
  { "position", si_recorded_position, mat4 },
  { "rotation", si_recorded_rotation, mat4 },
  { "get", si_recorded_get, mat4 },
  { "rigid", si_recorded_rigid, mat4 },
  { "value", value, all },
  { "rate", rate, all },
  { NULL, NULL, 0 },
};

const luaL_Reg si_recorded_vec3[] = { { "__call", new_vec3 }, { NULL, NULL } };
const luaL_Reg si_recorded_quat[] = { { "__call", new_quat },
                                      { "axis", quat_axis },
                                      { "euler", quat_euler },
                                      { "between", quat_between },
                                      { NULL, NULL } };
int si_recorded_new_mat4(lua_State *L) { return construct(L, 16); }
