/* Reading what a scripted component declares: its ports, parameters and holds. Everything goes into
 * one block, which is measured first and then laid out, so each function is called twice. */
#ifndef SI_DECLARE_LUA_H
#define SI_DECLARE_LUA_H

#include "lua/rig/script_lua.h"

typedef struct si_layout {
  lua_State *L;
  const char *who; /* "sinew.component 'spring'", the start of messages */
  bool builds;     /* the kind is a subnetwork */
  char *base;      /* NULL while measuring */
  size_t used, room;
} si_layout;

/* Room in the block; NULL while measuring. */
void *si_lay(si_layout *layout, size_t bytes, size_t align);
const char *si_lay_text(si_layout *layout, const char *text, size_t length);

/* Ports from the list of texts at `list`. `more` is NULL for outputs. */
sinew_port_desc *si_declare_ports(si_layout *layout, int list, int count, si_port_more *more);
/* Parameters from the table at `table`, sorted by name; the instance, `self`, comes last. No
 * parameter has the name of one of the inputs. */
sinew_param_desc *si_declare_params(si_layout *layout, int table, const sinew_port_desc *inputs);
/* Holds from the table at `table`, sorted by port. */
sinew_hold_desc *si_declare_holds(si_layout *layout, int table, const sinew_port_desc *inputs,
                                  const sinew_port_desc *outputs, int *count);
/* Checks what `from` of the inputs names, when all tables are read. */
void si_declare_check(const si_layout *layout, const sinew_port_desc *inputs,
                      const si_port_more *more, const sinew_param_desc *params);
/* Pushes the default of a parameter, from its value on top of the stack in the declaration; nil if
 * it has none. */
void si_declare_push_default(lua_State *L);

#endif
