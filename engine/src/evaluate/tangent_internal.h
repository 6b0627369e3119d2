/* The inside of sinew_tangent: which nodes are differentiated in which directions, where the
 * derivatives stand, and how the tree moves.
 *
 * A direction is a column: a DOF that was asked for. What moves segment s by a column is kept as
 * the matrix G with d world(s) = G world(s). Below s whatever is not moved by the column on its own
 * shares that G, so that one is worked out only where a column moves a driven matrix: with
 * P = world(parent) rest and T the driven matrix, G = G(parent) + P dT world(s)^-1. */
#ifndef SI_TANGENT_INTERNAL_H
#define SI_TANGENT_INTERNAL_H

#include "compile/rig_internal.h"
#include "sinew/tangent.h"

/* a node that some column moves */
typedef struct si_tangent_step {
  const sinew_node *node;
  const uint32_t *columns; /* of the whole, one for each of the node's own */
  sinew_rates rates;
  float *room; /* where its outputs' derivatives stand, one after the other */
  uint32_t room_count;
  bool differenced;
} si_tangent_step;

/* a driven segment whose matrix some column moves */
typedef struct si_tangent_joint {
  uint32_t slot;
  uint32_t first, count; /* its G's */
  const float *rates;    /* of the driven matrix, as many */
} si_tangent_joint;

struct sinew_tangent {
  const sinew_rig *rig;
  uint32_t column_count;
  uint32_t *dofs; /* column to DOF index */

  si_tangent_step *steps;
  uint32_t step_count;
  uint32_t *step_of; /* node to step, or SI_NONE */

  si_tangent_joint *joints;
  uint32_t joint_count;
  uint32_t *above; /* for each G the one it adds to, or SI_NONE */
  float *motions;  /* the G's, 16 floats each */

  /* for each segment, from reach_first[i] up to reach_first[i + 1]: columns that move it, and the
   * G of each */
  uint32_t *reach_first, *reach_column, *reach_motion;
  bool *watched; /* segments that were asked for */
  float *world;  /* their matrices at the last evaluation, in the rig's order */

  /* for differences: a value array to evaluate in, and two samples of a node's outputs */
  float *scratch, *samples;
  uint32_t sample_room;
};

/* Fills the derivatives of a step by differences of its class's eval. */
sinew_status si_tangent_difference(const sinew_tangent *tangent, const si_tangent_step *step,
                                   const float *values, sinew_error *error);

/* The pose's values, with those of every node of the tangent's steps in place. */
const float *si_tangent_values(const sinew_tangent *tangent, const sinew_pose *pose);

#endif
