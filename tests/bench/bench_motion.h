/* Poses to step through, and N, the naive loop that they are compared with. */
#ifndef BENCH_MOTION_H
#define BENCH_MOTION_H

#include <cglm/cglm.h>
#include <sinew/sinew.h>

enum { motion_steps = 64 };

typedef struct motion {
  sinew_pose *pose;
  int dofs, moved; /* `moved` of the DOFs change at each step of motion_run_some */
  int first;       /* the first of them */
  float *values[motion_steps];
} motion;

/* Random values for every DOF at each step; motion_run_some changes the last `moved`. */
motion motion_random(const sinew_rig *rig, int moved);
/* Every DOF moves to and fro about its rest value, up to `reach` of the way to the ends of its
 * range. Consecutive steps are close. */
motion motion_smooth(const sinew_rig *rig, float reach);
void motion_free(motion *m);

void motion_run_all(void *m, int times);
void motion_run_some(void *m, int times);
/* Runs the world pass only. */
void motion_run_world(void *m, int times);

/* N, the naive loop: glm_rotate_make and glm_mat4_mul for every rotation, then a product for the
 * world. */
typedef struct naive {
  int segments, rotations; /* rotations per segment */
  float *angles[motion_steps];
  vec3 *axes;
  mat4 *world;
} naive;

naive naive_make(int segments, int rotations);
void naive_free(naive *n);
void naive_run(void *n, int times);

/* ns to find one root of a shoulder blade's contact with its ellipsoid, on smooth motion. */
double bench_slide_root(void);

#endif
