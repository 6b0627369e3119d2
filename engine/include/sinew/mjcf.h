/* A rig for MuJoCo: bodies, hinges and slides, and equality couplings, as an approximation with its
 * error stated. */
#ifndef SINEW_MJCF_H
#define SINEW_MJCF_H

#include "sinew/pose.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct sinew_mjcf_desc {
  /* Evaluates a pose of the rig, for rigs whose components need a host; NULL: sinew_pose_eval. */
  sinew_status (*eval)(sinew_pose *pose, void *user, sinew_error *error);
  void *user;
  int poses; /* random poses that the error is measured over */
} sinew_mjcf_desc;

/* 300 poses, evaluated plainly. */
SINEW_API sinew_mjcf_desc sinew_default_mjcf_desc(void);

/* The rig as MJCF. Each DOF by itself moves a segment along a curve, which up to three hinges
 * through one centre and three slides follow; a segment that several DOFs move has the product of
 * their joints, in the best order found. One joint carries the name and range of each DOF, all
 * others follow it by polynomials of up to the fourth order; a numeric "dof:NAME" in the file leads
 * from the DOF, less its rest value, to that joint. Angles are radians, masses stand in for real
 * ones. What it is off by, in the world and over random poses, stands in comments: one line for
 * each body, and `report`, if not NULL, gets the same lines, worst first, for sinew_text_free. The
 * text is for sinew_text_free too; NULL, with `error` filled, where a pose cannot be evaluated or
 * memory is out. */
SINEW_API char *sinew_mjcf_format(const sinew_rig *rig, const sinew_mjcf_desc *desc, size_t *size,
                                  char **report, sinew_error *error);

#ifdef __cplusplus
}
#endif
#endif
