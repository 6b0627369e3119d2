/* Recorded values in Lua: numbers, vec3, quat and mat4 of one type. Each is a ticket for a slot of
 * the recording, so that a value that a script keeps is refused later, and nothing that a script
 * can reach points into memory.
 *
 * On Lua 5.4 it is a userdata. LuaJIT asks no metamethod when a userdata is compared with a number,
 * so there it is a struct of its ffi library. */
#include "lua/math/recorded_parts.h"

#include "base/alloc.h"
#include "lua/base/reserve.h"

#include <math.h>
#include <string.h>

typedef struct ticket {
  uint32_t run, slot;
} ticket;

static int refuse_index(lua_State *L) {
  return si_recording_refuse(L, "a recorded value cannot be the key of a table; use comparisons, a "
                                "curve parameter, or a list with a key that is known");
}

static int no_text(lua_State *L) { return si_recording_refuse(L, "%s", si_recording_no_text); }

/* --- making and finding them */

#if LUA_VERSION_NUM == 501

enum { type_of_cdata = 10 };
static const char make_key, is_key;

bool si_recorded_open(lua_State *L) {
  if (lua_rawgetp(L, LUA_REGISTRYINDEX, &make_key) != LUA_TNIL) {
    lua_pop(L, 1);
    return true;
  }
  lua_settop(L, lua_gettop(L) - 1);
  static const char text[] =
      "local meta = ...\n"
      "local ffi = require 'ffi'\n"
      "return ffi.metatype('struct { uint32_t run_, slot_; }', meta), ffi.istype\n";
  int top = lua_gettop(L);
  if (luaL_loadbuffer(L, text, sizeof text - 1, "=recorded") != LUA_OK) lua_error(L);
  lua_newtable(L);
  luaL_setfuncs(L, si_recorded_meta, 0);
  if (lua_pcall(L, 1, 2, 0) != LUA_OK) {
    lua_settop(L, top);
    lua_pushliteral(L, "LuaJIT's library ffi is missing");
    return false;
  }
  lua_rawsetp(L, LUA_REGISTRYINDEX, &is_key);
  lua_rawsetp(L, LUA_REGISTRYINDEX, &make_key);
  return true;
}

static ticket *new_ticket(lua_State *L) {
  lua_rawgetp(L, LUA_REGISTRYINDEX, &make_key);
  lua_call(L, 0, 1);
  return (ticket *)(uintptr_t)lua_topointer(L, -1);
}

static ticket *ticket_at(lua_State *L, int index) {
  if (lua_type(L, index) != type_of_cdata) return NULL;
  index = lua_absindex(L, index);
  luaL_checkstack(L, 4, "recorded values");
  if (lua_rawgetp(L, LUA_REGISTRYINDEX, &is_key) == LUA_TNIL) {
    lua_pop(L, 1);
    return NULL;
  }
  lua_rawgetp(L, LUA_REGISTRYINDEX, &make_key);
  lua_pushvalue(L, index);
  lua_call(L, 2, 1);
  bool is = lua_toboolean(L, -1);
  lua_pop(L, 1);
  return is ? (ticket *)(uintptr_t)lua_topointer(L, index) : NULL;
}

#else

const si_lua_type si_recorded_type = { .name = "recorded value", .meta = si_recorded_meta };

bool si_recorded_open(lua_State *L) {
  si_lua_type_open(L, &si_recorded_type);
  return true;
}

static ticket *new_ticket(lua_State *L) {
  return si_lua_new(L, &si_recorded_type, sizeof(ticket), 0);
}

static ticket *ticket_at(lua_State *L, int index) {
  return lua_type(L, index) == LUA_TUSERDATA ? si_lua_test(L, index, &si_recorded_type) : NULL;
}

#endif

si_recorded *si_recorded_test(lua_State *L, int index) {
  const ticket *t = ticket_at(L, index);
  if (!t) return NULL;
  si_recording *r = si_recording_of(L);
  if (!r) luaL_error(L, "a recorded value is used after its recording has ended");
  if (t->run != r->run || t->slot >= r->slot_count)
    si_recording_refuse(L,
                        "a value that was kept from an earlier call is used: eval keeps nothing, "
                        "so that the same inputs always give the same outputs");
  return &r->slots[t->slot];
}

