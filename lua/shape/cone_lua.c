/* Reach cones by themselves: sinew.cone { points =, rest =, ... } with the parameters of the
 * component of that name, to ask whether a direction is inside and to draw it; and sinew.fit_cone,
 * a cone from motion. */
#include "base/alloc.h"
#include "lua/math/options.h"
#include "lua/shape/shape_lua.h"

#include <sinew/cone.h>
#include <string.h>

/* counted: a parameter of a scripted component holds it too */
typedef struct counted {
  int refs;
  sinew_cone *cone;
} counted;

typedef struct cone_lua {
  counted *shared;
  sinew_cone *cone; /* that of `shared`; NULL: closed */
  int hint;
} cone_lua;

static void cone_retain(void *object) { ((counted *)object)->refs++; }

static void cone_release(void *object) {
  counted *shared = object;
  if (--shared->refs > 0) return;
  sinew_cone_destroy(shared->cone);
  si_free(shared);
}

static const sinew_object_class cone_class = { "cone", cone_retain, cone_release };

static cone_lua *self_cone(lua_State *L) { return si_lua_open_self(L, &si_cone_type); }

static int cone_close(lua_State *L) {
  cone_lua *self = lua_touserdata(L, 1);
  if (self->shared) cone_release(self->shared);
  self->shared = NULL;
  self->cone = NULL;
  return 0;
}

/* pushes a cone without anything in it */
static cone_lua *new_cone(lua_State *L) {
  cone_lua *self = si_lua_new(L, &si_cone_type, sizeof *self, 0);
  self->shared = si_alloc(sizeof *self->shared);
  if (!self->shared) luaL_error(L, "out of memory");
  *self->shared = (counted){ .refs = 1 };
  return self;
}

bool si_cone_read(lua_State *L, int index, const char *name, sinew_param *dest) {
  const cone_lua *found = si_lua_test(L, index, &si_cone_type);
  if (!found || !found->cone) return false;
  *dest = sinew_param_object(name, &cone_class, found->shared);
  return true;
}

bool si_cone_push(lua_State *L, const sinew_param *param) {
  if (param->object_class != &cone_class) return false;
  cone_lua *self = si_lua_new(L, &si_cone_type, sizeof *self, 0);
  self->shared = param->object;
  self->shared->refs++;
  self->cone = self->shared->cone;
  return true;
}

static sinew_cone *from_ellipse(lua_State *L, sinew_error *error) {
  sinew_cone_ellipse e = sinew_default_cone_ellipse();
  e.points = si_option_int(L, 1, "cone", "count", 3, 4096, 24);
  size_t count;
  const float *half = si_option_rows(L, 1, "cone", "ellipse", 1, &count);
  if (count != 1 && count != 4)
    luaL_error(L, "cone: 'ellipse' takes one half angle or four, not %d", (int)count);
  for (size_t i = 0; i < 4; i++) e.degrees[i] = half[count == 4 ? i : 0];
  si_option_vec3(L, 1, "cone", "rest", e.rest);
  if (!si_option_vec3(L, 1, "cone", "right", e.right))
    luaL_error(L, "cone: 'ellipse' needs 'right', the direction of azimuth 0");
  const float *twist = si_option_rows(L, 1, "cone", "twist_limits", 2, &count);
  e.has_twist = twist != NULL;
  if (twist && count != 1) luaL_error(L, "cone: an ellipse takes one pair of 'twist_limits'");
  if (twist) memcpy(e.twist, twist, sizeof e.twist);
  return sinew_cone_create_ellipse(&e, error);
}

