/* Characters in Lua: sinew.character(path [, rig]). Matrices go into buffers, for a skinning
 * shader: character:matrices(pose or crowd, buffer) makes no garbage. Nodes, parts and images count
 * from 1.
 */
#include "lua/base/reserve.h"
#include "lua/math/options.h"
#include "lua/play/play_lua.h"

#include <string.h>

typedef struct character_lua {
  sinew_character *character; /* NULL: closed */
  float *worlds;              /* of its nodes */
} character_lua;

static character_lua *self_character(lua_State *L) {
  return si_lua_open_self(L, &si_character_type);
}

static int character_close(lua_State *L) {
  character_lua *self = lua_touserdata(L, 1);
  sinew_character_destroy(self->character);
  si_free(self->worlds);
  *self = (character_lua){ NULL, NULL };
  return 0;
}

static const sinew_rig *rig_at(lua_State *L, int index) {
  return si_rig_program(L, si_rig_check(L, index))->rig;
}

static int character_new(lua_State *L) {
  const char *path = luaL_checkstring(L, 1);
  lua_settop(L, 2);
  const sinew_rig *rig = lua_isnil(L, 2) ? NULL : rig_at(L, 2);
  const si_lua_guard *guard = si_lua_guard_of(L);
  sinew_error error;
  character_lua *self = si_lua_new(L, &si_character_type, sizeof *self, 0);
  size_t before = sinew_live_bytes();
  if (!guard) {
    si_files_check(L);
    self->character = sinew_character_load(path, &error);
  } else {
    const void *bytes;
    size_t size;
    path = guard->read(L, path, SINEW_CHARACTER_BYTES, &bytes, &size);
    si_lua_reserve(L, 8 * size);
    self->character = sinew_character_parse(path, bytes, size, &error);
    lua_pushvalue(L, 3);
  }
  if (!self->character) return si_return_failure(L, &error);
  self->worlds =
      si_alloc_array(16 * (size_t)sinew_character_node_count(self->character), sizeof(float));
  if (!self->worlds) return luaL_error(L, "out of memory");
  if (rig && sinew_character_bind(self->character, rig, &error) < 0)
    return si_return_failure(L, &error);
  si_lua_weigh(L, sinew_live_bytes() - before);
  return 1;
}

/* character:bind(rig [, text]): follows the rig as its binding, or the text, says */
static int character_bind(lua_State *L) {
  character_lua *self = self_character(L);
  const sinew_rig *rig = rig_at(L, 2);
  sinew_error error;
  sinew_status status =
      lua_isnoneornil(L, 3)
          ? sinew_character_bind(self->character, rig, &error)
          : sinew_character_bind_text(self->character, rig, luaL_checkstring(L, 3), &error);
  return status < 0 ? si_return_failure(L, &error) : si_lua_done(L);
}

static void set_number(lua_State *L, const char *field, float value) {
  lua_pushnumber(L, (lua_Number)value);
  lua_setfield(L, -2, field);
}

static void push_matrix(lua_State *L, const float *m, const char *field) {
  memcpy(si_mat4_push(L), m, 16 * sizeof *m);
  lua_setfield(L, -2, field);
}

/* character.nodes: a list of { name =, parent =, joint =, human =, weight =, rest =, bind =, driven
 * = } */
static int character_nodes(lua_State *L) {
  const sinew_character *c = self_character(L)->character;
  const int count = sinew_character_node_count(c);
  lua_createtable(L, count, 0);
  for (int i = 0; i < count; i++) {
    sinew_character_node n = sinew_character_node_info(c, i);
    lua_createtable(L, 0, 8);
    lua_pushstring(L, n.name);
    lua_setfield(L, -2, "name");
    if (n.parent >= 0) {
      lua_pushinteger(L, n.parent + 1);
      lua_setfield(L, -2, "parent");
    }
    lua_pushboolean(L, n.joint);
    lua_setfield(L, -2, "joint");
    lua_pushstring(L, n.human);
    lua_setfield(L, -2, "human");
    set_number(L, "weight", n.weight);
    lua_pushboolean(L, sinew_character_drives(c, i));
    lua_setfield(L, -2, "driven");
    push_matrix(L, n.rest, "rest");
    push_matrix(L, n.bind, "bind");
    lua_rawseti(L, -2, i + 1);
  }
  return 1;
}

