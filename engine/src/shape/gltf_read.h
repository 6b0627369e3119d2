/* Shared by the files of the glTF reader: gltf_read.c opens a file, gltf_read_nodes.c walks the
 * scene, gltf_read_mesh.c reads triangles, gltf_read_skeleton.c bones, gltf_read_data.c finds
 * arrays, accessors and buffers. */
#ifndef SI_GLTF_READ_H
#define SI_GLTF_READ_H

#include "base/arena.h"
#include "base/json.h"
#include "math/matrix.h"
#include "shape/mesh_internal.h"

#define SI_GLTF_FILE   (512 << 20) /* bytes of a file beside it, at most */
#define SI_GLTF_EXTENT 1e9f        /* the largest number in a position, matrix or weight */

/* a top-level array, for access by index */
typedef struct si_gltf_table {
  const si_json_value **items;
  size_t count;
} si_gltf_table;

typedef struct si_gltf_buffer {
  const unsigned char *bytes;
  size_t size;
  unsigned char *owned; /* decoded data, or NULL */
  bool known;
} si_gltf_buffer;

typedef struct si_gltf_visit {
  CGLM_ALIGN_MAT float world[16];
  const si_json_value *node;
  size_t parent; /* index of its visit + 1; 0: a root */
} si_gltf_visit;

typedef struct si_gltf_reader {
  const char *name;
  bool beside; /* buffers in files beside `name` are read; else they are errors */
  si_json json;
  si_arena arena;             /* for tables, visits and other arrays */
  const unsigned char *chunk; /* the binary one of a .glb */
  size_t chunk_size;
  si_gltf_table nodes, meshes, accessors, views, buffers, skins;
  si_gltf_buffer *loaded; /* one for each buffer */
  si_gltf_visit *visits;  /* nodes in the order of visiting; each is visited once */
  size_t *reached;        /* of each node: index of its visit + 1 */
  uint32_t *joint_of;     /* of each node: index of its joint + 1 */
  uint32_t *joints;       /* of the current skin: indices of its joints in the mesh */
  float *joint_moves;     /* 16 floats each: from the bind pose to the current pose */
  size_t skin_joints;     /* 0: no current skin */
  size_t visit_count, primitive_count;
  size_t made;    /* bytes of arrays that are no part of a buffer */
  bool quantized; /* KHR_mesh_quantization: positions and normals may be whole numbers */
  si_mesh_parts *dest;
  sinew_error *error;
} si_gltf_reader;

/* an accessor; its bytes have been checked to be inside the buffer */
typedef struct si_gltf_span {
  const unsigned char *bytes;
  size_t stride, count;
  uint32_t component;
} si_gltf_span;

/* Fails at the line of a value. */
#define si_gltf_fail(r, at, ...)                                                                   \
  si_fail_at((r)->error, SINEW_ERR_FILE, (r)->name, (at)->line, 0, __VA_ARGS__)

/* A whole number from 0. If the member is missing: `missing`, or an error if that is negative. */
sinew_status si_gltf_whole(const si_gltf_reader *r, const si_json_value *object, const char *key,
                           int64_t missing, uint32_t *dest);
/* The top-level array `key`; empty if there is none. */
sinew_status si_gltf_table_read(si_gltf_reader *r, const char *key, si_gltf_table *dest);
/* An index into a table: `value` itself, or a member of `object`. */
sinew_status si_gltf_pick(const si_gltf_reader *r, const si_json_value *value,
                          const si_gltf_table *from, const char *what, uint32_t *dest);
sinew_status si_gltf_pick_member(const si_gltf_reader *r, const si_json_value *object,
                                 const char *key, const si_gltf_table *from, const char *what,
                                 uint32_t *dest);
/* The accessor of the member `key` of `object`. It must be of this type, such as "VEC3", with
 * components that fit the key. Vectors and
 * animations of whole numbers become floats, and the elements of a sparse accessor are put in. */
sinew_status si_gltf_accessor(si_gltf_reader *r, const si_json_value *object, const char *key,
                              const char *type, si_gltf_span *dest);

/* Reads what a `uri` refers to, base64 or, if the reader allows it, a file beside the glTF; `dest`
 * owns it. */
sinew_status si_gltf_fetch(const si_gltf_reader *r, const si_json_value *uri, si_gltf_buffer *dest);
/* The bytes of a bufferView, inside its buffer. */
sinew_status si_gltf_view(const si_gltf_reader *r, uint32_t index, const unsigned char **bytes,
                          size_t *size);
/* Reads `count` numbers; `dest` is unchanged if the member is missing. */
sinew_status si_gltf_numbers(const si_gltf_reader *r, const si_json_value *object, const char *key,
                             uint32_t count, float *dest);
/* A node's transform in its parent's frame; `dest` is aligned. */
sinew_status si_gltf_local(const si_gltf_reader *r, const si_json_value *node, float *dest);

/* Little-endian numbers in a buffer, and the size of a component in bytes. */
uint32_t si_gltf_little(const unsigned char *bytes, int count);
float si_gltf_float(const unsigned char *bytes);
int si_gltf_component_size(const si_gltf_span *s);

/* Adds the triangles of a mesh, transformed by `world` or by the current skin. */
sinew_status si_gltf_add_mesh(si_gltf_reader *r, const si_json_value *mesh, const float *world);
/* Opens a file, checks its version and reads its tables; si_gltf_close frees all, also after a
 * failure. */
sinew_status si_gltf_open(si_gltf_reader *r, const unsigned char *bytes, size_t size, bool binary);
sinew_status si_gltf_start(si_gltf_reader *r);
void si_gltf_close(si_gltf_reader *r);
/* Whether a list at the root, such as "extensionsUsed", has a text. */
bool si_gltf_lists(const si_gltf_reader *r, const char *key, const char *text);
/* Visits the nodes of the default scene, parents first. */
sinew_status si_gltf_walk(si_gltf_reader *r);
/* Adds the meshes of the nodes that were visited. */
sinew_status si_gltf_add_meshes(si_gltf_reader *r);

#endif
