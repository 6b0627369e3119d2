/* Shapes that scripts give segments, between Lua's tables and the engine. */
#ifndef SI_SHAPE_LUA_H
#define SI_SHAPE_LUA_H

#include "binding.h"

#include <sinew/mesh.h>

/* Pushes what is attached to the segment or DOF (`type`) of that id, or nil, from the rig's own
 * table at `notes`. */
void si_shape_notes(lua_State *L, int notes, const char *type, int id);

/* Reads the table at `shape` into blocks for si_shape_free; raises, naming the segment, where it is
 * malformed. What was read so far is in `dest` even then. */
void si_shape_read(lua_State *L, int shape, const char *segment, sinew_shape *dest);
void si_shape_free(sinew_shape *shape);
/* The mesh that stands for the lists of the shape's table at `shape`, in its field `mesh`; NULL
 * where the table has lists of its own, or neither. */
const struct si_mesh *si_shape_mesh(lua_State *L, int shape);
/* Adds sinew.normals to the module. */
void si_open_shape(lua_State *L);
/* Pushes such a table. */
void si_shape_push(lua_State *L, const sinew_shape *shape);
/* Pushes a list of numbers; returns 1. */
int si_list_push(lua_State *L, const double *numbers, int count);

#endif