static si_recorded *push_slot(lua_State *L, si_recording *r, int count) {
  if (r->graph.full) {
    si_recording_refuse(L,
                        r->graph.count >= r->graph.limit
                            ? "more than %u operations; call sinew.join(f) where branches repeat "
                              "what follows, or record = false"
                            : "memory is out after %u operations",
                        (unsigned)r->graph.count);
  }
  if (r->slot_count >= SI_RECORD_VALUES)
    si_recording_refuse(L, "more than %d recorded values in one call", SI_RECORD_VALUES);
  si_lua_spend(L, 4);
  si_recording_work(L, r, 4);
  si_swap_keep_hook(L, r);
  ticket *t = new_ticket(L); /* before room is made: it may run a finalizer of the script */
  if (!si_grow(&r->slots, &r->slot_room, (size_t)r->slot_count + 1, sizeof *r->slots))
    luaL_error(L, "out of memory");
  *t = (ticket){ r->run, r->slot_count };
  si_recorded *slot = &r->slots[r->slot_count++];
  slot->count = count;
  return slot;
}

int si_recorded_push(lua_State *L, const si_recorded *value) {
  si_recorded copy = *value;
  si_recording *r = si_recording_of(L);
  for (int i = 0; i < copy.count; i++)
    if (!copy.v[i]) r->graph.full = true;
  *push_slot(L, r, copy.count) = copy;
  return 1;
}

int si_recorded_push_number(lua_State *L, si_value value) {
  return si_recorded_push(L, &(si_recorded){ .count = 1, .v = { value } });
}

/* --- reading them, or plain values */

static bool read_number(lua_State *L, si_recording *r, int index, si_value *dest) {
  if (lua_type(L, index) == LUA_TNUMBER) {
    *dest = si_rec_number(r, (double)lua_tonumber(L, index));
    return true;
  }
  const si_recorded *value = si_recorded_test(L, index);
  if (!value || value->count != 1) return false;
  *dest = value->v[0];
  return true;
}

/* { x = 1, z = 2 }: missing letters are 0, any other key is an error */
static bool read_letters(lua_State *L, si_recording *r, int index, int count, si_recorded *dest) {
  bool any = false;
  *dest = (si_recorded){ .count = count };
  for (int i = 0; i < count; i++) dest->v[i] = si_rec_number(r, 0);
  for (lua_pushnil(L); lua_next(L, index); lua_pop(L, 1)) {
    bool letter = lua_type(L, -2) == LUA_TSTRING && lua_rawlen(L, -2) == 1;
    int at = letter ? (*lua_tostring(L, -2) - 'x') & 3 : 4;
    if (letter && !strchr("xyzw", *lua_tostring(L, -2))) at = 4;
    if (at >= count || !read_number(L, r, lua_gettop(L), &dest->v[at])) {
      lua_pop(L, 2);
      return false;
    }
    any = true;
  }
  return any;
}

static bool read_table(lua_State *L, si_recording *r, int index, int count, si_recorded *dest) {
  size_t length = lua_rawlen(L, index);
  if (length == 0 && count <= 4) return read_letters(L, r, index, count ? count : 3, dest);
  if ((length != 3 && length != 4 && length != 16) || (count && length != (size_t)count))
    return false;
  *dest = (si_recorded){ .count = (int)length };
  for (int i = 0; i < dest->count; i++) {
    lua_rawgeti(L, index, i + 1);
    bool good = read_number(L, r, lua_gettop(L), &dest->v[i]);
    lua_pop(L, 1);
    if (!good) return false;
  }
  return true;
}

bool si_recorded_read(lua_State *L, int index, int count, si_recorded *dest) {
  si_recording *r = si_recording_of(L);
  index = lua_absindex(L, index);
  const si_recorded *value = si_recorded_test(L, index);
  if (value) {
    if (value->count == 0) si_recording_refuse(L, "%s", si_recording_no_text);
    *dest = *value;
    return !count || count == dest->count;
  }
  if (!r) return false;
  if (lua_type(L, index) == LUA_TNUMBER) {
    *dest = (si_recorded){ .count = 1 };
    return (!count || count == 1) && read_number(L, r, index, &dest->v[0]);
  }
  if (lua_istable(L, index)) return count != 1 && read_table(L, r, index, count, dest);
  const float *floats = NULL;
  *dest = (si_recorded){ .count = 3 };
  if ((!count || count == 3) && (floats = si_vec3_test(L, index))) dest->count = 3;
  if (!floats && (!count || count == 4) && (floats = si_quat_test(L, index))) dest->count = 4;
  if (!floats && (!count || count == 16) && (floats = si_mat4_test(L, index))) dest->count = 16;
  for (int i = 0; floats && i < dest->count; i++) dest->v[i] = si_rec_number(r, (double)floats[i]);
  return floats != NULL;
}

