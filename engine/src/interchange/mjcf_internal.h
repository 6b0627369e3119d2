/* The MJCF writer: a rig approximated by joints with one axis each, in doubles, radians and metres.
 */
#ifndef SI_MJCF_INTERNAL_H
#define SI_MJCF_INTERNAL_H

#include "base/alloc.h"
#include "base/arena.h"
#include "base/error_internal.h"
#include "sinew/mjcf.h"

enum { SI_MJCF_SAMPLES = 33, SI_MJCF_TERMS = 5, SI_MJCF_TRIALS = 40 };

/* a rigid transform: column-major rotation, then position */
typedef struct si_move {
  double turn[9], place[3];
} si_move;

typedef struct si_mjcf_joint {
  bool hinge;
  double axis[3], centre[3];
  double poly[SI_MJCF_TERMS]; /* of the value of the DOF's carrier; without a constant */
  double values[SI_MJCF_SAMPLES];
  bool carrier; /* its value represents the DOF */
} si_mjcf_joint;

/* the effect of one DOF on one segment: `count` joints from `first` */
typedef struct si_mjcf_motion {
  int segment, dof;
  size_t first;
  int count;
} si_mjcf_motion;

typedef struct si_mjcf {
  const sinew_rig *rig;
  sinew_mjcf_desc desc;
  sinew_pose *pose;
  int segment_count, dof_count;
  bool *mirrored;  /* of each segment: its world matrix has a negative determinant */
  bool massive;    /* some segment has a mass */
  si_move *bodies; /* of each segment in its parent, at rest */
  si_move *worlds; /* scratch */
  si_mjcf_joint *joints;
  size_t joint_count, joint_room;
  si_mjcf_motion *motions; /* segment by segment, in the order of the product */
  size_t motion_count, motion_room;
  double *carriers; /* SI_MJCF_TERMS a DOF: from its value less rest to its carrier's */
  size_t *carried;  /* of each DOF: index of its carrier + 1; 0: it moves nothing */
  float *values;    /* DOFs */
  si_arena arena;   /* holds the arrays of segments and DOFs */
  sinew_error *error;
} si_mjcf;

si_move si_move_mul(const si_move *a, const si_move *b);
si_move si_move_inverse(const si_move *m);
/* The quaternion x y z w, w not negative. */
void si_move_quat(const si_move *m, double *dest);
double si_polynomial(const double *poly, double x);

/* The world of a segment after the last evaluation, mirrored back where it is mirrored. */
si_move si_mjcf_world(const si_mjcf *m, int segment);
/* Evaluates the rig at m->values. */
sinew_status si_mjcf_eval(si_mjcf *m);
/* mjcf_fit.c: fills joints, motions and carriers. */
sinew_status si_mjcf_fit(si_mjcf *m);
/* The product of a segment's motions from `first`, `count` of them, at m->values. */
si_move si_mjcf_product(const si_mjcf *m, const si_mjcf_motion *first, size_t count);

#endif
