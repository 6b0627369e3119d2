/* Fitting: finds the DOFs with which a rig follows recorded motion, frame by frame. It minimises
 * the squared distances between joints or markers of the motion and their points on the rig's
 * segments.
 *
 * Sizes come first: sinew_fit_measure compares lengths between points of the motion with those of
 * the rig, sinew_fit_stretch gives the rig the subject's proportions, and one scale remains, which
 * brings the motion to the rig's size. Then each frame is fitted, starting from the pose of the
 * frame before.
 *
 * A sinew_fit belongs to one thread at a time. sinew_fit_stretch changes the rig: call it only
 * while no other thread uses the rig or one of its poses. */
#ifndef SINEW_FIT_H
#define SINEW_FIT_H

#include "sinew/motion.h"
#include "sinew/solve.h"

#ifdef __cplusplus
extern "C" {
#endif

/* A joint or marker of the motion, and the point of the rig that follows it. */
typedef struct sinew_fit_part {
  int source; /* of the motion, from 0 */
  sinew_segment segment;
  float point[3]; /* in the segment's coordinates */
  float weight;   /* of its squared error; 0: only measured, for checks */
} sinew_fit_part;

/* Two parts whose distance is a length of the body. */
typedef struct sinew_fit_link {
  int from, to; /* among the parts, from 0 */
} sinew_fit_link;

/* The subject's size relative to the rig: the sum of the links' mean lengths over the frames where
 * both ends are seen, divided by that of the rig at rest. Returns 0, with `error` filled, if none
 * can be measured. `ratios`, which may be NULL, receives for each link its own factor divided by
 * the total; 1 if it cannot be measured or has no length in the rig. */
SINEW_API float sinew_fit_measure(const sinew_rig *rig, const sinew_motion *motion,
                                  const sinew_fit_part *parts, int part_count,
                                  const sinew_fit_link *links, int link_count, float *ratios,
                                  sinew_error *error);

/* Scales each link by its ratio: the rest positions of the segments below the first part's segment,
 * down to the second's. Skips a link if neither end is an ancestor of the other. Writes the
 * segments that changed to `dest`, at most `capacity`, and returns how many there are. Returns -1,
 * with `error` filled, if a segment cannot be scaled; some may have changed by then. */
SINEW_API int sinew_fit_stretch(sinew_rig *rig, const sinew_fit_part *parts, int part_count,
                                const sinew_fit_link *links, int link_count, const float *ratios,
                                sinew_segment *dest, int capacity, sinew_error *error);

typedef struct sinew_fit_desc {
  size_t size; /* filled by sinew_default_fit_desc */
  const sinew_fit_part *parts;
  int part_count;
  const sinew_dof *dofs; /* that may move; NULL: all that move a part */
  int dof_count;
  float scale; /* from sinew_fit_measure; the motion is divided by it */
  bool z_up;   /* of the motion; else y is up, as it is in a rig */
  /* weight, in square metres, of the DOFs' distances from their previous values, pulled a little
   * towards rest; in units of their ranges. It decides what the parts leave undetermined. */
  float posture;
  int iterations; /* at most, a frame */
} sinew_fit_desc;

/* No parts, all DOFs, scale 1, y up, posture 1e-5, 40 iterations. */
SINEW_API sinew_fit_desc sinew_default_fit_desc(void);

typedef struct sinew_fit sinew_fit;

/* The rig and the motion must outlive it. Returns NULL, with `error` filled, for invalid ids and
 * numbers, and when memory runs out. */
SINEW_API sinew_fit *sinew_fit_create(const sinew_rig *rig, const sinew_motion *motion,
                                      const sinew_fit_desc *desc, sinew_error *error);
SINEW_API void sinew_fit_destroy(sinew_fit *fit); /* NULL is allowed */

SINEW_API int sinew_fit_dof_count(const sinew_fit *fit);
SINEW_API sinew_dof sinew_fit_dof(const sinew_fit *fit, int index);
/* The target of a part in a frame, in the rig's metres. Returns false if it is not seen. */
SINEW_API bool sinew_fit_target(const sinew_fit *fit, int frame, int part, float dest[3]);

typedef struct sinew_fit_result {
  int seen;    /* parts with a weight; with none the pose stays as it is */
  float rms;   /* metres of the motion, over the parts seen that have a weight */
  float worst; /* the largest of them */
  int worst_part;
  int iterations, evaluations;
} sinew_fit_result;

/* Fits one frame, starting from the pose as it is, and leaves the pose evaluated. With `afresh` it
 * first finds where the whole body is, from several starts: for the first frame, and for a frame
 * that does not continue the last one. `dest` may be NULL. Allocates nothing. */
SINEW_API sinew_status sinew_fit_frame(sinew_fit *fit, int frame, bool afresh, sinew_pose *pose,
                                       sinew_fit_result *dest, sinew_error *error);
/* The error of a part after the last fitted frame, in metres of the motion; NaN if it was not
 * seen. */
SINEW_API float sinew_fit_error(const sinew_fit *fit, int part);

#ifdef __cplusplus
}
#endif
#endif
