/* Motion in Lua: sinew.motion(text, name) parses a text, sinew.load_motion reads a file. Frames,
 * joints and markers count from 1; joints and markers are also found by name. */
#include "base/text.h"
#include "lua/base/reserve.h"
#include "lua/math/options.h"
#include "lua/play/play_lua.h"

#include <math.h>
#include <string.h>

typedef struct motion_lua {
  sinew_motion *motion; /* NULL: closed */
} motion_lua;

static sinew_motion *self_motion(lua_State *L) {
  return ((const motion_lua *)si_lua_open_self(L, &si_motion_type))->motion;
}

static int motion_close(lua_State *L) {
  motion_lua *self = lua_touserdata(L, 1);
  sinew_motion_destroy(self->motion);
  self->motion = NULL;
  return 0;
}

/* reads the options { unit =, rate =, positions =, skeleton = } at `index`, if given */
static sinew_motion_options read_options(lua_State *L, int index) {
  static const char *const ways[] = { "guess", "add", "replace", NULL };
  static const si_option table[] = {
    SI_OPTION(sinew_motion_options, unit, NUMBER),
    SI_OPTION(sinew_motion_options, rate, NUMBER),
    SI_OPTION(sinew_motion_options, skeleton, TEXT),
    SI_OPTION(sinew_motion_options, animation, TEXT),
    SI_OPTION_CHOICE(sinew_motion_options, positions, ways),
    SI_OPTION_END,
  };
  sinew_motion_options options = sinew_default_motion_options();
  si_options_read(L, index, "motion", table, &options);
  return options;
}

/* sinew.motion(text, name [, options]): the name's extension selects the format; `skeleton` is a
 * text */
static int motion_new(lua_State *L) {
  size_t size, skeleton_size = 0;
  const char *text = luaL_checklstring(L, 1, &size), *name = luaL_checkstring(L, 2);
  sinew_motion_options options = read_options(L, 3);
  const char *skeleton = options.skeleton;
  if (skeleton) skeleton_size = strlen(skeleton);
  options.skeleton = NULL;
  sinew_error error;
  motion_lua *self = si_lua_new(L, &si_motion_type, sizeof *self, 0);
  /* at least two characters for a number of four bytes, in an array that doubles as it grows */
  si_lua_reserve(L, 8 * (size + skeleton_size));
  self->motion = sinew_motion_parse(name, text, size, skeleton, skeleton_size, &options, &error);
  return self->motion ? 1 : si_raise(L, &error);
}

static int motion_load(lua_State *L) {
  const char *path = luaL_checkstring(L, 1);
  sinew_motion_options options = read_options(L, 2);
  sinew_error error;
  si_files_check(L);
  motion_lua *self = si_lua_new(L, &si_motion_type, sizeof *self, 0);
  self->motion = sinew_motion_load(path, &options, &error);
  if (self->motion) return 1;
  return si_return_failure(L, &error);
}

static int want_frame(lua_State *L, const sinew_motion *motion) {
  return (int)si_lua_check_int(L, 2, 1, sinew_motion_frame_count(motion)) - 1;
}

/* finds a joint or marker by number or name; raises if the motion has the other kind */
static int want_part(lua_State *L, int index, const sinew_motion *motion, sinew_motion_kind kind) {
  sinew_error error;
  const bool joints = kind == SINEW_MOTION_SKELETON;
  if (sinew_motion_kind_of(motion) != kind)
    luaL_error(L, "the motion has %s", joints ? "markers, not joints" : "joints, not markers");
  if (lua_type(L, index) != LUA_TSTRING)
    return (int)si_lua_check_int(L, index, 1,
                                 joints ? sinew_motion_joint_count(motion)
                                        : sinew_motion_marker_count(motion)) -
           1;
  int found = sinew_motion_find(motion, lua_tostring(L, index), &error);
  return found >= 0 ? found : si_raise(L, &error);
}

/* motion:world(frame, joint [, mat4]) and motion:joint(...), which is relative to the parent */
static int motion_world(lua_State *L) {
  const sinew_motion *motion = self_motion(L);
  int frame = want_frame(L, motion), joint = want_part(L, 3, motion, SINEW_MOTION_SKELETON);
  sinew_motion_joint_world(motion, frame, joint, si_mat4_dest(L, 4));
  return 1;
}

static int motion_turned(lua_State *L) {
  const sinew_motion *motion = self_motion(L);
  int frame = want_frame(L, motion), joint = want_part(L, 3, motion, SINEW_MOTION_SKELETON);
  sinew_motion_joint_local(motion, frame, joint, si_mat4_dest(L, 4));
  return 1;
}