static sinew_cone *from_points(lua_State *L, sinew_error *error) {
  sinew_cone_desc d = sinew_default_cone_desc();
  size_t count, pairs;
  d.points = (const float(*)[3])si_option_rows(L, 1, "cone", "points", 3, &count);
  d.count = (int)count;
  si_option_vec3(L, 1, "cone", "rest", d.rest);
  if (si_option_flag(L, 1, "cone", "provisional", false)) d.visible_from = SINEW_VISIBLE_SUM;
  if (si_option_vec3(L, 1, "cone", "visible", d.visible)) d.visible_from = SINEW_VISIBLE_GIVEN;
  d.twist = (const float(*)[2])si_option_rows(L, 1, "cone", "twist_limits", 2, &pairs);
  if (d.twist && pairs == 1 && count != 1) {
    d.has_visible_twist = true;
    memcpy(d.visible_twist, d.twist, sizeof d.visible_twist);
    d.twist = NULL;
  } else if (d.twist && pairs != count) {
    luaL_error(L, "cone: got %d pairs of 'twist_limits' for %d points", (int)pairs, (int)count);
  }
  const float *visible = si_option_rows(L, 1, "cone", "visible_twist", 2, &pairs);
  if (visible && pairs != 1)
    luaL_error(L, "cone: 'visible_twist' takes one pair, not %d", (int)pairs);
  if (visible) {
    d.has_visible_twist = true;
    memcpy(d.visible_twist, visible, sizeof d.visible_twist);
  }
  d.smooth = si_option_int(L, 1, "cone", "smooth", 0, 16, 0);
  return sinew_cone_create(&d, error);
}

static int cone_new(lua_State *L) {
  static const char *const names[] = { "points",        "ellipse",     "right", "count",
                                       "visible",       "provisional", "rest",  "twist_limits",
                                       "visible_twist", "smooth",      NULL };
  luaL_checktype(L, 1, LUA_TTABLE);
  lua_settop(L, 1);
  si_options_check(L, 1, "cone", names, false);
  sinew_error error;
  cone_lua *self = new_cone(L);
  si_raw_field(L, 1, "ellipse");
  bool ellipse = !lua_isnil(L, -1);
  lua_pop(L, 1);
  self->cone = self->shared->cone = ellipse ? from_ellipse(L, &error) : from_points(L, &error);
  if (!self->cone) return si_raise(L, &error);
  lua_settop(L, 2);
  return 1;
}

static void push_report(lua_State *L, const sinew_cone_fit_report *r) {
  lua_newtable(L);
  const si_named_number numbers[] = { { "samples", r->samples },
                                      { "kept", r->kept },
                                      { "outside_swing", r->outside_swing },
                                      { "outside_twist", r->outside_twist },
                                      { "points", r->points },
                                      { "area", (double)r->area },
                                      { "hull_area", (double)r->hull_area },
                                      { "unvisited", (double)r->unvisited },
                                      { NULL, 0 } };
  si_set_numbers(L, numbers);
  lua_pushboolean(L, r->rest_extended);
  lua_setfield(L, -2, "rest_extended");
}

/* sinew.fit_cone { samples =, rest =, share =, tolerance =, cell =, axes = }: a cone and a report
 */
static int cone_fit(lua_State *L) {
  static const si_option options[] = {
    SI_OPTION(sinew_cone_fit, rest, VEC3),
    SI_OPTION(sinew_cone_fit, share, NUMBER),
    SI_OPTION(sinew_cone_fit, tolerance, NUMBER),
    SI_OPTION(sinew_cone_fit, cell, NUMBER),
    { .name = "samples", .kind = SI_OPTION_OTHER },
    { .name = "axes", .kind = SI_OPTION_OTHER },
    SI_OPTION_END,
  };
  luaL_checktype(L, 1, LUA_TTABLE);
  lua_settop(L, 1);
  sinew_cone_fit fit = sinew_default_cone_fit();
  si_options_read(L, 1, "fit_cone", options, &fit);
  size_t count;
  fit.samples = (const float(*)[4])si_option_rows(L, 1, "fit_cone", "samples", 4, &count);
  fit.count = (int)count;
  const float *axes = si_option_rows(L, 1, "fit_cone", "axes", 3, &count);
  if (axes && count != 2) return luaL_error(L, "fit_cone: 'axes' takes two vectors");
  fit.two_axes = axes != NULL;
  if (axes) memcpy(fit.axes, axes, sizeof fit.axes);
  sinew_error error;
  sinew_cone_fit_report report;
  cone_lua *self = new_cone(L);
  self->cone = self->shared->cone = sinew_cone_create_fit(&fit, &report, &error);
  if (!self->cone) return si_raise(L, &error);
  push_report(L, &report);
  return 2;
}

/* the direction at 2, normalized */
static void want_direction(lua_State *L, float dest[3]) { si_lua_want_unit(L, 2, dest); }

