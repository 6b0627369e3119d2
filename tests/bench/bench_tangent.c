/* Derivatives of the human rig with respect to all its DOFs, and those that solving for an arm
 * needs, against plain evaluations of the same poses in the same run. */
#include "bench.h"

#include <sinew/host.h>

enum { poses_in_a_round = 64, most_dofs = 256 };

typedef struct figure {
  sinew_pose *pose;
  sinew_tangent *tangent;
  int dofs;
  float values[poses_in_a_round][most_dofs];
} figure;

static void pose_next(figure *f, int i) {
  sinew_pose_set_all(f->pose, f->values[i % poses_in_a_round], f->dofs, NULL);
}

static void run_plain(void *context, int times) {
  figure *f = context;
  for (int i = 0; i < times; i++) {
    pose_next(f, i);
    sinew_pose_eval(f->pose, NULL);
  }
  bench_keep(sinew_pose_worlds(f->pose));
}

/* includes the evaluation of the pose, which is subtracted below */
static void run_tangent(void *context, int times) {
  figure *f = context;
  for (int i = 0; i < times; i++) {
    pose_next(f, i);
    sinew_tangent_eval(f->tangent, f->pose, NULL);
  }
  bench_keep(f->tangent);
}

static double bench_against_plain(figure *f, const char *name, const sinew_tangent_desc *desc) {
  sinew_error error;
  double ns[2];
  f->tangent = sinew_tangent_create(sinew_pose_rig(f->pose), desc, &error);
  bench_check(f->tangent != NULL, &error);
  bench_check(sinew_tangent_eval(f->tangent, f->pose, &error) >= 0, &error);
  bench_pair((const char *[]){ name, "human, plain evaluation, in turn with it" },
             (void (*const[])(void *, int)){ run_tangent, run_plain }, (void *[]){ f, f }, ns);
  sinew_tangent_destroy(f->tangent);
  return (ns[0] - ns[1]) / ns[1];
}

void bench_tangent(void) {
  static figure f;
  sinew_error error;
  sinew_host_desc desc = sinew_default_host_desc();
  desc.modules = "lua";
  sinew_host *host = sinew_host_create(&desc, &error);
  bench_check(host != NULL, &error);
  bench_check(sinew_host_load(host, "rigs/human.lua", &error) >= 0, &error);
  const sinew_rig *rig = sinew_host_rig(host);
  f.pose = sinew_host_pose(host);
  f.dofs = sinew_rig_dof_count(rig);
  for (int k = 0; k < poses_in_a_round; k++)
    for (int i = 0; i < f.dofs && i < most_dofs; i++) {
      sinew_dof_info dof = sinew_rig_dof_info(rig, sinew_rig_dof(rig, i));
      f.values[k][i] = dof.min + (dof.max - dof.min) * bench_random();
    }
  double all = bench_against_plain(&f, "human, derivatives by all DOFs, all segments", NULL);
  sinew_segment hand = sinew_rig_find_segment(rig, "metacarpal_index_r", &error);
  bench_check(hand.id != 0, &error);
  double one = bench_against_plain(&f, "human, derivatives by all DOFs, one hand",
                                   &(sinew_tangent_desc){ .size = sizeof(sinew_tangent_desc),
                                                          .segments = &hand,
                                                          .segment_count = 1 });
  bench_ratio("derivatives by all n DOFs / n plain evaluations", all / f.dofs, 1.0 / 3);
  bench_ratio("derivatives by all DOFs / one plain evaluation", all, 0);
  bench_ratio("derivatives of one hand / one plain evaluation", one, 0);
  sinew_host_destroy(host);
}
