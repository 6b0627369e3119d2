/* Golden poses; see sinew/golden.h. The file runs in a sandbox of its own, and one walk through its
 * table either compares every place or writes it anew. */
#include "sinew/golden.h"

#include "base/alloc.h"
#include "base/error_internal.h"
#include "base/file_internal.h"
#include "base/platform.h"
#include "lua/base/lua_text.h"
#include "lua/host/sandbox/sandbox.h"
#include "lua/math/options.h"
#include "lua/math/quat_matrix.h"

#include <math.h>
#include <stdarg.h>
#include <string.h>

typedef struct work {
  sinew_host *host;
  sinew_golden_print *print;
  void *user;
  sinew_golden_result result;
  bool wrong;     /* something in the current pose */
  si_text *write; /* NULL: compares */
  float metres, degrees;
} work;

static const sinew_rig *rig_of(const work *w) { return sinew_host_rig(w->host); }

static const char *segment_name(const work *w, int i) {
  return sinew_rig_segment_info(rig_of(w), sinew_rig_segment(rig_of(w), i)).name;
}

static void say(work *w, const char *who, const char *format, ...) {
  char line[1024];
  int length = snprintf(line, sizeof line, "FAILED %s: ", who);
  va_list args;
  va_start(args, format);
  if (length < (int)sizeof line)
    vsnprintf(line + length, sizeof line - (size_t)length, format, args);
  va_end(args);
  if (w->print) w->print(line, w->user);
  w->wrong = true;
}

/* --- writing */

static float rounded(float x) { return roundf(x * 1e5f) / 1e5f + 0.0f; }

static void write_numbers(si_text *text, const float *from, size_t count) {
  float numbers[4];
  for (size_t i = 0; i < count; i++) numbers[i] = rounded(from[i]);
  si_print_numbers(text, numbers, count);
}

static void write_place(const work *w, int segment, bool rotated) {
  const float *world =
      sinew_pose_world(sinew_host_pose(w->host), sinew_rig_segment(rig_of(w), segment));
  float turn[4];
  si_text_add(w->write, "      ");
  si_print_key(w->write, segment_name(w, segment));
  si_text_add(w->write, " = ");
  if (rotated && si_quat_from_mat4(world, turn)) {
    si_text_add(w->write, "{ at = ");
    write_numbers(w->write, world + 12, 3);
    si_text_add(w->write, ", rotate = ");
    write_numbers(w->write, turn, 4);
    si_text_add(w->write, " }");
  } else {
    write_numbers(w->write, world + 12, 3);
  }
  si_text_add(w->write, ",\n");
}

static void write_head(const work *w, const char *name) {
  si_text_add(w->write, "  { ");
  if (name) {
    si_text_add(w->write, "name = ");
    si_print_string(w->write, name);
    si_text_add(w->write, ", ");
  }
  si_text_add(w->write, "dofs = {");
  const sinew_pose *pose = sinew_host_pose(w->host);
  for (int i = 0, n = 0; i < sinew_rig_dof_count(rig_of(w)); i++) {
    sinew_dof dof = sinew_rig_dof(rig_of(w), i);
    sinew_dof_info info = sinew_rig_dof_info(rig_of(w), dof);
    if (sinew_pose_get(pose, dof) == info.rest) continue;
    si_text_add(w->write, !n ? " " : n % 3 ? ", " : ",\n      ");
    n++;
    si_print_key(w->write, info.name);
    si_text_add(w->write, " = ");
    si_print_number(w->write, sinew_pose_get(pose, dof));
  }
  si_text_add(w->write, " },\n    places = {\n");
}

static void write_tolerance(si_text *text, const char *indent, float metres, float degrees) {
  si_text_format(text, "%stolerance = ", indent);
  si_print_number(text, metres);
  si_text_add(text, ", degrees = ");
  si_print_number(text, degrees);
  si_text_add(text, ",\n");
}

/* a pose ends, with tolerances if it has its own */
static void write_tail(const work *w, bool own) {
  si_text_add(w->write, "    },\n");
  if (own) write_tolerance(w->write, "    ", w->metres, w->degrees);
  si_text_add(w->write, "  },\n");
}

/* --- reading */

