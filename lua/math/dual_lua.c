/* sinew.dual: values with their rate of change, d(a b) = da b + a db and so on. Every function also
 * takes plain values and then returns a plain one, so that the same code evaluates a component and
 * differentiates it. Where a function has no derivative (the square root at 0, the arc sine at 1)
 * its rate is 0; at a kink it is that of the right side. */
#include "lua/math/dual_lua.h"

#include "lua/base/floats.h"
#include "math/angle.h"
#include "math/matrix.h"

#include <stdio.h>

/* --- reading and pushing */

static bool read_entries(lua_State *L, int index, int count, si_dual *dest) {
  *dest = (si_dual){ .count = count };
  for (int i = 0; i < count; i++) {
    lua_rawgeti(L, index, i + 1);
    const si_dual *entry = si_lua_test(L, -1, &si_dual_type);
    bool number = lua_type(L, -1) == LUA_TNUMBER, good = number || (entry && entry->count == 1);
    if (good) dest->is[i] = number ? (double)lua_tonumber(L, -1) : entry->is[0];
    if (good && entry) {
      dest->by[i] = entry->by[0];
      dest->moves = true;
    }
    lua_pop(L, 1);
    if (!good) return false;
  }
  return true;
}

bool si_dual_read(lua_State *L, int index, si_dual *dest) {
  index = lua_absindex(L, index);
  if (lua_type(L, index) == LUA_TNUMBER) {
    *dest = (si_dual){ .count = 1, .is = { (double)lua_tonumber(L, index) } };
    return true;
  }
  const si_dual *dual = si_lua_test(L, index, &si_dual_type);
  if (dual) {
    *dest = *dual;
    return true;
  }
  if (lua_istable(L, index)) {
    size_t length = lua_rawlen(L, index);
    return (length == 3 || length == 16) && read_entries(L, index, (int)length, dest);
  }
  const float *vector = si_vec3_test(L, index);
  const float *floats = vector ? vector : si_mat4_test(L, index);
  if (!floats) return false;
  *dest = (si_dual){ .count = vector ? 3 : 16 };
  for (int i = 0; i < dest->count; i++) dest->is[i] = (double)floats[i];
  return true;
}

int si_dual_push(lua_State *L, const si_dual *dual) {
  if (dual->moves) {
    si_dual *made = si_lua_new(L, &si_dual_type, sizeof *made, 0);
    *made = *dual;
  } else if (dual->count == 1) {
    lua_pushnumber(L, dual->is[0]);
  } else {
    float *floats = dual->count == 3 ? si_vec3_push(L) : si_mat4_push(L);
    for (int i = 0; i < dual->count; i++) floats[i] = (float)dual->is[i];
  }
  return 1;
}

static si_dual want(lua_State *L, int index, int count) {
  si_dual read;
  const char *expected = "mat4 or dual mat4";
  if (count == 1) expected = "number or dual";
  if (count == 3) expected = "vec3, dual vec3 or a table of three";
  if (!si_dual_read(L, index, &read) || read.count != count) si_lua_type_error(L, index, expected);
  return read;
}

static int give_number(lua_State *L, double value, double rate, bool moves) {
  return si_dual_push(
      L, &(si_dual){
             .count = 1, .moves = moves, .is = { value }, .by = { isfinite(rate) ? rate : 0 } });
}

/* applies a function of one number, given its value and slope there */
static int give_slope(lua_State *L, const si_dual *x, double value, double slope) {
  return give_number(L, value, x->moves && x->by[0] != 0 ? slope * x->by[0] : 0, x->moves);
}

/* --- operators */

static si_dual scaled(const si_dual *a, const si_dual *k) {
  si_dual r = { .count = a->count };
  for (int i = 0; i < a->count; i++) {
    r.is[i] = a->is[i] * k->is[0];
    r.by[i] = a->by[i] * k->is[0] + a->is[i] * k->by[0];
  }
  return r;
}

/* adds a column, or a row of columns, of the product m * v */
static void add_product(const double *m, const double *v, int columns, double *dest) {
  for (int c = 0; c < columns; c++)
    for (int k = 0; k < 4; k++)
      for (int row = 0; row < 4; row++) dest[4 * c + row] += m[4 * k + row] * v[4 * c + k];
}

