/* The human of rigs/human.lua against the naive loop N: with all limits, with one finger only, and
 * the share of one evaluation that its cones and its gliding shoulder blades take. */
#include "bench.h"
#include "bench_count.h"
#include "bench_motion.h"
#include "limits/cone_internal.h"
#include "compile/fuse.h"
#include "evaluate/pose_internal.h"

#include <stdio.h>
#include <string.h>

static void against_naive(const char *name, void (*run)(void *, int), motion *m, const char *ratio,
                          double at_most) {
  naive n = naive_make(75, 2);
  double ns[2];
  sinew_pose_eval(m->pose, NULL);
  bench_pair((const char *[]){ name, "N, in turn with it" },
             (void (*const[])(void *, int)){ run, naive_run }, (void *[]){ m, &n }, ns);
  bench_ratio(ratio, ns[0] / ns[1], at_most);
  naive_free(&n);
}

static void leave_out(const sinew_node *node, float *values) { (void)node, (void)values; }

/* The time that the components of one kind take in an evaluation on smooth motion: the difference
 * between two poses, in one of which `instead` runs in their place. */
static double share(const char *path, const char *kind, float reach,
                    void (*instead)(const sinew_node *node, float *values), double at_most) {
  sinew_host *host = bench_load(path), *other = bench_load(path);
  sinew_rig *rig = sinew_host_rig(other);
  motion whole = motion_smooth(sinew_host_rig(host), reach), part = motion_smooth(rig, reach);
  for (int k = 0; k < motion_steps; k++)
    memcpy(part.values[k], whole.values[k], (size_t)whole.dofs * sizeof(float));
  motion_run_all(&part, 1);
  rig->fused->group_runs = 0; /* they then run one by one */
  for (uint32_t i = 0; i < rig->node_count; i++) {
    const si_component *c = &rig->model.components[rig->nodes[i].component - 1];
    if (strcmp(c->cls->name, kind) == 0) rig->nodes[i].eval = instead;
  }
  char names[2][64], ratio[64];
  snprintf(names[0], sizeof names[0], "human, smooth motion, %.0f%% of its ranges",
           100 * (double)reach);
  snprintf(names[1], sizeof names[1], "  without %s", kind[0] == 'c' ? "cones" : "slides");
  snprintf(ratio, sizeof ratio, "share of all %ss, %.0f%% of the ranges", kind,
           100 * (double)reach);
  double ns[2];
  bench_pair((const char *[]){ names[0], names[1] },
             (void (*const[])(void *, int)){ motion_run_all, motion_run_all },
             (void *[]){ &whole, &part }, ns);
  bench_ratio(ratio, 1 - ns[1] / ns[0], at_most);
  motion_free(&whole);
  motion_free(&part);
  sinew_host_destroy(host);
  sinew_host_destroy(other);
  return ns[0];
}

void bench_human(void) {
  static const char path[] = "rigs/human.lua";
  sinew_host *host = bench_load(path);
  const sinew_rig *rig = sinew_host_rig(host);
  sinew_error error;
  motion all = motion_random(rig, 0), finger = motion_random(rig, 1);
  sinew_dof curl = sinew_rig_find_dof(rig, "right_hand.index_curl", &error);
  bench_check(curl.id != 0, &error);
  finger.first = (int)curl.id - 1;
  against_naive("human, all DOFs random", motion_run_all, &all, "human / N", 1.2);
  against_naive("human, one DOF of one finger", motion_run_some, &finger, "one finger / N", 0.08);
  /* A cone against the same swing and twist without limits, a slide against nothing. Every DOF
   * moves to and fro in 64 steps, and each cone's hint is the slice of the previous step. Measured
   * over half of the ranges, where people move, and over the full ranges, where two of five cones
   * limit */
  share(path, "cone", 0.5f, si_cone_bare, 0.04);
  share(path, "cone", 1, si_cone_bare, 0);
  double whole = share(path, "slide", 0.5f, leave_out, 0);
  /* each has two roots */
  bench_ratio("share of both shoulder blades' roots", 4 * bench_slide_root() / whole, 0.08);
  motion_free(&all);
  motion_free(&finger);
  sinew_host_destroy(host);
}
