/* Recorded matrices: what mat4_lua.c and quat_matrix.c compute, as operations of a graph. The last
 * row is mostly the literals 0 0 0 1, which the graph simplifies away. */
#include "lua/math/recorded_parts.h"

#include <string.h>

static si_recording *of(lua_State *L) { return si_recording_of(L); }

static void identity(si_recording *r, si_recorded *dest) {
  dest->count = 16;
  for (int i = 0; i < 16; i++) dest->v[i] = si_rec_number(r, i % 5 == 0);
}

static void matrix_mul(si_recording *r, const si_value *a, const si_value *b, si_value *dest) {
  si_value m[16];
  for (int i = 0; i < 16; i++) m[i] = si_rec_dot(r, a + i % 4, 4, b + i / 4 * 4, 1, 4);
  memcpy(dest, m, sizeof m);
}

void si_rec_direction(si_recording *r, const si_value *m, const si_value *v, si_value *dest) {
  si_value w[3];
  for (int i = 0; i < 3; i++) w[i] = si_rec_dot(r, m + i, 4, v, 1, 3);
  memcpy(dest, w, sizeof w);
}

/* divided by the fourth coordinate, which is the literal 1 for an affine matrix */
void si_rec_point(si_recording *r, const si_value *m, const si_value *p, si_value *dest) {
  si_value w = si_rec_add(r, si_rec_dot(r, m + 3, 4, p, 1, 3), m[15]);
  si_rec_direction(r, m, p, dest);
  for (int i = 0; i < 3; i++) dest[i] = si_rec_div(r, si_rec_add(r, dest[i], m[12 + i]), w);
}

bool si_recorded_product(si_recording *r, const si_recorded *a, const si_recorded *b,
                         si_recorded *dest) {
  *dest = (si_recorded){ .count = b->count };
  if (a->count == 16 && b->count == 16)
    matrix_mul(r, a->v, b->v, dest->v);
  else if (a->count == 16 && b->count == 3)
    si_rec_point(r, a->v, b->v, dest->v);
  else if (a->count == 4 && b->count == 4)
    si_rec_quat_mul(r, a->v, b->v, dest->v);
  else if (a->count == 4 && b->count == 3)
    si_rec_rotate(r, a->v, b->v, dest->v);
  else if (a->count == 3 && b->count == 3)
    for (int i = 0; i < 3; i++) dest->v[i] = si_rec_mul(r, a->v[i], b->v[i]);
  else
    return false;
  return true;
}

/* --- constructors */

static int translation(lua_State *L) {
  si_recorded v = si_recorded_vector(L, 1), m;
  identity(of(L), &m);
  memcpy(m.v + 12, v.v, 3 * sizeof *v.v);
  return si_recorded_push(L, &m);
}

static int scaling(lua_State *L) {
  si_recorded v, m;
  if (lua_gettop(L) != 1 || !si_recorded_read(L, 1, 1, &v))
    v = si_recorded_vector(L, 1);
  else
    v.v[1] = v.v[2] = v.v[0];
  identity(of(L), &m);
  for (int i = 0; i < 3; i++) m.v[5 * i] = v.v[i];
  return si_recorded_push(L, &m);
}

/* about a unit axis */
static void turn_about(si_recording *r, const si_value *x, si_value degrees, si_recorded *m) {
  si_value s = si_rec_sin(r, degrees), c = si_rec_cos(r, degrees);
  si_value less = si_rec_sub(r, si_rec_number(r, 1), c);
  identity(r, m);
  for (int i = 0; i < 3; i++)
    for (int k = 0; k < 3; k++) {
      si_value flat = si_rec_mul(r, less, si_rec_mul(r, x[i], x[k]));
      m->v[4 * k + i] = i == k ? si_rec_add(r, flat, c) : flat;
    }
  for (int i = 0; i < 3; i++) {
    int j = (i + 1) % 3, k = (i + 2) % 3;
    si_value sx = si_rec_mul(r, s, x[i]);
    m->v[4 * j + k] = si_rec_add(r, m->v[4 * j + k], sx);
    m->v[4 * k + j] = si_rec_sub(r, m->v[4 * k + j], sx);
  }
}

