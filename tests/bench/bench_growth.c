/* How the cost grows: 1 to 1000 humans, posed one by one and in a batch, and bare bodies of 10 to
 * 10,000 segments. Prints a table and writes a plot to build/growth.svg. The larger cases do not
 * fit into the caches: a body of 10,000 segments has 6 MB of pose and 33 MB of rig. Measured ratios
 * were 1.05 to 1.6, higher when other cores were busy; their bounds are 2. */
#include "bench.h"
#include "bench_body.h"
#include "bench_count.h"
#include "bench_motion.h"
#include "bench_plot.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { sizes = 4 };

/* One point of a curve. `make` returns what is evaluated and its number of segments. `run`
 * continues at the step where it stopped last: a block has few steps if the rig is large, and
 * repeating the same few would be faster. */
typedef struct kind {
  void *(*make)(int size, int *segments);
  void (*run)(void *context, int times);
  void (*end)(void *context);
} kind;

typedef struct curve {
  const char *name, *of; /* what a size counts, such as humans */
  int size[sizes];
  const kind *kind;
  /* the cost of a segment at the largest size over that at `from`, and its bound */
  int from;
  double at_most;
} curve;

typedef struct crowd {
  sinew_host *host;
  motion steps; /* every pose takes its values from a different step of this motion */
  int count, step;
  sinew_pose **poses;
} crowd;

static void *make_crowd(int size, int *segments) {
  sinew_error error;
  crowd *c = malloc(sizeof *c);
  c->host = bench_load("rigs/human.lua");
  const sinew_rig *rig = sinew_host_rig(c->host);
  c->steps = motion_random(rig, 0);
  c->count = size, c->step = 0;
  c->poses = malloc((size_t)size * sizeof(sinew_pose *));
  for (int i = 0; i < size; i++) {
    c->poses[i] = sinew_pose_create(rig, &error);
    bench_check(c->poses[i] != NULL, &error);
  }
  *segments = size * sinew_rig_segment_count(rig);
  return c;
}

static void run_crowd(void *context, int times) {
  crowd *c = context;
  for (int t = 0; t < times; t++, c->step++)
    for (int i = 0; i < c->count; i++) {
      const float *values = c->steps.values[(c->step + i) % motion_steps];
      sinew_pose_set_all(c->poses[i], values, c->steps.dofs, NULL);
      sinew_pose_eval(c->poses[i], NULL);
    }
}

static void end_crowd(void *context) {
  crowd *c = context;
  for (int i = 0; i < c->count; i++) sinew_pose_destroy(c->poses[i]);
  free(c->poses);
  motion_free(&c->steps);
  sinew_host_destroy(c->host);
  free(c);
}

typedef struct flock {
  sinew_host *host;
  sinew_batch *batch;
  float *dofs, *worlds;
  int count, dof_count, step;
} flock;

/* holds as many extra characters as there are steps: each step starts one character further on */
static void *make_flock(int size, int *segments) {
  sinew_error error;
  flock *f = malloc(sizeof *f);
  f->host = bench_load("rigs/human.lua");
  const sinew_rig *rig = sinew_host_rig(f->host);
  f->batch = sinew_batch_create(rig, NULL, &error);
  bench_check(f->batch != NULL, &error);
  motion steps = motion_random(rig, 0);
  f->count = size, f->dof_count = steps.dofs, f->step = 0;
  *segments = size * sinew_rig_segment_count(rig);
  size_t row = (size_t)steps.dofs * sizeof(float);
  f->dofs = malloc((size_t)(size + motion_steps) * row);
  f->worlds = malloc((size_t)*segments * 16 * sizeof(float));
  for (int i = 0; i < size + motion_steps; i++)
    memcpy(f->dofs + i * steps.dofs, steps.values[i % motion_steps], row);
  motion_free(&steps);
  return f;
}

static void run_flock(void *context, int times) {
  flock *f = context;
  for (int t = 0; t < times; t++, f->step++) {
    const float *dofs = f->dofs + f->step % motion_steps * f->dof_count;
    sinew_batch_eval(f->batch, dofs, f->count, f->worlds, NULL);
    bench_keep(f->worlds);
  }
}