/* a node by number or name */
static int node_at(lua_State *L, int index, const sinew_character *c) {
  sinew_error error;
  if (lua_type(L, index) != LUA_TSTRING)
    return (int)si_lua_check_int(L, index, 1, sinew_character_node_count(c)) - 1;
  int found = sinew_character_find(c, lua_tostring(L, index), &error);
  return found >= 0 ? found : si_raise(L, &error);
}

/* character:extent(node, direction): the least and greatest distance of what follows it */
static int character_extent(lua_State *L) {
  const sinew_character *c = self_character(L)->character;
  float direction[3], range[2];
  int node = node_at(L, 2, c);
  si_vec3_want(L, 3, direction);
  if (!sinew_character_extent(c, node, direction, range)) return 0;
  lua_pushnumber(L, (lua_Number)range[0]);
  lua_pushnumber(L, (lua_Number)range[1]);
  return 2;
}

/* the segments of a pose or of all characters of a crowd, evaluated */
static const float *segments_at(lua_State *L, int index, const sinew_character *c, int *count) {
  const sinew_rig *rig;
  const float *segments;
  *count = 1;
  if (lua_isnil(L, index)) return NULL;
  if (si_lua_test(L, index, &si_crowd_type)) {
    segments = si_crowd_worlds(L, index, &rig, count);
  } else {
    const sinew_pose *pose = si_pose_evaluated(L, index);
    segments = sinew_pose_worlds(pose);
    rig = sinew_pose_rig(pose);
  }
  if (!sinew_character_is_bound(c)) luaL_error(L, "the character is not bound to a rig");
  if (sinew_character_segment_count(c) != sinew_rig_segment_count(rig))
    luaL_error(L, "the character is bound to another rig than '%s'", sinew_rig_name(rig));
  return segments;
}

/* worlds of nodes, or matrices for a shader, of a pose or a crowd into the buffer at 3 */
static int fill(lua_State *L, bool matrices) {
  character_lua *self = self_character(L);
  const sinew_character *c = self->character;
  int count;
  lua_settop(L, 3);
  const float *segments = segments_at(L, 2, c, &count);
  const size_t nodes = 16 * (size_t)sinew_character_node_count(c);
  const size_t each = matrices ? 16 * (size_t)sinew_character_matrix_count(c) : nodes;
  size_t room = each * (size_t)count;
  if (lua_isnil(L, 3)) {
    si_buffer_push(L, room);
    lua_replace(L, 3);
  }
  float *dest = si_buffer_check(L, 3, &room);
  if (room < each * (size_t)count)
    return luaL_error(L, "the buffer holds %d numbers, %d are needed", (int)room,
                      (int)(each * (size_t)count));
  size_t step = 0;
  if (segments && count > 1) step = 16 * (size_t)sinew_character_segment_count(c);
  for (int i = 0; i < count; i++, dest += each) {
    si_lua_spend(L, 3 + nodes / 32 + (matrices ? each / 64 : 0));
    sinew_character_worlds(c, segments ? segments + (size_t)i * step : NULL,
                           matrices ? self->worlds : dest);
    if (matrices) sinew_character_matrices(c, self->worlds, dest);
  }
  lua_pushvalue(L, 3);
  return 1;
}

static int character_worlds(lua_State *L) { return fill(L, false); }
static int character_matrices(lua_State *L) { return fill(L, true); }

static void push_floats(lua_State *L, const float *from, size_t count, const char *field) {
  if (!from) return;
  memcpy(si_buffer_push(L, count), from, count * sizeof *from);
  lua_setfield(L, -2, field);
}

