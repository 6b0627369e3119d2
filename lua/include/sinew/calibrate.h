/* Fitting a rig to a subject: chosen numbers of the rig (lengths, centres and axes of rotation,
 * points of curves, radii of ellipsoids) together with the DOFs of every frame, so that markers on
 * the rig come to where they were measured. It belongs to the host's thread. */
#ifndef SINEW_CALIBRATE_H
#define SINEW_CALIBRATE_H

#include <sinew/fit_map.h>
#include <sinew/motion.h>
#include <sinew/tuning.h>

#ifdef __cplusplus
extern "C" {
#endif

#define SINEW_CALIBRATE_NUMBERS 256 /* free numbers, at most */

typedef struct sinew_calibrate_options {
  size_t size;    /* filled by sinew_default_calibrate_options */
  int frames;     /* frames of the motion to use, spread evenly */
  int iterations; /* at most */
  float prior;    /* weight of the rig's original values: 1 as usual, 0 none */
  float noise;    /* expected error of a marker, in metres */
  bool z_up;      /* the motion has z up; otherwise y is up, as in a rig */
  /* Called after each iteration; NULL: no calls. */
  void (*progress)(int iteration, int iterations, float rms, void *user);
  void *user;
} sinew_calibrate_options;

/* 40 frames, 25 iterations, prior 1, 1 mm, y up. */
SINEW_API sinew_calibrate_options sinew_default_calibrate_options(void);

typedef struct sinew_calibrate_report {
  int frames, markers, numbers, iterations;
  /* the markers' RMS distance in metres before and after, with fitted DOFs both times */
  float before, after;
} sinew_calibrate_report;

/* Fits the host's rig. Each of `free` names a parameter of a component ("right_knee.bend.axis": a
 * number, a vector, a list, or a curve, of which the y values or coefficients are free), or of a
 * segment: "tibia_r.at" (its origin in its parent), "tibia_r.length" (the distance of that origin,
 * in the same direction), "tibia_r.turn" (its orientation). The rig keeps the fitted values, and
 * each is noted in `tuning`, which may be NULL. On failure the rig is restored, unless memory runs
 * out even for that. */
SINEW_API sinew_status sinew_calibrate(sinew_host *host, const sinew_motion *motion,
                                       const sinew_fit_parts *parts, const char *const *free,
                                       int free_count, const sinew_calibrate_options *options,
                                       sinew_tuning *tuning, sinew_calibrate_report *report,
                                       sinew_error *error);

#ifdef __cplusplus
}
#endif
#endif
