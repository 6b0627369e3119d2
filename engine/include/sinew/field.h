/* Signed distance fields: joint limits learnt from motion, or sculpted as a closed surface.
 *
 * A field is a grid over one to six angles. Each node knows its distance in degrees to the feasible
 * set (negative inside) and the nearest feasible place. A point is feasible where the interpolated
 * distance is at most `epsilon`. A field is immutable and counted, and any number of threads may
 * ask it. */
#ifndef SINEW_FIELD_H
#define SINEW_FIELD_H

#include "sinew/surface.h"
#include "sinew/types.h"

#ifdef __cplusplus
extern "C" {
#endif

#define SINEW_FIELD_AXES       6
#define SINEW_FIELD_RESOLUTION 4096 /* the most nodes on one axis */

typedef struct sinew_field sinew_field;

/* One angle. A plain axis has nodes at both ends; one that wraps has `resolution` cells round the
 * period max - min, and the node at max is the one at min. */
typedef struct sinew_field_axis {
  float min, max; /* degrees */
  int resolution; /* nodes, at least 2 */
  bool wrap;
} sinew_field_axis;

typedef struct sinew_field_desc {
  int axis_count;
  sinew_field_axis axes[SINEW_FIELD_AXES];
  /* Euler order of axes 1 to 3, and of axes 4 to 6: one of the twelve from "xyz" to "zyz", where
   * "zyz" is Rz Ry Rz. NULL: plain angles. The middle angle of a proper order lies in [0, 180]. */
  const char *orders[2];
  /* How far from the feasible set still counts as feasible; below 0 it takes the default: half a
   * cell's diagonal for motion (a sample amid a cell stands that far off), 0 for a surface. */
  float epsilon;
  size_t memory_limit; /* bytes for the field and for building it; 0: 256 MiB */
} sinew_field_desc;

/* A run of samples in the order of time. A sample has one float for each axis, or, in a motion of
 * quaternions, four floats x y z w for each Euler order and one for each plain axis. */
typedef struct sinew_field_clip {
  const float *samples;
  size_t count;
} sinew_field_clip;

typedef struct sinew_field_motion {
  const sinew_field_clip *clips;
  size_t clip_count;
  bool quaternions;
  bool join; /* also go from the end of each clip to the start of the next */
  int depth; /* how often a gap may be halved, 0 to 20; below 0: 12 */
} sinew_field_motion;

/* What building found. Warnings are one a line, `warnings.count` of them. */
typedef struct sinew_field_report {
  size_t bytes;          /* of the field */
  size_t samples_given;  /* in all clips */
  size_t samples_used;   /* after filling gaps */
  size_t samples_beyond; /* left out because they lie outside the axes' ranges */
  size_t nodes, feasible_nodes, inside_nodes;
  int components; /* connected parts of the feasible nodes */
  sinew_error warnings;
} sinew_field_report;

/* -180 to 180 degrees with 16 nodes on each axis (8 for four axes, 6 for more), no order, default
 * epsilon and limit. */
SINEW_API sinew_field_desc sinew_default_field_desc(int axis_count);
/* No clips, angles, kept apart, default depth. */
SINEW_API sinew_field_motion sinew_default_field_motion(void);

/* Checks the desc and says how many bytes its field will take: for n axes, 1 + n floats a node and
 * a little. 0, with `error` filled, where the desc is wrong. The limit is not looked at. */
SINEW_API size_t sinew_field_memory(const sinew_field_desc *desc, sinew_error *error);

/* Builds a field around motion. Gaps between neighbouring samples are filled until they are within
 * half the smallest cell: along great arcs where there is an Euler order, in straight lines
 * otherwise. What the samples enclose is inside. `report` may be NULL. NULL, with `error` filled,
 * for a bad desc, samples that are not finite, no sample inside the ranges, or more memory than the
 * limit. */
SINEW_API sinew_field *sinew_field_from_motion(const sinew_field_desc *desc,
                                               const sinew_field_motion *motion,
                                               sinew_field_report *report, sinew_error *error);

/* Builds a field of three axes from a closed surface in angle space (x, y, z are the three angles).
 * The surface is the limit; on an axis that wraps it may go on beyond the range. Fails also where
 * the surface is open (the edges are named) or too thin to hold any node. */
SINEW_API sinew_field *sinew_field_from_surface(const sinew_field_desc *desc,
                                                const sinew_surface *surface,
                                                sinew_field_report *report, sinew_error *error);

/* The border of the feasible region of a field of three axes, closed and turned outwards, for an
 * editor; sinew_field_from_surface takes it back. A region that reaches the end of a range is
 * capped there, one that goes all round a wrapping axis is cut once. The caller destroys it. */
SINEW_API sinew_surface *sinew_field_surface(const sinew_field *field, sinew_error *error);

/* A field starts with one owner. NULL is allowed. */
SINEW_API sinew_field *sinew_field_retain(const sinew_field *field);
SINEW_API void sinew_field_release(const sinew_field *field);
/* For giving a field to a component as a parameter. */
SINEW_API extern const sinew_object_class sinew_field_class;

SINEW_API int sinew_field_axis_count(const sinew_field *field);
SINEW_API sinew_field_axis sinew_field_axis_info(const sinew_field *field, int axis); /* from 0 */
SINEW_API const char *sinew_field_order(const sinew_field *field, int group); /* NULL: plain */
SINEW_API float sinew_field_epsilon(const sinew_field *field);
SINEW_API size_t sinew_field_bytes(const sinew_field *field);
SINEW_API size_t sinew_field_nodes(const sinew_field *field);
SINEW_API int sinew_field_components(const sinew_field *field);
/* Whether it was made from a surface. */
SINEW_API bool sinew_field_sculpted(const sinew_field *field);
/* The distances at all nodes, the first axis running fastest. Borrowed. */
SINEW_API const float *sinew_field_distances(const sinew_field *field);

/* The interpolated distance in degrees; angles outside the range count as at its end. Where
 * `gradient` is not NULL it gets one float for each axis. */
SINEW_API float sinew_field_lookup(const sinew_field *field, const float *angles, float *gradient);
/* Whether the angles are within the ranges and the distance is at most epsilon (to 1e-4 of a cell,
 * for rounding). */
SINEW_API bool sinew_field_feasible(const sinew_field *field, const float *angles);
/* Moves angles to feasible ones and returns by how many degrees, 0 where they are left as they are.
 * At most two steps along the gradient, else to the nearest sample, and from there back to where
 * the way in became feasible. Constant time. A wrapped angle keeps its turn, unless it is
 * more than 16 turns away. An angle that is not a number counts as the least of its axis. What
 * comes out is always feasible and finite. `dest` may be `angles`. */
SINEW_API float sinew_field_project(const sinew_field *field, const float *angles, float *dest);

/* Writes the field to a file: aside first, then renamed. */
SINEW_API sinew_status sinew_field_save(const sinew_field *field, const char *path,
                                        sinew_error *error);
/* Reads one. NULL, with `error` filled, for a file that is cut, altered, of another version, or
 * whose field takes more than `memory_limit` bytes (0: 256 MiB). */
SINEW_API sinew_field *sinew_field_load(const char *path, size_t memory_limit, sinew_error *error);
/* The same from and to memory. `name` stands for the path in messages. encode writes
 * sinew_field_encoded_bytes bytes. */
SINEW_API sinew_field *sinew_field_decode(const char *name, const void *bytes, size_t size,
                                          size_t memory_limit, sinew_error *error);
SINEW_API size_t sinew_field_encoded_bytes(const sinew_field *field);
SINEW_API void sinew_field_encode(const sinew_field *field, void *dest);

#ifdef __cplusplus
}
#endif
#endif
