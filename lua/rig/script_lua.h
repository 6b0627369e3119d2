/* Scripted components: a kind (the script's declaration) and the instances that rigs hold, both
 * counted, since builders, rigs and Lua all keep them.
 *
 * What they need of Lua (functions, tables of parameters, userdata for inputs) is kept alive by
 * Lua's own objects only: a kind's userdata owns its parts, and a rig's userdata owns what its
 * instances use. C finds them by number in one weak list. So a script whose eval refers to its own
 * rig is collected like any other cycle. */
#ifndef SI_SCRIPT_LUA_H
#define SI_SCRIPT_LUA_H

#include "lua/rig/rig_lua.h"
#include "sinew/marks.h"

enum {
  SI_SCRIPT_PORTS = 64,                      /* maximum number of inputs, and of outputs */
  SI_SCRIPT_STACK = 4 * SI_SCRIPT_PORTS + 8, /* Lua stack slots that a call needs */
  SI_SCRIPT_DEPTH = 32 /* maximum depth of nested evaluations: Lua does not check the C stack */
};

/* The call of `eval` in progress, which self:hold writes to. */
typedef struct si_script_call {
  const struct si_script *script;
  double *held; /* in the units that eval sees; NULL: nobody wants to know */
} si_script_call;

/* one for each Lua state; outlives it while a kind is still referenced */
typedef struct si_script_state {
  int refs;
  /* where evaluation runs: the main thread if nobody has called enter; NULL once the state is
   * closed */
  lua_State *L;
  int live;    /* reference to the weak list */
  int live_at; /* its index on the stack of L during the call; 0: not there */
  int depth;   /* depth of nested evaluations */
  bool check_purity;
  si_script_call call;
  const struct si_lua_guard *guard; /* guard of the Lua state; NULL: none */
  /* free slots of the list: each holds the index of the next, the last 0 */
  int *next_free;
  size_t room;
  int first_free, taken;
} si_script_state;

/* What the engine's descriptor of an input has no room for. */
typedef struct si_port_more {
  double scale;     /* how many of the declared unit are in one of those that wires carry */
  bool optional;    /* `fallback` stands for it: a scalar in the declared unit, or a vector */
  bool segment;     /* it takes a segment, whose frame a component of the kind `relative` gives */
  const char *from; /* the input or parameter with the segment it is seen from; NULL: the topmost
                       ancestor */
  float fallback[3];
} si_port_more;

typedef struct si_script {
  int refs;
  int running; /* calls of `eval` in progress: a script may evaluate another pose */
  si_script_state *state;
  sinew_component_class cls;
  const char *name, *doc;
  bool scalars;        /* only scalars in, as wires carry them, and one scalar out */
  bool builds;         /* a subnetwork: the function adds components instead of evaluating */
  bool dual;           /* `eval` accepts dual numbers, and so gives its derivative */
  uint64_t frozen;     /* parameters that are parts of its programs: a bit for each of 64 */
  int record;          /* 1: it must be recorded; -1: it must not; 0: where it can be */
  int function, parts; /* slots in the weak list; 0: none yet */
  int verify, draw;    /* likewise; 0: it has none */
  int protect;         /* likewise: the function that si_script_protect calls */
  int *userdata;       /* for each vector or matrix input: the userdata that passes it */
  int input_count, output_count, hold_count;
  sinew_port_desc *inputs, *outputs;
  sinew_param_desc *params;
  sinew_hold_desc *holds; /* sorted by port */
  double *hold_scale;     /* of each: as that of its port */
  si_port_more *more;     /* of each input */
} si_script;

/* Data of a component in a compiled rig. */
typedef struct si_script_node {
  const sinew_program *none; /* NULL: the data of a component with a program starts with it */
  si_script *script;
  int function, self; /* slots in the weak list */
} si_script_node;

