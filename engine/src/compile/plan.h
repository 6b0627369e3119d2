/* The plan of a program: the order in which components run and where every value is stored. Made
 * once from a checked model, then carved into the rig. */
#ifndef SI_PLAN_H
#define SI_PLAN_H

#include "compile/rig_internal.h"

typedef struct si_plan {
  uint32_t *order; /* node to component index */
  uint32_t constant_nodes;
  uint32_t *port_first; /* component index to its first entry in port_at; the total at the end */
  uint32_t *port_at;    /* where its inputs, then its outputs, are stored in the value array */
  uint32_t *hold_at, *memo_at; /* for each component */
  size_t *data_bytes;          /* for each component */
  uint32_t output_first;       /* where the outputs begin */
  uint32_t value_count, mark_count;
  struct si_fusing *fusing; /* what fuse.c decided */
} si_plan;

/* False when memory runs out, or with a mistake in `error` when the rig is too large or cyclic. */
bool si_plan_make(const si_model *model, si_plan *plan, sinew_error *error);
void si_plan_free(si_plan *plan);

/* Carves the program's arrays out of the rig's block, or only measures them if the carver has
 * none. */
void si_program_carve(const si_model *model, const si_plan *plan, si_carver *carver,
                      sinew_rig *rig);
/* Fills them: nodes, initial values, marks, and the components' data. False if there are
 * mistakes. */
bool si_program_fill(const si_plan *plan, sinew_rig *rig, sinew_error *error);

/* Which items a change makes dirty. For each DOF and each item (a node or a step): the items that
 * read it, and `item_count` + slot for each segment that it drives. */
typedef struct si_marking {
  uint32_t *dof_first, *item_first; /* start of each list in `marks`; the end after the last */
  uint32_t *marks;
  uint32_t item_count;
  const uint32_t *item_of; /* component index to item, or SI_NONE */
  const uint32_t *slot_of; /* segment index to slot of the tree */
} si_marking;
void si_marks_fill(const si_model *model, const si_marking *marking);

#endif
