/* Which marker, or joint of a motion, sits where on a rig. A map is a Lua file:
 *
 *   return { markers = { RKNE = { segment = "femur_r", at = { 0, -0.4, 0.05 }, weight = 1 } } }
 *
 * Where `at` is not given it is the segment's origin; weights count squared distances. */
#ifndef SINEW_MARKER_MAP_H
#define SINEW_MARKER_MAP_H

#include <sinew/rig.h>

#ifdef __cplusplus
extern "C" {
#endif

#define SINEW_MAP_MARKERS 4096 /* the most of them */

typedef struct sinew_marker {
  char *name; /* in the motion */
  sinew_segment segment;
  float at[3];  /* metres, in the segment's frame */
  float weight; /* at least 0 */
} sinew_marker;

typedef struct sinew_marker_map {
  int count;
  sinew_marker *markers; /* in the order of their names */
} sinew_marker_map;

/* Reads a map for a rig. On failure, with the culprit named, there is nothing to free. */
SINEW_API sinew_status sinew_marker_map_load(const sinew_rig *rig, const char *path,
                                             sinew_marker_map *dest, sinew_error *error);
SINEW_API void sinew_marker_map_free(sinew_marker_map *map);

#ifdef __cplusplus
}
#endif
#endif
