/* Maps from motion to a rig, for fitting: which joint or marker is at which point of which segment.
 * A map belongs to one thread at a time. It is a table in a Lua script or a JSON file:
 *
 *   return {
 *     unit = 0.01,        -- metres in a unit of the motion file; 0 or nothing: the file's own
 *     up = "y",           -- or "z"
 *     posture = 1e-5,     -- see sinew_fit_desc
 *     still = { "right_hand" },  -- DOFs that stay at rest, by name or by joint set
 *     points = {
 *       LeftUpLeg = "femur_l",   -- at its origin
 *       LELB = { segment = "humerus_l", point = {0.03, -0.3, 0}, weight = 0.5 },
 *     },
 *     links = { { "LeftUpLeg", "LeftLeg" } },  -- whose lengths are the subject's
 *   } */
#ifndef SINEW_FIT_MAP_H
#define SINEW_FIT_MAP_H

#include <sinew/fit.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef struct sinew_map_point {
  const char *source, *segment;
  float point[3];
  float weight; /* default 1 */
} sinew_map_point;

typedef struct sinew_map_link {
  const char *from, *to; /* sources of two points */
} sinew_map_link;

/* The contents of a map; strings are borrowed. Points are sorted by name. */
typedef struct sinew_map {
  float unit, posture;
  bool z_up;
  const sinew_map_point *points;
  int point_count;
  const sinew_map_link *links;
  int link_count;
  const char *const *still;
  int still_count;
} sinew_map;

typedef struct sinew_fit_map sinew_fit_map;

/* Reads a map from a .json file or a Lua script, which runs in a sandbox. Returns NULL on failure,
 * with the file and what is wrong in `error`. */
SINEW_API sinew_fit_map *sinew_fit_map_load(const char *path, sinew_error *error);
SINEW_API void sinew_fit_map_destroy(sinew_fit_map *map); /* NULL is allowed */
SINEW_API const sinew_map *sinew_fit_map_read(const sinew_fit_map *map);

/* The parts of a map that both a motion and a rig have. */
typedef struct sinew_fit_parts {
  sinew_fit_part *parts;
  int part_count;
  sinew_fit_link *links;
  int link_count;
  sinew_dof *dofs; /* DOFs that may move: all that move a part, except those in `still` */
  int dof_count;
} sinew_fit_parts;

/* Returns NULL, with all mistakes in `error`, if the rig lacks a segment or DOF of the map, or the
 * motion has none of the points. Points that only this motion lacks are left out and named in
 * `missing`, which may be NULL. */
SINEW_API sinew_fit_parts *sinew_fit_map_apply(const sinew_fit_map *map, const sinew_rig *rig,
                                               const sinew_motion *motion, sinew_error *missing,
                                               sinew_error *error);
SINEW_API void sinew_fit_parts_destroy(sinew_fit_parts *parts); /* NULL is allowed */

#ifdef __cplusplus
}
#endif
#endif
