/* sinew.mesh: a triangle mesh in one userdata. The helper modules combine such meshes into
 * shapes, and convert them to lists of numbers only at the end. Tables are read raw: no script
 * runs here. */
#include "lua/shape/shape_lua.h"

#include "base/text.h"
#include "lua/base/reserve.h"
#include "lua/math/quat_matrix.h"
#include "lua/shape/mesh_make.h"

#include <math.h>
#include <string.h>

enum { most_sides = 4096, most_steps = 4096 };

/* --- making */

/* a mesh with room for this many vertices and triangles; its arrays follow it in the userdata */
si_mesh *si_mesh_push(lua_State *L, int64_t vertices, int64_t triangles, bool normals) {
  if (vertices > SINEW_MESH_VERTICES || triangles > SINEW_MESH_TRIANGLES)
    luaL_error(L, "a mesh has at most %d vertices and %d triangles", SINEW_MESH_VERTICES,
               SINEW_MESH_TRIANGLES);
  size_t numbers = 3 * (size_t)vertices, indices = 3 * (size_t)triangles;
  size_t size =
      sizeof(si_mesh) + (normals ? 2 : 1) * numbers * sizeof(double) + indices * sizeof(uint32_t);
  si_lua_reserve(L, size);
  si_mesh *m = lua_newuserdatauv(L, size, 0);
  *m = (si_mesh){ (int)vertices, (int)triangles, normals, NULL, NULL, NULL };
  m->vertices = (double *)(m + 1);
  m->normals = normals ? m->vertices + numbers : NULL;
  m->triangles = (void *)(m->vertices + (normals ? 2 : 1) * numbers);
  lua_rawgetp(L, LUA_REGISTRYINDEX, &si_mesh_type);
  lua_setmetatable(L, -2);
  return m;
}

void si_mesh_made(lua_State *L, bool made) {
  sinew_error error;
  if (made) return;
  si_fail_memory(&error);
  si_raise(L, &error);
}

/* pushes the list `name` of the table at `table` and returns its length in triples; -1, with
 * nothing pushed, if it is missing */
static int triples(lua_State *L, int table, const char *name, int most) {
  si_raw_field(L, table, name);
  if (lua_isnil(L, -1)) {
    lua_pop(L, 1);
    return -1;
  }
  size_t count = lua_istable(L, -1) ? lua_rawlen(L, -1) : 1;
  if (count % 3 != 0 || count > 3 * (size_t)most)
    luaL_error(L, "mesh: '%s' must be a list of numbers, a multiple of 3", name);
  return (int)(count / 3);
}

/* item `i`, from 0, of the list on top of the stack */
static double number_of(lua_State *L, const char *name, int i) {
  lua_rawgeti(L, -1, i + 1);
  if (lua_type(L, -1) != LUA_TNUMBER)
    luaL_error(L, "mesh: item %d of '%s': number expected, got %s", i + 1, name,
               si_lua_typename(L, -1));
  double number = lua_tonumber(L, -1);
  lua_pop(L, 1);
  return number;
}

static void read_numbers(lua_State *L, int list, const char *name, int count, double *dest) {
  lua_pushvalue(L, list);
  for (int i = 0; i < count; i++) {
    si_lua_spend_each(L, (size_t)i, (size_t)count, 1);
    dest[i] = number_of(L, name, i);
  }
  lua_pop(L, 1);
}

static void read_triangles(lua_State *L, int list, si_mesh *m) {
  lua_pushvalue(L, list);
  for (int i = 0; i < 3 * m->triangle_count; i++) {
    int64_t index;
    si_lua_spend_each(L, (size_t)i, 3 * (size_t)m->triangle_count, 1);
    if (!si_whole(number_of(L, "triangles", i), 1, m->vertex_count, &index))
      luaL_error(L, "mesh: triangle %d refers to a missing vertex", i / 3 + 1);
    m->triangles[i] = (uint32_t)index - 1;
  }
  lua_pop(L, 1);
}

