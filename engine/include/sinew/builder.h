/* The builder: an editable description of a rig, in names. Nothing is checked until it is compiled;
 * then everything is, and all mistakes are told at once. */
#ifndef SINEW_BUILDER_H
#define SINEW_BUILDER_H

#include "sinew/component.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct sinew_builder sinew_builder;
typedef struct sinew_rig sinew_rig;

/* Names hold any printable text without a dot, up to 100 bytes. A joint set's members are called
 * "set.member" from outside. `origin` in the descs below is where the author wrote it, such as
 * "knee.lua:12"; it is put in front of messages. All texts are copied. */
typedef struct sinew_segment_desc {
  const char *name;
  const char *parent; /* a segment added before; NULL: a root */
  float rest[16];     /* rigid: rest frame in the parent's */
  sinew_joint_set joint_set;
  const char *origin;
} sinew_segment_desc;

typedef struct sinew_dof_desc {
  const char *name;
  sinew_joint_set joint_set;
  float min, max;
  float rest; /* used when rest_given; else 0, or the end of the range nearest to 0 */
  bool rest_given;
  const char *unit; /* NULL: "deg" */
  const char *origin;
} sinew_dof_desc;

/* A wire into an input, from a DOF or from a component's output, by name: "knee.flexion",
 * "knee.bend.angle", or "knee.bend" where it has one output. Inside a joint set its own name may be
 * left out; a dot in front (".knee.flexion") says that it is not. With `from` NULL, the input is
 * given the constant instead. */
typedef struct sinew_wire {
  const char *input; /* for a list: the list's name, once for each wire, in order */
  const char *from;
  float constant[16]; /* as many numbers as the input's kind has */
} sinew_wire;

typedef struct sinew_component_desc {
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

/* NULL when memory is out. */
SINEW_API sinew_builder *sinew_builder_create(const char *name, sinew_error *error);
SINEW_API void sinew_builder_destroy(sinew_builder *builder); /* NULL is allowed */

/* Each of these gives a null id, with `error` filled, only when memory is out or an id in the desc
 * is none of this builder's; other mistakes are told when the rig is compiled. */
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

/* Adds one more wire to a component, and drives a segment by a matrix port. */
SINEW_API sinew_status sinew_builder_connect(sinew_builder *builder, sinew_component component,
                                             const sinew_wire *wire, sinew_error *error);
SINEW_API sinew_status sinew_builder_drive(sinew_builder *builder, sinew_segment segment,
                                           const char *from, const char *origin,
                                           sinew_error *error);

/* Makes a class of the host's own known by its name, which must not be taken. The class and its
 * tables are not copied: they must outlive the builder and its rigs. */
SINEW_API sinew_status sinew_builder_add_class(sinew_builder *builder,
                                               const sinew_component_class *component_class,
                                               sinew_error *error);

/* Reading back what was added. Texts and numbers are borrowed until the builder is destroyed; names
 * of DOFs and components are in full, "set.name". */
typedef struct sinew_dof_info {
  const char *name; /* full: "set.name" */
  sinew_joint_set joint_set;
  float min, max, rest;
  const char *unit;
} sinew_dof_info;

/* Where an input gets its value: a DOF, a component's output, or neither (a constant). */
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
SINEW_API sinew_joint_set sinew_builder_segment_joint_set(const sinew_builder *builder,
                                                          sinew_segment segment);
/* The port that drives a segment; null where it is undriven or names no port. */
SINEW_API sinew_source sinew_builder_segment_driver(const sinew_builder *builder,
                                                    sinew_segment segment);
SINEW_API sinew_dof_info sinew_builder_dof_info(const sinew_builder *builder, sinew_dof dof);
SINEW_API const char *sinew_builder_component_name(const sinew_builder *builder,
                                                   sinew_component component);
SINEW_API const char *sinew_builder_component_kind(const sinew_builder *builder,
                                                   sinew_component component);
SINEW_API sinew_joint_set sinew_builder_component_joint_set(const sinew_builder *builder,
                                                            sinew_component component);
/* A component's wires in the order in which they were given, from 0, and what each comes from; null
 * for a constant, or where nothing has that name. */
SINEW_API int sinew_builder_wire_count(const sinew_builder *builder, sinew_component component);
SINEW_API sinew_wire sinew_builder_wire(const sinew_builder *builder, sinew_component component,
                                        int wire);
SINEW_API sinew_source sinew_builder_wire_source(const sinew_builder *builder,
                                                 sinew_component component, int wire);
/* The parameters as they were given, from 0; NULL past the end. */
SINEW_API const sinew_param *sinew_builder_param_at(const sinew_builder *builder,
                                                    sinew_component component, int index);
/* A parameter as it was given, or NULL. */
SINEW_API const sinew_param *sinew_builder_param(const sinew_builder *builder,
                                                 sinew_component component, const char *name);

/* The class of a kind of component: the host's own or a built-in one; NULL where there is none. */
SINEW_API const sinew_component_class *sinew_builder_class(const sinew_builder *builder,
                                                           const char *kind);

/* The outputs a component has, as far as it is wired by now: how many, their names (written into
 * `dest`, at most `capacity` bytes with the zero) and kinds. None where its kind is unknown. */
SINEW_API int sinew_builder_output_count(const sinew_builder *builder, sinew_component component);
SINEW_API void sinew_builder_output_name(const sinew_builder *builder, sinew_component component,
                                         int output, char *dest, size_t capacity);
SINEW_API sinew_kind sinew_builder_output_kind(const sinew_builder *builder,
                                               sinew_component component, int output);

/* Gives a component another value of a parameter, or one more parameter, or with a value of type
 * SINEW_PARAM_NONE takes one away; checked when compiled. */
SINEW_API sinew_status sinew_builder_set_param(sinew_builder *builder, sinew_component component,
                                               const sinew_param *param, sinew_error *error);

/* Other values of what was added: a segment's rest frame, a DOF's range and rest value, and the
 * constant of a wire without a source (by its place, from 0). Checked when compiled. */
SINEW_API sinew_status sinew_builder_set_rest(sinew_builder *builder, sinew_segment segment,
                                              const float rest[16]);
SINEW_API sinew_status sinew_builder_set_dof_range(sinew_builder *builder, sinew_dof dof, float min,
                                                   float max, float rest);
SINEW_API sinew_status sinew_builder_set_constant(sinew_builder *builder, sinew_component component,
                                                  int wire, const float value[16]);

/* Checks everything and compiles. NULL, with all mistakes in `error`, when something is wrong. The
 * rig is independent of the builder, which may go on to be edited and compiled again. */
SINEW_API sinew_rig *sinew_builder_compile(const sinew_builder *builder, sinew_error *error);

#ifdef __cplusplus
}
#endif
#endif