/* about an axis, and an optional centre at `centre` */
static si_recorded turned(lua_State *L, si_recorded axis, si_value degrees, int centre) {
  si_recording *r = of(L);
  si_recorded m;
  si_value back[3];
  si_rec_unit(r, axis.v, 3, axis.v);
  turn_about(r, axis.v, degrees, &m);
  if (lua_isnoneornil(L, centre)) return m;
  si_recorded at = si_recorded_want(L, centre, 3);
  si_rec_direction(r, m.v, at.v, back);
  for (int i = 0; i < 3; i++) m.v[12 + i] = si_rec_sub(r, at.v[i], back[i]);
  return m;
}

/* an axis at `index`, degrees and an optional centre */
static si_recorded want_turn(lua_State *L, int index) {
  si_recorded axis = si_recorded_want(L, index, 3);
  return turned(L, axis, si_recorded_want(L, index + 1, 1).v[0], index + 2);
}

/* "x", "-z" or a direction */
static si_recorded want_axis(lua_State *L, int index) {
  if (lua_type(L, index) != LUA_TSTRING) return si_recorded_want(L, index, 3);
  si_recorded axis = { .count = 3 };
  const char *text = lua_tostring(L, index), *letter = text + (*text == '-');
  if (!*letter || letter[1] || !strchr("xyz", *letter))
    luaL_error(L, "axis '%s' is none of x, y, z, -x, -y, -z; a direction is written {1, 0, 0.08}",
               text);
  for (int i = 0; i < 3; i++)
    axis.v[i] = si_rec_number(of(L), *letter != 'x' + i ? 0 : letter == text ? 1 : -1);
  return axis;
}

int si_recorded_rotate(lua_State *L) {
  si_value degrees = si_recorded_want(L, 1, 1).v[0];
  si_recorded m = turned(L, want_axis(L, 2), degrees, 3);
  return si_recorded_push(L, &m);
}

int si_recorded_translated(lua_State *L) {
  si_recording *r = of(L);
  si_recorded v, m;
  if (lua_isnoneornil(L, 2)) {
    v = si_recorded_want(L, 1, 3);
  } else {
    si_value amount = si_recorded_want(L, 1, 1).v[0];
    v = want_axis(L, 2);
    si_rec_unit(r, v.v, 3, v.v);
    for (int i = 0; i < 3; i++) v.v[i] = si_rec_mul(r, amount, v.v[i]);
  }
  identity(r, &m);
  memcpy(m.v + 12, v.v, 3 * sizeof *v.v);
  return si_recorded_push(L, &m);
}

static int turn(lua_State *L) {
  si_recorded m = want_turn(L, 1);
  return si_recorded_push(L, &m);
}

static int euler(lua_State *L) {
  si_recording *r = of(L);
  si_recorded m, t;
  int order[3];
  si_lua_check_order(L, 1, order);
  identity(r, &m);
  for (int i = 0; i < 3; i++) {
    si_value axis[3];
    for (int k = 0; k < 3; k++) axis[k] = si_rec_number(r, order[i] == k);
    turn_about(r, axis, si_recorded_want(L, 2 + i, 1).v[0], &t);
    matrix_mul(r, m.v, t.v, m.v);
  }
  return si_recorded_push(L, &m);
}

static int from(lua_State *L) {
  si_recorded m;
  identity(of(L), &m);
  if (!lua_isnoneornil(L, 1)) si_rec_quat_matrix(of(L), si_recorded_want(L, 1, 4).v, m.v);
  if (!lua_isnoneornil(L, 2)) memcpy(m.v + 12, si_recorded_want(L, 2, 3).v, 3 * sizeof *m.v);
  return si_recorded_push(L, &m);
}

/* rows, or columns, of three numbers (if three are enough) or four */
static int lines(lua_State *L, const char *what, bool columns) {
  si_recorded m, line;
  luaL_checktype(L, 1, LUA_TTABLE);
  int count = (int)lua_rawlen(L, 1);
  if (count != 3 && count != 4)
    return luaL_argerror(L, 1, lua_pushfstring(L, "three or four %ss expected", what));
  identity(of(L), &m);
  for (int n = 0; n < count; n++) {
    lua_rawgeti(L, 1, n + 1);
    bool four = si_recorded_read(L, -1, 4, &line);
    if (!four && !(columns && si_recorded_read(L, -1, 3, &line)))
      return luaL_error(L, "mat4.%ss: %s %d is not a table of numbers", what, what, n + 1);
    lua_pop(L, 1);
    for (int i = 0; i < line.count; i++) m.v[columns ? 4 * n + i : 4 * i + n] = line.v[i];
  }
  return si_recorded_push(L, &m);
}
static int rows(lua_State *L) { return lines(L, "row", false); }
static int columns(lua_State *L) { return lines(L, "column", true); }

