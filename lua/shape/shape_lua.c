/* Shapes as tables: { vertices = { x, y, z, ... }, normals =, triangles = { 1, 2, 3, ... } }, as
 * lua/sinew/shapes.lua makes them. Tables are read raw: no script runs here. */
#include "lua/shape/shape_lua.h"

#include "base/alloc.h"
#include "base/text.h"
#include "lua/base/reserve.h"
#include "lua/shape/mesh_make.h"

#include <math.h>
#include <string.h>

void si_note_field(lua_State *L, int notes, const char *type, int id, const char *name) {
  lua_pushfstring(L, "%s:%d", type, id);
  lua_rawget(L, notes);
  if (!lua_istable(L, -1)) return;
  si_raw_field(L, lua_gettop(L), name);
  lua_remove(L, -2);
}

/* pushes the list of numbers `name` of the shape at `shape`, and returns its length */
static size_t list_length(lua_State *L, int shape, const char *segment, const char *name,
                          size_t most) {
  si_raw_field(L, shape, name);
  if (!lua_istable(L, -1))
    luaL_error(L, "segment '%s': its shape's '%s' must be a list of numbers", segment, name);
  size_t count = lua_rawlen(L, -1);
  if (count % 3 != 0 || count > 3 * most)
    luaL_error(L, "segment '%s': its shape's '%s' has %d numbers, not a multiple of 3", segment,
               name, (int)count);
  return count;
}

static double number_at(lua_State *L, size_t i, const char *segment, const char *name) {
  lua_rawgeti(L, -1, (int)i + 1);
  double value = lua_tonumber(L, -1);
  if (lua_type(L, -1) != LUA_TNUMBER || !isfinite((float)value))
    luaL_error(L, "segment '%s': item %d of its shape's '%s' is not a number", segment, (int)i + 1,
               name);
  lua_pop(L, 1);
  return value;
}

/* allocates a shape in `dest`, which si_shape_free frees, also after an error */
static void make_room(lua_State *L, size_t vertices, size_t triangles, sinew_shape *dest) {
  float *numbers = si_alloc_array(6 * vertices + 1, sizeof *numbers);
  dest->vertices = numbers;
  dest->triangles = si_alloc_array(3 * triangles + 1, sizeof *dest->triangles);
  if (!numbers || !dest->triangles) luaL_error(L, "out of memory");
  dest->normals = numbers + 3 * vertices;
}

static void read_mesh(lua_State *L, const si_mesh *mesh, const char *segment, sinew_shape *dest) {
  size_t numbers = 3 * (size_t)mesh->vertex_count, indices = 3 * (size_t)mesh->triangle_count;
  make_room(L, numbers / 3, indices / 3, dest);
  float *vertices = (float *)(uintptr_t)dest->vertices, *normals = vertices + numbers;
  const double *from = mesh->normals;
  if (!mesh->has_normals) {
    double *made = lua_newuserdatauv(L, (numbers + 1) * sizeof *made, 0);
    si_mesh_made(L, si_mesh_normals(mesh, made));
    from = made;
  }
  for (size_t i = 0; i < numbers; i++) {
    vertices[i] = (float)mesh->vertices[i];
    normals[i] = (float)from[i];
    if (!isfinite(vertices[i]) || !isfinite(normals[i]))
      luaL_error(L, "segment '%s': item %d of its shape's '%s' is not a number", segment,
                 (int)i + 1, isfinite(vertices[i]) ? "normals" : "vertices");
  }
  if (!mesh->has_normals) lua_pop(L, 1);
  memcpy((void *)(uintptr_t)dest->triangles, mesh->triangles, indices * sizeof *mesh->triangles);
  dest->vertex_count = mesh->vertex_count;
  dest->triangle_count = mesh->triangle_count;
}

static void read_lists(lua_State *L, int shape, const char *segment, sinew_shape *dest) {
  size_t vertices = list_length(L, shape, segment, "vertices", SINEW_MESH_VERTICES);
  size_t normals = list_length(L, shape, segment, "normals", SINEW_MESH_VERTICES);
  size_t indices = list_length(L, shape, segment, "triangles", SINEW_MESH_TRIANGLES);
  if (normals != vertices)
    luaL_error(L, "segment '%s': its shape has %d vertices and %d normals", segment,
               (int)vertices / 3, (int)normals / 3);
  make_room(L, vertices / 3, indices / 3, dest);
  float *numbers = (float *)(uintptr_t)dest->vertices;
  uint32_t *triangles = (uint32_t *)(uintptr_t)dest->triangles;
  for (size_t i = 0; i < indices; i++) {
    double index = number_at(L, i, segment, "triangles");
    int64_t whole;
    if (!si_whole(index, 1, (int64_t)vertices / 3, &whole))
      luaL_error(L, "segment '%s': its shape's triangle %d has no vertex %f", segment,
                 (int)i / 3 + 1, (lua_Number)index);
    triangles[i] = (uint32_t)whole - 1;
  }
  lua_pop(L, 1);
  for (size_t i = 0; i < vertices; i++)
    numbers[vertices + i] = (float)number_at(L, i, segment, "normals");
  lua_pop(L, 1);
  for (size_t i = 0; i < vertices; i++) numbers[i] = (float)number_at(L, i, segment, "vertices");
  lua_pop(L, 1);
  dest->vertex_count = (int)vertices / 3;
  dest->triangle_count = (int)indices / 3;
}

