/* Reading glTF: what the parts of the reader share. gltf_read.c opens a file, gltf_read_nodes.c
 * walks its scene, gltf_read_mesh.c takes the triangles, gltf_read_data.c finds lists, accessors
 * and buffers for them. */
#ifndef SI_GLTF_READ_H
#define SI_GLTF_READ_H

#include "base/json.h"
#include "math/frame.h"
#include "shape/mesh_internal.h"

#define SI_GLTF_EXTENT 1e9f /* no number of a place, a matrix or a weight is larger */

/* a list at the top, its items found by their number */
typedef struct si_gltf_table {
  const si_json_value **items;
  size_t count;
} si_gltf_table;

typedef struct si_gltf_buffer {
  const unsigned char *bytes;
  size_t size;
  unsigned char *owned; /* what was decoded */
  bool known;
} si_gltf_buffer;

typedef struct si_gltf_visit {
  CGLM_ALIGN_MAT float world[16];
  const si_json_value *node;
} si_gltf_visit;

typedef struct si_gltf_reader {
  const char *name;
  si_json json;
  const unsigned char *chunk; /* the binary one of a .glb */
  size_t chunk_size;
  si_gltf_table nodes, meshes, accessors, views, buffers, skins;
  si_gltf_buffer *loaded; /* one for each buffer */
  si_gltf_visit *visits;  /* nodes reached; room for all, each is reached once */
  size_t *reached;        /* of each node: its visit and 1 */
  uint32_t *joint_of;     /* of each node: its joint and 1 */
  uint32_t *joints;       /* of the skin in hand: the joint of each of its joints */
  float *joint_moves;     /* 16 floats each: from the bind pose to where the joints stand */
  size_t skin_joints;     /* 0: none is in hand */
  size_t visit_count, primitive_count;
  si_mesh_parts *dest;
  sinew_error *error;
} si_gltf_reader;

/* an accessor, with all it reaches inside its buffer */
typedef struct si_gltf_span {
  const unsigned char *bytes;
  size_t stride, count;
  uint32_t component;
} si_gltf_span;

/* Fails at the line of a value. */
#define si_gltf_fail(r, at, ...)                                                                   \
  si_fail_at((r)->error, SINEW_ERR_FILE, (r)->name, (at)->line, 0, __VA_ARGS__)

/* A whole number from 0; `missing` where it is not given, unless that is negative. */
sinew_status si_gltf_whole(const si_gltf_reader *r, const si_json_value *object, const char *key,
                           int64_t missing, uint32_t *dest);
/* The list at the top that is called `key`; empty where there is none. Its items are the caller's
 * to free. */
sinew_status si_gltf_table_read(const si_gltf_reader *r, const char *key, si_gltf_table *dest);
/* The item of a table that `value`, or a member of `object`, is the number of. */
sinew_status si_gltf_pick(const si_gltf_reader *r, const si_json_value *value,
                          const si_gltf_table *from, const char *what, uint32_t *dest);
sinew_status si_gltf_pick_member(const si_gltf_reader *r, const si_json_value *object,
                                 const char *key, const si_gltf_table *from, const char *what,
                                 uint32_t *dest);
/* The accessor that the member `key` of `object` names, which must be of this type, such as "VEC3",
 * and of components that fit the key. */
sinew_status si_gltf_accessor(const si_gltf_reader *r, const si_json_value *object, const char *key,
                              const char *type, si_gltf_span *dest);

/* Numbers as they lie in a buffer, of `count` bytes or four; and how many bytes a component has. */
uint32_t si_gltf_little(const unsigned char *bytes, int count);
float si_gltf_float(const unsigned char *bytes);
int si_gltf_component_size(const si_gltf_span *s);

/* Adds the triangles of a mesh, moved by `world`, or by the skin in hand. */
sinew_status si_gltf_add_mesh(si_gltf_reader *r, const si_json_value *mesh, const float *world);
/* Walks the default scene and adds its meshes. */
sinew_status si_gltf_scene(si_gltf_reader *r);

#endif
