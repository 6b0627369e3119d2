/* Signed distance fields: sinew.field { axes =, samples = ... } builds one from motion;
 * sinew.load_field reads one from a file. */
#include "lua/base/reserve.h"
#include "lua/math/options.h"
#include "lua/shape/shape_lua.h"

#include <math.h>
#include <sinew/field.h>
#include <string.h>

typedef struct field_lua {
  sinew_field *field;
} field_lua;

/* largest file of a field that a hosted script may read */
enum { most_bytes = 64 << 20 };

static sinew_field *self_field(lua_State *L) {
  return ((const field_lua *)si_lua_open_self(L, &si_field_type))->field;
}

static int field_close(lua_State *L) {
  field_lua *self = lua_touserdata(L, 1);
  sinew_field_release(self->field);
  self->field = NULL;
  return 0;
}

bool si_object_read(lua_State *L, int index, const char *name, const char *wanted,
                    sinew_param *dest) {
  if (wanted && strcmp(wanted, "a cone") == 0) return si_cone_read(L, index, name, dest);
  const field_lua *found = si_lua_test(L, index, &si_field_type);
  if (!found || !found->field) return false;
  *dest = sinew_param_object(name, &sinew_field_class, found->field);
  return true;
}

void si_object_push(lua_State *L, const sinew_param *param) {
  if (si_cone_push(L, param)) return;
  if (param->object_class != &sinew_field_class) {
    lua_pushnil(L);
    return;
  }
  field_lua *self = si_lua_new(L, &si_field_type, sizeof *self, 0);
  self->field = sinew_field_retain(param->object);
}

/* axes = { {min=-180, max=180, resolution=16, wrap=true}, ... }, at an index; 0: missing */
static void read_axes(lua_State *L, int axes, sinew_field_desc *desc) {
  static const si_option options[] = {
    SI_OPTION(sinew_field_axis, min, NUMBER),
    SI_OPTION(sinew_field_axis, max, NUMBER),
    SI_OPTION_RANGE(sinew_field_axis, resolution, 2, SINEW_FIELD_RESOLUTION),
    SI_OPTION(sinew_field_axis, wrap, FLAG),
    SI_OPTION_END,
  };
  if (!axes || !lua_istable(L, axes))
    luaL_error(L, "field: 'axes' must be a table, one entry for each angle");
  int count = (int)lua_rawlen(L, axes);
  if (count < 1 || count > SINEW_FIELD_AXES)
    luaL_error(L, "field: expected 1 to %d axes, got %d", SINEW_FIELD_AXES, count);
  *desc = sinew_default_field_desc(count);
  for (int i = 0; i < count; i++) {
    const char *who = lua_pushfstring(L, "field: axis %d", i + 1);
    lua_rawgeti(L, axes, i + 1);
    if (!lua_istable(L, -1)) luaL_error(L, "%s must be a table", who);
    si_options_read(L, lua_gettop(L), who, options, &desc->axes[i]);
    lua_pop(L, 2);
  }
}

static int push_field(lua_State *L, sinew_field *field, const sinew_field_report *report,
                      const sinew_error *error, field_lua *self) {
  if (!field) return si_raise(L, error);
  self->field = field;
  if (!report) return 1;
  lua_newtable(L);
  const si_named_number numbers[] = { { "bytes", (double)report->bytes },
                                      { "samples_given", (double)report->samples_given },
                                      { "samples_used", (double)report->samples_used },
                                      { "samples_beyond", (double)report->samples_beyond },
                                      { "nodes", (double)report->nodes },
                                      { "feasible_nodes", (double)report->feasible_nodes },
                                      { "inside_nodes", (double)report->inside_nodes },
                                      { "components", report->components },
                                      { NULL, 0 } };
  si_set_numbers(L, numbers);
  lua_pushstring(L, report->warnings.text);
  lua_setfield(L, -2, "warnings");
  return 2;
}

/* floats per sample of this field */
static int sample_width(const sinew_field_desc *desc, bool quaternions) {
  int width = desc->axis_count;
  for (int group = 0; quaternions && group < 2; group++) width += desc->orders[group] ? 1 : 0;
  return width;
}

/* sinew.field { axes =, samples = or clips =, order =, quaternions =, join =, epsilon =, memory = }
 */
