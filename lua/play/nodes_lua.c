/* sinew.nodes(path [, { unit = }]): the nodes of a glTF file or the joints of a BVH, as data for
 * sinew.skeleton. */
#include "lua/base/reserve.h"
#include "lua/math/options.h"
#include "lua/play/play_lua.h"

#include <sinew/motion.h>
#include <sinew/skeleton.h>

#include <string.h>
#include <strings.h>

/* frees what was read when a later step has raised, or is done */
typedef struct holder {
  sinew_skeleton *scene;
  sinew_motion *motion;
} holder;

static int holder_close(lua_State *L) {
  holder *self = lua_touserdata(L, 1);
  sinew_skeleton_destroy(self->scene);
  sinew_motion_destroy(self->motion);
  *self = (holder){ NULL, NULL };
  return 0;
}
static const si_lua_type holder_type = { .name = "skeleton file", .close = holder_close };

/* pushes { name =, parent =, world = } and leaves it on the stack */
static void push_node(lua_State *L, const char *name, int parent, const float *world) {
  lua_createtable(L, 0, 6);
  lua_pushstring(L, name);
  lua_setfield(L, -2, "name");
  if (parent >= 0) {
    lua_pushinteger(L, parent + 1);
    lua_setfield(L, -2, "parent");
  }
  memcpy(si_mat4_push(L), world, 16 * sizeof *world);
  lua_setfield(L, -2, "world");
}

static void push_scene(lua_State *L, const sinew_skeleton *scene) {
  lua_createtable(L, scene->node_count, 4);
  for (int i = 0; i < scene->node_count; i++) {
    const sinew_skeleton_node *node = &scene->nodes[i];
    si_lua_spend_each(L, (size_t)i, (size_t)scene->node_count, 80);
    push_node(L, node->name, node->parent, node->world);
    lua_pushboolean(L, node->joint);
    lua_setfield(L, -2, "joint");
    lua_pushboolean(L, node->mesh);
    lua_setfield(L, -2, "mesh");
    memcpy(si_vec3_push(L), node->scale, sizeof node->scale);
    lua_setfield(L, -2, "scale");
    lua_rawseti(L, -2, i + 1);
  }
  const si_named_number counts[] = { { "meshes", scene->meshes },
                                     { "skins", scene->skins },
                                     { "animations", scene->animations },
                                     { "cameras", scene->cameras },
                                     { NULL, 0 } };
  si_set_numbers(L, counts);
}

static void push_motion(lua_State *L, const sinew_motion *motion) {
  int count = sinew_motion_joint_count(motion);
  float(*places)[3] = lua_newuserdatauv(L, ((size_t)count + 1) * sizeof *places, 0);
  lua_createtable(L, count, 4);
  for (int i = 0; i < count; i++) {
    float world[16] = { 1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1 };
    sinew_motion_joint joint = sinew_motion_joint_info(motion, i);
    for (int k = 0; k < 3; k++)
      world[12 + k] = places[i][k] =
          joint.offset[k] + (joint.parent >= 0 ? places[joint.parent][k] : 0);
    si_lua_spend_each(L, (size_t)i, (size_t)count, 80);
    push_node(L, joint.name, joint.parent, world);
    lua_pushboolean(L, !joint.end);
    lua_setfield(L, -2, "joint");
    lua_rawseti(L, -2, i + 1);
  }
  const si_named_number counts[] = { { "frames", sinew_motion_frame_count(motion) }, { NULL, 0 } };
  si_set_numbers(L, counts);
}

static bool ends_with(const char *path, const char *ending) {
  size_t length = strlen(path), tail = strlen(ending);
  return length > tail && strcasecmp(path + length - tail, ending) == 0;
}

static int nodes(lua_State *L) {
  static const si_option table[] = {
    SI_OPTION(sinew_motion_options, unit, NUMBER),
    SI_OPTION_END,
  };
  const char *path = luaL_checkstring(L, 1);
  sinew_motion_options options = sinew_default_motion_options();
  lua_settop(L, 2);
  si_options_read(L, 2, "nodes", table, &options);
  bool bvh = ends_with(path, ".bvh");
  const si_lua_guard *guard = si_lua_guard_of(L);
  sinew_error error;
  holder *held = si_lua_new(L, &holder_type, sizeof *held, 0);
  if (!guard) {
    si_files_check(L);
    if (bvh)
      held->motion = sinew_motion_load(path, &options, &error);
    else
      held->scene = sinew_skeleton_load(path, &error);
  } else {
    const void *bytes;
    size_t size;
    path = guard->read(L, path, SINEW_SKELETON_BYTES, &bytes, &size);
    si_lua_reserve(L, 8 * size);
    if (bvh)
      held->motion = sinew_motion_parse(path, bytes, size, NULL, 0, &options, &error);
    else
      held->scene = sinew_skeleton_parse(path, bytes, size, &error);
  }
  if (!held->scene && !held->motion) return si_return_failure(L, &error);
  if (bvh)
    push_motion(L, held->motion);
  else
    push_scene(L, held->scene);
  sinew_skeleton_destroy(held->scene);
  sinew_motion_destroy(held->motion);
  *held = (holder){ NULL, NULL };
  return 1;
}

void si_open_nodes(lua_State *L) {
  si_lua_type_open(L, &holder_type);
  lua_pushcfunction(L, nodes);
  lua_setfield(L, -2, "nodes");
}
