/* The compiled rig: a copy of the model, the program (nodes in order of evaluation over one value
 * array), what each change makes dirty, and the tree in depth-first order. One block. */
#ifndef SI_RIG_INTERNAL_H
#define SI_RIG_INTERNAL_H

#include "model/model.h"
#include "sinew/rig.h"

#include <stdatomic.h>

#define SI_NONE UINT32_MAX

/* Somebody who wants to know before a live change replaces data of components. */
typedef struct si_watcher {
  struct si_watcher *next, **link; /* `link` is what points at this one */
  void (*before_change)(struct si_watcher *watcher);
} si_watcher;

/* The list of them. It is no part of what a rig says, so that a const rig can be watched too. */
typedef struct si_watchers {
  si_watcher *first;
  atomic_flag busy; /* poses are made and destroyed in any thread */
} si_watchers;

/* One segment in depth-first order: a subtree is a run of slots. */
typedef struct si_slot {
  uint32_t segment; /* index in the rig's order, where its world matrix stands */
  uint32_t parent;  /* likewise, or SI_NONE */
  uint32_t end;     /* one past its subtree */
  uint32_t local;   /* where its driven matrix stands in the value array, or SI_NONE */
  uint32_t placed;  /* where the fused program puts it, the rest transform included, or SI_NONE */
  bool turned;      /* its rest transform does more than move */
} si_slot;

typedef struct si_name_index {
  const char *name;
  uint32_t id;
} si_name_index;

struct sinew_rig {
  si_model model;

  /* nodes: those that no DOF moves come first, and are evaluated when the rig is compiled */
  sinew_node *nodes;
  uint32_t node_count, constant_nodes;
  uint32_t *node_of; /* component index to node */
  uint32_t *ports;   /* of all nodes, one after the other */
  float *initial;    /* the value array with every DOF at rest and constant nodes evaluated */
  uint32_t value_count;
  uint32_t output_first; /* before it in the value array: DOFs and constants */

  /* what to mark when a DOF or a node changes: a node, or node_count + a slot of the tree */
  uint32_t *dof_first, *node_first; /* one more than there are DOFs and nodes; places in `marks` */
  uint32_t *marks;
  uint32_t mark_words; /* 64 marks each */

  struct si_fused *fused; /* the same program, fused */

  si_slot *slots;
  float *rest;               /* 16 floats a slot */
  float *dof_low, *dof_high; /* every DOF's range, as the model has it */

  si_name_index *segment_names, *dof_names, *component_names; /* sorted */

  const char *warnings;
  char *new_warnings; /* after a live change; NULL: those of compiling */
  void **edits;       /* for each component: the block of its last live change, or NULL */
  si_watchers *watchers;
  uint32_t revision; /* counts live changes */
  bool can_fail;
  size_t bytes;
};


/* To be called after each live change: brings what was copied from the components' data and from
 * the DOFs up to date, and makes every pose evaluate anew. */
void si_rig_changed(sinew_rig *rig);

/* Adds to the watchers, and takes off again. */
void si_rig_watch(const sinew_rig *rig, si_watcher *watcher);
void si_rig_unwatch(const sinew_rig *rig, si_watcher *watcher);

#endif
