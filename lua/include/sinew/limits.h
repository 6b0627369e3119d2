/* Limits from motion: makes a reach cone, as a Lua module for rig scripts, or a distance field from
 * the motion of a joint in a clip. sinew_limits_from_clip belongs to the host's thread. Several
 * threads may call the other functions at a time, with samples that none of them changes. */
#ifndef SINEW_LIMITS_H
#define SINEW_LIMITS_H

#include <sinew/clip.h>
#include <sinew/field.h>
#include <sinew/file.h>
#include <sinew/host.h>
#include <sinew/motion.h>

#ifdef __cplusplus
extern "C" {
#endif

/* The motion of a joint, one sample per frame. */
typedef struct sinew_limit_samples {
  size_t count;
  float (*turns)[4]; /* rotations from rest in the joint's frame, x y z w; NULL: angles only */
  int angle_count;   /* 0: rotations only */
  float *angles;     /* `angle_count` per sample, degrees */
  float rest[3];     /* the bone's direction at rest; zero if unknown */
  bool two_axes;     /* the swing is Rot(axes[0], a) Rot(axes[1], b) */
  float axes[2][3];
} sinew_limit_samples;

/* The rotations of a motion's joint relative to its parent. Without a `segment` (id 0) they start
 * at the motion's zero pose, in the motion's axes. With one they start at the rest pose of the rig,
 * in the segment's frame. If the bone has another direction in the zero pose, the shortest arc
 * aligns the two. */
SINEW_API sinew_status sinew_limits_from_motion(const sinew_motion *motion, const char *joint,
                                                const sinew_rig *rig, sinew_segment segment,
                                                sinew_limit_samples *dest, sinew_error *error);
/* The inputs of a component while the host's rig plays a clip: for a cone the swing and twist, for
 * any component its wired scalars; or the driven rotations of a segment. DOFs without a channel
 * stay at rest. `fps` 0 takes the clip's. */
SINEW_API sinew_status sinew_limits_from_clip(sinew_host *host, const sinew_clip *clip, float fps,
                                              const char *name, sinew_limit_samples *dest,
                                              sinew_error *error);
SINEW_API void sinew_limits_free(sinew_limit_samples *samples);

typedef struct sinew_limits_options {
  size_t size;  /* filled by sinew_default_limits_options */
  float margin; /* degrees added on all sides */
  float share;  /* cone: fraction of the samples to contain */
  /* cone: maximum number of points; 0: as many as a boundary within 2 degrees needs */
  int points;
  int cells;         /* field: cells on each axis */
  const char *order; /* field of rotations: the Euler order of its angles */
} sinew_limits_options;

/* No margin, share 0.99, points as needed, 24 cells, "xyz". */
SINEW_API sinew_limits_options sinew_default_limits_options(void);

typedef struct sinew_limits_report {
  size_t samples, kept;         /* kept: those that the limit does not change */
  int points;                   /* points of a cone */
  float area;                   /* area of a cone, steradians */
  float unvisited;              /* fraction of that area without a sample */
  size_t nodes, feasible_nodes; /* of a field */
  sinew_error warnings;
} sinew_limits_report;

/* A cone as the text of a Lua module that returns the table `joint_set:cone` takes: rest, points,
 * visible, twist_limits, visible_twist. Free it with sinew_text_free. Returns NULL, with `error`
 * filled, if there are no rotations or no cone contains them. */
SINEW_API char *sinew_limits_cone(const sinew_limit_samples *samples,
                                  const sinew_limits_options *options, size_t *size,
                                  sinew_limits_report *report, sinew_error *error);
/* A field of the angles if there are any, else of the rotations in the options' Euler order. The
 * caller releases it. */
SINEW_API sinew_field *sinew_limits_field(const sinew_limit_samples *samples,
                                          const sinew_limits_options *options,
                                          sinew_limits_report *report, sinew_error *error);

#ifdef __cplusplus
}
#endif
#endif
