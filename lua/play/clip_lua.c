/* Clips in Lua: sinew.clip() makes one, or parses one from a text; sinew.load_clip reads a file;
 * sinew.bake plays one on a rig and returns the text of a BVH or CSV file. */
#include "base/text.h"
#include "lua/base/reserve.h"
#include "lua/math/options.h"
#include "lua/play/play_lua.h"

#include <string.h>

typedef struct clip_lua {
  sinew_clip *clip; /* NULL: closed */
} clip_lua;

static sinew_clip *open_clip(lua_State *L, const clip_lua *self) {
  return ((const clip_lua *)si_lua_opened(L, self, &si_clip_type))->clip;
}

static sinew_clip *self_clip(lua_State *L) { return open_clip(L, si_lua_self(L, &si_clip_type)); }

static int clip_close(lua_State *L) {
  clip_lua *self = lua_touserdata(L, 1);
  sinew_clip_destroy(self->clip);
  self->clip = NULL;
  return 0;
}

/* sinew.clip([text [, name]]): an empty clip, or one parsed from a text: CSV if the name ends in
 * .csv, else JSON */
static int clip_new(lua_State *L) {
  sinew_error error;
  size_t size;
  const char *text = luaL_optlstring(L, 1, NULL, &size);
  const char *name = luaL_optstring(L, 2, "clip");
  clip_lua *self = si_lua_new(L, &si_clip_type, sizeof *self, 0);
  /* a JSON value takes at least two characters, and 72 bytes once parsed */
  if (text) si_lua_reserve(L, 40 * size);
  self->clip = text ? sinew_clip_parse(name, text, size, &error) : sinew_clip_create(&error);
  return self->clip ? 1 : si_raise(L, &error);
}

static int clip_load(lua_State *L) {
  const char *path = luaL_checkstring(L, 1);
  sinew_error error;
  si_files_check(L);
  clip_lua *self = si_lua_new(L, &si_clip_type, sizeof *self, 0);
  self->clip = sinew_clip_load(path, &error);
  return self->clip ? 1 : si_return_failure(L, &error);
}

static int clip_copy(lua_State *L) {
  const sinew_clip *clip = self_clip(L);
  sinew_error error;
  clip_lua *copy = si_lua_new(L, &si_clip_type, sizeof *copy, 0);
  copy->clip = sinew_clip_copy(clip, &error);
  return copy->clip ? 1 : si_raise(L, &error);
}

/* clip:set(name, time, value [, way]): sets a key */
static int clip_set(lua_State *L) {
  sinew_clip *clip = self_clip(L);
  const char *name = luaL_checkstring(L, 2), *way = luaL_optstring(L, 5, "smooth");
  float time = si_lua_check_float(L, 3), value = si_lua_check_float(L, 4);
  sinew_interp interp;
  sinew_error error;
  if (!sinew_interp_find(way, &interp))
    return luaL_error(L, "clip: unknown interpolation '%s': expected 'smooth', 'linear' or 'hold'",
                      way);
  si_lua_reserve(L, 2 * sizeof(sinew_key));
  if (sinew_clip_set_key(clip, name, time, value, interp, &error) < 0) return si_raise(L, &error);
  return si_lua_done(L);
}

/* clip:remove(name [, time]): removes the key at that time, or the channel; returns whether it
 * existed */
static int clip_remove(lua_State *L) {
  sinew_clip *clip = self_clip(L);
  int channel = sinew_clip_find_channel(clip, luaL_checkstring(L, 2));
  bool all = lua_isnoneornil(L, 3), found = all && channel >= 0;
  float time = all ? 0 : si_lua_check_float(L, 3);
  if (found) sinew_clip_remove_channel(clip, channel);
  for (int i = 0; !all && channel >= 0 && i < sinew_clip_key_count(clip, channel); i++) {
    si_lua_spend_each(L, (size_t)i, (size_t)sinew_clip_key_count(clip, channel), 1);
    if (sinew_clip_key_at(clip, channel, i).time != time) continue;
    sinew_clip_remove_key(clip, channel, i);
    found = true;
    break;
  }
  return si_return_boolean(L, found);
}

