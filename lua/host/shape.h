/* The shapes and labels that a rig script gave its segments and DOFs, read from Lua into the host's
 * memory. */
#ifndef SI_HOST_SHAPE_H
#define SI_HOST_SHAPE_H

#include "lua/rig/rig_lua.h"
#include "sinew/budget.h"
#include "sinew/host.h"
#include "sinew/solid.h"

typedef struct si_shapes {
  sinew_shape *shapes;  /* one for each segment; without vertices if it has none, or none yet */
  sinew_mesh **meshes;  /* the meshes of shapes from files and of solids; NULL for the others */
  sinew_solid **solids; /* of each segment, or NULL */
  char **labels;        /* one for each DOF; NULL if it has none */
  int segment_count, dof_count;
  sinew_budget *budget; /* of making a mesh, beside the one of the caller; NULL: no other */
} si_shapes;

/* Reads everything from the rig's userdata at `rig`. Raises a Lua error if a shape or label is
 * malformed; `dest` then has what was read so far. */
void si_shapes_read(lua_State *L, int rig, const sinew_rig *compiled, si_shapes *dest);
/* Makes empty arrays for that many segments and DOFs; false when memory runs out. */
bool si_shapes_make_room(si_shapes *dest, int segments, int dofs);
/* Makes the mesh of a segment that has a solid, if it was not made yet. */
sinew_status si_shapes_make(si_shapes *shapes, int segment, const char *cache, sinew_error *error);
void si_shapes_free(si_shapes *shapes);

#endif
