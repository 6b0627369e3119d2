/* Poses to step through, and the yardstick N that they are measured against. */
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

/* Every DOF anywhere in its range at each step, the last `moved` for motion_run_some. */
motion motion_random(const sinew_rig *rig, int moved);
/* Every DOF to and fro about rest, `reach` of the way to the ends of its range: neighbouring steps
 * are close. */
motion motion_smooth(const sinew_rig *rig, float reach);
void motion_free(motion *m);

void motion_run_all(void *m, int times);
void motion_run_some(void *m, int times);
/* The world transforms alone. */
void motion_run_world(void *m, int times);

/* N: glm_rotate_make and glm_mat4_mul for every rotation, then a product for the world. */
typedef struct naive {
  int segments, rotations; /* of each segment */
  float *angles[motion_steps];
  vec3 *axes;
  mat4 *world;
} naive;

naive naive_make(int segments, int rotations);
void naive_free(naive *n);
void naive_run(void *n, int times);

/* ns of one root of a shoulder blade on its ellipsoid, on smooth motion. */
double bench_slide_root(void);

#endif
