/* While a recording runs: functions of `math`, of the module and of its types are replaced by those
 * that take recorded values. Scripts capture such functions early (`local sin = math.sin`), so a
 * hook looks at every function of the script when it is first called, and replaces what it has
 * captured: those functions, and vec3, quats and matrices, which a script may reuse to make no
 * garbage. All that functions of the script captured is noted, and put back before the next run and
 * at the end, so that a recording leaves no trace. */
#include "lua/math/record.h"

#include <string.h>

static const char kept_key, swaps_key, state_key;

/* in the registry under state_key, for one recording */
enum {
  at_seen = 1, /* functions that were called; what si_scan_function gave, or true */
  at_upvalues, /* list: function, index, what it had captured */
  at_tables,   /* list: table, its entries */
  at_known,    /* tables that were looked at */
  at_copies,   /* recorded values by captured userdata */
  at_list,     /* list: userdata, its recorded value */
  at_plain,    /* and back: captured userdata by recorded values, of all runs */
  at_written,  /* by userdata: a bit for each entry that a run has changed */
  at_saved,    /* what was replaced, in the order of the pairs */
  at_count
};
/* in the registry under swaps_key: all that may be replaced */
enum { at_pairs = 1, at_map, at_tables_of_pairs };

enum { most_entries = 512, most_depth = 2, own_count = 1000, most_calls = 150 };

static int length_of(lua_State *L, int index) { return (int)lua_rawlen(L, index); }

static void append(lua_State *L, int list) { lua_rawseti(L, list, length_of(L, list) + 1); }

/* --- the functions */

/* adds what replaces field `name` of the table at `table`; the swaps are at 1 */
static void add_pair(lua_State *L, int table, const char *name, lua_CFunction function) {
  int top = lua_gettop(L);
  lua_rawgeti(L, 1, at_pairs);
  lua_rawgeti(L, 1, at_map);
  lua_rawgeti(L, 1, at_tables_of_pairs);
  lua_pushvalue(L, table);
  lua_pushboolean(L, 1);
  lua_rawset(L, top + 3);
  si_raw_field(L, table, name);
  if (lua_isfunction(L, -1)) {
    int original = lua_gettop(L);
    lua_pushvalue(L, original);
    lua_pushcclosure(L, function, 1);
    lua_pushvalue(L, table);
    append(L, top + 1);
    lua_pushstring(L, name);
    append(L, top + 1);
    lua_pushvalue(L, original + 1);
    append(L, top + 1);
    lua_rawset(L, top + 2); /* by the original */
  }
  lua_settop(L, top);
}

static void add_all(lua_State *L, int table, const luaL_Reg *functions) {
  for (; functions->name; functions++)
    if (functions->name[0] != '_') add_pair(L, table, functions->name, functions->func);
}

static void add_methods(lua_State *L, int table) {
  for (const si_recorded_reg *m = si_recorded_methods; m->name; m++)
    add_pair(L, table, m->name, m->function);
}

/* operators and methods of a type; functions of the class in the module's field */
static void add_type(lua_State *L, int module, const si_lua_type *type, const luaL_Reg *functions) {
  static const char *const operators[] = { "__add", "__sub", "__mul", "__div",
                                           "__unm", "__eq",  "__pow", NULL };
  int top = lua_gettop(L);
  lua_rawgetp(L, LUA_REGISTRYINDEX, type);
  for (int i = 0; operators[i]; i++)
    for (const luaL_Reg *m = si_recorded_meta; m->name; m++)
      if (strcmp(m->name, operators[i]) == 0) add_pair(L, top + 1, m->name, m->func);
  si_raw_field(L, top + 1, "__index");
  lua_getupvalue(L, -1, 1);
  add_methods(L, lua_gettop(L));
  si_raw_field(L, module, type->name);
  if (lua_istable(L, -1)) {
    int class = lua_gettop(L);
    add_methods(L, class);
    add_all(L, class, functions);
    if (type == &si_dual_type) add_all(L, class, si_recorded_mat4);
    if (lua_getmetatable(L, class)) add_pair(L, class + 1, "__call", functions->func);
  }
  lua_settop(L, top);
}