static int field_new(lua_State *L) {
  typedef struct field_options {
    const char *order, *order2;
    float epsilon, memory;
    bool quaternions, join;
    int depth, axes, samples, clips;
  } field_options;
  static const si_option options[] = {
    SI_OPTION(field_options, order, TEXT),
    SI_OPTION(field_options, order2, TEXT),
    SI_OPTION(field_options, epsilon, NUMBER),
    SI_OPTION(field_options, memory, NUMBER),
    SI_OPTION(field_options, quaternions, FLAG),
    SI_OPTION(field_options, join, FLAG),
    SI_OPTION_RANGE(field_options, depth, 0, 20),
    SI_OPTION(field_options, axes, VALUE),
    SI_OPTION(field_options, samples, VALUE),
    SI_OPTION(field_options, clips, VALUE),
    SI_OPTION_END,
  };
  luaL_checktype(L, 1, LUA_TTABLE);
  lua_settop(L, 1);
  sinew_field_motion motion = sinew_default_field_motion();
  field_options o = { .epsilon = sinew_default_field_desc(1).epsilon, .depth = motion.depth };
  si_options_read(L, 1, "field", options, &o);
  sinew_field_desc desc;
  read_axes(L, o.axes, &desc);
  desc.orders[0] = o.order;
  desc.orders[1] = o.order2;
  desc.epsilon = o.epsilon;
  desc.memory_limit = o.memory > 0 && o.memory < 1e15f ? (size_t)o.memory : 0;
  motion.quaternions = o.quaternions;
  motion.join = o.join;
  motion.depth = o.depth;
  int width = sample_width(&desc, motion.quaternions);

  /* `samples` is one clip; `clips` a list of them, each read as an option of its list */
  bool several = o.clips && lua_istable(L, o.clips);
  size_t clip_count = several ? lua_rawlen(L, o.clips) : 1;
  if (clip_count > 100000) return luaL_error(L, "field: more than 100000 clips");
  luaL_checkstack(L, 16, "too many clips");
  sinew_field_clip *clips = lua_newuserdatauv(L, (clip_count + 1) * sizeof *clips, 0);
  lua_newtable(L); /* keeps each clip's memory alive */
  int keep = lua_gettop(L);
  for (size_t i = 0; i < clip_count; i++) {
    lua_createtable(L, 0, 1);
    if (several)
      lua_rawgeti(L, o.clips, (int)i + 1);
    else if (o.samples)
      lua_pushvalue(L, o.samples);
    else
      lua_pushnil(L);
    lua_setfield(L, -2, "samples");
    clips[i].samples = si_option_rows(L, lua_gettop(L), "field", "samples", width, &clips[i].count);
    if (!clips[i].samples) return luaL_error(L, "field: 'samples' or 'clips' is missing");
    lua_rawseti(L, keep, (int)i + 1);
    lua_pop(L, 1);
  }
  motion.clips = clips;
  motion.clip_count = clip_count;
  sinew_error error;
  sinew_field_report report;
  field_lua *self = si_lua_new(L, &si_field_type, sizeof *self, 0);
  size_t bytes = sinew_field_memory(&desc, NULL);
  /* including the memory to build it; an invalid desc gives 0 */
  si_lua_reserve(L, bytes + bytes / 8 * 5);
  sinew_field *field = sinew_field_from_motion(&desc, &motion, &report, &error);
  return push_field(L, field, &report, &error, self);
}

/* sinew.load_field(path): in the host, a file in the script's folder */
static int field_load(lua_State *L) {
  const char *path = luaL_checkstring(L, 1);
  const si_lua_guard *guard = si_lua_guard_of(L);
  sinew_error error;
  field_lua *self = si_lua_new(L, &si_field_type, sizeof *self, 0);
  if (!guard) return push_field(L, sinew_field_load(path, 0, &error), NULL, &error, self);
  const void *bytes;
  size_t size;
  const char *found = guard->read(L, path, most_bytes, &bytes, &size);
  si_lua_reserve(L, 2 * size);
  sinew_field *field = sinew_field_decode(found, bytes, size, most_bytes, &error);
  if (!field) return si_raise(L, &error);
  self->field = field;
  lua_settop(L, 2);
  return 1;
}

/* sinew.sculpt_field { axes =, obj = }: outside of the host only */
static int field_sculpt(lua_State *L) {
  typedef struct given {
    float epsilon;
    const char *obj;
    int axes;
  } given;
  static const si_option options[] = {
    SI_OPTION(given, epsilon, NUMBER),
    SI_OPTION(given, obj, TEXT),
    SI_OPTION(given, axes, VALUE),
    SI_OPTION_END,
  };
  given g = { .epsilon = sinew_default_field_desc(3).epsilon };
  luaL_checktype(L, 1, LUA_TTABLE);
  lua_settop(L, 1);
  si_files_check(L);
  si_options_read(L, 1, "sculpt_field", options, &g);
  sinew_field_desc desc;
  read_axes(L, g.axes, &desc);
  desc.epsilon = g.epsilon;
  if (!g.obj) return luaL_error(L, "sculpt_field: 'obj', the path of the surface, is missing");
  sinew_error error;
  sinew_field_report report;
  field_lua *self = si_lua_new(L, &si_field_type, sizeof *self, 0);
  sinew_surface *surface = sinew_surface_load_obj(g.obj, &error);
  if (!surface) return si_raise(L, &error);
  sinew_field *field = sinew_field_from_surface(&desc, surface, &report, &error);
  sinew_surface_destroy(surface);
  return push_field(L, field, &report, &error, self);
}

