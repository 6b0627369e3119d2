/* Scripted components: a kind (the script's declaration) and its instances, both counted, since
 * builders, rigs and Lua all keep them. */
#ifndef SI_SCRIPT_LUA_H
#define SI_SCRIPT_LUA_H

#include "binding.h"

/* one for each Lua state; outlives it while a kind is still held */
typedef struct si_script_state {
  int refs;
  lua_State *L;    /* where evaluation runs now; NULL once the state is closed */
  lua_State *main; /* where it runs when nobody has entered */
  bool check_purity;
} si_script_state;

typedef struct si_script {
  int refs;
  si_script_state *state;
  sinew_component_class cls;
  const char *name;
  bool builds;  /* a subnetwork: `function` wires instead of evaluating */
  int function; /* references into the registry */
  int defaults;
  int mirror;
  int *arguments; /* for each vector or matrix input: the userdata it is handed in */
  int input_count, output_count;
  sinew_port_desc *inputs, *outputs;
  sinew_param_desc *params;
} si_script;

typedef struct si_instance {
  int refs;
  si_script *script;
  int self; /* reference to the table of its parameters */
} si_instance;

si_script_state *si_script_state_of(lua_State *L);
/* Fills in the engine's class from what was declared. */
void si_script_class(si_script *script);
/* Pushes the kind itself, as sinew.component gave it. */
void si_script_push(lua_State *L, si_script *script);
/* sinew.component { ... } */
int si_script_define(lua_State *L);
/* Adds an instance of a subnetwork: calls its function with the maker at 1, and pushes a table of
 * its outputs. */
int si_script_build(lua_State *L, const si_instance *instance, int arguments);

#endif
