/* Reading shapes: { vertices = { x, y, z, ... }, normals =, triangles = { 1, 2, 3, ... } }, as
 * lua/sinew/shapes.lua makes them. Tables are read raw: no script runs here. */
#include "shape.h"

#include "alloc.h"

#include <math.h>

enum { most_vertices = 1 << 20, most_triangles = 1 << 21 };

/* the notes of "segment:3", or nil, from the rig's own table at `notes` */
static void push_notes(lua_State *L, int notes, const char *type, int id) {
  lua_pushfstring(L, "%s:%d", type, id);
  lua_rawget(L, notes);
}

static void raw_field(lua_State *L, int table, const char *name) {
  lua_pushstring(L, name);
  lua_rawget(L, table);
}

/* the list of numbers `name` of the shape at `shape`: its length, with the list pushed */
static size_t list_length(lua_State *L, int shape, const char *segment, const char *name,
                          size_t most) {
  raw_field(L, shape, name);
  if (!lua_istable(L, -1))
    luaL_error(L, "segment '%s': its shape's '%s' must be a list of numbers", segment, name);
  size_t count = lua_rawlen(L, -1);
  if (count % 3 != 0 || count > 3 * most)
    luaL_error(L, "segment '%s': its shape's '%s' has %d numbers, which are no triples", segment,
               name, (int)count);
  return count;
}

static double number_at(lua_State *L, size_t i, const char *segment, const char *name) {
  lua_rawgeti(L, -1, (int)i + 1);
  double value = lua_tonumber(L, -1);
  if (lua_type(L, -1) != LUA_TNUMBER || !isfinite(value))
    luaL_error(L, "segment '%s': number %d of its shape's '%s' is none", segment, (int)i + 1, name);
  lua_pop(L, 1);
  return value;
}

static void read_shape(lua_State *L, int shape, const char *segment, sinew_shape *dest) {
  size_t vertices = list_length(L, shape, segment, "vertices", most_vertices);
  size_t normals = list_length(L, shape, segment, "normals", most_vertices);
  size_t indices = list_length(L, shape, segment, "triangles", most_triangles);
  if (normals != vertices)
    luaL_error(L, "segment '%s': its shape has %d vertices and %d normals", segment,
               (int)vertices / 3, (int)normals / 3);
  float *numbers = si_alloc_array(2 * vertices + 1, sizeof *numbers);
  dest->vertices = numbers; /* freed with the rest, whatever happens next */
  uint32_t *triangles = si_alloc_array(indices + 1, sizeof *triangles);
  dest->triangles = triangles;
  if (!numbers || !triangles) luaL_error(L, "out of memory");
  dest->normals = numbers + vertices;
  for (size_t i = 0; i < indices; i++) {
    double index = number_at(L, i, segment, "triangles");
    if (!(index >= 1 && index <= (double)(vertices / 3)))
      luaL_error(L, "segment '%s': its shape's triangle %d has no vertex %d", segment,
                 (int)i / 3 + 1, (int)index);
    triangles[i] = (uint32_t)index - 1;
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

void si_shapes_read(lua_State *L, int rig, const sinew_rig *compiled, si_shapes *dest) {
  luaL_checkstack(L, 16, "too deep to read shapes");
  int segments = sinew_rig_segment_count(compiled), dofs = sinew_rig_dof_count(compiled);
  dest->shapes = si_alloc_array((size_t)segments + 1, sizeof *dest->shapes);
  dest->segment_count = dest->shapes ? segments : 0;
  dest->labels = si_alloc_array((size_t)dofs + 1, sizeof *dest->labels);
  dest->dof_count = dest->labels ? dofs : 0;
  if (!dest->shapes || !dest->labels) luaL_error(L, "out of memory");
  si_lua_push_owner(L, rig);
  int notes = lua_gettop(L);
  for (int i = 0; i < segments; i++) {
    push_notes(L, notes, si_segment_type.name, i + 1);
    if (lua_istable(L, -1)) {
      raw_field(L, lua_gettop(L), "shape");
      if (lua_istable(L, -1))
        read_shape(L, lua_gettop(L),
                   sinew_rig_segment_info(compiled, sinew_rig_segment(compiled, i)).name,
                   &dest->shapes[i]);
      lua_pop(L, 1);
    }
    lua_pop(L, 1);
  }
  for (int i = 0; i < dofs; i++) {
    push_notes(L, notes, si_dof_type.name, i + 1);
    if (lua_istable(L, -1)) {
      raw_field(L, lua_gettop(L), "label");
      if (lua_type(L, -1) == LUA_TSTRING) {
        dest->labels[i] = si_strdup(lua_tostring(L, -1));
        if (!dest->labels[i]) luaL_error(L, "out of memory");
      }
      lua_pop(L, 1);
    }
    lua_pop(L, 1);
  }
  lua_pop(L, 1);
}

void si_shapes_free(si_shapes *s) {
  for (int i = 0; i < s->segment_count; i++) {
    si_free((void *)(uintptr_t)s->shapes[i].vertices);
    si_free((void *)(uintptr_t)s->shapes[i].triangles);
  }
  for (int i = 0; i < s->dof_count; i++) si_free(s->labels[i]);
  si_free(s->shapes);
  si_free(s->labels);
  *s = (si_shapes){ NULL, NULL, 0, 0 };
}