const si_mesh *si_shape_mesh(lua_State *L, int shape) {
  si_raw_field(L, shape, "vertices");
  si_raw_field(L, shape, "mesh");
  const si_mesh *m = lua_isnil(L, -2) ? si_lua_test(L, -1, &si_mesh_type) : NULL;
  lua_pop(L, 2);
  return m;
}

/* pushes the mesh of a table with vertices, triangles and perhaps normals */
static si_mesh *push_from_table(lua_State *L, int table) {
  int top = lua_gettop(L);
  int vertices = triples(L, table, "vertices", SINEW_MESH_VERTICES);
  int triangles = vertices < 0 ? -1 : triples(L, table, "triangles", SINEW_MESH_TRIANGLES);
  if (triangles < 0) luaL_error(L, "mesh: a table with vertices and triangles expected");
  int normals = triples(L, table, "normals", SINEW_MESH_VERTICES);
  if (normals >= 0 && normals != vertices)
    luaL_error(L, "mesh: %d vertices, but %d normals", vertices, normals);
  si_mesh *m = si_mesh_push(L, vertices, triangles, normals >= 0);
  read_numbers(L, top + 1, "vertices", 3 * vertices, m->vertices);
  read_triangles(L, top + 2, m);
  if (m->has_normals) read_numbers(L, top + 3, "normals", 3 * vertices, m->normals);
  lua_insert(L, top + 1);
  lua_settop(L, top + 1);
  return m;
}

sinew_solid *si_shape_solid(lua_State *L, int shape) {
  si_raw_field(L, shape, "vertices");
  si_raw_field(L, shape, "solid");
  sinew_solid *solid = lua_isnil(L, -2) ? si_solid_test(L, -1) : NULL;
  lua_pop(L, 2);
  return solid;
}

/* pushes the mesh of a shape's table, or makes one from its solid or its lists; see si_shape_mesh
 */
static const si_mesh *push_from_shape(lua_State *L, int table) {
  const sinew_solid *solid = si_shape_solid(L, table);
  if (solid) {
    si_solid_push_mesh(L, solid, NULL);
    return lua_touserdata(L, -1);
  }
  if (!si_shape_mesh(L, table)) return push_from_table(L, table);
  si_raw_field(L, table, "mesh");
  return lua_touserdata(L, -1);
}

/* pushes the mesh at `index`, or that of a table */
static const si_mesh *push_given(lua_State *L, int index) {
  const si_mesh *m = si_lua_test(L, index, &si_mesh_type);
  if (!m && lua_istable(L, index)) return push_from_shape(L, index);
  if (!m) si_lua_type_error(L, index, "mesh or table");
  lua_pushvalue(L, index);
  return m;
}

/* sinew.mesh { vertices =, triangles =, normals = } */
static int construct(lua_State *L) {
  push_given(L, 1);
  return 1;
}

/* --- points */

/* three numbers of a vec3 or a table, at `index`; false for anything else */
static bool read_point(lua_State *L, int index, double dest[3]) {
  const float *v = lua_istable(L, index) ? NULL : si_vec3_test(L, index);
  if (v) {
    for (int k = 0; k < 3; k++) dest[k] = (double)v[k];
    return true;
  }
  if (!lua_istable(L, index)) return false;
  bool good = true;
  index = lua_absindex(L, index);
  for (int k = 0; k < 3; k++) {
    lua_rawgeti(L, index, k + 1);
    good = good && lua_type(L, -1) == LUA_TNUMBER;
    dest[k] = lua_tonumber(L, -1);
  }
  lua_pop(L, 3);
  return good;
}

static void want_point(lua_State *L, int index, double dest[3]) {
  if (!read_point(L, index, dest)) si_lua_type_error(L, index, "vec3 or three numbers");
}

