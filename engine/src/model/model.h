/* The description of a rig: a builder collects it, the checks resolve its names, and a compiled rig
 * keeps a copy. Ids are indices plus one; 0 is null. */
#ifndef SI_MODEL_H
#define SI_MODEL_H

#include "base/alloc.h"
#include "base/names.h"
#include "sinew/builder.h"

typedef enum si_source_kind {
  SI_FROM_NONE,
  SI_FROM_CONSTANT,
  SI_FROM_DOF,
  SI_FROM_OUTPUT
} si_source_kind;

/* where an input or a driven segment gets its value */
typedef struct si_source {
  si_source_kind kind;
  uint32_t id;     /* DOF or component; for a constant, the wire's index plus one */
  uint32_t output; /* of that component */
} si_source;

/* A source that was given by its id; all zero: by its name. */
typedef struct si_given {
  uint32_t dof, component;
  uint32_t port; /* where the output's name starts in the text; 0: the only output */
} si_given;

typedef struct si_wire {
  const char *input;
  const char *from; /* NULL: the constant */
  si_given given;
  float constant[16];
} si_wire;

typedef struct si_joint_set {
  const char *name, *origin;
} si_joint_set;

typedef struct si_segment {
  const char *name, *parent_name, *origin;
  const char *driver, *driver_origin; /* port that drives it; NULL: none */
  si_given driver_given;
  uint32_t joint_set;
  bool driven_twice;
  float rest[16];
  float mass, mass_at[3]; /* kg, and its centre in the segment's frame */
  /* resolved */
  uint32_t parent;
  si_source source;
} si_segment;

typedef struct si_dof {
  const char *name, *unit, *origin; /* name in full */
  uint32_t joint_set;
  float min, max, rest;
  float stiffness; /* for the solver; 0: not given */
} si_dof;

typedef struct si_component {
  const char *name, *kind, *origin; /* name in full */
  uint32_t joint_set;
  uint32_t wire_count, param_count;
  uint32_t wire_room, param_room; /* capacities in a builder, for those added one by one */
  si_wire *wires;
  sinew_param *params;
  /* resolved */
  const sinew_component_class *cls;
  uint32_t fixed_inputs;  /* without the list and the paths */
  uint32_t input_count;   /* with each wire of the list, and those of paths (path.h) */
  uint32_t fixed_outputs; /* without named ones and the list's */
  uint32_t output_count;
  si_source *inputs;
} si_component;

/* What is looked up while a rig is compiled, and only then. */
typedef struct si_index {
  si_names segments; /* name to id */
  si_names points;   /* full name of a DOF or component to its id, marked if a component */
  struct si_way *ways; /* see model/path.h */
} si_index;

#define SI_POINT_COMPONENT (UINT32_C(1) << 31)

typedef struct si_model {
  const char *name;
  const char *warnings; /* of whoever described it, one on a line; NULL: none */
  const char *binding;  /* to a character, a text of sinew/character.h; NULL: none */
  si_joint_set *joint_sets;
  si_segment *segments;
  si_dof *dofs;
  si_component *components;
  uint32_t joint_set_count, segment_count, dof_count, component_count;
  const si_index *index; /* NULL once the rig is compiled */
} si_model;

/* Copies `from`, including resolved parts, into the carver's memory. Does not retain objects. While
 * the carver measures, `dest` is not written. */
void si_model_copy(const si_model *from, si_carver *carver, si_model *dest);
/* The same for one item; `dest` may be NULL while measuring. */
void si_joint_set_copy(const si_joint_set *from, si_carver *carver, si_joint_set *dest);
void si_segment_copy(const si_segment *from, si_carver *carver, si_segment *dest);
void si_dof_copy(const si_dof *from, si_carver *carver, si_dof *dest);
void si_component_copy(const si_component *from, si_carver *carver, si_component *dest);
void si_param_copy(const sinew_param *from, si_carver *carver, sinew_param *dest);
/* Retains or releases all objects in parameters. */
void si_model_hold_objects(const si_model *model, bool retain);
/* The same for a class, and for those of all components, which must have been resolved. */
void si_class_hold(const sinew_component_class *cls, bool retain);
void si_model_hold_classes(const si_model *model, bool retain);

