/* Parameters between Lua and the engine, by the descriptor's type. */
#include "lua/base/reserve.h"
#include "lua/rig/rig_lua.h"
#include "lua/shape/shape_lua.h"

#include <string.h>

static const char *wanted_as(const sinew_param_desc *d) {
  switch (d->type) {
  case SINEW_PARAM_FLAG: return "true or false";
  case SINEW_PARAM_VECTOR: return "a vec3 or a table of three numbers";
  case SINEW_PARAM_MATRIX: return "a mat4 or a table of sixteen numbers";
  case SINEW_PARAM_NUMBERS: return "a table of numbers";
  case SINEW_PARAM_VECTORS: return "a table of vec3 or of tables of three numbers";
  case SINEW_PARAM_CHOICE:
  case SINEW_PARAM_TEXT: return "a string";
  case SINEW_PARAM_SEGMENT: return "a segment or its name";
  case SINEW_PARAM_COMPONENT: return "a component or its name";
  case SINEW_PARAM_CURVE: return "a curve, such as sinew.linear { {0, 0}, {1, 2} }";
  case SINEW_PARAM_OBJECT: return d->unit && *d->unit ? d->unit : "an object";
  default: return "a number";
  }
}

static int misfit(lua_State *L, int index, const char *who, const sinew_param_desc *d,
                  const char *name) {
  const char *got = si_lua_found(L, index);
  return luaL_error(L, "%s: parameter '%s' must be %s, not %s", who, name, wanted_as(d), got);
}

/* keeps what is on top of the stack in the table at `keep`, and pops it */
static void keep_top(lua_State *L, int keep) { lua_rawseti(L, keep, (int)lua_rawlen(L, keep) + 1); }

static bool read_numbers(lua_State *L, int index, int keep, sinew_param *dest) {
  size_t count;
  const float *buffer = si_buffer_test(L, index, &count);
  if (buffer) {
    *dest = sinew_param_numbers(dest->name, buffer, (int)count);
    return true;
  }
  if (lua_type(L, index) == LUA_TNUMBER) {
    *dest = sinew_param_number(dest->name, (float)lua_tonumber(L, index));
    return true;
  }
  if (!lua_istable(L, index)) return false;
  count = lua_rawlen(L, index);
  float *numbers = lua_newuserdatauv(L, (count + 1) * sizeof *numbers, 0);
  keep_top(L, keep);
  for (size_t i = 0; i < count; i++) {
    lua_rawgeti(L, index, (int)i + 1);
    bool number = lua_type(L, -1) == LUA_TNUMBER;
    numbers[i] = (float)lua_tonumber(L, -1);
    lua_pop(L, 1);
    if (!number) return false;
  }
  *dest = sinew_param_numbers(dest->name, numbers, (int)count);
  return true;
}

static bool read_vectors(lua_State *L, int index, int keep, sinew_param *dest) {
  float one[3];
  if (si_vec3_read(L, index, one)) {
    *dest = sinew_param_vector(dest->name, one[0], one[1], one[2]);
    return true;
  }
  if (!lua_istable(L, index)) return false;
  size_t count = lua_rawlen(L, index);
  float *numbers = lua_newuserdatauv(L, (3 * count + 1) * sizeof *numbers, 0);
  keep_top(L, keep);
  for (size_t i = 0; i < count; i++) {
    lua_rawgeti(L, index, (int)i + 1);
    bool vector = si_vec3_read(L, -1, numbers + 3 * i);
    lua_pop(L, 1);
    if (!vector) return false;
  }
  *dest = sinew_param_vectors(dest->name, numbers, (int)count);
  return true;
}

/* a name given as a string, or by the handle of what has that name */
static bool read_name(lua_State *L, int index, const si_lua_type *type, int keep,
                      sinew_param *dest) {
  if (type && si_lua_test(L, index, type)) {
    lua_getfield(L, index, "name");
    *dest = sinew_param_text(dest->name, lua_tostring(L, -1));
    keep_top(L, keep);
    return true;
  }
  if (lua_type(L, index) != LUA_TSTRING) return false;
  *dest = sinew_param_text(dest->name, lua_tostring(L, index));
  return true;
}