/* clip:keys(name): a list of { time =, value =, way = }, or nil */
static int clip_keys(lua_State *L) {
  const sinew_clip *clip = self_clip(L);
  int channel = sinew_clip_find_channel(clip, luaL_checkstring(L, 2));
  if (channel < 0) return 0;
  int count = sinew_clip_key_count(clip, channel);
  lua_createtable(L, count, 0);
  for (int i = 0; i < count; i++) {
    si_lua_spend_each(L, (size_t)i, (size_t)count, 20);
    sinew_key key = sinew_clip_key_at(clip, channel, i);
    const si_named_number numbers[] = { { "time", key.time }, { "value", key.value }, { NULL, 0 } };
    lua_createtable(L, 0, 3);
    si_set_numbers(L, numbers);
    lua_pushstring(L, sinew_interp_name(key.interp));
    lua_setfield(L, -2, "way");
    lua_rawseti(L, -2, i + 1);
  }
  return 1;
}

static int clip_sample(lua_State *L) {
  const sinew_clip *clip = self_clip(L);
  int channel = sinew_clip_find_channel(clip, luaL_checkstring(L, 2));
  float time = si_lua_check_float(L, 3);
  if (channel < 0) return 0;
  return si_return_number(L, sinew_clip_sample(clip, channel, time));
}

/* clip:apply(pose, time): returns how many channels have no DOF in the rig and, if any, a message
 * that names them */
static int clip_apply(lua_State *L) {
  const sinew_clip *clip = self_clip(L);
  float time = si_lua_check_float(L, 3);
  sinew_pose *pose = si_pose_change(L, 2);
  int unknown = sinew_clip_apply(clip, pose, time, NULL);
  lua_pushinteger(L, unknown);
  if (unknown == 0) return 1;
  sinew_error error;
  sinew_clip_apply(clip, pose, time, &error);
  lua_pushstring(L, error.text);
  return 2;
}

/* a userdata that owns a text of the engine, so that it is freed if Lua runs out of memory */
static int free_text(lua_State *L) {
  char **text = lua_touserdata(L, 1);
  sinew_text_free(*text);
  *text = NULL;
  return 0;
}

static char **text_holder(lua_State *L) {
  char **holder = lua_newuserdatauv(L, sizeof *holder, 0);
  *holder = NULL;
  lua_createtable(L, 0, 1);
  lua_pushcfunction(L, free_text);
  lua_setfield(L, -2, "__gc");
  lua_setmetatable(L, -2);
  return holder;
}

static int push_text(lua_State *L, char **holder, size_t size, const sinew_error *error) {
  if (!*holder) return si_raise(L, error);
  lua_pushlstring(L, *holder, size);
  sinew_text_free(*holder);
  *holder = NULL;
  return 1;
}

static int clip_text(lua_State *L) {
  const sinew_clip *clip = self_clip(L);
  size_t size = 0;
  sinew_error error;
  char **holder = text_holder(L);
  *holder = sinew_clip_format(clip, &size, &error);
  return push_text(L, holder, size, &error);
}

static int clip_save(lua_State *L) {
  const sinew_clip *clip = self_clip(L);
  const char *path = luaL_checkstring(L, 2);
  sinew_error error;
  si_files_check(L);
  if (sinew_clip_save(clip, path, &error) < 0) return si_return_failure(L, &error);
  return si_return_boolean(L, 1);
}

static int clip_channels(lua_State *L) {
  const sinew_clip *clip = self_clip(L);
  int count = sinew_clip_channel_count(clip);
  lua_createtable(L, count, 0);
  for (int i = 0; i < count; i++) {
    lua_pushstring(L, sinew_clip_channel_name(clip, i));
    lua_rawseti(L, -2, i + 1);
  }
  return 1;
}

static int clip_duration(lua_State *L) {
  return si_return_number(L, sinew_clip_duration(self_clip(L)));
}
static int clip_fps(lua_State *L) { return si_return_number(L, sinew_clip_fps(self_clip(L))); }
static int clip_set_fps(lua_State *L) {
  sinew_error error;
  if (sinew_clip_set_fps(self_clip(L), si_lua_value_float(L), &error) < 0)
    return si_raise(L, &error);
  return 0;
}
static int clip_loop(lua_State *L) { return si_return_boolean(L, sinew_clip_loop(self_clip(L))); }
static int clip_set_loop(lua_State *L) {
  sinew_clip_set_loop(self_clip(L), lua_toboolean(L, 3));
  return 0;
}

static int clip_tostring(lua_State *L) {
  const clip_lua *self = si_lua_check(L, 1, &si_clip_type);
  if (!self->clip) return si_return_string(L, "clip (closed)");
  const int channels = sinew_clip_channel_count(self->clip);
  lua_pushfstring(L, "clip of %d channel%s, %f s", channels, si_plural(channels),
                  (lua_Number)sinew_clip_duration(self->clip));
  return 1;
}

/* what a bake owns; freed also if an error is raised */
typedef struct bake {
  sinew_clip *clip; /* a copy: a scripted component might change the original */
  sinew_pose *pose;
  sinew_recording *recording;
  si_program *program;
} bake;

