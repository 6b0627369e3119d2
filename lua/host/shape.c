/* Reads shapes: { file = "bones/femur.obj" } relative to the script, or tables of numbers as in
 * lua/shape/shape_lua.c. All access is raw, so no script code runs here. */
#include "lua/host/shape.h"

#include "base/alloc.h"
#include "lua/host/sandbox/sandbox_core.h"
#include "lua/shape/shape_lua.h"

/* mirrors across x = 0 and reverses the winding of triangles */
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

/* Lua: reads the mesh file named at 1 for the job at 2 */
static int load_mesh(lua_State *L) {
  const mesh_job *job = lua_touserdata(L, 2);
  const void *bytes;
  size_t size, length;
  const char *name = lua_tolstring(L, 1, &length);
  const char *path = si_sandbox_read_data(L, name, length, SINEW_MESH_BYTES, &bytes, &size);
  /* memory used while parsing */
  si_sandbox_reserve(L, 3 * size);
  si_sandbox_spend(L, size / 16);
  sinew_error error;
  sinew_mesh *mesh = sinew_mesh_parse(path, bytes, size, &error);
  if (!mesh) return luaL_error(L, "%s", error.text);
  if (job->mirrored) mirror(mesh);
  *job->dest = mesh;
  return 0;
}

static sinew_shape shape_of(const sinew_mesh *m) {
  return (sinew_shape){ m->vertices, m->normals, m->triangles, m->vertex_count, m->triangle_count };
}

/* reads the shape whose `file` is on top of the stack */
static void read_file(lua_State *L, int shape, const char *segment, sinew_mesh **mesh,
                      sinew_shape *dest) {
  si_raw_field(L, shape, "mirrored");
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
  *dest = shape_of(*mesh);
}

static void read_segment(lua_State *L, int shape, const char *segment, int index, si_shapes *dest) {
  si_raw_field(L, shape, "file");
  bool file = lua_type(L, -1) == LUA_TSTRING;
  if (file) read_file(L, shape, segment, &dest->meshes[index], &dest->shapes[index]);
  lua_pop(L, 1);
  if (file) return;
  dest->solids[index] = sinew_solid_retain(si_shape_solid(L, shape));
  if (!dest->solids[index]) si_shape_read(L, shape, segment, &dest->shapes[index]);
}

sinew_status si_shapes_make(si_shapes *s, int i, const char *cache, sinew_error *error) {
  if (!s->solids[i] || s->meshes[i]) return SINEW_OK;
  sinew_solid_options options = sinew_default_solid_options();
  options.cache = cache;
  sinew_error local;
  if (!error) error = &local;
  if (s->budget) sinew_budget_renew(s->budget);
  sinew_budget *before = sinew_budget_enter(s->budget ? s->budget : si_budget_current());
  s->meshes[i] = sinew_solid_mesh(s->solids[i], &options, error);
  sinew_budget_leave(before);
  if (!s->meshes[i]) return error->status;
  s->shapes[i] = shape_of(s->meshes[i]);
  return SINEW_OK;
}

bool si_shapes_make_room(si_shapes *dest, int segments, int dofs) {
  dest->shapes = si_alloc_array((size_t)segments + 1, sizeof *dest->shapes);
  dest->meshes = si_alloc_array((size_t)segments + 1, sizeof *dest->meshes);
  dest->solids = si_alloc_array((size_t)segments + 1, sizeof *dest->solids);
  dest->segment_count = dest->shapes && dest->meshes && dest->solids ? segments : 0;
  dest->labels = si_alloc_array((size_t)dofs + 1, sizeof *dest->labels);
  dest->dof_count = dest->labels ? dofs : 0;
  return dest->shapes && dest->meshes && dest->solids && dest->labels;
}

void si_shapes_read(lua_State *L, int rig, const sinew_rig *compiled, si_shapes *dest) {
  luaL_checkstack(L, 16, "too deep to read shapes");
  int segments = sinew_rig_segment_count(compiled), dofs = sinew_rig_dof_count(compiled);
  if (!si_shapes_make_room(dest, segments, dofs)) luaL_error(L, "out of memory");
  si_lua_push_owner(L, rig);
  int notes = lua_gettop(L);
  for (int i = 0; i < segments; i++) {
    si_note_field(L, notes, si_segment_type.name, i + 1, "shape");
    if (lua_istable(L, -1))
      read_segment(L, lua_gettop(L),
                   sinew_rig_segment_info(compiled, sinew_rig_segment(compiled, i)).name, i, dest);
    lua_pop(L, 1);
  }
  for (int i = 0; i < dofs; i++) {
    si_note_field(L, notes, si_dof_type.name, i + 1, "label");
    if (lua_type(L, -1) == LUA_TSTRING) {
      dest->labels[i] = si_strdup(lua_tostring(L, -1));
      if (!dest->labels[i]) luaL_error(L, "out of memory");
    }
    lua_pop(L, 1);
  }
  lua_pop(L, 1);
}

void si_shapes_free(si_shapes *s) {
  for (int i = 0; i < s->segment_count; i++) {
    sinew_mesh_destroy(s->meshes[i]);
    if (!s->meshes[i]) si_shape_free(&s->shapes[i]);
    sinew_solid_release(s->solids[i]);
  }
  for (int i = 0; i < s->dof_count; i++) si_free(s->labels[i]);
  si_free(s->shapes);
  si_free(s->meshes);
  si_free(s->solids);
  si_free(s->labels);
  sinew_budget_destroy(s->budget);
  *s = (si_shapes){ 0 };
}