/* character:part(i): a table of buffers, to draw it */
static int character_part(lua_State *L) {
  static const char *const modes[] = { "opaque", "mask", "blend" };
  const sinew_character *c = self_character(L)->character;
  const int index = (int)si_lua_check_int(L, 2, 1, sinew_character_part_count(c)) - 1;
  const sinew_character_part p = sinew_character_part_info(c, index);
  const size_t count = (size_t)p.vertex_count;
  lua_createtable(L, 0, 12);
  lua_pushstring(L, p.name);
  lua_setfield(L, -2, "name");
  push_floats(L, p.positions, 3 * count, "positions");
  push_floats(L, p.normals, 3 * count, "normals");
  push_floats(L, p.uvs, 2 * count, "uvs");
  push_floats(L, p.weights, 4 * count, "weights");
  push_floats(L, p.color, 4, "color");
  float *joints = si_buffer_push(L, 4 * count);
  for (size_t i = 0; i < 4 * count; i++) joints[i] = (float)p.joints[i];
  lua_setfield(L, -2, "joints");
  lua_createtable(L, 3 * p.triangle_count, 0);
  for (int i = 0; i < 3 * p.triangle_count; i++) {
    lua_pushinteger(L, (lua_Integer)p.triangles[i] + 1);
    lua_rawseti(L, -2, i + 1);
  }
  lua_setfield(L, -2, "triangles");
  if (p.image >= 0) {
    lua_pushinteger(L, p.image + 1);
    lua_setfield(L, -2, "image");
  }
  lua_pushstring(L, modes[p.alpha]);
  lua_setfield(L, -2, "alpha");
  set_number(L, "cutoff", p.cutoff);
  lua_pushboolean(L, p.double_sided);
  lua_setfield(L, -2, "double_sided");
  return 1;
}

/* character:image(i): the bytes of a picture and its type; nil if it is missing */
static int character_image(lua_State *L) {
  const sinew_character *c = self_character(L)->character;
  const int index = (int)si_lua_check_int(L, 2, 1, sinew_character_image_count(c)) - 1;
  const sinew_character_image image = sinew_character_image_info(c, index);
  if (!image.bytes) return 0;
  lua_pushlstring(L, image.bytes, image.size);
  lua_pushstring(L, image.type);
  return 2;
}

static void push_limit(lua_State *L, const sinew_character *c, const sinew_character_limit *limit) {
  lua_createtable(L, 0, 9);
  lua_pushstring(L, sinew_character_node_info(c, limit->node).name);
  lua_setfield(L, -2, "joint");
  lua_pushinteger(L, limit->node + 1);
  lua_setfield(L, -2, "node");
  if (limit->parent >= 0) {
    lua_pushstring(L, sinew_character_node_info(c, limit->parent).name);
    lua_setfield(L, -2, "parent");
  }
  push_matrix(L, limit->frame, "frame");
  push_matrix(L, limit->centre, "centre");
  set_number(L, "swing_y", limit->swing_y);
  set_number(L, "swing_z", limit->swing_z);
  set_number(L, "twist_min", limit->twist_min);
  set_number(L, "twist_max", limit->twist_max);
  set_number(L, "reached", limit->reached);
}

/* character:limits([pose [, count]]): swing cones and twist ranges for physics, from a pose of the
 * rig, which it moves, or as the file has them */
static int character_limits(lua_State *L) {
  const sinew_character *c = self_character(L)->character;
  lua_settop(L, 3);
  const int count = lua_isnil(L, 3) ? 0 : (int)si_lua_check_int(L, 3, 1, 1000000);
  const int room = sinew_character_node_count(c);
  sinew_error error;
  sinew_pose *pose = lua_isnil(L, 2) ? NULL : si_pose_change(L, 2);
  if (pose && !sinew_character_is_bound(c))
    return luaL_error(L, "the character is not bound to a rig");
  if (pose && sinew_character_segment_count(c) != sinew_rig_segment_count(sinew_pose_rig(pose)))
    return luaL_error(L, "the character is bound to another rig than '%s'",
                      sinew_rig_name(sinew_pose_rig(pose)));
  if (pose && sinew_rig_can_fail(sinew_pose_rig(pose)))
    return luaL_error(L, "limits of a rig with scripted components cannot be measured from Lua");
  sinew_character_limit *limits = lua_newuserdatauv(L, (size_t)room * sizeof *limits, 0);
  int found = pose ? sinew_character_limits(c, pose, count, limits, room, &error)
                   : sinew_character_stored_limits(c, limits, room);
  if (found < 0) return si_raise(L, &error);
  lua_createtable(L, found, 0);
  for (int i = 0; i < found; i++) {
    push_limit(L, c, &limits[i]);
    lua_rawseti(L, -2, i + 1);
  }
  return 1;
}

