/* Poses put together and carried around: blending with another, taking over what another rig's pose
 * has under the same names, and packing into a short string for saves and networks.
 *
 * A packed pose is the byte 'P', a byte that is the version of the format times 16 plus the form,
 * the number of DOFs (2 bytes), and a hash of what a reader must agree on (4 bytes). Then
 *   form 0: a bit for each DOF that is not 0, the first DOF in the lowest bit, and its 4 bytes as
 * an IEEE float; the hash is of the DOFs' names in order; form 1: 2 bytes for each DOF, 0 at its
 * min and 65535 at its max; the hash is of the names and the ranges. All numbers are little-endian,
 * whatever the machine. */
#include "lua/base/reserve.h"
#include "lua/play/play_lua.h"

#include <math.h>
#include <string.h>

enum { header = 8, version = 1, exact = 0, short_form = 1, most_dofs = 65535 };

/* --- blending */

int si_pose_blend(lua_State *L) {
  sinew_pose *pose = si_pose_change(L, 1);
  const sinew_pose *other = si_pose_read(L, 2);
  double t = luaL_checknumber(L, 3);
  const sinew_rig *rig = sinew_pose_rig(pose);
  if (sinew_pose_rig(other) != rig)
    return luaL_error(L, "the poses are of different rigs; pose:carry(other) takes values by name");
  if (!isfinite(t)) return luaL_error(L, "a pose cannot be blended by %f", t);
  si_lua_spend(L, (size_t)sinew_rig_dof_count(rig) / 2);
  for (int i = 0; i < sinew_rig_dof_count(rig); i++) {
    sinew_dof dof = sinew_rig_dof(rig, i);
    double a = sinew_pose_get(pose, dof), b = sinew_pose_get(other, dof);
    /* floats that nearly overflow stay finite */
    double value = fmax(-3e38, fmin(3e38, a + (b - a) * t));
    sinew_pose_set(pose, dof, (float)value, NULL);
  }
  return si_lua_done(L);
}

int si_pose_carry(lua_State *L) {
  sinew_pose *pose = si_pose_change(L, 1);
  const sinew_pose *other = si_pose_read(L, 2);
  const sinew_rig *to = sinew_pose_rig(pose), *from = sinew_pose_rig(other);
  int taken = 0;
  si_lua_spend(L, 15 * (size_t)sinew_rig_dof_count(to));
  for (int i = 0; i < sinew_rig_dof_count(to); i++) {
    sinew_dof dof = sinew_rig_dof(to, i);
    sinew_dof known = sinew_rig_find_dof(from, sinew_rig_dof_info(to, dof).name, NULL);
    if (!known.id) continue;
    sinew_pose_set(pose, dof, sinew_pose_get(other, known), NULL);
    taken++;
  }
  return si_return_integer(L, taken);
}

/* --- some DOFs at once */

int si_pose_put(lua_State *L) {
  enum { most = 256 };
  float values[most];
  uint32_t ids[most];
  sinew_pose *pose = si_pose_change(L, 1);
  luaL_checktype(L, 2, LUA_TTABLE);
  luaL_checktype(L, 3, LUA_TTABLE);
  int count = (int)lua_rawlen(L, 2), dofs = sinew_rig_dof_count(sinew_pose_rig(pose));
  if (count > most) return luaL_error(L, "%d DOFs are too many at once, %d at most", count, most);
  for (int i = 0; i < count; i++) { /* all of it is read first, so that all is set or none */
    lua_rawgeti(L, 2, i + 1);
    lua_rawgeti(L, 3, i + 1);
    double number = lua_tonumber(L, -2);
    if (lua_type(L, -2) != LUA_TNUMBER || !(number >= 1 && number <= dofs))
      return luaL_error(L, "DOF %d is none of the rig's %d, as numbers of `rig.dofs`", i + 1, dofs);
    values[i] = (float)lua_tonumber(L, -1);
    if (lua_type(L, -1) != LUA_TNUMBER || !isfinite(values[i]))
      return luaL_error(L, "value %d is no finite number", i + 1);
    ids[i] = (uint32_t)number;
    lua_pop(L, 2);
  }
  bool inside = true;
  for (int i = 0; i < count; i++)
    inside &= sinew_pose_set(pose, (sinew_dof){ ids[i] }, values[i], NULL) == SINEW_OK;
  return si_return_boolean(L, inside);
}

/* --- packing */

static void put(unsigned char *dest, uint32_t number, int bytes) {
  for (int i = 0; i < bytes; i++) dest[i] = (unsigned char)(number >> 8 * i);
}
static uint32_t take(const unsigned char *from, int bytes) {
  uint32_t number = 0;
  for (int i = 0; i < bytes; i++) number |= (uint32_t)from[i] << 8 * i;
  return number;
}

static uint32_t bits_of(float value) {
  uint32_t bits;
  memcpy(&bits, &value, sizeof bits);
  return bits;
}

/* FNV-1a */
static uint32_t hashed(uint32_t hash, const void *bytes, size_t size) {
  for (size_t i = 0; i < size; i++) hash = (hash ^ ((const unsigned char *)bytes)[i]) * 16777619u;
  return hash;
}

static uint32_t fingerprint(const sinew_rig *rig, int form) {
  uint32_t hash = 2166136261u;
  for (int i = 0; i < sinew_rig_dof_count(rig); i++) {
    sinew_dof_info info = sinew_rig_dof_info(rig, sinew_rig_dof(rig, i));
    hash = hashed(hash, info.name, strlen(info.name) + 1);
    if (form != short_form) continue;
    unsigned char range[8];
    put(range, bits_of(info.min), 4);
    put(range + 4, bits_of(info.max), 4);
    hash = hashed(hash, range, sizeof range);
  }
  return hash;
}

