/* Recorded motion from files: skeletons (BVH, ASF with AMC) and markers (TRC).
 *
 * A skeleton motion has joints, each after its parent, and for each frame their rotations and
 * positions. A marker motion has points, some of which may be missing in some frames. Lengths are
 * metres, angles degrees; frames and joints count from 0. A motion is immutable, and any number of
 * threads may read it. */
#ifndef SINEW_MOTION_H
#define SINEW_MOTION_H

#include "sinew/error.h"

#ifdef __cplusplus
extern "C" {
#endif

#define SINEW_MOTION_JOINTS 4096         /* maximum of joints or markers */
#define SINEW_MOTION_FRAMES (1 << 22)    /* maximum of frames */
#define SINEW_MOTION_VALUES (1 << 26)    /* maximum of numbers in all frames */
#define SINEW_MOTION_BYTES  (1024 << 20) /* maximum size of a file */

typedef struct sinew_motion sinew_motion;

typedef enum sinew_motion_kind { SINEW_MOTION_SKELETON, SINEW_MOTION_MARKERS } sinew_motion_kind;

/* What the position channels of a BVH joint mean; programs differ. */
typedef enum sinew_motion_positions {
  SINEW_POSITIONS_GUESS,  /* decides for each joint: replace if its positions are */
                          /* nearer to its offset than to zero */
  SINEW_POSITIONS_ADD,    /* they are added to the joint's offset */
  SINEW_POSITIONS_REPLACE /* they replace it */
} sinew_motion_positions;

typedef struct sinew_motion_options {
  size_t size; /* filled by sinew_default_motion_options */
  /* Metres in one unit of the file; 0 takes the format's own: 1 for BVH, which has no unit; for ASF
   * an inch divided by its length scale, as in the Carnegie Mellon database; for TRC the unit in
   * the file. */
  float unit;
  float rate; /* frames a second if the file does not say (AMC); 0: 120 */
  sinew_motion_positions positions;
  const char *skeleton; /* the ASF file of an AMC file; NULL: see sinew_motion_load */
  /* Which animation of a glTF file, by name; NULL: the first. It is sampled at `rate`, 0: 30. */
  const char *animation;
} sinew_motion_options;

SINEW_API sinew_motion_options sinew_default_motion_options(void);

/* Reads a file. The extension says the format: .bvh, .amc, .trc, or an
 * animation of .glb, .gltf or .vrm. Unless the options name a
 * skeleton, that of walk_01.amc is walk_01.asf or else walk.asf in the same folder. `options` may
 * be NULL. Returns NULL, with file and line in `error`, if the file cannot be parsed or is too
 * large. */
SINEW_API sinew_motion *sinew_motion_load(const char *path, const sinew_motion_options *options,
                                          sinew_error *error);
/* The same from memory; `name` replaces the path, and its extension says the format. For .amc,
 * `skeleton` is the text of the ASF (called options->skeleton in messages); else it is NULL. */
SINEW_API sinew_motion *sinew_motion_parse(const char *name, const void *bytes, size_t size,
                                           const void *skeleton, size_t skeleton_size,
                                           const sinew_motion_options *options, sinew_error *error);
SINEW_API void sinew_motion_destroy(sinew_motion *motion); /* NULL is allowed */

SINEW_API sinew_motion_kind sinew_motion_kind_of(const sinew_motion *motion);
/* "BVH", "AMC", "TRC" or "glTF". */
SINEW_API const char *sinew_motion_format(const sinew_motion *motion);
SINEW_API int sinew_motion_frame_count(const sinew_motion *motion);
SINEW_API float sinew_motion_rate(const sinew_motion *motion); /* frames a second */
SINEW_API float sinew_motion_unit(const sinew_motion *motion); /* metres in a unit of the file */
/* Warnings, one per line; "" if there are none. */
SINEW_API const char *sinew_motion_warnings(const sinew_motion *motion);

typedef struct sinew_motion_joint {
  const char *name; /* of an end: its parent's, followed by " end" */
  int parent;       /* -1: a root */
  float offset[3];  /* from the parent's origin, in its frame, with all rotations zero */
  bool end;         /* the tip of a bone: it never rotates */
  int channels;     /* how many numbers a frame has for it */
} sinew_motion_joint;

/* Skeletons. */
SINEW_API int sinew_motion_joint_count(const sinew_motion *motion);
SINEW_API sinew_motion_joint sinew_motion_joint_info(const sinew_motion *motion, int joint);
/* The joint or marker of that name. Returns -1, with the nearest names in `error`, if there is
 * none. */
SINEW_API int sinew_motion_find(const sinew_motion *motion, const char *name, sinew_error *error);
/* The matrix from a joint's frame to its parent's, or to the world: 16 floats, column-major. */
SINEW_API void sinew_motion_joint_local(const sinew_motion *motion, int frame, int joint,
                                        float *dest);
SINEW_API void sinew_motion_joint_world(const sinew_motion *motion, int frame, int joint,
                                        float *dest);
/* The world matrices of all joints, 16 floats each: faster than one by one. */
SINEW_API void sinew_motion_worlds(const sinew_motion *motion, int frame, float *dest);

/* Markers. */
SINEW_API int sinew_motion_marker_count(const sinew_motion *motion);
SINEW_API const char *sinew_motion_marker_name(const sinew_motion *motion, int marker);
/* All points of a frame, three floats each; NaN if a marker is missing. Borrowed. */
SINEW_API const float *sinew_motion_markers(const sinew_motion *motion, int frame);
/* In how many frames a marker is missing; for -1, the sum over all markers. */
SINEW_API size_t sinew_motion_gaps(const sinew_motion *motion, int marker);

#ifdef __cplusplus
}
#endif
#endif
