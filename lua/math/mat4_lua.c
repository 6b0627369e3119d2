/* mat4: 16 floats, column-major: m[1] to m[4] is the first column, m[13] to m[15] the translation.
 * Operators return new matrices, methods named by a verb change the object and return it, methods
 * named by a noun leave it unchanged and take a userdata to write to (see vec3_lua.c). */
#include "lua/base/floats.h"
#include "lua/math/dual_lua.h"
#include "lua/math/quat_matrix.h"
#include "math/matrix.h"

static const si_floats kind;
SI_FLOATS_FUNCTIONS

static const float identity[16] = { 1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1 };

/* a vec3 or table at `index`, or three numbers from there on */
static void want_vector(lua_State *L, int index, float dest[3]) {
  if (lua_type(L, index) != LUA_TNUMBER)
    si_vec3_want(L, index, dest);
  else
    for (int i = 0; i < 3; i++) dest[i] = si_lua_check_float(L, index + i);
}

/* mat4.translation(v) or (x, y, z) */
static int from_translation(lua_State *L) {
  float v[3];
  want_vector(L, 1, v);
  memcpy(si_floats_push(L, &kind) + 12, v, sizeof v);
  return 1;
}

/* mat4.scaling(s), (v) or (x, y, z) */
static int from_scaling(lua_State *L) {
  float v[3];
  if (lua_type(L, 1) == LUA_TNUMBER && lua_gettop(L) == 1)
    v[0] = v[1] = v[2] = (float)lua_tonumber(L, 1);
  else
    want_vector(L, 1, v);
  float *m = si_floats_push(L, &kind);
  m[0] = v[0];
  m[5] = v[1];
  m[10] = v[2];
  return 1;
}

/* m = T(centre) m T(-centre) for a rotation matrix m */
static void move_centre(const float centre[3], float *m) {
  float back[3];
  si_mat_direction(m, centre, back);
  for (int i = 0; i < 3; i++) m[12 + i] = centre[i] - back[i];
}

/* the rotation given by an axis at `index`, degrees and an optional centre */
static void want_turn(lua_State *L, int index, float dest[16]) {
  float axis[3], centre[3];
  si_lua_want_unit(L, index, axis);
  si_mat_turn(axis, si_lua_check_float(L, index + 1), dest);
  if (lua_isnoneornil(L, index + 2)) return;
  si_vec3_want(L, index + 2, centre);
  move_centre(centre, dest);
}

/* mat4.turn(axis, degrees, centre): a rotation */
static int from_turn(lua_State *L) {
  float m[16];
  want_turn(L, 1, m);
  memcpy(si_floats_push(L, &kind), m, sizeof m);
  return 1;
}

/* mat4.euler(order, a, b, c): 'xyz' is Rx Ry Rz */
static int from_euler(lua_State *L) {
  static const float axes[3][3] = { { 1, 0, 0 }, { 0, 1, 0 }, { 0, 0, 1 } };
  int order[3];
  float degrees[3];
  si_lua_check_order(L, 1, order);
  for (int i = 0; i < 3; i++) degrees[i] = si_lua_check_float(L, 2 + i);
  float *m = si_floats_push(L, &kind);
  for (int i = 0; i < 3; i++) {
    CGLM_ALIGN_MAT mat4 turn;
    si_mat_turn(axes[order[i]], degrees[i], turn[0]);
    si_mat_mul(m, turn[0], m);
  }
  return 1;
}

/* mat4.from(quat, vec3): rotates, then translates; either may be nil */
static int from_parts(lua_State *L) {
  float m[16], q[4], v[3] = { 0 };
  memcpy(m, identity, sizeof m);
  if (!lua_isnoneornil(L, 1)) {
    si_quat_want(L, 1, q);
    if (!si_quat_to_mat4(q, m)) return luaL_argerror(L, 1, "a quat of length 0 is not a rotation");
  }
  if (!lua_isnoneornil(L, 2)) si_vec3_want(L, 2, v);
  memcpy(m + 12, v, sizeof v);
  memcpy(si_floats_push(L, &kind), m, sizeof m);
  return 1;
}

/* the n-th list in the table at 1: `low` to 4 numbers, or a vec3 if three are enough */
static bool read_line(lua_State *L, int n, int low, float dest[4]) {
  lua_rawgeti(L, 1, n);
  int top = lua_gettop(L);
  bool good = (low == 3 && si_vec3_read(L, top, dest)) || si_lua_read_list(L, top, low, 4, dest);
  lua_settop(L, top - 1);
  return good;
}

