/* Runs the fused program on a pose. */
#ifndef SI_FUSED_RUN_H
#define SI_FUSED_RUN_H

#include "compile/products_of_four.h"
#include "evaluate/pose_internal.h"

/* Runs every step. Constant nodes are not among them. */
sinew_status si_fused_all(sinew_pose *pose, sinew_error *error);
/* Runs the marked steps in order; each marks the steps and slots that read it. */
sinew_status si_fused_marked(sinew_pose *pose, sinew_error *error);
/* Runs the steps from `from` up to `to`. */
sinew_status si_fused_steps(sinew_pose *pose, uint32_t from, uint32_t to, sinew_error *error);
/* Evaluates the nodes that were left aside. */
void si_fused_aside(sinew_pose *pose);

/* Computes the four products of one quad, of two or three rotations each; false if one of them is
 * not finite. */
bool si_quad_run(const si_quad *quad, uint32_t turns, float *values);
/* Computes one of them alone, with bit-identical results; `first` is its entry in `firsts`. */
bool si_quad_run_one(const si_quad *quad, uint32_t lane, uint32_t turns, const si_turn *first,
                     float *values);

#endif