static uint32_t to_short(float value, sinew_dof_info info) {
  double width = (double)info.max - info.min;
  return width > 0 ? (uint32_t)(((double)value - info.min) / width * 65535 + 0.5) : 0;
}

int si_pose_pack(lua_State *L) {
  const sinew_pose *pose = si_pose_read(L, 1);
  lua_Integer bits = luaL_optinteger(L, 2, 32);
  if (bits != 32 && bits != 16)
    return luaL_error(L, "a DOF is packed into 32 bits or into 16, not %d", (int)bits);
  int form = bits == 32 ? exact : short_form;
  const sinew_rig *rig = sinew_pose_rig(pose);
  const float *values = sinew_pose_dofs(pose);
  int count = sinew_rig_dof_count(rig);
  if (count > most_dofs)
    return luaL_error(L, "a pose of %d DOFs cannot be packed, %d at most", count, (int)most_dofs);
  size_t size = header + (size_t)count * 4 + (size_t)(count + 7) / 8;
  si_lua_spend(L, 10 * (size_t)count);
  unsigned char *packed = lua_newuserdatauv(L, size, 0), *end = packed + header;
  memset(packed, 0, size);
  packed[0] = 'P';
  packed[1] = (unsigned char)(version << 4 | form);
  put(packed + 2, (uint32_t)count, 2);
  put(packed + 4, fingerprint(rig, form), 4);
  if (form == exact) end += (count + 7) / 8;
  for (int i = 0; i < count; i++) {
    if (form == short_form) {
      put(end, to_short(values[i], sinew_rig_dof_info(rig, sinew_rig_dof(rig, i))), 2);
      end += 2;
    } else if (bits_of(values[i])) {
      packed[header + i / 8] |= (unsigned char)(1 << i % 8);
      put(end, bits_of(values[i]), 4);
      end += 4;
    }
  }
  lua_pushlstring(L, (const char *)packed, (size_t)(end - packed));
  return 1;
}

static int refuse(lua_State *L, const char *why) {
  lua_pushnil(L);
  lua_pushfstring(L, "pose:unpack: %s", why);
  return 2;
}

/* what is wrong with a packed pose for a rig, pushed; NULL: nothing */
static const char *fault(lua_State *L, const unsigned char *packed, size_t size,
                         const sinew_rig *rig) {
  if (size < header || packed[0] != 'P') return "this is no packed pose";
  int form = packed[1] & 15, count = sinew_rig_dof_count(rig);
  if (packed[1] >> 4 != version || form > short_form)
    return lua_pushfstring(L, "the pose was packed by another version of Sinew (format %d.%d)",
                           packed[1] >> 4, form);
  int packed_count = (int)take(packed + 2, 2);
  if (packed_count != count)
    return lua_pushfstring(L, "the pose is of a rig with %d DOFs, '%s' has %d", packed_count,
                           sinew_rig_name(rig), count);
  if (take(packed + 4, 4) != fingerprint(rig, form))
    return lua_pushfstring(L,
                           "the pose is of another rig: its DOFs have other names%s than in '%s'",
                           form == short_form ? " or ranges" : "", sinew_rig_name(rig));
  size_t wanted = header;
  if (form == short_form) wanted += 2 * (size_t)count;
  if (form == exact) {
    wanted += (size_t)(count + 7) / 8;
    for (int i = 0; wanted <= size && i < count; i++)
      if (packed[header + i / 8] >> i % 8 & 1) wanted += 4;
  }
  if (wanted != size) return "the packed pose was cut off or has more behind it";
  return NULL;
}

/* reads the DOFs; false where one is not finite. With a pose, sets them. */
static bool read_packed(const unsigned char *packed, const sinew_rig *rig, sinew_pose *pose) {
  int form = packed[1] & 15, count = sinew_rig_dof_count(rig);
  const unsigned char *at = packed + header + (form == exact ? (count + 7) / 8 : 0);
  for (int i = 0; i < count; i++) {
    sinew_dof dof = sinew_rig_dof(rig, i);
    float value = 0;
    if (form == short_form) {
      sinew_dof_info info = sinew_rig_dof_info(rig, dof);
      value = (float)(info.min + ((double)info.max - info.min) * take(at, 2) / 65535);
      at += 2;
    } else if (packed[header + i / 8] >> i % 8 & 1) {
      uint32_t bits = take(at, 4);
      memcpy(&value, &bits, sizeof value);
      at += 4;
    }
    if (!isfinite(value)) return false;
    if (pose) sinew_pose_set(pose, dof, value, NULL);
  }
  return true;
}

int si_pose_unpack(lua_State *L) {
  sinew_pose *pose = si_pose_change(L, 1);
  size_t size;
  luaL_checktype(L, 2, LUA_TSTRING);
  const unsigned char *packed = (const unsigned char *)lua_tolstring(L, 2, &size);
  const sinew_rig *rig = sinew_pose_rig(pose);
  si_lua_spend(L, 10 * (size_t)sinew_rig_dof_count(rig));
  const char *why = fault(L, packed, size, rig);
  if (why) return refuse(L, why);
  if (!read_packed(packed, rig, NULL)) return refuse(L, "a DOF is not finite");
  read_packed(packed, rig, pose);
  return si_lua_done(L);
}