const luaL_Reg si_recorded_mat4[] = {
  { "__call", si_recorded_new_mat4 },
  { "translation", translation },
  { "scaling", scaling },
  { "turn", turn },
  { "euler", euler },
  { "from", from },
  { "rows", rows },
  { "columns", columns },
  { NULL, NULL },
};

/* --- methods */

int si_recorded_premul(lua_State *L) {
  si_recorded m = si_recorded_want(L, 1, 16), n = si_recorded_want(L, 2, 16);
  matrix_mul(of(L), n.v, m.v, m.v);
  return si_recorded_store(L, &m);
}

int si_recorded_translate(lua_State *L) {
  si_recording *r = of(L);
  si_recorded m = si_recorded_want(L, 1, 16), v = si_recorded_vector(L, 2);
  for (int i = 0; i < 4; i++)
    m.v[12 + i] = si_rec_add(r, m.v[12 + i], si_rec_dot(r, m.v + i, 4, v.v, 1, 3));
  return si_recorded_store(L, &m);
}

int si_recorded_turn_by(lua_State *L) {
  si_recorded m = si_recorded_want(L, 1, 16), t = want_turn(L, 2);
  matrix_mul(of(L), m.v, t.v, m.v);
  return si_recorded_store(L, &m);
}

static void transpose_of(si_recorded *m) {
  si_recorded copy = *m;
  for (int i = 0; i < 16; i++) m->v[i] = copy.v[i % 4 * 4 + i / 4];
}

int si_recorded_transpose(lua_State *L) {
  si_recorded m = si_recorded_want(L, 1, 16);
  transpose_of(&m);
  return si_recorded_store(L, &m);
}

int si_recorded_transposed(lua_State *L) {
  si_recorded m = si_recorded_want(L, 1, 16);
  transpose_of(&m);
  return si_recorded_give(L, 2, &m);
}

/* a b - c d */
static si_value minor(si_recording *r, si_value a, si_value b, si_value c, si_value d) {
  return si_rec_sub(r, si_rec_mul(r, a, b), si_rec_mul(r, c, d));
}

/* from the 2x2 minors of the upper two and of the lower two rows, as si_mat4_inverse */
static si_value inverse_of(si_recording *r, const si_value *a, si_value *dest) {
  static const int left[6] = { 0, 0, 0, 1, 1, 2 }, right[6] = { 1, 2, 3, 2, 3, 3 };
  static const double signs[6] = { 1, -1, 1, 1, -1, 1 };
  si_value s[6], t[6], d = si_rec_number(r, 0);
  for (int i = 0; i < 6; i++) {
    const si_value *u = a + 4 * left[i], *v = a + 4 * right[i];
    s[i] = minor(r, u[0], v[1], v[0], u[1]);
    t[i] = minor(r, u[2], v[3], v[2], u[3]);
  }
  for (int i = 0; i < 6; i++)
    d = si_rec2(r, signs[i] > 0 ? SI_G_ADD : SI_G_SUB, d, si_rec_mul(r, s[i], t[5 - i]));
  if (!dest) return d;
  si_value over = si_rec_div(r, si_rec_number(r, 1), d), m[16];
  for (int row = 0; row < 4; row++) {
    int i = row == 0 ? 1 : 0, j = row < 2 ? 2 : 1, k = row < 3 ? 3 : 2;
    int ij = i == 0 ? j - 1 : i + j, ik = i == 0 ? k - 1 : i + k, jk = j == 0 ? k - 1 : j + k;
    const si_value *u = a + 4 * i, *v = a + 4 * j, *w = a + 4 * k;
    static const int from[4] = { 1, 0, 3, 2 };
    for (int c = 0; c < 4; c++) {
      const si_value *n = c < 2 ? t : s;
      int e = from[c];
      si_value sum = minor(r, u[e], n[jk], v[e], n[ik]);
      sum = si_rec_add(r, sum, si_rec_mul(r, w[e], n[ij]));
      if ((row + c) % 2) sum = si_rec1(r, SI_G_NEGATE, sum);
      m[4 * c + row] = si_rec_mul(r, over, sum);
    }
  }
  /* exactly, for the last row of an affine matrix */
  double one;
  bool affine = true;
  for (int c = 0; c < 4; c++)
    affine &= a[4 * c + 3] && si_graph_literal(&r->graph, a[4 * c + 3], &one) && one == (c == 3);
  for (int c = 0; affine && c < 4; c++) m[4 * c + 3] = si_rec_number(r, c == 3);
  memcpy(dest, m, sizeof m);
  return d;
}

