/* The shapes and labels that a rig script gave its segments and DOFs, read from Lua into the host's
 * memory. */
#ifndef SI_HOST_SHAPE_H
#define SI_HOST_SHAPE_H

#include "lua/rig/rig_lua.h"
#include "sinew/host.h"
#include "sinew/mesh.h"

typedef struct si_shapes {
  sinew_shape *shapes; /* one for each segment; without vertices if it has none */
  sinew_mesh **meshes; /* the meshes of shapes that came from files; NULL for the others */
  char **labels;       /* one for each DOF; NULL if it has none */
  int segment_count, dof_count;
} si_shapes;

/* Reads everything from the rig's userdata at `rig`. Raises a Lua error if a shape or label is
 * malformed; `dest` then has what was read so far. */
void si_shapes_read(lua_State *L, int rig, const sinew_rig *compiled, si_shapes *dest);
void si_shapes_free(si_shapes *shapes);

#endif