void si_shape_read(lua_State *L, int shape, const char *segment, sinew_shape *dest) {
  const si_mesh *mesh = si_shape_mesh(L, shape);
  if (mesh)
    read_mesh(L, mesh, segment, dest);
  else
    read_lists(L, shape, segment, dest);
}

void si_shape_free(sinew_shape *shape) {
  si_free((void *)(uintptr_t)shape->vertices);
  si_free((void *)(uintptr_t)shape->triangles);
  *shape = (sinew_shape){ NULL, NULL, NULL, 0, 0 };
}

static void push_list(lua_State *L, const float *numbers, int count) {
  lua_createtable(L, count, 0);
  for (int i = 0; i < count; i++) {
    si_lua_spend_each(L, (size_t)i, (size_t)count, 1);
    lua_pushnumber(L, (lua_Number)numbers[i]);
    lua_rawseti(L, -2, i + 1);
  }
}

void si_shape_push(lua_State *L, const sinew_shape *shape) {
  int numbers = 3 * shape->vertex_count, indices = 3 * shape->triangle_count;
  si_lua_reserve(L, 16 * (2 * (size_t)numbers + (size_t)indices));
  lua_createtable(L, 0, 3);
  push_list(L, shape->vertices, numbers);
  lua_setfield(L, -2, "vertices");
  push_list(L, shape->normals, numbers);
  lua_setfield(L, -2, "normals");
  lua_createtable(L, indices, 0);
  for (int i = 0; i < indices; i++) {
    si_lua_spend_each(L, (size_t)i, (size_t)indices, 1);
    lua_pushinteger(L, (lua_Integer)shape->triangles[i] + 1);
    lua_rawseti(L, -2, i + 1);
  }
  lua_setfield(L, -2, "triangles");
}

/* sinew.normals(vertices, triangles): the mean normal of each vertex's triangles, weighted by
 * area */
static int normals(lua_State *L) {
  luaL_checktype(L, 1, LUA_TTABLE);
  luaL_checktype(L, 2, LUA_TTABLE);
  size_t numbers = lua_rawlen(L, 1), indices = lua_rawlen(L, 2);
  if (numbers % 3 || indices % 3 || numbers > (size_t)3 * SINEW_MESH_VERTICES ||
      indices > (size_t)3 * SINEW_MESH_TRIANGLES)
    return luaL_error(L, "normals: the lengths of vertices and triangles must be multiples of 3");
  size_t size = 2 * numbers * sizeof(double) + indices * sizeof(uint32_t);
  si_lua_reserve(L, size + 16 * numbers);
  double *vertices = lua_newuserdatauv(L, size + 1, 0), *made = vertices + numbers;
  uint32_t *triangles = (void *)(made + numbers);
  for (size_t i = 0; i < numbers; i++) {
    lua_rawgeti(L, 1, (int)i + 1);
    vertices[i] = lua_tonumber(L, -1);
    lua_pop(L, 1);
  }
  for (size_t i = 0; i < indices; i++) {
    lua_rawgeti(L, 2, (int)i + 1);
    int64_t whole;
    if (!si_whole((double)lua_tonumber(L, -1), 1, (int64_t)numbers / 3, &whole))
      return luaL_error(L, "normals: triangle %d refers to a missing vertex", (int)i / 3 + 1);
    triangles[i] = (uint32_t)whole - 1;
    lua_pop(L, 1);
  }
  si_mesh mesh = { .vertex_count = (int)numbers / 3,
                   .triangle_count = (int)indices / 3,
                   .vertices = vertices,
                   .triangles = triangles };
  si_mesh_made(L, si_mesh_normals(&mesh, made));
  return si_list_push(L, made, (int)numbers);
}

void si_open_shape(lua_State *L) {
  lua_pushcfunction(L, normals);
  lua_setfield(L, -2, "normals");
}
