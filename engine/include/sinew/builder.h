/* The builder: an editable description of a rig. Everything is checked when it is compiled, and all
 * mistakes are reported at once. sinew/add.h has short calls for bones and joints. A builder
 * belongs to one thread at a time.
 *
 * Errors stick to the builder: a call that fails returns a null id and notes why, and a call that
 * is given a null id after that is skipped. Compiling reports all of it, so that every other
 * `error` may be NULL. */
#ifndef SINEW_BUILDER_H
#define SINEW_BUILDER_H

#include "sinew/component.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct sinew_builder sinew_builder;
typedef struct sinew_rig sinew_rig;

/* A name is any printable text in UTF-8 without a dot, up to 100 bytes. The full name of a joint
 * set's member is "set.member". `origin` in the descs below is the place in the author's source,
 * such as "knee.lua:12"; messages start with it. It may be NULL. All strings are copied. */
typedef struct sinew_segment_desc {
  size_t size; /* filled by sinew_default_segment_desc */
  const char *name;
  const char *parent; /* a segment added before; NULL: a root */
  float rest[16];     /* rest frame in the parent's frame; rigid */
  sinew_joint_set joint_set;
  const char *origin;
  float mass;       /* kg, at least 0; 0: none given. For sinew_goal_kind BALANCE, and for how
                       stiff the solver takes a DOF to be */
  float mass_at[3]; /* its centre, in the segment's frame */
} sinew_segment_desc;

typedef struct sinew_dof_desc {
  size_t size; /* filled by sinew_default_dof_desc */
  const char *name;
  sinew_joint_set joint_set;
  float min, max;
  float rest; /* used when rest_given; else 0, or the end of the range nearest to 0 */
  bool rest_given;
  const char *unit; /* NULL: "deg" */
  const char *origin;
  float stiffness; /* how much it resists the solver, see sinew_solver_stiffness; 0: not given */
} sinew_dof_desc;

/* A wire into an input, from a DOF or from a component's output. Fill it with the functions below,
 * by id or by name: "knee.flexion", "knee.bend.angle", or "knee.bend" if it has one output. Inside
 * a joint set, the name of that set may be left out; a leading dot (".knee.flexion") marks a full
 * name. Without ids and with `from` NULL, the input gets the constant instead. */
typedef struct sinew_wire {
  const char *input; /* for a list: the list's name, once for each wire, in order */
  const char *from;
  float constant[16];        /* as many numbers as the input's kind has */
  sinew_dof dof;             /* the source by id; `from` is then ignored */
  sinew_component component; /* likewise */
  const char *output;        /* of that component; NULL: its only one */
} sinew_wire;

/* From a DOF; from a component's output, or from its only one if `output` is NULL. */
SINEW_API sinew_wire sinew_wire_dof(const char *input, sinew_dof dof);
SINEW_API sinew_wire sinew_wire_output(const char *input, sinew_component component,
                                       const char *output);
/* From what has that name. */
SINEW_API sinew_wire sinew_wire_name(const char *input, const char *from);
/* A constant instead: a number, or as many numbers as the input's kind has. */
SINEW_API sinew_wire sinew_wire_number(const char *input, float value);
SINEW_API sinew_wire sinew_wire_numbers(const char *input, const float *values, int count);

typedef struct sinew_component_desc {
  size_t size;      /* filled by sinew_default_component_desc */
  const char *kind; /* a class's name */
  const char *name; /* NULL: the kind and a number */
  sinew_joint_set joint_set;
  const sinew_wire *wires;
  int wire_count;
  const sinew_param *params;
  int param_count;
  const char *origin;
} sinew_component_desc;

/* No name, no parent, identity. */
SINEW_API sinew_segment_desc sinew_default_segment_desc(void);
/* -180 to 180 degrees, no rest given. */
SINEW_API sinew_dof_desc sinew_default_dof_desc(void);
/* No kind, no wires, no parameters. */
SINEW_API sinew_component_desc sinew_default_component_desc(void);

/* Returns NULL when memory runs out. */
SINEW_API sinew_builder *sinew_builder_create(const char *name, sinew_error *error);
SINEW_API void sinew_builder_destroy(sinew_builder *builder); /* NULL is allowed */

/* What went wrong so far in calls on this builder; `count` is 0 if nothing did. Borrowed. */
SINEW_API const sinew_error *sinew_builder_error(const sinew_builder *builder);

/* Each of these returns a null id, with `error` filled, only when memory runs out, a desc was not
 * made by its default function, or an id in it is null or does not belong to this builder. Other
 * mistakes are reported when the rig is compiled. */