/* pushes what may be replaced, which is found once for each Lua state */
static void push_swaps(lua_State *L) {
  if (lua_rawgetp(L, LUA_REGISTRYINDEX, &swaps_key) != LUA_TNIL) return;
  lua_pop(L, 1);
  lua_newtable(L);
  for (int i = at_pairs; i <= at_tables_of_pairs; i++) {
    lua_newtable(L);
    lua_rawseti(L, -2, i);
  }
  lua_pushvalue(L, -1);
  lua_rawsetp(L, LUA_REGISTRYINDEX, &swaps_key);
}

static int find_swaps(lua_State *L) {
  lua_settop(L, 0);
  push_swaps(L); /* 1 */
  lua_rawgetp(L, LUA_REGISTRYINDEX, &kept_key);
  lua_rawgeti(L, 2, 1); /* 3: the module */
  lua_rawgeti(L, 2, 2); /* 4: math */
  lua_rawgeti(L, 2, 3); /* 5: the globals */
  lua_rawgeti(L, 1, at_pairs);
  if (length_of(L, -1) > 0) return 0;
  add_all(L, 3, si_recorded_module);
  add_type(L, 3, &si_vec3_type, si_recorded_vec3);
  add_type(L, 3, &si_quat_type, si_recorded_quat);
  add_type(L, 3, &si_mat4_type, si_recorded_mat4);
  add_type(L, 3, &si_dual_type, si_recorded_dual);
  lua_rawgetp(L, LUA_REGISTRYINDEX, &si_curve_type);
  int curve = lua_gettop(L);
  add_pair(L, curve, "__call", si_recorded_curve[0].func);
  si_raw_field(L, curve, "__index");
  lua_getupvalue(L, -1, 1);
  add_pair(L, lua_gettop(L), "eval", si_recorded_curve[0].func);
  if (lua_istable(L, 4)) add_all(L, 4, si_recorded_math);
  add_all(L, 5, si_recorded_base);
  static const struct {
    const char *name;
    const luaL_Reg *functions;
  } more[] = { { "string", si_recorded_string }, { "os", si_recorded_os } };
  for (int i = 0; i < 2; i++) {
    si_raw_field(L, 5, more[i].name);
    if (lua_istable(L, -1)) add_all(L, lua_gettop(L), more[i].functions);
    lua_pop(L, 1);
  }
  return 0;
}

/* replaces them (true), or puts them back; needs no memory to put them back */
static void swap_functions(lua_State *L, bool in) {
  int top = lua_gettop(L);
  push_swaps(L);
  lua_rawgeti(L, -1, at_pairs);
  lua_rawgetp(L, LUA_REGISTRYINDEX, &state_key);
  lua_rawgeti(L, -1, at_saved);
  int list = top + 2, saved = top + 4;
  int count = in ? length_of(L, list) / 3 : length_of(L, saved);
  for (int i = 0; i < count; i++) {
    lua_rawgeti(L, list, 3 * i + 1);
    lua_rawgeti(L, list, 3 * i + 2);
    if (in) {
      lua_pushvalue(L, -1);
      lua_rawget(L, -3);
      lua_rawseti(L, saved, i + 1);
      lua_rawgeti(L, list, 3 * i + 3);
    } else {
      lua_rawgeti(L, saved, i + 1);
    }
    lua_rawset(L, -3);
    lua_settop(L, saved);
  }
  lua_settop(L, top);
}

/* --- what functions of the script captured. The state is at 1 in what follows. */

/* the bits of entries that differ from those of the plain value; both are on top: plain, recorded
 */
static unsigned changed_entries(lua_State *L) {
  si_recorded plain, *now = si_recorded_test(L, -1);
  unsigned bits = 0;
  if (!si_recorded_read(L, -2, 0, &plain)) return 0;
  for (int i = 0; i < plain.count; i++) bits |= (unsigned)(plain.v[i] != now->v[i]) << i;
  return bits;
}