static int want_angles(lua_State *L, const sinew_field *field, float *dest) {
  int count = sinew_field_axis_count(field);
  for (int i = 0; i < count; i++) {
    dest[i] = si_lua_check_float(L, 2 + i);
    luaL_argcheck(L, isfinite(dest[i]), 2 + i, "the angle is not finite");
  }
  return count;
}

/* field:lookup(a, b, c): the distance in degrees, then its gradient */
static int field_lookup(lua_State *L) {
  const sinew_field *field = self_field(L);
  float angles[SINEW_FIELD_AXES], gradient[SINEW_FIELD_AXES];
  int count = want_angles(L, field, angles);
  lua_pushnumber(L, sinew_field_lookup(field, angles, gradient));
  for (int i = 0; i < count; i++) lua_pushnumber(L, gradient[i]);
  return 1 + count;
}

static int field_feasible(lua_State *L) {
  const sinew_field *field = self_field(L);
  float angles[SINEW_FIELD_AXES];
  want_angles(L, field, angles);
  return si_return_boolean(L, sinew_field_feasible(field, angles));
}

/* field:project(a, b, c): feasible angles, then how far they were moved, in degrees */
static int field_project(lua_State *L) {
  const sinew_field *field = self_field(L);
  float angles[SINEW_FIELD_AXES];
  int count = want_angles(L, field, angles);
  si_lua_spend(L, 20);
  float moved = sinew_field_project(field, angles, angles);
  for (int i = 0; i < count; i++) lua_pushnumber(L, angles[i]);
  lua_pushnumber(L, moved);
  return count + 1;
}

static int field_save(lua_State *L) {
  const sinew_field *field = self_field(L);
  const char *path = luaL_checkstring(L, 2);
  si_files_check(L);
  sinew_error error;
  if (sinew_field_save(field, path, &error) >= 0) {
    return si_return_boolean(L, 1);
  }
  return si_return_failure(L, &error);
}

/* field:surface(): { vertices = flat numbers, triangles = indices from 1 }, to draw */
static int field_surface(lua_State *L) {
  sinew_error error;
  sinew_surface *surface = sinew_field_surface(self_field(L), &error);
  if (!surface) return si_raise(L, &error);
  size_t vertices = 3 * sinew_surface_vertex_count(surface);
  size_t indices = 3 * sinew_surface_triangle_count(surface);
  /* copies to buffers first: only that can raise, so that the surface is freed */
  float *numbers = lua_newuserdatauv(L, (vertices + indices + 1) * sizeof *numbers, 0);
  memcpy(numbers, sinew_surface_vertices(surface), vertices * sizeof *numbers);
  for (size_t i = 0; i < indices; i++)
    numbers[vertices + i] = (float)(sinew_surface_triangles(surface)[i] + 1);
  sinew_surface_destroy(surface);
  lua_createtable(L, 0, 2);
  si_numbers_push(L, lua_gettop(L) + 1, numbers, vertices);
  lua_setfield(L, -2, "vertices");
  si_numbers_push(L, lua_gettop(L) + 1, numbers + vertices, indices);
  lua_setfield(L, -2, "triangles");
  return 1;
}

static int field_epsilon(lua_State *L) {
  return si_return_number(L, sinew_field_epsilon(self_field(L)));
}
static int field_bytes(lua_State *L) {
  return si_return_number(L, (lua_Number)sinew_field_bytes(self_field(L)));
}
static int field_components(lua_State *L) {
  return si_return_integer(L, sinew_field_components(self_field(L)));
}
static int field_length(lua_State *L) {
  return si_return_integer(L, sinew_field_axis_count(self_field(L)));
}

static int field_tostring(lua_State *L) {
  const field_lua *self = si_lua_self(L, &si_field_type);
  if (!self->field) return si_return_string(L, "field (closed)");
  lua_pushfstring(L, "field of %d angles, %d nodes, %d bytes", sinew_field_axis_count(self->field),
                  (int)sinew_field_nodes(self->field), (int)sinew_field_bytes(self->field));
  return 1;
}

static const luaL_Reg methods[] = { { "lookup", field_lookup },   { "feasible", field_feasible },
                                    { "project", field_project }, { "save", field_save },
                                    { "surface", field_surface }, { NULL, NULL } };
static const luaL_Reg meta[] = { { "__tostring", field_tostring },
                                 { "__len", field_length },
                                 { NULL, NULL } };
static const si_lua_field fields[] = { { "epsilon", field_epsilon, NULL },
                                       { "bytes", field_bytes, NULL },
                                       { "components", field_components, NULL },
                                       { NULL, NULL, NULL } };
const si_lua_type si_field_type = {
  .name = "field", .methods = methods, .meta = meta, .fields = fields, .close = field_close
};

void si_open_field(lua_State *L) {
  static const luaL_Reg functions[] = { { "field", field_new },
                                        { "load_field", field_load },
                                        { "sculpt_field", field_sculpt },
                                        { NULL, NULL } };
  si_lua_type_open(L, &si_field_type);
  luaL_setfuncs(L, functions, 0);
}
