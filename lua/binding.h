/* The binding's own types, shared by its files.
 *
 * A rig in Lua is a builder and, once it is needed, the program compiled from it. Programs are
 * counted: a pose keeps its program alive through later edits and whatever order the collector
 * takes. Joint sets, segments, DOFs, components and ports are handles: an id, and the rig as the
 * userdata's owner. */
#ifndef SI_BINDING_H
#define SI_BINDING_H

#include "compat.h"
#include "math_lua.h"
#include "type.h"

#include <sinew/sinew.h>

typedef struct si_program {
  sinew_rig *rig;
  int refs;
} si_program;

void si_program_retain(si_program *program);
void si_program_release(si_program *program); /* NULL is allowed */

typedef struct si_rig_lua {
  sinew_builder *builder;
  si_program *program; /* NULL: not compiled since the last edit */
} si_rig_lua;

typedef struct si_handle {
  uint32_t id;
  uint32_t output; /* of a port */
} si_handle;

/* The handles' and other types; `si_type` holds name, methods and metamethods (type.h). */
extern const si_type si_rig_type, si_joint_set_type, si_segment_type, si_dof_type,
    si_component_type, si_port_type, si_curve_type, si_pose_type, si_crowd_type, si_script_type;

/* Adds this file's types and functions to the module table on top of the stack. */
void si_open_rig(lua_State *L);
void si_open_handles(lua_State *L);
void si_open_curve(lua_State *L);
void si_open_pose(lua_State *L);
void si_open_script(lua_State *L);
void si_open_watch(lua_State *L);

/* The rig at `index`; raises for anything else, and for a rig that was closed. */
si_rig_lua *si_rig_check(lua_State *L, int index);
/* The rig that a handle belongs to. */
si_rig_lua *si_handle_rig(lua_State *L, int index);
/* The rig compiled, or compiled now; raises with all mistakes. */
si_program *si_rig_program(lua_State *L, si_rig_lua *rig);
/* Forgets the program after an edit. */
void si_rig_edited(si_rig_lua *rig);
/* A rig, or a joint set whose rig and id are given. Leaves the rig userdata on the stack. */
si_rig_lua *si_check_owner(lua_State *L, int index, sinew_joint_set *dest);

/* Pushes a handle of a type that belongs to the rig at `rig_index`. */
void si_push_handle(lua_State *L, const si_type *type, int rig_index, uint32_t id, uint32_t output);

/* Methods by which rigs and joint sets make things: dof, segment, drive ... and one for each built-in
 * component. */
void si_add_maker_methods(lua_State *L);

/* Makes a component of `cls` from the table at `table`, in the owner at 1. Pushes its handle. */
int si_component_make(lua_State *L, const sinew_component_class *cls, int table);

/* Puts the name of what is at `index` (a DOF, a port, a component with one output), as a builder
 * wants it in a wire, on the stack; false, with nothing pushed, when it is none of these. Raises when
 * it belongs to another rig than `rig`. */
bool si_push_source(lua_State *L, int index, const si_rig_lua *rig);

/* Reads the Lua value at `index` as a parameter of that description. What the parameter points to is
 * kept in the table at `keep`. Raises with the component's kind and the parameter's name. */
void si_param_read(lua_State *L, int index, const char *kind, const sinew_param_desc *desc,
                   const char *name, int keep, sinew_param *dest);
/* Pushes a parameter's value as Lua. */
void si_param_push(lua_State *L, const sinew_param *param);

const sinew_curve *si_curve_check(lua_State *L, int index);
const sinew_curve *si_curve_test(lua_State *L, int index);

/* The class of a scripted component's instance, made by calling what sinew.component gave: the value
 * at `index` is such an instance. Pushes its arguments table; NULL when it is none. */
const sinew_component_class *si_script_instance(lua_State *L, int index);

/* Where the running script stands, "knee.lua:12", or NULL; pushed onto the stack to keep it. */
const char *si_push_where(lua_State *L);
/* Raises the error's text at the script's line. */
int si_raise(lua_State *L, const sinew_error *error);
/* Raises " (did you mean ...)" for a field that is not there. */
int si_no_field(lua_State *L, const char *what, const char *wanted, const char *const *names);

#endif