/* the raw length of the list at `index`; raises if it has fewer than `least` items or too many */
static int want_list(lua_State *L, int index, int least) {
  if (!lua_istable(L, index)) si_lua_type_error(L, index, "list");
  size_t count = lua_rawlen(L, index);
  if (count < (size_t)least || count > SINEW_MESH_VERTICES)
    luaL_argerror(L, index, lua_pushfstring(L, "list of at least %d expected", least));
  return (int)count;
}

/* reads the points of the list on top of the stack; `what` names it in messages */
static void read_points(lua_State *L, int count, const char *what, double *dest) {
  for (int i = 0; i < count; i++, dest += 3) {
    si_lua_spend_each(L, (size_t)i, (size_t)count, 1);
    lua_rawgeti(L, -1, i + 1);
    if (!read_point(L, -1, dest))
      luaL_error(L, "mesh: point %d of %s must be a vec3 or three numbers", i + 1, what);
    lua_pop(L, 1);
  }
}

/* pushes memory for this many doubles */
static double *push_numbers(lua_State *L, size_t count) {
  si_lua_reserve(L, count * sizeof(double));
  return lua_newuserdatauv(L, (count + 1) * sizeof(double), 0);
}

/* --- functions */

/* sinew.mesh.loft(rings, first, last) */
static int loft(lua_State *L) {
  int rings = want_list(L, 1, 1);
  double ends[2][3];
  want_point(L, 2, ends[0]);
  want_point(L, 3, ends[1]);
  lua_rawgeti(L, 1, 1);
  int64_t sides = lua_istable(L, -1) ? (int64_t)lua_rawlen(L, -1) : 0;
  if (sides < 3 || sides > SINEW_MESH_VERTICES)
    return luaL_argerror(L, 1, "a ring needs at least three points");
  si_mesh *m =
      si_mesh_push(L, si_loft_vertices(rings, sides), si_loft_triangles(rings, sides), false);
  for (int r = 0; r < rings; r++) {
    lua_rawgeti(L, 1, r + 1);
    if (!lua_istable(L, -1) || (int64_t)lua_rawlen(L, -1) != sides)
      return luaL_error(L, "mesh: ring %d is not a list of %d points", r + 1, (int)sides);
    read_points(L, (int)sides, "a ring", m->vertices + 3 * r * sides);
    lua_pop(L, 1);
  }
  memcpy(m->vertices + 3 * rings * sides, ends, sizeof ends);
  si_mesh_made(L, si_loft_join(rings, (int)sides, m->triangles));
  return 1;
}

/* sinew.mesh.ball(sides, rings, centre, radii) */
static int ball(lua_State *L) {
  int sides = (int)si_lua_check_int(L, 1, 3, most_sides);
  double rings = luaL_checknumber(L, 2), centre[3], radii[3];
  if (!(rings >= 1 && rings <= most_sides)) return luaL_argerror(L, 2, "at least 1 ring expected");
  want_point(L, 3, centre);
  want_point(L, 4, radii);
  int count = (int)rings;
  si_mesh *m =
      si_mesh_push(L, si_loft_vertices(count, sides), si_loft_triangles(count, sides), false);
  si_mesh_made(L, si_ball_make(centre, radii, sides, rings, m));
  return 1;
}

/* sinew.mesh.tube(points, steps, sizes, sides, up, cap) */
static int tube(lua_State *L) {
  int points = want_list(L, 1, 2), steps = (int)si_lua_check_int(L, 2, 1, most_steps);
  int64_t count = (int64_t)(points - 1) * steps + 1;
  if (count > SINEW_MESH_VERTICES) return luaL_argerror(L, 2, "too many points");
  if (want_list(L, 3, 2) != 2 * count)
    return luaL_argerror(
        L, 3, lua_pushfstring(L, "expected two sizes for each of %d points", (int)count));
  si_tube tube = { .count = (int)count, .sides = (int)si_lua_check_int(L, 4, 3, most_sides) };
  want_point(L, 5, tube.up);
  tube.cap = luaL_checknumber(L, 6);
  double *given = push_numbers(L, 3 * (size_t)(points + count) + 2 * (size_t)count);
  double *path = given + 3 * (size_t)points, *sizes = path + 3 * count;
  lua_pushvalue(L, 1);
  read_points(L, points, "a tube", given);
  if (steps > 1) si_mesh_made(L, si_smooth_path(given, points, steps, path));
  read_numbers(L, 3, "sizes", 2 * tube.count, sizes);
  tube.path = steps > 1 ? path : given;
  tube.sizes = sizes;
  int rings = si_tube_rings(&tube);
  si_mesh *m = si_mesh_push(L, si_loft_vertices(rings, tube.sides),
                            si_loft_triangles(rings, tube.sides), false);
  si_mesh_made(L, si_tube_make(&tube, m));
  return 1;
}

