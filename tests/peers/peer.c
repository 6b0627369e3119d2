/* Checks and times other libraries on body75; see peer.h. */
#include "peer.h"

#include "bench_motion.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { most_peers = 4 };
_Static_assert((int)peer_steps == (int)motion_steps, "peers take the steps that Sinew takes");
/* tolerance: metres of a position, and parts of a unit axis */
static const double same = 1e-4;

static body described;
static sinew_rig *rig;
static motion moved;
static double angles[peer_steps][peer_turns];

static void prepare(void) {
  if (rig) return;
  described = body_make(75, 2, 15);
  rig = body_rig(&described);
  moved = motion_random(rig, 0);
  if (moved.dofs != peer_turns) abort();
  for (int k = 0; k < peer_steps; k++)
    for (int i = 0; i < peer_turns; i++) angles[k][i] = (double)moved.values[k][i] * (M_PI / 180);
}

const body *peer_body(void) {
  prepare();
  return &described;
}

const double *peer_angles(int step) {
  prepare();
  return angles[step % peer_steps];
}

static double apart(const float *ours, const peer_place *theirs) {
  double most = 0;
  for (int row = 0; row < 3; row++) {
    for (int col = 0; col < 3; col++)
      most = fmax(most, fabs((double)ours[4 * col + row] - theirs->turn[row][col]));
    most = fmax(most, fabs((double)ours[12 + row] - theirs->at[row]));
  }
  /* fmax ignores NaN */
  for (int k = 0; k < 3; k++)
    if (!isfinite(theirs->at[k]) || !isfinite(theirs->turn[k][k])) return INFINITY;
  return most;
}

/* the largest difference between its segments and Sinew's, after each number of steps */
static double farthest(const peer *p) {
  double most = 0;
  for (int k = 0; k < peer_steps; k++) {
    motion_run_all(&moved, k + 1);
    p->run(p->context, k + 1);
    for (int s = 0; s < described.segments; s++) {
      peer_place place = p->place(p->context, s);
      most = fmax(most, apart(sinew_pose_world(moved.pose, sinew_rig_segment(rig, s)), &place));
    }
  }
  return most;
}

static void ratios(const char *name, const bench_spent *spent, const bench_spent *n, double most) {
  char text[80];
  snprintf(text, sizeof text, "%s / N", name);
  bench_ratio(text, spent->least / n->least, most);
  snprintf(text, sizeof text, "%s / N, median", name);
  bench_ratio(text, spent->median / n->median, 0);
}

static void time_all(const peer *peers, int count) {
  naive n = naive_make(described.segments, described.rotations);
  const char *names[2 + most_peers] = { "Sinew, body75", "N, in turn with it" };
  void (*run[2 + most_peers])(void *, int) = { motion_run_all, naive_run };
  void *contexts[2 + most_peers] = { &moved, &n };
  bench_spent spent[2 + most_peers];
  for (int i = 0; i < count; i++) {
    names[2 + i] = peers[i].name;
    run[2 + i] = peers[i].run, contexts[2 + i] = peers[i].context;
  }
  bench_interleaved(2 + count, names, run, contexts, spent);
  ratios("body75", &spent[0], &spent[1], 0.5);
  for (int i = 0; i < count; i++) {
    char text[80];
    ratios(peers[i].name, &spent[2 + i], &spent[1], 0);
    snprintf(text, sizeof text, "body75 / %s", peers[i].name);
    bench_ratio(text, spent[0].least / spent[2 + i].least, peers[i].at_most);
  }
  naive_free(&n);
}

int peer_compare(const char *csv, const peer *peers, int count, int argc, char **argv) {
  prepare();
  if (count > most_peers) abort();
  bench_open(csv, argc > 1 && strcmp(argv[1], "--smoke") == 0);
  bool alike = true;
  for (int i = 0; i < count; i++) {
    double most = farthest(&peers[i]);
    printf("%s: every segment within %.1e of Sinew's, over %d poses\n", peers[i].name, most,
           peer_steps);
    alike = alike && most <= same;
  }
  if (alike)
    time_all(peers, count);
  else
    fprintf(stderr, "peers: that is not the same body, so it is not timed; at most %g\n", same);
  motion_free(&moved);
  sinew_rig_destroy(rig);
  body_free(&described);
  return bench_close() || !alike;
}
