/* Other libraries on body75: 75 segments, 150 rotations about centres of their own. A program in
 * this folder gives its libraries that body; here they are checked against Sinew's rig of it and
 * timed, in turn with Sinew and with the naive loop N. */
#ifndef PEER_H
#define PEER_H

#include "bench.h"
#include "bench_body.h"

#ifdef __cplusplus
extern "C" {
#endif

enum { peer_steps = 64, peer_turns = 150 };

/* Where a segment is in the world: its axes as the columns of a turn, and its origin. */
typedef struct peer_place {
  double turn[3][3]; /* [row][column] */
  double at[3];
} peer_place;

typedef struct peer {
  const char *name;
  double at_most; /* what Sinew's time over this one's must not exceed; 0: no bound */
  void *context;
  /* takes the angles of steps 0, 1, 2 ... in turn and places all segments for each */
  void (*run)(void *context, int times);
  /* where the last step of a run left a segment */
  peer_place (*place)(void *context, int segment);
} peer;

const body *peer_body(void);
/* All angles of a step in radians, those of a segment after one another; `step` may be any count.
 */
const double *peer_angles(int step);

/* What a program's main does: checks and times these, and writes the table to `csv`; its exit
 * code. */
int peer_compare(const char *csv, const peer *peers, int count, int argc, char **argv);

#ifdef __cplusplus
}
#endif
#endif
