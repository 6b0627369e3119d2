/* buffer: a fixed number of floats in one userdata, with indices from 1. Poses are set from and
 * read into buffers in bulk. As a string, its floats are in the byte order of the machine. */
#include "lua/base/floats.h"
#include "lua/base/reserve.h"
#include "lua/math/math_lua.h"

#include <string.h>

enum { align = 32, most = SI_BUFFER_MOST, most_a_unit = 16 }; /* numbers copied in a unit */

typedef struct buffer {
  size_t count;
} buffer; /* the floats follow at the next multiple of 32 bytes */

static float *floats_of(buffer *b) { return si_floats_in(b + 1, align); }

float *si_buffer_push(lua_State *L, size_t count) {
  if (count > most) luaL_error(L, "a buffer holds at most %d numbers", (int)most);
  size_t size = sizeof(buffer) + si_floats_slack(align) + count * sizeof(float);
  buffer *b = si_lua_new(L, &si_buffer_type, size, 0);
  b->count = count;
  return floats_of(b);
}

float *si_buffer_test(lua_State *L, int index, size_t *count) {
  buffer *b = si_lua_test(L, index, &si_buffer_type);
  if (!b) return NULL;
  *count = b->count;
  return floats_of(b);
}

float *si_buffer_check(lua_State *L, int index, size_t *count) {
  buffer *b = si_lua_check(L, index, &si_buffer_type);
  *count = b->count;
  return floats_of(b);
}

int si_numbers_push(lua_State *L, int index, const float *numbers, size_t count) {
  size_t room;
  float *dest = si_buffer_test(L, index, &room);
  if (dest) {
    if (room < count)
      return luaL_error(L, "the buffer holds %d numbers, %d are needed", (int)room, (int)count);
    si_lua_spend(L, count / most_a_unit);
    memcpy(dest, numbers, count * sizeof *numbers);
    lua_pushvalue(L, index);
    return 1;
  }
  if (lua_isnoneornil(L, index))
    lua_createtable(L, (int)count, 0);
  else if (lua_istable(L, index))
    lua_pushvalue(L, index);
  else
    return si_lua_type_error(L, index, "table or buffer");
  for (size_t i = 0; i < count; i++) {
    si_lua_spend_each(L, i, count, 1);
    lua_pushnumber(L, numbers[i]);
    lua_rawseti(L, -2, (int)i + 1);
  }
  return 1;
}

static float *self(lua_State *L, size_t *count) {
  buffer *b = si_lua_self(L, &si_buffer_type);
  *count = b->count;
  return floats_of(b);
}

/* --- what a buffer can be filled from */

typedef struct source {
  const void *bytes; /* NULL: a table, which is read when it is copied */
  size_t count;
} source;

static source want_source(lua_State *L, int index) {
  source from = { 0 };
  size_t length;
  switch (lua_type(L, index)) {
  case LUA_TTABLE: from.count = lua_rawlen(L, index); break;
  case LUA_TSTRING:
    from.bytes = lua_tolstring(L, index, &length);
    if (length % sizeof(float) != 0)
      luaL_argerror(L, index, "the length of the string is not a multiple of 4 bytes");
    from.count = length / sizeof(float);
    break;
  default:
    if ((from.bytes = si_buffer_test(L, index, &from.count)))
      ;
    else if ((from.bytes = si_vec3_test(L, index)))
      from.count = 3;
    else if ((from.bytes = si_quat_test(L, index)))
      from.count = 4;
    else if ((from.bytes = si_mat4_test(L, index)))
      from.count = 16;
    else
      si_lua_type_error(L, index, "table, string, buffer, vec3, quat or mat4");
  }
  return from;
}

static void check_numbers(lua_State *L, int index, size_t count) {
  for (size_t i = 1; i <= count; i++) {
    si_lua_spend_each(L, i - 1, count, 1);
    lua_rawgeti(L, index, (int)i);
    if (lua_type(L, -1) != LUA_TNUMBER)
      luaL_error(L, "item %d of the table: number expected, got %s", (int)i,
                 si_lua_typename(L, -1));
    lua_pop(L, 1);
  }
}

static void copy_source(lua_State *L, int index, source from, float *dest) {
  if (from.bytes) {
    si_lua_spend(L, from.count / most_a_unit);
    memmove(dest, from.bytes, from.count * sizeof(float));
    return;
  }
  for (size_t i = 0; i < from.count; i++) {
    si_lua_spend_each(L, i, from.count, 1);
    lua_rawgeti(L, index, (int)i + 1);
    dest[i] = (float)lua_tonumber(L, -1);
    lua_pop(L, 1);
  }
}