static int cone_inside(lua_State *L) {
  cone_lua *self = self_cone(L);
  float direction[3];
  want_direction(L, direction);
  return si_return_boolean(L, sinew_cone_inside(self->cone, direction, &self->hint));
}

/* cone:hold(direction [, dest]): the nearest allowed direction towards rest, and whether it was
 * held back */
static int cone_hold(lua_State *L) {
  cone_lua *self = self_cone(L);
  float direction[3], held[3];
  want_direction(L, direction);
  bool outside = sinew_cone_hold(self->cone, direction, &self->hint, held);
  memcpy(si_vec3_dest(L, 3), held, sizeof held);
  lua_pushboolean(L, outside);
  return 2;
}

/* cone:twist(direction): min and max, or nothing if the twist is free */
static int cone_twist(lua_State *L) {
  cone_lua *self = self_cone(L);
  float direction[3], limits[2];
  want_direction(L, direction);
  if (!sinew_cone_twist(self->cone, direction, &self->hint, limits)) return 0;
  lua_pushnumber(L, limits[0]);
  lua_pushnumber(L, limits[1]);
  return 2;
}

static int cone_points(lua_State *L) {
  const sinew_cone *cone = self_cone(L)->cone;
  int count = sinew_cone_count(cone);
  lua_createtable(L, count, 0);
  for (int i = 0; i < count; i++) {
    sinew_cone_point(cone, i, si_vec3_push(L));
    lua_rawseti(L, -2, i + 1);
  }
  return 1;
}

/* pairs at the points, then the pair at the visible point; nil if the twist is free */
static int cone_limits(lua_State *L) {
  const sinew_cone *cone = self_cone(L)->cone;
  int count = sinew_cone_count(cone);
  float pair[2];
  if (!sinew_cone_point_twist(cone, -1, pair)) {
    lua_pushnil(L);
    return 1;
  }
  lua_createtable(L, count + 1, 0);
  for (int i = 0; i <= count; i++) {
    sinew_cone_point_twist(cone, i < count ? i : -1, pair);
    lua_createtable(L, 2, 0);
    for (int k = 0; k < 2; k++) {
      lua_pushnumber(L, pair[k]);
      lua_rawseti(L, -2, k + 1);
    }
    lua_rawseti(L, -2, i + 1);
  }
  return 1;
}

static int cone_rest(lua_State *L) {
  sinew_cone_rest(self_cone(L)->cone, si_vec3_push(L));
  return 1;
}

static int cone_visible(lua_State *L) {
  sinew_cone_visible_point(self_cone(L)->cone, si_vec3_push(L));
  return 1;
}

static int cone_area(lua_State *L) {
  return si_return_number(L, sinew_cone_area(self_cone(L)->cone));
}

static int cone_length(lua_State *L) {
  return si_return_integer(L, sinew_cone_count(self_cone(L)->cone));
}

static int cone_tostring(lua_State *L) {
  const sinew_cone *cone = ((const cone_lua *)si_lua_self(L, &si_cone_type))->cone;
  if (!cone)
    lua_pushliteral(L, "reach cone (closed)");
  else
    lua_pushfstring(L, "reach cone of %d points", sinew_cone_count(cone));
  return 1;
}

static const luaL_Reg methods[] = {
  { "inside", cone_inside }, { "hold", cone_hold }, { "twist", cone_twist }, { NULL, NULL }
};
static const luaL_Reg meta[] = { { "__tostring", cone_tostring },
                                 { "__len", cone_length },
                                 { NULL, NULL } };
static const si_lua_field fields[] = {
  { "points", cone_points, NULL }, { "twist_limits", cone_limits, NULL },
  { "rest", cone_rest, NULL },     { "visible", cone_visible, NULL },
  { "area", cone_area, NULL },     { NULL, NULL, NULL },
};
const si_lua_type si_cone_type = { .name = "cone",
                                   .methods = methods,
                                   .meta = meta,
                                   .fields = fields,
                                   .close = cone_close,
                                   .alive = offsetof(cone_lua, cone) };

void si_open_cone(lua_State *L) {
  si_lua_type_open(L, &si_cone_type);
  lua_pushcfunction(L, cone_new);
  lua_setfield(L, -2, "cone");
  lua_pushcfunction(L, cone_fit);
  lua_setfield(L, -2, "fit_cone");
}
