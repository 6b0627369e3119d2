/* Rigs being built, and handles to their parts.
 *
 * A rig in Lua is a builder and, once it is needed, the program compiled from it. Programs are
 * counted: a pose keeps its program alive through later edits and whatever order the collector
 * takes. Joint sets, segments, DOFs, components and ports are handles: an id, with the rig as the
 * userdata's owner. */
#ifndef SI_RIG_LUA_H
#define SI_RIG_LUA_H

#include "base/alloc.h"
#include "lua/math/math_lua.h"

typedef struct si_program {
  sinew_rig *rig;
  int refs;
  int running;  /* evaluations in progress: scripts must not change parameters meanwhile */
  int revision; /* incremented when a parameter changes */
} si_program;

void si_program_release(si_program *program); /* NULL is allowed */

typedef struct si_rig_lua {
  sinew_builder *builder; /* NULL: closed */
  si_program *program;    /* NULL: not compiled since the last edit */
  const char *busy;       /* what is done with it while scripts run; NULL: nothing */
} si_rig_lua;

typedef struct si_handle {
  si_rig_lua *rig; /* the owner's */
  uint32_t id;
  uint32_t output; /* of a port */
} si_handle;

extern const si_lua_type si_rig_type, si_joint_set_type, si_segment_type, si_dof_type,
    si_component_type, si_port_type, si_script_type, si_instance_type, si_expression_type,
    si_canvas_type;

/* Each adds its types and functions to the module's table, which is on top of the stack. */
void si_open_rig(lua_State *L);
void si_open_makers(lua_State *L);
void si_open_handles(lua_State *L);
void si_open_component(lua_State *L);
void si_open_script(lua_State *L);
void si_open_expression(lua_State *L);
void si_open_xml(lua_State *L);
void si_open_frames(lua_State *L);

/* The rig at `index`; raises for anything else, and if it was closed. */
si_rig_lua *si_rig_check(lua_State *L, int index);
/* The program, compiled if necessary; raises with all mistakes. */
/* Records what scripted components compute, before a rig is compiled. Raises if one must be
 * recorded and cannot be. */
void si_script_record_all(lua_State *L, sinew_builder *builder);
si_program *si_rig_program(lua_State *L, si_rig_lua *rig);
/* The builder, to be changed; raises while the rig is in use. */
sinew_builder *si_rig_change(lua_State *L, const si_rig_lua *rig);
/* Drops the program, after an edit. */
void si_rig_edited(si_rig_lua *rig);

/* A handle of that type; raises for anything else, and if its rig was closed. */
si_handle *si_handle_check(lua_State *L, int index, const si_lua_type *type);
/* Pushes a new handle; the rig's userdata is at `rig_index`. */
void si_handle_push(lua_State *L, const si_lua_type *type, int rig_index, uint32_t id,
                    uint32_t output);
int si_handle_equal(lua_State *L);
/* For __tostring, which must not raise: if the rig of the handle at 1 was closed, pushes a text
 * that says so. */
bool si_handle_closed_push(lua_State *L, const si_lua_type *type);
/* handle:note(key [, value]), for every handle but ports. */
int si_handle_note(lua_State *L);
/* Fields that read a rig back, in read_lua.c. */
int si_handle_rig(lua_State *L);
int si_set_segments(lua_State *L);
int si_set_dofs(lua_State *L);
int si_set_components(lua_State *L);
int si_segment_joint_set(lua_State *L);
int si_segment_driver(lua_State *L);
int si_dof_joint_set(lua_State *L);
int si_component_joint_set(lua_State *L);
int si_component_inputs(lua_State *L);
int si_component_params(lua_State *L);
int si_component_definition(lua_State *L);
/* handle.notes: a copy of all that was attached, by key. */
int si_handle_notes(lua_State *L);
/* Attaches the value on top of the stack to a handle, or pushes what is attached. */
void si_note_set(lua_State *L, int handle_index, const char *key);
void si_note_push(lua_State *L, int handle_index, const char *key);

/* Creating parts of a rig. The rig or the joint set is at 1; `si_maker_self` pushes the rig's
 * userdata. */