static int construct(lua_State *L) {
  if (lua_type(L, 1) == LUA_TNUMBER) {
    si_buffer_push(L, (size_t)si_lua_check_int(L, 1, 0, most));
    return 1;
  }
  if (lua_isnoneornil(L, 1)) return si_lua_type_error(L, 1, "number of floats, table or string");
  source from = want_source(L, 1);
  if (from.count > most) return luaL_argerror(L, 1, "too many numbers for a buffer");
  if (!from.bytes) check_numbers(L, 1, from.count);
  float *dest = si_buffer_push(L, from.count);
  copy_source(L, 1, from, dest);
  return 1;
}

/* --- methods */

/* a range from optional first and last indices; an empty one has last = first - 1 */
static void range(lua_State *L, int index, size_t count, size_t *first, size_t *length) {
  lua_Integer most_first = (lua_Integer)count + 1;
  lua_Integer from = lua_isnoneornil(L, index) ? 1 : si_lua_check_int(L, index, 1, most_first);
  lua_Integer to = lua_isnoneornil(L, index + 1)
                       ? (lua_Integer)count
                       : si_lua_check_int(L, index + 1, from - 1, (lua_Integer)count);
  *first = (size_t)from - 1;
  *length = (size_t)(to - from + 1);
}

/* b:set(source, at) */
static int set(lua_State *L) {
  size_t count;
  float *floats = self(L, &count);
  source from = want_source(L, 2);
  size_t at = 0;
  if (!lua_isnoneornil(L, 3)) at = (size_t)si_lua_check_int(L, 3, 1, (lua_Integer)count + 1) - 1;
  if (from.count > count - at)
    return luaL_error(L, "%d numbers do not fit into a buffer of %d, starting at %d",
                      (int)from.count, (int)count, (int)at + 1);
  if (!from.bytes) check_numbers(L, 2, from.count);
  copy_source(L, 2, from, floats + at);
  return si_lua_done(L);
}

/* b:fill(number, first, last) */
static int fill(lua_State *L) {
  size_t count, first, length;
  float *floats = self(L, &count), value = si_lua_check_float(L, 2);
  range(L, 3, count, &first, &length);
  si_lua_spend(L, length / most_a_unit);
  for (size_t i = 0; i < length; i++) floats[first + i] = value;
  return si_lua_done(L);
}

/* b:string(first, last) */
static int string(lua_State *L) {
  size_t count, first, length;
  const float *floats = self(L, &count);
  range(L, 2, count, &first, &length);
  lua_pushlstring(L, (const char *)(floats + first), length * sizeof(float));
  return 1;
}

/* b:table(dest, first, last): into dest[1] and so on; keeps further entries of dest */
static int table(lua_State *L) {
  size_t count, first, length;
  const float *floats = self(L, &count);
  range(L, 3, count, &first, &length);
  if (lua_isnoneornil(L, 2)) {
    lua_createtable(L, (int)length, 0);
  } else {
    luaL_checktype(L, 2, LUA_TTABLE);
    lua_pushvalue(L, 2);
  }
  for (size_t i = 0; i < length; i++) {
    si_lua_spend_each(L, i, length, 1);
    lua_pushnumber(L, floats[first + i]);
    lua_rawseti(L, -2, (int)i + 1);
  }
  return 1;
}

/* b:copy(first, last): a new buffer */
static int copy(lua_State *L) {
  size_t count, first, length;
  const float *floats = self(L, &count);
  range(L, 2, count, &first, &length);
  memcpy(si_buffer_push(L, length), floats + first, length * sizeof(float));
  return 1;
}

/* b:unpack(first, last) */
static int unpack(lua_State *L) {
  size_t count, first, length;
  const float *floats = self(L, &count);
  range(L, 2, count, &first, &length);
  if (length > 200) return luaL_error(L, "unpack returns at most 200 numbers, not %d", (int)length);
  luaL_checkstack(L, (int)length, "buffer:unpack");
  for (size_t i = 0; i < length; i++) lua_pushnumber(L, floats[first + i]);
  return (int)length;
}

/* the i-th group of `size` floats, for a number at 2 */
static float *group(lua_State *L, size_t size) {
  size_t count;
  float *floats = self(L, &count);
  return floats + size * (size_t)(si_lua_check_int(L, 2, 1, (lua_Integer)(count / size)) - 1);
}

