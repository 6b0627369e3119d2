/* What the benchmarks of posing share: the human, random poses of some joint sets, and figures of
 * many solves. Every scenario starts its own sequence of random numbers, so that it gives the same
 * alone and among the others. */
#ifndef BENCH_POSING_H
#define BENCH_POSING_H

#include "bench.h"

#include <sinew/host.h>

enum { posing_dofs = 256 };

typedef struct posing {
  sinew_host *host;
  const sinew_rig *rig;
  sinew_pose *pose;  /* is solved */
  sinew_pose *model; /* shows where goals can be reached */
  uint32_t random;
  float before[posing_dofs];
} posing;

/* Runs the scenarios whose name contains `word`; all of them if it is NULL. */
void bench_posing(const char *word);
void bench_posing_drag(posing *p);
void bench_posing_return(posing *p);
void bench_crowd(posing *p);
void bench_chain(posing *p); /* bench_chain.c: on a rig of its own */

float posing_random(posing *p); /* from 0 to 1 */
sinew_segment posing_segment(const posing *p, const char *name);
/* Whether the DOF is of one of the joint sets, whose names are parted by blanks. */
bool posing_in_sets(const posing *p, sinew_dof dof, const char *sets);
/* Sets the DOFs of the joint sets to random values, all others to rest, and evaluates. */
void posing_scatter(posing *p, sinew_pose *pose, const char *sets);
/* The same, until no limit holds anything. */
void posing_scatter_free(posing *p, sinew_pose *pose, const char *sets);
/* A point goal of the segment's origin, at its place in the pose. */
sinew_goal posing_point(const sinew_pose *pose, sinew_segment segment);
sinew_goal posing_turn(const sinew_pose *pose, sinew_segment segment);
/* A solver of `goals` with the DOFs that move them: those of the joint sets, or with `sets` NULL
 * what the solver takes by itself. */
sinew_solver *posing_solver(const posing *p, const sinew_goal *goals, int count, const char *sets,
                            bool root);
/* The largest difference between a DOF of the pose and `values`, in its range, among the DOFs of
 * the joint sets (NULL: all). */
float posing_moved(const posing *p, const sinew_pose *pose, const float *values, const char *sets);
bool posing_held(const sinew_pose *pose);

#endif
