/* Internals of sinew_tangent: which nodes are differentiated in which directions, where the
 * derivatives are stored, and how the tree moves.
 *
 * A direction is a column: a DOF that was asked for. The motion of segment s by a column is stored
 * as the matrix G with d world(s) = G world(s). A descendant of s shares that G unless the column
 * also moves its own driven matrix. So a G is computed only where a column moves a driven matrix:
 * with P = world(parent) rest and T the driven matrix, G = G(parent) + P dT world(s)^-1. */
#ifndef SI_TANGENT_INTERNAL_H
#define SI_TANGENT_INTERNAL_H

#include "compile/rig_internal.h"
#include "sinew/tangent.h"

typedef sinew_status (*si_tangent_function)(const sinew_node *node, const float *values,
                                            const sinew_rates *rates, sinew_error *error);

/* the derivative of a component, NULL where differences serve */
static inline si_tangent_function si_tangent_of(const sinew_component_class *cls,
                                                const sinew_node *node) {
  return cls->pure && !node->eval ? cls->try_tangent : cls->tangent;
}

/* a node that depends on some column */
typedef struct si_tangent_step {
  const sinew_node *node;
  const uint32_t *columns; /* index among all columns, for each of the node's own */
  sinew_rates rates;
  float *room; /* the derivatives of its outputs, one after the other */
  uint32_t room_count;
  si_tangent_function tangent; /* NULL: differences */
  bool last;                   /* no other step and no segment needs its derivatives */
} si_tangent_step;

/* a driven segment whose matrix depends on some column */
typedef struct si_tangent_joint {
  uint32_t slot;
  uint32_t first, count; /* its G's */
  const float *rates;    /* derivatives of the driven matrix, one for each G */
} si_tangent_joint;

struct sinew_tangent {
  const sinew_rig *rig;
  si_watcher watcher;
  uint32_t column_count;
  uint32_t *dofs; /* column to DOF index */

  si_tangent_step *steps;
  uint32_t step_count;
  uint32_t *step_of; /* node to step, or SI_NONE */

  si_tangent_joint *joints;
  uint32_t joint_count;
  uint32_t *above; /* for each G the ancestor's G that is added to it, or SI_NONE */
  float *motions;  /* the G's, 16 floats each */

  /* for each segment, from reach_first[i] up to reach_first[i + 1]: columns that move it, and the G
   * of each */
  uint32_t *reach_first, *reach_column, *reach_motion;
  bool *watched; /* segments that were asked for */
  float *world;  /* their matrices at the last evaluation, in the rig's order */

  /* for finite differences: a value array to evaluate in, and two samples of a node's outputs */
  float *scratch, *samples;
  uint32_t sample_room;
};

/* Computes the derivatives of a step by finite differences of its class's eval. */
sinew_status si_tangent_difference(const sinew_tangent *tangent, const si_tangent_step *step,
                                   const float *values, sinew_error *error);

/* A tangent for the derivatives of holds: its steps are the nodes in `components` and what they
 * read. */
sinew_tangent *si_tangent_create_holds(const sinew_rig *rig, const sinew_dof *dofs, int dof_count,
                                       const sinew_component *components, int component_count,
                                       sinew_error *error);
/* Computes the derivatives of the inputs of these components at an evaluated pose. */
sinew_status si_tangent_eval_inputs(sinew_tangent *tangent, const sinew_pose *pose,
                                    sinew_error *error);
/* The derivative, by each column, of a scalar input of such a component, after that. */
void si_tangent_input(const sinew_tangent *tangent, sinew_component component, uint32_t input,
                      float *dest);
/* The derivative, by each column, of the length of `count` holds of a component, the first being
 * number `first`: finite differences of its eval, on the side where more is held. Call
 * si_tangent_eval_inputs first. All columns that do not reach it are 0. */
void si_tangent_hold(const sinew_tangent *tangent, const float *values, sinew_component component,
                     uint32_t first, uint32_t count, float *dest);

#endif
