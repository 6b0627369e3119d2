/* Scripted components: a kind (the script's declaration) and the instances that rigs hold, both
 * counted, since builders, rigs and Lua all keep them.
 *
 * What they need of Lua (functions, tables of parameters, userdata for inputs) is kept alive by
 * Lua's own objects only: a kind's userdata owns its parts, and a rig's userdata owns what its
 * instances use. C finds them by its own pointers in one weak table. So a script whose eval refers
 * to its own rig is collected like any other cycle. */
#ifndef SI_SCRIPT_LUA_H
#define SI_SCRIPT_LUA_H

#include "binding.h"

enum {
  SI_SCRIPT_PORTS = 64, /* inputs, and outputs, at most */
  SI_SCRIPT_DEPTH = 32  /* of evaluations inside each other: C's stack is not Lua's to check */
};

/* one for each Lua state; outlives it while a kind is still held */
typedef struct si_script_state {
  int refs;
  lua_State *L;    /* where evaluation runs now; NULL once the state is closed */
  lua_State *main; /* where it runs when nobody has entered */
  int depth;       /* of evaluations inside each other */
  bool check_purity;
} si_script_state;

typedef struct si_script {
  int refs;
  int running; /* calls of `eval` under way: a script may evaluate another pose */
  si_script_state *state;
  sinew_component_class cls;
  const char *name;
  bool builds;    /* a subnetwork: the function wires instead of evaluating */
  char *userdata; /* of each input: its address is the key of the userdata it is handed in */
  int input_count, output_count;
  sinew_port_desc *inputs, *outputs;
  sinew_param_desc *params;
} si_script;

typedef struct si_instance {
  int refs;
  si_script *script;
} si_instance;

/* Raises where the Lua state is being closed. */
si_script_state *si_script_state_of(lua_State *L);
/* Fills in the engine's class from what was declared. */
void si_script_class(si_script *script);
void si_script_release(si_script *script);

/* The weak table from C's pointers to Lua's objects: puts the value on top of the stack under the
 * key, without popping it; pushes what is there, or nil. */
void si_script_put(lua_State *L, const void *key);
void si_script_get(lua_State *L, const void *key);

/* sinew.component { ... } */
int si_script_define(lua_State *L);
/* Pushes a table of the parameters for an instance: what stands in the table at `arguments`, else
 * the default. Vectors and matrices are userdata in it, whatever they were given as. */
void si_script_push_self(lua_State *L, const si_script *script, int arguments, const char *who);
/* Pushes the value at `index` as the table of parameters holds it. */
void si_script_push_value(lua_State *L, int index, const sinew_param *param);
/* Adds a subnetwork: calls its function with the maker at 1, and pushes a table of its outputs. */
int si_script_build(lua_State *L, const si_script *script, int arguments);

#endif