static si_dual moved_point(const si_dual *m, const si_dual *v, double w) {
  si_dual r = { .count = 3 };
  double place[4] = { v->is[0], v->is[1], v->is[2], w }, move[4] = { v->by[0], v->by[1], v->by[2] };
  double is[4] = { 0 }, by[4] = { 0 };
  add_product(m->is, place, 1, is);
  add_product(m->by, place, 1, by);
  add_product(m->is, move, 1, by);
  memcpy(r.is, is, 3 * sizeof *is);
  memcpy(r.by, by, 3 * sizeof *by);
  return r;
}

static si_dual product(const si_dual *a, const si_dual *b) {
  if (b->count == 1 && a->count != 16) return scaled(a, b);
  if (a->count == 1 && b->count != 16) return scaled(b, a);
  if (a->count == 16 && b->count == 3) return moved_point(a, b, 1);
  si_dual r = { .count = 0 };
  if (a->count != b->count) return r;
  r.count = a->count;
  if (a->count == 16) {
    add_product(a->is, b->is, 4, r.is);
    add_product(a->by, b->is, 4, r.by);
    add_product(a->is, b->by, 4, r.by);
  } else {
    for (int i = 0; i < 3; i++) {
      r.is[i] = a->is[i] * b->is[i];
      r.by[i] = a->by[i] * b->is[i] + a->is[i] * b->by[i];
    }
  }
  return r;
}

static si_dual quotient(const si_dual *a, const si_dual *b) {
  si_dual r = { .count = a->count == 16 || b->count != 1 ? 0 : a->count };
  for (int i = 0; i < r.count; i++) {
    r.is[i] = a->is[i] / b->is[0];
    r.by[i] = (a->by[i] - r.is[i] * b->by[0]) / b->is[0];
  }
  return r;
}

static si_dual power(const si_dual *a, const si_dual *b) {
  si_dual r = { .count = a->count == 1 && b->count == 1 };
  double x = a->is[0], y = b->is[0], by = 0;
  if (!r.count) return r;
  r.is[0] = pow(x, y);
  if (a->by[0] != 0 && y != 0) by += y * pow(x, y - 1) * a->by[0];
  if (b->by[0] != 0) by += r.is[0] * log(x) * b->by[0];
  r.by[0] = isfinite(by) ? by : 0;
  return r;
}

static si_dual sum(const si_dual *a, const si_dual *b, double sign) {
  si_dual r = { .count = a->count == b->count && a->count != 16 ? a->count : 0 };
  for (int i = 0; i < r.count; i++) {
    r.is[i] = a->is[i] + sign * b->is[i];
    r.by[i] = a->by[i] + sign * b->by[i];
  }
  return r;
}

int si_dual_operator(lua_State *L, const char *operator) {
  si_dual a, b, r = { .count = 0 };
  if ((si_lua_test(L, 1, &si_dual_type) || si_lua_test(L, 2, &si_dual_type)) &&
      si_dual_read(L, 1, &a) && si_dual_read(L, 2, &b)) {
    switch (*operator) {
    case '+': r = sum(&a, &b, 1); break;
    case '-': r = sum(&a, &b, -1); break;
    case '*': r = product(&a, &b); break;
    case '/': r = quotient(&a, &b); break;
    default: r = power(&a, &b);
    }
  }
  if (!r.count) return si_lua_operator_error(L, operator);
  r.moves = true;
  return si_dual_push(L, &r);
}

static int op_add(lua_State *L) { return si_dual_operator(L, "+"); }
static int op_sub(lua_State *L) { return si_dual_operator(L, "-"); }
static int op_mul(lua_State *L) { return si_dual_operator(L, "*"); }
static int op_div(lua_State *L) { return si_dual_operator(L, "/"); }
static int op_pow(lua_State *L) { return si_dual_operator(L, "^"); }

static int op_negate(lua_State *L) {
  si_dual x = *(const si_dual *)si_lua_check(L, 1, &si_dual_type);
  for (int i = 0; i < x.count; i++) {
    x.is[i] = -x.is[i];
    x.by[i] = -x.by[i];
  }
  return si_dual_push(L, &x);
}