/* mat4.rows { {..4}, {..4}, {..4} }, with a fourth row if it is not 0 0 0 1 */
static int from_rows(lua_State *L) {
  float m[16], row[4];
  luaL_checktype(L, 1, LUA_TTABLE);
  int count = (int)lua_rawlen(L, 1);
  if (count != 3 && count != 4) return luaL_argerror(L, 1, "three or four rows expected");
  memcpy(m, identity, sizeof m);
  for (int r = 0; r < count; r++) {
    if (!read_line(L, r + 1, 4, row))
      return luaL_error(L, "mat4.rows: row %d is not a table of four numbers", r + 1);
    for (int c = 0; c < 4; c++) m[4 * c + r] = row[c];
  }
  memcpy(si_floats_push(L, &kind), m, sizeof m);
  return 1;
}

/* mat4.columns { x, y, z, position }: each has three numbers or a vec3, or four numbers */
static int from_columns(lua_State *L) {
  float m[16];
  luaL_checktype(L, 1, LUA_TTABLE);
  int count = (int)lua_rawlen(L, 1);
  if (count != 3 && count != 4) return luaL_argerror(L, 1, "three or four columns expected");
  memcpy(m, identity, sizeof m);
  for (int c = 0; c < count; c++)
    if (!read_line(L, c + 1, 3, m + 4 * c))
      return luaL_error(L,
                        "mat4.columns: column %d is not a vec3 or a table of three or four "
                        "numbers",
                        c + 1);
  memcpy(si_floats_push(L, &kind), m, sizeof m);
  return 1;
}

/* --- methods named by a verb */

/* a * b, aligned or not; dest may be either */
static void product(const float *a, const float *b, float *dest) {
  CGLM_ALIGN_MAT mat4 p, q;
  si_mat_copy(a, p[0]);
  si_mat_copy(b, q[0]);
  glm_mat4_mul(p, q, p);
  si_mat_copy(p[0], dest);
}

/* m becomes m * n */
static int mul(lua_State *L) {
  float *m = si_floats_self(L, &kind), n[16];
  si_floats_want(L, 2, &kind, n);
  product(m, n, m);
  return si_lua_done(L);
}

/* m becomes n * m */
static int premul(lua_State *L) {
  float *m = si_floats_self(L, &kind), n[16];
  si_floats_want(L, 2, &kind, n);
  product(n, m, m);
  return si_lua_done(L);
}

/* m becomes m * T(v) */
static int translate(lua_State *L) {
  float *m = si_floats_self(L, &kind), v[3];
  want_vector(L, 2, v);
  for (int i = 0; i < 4; i++) m[12 + i] += m[i] * v[0] + m[4 + i] * v[1] + m[8 + i] * v[2];
  return si_lua_done(L);
}

/* m becomes m * turn(axis, degrees, centre) */
static int rotate(lua_State *L) {
  float *m = si_floats_self(L, &kind), turn[16];
  want_turn(L, 2, turn);
  product(m, turn, m);
  return si_lua_done(L);
}

static int singular(lua_State *L) { return luaL_error(L, "a singular mat4 has no inverse"); }

static int invert(lua_State *L) {
  float *m = si_floats_self(L, &kind);
  return si_mat4_inverse(m, m, NULL) ? si_lua_done(L) : singular(L);
}

static void transpose_of(const float *m, float *dest) {
  float copied[16];
  si_mat_copy(m, copied);
  for (int i = 0; i < 16; i++) dest[i] = copied[i % 4 * 4 + i / 4];
}

static int transpose(lua_State *L) {
  float *m = si_floats_self(L, &kind);
  transpose_of(m, m);
  return si_lua_done(L);
}

/* --- methods named by a noun */

static int inverse(lua_State *L) {
  float m[16];
  if (!si_mat4_inverse(si_floats_self(L, &kind), m, NULL)) return singular(L);
  memcpy(si_floats_dest(L, 2, &kind), m, sizeof m);
  return 1;
}

static int transposed(lua_State *L) {
  const float *m = si_floats_self(L, &kind);
  transpose_of(m, si_floats_dest(L, 2, &kind));
  return 1;
}

static int determinant(lua_State *L) {
  double value;
  si_mat4_inverse(si_floats_self(L, &kind), NULL, &value);
  return si_return_number(L, value);
}

/* transforms a point */
static int point(lua_State *L) {
  const float *m = si_floats_self(L, &kind);
  float p[3];
  si_vec3_want(L, 2, p);
  si_mat4_point(m, p, si_vec3_dest(L, 3));
  return 1;
}

