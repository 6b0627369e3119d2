/* Golden poses: a rig's own tests. A file `leg.test.lua` beside `leg.lua` has a list of poses, DOFs
 * in and places in the world out:
 *
 *   return {
 *     tolerance = 0.001, degrees = 0.1,     -- metres and degrees; these are the defaults
 *     { name = "sitting", dofs = { ["hip.flexion"] = 80 },
 *       places = { foot = {0, 0.47, 0.3},                           -- where its origin is
 *         shin = { at = {0, 0.9, 0.4}, rotate = {0, 0, 0, 1} } } }, -- x, y, z, w of a quaternion
 *   }
 *
 * A DOF that is not named is at rest. A pose may have a tolerance of its own. Only the thread that
 * the host belongs to may call these functions. */
#ifndef SINEW_GOLDEN_H
#define SINEW_GOLDEN_H

#include <sinew/host.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef struct sinew_golden_result {
  int passed, failed; /* poses */
} sinew_golden_result;

/* Receives what is found: a line for each place that is wrong, without a newline. */
typedef void sinew_golden_print(const char *line, void *user);

/* Compares the poses of the file with those of the host's rig, whose pose it changes. A pose with a
 * DOF or segment that the rig does not have counts as failed. `print` may be NULL. Fails only when
 * the file cannot be read as such a list. */
SINEW_API sinew_status sinew_golden_run(sinew_host *host, const char *path,
                                        sinew_golden_print *print, void *user,
                                        sinew_golden_result *dest, sinew_error *error);
/* Writes the file again with the places that the rig has now; its comments are not kept. If there
 * is none, writes a first one: the rest pose, all DOFs half way to their maximum, and each DOF at
 * its maximum with the place that it moves most. Returns the number of poses, or a negative
 * status. */
SINEW_API int sinew_golden_write(sinew_host *host, const char *path, sinew_error *error);

#ifdef __cplusplus
}
#endif

#endif
