/* Running the fused program on a pose. */
#ifndef SI_FUSED_RUN_H
#define SI_FUSED_RUN_H

#include "compile/products_of_four.h"
#include "evaluate/pose_internal.h"

/* Every step; constant nodes are not among them. */
sinew_status si_fused_all(sinew_pose *pose, sinew_error *error);
/* The marked steps in order; each marks what stands behind it. */
sinew_status si_fused_marked(sinew_pose *pose, sinew_error *error);
/* The steps from `from` up to `to`. */
sinew_status si_fused_steps(sinew_pose *pose, uint32_t from, uint32_t to, sinew_error *error);
/* The nodes that were left aside. */
void si_fused_aside(sinew_pose *pose);

/* The products of one quad, of two or three turns; false where one of them is not finite. */
bool si_quad_run(const si_quad *quad, uint32_t turns, float *values);
/* One of them alone, to the same bits; `first` is its own copy of the quad's. */
bool si_quad_run_one(const si_quad *quad, uint32_t lane, uint32_t turns, const si_turn *first,
                     float *values);

#endif