/* transforms a direction: ignores the translation */
static int direction(lua_State *L) {
  const float *m = si_floats_self(L, &kind);
  float v[3];
  si_vec3_want(L, 2, v);
  si_mat_direction(m, v, si_vec3_dest(L, 3));
  return 1;
}

static int position(lua_State *L) {
  const float *m = si_floats_self(L, &kind);
  memcpy(si_vec3_dest(L, 2), m + 12, 3 * sizeof(float));
  return 1;
}

static int no_rotation(lua_State *L) {
  return luaL_error(L, "a mat4 that mirrors, shears or flattens has no rotation");
}

static int rotation(lua_State *L) {
  float q[4];
  if (!si_quat_from_mat4(si_floats_self(L, &kind), q)) return no_rotation(L);
  memcpy(si_quat_dest(L, 2), q, sizeof q);
  return 1;
}

static int angles(lua_State *L) {
  const float *m = si_floats_self(L, &kind);
  float degrees[3];
  int order[3];
  si_lua_check_order(L, 2, order);
  if (!si_mat4_angles(m, order, degrees)) return no_rotation(L);
  for (int i = 0; i < 3; i++) lua_pushnumber(L, degrees[i]);
  return 3;
}

/* m:get(row, column) */
static int get(lua_State *L) {
  const float *m = si_floats_self(L, &kind);
  lua_Integer row = si_lua_check_int(L, 2, 1, 4), column = si_lua_check_int(L, 3, 1, 4);
  return si_return_number(L, m[4 * (column - 1) + row - 1]);
}

/* whether it preserves lengths: a translation, rotation or reflection */
static int rigid(lua_State *L) {
  const float *m = si_floats_self(L, &kind);
  return si_return_boolean(L, si_mat_is_rigid(m, (float)luaL_optnumber(L, 2, 1e-5)));
}

/* --- operators */

/* multiplies by a matrix, or transforms a vec3 as a point */
static int op_mul(lua_State *L) {
  float a[16], b[16];
  const float *p = si_vec3_test(L, 2);
  if (!si_floats_read(L, 1, &kind, a)) return si_dual_operator(L, "*");
  if (p) {
    si_mat4_point(a, p, si_vec3_push(L));
  } else {
    if (!si_floats_read(L, 2, &kind, b)) return si_dual_operator(L, "*");
    product(a, b, si_floats_push(L, &kind));
  }
  return 1;
}

/* row by row: "mat4(1 0 0 0.5; 0 1 0 0; 0 0 1 0; 0 0 0 1)" */
static int op_tostring(lua_State *L) {
  const float *m = si_floats_self(L, &kind);
  char text[16 + 16 * SI_NUMBER_TEXT] = "mat4(";
  size_t used = strlen(text);
  for (int i = 0; i < 16; i++) {
    used += (size_t)si_lua_format(text + used, m[i % 4 * 4 + i / 4]);
    if (i % 4 == 3 && i < 15) text[used++] = ';';
    if (i < 15) text[used++] = ' ';
  }
  text[used++] = ')';
  lua_pushlstring(L, text, used);
  return 1;
}

static const luaL_Reg functions[] = {
  { "translation", from_translation },
  { "scaling", from_scaling },
  { "turn", from_turn },
  { "euler", from_euler },
  { "from", from_parts },
  { "rows", from_rows },
  { "columns", from_columns },
  { NULL, NULL },
};

static const luaL_Reg methods[] = {
  SI_FLOATS_METHODS,
  { "mul", mul },
  { "premul", premul },
  { "translate", translate },
  { "rotate", rotate },
  { "invert", invert },
  { "transpose", transpose },
  { "inverse", inverse },
  { "transposed", transposed },
  { "determinant", determinant },
  { "point", point },
  { "direction", direction },
  { "position", position },
  { "rotation", rotation },
  { "angles", angles },
  { "get", get },
  { "rigid", rigid },
  { NULL, NULL },
};

static const luaL_Reg meta[] = {
  { "__mul", op_mul },
  SI_FLOATS_META,
  { "__tostring", op_tostring },
  { NULL, NULL },
};

const si_lua_type si_mat4_type = {
  .name = "mat4", .methods = methods, .meta = meta, .index = get_number, .newindex = set_number
};

static const si_floats kind = { .type = &si_mat4_type,
                                .expected = "mat4 or a table of sixteen numbers",
                                .count = 16,
                                .align = 32,
                                .initial = identity };

SI_FLOATS_PUBLIC(mat4, 16)

void si_lua_open_mat4(lua_State *L) {
  si_lua_class_push(L, &si_mat4_type, construct, functions);
  lua_setfield(L, -2, "mat4");
}