/* reads the plain value at `index`; entries that an earlier run wrote get a number that shows in
 * the program if it matters */
static bool read_copy(lua_State *L, const si_recording *r, int state, int index,
                      si_recorded *dest) {
  if (!si_recorded_read(L, index, 0, dest)) return false;
  if (!r->dirty) return true;
  index = lua_absindex(L, index);
  lua_rawgeti(L, state, at_written);
  lua_pushvalue(L, index);
  lua_rawget(L, -2);
  unsigned bits = (unsigned)lua_tonumber(L, -1);
  lua_pop(L, 2);
  for (int i = 0; i < dest->count; i++)
    if (bits >> i & 1) dest->v[i] = si_rec_number(si_recording_of(L), 7.2531e5 + i);
  return true;
}

/* replaces the vec3, quat or mat4 on top of the stack, or the copy that an earlier run had of it,
 * by a recorded value; false for others */
static bool swap_userdata(lua_State *L, si_recording *r, int state) {
  if (r->dirty) {
    lua_rawgeti(L, state, at_plain);
    lua_pushvalue(L, -2);
    lua_rawget(L, -2);
    if (lua_isnil(L, -1))
      lua_pop(L, 2);
    else
      lua_replace(L, -3), lua_pop(L, 1);
  }
  if (!si_vec3_test(L, -1) && !si_quat_test(L, -1) && !si_mat4_test(L, -1)) return false;
  int plain = lua_gettop(L);
  lua_rawgeti(L, state, at_copies);
  lua_pushvalue(L, plain);
  lua_rawget(L, -2);
  if (lua_isnil(L, -1)) {
    si_recorded value;
    lua_pop(L, 1);
    read_copy(L, r, state, plain, &value);
    si_recorded_push(L, &value);
    lua_pushvalue(L, plain);
    lua_pushvalue(L, -2);
    lua_rawset(L, plain + 1);
    lua_rawgeti(L, state, at_plain);
    lua_pushvalue(L, plain + 2);
    lua_pushvalue(L, plain);
    lua_rawset(L, -3);
    lua_pop(L, 1);
    lua_rawgeti(L, state, at_list);
    lua_pushvalue(L, plain);
    append(L, lua_gettop(L) - 1);
    lua_pushvalue(L, plain + 2);
    append(L, lua_gettop(L) - 1);
    lua_pop(L, 1);
  }
  lua_replace(L, plain);
  lua_settop(L, plain);
  return true;
}

static void swap_table(lua_State *L, si_recording *r, int state, int depth);

/* replaces the captured value on top of the stack; returns whether it is another now */
static bool swap_value(lua_State *L, si_recording *r, int state, int depth) {
  int top = lua_gettop(L);
  if (lua_type(L, top) >= LUA_TUSERDATA) return swap_userdata(L, r, state); /* or cdata */
  if (lua_type(L, top) == LUA_TTABLE && depth > 0) swap_table(L, r, state, depth - 1);
  if (!lua_iscfunction(L, top)) return false;
  push_swaps(L);
  lua_rawgeti(L, -1, at_map);
  lua_pushvalue(L, top);
  lua_rawget(L, -2);
  bool found = !lua_isnil(L, -1);
  if (found) lua_replace(L, top);
  lua_settop(L, top);
  return found;
}

/* whether to look at the table on top of the stack: not yet known, and none that has pairs */
static bool is_new(lua_State *L, int state) {
  int top = lua_gettop(L);
  push_swaps(L);
  lua_rawgeti(L, -1, at_tables_of_pairs);
  lua_pushvalue(L, top);
  lua_rawget(L, -2);
  bool known = lua_toboolean(L, -1);
  lua_pushglobaltable(L);
  known = known && !lua_rawequal(L, -1, top);
  lua_rawgeti(L, state, at_known);
  lua_pushvalue(L, top);
  lua_rawget(L, -2);
  known |= lua_toboolean(L, -1);
  if (!known) {
    lua_pushvalue(L, top);
    lua_pushboolean(L, 1);
    lua_rawset(L, -4);
  }
  lua_settop(L, top);
  return !known;
}

