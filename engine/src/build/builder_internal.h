/* The builder's own state: a growing model, the arena its texts and values live in, the names
 * taken so far (to number unnamed components) and the host's classes. */
#ifndef SI_BUILDER_INTERNAL_H
#define SI_BUILDER_INTERNAL_H

#include "base/arena.h"
#include "model/model.h"
#include "base/names.h"

struct sinew_builder {
  si_model model;
  size_t joint_set_room, segment_room, dof_room,
      component_room; /* capacities of the model's arrays */
  si_arena arena;     /* where its texts and values live */
  si_names taken;     /* ids by full names of components and DOFs; counters of unnamed kinds */
  const sinew_component_class **classes;
  size_t class_count, class_room;
};

/* what stands in `taken`: an id, with its lowest bit saying of what */
static inline uint32_t si_taken_dof(uint32_t id) { return id << 1 | 1; }
static inline uint32_t si_taken_component(uint32_t id) { return id << 1; }
static inline bool si_taken_is_dof(uint32_t taken) { return taken & 1; }

/* Whether a class's own tables can be read; otherwise a mistake that says why not. */
sinew_status si_class_check(const sinew_component_class *component_class, sinew_error *error);

#endif