/* the place at the top of the stack: a point, or a table with `at` and `rotate` */
static void read_place(lua_State *L, const char *who, const char *segment, float at[3], bool *has,
                       float turn[4], bool *turned) {
  typedef struct given {
    float at[3];
    int rotate;
  } given;
  static const si_option options[] = {
    SI_OPTION(given, at, VEC3),
    SI_OPTION(given, rotate, VALUE),
    SI_OPTION_END,
  };
  given g = { .rotate = 0 };
  *turned = false;
  *has = si_vec3_read(L, -1, at);
  if (*has) return;
  const char *whose = lua_pushfstring(L, "%s, place of '%s'", who, segment);
  if (!lua_istable(L, -2))
    luaL_error(L, "%s must be three numbers, or a table with 'at' and 'rotate'", whose);
  int table = lua_gettop(L) - 1;
  *has = si_options_read(L, table, whose, options, &g) & 1;
  if (*has) memcpy(at, g.at, sizeof g.at);
  *turned = g.rotate;
  if (*turned && (!si_quat_read(L, g.rotate, turn) || !si_quat_unit(turn, turn)))
    luaL_error(L, "%s: 'rotate' must be a quat, or a table of its x, y, z, w", whose);
  lua_settop(L, table);
}

static void compare(work *w, const char *who, int segment, const float at[3], bool has,
                    const float turn[4], bool turned) {
  const float *world =
      sinew_pose_world(sinew_host_pose(w->host), sinew_rig_segment(rig_of(w), segment));
  const char *name = segment_name(w, segment);
  const float *is = world + 12;
  if (has) {
    double off =
        sqrt(pow((double)is[0] - (double)at[0], 2) + pow((double)is[1] - (double)at[1], 2) +
             pow((double)is[2] - (double)at[2], 2));
    if (!(off <= (double)w->metres))
      say(w, who,
          "%s is at {%.5g, %.5g, %.5g}, expected {%.5g, %.5g, %.5g}: off by %.3g m, "
          "tolerance %g",
          name, (double)is[0], (double)is[1], (double)is[2], (double)at[0], (double)at[1],
          (double)at[2], off, (double)w->metres);
  }
  float now[4];
  if (!turned) return;
  if (!si_quat_from_mat4(world, now)) {
    say(w, who, "%s is mirrored, so 'rotate' cannot describe it", name);
    return;
  }
  double dot = 0;
  for (int i = 0; i < 4; i++) dot += (double)now[i] * (double)turn[i];
  double off = 2 * acos(fmin(1, fabs(dot))) * 57.29577951308232;
  if (!(off <= (double)w->degrees))
    say(w, who,
        "%s is rotated to {%.4g, %.4g, %.4g, %.4g}, expected {%.4g, %.4g, %.4g, %.4g}: off "
        "by %.3g degrees, tolerance %g",
        name, (double)now[0], (double)now[1], (double)now[2], (double)now[3], (double)turn[0],
        (double)turn[1], (double)turn[2], (double)turn[3], off, (double)w->degrees);
}

/* sets the DOFs of the table at the top of the stack */
static void set_dofs(lua_State *L, work *w, const char *who) {
  sinew_error error;
  sinew_pose *pose = sinew_host_pose(w->host);
  int table = lua_gettop(L);
  for (lua_pushnil(L); lua_next(L, table); lua_pop(L, 1)) {
    if (lua_type(L, -2) != LUA_TSTRING || lua_type(L, -1) != LUA_TNUMBER)
      luaL_error(L, "%s: 'dofs' must have names of DOFs and numbers", who);
    sinew_dof dof = sinew_rig_find_dof(rig_of(w), lua_tostring(L, -2), &error);
    if (!dof.id || sinew_pose_set(pose, dof, (float)lua_tonumber(L, -1), &error) < 0)
      say(w, who, "%s", error.text);
  }
}

/* the places of the table at the top of the stack, in the order of the rig */
static void visit_places(lua_State *L, work *w, const char *who) {
  sinew_error error;
  int table = lua_gettop(L);
  for (lua_pushnil(L); lua_next(L, table); lua_pop(L, 1)) {
    if (lua_type(L, -2) != LUA_TSTRING)
      luaL_error(L, "%s: 'places' must have names of segments as keys", who);
    if (!sinew_rig_find_segment(rig_of(w), lua_tostring(L, -2), &error).id)
      say(w, who, "%s", error.text);
  }
  for (int i = 0; i < sinew_rig_segment_count(rig_of(w)); i++) {
    float at[3], turn[4];
    bool has, turned;
    si_raw_field(L, table, segment_name(w, i));
    if (!lua_isnil(L, -1)) {
      read_place(L, who, segment_name(w, i), at, &has, turn, &turned);
      if (w->write)
        write_place(w, i, turned);
      else
        compare(w, who, i, at, has, turn, turned);
    }
    lua_pop(L, 1);
  }
}