/* notes the entries of the table on top of the stack, and replaces some */
static void swap_table(lua_State *L, si_recording *r, int state, int depth) {
  luaL_checkstack(L, 16, "captured tables");
  int table = lua_gettop(L), copy = table + 1, count = 0;
  if (!is_new(L, state)) return;
  lua_newtable(L);
  for (lua_pushnil(L); lua_next(L, table); count++) {
    lua_pushvalue(L, -2);
    lua_insert(L, -2);
    if (count == most_entries) { /* data, not a few values to write to */
      lua_settop(L, table);
      return;
    }
    lua_rawset(L, copy);
  }
  for (lua_pushnil(L); lua_next(L, copy);) {
    if (swap_value(L, r, state, depth)) {
      lua_pushvalue(L, -2);
      lua_insert(L, -2);
      lua_rawset(L, table);
    } else {
      lua_pop(L, 1);
    }
  }
  lua_rawgeti(L, state, at_tables);
  lua_pushvalue(L, table);
  append(L, copy + 1);
  lua_pushvalue(L, copy);
  append(L, copy + 1);
  lua_settop(L, table);
}

/* the Lua function on top of the stack is called for the first time in this run; pops it */
static void swap_captured(lua_State *L, si_recording *r) {
  int function = lua_gettop(L), state = function + 1;
  luaL_checkstack(L, 24, "captured values");
  lua_rawgetp(L, LUA_REGISTRYINDEX, &state_key);
  lua_rawgeti(L, state, at_seen);
  lua_pushvalue(L, function);
  si_scan_function(L, function);
  if (lua_isnil(L, -1)) {
    lua_pop(L, 1);
    lua_pushboolean(L, 1);
  }
  lua_rawset(L, -3);
  lua_pop(L, 1);
#if LUA_VERSION_NUM == 501
  lua_getfenv(L, function);
  if (lua_istable(L, -1)) swap_table(L, r, state, 0);
  lua_pop(L, 1);
#endif
  const char *name;
  for (int i = 1; (name = lua_getupvalue(L, function, i)) != NULL; i++) {
    int value = lua_gettop(L);
    lua_rawgeti(L, state, at_upvalues);
    lua_pushvalue(L, function);
    append(L, value + 1);
    lua_pushinteger(L, i);
    append(L, value + 1);
    lua_pushvalue(L, value);
    if (lua_isnil(L, -1)) {
      lua_pop(L, 1);
      lua_pushlightuserdata(L, (void *)(uintptr_t)&state_key); /* stands for nil */
    }
    append(L, value + 1);
    lua_settop(L, value);
    if (swap_value(L, r, state, strcmp(name, "_ENV") == 0 ? 1 : most_depth)) {
      lua_setupvalue(L, function, i);
    }
    lua_settop(L, state);
  }
  lua_settop(L, function - 1);
}

/* --- putting back */

static void restore_upvalues(lua_State *L, int state) {
  lua_rawgeti(L, state, at_upvalues);
  int list = lua_gettop(L);
  /* backwards: closures share what they capture */
  for (int i = length_of(L, list) - 2; i > 0; i -= 3) {
    lua_rawgeti(L, list, i);
    lua_rawgeti(L, list, i + 1);
    int index = (int)lua_tointeger(L, -1);
    lua_rawgeti(L, list, i + 2);
    if (lua_touserdata(L, -1) == &state_key) {
      lua_pop(L, 1);
      lua_pushnil(L);
    }
    lua_setupvalue(L, list + 1, index);
    lua_settop(L, list);
  }
  lua_settop(L, list - 1);
}

