/* sinew.solid: a smooth shape as a distance field, see sinew/solid.h. lua/sinew/blend.lua makes the
 * tables that are read here from recipes of named landmarks. Tables are read raw: no script runs
 * here.
 *
 *   sinew.solid { points = { {x, y, z, radius} or {x, y, z, three radii, rotation vector}, ... },
 *     parts = { { k =, inner =, smooth =, cut =, { kind = "tube", 1, 2, 3 }, ... }, ... } } */
#include "lua/base/reserve.h"
#include "lua/math/options.h"
#include "lua/shape/mesh_make.h"
#include "lua/shape/shape_lua.h"

#include "base/text.h"
#include "math/landmarks.h"

#include <math.h>
#include <sinew/solid.h>
#include <string.h>

typedef struct solid_lua {
  sinew_solid *solid;
} solid_lua;

static int solid_close(lua_State *L) {
  solid_lua *self = lua_touserdata(L, 1);
  sinew_solid_release(self->solid);
  self->solid = NULL;
  return 0;
}

static sinew_solid *self_solid(lua_State *L) {
  return ((const solid_lua *)si_lua_open_self(L, &si_solid_type))->solid;
}

sinew_solid *si_solid_test(lua_State *L, int index) {
  const solid_lua *self = si_lua_test(L, index, &si_solid_type);
  return self ? self->solid : NULL;
}

/* --- reading */

/* numbers 1, 2, ... of the list on top of the stack; returns how many */
static int read_list(lua_State *L, const char *what, int number, int most, float *dest) {
  int count = lua_istable(L, -1) ? (int)lua_rawlen(L, -1) : 0;
  if (count < 1 || count > most)
    luaL_error(L, "solid: %s %d must be a list of at most %d numbers", what, number, most);
  for (int i = 0; i < count; i++) {
    lua_rawgeti(L, -1, i + 1);
    if (lua_type(L, -1) != LUA_TNUMBER)
      luaL_error(L, "solid: %s %d: number expected, got %s", what, number, si_lua_typename(L, -1));
    dest[i] = (float)lua_tonumber(L, -1);
    lua_pop(L, 1);
  }
  return count;
}

static double number_field(lua_State *L, int table, const char *name, double fallback) {
  si_raw_field(L, table, name);
  bool given = lua_type(L, -1) == LUA_TNUMBER;
  if (!given && !lua_isnil(L, -1))
    luaL_error(L, "solid: '%s' must be a number, not %s", name, si_lua_typename(L, -1));
  double value = given ? (double)lua_tonumber(L, -1) : fallback;
  lua_pop(L, 1);
  return value;
}

static bool flag_field(lua_State *L, int table, const char *name) {
  si_raw_field(L, table, name);
  bool value = lua_toboolean(L, -1);
  lua_pop(L, 1);
  return value;
}

/* pushes memory for the engine's arrays, zeroed */
static void *push_zeroed(lua_State *L, size_t count, size_t size) {
  si_lua_reserve(L, count * size);
  void *memory = lua_newuserdatauv(L, count * size + 1, 0);
  memset(memory, 0, count * size + 1);
  return memory;
}

/* the length of the list on top of the stack */
static int list_length(lua_State *L, const char *name, int most) {
  size_t count = lua_istable(L, -1) ? lua_rawlen(L, -1) : 0;
  if (count < 1 || count > (size_t)most)
    luaL_error(L, "solid: '%s' must be a list with 1 to %d entries", name, most);
  return (int)count;
}

typedef struct reading {
  sinew_solid_point *points;
  float (*rounds)[6]; /* of each point: radii and rotation vector, for ellipsoids and drums */
  bool *is_round;
  sinew_solid_element *elements;
  sinew_solid_part *parts;
  int *indices;
  int point_count, element_count, index_count, part_count;
  double scale;
} reading;

static void read_points(lua_State *L, reading *r, int list) {
  for (int i = 0; i < r->point_count; i++) {
    float numbers[9] = { 0 };
    lua_rawgeti(L, list, i + 1);
    int count = read_list(L, "point", i + 1, 9, numbers);
    lua_pop(L, 1);
    if (count < 4) luaL_error(L, "solid: point %d needs x, y, z and a radius", i + 1);
    memcpy(r->points[i].at, numbers, 3 * sizeof *numbers);
    r->is_round[i] = count >= 6;
    if (r->is_round[i])
      memcpy(r->rounds[i], numbers + 3, 6 * sizeof *numbers);
    else
      r->points[i].radius = numbers[3];
  }
}

