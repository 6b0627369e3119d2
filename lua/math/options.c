/* Reading a table of named options; see options.h. */
#include "lua/math/options.h"

#include "base/text.h"
#include "lua/base/reserve.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

static bool is_among(const char *name, const char *const *names) {
  for (int i = 0; names[i]; i++)
    if (strcmp(name, names[i]) == 0) return true;
  return false;
}

/* raises for the name on top of the stack */
static void unknown_option(lua_State *L, const char *who, const char *const *names) {
  si_nearest nearest;
  si_nearest_start(&nearest, lua_tostring(L, -1));
  for (int i = 0; names[i]; i++) si_nearest_offer(&nearest, names[i]);
  si_lua_unknown(L, who, "option", &nearest);
}

static void check_names(lua_State *L, int index, const char *who, const char *const *names,
                        bool positions) {
  lua_pushnil(L);
  while (lua_next(L, index)) {
    lua_pop(L, 1);
    if (positions && lua_type(L, -1) == LUA_TNUMBER &&
        lua_tonumber(L, -1) <= (lua_Number)lua_rawlen(L, index))
      continue;
    if (lua_type(L, -1) != LUA_TSTRING)
      luaL_error(L,
                 positions ? "%s: points must be listed in order, without gaps"
                           : "%s: options must be given by name",
                 who);
    if (!is_among(lua_tostring(L, -1), names)) unknown_option(L, who, names);
  }
}

static int misfit(lua_State *L, const char *who, const char *name, const char *wanted) {
  return luaL_error(L, "%s: '%s' must be %s, not %s", who, name, wanted, si_lua_found(L, -1));
}

static float read_number(lua_State *L, int index, const char *who, const char *name, float fallback,
                         bool *given) {
  si_raw_field(L, index, name);
  bool there = !lua_isnil(L, -1);
  if (there && lua_type(L, -1) != LUA_TNUMBER) misfit(L, who, name, "a number");
  float value = there ? (float)lua_tonumber(L, -1) : fallback;
  if (given) *given = there;
  lua_pop(L, 1);
  return value;
}

static int read_int(lua_State *L, int index, const char *who, const char *name, int low, int high,
                    int fallback) {
  bool given;
  float value = read_number(L, index, who, name, 0, &given);
  int64_t whole = fallback;
  if (given && !si_whole((double)value, low, high, &whole))
    luaL_error(L, "%s: '%s' must be a whole number from %d to %d", who, name, low, high);
  return (int)whole;
}

static bool read_flag(lua_State *L, int index, const char *who, const char *name, bool fallback) {
  si_raw_field(L, index, name);
  if (!lua_isnil(L, -1) && !lua_isboolean(L, -1)) misfit(L, who, name, "true or false");
  bool value = lua_isnil(L, -1) ? fallback : lua_toboolean(L, -1);
  lua_pop(L, 1);
  return value;
}

static const char *read_text(lua_State *L, int index, const char *who, const char *name) {
  si_raw_field(L, index, name);
  if (!lua_isnil(L, -1) && lua_type(L, -1) != LUA_TSTRING) misfit(L, who, name, "a string");
  const char *text = lua_tostring(L, -1);
  lua_pop(L, 1); /* the table keeps the string alive */
  return text;
}

static bool read_vec3(lua_State *L, int index, const char *who, const char *name, float dest[3]) {
  si_raw_field(L, index, name);
  bool given = !lua_isnil(L, -1);
  if (given && !si_vec3_read(L, -1, dest))
    misfit(L, who, name, "a vec3 or a table of three numbers");
  lua_pop(L, 1);
  return given;
}

