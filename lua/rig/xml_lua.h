/* Rigs as XML in Lua, for the binding and the script host. */
#ifndef SI_XML_LUA_H
#define SI_XML_LUA_H

#include "lua/rig/rig_lua.h"

#include <sinew/xml.h>

/* Pushes the rig that a text describes, and true; or a message, and false, if it or a field that it
 * names is wrong. `folder` goes before the names of files in the same folder: "" or "rigs/". The
 * function that finds modules is at `require_index`. Raises what a module raises. */
bool si_xml_push_rig(lua_State *L, const char *name, const char *folder, const void *text,
                     size_t size, int require_index);

/* What is written of the rig at `rig_index` besides the rig itself, in memory of a userdata that is
 * pushed. Raises if a component's kind comes from no loaded module, unless the scripts are to stay
 * `elsewhere`, in this state: then all scripted components are written by module, those of none by
 * SI_XML_NO_MODULE, and without their objects and programs. */
#define SI_XML_NO_MODULE "-"
typedef struct si_xml_extras {
  sinew_xml_desc desc;
  sinew_xml_shape *shapes; /* the desc's, which may be changed */
  sinew_shape *owned;      /* what was read for them */
  int segment_count;
} si_xml_extras;
si_xml_extras *si_xml_collect(lua_State *L, int rig_index, const sinew_rig *rig, bool elsewhere);

#endif
