/* Reading shapes: { file = "bones/femur.obj" } beside the script, or { vertices = { x, y, z, ... },
 * normals =, triangles = { 1, 2, 3, ... } }, as lua/sinew/shapes.lua makes them. Tables are read
 * raw: no script runs here. */
#include "shape.h"

#include "alloc.h"
#include "sandbox_core.h"

#include <math.h>

enum { most_vertices = SINEW_MESH_VERTICES, most_triangles = SINEW_MESH_TRIANGLES };

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

/* across x = 0; triangles are then walked the other way round */
static void mirror(sinew_mesh *mesh) {
  for (int i = 0; i < mesh->vertex_count; i++) {
    mesh->vertices[3 * i] = -mesh->vertices[3 * i];
    mesh->normals[3 * i] = -mesh->normals[3 * i];
  }
  for (int i = 0; i < mesh->triangle_count; i++) {
    uint32_t *t = mesh->triangles + 3 * i, second = t[1];
    t[1] = t[2];
    t[2] = second;
  }
}

typedef struct mesh_job {
  sinew_mesh **dest;
  bool mirrored;
} mesh_job;

/* reads the mesh file named at 1 for the job at 2 */
static int load_mesh(lua_State *L) {
  const mesh_job *job = lua_touserdata(L, 2);
  const void *bytes;
  size_t size, length;
  const char *name = lua_tolstring(L, 1, &length);
  const char *path = si_sandbox_read_data(L, name, length, SINEW_MESH_BYTES, &bytes, &size);
  /* what parsing takes meanwhile */
  si_sandbox_reserve(L, 3 * size);
  si_sandbox_spend(L, size / 16);
  sinew_error error;
  sinew_mesh *mesh = sinew_mesh_parse(path, bytes, size, &error);
  if (!mesh) return luaL_error(L, "%s", error.text);
  if (job->mirrored) mirror(mesh);
  *job->dest = mesh;
  return 0;
}

/* the shape whose raw `file` is on top */
static void read_file(lua_State *L, int shape, const char *segment, sinew_mesh **mesh,
                      sinew_shape *dest) {
  raw_field(L, shape, "mirrored");
  mesh_job job = { mesh, lua_toboolean(L, -1) };
  lua_pop(L, 1);
  lua_pushcfunction(L, load_mesh);
  lua_pushvalue(L, -2);
  lua_pushlightuserdata(L, &job);
  if (lua_pcall(L, 2, 0, 0) != LUA_OK) {
    si_budget_pass_on(L);
    luaL_error(L, "segment '%s': its shape's file '%s': %s", segment, lua_tostring(L, -2),
               lua_tostring(L, -1));
  }
  const sinew_mesh *m = *mesh;
  *dest =
      (sinew_shape){ m->vertices, m->normals, m->triangles, m->vertex_count, m->triangle_count };
}

static void read_segment(lua_State *L, int shape, const char *segment, int index, si_shapes *dest) {
  raw_field(L, shape, "file");
  bool file = lua_type(L, -1) == LUA_TSTRING;
  if (file) read_file(L, shape, segment, &dest->meshes[index], &dest->shapes[index]);
  lua_pop(L, 1);
  if (!file) read_shape(L, shape, segment, &dest->shapes[index]);
}

void si_shapes_read(lua_State *L, int rig, const sinew_rig *compiled, si_shapes *dest) {
  luaL_checkstack(L, 16, "too deep to read shapes");
  int segments = sinew_rig_segment_count(compiled), dofs = sinew_rig_dof_count(compiled);
  dest->shapes = si_alloc_array((size_t)segments + 1, sizeof *dest->shapes);
  dest->meshes = si_alloc_array((size_t)segments + 1, sizeof *dest->meshes);
  dest->segment_count = dest->shapes && dest->meshes ? segments : 0;
  dest->labels = si_alloc_array((size_t)dofs + 1, sizeof *dest->labels);
  dest->dof_count = dest->labels ? dofs : 0;
  if (!dest->shapes || !dest->meshes || !dest->labels) luaL_error(L, "out of memory");
  si_lua_push_owner(L, rig);
  int notes = lua_gettop(L);
  for (int i = 0; i < segments; i++) {
    push_notes(L, notes, si_segment_type.name, i + 1);
    if (lua_istable(L, -1)) {
      raw_field(L, lua_gettop(L), "shape");
      if (lua_istable(L, -1))
        read_segment(L, lua_gettop(L),
                     sinew_rig_segment_info(compiled, sinew_rig_segment(compiled, i)).name, i,
                     dest);
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
    sinew_mesh_destroy(s->meshes[i]);
    if (s->meshes[i]) continue;
    si_free((void *)(uintptr_t)s->shapes[i].vertices);
    si_free((void *)(uintptr_t)s->shapes[i].triangles);
  }
  for (int i = 0; i < s->dof_count; i++) si_free(s->labels[i]);
  si_free(s->shapes);
  si_free(s->meshes);
  si_free(s->labels);
  *s = (si_shapes){ 0 };
}
