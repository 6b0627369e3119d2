/* The batch inside: its program, made from the rig's fused one, and one worker for each thread. The
 * kernels stand in lanes/, compiled once for each set of instructions.
 *
 * Characters go through the program in blocks of as many as there are lanes. Every value has the
 * place that it has in a pose's value array, but is as many floats wide. Products of turns that
 * drive a segment go straight into the world transforms, which need to be kept for the segments
 * above only, and leave for the caller's buffer at once. */
#ifndef SI_BATCH_INTERNAL_H
#define SI_BATCH_INTERNAL_H

#include "compile/fuse.h"
#include "compile/products_of_four.h"
#include "compile/rig_internal.h"
#include "sinew/batch.h"
#include "sinew/pose.h"

typedef struct si_worker si_worker;
typedef void (*si_lane_kernel)(const sinew_node *node, si_worker *worker);

/* One step: a product of turns, or a component. */
typedef struct si_lane_step {
  si_lane_kernel run; /* NULL: a product */
  const sinew_node *node;
  uint32_t product;
} si_lane_step;

/* One segment, in the rig's own order. */
typedef struct si_lane_segment {
  uint32_t here;    /* the place of its world transform, which others get after its last child */
  uint32_t parent;  /* that of its parent's, or SI_NONE */
  uint32_t product; /* that drives it and nothing else, or SI_NONE */
  uint32_t local;   /* where its driven matrix stands in the value array, or SI_NONE */
  uint32_t slot;    /* of the tree */
  bool turned;      /* its rest transform does more than move */
  bool last;        /* nothing hangs on it */
} si_lane_segment;

/* Instructions, and what is compiled for them. `block` evaluates as many characters as there are
 * lanes, from one row of DOFs each to one row of world matrices each, and returns a bit for each
 * that a pose must judge. */
typedef struct si_lane_set {
  const char *instructions;
  int width;
  si_lane_kernel (*kernel)(const sinew_component_class *cls);
  unsigned (*block)(const sinew_batch *batch, si_worker *worker, const float *const *rows,
                    float *const *outs);
} si_lane_set;

extern const si_lane_set si_lanes_four;
extern const si_lane_set si_lanes_eight; /* width 0: not for this machine */

/* How a turn's matrix looks: a turn about an axis and nothing else, the half of whose matrix says
 * the other; or anything, as when the rest transform before it turns as well. */
enum {
  SI_TURN_PURE = 1,
  SI_TURN_MOVES = 2, /* it moves too */
  SI_TURN_FAR = 4,   /* its centre moves with the angle */
  SI_TURN_FREE = 8,  /* the first of four that have neither a range nor a rest angle */
};

/* A product of two or three turns by its links (products_of_four.h): the constants of one of a quad's lanes,
 * in the order in which they are wanted. */
typedef struct si_linked {
  _Alignas(16) float first[3][3][4]; /* of each row: p, q and x of its four entries */
  float last[4];                     /* cosine and sine */
  float link[SI_QUAD_TURNS - 1][8];  /* of each turn but the first: v; cosine and sine of b; then
                                      * cosine and negative sine of what is added to its angle */
  uint32_t sincos;                   /* where the sine of its first turn stands, in numbers */
  uint32_t turns;                    /* 0: it is none of a quad that works */
} si_linked;

struct si_worker {
  float *values; /* the rig's value array, in lanes */
  float *sincos; /* of every turn, in lanes */
  float *worlds; /* world transforms that are still needed, in lanes, 12 numbers each */
  float *single; /* a value array of one character, for what has no kernel in lanes */
  float *spare;  /* world matrices of lanes that nobody is in */
  const sinew_rig *rig;
  unsigned used;     /* a bit for each lane that a character is in */
  unsigned failed;   /* a bit for each lane in which a component failed */
  sinew_pose *judge; /* evaluates whoever may have failed */
  bool clamped;
  int failed_at; /* the first character that failed; -1: none */
  sinew_error why;
};

struct sinew_batch {
  const sinew_rig *rig;
  const si_lane_set *set;
  struct si_thread_pool *pool; /* NULL: one thread */
  si_worker *workers;
  int worker_count;
  si_lane_step *steps;
  uint32_t step_count;
  uint32_t early; /* steps that come before the turns */
  si_lane_segment *segments;
  uint32_t places;   /* of world transforms */
  uint8_t *kinds;    /* of each turn */
  si_linked *linked; /* for each product */
  float *undriven;   /* world matrices of a character that failed */
  uint32_t revision;
};

/* Lays the program out, in a batch whose rig and instructions are set; false when memory is out. */
bool si_batch_plan(sinew_batch *batch);
void si_batch_plan_free(sinew_batch *batch);
/* Takes over what a live change of the rig has made of its constants. */
void si_batch_refresh(sinew_batch *batch);

#endif
