/* What tools ask a scripted component outside of evaluation: `verify`, whether its results have the
 * properties that it guarantees, and `draw`, which puts marks on a canvas:
 *
 *   canvas:line(a, b [, colour])                  canvas:disc(centre, normal, radius [, colour])
 *   canvas:arrow(from, to [, colour])             canvas:ellipsoid(centre, radii [, turn] [,
 * colour]) canvas:text(at, words [, colour])             canvas:cone(apex, axis, half_angle, length
 *                                                             [, colour])
 *
 * A colour is "#rrggbb" or one of a few words. */
#include "lua/rig/script_lua.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

static void push_value(lua_State *L, sinew_kind kind, double scale, const float *value) {
  if (kind == SINEW_SCALAR)
    lua_pushnumber(L, *value * scale);
  else if (kind == SINEW_VECTOR)
    memcpy(si_vec3_push(L), value, 3 * sizeof *value);
  else
    memcpy(si_mat4_push(L), value, 16 * sizeof *value);
}

/* --- verify */

typedef struct question {
  const sinew_node *node;
  const float *values;
} question;

static void ask(lua_State *L, void *user) {
  const question *q = user;
  const si_script_node *data = si_script_node_of(q->node);
  const si_script *script = data->script;
  si_script_get(L, script->verify);
  si_script_get(L, data->self);
  for (int i = 0; i < script->input_count; i++)
    push_value(L, script->inputs[i].kind, script->more[i].scale,
               sinew_node_in(q->node, q->values, (uint32_t)i));
  for (int i = 0; i < script->output_count; i++)
    push_value(L, script->outputs[i].kind, 1,
               q->values + q->node->ports[q->node->input_count + (uint32_t)i]);
  lua_call(L, 1 + script->input_count + script->output_count, 2);
  if (!lua_isboolean(L, 1))
    luaL_error(L, "verify must return true or false, not %s", si_lua_typename(L, 1));
  if (lua_toboolean(L, 1)) return;
  if (lua_type(L, 2) != LUA_TSTRING) lua_pushliteral(L, "its verify returned false");
  lua_settop(L, lua_type(L, 2) == LUA_TSTRING ? 2 : 3);
  lua_error(L);
}

bool si_script_verify(const sinew_node *node, const float *values, sinew_error *why) {
  question q = { .node = node, .values = values };
  si_script *script = si_script_node_of(node)->script;
  return si_script_protect(script, ask, &q, why) >= 0;
}

/* --- draw */

typedef struct canvas {
  sinew_mark *marks; /* NULL: `draw` has returned */
  int count;
} canvas;

static uint32_t color_at(lua_State *L, int index) {
  static const struct {
    const char *name;
    uint32_t color;
  } names[] = { { "red", 0xd84c3e },   { "orange", 0xe08a2c }, { "yellow", 0xd9b92f },
                { "green", 0x4f9d4a }, { "blue", 0x3f78c4 },   { "purple", 0x8a5bb5 },
                { "white", 0xffffff }, { "grey", 0x808080 } };
  unsigned color;
  int used = 0;
  if (lua_isnoneornil(L, index)) return 0;
  const char *text = luaL_checkstring(L, index);
  if (sscanf(text, "#%6x%n", &color, &used) == 1 && used == 7 && !text[7])
    return color | SINEW_MARK_COLOR;
  si_nearest nearest;
  si_nearest_start(&nearest, text);
  for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
    if (strcmp(names[i].name, text) == 0) return names[i].color | SINEW_MARK_COLOR;
    si_nearest_offer(&nearest, names[i].name);
  }
  char words[160];
  luaL_error(L, "canvas: there is no colour '%s'%s; write \"#rrggbb\" or a colour's name", text,
             si_nearest_words(&nearest, words, sizeof words));
  return 0;
}

/* a new mark, whose point is at 2 and whose colour is at `color`; counts when it is complete */
static sinew_mark *new_mark(lua_State *L, sinew_mark_kind kind, int color) {
  canvas *self = si_lua_self(L, &si_canvas_type);
  if (!self->marks) luaL_error(L, "the canvas can only be used inside draw");
  if (self->count == SINEW_MARKS) luaL_error(L, "canvas: more than %d marks", SINEW_MARKS);
  sinew_mark *mark = &self->marks[self->count];
  *mark = (sinew_mark){ .kind = kind, .turn = { 1, 0, 0, 0, 1, 0, 0, 0, 1 } };
  mark->color = color_at(L, color);
  return mark;
}

static void point_at(lua_State *L, int index, float *dest) {
  if (!si_vec3_read(L, index, dest)) si_lua_type_error(L, index, "vec3");
  for (int i = 0; i < 3; i++)
    if (!isfinite(dest[i])) luaL_error(L, "canvas: argument %d is not finite", index - 1);
}

static void direction_at(lua_State *L, int index, float *dest) {
  point_at(L, index, dest);
  double length = sqrt((double)dest[0] * (double)dest[0] + (double)dest[1] * (double)dest[1] +
                       (double)dest[2] * (double)dest[2]);
  if (!(length > 1e-12)) luaL_error(L, "canvas: argument %d has no direction", index - 1);
  for (int i = 0; i < 3; i++) dest[i] = (float)((double)dest[i] / length);
}