/* how many elements the parts in the list at `list` have, and how many indices those have */
static void count_elements(lua_State *L, int list, int parts, size_t *elements, size_t *indices) {
  for (int p = 0; p < parts; p++) {
    lua_rawgeti(L, list, p + 1);
    size_t count = lua_istable(L, -1) ? lua_rawlen(L, -1) : 0;
    for (size_t i = 0; i < count && i < SINEW_SOLID_ELEMENTS; i++) {
      lua_rawgeti(L, -1, (int)i + 1);
      *indices += lua_istable(L, -1) ? lua_rawlen(L, -1) : 0;
      lua_pop(L, 1);
    }
    *elements += count;
    lua_pop(L, 1);
  }
  if (*elements > SINEW_SOLID_ELEMENTS || *indices > 64 * SINEW_SOLID_ELEMENTS)
    luaL_error(L, "solid: has more than %d elements", SINEW_SOLID_ELEMENTS);
}

/* reads the element on top of the stack */
static void read_element(lua_State *L, reading *r, int part) {
  int at = lua_gettop(L), number = r->element_count + 1;
  sinew_solid_element *e = &r->elements[r->element_count++];
  if (!lua_istable(L, at)) luaL_error(L, "solid: part %d: an element must be a table", part);
  si_raw_field(L, at, "kind");
  const char *name = lua_type(L, -1) == LUA_TSTRING ? lua_tostring(L, -1) : "";
  int kind = 0;
  while (kind < SINEW_SOLID_KIND_COUNT &&
         strcmp(sinew_solid_kind_name((sinew_solid_kind)kind), name) != 0)
    kind++;
  if (kind == SINEW_SOLID_KIND_COUNT)
    luaL_error(L, "solid: part %d has an element of no known kind", part);
  lua_pop(L, 1);
  e->kind = (sinew_solid_kind)kind;
  e->first = r->index_count;
  e->count = (int)lua_rawlen(L, at);
  for (int i = 0; i < e->count; i++) {
    int64_t index;
    lua_rawgeti(L, at, i + 1);
    if (!si_whole(lua_tonumber(L, -1), 1, r->point_count, &index))
      luaL_error(L, "solid: part %d: element %d names a point that does not exist", part, number);
    r->indices[r->index_count++] = (int)index - 1;
    lua_pop(L, 1);
  }
  e->flat = (float)number_field(L, at, "flat", 0);
  si_raw_field(L, at, "across");
  if (!lua_isnil(L, -1)) read_list(L, "'across' of element", number, 3, e->across);
  lua_pop(L, 1);
  if (e->kind < SINEW_SOLID_ELLIPSOID || e->count < 1) return;
  int point = r->indices[e->first];
  if (!r->is_round[point])
    luaL_error(L, "solid: element %d needs a point with three radii", number);
  memcpy(e->radii, r->rounds[point], sizeof e->radii);
  memcpy(e->turn, r->rounds[point] + 3, sizeof e->turn);
}

static void read_parts(lua_State *L, reading *r, int list) {
  for (int p = 0; p < r->part_count; p++) {
    sinew_solid_part *part = &r->parts[p];
    lua_rawgeti(L, list, p + 1);
    int at = lua_gettop(L);
    if (!lua_istable(L, at)) luaL_error(L, "solid: part %d must be a table", p + 1);
    *part = (sinew_solid_part){ .first = r->element_count,
                                .count = (int)lua_rawlen(L, at),
                                .blend = (float)(number_field(L, at, "k", 0) * r->scale),
                                .inner = (float)(number_field(L, at, "inner", 0) * r->scale),
                                .cut = flag_field(L, at, "cut") };
    double smooth = number_field(L, at, "smooth", 0);
    part->smooth = smooth >= 0 && smooth <= 1000 ? (int)smooth : -1;
    for (int i = 0; i < part->count; i++) {
      lua_rawgeti(L, at, i + 1);
      read_element(L, r, p + 1);
      lua_settop(L, at);
    }
    lua_pop(L, 1);
  }
}

/* fills the new userdata on top of the stack */
static int fill_solid(lua_State *L, sinew_solid *solid, const sinew_error *error) {
  if (!solid) return luaL_error(L, "%s", error->text);
  ((solid_lua *)lua_touserdata(L, -1))->solid = solid;
  return 1;
}

void si_solid_push(lua_State *L, sinew_solid *solid) {
  solid_lua *self = si_lua_new(L, &si_solid_type, sizeof *self, 0);
  self->solid = sinew_solid_retain(solid);
}

