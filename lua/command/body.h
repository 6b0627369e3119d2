/* A mesh bound to a rig, for `sinew skin` and `sinew export --skin`. */
#ifndef SI_COMMAND_BODY_H
#define SI_COMMAND_BODY_H

#include "lua/command/command.h"

typedef struct body {
  sinew_mesh *mesh;
  sinew_skin *skin;
} body;

/* The shape of every segment; free it. NULL, with a message printed, on failure. */
sinew_shape *body_shapes(sinew_host *host);
/* Binds a mesh to the host's current pose, by the weights that it has for the rig's segments, else
 * by automatic ones; then reports limbs that are fused. Takes the mesh over, also when it fails;
 * NULL fails. Prints a message and returns false on failure. */
bool body_bind(sinew_host *host, sinew_mesh *mesh, body *dest);
void body_free(body *b);

#endif
