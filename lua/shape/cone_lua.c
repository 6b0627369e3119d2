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

/* the options of a cone */
typedef struct given_cone {
  si_rows points, ellipse, twist_limits, visible_twist;
  float rest[3], right[3], visible[3];
  bool provisional;
  int count, smooth;
} given_cone;

enum { RIGHT = 1, VISIBLE = 2, REST = 4 };

static sinew_cone *from_ellipse(lua_State *L, const given_cone *c, unsigned given,
                                sinew_error *error) {
  sinew_cone_ellipse e = sinew_default_cone_ellipse();
  const si_rows *half = &c->ellipse, *twist = &c->twist_limits;
  e.points = c->count;
  if (half->count != 1 && half->count != 4)
    luaL_error(L, "cone: 'ellipse' takes one half angle or four, not %d", (int)half->count);
  for (size_t i = 0; i < 4; i++) e.degrees[i] = half->at[half->count == 4 ? i : 0];
  if (given & REST) memcpy(e.rest, c->rest, sizeof e.rest);
  if (!(given & RIGHT)) luaL_error(L, "cone: 'ellipse' needs 'right', the direction of azimuth 0");
  memcpy(e.right, c->right, sizeof e.right);
  e.has_twist = twist->at;
  if (twist->at && twist->count != 1)
    luaL_error(L, "cone: an ellipse takes one pair of 'twist_limits'");
  if (twist->at) memcpy(e.twist, twist->at, sizeof e.twist);
  return sinew_cone_create_ellipse(&e, error);
}

static sinew_cone *from_points(lua_State *L, const given_cone *c, unsigned given,
                               sinew_error *error) {
  sinew_cone_desc d = sinew_default_cone_desc();
  const si_rows *twist = &c->twist_limits, *visible = &c->visible_twist;
  d.points = (const float(*)[3])c->points.at;
  d.count = (int)c->points.count;
  if (given & REST) memcpy(d.rest, c->rest, sizeof d.rest);
  if (c->provisional) d.visible_from = SINEW_VISIBLE_SUM;
  if (given & VISIBLE) {
    memcpy(d.visible, c->visible, sizeof d.visible);
    d.visible_from = SINEW_VISIBLE_GIVEN;
  }
  if (twist->at && twist->count == 1 && c->points.count != 1) {
    d.has_visible_twist = true;
    memcpy(d.visible_twist, twist->at, sizeof d.visible_twist);
  } else if (twist->at && twist->count != c->points.count) {
    luaL_error(L, "cone: got %d pairs of 'twist_limits' for %d points", (int)twist->count, d.count);
  } else {
    d.twist = (const float(*)[2])twist->at;
  }
  if (visible->at && visible->count != 1)
    luaL_error(L, "cone: 'visible_twist' takes one pair, not %d", (int)visible->count);
  if (visible->at) {
    d.has_visible_twist = true;
    memcpy(d.visible_twist, visible->at, sizeof d.visible_twist);
  }
  d.smooth = c->smooth;
  return sinew_cone_create(&d, error);
}

static int cone_new(lua_State *L) {
  static const si_option options[] = {
    SI_OPTION(given_cone, right, VEC3),
    SI_OPTION(given_cone, visible, VEC3),
    SI_OPTION(given_cone, rest, VEC3),
    SI_OPTION_LIST(given_cone, points, 3),
    SI_OPTION_LIST(given_cone, ellipse, 1),
    SI_OPTION_LIST(given_cone, twist_limits, 2),
    SI_OPTION_LIST(given_cone, visible_twist, 2),
    SI_OPTION(given_cone, provisional, FLAG),
    SI_OPTION_RANGE(given_cone, count, 3, 4096),
    SI_OPTION_RANGE(given_cone, smooth, 0, 16),
    SI_OPTION_END,
  };
  luaL_checktype(L, 1, LUA_TTABLE);
  lua_settop(L, 1);
  sinew_error error;
  given_cone c = { .count = 24 };
  unsigned given = si_options_read(L, 1, "cone", options, &c);
  cone_lua *self = new_cone(L);
  self->cone = self->shared->cone =
      c.ellipse.at ? from_ellipse(L, &c, given, &error) : from_points(L, &c, given, &error);
  return self->cone ? 1 : si_raise(L, &error);
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
  typedef struct given_fit {
    sinew_cone_fit fit;
    si_rows samples, axes;
  } given_fit;
  static const si_option options[] = {
    SI_OPTION_IN(given_fit, fit, rest, VEC3),
    SI_OPTION_IN(given_fit, fit, share, NUMBER),
    SI_OPTION_IN(given_fit, fit, tolerance, NUMBER),
    SI_OPTION_IN(given_fit, fit, cell, NUMBER),
    SI_OPTION_LIST(given_fit, samples, 4),
    SI_OPTION_LIST(given_fit, axes, 3),
    SI_OPTION_END,
  };
  luaL_checktype(L, 1, LUA_TTABLE);
  lua_settop(L, 1);
  given_fit g = { .fit = sinew_default_cone_fit() };
  si_options_read(L, 1, "fit_cone", options, &g);
  sinew_cone_fit fit = g.fit;
  fit.samples = (const float(*)[4])g.samples.at;
  fit.count = (int)g.samples.count;
  if (g.axes.at && g.axes.count != 2) return luaL_error(L, "fit_cone: 'axes' takes two vectors");
  fit.two_axes = g.axes.at != NULL;
  if (g.axes.at) memcpy(fit.axes, g.axes.at, sizeof fit.axes);
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
