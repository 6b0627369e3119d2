/* The inside of a motion while it is read. */
#ifndef SI_MOTION_INTERNAL_H
#define SI_MOTION_INTERNAL_H

#include "base/error_internal.h"
#include "base/scan.h"
#include "sinew/motion.h"

enum { SI_CHANNELS = 6 };

/* A channel: 0 to 2 moves along x, y, z; 3 to 5 turns about them. */
typedef struct si_motion_joint {
  char *name;
  int parent; /* -1: a root */
  float offset[3];
  bool end, replace;                 /* replace: its positions stand for the offset */
  bool turned;                       /* its turns are about the axes in `axes` */
  float axes[9];                     /* column-major; from those axes to the parent's frame */
  int channel_count;                 /* turns multiply in this order, the first leftmost */
  unsigned char kinds[SI_CHANNELS];  /* of its channels */
  unsigned char places[SI_CHANNELS]; /* where in the joint's run of values each one stands */
  size_t first;                      /* of its values in a frame */
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

/* Adds a joint with this name; takes the name over, and frees it on failure. The pointer is good
 * until the next one. `first` is set, and the width grows with `channel_count`, by the caller. */
sinew_status si_motion_add_joint(sinew_motion *motion, char *name, int parent,
                                 si_motion_joint **dest, const si_scan *scan);
/* The tip of the last joint's bone, or of any other. */
sinew_status si_motion_add_end(sinew_motion *motion, int parent, const float offset[3],
                               const si_scan *scan);
sinew_status si_motion_add_marker(sinew_motion *motion, char *name, const si_scan *scan);
/* Room for one more frame, zeroed and counted; its numbers. */
sinew_status si_motion_add_frame(sinew_motion *motion, float **dest, const si_scan *scan);
/* Adds a line to the warnings; false when memory is out. */
bool si_motion_warn(sinew_motion *motion, const char *format, ...) SI_PRINTF(2, 3);

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

#endif