/* The length of a descriptor table, which ends with an entry without a name. */
uint32_t si_port_count(const sinew_port_desc *ports);
uint32_t si_hold_count(const sinew_hold_desc *holds);
/* the class's list input, or NULL */
const sinew_port_desc *si_list_input(const sinew_component_class *cls);

/* Counts the ports of a component, whose class and wires must be set, and the tree. `model` NULL:
 * without the inputs of its paths. */
void si_count_ports(const si_model *model, si_component *component);
/* Ports of a resolved component: kinds and names, also of lists and named outputs. */
const sinew_port_desc *si_input_desc(const si_component *component, uint32_t input);
void si_input_name(const si_component *component, uint32_t input, char *dest, size_t capacity);
/* NULL: an output of a parameter with a name of the author's choosing, a scalar */
static inline const sinew_port_desc *si_output_desc(const si_component *c, uint32_t output) {
  if (output < c->fixed_outputs) return &c->cls->outputs[output];
  return c->cls->named ? NULL : &c->cls->outputs[c->fixed_outputs];
}
static inline sinew_kind si_output_kind(const si_component *c, uint32_t output) {
  const sinew_port_desc *desc = si_output_desc(c, output);
  return desc ? desc->kind : SINEW_SCALAR;
}
void si_output_name(const si_component *component, uint32_t output, char *dest, size_t capacity);
/* The output at which an input comes out, changed only by a limit (SINEW_PORT_PASSED); -1: none. */
int si_passed_to(const si_component *component, uint32_t input);
/* the n-th parameter with a name of the author's choosing, or NULL */
const sinew_param *si_named_param(const si_component *component, uint32_t n);
const sinew_param *si_find_param(const si_component *component, const char *name);

/* floats of a value in a value array, also its alignment */
static inline uint32_t si_kind_floats(sinew_kind kind) {
  return kind == SINEW_SCALAR ? 1 : kind == SINEW_VECTOR ? 4 : 16;
}
static inline uint32_t si_kind_align(sinew_kind kind) {
  return kind == SINEW_SCALAR ? 1 : kind == SINEW_VECTOR ? 4 : 8;
}
/* numbers in a value as the user gives it */
static inline int si_kind_numbers(sinew_kind kind) {
  return kind == SINEW_SCALAR ? 1 : kind == SINEW_VECTOR ? 3 : 16;
}

/* The id of a component named in a parameter: first inside `joint_set`, then in full; 0: none. */
uint32_t si_find_component(const si_model *model, uint32_t joint_set, const char *name);
uint32_t si_find_segment(const si_model *model, const char *name);

/* Whether a component is evaluated by try_eval. */
bool si_component_fails(const si_model *model, uint32_t component);
/* Whether it is a rotation that can be part of a product. */
bool si_component_turns(const si_model *model, uint32_t component);
/* The bytes of a component's constant data, and its setup, which fills them; false if it found
 * mistakes. */
size_t si_data_bytes(const si_model *model, uint32_t component);
bool si_data_setup(const si_model *model, uint32_t component, void *data, sinew_error *error);
/* Collects the warnings of all components of a valid model; false when memory runs out. */
bool si_review_all(const si_model *model, sinew_error *warnings);

sinew_dof_info si_dof_info(const si_dof *dof);

/* Reports that a component failed. A text that starts with a place in a script, "knee.lua:12: ",
 * keeps it in front: that is where the mistake is. Where the component was made comes second. */
sinew_status si_fail_component(const si_component *component, sinew_status status, const char *text,
                               sinew_error *error);

/* "knee.lua:12: " or "". */
const char *si_origin_prefix(const char *origin, char *dest, size_t capacity);

#endif