static const char *kind_name(int count) {
  return count == 0   ? "text"
         : count == 1 ? "number"
         : count == 3 ? "vec3"
         : count == 4 ? "quat"
                      : "mat4";
}

const char *si_recorded_typename(lua_State *L, int index) {
  const si_recorded *value = si_recorded_test(L, index);
  return value ? kind_name(value->count) : si_lua_typename(L, index);
}

si_recorded si_recorded_want(lua_State *L, int index, int count) {
  si_recorded read;
  if (si_recorded_read(L, index, count, &read)) return read;
  if (lua_isuserdata(L, index) && strcmp(si_lua_typename(L, index), "dual") == 0)
    si_recording_refuse(L, "a dual cannot be mixed with recorded values; eval gets plain ones, and "
                           "its derivative follows from the recording");
  const char *wanted = !count       ? "number, vec3, quat or mat4"
                       : count == 1 ? "number"
                       : count == 3 ? "vec3 or a table of three numbers"
                       : count == 4 ? "quat or a table of four numbers"
                                    : "mat4 or a table of sixteen numbers";
  const char *got = si_recorded_typename(L, index);
  luaL_argerror(L, index, lua_pushfstring(L, "%s expected, got %s", wanted, got));
  return read;
}

si_value si_rec_dot(si_recording *r, const si_value *a, int a_stride, const si_value *b,
                    int b_stride, int count) {
  si_value sum = si_rec_mul(r, a[0], b[0]);
  for (int i = 1; i < count; i++)
    sum = si_rec_add(r, sum, si_rec_mul(r, a[i * a_stride], b[i * b_stride]));
  return sum;
}

/* --- operators */

static int operator_error(lua_State *L, const char *operator) {
  for (int i = 1; i <= 2; i++) {
    int type = lua_type(L, i);
    const si_recorded *other = si_recorded_test(L, 3 - i);
    if (other && other->count == 1 && !si_recorded_test(L, i) && type != LUA_TUSERDATA &&
        type != LUA_TNUMBER)
      return luaL_error(L, "attempt to perform arithmetic on a %s value", luaL_typename(L, i));
    if (type == LUA_TUSERDATA && strcmp(si_lua_typename(L, i), "dual") == 0)
      return si_recording_refuse(L, "a dual cannot be mixed with recorded values");
  }
  return luaL_error(L, "cannot apply '%s' to %s and %s", operator, si_recorded_typename(L, 1),
                    si_recorded_typename(L, 2));
}

static void operands(lua_State *L, const char *operator, si_recorded * a, si_recorded *b) {
  lua_settop(L, 2);
  if (!si_recorded_read(L, 1, 0, a) || !si_recorded_read(L, 2, 0, b)) operator_error(L, operator);
  /* a table with x, y and z was read as a vec3, but a quat may have w */
  if (a->count == 4 && b->count == 3 && lua_istable(L, 2)) si_recorded_read(L, 2, 4, b);
}

/* both of the same kind, entry by entry */
static int entrywise(lua_State *L, const char *operator, si_graph_code code) {
  si_recorded a, b;
  operands(L, operator, & a, &b);
  if (a.count != b.count || a.count == 16) return operator_error(L, operator);
  si_recording *r = si_recording_of(L);
  for (int i = 0; i < a.count; i++) a.v[i] = si_rec2(r, code, a.v[i], b.v[i]);
  return si_recorded_push(L, &a);
}

static int op_add(lua_State *L) { return entrywise(L, "+", SI_G_ADD); }
static int op_sub(lua_State *L) { return entrywise(L, "-", SI_G_SUB); }