bool si_option_axis(lua_State *L, int index, const char *who, const char *name, float dest[3]) {
  si_raw_field(L, index, name);
  const char *word = lua_type(L, -1) == LUA_TSTRING ? lua_tostring(L, -1) : NULL;
  lua_pop(L, 1); /* the table keeps the string alive */
  if (!word) return read_vec3(L, index, who, name, dest);
  const char *letter = word + (*word == '-');
  const char *found = *letter && !letter[1] ? strchr("xyz", *letter) : NULL;
  if (!found)
    luaL_error(L, "%s: '%s' must be \"x\", \"-z\" and so on, or a direction, not \"%s\"", who, name,
               word);
  for (int i = 0; i < 3; i++) dest[i] = 0;
  dest[*found - 'x'] = *word == '-' ? -1 : 1;
  return true;
}

/* the numbers of the row on top of the stack */
static bool read_row(lua_State *L, int width, float *dest) {
  float *vector = width == 3 ? si_vec3_test(L, -1) : width == 4 ? si_quat_test(L, -1) : NULL;
  if (vector) {
    memcpy(dest, vector, (size_t)width * sizeof *dest);
    return true;
  }
  if (!lua_istable(L, -1) || (int)lua_rawlen(L, -1) != width) return false;
  for (int i = 0; i < width; i++) {
    lua_rawgeti(L, -1, i + 1);
    bool number = lua_type(L, -1) == LUA_TNUMBER;
    dest[i] = (float)lua_tonumber(L, -1);
    lua_pop(L, 1);
    if (!number) return false;
  }
  return true;
}

float *si_option_rows(lua_State *L, int index, const char *who, const char *name, int width,
                      size_t *count) {
  si_raw_field(L, index, name);
  *count = 0;
  if (lua_isnil(L, -1)) return NULL; /* leaves a nil instead of the memory */
  size_t floats;
  float *buffer = si_buffer_test(L, -1, &floats);
  if (!buffer && !lua_istable(L, -1)) misfit(L, who, name, "a table");
  if (!buffer) {
    size_t items = lua_rawlen(L, -1);
    lua_rawgeti(L, -1, 1);
    bool flat = lua_type(L, -1) == LUA_TNUMBER;
    lua_pop(L, 1);
    floats = flat ? items : items * (size_t)width;
    buffer = lua_newuserdatauv(L, (floats + 1) * sizeof *buffer, 0);
    for (size_t i = 0; i < items; i++) {
      si_lua_spend_each(L, i, items, 1);
      lua_rawgeti(L, -2, (int)i + 1);
      bool fits =
          flat ? lua_type(L, -1) == LUA_TNUMBER : read_row(L, width, buffer + i * (size_t)width);
      if (flat) buffer[i] = (float)lua_tonumber(L, -1);
      if (!fits)
        luaL_error(L, "%s: item %d of '%s' must be %s, not %s", who, (int)i + 1, name,
                   flat ? "a number" : lua_pushfstring(L, "a row of %d numbers", width),
                   si_lua_typename(L, flat ? -1 : -2));
      lua_pop(L, 1);
    }
    lua_remove(L, -2);
  }
  if (floats % (size_t)width != 0)
    luaL_error(L, "%s: '%s' has %d numbers, not a multiple of %d", who, name, (int)floats, width);
  *count = floats / (size_t)width;
  return buffer;
}

static void read_word(lua_State *L, int index, const char *who, const si_option *o, int *dest) {
  char list[160] = "";
  const char *word = read_text(L, index, who, o->name);
  for (int i = 0; o->words[i]; i++) {
    if (word && strcmp(word, o->words[i]) == 0) {
      *dest = i;
      return;
    }
    const char *before = i == 0 ? "" : o->words[i + 1] ? ", " : " or ";
    size_t used = strlen(list);
    snprintf(list + used, sizeof list - used, "%s'%s'", before, o->words[i]);
  }
  if (word) luaL_error(L, "%s: '%s' must be %s, not '%s'", who, o->name, list, word);
}

static void read_mat4(lua_State *L, int index, const char *who, const char *name, float *dest) {
  si_raw_field(L, index, name);
  if (!si_mat4_read(L, -1, dest)) misfit(L, who, name, "a mat4 or a table of sixteen numbers");
  lua_pop(L, 1);
}

