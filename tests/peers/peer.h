/* Other libraries on body75: 75 segments, 150 rotations about centres of their own. A program in
 * this folder builds that body in its library; this file checks it against Sinew's rig and times
 * it, interleaved with Sinew and the naive loop N. */
#ifndef PEER_H
#define PEER_H

#include "bench.h"
#include "bench_body.h"

#ifdef __cplusplus
extern "C" {
#endif

enum { peer_steps = 64, peer_turns = 150 };

/* The world transform of a segment: its axes as the columns of a rotation, and its origin. */
typedef struct peer_place {
  double turn[3][3]; /* [row][column] */
  double at[3];
} peer_place;

typedef struct peer {
  const char *name;
  double at_most; /* the bound of Sinew's time over this library's; 0: none */
  void *context;
  /* takes the angles of the steps 0, 1, 2 ... and places all segments for each */
  void (*run)(void *context, int times);
  /* the transform of a segment after the last step of a run */
  peer_place (*place)(void *context, int segment);
} peer;

const body *peer_body(void);
/* All angles of a step in radians, segment by segment; `step` may be any count. */
const double *peer_angles(int step);

/* The main of each program: checks and times these, and writes the table to `csv`. Returns the exit
 * code. */
int peer_compare(const char *csv, const peer *peers, int count, int argc, char **argv);

#ifdef __cplusplus
}
#endif
#endif