static int op_mul(lua_State *L) {
  si_recorded a, b, c;
  operands(L, "*", &a, &b);
  si_recording *r = si_recording_of(L);
  if (a.count == 1 && b.count < 16) {
    for (int i = 0; i < b.count; i++) b.v[i] = si_rec_mul(r, a.v[0], b.v[i]);
    return si_recorded_push(L, &b);
  }
  if (b.count == 1 && a.count < 16) {
    for (int i = 0; i < a.count; i++) a.v[i] = si_rec_mul(r, a.v[i], b.v[0]);
    return si_recorded_push(L, &a);
  }
  if (!si_recorded_product(r, &a, &b, &c)) return operator_error(L, "*");
  return si_recorded_push(L, &c);
}

static int op_div(lua_State *L) {
  si_recorded a, b;
  operands(L, "/", &a, &b);
  if (a.count == 16 || (b.count != 1 && (a.count != 3 || b.count != 3)))
    return operator_error(L, "/");
  si_recording *r = si_recording_of(L);
  for (int i = 0; i < a.count; i++) a.v[i] = si_rec_div(r, a.v[i], b.v[b.count == 1 ? 0 : i]);
  return si_recorded_push(L, &a);
}

static int numbers(lua_State *L, const char *operator, si_value * a, si_value *b) {
  si_recorded x, y;
  *a = *b = 0;
  operands(L, operator, & x, &y);
  if (x.count != 1 || y.count != 1) return operator_error(L, operator);
  *a = x.v[0];
  *b = y.v[0];
  return 0;
}

static int op_pow(lua_State *L) {
  si_value a, b;
  numbers(L, "^", &a, &b);
  return si_recorded_push_number(L, si_rec2(si_recording_of(L), SI_G_POW, a, b));
}

static si_value floor_of(si_recording *r, si_value a, si_value b) {
  return si_rec1(r, SI_G_FLOOR, si_rec_div(r, a, b));
}

static int op_mod(lua_State *L) {
  si_recording *r = si_recording_of(L);
  si_value a, b;
  numbers(L, "%", &a, &b);
  return si_recorded_push_number(L, si_rec_sub(r, a, si_rec_mul(r, b, floor_of(r, a, b))));
}

static int op_idiv(lua_State *L) {
  si_value a, b;
  numbers(L, "//", &a, &b);
  return si_recorded_push_number(L, floor_of(si_recording_of(L), a, b));
}

static int op_negate(lua_State *L) {
  si_recorded a = si_recorded_want(L, 1, 0);
  if (a.count == 16) return luaL_error(L, "attempt to perform arithmetic on a mat4 value");
  for (int i = 0; i < a.count; i++) a.v[i] = si_rec1(si_recording_of(L), SI_G_NEGATE, a.v[i]);
  return si_recorded_push(L, &a);
}

/* --- comparisons */

static int op_eq(lua_State *L) {
  si_recorded a, b;
  lua_settop(L, 2);
  bool comparable = !lua_istable(L, 1) && !lua_istable(L, 2) && si_recorded_read(L, 1, 0, &a) &&
                    si_recorded_read(L, 2, 0, &b) && a.count == b.count;
  if (!comparable) return si_return_boolean(L, false);
  si_recording *r = si_recording_of(L);
  si_value all = si_rec2(r, SI_G_EQUAL, a.v[0], b.v[0]);
  for (int i = 1; i < a.count; i++)
    all = si_rec_mul(r, all, si_rec2(r, SI_G_EQUAL, a.v[i], b.v[i]));
  return si_return_boolean(L, si_recording_decide(L, r, all));
}

static int compare(lua_State *L, si_graph_code code) {
  si_recorded a, b;
  lua_settop(L, 2);
  if (!si_recorded_read(L, 1, 1, &a) || !si_recorded_read(L, 2, 1, &b)) {
    const char *x = si_recorded_typename(L, 1), *y = si_recorded_typename(L, 2);
    return luaL_error(
        L, strcmp(x, y) == 0 ? "attempt to compare two %s values" : "attempt to compare %s with %s",
        x, y);
  }
  si_recording *r = si_recording_of(L);
  return si_return_boolean(L, si_recording_decide(L, r, si_rec2(r, code, a.v[0], b.v[0])));
}

static int op_lt(lua_State *L) { return compare(L, SI_G_LESS); }
static int op_le(lua_State *L) { return compare(L, SI_G_LEAST); }

/* --- fields */

static unsigned bit_of(int count) {
  return count == 1 ? SI_OF_NUMBER : count == 3 ? SI_OF_VEC3 : count == 4 ? SI_OF_QUAT : SI_OF_MAT4;
}

