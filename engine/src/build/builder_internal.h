/* The builder's state: the model so far, the arena with its strings and values, the names in use
 * (to number unnamed components) and the custom classes. */
#ifndef SI_BUILDER_INTERNAL_H
#define SI_BUILDER_INTERNAL_H

#include "base/arena.h"
#include "model/model.h"
#include "base/names.h"

struct sinew_builder {
  si_model model;
  size_t joint_set_room, segment_room, dof_room,
      component_room; /* capacities of the model's arrays */
  si_arena arena;     /* its strings and values */
  si_names taken;     /* from full names of components and DOFs to ids; counters of unnamed kinds */
  const sinew_component_class **classes;
  size_t class_count, class_room;
  si_names class_names; /* to their indices plus one */
  si_names set_names;   /* of joint sets to their ids */
  sinew_error noted; /* failed calls so far; compiling reports them */
};

/* Adds an error to what compiling reports; returns its status. `b` may be NULL. */
sinew_status si_note(sinew_builder *b, const sinew_error *error);
/* Whether a call that is given a null id does nothing, since its cause is noted; fills `error`. */
bool si_skip(const sinew_builder *b, uint32_t id, sinew_error *error);
/* Drives a segment by a component's output, in place of what drove it; NULL: its only output. */
sinew_status si_drive_by(sinew_builder *b, uint32_t segment, sinew_component component,
                         const char *output, sinew_error *error);

/* the values in `taken`: an id, with a lowest bit of 1 for a DOF, 0 for a component */
static inline uint32_t si_taken_dof(uint32_t id) { return id << 1 | 1; }
static inline uint32_t si_taken_component(uint32_t id) { return id << 1; }
static inline bool si_taken_is_dof(uint32_t taken) { return taken & 1; }

/* Checks the tables of a custom class; the error says what is wrong. */
sinew_status si_class_check(const sinew_component_class *component_class, sinew_error *error);

#endif