/* the mesh at index `i` of the list at `list`, which keeps it alive */
static const si_mesh *part_at(lua_State *L, int list, int i) {
  lua_rawgeti(L, list, i);
  const si_mesh *m = lua_touserdata(L, -1);
  lua_pop(L, 1);
  return m;
}

/* pushes a list of the meshes in the list at 1, up to the first nil, and counts their vertices and
 * triangles */
static int gather(lua_State *L, int64_t *vertices, int64_t *triangles, bool *normals) {
  lua_newtable(L);
  for (int i = 1;; i++) {
    lua_rawgeti(L, 1, i);
    if (lua_isnil(L, -1)) {
      lua_pop(L, 1);
      return i - 1;
    }
    const si_mesh *m = si_lua_test(L, -1, &si_mesh_type);
    if (!m && !lua_istable(L, -1))
      luaL_error(L, "mesh: part %d of merge: mesh expected, got %s", i, si_lua_typename(L, -1));
    if (!m) m = push_from_shape(L, lua_gettop(L));
    *vertices += m->vertex_count;
    *triangles += m->triangle_count;
    *normals = *normals || m->has_normals;
    lua_rawseti(L, 2, i);
    lua_settop(L, 2);
  }
}

/* sinew.mesh.merge { mesh, mesh, ... } */
static int merge(lua_State *L) {
  luaL_checktype(L, 1, LUA_TTABLE);
  lua_settop(L, 1);
  si_lua_spend(L, lua_rawlen(L, 1));
  int64_t vertices = 0, triangles = 0;
  bool normals = false;
  int count = gather(L, &vertices, &triangles, &normals);
  si_mesh *dest = si_mesh_push(L, vertices, triangles, normals);
  size_t v = 0;
  uint32_t *t = dest->triangles;
  for (int i = 1; i <= count; i++) {
    const si_mesh *part = part_at(L, 2, i);
    size_t numbers = 3 * (size_t)part->vertex_count;
    memcpy(dest->vertices + v, part->vertices, numbers * sizeof(double));
    /* parts share no vertices, so each keeps its normals */
    if (part->has_normals)
      memcpy(dest->normals + v, part->normals, numbers * sizeof(double));
    else if (normals)
      si_mesh_made(L, si_mesh_normals(part, dest->normals + v));
    for (int k = 0; k < 3 * part->triangle_count; k++)
      *t++ = part->triangles[k] + (uint32_t)(v / 3);
    v += numbers;
  }
  return 1;
}

/* --- methods */

static void copy_triangles(const si_mesh *m, bool turned, uint32_t *dest) {
  for (int i = 0; i < m->triangle_count; i++) {
    const uint32_t *t = m->triangles + 3 * (size_t)i;
    *dest++ = t[0];
    *dest++ = t[turned ? 2 : 1];
    *dest++ = t[turned ? 1 : 2];
  }
}