si_rig_lua *si_maker_self(lua_State *L, sinew_joint_set *dest);
int si_make_segment(lua_State *L);
int si_make_dof(lua_State *L);
int si_make_instance(lua_State *L);
/* owner:bone(name, options), of a rig, joint set or parent segment; segment:hinge { ... } and the
 * like; and a segment's DOFs as its fields: joint_lua.c. */
int si_make_bone(lua_State *L);
int si_segment_hinge(lua_State *L);
int si_segment_slider(lua_State *L);
int si_segment_ball(lua_State *L);
int si_segment_free(lua_State *L);
int si_segment_index(lua_State *L);
int si_segment_held(lua_State *L);
/* Pushes the joint set of that name, of the rig at `rig_index`; false, with nothing pushed, where
 * there is none. */
bool si_joint_set_push(lua_State *L, int rig_index, const char *name);
/* Raises unless a rig or joint set is at 1; the message hints at ':'. */
void si_maker_check(lua_State *L);
/* A method for each kind of component. */
int si_maker_index(lua_State *L);
void si_maker_offer(lua_State *L, si_nearest *nearest);
#define SI_MAKER_METHODS                                                                           \
  { "segment", si_make_segment }, { "bone", si_make_bone }, { "dof", si_make_dof }, {              \
    "add", si_make_instance                                                                        \
  }

/* A unit that a DOF or an input may declare, the one that wires carry instead, and how many of
 * those it is: a mm is 0.001 m. */
typedef struct si_unit {
  const char *name, *carried;
  double size;
} si_unit;
const si_unit *si_unit_find(const char *name); /* NULL: there is none of that name */
/* Pushes the message for an unknown one. */
const char *si_unit_unknown_push(lua_State *L, const char *name);

/* Expressions: operators on DOFs, ports, components and expressions; see expression_lua.c. */
int si_expression_add(lua_State *L);
int si_expression_sub(lua_State *L);
int si_expression_mul(lua_State *L);
int si_expression_div(lua_State *L);
int si_expression_pow(lua_State *L);
int si_expression_negate(lua_State *L);
int si_expression_compare(lua_State *L);
int si_expression_of_curve(lua_State *L);
int si_expression_curve(lua_State *L);
int si_expression_linear(lua_State *L);
int si_expression_piecewise(lua_State *L);
int si_expression_spline(lua_State *L);
int si_expression_monotone(lua_State *L);
int si_expression_simm(lua_State *L);
int si_expression_polynomial(lua_State *L);
int si_expression_limit(lua_State *L);
int si_expression_named(lua_State *L);
#define SI_EXPRESSION_META                                                                         \
  { "__add", si_expression_add }, { "__sub", si_expression_sub }, { "__mul", si_expression_mul },  \
      { "__div", si_expression_div }, { "__pow", si_expression_pow },                              \
      { "__unm", si_expression_negate }, {                                                         \
    SI_LUA_EXPRESSION, si_expression_of_curve                                                      \
  }
#define SI_EXPRESSION_METHODS                                                                      \
  { "curve", si_expression_curve }, { "linear", si_expression_linear },                            \
      { "piecewise", si_expression_piecewise }, { "spline", si_expression_spline },                \
      { "monotone", si_expression_monotone }, { "simm", si_expression_simm },                      \
      { "polynomial", si_expression_polynomial }, { "limit", si_expression_limit }, {              \
    "named", si_expression_named                                                                   \
  }
bool si_expression_test(lua_State *L, int index);
/* Gives the builder the warnings about the rig's expressions. */
void si_expression_review(lua_State *L, si_rig_lua *rig);
/* Calls a function of lua/sinew/expression.lua with the topmost values, which are popped, and
 * pushes its one result. An error names the author's line. Returns 1. */
int si_expression_call(lua_State *L, const char *name, int arguments);

/* The options of a segment. */
typedef struct si_segment_given {
  float rest[16], turn[16], rotate[16], at[3], mass, mass_at[3];
  int parent, shape; /* on the stack; 0: missing */
} si_segment_given;