/* motion:marker(frame, marker [, vec3]): nil if the marker is missing in that frame */
static int motion_marker(lua_State *L) {
  const sinew_motion *motion = self_motion(L);
  int frame = want_frame(L, motion), marker = want_part(L, 3, motion, SINEW_MOTION_MARKERS);
  const float *point = sinew_motion_markers(motion, frame) + 3 * marker;
  if (isnan(point[0])) return 0;
  memcpy(si_vec3_dest(L, 4), point, 3 * sizeof *point);
  return 1;
}

static int motion_gaps(lua_State *L) {
  const sinew_motion *motion = self_motion(L);
  int marker = lua_isnoneornil(L, 2) ? -1 : want_part(L, 2, motion, SINEW_MOTION_MARKERS);
  return si_return_integer(L, (lua_Integer)sinew_motion_gaps(motion, marker));
}

/* motion.joints: a list of { name =, parent = a number or nil, offset = a vec3, tip = true for the
 * end of a bone } */
static int motion_joints(lua_State *L) {
  const sinew_motion *motion = self_motion(L);
  int count = sinew_motion_joint_count(motion);
  lua_createtable(L, count, 0);
  for (int i = 0; i < count; i++) {
    sinew_motion_joint joint = sinew_motion_joint_info(motion, i);
    si_lua_spend_each(L, (size_t)i, (size_t)count, 60);
    lua_createtable(L, 0, 4);
    lua_pushstring(L, joint.name);
    lua_setfield(L, -2, "name");
    if (joint.parent >= 0) {
      lua_pushinteger(L, joint.parent + 1);
      lua_setfield(L, -2, "parent");
    }
    memcpy(si_vec3_push(L), joint.offset, sizeof joint.offset);
    lua_setfield(L, -2, "offset");
    if (joint.end) {
      lua_pushboolean(L, 1);
      lua_setfield(L, -2, "tip");
    }
    lua_rawseti(L, -2, i + 1);
  }
  return 1;
}

static int motion_markers(lua_State *L) {
  const sinew_motion *motion = self_motion(L);
  int count = sinew_motion_marker_count(motion);
  lua_createtable(L, count, 0);
  for (int i = 0; i < count; i++) {
    lua_pushstring(L, sinew_motion_marker_name(motion, i));
    lua_rawseti(L, -2, i + 1);
  }
  return 1;
}

static const char *kind_name(const sinew_motion *motion) {
  return sinew_motion_kind_of(motion) == SINEW_MOTION_SKELETON ? "skeleton" : "markers";
}

static int motion_kind(lua_State *L) { return si_return_string(L, kind_name(self_motion(L))); }
static int motion_format(lua_State *L) {
  return si_return_string(L, sinew_motion_format(self_motion(L)));
}
static int motion_warnings(lua_State *L) {
  return si_return_string(L, sinew_motion_warnings(self_motion(L)));
}
static int motion_frames(lua_State *L) {
  return si_return_integer(L, sinew_motion_frame_count(self_motion(L)));
}
static int motion_rate(lua_State *L) {
  return si_return_number(L, sinew_motion_rate(self_motion(L)));
}
static int motion_unit(lua_State *L) {
  return si_return_number(L, sinew_motion_unit(self_motion(L)));
}

static int motion_tostring(lua_State *L) {
  const motion_lua *self = si_lua_check(L, 1, &si_motion_type);
  if (!self->motion) return si_return_string(L, "motion (closed)");
  const int frames = sinew_motion_frame_count(self->motion);
  lua_pushfstring(L, "motion (%s) of %d frame%s", kind_name(self->motion), frames,
                  si_plural(frames));
  return 1;
}

static const luaL_Reg methods[] = { { "world", motion_world },
                                    { "joint", motion_turned },
                                    { "marker", motion_marker },
                                    { "gaps", motion_gaps },
                                    { NULL, NULL } };
static const luaL_Reg meta[] = { { "__tostring", motion_tostring },
                                 { "__len", motion_frames },
                                 { NULL, NULL } };
static const si_lua_field fields[] = { { "joints", motion_joints, NULL },
                                       { "markers", motion_markers, NULL },
                                       { "kind", motion_kind, NULL },
                                       { "format", motion_format, NULL },
                                       { "frames", motion_frames, NULL },
                                       { "rate", motion_rate, NULL },
                                       { "unit", motion_unit, NULL },
                                       { "warnings", motion_warnings, NULL },
                                       { NULL, NULL, NULL } };
const si_lua_type si_motion_type = {
  .name = "motion", .methods = methods, .meta = meta, .fields = fields, .close = motion_close
};

void si_open_motion(lua_State *L) {
  static const luaL_Reg functions[] = { { "motion", motion_new },
                                        { "load_motion", motion_load },
                                        { NULL, NULL } };
  si_lua_type_open(L, &si_motion_type);
  luaL_setfuncs(L, functions, 0);
}
