/* Shared by the files of fitting. */
#ifndef SI_FIT_INTERNAL_H
#define SI_FIT_INTERNAL_H

#include "sinew/fit.h"

/* False, with `error` filled, for a part that is not in the motion or the rig, or not finite. */
bool si_fit_check(const sinew_rig *rig, const sinew_motion *motion, const sinew_fit_part *parts,
                  int count, sinew_error *error);
/* The positions of all joints or markers in a frame, three floats each; NaN if missing. `room` is
 * scratch memory of si_fit_room floats. */
const float *si_fit_points(const sinew_motion *motion, int frame, float *room);
size_t si_fit_room(const sinew_motion *motion);

#endif