/* the pose at the top of the stack */
static void visit_pose(lua_State *L, work *w, int number) {
  typedef struct given {
    const char *name;
    int dofs, places;
    float tolerance, degrees;
  } given;
  static const si_option options[] = {
    SI_OPTION(given, name, TEXT),
    SI_OPTION_OF(given, dofs, LUA_TTABLE, "a table"),
    SI_OPTION_OF(given, places, LUA_TTABLE, "a table"),
    SI_OPTION(given, tolerance, NUMBER),
    SI_OPTION(given, degrees, NUMBER),
    SI_OPTION_END,
  };
  sinew_error error;
  int at = lua_gettop(L);
  const char *who = lua_pushfstring(L, "pose %d", number);
  if (!lua_istable(L, at)) luaL_error(L, "%s must be a table", who);
  const float metres = w->metres, degrees = w->degrees;
  given g = { .tolerance = metres, .degrees = degrees };
  si_options_read(L, at, who, options, &g);
  const char *name = g.name;
  if (name) who = lua_pushfstring(L, "'%s'", name);
  if (!g.dofs || !g.places)
    luaL_error(L, "%s: '%s' must be a table", who, g.dofs ? "places" : "dofs");
  w->metres = g.tolerance;
  w->degrees = g.degrees;
  w->wrong = false;
  sinew_pose_reset(sinew_host_pose(w->host));
  lua_pushvalue(L, g.dofs);
  set_dofs(L, w, who);
  lua_pushvalue(L, g.places);
  if (sinew_host_eval(w->host, sinew_host_pose(w->host), &error) < 0) {
    say(w, who, "%s", error.text);
  } else {
    if (w->write) write_head(w, name);
    visit_places(L, w, who);
    if (w->write) write_tail(w, w->metres != metres || w->degrees != degrees);
  }
  w->metres = metres;
  w->degrees = degrees;
  w->result.failed += w->wrong;
  w->result.passed += !w->wrong;
  lua_settop(L, at);
}

/* Lua: the table of the file at 1, the work at 2 */
static int visit_file(lua_State *L) {
  static const si_option options[] = {
    { .name = "tolerance", .kind = SI_OPTION_NUMBER, .offset = offsetof(work, metres) },
    SI_OPTION(work, degrees, NUMBER),
    SI_OPTION_END_OF_LIST,
  };
  work *w = lua_touserdata(L, 2);
  if (!lua_istable(L, 1))
    return luaL_error(L, "the file must return a table of poses, not a %s", si_lua_typename(L, 1));
  w->metres = 0.001f;
  w->degrees = 0.1f;
  si_options_read(L, 1, "poses", options, w);
  if (w->write) write_tolerance(w->write, "  ", w->metres, w->degrees);
  int count = (int)lua_rawlen(L, 1);
  if (!count) return luaL_error(L, "there is no pose in the file");
  for (int i = 1; i <= count; i++) {
    lua_rawgeti(L, 1, i);
    visit_pose(L, w, i);
    lua_pop(L, 1);
  }
  return 0;
}

static sinew_status visit(work *w, const char *path, sinew_error *error) {
  si_sandbox_desc desc = si_default_sandbox_desc();
  si_sandbox *sandbox = si_sandbox_create(&desc, error);
  if (!sandbox) return SINEW_ERR_MEMORY;
  sinew_status status = si_sandbox_load_file(sandbox, path, error);
  if (status >= 0) {
    lua_State *L = si_sandbox_state(sandbox);
    lua_pushcfunction(L, visit_file);
    si_sandbox_push_result(sandbox);
    lua_pushlightuserdata(L, w);
    status = si_sandbox_call(sandbox, 2, 0, error);
    if (status < 0) {
      sinew_error why = *error;
      status = si_fail(error, why.status, "%s: %s", path, why.text);
    }
  }
  si_sandbox_destroy(sandbox);
  return status;
}