SINEW_API sinew_joint_set sinew_builder_add_joint_set(sinew_builder *builder, const char *name,
                                                      const char *origin, sinew_error *error);
SINEW_API sinew_segment sinew_builder_add_segment(sinew_builder *builder,
                                                  const sinew_segment_desc *desc,
                                                  sinew_error *error);
SINEW_API sinew_dof sinew_builder_add_dof(sinew_builder *builder, const sinew_dof_desc *desc,
                                          sinew_error *error);
SINEW_API sinew_component sinew_builder_add_component(sinew_builder *builder,
                                                      const sinew_component_desc *desc,
                                                      sinew_error *error);

/* Adds a wire to a component; drives a segment by a matrix port. */
SINEW_API sinew_status sinew_builder_connect(sinew_builder *builder, sinew_component component,
                                             const sinew_wire *wire, sinew_error *error);
SINEW_API sinew_status sinew_builder_drive(sinew_builder *builder, sinew_segment segment,
                                           const char *from, const char *origin,
                                           sinew_error *error);

/* Registers a custom component class, whose `class_size` must be filled. Its name must not be in
 * use. The class and its tables are not copied: they must outlive the builder and its rigs. */
SINEW_API sinew_status sinew_builder_add_class(sinew_builder *builder,
                                               const sinew_component_class *component_class,
                                               sinew_error *error);

/* Reading back what was added. Strings and numbers are borrowed until the builder is destroyed.
 * Names of DOFs and components are full names, "set.name". */
typedef struct sinew_dof_info {
  const char *name; /* full: "set.name" */
  sinew_joint_set joint_set;
  float min, max, rest;
  const char *unit;
  float stiffness;    /* 0: not given */
  const char *origin; /* NULL: unknown */
} sinew_dof_info;

/* Where an input gets its value from: a DOF, a component's output, or neither (a constant). */
typedef struct sinew_source {
  sinew_dof dof;
  sinew_component component;
  int output;
} sinew_source;

typedef struct sinew_counts {
  int joint_sets, segments, dofs, components;
} sinew_counts;

SINEW_API const char *sinew_builder_name(const sinew_builder *builder);
SINEW_API sinew_counts sinew_builder_counts(const sinew_builder *builder);
SINEW_API const char *sinew_builder_joint_set_name(const sinew_builder *builder,
                                                   sinew_joint_set joint_set);
SINEW_API const char *sinew_builder_segment_name(const sinew_builder *builder,
                                                 sinew_segment segment);
SINEW_API const char *sinew_builder_segment_parent(const sinew_builder *builder,
                                                   sinew_segment segment); /* NULL: a root */
SINEW_API const float *sinew_builder_segment_rest(const sinew_builder *builder,
                                                  sinew_segment segment);
/* Its mass in kg, 0 if none was given; `dest_at`, unless NULL, receives the centre in the segment's
 * frame. */
SINEW_API float sinew_builder_segment_mass(const sinew_builder *builder, sinew_segment segment,
                                           float dest_at[3]);
SINEW_API sinew_joint_set sinew_builder_segment_joint_set(const sinew_builder *builder,
                                                          sinew_segment segment);
/* The port that drives a segment; null if it is undriven or the driver's name is unknown. */
SINEW_API sinew_source sinew_builder_segment_driver(const sinew_builder *builder,
                                                    sinew_segment segment);
SINEW_API sinew_dof_info sinew_builder_dof_info(const sinew_builder *builder, sinew_dof dof);
SINEW_API const char *sinew_builder_component_name(const sinew_builder *builder,
                                                   sinew_component component);
SINEW_API const char *sinew_builder_component_kind(const sinew_builder *builder,
                                                   sinew_component component);
SINEW_API sinew_joint_set sinew_builder_component_joint_set(const sinew_builder *builder,
                                                            sinew_component component);
/* A component's wires in the order in which they were given, from 0, and the source of each; null
 * for a constant, and if the name is unknown. */
SINEW_API int sinew_builder_wire_count(const sinew_builder *builder, sinew_component component);
SINEW_API sinew_wire sinew_builder_wire(const sinew_builder *builder, sinew_component component,
                                        int wire);
SINEW_API sinew_source sinew_builder_wire_source(const sinew_builder *builder,
                                                 sinew_component component, int wire);
/* The output at which a wire's value comes out, changed only by a limit of the component
 * (SINEW_PORT_PASSED); -1 if there is none. */
