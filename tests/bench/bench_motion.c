/* Stepping poses through prepared values, and the naive loop; see bench_motion.h. */
#include "bench_motion.h"

#include "bench.h"
#include "compile/hierarchy.h"
#include "evaluate/pose_internal.h"

#include <stdlib.h>

static motion make(const sinew_rig *rig, int moved) {
  sinew_error error;
  motion m = { .pose = sinew_pose_create(rig, &error),
               .dofs = sinew_rig_dof_count(rig),
               .moved = moved,
               .first = sinew_rig_dof_count(rig) - moved };
  bench_check(m.pose != NULL, &error);
  for (int k = 0; k < motion_steps; k++) m.values[k] = malloc((size_t)m.dofs * sizeof(float));
  return m;
}

motion motion_random(const sinew_rig *rig, int moved) {
  motion m = make(rig, moved);
  for (int k = 0; k < motion_steps; k++)
    for (int i = 0; i < m.dofs; i++) {
      sinew_dof_info dof = sinew_rig_dof_info(rig, sinew_rig_dof(rig, i));
      m.values[k][i] = dof.min + (dof.max - dof.min) * bench_random();
    }
  return m;
}

motion motion_smooth(const sinew_rig *rig, float reach) {
  motion m = make(rig, 0);
  for (int i = 0; i < m.dofs; i++) {
    sinew_dof_info dof = sinew_rig_dof_info(rig, sinew_rig_dof(rig, i));
    float phase = 6.2832f * bench_random();
    for (int k = 0; k < motion_steps; k++) {
      float way = reach * sinf(phase + 6.2832f * (float)k / motion_steps);
      m.values[k][i] = dof.rest + way * (way > 0 ? dof.max - dof.rest : dof.rest - dof.min);
    }
  }
  return m;
}

void motion_free(motion *m) {
  for (int k = 0; k < motion_steps; k++) free(m->values[k]);
  sinew_pose_destroy(m->pose);
}

void motion_run_all(void *context, int times) {
  motion *m = context;
  for (int i = 0; i < times; i++) {
    sinew_pose_set_all(m->pose, m->values[i % motion_steps], m->dofs, NULL);
    sinew_pose_eval(m->pose, NULL);
  }
  bench_keep(sinew_pose_worlds(m->pose));
}

void motion_run_some(void *context, int times) {
  motion *m = context;
  const sinew_rig *rig = sinew_pose_rig(m->pose);
  for (int i = 0; i < times; i++) {
    for (int k = m->first; k < m->first + m->moved; k++)
      sinew_pose_set(m->pose, sinew_rig_dof(rig, k), m->values[i % motion_steps][k], NULL);
    sinew_pose_eval(m->pose, NULL);
  }
  bench_keep(sinew_pose_worlds(m->pose));
}

void motion_run_world(void *context, int times) {
  motion *m = context;
  const sinew_rig *rig = m->pose->rig;
  for (int i = 0; i < times; i++) {
    si_tree_world(rig, m->pose->values, m->pose->world, 0, rig->model.segment_count);
    bench_keep(m->pose->world);
  }
}

naive naive_make(int segments, int rotations) {
  naive n = { .segments = segments, .rotations = rotations };
  int count = segments * rotations;
  for (int k = 0; k < motion_steps; k++) {
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

void naive_free(naive *n) {
  for (int k = 0; k < motion_steps; k++) free(n->angles[k]);
  free(n->axes);
  free(n->world);
}

void naive_run(void *context, int times) {
  naive *n = context;
  for (int t = 0; t < times; t++) {
    const float *angle = n->angles[t % motion_steps];
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