/* compares values only, so that a script takes the same branches as in an evaluation */
static int op_eq(lua_State *L) {
  const si_dual *a = si_lua_test(L, 1, &si_dual_type), *b = si_lua_test(L, 2, &si_dual_type);
  lua_pushboolean(L, a && b && a->count == b->count &&
                         memcmp(a->is, b->is, (size_t)a->count * sizeof *a->is) == 0);
  return 1;
}
static int op_lt(lua_State *L) {
  return si_return_boolean(L, want(L, 1, 1).is[0] < want(L, 2, 1).is[0]);
}
static int op_le(lua_State *L) {
  return si_return_boolean(L, want(L, 1, 1).is[0] <= want(L, 2, 1).is[0]);
}

static int op_tostring(lua_State *L) {
  const si_dual *x = si_lua_check(L, 1, &si_dual_type);
  char is[SI_NUMBER_TEXT], by[SI_NUMBER_TEXT];
  si_lua_format(is, (float)x->is[0]);
  si_lua_format(by, (float)x->by[0]);
  if (x->count == 1)
    lua_pushfstring(L, "dual(%s, %s)", is, by);
  else
    lua_pushfstring(L, "dual %s", x->count == 3 ? "vec3" : "mat4");
  return 1;
}

/* v.x, v[1], m[13] */
static int get_entry(lua_State *L) {
  const si_dual *x = lua_touserdata(L, 1);
  int64_t at = -1;
  if (lua_type(L, 2) == LUA_TNUMBER)
    at = si_whole((double)lua_tonumber(L, 2), 1, x->count, &at) ? at - 1 : -1;
  else if (lua_type(L, 2) == LUA_TSTRING && lua_rawlen(L, 2) == 1 && x->count == 3)
    at = *lua_tostring(L, 2) - 'x';
  if (at < 0 || at >= x->count) return 0;
  return give_number(L, x->is[at], x->by[at], true);
}

/* --- functions of numbers */

int si_dual_sin(lua_State *L) {
  si_dual x = want(L, 1, 1);
  float s, c;
  si_sincos((float)x.is[0], &s, &c);
  return give_slope(L, &x, (double)s, (double)c * SI_DEG);
}

int si_dual_cos(lua_State *L) {
  si_dual x = want(L, 1, 1);
  float s, c;
  si_sincos((float)x.is[0], &s, &c);
  return give_slope(L, &x, (double)c, -(double)s * SI_DEG);
}

int si_dual_tan(lua_State *L) {
  si_dual x = want(L, 1, 1);
  float s, c;
  si_sincos((float)x.is[0], &s, &c);
  return give_slope(L, &x, (double)s / (double)c, SI_DEG / ((double)c * (double)c));
}

/* allow rounding slightly beyond 1 */
static double cosine_of(lua_State *L, const si_dual *x) {
  if (!(fabs(x->is[0]) <= 1 + 1e-5)) luaL_argerror(L, 1, "number from -1 to 1 expected");
  return fmin(1, fmax(-1, x->is[0]));
}

int si_dual_asin(lua_State *L) {
  si_dual x = want(L, 1, 1);
  double c = cosine_of(L, &x);
  return give_slope(L, &x, asin(c) / SI_DEG, 1 / (SI_DEG * sqrt(1 - c * c)));
}

int si_dual_acos(lua_State *L) {
  si_dual x = want(L, 1, 1);
  double c = cosine_of(L, &x);
  return give_slope(L, &x, acos(c) / SI_DEG, -1 / (SI_DEG * sqrt(1 - c * c)));
}

int si_dual_atan2(lua_State *L) {
  si_dual y = want(L, 1, 1), x = want(L, 2, 1);
  double square = x.is[0] * x.is[0] + y.is[0] * y.is[0];
  double rate = (x.is[0] * y.by[0] - y.is[0] * x.by[0]) / square;
  return give_number(L, atan2(y.is[0], x.is[0]) / SI_DEG, rate / SI_DEG, x.moves || y.moves);
}

