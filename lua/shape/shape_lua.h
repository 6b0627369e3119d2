/* Cones, fields, meshes and solids in Lua, and the shapes that scripts give segments. */
#ifndef SI_SHAPE_LUA_H
#define SI_SHAPE_LUA_H

#include "lua/math/math_lua.h"

#include <sinew/solid.h>

extern const si_lua_type si_cone_type, si_field_type, si_mesh_type, si_solid_type;

/* Each adds its types and functions to the module's table, which is on top of the stack. */
void si_open_cone(lua_State *L);
void si_open_field(lua_State *L);
void si_open_shape(lua_State *L);
void si_open_mesh(lua_State *L);
void si_open_solid(lua_State *L);

/* Pushes the note with that name of the segment or DOF (`type`) with that id, or nil, from the
 * rig's own table at `notes`. */
void si_note_field(lua_State *L, int notes, const char *type, int id, const char *name);

/* Reads the mesh or the lists of the table at `shape` into blocks for si_shape_free; raises, naming
 * the segment, if it is malformed. What was read so far is in `dest` even then. */
void si_shape_read(lua_State *L, int shape, const char *segment, sinew_shape *dest);
void si_shape_free(sinew_shape *shape);
/* The mesh of the shape's table at `shape`, from its field `mesh`; NULL if the table has its own
 * lists, or neither. */
const struct si_mesh *si_shape_mesh(lua_State *L, int shape);
/* Pushes a solid, which it retains. */
void si_solid_push(lua_State *L, sinew_solid *solid);
/* The solid at `index`, or NULL. */
sinew_solid *si_solid_test(lua_State *L, int index);
/* The solid of the shape's table at `shape`, from its field `solid`, or NULL, as si_shape_mesh. */
sinew_solid *si_shape_solid(lua_State *L, int shape);
/* Pushes a mesh of a solid and returns 1. `options` as for sinew_solid_mesh. */
int si_solid_push_mesh(lua_State *L, const sinew_solid *solid, const sinew_solid_options *options);
/* Pushes the table of a shape. */
void si_shape_push(lua_State *L, const sinew_shape *shape);
/* Pushes a mesh with room for this many vertices and triangles. */
struct si_mesh *si_mesh_push(lua_State *L, int64_t vertices, int64_t triangles, bool normals);
/* Pushes a list of numbers; returns 1. */
int si_list_push(lua_State *L, const double *numbers, int count);

/* Raises where a budget has stopped what makes a mesh: a function of mesh_make.h. */
void si_mesh_made(lua_State *L, bool made);

/* Read and push a parameter that is an object: a field, or a cone where `wanted` is "a cone". For
 * others, si_object_read returns false and si_object_push pushes nil. */
bool si_object_read(lua_State *L, int index, const char *name, const char *wanted,
                    sinew_param *dest);
void si_object_push(lua_State *L, const sinew_param *param);
/* The same for cones. */
bool si_cone_read(lua_State *L, int index, const char *name, sinew_param *dest);
bool si_cone_push(lua_State *L, const sinew_param *param);

#endif