static int bake_free(lua_State *L) {
  bake *b = lua_touserdata(L, 1);
  sinew_clip_destroy(b->clip);
  sinew_pose_destroy(b->pose);
  sinew_recording_destroy(b->recording);
  si_program_release(b->program);
  *b = (bake){ 0 };
  return 0;
}

static bake *bake_new(lua_State *L) {
  bake *b = lua_newuserdatauv(L, sizeof *b, 0);
  *b = (bake){ 0 };
  lua_createtable(L, 0, 1);
  lua_pushcfunction(L, bake_free);
  lua_setfield(L, -2, "__gc");
  lua_setmetatable(L, -2);
  return b;
}

static void bake_frames(lua_State *L, bake *b, float fps) {
  sinew_error error;
  const int count = sinew_clip_frame_count(b->clip, fps);
  const sinew_rig *rig = b->program->rig;
  const size_t frame =
      24 * (size_t)sinew_rig_segment_count(rig) + 4 * (size_t)sinew_rig_dof_count(rig);
  b->pose = sinew_pose_create(rig, &error);
  if (!b->pose) si_raise(L, &error);
  b->recording = sinew_recording_create(rig, fps, &error);
  if (!b->recording) si_raise(L, &error);
  for (int f = 0; f < count; f++) {
    si_lua_reserve(L, 2 * frame);
    sinew_clip_apply(b->clip, b->pose, (float)((double)f / (double)fps), NULL);
    if (si_program_eval(L, b->program, b->pose, &error) < 0 ||
        sinew_recording_add(b->recording, b->pose, &error) < 0)
      si_raise(L, &error);
  }
}

/* sinew.bake(rig, clip [, { fps =, format =, unit = }]): the text of a BVH file, or of a CSV file
 * of DOF curves */
static int clip_bake(lua_State *L) {
  typedef struct bake_options {
    float fps, unit;
    int format;
  } bake_options;
  static const char *const formats[] = { "bvh", "csv", NULL };
  static const si_option options[] = {
    SI_OPTION(bake_options, fps, NUMBER),
    SI_OPTION(bake_options, unit, NUMBER),
    SI_OPTION_CHOICE(bake_options, format, formats),
    SI_OPTION_END,
  };
  bake_options o = { .fps = 0 };
  lua_settop(L, 3);
  bool timed = si_options_read(L, 3, "bake", options, &o) & 1;
  si_rig_lua *rig = si_rig_check(L, 1);
  const sinew_clip *clip = open_clip(L, si_lua_check(L, 2, &si_clip_type));
  float fps = timed ? o.fps : sinew_clip_fps(clip);
  if (!(fps > 0 && fps <= 10000))
    return luaL_error(L, "bake: 'fps' must be above 0 and at most 10000");
  sinew_error error;
  size_t size = 0;
  bake *b = bake_new(L);
  b->clip = sinew_clip_copy(clip, &error);
  if (!b->clip) return si_raise(L, &error);
  b->program = si_rig_program(L, rig);
  b->program->refs++;
  bake_frames(L, b, fps);
  char **holder = text_holder(L);
  *holder = o.format == 1 ? sinew_recording_csv(b->recording, &size, &error)
                          : sinew_recording_bvh(b->recording, o.unit, &size, &error);
  return push_text(L, holder, size, &error);
}

static const luaL_Reg methods[] = { { "set", clip_set },     { "remove", clip_remove },
                                    { "keys", clip_keys },   { "sample", clip_sample },
                                    { "apply", clip_apply }, { "copy", clip_copy },
                                    { "text", clip_text },   { "save", clip_save },
                                    { NULL, NULL } };
static const luaL_Reg meta[] = { { "__tostring", clip_tostring }, { NULL, NULL } };
static const si_lua_field fields[] = { { "channels", clip_channels, NULL },
                                       { "duration", clip_duration, NULL },
                                       { "fps", clip_fps, clip_set_fps },
                                       { "loop", clip_loop, clip_set_loop },
                                       { NULL, NULL, NULL } };
const si_lua_type si_clip_type = {
  .name = "clip", .methods = methods, .meta = meta, .fields = fields, .close = clip_close
};

void si_open_clip(lua_State *L) {
  static const luaL_Reg functions[] = {
    { "clip", clip_new }, { "load_clip", clip_load }, { "bake", clip_bake }, { NULL, NULL }
  };
  si_lua_type_open(L, &si_clip_type);
  luaL_setfuncs(L, functions, 0);
}