SINEW_API int sinew_builder_passed_to(const sinew_builder *builder, sinew_component component,
                                      int wire);
/* The parameters as they were given, from 0; NULL past the end. */
SINEW_API const sinew_param *sinew_builder_param_at(const sinew_builder *builder,
                                                    sinew_component component, int index);
/* A parameter as it was given, or NULL. */
SINEW_API const sinew_param *sinew_builder_param(const sinew_builder *builder,
                                                 sinew_component component, const char *name);

/* The DOF or component of that full name, the first that was added; null if there is none. */
SINEW_API sinew_source sinew_builder_find(const sinew_builder *builder, const char *name);

/* The first joint set of that name; null if there is none. */
SINEW_API sinew_joint_set sinew_builder_find_joint_set(const sinew_builder *builder,
                                                       const char *name);

/* The class of a kind of component, custom or built-in; NULL if there is none. */
SINEW_API const sinew_component_class *sinew_builder_class(const sinew_builder *builder,
                                                           const char *kind);

/* The outputs of a component, given the wires that it has now: how many, their names (written to
 * `dest`, at most `capacity` bytes including the terminating zero) and kinds. 0 outputs if its kind
 * is unknown. */
SINEW_API int sinew_builder_output_count(const sinew_builder *builder, sinew_component component);
SINEW_API void sinew_builder_output_name(const sinew_builder *builder, sinew_component component,
                                         int output, char *dest, size_t capacity);
SINEW_API sinew_kind sinew_builder_output_kind(const sinew_builder *builder,
                                               sinew_component component, int output);

/* Changes a parameter's value or adds a parameter. A value of type SINEW_PARAM_NONE removes it.
 * Checked when compiled. */
SINEW_API sinew_status sinew_builder_set_param(sinew_builder *builder, sinew_component component,
                                               const sinew_param *param, sinew_error *error);

/* Warnings of whoever describes the rig, one on a line: sinew_rig_warnings of the compiled rig
 * starts with them. Replaces those given before; NULL or "" for none. Copied. */
SINEW_API sinew_status sinew_builder_set_warnings(sinew_builder *builder, const char *warnings);
/* How a character follows the rig: a text in the format of sinew/character.h, copied. It stays with
 * the compiled rig and in XML. NULL or "": none. Fails only when memory runs out. */
SINEW_API sinew_status sinew_builder_set_binding(sinew_builder *builder, const char *binding);
SINEW_API const char *sinew_builder_binding(const sinew_builder *builder); /* NULL: none */

/* Change what was added: a segment's rest frame and its mass (`at` NULL: its centre stays), a DOF's
 * range, rest value and stiffness, and the constant of a wire without a source (by its index, from
 * 0; SINEW_ERR_VALUE for a wire that has one). Checked when compiled. */
SINEW_API sinew_status sinew_builder_set_rest(sinew_builder *builder, sinew_segment segment,
                                              const float rest[16], sinew_error *error);
SINEW_API sinew_status sinew_builder_set_mass(sinew_builder *builder, sinew_segment segment,
                                              float mass, const float at[3], sinew_error *error);
SINEW_API sinew_status sinew_builder_set_stiffness(sinew_builder *builder, sinew_dof dof,
                                                   float stiffness, sinew_error *error);
SINEW_API sinew_status sinew_builder_set_dof_range(sinew_builder *builder, sinew_dof dof, float min,
                                                   float max, float rest, sinew_error *error);
SINEW_API sinew_status sinew_builder_set_constant(sinew_builder *builder, sinew_component component,
                                                  int wire, const float value[16],
                                                  sinew_error *error);

/* Removes everything that was added after sinew_builder_counts returned `counts`, so that a helper
 * that fails halfway leaves nothing behind. Changes of what was there before remain. The ids of
 * what is removed become those of what is added next. */
SINEW_API void sinew_builder_rewind(sinew_builder *builder, sinew_counts counts);

/* Checks everything and compiles. Returns NULL, with all mistakes in `error` (those of earlier
 * calls included), if something is wrong. The caller owns the rig. It is independent of the
 * builder, which may be edited and compiled again. */
SINEW_API sinew_rig *sinew_builder_compile(const sinew_builder *builder, sinew_error *error);
/* Compiles and destroys the builder: the one check that a short program needs. A NULL builder, as
 * sinew_builder_create returns it without memory, is allowed and reported. */
SINEW_API sinew_rig *sinew_builder_finish(sinew_builder *builder, sinew_error *error);

#ifdef __cplusplus
}
#endif
#endif