/* b:vec3(i, dest), b:quat(i, dest), b:mat4(i, dest): the i-th of them */
static int get_vec3(lua_State *L) {
  const float *floats = group(L, 3);
  memcpy(si_vec3_dest(L, 3), floats, 3 * sizeof(float));
  return 1;
}

static int get_quat(lua_State *L) {
  const float *floats = group(L, 4);
  memcpy(si_quat_dest(L, 3), floats, 4 * sizeof(float));
  return 1;
}

static int get_mat4(lua_State *L) {
  const float *floats = group(L, 16);
  memcpy(si_mat4_dest(L, 3), floats, 16 * sizeof(float));
  return 1;
}

/* b:put(i, value): a vec3, quat or mat4 as the i-th of its kind */
static int put(lua_State *L) {
  size_t count, size = 0;
  self(L, &count);
  const float *from;
  if ((from = si_vec3_test(L, 3)))
    size = 3;
  else if ((from = si_quat_test(L, 3)))
    size = 4;
  else if ((from = si_mat4_test(L, 3)))
    size = 16;
  else
    return si_lua_type_error(L, 3, "vec3, quat or mat4");
  memcpy(group(L, size), from, size * sizeof(float));
  return si_lua_done(L);
}

/* --- operators */

/* the caller has checked that a buffer is at 1 */
static float *numbered(lua_State *L) {
  if (lua_type(L, 2) != LUA_TNUMBER) return NULL;
  buffer *b = lua_touserdata(L, 1);
  size_t count = b->count;
  lua_Number key = lua_tonumber(L, 2);
  if (!(key >= 1 && key <= (lua_Number)count) || key != (lua_Number)(size_t)key) {
    char text[SI_NUMBER_TEXT];
    si_lua_format(text, (float)key);
    luaL_error(L, "index %s of a buffer is not in 1 to %d", text, (int)count);
  }
  return floats_of(b) + (size_t)key - 1;
}

static int get_number(lua_State *L) {
  const float *number = numbered(L);
  if (!number) return 0;
  return si_return_number(L, *number);
}

static int set_number(lua_State *L) {
  float *number = numbered(L);
  if (!number) return 0;
  *number = si_lua_value_float(L);
  return 1;
}

static int op_len(lua_State *L) {
  size_t count;
  self(L, &count);
  return si_return_integer(L, (lua_Integer)count);
}

static int op_eq(lua_State *L) {
  size_t m = 0, n = 0;
  const float *a = si_buffer_test(L, 1, &m), *b = si_buffer_test(L, 2, &n);
  bool equal = a && b && m == n;
  if (equal) si_lua_spend(L, m / most_a_unit);
  for (size_t i = 0; equal && i < m; i++) equal = a[i] == b[i];
  return si_return_boolean(L, equal);
}

/* "buffer(100: 1, 2, 3, 4 ...)" */
static int op_tostring(lua_State *L) {
  size_t count;
  const float *floats = self(L, &count);
  luaL_Buffer text;
  luaL_buffinit(L, &text);
  luaL_addstring(&text, "buffer(");
  lua_pushinteger(L, (lua_Integer)count);
  luaL_addvalue(&text);
  for (size_t i = 0; i < count && i < 4; i++) {
    char number[SI_NUMBER_TEXT];
    si_lua_format(number, floats[i]);
    luaL_addstring(&text, i == 0 ? ": " : ", ");
    luaL_addstring(&text, number);
  }
  luaL_addstring(&text, count > 4 ? " ...)" : ")");
  luaL_pushresult(&text);
  return 1;
}

static const luaL_Reg methods[] = {
  { "set", set },       { "fill", fill },     { "put", put },       { "string", string },
  { "table", table },   { "copy", copy },     { "unpack", unpack }, { "vec3", get_vec3 },
  { "quat", get_quat }, { "mat4", get_mat4 }, { NULL, NULL },
};

static const luaL_Reg meta[] = {
  { "__len", op_len },
  { "__eq", op_eq },
  { "__tostring", op_tostring },
  { NULL, NULL },
};

const si_lua_type si_buffer_type = {
  .name = "buffer", .methods = methods, .meta = meta, .index = get_number, .newindex = set_number
};

void si_lua_open_buffer(lua_State *L) {
  si_lua_class_push(L, &si_buffer_type, construct, NULL);
  lua_setfield(L, -2, "buffer");
}