static float size_at(lua_State *L, int index) {
  double size = luaL_checknumber(L, index);
  if (!(size >= 0) || !isfinite((float)size))
    luaL_error(L, "canvas: argument %d must be a size, at least 0", index - 1);
  return (float)size;
}

static int done(lua_State *L) {
  ((canvas *)lua_touserdata(L, 1))->count++;
  return 0;
}

static int canvas_line(lua_State *L) {
  sinew_mark *mark = new_mark(L, SINEW_MARK_LINE, 4);
  point_at(L, 2, mark->at);
  point_at(L, 3, mark->to);
  return done(L);
}

static int canvas_arrow(lua_State *L) {
  sinew_mark *mark = new_mark(L, SINEW_MARK_ARROW, 4);
  point_at(L, 2, mark->at);
  point_at(L, 3, mark->to);
  return done(L);
}

static int canvas_disc(lua_State *L) {
  sinew_mark *mark = new_mark(L, SINEW_MARK_DISC, 5);
  point_at(L, 2, mark->at);
  direction_at(L, 3, mark->to);
  mark->size[0] = size_at(L, 4);
  return done(L);
}

static int canvas_ellipsoid(lua_State *L) {
  float q[4], m[16];
  bool quat = si_quat_read(L, 4, q), turned = quat || si_mat4_read(L, 4, m);
  sinew_mark *mark = new_mark(L, SINEW_MARK_ELLIPSOID, turned || lua_isnil(L, 4) ? 5 : 4);
  point_at(L, 2, mark->at);
  point_at(L, 3, mark->size);
  for (int i = 0; i < 3; i++)
    if (!(mark->size[i] >= 0)) return luaL_error(L, "canvas: radii must be at least 0");
  if (quat) si_quat_to_mat4(q, m);
  for (int i = 0; turned && i < 9; i++) {
    mark->turn[i] = m[i / 3 * 4 + i % 3];
    if (!isfinite(mark->turn[i])) return luaL_error(L, "canvas: argument 3 is not finite");
  }
  return done(L);
}

static int canvas_cone(lua_State *L) {
  sinew_mark *mark = new_mark(L, SINEW_MARK_CONE, 6);
  point_at(L, 2, mark->at);
  direction_at(L, 3, mark->to);
  mark->size[0] = size_at(L, 4);
  mark->size[1] = size_at(L, 5);
  if (mark->size[0] > 180) return luaL_error(L, "canvas: a cone's half angle is at most 180");
  return done(L);
}

static int canvas_text(lua_State *L) {
  sinew_mark *mark = new_mark(L, SINEW_MARK_TEXT, 4);
  point_at(L, 2, mark->at);
  const char *words = luaL_checkstring(L, 3);
  if (strlen(words) >= sizeof mark->text)
    return luaL_error(L, "canvas: a text has at most %d bytes", (int)sizeof mark->text - 1);
  snprintf(mark->text, sizeof mark->text, "%s", words);
  return done(L);
}

static const luaL_Reg canvas_methods[] = {
  { "line", canvas_line }, { "arrow", canvas_arrow },
  { "disc", canvas_disc }, { "ellipsoid", canvas_ellipsoid },
  { "cone", canvas_cone }, { "text", canvas_text },
  { NULL, NULL }
};
const si_lua_type si_canvas_type = { .name = "canvas", .methods = canvas_methods };

typedef struct drawing {
  const si_instance *instance;
  const float *const *inputs;
  sinew_mark *marks;
  int count;
} drawing;

static void draw(lua_State *L, void *user) {
  drawing *d = user;
  const si_script *script = d->instance->script;
  canvas *made = si_lua_new(L, &si_canvas_type, sizeof *made, 0);
  made->marks = d->marks;
  si_script_get(L, script->draw);
  si_script_get(L, d->instance->view);
  lua_pushvalue(L, 1);
  for (int i = 0; i < script->input_count; i++)
    push_value(L, script->inputs[i].kind, script->more[i].scale, d->inputs[i]);
  /* caught here, so that a canvas that the script keeps is closed also after an error */
  int failed = lua_pcall(L, script->input_count + 2, 0, 0);
  made->marks = NULL;
  d->count = made->count;
  if (failed) lua_error(L);
}

sinew_status si_script_draw_at(const si_instance *instance, const float *const *inputs,
                               sinew_mark *dest, int *count, sinew_error *error) {
  *count = 0;
  if (!instance->script->draw) return SINEW_OK;
  drawing d = { instance, inputs, dest, 0 };
  sinew_status status = si_script_protect(instance->script, draw, &d, error);
  *count = status < 0 ? 0 : d.count;
  return status;
}

sinew_status si_script_draw(const sinew_pose *pose, sinew_component component, sinew_mark *dest,
                            int *count, sinew_error *error) {
  const si_instance *instance = si_instance_in(sinew_pose_rig(pose), component);
  const float *inputs[SI_SCRIPT_PORTS];
  *count = 0;
  for (int i = 0; instance && i < instance->script->input_count; i++)
    inputs[i] = sinew_pose_input(pose, component, i);
  return instance ? si_script_draw_at(instance, inputs, dest, count, error) : SINEW_OK;
}