void si_param_read(lua_State *L, int index, const char *who, const sinew_param_desc *d,
                   const char *name, int keep, sinew_param *dest) {
  float numbers[16];
  bool fits = false;
  index = lua_absindex(L, index);
  *dest = (sinew_param){ .name = name };
  switch (d->type) {
  case SINEW_PARAM_NUMBER:
    fits = lua_type(L, index) == LUA_TNUMBER;
    if (fits) *dest = sinew_param_number(name, (float)lua_tonumber(L, index));
    break;
  case SINEW_PARAM_FLAG:
    fits = lua_isboolean(L, index);
    if (fits) *dest = sinew_param_flag(name, lua_toboolean(L, index));
    break;
  case SINEW_PARAM_VECTOR:
    fits = si_vec3_read(L, index, numbers);
    if (fits) *dest = sinew_param_vector(name, numbers[0], numbers[1], numbers[2]);
    break;
  case SINEW_PARAM_MATRIX:
    fits = si_mat4_read(L, index, numbers);
    if (fits) *dest = sinew_param_matrix(name, numbers);
    break;
  case SINEW_PARAM_NUMBERS: fits = read_numbers(L, index, keep, dest); break;
  case SINEW_PARAM_VECTORS: fits = read_vectors(L, index, keep, dest); break;
  case SINEW_PARAM_CHOICE:
  case SINEW_PARAM_TEXT: fits = read_name(L, index, NULL, keep, dest); break;
  case SINEW_PARAM_SEGMENT: fits = read_name(L, index, &si_segment_type, keep, dest); break;
  case SINEW_PARAM_COMPONENT: fits = read_name(L, index, &si_component_type, keep, dest); break;
  case SINEW_PARAM_CURVE:
    fits = si_curve_test(L, index) != NULL;
    if (fits) *dest = sinew_param_curve(name, si_curve_test(L, index));
    break;
  case SINEW_PARAM_OBJECT: fits = si_object_read(L, index, name, d->unit, dest); break;
  case SINEW_PARAM_NONE: break;
  }
  if (!fits) misfit(L, index, who, d, name);
}

void si_param_push(lua_State *L, const sinew_param *p) {
  bool vectors = p->type == SINEW_PARAM_VECTORS;
  switch (p->type) {
  case SINEW_PARAM_NUMBER: lua_pushnumber(L, p->number[0]); break;
  case SINEW_PARAM_FLAG: lua_pushboolean(L, p->number[0] != 0); break;
  case SINEW_PARAM_VECTOR: memcpy(si_vec3_push(L), p->number, 3 * sizeof(float)); break;
  case SINEW_PARAM_MATRIX: memcpy(si_mat4_push(L), p->number, 16 * sizeof(float)); break;
  case SINEW_PARAM_NUMBERS:
  case SINEW_PARAM_VECTORS:
    lua_createtable(L, p->count, 0);
    for (int i = 0; i < p->count; i++) {
      si_lua_spend_each(L, (size_t)i, (size_t)p->count, 10);
      if (vectors)
        memcpy(si_vec3_push(L), p->numbers + 3 * i, 3 * sizeof(float));
      else
        lua_pushnumber(L, p->numbers[i]);
      lua_rawseti(L, -2, i + 1);
    }
    break;
  case SINEW_PARAM_CURVE: si_curve_push_copy(L, p->curve); break;
  case SINEW_PARAM_OBJECT: si_object_push(L, p); break;
  default: lua_pushstring(L, p->text); break;
  }
}

void si_param_push_default(lua_State *L, const sinew_param_desc *d) {
  bool required = d->flags & SINEW_PARAM_REQUIRED;
  if (!required && d->type == SINEW_PARAM_NUMBER)
    lua_pushnumber(L, d->fallback[0]);
  else if (!required && d->type == SINEW_PARAM_FLAG)
    lua_pushboolean(L, d->fallback[0] != 0);
  else if (!required && d->type == SINEW_PARAM_CHOICE && d->choices)
    lua_pushstring(L, d->choices[0]);
  else
    lua_pushnil(L);
}