int si_recorded_inverse(lua_State *L) {
  si_recorded m = si_recorded_want(L, 1, 0);
  if (m.count == 4) return si_recorded_quat_invert(L, false);
  inverse_of(of(L), m.v, m.v);
  return si_recorded_give(L, 2, &m);
}

int si_recorded_invert(lua_State *L) {
  si_recorded m = si_recorded_want(L, 1, 0);
  if (m.count == 4) return si_recorded_quat_invert(L, true);
  inverse_of(of(L), m.v, m.v);
  return si_recorded_store(L, &m);
}

int si_recorded_determinant(lua_State *L) {
  si_recorded m = si_recorded_want(L, 1, 16);
  return si_recorded_push_number(L, inverse_of(of(L), m.v, NULL));
}

int si_recorded_place(lua_State *L) {
  si_recorded m = si_recorded_want(L, 1, 16), p = si_recorded_want(L, 2, 3);
  si_rec_point(of(L), m.v, p.v, p.v);
  return si_recorded_give(L, 3, &p);
}

int si_recorded_position(lua_State *L) {
  si_recorded m = si_recorded_want(L, 1, 16), p = { .count = 3 };
  memcpy(p.v, m.v + 12, 3 * sizeof *p.v);
  return si_recorded_give(L, 2, &p);
}

int si_recorded_get(lua_State *L) {
  si_recorded m = si_recorded_want(L, 1, 16);
  if (si_recorded_test(L, 2) || si_recorded_test(L, 3))
    return si_recording_refuse(L, "m:get(row, column) needs rows and columns that are known");
  lua_Integer row = si_lua_check_int(L, 2, 1, 4), column = si_lua_check_int(L, 3, 1, 4);
  return si_recorded_push_number(L, m.v[4 * (column - 1) + row - 1]);
}

int si_recorded_rigid(lua_State *L) {
  si_recording *r = of(L);
  si_recorded m = si_recorded_want(L, 1, 16);
  si_value tolerance =
      lua_isnoneornil(L, 2) ? si_rec_number(r, 1e-5) : si_recorded_want(L, 2, 1).v[0];
  si_value all = si_rec_number(r, 1);
  for (int c = 0; c < 4; c++)
    all = si_rec_mul(r, all, si_rec2(r, SI_G_EQUAL, m.v[4 * c + 3], si_rec_number(r, c == 3)));
  for (int i = 0; i < 3; i++)
    for (int j = i; j < 3; j++) {
      si_value d = si_rec_dot(r, m.v + 4 * i, 1, m.v + 4 * j, 1, 3);
      d = si_rec1(r, SI_G_ABS, si_rec_sub(r, d, si_rec_number(r, i == j)));
      all = si_rec_mul(r, all, si_rec2(r, SI_G_LEAST, d, tolerance));
    }
  return si_return_boolean(L, si_recording_decide(L, r, all));
}

/* --- rotations: m[4 c + i] with columns of unit length. A matrix that mirrors, shears or flattens
 * has none, and raises on that path. */

static void unit_columns(lua_State *L, si_recorded *m) {
  si_recording *r = of(L);
  si_value good = si_rec_number(r, 1), normal[3];
  for (int c = 0; c < 3; c++) si_rec_unit(r, m->v + 4 * c, 3, m->v + 4 * c);
  for (int c = 0; c < 3; c++) {
    si_value d = si_rec_dot(r, m->v + 4 * c, 1, m->v + (4 * c + 4) % 12, 1, 3);
    d = si_rec1(r, SI_G_ABS, d);
    good = si_rec_mul(r, good, si_rec2(r, SI_G_LEAST, d, si_rec_number(r, 1e-3)));
  }
  si_rec_cross(r, m->v, m->v + 4, normal);
  si_value volume = si_rec_dot(r, normal, 1, m->v + 8, 1, 3);
  good = si_rec_mul(r, good, si_rec2(r, SI_G_LESS, si_rec_number(r, 0), volume));
  if (!si_recording_decide(L, r, good))
    luaL_error(L, "a mat4 that mirrors, shears or flattens has no rotation");
}

static si_value choose(si_recording *r, si_value c, si_value a, si_value b) {
  return si_rec3(r, SI_G_SELECT, c, a, b);
}

