/* Binding a character to a host's rig and planting its feet: what `sinew bind` and `sinew plant` do
 * (lua/docs/characters.md). The functions belong to the host's thread. */
#ifndef SINEW_BIND_H
#define SINEW_BIND_H

#include <sinew/host.h>

#ifdef __cplusplus
extern "C" {
#endif

/* Matches the joints of `character` (.glb, .gltf, .vrm), gives a copy of the host's rig its
 * proportions, and writes that as `script`, a rig script, and as XML beside it. Prints a line for
 * each joint. `map`, which may be NULL, is a script with joints and segments. Where the joints
 * cannot be told apart it writes a map to fill in, and fails. */
SINEW_API sinew_status sinew_bind(sinew_host *host, const char *character, const char *map,
                                  const char *script, sinew_error *error);

/* Matches the joints of a motion (BVH, or the nodes of a glTF file) with the host's rig in the same
 * way, and writes a map for sinew_fit_map_load. */
SINEW_API sinew_status sinew_match_motion(sinew_host *host, const char *motion, const char *map,
                                          sinew_error *error);

/* Plays the clip of a file on the host's rig so that feet stay where they stand (sinew.plant), and
 * writes it as another. `from` has the rig that the clip was made for, or is NULL. Prints how far
 * feet slid. Rigs with components in Lua that are not recorded are refused. */
SINEW_API sinew_status sinew_plant(sinew_host *host, sinew_host *from, const char *clip,
                                   const char *planted, sinew_error *error);

#ifdef __cplusplus
}
#endif
#endif
