/* The core: joint sets, a whole spine, a body and the world pass, against the naive loop of cglm's
 * own functions that a program would write first. */
#include "bench.h"
#include "bench_rigs.h"
#include "frame.h"
#include "hierarchy.h"
#include "pose.h"

#include <stdlib.h>

enum { poses_in_a_round = 64 };

typedef struct moving {
  sinew_pose *pose;
  int dofs, moved; /* how many of the DOFs change at each step */
  float *values[poses_in_a_round];
} moving;

static moving moving_make(const sinew_rig *rig, int moved) {
  sinew_error error;
  moving m = { .pose = sinew_pose_create(rig, &error),
               .dofs = sinew_rig_dof_count(rig),
               .moved = moved };
  bench_check(m.pose != NULL, &error);
  for (int k = 0; k < poses_in_a_round; k++) {
    m.values[k] = malloc((size_t)m.dofs * sizeof(float));
    for (int i = 0; i < m.dofs; i++) {
      sinew_dof_info dof = sinew_rig_dof_info(rig, sinew_rig_dof(rig, i));
      m.values[k][i] = dof.min + (dof.max - dof.min) * bench_random();
    }
  }
  return m;
}

static void moving_free(moving *m) {
  for (int k = 0; k < poses_in_a_round; k++) free(m->values[k]);
  sinew_pose_destroy(m->pose);
}

static void run_all(void *context, int times) {
  moving *m = context;
  for (int i = 0; i < times; i++) {
    sinew_pose_set_all(m->pose, m->values[i % poses_in_a_round], m->dofs, NULL);
    sinew_pose_eval(m->pose, NULL);
  }
  bench_keep(sinew_pose_worlds(m->pose));
}

static void run_some(void *context, int times) {
  moving *m = context;
  const sinew_rig *rig = sinew_pose_rig(m->pose);
  for (int i = 0; i < times; i++) {
    for (int k = 0; k < m->moved; k++)
      sinew_pose_set(m->pose, sinew_rig_dof(rig, m->dofs - 1 - k),
                     m->values[i % poses_in_a_round][k], NULL);
    sinew_pose_eval(m->pose, NULL);
  }
  bench_keep(sinew_pose_worlds(m->pose));
}

static void run_world(void *context, int times) {
  moving *m = context;
  const sinew_rig *rig = m->pose->rig;
  for (int i = 0; i < times; i++) {
    si_tree_world(rig, m->pose->values, m->pose->world, 0, rig->model.segment_count);
    bench_keep(m->pose->world);
  }
}

/* the yardstick: glm_rotate_make and glm_mat4_mul for every rotation, then a product for the world
 */
typedef struct naive {
  int segments, rotations;
  float *angles[poses_in_a_round];
  vec3 *axes;
  mat4 *world;
} naive;

static naive naive_make(int segments, int rotations) {
  naive n = { .segments = segments, .rotations = rotations };
  int count = segments * rotations;
  for (int k = 0; k < poses_in_a_round; k++) {
    n.angles[k] = malloc((size_t)count * sizeof(float));
    for (int i = 0; i < count; i++) n.angles[k][i] = 3 * bench_random() - 1.5f;
  }
  n.axes = malloc((size_t)count * sizeof(vec3));
  for (int i = 0; i < count; i++)
    for (int j = 0; j < 3; j++) n.axes[i][j] = bench_random() + 0.1f;
  n.world = aligned_alloc(32, ((size_t)segments + 1) * sizeof(mat4));
  glm_mat4_identity(n.world[0]);
  return n;
}

static void naive_free(naive *n) {
  for (int k = 0; k < poses_in_a_round; k++) free(n->angles[k]);
  free(n->axes);
  free(n->world);
}

static void run_naive(void *context, int times) {
  naive *n = context;
  for (int t = 0; t < times; t++) {
    const float *angle = n->angles[t % poses_in_a_round];
    vec3 *axis = n->axes;
    for (int s = 0; s < n->segments; s++) {
      mat4 product, turn;
      glm_mat4_copy(n->world[s], product);
      for (int r = 0; r < n->rotations; r++) {
        glm_rotate_make(turn, *angle++, *axis++);
        glm_mat4_mul(product, turn, product);
      }
      glm_mat4_copy(product, n->world[s + 1]);
    }
    bench_keep(n->world);
  }
}

static double bench_rig(const char *name, const sinew_rig *rig, void (*run)(void *, int),
                        int moved) {
  moving m = moving_make(rig, moved);
  sinew_pose_eval(m.pose, NULL);
  double ns = bench_time(name, run, &m);
  moving_free(&m);
  return ns;
}

/* against the naive loop, in turn with it; ns for both */
static void bench_against(const char *const names[2], const sinew_rig *rig, int segments,
                          int rotations, double dest[2]) {
  moving m = moving_make(rig, 0);
  naive n = naive_make(segments, rotations);
  sinew_pose_eval(m.pose, NULL);
  bench_pair(names, (void (*const[])(void *, int)){ run_all, run_naive }, (void *[]){ &m, &n },
             dest);
  moving_free(&m);
  naive_free(&n);
}

void bench_core(void) {
  sinew_rig *cervical = bench_spine(1, 7), *spine = bench_spine(3, 24);
  sinew_rig *chain = bench_body(75, 1), *body = bench_body(75, 2);
  double turns[2], moves[2], bodies[2];
  bench_rig("cervical spine, 7 vertebrae, 3 DOFs, 21 rotations", cervical, run_all, 0);
  bench_against(
      (const char *[]){ "spine, 72 rotations, all 9 DOFs moved", "naive cglm loop, 72 rotations" },
      spine, 24, 3, turns);
  moving one = moving_make(spine, 1), all = moving_make(spine, 0);
  sinew_pose_eval(one.pose, NULL);
  bench_pair((const char *[]){ "spine, one DOF of 9 moved", "spine, all 9, in turn with it" },
             (void (*const[])(void *, int)){ run_some, run_all }, (void *[]){ &one, &all }, moves);
  moving_free(&one);
  moving_free(&all);
  bench_rig("chain of 75 segments, one rotation each", chain, run_all, 0);
  bench_against((const char *[]){ "body75: 75 segments, 150 rotations, all DOFs moved",
                                  "N: naive cglm loop, 150 rotations" },
                body, 75, 2, bodies);
  bench_rig("body75, one DOF moved", body, run_some, 1);
  double world = bench_rig("body75, world transforms alone", body, run_world, 0);

  bench_ratio("spine, all DOFs / naive loop", turns[0] / turns[1], 1.0);
  bench_ratio("spine, one DOF of nine / all nine", moves[0] / moves[1], 1.0 / 3);
  bench_ratio("body75 / N", bodies[0] / bodies[1], 0);
  bench_ratio("world pass alone / N", world / bodies[1], 0);
  sinew_rig_destroy(cervical);
  sinew_rig_destroy(spine);
  sinew_rig_destroy(chain);
  sinew_rig_destroy(body);
}