/* character.stored: { dofs = { [name] = { min =, max =, rest = } }, pose = { [name] = value },
 * holds = { { name =, port =, amount = } } }, or nil */
static int character_stored(lua_State *L) {
  const sinew_character *c = self_character(L)->character;
  const int dofs = sinew_character_stored_dofs(c, NULL, 0);
  const int holds = sinew_character_stored_holds(c, NULL, 0);
  if (!dofs) return 0;
  sinew_character_dof *d = lua_newuserdatauv(L, (size_t)dofs * sizeof *d, 0);
  sinew_hold *h = lua_newuserdatauv(L, ((size_t)holds + 1) * sizeof *h, 0);
  sinew_character_stored_dofs(c, d, dofs);
  sinew_character_stored_holds(c, h, holds);
  lua_createtable(L, 0, 3);
  lua_createtable(L, 0, dofs);
  lua_createtable(L, 0, dofs);
  for (int i = 0; i < dofs; i++) {
    set_number(L, d[i].name, d[i].value);
    lua_createtable(L, 0, 3);
    set_number(L, "min", d[i].min);
    set_number(L, "max", d[i].max);
    set_number(L, "rest", d[i].rest);
    lua_setfield(L, -3, d[i].name);
  }
  lua_setfield(L, -3, "pose");
  lua_setfield(L, -2, "dofs");
  lua_createtable(L, holds, 0);
  for (int i = 0; i < holds; i++) {
    lua_createtable(L, 0, 3);
    lua_pushstring(L, h[i].name);
    lua_setfield(L, -2, "name");
    lua_pushstring(L, h[i].port);
    lua_setfield(L, -2, "port");
    set_number(L, "amount", h[i].amount);
    lua_rawseti(L, -2, i + 1);
  }
  lua_setfield(L, -2, "holds");
  return 1;
}

static int character_height(lua_State *L) {
  return si_return_number(L, (lua_Number)sinew_character_height(self_character(L)->character));
}
static int character_warnings(lua_State *L) {
  return si_return_string(L, sinew_character_warnings(self_character(L)->character));
}
static int character_bones(lua_State *L) {
  return si_return_integer(L, sinew_character_matrix_count(self_character(L)->character));
}
static int character_parts(lua_State *L) {
  return si_return_integer(L, sinew_character_part_count(self_character(L)->character));
}
static int character_images(lua_State *L) {
  return si_return_integer(L, sinew_character_image_count(self_character(L)->character));
}
static int character_place(lua_State *L) {
  const float *place = sinew_character_place(self_character(L)->character);
  if (!place) return 0;
  memcpy(si_mat4_push(L), place, 16 * sizeof *place);
  return 1;
}

static const luaL_Reg methods[] = {
  { "bind", character_bind },     { "extent", character_extent },
  { "worlds", character_worlds }, { "matrices", character_matrices },
  { "part", character_part },     { "image", character_image },
  { "limits", character_limits }, { NULL, NULL },
};
static const si_lua_field fields[] = {
  { "nodes", character_nodes, NULL },
  { "height", character_height, NULL },
  { "warnings", character_warnings, NULL },
  { "matrix_count", character_bones, NULL },
  { "part_count", character_parts, NULL },
  { "image_count", character_images, NULL },
  { "place", character_place, NULL },
  { "stored", character_stored, NULL },
  { NULL, NULL, NULL },
};
const si_lua_type si_character_type = {
  .name = "character", .methods = methods, .fields = fields, .close = character_close
};

void si_open_character(lua_State *L) {
  si_lua_type_open(L, &si_character_type);
  lua_pushcfunction(L, character_new);
  lua_setfield(L, -2, "character");
}