static int dual_sqrt(lua_State *L) {
  si_dual x = want(L, 1, 1);
  return give_slope(L, &x, sqrt(x.is[0]), 0.5 / sqrt(x.is[0]));
}
static int dual_exp(lua_State *L) {
  si_dual x = want(L, 1, 1);
  return give_slope(L, &x, exp(x.is[0]), exp(x.is[0]));
}
static int dual_log(lua_State *L) {
  si_dual x = want(L, 1, 1);
  return give_slope(L, &x, log(x.is[0]), 1 / x.is[0]);
}
static int dual_abs(lua_State *L) {
  si_dual x = want(L, 1, 1);
  return give_slope(L, &x, fabs(x.is[0]), x.is[0] < 0 ? -1 : 1);
}

/* the first smallest (sign 1) or largest (sign -1) */
static int pick(lua_State *L, double sign) {
  int best = 1;
  bool moves = false;
  for (int i = 1; i <= (lua_gettop(L) ? lua_gettop(L) : 1); i++) {
    si_dual x = want(L, i, 1);
    moves |= x.moves;
    if (sign * x.is[0] < sign * want(L, best, 1).is[0]) best = i;
  }
  si_dual x = want(L, best, 1);
  return give_number(L, x.is[0], x.by[0], moves);
}
static int dual_min(lua_State *L) { return pick(L, 1); }
static int dual_max(lua_State *L) { return pick(L, -1); }

/* clamp(x, low, high): at a bound the rate passes through, as in the components */
static int dual_clamp(lua_State *L) {
  si_dual x = want(L, 1, 1), low = want(L, 2, 1), high = want(L, 3, 1), r = x;
  if (x.is[0] < low.is[0]) r = low;
  if (x.is[0] > high.is[0]) r = high;
  return give_number(L, r.is[0], r.by[0], x.moves || low.moves || high.moves);
}

/* --- vectors and matrices */

static int dual_dot(lua_State *L) {
  si_dual a = want(L, 1, 3), b = want(L, 2, 3);
  double is = 0, by = 0;
  for (int i = 0; i < 3; i++) {
    is += a.is[i] * b.is[i];
    by += a.by[i] * b.is[i] + a.is[i] * b.by[i];
  }
  return give_number(L, is, by, a.moves || b.moves);
}

static int dual_cross(lua_State *L) {
  si_dual a = want(L, 1, 3), b = want(L, 2, 3);
  si_dual r = { .count = 3, .moves = a.moves || b.moves };
  for (int i = 0; i < 3; i++) {
    int j = (i + 1) % 3, k = (i + 2) % 3;
    r.is[i] = a.is[j] * b.is[k] - a.is[k] * b.is[j];
    r.by[i] = a.by[j] * b.is[k] + a.is[j] * b.by[k] - a.by[k] * b.is[j] - a.is[k] * b.by[j];
  }
  return si_dual_push(L, &r);
}

/* a vector's length with its rate; at the zero vector the length grows in any direction */
static void measure(const si_dual *v, double *length, double *rate) {
  double square = 0, along = 0, move = 0;
  for (int i = 0; i < 3; i++) {
    square += v->is[i] * v->is[i];
    along += v->is[i] * v->by[i];
    move += v->by[i] * v->by[i];
  }
  *length = sqrt(square);
  *rate = square > 0 ? along / *length : sqrt(move);
}

static int dual_length(lua_State *L) {
  si_dual v = want(L, 1, 3);
  double length, rate;
  measure(&v, &length, &rate);
  return give_number(L, length, rate, v.moves);
}

static int dual_unit(lua_State *L) {
  si_dual v = want(L, 1, 3);
  double length, rate;
  measure(&v, &length, &rate);
  if (!si_wide_unit(v.is, v.is)) return luaL_error(L, "a vector of length 0 has no direction");
  for (int i = 0; i < 3; i++) v.by[i] = (v.by[i] - v.is[i] * rate) / length;
  return si_dual_push(L, &v);
}

