/* The fused program: a second list beside the nodes, which says the same with less work. The nodes
 * stay the truth; a pose that is told to (sinew_pose_set_plain) evaluates them one by one.
 *
 * It runs in three parts: components that depend on scalars alone, from a list of operations
 * (scalar_steps.h); products of turns whose angles are then known, which need nothing else, sorted by
 * how many they multiply, those of two and three four at a time (products_of_four.h); and every other
 * component as it stands. A product that only drives a segment starts with that segment's rest
 * transform, which costs nothing, since it is multiplied into the first turn's constants. What
 * nothing needs, the rotations inside a product and a product without the rest transform are left
 * aside until somebody asks for their values. */
#ifndef SI_FUSE_H
#define SI_FUSE_H

#include "compile/program.h"

enum { SI_LANES = 4, SI_TURN_GROUPS = 4 }; /* products of one, two, three and more turns */

/* A rotation inside a product: its matrix is p + cos q + sin x, entry by entry; the first of a
 * placed product has the segment's rest transform before it. */
typedef struct si_turn {
  _Alignas(16) float p[16];
  float q[16], x[16];
} si_turn;

typedef struct si_fused {
  uint32_t *steps; /* node of each step, in order */
  uint32_t step_count;
  uint32_t early;  /* steps that depend on scalars alone */
  uint32_t *groups; /* steps of one class with `eval_all` that do not read each other: first and end
                       step of each group */
  uint32_t group_runs;
  uint32_t product_end[SI_TURN_GROUPS]; /* step after the last product of each group */
  uint32_t *first_turn;                 /* of each product, and one more at the end */
  uint32_t *product_at;                 /* of each: where its matrix stands */
  uint32_t *aside; /* nodes whose values or holds no step leaves behind, in order */
  uint32_t aside_count;

  uint32_t *unplaced; /* driven slots of the tree whose matrix is no placed product */
  uint32_t unplaced_count;

  /* turns; these arrays are filled up to a multiple of SI_LANES */
  si_turn *turns;
  uint32_t *turn_node;
  uint32_t *turn_angle;            /* where the angle stands in the value array */
  float *low, *high, *rest;        /* its range and rest */
  const sinew_turn **rotations;    /* NULL where there is one interval only */
  uint32_t *turn_slot;             /* slot whose rest transform stands before it, or SI_NONE */
  uint32_t turn_count, turn_slots; /* slots: with the filling */

  struct si_scalar *scalars; /* what each early step does */
  struct si_quad *quads;     /* products of two turns in fours, then those of three */
  si_turn *firsts;           /* what comes first in each of those products, for one alone */

  /* what to mark when a DOF or a step changes: a step, or step_count + a slot of the tree */
  uint32_t *dof_first, *step_first, *marks;
} si_fused;

/* The same while a rig is being compiled, in components. */
typedef struct si_fusing {
  uint32_t *steps;     /* component of each step */
  uint32_t *step_of;   /* component to the step that does its work; SI_NONE: none */
  bool *aside;         /* for each component */
  uint32_t *turns;     /* how many of each component as a product; 0: it is none */
  uint32_t *segment;   /* that a product alone drives, so that it is placed; else SI_NONE */
  uint32_t *placed_at; /* where a placed product goes in the value array */
  uint32_t
      *rank; /* of an early step: odd where it has `eval_all`; those of one rank run together */
  uint32_t step_count, early, product_end[SI_TURN_GROUPS], turn_count;
} si_fusing;

/* Decides for each component of the plan what becomes of it; false when memory is out. */
bool si_fuse_plan(const si_model *model, si_plan *plan);
void si_fusing_free(si_fusing *fusing);
void si_fuse_carve(const si_model *model, const si_plan *plan, si_carver *carver, sinew_rig *rig);
/* Fills the list; needs the nodes and the tree's slots. */
void si_fuse_fill(const si_plan *plan, const uint32_t *slot_of, sinew_rig *rig);
/* Copies what the fused program keeps of the components' data, after a live change too. */
void si_fuse_refresh(sinew_rig *rig);
/* The constants of a turn, as its class gives them. */
const sinew_turn *si_turn_constants(const sinew_rig *rig, uint32_t turn);

/* Checks both programs of a compiled rig: that every item runs after what it reads and not in one
 * group with it, reads nothing that is left aside, and is marked when what it reads changes. A
 * fault goes to the assert handler and into `error`. Debug builds check every rig. */
bool si_schedule_check(const sinew_rig *rig, sinew_error *error);

#endif
