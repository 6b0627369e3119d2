/* The fused program: a second, faster list of steps that computes the same as the nodes. The nodes
 * remain the reference; after sinew_pose_set_plain a pose evaluates them one by one.
 *
 * It runs in three parts:
 * 1. components that depend on scalars alone, from a list of operations (scalar_steps.h);
 * 2. products of rotations whose angles are known by then. They are sorted by the number of
 *    rotations; products of two and of three run four at a time (products_of_four.h);
 * 3. all other components, through their nodes.
 *
 * A product that only drives a segment starts with that segment's rest transform (it is "placed").
 * This costs nothing, since the transform is multiplied into the constants of the first rotation.
 *
 * Some values are left aside, that is, computed only on demand: outputs that nothing reads,
 * rotations inside a product, and placed products without their rest transform. */
#ifndef SI_FUSE_H
#define SI_FUSE_H

#include "compile/plan.h"

enum { SI_LANES = 4, SI_TURN_GROUPS = 4 }; /* products of one, two, three and more rotations */

/* A rotation inside a product (a "turn"): its matrix is p + cos q + sin x, entry by entry. In a
 * placed product the constants of the first one include the segment's rest transform. */
typedef struct si_turn {
  _Alignas(16) float p[16];
  float q[16], x[16];
} si_turn;

typedef struct si_fused {
  uint32_t *steps; /* node of each step, in order */
  uint32_t step_count;
  uint32_t early;   /* steps that depend on scalars alone */
  uint32_t *groups; /* runs of steps of one class with `eval_all` that do not read each other: first
                       and end step of each */
  uint32_t group_runs;
  uint32_t product_end[SI_TURN_GROUPS]; /* step after the last product of each group */
  uint32_t *first_turn;                 /* first turn of each product; the total at the end */
  uint32_t *product_at;                 /* where its matrix is stored in the value array */
  uint32_t *aside;                      /* nodes whose values or holds no step writes, in order */
  uint32_t aside_count;

  uint32_t *unplaced; /* driven slots of the tree whose matrix is not a placed product */
  uint32_t unplaced_count;

  /* turns; arrays that are read in fours are padded to a multiple of SI_LANES */
  si_turn *turns;
  uint32_t *turn_node;
  uint32_t *turn_angle;            /* where the angle is stored in the value array */
  float *low, *high, *rest;        /* range and rest angle */
  const sinew_turn **rotations;    /* NULL if it has a single interval */
  uint32_t *turn_slot;             /* slot whose rest transform precedes it, or SI_NONE */
  uint32_t turn_count, turn_slots; /* slots: padding included */

  struct si_scalar *scalars; /* the operation of each early step */
  struct si_quad *quads;     /* products of two turns in fours, then those of three */
  si_turn *firsts;           /* the first factor of each of those products, to run one alone */

  /* what to mark when a DOF or a step changes: a step, or step_count + a slot of the tree */
  uint32_t *dof_first, *step_first, *marks;
} si_fused;

/* The same while a rig is being compiled, indexed by component. */
typedef struct si_fusing {
  uint32_t *steps;     /* component of each step */
  uint32_t *step_of;   /* component to the step that computes it, or SI_NONE */
  bool *aside;         /* for each component */
  uint32_t *turns;     /* the number of rotations if the component is a product, else 0 */
  uint32_t *segment;   /* the segment that a placed product drives, else SI_NONE */
  uint32_t *placed_at; /* where a placed product is stored in the value array */
  uint32_t *rank;      /* of an early step, as list_early computes it: odd if it has `eval_all` */
  uint32_t step_count, early, product_end[SI_TURN_GROUPS], turn_count;
} si_fusing;

/* Decides for each component how the fused program runs it; false when memory runs out. */
bool si_fuse_plan(const si_model *model, si_plan *plan);
void si_fusing_free(si_fusing *fusing);
void si_fuse_carve(const si_model *model, const si_plan *plan, si_carver *carver, sinew_rig *rig);
/* Fills the arrays; needs the nodes and the tree's slots. */
void si_fuse_fill(const si_plan *plan, const uint32_t *slot_of, sinew_rig *rig);
/* Copies constants from the components' data. Call it again after a live change. */
void si_fuse_refresh(sinew_rig *rig);
/* The constants of a turn, from its component. */
const sinew_turn *si_turn_constants(const sinew_rig *rig, uint32_t turn);

/* Checks the plain and the fused program of a compiled rig: every item runs after the items it
 * reads and not in one group with them, reads nothing that is left aside, and is marked when one of
 * its inputs changes. A fault goes to the assert handler and into `error`. Debug builds check every
 * rig. */
bool si_schedule_check(const sinew_rig *rig, sinew_error *error);

#endif
