/* What a rig script attached to its segments and DOFs for those who show it, read out of Lua into
 * memory of the host's. */
#ifndef SI_HOST_SHAPE_H
#define SI_HOST_SHAPE_H

#include "lua/rig/rig_lua.h"
#include "sinew/host.h"
#include "sinew/mesh.h"

typedef struct si_shapes {
  sinew_shape *shapes; /* one for each segment; without vertices where it has none */
  sinew_mesh **meshes; /* what holds the shapes that are files; NULL for the others */
  char **labels;       /* one for each DOF; NULL where it has none */
  int segment_count, dof_count;
} si_shapes;

/* Reads them all from the rig's userdata at `rig`; raises where one is malformed. What was read so
 * far is in `dest` even then. */
void si_shapes_read(lua_State *L, int rig, const sinew_rig *compiled, si_shapes *dest);
void si_shapes_free(si_shapes *shapes);

#endif