/* m:placed(matrix): transformed, without normals, which are computed again */
static int placed(lua_State *L) {
  const si_mesh *m = si_lua_self(L, &si_mesh_type);
  float a[16];
  double determinant;
  si_mat4_want(L, 2, a);
  si_mat4_inverse(a, NULL, &determinant);
  si_mesh *dest = si_mesh_push(L, m->vertex_count, m->triangle_count, false);
  for (size_t i = 0; i < 3 * (size_t)m->vertex_count; i += 3) {
    const double *p = m->vertices + i;
    for (int k = 0; k < 3; k++)
      dest->vertices[i + (size_t)k] = (double)a[k] * p[0] + (double)a[4 + k] * p[1] +
                                      (double)a[8 + k] * p[2] + (double)a[12 + k];
  }
  copy_triangles(m, determinant < 0, dest->triangles);
  return 1;
}

/* m:mirrored(): across x = 0, with its normals */
static int mirrored(lua_State *L) {
  const si_mesh *m = si_lua_self(L, &si_mesh_type);
  si_mesh *dest = si_mesh_push(L, m->vertex_count, m->triangle_count, m->has_normals);
  /* normals are mirrored like vertices */
  size_t numbers = (m->has_normals ? 6 : 3) * (size_t)m->vertex_count;
  for (size_t i = 0; i < numbers; i++)
    dest->vertices[i] = i % 3 == 0 ? -m->vertices[i] : m->vertices[i];
  copy_triangles(m, true, dest->triangles);
  return 1;
}

/* --- fields */

int si_list_push(lua_State *L, const double *numbers, int count) {
  si_lua_reserve(L, 16 * (size_t)count);
  lua_createtable(L, count, 0);
  for (int i = 0; i < count; i++) {
    si_lua_spend_each(L, (size_t)i, (size_t)count, 1);
    lua_pushnumber(L, numbers[i]);
    lua_rawseti(L, -2, i + 1);
  }
  return 1;
}

static int get_vertices(lua_State *L) {
  const si_mesh *m = si_lua_self(L, &si_mesh_type);
  return si_list_push(L, m->vertices, 3 * m->vertex_count);
}

static int get_normals(lua_State *L) {
  const si_mesh *m = si_lua_self(L, &si_mesh_type);
  if (m->has_normals) return si_list_push(L, m->normals, 3 * m->vertex_count);
  double *made = push_numbers(L, 3 * (size_t)m->vertex_count);
  si_mesh_made(L, si_mesh_normals(m, made));
  return si_list_push(L, made, 3 * m->vertex_count);
}

static int get_triangles(lua_State *L) {
  const si_mesh *m = si_lua_self(L, &si_mesh_type);
  int count = 3 * m->triangle_count;
  si_lua_reserve(L, 16 * (size_t)count);
  lua_createtable(L, count, 0);
  for (int i = 0; i < count; i++) {
    si_lua_spend_each(L, (size_t)i, (size_t)count, 1);
    lua_pushinteger(L, (lua_Integer)m->triangles[i] + 1);
    lua_rawseti(L, -2, i + 1);
  }
  return 1;
}

static int op_tostring(lua_State *L) {
  const si_mesh *m = si_lua_self(L, &si_mesh_type);
  lua_pushfstring(L, "mesh(%d vertices, %d triangles)", m->vertex_count, m->triangle_count);
  return 1;
}

static const luaL_Reg methods[] = { { "placed", placed },
                                    { "mirrored", mirrored },
                                    { NULL, NULL } };
static const luaL_Reg meta[] = { { "__tostring", op_tostring }, { NULL, NULL } };
static const luaL_Reg functions[] = {
  { "loft", loft }, { "ball", ball }, { "tube", tube }, { "merge", merge }, { NULL, NULL }
};
static const si_lua_field fields[] = { { "vertices", get_vertices, NULL },
                                       { "normals", get_normals, NULL },
                                       { "triangles", get_triangles, NULL },
                                       { NULL, NULL, NULL } };

const si_lua_type si_mesh_type = {
  .name = "mesh", .methods = methods, .meta = meta, .fields = fields
};

void si_open_mesh(lua_State *L) {
  si_lua_class_push(L, &si_mesh_type, construct, functions);
  lua_setfield(L, -2, "mesh");
}
