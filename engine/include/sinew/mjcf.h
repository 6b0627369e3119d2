/* Writes a rig for MuJoCo as bodies, hinges, slides and equality couplings. The result is an
 * approximation, with its error stated. Several threads may write one rig at a time if its
 * components cannot fail (sinew_rig_can_fail). */
#ifndef SINEW_MJCF_H
#define SINEW_MJCF_H

#include "sinew/pose.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct sinew_mjcf_desc {
  size_t size; /* filled by sinew_default_mjcf_desc */
  /* Evaluates a pose of the rig, for rigs with scripted components; NULL: sinew_pose_eval. */
  sinew_status (*eval)(sinew_pose *pose, void *user, sinew_error *error);
  void *user;
  int poses; /* random poses that the error is measured over */
} sinew_mjcf_desc;

/* 300 poses, evaluated with sinew_pose_eval. */
SINEW_API sinew_mjcf_desc sinew_default_mjcf_desc(void);

/* The rig as MJCF. Each DOF by itself moves a segment along a curve, which is approximated by up to
 * three hinges through one centre and three slides. A segment that several DOFs move has the
 * product of their joints, in the best order found. One joint has the name and range of the DOF;
 * all others are coupled to it by polynomials of up to the fourth order. A numeric element
 * "dof:NAME" in the file converts the DOF's value minus its rest value to that joint. Angles are
 * radians. Masses are those of the segments, or placeholders where a segment has none; inertias
 * stand in for real ones. Comments in the file state the error in the world over random
 * poses, one line for each body. `report`, if not NULL, receives the same lines, worst first. Free
 * both texts with sinew_text_free. Returns NULL, with `error` filled, if a pose cannot be evaluated
 * or memory runs out. */
SINEW_API char *sinew_mjcf_format(const sinew_rig *rig, const sinew_mjcf_desc *desc, size_t *size,
                                  char **report, sinew_error *error);

#ifdef __cplusplus
}
#endif
#endif