sinew_status sinew_golden_run(sinew_host *host, const char *path, sinew_golden_print *print,
                              void *user, sinew_golden_result *dest, sinew_error *error) {
  SI_OWN_ERROR(error);
  if (!SI_EXPECT(host && sinew_host_rig(host) && path && dest)) return SINEW_ERR_CALL;
  work w = { .host = host, .print = print, .user = user };
  sinew_status status = visit(&w, path, error);
  *dest = w.result;
  return status;
}

/* --- a first file */

static sinew_status set_all(work *w, int only, float share, sinew_error *error) {
  sinew_pose *pose = sinew_host_pose(w->host);
  sinew_pose_reset(pose);
  for (int i = 0; i < sinew_rig_dof_count(rig_of(w)); i++) {
    sinew_dof_info info = sinew_rig_dof_info(rig_of(w), sinew_rig_dof(rig_of(w), i));
    if (only >= 0 && only != i) continue;
    sinew_pose_set(pose, sinew_rig_dof(rig_of(w), i), info.rest + share * (info.max - info.rest),
                   NULL);
  }
  return sinew_host_eval(w->host, pose, error);
}

static sinew_status write_all(work *w, const char *name, float share, sinew_error *error) {
  sinew_status status = set_all(w, -1, share, error);
  if (status < 0) return status;
  write_head(w, name);
  for (int i = 0; i < sinew_rig_segment_count(rig_of(w)); i++) write_place(w, i, true);
  write_tail(w, false);
  w->result.passed++;
  return SINEW_OK;
}

/* the segment whose origin is furthest from where it was; -1: none moved */
static int most_moved(const work *w, const float *before) {
  const float *after = sinew_pose_worlds(sinew_host_pose(w->host));
  int best = -1;
  float most = 1e-5f;
  for (int i = 0; i < sinew_rig_segment_count(rig_of(w)); i++) {
    float way = 0;
    for (int k = 0; k < 16; k++) way += fabsf(after[16 * i + k] - before[16 * i + k]);
    if (way <= most) continue;
    most = way;
    best = i;
  }
  return best;
}

static sinew_status write_first(work *w, float *rest, sinew_error *error) {
  sinew_status status = write_all(w, "rest", 0, error);
  if (status < 0) return status;
  const size_t bytes = 16 * sizeof(float) * (size_t)sinew_rig_segment_count(rig_of(w));
  memcpy(rest, sinew_pose_worlds(sinew_host_pose(w->host)), bytes);
  status = write_all(w, "half way", 0.5f, error);
  for (int i = 0; status >= 0 && i < sinew_rig_dof_count(rig_of(w)); i++) {
    status = set_all(w, i, 1, error);
    int segment = status < 0 ? -1 : most_moved(w, rest);
    if (segment < 0) continue;
    char name[256];
    snprintf(name, sizeof name, "%s at its maximum",
             sinew_rig_dof_info(rig_of(w), sinew_rig_dof(rig_of(w), i)).name);
    write_head(w, name);
    write_place(w, segment, true);
    write_tail(w, false);
    w->result.passed++;
  }
  return status;
}

int sinew_golden_write(sinew_host *host, const char *path, sinew_error *error) {
  SI_OWN_ERROR(error);
  if (!SI_EXPECT(host && sinew_host_rig(host) && path)) return SINEW_ERR_CALL;
  si_text text = { 0 };
  work w = { .host = host, .write = &text };
  si_text_add(&text, "-- Golden poses, written by `sinew test RIG --update`.\nreturn {\n");
  sinew_status status;
  if (si_file_readable(path)) {
    status = visit(&w, path, error);
    if (status >= 0 && w.result.failed)
      status = si_fail(error, SINEW_ERR_NAME,
                       "%s: %d of its poses cannot be written again; without --update their "
                       "mistakes are listed",
                       path, w.result.failed);
  } else {
    write_tolerance(&text, "  ", 0.001f, 0.1f);
    float *rest =
        si_alloc_array(16 * (size_t)sinew_rig_segment_count(rig_of(&w)) + 1, sizeof *rest);
    status = rest ? write_first(&w, rest, error) : si_fail_memory(error);
    si_free(rest);
  }
  si_text_add(&text, "}\n");
  size_t size = 0;
  char *bytes = si_text_finish(&text, &size, status < 0 ? NULL : error);
  if (status >= 0) status = bytes ? sinew_file_write(path, bytes, size, error) : SINEW_ERR_MEMORY;
  sinew_text_free(bytes);
  return status < 0 ? status : w.result.passed;
}
