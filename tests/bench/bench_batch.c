/* The batch: a thousand characters, each in a different pose, against the naive loop N. */
#include "bench.h"
#include "bench_count.h"
#include "bench_motion.h"
#include "bench_rigs.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

enum { characters = 1000 };

typedef struct crowd {
  sinew_batch *batch;
  float *dofs, *worlds;
} crowd;

/* random values for every DOF of every character */
static crowd crowd_make(const sinew_rig *rig, int lanes, int threads) {
  sinew_error error;
  sinew_batch_desc desc = { .size = sizeof desc, .lanes = lanes, .threads = threads };
  crowd c = { .batch = sinew_batch_create(rig, &desc, &error) };
  bench_check(c.batch != NULL, &error);
  size_t dofs = (size_t)sinew_rig_dof_count(rig), segments = (size_t)sinew_rig_segment_count(rig);
  c.dofs = malloc(characters * dofs * sizeof(float));
  c.worlds = aligned_alloc(64, characters * segments * 16 * sizeof(float));
  for (size_t i = 0; i < characters * dofs; i++) {
    sinew_dof_info info = sinew_rig_dof_info(rig, sinew_rig_dof(rig, (int)(i % dofs)));
    float low = info.min > -360 ? info.min : -360, high = info.max < 360 ? info.max : 360;
    c.dofs[i] = low + bench_random() * (high - low);
  }
  return c;
}

static void crowd_free(crowd *c) {
  sinew_batch_destroy(c->batch);
  free(c->dofs);
  free(c->worlds);
}

static void crowd_run(void *context, int times) {
  crowd *c = context;
  for (int i = 0; i < times; i++) {
    sinew_batch_eval(c->batch, c->dofs, characters, c->worlds, NULL);
    bench_keep(c->worlds);
  }
}

/* N for every character would take too long: run it for a hundredth of them */
static void naive_some(void *context, int times) { naive_run(context, 10 * times); }

static void against_naive(const sinew_rig *rig, const char *who, int lanes, double at_most) {
  char name[96], ratio[96];
  crowd c = crowd_make(rig, lanes, 1);
  naive n = naive_make(75, 2);
  double ns[2];
  const char *how = sinew_batch_instructions(c.batch);
  snprintf(name, sizeof name, "%s, batch of %d, %s", who, characters, how);
  snprintf(ratio, sizeof ratio, "%s in a batch, %s / N", who, how);
  bench_pair((const char *[]){ name, "ten N, in turn with it" },
             (void (*const[])(void *, int)){ crowd_run, naive_some }, (void *[]){ &c, &n }, ns);
  bench_ratio(ratio, ns[0] / characters / (ns[1] / 10), at_most);
  naive_free(&n);
  crowd_free(&c);
}

static bool has_eight(const sinew_rig *rig) {
  sinew_batch *batch = sinew_batch_create(rig, NULL, NULL);
  bool eight = batch && sinew_batch_lanes(batch) == 8;
  sinew_batch_destroy(batch);
  return eight;
}

/* one batch right after the other, as in a bake. Between the frames of a game the second thread
 * sleeps, and waking it costs as much as some hundred characters */
static void crowd_run_many(void *context, int times) { crowd_run(context, 8 * times); }

static void two_threads(const sinew_rig *rig, const char *who) {
  char name[96];
  crowd one = crowd_make(rig, 0, 1), two = crowd_make(rig, 0, 2);
  double ns[2];
  snprintf(name, sizeof name, "%s, two threads / one, batch of %d", who, characters);
  bench_pair_wall((const char *[]){ "eight batches on two threads", "eight batches on one thread" },
                  (void (*const[])(void *, int)){ crowd_run_many, crowd_run_many },
                  (void *[]){ &two, &one }, ns);
  bench_ratio(name, ns[0] / ns[1], 0.55);
  crowd_free(&one);
  crowd_free(&two);
}

void bench_batch(void) {
  sinew_rig *body = bench_body(75, 2);
  sinew_host *host = bench_load("rigs/human.lua");
  const sinew_rig *human = sinew_host_rig(host);
  bool eight = has_eight(body);
  if (eight) against_naive(body, "body75", 8, 0.12);
  against_naive(body, "body75", 4, 0.25);
  if (eight) against_naive(human, "human", 8, 0.4);
  against_naive(human, "human", 4, 0);
  two_threads(body, "body75");
  two_threads(human, "human");
  sinew_host_destroy(host);
  sinew_rig_destroy(body);
}