static int transformed(lua_State *L, double w) {
  si_dual m = want(L, 1, 16), v = want(L, 2, 3), r = moved_point(&m, &v, w);
  r.moves = m.moves || v.moves;
  return si_dual_push(L, &r);
}
static int dual_point(lua_State *L) { return transformed(L, 1); }
static int dual_direction(lua_State *L) { return transformed(L, 0); }

static int dual_position(lua_State *L) {
  si_dual m = want(L, 1, 16), r = { .count = 3, .moves = m.moves };
  memcpy(r.is, m.is + 12, 3 * sizeof *r.is);
  memcpy(r.by, m.by + 12, 3 * sizeof *r.by);
  return si_dual_push(L, &r);
}

/* the inverse of an affine matrix: d(1/m) = -1/m dm 1/m */
static int dual_inverse(lua_State *L) {
  si_dual m = want(L, 1, 16), r = { .count = 16, .moves = m.moves };
  double cross[3][3], det = 0, part[16] = { 0 };
  for (int i = 0; i < 3; i++) {
    const double *a = m.is + 4 * ((i + 1) % 3), *b = m.is + 4 * ((i + 2) % 3);
    for (int k = 0; k < 3; k++)
      cross[i][k] = a[(k + 1) % 3] * b[(k + 2) % 3] - a[(k + 2) % 3] * b[(k + 1) % 3];
  }
  for (int k = 0; k < 3; k++) det += m.is[k] * cross[0][k];
  if (!(fabs(det) > 1e-12)) return luaL_error(L, "a singular matrix has no inverse");
  r.is[15] = 1;
  for (int row = 0; row < 3; row++)
    for (int k = 0; k < 3; k++) {
      r.is[4 * k + row] = cross[row][k] / det;
      r.is[12 + row] -= cross[row][k] / det * m.is[12 + k];
    }
  add_product(m.by, r.is, 4, part);
  add_product(r.is, part, 4, r.by);
  for (int i = 0; i < 16; i++) r.by[i] = -r.by[i];
  return si_dual_push(L, &r);
}

static int dual_vec3(lua_State *L) {
  si_dual r = { .count = 3 };
  for (int i = 0; i < 3; i++) {
    si_dual x = want(L, i + 1, 1);
    r.is[i] = x.is[0];
    r.by[i] = x.by[0];
    r.moves |= x.moves;
  }
  return si_dual_push(L, &r);
}

static si_dual unmoved(void) {
  return (si_dual){ .count = 16, .is = { [0] = 1, [5] = 1, [10] = 1, [15] = 1 } };
}

/* translation(x, y, z) or (v) */
static int dual_translation(lua_State *L) {
  si_dual r = unmoved();
  bool numbers = lua_gettop(L) > 1;
  for (int i = 0; i < 3; i++) {
    si_dual x = want(L, numbers ? i + 1 : 1, numbers ? 1 : 3);
    r.is[12 + i] = x.is[numbers ? 0 : i];
    r.by[12 + i] = x.by[numbers ? 0 : i];
    r.moves |= x.moves;
  }
  return si_dual_push(L, &r);
}

/* about a constant unit axis */
static si_dual turn(const double *x, const si_dual *degrees) {
  si_dual r = { .count = 16, .moves = degrees->moves };
  float sine, cosine;
  si_sincos((float)degrees->is[0], &sine, &cosine);
  double s = (double)sine, c = (double)cosine, rate = degrees->by[0] * SI_DEG;
  for (int i = 0; i < 3; i++)
    for (int k = 0; k < 3; k++) {
      r.is[4 * k + i] = (1 - c) * x[i] * x[k] + (i == k) * c;
      r.by[4 * k + i] = rate * s * (x[i] * x[k] - (i == k));
    }
  for (int i = 0; i < 3; i++) {
    int j = (i + 1) % 3, k = (i + 2) % 3;
    r.is[4 * j + k] += s * x[i];
    r.is[4 * k + j] -= s * x[i];
    r.by[4 * j + k] += rate * c * x[i];
    r.by[4 * k + j] -= rate * c * x[i];
  }
  r.is[15] = 1;
  return r;
}

