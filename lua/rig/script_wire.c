/* What the arguments of a scripted component become before it is made: an input of the kind segment
 * is wired to a component `relative`, which gives the segment's frame, and vectors that are not
 * wired get their defaults as constants. */
#include "lua/rig/script_lua.h"

#include <string.h>

/* pushes the argument for input i, by position or by name; returns whether it was by position */
static bool push_argument(lua_State *L, const si_script *script, int arguments, int i) {
  lua_rawgeti(L, arguments, i + 1);
  if (!lua_isnil(L, -1)) return true;
  lua_pop(L, 1);
  si_raw_field(L, arguments, script->inputs[i].name);
  return false;
}

static sinew_segment find_segment(const sinew_builder *b, const char *name) {
  for (uint32_t id = 1; id <= (uint32_t)sinew_builder_counts(b).segments; id++)
    if (strcmp(sinew_builder_segment_name(b, (sinew_segment){ id }), name) == 0)
      return (sinew_segment){ id };
  return (sinew_segment){ 0 };
}

/* pushes the name of the topmost ancestor of a segment; a parent that is not there yet is reported
 * when the rig is compiled */
static void push_top(lua_State *L, const sinew_builder *b, sinew_segment segment) {
  const char *parent;
  int left = sinew_builder_counts(b).segments;
  while (left-- > 0 && (parent = sinew_builder_segment_parent(b, segment)) != NULL) {
    sinew_segment up = find_segment(b, parent);
    if (!up.id) break;
    segment = up;
  }
  lua_pushstring(L, sinew_builder_segment_name(b, segment));
}

/* pushes the segment from which input i is seen */
static void push_base(lua_State *L, const si_script *script, int arguments, int i,
                      const si_handle *segment) {
  const char *from = script->more[i].from;
  if (!from) {
    push_top(L, segment->rig->builder, (sinew_segment){ segment->id });
    return;
  }
  for (int k = 0; k < script->input_count; k++) {
    if (strcmp(script->inputs[k].name, from) != 0) continue;
    push_argument(L, script, arguments, k);
    if (!si_lua_test(L, -1, &si_segment_type))
      luaL_error(L, "%s: input '%s' must be a segment, since '%s' is seen from it", script->name,
                 from, script->inputs[i].name);
    return;
  }
  si_raw_field(L, arguments, from);
  if (!lua_isnil(L, -1)) return;
  lua_pop(L, 1);
  si_script_get(L, script->parts);
  lua_getfield(L, -1, "defaults");
  lua_getfield(L, -1, from);
  if (lua_isnil(L, -1)) luaL_error(L, "%s: parameter '%s' is not given", script->name, from);
}

/* replaces the segment on top of the stack by the component that gives its frame */
static void make_frame(lua_State *L, const si_script *script, int arguments, int i) {
  int given = lua_gettop(L);
  const si_handle *segment = si_handle_check(L, given, &si_segment_type);
  lua_createtable(L, 0, 2);
  int options = lua_gettop(L);
  lua_pushvalue(L, given);
  lua_setfield(L, options, "of");
  push_base(L, script, arguments, i, segment);
  lua_setfield(L, options, "to");
  lua_settop(L, options);
  si_component_make(L, sinew_catalog_find("relative"), options, NULL);
  lua_replace(L, given);
  lua_settop(L, given);
}

/* pushes a copy of the table at `arguments` */
static int push_copy(lua_State *L, int arguments) {
  lua_newtable(L);
  for (lua_pushnil(L); lua_next(L, arguments);) {
    lua_pushvalue(L, -2);
    lua_insert(L, -2);
    lua_rawset(L, -4);
  }
  return lua_gettop(L);
}

int si_script_arguments(lua_State *L, const si_script *script, int arguments) {
  luaL_checkstack(L, 16, "arguments");
  int dest = 0;
  for (int i = 0; i < script->input_count; i++) {
    const si_port_more *more = &script->more[i];
    bool fills = more->optional && !(script->inputs[i].flags & SINEW_PORT_OPTIONAL);
    if (!more->segment && !fills) continue;
    if (!dest) dest = push_copy(L, arguments);
    bool position = push_argument(L, script, arguments, i);
    if (more->segment && si_lua_test(L, -1, &si_segment_type)) {
      make_frame(L, script, arguments, i);
    } else if (fills && lua_isnil(L, -1)) {
      lua_pop(L, 1);
      si_script_push_fallback(L, script, i);
    } else {
      lua_pop(L, 1);
      continue;
    }
    if (position)
      lua_rawseti(L, dest, i + 1);
    else
      lua_setfield(L, dest, script->inputs[i].name);
  }
  return dest ? dest : arguments;
}