/* Reads the table at `options`, which may be nil; `tunes`: without what a tuning may not give.
 * Where the segment is at rest is `rest`, a matrix, or `at` and `rotate` (a quat, or a matrix whose
 * rotation counts; also called `turn`). Of `rest`, `mass` and `mass_at` the parts that are not
 * given keep their value. */
void si_segment_read(lua_State *L, int options, const char *name, bool tunes, float *rest,
                     float *mass, float *mass_at, si_segment_given *dest);
/* The number as a mass, or a stiffness; raises if it is none. */
float si_mass_check(lua_State *L, float mass, const char *segment);
float si_stiffness_check(lua_State *L, float stiffness, const char *who);

/* rig:tune { components =, segments =, dofs = } */
int si_rig_tune(lua_State *L);
/* The same for the rig and the table at these indices; calls `note` for each entry with the kind of
 * thing, its name, and the parameter of a component (NULL for others). */
typedef enum si_tuned_kind { SI_TUNED_COMPONENT, SI_TUNED_SEGMENT, SI_TUNED_DOF } si_tuned_kind;
typedef void si_tuned_note(lua_State *L, si_tuned_kind kind, const char *name, const char *param,
                           void *user);
void si_tune(lua_State *L, int rig, int table, si_tuned_note *note, void *user);

/* rig:xml() and rig:save_xml(path). */
int si_rig_xml(lua_State *L);
int si_rig_save_xml(lua_State *L);

/* segment:aim, segment:ik2 and port:swing_twist, in frames_lua.c. */
int si_segment_aim(lua_State *L);
int si_segment_ik2(lua_State *L);
int si_port_swing_twist(lua_State *L);

/* Creates a component from the table at `arguments`, for the rig or joint set at 1, and pushes its
 * handle. `self` is a scripted component's object, or NULL. */
int si_component_make(lua_State *L, const sinew_component_class *cls, int arguments, void *self);
/* Sets a parameter to the value at `value`; raises if there is none of that name or the value does
 * not fit. */
void si_component_put(lua_State *L, const si_handle *component, const char *name, int value);
/* The output of that name, or -1. */
int si_component_output(const si_handle *component, const char *name);

/* Pushes the name of a DOF, a port or a component with one output at `index`, in the form that a
 * wire needs; returns false, with nothing pushed, for anything else. Raises if it belongs to
 * another rig, or the component has several outputs. */
bool si_source_push(lua_State *L, int index, const si_rig_lua *rig);

/* Reads the value at `index` for a parameter `name` with that descriptor; `who` starts the message
 * if it does not fit. The table at `keep` keeps alive what the parameter points to. */
void si_param_read(lua_State *L, int index, const char *who, const sinew_param_desc *desc,
                   const char *name, int keep, sinew_param *dest);
/* Pushes a parameter's value, or the default if it is not given, or nil. */
void si_param_push_default(lua_State *L, const sinew_param_desc *desc);
void si_param_push(lua_State *L, const sinew_param *param);

/* The object class with which builders and rigs hold an instance of a scripted component. */
extern const sinew_object_class si_script_object;
/* Whether a parameter is that instance, which authors neither see nor set. */
bool si_script_owns(const sinew_param_desc *desc);
/* Also changes a parameter in a scripted component's own table, to the value at the index that
 * `param` was read from; does nothing for other components. */
void si_script_param_set(lua_State *L, const si_handle *component, const sinew_param *param,
                         int value);
/* Pushes a parameter of a scripted component; returns false, with nothing pushed, for other
 * components. */
bool si_script_param_push(lua_State *L, const si_handle *component, const char *name);
/* Called around every evaluation: scripted components run on this thread in between, and the stack
 * has one value more. Does not raise; returns false, with `error` filled, on failure. */
typedef struct si_script_scope {
  struct si_script_state *state;
  lua_State *before;
  int live_at;
} si_script_scope;
bool si_script_enter(lua_State *L, si_script_scope *scope, sinew_error *error);
void si_script_leave(lua_State *L, const si_script_scope *scope);

#endif