/* turn(axis, degrees [, centre]): a rotation; axis and centre are plain values */
static int dual_turn(lua_State *L) {
  float axis[3], centre[3] = { 0, 0, 0 };
  si_lua_want_unit(L, 1, axis);
  si_dual degrees = want(L, 2, 1);
  if (!lua_isnoneornil(L, 3)) si_vec3_want(L, 3, centre);
  si_dual r = turn((const double[]){ (double)axis[0], (double)axis[1], (double)axis[2] }, &degrees);
  for (int i = 0; i < 3; i++) {
    r.is[12 + i] = (double)centre[i];
    for (int k = 0; k < 3; k++) {
      r.is[12 + i] -= r.is[4 * k + i] * (double)centre[k];
      r.by[12 + i] -= r.by[4 * k + i] * (double)centre[k];
    }
  }
  return si_dual_push(L, &r);
}

/* euler(order, a, b, c): 'xyz' is Rx Ry Rz */
static int dual_euler(lua_State *L) {
  int order[3];
  si_lua_check_order(L, 1, order);
  si_dual r = unmoved();
  for (int i = 0; i < 3; i++) {
    si_dual degrees = want(L, 2 + i, 1);
    si_dual t = turn((const double[]){ order[i] == 0, order[i] == 1, order[i] == 2 }, &degrees);
    bool moves = r.moves || t.moves;
    r = product(&r, &t);
    r.moves = moves;
  }
  return si_dual_push(L, &r);
}

/* --- parts */

static int dual_part(lua_State *L, bool rate) {
  si_dual x;
  if (!si_dual_read(L, 1, &x)) return si_lua_type_error(L, 1, "number, vec3, mat4 or dual");
  if (rate) memcpy(x.is, x.by, sizeof x.is);
  x.moves = false;
  return si_dual_push(L, &x);
}
static int dual_value(lua_State *L) { return dual_part(L, false); }
static int dual_rate(lua_State *L) { return dual_part(L, true); }

/* dual(value [, rate]): of numbers, vec3s or mat4s; the default rate is 0 */
static int construct(lua_State *L) {
  si_dual x, rate;
  if (!si_dual_read(L, 1, &x)) return si_lua_type_error(L, 1, "number, vec3 or mat4");
  if (!lua_isnoneornil(L, 2)) {
    if (!si_dual_read(L, 2, &rate) || rate.count != x.count)
      return si_lua_type_error(L, 2, "rate of the same kind");
    memcpy(x.by, rate.is, sizeof x.by);
  }
  x.moves = true;
  return si_dual_push(L, &x);
}

static const luaL_Reg methods[] = {
  { "value", dual_value },
  { "rate", dual_rate },
  { "dot", dual_dot },
  { "cross", dual_cross },
  { "length", dual_length },
  { "unit", dual_unit },
  { "point", dual_point },
  { "direction", dual_direction },
  { "position", dual_position },
  { "inverse", dual_inverse },
  { NULL, NULL },
};

static const luaL_Reg functions[] = {
  { "sin", si_dual_sin },   { "cos", si_dual_cos },   { "tan", si_dual_tan },
  { "asin", si_dual_asin }, { "acos", si_dual_acos }, { "atan2", si_dual_atan2 },
  { "sqrt", dual_sqrt },    { "exp", dual_exp },      { "log", dual_log },
  { "abs", dual_abs },      { "min", dual_min },      { "max", dual_max },
  { "clamp", dual_clamp },  { "vec3", dual_vec3 },    { "translation", dual_translation },
  { "turn", dual_turn },    { "euler", dual_euler },  { NULL, NULL },
};

static const luaL_Reg meta[] = {
  { "__add", op_add }, { "__sub", op_sub },           { "__mul", op_mul }, { "__div", op_div },
  { "__pow", op_pow }, { "__unm", op_negate },        { "__eq", op_eq },   { "__lt", op_lt },
  { "__le", op_le },   { "__tostring", op_tostring }, { NULL, NULL },
};

const si_lua_type si_dual_type = {
  .name = "dual", .methods = methods, .meta = meta, .index = get_entry
};

void si_lua_open_dual(lua_State *L) {
  si_lua_class_push(L, &si_dual_type, construct, functions);
  lua_setfield(L, -2, "dual");
}