/* sinew.solid { points =, parts =, mirror =, fold =, cell =, scale = } */
static int construct(lua_State *L) {
  luaL_checktype(L, 1, LUA_TTABLE);
  lua_settop(L, 1);
  reading r = { .scale = number_field(L, 1, "scale", 1) };
  size_t elements = 0, indices = 0;
  si_raw_field(L, 1, "points");
  r.point_count = list_length(L, "points", 4 * SINEW_SOLID_ELEMENTS);
  si_raw_field(L, 1, "parts");
  r.part_count = list_length(L, "parts", SINEW_SOLID_ELEMENTS);
  count_elements(L, 3, r.part_count, &elements, &indices);
  si_lua_spend(L, 50 * (elements + indices + (size_t)r.point_count));
  r.points = push_zeroed(L, (size_t)r.point_count, sizeof *r.points);
  r.rounds = push_zeroed(L, (size_t)r.point_count, sizeof *r.rounds);
  r.is_round = push_zeroed(L, (size_t)r.point_count, sizeof *r.is_round);
  r.elements = push_zeroed(L, elements, sizeof *r.elements);
  r.indices = push_zeroed(L, indices, sizeof *r.indices);
  r.parts = push_zeroed(L, (size_t)r.part_count, sizeof *r.parts);
  read_points(L, &r, 2);
  read_parts(L, &r, 3);
  sinew_solid_desc desc = sinew_default_solid_desc();
  desc.points = r.points;
  desc.indices = r.indices;
  desc.elements = r.elements;
  desc.parts = r.parts;
  desc.point_count = r.point_count;
  desc.index_count = r.index_count;
  desc.element_count = r.element_count;
  desc.part_count = r.part_count;
  desc.mirror = flag_field(L, 1, "mirror");
  desc.fold = (float)(number_field(L, 1, "fold", 0) * r.scale);
  desc.cell = (float)(number_field(L, 1, "cell", 0) * r.scale);
  sinew_error error;
  si_lua_new(L, &si_solid_type, sizeof(solid_lua), 0);
  return fill_solid(L, sinew_solid_create(&desc, &error), &error);
}

/* --- methods */

static int new_placed(lua_State *L, const sinew_solid *from, const float matrix[16]) {
  sinew_error error;
  si_lua_new(L, &si_solid_type, sizeof(solid_lua), 0);
  return fill_solid(L, sinew_solid_placed(from, matrix, &error), &error);
}

/* s:placed(matrix) */
static int placed(lua_State *L) {
  const sinew_solid *self = self_solid(L);
  float matrix[16];
  si_mat4_want(L, 2, matrix);
  return new_placed(L, self, matrix);
}

/* s:mirrored(): across x = 0 */
static int mirrored(lua_State *L) {
  static const float across[16] = { -1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1 };
  return new_placed(L, self_solid(L), across);
}

/* s:distance(point) */
static int distance(lua_State *L) {
  const sinew_solid *self = self_solid(L);
  float point[3];
  si_vec3_want(L, 2, point);
  return si_return_number(L, (lua_Number)sinew_solid_distance(self, point));
}

static int made_close(lua_State *L) {
  sinew_mesh **self = lua_touserdata(L, 1);
  sinew_mesh_destroy(*self);
  *self = NULL;
  return 0;
}

/* a mesh of the engine while it is copied */
static const si_lua_type made_type = { .name = "mesh of a solid", .close = made_close };

int si_solid_push_mesh(lua_State *L, const sinew_solid *solid, const sinew_solid_options *options) {
  sinew_error error;
  sinew_mesh **owner = si_lua_new(L, &made_type, sizeof *owner, 0);
  sinew_mesh *made = *owner = sinew_solid_mesh(solid, options, &error);
  if (!made) return luaL_error(L, "%s", error.text);
  si_mesh *m = si_mesh_push(L, made->vertex_count, made->triangle_count, true);
  for (size_t i = 0; i < 3 * (size_t)made->vertex_count; i++) {
    m->vertices[i] = (double)made->vertices[i];
    m->normals[i] = (double)made->normals[i];
  }
  memcpy(m->triangles, made->triangles, 3 * (size_t)made->triangle_count * sizeof(uint32_t));
  sinew_mesh_destroy(made);
  *owner = NULL;
  lua_remove(L, -2);
  return 1;
}

/* s:mesh { level = "fine" | "low" | "coarse", cell = metres } */
static int mesh(lua_State *L) {
  static const char *const levels[] = { "fine", "low", "coarse", NULL };
  static const si_option table[] = {
    SI_OPTION_CHOICE(sinew_solid_options, level, levels),
    SI_OPTION(sinew_solid_options, cell, NUMBER),
    SI_OPTION_END,
  };
  sinew_solid_options options = sinew_default_solid_options();
  si_options_read(L, 2, "solid:mesh", table, &options);
  return si_solid_push_mesh(L, self_solid(L), &options);
}

