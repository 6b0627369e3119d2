/* Signed distance fields: joint limits learned from motion, or sculpted as a closed surface.
 *
 * A field is a grid over one to six angles. Each node stores its distance in degrees to the
 * feasible set (negative inside) and the nearest feasible point. A point is feasible if the
 * interpolated distance is at most `epsilon`. A field is immutable and reference counted; any
 * number of threads may query, retain and release it. */
#ifndef SINEW_FIELD_H
#define SINEW_FIELD_H

#include "sinew/surface.h"
#include "sinew/types.h"

#ifdef __cplusplus
extern "C" {
#endif

#define SINEW_FIELD_AXES       6
#define SINEW_FIELD_RESOLUTION 4096 /* nodes on one axis, at most */

typedef struct sinew_field sinew_field;

/* One angle. A plain axis has nodes at both ends; one that wraps has `resolution` cells in the
 * period max - min, and the node at max is the one at min. */
typedef struct sinew_field_axis {
  float min, max; /* degrees */
  int resolution; /* nodes, at least 2 */
  bool wrap;
} sinew_field_axis;

typedef struct sinew_field_desc {
  size_t size; /* filled by sinew_default_field_desc */
  int axis_count;
  sinew_field_axis axes[SINEW_FIELD_AXES];
  /* Euler order of axes 1 to 3, and of axes 4 to 6: one of the twelve from "xyz" to "zyz", where
   * "zyz" is Rz Ry Rz. NULL: plain angles. The middle angle of a proper order lies in [0, 180]. */
  const char *orders[2];
  /* The largest distance that still counts as feasible. Below 0 it is the default: half a cell's
   * diagonal for motion (as far as a sample in the middle of a cell is from its nodes), 0 for a
   * surface. */
  float epsilon;
  size_t memory_limit; /* bytes for the field and for building it; 0: 256 MiB */
} sinew_field_desc;

/* A sequence of samples in order of time. A sample has one float for each axis. In a motion of
 * quaternions, it has four floats x y z w for each Euler order and one for each plain axis. */
typedef struct sinew_field_clip {
  const float *samples;
  size_t count;
} sinew_field_clip;

typedef struct sinew_field_motion {
  size_t size; /* filled by sinew_default_field_motion */
  const sinew_field_clip *clips;
  size_t clip_count;
  bool quaternions;
  bool join; /* also fill the gap from the end of each clip to the start of the next */
  int depth; /* how often a gap may be halved, 0 to 20; below 0: 12 */
} sinew_field_motion;

/* What building found. Warnings are one per line, `warnings.count` of them. */
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
/* No clips, angles, clips not joined, default depth. */
SINEW_API sinew_field_motion sinew_default_field_motion(void);

/* Checks the desc and returns how many bytes its field will take: for n axes, 1 + n floats per node
 * and a small header. Returns 0, with `error` filled, if the desc is wrong. Ignores the memory
 * limit. */
SINEW_API size_t sinew_field_memory(const sinew_field_desc *desc, sinew_error *error);

/* Builds a field around motion. Gaps between neighbouring samples are filled until they are within
 * half the smallest cell: along great arcs if there is an Euler order, in straight lines otherwise.
 * Regions that the samples enclose are inside. `report` may be NULL. Returns NULL, with `error`
 * filled, for a bad desc, samples that are not finite, no sample inside the ranges, or more memory
 * than the limit. */
SINEW_API sinew_field *sinew_field_from_motion(const sinew_field_desc *desc,
                                               const sinew_field_motion *motion,
                                               sinew_field_report *report, sinew_error *error);

/* Builds a field of three axes from a closed surface in angle space (x, y, z are the three angles).
 * The surface is the limit; on an axis that wraps it may extend beyond the range. Also fails if the
 * surface is open (the error names the edges) or too thin to contain a node. */
SINEW_API sinew_field *sinew_field_from_surface(const sinew_field_desc *desc,
                                                const sinew_surface *surface,
                                                sinew_field_report *report, sinew_error *error);

/* The boundary of the feasible region of a field of three axes, for an editor: closed, with its
 * faces outwards. sinew_field_from_surface accepts it. A region that reaches the end of a range is
 * capped there; one that spans a whole wrapping axis is cut once. The caller destroys it. */
SINEW_API sinew_surface *sinew_field_surface(const sinew_field *field, sinew_error *error);

/* Reference counting. A field starts with one owner. NULL is allowed. */
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

/* The interpolated distance in degrees; angles outside the range count as at its end. If `gradient`
 * is not NULL, it receives one float for each axis. */
SINEW_API float sinew_field_lookup(const sinew_field *field, const float *angles, float *gradient);
/* Whether the angles are within the ranges and the distance is at most epsilon (to 1e-4 of a cell,
 * for rounding). */
SINEW_API bool sinew_field_feasible(const sinew_field *field, const float *angles);
/* Projects angles to feasible ones and returns by how many degrees they moved; 0 if they stay.
 * Takes at most two steps along the gradient. If these do not suffice, it takes the line to the
 * nearest sample, and the point at which this line enters the feasible set. Constant time. A
 * wrapped angle keeps its number of full turns, unless there are more than 16. NaN counts as the
 * minimum of its axis. The result is always feasible and finite. `dest` may be `angles`. */
SINEW_API float sinew_field_project(const sinew_field *field, const float *angles, float *dest);

/* Writes the field to a file with sinew_file_write. */
SINEW_API sinew_status sinew_field_save(const sinew_field *field, const char *path,
                                        sinew_error *error);
/* Reads a field. Returns NULL, with `error` filled, for a file that is truncated, corrupted, of
 * another version, or whose field takes more than `memory_limit` bytes (0: 256 MiB). */
SINEW_API sinew_field *sinew_field_load(const char *path, size_t memory_limit, sinew_error *error);
/* The same from and to memory. Messages use `name` as the path. sinew_field_encode writes
 * sinew_field_encoded_bytes bytes. */
SINEW_API sinew_field *sinew_field_decode(const char *name, const void *bytes, size_t size,
                                          size_t memory_limit, sinew_error *error);
SINEW_API size_t sinew_field_encoded_bytes(const sinew_field *field);
SINEW_API void sinew_field_encode(const sinew_field *field, void *dest);

#ifdef __cplusplus
}
#endif
#endif
