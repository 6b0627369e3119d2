/* Internals of the batch: its program, made from the rig's fused program, and one worker for each
 * thread. The kernels are in lanes/, compiled once for each instruction set.
 *
 * A block is as many characters as there are lanes; it goes through the whole program at once. A
 * value has the same index as in a pose's value array, but holds one float for each lane. Products
 * of rotations that drive a segment go straight into the world transforms. A world transform is
 * written to the caller's buffer at once, and kept only until the last child has read it. */
#ifndef SI_BATCH_INTERNAL_H
#define SI_BATCH_INTERNAL_H

#include "compile/fuse.h"
#include "compile/products_of_four.h"
#include "compile/rig_internal.h"
#include "sinew/batch.h"
#include "sinew/pose.h"

typedef struct si_worker si_worker;
typedef void (*si_lane_kernel)(const sinew_node *node, si_worker *worker);

/* One step: a product of rotations, or a component. */
typedef struct si_lane_step {
  si_lane_kernel run; /* NULL: a product */
  const sinew_node *node;
  uint32_t product;
} si_lane_step;

/* One segment, in the rig's own order. */
typedef struct si_lane_segment {
  uint32_t here;    /* index of its world transform in `worlds`; reused after its last child */
  uint32_t parent;  /* the same of its parent, or SI_NONE */
  uint32_t product; /* the product that drives it and nothing else, or SI_NONE */
  uint32_t local;   /* where its driven matrix is stored in the value array, or SI_NONE */
  uint32_t slot;    /* its slot in the tree */
  bool rotated;     /* its rest transform is not just a translation */
  bool last;        /* it has no children */
} si_lane_segment;

/* An instruction set and the functions compiled for it. `block` evaluates one character for each
 * lane, from a row of DOFs to a row of world matrices. It returns a bit for each lane that a pose
 * must evaluate again. */
typedef struct si_lane_set {
  const char *instructions;
  int width;
  si_lane_kernel (*kernel)(const sinew_component_class *cls);
  unsigned (*block)(const sinew_batch *batch, si_worker *worker, const float *const *rows,
                    float *const *outs);
} si_lane_set;

extern const si_lane_set si_lanes_four;
extern const si_lane_set si_lanes_eight; /* width 0: not available on this machine */

/* Kinds of a turn's matrix. A pure one is a rotation about an axis and nothing else: half of its
 * matrix follows from the other half. Others include a rest transform that rotates. */
enum {
  SI_TURN_PURE = 1,
  SI_TURN_MOVES = 2, /* it has a translation */
  SI_TURN_FAR = 4,   /* several intervals: its centre changes with the angle */
  SI_TURN_FREE = 8,  /* set on the first of four that have neither a range nor a rest angle */
};

/* A product of two or three rotations as in products_of_four.h: the constants of one lane of a
 * quad, in the order in which the kernel reads them. */
typedef struct si_linked {
  _Alignas(16) float first[3][3][4]; /* for each row: p, q and x of its four entries */
  float last[4];                     /* cosine and sine of k */
  float link[SI_QUAD_TURNS - 1][8];  /* for each rotation but the first: v; cosine and sine of b;
                                        cosine and negative sine of its phase */
  uint32_t sincos;                   /* where its first rotation's sine is in `sincos`, in
                                        vectors */
  uint32_t turns;                    /* 0: not in a quad, or in one that does not work */
} si_linked;

struct si_worker {
  float *values; /* the rig's value array, in lanes */
  float *sincos; /* sines and cosines of every turn, in lanes */
  float *worlds; /* world transforms that are still needed, in lanes, 12 numbers each */
  float *single; /* value array of one character, for components without a kernel in lanes */
  float *spare;  /* receives the world matrices of unused lanes */
  const sinew_rig *rig;
  unsigned used;     /* a bit for each lane that holds a character */
  unsigned failed;   /* a bit for each lane in which a component failed */
  sinew_pose *judge; /* evaluates characters that may have failed */
  bool clamped;
  int failed_at; /* index of the first character that failed, or -1 */
  sinew_error why;
};

struct sinew_batch {
  const sinew_rig *rig;
  si_watcher watcher;
  const si_lane_set *set;
  struct si_thread_pool *pool; /* NULL: one thread */
  si_worker *workers;
  int worker_count;
  si_lane_step *steps;
  uint32_t step_count;
  uint32_t early; /* steps that run before the products */
  si_lane_segment *segments;
  uint32_t places;   /* how many world transforms are kept at once */
  uint8_t *kinds;    /* SI_TURN_* of each turn */
  si_linked *linked; /* for each product */
  float *undriven;   /* world matrices written for a character that failed */
  uint32_t revision;
};

/* Lays out the program of a batch whose rig and instruction set are known; false when memory is
 * out. */
bool si_batch_plan(sinew_batch *batch);
void si_batch_plan_free(sinew_batch *batch);
/* Copies the constants of the rig again after a live change. */
void si_batch_refresh(sinew_batch *batch);

#endif