/* four numbers are easily taken for an axis and degrees */
static void check_unit(lua_State *L, const char *who, const char *name, const float q[4]) {
  double length = sqrt((double)q[0] * (double)q[0] + (double)q[1] * (double)q[1] +
                       (double)q[2] * (double)q[2] + (double)q[3] * (double)q[3]);
  if (fabs(length - 1) <= 0.01) return;
  luaL_error(L,
             "%s: '%s' is no rotation: as a quat x, y, z, w it must have length 1, not %f; "
             "sinew.quat.axis({0, 1, 0}, 90) turns by 90 degrees about y",
             who, name, length);
}

static void read_turn(lua_State *L, int index, const char *who, const char *name, float *dest) {
  float q[4];
  si_raw_field(L, index, name);
  if (!si_mat4_read(L, -1, dest)) {
    if (!si_quat_read(L, -1, q)) misfit(L, who, name, "a quat or a mat4");
    check_unit(L, who, name, q);
    si_quat_to_mat4(q, dest);
  }
  lua_pop(L, 1);
}

static void read_value(lua_State *L, int index, const char *who, const si_option *o, int *dest) {
  si_raw_field(L, index, o->name);
  if (o->low && lua_type(L, -1) != o->low) misfit(L, who, o->name, o->wanted);
  *dest = lua_gettop(L);
}

static void read_option(lua_State *L, int index, const char *who, const si_option *o, void *at) {
  si_rows *rows = at;
  switch (o->kind) {
  case SI_OPTION_NUMBER:
    *(float *)at = read_number(L, index, who, o->name, *(float *)at, NULL);
    return;
  case SI_OPTION_DOUBLE:
    *(double *)at = (double)read_number(L, index, who, o->name, (float)*(double *)at, NULL);
    return;
  case SI_OPTION_INT:
    *(int *)at = read_int(L, index, who, o->name, o->low, o->high, *(int *)at);
    return;
  case SI_OPTION_FLAG: *(bool *)at = read_flag(L, index, who, o->name, *(bool *)at); return;
  case SI_OPTION_TEXT: *(const char **)at = read_text(L, index, who, o->name); return;
  case SI_OPTION_WORD: read_word(L, index, who, o, at); return;
  case SI_OPTION_VEC3: read_vec3(L, index, who, o->name, at); return;
  case SI_OPTION_AXIS: si_option_axis(L, index, who, o->name, at); return;
  case SI_OPTION_MAT4: read_mat4(L, index, who, o->name, at); return;
  case SI_OPTION_TURN: read_turn(L, index, who, o->name, at); return;
  case SI_OPTION_ROWS:
    rows->at = si_option_rows(L, index, who, o->name, o->low, &rows->count);
    return;
  case SI_OPTION_VALUE: read_value(L, index, who, o, at); return;
  }
}

unsigned si_options_read(lua_State *L, int index, const char *who, const si_option *options,
                         void *dest) {
  const char *names[33] = { NULL };
  unsigned given = 0;
  int count = 0;
  if (lua_isnoneornil(L, index)) return 0;
  luaL_checktype(L, index, LUA_TTABLE);
  luaL_checkstack(L, 40, who);
  for (; count < 32 && options[count].name; count++) names[count] = options[count].name;
  index = lua_absindex(L, index);
  check_names(L, index, who, names, options[count].low);
  for (int i = 0; options[i].name; i++) {
    si_raw_field(L, index, options[i].name);
    if (!lua_isnil(L, -1)) given |= 1u << i;
    lua_pop(L, 1);
    if (given >> i & 1) read_option(L, index, who, &options[i], (char *)dest + options[i].offset);
  }
  return given;
}

void si_set_numbers(lua_State *L, const si_named_number *numbers) {
  for (; numbers->name; numbers++) {
    lua_pushnumber(L, numbers->value);
    lua_setfield(L, -2, numbers->name);
  }
}