static void end_flock(void *context) {
  flock *f = context;
  sinew_batch_destroy(f->batch);
  sinew_host_destroy(f->host);
  free(f->dofs);
  free(f->worlds);
  free(f);
}

typedef struct whole {
  sinew_rig *rig;
  motion steps;
  int step;
} whole;

static void *make_whole(int size, int limb, int *segments) {
  whole *w = malloc(sizeof *w);
  body b = body_make(size, 2, limb);
  w->rig = body_rig(&b);
  w->steps = motion_random(w->rig, 0), w->step = 0;
  body_free(&b);
  *segments = size;
  return w;
}
static void *make_tree(int size, int *segments) { return make_whole(size, 15, segments); }
static void *make_chain(int size, int *segments) { return make_whole(size, size, segments); }

static void run_whole(void *context, int times) {
  whole *w = context;
  for (int t = 0; t < times; t++, w->step++) {
    sinew_pose_set_all(w->steps.pose, w->steps.values[w->step % motion_steps], w->steps.dofs, NULL);
    sinew_pose_eval(w->steps.pose, NULL);
  }
}

static void end_whole(void *context) {
  whole *w = context;
  motion_free(&w->steps);
  sinew_rig_destroy(w->rig);
  free(w);
}

static const kind humans = { make_crowd, run_crowd, end_crowd };
static const kind flocks = { make_flock, run_flock, end_flock };
static const kind trees = { make_tree, run_whole, end_whole };
static const kind chains = { make_chain, run_whole, end_whole };

/* To add a curve, add a row, up to plot_curves. */
static const curve curves[] = {
  { "humans, one after the other", "humans", { 1, 10, 100, 1000 }, &humans, 1, 2 },
  { "humans, in a batch", "humans", { 1, 10, 100, 1000 }, &flocks, 100, 2 },
  { "bare bodies, limbs of 15", "segments", { 10, 100, 1000, 10000 }, &trees, 100, 2 },
  { "bare bodies, one chain", "segments", { 10, 100, 1000, 10000 }, &chains, 100, 2 },
};

static void bench_curve(const curve *c, plot_curve *dest) {
  int segments[sizes];
  char names[sizes][64];
  const char *name[sizes];
  void *contexts[sizes];
  void (*run[sizes])(void *, int);
  bench_spent spent[sizes];
  double segment[sizes], from = 0;
  for (int i = 0; i < sizes; i++) {
    contexts[i] = c->kind->make(c->size[i], &segments[i]);
    snprintf(names[i], sizeof names[i], "%s: %d", c->name, c->size[i]);
    name[i] = names[i], run[i] = c->kind->run;
  }
  bench_interleaved(sizes, name, run, contexts, spent);
  printf("  %10s %12s %14s %14s %14s\n", c->of, "segments", "all, us", "each, ns", "a segment, ns");
  *dest = (plot_curve){ .name = c->name, .count = sizes };
  for (int i = 0; i < sizes; i++) {
    segment[i] = spent[i].least / segments[i];
    if (c->size[i] == c->from) from = segment[i];
    printf("  %10d %12d %14.2f %14.1f %14.1f\n", c->size[i], segments[i], spent[i].least / 1e3,
           spent[i].least / c->size[i], segment[i]);
    dest->x[i] = segments[i], dest->y[i] = spent[i].least / 1e3;
    c->kind->end(contexts[i]);
  }
  char ratio[96];
  snprintf(ratio, sizeof ratio, "%s: a segment at %d / at %d", c->name, c->size[sizes - 1],
           c->from);
  bench_ratio(ratio, segment[sizes - 1] / from, c->at_most);
}

void bench_growth(void) {
  static const char path[] = "build/growth.svg";
  plot p = { .title = "Time of one evaluation, every DOF moved, one thread",
             .x_label = "segments in all",
             .y_label = "microseconds",
             .count = sizeof curves / sizeof *curves };
  for (int i = 0; i < p.count; i++) bench_curve(&curves[i], &p.curves[i]);
  if (!plot_write(&p, path)) fprintf(stderr, "bench: cannot write %s\n", path);
}