static void restore_tables(lua_State *L, int state) {
  lua_rawgeti(L, state, at_tables);
  int list = lua_gettop(L), table = list + 1, copy = list + 2;
  for (int i = length_of(L, list) - 1; i > 0; i -= 2) {
    lua_rawgeti(L, list, i);
    lua_rawgeti(L, list, i + 1);
    for (lua_pushnil(L); lua_next(L, table);) {
      lua_pushvalue(L, -2);
      lua_rawget(L, copy); /* key, value, what it was */
      if (!lua_rawequal(L, -1, -2)) {
        lua_pushvalue(L, -3);
        lua_insert(L, -2);
        lua_rawset(L, table);
        lua_pop(L, 1);
      } else {
        lua_pop(L, 2);
      }
    }
    for (lua_pushnil(L); lua_next(L, copy);) { /* what was removed */
      lua_pushvalue(L, -2);
      lua_rawget(L, table);
      bool gone = lua_isnil(L, -1);
      lua_pop(L, 1);
      if (gone) {
        lua_pushvalue(L, -2);
        lua_insert(L, -2);
        lua_rawset(L, table);
      } else {
        lua_pop(L, 1);
      }
    }
    lua_settop(L, list);
  }
  lua_settop(L, list - 1);
}

static int restore_all(lua_State *L) {
  lua_settop(L, 0);
  lua_rawgetp(L, LUA_REGISTRYINDEX, &state_key);
  luaL_checkstack(L, 16, "captured values");
  restore_upvalues(L, 1);
  restore_tables(L, 1);
  for (int i = at_seen; i <= at_list; i++) {
    lua_newtable(L);
    lua_rawseti(L, 1, i);
  }
  return 0;
}

/* --- runs */

/* notes which captured values the run that ends has changed */
static void note_written(lua_State *L, int state) {
  lua_rawgeti(L, state, at_list);
  lua_rawgeti(L, state, at_written);
  int list = state + 1, written = state + 2;
  for (int i = 1; i < length_of(L, list); i += 2) {
    lua_rawgeti(L, list, i);
    lua_pushvalue(L, -1);
    lua_rawget(L, written);
    unsigned bits = (unsigned)lua_tonumber(L, -1);
    lua_pop(L, 1);
    lua_rawgeti(L, list, i + 1);
    bits |= changed_entries(L);
    lua_pop(L, 1);
    lua_pushinteger(L, (lua_Integer)bits);
    lua_rawset(L, written);
  }
  lua_settop(L, state);
}

static int end_run(lua_State *L) {
  si_recording *r = si_recording_of(L);
  lua_settop(L, 0);
  lua_rawgetp(L, LUA_REGISTRYINDEX, &state_key);
  if (r->run) note_written(L, 1);
  if (!r->dirty) restore_all(L);
  return 0;
}

void si_swap_end_run(lua_State *L) {
  lua_pushcfunction(L, end_run);
  lua_call(L, 0, 0);
}

/* a second pass looks at all functions again, but puts nothing back */
static int look_again(lua_State *L) {
  static const int again[] = { at_seen, at_known, at_copies, at_list };
  lua_rawgetp(L, LUA_REGISTRYINDEX, &state_key);
  for (int i = 0; i < 4; i++) {
    lua_newtable(L);
    lua_rawseti(L, 1, again[i]);
  }
  return 0;
}

void si_swap_start_run(lua_State *L, si_recording *r) {
  si_swap_keep_hook(L, r);
  if (!r->dirty) return;
  lua_pushcfunction(L, look_again);
  lua_call(L, 0, 0);
}

/* --- the hook */

static void on_event(lua_State *L, lua_Debug *frame) {
  si_recording *r = si_recording_of(L);
  if (!r) return;
  if (frame->event == LUA_HOOKCOUNT) {
    uint32_t count = (uint32_t)lua_gethookcount(L);
    if (r->outer_hook) r->outer_hook(L, frame);
    si_swap_keep_hook(L, r);
    si_recording_work(L, r, count);
    return;
  }
  lua_Debug deep; /* each call costs what it takes to walk the stack */
  if (lua_getstack(L, most_calls, &deep))
    si_recording_refuse(L, "functions call each other more than %d deep: stack overflow",
                        most_calls);
#if LUA_VERSION_NUM == 501
  if (frame->event != LUA_HOOKCALL && frame->event != LUA_HOOKLINE) return;
#endif
  luaL_checkstack(L, 8, "calls");
  int top = lua_gettop(L);
  lua_getinfo(L, "f", frame);
  if (!lua_iscfunction(L, -1)) {
    lua_rawgetp(L, LUA_REGISTRYINDEX, &state_key);
    lua_rawgeti(L, -1, at_seen);
    lua_pushvalue(L, top + 1);
    lua_rawget(L, -2);
    if (frame->event == LUA_HOOKLINE) {
      if (lua_isuserdata(L, -1)) si_scan_compare(L, frame, lua_touserdata(L, -1));
    } else if (lua_isnil(L, -1)) {
      lua_settop(L, top + 1);
      swap_captured(L, r);
    }
  }
  lua_settop(L, top);
}

