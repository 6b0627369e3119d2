/* The compiled rig, in one block: a copy of the model, the program (nodes in the order of
 * evaluation over one value array), the items that each change makes dirty, and the tree in
 * depth-first order. */
#ifndef SI_RIG_INTERNAL_H
#define SI_RIG_INTERNAL_H

#include "model/model.h"
#include "sinew/rig.h"

#include <stdatomic.h>

#define SI_NONE UINT32_MAX

/* Something that was created for a rig and must be destroyed before it. */
typedef struct si_watcher {
  struct si_watcher *next, **link; /* `link` is the pointer to this one; neighbours change both */
  const char *what;                /* "pose", "batch" ...; NULL: never added, or detached */
  /* runs before a live change replaces data of components; NULL: nothing to do */
  void (*before_change)(struct si_watcher *watcher);
} si_watcher;

/* The list of watchers. It is kept apart from the rig, so that a const rig can be watched too. */
typedef struct si_watchers {
  si_watcher *first;
  atomic_flag busy; /* a spin lock: poses are created and destroyed in any thread */
} si_watchers;

/* One segment in depth-first order: a subtree is a run of slots. */
typedef struct si_slot {
  uint32_t segment; /* index in the rig's order, in which world matrices are stored */
  uint32_t parent;  /* the parent's, or SI_NONE */
  uint32_t end;     /* one past its subtree */
  uint32_t local;   /* where its driven matrix is stored in the value array, or SI_NONE */
  uint32_t placed;  /* where the fused program stores it with the rest transform, or SI_NONE */
  bool rotated;     /* its rest transform is not just a translation */
} si_slot;

typedef struct si_name_index {
  const char *name;
  uint32_t id;
} si_name_index;

struct sinew_rig {
  si_model model;

  /* nodes; those that depend on no DOF come first, and are evaluated when the rig is compiled */
  sinew_node *nodes;
  uint32_t node_count, constant_nodes;
  uint32_t *node_of; /* component index to node */
  uint32_t *ports;   /* ports of all nodes, one after the other */
  float *initial;    /* the value array with every DOF at rest and constant nodes evaluated */
  uint32_t value_count;
  uint32_t output_first; /* where outputs start in the value array, after DOFs and constants */

  /* what to mark when a DOF or a node changes: a node, or node_count + a slot of the tree */
  uint32_t *dof_first, *node_first; /* start of each list in `marks`; the end after the last */
  uint32_t *marks;
  uint32_t mark_words; /* words of 64 marks */

  struct si_fused *fused; /* the same program, fused */

  si_slot *slots;
  float *rest;               /* rest transforms, 16 floats for each slot */
  float *dof_low, *dof_high; /* range of every DOF, copied from the model */

  si_name_index *segment_names, *dof_names, *component_names; /* sorted */

  const char *warnings;
  char *new_warnings; /* warnings after a live change; NULL: those of compiling */
  void **edits;       /* for each component: the block of its last live change, or NULL */
  si_watchers *watchers;
  uint32_t revision; /* counts live changes */
  bool can_fail;
  size_t bytes;
};

/* Call it after each live change: updates copies of the components' data and of the DOFs, and makes
 * every pose evaluate everything again. */
void si_rig_changed(sinew_rig *rig);

/* Adds and removes a watcher. It may be removed after the rig was destroyed, if that was detached
 * first. Removing one that was never added does nothing. */
void si_rig_watch(const sinew_rig *rig, si_watcher *watcher, const char *what);
void si_rig_unwatch(const sinew_rig *rig, si_watcher *watcher);

/* Fills, for each node, whether the DOF with that index reaches it. */
void si_rig_reach(const sinew_rig *rig, uint32_t dof, bool *reached);
/* The other way: for the node with that index, which nodes up to it and which DOFs reach it. */
void si_rig_sources(const sinew_rig *rig, uint32_t node, bool *nodes, bool *dofs);

#endif
