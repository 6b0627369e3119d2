/* Limits out of motion: what a joint did in a clip becomes a reach cone or a distance field, and
 * Lua that a rig script requires. */
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

/* What a joint did, one sample a frame. */
typedef struct sinew_limit_samples {
  size_t count;
  float (*turns)[4]; /* quaternions (x y z w) from rest in the joint's frame; NULL: angles only */
  int angle_count;   /* 0: turns only */
  float *angles;     /* `angle_count` a sample, degrees */
  float rest[3];     /* the bone's direction at rest; zero where it is not known */
  bool two_axes;     /* the swing is Rot(axes[0], a) Rot(axes[1], b) */
  float axes[2][3];
} sinew_limit_samples;

/* The turns of a motion's joint against its parent. Without a `segment` (its id 0) they are from
 * the motion's zero pose, in the motion's axes. With one they are from the rest pose of the rig, in
 * the segment's frame: bones that point elsewhere in the zero pose are brought together by the
 * shortest arc. */
SINEW_API sinew_status sinew_limits_from_motion(const sinew_motion *motion, const char *joint,
                                                const sinew_rig *rig, sinew_segment segment,
                                                sinew_limit_samples *dest, sinew_error *error);
/* What arrives at a component while the host's rig plays a clip: at a cone the swing and twist, at
 * any component its wired scalars; or the driven turns of a segment. DOFs without a channel rest.
 * `fps` 0 takes the clip's. */
SINEW_API sinew_status sinew_limits_from_clip(sinew_host *host, const sinew_clip *clip, float fps,
                                              const char *name, sinew_limit_samples *dest,
                                              sinew_error *error);
SINEW_API void sinew_limits_free(sinew_limit_samples *samples);

typedef struct sinew_limits_options {
  float margin;      /* degrees added all round */
  float share;       /* cone: of the samples to hold */
  int points;        /* cone: at most; 0: as many as a boundary within 2 degrees takes */
  int cells;         /* field: on each axis */
  const char *order; /* field of turns: the Euler order of its angles */
} sinew_limits_options;

/* No margin, share 0.99, points as needed, 24 cells, "xyz". */
SINEW_API sinew_limits_options sinew_default_limits_options(void);

typedef struct sinew_limits_report {
  size_t samples, kept;         /* kept: that the limit lets through as they are */
  int points;                   /* of a cone */
  float area;                   /* of it, steradians */
  float unvisited;              /* share of the cone's area without a sample */
  size_t nodes, feasible_nodes; /* of a field */
  sinew_error warnings;
} sinew_limits_report;

/* A cone as the text of a Lua module that returns the table `joint_set:cone` takes: rest, points,
 * visible, twist_limits, visible_twist. Free it by sinew_text_free. NULL, with `error` filled,
 * where there are no turns or no cone holds them. */
SINEW_API char *sinew_limits_cone(const sinew_limit_samples *samples,
                                  const sinew_limits_options *options, size_t *size,
                                  sinew_limits_report *report, sinew_error *error);
/* A field: of the angles where there are some, else of the turns in the options' order. */
SINEW_API sinew_field *sinew_limits_field(const sinew_limit_samples *samples,
                                          const sinew_limits_options *options,
                                          sinew_limits_report *report, sinew_error *error);

#ifdef __cplusplus
}
#endif
#endif