void si_swap_keep_hook(lua_State *L, si_recording *r) {
  if (lua_gethook(L) == on_event) return;
  int count = r->outer_hook ? lua_gethookcount(L) : 0;
  int mask = LUA_MASKCALL | LUA_MASKCOUNT | (LUA_VERSION_NUM >= 504 ? LUA_MASKLINE : 0);
  lua_sethook(L, on_event, mask, count ? count : own_count);
}

/* switches LuaJIT's compiler, whose code calls no hooks; returns whether it was on */
static bool set_jit(lua_State *L, bool on) {
  bool was = false;
  int top = lua_gettop(L);
  lua_getfield(L, LUA_REGISTRYINDEX, "_LOADED");
  if (LUA_VERSION_NUM == 501 && lua_istable(L, -1)) {
    si_raw_field(L, -1, "jit");
    static const char *const calls[] = { "status", "flush", "off" };
    for (int i = 0; lua_istable(L, top + 2) && i < (on ? 1 : 3); i++) {
      si_raw_field(L, top + 2, on ? "on" : calls[i]);
      if (lua_isfunction(L, -1) && lua_pcall(L, 0, 1, 0) == LUA_OK && i == 0)
        was = lua_toboolean(L, -1);
      lua_settop(L, top + 2);
      if (!on && i == 0 && !was) break;
    }
  }
  lua_settop(L, top);
  return was;
}

/* --- the whole */

void si_swap_begin(lua_State *L, si_recording *r) {
  lua_pushcfunction(L, find_swaps);
  lua_call(L, 0, 0);
  lua_createtable(L, at_count, 0);
  for (int i = 1; i < at_count; i++) {
    lua_newtable(L);
    lua_rawseti(L, -2, i);
  }
  lua_rawsetp(L, LUA_REGISTRYINDEX, &state_key);
  r->jit = set_jit(L, false);
  r->outer_hook = lua_gethook(L);
  r->outer_mask = lua_gethookmask(L);
  r->outer_count = lua_gethookcount(L);
  swap_functions(L, true);
}

void si_swap_end(lua_State *L, si_recording *r) {
  luaL_checkstack(L, 16, "the end of a recording");
  int top = lua_gettop(L);
  if (lua_rawgetp(L, LUA_REGISTRYINDEX, &state_key) != LUA_TNIL) {
    lua_pushcfunction(L, restore_all);
    lua_pcall(L, 0, 0, 0);
    swap_functions(L, false);
    if (lua_gethook(L) == on_event) {
      int count = r->outer_hook ? lua_gethookcount(L) : r->outer_count;
      lua_sethook(L, r->outer_hook, r->outer_mask, count);
    }
    if (r->jit) set_jit(L, true);
    lua_pushnil(L);
    lua_rawsetp(L, LUA_REGISTRYINDEX, &state_key);
  }
  lua_settop(L, top);
}

void si_open_swaps(lua_State *L) {
  lua_createtable(L, 3, 0);
  lua_pushvalue(L, -2);
  lua_rawseti(L, -2, 1);
  lua_getglobal(L, "math");
  if (!lua_istable(L, -1)) {
    lua_pop(L, 1);
    lua_pushboolean(L, 0);
  }
  lua_rawseti(L, -2, 2);
  lua_pushglobaltable(L);
  lua_rawseti(L, -2, 3);
  lua_rawsetp(L, LUA_REGISTRYINDEX, &kept_key);
}