typedef struct si_instance {
  int refs;
  int self; /* slot of its parameter table in the weak list */
  int view; /* slot of the read-only table that `eval` sees of it */
  si_script *script;
  sinew_program *program; /* what eval was recorded as; NULL: it runs in Lua */
  bool calls;             /* it runs in Lua although there may be a program */
  char *refusal;          /* why it does, where a recording was tried */
  /* what the recording depends on besides numbers (texts, and how long lists are), as a sum; until
   * the first setup it is not known */
  bool shaped;
  uint64_t shape;
} si_instance;

/* The scripted instance behind a component, or NULL. */
const si_instance *si_instance_in(const sinew_rig *rig, sinew_component component);
/* The part of a component's data that is the script's own. */
si_script_node *si_script_node_of(const sinew_node *node);

/* Raises if the Lua state is being closed. */
si_script_state *si_script_state_of(lua_State *L);
static inline bool si_script_froze(const si_script *script, int param) {
  return param < 64 && (script->frozen >> param & 1);
}
/* Fills in the engine's class from the declaration. */
void si_script_class(si_script *script);
/* Pushes the function that si_script_protect calls. */
void si_script_push_protect(lua_State *L);
/* Calls `run`, which may raise and allocate, on an empty stack of SI_SCRIPT_STACK slots, within the
 * budget of the state. What it raises becomes `error`. */
sinew_status si_script_protect(si_script *script, void (*run)(lua_State *L, void *job), void *job,
                               sinew_error *error);
/* The `verify` of the engine's class. */
bool si_script_verify(const sinew_node *node, const float *values, sinew_error *why);
/* Calls `draw` of a component for the evaluated pose; `dest` has room for SINEW_MARKS. A component
 * without it draws nothing. */
sinew_status si_script_draw(const sinew_pose *pose, sinew_component component, sinew_mark *dest,
                            int *count, sinew_error *error);
/* The same for values of its inputs, without a pose. */
sinew_status si_script_draw_at(const si_instance *instance, const float *const *inputs,
                               sinew_mark *dest, int *count, sinew_error *error);
void si_script_release(si_script *script);
/* __newindex of what `eval` sees as self. */
int si_script_keep_nothing(lua_State *L);

/* Puts the value on top of the stack into the weak list, without popping it, and returns its slot;
 * pushes the value of a slot, or nil. */
int si_script_put(lua_State *L);
void si_script_get(lua_State *L, int place);

/* Pushes a userdata of the kind. */
void si_script_push(lua_State *L, si_script *script);

/* sinew.component { ... } */
int si_script_define(lua_State *L);
/* Pushes a parameter table for an instance: from the table at `arguments`, else
 * the defaults. Vectors and matrices are userdata in it, whatever they were given as. Reading what
 * is no parameter raises. */
void si_script_push_self(lua_State *L, const si_script *script, int arguments, const char *who);
/* Pushes what `eval` sees of the table of parameters on top of the stack: a table through which it
 * is read, which has the method `hold` and refuses to be written. */
void si_script_push_view(lua_State *L, const si_script *script);
/* Pushes what an optional input is if it is not wired. */
void si_script_push_fallback(lua_State *L, const si_script *script, int input);
/* The arguments at that index as wires and parameters that the engine takes: the same table, or a
 * copy that is pushed. The rig or joint set is at 1. */
int si_script_arguments(lua_State *L, const si_script *script, int arguments);
/* Pushes the value at `index` in the form that the parameter table has. */
void si_script_push_value(lua_State *L, int index, const sinew_param *param);
/* Turns the component with that id, which a builder has without a class, into an instance of
 * this kind; its parameters come by name from the table at `arguments`. The rig's userdata is at
 * `rig`. */
void si_script_adopt(lua_State *L, si_script *script, int rig, sinew_component component,
                     int arguments);
/* The kind of that name in the value on top of the stack: the value itself, or a field of a table;
 * NULL if there is none. */
si_script *si_script_in(lua_State *L, const char *name);
/* Adds a subnetwork: calls its function with the rig or joint set at 1, and pushes a table of its
 * outputs. */
int si_script_build(lua_State *L, const si_script *script, int arguments);

#endif