/* sinew.solid.merge { solid, solid, ... } */
static int merge(lua_State *L) {
  luaL_checktype(L, 1, LUA_TTABLE);
  lua_settop(L, 1);
  int count = list_length(L, "merge", SINEW_SOLID_ELEMENTS);
  const sinew_solid **list = push_zeroed(L, (size_t)count, sizeof *list);
  for (int i = 0; i < count; i++) {
    lua_rawgeti(L, 1, i + 1);
    list[i] = si_solid_test(L, -1);
    if (!list[i])
      return luaL_error(L, "solid: part %d of merge: solid expected, got %s", i + 1,
                        si_lua_typename(L, -1));
    lua_pop(L, 1);
  }
  sinew_error error;
  si_lua_new(L, &si_solid_type, sizeof(solid_lua), 0);
  return fill_solid(L, sinew_solid_merge(list, count, &error), &error);
}

/* the first three numbers of each item of the list at `list` */
static void read_places(lua_State *L, int list, int count, si_place *dest) {
  for (int i = 0; i < count; i++) {
    lua_rawgeti(L, list, i + 1);
    for (int k = 0; k < 3; k++) {
      if (lua_istable(L, -1))
        lua_rawgeti(L, -1, k + 1);
      else
        lua_pushnil(L);
      if (lua_type(L, -1) != LUA_TNUMBER)
        luaL_error(L, "solid.fit: item %d of list %d is no point", i + 1, list);
      dest[i][k] = lua_tonumber(L, -1);
      lua_pop(L, 1);
    }
    lua_pop(L, 1);
  }
}

/* how far each point is from its target, seen from the points: what the similarity leaves over */
static void leftovers(const si_place *from, const si_place *to, int count, const double m[16],
                      si_place *dest) {
  double scale2 = m[0] * m[0] + m[1] * m[1] + m[2] * m[2];
  for (int i = 0; i < count; i++) {
    si_place d;
    for (int k = 0; k < 3; k++)
      d[k] = to[i][k] -
             (m[k] * from[i][0] + m[4 + k] * from[i][1] + m[8 + k] * from[i][2] + m[12 + k]);
    for (int c = 0; c < 3; c++)
      dest[i][c] = (m[4 * c] * d[0] + m[4 * c + 1] * d[1] + m[4 * c + 2] * d[2]) / scale2;
  }
}

/* sinew.solid.fit(from, to, points): the similarity that takes points to targets, and the list of
 * points bent, in place, by what it leaves over */
static int fit(lua_State *L) {
  for (int i = 1; i <= 3; i++) luaL_checktype(L, i, LUA_TTABLE);
  lua_settop(L, 3);
  const size_t given = lua_rawlen(L, 1), others = lua_rawlen(L, 3);
  if (given < 1 || given > 256 || lua_rawlen(L, 2) != given || others > 4 * SINEW_SOLID_ELEMENTS)
    return luaL_error(L, "solid.fit: 1 to 256 points, and as many targets");
  const int count = (int)given, rest = (int)others;
  si_lua_spend(L, given * given * given / 30 + given * others);
  si_place *from = push_zeroed(L, 4 * given + 1 + others, sizeof *from), *to = from + count;
  si_place *moves = to + count, *weights = moves + count, *bent = weights + count + 1;
  double *work = push_zeroed(L, (given + 1) * (given + 1), sizeof *work), m[16];
  read_places(L, 1, count, from);
  read_places(L, 2, count, to);
  read_places(L, 3, rest, bent);
  si_similarity(from, to, count, m);
  leftovers(from, to, count, m, moves);
  if (count > 2 && !si_warp_make(from, moves, count, weights, work))
    return luaL_error(L, "two of the landmarks are in the same place");
  for (int i = 0; count > 2 && i < rest; i++) {
    si_warp_point(from, weights, count, bent[i]);
    lua_rawgeti(L, 3, i + 1);
    for (int k = 0; k < 3; k++) {
      lua_pushnumber(L, bent[i][k]);
      lua_rawseti(L, -2, k + 1);
    }
    lua_pop(L, 1);
  }
  float *dest = si_mat4_push(L);
  for (int i = 0; i < 16; i++) dest[i] = (float)m[i];
  return 1;
}

static const luaL_Reg methods[] = { { "placed", placed },
                                    { "mirrored", mirrored },
                                    { "distance", distance },
                                    { "mesh", mesh },
                                    { NULL, NULL } };
static const luaL_Reg functions[] = { { "merge", merge }, { "fit", fit }, { NULL, NULL } };

const si_lua_type si_solid_type = { .name = "solid", .methods = methods, .close = solid_close };

void si_open_solid(lua_State *L) {
  si_lua_type_open(L, &made_type);
  si_lua_class_push(L, &si_solid_type, construct, functions);
  lua_setfield(L, -2, "solid");
}