/* the entry that the key at 2 names: from 0, or -1 */
static int entry_of(lua_State *L, const si_recorded *value) {
  if (ticket_at(L, 2)) return refuse_index(L);
  if (lua_type(L, 2) == LUA_TNUMBER) {
    lua_Number key = lua_tonumber(L, 2);
    int i = key >= 1 && key <= value->count ? (int)key : 0;
    if (i == 0 || i != key) {
      lua_pushvalue(L, 2);
      luaL_error(L, "index %s of a %s is not in 1 to %d", lua_tostring(L, -1),
                 kind_name(value->count), value->count);
    }
    return i - 1;
  }
  if (lua_type(L, 2) != LUA_TSTRING || lua_rawlen(L, 2) != 1 || value->count > 4) return -1;
  const char *letter = strchr("xyzw", *lua_tostring(L, 2));
  return letter && letter - "xyzw" < value->count ? (int)(letter - "xyzw") : -1;
}

static int unknown_field(lua_State *L, const si_recorded *value) {
  si_nearest nearest;
  si_nearest_start(&nearest, luaL_tolstring(L, 2, NULL));
  for (const si_recorded_reg *m = si_recorded_methods; m->name; m++)
    if (m->counts & bit_of(value->count)) si_nearest_offer(&nearest, m->name);
  return si_lua_unknown(L, kind_name(value->count), "field", &nearest);
}

static int get_field(lua_State *L) {
  const si_recorded *value = si_recorded_test(L, 1);
  if (!value) return luaL_error(L, "a recorded value expected");
  if (value->count == 0) return no_text(L);
  if (value->count == 1)
    return luaL_error(L, "attempt to index a number value (field '%s')",
                      lua_type(L, 2) == LUA_TSTRING ? lua_tostring(L, 2) : "?");
  int at = entry_of(L, value);
  if (at >= 0) return si_recorded_push_number(L, value->v[at]);
  const char *name = lua_type(L, 2) == LUA_TSTRING ? lua_tostring(L, 2) : "?";
  for (const si_recorded_reg *m = si_recorded_methods; m->name; m++)
    if ((m->counts & bit_of(value->count)) && strcmp(m->name, name) == 0) {
      lua_pushcfunction(L, m->function);
      return 1;
    }
  return unknown_field(L, value);
}

static int set_field(lua_State *L) {
  si_recorded *value = si_recorded_test(L, 1);
  if (!value) return luaL_error(L, "a recorded value expected");
  if (value->count == 1) return luaL_error(L, "attempt to index a number value");
  int at = entry_of(L, value);
  if (at < 0) return unknown_field(L, value);
  si_recorded number;
  if (!si_recorded_read(L, 3, 1, &number))
    return luaL_error(L, "[%s]: number expected, got %s", luaL_tolstring(L, 2, NULL),
                      si_recorded_typename(L, 3));
  si_recorded_test(L, 1)->v[at] = number.v[0];
  return 0;
}

static int op_len(lua_State *L) {
  const si_recorded *value = si_recorded_test(L, 1);
  if (value && value->count == 0) return no_text(L);
  if (!value || value->count == 1) return luaL_error(L, "attempt to get length of a number value");
  return si_return_integer(L, value->count);
}

/* --- what has no recorded form */

static int no_bits(lua_State *L) {
  return si_recording_refuse(
      L, "bit operators cannot be recorded; use comparisons, math.floor and %%");
}
static int no_call(lua_State *L) { return luaL_error(L, "attempt to call a number value"); }

const luaL_Reg si_recorded_meta[] = {
  { "__add", op_add },       { "__sub", op_sub },
  { "__mul", op_mul },       { "__div", op_div },
  { "__pow", op_pow },       { "__mod", op_mod },
  { "__idiv", op_idiv },     { "__unm", op_negate },
  { "__eq", op_eq },         { "__lt", op_lt },
  { "__le", op_le },         { "__len", op_len },
  { "__index", get_field },  { "__newindex", set_field },
  { "__tostring", no_text }, { "__concat", si_recorded_concat },
  { "__call", no_call },     { "__band", no_bits },
  { "__bor", no_bits },      { "__bxor", no_bits },
  { "__bnot", no_bits },     { "__shl", no_bits },
  { "__shr", no_bits },      { NULL, NULL },
};