int si_recorded_rotation(lua_State *L) {
  si_recording *r = of(L);
  si_recorded m = si_recorded_want(L, 1, 16), q = { .count = 4 };
  unit_columns(L, &m);
  const si_value *x = m.v;
  si_value trace = si_rec_add(r, si_rec_add(r, x[0], x[5]), x[10]), one = si_rec_number(r, 1);
  /* starts from the largest of the four, so that no division is by a small number */
  si_value cases[4][4];
  for (int i = 0; i < 3; i++) {
    int j = (i + 1) % 3, k = (i + 2) % 3;
    si_value off = si_rec_add(r, x[5 * j], x[5 * k]);
    cases[i][i] = si_rec_sub(r, si_rec_add(r, one, x[5 * i]), off);
    cases[i][j] = si_rec_add(r, x[4 * j + i], x[4 * i + j]);
    cases[i][k] = si_rec_add(r, x[4 * k + i], x[4 * i + k]);
    cases[i][3] = si_rec_sub(r, x[4 * j + k], x[4 * k + j]);
    cases[3][i] = cases[i][3];
  }
  cases[3][3] = si_rec_add(r, one, trace);
  si_value first = si_rec2(r, SI_G_LESS, x[5], x[0]), most = si_rec2(r, SI_G_MAX, x[0], x[5]);
  si_value third = si_rec2(r, SI_G_LESS, most, x[10]);
  si_value whole = si_rec2(r, SI_G_LESS, si_rec2(r, SI_G_MAX, most, x[10]), trace);
  for (int n = 0; n < 4; n++) {
    si_value of_axis = choose(r, third, cases[2][n], choose(r, first, cases[0][n], cases[1][n]));
    q.v[n] = choose(r, whole, cases[3][n], of_axis);
  }
  si_value length = si_rec_length(r, q.v, 4);
  si_value back = si_rec2(r, SI_G_LESS, q.v[3], si_rec_number(r, 0));
  length = choose(r, back, si_rec1(r, SI_G_NEGATE, length), length);
  for (int n = 0; n < 4; n++) q.v[n] = si_rec_div(r, q.v[n], length);
  return si_recorded_give(L, 2, &q);
}

static si_value times(si_recording *r, double sign, si_value x) {
  return si_rec_mul(r, si_rec_number(r, sign), x);
}
static si_value angle_of(si_recording *r, si_value y, si_value x) {
  return si_rec2(r, SI_G_ATAN2, y, x);
}

/* as si_mat4_angles */
int si_recorded_angles(lua_State *L) {
  si_recording *r = of(L);
  si_recorded m = si_recorded_want(L, 1, 0);
  int order[3];
  si_lua_check_order(L, 2, order);
  if (m.count == 4) {
    si_recorded q = m;
    identity(r, &m);
    si_rec_quat_matrix(r, q.v, m.v);
  } else {
    unit_columns(L, &m);
  }
  int i = order[0], j = order[1], k = 3 - i - j;
  bool returns = order[2] == i;
  double sign = (j - i + 3) % 3 == 1 ? 1 : -1;
#define AT(row, column) m.v[4 * (column) + (row)]
  si_value pair[2] = { returns ? AT(j, i) : AT(j, k), returns ? AT(k, i) : AT(k, k) };
  si_value clear = si_rec_length(r, pair, 2), a, b;
  if (returns) {
    b = angle_of(r, clear, AT(i, i));
    a = angle_of(r, AT(j, i), times(r, -sign, AT(k, i)));
  } else {
    b = angle_of(r, times(r, sign, AT(i, k)), clear);
    a = angle_of(r, times(r, -sign, AT(j, k)), AT(k, k));
  }
  si_value locked = si_rec2(r, SI_G_LESS, clear, si_rec_number(r, 1e-6));
  a = choose(r, locked, angle_of(r, times(r, sign, AT(k, j)), AT(j, j)), a);
  si_value s = times(r, sign, si_rec_sin(r, a)), t = si_rec_cos(r, a), left[3];
  for (int n = 0; n < 3; n++)
    left[n] = si_rec_add(r, si_rec_mul(r, t, AT(j, n)), si_rec_mul(r, s, AT(k, n)));
#undef AT
  si_value c = angle_of(r, returns ? times(r, -sign, left[k]) : times(r, sign, left[i]), left[j]);
  si_recorded_push_number(L, a);
  si_recorded_push_number(L, b);
  si_recorded_push_number(L, c);
  return 3;
}
