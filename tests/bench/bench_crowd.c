/* A batch of solves: a thousand men who put their right hands on things, against one solver that
 * takes them one by one. */
#include "bench_posing.h"

#include <stdlib.h>
#include <string.h>

enum { characters = 1000, most_threads = 2, rounds = 5 };
static const char *const arm = "right_shoulder right_elbow right_wrist";

typedef struct crowd {
  posing *p;
  sinew_solver *solver;
  sinew_solve_batch *batch;
  sinew_goal *goals;
  float *dofs, *rest;
  int count;
} crowd;

static void run_single(void *context) {
  crowd *c = context;
  for (int i = 0; i < c->count; i++) {
    sinew_pose_reset(c->p->pose);
    sinew_solver_set_goal(c->solver, 0, &c->goals[i], NULL);
    sinew_solver_solve(c->solver, c->p->pose, NULL, NULL, NULL);
  }
}

static void run_batch(void *context) {
  crowd *c = context;
  int stride = sinew_rig_dof_count(c->p->rig);
  for (int i = 0; i < c->count; i++)
    memcpy(c->dofs + (size_t)i * (size_t)stride, c->rest, sizeof(float) * (size_t)stride);
  sinew_solve_batch_run(c->batch, c->dofs, stride, c->goals, c->count, NULL, NULL, NULL);
}

void bench_crowd(posing *p) {
  static const char *const names[] = { "batch, a thousand solves on one thread",
                                       "batch, a thousand solves on two threads" };
  static const char *const ratios[] = { "batch, one thread: a character / a single solve",
                                        "batch, two threads: a character / a single solve" };
  sinew_error error;
  sinew_segment hand = posing_segment(p, "carpus_r");
  size_t stride = (size_t)sinew_rig_dof_count(p->rig);
  crowd c = { .p = p, .count = bench_smoke() ? 5 : characters };
  c.goals = malloc(characters * sizeof *c.goals);
  c.dofs = malloc(characters * stride * sizeof(float));
  c.rest = malloc(stride * sizeof(float));
  p->random = 7;
  for (int i = 0; i < characters; i++) {
    posing_scatter(p, p->model, arm);
    c.goals[i] = posing_point(p->model, hand);
  }
  sinew_pose_reset(p->pose);
  memcpy(c.rest, sinew_pose_dofs(p->pose), stride * sizeof(float));
  c.solver = posing_solver(p, c.goals, 1, NULL, false);
  sinew_solver_desc desc = sinew_default_solver_desc();
  desc.goals = c.goals, desc.goal_count = 1;
  for (int threads = 1; threads <= most_threads; threads++) {
    c.batch = sinew_solve_batch_create(p->rig, &desc, threads, &error);
    bench_check(c.batch != NULL, &error);
    double single = bench_once("a thousand single solves", run_single, &c, rounds);
    double together = bench_once(names[threads - 1], run_batch, &c, rounds);
    bench_ratio(ratios[threads - 1], together / single, 0);
    sinew_solve_batch_destroy(c.batch);
  }
  sinew_solver_destroy(c.solver);
  free(c.rest);
  free(c.dofs);
  free(c.goals);
}
