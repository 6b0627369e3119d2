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

enum {
  SI_SCRIPT_PORTS = 64,                      /* inputs, and outputs, at most */
  SI_SCRIPT_STACK = 2 * SI_SCRIPT_PORTS + 8, /* what a call needs of Lua's stack */
  SI_SCRIPT_DEPTH = 32 /* of evaluations inside each other: C's stack is not Lua's to check */
};

/* one for each Lua state; outlives it while a kind is still held */
typedef struct si_script_state {
  int refs;
  lua_State *L; /* where evaluation runs: the main thread when nobody has entered; NULL once the
                   state is closed */
  int live;     /* reference to the weak list */
  int live_at;  /* its index on the stack of L during the call; 0: not there */
  int depth;    /* of evaluations inside each other */
  bool check_purity;
  const struct si_lua_guard *guard; /* of the Lua state; NULL: none */
  /* slots of the list: each free one holds the index of the next, the last 0 */
  int *next_free;
  size_t room;
  int first_free, taken;
} si_script_state;

typedef struct si_script {
  int refs;
  int running; /* calls of `eval` under way: a script may evaluate another pose */
  si_script_state *state;
  sinew_component_class cls;
  const char *name;
  bool scalars;        /* only scalars in, as wires carry them, and one scalar out */
  bool builds;         /* a subnetwork: the function wires instead of evaluating */
  bool dual;           /* `eval` takes dual numbers, and so gives its derivative */
  int function, parts; /* places in the weak list; 0: none yet */
  int differentiate;   /* likewise: calls `eval` with dual numbers */
  int *userdata;       /* for each vector or matrix input: what it is handed in */
  int input_count, output_count;
  sinew_port_desc *inputs, *outputs;
  sinew_param_desc *params;
} si_script;

typedef struct si_instance {
  int refs;
  int self; /* place of the table of its parameters in the weak list */
  int view; /* place of what `eval` sees of it: to be read only */
  si_script *script;
} si_instance;

/* Raises where the Lua state is being closed. */
si_script_state *si_script_state_of(lua_State *L);
/* Fills in the engine's class from what was declared. */
void si_script_class(si_script *script);
/* Pushes what a kind with dual numbers keeps in its parts to be differentiated by. */
void si_script_push_differentiate(lua_State *L);
void si_script_release(si_script *script);

/* Puts the value on top of the stack into the weak list, without popping it, and gives its place;
 * pushes what is there, or nil. */
int si_script_put(lua_State *L);
void si_script_get(lua_State *L, int place);

/* Pushes a userdata of the kind. */
void si_script_push(lua_State *L, si_script *script);

/* sinew.component { ... } */
int si_script_define(lua_State *L);
/* Pushes a table of the parameters for an instance: from the table at `arguments`, else
 * the default. Vectors and matrices are userdata in it, whatever they were given as. Reading what
 * is no parameter raises. */
void si_script_push_self(lua_State *L, const si_script *script, int arguments, const char *who);
/* Pushes what `eval` sees of the table of parameters on top of the stack: an empty table through
 * which it is read, and which refuses to be written. */
void si_script_push_view(lua_State *L);
/* Pushes the value at `index` as the table of parameters holds it. */
void si_script_push_value(lua_State *L, int index, const sinew_param *param);
/* Makes the component of that id, which a builder has without its class, one of this kind: its
 * parameters, by name in the table at `arguments`, become those of an instance. The rig's userdata
 * is at `rig`. */
void si_script_adopt(lua_State *L, si_script *script, int rig, sinew_component component,
                     int arguments);
/* The kind of that name in the value on top of the stack: the value itself, or a field of a table;
 * NULL where there is none. */
si_script *si_script_in(lua_State *L, const char *name);
/* Adds a subnetwork: calls its function with the maker at 1, and pushes a table of its outputs. */
int si_script_build(lua_State *L, const si_script *script, int arguments);

#endif
