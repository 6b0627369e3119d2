/* What a scripted component draws, as data: pose:marks(component). */
#include "lua/play/play_lua.h"
#include "lua/rig/script_lua.h"

#include <stdio.h>
#include <string.h>

static void vector_field(lua_State *L, const char *name, const float *numbers) {
  memcpy(si_vec3_push(L), numbers, 3 * sizeof *numbers);
  lua_setfield(L, -2, name);
}

static void number_field(lua_State *L, const char *name, float number) {
  lua_pushnumber(L, (lua_Number)number);
  lua_setfield(L, -2, name);
}

static void push_mark(lua_State *L, const sinew_mark *mark) {
  static const char *const kinds[] = { "line", "arrow", "disc", "ellipsoid", "cone", "text" };
  lua_createtable(L, 0, 6);
  lua_pushstring(L, kinds[mark->kind]);
  lua_setfield(L, -2, "kind");
  vector_field(L, "at", mark->at);
  if (mark->color & SINEW_MARK_COLOR) {
    char text[16];
    snprintf(text, sizeof text, "#%06x", (unsigned)(mark->color & 0xffffff));
    lua_pushstring(L, text);
    lua_setfield(L, -2, "colour");
  }
  switch (mark->kind) {
  case SINEW_MARK_LINE:
  case SINEW_MARK_ARROW: vector_field(L, "to", mark->to); break;
  case SINEW_MARK_DISC:
    vector_field(L, "normal", mark->to);
    number_field(L, "radius", mark->size[0]);
    break;
  case SINEW_MARK_ELLIPSOID: {
    vector_field(L, "radii", mark->size);
    float *turn = si_mat4_push(L);
    for (int i = 0; i < 9; i++) turn[i / 3 * 4 + i % 3] = mark->turn[i];
    lua_setfield(L, -2, "turn");
    break;
  }
  case SINEW_MARK_CONE:
    vector_field(L, "axis", mark->to);
    number_field(L, "half_angle", mark->size[0]);
    number_field(L, "length", mark->size[1]);
    break;
  case SINEW_MARK_TEXT:
    lua_pushstring(L, mark->text);
    lua_setfield(L, -2, "words");
    break;
  }
}

int si_marks_push(lua_State *L, const sinew_pose *pose, sinew_component component) {
  int count;
  sinew_error error;
  si_script_scope scope;
  sinew_mark *marks = lua_newuserdatauv(L, SINEW_MARKS * sizeof *marks, 0);
  if (!si_script_enter(L, &scope, &error)) return si_raise(L, &error);
  sinew_status status = si_script_draw(pose, component, marks, &count, &error);
  si_script_leave(L, &scope);
  if (status < 0) return luaL_error(L, "draw: %s", error.text);
  lua_createtable(L, count, 0);
  for (int i = 0; i < count; i++) {
    push_mark(L, &marks[i]);
    lua_rawseti(L, -2, i + 1);
  }
  return 1;
}
