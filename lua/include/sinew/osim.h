/* OpenSim models (.osim, versions 3 and 4) as rigs: bodies, frames, joints with their splines,
 * coordinates, couplings and markers, written as a readable Lua rig. What a rig cannot express,
 * such as muscles and inertias, is reported in a list of losses. The script host opens a .osim like
 * a script; these functions return the text. A sinew_osim does not change once it is read: several
 * threads may read files, or the same sinew_osim, at a time. */
#ifndef SINEW_OSIM_H
#define SINEW_OSIM_H

#include <sinew/error.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef struct sinew_osim sinew_osim;

/* Reads a file, or its `size` bytes in memory; messages and the script then use `name` as the path.
 * The text must be UTF-8 and have no document type. Returns NULL, with file and line in `error`, if
 * it is not a model or memory runs out. The caller destroys it. */
SINEW_API sinew_osim *sinew_osim_read(const char *path, sinew_error *error);
SINEW_API sinew_osim *sinew_osim_parse(const char *name, const void *bytes, size_t size,
                                       sinew_error *error);
SINEW_API void sinew_osim_destroy(sinew_osim *osim); /* NULL is allowed */

/* The rig script; the markers as a Lua table { NAME = { segment = "pelvis", at = {x, y, z} } }; and
 * what is not in them, one group per line, empty if nothing was lost. Owned by `osim`. */
SINEW_API const char *sinew_osim_script(const sinew_osim *osim);
SINEW_API const char *sinew_osim_markers(const sinew_osim *osim);
SINEW_API const char *sinew_osim_losses(const sinew_osim *osim);
SINEW_API int sinew_osim_marker_count(const sinew_osim *osim);

#ifdef __cplusplus
}
#endif
#endif
