/* The data of a motion, for its readers. */
#ifndef SI_MOTION_INTERNAL_H
#define SI_MOTION_INTERNAL_H

#include "base/error_internal.h"
#include "base/scan.h"
#include "sinew/motion.h"

enum { SI_CHANNELS = 6 };

/* Channels: 0 to 2 translate along x, y, z; 3 to 5 rotate about them. */
typedef struct si_motion_joint {
  char *name;
  int parent; /* -1: a root */
  float offset[3];
  bool end, replace;                /* replace: positions replace the offset */
  bool turned;                      /* rotations are about `axes` */
  float axes[9];                    /* column-major; from these axes to the parent's frame */
  int channel_count;                /* rotations are multiplied in this order, the first leftmost */
  unsigned char kinds[SI_CHANNELS]; /* of its channels */
  unsigned char places[SI_CHANNELS]; /* index of each one among the joint's values */
  size_t first;                      /* index of its first value in a frame */
} si_motion_joint;

struct sinew_motion {
  sinew_motion_kind kind;
  const char *format;
  si_motion_joint *joints;
  size_t joint_count, joint_room;
  char **markers;
  size_t marker_count, marker_room;
  size_t width; /* numbers in a frame */
  float *values;
  size_t frame_count, value_room;
  float rate, unit;
  char *warnings; /* NULL: none */
};

/* Adds a joint and takes ownership of its name, also on failure. The pointer is valid until the
 * next joint is added. The caller sets `channel_count` and adds it to the width. */
sinew_status si_motion_add_joint(sinew_motion *motion, char *name, int parent,
                                 si_motion_joint **dest, const si_scan *scan);
/* Adds the end of a bone, as a joint without channels. */
sinew_status si_motion_add_end(sinew_motion *motion, int parent, const float offset[3],
                               const si_scan *scan);
sinew_status si_motion_add_marker(sinew_motion *motion, char *name, const si_scan *scan);
/* Adds a zeroed frame; `dest` points to its values. */
sinew_status si_motion_add_frame(sinew_motion *motion, float **dest, const si_scan *scan);
/* Adds a line to the warnings; false when memory runs out. */
bool si_motion_warn(sinew_motion *motion, const char *format, ...) SINEW_PRINTF(2, 3);

sinew_status si_bvh_read(const char *name, const void *text, size_t size,
                         const sinew_motion_options *options, sinew_motion *dest,
                         sinew_error *error);
sinew_status si_acclaim_read(const char *asf_name, const void *asf, size_t asf_size,
                             const char *amc_name, const void *amc, size_t amc_size,
                             const sinew_motion_options *options, sinew_motion *dest,
                             sinew_error *error);
sinew_status si_trc_read(const char *name, const void *text, size_t size,
                         const sinew_motion_options *options, sinew_motion *dest,
                         sinew_error *error);

/* An animation of a glTF file; `beside`: its buffers may be in files beside it. */
sinew_status si_gltf_motion_read(const char *name, const void *bytes, size_t size, bool beside,
                                 const sinew_motion_options *options, sinew_motion *dest,
                                 sinew_error *error);

#endif
